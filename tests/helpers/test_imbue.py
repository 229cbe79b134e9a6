"""Loading the IMBUE annotations: the tables, spellings, refusals, accepted departures."""

import datetime
import gzip
import random
import sys

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from toy_records import judged, table, write

from carebook import DataError, load_imbue
from carebook.imbue import raw_table
from carebook.vocabulary import IMBUE_COLUMNS, SKILLS


@pytest.fixture
def rows():
    """Two conversations; the first message of the first is judged by two experts."""
    return [
        judged("02", "1", "e1", category="work"),
        judged("01", "10", "e1"),
        judged("01", "9", "e1", label_describe="strong", label_mindful="yes"),
        judged("01", "9", "e2", label_describe="weak", suggestion_describe="Say when."),
    ]


def load(folder, rows, name="imbue.csv"):
    write(folder / name, table(rows))
    return load_imbue(folder / name)


def refused(folder, rows=None):
    """The lines that say why a file is refused."""
    if rows is not None:
        write(folder / "imbue.csv", table(rows))
    with pytest.raises(DataError) as caught:
        load_imbue(folder / "imbue.csv")
    return [str(problem) for problem in caught.value.problems]


# --- the tables --------------------------------------------------------------------------------


def test_messages_are_ordered_by_number_and_conversations_by_text(tmp_path, rows):
    data = load(tmp_path, rows)
    assert list(data.conversations.index) == ["01", "02"]
    assert data.messages[["conversation_id", "message_id", "position"]].values.tolist() == [
        ["01", "9", 1],
        ["01", "10", 2],
        ["02", "1", 1],
    ]
    assert list(data.messages.index) == ["01/9", "01/10", "02/1"]


def test_there_is_one_judgement_for_each_message_expert_and_skill(tmp_path, rows):
    judgements = load(tmp_path, rows).judgements
    assert len(judgements) == 4 * 7
    assert judgements["skill"].tolist()[:7] == list(SKILLS)
    described = judgements[judgements["skill"] == "describe"]
    assert described[["message_key", "expert", "label"]].values.tolist() == [
        ["01/9", "e1", "strong"],
        ["01/9", "e2", "weak"],
        ["01/10", "e1", "none"],
        ["02/1", "e1", "none"],
    ]


def test_columns_and_types_are_those_of_the_contract(tmp_path, rows):
    data = load(tmp_path, rows)
    text = "str" if pd.__version__ >= "3" else "object"
    assert dict(data.conversations.dtypes.astype(str)) == {
        "situation": text,
        "category": "category",
    }
    assert dict(data.messages.dtypes.astype(str)) == {
        "conversation_id": text,
        "message_id": text,
        "position": "int64",
        "message_text": text,
    }
    assert dict(data.judgements.dtypes.astype(str)) == {
        "message_key": text,
        "conversation_id": text,
        "expert": text,
        "skill": "category",
        "label": "category",
        "suggestion": text,
        "rewrite": text,
        "derived_reading": "category",
    }
    assert data.judgements["skill"].cat.ordered
    assert isinstance(data.judgements.index, pd.RangeIndex)
    assert (data.conversations.index.name, data.messages.index.name) == (
        "conversation_id",
        "message_key",
    )


@pytest.mark.parametrize(
    ("label", "suggestion", "rewrite", "reading"),
    [
        ("strong", "", "", "used well"),
        ("strong", "", "Better so.", "used well"),
        ("strong", "But say it.", "", "unclear"),
        ("weak", "", "", "used weakly"),
        ("weak", "Say it.", "It.", "used weakly"),
        ("none", "Say it.", "", "missing"),
        ("none", "", "It.", "missing"),
        ("none", "", " ", "not called for"),
    ],
)
def test_the_derived_reading_follows_the_three_cells(tmp_path, label, suggestion, rewrite, reading):
    cells = {"label_assert": label, "suggestion_assert": suggestion, "rewrite_assert": rewrite}
    judgements = load(tmp_path, [judged(**cells)]).judgements.set_index("skill")
    assert judgements.loc["assert", "derived_reading"] == reading


def test_an_empty_suggestion_is_missing_and_the_word_none_is_not(tmp_path):
    judgements = load(tmp_path, [judged(suggestion_assert="None", rewrite_assert="")]).judgements
    told = judgements.set_index("skill").loc["assert"]
    assert told["suggestion"] == "None"
    assert pd.isna(told["rewrite"])
    assert told["label"] == "none"


def test_spellings_are_recognised_and_listed(tmp_path):
    rows = [
        judged("1", "1", label_assert=" STRONG ", category="Family"),
        judged("1", "2", label_assert="S trong", category="family"),
        judged("1", "3", label_assert="None", label_mindful="Yes", category="family"),
    ]
    data = load(tmp_path, rows)
    labels = data.judgements[data.judgements["skill"] == "assert"]["label"]
    assert labels.tolist() == ["strong", "strong", "none"]
    listed = data.spellings[data.spellings["column"].isin(["label_assert", "category"])]
    assert listed.values.tolist() == [
        ["category", "Family", 1, "family"],
        ["category", "family", 2, "family"],
        ["label_assert", " STRONG ", 1, "strong"],
        ["label_assert", "None", 1, "none"],
        ["label_assert", "S trong", 1, "strong"],
    ]


def test_the_source_says_what_was_read(tmp_path, rows, monkeypatch):
    monkeypatch.delenv("IMBUE_DATA", raising=False)
    assert load(tmp_path, rows).source.label == "IMBUE"
    assert load_imbue().source.label == "practice corpus (synthetic)"
    monkeypatch.setenv("IMBUE_DATA", str(tmp_path))
    assert len(load_imbue().messages) == 3
    assert load(tmp_path, [judged(expert="practice-expert-1")]).source.synthetic


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_blank_lines_and_byte_order_mark_do_not_matter(tmp_path, rows, ending, mark):
    rows[0]["message_text"] = "two, lines:\nsecond"
    expected = load(tmp_path, rows)
    text = mark + table(rows).replace("\r\n", ending) + ending
    write(tmp_path / "other.csv", text)
    data = load_imbue(tmp_path / "other.csv")
    pd.testing.assert_frame_equal(data.judgements, expected.judgements)
    pd.testing.assert_frame_equal(data.messages, expected.messages)


def test_packed_files_and_long_cells_are_read(tmp_path):
    rows = [judged(message_text="x" * 200_000)]
    write(tmp_path / "imbue.csv.gz", gzip.compress(table(rows).encode()))
    assert load_imbue(tmp_path).messages["message_text"].str.len().tolist() == [200_000]


def test_columns_may_stand_in_any_order_and_unknown_ones_are_counted(tmp_path, rows):
    header = [*reversed(IMBUE_COLUMNS), "notes", ""]
    write(tmp_path / "other.csv", table(rows, header))
    data = load_imbue(tmp_path / "other.csv")
    assert dict(data.extra_fields) == {"notes": 4, "column 29 (no name)": 4}
    pd.testing.assert_frame_equal(data.judgements, load(tmp_path, rows).judgements)


# --- refusals ----------------------------------------------------------------------------------

CELLS = {
    "an unknown label": (
        {"label_assert": "Stong"},
        ["label_assert", 'found "Stong"', '"strong" or'],
    ),
    "a label of the other kind": ({"label_mindful": "weak"}, ['found "weak"', '"yes" or "no"']),
    "an empty label": ({"label_express": ""}, ["label_express", "found an empty cell"]),
    "an unknown category": ({"category": "school"}, ['found "school"', '"family" or "social"']),
    "a message without number": ({"message_id": "one"}, ["message_id", '"one"', "whole number"]),
    "a fraction of a number": ({"message_id": "1.0"}, ["message_id", '"1.0"', "whole number"]),
    "a conversation without name": ({"conversation_id": " "}, ["conversation_id: found an empty"]),
    "an expert without name": ({"username_expert": ""}, ["username_expert: found an empty cell"]),
    "a message without text": ({"message_text": ""}, ["message_text: found an empty cell"]),
    "a conversation without situation": ({"situation": ""}, ["situation: found an empty cell"]),
}


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_is_refused_on_one_line_that_tells_all(tmp_path, name):
    cells, told = CELLS[name]
    (line,) = refused(tmp_path, [judged("09", "1"), judged("07", "1") | cells])
    assert line.startswith("imbue.csv, line 3: message ")
    assert all(part in line for part in told), line


def test_the_place_is_the_line_where_the_row_starts(tmp_path):
    rows = [judged("1", message_text="one\ntwo\r\nthree"), judged("2", label_assert="?")]
    assert refused(tmp_path, rows)[0].startswith("imbue.csv, line 5: message 2/1, e1: label_assert")


@pytest.mark.parametrize(
    ("second", "told"),
    [
        (judged("01", "1", "e2", message_text="other"), "message_text: found another message_text"),
        (judged("01", "2", "e1", situation="other"), "situation: found another situation than in"),
        (
            judged("01", "2", "e1", category="work"),
            "category: found another category than in line 2",
        ),
        (judged("01", "1", "e1"), "found a second row of this expert on this message"),
        (judged("01", "01", "e1", message_text="x"), 'message_id: found "01" beside "1"'),
    ],
)
def test_rows_that_contradict_each_other_are_refused(tmp_path, second, told):
    (line,) = refused(tmp_path, [judged("01", "1", "e1"), second])
    assert line.startswith("imbue.csv, line 3: message 01/")
    assert told in line


FILES = {
    "nothing": (b"", "found nothing: the file is empty"),
    "a header alone": (",".join(IMBUE_COLUMNS).encode(), "found a header and no rows"),
    "semicolons": (table([judged()]).replace(",", ";").encode(), "separated by semicolons"),
    "tabs": (table([judged()]).replace(",", "\t").encode(), "separated by tabs"),
    "UTF-16": (table([judged()]).encode("utf-16"), "text saved as UTF-16"),
    "another encoding": (
        table([judged(message_text="caf\u00e9")]).encode("cp1252"),
        "line 2: found byte 0xe9",
    ),
    "another table": (b"a,b\n1,2\n", 'a header without any documented column: "a,b"'),
    "JSON": (b'{"a": 1}', "found JSON, not a table"),
    "a workbook": (b"PK\x03\x04", "an Excel workbook"),
    "a Git LFS pointer": (b"version https://git-lfs.github.com/spec/v1", "a Git LFS pointer"),
    "a cut quotation": (table([judged()]).encode()[:-2] + b',"cut', "not closed"),
    "stray quotes": (table([judged()]).encode() + b'"a"b,c\n', "broken quoting"),
    "a short row": (table([judged()]).encode() + b"1,2\r\n", "line 3: found 2 cells; expected 27"),
    "no experts": (
        table([judged()], [c for c in IMBUE_COLUMNS if c != "username_expert"]).encode(),
        "line 1: username_expert: found no such column",
    ),
    "a column twice": (
        table([judged()], (*IMBUE_COLUMNS, "category")).encode(),
        "category: found the column 2 times",
    ),
    "a column renamed": (
        table([judged()]).replace("label_assert", "Label_Assert").encode(),
        'Rename "Label_Assert"',
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_wrong_file_gets_one_clear_line(tmp_path, name):
    content, told = FILES[name]
    write(tmp_path / "imbue.csv", content)
    (line,) = refused(tmp_path)
    assert line.startswith("imbue.csv")
    assert told in line


def test_a_missing_file_is_named(tmp_path):
    (line,) = refused(tmp_path)
    assert "imbue.csv: found no such file" in line
    with pytest.raises(DataError, match=r"no imbue\.csv in it"):
        load_imbue(tmp_path)


def test_two_copies_in_one_folder_are_refused(tmp_path):
    write(tmp_path / "imbue.csv", "")
    write(tmp_path / "imbue.csv.gz", "")
    with pytest.raises(DataError, match=r"imbue\.csv and imbue\.csv\.gz"):
        load_imbue(tmp_path)


def test_a_folder_whose_table_has_another_name_says_to_name_the_file(tmp_path):
    write(tmp_path / "expert annotations.csv", table([judged()]))
    with pytest.raises(DataError, match=r'the table "expert annotations\.csv".* Name the file'):
        load_imbue(tmp_path)


# --- Parquet -----------------------------------------------------------------------------------


def parquet(folder, rows, notes=None, **columns):
    """Write rows as a Parquet file, some columns replaced."""
    arrow = pytest.importorskip("pyarrow")
    table = arrow.Table.from_pylist(rows)
    for name, values in columns.items():
        table = table.set_column(table.column_names.index(name), name, arrow.array(values))
    if notes is not None:
        table = table.replace_schema_metadata({b"pandas": notes})
    pytest.importorskip("pyarrow.parquet").write_table(table, folder / "imbue.parquet")
    return folder / "imbue.parquet"


def test_parquet_is_read_like_csv(tmp_path, rows):
    blank = [{name: text or None for name, text in row.items()} for row in rows]
    path = parquet(tmp_path, blank, conversation_id=[int(row["conversation_id"]) for row in rows])
    data = load_imbue(path)
    assert data.source.layout == "parquet"
    assert list(data.conversations.index) == ["1", "2"]
    labels = data.judgements["label"].tolist()
    path.unlink()
    assert labels == load(tmp_path, rows).judgements["label"].tolist()


@pytest.mark.parametrize("notes", [b"{}", b"3", b"\xff", b'{"index_columns": ["category"]}'])
def test_what_a_parquet_file_notes_about_itself_changes_nothing(tmp_path, rows, notes):
    path = parquet(tmp_path, rows, notes)
    assert raw_table(path).to_dict("records") == rows
    assert len(load_imbue(path).judgements) == 7 * len(rows)


@pytest.mark.parametrize(
    "values", [["a"], {"a": 1}, b"a", datetime.date(2026, 1, 1)], ids=lambda v: type(v).__name__
)
def test_a_parquet_column_of_other_things_is_no_text(tmp_path, rows, values):
    path = parquet(tmp_path, rows, message_text=[values] * len(rows))
    with pytest.raises(DataError, match="message_text: found a column of another kind .*texts"):
        load_imbue(path)


@pytest.mark.parametrize(
    "kind", ["date32", "timestamp[ms]", "timestamp[us, tz=UTC]", "timestamp[us, tz=x/y]"]
)
def test_a_parquet_column_that_nobody_documented_may_hold_any_date(tmp_path, rows, kind):
    arrow = pytest.importorskip("pyarrow")
    name, _, zone = kind.removesuffix("]").partition(", tz=")
    unit = name.partition("[")[2]
    dated = arrow.timestamp(unit, zone or None) if unit else arrow.date32()
    width = arrow.int64() if unit else arrow.int32()
    dates = arrow.array([2**31 - 1 if not unit else 2**62] * len(rows), width).view(dated)
    table = arrow.Table.from_pylist(rows).append_column("added_at", dates)
    pytest.importorskip("pyarrow.parquet").write_table(table, tmp_path / "imbue.parquet")
    data = load_imbue(tmp_path / "imbue.parquet")
    assert dict(data.extra_fields) == {"added_at": len(rows)}
    assert len(raw_table(tmp_path / "imbue.parquet")) == len(rows)


def test_a_damaged_parquet_file_is_refused(tmp_path, rows):
    path = parquet(tmp_path, rows)
    whole, dice = path.read_bytes(), random.Random(5)
    refused = 0
    for _ in range(60):
        spoilt = bytearray(whole)
        for _ in range(8):
            spoilt[dice.randrange(len(whole))] = dice.randrange(256)
        path.write_bytes(spoilt)
        try:
            load_imbue(path)
        except DataError:
            refused += 1
    assert refused > 30


def test_a_parquet_file_that_unpacks_to_far_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("carebook.parquet.UNPACKED_FREELY", 1 << 20)
    long = judged(situation="x" * 100_000)
    path = parquet(tmp_path, [long | {"message_id": str(i)} for i in range(300)])
    assert path.stat().st_size < 100_000
    with pytest.raises(DataError, match="unpacks to far more than text does"):
        load_imbue(path)


def test_without_the_extra_a_parquet_file_is_refused_with_the_remedy(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    write(tmp_path / "imbue.parquet", b"PAR1")
    with pytest.raises(DataError, match=r"pip install 'carebook\[parquet\]'"):
        load_imbue(tmp_path)


# --- accepted departures -----------------------------------------------------------------------


def test_the_exceptions_file_settles_a_spelling(tmp_path):
    entry = '[[accept]]\ndeparture = "answer"\nfile = "imbue"\nfield = "label_assert"\n'
    write(tmp_path / "exceptions.toml", entry + 'found = "Stong"\ntake_as = "strong"\n')
    data = load(tmp_path, [judged(label_assert="Stong")])
    assert data.judgements.set_index("skill").loc["assert", "label"] == "strong"
    assert data.accepted == ('imbue: "Stong" was read as "strong", 1 time, in label_assert.',)
    assert "Stong" in data.spellings["raw"].tolist()


def test_an_accepted_empty_label_is_missing_and_unclear(tmp_path):
    entry = '[[accept]]\ndeparture = "missing"\nfield = "label_assert"\n'
    write(tmp_path / "exceptions.toml", entry)
    told = load(tmp_path, [judged(label_assert="")]).judgements.set_index("skill").loc["assert"]
    assert pd.isna(told["label"])
    assert told["derived_reading"] == "unclear"


def test_a_row_set_aside_is_left_out_and_listed(tmp_path):
    entry = '[[accept]]\ndeparture = "set aside"\nfile = "imbue"\nusername_expert = "e2"\n'
    write(tmp_path / "exceptions.toml", entry)
    rows = [judged("1", "1", "e1"), judged("1", "1", "e2", message_text="other")]
    data = load(tmp_path, rows)
    assert data.judgements["expert"].unique().tolist() == ["e1"]
    assert data.accepted == ('imbue: 1 record set aside (username_expert "e2").',)


# --- properties --------------------------------------------------------------------------------


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_damaged_text_is_read_whole_or_refused(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("damaged")
    content = bytearray(table([judged("1", str(i)) for i in range(1, 4)]).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        piece = data.draw(st.sampled_from([b"", b'"', b",", b"\n", b"\xff", b"\x00", b" ", b"a"]))
        content[at : at + data.draw(st.integers(0, 3))] = piece
    write(folder / "imbue.csv", bytes(content))
    try:
        loaded = load_imbue(folder)
    except DataError as error:
        assert error.problems
        assert all("\n" not in str(problem) for problem in error.problems)
    else:
        assert len(loaded.judgements) == 3 * 7


def test_a_column_that_begins_with_a_bracket_makes_no_json(tmp_path):
    text = table([judged()], ["{notes", *IMBUE_COLUMNS])
    write(tmp_path / "imbue.csv", text)
    assert dict(load_imbue(tmp_path).extra_fields) == {"{notes": 1}
    for text in ('{"a": 1}', '[{"a": 1}]', "[\n {", ' {"a"'):
        write(tmp_path / "imbue.csv", text)
        assert "JSON, not a table" in refused(tmp_path)[0]
