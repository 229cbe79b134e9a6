"""``make grade``: from a folder of submissions to grades, pages and a summary."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from pathlib import Path

from layout import Book

from grading import runner, written
from grading.edition import Edition
from grading.feedback import write_page
from grading.marking import Marking, Result, Wanted
from grading.questions import NoAutograder, read_questions, read_rubric
from grading.rules import RulesProblem, read_rules
from grading.submissions import Unreadable, belongs_to, find_submissions, read_notebook
from grading.summary import write_summary
from grading.tables import choose, read_roster, with_roster, write_canvas, write_grades

BAR = 24


class CannotGrade(Exception):
    """Grading didn't start; the message says what to do."""


def options(arguments: list[str], environ=os.environ) -> argparse.Namespace:
    """What was asked for, on the command line or in variables (``make grade NAME=value``)."""
    parser = argparse.ArgumentParser(prog="make grade")
    variables = {
        "submissions": "folder with the notebooks that were handed in",
        "assignments": "your private edition's folder; without it, the public edition",
        "assignment": "which assignment, if the notebooks don't tell",
        "out": "folder for the grades (by default `graded` beside the submissions)",
        "student": "grade this student again",
        "question": "grade this question again",
    }
    for name, purpose in variables.items():
        parser.add_argument(f"--{name}", default=environ.get(name.upper(), ""), help=purpose)
    parser.add_argument("--jobs", type=int, default=0, help="how many side by side")
    parser.add_argument("--insist", action="store_true", help="grade although not contained")
    return parser.parse_args(arguments)


def grade(book: Book, wish: argparse.Namespace, say=print) -> Path:
    """Grade a folder and return the folder with the grades.

    Raises
    ------
    CannotGrade
        When something has to be decided or made first.
    """
    folder = _folder(wish.submissions)
    edition = _edition(book, wish.assignments)
    try:
        rules, roster = read_rules(folder), read_roster(folder)
        found = sorted(
            (rules.assigned(one) for one in find_submissions(folder)),
            key=lambda one: (one.student, one.when, one.path),
        )
        if not found:
            raise CannotGrade(f"No notebook in {folder}. Next: put the .ipynb files there.")
        assignment = wish.assignment or _most_named(found)
        built = edition.made / assignment / "autograder"
        questions, rubric = read_questions(built), read_rubric(built)
        out = Path(wish.out).expanduser().resolve() if wish.out else folder / "graded" / assignment
        written.read_marks(out)  # a sheet that can't be read is told before anything runs
    except (RulesProblem, NoAutograder, Unreadable) as problem:
        raise CannotGrade(str(problem)) from None
    if wish.question and wish.question not in {one.name for one in questions}:
        raise CannotGrade(f"{assignment} has no question {wish.question!r} that tests grade.")
    wanted = Wanted(wish.student, wish.question)
    if wish.student and not any(wanted.again(one) for one in found):
        raise CannotGrade(f"Nobody handed in as {wish.student!r}; there are {_students(found)}.")
    closed = _contained(wish.insist, say)
    if not edition.private:
        say("Everybody can read the public edition's keys: these points are practice, no grade.")
    out.mkdir(parents=True, exist_ok=True)
    results = _mark(assignment, questions, edition, out, closed, found, wish, say)
    say(_report(out, assignment, questions, rubric, rules, roster, found, results))
    return out


def _students(found) -> str:
    names = sorted({one.student for one in found})
    return ", ".join(names[:20]) + (" and more" if len(names) > 20 else "")


def _folder(named: str) -> Path:
    if not named:
        raise CannotGrade("Name the folder: make grade SUBMISSIONS=folder")
    folder = Path(named).expanduser().resolve()
    if not folder.is_dir():
        raise CannotGrade(f"There is no folder {folder}.")
    return folder


def _edition(book: Book, named: str) -> Edition:
    edition = Edition.of_folder(Path(named), "") if named else Edition.public(book)
    if not edition.made.is_dir():
        more = f" ASSIGNMENTS={named} SEED=..." if named else ""
        raise CannotGrade(f"The assignments aren't built yet. Next: `make assignments{more}`.")
    return edition


def _most_named(found) -> str:
    named: Counter = Counter()
    for one in found:
        try:
            named[belongs_to(read_notebook(one.path))] += 1
        except Unreadable:
            continue
    del named[""]
    if not named:
        raise CannotGrade("No notebook says which assignment it is. Next: add ASSIGNMENT=name.")
    return named.most_common(1)[0][0]


def _contained(insist: bool, say) -> bool:
    """Whether submissions run in a closed room; refuse where they can't, unless insisted on."""
    open_doors = runner.what_is_not_contained()
    if not open_doors:
        return True
    say("On this machine a submission can't be closed off. While it runs, it could:")
    for door in open_doors:
        say(f"  - {door}")
    if not insist:
        raise CannotGrade(
            "Nothing was run. Next: grade on Linux, or on a machine that holds nothing of value, "
            'or, if you trust every student, `make grade ... ARGS="--insist"`.'
        )
    return False


def _mark(assignment, questions, edition, out, closed, found, wish, say) -> list[Result]:
    marking = Marking(
        assignment,
        questions,
        edition.grading_data,
        out / "results",
        closed,
        side_by_side=wish.jobs,
    )
    say(f"Grading {len(found)} submissions of {assignment}, {marking.side_by_side} side by side")
    started = time.monotonic()
    shown = sys.stdout.isatty()

    def progress(done: int, of: int, result: Result, kept: bool) -> None:
        filled = round(BAR * done / of)
        bar = f"[{'#' * filled}{'.' * (BAR - filled)}] {done} of {of}"
        what = "kept" if kept else result.reason or f"{result.seconds:.1f} s"
        if shown:
            print(f"\r  {bar}  {result.student[:30]}: {what[:40]:40}", end="", flush=True)
        elif not kept or done == of:
            print(f"  {bar}  {result.student}: {what}", flush=True)

    results = marking.grade(found, Wanted(wish.student, wish.question), progress)
    if shown:
        print()
    say(f"  done in {time.monotonic() - started:.0f} s")
    return results


def _report(out, assignment, questions, rubric, rules, roster, found, results) -> str:
    """Write tables, pages and the summary; return what to do next."""
    marks = written.read_marks(out)
    sheet, by_file = {}, {}
    for submission, result in zip(found, results, strict=True):
        answers = {}
        if not result.reason and rubric:
            notebook = read_notebook(submission.path)
            answers = {name: written.answer_to(notebook, name) for name in rubric}
        key = {name: written.words(answer) for name, answer in answers.items()}
        own = {name: marks.get((submission.student, name, key[name]), {}) for name in key}
        try:
            by_file[submission.path.as_posix()] = written.marked(rubric, answers, own)
        except written.RubricProblem as problem:
            raise CannotGrade(f"{out / written.FILE}, {submission.student}: {problem}") from None
        for name, answer in answers.items():
            kept = {key: own[name].get(key, "") for key in ("met", "comment")}
            row = {"student": submission.student, "question": name, "answer": answer, **kept}
            # Where the last submission counts, only its answer has to be read.
            which = key[name] if rules.keep == "best" else ""
            sheet[submission.student, name, which] = row
    names = [one.name for one in questions] + list(rubric)
    grades = choose(found, results, questions, rules, by_file)
    strangers = [one.student for one in grades if roster and one.student not in roster]
    grades = with_roster(grades, roster, names)
    possible = sum(one.points for one in questions) + sum(one["points"] for one in rubric.values())
    write_grades(out / "grades.csv", grades, roster, names)
    column = rules.canvas_column or assignment
    write_canvas(out / "canvas.csv", grades, roster, column, possible)
    if rubric:
        written.write_sheet(out, sorted(sheet.values(), key=lambda one: one["question"]))
    for one in grades:
        write_page(out / "feedback", assignment, one, questions, rubric)
    write_summary(out, assignment, grades, questions, rubric)
    lines = [f"Grades, pages and a summary are in {out}."]
    if strangers:
        lines.append(
            f"Not on the roster: {', '.join(strangers)}. Say whose they are in {rules_name()}."
        )
    waiting = sum(one.waits for one in grades)
    if waiting:
        lines.append(
            f"Next: read the answers of {waiting} students in {written.FILE}, then `make grade` "
            "again: it takes seconds."
        )
    else:
        lines.append("Next: look at summary.html, then import grades.csv or canvas.csv.")
    return "\n".join(lines)


def rules_name() -> str:
    """The name of the file with the rules."""
    from grading.rules import FILE

    return FILE
