"""Notebooks become texts and come back without losing a cell, an id or somebody's changes."""

import shutil
from pathlib import Path

import commands
import editing
import make
import nbformat
import pytest
from editing import EditingProblem, to_cells, to_text, with_cells
from execution import read_notebook
from fixture_book import edit as replace
from fixture_book import write_notebook
from hypothesis import given
from hypothesis import strategies as st
from layout import Book
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell

ROOT = Path(__file__).resolve().parents[2]
REAL = editing.notebooks(Book.at(ROOT))
FIGURE = {"mystnb": {"figure": {"caption": 'One: "two", three', "name": "fig-one"}}}


def quiet(text: str) -> None:
    """Say nothing."""


def there_and_back(notebook):
    return with_cells(notebook, to_cells(to_text(notebook)))


# --- any notebook -------------------------------------------------------------------------------

WORDS = ["care", "x = 1", "# A heading", "- a point", "  - below", "> said", "| a | b |", "---", ""]
WORDS += [":::{quiz} Why?", ":::", "````{solution-end}", "````", "```python", "```", "é “…” 0007"]
TRAPS = [
    "+++",
    '+++ {"id": "x"}',
    "```{code-cell}",
    ":tags: [a]",
    "$$",
    "<!-- no",
    "\x0c",
    "\r",
]

ids = st.from_regex(r"[a-zA-Z0-9_-]{1,12}", fullmatch=True)
PLAIN = st.text("abcXYZ0189 :;,.'\"#&*!|>%@`{}[]-?é–”\n\t\\", max_size=6)


def metadata(texts):
    """What stands beside a cell: names and values, the values nested."""
    values = st.recursive(
        st.none() | st.booleans() | st.integers(-9, 9) | texts,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner),
        max_leaves=4,
    )
    return st.dictionaries(texts.filter(lambda key: key not in ("", "id")), values)


@st.composite
def some_notebook(draw, lines, texts=PLAIN):
    """A notebook of cells of all three kinds, with texts put together from these lines."""
    makers = st.sampled_from([new_code_cell, new_markdown_cell, new_raw_cell])
    sources = st.lists(lines, min_size=1, max_size=5).map("\n".join)
    cells = []
    for name in draw(st.lists(ids, min_size=1, max_size=5, unique=True)):
        kept = nbformat.from_dict(draw(metadata(texts)))
        kept = {key: value for key, value in kept.items() if key not in ("tags", "name", "format")}
        cells.append(draw(makers)(draw(sources), id=name, metadata=kept))
    return new_notebook(cells=cells, metadata={"title": "Any"})


@given(some_notebook(st.sampled_from(["care", "x = 1", "# A heading", "- a point", "é “…” 0007"])))
def test_plain_cells_of_every_kind_come_back_exactly(notebook):
    assert nbformat.writes(there_and_back(notebook)) == nbformat.writes(notebook)


@given(some_notebook(st.sampled_from(WORDS + TRAPS) | st.text(max_size=8), st.text(max_size=6)))
def test_whatever_a_cell_holds_it_comes_back_exactly_or_is_refused_by_name(notebook):
    try:
        text = to_text(notebook)
    except EditingProblem as problem:
        assert any(repr(cell.id) in str(problem) for cell in notebook.cells)
    else:
        back = with_cells(notebook, to_cells(text))
        assert nbformat.writes(back) == nbformat.writes(notebook)


def test_a_text_cell_that_reads_like_the_beginning_of_a_code_cell_is_refused_by_name():
    cell = new_markdown_cell("```{code-cell}\n:::{quiz} Why?", id="odd")
    with pytest.raises(EditingProblem, match="'odd'"):
        to_text(new_notebook(cells=[new_markdown_cell("Plain.", id="plain"), cell]))


def test_a_text_cell_that_swallows_the_next_one_is_refused_by_name():
    odd = new_markdown_cell("```{code-cell}\n---", id="odd")
    after = [new_markdown_cell("---\n:", id="next"), new_markdown_cell("Plain.", id="plain")]
    with pytest.raises(EditingProblem, match="'odd'"):
        to_text(new_notebook(cells=[new_markdown_cell("Plain.", id="first"), odd, *after]))


def test_an_assignment_that_is_called_like_a_chapter_has_a_name_of_its_own():
    chapter, assignment = REAL["03_perspectives"], REAL["assignment-03_perspectives"]
    assert chapter != assignment and "assignments" in assignment.parts


@pytest.mark.parametrize("name", sorted(REAL))
def test_every_notebook_of_the_book_comes_back_byte_for_byte(name):
    back = there_and_back(read_notebook(REAL[name]))
    assert nbformat.writes(back).rstrip("\n") + "\n" == REAL[name].read_text(encoding="utf-8")


def test_a_text_shows_prose_as_it_is_with_ids_and_settings_beside_it():
    cells = [
        new_markdown_cell("# Title\n\nA *word*.", id="title"),
        new_code_cell("1 + 1", id="sum", metadata={"tags": ["remove-input"]}),
    ]
    assert to_text(new_notebook(cells=cells)) == (
        '+++ {"id": "title"}\n\n# Title\n\nA *word*.\n\n'
        "```{code-cell}\n:id: sum\n:tags: [remove-input]\n\n1 + 1\n```\n"
    )


@pytest.mark.parametrize("source", ["", " \n", "words\n", "\nwords", "a\n+++\nb", "```\nopen"])
def test_a_cell_that_a_text_cannot_hold_is_refused_by_name(source):
    cells = [new_markdown_cell(source, id="odd"), new_markdown_cell("Next.", id="next")]
    with pytest.raises(EditingProblem, match="'odd'"):
        to_text(new_notebook(cells=cells))


# --- changes ------------------------------------------------------------------------------------


@pytest.fixture
def book(tmp_path):
    """A book of one chapter with something of everything."""
    (tmp_path / "_toc.yml").write_text("root: notebooks/01_one\n", encoding="utf-8")
    write_notebook(
        tmp_path / "notebooks" / "01_one.ipynb",
        [
            new_markdown_cell("# One", id="title"),
            new_code_cell("1 + 1", id="sum", metadata=FIGURE),
            new_markdown_cell("It is two.", id="read"),
            new_markdown_cell("Where next.", id="next"),
        ],
    )
    return Book(tmp_path, tmp_path / "_build")


def text_of(book: Book) -> Path:
    return book.work / "edit" / "01_one.md"


def chapter(book: Book) -> Path:
    return book.notebooks / "01_one.ipynb"


def cells_of(book: Book) -> list[tuple[str, str]]:
    return [(cell.id, cell.source) for cell in read_notebook(chapter(book)).cells]


def test_a_text_that_nobody_changed_changes_no_notebook(book):
    before = chapter(book).read_bytes()
    editing.edit(book, [], quiet)
    assert editing.save(book, [], say=quiet) == [] and chapter(book).read_bytes() == before


def test_a_changed_sentence_changes_one_line_of_the_notebook(book):
    before = chapter(book).read_text(encoding="utf-8")
    editing.edit(book, [], quiet)
    replace(text_of(book), "It is two.", "It makes two.")
    assert editing.save(book, [], say=quiet) == [chapter(book)]
    assert chapter(book).read_text("utf-8") == before.replace("It is two.", "It makes two.")
    assert editing.save(book, [], say=quiet) == []


def test_new_cells_get_ids_of_their_first_words_and_the_others_keep_theirs(book):
    editing.edit(book, ["notebooks/01_one.ipynb"], quiet)
    replace(
        text_of(book), "It is two.\n", "It is two.\n\n```{code-cell}\n2 + 2\n```\n\nIt is four.\n"
    )
    replace(text_of(book), "Where next.\n", "Where next.\n\n+++\n\n# One\n")
    editing.save(book, ["01_one"], say=quiet)
    names = [name for name, _ in cells_of(book)]
    assert names == ["title", "sum", "read", "2-2", "it-is-four", "next", "one"]


def test_moved_cells_keep_their_ids_and_their_settings(book):
    editing.edit(book, [], quiet)
    first, rest = text_of(book).read_text("utf-8").split("```{code-cell}")
    code, rest = rest.split("```\n", 1)
    text_of(book).write_text(first + rest + "\n```{code-cell}" + code + "```\n", encoding="utf-8")
    editing.save(book, [], say=quiet)
    assert [name for name, _ in cells_of(book)] == ["title", "read", "next", "sum"]
    assert read_notebook(chapter(book)).cells[-1].metadata == FIGURE


def test_outputs_stay_with_the_code_that_made_them_and_go_with_changed_code(book):
    notebook = read_notebook(chapter(book))
    notebook.cells[1].outputs = [new_output("stream", text="2")]
    notebook.cells[1].execution_count = 1
    text = to_text(notebook)
    kept = with_cells(notebook, to_cells(text.replace("It is", "It makes"))).cells[1]
    assert kept.outputs and kept.execution_count == 1
    changed = with_cells(notebook, to_cells(text.replace("1 + 1", "1 + 2"))).cells[1]
    assert changed.outputs == [] and changed.execution_count is None


def refused(book: Book, *names: str, gone=()) -> str:
    """What `save` says while it leaves the notebook as it is."""
    before = chapter(book).read_bytes()
    with pytest.raises(EditingProblem) as problem:
        editing.save(book, list(names), gone, quiet)
    assert chapter(book).read_bytes() == before
    return str(problem.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"id": "next"', '"id": "read"', "'read' is used for more than one cell"),
        ('+++ {"id": "next"}\n', "", "'next' is gone"),
        ('+++ {"id": "next"}\n', "+++\n", "'next' is gone"),
        ("id: sum\n", "", "'sum' is gone"),
        ("name: fig-one", "name: [fig-one", "could not be read"),
        ('{"id": "next"}', '{"id": "next"', "could not be read"),
        ('"next"', '"where next"', "is no id"),
        ("id: sum", "id: 12", "12 is no id"),
        ("It is two.", "It is two.\n\n```python", "gone"),
        ("It is two.", "<<<<<<< your text\nIt is two.\n>>>>>>> the notebook", "both sides"),
    ],
)
def test_what_would_lose_an_id_is_refused(book, old, new, message):
    editing.edit(book, [], quiet)
    replace(text_of(book), old, new)
    said = refused(book)
    assert message in said and said.startswith("01_one.md: ")


def test_a_cell_goes_when_its_id_is_named_and_only_then(book):
    editing.edit(book, [], quiet)
    replace(text_of(book), '+++ {"id": "next"}\n\nWhere next.\n', "")
    assert "--without next" in refused(book)
    assert "Name the notebook" in refused(book, gone=["next"])
    editing.save(book, ["01_one"], ["next"], quiet)
    assert [name for name, _ in cells_of(book)] == ["title", "sum", "read"]


def test_an_unknown_notebook_is_refused_with_those_that_there_are(book):
    with pytest.raises(EditingProblem, match="no notebook '01_won'.*01_one"):
        editing.edit(book, ["01_won"], quiet)
    editing.edit(book, [], quiet)
    shutil.copy(text_of(book), text_of(book).with_name("stray.md"))
    assert "no notebook 'stray'" in refused(book)


def test_there_has_to_be_a_text_and_one_that_was_made_here(book):
    assert "make edit" in refused(book)
    editing.edit(book, [], quiet)
    shutil.rmtree(book.work / "edit" / ".base")
    assert "not made here" in refused(book)
    replace(text_of(book), "two", "2")
    with pytest.raises(EditingProblem, match="not made here"):
        editing.edit(book, [], quiet)


def test_all_texts_are_saved_or_none(book):
    write_notebook(book.notebooks / "02_two.ipynb", [new_markdown_cell("# Two", id="title")])
    editing.edit(book, ["01_one", "02_two"], quiet)
    replace(text_of(book), "It is two.", "It makes two.")
    replace(book.work / "edit" / "02_two.md", '{"id": "title"}', "")
    assert "02_two.md" in refused(book)


# --- two hands ----------------------------------------------------------------------------------


def test_editing_again_leaves_unsaved_changes_alone(book):
    editing.edit(book, [], quiet)
    replace(text_of(book), "It is two.", "It makes two.")
    said = []
    editing.edit(book, [], said.append)
    assert "not saved" in said[0] and "It makes two." in text_of(book).read_text("utf-8")


def test_a_newer_notebook_is_not_overwritten(book):
    editing.edit(book, [], quiet)
    replace(text_of(book), "It is two.", "It makes two.")
    replace(chapter(book), "Where next.", "Where to go.")
    assert "has changed since" in refused(book)


def test_changes_on_both_sides_come_together_in_the_text(book):
    editing.edit(book, [], quiet)
    replace(text_of(book), "It is two.", "It makes two.")
    replace(chapter(book), "Where next.", "Where to go.")
    editing.edit(book, [], quiet)
    editing.save(book, [], say=quiet)
    assert [source for _, source in cells_of(book)] == [
        *("# One", "1 + 1", "It makes two.", "Where to go.")
    ]


def test_the_same_line_changed_on_both_sides_is_marked_and_has_to_be_decided(book):
    editing.edit(book, [], quiet)
    replace(text_of(book), "It is two.", "It makes two.")
    replace(chapter(book), "It is two.", "It equals two.")
    said = []
    editing.edit(book, [], said.append)
    text = text_of(book).read_text("utf-8")
    assert "<<<<<<<" in said[0] and "It makes two." in text and "It equals two." in text
    assert "both sides" in refused(book)
    mine = text.split("<<<<<<< your text\n")
    kept, rest = mine[1].split("=======\n")
    text_of(book).write_text(mine[0] + kept + rest.split(">>>>>>> the notebook\n")[1], "utf-8")
    editing.save(book, [], say=quiet)
    assert ("read", "It makes two.") in cells_of(book)


def test_an_unchanged_text_follows_the_notebook(book):
    editing.edit(book, [], quiet)
    replace(chapter(book), "It is two.", "It equals two.")
    assert editing.save(book, [], say=quiet) == []
    editing.edit(book, [], quiet)
    assert "It equals two." in text_of(book).read_text("utf-8")


# --- the commands -------------------------------------------------------------------------------


def test_the_commands_edit_and_save_and_say_what_comes_next(book, monkeypatch, capsys):
    monkeypatch.setattr(commands, "ROOT", book.root)
    assert commands.edit([]) == 0
    replace(text_of(book), '+++ {"id": "next"}\n\nWhere next.\n', "")
    assert commands.save([]) == 1
    assert commands.save(["01_one", "--without", "next"]) == 0
    assert commands.save([]) == 0 and commands.edit(["nothing"]) == 1
    said = capsys.readouterr().out
    assert "make save" in said and "Nothing was saved." in said and "make tidy" in said
    assert "No text has changed" in said and "no notebook 'nothing'" in said


def test_cleaning_up_leaves_the_texts_alone(tmp_path, monkeypatch):
    for name in ("_build/edit/a.md", "_build/html/a.html", "_build/site.json", ".ruff_cache/a"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x", encoding="utf-8")
    monkeypatch.setattr(make, "ROOT", str(tmp_path))
    assert make.clean() == 0
    left = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")]
    assert sorted(left) == ["_build", "_build/edit", "_build/edit/a.md"]
