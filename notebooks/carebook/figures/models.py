"""What models predict, and choices beside choices."""

import numpy as np

from carebook.figures.parts import (
    canvas,
    dots_with_intervals,
    finish,
    house_style,
    legend_above,
    need,
    short_label,
)
from carebook.figures.style import BLACK, BLUE, GREEN, GREY, PURPLE, VERMILION
from carebook.results import interval, list_phrase, number, percent


@house_style
def confusion(counts, *, row="experiencer", column="observer", title=None, source=None):
    """Draw how often each choice of one side meets each choice of the other.

    Parameters
    ----------
    counts : DataFrame
        Counts; index: what ``row`` chose, columns: what ``column`` chose.
    row, column : str
        Who or what stands in the rows and in the columns.
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        Shaded by the share of each row, so that rare choices can be read beside frequent ones.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame([[6, 2], [1, 1]], index=["strong", "weak"], columns=["strong", "weak"])
    >>> print(confusion(table, row="expert 1", column="expert 2").alt)
    Table of expert 1 (rows) against expert 2 (columns), 10 in all. Same choice: 7 (70%). Most \
frequent differences: strong in the row with weak in the column 2; weak in the row with strong in \
the column 1.
    """
    need(counts, [])
    import seaborn

    shares = counts.div(counts.sum(axis=1).replace(0, np.nan), axis=0)
    figure, axes = canvas(2.2 + 0.42 * len(counts))
    narrow = counts.shape[1] > 8
    seaborn.heatmap(
        shares.fillna(0),
        ax=axes,
        vmin=0,
        vmax=1,
        cmap="Blues",
        linewidths=0.5,
        annot=counts.to_numpy(),
        fmt="g",
        annot_kws={"fontsize": 8 if narrow else 11},
        cbar_kws={"label": "share of row", "shrink": 0.8, "location": "bottom", "aspect": 30},
        xticklabels=[short_label(name) for name in counts.columns],
        yticklabels=[short_label(name) for name in counts.index],
    )
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.tick_params(length=0)
    axes.tick_params(axis="x", rotation=90 if counts.shape[1] > 4 else 0)
    axes.tick_params(axis="y", rotation=0)
    axes.set_xlabel(column, labelpad=8)
    axes.set_ylabel(row)
    total = int(counts.to_numpy().sum())
    same = sum(int(counts.loc[name, name]) for name in counts.index if name in counts.columns)
    cells = [
        (int(counts.loc[r, c]), f"{short_label(r)} in the row with {short_label(c)} in the column")
        for r in counts.index
        for c in counts.columns
        if r != c and counts.loc[r, c] > 0
    ]
    cells.sort(key=lambda cell: -cell[0])
    alt = (
        f"Table of {row} (rows) against {column} (columns), {number(total)} in all. Same choice: "
        f"{number(same)} ({percent(same / total if total else None)})."
    )
    if cells:
        told = "; ".join(f"{text} {number(count)}" for count, text in cells[:3])
        alt += f" Most frequent differences: {told}."
    default = f"{row} and {column}: the same choice in {number(same)} of {number(total)}"
    return finish(figure, title or default[0].upper() + default[1:], alt, source)


@house_style
def baseline_scores(
    scores, *, metric, constant=None, lower_is_better=False, title=None, source=None
):
    """Draw models' scores with intervals, beside the best constant.

    Parameters
    ----------
    scores : DataFrame
        Index: names of models; ``estimate``, ``low``, ``high`` and ``input_by`` (who supplied what
        the model saw: each gets its own sign, because only like may stand beside like).
    metric : str
        Name of the score, for the axis.
    constant : str, optional
        The row that is the best constant: it becomes a line across the figure.
    lower_is_better : bool, default False
        True for errors. Only the wording and the order follow it.
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described

    Raises
    ------
    ValueError
        If ``constant`` is no row of the table.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"estimate": [0.30, 0.22], "low": [0.28, 0.20], "high": [0.32, 0.24],
    ...                       "input_by": ["nobody", "text"]}, index=["constant", "words"])
    >>> print(baseline_scores(table, metric="RMSE", constant="constant", lower_is_better=True).alt)
    Dots with 95% intervals of RMSE, lower is better, best first: words (input: text) 0.22 (0.20 \
to 0.24), constant (input: nobody) 0.30 (0.28 to 0.32). A dashed line marks constant, 0.30.
    """
    need(scores, ["estimate", "low", "high", "input_by"])
    if constant is not None and constant not in scores.index:
        raise ValueError(
            f"No row is called {constant!r}; the rows are {list_phrase(scores.index)}."
        )
    inputs = list(dict.fromkeys(scores["input_by"]))
    colour_of = dict(zip(inputs, (BLACK, BLUE, VERMILION, GREEN, PURPLE, GREY), strict=False))
    marker_of = dict(zip(inputs, ("s", "D", "o", "^", "v", "P"), strict=False))
    figure, axes = canvas(2.0 + 0.36 * len(scores))
    ordered = dots_with_intervals(
        axes,
        scores,
        colours={name: colour_of[who] for name, who in scores["input_by"].items()},
        markers={name: marker_of[who] for name, who in scores["input_by"].items()},
    )
    if lower_is_better:
        ordered = ordered.iloc[::-1]
        axes.invert_yaxis()
    for who in inputs:
        axes.plot(
            [],
            [],
            linestyle="none",
            marker=marker_of[who],
            color=colour_of[who],
            label=f"input: {who}",
        )
    legend_above(axes, columns=1)
    better = "lower" if lower_is_better else "higher"
    axes.set_xlabel(f"{metric} ({better} is better)")
    told = ", ".join(
        f"{name} (input: {row['input_by']}) {number(float(row['estimate']))} "
        f"({interval(row['low'], row['high'])})"
        for name, row in ordered.iterrows()
    )
    alt = f"Dots with 95% intervals of {metric}, {better} is better, best first: {told}."
    default = f"Best {metric}: {ordered.index[0]}, {number(float(ordered['estimate'].iloc[0]))}"
    if constant is not None:
        line = float(scores.loc[constant, "estimate"])
        axes.axvline(line, color=GREY, linestyle="--", linewidth=1.2, zorder=1)
        alt += f" A dashed line marks {constant}, {number(line)}."
    return finish(figure, title or default, alt, source)
