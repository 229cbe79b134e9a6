"""Late and repeated work: which submission of a student counts, and what lateness costs.

The rules stand in ``rules.toml`` beside the submissions; without it nothing is late, and a
student's last submission counts::

    due = 2027-01-18T23:59:00
    grace_minutes = 15
    late_per_day = 10         # per cent of the points earned, for each day begun
    latest_days = 3           # work that is later still earns nothing
    keep = "last"             # or "best"
    canvas_column = "Assignment 2 (5678)"   # as Canvas's own export calls the assignment

    [extensions]              # accommodations: another due date for one student
    "1234" = 2027-01-25T23:59:00

    [belongs]                 # a file whose name doesn't say whose it is
    "Assignment 2 FINAL (3).ipynb" = "1234"

    [times]                   # when a file was handed in, where the file itself doesn't tell
    "anna.ipynb" = 2027-01-19T08:00:00
"""

from __future__ import annotations

import dataclasses
import math
import tomllib
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from grading.submissions import Submission

FILE = "rules.toml"


class RulesProblem(Exception):
    """The rules can't be followed; the message says which line, and what may stand there."""


@dataclass(frozen=True)
class Rules:
    """What `rules.toml` says."""

    due: datetime | None = None
    grace_minutes: float = 0
    late_per_day: float = 0
    latest_days: float = math.inf
    keep: str = "last"
    canvas_column: str = ""
    extensions: dict[str, datetime] = field(default_factory=dict)
    belongs: dict[str, str] = field(default_factory=dict)
    times: dict[str, datetime] = field(default_factory=dict)

    def assigned(self, submission: Submission) -> Submission:
        """The submission with the student and the time that the rules name for its file."""
        name = submission.path.name
        student = self.belongs.get(name)
        changes = {"student": student, "name": student} if student else {}
        if name in self.times:
            changes["when"] = self.times[name]
        return dataclasses.replace(submission, **changes)

    def days_late(self, submission: Submission) -> int:
        """How many days late, each day begun counting; 0 within the grace period."""
        due = self.extensions.get(submission.student, self.due)
        if due is None:
            return int(submission.late)
        late = submission.when - due - timedelta(minutes=self.grace_minutes)
        if late <= timedelta(0):
            return 0
        return math.ceil((submission.when - due) / timedelta(days=1))

    def share(self, days: int) -> float:
        """The share of the points that is left after so many days.

        Examples
        --------
        >>> rules = Rules(late_per_day=10, latest_days=3)
        >>> [rules.share(days) for days in (0, 1, 3, 4)]
        [1.0, 0.9, 0.7, 0.0]
        """
        if days > self.latest_days:
            return 0.0
        return round(max(0.0, 1 - days * self.late_per_day / 100), 6)


def read_rules(folder: Path) -> Rules:
    """Read the rules of a folder of submissions.

    Raises
    ------
    RulesProblem
        If a key is unknown or a value is of the wrong kind.
    """
    path = folder / FILE
    if not path.is_file():
        return Rules()
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as problem:
        raise RulesProblem(f"{path}: {problem}") from None
    known = {one.name for one in dataclasses.fields(Rules)}
    if unknown := sorted(set(written) - known):
        raise RulesProblem(f"{path}: {unknown[0]!r} is no rule; there are {', '.join(known)}")
    rules = Rules(**written)
    dates = [("due", rules.due)] if rules.due is not None else []
    dates += [*rules.extensions.items(), *rules.times.items()]
    for name, date in dates:
        if not isinstance(date, datetime) or date.tzinfo:
            raise RulesProblem(f"{path}: {name} is no date like 2027-01-18T23:59:00")
    if rules.keep not in ("last", "best"):
        raise RulesProblem(f'{path}: keep is "last" or "best", not {rules.keep!r}')
    return rules
