"""The benchmark's own scores, exactly as its authors' evaluator defines them.

Scores are comparable with published ones only if every definition is the same, quirks included.
So each function here says what is pooled, what counts as a match, and what 0/0 is, and where
scikit-learn defines a score of the same name differently. Source of the definitions:
``scripts/evaluate.py`` and ``scripts/evaluate_human.py`` of the CAREBench repository (MIT).

Two rules for silence are kept apart, under two names. The evaluator fills in an answer for a model
that gave none (:func:`score_as_evaluator`); :func:`score_answered` scores what was answered. Both
report the coverage, without which neither can be read.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from carebook.pairs import LEVEL_RANGE, LEVELS, RATING_RANGE, pair_rows
from carebook.resampling import RESAMPLES, SEED, bootstrap, ratio, sampling_units
from carebook.textoverlap import MEASURES, is_missing, overlap_scores
from carebook.vocabulary import (
    DIMENSIONS,
    LABELS,
    NEGATIVE_LABELS,
    POSITIVE_LABELS,
    REASONING,
)

LABEL_SETS = {"positive_labels": POSITIVE_LABELS, "negative_labels": NEGATIVE_LABELS}

SILENT_RATING = 3
"""What the evaluator takes for a rating when the model answered nothing: the neutral middle."""

SILENT_LEVEL = 0
"""What the evaluator takes for an intensity when the model answered nothing: not at all."""


# --- single scores ----------------------------------------------------------------------------


def rating_scores(predicted, reference, scale: int = RATING_RANGE) -> dict:
    """Normalised RMSE and exact-match accuracy of ratings, pooled and per column.

    Parameters
    ----------
    predicted, reference : DataFrame
        Same shape and columns. Cells missing in either are left out.
    scale : int
        Distance between the ends of the scale: 4 for ratings (1-5), 6 for intensities (0-6).

    Returns
    -------
    dict
        ``rmse``: root of the mean of ((predicted - reference) / scale)², over all cells;
        ``accuracy``: share of cells that are equal; ``by_dimension``: {column: the same two}.
        Pooled RMSE is not the mean of the columns' RMSEs. None where no cell could be scored (the
        evaluator prints 0 there, its best score).

    Examples
    --------
    >>> table = pd.DataFrame({"control.general": [1, 5]})
    >>> scores = rating_scores(table, pd.DataFrame({"control.general": [1, 3]}))
    >>> round(scores["rmse"], 4), scores["accuracy"]
    (0.3536, 0.5)
    """
    return _rating_scores(_numbers(predicted), _numbers(reference), list(predicted.columns), scale)


def label_scores(predicted: pd.DataFrame, reference: pd.DataFrame) -> dict:
    """Scores of sets of labels: subset accuracy, example-based, micro, macro and per label.

    Parameters
    ----------
    predicted, reference : DataFrame of bool
        One row per case, one column per label; True where chosen.

    Returns
    -------
    dict
        - ``accuracy``: share of cases with exactly the same set
        - ``example`` {``precision``, ``recall``, ``f1``}: computed within each case, then averaged.
          Empty against empty counts 1, any other 0/0 counts 0.
        - ``micro``: from the matches of all cases and labels together
        - ``macro``: plain mean over the labels, also over those that nobody chose (they count 0);
          its F1 is the mean of the labels' F1, not the F1 of the means
        - ``by_label``: {label: {precision, recall, f1}}, 0/0 = 0

        Without any case every score is None: nothing was scored, so nothing was wrong.

    Notes
    -----
    ``accuracy``, ``micro``, ``macro`` and ``by_label`` are what scikit-learn computes with
    ``zero_division=0``. The example-based ones are not its ``average="samples"``: there, one value
    of ``zero_division`` serves all cases, so either empty against empty scores 0, or (with 1)
    precision is also 1 where nothing was predicted and something was wanted.

    Examples
    --------
    >>> said = pd.DataFrame({"glad": [True, False], "calm": [False, False]})
    >>> felt = pd.DataFrame({"glad": [True, False], "calm": [True, False]})
    >>> scores = label_scores(said, felt)
    >>> scores["accuracy"], round(scores["example"]["f1"], 3), round(scores["macro"]["f1"], 3)
    (0.5, 0.833, 0.5)
    """
    said, meant = predicted.to_numpy(dtype=bool), reference.to_numpy(dtype=bool)
    return _label_scores(said, meant, list(predicted.columns))


def reasoning_scores(texts: pd.DataFrame, references: pd.DataFrame) -> dict:
    """Word overlap of free-text answers with the reference answers, averaged.

    Parameters
    ----------
    texts, references : DataFrame of text
        Same shape and columns. A missing or blank text scores 0; where the reference is missing
        nothing is scored.

    Returns
    -------
    dict
        ``bleu``, ``rouge1``, ``rouge2``, ``rougeL`` over all answers, and ``by_dimension``
        {column: the same four}. See :mod:`carebook.textoverlap` for the definitions.
    """
    scores = np.stack(
        [overlap_scores(texts[column], references[column]) for column in texts.columns], axis=1
    )
    scored = ~np.isnan(scores[..., 0])
    totals, counts = np.nansum(scores, axis=0), scored.sum(axis=0)
    overall = _plain(ratio(totals.sum(axis=0), counts.sum()))
    each = _plain(ratio(totals, counts[:, None]))
    by_dimension = {
        column: dict(zip(MEASURES, row, strict=True))
        for column, row in zip(texts.columns, each, strict=True)
    }
    return {**dict(zip(MEASURES, overall, strict=True)), "by_dimension": by_dimension}


def _numbers(table) -> np.ndarray:
    return table.to_numpy(dtype=float, na_value=np.nan)


def _plain(values: np.ndarray) -> list:
    """Python numbers, None for NaN: what JSON can carry."""
    cells = np.asarray(values, dtype=object)
    cells[np.isnan(values)] = None
    return cells.tolist()


def _rating_scores(predicted, reference, names, scale) -> dict:
    pooled, each = _errors_and_matches(predicted, reference, predicted, scale)
    return {**pooled, "by_dimension": dict(zip(names, each, strict=True))}


def _errors_and_matches(predicted, reference, exact, scale):
    """Pooled and per-column scores; matches may rest on another prediction than the errors."""
    gap = (predicted - reference) / scale
    scored = ~np.isnan(gap)
    squares = np.where(scored, gap, 0.0)
    squares *= squares
    sums, counts, equal = squares.sum(axis=0), scored.sum(axis=0), (exact == reference).sum(axis=0)
    rmse = _plain(np.sqrt(ratio(np.append(sums, sums.sum()), np.append(counts, counts.sum()))))
    accuracy = _plain(ratio(np.append(equal, equal.sum()), np.append(counts, counts.sum())))
    rows = [{"rmse": r, "accuracy": a} for r, a in zip(rmse, accuracy, strict=True)]
    return rows[-1], rows[:-1]


def _label_scores(said: np.ndarray, meant: np.ndarray, names) -> dict:
    return _stacked_label_scores(said[None], meant, names)[0]


def _stacked_label_scores(said: np.ndarray, meant: np.ndarray, names) -> list[dict]:
    """Label scores of several predictions (predictions x cases x labels) of one reference."""
    if not len(meant):
        nothing = _named([None] * 3)
        by_label = dict.fromkeys(names, nothing)
        averages = dict.fromkeys(("example", "micro", "macro"), nothing)
        return [{"accuracy": None, **averages, "by_label": by_label} for _ in said]
    said, meant = said.astype(float), meant.astype(float)
    both = said * meant
    # products with ones are sums, and much quicker ones than sums over a short axis
    labels, cases = np.ones(meant.shape[1]), np.ones(len(meant))
    n_both, n_said, n_meant = both @ labels, said @ labels, meant @ labels
    empty = (n_said + n_meant) == 0
    example = [
        np.where(empty, 1.0, _zero(n_both, n_said)),
        np.where(empty, 1.0, _zero(n_both, n_meant)),
        np.where(empty, 1.0, _zero(2 * n_both, n_said + n_meant)),
    ]
    same = (n_both == n_said) & (n_both == n_meant)
    hit, claimed = (cases @ cells for cells in (both, said))
    wanted = np.broadcast_to(cases @ meant, hit.shape)
    each = _precision_recall_f1(hit, claimed, wanted)  # prediction x label x measure
    micro = _precision_recall_f1(hit @ labels, claimed @ labels, wanted @ labels)
    columns = zip(
        same.mean(axis=-1).tolist(),
        np.stack([part.mean(axis=-1) for part in example], axis=-1).tolist(),
        micro.tolist(),
        each.mean(axis=1).tolist(),
        each.tolist(),
        strict=True,
    )
    return [
        {
            "accuracy": accuracy,
            "example": _named(example),
            "micro": _named(micro),
            "macro": _named(macro),
            "by_label": {name: _named(row) for name, row in zip(names, rows, strict=True)},
        }
        for accuracy, example, micro, macro, rows in columns
    ]


def _zero(numerator, denominator) -> np.ndarray:
    """A share in which 0/0 is 0."""
    return numerator / np.maximum(denominator, 1)


def _precision_recall_f1(hit, claimed, wanted) -> np.ndarray:
    return np.stack(
        [_zero(hit, claimed), _zero(hit, wanted), _zero(2 * hit, claimed + wanted)], axis=-1
    )


def _named(scores) -> dict:
    precision, recall, f1 = scores
    return {"precision": precision, "recall": recall, "f1": f1}


# --- the human baseline -----------------------------------------------------------------------


def human_baseline(data) -> dict:
    """How well people do: every observer record scored against its narrative's writer.

    As in the authors' evaluator each observer is scored alone and all records are pooled: this is
    the average *single* observer. ``panel`` is the other reading, the observers of a narrative as
    one judge, and is usually better, for a reason that is arithmetic and not insight (see
    :func:`carebook.perspectives.panel_curve`).

    Parameters
    ----------
    data : CareBench
        What ``load_carebench()`` returns.

    Returns
    -------
    dict
        Ready for JSON. ``pairs`` (observer records); ``ratings``, ``positive_level``,
        ``negative_level`` (:func:`rating_scores`); ``positive_labels``, ``negative_labels``
        (:func:`label_scores`, each valence apart); ``reasoning`` (:func:`reasoning_scores`);
        ``panel``: ``narratives``, and the same scores but the texts', with one rule per metric:
        RMSE of the panel's *mean*, exact match of its *median* (a median between two steps matches
        nothing), label sets chosen by at least "1" ... "5" observers.

    Raises
    ------
    ValueError
        If there are no observers.
    """
    observers, writers = pair_rows(data.annotations)
    scores = numeric_baseline(data)
    panel = scores.pop("panel")
    texts = data.reasoning[list(REASONING)]
    reasoning = reasoning_scores(texts.iloc[observers], texts.iloc[writers])
    return {**scores, "reasoning": reasoning, "panel": panel}


def numeric_baseline(data) -> dict:
    """:func:`human_baseline` without the texts, which take most of its time."""
    observers, writers = pair_rows(data.annotations)
    ratings = _numbers(_columns(data.ratings, DIMENSIONS))
    levels = np.stack([_numbers(data.annotations[level]) for level in LEVELS], axis=1)
    labels = _columns(data.labels, LABELS).to_numpy(dtype=bool)
    panels = _panels(writers)
    return {
        "pairs": len(observers),
        **_answer_scores(
            (ratings[observers], levels[observers], labels[observers]),
            (ratings[writers], levels[writers], labels[writers]),
        ),
        "panel": _panel_scores(ratings, levels, labels, observers, panels),
    }


def _columns(table: pd.DataFrame, names) -> pd.DataFrame:
    """Some columns of a table; the table itself, not a copy, if it has no others."""
    return table if tuple(table.columns) == tuple(names) else table[list(names)]


def _answer_scores(predicted, reference) -> dict:
    (said_ratings, said_levels, said_labels), (ratings, levels, labels) = predicted, reference
    return {
        "ratings": _rating_scores(said_ratings, ratings, DIMENSIONS, RATING_RANGE),
        **_rating_scores(said_levels, levels, LEVELS, LEVEL_RANGE)["by_dimension"],
        "positive_labels": _label_scores(said_labels[:, :10], labels[:, :10], POSITIVE_LABELS),
        "negative_labels": _label_scores(said_labels[:, 10:], labels[:, 10:], NEGATIVE_LABELS),
    }


def _panels(writers: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Panels grouped by size: (writer rows, places of the members: panels x size)."""
    order = np.argsort(writers, kind="stable")
    own, starts, sizes = np.unique(writers[order], return_index=True, return_counts=True)
    out = []
    for size in np.unique(sizes):
        which = sizes == size
        out.append((own[which], order[starts[which][:, None] + np.arange(size)]))
    return out


def _panel_scores(ratings, levels, labels, observers, panels) -> dict:
    own = np.concatenate([rows for rows, _ in panels])
    numbers = np.concatenate([ratings, levels], axis=1)
    mean, median, votes = [], [], []
    for _, members in panels:
        answers = np.sort(numbers[observers[members]], axis=1)  # missing answers sort to the end
        given = np.sum(~np.isnan(answers), axis=1)
        mean.append(ratio(np.nansum(answers, axis=1), given))
        median.append(_middle(answers, given))
        votes.append(labels[observers[members]].sum(axis=1))
    mean, median, votes = np.concatenate(mean), np.concatenate(median), np.concatenate(votes)
    reference, meant = numbers[own], labels[own]
    pooled, each = _errors_and_matches(
        mean[:, :22], reference[:, :22], median[:, :22], RATING_RANGE
    )
    _, level_scores = _errors_and_matches(
        mean[:, 22:], reference[:, 22:], median[:, 22:], LEVEL_RANGE
    )
    out = {
        "narratives": len(own),
        "ratings": {**pooled, "by_dimension": dict(zip(DIMENSIONS, each, strict=True))},
        **dict(zip(LEVELS, level_scores, strict=True)),
    }
    for name, part in (("positive_labels", slice(0, 10)), ("negative_labels", slice(10, 20))):
        by_votes = votes[None, :, part] >= np.arange(1, 6)[:, None, None]
        scores = _stacked_label_scores(by_votes, meant[:, part], LABEL_SETS[name])
        out[name] = dict(zip("12345", scores, strict=True))
    return out


def _middle(answers: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Median along axis 1 of sorted answers, of which the first ``given`` count."""
    low, high = (
        np.take_along_axis(answers, np.maximum(place, 0)[:, None], axis=1)[:, 0]
        for place in ((given - 1) // 2, given // 2)
    )
    return (low + high) / 2


def baseline_intervals(
    data, resamples: int = RESAMPLES, level: float = 0.95, seed: int = SEED
) -> pd.DataFrame:
    """The headline scores of single observers, each with a bootstrap interval.

    Writers (with their narratives) and observers are resampled, crossed where both recur.

    Returns
    -------
    DataFrame
        Index: ``ratings rmse``, ``ratings accuracy``, the same for both levels, and for both label
        sets ``accuracy``, ``example f1``, ``micro f1``, ``macro f1``. Columns as
        :func:`carebook.resampling.bootstrap`; ``attrs["resampled"]`` says what was drawn. RMSE and
        the F1s are not means: each is computed anew in every resample.
    """
    observers, writers = pair_rows(data.annotations)
    ids = data.annotations[["sample_id", "participant_id"]]
    people = pd.DataFrame(
        {
            "sample_id": ids["sample_id"].iloc[observers].to_numpy(),
            "writer_id": ids["participant_id"].iloc[writers].to_numpy(),
            "observer_id": ids["participant_id"].iloc[observers].to_numpy(),
        }
    )
    units = sampling_units(people, list(people.columns), people=["writer_id", "observer_id"])
    names, parts = [], []
    for name, table, scale in (
        ("ratings", data.ratings[list(DIMENSIONS)], RATING_RANGE),
        *((level, data.annotations[[level]], LEVEL_RANGE) for level in LEVELS),
    ):
        numbers = _numbers(table)
        parts.append(_number_statistic((numbers[observers] - numbers[writers]) / scale))
        names += [f"{name} rmse", f"{name} accuracy"]
    for name, labels in LABEL_SETS.items():
        chosen = data.labels[list(labels)].to_numpy(dtype=bool)
        parts.append(_label_statistic(chosen[observers], chosen[writers]))
        names += [f"{name} {score}" for score in ("accuracy", "example f1", "micro f1", "macro f1")]

    def statistic(weights):
        return np.concatenate([part(weights) for part in parts], axis=1)

    out = bootstrap(statistic, units, names, resamples, level, seed)
    out.attrs["resampled"] = units.sentence
    return out


def _number_statistic(gap: np.ndarray):
    """RMSE and accuracy as a function of row weights."""
    rows = np.stack(
        [np.nansum(gap**2, axis=1), (gap == 0).sum(axis=1), (~np.isnan(gap)).sum(axis=1)], 1
    )

    def statistic(weights):
        squares, equal, cells = (weights @ rows).T
        return np.stack([np.sqrt(ratio(squares, cells)), ratio(equal, cells)], axis=1)

    return statistic


def _label_statistic(said: np.ndarray, meant: np.ndarray):
    """Subset accuracy, example, micro and macro F1 as a function of row weights."""
    hit = (said & meant).astype(float)
    either = said.astype(float) + meant
    sums = either.sum(axis=1)
    example = np.where(sums == 0, 1.0, _zero(2 * hit.sum(axis=1), sums))
    means = np.stack([(said == meant).all(axis=1), example], axis=1)

    def statistic(weights):
        hits, eithers = weights @ hit, weights @ either
        by_label = np.nan_to_num(ratio(2 * hits, eithers))
        micro = np.nan_to_num(ratio(2 * hits.sum(axis=1), eithers.sum(axis=1)))
        plain = ratio(weights @ means, weights.sum(axis=1, keepdims=True))
        return np.column_stack([plain, micro, by_label.mean(axis=1)])

    return statistic


# --- a model's answers ------------------------------------------------------------------------


@dataclass(frozen=True)
class Answers:
    """Answers to the benchmark's questions, a model's or a person's, one row per narrative.

    Every table has the index ``sample_id``. What was not answered is a missing value, or a missing
    row. A part that was not asked at all is None and is not scored.

    Attributes
    ----------
    ratings : DataFrame, optional
        The 22 dimensions, 1-5.
    levels : DataFrame, optional
        ``positive_level``, ``negative_level``, 0-6.
    labels : DataFrame, optional
        The 20 labels as True/False. An empty set is ten times False; no answer is ten missing
        values (or no row).
    reasoning : DataFrame, optional
        The five free texts.
    """

    ratings: pd.DataFrame | None = None
    levels: pd.DataFrame | None = None
    labels: pd.DataFrame | None = None
    reasoning: pd.DataFrame | None = None


def experiencer_answers(data) -> Answers:
    """What the writers answered about their own narratives: the reference of all scores."""
    own = (data.annotations["perspective"] == "experiencer").to_numpy(dtype=bool)
    samples = pd.Index(data.annotations["sample_id"][own], name="sample_id")
    return Answers(
        ratings=data.ratings.loc[own, list(DIMENSIONS)].set_axis(samples, axis=0),
        levels=data.annotations.loc[own, list(LEVELS)].set_axis(samples, axis=0),
        labels=data.labels.loc[own, list(LABELS)].set_axis(samples, axis=0),
        reasoning=data.reasoning.loc[own, list(REASONING)].set_axis(samples, axis=0),
    )


def score_as_evaluator(answers: Answers, reference: Answers) -> dict:
    """A model's scores under the evaluator's rule for silence: an answer is filled in.

    A narrative without any rating counts as 3 on all dimensions, without a level as 0, without
    labels as the empty set, and a missing text scores 0. A single rating missing among others is
    skipped, as the evaluator does. Mind what this pays: saying nothing earns example F1 = 1
    wherever the writer chose no label of that valence. See ``coverage`` before anything else, and
    :func:`score_answered` beside it.

    Parameters
    ----------
    answers : Answers
        The model's.
    reference : Answers
        :func:`experiencer_answers`, all narratives that were asked about.

    Returns
    -------
    dict
        The keys of :func:`human_baseline` for the parts that were asked, without ``pairs`` and
        ``panel``; and ``coverage`` {part: {``asked``, ``answered``, ``filled``, ``skipped``}},
        counted in narratives for labels and levels, in cells for ratings and texts. What the
        reference leaves open was not asked.

    Raises
    ------
    ValueError
        If an answer is outside its scale, a set of labels is half answered, a narrative is answered
        twice or is not in the reference.
    """
    filled, coverage = {}, {}
    for part, columns, silence in _parts():
        said, wanted = _aligned(answers, reference, part, columns)
        if said is None:
            continue
        answered = said.notna().to_numpy()
        filled_in = np.broadcast_to((~answered).all(axis=1, keepdims=True), answered.shape)
        if part == "reasoning":
            filled_in = ~answered  # whichever text is missing scores 0
        else:
            said = said.mask(filled_in, silence)
        filled[part] = (said, wanted)
        coverage[part] = _coverage(part, answered, filled_in, wanted)
    return {**_scores(filled), "coverage": coverage}


def score_answered(answers: Answers, reference: Answers) -> dict:
    """A model's scores on what it answered, and how much that was.

    Nothing is filled in: narratives, cells and texts without an answer are left out. A model can
    look good here by answering only what is easy, so a score without its ``coverage`` says little,
    and two models can be compared only on narratives that both answered.

    Parameters, result and errors as in :func:`score_as_evaluator`; ``filled`` is always 0.
    """
    kept, coverage = {}, {}
    for part, columns, _ in _parts():
        said, wanted = _aligned(answers, reference, part, columns)
        if said is None:
            continue
        answered = said.notna().to_numpy()
        coverage[part] = _coverage(part, answered, np.zeros_like(answered), wanted)
        if part == "reasoning":
            wanted = wanted.where(answered)
        kept[part] = (said, wanted)
    return {**_scores(kept), "coverage": coverage}


def _parts():
    yield "ratings", list(DIMENSIONS), SILENT_RATING
    for level in LEVELS:
        yield level, [level], SILENT_LEVEL
    for name, labels in LABEL_SETS.items():
        yield name, list(labels), False
    yield "reasoning", list(REASONING), None


def _aligned(answers: Answers, reference: Answers, part: str, columns: list[str]):
    """The model's answers and the reference for one part, on the reference's narratives."""
    table = {"ratings": "ratings", "reasoning": "reasoning"}.get(part)
    table = table or ("levels" if part in LEVELS else "labels")
    said, wanted = getattr(answers, table), getattr(reference, table)
    if said is None or wanted is None:
        return None, None
    lost = [column for column in columns if column not in said.columns]
    if lost:
        raise ValueError(f"The answers have no column {lost[0]!r} in {table}.")
    if not said.index.is_unique:
        twice = said.index[said.index.duplicated()][0]
        raise ValueError(f"Narrative {twice!r} has two answers in {table}: keep one row each.")
    strange = said.index.difference(wanted.index)
    if len(strange):
        raise ValueError(
            f"{len(strange)} answers in {table} are about narratives outside the reference, "
            f"for instance {strange[0]!r}. Identifiers are text: '0007' is not 7."
        )
    said = said[columns].astype(object).reindex(wanted.index)
    if part == "reasoning":
        said = said.mask(said.map(is_missing), None)
    elif part in LABEL_SETS:
        half = said.notna().any(axis=1) & said.isna().any(axis=1)
        if half.any():
            raise ValueError(
                f"Narrative {said.index[half][0]!r} has some of its {part} missing and some not. "
                "A set is answered as a whole: False for a label that was not chosen."
            )
    else:
        _refuse_off_scale(said, *((1, 5) if part == "ratings" else (0, LEVEL_RANGE)))
    return said, wanted[columns]


def _refuse_off_scale(said: pd.DataFrame, low: int, high: int) -> None:
    answers = _numbers(said)
    off = (answers < low) | (answers > high)
    if off.any():
        row, column = np.argwhere(off)[0]
        raise ValueError(
            f"The answer to {said.columns[column]!r} for narrative {said.index[row]!r} is "
            f"{answers[row, column]:g}, and the scale runs from {low} to {high}. What is no answer "
            "on the scale is a missing value."
        )


def _coverage(part, answered, filled_in, wanted) -> dict:
    """How much was asked, answered and filled in: whole sets, single levels, cells and texts."""
    asked = ~wanted.map(is_missing) if part == "reasoning" else wanted.notna()
    asked = asked.to_numpy()
    if part in LABEL_SETS:
        asked, answered, filled_in = (table.all(axis=1) for table in (asked, answered, filled_in))
    given, filled = int((asked & answered).sum()), int((asked & filled_in).sum())
    total = int(asked.sum())
    return {"asked": total, "answered": given, "filled": filled, "skipped": total - given - filled}


def _scores(parts: dict) -> dict:
    out = {}
    for part, (said, wanted) in parts.items():
        if part == "reasoning":
            out[part] = reasoning_scores(said, wanted)
        elif part in LABEL_SETS:
            given = said.notna().all(axis=1)
            out[part] = label_scores(said[given], wanted[given])
        elif part in LEVELS:
            out[part] = rating_scores(said, wanted, LEVEL_RANGE)["by_dimension"][part]
        else:
            out[part] = rating_scores(said, wanted)
    return out
