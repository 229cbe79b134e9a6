"""Records and tables before any translation, and the figures of the chapter on linking."""

import json

import pandas as pd
import pytest

from carebook import figures
from carebook.carebench import load_carebench, raw_records
from carebook.imbue import raw_table
from carebook.vocabulary import TRAITS


def write_lines(folder, first, third):
    for name, records in (("first_person", first), ("third_person", third)):
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")


# --- raw_records ----------------------------------------------------------------------------------


def test_raw_records_are_neither_checked_nor_translated(tmp_path):
    write_lines(tmp_path, [{"sample_id": "0007", "odd": None}], [{"sample_id": "0009"}])
    assert raw_records("first_person", tmp_path) == [{"sample_id": "0007", "odd": None}]
    assert raw_records("third_person", tmp_path) == [{"sample_id": "0009"}]


def test_raw_records_name_story_and_observer_in_the_layout_keyed_by_sample(tmp_path):
    (tmp_path / "first_person.json").write_text('{"07": {}}', encoding="utf-8")
    (tmp_path / "third_person.json").write_text('{"07": [{"observer_index": 1}]}', encoding="utf-8")
    assert raw_records("first_person", tmp_path)[0]["sample_id"] == "07"
    assert raw_records("third_person", tmp_path)[0] == {"observer_index": 1, "sample_id": "07"}


def test_raw_records_are_as_many_as_the_annotations():
    records = raw_records("first_person") + raw_records("third_person")
    assert len(records) == len(load_carebench().annotations)


def test_raw_records_of_an_unknown_role_are_refused():
    with pytest.raises(ValueError, match="first_person or third_person"):
        raw_records("second_person")


# --- raw_table ------------------------------------------------------------------------------------


def test_the_raw_table_keeps_every_cell_as_text(tmp_path):
    file = tmp_path / "imbue.csv"
    file.write_text("\ufeffmessage_id,label_describe,note\n01,None,\n", encoding="utf-8")
    assert raw_table(file).to_dict("records") == [
        {"message_id": "01", "label_describe": "None", "note": ""}
    ]


# --- figures --------------------------------------------------------------------------------------


def drawn(shown, marker):
    (axes,) = shown.figure.axes
    return [
        (float(x), int(y))
        for line in axes.lines
        if line.get_marker() == marker
        for x, y in zip(*line.get_data(), strict=True)
    ]


def test_scoring_rules_cross_out_the_stored_values_a_rule_cannot_give():
    shown = figures.scoring_rules({"sum": [2, 3], "half": [1, 1.5]}, pd.Series([1.5, 2, 2, None]))
    assert drawn(shown, "D") == [(1.5, 0), (2.0, 0)]
    assert drawn(shown, "o") == [(2.0, 1), (3.0, 1), (1.0, 2), (1.5, 2)]
    assert drawn(shown, "x") == [(1.5, 1), (2.0, 2)]
    assert "sum: 2 possible values from 2.0 to 3.0, leaves out 1 stored value (1.5)." in shown.alt


def test_scoring_rules_need_a_rule_and_a_score():
    with pytest.raises(ValueError, match="nothing to compare"):
        figures.scoring_rules({}, pd.Series([1.0]))
    with pytest.raises(ValueError, match="nothing to compare"):
        figures.scoring_rules({"sum": [2]}, pd.Series([None], dtype=float))


def test_interval_by_unit_keeps_the_order_and_compares_widths_with_the_first():
    table = pd.DataFrame(
        {"estimate": 3.0, "low": [2.9, 2.7], "high": [3.1, 3.3]}, index=["records", "people"]
    )
    shown = figures.interval_by_unit(table, what="mean rating")
    (axes,) = shown.figure.axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == ["draw records", "draw people"]
    assert [text.get_text() for text in axes.texts] == ["× 1.0", "× 3.0"]
    assert "Drawing people: 2.70 to 3.30, 3.0 times as wide" in shown.alt


def test_alone_by_fields_draws_one_bar_for_each_step():
    shown = figures.alone_by_fields(pd.Series({"age": 0.1, "sex": 0.4}))
    (axes,) = shown.figure.axes
    assert [bar.get_width() for bar in axes.patches] == [0.1, 0.4]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["age", "+ sex"]
    assert "age 10%, then sex 40%" in shown.alt


def test_alone_by_fields_needs_a_field():
    with pytest.raises(ValueError, match="no fields"):
        figures.alone_by_fields(pd.Series(dtype=float))


# --- stored and recomputed traits -----------------------------------------------------------------


def traits(sums, stored):
    people = pd.DataFrame({"participant_id": [f"p{n}" for n in range(len(sums))]})
    for trait in TRAITS:
        people[trait], people[f"{trait}_stored"] = sums, stored
    return figures.stored_and_recomputed(people)


def test_scores_on_one_straight_line_are_told_by_the_line_and_not_by_who_is_equal():
    shown = traits([2.0, 6.0, 10.0], [0.0, 5.0, 10.0])
    assert "Openness: all 3 people lie on one line, stored = 1.25 × sum − 2.50" in shown.alt
    assert "equal" not in shown.alt
    title = shown.figure.get_suptitle().replace("\n", " ")
    assert title == "For every trait, the stored score is 1.25 × sum − 2.50"


def test_scores_off_the_line_are_told_by_how_many_are_equal():
    assert "Openness: equal for 67% of 3 people" in traits([2.0, 6.0, 10.0], [2.0, 5.0, 10.0]).alt


def test_equal_scores_are_told_as_equal_and_two_points_are_no_line():
    assert "Openness: equal for 100% of 3 people" in traits([2.0, 6.0, 10.0], [2.0, 6.0, 10.0]).alt
    assert "equal for 0% of 2 people" in traits([2.0, 6.0], [0.0, 5.0]).alt
