"""Grades every submission of a folder: side by side, and again from where it stopped."""

from __future__ import annotations

import hashlib
import json
import os
import queue
import re
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from grading.questions import Question, earned
from grading.runner import Limits, Worker
from grading.submissions import (
    Submission,
    Unreadable,
    belongs_to,
    read_notebook,
    text_of,
    unanswered,
)


@dataclass
class Result:
    """What one submission earned.

    Attributes
    ----------
    passed : dict
        Question -> list of outcomes of its tests: ``passed``, ``kind``, ``error``.
    troubles : dict
        Number of a code cell, from 1 -> what went wrong there.
    notes : list of str
        What whoever grades should look at.
    blank : list of str
        Questions whose answer still holds nothing but the dots of the stub.
    reason : str
        Why the submission could not be graded at all, for the student; "" if it could.
    seconds : float
        How long it took.
    """

    student: str
    file: str
    submission: str
    graded_with: str
    passed: dict[str, list[dict]] = field(default_factory=dict)
    troubles: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    blank: list[str] = field(default_factory=list)
    reason: str = ""
    seconds: float = 0.0

    def points(self, question: Question) -> float:
        """Points for one question."""
        outcomes = self.passed.get(question.name, [])
        return earned(question, [outcome["passed"] for outcome in outcomes])


@dataclass(frozen=True)
class Wanted:
    """Which part of the work is wanted again, although there is a result."""

    student: str = ""
    question: str = ""

    def again(self, submission: Submission) -> bool:
        """Whether this submission is to be graded again."""
        if self.student:
            return self.student in (submission.student, submission.name, submission.path.name)
        return bool(self.question)


def graded_with(questions: list[Question], data: Path, limits: Limits) -> str:
    """A hash of all that decides about a grade besides the submission."""
    made = data / ".made"
    key = made.read_text(encoding="utf-8") if made.is_file() else str(data)
    parts = [[asdict(question) for question in questions], key, asdict(limits)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def file_name(submission: Submission) -> str:
    """A file name for a result that any system takes, and that no other submission has."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", submission.student).strip("-")[:40]
    own = f"{submission.student}\0{submission.path.name}\0{submission.key}"
    return f"{plain}-{hashlib.sha256(own.encode()).hexdigest()[:12]}.json"


def read_result(path: Path) -> Result | None:
    """Read a result; None if there is none, or one that was cut short."""
    try:
        return Result(**json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def write_result(path: Path, result: Result) -> None:
    """Write a result so that it is either there as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".half")
    half.write_text(json.dumps(asdict(result), indent=1), encoding="utf-8")
    os.replace(half, path)


class Marking:
    """One run over a folder of submissions.

    Parameters
    ----------
    assignment : str
        Name of the assignment.
    questions : list of Question
    data : Path
        The practice corpus on which submissions are run.
    results : Path
        Where results are kept; those that are there and still hold are not computed again.
    closed : bool
        Whether each submission gets a closed room.
    """

    def __init__(self, assignment, questions, data, results, closed, limits=None, side_by_side=0):
        self.assignment, self.questions, self.data = assignment, questions, data
        self.results, self.closed, self.limits = results, closed, limits or Limits()
        self.side_by_side = side_by_side or max(1, min(os.cpu_count() or 1, 8))
        self.key = graded_with(questions, data, self.limits)

    def grade(
        self,
        submissions: list[Submission],
        wanted: Wanted | None = None,
        progress: Callable[[int, int, Result, bool], None] = lambda *ignored: None,
    ) -> list[Result]:
        """Grade what has no result yet; return all results, in the order of the submissions."""
        wanted = wanted or Wanted()
        found: dict[int, Result] = {}
        waiting: queue.SimpleQueue = queue.SimpleQueue()
        for at, submission in enumerate(submissions):
            kept = read_result(self.results / file_name(submission))
            if kept and kept.graded_with == self.key and not wanted.again(submission):
                found[at] = kept
                progress(len(found), len(submissions), kept, True)
            else:
                waiting.put((at, submission, kept))
        troubles: list[BaseException] = []
        lock = threading.Lock()

        def work():
            with Worker(self.data, self.closed, self.limits) as worker:
                while not troubles:
                    try:
                        at, submission, kept = waiting.get_nowait()
                    except queue.Empty:
                        return
                    try:
                        result = self._one(worker, submission, kept, wanted)
                        write_result(self.results / file_name(submission), result)
                    except BaseException as trouble:
                        troubles.append(trouble)
                        return
                    with lock:
                        found[at] = result
                        progress(len(found), len(submissions), result, False)

        count = min(self.side_by_side, waiting.qsize())
        threads = [threading.Thread(target=work, daemon=True) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(0.2)
        if troubles:
            raise troubles[0]
        return [found[at] for at in range(len(submissions))]

    def _one(self, worker: Worker, submission: Submission, kept: Result | None, wanted: Wanted):
        started = time.monotonic()
        empty = Result(submission.student, submission.path.name, submission.key, self.key)
        try:
            notebook = read_notebook(submission.path)
        except Unreadable as problem:
            empty.reason = str(problem)
            return empty
        named = belongs_to(notebook)
        if named and named != self.assignment:
            empty.reason = f"This is the notebook of {named}, not of {self.assignment}."
            return empty
        cells = [text_of(one) for one in notebook["cells"] if one.get("cell_type") == "code"]
        if not cells:
            empty.reason = "The notebook holds no code cell."
            return empty
        questions = self.questions
        if wanted.question and kept and kept.passed:
            questions = [one for one in questions if one.name == wanted.question]
        run = worker.run(cells, questions)
        passed = {name: [asdict(one) for one in them] for name, them in run.outcomes.items()}
        if questions is not self.questions:
            passed = {**kept.passed, **passed}
        empty.passed = passed
        empty.troubles = {str(place + 1): text for place, text in sorted(run.troubles.items())}
        empty.notes = run.notes
        empty.blank = unanswered(notebook, [one.name for one in self.questions])
        empty.seconds = round(time.monotonic() - started, 2)
        return empty
