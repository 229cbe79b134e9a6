"""What a page says about this copy of the book: the directives ``edition`` and ``browser-python``.

The data, the versions, the seconds of each chapter, and whether Python runs in the reader's
browser; all of it is read when the pages are built.
"""

from __future__ import annotations

import gzip
import importlib.metadata
import json
import os
import platform

import lite
from docutils import nodes
from execution import kept_seconds_of
from layout import Book
from running import FOR_BROWSERS
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

#: The packages that decide what a chapter's numbers are, beside the book's own.
PACKAGES = ("numpy", "pandas", "scipy", "scikit-learn", "matplotlib", "seaborn")


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
    """The book, Python and the packages that the numbers depend on."""
    from carebook import __version__

    packages = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)
    own = f"carebook {__version__}"
    return [f"- **Versions**: {own}, Python {platform.python_version()}, {packages}."]


def time_lines(book: Book) -> list[str]:
    """How long each chapter took to execute; the sum is that of the numbers shown."""
    kept = {chapter: kept_seconds_of(book, chapter) for chapter in book.chapters()}
    seconds = {chapter: round(time) for chapter, time in kept.items() if time is not None}
    rows = [f"| {{doc}}`/notebooks/{chapter.stem}` | {time} |" for chapter, time in seconds.items()]
    return [
        "Each chapter was executed when this copy was built. That took, in seconds:",
        "",
        "| Chapter | Seconds |",
        "|---|--:|",
        *rows,
        f"| **Together** | **{sum(seconds.values())}** |",
    ]


class BrowserPython(SphinxDirective):
    """What Python in the browser needs from the network, in one paragraph. Without content."""

    def run(self) -> list[nodes.Node]:
        box = nodes.container()
        text = browser_line(bool(os.environ.get(FOR_BROWSERS)), lite.python_server())
        self.state.nested_parse([text], self.content_offset, box)
        return box.children


def browser_line(there: bool, server: str) -> str:
    """What is downloaded before Python runs in the browser, and from where."""
    if not there:
        return "This copy of the book was built without the first way."
    source = (
        f"the chapters and their packages from this site, and Python from `{server}`, which is "
        "another server"
        if server
        else "the chapters, their packages and Python, all from this site"
    )
    return (
        "The first way is the one place where the website needs the network once more. When you "
        f"start it, your browser downloads about {lite.MEGABYTES} MB: {source}. What you write is "
        "sent nowhere. In a copy of the book that was opened from a folder this way is missing, "
        "because it needs a web server."
    )


def setup(app: Sphinx) -> None:
    """Add the directives."""
    app.add_directive("edition", Edition)
    app.add_directive("browser-python", BrowserPython)
