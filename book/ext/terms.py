"""The glossary's definitions as a script, for the pages that show them beside a term.

A script and not a data file: a page that was opened from a folder may load the one, not the other.
"""

from __future__ import annotations

import json
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

FILE = "glossary-data.js"


def definitions(app: Sphinx) -> dict[str, list[str]]:
    """Address of a term on the glossary's page -> the term and its definition."""
    found = {}
    for docname in sorted(app.env.found_docs):
        doctree = app.env.get_doctree(docname)
        for glossary in doctree.findall(addnodes.glossary):
            for item in glossary.findall(nodes.definition_list_item):
                terms = [child for child in item.children if isinstance(child, nodes.term)]
                meaning = item.children[-1].astext()
                for term in terms:
                    for name in term["ids"]:
                        found[name] = [_flat(term.astext()), _flat(meaning)]
    return found


def _flat(text: str) -> str:
    return " ".join(text.split())


def write(app: Sphinx, problem: Exception | None) -> None:
    """Write the definitions beside the other scripts."""
    if problem is None and app.builder.format == "html":
        content = json.dumps(definitions(app), ensure_ascii=False, sort_keys=True)
        path = Path(app.outdir, "_static", FILE)
        path.write_text(f"window.carebookGlossary = {content};\n", encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Write the file when the pages are done."""
    app.connect("build-finished", write)
