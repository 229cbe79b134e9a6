"""Fetching a data set, on a stand-in for the hub's library that fails at a chosen step."""

import hashlib
import json
import os
import shlex
import shutil
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from toy_records import corpus, judged, lines, table, write

from carebook import fetch
from carebook.__main__ import main

OLD, NEW = "a" * 40, "b" * 40


def library_errors():
    """Error classes with the family tree of the library's own."""
    errors = ModuleType("huggingface_hub.errors")
    tree = {
        "HfHubHTTPError": (OSError,),
        "RepositoryNotFoundError": ("HfHubHTTPError",),
        "GatedRepoError": ("RepositoryNotFoundError",),
        "RevisionNotFoundError": ("HfHubHTTPError",),
        "EntryNotFoundError": (Exception,),
        "LocalEntryNotFoundError": (FileNotFoundError, "EntryNotFoundError"),
        "HFValidationError": (ValueError,),
    }
    for name, parents in tree.items():
        bases = tuple(getattr(errors, p) if isinstance(p, str) else p for p in parents)
        setattr(errors, name, type(name, bases, {"__module__": "huggingface_hub.errors"}))
    return errors


class Bars(ModuleType):
    """The library's switch for its own progress bars."""

    def __init__(self):
        super().__init__("huggingface_hub.utils")
        self.off, self.times = False, 0

    def are_progress_bars_disabled(self):
        return self.off

    def disable_progress_bars(self):
        self.off, self.times = True, self.times + 1

    def enable_progress_bars(self):
        self.off = False


class Hub(ModuleType):
    """A stand-in for `huggingface_hub`: its two calls, on files in memory."""

    def __init__(self):
        super().__init__("huggingface_hub")
        self.errors, self.utils = library_errors(), Bars()
        first, third = corpus()
        self.commit = NEW
        self.licence = "cc-by-nc-nd-4.0"
        self.files = {
            "README.md": b"about",
            "data/first_person.jsonl": lines(first).encode(),
            "data/third_person.jsonl": lines(third).encode(),
            "scripts/run.py": b"not wanted",
        }
        self.before = {}  # step -> what happens there: an error to raise, or something to call
        self.asked, self.fetched = [], []

    def HfApi(self):  # noqa: N802 - the library's own name
        return self

    def _step(self, name):
        happens = self.before.pop(name, None)
        if isinstance(happens, BaseException):
            raise happens
        if happens:
            happens()

    def dataset_info(self, hub_id, *, revision, files_metadata, timeout):
        self._step("info")
        self.asked.append((hub_id, revision))
        siblings = [self._about(name, data) for name, data in self.files.items()]
        return SimpleNamespace(
            sha=self.commit, siblings=siblings, card_data={"license": self.licence}
        )

    def _about(self, name, data):
        big = name.endswith("first_person.jsonl")
        blob = hashlib.sha1(f"blob {len(data)}\0".encode() + data).hexdigest()
        return SimpleNamespace(
            rfilename=name,
            size=len(data),
            blob_id=None if big else blob,
            lfs=SimpleNamespace(sha256=hashlib.sha256(data).hexdigest()) if big else None,
        )

    def hf_hub_download(self, hub_id, filename, *, repo_type, revision, local_dir):
        assert repo_type == "dataset" and revision == self.commit
        self._step(len(self.fetched))
        path = Path(local_dir, filename)
        path.parent.mkdir(parents=True, exist_ok=True)
        (Path(local_dir) / ".cache" / "huggingface").mkdir(parents=True, exist_ok=True)
        if not path.exists():  # the library, too, leaves what is there
            path.write_bytes(self.files[filename])
            self.fetched.append(filename)
        self._step(f"after {filename}")
        return str(path)


@pytest.fixture
def hub(monkeypatch):
    monkeypatch.delenv("IMBUE_DATA", raising=False)
    hub = Hub()
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    monkeypatch.setitem(sys.modules, "huggingface_hub.errors", hub.errors)
    monkeypatch.setitem(sys.modules, "huggingface_hub.utils", hub.utils)
    return hub


@pytest.fixture
def to(tmp_path):
    return tmp_path / "die Daten"


def run(capsys, to, *words, name="carebench"):
    words = words or ("--accept-licence",)
    status = main(["fetch", name, "--to", str(to), *words])
    return status, capsys.readouterr().out


@pytest.fixture
def older(hub, to, capsys, monkeypatch):
    """A copy of an older commit, with something of the instructor's beside it."""
    monkeypatch.setattr(fetch, "_check", lambda dataset, folder, found: 0)  # it has its own tests
    hub.commit = OLD
    assert run(capsys, to)[0] == 0
    hub.commit, hub.fetched = NEW, []
    hub.files["data/first_person.jsonl"] += b"\n"
    write(to / "exceptions.toml", "")
    write(to / "notes" / "mine.txt", "keep me")
    return content(to)


def content(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def left_over(to):
    return sorted(path.name for path in to.parent.iterdir() if path != to)


# --- all goes well -----------------------------------------------------------------------------


def test_the_data_arrive_with_a_record_and_are_checked(hub, to, capsys):
    status, text = run(capsys, to)
    assert status == 0, text
    assert set(content(to)) == {
        "README.md",
        "data/first_person.jsonl",
        "data/third_person.jsonl",
        "source.json",
    }
    record = json.loads((to / "source.json").read_text(encoding="utf-8"))
    assert (record["hub_id"], record["commit"]) == ("zhaoyuesun/CAREBecnch", NEW)
    about = record["files"]["data/third_person.jsonl"]
    data = hub.files["data/third_person.jsonl"]
    assert about == {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    assert text.index("You may NOT share altered") < text.index("1 of 3: README.md")
    assert "narratives" in text and "Audit of CAREBench" in text
    assert f"Next:\n  export CAREBENCH_DATA={shlex.quote(str(to))}\n  make book" in text
    assert left_over(to) == []


def test_a_revision_is_asked_for_and_recorded(hub, to, capsys):
    assert run(capsys, to, "--accept-licence", "--revision", "v1")[0] == 0
    assert hub.asked == [("zhaoyuesun/CAREBecnch", "v1")]
    assert json.loads((to / "source.json").read_bytes())["revision"] == "v1"


def test_imbue_keeps_the_name_of_its_table(hub, to, capsys):
    hub.licence = None
    hub.files = {"README.md": b"", "annotations_v2.csv": table([judged()]).encode()}
    status, text = run(capsys, to, name="imbue")
    assert status == 0, text
    assert "states NO licence" in text
    setting = f"IMBUE_DATA={shlex.quote(str(to / 'annotations_v2.csv'))}"
    assert f"Next:\n  export {setting}\n  make book" in text


def test_of_several_tables_one_has_to_be_named(hub, to, capsys):
    hub.licence = None
    hub.files = {"a.csv": table([judged()]).encode(), "b.csv": b"x"}
    status, text = run(capsys, to, name="imbue")
    assert status == 1 and "several tables (a.csv, b.csv). Name one with --file" in text
    assert run(capsys, to, "--accept-licence", "--file", "a.csv", name="imbue")[0] == 0
    assert "b.csv" not in content(to)


def test_a_newer_commit_is_told_and_what_stood_beside_the_data_stays(hub, to, older, capsys):
    status, text = run(capsys, to)
    assert status == 0
    assert f"Changed upstream: the copy is of commit {OLD[:12]}, the hub now gives" in text
    now = content(to)
    assert json.loads(now["source.json"])["commit"] == NEW
    assert now["notes/mine.txt"] == b"keep me" and "exceptions.toml" in now
    assert now["data/first_person.jsonl"] == hub.files["data/first_person.jsonl"]
    assert left_over(to) == []


def test_departures_in_what_was_fetched_are_told_at_the_end(hub, to, capsys):
    hub.files["data/first_person.jsonl"] = b""
    status, text = run(capsys, to)
    assert (status, "the file is empty" in text) == (1, True)
    assert (to / "source.json").exists()  # the released files are what they are
    again = f"python -m carebook check {shlex.quote(str(to))}"
    assert text.endswith(f"or accept it in {to / 'exceptions.toml'}; then\n  {again}\n")
    assert "make book" not in text


def test_a_release_of_many_small_files_is_told_by_tenths(hub, to, capsys):
    first, third = corpus(narratives=30)
    hub.files = {
        f"data/first_person/{record['sample_id']}.json": json.dumps(record).encode()
        for record in first
    }
    hub.files["data/third_person/0001.json"] = json.dumps(third).encode()
    status, text = run(capsys, to)
    told = text[text.index("  31 files") : text.index("All of it")].splitlines()
    assert (status, len(hub.fetched)) == (0, 31)
    assert [line.rpartition(" of ")[0].strip() for line in told[1:]] == [
        "4", "7", "10", "13", "16", "19", "22", "25", "28", "31"
    ]  # fmt: skip
    assert told[0] == "  31 files, 0.1 MB" and told[-1] == "  31 of 31 (100 %)"
    assert (hub.utils.off, hub.utils.times) == (False, 31)


# --- the terms ---------------------------------------------------------------------------------


def test_without_consent_nothing_is_downloaded(hub, to, capsys, monkeypatch):
    status, text = run(capsys, to, "--revision", "main")
    assert (status, "nobody was there to accept" in text) == (1, True)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("builtins.input", lambda question: "no")
    status, text = run(capsys, to, "--revision", "main")
    assert (status, "the terms were not accepted" in text) == (1, True)
    assert hub.fetched == [] and not to.exists()
    monkeypatch.setattr("builtins.input", lambda question: " Yes ")
    assert run(capsys, to, "--revision", "main")[0] == 0


def test_a_licence_that_changed_upstream_has_to_be_read(hub, to, capsys):
    hub.licence = "proprietary"
    status, text = run(capsys, to)
    assert status == 1 and hub.fetched == []
    assert "the hub states proprietary; this program knows of cc-by-nc-nd-4.0" in text


# --- faults ------------------------------------------------------------------------------------


def network_error():
    return type("ConnectError", (Exception,), {"__module__": "httpx"})("no route")


FAULTS = {
    "no network": (network_error, "the hub can't be reached"),
    "offline": (lambda: ConnectionError("offline"), "the hub can't be reached"),
    "too slow": (lambda: TimeoutError(), "the hub can't be reached"),
    "not cached": ("LocalEntryNotFoundError", "the hub can't be reached"),
    "wrong id": ("RepositoryNotFoundError", "is not there: it was renamed, made private"),
    "gated": ("GatedRepoError", "now asks for a login"),
    "no revision": ("RevisionNotFoundError", "has no revision"),
    "gone": ("EntryNotFoundError", "a file is gone"),
    "server": ("HfHubHTTPError", "the hub answered with an error"),
    "bad name": ("HFValidationError", "can't be the name of a revision"),
    "disk full": (lambda: OSError(28, "No space left on device"), "No space left on device"),
    "not allowed": (lambda: PermissionError(13, "Permission denied"), "Permission denied"),
    "unknown": (lambda: RuntimeError("\x1b[31mweird"), "the download failed (RuntimeError"),
}


@pytest.mark.parametrize("step", ["info", 0, 1, 2])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_at_any_step_is_a_sentence_and_leaves_the_older_copy(
    hub, to, older, capsys, fault, step
):
    make, said = FAULTS[fault]
    hub.before[step] = make() if callable(make) else getattr(hub.errors, make)("x")
    status, text = run(capsys, to)
    assert status == 1
    line = next(line for line in text.split("\n") if line.startswith("Not fetched: "))
    assert said in line and line.isprintable()
    assert line.endswith(f"The copy in {to} is as it was.")
    assert content(to) == older
    status, text = run(capsys, to)  # and the same command then does it
    assert status == 0 and json.loads((to / "source.json").read_bytes())["commit"] == NEW
    assert sorted(hub.fetched) == sorted(set(hub.fetched))  # nothing was fetched twice
    assert left_over(to) == []


@pytest.mark.parametrize("step", ["info", 0, 2])
def test_an_interruption_leaves_the_older_copy_and_is_gone_on_from(hub, to, older, capsys, step):
    hub.before[step] = KeyboardInterrupt()
    status, text = run(capsys, to)
    assert (status, "goes on where it stopped" in text) == (130, True)
    assert content(to) == older
    assert run(capsys, to)[0] == 0
    assert len(hub.fetched) == 3


def damaged(path):
    return lambda: path.write_bytes(path.read_bytes()[:-1] + b"x")


@pytest.mark.parametrize("name", ["data/first_person.jsonl", "data/third_person.jsonl"])
def test_a_file_that_is_not_what_was_announced_is_refused_and_fetched_anew(
    hub, to, older, capsys, name
):
    hub.before[f"after {name}"] = damaged(to.with_name(to.name + ".part") / name)
    status, text = run(capsys, to)
    assert status == 1 and f"{name} is not what was announced" in text
    assert content(to) == older
    assert run(capsys, to)[0] == 0


def test_a_checksum_known_from_elsewhere_counts(hub, to, capsys, monkeypatch):
    known = {NEW: {"data/third_person.jsonl": "0" * 64}}
    monkeypatch.setattr(fetch, "CHECKSUMS", known)
    status, text = run(capsys, to)
    assert status == 1 and "third_person.jsonl is not what was announced" in text


def test_a_change_upstream_between_two_tries_starts_again(hub, to, older, capsys):
    hub.before[1] = ConnectionError()
    assert run(capsys, to)[0] == 1
    hub.commit = "c" * 40
    assert run(capsys, to)[0] == 0
    assert hub.fetched.count("README.md") == 2
    assert json.loads((to / "source.json").read_bytes())["commit"] == "c" * 40


def test_a_disk_without_room_is_told_before_the_download(hub, to, older, capsys, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=10))
    status, text = run(capsys, to)
    assert status == 1 and "MB are needed" in text and hub.fetched == []
    assert content(to) == older


def test_the_older_copy_comes_back_if_the_new_one_can_not_take_its_place(
    hub, to, older, capsys, monkeypatch
):
    real = Path.rename

    def stuck(self, target):
        if self.name.endswith(".part"):
            raise OSError(13, "Permission denied")
        return real(self, target)

    monkeypatch.setattr(Path, "rename", stuck)
    status, text = run(capsys, to)
    assert status == 1 and "nothing more can be written (Permission denied)" in text
    assert content(to) == older


@pytest.mark.parametrize(
    "name", ["../evil.json", "/etc/evil", "data/../../first_person.json", "a\\..\\b", "x\x1b[31m"]
)
def test_a_name_that_leads_out_of_the_folder_is_refused(hub, to, capsys, name):
    hub.files[name] = b"{}"
    status, text = run(capsys, to)
    assert status == 1 and "would lead out of the folder" in text
    assert hub.fetched == [] and "\x1b" not in text


@pytest.mark.skipif(os.name == "nt", reason="links as Unix has them")
def test_a_file_that_arrives_as_a_link_out_of_the_folder_is_refused(hub, to, capsys, tmp_path):
    path = to.with_name(to.name + ".part") / "data" / "first_person.jsonl"
    write(tmp_path / "secret", "x")

    def swap():
        path.unlink()
        path.symlink_to(tmp_path / "secret")

    hub.before["after data/first_person.jsonl"] = swap
    status, text = run(capsys, to)
    assert status == 1 and "did not arrive as a plain file" in text


# --- where it goes -----------------------------------------------------------------------------


def test_other_content_is_never_replaced(hub, to, tmp_path, capsys):
    write(to / "thesis.txt", "mine")
    status, text = run(capsys, to)
    assert status == 1 and "holds other files, which stay as they are" in text
    status, text = run(capsys, to / "thesis.txt")
    assert status == 1 and "is a file, not a folder" in text
    write(tmp_path / "new.part" / "x", "mine")
    status, text = run(capsys, tmp_path / "new")
    assert status == 1 and "is in the way, and is not ours" in text
    assert content(to) == {"thesis.txt": b"mine"} and hub.fetched == []


@pytest.mark.parametrize("files", [None, [1], 3, {"README.md": 3}, {"README.md": {"size": None}}])
def test_a_record_that_somebody_has_edited_is_no_trap(hub, to, older, capsys, files):
    record = json.loads(older["source.json"]) | {"files": files}
    write(to / "source.json", json.dumps(record))
    assert run(capsys, to)[0] == 0
    assert content(to)["notes/mine.txt"] == b"keep me" and left_over(to) == []


@pytest.mark.skipif(os.name == "nt", reason="pipes and links as Unix has them")
def test_a_pipe_or_link_in_the_place_of_our_notes_is_never_opened(hub, to, tmp_path, capsys):
    to.mkdir()
    os.mkfifo(to / "source.json")
    status, text = run(capsys, to)
    assert status == 1 and "holds other files, which stay as they are" in text
    mine = {"made_by": fetch._MARK, "hub_id": "x", "commit": OLD}
    write(tmp_path / "elsewhere" / "fetch.json", json.dumps(mine))
    (tmp_path / "new.part").symlink_to(tmp_path / "elsewhere")
    status, text = run(capsys, tmp_path / "new")
    assert status == 1 and "is in the way, and is not ours" in text
    assert (tmp_path / "elsewhere" / "fetch.json").exists() and hub.fetched == []


def test_a_copy_of_the_other_data_set_is_not_replaced(hub, to, older, capsys):
    status, text = run(capsys, to, name="imbue")
    assert status == 1 and "holds other files" in text and content(to) == older


@pytest.mark.skipif(os.name == "nt", reason="file locks as Unix has them")
def test_two_at_once_do_not_mix(hub, to, capsys):
    with fetch._alone(to):
        status, text = run(capsys, to)
    assert status == 1 and "another fetch" in text
    assert run(capsys, to)[0] == 0


def test_without_the_library_the_extra_is_named(to, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    status, text = run(capsys, to)
    assert status == 1 and "pip install 'carebook[fetch]'" in text


def test_a_hub_without_the_data_says_what_it_holds(hub, to, capsys):
    hub.files = {"other.txt": b""}
    status, text = run(capsys, to)
    assert status == 1 and "no data file of a known name in it (it holds: other.txt)" in text
