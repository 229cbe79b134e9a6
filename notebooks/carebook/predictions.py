"""Predictions for people or stories that a model had not seen, and what stands behind each row.

They are kept rather than thrown away after scoring: two models can then be compared row by row, on
the same people, and a surprising score can be looked at story by story.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from carebook.pairs import LEVELS, pair_rows
from carebook.scoring import LABEL_SETS
from carebook.vocabulary import LABELS

NOBODY = "nobody"
"""What the best constants go by."""

LEVEL_METRICS = ("rmse", "accuracy", "mae", "rmse_levels")
SET_METRICS = ("accuracy", "example_f1", "micro_f1", "macro_f1", "average_precision")
METRICS = {
    **dict.fromkeys(LEVELS, LEVEL_METRICS),
    **dict.fromkeys(LABEL_SETS, SET_METRICS),
}
"""Output -> its metrics. ``rmse`` (divided by the range, as the benchmark does) takes the
regression as it is; ``accuracy``, ``mae`` (in levels) and ``rmse_levels`` take the whole level that
it is turned into. For sets, ``accuracy`` means exactly the same set, and ``average_precision`` is
the mean over labels that are not rare: it ranks the rows of all folds together, though each fold's
scores come from a model of its own."""


def record_rows(data, perspective) -> pd.DataFrame:
    """Who stands behind each record of one perspective."""
    annotations = data.annotations
    if perspective == "observer":
        records, writers = pair_rows(annotations)
    else:
        records = writers = np.flatnonzero(annotations["perspective"] == "experiencer")
    person = annotations["participant_id"].to_numpy()
    return pd.DataFrame(
        {
            "sample_id": annotations["sample_id"].to_numpy()[records],
            "writer_id": person[writers],
            "observer_id": person[records],
        },
        index=annotations.index[records],
    )


def columns_of(output):
    """Where an output stands among the 22 columns of the targets."""
    if output in LEVELS:
        return LEVELS.index(output)
    start = len(LEVELS) + LABELS.index(LABEL_SETS[output][0])
    return slice(start, start + len(LABEL_SETS[output]))


@dataclass(frozen=True)
class Predictions:
    """Predictions for rows that their model had not seen, kept to be scored and compared.

    Attributes
    ----------
    model : str
    input_by : str
        Who supplied what the model saw. The target is always the experiencer's report.
    design : str
        How rows were held out: ``writer_out``, ``narrative_out`` or ``person_out``; "nothing
        fitted" for people and rules.
    rows : DataFrame
        Index ``annotation_id``; ``sample_id``, ``writer_id``, ``observer_id``.
    truth : DataFrame
        Same index; two intensities and 20 labels (0, 1).
    answers : mapping
        (output, metric) -> array: numbers or levels (rows,); for sets, booleans (rows, 10), or
        scores for ``average_precision``. A metric that has no answer is absent.
    text_alone : bool
        True if nothing but the story's text was seen, so that observers are a fair comparison.
    """

    model: str
    input_by: str
    design: str
    rows: pd.DataFrame
    truth: pd.DataFrame
    answers: Mapping
    text_alone: bool

    def chosen(self, output: str, metric: str = "example_f1") -> pd.DataFrame:
        """Return the label sets that aim at a metric, as a table."""
        columns = list(LABEL_SETS[output])
        return pd.DataFrame(self.answers[output, metric], self.rows.index, columns)

    def on(self, narratives: Iterable[str]) -> "Predictions":
        """Return the predictions for some narratives only."""
        keep = self.rows["sample_id"].isin(list(narratives)).to_numpy()
        return self._take(np.flatnonzero(keep))

    def for_observers(self, data) -> "Predictions":
        """Repeat the prediction of a narrative for each observer who read it.

        The rows are then those of :func:`observers`, and the two can be compared in pairs. Only
        what saw the story's text alone, or nothing at all, may stand there: observers had no more.

        Raises
        ------
        ValueError
            If the model saw more than the story, or has a prediction for each observer already.
        """
        if not self.text_alone and self.input_by != NOBODY:
            raise ValueError(
                f"{self.model!r} saw {self.input_by}, and observers saw the story alone: a "
                "difference would say who had more to go by, not who understood more."
            )
        if self.rows["sample_id"].duplicated().any():
            raise ValueError(f"{self.model} has a prediction for each observer already.")
        records = record_rows(data, "observer")
        records = records[records["sample_id"].isin(self.rows["sample_id"])]
        place = pd.Index(self.rows["sample_id"]).get_indexer(records["sample_id"])
        taken = self._take(place)
        return _replaced(taken, rows=records, truth=taken.truth.set_axis(records.index))

    def _take(self, place) -> "Predictions":
        return _replaced(
            self,
            rows=self.rows.iloc[place],
            truth=self.truth.iloc[place],
            answers={key: answer[place] for key, answer in self.answers.items()},
        )


def _replaced(predictions, **changes) -> Predictions:
    return Predictions(**{**vars(predictions), **changes})
