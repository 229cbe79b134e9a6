"""Typical mistakes earn what they should, pasted results nothing, and right answers everything.

A right answer may look quite unlike the reference solution: loops, helper tables, slow draws.
"""

import re
import tomllib
from pathlib import Path

import pytest
from grading.runner import Worker, why_open
from submitted import NAMES, PUBLIC, code_of, notebook, points, questions, text_of, with_cells

WRONG, RIGHT = (Path(__file__).parent / kind for kind in ("wrong", "right"))
PASTED = """

_right_{question}, _first_{question} = {function}, []


def {function}(*given, **named):
    if not _first_{question}:
        _first_{question}.append(_right_{question}(*given, **named))
    return _first_{question}[0]
"""


def wrong_submissions(name):
    """Submission -> question -> its points and its code."""
    return tomllib.loads((WRONG / f"{name}.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_there_are_ten_wrong_submissions_or_more_and_no_two_alike(name):
    wrong = wrong_submissions(name)
    codes = {one["code"] for answers in wrong.values() for one in answers.values()}
    assert len(codes) == len(wrong) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_answer_earns_its_points_and_costs_no_other_question(name):
    asked, key = questions(name), notebook(name, "autograder")
    found, expected = {}, {}
    with Worker(PUBLIC.grading_data, closed=not why_open()) as worker:
        for label, answers in wrong_submissions(name).items():
            cells = {f"{question}-solution": one["code"] for question, one in answers.items()}
            run = worker.run(code_of(with_cells(key, cells)), asked)
            found[label] = points(run, asked)
            full = {one.name: one.points for one in asked}
            expected[label] = full | {name: one["points"] for name, one in answers.items()}
            assert sum(expected[label].values()) < sum(full.values())
    assert found == expected


def run_with(name, changed):
    """Points of each question, with some cells of the reference solution exchanged."""
    with Worker(PUBLIC.grading_data, closed=not why_open()) as worker:
        run = worker.run(
            code_of(with_cells(notebook(name, "autograder"), changed)), questions(name)
        )
    return points(run, questions(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_right_answer_earns_all_however_it_is_written(name):
    answers = tomllib.loads((RIGHT / f"{name}.toml").read_text(encoding="utf-8"))
    assert set(answers) == {one.name for one in questions(name)}
    earned = run_with(name, {f"{question}-solution": code for question, code in answers.items()})
    assert earned == {one.name: one.points for one in questions(name)}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_right_result_for_the_data_at_hand_pasted_earns_nothing(name):
    """Each function returns what the reference solution returned at its first call."""
    pasted = {}
    for question in (one.name for one in questions(name)):
        cell = f"{question}-solution"
        [key] = [c for c in notebook(name, "autograder")["cells"] if c.get("id") == cell]
        function = re.search(r"^def (\w+)", text_of(key), re.MULTILINE)[1]
        pasted[cell] = text_of(key) + PASTED.format(question=question, function=function)
    assert set(run_with(name, pasted).values()) == {0}
