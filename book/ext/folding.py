"""Boxes that unfold: a solution, or any box with the class ``dropdown``, without a script.

The browser's own ``<details>`` is used, so a box opens by mouse, touch and keyboard, says to a
screen reader what it is, and is found by the browser's search.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import admonitionlabels


class folded(nodes.General, nodes.Element):
    """A box that unfolds; its first child is the line that is always seen."""


class folded_title(nodes.TextElement):
    """The line of a folded box that is always seen."""


def fold(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Replace the boxes with the class ``dropdown``."""
    boxes = list(doctree.findall(nodes.Admonition))
    for box in boxes:
        if "dropdown" not in box["classes"]:
            continue
        title, rest = _split(box)
        classes = [name for name in box["classes"] if name != "dropdown"]
        kind = [] if box.tagname == "admonition" else [box.tagname.removesuffix("_node")]
        made = folded(classes=["folded", *kind, *classes], ids=list(box["ids"]))
        made += folded_title("", "", *map(_without_link, title))
        made += rest
        box.replace_self(made)


def _split(box: nodes.Element) -> tuple[list[nodes.Node], list[nodes.Node]]:
    first, rest = box.children[:1], box.children[1:]
    if first and isinstance(first[0], nodes.title):
        return first[0].children, rest
    return [nodes.Text(admonitionlabels.get(box.tagname, "More"))], box.children


def _without_link(node: nodes.Node) -> nodes.Node:
    """What is pressed to unfold a box can't hold a link of its own."""
    return nodes.Text(node.astext()) if list(node.findall(nodes.reference)) else node


def visit_folded(self, node: folded) -> None:
    self.body.append(self.starttag(node, "details"))


def depart_folded(self, node: folded) -> None:
    self.body.append("</details>\n")


def visit_title(self, node: folded_title) -> None:
    self.body.append("<summary>")


def depart_title(self, node: folded_title) -> None:
    self.body.append("</summary>\n")


def setup(app: Sphinx) -> None:
    """Register the nodes, and the step that makes them."""
    app.add_node(folded, html=(visit_folded, depart_folded))
    app.add_node(folded_title, html=(visit_title, depart_title))
    app.connect("doctree-resolved", fold, priority=900)
