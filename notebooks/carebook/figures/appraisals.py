"""Appraisals of one narrative, and how appraisals go with emotions."""

import numpy as np
import pandas as pd

from carebook.figures.parts import (
    canvas,
    dimension_name,
    finish,
    grouped_rows,
    house_style,
    label_grouped_rows,
    legend_above,
    named,
    need,
    plain,
    scale_axis,
    short_label,
)
from carebook.figures.style import AGREEMENT_SCALE, COLOURS, MARKERS
from carebook.results import count_phrase, list_phrase, number
from carebook.vocabulary import DIMENSIONS


@house_style
def appraisal_profile(ratings, *, title=None, source=None):
    """Draw ratings of the 22 dimensions, by core appraisal, for one reading or a few.

    Parameters
    ----------
    ratings : DataFrame
        One row per reading (or group of readings), columns the 22 dimensions, values 1 to 5. The
        index holds the names for the legend: rename it first, say to "experiencer".
    title : str, optional
        The message; computed if not given.
    source : Source, optional
        ``data.source``.

    Returns
    -------
    Described

    Raises
    ------
    ValueError
        If a dimension is missing, or there are more than eight rows (take means instead).

    Examples
    --------
    >>> one = pd.DataFrame([[4.0] * 22], index=["experiencer"], columns=DIMENSIONS)
    >>> appraisal_profile(one).alt[:59]
    'Dot profile of the 22 appraisals, 1 (strongly disagree) to '
    """
    need(ratings, DIMENSIONS)
    if len(ratings) > len(MARKERS):
        raise ValueError(
            f"{len(ratings)} profiles in one figure can't be told apart: choose up to "
            f"{len(MARKERS)} rows, or draw means."
        )
    rows = grouped_rows(DIMENSIONS)
    place = {dimension: y for y, (_, dimension) in enumerate(rows) if dimension}
    several = len(ratings) > 1
    height = _heights(ratings, place)
    figure, axes = canvas(1.2 + len(rows) * (0.25 + 0.025 * (len(ratings) - 1)))
    if several:
        ends = ratings[list(place)].astype(float)
        axes.hlines(
            list(place.values()), ends.min(), ends.max(), color="#BBBBBB", linewidth=2, zorder=1
        )
    for (name, row), y, colour, marker in zip(
        ratings.iterrows(), height, COLOURS, MARKERS, strict=False
    ):
        axes.plot(
            [row[dimension] for dimension in place],
            y,
            linestyle="none",
            marker=marker,
            color=colour,
            markersize=5 if len(ratings) > 2 else 7,
            markerfacecolor=colour if marker == "D" else "white",
            markeredgewidth=1.4,
            label=str(name),
            zorder=2,
        )
    for y, (_, dimension) in enumerate(rows):
        if dimension is None:
            axes.axhspan(y - 0.5, y + 0.5, color="#EEEEEE", zorder=0)
    label_grouped_rows(axes, rows, range(len(rows)))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(axis="x")
    scale_axis(axes, AGREEMENT_SCALE)
    if several:
        legend_above(axes, columns=2)
    told, message = _tell_profile(ratings[list(DIMENSIONS)])
    alt = (
        "Dot profile of the 22 appraisals, 1 (strongly disagree) to 5 (strongly agree), for "
        f"{list_phrase(ratings.index)}. {told}"
    )
    return finish(figure, title or message, alt, source)


TOO_CLOSE = 0.2
"""Points on the scale: signs that are closer than this would cover one another."""


def _heights(ratings, place):
    """Where each reading stands: on its dimension's line, beside it only where signs would meet."""
    heights = np.zeros(ratings[list(place)].shape)
    for column, (dimension, y) in enumerate(place.items()):
        answers = ratings[dimension].to_numpy(float)
        for row, answer in enumerate(answers):
            close = np.flatnonzero(np.abs(answers - answer) < TOO_CLOSE)
            if len(close) > 1:
                offsets = np.linspace(-0.25, 0.25, len(close))
                heights[row, column] = offsets[np.searchsorted(close, row)]
        heights[:, column] += y
    return heights


def _tell_profile(ratings):
    if len(ratings) == 1:
        row = ratings.iloc[0].sort_values(ascending=False, kind="stable")
        agreed, disagreed = int((row > 3).sum()), int((row < 3).sum())
        message = f"{agreed} of 22 statements agreed with, {disagreed} disagreed with"
        parts = [f"{message}."]
        for word, value in (("Highest", row.max()), ("Lowest", row.min())):
            names = [dimension_name(name) for name in row.index[row == value]]
            more = f" and {len(names) - 4} more" if len(names) > 4 else ""
            parts.append(f"{word}, {plain(value)}: {', '.join(names[:4])}{more}.")
        return " ".join(parts), message
    spread = (ratings.max() - ratings.min()).sort_values(ascending=False, kind="stable")
    message = f"The readings differ most on {dimension_name(spread.index[0])}"
    parts = [
        f"{dimension_name(dimension)}: "
        + ", ".join(f"{name} {plain(v)}" for name, v in ratings[dimension].dropna().items())
        for dimension in spread.index[:3]
    ]
    same = int((spread == 0).sum())
    return f"Furthest apart on {'; '.join(parts)}. Alike on {same} of 22.", message


@house_style
def appraisal_emotion_heatmap(correlations, *, title=None, source=None):
    """Draw how each appraisal dimension goes with each emotion group.

    Parameters
    ----------
    correlations : DataFrame
        Index: appraisal dimensions; columns: emotion groups (all 20 or a few); values: correlations
        between -1 and 1, missing where an emotion was never chosen.
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        Up to five columns show the numbers; more show a sign where a correlation is 0.3 or more.

    Raises
    ------
    ValueError
        If a value lies outside -1 to 1.

    Examples
    --------
    >>> r = pd.DataFrame({"Glad, happy, joyful": [0.6, -0.5]},
    ...                  index=["congruence.general", "congruence.negative prediction error"])
    >>> print(appraisal_emotion_heatmap(r).alt)
    Heat map of correlations between 2 appraisals and 1 emotion. Strongest positive: congruence: \
general with Glad 0.60. Strongest negative: congruence: negative prediction error with Glad −0.50.
    """
    need(correlations, [])
    if (correlations.abs() > 1 + 1e-9).any(axis=None):
        raise ValueError("A correlation lies between -1 and 1. Use table.corr() to make the table.")
    import seaborn

    rows = grouped_rows(correlations.index)
    if len(rows) < len(correlations):
        rows = [(str(name), name) for name in correlations.index]
    drawn = pd.DataFrame(
        [correlations.loc[d] if d else pd.Series(np.nan, correlations.columns) for _, d in rows]
    ).astype(float)
    few = drawn.shape[1] <= 5
    written = drawn.map(lambda r: _cell_text(r, few)).to_numpy()
    limit = max(0.3, np.ceil(10 * correlations.abs().max(axis=None)) / 10)
    figure, axes = canvas(2.4 + 0.27 * len(rows))
    seaborn.heatmap(
        drawn,
        ax=axes,
        mask=drawn.isna().to_numpy(),
        vmin=-limit,
        vmax=limit,
        cmap="RdBu_r",
        linewidths=0.5,
        annot=written,
        fmt="",
        annot_kws={"fontsize": 10},
        cbar_kws={
            "location": "bottom",
            "shrink": 0.7,
            "aspect": 30,
            "label": "correlation" if few else "correlation (sign where 0.3 or stronger)",
        },
        xticklabels=[short_label(label) for label in drawn.columns],
        yticklabels=False,
    )
    axes.xaxis.tick_top()
    axes.tick_params(axis="x", length=0, rotation=0 if few else 90)
    label_grouped_rows(axes, rows, [y + 0.5 for y in range(len(rows))])
    axes.set(xlabel="", ylabel="")
    pairs = correlations.stack().dropna().sort_values(kind="stable")
    pairs.index = [f"{dimension_name(d)} with {short_label(label)}" for d, label in pairs.index]
    up, down = pairs[pairs > 0].iloc[::-1], pairs[pairs < 0]
    alt = (
        f"Heat map of correlations between {count_phrase(len(correlations), 'appraisal')} and "
        f"{count_phrase(drawn.shape[1], 'emotion')}."
    )
    if len(up):
        alt += f" Strongest positive: {named(up)}."
    if len(down):
        alt += f" Strongest negative: {named(down)}."
    strongest = pairs.abs().idxmax() if len(pairs) else "nothing"
    return finish(figure, title or f"The closest link: {strongest}", alt, source)


def _cell_text(correlation, few):
    if np.isnan(correlation):
        return ""
    if few:
        return number(correlation)
    return "" if abs(correlation) < 0.3 else ("+" if correlation > 0 else "−")
