"""Figures of scores and errors: what is drawn equals what the table says."""

import numpy as np
import pandas as pd
import pytest

from carebook import figures
from carebook.figures.style import BLUE, VERMILION


def points(axes, *markers):
    """Plotted points with one of these markers, as (x, y) pairs, legend entries left out."""
    return [
        (round(float(x), 6), round(float(y), 6))
        for line in axes.lines
        if line.get_marker() in markers
        for x, y in zip(*line.get_data(), strict=True)
    ]


def bars(axes, width):
    """Lines of one width as (left, right, height)."""
    return [
        (*(float(x) for x in line.get_xdata()), float(line.get_ydata()[0]))
        for line in axes.lines
        if line.get_linewidth() == width and len(line.get_xdata()) == 2
    ]


def ticks(axes):
    return [label.get_text().replace("\n", " ") for label in axes.get_yticklabels()]


def intervals(rows, index):
    return pd.DataFrame(rows, columns=["estimate", "low", "high"], index=index)


# --- guesses --------------------------------------------------------------------------------------


@pytest.fixture
def curves():
    return pd.DataFrame(
        {"RMSE": [0.5, 0.2, 0.3, 0.6], "hits": [0.1, np.nan, 0.4, np.nan]}, index=[0, 1, 2, 3]
    )


def test_each_metric_marks_its_own_best_guess(curves):
    error, hits = figures.guess_curves(curves, lower=["RMSE"]).figure.axes
    assert points(error, "o") == [(1, 0.2)]
    assert points(hits, "o") == [(2, 0.4)]


def test_a_guess_that_makes_no_sense_is_not_drawn_and_the_others_are_dotted(curves):
    shown = figures.guess_curves(curves, lower=["RMSE"])
    assert points(shown.figure.axes[1], ".") == [(0, 0.1), (2, 0.4)]
    assert "best 0.40 with the guess 2; 0.10 at 0, 0.40 at 2." in shown.alt


# --- planned comparisons --------------------------------------------------------------------------


@pytest.fixture
def planned():
    return pd.DataFrame(
        {
            "model": ["words", "words", "words"],
            "against": ["constant", "constant", "list"],
            "output": ["negative_level", "positive_labels", "negative_level"],
            "estimate": [-0.06, 0.01, 0.02],
            "better": ["words", "can't tell", "list"],
        }
    )


def test_a_sign_says_who_is_better_whichever_way_the_score_runs(planned):
    (axes,) = figures.comparison_grid(planned).figure.axes
    assert points(axes, "^") == [(0, -0.1)]
    assert points(axes, "o") == [(1, -0.1)]
    assert points(axes, "v") == [(0, 0.9)]
    assert ticks(axes) == ["words vs. constant", "words vs. list"]
    written = [(text.get_text(), text.xy[:1]) for text in axes.texts]
    assert written == [("−0.06", (0,)), ("0.01", (1,)), ("0.02", (0,))]


def test_a_difference_that_rounds_to_zero_is_not_printed_as_none(planned):
    planned["estimate"] = [-0.004, 0.0049, 0.0051]
    shown = figures.comparison_grid(planned)
    written = [text.get_text() for text in shown.figure.axes[0].texts]
    assert written == ["≈ 0", "≈ 0", "0.01"] and "better (≈ 0)" in shown.alt


def test_the_grid_calls_the_outputs_as_the_text_does(planned):
    shown = figures.comparison_grid(planned)
    assert "words against list: negative intensity worse (0.02)." in shown.alt
    assert "positive labels can't tell (0.01)" in shown.alt


# --- chance ---------------------------------------------------------------------------------------


def test_a_score_inside_the_range_of_chance_is_hollow():
    table = intervals(
        [(0.96, 0.46, 0.54), (0.5, 0.45, 0.55), (0.3, 0.4, 0.6)], ["rows", "stories", "odd"]
    )
    shown = figures.chance_range(table, what="share predicted")
    (axes,) = shown.figure.axes
    faces = {
        (float(line.get_xdata()[0])): line.get_markerfacecolor()
        for line in axes.lines
        if line.get_marker() == "D"
    }
    assert faces == {0.96: VERMILION, 0.5: "white", 0.3: VERMILION}
    assert bars(axes, 12) == [(0.46, 0.54, 0), (0.45, 0.55, 1), (0.4, 0.6, 2)]
    assert "rows 96%, above chance (46% to 54%)" in shown.alt
    assert "odd 30%, below chance (40% to 60%)" in shown.alt


# --- labels ---------------------------------------------------------------------------------------


def test_a_rare_label_has_a_count_and_no_score():
    table = intervals(
        [(np.nan, np.nan, np.nan), (0.8, 0.7, 0.9)], ["Calm, relaxed", "Angry, annoyed"]
    ).assign(chance=[0.01, 0.4], narratives=[9, 400])
    shown = figures.label_scores(table, what="average precision")
    (axes,) = shown.figure.axes
    assert ticks(axes) == ["Angry (n = 400)", "Calm (n = 9)"]
    assert points(axes, "o") == [(0.8, 0)] and points(axes, "x") == [(0.4, 0)]
    assert [text.get_text() for text in axes.texts] == ["too rare for a score"]
    assert shown.alt.endswith("Too rare for a score: Calm, 9 narratives.")


def test_labels_that_are_all_rare_still_make_a_figure():
    nothing = intervals([(np.nan,) * 3], ["Calm, relaxed"]).assign(chance=0.01, narratives=1)
    shown = figures.label_scores(nothing, what="average precision")
    assert "Calm, 1 narrative." in shown.alt and "no value" not in shown.alt


# --- words ----------------------------------------------------------------------------------------


def test_the_heaviest_words_of_both_sides_are_drawn_and_emotion_words_stand_out():
    weights = pd.Series({"angry": 1.5, "boiler": 1.0, "so": 0.1, "van": -1.0, "proud": -2.0})
    shown = figures.heaviest_words(
        weights, target="intensity", listed={"angry", "proud", "so"}, most=2
    )
    (axes,) = shown.figure.axes
    assert ticks(axes) == ["angry", "boiler", "van", "proud"]
    drawn = [(bar.get_width(), bar.get_hatch() == "///") for bar in axes.patches][:4]
    assert drawn == [(1.5, False), (1.0, True), (-1.0, True), (-2.0, False)]
    assert "Downwards: proud −2.00 (emotion word), van −1.00." in shown.alt


def test_words_without_weight_are_refused():
    with pytest.raises(ValueError, match="nothing to draw"):
        figures.heaviest_words(pd.Series({"so": 0.0}), target="intensity")


# --- judges ---------------------------------------------------------------------------------------


def test_judges_stand_in_the_same_row_under_each_score():
    names = ["words", "panel"]
    error = intervals([(0.26, 0.25, 0.27), (0.21, 0.2, 0.22)], names)
    f1 = intervals([(0.7, 0.6, 0.8), (0.6, 0.5, 0.7)], names)
    shown = figures.judges({"RMSE": error, "F1": f1}, lower=["RMSE"])
    left, right = shown.figure.axes
    assert ticks(left) == names
    assert points(left, "D", "o") == [(0.26, 0), (0.21, 1)]
    assert points(right, "D", "o") == [(0.7, 0), (0.6, 1)]
    assert bars(right, 2) == [(0.6, 0.8, 0), (0.5, 0.7, 1)]
    assert shown.figure.get_suptitle().replace("\n", " ") == "Best: panel on RMSE and words on F1"
    alike = figures.judges({"F1": f1, "hits": f1})
    assert alike.figure.get_suptitle() == "Best under each score: words"


def test_judges_without_a_score_are_refused():
    with pytest.raises(ValueError, match="nothing to draw"):
        figures.judges({})


def test_mean_answers_are_drawn_beside_the_diagonal():
    table = pd.DataFrame({"words": [2.0, 3.0], "observer": [1.0, 5.0]}, index=[0, 6])
    shown = figures.mean_answers(table, what="negative intensity")
    (axes,) = shown.figure.axes
    diagonal, words, observer = axes.lines
    assert [list(ends) for ends in diagonal.get_data()] == [[0, 6], [0, 6]]
    assert list(words.get_ydata()) == [2, 3] and list(observer.get_ydata()) == [1, 5]
    assert shown.figure.get_suptitle() == "Rises least with the truth: words"
    assert words.get_color() == BLUE
