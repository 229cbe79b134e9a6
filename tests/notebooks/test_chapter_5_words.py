"""What chapter 5 says follows its data: each result paragraph is read for each side of zero."""

import ast
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from chapter_cells import _sources, run
from sklearn.metrics import f1_score

from carebook import resampling, results
from carebook.imbue import raw_table
from carebook.practice import make_corpus
from carebook.practice.write import write_corpus
from carebook.vocabulary import SKILLS

CHAPTER = "05_dear_man"
IMBUE = SimpleNamespace(source=SimpleNamespace(label="made-up data", synthetic=False))
WORDS = {name: getattr(results, name) for name in dir(results) if not name.startswith("_")}

ABOVE, BELOW, ACROSS = (0.1, 0.02, 0.2), (-0.1, -0.2, -0.02), (0.05, -0.1, 0.2)


def said(*cells, **names):
    """The paragraph that the last cell writes, with the helpers that earlier cells imported."""
    return " ".join(str(run(CHAPTER, *cells, **(WORDS | {"imbue": IMBUE} | names))).split())


def row(values):
    return pd.Series(values, index=["estimate", "low", "high"])


def rows(**values):
    return pd.DataFrame(values, index=["estimate", "low", "high"]).T


# --- one interval, three sides ------------------------------------------------------------------

STRONG = pd.DataFrame({"describe": [1.0, 0.0, 0.0, 0.0], "reinforce": [0.0, 0.0, 1.0, 1.0]})
TOGETHER = pd.DataFrame(0.25, index=["describe"], columns=["assert"])

PARAGRAPHS = [
    ("rewrite-result", "longer", {"rewritten": [0] * 9}, "longer.", "shorter:", "don't tell"),
    (
        "shares-result",
        "row",
        {"strong": STRONG},
        "facts come easier",
        "against our guess",
        "refuted",
    ),
    ("position-result", "first", {}, "belongs to the opening here", "comes *later*", "don't show"),
    (
        "together-result",
        "pair",
        {"together": TOGETHER},
        "with its grounds",
        "*less*",
        "seek or avoid",
    ),
    ("baseline-leak", "leak", {}, "better than it is", "scored *lower*", "differ clearly"),
    ("baseline-result", "gain", {}, "do carry something", "worse than dealing", "can't tell"),
]
SIDES = {"higher": ABOVE, "lower": BELOW, "can't tell": ACROSS}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("cell", "name", "others", "above", "below", "across"), PARAGRAPHS)
def test_a_paragraph_follows_its_interval(cell, name, others, above, below, across, side):
    text = said(cell, **{name: row(SIDES[side])}, **others)
    marks = {"higher": above, "lower": below, "can't tell": across}
    assert [of for of, mark in marks.items() if mark in text] == [side], text
    assert text.endswith("*[made-up data]*")


def test_counts_and_shares_are_those_of_the_table():
    text = said("shares-result", row=row(ABOVE), strong=STRONG)
    assert "A strong *describe* is 25% of its judgements, a strong *reinforce* 50%." in text
    assert "10.0 (95% interval 2.0 to 20.0) percentage points" in text
    assert "Over 1 rewrite, " in said("rewrite-result", longer=row(ABOVE), rewritten=[0])


def test_without_a_later_message_the_position_has_no_answer():
    text = said("position-result", first=row((np.nan, np.nan, np.nan)))
    assert "the question has no answer here" in text
    assert "opening" not in text


# --- three intervals of one number --------------------------------------------------------------


def units_said(*intervals, writers=6):
    names = ["conversations", "conversations and experts", "most alike writers"]
    table = rows(**dict(zip(names, intervals, strict=False)))
    known = pd.DataFrame({"writer": range(writers)})
    return said("units-sides", "units-result", intervals=table, known=known)


def test_a_sign_that_stands_however_one_draws():
    for side in (ABOVE, BELOW):
        text = units_said(side, side, side)
        assert "All of them lie on one side of zero" in text
        assert "*if" not in text


def test_a_sign_that_no_way_of_drawing_shows():
    assert "All of them hold zero" in units_said(ACROSS, ACROSS, ACROSS)


def test_a_sign_that_hangs_on_what_is_drawn_is_said_with_its_condition():
    text = units_said(ABOVE, ABOVE, ACROSS)
    assert "as soon as one draws *most alike writers*." in text
    assert "*if the conversations are as good as independent*" in text
    text = units_said(ABOVE, ACROSS, ABOVE)
    assert "as soon as one draws *conversations and experts*." in text
    assert "*for these experts*" in text


def test_a_narrower_interval_does_not_rescue_a_finding():
    text = units_said(ACROSS, ABOVE, ACROSS)
    assert "holds zero already" in text
    assert "picks the answer" in text


def test_too_few_writers_for_a_worst_case_are_named():
    assert "can't be computed" in units_said(ABOVE, ABOVE, writers=4)
    assert "can't be computed" not in units_said(ABOVE, ABOVE, ABOVE, writers=5)


# --- categories, strictness, the lazy coder -----------------------------------------------------


def category_said(p_value, categories=("family", "work")):
    return said(
        "category-result",
        p_value=p_value,
        observed=0.3,
        category=pd.Series(categories),
        by_conversation=list(range(18)),
    )


def test_a_gap_between_categories_is_read_by_its_probability():
    assert "Chance alone seldom makes a gap this wide" in category_said(0.049)
    assert "at least one time in twenty" in category_said(0.05)
    assert "nothing to compare" in category_said(1.0, ["family", "family"])


def strict_said(*sheets):
    return said("strict-result", sheets=pd.DataFrame(sheets, columns=["message_key", "expert"]))


def test_strictness_and_weak_messages_part_only_where_all_experts_read_all_messages():
    everything = [("1/1", "a"), ("1/1", "b"), ("1/2", "a"), ("1/2", "b")]
    assert "in their standards, or by chance" in strict_said(*everything)
    assert "a strict expert or weak messages" in strict_said(*everything[:3])
    assert "nobody to compare with" in strict_said(("1/1", "a"), ("1/2", "a"))


def test_the_share_of_the_coder_who_reads_nothing():
    hits = pd.DataFrame([[True, False], [True, True]])
    text = said("ex-mark-result", hits=hits)
    assert "in **75%** of 4 marks" in text
    assert "made by a program" not in text
    made_up = SimpleNamespace(source=SimpleNamespace(label="practice", synthetic=True))
    assert "made by a program" in said("ex-mark-result", hits=hits, imbue=made_up)


# --- agreement ----------------------------------------------------------------------------------


def agreement_said(alphas, twice=20, shared=12):
    return said(
        "agree-result",
        "agree-parts",
        "agree-said",
        alphas=pd.DataFrame(alphas, index=["alpha", "low", "high"]).T,
        twice=list(range(twice)),
        messages=list(range(100)),
        shared=shared,
    )


NOTHING = (np.nan, np.nan, np.nan)


def test_agreement_is_told_skill_by_skill():
    text = agreement_said({"describe": (0.6, 0.3, 0.8), "mindful": (-0.3, -0.5, -0.1)})
    assert "20 messages of 100 were judged more than once, in 12 conversations." in text
    assert "Agreement beyond chance is shown for *describe*." in text
    assert "For *stay mindful*, dealing would give *more* agreement." in text
    assert "reaches down" not in text
    text = agreement_said({"assert": (0.4, -0.1, 0.7), "express": NOTHING})
    assert "For *assert* the interval reaches down to zero" in text
    assert "For *express* alpha has no answer: all marks were the same." in text
    assert "is shown for" not in text


def test_agreement_that_was_never_observed_can_not_be_known():
    text = agreement_said({skill: NOTHING for skill in SKILLS}, twice=0, shared=0)
    assert text.startswith("No message was judged by more than one expert.")
    assert "can't be known" in text
    assert "is shown" not in text
    assert "alpha has no answer" not in text


def test_agreement_without_variation_and_from_too_few_conversations():
    text = agreement_said({"describe": NOTHING}, twice=1, shared=1)
    assert "1 message of 100 was judged more than once, in 1 conversation." in text
    assert "no variation, so alpha has no answer" in text
    text = agreement_said({"describe": (0.6, np.nan, np.nan)}, shared=1)
    assert "in 1 conversation." in text
    assert "too few conversations for an interval" in text
    assert "is shown" not in text
    assert "reaches down" not in text


def test_agreement_without_an_interval_is_told_as_such():
    text = agreement_said({"negotiate": (1.0, np.nan, np.nan), "assert": (0.7, 0.2, 0.9)})
    assert "Agreement beyond chance is shown for *assert*." in text
    assert "For *negotiate* there is no interval:" in text
    assert "is not perfect agreement" in text
    assert "reaches down" not in text
    text = agreement_said({"negotiate": (1.0, np.nan, np.nan)}, shared=5)
    assert "too few conversations for an interval" in text
    assert "there is no interval" not in text


def helper(cell, name, **names):
    """A function that a cell of the chapter defines."""
    space = {"pd": pd, "np": np, **names}
    exec(compile(_sources(CHAPTER)[cell], cell, "exec"), space)
    return space[name]


def test_a_share_has_an_interval_only_if_drawing_conversations_can_change_it():
    share_by = helper(
        "share-helper",
        "share_by",
        bootstrap=resampling.bootstrap,
        sampling_units=resampling.sampling_units,
    )
    found = share_by(
        pd.Series(list("aaaaaabbbbbbccccc")),
        pd.Series([True] * 6 + [True, False] * 3 + [True, False, True, False, True]),
        pd.Series(list("123456123456") + list("12345")),
    )
    assert found["estimate"].tolist() == [1.0, 0.5, 0.6]
    assert found["low"].isna().tolist() == found["high"].isna().tolist() == [True, False, True]
    assert found["judgements"].tolist() == [6, 6, 5]


def test_same_marks_without_a_difference_have_no_interval():
    both = pd.DataFrame({"conversation_id": list("abcdef"), "assert": list("SSSNNN")})
    both["assert_other"] = both["assert"]
    same_marks = helper(
        "agree-rates",
        "same_marks",
        both=both,
        shared=6,
        agreement=helper("alpha-hand", "agreement", ratio=resampling.ratio),
        bootstrap=resampling.bootstrap,
        sampling_units=resampling.sampling_units,
        weighted_mean=resampling.weighted_mean,
    )
    row = same_marks("assert")
    assert row["estimate"] == 1 and np.isnan(row["low"]) and np.isnan(row["high"])
    both.loc[0, "assert_other"] = "N"
    row = same_marks("assert")
    assert row["low"] < row["estimate"] == 5 / 6


def test_a_mark_that_nobody_gave_or_predicted_counts_0_as_in_chapter_4():
    truth = pd.DataFrame({"assert": ["none", "none", "weak"]})
    levels = ["strong", "weak", "none"]
    macro_f1 = helper("baseline-f1", "macro_f1", truth=truth, levels=levels, ratio=resampling.ratio)
    weights = np.array([[1.0, 1.0, 1.0], [2.0, 1.0, 0.0]])
    assert macro_f1(truth)(weights).ravel() == pytest.approx([2 / 3, 1 / 3])
    expected = f1_score(truth, truth, labels=levels, average="macro", zero_division=0)
    assert macro_f1(truth)(weights)[0, 0] == pytest.approx(expected)


def parting_said(none_strong, none_weak, strong_weak, twice=9):
    grid = pd.DataFrame(0, index=["strong", "weak", "none"], columns=["strong", "weak", "none"])
    grid.loc["none", ["strong", "weak"]] = none_strong, none_weak
    grid.loc["strong", "weak"] = strong_weak
    return said("parting-result", grid=grid, twice=[0] * twice)


def test_where_marks_part_decides_which_line_of_the_manual_needs_words():
    text = parting_said(1, 0, 0)
    assert "In 1 case one expert saw a use" in text
    assert "between weak and none deserves" in text
    text = parting_said(1, 1, 2)
    assert "In 2 cases both saw a use" in text
    assert "between strong and weak deserves" in text
    assert "never part" in parting_said(0, 0, 0)
    assert "the table is empty" in parting_said(0, 0, 0, twice=0)


# --- the baseline -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "words"),
    [(ABOVE, "the easier case"), (BELOW, "the harder case"), (ACROSS, "these data don't tell")],
)
def test_a_new_judge_is_compared_with_a_new_conversation(values, words):
    predicted = {"experts out": None}
    text = said("baseline-experts", predicted=predicted, gap=lambda one, other: row(values))
    assert words in text


def test_a_single_expert_can_not_be_left_out():
    assert "nobody can be left out" in said("baseline-experts", predicted={})


@pytest.mark.parametrize(
    ("values", "words"),
    [(ABOVE, "Both sentences are true"), (BELOW, "one loss"), (ACROSS, "headline")],
)
def test_one_step_is_told_in_points_and_in_per_cent(values, words):
    scores = rows(**{"dealt at random": (0.4, 0.4, 0.4), "conversations out": (0.5, 0.4, 0.6)})
    text = said("points-result", scores=scores, gain=row(values))
    assert words in text
    assert "From 0.400 (dealt at random) to 0.500" in text
    assert "**10.0 percentage points**, or of **25%**" in text


# --- what is shown of real records ------------------------------------------------------------


def real(**more):
    """Two real conversations: the shorter one is 'b', of 'a' a message was confirmed."""
    messages = pd.DataFrame(
        {
            "conversation_id": ["a", "a", "a", "b"],
            "position": [1, 2, 3, 1],
            "message_text": ["Please be quiet.", "I am tired.", "Or else!", "Hello you."],
        },
        index=["a/1", "a/2", "a/3", "b/1"],
    )
    names = {"situation": ["Music at night.", "A greeting."]}
    return SimpleNamespace(
        source=SimpleNamespace(label="real", synthetic=False, **more),
        conversations=pd.DataFrame(names, index=["a", "b"]),
        messages=messages,
    )


def test_a_real_conversation_is_shown_as_far_as_it_was_confirmed():
    imbue = real(quotable={"a/2"})
    text = said("mark-choose", "mark-show", imbue=imbue, messages=imbue.messages)
    assert "**2.** I am tired" in text
    assert "quiet" not in text and "else" not in text and "Music" not in text
    assert "In brackets stand texts of real people" in text
    imbue = real()
    text = said("mark-choose", "mark-show", imbue=imbue, messages=imbue.messages)
    assert "Hello" not in text and "2 words of a real record" in text and "**2.**" not in text
    imbue.source.synthetic = True
    text = said("mark-choose", "mark-show", imbue=imbue, messages=imbue.messages)
    assert "**1.** Hello you" in text and "In brackets" not in text


def one_said(imbue):
    judged = {
        "message_key": ["b/1", "a/2"],
        "conversation_id": ["b", "a"],
        "skill": "express",
        "label": "weak",
        "suggestion": ["Greet warmly.", "Say since when."],
        "rewrite": ["Hello my friend.", "I am tired since Monday."],
    }
    cells = ("mark-choose", "mark-show", "one-code", "one-diff", "one-words", "one-show")
    names = {"judgements": pd.DataFrame(judged), "messages": imbue.messages}
    return said(*cells, imbue=imbue, **names)


def test_of_a_real_judgement_only_a_confirmed_message_is_shown():
    text = one_said(real(quotable={"a/2"}))
    assert "| I am tired" in text
    assert "Monday" not in text and "since when" not in text and "Music" not in text
    assert "marked weak" in text
    text = one_said(real())
    assert "Hello" not in text and "friend" not in text and "warmly" not in text
    made_up = real()
    made_up.source.synthetic = True
    text = one_said(made_up)
    assert "> Greet warmly" in text and "<ins>my friend" in text and "In brackets" not in text


# --- whole worlds -------------------------------------------------------------------------------


def told(last=None):
    """What each cell of the chapter shows, run one after the other, up to one of them."""
    names, shown = {}, {}
    for cell, source in _sources(CHAPTER).items():
        body = ast.parse(source).body
        final = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), cell, "exec"), names)
        if final is not None:
            value = eval(compile(ast.Expression(final.value), cell, "eval"), names)
            shown[cell] = " ".join(getattr(value, "alt", str(value)).split())
        if cell == last:
            break
    return shown


@pytest.fixture(scope="module")
def apart(tmp_path_factory):
    folder = tmp_path_factory.mktemp("apart")
    write_corpus(make_corpus(seed=3, world="experts_apart", narratives=2), folder)
    return folder / "imbue.csv"


def test_where_experts_never_overlap_the_chapter_says_what_can_not_be_known(apart, monkeypatch):
    monkeypatch.setenv("IMBUE_DATA", str(apart))
    shown = told()
    assert shown["agree-pairs"].startswith("(0, ")
    assert "**How far experts agree can't be known from these data**" in shown["agree-said"]
    assert "the table is empty" in shown["parting-result"]
    assert "a strict expert or weak messages" in shown["strict-result"]


def test_the_figure_and_the_sentence_give_one_share_for_one_thing(monkeypatch):
    monkeypatch.delenv("IMBUE_DATA", raising=False)
    shown = told(last="shares-result")
    share = shown["shares-fig"].partition("Describe: strong ")[2].partition(",")[0]
    assert f"A strong *describe* is {share} of its judgements" in shown["shares-result"]


def test_a_single_expert_and_few_conversations_break_nothing(tmp_path, monkeypatch):
    table = raw_table()
    few = table[table["conversation_id"].isin(sorted(table["conversation_id"].unique())[:7])]
    one = few.drop_duplicates(["conversation_id", "message_id"])
    one.assign(username_expert="practice-expert-1").to_csv(tmp_path / "imbue.csv", index=False)
    monkeypatch.setenv("IMBUE_DATA", str(tmp_path / "imbue.csv"))
    shown = told()
    assert "nobody to compare with" in shown["strict-result"]
    assert "nobody can be left out" in shown["baseline-experts"]
    assert "can't be known" in shown["agree-said"]
