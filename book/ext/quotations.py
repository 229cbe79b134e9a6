"""A quotation shows exactly what was written: no curly quotes, dashes or dots are put in.

Sphinx sets straight quotation marks, `--` and `...` as typographers do. In what a person wrote that
would be a change; so block quotes are left out of it.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxSmartQuotes, SphinxTransform


class KeepQuotations(SphinxTransform):
    """Tell Sphinx's typographer to leave block quotes alone, just before its turn."""

    default_priority = SphinxSmartQuotes.default_priority - 1

    def apply(self, **options: object) -> None:
        for quotation in self.document.findall(nodes.block_quote):
            quotation["support_smartquotes"] = False


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_transform(KeepQuotations)
