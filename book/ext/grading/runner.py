"""The grader's end: starts warm workers, runs submissions in them, stops what exceeds a limit."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from grading import contain
from grading.kernel import SLACK, source_of
from grading.questions import Question

EXTENSIONS = Path(__file__).resolve().parents[1]
FORKS = hasattr(os, "fork") and hasattr(socket, "send_fds")
START_SECONDS = 240
"""How long a process may take to be ready: a slow machine is nobody's zero points."""


NOT_STARTED = (
    "A process to grade in did not start, so nothing was decided about this submission. "
    'Next: the same command again, with ARGS="--jobs 1" if the machine is short of memory.'
)


class WorkerFailed(Exception):
    """A worker could not be started; the message holds its last words."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use.

    Seconds of a cell and of a test are computing time; by the clock they may take `SLACK` times
    as long, for machines that have other things to do. ``total_seconds`` is by the clock.
    """

    cell_seconds: float = 60
    test_seconds: float = 20
    total_seconds: float = 300
    megabytes: int = 1500
    file_megabytes: int = 50
    characters: int = 200_000


@dataclass
class Outcome:
    """What happened to one test of a submission."""

    passed: bool
    kind: str = ""
    error: str = ""


@dataclass
class Run:
    """What happened to one submission.

    Attributes
    ----------
    troubles : dict
        Position of a code cell -> what went wrong in it, in words.
    outcomes : dict
        Name of a question -> outcomes of its tests, in order.
    notes : list of str
        What whoever grades should look at.
    seconds : float
        How long it took.
    """

    troubles: dict[int, str] = field(default_factory=dict)
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0


class Worker:
    """A warm process that takes one submission at a time."""

    def __init__(self, data: Path | None, closed: bool, limits: Limits | None = None):
        self.data = str(data) if data else ""
        self.limits = limits or Limits()
        self.room = _room(self.data, self.limits) if closed else None
        self.process: subprocess.Popen | None = None
        self.control: socket.socket | None = None

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.stop()

    def _start(self) -> None:
        here, there = socket.socketpair()
        command = [sys.executable, "-m", "grading.worker", self._settings(there.fileno())]
        self.process = subprocess.Popen(
            command,
            env=_environment(),
            pass_fds=[there.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        there.close()
        self.control = here
        if here.recv(6) != b"ready\n":
            raise WorkerFailed(self.process.stderr.read().decode(errors="replace")[-1500:])

    def _settings(self, control: int | None) -> str:
        room = dataclasses.asdict(self.room) if self.room else None
        return json.dumps({"data": self.data, "room": room, "control": control})

    def stop(self) -> None:
        """End the process and what it started."""
        if self.control:
            self.control.close()
            self.control = None
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stderr.close()
            self.process = None

    @contextlib.contextmanager
    def _conversation(self):
        """One end of a connection to a fresh copy of the warm process."""
        if not FORKS:
            with _cold(self) as conversation:
                yield conversation
            return
        if self.process is None:
            self._start()
        here, there = socket.socketpair()
        socket.send_fds(self.control, [b"."], [there.fileno()])
        there.close()
        conversation = _Conversation(here)
        try:
            yield conversation
        finally:
            conversation.end()
            if self.control.recv(5) != b"free\n":
                self.stop()

    def run(self, cells: list[str], questions: list[Question]) -> Run:
        """Run a notebook's code cells, then the tests of the questions.

        A cell that ends the process, or fills its memory, is left out and the rest tried again.
        """
        started, run, left_out = time.monotonic(), Run(), {}
        waiting = [(question, place) for question in questions for place in range(question.tests)]
        for _ in range(6):
            allowed = self.limits.total_seconds - (time.monotonic() - started)
            if allowed <= 0:
                break
            with _folder() as home, self._conversation() as talk:
                job = {**self._job(cells, left_out), "home": home}
                culprit, reason = _cells(talk, job, run, allowed)
                if culprit is None:
                    _tests(talk, waiting, run, self.limits.test_seconds)
            if culprit is not None:
                left_out[culprit] = reason
            elif not waiting:
                break
        for question, _ in waiting:
            lost = Outcome(False, "lost", "The notebook could not be run up to here.")
            run.outcomes.setdefault(question.name, []).append(lost)
        run.troubles.update(left_out)
        run.seconds = time.monotonic() - started
        return run

    def _job(self, cells, left_out) -> dict:
        return {"cells": cells, "skip": sorted(left_out), **dataclasses.asdict(self.limits)}


def _cells(talk, job, run: Run, allowed: float) -> tuple[int | None, str]:
    """Let the cells run; return the position of one that ended the process, and why."""
    at, end = None, 0.0
    talk.write(job)
    run.troubles.clear()
    run.notes.clear()
    while True:
        patience = min(SLACK * job["cell_seconds"] + 5, end - time.monotonic())
        message = talk.read(START_SECONDS if at is None else patience)
        if not isinstance(message, dict):
            if at is None:
                raise WorkerFailed(NOT_STARTED)
            return at, _why(message, job)
        end = end or time.monotonic() + allowed
        if "pid" in message:
            talk.pid = talk.pid or message["pid"]
        elif "at" in message:
            at = message["at"] if isinstance(message["at"], int) else at
        elif "broken" in message and at is None:
            raise WorkerFailed(str(message["broken"]))
        elif message.get("kind") == "memory":
            return message["cell"], message["error"]
        elif "cell" in message:
            run.troubles[int(message["cell"])] = str(message.get("error", ""))
        elif "done" in message:
            run.notes += _suspicions(message)
            return None, ""


@contextlib.contextmanager
def _folder():
    """A folder to work in where there is no room, gone afterwards with all that was written."""
    with tempfile.TemporaryDirectory(prefix="graded-", ignore_cleanup_errors=True) as home:
        yield home


def _why(message: str, job: dict) -> str:
    if message == "late":
        return f"It took longer than {job['cell_seconds']:g} seconds, and could not be interrupted."
    if message == "ended":
        return "It ended the process that ran the notebook, so this cell was left out."
    return "It wrote where only the grader writes, so this cell was left out."


def _suspicions(message: dict) -> list[str]:
    notes = []
    if message.get("full"):
        notes.append("It printed more than the limit; what exceeds it was dropped.")
    if message.get("changed"):
        names = ", ".join(map(str, message["changed"]))[:200]
        notes.append(f"It replaced built-in functions ({names}); they were put back. Look at it.")
    if message.get("threads"):
        notes.append("It left a thread running while the tests ran. Look at it.")
    return notes


def _tests(talk, waiting: list, run: Run, seconds: float) -> None:
    """Send the tests one by one; a test during which the process ends is failed."""
    while waiting:
        question, place = waiting.pop(0)
        word = secrets.token_hex(16)
        code = source_of(question.cases[place].code)
        talk.write({"word": word, "code": code, "given": question.given})
        answer = talk.read(2 * SLACK * seconds + 5)  # what is given, and the test
        honest = isinstance(answer, dict) and answer.get("word") == word
        if honest:
            kind, error = str(answer.get("kind", "")), str(answer.get("error", ""))
            outcome = Outcome(answer.get("passed") is True, kind, error)
        else:
            outcome = Outcome(False, "ended", "The notebook's process ended during the check.")
        run.outcomes.setdefault(question.name, []).append(outcome)
        if not honest:
            return


class _Conversation:
    """JSON lines with a deadline, over a socket."""

    longest = 1 << 20

    def __init__(self, connection: socket.socket):
        self.connection, self.pid, self.buffer = connection, 0, b""

    def write(self, message: dict) -> None:
        with contextlib.suppress(OSError):
            self.connection.settimeout(10)
            self.connection.sendall(json.dumps(message).encode() + b"\n")

    def read(self, seconds: float) -> dict | str:
        """Return a message, or why there is none: ``late``, ``ended`` or ``nonsense``."""
        end = time.monotonic() + seconds
        while b"\n" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.connection], [], [], left)[0]:
                return "late"
            try:
                received = self.connection.recv(65536)
            except OSError:
                received = b""
            if not received:
                return "ended"
            self.buffer += received
            if len(self.buffer) > self.longest:
                return "nonsense"
        line, self.buffer = self.buffer.split(b"\n", 1)
        try:
            message = json.loads(line)
        except ValueError:
            return "nonsense"
        return message if isinstance(message, dict) else "nonsense"

    def end(self) -> None:
        if self.pid:
            for kill in (os.kill, getattr(os, "killpg", None)):
                with contextlib.suppress(OSError):
                    if kill:
                        kill(self.pid, signal.SIGKILL)
        self.connection.close()


@contextlib.contextmanager
def _cold(worker: Worker):
    """A fresh process for one submission, where a warm one can't be copied."""
    command = [sys.executable, "-m", "grading.worker", worker._settings(None)]
    process = subprocess.Popen(
        command,
        env=_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield _Piped(process)
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


class _Piped:
    """The same conversation over a process's standard streams."""

    def __init__(self, process):
        import queue
        import threading

        self.process, self.pid, self.lines = process, 0, queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in iter(lambda: self.process.stdout.readline(1 << 20), b""):
            self.lines.put(line)
        self.lines.put(b"")

    def write(self, message: dict) -> None:
        with contextlib.suppress(OSError):
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def read(self, seconds: float) -> dict | str:
        import queue

        try:
            line = self.lines.get(timeout=max(seconds, 0.1))
        except queue.Empty:
            return "late"
        self.pid = self.process.pid
        try:
            message = json.loads(line) if line else "ended"
        except ValueError:
            return "nonsense"
        return message if isinstance(message, dict) else "ended" if not line else "nonsense"


def _room(data: str, limits: Limits) -> contain.Room:
    home = "/home/student"
    return contain.Room(
        readable=contain.readable_python(),
        placed={f"{home}/data": data} if data else {},
        home=home,
        megabytes=limits.file_megabytes,
    )


def _environment() -> dict[str, str]:
    """A small environment: nothing of the instructor's is passed on."""
    kept = ("PATH", "LANG", "HOME", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "VIRTUAL_ENV")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    return {
        **environment,
        "PYTHONPATH": str(EXTENSIONS),
        "PYTHONUTF8": "1",
        "PYTHONHASHSEED": "0",
        "MPLBACKEND": "Agg",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def why_open() -> str:
    """Say why submissions can't be closed off on this machine; "" if they can."""
    if not FORKS:
        return "this system can't copy a process (fork)"
    return contain.probe(contain.Room(readable=contain.readable_python()))


def what_is_not_contained() -> list[str]:
    """List, in words, what a submission could do on this machine in spite of the grader."""
    why = why_open()
    if not why:
        return []
    found = [
        f"use the network ({why})",
        "read and change every file that you can read and change, keys and grades included",
        "see and stop your other programs",
    ]
    if sys.platform != "linux":
        found.append("take all memory")
    if not FORKS:
        found.append("write files and start programs without limit")
    return found
