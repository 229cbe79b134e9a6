"""How long the book takes, beside the stock tools on the same content; `make bench` runs this.

Each way starts from a fresh copy of the repository, in the same environment and on the same
machine, one after the other; the shortest of two rounds counts. What is fetched once (packages,
JavaScript, the browser edition's tools and wheels) is in place for all.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book" / "ext"))

import javascript
import lite
from layout import Book

ROUNDS = 2
STOCK_BUILD = ["-c", "from jupyter_book.cli.main import main; main()", "build", "."]
OUR_BUILD = ["book/ext/commands.py", "book"]
OUR_TESTS = ["-m", "pytest", "-q", "tests/notebooks/test_chapters.py", "-k", "first_cell"]


def fresh_copy(folder: Path) -> Path:
    """The repository without anything that was made, except what was fetched."""
    leave = shutil.ignore_patterns("_build", ".venv*", ".git", "__pycache__", ".*_cache")
    shutil.copytree(ROOT, folder, ignore=leave)
    shutil.copytree(ROOT / "_build" / "javascript", folder / "_build" / "javascript")
    lite.tools(Book.at(folder), say=lambda line: None)  # an environment knows its own folder
    for kept in (ROOT / "_build" / "lite").glob("kept-*"):
        shutil.copytree(kept, folder / "_build" / "lite" / kept.name)
    return folder


def seconds(folder: Path, *arguments: str) -> float:
    """How long a Python program takes in a folder; it has to succeed."""
    environ = {**os.environ, "PYTHONUTF8": "1"}
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environ, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(
            f"{' '.join(arguments)} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        )
    return time.monotonic() - started


def ours(folder: Path) -> dict[str, float]:
    """Build, notebook tests that use the same run, build again."""
    built = seconds(folder, *OUR_BUILD)
    tested = seconds(folder, *OUR_TESTS)
    return {"site": built, "both": built + tested, "unchanged": seconds(folder, *OUR_BUILD)}


def stock(folder: Path) -> dict[str, float]:
    """`jupyter-book build`, then `pytest --nbmake`, as their manuals say; build again."""
    built = seconds(folder, *STOCK_BUILD)
    chapters = [str(path) for path in Book.at(folder).chapters()]
    tested = seconds(folder, "-m", "pytest", "-q", "--nbmake", *chapters)
    return {"site": built, "both": built + tested, "unchanged": seconds(folder, *STOCK_BUILD)}


def shortest(measure: Callable[[Path], dict[str, float]], folder: Path) -> dict[str, float]:
    """The shortest time of each part over the rounds, each from a fresh copy."""
    rounds = [measure(fresh_copy(folder / str(number))) for number in range(ROUNDS)]
    return {name: min(times[name] for times in rounds) for name in rounds[0]}


def main() -> None:
    """Measure and print, with the targets."""
    javascript.stage(Book.at(ROOT).work)
    lite.build(Book.at(ROOT))
    print(f"Building {len(Book.at(ROOT).chapters())} chapters, best of {ROUNDS} rounds", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        mine = shortest(ours, Path(temporary, "ours"))
        theirs = shortest(stock, Path(temporary, "stock"))
    print(f"{'':28}{'ours':>8}{'stock':>8}{'ratio':>8}  target")
    for name, label, target in [
        ("site", "site alone", 0.75),
        ("both", "site and notebook tests", 0.6),
    ]:
        ratio = mine[name] / theirs[name]
        print(
            f"{label:28}{mine[name]:7.1f}s{theirs[name]:7.1f}s{ratio:8.2f}  at most {target}"
            f"{'' if ratio <= target else '  MISSED'}"
        )
    print(
        f"{'unchanged':28}{mine['unchanged']:7.1f}s{theirs['unchanged']:7.1f}s{'':8}  at most 3 s"
        f"{'' if mine['unchanged'] <= 3 else '  MISSED'}"
    )


if __name__ == "__main__":
    main()
