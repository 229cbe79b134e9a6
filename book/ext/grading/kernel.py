"""Runs a student's cells, then, in the same kernel, tests that arrive only afterwards.

It speaks JSON lines: it is sent a job (the cells), says where it is, and is then sent one test at a
time. A test carries a word that nobody can have known before; its answer repeats it.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import json
import os
import signal
import sys
import threading
import types
import warnings

SLACK = 3
"""How much longer than its computing time a step may take by the clock."""


class TimeUp(BaseException):
    """A cell or a test took too long. Not an Exception, so that few programs catch it."""


class Printed:
    """A place to print to that forgets what exceeds its size."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, characters: int):
        self.left = characters
        self.full = False

    def write(self, text) -> int:
        """Count the text, and forget it."""
        self.left -= len(text)
        self.full = self.full or self.left < 0
        return len(text)

    def writelines(self, lines) -> None:
        """Write each line."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Do nothing."""

    def isatty(self) -> bool:
        """Nobody reads along."""
        return False

    def fileno(self) -> int:
        """Name no file: there is none."""
        raise OSError("output of a graded notebook has no file")


class _Grader:
    """What ``otter.Notebook`` is while a notebook is graded: every check passes in silence."""

    def __init__(self, *ignored, **named):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *ignored, **named: None


def stand_in_for_otter() -> types.ModuleType:
    """Return a module that a student's ``import otter`` finds in place of the real one."""
    module = types.ModuleType("otter")
    module.Notebook = _Grader
    return module


def make_shell():
    """Return an IPython shell that shows nothing and keeps nothing on disk."""
    from IPython.core.history import HistoryManager
    from IPython.core.interactiveshell import InteractiveShell

    HistoryManager.enabled = False
    InteractiveShell.ast_node_interactivity = "none"
    shell = InteractiveShell.instance()
    shell.showtraceback = shell.showsyntaxerror = lambda *ignored, **named: None
    shell.show_usage = lambda: None
    shell.display_formatter.active_types = ["text/plain"]
    shell.display_pub.publish = lambda *ignored, **named: None
    shell.enable_gui = shell.ask_exit = lambda *ignored, **named: None
    shell.system = shell.system_raw  # the usual way asks for a terminal
    return shell


def _ring(*ignored):
    raise TimeUp


def _listen_for_alarms() -> None:
    for name in ("SIGALRM", "SIGPROF"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _ring)


def _alarm(seconds: float) -> None:
    """Ring after so much computing time: a busy machine is not the student's fault.

    By the clock, a step may take SLACK times as long, so that one which only waits ends, too.
    """
    if hasattr(signal, "setitimer"):
        again = 1.0 if seconds else 0
        signal.setitimer(signal.ITIMER_PROF, seconds, again)
        signal.setitimer(signal.ITIMER_REAL, SLACK * seconds, again)


def execute(channel, job: dict) -> None:
    """Run one submission: its cells, then the tests that the other end sends.

    Parameters
    ----------
    channel : file-like pair with ``read()`` -> dict or None and ``write(dict)``
    job : dict
        ``cells``: texts of the code cells; ``skip``: positions to leave out; ``cell_seconds``,
        ``test_seconds`` (of computing), ``characters``: limits.
    """
    _listen_for_alarms()
    warnings.simplefilter("ignore")
    space = vars(builtins)
    known = space.copy()
    printed = Printed(job["characters"])
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = printed
    sys.modules["otter"] = stand_in_for_otter()
    shell = make_shell()
    before = set(threading.enumerate())
    for position, code in enumerate(job["cells"]):
        channel.write({"at": position})
        if position not in job["skip"]:
            trouble = run_cell(shell, code, job["cell_seconds"])
            if trouble:
                channel.write({"cell": position, **trouble})
    left = space.copy()
    space.update(known)
    # IPython's own names aren't the student's doing.
    ours = ("_", "display", "get_ipython")
    changed = sorted(name for name in known if left.get(name) is not known[name])
    changed = [name for name in changed if name not in ours]
    sys.settrace(None)
    sys.setprofile(None)
    threads = len(set(threading.enumerate()) - before)
    if os.getpid() == 1:  # alone in a room of its own: whatever else runs there goes
        with contextlib.suppress(OSError):
            os.kill(-1, signal.SIGKILL)
    channel.write({"done": True, "full": printed.full, "changed": changed, "threads": threads})
    while (test := channel.read()) is not None:
        sys.stdout = sys.stderr = Printed(job["characters"])
        laid_out = given(test["given"], job["test_seconds"])
        for name in laid_out.keys() - shell.user_ns.keys():  # whoever lost a cell lost no more
            shell.user_ns[name] = laid_out[name]
        scope = {**shell.user_ns, **laid_out}
        answer = run_test(scope, test["code"], job["test_seconds"])
        channel.write({"word": test["word"], **answer})


def run_cell(shell, code: str, seconds: float) -> dict:
    """Run a cell and say what went wrong with it, or return {}."""
    try:
        _alarm(seconds)
        outcome = shell.run_cell(code, store_history=False, silent=True)
        error = outcome.error_before_exec or outcome.error_in_exec
    except TimeUp as late:
        error = late
    except BaseException as other:  # the shell itself gave up
        error = other
    finally:
        _silence()
    return _told(error, seconds) if error is not None else {}


def _silence() -> None:
    try:
        _alarm(0)
    except TimeUp:
        _alarm(0)


def given(code: str, seconds: float) -> dict:
    """What the assignment itself laid out, fresh: a student may have changed it since."""
    names: dict = {}
    try:
        _alarm(seconds)
        exec(compile(code, "<given>", "exec"), names)
    except BaseException:  # then the test finds what the student left
        pass
    finally:
        _silence()
    names.pop("__builtins__", None)
    return names


def run_test(names: dict, code: str, seconds: float) -> dict:
    """Run one test on the names of the kernel; say whether it passed, or what went wrong."""
    try:
        _alarm(seconds)
        exec(compile(code, "<check>", "exec"), names)
        error = None
    except BaseException as problem:
        error = problem
    finally:
        _silence()
    return {"passed": True} if error is None else {"passed": False, **_told(error, seconds)}


def _told(error: BaseException, seconds: float) -> dict:
    if isinstance(error, TimeUp):
        return {"kind": "time", "error": f"It took longer than {seconds:g} seconds."}
    if isinstance(error, MemoryError):
        return {"kind": "memory", "error": "It needed more memory than there is."}
    if isinstance(error, AssertionError):
        return {"kind": "assertion", "error": ""}
    try:
        text = str(error)[:300]
    except BaseException:
        text = ""
    name = type(error).__name__
    if isinstance(error, SyntaxError):
        text = f"{error.msg} (line {error.lineno})"
    return {"kind": "error", "error": f"{name}: {text}" if text else name}


def source_of(doctest: str) -> str:
    """Turn a test as Otter writes it (``>>> ...``) into plain Python.

    Examples
    --------
    >>> source_of(">>> for x in (1, 2):\\n...     assert x\\n>>> assert True\\n")
    'for x in (1, 2):\\n    assert x\\nassert True\\n'
    """
    lines = [line[4:] for line in doctest.splitlines() if line.startswith((">>> ", "... ", "..."))]
    code = "\n".join(lines) + "\n"
    ast.parse(code)
    return code


class Lines:
    """A channel of JSON lines over two files."""

    def __init__(self, reader, writer):
        self.reader, self.writer, self.owner = reader, writer, os.getpid()

    def _hush(self) -> None:
        """End a copy of the process that a student's code has made: it has nothing to say."""
        if os.getpid() != self.owner:
            os._exit(0)

    def read(self) -> dict | None:
        """Return the next message, or None when the other end is gone."""
        self._hush()
        line = self.reader.readline()
        return json.loads(line) if line.strip() else None

    def write(self, message: dict) -> None:
        """Send a message."""
        self._hush()
        self.writer.write(json.dumps(message).encode() + b"\n")
        self.writer.flush()
