"""The template is a chapter that every check accepts, and a new chapter starts from it."""

import json
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import hooks
import nbformat
import new_chapter
import pages
import pytest
from chapter_cells import said
from fixture_book import edit, make_book, write_notebook
from gates import notebook_findings, source_findings
from layout import Book
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

ROOT = Path(__file__).resolve().parents[2]
TOC = "root: book/index\nparts:\n  - chapters:\n      - file: notebooks/01_one\n  - caption: More\n"


def quiet(text: str) -> None:
    """Say nothing."""


@pytest.fixture
def book(tmp_path):
    """A book of one chapter, as far as starting another needs it."""
    (tmp_path / "_toc.yml").write_text(TOC, encoding="utf-8")
    write_notebook(tmp_path / "notebooks" / "01_one.ipynb", [new_code_cell("1", id="one")])
    return Book(tmp_path, tmp_path / "_build")


def test_the_template_is_as_clean_as_a_chapter():
    assert notebook_findings(new_chapter.TEMPLATE, "template") == []


def test_the_template_shows_the_whole_shape_of_a_chapter():
    cells = json.loads(new_chapter.TEMPLATE.read_text(encoding="utf-8"))["cells"]
    prose = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    parts = ["will be able to", "## What to take away", "## Your turn", "## Check yourself"]
    places = [prose.index(part) for part in [*parts, "**Where next.**"]]
    assert places == sorted(places)
    takeaways = re.findall(r"(?m)^- (.*)$", prose[places[1] : places[2]])
    assert takeaways and all(re.search(r"\{ref\}`[^`]+`\)\.$", line) for line in takeaways)
    assert ":::{quiz}" in prose and "{numref}" in prose and "**Time**" not in prose
    (solution,) = [c for c in cells if c["id"] == "solution-code"]
    assert "assert " in "".join(solution["source"])


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [(3.1, 3.5, "calling their situation new"), (2.0, 2.9, "familiar"), (2.8, 3.2, "can't tell")],
)
def test_the_result_of_the_template_has_a_text_for_each_side(low, high, words):
    care = SimpleNamespace(label="made up", synthetic=False)
    row = {"estimate": (low + high) / 2, "low": low, "high": high}
    text = said("../book/ext/template", "result", row=row, care=care)
    assert words in text and f"{low:.2f} to {high:.2f}" in text


def test_a_new_chapter_is_listed_after_the_others_and_passes_the_gate(book):
    path = new_chapter.create(book, "02_second_thoughts")
    assert [chapter.name for chapter in book.chapters()] == ["01_one.ipynb", path.name]
    assert source_findings(book) == []


def test_a_new_chapter_takes_its_title_and_its_labels_from_its_name(book):
    text = new_chapter.create(book, "02_second_thoughts").read_text(encoding="utf-8")
    assert "# Second thoughts" in text and "ex-second-thoughts" in text
    assert "TITLE" not in text and "LABEL" not in text


@pytest.mark.parametrize("name", ["", "coping", "2_coping", "02_Coping", "02_co-ping", "02 coping"])
def test_a_name_of_another_form_is_refused_with_an_example(book, name):
    with pytest.raises(new_chapter.NameProblem, match="ARGS=06_coping"):
        new_chapter.create(book, name)


def test_a_number_that_is_taken_is_refused(book):
    with pytest.raises(new_chapter.NameProblem, match="01_one.ipynb already"):
        new_chapter.create(book, "01_another")


@pytest.mark.slow
def test_the_template_builds_as_a_chapter_of_a_book(tmp_path):
    root = make_book(tmp_path / "book")
    shutil.rmtree(root / "notebooks" / "carebook")
    leave = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "notebooks" / "carebook", root / "notebooks" / "carebook", ignore=leave)
    for old, name in (("one", "01_one"), ("two", "02_loading_and_linking")):
        (root / "notebooks" / f"{old}.ipynb").unlink()
        title = new_markdown_cell(f"# Chapter {old}", id="title")
        write_notebook(root / "notebooks" / f"{name}.ipynb", [title])
        edit(root / "_toc.yml", f"notebooks/{old}", f"notebooks/{name}")
    shutil.copyfile(ROOT / "book" / "references.bib", root / "book" / "references.bib")
    (root / "book" / "index.md").write_text(
        "# Tiny book\n\n```{glossary}\nexperiencer\n  Who lived it.\n```\n\n"
        "```{bibliography}\n```\n",
        encoding="utf-8",
    )
    (root / "book" / "ethics.md").write_text("# Ethics\n\nTake care.\n", encoding="utf-8")
    edit(root / "_toc.yml", "chapters:\n", "chapters:\n- file: book/ethics\n")
    book = Book.at(root, {})
    new_chapter.create(book, "03_new")
    pages.build(book, quiet)
    page = (book.html / "notebooks" / "03_new.html").read_text(encoding="utf-8")
    assert "solution" in page and "synthetic" in page and 'class="quiz"' in page


def used(path: Path) -> Path:
    """A notebook as running and saving it in Jupyter leaves it."""
    cell = new_code_cell(
        "1 + 1", id="sum", execution_count=3, outputs=[new_output("stream", text="2")]
    )
    cell.metadata["execution"] = {"shell.execute_reply": "now"}
    write_notebook(path, [cell])
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata.kernelspec.display_name = "Python 3 (ipykernel)"
    notebook.metadata.language_info = {"name": "python", "version": "3.13.1"}
    notebook.metadata.widgets = {}
    nbformat.write(notebook, path)
    return path


def test_the_hook_clears_what_jupyter_puts_into_a_notebook(tmp_path, capsys):
    path = used(tmp_path / "a.ipynb")
    assert hooks.notebooks([str(path)]) == []
    text = path.read_text(encoding="utf-8")
    assert "3.13.1" not in text and "ipykernel" not in text and "reply" not in text
    assert "cleared" in capsys.readouterr().out


def test_the_hook_writes_no_notebook_that_is_clean(tmp_path):
    path = used(tmp_path / "a.ipynb")
    hooks.notebooks([str(path)])
    before = path.stat().st_mtime_ns
    hooks.notebooks([str(path)])
    assert path.stat().st_mtime_ns == before


def test_the_hook_puts_a_notebooks_keys_in_the_order_of_jupyter(tmp_path):
    path = used(tmp_path / "a.ipynb")
    hooks.clear(path)
    tidy = path.read_text(encoding="utf-8")
    turned = {name: value for name, value in reversed(json.loads(tidy).items())}
    path.write_text(json.dumps(turned, indent=1) + "\n", encoding="utf-8")
    hooks.clear(path)
    assert path.read_text(encoding="utf-8") == tidy


def test_the_chapters_are_as_the_hook_leaves_them(tmp_path):
    for chapter in [*Book.at(ROOT).chapters(), new_chapter.TEMPLATE]:
        copy = Path(shutil.copy(chapter, tmp_path))
        hooks.clear(copy)
        assert copy.read_bytes() == chapter.read_bytes(), chapter.name


def test_the_hook_leaves_a_file_alone_that_is_no_notebook(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text("{", encoding="utf-8")
    assert len(hooks.notebooks([str(path)])) == 1
    assert path.read_text(encoding="utf-8") == "{"
