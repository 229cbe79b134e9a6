"""Sphinx extension: what the book's pages need beyond Jupyter Book.

A figure's alt text is computed in the chapter, from the values drawn, and travels in the output's
metadata: ``{"image/png": {"alt": ...}}``. MyST-NB keeps only width and height of those, so its
image renderer is wrapped here. Thebe, which Jupyter Book adds to each page to run code on another
host's server, is taken out: the book doesn't use it, and its script fails on every page.

The directive ``support-lines`` says where a reader finds support, from the same list that the
chapters use. The directives ``practice-signs``, ``practice-parameters`` and ``practice-worlds``
show the tables of the model behind the practice corpora, from the files the generator reads.
"""

from __future__ import annotations

import re

from docutils import nodes
from myst_nb.core.render import MimeData, NbElementRenderer
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

EMPTY_HEADER = re.compile(r"<th(?: [^>]*)?>\s*(?:<p>\s*</p>)?\s*</th>")

_render_image = NbElementRenderer.render_image


def render_image_with_alt(self: NbElementRenderer, data: MimeData) -> list[nodes.Element]:
    """Render an image output; an alt text in the output's metadata becomes the image's own."""
    rendered = _render_image(self, data)
    alt = data.output_metadata.get(data.mime_type, {}).get("alt")
    if alt:
        for node in rendered:
            for image in node.findall(nodes.image):
                image["alt"] = alt
    return rendered


class SupportLines(SphinxDirective):
    """A box that names the help lines: ``{support-lines}``, without content."""

    def run(self) -> list[nodes.Node]:
        from carebook.support import support_text

        box = nodes.admonition(classes=["seealso"])
        box += nodes.title(text="Support")
        self.state.nested_parse([support_text()], self.content_offset, box)
        return [box]


class PracticeTable(SphinxDirective):
    """Tables of the practice model, named after the directive, without content."""

    def run(self) -> list[nodes.Node]:
        from carebook.practice import describe

        write = {
            "practice-signs": describe.signs_markdown,
            "practice-parameters": describe.parameters_markdown,
            "practice-worlds": describe.worlds_markdown,
        }[self.name]
        box = nodes.container(classes=["practice-table"])
        self.state.nested_parse(write().splitlines(), self.content_offset, box)
        return [box]


def mend_roles(app: Sphinx, page: str, template: str, context: dict, doctree: object) -> None:
    """Give screen readers the roles that the page's elements have.

    docutils gives an entry of the bibliography a role that ARIA has withdrawn, and an empty cell
    in a table's head, as above an index, is no header.
    """
    body = context.get("body")
    if body:
        body = body.replace('role="doc-biblioentry"', 'role="listitem"')
        context["body"] = EMPTY_HEADER.sub("<td></td>", body)


def silence(app: Sphinx, extension: str, style: str) -> None:
    """Take out everything that an extension does at Sphinx's events, and its style sheet."""
    for listeners in app.events.listeners.values():
        for listener in list(listeners):
            if getattr(listener.handler, "__module__", "").partition(".")[0] == extension:
                listeners.remove(listener)
    app.registry.css_files[:] = [each for each in app.registry.css_files if each[0] != style]


def setup(app: Sphinx) -> dict[str, object]:
    """Wrap MyST-NB's renderer, take Thebe out, mend roles and add the directives."""
    NbElementRenderer.render_image = render_image_with_alt
    app.connect("html-page-context", mend_roles)
    app.add_directive("support-lines", SupportLines)
    for name in ("practice-signs", "practice-parameters", "practice-worlds"):
        app.add_directive(name, PracticeTable)
    silence(app, "sphinx_thebe", "sphinx-thebe.css")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
