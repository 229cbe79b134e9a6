"""CAREBench as linked tables: narratives, and what writers and observers said of them.

:func:`load_carebench` reads the two files, refuses what the documentation does not allow, links
every observer to the narrative that was read, and returns tidy tables.
"""

import gc
import json
import os
from collections import defaultdict
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from itertools import repeat
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pandas as pd

from carebook import layouts
from carebook.accepted import CAREBENCH_FILES, Accepted, without_setting_aside
from carebook.columns import MISSING, Tally
from carebook.linking import link
from carebook.places import what_is
from carebook.quoting import read_quotations
from carebook.reading import Reading, gathered
from carebook.records import DataError, Fingerprints, Problem, Source
from carebook.tables import text_column, text_index
from carebook.vocabulary import (
    BFI_ITEMS,
    BFI_KEY,
    DEMOGRAPHICS,
    DIMENSIONS,
    LABELS,
    REASONING,
    ROLES,
    STORY_ANSWERS,
    TRAITS,
    WITHHELD,
)

PRACTICE_PREFIX = "practice-"
"""What the identifier of every invented person begins with."""


@dataclass(frozen=True)
class CareBench:
    """The tables of CAREBench, linked and checked.

    ``annotations``, ``ratings``, ``labels``, ``reasoning`` and ``people`` share the index
    ``annotation_id``: ``"0007/0"`` is what the writer of narrative 0007 said, ``"0007/3"`` what its
    third observer said. Rows are sorted by ``sample_id`` (as text), the writer first, then
    observers 1 to 5. Text columns are ``str`` under pandas 3 and ``object`` under pandas 2. An
    ``int64`` column is ``float64`` where an accepted exception left a value missing.

    Attributes
    ----------
    narratives : DataFrame
        Index ``sample_id``; text columns ``participant_id`` (the writer), ``narrative``, ``event``,
        ``goal``, ``feeling``, ``context``.
    annotations : DataFrame
        ``sample_id`` and ``participant_id`` (text), ``perspective`` (ordered categorical,
        experiencer < observer), ``observer`` (Int64, <NA> for the writer), ``positive_level`` and
        ``negative_level`` (int64, 0 to 6), ``attention_check`` (int64, 1 to 5; never a rating).
    ratings : DataFrame
        The 22 appraisal dimensions, int64, 1 to 5.
    labels : DataFrame
        The 20 emotion groups, bool, the ten positive ones first.
    reasoning : DataFrame
        Text columns ``relevance``, ``certainty``, ``congruence``, ``control``, ``accountability``;
        then ``previous_story`` and ``appraisal_text``, which are context and not further answers.
    people : DataFrame
        One row for each *annotation*, since people recur: ``participant_id``; ten ``bfi_*``
        answers, int64, 1 to 5; five ``<Trait>_stored``, float64, as released (0 to 10); five
        ``<Trait>``, float64, recomputed as the sum of two items (2 to 10); nine demographics (text,
        withheld codes as missing).
    turns : DataFrame
        ``annotation_id`` (text), ``interview`` (categorical: story, appraisal), ``turn`` (int64
        from 0), ``role`` (categorical: ai, human), ``text``; in the order of the annotations.
    source : Source
        Where the data came from.
    extra_fields : mapping
        Dotted path of each undocumented field -> number of records that have it. Such fields are in
        no table.
    accepted : tuple of str
        The departures accepted in ``exceptions.toml``, one sentence each.
    contradictions : DataFrame
        ``participant_id``, ``field``, ``values``: people whose answers about themselves differ
        between records. They are reported, not refused.
    withheld : DataFrame
        ``field``, ``code``, ``count``: how often each code for "not given" stood in each
        demographic field (in ``people`` they are missing values).
    """

    narratives: pd.DataFrame
    annotations: pd.DataFrame
    ratings: pd.DataFrame
    labels: pd.DataFrame
    reasoning: pd.DataFrame
    people: pd.DataFrame
    turns: pd.DataFrame
    source: Source
    extra_fields: Mapping
    accepted: tuple
    contradictions: pd.DataFrame
    withheld: pd.DataFrame

    def __repr__(self):
        observed = (self.annotations["perspective"] == "observer").sum()
        return (
            f"CareBench({self.source.label}: {len(self.narratives)} narratives, "
            f"{observed} observer records, {len(self.turns)} dialogue turns)"
        )


def load_carebench(source=None):
    """Read CAREBench, check all of it, and return its tables.

    Parameters
    ----------
    source : str or path, optional
        The folder that holds ``first_person`` and ``third_person`` (or whose ``data`` folder does),
        or one of the two files. Without it, the folder that the environment variable
        ``CAREBENCH_DATA`` names, else the practice corpus that comes with the package. The files
        may be JSON Lines, JSON objects keyed by sample id, or one file for each sample, packed with
        gzip or not.

    Returns
    -------
    CareBench

    Raises
    ------
    DataError
        If anything in the files departs from the documentation and ``exceptions.toml`` beside them
        does not accept it. All problems of both files come together.

    Notes
    -----
    The layout of a record is that of the CAREBench data documentation, sections 2 to 5.

    Examples
    --------
    >>> data = load_carebench()
    >>> data.ratings.shape[1]
    22
    """
    folder, practice = _folder(source)
    with _no_collection():
        return _load(folder, practice)


@contextmanager
def _no_collection():
    """Pause the garbage collector: reading makes many objects and no cycles for it to find."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _load(folder, practice):
    located = layouts.locate(folder)
    accepted = Accepted(_places(folder), CAREBENCH_FILES)
    tally = Tally()
    first, third = (Reading(role, accepted, tally) for role in layouts.ROLES)
    for reading in (first, third):
        reading.read(layouts.batches(located[reading.role], reading.role))
    problems = [*first.problems, *third.problems]
    problems += link(first, third, accepted)
    if first.lost or third.lost:  # whom to leave out can't be decided before all can be read
        problems = [without_setting_aside(problem) for problem in problems]
    problems += accepted.problems
    problems += accepted.unused(unfit_only=bool(problems))
    quotable, wrong = frozenset(), []
    if not problems:
        known = set(gathered("sample_ids", first))
        quotable, wrong = read_quotations(_places(folder), "narratives", known)
    problems += wrong
    if not problems and not first.pieces:
        told = {"found": "no narrative that is not set aside", "expected": "narratives"}
        problems = [Problem(first.file, **told, advice="Set fewer aside.", kind="empty")]
    if problems:
        raise DataError(problems)
    people = gathered("participants", first, third)
    synthetic = all(map(str.startswith, people, repeat(PRACTICE_PREFIX)))
    paths = {}
    for where in located.values():
        paths |= zip(where.names, where.paths, strict=True)
    described = Source(
        name="practice corpus" if practice else folder.resolve().name,
        layout="practice" if practice else located["first_person"].layout,
        files=Fingerprints(paths),
        synthetic=synthetic,
        label="practice corpus (synthetic)" if synthetic else "CAREBench",
        quotable=quotable,
    )
    return _tables(first, third, described, accepted.sentences())


def first_record(source=None):
    """Return the text of the first first-person record, before anything is checked or translated.

    It is for looking at what a record is made of; `load_carebench` is for working with all of them.

    Parameters
    ----------
    source : str or path, optional
        As in `load_carebench`.

    Returns
    -------
    str
        One record as JSON on one line, in the layout with one record per line.

    Raises
    ------
    DataError
        If the files are not there, or the first record can't be read.

    Examples
    --------
    >>> "appraisal_ratings" in first_record()
    True
    """
    located = locate_carebench(source)["first_person"]
    for batch in layouts.batches(located, "first_person"):
        if batch.broken:
            raise DataError(batch.broken[0].problems)
        if batch.records:
            return json.dumps(batch.records[0], ensure_ascii=False)
    raise AssertionError("a file without records is reported as broken")


def raw_records(role, source=None):
    """Return the records of one file as they stand there: nothing checked, nothing translated.

    They are for seeing what reading by hand involves; `load_carebench` is for working.

    Parameters
    ----------
    role : str
        ``"first_person"`` (the writers' records) or ``"third_person"`` (the observers').
    source : str or path, optional
        As in `load_carebench`.

    Returns
    -------
    list of dict
        In the order of the file. A record that can't be read at all is not among them:
        `load_carebench` names it.

    Raises
    ------
    DataError
        If the files are not there.
    ValueError
        If the role is neither of the two.

    Examples
    --------
    >>> sorted(raw_records("third_person")[0])[:3]
    ['BigFive_scores', 'appraisal_ratings', 'cognitive_questions']
    """
    if role not in layouts.ROLES:
        raise ValueError(f"{role!r} is no file of CAREBench: say {' or '.join(layouts.ROLES)}.")
    located = locate_carebench(source)[role]
    return [record for batch in layouts.batches(located, role) for record in batch.records]


def locate_carebench(source=None):
    """Find the files that `load_carebench` would read, without reading them.

    Returns
    -------
    dict
        ``"first_person"`` and ``"third_person"`` -> ``carebook.layouts.Located``.

    Raises
    ------
    DataError
        If they are not there, or can't be what is read.

    Examples
    --------
    >>> locate_carebench()["first_person"].layout
    'lines'
    """
    folder, _ = _folder(source)
    return layouts.locate(folder)


def _folder(source):
    """The folder to read from, and whether it is the bundled practice corpus."""
    if source is None:
        source = os.environ.get("CAREBENCH_DATA") or None
    if source is None:
        return files("carebook") / "data" / "practice", True
    folder = Path(source).expanduser()
    kind = what_is(folder)
    if kind == "file" and folder.name.split(".")[0] in layouts.ROLES:
        return folder.parent, False
    if kind != "folder":
        found = {"file": "another file", "": "no such folder"}.get(kind, kind)
        expected = "the folder that holds first_person and third_person"
        advice = "Check how the path is written, and CAREBENCH_DATA if it is set."
        told = {"found": found, "expected": expected, "kind": "missing file"}
        raise DataError([Problem(str(source), advice=advice, **told)])
    return folder, False


def _places(folder):
    return [place for place in (folder, folder / "data") if what_is(place) == "folder"]


# --- tables ------------------------------------------------------------------------------------


def _tables(first, third, source, accepted):
    both = _Both(first, third)
    index = text_index(both.annotation_ids, "annotation_id")
    people = _people(both, index)
    return CareBench(
        narratives=_narratives(first),
        annotations=_annotations(both, index),
        ratings=pd.DataFrame(
            both.ratings[:, : len(DIMENSIONS)], index=index, columns=list(DIMENSIONS)
        ),
        labels=pd.DataFrame(both.labels(), index=index, columns=list(LABELS)),
        reasoning=_reasoning(both, index),
        people=people,
        turns=_turns(both),
        source=source,
        extra_fields=MappingProxyType(dict(sorted(first.tally.extra_fields.items()))),
        accepted=accepted,
        contradictions=_contradictions(people, both.contradictory()),
        withheld=_withheld(both),
    )


class _Both:
    """The columns of both files in one, in the order of the tables."""

    def __init__(self, first, third):
        self._readings = (first, third)
        sample_ids = gathered("sample_ids", first, third)
        writers = sum(len(piece.sample_ids) for piece in first.pieces)
        slots = np.frombuffer(bytes(writers) + gathered("observers", third), dtype=np.uint8)
        rank = {sample_id: i for i, sample_id in enumerate(sorted(set(sample_ids)))}
        keys = np.fromiter(map(rank.__getitem__, sample_ids), np.int64, len(sample_ids)) * 8
        self.order = np.argsort(keys + slots, kind="stable")
        self.slots = slots[self.order]
        self.sample_ids = sample_ids[self.order]
        self.participants = self.texts("participants", 1)[:, 0]
        self.annotation_ids = [
            f"{sample_id}/{slot}"
            for sample_id, slot in zip(self.sample_ids, self.slots.tolist(), strict=True)
        ]
        self.ratings = self.answers("ratings", len(DIMENSIONS) + 1)
        self.bfi = self.answers("bfi", len(BFI_ITEMS))
        self.scores = self.rows("scores", np.float64, len(TRAITS))
        self.demographics = self.rows("demographics", np.int64, len(DEMOGRAPHICS))
        numbering = first.tally.demographics
        self.withheld = {numbering[code]: code for code in WITHHELD if code in numbering}
        given = [None if i in self.withheld else value for value, i in numbering.items()]
        self.said = np.fromiter(given, dtype=object, count=len(given))

    def gathered(self, name):
        return gathered(name, *self._readings)

    def texts(self, name, width):
        return self.gathered(name).reshape(-1, width)[self.order]

    def rows(self, name, dtype, width):
        return np.frombuffer(self.gathered(name), dtype=dtype).reshape(-1, width)[self.order]

    def answers(self, name, width):
        """Answers as whole numbers; with NaN only where one is missing."""
        coded = self.rows(name, np.uint8, width)
        values = coded.astype(np.int64)
        return np.where(coded == MISSING, np.nan, values) if (coded == MISSING).any() else values

    def labels(self):
        masks = [self.rows(f"{side}_labels", np.uint16, 1) for side in ("positive", "negative")]
        bits = np.arange(len(LABELS) // 2)
        return np.hstack([mask >> bits & 1 for mask in masks]).astype(bool)

    def contradictory(self):
        """Participants whose answers about themselves are not the same in all their records."""
        first_row = {}
        persons = self.participants.tolist()
        same = [first_row.setdefault(person, row) for row, person in enumerate(persons)]
        answers = (self.bfi, self.scores, self.demographics)
        differs = np.zeros(len(persons), dtype=bool)
        for table in answers:
            differs |= (table != table[same]).any(axis=1)
        return set(self.participants[differs].tolist())


def _narratives(first):
    names = ("narrative", *STORY_ANSWERS)
    sample_ids = gathered("sample_ids", first)
    order = np.argsort(sample_ids, kind="stable")
    texts = gathered("story", first).reshape(-1, len(names))[order]
    columns = {"participant_id": text_column(gathered("participants", first)[order])}
    columns |= {name: text_column(texts[:, i]) for i, name in enumerate(names)}
    return pd.DataFrame(columns, index=text_index(sample_ids[order], "sample_id"), copy=False)


def _annotations(both, index):
    positive, negative = (
        both.answers(f"{side}_level", 1)[:, 0] for side in ("positive", "negative")
    )
    writer = both.slots == 0
    perspective = pd.Categorical.from_codes(
        1 - writer.astype(int), categories=["experiencer", "observer"], ordered=True
    )
    return pd.DataFrame(
        {
            "sample_id": text_column(both.sample_ids),
            "participant_id": text_column(both.participants),
            "perspective": perspective,
            "observer": pd.arrays.IntegerArray(both.slots.astype(np.int64), writer),
            "positive_level": positive,
            "negative_level": negative,
            "attention_check": both.ratings[:, -1],
        },
        index=index,
    )


def _reasoning(both, index):
    names = (*REASONING, "previous_story", "appraisal_text")
    texts = both.texts("reasoning", len(names))
    columns = {name: text_column(texts[:, i]) for i, name in enumerate(names)}
    return pd.DataFrame(columns, index=index, copy=False)


def recompute_traits(answers):
    """Score the Big Five from the ten BFI-10 answers, as the sum of two items (2 to 10).

    Parameters
    ----------
    answers : DataFrame
        Columns ``bfi_*``, values 1 to 5.

    Returns
    -------
    DataFrame
        Same index; one float64 column for each trait. A reversed item counts 6 - answer; a missing
        answer leaves the trait missing.

    Notes
    -----
    The key is that of Rammstedt and John (2007).

    Examples
    --------
    >>> import pandas as pd
    >>> answers = pd.DataFrame([dict.fromkeys(BFI_ITEMS, 4)])
    >>> recompute_traits(answers)["Extraversion"].item()  # (6 - 4) + 4
    6.0
    """
    given = answers[list(BFI_ITEMS)].to_numpy(dtype=float)
    column = {item: i for i, item in enumerate(BFI_ITEMS)}
    scores = np.zeros((len(answers), len(BFI_KEY)))
    for i, items in enumerate(BFI_KEY.values()):
        for item, sign in items:
            scores[:, i] += given[:, column[item]] if sign > 0 else 6 - given[:, column[item]]
    return pd.DataFrame(scores, index=answers.index, columns=list(BFI_KEY))


def _people(both, index):
    bfi = pd.DataFrame(both.bfi, index=index, columns=list(BFI_ITEMS))
    columns = {"participant_id": text_column(both.participants)}
    columns |= {name: bfi[name].array for name in BFI_ITEMS}
    columns |= {f"{trait}_stored": both.scores[:, i] for i, trait in enumerate(TRAITS)}
    columns |= {trait: scores.array for trait, scores in recompute_traits(bfi).items()}
    columns |= {
        name: text_column(both.said[both.demographics[:, i]]) for i, name in enumerate(DEMOGRAPHICS)
    }
    return pd.DataFrame(columns, index=index)


def _withheld(both):
    counted = [
        (name, code, int((both.demographics[:, i] == number).sum()))
        for i, name in enumerate(DEMOGRAPHICS)
        for number, code in both.withheld.items()
    ]
    counted = [row for row in counted if row[2]]
    return pd.DataFrame(
        {
            "field": text_column([name for name, _, _ in counted]),
            "code": text_column([code for _, code, _ in counted]),
            "count": np.array([count for _, _, count in counted], dtype=np.int64),
        }
    )


def _contradictions(people, persons):
    names = [*BFI_ITEMS, *(f"{trait}_stored" for trait in TRAITS), *DEMOGRAPHICS]
    given = defaultdict(set)
    records = people[people["participant_id"].isin(persons)] if persons else people.iloc[:0]
    for name in names if persons else ():
        known = records[name].notna()
        pairs = zip(records["participant_id"][known], records[name][known].tolist(), strict=True)
        for person, value in pairs:
            given[person, name].add(value)
    position = {name: i for i, name in enumerate(names)}
    differing = sorted(
        ((person, name) for (person, name), values in given.items() if len(values) > 1),
        key=lambda key: (key[0], position[key[1]]),
    )
    columns = {
        "participant_id": [person for person, _ in differing],
        "field": [name for _, name in differing],
        "values": [", ".join(map(str, sorted(given[key]))) for key in differing],
    }
    return pd.DataFrame({name: text_column(column) for name, column in columns.items()})


def _turns(both):
    interviews = ("story", "appraisal")
    numbers = {name: np.frombuffer(both.gathered(f"{name}_turns"), np.int64) for name in interviews}
    writers = len(numbers["story"])
    position = np.empty(len(both.order), dtype=np.intp)
    position[both.order] = np.arange(len(both.order))
    # Turns of each annotation, story interview first, in the order of the annotations: where each
    # interview starts in the table follows from the lengths of those before it.
    lengths = np.zeros((len(position), 2), dtype=np.intp)
    lengths[position[:writers], 0] = numbers["story"]
    lengths[position, 1] = numbers["appraisal"]
    ends = lengths.ravel().cumsum().reshape(-1, 2)
    starts = ends - lengths
    target = np.concatenate(
        [_runs(starts[position[:writers], 0], lengths[position[:writers], 0])]
        + [_runs(starts[position, 1], lengths[position, 1])]
    )
    texts = np.empty(len(target), dtype=object)
    story = int(numbers["story"].sum())
    texts[target[:story]] = both.gathered("story_texts")
    texts[target[story:]] = both.gathered("appraisal_texts")
    roles = np.empty(len(target), dtype=np.int8)
    coded = b"".join(both.gathered(f"{name}_roles") for name in interviews)
    roles[target] = np.frombuffer(coded, dtype=np.int8)
    kinds = np.tile(np.array([0, 1], dtype=np.int8), len(position))
    ids = np.array(both.annotation_ids, dtype=object)
    return pd.DataFrame(
        {
            "annotation_id": text_column(np.repeat(ids, lengths.sum(axis=1))),
            "interview": pd.Categorical.from_codes(
                np.repeat(kinds, lengths.ravel()), categories=list(interviews)
            ),
            "turn": _runs(np.zeros(lengths.size, dtype=np.intp), lengths.ravel()).astype(np.int64),
            "role": pd.Categorical.from_codes(roles, categories=list(ROLES)),
            "text": text_column(texts),
        },
        copy=False,
    )


def _runs(starts, lengths):
    """Count up from each start: starts (0, 7) and lengths (2, 3) give 0, 1, 7, 8, 9."""
    before = lengths.cumsum() - lengths
    return np.arange(lengths.sum()) + np.repeat(starts - before, lengths)
