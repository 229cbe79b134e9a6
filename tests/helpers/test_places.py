"""What stands where data should be: pipes, links, closed folders, bombs; and what is said."""

import gzip
import os
import re
import socket
from pathlib import Path

import pytest
from toy_records import (
    corpus,
    judged,
    lines,
    table,
    write,
    write_lines,
    write_objects,
    write_samples,
)

from carebook import DataError, load_carebench, load_imbue
from carebook.__main__ import main
from carebook.places import leads_outside, what_is
from carebook.records import LARGEST, Problem, group_lines, grouped

posix = pytest.mark.skipif(os.name == "nt", reason="pipes and links as Unix has them")


@pytest.fixture(autouse=True)
def no_data_variables(monkeypatch):
    monkeypatch.delenv("CAREBENCH_DATA", raising=False)
    monkeypatch.delenv("IMBUE_DATA", raising=False)


def refused(load, source):
    with pytest.raises(DataError) as caught:
        load(source)
    return [str(problem) for problem in caught.value.problems]


def check(capsys, source):
    status = main(["check", str(source)])
    return status, capsys.readouterr().out


# --- what a path leads to ----------------------------------------------------------------------


@posix
def test_what_can_not_be_read_is_named(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "broken").symlink_to("nowhere")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(os.path.relpath(tmp_path / "socket"))
    kinds = {name: what_is(tmp_path / name) for name in ("pipe", "loop", "broken", "socket")}
    assert kinds == {
        "pipe": "a named pipe",
        "loop": "a link that leads in a circle",
        "broken": "a link that leads nowhere",
        "socket": "a socket",
    }
    assert what_is(tmp_path / "a\0b") == "a path with a NUL character in it"
    assert what_is(tmp_path / ("x" * 5000)) == "a path that is too long"
    assert (what_is(tmp_path), what_is(tmp_path / "x"), what_is(tmp_path / "pipe" / "x")) == (
        "folder",
        "",
        "",
    )


@posix
def test_a_link_inside_the_folder_is_followed_and_one_out_of_it_is_not(tmp_path):
    write(tmp_path / "in" / "a", "a")
    write(tmp_path / "out", "b")
    (tmp_path / "in" / "near").symlink_to("a")
    (tmp_path / "in" / "far").symlink_to("../out")
    assert not leads_outside(tmp_path / "in", tmp_path / "in" / "near")
    assert leads_outside(tmp_path / "in", tmp_path / "in" / "far")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("CAREBench-main.zip", 'the archive "CAREBench-main.zip" instead; .* Unpack it'),
        ("train.csv", 'the table "train.csv" instead; .* name the file itself .*load_imbue'),
        ("CAREBench-main/data/first_person.json", "Name .*CAREBench-main instead"),
        ("a b/first_person/0001.json", "Name .*a b instead"),
        ("notes.txt", "Name the folder that holds first_person"),
        ("other/first.json", "Name the folder that holds first_person"),
    ],
)
def test_a_folder_without_the_data_says_what_may_lead_on(tmp_path, name, said):
    write(tmp_path / name, "x")
    with pytest.raises(DataError) as caught:
        load_carebench(tmp_path)
    assert [p.file for p in caught.value.problems] == ["first_person.jsonl", "third_person.jsonl"]
    assert all(re.search(said, str(problem)) for problem in caught.value.problems)


@posix
@pytest.mark.parametrize("command", ["check", "observers"])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pipe", "a named pipe"),
        ("loop", "a link that leads in a circle"),
        ("broken", "a link that leads nowhere"),
        ("nothing", "no such folder"),
        ("file.txt/inside", "no such folder"),
        ("x" * 5000, "a path that is too long"),
    ],
)
def test_a_wrong_path_gets_one_clear_line(tmp_path, capsys, command, name, said):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "broken").symlink_to("nowhere")
    write(tmp_path / "file.txt", "x")
    assert main([command, str(tmp_path / name)]) == 1
    first, *_ = capsys.readouterr().out.split("\n")
    assert f"found {said}; expected the folder that holds first_person" in first


@posix
def test_a_pipe_or_link_in_the_place_of_a_file_is_refused_and_never_opened(tmp_path):
    folder = write_lines(tmp_path / "data", *corpus())
    kept = (folder / "first_person.jsonl").rename(tmp_path / "elsewhere.jsonl")
    os.mkfifo(folder / "first_person.jsonl")
    assert refused(load_carebench, folder)[0].startswith(
        "first_person.jsonl: found a named pipe; expected a file."
    )
    (folder / "first_person.jsonl").unlink()
    (folder / "first_person.jsonl").symlink_to(kept)
    assert "a link that leads out of the folder" in refused(load_carebench, folder)[0]
    os.mkfifo(tmp_path / "imbue.csv")
    assert "a named pipe" in refused(load_imbue, tmp_path)[0]


@posix
def test_a_pipe_or_link_among_the_samples_is_one_problem_about_that_sample(tmp_path):
    folder = write_samples(tmp_path / "data", *corpus(narratives=3, observed=1))
    (folder / "first_person" / "0001.json").rename(tmp_path / "0001.json")
    os.mkfifo(folder / "first_person" / "0001.json")
    (line,) = refused(load_carebench, folder)
    assert line.startswith("first_person/0001.json: found a named pipe")
    (folder / "first_person" / "0001.json").unlink()
    (folder / "first_person" / "0001.json").symlink_to(tmp_path / "0001.json")
    (line,) = refused(load_carebench, folder)
    assert "a link that leads out of the folder" in line


@posix
def test_an_exceptions_file_from_outside_is_refused(tmp_path):
    folder = write_lines(tmp_path / "data", *corpus())
    write(tmp_path / "mine.toml", "")
    (folder / "exceptions.toml").symlink_to(tmp_path / "mine.toml")
    (line,) = refused(load_carebench, folder)
    assert line.startswith("exceptions.toml: found a link that leads out of the folder")


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path):
    folder = write_lines(tmp_path, *corpus())
    (folder / "third_person.jsonl").unlink()
    (folder / "third_person.jsonl").mkdir()
    assert refused(load_carebench, folder)[0].startswith(
        "third_person.jsonl: found a folder; expected a file."
    )


@pytest.mark.parametrize("layout", [write_lines, write_samples])
@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("open", "a file that you may not read"),
        ("iterdir", "a folder that you may not list"),
        ("stat", "a place that you may not look into"),
    ],
)
def test_what_may_not_be_read_is_named(tmp_path, monkeypatch, capsys, layout, method, said):
    folder = layout(tmp_path / "data", *corpus())
    write(folder / "imbue.csv", table([judged()]))
    real = getattr(Path, method)

    def closed(self, *args, **options):
        if self.is_relative_to(folder):
            raise PermissionError(13, "Permission denied")
        return real(self, *args, **options)

    monkeypatch.setattr(Path, method, closed)
    status, text = check(capsys, folder)
    assert (status, said in text) == (1, True), text


# --- sizes -------------------------------------------------------------------------------------


def bomb(size):
    return gzip.compress(b" " * size, 9)


@pytest.mark.parametrize("name", ["first_person.jsonl.gz", "first_person.json.gz"])
def test_a_file_that_unpacks_to_far_too_much_is_refused_before_it_fills_the_memory(tmp_path, name):
    write_fn = write_lines if "jsonl" in name else write_objects
    folder = write_fn(tmp_path, *corpus(), packed=True)
    (folder / name).write_bytes(bomb(80 << 20))
    assert any(
        "unpacks to far more than text does" in line for line in refused(load_carebench, folder)
    )


def test_a_table_that_unpacks_to_far_too_much_is_refused(tmp_path):
    (tmp_path / "imbue.csv.gz").write_bytes(bomb(80 << 20))
    assert "unpacks to far more" in refused(load_imbue, tmp_path)[0]


def test_a_file_of_many_gigabytes_is_not_read(tmp_path):
    folder = write_objects(tmp_path, *corpus())
    with (folder / "first_person.json").open("r+b") as file:
        file.truncate(LARGEST + 1)  # takes no room: nothing is written
    assert "a file of more than 4 GB" in refused(load_carebench, folder)[0]


# --- one fault, one problem --------------------------------------------------------------------


def big(folder, spoil):
    """Sixty narratives, forty observed, with the first file spoilt."""
    write_lines(folder, *corpus(narratives=60, observed=40))
    path = folder / "first_person.jsonl"
    path.write_bytes(spoil(path.read_bytes()))
    return folder


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data.decode().encode("utf-16"),
        lambda data: data.decode().encode("utf-16-le"),
        lambda data: data[: len(data) // 2],
        lambda data: b"PK\x03\x04" + data,
        lambda data: b"<html>",
        lambda data: b"{}",
    ],
)
def test_a_fault_of_the_whole_file_is_one_problem_and_no_record_is_to_be_set_aside(
    tmp_path, capsys, spoil
):
    status, text = check(capsys, big(tmp_path, spoil))
    assert status == 1
    assert "1 problem in all" in text, text
    assert "set aside" not in text


def test_one_odd_record_of_its_own_file_hides_no_other_problem_and_can_be_set_aside(tmp_path):
    folder = write_samples(tmp_path, *corpus(narratives=3, observed=1))
    write(folder / "first_person" / "0000.json", '{"x": 1}')
    (folder / "first_person" / "0003.json").write_bytes(b"")
    assert len(refused(load_carebench, folder)) == 2
    (folder / "first_person" / "0003.json").unlink()
    entry = '[[accept]]\ndeparture = "set aside"\nfile = "first_person"\nsample_id = "0000"\n'
    write(folder / "exceptions.toml", entry)
    assert list(load_carebench(folder).narratives.index) == ["0001", "0002"]


def test_a_file_cut_between_two_records_is_told_in_two_lines(tmp_path, capsys):
    _, text = check(capsys, big(tmp_path, lambda data: b"".join(data.splitlines(True)[:10])))
    head, more, count, *_ = text.split("\n")
    assert "expected the sample_id of a narrative in first_person" in head
    assert more.startswith("  and 29 more like it:")
    assert count.startswith("30 problems in all")
    assert "set aside" not in text


def test_a_file_in_another_encoding_is_told_in_two_lines(tmp_path, capsys):
    first, third = corpus(narratives=40, observed=30)
    for record in first:
        record["demographics"]["Nationality"] = "Österreich"
    folder = write_lines(tmp_path, first, third)
    (folder / "first_person.jsonl").write_bytes(lines(first).encode("latin-1"))
    _, text = check(capsys, folder)
    assert "byte 0xd6" in text.split("\n")[0]
    assert "  and 39 more like it: line 2, line 3, line 4 ..." in text
    assert "set aside" not in text


@pytest.mark.parametrize("layout", [write_objects, write_samples])
def test_a_cut_file_of_the_other_layouts_is_one_problem_too(tmp_path, layout):
    folder = layout(tmp_path, *corpus(narratives=60, observed=40))
    path = sorted(folder.rglob("*.json"))[0]
    path.write_bytes(path.read_bytes()[:-700])
    assert len(refused(load_carebench, folder)) == 1


def test_problems_of_one_kind_are_put_together_and_others_are_not():
    many = [Problem("a", f"line {i}", field=f"f[{i}].x", kind="answer") for i in range(5)]
    few = [Problem("a", f"line {i}", field="g", kind="answer") for i in range(3)]
    groups = grouped([few[0], *many, *few[1:]])
    assert [len(group) for group in groups] == [1, 5, 1, 1]
    assert group_lines(groups[1])[1] == "  and 4 more like it: line 1, line 2, line 3 ..."
