"""A result that is typed into the text is found; a number that is no result is left alone."""

from decimal import Decimal
from pathlib import Path

import pytest
from execution import execute
from fixture_book import edit, make_book
from layout import Book
from nbformat.v4 import new_code_cell, new_notebook, new_output
from typed_results import compare, findings, numbers_in_markdown, other_book, results


def typed(text: str) -> list[str]:
    return [token for token, _ in numbers_in_markdown(text)]


def found(text: str, one: str, other: str) -> list[str]:
    def shown(value):
        cell = new_code_cell("x", outputs=[new_output("stream", text=value)])
        return {"a.ipynb": results(new_notebook(cells=[cell]))}

    return [str(f) for f in findings([("a.ipynb", "cell 1", text)], shown(one), shown(other))]


@pytest.mark.parametrize("text", ["0.50", ".5", "50 %", "50%", "0.5.", "-0.5", "(0.500)"])
def test_a_number_is_compared_by_its_value(text):
    ((_, stated),) = numbers_in_markdown(f"The share is {text}")
    assert Decimal("0.5") in stated


def test_thousands_are_read_with_and_without_a_comma():
    assert numbers_in_markdown("1,234 people")[0][1] == numbers_in_markdown("1234 people")[0][1]


@pytest.mark.parametrize(
    "text",
    [
        "the code `top(17)`",
        "```python\ntop(17)\n```",
        "a [link](page17.html)",
        "see {numref}`fig-17`",
        "{cite:p}`moors2013`",
        "as Moors said (2013)",
        "narrative 0017",
        "17. the next point",
        "Chapter 17 and Figure 17",
        "## 17 Groups",
        "the BFI-17",
        "about 17 minutes, or 15-17 min",
        "from 0 to 1",
        "<https://example.org/17>",
        "(table-17)=",
        "<!-- not a result: 17 -->17 by design",
    ],
)
def test_numbers_that_state_no_result_are_left_alone(text):
    assert typed(text) == []


def test_text_inside_a_directive_is_read():
    assert typed("```{note}\n:name: n17\nThe gap is 0.35.\n```") == ["0.35"]


def test_a_typed_result_is_reported_with_place_and_remedy():
    (line,) = found("The gap is 0.35 points.", "gap 0.35", "gap 0.41")
    assert "a.ipynb: cell 1: '0.35'" in line and "result cell" in line


def test_a_number_that_both_corpora_show_is_no_result():
    assert found("22 statements", "22 rows, 0.35", "22 rows, 0.41") == []


@pytest.mark.slow
def test_a_sum_typed_into_a_chapter_is_found_by_running_it_on_other_data(tmp_path):
    root = make_book(tmp_path)
    edit(root / "notebooks" / "carebook" / "__init__.py", "DATA = ", "import os\n\nDATA = ")
    edit(
        root / "notebooks" / "carebook" / "__init__.py",
        'Path(__file__).parent / "data" / "numbers.txt"',
        'Path(os.environ["IMBUE_DATA"])',
    )
    edit(root / "notebooks" / "one.ipynb", "It adds numbers", "It adds numbers and gets 42")
    ours = tmp_path / "ours.txt"
    ours.write_text("40\n2\n", encoding="utf-8")
    book = Book(root, root / "_build", {"IMBUE_DATA": str(ours)})
    theirs = other_book(book).sources["IMBUE_DATA"]
    Path(theirs).parent.mkdir(parents=True)
    Path(theirs).write_text("3\n4\n", encoding="utf-8")
    assert all(outcome.passed for outcome in execute(book))
    outcomes, reported = compare(book)
    assert all(outcome.passed for outcome in outcomes)
    assert [(f.file, f.found.split()[0]) for f in reported] == [("notebooks/one.ipynb", "'42'")]
