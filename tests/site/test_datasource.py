"""A wrong data path is refused before anything runs, in a line; a folder's rest is ignored."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from datasource import data_hash, departures, findings
from toy_records import corpus, judged, table, write, write_lines, write_samples

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder(tmp_path):
    return write_lines(tmp_path / "mes données", *corpus())


@pytest.mark.parametrize("command", ["book", "test", "check"])
def test_a_command_refuses_a_wrong_path_in_one_line_before_it_executes(tmp_path, command):
    wrong = tmp_path / "no such folder"
    ran = subprocess.run(
        [sys.executable, ROOT / "book" / "ext" / "commands.py", command],
        env={**os.environ, "CAREBENCH_DATA": str(wrong)},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert ran.returncode == 1
    assert ran.stdout.count("\n") == 1 and ran.stderr == ""
    assert ran.stdout.startswith(f"CAREBENCH_DATA={wrong}: found no such folder; expected")


def test_each_wrong_variable_has_its_line(tmp_path, folder):
    write(tmp_path / "imbue.csv", table([judged()]))
    good = {"CAREBENCH_DATA": str(folder), "IMBUE_DATA": str(tmp_path / "imbue.csv")}
    assert findings(good) == [] and findings({}) == [] and findings({"IMBUE_DATA": ""}) == []
    lines = findings({"CAREBENCH_DATA": str(tmp_path), "IMBUE_DATA": str(tmp_path / "x.csv")})
    assert [line.split(":")[0] for line in lines] == [
        f"CAREBENCH_DATA={tmp_path}",
        f"IMBUE_DATA={tmp_path / 'x.csv'}",
    ]
    assert 'first_person.jsonl: found the table "imbue.csv" instead' in lines[0]
    assert all("unset" in line and "\n" not in line for line in lines)


@pytest.mark.skipif(os.name == "nt", reason="links and pipes as Unix has them")
def test_a_circle_of_links_and_a_pipe_are_told_in_a_line(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    lines = findings({"CAREBENCH_DATA": f"{tmp_path}/loop", "IMBUE_DATA": f"{tmp_path}/pipe"})
    assert "a link that leads in a circle" in lines[0] and "a named pipe" in lines[1]


def test_data_that_depart_are_told_as_check_tells_them(folder):
    assert departures({"CAREBENCH_DATA": str(folder)}) == []
    (folder / "first_person.jsonl").write_text("", encoding="utf-8")
    lines = departures({"CAREBENCH_DATA": str(folder)})
    assert lines[0].startswith("first_person.jsonl: found nothing: the file is empty")
    assert lines[1].startswith("1 problem in all")


@pytest.mark.parametrize("layout", [write_lines, write_samples])
def test_the_hash_is_about_the_data_and_nothing_else_in_the_folder(tmp_path, layout):
    folder = layout(tmp_path / "data", *corpus())
    sources = {"CAREBENCH_DATA": str(tmp_path)}
    before = data_hash(sources)
    write(tmp_path / "holiday.jpg", "x")
    if os.name != "nt":
        os.mkfifo(tmp_path / "first_person.pipe")
    assert data_hash(sources) == before
    write(folder / "exceptions.toml", "")
    with_exceptions = data_hash(sources)
    assert with_exceptions != before
    path = sorted(folder.rglob("*.json*"))[0]
    path.write_bytes(path.read_bytes() + b"\n")
    assert data_hash(sources) != with_exceptions


def test_what_stands_beside_a_single_file_counts_too(tmp_path):
    path = write_imbue(tmp_path)
    before = data_hash({"IMBUE_DATA": str(path)})
    write(tmp_path / "other.csv", "x")
    assert data_hash({"IMBUE_DATA": str(path)}) == before
    write(tmp_path / "exceptions.toml", "")
    assert data_hash({"IMBUE_DATA": str(path)}) != before


def write_imbue(folder):
    write(folder / "any.csv", table([judged()]))
    return folder / "any.csv"
