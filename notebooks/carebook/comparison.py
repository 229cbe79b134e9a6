"""Scores of predictions, and differences between them, with intervals over narratives and people.

Every score of the benchmark is a mean of ratios of sums over rows, so a bootstrap of all of them is
one matrix product. Average precision is the exception: it is ranked anew in every resample.
"""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from carebook.pairs import LEVEL_RANGE
from carebook.predictions import Predictions, columns_of
from carebook.resampling import (
    RESAMPLES,
    SEED,
    bootstrap,
    bootstrap_draws,
    interval_table,
    ratio,
    sampling_units,
)
from carebook.scoring import LABEL_SETS

BEST_CONSTANT = "best constant"

LOWER_IS_BETTER = frozenset({"rmse", "mae", "rmse_levels"})

MAIN_METRICS = {
    "positive_level": "rmse",
    "negative_level": "rmse",
    "positive_labels": "example_f1",
    "negative_labels": "example_f1",
}

RARE = 20
"""A label that the writers of fewer narratives chose gets counts and no scores of its own."""

LEFT_OUT = (
    "The intervals say how far the scores would move with other narratives and other people to be "
    "tested on. The fitted models are held as they are: what another training sample, or another "
    "division into folds, would change is not in them."
)


# --- scores --------------------------------------------------------------------------------------


def score_table(
    predictions: Mapping[str, Predictions] | Iterable[Predictions],
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> pd.DataFrame:
    """Score predictions, with intervals over narratives and people.

    Parameters
    ----------
    predictions : mapping or iterable of Predictions
    resamples, seed : int
        As in :func:`carebook.resampling.bootstrap`.

    Returns
    -------
    DataFrame
        One row per model, output and metric: ``model``, ``output``, ``metric``, ``estimate``,
        ``low``, ``high``, ``mc_error``, ``input_by``, ``target_by``, ``text_alone``, ``design``,
        ``rows`` (how many predictions), ``narratives``. ``LEFT_OUT`` belongs below it.

    Notes
    -----
    Scores pool the predictions of all folds. For most metrics that only weighs folds by their size.
    ``average_precision`` ranks rows of all folds together, though each fold's scores come from a
    model of its own: where those models differ in level, pooled ranks are a little worse than the
    ranks within a fold.
    """
    tables = []
    for one in _listed(predictions):
        keys = list(one.answers)
        intervals = bootstrap(_statistic(one, keys), _units(one), None, resamples, seed=seed)
        table = pd.DataFrame(keys, columns=["output", "metric"])
        table.insert(0, "model", one.model)
        table = pd.concat([table, intervals.drop(columns="undefined")], axis=1)
        tables.append(
            table.assign(
                input_by=one.input_by,
                target_by="experiencer",
                text_alone=one.text_alone,
                design=one.design,
                rows=len(one.rows),
                narratives=one.rows["sample_id"].nunique(),
            )
        )
    return pd.concat(tables, ignore_index=True)


def _listed(predictions):
    return list(predictions.values()) if isinstance(predictions, Mapping) else list(predictions)


def _units(one):
    columns = ["sample_id", "writer_id"]
    if one.rows["sample_id"].duplicated().any():
        return sampling_units(one.rows, [*columns, "observer_id"], ["writer_id", "observer_id"])
    return sampling_units(one.rows, columns)


def _statistic(one, keys):
    """All wanted scores of some predictions as one function of row weights."""
    plain = [key for key in keys if key[1] != "average_precision"]
    pieces = [_pieces(one, *key) for key in plain]
    # One matrix product for all metrics together; then each takes its own columns.
    sums = np.hstack([np.hstack(piece) for piece in pieces]) if pieces else np.empty((0, 0))
    edges = np.cumsum([0] + [piece[0].shape[1] + piece[1].shape[1] for piece in pieces])

    def scores(weights):
        found, all_sums = {}, weights @ sums if pieces else None
        for key, piece, edge in zip(plain, pieces, edges, strict=False):
            half = piece[0].shape[1]
            above, below = (
                all_sums[:, edge : edge + half],
                all_sums[:, edge + half : edge + 2 * half],
            )
            score = np.nan_to_num(ratio(above, below)).mean(axis=1)
            found[key] = np.sqrt(score) if key[1] in ("rmse", "rmse_levels") else score
        for output, metric in keys:
            if metric == "average_precision":
                found[output, metric] = _mean_average_precision(one, output, weights)
        return np.stack([found[key] for key in keys], axis=1)

    return scores


def _pieces(one, output, metric):
    """A score as ratios of sums over rows: numerators and denominators (rows, ratios)."""
    from carebook.estimators import set_pieces

    answer, known = one.answers[output, metric], one.truth.to_numpy()[:, columns_of(output)]
    if output in LABEL_SETS:
        return set_pieces(answer, known > 0.5, metric)
    error = {
        "rmse": ((answer - known) / LEVEL_RANGE) ** 2,
        "rmse_levels": ((answer - known) / LEVEL_RANGE) ** 2,
        "mae": np.abs(answer - known),
        "accuracy": answer == known,
    }[metric]
    return error[:, None].astype(float), np.ones((len(known), 1))


def common_labels(one: Predictions, output: str, least: int = RARE) -> list[str]:
    """Labels that the writers of enough narratives chose, to be scored one by one.

    Narratives are counted, not rows: five observers of one story make no label less rare.
    """
    counts = _narratives_with(one, output)
    return list(counts.index[counts >= least])


def _narratives_with(one: Predictions, output: str) -> pd.Series:
    """How many narratives carry each label."""
    first = ~one.rows["sample_id"].duplicated().to_numpy()
    return (one.truth.loc[first, list(LABEL_SETS[output])] > 0.5).sum()


def _mean_average_precision(one, output, weights):
    names = LABEL_SETS[output]
    common = [names.index(label) for label in common_labels(one, output)]
    if not common:
        return np.full(len(weights), np.nan)
    known = one.truth.to_numpy()[:, columns_of(output)]
    scores = one.answers[output, "average_precision"]
    weights = np.ascontiguousarray(weights.T)
    found = [_average_precision(scores[:, place], known[:, place], weights) for place in common]
    return np.mean(found, axis=0)


def average_precision(scores, wanted, weights) -> np.ndarray:
    """Average precision under row weights: rows of equal score share one precision.

    Parameters
    ----------
    scores : array (rows,)
    wanted : array (rows,)
        1 where the label holds.
    weights : array (resamples, rows)

    Returns
    -------
    array (resamples,)
        As :func:`sklearn.metrics.average_precision_score` with ``sample_weight``; NaN where no row
        with the label was drawn.

    Examples
    --------
    >>> average_precision([0.9, 0.8, 0.1], [1, 0, 1], np.ones((1, 3))).round(3).tolist()
    [0.833]
    """
    weights = np.ascontiguousarray(np.asarray(weights, dtype=float).T)
    return _average_precision(np.asarray(scores, dtype=float), np.asarray(wanted), weights)


def _average_precision(scores, wanted, weights):
    """As :func:`average_precision`, with the rows first: sums over rows then run fast."""
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    places = np.flatnonzero(wanted[order])
    if not len(places):
        return np.full(weights.shape[1], np.nan)
    # A step ends with the last row whose score equals that of some wanted row.
    last = np.searchsorted(-ordered, -ordered[places], side="right") - 1
    ends, first_in_step = np.unique(last, return_index=True)
    starts = np.r_[0, ends[:-1] + 1]
    drawn = np.cumsum(np.add.reduceat(weights[order[: ends[-1] + 1]], starts, axis=0), axis=0)
    gained = np.add.reduceat(weights[order[places]], first_in_step, axis=0)
    precision = np.nan_to_num(ratio(np.cumsum(gained, axis=0), drawn))
    return ratio((gained * precision).sum(axis=0), gained.sum(axis=0))


def label_table(one: Predictions, output: str, least: int = RARE) -> pd.DataFrame:
    """Score each label by itself; a rare one gets counts and no scores.

    Parameters
    ----------
    one : Predictions
    output : str
        ``positive_labels`` or ``negative_labels``.
    least : int
        How many narratives must carry a label for a score of it to be stated.

    Returns
    -------
    DataFrame
        Index label; ``narratives`` (how many carry it), ``wanted``, ``chosen``, ``both`` (counts of
        rows), ``precision``, ``recall``, ``f1`` (0/0 = 0, choices that aim at macro-F1),
        ``average_precision``, ``base_rate``: missing where ``narratives`` is below ``least``.
    """
    names = list(LABEL_SETS[output])
    known, chosen = one.truth[names] > 0.5, one.chosen(output, "macro_f1")
    table = pd.DataFrame(
        {
            "narratives": _narratives_with(one, output),
            "wanted": known.sum(),
            "chosen": chosen.sum(),
            "both": (known & chosen).sum(),
        }
    )
    scores = one.answers[output, "average_precision"]
    ones = np.ones((1, len(known)))
    table["precision"] = np.nan_to_num(ratio(table["both"], table["chosen"]))
    table["recall"] = np.nan_to_num(ratio(table["both"], table["wanted"]))
    table["f1"] = np.nan_to_num(ratio(2 * table["both"], table["chosen"] + table["wanted"]))
    table["average_precision"] = [
        float(average_precision(scores[:, place], known[label], ones)[0])
        for place, label in enumerate(names)
    ]
    table["base_rate"] = known.mean()
    rates = ["precision", "recall", "f1", "average_precision", "base_rate"]
    table.loc[table["narratives"] < least, rates] = np.nan
    return table


# --- comparisons ---------------------------------------------------------------------------------


def differences(
    predictions: Mapping[str, Predictions],
    pairs: Iterable[tuple[str, str]],
    metrics: Mapping[str, str] = MAIN_METRICS,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> pd.DataFrame:
    """Compare models in pairs, on the same rows, in the same resamples.

    Parameters
    ----------
    predictions : mapping
        Name -> Predictions, as :func:`evaluate` returns.
    pairs : iterable of (str, str)
        Which model is held beside which.
    metrics : mapping
        Output -> metric, the comparisons to make: decide before looking.
    resamples, seed : int

    Returns
    -------
    DataFrame
        ``model``, ``against``, ``output``, ``metric``, ``estimate`` (model minus against), ``low``,
        ``high`` (95%, each for itself), ``mc_error``, ``p`` (two-sided, from the resamples, never
        below 2 / (resamples + 1)), ``p_holm`` (corrected for all rows of this table), ``better``:
        the name of the model that ``p_holm`` < .05 declares better, else "can't tell".
        ``LEFT_OUT`` belongs below it.

    Raises
    ------
    ValueError
        If the rows of a pair differ (bring them together with ``on`` or ``for_observers``), or if
        so many comparisons are made with so few resamples that none could come out.
    """
    pairs, keys = list(pairs), list(metrics.items())
    _refuse_too_few(resamples, len(pairs) * len(keys))
    tables = []
    for first, second in pairs:
        one, other = predictions[first], predictions[second]
        if not one.rows.index.equals(other.rows.index):
            raise ValueError(
                f"{first!r} and {second!r} were scored on different rows. Use the same narratives "
                "for both: .on(narratives), or .for_observers(data) beside observers' records."
            )
        drawn = bootstrap_draws(_difference(one, other, keys), _units(one), resamples, seed)
        intervals = interval_table(drawn.estimate, drawn.draws, scale_error=drawn.scale_error)
        table = pd.DataFrame(keys, columns=["output", "metric"])
        table.insert(0, "model", first)
        table.insert(1, "against", second)
        table = pd.concat([table, intervals.drop(columns="undefined")], axis=1)
        tables.append(table.assign(p=_two_sided(drawn.draws)))
    table = pd.concat(tables, ignore_index=True)
    table["p_holm"] = holm(table["p"])
    lower = table["metric"].isin(LOWER_IS_BETTER)
    first_wins = (table["estimate"] < 0) == lower
    winner = table["model"].where(first_wins, table["against"])
    table["better"] = winner.where(table["p_holm"] < 0.05, "can't tell")
    return table


def _difference(one, other, keys):
    """Score of one minus score of the other, under the same row weights."""
    score_one, score_other = _statistic(one, keys), _statistic(other, keys)
    return lambda weights: score_one(weights) - score_other(weights)


def _refuse_too_few(resamples, comparisons):
    # Holm multiplies the smallest p by the number of comparisons.
    needed = int(np.ceil(2 * comparisons / 0.05))
    if resamples < needed:
        raise ValueError(
            f"With {comparisons} comparisons and {resamples} resamples no difference could come "
            f"out, however large. Use resamples={needed} or more, or make fewer comparisons."
        )


def against(predictions: Mapping[str, Predictions], name: str = BEST_CONSTANT) -> list:
    """List the pairs that hold every other model with the same rows beside one of them."""
    index = predictions[name].rows.index
    return [
        (other, name)
        for other, one in predictions.items()
        if other != name
        and one.rows.index.equals(index)
        and set(MAIN_METRICS.items()) <= set(one.answers)
    ]


def _two_sided(draws):
    defined = np.sum(~np.isnan(draws), axis=0)
    fewer = np.minimum((draws <= 0).sum(axis=0), (draws >= 0).sum(axis=0))
    return np.minimum(1.0, 2 * (fewer + 1) / (defined + 1))


def holm(p_values) -> np.ndarray:
    """Correct p-values for many comparisons, by Holm's step-down rule.

    The smallest of m is multiplied by m, the next by m - 1, and so on; none may fall below one
    before it. The chance that any true null hypothesis is rejected stays at the stated level,
    whatever the dependence between tests.

    Source: S. Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian
    Journal of Statistics 6, 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    p_values = np.asarray(p_values, dtype=float)
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(p_values), 0, -1)
    corrected = np.empty_like(p_values)
    corrected[order] = np.minimum(1, np.maximum.accumulate(factors * p_values[order]))
    return corrected
