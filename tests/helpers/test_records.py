"""What a reader is told: problems on one line, safe to print, and the exceptions file."""

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wording import faults

from carebook.accepted import Accepted, as_toml, proposals
from carebook.plaintext import pairs, spread, table
from carebook.records import DataError, Fingerprints, Problem, looks_like, safe, show
from carebook.strictjson import decode_lines, explain


def problem(field="demographics.Age", **fields):
    told = {"found": '"x"', "expected": "text", "advice": "Mend it.", "kind": "answer"}
    return Problem("first_person.jsonl", "line 3", "sample 0007", field, **told | fields)


# --- problems ----------------------------------------------------------------------------------


def test_a_problem_is_one_line_that_names_everything():
    assert str(problem()) == (
        "first_person.jsonl, line 3: sample 0007: demographics.Age: "
        'found "x"; expected text. Mend it.'
    )


@given(st.text(), st.text(), st.text())
def test_a_problem_is_one_printable_line_whatever_is_in_it(found, field, record):
    line = str(problem(found=found, advice=found, kind=field) if field else problem(found=record))
    assert line.isprintable()


def test_what_stood_there_is_cut_at_80_characters():
    assert len(show("x" * 1000)) == 80
    assert show("x" * 1000).endswith('..."')
    assert len(show(10**500)) == 80


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("Somewhat agree ", '"Somewhat agree "'),
        ("a\nb", '"a\\nb"'),
        ("\x1b[31mred", '"\\x1b[31mred"'),
        ("\u202eback", '"\\u202eback"'),
        ("\ud800", '"\\ud800"'),
        ("no\u00a0break", '"no\\xa0break"'),
        (None, "null"),
        (True, "true"),
        (2.5, "2.5"),
        ([], "an empty list"),
        ({"a": 1}, "an object with 1 field"),
    ],
)
def test_values_are_shown_as_they_stand_but_harmless(value, shown):
    assert show(value) == shown


def test_safe_text_keeps_letters_of_every_script():
    assert safe("naïve Привет 日本") == "naïve Привет 日本"


def test_an_error_shows_twenty_problems_and_the_count():
    error = DataError([problem(field=f"f{i}") for i in range(23)])
    lines = str(error).split("\n")
    assert len(lines) == 22
    assert lines[20] == "... and 3 more (23 problems in all)"
    assert "exceptions.toml" in lines[21]
    assert len(error.problems) == 23


def test_an_error_survives_pickling():
    assert pickle.loads(pickle.dumps(DataError([problem()]))).problems == (problem(),)


@pytest.mark.parametrize(
    ("head", "what"),
    [
        (b"\xff\xfe{\x00", "UTF-16"),
        (b"{\x00\n\x00}\x00", "UTF-16"),
        (b"PK\x03\x04....", "zip"),
        (b"\x1f\x8b\x08....", "gzip"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00", "Git LFS pointer"),
        (b"\n<!DOCTYPE html><html>", "web page"),
        (b"PAR1....", "Parquet"),
    ],
)
def test_a_file_that_is_something_else_is_recognised(head, what):
    assert what in looks_like(head)[0]


def test_a_json_record_looks_like_nothing_else():
    assert looks_like(b'\xef\xbb\xbf{"sample_id": "0001"}') is None


def test_a_fingerprint_is_that_of_the_file_that_was_read(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    prints = Fingerprints({"a": path})
    path.write_bytes(b"changed")
    with pytest.raises(DataError, match="changed since it was read"):
        prints["a"]
    path.write_bytes(b"abc")
    again = Fingerprints({"a": path})
    assert again["a"] == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


# --- JSON --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "field", "kind"),
    [
        ('{"a": {"b": 1, "b": 2}}', "a.b", "doubled key"),
        ('{"a": [1, NaN]}', "a[1]", "number"),
        ('{"a": -Infinity}', "a", "number"),
        ('{"a": ' + "9" * 5000 + "}", "a", "number"),
        ('{"a": 1', "", "truncated"),
        ('{"a": "cut', "", "truncated"),
        ('{"a" 1}', "", "not json"),
        ("[" * 100_000, "", "not json"),
    ],
)
def test_what_json_does_not_allow_is_found_and_placed(text, field, kind):
    fault = explain(text)[2][0]
    assert (fault["field"], fault["kind"]) == (field, kind)
    with pytest.raises((ValueError, RecursionError)):
        decode_lines([text.encode()])


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    )
)
def test_strict_reading_agrees_with_json_where_both_read(value):
    line = json.dumps(value)
    assert decode_lines([line.encode()]) == [json.loads(line)]
    assert explain(line) == (json.loads(line), len(line), [])


@given(st.lists(st.tuples(st.sampled_from('ab:\\"'), st.integers(0, 9)), max_size=4))
def test_a_doubled_key_is_refused_and_no_other(fields):
    line = "{" + ", ".join(f"{json.dumps(key)} : {value}" for key, value in fields) + "}"
    doubled = len(dict(fields)) < len(fields)
    try:
        decode_lines([line.encode()])
    except ValueError:
        assert doubled
    else:
        assert not doubled
    assert bool(explain(line)[2]) == doubled


# --- the exceptions file -----------------------------------------------------------------------


def accepted(tmp_path, text, files=("first_person", "third_person")):
    (tmp_path / "exceptions.toml").write_text(text, encoding="utf-8")
    return Accepted([tmp_path], files)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('departure = "typo"', 'found "typo"; expected a departure'),
        ('departure = "answer"\nfound = "x"', "expected a line take_as = ..."),
        ('departure = "answer"\nfound = "x"\ntake_as = ""', "found a blank take_as"),
        ('departure = "missing"', "expected a line field = ..."),
        ('departure = "missing"\nfield = "x"\nfeild = "y"', 'the key "feild"'),
        ('departure = "set aside"\nfile = "first_person"', "is not named"),
        ('departure = "set aside"\nfile = "second_person"\nsample_id = "1"', '"second_person"'),
    ],
)
def test_an_entry_that_says_too_little_is_refused(tmp_path, entry, told):
    found = accepted(tmp_path, f"[[accept]]\n{entry}\n").problems
    assert len(found) == 1
    assert str(found[0]).startswith("exceptions.toml, entry 1: found")
    assert told in str(found[0])


@pytest.mark.parametrize("text", ["[[accept]", "accept = 1", "[accept]\nx = 1", "[other]"])
def test_a_file_that_is_not_a_list_of_entries_is_refused(tmp_path, text):
    assert len(accepted(tmp_path, text).problems) == 1


def test_an_exceptions_file_in_another_encoding_is_refused(tmp_path):
    (tmp_path / "exceptions.toml").write_bytes(b'found = "caf\xe9"')
    assert "UTF-8" in str(Accepted([tmp_path], ("imbue",)).problems[0])


def test_an_entry_matches_its_field_and_what_lies_in_it(tmp_path):
    entry = (
        '[[accept]]\ndeparture = "answer"\nfield = "demographics"\nfound = "?"\ntake_as = "40"\n'
    )
    rules = accepted(tmp_path, entry)
    assert rules.answer({}, "demographics.Age", "?", str.isdigit) == "40"
    assert rules.answer({}, "demographicsX.Age", "?", str.isdigit) != "40"
    assert rules.answer({}, "demographics.Age", "??", str.isdigit) != "40"
    assert rules.sentences() == ('"?" was read as "40", 1 time, in demographics.Age.',)


def test_a_number_and_its_text_are_two_things(tmp_path):
    entry = '[[accept]]\ndeparture = "answer"\nfound = 3\ntake_as = "Glad"\n'
    rules = accepted(tmp_path, entry)
    assert rules.answer({}, "f", 3, lambda value: True) == "Glad"
    assert rules.answer({}, "f", "3", lambda value: True) != "Glad"
    assert rules.answer({}, "f", True, lambda value: True) != "Glad"


def test_an_entry_that_matches_nothing_is_reported(tmp_path):
    entry = '[[accept]]\ndeparture = "panel"\nsample_id = "0009"\n'
    (unused,) = accepted(tmp_path, entry).unused()
    assert 'entry 1: found an accepted "panel" that matches nothing' in str(unused)


def test_entries_about_the_other_data_set_are_left_to_it(tmp_path):
    entry = (
        '[[accept]]\ndeparture = "answer"\nfield = "label_assert"\nfound = "x"\ntake_as = "weak"'
    )
    assert accepted(tmp_path, entry).unused() == []
    assert len(accepted(tmp_path, entry, ("imbue",)).unused()) == 1


def answer(field, found="agree", take_as="Somewhat agree"):
    entry = {"departure": "answer", "file": "first_person", "field": field}
    return problem(proposal=entry | {"found": found, "take_as": take_as})


def test_one_entry_is_proposed_for_one_answer_in_many_fields():
    found = [
        answer("appraisal_ratings.a"),
        answer("appraisal_ratings.b"),
        answer("demographics.Age"),
    ]
    entries = [(entry["field"], times) for entry, times, _ in proposals(found)]
    assert entries == [("appraisal_ratings", 2), ("demographics.Age", 1)]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_proposal_is_toml_that_says_the_same(text):
    import tomllib

    entry = {"departure": "answer", "found": text, "take_as": "x"}
    assert tomllib.loads(as_toml(entry)) == {"accept": [entry]}


# --- text layout -------------------------------------------------------------------------------


def test_tables_and_pairs_are_aligned():
    assert pairs([("a", 1), ("bcd", 2)]) == ["  a    1", "  bcd  2"]
    assert table(["", "n"], [["x", 10], ["yy", ""]]) == ["       n", "  x   10", "  yy"]


def test_a_long_spread_is_wrapped_between_its_entries():
    (text,) = pairs([("n", spread({str(i): 1000 + i for i in range(20)}))])
    lines = text.split("\n")
    assert len(lines) == 3
    assert all(len(line) <= 100 and not line.rstrip().endswith(":") for line in lines)


STRANGE = ["3", "1.5", "nan", "true", '["x"]', "{a = 1}", "2026-01-01", '""', '"x"', "9" * 5000]


@pytest.mark.parametrize("value", STRANGE)
@pytest.mark.parametrize(
    "key", ["departure", "file", "field", "found", "take_as", "sample_id", "place", "reason"]
)
def test_whatever_stands_in_an_entry_is_taken_or_refused(tmp_path, key, value):
    entry = {"departure": '"answer"', "found": '"so"', "take_as": '"So"', key: value}
    text = "[[accept]]\n" + "".join(f"{name} = {given}\n" for name, given in entry.items())
    entries = accepted(tmp_path, text)
    entries.answer({"file": "first_person"}, "emotion_labels", "so", lambda taken: taken == "So")
    told = [str(problem) for problem in entries.problems + entries.unused()]
    assert told or entries.sentences() == ('"so" was read as "So", 1 time, in emotion_labels.',)
    assert not told or all(
        line.startswith("exceptions.toml: ") or "entry 1" in line for line in told
    )


# --- how messages are put ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "wrong"),
    [
        ("a.json: found 3; expected 2. Mend it..", "two full stops"),
        ("a.json: found 3; expected 2 . Mend it.", "a blank before a point"),
        ("a.json:; expected 2. Mend it.", "two points in a row"),
        ("a.json: found 3;  expected 2. Mend it.", "two blanks"),
        ('a.json: found "3; expected 2. Mend it.', 'a single "'),
        ("a.json: found 3 (of 4; expected 2. Mend it.", "( without )"),
        ("a.json: found None; expected 2. Mend it.", "a word of Python's"),
        ("a.json: found 3; expected 2. Mend it", "no full stop at the end"),
    ],
)
def test_a_badly_put_message_is_found(message, wrong):
    assert faults(message) == [wrong]


def test_a_statement_with_its_full_stop_gets_no_second_one(tmp_path):
    field = "appraisal_ratings.This situation matters to me."
    entry = {"departure": "answer", "field": field, "found": "so", "take_as": "So"}
    entries = accepted(tmp_path, as_toml(entry))
    assert entries.answer({"file": "first_person"}, field, "so", lambda value: True) == "So"
    assert entries.sentences() == (f'"so" was read as "So", 1 time, in {field}',)
    told = str(Problem("a.json", found="1", expected=field, advice="Mend it."))
    assert told == f"a.json: found 1; expected {field} Mend it."


@pytest.mark.parametrize(
    ("entry", "named", "unnamed"),
    [
        (
            {"departure": "panel", "sample_id": "0007"},
            'third_person: narrative "0007" used with observers 1, 2 only.',
            "third_person: one narrative used with observers 1, 2 only.",
        ),
        (
            {"departure": "set aside", "participant_id": "p9"},
            '1 record set aside (participant_id "p9").',
            "1 record set aside.",
        ),
    ],
)
def test_what_was_accepted_can_be_told_without_naming_a_record(tmp_path, entry, named, unnamed):
    entries = accepted(tmp_path, as_toml(entry))
    assert entries.panel("0007", "1, 2") or entries.sets_aside({"participant_id": "p9"})
    [told] = pickle.loads(pickle.dumps(entries.sentences()))
    assert (told, told.unnamed) == (named, unnamed)
