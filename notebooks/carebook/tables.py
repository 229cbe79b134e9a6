"""Columns that mean the same under pandas 2 and pandas 3."""

import numpy as np
import pandas as pd


def text_column(values):
    """Return texts as a column: ``str`` on pandas 3, ``object`` on pandas 2; None becomes NaN.

    Parameters
    ----------
    values : sequence of str or None
        An object array is taken as it is and may be changed.
    """
    if isinstance(values, np.ndarray):
        cells = values
    else:
        cells = np.empty(len(values), dtype=object)
        cells[:] = values
    if int(pd.__version__.split(".")[0]) >= 3:
        return pd.array(cells, dtype=pd.StringDtype(na_value=np.nan), copy=False)
    cells[pd.isna(cells)] = np.nan
    return cells


def text_index(values, name):
    """Return an index of texts, typed like :func:`text_column`."""
    column = text_column(values)
    return pd.Index(column, name=name, dtype=column.dtype)
