"""The built website on a local file server, and a headless Chromium to open it with."""

import functools
import http.server
import os
import shutil
import sys
import threading
from pathlib import Path

import pytest
from layout import Book
from pages import is_up_to_date

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")
INSTALLED = {
    "darwin": [
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ],
    "win32": [
        r"{ProgramFiles}\Google\Chrome\Application\chrome.exe",
        r"{ProgramFiles(x86)}\Google\Chrome\Application\chrome.exe",
        r"{ProgramFiles(x86)}\Microsoft\Edge\Application\msedge.exe",
    ],
}


def chromium_of_the_machine() -> str | None:
    """The path of a Chromium, Chrome or Edge that is installed here."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    for pattern in INSTALLED.get(sys.platform, []):
        path = pattern
        for variable in ("ProgramFiles(x86)", "ProgramFiles"):
            path = path.replace(f"{{{variable}}}", os.environ.get(variable, ""))
        if Path(path).exists():
            return path
    return None


@pytest.fixture(scope="session")
def browser():
    """A headless browser: the machine's own, else the one that Playwright has downloaded."""
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        try:
            opened = playwright.chromium.launch(executable_path=chromium_of_the_machine())
        except Error as problem:
            reason = str(problem).splitlines()[0]
            pytest.skip(
                "no Chromium to open the website with: install Chromium or Chrome, or run "
                f"`playwright install chromium` ({reason})"
            )
        yield opened
        opened.close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def site():
    """The address of the built website, which must be the one of the present sources."""
    book = Book.at(ROOT)
    if not is_up_to_date(book):
        pytest.fail(
            "The website is not the present sources': run `make book` first.", pytrace=False
        )
    handler = functools.partial(_Quiet, directory=str(book.html))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
