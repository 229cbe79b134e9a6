"""Each term of the glossary, and each entry of the bibliography, is used by a page or a chapter."""

import json
import re
from pathlib import Path

import pytest
from layout import Book

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY, BIBLIOGRAPHY = ROOT / "book" / "glossary.md", ROOT / "book" / "references.bib"


def terms(glossary: str) -> list[str]:
    """The terms that a glossary defines, in small letters."""
    blocks = re.findall(r"^```\{glossary\}\n(.*?)^```", glossary, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [line.lower() for line in lines if line and not line.startswith(" ")]


def linked_terms(text: str) -> set[str]:
    """The terms that a text links to, also from a string in code, where braces are doubled."""
    found = set()
    for role in re.findall(r"\{\{?term\}?\}`([^`]+)`", text):
        words = " ".join(role.replace('"', " ").split())
        explicit = re.search(r"<\s*(.+?)\s*>$", words)
        found.add((explicit[1] if explicit else words).lower())
    return found


def cited(text: str) -> set[str]:
    """The entries that a text cites."""
    roles = re.findall(r"\{\{?cite(?::\w+)?\}?\}`([^`]+)`", text)
    return {key.strip() for role in roles for key in role.split(",")}


def texts() -> list[str]:
    """All pages and chapters of the book, but not the glossary."""
    found = []
    for page in Book.at(ROOT).pages():
        path = ROOT / f"{page}.md"
        if path.exists() and path != GLOSSARY:
            found.append(path.read_text(encoding="utf-8"))
    for chapter in Book.at(ROOT).chapters():
        cells = json.loads(chapter.read_text(encoding="utf-8"))["cells"]
        found += ["".join(cell["source"]) for cell in cells]
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a {term}`gap` here", {"gap"}),
        ("{term}`Both gaps <gap>`", {"gap"}),
        ("{term}`tidy\n  table`", {"tidy table"}),
        ('f"the {{term}}`leak`"', {"leak"}),
        ('"{{term}}`missing values "\n    f"<missing value>`"', {"missing value"}),
        ("a gap, `term` and {doc}`gap`", set()),
    ],
)
def test_links_to_terms_are_found_in_text_and_code(text, found):
    assert linked_terms(text.replace('f"', '"')) == found


def test_entries_are_found_in_each_form_of_citing():
    assert cited("{cite:p}`a2020,b2021` and {cite:t}`c` {cite}`d`") == {"a2020", "b2021", "c", "d"}


def test_terms_are_the_lines_that_stand_out():
    text = "```{glossary}\nBig Five\n  Five traits.\n\ngap\n  A {term}`x`.\n```\n"
    assert terms(text) == ["big five", "gap"]


def test_each_term_of_the_glossary_is_linked_from_a_page_or_a_chapter():
    linked = set().union(*map(linked_terms, texts()))
    unused = {term for term in terms(GLOSSARY.read_text("utf-8")) if term not in linked}
    assert unused == set(), "link each at its first use, or take it out"


def test_each_entry_of_the_bibliography_is_cited_and_each_citation_has_one():
    entries = re.findall(r"^@\w+\{([^,\s]+)", BIBLIOGRAPHY.read_text("utf-8"), re.MULTILINE)
    used = set().union(*map(cited, texts()))
    assert len(set(entries)) == len(entries)
    assert set(entries) - used == set(), "cite each, or take it out"
    assert used - set(entries) == set(), "these are cited and have no entry"
