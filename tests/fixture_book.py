"""A tiny book in a folder of its own, for the tests that break things on purpose."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).resolve().parents[1]

HELPER = '''"""The tiny book's helper package."""

from pathlib import Path

DATA = Path(__file__).parent / "data" / "numbers.txt"


def total() -> int:
    """The sum of the numbers in the data file.

    Examples
    --------
    >>> total() > 0
    True
    """
    return sum(int(line) for line in DATA.read_text(encoding="utf-8").split())
'''

#: A picture of one pixel.
DOT = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9aw"
    "AAAABJRU5ErkJggg=="
)

FIRST = [
    new_markdown_cell("# First chapter\n\nIt adds numbers, see {ref}`sums`.", id="title"),
    new_code_cell("from carebook import total\ntotal()", id="add"),
    new_markdown_cell("(sums)=\n## Sums\n\nA sum is a number: $1 + 1$.", id="sums"),
]
SECOND = [
    new_markdown_cell("# Second chapter", id="title"),
    new_code_cell(
        "class Dot:\n"
        "    def _repr_mimebundle_(self, include=None, exclude=None):\n"
        f"        data = {{'image/png': {DOT!r}}}\n"
        "        return data, {'image/png': {'alt': 'A single dot on an empty page.'}}\n\n\n"
        "Dot()",
        id="dot",
    ),
]


def write_notebook(path: Path, cells: list) -> Path:
    """Write a notebook as the book wants it: no outputs, kernel python3."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)
    return path


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text in a file; it must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{old!r} is not in {path.name}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def make_book(folder: Path) -> Path:
    """A book of one page and two chapters, with the real one's settings and build driver."""
    settings = (ROOT / "_config.yml").read_text(encoding="utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "_config.yml").write_text(settings, encoding="utf-8")
    (folder / "_toc.yml").write_text(
        "format: jb-book\nroot: book/index\nchapters:\n"
        "- file: notebooks/one\n- file: notebooks/two\n",
        encoding="utf-8",
    )
    shutil.copyfile(ROOT / "requirements.txt", folder / "requirements.txt")
    leave = shutil.ignore_patterns("__pycache__", "node_modules")
    for name in ("ext", "assets"):
        shutil.copytree(ROOT / "book" / name, folder / "book" / name, ignore=leave)
    (folder / "book" / "references.bib").write_text("", encoding="utf-8")
    (folder / "book" / "index.md").write_text(
        "# Tiny book\n\nRead {doc}`../notebooks/one`.\n", encoding="utf-8"
    )
    package = folder / "notebooks" / "carebook"
    (package / "data").mkdir(parents=True)
    (package / "__init__.py").write_text(HELPER, encoding="utf-8")
    (package / "data" / "numbers.txt").write_text("40\n2\n", encoding="utf-8")
    write_notebook(folder / "notebooks" / "one.ipynb", FIRST)
    write_notebook(folder / "notebooks" / "two.ipynb", SECOND)
    staged = ROOT / "_build" / "javascript"
    if staged.exists():
        shutil.copytree(staged, folder / "_build" / "javascript")
    return folder


def output_text(notebook: Path) -> str:
    """All outputs of an executed notebook as one text."""
    content = json.loads(notebook.read_text(encoding="utf-8"))
    return json.dumps([cell.get("outputs") for cell in content["cells"]])
