"""Links: those between the repository's own files, and those that lead out of the website.

`inside_findings` needs nothing built and takes a second: a relative link or a ``{doc}`` role must
name a file that is there. Labels and terms are left to Sphinx, which knows them all. The outside
check opens every address that the built pages link to; it needs the network, so only ``make links``
runs it.
"""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

from execution import read_notebook
from gates import Finding
from layout import tree_files

#: Folders that hold Markdown although they are hidden.
HIDDEN = (".github",)
CODE = re.compile(r"^(`{3,}|~{3,})(?!\{).*?^\1|(?<!`)`[^`\n]+`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s+(\S+)", re.MULTILINE)
DOC = re.compile(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`")

#: Answers of a server that refuses programs but would show the page to a reader.
GUARDED = {401, 403, 405, 406, 418, 429, 999}
TRIES = 3
SECONDS = 30


def markdown_texts(root: Path) -> Iterator[tuple[Path, str, str]]:
    """File, place and text of the Markdown of all pages, notebooks and guides."""
    # The template's links hold where its copies go, beside the chapters.
    files = tree_files(root, leave_out=["ext"])
    for folder in HIDDEN:
        files += tree_files(root / folder)
    for path in files:
        if path.suffix == ".md":
            yield path, "text", path.read_text(encoding="utf-8")
        elif path.suffix == ".ipynb":
            for number, cell in enumerate(read_notebook(path).cells, start=1):
                if cell.cell_type == "markdown":
                    yield path, f"cell {number} ({cell.get('id', 'no id')})", cell.source


def is_outside(target: str) -> bool:
    """Whether a link leads to another host, a mail address or the like."""
    return bool(urlsplit(target).scheme) or target.startswith("//")


def exists(path: Path, target: str, root: Path) -> bool:
    """Whether a link in a file leads to a file of the repository; pages need no suffix."""
    name = unquote(urldefrag(target).url)
    start = root if name.startswith("/") else path.parent
    return any((start / (name.lstrip("/") + end)).exists() for end in ("", ".md", ".ipynb"))


def is_label(path: Path, target: str, root: Path) -> bool:
    """Whether a link in the book's text names a label instead of a file."""
    in_book = path.suffix == ".ipynb" or root / "book" in path.parents
    return in_book and not set(target) & set("./")


def inside_findings(root: Path) -> list[Finding]:
    """Relative links and ``{doc}`` roles whose file isn't there."""
    findings = []
    advice = "Name a file that is there, relative to this one."
    for path, place, text in markdown_texts(root):
        # A role looks like code in a line, so roles are looked for before code is left out.
        targets = DOC.findall(text)
        for link in LINK.finditer(CODE.sub(" ", text)):
            target = link[1] or link[2]
            if not (target.startswith("#") or is_outside(target) or is_label(path, target, root)):
                targets.append(target)
        name = path.relative_to(root).as_posix()
        findings += [
            Finding(name, place, f"the link to {target!r} is dead", advice)
            for target in targets
            if not exists(path, target, root)
        ]
    return findings


class _Addresses(HTMLParser):
    """Collects where a page's links lead."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list) -> None:
        address = dict(attrs).get("href") if tag == "a" else None
        if address and address.startswith(("http://", "https://")):
            self.found.add(urldefrag(address).url)


def outside_addresses(html: Path) -> dict[str, str]:
    """The addresses outside the website that its pages link to, each with one page that does."""
    pages: dict[str, str] = {}
    for path in tree_files(html, leave_out=["_static", "_sources", "_images"]):
        if path.suffix == ".html":
            parser = _Addresses()
            parser.feed(path.read_text(encoding="utf-8"))
            for address in parser.found:
                pages.setdefault(address, path.relative_to(html).as_posix())
    return dict(sorted(pages.items()))


def ask(address: str, wait: float = 5.0) -> str:
    """What is wrong with an address: empty when it answers, or refuses only programs."""
    problem = ""
    request = urllib.request.Request(address, headers={"User-Agent": "Mozilla/5.0 (link check)"})
    for attempt in range(TRIES):
        if attempt:
            time.sleep(wait * attempt)
        try:
            with urllib.request.urlopen(request, timeout=SECONDS):
                return ""
        except urllib.error.HTTPError as error:
            if error.code in GUARDED:
                return ""
            problem = f"answers {error.code}"
            if error.code in (404, 410):
                return problem
        except (OSError, ValueError) as error:
            problem = f"doesn't answer ({getattr(error, 'reason', error)})"
    return problem


def outside_findings(addresses: dict[str, str], ask=ask) -> list[Finding]:
    """The addresses that lead nowhere."""
    advice = "Link to where the page has moved, or to a copy that lasts (a DOI, an archive)."
    with ThreadPoolExecutor(max_workers=8) as pool:
        problems: Iterable[str] = pool.map(ask, addresses)
        return [
            Finding(page, address, problem, advice)
            for (address, page), problem in zip(addresses.items(), problems, strict=True)
            if problem
        ]
