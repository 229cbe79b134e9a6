"""Figures that show what goes with what, and the weighted correlation behind them."""

import numpy as np
import pandas as pd
import pytest

from carebook import figures
from carebook.resampling import bootstrap, sampling_units, weighted_correlation

ANGRY, GLAD = "Angry, frustrated, annoyed", "Glad, happy, joyful"


def axes_of(shown):
    return shown.figure.axes[0]


def marks(axes):
    return [
        (float(x), float(y), line.get_marker())
        for line in axes.lines
        if line.get_marker() not in ("None", None, "") and len(line.get_xdata())
        for x, y in zip(*line.get_data(), strict=True)
    ]


def test_weighted_correlation_is_pearsons_r_when_every_row_counts_once():
    x, y = np.array([[1.0], [2.0], [4.0]]), np.array([[2.0], [1.0], [5.0]])
    r = weighted_correlation(x, y)(np.ones((1, 3)))
    assert r[0, 0] == pytest.approx(np.corrcoef(x.ravel(), y.ravel())[0, 1])


def test_a_row_of_weight_two_counts_as_two_rows():
    x, y = np.array([[1.0], [2.0], [4.0]]), np.array([[2.0], [1.0], [5.0]])
    twice = weighted_correlation(x, y)(np.array([[1, 1, 2]]))
    written_out = weighted_correlation(x[[0, 1, 2, 2]], y[[0, 1, 2, 2]])(np.ones((1, 4)))
    assert twice == pytest.approx(written_out)


def test_a_row_that_lacks_an_answer_is_left_out_of_its_pair_only():
    x = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [np.nan, 0.0]])
    y = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [9.0, 9.0]])
    r = weighted_correlation(x, y)(np.ones((1, 4)))[0]
    assert r[0] == pytest.approx(1) and r[1] < 0


def test_one_partner_may_serve_all_columns():
    x, y = np.array([[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]]), np.array([[1.0], [2.0], [3.0]])
    assert weighted_correlation(x, y)(np.ones((1, 3)))[0] == pytest.approx([1, -1])


def test_a_column_that_does_not_vary_has_no_correlation():
    x, y = np.array([[2.0], [2.0], [2.0]]), np.array([[1.0], [2.0], [3.0]])
    assert np.isnan(weighted_correlation(x, y)(np.ones((1, 3)))).all()


def test_its_interval_holds_the_estimate():
    columns = {"writer": list("abcdef"), "x": [1, 2, 3, 4, 5, 6], "y": [1, 3, 2, 5, 4, 6]}
    table = pd.DataFrame(columns)
    units = sampling_units(table, ["writer"])
    row = bootstrap(weighted_correlation(table[["x"]], table[["y"]]), units).iloc[0]
    assert row["low"] <= row["estimate"] <= row["high"]


def test_dimension_estimates_draws_each_value_in_the_order_of_the_statements():
    table = pd.DataFrame(
        {"estimate": [-0.3, 0.4], "low": [-0.4, 0.3], "high": [-0.2, 0.5]},
        index=["certainty.novelty", "certainty.construal"],
    )
    shown = figures.dimension_estimates(table, what="a correlation")
    assert marks(axes_of(shown)) == [(0.4, 1.0, "o"), (-0.3, 2.0, "s")]


def test_estimates_sorts_and_shortens():
    table = pd.DataFrame({"estimate": [-1.0, 2.0], "low": [-2, 1], "high": [0.5, 3]}, [ANGRY, GLAD])
    shown = figures.estimates(table, what="net feeling")
    names = [label.get_text() for label in axes_of(shown).get_yticklabels()]
    assert names == ["Glad", "Angry"]
    assert "Interval holds zero: Angry" in shown.alt


@pytest.mark.parametrize(
    ("sign", "low", "high", "outcome"),
    [
        ("+", 0.1, 0.2, "As stated 1, can't tell 0, against 0"),
        ("-", -0.2, -0.1, "As stated 1, can't tell 0, against 0"),
        ("+", -0.1, 0.2, "As stated 0, can't tell 1, against 0"),
        ("-", 0.1, 0.2, "As stated 0, can't tell 0, against 1"),
    ],
)
def test_a_stated_sign_is_held_against_the_interval(sign, low, high, outcome):
    link = {"emotion": ANGRY, "appraisal": "control.general", "sign": sign}
    link |= {"low": low, "high": high}
    shown = figures.stated_and_found(pd.DataFrame([link]))
    assert outcome in shown.alt
    assert marks(axes_of(shown))[0][2] == ("^" if sign == "+" else "v")


def test_a_sign_that_is_no_sign_is_refused():
    link = {"emotion": ANGRY, "appraisal": "control.general", "sign": "0", "low": 0, "high": 1}
    with pytest.raises(ValueError, match="leave such rows out"):
        figures.stated_and_found(pd.DataFrame([link]))


def test_emotion_map_places_emotions_and_moves():
    names = ["congruence.general", "accountability.other"]
    columns = pd.MultiIndex.from_product([names, ["estimate", "low", "high"]])
    places = pd.DataFrame([[2, 1.8, 2.2, 4, 3.8, 4.2]], columns=columns, index=[ANGRY])
    shown = figures.emotion_map(
        places, x=names[0], y=names[1], moves={"reconstrual": ((1, 5), (1, 2))}
    )
    assert "Angry 2.0 across, 4.0 up" in shown.alt
    assert "from 1 across, 5 up to 1 across, 2 up" in shown.alt
    assert (1.0, 5.0, "o") in marks(axes_of(shown))


def test_words_on_a_crowded_map_stand_apart():
    names = ["congruence.general", "accountability.other"]
    columns = pd.MultiIndex.from_product([names, ["estimate", "low", "high"]])
    places = pd.DataFrame([[2, 2, 2, 4, 4, 4]] * 2, columns=columns, index=[ANGRY, GLAD])
    words = axes_of(figures.emotion_map(places, x=names[0], y=names[1])).texts
    assert len({(word.get_ha(), word.get_va()) for word in words}) == 2
