"""Turns the sources of the assignments into student notebooks and autograders, with Otter-Grader.

A source is a notebook in a folder of its own. Otter strips its solutions and hidden tests for the
student version; then the grader itself runs the reference solution, which has to earn full points,
and the untouched student version, which has to earn none. What is up to date stays.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from grading.edition import Edition
from grading.questions import RUBRIC, read_questions
from grading.runner import Worker
from grading.submissions import code_cells
from grading.written import PLACEHOLDER
from layout import Book, file_hash, text_hash, tree_hash, working_alone

STAMP = ".source"
EXTENSIONS = Path(__file__).resolve().parent
#: What a grading image elsewhere needs; the versions come from the book's lock.
PINNED = ("anywidget", "ipywidgets", "matplotlib", "numpy", "pandas", "pillow", "scikit-learn")
PINNED += ("scipy", "seaborn")
PYTHON = "3.12"
OTTER = """\
import sys, warnings
warnings.simplefilter("ignore")
from otter.assign import main
for source, target in zip(sys.argv[1::2], sys.argv[2::2]):
    main(source, target, no_run_tests=True)
    print("done", source, flush=True)
"""


class AssignmentFailed(Exception):
    """An assignment was not built; the message says which, and why."""


def options(arguments: list[str], environ=os.environ) -> argparse.Namespace:
    """What was asked for, on the command line or in variables (``make assignments SEED=...``)."""
    parser = argparse.ArgumentParser(prog="make assignments")
    variables = {
        "assignments": "the folder of a private edition",
        "seed": "a secret that decides its data and hidden tests; a new one each term",
        "world": "the world of its practice corpora",
    }
    for name, purpose in variables.items():
        parser.add_argument(f"--{name}", default=environ.get(name.upper(), ""), help=purpose)
    parser.add_argument("--start", default="", help="start a private edition in this folder")
    return parser.parse_args(arguments)


def wanted_edition(book: Book, wish: argparse.Namespace) -> Edition:
    """The public edition, or the private one that was asked for.

    Raises
    ------
    AssignmentFailed
        If a private edition has no seed, or a seed no folder, or the folder or world isn't there.
    """
    from carebook.practice.worlds import WorldError, read_world

    if not wish.assignments:
        if wish.seed or wish.world:
            raise AssignmentFailed("A seed or a world needs a folder: ASSIGNMENTS=folder")
        return Edition.public(book)
    if not wish.seed:
        raise AssignmentFailed(
            f"Add SEED=..., a secret for this term: `make assignments "
            f"ASSIGNMENTS={wish.assignments} SEED=...`. Write it down where you keep the keys."
        )
    edition = Edition.of_folder(Path(wish.assignments), wish.seed, wish.world)
    if not edition.notebooks:
        raise AssignmentFailed(
            f"No assignment in {edition.sources}. Next: "
            f'`make assignments ARGS="--start {wish.assignments}"` makes a copy to begin from.'
        )
    try:
        read_world(edition.world)
    except WorldError as problem:
        raise AssignmentFailed(str(problem)) from None
    return edition


def sources(book: Book) -> list[Path]:
    """The public edition's notebooks, in order."""
    return Edition.public(book).notebooks


def build(book: Book, say=print, edition: Edition | None = None) -> list[Path]:
    """Build every assignment whose source, or what it depends on, has changed.

    Returns
    -------
    list of Path
        The folder of each assignment: what to hand out is in ``student``, the key and the
        autograder in ``autograder``.

    Raises
    ------
    AssignmentFailed
        When Otter refuses a source, the reference solution doesn't earn full points, or the
        untouched notebook earns any.
    """
    edition = edition or Edition.public(book)
    with working_alone(book, say):
        return _build(book, say, edition)


def _build(book: Book, say, edition: Edition) -> list[Path]:
    data = edition.make_data(book, say)
    lock = file_hash(book.root / "requirements.txt")
    own = [tree_hash(EXTENSIONS / "grading"), file_hash(Path(__file__))]
    folders, stale = [], []
    for source in edition.notebooks:
        folder = edition.made / source.stem
        key = text_hash(tree_hash(source.parent), data, lock, sys.version, *own)
        stamp = folder / STAMP
        if stamp.exists() and stamp.read_text(encoding="utf-8") == key:
            say(f"  up to date  {source.stem}")
        else:
            stale.append((source, folder, key))
        folders.append(folder)
    _make(book, edition, stale, say)
    if folders:
        edition.describe(book)
    return folders


def _make(book: Book, edition: Edition, stale: list, say) -> None:
    if not stale:
        return
    for source, folder, _ in stale:
        _prepare(book, edition, source, folder)
    try:
        _assign([(folder / "source" / source.name, folder) for source, folder, _ in stale])
        with Worker(edition.grading_data, closed=False) as worker:
            for source, folder, key in stale:
                _finish(edition, source, folder)
                _try(worker, source, folder)
                (folder / STAMP).write_text(key, encoding="utf-8")
                say(f"  built       {source.stem}")
    except AssignmentFailed:
        for _, folder, _ in stale:
            if not (folder / STAMP).exists():
                shutil.rmtree(folder, ignore_errors=True)
        raise


def _prepare(book: Book, edition: Edition, source: Path, folder: Path) -> None:
    """Lay out a copy of the source, with the edition's numbers and what the autograder takes."""
    shutil.rmtree(folder, ignore_errors=True)
    copy = folder / "source"
    ignored = shutil.ignore_patterns(".*", "__pycache__")
    shutil.copytree(source.parent, copy, ignore=ignored)
    shutil.copytree(book.notebooks / "carebook", copy / "carebook", ignore=ignored)
    lines = (book.root / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if re.match(rf"({'|'.join(PINNED)})==", line)]
    (copy / "requirements.txt").write_text("\n".join(pins) + "\n", encoding="utf-8")
    if edition.private:
        shutil.copytree(edition.grading_data, copy / "data", ignore=ignored)
    notebook = json.loads(source.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = edited("".join(cell["source"]), cell["cell_type"], edition, source.stem)
    (copy / source.name).write_text(json.dumps(notebook), encoding="utf-8")


def edited(text: str, kind: str, edition: Edition, name: str) -> str:
    """Write an edition's numbers, data and packages into one cell of a source.

    Examples
    --------
    >>> edition = Edition(Path(), Path(), seed="autumn", private=True)
    >>> edited("care = load_carebench()", "code", edition, "x")
    'care = load_carebench("data")'
    >>> edited("SEED = 1\\nassert True", "code", edition, "x") == "SEED = 1\\nassert True"
    False
    """
    if kind == "code":
        text = re.sub(
            r"(?m)^SEED = (\d+)$",
            lambda found: f"SEED = {edition.number(f'{name}/{found[1]}')}",
            text,
        )
        if edition.private:
            text = text.replace("load_carebench()", 'load_carebench("data")')
            text = text.replace("load_imbue()", 'load_imbue("data/imbue.csv")')
    if kind == "raw" and text.startswith("# ASSIGNMENT CONFIG"):
        text += f'\nrequirements: requirements.txt\npython_version: "{PYTHON}"\n'
        text += "autograder_files:\n  - carebook\n"
        text += "files:\n  - data\n" if edition.private else ""
    return text


def _assign(pairs: list[tuple[Path, Path]]) -> None:
    """Run ``otter assign`` on all of them in one process: it takes seconds to start."""
    arguments = [str(path) for pair in pairs for path in pair]
    made = subprocess.run(
        [sys.executable, "-c", OTTER, *arguments],
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    if made.returncode:
        done = made.stdout.count("done ")
        name = pairs[min(done, len(pairs) - 1)][0].name
        last = "\n".join(f"  {line}" for line in (made.stdout + made.stderr).splitlines()[-15:])
        raise AssignmentFailed(f"{name} was not built. Otter's last lines:\n{last}")


def _finish(edition: Edition, source: Path, folder: Path) -> None:
    """Take away what Otter needed only for the build, and bring the students' data."""
    shutil.rmtree(folder / "source")
    shutil.rmtree(folder / "autograder" / "carebook", ignore_errors=True)
    for archive in (folder / "autograder").glob("*.zip"):
        archive.rename(archive.with_name(f"{source.stem}-autograder.zip"))
    if (source.parent / RUBRIC).is_file():
        shutil.copy(source.parent / RUBRIC, folder / "autograder")
        (folder / "student" / RUBRIC).unlink(missing_ok=True)
    if edition.private:
        shutil.rmtree(folder / "student" / "data", ignore_errors=True)
        hidden = shutil.ignore_patterns(".*")
        shutil.copytree(edition.class_data, folder / "student" / "data", ignore=hidden)
    for part in ("student", "autograder"):
        _settle(folder / part / source.name)


def _settle(path: Path) -> None:
    """Give the cells that Otter adds ids that stay: it draws new ones each time."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    before = ""
    for position, cell in enumerate(notebook["cells"]):
        if re.fullmatch(r"[0-9a-f]{8}", cell.get("id", "")):
            written = PLACEHOLDER in "".join(cell["source"])
            cell["id"] = before.replace("prompt", "solution") if written else f"otter-{position}"
        before = cell["id"]
    path.write_text(json.dumps(notebook, indent=1) + "\n", encoding="utf-8")


def _try(worker: Worker, source: Path, folder: Path) -> None:
    """Grade the reference solution and the untouched notebook, as submissions are graded."""
    questions = read_questions(folder / "autograder")
    solved = worker.run(code_cells(folder / "autograder" / source.name), questions)
    findings = [f"cell {place}: {trouble}" for place, trouble in solved.troubles.items()]
    for question in questions:
        for case, outcome in zip(question.cases, solved.outcomes[question.name], strict=True):
            if not outcome.passed:
                findings.append(f"{question.name}: {outcome.error or case.message}")
    if findings:
        raise AssignmentFailed(
            f"{source.name} was not built. The reference solution doesn't earn full points:\n"
            + "\n".join(f"  {finding}" for finding in findings)
            + "\nThe solution and its test disagree: mend one of them."
        )
    blank = worker.run(code_cells(folder / "student" / source.name), questions)
    free = [
        f"{question.name}: a check passes before anything is answered"
        for question in questions
        for outcome in blank.outcomes[question.name]
        if outcome.passed
    ]
    free += [f"cell {place}: {trouble}" for place, trouble in blank.troubles.items()]
    if free:
        raise AssignmentFailed(
            f"{source.name} was not built. The student version, untouched, isn't as it should be:\n"
            + "\n".join(f"  {finding}" for finding in free)
        )
