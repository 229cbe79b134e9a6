"""Builds the website from the executed chapters; a success is stamped, a failure leaves nothing.

Jupyter Book reads the chapters' outputs from Jupyter's execution cache, which is filled here with
the runs of `execution`. That cache knows a chapter by its code alone, so it is emptied before.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import gates
import guard
import javascript
import lite
import running
from execution import Outcome, execute, kept_notebook, print_failures, with_outputs
from layout import Book, file_hash, text_hash, tree_files, tree_hash, working_alone

#: What Sphinx prints when it complains: a file and a line, or just the level.
COMPLAINT = re.compile(r"\b(WARNING|ERROR|CRITICAL|SEVERE)\b")


class BuildFailed(Exception):
    """The website was not built; what was wrong has been printed, the message says what to do."""


def _made(browser: _InBackground, say) -> bool:
    """Whether the browser edition is there; what was wrong is printed."""
    try:
        browser.join()
    except lite.LiteProblem as problem:
        say(f"  The website goes without Python in the browser: {problem}")
        return False
    return True


def site_key(book: Book, for_browsers: bool) -> str:
    """A hash of everything that the website is made from, the chapters' runs included."""
    pages = [*tree_files(book.root / "book"), *book.chapters()]
    names = ("_config.yml", "_toc.yml", "requirements.txt", "CHANGELOG.md")
    settings = [book.root / name for name in names]
    helpers = tree_hash(book.notebooks / "carebook")
    runs = [file_hash(kept_notebook(book, chapter)) for chapter in book.chapters()]
    named = [f"{path.relative_to(book.root).as_posix()}:{file_hash(path)}" for path in pages]
    return text_hash(
        *named,
        *map(file_hash, settings),
        helpers,
        *runs,
        javascript.staging_key(),
        lite.key(book) if for_browsers else "not for browsers",
        sys.version,
    )


def _stamp(book: Book) -> Path:
    return book.work / "site.json"


def is_up_to_date(book: Book, for_browsers: bool = False) -> bool:
    """Whether the website in place is the one that the present sources give."""
    try:
        stamp = json.loads(_stamp(book).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return stamp.get("key") == site_key(book, for_browsers) and (book.html / "index.html").exists()


def build(book: Book, say=print, *, for_browsers: bool = False) -> list[Outcome]:
    """Execute what is stale, build the website where something changed, and hold it to the gates.

    Parameters
    ----------
    for_browsers : bool, default False
        Whether the website brings the edition that runs in a reader's browser (`lite`). Where
        that can't be made, the website says nothing of it, and what was wrong is printed.

    Raises
    ------
    BuildFailed
        When a source file, a chapter, a page or an image fails; details have been printed.
    """
    with working_alone(book, say):
        try:
            return _build(book, say, for_browsers)
        except Exception:
            remove_traces(book)
            raise


def _build(book: Book, say, for_browsers: bool) -> list[Outcome]:
    refuse(gates.source_findings(book), "notebooks", say)
    staging = _InBackground(javascript.stage, book.work, say)
    browser = _InBackground(lite.build, book, say) if for_browsers else None
    outcomes = execute(book, say)
    staging.join()
    for_browsers = browser is not None and _made(browser, say)
    if not all(outcome.passed for outcome in outcomes):
        print_failures(outcomes, book, say)
        raise BuildFailed("Mend the cell that the traceback names, then run it again.")
    if is_up_to_date(book, for_browsers):
        say("Pages: up to date")
        return outcomes
    key, started = site_key(book, for_browsers), time.monotonic()
    say("Building the pages")
    remove_traces(book)
    real = guard.real_sources(book)
    watch = guard.guard_of(book, real)
    fill_cache(book, watch, say)
    told = {**guard.environment(real), running.FOR_BROWSERS: "yes" if for_browsers else ""}
    run_sphinx(book, say, told)
    if for_browsers:
        lite.publish(book)
    refuse(gates.page_findings(book.html), "pages", say)
    if watch:
        refuse(guard.findings(book.html, watch), "places where records are shown", say)
    _stamp(book).write_text(json.dumps({"key": key}), encoding="utf-8")
    say(f"  {len(book.pages())} pages in {time.monotonic() - started:.0f} s")
    return outcomes


def refuse(findings: list[gates.Finding], what: str, say=print) -> None:
    """Print the findings and stop the build when there are any."""
    if findings:
        for finding in findings:
            say(f"  {finding}")
        raise BuildFailed(f"Mend the {what} named above ({len(findings)} in all), then run again.")


def remove_traces(book: Book) -> None:
    """Remove the website and all that a later build could take for a success."""
    _stamp(book).unlink(missing_ok=True)
    for name in ("html", ".doctrees", ".jupyter_cache", "jupyter_execute"):
        shutil.rmtree(book.work / name, ignore_errors=True)


def fill_cache(book: Book, watch: guard.Guard | None = None, say=print) -> None:
    """Put the executed chapters into the cache that Jupyter Book looks them up in.

    Outputs that show real records are taken out on the way.
    """
    from jupyter_cache import get_cache
    from jupyter_cache.base import CacheBundleIn

    cache = get_cache(book.work / ".jupyter_cache")
    for chapter in book.chapters():
        notebook = with_outputs(chapter, kept_notebook(book, chapter))
        if watch:
            guard.say_redacted(chapter.stem, guard.redacted(notebook, watch), say)
        cache.cache_notebook_bundle(
            CacheBundleIn(notebook, str(chapter)), check_validity=False, overwrite=True
        )


def run_sphinx(book: Book, say=print, environ: dict[str, str] | None = None) -> None:
    """Run Jupyter Book so that a warning or an unresolved reference fails, and tell them all."""
    command = Path(__file__).with_name("sphinx_run.py")
    built = subprocess.run(
        [sys.executable, str(command), "build", str(book.root)]
        + ["--path-output", str(book.work.parent), "-W", "-n", "--keep-going"],
        cwd=book.root,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    log = book.work / "site.log"
    log.write_text(built.stdout, encoding="utf-8")
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in built.stdout.splitlines()]
    complaints = [line for line in lines if COMPLAINT.search(line)]
    if "Executing notebook" in built.stdout:
        complaints.append("A chapter was executed again while building: the cache missed it.")
    if built.returncode or complaints:
        for line in complaints or lines[-20:]:
            say(f"  {line.replace(str(book.root) + '/', '')}")
        raise BuildFailed(
            f"Mend what is named above ({len(complaints)} messages; the whole log: "
            f"{log.relative_to(book.root)}), then run again."
        )


class _InBackground(threading.Thread):
    """Runs a step beside others; `join` raises what the step raised."""

    def __init__(self, step, *arguments) -> None:
        super().__init__(daemon=True)
        self.step, self.arguments, self.problem = step, arguments, None
        self.start()

    def run(self) -> None:
        try:
            self.step(*self.arguments)
        except Exception as problem:  # handed on by join
            self.problem = problem

    def join(self, timeout: float | None = None) -> None:
        super().join(timeout)
        if self.problem is not None:
            raise self.problem


def serve(folder: Path, port: int, say=print) -> None:
    """Serve the website on this machine until it is interrupted."""
    import functools
    import http.server
    import sys

    class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, request, client_address):
            """Tell of what went wrong, unless a page was closed while it still loaded."""
            if not isinstance(sys.exc_info()[1], ConnectionError):
                super().handle_error(request, client_address)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def send_error(self, code, message=None, explain=None):
            """Show the book's own page for an address that isn't there."""
            page = folder / "404.html"
            if code != 404 or not page.exists():
                return super().send_error(code, message, explain)
            content = page.read_bytes()
            self.send_response(404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

    handler = functools.partial(Handler, directory=str(folder))
    try:
        server = Server(("127.0.0.1", port), handler)
    except OSError as problem:
        say(f"Port {port} can't be had ({problem.strerror}); taking another one.")
        server = Server(("127.0.0.1", 0), handler)
    with server:
        say(f"The book is at http://127.0.0.1:{server.server_port}/ (stop it with Ctrl+C)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("")
