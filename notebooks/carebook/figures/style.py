"""One look for all figures: colours, signs, type, and the ends of the answer scales."""

from typing import NamedTuple

# Okabe and Ito's colours, without the two that are too pale on white.
BLUE, VERMILION, GREEN, PURPLE, BLACK, GREY = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#AA4F85",
    "#000000",
    "#767676",
)
COLOURS = (BLUE, VERMILION, GREEN, PURPLE, BLACK, "#8C6D00", "#3D8DBF", "#5B5B5B")
MARKERS = ("D", "o", "s", "^", "v", "P", "X", "p")
HATCHES = ("", "///", "...", "xx")

WIDTH = 5.6
"""Inches. Narrow, so that 12-point type is still readable when a phone shrinks the figure."""

SHOWN_DPI, DRAWN_DPI = 100, 200
SYNTHETIC_MARK = "synthetic practice data"

HOUSE = {
    # Names come from data files: a dollar sign in one is no formula.
    "text.parse_math": False,
    "font.size": 12,
    "axes.labelsize": 12,
    "xtick.labelsize": 11,
    "ytick.labelsize": 11,
    "legend.fontsize": 11,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.edgecolor": "#555555",
    "grid.color": "#DDDDDD",
    "hatch.linewidth": 0.8,
}


class Scale(NamedTuple):
    """The values an answer may take and the words at the two ends."""

    values: tuple
    low: str
    high: str


AGREEMENT_SCALE = Scale((1, 2, 3, 4, 5), "strongly disagree", "strongly agree")
POSITIVE_SCALE = Scale((0, 1, 2, 3, 4, 5, 6), "not at all positive", "extremely positive")
NEGATIVE_SCALE = Scale((0, 1, 2, 3, 4, 5, 6), "not at all negative", "extremely negative")
