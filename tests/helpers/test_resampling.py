"""Units, bootstrap intervals and folds."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carebook import resampling as rs


def people(**columns):
    return pd.DataFrame({name: list(values) for name, values in columns.items()})


COLUMNS = ["sample_id", "writer_id", "observer_id"]


def units(table):
    return rs.sampling_units(table, COLUMNS, people=["writer_id", "observer_id"])


# --- units ---


def test_what_is_nested_is_left_to_what_holds_it():
    table = people(sample_id="112233", writer_id="aaaabb", observer_id="uvwxyz")
    assert units(table).names == ("writer_id",)


def test_observers_who_recur_are_crossed_with_writers():
    table = people(sample_id="112233", writer_id="aabbcc", observer_id="uvuvuv")
    found = units(table)
    assert found.names == ("writer_id", "observer_id")
    assert found.sizes == (3, 2)


def test_a_person_in_both_roles_is_drawn_once():
    table = people(sample_id="112233", writer_id="aabbcc", observer_id="bcacab")
    found = units(table)
    assert found.pools == (0, 0)
    assert found.sizes == (3,)
    [counts] = next(rs.unit_counts(found, resamples=1))
    weights = rs.product_weights([counts], found)[0]
    a, b, c = counts[0]
    assert weights.tolist() == [a * b, a * c, b * a, b * c, c * a, c * b]


def test_equal_names_of_narratives_and_people_do_not_mix():
    table = people(sample_id="112233", writer_id="112233", observer_id="uvuvuv")
    assert units(table).sizes == (3, 2)


def test_a_single_unit_is_left_out_and_said():
    table = people(sample_id="1234", writer_id="aaaa", observer_id="uvuv")
    found = units(table)
    assert found.names == ("sample_id",) or "writer_id" not in found.names
    assert "only one writer_id" in found.sentence


@pytest.mark.parametrize("table", [people(sample_id="11", writer_id="aa", observer_id="uu")])
def test_nothing_to_draw_is_refused(table):
    with pytest.raises(ValueError, match="at least two units"):
        units(table)


def test_rows_of_unknown_origin_are_refused():
    table = people(sample_id="12", writer_id=["a", None], observer_id="uv")
    with pytest.raises(ValueError, match="1 rows have no writer_id"):
        units(table)


# --- bootstrap ---


def rows(n):
    return rs.sampling_units(people(row=range(n)), ["row"])


def test_counts_sum_to_the_number_of_units():
    for [counts] in rs.unit_counts(rows(7), resamples=5):
        assert counts.sum(axis=1).tolist() == [7] * 5


def test_the_interval_of_a_mean_is_the_textbook_one():
    values = np.random.default_rng(2).normal(size=(400, 1))
    band = rs.bootstrap(rs.weighted_mean(values), rows(400), ["mean"]).loc["mean"]
    half = 1.96 * values.std(ddof=1) / 20
    assert band["estimate"] == pytest.approx(values.mean())
    assert band["low"] == pytest.approx(values.mean() - half, abs=0.012)
    assert band["high"] == pytest.approx(values.mean() + half, abs=0.012)


def test_the_same_seed_gives_the_same_interval_in_pieces_of_any_size(monkeypatch):
    statistic = rs.weighted_mean(np.arange(30.0)[:, None])
    whole = rs.bootstrap(statistic, rows(30), resamples=50)
    monkeypatch.setattr(rs, "_CELLS_AT_A_TIME", 100)
    pd.testing.assert_frame_equal(rs.bootstrap(statistic, rows(30), resamples=50), whole)
    assert not rs.bootstrap(statistic, rows(30), resamples=50, seed=1).equals(whole)


def test_monte_carlo_error_is_how_far_the_ends_wander():
    statistic = rs.weighted_mean(np.random.default_rng(0).normal(size=(50, 1)))
    bands = pd.concat(
        [rs.bootstrap(statistic, rows(50), resamples=2000, seed=seed) for seed in range(60)]
    )
    wandering = max(bands["low"].std(), bands["high"].std())
    assert bands["mc_error"].mean() == pytest.approx(wandering, rel=0.35)
    assert rs.RESAMPLES >= 2000


def test_resamples_without_an_answer_are_counted_and_left_out():
    draws = np.array([[1.0, np.nan], [2.0, np.nan], [np.nan, np.nan], [3.0, np.nan]])
    table = rs.interval_table(np.array([2.0, np.nan]), draws, ["some", "none"])
    assert table["undefined"].tolist() == [1, 4]
    assert table.loc["some", ["low", "high"]].tolist() == pytest.approx([1.05, 2.95])
    assert np.isnan(table.loc["none", "low"])


@given(st.lists(st.floats(-9, 9), min_size=2, max_size=30), st.floats(0.5, 0.99))
def test_percentiles_are_numpys(draws, level):
    table = rs.interval_table(np.zeros(1), np.array(draws)[:, None], level=level)
    tail = (1 - level) / 2
    assert table["low"][0] == pytest.approx(np.quantile(draws, tail))
    assert table["high"][0] == pytest.approx(np.quantile(draws, 1 - tail))


def test_missing_cells_are_left_out_of_a_mean():
    mean = rs.weighted_mean(np.array([[1.0, 4.0], [3.0, np.nan]]))
    assert mean(np.array([[1, 1], [0, 2]])).tolist()[0] == [2, 4]
    assert np.isnan(mean(np.array([[0, 2]]))[0, 1])


WORLDS = 300


def coverage(values, found, truth=0.0):
    bands = rs.bootstrap(rs.weighted_mean(values), found, resamples=1000)
    return ((bands["low"] <= truth) & (truth <= bands["high"])).mean()


def readings(rng, narratives=60, readers=30):
    """Each narrative is read by five of the readers."""
    narrative = np.repeat(np.arange(narratives), 5)
    observer = np.concatenate([rng.permutation(readers)[:5] for _ in range(narratives)])
    return people(sample_id=narrative, writer_id=narrative + 100, observer_id=observer)


def test_coverage_is_near_nominal_where_narratives_alone_fail():
    """Worlds in which readers have habits: 60 narratives, 5 readers each, 30 readers in all."""
    rng = np.random.default_rng(11)
    table = readings(rng)
    stories, habits = rng.normal(size=(60, WORLDS)), rng.normal(size=(30, WORLDS))
    noise = rng.normal(size=(300, WORLDS))
    values = stories[table["sample_id"]] + habits[table["observer_id"]] + noise
    assert 0.90 <= coverage(values, units(table)) <= 0.98
    assert coverage(values, rs.sampling_units(table, ["sample_id"])) < 0.8


def test_coverage_is_near_nominal_where_only_records_differ():
    """Crossed units, but neither matters: products of counts alone would cover 99.9 %."""
    rng = np.random.default_rng(13)
    table = readings(rng)
    values = rng.normal(size=(300, WORLDS))
    assert 0.90 <= coverage(values, units(table)) <= 0.985


def test_coverage_where_the_same_people_write_and_observe():
    """One habit colours a person's own narrative and what the person reads."""
    rng, n = np.random.default_rng(14), 60
    table = readings(rng, narratives=n, readers=n)
    table["writer_id"] = table["sample_id"]
    table["observer_id"] = (table["observer_id"] + 1).where(
        table["observer_id"] >= table["sample_id"], table["observer_id"]
    )
    habits = rng.normal(size=(n + 1, WORLDS))
    noise = rng.normal(size=(5 * n, WORLDS))
    values = habits[table["writer_id"]] + habits[table["observer_id"]] + noise
    assert units(table).pools == (0, 0)
    assert 0.90 <= coverage(values, units(table)) <= 0.98
    assert coverage(values, rs.sampling_units(table, ["sample_id"])) < 0.85


def test_coverage_where_writers_have_several_narratives():
    rng = np.random.default_rng(12)
    writer = np.repeat(np.arange(40), 6)
    table = people(sample_id=np.arange(240), writer_id=writer, observer_id=np.arange(240) + 900)
    values = rng.normal(size=(40, WORLDS))[writer] + rng.normal(size=(240, WORLDS))
    assert units(table).names == ("writer_id",)
    assert 0.90 <= coverage(values, units(table)) <= 0.98
    assert coverage(values, rs.sampling_units(table, ["sample_id"])) < 0.8


def test_crossed_spread_is_the_multiway_cluster_variance_of_a_mean():
    rng = np.random.default_rng(15)
    table = readings(rng)
    values = rng.normal(size=60)[table["sample_id"]] + rng.normal(size=30)[table["observer_id"]]
    residual = pd.Series(values - values.mean())
    parts = [(residual.groupby(table[c]).sum() ** 2).sum() for c in ("writer_id", "observer_id")]
    expected = np.sqrt(sum(parts) - (residual**2).sum()) / len(table)
    drawn = rs.bootstrap_draws(rs.weighted_mean(values[:, None]), units(table), resamples=4000)
    assert drawn.draws.std() == pytest.approx(expected, rel=0.06)


def test_monte_carlo_error_of_crossed_units_includes_that_of_the_spread():
    rng = np.random.default_rng(16)
    table = readings(rng, narratives=30, readers=20)
    statistic = rs.weighted_mean(rng.normal(size=(150, 1)))
    bands = pd.concat(
        [rs.bootstrap(statistic, units(table), resamples=600, seed=10 * s) for s in range(60)]
    )
    wandering = max(bands["low"].std(), bands["high"].std())
    assert 0.8 * wandering < bands["mc_error"].mean() < 2 * wandering


def test_pulled_in_draws_of_a_share_stay_shares():
    rng = np.random.default_rng(17)
    table = readings(rng)
    chosen = (np.arange(300) == 7).astype(float)[:, None]
    drawn = rs.bootstrap_draws(rs.weighted_mean(chosen), units(table), resamples=500)
    assert drawn.draws.min() >= 0


# --- folds ---

GROUPS = st.lists(st.sampled_from("abcdefgh"), min_size=12, max_size=40).filter(
    lambda groups: len(set(groups)) >= 4
)


@pytest.mark.parametrize(
    "design", [rs.writer_out, rs.narrative_out, rs.conversation_out, rs.expert_out]
)
@given(groups=GROUPS)
def test_groups_are_never_on_both_sides_and_every_row_is_tested_once(design, groups):
    parts = design(groups, folds=3)
    names = np.array(groups)
    for train, test in parts:
        assert not set(names[train]) & set(names[test])
        assert len(train) + len(test) == len(groups)
    tested = np.concatenate([test for _, test in parts])
    assert sorted(tested) == list(range(len(groups)))


def test_folds_are_of_even_size_and_depend_on_the_seed():
    writers = np.repeat(np.arange(40), 3)
    sizes = [len(test) for _, test in rs.writer_out(writers, folds=5)]
    assert sizes == [24] * 5
    one, other = (rs.writer_out(writers, seed=seed)[0][1].tolist() for seed in (1, 2))
    assert one != other


def test_person_out_takes_people_out_in_both_roles():
    rng = np.random.default_rng(4)
    writers, observers = rng.integers(30, size=(2, 200))
    tested = []
    for train, test in rs.person_out(observers, writers, folds=5):
        held_out = set(observers[test])
        assert not held_out & set(observers[train])
        assert not held_out & set(writers[train])
        tested += test.tolist()
    assert sorted(tested) == list(range(200))


def test_person_out_and_narrative_out_are_two_designs():
    narratives = np.repeat(np.arange(20), 5)
    observers, writers = np.tile(np.arange(100, 110), 10), narratives + 200
    [(train, test), *_] = rs.person_out(observers, writers)
    assert set(narratives[train]) & set(narratives[test])
    [(train, test), *_] = rs.narrative_out(narratives)
    assert set(observers[train]) & set(observers[test])


def test_too_few_groups_are_refused_by_name():
    with pytest.raises(ValueError, match="5 folds need at least 5 conversations; there are 2"):
        rs.conversation_out(["01", "01", "02"])


def test_that_the_writer_of_messages_is_unknown_is_said():
    assert "not the person who wrote it" in rs.WRITER_UNKNOWN
    assert "WRITER_UNKNOWN" in rs.conversation_out.__doc__
    assert "WRITER_UNKNOWN" in rs.expert_out.__doc__
