"""What a statistic looks like: pairs of values, and what resampling makes of one value."""

import numpy as np

from carebook.figures.parts import canvas, finish, house_style, need
from carebook.figures.style import BLUE, GREY, VERMILION
from carebook.results import count_phrase, interval, number

LARGEST_DOT = 500
"""Points squared: the area of the dot at the place that most rows share."""


@house_style
def scatter(table, *, x, y, title=None, source=None):
    """Draw two columns against each other, with the means that a correlation compares with.

    Parameters
    ----------
    table : DataFrame
        One row per dot. Rows with the same two values share a dot, which grows with their number.
        A row that lacks one of the two values is left out.
    x, y : str
        Names of the columns, and of the axes.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described

    Raises
    ------
    ValueError
        If a column is missing or no row has both values.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"control": [4, 2, 1, 1], "anger": [0, 4, 2, 5]})
    >>> print(scatter(table, x="control", y="anger").alt)
    Dots for 4 rows at 4 places: control from 1 to 4 across, anger from 0 to 5 up; dashed lines \
mark the means, 2.00 and 2.75. In 2 rows the two values lie on opposite sides of their means, in 1 \
on the same side, in 1 at least one is the mean itself. Correlation: −0.74.
    """
    need(table, [x, y])
    pairs = table[[x, y]].dropna().astype(float)
    need(pairs, [x, y])
    places = pairs.groupby([x, y]).size().rename("rows").reset_index()
    figure, axes = canvas(3.6)
    area = LARGEST_DOT * places["rows"] / places["rows"].max() if len(places) < len(pairs) else 70
    axes.scatter(places[x], places[y], s=area, color=BLUE, alpha=0.75, linewidths=0)
    axes.axvline(pairs[x].mean(), color=GREY, linewidth=1.2, linestyle="--")
    axes.axhline(pairs[y].mean(), color=GREY, linewidth=1.2, linestyle="--")
    axes.set_xlabel(f"{x}\n(dashed: the means)")
    axes.set_ylabel(y)
    axes.margins(0.12)
    product = np.sign((pairs - pairs.mean()).round(12)).prod(axis=1)
    same, opposite = int((product > 0).sum()), int((product < 0).sum())
    r = pairs[x].corr(pairs[y]) if (pairs.std() > 0).all() else float("nan")
    alt = (
        f"Dots for {count_phrase(len(pairs), 'row')} at {count_phrase(len(places), 'place')}: "
        f"{x} {_range(pairs[x])} across, {y} {_range(pairs[y])} up; dashed lines mark the means, "
        f"{number(float(pairs[x].mean()))} and {number(float(pairs[y].mean()))}. In "
        f"{count_phrase(opposite, 'row') if opposite else '0 rows'} the two values lie on opposite "
        f"sides of their means, in {same} on the same side, in {len(pairs) - same - opposite} at "
        f"least one is the mean itself. Correlation: {number(r)}."
    )
    default = f"On the same side of both means: {same} of {count_phrase(len(pairs), 'row')}"
    return finish(figure, title or default, alt, source)


def _range(values):
    return f"from {values.min():g} to {values.max():g}"


@house_style
def resampled(draws, *, estimate, low, high, what, title=None, source=None):
    """Draw what a statistic came out at in many resamples, and the interval that holds most.

    Parameters
    ----------
    draws : sequence of float
        The statistic, computed on each resample; resamples without a value are left out.
    estimate : float
        The statistic on the data at hand: a dashed line.
    low, high : float
        Ends of the interval, a band behind the bars.
    what : str
        What was computed, for the axis.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described

    Raises
    ------
    ValueError
        If no resample has a value.

    Examples
    --------
    >>> shown = resampled([1, 2, 2, 3], estimate=2, low=1, high=3, what="mean rating")
    >>> print(shown.alt)
    Histogram of mean rating in 4 resamples: half of them lie from 1.75 to 2.25. A band marks the \
interval, 1.00 to 3.00, which holds 4 of them; a dashed line marks the estimate, 2.00.
    """
    draws = np.asarray(draws, dtype=float)
    draws = draws[~np.isnan(draws)]
    if not len(draws):
        raise ValueError("No resample has a value, so there is nothing to draw.")
    figure, axes = canvas(3.2)
    axes.axvspan(low, high, color=VERMILION, alpha=0.15, linewidth=0)
    axes.hist(draws, bins=min(30, len(np.unique(draws))), color=BLUE)
    axes.axvline(estimate, color=GREY, linewidth=1.6, linestyle="--")
    axes.set_xlabel(f"{what}\n(band: the interval; dashed: the estimate)")
    axes.set_ylabel("resamples")
    axes.locator_params(axis="x", nbins=6)
    inside = int(((draws >= low) & (draws <= high)).sum())
    middle = interval(*np.percentile(draws, [25, 75]))
    alt = (
        f"Histogram of {what} in {count_phrase(len(draws), 'resample')}: half of them lie from "
        f"{middle}. A band marks the interval, {interval(low, high)}, which holds "
        f"{number(inside)} of them; a dashed line marks the estimate, {number(float(estimate))}."
    )
    default = f"{number(inside)} of {number(len(draws))} resamples lie between the two ends"
    return finish(figure, title or default, alt, source)
