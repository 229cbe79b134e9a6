"""How far two views of one story lie apart: single readings, pairs of answers, parts of an error.

These figures put an observer beside the writer they read, or beside another observer. Each answers
one way in which a simpler picture misleads: piles of answers that hide the pairs, a mean that hides
the spread, an agreement that strangers reach as well.
"""

import textwrap

import numpy as np

from carebook.figures.parts import (
    canvas,
    dimension_name,
    finish,
    grouped_rows,
    house_style,
    label_grouped_rows,
    legend_above,
    need,
    plain,
)
from carebook.figures.style import (
    AGREEMENT_SCALE,
    BLACK,
    BLUE,
    COLOURS,
    GREEN,
    GREY,
    MARKERS,
    VERMILION,
)
from carebook.results import count_phrase, list_phrase, number, percent
from carebook.vocabulary import DIMENSIONS, GROUPS

RING = 26
"""Area of the circle of one reader, in square points."""

DISC, OPEN = 22, 12
"""Area of one observer's disc, and side of the writer's diamond in points: an open diamond holds
the disc of five observers, so that none hides the other."""


@house_style
def story_readings(stories, *, title=None, source=None):
    """Draw every observer's rating beside the writer's, for one story or two.

    No means: a mean of 3 may be five people who answer 3, or people at both ends. Writer and
    observers stand on one line, so that a distance is a difference in rating and nothing else. The
    writer's sign is open, so that one sees how many observers gave the same answer.

    Parameters
    ----------
    stories : dict
        Name of a story -> (the writer's ratings, a Series over the 22 dimensions; the observers',
        a DataFrame with one row per observer). One or two stories.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described
        An open diamond for the writer; a filled circle for the observers, larger where more of
        them gave that answer. An empty diamond: nobody gave the writer's answer.

    Raises
    ------
    ValueError
        If there is no story or more than two, or a dimension is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> own = pd.Series(3.0, index=list(DIMENSIONS))
    >>> five = pd.DataFrame([[3.0] * 22] * 5, columns=DIMENSIONS)
    >>> print(story_readings({"a story": (own, five)}).alt[-87:])
    the writer lies outside their range on 0 of 22 statements; they all agree on 22 of 22.
    """
    if not 1 <= len(stories) <= 2:
        raise ValueError(f"{len(stories)} stories: draw one, or two side by side.")
    rows = grouped_rows(DIMENSIONS)
    place = {dimension: y for y, (_, dimension) in enumerate(rows) if dimension}
    figure, panels = canvas(1.5 + 0.27 * len(rows), 1, len(stories), sharey=True, squeeze=False)
    told, outside = [], []
    for axes, (name, (own, observed)) in zip(panels[0], stories.items(), strict=True):
        need(observed, DIMENSIONS)
        own, observed = own[list(DIMENSIONS)].astype(float), observed[list(DIMENSIONS)]
        counts = observed.melt(var_name="dimension", value_name="answer").value_counts()
        where = counts.index.get_level_values("dimension").map(place)
        axes.scatter(
            counts.index.get_level_values("answer").astype(float),
            where.astype(float),
            s=DISC * min(1.0, 5 / counts.max()) * counts.to_numpy(),
            color=VERMILION,
            linewidths=0,
            zorder=2,
        )
        axes.plot(
            [own[d] for d in place],
            list(place.values()),
            linestyle="none",
            marker="D",
            markersize=OPEN,
            markerfacecolor="none",
            markeredgecolor=BLUE,
            markeredgewidth=1.4,
            zorder=3,
        )
        for y, (_, dimension) in enumerate(rows):
            if dimension is None:
                axes.axhspan(y - 0.5, y + 0.5, color="#EEEEEE", zorder=0)
        axes.set_xticks(AGREEMENT_SCALE.values)
        axes.set_xlim(0.5, 5.5)
        axes.grid()
        if len(stories) > 1:
            axes.set_title(name, fontsize=11)
        words, away = _tell_readings(own, observed.astype(float))
        told.append(f"{name}, {words}")
        outside.append(away)
    label_grouped_rows(panels[0, 0], rows, range(len(rows)))
    panels[0, 0].set_ylim(len(rows) - 0.5, -0.5)
    words = f"1 = {AGREEMENT_SCALE.low},", f"5 = {AGREEMENT_SCALE.high}"
    signs = "diamond: writer,", "circle: observers"
    if len(stories) == 1:
        panels[0, 0].set_xlabel(f"{' '.join(words)}\n({' '.join(signs)})", fontsize=11)
    else:
        for axes, lines in zip(panels[0], (words, signs), strict=True):
            axes.set_xlabel("\n".join(lines), fontsize=10)
    default = (
        f"The writer answers outside the observers' range on {outside[0]} of 22 statements"
        if len(stories) == 1
        else "The same questions, answered together and apart"
    )
    alt = (
        "Ratings of 22 statements from 1 (strongly disagree) to 5 (strongly agree), each reader "
        f"drawn: {'. '.join(told)}."
    )
    return finish(figure, title or default, alt, source)


def _tell_readings(own, observed):
    low, high = observed.min(), observed.max()
    away = own.index[(own < low) | (own > high)]
    width = (high - low).sort_values(ascending=False, kind="stable")
    alike = int((width == 0).sum())
    said = (
        f"{count_phrase(len(observed), 'observer')}: the writer lies outside their range on "
        f"{len(away)} of 22 statements"
    )
    if len(away):
        some = [f"{dimension_name(d)} (writer {plain(own[d])})" for d in away[:3]]
        said += f", among them {list_phrase(some)}"
    if width.iloc[0] > 0:
        far = [
            f"{dimension_name(d)} ({plain(low[d])} to {plain(high[d])})"
            for d in width.index[:2]
            if width[d] > 0
        ]
        said += f"; furthest apart on {list_phrase(far)}"
    return f"{said}; they all agree on {alike} of 22", len(away)


@house_style
def paired_answers(tables, *, name, scale=AGREEMENT_SCALE, title=None, source=None):
    """Draw which answers stand beside which: the writer's against the observer's.

    Piles of answers show the margins of such a table only. Two tables with the same margins, one
    as it was and one dealt at random, show what the piles can't.

    Parameters
    ----------
    tables : dict
        Heading -> DataFrame of counts: index the writer's answers, columns the observer's, as
        ``pandas.crosstab`` makes it. One table or two.
    name : str
        What was answered, a dimension or a phrase.
    scale : Scale, default AGREEMENT_SCALE
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described
        Each cell's share of all readings; a dark frame where both gave the same answer.

    Examples
    --------
    >>> import pandas as pd
    >>> read = pd.crosstab(pd.Series([1, 2, 5], name="own"), pd.Series([1, 3, 5], name="observed"))
    >>> print(paired_answers({"as read": read}, name="control.general").alt)
    Grid of the writer's and the observer's answers to control: general, from 1 (strongly \
disagree) to 5 (strongly agree). as read (3 readings): same answer in 67%, one point apart in 33%, \
further apart in 0%.
    """
    figure, panels = canvas(3.9 if len(tables) > 1 else 4.4, 1, len(tables), squeeze=False)
    values = list(scale.values)
    told, same = [], []
    top = max(float((t / t.to_numpy().sum()).max(axis=None)) for t in tables.values())
    steps = np.abs(np.subtract.outer(values, values))
    for axes, (heading, table) in zip(panels[0], tables.items(), strict=True):
        total = int(table.to_numpy().sum())
        if not total:
            raise ValueError(f"The table {heading!r} counts nothing: check the selection.")
        share = table.reindex(index=values, columns=values, fill_value=0).to_numpy() / total
        axes.imshow(share, cmap="Blues", vmin=0, vmax=top, origin="lower")
        for y, row in enumerate(share):
            for x, value in enumerate(row):
                shown = percent(value) if value >= 0.005 else ""
                colour = "white" if value > 0.6 * top else BLACK
                axes.text(x, y, shown, ha="center", va="center", fontsize=9, color=colour)
            axes.add_patch(_frame(y))
        axes.set_xticks(range(len(values)), values)
        axes.set_yticks(range(len(values)), values)
        axes.set_xlabel("observer's answer")
        axes.set_title(heading, fontsize=11)
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
        exact, near = (float(share[steps == step].sum()) for step in (0, 1))
        further = float(share[steps > 1].sum())
        same.append(f"{percent(exact)} {heading}")
        told.append(
            f"{heading} ({count_phrase(total, 'reading')}): same answer in {percent(exact)}, one "
            f"point apart in {percent(near)}, further apart in {percent(further)}."
        )
    panels[0, 0].set_ylabel("writer's answer")
    alt = (
        f"Grid of the writer's and the observer's answers to {dimension_name(name)}, from "
        f"{values[0]} ({scale.low}) to {values[-1]} ({scale.high}). {' '.join(told)}"
    )
    return finish(figure, title or f"Same answer: {', '.join(same)}", alt, source)


def _frame(place):
    from matplotlib.patches import Rectangle

    return Rectangle((place - 0.5, place - 0.5), 1, 1, fill=False, edgecolor=BLACK, linewidth=1.5)


PARTS = {
    "from the means": (VERMILION, "///"),
    "from the spreads": (GREEN, "..."),
    "from the order": (BLUE, ""),
}
"""Parts of a squared error -> colour and hatching."""


@house_style
def error_parts(parts, *, title=None, source=None):
    """Draw where each dimension's squared error comes from.

    Parameters
    ----------
    parts : DataFrame
        Index: dimensions; columns ``from the means``, ``from the spreads`` and ``from the order``,
        in squared rating points, as :func:`carebook.perspectives.split_squared_error` names them.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described
        Stacked bars from zero, the largest error on top.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame([[0.1, 0.1, 0.8], [0.0, 0.0, 0.5]], columns=list(PARTS),
    ...                      index=["control.general", "control.select"])
    >>> print(error_parts(table).alt)
    Stacked bars of the mean squared error for 2 dimensions. Largest: control: general 1.00 (0.10 \
from the means, 0.10 from the spreads, 0.80 from the order). Smallest: control: select 0.50 (0.00 \
from the means, 0.00 from the spreads, 0.50 from the order). Over all: 7% from the means, 7% from \
the spreads, 87% from the order.
    """
    need(parts, list(PARTS))
    parts = parts[list(PARTS)].rename(index=dimension_name)
    parts = parts.loc[parts.sum(axis=1).sort_values(ascending=False, kind="stable").index]
    figure, axes = canvas(1.8 + 0.32 * len(parts))
    left = np.zeros(len(parts))
    for part, (colour, hatch) in PARTS.items():
        axes.barh(
            range(len(parts)),
            parts[part],
            left=left,
            color=colour,
            hatch=hatch,
            edgecolor="white",
            linewidth=0.5,
            label=part.removeprefix("from the "),
        )
        left = left + parts[part].to_numpy()
    axes.set_yticks(range(len(parts)), [textwrap.fill(name, 24) for name in parts.index])
    axes.tick_params(axis="y", length=0, labelsize=10)
    axes.set_ylim(len(parts) - 0.4, -0.6)
    axes.set_xlabel("mean squared error (squared points),\nby the part that it comes from")
    axes.set_xlim(left=0)
    axes.grid(axis="x")
    legend_above(axes)
    shares = parts.sum() / parts.to_numpy().sum()
    told = ", ".join(f"{percent(shares[part])} {part}" for part in PARTS)
    alt = f"Stacked bars of the mean squared error for {count_phrase(len(parts), 'dimension')}. "
    for word, row in (("Largest", parts.iloc[0]), ("Smallest", parts.iloc[-1])):
        inside = ", ".join(f"{number(float(row[part]))} {part}" for part in PARTS)
        alt += f"{word}: {row.name} {number(float(row.sum()))} ({inside}). "
    default = f"{percent(shares.max())} of the error comes {shares.idxmax()}"
    return finish(figure, title or default, f"{alt}Over all: {told}.", source)


@house_style
def similarities(table, *, what="correlation of two profiles", title=None, source=None):
    """Draw how two or three kinds of pair are alike: the whole distributions, and their means.

    Parameters
    ----------
    table : DataFrame
        One column for each kind of pair, say "with the writer" and "with a stranger"; one row per
        observer record; values -1 to 1. Missing values are left out.
    what : str
        What was computed, for the axis.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described
        Outlines of histograms on common bins, as shares, with a line at each mean.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"with the writer": [0.8, 0.6], "with a stranger": [0.1, 0.7]})
    >>> print(similarities(table).alt)
    Histograms of correlation of two profiles. with the writer: mean 0.70, from 0.60 to 0.80, 2 \
readings. with a stranger: mean 0.40, from 0.10 to 0.70, 2 readings. “with a stranger” reaches the \
mean of “with the writer” in 50%.
    """
    need(table, [])
    kinds = [column for column in table if table[column].notna().any()]
    if not kinds:
        raise ValueError("No pair has a value, so there is nothing to draw.")
    figure, axes = canvas(3.9)
    bins = np.linspace(-1, 1, 41)
    told = []
    for kind, colour, hatch in zip(kinds, COLOURS, ("", "///", "..."), strict=False):
        values = table[kind].dropna().to_numpy(float)
        shares = np.histogram(values, bins)[0] / len(values)
        axes.stairs(shares, bins, fill=True, color=colour, alpha=0.25)
        axes.stairs(shares, bins, color=colour, linewidth=1.8, hatch=hatch, label=kind)
        axes.axvline(values.mean(), color=colour, linewidth=2, linestyle="--")
        told.append(
            f"{kind}: mean {number(float(values.mean()))}, from {number(float(values.min()))} to "
            f"{number(float(values.max()))}, {count_phrase(len(values), 'reading')}."
        )
    first = float(table[kinds[0]].mean())
    for kind in kinds[1:]:
        reach = float((table[kind].dropna() >= first).mean())
        told.append(f"“{kind}” reaches the mean of “{kinds[0]}” in {percent(reach)}.")
    lowest = float(table[kinds].min(axis=None))
    axes.set_xlim(min(-0.25, np.floor(10 * lowest) / 10), 1)
    axes.yaxis.set_major_formatter(lambda share, _: percent(share))
    axes.set(xlabel=f"{what}\n(dashed: mean)", ylabel="share of readings")
    axes.grid(axis="y")
    legend_above(axes, columns=2)
    means = [f"{number(float(table[kind].mean()))} {kind}" for kind in kinds]
    alt = f"Histograms of {what}. {' '.join(told)}"
    return finish(figure, title or f"Mean: {list_phrase(means)}", alt, source)


@house_style
def looks_of_agreement(panels, *, title=None, source=None):
    """Draw stories with the answers of all their readers, for several degrees of agreement.

    Parameters
    ----------
    panels : dict
        Heading, such as "alpha 0.30" -> DataFrame of answers from 1 to 5: a row for each story, a
        column for each reader.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described
        Stories sorted by their mean; a circle is larger where more readers gave that answer.

    Examples
    --------
    >>> import pandas as pd
    >>> print(looks_of_agreement({"alpha 1.00": pd.DataFrame([[1, 1], [5, 5]])}).alt)
    Answers of all readers, story by story. alpha 1.00 (2 stories, 2 readers each): the readers of \
a story span 0.0 points on average.
    """
    if not panels:
        raise ValueError("There is no panel to draw: give at least one heading with its answers.")
    figure, drawn = canvas(0.9 + 1.55 * len(panels), len(panels), sharex=True, squeeze=False)
    told = []
    for axes, (heading, answers) in zip(drawn[:, 0], panels.items(), strict=True):
        need(answers, [])
        ordered = answers.loc[answers.mean(axis=1).sort_values(kind="stable").index].to_numpy(float)
        for x, row in enumerate(ordered, 1):
            values, counts = np.unique(row[~np.isnan(row)], return_counts=True)
            axes.scatter(
                np.full(len(values), x),
                values,
                s=RING * counts,
                facecolors="none",
                edgecolors=BLUE,
                linewidths=1.4,
            )
        axes.set_yticks(AGREEMENT_SCALE.values)
        axes.set_ylim(0.4, 5.6)
        axes.set_title(heading, fontsize=11, loc="left")
        axes.grid(axis="y")
        span = float(np.nanmean(np.nanmax(ordered, axis=1) - np.nanmin(ordered, axis=1)))
        told.append(
            f"{heading} ({count_phrase(len(answers), 'story', 'stories')}, "
            f"{count_phrase(answers.shape[1], 'reader')} each): the readers of a story span "
            f"{number(span, 1)} points on average."
        )
    drawn[-1, 0].set_xticks([])
    drawn[-1, 0].set_xlabel("stories, sorted by their mean (larger: more readers)")
    alt = f"Answers of all readers, story by story. {' '.join(told)}"
    return finish(figure, title or "What agreement looks like", alt, source)


@house_style
def among_and_with(table, *, title=None, source=None):
    """Draw how far observers agree with each other against how far they agree with the writer.

    If all that the observers of a story had in common were the writer's own answer, the correlation
    with the writer would be the root of their agreement. That is the curve. Below it, observers
    share something that isn't the writer's.

    Parameters
    ----------
    table : DataFrame
        Index: dimensions; ``among``, the agreement of two observers of one story (alpha or an
        intraclass correlation); ``with_writer``, the correlation of an observer with the writer.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described
        A sign and a colour for each group of dimensions; the dimensions at the ends are named.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"among": [0.64, 0.25], "with_writer": [0.8, 0.3]},
    ...                      index=["congruence.general", "control.select"])
    >>> print(among_and_with(table).alt)
    Scatter plot of 2 dimensions: agreement among observers against correlation with the writer. \
Most agreed on: congruence: general (0.64; with the writer 0.80). Least: control: select (0.25; \
with the writer 0.30). 1 of 2 lie below the curve, furthest control: select.
    """
    need(table, ["among", "with_writer"])
    table = table.dropna(subset=["among", "with_writer"])
    need(table, [])
    figure, axes = canvas(5.0)
    for (group, members), colour, marker in zip(GROUPS.items(), COLOURS, MARKERS, strict=False):
        some = table.loc[[d for d in members if d in table.index]]
        if len(some):
            axes.plot(
                some["among"],
                some["with_writer"],
                linestyle="none",
                marker=marker,
                markersize=7,
                color=colour,
                markerfacecolor=colour if marker == "D" else "white",
                markeredgewidth=1.6,
                label=group,
            )
    shared = np.linspace(0, 1, 101)
    axes.plot(shared, np.sqrt(shared), color=GREY, linestyle="--", linewidth=1.4, zorder=1)
    axes.annotate(
        "dashed: all that they share\nis the writer's view",
        (0.02, 0.98),
        xycoords="axes fraction",
        va="top",
        fontsize=10,
        color="#555555",
    )
    short = np.sqrt(table["among"].clip(lower=0)) - table["with_writer"]
    below = int((short > 1e-9).sum())
    ends = {"Most agreed on": table["among"].idxmax(), "Least": table["among"].idxmin()}
    for dimension in dict.fromkeys(ends.values()):
        axes.annotate(
            textwrap.fill(dimension_name(dimension), 20),
            tuple(table.loc[dimension, ["among", "with_writer"]].astype(float)),
            (14, -34),
            textcoords="offset points",
            va="top",
            fontsize=10,
            arrowprops={"arrowstyle": "-", "color": GREY, "shrinkB": 4},
        )
    low = min(0.0, float(table[["among", "with_writer"]].min(axis=None)))
    axes.set(xlim=(low, 1), ylim=(low, 1), xlabel="agreement among observers (alpha)")
    axes.set_ylabel("correlation of an observer with the writer")
    axes.grid()
    legend_above(axes)
    told = " ".join(
        f"{word}: {dimension_name(d)} ({number(float(table.loc[d, 'among']))}; with the writer "
        f"{number(float(table.loc[d, 'with_writer']))})."
        for word, d in ends.items()
    )
    alt = (
        f"Scatter plot of {count_phrase(len(table), 'dimension')}: agreement among observers "
        f"against correlation with the writer. {told} {below} of {len(table)} lie below the curve"
    )
    alt += f", furthest {dimension_name(short.idxmax())}." if below else "."
    default = f"On {below} of {len(table)} dimensions observers share more than the writer's view"
    return finish(figure, title or default, alt, source)


@house_style
def discoveries(families, *, title=None, source=None):
    """Draw how many of many tests came out significant, beside how many do by chance.

    Parameters
    ----------
    families : dict
        Name of a family of tests -> (number found, array of the numbers found when chance dealt the
        values out, number of tests).
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described
        One histogram per family with a line at what was found.

    Examples
    --------
    >>> print(discoveries({"age": (9, np.array([4, 5, 5, 6]), 100)}).alt)
    Histograms of the number of significant tests when values are dealt out by chance. age (100 \
tests): chance gives 5.0 on average, 4 to 6 in 95% of deals; found: 9.
    """
    if not families:
        raise ValueError("There is no family of tests to draw.")
    figure, panels = canvas(0.9 + 1.9 * len(families), len(families), sharex=True, squeeze=False)
    told, heads = [], []
    for axes, (name, (found, draws, tests)), colour in zip(
        panels[:, 0], families.items(), COLOURS, strict=False
    ):
        draws = np.asarray(draws, dtype=int)
        numbers, counts = np.unique(draws, return_counts=True)
        axes.bar(numbers, counts / len(draws), width=1.0, color="#BBBBBB", edgecolor="white")
        axes.axvline(found, color=colour, linewidth=2.5)
        axes.annotate(
            f"found: {number(int(found))}",
            (found, 0.97),
            (6, 0),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            va="top",
            fontsize=11,
            color=colour,
        )
        axes.set_title(f"{name} ({number(int(tests))} tests)", fontsize=11, loc="left")
        axes.yaxis.set_major_formatter(lambda share, _: percent(share))
        axes.set_ylabel("share of deals")
        axes.margins(x=0.08)
        axes.set_ylim(0, 1.3 * counts.max() / len(draws))  # room for the label above the bars
        low, high = np.percentile(draws, [2.5, 97.5]).round()
        told.append(
            f"{name} ({number(int(tests))} tests): chance gives {number(float(draws.mean()), 1)} "
            f"on average, {number(int(low))} to {number(int(high))} in 95% of deals; found: "
            f"{number(int(found))}."
        )
        heads.append(f"{number(int(found))} by {name}")
    panels[-1, 0].set_xlabel("tests with p < .05 (grey: if values are dealt out by chance)")
    alt = (
        "Histograms of the number of significant tests when values are dealt out by chance. "
        f"{' '.join(told)}"
    )
    return finish(figure, title or f"Significant: {', '.join(heads)}", alt, source)
