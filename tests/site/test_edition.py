"""What a copy of the book says about itself: its data, its versions, its times, its Python."""

import re
from pathlib import Path

import edition
import lite
import pytest

import carebook


class TwoChapters:
    """A book of three notebooks, one of which was never run."""

    @staticmethod
    def chapters():
        return [Path(f"{name}.ipynb") for name in ("one", "two", "three")]


def test_the_sum_of_the_times_is_the_sum_of_the_numbers_shown(monkeypatch):
    kept = {"one": 1.4, "two": 2.4, "three": None}
    monkeypatch.setattr(edition, "kept_seconds_of", lambda book, path: kept[path.stem])
    table = "\n".join(edition.time_lines(TwoChapters()))
    assert re.findall(r"\| \**(\d+)\** \|", table) == ["1", "2", "3"]  # 1.4 + 2.4 rounds to 4
    assert "three" not in table


def test_the_books_own_version_is_that_of_its_source():
    (line,) = edition.version_lines()
    assert f"carebook {carebook.__version__}," in line


@pytest.mark.parametrize(
    ("there", "server", "said", "not_said"),
    [
        (True, "cdn.example", "Python from `cdn.example`, which is another server", "all from"),
        (True, "", "all from this site", "another server"),
        (False, "", "without the first way", "MB"),
    ],
)
def test_the_page_says_what_python_in_the_browser_downloads_and_from_where(
    there, server, said, not_said
):
    text = edition.browser_line(there, server)
    assert said in text and not_said not in text
    assert not there or f"{lite.MEGABYTES} MB" in text
