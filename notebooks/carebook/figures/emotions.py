"""Emotion groups: how often they are chosen, and which of them observers miss and add."""

from carebook.figures.parts import canvas, finish, house_style, legend_above, need, short_label
from carebook.figures.style import BLUE, COLOURS, MARKERS, VERMILION
from carebook.results import count_phrase, number, percent


@house_style
def label_frequencies(shares, *, title=None, source=None):
    """Draw how often each emotion group was chosen, by one perspective or several.

    Parameters
    ----------
    shares : DataFrame
        Index: emotion groups; one column per perspective, values the share of readings (0 to 1).
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        Sorted by the first column.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"experiencer": [0.4, 0.1], "observer": [0.5, 0.3]},
    ...                      index=["Glad, happy, joyful", "Angry, frustrated, annoyed"])
    >>> print(label_frequencies(table).alt)
    Dots of how often each of 2 emotions was chosen. experiencer: most often Glad 40%; least often \
Angry 10%. observer: most often Glad 50%; least often Angry 30%. Largest difference: Angry, \
experiencer 10%, observer 30%.
    """
    need(shares, [])
    ordered = shares.rename(index=short_label)
    ordered = ordered.sort_values(ordered.columns[0], ascending=False, kind="stable")
    figure, axes = canvas(1.8 + 0.29 * len(ordered))
    for y, row in enumerate(ordered.to_numpy()):
        axes.plot([row.min(), row.max()], [y, y], color="#BBBBBB", linewidth=2, zorder=1)
    for column, colour, marker in zip(ordered, COLOURS, MARKERS, strict=False):
        axes.plot(
            ordered[column],
            range(len(ordered)),
            linestyle="none",
            marker=marker,
            color=colour,
            markerfacecolor=colour if marker == "D" else "white",
            markeredgewidth=1.6,
            label=str(column),
            zorder=2,
        )
    axes.set_yticks(range(len(ordered)), list(ordered.index))
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(ordered) - 0.4, -0.6)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(lambda share, _: percent(share))
    axes.set_xlabel("share of readings in which it was chosen")
    axes.grid(axis="x")
    told = []
    for column in ordered:
        most, least = ordered[column].idxmax(), ordered[column].idxmin()
        told.append(
            f"{column}: most often {most} {percent(ordered.loc[most, column])}; least often "
            f"{least} {percent(ordered.loc[least, column])}."
        )
    default = f"{ordered.index[0]} is chosen most often, {ordered.index[-1]} least"
    if ordered.shape[1] > 1:
        legend_above(axes)
        widest = (ordered.max(axis=1) - ordered.min(axis=1)).idxmax()
        values = ", ".join(f"{c} {percent(ordered.loc[widest, c])}" for c in ordered)
        told.append(f"Largest difference: {widest}, {values}.")
        default = f"The choices differ most for {widest}"
    alt = f"Dots of how often each of {len(ordered)} emotions was chosen. {' '.join(told)}"
    return finish(figure, title or default, alt, source)


@house_style
def label_changes(changes, *, title=None, source=None):
    """Draw which emotions observers miss and which they add.

    Parameters
    ----------
    changes : DataFrame
        As :func:`carebook.perspectives.label_changes` returns it: ``label``, ``kind`` ("missed" and
        "added" are drawn), ``estimate``, ``low``, ``high`` (shares, 0 to 1), ``count``, ``out_of``.
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        Two panels, because the two shares are of different wholes: missed of the readings whose
        writer chose the label, added of those whose writer did not. Sorted by the share missed;
        a label that no writer chose has no dot on the left, for there was nothing to miss.

    Raises
    ------
    ValueError
        If a column is missing, or the table has no "missed" or no "added" rows.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"label": ["Glad, happy, joyful"] * 2, "kind": ["missed", "added"],
    ...                       "estimate": [0.4, 0.1], "low": [0.3, 0.05], "high": [0.5, 0.2],
    ...                       "count": [4, 2], "out_of": [10, 20]})
    >>> print(label_changes(table).alt)
    Dots with 95% intervals for 1 emotion. Missed, of the readings whose writer chose it: Glad 40% \
(30% to 50%; 4 of 10). Added, of the readings whose writer did not: Glad 10% (5% to 20%; 2 of 20).
    """
    need(changes, ["label", "kind", "estimate", "low", "high", "count", "out_of"])
    sides = {kind: changes[changes["kind"] == kind].set_index("label") for kind in WHOLES}
    for kind, table in sides.items():
        if not len(table):
            raise ValueError(
                f"No row is of kind {kind!r}. Pass the whole table that "
                "carebook.perspectives.label_changes() returns."
            )
    order = sides["missed"]["estimate"].sort_values(ascending=False, kind="stable").index
    figure, panels = canvas(2.1 + 0.29 * len(order), 1, 2, sharey=True)
    looks = {"missed": (VERMILION, "D", VERMILION), "added": (BLUE, "o", "white")}
    for axes, (kind, table) in zip(panels, sides.items(), strict=True):
        colour, marker, fill = looks[kind]
        drawn = table.reindex(order)
        axes.hlines(range(len(order)), drawn["low"], drawn["high"], color=colour, linewidth=2)
        axes.plot(
            drawn["estimate"],
            range(len(order)),
            linestyle="none",
            marker=marker,
            color=colour,
            markerfacecolor=fill,
            markeredgewidth=1.6,
            zorder=3,
        )
        axes.set_xlim(left=0)
        axes.xaxis.set_major_formatter(lambda share, _: percent(share))
        axes.locator_params(axis="x", nbins=4)
        axes.set_xlabel(f"{kind}, of readings\nwhose writer {WHOLES[kind]}")
        axes.grid(axis="x")
    panels[0].set_yticks(range(len(order)), [short_label(label) for label in order])
    panels[0].set_ylim(len(order) - 0.4, -0.6)
    for axes in panels:
        axes.tick_params(axis="y", length=0)
    told = {kind: _tell_shares(table) for kind, table in sides.items()}
    alt = (
        f"Dots with 95% intervals for {count_phrase(len(order), 'emotion')}. Missed, of the "
        f"readings whose writer {WHOLES['missed']}: {told['missed']}. Added, of the readings whose "
        f"writer {WHOLES['added']}: {told['added']}."
    )
    return finish(figure, title or _most_changed(sides), alt, source)


WHOLES = {"missed": "chose it", "added": "did not"}
"""Kind of change -> the readings of which its share is taken."""


def _tell_shares(table, most=4):
    known = table.dropna(subset=["estimate"])
    known = known.sort_values("estimate", ascending=False, kind="stable")
    parts = [
        f"{short_label(label)} {percent(row['estimate'])} ({percent(row['low'])} to "
        f"{percent(row['high'])}; {number(int(row['count']))} of {number(int(row['out_of']))})"
        for label, row in known.head(most).iterrows()
    ]
    more = len(known) - len(parts)
    if more:
        low, high = known["estimate"].iloc[-1], known["estimate"].iloc[len(parts)]
        parts.append(f"{more} more from {percent(low)} to {percent(high)}")
    return ", ".join(parts) or "no reading at all, 0 of 0"


def _most_changed(sides):
    missed, added = (table["estimate"].dropna() for table in sides.values())
    parts = []
    if len(missed):
        parts.append(f"{short_label(missed.idxmax())} is missed most often")
    if len(added):
        parts.append(f"{short_label(added.idxmax())} is added most often")
    return ", ".join(parts) or "No label was chosen"
