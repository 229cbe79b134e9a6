"""The website is built without a warning or not at all, and what changed reaches the pages."""

import shutil

import pages
import pytest
from fixture_book import edit, make_book
from gates import alt_problem, page_findings
from layout import Book
from nbformat.v4 import new_code_cell


def quiet(text: str) -> None:
    """Say nothing."""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A tiny book with its website."""
    root = make_book(tmp_path_factory.mktemp("book"))
    pages.build(Book.at(root, {}), quiet)
    return root


@pytest.fixture
def book(built, tmp_path):
    """A copy of it to break."""
    return Book.at(shutil.copytree(built, tmp_path / "copy"), {})


def page(book: Book, name: str) -> str:
    return (book.html / f"{name}.html").read_text(encoding="utf-8")


def refused(book: Book) -> str:
    """What the build says while it refuses the book."""
    said = []
    with pytest.raises(pages.BuildFailed):
        pages.build(book, said.append)
    assert not book.html.exists() and not pages.is_up_to_date(book)
    return "\n".join(said)


@pytest.mark.slow
def test_pages_show_the_outputs_and_the_computed_alt_text(book):
    assert "42" in page(book, "notebooks/one")
    assert 'alt="A single dot on an empty page."' in page(book, "notebooks/two")


@pytest.mark.slow
def test_only_a_page_with_formulas_loads_mathjax_and_none_loads_from_another_host(book):
    assert "mathjax/tex-mml-chtml.js" in page(book, "notebooks/one")
    assert "tex-mml-chtml" not in page(book, "notebooks/two")
    for name in ("notebooks/one", "notebooks/two", "book/index"):
        assert 'src="http' not in page(book, name) and "unpkg" not in page(book, name)


@pytest.mark.slow
def test_a_second_build_builds_nothing(book):
    before = (book.html / "book" / "index.html").stat().st_mtime_ns
    said = []
    pages.build(book, said.append)
    assert said == ["Chapters: 2 of 2 are up to date", "Pages: up to date"]
    assert (book.html / "book" / "index.html").stat().st_mtime_ns == before


@pytest.mark.slow
def test_every_sphinx_complaint_fails_the_build_and_all_are_named_at_once(book):
    edit(book.root / "book" / "index.md", "Read ", "```{nonsense}\n```\n\n{ref}`nowhere` Read ")
    edit(book.notebooks / "two.ipynb", "# Second chapter", "# Second\\n\\n{py:func}`carebook.no`")
    said = refused(book)
    assert "nonsense" in said and "nowhere" in said and "carebook.no" in said
    assert "index.md" in said and "two.ipynb" in said


@pytest.mark.slow
def test_an_edited_helper_or_data_file_reaches_the_page(book):
    edit(book.notebooks / "carebook" / "data" / "numbers.txt", "40", "8000")
    pages.build(book, quiet)
    assert "8002" in page(book, "notebooks/one")


@pytest.mark.slow
def test_an_edited_style_reaches_the_website(book):
    with (book.root / "book" / "assets" / "book.css").open("a", encoding="utf-8") as file:
        file.write("main { color: black; }\n")
    pages.build(book, quiet)
    assert "color: black" in (book.html / "_static" / "book.css").read_text(encoding="utf-8")


@pytest.mark.slow
def test_an_image_that_says_nothing_fails_the_build(book):
    edit(book.notebooks / "two.ipynb", "A single dot on an empty page.", "image")
    said = refused(book)
    assert "notebooks/two.html" in said and "'image'" in said


@pytest.mark.slow
def test_a_notebook_with_outputs_fails_the_build(book):
    edit(book.notebooks / "one.ipynb", '"execution_count": null', '"execution_count": 3')
    assert "cell 2 (add): an execution count" in refused(book)


@pytest.mark.slow
def test_a_message_on_the_error_stream_fails_the_build(book):
    from fixture_book import write_notebook

    warn = new_code_cell("import sys\nprint('careful', file=sys.stderr)", id="warn")
    title = new_code_cell("print('# Title')", id="title")
    write_notebook(book.notebooks / "two.ipynb", [title, warn])
    assert "stderr" in refused(book)


@pytest.mark.parametrize(
    ("alt", "source"),
    [
        (None, ""),
        ("  ", ""),
        ("Image", ""),
        ("../_images/3f2a9c.png", ""),
        ("_images/a-long-name-of-a-file", "../_images/a-long-name-of-a-file"),
        ("Ratings by person", ""),
    ],
)
def test_an_alt_text_without_meaning_is_a_problem(alt, source):
    assert alt_problem(alt, source)


def test_an_alt_text_that_carries_the_message_is_none():
    assert alt_problem("Observers rate control 0.4 points higher than writers.") is None


def test_images_of_the_theme_are_left_alone_and_those_of_the_article_are_not(tmp_path):
    html = '<nav><img src="logo.png"></nav><article><p><br><img src="a.png"></p></article>'
    (tmp_path / "a.html").write_text(html + '<img src="b.png">', encoding="utf-8")
    (finding,) = page_findings(tmp_path)
    assert "a.png" in str(finding) and "no alt text" in str(finding)
