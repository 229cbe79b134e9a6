"""What goes with what: estimates side by side, theory beside data, emotions in appraisal space."""

import textwrap

import numpy as np

from carebook.figures.parts import (
    canvas,
    dimension_name,
    dots_with_intervals,
    finish,
    grouped_rows,
    house_style,
    label_grouped_rows,
    legend_above,
    need,
    plain,
    scale_axis,
    short_label,
    tell_sides,
)
from carebook.figures.style import AGREEMENT_SCALE, BLACK, BLUE, GREY, VERMILION
from carebook.results import count_phrase, list_phrase, number, verdict

LOOKS = {
    "as stated": (BLUE, "full"),
    "can't tell": (GREY, "none"),
    "against": (VERMILION, "full"),
}
"""What the data say of a stated sign -> colour and filling of its mark."""


@house_style
def estimates(table, *, what, null=0.0, title=None, source=None):
    """Draw estimates with their intervals, sorted, and the value that means "nothing".

    Parameters
    ----------
    table : DataFrame
        Index: what was estimated; ``estimate``, ``low`` and ``high`` (ends of its interval).
        Emotion groups are written with their first word.
    what : str
        The quantity and its unit, for the axis.
    null : float, default 0.0
        The value that means "no difference": a dashed line.
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        A filled dot where the interval leaves ``null`` out, a hollow one elsewhere.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"estimate": [3.0, -0.2], "low": [2.5, -0.6], "high": [3.5, 0.2]},
    ...                      index=["Glad, happy, joyful", "Confused, disoriented, surprised"])
    >>> print(estimates(table, what="positive minus negative intensity").alt)
    Dots with 95% intervals, sorted: positive minus negative intensity. Above zero: Glad 3.00 \
(2.50 to 3.50). Interval holds zero: Confused −0.20 (−0.60 to 0.20).
    """
    need(table, ["estimate", "low", "high"])
    table = table.rename(index=short_label)
    figure, axes = canvas(1.7 + 0.29 * len(table))
    ordered = dots_with_intervals(axes, table, null=null)
    axes.set_xlabel(f"{textwrap.fill(what, 40)}\n(hollow: interval holds {plain(null)})")
    told, higher, lower = tell_sides(ordered, null)
    default = f"{higher} of {len(table)} lie above {plain(null)}, {lower} below"
    alt = f"Dots with 95% intervals, sorted: {what}. {told}"
    return finish(figure, title or default, alt, source)


@house_style
def dimension_estimates(table, *, what, title=None, source=None):
    """Draw one estimate with its interval for each appraisal dimension, group by group.

    Parameters
    ----------
    table : DataFrame
        Index: appraisal dimensions; ``estimate``, ``low`` and ``high`` (ends of its interval).
    what : str
        The quantity and its unit, for the axis.
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        In the order of the 22 statements; a filled dot where the interval leaves zero out.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"estimate": [0.4, -0.3], "low": [0.3, -0.4], "high": [0.5, -0.2]},
    ...                      index=["certainty.outlook", "certainty.novelty"])
    >>> print(dimension_estimates(table, what="item-rest correlation").alt)
    Dots with 95% intervals for 2 appraisals, by group: item-rest correlation. Above zero: \
certainty: outlook 0.40 (0.30 to 0.50). Below zero: certainty: novelty −0.30 (−0.40 to −0.20).
    """
    need(table, ["estimate", "low", "high"])
    rows = grouped_rows(table.index)
    figure, axes = canvas(1.6 + 0.27 * len(rows))
    for y, (_, dimension) in enumerate(rows):
        if dimension is None:
            axes.axhspan(y - 0.5, y + 0.5, color="#EEEEEE", zorder=0)
            continue
        row = table.loc[dimension]
        side = verdict(row["low"], row["high"])
        colour = VERMILION if side == "lower" else BLUE
        axes.plot([row["low"], row["high"]], [y, y], color=colour, linewidth=2, zorder=2)
        axes.plot(
            [row["estimate"]],
            [y],
            marker="s" if side == "lower" else "o",
            markersize=7,
            color=colour,
            markerfacecolor="white" if side == "can't tell" else colour,
            markeredgewidth=1.6,
            zorder=3,
        )
    axes.axvline(0, color=GREY, linewidth=1.2, linestyle="--", zorder=1)
    label_grouped_rows(axes, rows, range(len(rows)))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(axis="x")
    axes.locator_params(axis="x", nbins=5)
    signs = "(square: below zero,\nhollow: interval holds zero)"
    axes.set_xlabel(f"{textwrap.fill(what, 40)}\n{signs}")
    ordered = table.sort_values("estimate", ascending=False, kind="stable")
    told, higher, lower = tell_sides(ordered.rename(index=dimension_name), most=6)
    default = f"{higher} of {count_phrase(len(table), 'appraisal')} lie above zero, {lower} below"
    alt = f"Dots with 95% intervals for {count_phrase(len(table), 'appraisal')}, by group: {what}. "
    return finish(figure, title or default, alt + told, source)


@house_style
def stated_and_found(links, *, title=None, source=None):
    """Draw the signs that theories state, and whether the data show them.

    Parameters
    ----------
    links : DataFrame
        One row per stated link: ``emotion``, ``appraisal``, ``sign`` ("+" or "-", as stated),
        ``low`` and ``high`` (ends of the interval of the correlation found).
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        A triangle up for a stated plus, down for a stated minus: filled blue if the interval lies
        on the stated side, hollow grey if it holds zero, and filled orange, with a ring, if it
        lies on the other side.

    Raises
    ------
    ValueError
        If a sign is neither "+" nor "-".

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"emotion": ["Angry, frustrated, annoyed"] * 2, "sign": ["+", "-"],
    ...                       "appraisal": ["accountability.other", "accountability.fairness"],
    ...                       "low": [0.2, -0.1], "high": [0.4, 0.1]})
    >>> print(stated_and_found(table).alt)
    Grid of 2 signs that theories state, for 2 appraisals and 1 emotion. As stated 1, can't tell \
1, against 0. Can't tell: Angry with accountability: fairness (stated −).
    """
    need(links, ["emotion", "appraisal", "sign", "low", "high"])
    strange = set(links["sign"]) - {"+", "-"}
    if strange:
        raise ValueError(
            f"A stated sign is '+' or '-', not {strange.pop()!r}: leave such rows out."
        )
    rows = grouped_rows(set(links["appraisal"]))
    place = {dimension: y for y, (_, dimension) in enumerate(rows) if dimension}
    emotions = list(dict.fromkeys(links["emotion"]))
    figure, axes = canvas(2.6 + 0.27 * len(rows))
    outcomes = [_outcome(link) for link in links.itertuples()]
    for link, outcome in zip(links.itertuples(), outcomes, strict=True):
        colour, filling = LOOKS[outcome]
        at = [emotions.index(link.emotion)], [place[link.appraisal]]
        marker = "^" if link.sign == "+" else "v"
        axes.plot(*at, marker, color=colour, fillstyle=filling, markersize=8, markeredgewidth=1.4)
        if outcome == "against":
            axes.plot(*at, "o", color=colour, fillstyle="none", markersize=15, markeredgewidth=1.4)
    for y, (_, dimension) in enumerate(rows):
        if dimension is None:
            axes.axhspan(y - 0.5, y + 0.5, color="#EEEEEE", zorder=0)
    for outcome, (colour, filling) in LOOKS.items():
        axes.plot([], [], "^", color=colour, fillstyle=filling, label=outcome)
    figure.legend(loc="outside lower left", ncols=3, handletextpad=0.2)
    label_grouped_rows(axes, rows, range(len(rows)))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(-0.6, len(emotions) - 0.4)
    axes.set_xticks(range(len(emotions)), [short_label(e) for e in emotions], rotation=90)
    axes.xaxis.tick_top()
    axes.tick_params(axis="x", length=0)
    axes.grid(axis="x")
    told = [
        f"{outcome.capitalize()}: {list_phrase(_named_links(links, outcomes, outcome))}."
        for outcome in ("against", "can't tell")
        if outcome in outcomes
    ]
    counts = ", ".join(f"{outcome} {outcomes.count(outcome)}" for outcome in LOOKS)
    alt = (
        f"Grid of {count_phrase(len(links), 'sign')} that theories state, for "
        f"{count_phrase(len(place), 'appraisal')} and {count_phrase(len(emotions), 'emotion')}. "
        f"{counts.capitalize()}. {' '.join(told)}"
    )
    default = (
        f"{outcomes.count('as stated')} of {len(links)} stated signs are found, "
        f"{outcomes.count('against')} come out the other way"
    )
    return finish(figure, title or default, alt, source)


def _outcome(link):
    found = verdict(link.low, link.high)
    if found == "can't tell":
        return found
    return "as stated" if found == {"+": "higher", "-": "lower"}[link.sign] else "against"


def _named_links(links, outcomes, wanted):
    return [
        f"{short_label(link.emotion)} with {dimension_name(link.appraisal)} "
        f"(stated {'+' if link.sign == '+' else chr(0x2212)})"
        for link, outcome in zip(links.itertuples(), outcomes, strict=True)
        if outcome == wanted
    ]


@house_style
def emotion_map(places, *, x, y, moves=None, title=None, source=None):
    """Draw where emotions lie on two appraisals, and moves from one place to another.

    Parameters
    ----------
    places : DataFrame
        Index: emotion groups; for each of the two appraisals columns ``(name, "estimate")``,
        ``(name, "low")`` and ``(name, "high")``: the mean rating (1 to 5) of those who chose the
        group, and its interval.
    x, y : str
        The appraisals on the two axes.
    moves : mapping, optional
        Name of a move -> (before, after), each a pair (rating on ``x``, rating on ``y``).
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described

    Examples
    --------
    >>> import pandas as pd
    >>> columns = pd.MultiIndex.from_product([["congruence.general", "accountability.other"],
    ...                                       ["estimate", "low", "high"]])
    >>> places = pd.DataFrame([[1.8, 1.7, 1.9, 4.2, 4.1, 4.3]], columns=columns,
    ...                       index=["Angry, frustrated, annoyed"])
    >>> print(emotion_map(places, x="congruence.general", y="accountability.other").alt)
    Map of 1 emotion by mean rating on congruence: general (across) and accountability: other \
(up), each from 1 (strongly disagree) to 5 (strongly agree). Angry 1.8 across, 4.2 up.
    """
    need(places, [(name, part) for name in (x, y) for part in ("estimate", "low", "high")])
    figure, axes = canvas(5.0)
    told, taken = [], []
    for label, row in places.iterrows():
        across, up = row[x], row[y]
        axes.plot([across["low"], across["high"]], [up["estimate"]] * 2, color=BLUE, linewidth=1.6)
        axes.plot([across["estimate"]] * 2, [up["low"], up["high"]], color=BLUE, linewidth=1.6)
        _write_beside(axes, short_label(label), across["estimate"], up["estimate"], taken)
        told.append(
            f"{short_label(label)} {number(float(across['estimate']), 1)} across, "
            f"{number(float(up['estimate']), 1)} up"
        )
    for (name, (before, after)), style in zip(
        (moves or {}).items(), ("-", "--", ":"), strict=False
    ):
        arrow = {"arrowstyle": "-|>", "color": BLACK, "linestyle": style, "linewidth": 1.8}
        axes.annotate("", after, before, arrowprops=arrow | {"shrinkA": 4, "shrinkB": 0})
        axes.plot([before[0]], [before[1]], "o", color=BLACK, markersize=6)
        axes.plot([], [], color=BLACK, linestyle=style, label=name)
        told.append(
            f"move “{name}” from {plain(before[0])} across, {plain(before[1])} up to "
            f"{plain(after[0])} across, {plain(after[1])} up"
        )
    if moves:
        legend_above(axes, columns=2)
    scale_axis(axes, AGREEMENT_SCALE)
    axes.set_xlabel(f"{dimension_name(x)}\n{axes.get_xlabel()}")
    axes.set_ylim(0.5, 5.5)
    axes.set_yticks(AGREEMENT_SCALE.values)
    axes.set_ylabel(dimension_name(y))
    axes.grid()
    alt = (
        f"Map of {count_phrase(len(places), 'emotion')} by mean rating on {dimension_name(x)} "
        f"(across) and {dimension_name(y)} (up), each from 1 ({AGREEMENT_SCALE.low}) to 5 "
        f"({AGREEMENT_SCALE.high}). {'; '.join(told)}."
    )
    spread = {name: np.ptp(places[name, "estimate"]) for name in (x, y)}
    default = f"The emotions lie furthest apart on {dimension_name(max(spread, key=spread.get))}"
    return finish(figure, title or default, alt, source)


def _write_beside(axes, word, across, up, taken):
    """Write a word at the corner of a point where it covers no word written before."""
    wide, high = 0.115 * len(word), 0.26  # in rating points, at this size of figure and type
    corners = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    boxes = [(across + right * wide / 2, up + above * high / 2) for right, above in corners]
    clear = [
        all(abs(x - a) >= (wide + w) / 2 or abs(y - b) >= high for a, b, w in taken)
        for x, y in boxes
    ]
    best = clear.index(True) if any(clear) else 0
    right, above = corners[best]
    axes.annotate(
        word,
        (across, up),
        (5 * right, 4 * above),
        textcoords="offset points",
        ha="left" if right > 0 else "right",
        va="bottom" if above > 0 else "top",
        fontsize=11,
        color=BLUE,
    )
    taken.append((*boxes[best], wide))
