"""Chapter 3 says what its intervals decide: higher, lower and "can't tell" have words each."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from chapter_cells import said

from carebook import figures
from carebook.results import (
    count_phrase,
    estimate,
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
from carebook.vocabulary import DIMENSIONS

CHAPTER = "03_perspectives"
SYNTHETIC = SimpleNamespace(
    source=SimpleNamespace(label="practice corpus (synthetic)", synthetic=True), accepted=()
)
REAL = SimpleNamespace(source=SimpleNamespace(label="CAREBench", synthetic=False), accepted=())
WORDS = {
    "count_phrase": count_phrase,
    "estimate": estimate,
    "list_phrase": list_phrase,
    "number": number,
    "percent": percent,
    "quoted": quoted,
    "result": result,
    "source_note": source_note,
    "source_tag": source_tag,
    "verdict": verdict,
    "wording": wording,
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
        ("from the means", "one shift that all observers have in common"),
        ("from the spreads", "how strongly observers tell stories apart"),
        ("from the order", "*which* story is high on what"),
    ],
)
def test_the_largest_part_of_the_error_is_read(largest, words):
    three = ["from the means", "from the spreads", "from the order"]
    parts = pd.DataFrame(0.1, index=["control.general"], columns=three)
    parts[largest] = 0.8
    text = read("parts-result", three=three, parts=parts)
    assert words in text
    together = "20%" if largest == "from the order" else "90%"
    assert f"The first two are {together} together" in text


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
        (ACROSS, "of anybody, however good the first number looked"),
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
        (ACROSS, "are equally far off"),
    ],
)
def test_reading_against_the_typical_answer(side, words):
    reading = rows(read=(0.9, 0.8, 1.0), unread=(1.2, 1.1, 1.3), gain=side)
    assert words in read("unread-result", reading=reading)


@pytest.mark.parametrize(
    ("side", "words"),
    [
        (ABOVE, "observers tick more emotions"),
        (BELOW, "observers tick fewer emotions"),
        (ACROSS, "it isn't clear"),
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
        (ACROSS, "off independently of each other"),
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
    ("side", "words"),
    [
        ((0.1, 0.05, 0.15), "But weakly: most of what makes"),
        ((0.5, 0.4, 0.6), "Part of what makes"),
        (BELOW, "unite on the other"),
        (ACROSS, "may have been picked by luck"),
    ],
)
def test_whether_being_divided_comes_back(side, words):
    text = read("halves-result", trait=row(side), apart=pd.DataFrame(index=range(1)))
    assert words in text
    assert "Over 1 story," in text


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (40, "more than chance gives, so there is something in personality"),
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
    assert "nobody could tell the two worlds apart, and yet in the second" in text
    assert "No study of agreement alone" in text


def test_worlds_that_differ_otherwise():
    assert "further from each other in the second world, and in the second they are closer" in (
        world_text(HIGH, LOW, LOW)
    )
    assert "an unlucky seed" in world_text(HIGH, LOW, LOW)
    text = world_text(LOW, SAME, SAME)
    assert "*closer* to each other in the second world, and their distance" in text
    assert "can't tell the worlds apart" in text
