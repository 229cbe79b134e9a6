"""Loading CAREBench: the tables, every refusal, every layout, and the fast pass."""

import copy
import gzip
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from toy_records import (
    corpus,
    lines,
    observer,
    write,
    write_lines,
    write_objects,
    write_samples,
    writer,
)

from carebook import DataError, load_carebench
from carebook.accepted import Accepted
from carebook.carebench import recompute_traits
from carebook.columns import Codes, Departure, Tally, collect
from carebook.examination import Examination
from carebook.specification import examine
from carebook.vocabulary import BFI_ITEMS, DEMOGRAPHICS, DIMENSIONS, LABELS, STATEMENTS, TRAITS

GENERAL = STATEMENTS["relevance.general"]
NOT_SLOW = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def records():
    """Three writers' records and five observers' of the first narrative."""
    return corpus()


@pytest.fixture
def small(tmp_path, records):
    return load_carebench(write_lines(tmp_path, *records))


def refused(folder):
    """The lines that say why a folder is refused."""
    with pytest.raises(DataError) as caught:
        load_carebench(folder)
    return [str(problem) for problem in caught.value.problems]


def same(one, other):
    """Whether two loads hold the same tables."""
    for name in ("narratives", "annotations", "ratings", "labels", "reasoning", "people", "turns"):
        pd.testing.assert_frame_equal(getattr(one, name), getattr(other, name))
    return True


# --- the tables --------------------------------------------------------------------------------


def test_annotations_come_writer_first_then_observers_in_order(small):
    assert list(small.annotations.index) == [
        "0001/0", "0001/1", "0001/2", "0001/3", "0001/4", "0001/5", "0002/0", "0003/0",
    ]  # fmt: skip
    assert (
        small.annotations["perspective"].tolist()
        == ["experiencer"] + ["observer"] * 5 + ["experiencer"] * 2
    )
    assert small.annotations["observer"].isna().tolist() == [True] + [False] * 5 + [True] * 2


def test_columns_and_types_are_those_of_the_contract(small):
    text = "str" if pd.__version__ >= "3" else "object"
    assert dict(small.narratives.dtypes.astype(str)) == dict.fromkeys(
        ["participant_id", "narrative", "event", "goal", "feeling", "context"], text
    )
    assert dict(small.annotations.dtypes.astype(str)) == {
        "sample_id": text,
        "participant_id": text,
        "perspective": "category",
        "observer": "Int64",
        "positive_level": "int64",
        "negative_level": "int64",
        "attention_check": "int64",
    }
    assert dict(small.ratings.dtypes.astype(str)) == dict.fromkeys(DIMENSIONS, "int64")
    assert dict(small.labels.dtypes.astype(str)) == dict.fromkeys(LABELS, "bool")
    assert set(small.reasoning.dtypes.astype(str)) == {text}
    assert list(small.reasoning.columns)[5:] == ["previous_story", "appraisal_text"]
    assert list(small.people.columns) == [
        "participant_id",
        *BFI_ITEMS,
        *(f"{trait}_stored" for trait in TRAITS),
        *TRAITS,
        *DEMOGRAPHICS,
    ]
    assert dict(small.turns.dtypes.astype(str)) == {
        "annotation_id": text,
        "interview": "category",
        "turn": "int64",
        "role": "category",
        "text": text,
    }
    assert small.narratives.index.name == "sample_id"
    assert isinstance(small.turns.index, pd.RangeIndex)
    assert small.annotations["perspective"].cat.ordered


def test_values_are_read_by_the_documented_scales(tmp_path, records):
    first, third = records
    first[0]["appraisal_ratings"] |= {
        GENERAL: "Somewhat agree",
        "attention_check": "Strongly agree",
    }
    first[0]["emotion_labels"] = {
        "positive_level": "0 - Not at all positive",
        "negative_level": "6 - Extremely negative",
        "positive_emotion_labels": ["Love, closeness, trust", "Amused, entertained"],
        "negative_emotion_labels": [],
    }
    first[0]["demographics"] |= {"Age": "DATA_EXPIRED", "Sex": "Female"}
    data = load_carebench(write_lines(tmp_path, first, third))
    mine = data.annotations.loc["0001/0"]
    assert data.ratings.loc["0001/0", "relevance.general"] == 4
    assert (mine["positive_level"], mine["negative_level"], mine["attention_check"]) == (0, 6, 5)
    chosen = data.labels.loc["0001/0"]
    assert list(chosen[chosen].index) == ["Love, closeness, trust", "Amused, entertained"]
    assert pd.isna(data.people.loc["0001/0", "age"])
    assert data.people.loc["0001/0", "sex"] == "Female"
    assert data.withheld.to_dict("records") == [
        {"field": "age", "code": "DATA_EXPIRED", "count": 1}
    ]


def test_texts_and_turns_stand_where_they_were_said(tmp_path, records):
    first, third = records
    first[1]["story_collection"]["final_scenario"] = "My story."
    first[1]["story_collection"]["chat_history"] = [["ai", "What?"], ["human", "That."]]
    first[1]["cognitive_questions"]["chat_history"] = [["ai", "Why?"]]
    third[2]["cognitive_questions"]["summary_answers"]["control"] = "None of it."
    data = load_carebench(write_lines(tmp_path, first, third))
    assert data.narratives.loc["0002", "narrative"] == "My story."
    assert data.reasoning.loc["0001/3", "control"] == "None of it."
    said = data.turns[data.turns["annotation_id"] == "0002/0"]
    assert said.drop(columns="annotation_id").values.tolist() == [
        ["story", 0, "ai", "What?"],
        ["story", 1, "human", "That."],
        ["appraisal", 0, "ai", "Why?"],
    ]
    assert data.turns["annotation_id"].drop_duplicates().tolist() == list(data.annotations.index)


def test_traits_are_sums_of_two_items_with_one_reversed():
    answers = pd.DataFrame([dict.fromkeys(BFI_ITEMS, 3) | {"bfi_reserved": 1, "bfi_outgoing": 4}])
    assert recompute_traits(answers).loc[0].to_dict() == {
        "Extraversion": 9.0,
        "Agreeableness": 6.0,
        "Conscientiousness": 6.0,
        "Neuroticism": 6.0,
        "Openness": 6.0,
    }


def test_identifiers_stay_text_and_sort_as_text(tmp_path):
    first = [writer("10"), writer("9"), writer("0007"), writer("1e5"), writer("1-2"), writer("1")]
    data = load_carebench(write_lines(tmp_path, first, [observer("9", k) for k in range(1, 6)]))
    assert list(data.narratives.index) == ["0007", "1", "1-2", "10", "1e5", "9"]
    assert data.annotations["sample_id"].drop_duplicates().tolist() == list(data.narratives.index)


def test_people_who_contradict_themselves_are_reported(tmp_path, records):
    first, third = records
    first[0]["participant_id"] = third[0]["participant_id"] = "twice"
    third[0]["demographics"] = first[0]["demographics"] | {"Age": "99", "Sex": "DATA_EXPIRED"}
    third[0]["personality_questionnaire"] = first[0]["personality_questionnaire"]
    third[0]["BigFive_scores"] = first[0]["BigFive_scores"]
    age = first[0]["demographics"]["Age"]
    data = load_carebench(write_lines(tmp_path, first, third))
    assert data.contradictions.to_dict("records") == [
        {"participant_id": "twice", "field": "age", "values": f"{age}, 99"}
    ]


def test_unknown_fields_are_counted_and_in_no_table(tmp_path, records):
    first, third = copy.deepcopy(records)
    plain = load_carebench(write_lines(tmp_path / "plain", *records))
    for record in first:
        record["notes"] = {"deep": [1, {"x": None}]}
    third[0]["cognitive_questions"]["summary_answers"]["mood"] = "fine"
    data = load_carebench(write_lines(tmp_path / "more", first, third))
    assert dict(data.extra_fields) == {
        "cognitive_questions.summary_answers.mood": 1,
        "notes": 3,
    }
    assert same(data, plain)


def test_tables_share_no_memory_with_each_other(small):
    before = small.people["participant_id"].tolist()
    small.annotations.loc[:, "participant_id"] = "changed"
    assert small.people["participant_id"].tolist() == before


def test_the_source_says_what_was_read(small, tmp_path):
    assert (small.source.layout, small.source.label, small.source.synthetic) == (
        "lines",
        "CAREBench",
        False,
    )
    assert small.source.name == tmp_path.name
    assert list(small.source.files) == ["first_person.jsonl", "third_person.jsonl"]
    assert len(small.source.files["first_person.jsonl"]) == 64


def test_data_about_invented_people_say_so(tmp_path):
    first = [writer("1", "practice-p1")]
    third = [observer("1", k, f"practice-p{k}") for k in range(1, 6)]
    assert load_carebench(write_lines(tmp_path / "a", first, third)).source.synthetic
    third[4]["participant_id"] = "p5"
    assert not load_carebench(write_lines(tmp_path / "b", first, third)).source.synthetic


def test_the_practice_corpus_is_what_is_read_by_default(monkeypatch, tmp_path, records):
    monkeypatch.delenv("CAREBENCH_DATA", raising=False)
    assert load_carebench().source.label == "practice corpus (synthetic)"
    monkeypatch.setenv("CAREBENCH_DATA", str(write_lines(tmp_path, *records)))
    assert len(load_carebench().narratives) == 3


# --- layouts -----------------------------------------------------------------------------------

LAYOUTS = {"lines": write_lines, "objects": write_objects, "per sample": write_samples}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("inside", ["", "data"])
def test_every_layout_gives_the_same_tables(tmp_path, records, small, layout, packed, inside):
    folder = tmp_path / "other"
    LAYOUTS[layout](folder / inside, *records, packed)
    data = load_carebench(folder)
    assert same(data, small)
    assert data.source.layout == layout


def test_one_of_the_two_files_names_its_folder(tmp_path, records, small):
    write_lines(tmp_path, *records)
    assert same(load_carebench(tmp_path / "third_person.jsonl"), small)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r", "\n\n \n", "\r\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_blank_lines_and_byte_order_mark_do_not_matter(
    tmp_path, records, small, ending, mark
):
    for name, part in zip(("first", "third"), records, strict=True):
        text = lines(part).rstrip("\n").replace("\n", ending)
        write(tmp_path / "other" / f"{name}_person.jsonl", mark + text.encode())
    assert same(load_carebench(tmp_path / "other"), small)


def test_a_record_may_hold_unusual_line_separators(tmp_path, records):
    first, third = records
    first[0]["story_collection"]["final_scenario"] = text = "one\u2028two\u2029\x85\x0b\x00 \n\r🙂"
    data = load_carebench(write_lines(tmp_path, first, third))
    assert data.narratives.loc["0001", "narrative"] == text


def test_many_batches_are_put_together_in_order(tmp_path):
    first, third = corpus(narratives=70, observed=30)
    data = load_carebench(write_lines(tmp_path, first[::-1], third[::-1]))
    assert len(data.annotations) == 70 + 150
    assert data.annotations["sample_id"].is_monotonic_increasing
    for record in (*first, *third):
        key = f"{record['sample_id']}/{record.get('observer_index', 0)}"
        answers = record["cognitive_questions"]["summary_answers"]
        assert data.reasoning.loc[key, "control"] == answers["control"]
        assert data.people.loc[key, "participant_id"] == record["participant_id"]


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ({"first_person.jsonl", "third_person.jsonl", "first_person.json"}, "first_person.json"),
        ({"first_person.jsonl", "first_person.jsonl.gz", "third_person.jsonl"}, ".jsonl.gz"),
        ({"first_person.jsonl", "third_person.jsonl", "data/third_person.jsonl"}, "data/third"),
        (
            {"first_person.jsonl", "third_person.json"},
            "first_person.jsonl beside third_person.json",
        ),
        ({"first_person.jsonl", "third_person.jsonl", "first_person/1.json"}, "first_person/"),
    ],
)
def test_two_layouts_at_once_are_refused_by_name(tmp_path, names, told):
    for name in names:
        write(tmp_path / name, "")
    (line,) = refused(tmp_path)
    assert told in line
    assert "Move what you don't want to read out of the folder" in line


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ([], ["first_person.jsonl: found no such file", "third_person.jsonl: found no such file"]),
        (["first_person.jsonl"], ["third_person.jsonl: found no such file"]),
        (["first_person.json"], ["third_person.json: found no such file"]),
        (
            ["first_person.jsonl", "third_person (1).jsonl"],
            ["third_person.jsonl: found only third_person (1).jsonl"],
        ),
    ],
)
def test_a_missing_file_is_named(tmp_path, files, told):
    for name in files:
        write(tmp_path / name, "{}")
    found = refused(tmp_path)
    assert len(found) == len(told)
    assert all(line.startswith(start) for line, start in zip(found, told, strict=True))


def test_a_missing_folder_is_named(tmp_path):
    (line,) = refused(tmp_path / "nowhere")
    assert "nowhere: found no such folder" in line
    assert "CAREBENCH_DATA" in line


# --- refusals of records: change one thing, and one line tells it ------------------------------


def ratings(record):
    return record["appraisal_ratings"]


def emotions(record):
    return record["emotion_labels"]


def replace_key(record, old, new):
    record[new] = record.pop(old)


LOVE, SAD = "Love, closeness, trust", "Sad, downhearted, unhappy"
REFUSALS = {
    "an answer with a trailing space": (
        lambda r: ratings(r).update({GENERAL: "Somewhat agree "}),
        [f"appraisal_ratings.{GENERAL}", 'found "Somewhat agree "', 'differ from "Somewhat agree"'],
    ),
    "an answer of the other scale": (
        lambda r: ratings(r).update({GENERAL: "Disagree"}),
        ['found "Disagree"', 'expected "Strongly disagree", ', "answer of the BFI-10 scale"],
    ),
    "a BFI answer of the appraisal scale": (
        lambda r: r["personality_questionnaire"].update(
            {BFI_ITEMS["bfi_lazy"]: "Somewhat disagree"}
        ),
        [f"personality_questionnaire.{BFI_ITEMS['bfi_lazy']}", "answer of the appraisal scale"],
    ),
    "a number as an answer": (
        lambda r: ratings(r).update({GENERAL: 4}),
        ["found 4;", "stored in words"],
    ),
    "an attention check outside the scale": (
        lambda r: ratings(r).update({"attention_check": "yes"}),
        ["appraisal_ratings.attention_check", 'found "yes"'],
    ),
    "words that don't fit the number": (
        lambda r: emotions(r).update(positive_level="2 - Very positive"),
        ["emotion_labels.positive_level", '"2 - Very positive"', "2 goes with "],
    ),
    "a level of the other side": (
        lambda r: emotions(r).update(negative_level="2 - Slightly positive"),
        ["emotion_labels.negative_level", 'found "2 - Slightly positive"'],
    ),
    "a level outside 0 to 6": (
        lambda r: emotions(r).update(positive_level="7 - Extremely positive"),
        ['found "7 - Extremely positive"', "between 0 and 6"],
    ),
    "a level as a number": (
        lambda r: emotions(r).update(positive_level=2),
        ["found 2;", "stored as text"],
    ),
    "an unknown label": (
        lambda r: emotions(r).update(positive_emotion_labels=["Smug"]),
        ["emotion_labels.positive_emotion_labels[0]", 'found "Smug"', "one of the ten positive"],
    ),
    "a label on the wrong side": (
        lambda r: emotions(r).update(positive_emotion_labels=[LOVE, SAD]),
        ["positive_emotion_labels[1]", f'found "{SAD}"', "This is a negative label"],
    ),
    "a label that was cut at a comma": (
        lambda r: emotions(r).update(positive_emotion_labels=["closeness"]),
        ['found "closeness"', f'the whole label is "{LOVE}"'],
    ),
    "a label twice": (
        lambda r: emotions(r).update(negative_emotion_labels=[SAD, SAD]),
        ["negative_emotion_labels[1]", f'found "{SAD}" a second time', "at most once"],
    ),
    "labels as one text": (
        lambda r: emotions(r).update(positive_emotion_labels=LOVE),
        ["positive_emotion_labels", f'found "{LOVE}"', "a list of positive labels"],
    ),
    "labels as an object": (
        lambda r: emotions(r).update(positive_emotion_labels={LOVE: 1}),
        ["found an object with 1 field", "a list of positive labels"],
    ),
    "labels as an empty text": (
        lambda r: emotions(r).update(positive_emotion_labels=""),
        ['found ""', "a list of positive labels"],
    ),
    "a missing statement": (
        lambda r: ratings(r).pop(GENERAL),
        [f"appraisal_ratings.{GENERAL}: found nothing: the field is missing"],
    ),
    "a statement answered by null": (
        lambda r: ratings(r).update({GENERAL: None}),
        [f"appraisal_ratings.{GENERAL}: found null"],
    ),
    "an unknown statement": (
        lambda r: ratings(r).update({"I am happy.": "Somewhat agree"}),
        ["appraisal_ratings: found", '"I am happy."', "only the documented 22 statements"],
    ),
    "an unknown BFI item": (
        lambda r: r["personality_questionnaire"].update({"I see.": "Disagree"}),
        ["personality_questionnaire", '"I see."', "only the documented ten BFI-10 items"],
    ),
    "a missing section": (
        lambda r: r.pop("BigFive_scores"),
        ["BigFive_scores: found nothing: the field is missing", "expected an object"],
    ),
    "a section of the wrong type": (
        lambda r: r.update(demographics=[1, 2]),
        ["demographics: found a list of 2; expected an object"],
    ),
    "a missing text": (
        lambda r: r["cognitive_questions"]["summary_answers"].pop("control"),
        ["cognitive_questions.summary_answers.control: found nothing"],
    ),
    "a text that is a number": (
        lambda r: r["demographics"].update(Age=31),
        ["demographics.Age: found 31; expected text"],
    ),
    "half a character": (
        lambda r: r["demographics"].update(Age="\ud83d"),
        ["demographics.Age", '"\\ud83d"', "lone surrogate"],
    ),
    "half a character in an identifier": (
        lambda r: r.update(participant_id="p\udc00"),
        ["participant_id", '"p\\udc00"', "expected text"],
    ),
    "a trait outside its range": (
        lambda r: r["BigFive_scores"].update(Openness=10.5),
        ["BigFive_scores.Openness: found 10.5; expected a number from 0 to 10"],
    ),
    "an infinite trait": (
        lambda r: r["BigFive_scores"].update(Openness=float("1e308") * 1),
        ["BigFive_scores.Openness: found 1e+308"],
    ),
    "a trait that is true": (
        lambda r: r["BigFive_scores"].update(Openness=True),
        ["BigFive_scores.Openness: found true", "without quotation marks"],
    ),
    "a turn of three": (
        lambda r: r["cognitive_questions"]["chat_history"].append(["ai", "a", "b"]),
        ["cognitive_questions.chat_history[6]: found a list of 3", "a pair"],
    ),
    "a turn that is an object": (
        lambda r: r["cognitive_questions"]["chat_history"].append({"ai": 1, "human": 2}),
        ["cognitive_questions.chat_history[6]: found an object with 2 fields", "a pair"],
    ),
    "a turn of two letters": (
        lambda r: r["cognitive_questions"]["chat_history"].append("ai"),
        ['cognitive_questions.chat_history[6]: found "ai"', "a pair"],
    ),
    "a turn of an unknown role": (
        lambda r: r["cognitive_questions"]["chat_history"].append(["assistant", "Hello"]),
        ['cognitive_questions.chat_history[6]: found "assistant"; expected "ai" or "human"'],
    ),
    "a turn without text": (
        lambda r: r["cognitive_questions"]["chat_history"].append(["ai", 5]),
        ["cognitive_questions.chat_history[6]: found 5; expected text"],
    ),
    "a dialogue that is a text": (
        lambda r: r["cognitive_questions"].update(chat_history="ai: hello"),
        ["cognitive_questions.chat_history", "a list of turns"],
    ),
    "a person that is a number": (
        lambda r: r.update(participant_id=17),
        ["participant_id: found 17; expected text", "in quotation marks"],
    ),
    "a person without a name": (
        lambda r: r.update(participant_id="  "),
        ["participant_id", 'found "  "', "can't be blank"],
    ),
    "a missing person": (
        lambda r: r.pop("participant_id"),
        ["participant_id: found nothing: the field is missing"],
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
@pytest.mark.parametrize("role", [0, 1])
def test_a_record_is_refused_on_one_line_that_tells_all(tmp_path, records, name, role):
    change, told = REFUSALS[name]
    change(records[role][2])
    (line,) = refused(write_lines_escaped(tmp_path, *records))
    file, who = [
        ("first_person.jsonl", "sample 0003"),
        ("third_person.jsonl", "sample 0001, observer 3"),
    ][role]
    assert line.startswith(f"{file}, line 3: {who}")
    assert all(part in line for part in told), line


def write_lines_escaped(folder, first, third):
    """Lone surrogates can only be written as JSON escapes."""
    for name, part in zip(("first", "third"), (first, third), strict=True):
        write(folder / f"{name}_person.jsonl", "".join(json.dumps(r) + "\n" for r in part))
    return folder


@pytest.mark.parametrize(
    ("index", "shown"),
    [
        (True, "true"),
        (0, "0"),
        (6, "6"),
        ("1", '"1"'),
        (1.0, "1.0"),
        (None, "null"),
        ([1], "a list"),
    ],
)
def test_an_observer_is_a_whole_number_from_1_to_5(tmp_path, records, index, shown):
    first, third = records
    third[0]["observer_index"] = index
    (line,) = refused(write_lines(tmp_path, first, third))
    assert line.startswith("third_person.jsonl, line 1: sample 0001")
    assert f"observer_index: found {shown}" in line
    assert "a whole number from 1 to 5" in line


@pytest.mark.parametrize("sample_id", [7, "", None, ["0001"]])
def test_a_narrative_is_named_by_text(tmp_path, records, sample_id):
    first, third = records
    first[1]["sample_id"] = sample_id
    (line,) = refused(write_lines(tmp_path, first, third))
    assert line.startswith("first_person.jsonl, line 2: sample_id: found")


# --- refusals of lines and files ---------------------------------------------------------------

LINES = {
    "a doubled key": (
        lambda line: line.replace(b'"participant_id"', b'"participant_id": "p9", "participant_id"'),
        ["sample 0002: participant_id", 'the key "participant_id" twice'],
    ),
    "a doubled key deep inside": (
        lambda line: line.replace(b'"Sex"', b'"Age": "20", "Sex"'),
        ["demographics.Age", 'the key "Age" twice'],
    ),
    "NaN": (
        lambda line: line.replace(b'"Openness": ', b'"Openness": NaN, "was": '),
        ["BigFive_scores.Openness: found NaN"],
    ),
    "a number without end": (
        lambda line: line.replace(b'"Openness": ', b'"Openness": 1' + b"0" * 5000 + b', "was": '),
        ["BigFive_scores.Openness: found a number of 5001 digits"],
    ),
    "an infinite number": (
        lambda line: line.replace(b'"Openness": ', b'"Openness": 1e999, "was": '),
        ["BigFive_scores.Openness: found inf"],
    ),
    "bytes of another encoding": (
        lambda line: line.replace(b'"p3"', b'"p\x92"'),
        ["line 2: sample 0002: found byte 0x92", "UTF-8", "Windows-1252"],
    ),
    "text after the record": (
        lambda line: line.rstrip() + b" {}\n",
        ['sample 0002: found "{}" after the end of the record'],
    ),
    "a raw tab in a text": (
        lambda line: line.replace(b'"p3"', b'"p\t3"'),
        ["U+0009 inside a text"],
    ),
    "a record cut short": (
        lambda line: line[: len(line) // 2] + b"\n",
        ["line 2: sample 0002: found ", "cut off or broken"],
    ),
    "a record that is a list": (lambda line: b"[1]\n", ["line 2: found a list of 1", "a record"]),
    "a record that is null": (lambda line: b"null\n", ["line 2: found null", "a record"]),
    "an object of another kind": (
        lambda line: b'{"id": 1}\n',
        ['line 2: found an object with none of the documented fields ("id" ...)'],
    ),
    "nesting without end": (
        lambda line: b"[" * 100_000 + b"\n",
        ["line 2: found values nested too deeply"],
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_is_refused_on_one_line_that_tells_all(tmp_path, records, name):
    change, told = LINES[name]
    write_lines(tmp_path, *records)
    path = tmp_path / "first_person.jsonl"
    content = path.read_bytes().splitlines(keepends=True)
    content[1] = change(content[1])
    path.write_bytes(b"".join(content))
    (line,) = refused(tmp_path)
    assert line.startswith("first_person.jsonl, line 2: ")
    assert all(part in line for part in told), line


def test_a_truncated_last_line_is_told_as_such(tmp_path, records):
    write_lines(tmp_path, *records)
    path = tmp_path / "third_person.jsonl"
    path.write_bytes(path.read_bytes()[:-400])
    (line,) = refused(tmp_path)
    assert line.startswith("third_person.jsonl, line 5: sample 0001, observer 5: ")
    assert "a last line that stops in the middle of its record" in line


FILES = {
    "nothing": (b"", "found nothing: the file is empty"),
    "blank lines": (b"\n \n", "found nothing: the file is empty"),
    "UTF-16": ('{"sample_id": "1"}'.encode("utf-16"), "text saved as UTF-16"),
    "UTF-16 without mark": ('{"sample_id": "1"}'.encode("utf-16-le"), "text saved as UTF-16"),
    "a table with semicolons": (b"sample_id;participant_id;Age;Sex\n1;2;3;4\n", "found a table"),
    "a Git LFS pointer": (b"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"),
    "a web page": (b"<!DOCTYPE html>\n<html></html>", "found a web page"),
    "a zip archive": (b"PK\x03\x04rest", "found a zip archive"),
    "a packed file": (gzip.compress(b"{}"), "found a gzip-packed file"),
    "prose": (b"The data are available on request.", "found a text that is not JSON"),
    "JSON over several lines": (b'{\n "0001": {}\n}\n', "JSON spread over several lines"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_wrong_file_gets_one_clear_line(tmp_path, records, name):
    content, told = FILES[name]
    write_lines(tmp_path, *records)
    (tmp_path / "first_person.jsonl").write_bytes(content)
    (line,) = refused(tmp_path)
    assert line.startswith("first_person.jsonl")
    assert told in line


def test_swapped_files_get_one_line_each(tmp_path, records):
    first, third = records
    found = refused(write_lines(tmp_path, third, first))
    assert len(found) == 2
    assert "first_person.jsonl: found records of observers" in found[0]
    assert "third_person.jsonl: found records of writers" in found[1]
    assert all("may have been swapped" in line for line in found)


def test_a_damaged_packed_file_is_told_as_such(tmp_path, records):
    write_lines(tmp_path, *records, packed=True)
    path = tmp_path / "third_person.jsonl.gz"
    path.write_bytes(path.read_bytes()[:-20])
    assert any("cut short or damaged" in line for line in refused(tmp_path))
    path.write_bytes(b"plain")
    assert any("not gzip-packed" in line for line in refused(tmp_path))


def test_a_file_that_may_not_be_read_is_named(tmp_path, records, monkeypatch):
    def forbidden(path):
        raise PermissionError

    monkeypatch.setattr("carebook.layouts.open_bytes", forbidden)
    found = refused(write_lines(tmp_path, *records))
    assert "first_person.jsonl: found a file that you may not read" in found[0]


OBJECTS = {
    "an array": (b'[{"sample_id": "0001"}]', "found an array"),
    "lines under the wrong name": (b'{"sample_id": "0001"}\n{"sample_id": "2"}', ".jsonl"),
    "no records": (b"{}", "found an object without records"),
    "a record that is broken": (
        b'{"0001": {"participant_id": }}',
        'key "0001": sample 0001: found "}}" at',
    ),
    "an unknown end": (b'{"0001": null} x', 'found "x" after the object'),
    "a missing comma": (b'{"0001": null "0002": null}', "no comma between two records"),
    "a cut": (b'{"0001": null, ', "stops in the middle"),
    "bad bytes": (b'{\n"0001": "caf\xe9"}', "line 2: found byte 0xe9 at character 13"),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_file_is_refused_with_the_place(tmp_path, records, name):
    content, told = OBJECTS[name]
    write_objects(tmp_path, *records)
    (tmp_path / "first_person.json").write_bytes(content)
    assert any(told in line for line in refused(tmp_path)), refused(tmp_path)


def test_a_sample_id_inside_must_be_the_key(tmp_path, records):
    first, third = records
    write_objects(tmp_path, first, third, with_ids=True)
    path = tmp_path / "first_person.json"
    path.write_text(path.read_text().replace('"sample_id": "0002"', '"sample_id": "2"'))
    (line,) = refused(tmp_path)
    assert line.startswith('first_person.json, key "0002": sample 0002: sample_id: found "2"')
    assert 'expected "0002", as it is filed' in line


def test_a_key_twice_in_an_object_file_is_a_repeated_narrative(tmp_path, records):
    first, third = records
    write_objects(tmp_path, first, third)
    text = json.dumps(first[0])
    path = tmp_path / "first_person.json"
    path.write_text(path.read_text()[:-2] + f', "0001": {text}' + "}")
    (line,) = refused(tmp_path)
    assert line.startswith('first_person.json, key "0001": sample 0001: sample_id: found a second')


def test_per_sample_files_are_named(tmp_path, records):
    first, third = records
    third[1]["emotion_labels"]["positive_level"] = "9"
    write_samples(tmp_path, first, third)
    write(tmp_path / "first_person" / "notes.txt", "x")
    write(tmp_path / "first_person" / ".DS_Store", "x")
    found = refused(tmp_path)
    assert len(found) == 2
    assert found[0].startswith("first_person/notes.txt: found a file that is not a record")
    assert found[1].startswith("third_person/0001.json, item 2: sample 0001, observer 2: emotion")


def test_a_sample_whose_name_begins_with_a_point_is_not_passed_over(tmp_path, records):
    write_samples(tmp_path, *records)
    write(tmp_path / "first_person" / "._0001.json", "what a Mac leaves there")
    write(tmp_path / "first_person" / ".5.json", "{}")
    (line,) = refused(tmp_path)
    assert line.startswith("first_person/.5.json: sample .5: found an object with")


def test_blank_lines_by_the_hundred_are_passed_over_and_counted(tmp_path, records):
    write_lines(tmp_path, *records)
    path = tmp_path / "first_person.jsonl"
    path.write_bytes(b"\n" * 100 + path.read_bytes() + b"\r\n" * 100 + b"{")
    (line,) = refused(tmp_path)
    lines = 200 + len(records[0]) + 1
    assert line.startswith(f"first_person.jsonl, line {lines}: found a last line that stops")


def test_what_follows_a_packed_file_is_told_as_damage(tmp_path, records):
    path = write_lines(tmp_path, *records, packed=True) / "first_person.jsonl.gz"
    path.write_bytes(path.read_bytes() + b"more")
    (line,) = refused(tmp_path)
    assert "found a packed file that is cut short or damaged" in line


@pytest.mark.parametrize("value", ["[]", "{}"])
def test_observers_of_a_sample_are_a_list(tmp_path, records, value):
    write_samples(tmp_path, *records)
    write(tmp_path / "third_person" / "0001.json", value)
    (line,) = refused(tmp_path)
    assert "third_person/0001.json: sample 0001: found" in line
    assert "a list of the records of five observers" in line


# --- refusals between records ------------------------------------------------------------------


def test_a_repeated_narrative_is_refused_with_both_places(tmp_path, records):
    first, third = records
    (line,) = refused(write_lines(tmp_path, [*first, writer("0002", "other")], third))
    assert line.startswith("first_person.jsonl, line 4: sample 0002: sample_id: found a second")
    assert "(the first: line 2)" in line


def test_a_repeated_observer_is_refused_with_both_places(tmp_path, records):
    first, third = records
    (line,) = refused(write_lines(tmp_path, first, [*third, observer("0001", 2, "other")]))
    assert line.startswith("third_person.jsonl, line 6: sample 0001, observer 2: observer_index")
    assert "(the first: line 2)" in line


def test_an_observer_without_its_narrative_is_refused(tmp_path, records):
    first, third = records
    (line,) = refused(write_lines(tmp_path, first[1:], third))
    assert line.startswith("third_person.jsonl, line 1: sample 0001: sample_id: found ")
    assert '"0001" (also in line 2, line 3, line 4, line 5); expected the sample_id' in line


def test_one_observer_filed_under_a_wrong_narrative_is_one_problem(tmp_path, records):
    first, third = records
    third[2]["sample_id"] = "nobody"
    (line,) = refused(write_lines(tmp_path, first, third))
    assert line.startswith(
        "third_person.jsonl, line 3: sample nobody, observer 3: sample_id: found"
    )


def test_a_panel_that_is_not_one_to_five_is_refused(tmp_path, records):
    first, third = records
    (line,) = refused(write_lines(tmp_path, first, third[:3] + third[4:]))
    assert line.startswith(
        "third_person.jsonl: sample 0001: observer_index: found observers 1, 2, 3"
    )
    assert "expected observers 1 to 5" in line


def test_one_broken_record_brings_no_further_problems(tmp_path, records):
    write_lines(tmp_path, *records)
    for name in ("first_person", "third_person"):
        path = tmp_path / f"{name}.jsonl"
        content = path.read_bytes().split(b"\n")
        content[0] = b"{"[:1] + content[0][30:]  # its sample_id is lost
        path.write_bytes(b"\n".join(content))
    assert len(refused(tmp_path)) == 2


def test_ten_planted_faults_are_ten_lines(tmp_path):
    first, third = corpus(narratives=40, observed=20)
    ratings(first[0])[GENERAL] = "agree"
    first[1]["emotion_labels"]["negative_level"] = "3 - Very negative"
    first[2]["participant_id"] = 5
    del first[3]["demographics"]["Age"]
    first[4]["story_collection"]["chat_history"][0] = ["bot", "hi"]
    third[0]["observer_index"] = True
    third[11]["emotion_labels"]["positive_emotion_labels"] = "Amused, entertained"
    third[22]["BigFive_scores"]["Openness"] = -1
    del third[33]
    third[44]["sample_id"] = "nobody"
    found = refused(write_lines(tmp_path, first, third))
    told = [
        "line 1:",
        "line 2:",
        "line 3:",
        "line 4:",
        "line 5:",
        "line 1:",
        "line 12:",
        "line 23:",
    ]
    assert all(part in line for part, line in zip(told, found, strict=False))
    assert len(found) == 10
    assert 'found "nobody"' in found[8]
    assert "sample 0007: observer_index: found observers 1, 2, 3, 5;" in found[9]


# --- accepted departures -----------------------------------------------------------------------


def accept(folder, text):
    write(folder / "exceptions.toml", text)
    return folder


def test_an_accepted_answer_is_read_as_told_and_listed(tmp_path, records):
    first, third = records
    for record in first:
        ratings(record)[GENERAL] = "agree"
    folder = write_lines(tmp_path, first, third)
    entry = '[[accept]]\ndeparture = "answer"\nfile = "first_person"\nfield = "appraisal_ratings"\n'
    data = load_carebench(accept(folder, entry + 'found = "agree"\ntake_as = "Somewhat agree"\n'))
    assert data.ratings.loc[["0001/0", "0002/0"], "relevance.general"].tolist() == [4, 4]
    assert data.ratings["relevance.general"].dtype == np.int64
    assert data.accepted == (
        'first_person: "agree" was read as "Somewhat agree", 3 times, '
        f"in appraisal_ratings.{GENERAL}",
    )


def test_an_accepted_missing_rating_is_missing(tmp_path, records):
    first, third = records
    del ratings(first[1])[GENERAL]
    folder = write_lines(tmp_path, first, third)
    entry = f'[[accept]]\ndeparture = "missing"\nfield = "appraisal_ratings.{GENERAL}"\n'
    data = load_carebench(accept(folder, entry))
    assert data.ratings["relevance.general"].isna().tolist() == [False] * 6 + [True, False]
    assert data.ratings.loc["0001/0"].notna().all()
    assert len(data.accepted) == 1


def test_an_accepted_missing_section_is_missing_throughout(tmp_path, records):
    first, third = records
    for name in ("demographics", "BigFive_scores", "personality_questionnaire", "story_collection"):
        first[1].pop(name)
    first[1]["cognitive_questions"].pop("chat_history")
    folder = write_lines(tmp_path, first, third)
    fields = ("demographics", "BigFive_scores", "personality_questionnaire", "story_collection")
    fields += ("cognitive_questions.chat_history",)
    entries = [f'[[accept]]\ndeparture = "missing"\nfield = "{name}"\n' for name in fields]
    data = load_carebench(accept(folder, "".join(entries)))
    assert data.people.loc["0002/0"].drop("participant_id").isna().all()
    assert pd.isna(data.narratives.loc["0002", "narrative"])
    assert "0002/0" not in set(data.turns["annotation_id"])
    assert len(data.accepted) == 5


def test_missing_labels_can_not_be_taken_for_none_chosen(tmp_path, records):
    first, third = records
    del first[1]["emotion_labels"]["positive_emotion_labels"]
    folder = write_lines(tmp_path, first, third)
    entry = '[[accept]]\ndeparture = "missing"\nfield = "emotion_labels.positive_emotion_labels"\n'
    assert "positive_emotion_labels: found nothing" in refused(accept(folder, entry))[0]


def test_an_accepted_panel_is_used(tmp_path, records):
    first, third = records
    folder = write_lines(tmp_path, first, third[:4])
    entry = '[[accept]]\ndeparture = "panel"\nsample_id = "0001"\nfound = "1, 2, 3, 4"\n'
    data = load_carebench(accept(folder, entry))
    assert len(data.annotations) == 7
    assert data.accepted == ('third_person: narrative "0001" used with observers 1, 2, 3, 4 only.',)


def test_a_record_set_aside_is_left_out_and_listed(tmp_path, records):
    first, third = records
    first[2]["participant_id"] = 4
    folder = write_lines(tmp_path, first, third)
    entry = '[[accept]]\ndeparture = "set aside"\nfile = "first_person"\nsample_id = "0003"\n'
    data = load_carebench(accept(folder, entry))
    assert list(data.narratives.index) == ["0001", "0002"]
    assert data.accepted == ('first_person: 1 record set aside (sample_id "0003").',)


def test_setting_every_narrative_aside_is_refused(tmp_path, records):
    folder = write_lines(tmp_path, *records)
    entry = '[[accept]]\ndeparture = "set aside"\nsample_id = "000{}"\n'
    accept(folder, "".join(entry.format(i) for i in (1, 2, 3)))
    assert "no narrative that is not set aside" in refused(folder)[0]


def test_a_broken_line_can_be_set_aside_by_its_place(tmp_path, records):
    folder = write_lines(tmp_path, *records)
    write(folder / "first_person.jsonl", lines(records[0]) + '{"x": \n')
    entry = '[[accept]]\ndeparture = "set aside"\nfile = "first_person"\nplace = "line 4"\n'
    assert len(load_carebench(accept(folder, entry)).narratives) == 3


def test_an_entry_that_matches_nothing_is_refused(tmp_path, records):
    folder = write_lines(tmp_path, *records)
    entry = '[[accept]]\ndeparture = "answer"\nfound = "agree"\ntake_as = "Somewhat agree"\n'
    (line,) = refused(accept(folder, entry))
    assert 'exceptions.toml, entry 1: found an accepted "answer" that matches nothing' in line


def test_a_take_as_that_is_no_answer_is_refused(tmp_path, records):
    first, third = records
    ratings(first[0])[GENERAL] = "agree"
    folder = write_lines(tmp_path, first, third)
    entry = '[[accept]]\ndeparture = "answer"\nfound = "agree"\ntake_as = "Agree somewhat"\n'
    record, told = refused(accept(folder, entry))
    assert 'found "agree"' in record
    assert told.startswith(f"exceptions.toml, entry 1: appraisal_ratings.{GENERAL}: found an")
    assert "a take_as that the documentation allows there" in told


def test_a_statement_spelled_otherwise_can_be_accepted(tmp_path, records):
    first, third = records
    ratings(first[0])["This situation matters to me"] = ratings(first[0]).pop(GENERAL)
    folder = write_lines(tmp_path, first, third)
    entry = '[[accept]]\ndeparture = "answer"\nfield = "appraisal_ratings"\n'
    entry += f'found = "This situation matters to me"\ntake_as = "{GENERAL}"\n'
    assert load_carebench(accept(folder, entry)).ratings.notna().all(axis=None)


def test_two_exceptions_files_are_refused(tmp_path, records):
    folder = tmp_path
    write_lines(folder / "data", *records)
    write(folder / "exceptions.toml", "")
    assert load_carebench(folder).accepted == ()
    write(folder / "data" / "exceptions.toml", "")
    assert "one exceptions file" in refused(folder)[0]


# --- properties --------------------------------------------------------------------------------

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 12)
    | st.floats()
    | st.sampled_from(["", " ", "ai", "Somewhat agree", "Disagree", LOVE, SAD, "\ud800", "ß🙂"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["ai", "human", LOVE, "x"]), inner, max_size=2)
    ),
    max_leaves=4,
)


def places(value, path=()):
    """Every path into a nested value."""
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield (*path, key)
            yield from places(value[key], (*path, key))


@st.composite
def damaged(draw, role):
    """A valid record with up to two things changed, removed, added or renamed."""
    record = writer() if role == "first_person" else observer()
    for _ in range(draw(st.integers(0, 2))):
        path = draw(st.sampled_from(list(places(record))))
        holder = record
        for key in path[:-1]:
            holder = holder[key]
        action = draw(st.sampled_from(["replace", "remove", "add", "rename"]))
        if action == "replace":
            holder[path[-1]] = draw(JSON)
        elif action == "remove":
            del holder[path[-1]]
        elif isinstance(holder, list):
            holder.append(draw(JSON))
        elif action == "add":
            holder[draw(st.sampled_from(["extra", "Age", GENERAL]))] = draw(JSON)
        else:
            holder[str(path[-1]) + " "] = holder.pop(path[-1])
    return record


@NOT_SLOW
@given(data=st.data(), role=st.sampled_from(["first_person", "third_person"]))
def test_the_fast_pass_accepts_exactly_what_the_slow_one_finds_nothing_in(data, role):
    batch = [data.draw(damaged(role)) for _ in range(data.draw(st.integers(1, 3)))]
    problems = []
    for record in copy.deepcopy(batch):
        where = {"file": role}
        exam = Examination("f", "line 1", "", where, ("sample_id",), Accepted([], ()), problems)
        examine(record, exam)
    try:
        collect(role, batch, Codes.documented(), Tally())
    except Departure:
        assert problems
    else:
        assert not problems


@NOT_SLOW
@given(narratives=st.integers(1, 6), layout=st.sampled_from(list(LAYOUTS)), seed=st.integers(0, 99))
def test_any_corpus_reads_the_same_from_any_layout(tmp_path_factory, narratives, layout, seed):
    first, third = corpus(narratives, observed=seed % narratives + 1)
    folder = tmp_path_factory.mktemp("any")
    one = load_carebench(write_lines(folder / "lines", first, third))
    other = load_carebench(
        LAYOUTS[layout](folder / "other", first[::-1], third[::-1], seed % 2 == 0)
    )
    assert same(one, other)


@NOT_SLOW
@given(data=st.data())
def test_damaged_text_is_read_whole_or_refused(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("damaged")
    write_lines(folder, [writer("1"), writer("2")], [observer("1", k) for k in range(1, 6)])
    path = folder / data.draw(st.sampled_from(["first_person.jsonl", "third_person.jsonl"]))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        piece = data.draw(
            st.sampled_from([b"", b'"', b"\\", b"{", b"\n", b"\xff", b"\x00", b"NaN", b"a"])
        )
        content[at : at + data.draw(st.integers(0, 3))] = piece
    path.write_bytes(content)
    try:
        loaded = load_carebench(folder)
    except DataError as error:
        assert error.problems
        assert all("\n" not in str(problem) for problem in error.problems)
    else:
        assert len(loaded.annotations) == 7
