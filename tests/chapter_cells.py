"""Runs single cells of a chapter on values that a test makes up, to read what they would say.

A result paragraph has one interpretation for each side that its interval can lie on. The bundled
corpus shows only one of them; a test hands the cell the other intervals and reads the paragraph.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import nbformat

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


@cache
def _sources(chapter: str) -> dict[str, str]:
    """The code of each code cell of a chapter, by cell id."""
    notebook = nbformat.read(NOTEBOOKS / f"{chapter}.ipynb", as_version=4)
    return {cell.id: cell.source for cell in notebook.cells if cell.cell_type == "code"}


def run(chapter: str, *cells: str, **names):
    """The value of the last of these cells, run one after the other.

    Parameters
    ----------
    chapter
        A notebook's name without its ending, such as ``"03_perspectives"``.
    *cells
        Ids of code cells, in the order in which to run them.
    **names
        What the cells find defined: the tables and numbers that earlier cells would have made.

    Returns
    -------
    object
        The last expression's value; None where the last cell ends in a statement.

    Raises
    ------
    KeyError
        Where the chapter has no code cell of that id.
    """
    namespace = dict(names)
    value = None
    for cell in cells:
        body = ast.parse(_sources(chapter)[cell]).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), f"{chapter}: {cell}", "exec"), namespace)
        value = None
        if last is not None:
            value = eval(
                compile(ast.Expression(last.value), f"{chapter}: {cell}", "eval"), namespace
            )
    return value


def said(chapter: str, *cells: str, **names) -> str:
    """The text of the paragraph that the last of these cells writes, its white space evened out."""
    return " ".join(run(chapter, *cells, **names).data.split())
