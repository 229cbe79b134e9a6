"""Spoilt files: read whole or refused; a short round of what `make robustness` does at length."""

import subprocess
import sys
from pathlib import Path

import mutations
import plain_reading
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutations import LAYOUTS, Case, Fault, emptied, judge
from toy_records import corpus, judged, lines, table, write, write_lines

from carebook import DataError, load_carebench, load_imbue

ROOT = Path(__file__).parents[2]
SHORT = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@SHORT
@given(seed=st.integers(0, 2**32), layout=st.sampled_from(LAYOUTS))
def test_a_spoilt_file_is_read_with_all_its_values_or_refused_with_the_place(
    tmp_path, seed, layout
):
    assert judge(Case(seed, layout), emptied(tmp_path / "data")) in ("read", "refused")


@SHORT
@given(content=st.binary(max_size=300), name=st.sampled_from(["first_person", "third_person"]))
def test_any_bytes_in_place_of_a_file_are_refused(tmp_path, content, name):
    case = Case(0, "lines")
    case.files[f"{name}.jsonl"] = content
    assert judge(case, emptied(tmp_path / "data")) == "refused"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_cases_of_each_layout_come_out_both_ways(tmp_path, layout):
    outcomes = [judge(Case(seed, layout), emptied(tmp_path / "data")) for seed in range(60)]
    assert {"read", "refused"} == set(outcomes)


# A file of a million bad lines: the first problems are told, and the rest is not read.


def _refused(load, source):
    with pytest.raises(DataError) as caught:
        load(source)
    return caught.value


BAD_LINES = ['{"sample_id": "0001", bad', "7", '{"participant_id": "a"}', '"\\ud800"']


@pytest.mark.parametrize("role", ["first_person", "third_person"])
@pytest.mark.parametrize("bad", BAD_LINES)
def test_after_very_many_problems_a_file_is_not_read_on(tmp_path, monkeypatch, bad, role):
    monkeypatch.setattr("carebook.reading.ENOUGH", 100)
    both = dict(zip(("first_person", "third_person"), corpus(), strict=True))
    for name, records in both.items():
        write(tmp_path / f"{name}.jsonl", lines(records) + f"{bad}\n" * 2000 * (name == role))
    error = _refused(load_carebench, tmp_path)
    stop = error.problems[0]
    assert (stop.file, stop.kind) == (f"{role}.jsonl", "too many")
    before = [p for p in error.problems[1:] if p.file == stop.file and p.kind != "repeated"]
    assert stop.found == f"{len(before)} problems before it" and 100 <= len(before) < 300
    read = {int(p.place.removeprefix("line ")) for p in before}
    good = len(both[role])
    assert read == set(range(good + 1, int(stop.place.removeprefix("line "))))
    assert "not read" in str(error).split("\n")[0]


def test_many_problems_that_end_with_the_file_are_all_told(tmp_path, monkeypatch):
    monkeypatch.setattr("carebook.reading.ENOUGH", 10)
    first, third = corpus()
    write(tmp_path / "first_person.jsonl", lines(first) + "7\n" * 12)
    write(tmp_path / "third_person.jsonl", lines(third))
    assert [p.kind for p in _refused(load_carebench, tmp_path).problems] == ["not an object"] * 12


@pytest.mark.parametrize("row", [judged() | {"label_assert": "perhaps"}, {"conversation_id": ""}])
def test_after_very_many_problems_a_table_is_not_read_on(tmp_path, monkeypatch, row):
    monkeypatch.setattr("carebook.imbue.ENOUGH", 100)
    rows = [row | {"message_id": str(i)} for i in range(500)]
    write(tmp_path / "imbue.csv", table([judged(), *rows]))
    stop, *before = _refused(load_imbue, tmp_path / "imbue.csv").problems
    assert stop.kind == "too many" and 100 <= len(before) < 130
    assert stop.found == f"{len(before)} problems before it"


# The judge itself: a loader that loses, changes or hides something is found out.


def _data_of(load, change):
    def changed(source):
        data = load(source)
        change(data)
        return data

    return changed


def _shorten_a_turn(data):
    data.turns.loc[3, "text"] = data.turns.loc[3, "text"][:-1]


def _swap_two_people(data):
    data.people["age"] = data.people["age"].iloc[::-1].to_numpy()


@pytest.mark.parametrize("change", [_shorten_a_turn, _swap_two_people])
def test_the_judge_finds_a_lost_or_changed_value(tmp_path, monkeypatch, change):
    monkeypatch.setattr(mutations, "load_carebench", _data_of(load_carebench, change))
    case = Case(0, "lines")
    both = {"first_person": mutations.FIRST, "third_person": mutations.THIRD}
    case.files = {f"{role}.jsonl": lines(both[role]).encode() for role in both}
    with pytest.raises(Fault, match="not as it stands"):
        judge(case, emptied(tmp_path / "data"))


def test_the_judge_finds_another_exception(tmp_path, monkeypatch):
    monkeypatch.setattr(mutations, "load_imbue", lambda source: {}["x"])
    with pytest.raises(Fault, match="KeyError"):
        judge(Case(0, "imbue"), emptied(tmp_path / "data"))


def test_the_judge_finds_what_is_read_against_the_documentation(tmp_path, monkeypatch):
    good = load_imbue(write_imbue(tmp_path / "good"))
    monkeypatch.setattr(mutations, "load_imbue", lambda source: good)
    case = Case(0, "imbue")
    case.files = {"imbue.csv": b"conversation_id\n"}
    with pytest.raises(Fault, match="a plain reading fails"):
        judge(case, emptied(tmp_path / "data"))


def write_imbue(folder):
    write(folder / "imbue.csv", table([judged()]))
    return folder / "imbue.csv"


def test_the_plain_reading_takes_each_table_as_the_loaders_do(tmp_path):
    folder = write_lines(tmp_path, *corpus())
    assert plain_reading.told(load_carebench(folder)) == plain_reading.expected(folder)
    path = write_imbue(tmp_path)
    assert plain_reading.told_imbue(load_imbue(path)) == plain_reading.expected_imbue(path)


def test_the_long_round_prints_its_figures(tmp_path):
    program = ROOT / "tests" / "bench" / "robustness.py"
    ran = subprocess.run(
        [sys.executable, program, "--files", "40", "--workers", "1"], capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "40 spoilt data sets" in ran.stdout and ": 0 faults." in ran.stdout
