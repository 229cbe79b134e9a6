"""The book as one PDF: its pages put together and printed by the machine's own Chromium.

The pages are the built ones, in the order of the contents, with the style for paper. A link
between pages becomes a link inside the document.
"""

from __future__ import annotations

import posixpath
import subprocess
from pathlib import Path
from urllib.parse import urldefrag

from bs4 import BeautifulSoup
from chromium import chromium_of_the_machine
from layout import Book

SECONDS = 180


class NotPrinted(Exception):
    """The PDF was not made; the message says what to do."""


def print_book(book: Book) -> Path:
    """Print the built website to ``_build/book.pdf``.

    Raises
    ------
    NotPrinted
        When there is no browser, or it fails.
    """
    browser = chromium_of_the_machine()
    if browser is None:
        raise NotPrinted(
            "No Chromium, Chrome or Edge was found to print with. Install one, then run "
            "`make pdf` again; or open a page and print it from your own browser."
        )
    whole = book.html / "whole-book.html"
    target = book.work / "book.pdf"
    target.unlink(missing_ok=True)
    whole.write_text(put_together(book), encoding="utf-8")
    try:
        done = subprocess.run(
            [browser, "--headless", "--disable-gpu", "--no-sandbox"]
            + ["--no-pdf-header-footer", "--allow-file-access-from-files"]
            + ["--virtual-time-budget=60000", "--generate-pdf-document-outline"]
            + [f"--print-to-pdf={target}", whole.as_uri()],
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired as problem:
        raise NotPrinted(f"{browser} did not end in {SECONDS} s. Try again.") from problem
    finally:
        whole.unlink(missing_ok=True)
    if not target.exists():
        raise NotPrinted(f"{browser} printed nothing:\n{done.stderr[-1500:]}")
    return target


def put_together(book: Book) -> str:
    """All pages as one HTML document that lies in the website's root."""
    names = book.pages()
    head, bodies = None, []
    for name in names:
        page = BeautifulSoup(
            (book.html / f"{name}.html").read_text(encoding="utf-8"), "html.parser"
        )
        article = page.find("article")
        for tag in page.head.find_all("script", attrs={"data-mathjax": True}):
            tag["src"] = tag["data-mathjax"]
        make_local(article, name, set(names))
        bodies.append(f'<article class="printed-page">{article.decode_contents()}</article>')
        if head is None or "mathjax" in str(page.head):
            make_local(page.head, name, set())
            head = page.head
    for tag in head.find_all("script"):
        if "mathjax" not in str(tag).lower():
            tag.decompose()
    for sheet in head.find_all("link", media="print"):
        sheet["media"] = "all"
    return (
        f'<!DOCTYPE html>\n<html lang="en" data-colours="light">{head}<body>\n'
        + "\n".join(bodies)
        + "\n</body></html>\n"
    )


def make_local(tree, page: str, pages: set[str]) -> None:
    """Let the addresses and ids of a page hold from the website's root, beside other pages."""
    prefix = page.replace("/", "-")
    folder = posixpath.dirname(page)
    for tag in tree.find_all(id=True):
        tag["id"] = f"{prefix}--{tag['id']}"
    for name in ("href", "src", "srcset"):
        for tag in tree.find_all(attrs={name: True}):
            address, anchor = urldefrag(tag[name])
            if ":" in address or address.startswith("//"):
                continue
            target = posixpath.normpath(posixpath.join(folder, address)) if address else page
            known = target.removesuffix(".html").removesuffix("#") if address else page
            if known in pages:
                other = known.replace("/", "-")
                tag[name] = f"#{other}--{anchor}" if anchor else f"#{other}"
            elif address:
                tag[name] = target + (f"#{anchor}" if anchor else "")
    for tag in tree.find_all("img"):
        tag.attrs.pop("loading", None)
    for tag in tree.find_all("details"):
        tag["open"] = ""
        tag.attrs.pop("name", None)
    title = tree.find("h1")
    if title is not None:
        title["id"] = prefix
