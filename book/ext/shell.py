"""What stands around a page's text: contents, sections, minutes, styles and scripts.

The theme (`theme/layout.html`) draws it; the values are worked out here, when a page is read and
when it is written. Styles and scripts of other extensions stay out, unless the page needs them.
"""

from __future__ import annotations

import html
import math
import re
from functools import partial
from pathlib import Path

from docutils import nodes
from layout import file_hash
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

WORDS_PER_MINUTE = 200
LINES_OF_CODE_PER_MINUTE = 6
LONGEST_DESCRIPTION = 160


class PageFacts:
    """What the other pages and the page's own head say about a page."""

    def __init__(self, doctree: nodes.document) -> None:
        words = sum(len(text.split()) for text in _running_text(doctree))
        shown = [
            part.astext()
            for part in doctree.findall(nodes.container)
            if part.get("nb_element") == "cell_code_source"
        ]
        self.code_cells = len(shown)
        lines = sum(bool(line.strip()) for code in shown for line in code.splitlines())
        minutes = words / WORDS_PER_MINUTE + lines / LINES_OF_CODE_PER_MINUTE
        self.minutes = max(1, math.ceil(minutes))
        self.description = _description(doctree)


def _running_text(doctree: nodes.document):
    aside = (nodes.literal_block, nodes.comment, nodes.raw, nodes.math_block)
    for text in doctree.findall(nodes.Text):
        parent = text.parent
        while parent is not None and not isinstance(parent, aside):
            parent = parent.parent
        if parent is None:
            yield text.astext()


def _description(doctree: nodes.document) -> str:
    for paragraph in doctree.findall(nodes.paragraph):
        text = " ".join(paragraph.astext().split())
        if len(text) > 40:
            cut = text[:LONGEST_DESCRIPTION].rsplit(" ", 1)[0].rstrip(",;:")
            return text if len(text) <= LONGEST_DESCRIPTION else f"{cut} …"
    return ""


def page_facts(env: BuildEnvironment) -> dict[str, PageFacts]:
    """The facts of all pages read so far."""
    if not hasattr(env, "carebook_facts"):
        env.carebook_facts = {}
    return env.carebook_facts


def note_facts(app: Sphinx, doctree: nodes.document) -> None:
    """Keep a page's facts when it has been read."""
    page_facts(app.env)[app.env.docname] = PageFacts(doctree)


def forget_facts(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Drop the facts of a page that is read again."""
    page_facts(env).pop(docname, None)


def merge_facts(app: Sphinx, env: BuildEnvironment, docnames: set, other: BuildEnvironment) -> None:
    """Take over the facts of the pages that another process has read."""
    page_facts(env).update({name: page_facts(other)[name] for name in docnames})


def is_chapter(env: BuildEnvironment, docname: str) -> bool:
    """Whether a page is a notebook."""
    return docname in env.found_docs and str(env.doc2path(docname)).endswith(".ipynb")


def sections(env: BuildEnvironment, docname: str) -> list[dict[str, str]]:
    """Id and title of a page's sections, one level deep."""
    if docname not in env.tocs:
        return []
    found = []
    for page in env.tocs[docname].children[:1]:
        lists = [child for child in page.children if isinstance(child, nodes.bullet_list)]
        for item in (entry for each in lists for entry in each.children):
            for link in list(item.findall(nodes.reference))[:1]:
                found.append(
                    {
                        "id": link["anchorname"].lstrip("#"),
                        "title": html.escape(link.astext(), quote=False),
                    }
                )
    return found


def reading_order(env: BuildEnvironment) -> list[str]:
    """All pages, in the order of the table of contents."""
    order = []

    def visit(docname: str) -> None:
        if docname not in order:
            order.append(docname)
            for below in env.toctree_includes.get(docname, []):
                visit(below)

    visit(env.config.root_doc)
    return order


#: Sphinx's names for the entries of a list of contents, which no style or script asks for.
NAMES_IN_CONTENTS = re.compile(
    r' class="(?:current|(?:current )?reference internal|toctree-l1(?: current)?)"'
)


def contents(app: Sphinx, pagename: str, context: dict) -> str:
    """The book's table of contents as a list of links, the present page marked."""
    listed = context["toctree"](maxdepth=1, collapse=False, includehidden=True, titles_only=True)
    listed = listed.replace('class="caption" role="heading"', 'class="caption"')
    listed = re.sub(r'<a class="current reference internal" href="[^"]*"', _mark_current, listed)
    listed = NAMES_IN_CONTENTS.sub("", listed)
    for docname in app.env.found_docs:
        if is_chapter(app.env, docname) and docname != pagename:
            address = html.escape(app.builder.get_relative_uri(pagename, docname))
            listed = listed.replace(f'href="{address}"', f'href="{address}"{_count(app, docname)}')
    here = _count(app, pagename) if is_chapter(app.env, pagename) else ""
    return listed.replace(' aria-current="page"', f' aria-current="page"{here}')


def _mark_current(match: re.Match) -> str:
    return f'{match.group()} aria-current="page"'


def _count(app: Sphinx, docname: str) -> str:
    return f' data-page="{docname}" data-sections="{len(sections(app.env, docname))}"'


#: Styles of every page, and the medium of each.
STYLES = {"book.css": "", "content.css": "", "tools.css": "", "print.css": "print"}
#: Style sheet of another extension, and script of ours -> what a page that needs it holds.
STYLES_ON_NEED = {"sphinx-design.min.css": re.compile(r'class="[^"]*\bsd-')}
SCRIPTS_ON_NEED = {
    "reading.js": re.compile("<h2"),
    "glossary-data.js": re.compile("std-term"),
    "glossary.js": re.compile("std-term"),
    "widgets.js": re.compile("application/vnd.jupyter.widget"),
}


def fill(app: Sphinx, pagename: str, template: str, context: dict, doctree: object) -> None:
    """Give the theme its values, and a page only the styles and scripts that it needs."""
    env, body = app.env, context.get("body") or ""
    facts = page_facts(env).get(pagename)
    chapter, parts = is_chapter(env, pagename), sections(env, pagename)
    context.update(
        contents=contents(app, pagename, context),
        page_sections=parts if len(parts) > 1 else [],
        is_chapter=chapter,
        description=facts.description if facts else "",
        minutes=facts.minutes if facts and chapter else None,
        code_cells=facts.code_cells if facts and chapter else None,
        next_minutes=_minutes_of_next(env, pagename),
        styles=[*STYLES.items(), *((name, "") for name in _needed(STYLES_ON_NEED, body))],
        scripts=["book.js", *_needed(SCRIPTS_ON_NEED, body)],
        mathjax_files=[],
        widget_state=[each for each in context["script_files"] if _holds_state(each)],
        asset=partial(_asset, app, context["pathto"]),
    )
    mathjax = [script for script in context["script_files"] if "mathjax" in str(script).lower()]
    if any(script.filename for script in mathjax):
        context["mathjax_files"] = mathjax


def _holds_state(script) -> bool:
    """Whether a script of the page is the saved state of its widgets."""
    return "widget-state" in script.attributes.get("type", "")


def _needed(signs: dict[str, re.Pattern], body: str) -> list[str]:
    return [name for name, sign in signs.items() if sign.search(body)]


def _asset(app: Sphinx, pathto, name: str) -> str:
    """The address of a style or script, with a mark that changes when the file does."""
    own = Path(app.srcdir, "book", "assets", name)
    mark = f"?v={file_hash(own)[:8]}" if own.exists() else ""
    return pathto(f"_static/{name}", True) + mark


def _minutes_of_next(env: BuildEnvironment, pagename: str) -> int | None:
    order = reading_order(env)
    place = order.index(pagename) + 1 if pagename in order else len(order)
    if place < len(order) and is_chapter(env, order[place]):
        return page_facts(env)[order[place]].minutes
    return None


def setup(app: Sphinx) -> None:
    """Read the facts of each page, and hand them to the theme last of all."""
    app.connect("env-purge-doc", forget_facts)
    app.connect("env-merge-info", merge_facts)
    app.connect("doctree-read", note_facts)
    app.connect("html-page-context", fill, priority=900)
