"""Chapters to take along: notebooks with a first cell that gets ``carebook`` where it's missing.

The website offers them for download, Colab opens them, and JupyterLite runs them in the reader's
browser. The chapters in the repository stay without that cell: beside them lies the package.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import yaml
from layout import Book, text_hash

CELL_ID = "get-carebook"
#: The branch that the publishing workflow keeps the chapters to take along on.
RUNNABLE_BRANCH = "runnable"

#: What the first cell does. ``{source}`` is where pip finds the package, an empty text where the
#: book's address isn't known; then the wheel that the page offers has to lie beside the notebook.
SETUP = """\
# Run this cell first: where the book's helper package is missing, it is installed.
import importlib.util
import sys
from pathlib import Path

missing = importlib.util.find_spec("carebook") is None
if missing and sys.platform == "emscripten":  # Python in the browser: the site brings the package
    import logging

    import piplite

    await piplite.install("carebook")
    # It lists the fonts once, and says so as if something were wrong.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
elif missing:
    beside = sorted(Path().glob("carebook-*.whl"))
    source = str(beside[-1]) if beside else "{source}"
    if not source:
        raise ModuleNotFoundError(
            "This notebook needs the book's helper package. Download it from the chapter's page "
            "(the link beside the notebook's), put the file into this folder, run this cell again."
        )
    get_ipython().run_line_magic("pip", f"install --quiet '{{source}}'")
"""


@dataclass(frozen=True)
class Addresses:
    """Where a book is published, as ``_config.yml`` says it; empty texts where it doesn't.

    Attributes
    ----------
    site : str
        The website (``html: baseurl``), with a slash at its end.
    repository : str
        The repository on GitHub (``repository: url``), without one.
    branch : str
    """

    site: str = ""
    repository: str = ""
    branch: str = "main"

    @classmethod
    def of(cls, book: Book) -> Addresses:
        """The addresses in a book's settings."""
        settings = yaml.safe_load((book.root / "_config.yml").read_text(encoding="utf-8")) or {}
        site = (settings.get("html") or {}).get("baseurl") or ""
        repository = settings.get("repository") or {}
        return cls(
            f"{site.rstrip('/')}/" if site else "",
            (repository.get("url") or "").rstrip("/"),
            repository.get("branch") or "main",
        )

    def package(self, wheel: str) -> str:
        """What pip installs the helper package from: the site's wheel, else the repository."""
        if self.site:
            return f"{self.site}run/{wheel}"
        if self.repository:
            return f"{self.repository}/archive/refs/heads/{self.branch}.zip"
        return ""

    def binder(self, notebook: str) -> str:
        """Where Binder opens a chapter; an empty text without a repository on GitHub."""
        if not self._on_github():
            return ""
        place = quote(f"lab/tree/notebooks/{notebook}", safe="")
        return f"https://mybinder.org/v2/gh/{self._on_github()}/{self.branch}?urlpath={place}"

    def colab(self, notebook: str) -> str:
        """Where Colab opens a chapter to take along; an empty text without a repository."""
        if not self._on_github():
            return ""
        branch = f"github/{self._on_github()}/blob/{RUNNABLE_BRANCH}"
        return f"https://colab.research.google.com/{branch}/{quote(notebook)}"

    def _on_github(self) -> str:
        host, _, name = self.repository.removeprefix("https://").partition("/")
        return name if host == "github.com" and name.count("/") == 1 else ""


def with_setup(notebook: dict, source: str = "") -> dict:
    """A copy of a notebook that starts with the cell; its kernel is whatever Python is there."""
    cell = {
        "cell_type": "code",
        "id": CELL_ID,
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": SETUP.format(source=source).splitlines(keepends=True),
    }
    return {**notebook, "cells": [cell, *notebook["cells"]]}


def read(chapter: Path, source: str = "") -> str:
    """The text of a chapter to take along."""
    notebook = json.loads(chapter.read_text(encoding="utf-8"))
    return json.dumps(with_setup(notebook, source), ensure_ascii=False, indent=1) + "\n"


def write(book: Book, folder: Path, source: str = "") -> list[Path]:
    """Write all chapters to take along into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for chapter in book.chapters():
        target = folder / chapter.name
        target.write_text(read(chapter, source), encoding="utf-8")
        written.append(target)
    return written


def publish(book: Book, wheel: Path) -> None:
    """Put the chapters, the package and both together into the website's folder ``run``."""
    folder = book.html / "run"
    written = write(book, folder, Addresses.of(book).package(wheel.name))
    (folder / wheel.name).write_bytes(wheel.read_bytes())
    with zipfile.ZipFile(folder / "chapters.zip", "w", zipfile.ZIP_DEFLATED) as together:
        for path in (*written, folder / wheel.name):
            together.write(path, path.name)


def key(book: Book) -> str:
    """A hash of all chapters to take along."""
    return text_hash(SETUP, *(read(chapter) for chapter in book.chapters()))
