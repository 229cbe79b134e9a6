"""How heavy the pages are, and how soon they can be read; `make bench` runs this.

Each page is opened in headless Chromium with an empty cache, on the website as we build it and on
the same pages built with Jupyter Book's stock configuration. The stock site asks other hosts for
some of its scripts: they are left unanswered, and not counted.

* own: the page's HTML, before compression.
* first view: everything that the browser asks for until the page stands, compressed as a server
  does.
* readable: from the request to the first text on the screen (first contentful paint), the median
  of the rounds, on a slow phone's processor (six times slower) and a connection of 1.6 Mbit/s.
"""

from __future__ import annotations

import functools
import gzip
import http.server
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "book" / "ext"), str(ROOT / "tests" / "bench")]

import pages
from bench_build import fresh_copy
from chromium import chromium_of_the_machine
from layout import Book
from playwright.sync_api import sync_playwright

ROUNDS = 3
SLOWER = 6
CONNECTION = {"offline": False, "latency": 150, "downloadThroughput": 200_000}
TARGETS = {"own": 150, "first view": 350}
#: What the stock configuration doesn't have; the book's own extension stays, for its directives.
OURS = ("html_theme", "html_theme_options", "nb_ipywidgets_js", "mathjax_path")


class _Packed(http.server.SimpleHTTPRequestHandler):
    """A file server that compresses text, as servers do."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        content = packed(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        if path.suffix in TEXT:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, address) -> None:
        """A browser that closes a connection is no error."""


TEXT = {".html", ".css", ".js", ".svg", ".json"}


@functools.cache
def packed(path: Path) -> bytes:
    """A file as it is sent."""
    content = path.read_bytes()
    return gzip.compress(content) if path.suffix in TEXT else content


def measure(browser, html: Path, name: str) -> dict[str, float]:
    """Weights in kB and the time to text in ms of one page."""
    handler = functools.partial(_Packed, directory=str(html))
    with _Server(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        asked, times = set(), []
        for _ in range(ROUNDS):
            context = browser.new_context(viewport={"width": 390, "height": 844})
            page = context.new_page()
            tools = context.new_cdp_session(page)
            tools.send("Network.emulateNetworkConditions", {**CONNECTION, "uploadThroughput": -1})
            tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            page.route(
                lambda url, own=address: not url.startswith(own), lambda route: route.abort()
            )
            page.on("request", lambda request: asked.add(request.url))
            page.goto(f"{address}/{name}.html", wait_until="load")
            times.append(
                page.evaluate(
                    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"
                )
            )
            context.close()
        server.shutdown()
    files = {html / unquote(urlsplit(url).path).lstrip("/") for url in asked if address in url}
    return {
        "own": (html / f"{name}.html").stat().st_size / 1000,
        "first view": sum(len(packed(file)) for file in files if file.is_file()) / 1000,
        "readable": statistics.median(times),
    }


def stock_site(folder: Path) -> Path:
    """The same pages with the executed chapters, in Jupyter Book's own look and configuration."""
    copy = fresh_copy(folder)
    settings = yaml.safe_load((copy / "_config.yml").read_text(encoding="utf-8"))
    for name in OURS:
        settings["sphinx"]["config"].pop(name, None)
    (copy / "_config.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    extension = copy / "book" / "ext" / "carebook_pages.py"
    text = extension.read_text(encoding="utf-8")
    # The directives stay, since the pages use them; the website's own steps go.
    text = text.replace(
        "(shell, folding, markup, overviews, quiz, sharing, terms)", "(overviews, quiz)"
    )
    extension.write_text(text.replace("silence(app, *SILENCED)", "pass"), encoding="utf-8")
    built = Book.at(ROOT)
    copied = Book(copy, copy / "_build", built.sources)
    for file in (built.work / "chapters").iterdir():
        target = copied.work / "chapters" / file.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.read_bytes())
    pages.fill_cache(copied)
    command = "from jupyter_book.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", command, "build", "."], cwd=copy, capture_output=True, text=True
    )
    if not (copied.html / "index.html").exists():
        raise SystemExit(f"The stock build failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return copied.html


def main() -> None:
    """Measure a text page and the chapters, and print them beside the targets."""
    book = Book.at(ROOT)
    if not pages.is_up_to_date(book):
        raise SystemExit("The website is not the present sources': run `make book` first.")
    names = ["book/how-to-read", *(name for name in book.pages() if "notebooks/" in name)]
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        theirs = stock_site(Path(temporary, "stock"))
        browser = playwright.chromium.launch(executable_path=chromium_of_the_machine())
        print(f"{'':34}{'own HTML':>16}{'first view':>18}{'readable':>18}")
        print(f"{'':34}{'ours   stock':>16}{'ours   stock':>18}{'ours   stock':>18}")
        missed = []
        for name in names:
            mine, stock = measure(browser, book.html, name), measure(browser, theirs, name)
            print(
                f"{name:34}{mine['own']:7.0f}{stock['own']:7.0f} kB"
                f"{mine['first view']:9.0f}{stock['first view']:7.0f} kB"
                f"{mine['readable']:9.0f}{stock['readable']:7.0f} ms",
                flush=True,
            )
            missed += [f"{name}: {part}" for part, most in TARGETS.items() if mine[part] > most]
        browser.close()
    print(f"targets: {', '.join(f'{part} at most {most} kB' for part, most in TARGETS.items())}")
    print(f"MISSED: {'; '.join(missed)}" if missed else "All targets are met.")


if __name__ == "__main__":
    main()
