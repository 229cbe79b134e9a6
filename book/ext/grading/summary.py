"""What a class found hard: difficulty, what went wrong most often, and, for large ones, more."""

from __future__ import annotations

from collections import Counter
from html import escape
from pathlib import Path

from grading.feedback import PAGE, STYLE
from grading.questions import Question
from grading.tables import Grade

LARGE_CLASS = 50
"""From here on a correlation over students says something."""


def difficulty(grades: list[Grade], possible: dict[str, float]) -> dict[str, float]:
    """Share of a question's points that was earned, over all who handed in something.

    A question with answers that nobody has read yet is left out.
    """
    shares = {}
    for name, points in possible.items():
        earned = [one.points.get(name) for one in handed_in(grades)]
        if earned and None not in earned:
            shares[name] = sum(earned) / len(earned) / points
    return shares


def discrimination(grades: list[Grade], possible: dict[str, float]) -> dict[str, float]:
    """Correlation of each question with the sum of the others; {} for small classes.

    A question that everybody answers alike has none.
    """
    import numpy as np

    here = [grade for grade in handed_in(grades) if not grade.waits]
    if len(here) < LARGE_CLASS:
        return {}
    table = np.array([[grade.points.get(name) or 0 for name in possible] for grade in here], float)
    rest = table.sum(axis=1, keepdims=True) - table
    found = {}
    for at, name in enumerate(possible):
        if table[:, at].std() > 0 and rest[:, at].std() > 0:
            found[name] = float(np.corrcoef(table[:, at], rest[:, at])[0, 1])
    return found


def wrong_answers(grades: list[Grade], questions: list[Question]) -> list[tuple[str, str, int]]:
    """What went wrong most often: question, what the first failed check said, how many students."""
    counted: Counter = Counter()
    for grade in handed_in(grades):
        for question in questions:
            outcomes = grade.result.passed.get(question.name, [])
            if question.name in grade.result.blank:
                continue
            for case, outcome in zip(question.cases, outcomes, strict=False):
                if not outcome["passed"]:
                    kind = outcome["error"].split(":")[0] if outcome["kind"] == "error" else ""
                    said = case.message or "a check without a message"
                    counted[question.name, said + (f" [{kind}]" if kind else "")] += 1
                    break
    return [(name, said, times) for (name, said), times in counted.most_common()]


def left_blank(grades: list[Grade]) -> list[tuple[str, int]]:
    """Questions that somebody did not begin, and how many; the most often left ones first."""
    counted = Counter(name for grade in handed_in(grades) for name in grade.result.blank)
    return counted.most_common()


def handed_in(grades: list[Grade]) -> list[Grade]:
    """Those whose notebook could be run."""
    return [grade for grade in grades if grade.result is not None and not grade.result.reason]


def write_summary(
    folder: Path, assignment: str, grades: list[Grade], questions: list[Question], rubric: dict
) -> Path:
    """Write ``summary.html`` with its plots."""
    possible = {one.name: one.points for one in questions}
    possible |= {name: question["points"] for name, question in rubric.items()}
    shares = {name: 100 * share for name, share in difficulty(grades, possible).items()}
    wrong = wrong_answers(grades, questions)
    here = handed_in(grades)
    parts = [f"<h1>{escape(assignment)}: {len(here)} of {len(grades)} could be graded</h1>"]
    if shares:
        parts += _figure(folder, "difficulty", "Per cent of the points earned", shares, (0, 100))
    if wrong:
        parts.append("<h2>What went wrong most often</h2>")
        most = wrong[:12]
        counts = {f"{at}. {name}": times for at, (name, _, times) in enumerate(most, 1)}
        parts += _figure(folder, "wrong", "Students stopped by a check", counts, (0, len(here)))
        parts.append("<ol>")
        parts += [f"<li>{n}: {escape(said)} ({times})</li>" for n, said, times in most]
        parts.append("</ol>")
    blank = ", ".join(f"{name} ({times})" for name, times in left_blank(grades))
    if blank:
        parts.append(f"<p>Not begun, and by how many: {escape(blank)}.</p>")
    found = discrimination(grades, possible)
    if found:
        title = "Correlation with the other questions"
        parts += _figure(folder, "discrimination", title, found, (-1, 1))
    else:
        parts.append(
            f"<p>How well a question tells strong from weak is shown for classes of {LARGE_CLASS} "
            "and more: with fewer, chance decides.</p>"
        )
    look = [grade for grade in grades if grade.result and (grade.result.notes)]
    if look:
        parts.append("<h2>To look at</h2><ul>")
        parts += [f"<li>{escape(g.name)}: {escape(' '.join(g.result.notes))}</li>" for g in look]
        parts.append("</ul>")
    stopped = [grade for grade in here if grade.result.troubles]
    if stopped:
        parts.append("<h2>Cells that stopped with an error</h2><ul>")
        for grade in stopped:
            said = "; ".join(f"cell {at}: {text}" for at, text in grade.result.troubles.items())
            parts.append(f"<li>{escape(grade.name)}: {escape(said[:300])}</li>")
        parts.append("</ul>")
    path = folder / "summary.html"
    body = "\n".join(parts)
    page = PAGE.format(title=escape(f"{assignment}: summary"), style=STYLE, body=body)
    path.write_text(page, encoding="utf-8")
    return path


def _figure(folder: Path, name: str, title: str, values: dict, limits: tuple) -> list[str]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 0.9 + 0.32 * len(values)), layout="constrained")
    axes = figure.subplots()
    bars = axes.barh(list(values), list(values.values()), color="#33608c")
    axes.bar_label(bars, [f"{value:.3g}" for value in values.values()], padding=3)
    axes.invert_yaxis()
    axes.set(title=title, xlim=(limits[0], limits[1] * 1.12))
    figure.savefig(folder / f"{name}.svg")
    said = ", ".join(f"{label}: {value:.3g}" for label, value in values.items())
    return [f'<p><img src="{name}.svg" alt="{escape(title)}. {escape(said)}." width="100%"></p>']
