"""Written answers: people read them, a rubric turns what they found into points.

``rubric.toml`` beside an assignment has a table for each written question: ``points``; ``criteria``
with ``id`` and ``text``, each of which an answer meets or not; ``levels``, each with ``points``, a
``description``, the criteria it ``needs``, and a ``sample`` answer with the criteria that it
``meets``. A level may also ask for so ``many`` criteria, whichever they are: whoever leaves out the
first step isn't at the bottom for it. An answer is at the highest level whose demands it meets.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

from grading.submissions import read_table, text_of

FILE = "written.csv"
COLUMNS = ("student", "question", "answer", "met", "comment")
PLACEHOLDER = "_Type your answer here, replacing this text._"
NOTHING = "-"
NO_ANSWER = {"level": 0, "points": 0, "comment": "", "met": frozenset(), "blank": True}


class RubricProblem(Exception):
    """A criterion was marked that the rubric doesn't have; the message names it."""


def level_of(question: dict, met: set[str]) -> int:
    """The level of an answer that meets these criteria.

    Examples
    --------
    >>> question = {
    ...     "criteria": [{"id": "number"}, {"id": "reason"}],
    ...     "levels": [{"needs": []}, {"needs": ["number"]}, {"needs": ["number", "reason"]}],
    ... }
    >>> [level_of(question, met) for met in (set(), {"reason"}, {"number"}, {"number", "reason"})]
    [0, 0, 1, 2]
    >>> question["levels"][1] = {"needs": [], "many": 1}
    >>> [level_of(question, met) for met in (set(), {"reason"}, {"number"})]
    [0, 1, 1]
    """
    unknown = met - {criterion["id"] for criterion in question["criteria"]}
    if unknown:
        known = ", ".join(criterion["id"] for criterion in question["criteria"])
        raise RubricProblem(f"{sorted(unknown)[0]!r} is no criterion; there are {known}")
    fits = [
        at
        for at, level in enumerate(question["levels"])
        if met >= set(level["needs"]) and len(met) >= level.get("many", 0)
    ]
    return max(fits)


def answer_to(notebook: dict, question: str) -> str:
    """What a student wrote: the cell of that name, or the first text after the question."""
    cells = [cell for cell in notebook["cells"] if cell.get("cell_type") == "markdown"]
    for cell in cells:
        if cell.get("id") == f"{question}-solution":
            return _without_placeholder(text_of(cell))
    heading = re.compile(rf"\*\*Question {question.removeprefix('q')}\b")
    for asked, given in zip(cells, cells[1:], strict=False):
        if heading.search(text_of(asked)):
            return _without_placeholder(text_of(given))
    return ""


def _without_placeholder(text: str) -> str:
    return text.replace(PLACEHOLDER, "").strip()


def words(answer: str) -> str:
    """An answer as it is told from another one: without what a spreadsheet does to spaces.

    Examples
    --------
    >>> words("'=One  row.") == words("=One row. ") != words("Another.")
    True
    """
    return " ".join(answer.lstrip("'").split())


def read_marks(folder: Path) -> dict[tuple[str, str, str], dict[str, str]]:
    """Read what was marked so far: (student, question, words of the answer) -> row.

    So a mark belongs to the answer that it was given to, and not to one that was written since.
    """
    path = folder / FILE
    if not path.is_file():
        return {}
    rows = read_table(path, COLUMNS)
    return {
        (row["student"].lstrip("'"), row["question"], words(row["answer"])): row for row in rows
    }


def write_sheet(folder: Path, rows: list[dict[str, str]]) -> None:
    """Write the sheet for those who read: one answer a row, ``met`` and ``comment`` to fill in."""
    with (folder / FILE).open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows({name: safe(row.get(name, "")) for name in COLUMNS} for row in rows)


def safe(text: str) -> str:
    """Text that a spreadsheet shows and doesn't compute.

    Examples
    --------
    >>> safe("=1+1"), safe("plain")
    ("'=1+1", 'plain')
    """
    return f"'{text}" if re.match(r"[=+\-@\t\r]", str(text)) and text != NOTHING else text


def marked(rubric: dict[str, dict], answers: dict[str, str], marks: dict[str, dict]) -> dict:
    """Points, level, comment and the criteria met of each written question of one student.

    An empty answer is at level 0. One that nobody has read yet has no points (None). In ``met``,
    the criteria that an answer meets are separated by spaces; ``-`` says that it meets none.
    """
    found = {}
    for name, question in rubric.items():
        mark = marks.get(name, {})
        marked_as = mark.get("met", "").lstrip("'").strip()
        met = set(marked_as.split()) - {NOTHING}
        if not answers.get(name):
            found[name] = dict(NO_ANSWER)
            continue
        level = level_of(question, met) if marked_as else None
        points = None if level is None else question["levels"][level]["points"]
        comment = mark.get("comment", "")
        found[name] = {"level": level, "points": points, "comment": comment, "met": met}
        found[name]["blank"] = False
    return found
