"""The ``observers`` subcommand: the human baseline, as a table or as JSON."""

import json

from carebook.carebench import load_carebench
from carebook.plaintext import pairs, table
from carebook.records import DataError


def add_arguments(parser):
    """Add the arguments of the subcommand to a parser."""
    parser.add_argument(
        "folder",
        nargs="?",
        metavar="FOLDER",
        help="where CAREBench is (default: CAREBENCH_DATA, else the practice corpus)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON document, for programs")


def main(args):
    """Run the subcommand and return the exit status."""
    from carebook.scoring import human_baseline  # it loads what loading data does not need

    try:
        data = load_carebench(args.folder)
        scores = human_baseline(data)
    except DataError as error:
        print(error)
        return 1
    except ValueError as error:
        print(f"The observers can't be scored: {error}")
        return 1
    if args.json:
        print(json.dumps(scores, indent=1))
    else:
        print("\n".join(table_lines(scores, data.source.label)))
    return 0


def table_lines(scores, label):
    """The human baseline as aligned text."""
    panel = scores["panel"]
    kinds = ("ratings", "positive_level", "negative_level", "positive_labels", "negative_labels")
    lines = [
        f"Human baseline: observers against the writer of the narrative, {label}",
        "Lower is better for RMSE, higher for all other scores.",
        "",
        f"EACH OBSERVER ALONE: {scores['pairs']:,} records",
    ]
    for kind in (*kinds, "reasoning"):
        lines += _score_lines(kind.replace("_", " ").capitalize(), scores[kind])
    lines += ["", f"THE OBSERVERS OF A NARRATIVE AS ONE JUDGE: {panel['narratives']:,} panels"]
    for kind in kinds:
        lines += _score_lines(kind.replace("_", " ").capitalize(), panel[kind])
    return lines


def _score_lines(title, scores):
    """One block of scores: numbers as pairs, groups with the same scores as a table."""
    groups = {name: value for name, value in scores.items() if isinstance(value, dict)}
    numbers = [(name, _number(scores[name])) for name in scores if name not in groups]
    lines = ["", title, *pairs(numbers)] if numbers else []
    columns = {tuple(group) for group in groups.values()}
    simple = not any(
        isinstance(value, dict) for group in groups.values() for value in group.values()
    )
    if len(groups) > 1 and len(columns) == 1 and simple:
        names = columns.pop()
        rows = [[name, *map(_number, group.values())] for name, group in groups.items()]
        return [*(lines or ["", title]), *table(["", *names], rows)]
    for name, group in groups.items():
        lines += _score_lines(f"{title}, {name.replace('_', ' ')}", group)
    return lines


def _number(value):
    if isinstance(value, float):
        return f"{value:.3f}"
    return "-" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
