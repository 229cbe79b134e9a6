"""Chapter 3 says what its intervals decide: higher, lower and "can't tell" have words each."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from chapter_cells import said

from carebook import figures
from carebook.quoting import quotable, shown
from carebook.results import (
    count_phrase,
    estimate,
    interval,
    list_phrase,
    number,
    percent,
    quoted,
    result,
    source_note,
    source_tag,
    verdict,
    wording,
)
from carebook.vocabulary import DIMENSIONS, STATEMENTS

CHAPTER = "03_perspectives"
SYNTHETIC = SimpleNamespace(
    source=SimpleNamespace(label="practice corpus (synthetic)", synthetic=True), accepted=()
)
REAL = SimpleNamespace(source=SimpleNamespace(label="CAREBench", synthetic=False), accepted=())
WORDS = {
    "count_phrase": count_phrase,
    "estimate": estimate,
    "interval": interval,
    "list_phrase": list_phrase,
    "number": number,
    "percent": percent,
    "quotable": quotable,
    "quoted": quoted,
    "result": result,
    "shown": shown,
    "source_note": source_note,
    "source_tag": source_tag,
    "verdict": verdict,
    "wording": wording,
    "STATEMENTS": STATEMENTS,
    "figures": figures,
    "np": np,
    "pd": pd,
    "care": SYNTHETIC,
}
ABOVE, BELOW, ACROSS = (0.3, 0.2, 0.4), (-0.3, -0.4, -0.2), (0.0, -0.1, 0.1)


def read(*cells, **names):
    return said(CHAPTER, *cells, **(WORDS | names))


def rows(**sides):
    """A table of intervals: name -> (estimate, low, high)."""
    return pd.DataFrame.from_dict(sides, orient="index", columns=["estimate", "low", "high"])


def row(side):
    return pd.Series(side, index=["estimate", "low", "high"])


@pytest.mark.parametrize(
    ("side", "words"),
    [
        (ABOVE, "the rest is what reading adds"),
        (BELOW, "made equal answers *rarer* than dealing"),
        (ACROSS, "no more often, as far as one can tell"),
    ],
)
def test_equal_answers_beside_dealt_ones(side, words):
    matches = rows(difference=side, **{"as read": (0.5, 0.4, 0.6), "dealt": (0.2, 0.1, 0.3)})
    text = read("deal-result", matches=matches)
    assert words in text
    assert "the same answer in 50% of the readings" in text


def gap_text(shift):
    gaps = pd.DataFrame({name: [0.5, -0.5] for name in shift.index})
    return read("gap-words", "gap-result", shift=shift, gaps=gaps)


def test_gaps_on_both_sides_are_named():
    sides = {name: ACROSS for name in DIMENSIONS}
    sides |= {name: ABOVE for name in DIMENSIONS[:4]} | {DIMENSIONS[5]: BELOW}
    text = gap_text(rows(**sides))
    assert "4 statements higher than the writers do (relevance: general" in text
    assert "1 statement lower than the writers do (relevance: identity motives)" in text
    assert "for 17 statements we can't tell" in text
    assert "more than luck is likely to bring" in text
    assert "0.50 points apart on average" in text


def test_few_gaps_may_be_luck():
    sides = {name: ACROSS for name in DIMENSIONS} | {DIMENSIONS[0]: ABOVE}
    text = gap_text(rows(**sides))
    assert "Luck alone may bring that many" in text
    assert "no statements lower than the writers do;" in text


@pytest.mark.parametrize(
    ("largest", "words"),
    [
        ("from the means", "A correction by a constant would remove it"),
        ("from the spreads", "how strongly observers tell stories apart"),
        ("from the order", "*which* story is high on what"),
    ],
)
def test_the_largest_part_of_the_error_is_read(largest, words):
    three = ["from the means", "from the spreads", "from the order"]
    parts = pd.DataFrame(0.1, index=["control.general"], columns=three)
    parts[largest] = 0.8
    text = read("parts-result", three=three, parts=parts.assign(least=0.4))
    assert words in text
    assert "Most of the distance, then, " in text
    assert f"80% {largest}" in text or f"80% of the squared error comes {largest}" in text
    assert "would take off 60% of the error, and nobody would have understood" in text


def test_a_part_below_half_is_the_largest_and_not_most():
    three = ["from the means", "from the spreads", "from the order"]
    parts = pd.DataFrame([[0.3, 0.3, 0.4]], index=["control.general"], columns=three)
    text = read("parts-result", three=three, parts=parts.assign(least=0.2))
    assert "The largest part of the distance, then, is about *which* story" in text


def test_the_least_error_is_what_the_best_repair_leaves():
    own = pd.DataFrame({"control.general": [1, 2, 3, 4], "control.select": [1, 5, 1, 5]})
    observed = pd.DataFrame({"control.general": [2, 4, 6, 8], "control.select": [1, 1, 5, 5]})
    three = ["from the means", "from the spreads", "from the order"]
    dimensions = pd.DataFrame(
        [(name, part, 1.0) for name in own for part in three],
        columns=["dimension", "statistic", "estimate"],
    )
    pairs = SimpleNamespace(own=own, observed=observed)
    names = {"dimensions": dimensions, "pairs": pairs}
    # Halving repairs the first altogether; for the second (r = 0), the mean is the best answer and
    # leaves its variance, 4. The parts made up here sum to 6.
    assert "would take off 33% of the error" in read("parts-code", "parts-result", **names)


def profile_rows(difference, distinctive=ABOVE):
    return rows(
        similarity=(0.7, 0.6, 0.8),
        strangers=(0.2, 0.1, 0.3),
        difference=difference,
        distinctive=distinctive,
    )


@pytest.mark.parametrize(
    ("side", "words"),
    [
        (ABOVE, "it is larger than what they have in common with a stranger"),
        ((0.1, 0.05, 0.15), "it is smaller than what they have in common with a stranger"),
        (BELOW, "the linking should be checked"),
        (ACROSS, "anything from the story they read, however good the first number looked"),
    ],
)
def test_agreement_beyond_strangers(side, words):
    text = read("strangers-result", profiles=profile_rows(side))
    assert words in text
    assert "correlate at 0.70 on average; with strangers, at 0.20" in text


@pytest.mark.parametrize(
    ("side", "words"),
    [
        (ABOVE, "Something is left"),
        (BELOW, "a scale that was turned round"),
        (ACROSS, "agreement about people in general"),
    ],
)
def test_what_is_left_without_the_typical(side, words):
    assert words in read("distinctive-result", rest=row(side))


@pytest.mark.parametrize(
    ("side", "words"),
    [
        (ABOVE, "Reading pays."),
        (BELOW, "The reader loses."),
        (ACROSS, "can't be told apart"),
    ],
)
def test_reading_against_the_typical_answer(side, words):
    reading = rows(read=(0.9, 0.8, 1.0), unread=(1.2, 1.1, 1.3), gain=side)
    assert words in read("unread-result", reading=reading)


@pytest.mark.parametrize(
    ("side", "words"),
    [
        (ABOVE, "observers tick more emotions than writers, by 0.30 (95% interval"),
        (BELOW, "observers tick fewer emotions than writers; the difference is −0.30 (95%"),
        (ACROSS, "or fewer: the difference is 0.00 (95% interval −0.10 to 0.10) a reading."),
    ],
)
def test_ticks_more_or_fewer(side, words):
    missed = rows(**{"Glad, happy": (0.4, 0.3, 0.5), "Sad, low": (0.8, 0.7, 0.95)})
    missed["out_of"], missed["stranger"] = [10, 1], [0.7, 0.9]
    missed.loc["Never ticked"] = [np.nan, np.nan, np.nan, 0, 1.0]
    text = read("label-words", "label-result", missed=missed, balance=row(side))
    assert words in text
    assert "“Sad, low”: 80% of 1 reading in which" in text
    assert "Of 2 emotions, 1 are missed less often" in text
    assert "none more often; for 1 we can't tell." in text


def agreement_text(alphas, design="crossed"):
    habits = pd.DataFrame(
        {"design": design, "var_target": 0.5, "var_rater": 0.1, "var_residual": 0.4},
        index=alphas.index,
    )
    if design == "one-way":
        habits["var_rater"] = np.nan
    return read("alpha-words", "alpha-result", alphas=alphas, habits=habits)


def test_alpha_where_all_intervals_leave_zero_out():
    alphas = rows(**{"control.general": (0.6, 0.5, 0.7), "control.select": (0.2, 0.1, 0.3)})
    text = agreement_text(alphas.rename(columns={"estimate": "alpha"}))
    assert "from *control: select*, 0.20" in text
    assert "each statement shows some agreement" in text
    assert "50% lies between stories, 10% between readers" in text


def test_alpha_that_may_be_zero_and_readers_who_never_come_back():
    alphas = rows(**{"control.general": (0.6, 0.5, 0.7), "control.select": (0.0, -0.1, 0.1)})
    text = agreement_text(alphas.rename(columns={"estimate": "alpha"}), design="one-way")
    assert "For 1 statement, the interval doesn't leave zero out" in text
    assert "No reader came back in these data" in text


def test_which_statements_show_and_which_mislead():
    together = rows(
        **{
            "control.general": (0.8, 0.7, 0.9),
            "control.select": (0.5, 0.4, 0.6),
            "control.vicarious": (0.1, 0.0, 0.2),
        }
    )
    together = together.rename(columns={"estimate": "with_writer"})
    together["among"] = [0.64, 0.81, 0.04]
    text = read("shows-words", "shows-result", together=together)
    assert "on *control: general* (0.80), *control: select* (0.50)" in text
    assert "On 1 statement the interval doesn't leave zero out" in text
    assert (
        "*control: select*: with readers who agree as these do, the correlation could be 0.90"
        in (text)
    )
    text = read("shows-words", "shows-result", together=together.head(2))
    assert "something comes through everywhere" in text


@pytest.mark.parametrize(
    ("side", "words"),
    [
        (ABOVE, "off *in the same direction*"),
        (BELOW, "Independent readers don't do that"),
        (ACROSS, "stays open"),
    ],
)
def test_what_two_observers_share(side, words):
    distances = rows(shared=side, to_writer=(0.9, 0.8, 1.0))
    assert words in read("shared-result", distances=distances)


def test_a_panel_near_its_floor_and_one_far_from_it():
    curve = pd.DataFrame({"rmse": [0.30, 0.22], "shared": 0.04}, index=[1, 5])
    assert "asking more people can't help" in read("curve-result", curve=curve)
    text = read("curve-result", curve=curve.assign(shared=-0.001))
    assert "more people would still help" in text
    assert "The floor lies at 0.00" in text


@pytest.mark.parametrize(
    ("trait", "words"),
    [
        (0.2, "But weakly: most of what makes"),
        (0.5, "Part of what makes"),
        (-0.2, "*less* than dealing gives"),
        (0.1, "may have been picked by luck"),
        (float("nan"), "may have been picked by luck"),
    ],
)
def test_whether_being_divided_comes_back(trait, words):
    dealt = [0.0, 0.05, 0.1, 0.15] * 100
    text = read("halves-result", trait=trait, dealt=dealt, apart=pd.DataFrame(index=range(1)))
    assert words in text
    assert "Over 1 story," in text
    assert "at 0.075 on average, and from 0.000 to 0.150 in 95% of the deals" in text


def panels(*, strays, divides):
    """Answers of five readers to each of 200 stories: some readings stray, some stories divide."""
    draw = np.random.default_rng(1)
    size = np.ones((200, 5, 1))
    size[draw.random((200, 5)) < 0.1] = 3 if strays else 1
    size[::2] *= 2 if divides else 1
    answers = (size * draw.normal(size=(200, 5, 22))).reshape(1000, 22)
    return pd.DataFrame(answers), pd.Series(np.repeat(np.arange(200), 5))


@pytest.mark.parametrize(("strays", "divides"), [(True, False), (False, True)])
def test_a_reader_who_strays_is_not_taken_for_a_story_that_divides(strays, divides):
    observed, story = panels(strays=strays, divides=divides)
    names = {"pairs": SimpleNamespace(observed=observed), "story": story}
    text = read("halves-code", "halves-result", **names, apart=pd.DataFrame(index=range(200)))
    assert ("some stories divide" in text) == divides


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (40, "more than chance gives, so there seems to be something in personality"),
        (5, "That is what chance gives"),
        (0, "*fewer* than chance gives"),
    ],
)
def test_discoveries_beside_chance(found, words):
    deals = np.array([4, 5, 6, 7, 8] * 200)
    text = read(
        "people-words",
        "people-result",
        families={"personality": (found, deals, 110), "demographics": (5, deals, 110)},
        correlations=lambda values, answers: np.array([[-0.2]]),
        demographics=pd.DataFrame({"student_status": [1.0]}),
        leaning=pd.DataFrame({"control.general": [0.0]}),
    )
    assert words in text
    assert "6.0 on average, and 4 to 8 in 95% of" in text
    assert "correlation of −0.20: *student status* with the gap on *control: general*" in text


def test_a_reason_is_refuted_only_where_the_truth_is_known():
    assert "drew their demographics apart" in read("people-truth")
    assert "find one for the opposite sign" in read("people-truth", care=REAL)


WORLD = ["between", "to_writer", "shared"]


def world_text(*second):
    first = pd.DataFrame([(1.0, 0.9, 1.1)] * 3, index=WORLD, columns=["estimate", "low", "high"])
    other = pd.DataFrame(second, index=WORLD, columns=["estimate", "low", "high"])
    compared = {"default": first, "shared_bias": other}
    return read("world-result", "world-said", compared=compared)


HIGH, LOW, SAME = (2.0, 1.8, 2.2), (0.5, 0.4, 0.6), (1.05, 0.95, 1.15)


def test_worlds_that_agreement_alone_cannot_tell_apart():
    text = world_text(SAME, HIGH, HIGH)
    assert "isn't shown to differ between the worlds (by 0.05 (95% interval −0.09 to 0.19)" in text
    assert "and yet in the second they are further from the writer (by 1.00" in text
    assert "No study of agreement alone" in text


def test_worlds_that_differ_otherwise():
    text = world_text(HIGH, LOW, LOW)
    assert "further from each other in the second world (by 1.00" in text
    assert "and in the second they are closer to the writer (by −0.50" in text
    assert "an unlucky seed" in world_text(HIGH, LOW, LOW)
    text = world_text(LOW, SAME, SAME)
    assert "*closer* to each other in the second world (by −0.50" in text
    assert "neither is their distance from the writer shown to be another" in text
    assert "the analysis doesn't tell the worlds apart" in text


# --- two stories, and what may be shown of them -------------------------------------------------

STORY = "the tide came in over the path"
WORDS_OF = {"a/0": "the writer's own words", "a/1": "what one reader wrote"}


def told(synthetic, quotable=()):
    """A data set of two stories, of which one is looked at."""
    source = SimpleNamespace(label="made up", synthetic=synthetic, quotable=frozenset(quotable))
    return SimpleNamespace(
        source=source,
        accepted=(),
        narratives=pd.DataFrame({"narrative": STORY}, ["a", "b"]),
        reasoning=pd.DataFrame({"control": WORDS_OF}),
    )


def shared_text(answers, care):
    own = pd.Series(5, index=["control.general"])
    observed = pd.DataFrame({"control.general": answers}, ["a/1", "a/2"])
    names = dict(
        care=care,
        panel=SimpleNamespace(
            observed=pd.DataFrame({"control.general": [observed.mean().iloc[0], 4.0]}, ["a", "b"]),
            own=pd.DataFrame({"control.general": [5, 5]}, ["a", "b"]),
        ),
        shared_story="a",
        views_of=lambda sample: (own, observed),
    )
    cells = ["shared-story-code", "shared-story-result", "shared-story-words"]
    return read(*cells[:2], **names) + read(*cells, "shared-story-quotes", **names)


def test_readers_of_one_mind_may_be_near_their_writer_or_far_from_them():
    far = shared_text([2, 3], told(synthetic=True))
    assert "is 2.50 points from the writer, averaged over all" in far
    assert "in all stories it is 1.75" in far
    assert "doesn't bring readers closer" in far
    assert "The readers answered 2 and 3, the writer 5." in far
    assert "> what one reader wrote" in far and "own words" in far
    assert "goes with being closer to the writer" in shared_text([5, 4], told(synthetic=True))


@pytest.mark.parametrize("quotable", [[], ["a"]])
def test_the_words_of_real_readers_are_veiled_even_where_the_story_may_be_quoted(quotable):
    text = shared_text([2, 3], told(synthetic=False, quotable=quotable))
    assert "reader wrote" not in text and "own words" not in text
    assert "4 words of a real record" in text and "aren't shown here" in text


def stories_text(care):
    names = {"care": care, "shared_story": "a", "split_story": "b"}
    names |= dict.fromkeys(["choice", "divided"], pd.Series(1.0, ["a", "b"]))
    return read("two-stories", **names), read("two-guess", **names)


def test_two_real_stories_are_veiled_and_the_question_follows():
    texts, question = stories_text(told(synthetic=True))
    assert STORY in texts and "decide for the second story" in question
    texts, question = stories_text(told(synthetic=False))
    assert STORY not in texts and "7 words of a real record" in texts
    assert "guess the other way round" in question


@pytest.mark.parametrize(
    ("quotable", "chosen"),
    [([], ("a", "d")), (["b"], ("a", "d")), (["b", "c"], ("b", "c"))],
)
def test_where_stories_may_be_quoted_they_are_chosen(quotable, chosen):
    samples = list("aabbccdd")
    observed = pd.DataFrame({"control.general": [1, 1, 1, 2, 1, 3, 1, 5]})
    care = told(synthetic=False, quotable=quotable)
    lengths = dict(a="one", b="one two", c="one two three", d="one two three four")
    care.narratives = pd.DataFrame({"narrative": lengths})
    text = read(
        "two-code",
        "two-stories",
        pairs=SimpleNamespace(observed=observed),
        story=pd.Series(samples),
        care=care,
    )
    assert text.count("of those that may be quoted") == (2 if len(quotable) > 1 else 0)
    alike, furthest = text.split("furthest apart")
    for part, sample in zip((alike, furthest), chosen, strict=True):
        words = lengths[sample]
        hidden = f"\\[{len(words.split())} word"
        assert (f"> {words} " if sample in quotable else hidden) in part


# --- solutions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "words"),
    [
        (ABOVE, "readers would feel more in control there"),
        (BELOW, "writers feel less in control than writers say they do"),
        (ACROSS, "the mean gap may lie anywhere from −0.10 to 0.10"),
    ],
)
def test_the_solution_writes_the_sentence_that_the_data_allow(side, words):
    assert words in read("solution-headline-words", shift=rows(**{"control.general": side}))


@pytest.mark.parametrize(
    ("side", "words"),
    [
        (ABOVE, "does stand apart from those who only read"),
        (BELOW, "the writer stands in the middle"),
        (ACROSS, "isn't shown to be further from the readers"),
    ],
)
def test_the_solution_on_the_sixth_reader_says_what_was_found(side, words):
    assert words in read("solution-sixth-words", away=rows(difference=side))
