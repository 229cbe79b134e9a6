"""Long tables of judgements: who judged what, checked before any coefficient is computed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

SLOTS = frozenset({"observer", "observer_index", "slot"})
"""Column names that number places on a panel. Different people sit in the same place."""


class NoAnswer(ValueError):
    """The data cannot answer this; the message says why and what could be done."""


@dataclass(frozen=True)
class Judgements:
    """Who judged what: codes of unit and rater for each row."""

    unit: np.ndarray
    rater: np.ndarray


def judgements(table: pd.DataFrame, unit: str, rater: str) -> Judgements:
    for column in (unit, rater):
        if table[column].isna().any():
            raise ValueError(f"{int(table[column].isna().sum())} rows have no {column}.")
    doubled = table.duplicated([unit, rater])
    if doubled.any():
        first = table.loc[doubled, [unit, rater]].iloc[0]
        raise ValueError(
            f"{rater} {first[rater]!r} judged {unit} {first[unit]!r} more than once. Agreement is "
            "between raters: decide which judgement counts, and keep one row."
        )
    return Judgements(pd.factorize(table[unit])[0], pd.factorize(table[rater])[0])


def in_order(values: pd.Series, order: list) -> tuple[np.ndarray, np.ndarray]:
    if len(set(order)) != len(order):
        raise ValueError("order names a category twice.")
    codes = pd.Index(order).get_indexer(values.astype(object))
    strange = values[(codes < 0) & values.notna().to_numpy()]
    if len(strange):
        raise ValueError(f"{strange.iloc[0]!r} is in {values.name!r} but not in the order given.")
    return codes, np.arange(len(order), dtype=float)


def refuse_slots(table: pd.DataFrame, raters: Sequence[str]) -> None:
    for rater in raters:
        if rater in SLOTS:
            raise NoAnswer(
                f"{rater!r} is a slot, not a rater: number 3 of one narrative and number 3 of "
                "another are different people, so nothing can be said about 'rater 3'. Name the "
                "column that identifies people (participant_id)."
            )
        refuse_shared_slot(table, rater)


def refuse_shared_slot(table: pd.DataFrame, rater: str) -> None:
    if "participant_id" not in table.columns or rater == "participant_id":
        return
    people = table.groupby(rater, observed=True)["participant_id"].nunique()
    if (people > 1).any():
        raise NoAnswer(
            f"{people.idxmax()!r} in {rater!r} stands for {people.max()} different people: it is a "
            "slot, not a rater. Name the column that identifies people (participant_id)."
        )
