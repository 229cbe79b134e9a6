"""A Parquet table as rows of text, as a CSV file of the same table would give them.

What pandas or another program noted in the file about its own types and its index is not looked at:
a note that is wrong must not change what is read.
"""

from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from carebook.records import UNPACKED_AT_MOST, UNPACKED_FREELY, TooLarge, open_bytes

ROWS_AT_A_TIME = 64
"""A cell may hold a megabyte and be stored once for all rows; few rows at a time stay small."""


class NotParquet(ValueError):
    """The file can't be read as a Parquet table; the message says why."""


@dataclass(frozen=True)
class Table:
    """The columns of an open file, and the way to its rows.

    Attributes
    ----------
    names : tuple of str
        The columns, in the order of the file.
    odd : dict
        Column -> what it holds, for those that hold neither texts nor numbers.
    """

    names: tuple
    odd: dict
    _file: Any
    _limit: int

    def rows(self):
        """Iterate over the rows: a list of texts, as many as there are columns.

        Raises
        ------
        NotParquet
            If the file is damaged further on.
        TooLarge
            If it unpacks to far more than its size lets expect.
        """
        read = 0
        with _told():
            for batch in self._file.iter_batches(batch_size=ROWS_AT_A_TIME):
                read += batch.nbytes
                if read > self._limit:
                    raise TooLarge("a packed file that unpacks to far more than text does")
                named = zip(self.names, batch.columns, strict=True)
                columns = [_values(column, name in self.odd) for name, column in named]
                yield from ([*map(as_cell, cells)] for cells in zip(*columns, strict=True))


def open_table(path):
    """Open a Parquet file.

    Parameters
    ----------
    path : path

    Returns
    -------
    Table

    Raises
    ------
    ImportError
        If the package pyarrow is not installed.
    NotParquet
        If it is no Parquet table.
    """
    import pyarrow
    from pyarrow.parquet import ParquetFile

    with open_bytes(path) as file:
        content = file.read()
    limit = max(UNPACKED_FREELY, UNPACKED_AT_MOST * len(content))
    with _told():
        opened = ParquetFile(pyarrow.BufferReader(content))
        groups = range(opened.metadata.num_row_groups)
        if sum(opened.metadata.row_group(i).total_byte_size for i in groups) > limit:
            raise TooLarge("a packed file that unpacks to far more than text does")
        schema = opened.schema_arrow
        odd = {column.name: str(column.type) for column in schema if not _is_plain(column.type)}
        return Table(tuple(schema.names), odd, opened, limit)


@contextmanager
def _told():
    """Turn what the library raises into `NotParquet`."""
    import pyarrow

    try:
        yield
    except TooLarge:
        raise
    except (pyarrow.ArrowException, ValueError, OSError, MemoryError) as error:
        raise NotParquet(str(error) or type(error).__name__) from None


def _values(column, odd):
    """The values of a column; a date that Python has no number for is told, not read."""
    try:
        return column.to_pylist()
    except (ArithmeticError, LookupError, ValueError):
        if not odd:
            raise
        return [f"[{column.type}]"] * len(column)


def _is_plain(kind):
    """Whether a column holds texts, numbers, truth values or nothing."""
    from pyarrow import types

    if types.is_dictionary(kind):
        kind = kind.value_type
    names = ("string", "large_string", "string_view", "null", "integer", "floating", "boolean")
    return any(getattr(types, f"is_{name}", _never)(kind) for name in names)


def _never(kind):
    return False


def as_cell(value):
    """A value as the text that a CSV file would hold; nothing, and no number, as an empty one.

    Examples
    --------
    >>> as_cell("None"), as_cell(None), as_cell(7), as_cell(float("nan"))
    ('None', '', '7', '')
    """
    if isinstance(value, str):
        return value
    return "" if value is None or value != value else str(value)
