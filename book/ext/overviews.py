"""Pages that are gathered from the chapters: all figures, and the cheat sheets.

The directives ``all-figures`` and ``cheat-sheets`` leave a place on their page, which is filled
when all pages have been read.
"""

from __future__ import annotations

import ast

import shell
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

#: How the section of a chapter begins whose points go on its cheat sheet.
TAKEAWAYS = "what to take away"


class gathered(nodes.General, nodes.Element):
    """A place that is filled from the chapters."""


class Gathered(SphinxDirective):
    """The directives ``all-figures`` and ``cheat-sheets``, both without content."""

    def run(self) -> list[nodes.Node]:
        return [gathered(what=self.name)]


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Fill the places of a page that is about to be written."""
    for place in list(doctree.findall(gathered)):
        gather = all_figures if place["what"] == "all-figures" else cheat_sheets
        place.replace_self(gather(app, docname))


def _title(app: Sphinx, docname: str) -> str:
    number = app.env.toc_secnumbers.get(docname, {}).get("", ())
    return " ".join([*(f"{part}." for part in number), app.env.titles[docname].astext()])


def _link(app: Sphinx, docname: str, target: str, anchor: str, *words: nodes.Node) -> nodes.Node:
    address = app.builder.get_relative_uri(docname, target) + (f"#{anchor}" if anchor else "")
    return nodes.reference("", "", *words, refuri=address, internal=True)


def _plain(node: nodes.Node) -> list[nodes.Node]:
    """The inline content of a node, without links that only its own page can resolve."""
    made = node.deepcopy()
    for link in list(made.findall(addnodes.pending_xref)):
        link.replace_self(link.children)
    return made.children


def _plain_with_links(app: Sphinx, docname: str, node: nodes.Node) -> list[nodes.Node]:
    """The inline content of a node, with its references to sections as links into their pages."""
    labels = app.env.get_domain("std").labels
    made = node.deepcopy()
    for link in list(made.findall(addnodes.pending_xref)):
        page, anchor, title = labels.get(link["reftarget"].lower(), ("", "", ""))
        if link.get("reftype") == "ref" and page:
            words = link.children if link.get("refexplicit") else [nodes.Text(title)]
            link.replace_self(_link(app, docname, page, anchor, *words))
        else:
            link.replace_self(link.children)
    return made.children


def all_figures(app: Sphinx, docname: str) -> list[nodes.Node]:
    """A card for each figure: the image, its caption, its message in words, and its place."""
    cards = []
    for page in shell.reading_order(app.env):
        if page == docname:
            continue
        for figure in app.env.get_doctree(page).findall(nodes.figure):
            image = next(iter(figure.findall(nodes.image)), None)
            if image is not None:
                cards.append(_card(app, docname, page, figure, image))
    return cards or [nodes.paragraph(text="The chapters have no figures yet.")]


def _card(app: Sphinx, docname: str, page: str, figure: nodes.figure, image: nodes.image):
    anchor = (figure["ids"] or [""])[0]
    number = app.env.toc_fignumbers.get(page, {}).get("figure", {}).get(anchor)
    name = f"Figure {'.'.join(map(str, number))}" if number else "Figure"
    picture = image.deepcopy()
    picture["classes"] = []
    caption = next(iter(figure.findall(nodes.caption)), nodes.caption())
    card = nodes.container(classes=["figure-card"])
    shown = nodes.paragraph("", "", _link(app, docname, page, anchor, picture))
    words = nodes.paragraph(
        "", "", nodes.strong("", "", _link(app, docname, page, anchor, nodes.Text(name)))
    )
    words += [nodes.Text(" "), *_plain(caption), nodes.Text(" ")]
    words += nodes.inline(text=f"({_title(app, page)})", classes=["where"])
    card += [shown, words]
    if image.get("alt"):
        box = nodes.admonition(classes=["dropdown"])
        box += [nodes.title(text="In words"), nodes.paragraph(text=image["alt"])]
        card += box
    return card


def cheat_sheets(app: Sphinx, docname: str) -> list[nodes.Node]:
    """A section for each chapter: what to take away, its terms, the helpers that it uses."""
    sheets = []
    for page in shell.reading_order(app.env):
        if shell.is_chapter(app.env, page):
            sheet = _sheet(app, docname, page)
            if sheet is not None:
                sheets.append(sheet)
    return sheets or [nodes.paragraph(text="The chapters have no takeaways yet.")]


def _sheet(app: Sphinx, docname: str, page: str) -> nodes.section | None:
    doctree = app.env.get_doctree(page)
    points = _takeaways(doctree)
    if points is None:
        return None
    sheet = nodes.section(ids=[f"sheet-{page.rpartition('/')[2]}"], classes=["cheat-sheet"])
    sheet += nodes.title("", "", _link(app, docname, page, "", nodes.Text(_title(app, page))))
    listed = nodes.bullet_list()
    for point in points.children:
        item = nodes.list_item()
        for part in point.children:
            item += nodes.paragraph("", "", *_plain_with_links(app, docname, part))
        listed += item
    sheet += listed
    for label, links in (
        ("Terms", _terms(app, docname, doctree)),
        ("Helpers", _helpers(app, docname, doctree)),
    ):
        if links:
            line = nodes.paragraph("", "", nodes.strong(text=f"{label}: "), classes=["words"])
            for place, link in enumerate(links):
                line += [*([nodes.Text(", ")] if place else []), link]
            sheet += line
    return sheet


def _takeaways(doctree: nodes.document) -> nodes.bullet_list | None:
    for section in doctree.findall(nodes.section):
        title = section.children[0].astext().strip().lower()
        if title.startswith(TAKEAWAYS):
            return next(iter(section.findall(nodes.bullet_list)), None)
    return None


def _terms(app: Sphinx, docname: str, doctree: nodes.document) -> list[nodes.Node]:
    """Links to the glossary's entries that the chapter refers to, by the alphabet."""
    entries = app.env.get_domain("std").objects
    wanted = {
        link["reftarget"]
        for link in doctree.findall(addnodes.pending_xref)
        if link.get("reftype") == "term"
    }
    by_name = {
        name.lower(): (name, place) for (kind, name), place in entries.items() if kind == "term"
    }
    found = sorted(
        {by_name[term.lower()] for term in wanted if term.lower() in by_name},
        key=lambda entry: entry[0].lower(),
    )
    return [
        _link(app, docname, page, anchor, nodes.inline(text=name, classes=["xref", "std-term"]))
        for name, (page, anchor) in found
    ]


def _helpers(app: Sphinx, docname: str, doctree: nodes.document) -> list[nodes.Node]:
    """Links to the helper functions that the chapter's visible code uses."""
    documented = app.env.get_domain("py").objects
    code = [
        block.astext()
        for block in doctree.findall(nodes.literal_block)
        if "python" in block.get("language", "")
    ]
    return [
        _link(
            app,
            docname,
            documented[name].docname,
            documented[name].node_id,
            nodes.literal(text=name.removeprefix("carebook.")),
        )
        for name in helpers_used("\n".join(code))
        if name in documented
    ]


def helpers_used(code: str) -> list[str]:
    """The names below ``carebook`` that a piece of code imports and uses, by the alphabet.

    Examples
    --------
    >>> helpers_used("from carebook import figures\\nfigures.gap(1)")
    ['carebook.figures.gap']
    """
    found, modules = set(), {}
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("carebook"):
            for name in node.names:
                full = f"{node.module}.{name.name}"
                modules[name.asname or name.name] = full
                found.add(full)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            full = modules.get(node.value.id)
            if full:
                found.add(f"{full}.{node.attr}")
                found.discard(full)
    return sorted(found)


def setup(app: Sphinx) -> None:
    """Register the directives; the places are filled before boxes are folded."""
    app.add_node(gathered)
    app.add_directive("all-figures", Gathered)
    app.add_directive("cheat-sheets", Gathered)
    app.connect("doctree-resolved", fill, priority=800)
