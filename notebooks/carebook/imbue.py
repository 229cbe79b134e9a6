"""The IMBUE expert annotations as tables: conversations, messages, and judgements of skills.

The file has one row for each message and expert, with three columns for each of seven skills.
:func:`load_imbue` turns it into one row for each message, expert and skill.
"""

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pandas as pd

from carebook.accepted import IMBUE_FILES, NOTHING, Accepted
from carebook.examination import Examination, nearest
from carebook.parquet import NotParquet, open_table
from carebook.places import entries, unusable, what_is
from carebook.quoting import read_quotations
from carebook.records import (
    ENOUGH,
    UNREADABLE,
    DataError,
    Fingerprints,
    Problem,
    Source,
    cannot_read,
    looks_like,
    open_bytes,
    safe,
    show,
    text_problem,
    too_many,
)
from carebook.tables import text_column, text_index
from carebook.vocabulary import CATEGORIES, IMBUE_COLUMNS, SKILL_LABELS, SKILLS

PRACTICE_PREFIX = "practice-"
FILE_NAMES = ("imbue.csv", "imbue.csv.gz", "imbue.parquet")
LABELS = ("strong", "weak", "none", "yes", "no")
READINGS = ("used well", "used weakly", "missing", "not called for", "unclear")

_JSON = re.compile(rb"\s*[\[{]\s*[\[{\"]")
"""How JSON begins; the name of an undocumented first column may begin with a bracket, too."""

_TABLE = re.compile(r"\.(csv|csv\.gz|parquet)$", re.IGNORECASE)
_IDENTIFIERS = ("conversation_id", "message_id", "username_expert")
_MAX_CELL = 2**31 - 1


@dataclass(frozen=True)
class Imbue:
    """The tables of the IMBUE expert annotations.

    Attributes
    ----------
    conversations : DataFrame
        Index ``conversation_id`` (text, sorted as text); ``situation`` (text), ``category``
        (categorical: family, social, work). Who wrote a conversation is not in the file.
    messages : DataFrame
        Index ``message_key`` (``"07/3"``); ``conversation_id``, ``message_id`` (text), ``position``
        (int64 from 1, by the numeric order of ``message_id``), ``message_text``. Sorted by
        conversation, then position.
    judgements : DataFrame
        One row for each message, expert and skill, in that order: ``message_key``,
        ``conversation_id``, ``expert`` (text), ``skill`` (categorical, ordered as in the acronym),
        ``label`` (categorical: strong, weak, none, yes, no), ``suggestion``, ``rewrite`` (text,
        missing where the cell is empty), ``derived_reading`` (categorical, **derived by us**: see
        :func:`derive_readings`).
    source : Source
        Where the data came from.
    spellings : DataFrame
        ``column``, ``raw``, ``count``, ``taken_as``: every spelling of a label or category that
        stands in the file, and what it was taken for.
    extra_fields : mapping
        Undocumented column -> number of rows.
    accepted : tuple of str
        The departures accepted in ``exceptions.toml``, one sentence each.
    """

    conversations: pd.DataFrame
    messages: pd.DataFrame
    judgements: pd.DataFrame
    source: Source
    spellings: pd.DataFrame
    extra_fields: Mapping
    accepted: tuple

    def __repr__(self):
        experts = self.judgements["expert"].nunique()
        return (
            f"Imbue({self.source.label}: {len(self.conversations)} conversations, "
            f"{len(self.messages)} messages, {experts} experts)"
        )


def load_imbue(source=None):
    """Read the IMBUE expert annotations, check all of them, and return their tables.

    Parameters
    ----------
    source : str or path, optional
        A ``.csv``, ``.csv.gz`` or ``.parquet`` file (the last needs ``carebook[parquet]``), or a
        folder that holds one called ``imbue``. Without it, what the environment variable
        ``IMBUE_DATA`` names, else the practice file that comes with the package.

    Returns
    -------
    Imbue

    Raises
    ------
    DataError
        If anything in the file departs from its data card and ``exceptions.toml`` beside it does
        not accept it.

    Notes
    -----
    The card does not say how labels are spelled. Those that differ from the documented levels in
    capitals and spacing only are recognised and listed in ``spellings``; any other, and an empty
    cell, is refused until the exceptions file says what it means. "None" is an answer.

    Examples
    --------
    >>> data = load_imbue()
    >>> sorted(data.judgements["skill"].unique())[0]
    'assert'
    """
    path, folder, practice = _locate(source)
    accepted = Accepted([folder], IMBUE_FILES)
    reading = _Reading(path.name, accepted)
    reading.read(path)
    problems = reading.problems + accepted.problems
    problems += accepted.unused(unfit_only=bool(problems))
    quotable, wrong = frozenset(), []
    if not problems:
        known = {f"{row['conversation_id']}/{row['message_id']}" for row in reading.rows}
        quotable, wrong = read_quotations([folder], "messages", known)
    problems += wrong
    if problems:
        raise DataError(problems)
    experts = {row["username_expert"] for row in reading.rows}
    synthetic = all(expert.startswith(PRACTICE_PREFIX) for expert in experts)
    kind = "parquet" if path.name.endswith(".parquet") else "csv"
    described = Source(
        name="practice corpus" if practice else path.name,
        layout="practice" if practice else kind,
        files=Fingerprints({path.name: path}),
        synthetic=synthetic,
        label="practice corpus (synthetic)" if synthetic else "IMBUE",
        quotable=quotable,
    )
    return _tables(reading, described, accepted.sentences())


def raw_table(source=None):
    """Return the file as it stands: text in every cell, nothing checked, nothing guessed.

    It is for seeing what reading by hand involves; `load_imbue` is for working.

    Parameters
    ----------
    source : str or path, optional
        As in `load_imbue`.

    Returns
    -------
    DataFrame
        One row for each message and expert, the columns of the file, ``""`` in an empty cell.

    Raises
    ------
    DataError
        If the file is not there.

    Examples
    --------
    >>> raw_table().shape[1]
    27
    """
    path, _, _ = _locate(source)
    if path.name.endswith(".parquet"):
        table = open_table(path)
        return pd.DataFrame(list(table.rows()), columns=list(table.names), dtype=object)
    return pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")


def locate_imbue(source=None):
    """Find the file that `load_imbue` would read, without reading it.

    Returns
    -------
    path

    Raises
    ------
    DataError
        If it is not there, or can't be what is read.

    Examples
    --------
    >>> locate_imbue().name
    'imbue.csv.gz'
    """
    return _locate(source)[0]


def _locate(source):
    """The file to read, the folder it is in, and whether it is the bundled practice file."""
    if source is None:
        source = os.environ.get("IMBUE_DATA") or None
    if source is None:
        folder = files("carebook") / "data" / "practice"
        return folder / "imbue.csv.gz", folder, True
    path = Path(source).expanduser()
    kind = what_is(path)
    if kind == "file":
        return path, path.parent, False
    if kind == "folder":
        return _in_folder(path, source), path, False
    told = (
        kind or "no such file",
        "the IMBUE annotations as .csv",
        "Check how the path is written, and IMBUE_DATA if it is set.",
        "missing file",
    )
    raise DataError([Problem(str(source), "", "", "", *told)])


def _in_folder(folder, source):
    """The one file of annotations in a folder."""
    problems = [unusable(folder, folder / name, name) for name in FILE_NAMES]
    if any(problems):
        raise DataError([problem for problem in problems if problem])
    found = [folder / name for name in FILE_NAMES if what_is(folder / name) == "file"]
    if len(found) == 1:
        return found[0]
    if found:
        what = " and ".join(file.name for file in found)
        told = (what, "one copy of the data", "Move the other one out of the folder.", "layout")
    else:
        expected = "a folder that holds imbue.csv"
        told = ("no imbue.csv in it", expected, "Copy it there.", "missing file")
        tables = [p for p in entries(folder, safe(str(source), 60)) if _TABLE.search(p.name)]
        if tables:
            found = f"the table {show(tables[0].name[:40])}, not imbue.csv"
            told = (found, expected, "Name the file itself, not its folder.", "missing file")
    raise DataError([Problem(str(source), "", "", "", *told)])


# --- reading -----------------------------------------------------------------------------------


class _Reading:
    """What was read of the file: rows by column name, spellings, problems."""

    def __init__(self, name, accepted):
        self.name = name
        self.accepted = accepted
        self.problems = []
        self.rows = []
        self.extra_fields = Counter()
        self.spellings = Counter()
        self._texts = {}  # (what, key) -> (line, value) that every further row must repeat
        self._lines = {}  # (conversation, message, expert) -> line
        self._numbers = {}  # (conversation, number of the message) -> message_id as written

    def _note(self, place="", field="", **told):
        self.problems.append(Problem(self.name, place, field=field, **told))

    def read(self, path):
        try:
            parquet = self.name.endswith(".parquet")
            for place, row in self._parquet(path) if parquet else self._csv(path):
                self._take(place, row)
        except UNREADABLE as error:
            self.problems.append(cannot_read(self.name, error))
        if not self.rows and not self.problems:
            told = {"found": "a header and no rows", "expected": "rows of annotations"}
            self._note(**told, advice="Copy or download it again.", kind="empty")

    def _has_enough(self, place):
        """Whether a row need not be read, after so many problems; noted before all else."""
        if len(self.problems) < ENOUGH:
            return False
        self.problems.insert(0, too_many(self.name, place, self.problems))
        return True

    # The file as rows

    def _csv(self, path):
        text = self._text(path)
        if text is None:
            return
        limit = csv.field_size_limit(_MAX_CELL)
        try:
            yield from self._csv_rows(csv.reader(io.StringIO(text, newline=""), strict=True))
        finally:
            csv.field_size_limit(limit)

    def _text(self, path):
        with open_bytes(path) as file:
            raw = file.read()
        looks, kind = looks_like(raw[:4096]), "wrong file"
        raw = raw.removeprefix(b"\xef\xbb\xbf")
        if looks is None and not raw.strip():
            looks, kind = ("nothing: the file is empty", "Copy or download it again."), "empty"
        elif looks is None and _JSON.match(raw):
            looks = ("JSON, not a table", "Use the CSV file of the expert annotations.")
        if looks:
            self._note(found=looks[0], expected="a CSV table", advice=looks[1], kind=kind)
            return None
        try:
            return raw.decode()
        except UnicodeDecodeError:
            pass
        for number, line in enumerate(raw.split(b"\n"), 1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                self._note(f"line {number}", **text_problem(line, error))
        return None

    def _csv_rows(self, reader):
        header, start = None, 1
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                self._broken_quotes(start, error)
                return
            place, start = f"line {start}", reader.line_num + 1
            if not cells:
                continue
            if self._has_enough(place):
                return
            if header is None:
                header = cells
                if not self._header(header):
                    return
            elif len(cells) != len(header):
                self._note(
                    place,
                    found=f"{len(cells)} cells",
                    expected=f"{len(header)}, as the header has",
                    advice="A comma or a quotation mark was lost or added: use the released file.",
                    kind="row",
                )
            else:
                yield place, dict(zip(header, cells, strict=True))

    def _broken_quotes(self, start, error):
        cut = "end of data" in str(error)
        self._note(
            f"line {start}",
            found="a quotation mark that is not closed" if cut else f"broken quoting ({error})",
            expected="a row of a CSV table",
            advice="The file was cut off, or a quotation mark was lost; what follows was not read. "
            "Use the released file.",
            kind="truncated" if cut else "row",
        )

    def _parquet(self, path):
        try:
            table = open_table(path)
            if not self._header(list(table.names)):
                return
            for name in IMBUE_COLUMNS:
                if name in table.odd:
                    told = {"found": f"a column of another kind ({safe(table.odd[name], 40)})"}
                    advice = "Use the released file."
                    self._note("", name, **told, expected="texts", advice=advice, kind="type")
            for number, cells in enumerate([] if self.problems else table.rows(), 1):
                if self._has_enough(f"row {number}"):
                    return
                yield f"row {number}", dict(zip(table.names, cells, strict=True))
        except ImportError:
            self._note(
                found="a Parquet file",
                expected="a CSV file, or the means to read Parquet",
                advice="Install the extra: pip install 'carebook[parquet]'.",
                kind="unreadable",
            )
        except NotParquet as error:
            told = {"found": f"a file that is not Parquet, or is damaged: {show(str(error)[:33])}"}
            advice = "Copy or download it again."
            self._note(**told, expected="a Parquet table", advice=advice, kind="wrong file")

    def _header(self, header):
        """Check the column names; say whether the rows can be read."""
        documented = set(IMBUE_COLUMNS)
        if not documented & set(header):
            line = ",".join(header)
            for mark, name in ((";", "semicolons"), ("\t", "tabs"), ("|", "upright strokes")):
                if len(documented & {cell.strip(' "') for cell in line.split(mark)}) > 3:
                    self._note(
                        "line 1",
                        found=f"columns separated by {name}",
                        expected="columns separated by commas",
                        advice="A spreadsheet saved it that way: use the released file.",
                        kind="wrong file",
                    )
                    return False
            self._note(
                "line 1",
                found=f"a header without any documented column: {show(line[:38])}",
                expected="conversation_id, situation, category ...",
                advice="Check that this is the file of the expert annotations.",
                kind="wrong file",
            )
            return False
        for name in IMBUE_COLUMNS:
            times = header.count(name)
            if times != 1:
                near = nearest(name, [column for column in header if column not in documented])
                self._note(
                    "line 1",
                    name,
                    found=f"the column {times} times" if times else "no such column",
                    expected="one column of this name",
                    advice=f"Rename {show(near)}." if near else "Use the released file.",
                    kind="doubled key" if times else "missing",
                )
        for number, name in enumerate(header, 1):
            if name not in documented:
                self.extra_fields[name or f"column {number} (no name)"] += 0
        return not self.problems

    # One row

    def _take(self, place, row):
        where = {"file": "imbue", "place": place} | {key: row[key] for key in _IDENTIFIERS}
        if self.accepted.sets_aside(where):
            return
        for name in self.extra_fields:
            self.extra_fields[name] += 1
        record = f"message {row['conversation_id']}/{row['message_id']}, {row['username_expert']}"
        before = len(self.problems)
        exam = Examination(
            self.name,
            place,
            record,
            where,
            _IDENTIFIERS,
            self.accepted,
            self.problems,
            empty="an empty cell",
        )
        for name in _IDENTIFIERS:
            row[name] = row[name] if row[name].strip() else None
            whole = name == "message_id"
            exam.leaf(
                row,
                name,
                name,
                _is_number if whole else _is_filled,
                "a whole number, as text" if whole else "text",
                _why_not_number,
                may_be_missing=False,
            )
        for name in ("situation", "message_text"):
            row[name] = row[name] if row[name].strip() else None
            exam.leaf(row, name, name, _is_filled, "text", _why_not_text)
        self._level(exam, row, "category", CATEGORIES)
        for skill in SKILLS:
            self._level(exam, row, f"label_{skill}", SKILL_LABELS[skill])
            for part in ("suggestion", "rewrite"):
                cell = row[f"{part}_{skill}"]
                row[f"{part}_{skill}"] = cell if cell.strip() else None
        if len(self.problems) == before:
            self._relate(exam, row)
        self.rows.append(row)

    def _level(self, exam, row, column, levels):
        """Recognise a level however it is written; refuse it if it is not one."""
        raw = row[column]
        taken = _bare(raw)
        if taken not in levels:
            answer = self.accepted.answer(exam.where, column, raw, lambda v: _bare(v) in levels)
            if answer is not NOTHING:
                taken = _bare(answer)
            elif not taken and self.accepted.missing(exam.where, column):
                taken = None
            else:
                exam.refuse(
                    "answer" if taken else "missing",
                    column,
                    show(raw) if raw else "an empty cell",
                    " or ".join(f'"{level}"' for level in levels),
                    "Say in exceptions.toml what it is to be read as.",
                    exam.as_answer(column, raw, ()),
                )
                return
        self.spellings[column, raw, taken or ""] += 1
        row[column] = taken

    def _relate(self, exam, row):
        """Hold this row against the earlier ones about the same conversation and message."""
        conversation, message, expert = (row[name] for name in _IDENTIFIERS)
        facts = (
            ("situation", conversation, row["situation"], "situation for each conversation"),
            ("category", conversation, row["category"], "category for each conversation"),
            ("message_text", (conversation, message), row["message_text"], "text for each message"),
        )
        for name, key, value, what in facts:
            place, before = self._texts.setdefault((name, key), (exam.place, value))
            if before != value:
                exam.refuse(
                    "contradiction",
                    name,
                    f"another {name} than in {place}",
                    f"one {what}",
                    "Find out which row is right.",
                )
        place = self._lines.setdefault((conversation, message, expert), exam.place)
        if place != exam.place:
            exam.refuse(
                "repeated",
                "username_expert",
                f"a second row of this expert on this message (the first: {place})",
                "one row for each message and expert",
                "Find out which of the two is right, and remove the other.",
                {"departure": "set aside", "file": "imbue", "place": exam.place},
            )
        number = int(message)
        written = self._numbers.setdefault((conversation, number), message)
        if written != message:
            exam.refuse(
                "identifier",
                "message_id",
                f'{show(message)} beside "{written}" in one conversation',
                "one way of writing each number",
                "Write it the same way in all rows.",
            )


def _bare(text):
    return "".join(text.split()).casefold() if isinstance(text, str) else text


def _is_filled(value):
    return isinstance(value, str) and value.strip() != ""


def _is_number(value):
    return isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19


def _why_not_number(_):
    return "identifier", "Messages are ordered by this number: restore it from the released file."


def _why_not_text(_):
    return "type", "Use the released file."


# --- tables ------------------------------------------------------------------------------------


def derive_readings(label, suggestion, rewrite):
    """Say what an expert's three cells about one skill come to. The reading is ours, not theirs.

    ==================  ===========================  ==================
    label               suggestion or rewrite        reading
    ==================  ===========================  ==================
    strong, yes         no suggestion                used well
    weak                any                          used weakly
    none, no            a suggestion or a rewrite    missing
    none, no            neither                      not called for
    anything else                                    unclear
    ==================  ===========================  ==================

    Parameters
    ----------
    label, suggestion, rewrite : Series
        Columns of ``judgements``.

    Returns
    -------
    Categorical

    Examples
    --------
    >>> import pandas as pd
    >>> label = pd.Series(["strong", "none", "none"])
    >>> suggestion = pd.Series([None, "Say what you felt.", None])
    >>> list(derive_readings(label, suggestion, pd.Series([None] * 3)))
    ['used well', 'missing', 'not called for']
    """
    suggested = suggestion.notna().to_numpy()
    helped = suggested | rewrite.notna().to_numpy()
    present = label.isin(["strong", "yes"]).to_numpy()
    absent = label.isin(["none", "no"]).to_numpy()
    weak = (label == "weak").to_numpy(dtype=bool)
    conditions = [present & ~suggested, weak, absent & helped, absent]
    return pd.Categorical(np.select(conditions, READINGS[:4], READINGS[4]), categories=READINGS)


def _tables(reading, source, accepted):
    rows = sorted(
        reading.rows,
        key=lambda row: (row["conversation_id"], int(row["message_id"]), row["username_expert"]),
    )
    for row in rows:
        row["message_key"] = f"{row['conversation_id']}/{row['message_id']}"
    judgements = _judgements(rows)
    return Imbue(
        conversations=_conversations(rows),
        messages=_messages(rows),
        judgements=judgements,
        source=source,
        spellings=_spellings(reading.spellings),
        extra_fields=MappingProxyType(dict(reading.extra_fields)),
        accepted=accepted,
    )


def _column(rows, name):
    return text_column([row[name] for row in rows])


def _conversations(rows):
    once = list({row["conversation_id"]: row for row in reversed(rows)}.values())[::-1]
    return pd.DataFrame(
        {
            "situation": _column(once, "situation"),
            "category": pd.Categorical([row["category"] for row in once], categories=CATEGORIES),
        },
        index=text_index([row["conversation_id"] for row in once], "conversation_id"),
    )


def _messages(rows):
    once = list({row["message_key"]: row for row in reversed(rows)}.values())[::-1]
    positions, seen = [], Counter()
    for row in once:
        seen[row["conversation_id"]] += 1
        positions.append(seen[row["conversation_id"]])
    return pd.DataFrame(
        {
            "conversation_id": _column(once, "conversation_id"),
            "message_id": _column(once, "message_id"),
            "position": np.array(positions, dtype=np.int64),
            "message_text": _column(once, "message_text"),
        },
        index=text_index([row["message_key"] for row in once], "message_key"),
    )


def _judgements(rows):
    cells = [(row, skill) for row in rows for skill in SKILLS]
    table = pd.DataFrame(
        {
            "message_key": text_column([row["message_key"] for row, _ in cells]),
            "conversation_id": text_column([row["conversation_id"] for row, _ in cells]),
            "expert": text_column([row["username_expert"] for row, _ in cells]),
            "skill": pd.Categorical([skill for _, skill in cells], categories=SKILLS, ordered=True),
            "label": pd.Categorical(
                [row[f"label_{skill}"] for row, skill in cells], categories=LABELS
            ),
            "suggestion": text_column([row[f"suggestion_{skill}"] for row, skill in cells]),
            "rewrite": text_column([row[f"rewrite_{skill}"] for row, skill in cells]),
        }
    )
    table["derived_reading"] = derive_readings(
        table["label"], table["suggestion"], table["rewrite"]
    )
    return table


def _spellings(counted):
    order = {name: i for i, name in enumerate(IMBUE_COLUMNS)}
    rows = sorted(counted.items(), key=lambda item: (order[item[0][0]], item[0][1]))
    return pd.DataFrame(
        {
            "column": text_column([column for (column, _, _), _ in rows]),
            "raw": text_column([raw for (_, raw, _), _ in rows]),
            "count": np.array([count for _, count in rows], dtype=np.int64),
            "taken_as": text_column([taken or None for (_, _, taken), _ in rows]),
        }
    )
