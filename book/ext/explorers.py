"""Explorers on the pages: each view is a file of the website that is loaded when it is chosen.

`carebook.widgets.explorer` hands its views over as an output of a type of its own. Here the first
view is written into the page, where it can be read without a script, and printed. Each other view
becomes a small script file, because a page that is opened from a folder may load scripts and images
but may not read files. Images become files with a smaller twin.
"""

from __future__ import annotations

import base64
import html
import json
import re
from pathlib import Path

import shell
from docutils import nodes
from gates import alt_problem
from layout import text_hash
from markup import PANDAS_STYLE, TABLE, mend_table
from myst_nb.core import render
from pictures import ATTRIBUTE, picture
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.osutil import relative_uri

VIEWS = "application/vnd.carebook.explorer+json"
FOLDER = "_static/explorers"
DRAWN = re.compile(r'<img src="data:image/png;base64,([^"]*)"([^>]*)>')
#: What a page with an explorer needs.
SIGN = re.compile('class="explorer"')

logger = logging.getLogger(__name__)


class explorer(nodes.General, nodes.Element):
    """An explorer; ``content`` holds its name and its views."""


class Renderer:
    """MyST-NB's way to render the outputs of a type that it doesn't know."""

    mime_priority_overrides = (("*", VIEWS, 1),)

    @staticmethod
    def handle_mime(renderer, data, inline: bool) -> list[nodes.Element] | None:
        """Render the output of an explorer, and leave all others to MyST-NB."""
        return [explorer(content=data.content)] if data.mime_type == VIEWS else None


class Writer:
    """Writes one explorer's views as files beside the pages.

    Parameters
    ----------
    outdir : Path
        The website's folder.
    page : str
        The address of the page below it.
    content : dict
        What `carebook.widgets.explorer` handed over.
    """

    def __init__(self, outdir: Path, page: str, content: dict) -> None:
        self.folder = Path(outdir, FOLDER)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.page, self.content = page, content
        # Another content has other names, so that no browser shows a view that it has kept.
        self.key = text_hash(page, json.dumps(content, sort_keys=True))[:10]
        self.address = f"{relative_uri(page, FOLDER)}/{self.key}-"

    def markup(self) -> str:
        """The explorer's place in the page, with the first view; the other views become files."""
        first, *others = self.content["views"]
        for place, view in enumerate(others, start=1):
            self._write_view(place, view)
        name, count = html.escape(self.content["name"]), len(others) + 1
        labels = "".join(f"<li>{html.escape(v['label'])}</li>" for v in self.content["views"])
        return (
            f'<div class="explorer" data-views="{self.address}" data-name="{name}">'
            f'<p class="explorer-now" role="status">{name}: '
            f"<strong>{html.escape(first['label'])}</strong> (1 of {count})</p>"
            f'<div class="explorer-view">{self._with_files(0, first)}</div>'
            f'<div class="explorer-more"><p>One view of {count}. On the website, with scripts '
            f"allowed, you choose among:</p><ul>{labels}</ul></div></div>\n"
        )

    def _write_view(self, place: int, view: dict) -> None:
        written = PANDAS_STYLE.sub("", self._with_files(place, view))
        written = TABLE.sub(lambda found: mend_table(found.group()), written)
        script = f"document.currentScript.view = {json.dumps(written)};\n"
        (self.folder / f"{self.key}-{place}.js").write_text(script, encoding="utf-8")

    def _with_files(self, place: int, view: dict) -> str:
        """A view's HTML, whose images have become files."""
        numbers = iter(range(len(view["html"])))

        def rewrite(found: re.Match) -> str:
            name = f"{self.key}-{place}-{next(numbers)}.png"
            (self.folder / name).write_bytes(base64.b64decode(found.group(1)))
            attributes = dict(ATTRIBUTE.findall(found.group(2)))
            problem = alt_problem(html.unescape(attributes.get("alt", "")))
            if problem:
                logger.warning("%s: view %r: an image has %s", self.page, view["label"], problem)
            source = {"src": f"{relative_uri(self.page, FOLDER)}/{name}"}
            return picture(source | attributes, self.folder / name, self.folder)

        return DRAWN.sub(rewrite, view["html"])


def visit(self, node: explorer) -> None:
    """Write an explorer into the page that is being written."""
    page = self.builder.get_target_uri(self.builder.current_docname)
    self.body.append(Writer(self.builder.outdir, page, node["content"]).markup())
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Let MyST-NB render explorers, and pages that hold one load its style and script."""
    known = render.load_mime_renders
    render.load_mime_renders = lambda: [*known(), Renderer]
    app.add_node(explorer, html=(visit, None))
    shell.STYLES_ON_NEED["explorer.css"] = SIGN
    shell.SCRIPTS_ON_NEED["explorer.js"] = SIGN
