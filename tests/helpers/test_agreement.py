"""Alpha, intraclass correlations, kappa: published examples, second opinions, refusals."""

from itertools import permutations

import krippendorff as second_opinion
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from carebook import agreement as ag

# Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C: 4 observers, 12 units.
KRIPPENDORFF = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""
KRIPPENDORFF_ALPHA = {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849, "ratio": 0.797}

# Shrout & Fleiss (1979), the worked example of 6 targets and 4 judges, and its coefficients.
SHROUT_FLEISS = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
]
SHROUT_FLEISS_ICC = {
    "ICC(1,1)": 0.17, "ICC(2,1)": 0.29, "ICC(3,1)": 0.71,
    "ICC(1,k)": 0.44, "ICC(2,k)": 0.62, "ICC(3,k)": 0.91,
}  # fmt: skip


def long(matrix, drop_missing=False):
    """A raters x units matrix as one judgement a row."""
    matrix = np.asarray(matrix, dtype=float)
    raters, units = np.indices(matrix.shape)
    table = pd.DataFrame({"unit": units.ravel(), "rater": raters.ravel(), "value": matrix.ravel()})
    return table.dropna(ignore_index=True) if drop_missing else table


def worked_example():
    rows = [line.split() for line in KRIPPENDORFF.strip().splitlines()]
    return long([[np.nan if cell == "." else float(cell) for cell in row] for row in rows])


def alpha(table, level, **more):
    return ag.krippendorff_alpha(table, "unit", "rater", "value", level, **more)


# --- alpha ---


@pytest.mark.parametrize("level", KRIPPENDORFF_ALPHA)
def test_alpha_of_krippendorffs_example(level):
    found = alpha(worked_example(), level)
    assert round(found.alpha, 3) == KRIPPENDORFF_ALPHA[level]
    assert (found.units, found.judgements, found.raters) == (11, 40, 4)
    assert (found.dropped_units, found.dropped_judgements) == (1, 1)


def test_a_missing_row_is_a_missing_value():
    table = worked_example()
    assert alpha(table, "ordinal") == alpha(table.dropna(), "ordinal")


MATRICES = st.tuples(st.integers(2, 5), st.integers(2, 8)).flatmap(
    lambda shape: st.lists(
        st.lists(st.sampled_from([1, 2, 3, 4, 5, np.nan]), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


def comparable(matrix):
    matrix = np.asarray(matrix, dtype=float)
    pairable = matrix[:, (~np.isnan(matrix)).sum(axis=0) > 1]
    return len(np.unique(pairable[~np.isnan(pairable)])) > 1


@given(MATRICES, st.sampled_from(list(KRIPPENDORFF_ALPHA)))
def test_alpha_is_that_of_the_krippendorff_package(matrix, level):
    assume(comparable(matrix))
    expected = second_opinion.alpha(np.array(matrix), level_of_measurement=level)
    assert alpha(long(matrix), level).alpha == pytest.approx(expected)


@given(MATRICES.filter(comparable), st.randoms())
def test_alpha_does_not_depend_on_rater_order_names_or_row_order(matrix, random):
    table = long(matrix)
    order = list(range(len(matrix)))
    random.shuffle(order)
    other = long([matrix[row] for row in order]).sample(frac=1, random_state=1)
    other["rater"] = other["rater"].map("rater {}".format)
    assert alpha(other, "ordinal").alpha == pytest.approx(alpha(table, "ordinal").alpha)


@given(MATRICES.filter(comparable), st.permutations([1, 2, 3, 4, 5]))
def test_nominal_alpha_does_not_depend_on_names_and_ordinal_only_on_order(matrix, names):
    table = long(matrix)
    renamed = table.assign(value=table["value"].map(dict(zip([1, 2, 3, 4, 5], names, strict=True))))
    assert alpha(renamed, "nominal").alpha == pytest.approx(alpha(table, "nominal").alpha)
    stretched = table.assign(value=table["value"] ** 3)
    assert alpha(stretched, "ordinal").alpha == pytest.approx(alpha(table, "ordinal").alpha)
    moved = table.assign(value=table["value"] * 2 - 7)
    assert alpha(moved, "interval").alpha == pytest.approx(alpha(table, "interval").alpha)


@given(
    st.lists(st.integers(1, 5), min_size=2, max_size=9), st.sampled_from(list(KRIPPENDORFF_ALPHA))
)
def test_alpha_is_one_for_perfect_agreement(row, level):
    assume(len(set(row)) > 1)
    assert alpha(long([row, row, row]), level).alpha == 1


def test_words_need_an_order_and_ordered_categories_bring_one():
    words = pd.Series(["none", "weak", "strong", "weak", "weak", "strong"])
    table = pd.DataFrame({"unit": [1, 2, 3] * 2, "rater": [1] * 3 + [2] * 3, "value": words})
    with pytest.raises(ValueError, match=r"give order=\[lowest"):
        alpha(table, "ordinal")
    order = ["none", "weak", "strong"]
    expected = alpha(table.assign(value=words.map(order.index)), "ordinal").alpha
    assert alpha(table, "ordinal", order=order).alpha == expected
    ordered = table.assign(value=pd.Categorical(words, order, ordered=True))
    assert alpha(ordered, "ordinal").alpha == expected
    assert alpha(table, "nominal").alpha < 1
    with pytest.raises(ValueError, match="numbers"):
        alpha(table, "interval")
    with pytest.raises(ValueError, match="'strong' is in 'value' but not in the order"):
        alpha(table, "ordinal", order=["none", "weak"])


def test_what_has_no_answer_is_refused_with_a_reason():
    with pytest.raises(ag.NoAnswer, match="No unit was judged by two"):
        alpha(long([[1, 2, np.nan], [np.nan, np.nan, 3]]), "nominal")
    with pytest.raises(ag.NoAnswer, match="0/0, not 1"):
        alpha(long([[4, 4, 1], [4, 4, np.nan]]), "ordinal")


def test_numbers_in_a_column_of_objects_are_numbers():
    table = worked_example()
    loose = table.assign(value=table["value"].astype(object).where(table["value"].notna(), None))
    for level in KRIPPENDORFF_ALPHA:
        assert alpha(loose, level) == alpha(table, level)


def test_a_doubled_judgement_and_a_wrong_level_are_refused():
    table = long([[1, 2], [2, 2]])
    with pytest.raises(ValueError, match="more than once"):
        alpha(pd.concat([table, table[:1]]), "nominal")
    with pytest.raises(ValueError, match="level must be one of"):
        alpha(table, "Ordinal")
    with pytest.raises(ValueError, match="negative"):
        alpha(table.assign(value=-table["value"]), "ratio")


# --- alpha with intervals ---


def panels(seed=0, units=60, raters=12, columns=("a", "b")):
    """Five raters out of a pool on each unit, raters with habits."""
    rng = np.random.default_rng(seed)
    unit = np.repeat(np.arange(units), 5)
    rater = np.concatenate([rng.permutation(raters)[:5] for _ in range(units)])
    table = pd.DataFrame({"unit": unit, "rater": rater})
    for column in columns:
        score = rng.normal(size=units)[unit] + rng.normal(size=raters)[rater]
        table[column] = np.clip(np.round(3 + score + rng.normal(size=len(unit)) * 0.5), 1, 5)
    return table


@pytest.mark.parametrize("level", KRIPPENDORFF_ALPHA)
def test_resampled_alphas_are_those_of_the_resampled_units(level):
    """Each draw equals alpha of a table in which the drawn units are really repeated."""
    from carebook.resampling import interval_table, sampling_units, unit_counts

    table = panels(units=15)
    table.loc[3, "a"] = np.nan
    found = ag.alpha_table(
        table, "unit", "rater", ["a", "b"], level, resample=["unit"], resamples=20, seed=7
    )
    [[counts]] = unit_counts(sampling_units(table, ["unit"]), resamples=20, seed=7)
    for column in "ab":
        draws = []
        for count in counts.astype(int):
            matrix = table.pivot(index="rater", columns="unit", values=column).to_numpy()
            drawn = np.repeat(matrix, count, axis=1)
            draws.append(second_opinion.alpha(drawn, level_of_measurement=level))
        expected = interval_table(np.zeros(1), np.array(draws)[:, None]).iloc[0]
        assert found.loc[column, "low"] == pytest.approx(expected["low"])
        assert found.loc[column, "high"] == pytest.approx(expected["high"])


def test_raters_who_recur_are_drawn_too_and_the_interval_is_wider():
    table = panels()
    both = ag.alpha_table(table, "unit", "rater", ["a"], "interval")
    alone = ag.alpha_table(table, "unit", "rater", ["a"], "interval", resample=["unit"])
    assert both.attrs["resampled"] == "resampled: unit (60), crossed with rater (12)"
    assert alone.attrs["resampled"] == "resampled: unit (60)"
    width = {
        name: t.loc["a", "high"] - t.loc["a", "low"]
        for name, t in [("both", both), ("alone", alone)]
    }
    assert width["both"] > 1.15 * width["alone"]
    assert both.loc["a", "low"] < both.loc["a", "alpha"] < both.loc["a", "high"]


@pytest.mark.parametrize("level", KRIPPENDORFF_ALPHA)
def test_the_influence_of_a_judgement_is_what_a_little_more_weight_on_it_does(level):
    """With panels of unequal size, from the definition: pairs share out their unit's weight."""
    from carebook.alpha import _disagreement, _influence

    rng = np.random.default_rng(3)
    sizes = np.array([2, 3, 5, 4])
    unit = np.repeat(np.arange(4), sizes)
    code, scores = rng.integers(0, 3, len(unit)), np.array([1.0, 2.0, 5.0])

    def alpha_of(weights):
        together = np.zeros((3, 3))
        for rows in (np.flatnonzero(unit == u) for u in range(4)):
            total = weights[rows].sum()
            pairs = total**2 - (weights[rows] ** 2).sum()
            for one, other in permutations(rows, 2):
                shared = total * weights[one] * weights[other] / pairs
                together[code[one], code[other]] += shared
        observed, expected = _disagreement(together, scores, level)
        return 1 - observed / expected

    step = 1e-5 * np.eye(len(unit))
    expected = [(alpha_of(1 + s) - alpha_of(1 - s)) / 2e-5 for s in step]
    starts = np.cumsum(sizes) - sizes
    found = _influence(starts, sizes, unit, [(code, scores)], level)[:, 0]
    np.testing.assert_allclose(found, expected, atol=1e-7)


def test_intervals_of_alpha_cover_where_raters_have_habits():
    def alpha_of(table, name):
        return ag.krippendorff_alpha(table, "unit", "rater", name, "interval").alpha

    def worlds(rng, targets, raters, count):
        unit = np.repeat(np.arange(targets), 5)
        rater = np.concatenate([rng.permutation(raters)[:5] for _ in range(targets)])
        score = (
            rng.normal(size=(targets, count))[unit] + 0.6 * rng.normal(size=(raters, count))[rater]
        )
        marks = np.clip(np.round(3 + score + 0.8 * rng.normal(size=score.shape)), 1, 5)
        return pd.DataFrame(marks).rename(columns=str).assign(unit=unit, rater=rater)

    rng, names = np.random.default_rng(5), [str(n) for n in range(150)]
    large = worlds(rng, 6000, 4000, 4)
    truth = np.mean([alpha_of(large, name) for name in names[:4]])
    bands = ag.alpha_table(
        worlds(rng, 120, 50, 150), "unit", "rater", names, "interval", resamples=400
    )
    assert 0.88 <= ((bands["low"] <= truth) & (truth <= bands["high"])).mean() <= 0.99


def test_a_column_without_an_answer_keeps_its_row_and_reason():
    table = panels().assign(same=3)
    found = ag.alpha_table(table, "unit", "rater", ["a", "same"], "ordinal", resamples=50)
    assert list(found.index) == ["a", "same"]
    assert np.isnan(found.loc["same", "alpha"])
    assert "0/0" in found.loc["same", "reason"]
    assert found.loc["a", "reason"] == ""


def two_coders(first, second, conversations="abcdefgh"):
    """Eight texts of as many conversations (or fewer), each marked by two people."""
    marks = {"x": first, "y": second}
    return pd.DataFrame(
        {
            "text": [f"{talk}{number}" for number, talk in enumerate(conversations)] * 2,
            "talk": list(conversations) * 2,
            "who": [name for name in marks for _ in marks[name]],
            "mark": [int(mark) for name in marks for mark in marks[name]],
        }
    )


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ("11110000", "11110000", "No unit holds a disagreement"),
        ("10000000", "10000000", "No unit holds a disagreement"),
        ("11111000", "11110000", "Disagreements stand in only 1 of"),
        ("11000000", "00100000", "commonest stand in only 3 of"),
        ("11000000", "00110000", ""),
        ("11110000", "11111100", ""),
    ],
)
def test_no_interval_where_drawing_again_can_show_nothing_else(first, second, why):
    table = two_coders(first, second)
    found = ag.alpha_table(table, "text", "who", ["mark"], "nominal", resample=["text"])
    row = found.loc["mark"]
    alone = ag.krippendorff_alpha(table, "text", "who", "mark", "nominal")
    assert row["alpha"] == alone.alpha and row["units"] == 8
    assert (why in row["reason"]) if why else row["reason"] == ""
    assert row[["low", "high", "mc_error"]].isna().tolist() == [bool(why)] * 3
    assert why or row["low"] < row["high"]


def test_two_disagreements_in_one_conversation_are_one_where_conversations_are_drawn():
    table = two_coders("11101100", "11100000", "abcdeefg")
    design = ("text", "who", ["mark"], "nominal")
    by_talk = ag.alpha_table(table, *design, resample=["talk"]).loc["mark"]
    assert "only 1 of" in by_talk["reason"] and np.isnan(by_talk["low"])
    assert ag.alpha_table(table, *design, resample=["text"]).loc["mark", "reason"] == ""
    crossed = ag.alpha_table(table, *design, resample=["talk", "who"]).loc["mark"]
    assert "only 1 of" in crossed["reason"]


def test_a_slot_is_not_resampled_as_a_rater():
    table = panels().rename(columns={"rater": "observer"})
    with pytest.raises(ag.NoAnswer, match="'observer' is a slot"):
        ag.alpha_table(table, "unit", "observer", ["a"], "ordinal")
    held = ag.alpha_table(
        table, "unit", "observer", ["a"], "ordinal", resample=["unit"], resamples=50
    )
    assert held.loc["a", "units"] == 60


# --- intraclass correlation ---


def test_shrout_and_fleiss_six_forms():
    found = ag.shrout_fleiss(long(np.transpose(SHROUT_FLEISS)), "unit", "rater", "value")
    assert found["icc"].round(2).to_dict() == SHROUT_FLEISS_ICC


def test_limits_of_the_six_forms():
    """As printed for this example by the R package psych, ``ICC(sf)``, to two digits."""
    found = ag.shrout_fleiss(long(np.transpose(SHROUT_FLEISS)), "unit", "rater", "value")
    expected = {
        "ICC(1,1)": (-0.13, 0.72), "ICC(2,1)": (0.02, 0.76), "ICC(3,1)": (0.34, 0.95),
        "ICC(1,k)": (-0.88, 0.91), "ICC(2,k)": (0.07, 0.93), "ICC(3,k)": (0.68, 0.99),
    }  # fmt: skip
    for form, (low, high) in expected.items():
        assert found.loc[form, ["low", "high"]].tolist() == pytest.approx([low, high], abs=0.006)


@settings(max_examples=20)
@given(st.integers(2, 6), st.integers(2, 5), st.integers(0, 99))
def test_crossed_components_are_the_analysis_of_variance_in_a_full_table(n, k, seed):
    ratings = np.random.default_rng(seed).normal(size=(k, n)) + np.arange(n)
    table = long(ratings)
    forms = ag.shrout_fleiss(table, "unit", "rater", "value")["icc"]
    found = ag.icc_table(table, "unit", "rater", ["value"], resamples=2).loc["value"]
    assert found["design"] == "crossed"
    assert found["icc"] == pytest.approx(forms["ICC(2,1)"])
    assert found["consistency"] == pytest.approx(forms["ICC(3,1)"])
    assert found["icc_panel"] == pytest.approx(forms["ICC(2,k)"])


def test_one_way_when_raters_do_not_recur():
    table = long(np.transpose(SHROUT_FLEISS))
    table["rater"] = np.arange(len(table))
    found = ag.icc_table(table, "unit", "rater", ["value"]).loc["value"]
    assert found["design"] == "one-way"
    assert round(found["icc"], 2) == SHROUT_FLEISS_ICC["ICC(1,1)"]
    assert round(found["icc_panel"], 2) == SHROUT_FLEISS_ICC["ICC(1,k)"]
    assert np.isnan(found["consistency"]) and np.isnan(found["var_rater"])
    assert found["low"] < found["icc"] < found["high"]


def test_one_way_on_unequal_groups_is_the_analysis_of_variance():
    table = pd.DataFrame({"t": list("aaabbcc"), "v": [1, 2, 4, 5, 6, 3, 5.0], "r": range(7)})
    groups = [g["v"] for _, g in table.groupby("t")]
    within = sum(((g - g.mean()) ** 2).sum() for g in groups) / 4
    between = sum(len(g) * (g.mean() - table["v"].mean()) ** 2 for g in groups) / 2
    size = (7 - (9 + 4 + 4) / 7) / 2
    found = ag.icc_table(table, "t", "r", ["v"], resamples=2).loc["v"]
    assert found["var_residual"] == pytest.approx(within)
    assert found["var_target"] == pytest.approx((between - within) / size)


def test_crossed_components_are_unbiased_on_unbalanced_data():
    rng, worlds = np.random.default_rng(8), 400
    target = np.repeat(np.arange(40), rng.integers(1, 8, size=40))
    rater = np.concatenate([rng.permutation(25)[:m] for m in np.bincount(target)])
    values = (
        2 * rng.normal(size=(40, worlds))[target]
        + rng.normal(size=(25, worlds))[rater]
        + 1.5 * rng.normal(size=(len(target), worlds))
    )
    table = pd.DataFrame(values, columns=[f"v{n}" for n in range(worlds)])
    table.insert(0, "t", target)
    table.insert(0, "r", rater)
    found = ag.icc_table(table, "t", "r", list(table.columns[2:]), resamples=2)
    means = found[["var_target", "var_rater", "var_residual"]].mean()
    assert means.tolist() == pytest.approx([4, 1, 2.25], abs=0.15)


def test_missing_ratings_are_left_out_column_by_column():
    table = panels()
    table.loc[::7, "a"] = np.nan
    found = ag.icc_table(table, "unit", "rater", ["a", "b"], resamples=20)
    alone = ag.icc_table(table.dropna(), "unit", "rater", ["a"], resamples=20)
    assert found.loc["a", "icc"] == pytest.approx(alone.loc["a", "icc"])
    assert found.loc["b", "ratings"] == 300


@pytest.mark.parametrize("function", ["icc_table", "shrout_fleiss"])
def test_a_two_way_form_on_slots_is_refused(function):
    table = long(np.transpose(SHROUT_FLEISS)).rename(columns={"rater": "observer_index"})
    values = ["value"] if function == "icc_table" else "value"
    with pytest.raises(ag.NoAnswer, match="is a slot, not a rater"):
        getattr(ag, function)(table, "unit", "observer_index", values)
    table = table.rename(columns={"observer_index": "place"}).assign(participant_id=range(24))
    with pytest.raises(ag.NoAnswer, match="stands for 6 different people"):
        getattr(ag, function)(table, "unit", "place", values)


def test_icc_without_an_answer_says_why():
    once = pd.DataFrame({"t": [1, 2, 3], "r": [1, 1, 2], "v": [1, 2, 3]})
    assert "No target was rated twice" in ag.icc_table(once, "t", "r", ["v"]).loc["v", "note"]
    same = long([[3, 3], [3, 3]])
    assert "same" in ag.icc_table(same, "unit", "rater", ["value"]).loc["value", "note"]
    with pytest.raises(ag.NoAnswer, match="leave 1 cells empty"):
        ag.shrout_fleiss(long([[1, 2], [3, np.nan]]).dropna(), "unit", "rater", "value")


# --- kappa ---

MARKS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=3, max_size=20)


def columns(pairs):
    return (pd.Series(list(side), dtype=object) for side in zip(*pairs, strict=True))


@given(MARKS, st.sampled_from(["none", "linear", "quadratic"]))
@settings(max_examples=40)
def test_kappa_is_scikit_learns(pairs, weights):
    assume(len({mark for pair in pairs for mark in pair}) > 1)
    first, second = columns(pairs)
    if weights == "none":
        found = ag.cohen_kappa(first, second, resamples=5)
    else:
        found = ag.weighted_kappa(first, second, ["a", "b", "c"], weights, resamples=5)
    expected = cohen_kappa_score(
        first, second, labels=["a", "b", "c"], weights=None if weights == "none" else weights
    )
    assert found.kappa == pytest.approx(expected)


def test_kappa_by_hand():
    """Two raters, 20 yes/yes, 15 no/no, 5 and 10 apart: (.7 - .5) / (1 - .5)."""
    first = pd.Series(["yes"] * 25 + ["no"] * 25)
    second = pd.Series(["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15)
    found = ag.cohen_kappa(first, second)
    assert (found.agreement, found.by_chance) == (pytest.approx(0.7), pytest.approx(0.5))
    assert found.kappa == pytest.approx(0.4)
    assert found.low < 0.4 < found.high
    assert found.note == ""


def test_few_judgements_are_said_in_the_result_not_as_a_python_warning():
    found = ag.cohen_kappa(pd.Series(["yes", "no", "no"]), pd.Series(["yes", "no", None]))
    assert found.judgements == 2
    assert found.note.startswith("only 2 double judgements")


def test_messages_of_one_conversation_are_drawn_together():
    first = pd.Series(["yes", "no"] * 40)
    second = first.where(first.index < 60, "no")
    alone = ag.cohen_kappa(first, second)
    grouped = ag.cohen_kappa(first, second, groups=pd.Series(first.index // 20))
    assert grouped.kappa == alone.kappa
    assert grouped.high - grouped.low > alone.high - alone.low


def test_kappa_without_an_answer_is_refused():
    with pytest.raises(ag.NoAnswer, match="nothing in common"):
        ag.cohen_kappa(pd.Series(["yes", None]), pd.Series([None, "no"]))
    with pytest.raises(ag.NoAnswer, match="0/0"):
        ag.cohen_kappa(pd.Series(["yes", "yes"]), pd.Series(["yes", "yes"]))
    with pytest.raises(TypeError):
        ag.weighted_kappa(pd.Series(["a"]), pd.Series(["a"]))


def test_kappa_does_not_depend_on_category_names():
    first, second = pd.Series(list("aabbccab")), pd.Series(list("abbbccaa"))
    expected = ag.cohen_kappa(first, second, resamples=5).kappa
    for names in permutations("xyz"):
        renamed = dict(zip("abc", names, strict=True))
        found = ag.cohen_kappa(first.map(renamed), second.map(renamed), resamples=5)
        assert found.kappa == pytest.approx(expected)
