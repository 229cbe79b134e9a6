"""Finds results that were typed into the text instead of computed.

The chapters are run on two different corpora. A number that one run shows and the other doesn't is
a result of the data; where the text states that number, the text would be wrong on the next data
set. Numbers are compared by value: 0.50, .5 and 50 % are one number, 1,000 and 1000 too, and the
sign is left out ("0.3 lower" states -0.3).

Not looked at in the text: code, link targets, addresses, roles (citations, references, terms),
directive options, numbers of lists, chapters, figures, versions and the like, durations, years,
identifiers such as 0007, and 0 and 1. A number that happens to equal a result, and isn't one, is
named in a comment of the same cell or section: ``<!-- not a result: 0.05, 95 % -->``.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path

import nbformat
from execution import execute, kept_notebook, read_notebook, surroundings
from gates import Finding
from layout import Book

ADVICE = (
    "Let a result cell write the sentence (carebook.results), or, if the number is no result, "
    "put `<!-- not a result: {token} -->` beside it."
)

NUMBER = re.compile(
    r"""
    (?<![\w.,:/#]) (?<![A-Za-z][-‐‑])       # not inside a word, a version, a path, "BFI-10"
    (?P<digits> \d{1,3}(?:[,\u00a0\u202f]\d{3})+(?:\.\d+)? | \d+(?:\.\d+)? | \.\d+ )
    (?P<percent> [\s\u00a0\u202f]? (?:%|per[ ]cent\b) )?
    (?! [\w/] | [.,:]\d | [-‐‑][A-Za-z] )
    """,
    re.VERBOSE,
)
YEAR = re.compile(r"(1[5-9]|20)\d\d")
NAMED = re.compile(
    r"\b(?:chapters?|sections?|figures?|tables?|exercises?|equations?|parts?|steps?|questions?|"
    r"pages?|seeds?|versions?|Python|pandas|numpy|Pyodide|WCAG|BY|level|line|Study|Experiment)"
    r"\s+\d+(?:\.\d+)*(?:\s*(?:,|and|to|or|–|-)\s*\d+(?:\.\d+)*)*",
    re.IGNORECASE,
)
DURATION = re.compile(
    r"\b\d+(?:\s*(?:-|–|to|or)\s*\d+)?\s*(?:seconds?|minutes?|min|hours?|weeks?)\b"
)
#: The ends of most scales; no text can do without them.
ENDS = {Decimal(0), Decimal(1)}
ALLOWED = re.compile(r"<!--\s*not a result:(.*?)-->", re.DOTALL)

#: What isn't read in Markdown, in this order; each match becomes a blank.
UNREAD = [
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(
        r"^(`{3,}|~{3,})(?!\{).*?^\1", re.DOTALL | re.MULTILINE
    ),  # code; directives are text
    re.compile(
        r"^(`{3,}|~{3,})\{(?:code|eval-rst|math|bibliography).*?^\1", re.DOTALL | re.MULTILINE
    ),
    re.compile(r"\{[\w:.-]+\}`[^`]*`"),  # roles
    re.compile(r"^\s*[`~:]{3,}(?:\{[\w:.-]+\})?", re.MULTILINE),  # a directive's fence
    re.compile(r"(?<!`)(`{1,2})(?!`).+?(?<!`)\1(?!`)", re.DOTALL),  # code in a line
    re.compile(r"\]\([^)]*\)"),  # link targets
    re.compile(r"<[^>\n]+>"),  # tags, addresses
    re.compile(r"\bhttps?://\S+|\bdoi:\S+|\b10\.\d{4,}/\S+"),
    re.compile(r"^\s*:[\w-]+:.*$|^\([\w-]+\)=\s*$|^\s*\[[^\]]+\]:.*$", re.MULTILINE),
    re.compile(r"^\s*(?:>\s*)*\d+[.)](?=\s)", re.MULTILINE),  # list numbers
    re.compile(r"^#+\s+\d+(?:\.\d+)*\.?(?=\s)", re.MULTILINE),
    NAMED,
    DURATION,
]


def values(match: re.Match) -> set[Decimal]:
    """The values that a number may stand for; a percentage also stands for its share."""
    plain = Decimal(re.sub(r"[,\u00a0\u202f]", "", match["digits"])).normalize()
    return {plain, (plain / 100).normalize()} if match["percent"] else {plain}


def is_label(match: re.Match) -> bool:
    """Whether a number is a year or an identifier such as 0007."""
    digits, following = match["digits"], match.string[match.end() : match.end() + 1]
    leading_zero = len(digits) > 1 and digits[0] == "0" and digits[1] != "."
    year = YEAR.fullmatch(digits) and not match["percent"] and following != "%"
    return bool(leading_zero or year)


def numbers(text: str) -> Iterator[tuple[str, set[Decimal]]]:
    """The numbers of a text, each as written and as values."""
    for match in NUMBER.finditer(text):
        if not is_label(match):
            yield match.group().strip(), values(match)


def numbers_in_markdown(text: str) -> list[tuple[str, set[Decimal]]]:
    """The numbers that Markdown source states as text, without those named as no results."""
    allowed = set()
    for comment in ALLOWED.finditer(text):
        for _, found in numbers(comment[1]):
            allowed |= found
    for pattern in UNREAD:
        text = pattern.sub(" ", text)
    return [(token, found) for token, found in numbers(text) if not found & (allowed | ENDS)]


def results(notebook: nbformat.NotebookNode) -> set[Decimal]:
    """The values of all numbers that an executed notebook shows."""
    found: set[Decimal] = set()
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            for text in output_texts(output):
                for match in NUMBER.finditer(text):
                    found |= values(match)
    return found


def output_texts(output: nbformat.NotebookNode) -> Iterator[str]:
    """The texts that a reader sees of one output: printed, tables, paragraphs, alt texts."""
    if output.output_type == "stream":
        yield output.text
    data = output.get("data", {})
    for kind in ("text/plain", "text/markdown"):
        if kind in data:
            yield data[kind]
    if "text/html" in data:
        page = re.sub(r"<(style|script)\b.*?</\1>", " ", data["text/html"], flags=re.DOTALL)
        yield html.unescape(re.sub(r"<[^>]*>", " ", page))
    for details in output.get("metadata", {}).values():
        if isinstance(details, dict) and isinstance(details.get("alt"), str):
            yield details["alt"]


def markdown_sources(book: Book) -> Iterator[tuple[Path, str, str]]:
    """File, place and text of all Markdown: cells, captions and pages."""
    for chapter in book.chapters():
        for number, cell in enumerate(read_notebook(chapter).cells, start=1):
            place = f"cell {number} ({cell.get('id', 'no id')})"
            if cell.cell_type == "markdown":
                yield chapter, place, cell.source
            elif cell.cell_type == "code":
                figure = cell.metadata.get("mystnb", {}).get("figure", {})
                if figure.get("caption"):
                    yield chapter, f"{place}, caption", figure["caption"]
    for page in book.pages():
        path = book.root / f"{page}.md"
        if path.exists():
            for number, block in enumerate(re.split(r"(?m)^(?=#+ )", path.read_text("utf-8"))):
                yield path, f"section {number}", block


def findings(
    sources: Iterable[tuple[str, str, str]],
    one: dict[str, set[Decimal]],
    other: dict[str, set[Decimal]],
) -> list[Finding]:
    """Numbers of the text that are a result of one corpus and not of the other.

    Parameters
    ----------
    sources : iterable of (file, place, text)
        The Markdown. A chapter's text is compared with that chapter's results and with those of
        all chapters together; a page's text with the latter.
    one, other : mapping of file to values
        The results of each chapter under the two corpora.
    """
    together = set().union(*one.values()) ^ set().union(*other.values())
    found = []
    for file, place, text in sources:
        differing = together | (one.get(file, set()) ^ other.get(file, set()))
        for token, stated in numbers_in_markdown(text):
            if stated & differing:
                found.append(
                    Finding(
                        file,
                        place,
                        f"{token!r} is typed, and it equals a result that changes with the data",
                        ADVICE.format(token=token),
                    )
                )
    return found


def other_book(book: Book) -> Book:
    """The same book with its results for another corpus in a folder of their own."""
    work = book.work / "other-corpus"
    data = work / "data"
    return Book(
        book.root,
        work,
        {"CAREBENCH_DATA": str(data), "IMBUE_DATA": str(data / "imbue.csv")},
    )


def make_other_corpus(book: Book, command: list[str], run) -> None:
    """Write the other corpus, unless the one in place was made by the same code."""
    other = other_book(book)
    data = Path(other.sources["CAREBENCH_DATA"])
    stamp, key = other.work / "data.txt", surroundings(Book(book.root, book.work))
    if stamp.exists() and stamp.read_text(encoding="utf-8") == key:
        return
    data.mkdir(parents=True, exist_ok=True)
    run([*command, str(data)])
    stamp.write_text(key, encoding="utf-8")


def compare(book: Book, say=print) -> tuple[list, list[Finding]]:
    """Run the chapters on the other corpus and compare: the outcomes, and the typed results."""
    other = other_book(book)
    outcomes = execute(other, say)
    if not all(outcome.passed for outcome in outcomes):
        return outcomes, []
    shown = [
        {
            chapter.relative_to(book.root).as_posix(): results(
                read_notebook(kept_notebook(each, chapter))
            )
            for chapter in book.chapters()
        }
        for each in (book, other)
    ]
    sources = (
        (path.relative_to(book.root).as_posix(), place, text)
        for path, place, text in markdown_sources(book)
    )
    return outcomes, findings(sources, *shown)
