"""Who is the unit? Bootstrap intervals and cross-validation folds that take people seriously.

Twenty-five hundred observer records are not 2,500 independent facts: five of them share a
narrative, and one person may have written, or read, several. What recurs has to be drawn, or held
out, as a whole. This module decides from the identifiers what recurs (:func:`sampling_units`),
turns that into bootstrap intervals (:func:`bootstrap`) and into folds with plain names
(:func:`writer_out`, :func:`narrative_out`, :func:`person_out`, :func:`conversation_out`,
:func:`expert_out`).

How the bootstrap works. A resample is a set of weights: how often each writer, or each observer,
was drawn. A statistic is a function of the rows' weights, so a thousand resamples are one matrix
product. With one kind of unit this is the ordinary bootstrap of groups.

Where two kinds of unit are crossed, a row weighs the *product* of its units' counts (the pigeonhole
bootstrap of Owen, 2007). That keeps every dependence, but counts the noise of single records up
to three times. So the draws are pulled towards the estimate until their spread is the multiway
cluster variance (Cameron, Gelbach & Miller, 2011): the variance from drawing writers, plus that
from drawing observers, minus that from drawing single records, which both contain. Where one
person is both, the same sum is the dyadic cluster variance (Aronow, Samii & Assenova, 2015).

References
----------
Aronow, P. M., Samii, C., & Assenova, V. A. (2015). Cluster-robust variance estimation for dyadic
data. Political Analysis, 23(4), 564-577.
Cameron, A. C., Gelbach, J. B., & Miller, D. L. (2011). Robust inference with multiway clustering.
Journal of Business & Economic Statistics, 29(2), 238-249.
Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics, 1(2), 386-411.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

RESAMPLES = 2000
SEED = 20260517
_CELLS_AT_A_TIME = 2**19  # weights held at once: 4 MB stay in the cache, whatever the data's size,
_LEAST_AT_A_TIME = 16  # but one pass over a large table should serve several resamples

Statistic = Callable[[np.ndarray], np.ndarray]
"""Weights (resamples x rows) in, values (resamples x statistics) out."""

WRITER_UNKNOWN = (
    "The IMBUE release names the experts who judged a message, not the person who wrote it. "
    "Two conversations may come from one writer, so even folds by conversation can put the same "
    "writer on both sides, and nothing in the file can tell."
)


# --- units ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Units:
    """What is drawn in a resample, and which unit each row belongs to.

    Attributes
    ----------
    names : tuple of str
        The identifier columns that are resampled.
    codes : tuple of ndarray
        For each name, the number of each row's unit within its pool.
    pools : tuple of int
        For each name, the pool it is drawn from. Two roles of the same people share a pool.
    sizes : tuple of int
        How many units each pool holds.
    sentence : str
        The choice in words, to print under a table.
    """

    names: tuple[str, ...]
    codes: tuple[np.ndarray, ...]
    pools: tuple[int, ...]
    sizes: tuple[int, ...]
    sentence: str

    def __len__(self) -> int:
        return len(self.codes[0])

    def at(self, rows: np.ndarray) -> "Units":
        """The same units for some rows, in the order given; rows may repeat."""
        codes = tuple(code[rows] for code in self.codes)
        return Units(self.names, codes, self.pools, self.sizes, self.sentence)

    def records(self) -> "Units":
        """Rows that share all their units, as units of their own: the finest thing to draw.

        A pair of people is the same pair, whoever of the two wrote and who observed.
        """
        codes = np.stack(self.codes)
        if len(set(self.pools)) == 1:
            codes = np.sort(codes, axis=0)
        _, code = np.unique(codes, axis=1, return_inverse=True)
        code = code.reshape(-1)
        return Units(("record",), (code,), (0,), (int(code.max()) + 1,), "resampled: records")


def sampling_units(
    table: pd.DataFrame, columns: Sequence[str], people: Sequence[str] = ()
) -> Units:
    """Choose what to resample, from which identifiers recur with which.

    An identifier that is nested in another is left to that other one: narratives of one writer
    come and go with the writer. Identifiers that are crossed are all drawn. An identifier with a
    single value cannot be drawn and is left out; the sentence says so.

    Parameters
    ----------
    table : DataFrame
        One row per record.
    columns : sequence of str
        Identifier columns, for instance ``["sample_id", "writer_id", "observer_id"]``.
    people : sequence of str
        Those of ``columns`` that identify people by one common set of identifiers. If somebody
        appears in two of them, that person is drawn once for both roles.

    Returns
    -------
    Units

    Raises
    ------
    ValueError
        If an identifier is missing in a row, or if no column has two values.

    Examples
    --------
    >>> records = pd.DataFrame(
    ...     {
    ...         "sample_id": ["01", "01", "02", "02"],
    ...         "writer_id": ["w1", "w1", "w2", "w2"],
    ...         "observer_id": ["o1", "o2", "o1", "o2"],
    ...     }
    ... )
    >>> sampling_units(records, ["sample_id", "writer_id", "observer_id"]).sentence
    'resampled: writer_id (2), crossed with observer_id (2)'
    """
    if not len(table):
        raise ValueError("The table has no rows, so there is nothing to resample.")
    codes, values = {}, {}
    for column in columns:
        code, value = pd.factorize(table[column])
        if (code < 0).any():
            raise ValueError(
                f"{(code < 0).sum()} rows have no {column}. Rows of unknown origin cannot be "
                f"resampled: leave them out, or leave {column} out of the columns."
            )
        codes[column], values[column] = code, value
    single = [column for column in columns if len(values[column]) < 2]
    kept = [column for column in columns if column not in single]
    if not kept:
        raise ValueError(
            f"Nothing varies in {', '.join(columns)}: an interval needs at least two units, "
            "because what it shows is how much units differ."
        )
    for column in tuple(kept):
        others = [other for other in kept if other != column]
        if any(_nested(codes[column], codes[other]) for other in others):
            kept.remove(column)
    return _units(kept, codes, values, people, single)


def _nested(inner: np.ndarray, outer: np.ndarray) -> bool:
    """Whether each unit of ``inner`` lies within one unit of ``outer``."""
    both = inner.astype(np.int64) * (int(outer.max()) + 1) + outer
    return len(np.unique(both)) == int(inner.max()) + 1


def _units(kept, codes, values, people, single) -> Units:
    roles = [column for column in kept if column in people]
    shared = len(roles) > 1 and sum(len(values[c]) for c in roles) > len(
        set().union(*(values[c] for c in roles))
    )
    out_codes, pools, sizes, words = [], [], [], []
    if shared:
        everybody = pd.Index(values[roles[0]])
        for column in roles[1:]:
            everybody = everybody.union(pd.Index(values[column]), sort=False)
        sizes.append(len(everybody))
        words.append(f"people ({len(everybody)}, each drawn once as {' and '.join(roles)})")
    for column in kept:
        if shared and column in roles:
            out_codes.append(everybody.get_indexer(values[column])[codes[column]])
            pools.append(0)
        else:
            out_codes.append(codes[column])
            pools.append(len(sizes))
            sizes.append(len(values[column]))
            words.append(f"{column} ({len(values[column])})")
    sentence = "resampled: " + ", crossed with ".join(words)
    if single:
        sentence += f"; only one {' and one '.join(single)}, so nothing is said beyond it"
    return Units(tuple(kept), tuple(out_codes), tuple(pools), tuple(sizes), sentence)


# --- bootstrap --------------------------------------------------------------------------------


def unit_counts(
    units: Units, resamples: int = RESAMPLES, seed: int = SEED, cells: int | None = None
) -> Iterator[list[np.ndarray]]:
    """Yield how often each unit was drawn, some resamples at a time.

    Each pool is drawn with replacement, as many units as it holds, by its own random stream: the
    same seed gives the same counts, in pieces of any size.

    Parameters
    ----------
    units : Units
    resamples, seed : int
    cells : int, optional
        How many numbers one resample will be turned into (the rows, if not said); keeps pieces
        small enough for memory.

    Yields
    ------
    list of ndarray
        One array (resamples x units) for each pool.
    """
    sources = [
        np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(len(units.sizes))
    ]
    at_a_time = max(_LEAST_AT_A_TIME, _CELLS_AT_A_TIME // max(cells or len(units), *units.sizes))
    for start in range(0, resamples, at_a_time):
        some = min(at_a_time, resamples - start)
        yield [_draw(source, size, some) for source, size in zip(sources, units.sizes, strict=True)]


def product_weights(counts: list[np.ndarray], units: Units) -> np.ndarray:
    """Weights of rows (resamples x rows): the product of their units' counts."""
    weights = counts[units.pools[0]].take(units.codes[0], axis=1)
    for pool, code in zip(units.pools[1:], units.codes[1:], strict=True):
        weights *= counts[pool].take(code, axis=1)
    return weights


def _draw(source: np.random.Generator, size: int, resamples: int) -> np.ndarray:
    """How often each of ``size`` units comes up in ``size`` draws (resamples x size)."""
    drawn = source.integers(size, size=(resamples, size))
    drawn += np.arange(resamples)[:, None] * size
    # Where addresses have 32 bits, as in a browser, numpy counts only numbers of that size.
    places = drawn.ravel().astype(np.intp, copy=False)
    counts = np.bincount(places, minlength=resamples * size)
    return counts.reshape(resamples, size).astype(float)


def bootstrap(
    statistic: Statistic,
    units: Units,
    names: Sequence[str] | None = None,
    resamples: int = RESAMPLES,
    level: float = 0.95,
    seed: int = SEED,
) -> pd.DataFrame:
    """Bootstrap intervals of statistics that are functions of row weights.

    Parameters
    ----------
    statistic : callable
        Takes weights (resamples x rows), returns values (resamples x statistics). With all
        weights 1 it must give the estimate itself. NaN says "no answer in this resample".
    units : Units
        From :func:`sampling_units`, for the same rows.
    names : sequence of str, optional
        Names of the statistics; they become the index.
    resamples : int
        How many resamples; 2,000 by default.
    level : float
        Coverage aimed at. Each interval stands for itself: among twenty-two of them at 95 %, one
        is expected to miss. For a family of m, ``level=1 - 0.05 / m`` (Bonferroni), and more
        resamples.
    seed : int
        The same seed gives the same interval.

    Returns
    -------
    DataFrame
        One row per statistic: ``estimate``, ``low``, ``high`` (percentiles of the draws),
        ``mc_error`` (Monte Carlo standard error of the worse of the two ends: how far they would
        wander with another seed) and ``undefined`` (resamples without an answer; they are left out
        of the interval).

    Examples
    --------
    >>> records = pd.DataFrame({"writer_id": list("aabbcc"), "gap": [1, 2, 1, 0, 3, 2]})
    >>> units = sampling_units(records, ["writer_id"])
    >>> bootstrap(weighted_mean(records[["gap"]]), units, ["gap"]).round(2).loc["gap", "estimate"]
    np.float64(1.5)
    """
    drawn = bootstrap_draws(statistic, units, resamples, seed)
    return interval_table(drawn.estimate, drawn.draws, names, level, drawn.scale_error)


@dataclass(frozen=True)
class Draws:
    """Bootstrap draws of some statistics.

    Attributes
    ----------
    estimate : array (statistics,)
    draws : array (resamples x statistics)
        Ready for percentiles; with crossed units already at the right spread.
    scale_error : array (statistics,)
        Relative Monte Carlo error of that spread; 0 where nothing had to be adjusted.
    """

    estimate: np.ndarray
    draws: np.ndarray
    scale_error: np.ndarray


def bootstrap_draws(
    statistic: Statistic,
    units: Units,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    influence: np.ndarray | None = None,
) -> Draws:
    """The draws behind :func:`bootstrap`, for what is computed from draws (differences, tests).

    Parameters
    ----------
    statistic, units, resamples, seed
        As in :func:`bootstrap`.
    influence : array (rows, statistics), optional
        How each statistic changes with each row's weight, at weights of 1, where that is known.
        With it the multiway variance of crossed units is a sum of squares. Without it, the variance
        is drawn as well, which takes as long again.
    """
    estimate = np.asarray(statistic(np.ones((1, len(units)))))[0]
    draws = np.concatenate(
        [statistic(product_weights(c, units)) for c in unit_counts(units, resamples, seed)]
    )
    roles = len(units.names)
    if roles == 1:
        return Draws(estimate, draws, np.zeros(len(estimate)))
    if influence is None:
        some = max(2, resamples // 2)
        by_unit = _variance(statistic, units, estimate, some, seed, roles)
        by_record = _variance(statistic, units.records(), estimate, some, seed + 1, roles)
        noise = (by_unit**2 + ((roles - 1) * by_record) ** 2) * 2 / some
    else:
        by_unit = _cluster_variance(influence, units)
        by_record = _cluster_variance(influence, units.records())
        noise = np.zeros(len(estimate))
    wanted = np.maximum(by_unit - (roles - 1) * by_record, by_record)
    found = _spread(draws, estimate)
    # the draws are only ever pulled in, so a share stays a share
    scale = np.minimum(np.sqrt(np.nan_to_num(ratio(wanted, found), nan=1.0)), 1.0)
    error = np.sqrt(np.nan_to_num(ratio(noise, wanted**2)) + 2 / resamples) / 2
    return Draws(estimate, estimate + scale * (draws - estimate), error)


def _variance(statistic, units: Units, estimate, resamples, seed, damping) -> np.ndarray:
    """Sum of the variances from drawing each kind of unit alone.

    Small steps from weights of 1, in all kinds at once and scaled up again, are the sum of the
    kinds' own steps: nothing is multiplied, so nothing is counted twice.
    """
    steps = [
        statistic(1 + sum(c[pool].take(code, axis=1) - 1 for pool, code in roles) / damping)
        for roles in [list(zip(units.pools, units.codes, strict=True))]
        for c in unit_counts(units, resamples, seed)
    ]
    return _spread(np.concatenate(steps), estimate) * damping**2


def _cluster_variance(influence: np.ndarray, units: Units) -> np.ndarray:
    """The same sum, from the rows' influences: a unit's influence is that of all its rows.

    Divided by one unit less than there are, as a variance is: few raters say less than many.
    """
    total = np.zeros(influence.shape[1])
    for pool, size in enumerate(units.sizes):
        codes = [code for of, code in zip(units.pools, units.codes, strict=True) if of == pool]
        for number, column in enumerate(influence.T):
            of_unit = sum(np.bincount(code, column, minlength=size) for code in codes)
            total[number] += of_unit.var(ddof=1) * size
    return total


def _spread(draws: np.ndarray, estimate: np.ndarray) -> np.ndarray:
    """Variance of each column of draws, NaN left out."""
    return weighted_mean((draws - estimate) ** 2)(np.ones((1, len(draws))))[0] - (
        weighted_mean(draws - estimate)(np.ones((1, len(draws))))[0] ** 2
    )


def interval_table(
    estimate: np.ndarray,
    draws: np.ndarray,
    names: Sequence[str] | None = None,
    level: float = 0.95,
    scale_error: np.ndarray | float = 0.0,
) -> pd.DataFrame:
    """Percentile intervals, with their Monte Carlo error, from bootstrap draws.

    Parameters
    ----------
    estimate : array (statistics,)
    draws : array (resamples x statistics)
        NaN where a resample had no answer.
    names : sequence of str, optional
    level : float
    scale_error : array (statistics,), optional
        Relative error of the draws' spread, from :func:`bootstrap_draws`.

    Returns
    -------
    DataFrame
        As :func:`bootstrap`. The Monte Carlo error is distribution-free: the number of draws below
        a true percentile is binomial, so the order statistics one binomial standard deviation to
        either side of the end bracket it; half their distance is the error.
    """
    if not 0 < level < 1:
        raise ValueError(f"level is a share between 0 and 1, for instance 0.95, not {level!r}.")
    ordered = np.sort(np.asarray(draws, dtype=float), axis=0)  # NaN sorts to the end
    defined = np.sum(~np.isnan(ordered), axis=0)
    tail = (1 - level) / 2
    low, low_error = _percentile(ordered, defined, tail)
    high, high_error = _percentile(ordered, defined, 1 - tail)
    low_error = np.hypot(low_error, (estimate - low) * scale_error)
    high_error = np.hypot(high_error, (high - estimate) * scale_error)
    return pd.DataFrame(
        {
            "estimate": estimate,
            "low": low,
            "high": high,
            "mc_error": np.maximum(low_error, high_error),
            "undefined": len(ordered) - defined,
        },
        index=None if names is None else pd.Index(list(names)),
    )


def _percentile(ordered: np.ndarray, defined: np.ndarray, share: float):
    """A percentile of each sorted column and its Monte Carlo standard error."""
    last = np.maximum(defined - 1, 0)
    one_sd = np.sqrt(share * (1 - share) * defined)
    value, below, above = (
        _at(ordered, np.clip(share * last + shift, 0, last)) for shift in (0, -one_sd, one_sd)
    )
    return value, (above - below) / 2


def _at(ordered: np.ndarray, position: np.ndarray) -> np.ndarray:
    """The value at a fractional position of each sorted column."""
    floor = np.floor(position).astype(int)
    ceiling = np.ceil(position).astype(int)
    lower = np.take_along_axis(ordered, floor[None], axis=0)[0]
    upper = np.take_along_axis(ordered, ceiling[None], axis=0)[0]
    return lower + (upper - lower) * (position - floor)


def weighted_mean(values: pd.DataFrame | np.ndarray) -> Statistic:
    """The mean of each column as a statistic for :func:`bootstrap`; missing cells are left out.

    Examples
    --------
    >>> mean = weighted_mean(np.array([[1.0], [3.0], [np.nan]]))
    >>> mean(np.array([[1, 1, 1], [3, 1, 9]])).ravel().tolist()
    [2.0, 1.5]
    """
    cells = np.asarray(values, dtype=float)
    missing = np.isnan(cells)
    filled = np.where(missing, 0.0, cells)
    if not missing.any():
        return lambda weights: ratio(weights @ filled, weights.sum(axis=1, keepdims=True))
    there = (~missing).astype(float)
    return lambda weights: ratio(weights @ filled, weights @ there)


def weighted_correlation(first: pd.DataFrame | np.ndarray, second) -> Statistic:
    """The correlation of each column with its partner as a statistic for :func:`bootstrap`.

    Parameters
    ----------
    first, second : array (rows, pairs)
        Column k of ``first`` is correlated with column k of ``second``, which may also be a single
        column for all. A row that lacks one of the two is left out of that pair.

    Returns
    -------
    callable
        Weights (resamples x rows) in, Pearson correlations (resamples x pairs) out; NaN where one
        of the two columns doesn't vary.

    Examples
    --------
    >>> r = weighted_correlation(np.array([[1.0], [2.0], [3.0]]), np.array([[2.0], [4.0], [0.0]]))
    >>> r(np.array([[1, 1, 1], [1, 1, 0]])).round(2).ravel().tolist()
    [-0.5, 1.0]
    """
    x, y = (np.asarray(table, dtype=float) for table in (first, second))
    there = ~(np.isnan(x) | np.isnan(y))
    # Centred first: the sums of squares below then lose no digits.
    x, y = (np.where(there, cells - _column_means(cells, there), 0.0) for cells in (x, y))
    there = there.astype(float)

    def correlations(weights):
        total = weights @ there
        mean_x, mean_y = ratio(weights @ x, total), ratio(weights @ y, total)
        together = ratio(weights @ (x * y), total) - mean_x * mean_y
        spread_x = ratio(weights @ x**2, total) - mean_x**2
        spread_y = ratio(weights @ y**2, total) - mean_y**2
        varies = (spread_x > 1e-12) & (spread_y > 1e-12)
        return ratio(together, np.sqrt(np.where(varies, spread_x * spread_y, 0.0)))

    return correlations


def _column_means(cells: np.ndarray, there: np.ndarray) -> np.ndarray:
    return ratio(np.where(there, cells, 0.0).sum(axis=0), there.sum(axis=0))


def ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """``numerator / denominator``, and NaN, without a warning, where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(
        np.asarray(numerator, dtype=float), np.asarray(denominator, dtype=float)
    )
    out = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=out, where=denominator != 0)
    return out


class GroupSums:
    """Sums of columns within the groups of a fixed grouping.

    ``groups`` are the group numbers, in the order of the sums. To sum many products of the same
    weights, :meth:`arrange` weights and factors once and :meth:`sum` each product.
    """

    def __init__(self, group: np.ndarray):
        order = np.argsort(group, kind="stable")
        self.starts = np.flatnonzero(np.diff(group[order], prepend=-1))
        self.groups = group[order][self.starts]
        self.order = None if np.array_equal(order, np.arange(len(order))) else order

    def arrange(self, cells: np.ndarray) -> np.ndarray:
        """Columns (last axis) in the order of their groups."""
        return cells if self.order is None else cells[..., self.order]

    def sum(self, arranged: np.ndarray) -> np.ndarray:
        """Sums over each group's columns."""
        return np.add.reduceat(arranged, self.starts, axis=-1)

    def __call__(self, cells: np.ndarray) -> np.ndarray:
        return self.sum(self.arrange(cells))


# --- folds ------------------------------------------------------------------------------------

Folds = list[tuple[np.ndarray, np.ndarray]]
"""(training rows, test rows) for each fold, as positions: what scikit-learn takes as ``cv``."""


def writer_out(writers: Sequence[str], folds: int = 5, seed: int = SEED) -> Folds:
    """Folds in which the writers of the test rows have written nothing in training.

    For whatever is predicted from the writer's side: words, the writer's own ratings. Give the
    writer of each row's narrative; all narratives of one writer, and all observer rows of a
    narrative, then stay together. It answers "how well for a *new person's* story?".

    Parameters
    ----------
    writers : sequence of str
        The writer (``participant_id`` of the experiencer) behind each row.
    folds : int
        Number of folds; every row is a test row once.
    seed : int

    Returns
    -------
    list of (train, test)
        Positions of rows; can be given to scikit-learn as ``cv``.

    Raises
    ------
    ValueError
        If there are fewer writers than folds.

    Examples
    --------
    >>> for train, test in writer_out(["w1", "w1", "w2", "w3"], folds=3):
    ...     print(len(train), len(test))
    2 2
    3 1
    3 1
    """
    return _leave_groups_out(writers, folds, seed, "writers")


def narrative_out(narratives: Sequence[str], folds: int = 5, seed: int = SEED) -> Folds:
    """Folds in which the test narratives are new; their readers, and their writer, may be known.

    For observer rows as input or target when the question is "how well for a *new story*, with
    readers we already know?". Give the ``sample_id`` of each row. Its counterpart is
    :func:`person_out`: neither design is the correct one, they answer two questions.
    Parameters and result as in :func:`writer_out`.
    """
    return _leave_groups_out(narratives, folds, seed, "narratives")


def person_out(
    observers: Sequence[str], writers: Sequence[str], folds: int = 5, seed: int = SEED
) -> Folds:
    """Folds in which the test rows' observers are new people; the stories may be known.

    For observer rows as input or target when the question is "how well for a *new reader*?". A
    held-out person is taken out of training in both roles, as observer and as writer, because
    people may do both. The narratives of test rows stay in training when others read them too, so
    this says nothing about new stories: that is :func:`narrative_out`.

    Parameters
    ----------
    observers, writers : sequence of str
        For each row the person who gave the record, and the person who wrote the narrative.
    folds : int
    seed : int

    Returns
    -------
    list of (train, test)
        Every row is a test row once. Training rows may be fewer than the rest of the table.
    """
    fold = _fold_of_each(observers, folds, seed, "observers")
    observers, writers = np.asarray(observers, dtype=object), np.asarray(writers, dtype=object)
    if len(observers) != len(writers):
        raise ValueError("observers and writers must have one entry for each row.")
    parts = []
    for number in range(folds):
        held_out = pd.unique(observers[fold == number])
        known_writer = ~pd.Series(writers, dtype=object).isin(held_out).to_numpy()
        train = np.flatnonzero((fold != number) & known_writer)
        if not len(train):
            raise ValueError(
                f"With {folds} folds, fold {number} leaves no training rows, because its people "
                "are on one side or the other of every record. Use more folds."
            )
        parts.append((train, np.flatnonzero(fold == number)))
    return parts


def conversation_out(conversations: Sequence[str], folds: int = 5, seed: int = SEED) -> Folds:
    """Folds of IMBUE rows in which the test conversations are new.

    Messages of one conversation share their situation, their partner and their writer. Who wrote
    them is not in the release (``WRITER_UNKNOWN``), so the same writer may still stand on both
    sides: read a score from these folds as an upper bound for new writers.
    Parameters and result as in :func:`writer_out`.
    """
    return _leave_groups_out(conversations, folds, seed, "conversations")


def expert_out(experts: Sequence[str], folds: int = 3, seed: int = SEED) -> Folds:
    """Folds of IMBUE rows in which the test rows were judged by experts who are new.

    A message that two experts judged can be in training with the one and in test with the other:
    this asks "would another expert say the same?", not "what of a new message?". The writer is
    unknown here too (``WRITER_UNKNOWN``). Parameters and result as in :func:`writer_out`.
    """
    return _leave_groups_out(experts, folds, seed, "experts")


def _leave_groups_out(groups, folds, seed, what) -> Folds:
    fold = _fold_of_each(groups, folds, seed, what)
    return [(np.flatnonzero(fold != n), np.flatnonzero(fold == n)) for n in range(folds)]


def _fold_of_each(groups, folds, seed, what) -> np.ndarray:
    """Fold number of each row: groups in random order, largest first, each to the emptiest fold."""
    code, names = pd.factorize(np.asarray(groups, dtype=object))
    if (code < 0).any():
        raise ValueError(f"{(code < 0).sum()} rows have no entry in {what}: leave them out first.")
    if folds < 2:
        raise ValueError("A test needs at least 2 folds.")
    if len(names) < folds:
        raise ValueError(f"{folds} folds need at least {folds} {what}; there are {len(names)}.")
    size = np.bincount(code)
    shuffled = np.random.default_rng(seed).permutation(len(names))
    filled, fold_of = np.zeros(folds, dtype=int), np.empty(len(names), dtype=int)
    for group in shuffled[np.argsort(-size[shuffled], kind="stable")]:
        fold_of[group] = np.argmin(filled)
        filled[fold_of[group]] += size[group]
    return fold_of[code]
