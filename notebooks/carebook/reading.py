"""Reading one of the two files of CAREBench: fast while all is well, slowly where it is not."""

from dataclasses import replace
from itertools import chain, repeat

import numpy as np

from carebook import layouts
from carebook.columns import TEXTS, Codes, Departure, collect
from carebook.examination import Examination
from carebook.records import ENOUGH, Problem, too_many
from carebook.specification import FIELDS, examine, identifies, is_observer

MANY = 10**9
"""More records than any file holds."""


class Reading:
    """What was read of one file: columns, who each record is about, problems."""

    def __init__(self, role, accepted, tally):
        self.role = role
        self.accepted = accepted
        self.problems = []
        self.pieces = []
        self.tally = tally
        self.file = role
        self.lost = False  # whether nobody knows how many records could not be read
        self.unknown = 0  # records that don't say what narrative they are about
        self.nameless = set()  # narratives with a record that doesn't say whose it is
        self._known = []  # (file, places, sample ids, observers) of those that do, batch by batch
        self._codes = Codes.documented()

    def read(self, batches):
        for batch in batches:
            if "/" not in batch.file.removeprefix("data/"):
                self.file = batch.file
            if not self._known and self._is_the_other_file(batch):
                return
            if len(self.problems) >= ENOUGH and (batch.records or batch.broken):
                self._stop(batch)
                return
            self._take_broken(batch)
            if self.accepted.any_set_aside:
                self._set_aside(batch)
            if not batch.records:
                continue
            if self._is_another_file(batch):
                return
            try:
                pieces = collect(self.role, batch.records, self._codes, self.tally)
            except Departure:
                self._examine(batch)
            else:
                self.pieces.append(pieces)
                observers = pieces.observers or repeat(None)
                self._known.append((batch.file, batch.places, pieces.sample_ids, observers))

    def _take_broken(self, batch):
        for broken in batch.broken:
            if broken.and_more:
                self._lose(broken.problems)
                continue
            where = {"file": self.role, "place": broken.place, "sample_id": broken.sample_id}
            if self.accepted.sets_aside(where | {"observer_index": broken.observer}):
                continue
            self.problems += broken.problems
            self._remember(batch.file, None, broken.sample_id, broken.observer)

    def _lose(self, problems):
        """Note a fault of the whole file: then nothing can be said about who is missing in it."""
        self.problems += [replace(problem, proposal=None) for problem in problems]
        self.lost = True
        self.unknown += MANY

    def _stop(self, batch):
        """Note, before all else, that the rest is not read: it can only be more of the same."""
        broken = [broken.place for broken in batch.broken]
        places = [place_label(place) for place in batch.places]
        stopped = too_many(batch.file, min((*places, *broken), key=_in_order), self.problems)
        found, self.problems = self.problems, []
        self._lose([stopped])
        self.problems += found

    def _remember(self, file, place, sample_id, observer):
        if sample_id is None:
            self.unknown += 1
        elif observer is None and self.role == "third_person":
            self.nameless.add(sample_id)
        else:
            self._known.append((file, (place,), (sample_id,), (observer,)))

    def _set_aside(self, batch):
        kept = [
            (place, record)
            for place, record in zip(batch.places, batch.records, strict=True)
            if not self.accepted.sets_aside(self._where(place, record))
        ]
        batch.places = [place for place, _ in kept]
        batch.records = [record for _, record in kept]

    def _where(self, place, record):
        keys = ("sample_id", "observer_index", "participant_id")
        fields = _named(record)
        return {"file": self.role, "place": place_label(place)} | {
            key: fields[key] for key in keys if type(fields.get(key)) in (str, int)
        }

    def _examine(self, batch):
        """Find the places; keep the batch if everything in it turns out to be accepted."""
        before = len(self.problems)
        for place, record in zip(batch.places, batch.records, strict=True):
            where = self._where(place, record)
            name = layouts.describe(where.get("sample_id"), where.get("observer_index"))
            naming = ("sample_id", "observer_index")
            exam = Examination(
                batch.file, place_label(place), name, where, naming, self.accepted, self.problems
            )
            examine(record, exam)
            sample_id, observer = map(_named(record).get, naming)
            self._remember(
                batch.file,
                place,
                sample_id if identifies(sample_id) else None,
                observer if self.role == "third_person" and is_observer(observer) else None,
            )
        if len(self.problems) == before:
            codes = Codes.with_missing()
            self.pieces.append(collect(self.role, batch.records, codes, self.tally))

    def _is_the_other_file(self, batch):
        """Note one problem, not thousands, if the two files have been swapped."""
        record = _named(batch.records[0]) if batch.records else {}
        observer = "observer_index" in record and "story_collection" not in record
        writer = "story_collection" in record and "observer_index" not in record
        if not (observer if self.role == "first_person" else writer):
            return False
        found = "records of observers" if observer else "records of writers, with their stories"
        told = {
            "found": found,
            "expected": "records of writers" if observer else "records of observers",
            "advice": "The two files may have been swapped: check their names.",
        }
        self._lose([Problem(batch.file, kind="wrong file", **told)])
        return True

    def _is_another_file(self, batch):
        """Note one problem, not thousands, if no record at the beginning has a documented field."""
        one_of_many = "/" in batch.file.removeprefix("data/")
        documented = set(FIELDS[2:])
        if one_of_many or self._known or any(documented & _named(r).keys() for r in batch.records):
            return False
        problems = []
        exam = Examination(
            file=batch.file,
            place=place_label(batch.places[0]),
            record="",
            where=self._where(batch.places[0], batch.records[0]),
            naming=("sample_id",),
            accepted=self.accepted,
            problems=problems,
        )
        examine(batch.records[0], exam)
        self._lose(problems)
        return True

    @property
    def known(self):
        """Iterate over (file, place, sample id, observer) of all records that name themselves."""
        for file, places, sample_ids, observers in self._known:
            yield from zip(repeat(file), places, sample_ids, observers, strict=False)


def _named(record):
    """The fields of a record; none if it is not an object."""
    return record if isinstance(record, dict) else {}


def _in_order(place):
    """Sorts the lines of a file by their numbers; other places stay in the order of the file."""
    number = place.removeprefix("line ")
    return int(number) if number.isdecimal() else 0


def place_label(place):
    return f"line {place}" if isinstance(place, int) else place


def gathered(name, *readings):
    """One column of all batches of the readings, in a row: texts as an array, the rest as bytes."""
    parts = [getattr(piece, name) for reading in readings for piece in reading.pieces]
    if name not in TEXTS:
        return b"".join(parts)
    return np.fromiter(chain.from_iterable(parts), dtype=object, count=sum(map(len, parts)))
