"""The gradebook: one row a student, in the forms that learning platforms take."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path

from grading.marking import Result
from grading.questions import Question
from grading.rules import Rules
from grading.submissions import Submission, read_table
from grading.written import safe

ROSTER = "roster.csv"


@dataclass
class Grade:
    """What one student earned.

    Attributes
    ----------
    points : dict
        Question -> points; None where a written answer waits for a reader.
    days_late : int
        Days late, each day begun counting.
    before, total : float
        Points before and after what lateness costs; unread answers count 0 for now.
    """

    student: str
    name: str
    result: Result | None
    points: dict[str, float | None] = field(default_factory=dict)
    written: dict[str, dict] = field(default_factory=dict)
    days_late: int = 0
    before: float = 0.0
    total: float = 0.0

    @property
    def waits(self) -> bool:
        """Whether an answer still has to be read."""
        return None in self.points.values()


def read_roster(folder: Path) -> dict[str, dict[str, str]]:
    """Read ``roster.csv``: a row for each student, with ``student`` and what platforms want.

    Columns: ``student`` (as the submissions are named), and, where wanted, ``name``, ``email``,
    ``canvas_id``, ``sis_id``, ``login``, ``section``.
    """
    path = folder / ROSTER
    if not path.is_file():
        return {}
    return {row["student"]: row for row in read_table(path, ("student",))}


def choose(
    submissions: list[Submission],
    results: list[Result],
    questions: list[Question],
    rules: Rules,
    written: dict[str, dict[str, dict]],
) -> list[Grade]:
    """For each student the submission that counts: the last one, or the one that earns most."""
    grades: dict[str, Grade] = {}
    for submission, result in zip(submissions, results, strict=True):
        points = {question.name: result.points(question) for question in questions}
        answers = written.get(submission.path.as_posix(), {})
        points |= {name: answer["points"] for name, answer in answers.items()}
        days = rules.days_late(submission)
        before = sum(value or 0 for value in points.values())
        total = round(before * rules.share(days), 2)
        grade = Grade(
            submission.student, submission.name, result, points, answers, days, before, total
        )
        held = grades.get(submission.student)
        if held is None or rules.keep == "last" or total > held.total:
            grades[submission.student] = grade
    return list(grades.values())


def with_roster(grades: list[Grade], roster: dict[str, dict], names: list[str]) -> list[Grade]:
    """Add those who handed in nothing, and take names from the roster."""
    found = {grade.student: grade for grade in grades}
    for student, row in roster.items():
        if student in found:
            found[student].name = row.get("name") or found[student].name
        else:
            points = dict.fromkeys(names, 0.0)
            found[student] = Grade(student, row.get("name") or student, None, points)
    return sorted(found.values(), key=lambda grade: (grade.name, grade.student))


def write_grades(path: Path, grades: list[Grade], roster: dict, names: list[str]) -> None:
    """Write every student's points, question by question. Moodle imports this file."""
    header = ["student", "name", "email", *names, "before", "days_late", "total", "remark"]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        for grade in grades:
            points = [_written(grade.points.get(name)) for name in names]
            email = roster.get(grade.student, {}).get("email", "")
            row = [safe(grade.student), safe(grade.name), safe(email), *points]
            row += [_written(grade.before), grade.days_late, _written(grade.total)]
            writer.writerow([*row, safe(remark(grade))])


def write_canvas(path: Path, grades: list[Grade], roster: dict, column: str, possible: float):
    """Write the totals in the columns of Canvas's gradebook."""
    header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", column]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerow(["    Points Possible", "", "", "", "", _written(possible)])
        for grade in grades:
            row = roster.get(grade.student, {})
            number = row.get("canvas_id") or (grade.student if grade.student.isdigit() else "")
            who = [row.get(name, "") for name in ("sis_id", "login", "section")]
            cells = [safe(grade.name), number, *map(safe, who)]
            writer.writerow([*cells, _written(grade.total)])


def remark(grade: Grade) -> str:
    """What whoever enters grades should know about this one."""
    if grade.result is None:
        return "nothing handed in"
    parts = [grade.result.reason] if grade.result.reason else []
    parts += grade.result.notes
    if grade.waits:
        parts.append("written answers not read yet")
    return " ".join(parts)


def _written(points: float | None) -> str:
    return "" if points is None else f"{points:g}"
