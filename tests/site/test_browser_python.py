"""The chapters run to their end in a reader's browser, with the network off and no Python here."""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import lite
import pytest
import runnable
from layout import Book

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
BOOK = Book.at(ROOT)
CHAPTERS = [page for page in BOOK.pages() if page.startswith("notebooks/")]

#: A notebook's code cells as JupyterLite holds them: how many, how many ran, what went wrong.
CELLS = """() => {
  const cells = jupyterapp.shell.currentWidget.content.model.toJSON().cells
    .filter(cell => cell.cell_type === "code" && cell.source.length);
  const wrong = output => output.output_type === "error" || output.name === "stderr";
  return {
    cells: cells.length,
    ran: cells.filter(cell => cell.execution_count).length,
    shown: cells.filter(cell => cell.outputs.length).length,
    wrong: cells.flatMap(cell => cell.outputs.filter(wrong).map(output =>
      cell.id + ": " + (output.evalue || output.text))),
  };
}"""
MINUTES = 6

#: Bring the cell with the practice tool into view: JupyterLite hides what is far from it.
SHOW_TOOL = """async () => {
  const { content } = jupyterapp.shell.currentWidget;
  const place = content.widgets.findIndex(cell => cell.model.id === "tool");
  content.activeCellIndex = place;
  await content.scrollToItem(place, "start");
}"""
RUN_BELOW_TOOL = """async () => {
  jupyterapp.shell.currentWidget.content.activeCellIndex += 1;
  await jupyterapp.commands.execute("notebook:run-all-below");
}"""
SHOWN_BY = """id => jupyterapp.shell.currentWidget.content.model.toJSON().cells
  .find(cell => cell.id === id).outputs[0].data["text/plain"]"""


def mark_one_message(tool):
    for group in tool.locator("fieldset").all():
        group.get_by_role("radio").first.check()
    tool.get_by_role("button", name="Compare with the expert").click()
    tool.get_by_role("heading", name="You and the expert").wait_for()


def write_one_message(tool):
    tool.get_by_role("checkbox", name="Assert:").check()
    tool.get_by_role("button", name="Now write").click()
    tool.get_by_label("Your message").fill("Please turn it off at eleven.")
    tool.get_by_role("button", name="Go through the checklist").click()
    tool.get_by_role("radio", name="partly").first.check()


#: Practice page -> how its tool is worked, the cell that gets the answers, and what it then shows.
WORKED = {
    "notebooks/p2_mark_skills": (mark_one_message, "kappa-result", "There are 5 judgements"),
    "notebooks/p3_write_a_message": (write_one_message, "answers", r"assert\s+1"),
}


@pytest.fixture(scope="module")
def in_browser(html):
    """The website, where it brings Python for the browser."""
    if not (html / "lite").exists():
        pytest.skip("the website was built without Python in the browser: `make book` says why")
    return html


@pytest.fixture(scope="module")
def pyodide(in_browser):
    """The website, where it also brings a copy of Pyodide."""
    if not os.environ.get("PYODIDE_DIR"):
        pytest.skip("no PYODIDE_DIR: name a folder with Pyodide to run the chapters in a browser")
    return in_browser


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_runs_to_its_end_in_the_browser(pyodide, site, visit, name):
    page = visit(f"{site}/{name}.html").page
    page.locator("details.run > summary").click()
    with page.context.expect_page() as opened:
        page.locator("details.run a.button").click()
    lab = opened.value
    asked = []
    page.context.on("request", lambda request: asked.append(request.url))
    lab.wait_for_function("window.jupyterapp?.shell.currentWidget?.context?.sessionContext.isReady")
    lab.evaluate(
        "void jupyterapp.commands.execute('notebook:run-all-cells').then(() => window.ran = true)"
    )
    lab.wait_for_function("window.ran", timeout=MINUTES * 60_000)
    found = lab.evaluate(CELLS)
    assert found["wrong"] == []
    assert found["ran"] == found["cells"] > 1
    if name in WORKED:
        work, cell, shown = WORKED[name]
        lab.evaluate(SHOW_TOOL)
        work(lab.locator(".cb-tool"))
        lab.evaluate(RUN_BELOW_TOOL)
        assert re.search(shown, lab.evaluate(SHOWN_BY, cell))
        assert lab.evaluate(CELLS)["wrong"] == []
    elsewhere = [
        url
        for url in asked
        if not url.startswith((site, "data:", "blob:", site.replace("http", "ws")))
    ]
    assert elsewhere == []


def test_the_page_says_what_a_click_will_download_and_from_where(in_browser, site, visit):
    page = visit(f"{site}/{CHAPTERS[0]}.html").page
    page.locator("details.run > summary").click()
    words = page.locator("details.run").inner_text()
    assert re.search(r"about \d+ MB", words) and "from this site" in words
    assert "Binder" not in words and "Colab" not in words  # no repository is set


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_box_calls_a_page_what_it_is_and_says_what_running_adds(in_browser, name):
    page = (in_browser / f"{name}.html").read_text(encoding="utf-8")
    box = page[page.index('<details class="run">') : page.index("<article")]
    is_practice = "/p" in name
    assert ("Run this chapter" in box) == name.split("/")[1][0].isdigit()
    assert ("Run this page" in box) != ("this chapter" in box)
    assert ("your answers arrive in Python" in box) == is_practice
    assert "no Python runs here" not in page


def test_from_a_folder_the_page_says_that_a_server_is_needed(in_browser, visit):
    page = visit((in_browser / f"{CHAPTERS[0]}.html").as_uri()).page
    page.locator("details.run > summary").click()
    assert "needs a web server" in page.locator("details.run").inner_text()
    assert not page.locator("details.run a.button").is_visible()


def test_the_public_pyodide_is_named_where_no_copy_is_at_hand():
    assert lite.python_server({}) == "cdn.jsdelivr.net"
    assert lite.pyodide_folder({}) is None


def test_a_folder_without_pyodide_is_refused_by_name(tmp_path):
    with pytest.raises(lite.LiteProblem, match="PYODIDE_DIR"):
        lite.pyodide_folder({"PYODIDE_DIR": str(tmp_path)})


def test_chapters_to_take_along_start_with_the_cell_and_keep_their_own(in_browser):
    for chapter in BOOK.chapters():
        own = json.loads(chapter.read_text(encoding="utf-8"))["cells"]
        taken = json.loads((in_browser / "run" / chapter.name).read_text(encoding="utf-8"))["cells"]
        assert taken[0]["id"] == runnable.CELL_ID and taken[1:] == own


def test_what_is_downloaded_together_runs_where_the_package_is_missing(in_browser, tmp_path):
    with zipfile.ZipFile(in_browser / "run" / "chapters.zip") as together:
        names = together.namelist()
        together.extractall(tmp_path)
    assert {path.name for path in BOOK.chapters()} < set(names)
    setup = runnable.SETUP.format(source="")
    stand_in = (
        "import builtins, importlib.util\n"
        "importlib.util.find_spec = lambda name: None\n"
        "class Shell:\n"
        "    def run_line_magic(self, name, line):\n"
        "        print(name, line)\n"
        "builtins.get_ipython = Shell\n"
    )
    code = stand_in + setup.replace("    await ", "    ").replace("import piplite", "pass")
    code = code.replace("piplite.install", "print")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert re.fullmatch(r"pip install --quiet 'carebook-[\d.]+-py3-none-any\.whl'\n", done.stdout)
    empty = tmp_path / "empty"
    empty.mkdir()
    done = subprocess.run([sys.executable, "-c", code], cwd=empty, capture_output=True, text=True)
    assert "Download it from the chapter's page" in done.stderr


def test_addresses_follow_from_the_settings(tmp_path):
    def addresses(settings: str) -> runnable.Addresses:
        (tmp_path / "_config.yml").write_text(settings, encoding="utf-8")
        return runnable.Addresses.of(Book.at(tmp_path))

    none = addresses("title: A\n")
    assert (none.package("a.whl"), none.binder("1.ipynb"), none.colab("1.ipynb")) == ("", "", "")
    both = addresses(
        "html:\n  baseurl: https://example.org/book\n"
        "repository:\n  url: https://github.com/someone/book/\n  branch: term\n"
    )
    assert both.package("a.whl") == "https://example.org/book/run/a.whl"
    assert both.binder("1.ipynb") == (
        "https://mybinder.org/v2/gh/someone/book/term?urlpath=lab%2Ftree%2Fnotebooks%2F1.ipynb"
    )
    assert both.colab("1.ipynb") == (
        "https://colab.research.google.com/github/someone/book/blob/runnable/1.ipynb"
    )
    other = addresses("repository:\n  url: https://example.org/code\n")
    assert other.binder("1.ipynb") == ""


def test_the_workflow_keeps_the_branch_that_colab_opens():
    workflow = (ROOT / ".github" / "workflows" / "publish.yml").read_text(encoding="utf-8")
    assert f"HEAD:{runnable.RUNNABLE_BRANCH}" in workflow
