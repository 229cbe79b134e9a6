"""Scores and what stands behind them: guesses, comparisons, chance, labels, words, hedging."""

import textwrap

import numpy as np

from carebook.figures.parts import (
    canvas,
    finish,
    house_style,
    interval_mark,
    legend_above,
    name_rows,
    need,
    short_label,
)
from carebook.figures.style import BLACK, BLUE, COLOURS, GREY, MARKERS, VERMILION
from carebook.results import MINUS, count_phrase, interval, list_phrase, number, percent

GRID_LOOKS = {"better": ("^", BLUE, BLUE), "worse": ("v", VERMILION, VERMILION)}
GRID_UNDECIDED = ("o", GREY, "white")


@house_style
def guess_curves(scores, *, lower=(), title=None, source=None):
    """Draw what one guess for everybody would score, under several metrics.

    Parameters
    ----------
    scores : DataFrame
        Index: the guess; one column for each metric, missing where a guess makes no sense.
    lower : sequence of str
        Those of the metrics in which lower is better.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described
        One panel for each metric, its best guess marked.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"RMSE": [0.5, 0.3, 0.4], "exact": [0.1, 0.2, 0.6]}, index=[0, 3, 6])
    >>> print(guess_curves(table, lower=["RMSE"]).alt)
    2 curves over the number that is guessed for everybody, 0 to 6. RMSE (lower is better): best \
0.30 with the guess 3; 0.50 at 0, 0.40 at 6. exact (higher is better): best 0.60 with the guess 6; \
0.10 at 0, 0.60 at 6.
    """
    need(scores, [])
    figure, panels = canvas(1.2 + 1.45 * scores.shape[1], scores.shape[1], sharex=True)
    told, places = [], []
    first, last = scores.index[0], scores.index[-1]
    for axes, (metric, values) in zip(np.atleast_1d(panels), scores.items(), strict=True):
        curve = values.dropna()
        best = curve.idxmin() if metric in lower else curve.idxmax()
        places.append(f"{best:.3g}")
        # Where only some guesses make sense, a dot shows which.
        sign = "." if len(curve) < len(values) else ""
        axes.plot(curve.index, curve, color=BLUE, linewidth=2, marker=sign, markersize=9)
        axes.plot([best], [curve[best]], "o", color=VERMILION, markersize=8)
        axes.axvline(best, color=GREY, linestyle="--", linewidth=1.2, zorder=1)
        sense = "lower" if metric in lower else "higher"
        axes.set_title(f"{metric} ({sense} is better)", loc="left", fontsize=12)
        axes.margins(y=0.15)
        axes.grid(axis="y")
        ends = [f"{number(float(curve[end]))} at {end:g}" for end in curve.index[[0, -1]]]
        told.append(
            f"{metric} ({sense} is better): best {number(float(curve[best]))} with the guess "
            f"{best:.3g}; {', '.join(ends)}."
        )
    axes.set_xlabel("the guess for everybody (dot: the best one)")
    alt = (
        f"{count_phrase(len(told), 'curve')} over the number that is guessed for everybody, "
        f"{first:g} to {last:g}. {' '.join(told)}"
    )
    default = f"The best guess depends on the metric: {list_phrase(places)}"
    return finish(figure, title or default, alt, source)


@house_style
def comparison_grid(table, *, title=None, source=None):
    """Draw planned comparisons: which model is better, on which output, and by how much.

    Parameters
    ----------
    table : DataFrame
        What :func:`carebook.baselines.differences` returns: ``model``, ``against``, ``output``,
        ``estimate`` (model minus against) and ``better`` (a name, or "can't tell").
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described
        A row for each pair, a column for each output: a triangle upwards where the model of the row
        is better, downwards where it is worse, a hollow circle where it can't be told, each with
        the difference below it.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"model": ["words"] * 2, "against": ["constant"] * 2,
    ...                       "output": ["negative_level", "positive_labels"],
    ...                       "estimate": [-0.06, 0.01], "better": ["words", "can't tell"]})
    >>> print(comparison_grid(table).alt)
    Grid of 1 comparison on 2 outputs. words against constant: negative intensity better (−0.06), \
positive labels can't tell (0.01).
    """
    need(table, ["model", "against", "output", "estimate", "better"])
    pairs = list(dict.fromkeys(zip(table["model"], table["against"], strict=True)))
    outputs = list(dict.fromkeys(table["output"]))
    figure, axes = canvas(1.9 + 0.72 * len(pairs))
    told = {pair: [] for pair in pairs}
    counts = dict.fromkeys(("better", "worse", "can't tell"), 0)
    for row in table.itertuples():
        side = {row.model: "better", row.against: "worse"}.get(row.better, "can't tell")
        counts[side] += 1
        marker, edge, face = GRID_LOOKS.get(side, GRID_UNDECIDED)
        x, y = outputs.index(row.output), pairs.index((row.model, row.against))
        axes.plot([x], [y - 0.1], marker, color=edge, markerfacecolor=face, markersize=10)
        size = _size(row.estimate)
        axes.annotate(size, (x, y + 0.34), ha="center", va="center", fontsize=10)
        told[row.model, row.against].append(f"{_output(row.output)} {side} ({size})")
    for side, (marker, edge, face) in {**GRID_LOOKS, "can't tell": GRID_UNDECIDED}.items():
        axes.plot([], [], marker, color=edge, markerfacecolor=face, label=side)
    figure.legend(loc="outside lower left", ncols=3, handletextpad=0.2)
    shown = [f"{model}\nvs. {other}" for model, other in pairs]
    axes.set_yticks(range(len(pairs)), shown, fontsize=10)
    columns = [textwrap.fill(_output(output), 12) for output in outputs]
    axes.set_xticks(range(len(outputs)), columns)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.set_xlim(-0.6, len(outputs) - 0.4)
    axes.set_ylim(len(pairs) - 0.4, -0.6)
    for y in range(1, len(pairs)):
        axes.axhline(y - 0.5, color="#DDDDDD", linewidth=1)
    lines = [f"{one} against {other}: {', '.join(told[one, other])}." for one, other in pairs]
    alt = (
        f"Grid of {count_phrase(len(pairs), 'comparison')} on "
        f"{count_phrase(len(outputs), 'output')}. {' '.join(lines)}"
    )
    undecided = counts["can't tell"]
    default = (
        f"Better in {counts['better']} of {len(table)} comparisons, worse in {counts['worse']}, "
        f"undecided in {undecided}"
    )
    return finish(figure, title or default, alt, source)


def _size(difference):
    """A difference for a grid: one that rounds to zero is not printed as none."""
    text = number(float(difference))
    return "≈ 0" if float(text.replace(MINUS, "-").replace(",", "")) == 0 else text


def _output(name):
    """An output as text calls it: intensities are stored as levels."""
    return name.replace("_level", " intensity").replace("_", " ")


@house_style
def chance_range(table, *, what, title=None, source=None):
    """Draw scores beside the range in which they would lie if nothing had been learned.

    Parameters
    ----------
    table : DataFrame
        Index: the cases, in the order to draw them; ``estimate`` (the score, a share), ``low`` and
        ``high`` (ends of the range that chance covers).
    what : str
        The score, for the axis.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described
        A grey bar for the range of chance; a filled diamond outside of it, a hollow one inside.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"estimate": [0.96, 0.51], "low": [0.46, 0.45], "high": [0.54, 0.55]},
    ...                      index=["by rows", "by stories"])
    >>> print(chance_range(table, what="share predicted").alt)
    Scores beside the range of chance: share predicted. by rows 96%, above chance (46% to 54%). by \
stories 51%, within chance (45% to 55%).
    """
    need(table, ["estimate", "low", "high"])
    figure, axes = canvas(1.7 + 0.55 * len(table))
    told, beyond = [], 0
    for y, (name, row) in enumerate(table.iterrows()):
        side = "above" if row["estimate"] > row["high"] else "within"
        side = "below" if row["estimate"] < row["low"] else side
        beyond += side == "above"
        ends, style = [row["low"], row["high"]], {"color": "#BBBBBB", "solid_capstyle": "butt"}
        axes.plot(ends, [y, y], linewidth=12, zorder=1, **style)
        axes.plot(
            [row["estimate"]],
            [y],
            "D",
            color=BLUE if side == "within" else VERMILION,
            markerfacecolor="white" if side == "within" else VERMILION,
            markersize=8,
            markeredgewidth=1.8,
        )
        told.append(
            f"{name} {percent(row['estimate'])}, {side} chance ({percent(row['low'])} to "
            f"{percent(row['high'])})."
        )
    axes.plot([], [], linewidth=8, label="range of chance", **style)
    legend_above(axes)
    name_rows(axes, [textwrap.fill(str(n), 24) for n in table.index])
    axes.set_xlim(0, 1.03)
    axes.xaxis.set_major_formatter(lambda share, _: percent(share))
    axes.set_xlabel(what)
    axes.grid(axis="x")
    alt = f"Scores beside the range of chance: {what}. {' '.join(told)}"
    default = f"{beyond} of {len(table)} lie above what chance explains"
    return finish(figure, title or default, alt, source)


@house_style
def label_scores(table, *, what, title=None, source=None):
    """Draw a score of each label beside what a blind guess earns; rare labels get their counts.

    Parameters
    ----------
    table : DataFrame
        Index: labels; ``estimate``, ``low``, ``high`` (missing for a label too rare to be scored),
        ``chance`` (what a blind guess earns) and ``narratives`` (how many carry the label).
    what : str
        The score, for the axis.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described
        Sorted by how many narratives carry the label.

    Examples
    --------
    >>> import pandas as pd
    >>> nothing = float("nan")
    >>> table = pd.DataFrame({"estimate": [0.8, nothing], "low": [0.7, nothing],
    ...                       "high": [0.9, nothing], "chance": [0.4, 0.01],
    ...                       "narratives": [400, 9]}, index=["Angry, annoyed", "Calm, relaxed"])
    >>> print(label_scores(table, what="average precision").alt)
    Dots with 95% intervals, most frequent label first: average precision. Angry 0.80 (0.70 to \
0.90), blind guess 0.40, 400 narratives. Too rare for a score: Calm, 9 narratives.
    """
    need(table, ["estimate", "low", "high", "chance", "narratives"])
    ordered = table.sort_values("narratives", ascending=False, kind="stable")
    figure, axes = canvas(1.7 + 0.4 * len(ordered))
    told, rare, ticks = [], [], []
    for y, (label, row) in enumerate(ordered.iterrows()):
        count = int(row["narratives"])
        ticks.append(f"{short_label(label)} (n = {number(count)})")
        if np.isnan(row["estimate"]):
            rare.append(f"{short_label(label)}, {count_phrase(count, 'narrative')}")
            axes.annotate("too rare for a score", (0.02, y), va="center", fontsize=10)
            continue
        interval_mark(axes, row, y)
        axes.plot([row["chance"]], [y], "x", color=VERMILION, markersize=8, markeredgewidth=2)
        told.append(
            f"{short_label(label)} {number(float(row['estimate']))} "
            f"({interval(row['low'], row['high'])}), blind guess "
            f"{number(float(row['chance']))}, {count_phrase(count, 'narrative')}"
        )
    axes.plot([], [], "o", color=BLUE, label="model")
    axes.plot([], [], "x", color=VERMILION, markeredgewidth=2, label="blind guess")
    legend_above(axes)
    name_rows(axes, ticks)
    axes.set_xlim(0, 1)
    axes.set_xlabel(what)
    axes.grid(axis="x")
    parts = [f"{'; '.join(told)}."] if told else []
    parts += [f"Too rare for a score: {'; '.join(rare)}."] if rare else []
    alt = f"Dots with 95% intervals, most frequent label first: {what}. {' '.join(parts)}"
    default = f"{len(told)} of {len(ordered)} labels are frequent enough for a score"
    return finish(figure, title or default, alt, source)


@house_style
def heaviest_words(weights, *, target, listed=(), most=10, title=None, source=None):
    """Draw the words a model leans on most, in both directions.

    Parameters
    ----------
    weights : Series
        Index: words; values: their weights, as :func:`carebook.baselines.word_weights` returns.
    target : str
        What is predicted.
    listed : collection of str
        Words that are to stand out: those of the emotion-word list.
    most : int, default 10
        How many words to each side.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described
        Filled bars for listed words, hatched ones for all others.

    Examples
    --------
    >>> import pandas as pd
    >>> found = pd.Series({"angry": 1.5, "boiler": 1.0, "van": -1.0, "proud": -2.0})
    >>> emotions = {"angry", "proud"}
    >>> print(heaviest_words(found, target="intensity", listed=emotions, most=2).alt)
    Bars: the words on which a model of intensity leans most. Upwards: angry 1.50 (emotion word), \
boiler 1.00. Downwards: proud −2.00 (emotion word), van −1.00. Emotion words: 2 of 4.
    """
    ordered = weights.sort_values(ascending=False, kind="stable")
    up, down = ordered[ordered > 0].head(most), ordered[ordered < 0].tail(most)
    if not len(up) and not len(down):
        raise ValueError("No word has any weight, so there is nothing to draw.")
    shown = list(up.items()) + list(down.items())
    figure, axes = canvas(1.8 + 0.26 * len(shown))
    for y, (word, weight) in enumerate(shown):
        known = word in listed
        axes.barh(
            y,
            weight,
            height=0.72,
            color=BLUE if known else "#DDDDDD",
            edgecolor=BLUE if known else GREY,
            hatch="" if known else "///",
        )
    axes.barh([0], [0], color=BLUE, edgecolor=BLUE, label="in the emotion-word list")
    axes.barh([0], [0], color="#DDDDDD", edgecolor=GREY, hatch="///", label="any other word")
    legend_above(axes, columns=2)
    axes.axvline(0, color=BLACK, linewidth=1)
    name_rows(axes, [word for word, _ in shown], fontsize=10)
    axes.set_xlabel(f"weight of the word for {target}")
    axes.grid(axis="x")
    count = sum(word in listed for word, _ in shown)
    parts = [
        f"{name}: {', '.join(_weighed(word, weight, listed) for word, weight in side)}."
        for name, side in (
            ("Upwards", list(up.items())),
            ("Downwards", list(down.items())[::-1]),
        )
        if side
    ]
    alt = (
        f"Bars: the words on which a model of {target} leans most. {' '.join(parts)} "
        f"Emotion words: {count} of {len(shown)}."
    )
    default = f"Of the {len(shown)} heaviest words, {count} name an emotion"
    return finish(figure, title or default, alt, source)


def _weighed(word, weight, listed):
    return f"{word} {number(float(weight))}{' (emotion word)' if word in listed else ''}"


@house_style
def judges(panels, *, lower=(), title=None, source=None):
    """Draw the same judges under several scores, side by side.

    Parameters
    ----------
    panels : dict of str to DataFrame
        Name of a score -> table with the same index in all, the judges, in the order to draw them;
        ``estimate``, ``low``, ``high``.
    lower : sequence of str
        Those of the scores in which lower is better.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"estimate": [0.26, 0.27], "low": [0.25, 0.26], "high": [0.27, 0.28]},
    ...                      index=["words", "one observer"])
    >>> print(judges({"RMSE": table}, lower=["RMSE"]).alt)
    2 judges under 1 score, dots with 95% intervals. RMSE (lower is better): words 0.26 (0.25 to \
0.27), one observer 0.27 (0.26 to 0.28).
    """
    if not panels:
        raise ValueError("There is nothing to draw: pass a table for each score.")
    for table in panels.values():
        need(table, ["estimate", "low", "high"])
    names = list(next(iter(panels.values())).index)
    figure, axes_of = canvas(1.9 + 0.42 * len(names), 1, len(panels), sharey=True)
    told, best_of = [], []
    for axes, (score, table) in zip(np.atleast_1d(axes_of), panels.items(), strict=True):
        sense = "lower" if score in lower else "higher"
        places = table["estimate"].rank(ascending=score in lower)
        best_of.append(places.idxmin())
        for y, name in enumerate(names):
            look = {"marker": MARKERS[y % len(MARKERS)], "colour": COLOURS[y % len(COLOURS)]}
            interval_mark(axes, table.loc[name], y, size=8, **look)
        axes.set_xlabel(textwrap.fill(f"{score} ({sense} is better)", 24))
        axes.grid(axis="x")
        axes.margins(x=0.12)
        axes.locator_params(axis="x", nbins=4)
        values = ", ".join(
            f"{name} {number(float(row['estimate']))} ({interval(row['low'], row['high'])})"
            for name, row in table.loc[names].iterrows()
        )
        told.append(f"{score} ({sense} is better): {values}.")
    first = np.atleast_1d(axes_of)[0]
    name_rows(first, [textwrap.fill(str(name), 20) for name in names])
    for axes in np.atleast_1d(axes_of):
        axes.tick_params(axis="y", length=0)
    alt = (
        f"{count_phrase(len(names), 'judge')} under {count_phrase(len(panels), 'score')}, dots "
        f"with 95% intervals. {' '.join(told)}"
    )
    told_best = [f"{name} on {score}" for name, score in zip(best_of, panels, strict=True)]
    default = f"Best: {list_phrase(told_best)}"
    if len(panels) > 1 and len(set(best_of)) == 1:
        default = f"Best under each score: {best_of[0]}"
    return finish(figure, title or default, alt, source)


@house_style
def mean_answers(table, *, what, title=None, source=None):
    """Draw the mean answer of several judges at each true answer, beside the diagonal.

    Parameters
    ----------
    table : DataFrame
        Index: the true answers, rising; a column for each judge: the mean answer given there.
    what : str
        What was answered, for the axes.
    title, source : optional
        As in :func:`carebook.figures.appraisal_profile`.

    Returns
    -------
    Described
        On the dashed diagonal the mean answer would equal the true one. A straight line through
        the points rises by the correlation of answer and truth times the spread of the answers in
        units of the truth's: it is flat for error as for caution.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"words": [1.8, 3.7], "one observer": [1.1, 4.2]}, index=[0, 6])
    >>> print(mean_answers(table, what="negative intensity").alt)
    Lines: mean answer by the true negative intensity, 0 to 6; on the diagonal the two are equal. \
words 1.8 at 0, 3.7 at 6. one observer 1.1 at 0, 4.2 at 6.
    """
    need(table, [])
    figure, axes = canvas(4.4)
    ends = [table.index[0], table.index[-1]]
    axes.plot(ends, ends, color=GREY, linestyle="--", linewidth=1.4, label="answer equals truth")
    told = []
    for place, (name, line) in enumerate(table.items()):
        axes.plot(
            table.index,
            line,
            color=COLOURS[place % len(COLOURS)],
            marker=MARKERS[place % len(MARKERS)],
            linewidth=2,
            label=name,
        )
        values = ", ".join(f"{number(float(line[end]), 1)} at {end:g}" for end in ends)
        told.append(f"{name} {values}.")
    legend_above(axes, columns=2)
    axes.set_xlabel(f"{what}, as the writer reported it")
    axes.set_ylabel("mean answer")
    axes.grid()
    alt = (
        f"Lines: mean answer by the true {what}, {ends[0]:g} to {ends[1]:g}; on the diagonal the "
        f"two are equal. {' '.join(told)}"
    )
    rise = table.iloc[-1] - table.iloc[0]
    default = f"Rises least with the truth: {rise.idxmin()}"
    return finish(figure, title or default, alt, source)
