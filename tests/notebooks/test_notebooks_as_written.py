"""Committed notebooks: no outputs, no counts, kernel python3, ids of their own."""

import ast
import builtins
import re
import statistics
from pathlib import Path

import nbformat
import pytest
from fixture_book import edit, write_notebook
from gates import notebook_findings, source_findings
from layout import Book
from nbformat.v4 import new_code_cell, new_output

ROOT = Path(__file__).resolve().parents[2]


def change(cell=None, **metadata):
    """A notebook of one clean cell, changed in one way."""

    def write(path: Path) -> list[str]:
        write_notebook(path, [new_code_cell("1 + 1", id="sum")])
        notebook = nbformat.read(path, as_version=4)
        notebook.metadata.update(metadata)
        if cell:
            cell(notebook.cells)
        path.write_text(nbformat.writes(notebook), encoding="utf-8")
        return [finding.found for finding in notebook_findings(path, path.name)]

    return write


def give_output(cells):
    cells[0].outputs = [new_output("stream", text="2")]


def give_count(cells):
    cells[0].execution_count = 1


def empty(cells):
    cells[0].source = " \n"


def double(cells):
    cells.append(cells[0].copy())


def test_the_committed_notebooks_are_clean():
    findings = source_findings(Book.at(ROOT))
    assert not findings, "\n" + "\n".join(map(str, findings))


def test_a_clean_notebook_passes(tmp_path):
    assert change()(tmp_path / "a.ipynb") == []


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (change(give_output), "saved outputs"),
        (change(give_count), "an execution count"),
        (change(empty), "an empty code cell"),
        (change(kernelspec={"name": "ir", "display_name": "R"}), "'ir' instead of 'python3'"),
        (change(widgets={}), "saved widget state"),
    ],
    ids=["outputs", "count", "empty", "kernel", "widgets"],
)
def test_what_does_not_belong_in_a_notebook_is_named(tmp_path, write, message):
    assert write(tmp_path / "a.ipynb") == [message]


def test_an_id_used_twice_is_named(tmp_path):
    cells = [new_code_cell("1", id="first"), new_code_cell("2", id="second")]
    path = write_notebook(tmp_path / "a.ipynb", cells)
    edit(path, '"second"', '"first"')
    assert "first" in str(notebook_findings(path, "a.ipynb")[0])


def test_a_missing_id_is_named(tmp_path):
    path = write_notebook(tmp_path / "a.ipynb", [new_code_cell("1", id="only")])
    edit(path, '"id": "only",', "")
    assert notebook_findings(path, "a.ipynb")


def test_a_notebook_outside_the_table_of_contents_is_named(tmp_path):
    (tmp_path / "_toc.yml").write_text("root: index\nchapters: []\n", encoding="utf-8")
    write_notebook(tmp_path / "notebooks" / "06_lost.ipynb", [new_code_cell("1", id="one")])
    (finding,) = source_findings(Book(tmp_path, tmp_path / "_build"))
    assert "06_lost" in str(finding) and "_toc.yml" in str(finding)


# --- what a reader of the page can see ------------------------------------------------------------


def names_in(code):
    """The names that code defines or imports, and those that it uses."""
    tree = ast.parse(code)
    nodes = list(ast.walk(tree))
    named = [node for node in nodes if isinstance(node, ast.Name)]
    defined = {node.id for node in named if isinstance(node.ctx, ast.Store)}
    defined |= {n.name for n in nodes if isinstance(n, (ast.FunctionDef, ast.ExceptHandler))}
    defined |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    imports = [n for n in nodes if isinstance(n, (ast.Import, ast.ImportFrom))]
    defined |= {name.asname or name.name.split(".")[0] for n in imports for name in n.names}
    return defined, {node.id for node in named if isinstance(node.ctx, ast.Load)}


def unseen_names(cells):
    """(cell id, name) for each name that shown code uses and only hidden code defines."""
    seen, found = set(dir(builtins)), []
    for cell in cells:
        if cell.cell_type == "code" and "remove-input" not in cell.metadata.get("tags", []):
            defined, used = names_in(cell.source)
            found += [(cell.id, name) for name in sorted(used - defined - seen)]
            seen |= defined
    return found


def test_shown_code_uses_nothing_that_only_hidden_code_defines():
    hidden = new_code_cell("width = 3", id="hidden", metadata={"tags": ["remove-input"]})
    shown = new_code_cell("height = 2\nwidth * height", id="shown")
    assert unseen_names([hidden, shown]) == [("shown", "width")]


@pytest.mark.parametrize("path", sorted(ROOT.glob("notebooks/*.ipynb")), ids=lambda p: p.stem)
def test_readers_see_where_each_name_comes_from(path):
    assert unseen_names(nbformat.read(path, as_version=4).cells) == []


def shown_code(cells):
    """The code that a chapter shows in its text, cell by cell: no hidden cells, no solutions."""
    shown, in_solution = [], False
    for cell in cells:
        in_solution = in_solution or "solution-start" in cell.source
        tags = cell.metadata.get("tags", [])
        if cell.cell_type == "code" and not in_solution and "remove-input" not in tags:
            shown.append([line for line in cell.source.splitlines() if line.strip()])
        in_solution = in_solution and "solution-end" not in cell.source
    return shown


CHAPTERS = sorted(ROOT.glob("notebooks/0*.ipynb"))


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_code_comes_in_small_pieces_with_text_between(path):
    cells = nbformat.read(path, as_version=4).cells
    lengths = [len(lines) for lines in shown_code(cells)]
    assert statistics.median(lengths) <= 3 and max(lengths) <= 15
    everything = [cell.source.splitlines() for cell in cells if cell.cell_type == "code"]
    assert max(map(len, everything)) <= 25


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_a_chapter_has_exercises_with_solutions_and_a_quiz(path):
    text = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
    exercises = re.findall(r"\{exercise(?:-start)?\}", text)
    solved = re.findall(r"\{solution-start\}", text)
    assert len(exercises) >= 6 and len(solved) == len(exercises)
    assert text.count(":::{quiz}") >= 6
