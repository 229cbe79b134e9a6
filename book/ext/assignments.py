"""Turns the sources of the assignments into student notebooks and autograders, with Otter-Grader.

A source is a notebook in a folder of its own below ``notebooks/assignments``. Otter strips its
solutions and hidden tests for the student version and runs the reference solution against all
tests: a solution that doesn't earn full points stops the command. What is up to date stays.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from layout import Book, file_hash, text_hash, tree_hash

STAMP = ".source"


class AssignmentFailed(Exception):
    """An assignment was not built; the message says which, and what Otter said."""


def sources(book: Book) -> list[Path]:
    """The instructor's notebooks, one for each assignment, in order."""
    return sorted((book.notebooks / "assignments").glob("*/*.ipynb"))


def target(book: Book, source: Path) -> Path:
    """Where the student notebook (``student``) and the autograder (``autograder``) go."""
    return book.work / "assignments" / source.stem


def build(book: Book, say=print) -> list[Path]:
    """Build every assignment whose source, or what it imports, has changed.

    Returns
    -------
    list of Path
        The folder of each assignment.

    Raises
    ------
    AssignmentFailed
        When Otter refuses a source, or a reference solution doesn't earn full points.
    """
    helpers = tree_hash(book.notebooks / "carebook")
    lock = file_hash(book.root / "requirements.txt")
    built = []
    for source in sources(book):
        folder = target(book, source)
        key = text_hash(tree_hash(source.parent), helpers, lock, sys.version)
        stamp = folder / STAMP
        if stamp.exists() and stamp.read_text(encoding="utf-8") == key:
            say(f"  up to date  {source.stem}")
        else:
            _assign(source, folder)
            stamp.write_text(key, encoding="utf-8")
            say(f"  built       {source.stem}")
        built.append(folder)
    return built


def _assign(source: Path, folder: Path) -> None:
    """Run ``otter assign`` on a copy: it leaves files beside the notebook that it reads."""
    shutil.rmtree(folder, ignore_errors=True)
    copy = folder / "source"
    shutil.copytree(source.parent, copy, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    otter = "from otter.cli import cli; cli()"
    made = subprocess.run(
        [sys.executable, "-c", otter, "assign", source.name, str(folder)],
        cwd=copy,
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    shutil.rmtree(copy)
    if made.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        last = "\n".join(f"  {line}" for line in (made.stdout + made.stderr).splitlines()[-15:])
        raise AssignmentFailed(
            f"{source.name} was not built. Otter's last lines:\n{last}\n"
            "If a test failed, the reference solution and that test disagree: mend one of them."
        )
