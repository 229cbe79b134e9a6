"""Chapter 2 has a sentence of its own for each way in which its data can turn out."""

import io
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from chapter_cells import run, said

from carebook.results import (
    count_phrase,
    estimate,
    list_phrase,
    number,
    percent,
    result,
    source_tag,
    verdict,
    wording,
)

CHAPTER = "02_loading_and_linking"
NAMED = SimpleNamespace(label="a corpus", synthetic=False)
#: What earlier cells have imported.
WORDS = {
    "np": np,
    "pd": pd,
    "count_phrase": count_phrase,
    "estimate": estimate,
    "list_phrase": list_phrase,
    "number": number,
    "percent": percent,
    "result": result,
    "source_tag": source_tag,
    "verdict": verdict,
    "wording": wording,
    "source": NAMED,
    "imbue_source": NAMED,
}


def text(*cells, **names):
    return said(CHAPTER, *cells, **WORDS | names)


# --- mistakes that raise no error -----------------------------------------------------------------


def test_names_that_a_program_would_change_are_counted():
    assert "25% of the records would come out under another name" in text(
        "zeros-result", changed=0.25
    )
    assert "That is luck" in text("zeros-result", changed=0.0)


def test_people_who_chose_nothing_are_missed_in_the_denominator():
    ticks = pd.DataFrame({"id": ["a", "a", "a", "b"]})
    lost = text("vanish-result", ticks=ticks, chosen=["a", "b", "c", "d"])
    assert "50% of the annotations" in lost
    assert "report 2.00 groups each; over all annotations it is 1.00" in lost
    assert "nobody is lost" in text("vanish-result", ticks=ticks, chosen=["a", "b"])


@pytest.mark.parametrize(
    ("right", "read", "words"),
    [
        ([2.0, 4.0], [np.nan, 4.0], "50% of the answers"),
        ([2.0, 4.0], [np.nan, 4.0], "moved upwards by 1.00"),
        ([2.0, 1.0], [np.nan, 1.0], "moved downwards by 0.50"),
        ([5.0, 4.0], [5.0, 4.0], "nobody gave the answer in which they differ"),
    ],
)
def test_an_unknown_answer_moves_the_mean(right, read, words):
    skipped, scored = pd.DataFrame({"i": read}), pd.DataFrame({"i": right})
    assert words in text("skip-result", skipped=skipped, scored=scored, item="i")


@pytest.mark.parametrize(("answer", "direction"), [(5.0, "upwards"), (1.0, "downwards")])
def test_the_attention_check_pulls_the_mean_its_own_way(answer, direction):
    ratings = pd.DataFrame({"a": [3.0, 3.0], "b": [2.0, 4.0]})
    check = pd.Series([answer, answer])
    both = ratings.assign(check=check).mean(axis=1)
    told = text("stowaway-result", ratings=ratings, check=check, with_check=both)
    assert f"mean rating {direction} by 0.67 points" in told
    assert f"answered {answer:.2f} on average and the ratings 3.00" in told
    assert "100% of the annotations give the same answer" in told


# --- where the stored score comes from ------------------------------------------------------------


def test_a_rule_is_under_suspicion_if_it_can_give_every_stored_value():
    possible = {"sum": {2, 3, 4}, "half": {1, 1.5, 2}}
    assert "leave half under suspicion" in text("alibi-result", values=[1.5, 2], possible=possible)
    assert "leave sum and half under" in text("alibi-result", values=[2], possible=possible)
    assert "rule out all five" in text("alibi-result", values=[7], possible=possible)


@pytest.mark.parametrize(
    ("hits", "words"),
    [
        ({"sum": 0.2, "half": 1.0}, "one rule fits every extraversion score: *half*"),
        ({"sum": 1.0, "half": 1.0}, "sum and half fit every extraversion score"),
        ({"sum": 0.2, "half": 0.9}, "no rule fits everybody; the best, *half*, fits 90%"),
    ],
)
def test_a_rule_has_to_fit_person_by_person(hits, words):
    assert words in text("bfi-result", hits=hits, best=max(hits, key=hits.get))


@pytest.mark.parametrize(
    ("stored", "able"),
    [
        ([2, 10], "plain sum and Disagree as 0"),
        ([1.25, 8.75], "stretched sum"),
        ([0, 10], "stretched sum and Disagree as 0"),
        ([0, 8], "coded 0 to 4 and Disagree as 0"),
        ([1, 9], "5 minus answer and Disagree as 0"),
    ],
)
def test_each_rule_leaves_the_traces_that_it_is_suspected_of(stored, able):
    assert f"leave {able} under suspicion" in text("rules", "alibi-result", values=stored)


# --- linking --------------------------------------------------------------------------------------


def left_merge(gap, read):
    ends = dict(zip(("estimate", "low", "high"), gap, strict=True))
    return text(
        *("link-wrong-result", "link-wrong-said"),
        gap=ends,
        read=np.array(read),
        own=[0] * len(read),
        seen=[0] * 5,
        wrong=[0] * 6,
    )


@pytest.mark.parametrize(
    ("gap", "words"),
    [
        ((0.3, 0.1, 0.5), "are the darker ones: their writers felt worse by 0.30"),
        ((-0.3, -0.5, -0.1), "are the lighter ones: their writers' ratings differ by −0.30"),
        ((0.0, -0.2, 0.2), "That is the more dangerous case"),
    ],
)
def test_a_left_merge_is_a_result_or_a_false_precision(gap, words):
    told = left_merge(gap, [True, False])
    assert words in told
    assert "2 stories and 5 observer records, and got 6 rows, with 1 row for stories" in told


def test_where_every_story_was_observed_no_row_is_padded():
    told = left_merge((np.nan, np.nan, np.nan), [True])
    assert "1 story and" in told and "with no rows for stories" in told
    assert "Every story was observed" in told and "no value" not in told


@pytest.mark.parametrize(("read", "known"), [([0, 1, 1], True), ([1, 1, 1], False)])
def test_the_difference_of_observed_stories_needs_stories_of_both_kinds(read, known):
    own = pd.DataFrame({"sample_id": ["1", "2", "3"], "participant_id": ["a", "b", "c"]})
    own["negative_level"] = [1.0, 3.0, 5.0]
    seen = own[np.array(read, dtype=bool)]
    names = {"own": own, "seen": seen} | WORDS
    run(CHAPTER, "link-gap", **names)
    got = run(CHAPTER, "link-gap", "link-wrong-result", "link-wrong-said", wrong=own, **names)
    assert ("3.00 (95%" in str(got)) is known


# --- the audit, and who recurs --------------------------------------------------------------------


def audited(*rows):
    report = pd.DataFrame(rows, columns=["part", "question", "as it should"])
    return text("audit-result", report=report)


def test_the_audit_tells_size_and_content_apart():
    good = audited(("scope", "stories", True), ("values", "labels", True))
    assert good.startswith("Inside the records, every question is answered as it should be")
    small = audited(("scope", "stories", False), ("values", "labels", True))
    assert "not of the documented size (stories)" in small and "every question" in small
    odd = audited(("scope", "stories", True), ("values", "labels", False))
    assert "something departs: labels" in odd and "documented size" not in odd


def recurring(told, made):
    index = [("experiencer", name) for name in told] + [("observer", name) for name in made]
    counts = pd.Series([*told.values(), *made.values()], index=pd.MultiIndex.from_tuples(index))
    return text("recur-result", per_person=counts)


def test_recurring_people_are_counted():
    text = recurring({"a": 2, "b": 1}, {"b": 3})
    assert "written by 2 people and observed by 1 person; 1 person did both" in text
    assert "50% of the writers told more than one story" in text and "3 readings" in text
    assert "the number of records is not the number of people" in text


def test_where_nobody_recurs_it_says_so():
    text = recurring({"a": 1, "b": 1}, {"c": 1})
    assert "nobody did both" in text and "every writer told exactly one story" in text
    assert "a person of its own" in text and "made 1 reading. Each" in text


def test_who_only_comes_back_in_the_other_role_is_one_person_all_the_same():
    text = recurring({"a": 1, "b": 1}, {"b": 1})
    assert "1 person did both" in text and "a person of its own" not in text


@pytest.mark.parametrize(
    ("spread", "words"),
    [
        (0.3, "0.300, is larger than that"),
        (0.05, "0.050, is *smaller* than that"),
        (0.15, "0.150, lies within that range"),
    ],
)
def test_observers_resemble_themselves_more_or_less_than_luck_would_have_it(spread, words):
    means = pd.Series([-1.0, 0.0, 1.0]) * spread
    assert words in text("unit-luck-result", drawn={"observers": means}, low=0.1, high=0.2)


def test_the_honest_interval_is_compared_with_the_one_of_single_records():
    rows = pd.DataFrame({"low": [0.0, 0.0], "high": [1.0, 2.0]}, ["records", "all that recurs"])
    told = text("unit-result", intervals=rows)
    assert "2.0 times as wide" in told and "4.0 times as many stories and readers" in told
    rows.loc["all that recurs", "high"] = 1.05
    assert "hardly wider" in text("unit-result", intervals=rows)


# --- IMBUE ----------------------------------------------------------------------------------------


def careless(spelling):
    """What the section says of a sheet whose experts wrote "not used" in this way."""
    sheet = pd.DataFrame({"label_describe": ["strong", spelling, "weak", spelling]})
    return text("none-all", "none-result", sheet=sheet, marks=list(sheet), io=io)


def test_an_answer_that_reads_as_missing_leaves_the_denominator():
    assert "In this file 2 answers would be lost" in careless("None")
    safe = careless("none")
    assert "spelling happens to be safe" in safe and "2 answers would be lost" in safe
    assert "would then be 50% instead of 25%" in safe
    assert "a way of its own" in careless("absent") and "%" not in careless("absent")


def test_shared_messages_are_needed_to_speak_of_agreement():
    sheet = pd.DataFrame({"conversation_id": ["1", "1"]})
    told = text("imbue-result", sheet=sheet, experts=pd.Series([2]))
    assert "2 rows about 1 message from 1 conversation." in told
    assert "More than one expert judged 1 message" in told
    alone = text("imbue-result", sheet=sheet, experts=pd.Series([1, 1]))
    assert "No message was judged by more than one expert" in alone


# --- what may be shown ----------------------------------------------------------------------------


def test_the_field_that_leaves_half_of_the_people_alone_is_found():
    told = text("alone-result", alone=pd.Series({"age": 0.1, "sex": 0.6, "home": 0.9}))
    assert "With 2 fields at least half" in told and "with all 3 it is 90%" in told
    assert "singles out the few" in text("alone-result", alone=pd.Series({"age": 0.1}))
