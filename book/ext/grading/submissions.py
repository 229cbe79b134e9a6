"""What was handed in: reads notebooks that may be broken, and finds out whose they are, and when.

The files of a folder are taken as learning platforms hand them out: Canvas gives one file each
(``name_LATE_1234_5678_file.ipynb``), Moodle one folder each (``Name_1234_assignsubmission_file``).
Any other file is named after its student, or lies in a folder that is.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

LARGEST = 30_000_000
CANVAS = re.compile(r"^(?P<name>[^_]+?)(?P<late>_LATE)?_(?P<id>\d+)_(?P<place>\d+)_.+$")
MOODLE = re.compile(r"^(?P<name>.+)_(?P<id>\d+)_assignsubmission_\w+$")


class Unreadable(Exception):
    """A submission is no notebook; the message tells its author."""


@dataclass(frozen=True)
class Submission:
    """One file that somebody handed in.

    Attributes
    ----------
    student : str
        Who: the platform's number where there is one, else the name of the file or folder.
    name : str
        What the file calls the student.
    path : Path
        The file.
    when : datetime
        When it was handed in, as far as the file tells.
    late : bool
        Whether the platform marked it as late.
    """

    student: str
    name: str
    path: Path
    when: datetime
    late: bool = False

    @property
    def key(self) -> str:
        """A hash of its content."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


def read_table(path: Path, needed: tuple[str, ...]) -> list[dict[str, str]]:
    """Read a CSV file as any spreadsheet saves it: with commas, semicolons or tabs.

    Raises
    ------
    Unreadable
        If a column is missing; the message names it, and those that are there.
    """
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    head = text.partition("\n")[0]
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count))
    there = list(rows.fieldnames or [])
    for name in needed:
        if name not in there:
            raise Unreadable(f"{path} has no column {name!r}; there are {', '.join(there)}")
    return [{key: value or "" for key, value in row.items() if key} for row in rows]


def find_submissions(folder: Path) -> list[Submission]:
    """List every notebook in a folder of submissions, in order of student and time."""
    found = []
    for path in sorted(folder.rglob("*.ipynb")):
        inside = path.relative_to(folder).parts
        if any(part.startswith((".", "__MACOSX")) for part in inside) or "graded" in inside[:-1]:
            continue
        found.append(_submission(path, inside))
    return sorted(found, key=lambda one: (one.student, one.when, one.path))


def _submission(path: Path, inside: tuple[str, ...]) -> Submission:
    when = datetime.fromtimestamp(path.stat().st_mtime)
    if len(inside) > 1:
        match = MOODLE.match(inside[0])
        student, name = (match["id"], match["name"]) if match else (inside[0], inside[0])
        return Submission(student, name, path, when)
    match = CANVAS.match(path.stem)
    if match:
        return Submission(match["id"], match["name"], path, when, bool(match["late"]))
    return Submission(path.stem, path.stem, path, when)


def read_notebook(path: Path) -> dict:
    """Read a notebook that anybody may have written.

    Raises
    ------
    Unreadable
        If it is empty, too large, no notebook, or of a kind that isn't read.
    """
    if path.stat().st_size == 0:
        raise Unreadable("The file is empty. Was the notebook saved before it was handed in?")
    if path.stat().st_size > LARGEST:
        raise Unreadable("The file is larger than 30 MB. Clear the outputs and hand it in again.")
    try:
        notebook = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError):
        raise Unreadable("The file is no notebook: it can't be read as JSON.") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise Unreadable("The file is no notebook: it has no cells. Save it as .ipynb, version 4.")
    return notebook


def text_of(cell: dict) -> str:
    """The text of a cell, however it is stored; "" if it is no text."""
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def code_cells(path: Path) -> list[str]:
    """The texts of a notebook's code cells, in order."""
    cells = read_notebook(path)["cells"]
    return [text_of(cell) for cell in cells if cell.get("cell_type") == "code"]


def unanswered(notebook: dict, questions: list[str]) -> list[str]:
    """Those of the questions whose answer cell still ends in the dots of the stub.

    Examples
    --------
    >>> cell = {"cell_type": "code", "id": "q1-solution", "source": "def f(x):\\n    ..."}
    >>> unanswered({"cells": [cell]}, ["q1", "q2"])
    ['q1']
    """
    lines = {str(cell.get("id")): text_of(cell).split("\n") for cell in notebook["cells"]}
    last = {
        name: [line.strip() for line in lines.get(f"{name}-solution", [])] for name in questions
    }
    return [name for name, text in last.items() if [line for line in text if line][-1:] == ["..."]]


def belongs_to(notebook: dict) -> str:
    """The assignment that a notebook says it belongs to; "" if it doesn't say."""
    metadata = notebook.get("metadata")
    otter = metadata.get("otter") if isinstance(metadata, dict) else None
    name = otter.get("assignment_name") if isinstance(otter, dict) else None
    return name if isinstance(name, str) else ""
