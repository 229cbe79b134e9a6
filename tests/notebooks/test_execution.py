"""Chapters are run once, again when what they depend on changed, and never pass by accident."""

import shutil

import pytest
from execution import execute, kept_notebook, stale_chapters
from fixture_book import FIRST, edit, make_book, output_text, write_notebook
from layout import Book, data_sources
from pages import BuildFailed, build


def quiet(text: str) -> None:
    """Say nothing."""


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """A tiny book whose chapters have been run."""
    root = make_book(tmp_path_factory.mktemp("book"))
    assert all(outcome.passed for outcome in execute(Book.at(root, {}), quiet))
    return root


@pytest.fixture
def book(executed, tmp_path):
    """A copy of it to break."""
    return Book.at(shutil.copytree(executed, tmp_path / "copy"), {})


def stale(book: Book) -> list[str]:
    return [chapter.stem for chapter in stale_chapters(book)]


@pytest.mark.slow
def test_a_chapter_that_is_up_to_date_is_not_run_again(book):
    assert stale(book) == []
    assert [outcome.kept for outcome in execute(book, quiet)] == [True, True]


@pytest.mark.slow
def test_an_edited_chapter_is_run_again_and_the_others_are_not(book):
    edit(book.notebooks / "one.ipynb", "total()", "total() + 1")
    assert stale(book) == ["one"]


@pytest.mark.slow
def test_edited_text_of_a_chapter_runs_nothing(book):
    edit(book.notebooks / "one.ipynb", "It adds numbers", "It adds a few numbers")
    assert stale(book) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("notebooks/carebook/__init__.py", "sum(", "1 + sum("),
        ("notebooks/carebook/data/numbers.txt", "40", "50"),
        ("requirements.txt", "numpy==", "numpy==9."),
    ],
)
def test_an_edited_helper_data_file_or_lock_makes_every_chapter_stale(book, file, old, new):
    edit(book.root / file, old, new)
    assert stale(book) == ["one", "two"]


@pytest.mark.slow
def test_the_content_behind_a_data_variable_counts_and_not_its_date(book, tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "first_person.jsonl").write_text("{}\n", encoding="utf-8")
    book = Book.at(book.root, {"CAREBENCH_DATA": str(folder)})
    assert stale(book) == ["one", "two"]
    execute(book, quiet)
    (folder / "first_person.jsonl").write_text("{}\n", encoding="utf-8")
    assert stale(book) == []
    (folder / "exceptions.toml").write_text("", encoding="utf-8")
    assert stale(book) == ["one", "two"]


def test_paths_in_the_data_variables_are_made_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sources = data_sources({"IMBUE_DATA": "imbue.csv", "CAREBENCH_DATA": ""})
    assert sources == {"IMBUE_DATA": str(tmp_path.resolve() / "imbue.csv")}


@pytest.mark.slow
def test_kept_output_that_was_changed_by_hand_is_not_believed(book):
    edit(kept_notebook(book, book.notebooks / "one.ipynb"), '"42"', '"43"')
    assert stale(book) == ["one"]


@pytest.mark.slow
def test_an_edited_data_file_reaches_the_output(book):
    edit(book.notebooks / "carebook" / "data" / "numbers.txt", "40", "50")
    execute(book, quiet)
    assert '"52"' in output_text(kept_notebook(book, book.notebooks / "one.ipynb"))


@pytest.mark.slow
def test_a_failing_cell_fails_the_build_the_second_time_too_and_leaves_no_website(book):
    edit(book.notebooks / "one.ipynb", "total()", "total() / 0")
    for _ in range(2):
        said = []
        with pytest.raises(BuildFailed, match="Mend the cell"):
            build(book, said.append)
        assert "ZeroDivisionError" in "\n".join(said)
        assert not kept_notebook(book, book.notebooks / "one.ipynb").exists()
        assert not book.html.exists()
    assert (book.work / "failed" / "one.ipynb").exists()
    write_notebook(book.notebooks / "one.ipynb", FIRST)
    build(book, quiet)
    assert (book.html / "notebooks" / "one.html").exists()
