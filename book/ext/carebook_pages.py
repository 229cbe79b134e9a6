"""Sphinx extension: what the book's pages need beyond Jupyter Book.

A figure's alt text is computed in the chapter, from the values drawn, and travels in the output's
metadata: ``{"image/png": {"alt": ...}}``. MyST-NB keeps only width and height of those, so its
image renderer is wrapped here. The pages have a theme of their own (the folder ``theme``); what
Jupyter Book's extensions would do for theirs is silenced, and so is Thebe, which runs code on
another host's server.

The directive ``support-lines`` says where a reader finds support, from the same list that the
chapters use. The directives ``practice-signs``, ``practice-parameters`` and ``practice-worlds``
show the tables of the model behind the practice corpora, from the files the generator reads.
"""

from __future__ import annotations

import os
from pathlib import Path

import edition
import explorers
import folding
import guard
import markup
import numbering
import overviews
import quiz
import quotations
import running
import searching
import sharing
import shell
import terms
from docutils import nodes
from myst_nb.core.render import MimeData, NbElementRenderer
from pybtex.plugin import register_plugin
from pybtex.style.formatting.plain import Style
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

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


class LastFirst(Style):
    """The plain style of a bibliography, with the names as the list is sorted and texts cite."""

    default_name_style = "lastfirst"


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


PARTS = (
    *(shell, edition, explorers, folding, markup, numbering, overviews, quiz, quotations),
    *(running, searching, sharing, terms),
)

#: Extensions of Jupyter Book that only serve its own theme, or whose task is done here.
SILENCED = ("sphinx_thebe", "sphinx_book_theme", "pydata_sphinx_theme")


def silence(app: Sphinx, *extensions: str) -> None:
    """Take out what extensions do at Sphinx's events."""
    for listeners in app.events.listeners.values():
        for listener in list(listeners):
            module = getattr(listener.handler, "__module__", "")
            if module.partition(".")[0] in extensions:
                listeners.remove(listener)


#: Extensions that don't say whether two processes may read pages: one numbers the pages when all
#: have been read, the other serves LaTeX alone.
SAFE_SIDE_BY_SIDE = ("sphinx_multitoc_numbering", "sphinx_jupyterbook_latex")


def allow_two_readers(app: Sphinx, *_) -> None:
    """Speak for the extensions that don't."""
    for name in SAFE_SIDE_BY_SIDE:
        if name in app.extensions:
            app.extensions[name].parallel_read_safe = True


def say_what_data(app: Sphinx, pagename: str, template: str, context: dict, doctree) -> None:
    """Let a page say so when the site was built from real data."""
    context["data_notice"] = os.environ.get(guard.VARIABLE, "")


def setup(app: Sphinx) -> dict[str, object]:
    """Wrap MyST-NB's renderer, add the theme, the directives and the steps of a page's making."""
    NbElementRenderer.render_image = render_image_with_alt
    register_plugin("pybtex.style.formatting", "lastfirst", LastFirst)
    app.add_html_theme("carebook", str(Path(__file__).parent / "theme"))
    app.add_directive("support-lines", SupportLines)
    for name in ("practice-signs", "practice-parameters", "practice-worlds"):
        app.add_directive(name, PracticeTable)
    app.connect("html-page-context", say_what_data)
    for part in PARTS:
        part.setup(app)
    silence(app, *SILENCED)
    app.connect("env-before-read-docs", allow_two_readers)
    return {"version": "2", "parallel_read_safe": True, "parallel_write_safe": True}
