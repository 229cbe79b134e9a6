"""Hostile and broken submissions get their points or a clear reason, and harm nobody."""

import contextlib
import ctypes
import os
import tempfile
from pathlib import Path

import pytest
from grading import contain, runner
from grading.marking import Marking
from grading.rules import Rules
from grading.runner import Limits, Worker, WorkerFailed, why_open
from grading.submissions import Unreadable, find_submissions, read_notebook
from submitted import (
    PUBLIC,
    built,
    code_of,
    notebook,
    points,
    questions,
    with_cells,
    with_code,
    write,
)

NAME = "02_linking"
QUICK = Limits(cell_seconds=4, test_seconds=4, total_seconds=90, megabytes=300)
FULL = {"q1": 2, "q2": 3, "q3": 3, "q4": 3, "q5": 4, "q6": 3, "q7": 2, "q8": 4, "q9": 2}
EXTRA = 3
"""Where `with_code` puts the cell, among the code cells."""
needs_room = pytest.mark.skipif(bool(why_open()), reason=f"no closed room here: {why_open()}")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def worker():
    """One warm worker for all of them: what one submission does must not reach the next."""
    built()
    with Worker(PUBLIC.grading_data, closed=not why_open(), limits=QUICK) as warm:
        yield warm


def run(worker, code):
    """Run the reference solution with one more cell in front of question 1."""
    made = with_code(notebook(NAME, "autograder"), code)
    return worker.run(code_of(made), questions(NAME))


@pytest.mark.parametrize(
    "code, reason",
    [
        ("def broken(:", "SyntaxError"),
        ("1 / 0", "ZeroDivisionError"),
        ("while True: pass", "longer than 4 seconds"),
        (
            "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
            "longer",
        ),
        ("while True: print('x' * 1000)", "longer than 4 seconds"),
        ("import time; time.sleep(1000)", "longer than 4 seconds"),
        ("kept = []\nwhile True: kept.append(bytearray(10**8))", "more memory"),
        ("import os; os._exit(0)", "ended the process"),
        ("import ctypes; ctypes.string_at(0)", "ended the process"),
        ("import os; os.kill(os.getpid(), 9) or 1 / 0", ""),
        ("input('Your name? ')", "EOFError"),
        ("%matplotlib inline\nraise SystemExit", "SystemExit"),
    ],
)
def test_a_cell_that_goes_wrong_is_named_and_the_rest_earns_its_points(worker, code, reason):
    outcome = run(worker, code)
    assert reason in outcome.troubles[EXTRA]
    assert points(outcome, questions(NAME)) == FULL


def test_waiting_for_a_busy_machine_costs_nothing_because_computing_time_counts(worker):
    assert run(worker, "import time; time.sleep(6)").troubles == {}


def test_a_notebook_that_lost_the_cell_with_the_imports_loses_no_question(worker):
    key = notebook(NAME, "autograder")
    cut = {**key, "cells": [cell for cell in key["cells"] if cell.get("id") != "load"]}
    outcome = worker.run(code_of(cut), questions(NAME))
    assert points(outcome, questions(NAME)) == FULL


@needs_room
@pytest.mark.parametrize(
    "code",
    [
        "import os\nwhile True: os.fork()",
        "import os\nfor n in range(20):\n    if os.fork() == 0: break",
        "import subprocess, sys\nfor n in range(9): subprocess.Popen(['sleep', '1000'])",
    ],
)
def test_processes_that_a_submission_starts_end_with_it(worker, code):
    outcome = run(worker, code)
    assert points(outcome, questions(NAME)) == FULL
    assert run(worker, "pass").troubles == {}


@needs_room
def test_a_submission_deletes_nothing_outside_its_room(worker, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("x")
    Path(tmp_path).chmod(0o777)
    precious.chmod(0o666)
    code = (
        "import shutil, os\n"
        f"for place in ({str(tmp_path)!r}, {str(PUBLIC.sources)!r}, {str(PUBLIC.made)!r}):\n"
        "    shutil.rmtree(place, ignore_errors=True)\n"
        "for name in os.listdir('.'):\n"
        "    shutil.rmtree(name, ignore_errors=True)\n"
        f"open({str(precious)!r}, 'w')"
    )
    outcome = run(worker, code)
    assert "FileNotFoundError" in outcome.troubles[EXTRA]
    assert precious.read_text() == "x" and built()[NAME].is_dir()
    assert points(outcome, questions(NAME)) == FULL


@needs_room
@pytest.mark.parametrize(
    "code, said",
    [
        ("open('/usr/lib/mine', 'w')", "Read-only file system"),
        ("with open('big', 'wb') as f:\n    for n in range(200): f.write(bytes(10**6))", "space"),
        ("for n in range(9000): open(f'file-{n}', 'w').close()", "space"),
        ("import socket; socket.create_connection(('127.0.0.1', 22), 1)", "Connection refused"),
        ("import socket; socket.create_connection(('192.0.2.1', 80), 1)", "unreachable"),
        ("import os; os.setuid(0)", "PermissionError"),
        ("import os; raise OSError([p for p in os.listdir('/proc') if p.isdigit()])", "['1']"),
    ],
)  # fmt: skip
def test_a_submission_gets_no_network_no_space_and_no_rights(worker, code, said):
    outcome = run(worker, code)
    trouble = outcome.troubles[EXTRA]
    assert said in trouble or (said == "Connection refused" and "unreachable" in trouble)
    assert points(outcome, questions(NAME)) == FULL


@needs_room
def test_there_is_no_hidden_test_to_be_found_while_a_students_cells_run(worker):
    hidden = [case.code for one in questions(NAME) for case in one.cases if case.hidden]
    marker = "18_19"
    assert any(marker in code for code in hidden)
    code = (
        "import gc, os, sys\n"
        "found = []\n"
        "for top, folders, files in os.walk('/'):\n"
        "    known = ('/proc', '/usr', sys.prefix, sys.base_prefix)\n"
        "    if top.startswith(known): folders[:] = []; continue\n"
        "    found += [os.path.join(top, f) for f in files if 'autograder' in f or 'rubric' in f\n"
        "              or f.endswith('02_linking.ipynb')]\n"
        "text = '18_' + str(20)\n"
        "kept = [o for o in gc.get_objects() if isinstance(o, dict)]\n"
        "found += [1 for o in kept if 'word' in o and 'given' in o]\n"
        "found += [k for k in os.environ if 'SEED' in k or 'ASSIGN' in k]\n"
        "assert not found, found[:5]\n"
        "raise RuntimeError('looked everywhere')"
    )
    outcome = run(worker, code)
    assert outcome.troubles[EXTRA] == "RuntimeError: looked everywhere"


def test_built_in_functions_that_were_replaced_are_put_back_and_told(worker):
    code = "import builtins\nbuiltins.sorted = lambda *a, **k: []\nbuiltins.abs = lambda x: 0"
    outcome = run(worker, code)
    assert "abs, sorted" in outcome.notes[0]
    wrong = "def mean_chosen(people):\n    return 1e9"
    made = with_code(with_cells(notebook(NAME, "autograder"), {"q2-solution": wrong}), code)
    assert points(worker.run(code_of(made), questions(NAME)), questions(NAME))["q2"] == 0


def test_an_answer_that_was_written_beforehand_counts_for_nothing(worker):
    code = (
        "import os, json\n"
        "for number in range(3, 64):\n"
        "    try:\n"
        '        os.write(number, b\'{"word": "", "passed": true}\\n\' * 50)\n'
        "    except OSError: pass"
    )
    blank = with_code(notebook(NAME, "student"), code)
    outcome = worker.run(code_of(blank), questions(NAME))
    assert sum(points(outcome, questions(NAME)).values()) == 0


def test_a_test_that_never_ends_fails_and_the_others_still_count(worker):
    endless = "def neuroticism(people):\n    while True: pass"
    made = with_cells(notebook(NAME, "autograder"), {"q4-solution": endless})
    outcome = worker.run(code_of(made), questions(NAME))
    assert points(outcome, questions(NAME)) == {**FULL, "q4": 0}
    assert outcome.outcomes["q4"][0].kind == "time"


def test_an_answer_that_ends_the_process_during_a_check_fails_alone(worker):
    deadly = "def neuroticism(people):\n    import os\n    os._exit(0)"
    made = with_cells(notebook(NAME, "autograder"), {"q4-solution": deadly})
    outcome = worker.run(code_of(made), questions(NAME))
    assert points(outcome, questions(NAME)) == {**FULL, "q4": 0}


def test_an_answer_changed_by_a_later_cell_or_the_tables_costs_no_other_question(worker):
    made = with_code(notebook(NAME, "autograder"), "care = annotations = pd = None", "q9-solution")
    outcome = worker.run(code_of(made), questions(NAME))
    lost = {name for name, got in points(outcome, questions(NAME)).items() if got < FULL[name]}
    # Answers that use pandas themselves lose it; those that don't keep their points.
    assert {"q1", "q2", "q4", "q6", "q7"}.isdisjoint(lost)


def grade(folder, results):
    """Grade a folder of files; student -> result."""
    submissions = [Rules().assigned(one) for one in find_submissions(folder)]
    marking = Marking(
        NAME, questions(NAME), PUBLIC.grading_data, results, not why_open(), QUICK, side_by_side=1
    )
    return {result.student: result for result in marking.grade(submissions)}


def test_files_that_are_broken_renamed_cut_or_edited_get_points_or_a_reason(tmp_path):
    key, blank = notebook(NAME, "autograder"), notebook(NAME, "student")
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "empty.ipynb").write_bytes(b"")
    (folder / "text.ipynb").write_text("Dear professor")
    (folder / "list.ipynb").write_text("[1, 2]")
    (folder / "deep.ipynb").write_text("[" * 100_000)
    write(folder / "nothing.ipynb", {**key, "cells": []})
    write(folder / "Assignment 2 FINAL (3).ipynb", key)
    write(folder / "other.ipynb", notebook("05_dear_man", "student"))
    cut = [cell for cell in key["cells"] if cell.get("id") != "q4-solution"]
    write(folder / "cut.ipynb", {**key, "cells": cut})
    checks = {"tests": {}, "assignment_name": NAME, "OK_FORMAT": True}
    write(folder / "edited.ipynb", {**blank, "metadata": {"otter": checks}})
    strange = [{"cell_type": "code", "source": ["1 +", 2, None]}, {"cell_type": 7}]
    write(folder / "strange.ipynb", {**key, "cells": strange + key["cells"]})
    found = grade(folder, tmp_path / "out")
    earned = {
        student: sum(result.points(question) for question in questions(NAME))
        for student, result in found.items()
    }
    assert earned == {
        "empty": 0,
        "text": 0,
        "list": 0,
        "deep": 0,
        "nothing": 0,
        "Assignment 2 FINAL (3)": 26,
        "other": 0,
        "cut": 23,
        "edited": 0,
        "strange": 26,
    }
    assert "was the notebook saved" in found["empty"].reason.lower()
    assert "no notebook" in found["text"].reason and "no cells" in found["list"].reason
    assert found["other"].reason == "This is the notebook of 05_dear_man, not of 02_linking."
    assert found["nothing"].reason == "The notebook holds no code cell."
    assert not found["edited"].reason and not found["cut"].reason


def test_a_file_that_is_too_large_is_refused(tmp_path):
    big = tmp_path / "big.ipynb"
    with big.open("wb") as file:
        file.truncate(31_000_000)
    with pytest.raises(Unreadable, match="larger than 30 MB"):
        read_notebook(big)


@needs_room
def test_what_lies_in_a_folder_for_temporary_files_is_seen_in_the_room():
    """A copy of the book may lie there; and what nobody may read is told beforehand."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        assert contain.probe(contain.Room(readable=(folder,))) == ""
        if os.geteuid() == 0:
            Path(folder).chmod(0o700)
            said = contain.probe(contain.Room(readable=(folder,)))
            assert said == f"{folder} can't be read inside"


@needs_room
def test_an_ordinary_user_can_close_a_room_too():
    """Tried in a copy of this process that has given up being root, where it was."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            if os.geteuid() == 0:
                os.setgroups([])
                os.setresgid(contain.NOBODY, contain.NOBODY, contain.NOBODY)
                os.setresuid(contain.NOBODY, contain.NOBODY, contain.NOBODY)
                ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # as for a process that never was root
            os.write(writer, contain.probe(contain.Room()).encode() or b"closed")
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        said = stream.read().decode()
    os.waitpid(child, 0)
    assert said == "closed"


def test_where_a_process_cant_be_copied_a_class_is_graded_in_fresh_ones(monkeypatch, tmp_path):
    """As on Windows: no fork, no room, one new process for each submission."""
    monkeypatch.setattr(runner, "FORKS", False)
    assert "write files and start programs without limit" in runner.what_is_not_contained()
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))
    key, blank = notebook(NAME, "autograder"), notebook(NAME, "student")
    forge = (
        "import os\n"
        "for number in range(1, 40):\n"
        '    try: os.write(number, b\'{"word": "", "passed": true}\\n\' * 50)\n'
        "    except OSError: pass"
    )
    deadly = "def neuroticism(people):\n    import os\n    os._exit(0)"
    class_of_four = {
        "full": (key, 26),
        "writes": (with_code(key, "open('mine.txt', 'w').write('x')\nprint('x' * 10**6)"), 26),
        "deadly": (with_cells(key, {"q4-solution": deadly}), 23),
        "forge": (with_code(blank, forge), 0),
    }
    for student, (made, _) in class_of_four.items():
        write(tmp_path / "in" / f"{student}.ipynb", made)
    submissions = find_submissions(tmp_path / "in")
    marking = Marking(
        NAME, questions(NAME), PUBLIC.grading_data, tmp_path / "out", False, side_by_side=2
    )
    earned = {
        one.student: sum(one.points(question) for question in questions(NAME))
        for one in marking.grade(submissions)
    }
    assert earned == {student: points for student, (_, points) in class_of_four.items()}
    assert not list((tmp_path / "temp").iterdir())


def test_a_process_that_does_not_start_is_no_students_fault(monkeypatch):
    """It stops the run and decides nothing, with and without fork."""
    for forks in (True, False) if runner.FORKS else (False,):
        monkeypatch.setattr(runner, "FORKS", forks)
        with (
            Worker(Path("/nowhere"), closed=False) as broken,
            pytest.raises(WorkerFailed, match="nowhere"),
        ):
            broken.run(["1 + 1"], [])
