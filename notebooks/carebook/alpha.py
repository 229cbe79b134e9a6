"""Krippendorff's alpha, and its bootstrap for many columns at once.

Alpha compares the disagreement inside units with the disagreement expected if the same judgements
were dealt out to units at random. It takes missing cells and any number of raters.

References
----------
Hayes, A. F., & Krippendorff, K. (2007). Answering the call for a standard reliability measure for
coding data. Communication Methods and Measures, 1(1), 77-89.
Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. University of Pennsylvania.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Number

import numpy as np
import pandas as pd

from carebook.judgements import Judgements, NoAnswer, in_order, judgements, refuse_slots
from carebook.resampling import (
    RESAMPLES,
    SEED,
    Draws,
    Units,
    bootstrap_draws,
    interval_table,
    ratio,
    sampling_units,
)

LEVELS_OF_MEASUREMENT = ("nominal", "ordinal", "interval", "ratio")

FEWEST_DISAGREEING, FEWEST_UNLIKE = 2, 4
"""Units drawn that have to hold a disagreement, or something else than the commonest judgement."""


@dataclass(frozen=True)
class Alpha:
    """Krippendorff's alpha and what it rests on.

    Attributes
    ----------
    alpha : float
        1 is perfect agreement, 0 is what dealing the same judgements out at random would give;
        below 0 raters disagree more than that.
    level : str
        Level of measurement that decided how far apart two judgements are.
    observed, expected : float
        Mean squared distance of two judgements within a unit, and of any two judgements.
        ``alpha = 1 - observed / expected``.
    units, judgements, raters : int
        What was used: units with two judgements or more, and who gave them.
    dropped_units, dropped_judgements : int
        Units with a single judgement, which cannot agree or disagree; their judgements.
    """

    alpha: float
    level: str
    observed: float
    expected: float
    units: int
    judgements: int
    raters: int
    dropped_units: int
    dropped_judgements: int


def krippendorff_alpha(
    table: pd.DataFrame,
    unit: str,
    rater: str,
    value: str,
    level: str,
    order: Sequence | None = None,
) -> Alpha:
    """Krippendorff's alpha of one column of judgements.

    Parameters
    ----------
    table : DataFrame
        One row per judgement. A missing value is a judgement not made; raters may be many and
        each judge only some units.
    unit, rater, value : str
        Columns: what was judged, by whom, and the judgement.
    level : {"nominal", "ordinal", "interval", "ratio"}
        Nominal: same or not. Ordinal: how many judgements lie between. Interval: squared
        difference. Ratio: squared difference relative to the sum; for values from 0 up.
    order : sequence, optional
        For ordinal words: the categories from low to high. Numbers and ordered categoricals bring
        their own order.

    Returns
    -------
    Alpha

    Raises
    ------
    NoAnswer
        If no unit has two judgements, or all judgements are the same: with nothing to tell apart,
        agreement has no answer (not 1).
    ValueError
        If a rater judged a unit twice, or the level does not fit the values.

    Notes
    -----
    Coincidence matrices and differences as in Krippendorff (2011), whose worked example (4
    observers, 12 units, some cells missing) is a test here: .743 nominal, .815 ordinal, .849
    interval, .797 ratio.

    Examples
    --------
    >>> judged = pd.DataFrame(
    ...     {"text": list("aabbcc"), "who": list("xyxyxy"), "mark": [1, 1, 2, 2, 3, 2]}
    ... )
    >>> result = krippendorff_alpha(judged, "text", "who", "mark", level="interval")
    >>> round(result.alpha, 3), result.units
    (0.706, 3)
    """
    judged = judgements(table, unit, rater)
    codes, scores = _categories(table[value], level, order)
    return _alpha(_pairable(judged, codes), scores, level)


def alpha_table(
    table: pd.DataFrame,
    unit: str,
    rater: str,
    values: Sequence[str],
    level: str,
    order: Sequence | None = None,
    resample: Sequence[str] | None = None,
    people: Sequence[str] = (),
    resamples: int = RESAMPLES,
    coverage: float = 0.95,
    seed: int = SEED,
) -> pd.DataFrame:
    """Alpha of several columns, each with a bootstrap interval.

    Parameters
    ----------
    table, unit, rater, level, order
        As :func:`krippendorff_alpha`.
    values : sequence of str
        Columns of judgements, for instance the 22 appraisal dimensions.
    resample : sequence of str, optional
        Identifier columns to draw. By default the units and the raters, if raters recur; the
        units alone, if they don't. Give ``["writer_id", rater]`` where writers have several
        units, or ``[unit]`` for an interval that holds the raters fixed.
    people : sequence of str
        Those of ``resample`` that share one set of person identifiers.
    resamples, coverage, seed
        As ``level`` and the like in :func:`carebook.resampling.bootstrap`.

    Returns
    -------
    DataFrame
        Index: the columns judged. ``alpha``, ``low``, ``high``, ``mc_error``, ``undefined``,
        ``units``, ``judgements``, ``dropped_units``, ``raters``, and ``reason`` (empty, or why
        there is no answer or no interval). ``attrs["resampled"]`` says in words what was drawn.

    Notes
    -----
    A unit drawn twice counts as two units. A rater drawn twice is *not* two raters who agree: only
    pairs of different raters are counted.

    No interval is given where drawing again could hardly show anything else: where fewer than two
    of the units drawn (or what is drawn in their place, such as conversations) hold a disagreement,
    or fewer than four hold another judgement than the commonest. Without a disagreement each draw
    gives 1, and the interval would be a point; with one, it says how often that one was drawn.
    Where all but k units look alike, about exp(-k) of the draws have nothing to tell apart and no
    alpha; from four on these are fewer than the 2.5% that an end of the interval cuts off.

    Examples
    --------
    >>> judged = pd.DataFrame({"text": range(8), "mark": [1, 0, 0, 0, 0, 0, 0, 0]})
    >>> twice = pd.concat([judged.assign(who="x"), judged.assign(who="y")])
    >>> mark = alpha_table(twice, "text", "who", ["mark"], "nominal", resample=["text"]).loc["mark"]
    >>> print(mark["alpha"], mark["low"], mark["reason"])
    1.0 nan No unit holds a disagreement, so drawing again can't show one: no interval.
    """
    judged = judgements(table, unit, rater)
    if resample is None:
        resample = [unit, rater]
    refuse_slots(table, [c for c in resample if c == rater])
    units = sampling_units(table, resample, people)
    rows, point, groups = {}, {}, {}
    for value in values:
        try:
            codes, scores = _categories(table[value], level, order)
            pairable = _pairable(judged, codes)
            point[value] = _alpha(pairable, scores, level)
        except NoAnswer as why:
            rows[value] = {"alpha": np.nan, "reason": str(why)}
            continue
        used = pairable["used"]
        groups.setdefault(used.tobytes(), (used, {}))[1][value] = (codes, scores)
    for used, columns in groups.values():
        drawn = _alpha_draws(judged, used, columns, level, units, resamples, seed)
        bands = interval_table(
            drawn.estimate, drawn.draws, list(columns), coverage, drawn.scale_error
        )
        for value, (codes, _) in columns.items():
            found = point[value]
            reason = _why_no_interval(judged.unit[used], codes[used], units.at(used).codes)
            if reason:
                bands.loc[value, ["low", "high", "mc_error"]] = np.nan
            rows[value] = {
                "alpha": found.alpha,
                **bands.loc[value, ["low", "high", "mc_error", "undefined"]].to_dict(),
                "units": found.units,
                "judgements": found.judgements,
                "dropped_units": found.dropped_units,
                "raters": found.raters,
                "reason": reason,
            }
    columns = ["alpha", "low", "high", "mc_error", "undefined", "units", "judgements"]
    columns += ["dropped_units", "raters", "reason"]
    out = pd.DataFrame.from_dict(rows, orient="index", columns=columns).reindex(list(values))
    counts = ["undefined", "units", "judgements", "dropped_units", "raters"]
    out[counts] = out[counts].astype("Int64")
    out.attrs["resampled"] = units.sentence
    return out


def _categories(values: pd.Series, level: str, order) -> tuple[np.ndarray, np.ndarray]:
    """Code of each judgement (-1 where missing) and the score of each category, in order."""
    if level not in LEVELS_OF_MEASUREMENT:
        raise ValueError(f"level must be one of {', '.join(LEVELS_OF_MEASUREMENT)}, not {level!r}.")
    if order is not None:
        return in_order(values, list(order))
    if isinstance(values.dtype, pd.CategoricalDtype):
        if values.cat.ordered and level == "ordinal":
            return in_order(values, list(values.cat.categories))
        words = not pd.api.types.is_numeric_dtype(values.cat.categories.dtype)
        values = values.astype(object if words else float)
    if values.dtype == object and all(isinstance(v, Number) for v in values.dropna()):
        values = values.astype(float)  # numbers in a column of objects are numbers
    numeric = pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values)
    if level != "nominal" and not numeric:
        raise ValueError(
            f"{values.name!r} holds words, and {level} alpha needs "
            + (
                "their order: give order=[lowest, ..., highest]."
                if level == "ordinal"
                else "numbers. For words use nominal, or ordinal with an order."
            )
        )
    if not numeric:
        codes, _ = pd.factorize(values)
        return codes, np.arange(codes.max(initial=-1) + 1, dtype=float)
    numbers = values.to_numpy(dtype=float, na_value=np.nan)
    there = ~np.isnan(numbers)
    if np.isinf(numbers).any():
        raise ValueError(f"{values.name!r} holds an infinite value.")
    scores, found = np.unique(numbers[there], return_inverse=True)
    if level == "ratio" and (scores < 0).any():
        raise ValueError(f"{values.name!r} holds negative values; a ratio scale starts at 0.")
    codes = np.full(len(numbers), -1)
    codes[there] = found
    return codes, scores


def _pairable(judged: Judgements, codes: np.ndarray) -> dict:
    """Judgements in units with two or more of them, and what is left out."""
    made = codes >= 0
    per_unit = np.bincount(judged.unit[made], minlength=judged.unit.max(initial=-1) + 1)
    used = made & (per_unit[judged.unit] > 1)
    if not used.any():
        raise NoAnswer(
            "No unit was judged by two raters or more, so nothing can be compared. Agreement "
            "cannot be estimated from these data."
        )
    return {
        "used": used,
        "unit": judged.unit[used],
        "codes": codes[used],
        "raters": len(np.unique(judged.rater[used])),
        "dropped": int(np.sum(per_unit == 1)),
    }


def _alpha(pairable: dict, scores: np.ndarray, level: str) -> Alpha:
    unit, codes = pairable["unit"], pairable["codes"]
    together = _unit_coincidences(unit, codes, len(scores)).sum(axis=0)
    if np.count_nonzero(together.sum(axis=0)) < 2:
        raise NoAnswer(
            "All judgements that can be compared are the same. Where nothing differs, nothing "
            "shows whether raters would tell differences: alpha is 0/0, not 1."
        )
    observed, expected = _disagreement(together, scores, level)
    return Alpha(
        alpha=float(1 - observed / expected),
        level=level,
        observed=float(observed),
        expected=float(expected),
        units=len(np.unique(unit)),
        judgements=len(unit),
        raters=pairable["raters"],
        dropped_units=pairable["dropped"],
        dropped_judgements=pairable["dropped"],
    )


def _why_no_interval(unit: np.ndarray, codes: np.ndarray, drawn: Sequence[np.ndarray]) -> str:
    """Why drawing again could show nothing else, or nothing; empty where an interval can be had."""
    _, first, unit = np.unique(unit, return_index=True, return_inverse=True)
    low, high = np.full(len(first), codes.max()), np.zeros(len(first), dtype=int)
    np.minimum.at(low, unit, codes)
    np.maximum.at(high, unit, codes)
    apart, varied = (low < high)[unit], codes != np.bincount(codes).argmax()
    # Units, or what they stand in if that is drawn; who judged is neither.
    whole = [code for code in drawn if np.array_equal(code, code[first][unit])] or [unit]
    disagreeing, unlike = (
        min(len(np.unique(code[rows])) for code in whole) for rows in (apart, varied)
    )
    if disagreeing == 0:
        return "No unit holds a disagreement, so drawing again can't show one: no interval."
    if unlike < FEWEST_UNLIKE:
        return (
            f"Judgements other than the commonest stand in only {unlike} of what is drawn, so too "
            "many draws have nothing to tell apart: no interval."
        )
    if disagreeing < FEWEST_DISAGREEING:
        return (
            "Disagreements stand in only 1 of what is drawn, so an interval would say how often "
            "that one was drawn: no interval."
        )
    return ""


def _unit_coincidences(unit: np.ndarray, codes: np.ndarray, categories: int) -> np.ndarray:
    """Each unit's coincidence matrix (units x categories x categories).

    Every ordered pair of its m judgements counts 1 / (m - 1), so a unit weighs m in all.
    """
    _, unit = np.unique(unit, return_inverse=True)
    cell = unit * categories + codes
    counts = np.bincount(cell, minlength=(unit.max() + 1) * categories).reshape(-1, categories)
    same = counts[:, :, None] * np.eye(categories)
    pairs = counts[:, :, None] * counts[:, None, :] - same
    return pairs / (counts.sum(axis=1) - 1)[:, None, None]


def _disagreement(together: np.ndarray, scores: np.ndarray, level: str):
    """Observed and expected disagreement of matrices of coincidences (last two axes)."""
    margin = together.sum(axis=-1)
    total = margin.sum(axis=-1)
    distance = _squared_distance(margin, scores, level)
    observed = (together * distance).sum(axis=(-2, -1))
    expected = (margin[..., :, None] * margin[..., None, :] * distance).sum(axis=(-2, -1))
    return ratio(observed, total), ratio(expected, total * (total - 1))


def _squared_distance(margin: np.ndarray, scores: np.ndarray, level: str) -> np.ndarray:
    """Krippendorff's squared difference of each two categories."""
    if level == "nominal":
        return 1.0 - np.eye(len(scores))
    if level == "ratio":
        apart = scores[:, None] - scores[None, :]
        both = scores[:, None] + scores[None, :]
        return np.where(both > 0, ratio(apart, both), 0.0) ** 2
    if level == "ordinal":
        # the judgements between two categories, half of the ends included: a distance of mid-ranks
        scores = np.cumsum(margin, axis=-1) - margin / 2
    return (scores[..., :, None] - scores[..., None, :]) ** 2


def _alpha_draws(judged, used, columns, level, units: Units, resamples, seed) -> Draws:
    """Bootstrap draws of alpha for columns with the same cells filled."""
    rows = np.flatnonzero(used)
    rows = rows[np.argsort(judged.unit[rows], kind="stable")]
    starts = np.flatnonzero(np.diff(judged.unit[rows], prepend=-1))
    sizes = np.diff(np.r_[starts, len(rows)])
    drawn, panel = units.at(rows), np.repeat(np.arange(len(starts)), sizes)
    codes = [(codes[rows], scores) for codes, scores in columns.values()]
    if all(np.array_equal(code, code[starts][panel]) for code in drawn.codes):
        drawn, table, weigh = _whole_units(drawn.at(starts), panel, codes)
        influence = None
    else:
        table, weigh = _rater_pairs(starts, sizes, panel, codes)
        influence = _influence(starts, sizes, panel, codes, level)
    widths = [len(scores) * (len(scores) + 1) // 2 for _, scores in codes]

    def statistic(weights):
        # one product for all columns, then each column's coincidences as a small matrix
        summed = np.split(weigh(weights) @ table, np.cumsum(widths[:-1]), axis=1)
        parts = zip(summed, codes, strict=True)
        return np.stack([_alpha_of(half, scores, level) for half, (_, scores) in parts], axis=1)

    return bootstrap_draws(statistic, drawn, resamples, seed, influence)


def _alpha_of(half: np.ndarray, scores: np.ndarray, level: str) -> np.ndarray:
    """Alpha of matrices given by their lower triangles (one a row), the diagonal halved."""
    lower, upper = np.tril_indices(len(scores))
    together = np.zeros((len(half), len(scores), len(scores)))
    together[:, lower, upper] = half
    together += np.swapaxes(together, 1, 2)
    observed, expected = _disagreement(together, scores, level)
    return 1 - ratio(observed, expected)


def _influence(starts, sizes, panel, codes, level) -> np.ndarray:
    """How alpha changes with the weight of each judgement, at weights of 1 (rows x columns).

    A pair inside a unit of m weighs 1 / (m - 1). With more weight on a judgement its own pairs
    weigh more, and all pairs of the unit a little less, because their weights are shares.
    """
    one, other = _pairs_within(starts, sizes)
    share, rows = 1 / (sizes[panel] - 1), len(panel)
    influence = np.empty((rows, len(codes)))
    for column, (code, scores) in enumerate(codes):
        low, high = np.minimum(code[one], code[other]), np.maximum(code[one], code[other])
        cell = high * (high + 1) // 2 + low
        cells = len(scores) * (len(scores) + 1) // 2
        half = np.bincount(cell, share[one], minlength=cells)
        step = 1e-4 * half.sum() * np.eye(cells)
        up, down = (_alpha_of(half + change, scores, level) for change in (step, -step))
        per_pair = ((up - down) / (2e-4 * half.sum()))[cell]
        own = np.bincount(one, per_pair, rows) + np.bincount(other, per_pair, rows)
        of_unit = np.bincount(panel[one], per_pair, len(sizes))
        influence[:, column] = share * (own - of_unit[panel] / sizes[panel])
    return influence


def _whole_units(units: Units, panel, codes):
    """Each unit's coincidences (one triangle, diagonal halved), for units drawn as a whole."""
    table = []
    for code, scores in codes:
        whole = _unit_coincidences(panel, code, len(scores))
        lower, upper = np.tril_indices(len(scores))
        table.append(whole[:, lower, upper] / np.where(lower == upper, 2, 1))
    return units, np.concatenate(table, axis=1), lambda weights: weights


def _rater_pairs(starts, sizes, panel, codes):
    """Coincidences of each pair of raters on a unit, and what weighs the pairs.

    A unit's judgements, with weights w that sum to W, still weigh W in all; W is shared out among
    pairs of *different* raters in proportion to the product of their weights.
    """
    one, other = _pairs_within(starts, sizes)
    unit_sums = _unit_sums(starts, sizes)
    widths = [len(scores) * (len(scores) + 1) // 2 for _, scores in codes]
    table = np.zeros((len(one), sum(widths)), dtype=np.float32)
    rows, start = np.arange(len(one)), 0
    for (code, _), width in zip(codes, widths, strict=True):
        low, high = np.minimum(code[one], code[other]), np.maximum(code[one], code[other])
        table[rows, start + high * (high + 1) // 2 + low] = 1.0  # place in the triangle
        start += width

    def weigh(weights):
        weights = np.ascontiguousarray(weights.T)  # rows are picked faster than columns
        total = unit_sums(weights)
        pairs = total**2 - unit_sums(weights**2)
        scale = np.nan_to_num(ratio(total, np.where(pairs > 1e-9 * total**2, pairs, 0)))
        weights *= np.sqrt(scale)[panel]  # both members bring a root of it
        weights = weights.astype(np.float32)  # enough for draws, and twice as fast
        return (weights[one] * weights[other]).T

    return table, weigh


def _unit_sums(starts: np.ndarray, sizes: np.ndarray):
    """A function that sums rows unit by unit; units of one size are summed much faster."""
    if len(np.unique(sizes)) > 1:
        return lambda rows: np.add.reduceat(rows, starts, axis=0)
    shape = len(sizes), int(sizes[0]), -1
    return lambda rows: rows.reshape(shape).sum(axis=1)


def _pairs_within(starts: np.ndarray, sizes: np.ndarray):
    """Positions of both members of every pair inside a block."""
    one, other = [], []
    for size in np.unique(sizes):
        first, second = np.triu_indices(size, 1)
        begin = starts[sizes == size][:, None]
        one.append((begin + first).ravel())
        other.append((begin + second).ravel())
    return np.concatenate(one), np.concatenate(other)
