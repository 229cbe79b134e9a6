"""Runs the chapters, each once, side by side, for the pages and for the tests alike.

Chapters and helper modules are staged as copies, nbmake runs the copies as pytest tests, and a
chapter that passed is kept with a *key*: a hash of everything that its output depends on. A kept
chapter whose key still holds isn't run again. A chapter that failed leaves nothing behind that
could pass for a result; a copy to look at is put in ``failed``.
"""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import nbformat
from datasource import data_hash
from layout import Book, file_hash, text_hash, tree_hash

#: Raise it when the way of running changes so that kept results no longer hold.
METHOD = "2"
CELL_TIMEOUT = 600
WORKERS = 2

# nbmake leaves folders called _build alone, and the stage is in one.
COLLECT = '''"""Let nbmake run the staged chapters."""

from nbmake.pytest_items import NotebookFile


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".ipynb":
        return NotebookFile.from_parent(parent, path=file_path)
'''


@dataclass(frozen=True)
class Outcome:
    """What became of one chapter: `trace` says why it failed, and is empty when it passed."""

    chapter: Path
    kept: bool
    seconds: float
    trace: str = ""

    @property
    def passed(self) -> bool:
        return not self.trace


def read_notebook(path: Path) -> nbformat.NotebookNode:
    """A notebook as it stands, with the line ends of any system."""
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=nbformat.NO_CONVERT)


def surroundings(book: Book) -> str:
    """A hash of what all chapters depend on: helpers, data, packages, Python."""
    return text_hash(
        METHOD,
        tree_hash(book.notebooks, leave_out=["assignments"], suffixes_out=[".ipynb"]),
        file_hash(book.root / "requirements.txt"),
        sys.version,
        data_hash(book.sources),
    )


def chapter_key(chapter: Path, around: str) -> str:
    """The key of one chapter: its code, in its order, in these surroundings."""
    notebook = read_notebook(chapter)
    code = [
        [cell.source, sorted(cell.metadata.get("tags", []))]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]
    settings = {name: notebook.metadata.get(name) for name in ("kernelspec", "execution")}
    return text_hash(chapter.stem, around, json.dumps([code, settings], sort_keys=True))


def kept_notebook(book: Book, chapter: Path) -> Path:
    """Where the executed copy of a chapter is kept."""
    return book.work / "chapters" / chapter.name


def _record(book: Book, chapter: Path) -> Path:
    return kept_notebook(book, chapter).with_suffix(".json")


def kept_seconds(book: Book, chapter: Path, key: str) -> float | None:
    """How long the kept run of a chapter took, or None when there is none under this key."""
    try:
        record = json.loads(_record(book, chapter).read_text(encoding="utf-8"))
        matches = record["key"] == key and record["output"] == file_hash(
            kept_notebook(book, chapter)
        )
    except (OSError, ValueError, KeyError):
        return None
    return record["seconds"] if matches else None


def kept_seconds_of(book: Book, chapter: Path) -> float | None:
    """How long the kept run of a chapter took, whatever it depended on; None without one."""
    try:
        return json.loads(_record(book, chapter).read_text(encoding="utf-8"))["seconds"]
    except (OSError, ValueError, KeyError):
        return None


def stale_chapters(book: Book) -> list[Path]:
    """The chapters that have to be run again."""
    around = surroundings(book)
    return [
        chapter
        for chapter in book.chapters()
        if kept_seconds(book, chapter, chapter_key(chapter, around)) is None
    ]


def execute(book: Book, say=print) -> list[Outcome]:
    """Run the chapters whose kept result no longer holds, and report on all of them, in order."""
    around = surroundings(book)
    outcomes = {}
    keys = {chapter: chapter_key(chapter, around) for chapter in book.chapters()}
    for chapter, key in keys.items():
        seconds = kept_seconds(book, chapter, key)
        if seconds is not None:
            outcomes[chapter] = Outcome(chapter, True, seconds)
    stale = [chapter for chapter in keys if chapter not in outcomes]
    if stale:
        say(f"Executing {len(stale)} of {len(keys)} chapters, {min(WORKERS, len(stale))} at a time")
        for outcome in _run(book, stale, say):
            outcomes[outcome.chapter] = outcome
            if outcome.passed:
                _keep(book, outcome, keys[outcome.chapter])
    else:
        say(f"Chapters: {len(keys)} of {len(keys)} are up to date")
    return [outcomes[chapter] for chapter in keys]


def _run(book: Book, chapters: list[Path], say) -> list[Outcome]:
    stage = _stage(book, chapters)
    report = stage / "report.xml"
    for chapter in chapters:
        _record(book, chapter).unlink(missing_ok=True)
        kept_notebook(book, chapter).unlink(missing_ok=True)
    side_by_side = ["-n", str(WORKERS)] if len(chapters) > 1 else []
    command = [
        *(sys.executable, "-m", "pytest", "--nbmake", "--overwrite", "-v", "--color=no"),
        *(f"--nbmake-timeout={CELL_TIMEOUT}", "-p", "no:cacheprovider", *side_by_side),
        *(f"--rootdir={stage}", f"--config-file={stage / 'pytest.ini'}", f"--junitxml={report}"),
        *(str(_staged(stage, book, chapter)) for chapter in chapters),
    ]
    lines = []
    ended = re.compile(r"\b(PASSED|FAILED|ERROR)\b")
    with subprocess.Popen(
        command,
        cwd=stage,
        env=kernel_environment(book, stage),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as pytest:
        for line in pytest.stdout:
            lines.append(line)
            name = next((c.stem for c in chapters if f"{c.stem}.ipynb::" in line), None)
            if name and ended.search(line) and "%]" in line:
                say(f"  {ended.search(line).group().lower():7} {name}")
    results = _read_report(report)
    crash = "".join(lines[-40:]) or "pytest printed nothing"
    outcomes = []
    for chapter in chapters:
        seconds, trace = results.get(chapter.name, (0.0, crash))
        outcomes.append(Outcome(chapter, False, seconds, _plain(trace)))
    return outcomes


def _stage(book: Book, chapters: list[Path]) -> Path:
    """Fresh copies of the chapters and of everything in their folder that they may read."""
    stage = book.work / "stage"
    shutil.rmtree(stage, ignore_errors=True)
    leave = shutil.ignore_patterns("*.ipynb", "assignments", "__pycache__", ".*")
    shutil.copytree(book.notebooks, stage / "notebooks", ignore=leave)
    for chapter in chapters:
        copy = _staged(stage, book, chapter)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(chapter, copy)
    (stage / "conftest.py").write_text(COLLECT, encoding="utf-8")
    (stage / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    return stage


def _staged(stage: Path, book: Book, chapter: Path) -> Path:
    return stage / chapter.relative_to(book.root)


def kernel_environment(book: Book, stage: Path) -> dict[str, str]:
    """The variables of a kernel: one thread each, the data named, nothing of the user's own."""
    environ = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "MPLBACKEND", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"))
        and name not in ("CAREBENCH_DATA", "IMBUE_DATA")
    }
    # Two kernels whose libraries each start a thread per core slow each other down.
    threads = dict.fromkeys(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"], "1")
    own = {"IPYTHONDIR": str(stage / ".ipython"), "PYTHONHASHSEED": "0"}
    own["CAREBOOK_PAGES"] = "1"  # explorers hand their views over; see explorers.py
    return {**environ, **threads, **own, **book.sources}


def _read_report(report: Path) -> dict[str, tuple[float, str]]:
    """Seconds and failure text of each staged chapter, by file name."""
    try:
        tree = ElementTree.parse(report)
    except (OSError, ElementTree.ParseError):
        return {}
    results = {}
    for case in tree.iter("testcase"):
        problems = [*case.iter("failure"), *case.iter("error")]
        trace = "\n".join((p.text or p.get("message") or "failed") for p in problems)
        results[case.get("name")] = (float(case.get("time", 0)), trace)
    return results


def _plain(text: str) -> str:
    """Text without the colour codes of a traceback."""
    text = re.sub(r"#x1B\[[0-9;]*m", "", text)
    return re.sub(r"\x1b\[[0-9;]*m", "", text).strip()


def _keep(book: Book, outcome: Outcome, key: str) -> None:
    kept = kept_notebook(book, outcome.chapter)
    kept.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(_staged(book.work / "stage", book, outcome.chapter), kept)
    record = {"key": key, "seconds": outcome.seconds, "output": file_hash(kept)}
    _record(book, outcome.chapter).write_text(json.dumps(record), encoding="utf-8")


def with_outputs(chapter: Path, executed: Path) -> nbformat.NotebookNode:
    """The chapter as written, with the outputs and the widget state of its executed copy.

    Cell metadata are the source's own: nbclient adds its timing to them, and Jupyter's cache would
    then no longer recognise the notebook.
    """
    notebook, run = read_notebook(chapter), read_notebook(executed)
    code = functools.partial(filter, lambda cell: cell.cell_type == "code")
    for cell, ran in zip(code(notebook.cells), code(run.cells), strict=True):
        cell.outputs, cell.execution_count = ran.outputs, ran.execution_count
    for name in ("widgets", "language_info"):
        if name in run.metadata:
            notebook.metadata[name] = run.metadata[name]
    return notebook


def print_failures(outcomes: list[Outcome], book: Book, say=print) -> None:
    """Print the traceback of each failed chapter, and keep its copy to look at."""
    failed = book.work / "failed"
    shutil.rmtree(failed, ignore_errors=True)
    for outcome in outcomes:
        if outcome.passed:
            continue
        name = outcome.chapter.relative_to(book.root)
        say(f"\n{'=' * 24} {name} failed {'=' * 24}\n{outcome.trace}")
        copy = _staged(book.work / "stage", book, outcome.chapter)
        if copy.exists():
            failed.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(copy, failed / outcome.chapter.name)
            say(f"The run up to there: {(failed / outcome.chapter.name).relative_to(book.root)}")
