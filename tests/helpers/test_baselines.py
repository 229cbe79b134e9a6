"""Baselines: nothing chosen outside its fold, nothing learned from what is to be predicted."""

import subprocess
import sys
from itertools import product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.metrics import average_precision_score
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import check_estimator

from carebook import baselines, load_carebench, scoring
from carebook.estimators import (
    AppraisalChain,
    ConstantLevel,
    ConstantSet,
    EmotionWordCounts,
    GroupedRidge,
    LevelCuts,
    SetThresholds,
    emotion_words,
    set_score,
)
from carebook.predictions import Predictions
from carebook.resampling import narrative_out
from carebook.vocabulary import DIMENSIONS, LABELS, NEGATIVE_LABELS, POSITIVE_LABELS, REASONING

SETS = ("accuracy", "example_f1", "micro_f1", "macro_f1")
label_sets = st.lists(st.tuples(*[st.booleans()] * 3), min_size=2, max_size=8).map(np.array)


def tiny_corpus(narratives=30, observers=2, seed=0):
    """Stories whose one telling word, and whose ratings, give the writer's emotions away."""
    rng = np.random.default_rng(seed)
    good = np.tile([True, False], narratives)[:narratives]
    names = [f"{number:04}" for number in range(narratives)]
    told = pd.DataFrame(
        {
            "participant_id": [f"w{number // 2}" for number in range(narratives)],
            "event": [f"We met {rng.choice(['early', 'late'])} that day." for _ in names],
            "goal": "I wanted an answer.",
            "feeling": np.where(
                good, "It was lovely and I was glad.", "It was awful, I was angry."
            ),
            "context": "We had met before.",
        },
        index=pd.Index(names, name="sample_id"),
    )
    told["narrative"] = told[["event", "goal", "feeling", "context"]].agg(" ".join, axis=1)
    records, happy = [], []
    for place, name in enumerate(names):
        for who in range(observers + 1):
            person = f"o{(place + who) % 7}" if who else told["participant_id"].iloc[place]
            records.append((f"{name}/{who}", name, person, "observer" if who else "experiencer"))
            happy.append(good[place] if not who or rng.random() < 0.8 else not good[place])
    happy = np.array(happy)
    annotations = pd.DataFrame(
        records, columns=["annotation_id", "sample_id", "participant_id", "perspective"]
    ).set_index("annotation_id")
    annotations["positive_level"] = np.where(happy, 5, 1)
    annotations["negative_level"] = np.where(happy, 0, 4)
    ratings = pd.DataFrame(
        rng.integers(1, 6, (len(happy), 22)), index=annotations.index, columns=DIMENSIONS
    )
    ratings["congruence.general"] = np.where(happy, 5, 1)
    labels = pd.DataFrame(False, index=annotations.index, columns=list(LABELS))
    labels["Glad, happy, joyful"] = happy
    labels["Angry, frustrated, annoyed"] = ~happy
    reasoning = pd.DataFrame("It mattered.", index=annotations.index, columns=list(REASONING))
    return SimpleNamespace(
        narratives=told,
        annotations=annotations,
        ratings=ratings,
        labels=labels,
        reasoning=reasoning,
    )


@pytest.fixture(scope="module")
def corpus():
    return tiny_corpus()


@pytest.fixture(scope="module")
def practice():
    with pytest.MonkeyPatch.context() as context:
        context.delenv("CAREBENCH_DATA", raising=False)
        return load_carebench()


@pytest.fixture(scope="module")
def predicted(corpus):
    return baselines.evaluate(corpus, folds=3)


# --- the word list ------------------------------------------------------------------------------


def test_every_emotion_has_its_own_fifteen_to_twenty_five_words():
    lists = emotion_words()
    assert tuple(lists) == LABELS
    for listed in lists.values():
        assert 15 <= len(listed) <= 25
        assert len(set(listed)) == len(listed)
        assert all(word == word.lower() and word.isalpha() for word in listed)


def test_words_are_counted_whole_in_any_case_and_negation_is_not_understood():
    counts = EmotionWordCounts().fit_transform(["Not HAPPY. Gladiators!", "angry, angry"])
    found = pd.DataFrame(counts, columns=list(LABELS))
    assert found.loc[0, "Glad, happy, joyful"] == 1
    assert found.loc[1, "Angry, frustrated, annoyed"] == 2
    assert found.to_numpy().sum() == 3


# --- ridge with left-out groups -----------------------------------------------------------------


@pytest.mark.parametrize("features", [3, 40])
def test_the_ridge_is_scikit_learns_and_its_inner_predictions_are_refits(features):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(20, features)), rng.normal(size=20)
    groups = np.repeat(list("abcdefg"), [1, 2, 3, 3, 3, 4, 4])
    model = GroupedRidge(penalties=[0.5]).fit(X, y, groups=groups)
    np.testing.assert_allclose(model.coef_[0], Ridge(alpha=0.5).fit(X, y).coef_)
    for group in "abg":
        out = groups == group
        refit = Ridge(alpha=0.5).fit(X[~out], y[~out])
        np.testing.assert_allclose(model.inner_predictions_[out], refit.predict(X[out]))


def test_the_penalty_is_the_best_of_those_offered_for_each_target():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 10))
    Y = np.column_stack([X[:, 0], rng.normal(size=60)])
    model = GroupedRidge(penalties=[0.01, 1000]).fit(X, Y)
    assert model.penalty_.tolist() == [0.01, 1000]
    assert model.predict(X).shape == (60, 2)


def test_the_ridge_keeps_scikit_learns_conventions():
    check_estimator(GroupedRidge(), on_skip=None)


def test_one_group_alone_cannot_be_left_out():
    with pytest.raises(ValueError, match="one group"):
        GroupedRidge().fit(np.eye(3), [1, 2, 3], groups=["a", "a", "a"])


def test_the_chain_hands_on_deviations_from_the_mean_of_the_rows_its_model_had_seen():
    rng = np.random.default_rng(3)
    X, ratings = rng.normal(size=(8, 3)), np.arange(8.0)[:, None]
    groups = list("aabbbccc")
    chain = AppraisalChain().fit(X, ratings[:, 0], ratings=ratings, groups=groups)
    means_of_others = np.array([27 / 6] * 2 + [19 / 5] * 3 + [10 / 5] * 3)[:, None]
    handed_on = chain.first_.inner_predictions_ - means_of_others
    by_hand = GroupedRidge().fit(handed_on, ratings[:, 0], groups=groups)
    np.testing.assert_allclose(chain.second_.coef_, by_hand.coef_)


def test_a_chain_built_on_fitted_values_would_do_worse_on_new_rows():
    ours, theirs = [], []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, ratings = rng.normal(size=(60, 30)), rng.normal(size=(60, 4))
        new, answers = rng.normal(size=(500, 30)), rng.normal(size=500)
        chain = AppraisalChain().fit(X, ratings[:, 0], ratings=ratings)
        naive = GroupedRidge().fit(chain.first_.predict(X), ratings[:, 0])
        ours.append(np.mean((chain.predict(new) - answers) ** 2))
        theirs.append(np.mean((naive.predict(chain.first_.predict(new)) - answers) ** 2))
    # All is noise, so that predicting the mean, with an error of 1, is the best there is.
    assert 1 < np.mean(ours) < 1.08 < np.mean(theirs)


def test_the_chain_needs_ratings():
    with pytest.raises(ValueError, match="ratings="):
        AppraisalChain().fit(np.eye(3), [1, 2, 3])


# --- from scores to answers ---------------------------------------------------------------------


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), min_size=2, max_size=7),
    st.sampled_from(["accuracy", "mae", "rmse_levels"]),
)
def test_no_other_cuts_would_serve_the_metric_better(rows, metric):
    scores, levels = np.array(rows, dtype=float).T
    loss = {
        "accuracy": lambda said: np.mean(said != levels),
        "mae": lambda said: np.mean(np.abs(said - levels)),
        "rmse_levels": lambda said: np.mean((said - levels) ** 2),
    }[metric]
    found = loss(LevelCuts(metric, levels=3).fit(scores, levels).predict(scores))
    edges = np.arange(-0.5, 6)
    best = min(
        loss(np.searchsorted([low, high], scores))
        for low, high in product(edges, edges)
        if low <= high
    )
    assert found == pytest.approx(best)


@settings(max_examples=40)
@given(label_sets, st.sampled_from(SETS))
def test_set_scores_are_the_benchmarks(wanted, metric):
    chosen = wanted[::-1]
    columns = ["a", "b", "c"]
    expected = scoring.label_scores(
        pd.DataFrame(chosen, columns=columns), pd.DataFrame(wanted, columns=columns)
    )
    names = {
        "accuracy": expected["accuracy"],
        "example_f1": expected["example"]["f1"],
        "micro_f1": expected["micro"]["f1"],
        "macro_f1": expected["macro"]["f1"],
    }
    assert set_score(chosen, wanted, metric) == pytest.approx(names[metric])


@settings(max_examples=40)
@given(label_sets, st.sampled_from(SETS))
def test_no_other_constant_set_scores_better(wanted, metric):
    found = ConstantSet(metric).fit(None, wanted).predict(wanted)
    others = [np.tile(one, (len(wanted), 1)) for one in product([False, True], repeat=3)]
    best = max(set_score(other, wanted, metric) for other in others)
    assert set_score(found, wanted, metric) == pytest.approx(best)


def test_each_metric_of_a_level_has_its_own_best_constant():
    levels = [0, 0, 0, 1, 4, 6, 6]
    found = {m: ConstantLevel(m).fit(None, levels).constant_ for m in ("rmse", "mae", "accuracy")}
    assert found == {"rmse": pytest.approx(17 / 7), "mae": 1, "accuracy": 0}
    assert ConstantLevel("rmse_levels").fit(None, levels).constant_ == 2
    mean = DummyRegressor().fit([[0]] * 7, levels).predict([[0]])
    np.testing.assert_allclose(ConstantLevel("rmse").fit(None, levels).predict([[0]]), mean)


def test_thresholds_may_choose_nothing_at_all():
    rare = np.array([[True]] + [[False]] * 9)
    scores = np.linspace(1, 0, 10)[::-1, None]
    rule = SetThresholds("accuracy").fit(scores, rare)
    assert not rule.predict(scores).any()


def test_a_label_that_no_training_row_has_is_never_chosen():
    scores, wanted = np.full((4, 2), 0.5), np.array([[1, 0]] * 4, dtype=bool)
    rule = SetThresholds("macro_f1").fit(scores, wanted)
    assert rule.predict(scores).tolist() == [[True, False]] * 4


def test_an_unknown_metric_is_named():
    with pytest.raises(ValueError, match="'auc' is no score of label sets"):
        set_score([[True]], [[True]], "auc")


# --- predictions --------------------------------------------------------------------------------


def test_each_row_says_who_supplied_what(corpus, predicted):
    table = (
        baselines.score_table(predicted, resamples=50).drop_duplicates("model").set_index("model")
    )
    assert table.loc["22 ratings", "input_by"] == "experiencer's own answers"
    assert table.loc["observers' ratings, new stories", "input_by"] == "observers' answers"
    assert table.loc["observers' ratings, new observers", "design"] == "person_out"
    assert (table["target_by"] == "experiencer").all()
    assert list(table.index[table["text_alone"]]) == [
        "emotion words, no training",
        "emotion words",
        "words",
        "words, then predicted ratings",
    ]
    assert table.loc["words", "rows"] == 30
    assert table.loc["observers' ratings, new stories", ["rows", "narratives"]].tolist() == [60, 30]


def test_models_learn_what_is_there_and_the_feeling_part_is_where_it_stands(corpus, predicted):
    table = baselines.score_table(predicted, resamples=50)
    rmse = table[(table["output"] == "positive_level") & (table["metric"] == "rmse")]
    rmse = rmse.set_index("model")["estimate"]
    assert rmse["words"] < 0.1 and rmse["words, then predicted ratings"] < 0.1
    assert rmse["words without the feeling"] > 0.9 * rmse["best constant"]
    assert rmse["best constant"] == pytest.approx(2 / 6, abs=0.02)
    assert rmse["22 ratings"] < rmse["observers' ratings, new stories"] < rmse["best constant"]


def test_scores_equal_the_benchmarks_on_the_same_answers(corpus, predicted):
    one = predicted["observers' ratings, new stories"]
    table = baselines.score_table([one], resamples=50).set_index(["output", "metric"])["estimate"]
    names = list(NEGATIVE_LABELS)
    for metric, path in (("example_f1", "example"), ("micro_f1", "micro"), ("macro_f1", "macro")):
        expected = scoring.label_scores(
            one.chosen("negative_labels", metric), one.truth[names] > 0.5
        )
        assert table["negative_labels", metric] == pytest.approx(expected[path]["f1"])
    level = pd.DataFrame({"x": one.answers["negative_level", "accuracy"]}, one.rows.index)
    known = one.truth[["negative_level"]].set_axis(["x"], axis=1)
    expected = scoring.rating_scores(level, known, scale=6)
    assert table["negative_level", "accuracy"] == pytest.approx(expected["accuracy"])


def test_single_observers_and_their_panel_score_as_in_the_human_baseline(corpus):
    people = [baselines.observers(corpus), baselines.observer_panel(corpus)]
    table = baselines.score_table(people, resamples=50)
    table = table.set_index(["model", "output", "metric"])["estimate"]
    expected = scoring.numeric_baseline(corpus)
    one, panel = "one observer", "panel of observers"
    assert table[one, "positive_level", "rmse"] == pytest.approx(expected["positive_level"]["rmse"])
    assert table[one, "positive_labels", "example_f1"] == pytest.approx(
        expected["positive_labels"]["example"]["f1"]
    )
    assert table[panel, "positive_level", "rmse"] == pytest.approx(
        expected["panel"]["positive_level"]["rmse"]
    )
    assert table[panel, "positive_level", "accuracy"] == pytest.approx(
        expected["panel"]["positive_level"]["accuracy"]
    )


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("words", "writer_id"),
        ("words, then predicted ratings", "writer_id"),
        ("words and 22 ratings", "writer_id"),
        ("observers' ratings, new stories", "sample_id"),
    ],
)
def test_no_answer_depends_on_what_its_own_group_reported(name, group):
    model = next(model for model in baselines.MODELS if model.name == name)
    before, changed = tiny_corpus(16), tiny_corpus(16)
    first = baselines.out_of_fold(model, before, folds=3)
    held_out = first.rows[group] == first.rows[group].iloc[0]
    samples = first.rows.loc[held_out, "sample_id"]
    mine = changed.annotations["sample_id"].isin(samples) & (
        changed.annotations["perspective"] == "experiencer"
    )
    changed.annotations.loc[mine, ["positive_level", "negative_level"]] = [3, 6]
    changed.labels.loc[mine] = ~changed.labels.loc[mine]
    second = baselines.out_of_fold(model, changed, folds=3)
    for key, answer in first.answers.items():
        np.testing.assert_allclose(answer[held_out], second.answers[key][held_out])


def test_a_missing_rating_takes_the_mean_of_the_training_rows(corpus):
    holed = tiny_corpus()
    holed.ratings = holed.ratings.astype(float)
    holed.ratings.iloc[0, 3] = np.nan
    one = baselines.out_of_fold(baselines.MODELS[5], holed, folds=3)
    assert np.isfinite(one.answers["positive_level", "rmse"]).all()


def test_data_without_observers_still_have_baselines(corpus):
    own = corpus.annotations["perspective"] == "experiencer"
    alone = SimpleNamespace(**vars(corpus))
    alone.annotations, alone.ratings = corpus.annotations[own], corpus.ratings[own]
    alone.labels, alone.reasoning = corpus.labels[own], corpus.reasoning[own]
    assert "observers' ratings, new stories" not in baselines.evaluate(alone, folds=3)


# --- scores of labels ---------------------------------------------------------------------------


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.booleans(), st.integers(0, 3)), min_size=1, max_size=12
    ).filter(lambda rows: any(wanted and weight for _, wanted, weight in rows))
)
def test_average_precision_is_scikit_learns_with_ties_and_weights(rows):
    scores, wanted, weights = np.array(rows, dtype=float).T
    found = baselines.average_precision(scores, wanted, weights[None])
    drawn = weights > 0
    expected = average_precision_score(wanted[drawn], scores[drawn], sample_weight=weights[drawn])
    assert found[0] == pytest.approx(expected)


def test_a_rare_label_gets_counts_and_no_scores(predicted):
    table = baselines.label_table(predicted["words"], "positive_labels", least=10)
    assert table.loc["Glad, happy, joyful", "wanted"] == 15
    assert table.loc["Glad, happy, joyful", "f1"] == 1
    rare = table.loc["Calm, peaceful, relaxed"]
    assert rare["wanted"] == 0 and rare[["precision", "f1", "average_precision"]].isna().all()
    assert list(table.index) == list(POSITIVE_LABELS)


def test_mean_average_precision_leaves_rare_labels_out(predicted):
    one = predicted["words"]
    assert baselines.common_labels(one, "positive_labels", least=10) == ["Glad, happy, joyful"]
    assert baselines.common_labels(one, "positive_labels", least=16) == []


def test_five_observers_of_one_story_make_no_label_less_rare(predicted):
    one = predicted["observers' ratings, new stories"]
    assert one.truth["Glad, happy, joyful"].sum() == 30
    assert baselines.common_labels(one, "positive_labels", least=16) == []
    row = baselines.label_table(one, "positive_labels", least=16).loc["Glad, happy, joyful"]
    assert (row["narratives"], row["wanted"]) == (15, 30) and np.isnan(row["f1"])


# --- comparisons --------------------------------------------------------------------------------


def test_a_model_differs_from_itself_by_nothing(predicted):
    table = baselines.differences(predicted, [("words", "words")], resamples=160)
    assert (table[["estimate", "low", "high"]] == 0).all(axis=None)
    assert (table["p"] == 1).all() and (table["better"] == "can't tell").all()


def test_the_better_model_is_named_whichever_way_the_metric_runs(predicted):
    pairs = [("words", "best constant"), ("best constant", "22 ratings")]
    metrics = {"positive_level": "rmse", "positive_labels": "example_f1"}
    table = baselines.differences(predicted, pairs, metrics, resamples=400)
    assert table["better"].tolist() == ["words", "words", "22 ratings", "22 ratings"]
    assert table["estimate"].round(1).tolist() == [-0.3, 0.5, 0.2, -0.5]
    assert (table["p_holm"] >= table["p"]).all()


def test_different_rows_are_brought_together_before_they_are_compared(corpus, predicted):
    pair = [("words", "one observer")]
    people = {"words": predicted["words"], "one observer": baselines.observers(corpus)}
    with pytest.raises(ValueError, match="different rows"):
        baselines.differences(people, pair, resamples=160)
    people["words"] = predicted["words"].for_observers(corpus)
    table = baselines.differences(people, pair, resamples=160)
    assert (table["estimate"] < 0).tolist()[:2] == [True, True]


def test_only_what_sees_the_text_alone_stands_beside_observers(corpus, predicted):
    for name in ("words", "emotion words", "words, then predicted ratings", "best constant"):
        assert len(predicted[name].for_observers(corpus).rows) == 60
    for name in ("22 ratings", "reasoning text", "words without the feeling"):
        with pytest.raises(ValueError, match="observers saw the story alone"):
            predicted[name].for_observers(corpus)


def test_differences_on_observers_rows_have_the_multiway_spread():
    """As from textbook cluster variances; products of counts alone would be far wider."""
    rng, rows = np.random.default_rng(7), 300
    who = pd.DataFrame({"sample_id": np.repeat(np.arange(60), 5)}).astype(str)
    who["writer_id"] = "w" + who["sample_id"]
    who["observer_id"] = [f"o{o}" for _ in range(60) for o in rng.permutation(30)[:5]]
    truth = pd.DataFrame({"positive_level": np.full(rows, 3.0)})
    errors = rng.integers(-2, 3, (2, rows))
    one, other = (
        Predictions(name, "", "", who, truth, {("positive_level", "mae"): 3 + error}, True)
        for name, error in zip(("one", "other"), errors, strict=True)
    )
    table = baselines.differences(
        {"one": one, "other": other}, [("one", "other")], {"positive_level": "mae"}
    )
    gap = pd.Series(np.abs(errors[0]) - np.abs(errors[1]))
    apart = gap - gap.mean()
    by_unit = sum((apart.groupby(who[c]).sum() ** 2).sum() for c in ("writer_id", "observer_id"))
    expected = np.sqrt(by_unit - (apart**2).sum()) / rows
    assert table["estimate"][0] == pytest.approx(gap.mean())
    width = table["high"][0] - table["low"][0]
    assert width == pytest.approx(2 * 1.96 * expected, rel=0.08)


def test_more_comparisons_than_the_resamples_could_decide_are_refused(predicted):
    pairs = baselines.against(predicted)
    with pytest.raises(ValueError, match=r"32 comparisons and 1000 .* Use resamples=1280"):
        baselines.differences(predicted, pairs, resamples=1000)


def test_holm_multiplies_by_the_number_of_tests_still_open():
    np.testing.assert_allclose(baselines.holm([0.01, 0.02, 0.9]), [0.03, 0.04, 0.9])
    np.testing.assert_allclose(baselines.holm([0.6, 0.7]), [1, 1])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_keeps_the_order_and_never_lowers_a_p_value(values):
    corrected = baselines.holm(values)
    assert (corrected >= values).all() and (corrected <= 1).all()
    order = np.argsort(values, kind="stable")
    assert (np.diff(corrected[order]) >= 0).all()


# --- leaks --------------------------------------------------------------------------------------


def memoriser_hits(features, labels, folds):
    nearest = KNeighborsClassifier(n_neighbors=1)
    return cross_val_predict(nearest, features, labels, cv=folds)


@pytest.fixture(scope="module")
def five_readers():
    """Sixty narratives, five rows each: rows of one narrative are nearly alike."""
    rng = np.random.default_rng(4)
    narratives = np.repeat([f"{n:02}" for n in range(60)], 5)
    features = np.repeat(rng.normal(size=(60, 4)), 5, axis=0) + rng.normal(0, 0.01, (300, 4))
    fair_coin = np.repeat(np.arange(60) % 2, 5)
    return narratives, features, fair_coin


def leaks(narratives, features, coin, folds_of, deals=20):
    """Where a memoriser's hits lie within chance, each time the coins are dealt anew: 0 to 1."""
    places = []
    for seed in range(deals):
        dealt = baselines.shuffled_by_group(coin, narratives, seed)
        found = memoriser_hits(features, dealt, folds_of(seed))
        chance = baselines.chance_distribution(dealt, found, narratives, shuffles=200)
        hits = np.mean(found == dealt)
        places.append(np.mean(chance < hits) + np.mean(chance == hits) / 2)
    return np.array(places)


def by_rows(seed):
    return KFold(5, shuffle=True, random_state=seed)


def test_row_folds_leave_chance_and_grouped_folds_stay_inside(five_readers):
    narratives, features, coin = five_readers
    assert (leaks(narratives, features, coin, by_rows, deals=5) == 1).all()
    grouped = leaks(narratives, features, coin, lambda seed: narrative_out(narratives, seed=seed))
    # Of 20 places in a distribution, all ends taken together, about one lies in its outer 5 %.
    assert np.mean((grouped < 0.025) | (grouped > 0.975)) <= 0.2
    assert 0.3 < grouped.mean() < 0.7


def test_with_one_row_for_each_narrative_there_is_no_leak_to_show(five_readers):
    narratives, features, coin = (table[::5] for table in five_readers)
    for folds_of in (by_rows, lambda seed: narrative_out(narratives, seed=seed)):
        places = leaks(narratives, features, coin, folds_of)
        assert np.mean((places < 0.025) | (places > 0.975)) <= 0.2
        assert 0.3 < places.mean() < 0.7


def test_labels_dealt_by_row_show_no_leak_either(five_readers):
    """What rows of a narrative do not share, row folds cannot give away."""
    _, features, coin = five_readers
    own_unit = np.arange(len(coin))
    places = leaks(own_unit, features, coin, by_rows, deals=10)
    assert np.mean((places < 0.025) | (places > 0.975)) <= 0.2


def test_words_without_the_feeling_hold_nothing_of_what_was_said_about_feelings(practice):
    own = practice.annotations["perspective"] == "experiencer"
    texts = baselines.inputs(practice)[own.to_numpy()]
    told = practice.narratives.loc[practice.annotations.loc[own, "sample_id"]]
    for column, holds in (("story", True), ("four_answers", True), ("without_feeling", False)):
        found = [part in text for part, text in zip(told["feeling"], texts[column], strict=True)]
        assert np.mean(found) == holds


def test_no_baseline_beats_the_constant_on_emotions_dealt_anew_among_writers():
    data = tiny_corpus(40, observers=0)
    rng = np.random.default_rng(6)
    level = rng.integers(0, 7, 20).repeat(2)
    data.annotations["positive_level"] = level
    found = baselines.evaluate(data, folds=4)
    table = baselines.score_table(found, resamples=50)
    rmse = table[(table["output"] == "positive_level") & (table["metric"] == "rmse")]
    rmse = rmse.set_index("model")["estimate"]
    assert (rmse > 0.93 * rmse["best constant"]).all()


def test_only_whole_groups_can_trade_their_values():
    with pytest.raises(ValueError, match="different values"):
        baselines.shuffled_by_group([0, 1], ["a", "a"])


# --- the rest -----------------------------------------------------------------------------------


def test_the_words_a_model_leans_on_come_with_their_weights(corpus):
    weights = baselines.word_weights(corpus, "Angry, frustrated, annoyed")
    assert {"angry", "awful"} <= set(weights.index[:2])
    assert {"lovely", "glad"} <= set(weights.index[-4:])
    assert weights["angry"] > 0 > weights["glad"]


def test_importing_baselines_loads_no_scikit_learn():
    program = "import sys, carebook.baselines; print('sklearn' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
