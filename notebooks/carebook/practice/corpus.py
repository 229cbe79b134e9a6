"""Makes a whole practice corpus: records of both CAREBench files, the IMBUE rows, the sidecar."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from carebook.practice.answers import Narrator, write_answers, writer_of
from carebook.practice.banks import VOICES, Banks, Situation, five_grams, read_banks
from carebook.practice.conversations import hold_conversations, judge
from carebook.practice.dealing import Deal, deal_variants
from carebook.practice.model import Model, Person, Reaction, shared_error
from carebook.practice.narratives import (
    ORDERS,
    Story,
    feeling_wishes,
    more_feelings,
    stock_in,
    stock_of,
    story_record,
    tell,
)
from carebook.practice.people import deal_observers, deal_writers, draw_person
from carebook.practice.worlds import read_world
from carebook.vocabulary import (
    AGREEMENT,
    ATTENTION_CHECK,
    BFI_AGREEMENT,
    BFI_ITEMS,
    BFI_KEY,
    DEMOGRAPHICS,
    DIMENSIONS,
    LABELS,
    NEGATIVE_LABELS,
    NEGATIVE_LEVELS,
    POSITIVE_LABELS,
    POSITIVE_LEVELS,
    STATEMENTS,
)

NOTICE = (
    "Synthetic practice data made by a program (carebook practice). The people, events and "
    "judgements in these files are invented; nothing here is a finding about anybody."
)
ANSWERS = {value: answer for answer, value in AGREEMENT.items()}
BFI_ANSWERS = {value: answer for answer, value in BFI_AGREEMENT.items()}
LONG_ENOUGH = 195
"""Words from which on a writer adds no more sentences."""
CHECK_PLACE = 11
"""The attention check stands after this many of the 22 statements."""


@dataclass(frozen=True)
class Corpus:
    """A practice corpus in memory.

    Attributes
    ----------
    first_person, third_person : tuple of dict
        Records as documented for CAREBench, in the order of ``sample_id``.
    imbue : tuple of dict
        Rows of the IMBUE table, one per message and expert; all values are text.
    truth : dict
        The sidecar: what each text came from and the latent values behind each answer.
    """

    first_person: tuple[dict, ...]
    third_person: tuple[dict, ...]
    imbue: tuple[dict, ...]
    truth: dict


def make_corpus(
    seed: int,
    world: str = "default",
    narratives: int = 1000,
    conversations: int = 18,
    banks: Banks | None = None,
) -> Corpus:
    """Return a practice corpus; the same arguments give the same corpus on every Python.

    Parameters
    ----------
    seed : int
        Decides every draw.
    world : str
        Name of a parameter file under ``data/worlds``, or the path of your own.
    narratives, conversations : int
        How many of each, at least 2 and 1.
    banks : Banks, optional
        Text banks; the package's own by default.

    Raises
    ------
    ValueError
        If a number is too small, or the bank can't give so many different narratives.
    BankError, WorldError
        If a bank or a world can't be used.

    Examples
    --------
    >>> corpus = make_corpus(seed=7, narratives=4, conversations=1)
    >>> len(corpus.first_person), len(corpus.third_person)
    (4, 10)
    >>> corpus.first_person[0]["sample_id"]
    '0001'
    """
    if narratives < 2 or conversations < 1:
        raise ValueError("Ask for at least 2 narratives and 1 conversation")
    banks = read_banks() if banks is None else banks
    parameters = read_world(world)
    model = Model(parameters, banks.situations)
    stories = _Stories(seed, model, banks, narratives)
    rng = Random(f"{seed}/conversations")
    talks = hold_conversations(rng, parameters, banks.conversations, conversations)
    rows, strictness = judge(Random(f"{seed}/experts"), parameters, talks, banks.phrases)
    truth = {
        "made_by": "carebook practice",
        "notice": NOTICE,
        "seed": seed,
        "world": Path(world).stem,
        "about": parameters["about"],
        "dimensions": list(DIMENSIONS),
        "labels": list(LABELS),
        "intercepts": _rounded(model.intercepts),
        "people": stories.truth_people(),
        "narratives": stories.truth_narratives(),
        "conversations": {
            talk.id: {
                "conversation": talk.bank.id,
                "wording": talk.wording,
                "themes": list(talk.bank.themes),
            }
            for talk in talks
        },
        "messages": {
            f"{talk.id}/{number}": [
                {
                    "move": move_number,
                    "skill": move.skill,
                    "strength": move.strength,
                    "state": move.state,
                    "flaw": move.flaw,
                }
                for move, move_number in zip(message.moves, message.numbers, strict=True)
            ]
            for talk in talks
            for number, message in enumerate(talk.messages, start=1)
        },
        "experts": {name: {"strictness": value} for name, value in sorted(strictness.items())},
    }
    return Corpus(tuple(stories.first_person()), tuple(stories.third_person()), tuple(rows), truth)


def _rounded(values: Sequence[float], digits: int = 3) -> list[float]:
    # Adding 0.0 turns -0.0 into 0.0.
    return [round(value, digits) + 0.0 for value in values]


class _Stories:
    """All narratives with their writers and readers, drawn once when it is made."""

    def __init__(self, seed: int, model: Model, banks: Banks, count: int):
        self.seed, self.model, self.banks = seed, model, banks
        self.situations = self._deal_situations(count)
        self.ids = [str(n).zfill(max(4, len(str(count)))) for n in range(1, count + 1)]
        self._draw_people()
        self.reactions = [
            model.writer_reaction(
                self._rng("writer", i), self.people[self.writers[i]], self.situations[i]
            )
            for i in range(count)
        ]
        self.stories = self._tell_stories()
        self._observe()
        self.heard: dict[int, Counter[str]] = {i: Counter() for i in range(count)}

    def _rng(self, *place) -> Random:
        return Random("/".join(str(part) for part in (self.seed, *place)))

    def _deal_situations(self, count: int) -> list[Situation]:
        """Return the situation of each narrative: each as often as the others, or once more."""
        rng = self._rng("situations")
        bank = self.banks.situations
        dealt = [situation for _ in range(count // len(bank)) for situation in bank]
        dealt += rng.sample(bank, count % len(bank))
        rng.shuffle(dealt)
        return dealt

    def _draw_people(self) -> None:
        world = self.model.world
        rng = self._rng("people")
        writers = deal_writers(rng, world, self.situations)
        count = len(self.situations)
        share = world["people"]["matched"]
        matched = sorted(rng.sample(range(count), max(1, round(share * count))))
        panels = deal_observers(rng, world, [writers[i] for i in matched], max(writers) + 1)
        numbers = sorted({*writers, *(reader for panel in panels for reader in panel)})
        names = rng.sample(range(1, len(numbers) + 1), len(numbers))
        voices = {writer: self.situations[i].voice for i, writer in enumerate(writers)}
        shares = [5, 2, 2, 2, 2, 2]
        people: dict[int, Person] = {}
        for number, name in zip(numbers, names, strict=True):
            own = self._rng("person", number)
            voice = own.choices(VOICES, shares)[0]
            people[number] = draw_person(
                own, world, f"practice-p{name:04d}", voices.get(number, voice)
            )
        self.people, self.writers = people, writers
        self.panels = dict(zip(matched, panels, strict=True))

    def _tell_stories(self) -> list[Story]:
        phrases, noise = self.banks.phrases, self.model.world["text"]["feeling_noise"]
        by_situation: dict[str, list[int]] = {}
        for i, situation in enumerate(self.situations):
            by_situation.setdefault(situation.id, []).append(i)
        stories: dict[int, Story] = {}
        stock: Counter = Counter()
        for name, members in by_situation.items():
            situation = self.situations[members[0]]
            wishes, wished = [], Counter(stock)
            for i in members:
                rng, reaction = self._rng("feeling", i), self.reactions[i]
                wish = feeling_wishes(rng, noise, situation, reaction, phrases, wished)
                # Two writers of one event shall not wish for the same general sentence.
                first = next(key for key in wish if key[0] == "phrase")
                wished.update(stock_in(first, situation.voice))
                wishes.append(wish)
            sizes = (len(situation.event), len(situation.context), len(situation.goal))
            deals = deal_variants(self._rng("deal", name), sizes, wishes, len(ORDERS))
            told = self._tell_apart(dict(zip(members, deals, strict=True)), stock)
            stories |= told
            stock.update(key for story in told.values() for key in stock_of(story))
        return [stories[i] for i in range(len(self.situations))]

    def _tell_apart(self, deals: Mapping[int, Deal], stock: Counter) -> dict[int, Story]:
        """Return the stories of one situation, wordings and lengths such that they differ.

        A writer whose story shares more than a third of its word 5-grams with another one says
        more about feelings, in up to three sentences.
        """
        phrases = self.banks.phrases
        turns = Counter(deal[0] for deal in deals.values())
        told: Counter = Counter()
        stories, grams = {}, {}

        def put(i: int, turn: int, also: Sequence) -> None:
            stories[i] = tell(self.situations[i], deals[i], phrases, turn, turns[deals[i][0]], also)
            grams[i] = five_grams(stories[i].text)

        for i, deal in deals.items():
            put(i, told[deal[0]], ())
            told[deal[0]] += 1
        for i in deals:
            rng = self._rng("more", i)
            more = more_feelings(rng, stories[i], self.reactions[i], phrases, stock)
            for count in range(1, len(more) + 1):
                shared = max((len(grams[i] & grams[j]) for j in deals if j != i), default=0)
                if 3 * shared > len(grams[i]) and len(stories[i].text.split()) < LONG_ENOUGH:
                    put(i, stories[i].turn, more[:count])
        return stories

    def _observe(self) -> None:
        """Draw what each reader makes of each story."""
        self.readings: dict[tuple[int, int], tuple[Reaction, int | None]] = {}
        chance = self.model.world["observer"]["misread"]
        for i, panel in self.panels.items():
            shared = shared_error(self._rng("shared", i), self.model.world)
            situation = self.situations[i]
            left = list(range(len(situation.misreadings)))
            for slot, reader in enumerate(panel, start=1):
                rng = self._rng("observer", i, slot)
                # No two readers of one story misread it alike.
                number = rng.choice(left) if left else None
                misread = number if rng.random() < chance else None
                if misread is not None:
                    left.remove(misread)
                reaction = self.model.observer_reaction(
                    rng,
                    self.people[reader],
                    situation,
                    self.reactions[i],
                    self.stories[i].voiced,
                    shared,
                    None if misread is None else situation.misreadings[misread],
                )
                self.readings[i, slot] = reaction, misread

    # --- records -------------------------------------------------------------------------------

    def first_person(self):
        """Yield one record per narrative."""
        worn: Counter[str] = Counter()
        for i, story in enumerate(self.stories):
            rng = self._rng("words", i)
            self.heard[i].clear()
            person, reaction = self.people[self.writers[i]], self.reactions[i]
            collection = story_record(rng, story, self.banks.phrases)
            answers = write_answers(
                rng,
                writer_of(story),
                story,
                reaction.ratings,
                None,
                self.banks,
                worn,
                self.heard[i],
            )
            yield {
                "sample_id": self.ids[i],
                "participant_id": person.id,
                "story_collection": collection,
                "cognitive_questions": answers,
                **self._answers(rng, person, reaction),
            }

    def third_person(self):
        """Yield one record per observation."""
        worn: Counter[str] = Counter()
        for i, panel in self.panels.items():
            # Nobody can say what the writer said word for word: no reader has seen those answers.
            heard = Counter(self.heard[i])
            for slot, reader in enumerate(panel, start=1):
                rng = self._rng("reading", i, slot)
                person = self.people[reader]
                reaction, misread = self.readings[i, slot]
                story = self.stories[i]
                answers = write_answers(
                    rng,
                    Narrator("observer", person.voice),
                    story,
                    reaction.ratings,
                    None if misread is None else story.situation.misreadings[misread],
                    self.banks,
                    worn,
                    heard,
                )
                yield {
                    "sample_id": self.ids[i],
                    "observer_index": slot,
                    "participant_id": person.id,
                    "cognitive_questions": answers,
                    **self._answers(rng, person, reaction),
                }

    def _answers(self, rng: Random, person: Person, reaction: Reaction) -> dict:
        """Return the fields that writers and observers fill in alike."""
        failed = rng.random() < self.model.world["people"]["attention_failed"]
        ratings = {}
        for place, (name, value) in enumerate(zip(DIMENSIONS, reaction.ratings, strict=True)):
            if place == CHECK_PLACE:
                ratings[ATTENTION_CHECK] = ANSWERS[rng.randint(1, 4) if failed else 5]
            ratings[STATEMENTS[name]] = ANSWERS[value]
        ticked = [label for label, on in zip(LABELS, reaction.labels, strict=True) if on]
        positive, negative = reaction.levels
        return {
            "appraisal_ratings": ratings,
            "emotion_labels": {
                "positive_level": list(POSITIVE_LEVELS)[positive],
                "negative_level": list(NEGATIVE_LEVELS)[negative],
                "positive_emotion_labels": [x for x in ticked if x in POSITIVE_LABELS],
                "negative_emotion_labels": [x for x in ticked if x in NEGATIVE_LABELS],
            },
            "personality_questionnaire": {
                statement: BFI_ANSWERS[value]
                for statement, value in zip(BFI_ITEMS.values(), person.bfi, strict=True)
            },
            "BigFive_scores": big_five(person.bfi),
            "demographics": {
                field: person.demographics[name] for name, field in DEMOGRAPHICS.items()
            },
        }

    # --- sidecar -------------------------------------------------------------------------------

    def truth_people(self) -> dict[str, dict]:
        """Return the latent values of every person."""
        return {
            person.id: {
                "traits": _rounded(person.traits),
                "acquiescence": round(person.acquiescence, 3),
                "extremity": round(person.extremity, 3),
                "voice": person.voice,
            }
            for person in sorted(self.people.values(), key=lambda person: person.id)
        }

    def truth_narratives(self) -> dict[str, dict]:
        """Return where each narrative came from, and the latent values of writer and readers."""
        result = {}
        for i, story in enumerate(self.stories):
            event, context, goal, feeling, order = story.deal
            reaction = self.reactions[i]
            result[self.ids[i]] = {
                "situation": story.situation.id,
                "walk": story.situation.walk,
                "tone": story.situation.tone,
                "voice": story.situation.voice,
                "themes": list(story.situation.themes),
                "variants": {
                    "event": event,
                    "context": context,
                    "goal": goal,
                    "feeling": list(feeling),
                    "order": list(ORDERS[order]),
                    "also": [label for label, _ in story.also],
                    "wording": story.turn,
                },
                "voiced": list(story.voiced),
                "appraisals": _rounded(reaction.appraisals),
                "emotions": _rounded(reaction.emotions),
                "intensities": _rounded(reaction.intensities),
                "observers": {
                    str(slot): {
                        "misreading": self.readings[i, slot][1],
                        "appraisals": _rounded(self.readings[i, slot][0].appraisals, digits=2),
                    }
                    for slot in range(1, len(self.panels.get(i, ())) + 1)
                },
            }
        return result


def big_five(answers: Sequence[int]) -> Mapping[str, float]:
    """Return the five stored scores: the sum of two keyed items, stretched to 0-10.

    Examples
    --------
    >>> big_five([1, 3, 3, 3, 3, 5, 3, 3, 3, 3])["Extraversion"]
    10.0
    """
    value = dict(zip(BFI_ITEMS, answers, strict=True))
    return {
        trait: (sum(value[i] if sign > 0 else 6 - value[i] for i, sign in items) - 2) * 1.25
        for trait, items in BFI_KEY.items()
    }
