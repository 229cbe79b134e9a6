"""Figures: what is drawn equals what the table says, and the alternative text tells it."""

import base64
import struct
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from carebook import figures
from carebook.vocabulary import DIMENSIONS, LABELS, SKILLS, TRAITS

SYNTHETIC = SimpleNamespace(synthetic=True, label="practice corpus (synthetic)")
REAL = SimpleNamespace(synthetic=False, label="CAREBench")


def axes_of(shown):
    return shown.figure.axes


def line_points(axes, marker=None):
    """All plotted points whose line has a marker (or the given one), as (x, y) pairs."""
    return [
        (float(x), float(y))
        for line in axes.lines
        if line.get_marker() not in ("None", None, "") and marker in (None, line.get_marker())
        for x, y in zip(*line.get_data(), strict=True)
    ]


def bar_heights(container):
    return [round(float(bar.get_height()), 6) for bar in container]


def tick_names(axes):
    return [label.get_text().replace("\n", " ") for label in axes.get_yticklabels()]


def intervals(rows, index):
    return pd.DataFrame(rows, columns=["estimate", "low", "high"], index=index)


@pytest.fixture
def readings():
    return pd.DataFrame(
        {
            "perspective": pd.Categorical(
                ["observer", "experiencer", "observer", "observer", "experiencer", "observer"],
                ["experiencer", "observer"],
                ordered=True,
            ),
            "value": [1, 5, 1, 1, 4, 2],
        }
    )


# --- Described ----------------------------------------------------------------------------------


def test_a_described_figure_is_a_png_with_its_alt_text():
    shown = figures.panel_curve(pd.DataFrame({"rmse": [0.4, 0.3]}, index=[1, 5]))
    data, about = shown._repr_mimebundle_()
    image = base64.b64decode(data["image/png"])
    assert image.startswith(b"\x89PNG")
    assert data["text/plain"] == shown.alt == about["image/png"]["alt"]
    drawn_width = struct.unpack(">I", image[16:20])[0]
    assert about["image/png"]["width"] * 2 == pytest.approx(drawn_width, abs=2)


def test_the_notebook_machinery_accepts_the_bundle():
    formatters = pytest.importorskip("IPython.core.formatters", reason="IPython is not installed")
    shown = figures.panel_curve(pd.DataFrame({"rmse": [0.4, 0.3]}, index=[1, 5]))
    data, about = formatters.DisplayFormatter().format(shown)
    assert set(data) == {"image/png", "text/plain"}
    assert about["image/png"]["alt"] == shown.alt


@pytest.mark.parametrize(
    "alt", ["A chart: 3.", "A long text that speaks of values and names not one"]
)
def test_an_alt_text_that_tells_nothing_is_refused(alt):
    with pytest.raises(ValueError, match="does not stand in"):
        figures.Described(None, alt)


def test_a_pyplot_figure_is_not_shown_twice():
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    axes.bar(["yes", "no"], [3, 1])
    figures.Described(figure, "Bars: 3 messages show the skill and 1 message does not show it.")
    assert pyplot.get_fignums() == []


def test_the_same_values_give_the_same_bytes():
    table = pd.DataFrame({"rmse": [0.4, 0.3]}, index=[1, 5])
    assert figures.panel_curve(table).png() == figures.panel_curve(table).png()


def test_importing_the_module_loads_no_plotting_library():
    program = (
        "import sys, carebook.figures;"
        "print([m for m in ('matplotlib', 'seaborn', 'sklearn', 'IPython') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_drawing_leaves_the_readers_own_style_alone():
    import matplotlib

    before = dict(matplotlib.rcParams)
    figures.panel_curve(pd.DataFrame({"rmse": [0.4, 0.3]}, index=[1, 5])).png()
    assert dict(matplotlib.rcParams) == before


# --- the mark for synthetic data ----------------------------------------------------------------


@pytest.mark.parametrize(("source", "marked"), [(SYNTHETIC, True), (REAL, False), (None, False)])
def test_only_synthetic_data_carry_the_mark(source, marked):
    shown = figures.panel_curve(pd.DataFrame({"rmse": [0.4, 0.3]}, index=[1, 5]), source=source)
    texts = [text.get_text() for text in shown.figure.texts]
    assert (figures.SYNTHETIC_MARK in texts) is marked
    assert ("ynthetic practice data" in shown.alt) is marked


# --- one narrative, and appraisals with emotions ------------------------------------------------


def test_a_profile_draws_each_rating_at_its_value():
    values = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2]
    one = pd.DataFrame([values], index=["experiencer"], columns=DIMENSIONS)
    shown = figures.appraisal_profile(one)
    (axes,) = axes_of(shown)
    names = tick_names(axes)
    drawn = [(x, names[int(y)]) for x, y in line_points(axes)]
    assert drawn == [(v, d.split(".")[1]) for v, d in zip(values, DIMENSIONS, strict=True)]
    assert "8 of 22 statements agreed with, 10 disagreed with" in shown.alt
    assert "Highest, 5: relevance: bodily motives" not in shown.alt
    assert "Highest, 5: relevance: social motives" in shown.alt


def test_profiles_of_several_readings_tell_where_they_part():
    two = pd.DataFrame(
        [[3] * 22, [3] * 22], index=["experiencer", "observer 1"], columns=DIMENSIONS
    )
    two.loc["observer 1", "control.select"] = 5
    shown = figures.appraisal_profile(two, source=SYNTHETIC)
    assert "control: select: experiencer 3, observer 1 5" in shown.alt
    assert "Alike on 21 of 22" in shown.alt


def test_a_profile_with_missing_or_too_many_rows_is_refused():
    with pytest.raises(ValueError, match=r"no column accountability\.fairness"):
        figures.appraisal_profile(pd.DataFrame([[3] * 21], columns=DIMENSIONS[:-1]))
    with pytest.raises(ValueError, match="9 profiles"):
        figures.appraisal_profile(pd.DataFrame([[3] * 22] * 9, columns=DIMENSIONS))


def test_the_heat_map_shows_each_correlation_in_its_cell():
    r = pd.DataFrame(
        [[0.5, -0.2], [np.nan, 0.1], [-0.4, 0.0]],
        index=["relevance.general", "relevance.goals", "control.general"],
        columns=[LABELS[0], LABELS[10]],
    )
    shown = figures.appraisal_emotion_heatmap(r)
    axes = axes_of(shown)[0]
    cells = np.ma.filled(axes.collections[0].get_array().reshape(-1, 2), np.nan)
    assert tick_names(axes) == ["relevance", "general", "goals", "control", "general"]
    np.testing.assert_allclose(cells[[1, 2, 4]], r.to_numpy())
    assert np.isnan(cells[[0, 3]]).all()
    assert [t.get_text() for t in axes.texts] == ["0.50", "−0.20", "0.10", "−0.40", "0.00"]
    assert "relevance: general with Hopeful 0.50" in shown.alt
    assert "control: general with Hopeful −0.40" in shown.alt


def test_a_wide_heat_map_marks_the_sign_of_strong_cells_only():
    r = pd.DataFrame(0.1, index=list(DIMENSIONS), columns=list(LABELS))
    r.iloc[0, 0], r.iloc[1, 1] = 0.6, -0.3
    axes = axes_of(figures.appraisal_emotion_heatmap(r))[0]
    assert sorted(t.get_text() for t in axes.texts if t.get_text()) == ["+", "−"]


def test_something_that_is_no_correlation_is_refused():
    with pytest.raises(ValueError, match="between -1 and 1"):
        figures.appraisal_emotion_heatmap(
            pd.DataFrame({LABELS[0]: [3.0]}, index=["control.general"])
        )


# --- people -------------------------------------------------------------------------------------


def test_recurrence_counts_people_by_how_often_they_come_back():
    table = pd.DataFrame(
        {
            "participant_id": ["p1", "p1", "p2", "p1", "p3", "p3", "p3"],
            "perspective": ["experiencer"] * 3 + ["observer"] * 4,
        }
    )
    shown = figures.recurrence(table)
    writers, observers = axes_of(shown)
    assert bar_heights(writers.containers[0]) == [1, 1]
    assert [bar.get_x() + 0.4 for bar in observers.containers[0]] == [1, 3]
    assert "experiencer: 2 people gave 3 annotations; 1 person gave only one" in shown.alt
    assert "1 person took part in more than one role" in shown.alt


def test_stored_scores_lie_at_their_own_height():
    people = pd.DataFrame({"participant_id": ["p1", "p1", "p2"]})
    for trait in TRAITS:
        people[trait], people[f"{trait}_stored"] = [2.0, 2.0, 10.0], [0.0, 0.0, 10.0]
    shown = figures.stored_and_recomputed(people)
    points = axes_of(shown)[0].collections[0].get_offsets()
    np.testing.assert_allclose(points, [[2, 0], [10, 10]])
    assert "Openness: equal for 50% of 2 people" in shown.alt


# --- experiencer against observers --------------------------------------------------------------


@pytest.mark.parametrize("categorical", [True, False])
def test_each_perspective_keeps_its_own_bars(readings, categorical):
    if not categorical:
        readings["perspective"] = readings["perspective"].astype(str)
    shown = figures.answer_distribution(readings, name="control.general")
    (axes,) = axes_of(shown)
    writers, observers = axes.containers
    assert bar_heights(writers) == [0, 0, 0, 0.5, 0.5]
    assert bar_heights(observers) == [0.75, 0.25, 0, 0, 0]
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend == ["experiencer (n = 2)", "observer (n = 4)"]
    assert {bar.get_hatch() for bar in observers} == {"///"}
    # seaborn draws the first group left of the second at each answer.
    assert writers[0].get_x() < observers[0].get_x()
    assert "experiencer (2 readings): 1: 0%" in shown.alt and "mean 4.50" in shown.alt
    assert "observer (4 readings): 1: 75%, 2: 25%" in shown.alt


def test_intensities_use_their_own_scale_and_strange_answers_are_refused(readings):
    shown = figures.answer_distribution(
        readings, name="positive intensity", scale=figures.POSITIVE_SCALE
    )
    assert len(axes_of(shown)[0].containers[0]) == 7
    readings.loc[0, "value"] = 6
    with pytest.raises(ValueError, match="6 is no answer on the scale 1 to 5"):
        figures.answer_distribution(readings, name="control.general")


def test_gaps_are_sorted_and_undecided_ones_are_hollow():
    gaps = intervals(
        [(-0.5, -0.7, -0.3), (0.1, -0.1, 0.3), (0.4, 0.2, 0.6)],
        ["control.general", "control.select", "relevance.goals"],
    )
    shown = figures.gap_by_dimension(gaps)
    (axes,) = axes_of(shown)
    assert line_points(axes, "o") == [(0.4, 0), (0.1, 1), (-0.5, 2)]
    ends = [
        tuple(map(float, line.get_xdata())) for line in axes.lines if len(line.get_xdata()) == 2
    ]
    assert ends[:3] == [(0.2, 0.6), (-0.1, 0.3), (-0.7, -0.3)]
    assert tick_names(axes) == ["relevance: goals", "control: select", "control: general"]
    fills = [line.get_markerfacecolor() for line in axes.lines if line.get_marker() == "o"]
    assert [fill == "white" for fill in fills] == [False, True, False]
    assert "Above zero: relevance: goals 0.40 (0.20 to 0.60)" in shown.alt
    assert "Interval holds zero: control: select 0.10 (−0.10 to 0.30)" in shown.alt
    assert "1 of 3 dimensions higher" in shown.figure.get_suptitle().replace("\n", " ")


def test_a_table_without_its_columns_or_rows_is_refused():
    with pytest.raises(ValueError, match="no column low and high"):
        figures.gap_by_dimension(pd.DataFrame({"estimate": [1.0]}, index=["control.general"]))
    with pytest.raises(ValueError, match="no rows"):
        figures.gap_by_dimension(intervals([], []))


def test_the_panel_curve_starts_its_axis_at_zero_and_shows_what_no_panel_removes():
    curve = pd.DataFrame(
        {"rmse": [0.4, 0.3], "low": [0.35, 0.25], "high": [0.45, 0.35], "shared": 0.04},
        index=[1, 5],
    )
    shown = figures.panel_curve(curve)
    (axes,) = axes_of(shown)
    assert line_points(axes, "o") == [(1, 0.4), (5, 0.3)]
    assert axes.get_ylim()[0] == 0
    assert axes.lines[1].get_ydata()[0] == pytest.approx(0.2)
    assert "falls by 25%" in shown.alt and "lies at 0.20" in shown.alt
    curve["shared"] = -0.01
    assert "lies at 0.00" in figures.panel_curve(curve).alt
    assert "rises by 50%" in figures.panel_curve(pd.DataFrame({"rmse": [2, 3]}, index=[1, 2])).alt


# --- emotions and baselines ---------------------------------------------------------------------


def test_label_shares_lie_where_the_table_says():
    shares = pd.DataFrame(
        {"experiencer": [0.1, 0.4], "observer": [0.3, 0.5]}, index=[LABELS[0], LABELS[10]]
    )
    shown = figures.label_frequencies(shares)
    (axes,) = axes_of(shown)
    assert tick_names(axes) == ["Angry", "Hopeful"]
    assert line_points(axes, "D") == [(0.4, 0), (0.1, 1)]
    assert line_points(axes, "o") == [(0.5, 0), (0.3, 1)]
    assert "Largest difference: Hopeful, experiencer 10%, observer 30%" in shown.alt


@pytest.fixture
def changes():
    rows = [
        (LABELS[0], "missed", 0.2, 0.1, 0.3, 2, 10),
        (LABELS[10], "missed", 0.6, 0.5, 0.7, 6, 10),
        (LABELS[3], "missed", np.nan, np.nan, np.nan, 0, 0),
        (LABELS[0], "added", 0.4, 0.3, 0.5, 4, 10),
        (LABELS[10], "added", 0.1, 0.0, 0.2, 1, 10),
        (LABELS[3], "added", 0.05, 0.0, 0.1, 1, 20),
        (LABELS[0], "balance", 0.1, 0.0, 0.2, 2, 20),
    ]
    columns = ["label", "kind", "estimate", "low", "high", "count", "out_of"]
    return pd.DataFrame(rows, columns=columns)


def test_missed_and_added_labels_lie_in_panels_of_their_own(changes):
    shown = figures.label_changes(changes, source=SYNTHETIC)
    missed, added = axes_of(shown)
    assert tick_names(missed) == ["Angry", "Hopeful", "Love"]
    assert line_points(missed, "D")[:2] == [(0.6, 0), (0.2, 1)]
    assert np.isnan(line_points(missed, "D")[2][0])
    assert line_points(added, "o") == [(0.1, 0), (0.4, 1), (0.05, 2)]
    bars = [line[:, 0].tolist() for line in missed.collections[0].get_segments() if len(line)]
    assert bars[:2] == [[0.5, 0.7], [0.1, 0.3]]
    assert "whose writer chose it: Angry 60% (50% to 70%; 6 of 10), Hopeful 20%" in shown.alt
    assert "Love" not in shown.alt.split("Added")[0]
    assert "whose writer did not: Hopeful 40% (30% to 50%; 4 of 10), Angry 10%" in shown.alt
    title = shown.figure.get_suptitle().replace("\n", " ")
    assert title == "Angry is missed most often, Hopeful is added most often"


def test_label_changes_need_both_kinds(changes):
    with pytest.raises(ValueError, match="No row is of kind 'added'"):
        figures.label_changes(changes[changes["kind"] == "missed"])


def test_label_changes_are_drawn_from_the_table_that_perspectives_makes():
    from toy_carebench import random_toy

    from carebook.perspectives import label_changes, pair_labels

    table = label_changes(pair_labels(random_toy(narratives=20, people=12)), resamples=50)
    missed, added = axes_of(figures.label_changes(table))
    for axes, kind in ((missed, "missed"), (added, "added")):
        expected = table[table["kind"] == kind].set_index("label")["estimate"]
        drawn = dict(zip(tick_names(missed), (x for x, _ in line_points(axes)), strict=True))
        for label, share in expected.items():
            assert drawn[figures.short_label(label)] == pytest.approx(share)


def test_confusions_are_counted_and_shaded_by_row():
    counts = pd.DataFrame([[6, 2], [0, 0]], index=["strong", "weak"], columns=["strong", "weak"])
    shown = figures.confusion(counts)
    axes = axes_of(shown)[0]
    np.testing.assert_allclose(axes.collections[0].get_array().ravel(), [0.75, 0.25, 0, 0])
    assert [t.get_text() for t in axes.texts] == ["6", "2", "0", "0"]
    assert "Same choice: 6 (75%)" in shown.alt


def test_models_are_drawn_beside_the_best_constant():
    scores = intervals([(0.3, 0.28, 0.32), (0.2, 0.18, 0.22)], ["constant", "words"])
    scores["input_by"] = ["nobody", "story text"]
    shown = figures.baseline_scores(
        scores, metric="RMSE", constant="constant", lower_is_better=True
    )
    (axes,) = axes_of(shown)
    assert line_points(axes, "s") == [(0.3, 0)]
    assert line_points(axes, "D") == [(0.2, 1)]
    assert axes.lines[-1].get_xdata()[0] == 0.3
    assert not axes.yaxis_inverted()
    assert "best first: words (input: story text) 0.20" in shown.alt
    with pytest.raises(ValueError, match="No row is called 'mean'"):
        figures.baseline_scores(scores, metric="RMSE", constant="mean")


def test_long_names_stay_inside_the_figure():
    scores = intervals([(0.3, 0.28, 0.32), (0.2, 0.18, 0.22)], ["best constant", "22 ratings"])
    scores["input_by"] = ["nobody", "experiencer's own answers"]
    names = ["experiencer", *(f"observer {n}" for n in range(1, 6))]
    readings = pd.DataFrame([[3] * 22] * 6, index=names, columns=DIMENSIONS)
    for shown in (
        figures.baseline_scores(scores, metric="normalised RMSE"),
        figures.appraisal_profile(readings),
    ):
        shown.figure.canvas.draw()
        (axes,) = axes_of(shown)
        assert axes.get_legend().get_window_extent().x1 <= shown.figure.bbox.x1


# --- DEAR MAN -----------------------------------------------------------------------------------


def test_skill_shares_fill_each_bar_and_keep_the_two_kinds_of_mark_apart():
    marks = [("describe", "strong")] * 3 + [("describe", "none")] + [("mindful", "no")] * 2
    judgements = pd.DataFrame(marks, columns=["skill", "label"])
    judgements["label"] = judgements["label"].astype("category")
    shown = figures.skill_labels(judgements)
    strength, state = axes_of(shown)
    assert [float(bars[0].get_width()) for bars in strength.containers] == [0.75, 0, 0.25]
    assert [float(bars[0].get_x()) for bars in strength.containers] == [0, 0.75, 0.75]
    assert [float(bars[0].get_width()) for bars in state.containers] == [0, 1]
    assert "Describe: strong 75%, weak 0%, none 25% (4 judgements)" in shown.alt
    assert "Stay mindful: yes 0%, no 100% (2 judgements)" in shown.alt


def test_skill_use_follows_the_position_in_the_conversation():
    uses = pd.DataFrame(
        {
            "skill": ["describe", "describe", "assert", "assert"],
            "position": [2, 1, 1, 2],
            "share": [0.25, 1.0, 0.5, 0.75],
            "judgements": [4, 8, 8, 4],
        }
    )
    shown = figures.skill_by_position(uses)
    describe, assertion = axes_of(shown)
    np.testing.assert_allclose(describe.lines[0].get_xydata(), [[1, 1], [2, 0.25]])
    np.testing.assert_allclose(assertion.lines[0].get_xydata(), [[1, 0.5], [2, 0.75]])
    assert "Describe: 100% at position 1, 25% at position 2" in shown.alt
    assert "Describe changes most" in shown.figure.get_suptitle()
    uses.loc[0, ["share", "judgements"]] = [0.0, 3]
    assert "Describe: 100% at position 1, 100% at position 1" in figures.skill_by_position(uses).alt


def test_experts_are_sorted_by_strictness_with_their_counts():
    experts = intervals([(0.4, 0.3, 0.5), (0.6, 0.5, 0.7)], ["expert 1", "expert 2"])
    experts["judgements"] = [90, 80]
    shown = figures.expert_strictness(experts)
    (axes,) = axes_of(shown)
    assert line_points(axes, "o") == [(0.6, 0), (0.4, 1)]
    assert tick_names(axes) == ["expert 2 (n = 80)", "expert 1 (n = 90)"]
    assert "expert 2 60% (50% to 70%, 80 judgements)" in shown.alt


def test_suggestion_targets_tell_the_share_that_is_about_a_missing_skill():
    shares = intervals([(0.25, 0.1, 0.4), (0.5, 0.3, 0.7)], ["describe", "negotiate"])
    shares["suggestions"] = [40, 1]
    shown = figures.suggestion_targets(shares)
    (axes,) = axes_of(shown)
    assert line_points(axes, "o") == [(0.5, 0), (0.25, 1)]
    assert tick_names(axes) == ["Negotiate (n = 1)", "Describe (n = 40)"]
    assert "Negotiate 50% (30% to 70%, 1 suggestion)" in shown.alt
    assert "In 25% to 50% of the advice" in shown.figure.get_suptitle().replace("\n", " ")


def test_agreement_stands_beside_what_chance_would_give():
    agreement = intervals([(0.8, 0.6, 0.9)] * 7, list(SKILLS))
    agreement["messages"], agreement["chance"] = 33, 0.5
    shown = figures.skill_agreement(agreement)
    (axes,) = axes_of(shown)
    assert line_points(axes, "x") == [(0.5, y) for y in range(7)]
    assert "Appear confident 80% (60% to 90%, 33 messages, chance 50%)" in shown.alt


def test_a_share_without_an_interval_is_a_dot_and_told_as_one():
    agreement = intervals([(1.0, np.nan, np.nan), (0.8, 0.6, 0.9)], ["negotiate", "describe"])
    agreement["messages"], agreement["chance"] = 33, 0.5
    shown = figures.skill_agreement(agreement)
    assert "Negotiate 100% (no interval, 33 messages, chance 50%)" in shown.alt
    (axes,) = axes_of(shown)
    assert line_points(axes, "o") == [(1.0, 0), (0.8, 1)]
    assert not any(line.get_clip_on() for line in axes.lines), "a dot at 100% would be cut in half"


def test_agreement_without_a_message_judged_twice_says_so():
    nothing = intervals([(np.nan, np.nan, np.nan)] * 2, ["describe", "assert"])
    nothing["messages"], nothing["chance"] = 0, np.nan
    shown = figures.skill_agreement(nothing)
    assert shown.figure.get_suptitle() == "No message was judged by two experts"
    assert "Describe no value" in shown.alt


def test_a_hostile_name_of_an_expert_is_drawn_harmlessly():
    experts = intervals(
        [(0.4, 0.3, 0.5)] * 3, ["$\\frac$", "red \x1b[31m", "turned \u202e" + "x" * 200]
    )
    experts["judgements"] = 9
    shown = figures.expert_strictness(experts)
    assert shown.png()
    assert "$\\frac$" in shown.alt
    assert shown.alt.isprintable()
    assert max(map(len, tick_names(axes_of(shown)[0]))) < 60
