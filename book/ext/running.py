"""The box at the head of a chapter that says how to run it: in the browser, elsewhere, at home."""

from __future__ import annotations

import os
import re
from pathlib import Path

import lite
import runnable
import shell
from layout import Book
from sphinx.application import Sphinx

#: The variable that tells Sphinx whether the website brings Python for the browser.
FOR_BROWSERS = "CAREBOOK_FOR_BROWSERS"


#: The names of the practice pages: their tools answer without Python.
PRACTICE = re.compile(r"p\d+_")
WITH_PYTHON = (
    "The tool below works without it. What running adds: your answers arrive in Python as a "
    "table, and the cells below the tool compute with them. What this browser keeps is there, too."
)


def words(name: str) -> dict[str, str]:
    """What a page is called in its box, and what running it adds.

    Parameters
    ----------
    name : str
        The notebook's name, without its folder.

    Examples
    --------
    >>> words("03_perspectives")["kind"], words("p1_read_a_story")["kind"], words("a1_pandas")
    ('chapter', 'page', {'kind': 'page', 'adds': ''})
    """
    is_chapter = name[:1].isdigit()
    return {
        "kind": "chapter" if is_chapter else "page",
        "adds": WITH_PYTHON if PRACTICE.match(name) else "",
    }


def ways(app: Sphinx, pagename: str, template: str, context: dict, doctree: object) -> None:
    """Give a chapter's page the ways to run it; none where the website doesn't bring them."""
    if not os.environ.get(FOR_BROWSERS) or not shell.is_chapter(app.env, pagename):
        return
    pathto, name = context["pathto"], f"{Path(pagename).name}.ipynb"
    addresses = runnable.Addresses.of(Book.at(app.srcdir))
    alone = bool(addresses.package(""))
    context["run"] = {
        **words(Path(pagename).name),
        "browser": f"{pathto('lite/notebooks/index.html', True)}?path={name}",
        "megabytes": lite.MEGABYTES,
        "python_server": lite.python_server(),
        "elsewhere": [
            (label, address)
            for label, address in (
                ("Binder", addresses.binder(name)),
                ("Colab", addresses.colab(name)),
            )
            if address
        ],
        "download": pathto(f"run/{name if alone else 'chapters.zip'}", True),
        "alone": alone,
    }


def setup(app: Sphinx) -> None:
    """Connect the step, before the theme draws the page."""
    app.connect("html-page-context", ways, priority=800)
