"""The command line: `check` and what it prints, `observers`, and how mistakes are met."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pandas as pd
import pytest
from toy_records import corpus, judged, table, write, write_lines

from carebook import load_carebench, load_imbue
from carebook.__main__ import main
from carebook.report import big_five_facts, carebench_facts, imbue_facts
from carebook.vocabulary import STATEMENTS, TRAITS

GENERAL = STATEMENTS["relevance.general"]


@pytest.fixture(autouse=True)
def no_data_variables(monkeypatch):
    monkeypatch.delenv("CAREBENCH_DATA", raising=False)
    monkeypatch.delenv("IMBUE_DATA", raising=False)


@pytest.fixture
def folder(tmp_path):
    """A valid CAREBench of three narratives, one of them observed."""
    return write_lines(tmp_path / "data set é", *corpus())


def run(capsys, *words):
    """Exit status and what was printed."""
    status = main([str(word) for word in words])
    return status, capsys.readouterr().out


def document(capsys, *words):
    status, text = run(capsys, "check", *words, "--json")
    return status, json.loads(text)


# --- what is counted ---------------------------------------------------------------------------


def test_people_are_counted_in_each_role_and_as_often_as_they_recur(tmp_path):
    first, third = corpus(narratives=3, observed=1)
    for record, person in zip(first, ["a", "a", "b"], strict=True):
        record["participant_id"] = person
    for record, person in zip(third, ["a", "x", "y", "z", "b"], strict=True):
        record["participant_id"] = person
    people = carebench_facts(load_carebench(write_lines(tmp_path, first, third)))["people"]
    assert people == {
        "writers": 2,
        "observers": 5,
        "both": 2,
        "narratives_per_writer": {"1": 1, "2": 1},
        "records_per_observer": {"1": 5},
        "observed_own_narrative": 1,
    }


def test_narratives_values_and_labels_are_counted(tmp_path):
    first, third = corpus(narratives=3, observed=1)
    for record in (*first, *third):
        record["appraisal_ratings"][GENERAL] = "Strongly agree"
        record["emotion_labels"]["positive_level"] = "0 - Not at all positive"
        record["emotion_labels"]["positive_emotion_labels"] = ["Amused, entertained"]
        record["demographics"]["Age"] = "30"
    first[0]["demographics"]["Age"] = "CONSENT_REVOKED"
    first[1]["story_collection"]["summary_answers"]["goal"] = ""
    facts = carebench_facts(load_carebench(write_lines(tmp_path, first, third)))
    assert (facts["narratives"], facts["matched_narratives"], facts["observer_records"]) == (
        3,
        1,
        5,
    )
    assert facts["observers_per_narrative"] == {"0": 2, "5": 1}
    assert facts["ratings"]["relevance.general"] == {"1": 0, "2": 0, "3": 0, "4": 0, "5": 8}
    assert facts["positive_level"]["0"] == 8
    assert facts["labels"]["Amused, entertained"] == {"experiencer": 3, "observer": 5}
    assert facts["labels"]["Glad, happy, joyful"] == {"experiencer": 0, "observer": 0}
    assert facts["missing"] == {"people.age": 1}
    assert facts["withheld"] == {"age": {"CONSENT_REVOKED": 1}}
    assert facts["empty"] == {"narratives.goal": 1}


@pytest.mark.parametrize(
    ("slope", "intercept", "verdict", "meaning"),
    [
        (1, 0, "exact", "the sum of the two items"),
        (0.5, 0, "linear", "the mean of the two items"),
        (1.25, -2.5, "linear", "the sum of the two items, rescaled to 0-10"),
        (0.7, 1, "linear", "no usual scoring"),
    ],
)
def test_stored_traits_are_compared_up_to_one_linear_map(slope, intercept, verdict, meaning):
    again = pd.DataFrame({trait: [2.0, 5.0, 10.0] for trait in TRAITS})
    stored = (slope * again + intercept).add_suffix("_stored")
    found = big_five_facts(pd.concat([again, stored], axis=1))
    assert (found["verdict"], found["meaning"], found["differing"]) == (verdict, meaning, 0)
    assert (found["slope"], found["intercept"]) == pytest.approx((slope, intercept))


def test_a_stored_trait_off_the_line_is_counted():
    again = pd.DataFrame({trait: [2.0, 5.0, 10.0] for trait in TRAITS})
    stored = again.add_suffix("_stored")
    stored.loc[1, "Openness_stored"] = 6.0
    found = big_five_facts(pd.concat([again, stored], axis=1))
    assert (found["verdict"], found["differing"], found["compared"]) == ("none", 1, 15)
    assert found["by_trait"]["Openness"] == 1


def test_judgements_are_counted_by_skill(tmp_path):
    rows = [
        judged("1", "1", "e1", label_assert="Weak", suggestion_assert="Ask."),
        judged("1", "1", "e2"),
        judged("1", "2", "e1"),
    ]
    write(tmp_path / "imbue.csv", table(rows))
    facts = imbue_facts(load_imbue(tmp_path))
    assert (facts["conversations"], facts["messages"], facts["judged"]) == (1, 2, 3)
    assert facts["experts_per_message"] == {"1": 1, "2": 1}
    assert facts["experts"] == {"e1": 2, "e2": 1}
    assert facts["labels"]["assert"] == {"strong": 0, "weak": 1, "none": 2}
    assert facts["suggestions"]["assert"] == 1
    assert facts["derived_readings"]["assert"]["used weakly"] == 1
    assert {"column": "label_assert", "raw": "Weak", "count": 1, "taken_as": "weak"} in facts[
        "spellings"
    ]


# --- check -------------------------------------------------------------------------------------


def test_check_prints_what_was_read(capsys, folder):
    status, text = run(capsys, "check", folder)
    assert status == 0
    assert "CAREBench: data set é\n  layout: lines" in text
    assert "observers: narratives     0: 2, 5: 1" in text
    assert "exact: all 40 stored scores equal the sum of their two items" in text
    assert "IMBUE" not in text
    assert all(line == line.rstrip() for line in text.split("\n"))
    assert max(map(len, text.split("\n"))) <= 100


def test_check_alone_is_about_the_practice_corpus(capsys):
    status, text = run(capsys, "check")
    assert status == 0
    assert text.count("(synthetic: made by a program, about nobody)") == 2


def test_check_reads_imbue_beside_carebench_or_alone(capsys, folder, tmp_path):
    write(folder / "imbue.csv", table([judged()]))
    status, found = document(capsys, folder)
    assert (status, found["ok"]) == (0, True)
    assert found["carebench"]["narratives"] == 3
    assert found["imbue"]["messages"] == 1
    write(tmp_path / "alone" / "imbue.csv", table([judged()]))
    for source in (tmp_path / "alone", tmp_path / "alone" / "imbue.csv"):
        status, found = document(capsys, source)
        assert (status, found["carebench"], found["imbue"]["messages"]) == (0, None, 1)


def test_check_reads_imbue_from_its_variable(capsys, folder, tmp_path, monkeypatch):
    write(tmp_path / "any.csv", table([judged()]))
    monkeypatch.setenv("IMBUE_DATA", str(tmp_path / "any.csv"))
    assert document(capsys, folder)[1]["imbue"]["messages"] == 1


def test_check_prints_the_first_of_each_kind_of_problem_and_how_many_more(capsys, tmp_path):
    first, third = corpus(narratives=30)
    for age, record in enumerate(first, 30):
        record["demographics"]["Age"] = age
    write_lines(tmp_path, first, third)
    write(tmp_path / "imbue.csv", table([judged(label_assert="?")]))
    status, text = run(capsys, "check", tmp_path)
    printed = text.split("\n")
    assert status == 1
    assert printed[0].startswith("first_person.jsonl, line 1: sample 0001: demographics.Age")
    assert printed[1] == (
        "  and 29 more like it: line 2, line 3, line 4 ...; found also 31, 32, 33 ..."
    )
    assert printed[2].startswith("imbue.csv, line 2: message 01/1, e1: label_assert")
    assert printed[3].startswith("31 problems in all")


def test_twenty_kinds_of_problems_are_shown(capsys, tmp_path):
    first, third = corpus(narratives=30, observed=1)
    for statement in STATEMENTS.values():
        del first[2]["appraisal_ratings"][statement]
    printed = run(capsys, "check", write_lines(tmp_path, first, third))[1].split("\n")
    assert printed[20] == "... and 2 more"
    assert printed[21].startswith("22 problems in all")


def test_problems_as_json_hold_every_field(capsys, folder):
    write(folder / "first_person.jsonl", "[1]\n")
    status, found = document(capsys, folder)
    assert (status, found["ok"]) == (1, False)
    problem = found["problems"][0]
    assert (problem["file"], problem["place"], problem["kind"], problem["found"]) == (
        "first_person.jsonl",
        "line 1",
        "not an object",
        "a list of 1",
    )
    assert problem["line"].startswith("first_person.jsonl, line 1: found a list of 1")


def test_the_report_of_hostile_texts_is_harmless(capsys, tmp_path):
    first, third = corpus()
    first[0]["participant_id"] = third[0]["participant_id"] = "\x1b[31m\u202e<b>"
    first[0]["\x1b]0;title\x07"] = 1
    third[0]["demographics"]["Age"] = "\x1b[2J"
    status, text = run(capsys, "check", write_lines(tmp_path, first, third))
    assert status == 0
    assert "\x1b" not in text
    assert "\u202e" not in text


# --- proposals ---------------------------------------------------------------------------------


def pasted(text):
    """The entries that `check` printed, as text."""
    return text[text.index("[[accept]]") :]


def test_what_check_proposes_can_be_pasted_and_is_then_listed(capsys, tmp_path):
    first, third = corpus(narratives=8, observed=2)
    first[0]["appraisal_ratings"][GENERAL] = "somewhat agree"
    first[1]["emotion_labels"]["positive_level"] = "0 - Not at all Positive"
    del first[2]["demographics"]["Age"]
    first[3]["participant_id"] = " "
    first[4]["emotion_labels"]["negative_emotion_labels"] = ["Sad, downhearted, unhappy"] * 2
    del third[7]
    folder = write_lines(tmp_path, first, third)
    write(folder / "imbue.csv", table([judged()]))
    status, text = run(capsys, "check", folder)
    assert status == 1
    write(folder / "exceptions.toml", pasted(text).replace('take_as = ""', 'take_as = "p4"'))
    assert len(tomllib.loads(pasted(text))["accept"]) == 6
    status, found = document(capsys, folder)
    assert status == 0, found
    assert len(found["carebench"]["accepted"]) == 6
    assert found["imbue"]["accepted"] == []
    data = load_carebench(folder)
    assert data.ratings.loc["0001/0", "relevance.general"] == 4
    assert pd.isna(data.people.loc["0003/0", "age"])
    assert data.labels.loc["0005/0", "Sad, downhearted, unhappy"]


def test_a_fault_of_the_exceptions_file_is_told_once(capsys, folder):
    write(folder / "imbue.csv", table([judged()]))
    write(folder / "exceptions.toml", "[[accept]")
    assert "1 problem in all" in run(capsys, "check", folder)[1]


def test_an_empty_label_can_be_read_as_not_used(capsys, tmp_path):
    write(tmp_path / "imbue.csv", table([judged(label_assert="")]))
    text = run(capsys, "check", tmp_path)[1]
    write(tmp_path / "exceptions.toml", pasted(text).replace('take_as = ""', 'take_as = "none"'))
    status, found = document(capsys, tmp_path)
    assert (status, found["imbue"]["labels"]["assert"]["none"]) == (0, 1)


def test_a_proposal_that_needs_a_decision_is_refused_until_it_is_made(capsys, tmp_path):
    write(tmp_path / "imbue.csv", table([judged(label_assert="Stong"), judged("2")]))
    status, text = run(capsys, "check", tmp_path)
    assert 'take_as = ""  # write here what is meant: "strong" or "weak" or "none"' in text
    write(tmp_path / "exceptions.toml", pasted(text))
    assert "found a blank take_as" in run(capsys, "check", tmp_path)[1]
    write(tmp_path / "exceptions.toml", pasted(text).replace('""', '"strong"'))
    assert run(capsys, "check", tmp_path)[0] == 0


def test_many_equal_departures_are_proposed_as_one_entry(capsys, tmp_path):
    first, third = corpus(narratives=8)
    for record in first:
        del record["BigFive_scores"]["Openness"]
        record["appraisal_ratings"][GENERAL] = "agree"
    status, found = document(capsys, write_lines(tmp_path, first, third))
    assert len(found["problems"]) == 16
    assert found["proposals"] == [
        {
            "departure": "answer",
            "file": "first_person",
            "field": f"appraisal_ratings.{GENERAL}",
            "found": "agree",
            "take_as": "",
        },
        {"departure": "missing", "file": "first_person", "field": "BigFive_scores.Openness"},
    ]


# --- the command line --------------------------------------------------------------------------


def test_without_a_command_there_is_help(capsys):
    status, text = run(capsys)
    assert status == 0
    assert all(command in text for command in ("check", "observers", "practice"))


@pytest.mark.parametrize("words", [["chekc"], ["check", "--jsno"], ["check", "a", "b"]])
def test_wrong_usage_exits_with_2(capsys, words):
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    assert "usage: python -m carebook" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "observers"])
def test_an_unknown_folder_gets_one_helpful_line(capsys, command):
    status, text = run(capsys, command, "nowhere/at all")
    assert status == 1
    assert text.startswith("nowhere/at all: found no such folder; expected the folder that holds")
    assert "Traceback" not in text


def test_observers_prints_the_human_baseline(capsys, folder):
    status, text = run(capsys, "observers", folder)
    assert status == 0
    assert "EACH OBSERVER ALONE: 5 records" in text
    status, text = run(capsys, "observers", folder, "--json")
    assert status == 0
    assert json.loads(text)["pairs"] == 5


def test_data_without_observers_can_not_be_scored_and_say_so(capsys, tmp_path):
    first, third = corpus()
    write_lines(tmp_path, first, third)
    entry = '[[accept]]\ndeparture = "set aside"\nfile = "third_person"\nsample_id = "0001"\n'
    write(tmp_path / "exceptions.toml", entry)
    status, text = run(capsys, "observers", tmp_path)
    assert (status, "can't be scored" in text) == (1, True)


def test_the_package_runs_as_a_program(folder):
    helpers = Path(__file__).parents[2] / "notebooks"
    done = subprocess.run(
        [sys.executable, "-m", "carebook", "check", str(folder)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={"PYTHONPATH": str(helpers), "PYTHONIOENCODING": "ascii", "PATH": ""},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("CAREBench: data set \\xe9")
