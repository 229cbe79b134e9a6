"""Each page of the table of contents opens in a real browser as a reader expects it to."""

import gzip
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from layout import Book

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
BOOK = Book.at(ROOT)
PAGES = BOOK.pages()
CHAPTERS = [page for page in PAGES if page.startswith("notebooks/")]
ALL = [*PAGES, "search", "genindex", "404"]
AXE = ROOT / "_build" / "javascript" / "testing" / "axe.min.js"
LARGE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}

#: (rule, part of the element's selector or markup, why it is accepted).
ACCEPTED: list[tuple[str, str, str]] = []

#: A page may have put the focus somewhere; the walk begins before its first element all the same.
FROM_THE_TOP = """() => {
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
}"""
#: Notes what a reader can reach with the Tab key, in the order of the page, then each element that
#: gets the focus, and whether one can see that it has it.
WATCH = """() => {
  const reachable = [...document.querySelectorAll(
      "a[href], button, input, select, textarea, summary, [tabindex='0']")]
    .filter(e => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({visibilityProperty: true})
      && e.getClientRects().length)
    // The Tab key stops once at a group of radio buttons: at the one that is chosen, or the first.
    .filter((e, place, all) => e.type !== "radio" || e.checked || (
      !all.some(other => other.name === e.name && other.checked)
      && all.findIndex(other => other.name === e.name) === place));
  window.walked = [];
  document.addEventListener("focusin", event => {
    // A card that is a link as a whole shows the focus as a whole.
    const style = getComputedStyle(event.target.closest(".sd-card") ?? event.target);
    window.walked.push([reachable.indexOf(event.target),
      style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2]);
  });
  return reachable.map(element => element.outerHTML.slice(0, 120));
}"""


@pytest.mark.parametrize("name", ALL)
def test_a_page_opens_without_an_error_or_a_request_to_another_host(site, visit, name):
    opened = visit(f"{site}/{name}.html")
    opened.see_everything()
    assert opened.page.locator("article h1").count() == 1
    assert opened.problems == []


@pytest.mark.parametrize("name", ALL)
def test_a_page_opens_below_a_folder_of_a_server(site_below, visit, name):
    opened = visit(f"{site_below}/{name}.html")
    opened.see_everything()
    assert opened.problems == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_from_a_folder_without_a_server(html, visit, name):
    opened = visit((html / f"{name}.html").as_uri())
    opened.see_everything()
    assert opened.page.locator("article h1").count() == 1
    assert opened.problems == []


@pytest.mark.parametrize("name", ALL)
def test_a_page_fits_a_phone_without_sideways_scrolling(site, visit, name):
    page = visit(f"{site}/{name}.html", PHONE).page
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.evaluate("window.scrollTo(1000, 0)")
    assert page.evaluate("window.scrollX") == 0


@pytest.mark.parametrize("name", ALL)
def test_axe_finds_nothing_on_a_page_light_or_dark_wide_or_narrow(site, visit, name):
    opened = visit(f"{site}/{name}.html")
    opened.wait_for_widgets()
    page = opened.page
    page.add_script_tag(path=AXE)
    found = []
    for viewport in (LARGE, PHONE):
        page.set_viewport_size(viewport)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
            violations = page.evaluate("axe.run().then(results => results.violations)")
            found += [
                f"{viewport['width']} {scheme}: {violation['impact']} {violation['id']}: "
                f"{node['target']} {node['html'][:160]}"
                for violation in violations
                for node in violation["nodes"]
                if not any(
                    violation["id"] == rule and part in str(node["target"]) + node["html"]
                    for rule, part, _ in ACCEPTED
                )
            ]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("name", ALL)
def test_the_tab_key_reaches_everything_in_order_and_the_focus_is_seen(site, visit, name):
    opened = visit(f"{site}/{name}.html")
    opened.wait_for_widgets()
    page = opened.page
    page.evaluate(FROM_THE_TOP)
    reachable = page.evaluate(WATCH)
    for _ in reachable:
        page.keyboard.press("Tab")
    walked = page.evaluate("window.walked")
    assert [place for place, _ in walked] == list(range(len(reachable))), reachable
    assert [reachable[place] for place, seen in walked if not seen] == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_is_light_and_its_first_view_lighter(site, html, visit, name):
    own = (html / f"{name}.html").stat().st_size
    assert own <= 150_000
    first_view = visit(f"{site}/{name}.html").requests
    weight = sum(packed(html, address) for address in first_view)
    # A page with formulas adds MathJax, some 300 kB; the text is there before it.
    limit = 150_000 if not any("mathjax" in address for address in first_view) else 450_000
    assert weight <= limit, f"{weight} bytes: {first_view}"


def packed(html: Path, address: str) -> int:
    """The size of a file of the website as a server that compresses sends it."""
    path = html / unquote(urlsplit(address).path).lstrip("/")
    return len(gzip.compress(path.read_bytes())) if path.is_file() else 0


@pytest.mark.parametrize("name", CHAPTERS)
def test_nothing_moves_while_a_chapter_loads(site, visit, name):
    opened = visit(f"{site}/{name}.html", PHONE)
    opened.see_everything()
    shifts = opened.page.evaluate(
        """() => new Promise(done => new PerformanceObserver(list => done(
            list.getEntries().map(entry => [entry.value, ...entry.sources.map(
                ({node}) => node?.outerHTML?.slice(0, 200) ?? node?.textContent)])
        )).observe({type: "layout-shift", buffered: true}) || setTimeout(done, 200, []))"""
    )
    assert sum(value for value, *_ in shifts) < 0.01, shifts


def test_images_are_sized_late_and_offered_in_a_smaller_format(html):
    pictures = 0
    for name in CHAPTERS:
        text = (html / f"{name}.html").read_text(encoding="utf-8")
        for image in re.findall(r"<img [^>]*>", text):
            assert re.search(r'width="\d+"', image) and re.search(r'height="\d+"', image), image
            assert 'loading="lazy"' in image
        assert text.count("<picture>") == text.count('type="image/webp"')
        pictures += text.count("<picture>")
    assert pictures >= 5


def test_the_first_address_leads_to_the_first_page(html, site, visit):
    # Without an icon of its own, a page has the browser ask for one that isn't there, at times.
    assert '<link rel="icon"' in (html / "index.html").read_text(encoding="utf-8")
    opened = visit(f"{site}/")
    opened.page.wait_for_url(f"**/{PAGES[0]}.html")
    assert opened.problems == []


@pytest.mark.parametrize("name", CHAPTERS[:1])
def test_a_chapter_reads_in_order_without_style_and_script(site, visit, name):
    page = visit(f"{site}/{name}.html", java_script_enabled=False).page
    words = page.locator("body").inner_text()
    order = ["Skip to the text", "Contents", "Before you start", "On this page", "In this chapter"]
    places = [words.find(word) for word in order if word != "Contents"]
    assert places == sorted(places) and -1 not in places
    assert not page.locator(".needs-js").first.is_visible()


def test_reduced_motion_stops_smooth_scrolling(site, visit):
    page = visit(f"{site}/{CHAPTERS[0]}.html", reduced_motion="reduce").page
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    assert page.evaluate("document.getAnimations().length") == 0
