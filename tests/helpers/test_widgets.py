"""Explorers: the right view for each choice, alive without a kernel, and text that stays text."""

import subprocess
import sys

import pandas as pd
import pytest

from carebook.figures import Described, panel_curve
from carebook.widgets import BUILDING, VIEWS, explorer, view_html


@pytest.fixture
def figure():
    return panel_curve(pd.DataFrame({"rmse": [0.4, 0.3]}, index=[1, 5]))


def parts(made):
    choice, stack = made.widget.children
    return choice, stack


def test_each_label_has_its_view_and_the_first_is_shown():
    choice, stack = parts(explorer([("a", "first"), ("b", "second")], name="Story"))
    assert list(choice.options) == ["a", "b"]
    assert choice.description == "Story"
    assert [child.value for child in stack.children] == ["<p>first</p>", "<p>second</p>"]
    assert (choice.index, stack.selected_index) == (0, 0)


def test_choice_and_view_are_linked_in_the_browser_and_not_in_python(monkeypatch):
    import ipywidgets

    linked = []
    monkeypatch.setattr(ipywidgets, "jslink", lambda *ends: linked.append(ends))
    choice, stack = parts(explorer([("a", "first"), ("b", "second")]))
    assert linked == [((choice, "index"), (stack, "selected_index"))]


def test_many_views_get_a_list_instead_of_buttons():
    few, _ = parts(explorer([(str(n), "text") for n in range(8)]))
    many, _ = parts(explorer([(str(n), "text") for n in range(9)]))
    assert (type(few).__name__, type(many).__name__) == ("RadioButtons", "Dropdown")


def test_a_figure_keeps_its_alternative_text(figure):
    page = view_html(figure)
    assert f'alt="{figure.alt}"' in page
    assert 'src="data:image/png;base64,' in page


def test_quotes_in_an_alternative_text_do_not_end_it(figure):
    awkward = Described(figure.figure, 'He said "2 of 5" <b>and</b> that was all there was to say.')
    assert 'alt="He said &quot;2 of 5&quot; &lt;b&gt;and&lt;/b&gt; that was' in view_html(awkward)


def test_text_from_data_is_shown_as_text():
    page = view_html("<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>")
    assert "<script" not in page and "<img" not in page
    assert page.count("<p>") == 2


def test_cells_of_a_table_are_shown_as_text():
    page = view_html(pd.DataFrame({"text": ["<script>alert(1)</script>"]}))
    assert "<table" in page and "<script>" not in page


def test_a_notebook_gets_a_widget_and_a_plain_text_that_names_the_views():
    bundle = explorer([("a", "first"), ("b", "second")], name="Story")._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] == "Story: a, b"


def test_the_build_of_the_website_gets_the_views_and_no_widget(monkeypatch, figure):
    monkeypatch.setenv(BUILDING, "1")
    made = explorer([("a", "<b>"), ("b", {"Drawn": figure})], name="Story")
    bundle = made._repr_mimebundle_()
    assert set(bundle) == {VIEWS, "text/plain"}
    assert bundle[VIEWS]["name"] == "Story"
    assert bundle[VIEWS]["views"][0] == {"label": "a", "html": "<p>&lt;b&gt;</p>"}
    assert bundle[VIEWS]["views"][1]["html"].startswith("<dl><dt>Drawn</dt><dd><img src=")


def test_parts_of_a_view_have_titles_and_both_are_shown_as_text():
    page = view_html({"<i>": {"Deeper": "<b>"}})
    assert page == (
        "<dl><dt>&lt;i&gt;</dt><dd><dl><dt>Deeper</dt><dd><p>&lt;b&gt;</p></dd></dl></dd></dl>"
    )


@pytest.mark.parametrize(
    ("views", "error", "message"),
    [
        ([], ValueError, "no views"),
        ([("a", {})], ValueError, "The view 'a' is empty"),
        ([("a", {"part": 7})], TypeError, "The view 'a: part' is a int"),
        ([("a", "x"), ("a", "y")], ValueError, "Two views are called 'a'"),
        ([("a", 7)], TypeError, "The view 'a' is a int"),
    ],
)
def test_what_cannot_be_explored_is_refused(views, error, message):
    with pytest.raises(error, match=message):
        explorer(views)


def test_importing_the_module_loads_no_widgets():
    program = "import sys, carebook.widgets; print('ipywidgets' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
