"""A page for each student: what was earned, what each check said, what to look at."""

from __future__ import annotations

import hashlib
import re
from html import escape
from pathlib import Path

from grading import written
from grading.questions import Case, Question
from grading.tables import Grade

STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
  color: #1b1b1b; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 1.6rem 0 .3rem; }
ul { padding-left: 1.3rem; } li { margin: .2rem 0; } .small { color: #555; }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #121212; }
  .small { color: #bbb; } }
"""
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width"><style>{style}</style></head>
<body><main>
{body}
</main></body></html>
"""


def page_name(student: str) -> str:
    """A file name for a student's page that any system takes.

    Examples
    --------
    >>> page_name("anna"), page_name("../x") != page_name("x")
    ('anna.html', True)
    """
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", student).strip("-.")[:60]
    if plain == student:
        return f"{plain}.html"
    return f"{plain}-{hashlib.sha256(student.encode()).hexdigest()[:8]}.html"


def write_page(
    folder: Path, assignment: str, grade: Grade, questions: list[Question], rubric: dict
) -> Path:
    """Write one student's page. It holds no hidden test, and nobody else's name."""
    possible = sum(one.points for one in questions) + sum(one["points"] for one in rubric.values())
    parts = [f"<h1>{escape(assignment)}: {grade.total:g} of {possible:g} points</h1>"]
    parts.append(f"<p>{escape(grade.name)}</p>")
    if grade.waits:
        parts.append("<p>An answer in words is not read yet, so more points may come.</p>")
    if grade.days_late:
        parts.append(
            f"<p>Handed in late by {grade.days_late} day(s) begun: {grade.before:g} points became "
            f"{grade.total:g} by the course's rule.</p>"
        )
    if grade.result is None:
        parts.append("<p>Nothing was handed in.</p>")
    elif grade.result.reason:
        parts.append(f"<p><strong>{escape(grade.result.reason)}</strong></p>")
    else:
        parts += _troubles(grade) + _checks(grade, questions) + _answers(grade, rubric)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / page_name(grade.student)
    body = "\n".join(parts)
    page = PAGE.format(title=escape(assignment), style=STYLE, body=body)
    path.write_text(page, encoding="utf-8")
    return path


def titled(name: str) -> str:
    """A question's name in words.

    Examples
    --------
    >>> titled("q10")
    'Question 10'
    """
    return escape(re.sub(r"^q(\d+)$", r"Question \1", name))


def _troubles(grade: Grade) -> list[str]:
    if not grade.result.troubles:
        return []
    items = [
        f"<li>Code cell {escape(place)}: {escape(text)}</li>"
        for place, text in grade.result.troubles.items()
    ]
    said = "<p>These cells stopped with an error when your notebook ran from top to bottom. "
    said += "The cells after them were run all the same.</p>"
    return ["<h2>Running your notebook</h2>", said, "<ul>", *items, "</ul>"]


def _checks(grade: Grade, questions: list[Question]) -> list[str]:
    parts = []
    for question in questions:
        points = grade.points.get(question.name) or 0
        parts.append(f"<h2>{titled(question.name)}: {points:g} of {question.points:g}</h2><ul>")
        outcomes = grade.result.passed.get(question.name, [])
        if question.name in grade.result.blank and not points:
            parts.append("<li>Not answered: the cell still ends in <code>...</code></li></ul>")
            continue
        for case, outcome in zip(question.cases, outcomes, strict=False):
            if outcome["passed"]:
                counts = f"({case.points:g})" if points else "(counts once one below passes, too)"
                parts.append(f"<li>Passed {counts}</li>")
                continue
            said = escape(case.message or "This check failed.")
            parts.append(f"<li>Not passed ({case.points:g}): {_stop(case, outcome)}{said}</li>")
        parts.append("</ul>")
    return parts


def _stop(case: Case, outcome: dict) -> str:
    """Return how a check ended that came to no verdict on the answer."""
    if not outcome["error"]:
        return ""
    if outcome["kind"] != "error":
        return f"{escape(outcome['error'])} "
    # What Python said may hold a piece of a hidden test's data: then only its kind.
    shown = outcome["error"].split(":")[0] if case.hidden else outcome["error"]
    return f"Your code stopped with an error, <code>{escape(shown)}</code>; see to that first. "


def _answers(grade: Grade, rubric: dict) -> list[str]:
    parts = []
    for name, question in rubric.items():
        mark = grade.written.get(name, written.NO_ANSWER)
        if mark["points"] is None:
            parts.append(f"<h2>{titled(name)}: not read yet</h2>")
            continue
        level = question["levels"][mark["level"]]
        parts.append(f"<h2>{titled(name)}: {level['points']:g} of {question['points']:g}</h2>")
        if mark["blank"]:
            parts.append("<p>No answer was written.</p>")
            continue
        parts.append(f"<p>{escape(level['description'])}</p><ul>")
        for criterion in question["criteria"]:
            said = "Met" if criterion["id"] in mark["met"] else "Not met"
            parts.append(f"<li>{said}: {escape(criterion['text'])}</li>")
        parts.append("</ul>")
        if mark["comment"]:
            parts.append(f"<p>{escape(mark['comment'])}</p>")
    return parts
