"""The search's own index: each section, term, figure and helper of the book, with its anchor.

Sphinx's index knows pages, so that a hit leads to a page's top. This one is read from the written
pages, as a reader sees them, and search.js looks through it. A script and not a data file: a page
that was opened from a folder may load the one, not the other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import shell
from sphinx.application import Sphinx

FILE = "search-data.js"

SECTION, TERM, FIGURE, HELPER = "section", "term", "figure", "helper"
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
VOID = {"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
INLINE = {"a", "abbr", "b", "cite", "code", "em", "i", "kbd", "mark", "q", "span", "strong", "sub"}
#: What nobody looks for: signs, numbers in tables, formulas, and what is gathered from other pages.
ASIDE_TAGS = {"script", "style", "svg"}
ASIDE = {"headerlink", "math", "dataframe", "figure-card", "cheat-sheet"}
#: Bodies of boxes: sections without a heading, whose ids stand on a page more than once.
BOXES = {"exercise-content", "solution-content"}
#: A caption's number and first sentence, and what follows.
FIRST_SENTENCE = re.compile(r"((?:Fig\. [\d.]+ )?.*?)(?:(?<=[.?!])\s+(?=[A-Z])(.*))?")


@dataclass
class Entry:
    """One place that a hit leads to."""

    kind: str
    anchor: str
    title: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def row(self, page: int) -> list:
        """The entry as search.js reads it; the number says on which page it stands.

        A figure is called after the first sentence of its caption.
        """
        title, text = (" ".join("".join(parts).split()) for parts in (self.title, self.text))
        if self.kind == FIGURE:
            first, rest = FIRST_SENTENCE.fullmatch(title).groups()
            title, text = first, f"{rest or ''} {text}".strip()
        return [page, self.anchor, self.kind, title, text]


class Reader(HTMLParser):
    """Reads the article of one page, and keeps its entries in the order of the page.

    Examples
    --------
    >>> reader = Reader()
    >>> reader.feed('<article><section id="a"><h2>Joins</h2><p>Two <em>ta</em>bles.</p></section>')
    >>> [entry.row(0) for entry in reader.entries]
    [[0, 'a', 'section', 'Joins', 'Two tables.']]
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.entries: list[Entry] = []
        self.open: list[tuple[str, list | None]] = []  # tags, and where their text goes
        self.defined: list[Entry] = []  # terms or helpers that wait for what is said about them

    def handle_starttag(self, tag: str, attributes: list) -> None:
        """Go into an element; where its text goes is decided here."""
        found = dict(attributes)
        if tag in VOID:
            self._say(found.get("alt") or " ")
        elif self.open or tag == "article":
            gap = "" if tag in INLINE and "classifier" not in (found.get("class") or "") else " "
            self._say(gap)
            self.open.append((tag, self._place(tag, found)))
            self._say(gap)

    def _place(self, tag: str, found: dict) -> list[list[str]] | None:
        """The lists that take the text of an element; None where it is left out."""
        classes, anchor = set((found.get("class") or "").split()), found.get("id") or ""
        outer = self.open[-1][1] if self.open else []
        if outer is None or tag in ASIDE_TAGS or classes & ASIDE:
            return None
        if tag == "section" and anchor and anchor not in BOXES:
            return [self._begin(SECTION, anchor).text]
        if tag == "figure" and anchor:
            return [self._begin(FIGURE, anchor).text]
        if tag == "figcaption" and self.entries and self.entries[-1].kind == FIGURE:
            return [self.entries[-1].title]
        if tag in HEADINGS and self.entries and not self.entries[-1].title:
            return [self.entries[-1].title]
        if tag == "dt" and (anchor.startswith("term-") or "sig" in classes) and anchor:
            entry = self._begin(TERM if anchor.startswith("term-") else HELPER, anchor)
            self.defined.append(entry)
            if entry.kind == HELPER:
                entry.title.append(anchor.removeprefix("carebook."))
                return [entry.text]
            return [entry.title]
        if tag == "dd" and self.defined:
            waiting, self.defined = self.defined, []
            return [entry.text for entry in waiting]
        return outer

    def _begin(self, kind: str, anchor: str) -> Entry:
        self.entries.append(Entry(kind, anchor))
        return self.entries[-1]

    def handle_endtag(self, tag: str) -> None:
        """Go out of an element."""
        if any(name == tag for name, _ in self.open):
            while self.open.pop()[0] != tag:
                pass
            self._say("" if tag in INLINE else " ")

    def handle_data(self, data: str) -> None:
        """Keep a piece of text."""
        self._say(data)

    def _say(self, text: str) -> None:
        if self.open and text:
            for place in self.open[-1][1] or ():
                place.append(text)


def entries_of(html: str) -> Iterator[Entry]:
    """The entries of a page; its first one stands for the page and leads to its top."""
    reader = Reader()
    reader.feed(html)
    for number, entry in enumerate(reader.entries):
        if number == 0:
            entry.anchor = ""
        yield entry


def write(app: Sphinx, problem: Exception | None) -> None:
    """Write the index beside the other scripts, once all pages are there."""
    if problem is not None or app.builder.name != "html":
        return
    pages, rows = [], []
    for docname in shell.reading_order(app.env):
        address = app.builder.get_target_uri(docname)
        number = app.env.toc_secnumbers.get(docname, {}).get("", ())
        title = " ".join([*(f"{n}." for n in number), app.env.titles[docname].astext()])
        html = Path(app.outdir, address).read_text(encoding="utf-8")
        rows += [entry.row(len(pages)) for entry in entries_of(html)]
        pages.append([address, title])
    content = json.dumps({"pages": pages, "entries": rows}, ensure_ascii=False)
    target = Path(app.outdir, "_static", FILE)
    target.write_text(f"window.carebookSearch = {content};\n", encoding="utf-8")


def search_page(app: Sphinx):
    """The page that shows what was found."""
    yield "search", {}, "search.html"


def no_other_index(app: Sphinx) -> None:
    """Keep Sphinx from making an index of its own."""
    app.builder.search = False


def setup(app: Sphinx) -> None:
    """Add the page, and write the index when the pages are done."""
    app.connect("builder-inited", no_other_index)
    app.connect("html-collect-pages", search_page)
    app.connect("build-finished", write)
