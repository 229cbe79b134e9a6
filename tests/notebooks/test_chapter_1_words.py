"""Chapter 1 has a sentence of its own for each way in which its data can turn out."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from chapter_cells import run, said

from carebook import figures
from carebook.quoting import shown
from carebook.results import (
    count_phrase,
    estimate,
    list_phrase,
    result,
    source_note,
    source_tag,
    verdict,
    wording,
)

CHAPTER = "01_appraisal_theory"
HIGHER, LOWER, UNCLEAR = (0.3, 0.2, 0.4), (-0.3, -0.4, -0.2), (0.01, -0.1, 0.1)
ANGRY, WORRIED = "Angry, frustrated, annoyed", "Worried, nervous, fearful"
SURPRISED, SYMPATHY = "Confused, disoriented, surprised", "Sympathy, concern, compassion"
#: What earlier cells have imported.
WORDS = {
    "pd": pd,
    "np": np,
    "figures": figures,
    "estimate": estimate,
    "list_phrase": list_phrase,
    "result": result,
    "source_note": source_note,
    "source_tag": source_tag,
    "count_phrase": count_phrase,
    "verdict": verdict,
    "wording": wording,
}


def data(synthetic=False):
    source = SimpleNamespace(label="a corpus", synthetic=synthetic)
    return SimpleNamespace(source=source, accepted=())


def intervals(**rows):
    return pd.DataFrame(rows, index=["estimate", "low", "high"]).T


# --- statements that run against their group ------------------------------------------------------


def items(novelty=LOWER, prediction=LOWER, effort=HIGHER, fairness=HIGHER):
    rows = {
        "certainty.novelty": novelty,
        "congruence.negative prediction error": prediction,
        "control.effortful": effort,
        "accountability.fairness": fairness,
    }
    return said(
        CHAPTER,
        *("items-result", "items-words", "items-said"),
        item_rest=intervals(**rows),
        RUNS_AGAINST_GROUP=("certainty.novelty", "congruence.negative prediction error"),
        care=data(),
        figures=figures,
    )


def test_answers_that_bear_the_wording_out_are_named():
    text = items()
    assert "bear the wording out: *certainty: novelty*, −0.30" in text
    assert "and *congruence: negative prediction error*, −0.30" in text


@pytest.mark.parametrize("found", [HIGHER, UNCLEAR])
def test_a_statement_whose_answers_do_not_run_against_its_group_is_not_called_so(found):
    text = items(novelty=found)
    assert "don't show it for *certainty: novelty*" in text and "bear the wording out" not in text


@pytest.mark.parametrize(
    ("found", "effort", "fairness"),
    [
        (HIGHER, "feels able to do something", "Fairness goes with the rest"),
        (LOWER, "a burden more than a power", "Fairness runs against the rest"),
        (UNCLEAR, "Which way effort goes, the answers don't tell", "whether it was right another"),
    ],
)
def test_effort_and_fairness_go_where_their_intervals_lie(found, effort, fairness):
    text = items(effort=found, fairness=found)
    assert effort in text and fairness in text


# --- the one story told ---------------------------------------------------------------------------


def story(synthetic=True, quotable=()):
    """What stands above the reasoning texts for one story of six words."""
    source = SimpleNamespace(label="a corpus", synthetic=synthetic, quotable=quotable)
    narratives = pd.DataFrame({"narrative": ["I stood there and said nothing."]}, ["0001"])
    care = SimpleNamespace(narratives=narratives, source=source)
    return said(CHAPTER, "story", care=care, sample="0001", **WORDS, shown=shown)


def test_an_invented_story_is_told():
    assert "> I stood there and said nothing" in story()
    assert "real person" not in story() and "Content note" not in story()


def test_a_real_story_is_told_if_it_was_confirmed_and_else_the_text_says_why_not():
    assert "> I stood there" in story(synthetic=False, quotable={"0001"})
    veiled = story(synthetic=False)
    assert "I stood there" not in veiled and "6 words of a real record" in veiled
    assert "nobody has confirmed that it may be quoted" in veiled


def test_a_story_that_touches_on_something_hard_is_announced(tmp_path, monkeypatch):
    key = {"narratives": {"0001": {"themes": ["illness"]}}}
    (tmp_path / "truth.json").write_text(json.dumps(key), encoding="utf-8")
    monkeypatch.setenv("CAREBENCH_DATA", str(tmp_path))
    before, _ = story().split("> I stood")
    assert "Content note: this story touches on illness.* To pass it by, go on to" in before


# --- blame and anger ------------------------------------------------------------------------------


def blame(found, synthetic=False):
    names = dict(zip(("r", "low", "high"), found, strict=True))
    angry, care = pd.Series([1.0, 0.0, 1.0]), data(synthetic)
    names |= WORDS | {"care": care, "angry": angry, "own": angry, "stories_of": [[0, 1], [2]]}
    return said(CHAPTER, "pair-result", "pair-said", **names)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (HIGHER, "agree more that somebody else is responsible, as the theory says"),
        (LOWER, "against the theory: writers who chose the anger group agree *less*"),
        (UNCLEAR, "That is not evidence that they don't"),
    ],
)
def test_blame_goes_with_anger_as_the_interval_says(found, words):
    text = blame(found)
    assert words in text and "In 2 of 3 stories by 2 writers" in text


def test_invented_writers_are_never_passed_off_as_other_people():
    assert "made up another set of them" in blame(HIGHER, synthetic=True)
    assert "invented" not in blame(HIGHER, synthetic=False)


# --- theory beside data ---------------------------------------------------------------------------


def links(overall, ends=((0.1, 0.2), (-0.2, -0.1), (-0.1, 0.1)), synthetic=False):
    table = pd.DataFrame(ends, columns=["low", "high"]).assign(sign="+")
    return said(
        CHAPTER,
        *("stated-result", "stated-circle", "stated-said"),
        **WORDS | {"care": data(synthetic), "links": table},
        stated_mean=pd.Series(dict(zip(("estimate", "low", "high"), overall, strict=True))),
    )


@pytest.mark.parametrize(
    ("overall", "words"),
    [
        (HIGHER, "the links point where the theories say"),
        (LOWER, "a reason to check whether a scale was read upside down"),
        (UNCLEAR, "don't show that knowing the theories helps"),
    ],
)
def test_stated_links_are_counted_and_summed_up_by_the_side_of_their_mean(overall, words):
    text = links(overall)
    assert "Of 3 stated signs, the interval lies on the stated side for 1" in text
    assert "on the other side for 1, and holds zero for 1" in text
    assert words in text and "program" not in text


@pytest.mark.parametrize(
    ("overall", "words"),
    [
        (HIGHER, "we only get back what was put in. And yet not all of them came out"),
        (LOWER, "That is strange"),
        (UNCLEAR, "drown them"),
    ],
)
def test_of_synthetic_records_it_is_said_that_the_signs_were_put_in(overall, words):
    assert words in links(overall, synthetic=True)


def test_where_all_signs_come_out_nothing_is_wondered_at():
    assert "And yet" not in links(HIGHER, ends=((0.1, 0.2), (0.1, 0.3)), synthetic=True)


# --- the one story --------------------------------------------------------------------------------


def back(chosen, answers):
    """The paragraph for a writer who chose some groups and gave these answers to two statements."""
    theory = pd.DataFrame(
        [
            (ANGRY, "accountability.other", "+"),
            (ANGRY, "congruence.general", "-"),
            (WORRIED, "congruence.general", "-"),
            (WORRIED, "accountability.other", "-"),
        ],
        columns=["emotion", "appraisal", "sign"],
    )
    ratings = pd.DataFrame([answers], columns=["accountability.other", "congruence.general"])
    labels = pd.Series({ANGRY: ANGRY in chosen, WORRIED: WORRIED in chosen})
    care = SimpleNamespace(ratings=ratings, **vars(data()))
    names = WORDS | {"theory": theory, "labels": labels, "care": care, "one": 0}
    cells = ("back-code", "back-names", "back-fit", "back-control")
    return said(CHAPTER, *cells, **names)


def test_a_story_that_goes_another_way_names_each_link_with_its_answer():
    text = back([ANGRY], (1, 1))
    assert "go along with 1 of them, stand in the middle for 0 and go the other way for 1" in text
    assert "“Angry” with *accountability: other* (stated +, answered 1)" in text
    assert "theory that said *always* would be refuted" in text


def test_a_story_that_fits_is_no_proof():
    text = back([ANGRY], (5, 1))
    assert "for 2 of them" not in text and "go along with 2 of them" in text
    assert "looks like a proof and isn't one" in text


def test_an_answer_in_the_middle_goes_neither_way():
    text = back([ANGRY], (3, 1))
    assert "stand in the middle for 1 and go the other way for 0" in text


def test_a_writer_without_a_group_of_which_theory_speaks_is_said_to_be_one():
    text = back([], (5, 1))
    assert "there is nothing to hold the story against" in text and "Now hold" not in text


@pytest.mark.parametrize(
    ("chosen", "answers", "words"),
    [
        ([ANGRY], (1, 1), "2 of 2 stated signs; no worse than with those that were"),
        ([ANGRY], (5, 1), "1 of 2 stated signs; fewer, but a good part"),
        ([ANGRY], (5, 3), "0 of 2 stated signs; so it isn't only that things were bad"),
    ],
)
def test_the_groups_that_were_not_chosen_are_the_comparison(chosen, answers, words):
    assert words in back(chosen, answers)


def test_a_writer_who_chose_all_groups_leaves_none_to_compare_with():
    assert "Now hold" not in back([ANGRY, WORRIED], (5, 1))


# --- compared with what? --------------------------------------------------------------------------


def compared(among, difference, stories=(True, False)):
    rows = {"all stories": LOWER, "unpleasant stories": among, "difference": difference}
    names = WORDS | {"compared": intervals(**rows), "unpleasant": np.array(stories)}
    names["names"] = list(rows)
    return said(CHAPTER, "compared-result", "compared-said", care=data(), **names)


@pytest.mark.parametrize(
    ("found", "there", "moved"),
    [
        (HIGHER, "as the two theories say", "has moved up; the change is 0.30"),
        (LOWER, "against the two theories", "has moved *down*; the change is −0.30"),
        (UNCLEAR, "nothing speaks for the two theories", "at all we can't tell; the change is"),
    ],
)
def test_the_comparison_and_its_change_have_a_verdict_each(found, there, moved):
    assert there in compared(found, UNCLEAR) and moved in compared(UNCLEAR, found)
    assert "the 1 unpleasant story, at" in compared(found, found)


# --- one event, two people ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (HIGHER, "Differences between events can't be the explanation"),
        (LOWER, "No theory of appraisal expects that"),
        (UNCLEAR, "Across stories, events may have done the work"),
    ],
)
def test_two_readers_of_one_story_differ_as_the_interval_says(found, words):
    within = intervals(**{"congruence.general": found, "control.general": UNCLEAR})
    text = said(CHAPTER, "within-result", within=within, apart=[0], care=data(), **WORDS)
    decided = 0 if found == UNCLEAR else 1
    assert words in text and "In 1 pair of observers" in text
    assert f"leave zero out number {decided};" in text


# --- reappraisal ----------------------------------------------------------------------------------


def nearest(reconstrual, repurposing, on_map=ANGRY):
    """The paragraph for moves that end like these groups; the map has them all at one place."""
    profiles = pd.DataFrame({"feels": [ANGRY, SYMPATHY]}, index=["angry reply", "quiet walk"])
    after = {name: {"feels": end, "across": 1.0} for name, end in
             (("reconstrual", reconstrual), ("repurposing", repurposing))}  # fmt: skip
    at = {group: [1.0 if group == on_map else 3.0] for group in (ANGRY, WORRIED, SYMPATHY)}
    places = pd.DataFrame(at, index=pd.MultiIndex.from_tuples([("across", "estimate")])).T
    names = {"before": {"feels": ANGRY}, "after": after, "colleagues": profiles}
    names |= {"places": places, "axes": ["across"]}
    names["likeness"] = lambda profile: pd.Series({profile["feels"]: 0.5})
    return said(CHAPTER, "nearest-result", "nearest-said", care=data(), **WORDS, **names)


def test_a_move_that_ends_where_it_began_was_too_short():
    text = nearest(ANGRY, SYMPATHY)
    assert f"After the reconstrual it is still most like “{ANGRY}” (r = 0.50)" in text
    assert f"most like “{SYMPATHY}” (r = 0.50), one of the positive groups" in text


def test_a_move_may_end_in_another_negative_group():
    assert f"most like “{WORRIED}” (r = 0.50), one of the negative" in nearest(WORRIED, ANGRY)


def test_the_map_may_agree_with_the_whole_profile_or_mislead():
    agrees = "the group to which its arrow leads on the map, too."
    text = nearest(SYMPATHY, WORRIED, on_map=SYMPATHY)
    before, after = text.split("After the repurposing")
    assert agrees in before and agrees not in after
    assert f"although on the map its arrow ends nearest to “{SYMPATHY}”." in after


# --- odd corners ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("surprise", "sympathy", "words"),
    [
        (LOWER, HIGHER, ["used as the negative group", "used as the positive group"]),
        (HIGHER, LOWER, ["on the whole felt positive", "on the whole felt negative"]),
        (UNCLEAR, UNCLEAR, ["these records don't tell on which side it belongs"]),
        ((np.nan,) * 3, UNCLEAR, [f"Nobody chose the group “{SURPRISED}”."]),
    ],
)
def test_surprise_and_sympathy_stand_on_the_side_on_which_they_are_used(surprise, sympathy, words):
    feeling = intervals(**{SURPRISED: surprise, SYMPATHY: sympathy})
    text = said(CHAPTER, "corners-result", feeling=feeling, care=data(), **WORDS)
    assert all(each in text for each in words)


# --- the worlds -----------------------------------------------------------------------------------


def test_three_worlds_with_different_causes_give_one_correlation():
    found = run(CHAPTER, "directions", np=np)
    assert len(found) == 3 and max(found.values()) - min(found.values()) < 0.02
