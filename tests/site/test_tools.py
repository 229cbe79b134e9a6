"""The practice tools in a real browser: worked through, kept, erased, saved, and held to Python."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from tool_page import write_page

from carebook import load_carebench, load_imbue
from carebook.agreement import cohen_kappa
from carebook.tools import (
    answers_table,
    checks_table,
    mark_skills,
    marks_table,
    read_story,
    reading_distances,
    write_message,
)
from carebook.tools.base import asset
from carebook.tools.mark_skills import bootstrap_start
from carebook.vocabulary import DIMENSIONS, LABELS, SKILLS, STRENGTH_SKILLS

pytestmark = pytest.mark.slow

AXE = Path(__file__).resolve().parents[2] / "_build" / "javascript" / "testing" / "axe.min.js"
LARGE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
HOSTILE = '</script><script>window.hit = 1</script><img src=x onerror="window.hit = 1"> ${1} `'


@pytest.fixture(scope="module")
def imbue():
    return load_imbue()


@pytest.fixture(scope="module")
def care():
    return load_carebench()


@pytest.fixture
def open_tool(visit, tmp_path):
    """Open a page that shows one tool, from a folder: there is no network at all."""

    def go(tool, viewport=LARGE, **options):
        folder = tmp_path / "page"
        if not folder.exists():
            folder.mkdir()
            write_page(folder, tool)
        opened = visit((folder / "index.html").as_uri(), viewport, **options)
        opened.page.locator(".cb-tool").wait_for()
        return opened

    return go


def saved(page, name):
    """What a button of the tool's end saves, as text."""
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return Path(download.value.path()).read_bytes().decode()


def values(page):
    """The numbers that the tool shows, unrounded."""
    return {
        each.get_attribute("data-name"): float(each.get_attribute("data-value"))
        for each in page.locator("[data-name]").all()
    }


def erase(page):
    page.get_by_role("button", name="Erase my").click()
    page.get_by_role("button", name="Yes, erase").click()


def focused(page):
    """The group that holds the element with the focus, or what that element itself is called."""
    return page.evaluate(
        """() => {
            const now = document.activeElement;
            const group = now.type === "radio" && now.closest("fieldset");
            return (group ? group.querySelector("legend").firstChild : now).textContent;
        }"""
    )


def axe_findings(page):
    page.add_script_tag(path=AXE)
    found = []
    for viewport in (LARGE, PHONE):
        page.set_viewport_size(viewport)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
            result = page.evaluate("axe.run('.cb-tool').then(results => results.violations)")
            found += [(v["id"], node["html"][:120]) for v in result for node in v["nodes"]]
    return found


def is_usable_on_a_phone(page):
    page.set_viewport_size(PHONE)
    small = page.evaluate(
        """() => [...document.querySelectorAll(".cb-tool :is(button, select, summary, label)")]
            .filter(each => each.checkVisibility() && each.getBoundingClientRect().height < 24)
            .map(each => each.outerHTML.slice(0, 80))"""
    )
    return page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"] and not small


def press_until(page, name, most=200):
    """Press the Tab key until an element of this accessible name has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        label = page.evaluate(
            """() => {
                const now = document.activeElement;
                return now.getAttribute("aria-label") || (now.labels?.[0] || now).textContent;
            }"""
        )
        if label.strip().startswith(name):
            return
    raise AssertionError(f"the Tab key never reached {name!r}")


# --- The arithmetic, on numbers that can be checked by hand ---------------------------------------


@pytest.fixture(scope="module")
def arithmetic(browser):
    """A function that computes an expression of the tools' own script."""
    page = browser.new_page()
    yield lambda expression: page.evaluate(
        f"() => {{ {asset('common.js')}; return {expression}; }}"
    )
    page.close()


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("distance([1, 2, 5], [2, 2, 3])", 1.0),
        ("distance([1, 5], [5, 1])", 4.0),
        ("correlation([1, 2, 3], [2, 4, 6])", 1.0),
        ("correlation([1, 2, 3], [1, 3, 2])", 0.5),
        ("correlation([1, 2, 3], [5, 4, 3])", -1.0),
    ],
)
def test_distance_and_correlation_of_profiles(arithmetic, expression, value):
    assert arithmetic(expression) == pytest.approx(value)


def test_a_flat_profile_has_no_correlation(arithmetic):
    assert arithmetic("Number.isNaN(correlation([3, 3, 3], [1, 2, 3]))")


def test_kappa_and_its_interval_on_two_conversations(arithmetic):
    # One conversation of 10 judgements with kappa (0.8 - 0.5) / 0.5, one with (0.6 - 0.5) / 0.5. A
    # resample holds both, or one of them twice, which happens in a quarter of the resamples each:
    # so the middle 95% reach from the one kappa to the other.
    def pairs(same, other):
        half = ["s s"] * (same // 2) + ["n n"] * (same // 2)
        return [pair.split() for pair in half + ["s n"] * (other // 2) + ["n s"] * (other // 2)]

    judged = pairs(8, 2) + pairs(6, 4)
    mine, theirs = ([pair[side] for pair in judged] for side in (0, 1))
    groups = ["a"] * 10 + ["b"] * 10
    call = ", ".join(json.dumps(part) for part in (mine, theirs, groups, bootstrap_start()))
    found = arithmetic(f"cohenKappa({call})")
    helpers = cohen_kappa(pd.Series(mine), pd.Series(theirs), groups=pd.Series(groups))
    for kappa, low, high, agreement, chance in (
        [found[name] for name in ("kappa", "low", "high", "agreement", "byChance")],
        [helpers.kappa, helpers.low, helpers.high, helpers.agreement, helpers.by_chance],
    ):
        assert (agreement, chance) == pytest.approx((0.7, 0.5))
        assert (kappa, low, high) == pytest.approx((0.4, 0.2, 0.6))


# --- Mark DEAR MAN skills -------------------------------------------------------------------------


def a_mark(skill, message, theirs):
    """A reader who often, but not always, marks as the expert does."""
    odd = (message + SKILLS.index(skill["id"])) % 3 == 0
    return skill["labels"][message % len(skill["labels"])] if odd else theirs


def mark_all(page, tool):
    for number, message in enumerate(tool.data["messages"]):
        for skill in tool.data["skills"]:
            theirs = message["expert"][skill["id"]]["label"]
            group = page.get_by_role("group", name=re.compile(f"^{skill['name']}"))
            group.get_by_label(a_mark(skill, number, theirs), exact=True).check()
        page.get_by_role("button", name="Compare with the expert").click()
        if number + 1 < len(tool.data["messages"]):
            page.get_by_role("button", name="Next").click()


def test_marks_lead_to_the_counts_and_the_kappa_of_the_helpers(imbue, open_tool):
    tool = mark_skills(imbue)
    opened = open_tool(tool)
    mark_all(opened.page, tool)
    file = json.loads(saved(opened.page, "Save as JSON"))
    rows = [
        (key, skill, mark) for key, sheet in file["marks"].items() for skill, mark in sheet.items()
    ]
    mine = marks_table(rows)
    theirs = imbue.judgements.query("expert == @tool.expert")
    both = mine.merge(theirs, on=["message_key", "skill"], suffixes=("", "_expert"))
    assert len(both) == len(mine) == 12 * 7
    shown = values(opened.page)
    same = both["label"].astype(str) == both["label_expert"].astype(str)
    for skill, count in same.groupby(both["skill"], observed=True).sum().items():
        assert shown[f"same {skill}"] == count
    moves = both[both["skill"].isin(STRENGTH_SKILLS)]
    one, other = (moves[name].astype(str) for name in ("label", "label_expert"))
    kappa = cohen_kappa(one, other, groups=moves["conversation_id"])
    assert shown["kappa"] == pytest.approx(kappa.kappa, abs=1e-12)
    assert shown["low"] == pytest.approx(kappa.low, abs=1e-12)
    assert shown["high"] == pytest.approx(kappa.high, abs=1e-12)
    assert shown["agreement"] == pytest.approx(100 * kappa.agreement, abs=1e-10)
    assert shown["chance"] == pytest.approx(100 * kappa.by_chance, abs=1e-10)
    assert opened.problems == []


def test_too_few_judgements_get_counts_and_no_kappa(imbue, open_tool):
    tool = mark_skills(imbue, messages=9)
    page = open_tool(tool).page
    mark_all(page, tool)
    assert "kappa" not in values(page)
    assert "on the five moves you have 45 from 9" in page.locator(".cb-agreement").inner_text()


def test_the_expert_is_not_shown_before_all_seven_marks_stand(imbue, open_tool):
    tool = mark_skills(imbue)
    page = open_tool(tool).page
    page.get_by_role("group", name="Describe").get_by_label("weak").check()
    page.get_by_role("button", name="Compare with the expert").click()
    status = page.get_by_role("status").inner_text()
    assert status.startswith("Not marked yet: Express, Assert") and "Describe" not in status
    assert page.locator(".cb-open").count() == 6 and focused(page) == "Express"
    page.keyboard.press("Space")
    assert page.locator(".cb-open").count() == 5
    assert page.get_by_role("status").inner_text() == ""
    assert page.get_by_role("table").count() == 0


def test_what_the_expert_wrote_stands_beside_the_marks(imbue, open_tool):
    tool = mark_skills(imbue)
    page = open_tool(tool).page
    given = tool.data["messages"][0]["expert"]
    for skill in tool.data["skills"]:
        page.get_by_role("group", name=skill["name"]).get_by_label(skill["labels"][-1]).check()
    page.get_by_role("button", name="Compare with the expert").click()
    for skill in tool.data["skills"]:
        row = page.locator(".cb-beside tbody tr", has_text=skill["name"]).inner_text()
        told = given[skill["id"]]
        assert skill["labels"][-1] in row and told["label"] in row
        assert (told["suggestion"] or "") in row and (told["rewrite"] or "") in row
    assert page.get_by_role("radio").count() == 0  # what was compared can't be changed


def test_marks_stay_when_the_page_is_loaded_again_and_go_when_erased(imbue, open_tool):
    tool = mark_skills(imbue)
    page = open_tool(tool).page
    weak = page.get_by_role("group", name="Assert").get_by_label("weak")
    weak.check()
    page.reload()
    assert weak.is_checked()
    keys = page.evaluate("Object.keys(localStorage)")
    assert keys == [f"carebook.tools.v1.mark_skills.{tool.data['fingerprint']}"]
    before = page.evaluate("localStorage[Object.keys(localStorage)[0]]")
    erase(page)
    assert page.evaluate("localStorage.length") == 0
    page.reload()
    assert not weak.is_checked()
    weak.check()
    after = page.evaluate("localStorage[Object.keys(localStorage)[0]]")
    assert json.loads(before)["reader"] != json.loads(after)["reader"]


@pytest.mark.parametrize(
    "kept",
    ["", "{", "7", "{}", '{"reader": "0123abcd"}', "null"]
    + ['{"reader": "0123abcd", "compared": [], "marks": {"99/1": {"assert": "weak"}}}']
    + ['{"reader": "0123abcd", "compared": [], "marks": {"01/1": {"assert": "perfect"}}}']
    + ['{"reader": "0123abcd", "compared": [], "marks": {"01/1": {"fly": "weak"}}}'],
)
def test_what_is_kept_and_broken_is_begun_anew(imbue, open_tool, kept):
    tool = mark_skills(imbue)
    page = open_tool(tool).page
    page.evaluate(
        "([key, text]) => localStorage.setItem(key, text)",
        [f"carebook.tools.v1.mark_skills.{tool.data['fingerprint']}", kept],
    )
    page.reload()
    page.get_by_text("0 of 12 messages marked").wait_for()


FULL = "Storage.prototype.setItem = () => { throw new Error('full'); };"
DENIED = """Object.defineProperty(window, "localStorage", {
    get() { throw new DOMException("denied", "SecurityError"); } });"""


@pytest.mark.parametrize("way", [FULL, DENIED])
def test_a_browser_that_keeps_nothing_is_told_of_and_can_still_save_a_file(imbue, open_tool, way):
    tool = mark_skills(imbue)
    opened = open_tool(tool)
    page = opened.page
    page.add_init_script(way)
    page.reload()
    assert "This browser keeps nothing" in page.locator(".cb-ending").inner_text()
    page.get_by_role("group", name="Assert").get_by_label("weak").check()
    page.get_by_role("button", name="Next").click()
    assert "This browser keeps nothing" in page.locator(".cb-ending").inner_text()
    assert opened.problems == []
    first = tool.data["messages"][0]["key"]
    assert json.loads(saved(page, "Save as JSON"))["marks"] == {first: {"assert": "weak"}}


def test_a_storage_that_gets_full_is_told_of_at_once_and_again_when_there_is_room(imbue, open_tool):
    page = open_tool(mark_skills(imbue)).page
    weak, strong = (
        page.get_by_role("group", name="Assert").get_by_label(x) for x in ("weak", "strong")
    )
    weak.check()
    assert "are kept in this browser" in page.locator(".cb-ending").inner_text()
    page.evaluate(f"() => {{ window.whole = Storage.prototype.setItem; {FULL} }}")
    strong.check()
    assert page.get_by_role("status").inner_text().startswith("This browser keeps nothing")
    assert "This browser keeps nothing" in page.locator(".cb-ending").inner_text()
    page.evaluate("() => { Storage.prototype.setItem = window.whole; }")
    weak.check()
    assert page.get_by_role("status").inner_text().startswith("Your marks are kept")


def test_two_tabs_show_the_same_marks_and_lose_none(imbue, open_tool):
    tool = mark_skills(imbue)
    one = open_tool(tool).page
    two = one.context.new_page()
    two.goto(one.url)
    two.locator(".cb-tool").wait_for()
    one.get_by_role("group", name="Assert").get_by_label("weak").check()
    two.get_by_text("changed in another view").wait_for()
    assert two.get_by_role("group", name="Assert").get_by_label("weak").is_checked()
    two.get_by_role("group", name="Describe").get_by_label("none").check()
    one.get_by_text("changed in another view").wait_for()
    first = tool.data["messages"][0]["key"]
    for page in (one, two):
        marks = json.loads(saved(page, "Save as JSON"))["marks"]
        assert marks == {first: {"assert": "weak", "describe": "none"}}
    erase(two)
    one.get_by_text("changed in another view").last.wait_for()
    one.wait_for_function("!document.querySelector('.cb-skill :checked')")


def test_erasing_asks_first_says_that_it_is_done_and_can_be_left(imbue, open_tool):
    tool = mark_skills(imbue)
    page = open_tool(tool).page
    weak = page.get_by_role("group", name="Assert").get_by_label("weak")
    weak.check()
    ask = page.get_by_role("button", name="Erase my marks")
    ask.click()
    page.get_by_role("group", name="Erase all marks of this tool on this device?").wait_for()
    assert focused(page) == "Keep them"
    page.keyboard.press("Escape")
    assert focused(page) == "Erase my marks" and weak.is_checked()
    erase(page)
    told = page.get_by_role("status").inner_text()
    assert told == "All marks of this tool on this device are erased."
    assert focused(page) == "Message 1" and not weak.is_checked()


def load(page, text, name="saved.json"):
    """Load a file with this text into the tool and wait for what it says of it.

    A browser reads a file while the page goes on, so an answer comes later than the click.
    """
    status = page.get_by_role("status")
    status.evaluate("said => { said.textContent = ''; }")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Load a saved file").click()
        choose = page.get_by_role("button", name="Choose the file")
        if choose.is_visible():
            choose.click()
    chooser.value.set_files({"name": name, "mimeType": "application/json", "buffer": text.encode()})
    status.filter(has_text=re.compile(r"\S")).wait_for()


def test_a_saved_file_brings_the_marks_to_another_browser(imbue, open_tool):
    tool = mark_skills(imbue)
    page = open_tool(tool).page
    mark_all(page, tool)
    file = saved(page, "Save as JSON")
    numbers = values(page)
    erase(page)
    load(page, file)
    assert page.get_by_text("12 of 12 messages marked, 12 compared.").is_visible()
    told = page.get_by_role("status").inner_text()
    assert told == "The marks of the file are here now."
    assert values(page) == numbers
    assert saved(page, "Save as JSON") == file
    page.reload()
    assert saved(page, "Save as JSON") == file


MARKED = {"assert": "weak"}


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"version": 2}, "no file of this tool"),
        ({"carebook": "read_story"}, "no file of this tool"),
        ({"data": "00000000"}, "belongs to other texts"),
        ({"reader": "<b>"}, "no file of this tool"),
        ({"marks": {"99/1": MARKED}}, "no file of this tool"),
        ({"marks": {"__proto__": MARKED}}, "no file of this tool"),
        ({"marks": {"01/1": {"assert": HOSTILE}}}, "no file of this tool"),
        ({"compared": ["01/1"]}, "no file of this tool"),  # its seven marks don't all stand
        ({"marks": None}, "no file of this tool"),
        ("{", "no file of this tool"),
        (" " * 2**20 + "{}", "no file of this tool"),
    ],
)
def test_a_file_that_is_not_the_tools_changes_nothing(imbue, open_tool, changed, problem):
    tool = mark_skills(imbue)
    opened = open_tool(tool)
    page = opened.page
    page.get_by_role("group", name="Assert").get_by_label("none").check()
    before = saved(page, "Save as JSON")
    text = changed if isinstance(changed, str) else json.dumps(json.loads(before) | changed)
    load(page, text)
    page.get_by_role("status").get_by_text(problem).wait_for()
    assert saved(page, "Save as JSON") == before
    assert opened.problems == []


def test_marks_can_be_saved_as_a_table(imbue, open_tool):
    tool = mark_skills(imbue)
    page = open_tool(tool).page
    page.get_by_role("group", name="Assert").get_by_label("none").check()
    first = tool.data["messages"][0]["key"]
    assert saved(page, "Save as CSV") == f"message_key,skill,label\r\n{first},assert,none\r\n"


def test_skills_are_marked_and_compared_from_the_keyboard(imbue, open_tool):
    tool = mark_skills(imbue)
    page = open_tool(tool).page
    press_until(page, "Message")
    page.keyboard.press("ArrowDown")  # the second message
    page.locator("h3", has_text="Message 2").wait_for()
    for skill in tool.data["skills"]:
        press_until(page, skill["labels"][0])
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
        press_until(page, "Manual")
        page.keyboard.press("Enter")
        assert page.get_by_text(skill["manual"][0][1]).is_visible()
    press_until(page, "Compare with the expert")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="You and the expert").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "You and the expert"
    sheet = json.loads(saved(page, "Save as JSON"))["marks"][tool.data["messages"][1]["key"]]
    assert sheet == {skill["id"]: skill["labels"][1] for skill in tool.data["skills"]}
    press_until(page, "Erase my marks")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "Keep them"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.get_by_text("0 of 12 messages marked").wait_for()


def test_no_key_pressed_in_a_tool_is_taken_by_jupyter(imbue, open_tool):
    # JupyterLab looks at the element that has the focus: there, "d d" would delete the cell.
    page = open_tool(mark_skills(imbue)).page
    taken = page.evaluate(
        """() => [...document.querySelectorAll(
                ".cb-tool :is(button, input, select, summary, textarea, [tabindex])")]
            .map(each => each.hasAttribute("data-lm-suppress-shortcuts"))"""
    )
    assert len(taken) > 30 and all(taken)


def test_hostile_texts_are_shown_as_text(imbue, open_tool):
    judgements = imbue.judgements.assign(suggestion=HOSTILE, rewrite=HOSTILE)
    hostile = replace(
        imbue,
        judgements=judgements,
        messages=imbue.messages.assign(message_text=HOSTILE),
        conversations=imbue.conversations.assign(situation=HOSTILE),
    )
    opened = open_tool(mark_skills(hostile))
    for skill in SKILLS:
        opened.page.locator(".cb-skill").nth(SKILLS.index(skill)).get_by_role("radio").last.check()
    opened.page.get_by_role("button", name="Compare with the expert").click()
    assert opened.page.get_by_text(HOSTILE).count() >= 3
    assert opened.page.evaluate("window.hit") is None
    assert opened.page.locator(".cb-tool :is(img, script)").count() == 0
    assert opened.problems == []


def test_marking_is_accessible_and_fits_a_phone(imbue, open_tool):
    tool = mark_skills(imbue)
    page = open_tool(tool).page
    page.locator(".cb-manual summary").first.click()
    page.get_by_role("button", name="Compare with the expert").click()  # shows what is missing
    assert axe_findings(page) == []
    assert is_usable_on_a_phone(page)
    mark_all(page, tool)
    assert axe_findings(page) == []
    assert is_usable_on_a_phone(page)


def test_paper_shows_texts_and_marks_without_buttons(imbue, open_tool):
    tool = mark_skills(imbue)
    page = open_tool(tool).page
    page.emulate_media(media="print")
    assert page.get_by_text(tool.data["messages"][0]["text"]).is_visible()
    assert page.get_by_role("radio").first.is_visible()
    assert not any(each.is_visible() for each in page.locator(".cb-tool button").all())


# --- Read a story as another person ---------------------------------------------------------------

WRITER, SELF = "What did the writer feel?", "What would you have felt?"
GROUP = ".cb-tool fieldset.cb-scale"


def answer(page, question, ratings, levels=(2, 5), labels=(LABELS[0], LABELS[11])):
    """Answer the question about the story on show, and look at all views."""
    page.get_by_role("radio", name=question).check()
    groups = page.locator(GROUP)
    for number, rating in enumerate(ratings):
        groups.nth(number).get_by_role("radio").nth(rating - 1).check()
    for number, level in enumerate(levels):
        groups.nth(len(ratings) + number).get_by_role("radio").nth(level).check()
    for label in labels:
        page.get_by_label(label).check()
    page.get_by_role("button", name="See all views").click()


def ratings_like(story, step):
    """Answers that follow the writer's, with some a point off."""
    return [
        min(5, max(1, rating + (i % step == 0) - (i % (step + 1) == 0)))
        for i, rating in enumerate(story["writer"]["ratings"])
    ]


def test_answers_lead_to_the_distances_of_the_helpers(care, open_tool):
    tool = read_story(care)
    opened = open_tool(tool)
    page, story = opened.page, tool.data["stories"][0]
    as_writer, as_self = ratings_like(story, 2), ratings_like(story, 3)
    answer(page, WRITER, as_writer)
    answer(page, SELF, as_self)
    file = json.loads(saved(page, "Save as JSON"))
    mine = answers_table(file["answers"])
    assert mine.loc[f"{story['id']}/you-writer", list(DIMENSIONS)].tolist() == as_writer
    assert mine.loc[f"{story['id']}/you-self", "negative_level"] == 5
    assert mine[list(LABELS)].sum(axis=1).tolist() == [2, 2]
    found = reading_distances(care, mine)
    names = {f"observer {slot}": f"{slot}" for slot in range(1, 6)} | {"typical": "typical"}
    names |= {each: f"you-{each}" for each in ("writer", "self")}
    shown = values(page)
    for name, row in names.items():
        row = found.loc[f"{story['id']}/{row}"]
        assert shown[f"distance {name}"] == pytest.approx(row["distance"], abs=1e-12)
        assert shown[f"similarity {name}"] == pytest.approx(row["similarity"], abs=1e-12)
    panel = care.ratings.loc[[f"{story['id']}/{slot}" for slot in range(1, 6)]]
    within = mine.loc[f"{story['id']}/you-self", list(DIMENSIONS)].between(panel.min(), panel.max())
    assert shown["within"] == within.sum()
    assert shown["moved"] == sum(a != b for a, b in zip(as_writer, as_self, strict=True))
    assert opened.problems == []


def test_all_views_stand_in_their_places_and_the_writer_is_said_to_be_simulated(care, open_tool):
    tool = read_story(care)
    page, story = open_tool(tool).page, tool.data["stories"][0]
    assert "simulated" not in page.locator(".cb-page").inner_text()
    answer(page, WRITER, [3] * 22)
    told = page.locator(".cb-page").inner_text()
    assert "the writer and the five observers are simulated" in told
    rows = page.locator(".cb-strips").first.locator("tbody tr")
    for number in (0, 11, 21):
        heard = rows.nth(number).locator("td .cb-unseen").all_inner_texts()
        observers = [each["ratings"][number] for each in story["observers"]]
        for value in range(1, 6):
            many = observers.count(value)
            parts = [
                "the writer" if story["writer"]["ratings"][number] == value else "",
                "you" if value == 3 else "",
                f"{many} observer{'s' if many > 1 else ''}" if many else "",
            ]
            assert heard[value - 1] == (", ".join(filter(None, parts)) or "nobody")
    assert values(page)["distance writer"] > 0
    assert page.get_by_text("no value").count() == 1  # a flat profile has no correlation
    for reason in story["writer"]["reasons"].values():
        assert page.get_by_text(reason).is_visible()


def test_nothing_is_shown_before_everything_is_answered(care, open_tool):
    tool = read_story(care)
    page = open_tool(tool).page
    assert page.locator(GROUP).count() == 0  # first the reader chooses what to be asked
    page.get_by_role("radio", name=WRITER).check()
    page.locator(GROUP).first.get_by_role("radio").first.check()
    page.get_by_role("button", name="See all views").click()
    told = page.get_by_role("status").inner_text()
    second = [text for group in tool.data["groups"] for _, text in group["statements"]][1]
    assert told.startswith(f"Still open: 21 statements and 2 intensities. The first is “{second}” ")
    assert page.locator(".cb-open").count() == 23 and focused(page) == second
    page.locator(GROUP).nth(1).get_by_role("radio").first.check()
    assert page.locator(".cb-open").count() == 22
    assert page.get_by_role("table").count() == 0


def test_sentences_go_with_the_visit_unless_the_reader_keeps_them(care, open_tool):
    page = open_tool(read_story(care)).page
    page.get_by_role("radio", name=WRITER).check()
    line, rated = page.get_by_label("Did it matter, and why?"), page.locator(GROUP).first
    line.fill("It was home.")
    rated.get_by_role("radio").nth(3).check()
    page.reload()
    assert line.input_value() == "" and rated.get_by_role("radio").nth(3).is_checked()
    line.fill("It was home.")
    assert "home" not in page.evaluate("JSON.stringify(localStorage)")
    page.get_by_label("Keep my sentences as well").check()
    page.reload()
    assert line.input_value() == "It was home."
    page.get_by_label("Keep my sentences as well").uncheck()
    assert "home" not in page.evaluate("JSON.stringify(localStorage)")


def test_answers_are_kept_saved_and_erased(care, open_tool):
    tool = read_story(care)
    page = open_tool(tool).page
    answer(page, WRITER, [4] * 22)
    page.reload()
    page.get_by_role("heading", name="The writer, five observers, and you").wait_for()
    head, row = saved(page, "Save as CSV").splitlines()
    assert head.startswith("sample_id,asked,positive_level,negative_level,relevance.general")
    assert row.startswith(f"{tool.data['stories'][0]['id']},writer,2,5,4,4")
    file = json.loads(saved(page, "Save as JSON"))
    assert [each["reasons"] for each in file["answers"]] == [{}]
    erase(page)
    assert page.evaluate("localStorage.length") == 0
    assert page.get_by_role("table").count() == 0
    page.reload()
    assert page.locator(GROUP).count() == 0


@pytest.mark.parametrize(
    "readings",
    [{"9999": {}}, {"0001": {"god": {}}}, {"0001": {"writer": {}}}, 7]
    + [{"0001": {"writer": {"ratings": {}, "levels": {}, "labels": [], "done": True}}}]
    + [{"0001": {"writer": {"ratings": {"control.general": 6}, "levels": {}, "labels": []}}}],
)
def test_broken_answers_are_begun_anew(care, open_tool, readings):
    tool = read_story(care, stories=["0001"])
    page = open_tool(tool).page
    key = f"carebook.tools.v1.read_story.{tool.data['fingerprint']}"
    kept = json.dumps({"reader": "0123abcd", "readings": readings, "words": False})
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, kept])
    page.reload()
    page.get_by_text("What do you want to be asked?").wait_for()
    assert page.get_by_role("radio", checked=True).count() == 0


def test_answers_of_a_file_come_back_with_their_views(care, open_tool):
    tool = read_story(care)
    page, story = open_tool(tool).page, tool.data["stories"][0]
    page.get_by_role("radio", name=WRITER).check()
    page.get_by_label("Did it matter, and why?").fill("It was home.")
    page.get_by_label("Keep my sentences as well").check()
    answer(page, WRITER, ratings_like(story, 2))
    file, numbers = saved(page, "Save as JSON"), values(page)
    erase(page)
    load(page, file)
    page.get_by_role("status").get_by_text("are here now").wait_for()
    assert values(page) == numbers and page.get_by_text("It was home.").is_visible()
    assert json.loads(saved(page, "Save as JSON")) == json.loads(file)
    given = json.loads(file)
    for broken in (given["answers"][0] | {"sample_id": "__proto__"}, {"sample_id": story["id"]}):
        load(page, json.dumps(given | {"answers": [broken]}))
        page.get_by_role("status").get_by_text("Nothing was changed").wait_for()
        assert json.loads(saved(page, "Save as JSON")) == given


def test_a_story_is_chosen_without_leaving_the_list(care, open_tool):
    page = open_tool(read_story(care)).page
    page.get_by_role("combobox", name="Story").focus()
    for number in (2, 3):
        page.keyboard.press("ArrowDown")
        page.get_by_role("status").get_by_text(f"Story {number} is shown.").wait_for()
        assert page.evaluate("document.activeElement.tagName") == "SELECT"
    page.get_by_role("radio", name=WRITER).press("Space")
    assert page.evaluate("document.activeElement.value") == "writer"
    page.keyboard.press("ArrowDown")
    page.get_by_role("status").get_by_text(SELF).wait_for()
    assert page.evaluate("document.activeElement.value") == "self"


def test_a_story_is_read_and_answered_from_the_keyboard(care, open_tool):
    tool = read_story(care)
    page = open_tool(tool).page
    press_until(page, "Story")
    page.keyboard.press("ArrowDown")
    page.get_by_text(tool.data["stories"][1]["text"][:60]).wait_for(state="attached")
    press_until(page, WRITER)
    page.keyboard.press("Space")
    page.get_by_role("heading", name=WRITER).wait_for()
    press_until(page, "Did it matter")
    page.keyboard.type("Of course.")
    for _ in DIMENSIONS:
        press_until(page, "Strongly disagree", most=6)
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
    for _ in range(2):
        press_until(page, "Not at all", most=25)
        page.keyboard.press("Space")
    press_until(page, "See all views")
    page.keyboard.press("Enter")
    heading = "The writer, five observers, and you"
    assert page.evaluate("document.activeElement.textContent") == heading
    (given,) = json.loads(saved(page, "Save as JSON"))["answers"]
    assert given["ratings"] == dict.fromkeys(DIMENSIONS, 2)
    assert given["sample_id"] == tool.data["stories"][1]["id"]


def test_a_story_with_a_difficult_topic_is_announced_and_opened_from_the_keyboard(care, open_tool):
    tool = read_story(care)
    page = open_tool(tool).page
    number, story = next(pair for pair in enumerate(tool.data["stories"]) if pair[1]["note"])
    text = page.get_by_text(story["text"][:60])
    page.get_by_role("combobox", name="Story").select_option(index=number)
    page.get_by_text(story["note"]).wait_for()
    assert not text.is_visible()
    press_until(page, story["note"], most=20)
    page.keyboard.press("Enter")
    text.wait_for()
    page.get_by_role("radio", name=WRITER).check()  # makes the page anew
    page.get_by_role("heading", name=WRITER).wait_for()
    assert text.is_visible()
    assert axe_findings(page) == []
    assert is_usable_on_a_phone(page)


def test_a_situation_with_a_difficult_topic_is_announced(imbue, open_tool):
    tool = mark_skills(imbue)
    page, message = open_tool(tool).page, tool.data["messages"][0]
    situation = page.get_by_text(message["situation"][:60])
    assert message["note"] and not situation.is_visible()
    page.get_by_text(message["note"]).click()
    assert situation.is_visible()


def test_a_hostile_narrative_does_nothing(care, open_tool):
    hostile = replace(
        care,
        narratives=care.narratives.assign(narrative=HOSTILE),
        reasoning=care.reasoning.map(lambda text: HOSTILE),
    )
    opened = open_tool(read_story(hostile, stories=["0001"]))
    answer(opened.page, WRITER, [3] * 22)
    assert opened.page.get_by_text(HOSTILE).count() == 6
    assert opened.page.evaluate("window.hit") is None
    assert opened.page.locator(".cb-tool :is(img, script)").count() == 0
    assert opened.problems == []


def test_reading_is_accessible_and_fits_a_phone(care, open_tool):
    tool = read_story(care)
    page, story = open_tool(tool).page, tool.data["stories"][0]
    page.get_by_role("radio", name=WRITER).check()
    assert axe_findings(page) == []
    assert is_usable_on_a_phone(page)
    answer(page, WRITER, ratings_like(story, 2))
    answer(page, SELF, ratings_like(story, 3))
    assert axe_findings(page) == []
    assert is_usable_on_a_phone(page)


# --- Write a message ------------------------------------------------------------------------------

MESSAGE = "On Monday the music was on until one. <b>Please</b> turn it off at eleven."


def plan_and_write(page, *skills):
    for skill in skills:
        page.get_by_role("checkbox", name=f"{skill}:").check()
    page.get_by_role("button", name="Now write").click()
    page.get_by_label("Your message").fill(MESSAGE)
    page.get_by_role("button", name="Go through the checklist").click()


def test_a_plan_comes_before_the_message_and_the_checklist_after_it(imbue, open_tool):
    tool = write_message(imbue)
    opened = open_tool(tool)
    page = opened.page
    assert page.get_by_label("Your message").count() == 0
    page.get_by_role("button", name="Now write").click()
    assert page.get_by_role("status").inner_text() == "Choose at least one skill first."
    assert page.evaluate("document.activeElement.type") == "checkbox"
    page.get_by_role("checkbox", name="Assert:").check()
    page.get_by_role("button", name="Now write").click()
    page.get_by_role("button", name="Go through the checklist").click()
    assert page.get_by_role("status").inner_text() == "Write a sentence or two first."
    assert page.evaluate("document.activeElement.type") == "textarea"
    page.get_by_label("Your message").fill(MESSAGE)
    page.get_by_role("button", name="Go through the checklist").click()
    assertion = next(skill for skill in tool.data["skills"] if skill["id"] == "assert")
    for question in assertion["questions"]:
        page.get_by_role("group", name=question).get_by_label("partly").check()
    page.locator(".cb-list-of summary").first.click()
    for example in assertion["examples"]:
        assert page.locator(".cb-list-of").first.get_by_text(example["text"]).is_visible()
    assert page.get_by_label("Your message").input_value() == MESSAGE
    table = checks_table(json.loads(saved(page, "Save as JSON"))["answers"])
    assert table["skill"].tolist() == ["assert", "assert"]
    assert table["check"].tolist() == ["partly", "partly"] and table["chosen"].all()
    assert table["message_text"].isna().all()
    assert opened.problems == []


def test_a_message_goes_with_the_visit_unless_the_writer_keeps_it(imbue, open_tool):
    page = open_tool(write_message(imbue)).page
    plan_and_write(page, "Describe", "Assert")
    assert "music" not in page.evaluate("JSON.stringify(localStorage)")
    page.reload()
    page.get_by_role("button", name="Write another one").click()
    assert page.get_by_label("Your message").input_value() == ""
    page.get_by_label("Your message").fill(MESSAGE)
    page.get_by_label("Keep my messages as well").check()
    page.reload()
    assert page.get_by_label("Your message").input_value() == MESSAGE
    table = checks_table(json.loads(saved(page, "Save as JSON"))["answers"])
    assert table["message_text"].tolist() == [MESSAGE] * 4
    assert saved(page, "Save as CSV").count(MESSAGE) == 4
    page.get_by_role("button", name="Start this message again").click()
    page.get_by_role("button", name="Yes, delete").click()
    assert "music" not in page.evaluate("JSON.stringify(localStorage)")
    plan_and_write(page, "Describe")
    assert "music" in page.evaluate("JSON.stringify(localStorage)")
    erase(page)
    assert page.evaluate("localStorage.length") == 0
    page.reload()
    page.get_by_role("checkbox", name="Describe:").wait_for()


def check_all(page, *answers):
    """Answer the first questions of the checklist."""
    for number, given in enumerate(answers):
        page.locator(".cb-list-of fieldset").nth(number).get_by_label(given, exact=True).check()


def checks(page):
    return [row["check"] for row in json.loads(saved(page, "Save as JSON"))["answers"]]


def test_a_changed_message_opens_its_checklist_again(imbue, open_tool):
    page = open_tool(write_message(imbue)).page
    plan_and_write(page, "Assert")
    check_all(page, "yes", "partly")
    assert checks(page) == ["yes", "partly"]
    box = page.get_by_label("Your message")
    box.press("End")
    box.press("!")
    assert page.evaluate("document.activeElement.tagName") == "TEXTAREA"
    assert "the checklist is open again" in page.get_by_role("status").inner_text()
    assert checks(page) == [None, None]
    marks = page.locator(".cb-list-of .cb-open").all_inner_texts()
    assert [mark.strip() for mark in marks] == [
        "before your change: yes",
        "before your change: partly",
    ]
    check_all(page, "no")
    assert page.locator(".cb-list-of .cb-open").count() == 1 and checks(page) == ["no", None]
    page.get_by_role("button", name="from before the change still hold").click()
    assert checks(page) == ["no", "partly"]
    assert page.locator(".cb-list-of .cb-open").count() == 0


def test_the_checks_of_a_message_that_is_cleared_are_gone(imbue, open_tool):
    page = open_tool(write_message(imbue)).page
    plan_and_write(page, "Assert")
    check_all(page, "yes", "yes")
    page.get_by_label("Your message").fill("")
    assert "its checks are gone" in page.get_by_role("status").inner_text()
    assert page.locator(".cb-list-of").count() == 0 and checks(page) == [None, None]
    page.get_by_label("Your message").fill(MESSAGE)
    page.get_by_role("button", name="Go through the checklist").click()
    assert page.locator(".cb-open").count() == 0
    assert page.get_by_role("radio", checked=True).count() == 0


def test_the_checks_of_a_message_that_went_with_the_page_are_told_as_such(imbue, open_tool):
    page = open_tool(write_message(imbue)).page
    plan_and_write(page, "Assert")
    check_all(page, "yes", "no")
    page.reload()
    page.get_by_text("what you checked in it is kept: Assert (yes, no).").wait_for()
    assert page.get_by_label("Your message").count() == 0
    assert page.locator(".cb-list-of").count() == 0 and checks(page) == ["yes", "no"]
    page.get_by_role("button", name="Write another one").click()
    assert focused(page) == "" and page.get_by_label("Your message").input_value() == ""
    assert checks(page) == [None, None]


def test_a_message_of_a_file_comes_back_with_plan_and_checks(imbue, open_tool):
    page = open_tool(write_message(imbue)).page
    plan_and_write(page, "Describe", "Assert")
    check_all(page, "yes", "no")
    page.get_by_label("Keep my messages as well").check()
    file = saved(page, "Save as JSON")
    erase(page)
    load(page, file)
    page.get_by_role("status").get_by_text("are here now").wait_for()
    assert page.get_by_label("Your message").input_value() == MESSAGE
    assert page.get_by_label("Keep my messages as well").is_checked()
    assert json.loads(saved(page, "Save as JSON")) == json.loads(file)
    given = json.loads(file)
    for changed in ({"conversation_id": "__proto__"}, {"skill": "fly"}, {"question": "Why?"}):
        load(page, json.dumps(given | {"answers": [given["answers"][0] | changed]}))
        page.get_by_role("status").get_by_text("Nothing was changed").wait_for()
    assert page.evaluate("({}).message") is None


def test_starting_again_asks_first(imbue, open_tool):
    page = open_tool(write_message(imbue)).page
    plan_and_write(page, "Assert")
    page.get_by_role("button", name="Start this message again").click()
    page.get_by_role("button", name="Keep it").click()
    assert page.get_by_label("Your message").input_value() == MESSAGE
    page.get_by_role("button", name="Start this message again").click()
    page.get_by_role("button", name="Yes, delete").click()
    assert "are deleted" in page.get_by_role("status").inner_text()
    assert focused(page) == "The situation"
    assert page.get_by_role("checkbox", name="Assert:").is_checked() is False


def test_a_message_is_planned_written_and_checked_from_the_keyboard(imbue, open_tool):
    tool = write_message(imbue)
    page = open_tool(tool).page
    press_until(page, "Reinforce:")
    page.keyboard.press("Space")
    press_until(page, "Now write")
    page.keyboard.press("Enter")
    page.keyboard.type("If it is quiet, I am good company.")
    press_until(page, "Go through the checklist")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "The checklist"
    for _ in range(2):
        press_until(page, "yes")
        page.keyboard.press("Space")
    rows = json.loads(saved(page, "Save as JSON"))["answers"]
    assert [(row["skill"], row["check"]) for row in rows] == [("reinforce", "yes")] * 2


def test_hostile_situations_and_messages_do_nothing(imbue, open_tool):
    hostile = replace(
        imbue,
        judgements=imbue.judgements.assign(suggestion=HOSTILE, rewrite=HOSTILE),
        messages=imbue.messages.assign(message_text=HOSTILE),
        conversations=imbue.conversations.assign(situation=HOSTILE),
    )
    opened = open_tool(write_message(hostile))
    plan_and_write(opened.page, "Assert")
    opened.page.get_by_label("Your message").fill(HOSTILE)
    opened.page.locator(".cb-list-of summary").first.click()
    assert opened.page.get_by_text(HOSTILE).count() >= 4
    assert opened.page.evaluate("window.hit") is None
    assert opened.page.locator(".cb-tool :is(img, script)").count() == 0
    assert opened.problems == []


def test_writing_is_accessible_and_fits_a_phone(imbue, open_tool):
    page = open_tool(write_message(imbue)).page
    assert axe_findings(page) == []
    assert is_usable_on_a_phone(page)
    plan_and_write(page, "Describe", "Assert")
    for summary in page.locator(".cb-tool summary").all():
        if summary.is_visible():
            summary.click()
    assert axe_findings(page) == []
    assert is_usable_on_a_phone(page)
