"""Jupyter Book's command with one thing added: Sphinx reads and writes on both cores.

Its command line has no option for that. Where a platform can't fork, Sphinx works on one core.
"""

from __future__ import annotations

import importlib.metadata
from functools import cache, partial

CORES = 2


def main() -> None:
    """Run ``jupyter-book`` with the program's own arguments."""
    # Each citation asks for the entry points of all packages; they don't change while it runs.
    importlib.metadata.entry_points = cache(importlib.metadata.entry_points)

    import jupyter_book.sphinx
    from jupyter_book.cli.main import main as jupyter_book_command

    jupyter_book.sphinx.build_sphinx = partial(jupyter_book.sphinx.build_sphinx, jobs=CORES)
    jupyter_book_command()


if __name__ == "__main__":
    main()
