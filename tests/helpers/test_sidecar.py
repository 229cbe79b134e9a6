"""The key to a practice corpus, and data that have none."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from carebook import load_carebench
from carebook.sidecar import content_note, met_and_new, situations, themes


def corpus(*names, synthetic=True):
    narratives = pd.DataFrame(index=pd.Index(names, name="sample_id"))
    return SimpleNamespace(narratives=narratives, source=SimpleNamespace(synthetic=synthetic))


def write_key(folder, **told):
    narratives = {name: {"situation": situation} for name, situation in told.items()}
    path = folder / "truth.json"
    path.write_text(json.dumps({"narratives": narratives}), encoding="utf-8")
    return folder


def test_the_bundled_corpus_names_a_situation_for_every_narrative(monkeypatch):
    monkeypatch.delenv("CAREBENCH_DATA", raising=False)
    care = load_carebench()
    told = situations(care)
    assert told.index.equals(care.narratives.index)
    assert told.notna().all() and 1 < told.nunique() < len(told)


def test_the_key_beside_a_corpus_is_read_in_the_order_of_the_narratives(tmp_path, monkeypatch):
    folder = write_key(tmp_path, **{"02": "boiler", "01": "choir"})
    assert situations(corpus("01", "02"), folder).tolist() == ["choir", "boiler"]
    monkeypatch.setenv("CAREBENCH_DATA", str(folder))
    assert situations(corpus("01", "02")).tolist() == ["choir", "boiler"]


def test_a_key_to_other_narratives_is_no_key(tmp_path):
    folder = write_key(tmp_path, **{"01": "choir"})
    assert situations(corpus("01", "02"), folder) is None


def test_real_data_have_no_key(tmp_path):
    assert situations(corpus("01"), tmp_path) is None
    folder = write_key(tmp_path, **{"01": "choir"})
    assert situations(corpus("01", synthetic=False), folder) is None


# --- situations left out --------------------------------------------------------------------------


@pytest.fixture
def told():
    """Forty rows: ten situations by four writers each, of twenty writers who wrote twice."""
    rows = np.arange(40)
    return np.array([f"s{row % 10}" for row in rows]), np.array([f"w{row % 20}" for row in rows])


def test_both_designs_test_each_row_once_and_learn_from_equally_many(told):
    met, new = met_and_new(*told)
    for design in (met, new):
        assert sorted(np.concatenate([test for _, test in design])) == list(range(40))
    assert len({len(train) for train, _ in [*met, *new]}) == 1


def test_the_second_design_knows_neither_writers_nor_situations(told):
    situation, writer = told
    met, new = met_and_new(situation, writer)
    for train, test in [*met, *new]:
        assert not set(writer[train]) & set(writer[test])
    assert not any(set(situation[train]) & set(situation[test]) for train, test in new)
    assert any(set(situation[train]) & set(situation[test]) for train, test in met)


def test_a_fold_that_leaves_nothing_to_learn_from_is_refused():
    with pytest.raises(ValueError, match="Use more folds"):
        met_and_new(["a", "b", "a", "b"], ["w1", "w1", "w2", "w2"], folds=2)


# --- what a text touches on -----------------------------------------------------------------------


def write_themes(folder, kind="narratives", **touched):
    told = {name: {"situation": "s", "themes": themes} for name, themes in touched.items()}
    (folder / "truth.json").write_text(json.dumps({kind: told}), encoding="utf-8")
    return folder


def test_a_story_that_touches_on_something_hard_is_announced(tmp_path):
    folder = write_themes(tmp_path, **{"01": ["illness", "bereavement"], "02": []})
    data = corpus("01", "02")
    assert themes(data, folder) == {"01": ("illness", "bereavement")}
    note = "Content note: this story touches on illness and bereavement."
    assert content_note(data, "01", folder) == note
    assert content_note(data, "02", folder) == ""


def test_a_conversation_is_announced_from_the_key_beside_its_file(tmp_path, monkeypatch):
    folder = write_themes(tmp_path, "conversations", **{"7": ["illness"]})
    monkeypatch.setenv("IMBUE_DATA", str(folder / "imbue.csv"))
    (folder / "imbue.csv").write_text("x")
    conversations = pd.DataFrame(index=pd.Index(["7"], name="conversation_id"))
    source = SimpleNamespace(synthetic=True)
    data = SimpleNamespace(conversations=conversations, source=source)
    assert content_note(data, "7", what="conversation") == (
        "Content note: this conversation touches on illness."
    )


def test_without_a_key_to_these_texts_nothing_is_announced(tmp_path):
    folder = write_themes(tmp_path, **{"01": ["illness"]})
    assert themes(corpus("01", "02"), folder) == {}
    assert themes(corpus("01", synthetic=False), folder) == {}
