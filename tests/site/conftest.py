"""The built website on a local file server, and a headless Chromium to open it with."""

import contextlib
import functools
import http.server
import sys
import threading
from pathlib import Path

import pytest
from chromium import chromium_of_the_machine
from layout import Book
from pages import is_up_to_date

ROOT = Path(__file__).resolve().parents[2]
LARGE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


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


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address) -> None:
        """Tell of what went wrong, unless a page was closed while it still loaded."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


@contextlib.contextmanager
def served(folder: Path):
    """The address of a plain file server for a folder."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with _Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def html():
    """The folder of the built website, which must be the one of the present sources."""
    book = Book.at(ROOT)
    if not (is_up_to_date(book, for_browsers=True) or is_up_to_date(book)):
        pytest.fail(
            "The website is not the present sources': run `make book` first.", pytrace=False
        )
    return book.html


@pytest.fixture(scope="session")
def site(html):
    """The address of the built website on a plain file server."""
    with served(html) as address:
        yield address


@pytest.fixture(scope="session")
def site_below(html):
    """The address of the built website below a folder of the server, as beside other sites."""
    with served(html.parent) as address:
        yield f"{address}/{html.name}"


@pytest.fixture
def serve():
    """Serve a folder while the test runs, and return its address."""
    with contextlib.ExitStack() as stack:
        yield lambda folder: stack.enter_context(served(folder))


class Visit:
    """A page that was opened, with every request and everything that went wrong meanwhile."""

    def __init__(self, browser, address: str, viewport: dict, **options):
        self.context = browser.new_context(viewport=viewport, **options)
        self.page = self.context.new_page()
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.host = address.split("/")[2] if address.startswith("http") else ""
        self.page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        self.page.on("requestfailed", lambda r: self.problems.append(f"request failed: {r.url}"))
        self.page.on("response", self._look)
        self.page.on("request", lambda request: self._ask(request.url))
        self.page.on("console", self._listen)
        self.go(address)

    def go(self, address: str) -> None:
        """Open an address in the same window."""
        self.page.goto(address, wait_until="load")

    def _look(self, response) -> None:
        if response.status >= 400:
            self.problems.append(f"{response.status}: {response.url}")

    def _ask(self, url: str) -> None:
        self.requests.append(url)
        if url.startswith(("http:", "https:", "ws:", "wss:")) and url.split("/")[2] != self.host:
            self.problems.append(f"another host is asked: {url}")

    def _listen(self, message) -> None:
        # The widgets' own library warns about its own schema.
        if message.type in ("error", "warning") and "strict mode" not in message.text:
            self.problems.append(f"console: {message.text}")

    def wait_for_widgets(self) -> None:
        """Wait until the widgets of the page stand in their places."""
        self.see_everything()
        self.page.wait_for_function(
            """() => [...document.querySelectorAll(".widget-place")]
                .every(place => place.querySelector(".jupyter-widgets, .cb-tool"))"""
        )
        self.page.evaluate("scrollTo({top: 0, behavior: 'instant'})")

    def see_everything(self) -> None:
        """Scroll through the page, so that what loads late is loaded."""
        self.page.evaluate(
            """async () => {
                for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
                    scrollTo({top: y, behavior: "instant"});
                    await new Promise(requestAnimationFrame);
                }
                scrollTo({top: 0, behavior: "instant"});
                await Promise.all([...document.images].map(image => image.decode()));
            }"""
        )


@pytest.fixture
def visit(browser):
    """Open an address, and close what was opened."""
    opened = []

    def go(address: str, viewport: dict = LARGE, **options) -> Visit:
        opened.append(Visit(browser, address, viewport, **options))
        return opened[-1]

    yield go
    for each in opened:
        each.context.close()
