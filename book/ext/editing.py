"""Notebooks as text files, to write in with any editor, and back: ``make edit``, ``make save``.

The text is Jupytext's MyST format: prose stands as it is, ``+++`` begins a cell of prose and
``{code-cell}`` one of code, each with the cell's id and metadata beside it. What a text can't hold
exactly is refused, cell by cell, before anything is written.

Beside each text stands its *base*, the text of the notebook that it was made from. It tells which
side has changed since: the text, the notebook, or both. Changes on both sides are brought together
by Git's own merge, in the text, where its author sees them.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path

import nbformat
from execution import read_notebook
from jupytext.myst import myst_to_notebook, notebook_to_myst
from layout import Book, tree_files

CONFLICT = re.compile(r"(?m)^(?:<{7}|>{7}) ")
ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
STRAY = "it was not made here. Move it away, then `make edit` again."


class EditingProblem(Exception):
    """A text can't be made, or brought back, without losing something; the message says what."""


# --- one notebook as one text -------------------------------------------------------------------


def to_text(notebook: nbformat.NotebookNode) -> str:
    """The cells of a notebook as a MyST text, with their ids and metadata, without outputs.

    Raises
    ------
    EditingProblem
        When the text, read again, would not give back each cell exactly.
    """
    cells = [_with_id(cell) for cell in notebook.cells]
    text = _text_of(cells)
    try:
        kept = [_parts(cell) for cell in to_cells(text)]
    except EditingProblem as problem:
        odd = next((cell for cell in cells if not _comes_back(cell)), cells[-1])
        name = odd.metadata["id"]
        raise EditingProblem(
            f"The cell {name!r} reads like the beginning of another: {problem}"
        ) from None
    for place, cell in enumerate(notebook.cells):
        if place >= len(kept) or kept[place] != _parts(cell):
            raise EditingProblem(
                f"The cell {cell.id!r} can't be kept exactly in a text: it is empty, starts or "
                "ends with an empty line, leaves a block open, holds a line that begins a cell, "
                "or has odd characters. Mend it in JupyterLab."
            )
    if len(kept) > len(notebook.cells):
        raise EditingProblem(f"The cell {notebook.cells[-1].id!r} would become two: mend it.")
    return text


def _text_of(cells: list[nbformat.NotebookNode]) -> str:
    return notebook_to_myst(nbformat.from_dict({"metadata": {}, "cells": cells}))


def _comes_back(cell: nbformat.NotebookNode) -> bool:
    """Whether a cell is what it was, if it is written and read alone."""
    try:
        (alone,) = to_cells(_text_of([cell]))
    except (EditingProblem, ValueError):
        return False
    return alone.source == cell.source and alone.cell_type == cell.cell_type


def _with_id(cell: nbformat.NotebookNode) -> nbformat.NotebookNode:
    if "id" in cell.metadata:
        raise EditingProblem(f"The cell {cell.id!r} has an id among its metadata: take it out.")
    metadata = {"id": cell.id, **cell.metadata}
    return nbformat.from_dict(
        {"cell_type": cell.cell_type, "source": cell.source, "metadata": metadata}
    )


def _parts(cell: nbformat.NotebookNode) -> tuple:
    """All that a text keeps of a cell; the order of its metadata, too."""
    return cell.get("id"), cell.cell_type, cell.source, _ordered(cell.metadata)


def _ordered(value: object) -> object:
    if isinstance(value, dict):
        return [(name, _ordered(inner)) for name, inner in value.items()]
    if isinstance(value, list):
        return [_ordered(inner) for inner in value]
    return type(value), value


def to_cells(text: str) -> list[nbformat.NotebookNode]:
    """The cells of a text; one that was written without an id has None in its place.

    Raises
    ------
    EditingProblem
        When the metadata beside a cell can't be read.
    """
    try:
        notebook = myst_to_notebook(text)
    except Exception as problem:  # the parsers of YAML, JSON and notebooks have errors of their own
        reason = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise EditingProblem(f"{reason}. Mend the line that begins the cell.") from None
    for cell in notebook.cells:
        cell["id"] = cell.metadata.pop("id", None)
    return notebook.cells


def with_cells(
    notebook: nbformat.NotebookNode, cells: list[nbformat.NotebookNode], gone: Collection[str] = ()
) -> nbformat.NotebookNode:
    """The notebook with the cells of a text: what the text doesn't hold stays as it was.

    A changed code cell loses its outputs, which are no longer its own.

    Parameters
    ----------
    notebook : NotebookNode
        As the text's author last saw it.
    cells : list of NotebookNode
        From `to_cells`. Those without an id get one, made of their first words.
    gone : collection of str
        Ids of the cells that the author has deleted.

    Raises
    ------
    EditingProblem
        When an id stands twice, is none, or is missing and not in `gone`.
    """
    before = {cell.id: cell for cell in notebook.cells}
    counts = Counter(cell.id for cell in cells if cell.id is not None)
    doubled = [name for name, count in counts.items() if count > 1]
    if doubled:
        raise EditingProblem(
            f"{_listed(doubled)} used for more than one cell. Take the id out of the new one: it "
            "then gets one of its own."
        )
    wrong = [name for name in counts if not (isinstance(name, str) and ID.fullmatch(name))]
    if wrong:
        raise EditingProblem(
            f"{wrong[0]!r} is no id: take letters, digits and hyphens, 64 at most."
        )
    missing = [name for name in before if name not in counts and name not in gone]
    if missing:
        raise EditingProblem(
            f"{_listed(missing)} gone from the text. Put back the line that begins the cell, or, "
            f"if the cell is meant to go, say so: --without {','.join(missing)}"
        )
    names, made = set(before) | set(counts), []
    for cell in cells:
        if cell.id is None:
            cell["id"] = fresh_id(cell.source, names)
            names.add(cell.id)
        made.append(_updated(before.get(cell.id), cell))
    return nbformat.from_dict({**notebook, "cells": made})


def _listed(ids: list[str]) -> str:
    """Some ids as the beginning of a sentence."""
    quoted = ", ".join(repr(name) for name in ids)
    return f"The id {quoted} is" if len(ids) == 1 else f"The ids {quoted} are"


def _updated(old: nbformat.NotebookNode | None, new: nbformat.NotebookNode):
    if old is None or old.cell_type != new.cell_type:
        return new
    changed = {} if old.source == new.source else {"outputs": [], "execution_count": None}
    kept = {**old, **(changed if old.cell_type == "code" else {})}
    return nbformat.from_dict({**kept, "source": new.source, "metadata": new.metadata})


def fresh_id(source: str, taken: Collection[str]) -> str:
    """An id of a text's first words that isn't taken.

    Examples
    --------
    >>> fresh_id("## Why they differ\\n\\nPeople want different things.", {"title"})
    'why-they-differ'
    >>> fresh_id("care.people", {"care-people", "care-people-2"})
    'care-people-3'
    """
    words = "-".join(re.findall(r"[a-z0-9]+", source.lower())[:3])[:40].strip("-") or "cell"
    names = [words, *(f"{words}-{number}" for number in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


# --- the texts of a book ------------------------------------------------------------------------


def folder(book: Book) -> Path:
    """Where the texts are: Git ignores it, and ``make clean`` leaves it alone."""
    return book.work / "edit"


def notebooks(book: Book) -> dict[str, Path]:
    """Every notebook that can be edited, by name: chapters, assignments, the template."""
    found = [path for path in tree_files(book.notebooks) if path.suffix == ".ipynb"]
    template = book.root / "book" / "ext" / "template.ipynb"
    return {name_of(path): path for path in [*found, template] if path.exists()}


def name_of(path: Path) -> str:
    """A notebook's name; an assignment's says so, since it may be called like its chapter."""
    return f"assignment-{path.stem}" if "assignments" in path.parts else path.stem


def named(book: Book, names: list[str], of_all: list[str]) -> dict[str, Path]:
    """The notebooks of these names, or of all names when there are none."""
    known = notebooks(book)
    wanted = [name_of(Path(name)) for name in names] or of_all
    for name in wanted:
        if name not in known:
            raise EditingProblem(
                f"There is no notebook {name!r}. There are: {', '.join(sorted(known))}."
            )
    return {name: known[name] for name in wanted}


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def edit(book: Book, names: list[str], say: Callable[[str], None] = print) -> list[Path]:
    """Write the texts of some notebooks, or of all chapters, and never over unsaved changes.

    Raises
    ------
    EditingProblem
        When there is no such notebook, or one can't be kept exactly in a text.
    """
    chapters = [path.stem for path in book.chapters()]
    texts = []
    for name, notebook in named(book, names, chapters).items():
        try:
            now = to_text(read_notebook(notebook))
        except EditingProblem as problem:
            raise EditingProblem(f"{notebook.name}: {problem}") from None
        text, base = folder(book) / f"{name}.md", folder(book) / ".base" / f"{name}.md"
        mine, before = _read(text), _read(base)
        shown = text.relative_to(book.root)
        texts.append(text)
        if mine in (None, before, now):
            _write(text, now)
            say(f"  {shown}")
        elif before is None:
            raise EditingProblem(f"{shown}: {STRAY}")
        elif before == now:
            say(f"  {shown} has changes that are not saved; it stays as it is")
        elif _merge(text, base, now):
            say(f"  {shown}: your unsaved changes and the notebook's newer ones, together")
        else:
            say(f"  {shown}: the notebook changed the same lines as you; look for <<<<<<<")
        _write(base, now)
    return texts


def _merge(text: Path, base: Path, now: str) -> bool:
    """Bring the notebook's newer changes into a text; whether no line was changed on both sides."""
    newer = base.with_name(f"{text.stem}.newer.md")
    _write(newer, now)
    labels = ["-L", "your text", "-L", "before", "-L", "the notebook"]
    files = [str(text), str(base), str(newer)]
    try:
        conflicts = subprocess.run(["git", "merge-file", *labels, *files]).returncode
    except OSError as problem:
        raise EditingProblem(f"Git is needed to bring {text.name} together: {problem}") from None
    finally:
        newer.unlink()
    if not 0 <= conflicts <= 127:
        raise EditingProblem(f"Git could not bring {text.name} together; see above.")
    return conflicts == 0


def save(
    book: Book,
    names: list[str],
    gone: Collection[str] = (),
    say: Callable[[str], None] = print,
) -> list[Path]:
    """Bring changed texts back into their notebooks, all of them or none; return those changed.

    Raises
    ------
    EditingProblem
        When a text belongs to no notebook, its notebook has changed since, or an id would be lost.
    """
    found = sorted(path.stem for path in folder(book).glob("*.md"))
    if not found:
        raise EditingProblem("There is no text to save. Start with `make edit`.")
    if gone and len(names) != 1:
        raise EditingProblem(
            "Name the notebook whose cells are meant to go: "
            f'make save ARGS="03_perspectives --without {",".join(sorted(gone))}"'
        )
    ready = {}
    for name, notebook in named(book, names, found).items():
        try:
            made = _saved(book, name, notebook, gone)
        except EditingProblem as problem:
            raise EditingProblem(f"{name}.md: {problem}") from None
        if made is not None:
            ready[notebook] = made
    for notebook, made in ready.items():
        # The write is finished elsewhere first: a full disk leaves the notebook as it was.
        beside = notebook.with_name(f".{notebook.name}.new")
        _write(beside, nbformat.writes(made).rstrip("\n") + "\n")
        beside.replace(notebook)
        text = to_text(made)
        for place in (folder(book), folder(book) / ".base"):
            _write(place / f"{name_of(notebook)}.md", text)
        say(f"  {notebook.relative_to(book.root)}")
    return list(ready)


def _saved(book: Book, name: str, notebook: Path, gone: Collection[str]):
    """The notebook that a text makes, or None where the text says what the notebook says."""
    text = _read(folder(book) / f"{name}.md")
    if text is None:
        raise EditingProblem(f"it isn't there. Start with `make edit ARGS={name}`.")
    base = _read(folder(book) / ".base" / f"{name}.md")
    if base is None:
        raise EditingProblem(STRAY)
    if text == base:
        return None
    if CONFLICT.search(text):
        raise EditingProblem("lines changed on both sides are still marked. Choose, line by line.")
    current = read_notebook(notebook)
    if base != to_text(current):
        raise EditingProblem(
            f"the notebook has changed since. `make edit ARGS={name}` brings both together."
        )
    made = with_cells(current, to_cells(text), gone)
    nbformat.validate(made)
    to_text(made)
    return made
