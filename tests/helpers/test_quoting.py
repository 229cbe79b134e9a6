"""What may be shown of a record: all of an invented one, what was confirmed of a real one."""

import json

import pandas as pd
import pytest
from toy_records import corpus, judged, table, write, write_lines

from carebook import DataError, load_carebench, load_imbue
from carebook.quoting import (
    MOST,
    lettered,
    quotable,
    quotable_first,
    shown,
    shown_line,
    shown_record,
    shown_table,
    stand_in,
)

CONFIRMED = 'confirmed_by = "A. Teacher"\n'


@pytest.fixture
def folder(tmp_path):
    """Three narratives by people whose identifiers don't say that they are invented."""
    return write_lines(tmp_path, *corpus())


def refused(folder, text, load=load_carebench):
    write(folder / "quotations.toml", text)
    with pytest.raises(DataError) as caught:
        load(folder)
    (problem,) = caught.value.problems
    return str(problem)


def test_nothing_of_real_data_may_be_shown_unless_it_was_confirmed(folder):
    real = load_carebench(folder)
    assert not quotable(real, "0001")
    assert shown("My train was late.", real, "0001") == "[4 words of a real record, not shown]"
    write(folder / "quotations.toml", CONFIRMED + 'narratives = ["0002"]\n')
    real = load_carebench(folder)
    assert quotable(real, "0002") and not quotable(real, "0001")
    assert shown("My train was late.", real, "0002") == "My train was late."
    assert quotable_first(real, real.narratives.index) == ["0002", "0001", "0003"]


def test_messages_are_confirmed_in_the_same_file(tmp_path):
    write(tmp_path / "imbue.csv", table([judged("07", "3"), judged("07", "4")]))
    write(tmp_path / "quotations.toml", CONFIRMED + 'messages = ["07/3"]\nnarratives = ["x"]\n')
    real = load_imbue(tmp_path)
    assert quotable(real, "07/3") and not quotable(real, "07/4")


def test_everything_invented_may_be_shown():
    practice = load_carebench()
    record, rows = {"sample_id": "0001"}, practice.narratives.head(2)
    assert quotable(practice, "0001") and shown("x y", practice, "0001") == "x y"
    assert shown_line('{"a" : 1}', practice) == '{"a" : 1}'
    assert shown_record(record, practice) is record and shown_table(rows, practice) is rows
    assert lettered(["b", "a"], practice) == {"a": "a", "b": "b"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('narratives = ["0001"]', "found nobody who confirms the list"),
        ('confirmed_by = " "', "found nobody who confirms the list"),
        (CONFIRMED + 'narratives = "0001"', 'expected a list of keys. Write it as ["0007"].'),
        (CONFIRMED + "narratives = [7]", "expected a list of keys"),
        (CONFIRMED + 'narratives = ["0009"]', 'found "0009"; expected the key of one of the'),
        (CONFIRMED + "stories = []", 'the key "stories"'),
        (CONFIRMED + f"narratives = {['0001'] * (MOST + 1)}", f"found {MOST + 1} narratives"),
        ("confirmed_by", "expected a TOML file in UTF-8"),
        (CONFIRMED + f"narratives = [{chr(57) * 5000}]", "expected a TOML file in UTF-8"),
    ],
)
def test_a_list_that_says_too_little_or_too_much_is_refused(folder, text, said):
    line = refused(folder, text)
    assert line.startswith("quotations.toml: ") and said in line


def test_a_raw_record_keeps_its_shape_and_its_answers_only(folder):
    real = load_carebench(folder)
    line = (folder / "first_person.jsonl").read_text("utf-8").split("\n")[0]
    record = json.loads(line)
    assert json.loads(shown_line(line, real)) == shown_record(record, real) != record
    record["note"] = {"deep": ["a word or two", 3, None]}
    veiled = shown_record(record, real)
    assert list(veiled) == list(record)
    assert veiled["appraisal_ratings"] == record["appraisal_ratings"]
    assert veiled["emotion_labels"] == record["emotion_labels"]
    assert veiled["personality_questionnaire"] == record["personality_questionnaire"]
    assert veiled["note"] == {"deep": ["[4 words of a real record, not shown]", 3, None]}
    assert set(veiled["demographics"].values()) == {"[not shown]"}
    story = record["story_collection"]
    assert veiled["story_collection"]["chat_history"][0] == [
        "ai",
        stand_in(story["chat_history"][0][1]),
    ]
    said = json.dumps(veiled)
    assert story["final_scenario"] not in said and record["participant_id"] not in said.split('"')


def test_a_table_loses_texts_and_names_and_keeps_numbers(folder):
    real = load_carebench(folder)
    veiled = shown_table(real.annotations, real)
    assert list(veiled.index[:2]) == ["row 1", "row 2"]
    assert set(veiled["participant_id"]) == set(veiled["sample_id"]) == {"[not shown]"}
    assert veiled["positive_level"].tolist() == real.annotations["positive_level"].tolist()
    assert veiled["perspective"].tolist() == real.annotations["perspective"].tolist()
    assert set(real.annotations["sample_id"]) == {"0001", "0002", "0003"}  # nothing was changed
    by_hand = real.annotations.astype({"perspective": str})
    assert shown_table(by_hand, real)["perspective"].tolist() == by_hand["perspective"].tolist()
    turns = shown_table(pd.DataFrame({"text": ["Two words", None, ""]}), real)
    assert turns["text"].tolist()[0] == "[2 words of a real record, not shown]"
    assert turns["text"].isna().tolist() == [False, True, False]


def test_experts_get_letters():
    real = type("Source", (), {"synthetic": False})()
    assert lettered([f"u{i:02}" for i in range(28)], real)["u27"] == "expert 28"
