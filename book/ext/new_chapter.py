"""Starts a chapter: a copy of the template beside the others, listed in the table of contents."""

from __future__ import annotations

import re
from pathlib import Path

from layout import Book

TEMPLATE = Path(__file__).with_name("template.ipynb")
NAME = re.compile(r"(?P<number>\d\d)_(?P<words>[a-z][a-z0-9]*(?:_[a-z0-9]+)*)")
ENTRY = re.compile(r"(?m)^(\s*- file: )notebooks/\d\d_\w+\n")


class NameProblem(Exception):
    """The chapter can't be started under this name; the message says what to do."""


def create(book: Book, name: str) -> Path:
    """Copy the template under a name such as ``06_coping`` and list it after the other chapters.

    Labels of figures and exercises must differ between chapters, so they take up the name.

    Raises
    ------
    NameProblem
        When the name has another form, or is taken.
    """
    match = NAME.fullmatch(name)
    if match is None:
        raise NameProblem(
            f"{name!r} is no chapter's name. Take two digits and words in small letters, joined "
            "by underscores: make chapter ARGS=06_coping"
        )
    path = book.notebooks / f"{name}.ipynb"
    taken = [other.name for other in book.notebooks.glob(f"{match['number']}_*.ipynb")]
    if taken:
        raise NameProblem(f"There is {taken[0]} already. Take the next free number.")
    toc = book.root / "_toc.yml"
    listing = toc.read_text(encoding="utf-8")
    entries = list(ENTRY.finditer(listing))
    if not entries:
        raise NameProblem("_toc.yml lists no chapter to put the new one after. Add it by hand.")
    text = TEMPLATE.read_text(encoding="utf-8")
    text = text.replace("TITLE", match["words"].replace("_", " ").capitalize())
    path.write_text(text.replace("LABEL", match["words"].replace("_", "-")), encoding="utf-8")
    last = entries[-1]
    line = f"{last[1]}notebooks/{name}\n"
    toc.write_text(listing[: last.end()] + line + listing[last.end() :], encoding="utf-8")
    return path
