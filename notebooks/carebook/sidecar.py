"""The key to a practice corpus: what its program knows of each story, and no reader does.

A practice corpus comes with a file ``truth.json``, the *sidecar*. Nothing that predicts may look
into it. It serves to check a method against what was put in, and to ask what a model has
recognised. Real data have no such key.
"""

import json
import os
from importlib.resources import files
from pathlib import Path

import pandas as pd

from carebook.records import open_bytes

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


def _sidecar(source):
    """The sidecar beside the records, or None."""
    source = source or os.environ.get("CAREBENCH_DATA") or None
    if source is None:
        return files("carebook") / "data" / "practice" / SIDECAR[1]
    beside = Path(source).expanduser()
    beside = beside.parent if beside.is_file() else beside
    found = [beside / name for name in SIDECAR if (beside / name).is_file()]
    return found[0] if found else None
