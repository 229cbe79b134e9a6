"""Elements that chapters use on their pages, in a tiny book: quiz, folded boxes, saved widgets."""

import pages
import printing
import pytest
from chromium import chromium_of_the_machine
from docutils import nodes
from fixture_book import edit, make_book, write_notebook
from layout import Book
from markup import mend_table
from nbformat.v4 import new_code_cell, new_markdown_cell
from overviews import helpers_used
from pictures import picture
from PIL import Image

from carebook.results import quoted

TOOLS = """# Tools

:::{quiz} What is one and **one**?
- right: Two.
  - As {doc}`../notebooks/one` shows.
- wrong: Three.
  - That is one too many.
- unsure: I have never added.
  - Then read about sums first.
:::

:::{admonition} A hint
:class: dropdown
Behind the fold.
:::

```{exercise}
:label: ex-add
Add one and one.
```

```{solution} ex-add
:class: dropdown
It is two.
```

```{glossary}
sum
  What adding gives.
```
"""
SLIDER = """import ipywidgets

ipywidgets.IntSlider(description="Level", value=3)"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A tiny book that uses every element and knows its address on the web."""
    root = make_book(tmp_path_factory.mktemp("tiny"))
    (root / "book" / "tools.md").write_text(TOOLS, encoding="utf-8")
    long = new_markdown_cell("# Widget\n\n" + "A line.\n\n" * 120, id="title")
    write_notebook(root / "notebooks" / "two.ipynb", [long, new_code_cell(SLIDER, id="slider")])
    edit(root / "_toc.yml", "- file: notebooks/one", "- file: book/tools\n- file: notebooks/one")
    edit(root / "_config.yml", "  # baseurl:", "  baseurl:")
    book = Book.at(root, {})
    pages.build(book, lambda text: None)
    return book


@pytest.mark.slow
def test_a_choice_shows_its_own_explanation_by_mouse_and_key(tiny, visit):
    opened = visit((tiny.html / "book/tools.html").as_uri())
    quiz = opened.page.get_by_role("group", name="Question 1")
    assert "**" not in quiz.inner_text() and not quiz.get_by_text("Not quite.").is_visible()
    quiz.get_by_text("Three.").click()
    assert quiz.get_by_text("Not quite.").is_visible()
    quiz.locator("summary").first.focus()
    opened.page.keyboard.press("Enter")
    assert quiz.get_by_text("Right.").is_visible()
    assert not quiz.get_by_text("Not quite.").is_visible()
    assert opened.problems == []


@pytest.mark.slow
def test_a_reader_who_is_unsure_is_told_where_to_go_on_and_not_that_it_was_wrong(tiny, visit):
    page = visit((tiny.html / "book/tools.html").as_uri()).page
    quiz = page.get_by_role("group", name="Question 1")
    quiz.get_by_text("I have never added.").click()
    assert quiz.get_by_text("Then read about sums first.").is_visible()
    assert not quiz.get_by_text("Not quite.").is_visible()
    assert not quiz.get_by_text("Right.").is_visible()


@pytest.mark.slow
def test_folded_boxes_open_without_a_script(tiny, visit):
    page = visit((tiny.html / "book/tools.html").as_uri(), java_script_enabled=False).page
    for line, hidden in [("A hint", "Behind the fold."), ("Solution to", "It is two.")]:
        assert not page.get_by_text(hidden).is_visible()
        page.locator("summary", has_text=line).click()
        assert page.get_by_text(hidden).is_visible()
    assert page.locator("summary a").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("quiz", "complaint"),
    [
        ("- right: Two.\n- wrong: Three.\n  - No.", "no explanation"),
        ("- right: Two.\n  - A sum.\n- Three.\n  - Too many.", "has to start with"),
        ("- wrong: Two.\n  - A sum.\n- unsure: Three.\n  - Read on.", "one of them right"),
        ("- right: Two.\n  - Right, it is.\n- wrong: Three.\n  - A lot.", "leave that word out"),
    ],
)
def test_a_quiz_that_is_not_complete_is_refused(tmp_path, quiz, complaint):
    assert complaint in complaints_about(f":::{{quiz}} Sum?\n{quiz}\n:::\n", tmp_path)


@pytest.mark.slow
def test_a_quotation_keeps_the_marks_that_its_writer_typed(tmp_path):
    from sphinx.testing.util import SphinxTestApp
    from sphinx.util.docutils import docutils_namespace

    (tmp_path / "conf.py").write_text(
        'extensions = ["myst_parser", "quotations"]\nlanguage = "en"\n'
    )
    said = '"It\'s over..." -- so it was'
    (tmp_path / "index.md").write_text(f"# Title\n\n{quoted(said)}\n\n{said}\n", encoding="utf-8")
    with docutils_namespace():
        app = SphinxTestApp("dummy", srcdir=tmp_path)
        app.build()
        page = app.env.get_doctree("index")
        app.cleanup()
    assert next(page.findall(nodes.block_quote)).astext() == said
    assert page.astext().count(said) == 1  # elsewhere the marks are set as the book does it


def complaints_about(text: str, folder) -> str:
    """What Sphinx says about a page with the quiz directive, and nothing else."""
    import io

    from sphinx.testing.util import SphinxTestApp
    from sphinx.util.docutils import docutils_namespace

    (folder / "conf.py").write_text(
        'extensions = ["myst_parser", "quiz"]\nmyst_enable_extensions = ["colon_fence"]\n'
    )
    (folder / "index.md").write_text(f"# Title\n\n{text}", encoding="utf-8")
    said = io.StringIO()
    with docutils_namespace():
        app = SphinxTestApp("dummy", srcdir=folder, warning=said)
        app.build()
        app.cleanup()
    return said.getvalue()


@pytest.mark.slow
def test_the_code_of_widgets_is_loaded_when_one_comes_near_and_elsewhere_not_at_all(tiny, visit):
    opened = visit((tiny.html / "notebooks/two.html").as_uri())
    assert not any("embed-amd" in address for address in opened.requests)
    opened.page.locator(".widget-place").scroll_into_view_if_needed()
    opened.page.get_by_role("slider", name="Level").wait_for()
    assert opened.problems == []
    assert "widgets.js" not in (tiny.html / "notebooks/one.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_formulas_are_set_when_one_comes_near(tiny, visit):
    opened = visit((tiny.html / "notebooks/one.html").as_uri())
    opened.page.locator(".math").first.scroll_into_view_if_needed()
    opened.page.locator("mjx-container").first.wait_for()
    assert opened.problems == []


@pytest.mark.slow
def test_a_known_address_adds_a_sitemap_and_cards(tiny):
    sitemap = (tiny.html / "sitemap.xml").read_text(encoding="utf-8")
    assert sitemap.count("<loc>https://example.org/book/") == len(tiny.pages())
    page = (tiny.html / "notebooks/one.html").read_text(encoding="utf-8")
    card = "_static/cards/notebooks-one.png"
    assert f'property="og:image" content="https://example.org/book/{card}"' in page
    with Image.open(tiny.html / card) as opened:
        assert opened.size == (1200, 630)


@pytest.mark.slow
def test_an_unknown_address_adds_neither(html):
    assert not (html / "sitemap.xml").exists()
    assert "og:image" not in (html / "book/index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_whole_book_is_one_document_whose_links_stay_inside(tiny):
    whole = printing.put_together(tiny)
    assert whole.count('class="printed-page"') == len(tiny.pages())
    assert 'href="#notebooks-one"' in whole and 'id="notebooks-one--sums"' in whole
    assert 'href="../' not in whole and 'src="../' not in whole


@pytest.mark.slow
def test_the_book_is_printed_to_a_pdf(tiny):
    if chromium_of_the_machine() is None:
        pytest.skip("no Chromium to print with")
    assert printing.print_book(tiny).read_bytes().startswith(b"%PDF")
    assert not (tiny.html / "whole-book.html").exists()


def test_headers_of_a_table_say_what_they_head():
    table = (
        '<table class="dataframe"><thead><tr><th></th><th>a</th></tr></thead>'
        "<tbody><tr><th>x</th><td>1.5</td><td>word</td></tr></tbody></table>"
    )
    mended = mend_table(table)
    assert '<th scope="col">a' in mended and '<th scope="row">x' in mended
    assert "<thead><tr><td></td>" in mended
    assert "<td>1.5</td>" in mended and '<td class="text">word</td>' in mended


def test_an_image_gets_its_size_and_a_smaller_twin_without_loss(tmp_path):
    source = tmp_path / "a.png"
    Image.effect_noise((400, 200), 1).convert("RGB").save(source)
    made = picture({"src": "_images/a.png", "style": "width: 100px;"}, source, tmp_path)
    assert 'width="100" height="50"' in made and 'srcset="_images/a.png.webp"' in made
    with Image.open(source) as one, Image.open(tmp_path / "a.png.webp") as two:
        assert one.tobytes() == two.convert("RGB").tobytes()


def test_only_helpers_that_the_code_uses_are_named():
    code = "from carebook import figures, load_carebench\nfrom numpy import mean\nfigures.gap(1)"
    assert helpers_used(code) == ["carebook.figures.gap", "carebook.load_carebench"]
