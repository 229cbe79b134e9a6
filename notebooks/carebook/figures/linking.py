"""Before the analysis: where a stored score came from, who is drawn, and who stands alone."""

import numpy as np
import pandas as pd

from carebook.figures.parts import canvas, finish, house_style, interval_mark, name_rows, need
from carebook.figures.style import BLACK, BLUE, VERMILION
from carebook.results import count_phrase, interval, number, percent

TOLERANCE = 1e-6


@house_style
def scoring_rules(possible, stored, *, title=None, source=None):
    """Draw the scores that each scoring rule can give, and the stored scores it can't.

    Parameters
    ----------
    possible : dict
        Name of a rule -> the scores it can give.
    stored : Series
        Stored scores; each different value is drawn once, missing ones not at all.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described
        One row per rule below a row of the stored values: a dot for each score the rule can give,
        a cross where a stored value is none of them.

    Raises
    ------
    ValueError
        If there is no rule or no stored score.

    Examples
    --------
    >>> rules = {"sum": [2, 3, 4], "doubled": [4, 6, 8]}
    >>> print(scoring_rules(rules, pd.Series([4.0, 6.0])).alt)
    Dots on a line of scores. Stored: 2 different values from 4.0 to 6.0. sum: 3 possible values \
from 2.0 to 4.0, leaves out 1 stored value (6). doubled: 3 possible values from 4.0 to 8.0, can \
give every stored value.
    """
    seen = np.sort(pd.Series(stored).dropna().unique().astype(float))
    if not len(seen) or not possible:
        raise ValueError("There is nothing to compare: give a rule and a stored score.")
    figure, axes = canvas(1.9 + 0.5 * len(possible))
    axes.plot(seen, np.zeros(len(seen)), "D", color=BLACK, markersize=5)
    told, fitting = [], 0
    for y, (name, values) in enumerate(possible.items(), 1):
        can = np.sort(np.unique(np.asarray(list(values), dtype=float)))
        away = np.abs(seen[:, None] - can[None, :]).min(axis=1)
        outside = seen[away > TOLERANCE]
        axes.plot(can, np.full(len(can), y), "o", color=BLUE, markersize=7, markerfacecolor="none")
        axes.plot(outside, np.full(len(outside), y), "x", color=VERMILION, markeredgewidth=1.8)
        fitting += not len(outside)
        told.append(f"{name}: {_told(can, 'possible value')}, {_left_out(outside)}.")
    names = ["stored values", *possible]
    name_rows(axes, names)
    axes.get_yticklabels()[0].set_fontweight("bold")
    axes.set_xlabel("trait score (circle: possible by the\nrule; cross: stored, but impossible)")
    axes.grid(axis="x")
    rules = count_phrase(len(possible), "rule")
    default = f"{number(fitting)} of {rules} can give every stored value"
    alt = f"Dots on a line of scores. Stored: {_told(seen, 'different value')}. {' '.join(told)}"
    return finish(figure, title or default, alt, source)


def _told(values, noun):
    ends = f"from {number(values[0], 1)} to {number(values[-1], 1)}"
    return f"{count_phrase(len(values), noun)} {ends}"


def _left_out(values, most=4):
    if not len(values):
        return "can give every stored value"
    some = ", ".join(f"{value:g}" for value in values[:most])
    more = " ..." if len(values) > most else ""
    return f"leaves out {count_phrase(len(values), 'stored value')} ({some}{more})"


@house_style
def interval_by_unit(table, *, what, title=None, source=None):
    """Draw one estimate with the intervals that follow from drawing different units.

    Parameters
    ----------
    table : DataFrame
        Index: what was drawn; ``estimate``, ``low``, ``high``; rows in the order to draw them. The
        first row is what the widths of the others are compared with.
    what : str
        What was estimated, for the axis.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described

    Examples
    --------
    >>> rows = pd.DataFrame({"estimate": [3.0, 3.0], "low": [2.9, 2.8], "high": [3.1, 3.2]},
    ...                     index=["records", "people"])
    >>> print(interval_by_unit(rows, what="mean rating").alt)
    One estimate, mean rating, with 2 intervals. Drawing records: 2.90 to 3.10, 1.0 times as wide \
as the first. Drawing people: 2.80 to 3.20, 2.0 times as wide as the first.
    """
    need(table, ["estimate", "low", "high"])
    figure, axes = canvas(1.7 + 0.45 * len(table))
    width = table["high"] - table["low"]
    times = width / width.iloc[0]
    for y, (name, row) in enumerate(table.iterrows()):
        interval_mark(axes, row, y)
        axes.annotate(
            f"× {number(float(times[name]), 1)}",
            (row["high"], y),
            (6, 0),
            textcoords="offset points",
            va="center",
            fontsize=10,
        )
    name_rows(axes, [f"draw {name}" for name in table.index])
    axes.margins(x=0.12)
    axes.set_xlabel(f"{what}\n(×: width compared with the first)")
    axes.grid(axis="x")
    told = [
        f"Drawing {name}: {interval(row['low'], row['high'])}, {number(float(times[name]), 1)} "
        "times as wide as the first."
        for name, row in table.iterrows()
    ]
    widest = times.idxmax()
    default = f"Drawing {widest}: {number(float(times[widest]), 1)} times the width of the first"
    alt = f"One estimate, {what}, with {number(len(table))} intervals. {' '.join(told)}"
    return finish(figure, title or default, alt, source)


@house_style
def alone_by_fields(shares, *, title=None, source=None):
    """Draw how many people are the only one with their answers, as fields are added one by one.

    Parameters
    ----------
    shares : Series
        Index: the field added in each step; values: the share of people, 0 to 1, whose combination
        of all fields up to there nobody else has.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described

    Examples
    --------
    >>> print(alone_by_fields(pd.Series({"age": 0.02, "sex": 0.1})).alt)
    Bars: share of people alone with their combination of fields, a field added at each step. age \
2%, then sex 10%.
    """
    if not len(shares):
        raise ValueError("There are no fields to draw: pass one share for each step.")
    figure, axes = canvas(1.6 + 0.38 * len(shares))
    names = [f"{'+ ' if step else ''}{name}" for step, name in enumerate(shares.index)]
    bars = axes.barh(range(len(shares)), shares, color=BLUE, height=0.7)
    axes.bar_label(bars, [percent(share) for share in shares], padding=4, fontsize=10)
    axes.set_yticks(range(len(shares)), names)
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.08)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    axes.xaxis.set_major_formatter(lambda share, _: percent(share))
    axes.set_xlabel("share of people who are alone")
    steps = ", then ".join(f"{name} {percent(share)}" for name, share in shares.items())
    default = f"With {count_phrase(len(shares), 'field')}, {percent(shares.iloc[-1])} are alone"
    alt = (
        "Bars: share of people alone with their combination of fields, a field added at each step. "
        f"{steps}."
    )
    return finish(figure, title or default, alt, source)
