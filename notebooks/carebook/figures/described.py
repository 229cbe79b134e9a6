"""A figure together with the text that stands for it."""

import base64
import contextlib
import io
import re
import sys
import warnings

from carebook.figures.style import DRAWN_DPI, HOUSE, SHOWN_DPI

SHORTEST_ALT = 40


@contextlib.contextmanager
def any_letter():
    """Let a name hold letters that the font lacks: a box stands for them, and the alt has them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        warnings.filterwarnings("ignore", ".*does not support .* natively", UserWarning)
        yield


class Described:
    """A figure and the text that stands for it where it cannot be seen.

    A notebook shows it as an image; the text travels in the image's metadata and becomes the
    ``alt`` of the picture on the website.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        What to show. A pyplot figure is closed, so that the notebook does not show it twice.
    alt : str
        What it shows, in a sentence or a few, with values: at least 40 characters and one digit.

    Raises
    ------
    ValueError
        If ``alt`` is too short to mean anything or holds no value.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, axes = plt.subplots()
    >>> _ = axes.bar(["yes", "no"], [3, 1])
    >>> Described(figure, "Bar chart: 3 messages show the skill, 1 message does not.")
    Bar chart: 3 messages show the skill, 1 message does not.
    """

    def __init__(self, figure, alt):
        # Names come from data files: a terminal code or a direction mark in one does nothing here.
        alt = "".join(c if c.isprintable() else " " for c in str(alt))
        alt = " ".join(alt.split())
        if len(alt) < SHORTEST_ALT or not re.search(r"\d", alt):
            raise ValueError(
                f"The alternative text {alt!r} does not stand in for a figure. Say what is drawn "
                f"and name values of it: at least {SHORTEST_ALT} characters and one number."
            )
        self.figure = figure
        self.alt = alt
        # Only if pyplot is loaded can the figure be one that it would show at the end of the cell.
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close(figure)

    def __repr__(self):
        return self.alt

    def png(self):
        """Return the drawn figure as the bytes of a PNG file."""
        import matplotlib
        from PIL import Image

        drawn, small = io.BytesIO(), io.BytesIO()
        with matplotlib.rc_context(HOUSE), any_letter():
            # No program name in the file: the same values give the same bytes.
            self.figure.savefig(drawn, format="png", dpi=DRAWN_DPI, metadata={"Software": None})
        # A palette of 256 colours is plenty for a chart and less than half as heavy to load.
        Image.open(drawn).convert("RGB").quantize(256).save(small, format="PNG", optimize=True)
        return small.getvalue()

    def _repr_mimebundle_(self, include=None, exclude=None):
        image = base64.b64encode(self.png()).decode("ascii")
        width, height = (round(SHOWN_DPI * inches) for inches in self.figure.get_size_inches())
        about = {"alt": self.alt, "width": width, "height": height}
        return {"image/png": image, "text/plain": self.alt}, {"image/png": about}
