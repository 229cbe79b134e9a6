"""A dead link between the repository's files is found, and so is one that leads out of the book."""

import io
import urllib.error
import urllib.request
from pathlib import Path

import links
import pytest
from fixture_book import write_notebook
from nbformat.v4 import new_markdown_cell

ROOT = Path(__file__).resolve().parents[2]


def dead(folder: Path, text: str, name: str = "README.md") -> list[str]:
    """What is found in one file."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return [finding.found for finding in links.inside_findings(folder)]


def test_the_links_between_the_repositorys_files_lead_somewhere():
    findings = links.inside_findings(ROOT)
    assert not findings, "\n" + "\n".join(map(str, findings))


@pytest.mark.parametrize(
    "text",
    [
        "[gone](gone.md)",
        "![gone](images/gone.png)",
        "[gone]: gone.md",
        '[gone](<gone.md> "a title")',
        "{doc}`gone`",
        "{doc}`the page <gone>`",
        "```{note}\n[gone](gone.md)\n```",
    ],
)
def test_a_dead_link_is_named(tmp_path, text):
    (found,) = dead(tmp_path, text)
    assert "gone" in found


@pytest.mark.parametrize(
    "text",
    [
        "[here](README.md#a-part)",
        "[here](#a-part)",
        "[there](https://example.org/gone)",
        "[write](mailto:somebody@example.org)",
        "`[code](gone.md)`",
        "```\n[code](gone.md)\n```",
        "{doc}`README`",
    ],
)
def test_a_link_that_leads_somewhere_and_code_are_left_alone(tmp_path, text):
    assert dead(tmp_path, text) == []


def test_a_label_in_the_books_text_is_left_to_sphinx(tmp_path):
    assert dead(tmp_path, "[see there](some-label)", "book/page.md") == []
    assert dead(tmp_path, "[see there](some-label)", "README.md") != []


def test_hidden_guides_and_notebooks_are_read(tmp_path):
    write_notebook(tmp_path / "a.ipynb", [new_markdown_cell("{doc}`gone`", id="one")])
    assert len(dead(tmp_path, "[gone](../gone.md)", ".github/GUIDE.md")) == 2


def test_addresses_outside_are_collected_once_with_a_page_that_links_there(tmp_path):
    page = '<a href="https://example.org/a#b">x</a><a href="own.html">y</a><a>z</a>'
    (tmp_path / "one.html").write_text(page, encoding="utf-8")
    (tmp_path / "two.html").write_text(page, encoding="utf-8")
    assert links.outside_addresses(tmp_path) == {"https://example.org/a": "one.html"}


def test_an_address_that_does_not_answer_is_named_with_its_page():
    asked = {"https://a.example": "", "https://b.example": "answers 404"}
    (finding,) = links.outside_findings(dict.fromkeys(asked, "page.html"), ask=asked.get)
    assert str(finding).startswith("page.html: https://b.example: answers 404")


@pytest.mark.parametrize(
    ("answer", "problem"),
    [(200, ""), (403, ""), (404, "answers 404"), (503, "answers 503"), (None, "doesn't answer")],
)
def test_a_guarded_page_counts_as_there_and_a_missing_one_does_not(monkeypatch, answer, problem):
    def urlopen(request, timeout):
        if answer is None:
            raise urllib.error.URLError("no route")
        if answer == 200:
            return io.BytesIO()
        raise urllib.error.HTTPError(request.full_url, answer, "", {}, None)

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    said = links.ask("https://example.org", wait=0)
    assert said.startswith(problem) and bool(said) == bool(problem)
