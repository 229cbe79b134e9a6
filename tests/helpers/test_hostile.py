"""Records with markup, terminal codes, direction marks, emoji or 100 kB of text do no harm."""

import json
import re
import shutil
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pandas as pd
import pytest
from toy_records import corpus, judged, table, write, write_lines, write_objects

from carebook import figures, load_carebench, load_imbue
from carebook.__main__ import main
from carebook.auditpage import page
from carebook.quoting import shown_table
from carebook.results import quoted

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = {
    "markup": "<script>alert(1)</script><img src=x onerror=alert(2)>",
    "markdown": "[a](javascript:alert(3)) ![](x) `{{ 7*7 }}` {eval-rst} $x^2$ # h\n- item\n```",
    "terminal": "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J",
    "direction": "\u202eevil\u202c \u2066x\u2069",
    "emoji": "😀👩‍👩‍👧 日本 ع é",
    "long": "word " * 20_000,
}


@pytest.fixture(autouse=True)
def no_data_variables(monkeypatch):
    monkeypatch.delenv("CAREBENCH_DATA", raising=False)
    monkeypatch.delenv("IMBUE_DATA", raising=False)


@pytest.fixture(params=HOSTILE)
def text(request):
    return HOSTILE[request.param]


def fill(value, text):
    """Put a text in the place of every free text of a record."""
    closed = ("appraisal_ratings", "emotion_labels", "personality_questionnaire", "sample_id")
    if isinstance(value, dict):
        return {k: v if k in closed else fill(v, text) for k, v in value.items()}
    if isinstance(value, list):
        if len(value) == 2 and value[0] in ("ai", "human"):
            return [value[0], text]
        return [fill(item, text) for item in value]
    return text if isinstance(value, str) else value


@pytest.fixture
def folder(tmp_path, text):
    """Both data sets with the same hostile text in every place that holds free text."""
    first, third = corpus(narratives=2, observed=1)
    rows = [judged("01", "1", text[:200], situation=text, message_text=text, rewrite_assert=text)]
    write(tmp_path / "data" / "imbue.csv", table(rows))
    third = [fill(record, text) | {"participant_id": f"p{i}"} for i, record in enumerate(third)]
    return write_lines(tmp_path / "data", [fill(record, text) for record in first], third)


def harmless(printed):
    return all(char.isprintable() or char == "\n" for char in printed)


def test_hostile_texts_are_kept_as_they_are(folder, text):
    data = load_carebench(folder)
    assert data.narratives["narrative"].tolist() == [text, text]
    assert set(data.turns["text"]) == {text}
    assert load_imbue(folder).messages["message_text"].tolist() == [text]


def test_the_terminal_shows_them_harmlessly(folder, capsys):
    for words in (["check"], ["check", "--json"], ["observers"]):
        assert main([words[0], str(folder), *words[1:]]) == 0
        printed = capsys.readouterr().out
        assert harmless(printed), words
        assert "--json" in words or len(printed) < 20_000
    write(folder / "exceptions.toml", "[[accept]]\ndeparture = 1\n")
    assert main(["check", str(folder)]) == 1
    assert harmless(capsys.readouterr().out)


def test_the_audit_page_shows_them_harmlessly(folder, text):
    data = load_carebench(folder)
    written = page({"CAREBench": (data, [])}, [f"found {text}"])
    assert "<script" not in written and "onerror=alert(2)>" not in written
    assert "\x1b" not in written and "\u202e" not in written


def test_a_quotation_shows_them_harmlessly(text):
    shown = quoted(text)
    assert all(line.startswith("> ") for line in shown.split("\n"))
    assert not {"\x1b", "\x07", "\x9b", "\u202e", "\u2066"} & set(shown)
    assert not re.search(r"(?<!\\)[<\[{$`]", shown)  # nothing opens that is not escaped
    if text == HOSTILE["emoji"]:
        assert shown == f"> {text}"
    if text == HOSTILE["terminal"]:
        assert "x1b" in shown  # it is told that something stood there


def test_tables_show_them_as_text(folder, text):
    data = load_carebench(folder)
    for shown in (data.narratives, shown_table(data.narratives, data)):
        written = shown.to_html()
        assert "<script" not in written and "<img" not in written


def test_figures_show_them_as_text(text):
    name = text[:300]
    experts = pd.DataFrame(
        {"estimate": [0.2, 0.5], "low": [0.1, 0.4], "high": [0.3, 0.6], "judgements": [8, 9]},
        index=[name, "b"],
    )
    for figure in (
        figures.expert_strictness(experts),
        figures.recurrence(pd.DataFrame({"participant_id": [name], "perspective": ["observer"]})),
    ):
        about = figure._repr_mimebundle_()[1]["image/png"]
        assert about["alt"].isprintable() and len(about["alt"]) < 2000


# --- places ------------------------------------------------------------------------------------


def test_a_folder_with_spaces_and_other_letters_and_windows_line_ends(tmp_path, capsys):
    folder = write_lines(tmp_path / "mes données – 日本", *corpus())
    for path in folder.iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    write(folder / "imbue.csv", table([judged()]).replace("\r\n", "\n").replace("\n", "\r\n"))
    assert main(["check", str(folder)]) == 0
    assert "mes données – 日本" in capsys.readouterr().out
    again = write_objects(tmp_path / "objects", *corpus())
    for path in again.iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    pd.testing.assert_frame_equal(load_carebench(folder).people, load_carebench(again).people)


def test_a_folder_that_may_not_be_written_to_is_read(tmp_path, capsys):
    folder = write_lines(tmp_path / "data", *corpus())
    before = sorted(path.name for path in folder.iterdir())
    for path in (*folder.iterdir(), folder):
        path.chmod(stat.S_IREAD | (stat.S_IEXEC if path.is_dir() else 0))
    try:
        assert main(["check", str(folder)]) == 0
        assert sorted(path.name for path in folder.iterdir()) == before
    finally:
        folder.chmod(stat.S_IRWXU)


def test_two_at_once_read_the_same(tmp_path):
    folder = write_lines(tmp_path / "data", *corpus())
    command = [sys.executable, "-m", "carebook", "check", str(folder), "--json"]
    running = [
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=ROOT / "notebooks",
        )  # fmt: skip
        for _ in range(2)
    ]
    printed = [process.communicate()[0] for process in running]
    assert printed[0] == printed[1] and json.loads(printed[0])["ok"]


def test_two_threads_at_once_read_the_same(tmp_path):
    folder = write_lines(tmp_path / "data", *corpus(narratives=40, observed=20))
    read = []
    threads = [
        threading.Thread(target=lambda: read.append(load_carebench(folder))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(read) == 4
    for data in read[1:]:
        pd.testing.assert_frame_equal(data.turns, read[0].turns)


def test_a_folder_that_goes_away_while_it_is_read_is_told(tmp_path, monkeypatch, capsys):
    folder = write_lines(tmp_path / "data", *corpus())
    from carebook import carebench

    real = carebench.link

    def gone(*args):
        shutil.rmtree(folder, ignore_errors=True)
        return real(*args)

    monkeypatch.setattr(carebench, "link", gone)
    status = main(["check", str(folder)])
    printed = capsys.readouterr().out
    assert status == 1 and "found a file that has changed since it was read" in printed
