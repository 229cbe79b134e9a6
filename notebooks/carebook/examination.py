"""The check of one record: noting what departs, or reading it as the exceptions file says."""

from dataclasses import dataclass

from carebook.accepted import NOTHING, Accepted
from carebook.records import Problem, show


def is_text(value):
    """Whether a value is text that can be written down (no half characters)."""
    if type(value) is not str:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


@dataclass
class Examination:
    """The check of one record: where it stands, what is accepted, what was found wrong.

    Attributes
    ----------
    file, place, record : str
        As in :class:`carebook.records.Problem`.
    where : dict
        The locating keys that an entry of the exceptions file may name.
    naming : tuple of str
        Those of them that name the record in a proposal; without the first, its place does.
    accepted : Accepted
    problems : list of Problem
        What was found so far.
    empty : str
        What a value that is there but empty is called.
    """

    file: str
    place: str
    record: str
    where: dict
    naming: tuple
    accepted: Accepted
    problems: list
    empty: str = "null"

    def refuse(self, kind, field, found, expected, advice, proposal=None):
        """Note a problem. Without a proposal of its own, the record can only be set aside."""
        if proposal is None:
            proposal = {"departure": "set aside", **self.located()}
        self.problems.append(
            Problem(
                self.file, self.place, self.record, field, found, expected, advice, kind, proposal
            )
        )

    def located(self):
        """The keys that name this record in an exceptions file."""
        if not is_text(self.where.get(self.naming[0])):
            return {"file": self.where["file"], "place": self.place}
        keys = ("file", *self.naming)
        return {key: self.where[key] for key in keys if self.where.get(key) is not None}

    def absent(self, holder, key, field, expected, may_be_missing=True):
        """Whether a documented field is not there (or null); noted, or accepted as missing."""
        value = holder.get(key, NOTHING) if isinstance(holder, dict) else holder[key]
        if value is not None and value is not NOTHING:
            return False
        if may_be_missing and self.accepted.missing(self.where, field):
            holder[key] = None
            return True
        proposal = None
        if may_be_missing:
            place, *rest = self.located().items()
            proposal = {"departure": "missing", **dict([place]), "field": field, **dict(rest)}
        self.refuse(
            "missing",
            field,
            "nothing: the field is missing" if value is NOTHING else self.empty,
            expected,
            "Restore it from the released file, or accept that it is missing.",
            proposal,
        )
        return True

    def leaf(self, holder, key, field, valid, expected, why, choices=(), may_be_missing=True):
        """Check one value that is not an object; replace it if the exceptions file says so.

        ``why(value)`` returns the kind of problem and the advice for a value that is not valid.
        """
        if self.absent(holder, key, field, expected, may_be_missing):
            return
        value = holder[key]
        if valid(value):
            return
        taken = self.accepted.answer(self.where, field, value, valid)
        if taken is not NOTHING:
            holder[key] = taken
            return
        kind, advice = why(value)
        proposal = self.as_answer(field, value, choices)
        self.refuse(kind, field, show(value), expected, advice, proposal)

    def as_answer(self, field, value, choices):
        """The entry that would accept a value as one of the choices, or None."""
        if type(value) not in (str, int, float) or not (type(value) is not str or is_text(value)):
            return None
        return {
            "departure": "answer",
            "file": self.where["file"],
            "field": field,
            "found": value,
            "take_as": nearest(value, choices),
        }


def nearest(value, choices):
    """The choice that differs from a value in spacing and capitals only, or ``""``."""

    def bare(text):
        return "".join(text.split()).casefold().rstrip(".")

    same = [choice for choice in choices if type(value) is str and bare(choice) == bare(value)]
    return same[0] if len(same) == 1 else ""
