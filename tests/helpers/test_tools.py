"""The practice tools' Python side: what they show, what they hand over, what they never show."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from carebook import load_carebench, load_imbue
from carebook.pairs import pair_labels, pair_levels, pair_ratings
from carebook.perspectives import profile_agreement
from carebook.sidecar import content_notes
from carebook.tools import (
    answers_table,
    checks_table,
    join_answers,
    mark_skills,
    marks_table,
    read_story,
    reading_distances,
    typical_answers,
    write_message,
)
from carebook.tools.base import NOTHING_REAL, asset, compact, fingerprint
from carebook.tools.manual import MANUAL, QUESTIONS
from carebook.tools.mark_skills import bootstrap_start
from carebook.tools.write_message import choose_examples
from carebook.vocabulary import DIMENSIONS, LABELS, REASONING, SKILLS

CHAPTER_5 = Path(__file__).resolve().parents[2] / "notebooks" / "05_dear_man.ipynb"
SCRIPTS = ("common", "mark_skills", "read_story", "write_message")
SECRET = "what a person wrote"


@pytest.fixture(scope="module")
def imbue():
    return load_imbue()


@pytest.fixture(scope="module")
def care():
    return load_carebench()


@pytest.fixture(scope="module")
def tools(imbue, care):
    made = mark_skills(imbue), read_story(care), write_message(imbue)
    return {tool.name: tool for tool in made}


def real(data):
    """The same data, as if they were about people."""
    return replace(data, source=replace(data.source, synthetic=False, label="real"))


def given(sample="0001", asked="writer", rating=3, **changed):
    row = {"sample_id": sample, "asked": asked, "ratings": dict.fromkeys(DIMENSIONS, rating)}
    row |= {"levels": {"positive_level": 1, "negative_level": 4}, "labels": [LABELS[11]]}
    return row | {"reasons": {}} | changed


# --- All tools ------------------------------------------------------------------------------------


def test_a_notebook_gets_a_widget_and_a_line_for_where_none_can_be_shown(tools):
    for tool in tools.values():
        bundle = tool._repr_mimebundle_()
        assert "application/vnd.jupyter.widget-view+json" in bundle
        assert bundle["text/plain"] == f"{tool.title} (a tool that needs a page to run in)"


def test_no_text_can_end_the_script_element_that_holds_it_on_a_page(tools):
    for tool in tools.values():
        state = tool.widget.get_state()
        assert "<" not in state["_data"]
        assert json.loads(state["_data"]) == json.loads(json.dumps(tool.data))
        assert "</script" not in state["_esm"] and "<!--" not in state["_esm"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_write_no_markup_and_ask_no_host(name):
    source = asset(f"{name}.js")
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser"):
        assert way not in source
    for way in ("fetch(", "XMLHttpRequest", "WebSocket", "sendBeacon", "eval(", "http", "cookie"):
        assert way not in source


def code_lines(source):
    """The lines of a script or style sheet that are no comment, stripped."""
    is_inside = False
    for line in map(str.strip, source.splitlines()):
        is_inside = is_inside or line.startswith("/*")
        if line and not is_inside and not line.startswith("//"):
            yield line
        is_inside = is_inside and not line.endswith("*/")


@pytest.mark.parametrize("name", [*(f"{each}.js" for each in SCRIPTS), "common.css"])
def test_a_page_gets_all_of_a_script_but_comments_and_indents(name):
    kept = compact(asset(name)).splitlines()
    assert kept == list(code_lines(asset(name)))
    assert not any("/*" in line or line.startswith("//") for line in kept)
    assert all(line.count("`") % 2 == 0 for line in kept)  # no text goes over a line's end


def test_a_tool_is_light_enough_for_a_page(tools):
    for tool in tools.values():
        state = tool.widget.get_state()
        assert sum(len(str(value).encode()) for value in state.values()) < 75_000


def test_real_texts_are_never_put_into_a_page(imbue, care):
    imbue = real(
        replace(
            imbue,
            messages=imbue.messages.assign(message_text=SECRET),
            conversations=imbue.conversations.assign(situation=SECRET),
            judgements=imbue.judgements.assign(suggestion=SECRET, rewrite=SECRET),
        )
    )
    care = real(
        replace(
            care,
            narratives=care.narratives.assign(narrative=SECRET),
            reasoning=care.reasoning.map(lambda text: SECRET),
            ratings=care.ratings * 0 + 1,
        )
    )
    for tool in (mark_skills(imbue), write_message(imbue), read_story(care, stories=["0001"])):
        assert tool.data["about"] == NOTHING_REAL
        assert SECRET not in json.dumps(tool.data)
        assert tool.source.synthetic
    assert read_story(care).care.source.synthetic
    assert {1} != set(read_story(care).data["stories"][0]["writer"]["ratings"])


def test_a_text_brings_its_content_note_along_even_where_it_stands_in_for_real_ones(
    imbue, care, tmp_path, monkeypatch
):
    stories, told = content_notes(care), content_notes(imbue, what="conversation")
    monkeypatch.setenv("CAREBENCH_DATA", str(tmp_path))  # where no key to a practice corpus lies
    monkeypatch.setenv("IMBUE_DATA", str(tmp_path))
    reading, marking, writing = (
        tool.data
        for tool in (read_story(real(care)), mark_skills(real(imbue)), write_message(real(imbue)))
    )
    for story in reading["stories"]:
        assert story["note"] == stories.get(story["id"], "")
    for message in marking["messages"]:
        assert message["note"] == told.get(message["conversation"], "")
    conversation = imbue.conversations.reset_index().set_index("situation")["conversation_id"]
    examples = [example for skill in writing["skills"] for example in skill["examples"]]
    for example in examples:
        assert example["note"] == told.get(conversation[example["situation"]], "")
    assert all(
        any(each["note"] for each in texts)
        for texts in (reading["stories"], marking["messages"], examples)
    )


def test_the_same_data_give_the_same_texts_in_the_same_order(tools, imbue, care):
    assert mark_skills(imbue).data == tools["mark_skills"].data
    assert read_story(care).data == tools["read_story"].data
    fewer = mark_skills(imbue, messages=3).data["fingerprint"]
    assert fewer != tools["mark_skills"].data["fingerprint"]


def test_the_last_digits_of_a_mean_do_not_make_other_texts():
    assert fingerprint({"mean": 3.1}) == fingerprint({"mean": 3.1 + 1e-12})
    assert fingerprint({"mean": 3.1}) != fingerprint({"mean": 3.2})


def test_importing_the_tools_loads_no_widgets():
    program = "import sys, carebook.tools; print({'anywidget', 'ipywidgets'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"


# --- Mark DEAR MAN skills -------------------------------------------------------------------------


def test_the_manual_is_the_one_of_chapter_5_word_for_word():
    cells = json.loads(CHAPTER_5.read_text(encoding="utf-8"))["cells"]
    (manual,) = (cell for cell in cells if cell["id"] == "manual")
    text = "".join(manual["source"]).replace("*", "")
    rows = re.findall(r"(?m)^\| (?!Skill|---)(.*) \|$", text)
    found = {row.split(" | ")[0]: row.split(" | ")[1:] for row in rows}
    names = {"mindful": "stay mindful", "confident": "appear confident"}
    assert len(found) == len(SKILLS)
    for skill in SKILLS:
        assert [rule for _, rule in MANUAL[skill]] == found[names.get(skill, skill)]


def test_one_expert_and_many_conversations_stand_behind_the_messages(imbue, tools):
    tool = tools["mark_skills"]
    keys = [message["key"] for message in tool.data["messages"]]
    marked = imbue.judgements.query("expert == @tool.expert")
    assert set(keys) <= set(marked["message_key"]) and len(set(keys)) == 12
    conversations = {message["conversation"] for message in tool.data["messages"]}
    most = imbue.judgements.groupby("expert")["conversation_id"].nunique().max()
    assert len(conversations) == min(12, most) >= tool.data["conversations"]
    for message in tool.data["messages"]:
        assert set(message["expert"]) == set(SKILLS)


def test_earlier_messages_are_those_of_the_same_conversation_in_order(imbue, tools):
    for message in tools["mark_skills"].data["messages"]:
        own = imbue.messages.query("conversation_id == @message['conversation']")
        assert (
            message["before"] + [message["text"]]
            == own["message_text"].tolist()[: len(message["before"]) + 1]
        )


def test_marks_arrive_with_the_columns_and_types_of_the_judgements(imbue):
    tool = mark_skills(imbue)
    columns = imbue.judgements.dtypes
    pd.testing.assert_series_equal(tool.answers.dtypes, columns)
    tool.widget._answers = [["01/1", "describe", "weak"], ["01/1", "mindful", "no"]]
    mine = tool.answers
    pd.testing.assert_series_equal(mine.dtypes, columns)
    assert mine["label"].tolist() == ["weak", "no"]
    assert mine["expert"].tolist() == ["you", "you"]
    both = pd.concat([imbue.judgements, mine], ignore_index=True)
    pd.testing.assert_series_equal(both.dtypes, columns)


def test_the_page_starts_its_random_numbers_where_the_helpers_do():
    from carebook.resampling import sampling_units, unit_counts

    units = sampling_units(pd.DataFrame({"thing": list("abc")}), ["thing"])
    first = next(unit_counts(units, resamples=1))[0][0]
    source = np.random.default_rng()
    start = {name: int(value) for name, value in bootstrap_start()["start"].items()}
    source.bit_generator.state = source.bit_generator.state | {
        "state": start,
        "has_uint32": 0,
        "uinteger": 0,
    }
    assert np.bincount(source.integers(3, size=3), minlength=3).tolist() == first.tolist()


def test_no_messages_are_refused(imbue):
    with pytest.raises(ValueError, match="at least one"):
        mark_skills(imbue, messages=0)


# --- Read a story as another person ---------------------------------------------------------------


def test_stories_of_four_kinds_are_shown(care, tools):
    shown = tools["read_story"].data["stories"]
    assert len({story["id"] for story in shown}) == 4
    pleasant, unpleasant, both = (story["writer"]["levels"] for story in shown[:3])
    assert pleasant[0] - pleasant[1] >= 4 and unpleasant[1] - unpleasant[0] >= 4
    assert min(both) >= 3
    for story in shown:
        rows = care.ratings.loc[[f"{story['id']}/{slot}" for slot in range(6)]]
        sides = [story["writer"], *story["observers"]]
        assert [side["ratings"] for side in sides] == rows.to_numpy().tolist()


def test_answers_arrive_with_the_columns_and_types_of_the_tables(care):
    tool = read_story(care)
    assert len(tool.answers) == 0
    tool.widget._answers = [given(), given(asked="self", rating=5)]
    mine = tool.answers
    assert mine.index.tolist() == ["0001/you-writer", "0001/you-self"]
    for table in (care.ratings, care.labels, care.reasoning[list(REASONING)]):
        pd.testing.assert_series_equal(mine[table.columns].dtypes, table.dtypes)
    shared = [name for name in care.annotations if name != "attention_check"]
    pd.testing.assert_series_equal(mine[shared].dtypes, care.annotations[shared].dtypes)
    assert mine["asked"].tolist() == ["writer", "self"]
    assert mine[LABELS[11]].all() and not mine[LABELS[0]].any()
    pd.testing.assert_series_equal(read_story(care).answers.dtypes, mine.dtypes)


def test_the_perspectives_functions_run_on_joined_answers(care):
    mine = answers_table([given(), given("0003", rating=4)])
    joined = join_answers(care, mine)
    for table in (joined.annotations, joined.ratings, joined.labels, joined.reasoning):
        assert table.index.is_unique and len(table) == len(care.ratings) + 2
        assert table.index[6] == "0001/you-writer"
    for name in ("ratings", "labels", "reasoning"):
        before, after = getattr(care, name), getattr(joined, name)
        pd.testing.assert_series_equal(after.dtypes, before.dtypes)
        pd.testing.assert_frame_equal(after.loc[before.index], before)
    pairs = pair_ratings(joined)
    assert pairs.observed.loc["0001/you-writer"].tolist() == [3] * 22
    assert pairs.own.loc["0001/you-writer"].tolist() == care.ratings.loc["0001/0"].tolist()
    assert pair_levels(joined).observed.loc["0003/you-writer"].tolist() == [1, 4]
    assert pair_labels(joined).observed.loc["0003/you-writer"].sum() == 1
    assert np.isnan(profile_agreement(pairs).loc["0001/you-writer", "similarity"])  # it is flat


def test_answers_are_joined_to_the_practice_corpus_alone(care):
    with pytest.raises(ValueError, match="tool.care"):
        join_answers(real(care), answers_table([given()]))
    with pytest.raises(ValueError, match="no narrative 'x1'"):
        join_answers(care, answers_table([given("x1")]))


def test_typical_answers_leave_out_everything_by_the_same_writer():
    narratives = pd.DataFrame({"participant_id": ["p", "p", "q", "r"]}, index=list("abcd"))
    ratings = pd.DataFrame({"x": [5, 5, 1, 2]}, index=["a/0", "b/0", "c/0", "d/0"])
    toy = type("Toy", (), {"narratives": narratives, "ratings": ratings})
    assert typical_answers(toy, "a").tolist() == [1.5]


def test_distances_are_mean_absolute_differences_from_the_writer(care):
    own = care.ratings.loc["0001/0"]
    found = reading_distances(care, answers_table([given(rating=3)]))
    assert found.index.tolist() == [
        *(f"0001/{slot}" for slot in range(1, 6)),
        "0001/you-writer",
        "0001/typical",
    ]
    assert found.loc["0001/you-writer", "distance"] == pytest.approx(abs(own - 3).mean())
    second = care.ratings.loc["0001/2"]
    assert found.loc["0001/2", "distance"] == pytest.approx(abs(own - second).mean())
    assert found.loc["0001/2", "similarity"] == pytest.approx(np.corrcoef(own, second)[0, 1])
    typical = typical_answers(care, "0001")
    assert found.loc["0001/typical", "distance"] == pytest.approx(abs(own - typical).mean())


def test_a_story_without_its_panel_is_refused(care):
    alone = care.narratives.index.difference(
        care.annotations.query("perspective == 'observer'")["sample_id"]
    )[0]
    for sample in (alone, "nowhere"):
        with pytest.raises(ValueError, match="not one that five observers read"):
            read_story(care, stories=[sample])


# --- Write a message ------------------------------------------------------------------------------


def test_each_skill_has_two_questions_and_an_example_well_done_and_one_to_mend(imbue, tools):
    for skill in tools["write_message"].data["skills"]:
        good, poor = skill["examples"]
        assert good["label"] in ("Strong", "Yes") and poor["label"] in ("Weak", "No")
        assert poor["suggestion"] and poor["rewrite"]
        assert len(QUESTIONS[skill["id"]]) == len(skill["questions"]) == 2


def test_no_message_is_the_good_example_of_two_skills(tools):
    good = [skill["examples"][0]["text"] for skill in tools["write_message"].data["skills"]]
    assert len(set(good)) == len(SKILLS)


def a_marked_corpus(**labels):
    """Messages 01/1, 02/1, ... with one expert's marks for assert and express each."""
    rows = [
        (key.replace("_", "/"), skill, label)
        for key, both in labels.items()
        for skill, label in zip(("express", "assert"), both, strict=True)
    ]
    judgements = marks_table(rows, "an expert").assign(suggestion="Why?", rewrite="So.")
    keys = judgements["message_key"].unique()
    messages = pd.DataFrame({"message_text": keys}, index=keys)
    situations = judgements["conversation_id"].unique()
    conversations = pd.DataFrame({"situation": situations}, index=situations)
    return SimpleNamespace(judgements=judgements, messages=messages, conversations=conversations)


def test_a_good_example_has_no_flaw_and_rather_asks_for_something():
    made = a_marked_corpus(
        **{"01_1": ("strong", "weak"), "02_1": ("strong", "none"), "03_1": ("strong", "strong")},
        **{"04_1": ("none", "strong"), "05_1": ("weak", "none")},
    )
    found = choose_examples(made, [])
    assert [each["text"] for each in found["express"]] == ["03/1", "05/1"]
    assert [each["text"] for each in found["assert"]] == ["04/1", "01/1"]  # 03/1 is taken
    left = choose_examples(made, ["03"])
    assert [each["text"] for each in left["express"]] == ["02/1", "05/1"]


def test_examples_come_from_other_conversations_than_the_situations(tools):
    data = tools["write_message"].data
    situations = {situation["text"] for situation in data["situations"]}
    examples = {each["situation"] for skill in data["skills"] for each in skill["examples"]}
    assert len(situations) == 3 and not situations & examples


def test_checks_arrive_as_a_table(imbue):
    tool = write_message(imbue)
    row = {"conversation_id": "05", "skill": "assert", "chosen": True, "question": "Clear?"}
    tool.widget._answers = [
        row | {"check": "partly", "message_text": None},
        row | {"skill": "express", "chosen": False, "check": None, "message_text": "Hm."},
    ]
    mine = tool.answers
    pd.testing.assert_series_equal(mine.dtypes, checks_table([]).dtypes)
    assert mine["skill"].dtype == marks_table([])["skill"].dtype
    assert mine["check"].isna().tolist() == [False, True]
    assert mine["message_text"].isna().tolist() == [True, False]
    assert mine["chosen"].tolist() == [True, False]
