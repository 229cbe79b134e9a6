"""The last touches on a page's HTML: what the writers of Sphinx and pandas leave to be desired.

Table heads get a scope, wide tables a box of their own to scroll in, withdrawn roles are replaced,
and each image gets its size, its smaller twin and the order to load late.
"""

from __future__ import annotations

import re

from pictures import with_sizes
from sphinx.application import Sphinx

EMPTY_HEADER = re.compile(r"<th(?: [^>]*)?>\s*(?:<p>\s*</p>)?\s*</th>")
TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)
HEAD = re.compile(r"<thead>.*?</thead>", re.DOTALL)
#: A piece of code that the book's style shows like its surroundings (see content.css).
PLAIN_TOKEN = re.compile(r'<span class="(?:n|p|o|w|nn|nb|bp|si|na|vm)">([^<]*)</span>')
#: Pieces of code that the book's style shows alike get one short name.
ALIKE = {
    **dict.fromkeys(("kn", "kc", "kd", "kr", "ow"), "k"),
    **dict.fromkeys(("s1", "s2", "sa", "sd", "se"), "s"),
    **dict.fromkeys(("mi", "mf", "kt"), "m"),
    **dict.fromkeys(("c1", "cm"), "c"),
    **dict.fromkeys(("nc", "fm"), "nf"),
}
TOKEN = re.compile(rf'<span class="({"|".join(ALIKE)})">')
#: The head of sphinx-design's box that unfolds; it becomes one of the book's own.
DESIGN_DROPDOWN = re.compile(
    r'<details class="sd-[^"]*\bsd-dropdown[^"]*"([^>]*)>\s*<summary[^>]*>\s*'
    r'(?:<span class="sd-summary-icon">.*?</span>\s*)?<span class="sd-summary-text">(.*?)</span>'
    r'<span class="sd-summary-state-marker.*?</summary>\s*<div class="sd-summary-content[^"]*">',
    re.DOTALL,
)
#: The head of a cell's part that MyST-NB hides: it has two lines, and a name that is neither.
HIDDEN_CELL = re.compile(
    r'<details class="[^"]*\bhide\b[^"]*">\s*<summary aria-label="[^"]*">\s*'
    r'<p class="collapsed[^"]*">(.*?)</p>.*?</summary>',
    re.DOTALL,
)
#: Names that neither the book's styles nor its scripts know, and what is left of them.
UNUSED_CLASSES = {
    ' class="reference internal"': "",
    ' class="std std-ref"': "",
    ' class="std std-numref"': "",
    ' class="doc"': "",
    'class="xref std std-term"': 'class="std-term"',
    'class="highlight-ipython3 notranslate"': 'class="notranslate"',
    'class="docutils literal notranslate"': 'class="notranslate"',
    " highlight-myst-ansi notranslate": " notranslate",
    'class="cell tag_remove-input"': 'class="cell"',
}
#: What an author tells the check of typed results is of no use on the page.
AUTHORS_NOTE = re.compile(r"\s*<!-- not a result\b.*?-->")
#: The line below a page's title that asks its question: a paragraph in italics.
LEAD = re.compile(r"(</h1>\s*)<p>(<em>[^<]*</em>)</p>")
CELL = re.compile(r"<td>(.*?)</td>", re.DOTALL)
NUMBER = re.compile(r"\s*[-+−]?[\d,.]+(e[-+]?\d+)?%?\s*|\s*(NaN|<NA>|&lt;NA&gt;|inf|-inf)?\s*")
#: The style that pandas writes into each of its tables; the book's own says all of it, once.
PANDAS_STYLE = re.compile(r"<style scoped>.*?</style>\s*", re.DOTALL)


def mend(app: Sphinx, pagename: str, template: str, context: dict, doctree: object) -> None:
    """Mend a page's body before it is written."""
    body = context.get("body")
    if body:
        # A role that ARIA has withdrawn, and a heading without a level.
        body = body.replace('role="doc-biblioentry"', 'role="listitem"')
        body = body.replace('class="caption" role="heading"', 'class="caption"')
        body = PLAIN_TOKEN.sub(r"\1", body)
        body = TOKEN.sub(lambda found: f'<span class="{ALIKE[found[1]]}">', body)
        body = AUTHORS_NOTE.sub("", body).replace(' docutils container"', '"')
        for name, left in UNUSED_CLASSES.items():
            body = body.replace(name, left)
        body = body.replace("<pre><span></span>", "<pre>")  # Pygments starts each block with it
        body = DESIGN_DROPDOWN.sub(r'<details class="folded"\1><summary>\2</summary><div>', body)
        body = HIDDEN_CELL.sub(r'<details class="hide"><summary>\1</summary>', body)
        body = body.replace(' class="sd-card-text"', "")
        body = PANDAS_STYLE.sub("", body)
        body = LEAD.sub(r'\1<p class="lead">\2</p>', body)
        body = TABLE.sub(lambda found: mend_table(found.group()), body)
        context["body"] = with_sizes(app.builder, pagename, body)


def mend_table(table: str) -> str:
    """Give a table's headers a scope and the table a box to scroll in.

    An empty cell in a table's head, as above an index, is no header.
    """
    table = EMPTY_HEADER.sub("<td></td>", table)
    if 'class="dataframe"' in table:
        table = CELL.sub(_marked_as_text, table)
        table = re.sub(r">\s+<", "><", table)
        # What pandas says about looks is the style sheet's to say.
        table = table.replace(' border="1"', "").replace(' style="text-align: right;"', "")
    head = HEAD.search(table)
    start = head.end() if head else 0
    columns = _scoped(table[:start], "col")
    return f'<div class="scroller">{columns}{_scoped(table[start:], "row")}</div>'


def _marked_as_text(cell: re.Match) -> str:
    """Mark a cell that holds no number: it's set like text, from the left."""
    number = NUMBER.fullmatch(cell.group(1))
    return cell.group() if number else f'<td class="text">{cell.group(1)}</td>'


def _scoped(part: str, scope: str) -> str:
    return re.sub(r"<th(?=[ >])(?![^>]*scope=)", f'<th scope="{scope}"', part)


def setup(app: Sphinx) -> None:
    """Mend each page, before the theme looks at what it holds."""
    app.connect("html-page-context", mend, priority=700)
