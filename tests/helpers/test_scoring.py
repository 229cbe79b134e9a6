"""The benchmark's scores: hand-computed cases, a plain loop over records, scikit-learn."""

import json
from math import exp, sqrt

import numpy as np
import pandas as pd
import plain_scores
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score
from toy_carebench import random_toy, record, toy

from carebook import scoring, textoverlap
from carebook.vocabulary import DIMENSIONS, NEGATIVE_LABELS, POSITIVE_LABELS

HOPEFUL, GRATEFUL, GLAD = POSITIVE_LABELS[:3]
ANGRY = NEGATIVE_LABELS[0]


def frame(*rows, names="ab"):
    return pd.DataFrame(rows, columns=list(names))


# --- ratings ---


def test_rmse_divides_by_the_range_and_pools_cells():
    scores = scoring.rating_scores(frame([1, 3], [5, 3]), frame([1, 3], [1, 1]))
    assert scores["rmse"] == pytest.approx(sqrt((0 + 0 + 1 + 0.25) / 4))
    assert scores["by_dimension"]["a"]["rmse"] == pytest.approx(sqrt(1 / 2))
    assert scores["by_dimension"]["b"]["rmse"] == pytest.approx(sqrt(0.25 / 2))
    assert scores["accuracy"] == 0.5


def test_intensities_are_divided_by_six():
    assert scoring.rating_scores(frame([0, 3]), frame([6, 3]), 6)["by_dimension"]["a"]["rmse"] == 1


def test_missing_ratings_are_left_out_and_no_cell_gives_none_not_a_best_score():
    scores = scoring.rating_scores(frame([np.nan, 2], [np.nan, 4]), frame([1, 2], [1, np.nan]))
    assert scores["accuracy"] == 1.0
    assert scores["by_dimension"]["a"] == {"rmse": None, "accuracy": None}


# --- labels ---


def test_labels_by_hand():
    said = frame([True, True], [False, False], [True, False])
    felt = frame([True, False], [False, False], [False, True])
    scores = scoring.label_scores(said, felt)
    assert scores["accuracy"] == pytest.approx(1 / 3)
    assert scores["example"] == pytest.approx(
        {"precision": (0.5 + 1 + 0) / 3, "recall": (1 + 1 + 0) / 3, "f1": (2 / 3 + 1 + 0) / 3}
    )
    assert scores["micro"] == pytest.approx({"precision": 1 / 3, "recall": 1 / 2, "f1": 0.4})
    assert scores["by_label"]["a"] == pytest.approx({"precision": 0.5, "recall": 1, "f1": 2 / 3})
    assert scores["by_label"]["b"] == {"precision": 0, "recall": 0, "f1": 0}
    assert scores["macro"] == pytest.approx({"precision": 0.25, "recall": 0.5, "f1": 1 / 3})


def test_empty_against_something_counts_zero():
    scores = scoring.label_scores(frame([False, False]), frame([True, False]))
    assert scores["example"] == {"precision": 0, "recall": 0, "f1": 0}


def test_a_label_nobody_chose_lowers_the_macro_score():
    scores = scoring.label_scores(frame([True, False]), frame([True, False]))
    assert scores["macro"]["f1"] == 0.5


label_tables = st.integers(1, 6).flatmap(
    lambda n: st.tuples(*[st.lists(st.lists(st.booleans(), min_size=3, max_size=3),
                                   min_size=n, max_size=n)] * 2)
)  # fmt: skip


@settings(max_examples=40)
@given(label_tables)
def test_micro_macro_and_per_label_scores_are_scikit_learns(tables):
    said, felt = (np.array(table) for table in tables)
    ours = scoring.label_scores(frame(*said, names="abc"), frame(*felt, names="abc"))
    for name, theirs in zip(
        ("precision", "recall", "f1"), (precision_score, recall_score, f1_score), strict=True
    ):
        for average in ("micro", "macro"):
            expected = theirs(felt, said, average=average, zero_division=0)
            assert ours[average][name] == pytest.approx(expected)
        each = [ours["by_label"][label][name] for label in "abc"]
        assert each == pytest.approx(theirs(felt, said, average=None, zero_division=0))
    assert ours["accuracy"] == np.mean((said == felt).all(axis=1))


def test_scikit_learn_has_no_setting_for_the_example_scores():
    said, felt = np.array([[0, 0], [0, 0]]), np.array([[0, 0], [1, 0]])
    ours = scoring.label_scores(frame(*said.astype(bool)), frame(*felt.astype(bool)))["example"]
    assert ours["precision"] == 0.5
    theirs = [
        precision_score(felt, said, average="samples", zero_division=value) for value in (0, 1)
    ]
    assert theirs == [0, 1]


# --- texts ---


def test_tokens_are_lower_case_runs_of_letters_and_digits():
    assert textoverlap.tokens("Don't! It's 9-to-5, naïve_me") == [
        "don", "t", "it", "s", "9", "to", "5", "na", "ve", "me",
    ]  # fmt: skip


def test_bleu_by_hand():
    reference, text = "a b c d e f", "a b c d f"
    precisions = (5 / 5) * (3 / 4) * (2 / 3) * (1 / 2)
    assert textoverlap.bleu(text, reference) == pytest.approx(precisions**0.25 * exp(1 - 6 / 5))


def test_bleu_counts_a_repeated_word_as_often_as_the_reference_has_it():
    assert textoverlap.bleu("a b c d d", "a b c d") == pytest.approx(
        (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25
    )


@pytest.mark.parametrize("text", ["a b c", "a b x c d", "a x b y c z d", "x", "..."])
def test_bleu_without_smoothing_is_zero_when_one_order_has_no_match(text):
    assert textoverlap.bleu(text, "a b c d e") == 0


def test_rouge_by_hand():
    text, reference = "the cat sat on the mat", "the cat lay on a mat"
    assert textoverlap.rouge_n(text, reference, 1) == pytest.approx(2 * 4 / 12)
    assert textoverlap.rouge_n(text, reference, 2) == pytest.approx(2 * 1 / 10)
    assert textoverlap.rouge_l(text, reference) == pytest.approx(2 * 4 / 12)
    assert textoverlap.rouge_l("b a", "a b") == pytest.approx(2 * 1 / 4)


texts = st.lists(st.sampled_from("abcd"), max_size=70).map(" ".join)


@given(texts, texts)
def test_rouge_l_is_the_textbook_subsequence(text, reference):
    one, other = text.split(), reference.split()
    table = np.zeros((len(one) + 1, len(other) + 1), dtype=int)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            table[i + 1, j + 1] = (
                table[i, j] + 1 if a == b else max(table[i, j + 1], table[i + 1, j])
            )
    expected = 2 * table[-1, -1] / (len(one) + len(other)) if table[-1, -1] else 0
    assert textoverlap.rouge_l(text, reference) == pytest.approx(expected)


@given(texts)
def test_a_text_against_itself_scores_one(text):
    scores = [textoverlap.rouge_l(text, text), textoverlap.rouge_n(text, text, 1)]
    assert scores == ([1, 1] if text else [0, 0])
    assert textoverlap.bleu(text, text) == pytest.approx(1 if len(text.split()) > 3 else 0)


def test_a_missing_text_scores_zero_and_a_missing_reference_is_not_scored():
    scores = textoverlap.overlap_scores(["a b c d", None, " ", "a"], ["a b c d", "a", "a", None])
    assert scores[:3].tolist() == [[1, 1, 1, 1], [0] * 4, [0] * 4]
    assert np.isnan(scores[3]).all()


# --- the human baseline ---


def three_narratives():
    same = "it was my own fault this time"
    return toy(
        record("01", "w1", ratings=3, levels=(6, 0), labels=[HOPEFUL], reasoning=same),
        record("01", "o1", 1, ratings=3, levels=(6, 0), labels=[HOPEFUL], reasoning=same),
        record("01", "o2", 2, ratings=5, levels=(0, 0), labels=[], reasoning="nothing shared"),
        record("02", "w2", ratings=1, levels=(2, 3)),
        record("02", "o1", 1, ratings=1, levels=(2, 3)),
        record("02", "o2", 2, ratings=1, levels=(2, 6), labels=[ANGRY]),
        record("03", "w2"),  # nobody read this one
    )


def test_human_baseline_by_hand():
    scores = scoring.human_baseline(three_narratives())
    assert scores["pairs"] == 4
    assert scores["ratings"]["rmse"] == pytest.approx(sqrt(0.25 / 4))
    assert (
        scores["ratings"]["by_dimension"]["control.general"]
        == scores["ratings"]["by_dimension"]["relevance.goals"]
    )
    assert scores["positive_level"] == {"rmse": pytest.approx(sqrt(1 / 4)), "accuracy": 0.75}
    assert scores["negative_level"] == {"rmse": pytest.approx(sqrt(0.25 / 4)), "accuracy": 0.75}
    assert scores["positive_labels"]["example"]["f1"] == pytest.approx((1 + 0 + 1 + 1) / 4)
    assert scores["negative_labels"]["accuracy"] == 0.75
    assert scores["positive_labels"]["macro"]["f1"] == pytest.approx(2 / 3 / 10)
    assert scores["reasoning"]["bleu"] == pytest.approx((1 + 0 + 0 + 0) / 4)
    assert scores["reasoning"]["rouge1"] == pytest.approx((1 + 0 + 1 + 1) / 4)  # "same" is short


def test_panel_mean_for_rmse_median_for_match_and_votes_for_labels():
    panel = scoring.human_baseline(three_narratives())["panel"]
    assert panel["narratives"] == 2
    assert panel["ratings"]["rmse"] == pytest.approx(sqrt((1 / 16 + 0) / 2))
    assert panel["ratings"]["accuracy"] == 0.5  # a median of 4 is no 3
    assert panel["positive_labels"]["1"]["accuracy"] == 1
    assert panel["positive_labels"]["2"]["accuracy"] == 0.5
    assert panel["negative_labels"]["1"]["accuracy"] == 0.5
    assert list(panel["negative_labels"]) == ["1", "2", "3", "4", "5"]
    assert "reasoning" not in panel


def test_keys_of_the_human_baseline():
    scores = scoring.human_baseline(three_narratives())
    assert list(scores) == [
        "pairs", "ratings", "positive_level", "negative_level", "positive_labels",
        "negative_labels", "reasoning", "panel",
    ]  # fmt: skip
    assert list(scores["ratings"]) == ["rmse", "accuracy", "by_dimension"]
    assert list(scores["ratings"]["by_dimension"]) == list(DIMENSIONS)
    assert list(scores["positive_labels"]) == ["accuracy", "example", "micro", "macro", "by_label"]
    assert list(scores["negative_labels"]["by_label"]) == list(NEGATIVE_LABELS)
    assert list(scores["reasoning"]) == ["bleu", "rouge1", "rouge2", "rougeL", "by_dimension"]
    json.dumps(scores, allow_nan=False)


def flat(scores, path=""):
    if isinstance(scores, dict):
        return {k: v for key in scores for k, v in flat(scores[key], f"{path}/{key}").items()}
    return {path: scores}


@pytest.mark.parametrize("holes", [0, 400])
def test_the_fast_scores_are_those_of_a_plain_loop_over_records(holes):
    data = random_toy(narratives=40, unread=7, people=30, seed=5)
    data.ratings = data.ratings.astype(float)
    rng = np.random.default_rng(3)
    for row, column in zip(
        rng.integers(len(data.ratings), size=holes), rng.integers(22, size=holes), strict=True
    ):
        data.ratings.iat[row, column] = np.nan
    records = plain_scores.as_records(data, scoring.LABEL_SETS)
    expected = plain_scores.human_baseline(records, DIMENSIONS, scoring.LABEL_SETS)
    assert flat(scoring.numeric_baseline(data)) == pytest.approx(flat(expected), abs=1e-12)


def test_panels_of_different_sizes_are_scored_together():
    data = random_toy(narratives=9, unread=0, people=30)
    keep = np.ones(len(data.annotations), dtype=bool)
    keep[[2, 9, 10]] = False
    for name in ("annotations", "ratings", "labels", "reasoning"):
        setattr(data, name, getattr(data, name)[keep])
    records = plain_scores.as_records(data, scoring.LABEL_SETS)
    expected = plain_scores.human_baseline(records, DIMENSIONS, scoring.LABEL_SETS)
    assert flat(scoring.numeric_baseline(data)) == pytest.approx(flat(expected), abs=1e-12)


def test_row_order_does_not_matter():
    data = random_toy(narratives=12, unread=3, people=20)
    before = flat(scoring.human_baseline(data))
    shuffled = np.random.default_rng(0).permutation(len(data.annotations))
    for name in ("annotations", "ratings", "labels", "reasoning"):
        setattr(data, name, getattr(data, name).iloc[shuffled])
    assert flat(scoring.human_baseline(data)) == pytest.approx(before)


def test_no_observers_is_refused():
    with pytest.raises(ValueError, match="no observer records"):
        scoring.human_baseline(toy(record("01", "w1")))


def test_intervals_hold_their_estimates_and_name_what_was_drawn():
    data = random_toy(narratives=30, unread=5, people=15)
    table = scoring.baseline_intervals(data, resamples=200)
    scores = scoring.human_baseline(data)
    assert table.loc["ratings rmse", "estimate"] == pytest.approx(scores["ratings"]["rmse"])
    for key in ("positive_labels", "negative_labels"):
        for kind in ("example", "micro", "macro"):
            found = table.loc[f"{key} {kind} f1", "estimate"]
            assert found == pytest.approx(scores[key][kind]["f1"])
    assert ((table["low"] < table["estimate"]) & (table["estimate"] < table["high"])).all()
    assert "people (15, each drawn once" in table.attrs["resampled"]


# --- a model's answers ---


def reference():
    return scoring.experiencer_answers(
        toy(
            record("01", "w1", ratings=1, levels=(6, 0), labels=[HOPEFUL]),
            record("02", "w2", ratings=5, levels=(0, 0), labels=[]),
        )
    )


def half_answered():
    """A model that answered the first narrative perfectly and was silent on the second."""
    full = reference()
    return scoring.Answers(
        ratings=full.ratings[:1],
        levels=full.levels[:1],
        labels=full.labels[:1],
        reasoning=full.reasoning[:1].assign(control="some words without any match"),
    )


def test_the_evaluator_fills_silence_with_three_zero_and_the_empty_set():
    scores = scoring.score_as_evaluator(half_answered(), reference())
    assert scores["ratings"]["rmse"] == pytest.approx(sqrt(0.25 / 2))
    assert scores["positive_level"] == {"rmse": 0, "accuracy": 1}
    assert scores["positive_labels"]["example"]["f1"] == 1  # silence earned a point
    assert scores["reasoning"]["rouge1"] == pytest.approx(4 / 10)
    assert scores["coverage"]["ratings"] == {
        "asked": 44, "answered": 22, "filled": 22, "skipped": 0,
    }  # fmt: skip


def test_the_honest_rule_scores_what_was_answered_and_says_how_much():
    scores = scoring.score_answered(half_answered(), reference())
    assert scores["ratings"]["rmse"] == 0
    assert scores["positive_labels"]["macro"]["f1"] == pytest.approx(1 / 10)
    assert scores["reasoning"]["rouge1"] == pytest.approx(4 / 5)
    assert scores["coverage"]["positive_labels"] == {
        "asked": 2, "answered": 1, "filled": 0, "skipped": 1,
    }  # fmt: skip
    assert scores["coverage"]["reasoning"]["answered"] == 5


def test_the_evaluator_skips_a_single_missing_rating():
    answers = reference()
    answers.ratings.iloc[1] = [np.nan] + [5] * 21
    scores = scoring.score_as_evaluator(answers, reference())
    assert scores["ratings"]["rmse"] == 0
    assert scores["coverage"]["ratings"] == {
        "asked": 44, "answered": 43, "filled": 0, "skipped": 1,
    }  # fmt: skip


def test_a_missing_text_is_filled_in_as_nothing_and_counted():
    answers = reference()
    answers.reasoning.iloc[0, 0] = " "
    scores = scoring.score_as_evaluator(answers, reference())
    assert scores["coverage"]["reasoning"] == {
        "asked": 10, "answered": 9, "filled": 1, "skipped": 0,
    }  # fmt: skip
    assert scores["reasoning"]["rouge1"] == pytest.approx(0.9)
    assert scoring.score_answered(answers, reference())["reasoning"]["rouge1"] == 1


def test_what_the_reference_leaves_open_was_not_asked():
    open_cell = reference()
    open_cell.ratings.iloc[0, 0] = np.nan
    scores = scoring.score_answered(reference(), open_cell)
    assert scores["coverage"]["ratings"] == {
        "asked": 43, "answered": 43, "filled": 0, "skipped": 0,
    }  # fmt: skip


def test_an_answer_outside_its_scale_is_refused():
    answers = reference()
    answers.levels.iloc[1, 0] = 7
    message = "'positive_level' for narrative '02' is 7, and the scale runs from 0 to 6"
    with pytest.raises(ValueError, match=message):
        scoring.score_as_evaluator(answers, reference())


def test_a_silent_model_is_scored_by_both_rules():
    silent = scoring.Answers(ratings=reference().ratings[:0], labels=reference().labels[:0])
    filled = scoring.score_as_evaluator(silent, reference())
    assert filled["positive_labels"]["example"]["f1"] == 0.5
    honest = scoring.score_answered(silent, reference())
    assert honest["ratings"]["rmse"] is None
    assert honest["positive_labels"]["example"]["f1"] is None
    assert honest["positive_labels"]["micro"]["f1"] is None
    assert set(honest["positive_labels"]["by_label"][GLAD].values()) == {None}
    assert "positive_level" not in honest


def test_answers_about_unknown_narratives_are_refused():
    answers = scoring.Answers(ratings=reference().ratings.set_axis(["1", "02"], axis=0))
    with pytest.raises(ValueError, match="outside the reference, for instance '1'"):
        scoring.score_answered(answers, reference())


def test_a_set_of_labels_is_answered_as_a_whole():
    labels = reference().labels.astype(object)
    labels.iloc[0, 0] = None
    with pytest.raises(ValueError, match="some of its positive_labels missing"):
        scoring.score_answered(scoring.Answers(labels=labels), reference())
