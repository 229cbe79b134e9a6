"""What several figures are drawn and told with."""

import functools
import textwrap

from carebook.figures.described import Described, any_letter
from carebook.figures.style import BLUE, GREY, HOUSE, SYNTHETIC_MARK, VERMILION, WIDTH
from carebook.results import count_phrase, interval, list_phrase, number, percent, verdict
from carebook.vocabulary import GROUPS


def house_style(draw):
    """Let a function draw in the book's look, and leave the reader's own settings alone."""

    @functools.wraps(draw)
    def styled(*args, **kwargs):
        import matplotlib

        with matplotlib.rc_context(HOUSE), any_letter():
            return draw(*args, **kwargs)

    return styled


def canvas(height, rows=1, columns=1, **layout):
    """A new figure of the book's width, and its axes."""
    # A Figure of its own rather than pyplot's: nothing is registered, nothing is shown twice.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots(rows, columns, **layout)


def finish(figure, title, alt, source):
    """Put on the title and, for synthetic data, the mark; return figure and text together."""
    figure.suptitle(textwrap.fill(title, 48), x=0.01, ha="left", fontsize=13, fontweight="bold")
    if source is not None and source.synthetic:
        # supxlabel and not text: the layout keeps room for it.
        figure.supxlabel(SYNTHETIC_MARK, x=0.99, ha="right", fontsize=9, color="#555555")
        alt = f"{alt} ({SYNTHETIC_MARK.capitalize()}.)"
    return Described(figure, alt)


def need(table, columns):
    """Refuse a table without rows or without a column that is to be drawn."""
    missing = [column for column in columns if column not in table.columns]
    if missing:
        raise ValueError(
            f"The table has no column {list_phrase(missing)}. It has "
            f"{list_phrase(table.columns)}: rename a column or compute what is missing."
        )
    if not len(table):
        raise ValueError("The table has no rows, so there is nothing to draw: check its selection.")


def short_label(label):
    """Shorten an emotion group to its first word, for an axis.

    Examples
    --------
    >>> short_label("Hopeful, optimistic, encouraged")
    'Hopeful'
    """
    return str(label).split(",")[0]


def dimension_name(dimension):
    """Write a dimension as it reads best outside its group.

    Examples
    --------
    >>> dimension_name("control.vicarious")
    'control: vicarious'
    """
    return str(dimension).replace(".", ": ", 1)


def named(series, digits=2, most=3):
    """Write the first few values of a series as "name value"."""
    shown = series.head(most)
    return list_phrase(f"{name} {number(value, digits)}" for name, value in shown.items())


def plain(value):
    """Write a rating: a whole value without decimals, a mean with one."""
    return number(int(value)) if float(value).is_integer() else number(value, 1)


def grouped_rows(dimensions):
    """Lay dimensions out below the names of their groups: (text, dimension or None) per row."""
    rows = []
    for group, members in GROUPS.items():
        present = [dimension for dimension in members if dimension in dimensions]
        if present:
            rows.append((group, None))
            rows += [(dimension.split(".", 1)[1], dimension) for dimension in present]
    return rows


def label_grouped_rows(axes, rows, positions):
    """Write the rows of :func:`grouped_rows` beside the axes, group names in bold."""
    axes.set_yticks(positions, [text for text, _ in rows])
    axes.tick_params(axis="y", length=0)
    for label, (_, dimension) in zip(axes.get_yticklabels(), rows, strict=True):
        if dimension is None:
            label.set_fontweight("bold")


def legend_above(axes, columns=3, handles=None):
    """Put the legend above the axes."""
    # Above the axes: inside it would cover values, below it would meet the mark for synthetic data.
    axes.legend(
        handles=handles,
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=columns,
        borderpad=0.2,
        handlelength=1.4,
        handletextpad=0.4,
        columnspacing=1.2,
    )


def scale_axis(axes, scale):
    """Give the horizontal axis the answers of a scale, and the words at its ends."""
    # The end words go below the axis line; long words would collide as tick labels on a phone.
    axes.set_xticks(scale.values)
    axes.set_xlim(scale.values[0] - 0.5, scale.values[-1] + 0.5)
    axes.set_xlabel(f"{scale.values[0]} = {scale.low}, {scale.values[-1]} = {scale.high}")


def interval_mark(axes, row, y, *, marker="o", colour=BLUE, face=None, size=7):
    """Draw one estimate of a table with its interval, as a row of a figure."""
    axes.plot([row["low"], row["high"]], [y, y], color=colour, linewidth=2, zorder=2)
    axes.plot(
        [row["estimate"]],
        [y],
        marker=marker,
        markersize=size,
        color=colour,
        markerfacecolor=face or colour,
        markeredgewidth=1.6,
        zorder=3,
    )


def name_rows(axes, names, **look):
    """Write the names of a figure's rows beside the axes, the first row on top."""
    axes.set_yticks(range(len(names)), names, **look)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(names) - 0.4, -0.6)


def dots_with_intervals(axes, table, null=None, colours=None, markers=None):
    """Draw one row per line of the table, sorted; filled where the interval leaves ``null`` out."""
    ordered = table.sort_values("estimate", ascending=False, kind="stable")
    for y, (name, row) in enumerate(ordered.iterrows()):
        colour = BLUE if colours is None else colours[name]
        decided = null is None or verdict(row["low"], row["high"], null) != "can't tell"
        marker = "o" if markers is None else markers[name]
        face = colour if decided else "white"
        interval_mark(axes, row, y, marker=marker, colour=colour, face=face)
    if null is not None:
        axes.axvline(null, color=GREY, linewidth=1.2, linestyle="--", zorder=1)
    name_rows(axes, [textwrap.fill(str(n), 24) for n in ordered.index], fontsize=10)
    axes.grid(axis="x")
    return ordered


def tell_sides(ordered, null=0.0, most=4):
    """Tell which rows lie above, below or across ``null``, with estimate and interval."""
    sides = {"higher": [], "lower": [], "can't tell": []}
    for name, row in ordered.iterrows():
        ends = interval(row["low"], row["high"])
        sides[verdict(row["low"], row["high"], null)].append(
            f"{name} {number(float(row['estimate']))} ({ends})"
        )
    sides["lower"].reverse()
    parts, value = [], "zero" if null == 0 else plain(null)
    for side, words in (
        ("higher", f"Above {value}"),
        ("lower", f"Below {value}"),
        ("can't tell", f"Interval holds {value}"),
    ):
        if sides[side]:
            more = f" and {len(sides[side]) - most} more" if len(sides[side]) > most else ""
            parts.append(f"{words}: {', '.join(sides[side][:most])}{more}.")
    return " ".join(parts), len(sides["higher"]), len(sides["lower"])


def shares_with_intervals(table, what, size, noun, title, source, default):
    """Draw shares as sorted dots with intervals, and chance beside them where it is known."""
    need(table, ["estimate", "low", "high", size])
    figure, axes = canvas(1.7 + 0.4 * len(table))
    ordered = dots_with_intervals(axes, table)
    sizes = [number(int(n)) for n in ordered[size]]
    names = [f"{name} (n = {n})" for name, n in zip(ordered.index, sizes, strict=True)]
    axes.set_yticks(range(len(ordered)), names)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(lambda share, _: percent(share))
    told = []
    chance = ordered.get("chance")
    if chance is not None:
        axes.plot(
            chance,
            range(len(ordered)),
            linestyle="none",
            marker="x",
            color=VERMILION,
            markeredgewidth=2,
            label="expected by chance",
        )
        legend_above(axes)
    for line in axes.lines:
        line.set_clip_on(False)  # a dot at 0% or 100% stands on the edge, and is shown whole
    for name, row in ordered.iterrows():
        ends = f"{percent(row['low'])} to {percent(row['high'])}"
        ends = "no interval" if row.isna()["low"] else ends
        detail = f"{ends}, {count_phrase(row[size], noun)}"
        if chance is not None:
            detail += f", chance {percent(row['chance'])}"
        told.append(f"{name} {percent(row['estimate'])} ({detail})")
    axes.set_xlabel(what)
    low, high = percent(ordered["estimate"].min()), percent(ordered["estimate"].max())
    return finish(
        figure,
        title or default.format(low=low, high=high),
        f"Dots with 95% intervals, sorted: {what}. {', '.join(told)}.",
        source,
    )
