"""What a self-paced reader uses on the website: search, definitions, ticks, colours, overviews."""

import json
import re
from pathlib import Path
from urllib.parse import urldefrag

import printing
import pytest
from bs4 import BeautifulSoup
from layout import Book

pytestmark = pytest.mark.slow

BOOK = Book.at(Path(__file__).resolve().parents[2])
CHAPTER = next(page for page in BOOK.pages() if page.startswith("notebooks/"))
LARGE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
TERM = "article a:has(.std-term)"


@pytest.fixture(params=["server", "folder"])
def address(request, html):
    """The first chapter's address, on a server and in a folder."""
    if request.param == "folder":
        return (html / f"{CHAPTER}.html").as_uri()
    return f"{request.getfixturevalue('site')}/{CHAPTER}.html"


def definition(page):
    return page.locator(".definition:not([hidden])")


def test_a_term_is_defined_on_hover_and_stays_while_the_pointer_is_on_it(address, visit):
    opened = visit(address)
    term = opened.page.locator(TERM).first
    term.hover()
    assert "evaluat" in definition(opened.page).inner_text()
    assert term.get_attribute("aria-describedby") == "definition"
    definition(opened.page).hover()
    opened.page.wait_for_timeout(350)
    assert definition(opened.page).count() == 1
    opened.page.keyboard.press("Escape")
    assert definition(opened.page).count() == 0
    assert opened.problems == []


def test_a_term_is_defined_when_the_tab_key_reaches_it(address, visit):
    page = visit(address).page
    before = page.locator(TERM).first.evaluate_handle(
        """term => [...document.querySelectorAll("article :is(a[href], input, summary)")]
            .filter(each => each.compareDocumentPosition(term) & Node.DOCUMENT_POSITION_FOLLOWING)
            .findLast(each => each.checkVisibility())"""
    )
    before.as_element().focus()
    assert definition(page).count() == 0
    page.keyboard.press("Tab")
    assert definition(page).count() == 1


def test_a_tap_defines_a_term_and_a_second_one_puts_it_away(address, visit):
    page = visit(address, PHONE, has_touch=True).page
    term = page.locator(TERM).first
    term.tap()
    address_of_more = definition(page).get_by_role("link").get_attribute("href")
    assert address_of_more.endswith("#term-appraisal-theory")
    box = definition(page).bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    term.tap()
    assert definition(page).count() == 0 and page.url == address


def test_ticks_are_kept_on_the_device_shown_and_erased(address, visit):
    opened = visit(address)
    page = opened.page
    page.locator(".tick input").nth(1).check()
    page.reload()
    assert page.locator(".tick input").nth(1).is_checked()
    assert page.locator(".contents [aria-current] .progress").inner_text().startswith("1/")
    assert page.locator(".page-toc .done").count() == 1
    page.get_by_role("button", name="Erase my ticks").click()
    page.get_by_role("button", name="Yes, erase them").click()
    assert not page.locator(".tick input").nth(1).is_checked()
    assert page.evaluate("localStorage.getItem('carebook.ticks')") is None
    assert opened.problems == []


@pytest.mark.parametrize("viewport", [LARGE, PHONE], ids=["wide", "phone"])
def test_erasing_ticks_asks_first_and_says_what_was_done(site, visit, viewport):
    page = visit(f"{site}/{CHAPTER}.html", viewport).page
    page.locator(".tick input").nth(1).check()
    if viewport == PHONE:
        page.get_by_role("button", name="Contents").click()
    said, focused = page.locator(".ticks-kept [role=status]"), "document.activeElement.textContent"
    page.get_by_role("button", name="Erase my ticks").click()
    assert "can’t be brought back" in said.inner_text()
    assert page.evaluate(focused) == "No, keep them"
    page.keyboard.press("Enter")
    assert page.evaluate(focused) == "Erase my ticks"
    assert page.evaluate("localStorage.getItem('carebook.ticks')") is not None
    assert said.inner_text().startswith("1 section ticked")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Yes, erase them").press("Enter")
    assert said.is_visible() and said.inner_text() == "Your ticks are erased."
    assert page.evaluate("document.activeElement.getAttribute('role')") == "status"
    assert not page.get_by_role("button", name="Erase my ticks").is_visible()


def test_a_chapter_says_how_long_it_takes_and_what_to_read_next(site, visit):
    page = visit(f"{site}/{CHAPTER}.html").page
    assert re.search(r"About \d+ minutes to read", page.locator(".page-facts").inner_text())
    onward = page.locator(".onward .next")
    assert re.search(r"Read next · about \d+ min", onward.inner_text())
    onward.click()
    page.wait_for_url(f"**/{BOOK.pages()[BOOK.pages().index(CHAPTER) + 1]}.html")


def test_the_readers_choice_of_colours_is_kept_from_page_to_page(site, visit):
    page = visit(f"{site}/{CHAPTER}.html", color_scheme="light").page
    button = page.get_by_role("button", name="Dark colours")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    button.click()
    page.locator(".onward .next").click()
    page.wait_for_url(f"**/{BOOK.pages()[BOOK.pages().index(CHAPTER) + 1]}.html")
    # The button is set by a script that runs at the page's end, before the page is loaded.
    assert button.get_attribute("aria-pressed") == "true"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    button.click()
    assert page.evaluate("localStorage.getItem('carebook.colours')") is None


def test_code_is_copied_by_a_button_that_says_so(site, visit):
    page = visit(f"{site}/{CHAPTER}.html", reduced_motion="reduce").page
    # A browser without a screen may have no clipboard.
    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }")
    cell = page.locator(".cell_input").first
    cell.hover()
    cell.get_by_role("button", name="Copy").click()
    cell.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("window.copied")
    assert copied.strip() == cell.locator("pre").inner_text().strip()


def test_on_a_phone_the_contents_open_and_close_by_button_and_key(site, visit):
    page = visit(f"{site}/{CHAPTER}.html", PHONE).page
    contents = page.get_by_role("navigation", name="Contents of the book")
    button = page.get_by_role("button", name="Contents")
    assert not contents.is_visible()
    button.click()
    assert contents.is_visible() and button.get_attribute("aria-expanded") == "true"
    assert page.evaluate("document.activeElement.closest('#contents') !== null")
    page.keyboard.press("Escape")
    assert not contents.is_visible()


def test_on_a_phone_the_copy_button_covers_no_code(site, visit):
    page = visit(f"{site}/{CHAPTER}.html", PHONE, has_touch=True, is_mobile=True).page
    boxes = page.evaluate(
        """() => [...document.querySelectorAll(".copy")].filter(each => each.checkVisibility())
            .map(each => [each.closest(".highlight").querySelector("pre"), each]
                .map(one => one.getBoundingClientRect()).map(({top, bottom}) => [top, bottom]))"""
    )
    assert len(boxes) > 3
    assert all(button[0] >= code[1] and button[1] - button[0] >= 24 for code, button in boxes)


def test_the_skip_link_leads_to_the_text(site, visit):
    page = visit(f"{site}/{CHAPTER}.html").page
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_a_wrong_address_at_any_depth_gets_a_page_with_style_and_ways_on(site_below, visit):
    opened = visit(f"{site_below}/404.html")
    content = (BOOK.html / "404.html").read_text(encoding="utf-8")
    wrong = f"{site_below}/notebooks/deeper/no.html"
    opened.page.route(wrong, lambda route: route.fulfill(body=content, content_type="text/html"))
    opened.go(wrong)
    font = opened.page.evaluate("getComputedStyle(document.querySelector('h1')).fontFamily")
    assert "system-ui" in font
    opened.page.get_by_role("link", name="Start at the first page").click()
    opened.page.wait_for_url(f"{site_below}/{BOOK.pages()[0]}.html")
    assert opened.problems == []


def test_every_figure_of_the_chapters_is_on_the_page_of_all_figures(html):
    gathered = (html / "book/figures.html").read_text(encoding="utf-8")
    for page in BOOK.pages():
        text = (html / f"{page}.html").read_text(encoding="utf-8")
        for anchor in re.findall(r'<figure [^>]*id="([^"]+)"', text):
            assert f"{page}.html#{anchor}" in gathered


def test_every_chapter_has_a_cheat_sheet_with_its_points_and_terms(html):
    sheets = (html / "book/cheat-sheets.html").read_text(encoding="utf-8")
    for path in BOOK.chapters():
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        assert "What to take away" in str(cells), f"{path.name} has no takeaways"
        assert f'id="sheet-{path.stem}"' in sheets
    assert sheets.count("Terms: ") == len(BOOK.chapters())


@pytest.fixture(scope="module")
def pdf(html):
    """The whole book as it is printed to one PDF."""
    return BeautifulSoup(printing.put_together(BOOK), "html.parser")


def points(tree):
    """Each point of the chapters' and appendices' sheets, as text, with the addresses it links to.

    A practice page is short, and its points are about the page as a whole.
    """
    listed = tree.select('.cheat-sheet:not([id*="sheet-p"]) > ul > li')
    return [(li.get_text(" ", strip=True), [a["href"] for a in li.select("a")]) for li in listed]


def test_each_point_of_a_cheat_sheet_leads_to_a_section_on_the_page_and_in_the_pdf(html, pdf):
    page = BeautifulSoup((html / "book/cheat-sheets.html").read_text("utf-8"), "html.parser")
    on_page, on_paper = points(page), points(pdf)
    assert len(on_page) == len(on_paper) > 30
    ids = {tag["id"] for tag in pdf.select("[id]")}
    for (text, addresses), (_, printed) in zip(on_page, on_paper, strict=True):
        sections = [address for address in addresses if "notebooks/" in address]
        assert sections and all("#" in address for address in sections), text
        assert all(address.removeprefix("#") in ids for address in printed), text
        for address in sections:
            path, anchor = urldefrag(address)
            target = (html / "book" / path).read_text(encoding="utf-8")
            assert f'id="{anchor}"' in target, address


def test_a_point_of_a_cheat_sheet_leads_to_the_section_that_earns_it(site, visit):
    page = visit(f"{site}/book/cheat-sheets.html").page
    page.locator("#sheet-a1_pandas").get_by_role("link", name="joins").click()
    page.wait_for_url("**/notebooks/a1_pandas.html#sec-a1-join")
    assert page.locator("#sec-a1-join").count() == 1


@pytest.mark.parametrize("chosen", ["the device", "the reader"])
def test_paper_is_light_though_the_screen_is_dark(site, visit, chosen):
    device = "dark" if chosen == "the device" else "light"
    page = visit(f"{site}/{CHAPTER}.html", color_scheme=device).page
    if chosen == "the reader":
        page.get_by_role("button", name="Dark colours").click()
    look = """() => [document.body, document.querySelector("figure img"),
            document.querySelector(".admonition"), document.querySelector("pre")].map(each => {
        const style = getComputedStyle(each);
        return [style.backgroundColor, style.color, style.padding];
    })"""
    dark = page.evaluate(look)
    page.emulate_media(media="print", color_scheme=device)
    paper = page.evaluate(look)
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    page.evaluate("document.documentElement.dataset.colours = 'light'")
    assert paper == page.evaluate(look) != dark
    assert paper[0][:2] == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"] and paper[1][2] == "0px"


def test_paper_shows_the_text_alone_with_boxes_unfolded(site, visit):
    page = visit(f"{site}/{CHAPTER}.html").page
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("details.solution[open]").count() > 0
    for chrome in (".site-header", ".contents", ".page-toc", ".onward", ".tick"):
        assert not page.locator(chrome).first.is_visible()
