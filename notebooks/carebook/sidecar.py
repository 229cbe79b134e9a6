"""The key to a practice corpus: what its program knows of each story, and no reader does.

A practice corpus comes with a file ``truth.json``, the *sidecar*. Nothing that predicts may look
into it. It serves to check a method against what was put in, and to ask what a model has
recognised. Real data have no such key.
"""

import json
import os
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd

from carebook.records import open_bytes
from carebook.resampling import SEED, Folds, narrative_out, writer_out
from carebook.results import list_phrase

SIDECAR = ("truth.json", "truth.json.gz")


def situations(data, source=None) -> pd.Series | None:
    """Which written situation each narrative of a practice corpus tells of.

    Several invented writers tell of one situation, each in their own way.

    Parameters
    ----------
    data : CareBench
        What ``load_carebench()`` returned.
    source : str or path, optional
        What was given to ``load_carebench``, if anything was.

    Returns
    -------
    Series or None
        Index ``sample_id``, in the order of ``data.narratives``; the situation's name. None where
        there is no key: the data are real, no sidecar lies beside them, or it is not about exactly
        these narratives.

    Examples
    --------
    >>> from carebook import load_carebench
    >>> told = situations(load_carebench())
    >>> told.loc["0001"]
    'number-nine-out-of-the-hat'
    """
    path = _sidecar(source)
    if path is None or not data.source.synthetic:
        return None
    with open_bytes(path) as file:
        told = {name: known["situation"] for name, known in json.load(file)["narratives"].items()}
    if set(told) != set(data.narratives.index):
        return None
    return pd.Series(told, name="situation").loc[data.narratives.index]


def themes(data, source=None) -> dict[str, tuple[str, ...]]:
    """What each text of a practice corpus touches on that a reader may want to be warned of.

    Parameters
    ----------
    data : CareBench or Imbue
        What ``load_carebench()`` or ``load_imbue()`` returned.
    source : str or path, optional
        What was given to the loader, if anything was.

    Returns
    -------
    dict of str to tuple of str
        ``sample_id`` of a narrative, or ``conversation_id``, -> themes, such as ``"illness"``;
        those that touch on none are left out. Empty where there is no key; see `situations`.

    Examples
    --------
    >>> from carebook import load_carebench
    >>> themes(load_carebench())["0102"]
    ('pregnancy loss', 'bereavement')
    """
    kind = "narratives" if hasattr(data, "narratives") else "conversations"
    path = _sidecar(source, {"narratives": "CAREBENCH_DATA", "conversations": "IMBUE_DATA"}[kind])
    if path is None or not data.source.synthetic:
        return {}
    with open_bytes(path) as file:
        told = json.load(file).get(kind, {})
    if set(told) != set(getattr(data, kind).index):
        return {}
    touched = {name: tuple(known.get("themes", ())) for name, known in told.items()}
    return {name: some for name, some in touched.items() if some}


def content_note(data, key, source=None, *, what="story") -> str:
    """One sentence to put before a text that touches on something hard; empty if none is known.

    Parameters
    ----------
    data : CareBench or Imbue
    key : str
        ``sample_id`` of the narrative, or ``conversation_id``.
    source : str or path, optional
        What was given to the loader, if anything was.
    what : str, default "story"
        What the text is called.

    Examples
    --------
    >>> from carebook import load_carebench
    >>> content_note(load_carebench(), "0102")
    'Content note: this story touches on pregnancy loss and bereavement.'
    >>> content_note(load_carebench(), "0001")
    ''
    """
    return content_notes(data, source, what=what).get(key, "")


def content_notes(data, source=None, *, what="story") -> dict[str, str]:
    """The sentences of :func:`content_note` for all texts at once: the key is read one time.

    Parameters
    ----------
    data : CareBench or Imbue
    source : str or path, optional
        What was given to the loader, if anything was.
    what : str, default "story"
        What the texts are called.

    Returns
    -------
    dict of str to str
        ``sample_id`` or ``conversation_id`` -> the sentence; texts without one are left out.

    Examples
    --------
    >>> from carebook import load_imbue
    >>> content_notes(load_imbue(), what="conversation")["06"]
    'Content note: this conversation touches on money trouble.'
    """
    return {
        key: f"Content note: this {what} touches on {list_phrase(touched)}."
        for key, touched in themes(data, source).items()
    }


def _sidecar(source, variable="CAREBENCH_DATA"):
    """The sidecar beside the records, or None."""
    source = source or os.environ.get(variable) or None
    if source is None:
        return files("carebook") / "data" / "practice" / SIDECAR[1]
    beside = Path(source).expanduser()
    beside = beside.parent if beside.is_file() else beside
    found = [beside / name for name in SIDECAR if (beside / name).is_file()]
    return found[0] if found else None


def met_and_new(situations, writers, folds: int = 5, seed: int = SEED) -> tuple[Folds, Folds]:
    """Two ways to leave stories out that differ in one thing: whether their situations were met.

    In both, each row is tested once, by a model that has met none of its writers. In the second,
    no situation of the test rows is in training either. That leaves fewer rows to learn from, so
    training rows are drawn at random until all folds of both designs have equally many.

    Parameters
    ----------
    situations, writers : sequence of str
        For each row what it tells of, and who wrote it.
    folds, seed : int

    Returns
    -------
    met, new : lists of (train, test)
        Positions of rows, as from :func:`carebook.resampling.writer_out`.

    Raises
    ------
    ValueError
        If a fold of the second design leaves nothing to learn from.

    Examples
    --------
    >>> met, new = met_and_new(["a", "a", "b", "b"], ["w1", "w2", "w3", "w4"], folds=2)
    >>> [len(train) for train, test in met + new]
    [2, 2, 2, 2]
    """
    writers = pd.Series(np.asarray(writers, dtype=object))
    new = []
    for train, test in narrative_out(situations, folds, seed):
        known = writers.iloc[train].isin(writers.iloc[test]).to_numpy()
        new.append((train[~known], test))
    designs = writer_out(writers, folds, seed), new
    least = min(len(train) for design in designs for train, _ in design)
    if not least:
        raise ValueError(
            "Without the situations and the writers of one fold nothing is left to learn from. Use "
            "more folds."
        )
    draw = np.random.default_rng(seed)
    return tuple(
        [(np.sort(draw.choice(train, least, replace=False)), test) for train, test in design]
        for design in designs
    )
