"""CareBench-shaped objects made by hand or by a seed, small enough to check on paper."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from carebook.vocabulary import DIMENSIONS, LABELS, REASONING


def record(sample, person, observer=None, ratings=3, levels=(0, 0), labels=(), reasoning="same"):
    """One annotation: ``ratings`` and ``reasoning`` as a list, or one value for all."""
    return {
        "sample_id": sample,
        "participant_id": person,
        "observer": observer,
        "ratings": ratings if isinstance(ratings, list) else [ratings] * 22,
        "levels": levels,
        "labels": labels,
        "reasoning": reasoning if isinstance(reasoning, list) else [reasoning] * 5,
    }


def toy(*records):
    """A CareBench-like object of annotations, ratings, labels and reasoning."""
    ids = pd.Index(
        [f"{r['sample_id']}/{r['observer'] or 0}" for r in records], name="annotation_id"
    )
    perspective = pd.Categorical(
        ["observer" if r["observer"] else "experiencer" for r in records],
        categories=["experiencer", "observer"],
        ordered=True,
    )
    annotations = pd.DataFrame(
        {
            "sample_id": [r["sample_id"] for r in records],
            "participant_id": [r["participant_id"] for r in records],
            "perspective": perspective,
            "observer": pd.array([r["observer"] for r in records], dtype="Int64"),
            "positive_level": [r["levels"][0] for r in records],
            "negative_level": [r["levels"][1] for r in records],
        },
        index=ids,
    )
    return SimpleNamespace(
        annotations=annotations,
        ratings=pd.DataFrame([r["ratings"] for r in records], index=ids, columns=list(DIMENSIONS)),
        labels=pd.DataFrame(
            [[label in r["labels"] for label in LABELS] for r in records],
            index=ids,
            columns=list(LABELS),
        ),
        reasoning=pd.DataFrame(
            [r["reasoning"] for r in records], index=ids, columns=list(REASONING)
        ),
    )


SENTENCE = "the job was mine and I lost it because my boss did not see how much she meant"


def random_toy(narratives=500, unread=500, people=300, seed=1):
    """A corpus of any size; writers and observers recur and are partly the same people."""
    rng = np.random.default_rng(seed)
    total = narratives + unread
    sample = np.concatenate([np.arange(total), np.repeat(np.arange(narratives), 5)])
    observer = np.concatenate([np.zeros(total, int), np.tile(np.arange(1, 6), narratives)])
    person = rng.integers(people, size=len(sample))
    for slot in range(1, 6):  # five different readers, none of them the writer
        person[observer == slot] = (person[:narratives] + slot * 7) % people
    order = np.lexsort((observer, sample))
    sample, observer, person = sample[order], observer[order], person[order]
    story = rng.normal(size=(total, 22))[sample] + rng.normal(size=(people, 22))[person]
    ratings = np.clip(np.round(3 + story * 0.8 + rng.normal(size=story.shape) * 0.6), 1, 5)
    feeling = rng.normal(size=(total, 20))[sample] + rng.normal(size=(len(sample), 20)) * 0.6
    ids = pd.Index([f"{s:04d}/{o}" for s, o in zip(sample, observer, strict=True)])
    annotations = pd.DataFrame(
        {
            "sample_id": [f"{s:04d}" for s in sample],
            "participant_id": [f"practice-p{p:04d}" for p in person],
            "perspective": pd.Categorical(
                np.where(observer == 0, "experiencer", "observer"),
                categories=["experiencer", "observer"],
                ordered=True,
            ),
            "observer": pd.array(observer, dtype="Int64"),
            "positive_level": rng.integers(7, size=len(sample)),
            "negative_level": rng.integers(7, size=len(sample)),
        },
        index=ids,
    )
    annotations["observer"] = annotations["observer"].mask(annotations["observer"] == 0)
    words = np.array(SENTENCE.split(), dtype=object)
    texts = [
        [" ".join(words[rng.integers(len(words), size=25)]) for _ in REASONING] for _ in sample
    ]
    return SimpleNamespace(
        annotations=annotations,
        ratings=pd.DataFrame(ratings.astype("int64"), index=ids, columns=list(DIMENSIONS)),
        labels=pd.DataFrame(feeling > 1, index=ids, columns=list(LABELS)),
        reasoning=pd.DataFrame(texts, index=ids, columns=list(REASONING)),
    )
