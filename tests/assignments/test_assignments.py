"""Sources become student notebooks and autograders; solutions earn all, blank sheets nothing."""

import inspect
import json
import re
import subprocess
import sys
import tomllib

import assignments
import numpy as np
import pytest
from grading import edition as editions
from grading.edition import Edition
from grading.questions import read_questions, read_rubric
from grading.runner import Worker
from grading.written import answer_to, level_of, marked
from layout import Book
from submitted import BOOK, NAMES, PUBLIC, built, code_of, notebook, points, questions, with_cells


def source_of(name):
    """The instructor's notebook of an assignment."""
    path = PUBLIC.sources / name / f"{name}.ipynb"
    return json.loads(path.read_text(encoding="utf-8"))


def rubric_of(name):
    """The rubric of an assignment."""
    return read_rubric(PUBLIC.sources / name)


def test_there_is_an_assignment_for_each_chapter_and_a_capstone():
    numbered = [path.stem[:2] for path in BOOK.chapters() if path.stem[0].isdigit()]
    assert [name[:2] for name in NAMES] == [*numbered, "ca"]


def test_no_page_of_the_website_is_an_assignment():
    assert not [page for page in BOOK.pages() if "assignments" in page]


@pytest.mark.parametrize("name", NAMES)
def test_an_assignment_has_eight_to_twelve_questions_and_thirty_points(name):
    begun = ["".join(cell["source"]) for cell in source_of(name)["cells"]]
    begun = [text for text in begun if text.startswith("# BEGIN QUESTION")]
    assert 8 <= len(begun) <= 12
    assert sum(float(re.search(r"points: ([\d.]+)", text)[1]) for text in begun) == 30


@pytest.mark.parametrize("name", NAMES)
def test_a_question_says_its_points_and_each_check_says_what_is_wrong(name):
    cells = source_of(name)["cells"]
    texts = {cell["id"]: "".join(cell["source"]) for cell in cells}
    for key, text in texts.items():
        if key.endswith("-begin") and text.startswith("# BEGIN QUESTION"):
            worth = re.search(r"points: (\d+)", text)[1]
            prompt = texts[key.replace("-begin", "-prompt")]
            assert re.match(rf"\*\*Question \d+ \({worth} points\)\.\*\*", prompt), key
        if "# BEGIN TEST CONFIG" in text:
            assert len(text.split("failure_message: >-")[1].split('"""')[0].strip()) > 30, key


@pytest.mark.parametrize("name", NAMES)
def test_levels_of_a_rubric_rise_and_sample_answers_get_theirs(name):
    rubric = rubric_of(name)
    written = [
        cell["id"].removesuffix("-begin")
        for cell in source_of(name)["cells"]
        if "manual: true" in "".join(cell["source"])
    ]
    assert list(rubric) == written
    for question in rubric.values():
        earned = [level["points"] for level in question["levels"]]
        assert earned[0] == 0 and earned[-1] == question["points"]
        assert earned == sorted(set(earned)) and len(earned) >= 3
        for place, level in enumerate(question["levels"]):
            assert level_of(question, set(level["meets"])) == place
            assert len(level["sample"]) > 60 and level["description"]
        assert len({level["sample"] for level in question["levels"]}) == len(earned)


@pytest.mark.parametrize("name", NAMES)
def test_a_criterion_is_needed_by_some_level(name):
    for question in rubric_of(name).values():
        needed = {each for level in question["levels"] for each in level["needs"]}
        assert needed == {criterion["id"] for criterion in question["criteria"]}


def kind_of(value):
    """What a student would call an input: a list of sets, an array, a number ..."""
    if isinstance(value, bool | np.bool_):
        return "truth"
    if isinstance(value, int | float | np.number):
        return "number"
    if isinstance(value, list | tuple):
        return f"list of {kind_of(value[0])}" if value else "list"
    return "function" if callable(value) else type(value).__name__


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_hidden_check_asks_for_no_kind_of_input_that_a_student_has_not_seen(name):
    names, question, seen, asked = {}, "", {}, {}

    def recorded(function, into):
        def call(*inputs, **more):
            for place, value in [*enumerate(inputs), *more.items()]:
                into.setdefault((question, function.__name__, place), set()).add(kind_of(value))
            return function(*inputs, **more)

        return call

    for cell in source_of(name)["cells"]:
        text = "".join(cell["source"])
        if text.startswith("# BEGIN QUESTION"):
            question = re.search(r"name: (\w+)", text)[1]
        if cell["cell_type"] != "code":
            continue
        if "# BEGIN TEST CONFIG" not in text:
            exec(text, names)
            continue
        into = asked if "hidden: true" in text else seen
        own = {k: v for k, v in names.items() if inspect.isfunction(v) and v.__module__ is None}
        exec(text, names | {k: recorded(v, into) for k, v in own.items()})
    strange = {place: kinds - seen.get(place, set()) for place, kinds in asked.items()}
    assert {place: kinds for place, kinds in strange.items() if kinds} == {}


def test_a_seed_decides_numbers_and_nobody_can_tell_them_without():
    one, two = (Edition(BOOK.root, BOOK.work, seed) for seed in ("autumn", "spring"))
    assert one.number("01/3") == one.number("01/3")
    assert len({one.number("01/3"), one.number("01/4"), two.number("01/3")}) == 3


def test_a_private_edition_needs_a_seed_and_a_folder(tmp_path):
    def wanted(*arguments):
        return assignments.wanted_edition(BOOK, assignments.options(list(arguments), {}))

    with pytest.raises(assignments.AssignmentFailed, match="Add SEED="):
        wanted("--assignments", str(tmp_path))
    with pytest.raises(assignments.AssignmentFailed, match="needs a folder"):
        wanted("--seed", "x")
    with pytest.raises(assignments.AssignmentFailed, match="--start"):
        wanted("--assignments", str(tmp_path), "--seed", "x")
    editions.start(BOOK, tmp_path)
    with pytest.raises(assignments.AssignmentFailed, match="No world 'mars'"):
        wanted("--assignments", str(tmp_path), "--seed", "x", "--world", "mars")
    assert wanted("--assignments", str(tmp_path), "--seed", "x").private


def test_a_private_edition_starts_from_the_public_one_and_never_over_other_files(tmp_path):
    editions.start(BOOK, tmp_path / "mine")
    assert sorted(path.name for path in (tmp_path / "mine").glob("*/*.ipynb")) == [
        f"{name}.ipynb" for name in NAMES
    ]
    with pytest.raises(FileExistsError, match="isn't empty"):
        editions.start(BOOK, tmp_path / "mine")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_student_notebook_holds_no_solution_and_no_hidden_test(name):
    source, secret, shown = source_of(name), set(), ""
    for cell in source["cells"]:
        text, inside = "".join(cell["source"]), set()
        if "hidden: true" in text:
            inside = {line.strip() for line in text.split("# END TEST CONFIG")[1].splitlines()}
            inside.add(" ".join(text.split("failure_message: >-")[1].split('"""')[0].split()))
        elif "# BEGIN SOLUTION" in text and cell["cell_type"] == "code":
            body = text.split("# BEGIN SOLUTION")[1].split("# END SOLUTION")[0]
            inside = {line.strip() for line in body.splitlines()}
        elif cell["id"].endswith("-solution") and cell["cell_type"] == "markdown":
            inside = {text}
        else:  # what everybody may read may come up in a solution, too
            shown += text
        secret |= inside
    secret = {line for line in secret if len(line) > 12 and line not in shown}
    assert len(secret) > 30
    student = json.dumps(notebook(name, "student"), ensure_ascii=False)
    flat = re.sub(r"\s+", "", student.replace("\\n", "").replace('\\"', '"').replace("'", '"'))
    found = [
        line
        for line in secret
        if re.sub(r"\s+", "", line.replace("\n", "").replace("'", '"')) in flat
    ]
    assert not found
    assert "sample = " not in student and "rubric" not in student


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_student_finds_no_other_file_than_the_notebook(name):
    assert [path.name for path in (built()[name] / "student").iterdir()] == [f"{name}.ipynb"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_sample_answer_is_found_in_a_notebook_and_earns_its_level(name):
    for question, asked in rubric_of(name).items():
        for level in asked["levels"]:
            cell = f"{question}-solution"
            made = with_cells(notebook(name, "student"), {cell: level["sample"]})
            answer = answer_to(made, question)
            assert answer == level["sample"]
            met = " ".join(level["meets"]) or "-"
            mark = marked({question: asked}, {question: answer}, {question: {"met": met}})
            assert mark[question]["points"] == level["points"]
        assert answer_to(notebook(name, "student"), question) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_solutions_earn_full_points_and_a_blank_sheet_none(name):
    asked = questions(name)
    with Worker(PUBLIC.grading_data, closed=False) as worker:
        for version, share in (("autograder", 1), ("student", 0)):
            run = worker.run(code_of(notebook(name, version)), asked)
            assert points(run, asked) == {one.name: share * one.points for one in asked}
            assert not run.troubles


@pytest.mark.slow
@pytest.mark.parametrize("seed, world", [("autumn", "shared_bias"), ("spring", "experts_apart")])
def test_a_private_edition_holds_under_its_own_seed_and_world(seed, world, tmp_path, monkeypatch):
    monkeypatch.setattr(editions, "CLASS_SIZE", 40)
    editions.start(BOOK, tmp_path)
    edition = Edition.of_folder(tmp_path, seed, world)
    folders = assignments.build(BOOK, lambda text: None, edition)  # stops at less than full points
    assert [folder.name for folder in folders] == NAMES
    for folder in folders:
        student = folder / "student"
        assert sorted(path.name for path in (student / "data").iterdir()) == [
            "first_person.jsonl.gz",
            "imbue.csv",
            "third_person.jsonl.gz",
        ]
        text = (student / f"{folder.name}.ipynb").read_text(encoding="utf-8")
        assert 'load_carebench(\\"data\\")' in text or 'load_imbue(\\"data/imbue.csv\\")' in text
        assert "SEED" not in text and seed not in text
        graded = {path.name: path.read_bytes() for path in edition.grading_data.iterdir()}
        assert all(path.read_bytes() != graded[path.name] for path in (student / "data").iterdir())
    public = {case.code for one in questions(NAMES[0]) for case in one.cases if case.hidden}
    own = read_questions(folders[0] / "autograder")
    private = {case.code for one in own for case in one.cases if case.hidden}
    assert {code for code in private - public if "SEED" in code}
    assert not {code for code in private & public if "SEED" in code}
    facts = json.loads((edition.made / "edition.json").read_text(encoding="utf-8"))
    assert facts["world"] == world and set(facts["data"]) == {"grading", "class"}
    assert seed not in json.dumps(facts)


@pytest.mark.slow
def test_a_reference_solution_that_fails_its_own_test_stops_the_build(tmp_path):
    copy = tmp_path / "02_linking" / "02_linking.ipynb"
    copy.parent.mkdir(parents=True)
    source = (PUBLIC.sources / "02_linking" / "02_linking.ipynb").read_text(encoding="utf-8")
    assert "(6 - people" in source
    copy.write_text(source.replace("(6 - people", "(5 - people"), encoding="utf-8")
    built()  # its grading data serve here, too
    broken = Edition(tmp_path, tmp_path / "built")
    broken.made.mkdir()
    broken.grading_data.symlink_to(PUBLIC.grading_data)
    with pytest.raises(
        assignments.AssignmentFailed, match="02_linking.ipynb was not built"
    ) as told:
        assignments.build(Book(BOOK.root, tmp_path / "work"), lambda text: None, broken)
    assert "q4: Two answers from 1 to 5 add up" in str(told.value)
    assert not (broken.made / "02_linking").exists()


# In a process of its own: Otter leaves sockets and files open, which count as errors here.
OTTER = """
import json, sys
from otter.api import grade_submission
grade = grade_submission(sys.argv[1], sys.argv[2], quiet=True)
print(json.dumps([grade.total, grade.possible]))
"""


@pytest.mark.slow
def test_otter_itself_grades_with_the_archive_as_gradescope_would():
    folder = built()["02_linking"]
    archive = folder / "autograder" / "02_linking-autograder.zip"
    notebook_path = folder / "autograder" / "02_linking.ipynb"
    command = [sys.executable, "-c", OTTER, str(notebook_path), str(archive)]
    graded = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert graded.returncode == 0, graded.stderr
    assert json.loads(graded.stdout.splitlines()[-1]) == [26, 26]


@pytest.mark.slow
def test_the_archive_for_gradescope_pins_what_the_book_pins_and_carries_carebook(tmp_path):
    import zipfile

    with zipfile.ZipFile(built()["02_linking"] / "autograder" / "02_linking-autograder.zip") as zf:
        names, wanted = zf.namelist(), zf.read("environment.yml").decode()
    lock = (BOOK.root / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lock if line.startswith(("pandas==", "scikit-learn=="))]
    assert len(pins) == 2 and all(pin in wanted for pin in pins)
    assert f"python={assignments.PYTHON}" in wanted
    assert "files/carebook/carebench.py" in names
    project = tomllib.loads((BOOK.root / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {re.match(r"[\w-]+", line)[0] for line in project["project"]["dependencies"]}
    assert needed == set(assignments.PINNED)


@pytest.mark.slow
def test_a_student_notebook_runs_from_top_to_bottom_as_downloaded(tmp_path):
    import shutil

    shutil.copytree(built()["05_dear_man"] / "student", tmp_path / "student")
    run = [sys.executable, "-m", "jupyter", "execute", "--inplace", "05_dear_man.ipynb"]
    done = subprocess.run(run, cwd=tmp_path / "student", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    ran = notebook("05_dear_man", "student", tmp_path)
    outputs = json.dumps([cell.get("outputs") for cell in ran["cells"]])
    assert "A share lies between 0 and 1" in outputs and '"output_type": "error"' not in outputs
