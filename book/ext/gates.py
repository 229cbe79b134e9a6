"""The gates: what a source file or a built page must not hold. Each finding is one line.

A finding names the file, the place, what was found and how to mend it. `source_findings` reads the
repository's files and takes a second; `page_findings` reads the built website.
"""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import nbformat
from layout import Book, tree_files

SHORTEST_ALT = 20
KERNEL = "python3"


@dataclass(frozen=True)
class Finding:
    """One thing that has to be mended."""

    file: str
    place: str
    found: str
    advice: str

    def __str__(self) -> str:
        return f"{self.file}: {self.place}: {self.found}. {self.advice}"


def source_findings(book: Book) -> list[Finding]:
    """What is wrong with the notebooks as they are written."""
    findings = []
    notebooks = [path for path in tree_files(book.notebooks) if path.suffix == ".ipynb"]
    for path in notebooks:
        findings += notebook_findings(path, path.relative_to(book.root).as_posix())
    listed = set(book.chapters())
    for path in notebooks:
        if path.parent == book.notebooks and path not in listed:
            name = path.relative_to(book.root).as_posix()
            advice = f"Add `{name.removesuffix('.ipynb')}` to _toc.yml, or move the notebook away."
            findings.append(Finding(name, "_toc.yml", "not in the table of contents", advice))
    return findings


def notebook_findings(path: Path, name: str) -> list[Finding]:
    """A committed notebook has no outputs, no counts, the book's kernel and stable cell ids."""
    try:
        # Read as plain JSON: nbformat makes up ids where they are missing or doubled.
        notebook = json.loads(path.read_text(encoding="utf-8"))
        ids = Counter(cell.get("id") for cell in notebook["cells"])
        if None not in ids and max(ids.values(), default=1) == 1:
            nbformat.validate(copy.deepcopy(notebook))
    except (ValueError, KeyError, TypeError, nbformat.ValidationError) as problem:
        reason = (str(problem).splitlines() or [type(problem).__name__])[0]
        return [Finding(name, "file", f"not a valid notebook ({reason})", "Save it from Jupyter.")]
    findings = []

    def add(place: str, found: str, advice: str) -> None:
        findings.append(Finding(name, place, found, advice))

    clear = "Run `make tidy`."
    kernel = notebook["metadata"].get("kernelspec", {}).get("name")
    if kernel != KERNEL:
        add("kernel", f"{kernel!r} instead of '{KERNEL}'", f"Choose the kernel {KERNEL}, and save.")
    if "widgets" in notebook["metadata"]:
        add("metadata", "saved widget state", clear)
    if (notebook["nbformat"], notebook["nbformat_minor"]) < (4, 5):
        add("format", "older than 4.5, so cells have no ids", "Open and save it in JupyterLab 4.")
        return findings
    for number, cell in enumerate(notebook["cells"], start=1):
        place = f"cell {number} ({cell.get('id', 'no id')})"
        if "id" not in cell:
            add(place, "no cell id", "Give it a short one of its own.")
        elif ids[cell["id"]] > 1:
            add(place, f"the id is used {ids[cell['id']]} times", "Rename all but one.")
        if cell["cell_type"] != "code":
            continue
        if cell.get("outputs"):
            add(place, "saved outputs", clear)
        if cell.get("execution_count") is not None:
            add(place, "an execution count", clear)
        if not "".join(cell["source"]).strip():
            add(place, "an empty code cell", "Delete the cell.")
    return findings


class _Images(HTMLParser):
    """Collects the images of a page's article; the theme's own parts are not the book's."""

    VOID = frozenset(
        ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"]
        + ["source", "track", "wbr"]
    )

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.images: list[dict[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        if tag == "article" or (self.depth and tag not in self.VOID):
            self.depth += 1
        if tag == "img" and self.depth:
            self.images.append(dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        if self.depth and tag not in self.VOID:
            self.depth -= 1


def alt_problem(alt: str | None, source: str = "") -> str | None:
    """Why an alt text says nothing about its image, or None when it does."""
    text = " ".join((alt or "").split())
    if not text:
        return "no alt text"
    file = re.fullmatch(r"\S+\.(png|svg|jpe?g|gif|webp|avif)", text, re.IGNORECASE)
    if file or (source and text in source):
        return f"a file name as alt text ({text!r})"
    if text.lower().strip(" .") in {"image", "figure", "plot", "graph", "chart", "picture"}:
        return f"an alt text that names no content ({text!r})"
    if len(text) < SHORTEST_ALT:
        return f"an alt text under {SHORTEST_ALT} characters ({text!r})"
    return None


def page_findings(html: Path) -> list[Finding]:
    """What is wrong with the built pages: images whose alt text doesn't carry their message."""
    findings = []
    for path in tree_files(html, leave_out=["_static", "_sources", "_images"]):
        if path.suffix != ".html":
            continue
        parser = _Images()
        parser.feed(path.read_text(encoding="utf-8"))
        for image in parser.images:
            source = image.get("src") or ""
            problem = alt_problem(image.get("alt"), source)
            if problem:
                place = f"image {Path(source).name}"
                advice = (
                    "Say in one or two sentences what the image shows: in a chapter the figure "
                    "functions of carebook do it; in Markdown write ![what it shows](file)."
                )
                findings.append(Finding(path.relative_to(html).as_posix(), place, problem, advice))
    return findings
