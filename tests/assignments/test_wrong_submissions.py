"""Typical mistakes earn what they should: less than full, and nothing is lost elsewhere."""

import tomllib
from pathlib import Path

import pytest
from grading.runner import Worker, why_open
from submitted import NAMES, PUBLIC, code_of, notebook, points, questions, with_cells

WRONG = Path(__file__).parent / "wrong"


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
