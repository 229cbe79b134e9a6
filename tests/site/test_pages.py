"""Each page of the table of contents opens in a real browser as a reader expects it to."""

from pathlib import Path

import pytest
from layout import Book

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
BOOK = Book.at(ROOT)
PAGES = BOOK.pages()
AXE = ROOT / "_build" / "javascript" / "testing" / "axe.min.js"
LARGE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}

#: (rule, part of the element's selector or markup, why it is accepted).
ACCEPTED = [
    (
        "label-content-name-mismatch",
        "theme-switch-button",
        "the button shows an icon and no words; its name says what it does",
    ),
]


class Visit:
    """A page that was opened, with everything that went wrong while it loaded."""

    def __init__(self, browser, address: str, viewport: dict, scheme: str = "light"):
        self.context = browser.new_context(viewport=viewport, color_scheme=scheme)
        self.page = self.context.new_page()
        self.problems: list[str] = []
        host = address.split("/")[2] if address.startswith("http") else ""
        self.page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        self.page.on("requestfailed", lambda r: self.problems.append(f"request failed: {r.url}"))
        self.page.on("response", self._look)
        self.page.on("request", lambda request: self._ask(request.url, host))
        self.page.on("console", self._listen)
        self.page.goto(address, wait_until="load")
        self.page.wait_for_load_state("networkidle")

    def _look(self, response) -> None:
        if response.status >= 400:
            self.problems.append(f"{response.status}: {response.url}")

    def _ask(self, url: str, host: str) -> None:
        if url.startswith(("http:", "https:", "ws:", "wss:")) and url.split("/")[2] != host:
            self.problems.append(f"another host is asked: {url}")

    def _listen(self, message) -> None:
        if message.type == "error":
            self.problems.append(f"console: {message.text}")


@pytest.fixture
def visit(browser):
    """Open an address, and close what was opened."""
    opened = []

    def go(address: str, viewport: dict = LARGE, scheme: str = "light") -> Visit:
        opened.append(Visit(browser, address, viewport, scheme))
        return opened[-1]

    yield go
    for each in opened:
        each.context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_without_an_error_or_a_request_to_another_host(site, visit, name):
    opened = visit(f"{site}/{name}.html")
    assert opened.page.locator("article h1").count() == 1
    assert opened.problems == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_phone_without_sideways_scrolling(site, visit, name):
    page = visit(f"{site}/{name}.html", PHONE).page
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.evaluate("window.scrollTo(1000, 0)")
    assert page.evaluate("window.scrollX") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_on_a_page(site, visit, name, scheme):
    page = visit(f"{site}/{name}.html", LARGE, scheme).page
    page.add_script_tag(path=AXE)
    violations = page.evaluate("axe.run().then(results => results.violations)")
    found = [
        f"{violation['impact']} {violation['id']}: {node['target']} {node['html'][:160]}"
        for violation in violations
        for node in violation["nodes"]
        if not any(
            violation["id"] == rule and part in str(node["target"]) + node["html"]
            for rule, part, _ in ACCEPTED
        )
    ]
    assert not found, "\n" + "\n".join(found)


def test_the_first_address_leads_to_the_first_page(site, visit):
    opened = visit(f"{site}/")
    opened.page.wait_for_url(f"**/{PAGES[0]}.html")
    assert opened.problems == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_from_a_folder_without_a_server(site, visit, name):
    opened = visit((BOOK.html / f"{name}.html").as_uri())
    assert opened.page.locator("article h1").count() == 1
    assert opened.problems == []
