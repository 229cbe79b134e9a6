"""Records with markup, terminal codes, direction marks and emoji are only text on the website."""

import pages
import pytest
from fixture_book import make_book, write_notebook
from layout import Book
from nbformat.v4 import new_code_cell, new_markdown_cell

from carebook.results import quoted

TEXT = (
    "<script>window.harmed = 1</script><img src=x onerror='window.harmed = 2'> "
    "[link](javascript:window.harmed=3) `{{ 7*7 }}` {eval-rst} $x^2$ \x1b[31mred\x1b[0m \u202eevil "
    "😀👩‍👩‍👧 日本\n# no heading\n:::{note}\nno note\n:::\n" + "long " * 4000
)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A tiny book whose second chapter shows the text as a quotation, a table and print-out."""
    root = make_book(tmp_path_factory.mktemp("hostile") / "book")
    cells = [
        new_markdown_cell("# Second chapter", id="title"),
        new_code_cell(f"text = {TEXT!r}\nprint(text[:400])", id="printed"),
        new_code_cell(
            f"from IPython.display import Markdown\nMarkdown({quoted(TEXT)!r})", id="quoted"
        ),
        new_code_cell("import pandas as pd\npd.DataFrame({text[:300]: [text]})", id="table"),
        new_code_cell("{'value': text}", id="value"),
    ]
    write_notebook(root / "notebooks" / "two.ipynb", cells)
    book = Book.at(root, {})
    pages.build(book, lambda text: None)  # fails on any warning
    return book


@pytest.mark.slow
def test_hostile_texts_are_shown_and_do_nothing(built, serve, visit):
    opened = visit(f"{serve(built.html)}/notebooks/two.html")
    opened.see_everything()
    article = opened.page.locator("article")
    shown = article.locator("blockquote").inner_text()
    heads = article.locator("h1, h2").all_inner_texts()
    assert opened.page.evaluate("window.harmed") is None
    assert article.locator("script, img[src='x'], a[href^=javascript]").count() == 0
    assert opened.problems == []
    assert "<script>window.harmed = 1</script>" in shown and "[link](javascript:" in shown
    assert "\\x1b[31mred" in shown and "\\u202eevil" in shown and "😀👩‍👩‍👧 日本" in shown
    assert len(heads) == 1 and "# no heading" in shown
