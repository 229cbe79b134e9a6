"""The key to a practice corpus, and data that have none."""

import json
from types import SimpleNamespace

import pandas as pd

from carebook import load_carebench
from carebook.sidecar import situations


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
