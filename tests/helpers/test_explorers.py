"""The chapters' explorers: views chosen by a rule, with the values that the tables hold."""

import json
import re
from types import SimpleNamespace

import pandas as pd
import pytest

from carebook import explorers
from carebook.vocabulary import DIMENSIONS, LABELS, SKILLS
from carebook.widgets import view_html

HOSTILE = "<script>alert(1)</script>"
HOPEFUL, GLAD, ANGRY = LABELS[0], LABELS[2], LABELS[10]


def care(writers, observers=(), synthetic=True):
    """CAREBench from rows of (sample, good, bad, chosen emotions, answer to all statements)."""
    rows = [(sample, "experiencer", None, *rest) for sample, *rest in writers]
    rows += [(sample, "observer", n, *rest) for n, (sample, *rest) in enumerate(observers, start=1)]
    index = pd.Index([f"{row[0]}/{row[2] or 0}" for row in rows], name="annotation_id")
    columns = ["sample_id", "perspective", "observer", "positive_level", "negative_level"]
    samples = pd.Index([row[0] for row in writers], name="sample_id")
    return SimpleNamespace(
        annotations=pd.DataFrame([row[:5] for row in rows], index=index, columns=columns).astype(
            {"observer": "Int64"}
        ),
        labels=pd.DataFrame([[name in row[5] for name in LABELS] for row in rows], index, LABELS),
        ratings=pd.DataFrame([[row[6]] * len(DIMENSIONS) for row in rows], index, DIMENSIONS),
        narratives=pd.DataFrame({"narrative": [f"Story {s} {HOSTILE}" for s in samples]}, samples),
        source=SimpleNamespace(synthetic=synthetic, label="toy"),
    )


WRITERS = [
    ("1", 6, 0, [GLAD, HOPEFUL], 1),
    ("2", 4, 0, [GLAD], 2),
    ("3", 1, 5, [ANGRY], 3),
    ("4", 6, 6, [ANGRY], 4),
    ("5", 0, 6, [ANGRY], 4),
]


def test_each_emotion_shows_the_writer_who_felt_most_and_the_rarest_chooses_first():
    found = explorers.strongest_writers(care(WRITERS))
    # Only writer 1 is hopeful, so glad has to do with writer 2; 4 comes before 5 in the file.
    assert found == {HOPEFUL: "1/0", GLAD: "2/0", ANGRY: "4/0"}


def test_a_writer_whom_others_read_comes_before_one_who_felt_more():
    found = explorers.strongest_writers(care(WRITERS, [("3", 0, 4, [ANGRY], 5)]))
    assert found == {HOPEFUL: "1/0", GLAD: "2/0", ANGRY: "3/0"}


def test_a_narrative_shows_writer_and_observers_person_by_person():
    data = care(WRITERS, [("3", 0, 4, [ANGRY], 5), ("3", 2, 3, [], 1)])
    view = explorers.narrative_view(data, "3/0")
    page = view_html(view)
    felt, rated = (part.table for part in list(view.values())[1:3])
    assert felt.loc["writer"].tolist() == [1, 5, "Angry"]
    assert felt.loc["observer\u00a02"].tolist() == [2, 3, "none"]
    assert rated.loc["control: general"].tolist() == [3, "1 5"]
    assert "Story 3 &lt;script&gt;" in page and "<script" not in page


def test_a_narrative_that_nobody_else_read_shows_its_writer():
    felt, rated = list(explorers.narrative_view(care(WRITERS), "1/0").values())[1:3]
    assert list(felt.table.index) == ["writer"] and list(rated.table) == ["writer"]


def test_the_words_of_real_people_stay_where_they_are():
    page = view_html(explorers.narrative_view(care(WRITERS, synthetic=False), "1/0"))
    assert "Story 1" not in page and "real person's words" in page
    assert "Narrative 1" not in page
    assert "Narrative 1" in view_html(explorers.narrative_view(care(WRITERS), "1/0"))


def test_a_story_that_touches_on_something_hard_is_folded_behind_a_note(tmp_path, monkeypatch):
    told = {str(n): {"themes": ["illness"] * (n == 1)} for n in range(1, 6)}
    (tmp_path / "truth.json").write_text(json.dumps({"narratives": told}), encoding="utf-8")
    monkeypatch.setenv("CAREBENCH_DATA", str(tmp_path))
    hard, easy = (view_html(explorers.narrative_view(care(WRITERS), f"{n}/0")) for n in (1, 2))
    before, story = hard.split("</summary>")
    assert before.endswith("this story touches on illness. Open to read it.")
    assert "Story 1" not in before and "<p>Story 1 &lt;script&gt;" in story.split("</details>")[0]
    assert "<details" not in easy and "Content note" not in easy


def test_long_texts_in_a_table_are_not_cut():
    emotions = [(sample, good, bad, LABELS, n) for sample, good, bad, _, n in WRITERS]
    page = view_html(explorers.narrative_view(care(emotions), "1/0"))
    assert ", ".join(name.split(",")[0] for name in LABELS) in page


def test_a_dimension_shows_both_piles_and_the_pairs():
    pairs = SimpleNamespace(
        own=pd.DataFrame({"control.general": [2, 2, 4, 4]}),
        observed=pd.DataFrame({"control.general": [2, 4, 4, 4]}),
        people=pd.DataFrame({"sample_id": ["a", "a", "b", "b"]}),
    )
    view = explorers.dimension_view(pairs, "control.general")
    figure, table, line = view.values()
    assert "experiencer (2 readings)" in figure.alt and "observer (4 readings)" in figure.alt
    assert "mean 3.00" in figure.alt and "mean 3.50" in figure.alt
    # The columns are answers, whoever gave them, and not people.
    assert table.table.columns.tolist() == [f"a {answer}" for answer in range(1, 6)]
    twos = table.table.loc["a 2 (n = 2)"]
    assert twos[["a 2", "a 4"]].tolist() == ["50%", "50%"]
    assert table.table.loc["a 4 (n = 2)", "a 4"] == "100%"
    assert line.startswith("Writer and observer gave the same answer in 75% of 4 readings")
    assert line.endswith("0.50 points higher.")


def test_a_mean_difference_that_rounds_to_zero_is_neither_higher_nor_lower():
    pairs = SimpleNamespace(
        own=pd.DataFrame({"control.general": [2, 4]}),
        observed=pd.DataFrame({"control.general": [4, 2]}),
        people=pd.DataFrame({"sample_id": ["a", "b"]}),
    )
    line = explorers.dimension_view(pairs, "control.general")["In one line"]
    assert line.endswith("the observer's was neither higher nor lower, to two decimals.")


def test_an_emotion_shows_its_profile_and_where_the_model_went_astray():
    rows = list("abcd")
    truth = pd.DataFrame({GLAD: [1, 1, 0, 0], ANGRY: [0, 0, 1, 1], HOPEFUL: [1, 0, 0, 0]}, rows)
    guess = pd.DataFrame({GLAD: [1, 0, 1, 0], ANGRY: [0, 1, 0, 1], HOPEFUL: [1, 0, 0, 0]}, rows)
    ratings = pd.DataFrame([[5.0] * 22, [4.0] * 22, [2.0] * 22, [1.0] * 22], rows, DIMENSIONS)
    view = explorers.emotion_view(GLAD, truth == 1, guess == 1, ratings, "words")
    figure, said = view.values()
    assert "chose it (2) 4.5, did not (2) 1.5" in figure.alt
    assert "Of 2 writers who chose it, the model found 1 and missed 1. It gave it to 1" in said
    assert (
        "missed it, it wrongly gave instead (of 1 story): “Angry” 1 time (elsewhere in 0%)." in said
    )
    assert (
        "gave it wrongly, it had left out (of 1 story): “Angry” 1 time (elsewhere in 0%)." in said
    )


def test_no_profile_is_drawn_of_few_real_people():
    rows = [str(number) for number in range(12)]
    ratings = pd.DataFrame([[3.0] * 22] * 12, rows, DIMENSIONS)
    for chose, synthetic, drawn in [(4, False, False), (5, False, True), (8, False, False)] + [
        (1, True, True)
    ]:
        truth = pd.DataFrame({GLAD: [n < chose for n in range(12)], ANGRY: [True] * 12}, rows)
        source = SimpleNamespace(synthetic=synthetic, label="made up")
        view = explorers.emotion_view(GLAD, truth, truth, ratings, "words", source)
        first = next(iter(view.values()))
        assert hasattr(first, "alt") == drawn, (chose, synthetic)
        assert drawn or first.endswith("nearly be one person's answers.")


def imbue(synthetic=True):
    marks = ["strong", "weak", "none", "none", "yes", "no", "weak"]
    judgements = pd.DataFrame(
        {
            "message_key": "7/1",
            "conversation_id": "7",
            "expert": "e1",
            "skill": SKILLS,
            "label": marks,
            "suggestion": [None, f"Say *how*\nyou feel {HOSTILE}", *[None] * 5],
            "rewrite": [None, "I am sad.", *[None] * 5],
        }
    )
    return SimpleNamespace(
        conversations=pd.DataFrame({"situation": ["Noise."], "category": ["social"]}, ["7"]),
        messages=pd.DataFrame(
            {"conversation_id": ["7"], "position": [1], "message_text": [f"Hey {HOSTILE}"]}, ["7/1"]
        ),
        judgements=judgements,
        source=SimpleNamespace(synthetic=synthetic, label="toy"),
    )


def test_a_conversation_shows_marks_suggestions_and_rewrites():
    view = explorers.conversation_view(imbue(), "7")
    assert view["Message 1"]["e1"] == {
        "marks": "strong: describe; weak: express, negotiate; none: assert, reinforce; "
        "yes: mindful; no: confident.",
        "express (weak)": f"Say *how* you feel {HOSTILE}\nRewrite: I am sad.",
    }
    assert "<script" not in view_html(view)


def test_real_messages_are_not_shown_and_their_marks_are():
    page = view_html(explorers.conversation_view(imbue(synthetic=False), "7"))
    assert "Hey" not in page and "I am sad" not in page and "Noise" not in page
    assert "strong: describe" in page and "expert A" in page and "e1" not in page
    assert "a real person's words" in page and "of a real record, not shown]" in page
    told = str(explorers.overview(imbue(synthetic=False), ["7"]))
    assert "confirmed for quotation" in told
    assert "confirmed for quotation" not in str(explorers.overview(imbue(), ["7"]))


def test_a_confirmed_message_is_shown_and_nothing_else_of_its_record():
    data = imbue(synthetic=False)
    data.source.quotable = frozenset({"7/1"})
    page = view_html(explorers.conversation_view(data, "7"))
    assert "Hey" in page and "I am sad" not in page and "Noise" not in page


def test_the_overview_counts_what_there_is_to_read():
    table = next(iter(explorers.overview(imbue(), ["7"]).values())).table
    assert table.loc["7"].to_dict() == {"messages": 1, "strong": 1, "weak": 2, "rewrites": 1}
    assert explorers.conversations(imbue()).labels == ("overview", "7 (social)")


@pytest.mark.parametrize("count", [1, 23, 24, 100])
def test_there_are_never_more_conversations_than_one_can_choose_from(count):
    data = imbue()
    names = [str(n) for n in range(count)]
    data.conversations = pd.DataFrame({"situation": "Noise.", "category": "work"}, names)
    made = explorers.conversations(data)
    assert 2 <= len(made.labels) <= 24 and made.labels[1] == "0 (work)"


@pytest.fixture(scope="module")
def practice():
    from carebook import load_carebench

    return load_carebench()


def test_every_dimension_has_a_figure_whose_text_tells_both_means(practice):
    made = explorers.dimensions(practice)
    assert len(made.labels) == 22
    own = practice.annotations["perspective"] == "experiencer"
    read = practice.annotations.loc[~own, "sample_id"].unique()
    own &= practice.annotations["sample_id"].isin(read)
    seen = practice.annotations["perspective"] == "observer"
    for name, view in zip(DIMENSIONS, made.views, strict=True):
        alt = next(iter(view.values())).alt
        for rows in (own, seen):
            assert f"mean {practice.ratings.loc[rows, name].mean():.2f}" in alt


def test_every_emotion_has_a_figure_whose_text_tells_values(practice):
    rows = practice.annotations.index[practice.annotations["perspective"] == "experiencer"]
    truth = practice.labels.loc[rows].astype(int)
    guesses = {
        "positive_labels": truth[list(LABELS[:10])],
        "negative_labels": truth[list(LABELS[10:])],
    }
    perfect = SimpleNamespace(chosen=guesses.get, truth=truth, model="an oracle")
    made = explorers.emotions(practice, perfect)
    assert len(made.labels) == 20
    for label, view in zip(LABELS, made.views, strict=True):
        figure, said = view.values()
        count = int(truth[label].sum())
        assert f"chose it ({count})" in figure.alt
        assert len(re.findall(r"\d\.\d", figure.alt)) >= 2
        assert f"found {count} and missed 0. It gave it to 0 who" in said


def test_the_same_corpus_gives_the_same_narratives_each_once(practice):
    chosen = explorers.strongest_writers(practice)
    assert len(chosen) == len(set(chosen.values())) == 20
    assert all(practice.labels.loc[record, label] for label, record in chosen.items())
    assert chosen == explorers.strongest_writers(practice)
