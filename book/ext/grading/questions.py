"""What can be earned in an assignment: the tests that `make assignments` wrote, and the rubric."""

from __future__ import annotations

import ast
import re
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

RUBRIC = "rubric.toml"


@dataclass(frozen=True)
class Case:
    """One test of a question."""

    code: str
    points: float
    hidden: bool
    message: str


@dataclass(frozen=True)
class Question:
    """A question that is graded by tests."""

    name: str
    points: float
    cases: tuple[Case, ...]

    @property
    def tests(self) -> int:
        """How many tests it has."""
        return len(self.cases)


class NoAutograder(Exception):
    """There is nothing to grade with; the message says what to run."""


def in_order(name: str) -> list:
    """Sort ``q2`` before ``q10``.

    Examples
    --------
    >>> sorted(["q10", "q2"], key=in_order)
    ['q2', 'q10']
    """
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def read_questions(autograder: Path) -> list[Question]:
    """Read the questions from the folder ``autograder`` of a built assignment.

    Raises
    ------
    NoAutograder
        If the folder holds no autograder.
    """
    archives = sorted(autograder.glob("*.zip"))
    if not archives:
        raise NoAutograder(f"No autograder in {autograder}. Next: `make assignments`.")
    with zipfile.ZipFile(archives[-1]) as archive:
        names = [name for name in archive.namelist() if re.fullmatch(r"tests/\w+\.py", name)]
        texts = [archive.read(name).decode("utf-8") for name in names]
    return sorted((_question(text) for text in texts), key=lambda question: in_order(question.name))


def _question(text: str) -> Question:
    """Read a test file without running it."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "test":
            test = ast.literal_eval(node.value)
            cases = [case for suite in test["suites"] for case in suite["cases"]]
            read = tuple(
                Case(
                    case["code"],
                    float(case.get("points", 0)),
                    case["hidden"],
                    case.get("failure_message", ""),
                )
                for case in cases
            )
            return Question(test["name"], sum(case.points for case in read), read)
    raise NoAutograder("A test file of the autograder holds no test. Next: `make assignments`.")


def read_rubric(folder: Path) -> dict[str, dict]:
    """Read the rubric of the written questions: name -> what `written` documents; {} if none."""
    path = folder / RUBRIC
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
