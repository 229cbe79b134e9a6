"""A folder of submissions becomes grades: rules, tables, pages, resumed and repeated runs."""

import csv
import doctest
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

import pytest
from grading import command, runner, written
from grading.feedback import page_name, write_page
from grading.marking import Result, Wanted, file_name, read_result, write_result
from grading.questions import Case, Question
from grading.rules import Rules, RulesProblem, read_rules
from grading.submissions import Submission, Unreadable, find_submissions, unanswered
from grading.summary import difficulty, discrimination, left_blank, write_summary, wrong_answers
from grading.tables import Grade, choose, read_roster, with_roster, write_canvas, write_grades
from submitted import BOOK, built, notebook, questions, with_cells, with_code, write

NAME = "02_linking"
DUE = datetime(2027, 1, 18, 23, 59)
MODULES = sorted(path.stem for path in runner.EXTENSIONS.glob("grading/[a-z]*.py"))


def submission(student="anna", when=DUE, name="a.ipynb", late=False):
    """A submission that needs no file."""
    return Submission(student, student, Path(name), when, late)


def question(name="q1", points=(1.0, 2.0)):
    """A question with a public and a hidden test."""
    public = Case("", points[0], False, "Too many rows.")
    return Question(name, sum(points), (public, Case("", points[1], True, "Off elsewhere.")))


def result(*passed, student="anna", name="q1", error="KeyError: 'secret'"):
    """A result of one question."""
    outcomes = [{"passed": one, "kind": "error", "error": "" if one else error} for one in passed]
    return Result(student, "a.ipynb", "x", "y", {name: outcomes})


def rows(path):
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_files_of_canvas_moodle_and_by_hand_are_told_apart(tmp_path):
    for name in (
        "leeann_LATE_123_9001_02_linking-1.ipynb",
        "ng_456_9002_02_linking.ipynb",
        "Ann Lee_789_assignsubmission_file/02_linking.ipynb",
        "ben/final.ipynb",
        "cem.ipynb",
        "graded/02_linking/old.ipynb",
        ".ipynb_checkpoints/cem.ipynb",
    ):
        write(tmp_path / name, {})
    found = {one.student: (one.name, one.late) for one in find_submissions(tmp_path)}
    assert found == {
        "123": ("leeann", True),
        "456": ("ng", False),
        "789": ("Ann Lee", False),
        "ben": ("ben", False),
        "cem": ("cem", False),
    }


def test_days_late_count_from_the_due_date_after_a_grace_period_with_extensions():
    rules = Rules(due=DUE, grace_minutes=15, extensions={"ben": datetime(2027, 1, 25, 23, 59)})
    times = [DUE.replace(hour=20), datetime(2027, 1, 19, 0, 10), datetime(2027, 1, 19, 0, 30)]
    times += [datetime(2027, 1, 20, 12)]
    assert [rules.days_late(submission(when=when)) for when in times] == [0, 0, 1, 2]
    assert rules.days_late(submission("ben", datetime(2027, 1, 20, 12))) == 0
    assert Rules().days_late(submission(late=True)) == 1  # as the platform says


def test_rules_are_read_and_mistakes_in_them_are_named(tmp_path):
    (tmp_path / "rules.toml").write_text('due = 2027-01-18T23:59:00\nkeep = "best"\n')
    assert read_rules(tmp_path) == Rules(due=DUE, keep="best")
    for text, said in (
        ("deu = 1", "'deu' is no rule"),
        ('due = "tomorrow"', "due is no date"),
        ('keep = "first"', "'first'"),
        ("due = ", "rules.toml"),
    ):
        (tmp_path / "rules.toml").write_text(text)
        with pytest.raises(RulesProblem, match=said):
            read_rules(tmp_path)


def test_the_rules_name_whose_a_renamed_file_is_and_when_it_came():
    rules = Rules(belongs={"FINAL (3).ipynb": "anna"}, times={"FINAL (3).ipynb": DUE})
    one = rules.assigned(submission("FINAL (3)", datetime(2030, 1, 1), "FINAL (3).ipynb"))
    assert (one.student, one.when) == ("anna", DUE)


@pytest.mark.parametrize("keep, total", [("last", 1.8), ("best", 3.0)])
def test_of_repeated_work_the_last_or_the_best_counts(keep, total):
    rules = Rules(due=DUE, late_per_day=10, keep=keep)
    handed = [submission(name="1.ipynb"), submission(name="2.ipynb", when=DUE.replace(day=19))]
    results = [result(True, True), result(False, True)]
    [grade] = choose(handed, results, [question()], rules, {})
    assert grade.total == total
    assert grade.days_late == (1 if keep == "last" else 0)


def test_a_rubric_turns_marked_criteria_into_points_and_waits_for_what_nobody_read():
    rubric = {
        "q9": {
            "points": 2,
            "criteria": [{"id": "unit"}, {"id": "check"}],
            "levels": [
                {"points": 0, "needs": []},
                {"points": 1, "needs": ["unit"]},
                {"points": 2, "needs": ["unit", "check"]},
            ],
        }
    }

    def points(answer, met):
        return written.marked(rubric, {"q9": answer}, {"q9": {"met": met}})["q9"]["points"]

    assert points("An answer.", "") is None
    assert points("", "") == 0
    marks = ("-", "check", "unit", "unit check", "'unit check ")
    assert [points("An answer.", met) for met in marks] == [0, 0, 1, 2, 2]
    with pytest.raises(
        written.RubricProblem, match="'uint' is no criterion; there are unit, check"
    ):
        points("An answer.", "uint")


def test_a_level_may_ask_for_so_many_criteria_whichever_they_are():
    levels = [{"needs": []}, {"needs": [], "many": 2}, {"needs": ["a", "b", "c"]}]
    asked = {"criteria": [{"id": name} for name in "abc"], "levels": levels}
    assert [written.level_of(asked, set(met)) for met in ("a", "bc", "ac", "abc")] == [0, 1, 1, 2]


def test_the_sheet_of_written_answers_keeps_what_was_marked(tmp_path):
    row = {"student": "-1", "question": "q9", "answer": "=1+1", "met": "-", "comment": "Good"}
    written.write_sheet(tmp_path, [row])
    again = written.read_marks(tmp_path)["-1", "q9", "=1+1"]
    assert again["met"] == "-" and again["answer"] == "'=1+1" and again["comment"] == "Good"


def test_gradebooks_have_a_row_for_each_student_and_nothing_that_computes(tmp_path):
    roster = {
        "1": {
            "student": "1",
            "name": "=Ann",
            "email": "a@x.org",
            "canvas_id": "77",
            "login": "ann",
        },
        "2": {"student": "2", "name": "Ben"},
    }
    grades = [Grade("1", "ann", result(True, False), {"q1": 1.0}, before=1, total=1)]
    grades = with_roster(grades, roster, ["q1"])
    write_grades(tmp_path / "grades.csv", grades, roster, ["q1"])
    write_canvas(tmp_path / "canvas.csv", grades, roster, NAME, 3)
    header = ["student", "name", "email", "q1", "before", "days_late", "total", "remark"]
    assert rows(tmp_path / "grades.csv") == [
        header,
        ["1", "'=Ann", "a@x.org", "1", "1", "0", "1", ""],
        ["2", "Ben", "", "0", "0", "0", "0", "nothing handed in"],
    ]
    assert rows(tmp_path / "canvas.csv") == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", NAME],
        ["    Points Possible", "", "", "", "", "3"],
        ["'=Ann", "77", "", "ann", "", "1"],
        ["Ben", "2", "", "", "", "0"],
    ]


def test_tables_are_read_as_any_spreadsheet_saves_them(tmp_path):
    path = tmp_path / "roster.csv"
    for text, encoding in (
        ("student,name\n7,Zoë\n", "utf-8-sig"),
        ('student;name\r\n7;"Zoë"\r\n', "cp1252"),
        ("student\tname\n7\tZoë\n", "utf-8"),
    ):
        path.write_bytes(text.encode(encoding))
        assert read_roster(tmp_path) == {"7": {"student": "7", "name": "Zoë"}}
    path.write_text("Student;ID\n")
    with pytest.raises(
        Unreadable, match="roster.csv has no column 'student'; there are Student, ID"
    ):
        read_roster(tmp_path)


def test_a_page_says_which_criteria_of_a_rubric_were_met_and_that_nothing_was_written():
    rubric = {
        "q9": {
            "points": 2,
            "criteria": [{"id": "unit", "text": "Says what a row is."}, {"id": "x", "text": "Y."}],
            "levels": [{"points": 0, "needs": [], "description": "None."}]
            + [{"points": 1, "needs": [], "many": 1, "description": "One of two."}],
        }
    }

    def page(answer, met):
        marks = written.marked(rubric, {"q9": answer}, {"q9": {"met": met}})
        grade = Grade("anna", "Anna", result(True, True), {"q1": 3.0}, marks)
        with tempfile.TemporaryDirectory() as folder:
            return write_page(Path(folder), NAME, grade, [question()], rubric).read_text("utf-8")

    shown = page("An answer.", "unit")
    assert "One of two." in shown and "<li>Met: Says what a row is." in shown
    assert "<li>Not met: Y." in shown
    assert "No answer was written." in page("", "") and "Not met" not in page("", "")


def test_a_question_that_was_not_begun_is_called_so_on_the_page_and_in_the_summary(tmp_path):
    untouched = result(False, False)
    untouched.blank = ["q1"]
    grade = Grade("anna", "Anna", untouched, {"q1": 0.0})
    text = write_page(tmp_path, NAME, grade, [question()], {}).read_text(encoding="utf-8")
    assert "Not answered" in text and "Too many rows." not in text
    assert wrong_answers([grade], [question()]) == []
    assert left_blank([grade, grade]) == [("q1", 2)]
    shown = write_summary(tmp_path, NAME, [grade], [question()], {}).read_text(encoding="utf-8")
    assert "Not begun, and by how many: q1 (1)." in shown


def test_an_answer_cell_that_ends_in_the_dots_of_the_stub_is_unanswered():
    def one(text):
        cell = {"cell_type": "code", "id": "q1-solution", "source": text}
        return unanswered({"cells": [{"id": ["strange"]}, cell]}, ["q1"])

    assert one("def f(x):\n    ...\n\n") == ["q1"]
    assert one("def f(x):\n    return x") == one("def f(x):\n    ...\n    return 1") == []
    assert unanswered({"cells": []}, ["q1"]) == []


def test_of_repeated_work_each_answer_is_on_the_sheet_where_the_best_counts(tmp_path):
    """Else the answer of the submission that counts could never be read."""
    asked = {"points": 1, "criteria": [{"id": "a"}]}
    asked["levels"] = [{"points": 0, "needs": []}, {"points": 1, "needs": ["a"], "description": ""}]
    asked["criteria"][0]["text"] = "A."
    handed, results = [], []
    for number, day in ((1, 18), (2, 19)):
        cell = {"cell_type": "markdown", "id": "q9-solution", "source": f"Answer {number}."}
        path = write(tmp_path / f"{number}.ipynb", {"cells": [cell]})
        handed.append(Submission("anna", "anna", path, DUE.replace(day=day)))
        results.append(result(True, number == 1))
    for keep, on_the_sheet in (("best", ["Answer 1.", "Answer 2."]), ("last", ["Answer 2."])):
        out = tmp_path / keep
        out.mkdir()
        command._report(
            out, NAME, [question()], {"q9": asked}, Rules(keep=keep), {}, handed, results
        )
        assert [row[2] for row in rows_with_mark(out / "written.csv")[1:]] == on_the_sheet


def test_a_page_tells_a_student_what_failed_and_neither_tests_nor_scripts(tmp_path):
    shown = result(False, False, error="KeyError: <b>x</b> secret")
    shown.troubles = {"3": "NameError: <script>alert(1)</script>"}
    grade = Grade("anna", "<i>Anna</i>", shown, {"q1": 0.0})
    text = write_page(tmp_path, NAME, grade, [question()], {}).read_text(encoding="utf-8")
    assert "Too many rows." in text and "Off elsewhere." in text and "Code cell 3" in text
    assert "<script>" not in text and "<i>" not in text and "<b>" not in text
    assert text.count("secret") == 1  # of the public check; a hidden one names only its kind
    assert text.count("Your code stopped with an error, <code>KeyError") == 2
    assert '<html lang="en">' in text


def test_pages_of_two_students_never_share_a_file():
    names = ["anna", "../anna", "Anna", "an na", "an-na", "..", "a" * 300, "ä", "ö"]
    files = [page_name(name) for name in names]
    assert len({file.lower() for file in files if file != "Anna.html"}) == len(files) - 1
    assert all("/" not in file and len(file) < 90 for file in files)


def test_a_result_that_was_cut_short_is_no_result(tmp_path):
    path = tmp_path / "one.json"
    assert read_result(path) is None
    path.write_text('{"student": "an')
    assert read_result(path) is None
    write_result(path, result(True, False))
    assert read_result(path) == result(True, False)
    assert [one.name for one in tmp_path.iterdir()] == ["one.json"]


def test_what_is_wanted_again_is_a_student_or_a_question():
    one = submission()
    assert not Wanted().again(one) and Wanted(question="q1").again(one)
    assert Wanted(student="anna").again(one) and not Wanted("ben", "q1").again(one)


def test_difficulty_is_the_share_of_points_over_those_who_could_be_graded():
    empty = Result("cem", "c.ipynb", "x", "y", reason="The file is empty.")
    grades = [
        Grade("anna", "anna", result(True, True), {"q1": 3.0, "q2": None}),
        Grade("ben", "ben", result(True, False), {"q1": 1.0, "q2": 2.0}),
        Grade("cem", "cem", empty, {"q1": 0.0, "q2": 0.0}),
        Grade("dana", "dana", None, {"q1": 0.0, "q2": 0.0}),
    ]
    assert difficulty(grades, {"q1": 3, "q2": 4}) == {"q1": 2 / 3}  # of q2, one isn't read yet
    assert difficulty(grades[1:], {"q1": 3, "q2": 4}) == {"q1": 1 / 3, "q2": 0.5}


def test_wrong_answers_are_counted_once_a_student_by_the_first_check_that_stopped_them():
    results = [result(False, False), result(True, False), result(True, False, error="")]
    grades = [Grade(str(n), str(n), one, {}) for n, one in enumerate(results)]
    found = wrong_answers(grades, [question()])
    assert sorted(found) == [
        ("q1", "Off elsewhere.", 1),
        ("q1", "Off elsewhere. [KeyError]", 1),
        ("q1", "Too many rows. [KeyError]", 1),
    ]


def test_discrimination_is_shown_from_fifty_students_on(tmp_path):
    def class_of(size):
        return [
            Grade(str(n), str(n), result(True, True), {"q1": n % 2, "q2": n % 2, "q3": 1.0})
            for n in range(size)
        ]

    possible = {"q1": 1, "q2": 1, "q3": 1}
    assert discrimination(class_of(49), possible) == {}
    found = discrimination(class_of(50), possible)
    assert found == {"q1": pytest.approx(1), "q2": pytest.approx(1)}  # q3: all alike
    small = write_summary(tmp_path, NAME, class_of(49), [question()], {})
    assert "classes of 50 and more" in small.read_text(encoding="utf-8")


def test_what_cant_be_contained_is_said_and_refused_unless_insisted_on(monkeypatch):
    monkeypatch.setattr(runner, "why_open", lambda: "no namespaces here")
    said = []
    with pytest.raises(command.CannotGrade, match="Nothing was run"):
        command._contained(False, said.append)
    assert any("use the network (no namespaces here)" in line for line in said)
    assert command._contained(True, said.append) is False


def test_grading_names_what_is_missing(tmp_path):
    def grade(**wish):
        arguments = [f"--{name}={value}" for name, value in wish.items()]
        return command.grade(BOOK, command.options(arguments, {}), lambda text: None)

    with pytest.raises(command.CannotGrade, match="SUBMISSIONS=folder"):
        grade()
    with pytest.raises(command.CannotGrade, match="There is no folder"):
        grade(submissions=tmp_path / "x")
    with pytest.raises(command.CannotGrade, match="aren't built yet"):
        grade(submissions=tmp_path, assignments=tmp_path)


@pytest.mark.slow
def test_a_student_who_handed_in_nothing_cant_be_graded_again(tmp_path):
    built()
    write(tmp_path / "anna.ipynb", {"cells": []})
    wish = [f"--submissions={tmp_path}", f"--assignment={NAME}", "--student=ben"]
    with pytest.raises(command.CannotGrade, match="Nobody handed in as 'ben'; there are anna"):
        command.grade(BOOK, command.options(wish, {}), lambda text: None)


def make_grade(*arguments, **more):
    """Start ``make grade`` as an instructor does."""
    program = BOOK.root / "book" / "ext" / "commands.py"
    command = [sys.executable, str(program), "grade", *arguments]
    if runner.why_open():
        command.append("--insist")
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)


def finish(process):
    """Its exit status and what it said."""
    said, _ = process.communicate(timeout=300)
    return process.returncode, said.decode()


@pytest.mark.slow
def test_a_run_that_was_killed_goes_on_where_it_stopped(tmp_path):
    built()
    slow = with_code(notebook(NAME, "autograder"), "import time; time.sleep(0.7)")
    for number in range(8):
        write(tmp_path / f"student-{number}.ipynb", slow)
    results = tmp_path / "graded" / NAME / "results"
    first = make_grade(f"--submissions={tmp_path}", "--jobs=1", start_new_session=True)
    end = time.monotonic() + 120
    while len(list(results.glob("*.json"))) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    first.stdout.close()
    before = {path.name: path.stat().st_mtime_ns for path in results.glob("*.json")}
    assert 2 <= len(before) < 8
    status, said = finish(make_grade(f"--submissions={tmp_path}"))
    assert status == 0, said
    after = {path.name: path.stat().st_mtime_ns for path in results.glob("*.json")}
    assert len(after) == 8 and all(after[name] == time for name, time in before.items())
    assert len(rows(tmp_path / "graded" / NAME / "grades.csv")) == 9


@pytest.mark.slow
def test_a_class_of_ten_with_two_hostile_ones_is_graded_read_and_given_back(tmp_path):
    built()
    key, blank = notebook(NAME, "autograder"), notebook(NAME, "student")
    answer = {"q10-solution": "=A row is a reading, and readers count."}
    for number in range(5):
        write(tmp_path / f"{number}_10{number}_7_02_linking.ipynb", with_cells(key, answer))
    wrong = {"q4-solution": "def neuroticism(people):\n    return people['bfi_nervous'] * 2"}
    write(tmp_path / "wrong_105_7_02_linking.ipynb", with_cells(key, {**answer, **wrong}))
    write(tmp_path / "blank_106_7_02_linking.ipynb", blank)
    (tmp_path / "empty_107_7_02_linking.ipynb").write_bytes(b"")
    delete = "import shutil\nshutil.rmtree('/', ignore_errors=True)\nimport os\nos._exit(0)"
    write(tmp_path / "delete_108_7_02_linking.ipynb", with_code(key, delete))
    forge = "import builtins\nbuiltins.abs = lambda x: 0\nbuiltins.all = lambda x: True"
    write(tmp_path / "forge_109_7_02_linking.ipynb", with_code(blank, forge))
    (tmp_path / "roster.csv").write_text("student,name\n110,Nobody\n101,Berta\n")
    status, said = finish(make_grade(f"--submissions={tmp_path}"))
    assert status == 0, said
    out = tmp_path / "graded" / NAME
    table = {row[0]: row for row in rows(out / "grades.csv")}
    totals = {student: row[-2] for student, row in table.items() if student.isdigit()}
    full = {str(100 + n): "26" for n in range(5)}
    expected = {"105": "23", "106": "0", "107": "0", "108": "26", "109": "0", "110": "0"}
    assert totals == full | expected
    assert "replaced built-in functions (abs, all)" in table["109"][-1]
    assert "The file is empty" in table["107"][-1] and table["110"][-1] == "nothing handed in"
    assert len(list((out / "feedback").iterdir())) == 11
    assert "Not on the roster: 100" in said and "read the answers of" in said
    sheet = rows_with_mark(out / "written.csv")
    assert sheet[1][2].startswith("'=A row")
    for row in sheet[1:]:
        row[3] = "row" if row[2].startswith("'=A row") else "-"
    with (out / "written.csv").open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(sheet)
    status, said = finish(make_grade(f"--submissions={tmp_path}"))
    assert status == 0 and "done in 0 s" in said, said
    assert {row[0]: row[-2] for row in rows(out / "grades.csv")}["100"] == "27.5"
    page = (out / "feedback" / "100.html").read_text(encoding="utf-8")
    assert "Met: Says that a row is a story" in page and "27.5 of 30 points" in page
    regrade(tmp_path, out)


def rows_with_mark(path):
    """The rows of a CSV file that begins with a byte-order mark, for spreadsheets."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def regrade(folder, out):
    """One question of one student again: nothing else is touched."""
    results = {path.name: path.stat().st_mtime_ns for path in (out / "results").iterdir()}
    again = ("--student=105", "--question=q4")
    status, said = finish(make_grade(f"--submissions={folder}", *again))
    assert status == 0, said
    after = {path.name: path.stat().st_mtime_ns for path in (out / "results").iterdir()}
    changed = [name for name in results if results[name] != after[name]]
    assert [name.split("-")[0] for name in changed] == ["105"]
    stored = json.loads((out / "results" / changed[0]).read_text(encoding="utf-8"))
    assert list(stored["passed"]) == [one.name for one in questions(NAME)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_graders_modules_hold(name):
    assert doctest.testmod(importlib.import_module(f"grading.{name}")).failed == 0


def test_results_of_two_files_of_one_student_are_kept_apart(tmp_path):
    one = write(tmp_path / "anna" / "1.ipynb", {})
    other = write(tmp_path / "anna" / "2.ipynb", {})
    names = {file_name(submission("anna", DUE, str(path))) for path in (one, other)}
    assert len(names) == 2
