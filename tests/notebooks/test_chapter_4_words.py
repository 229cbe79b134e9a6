"""What chapter 4 would say: each side on which a finding can lie has a paragraph of its own."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from chapter_cells import run

from carebook import figures, results

CHAPTER = "04_emotion_baselines"
CARE = SimpleNamespace(
    source=SimpleNamespace(synthetic=True, label="made up"),
    synthetic=True,
    narratives=pd.DataFrame({"narrative": ["Not *good*.", "Worse."]}, index=["01", "02"]),
)
SIDES = {"higher": (0.2, 0.1, 0.3), "lower": (-0.2, -0.3, -0.1), "unclear": (0.0, -0.1, 0.1)}
WORDS = [name for name in vars(results) if name.islower() and not name.startswith("_")]
OUTPUTS = ("positive_level", "negative_level", "positive_labels", "negative_labels")


def told(*cells, **names):
    """The paragraph that the last cell writes, its white space evened out."""
    known = {word: getattr(results, word) for word in WORDS}
    found = run(CHAPTER, *cells, **(known | {"care": CARE, "np": np, "pd": pd} | names))
    text = " ".join(str(found).split())
    assert text.endswith(("*[made up]*", "no finding about people.")), text[-60:]
    assert "nan" not in text and "None" not in text and "{" not in text
    return text


def intervals(**rows):
    """Rows named by their side -> a table of estimate, low and high."""
    columns = ["estimate", "low", "high"]
    return pd.DataFrame([SIDES[side] for side in rows.values()], list(rows), columns)


def phrases(say, *expected):
    """Each side says its own phrase, and none of the others'."""
    texts = [say(side) for side in SIDES]
    for place, text in enumerate(texts):
        assert [phrase in text for phrase in expected] == [
            place == other for other in range(len(expected))
        ], text
    return texts


# --- the best guess -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "phrase"),
    [([0, 0, 1, 2, 3, 6], "three different best guesses"), ([2, 2, 2], "Some of them coincide")],
)
def test_guesses_that_coincide_are_called_luck(answers, phrase):
    text = told("guess-metrics", "guess-result", level=pd.Series(answers))
    assert phrase in text


def test_the_constant_of_the_first_section_is_told_apart_from_that_of_the_folds():
    errors = pd.DataFrame({"estimate": [0.3456]}, index=["best constant"])
    level = pd.Series([0, 6, 0, 6])
    text = told("guess-metrics", "scores-result", level=level, errors=errors)
    assert "stands at 0.346 here and stood at 0.500" in text
    errors.loc["best constant", "estimate"] = 0.5
    text = told("guess-metrics", "scores-result", level=level, errors=errors)
    assert "stands at 0.500, as in the first section" in text


def test_what_silence_earns_is_the_share_of_empty_sets():
    nobody, first = np.array([False, False]), np.array([True, False])
    constants = {"accuracy": (nobody, 0.25), "example_f1": (first, 0.5)}
    constants |= {"micro_f1": (first, 0.6), "macro_f1": (~nobody, 0.4)}
    chosen = np.array([[True, False], [False, False], [True, True], [True, False]])
    text = told("sets-result", constants=constants, positive=chosen)
    assert "exact sets the empty set (0.25)" in text and "macro-F1 2 labels (0.40)" in text
    assert "example-F1 1 label (0.50)" in text and "With 25% of the stories" in text
    assert "exact sets and example-F1 pay for it; micro-F1 and macro-F1 pay nothing" in text


def test_readers_beside_the_best_constant_text():
    def say(side):
        rows = {"constant": "unclear", "stranger": "unclear", "observer": "unclear", "gain": side}
        return told("texts-result", overlap=intervals(**rows))

    phrases(say, "How much *meaning*", "scores *better* than people", "it can't be told whether")
    assert "Observer minus constant: less than 0.01 (95% interval" in say("unclear")


# --- what each input adds -------------------------------------------------------------------------

PAIRS = {
    ("emotion words", "best constant"): ["steps-words"],
    ("words", "emotion words"): ["steps-words"],
    ("words of the four answers", "words without the feeling"): ["steps-feeling", "steps-through"],
    ("words, then predicted ratings", "words"): ["steps-feeling", "steps-through"],
    ("reasoning text", "words"): ["steps-writer", "steps-ratings"],
    ("22 ratings", "words"): ["steps-writer", "steps-ratings"],
    ("words and 22 ratings", "22 ratings"): ["steps-writer", "steps-ratings"],
}


def line_about(pair, wins, losses):
    """What is said of one comparison with so many outputs won and lost."""
    verdicts = [pair[0]] * wins + [pair[1]] * losses
    verdicts += ["can't tell"] * (4 - len(verdicts))
    rows = [
        (model, other, output, better)
        for model, other in PAIRS
        for output, better in zip(
            OUTPUTS, verdicts if (model, other) == pair else ["can't tell"] * 4, strict=True
        )
    ]
    compared = pd.DataFrame(rows, columns=["model", "against", "output", "better"])
    text = told("steps-helper", *PAIRS[pair], compared=compared)
    return text.split(f"*{pair[0]}* against *{pair[1]}*: ")[1].split(" - *")[0]


@pytest.mark.parametrize("pair", PAIRS)
def test_each_comparison_has_a_sentence_for_each_outcome(pair):
    outcomes = {(4, 0): "better on every output.", (0, 4): "behind on every output."}
    outcomes |= {(0, 0): "not clearly apart on any output."}
    rest = "not clearly apart on the rest."
    levels = "positive intensity and negative intensity"
    three = "positive intensity, negative intensity and positive labels"
    outcomes |= {(3, 0): f"better on {three}, {rest}"}
    outcomes |= {(0, 1): f"behind on positive intensity, {rest}"}
    outcomes |= {(2, 1): f"better on {levels}, behind on positive labels, {rest}"}
    outcomes |= {(3, 1): f"better on {three}, behind on negative labels."}
    lines = {counts: line_about(pair, *counts) for counts in outcomes}
    for counts, opening in outcomes.items():
        assert lines[counts].startswith(opening)
    meanings = {counts: line.split(". ", 1)[1] for counts, line in lines.items()}
    assert meanings[4, 0] == meanings[3, 0] and meanings[0, 4] == meanings[0, 1]
    assert len({meanings[counts] for counts in ((4, 0), (0, 4), (0, 0), (2, 1))}) == 4


# --- recognising situations -----------------------------------------------------------------------


def test_words_that_name_no_feeling_are_counted_among_the_heaviest():
    weights = pd.Series(np.linspace(2, -2, 30), [f"w{number}" for number in range(30)])
    few, many = {"w0"}, set(weights.index[:25])
    assert "19 of the 20 heaviest words are not on the list" in told(
        "lean-result", weights=weights, listed=few
    )
    assert "15 of the 20 heaviest words name feelings" in told(
        "lean-result", weights=weights, listed=many
    )


def about_situations(growth="unclear", gain="unclear", short="unclear", ratings="unclear", key=1):
    kinds = ("emotion words", "words", "22 ratings")
    level = pd.Series([0.0, 6.0])
    found = intervals(**{"words minus emotion words": short})
    names = {
        "growth": intervals(**dict(zip(kinds, ("unclear", growth, ratings), strict=True))),
        "gain": intervals(**{"words, gain": gain}),
        "found": found,
        "after_met": {kind: np.array([0.0, 6.0]) for kind in kinds},
        "after_new": {kind: np.array([3.0, 3.0]) for kind in kinds},
        "level": level,
        "key": key or None,
    }
    cells = ("situations-words", "situations-left", "situations-list", "situations-result")
    return told("guess-metrics", *cells, **names)


def test_a_model_that_loses_on_new_situations_had_recognised_them():
    phrases(
        lambda side: about_situations(growth=side),
        "Part of what looked like reading feelings was recognising situations",
        "hard to explain by anything but the choice of folds",
        "Nothing shows that it had lived on recognising",
    )


def test_what_is_left_on_new_situations_has_three_sides():
    phrases(
        lambda side: about_situations(gain=side),
        "stays below that of the best guess",
        "*worse* than the best guess",
        "can't be told from the best guess, with a gain of less than 0.001",
    )
    phrases(
        lambda side: about_situations(short=side),
        "the short list of emotion words has the smaller error",
        "all words have a smaller error than the short list",
        "can't be told apart",
    )
    phrases(
        lambda side: about_situations(ratings=side),
        "The ratings lose as well",
        "The ratings lose nothing",
        "That the ratings lose anything doesn't show",
    )


def test_without_a_key_the_comparison_says_that_it_is_empty():
    text = about_situations(growth="higher", key=0)
    assert "come without a key" in text and "recognising situations." not in text


# --- leaks ----------------------------------------------------------------------------------------

CASES = ("rows split", "stories split", "per record", "one row")


def about_leaks(*scores):
    table = pd.DataFrame({"estimate": scores, "low": 0.45, "high": 0.55}, index=CASES)
    return told("leak-result", leaks=table)


def test_a_leak_is_a_score_beyond_chance():
    text = about_leaks(0.97, 0.5, 0.5, 0.5)
    assert "predicts 97% of the tosses" in text and "this is a leak" in text
    assert "The other three lie within what chance explains" in text


def test_no_leak_is_claimed_where_chance_explains_the_score():
    text = about_leaks(0.54, 0.5, 0.5, 0.5)
    assert "no leak shows here" in text and "this is a leak" not in text


@pytest.mark.parametrize("odd", [0.6, 0.4])
def test_an_honest_score_outside_its_range_is_named(odd):
    text = about_leaks(0.97, 0.5, odd, 0.5)
    assert "Outside its range lies also: per record." in text and "other three" not in text


# --- rare labels ----------------------------------------------------------------------------------


def about_rare(inside="unclear", weighted="unclear", peeking="higher"):
    steps = {"inside - half": inside, "peeking - inside": peeking, "weights - inside": weighted}
    has = np.arange(1200) < 21
    return told("rare-result", "rare-said", steps=intervals(**steps), rarest="Calm", has=has)


def test_choosing_a_cut_and_weighing_classes_have_three_sides_each():
    phrases(
        lambda side: about_rare(inside=side),
        "is too high for this label",
        "the chosen cut does worse",
        "it can't be told whether choosing the cut helped",
    )
    phrases(
        lambda side: about_rare(weighted=side),
        "Class weights come out ahead",
        "Class weights come out behind",
        "Class weights can't be told",
    )
    assert "chosen for 21 of 1,200 stories" in about_rare()


def test_what_peeking_adds_is_never_told_as_nothing():
    assert "would add another 0.20 that no new reader" in about_rare(peeking="higher")
    for side in ("unclear", "lower"):
        text = about_rare(peeking=side)
        assert "would have gained next to nothing here" in text and "another" not in text


# --- people ---------------------------------------------------------------------------------------


def about_people(one="unclear", hedged="unclear", labels="unclear"):
    rows = [("one observer", "negative_level", one), ("hedged observer", "negative_level", hedged)]
    rows += [("one observer", "negative_labels", labels)]
    contest = pd.DataFrame(
        [(*pair, *SIDES[side]) for *pair, side in rows],
        columns=["against", "output", "estimate", "low", "high"],
    ).set_index(["against", "output"])
    return told("people-words", "people-helped", "people-result", contest=contest)


def test_a_smaller_error_is_the_models_lead_and_a_larger_f1_too():
    phrases(
        lambda side: about_people(one=side),
        "has a larger error than single observers",
        "has a *smaller* error",
        "words and single observers can't be told apart",
    )
    phrases(
        lambda side: about_people(hedged=side),
        "it is the observers who are ahead",
        "the model is still ahead",
        "middle, the two can't be told apart",
    )
    phrases(
        lambda side: about_people(labels=side),
        "the word model is ahead",
        "single observers are ahead",
        "On negative labels the two can't be told apart",
    )


def test_hedging_decides_only_where_the_verdict_changes():
    assert "hung on *how*" in about_people(one="lower", hedged="unclear")
    assert "hung on *how*" in about_people(one="lower", hedged="higher")
    assert "didn't decide" in about_people(one="lower", hedged="lower")


def test_a_line_is_flat_for_error_or_for_caution():
    def say(*parts):
        return told("people-slopes", parts=dict(zip(("words", "one observer"), parts, strict=True)))

    text = say((0.5, 0.4), (0.6, 1.2))
    assert "words 0.50 × 0.40 = 0.20; one observer 0.60 × 1.20 = 0.72" in text
    assert "No slope reaches 1" in text and "is error and no caution: they spread more" in text
    text = say((0.5, 0.4), (0.9, 1.2))
    assert "Steeper than the diagonal: one observer." in text and "flattens" not in text
    assert "is error more than caution: the correlation is" in say((0.5, 0.4), (0.6, 0.8))
    assert "is caution more than error: the spread is" in say((0.5, 0.4), (0.8, 0.6))


def test_what_is_hard_for_people_may_or_may_not_be_hard_for_the_model():
    def say(side):
        return told("errors-result", hard=pd.Series(SIDES[side], ["estimate", "low", "high"]))

    phrases(say, "tend to be hard for people", "the model tends *not* to", "can't be told")


def story(synthetic, quotable=()):
    """What the chapter prints below the table of misses, of two stories."""
    from carebook import quoting

    source = SimpleNamespace(synthetic=synthetic, label="made up", quotable=set(quotable))
    rows = pd.DataFrame({"sample_id": ["01", "02"]}, index=["01/0", "02/0"])
    names = {"panel": SimpleNamespace(rows=rows), "alone": rows.index}
    names |= {name: getattr(quoting, name) for name in ("quotable", "quotable_first", "shown")}
    care = SimpleNamespace(source=source, narratives=CARE.narratives)
    return " ".join(str(run(CHAPTER, "errors-story", care=care, **names)).split())


def test_the_story_is_what_both_judges_read_and_a_real_one_only_if_confirmed():
    text = story(synthetic=True)
    assert "the story of row 1, whole" in text and "> Not \\*good\\*\\." in text
    text = story(synthetic=False, quotable=["02"])
    assert "the story of row 2" in text and "> Worse" in text and "good" not in text
    text = story(synthetic=False)
    assert "None of these stories may be printed" in text and "good" not in text
    assert "2 words of a real record" in text and "the story of row" not in text


# --- language models ------------------------------------------------------------------------------


def about_silence(silent):
    sides = ["positive_labels", "negative_labels"]
    scores = pd.DataFrame(
        [("best constant", side, "example_f1", 0.4) for side in sides],
        columns=["model", "output", "metric", "estimate"],
    )
    filled = {side: {"example": {"f1": value}} for side, value in zip(sides, silent, strict=True)}
    return told("llm-silence-result", scores=scores, filled=filled)


def test_silence_is_compared_with_the_best_guess():
    assert "as good as the best guess on at least one side" in about_silence((0.4, 0.2))
    assert "less than the best guess" in about_silence((0.1, 0.2))


def test_one_number_for_all_ratings_hides_a_spread_that_the_intervals_show():
    index = ["congruence.general", "control.select"]
    columns = ["estimate", "low", "high"]
    apart = pd.DataFrame([(0.4, 0.3, 0.5), (0.1, 0.05, 0.2)], index, columns)
    text = told("llm-ratings-result", saving=apart, figures=figures)
    assert "On all ratings" in text and "would have hidden that" in text
    near = pd.DataFrame([(0.2, -0.1, 0.5), (0.1, -0.05, 0.2)], index, columns)
    text = told("llm-ratings-result", saving=near, figures=figures)
    assert "On none of the 2 ratings" in text and "can't be told apart" in text
