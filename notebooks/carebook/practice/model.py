"""The model behind the numbers of the practice corpora.

Read from top to bottom, it is the story that the generator tells::

    situation profile + traits + construal  ->  22 latent appraisals  ->  ratings (cut points)
    appraisals + the event + own feeling    ->  20 latent emotions    ->  labels (above zero)
    the chances of a side's labels          ->  two intensities       ->  levels (cut points)

Where two answers of one person would deny each other, one gives way: nobody calls a feeling extreme
and the event of no matter, nor an event good that felt only bad.

An observer starts from the situation and the part of the writer that the text shows, is pulled
towards the typical situation, and adds bias, noise and at times a misreading. Demographics appear
nowhere in this module: by design they have no effect on anything.

Every parameter stands in ``data/worlds/default.toml``. Sums of floats use `math.fsum`, because the
built-in `sum` rounds differently on Python 3.12 and the corpora must be the same everywhere.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from carebook.practice.banks import Misreading, Situation
from carebook.practice.worlds import SIGNS, read_signs
from carebook.vocabulary import DIMENSIONS, GROUPS, LABELS, POSITIVE_LABELS, TRAITS

GROUP_NAMES = tuple(GROUPS)
GROUP_OF = tuple(GROUP_NAMES.index(name.split(".")[0]) for name in DIMENSIONS)

TURNED = frozenset(
    {
        "certainty.novelty",
        "congruence.negative prediction error",
        "control.effortful",
        "accountability.self",
        "accountability.fairness",
    }
)
"""Dimensions that a construal shared by their group moves the other way: who sees less certainty
sees more novelty, who looks to others for blame looks less to oneself."""

EITHER_SIDE = "Confused, disoriented, surprised"
"""The group that holds surprise, which goes with good events as well."""

RELEVANCE = DIMENSIONS.index("relevance.general")
CONGRUENCE = DIMENSIONS.index("congruence.general")

LIGHT = frozenset(POSITIVE_LABELS) - {"Sympathy, concern, compassion"}
"""Groups that can make a bad event feel good, all in all."""

DIRECTION = tuple(-1.0 if name in TURNED else 1.0 for name in DIMENSIONS)


@dataclass(frozen=True)
class Person:
    """Somebody who writes, observes, or both.

    ``traits`` are five standard normal values in the order of TRAITS; ``bias`` has one value for
    each appraisal group and colours only what the person sees in other people's texts.
    """

    id: str
    traits: tuple[float, ...]
    acquiescence: float
    extremity: float
    openness: float
    bias: tuple[float, ...]
    voice: str
    bfi: tuple[int, ...]
    demographics: Mapping[str, str]


@dataclass(frozen=True)
class Reaction:
    """One person's annotation of one event, latent values first."""

    appraisals: tuple[float, ...]
    emotions: tuple[float, ...]
    intensities: tuple[float, float]
    ratings: tuple[int, ...]
    labels: tuple[bool, ...]
    levels: tuple[int, int]


def cut(value: float, cuts: Sequence[float], lowest: int) -> int:
    """Return the answer for a latent value: ``lowest`` plus the number of cut points below it.

    Examples
    --------
    >>> cut(2.7, [1.5, 2.5, 3.5, 4.5], lowest=1)
    3
    """
    return lowest + sum(value > point for point in cuts)


def normal_cdf(value: float) -> float:
    """Return the share of a standard normal distribution below a value.

    Examples
    --------
    >>> round(normal_cdf(1.96), 3)
    0.975
    """
    return 0.5 * math.erfc(-value / math.sqrt(2))


class Model:
    """The parameters of a world, arranged for use, with the intercepts that its rates imply.

    Parameters
    ----------
    world : dict
        From `carebook.practice.worlds.read_world`.
    situations : sequence of Situation
        The bank: it decides what is typical and which intercepts give the stated label rates.
    """

    def __init__(self, world: Mapping, situations: Sequence[Situation]):
        self.world = world
        self.typical = tuple(
            math.fsum(situation.profile[d] for situation in situations) / len(situations)
            for d in range(len(DIMENSIONS))
        )
        self.trait_effects = _trait_effects(world)
        self.weights = _weights(world)
        self.intercepts = _intercepts(self, situations)

    # --- writers ---------------------------------------------------------------------------

    def writer_reaction(self, rng: Random, person: Person, situation: Situation) -> Reaction:
        """Return how a writer appraises an own event and what the writer feels."""
        sizes = self.world["appraisal"]
        construal = _construal(rng, sizes["group_noise"], sizes["own_noise"])
        traits = self.trait_shift(person)
        appraisals = tuple(
            situation.profile[d] + traits[d] + construal[d] for d in range(len(DIMENSIONS))
        )
        own_feeling = self.world["emotion"]["own_feeling"]
        pull = (0.0,) * len(LABELS)
        return self._reaction(
            rng, person, situation, appraisals, own_feeling, pull, situation.named
        )

    def trait_shift(self, person: Person) -> tuple[float, ...]:
        """Return how far a person's traits move each of the 22 appraisals."""
        return tuple(
            math.fsum(
                effects[d] * trait
                for effects, trait in zip(self.trait_effects, person.traits, strict=True)
            )
            for d in range(len(DIMENSIONS))
        )

    # --- observers -------------------------------------------------------------------------

    def observer_reaction(
        self,
        rng: Random,
        person: Person,
        situation: Situation,
        writer: Reaction,
        voiced: Sequence[str],
        shared: Sequence[float],
        misreading: Misreading | None,
    ) -> Reaction:
        """Return how an observer reads a writer's text.

        Parameters
        ----------
        voiced : sequence of str
            Emotion groups that the feeling passage of the text voices.
        shared : sequence of float
            Five values, one per appraisal group: the error that all readers of this text share.
        """
        sizes = self.world["observer"]
        construal = _construal(rng, sizes["group_noise"], sizes["own_noise"])
        traits = self.trait_shift(person)
        appraisals = []
        for d, name in enumerate(DIMENSIONS):
            deviation = writer.appraisals[d] - situation.profile[d]
            shown = situation.profile[d] + sizes["sees"] * deviation
            seen = shown + sizes["typical"] * (self.typical[d] - shown)
            slant = DIRECTION[d] * (person.bias[GROUP_OF[d]] + shared[GROUP_OF[d]])
            appraisals.append(
                seen
                + sizes["own_traits"] * traits[d]
                + slant
                + construal[d]
                + sizes["shift"].get(name, 0.0)
                + (misreading.shift.get(name, 0.0) if misreading else 0.0)
            )
        text = self.world["text"]
        pull = tuple(
            text["voiced_pull"] if label in voiced else text["unvoiced_pull"] for label in LABELS
        )
        return self._reaction(
            rng, person, situation, tuple(appraisals), sizes["own_feeling"], pull, frozenset(voiced)
        )

    # --- shared ----------------------------------------------------------------------------

    def _reaction(
        self,
        rng: Random,
        person: Person,
        situation: Situation,
        appraisals: tuple[float, ...],
        own_feeling: float,
        pull: Sequence[float],
        given: frozenset[str],
    ) -> Reaction:
        response = self.world["response"]
        stretch = math.exp(person.extremity)
        ratings = tuple(
            cut(3 + stretch * (value - 3) + person.acquiescence, response["cuts"], lowest=1)
            for value in appraisals
        )
        ratings = self.bounded(ratings, situation)
        expected = self.expected_emotions(situation, appraisals)
        emotions = tuple(
            expected[i] + person.openness + pull[i] + rng.gauss(0, own_feeling)
            for i in range(len(LABELS))
        )
        labels = tuple(value > 0 for value in emotions)
        intensities = tuple(self._intensity(rng, side) for side in _sides(emotions))
        levels = self.levels(intensities, labels, ratings[RELEVANCE], situation.tone, given)
        ratings = self.agreeing(ratings, labels, levels, situation.tone)
        return Reaction(appraisals, emotions, intensities, ratings, labels, levels)

    def expected_emotions(self, situation: Situation, appraisals: Sequence[float]) -> list[float]:
        """Return the 20 latent emotions that follow from event and appraisals alone."""
        scale = self.world["emotion"]["appraisal_scale"]
        affinities = _affinities(self.world, situation)
        return [
            self.intercepts[i]
            + affinities[i]
            + scale
            * math.fsum(
                weight * (value - 3) for weight, value in zip(weights, appraisals, strict=True)
            )
            for i, weights in enumerate(self.weights)
        ]

    def bounded(self, ratings: Sequence[int], situation: Situation) -> tuple[int, ...]:
        """Return the answers; nobody calls an event of no matter whose text says the reverse."""
        least = situation.profile[RELEVANCE] - self.world["response"]["relevance_below"]
        kept = list(ratings)
        kept[RELEVANCE] = max(kept[RELEVANCE], math.ceil(least))
        return tuple(kept)

    def levels(
        self,
        intensities: Sequence[float],
        labels: Sequence[bool],
        relevance: int,
        tone: str,
        given: frozenset[str],
    ) -> tuple[int, int]:
        """Return the two answers for intensities (0-6), such that no other answer denies them.

        A side is felt at least half as strongly as it has ticked groups, and not more strongly
        than the event matters. A side without a ticked group is faint, and no stronger than a side
        that has one; so is surprise alone where the event is a pleasant one. Nobody stays wholly
        untouched on the side of the event, and the side against an unpleasant one is the stronger
        one only for a reason that is ``given``: by the event for its writer, by the text for a
        reader.
        """
        response = self.world["response"]
        counts = [sum(ticked) for ticked in _sides(labels)]
        faint = [count == 0 for count in counts]
        if tone == "pleasant" and counts[1] == 1 and labels[LABELS.index(EITHER_SIDE)]:
            faint[1] = True
        most = response["most_felt"][relevance - 1]
        levels = []
        for value, count, is_faint in zip(intensities, counts, faint, strict=True):
            level = cut(value, response["level_cuts"], lowest=0)
            bound = response["unticked_most"] if is_faint else most
            levels.append(max(min(level, bound), (count + 1) // 2))
        side = {"pleasant": 0, "unpleasant": 1}.get(tone)
        if side is not None:
            levels[side] = max(levels[side], response["event_least"])
        positive, negative = levels
        ticked = {label for label, on in zip(LABELS, labels, strict=True) if on}
        if tone == "unpleasant" and not (ticked & given & LIGHT):
            if not counts[1]:
                negative = max(negative, min(positive, response["unticked_most"]))
            positive = max(min(positive, negative), (counts[0] + 1) // 2)
            levels = [positive, negative]
        if not any(counts):
            # Who names nothing feels no more against the event than with it.
            if tone == "unpleasant":
                positive = min(levels)
            if tone == "pleasant":
                negative = min(levels)
        if faint == [True, False]:
            return min(levels), negative
        if faint == [False, True]:
            return positive, min(levels)
        return positive, negative

    def agreeing(
        self, ratings: Sequence[int], labels: Sequence[bool], levels: Sequence[int], tone: str
    ) -> tuple[int, ...]:
        """Return the answers to the statements, none of which the feelings deny.

        Who felt next to nothing doesn't agree strongly that it matters; who felt more bad than
        good, or either quite a bit, doesn't call it simply good, or simply bad. Nobody calls an
        unpleasant event good without a positive group, nor a pleasant one bad without a negative.
        """
        response, kept = self.world["response"], list(ratings)
        kept[RELEVANCE] = min(kept[RELEVANCE], response["least_felt"][max(levels)])
        positive, negative = levels
        steps = response["balance_steps"]
        lowest = max(
            1 + sum(positive - negative >= step for step in steps),
            1 + (positive >= response["both_felt"]),
        )
        highest = min(
            5 - sum(negative - positive >= step for step in steps),
            5 - (negative >= response["both_felt"]),
        )
        good, bad = (any(ticked) for ticked in _sides(labels))
        if tone == "unpleasant" and not good:
            highest = min(highest, 3)
        if tone == "pleasant" and not bad:
            lowest = max(lowest, 3)
        kept[CONGRUENCE] = min(max(kept[CONGRUENCE], lowest), highest)
        return tuple(kept)

    def _intensity(self, rng: Random, emotions: Sequence[float]) -> float:
        sizes = self.world["emotion"]
        total = math.fsum(normal_cdf(value / sizes["level_softness"]) for value in emotions)
        strength = sizes["level_gain"] * total ** sizes["level_bend"]
        return sizes["level_base"] + strength + rng.gauss(0, sizes["level_noise"])


def shared_error(rng: Random, world: Mapping) -> tuple[float, ...]:
    """Return the error that all observers of one narrative share, one value per group."""
    return tuple(rng.gauss(0, world["observer"]["shared_bias"]) for _ in GROUP_NAMES)


def _construal(rng: Random, group_noise: float, own_noise: float) -> list[float]:
    """Return 22 chance deviations, correlated within the five groups."""
    shared = [rng.gauss(0, group_noise) for _ in GROUP_NAMES]
    return [
        DIRECTION[d] * shared[GROUP_OF[d]] + rng.gauss(0, own_noise) for d in range(len(DIMENSIONS))
    ]


def _sides(values: Sequence) -> tuple[Sequence, Sequence]:
    """Return the positive and the negative half of 20 values."""
    return values[: len(POSITIVE_LABELS)], values[len(POSITIVE_LABELS) :]


def _trait_effects(world: Mapping) -> list[list[float]]:
    scale = world["appraisal"]["trait_scale"]
    return [
        [scale * world["appraisal"]["traits"][trait].get(name, 0.0) for name in DIMENSIONS]
        for trait in TRAITS
    ]


def _weights(world: Mapping) -> list[list[float]]:
    """Return 20 x 22 weights: sign from the table, size from the world, plus what is assumed."""
    sizes = world["emotion"]
    table = {label: dict.fromkeys(DIMENSIONS, 0.0) for label in LABELS}
    for entry in read_signs():
        label, name = entry["emotion"], entry["appraisal"]
        size = sizes["sizes"].get(label, {}).get(name, sizes["size"])
        table[label][name] = SIGNS[entry["sign"]] * size
    for label, effects in sizes["assumed"].items():
        for name, effect in effects.items():
            table[label][name] = effect
    return [[table[label][name] for name in DIMENSIONS] for label in LABELS]


def _affinities(world: Mapping, situation: Situation) -> list[float]:
    """Return what the event itself adds to each emotion, beyond the 22 appraisals."""
    voiced, sizes = situation.voiced, world["emotion"]
    result = []
    for label in LABELS:
        own_side = "pleasant" if label in POSITIVE_LABELS else "unpleasant"
        if label in voiced:
            result.append(sizes["affinity"])
        elif situation.tone in ("mixed", own_side) or label == EITHER_SIDE:
            result.append(sizes["no_affinity"])
        else:
            result.append(sizes["no_affinity"] + sizes["against"])
    return result


def _intercepts(model: Model, situations: Sequence[Situation]) -> list[float]:
    """Return for each emotion the intercept that gives its stated rate over the bank's situations.

    Within a situation a writer's latent emotion is normal; its mean follows from the profile, its
    variance from traits, construal and own feeling. So the rate is a mean of normal probabilities,
    and the intercept is found by halving an interval.
    """
    world = model.world
    model.intercepts = [0.0] * len(LABELS)
    means = [model.expected_emotions(situation, situation.profile) for situation in situations]
    result = []
    for i, label in enumerate(LABELS):
        spread = math.sqrt(_variance(model, i))
        rate = world["emotion"]["rates"][label]
        low, high = -15.0, 15.0
        for _ in range(50):
            middle = (low + high) / 2
            reached = math.fsum(normal_cdf((row[i] + middle) / spread) for row in means)
            low, high = (low, middle) if reached > rate * len(means) else (middle, high)
        result.append(low)
    return result


def _variance(model: Model, i: int) -> float:
    """Return the variance of one latent emotion among the writers of one situation."""
    emotion, appraisal = model.world["emotion"], model.world["appraisal"]
    weights = [emotion["appraisal_scale"] * weight for weight in model.weights[i]]
    by_trait = [
        math.fsum(w * effect for w, effect in zip(weights, effects, strict=True))
        for effects in model.trait_effects
    ]
    by_group = [
        math.fsum(DIRECTION[d] * weights[d] for d in range(len(weights)) if GROUP_OF[d] == group)
        for group in range(len(GROUP_NAMES))
    ]
    return math.fsum(
        [
            *(effect**2 for effect in by_trait),
            *((appraisal["group_noise"] * effect) ** 2 for effect in by_group),
            *((appraisal["own_noise"] * weight) ** 2 for weight in weights),
            emotion["openness_to_labels"] ** 2,
            emotion["own_feeling"] ** 2,
        ]
    )
