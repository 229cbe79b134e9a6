"""Read a story as another person: the observers' task, then all views of the story side by side.

The documentation of CAREBench leaves open whether observers were asked what the writer felt or what
they would have felt themselves. So the tool asks both, one after the other, and shows what that
changes.
"""

from dataclasses import replace

import numpy as np
import pandas as pd

from carebook.carebench import load_carebench
from carebook.pairs import LEVELS, Pairs, pair_ratings
from carebook.perspectives import profile_agreement
from carebook.sidecar import content_notes
from carebook.tables import text_column, text_index
from carebook.tools.base import NOTHING_REAL, PRACTICE, SYNTHETIC, Tool
from carebook.vocabulary import (
    AGREEMENT,
    DIMENSIONS,
    GROUPS,
    INTENSITY_WORDS,
    LABELS,
    NEGATIVE_LABELS,
    POSITIVE_LABELS,
    REASONING,
    STATEMENTS,
)

READER = "you"
ASKED = ("writer", "self")
"""What a reader was asked: what the writer felt, or what they would have felt themselves."""

QUESTIONS = {
    "relevance": "Did it matter, and why?",
    "certainty": "Was it clear and expected?",
    "congruence": "Did it help or hurt what was wanted?",
    "control": "What could be done about it?",
    "accountability": "Who or what was behind it?",
}
"""The five core appraisals as questions, in our words."""

SIMULATED = (
    "Here the writer and the five observers are simulated: a program made the story and all of "
    "their answers. So what you see is how one compares, and no finding about people."
)


class ReadStory(Tool):
    """The tool that :func:`read_story` makes.

    Attributes
    ----------
    care : CareBench
        The data that the stories come from: the practice corpus if other data were given.
    """

    name = "read_story"
    title = "Read a story as another person"

    def __init__(self, data, care):
        super().__init__(data, care.source)
        self.care = care

    @property
    def answers(self):
        """The reader's answers, a row for each story and question: see :func:`answers_table`."""
        return answers_table(self._rows)


def read_story(care, stories=None):
    """Show stories to read, ask what observers were asked, and compare all views.

    Parameters
    ----------
    care : CareBench
        What ``load_carebench()`` returned. If it is not synthetic, the bundled practice corpus
        stands in for it, and the tool says so.
    stories : sequence of str, optional
        Sample ids of narratives with five observers. Without it, four of different kinds: a
        pleasant one, an unpleasant one, one with strong feelings of both kinds, and the one whose
        observers differ most.

    Returns
    -------
    ReadStory
        The last line of a cell. ``tool.answers`` holds the answers.

    Raises
    ------
    ValueError
        If a story is not there, or not read by five observers.

    Examples
    --------
    >>> from carebook import load_carebench
    >>> tool = read_story(load_carebench())
    >>> len(tool.data["stories"]), len(tool.answers)
    (4, 0)
    """
    about, source = SYNTHETIC, None
    if not care.source.synthetic:
        care, about, stories = load_carebench(PRACTICE), NOTHING_REAL, None
        source = PRACTICE
    full = _full_panels(care)
    chosen = _kinds(care, full) if stories is None else list(stories)
    for sample in chosen:
        if sample not in full:
            raise ValueError(f"Narrative {sample!r} is not one that five observers read.")
    notes = content_notes(care, source)
    data = {
        "about": about,
        "simulated": SIMULATED,
        "asked": [
            {"id": "writer", "question": "What did the writer feel?"},
            {"id": "self", "question": "What would you have felt?"},
        ],
        "questions": QUESTIONS,
        "groups": [
            {"name": group.capitalize(), "statements": [[name, STATEMENTS[name]] for name in names]}
            for group, names in GROUPS.items()
        ],
        "agreement": list(AGREEMENT),
        "labels": [
            ["Positive emotions", list(POSITIVE_LABELS)],
            ["Negative emotions", list(NEGATIVE_LABELS)],
        ],
        "levels": list(LEVELS),
        "intensity": list(INTENSITY_WORDS),
        "stories": [_story(care, sample, notes) for sample in chosen],
    }
    return ReadStory(data, care)


def answers_table(rows, reader=READER):
    """Turn the page's answers into one table with the columns of ``load_carebench()``'s tables.

    Parameters
    ----------
    rows : sequence of dict
        As the tool's page and its files hold them.
    reader : str, default "you"
        Who answered.

    Returns
    -------
    DataFrame
        Index ``annotation_id`` (``"0007/you-writer"``); ``sample_id``, ``participant_id``,
        ``perspective``, ``observer`` (<NA>: a reader has no place on the panel),
        ``positive_level``, ``negative_level`` as in ``annotations``; ``asked`` (categorical:
        writer, self); the 22 ratings, the 20 labels and the five columns of ``reasoning`` (missing
        unless the reader chose to keep them).

    Examples
    --------
    >>> row = {"sample_id": "0007", "asked": "self", "labels": [], "reasons": {}}
    >>> row |= {"ratings": dict.fromkeys(DIMENSIONS, 3), "levels": dict.fromkeys(LEVELS, 0)}
    >>> answers_table([row])["control.general"].to_dict()
    {'0007/you-self': 3}
    """
    rows = list(rows)
    index = text_index([f"{r['sample_id']}/{reader}-{r['asked']}" for r in rows], "annotation_id")
    columns = {
        "sample_id": text_column([row["sample_id"] for row in rows]),
        "participant_id": text_column([reader] * len(rows)),
        "perspective": pd.Categorical(
            ["observer"] * len(rows), categories=["experiencer", "observer"], ordered=True
        ),
        "observer": pd.array([pd.NA] * len(rows), dtype="Int64"),
        "asked": pd.Categorical([row["asked"] for row in rows], categories=ASKED),
    }
    columns |= {
        name: np.array([row["levels"][name] for row in rows], dtype=np.int64) for name in LEVELS
    }
    columns |= {
        name: np.array([row["ratings"][name] for row in rows], dtype=np.int64)
        for name in DIMENSIONS
    }
    columns |= {
        label: np.array([label in row["labels"] for row in rows], dtype=bool) for label in LABELS
    }
    columns |= {
        name: text_column([row["reasons"].get(name) or None for row in rows]) for name in REASONING
    }
    return pd.DataFrame(columns, index=index)


def join_answers(care, answers):
    """Put readers' answers beside the observers', so that the chapters' functions run on them.

    Parameters
    ----------
    care : CareBench
        The data that the stories came from: ``tool.care``.
    answers : DataFrame
        From ``tool.answers`` or a class's file, usually for one question only:
        ``answers.query("asked == 'writer'")``.

    Returns
    -------
    CareBench
        ``annotations``, ``ratings``, ``labels`` and ``reasoning`` have a row more for each answer;
        ``attention_check`` is missing there. ``people`` and ``turns`` say nothing about readers.

    Raises
    ------
    ValueError
        If the data are not synthetic, or a story is not in them.

    Examples
    --------
    >>> from carebook import load_carebench
    >>> care = load_carebench()
    >>> len(join_answers(care, answers_table([])).ratings) == len(care.ratings)
    True
    """
    if not care.source.synthetic:
        raise ValueError(
            "These answers are about practice stories, and the data are not the practice corpus. "
            "Take the data that the tool used: tool.care."
        )
    strange = answers.loc[~answers["sample_id"].isin(care.narratives.index), "sample_id"]
    if len(strange):
        raise ValueError(f"There is no narrative {strange.iloc[0]!r} in these data.")
    if not len(answers):
        return care
    order = pd.concat([care.annotations["sample_id"], answers["sample_id"]])
    order = order.sort_values(kind="stable").index
    tables = {
        name: pd.concat([table, answers.reindex(columns=table.columns).astype(_types(table))])
        for name, table in (
            ("annotations", care.annotations),
            ("ratings", care.ratings),
            ("labels", care.labels),
            ("reasoning", care.reasoning),
        )
    }
    return replace(care, **{name: table.loc[order] for name, table in tables.items()})


def typical_answers(care, sample_id):
    """What writers of other stories answer on average: a profile that has read nothing.

    Parameters
    ----------
    care : CareBench
    sample_id : str
        The narrative to leave out, with all others by the same person.

    Returns
    -------
    Series
        The mean of each of the 22 ratings.

    Examples
    --------
    >>> from carebook import load_carebench
    >>> typical_answers(load_carebench(), "0001").between(1, 5).all()
    np.True_
    """
    writer = care.narratives["participant_id"]
    others = writer.index[writer != writer[sample_id]]
    return care.ratings.loc[others + "/0"].mean()


def reading_distances(care, answers):
    """How far each reader, each observer and the typical answers are from the writer.

    Parameters
    ----------
    care : CareBench
        ``tool.care``.
    answers : DataFrame
        ``tool.answers``; both questions may be in it.

    Returns
    -------
    DataFrame
        Index ``annotation_id`` (``"0007/typical"`` for the typical answers): ``sample_id``,
        ``distance`` (mean absolute difference over the 22 statements, in points of the scale from 1
        to 5) and ``similarity`` (correlation of the two profiles; missing where one is flat). Both
        hold reading, chance and the use of the scale: one story can't part them.

    Examples
    --------
    >>> from carebook import load_carebench
    >>> row = {"sample_id": "0001", "asked": "self", "labels": [], "reasons": {}}
    >>> row |= {"ratings": dict.fromkeys(DIMENSIONS, 3), "levels": dict.fromkeys(LEVELS, 0)}
    >>> found = reading_distances(load_carebench(), answers_table([row]))
    >>> found["similarity"].isna().to_dict()["0001/you-self"]
    True
    """
    samples = list(answers["sample_id"].unique())
    pairs = pair_ratings(join_answers(care, answers))
    of_these = pairs.people["sample_id"].isin(samples)
    observed, own, people = (table[of_these] for table in (pairs.observed, pairs.own, pairs.people))
    typical = pd.DataFrame(
        [typical_answers(care, sample) for sample in samples],
        index=[f"{sample}/typical" for sample in samples],
        columns=observed.columns,
    )
    written = care.ratings.loc[[f"{sample}/0" for sample in samples]].set_axis(typical.index)
    nobody = pd.DataFrame(
        {
            "sample_id": samples,
            "writer_id": care.narratives["participant_id"].loc[samples].to_numpy(),
            "observer_id": "typical",
        },
        index=typical.index,
    )
    both = Pairs(
        pd.concat([observed.astype(float), typical]),
        pd.concat([own, written]),
        pd.concat([people, nobody]),
        pairs.scale,
    )
    found = both.people[["sample_id"]].assign(
        distance=(both.observed - both.own).abs().mean(axis=1),
        similarity=profile_agreement(both)["similarity"],
    )
    return found.sort_values("sample_id", kind="stable")


def _types(table):
    """The types of a table's columns, with room for what a reader wasn't asked."""
    unasked = {name: "float64" for name in table if name == "attention_check"}
    return table.dtypes.to_dict() | unasked


def _full_panels(care):
    readers = care.annotations.groupby("sample_id").size()
    return readers.index[readers == 6]


def _kinds(care, full):
    """One narrative of each kind: the first in the order of the file."""
    levels = care.annotations.loc[full + "/0", list(LEVELS)].set_axis(full)
    balance = levels["positive_level"] - levels["negative_level"]
    observers = care.annotations.query("perspective == 'observer' and sample_id in @full")
    spread = care.ratings.loc[observers.index].groupby(observers["sample_id"]).std().mean(axis=1)
    kinds = [
        full[balance >= 4],
        full[balance <= -4],
        full[(levels >= 3).all(axis=1)],
        spread.sort_values(ascending=False, kind="stable").index,
    ]
    chosen = []
    for kind in kinds:
        chosen += [sample for sample in kind if sample not in chosen][:1]
    return chosen


def _story(care, sample, notes):
    writer, *observers = (_view(care, f"{sample}/{slot}") for slot in range(6))
    reasons = care.reasoning.loc[f"{sample}/0", list(REASONING)]
    return {
        "id": sample,
        "note": notes.get(sample, ""),
        "text": care.narratives.loc[sample, "narrative"],
        "writer": writer | {"reasons": reasons.fillna("").to_dict()},
        "observers": observers,
        "typical": typical_answers(care, sample).tolist(),
    }


def _view(care, annotation):
    labels = care.labels.loc[annotation]
    return {
        "ratings": [int(value) for value in care.ratings.loc[annotation]],
        "levels": [int(value) for value in care.annotations.loc[annotation, list(LEVELS)]],
        "labels": labels.index[labels.to_numpy(dtype=bool)].tolist(),
    }
