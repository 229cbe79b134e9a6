"""Kappa: agreement of two raters beyond what their own habits would give.

For one fixed pair of raters and a few categories. Raters that change from thing to thing have no
habits of their own in the table: use nominal alpha.

References
----------
Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological
Measurement, 20(1), 37-46.
Cohen, J. (1968). Weighted kappa: Nominal scale agreement provision for scaled disagreement or
partial credit. Psychological Bulletin, 70(4), 213-220.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from carebook.judgements import NoAnswer, in_order
from carebook.resampling import RESAMPLES, SEED, bootstrap, ratio, sampling_units

FEW_JUDGEMENTS = 50
"""Below this many double judgements a kappa comes with a note. A convention, not a law."""


@dataclass(frozen=True)
class Kappa:
    """Agreement of two raters beyond what their own habits would give.

    Attributes
    ----------
    kappa : float
        1 is perfect; 0 is what two raters with these habits would reach without looking.
    low, high, mc_error : float
        Bootstrap interval, and the Monte Carlo error of its ends.
    agreement, by_chance : float
        Share of agreement (weighted, if weights were asked for), and the share expected.
    judgements : int
        Things that both raters judged.
    weights : str
        ``none``, ``linear`` or ``quadratic``.
    note : str
        Empty, or why to be careful. Print it with the number.
    """

    kappa: float
    low: float
    high: float
    mc_error: float
    agreement: float
    by_chance: float
    judgements: int
    weights: str
    note: str


def cohen_kappa(
    first: pd.Series,
    second: pd.Series,
    groups: pd.Series | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Kappa:
    """Cohen's kappa of two raters, for categories without an order.

    Parameters
    ----------
    first, second : Series
        One judgement per thing from each of *the same two* raters, in the same order. Things that
        one of them did not judge are left out. For changing raters use nominal alpha.
    groups : Series, optional
        What things belong together (messages of one conversation); drawn as a whole for the
        interval. Without it each thing counts as independent of the others.
    resamples, seed : int

    Returns
    -------
    Kappa
        With a note when there are fewer than 50 double judgements.

    Raises
    ------
    NoAnswer
        If both never judged the same thing, or both always gave the same one answer.

    Examples
    --------
    >>> found = cohen_kappa(pd.Series(["yes", "yes", "no"]), pd.Series(["yes", "no", "no"]))
    >>> round(found.kappa, 2), found.note[:28]
    (0.4, 'only 3 double judgements: th')
    """
    order = pd.unique(pd.concat([first.astype(object), second.astype(object)]).dropna())
    return _kappa(first, second, list(order), "none", groups, resamples, seed)


def weighted_kappa(
    first: pd.Series,
    second: pd.Series,
    order: Sequence,
    weights: str = "linear",
    groups: pd.Series | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Kappa:
    """Cohen's weighted kappa of two raters, for categories in an order that you can argue for.

    Parameters
    ----------
    first, second, groups, resamples, seed
        As :func:`cohen_kappa`.
    order : sequence
        All categories, from low to high, at equal steps. There is no default: is "none" (a skill
        was not called for) really one step below "weak"?
    weights : {"linear", "quadratic"}
        How disagreement grows with the steps between two categories.

    Returns
    -------
    Kappa

    Examples
    --------
    >>> a, b = pd.Series([1, 2, 3, 3]), pd.Series([1, 3, 3, 2])
    >>> round(weighted_kappa(a, b, order=[1, 2, 3]).kappa, 3)
    0.429
    """
    if weights not in ("linear", "quadratic"):
        raise ValueError(f"weights must be 'linear' or 'quadratic', not {weights!r}.")
    return _kappa(first, second, list(order), weights, groups, resamples, seed)


def _kappa(first, second, order, weights, groups, resamples, seed) -> Kappa:
    if len(first) != len(second):
        raise ValueError(f"{len(first)} judgements beside {len(second)}: give one each per thing.")
    both = (first.notna().to_numpy()) & (second.notna().to_numpy())
    if not both.any():
        raise NoAnswer("The two raters judged nothing in common, so there is nothing to compare.")
    one, _ = in_order(first[both], order)
    other, _ = in_order(second[both], order)
    cells = np.zeros((len(one), len(order) ** 2))
    cells[np.arange(len(one)), one * len(order) + other] = 1.0
    steps = np.abs(np.subtract.outer(np.arange(len(order)), np.arange(len(order))))
    apart = {"none": steps > 0, "linear": steps, "quadratic": steps**2}[weights].astype(float)

    def disagreement(w):
        joint = (w @ cells).reshape(-1, len(order), len(order))
        by_chance = joint.sum(axis=2)[:, :, None] * joint.sum(axis=1)[:, None, :]
        total = joint.sum(axis=(1, 2))
        return (
            ratio((joint * apart).sum(axis=(1, 2)), total),
            ratio((by_chance * apart).sum(axis=(1, 2)), total**2),
        )

    def statistic(w):
        observed, expected = disagreement(w)
        return (1 - ratio(observed, expected))[:, None]

    observed, expected = (part[0] for part in disagreement(np.ones((1, len(one)))))
    if not expected:
        raise NoAnswer(
            "Both raters gave one and the same answer throughout. Kappa is 0/0: nothing shows "
            "whether they would have told differences."
        )
    notes = []
    if len(one) < FEW_JUDGEMENTS:
        notes.append(
            f"only {len(one)} double judgements: the interval, not the number, is the result"
        )
    low = high = error = np.nan
    belongs = pd.Series(np.arange(len(one)) if groups is None else groups.to_numpy()[both])
    if belongs.nunique() > 1:
        units = sampling_units(belongs.to_frame("thing"), ["thing"])
        band = bootstrap(statistic, units, resamples=resamples, seed=seed).iloc[0]
        low, high, error = float(band["low"]), float(band["high"]), float(band["mc_error"])
        if band["undefined"]:
            notes.append(f"{int(band['undefined'])} of {resamples} resamples had no answer")
    else:
        notes.append("one group only: no interval")
    largest = apart.max() or 1.0
    return Kappa(
        kappa=float(1 - observed / expected),
        low=low,
        high=high,
        mc_error=error,
        agreement=float(1 - observed / largest),
        by_chance=float(1 - expected / largest),
        judgements=len(one),
        weights=weights,
        note="; ".join(notes),
    )
