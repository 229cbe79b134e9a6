"""The result paragraphs of the appendices say what follows from the data, whichever way it goes."""

from types import SimpleNamespace

import pandas as pd
import pytest
from chapter_cells import said

CARE = SimpleNamespace(label="made up", synthetic=False, annotations=pd.DataFrame(index=range(4)))
A1, A2 = "a1_pandas", "a2_statistics"


def interval(low: float, high: float) -> dict[str, float]:
    return {"estimate": (low + high) / 2, "low": low, "high": high}


@pytest.mark.parametrize(
    ("times", "words"),
    [
        ([1, 1, 1, 1], "filled by 4 people ({numref}`fig-a1-people`). Nobody appears twice"),
        ([1, 3], "2 people ({numref}`fig-a1-people`). 1 of these people made more than one."),
        ([2, 2], "2 of these people made more than one."),
    ],
)
def test_people_are_counted_and_those_who_recur_named(times, words):
    assert words in said(A1, "people-result", times=pd.Series(times), care=CARE)


@pytest.mark.parametrize(
    ("missed", "count", "words"),
    [
        (
            0,
            "20 of 20 intervals hold the mean of all stories, and no intervals miss it.",
            "good luck",
        ),
        (
            1,
            "19 of 20 intervals hold the mean of all stories, and 1 interval misses it.",
            "about what",
        ),
        (3, "17 of 20 intervals", "about what"),
        (4, "16 of 20 intervals", "more than one would expect"),
    ],
)
def test_intervals_that_miss_are_counted_and_judged(missed, count, words):
    low = [5.0] * missed + [2.0] * (20 - missed)
    table = pd.DataFrame({"low": low, "high": [6.0] * 20})
    text = said(A2, "studies-luck", "studies-result", table=table, truth=3.0, care=CARE)
    assert count in text and words in text


@pytest.mark.parametrize(
    ("high", "words"),
    [
        (2.0, "too narrow by up to that factor: by all of it if"),
        (1.05, "next to no difference"),
        (0.8, "even gives the"),
    ],
)
def test_widths_of_intervals_are_compared(high, words):
    names = ["records", "readers and stories"]
    found = pd.DataFrame({"low": [0.0, 0.0], "high": [1.0, high]}, index=names)
    text = said(A2, "units-width", "units-result", found=found, care=CARE)
    assert words in text and f"{high:.1f} times as wide" in text


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [(-0.4, -0.2, "less bad"), (0.2, 0.4, "*worse*"), (-0.1, 0.1, "leave open")],
)
def test_the_correlation_is_told_by_its_interval(low, high, words):
    assert words in said(A2, "writers-result", row=interval(low, high), care=CARE)


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [(-0.4, -0.2, "off by less"), (0.2, 0.4, "does *worse*"), (-0.1, 0.1, "can't tell")],
)
def test_the_gain_of_the_model_is_told_by_its_interval(low, high, words):
    assert words in said(A2, "gain-result", gain=interval(low, high), care=CARE)
