"""The writer's own view and the observers': how far apart, in what way, and what averaging does.

The writer's answers are the reference here, as in the benchmark. That makes every distance a mix of
two things: what observers got wrong, and what can be seen differently from outside. No statistic
in this module separates the two; each docstring says what its number can mean.

References
----------
Cronbach, L. J. (1955). Processes affecting scores on "understanding of others" and "assumed
similarity". Psychological Bulletin, 52(3), 177-193.
Furr, R. M. (2008). A framework for profile similarity: Integrating similarity, normativeness, and
distinctiveness. Journal of Personality, 76(5), 1267-1316.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from carebook.pairs import Pairs, pair_labels, pair_levels, pair_ratings
from carebook.resampling import RESAMPLES, SEED, GroupSums, bootstrap, ratio

__all__ = [
    "AccuracyComponents",
    "Pairs",
    "cronbach_components",
    "dimension_gaps",
    "label_changes",
    "pair_labels",
    "pair_levels",
    "pair_ratings",
    "panel_curve",
    "panel_means",
    "profile_agreement",
    "profile_summary",
    "split_squared_error",
]


# --- gaps per dimension -----------------------------------------------------------------------

GAP_STATISTICS = (
    "own",
    "observed",
    "gap",
    "absolute gap",
    "rank correlation",
    "squared error",
    "from the means",
    "from the spreads",
    "from the order",
)


def split_squared_error(observed, own) -> pd.Series:
    """Where the squared error of one dimension comes from, across narratives.

    mean (observed - own)² = (difference of the means)² + (difference of the standard deviations)²
    + 2 s_observed s_own (1 - r), exactly, with standard deviations that divide by n.

    Parameters
    ----------
    observed, own : array (pairs,)
        Pairs with a missing answer are left out.

    Returns
    -------
    Series
        - ``squared error``: the whole, in squared scale points
        - ``from the means``: observers rate everything higher, or lower, than writers do
        - ``from the spreads``: observers differ less (or more) between narratives than writers
        - ``from the order``: observers do not see *which* narratives are high. Only this part is
          about telling narratives apart; nearly all chance is in it, too.

    Examples
    --------
    >>> split_squared_error([2, 3, 4], [1, 3, 5]).round(3).tolist()
    [0.667, 0.0, 0.667, 0.0]
    """
    pairs = np.column_stack([observed, own]).astype(float)
    pairs = pairs[~np.isnan(pairs).any(axis=1)]
    if not len(pairs):
        raise ValueError("No pair has both answers.")
    means, spreads = pairs.mean(axis=0), pairs.std(axis=0)
    together = ((pairs[:, 0] - means[0]) * (pairs[:, 1] - means[1])).mean()
    return pd.Series(
        {
            "squared error": ((pairs[:, 0] - pairs[:, 1]) ** 2).mean(),
            "from the means": (means[0] - means[1]) ** 2,
            "from the spreads": (spreads[0] - spreads[1]) ** 2,
            "from the order": 2 * (spreads[0] * spreads[1] - together),
        }
    )


def dimension_gaps(
    pairs: Pairs, resamples: int = RESAMPLES, level: float = 0.95, seed: int = SEED
) -> pd.DataFrame:
    """How observers' answers differ from writers', dimension by dimension, with intervals.

    Parameters
    ----------
    pairs : Pairs
        From :func:`pair_ratings` or :func:`pair_levels`.
    resamples, level, seed
        As in :func:`carebook.resampling.bootstrap`. Writers and observers are resampled.

    Returns
    -------
    DataFrame
        One row per dimension and statistic: ``dimension``, ``statistic``, ``estimate``, ``low``,
        ``high``, ``mc_error``, ``undefined``, ``pairs``. The statistics:

        - ``own``, ``observed``: the mean answers, in scale points
        - ``gap``: observed - own. Above 0, observers see more of it than writers report. Gaps of
          opposite sign cancel: 0 is not agreement.
        - ``absolute gap``: mean distance of the two. Never cancels, so it is above 0 for any two
          people, also where there is no difference of perspective.
        - ``rank correlation``: Spearman's, over narratives: do observers see which narratives are
          higher? Untouched by rating everything higher.
        - ``squared error`` and its three parts: :func:`split_squared_error`

        ``attrs["resampled"]`` says what was drawn. Twenty-two intervals at 95 % will miss about
        once: see :func:`carebook.resampling.bootstrap` on families of intervals.
    """
    units = pairs.units()
    tables, scales, counts = [], [], []
    for column in pairs.own.columns:
        own, observed = _codes(pairs.own[column]), _codes(pairs.observed[column])
        there = (own[0] >= 0) & (observed[0] >= 0)
        if not there.any():
            raise ValueError(f"No pair has both answers on {column!r}.")
        cells = np.zeros((len(there), len(own[1]) * len(observed[1])))
        place = own[0] * len(observed[1]) + observed[0]
        cells[np.flatnonzero(there), place[there]] = 1.0
        tables.append(cells)
        scales.append((own[1], observed[1]))
        counts.append(int(there.sum()))
    joined = np.concatenate(tables, axis=1)

    def statistic(weights):
        summed, start, out = weights @ joined, 0, []
        for own, observed in scales:
            stop = start + len(own) * len(observed)
            joint = summed[:, start:stop].reshape(-1, len(own), len(observed))
            out.append(_gap_statistics(joint, own, observed))
            start = stop
        return np.concatenate(out, axis=1)

    names = pd.MultiIndex.from_product(
        [pairs.own.columns, GAP_STATISTICS], names=["dimension", "statistic"]
    )
    out = bootstrap(statistic, units, resamples=resamples, level=level, seed=seed)
    out = out.set_axis(names, axis=0).reset_index()
    out["pairs"] = np.repeat(counts, len(GAP_STATISTICS))
    out.attrs["resampled"] = units.sentence
    return out


def _codes(column: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Code of each answer (-1 where missing) and the answers that occur, in order."""
    answers = column.to_numpy(dtype=float, na_value=np.nan)
    there = ~np.isnan(answers)
    codes = np.full(len(answers), -1)
    values, codes[there] = np.unique(answers[there], return_inverse=True)
    return codes, values


def _gap_statistics(joint: np.ndarray, own: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """All of GAP_STATISTICS from weighted cross tables (resamples x own x observed)."""
    share = ratio(joint, joint.sum(axis=(1, 2), keepdims=True))
    apart = observed[None, :] - own[:, None]
    of_own, of_observed = share.sum(axis=2), share.sum(axis=1)
    mean_own, mean_observed, var_own, var_observed, together = _moments(share, own, observed)
    spread = np.sqrt(var_own) * np.sqrt(var_observed)
    ranks = _moments(
        share, np.cumsum(of_own, 1) - of_own / 2, np.cumsum(of_observed, 1) - of_observed / 2
    )
    return np.stack(
        [
            mean_own,
            mean_observed,
            mean_observed - mean_own,
            (share * np.abs(apart)).sum(axis=(1, 2)),
            ratio(ranks[4], np.sqrt(ranks[2] * ranks[3])),
            (share * apart**2).sum(axis=(1, 2)),
            (mean_observed - mean_own) ** 2,
            (np.sqrt(var_observed) - np.sqrt(var_own)) ** 2,
            2 * (spread - together),
        ],
        axis=1,
    )


def _moments(share, own, observed):
    """Means, variances and covariance of two scores under joint shares."""
    own, observed = np.atleast_2d(own), np.atleast_2d(observed)
    of_own, of_observed = share.sum(axis=2), share.sum(axis=1)
    mean_own, mean_observed = (of_own * own).sum(axis=1), (of_observed * observed).sum(axis=1)
    own, observed = own - mean_own[:, None], observed - mean_observed[:, None]
    return (
        mean_own,
        mean_observed,
        (of_own * own**2).sum(axis=1),
        (of_observed * observed**2).sum(axis=1),
        (share * own[:, :, None] * observed[:, None, :]).sum(axis=(1, 2)),
    )


# --- Cronbach's components --------------------------------------------------------------------


@dataclass(frozen=True)
class AccuracyComponents:
    """Cronbach's (1955) four parts of the squared error of judging several targets on many items.

    All are mean squares in squared scale points, add up to ``total``, and are *errors*: 0 is best.

    Attributes
    ----------
    elevation : float
        The judge's overall level is off: everything too high or too low. Use of the scale.
    differential_elevation : float
        Which targets are higher overall is missed.
    stereotype : float
        Which items are higher for the typical target is missed. A judge who knows people in
        general, and nothing about this person, does well here.
    differential : float
        How this target departs from the typical pattern, item by item, is missed. The only part
        about understanding *this* person; nearly all chance error is in it, too.
    total : float
    correlations : dict
        For the last three: the correlation of the judged and the true departures, NaN without any.
    targets, items, dropped : int
        Size, and targets left out because an answer was missing.
    """

    elevation: float
    differential_elevation: float
    stereotype: float
    differential: float
    total: float
    correlations: dict
    targets: int
    items: int
    dropped: int


def cronbach_components(observed: pd.DataFrame, own: pd.DataFrame) -> AccuracyComponents:
    """Cronbach's (1955) four components for one judge, or for the average of several.

    Parameters
    ----------
    observed, own : DataFrame (targets x items)
        The judge's and the targets' own answers, same index and columns. In CAREBench a target is
        a narrative, an item a dimension, and the judge usually a panel: see :func:`panel_means`.

    Returns
    -------
    AccuracyComponents

    Raises
    ------
    ValueError
        If fewer than two targets or two items are complete: with one, two of the components are
        zero by construction and say nothing.

    Notes
    -----
    With x the judgement, y the criterion, a dot for a mean: (x.. - y..)²; mean over targets of
    ((xt. - x..) - (yt. - y..))²; mean over items of ((x.i - x..) - (y.i - y..))²; mean over both of
    the squared difference of the doubly centred values.

    Examples
    --------
    >>> own = pd.DataFrame({"a": [1, 3], "b": [2, 2]})
    >>> parts = cronbach_components(own + 1, own)
    >>> parts.elevation, parts.differential
    (1.0, 0.0)
    """
    if not (observed.index.equals(own.index) and observed.columns.equals(own.columns)):
        raise ValueError("observed and own must have the same index and the same columns.")
    judged, true = (t.to_numpy(dtype=float, na_value=np.nan) for t in (observed, own))
    complete = ~(np.isnan(judged) | np.isnan(true)).any(axis=1)
    judged, true = judged[complete], true[complete]
    targets, items = judged.shape
    if min(targets, items) < 2:
        raise ValueError(
            f"{targets} complete targets and {items} items: the four components need at least two "
            "of each."
        )
    parts = [_centred(table) for table in (judged, true)]
    squares = [float(np.mean((x - y) ** 2)) for x, y in zip(*parts, strict=True)]
    names = ("differential_elevation", "stereotype", "differential")
    correlations = {
        name: float(ratio((x * y).sum(), np.sqrt((x**2).sum() * (y**2).sum())))
        for name, x, y in zip(names, parts[0][1:], parts[1][1:], strict=True)
    }
    total = float(np.mean((judged - true) ** 2))
    return AccuracyComponents(*squares, total, correlations, targets, items, int((~complete).sum()))


def _centred(table: np.ndarray) -> tuple[np.ndarray, ...]:
    """Overall mean, target effects, item effects, and what is left of a table."""
    mean = table.mean(keepdims=True)
    target = table.mean(axis=1, keepdims=True) - mean
    item = table.mean(axis=0, keepdims=True) - mean
    return mean, target, item, table - mean - target - item


def panel_means(pairs: Pairs) -> Pairs:
    """The observers of each narrative as one judge: their mean, beside the writer's answer.

    Index ``sample_id``; missing answers are left out of a mean. ``observer_id`` is gone: a panel is
    not a person.
    """
    sample = pairs.people["sample_id"]
    return Pairs(
        pairs.observed.astype(float).groupby(sample).mean(),
        pairs.own.groupby(sample).first(),
        pairs.people[["sample_id", "writer_id"]].groupby(sample).first(),
        pairs.scale,
    )


# --- panels -----------------------------------------------------------------------------------


def panel_curve(
    pairs: Pairs, resamples: int = RESAMPLES, level: float = 0.95, seed: int = SEED
) -> pd.DataFrame:
    """The error of panels of k = 1, 2, ... observers, over all subsets of each narrative's panel.

    Parameters
    ----------
    pairs : Pairs
        From :func:`pair_ratings` or :func:`pair_levels`; ``pairs.only("control.general")`` for one
        dimension.
    resamples, level, seed
        As in :func:`carebook.resampling.bootstrap`.

    Returns
    -------
    DataFrame
        Index ``k``.

        - ``rmse``, ``low``, ``high``, ``mc_error``: root of the mean squared error of the mean of k
          observers, divided by the range of the scale
        - ``error``: the same, squared. ``error = single - spread``, always: this is an identity.
        - ``single``: mean squared error of one observer (the same for each k)
        - ``spread``: mean squared distance of the panel's members from their mean. It is what
          averaging removes, and it is larger for larger panels of *any* raters, expert or random.
        - ``shared``: the part of the error that observers have in common, which no k removes:
          ``error = shared + (single - shared) / k``. It holds what cannot be seen from outside, a
          habit common to observers, and a writer's own way of using the scale.
        - ``narratives``, ``smaller_panels``: full panels, and narratives that fewer observers read.
          Those are left out, for every k, so that the points of the curve rest on the same stories
        - ``cells``, ``left_out``: cells of full panels in which nobody's answer is missing, and the
          others, which are left out too

        ``attrs["resampled"]`` says what was drawn.

    Notes
    -----
    With e the errors of two different observers of one narrative, ``single`` is the mean of e² and
    ``shared`` the mean of their product; averaging (mean error of k)² over all subsets gives
    single / k + shared (k - 1) / k. So nothing has to be enumerated. ``shared`` is the value of the
    curve at k = infinity, estimated without bias; by chance it can fall below 0.
    """
    order, size = _full_panels(pairs)
    if size < 2:
        raise ValueError("No narrative has two observers: there is no panel to look at.")
    panels = order.reshape(-1, size)
    error = (_array(pairs.observed) - _array(pairs.own))[panels] / pairs.scale
    complete = ~np.isnan(error).any(axis=1, keepdims=True)
    error = np.where(complete, error, 0.0)
    cells = complete[:, 0].sum(axis=1).astype(float)
    if not cells.any():
        raise ValueError("No cell has all its observers' answers.")
    one, other = np.triu_indices(size, 1)
    squares = (error**2).sum(axis=2)
    products = (error[:, one] * error[:, other]).sum(axis=2)
    k = np.arange(1, size + 1)

    def single_and_shared(weights):
        weights = weights.reshape(len(weights), -1, size)
        total = weights.sum(axis=2)
        # a narrative keeps its weight, shared out among pairs of different observers
        both = weights[..., one] * weights[..., other]
        scale = np.nan_to_num(ratio(total, both.sum(axis=2)))
        single = ratio((weights * squares).sum(axis=(1, 2)), total @ cells)
        shared = ratio(
            ((both * products).sum(axis=2) * scale).sum(axis=1), (total * (scale > 0)) @ cells
        )
        return single[:, None], shared[:, None]

    def statistic(weights):
        single, shared = single_and_shared(weights)
        return np.sqrt(np.maximum(shared + (single - shared) / k, 0))

    units = pairs.units().at(order)
    out = bootstrap(statistic, units, resamples=resamples, level=level, seed=seed)
    single, shared = (part[0] for part in single_and_shared(np.ones((1, len(order)))))
    out = pd.DataFrame(
        {
            "rmse": out["estimate"],
            "low": out["low"],
            "high": out["high"],
            "mc_error": out["mc_error"],
            "error": shared + (single - shared) / k,
            "single": single.item(),
            "spread": (single - shared) * (k - 1) / k,
            "shared": shared.item(),
            "narratives": len(panels),
            "smaller_panels": pairs.people["sample_id"].nunique() - len(panels),
            "cells": int(complete.sum()),
            "left_out": int((~complete).sum()),
        }
    ).set_axis(pd.Index(k, name="k"), axis=0)
    out.attrs["resampled"] = units.sentence
    return out


def _array(table: pd.DataFrame) -> np.ndarray:
    return table.to_numpy(dtype=float, na_value=np.nan)


def _full_panels(pairs: Pairs) -> tuple[np.ndarray, int]:
    """Positions of the rows of the largest panels, narrative by narrative, and their size."""
    code = pd.factorize(pairs.people["sample_id"])[0]
    sizes = np.bincount(code)
    order = np.argsort(code, kind="stable")
    return order[sizes[code[order]] == sizes.max()], int(sizes.max())


# --- profiles ---------------------------------------------------------------------------------


def profile_agreement(pairs: Pairs) -> pd.DataFrame:
    """How alike an observer's and a writer's profiles are, beside those of strangers.

    A profile is one person's ratings of one narrative over the dimensions. Any two profiles agree
    to a degree, because some dimensions are high for nearly everybody; so agreement with the right
    writer says little before it is held against agreement with wrong ones.

    Parameters
    ----------
    pairs : Pairs
        From :func:`pair_ratings`.

    Returns
    -------
    DataFrame
        Index ``annotation_id`` of the observer record; NaN where a profile is incomplete or flat.

        - ``similarity``: correlation of the observer's profile with the writer's
        - ``strangers``: mean correlation of the observer's profile with those of writers of *other*
          narratives (other people's than this writer's and the observer's own)
        - ``distinctive``: correlation of the two profiles after the typical observer's and the
          typical writer's profile are taken off: what the observer saw of *this* experience
        - ``observer_normative``, ``writer_normative``: correlation of each profile with the typical
          one of its kind: how usual an answer it is
        - ``normative_part``, ``mixed_part``, ``distinctive_part``: add up to ``similarity``: the
          share of the typical profiles, of typical with distinctive, and of the distinctive ones

    Notes
    -----
    Distinctive profiles and the three parts follow Furr (2008): a profile is its kind's mean
    profile plus a departure, and the covariance of two such sums has four terms, of which the two
    mixed ones are added. The typical profile includes the profile at hand, which matters only in
    small samples.
    """
    observed, own = _array(pairs.observed), _array(pairs.own)
    keep = _usable(observed, own)
    out = pd.DataFrame(np.nan, index=pairs.own.index, columns=_PROFILE_COLUMNS)
    if not keep.any():
        return out
    seen, felt = _deviations(observed[keep]), _deviations(own[keep])
    typical_seen, typical_felt = seen.mean(axis=0), _deviations(_typical(pairs, own, keep))[0]
    scale = _length(seen) * _length(felt)
    normal = float(typical_seen @ typical_felt)
    rest_seen, rest_felt = seen - typical_seen, felt - typical_felt
    unique = (rest_seen * rest_felt).sum(axis=1)
    mixed = rest_seen @ typical_felt + rest_felt @ typical_seen
    who = pairs.people[keep]
    strangers = _Strangers(_unit(seen), _unit(felt), who)
    out.loc[keep] = np.column_stack(
        [
            (seen * felt).sum(axis=1) / scale,
            strangers.each(),
            ratio(unique, _length(rest_seen) * _length(rest_felt)),
            ratio(seen @ typical_seen, _length(seen) * _length(typical_seen[None])),
            ratio(felt @ typical_felt, _length(felt) * _length(typical_felt[None])),
            normal / scale,
            mixed / scale,
            unique / scale,
        ]
    )
    return out


_PROFILE_COLUMNS = [
    "similarity",
    "strangers",
    "distinctive",
    "observer_normative",
    "writer_normative",
    "normative_part",
    "mixed_part",
    "distinctive_part",
]


def profile_summary(
    pairs: Pairs, resamples: int = RESAMPLES, level: float = 0.95, seed: int = SEED
) -> pd.DataFrame:
    """Mean profile agreement with the own writer and with strangers, with intervals.

    Parameters
    ----------
    pairs : Pairs
        From :func:`pair_ratings`.
    resamples, level, seed
        As in :func:`carebook.resampling.bootstrap`.

    Returns
    -------
    DataFrame
        Index ``similarity``, ``strangers``, ``difference``, ``distinctive``; columns as
        :func:`carebook.resampling.bootstrap`. ``difference`` is the one to read: what observers
        have in common with *this* writer beyond what they have with anyone. Strangers are resampled
        too; here every (record, stranger) pair counts alike. The typical profiles behind
        ``distinctive`` are held fixed. ``attrs``: ``resampled``, and ``left_out``: records with
        an incomplete or flat profile.
    """
    observed, own = _array(pairs.observed), _array(pairs.own)
    keep = _usable(observed, own)
    if not keep.any():
        raise ValueError("Every profile is incomplete or flat: correlations have no answer.")
    kept = Pairs(pairs.observed[keep], pairs.own[keep], pairs.people[keep], pairs.scale)
    each = profile_agreement(pairs)[keep]
    strangers = _Strangers(
        _unit(_deviations(observed[keep])), _unit(_deviations(own[keep])), kept.people
    )
    similarity, distinctive = each["similarity"].to_numpy(), each["distinctive"].to_numpy()
    there = ~np.isnan(distinctive)
    distinctive = np.where(there, distinctive, 0.0)

    def statistic(weights):
        alike = ratio(weights @ similarity, weights.sum(axis=1))
        unlike = strangers.mean(weights)
        unique = ratio(weights @ distinctive, weights @ there.astype(float))
        return np.column_stack([alike, unlike, alike - unlike, unique])

    units = kept.units()
    names = ["similarity", "strangers", "difference", "distinctive"]
    out = bootstrap(statistic, units, names, resamples, level, seed)
    out.attrs["resampled"] = units.sentence
    out.attrs["left_out"] = int((~keep).sum())
    return out


def _usable(observed: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Rows in which both profiles are complete and neither is flat."""
    complete = ~(np.isnan(observed) | np.isnan(own)).any(axis=1)
    varied = (np.ptp(observed, axis=1) > 0) & (np.ptp(own, axis=1) > 0)
    return complete & varied


def _typical(pairs: Pairs, own: np.ndarray, keep: np.ndarray) -> np.ndarray:
    """The mean profile of the writers, each narrative once."""
    first = ~pairs.people["sample_id"][keep].duplicated().to_numpy()
    return own[keep][first].mean(axis=0, keepdims=True)


def _deviations(profiles: np.ndarray) -> np.ndarray:
    return profiles - profiles.mean(axis=1, keepdims=True)


def _length(profiles: np.ndarray) -> np.ndarray:
    return np.sqrt((profiles**2).sum(axis=1))


def _unit(deviations: np.ndarray) -> np.ndarray:
    """Scaled to length 1, so that the product of two profiles is their correlation."""
    return deviations / _length(deviations)[:, None]


class _Strangers:
    """Correlations of observers' profiles with writers of other narratives.

    Correlations of unit profiles are products, so a sum over strangers is the product with the sum
    of everybody, less the few narratives that are no strangers': those of the observer's own
    writer, and those that the observer wrote.
    """

    def __init__(self, seen: np.ndarray, felt: np.ndarray, people: pd.DataFrame):
        narrative = pd.factorize(people["sample_id"])[0]
        _, first = np.unique(narrative, return_index=True)
        self.seen, self.felt, self.in_narrative = seen, felt[first], GroupSums(narrative)
        written = pd.DataFrame(
            {"writer": people["writer_id"].to_numpy()[first], "narrative": np.arange(len(first))}
        )
        known = [
            pd.DataFrame({"record": np.arange(len(seen)), "writer": people[role].to_numpy()})
            for role in ("writer_id", "observer_id")
        ]
        pairs = pd.concat(known).merge(written, on="writer")
        pairs = pairs[["record", "narrative"]].drop_duplicates().to_numpy()
        self.record, self.narrative = pairs.T
        self.known = (self.seen[self.record] * self.felt[self.narrative]).sum(axis=1)

    def each(self) -> np.ndarray:
        """Mean correlation of each record with its strangers, each narrative once."""
        records, narratives = len(self.seen), len(self.felt)
        total = self.seen @ self.felt.sum(axis=0)
        total -= np.bincount(self.record, self.known, minlength=records)
        return ratio(total, narratives - np.bincount(self.record, minlength=records))

    def mean(self, weights: np.ndarray) -> np.ndarray:
        """Mean over all pairs of a record and another record's writer, by weights."""
        narratives = self.in_narrative(weights)
        total = ((weights @ self.seen) * (narratives @ self.felt)).sum(axis=1)
        both = weights.T[self.record] * narratives.T[self.narrative]
        return ratio(total - self.known @ both, weights.sum(axis=1) ** 2 - both.sum(axis=0))


# --- labels -----------------------------------------------------------------------------------


def label_changes(
    pairs: Pairs, resamples: int = RESAMPLES, level: float = 0.95, seed: int = SEED
) -> pd.DataFrame:
    """Which emotions observers add, and which they miss.

    Parameters
    ----------
    pairs : Pairs
        From :func:`pair_labels`.
    resamples, level, seed
        As in :func:`carebook.resampling.bootstrap`.

    Returns
    -------
    DataFrame
        One row per label and kind: ``label``, ``kind``, ``count``, ``out_of``, ``estimate``,
        ``low``, ``high``, ``mc_error``, ``undefined``. Kinds:

        - ``missed``: of the pairs in which the writer chose the label, the share in which the
          observer did not
        - ``added``: of the pairs in which the writer did not, the share in which the observer did.
          A label that few writers choose leaves much room to add and little to miss: read
          ``out_of`` with the shares.
        - ``balance``: observers' rate minus writers' rate, over all pairs. Added and missed labels
          cancel in it.

        ``estimate`` is NaN where ``out_of`` is 0.
    """
    own, observed = (t.to_numpy(dtype=bool) for t in (pairs.own, pairs.observed))
    missed, added = (own & ~observed).astype(float), (observed & ~own).astype(float)
    chosen = own.astype(float)

    def statistic(weights):
        lost, gained, there = weights @ missed, weights @ added, weights @ chosen
        total = weights.sum(axis=1, keepdims=True)
        shares = ratio(lost, there), ratio(gained, total - there), ratio(gained - lost, total)
        return np.concatenate(shares, axis=1)

    units = pairs.units()
    out = bootstrap(statistic, units, resamples=resamples, level=level, seed=seed)
    labels, rows = list(pairs.own.columns), len(own)
    counts = np.concatenate([missed.sum(0), added.sum(0), added.sum(0) - missed.sum(0)])
    out_of = np.concatenate([chosen.sum(0), rows - chosen.sum(0), np.full(len(labels), rows)])
    out.insert(0, "label", labels * 3)
    out.insert(1, "kind", np.repeat(["missed", "added", "balance"], len(labels)))
    out.insert(2, "count", counts.astype(int))
    out.insert(3, "out_of", out_of.astype(int))
    out.attrs["resampled"] = units.sentence
    return out
