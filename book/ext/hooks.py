"""What the Git hook does besides ruff and codespell; see ``.pre-commit-config.yaml``.

``python book/ext/hooks.py notebooks FILE ...`` clears notebooks and checks them; ``python
book/ext/hooks.py links`` checks the links between the repository's files.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from execution import read_notebook
from gates import KERNEL, Finding, notebook_findings
from links import inside_findings

ROOT = Path(__file__).resolve().parents[2]


def clear(path: Path) -> None:
    """Take out of a notebook what running and saving it in Jupyter has put in.

    Outputs, counts and widget state go; of the kernel and the language only the names stay, because
    the rest differs from one machine to the next. What is left is written as Jupyter writes it,
    so that saving it there changes nothing; a clean notebook isn't written.
    """
    notebook = read_notebook(path)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        for name in ("execution", "trusted"):
            cell.metadata.pop(name, None)
    notebook.metadata.pop("widgets", None)
    if notebook.metadata.get("kernelspec", {}).get("name") == KERNEL:
        kernel = {"display_name": "Python 3", "language": "python", "name": KERNEL}
        notebook.metadata.update(kernelspec=kernel, language_info={"name": "python"})
    after = nbformat.writes(notebook).rstrip("\n") + "\n"
    if after != path.read_text(encoding="utf-8"):
        path.write_text(after, encoding="utf-8")
        print(f"{path.as_posix()}: cleared (if you are committing, add it again)")


def notebooks(files: list[str]) -> list[Finding]:
    """Clear the notebooks that are named, and return what still doesn't belong in them."""
    findings = []
    for name in files:
        # A file that is no notebook, or has no ids, is named and left as it is.
        broken = [f for f in notebook_findings(Path(name), name) if f.place in ("file", "format")]
        if not broken:
            clear(Path(name))
        findings += broken or notebook_findings(Path(name), name)
    return findings


def links(files: list[str]) -> list[Finding]:
    """Dead links between the repository's files; a moved file can break any other one's."""
    return inside_findings(ROOT)


def main(arguments: list[str]) -> int:
    """Run one check, print what it finds and return the exit status."""
    checks = {"notebooks": notebooks, "links": links}
    findings = checks[arguments[0]](arguments[1:])
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
