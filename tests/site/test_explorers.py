"""Explorers on the pages: views that load when they are chosen, by mouse, key or screen reader."""

import os
import re
from pathlib import Path

import pages
import printing
import pytest
from fixture_book import make_book, write_notebook
from layout import Book
from nbformat.v4 import new_code_cell, new_markdown_cell

from carebook.figures import answer_distribution
from carebook.widgets import BUILDING, VIEWS, explorer

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "_build" / "javascript" / "testing" / "axe.min.js"
LARGE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
HOSTILE = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">'
# pandas cuts texts of more than 50 characters in its tables.
SHORT = '<img src=x onerror="window.hacked = 3">'
LONG = "A view with a name that is too long to stand beside many others"


def content():
    """What an explorer of every kind of view hands over."""
    import pandas as pd

    table = pd.DataFrame(
        {"perspective": ["experiencer", "observer"], "value": [5, 2], "said": [SHORT] * 2}
    )
    figure = answer_distribution(table, name="control.general")
    wide = pd.DataFrame([[SHORT, *range(30)]])
    views = [
        ("first", {"Story": "It rained.", "Ratings": table}),
        ("figure", {"Drawn": figure}),
        ("wide", wide),
        (HOSTILE, {HOSTILE: {"Deeper": HOSTILE}}),
        (LONG, "Long " * 200),
        *((f"view {n}", f"Text {n}") for n in range(6, 25)),
    ]
    os.environ[BUILDING] = "1"
    try:
        return explorer(views, name="Story & more")._repr_mimebundle_()[VIEWS]
    finally:
        del os.environ[BUILDING]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A tiny book whose second chapter has an explorer, far down the page."""
    root = make_book(tmp_path_factory.mktemp("explored"))
    shown = (
        "class Shown:\n"
        "    def _repr_mimebundle_(self, include=None, exclude=None):\n"
        f"        return {{{VIEWS!r}: {content()!r}, 'text/plain': 'views'}}\n\n\n"
        "Shown()"
    )
    long = new_markdown_cell("# Explorer\n\n" + "A line.\n\n" * 120, id="title")
    write_notebook(
        root / "notebooks" / "two.ipynb",
        [long, new_code_cell(shown, id="shown", metadata={"tags": ["remove-input"]})],
    )
    book = Book.at(root, {})
    pages.build(book, lambda text: None)
    return book


@pytest.fixture(params=["from a folder", "from a server", "below a folder"])
def address(request, tiny, serve):
    """The page with the explorer, in each of the ways that a page can be opened."""
    if request.param == "from a folder":
        return (tiny.html / "notebooks/two.html").as_uri()
    if request.param == "below a folder":
        return f"{serve(tiny.html.parent)}/html/notebooks/two.html"
    return f"{serve(tiny.html)}/notebooks/two.html"


@pytest.fixture
def opened(tiny, visit):
    return visit((tiny.html / "notebooks/two.html").as_uri())


def choose(page, place):
    """Choose a view with the arrow keys, from the one that is chosen, and wait for it."""
    radios = page.get_by_role("radio")
    now = radios.evaluate_all("all => all.findIndex(one => one.checked)")
    radios.nth(now).focus()
    for _ in range(abs(place - now)):
        page.keyboard.press("ArrowRight" if place > now else "ArrowLeft")
    page.locator(".explorer-now", has_text=f"({place + 1} of ").wait_for()


def views_asked_for(opened):
    return [url for url in opened.requests if "/explorers/" in url]


def test_a_view_is_loaded_when_it_is_chosen_by_key_and_not_before(address, visit):
    opened = visit(address)
    page = opened.page
    assert page.get_by_role("group", name="Story & more").get_by_role("radio").count() == 24
    assert page.locator(".explorer-view").inner_text().startswith("Story\n\nIt rained.")
    assert views_asked_for(opened) == []
    choose(page, 5)
    assert page.locator(".explorer-view").inner_text() == "Text 6"
    scripts = [re.search(r"-(\d+)\.js", url).group(1) for url in views_asked_for(opened)]
    assert scripts == ["1", "2", "3", "4", "5"]  # each that an arrow key went over, once
    choose(page, 4)
    choose(page, 0)
    assert page.locator(".explorer-view").inner_text().startswith("Story\n\nIt rained.")
    assert len([url for url in views_asked_for(opened) if url.endswith(".js")]) == 5
    assert opened.problems == []


def test_a_view_is_chosen_by_pressing_its_name(opened):
    opened.page.get_by_role("radio", name="view 9", exact=True).click()
    opened.page.get_by_text("Text 9", exact=True).wait_for()
    assert len(views_asked_for(opened)) == 1


def test_the_line_that_is_read_out_names_the_view_once_it_is_there(opened):
    status = opened.page.get_by_role("status")
    assert status.inner_text() == "Story & more: first (1 of 24)"
    opened.page.evaluate(
        """() => { window.said = [];
        new MutationObserver(() => window.said.push(
            document.querySelector(".explorer-now").textContent + " | "
            + document.querySelector(".explorer-view").textContent
        )).observe(document.querySelector(".explorer-now"), {childList: true}); }"""
    )
    opened.page.get_by_role("radio", name="view 7", exact=True).press(" ")
    opened.page.get_by_text("Text 7", exact=True).wait_for()
    assert opened.page.evaluate("window.said") == ["Story & more: view 7 (7 of 24) | Text 7"]


def test_an_image_is_a_file_with_a_smaller_twin_and_tells_its_values(address, visit):
    opened = visit(address)
    choose(opened.page, 1)
    image = opened.page.locator(".explorer-view img")
    image.scroll_into_view_if_needed()
    opened.page.wait_for_function("document.querySelector('.explorer-view img').complete")
    assert image.evaluate("image => image.naturalWidth") > 300
    assert len(re.findall(r"\d", image.get_attribute("alt"))) > 2
    assert image.evaluate("image => image.currentSrc").endswith(".png.webp")
    assert opened.problems == []


@pytest.mark.parametrize("place", [0, 2, 3])
def test_text_from_data_does_nothing(opened, place):
    page = opened.page
    choose(page, place)
    page.wait_for_timeout(200)
    assert page.evaluate("window.hacked") is None
    said = SHORT if place < 3 else HOSTILE
    assert said in page.locator(".explorer-view").inner_text()
    assert page.locator(".explorer script, .explorer img").count() == 0


def test_what_chooses_is_named_as_the_data_say_and_does_nothing(opened):
    assert opened.page.get_by_role("radio", name=HOSTILE).count() == 1
    assert opened.page.evaluate("window.hacked") is None


@pytest.mark.parametrize("viewport", [LARGE, PHONE], ids=["wide", "phone"])
def test_all_choices_are_in_sight_and_large_enough_to_press(tiny, visit, viewport):
    page = visit((tiny.html / "notebooks/two.html").as_uri(), viewport).page
    choices = page.locator(".explorer fieldset > div")
    assert choices.evaluate("box => box.scrollHeight <= box.clientHeight")
    heights = choices.locator("label").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().height)"
    )
    assert len(heights) == 24 and min(heights) >= 24


def test_each_view_fits_a_phone_and_a_wide_table_can_be_reached_by_key(tiny, visit):
    page = visit((tiny.html / "notebooks/two.html").as_uri(), PHONE).page
    for place in range(6):
        choose(page, place)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], place
    choose(page, 2)
    assert page.locator(".explorer-view .scroller").get_attribute("tabindex") == "0"


def test_axe_finds_nothing_in_any_kind_of_view(opened):
    page = opened.page
    page.add_script_tag(path=AXE)
    for place in range(5):
        choose(page, place)
        for viewport in (LARGE, PHONE):
            page.set_viewport_size(viewport)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                assert violations(page) == [], (place, viewport, scheme)


def violations(page):
    return page.evaluate(
        """axe.run(".explorer").then(results => results.violations.map(
            one => one.id + ": " + one.nodes.map(node => node.html.slice(0, 120)).join(" ")))"""
    )


def test_the_chosen_one_is_told_from_the_others_and_the_focus_is_seen(opened):
    page = opened.page
    choose(page, 5)
    chosen, other = (page.locator(".explorer label span").nth(n) for n in (5, 6))
    colour = "one => getComputedStyle(one).backgroundColor"
    assert chosen.evaluate(colour) != other.evaluate(colour)
    assert chosen.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"


def test_paper_shows_a_view_and_says_that_there_are_more(opened):
    page = opened.page
    page.emulate_media(media="print")
    assert page.get_by_text("It rained.", exact=True).is_visible()
    assert not page.get_by_role("radio").first.is_visible()
    note = page.locator(".explorer-more")
    assert note.is_visible() and "One view of 24." in note.inner_text()


def test_without_a_script_the_first_view_is_there_and_no_dead_control(tiny, visit):
    address = (tiny.html / "notebooks/two.html").as_uri()
    page = visit(address, java_script_enabled=False).page
    assert page.get_by_text("It rained.", exact=True).is_visible()
    assert page.locator(".explorer input").count() == 0
    assert "you choose among" in page.locator(".explorer-more").inner_text()


def test_the_book_on_paper_holds_the_first_view(tiny):
    whole = printing.put_together(tiny)
    assert "It rained." in whole and "One view of 24." in whole


def test_a_view_that_is_not_there_says_so_and_can_be_asked_for_again(tiny, visit):
    missing = next((tiny.html / "_static/explorers").glob("*-8.js"))
    kept = missing.rename(missing.with_suffix(".away"))
    try:
        page = visit((tiny.html / "notebooks/two.html").as_uri()).page
        page.get_by_role("radio", name="view 9", exact=True).click()
        page.get_by_role("status").get_by_text("could not be loaded").wait_for()
    finally:
        kept.rename(missing)
    page.get_by_role("radio", name="view 10", exact=True).click()
    page.get_by_role("radio", name="view 9", exact=True).click()
    page.get_by_text("Text 9", exact=True).wait_for()


def test_only_a_page_with_an_explorer_loads_its_script_and_style(tiny):
    one, two = (
        (tiny.html / f"notebooks/{name}.html").read_text("utf-8") for name in ("one", "two")
    )
    assert "explorer.js" in two and "explorer.css" in two and "widget-state" not in two
    assert "explorer" not in one


#: Page -> how many views its explorer has.
EXPLORED = {
    "notebooks/01_appraisal_theory": 20,
    "notebooks/03_perspectives": 22,
    "notebooks/04_emotion_baselines": 20,
    "notebooks/05_dear_man": 19,
}


@pytest.mark.parametrize(("name", "count"), EXPLORED.items())
def test_each_view_of_a_chapter_is_shown_from_the_keyboard(site, visit, name, count):
    opened = visit(f"{site}/{name}.html", PHONE)
    page = opened.page
    assert views_asked_for(opened) == []
    seen = {page.locator(".explorer-view").inner_text()}
    assert page.get_by_role("radio").count() == count
    for place in range(1, count):
        choose(page, place)
        seen.add(page.locator(".explorer-view").inner_text())
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert len(seen) == count
    assert opened.problems == []


@pytest.mark.parametrize("place", [0, 10, 21])
def test_all_five_answers_of_observers_are_in_sight_on_a_phone(site, visit, place):
    page = visit(f"{site}/notebooks/03_perspectives.html", PHONE).page
    choose(page, place)
    table = page.locator(".explorer-view table")
    hidden = table.evaluate("t => t.parentElement.scrollWidth - t.parentElement.clientWidth")
    assert table.locator("thead th").count() == 6 and hidden <= 0


@pytest.mark.parametrize("name", EXPLORED)
def test_axe_finds_nothing_in_a_later_view_of_a_chapter(site, visit, name):
    page = visit(f"{site}/{name}.html").page
    page.add_script_tag(path=AXE)
    choose(page, 2)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []
