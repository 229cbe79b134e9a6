"""The figures of the appendix on statistics draw and tell the values that they are given."""

import pandas as pd
import pytest

from carebook import figures


def test_a_scatter_draws_each_place_once_and_larger_where_more_rows_are():
    table = pd.DataFrame({"x": [1, 1, 1, 2, None], "y": [5, 5, 5, 3, 4]})
    (axes,) = figures.scatter(table, x="x", y="y").figure.axes
    (dots,) = axes.collections
    assert dots.get_offsets().tolist() == [[1.0, 5.0], [2.0, 3.0]]
    large, small = dots.get_sizes()
    assert large == pytest.approx(3 * small)
    across, up = (line.get_xydata() for line in axes.lines)
    assert across[0][0] == 1.25 and up[0][1] == 4.5


def test_a_scatter_tells_on_which_sides_of_the_means_the_rows_lie():
    table = pd.DataFrame({"x": [1, 2, 3, 4, 2.5], "y": [1, 9, 1, 9, 5]})
    alt = figures.scatter(table, x="x", y="y").alt
    assert "In 2 rows the two values lie on opposite sides of their means, in 2 on the same" in alt
    assert "in 1 at least one is the mean itself" in alt and "Correlation: 0.45." in alt


def test_a_scatter_of_a_column_that_does_not_vary_has_no_correlation():
    table = pd.DataFrame({"x": [2, 2, 2], "y": [1, 2, 3]})
    assert "Correlation: no value." in figures.scatter(table, x="x", y="y").alt


@pytest.mark.parametrize("rows", [[], [{"x": None, "y": 1}]])
def test_a_scatter_without_pairs_is_refused(rows):
    with pytest.raises(ValueError, match="no rows"):
        figures.scatter(pd.DataFrame(rows, columns=["x", "y"]), x="x", y="y")


def test_resampled_values_are_counted_banded_and_told():
    draws = [1.0, 2.0, 2.0, 3.0, 9.0, float("nan")]
    shown = figures.resampled(draws, estimate=2.5, low=1.5, high=4.0, what="mean")
    (axes,) = shown.figure.axes
    band, *bars = axes.patches
    drawn = axes.transData.inverted().transform(band.get_window_extent())
    assert drawn[:, 0].tolist() == pytest.approx([1.5, 4.0])
    assert sum(bar.get_height() for bar in bars) == 5
    assert axes.lines[0].get_xdata()[0] == 2.5
    assert "in 5 resamples" in shown.alt and "1.50 to 4.00, which holds 3 of them" in shown.alt


def test_resamples_without_a_value_are_refused():
    with pytest.raises(ValueError, match="No resample has a value"):
        figures.resampled([float("nan")], estimate=1, low=0, high=2, what="mean")


def test_estimates_are_told_against_the_value_they_are_drawn_against():
    table = pd.DataFrame({"estimate": [3.5, 2.5], "low": [3.2, 2.0], "high": [3.8, 3.2]})
    alt = figures.estimates(table, what="mean", null=2.75).alt
    assert "Above 2.8: 0 3.50" in alt and "Interval holds 2.8: 1 2.50" in alt
    assert "zero" not in alt
