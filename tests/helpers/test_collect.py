"""A class's saved files become one table for each tool; a broken file is refused, with why."""

import json

import pandas as pd
import pytest

from carebook import load_carebench
from carebook.__main__ import main
from carebook.agreement import alpha_table
from carebook.collect import class_sheets, collect_folder, read_stories
from carebook.pairs import LEVELS, pair_ratings
from carebook.perspectives import profile_agreement
from carebook.tools import answers_table, join_answers, marks_table
from carebook.vocabulary import DIMENSIONS, LABELS, SKILL_LABELS, SKILLS, STRENGTH_SKILLS

ALL_WEAK = {skill: SKILL_LABELS[skill][1] for skill in SKILLS}
ALL_STRONG = {skill: SKILL_LABELS[skill][0] for skill in SKILLS}


def marks(reader="0123abcd", **changed):
    saved = {"carebook": "mark_skills", "version": 1, "data": "8d4de1f0", "reader": reader}
    return saved | {"marks": {"01/1": ALL_WEAK, "01/2": ALL_STRONG}, "compared": []} | changed


def answer(story="0001", asked="writer", rating=3, **changed):
    given = {"sample_id": story, "asked": asked, "ratings": dict.fromkeys(DIMENSIONS, rating)}
    given |= {"levels": dict.fromkeys(LEVELS, 2), "labels": [LABELS[0]], "reasons": {}}
    return given | changed


def stories(reader="0123abcd", answers=None):
    saved = {"carebook": "read_story", "version": 1, "data": "61ddfb17", "reader": reader}
    return saved | {"answers": [answer()] if answers is None else answers}


@pytest.fixture
def folder(tmp_path):
    """A function that writes files, named as students name them, and returns their folder."""

    def write(**files):
        for name, content in files.items():
            text = content if isinstance(content, str) else json.dumps(content)
            (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
        return tmp_path

    return write


def test_marks_of_a_class_run_through_chapter_5s_agreement(folder):
    where = folder(ada_lovelace=marks("aaaaaaaa"), ben=marks("bbbbbbbb"))
    assert main(["collect", str(where)]) == 0
    long = pd.read_csv(where / "class_marks.csv", keep_default_na=False)
    assert list(long.columns) == ["message", "coder", *SKILLS]
    assert long["coder"].unique().tolist() == ["reader-aaaaaaaa", "reader-bbbbbbbb"]
    order = ["none", "weak", "strong"]
    found = alpha_table(long, "message", "coder", list(STRENGTH_SKILLS), "ordinal", order)
    assert found["alpha"].tolist() == [1.0] * 5


def test_a_pseudonym_never_comes_from_a_file_name(folder):
    where = folder(ada_lovelace=marks("aaaaaaaa"), grace_hopper=stories("bbbbbbbb"))
    main(["collect", str(where)])
    for name in ("class_marks.csv", "class_stories.csv"):
        text = (where / name).read_text(encoding="utf-8").casefold()
        assert "ada" not in text and "hopper" not in text and "reader-" in text


def test_answers_of_a_class_run_through_chapter_3s_profiles(folder):
    own = load_carebench().ratings.loc["0001/0"].to_dict()
    same = answer(ratings={name: int(value) for name, value in own.items()})
    where = folder(a=stories("aaaaaaaa", [same]), b=stories("bbbbbbbb", [answer(asked="self")]))
    assert main(["collect", str(where)]) == 0
    table = read_stories(where / "class_stories.csv")
    collected = collect_folder(where).stories
    pd.testing.assert_frame_equal(table, collected)
    joined = join_answers(load_carebench(), table.query("asked == 'writer'"))
    alike = profile_agreement(pair_ratings(joined))["similarity"]
    assert alike["0001/reader-aaaaaaaa-writer"] == pytest.approx(1)
    assert "0001/reader-bbbbbbbb-self" not in alike.index


def test_the_collected_tables_have_the_tools_columns_and_types(folder):
    found = collect_folder(folder(a=marks("aaaaaaaa"), b=marks("bbbbbbbb"), c=stories()))
    pd.testing.assert_series_equal(found.marks.dtypes, marks_table([]).dtypes)
    expected = answers_table([answer()]).dtypes.loc[: LABELS[-1]]
    pd.testing.assert_series_equal(found.stories.dtypes, expected)
    assert len(found.marks) == 2 * 2 * 7


def test_sentences_are_left_out(folder):
    told = answer(reasons={"relevance": "I am Ada."})
    where = folder(a=stories(answers=[told]))
    main(["collect", str(where)])
    assert "Ada" not in (where / "class_stories.csv").read_text(encoding="utf-8")


def test_unfinished_sheets_are_left_out_and_counted(folder, capsys):
    half = {"01/1": ALL_WEAK, "01/2": {"assert": "weak"}, "04/5": {}}
    where = folder(a=marks(marks=half))
    assert main(["collect", str(where)]) == 0
    assert len(pd.read_csv(where / "class_marks.csv")) == 1
    assert "left out: 2 messages" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "not JSON"),
        ('{"carebook": "mark_skills"', "not JSON"),
        ('{"reader": 1, "reader": 2}', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1]", "not what a tool saves"),
        ("{} {}", "not what a tool saves"),
        ({"carebook": "quiz"}, "no file of a practice tool"),
        ({"carebook": "write_message"}, "not collected"),
        (marks(version=2), "version 2 of the file; this reads 1"),
        (marks(version=True), "version True"),
        (marks(reader="Ada"), "reader: eight letters"),
        (marks(data=None), "data: eight letters"),
        (marks(marks={}), "no marks in it"),
        (marks(marks=[1]), "no marks in it"),
        (marks(marks={"=HYPERLINK()": ALL_WEAK}), "is no message"),
        (marks(marks={"01/1": 7}), "message 01/1: marks expected"),
        (marks(marks={"01/1": {"fly": "weak"}}), 'message 01/1: "fly" is no skill'),
        (marks(marks={"01/1": {"mindful": "weak"}}), '01/1, mindful: "weak" is no mark'),
        (marks(marks={"01/1": {"assert": ["weak"]}}), "is no mark"),
        (stories(answers=[]), "no answers in it"),
        (stories(answers=[answer(story="a b")]), "an answer without its story"),
        (stories(answers=[answer(asked="god")]), '"god" is no question'),
        (stories(answers=[answer(), answer()]), "story 0001: answered twice"),
        (stories(answers=[answer(rating=6)]), '"6" is not a number from 1 to 5'),
        (stories(answers=[answer(rating=True)]), '"True" is not a number'),
        (stories(answers=[answer(rating=3.5)]), '"3.5" is not a number'),
        (stories(answers=[answer(ratings={})]), "22 answers expected"),
        (stories(answers=[answer(levels={"positive_level": 1})]), "2 answers expected"),
        (stories(answers=[answer(labels=["Happy"])]), "emotions that are not on the list"),
        (stories(answers=[answer(labels=[["x"]])]), "emotions that are not on the list"),
        (stories(answers=[answer(reasons="me")]), "sentences expected"),
    ],
)
def test_a_broken_file_is_refused_with_one_line_and_the_others_are_taken(
    folder, capsys, content, reason
):
    where = folder(broken=content, good=marks("aaaaaaaa"), more=stories("cccccccc"))
    assert main(["collect", str(where)]) == 1
    told = capsys.readouterr()
    (line,) = told.err.splitlines()
    assert line.startswith("refused: broken.json: ") and reason in line
    assert "2 of 3 files taken." in told.out
    assert (where / "class_marks.csv").exists() and (where / "class_stories.csv").exists()


def test_a_file_of_another_kind_or_size_is_refused(folder):
    where = folder(large=" " * (2**20 + 1))
    (where / "picture.json").write_bytes(b"\x89PNG\xff")
    found = dict(collect_folder(where).refused)
    assert found == {
        "large.json": "larger than anything that a tool saves",
        "picture.json": "not a text file",
    }


def test_one_reader_counts_once(folder):
    where = folder(a=marks("aaaaaaaa"), a_copy=marks("aaaaaaaa"), a_story=stories("aaaaaaaa"))
    found = collect_folder(where)
    assert found.refused == (
        ("a_copy.json", "from the same reader as a.json: keep one of the two"),
    )
    assert len(class_sheets(found.marks)) == 2 and len(found.stories) == 1


def test_marks_of_other_messages_are_not_mixed_in(folder):
    other = marks("cccccccc", data="ffffffff")
    where = folder(a=marks("aaaaaaaa"), b=marks("bbbbbbbb"), c=other)
    ((name, reason),) = collect_folder(where).refused
    assert name == "c.json" and reason.startswith("made with other texts")


def test_a_missing_or_empty_folder_is_said_to_be_so(tmp_path, capsys):
    assert main(["collect", str(tmp_path / "no")]) == 1
    assert main(["collect", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert "is no folder" in told and "There is no .json file" in told


def test_tables_go_where_they_are_asked_to(folder, tmp_path):
    where = folder(a=marks())
    assert main(["collect", str(where), "--to", str(tmp_path / "out")]) == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["class_marks.csv"]
