"""Result sentences: verdicts, the look of numbers, and text that stays text."""

import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carebook.accepted import Told
from carebook.results import (
    count_phrase,
    estimate,
    interval,
    list_phrase,
    number,
    percent,
    quoted,
    result,
    source_note,
    verdict,
    wording,
)

finite = st.floats(-1e9, 1e9)


def test_result_shows_as_markdown_and_loses_the_indentation_of_the_code():
    shown = result("""
        Observers rated **lower**.

        So what?
    """)
    assert shown._repr_markdown_() == "Observers rated **lower**.\n\nSo what?"
    assert repr(shown) == shown._repr_markdown_()


def test_result_without_text_is_refused():
    with pytest.raises(ValueError, match="no text"):
        result("  \n ")


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.01, 1, "higher"),
        (-1, -0.01, "lower"),
        (-1, 1, "can't tell"),
        (0.0, 1, "can't tell"),
        (-1, 0.0, "can't tell"),
        (math.nan, math.nan, "can't tell"),
    ],
)
def test_the_interval_decides_the_verdict(low, high, expected):
    assert verdict(low, high) == expected


def test_verdict_takes_another_null_and_refuses_an_interval_turned_round():
    assert verdict(0.2, 0.4, null=0.5) == "lower"
    with pytest.raises(ValueError, match="swap"):
        verdict(1, 0)


@given(finite, finite, finite)
def test_verdict_turns_over_with_the_sign(a, b, null):
    low, high = sorted((a, b))
    opposite = {"higher": "lower", "lower": "higher", "can't tell": "can't tell"}
    assert verdict(-high, -low, null=-null) == opposite[verdict(low, high, null=null)]


def test_each_verdict_has_its_own_wording():
    texts = {"higher": "up", "lower": "down", "unclear": "open"}
    chosen = [wording(verdict(*ends), **texts) for ends in [(1, 2), (-2, -1), (-1, 1)]]
    assert chosen == ["up", "down", "open"]
    with pytest.raises(ValueError, match="no verdict"):
        wording("maybe", **texts)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1234567, "1,234,567"),
        (np.int64(7), "7"),
        (7.0, "7.00"),
        (np.float64(-0.125), "−0.12"),
        (-0.004, "0.00"),
        (None, "no value"),
        (pd.NA, "no value"),
        (math.nan, "no value"),
    ],
)
def test_numbers_look_the_same_everywhere(value, expected):
    assert number(value) == expected


@given(finite)
def test_a_written_number_reads_back_within_half_a_unit_of_its_last_place(value):
    back = float(number(value).replace(",", "").replace("−", "-"))
    assert abs(back - value) <= 0.005 + 1e-6


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0, "0%"),
        (0.004, "under 1%"),
        (0.5, "50%"),
        (0.996, "over 99%"),
        (1, "100%"),
        (-0.1, "−10%"),
    ],
)
def test_percent_never_rounds_something_to_nothing_or_to_all(share, expected):
    assert percent(share) == expected


def test_percent_keeps_decimals_when_asked():
    assert percent(0.0004, digits=1) == "under 0.1%"
    assert percent(np.float64(1 / 3), digits=1) == "33.3%"


def test_intervals_and_estimates():
    assert interval(1, 2.5, digits=1) == "1.0 to 2.5"
    assert estimate(2, 1, 3) == "2.00 (95% interval 1.00 to 3.00)"


def test_counts_agree_with_their_nouns():
    assert count_phrase(np.int64(1), "story", "stories") == "1 story"
    assert count_phrase(0, "story", "stories") == "no stories"
    assert list_phrase(["a"]) == "a"
    assert list_phrase(["a", "b"]) == "a and b"


def test_a_quotation_holds_no_live_markup():
    shown = quoted("<script>x</script> [a](b) $c$\n# d")
    assert shown.splitlines()[1] == r"> \# d"
    assert r"\<script\>" in shown and r"\[a\]\(b\)" in shown and r"\$c\$" in shown


def test_source_note_says_synthetic_only_of_synthetic_data():
    practice = SimpleNamespace(
        source=SimpleNamespace(label="practice corpus (synthetic)", synthetic=True)
    )
    real = SimpleNamespace(source=SimpleNamespace(label="CAREBench", synthetic=False))
    assert "no finding about people" in source_note(practice)
    assert source_note(real) == "Data: CAREBench."


def test_a_source_note_lists_what_an_instructor_accepted_and_its_markup_does_nothing():
    source = SimpleNamespace(label="CAREBench", synthetic=False)
    note = source_note(SimpleNamespace(source=source, accepted=('"<b>agre" was read as "Agree".',)))
    assert note.startswith("Data: CAREBench. Departures from the documentation that were accepted")
    assert '\\"\\<b\\>agre\\" was read as \\"Agree\\".' in note
    assert source_note(SimpleNamespace(source=source, accepted=())) == "Data: CAREBench."


@pytest.mark.parametrize(
    ("synthetic", "said"), [(True, 'narrative \\"0007\\" used'), (False, "one narrative used")]
)
def test_a_source_note_names_no_record_of_real_data(synthetic, said):
    panel = Told('narrative "0007" used with observers 1, 2 only', "one narrative used")
    source = SimpleNamespace(label="CAREBench", synthetic=synthetic)
    note = source_note(SimpleNamespace(source=source, accepted=(panel,)))
    assert said in note and ("0007" in note) == synthetic
