"""What can be earned in an assignment: the tests that `make assignments` wrote, and the rubric."""

from __future__ import annotations

import ast
import json
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
    """A question that is graded by tests; ``given`` is what the assignment lays out before them."""

    name: str
    points: float
    cases: tuple[Case, ...]
    given: str = ""

    @property
    def tests(self) -> int:
        """How many tests it has."""
        return len(self.cases)


def earned(question: Question, passed: list[bool]) -> float:
    """Points for a question: those of the tests that passed.

    What everybody can see is checked on data that everybody has, so a pasted number may pass it.
    It counts once a hidden test passes, too, on other data.

    Examples
    --------
    >>> asked = Question("q1", 3, (Case("", 1, False, ""), Case("", 2, True, "")))
    >>> [earned(asked, list(passed)) for passed in ((True, True), (True, False), (False, True))]
    [3, 0.0, 2]
    """
    pairs = list(zip(question.cases, passed, strict=False))
    hidden = [good for case, good in pairs if case.hidden]
    if hidden and not any(hidden):
        return 0.0
    return sum(case.points for case, good in pairs if good)


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
    given = laid_out(archives[-1].parent / f"{archives[-1].stem.removesuffix('-autograder')}.ipynb")
    questions = (_question(text, given) for text in texts)
    return sorted(questions, key=lambda question: in_order(question.name))


def laid_out(key: Path) -> str:
    """The code that an assignment itself holds: neither answers nor calls of the grader."""
    cells = json.loads(key.read_text(encoding="utf-8"))["cells"]
    parts = []
    for cell in cells:
        code = "".join(cell["source"])
        answer = {"otter_answer_cell", "otter_assign_solution_cell"} & set(
            cell["metadata"].get("tags", [])
        )
        if cell["cell_type"] == "code" and not answer and "grader" not in code:
            parts.append(code)
    return "\n".join(parts)


def _question(text: str, given: str) -> Question:
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
            return Question(test["name"], sum(case.points for case in read), read, given)
    raise NoAutograder("A test file of the autograder holds no test. Next: `make assignments`.")


def read_rubric(folder: Path) -> dict[str, dict]:
    """Read the rubric of the written questions: name -> what `written` documents; {} if none."""
    path = folder / RUBRIC
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
