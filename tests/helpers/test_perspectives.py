"""Perspectives: identities that hold exactly, and small worlds worked out by hand."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_carebench import random_toy, record, toy

from carebook import perspectives as ps
from carebook.vocabulary import LABELS


def two_narratives():
    return toy(
        record("01", "w1", ratings=2, levels=(1, 5), labels=[LABELS[0]]),
        record("01", "o1", 1, ratings=3, levels=(2, 5), labels=[LABELS[0], LABELS[1]]),
        record("01", "o2", 2, ratings=5, levels=(0, 5), labels=[]),
        record("02", "w2", ratings=4, levels=(3, 0), labels=[]),
        record("02", "o1", 1, ratings=4, levels=(3, 0), labels=[LABELS[1]]),
        record("02", "o3", 2, ratings=3, levels=(3, 0), labels=[]),
    )


@pytest.fixture(scope="module")
def corpus():
    return random_toy(narratives=40, unread=5, people=25)


# --- pairs ---


def test_each_observer_stands_beside_the_writer_of_the_narrative():
    pairs = ps.pair_ratings(two_narratives())
    assert list(pairs.own.index) == ["01/1", "01/2", "02/1", "02/2"]
    assert pairs.own["control.general"].tolist() == [2, 2, 4, 4]
    assert pairs.observed["control.general"].tolist() == [3, 5, 4, 3]
    assert pairs.people.loc["02/2"].tolist() == ["02", "w2", "o3"]
    assert ps.pair_levels(two_narratives()).own["negative_level"].tolist() == [5, 5, 0, 0]
    assert ps.pair_labels(two_narratives()).observed[LABELS[1]].tolist() == [
        True,
        False,
        True,
        False,
    ]


def test_an_observer_without_a_narrative_is_refused():
    with pytest.raises(ValueError, match="'02' has observers but no experiencer"):
        ps.pair_ratings(toy(record("01", "w1"), record("02", "o1", 1)))


# --- gaps ---


def gap(table, statistic, dimension="control.general"):
    rows = table[(table["dimension"] == dimension) & (table["statistic"] == statistic)]
    return rows.iloc[0]


def test_gaps_by_hand():
    table = ps.dimension_gaps(ps.pair_ratings(two_narratives()), resamples=20)
    assert gap(table, "own")["estimate"] == 3
    assert gap(table, "gap")["estimate"] == pytest.approx((1 + 3 + 0 - 1) / 4)
    assert gap(table, "absolute gap")["estimate"] == pytest.approx((1 + 3 + 0 + 1) / 4)
    assert gap(table, "squared error")["estimate"] == pytest.approx((1 + 9 + 0 + 1) / 4)
    assert gap(table, "gap")["pairs"] == 4
    assert len(table) == 22 * len(ps.GAP_STATISTICS)


def test_estimates_are_pandas_own(corpus):
    pairs = ps.pair_ratings(corpus)
    table = ps.dimension_gaps(pairs, resamples=5)
    for dimension in ("relevance.goals", "accountability.fairness"):
        seen, own = pairs.observed[dimension], pairs.own[dimension]
        expected = seen.rank().corr(own.rank())
        assert gap(table, "rank correlation", dimension)["estimate"] == pytest.approx(expected)
        split = ps.split_squared_error(seen, own)
        for name, value in split.items():
            assert gap(table, name, dimension)["estimate"] == pytest.approx(value)


def test_gap_draws_are_those_of_repeated_rows(corpus):
    """An interval end of the rank correlation, from tables in which rows are really repeated."""
    from carebook.resampling import product_weights, unit_counts

    pairs = ps.pair_ratings(corpus).only("relevance.goals")
    everybody_once = pairs.people.assign(observer_id=np.arange(len(pairs.people)).astype(str))
    pairs = ps.Pairs(pairs.observed, pairs.own, everybody_once, pairs.scale)
    table = ps.dimension_gaps(pairs, resamples=30)
    draws = []
    for counts in unit_counts(pairs.units(), resamples=30):
        for weight in product_weights(counts, pairs.units()).astype(int):
            seen, own = (t["relevance.goals"].repeat(weight) for t in (pairs.observed, pairs.own))
            draws.append(seen.rank().corr(own.rank()))
    found = gap(table, "rank correlation", "relevance.goals")
    assert found["low"] == pytest.approx(np.quantile(draws, 0.025))


def test_missing_ratings_are_left_out_and_counted(corpus):
    pairs = ps.pair_ratings(corpus).only("relevance.goals")
    observed = pairs.observed.astype(float)
    observed.iloc[:10] = np.nan
    holes = ps.Pairs(observed, pairs.own, pairs.people, pairs.scale)
    table = ps.dimension_gaps(holes, resamples=5)
    expected = (observed - pairs.own)["relevance.goals"].mean()
    assert gap(table, "gap", "relevance.goals")["estimate"] == pytest.approx(expected)
    assert set(table["pairs"]) == {190}


ANSWERS = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=30)


@given(ANSWERS)
def test_the_three_parts_add_up_to_the_squared_error(answers):
    observed, own = zip(*answers, strict=True)
    parts = ps.split_squared_error(observed, own)
    assert parts.iloc[1:].sum() == pytest.approx(parts.iloc[0])
    assert parts.min() > -1e-12


def test_each_part_alone():
    own = [1, 2, 3, 4]
    assert ps.split_squared_error([2, 3, 4, 5], own)["from the means"] == 1
    shrunk = ps.split_squared_error([1.75, 2.25, 2.75, 3.25], own)
    assert shrunk["from the spreads"] == pytest.approx(shrunk["squared error"])
    mixed = ps.split_squared_error([4, 3, 2, 1], own)
    assert mixed["from the order"] == pytest.approx(mixed["squared error"])


# --- Cronbach ---

TABLES = st.tuples(st.integers(2, 6), st.integers(2, 6), st.integers(0, 999)).map(
    lambda s: tuple(
        pd.DataFrame(t) for t in np.random.default_rng(s[2]).integers(1, 6, size=(2, s[0], s[1]))
    )
)


@given(TABLES)
def test_cronbachs_components_add_up(tables):
    parts = ps.cronbach_components(*tables)
    four = (parts.elevation, parts.differential_elevation, parts.stereotype, parts.differential)
    assert sum(four) == pytest.approx(parts.total)
    assert min(four) >= 0


def test_each_of_cronbachs_components_alone():
    own = pd.DataFrame([[1.0, 2.0], [3.0, 4.0]])
    target, item = pd.DataFrame([[1, 1], [-1, -1]]), pd.DataFrame([[1, -1], [1, -1]])
    cell = pd.DataFrame([[1, -1], [-1, 1]])
    for change, name in [
        (own * 0 + 1, "elevation"),
        (target, "differential_elevation"),
        (item, "stereotype"),
        (cell, "differential"),
    ]:
        parts = ps.cronbach_components(own + change, own)
        assert getattr(parts, name) == pytest.approx(1)
        assert parts.total == pytest.approx(1)


def test_cronbach_drops_and_counts_incomplete_targets_and_refuses_too_few():
    own = pd.DataFrame([[1, 2], [3, 4], [5, np.nan]])
    assert ps.cronbach_components(own, own).dropped == 1
    with pytest.raises(ValueError, match="at least two"):
        ps.cronbach_components(own[1:], own[1:])
    with pytest.raises(ValueError, match="same index"):
        ps.cronbach_components(own[:2], own[1:])


def test_panel_means_are_one_judge_per_narrative():
    panel = ps.panel_means(ps.pair_ratings(two_narratives()))
    assert panel.observed["control.general"].tolist() == [4, 3.5]
    assert panel.own["control.general"].tolist() == [2, 4]
    parts = ps.cronbach_components(panel.observed, panel.own)
    assert parts.total == pytest.approx((4 + 0.25) / 2)


# --- panels ---


def test_the_panel_curve_is_that_of_all_subsets(corpus):
    pairs = ps.pair_ratings(corpus)
    curve = ps.panel_curve(pairs, resamples=20)
    observed = pairs.observed.to_numpy().reshape(-1, 5, 22) / 4
    own = pairs.own.to_numpy().reshape(-1, 5, 22)[:, 0] / 4
    for k in range(1, 6):
        panels = [observed[:, list(chosen)] for chosen in combinations(range(5), k)]
        error = np.mean([(p.mean(axis=1) - own) ** 2 for p in panels])
        spread = np.mean([p.var(axis=1) for p in panels])
        assert curve.loc[k, "error"] == pytest.approx(error)
        assert curve.loc[k, "spread"] == pytest.approx(spread)
        assert curve.loc[k, "rmse"] == pytest.approx(np.sqrt(error))


def test_panel_error_is_single_error_minus_spread_and_never_below_the_shared_error(corpus):
    curve = ps.panel_curve(ps.pair_levels(corpus), resamples=20)
    assert np.allclose(curve["error"], curve["single"] - curve["spread"])
    k = curve.index.to_numpy()
    assert np.allclose(curve["error"], curve["shared"] + (curve["single"] - curve["shared"]) / k)
    assert curve.loc[1, "spread"] == 0


def test_the_first_point_is_the_benchmarks_single_observer_and_the_last_the_panel(corpus):
    from carebook.scoring import numeric_baseline

    curve, scores = ps.panel_curve(ps.pair_ratings(corpus), resamples=20), numeric_baseline(corpus)
    assert curve.loc[1, "rmse"] == pytest.approx(scores["ratings"]["rmse"])
    assert curve.loc[5, "rmse"] == pytest.approx(scores["panel"]["ratings"]["rmse"])


def test_a_bias_that_all_observers_share_stays():
    rng = np.random.default_rng(1)
    records = []
    for n in range(200):
        records.append(record(f"{n:03d}", f"w{n}", ratings=2))
        for slot in range(1, 6):
            ratings = [int(x) for x in 3 + rng.integers(-1, 2, size=22)]
            records.append(record(f"{n:03d}", f"o{n}-{slot}", slot, ratings=ratings))
    curve = ps.panel_curve(ps.pair_ratings(toy(*records)), resamples=50)
    assert curve["shared"].iloc[0] == pytest.approx((1 / 4) ** 2, abs=0.002)
    assert curve.attrs["resampled"] == "resampled: writer_id (200)"


def test_incomplete_cells_are_left_out_for_every_k(corpus):
    pairs = ps.pair_ratings(corpus).only("relevance.goals", "control.general")
    observed = pairs.observed.astype(float)
    observed.iloc[0, 0] = np.nan
    curve = ps.panel_curve(ps.Pairs(observed, pairs.own, pairs.people, 4), resamples=20)
    assert set(curve["cells"]) == {79}
    assert set(curve["left_out"]) == {1}
    assert set(curve["smaller_panels"]) == {0}


def test_a_smaller_panel_is_left_out_and_counted(corpus):
    pairs = ps.pair_ratings(corpus)
    short = ps.Pairs(pairs.observed[1:], pairs.own[1:], pairs.people[1:], pairs.scale)
    full = ps.Pairs(pairs.observed[5:], pairs.own[5:], pairs.people[5:], pairs.scale)
    curve, expected = (ps.panel_curve(p, resamples=20) for p in (short, full))
    assert (curve["narratives"].iloc[0], curve["smaller_panels"].iloc[0]) == (39, 1)
    assert curve["error"].tolist() == pytest.approx(expected["error"].tolist())


# --- profiles ---


def test_profile_columns_by_brute_force(corpus):
    pairs = ps.pair_ratings(corpus)
    found = ps.profile_agreement(pairs)
    who = pairs.people.iloc[7]
    seen, own = pairs.observed.iloc[7], pairs.own.iloc[7]
    assert found["similarity"].iloc[7] == pytest.approx(seen.corr(own))
    writers = pairs.own.assign(**pairs.people).drop_duplicates("sample_id")
    others = writers[
        (writers["writer_id"] != who["writer_id"]) & (writers["writer_id"] != who["observer_id"])
    ]
    dimensions = list(pairs.own.columns)
    strangers = [seen.corr(row) for _, row in others[dimensions].astype(float).iterrows()]
    assert found["strangers"].iloc[7] == pytest.approx(np.mean(strangers))
    typical_seen, typical_own = pairs.observed.mean(), writers[dimensions].mean()
    distinctive = (seen - typical_seen).corr(own - typical_own)
    centred = (seen - seen.mean()) - (typical_seen - typical_seen.mean())
    assert found["distinctive"].iloc[7] == pytest.approx(
        _cosine(centred, (own - own.mean()) - (typical_own - typical_own.mean()))
    )
    assert found["distinctive"].iloc[7] == pytest.approx(distinctive)
    assert found["writer_normative"].iloc[7] == pytest.approx(own.corr(typical_own))


def _cosine(one, other):
    return (one * other).sum() / np.sqrt((one**2).sum() * (other**2).sum())


def test_the_parts_add_up_to_the_similarity(corpus):
    found = ps.profile_agreement(ps.pair_ratings(corpus))
    parts = found[["normative_part", "mixed_part", "distinctive_part"]].sum(axis=1)
    assert np.allclose(parts, found["similarity"])


def test_unrelated_people_agree_when_answers_have_a_common_shape():
    rng = np.random.default_rng(3)
    shape = np.tile([1, 5], 11)
    records = []
    for n in range(30):
        noise = rng.integers(0, 2, size=(3, 22)) * np.sign(3 - shape)
        records.append(record(f"{n:02d}", f"w{n}", ratings=[int(x) for x in shape + noise[0]]))
        for slot in (1, 2):
            ratings = [int(x) for x in shape + noise[slot]]
            records.append(record(f"{n:02d}", f"o{n}-{slot}", slot, ratings=ratings))
    summary = ps.profile_summary(ps.pair_ratings(toy(*records)), resamples=100)
    assert summary.loc["similarity", "estimate"] > 0.8
    assert summary.loc["difference", "low"] < 0 < summary.loc["difference", "high"]


def test_the_summary_counts_all_pairs_of_record_and_stranger(corpus):
    pairs = ps.pair_ratings(corpus)
    seen, own = (t.to_numpy(float) for t in (pairs.observed, pairs.own))
    correlations = np.corrcoef(seen, own)[: len(seen), len(seen) :]
    writer, observer = (pairs.people[c].to_numpy() for c in ("writer_id", "observer_id"))
    allowed = (writer[:, None] != writer[None]) & (observer[:, None] != writer[None])
    found = ps.profile_summary(pairs, resamples=20)["estimate"]
    assert found["strangers"] == pytest.approx(correlations[allowed].mean())
    assert found["difference"] == pytest.approx(found["similarity"] - found["strangers"])


def test_flat_profiles_have_no_correlation_and_are_counted(corpus):
    pairs = ps.pair_ratings(corpus)
    observed = pairs.observed.copy()
    observed.iloc[0] = 3
    flat = ps.Pairs(observed, pairs.own, pairs.people, pairs.scale)
    assert np.isnan(ps.profile_agreement(flat)["similarity"].iloc[0])
    assert ps.profile_summary(flat, resamples=20).attrs["left_out"] == 1


# --- labels ---


def test_added_and_missed_labels_by_hand():
    table = ps.label_changes(ps.pair_labels(two_narratives()), resamples=20)
    table = table.set_index(["label", "kind"])
    missed, added = table.loc[(LABELS[0], "missed")], table.loc[(LABELS[1], "added")]
    assert (missed["count"], missed["out_of"], missed["estimate"]) == (1, 2, 0.5)
    assert (added["count"], added["out_of"], added["estimate"]) == (2, 4, 0.5)
    assert table.loc[(LABELS[0], "balance"), "estimate"] == -0.25
    assert np.isnan(table.loc[(LABELS[1], "missed"), "estimate"])
    assert table.loc[(LABELS[1], "missed"), "undefined"] == 20
