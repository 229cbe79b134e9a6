"""The experiencer beside the observers: answers, gaps, panels."""

import numpy as np
import pandas as pd

from carebook.figures.parts import (
    canvas,
    dimension_name,
    dots_with_intervals,
    finish,
    house_style,
    legend_above,
    need,
    tell_sides,
)
from carebook.figures.style import AGREEMENT_SCALE, BLUE, COLOURS, HATCHES, VERMILION
from carebook.results import count_phrase, number, percent
from carebook.vocabulary import STATEMENTS


@house_style
def answer_distribution(answers, *, name, scale=AGREEMENT_SCALE, title=None, source=None):
    """Draw what share of each perspective gave each answer.

    Shares rather than counts: there are five observers to one experiencer. Bars rather than a
    smooth curve: the answers are a few whole numbers.

    Parameters
    ----------
    answers : DataFrame
        One row per reading, with ``perspective`` and ``value`` (an answer on ``scale``).
    name : str
        What was answered: a dimension, or a phrase such as "positive intensity".
    scale : Scale, default AGREEMENT_SCALE
        Possible answers; ``POSITIVE_SCALE`` and ``NEGATIVE_SCALE`` serve the intensities.
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described

    Raises
    ------
    ValueError
        If an answer is not on the scale.

    Examples
    --------
    >>> table = pd.DataFrame({"perspective": ["experiencer", "experiencer", "observer", "observer"],
    ...                       "value": [5, 4, 2, 2]})
    >>> print(answer_distribution(table, name="control.general").alt)
    Paired bars of answers to control: general, from 1 (strongly disagree) to 5 (strongly agree). \
experiencer (2 readings): 1: 0%, 2: 0%, 3: 0%, 4: 50%, 5: 50%; mean 4.50. observer (2 readings): \
1: 0%, 2: 100%, 3: 0%, 4: 0%, 5: 0%; mean 2.00.
    """
    need(answers, ["perspective", "value"])
    answers = answers.dropna(subset=["value"])
    strange = sorted(set(answers["value"]) - set(scale.values))
    if strange:
        raise ValueError(
            f"{strange[0]!r} is no answer on the scale {scale.values[0]} to {scale.values[-1]}. "
            "Pass the scale that belongs to these answers, say scale=POSITIVE_SCALE."
        )
    import seaborn

    shares = (
        pd.crosstab(answers["perspective"], answers["value"], normalize="index")
        .reindex(columns=scale.values, fill_value=0.0)
        .rename_axis(columns="value")
    )
    perspectives = list(shares.index)
    long = shares.stack().rename("share").reset_index().astype({"perspective": object})
    sizes = answers["perspective"].value_counts()
    figure, axes = canvas(3.9)
    # Order is given for both axes of the comparison: left to itself, seaborn has been seen to swap
    # two groups under some releases of pandas 3.
    seaborn.barplot(
        long,
        x="value",
        y="share",
        hue="perspective",
        order=scale.values,
        hue_order=perspectives,
        palette=list(COLOURS[: len(perspectives)]),
        saturation=1,
        errorbar=None,
        edgecolor="white",
        ax=axes,
    )
    for bars, perspective, hatch in zip(axes.containers, perspectives, HATCHES, strict=False):
        bars.set_label(f"{perspective} (n = {number(int(sizes[perspective]))})")
        for bar in bars:
            bar.set_hatch(hatch)
    legend_above(axes, columns=2, handles=axes.containers)
    axes.set_xlabel(f"{scale.values[0]} = {scale.low}, {scale.values[-1]} = {scale.high}")
    axes.set_ylabel("share of readings")
    axes.yaxis.set_major_formatter(lambda share, _: percent(share))
    axes.grid(axis="y")
    means = answers.groupby("perspective", observed=True)["value"].mean()
    told = " ".join(
        f"{p} ({count_phrase(sizes[p], 'reading')}): "
        + ", ".join(f"{value}: {percent(shares.loc[p, value])}" for value in scale.values)
        + f"; mean {number(means[p])}."
        for p in perspectives
    )
    asked = f"“{STATEMENTS[name]}”" if name in STATEMENTS else f"{name.capitalize()}."
    default = f"{asked} Mean: " + ", ".join(f"{p} {number(means[p], 1)}" for p in perspectives)
    alt = (
        f"Paired bars of answers to {dimension_name(name)}, from {scale.values[0]} ({scale.low}) "
        f"to {scale.values[-1]} ({scale.high}). {told}"
    )
    return finish(figure, title or default, alt, source)


@house_style
def gap_by_dimension(gaps, *, title=None, source=None):
    """Draw how far observers' ratings lie from the experiencer's, dimension by dimension.

    Parameters
    ----------
    gaps : DataFrame
        Index: dimensions; ``estimate`` (observer minus experiencer, in points of the 1-5 scale),
        ``low`` and ``high`` (ends of its interval): the rows with statistic "gap" of
        :func:`carebook.perspectives.dimension_gaps`, ``dimension`` set as index.
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        Sorted by estimate; a filled dot where the interval leaves zero out, a hollow one elsewhere.

    Examples
    --------
    >>> table = pd.DataFrame({"estimate": [0.5, -0.1], "low": [0.3, -0.3], "high": [0.7, 0.1]},
    ...                      index=["control.general", "control.select"])
    >>> print(gap_by_dimension(table).alt)
    Dots with 95% intervals, sorted: observer minus experiencer in rating points. Above zero: \
control: general 0.50 (0.30 to 0.70). Interval holds zero: control: select −0.10 (−0.30 to 0.10).
    """
    need(gaps, ["estimate", "low", "high"])
    table = gaps.rename(index=dimension_name)
    figure, axes = canvas(1.7 + 0.32 * len(table))
    ordered = dots_with_intervals(axes, table, null=0)
    axes.set_xlabel("observer minus experiencer, in rating points\n(hollow: interval holds zero)")
    told, higher, lower = tell_sides(ordered)
    default = (
        f"Observers rate {higher} of {len(table)} dimensions higher than the experiencer, "
        f"{lower} lower"
    )
    alt = "Dots with 95% intervals, sorted: observer minus experiencer in rating points. " + told
    return finish(figure, title or default, alt, source)


@house_style
def panel_curve(curve, *, title=None, source=None):
    """Draw how the error of averaged observers falls as the panel grows.

    Parameters
    ----------
    curve : DataFrame
        As :func:`carebook.perspectives.panel_curve` returns it: index panel size k; ``rmse`` and,
        where known, ``low`` and ``high``; ``shared``, the part of the *squared* error that all
        observers have in common, is drawn as its root: no panel gets below that line.
    title, source : optional
        As in :func:`appraisal_profile`.

    Returns
    -------
    Described
        The axis starts at zero, so that a fall looks as large as it is.

    Examples
    --------
    >>> table = pd.DataFrame({"rmse": [0.40, 0.32], "shared": 0.09}, index=[1, 5])
    >>> print(panel_curve(table).alt)
    Line of normalised RMSE over panel size: 1 observer 0.40, 5 observers 0.32. From 1 to 5 the \
error falls by 20%. The part that all observers share, a dashed line, lies at 0.30.
    """
    need(curve, ["rmse"])
    curve = curve.sort_index()
    errors = curve["rmse"]
    figure, axes = canvas(3.6)
    if {"low", "high"} <= set(curve.columns):
        axes.fill_between(
            curve.index.astype(float), curve["low"], curve["high"], color=BLUE, alpha=0.2, lw=0
        )
    axes.plot(curve.index, errors, color=BLUE, marker="o", linewidth=2)
    for k, value in errors.items():
        axes.annotate(
            number(float(value)),
            (k, value),
            (0, 7),
            textcoords="offset points",
            ha="center",
            fontsize=10,
        )
    values = ", ".join(
        f"{count_phrase(k, 'observer')} {number(float(value))}" for k, value in errors.items()
    )
    change = 1 - errors.iloc[-1] / errors.iloc[0]
    alt = (
        f"Line of normalised RMSE over panel size: {values}. From {curve.index[0]} to "
        f"{curve.index[-1]} the error {_moved(change)}."
    )
    if "shared" in curve:
        alt += _draw_shared_error(axes, curve["shared"].iloc[0])
    axes.set_xticks(curve.index)
    top = max(errors.max(), curve["high"].max() if "high" in curve else 0)
    axes.set(xlabel="observers averaged", ylabel="normalised RMSE", ylim=(0, 1.18 * top))
    axes.grid(axis="y")
    default = (
        f"Averaging {curve.index[-1]} observers changes the error from "
        f"{number(float(errors.iloc[0]))} to {number(float(errors.iloc[-1]))}"
    )
    return finish(figure, title or default, alt, source)


def _moved(fall):
    if abs(fall) < 1e-9:
        return "stays what it is"
    return f"{'falls' if fall > 0 else 'rises'} by {percent(abs(fall))}"


def _draw_shared_error(axes, shared):
    # An unbiased estimate of a square can fall below zero; a root can't be drawn there.
    floor = float(np.sqrt(max(shared, 0)))
    axes.axhline(floor, color=VERMILION, linestyle="--", linewidth=1.5)
    axes.annotate(
        "shared by all observers",
        (1, floor),
        (0, -4),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        ha="right",
        va="top",
        fontsize=10,
        color=VERMILION,
    )
    return f" The part that all observers share, a dashed line, lies at {number(floor)}."
