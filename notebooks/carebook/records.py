"""What a reader is told when a file departs from its documentation, and how files are opened.

A data file is either read whole or refused. A refusal is a :class:`DataError` that carries every
:class:`Problem` found, each naming the file, the line or key, the field, what stood there, what was
expected and what to do. Everything shown from a file is made safe first: a record can hold line
breaks, terminal codes or right-to-left marks, and none of these may leave the line that quotes it.
"""

import gzip
import hashlib
import io
import os
import zlib
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SHOWN_PROBLEMS = 20
SHOWN_CHARACTERS = 80

BUFFER = 1 << 18
"""Bytes read at a time: many records, so that the operating system is asked seldom."""

LARGEST = 4 << 30
"""Bytes of a file that is still read: some fifty times what either data set can have."""

UNPACKED_FREELY = 64 << 20
UNPACKED_AT_MOST = 200
"""From that many bytes on, a packed file may unpack to this many times its own size (text as people
write it packs to a quarter; a file made to fill a computer's memory, to a thousandth)."""

ENOUGH = 200_000
"""Problems after which a file is not read any further: more than there are in a release that spells
every answer of every record in another way, and few enough to be told in seconds."""

UNREADABLE = (OSError, EOFError, zlib.error)
"""What opening or reading a file (packed or not) can raise."""


def safe(text, width=None):
    r"""Return text as one harmless line, cut to a width.

    Every character that is not printable (control characters, terminal codes, line and paragraph
    separators, direction marks, lone surrogates, no-break spaces) is written as an escape.

    Parameters
    ----------
    text : str
    width : int, optional
        Longest result; a longer one ends in ``...``.

    Examples
    --------
    >>> safe("two\nlines, \x1b[31mred")
    'two\\nlines, \\x1b[31mred'
    """
    if width is not None and len(text) > width:
        text = text[: width + 1]  # escapes only lengthen it, so the rest can't be needed
    if not text.isprintable():
        text = "".join(
            char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
        )
    return text if width is None or len(text) <= width else text[: width - 3] + "..."


def show(value):
    """Return what stood in a file as short, safe text: at most 80 characters.

    Examples
    --------
    >>> show("Somewhat agree "), show(None), show(True), show([1, 2])
    ('"Somewhat agree "', 'null', 'true', 'a list of 2')
    """
    if isinstance(value, str):
        return '"' + safe(value, SHOWN_CHARACTERS - 2) + '"'
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, Mapping):
        return f"an object with {len(value)} field{'s' * (len(value) != 1)}"
    words = {None: "null", True: "true", False: "false"}
    text = words[value] if value is None or isinstance(value, bool) else repr(value)
    return safe(text, SHOWN_CHARACTERS)


def stopped(text):
    """Return a text with a full stop at its end, and no second one where it has one already.

    A field of CAREBench is called by its whole statement, full stop included.

    Examples
    --------
    >>> stopped("This situation matters to me."), stopped("a place ..."), stopped("a list of 2")
    ('This situation matters to me.', 'a place ...', 'a list of 2.')
    """
    return text if text.endswith(".") else text + "."


@dataclass(frozen=True)
class Problem:
    """One departure from the documentation, and what to do about it.

    Attributes
    ----------
    file : str
        Name of the file, from the data folder on.
    place : str
        Where in it: ``"line 17"``, ``'key "0007"'``, ``'key "0007", item 3'``; may be empty.
    record : str
        Which record, as far as it says so: ``"sample 0007, observer 3"``; may be empty.
    field : str
        Dotted path of the field; may be empty.
    found, expected, advice : str
        What stood there (short and safe), what the documentation allows, what to do next.
    kind : str
        One word for programs: ``"answer"``, ``"missing"``, ``"panel"``, ``"repeated"`` ...
    proposal : mapping or None
        The entry for ``exceptions.toml`` that would accept it, if it can be accepted.

    ``str(problem)`` is exactly one line.
    """

    file: str
    place: str = ""
    record: str = ""
    field: str = ""
    found: str = ""
    expected: str = ""
    advice: str = ""
    kind: str = ""
    proposal: Mapping | None = None

    def __str__(self):
        where = ", ".join(safe(part, 100) for part in (self.file, self.place) if part)
        what = ": ".join(safe(part, 140) for part in (where, self.record, self.field) if part)
        found = f"found {safe(self.found, SHOWN_CHARACTERS)}" if self.found else ""
        expected = f"expected {safe(self.expected, 400)}" if self.expected else ""
        said = "; ".join(part for part in (found, expected) if part)
        return f"{what}: {stopped(said)} {safe(self.advice, 400)}".strip()


GROUPED_FROM = 4
"""From this many problems of one kind on, the first is shown, and where the others are."""

_SHOWN_PLACES = 3


def grouped(problems):
    """Put problems of one kind together: the same file, field and expectation, other records.

    Parameters
    ----------
    problems : sequence of Problem

    Returns
    -------
    list of list of Problem
        In the order in which their first problems stand; less than four are not put together.
    """
    alike, keys = {}, [_likeness(problem) for problem in problems]
    for problem, key in zip(problems, keys, strict=True):
        alike.setdefault(key, []).append(problem)
    groups, done = [], set()
    for problem, key in zip(problems, keys, strict=True):
        if len(alike[key]) < GROUPED_FROM:
            groups.append([problem])
        elif key not in done:
            done.add(key)
            groups.append(alike[key])
    return groups


def too_many(file, place, problems):
    """The problem of a file that is not read on, since it has `ENOUGH` problems already.

    Parameters
    ----------
    file, place : str
        Where reading stopped.
    problems : sequence of Problem
        What was found before.
    """
    return Problem(
        file,
        place,
        found=f"{len(problems):,} problems before it",
        expected="a file that is as documented, or nearly",
        advice="From here on it was not read. Check that this is the right file, in one piece.",
        kind="too many",
    )


def _likeness(problem):
    field = problem.field if problem.kind == "missing" else problem.field.split(".")[0]
    file = problem.file.rpartition("/")[0] or problem.file
    return file, problem.kind, field.split("[")[0], problem.expected, problem.advice


def group_lines(group):
    r"""What is printed for one group: its first problem; how many more, and where.

    Examples
    --------
    >>> alike = [Problem("a.csv", f"line {i}", found=f'"{i}"', advice="Mend it.") for i in range(9)]
    >>> print("\n".join(group_lines(alike)))
    a.csv, line 0: found "0". Mend it.
      and 8 more like it: line 1, line 2, line 3 ...; found also "1", "2", "3" ...
    """
    first, *others = group
    lines = [str(first)]
    if others:
        places = [p.place or p.record or p.file for p in others[:_SHOWN_PLACES]]
        line = f"  and {len(others):,} more like it: {_listed(places, len(others))}"
        also = list(dict.fromkeys(p.found for p in others if p.found != first.found))
        if also:
            line += f"; found also {_listed(also[:_SHOWN_PLACES], len(also))}"
        lines.append(line)
    return lines


def _listed(texts, total):
    more = " ..." if total > len(texts) else ""
    return ", ".join(safe(text, 40) for text in texts) + more


class DataError(ValueError):
    """Data files depart from their documentation; nothing was loaded.

    Attributes
    ----------
    problems : tuple of Problem
        All problems of all files that were read. The message shows the first twenty kinds.
    """

    def __init__(self, problems: Iterable[Problem]):
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self):
        groups = grouped(self.problems)
        lines = [line for group in groups[:SHOWN_PROBLEMS] for line in group_lines(group)]
        left = sum(map(len, groups[SHOWN_PROBLEMS:]))
        if left:
            lines.append(f"... and {left:,} more ({len(self.problems):,} problems in all)")
        lines.append(
            "Nothing was loaded. Put the files right, or accept departures by name in "
            "exceptions.toml: `python -m carebook check FOLDER` prints entries to paste."
        )
        return "\n".join(lines)


@dataclass(frozen=True)
class Source:
    """Where a data set came from, for captions and for the record.

    Attributes
    ----------
    name : str
        Name of the folder or file, or ``"practice corpus"``.
    layout : str
        ``"lines"``, ``"objects"``, ``"per sample"`` or ``"practice"``; IMBUE: ``"csv"``,
        ``"parquet"`` or ``"practice"``.
    files : Fingerprints
        File name -> SHA-256 of the file as it lies there (packed, if it is packed).
    synthetic : bool
        True when every person in it is an invention of the practice generator.
    label : str
        Short text for captions.
    quotable : frozenset of str
        Keys of real texts that an instructor lets be quoted; see ``carebook.quoting``.
    """

    name: str
    layout: str
    files: Mapping[str, str]
    synthetic: bool
    label: str
    quotable: frozenset = frozenset()


class Fingerprints(Mapping):
    """File name -> SHA-256, worked out when it is asked for.

    Reading a file leaves no time to lose, and few readers want its checksum. So that a late
    checksum is still one of the file that was read, size and time of each file are kept.

    Parameters
    ----------
    paths : mapping
        File name -> path.
    """

    def __init__(self, paths):
        self._paths = dict(paths)
        self._state = {name: _state(path, name) for name, path in self._paths.items()}
        self._known = {}

    def __getitem__(self, name):
        if name not in self._known:
            path = self._paths[name]
            try:
                with path.open("rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError:
                raise _changed(name) from None
            if _state(path, name) != self._state[name]:
                raise _changed(name)
            self._known[name] = digest
        return self._known[name]

    def __iter__(self):
        return iter(self._paths)

    def __len__(self):
        return len(self._paths)

    def __repr__(self):
        return f"Fingerprints({', '.join(self._paths)})"


def _changed(name):
    told = "a file that has changed since it was read"
    return DataError([Problem(name, found=told, advice="Load the data again.", kind="changed")])


def _state(path, name):
    if not isinstance(path, Path):
        return None  # package data inside an archive does not change
    try:
        status = path.stat()
    except OSError:
        raise _changed(name) from None
    return status.st_size, status.st_mtime_ns


class TooLarge(OSError):
    """A file that is, or unpacks to, more than any release of the data can hold."""


class _Unpacked(io.RawIOBase):
    """What a packed file holds, as long as it stays in proportion to the file's own size."""

    def __init__(self, packed):
        self._packed = packed
        self._unpacked = gzip.GzipFile(fileobj=packed)
        self._read = 0

    def readable(self):
        return True

    def seekable(self):
        return True

    def seek(self, offset, whence=io.SEEK_SET):
        return self._unpacked.seek(offset, whence)

    def readinto(self, buffer):
        try:
            count = self._unpacked.readinto(buffer)
        except gzip.BadGzipFile:
            self._packed.seek(0)
            if self._packed.read(2) == b"\x1f\x8b":  # it begins as a packed file does
                raise zlib.error("something else after what is packed") from None
            raise
        self._read += count
        if self._read > max(UNPACKED_FREELY, UNPACKED_AT_MOST * self._packed.tell()):
            raise TooLarge("a packed file that unpacks to far more than text does")
        return count


@contextmanager
def open_bytes(path):
    """Open a file for reading bytes, unpacking one whose name ends in ``.gz``.

    Raises
    ------
    TooLarge
        If it is larger than any release can be; when reading, if it unpacks to far too much.
    """
    # Package data may lie in an archive, whose files take no buffer size.
    options = {"buffering": BUFFER} if isinstance(path, Path) else {}
    with path.open("rb", **options) as packed:
        if isinstance(path, Path) and os.fstat(packed.fileno()).st_size > LARGEST:
            raise TooLarge(f"a file of more than {LARGEST >> 30} GB")
        if path.name.endswith(".gz"):
            with io.BufferedReader(_Unpacked(packed), BUFFER) as unpacked:
                yield unpacked
        else:
            yield packed


# Beginnings that give a file away: start, what it looks like, what to do.
_BEGINNINGS = (
    (b"\xff\xfe", "text saved as UTF-16", "Save it again as UTF-8"),
    (b"\xfe\xff", "text saved as UTF-16", "Save it again as UTF-8"),
    (b"PK\x03\x04", "a zip archive or an Excel workbook", "Unpack it, and use the files inside"),
    (b"PK\x05\x06", "an empty zip archive", "Download it again"),
    (b"\x1f\x8b", "a gzip-packed file", "Give it a name that ends in .gz, or unpack it"),
    (b"\x28\xb5\x2f\xfd", "a zstd-packed file", "Unpack it first"),
    (b"BZh", "a bzip2-packed file", "Unpack it first"),
    (b"\xfd7zXZ", "an xz-packed file", "Unpack it first"),
    (b"7z\xbc\xaf", "a 7-zip archive", "Unpack it first"),
    (b"PAR1", "a Parquet file", "Give it a name that ends in .parquet"),
    (b"%PDF", "a PDF document", "Download the data file itself"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word document", "Export it as plain text in UTF-8"),
    (b"SQLite format 3", "an SQLite database", "Use the data file that was released"),
)


def looks_like(head):
    """Say what a file looks like, when its beginning shows that it is something else altogether.

    Parameters
    ----------
    head : bytes
        The first few hundred bytes.

    Returns
    -------
    tuple of (str, str) or None
        What it looks like, and what to do; None when nothing gives it away.

    Examples
    --------
    >>> looks_like(b"version https://git-lfs.github.com/spec/v1")[0]
    'a Git LFS pointer, not the data itself'
    >>> looks_like(b'{"sample_id": "0001"}') is None
    True
    """
    for start, what, advice in _BEGINNINGS:
        if head.startswith(start):
            return what, advice + "."
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if text.startswith(b"version https://git-lfs"):
        return (
            "a Git LFS pointer, not the data itself",
            "Run `git lfs pull` in the folder it came from, or download the file in a browser.",
        )
    if text.startswith((b"<!doctype", b"<html", b"<?xml", b"<head", b"<body")):
        return (
            "a web page, not the data itself",
            "Download the file itself: the download button, not the address of the page.",
        )
    if text.startswith(b"{\\rtf"):
        return "a rich-text document", "Save it as plain text in UTF-8."
    start = head[:64]  # a text may hold a NUL; only another encoding begins with many
    if start.count(0) * 3 > len(start) > 3:
        return "text saved as UTF-16, or a binary file", "Save it again as UTF-8."
    return None


def cannot_read(file, error):
    """The problem for a file that the computer can't open or unpack."""
    if isinstance(error, gzip.BadGzipFile):
        found, advice = "a file that is not gzip-packed", "Take .gz off its name, or pack it."
    elif isinstance(error, (EOFError, zlib.error)):
        found, advice = "a packed file that is cut short or damaged", "Copy or download it again."
    elif isinstance(error, TooLarge):
        found, advice = str(error), "Use the file as it was released."
    elif isinstance(error, PermissionError):
        found, advice = "a file that you may not read", "Change its permissions, or copy it."
    else:
        found = getattr(error, "strerror", None) or type(error).__name__
        advice = "Check that the file is there and can be opened."
    return Problem(file, found=found, expected="a readable file", advice=advice, kind="unreadable")


def text_problem(raw, error):
    """What to say of bytes that are not UTF-8: found, expected, advice.

    Parameters
    ----------
    raw : bytes
    error : UnicodeDecodeError
    """
    byte = raw[error.start]
    hint = " (a Windows-1252 character?)" if byte >= 0x80 else ""
    return {
        "found": f"byte 0x{byte:02x} at character {error.start + 1}{hint}",
        "expected": "text in UTF-8",
        "advice": "Use the file as it was released, or save it again as UTF-8.",
        "kind": "bytes",
    }
