"""Invented people: traits, response style, BFI-10 answers, demographics, and who does what.

Demographics are drawn by themselves, apart from everything else: they have no effect, by design.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from carebook.practice.model import GROUP_NAMES, Person, cut
from carebook.vocabulary import BFI_ITEMS, BFI_KEY, DEMOGRAPHICS, TRAITS

COUNTRIES = {
    "United Kingdom": 44,
    "United States": 26,
    "Canada": 6,
    "Ireland": 4,
    "South Africa": 6,
    "Poland": 4,
    "Portugal": 3,
    "Australia": 3,
    "Germany": 2,
    "India": 2,
}
LANGUAGES = {"Poland": "Polish", "Portugal": "Portuguese", "Germany": "German", "India": "Hindi"}
ETHNICITIES = {"White": 64, "Black": 14, "Asian": 12, "Mixed": 7, "Other": 3}
EMPLOYMENT = {
    "Full-Time": 48,
    "Part-Time": 19,
    "Unemployed (and job seeking)": 8,
    "Not in paid work (e.g. homemaker, retired or disabled)": 13,
    "Due to start a new job within the next month": 2,
    "Other": 10,
}
MAY_DECLINE = ("age", "sex", "ethnicity")


def draw_person(rng: Random, world: Mapping, name: str, voice: str) -> Person:
    """Return one invented person."""
    traits = tuple(rng.gauss(0, 1) for _ in TRAITS)
    response = world["response"]
    return Person(
        id=name,
        traits=traits,
        acquiescence=rng.gauss(0, response["acquiescence"]),
        extremity=rng.gauss(0, response["extremity"]),
        openness=rng.gauss(0, world["emotion"]["openness_to_labels"]),
        bias=tuple(rng.gauss(0, world["observer"]["bias"]) for _ in GROUP_NAMES),
        voice=voice,
        bfi=_bfi_answers(rng, world, traits),
        demographics=_demographics(rng, world),
    )


def _bfi_answers(rng: Random, world: Mapping, traits: Sequence[float]) -> tuple[int, ...]:
    """Return ten answers, 1-5, in questionnaire order."""
    people = world["people"]
    loading = people["bfi_loading"]
    answers = dict.fromkeys(BFI_ITEMS, 0)
    for trait, value in zip(TRAITS, traits, strict=True):
        for item, direction in BFI_KEY[trait]:
            standard = loading * value + math.sqrt(1 - loading**2) * rng.gauss(0, 1)
            keyed = people["bfi_mean"][trait] + people["bfi_spread"] * standard
            answers[item] = cut(3 + direction * (keyed - 3), [1.5, 2.5, 3.5, 4.5], lowest=1)
    return tuple(answers.values())


def _demographics(rng: Random, world: Mapping) -> dict[str, str]:
    people = world["people"]
    home = _pick(rng, COUNTRIES)
    born = home if rng.random() < 0.86 else _pick(rng, COUNTRIES)
    nationality = born if rng.random() < 0.8 else home
    age = min(79, 18 + int(rng.gammavariate(2.4, 8.5)))
    student = rng.random() < (0.55 if age < 25 else 0.09)
    values = {
        "age": str(age),
        "sex": "Female" if rng.random() < 0.53 else "Male",
        "ethnicity": _pick(rng, ETHNICITIES),
        "country_of_birth": born,
        "country_of_residence": home,
        "nationality": nationality,
        "language": LANGUAGES.get(born, "English"),
        "student_status": "Yes" if student else "No",
        "employment_status": _pick(rng, EMPLOYMENT),
    }
    revoked = rng.random() < people["consent_revoked"]
    for name in DEMOGRAPHICS:
        expired = rng.random() < people["data_expired"]
        declined = rng.random() < people["prefer_not"]
        blank = rng.random() < people["left_blank"]
        if revoked:
            values[name] = "CONSENT_REVOKED"
        elif expired:
            values[name] = "DATA_EXPIRED"
        elif declined and name in MAY_DECLINE:
            values[name] = "Prefer not to say"
        elif blank:
            values[name] = ""
    return values


def _pick(rng: Random, weighted: Mapping[str, int]) -> str:
    return rng.choices(list(weighted), list(weighted.values()))[0]


# --- who does what ----------------------------------------------------------------------------


def deal_writers(rng: Random, world: Mapping, situations: Sequence) -> list[int]:
    """Return the number of the writer of each narrative.

    Everybody writes at least once; some write again, never about the same situation as far as the
    bank allows, and always in their own voice (so within situations of one voice).
    """
    rules = world["people"]
    by_voice: dict[str, list[int]] = {}
    for number, situation in enumerate(situations):
        by_voice.setdefault(situation.voice, []).append(number)
    writers = [-1] * len(situations)
    next_writer = 0
    for voice in sorted(by_voice):
        stories = by_voice[voice]
        rng.shuffle(stories)
        count = min(len(stories), max(1, round(rules["writers_per_narrative"] * len(stories))))
        written = [[story] for story in stories[:count]]
        for story in stories[count:]:
            free = [mine for mine in written if len(mine) < rules["most_narratives"]] or written
            fresh = [
                mine for mine in free if all(situations[s] is not situations[story] for s in mine)
            ]
            # Those who have written twice are likelier to write a third time.
            options = fresh or free
            rng.choices(options, [len(mine) for mine in options])[0].append(story)
        for mine in written:
            for story in mine:
                writers[story] = next_writer
            next_writer += 1
    return writers


def deal_observers(
    rng: Random, world: Mapping, writers: Sequence[int], people: int
) -> list[list[int]]:
    """Return the readers of each narrative; nobody meets an own narrative or one twice.

    Parameters
    ----------
    writers : sequence of int
        The number of the writer of each narrative that is read.
    people : int
        How many people write at all: readers who don't write are numbered from here.
    """
    rules = world["people"]
    size = rules["observers"]
    total = len(writers) * size
    count = min(total, max(size + 2, round(rules["observers_per_observation"] * total)))
    # With a handful of narratives the people who read them are all others.
    both = max(0, min(round(rules["both_roles"] * count), people, count - 2 * size))
    readers = rng.sample(range(people), both) + [people + i for i in range(count - both)]
    rng.shuffle(readers)
    panels: list[list[int]] = [[] for _ in writers]
    for reader in readers:
        options = [p for p, panel in enumerate(panels) if len(panel) < size]
        free = [p for p in options if writers[p] != reader]
        if free:
            panels[rng.choice(free)].append(reader)
    _fill(rng, panels, writers, readers, rules)
    return panels


def _fill(
    rng: Random,
    panels: list[list[int]],
    writers: Sequence[int],
    readers: Sequence[int],
    rules: Mapping,
) -> None:
    """Fill the panels by chance: some people read far more than others, up to a limit."""
    weights = {reader: math.exp(rng.gauss(0, 0.7)) for reader in readers}
    loads = Counter(reader for panel in panels for reader in panel)
    places = list(range(len(panels)))
    rng.shuffle(places)
    for place in places:
        panel = panels[place]
        while len(panel) < rules["observers"]:
            allowed = [r for r in readers if r not in panel and r != writers[place]]
            rested = [r for r in allowed if loads[r] < rules["most_observations"]]
            options = rested or allowed
            reader = rng.choices(options, [weights[r] for r in options])[0]
            loads[reader] += 1
            panel.append(reader)
        rng.shuffle(panel)
