"""The chapters of the book run from the first cell to the last, on more than one corpus.

nbmake runs each of them once, for the pages and for these tests; see book/ext/execution.py.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from execution import execute
from layout import Book, working_alone
from typed_results import compare, make_other_corpus

ROOT = Path(__file__).resolve().parents[2]
BOOK = Book.at(ROOT)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def outcomes():
    """The outcome of each chapter; those that have changed are run."""
    with working_alone(BOOK):
        return {outcome.chapter: outcome for outcome in execute(BOOK)}


@pytest.mark.parametrize("chapter", BOOK.chapters(), ids=lambda path: path.stem)
def test_a_chapter_runs_from_the_first_cell_to_the_last(chapter, outcomes):
    assert outcomes[chapter].passed, outcomes[chapter].trace


def test_no_result_is_typed_into_the_text(outcomes):
    def practice(command):
        subprocess.run(command, check=True, cwd=ROOT / "notebooks")

    with working_alone(BOOK):
        make = [sys.executable, "-m", "carebook", "practice", "--seed", "7"]
        make_other_corpus(BOOK, [*make, "--narratives", "700", "--conversations", "14"], practice)
        others, typed = compare(BOOK)
    assert not [outcome.trace for outcome in others if not outcome.passed]
    assert not typed, "\n" + "\n".join(map(str, typed))
