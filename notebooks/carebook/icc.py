"""Intraclass correlations: what share of the variance lies between the things that were rated.

The form follows from the design, not from taste. Do raters recur? Then their habits can be told
from noise, and the variance has a rater part. Do they not? Then only the one-way form has an
answer. A place on a panel ("observer 3") is not a rater and is refused as one.

References
----------
Shrout, P. E., & Fleiss, J. L. (1979). Intraclass correlations: Uses in assessing rater
reliability. Psychological Bulletin, 86(2), 420-428.
McGraw, K. O., & Wong, S. P. (1996). Forming inferences about some intraclass correlation
coefficients. Psychological Methods, 1(1), 30-46.
Henderson, C. R. (1953). Estimation of variance and covariance components. Biometrics, 9(2),
226-252 (Method 1).
Gao, K., & Owen, A. B. (2017). Efficient moment calculations for variance components in large
unbalanced crossed random effects models. Electronic Journal of Statistics, 11(1), 1235-1296.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from carebook.judgements import NoAnswer, judgements, refuse_shared_slot, refuse_slots
from carebook.resampling import (
    RESAMPLES,
    SEED,
    GroupSums,
    bootstrap,
    ratio,
    sampling_units,
)

_ICC_COLUMNS = {
    "design": object,
    "icc": float,
    "low": float,
    "high": float,
    "mc_error": float,
    "undefined": "Int64",
    "icc_panel": float,
    "panel": float,
    "consistency": float,
    "var_target": float,
    "var_rater": float,
    "var_residual": float,
    "targets": "Int64",
    "raters": "Int64",
    "ratings": "Int64",
    "note": object,
}


def icc_table(
    table: pd.DataFrame,
    target: str,
    rater: str,
    values: Sequence[str],
    resample: Sequence[str] | None = None,
    people: Sequence[str] = (),
    resamples: int = RESAMPLES,
    coverage: float = 0.95,
    seed: int = SEED,
) -> pd.DataFrame:
    """Intraclass correlations, in the form that the design allows.

    If no rater rates two targets, a rater's habits cannot be told from noise: the one-way model,
    ICC(1, 1). If raters recur, targets and raters are crossed, and the variance is split into
    targets, raters and residual (rater by target and error together), on data of any shape: what
    ICC(2, 1) and ICC(3, 1) are in a full table.

    Parameters
    ----------
    table : DataFrame
        One row per rating, long; need not be balanced; missing ratings are left out.
    target, rater : str
        What was rated, and the *person* who rated. A slot such as ``observer`` (1 to 5) is refused.
    values : sequence of str
        Numeric columns, for instance the 22 appraisal dimensions.
    resample, people, resamples, coverage, seed
        As in :func:`carebook.agreement.alpha_table`.

    Returns
    -------
    DataFrame
        Index: the columns rated.

        - ``design``: ``one-way`` or ``crossed``
        - ``icc``: one rating by a random rater, absolute agreement: target / (target + rater +
          residual); with ``low``, ``high``, ``mc_error``, ``undefined``
        - ``icc_panel``: the mean of ``panel`` raters (the size of a typical panel)
        - ``consistency``: target / (target + residual), crossed only: rater level set aside
        - ``var_target``, ``var_rater``, ``var_residual``: variance components, in squared scale
          points. One-way, the rater part is inside the residual.
        - ``targets``, ``raters``, ``ratings``: what was used
        - ``note``: why there is no answer, or what makes it shaky

    Notes
    -----
    Components are Henderson's (1953) Method 1 in the form of Gao & Owen (2017): squares within
    targets, within raters and over all pairs, set equal to what the model expects of them. They
    are unbiased on any pattern of who rated what, need no normal distribution, and are the
    analysis of variance exactly when the table is full. A likelihood method would be somewhat more
    precise on very unbalanced data. An estimate may be negative; it is shown as it is, and noted.
    """
    refuse_slots(table, [rater])
    refuse_shared_slot(table, rater)
    judged = judgements(table, target, rater)
    units = sampling_units(table, resample or [target, rater], people)
    rows, groups = {}, {}
    for value in values:
        numbers = table[value].to_numpy(dtype=float, na_value=np.nan)
        used = ~np.isnan(numbers)
        groups.setdefault(used.tobytes(), (used, {}))[1][value] = numbers
    for used, columns in groups.values():
        rows.update(_icc_rows(judged, used, columns, units, resamples, coverage, seed))
    out = pd.DataFrame.from_dict(rows, orient="index", columns=list(_ICC_COLUMNS))
    out = out.reindex(list(values)).astype(_ICC_COLUMNS)
    out.attrs["resampled"] = units.sentence
    return out


def _icc_rows(judged, used, columns, units, resamples, coverage, seed) -> dict:
    target, rater = judged.unit[used], judged.rater[used]
    per_target = np.bincount(target)
    per_target = per_target[per_target > 0]
    counts = {
        "targets": len(per_target),
        "raters": len(np.unique(rater)),
        "ratings": int(used.sum()),
    }
    why = ""
    if len(per_target) < 2:
        why = "Fewer than two targets were rated: nothing lies between targets."
    elif per_target.max() < 2:
        why = "No target was rated twice, so agreement cannot be estimated from these data."
    if why:
        return {value: {**counts, "note": why} for value in columns}
    recurring = len(rater) - counts["raters"]  # ratings by raters beyond their first
    model = _Components(
        target, rater if recurring else None, np.stack(list(columns.values()), 1)[used]
    )
    parts = model(np.ones((1, len(target))))
    drawn = units.at(np.flatnonzero(used))
    bands = bootstrap(
        lambda weights: _single(model(weights)), drawn, list(columns), resamples, coverage, seed
    )
    panel = (len(target) - (per_target**2).sum() / len(target)) / (len(per_target) - 1)
    return {
        value: {
            **counts,
            **_icc_row(*(part[0, number] for part in parts), panel),
            **bands.loc[value, ["low", "high", "mc_error", "undefined"]].to_dict(),
            "design": "crossed" if recurring else "one-way",
            "note": _icc_note([part[0, number] for part in parts], recurring),
        }
        for number, value in enumerate(columns)
    }


def _icc_row(between, raters, residual, panel) -> dict:
    error = np.nansum([raters, residual])
    return {
        "icc": float(ratio(between, between + error)),
        "icc_panel": float(ratio(between, between + error / panel)),
        "panel": panel,
        "consistency": float(ratio(between, between + residual))
        if not np.isnan(raters)
        else np.nan,
        "var_target": between,
        "var_rater": raters,
        "var_residual": residual,
    }


def _icc_note(parts, recurring) -> str:
    if not np.nansum(np.abs(parts)):
        return "All ratings are the same: there is no variance to share out."
    notes = []
    if any(part < 0 for part in parts):
        notes.append("a variance component is estimated below zero: read it as none found")
    if 0 < recurring < 30:
        notes.append(f"only {recurring} ratings are by raters who recur: the rater part is shaky")
    return "; ".join(notes)


def _single(parts: tuple[np.ndarray, ...]) -> np.ndarray:
    between, raters, residual = parts
    return ratio(between, between + np.nan_to_num(raters) + residual)


class _Components:
    """Variance components (target, rater, residual) of several columns, as a function of weights.

    ``rater=None`` is the one-way model; its rater component is NaN, for it cannot be seen.
    """

    def __init__(self, target: np.ndarray, rater: np.ndarray | None, ratings: np.ndarray):
        self.ratings = ratings - ratings.mean(axis=0)  # keeps sums of squares accurate
        self.by_target = GroupSums(target)
        self.by_rater = None if rater is None else GroupSums(rater)

    def __call__(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        total = weights.sum(axis=1, keepdims=True)
        row_pairs = total**2 - (weights**2).sum(axis=1, keepdims=True)
        squares = weights @ self.ratings**2
        all_pairs = total * squares - (weights @ self.ratings) ** 2
        within, target_pairs = self._within(self.by_target, weights, squares, total)
        if self.by_rater is None:
            between = ratio(all_pairs - within * row_pairs, target_pairs)
            return between, np.full_like(between, np.nan), within
        across, rater_pairs = self._within(self.by_rater, weights, squares, total)
        residual = ratio(
            all_pairs - across * target_pairs - within * rater_pairs,
            row_pairs - target_pairs - rater_pairs,
        )
        return across - residual, within - residual, residual

    def _within(self, groups: GroupSums, weights, squares, total):
        """Mean square inside groups, and the weight of pairs from different groups.

        Copies of one row are the same judgement: they add nothing to the degrees of freedom.
        """
        weights, ratings = groups.arrange(weights), groups.arrange(self.ratings.T).T
        size = groups.sum(weights)
        inverse = np.nan_to_num(ratio(1, size))
        freedom = (size - groups.sum(weights**2) * inverse).sum(axis=1, keepdims=True)
        explained = np.zeros_like(squares)
        stops = np.append(groups.starts[1:], len(ratings))
        for number, (start, stop) in enumerate(zip(groups.starts, stops, strict=True)):
            sums = weights[:, start:stop] @ ratings[start:stop]  # all columns at once
            explained += sums**2 * inverse[:, [number]]
        inside = ratio(squares - explained, freedom)
        return inside, total**2 - (size**2).sum(axis=1, keepdims=True)


def shrout_fleiss(
    table: pd.DataFrame, target: str, rater: str, value: str, coverage: float = 0.95
) -> pd.DataFrame:
    """The six intraclass correlations of Shrout & Fleiss (1979), for a full table.

    Every rater has rated every target once. For anything else see :func:`icc_table`.

    Parameters
    ----------
    table : DataFrame
        Long: one row per rating.
    target, rater, value : str
        Columns: what was rated, the person who rated, the rating.
    coverage : float
        Coverage of the intervals, which come from F distributions (normal effects assumed).

    Returns
    -------
    DataFrame
        Index ``ICC(1,1)`` ... ``ICC(3,k)``; ``icc``, ``low``, ``high``, and ``question``: what the
        form answers.

    Raises
    ------
    NoAnswer
        If the table is not full, ``rater`` is a slot, or nothing varies.

    Notes
    -----
    Shrout & Fleiss (1979), whose worked example (6 targets, 4 judges) is a test here: .17, .29, .71
    for one rating, .44, .62, .91 for the mean of four. Limits as in McGraw & Wong (1996).

    Examples
    --------
    >>> marks = pd.DataFrame(
    ...     {"essay": list("aabbcc"), "judge": list("xyxyxy"), "mark": [1, 2, 3, 4, 5, 6]}
    ... )
    >>> shrout_fleiss(marks, "essay", "judge", "mark")["icc"].round(2).tolist()
    [0.88, 0.89, 1.0, 0.94, 0.94, 1.0]
    """
    refuse_slots(table, [rater])
    judgements(table, target, rater)
    wide = table.pivot(index=target, columns=rater, values=value).astype(float)
    if wide.isna().any(axis=None) or min(wide.shape) < 2:
        raise NoAnswer(
            f"The six forms need a full table, at least 2 x 2. Here {wide.shape[0]} targets and "
            f"{wide.shape[1]} raters leave {int(wide.isna().to_numpy().sum())} cells empty. "
            "icc_table() chooses a form for such data."
        )
    n, k = wide.shape
    x = wide.to_numpy()
    means = x.mean(axis=1, keepdims=True), x.mean(axis=0, keepdims=True)
    targets = k * ((means[0] - x.mean()) ** 2).sum() / (n - 1)
    judges = n * ((means[1] - x.mean()) ** 2).sum() / (k - 1)
    within = ((x - means[0]) ** 2).sum() / (n * (k - 1))
    error = ((x - means[0] - means[1] + x.mean()) ** 2).sum() / ((n - 1) * (k - 1))
    if not targets + within:
        raise NoAnswer("All ratings are the same: there is no variance to share out.")
    one = (targets - within) / (targets + (k - 1) * within)
    two = (targets - error) / (targets + (k - 1) * error + k * (judges - error) / n)
    three = (targets - error) / (targets + (k - 1) * error)
    limits_one = _f_limits(targets, within, n - 1, n * (k - 1), k, coverage)
    limits_two = _two_way_limits(targets, judges, error, n, k, two, coverage)
    limits_three = _f_limits(targets, error, n - 1, (n - 1) * (k - 1), k, coverage)
    single = [(one, *limits_one), (two, *limits_two), (three, *limits_three)]
    panel = [[_step_up(r, k) for r in row] for row in single]
    return pd.DataFrame(
        [*single, *panel],
        columns=["icc", "low", "high"],
        index=["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"],
    ).assign(
        question=[
            f"{who}, {how}"
            for who in ("one rating", f"mean of {k} ratings")
            for how in (
                "each target with its own raters",
                "these raters stand for others; level counts",
                "these raters only; level set aside",
            )
        ]
    )


def _step_up(single: float, k: int) -> float:
    """Spearman-Brown: from one rating to the mean of k."""
    return float(ratio(k * single, 1 + (k - 1) * single))


def _f_limits(between, error, df_between, df_error, k, coverage):
    from scipy.stats import f

    if not error:
        return 1.0, 1.0
    tail = (1 + coverage) / 2
    low = between / error / f.ppf(tail, df_between, df_error)
    high = between / error * f.ppf(tail, df_error, df_between)
    return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)


def _two_way_limits(between, judges, error, n, k, icc, coverage):
    from scipy.stats import f

    spread = k * judges + (k * n - k - n) * error
    if not error:
        return np.nan, np.nan  # the approximate degrees of freedom do not exist
    a = k * icc / (n * (1 - icc))
    b = 1 + k * icc * (n - 1) / (n * (1 - icc))
    df = (a * judges + b * error) ** 2 / (
        (a * judges) ** 2 / (k - 1) + (b * error) ** 2 / ((n - 1) * (k - 1))
    )
    tail = (1 + coverage) / 2
    low, high = f.ppf(tail, n - 1, df), f.ppf(tail, df, n - 1)
    return (
        n * (between - low * error) / (low * spread + n * between),
        n * (high * between - error) / (spread + n * high * between),
    )
