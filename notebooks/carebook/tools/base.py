"""What the practice tools share on the Python side: the widget, its data, its answers."""

import hashlib
import json
import re
from functools import cache
from importlib.resources import files

PRACTICE = files("carebook") / "data" / "practice"
"""The folder of the practice corpus that comes with the package."""

NOTHING_REAL = (
    "The data in use here are about people, so their texts are not put into a page. What you see "
    "are practice texts, which a program made."
)
SYNTHETIC = "A program made these texts and all answers to them: they are about nobody."


class Tool:
    """A tool in a notebook cell: what the functions of :mod:`carebook.tools` return.

    Attributes
    ----------
    data : dict
        What the page gets to show.
    """

    name = ""
    title = ""

    def __init__(self, data, source):
        self.data = data | {"fingerprint": fingerprint(data)}
        self.source = source
        self._widget = None

    @property
    def widget(self):
        """The anywidget that Jupyter shows, made when first asked for."""
        if self._widget is None:
            self._widget = _widget_class(self.name)(_data=_as_text(self.data))
        return self._widget

    @property
    def _rows(self):
        """The answers as the page sent them; nothing has been sent while no page is open."""
        return [] if self._widget is None else self._widget._answers

    def __repr__(self):
        return f"{self.title} (a tool that needs a page to run in)"

    def _repr_mimebundle_(self, include=None, exclude=None):
        bundle = self.widget._repr_mimebundle_(include=include, exclude=exclude)
        # Some versions answer with metadata beside the bundle.
        content = bundle[0] if isinstance(bundle, tuple) else bundle
        return {**content, "text/plain": repr(self)}


def fingerprint(data):
    """Eight letters that tell one choice of texts from another, the same on every machine."""
    # Two machines may differ in the last digits of a mean.
    same = json.loads(json.dumps(data), parse_float=lambda text: round(float(text), 6))
    return hashlib.sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()[:8]


def _as_text(data):
    """JSON in which no text can end the script element that it stands in on a page."""
    return json.dumps(data).replace("<", "\\u003c")


def asset(name):
    """The text of a file beside this one."""
    return files("carebook.tools").joinpath(name).read_text(encoding="utf-8")


def compact(source):
    """A script or style sheet of ours without its comments and indents, which every page would pay.

    Our sources keep a comment on lines of its own, and no text goes over a line's end.

    Examples
    --------
    >>> compact("// Why.\\nif (a) {\\n  b(); // how\\n}\\n/* One,\\n   two. */\\nc();\\n")
    'if (a) {\\nb(); // how\\n}\\nc();\\n'
    """
    source = re.sub(r"(?ms)^ */\*.*?\*/\n|^ *//.*?\n", "", source)
    return re.sub(r"(?m)^\s+", "", source)


@cache
def _widget_class(name):
    import anywidget
    import traitlets

    def synced(trait):
        return trait.tag(sync=True)

    parts = {
        "_esm": compact(asset("common.js") + asset(f"{name}.js")),
        "_css": compact(asset("common.css")),
        "_data": synced(traitlets.Unicode()),
        "_answers": synced(traitlets.List()),
    }
    return type(f"PracticeTool_{name}", (anywidget.AnyWidget,), parts)
