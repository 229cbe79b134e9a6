"""The support lines: read from one file, shown in words, refused when something is missing."""

import re

import pytest

from carebook.support import support_lines, support_note, support_text

GOOD = """
[[line]]
name = "Sorgentelefon"
country = "Germany"
how = "call 0800"
checked = 2026-03-01
"""


def test_the_book_names_two_services_with_country_and_day(tmp_path):
    lines = support_lines()
    assert len(lines) == 2
    for line in lines:
        assert f"**{line.name}** ({line.country}): {line.how}" in support_text()


def test_an_instructors_file_takes_their_place(tmp_path):
    file = tmp_path / "lines.toml"
    file.write_text(GOOD, encoding="utf-8")
    text = support_text(file)
    assert "Sorgentelefon** (Germany): call 0800" in text
    assert "checked on 1 March 2026" in text
    assert "988" not in text


@pytest.mark.parametrize("part", ["name", "country", "how", "checked"])
def test_an_entry_without_a_part_is_refused_by_name(tmp_path, part):
    file = tmp_path / "lines.toml"
    file.write_text(re.sub(f"{part} = .*", "", GOOD), encoding="utf-8")
    with pytest.raises(ValueError, match=f"line entry 1: '{part}'"):
        support_lines(file)


def test_a_file_without_entries_is_refused(tmp_path):
    file = tmp_path / "lines.toml"
    file.write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match="at least one"):
        support_lines(file)


def test_a_notebook_shows_the_text_as_markdown():
    assert support_note()._repr_markdown_() == support_text()
