"""The directive ``edition``: what this copy of the book was built from, and how long it took.

The data, the versions, the departures from the documentation that the builder accepted, and the
seconds of each chapter; all of it is read when the pages are built.
"""

from __future__ import annotations

import gzip
import importlib.metadata
import json
import platform

from docutils import nodes
from execution import kept_seconds_of
from layout import Book
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

#: The packages that decide what a chapter's numbers are.
PACKAGES = ("carebook", "numpy", "pandas", "scipy", "scikit-learn", "matplotlib", "seaborn")


class Edition(SphinxDirective):
    """Three short parts: data, versions, times. Without content."""

    def run(self) -> list[nodes.Node]:
        book = Book.at(self.env.app.srcdir)
        box = nodes.container()
        lines = [*data_lines(book), *version_lines(), "", *time_lines(book)]
        self.state.nested_parse(lines, self.content_offset, box)
        return box.children


def data_lines(book: Book) -> list[str]:
    """Which data: a line for each of the two data sets."""
    truth = book.notebooks / "carebook" / "data" / "practice" / "truth.json.gz"
    with gzip.open(truth, "rt", encoding="utf-8") as file:
        made = json.load(file)
    practice = (
        f"the practice corpus that comes with the book (seed {made['seed']}, world "
        f"*{made['world']}*; {{doc}}`synthetic <practice-corpus>`)"
    )
    named = "files that whoever built this copy has named"
    return [
        f"- **{label}**: {named if name in book.sources else practice}."
        for label, name in (("CAREBench", "CAREBENCH_DATA"), ("IMBUE", "IMBUE_DATA"))
    ]


def version_lines() -> list[str]:
    """Python and the packages that the numbers depend on."""
    packages = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)
    return [f"- **Versions**: Python {platform.python_version()}, {packages}."]


def time_lines(book: Book) -> list[str]:
    """How long each chapter took to execute, as a table."""
    seconds = {chapter: kept_seconds_of(book, chapter) for chapter in book.chapters()}
    rows = [
        f"| {{doc}}`/notebooks/{chapter.stem}` | {time:.0f} |"
        for chapter, time in seconds.items()
        if time is not None
    ]
    total = sum(time for time in seconds.values() if time is not None)
    return [
        ":::{table} How long each chapter took when this copy was built, two at a time.",
        ":name: tbl-times",
        "",
        "| Chapter | Seconds |",
        "|---|---|",
        *rows,
        f"| One after the other | {total:.0f} |",
        ":::",
    ]


def setup(app: Sphinx) -> None:
    """Add the directive."""
    app.add_directive("edition", Edition)
