"""A reference solution earns full points, a blank sheet none, and secrets are kept."""

import json
import subprocess
import sys
from pathlib import Path

import assignments
import pytest
from layout import Book

BOOK = Book.at(Path(__file__).resolve().parents[2])
SOURCES = assignments.sources(BOOK)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built():
    """The folder of each assignment, by its name."""
    return {folder.name: folder for folder in assignments.build(BOOK)}


# In a process of its own: Otter leaves sockets and files open, which count as errors here.
GRADE = """
import json, sys
from otter.api import grade_submission
grade = grade_submission(sys.argv[1], sys.argv[2], quiet=True)
print(json.dumps([grade.total, grade.possible]))
"""


def grade(built, name, version):
    """Points earned and points to be had by one version of an assignment."""
    [autograder] = built[name].glob("autograder/*.zip")
    notebook = built[name] / version / f"{name}.ipynb"
    command = [sys.executable, "-c", GRADE, str(notebook), str(autograder)]
    graded = subprocess.run(command, capture_output=True, text=True, cwd=built[name])
    assert graded.returncode == 0, graded.stderr
    return json.loads(graded.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", [source.stem for source in SOURCES])
def test_the_reference_solution_earns_full_points_and_a_blank_sheet_none(name, built):
    earned, possible = grade(built, name, "autograder")
    assert earned == possible > 0
    assert grade(built, name, "student") == [0, possible]


@pytest.mark.parametrize("name", [source.stem for source in SOURCES])
def test_a_student_notebook_holds_no_solution_and_no_hidden_test(name, built):
    source = json.loads(next(s for s in SOURCES if s.stem == name).read_text(encoding="utf-8"))
    student = (built[name] / "student" / f"{name}.ipynb").read_text(encoding="utf-8")
    secret = set()
    for cell in source["cells"]:
        text = "".join(cell["source"])
        if "hidden: true" in text:
            secret |= {line.strip() for line in text.split("# END TEST CONFIG")[1].splitlines()}
        if "# BEGIN SOLUTION" in text and cell["cell_type"] == "code":
            inside = text.split("# BEGIN SOLUTION")[1].split("# END SOLUTION")[0]
            secret |= {line.strip() for line in inside.splitlines()}
    secret = {line for line in secret if len(line) > 12}
    assert secret
    shown = json.dumps(student)
    assert not [line for line in secret if json.dumps(json.dumps(line)[1:-1])[1:-1] in shown]


def test_a_reference_solution_that_fails_its_own_test_stops_the_build(tmp_path):
    [source] = [source for source in SOURCES if source.stem == "02_linking"]
    broken = tmp_path / "notebooks" / "assignments" / source.stem / source.name
    broken.parent.mkdir(parents=True)
    text = source.read_text(encoding="utf-8")
    assert "(6 - people" in text
    broken.write_text(text.replace("(6 - people", "(5 - people"), encoding="utf-8")
    with pytest.raises(assignments.AssignmentFailed, match="02_linking.ipynb was not built"):
        assignments.build(Book(tmp_path, tmp_path / "_build"))
    assert not (tmp_path / "_build" / "assignments" / "02_linking").exists()
