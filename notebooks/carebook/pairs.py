"""Observer records beside what the writers said of themselves, row by row.

An observer of a narrative and the person who lived it answered the same questions. Scores and
perspectives both start from the two answers side by side; this module lines them up, once, and
keeps the identifiers that say which rows belong to the same narrative, writer or observer.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from carebook.resampling import Units, sampling_units

RATING_RANGE = 4
"""Distance between the ends of the 1-5 rating scale."""

LEVEL_RANGE = 6
"""Distance between the ends of the 0-6 intensity scale."""

LEVELS = ("positive_level", "negative_level")


@dataclass(frozen=True)
class Pairs:
    """Observers' answers and the writers' own, in the same rows and columns.

    Attributes
    ----------
    observed, own : DataFrame
        Index ``annotation_id`` of the observer record; the same columns in both. ``own`` repeats
        the writer's answer for each of that narrative's observers.
    people : DataFrame
        Same index: ``sample_id``, ``writer_id`` and ``observer_id`` (people, not slots).
    scale : int
        Distance between the ends of the answer scale: 4 for ratings, 6 for intensities, 1 for
        labels. Scores divide errors by it.
    """

    observed: pd.DataFrame
    own: pd.DataFrame
    people: pd.DataFrame
    scale: int

    def only(self, *columns: str) -> "Pairs":
        """The same pairs with some columns only."""
        keep = list(columns)
        return Pairs(self.observed[keep], self.own[keep], self.people, self.scale)

    def units(self) -> Units:
        """What recurs in these rows and so has to be resampled: narratives, writers, observers."""
        return sampling_units(
            self.people,
            ["sample_id", "writer_id", "observer_id"],
            people=["writer_id", "observer_id"],
        )


def pair_rows(annotations: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Positions of each observer row and of the experiencer row of the same narrative.

    Parameters
    ----------
    annotations : DataFrame
        With ``sample_id`` and ``perspective`` (``experiencer`` or ``observer``).

    Returns
    -------
    observers, writers : int arrays of equal length

    Raises
    ------
    ValueError
        If there is no observer, an observer has no experiencer, or a narrative has two.
    """
    is_observer = (annotations["perspective"] == "observer").to_numpy(dtype=bool)
    observers, experiencers = np.flatnonzero(is_observer), np.flatnonzero(~is_observer)
    if not len(observers):
        raise ValueError(
            "There are no observer records here, so there is nothing to hold beside the writers. "
            "Load a folder that has the third-person file too."
        )
    narrative, names = pd.factorize(annotations["sample_id"])
    experiencer_of = np.full(len(names), -1)
    experiencer_of[narrative[experiencers]] = experiencers
    twice = experiencers[experiencer_of[narrative[experiencers]] != experiencers]
    if len(twice):
        raise ValueError(
            f"Narrative {names[narrative[twice[0]]]!r} has more than one experiencer: expected "
            "exactly one."
        )
    found = experiencer_of[narrative[observers]]
    if (found < 0).any():
        alone = names[narrative[observers[found < 0][0]]]
        raise ValueError(f"Narrative {alone!r} has observers but no experiencer record.")
    return observers, found


def pair_ratings(data) -> Pairs:
    """The 22 appraisal ratings (1-5) of every observer record beside its writer's.

    Parameters
    ----------
    data : CareBench
        What ``load_carebench()`` returns.

    Returns
    -------
    Pairs
    """
    return _pair(data.annotations, data.ratings, RATING_RANGE)


def pair_levels(data) -> Pairs:
    """The two intensities (0-6) of every observer record beside its writer's."""
    return _pair(data.annotations, data.annotations[list(LEVELS)], LEVEL_RANGE)


def pair_labels(data) -> Pairs:
    """The 20 emotion labels (True where chosen) of every observer record beside its writer's."""
    return _pair(data.annotations, data.labels, 1)


def _pair(annotations: pd.DataFrame, answers: pd.DataFrame, scale: int) -> Pairs:
    observers, writers = pair_rows(annotations)
    observed = answers.iloc[observers]
    own = answers.iloc[writers].set_axis(observed.index, axis=0)
    person = annotations["participant_id"]
    people = pd.DataFrame(
        {
            "sample_id": annotations["sample_id"].iloc[observers].to_numpy(),
            "writer_id": person.iloc[writers].to_numpy(),
            "observer_id": person.iloc[observers].to_numpy(),
        },
        index=observed.index,
    )
    return Pairs(observed, own, people, scale)
