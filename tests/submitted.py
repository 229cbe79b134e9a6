"""What the tests of assignments share: the built public edition, and notebooks made from it."""

import copy
import json
from functools import cache
from pathlib import Path

import assignments
from grading.edition import Edition
from grading.questions import earned, read_questions
from grading.submissions import read_notebook, text_of
from layout import Book

BOOK = Book.at(Path(__file__).resolve().parents[1])
PUBLIC = Edition.public(BOOK)
NAMES = [source.stem for source in PUBLIC.notebooks]


@cache
def built() -> dict[str, Path]:
    """The folder of each public assignment, built if needed, by its name."""
    return {folder.name: folder for folder in assignments.build(BOOK, say=lambda text: None)}


def notebook(name: str, version: str, folder: Path | None = None) -> dict:
    """The key (``autograder``) or the untouched notebook (``student``) of an assignment."""
    return read_notebook((folder or built()[name]) / version / f"{name}.ipynb")


def questions(name: str):
    """The graded questions of a public assignment."""
    return read_questions(built()[name] / "autograder")


def with_cells(source: dict, changed: dict[str, str]) -> dict:
    """A copy of a notebook in which some cells, named by their ids, hold other text."""
    made = copy.deepcopy(source)
    known = {cell.get("id") for cell in made["cells"]}
    assert set(changed) <= known, set(changed) - known
    for cell in made["cells"]:
        if cell.get("id") in changed:
            cell["source"] = changed[cell["id"]]
    return made


def with_code(source: dict, code: str, before: str = "q1-solution") -> dict:
    """A copy of a notebook with one more code cell, in front of the cell of that id."""
    made = copy.deepcopy(source)
    at = next(n for n, cell in enumerate(made["cells"]) if cell.get("id") == before)
    extra = {"cell_type": "code", "id": "extra", "metadata": {}, "source": code, "outputs": []}
    made["cells"].insert(at, {**extra, "execution_count": None})
    return made


def code_of(source: dict) -> list[str]:
    """The texts of a notebook's code cells."""
    return [text_of(cell) for cell in source["cells"] if cell["cell_type"] == "code"]


def write(path: Path, source: dict) -> Path:
    """Write a notebook as a submission."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(source), encoding="utf-8")
    return path


def points(run, asked) -> dict[str, float]:
    """Points for each question of one run."""
    return {
        question.name: earned(question, [outcome.passed for outcome in run.outcomes[question.name]])
        for question in asked
    }
