"""Figures that put readers beside the writer they read: what is drawn equals what was given."""

import numpy as np
import pandas as pd
import pytest

from carebook import figures
from carebook.vocabulary import DIMENSIONS


def points(axes, marker=None):
    """All plotted points whose line has a marker (or the given one), as (x, y) pairs."""
    return [
        (float(x), float(y))
        for line in axes.lines
        if line.get_marker() not in ("None", None, "") and marker in (None, line.get_marker())
        for x, y in zip(*line.get_data(), strict=True)
    ]


def circles(axes):
    """Every circle drawn with scatter: (x, y) -> area."""
    return {
        tuple(float(part) for part in place): float(area)
        for drawn in axes.collections
        if hasattr(drawn, "get_sizes") and len(drawn.get_sizes())
        for place, area in zip(drawn.get_offsets(), drawn.get_sizes(), strict=False)
    }


@pytest.fixture
def story():
    own = pd.Series(3.0, index=list(DIMENSIONS))
    observed = pd.DataFrame([[3.0] * 22] * 5, columns=DIMENSIONS)
    own["control.general"] = 5.0
    observed["control.general"] = [1.0, 1.0, 1.0, 2.0, 4.0]
    return own, observed


# --- a profile of two readings ------------------------------------------------------------------


def test_readings_that_differ_stand_on_one_line_and_equal_ones_beside_each_other():
    two = pd.DataFrame([[3.0] * 22, [3.0] * 22], index=["own", "observed"], columns=DIMENSIONS)
    two.loc["observed", "control.select"] = 5.0
    (axes,) = figures.appraisal_profile(two).figure.axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    row = names.index("select")
    assert {y for x, y in points(axes) if abs(y - row) < 0.5} == {row}
    other = names.index("goals")
    heights = sorted(y for x, y in points(axes) if abs(y - other) < 0.5)
    assert heights[0] < other < heights[1]


# --- stories ------------------------------------------------------------------------------------


def test_each_observer_is_drawn_and_more_of_them_make_a_larger_circle(story):
    (axes,) = figures.story_readings({"s1": story}).figure.axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    row = names.index("control") + 1  # the first statement of the group
    drawn = {x: area for (x, y), area in circles(axes).items() if y == row}
    assert set(drawn) == {1.0, 2.0, 4.0}
    assert drawn[1.0] == 3 * drawn[2.0] == 3 * drawn[4.0]
    assert (5.0, float(row)) in points(axes, "D")


def signs(axes):
    """The writer's line and the observers' discs of one panel."""
    (writer,) = [line for line in axes.lines if line.get_marker() == "D"]
    return writer, circles(axes)


@pytest.mark.parametrize("observers", [1, 2, 5, 9])
def test_the_writers_sign_hides_no_observer(observers):
    own = pd.Series(3.0, index=list(DIMENSIONS))
    same = pd.DataFrame([[3.0] * 22] * observers, columns=DIMENSIONS)
    (axes,) = figures.story_readings({"s1": (own, same)}).figure.axes
    writer, discs = signs(axes)
    assert writer.get_markerfacecolor() == "none"
    inside = writer.get_markersize() - writer.get_markeredgewidth()
    assert max(discs.values()) ** 0.5 <= inside + 0.2


def test_the_alt_text_says_where_the_writer_stands_outside(story):
    shown = figures.story_readings({"s1": story})
    assert "outside their range on 1 of 22 statements" in shown.alt
    assert "control: general (writer 5)" in shown.alt
    assert "furthest apart on control: general (1 to 4)" in shown.alt
    assert "they all agree on 21 of 22" in shown.alt


def test_two_stories_stand_side_by_side_and_three_are_refused(story):
    shown = figures.story_readings({"alike": story, "apart": story})
    assert [axes.get_title() for axes in shown.figure.axes] == ["alike", "apart"]
    with pytest.raises(ValueError, match="3 stories"):
        figures.story_readings(dict.fromkeys("abc", story))


# --- pairs of answers ---------------------------------------------------------------------------


def test_the_grid_shows_shares_of_all_readings_writer_upwards():
    table = pd.crosstab(pd.Series([1, 1, 5, 4]), pd.Series([1, 2, 5, 2]))
    (axes,) = figures.paired_answers({"as read": table}, name="control.general").figure.axes
    grid = np.asarray(axes.images[0].get_array())
    assert grid[0, 0] == grid[0, 1] == grid[4, 4] == grid[3, 1] == 0.25
    assert grid.sum() == 1
    assert axes.get_ylim()[0] < axes.get_ylim()[1]


def test_the_title_compares_the_equal_answers_of_both_grids():
    same = pd.crosstab(pd.Series([1, 5]), pd.Series([1, 5]))
    apart = pd.crosstab(pd.Series([1, 5]), pd.Series([5, 1]))
    shown = figures.paired_answers({"as read": same, "dealt": apart}, name="control.general")
    assert "100% as read, 0% dealt" in shown.figure.get_suptitle().replace("\n", " ")
    assert "dealt (2 readings): same answer in 0%, one point apart in 0%" in shown.alt


def test_an_empty_grid_is_refused():
    with pytest.raises(ValueError, match="counts nothing"):
        figures.paired_answers({"none": pd.DataFrame([[0]])}, name="control.general")


# --- parts of an error --------------------------------------------------------------------------


def test_parts_are_stacked_and_the_largest_error_stands_on_top():
    parts = pd.DataFrame(
        [[0.1, 0.2, 0.3], [0.5, 0.0, 0.5]],
        columns=["from the means", "from the spreads", "from the order"],
        index=["control.select", "control.general"],
    )
    (axes,) = figures.error_parts(parts).figure.axes
    means, spreads, order = axes.containers
    assert [bar.get_width() for bar in means] == [0.5, 0.1]
    assert [round(bar.get_x(), 6) for bar in order] == [0.5, 0.3]
    assert [round(bar.get_x() + bar.get_width(), 6) for bar in order] == [1.0, 0.6]
    assert [t.get_text() for t in axes.get_yticklabels()] == ["control: general", "control: select"]


def test_a_missing_part_is_named():
    with pytest.raises(ValueError, match="from the order"):
        figures.error_parts(pd.DataFrame({"from the means": [1.0], "from the spreads": [1.0]}))


# --- similarities -------------------------------------------------------------------------------


def test_histograms_are_shares_and_the_means_are_marked():
    table = pd.DataFrame(
        {"with the writer": [0.8, 0.6, np.nan], "with a stranger": [0.1, 0.7, 0.1]}
    )
    (axes,) = figures.similarities(table).figure.axes
    dashed = [line.get_xdata()[0] for line in axes.lines]
    assert dashed == pytest.approx([0.7, 0.3])
    for steps in axes.patches:
        assert steps.get_data().values.sum() == pytest.approx(1)


def test_a_table_without_values_is_refused():
    with pytest.raises(ValueError, match="nothing to draw"):
        figures.similarities(pd.DataFrame({"with the writer": [np.nan]}))


# --- degrees of agreement -----------------------------------------------------------------------


def test_stories_are_sorted_and_the_span_is_told():
    answers = pd.DataFrame([[5, 5, 5], [1, 2, 3], [2, 2, 4]])
    shown = figures.looks_of_agreement({"alpha 0.5": answers})
    (axes,) = shown.figure.axes
    assert sorted(x for x, _ in circles(axes)) == [1, 1, 1, 2, 2, 3]
    assert circles(axes)[3.0, 5.0] == 3 * circles(axes)[1.0, 1.0]
    assert "span 1.3 points on average" in shown.alt


# --- agreement among observers and with the writer ----------------------------------------------


def test_every_dimension_stands_at_its_two_agreements_and_those_below_the_curve_are_counted():
    table = pd.DataFrame(
        {"among": [0.64, 0.25, np.nan], "with_writer": [0.8, 0.3, 0.5]},
        index=["congruence.general", "control.select", "control.general"],
    )
    shown = figures.among_and_with(table)
    (axes,) = shown.figure.axes
    assert sorted(points(axes)) == [(0.25, 0.3), (0.64, 0.8)]
    assert "1 of 2 lie below the curve, furthest control: select" in shown.alt


def test_the_curve_is_the_root():
    table = pd.DataFrame({"among": [0.5], "with_writer": [0.5]}, index=["control.general"])
    (axes,) = figures.among_and_with(table).figure.axes
    (curve,) = [line for line in axes.lines if line.get_linestyle() == "--"]
    x, y = curve.get_data()
    assert y == pytest.approx(np.sqrt(x))


# --- discoveries --------------------------------------------------------------------------------


def test_what_was_found_stands_beside_what_chance_gives():
    shown = figures.discoveries({"traits": (12, np.array([4, 5, 5, 6]), 110)})
    (axes,) = shown.figure.axes
    (line,) = [line for line in axes.lines if len(line.get_xdata()) == 2]
    assert line.get_xdata()[0] == 12
    heights = {round(bar.get_x() + 0.5): bar.get_height() for bar in axes.patches}
    assert heights == {4: 0.25, 5: 0.5, 6: 0.25}
    assert "chance gives 5.0 on average, 4 to 6 in 95% of deals; found: 12" in shown.alt


def test_no_family_is_refused():
    with pytest.raises(ValueError, match="no family"):
        figures.discoveries({})
