"""Numbers of figures, tables and exercises on pages that have no number themselves.

A chapter's figures are called 3.1, 3.2 and so on. Sphinx counts those of all other pages in one
row, so that an appendix would begin with its Exercise 6. Here each such page begins with 1.
"""

from __future__ import annotations

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

Numbers = dict[str, dict[str, tuple[int, ...]]]


def from_one(numbers: Numbers) -> Numbers:
    """The numbers of one page, in which those of a single part are counted anew, from 1.

    Examples
    --------
    >>> from_one({"figure": {"a": (3,), "b": (4,)}, "table": {"c": (2,)}})
    {'figure': {'a': (1,), 'b': (2,)}, 'table': {'c': (1,)}}
    >>> from_one({"figure": {"a": (3, 1), "b": (3, 2)}})
    {'figure': {'a': (3, 1), 'b': (3, 2)}}
    """
    return {
        kind: {
            name: (place,) if len(number) == 1 else number
            for place, (name, number) in enumerate(found.items(), start=1)
        }
        for kind, found in numbers.items()
    }


def number_pages(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Count anew once Sphinx has counted; no page has to be written for that alone."""
    env.toc_fignumbers = {page: from_one(numbers) for page, numbers in env.toc_fignumbers.items()}
    return []


def setup(app: Sphinx) -> None:
    """Come after Sphinx's own counting, which listens to the same event."""
    app.connect("env-get-updated", number_pages, priority=900)
