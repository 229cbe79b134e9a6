"""The search: what is indexed, where a hit leads, and what is said when nothing is found."""

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
import searching

PHONE = {"width": 390, "height": 844}
CHAPTER = "notebooks/01_appraisal_theory"


def rows(body):
    """What is indexed of an article."""
    return [e.row(0)[1:] for e in searching.entries_of(f"<article>{body}</article>")]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (
            '<section id="a"><h1>Title<a class="headerlink" href="#a">#</a></h1>'
            "<p>One <b>t</b>wo.</p>"
            '<section id="b"><h2>Inner</h2><p>Three</p><p>four.</p></section></section>',
            [["", "section", "Title", "One two."], ["b", "section", "Inner", "Three four."]],
        ),
        (
            '<section id="a"><h1>T</h1><dl class="glossary"><dt id="term-gap">gap</dt>'
            '<dt id="term-lag">lag</dt><dd><p>A way.</p></dd></dl></section>',
            [
                ["", "section", "T", ""],
                ["term-gap", "term", "gap", "A way."],
                ["term-lag", "term", "lag", "A way."],
            ],
        ),
        (
            '<section id="a"><h1>T</h1><figure id="f"><img alt="Bars of &amp; 5." src="x"/>'
            "<figcaption><p>Fig. 3.4 A <em>gap</em>. Mind it.</p></figcaption></figure>"
            "after</section>",
            [
                ["", "section", "T", "after"],
                ["f", "figure", "Fig. 3.4 A gap.", "Mind it. Bars of & 5."],
            ],
        ),
        (
            '<section id="a"><h1>T</h1><figure id="f"><img alt="Bars." src="x"/>'
            "<figcaption><p>Fig. 3.4 A gap.</p></figcaption></figure></section>",
            [["", "section", "T", ""], ["f", "figure", "Fig. 3.4 A gap.", "Bars."]],
        ),
        (
            '<section id="a"><h1>T</h1><dl><dt class="sig" id="carebook.x.f">f(a)</dt>'
            "<dd>Does.</dd></dl></section>",
            [["", "section", "T", ""], ["carebook.x.f", "helper", "x.f", "f(a) Does."]],
        ),
        (
            '<section id="a"><h1>T</h1><table class="dataframe"><tr><td>7</td></tr></table>'
            '<script>var x;</script><section id="exercise-content"><p>kept<br/>apart</p></section>'
            "</section>",
            [["", "section", "T", "kept apart"]],
        ),
    ],
    ids=["sections", "terms", "figures", "one sentence", "helpers", "left out"],
)
def test_the_index_holds_what_a_reader_sees_and_where(body, found):
    assert rows(body) == found


@pytest.mark.slow
def test_each_entry_of_the_index_is_a_place_that_exists(html):
    text = (html / "_static" / searching.FILE).read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("window.carebookSearch = ").removesuffix(";\n"))
    pages = [(html / address).read_text(encoding="utf-8") for address, _ in index["pages"]]
    kinds = {kind for _, _, kind, _, _ in index["entries"]}
    assert kinds == {"section", "term", "figure", "helper"}
    for page, anchor, _, title, _ in index["entries"]:
        assert title and (not anchor or f'id="{anchor}"' in pages[page]), (anchor, title)
    assert {page for page, *_ in index["entries"]} == set(range(len(pages)))


def searched(visit, root, words, viewport=None):
    """The search page with what it says about some words."""
    opened = visit(f"{root}/search.html?q={words}", *([viewport] if viewport else []))
    opened.page.locator(".search-summary", has_not_text="Searching").wait_for()
    return opened


@pytest.fixture(params=["server", "folder"])
def root(request, html):
    """The website's address on a server and in a folder."""
    return html.as_uri() if request.param == "folder" else request.getfixturevalue("site")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "name", "anchor"),
    [
        ("gap", "gap", "book/glossary.html#term-gap"),
        ("joins", "join", "notebooks/a1_pandas.html#"),
        ("load_carebench", "load_carebench", "#carebook.carebench.load_carebench"),
        ("What is RMSE?", "RMSE", "book/glossary.html#term-RMSE"),
        ("ratings 22 appraisal statements", "Appraisal theory", f"{CHAPTER}.html#"),
    ],
)
def test_a_hit_leads_to_the_place_itself_with_the_words_marked(root, visit, words, name, anchor):
    opened = searched(visit, root, words)
    page = opened.page
    link = (
        page.locator("ul.search a", has_text=name).and_(page.locator(f'[href*="{anchor}"]')).first
    )
    assert link.locator("xpath=..").locator("mark").count() > 0
    link.click()
    page.wait_for_url(lambda address: anchor in address)
    place = page.evaluate(
        """() => {
            const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
            return [target.contains(document.activeElement), CSS.highlights.get("sought").size,
                    target.getBoundingClientRect().top];
        }"""
    )
    assert place[0] and place[1] > 0 and 0 <= place[2] < 900
    assert opened.problems == []


@pytest.mark.slow
def test_a_letter_is_a_word_and_not_the_beginning_of_many(site, visit):
    page = searched(visit, site, "p value").page
    marks = {mark.lower() for mark in page.locator("ul.search mark").all_inner_texts()}
    assert "p" in marks and not {mark for mark in marks if mark[0] == "p"} - {"p"}


@pytest.mark.slow
def test_words_are_marked_once_and_not_on_a_later_visit(site, visit):
    page = searched(visit, site, "gap").page
    page.locator("ul.search a").first.click()
    page.wait_for_url(lambda address: "search.html" not in address)
    page.reload()
    assert page.evaluate("CSS.highlights.size") == 0


@pytest.mark.slow
def test_the_search_box_has_the_focus_when_it_is_opened(site, visit):
    page = visit(f"{site}/{CHAPTER}.html", PHONE).page
    page.get_by_role("link", name="Search").click()
    page.wait_for_url("**/search.html")
    assert page.evaluate("document.activeElement.id") == "search-again"
    page.keyboard.type("appraisal")
    page.keyboard.press("Enter")
    page.locator("ul.search li").first.wait_for()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("reapraisal", "reappraisal"),
        ("apraisal theory", "appraisal theory"),
        ("narative", "narrative"),
    ],
)
def test_a_slip_of_the_pen_gets_the_word_that_was_meant(root, visit, typed, meant):
    opened = searched(visit, root, typed)
    page = opened.page
    slip = next(word for word in typed.split() if word not in meant.split())
    assert page.locator(".search-summary").first.inner_text() == (
        f"Nothing in this book holds “{slip}”."
    )
    page.get_by_role("link", name=meant, exact=True).click()
    page.wait_for_url(lambda address: address.endswith(f"?q={quote(meant)}"))
    page.locator("ul.search li").first.wait_for()
    assert page.get_by_role("searchbox").last.input_value() == meant
    assert opened.problems == []


@pytest.mark.slow
def test_where_nothing_is_near_the_reader_hears_what_else_to_try(site, visit):
    page = searched(visit, site, "xqzvwk").page
    assert page.locator(".search-meant, ul.search").count() == 0
    ways = page.locator(".search-ways")
    assert ways.is_visible() and ways.get_by_role("link", name="glossary").is_visible()


@pytest.mark.slow
def test_of_two_words_the_known_one_is_still_found(site, visit):
    page = searched(visit, site, "xqzvwk gap").page
    assert "Found for “gap” alone" in page.locator("#search-results").inner_text()
    assert page.locator("ul.search li").count() > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", ["%3Cimg src=x onerror=alert(1)%3E", "a.*(", "%20", "%F0%9F%98%80", "["]
)
def test_words_of_every_kind_do_nothing_but_search(site, visit, words):
    opened = visit(f"{site}/search.html?q={words}")
    opened.page.wait_for_load_state("networkidle")
    assert opened.page.locator("#search-results img").count() == 0
    assert opened.problems == []


@pytest.mark.slow
def test_the_index_is_no_heavier_than_the_pages_it_saves(html):
    weight = Path(html, "_static", searching.FILE).stat().st_size
    assert weight < 1_500_000
    assert not (html / "searchindex.js").exists()
    assert re.search(r"search-data\.js", (html / "search.html").read_text(encoding="utf-8"))
