"""Tools for a page that answers: choose one of several views that were made beforehand.

:func:`explorer` shows a list of views one at a time. In Jupyter they are ipywidgets, and the choice
is linked to the view in the browser, not in Python. On the website no widget is needed: the build
makes a file of each view, and the page loads it when it is chosen. ipywidgets loads when the first
explorer is shown in Jupyter.
"""

import os
from collections.abc import Mapping
from html import escape

from carebook.figures import Described

MOST_RADIO_BUTTONS = 8

VIEWS = "application/vnd.carebook.explorer+json"
"""What the website's build reads: ``{"name": ..., "views": [{"label": ..., "html": ...}]}``."""

BUILDING = "CAREBOOK_PAGES"
"""The variable that the build sets for the kernels whose outputs become pages."""


class Explorer:
    """A list of views with a control to choose one: what :func:`explorer` returns.

    Attributes
    ----------
    name : str
        What is chosen.
    labels : tuple of str
    views : tuple
        As given, in the order of the labels.
    """

    def __init__(self, name, labels, views):
        self.name = name
        self.labels = labels
        self.views = views
        self._widget = None

    @property
    def widget(self):
        """The ipywidgets box that Jupyter shows: a control above a stack of views."""
        if self._widget is None:
            self._widget = _box(self)
        return self._widget

    def __repr__(self):
        return f"{self.name}: {', '.join(self.labels)}"

    def _repr_mimebundle_(self, include=None, exclude=None):
        if os.environ.get(BUILDING):
            pairs = zip(self.labels, self.views, strict=True)
            views = [{"label": label, "html": view_html(view)} for label, view in pairs]
            return {VIEWS: {"name": self.name, "views": views}, "text/plain": self.name}
        bundle = self.widget._repr_mimebundle_(include=include, exclude=exclude)
        # Where widgets can't be shown, the names of the views say what would be here.
        return {**bundle, "text/plain": repr(self)}


def explorer(views, *, name="Show"):
    """Show several views one at a time, with a control to choose.

    Parameters
    ----------
    views : iterable of (str, object)
        Label and view. A view is a figure with its alternative text (:class:`Described`), a table
        (anything that a notebook shows as HTML), plain text, which is always shown as text: markup
        in it does nothing; or several of these below each other: a mapping from title to view.
    name : str, default "Show"
        What is chosen, written before the control and read out by screen readers.

    Returns
    -------
    Explorer
        The last line of a cell. In Jupyter, up to eight views get radio buttons, more get a
        drop-down list. On the website all are radio buttons, and a view is loaded when it is
        chosen; the first stands in the page, so put a short one there.

    Raises
    ------
    ValueError
        If there is no view, or two have the same label.
    TypeError
        If a view is none of the above.

    Examples
    --------
    >>> explorer([("0001", "A first story."), ("0002", "A second story.")], name="Narrative")
    Narrative: 0001, 0002
    """
    pairs = [(str(label), view) for label, view in views]
    labels = tuple(label for label, _ in pairs)
    if not pairs:
        raise ValueError("There are no views: pass a list of (label, view) pairs.")
    twice = sorted({label for label in labels if labels.count(label) > 1})
    if twice:
        raise ValueError(f"Two views are called {twice[0]!r}: give each its own label.")
    for label, view in pairs:
        _check(label, view)
    return Explorer(str(name), labels, tuple(view for _, view in pairs))


def _check(label, view):
    if isinstance(view, Mapping):
        if not view:
            raise ValueError(f"The view {label!r} is empty: put a part into it, or leave it out.")
        for title, part in view.items():
            _check(f"{label}: {title}", part)
    elif not isinstance(view, (str, Described)) and not hasattr(view, "_repr_html_"):
        raise TypeError(
            f"The view {label!r} is a {type(view).__name__}. Pass a figure from "
            "carebook.figures, a table, or a text; wrap a figure of your own in Described."
        )


def view_html(view):
    """Write a view as HTML: an image with its alternative text, a table, escaped text, or parts.

    Parameters
    ----------
    view : Described, str, mapping of str to view, or anything that a notebook shows as HTML

    Examples
    --------
    >>> view_html("1 < 2 & <script>")
    '<p>1 &lt; 2 &amp; &lt;script&gt;</p>'
    >>> view_html({"Story": "It rained.", "Felt": "sad"})
    '<dl><dt>Story</dt><dd><p>It rained.</p></dd><dt>Felt</dt><dd><p>sad</p></dd></dl>'
    """
    if isinstance(view, Mapping):
        parts = (
            f"<dt>{escape(str(title))}</dt><dd>{view_html(part)}</dd>"
            for title, part in view.items()
        )
        return f"<dl>{''.join(parts)}</dl>"
    if isinstance(view, Described):
        data, about = view._repr_mimebundle_()
        width = about["image/png"]["width"]
        return (
            f'<img src="data:image/png;base64,{data["image/png"]}" alt="{escape(view.alt)}" '
            f'width="{width}" style="max-width: 100%; height: auto">'
        )
    if isinstance(view, str):
        return "".join(
            f"<p>{escape(part, quote=False)}</p>" for part in view.splitlines() if part.strip()
        )
    return view._repr_html_()


def _box(made):
    import ipywidgets

    control = (
        ipywidgets.RadioButtons if len(made.labels) <= MOST_RADIO_BUTTONS else ipywidgets.Dropdown
    )
    choice = control(
        options=made.labels,
        index=0,
        description=made.name,
        style={"description_width": "initial"},
        layout={"width": "auto"},
    )
    shown = [ipywidgets.HTML(view_html(view)) for view in made.views]
    stack = ipywidgets.Stack(shown, selected_index=0)
    ipywidgets.jslink((choice, "index"), (stack, "selected_index"))
    return ipywidgets.VBox([choice, stack])
