"""The ``check`` subcommand: what the data files hold, or everything that is wrong with them.

It is the data audit of the book: what was read, and then the questions of :mod:`carebook.audit`, on
the terminal, as JSON for programs (``--json``) or as a page with figures (``--html FILE``).
"""

import json
import os
import textwrap
from pathlib import Path

from carebook.accepted import as_toml, proposals
from carebook.audit import (
    AS_EXPECTED,
    DIFFERS,
    NOTE,
    PARTS,
    carebench_audit,
    imbue_audit,
    summary,
)
from carebook.carebench import load_carebench
from carebook.imbue import FILE_NAMES, load_imbue
from carebook.layouts import ROLES
from carebook.places import entries, what_is
from carebook.plaintext import WIDTH, pairs, section, spread, table
from carebook.records import SHOWN_PROBLEMS, DataError, group_lines, grouped, safe
from carebook.report import carebench_facts, imbue_facts
from carebook.vocabulary import SKILLS

SHOWN_CONTRADICTIONS = 10


def add_arguments(parser):
    """Add the arguments of the subcommand to a parser."""
    parser.add_argument(
        "folder",
        nargs="?",
        metavar="FOLDER",
        help="where the data are (default: CAREBENCH_DATA, IMBUE_DATA, else the practice corpus)",
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="one JSON document, for programs")
    how.add_argument("--html", metavar="FILE", help="a page with figures, all in one file")


def main(args):
    """Run the subcommand and return the exit status: 0 if all is well, 1 if something is not."""
    loaded, problems = read_all(args.folder)
    if args.html:
        return _write_page(args.html, loaded, problems)
    facts, audits = {}, {}
    for name, data in loaded.items():
        try:
            facts[name], audits[name] = _FACTS[name](data), _AUDITS[name](data)
        except DataError as error:  # the files have changed while we looked at them
            problems += error.problems
    if args.json:
        print(json.dumps(as_document(facts, problems, audits), indent=1, allow_nan=False))
    elif problems:
        print("\n".join(problem_lines(problems)))
    else:
        print("\n".join([*report_lines(facts), *audit_lines(audits)]))
    return 1 if problems else 0


_FACTS = {"carebench": carebench_facts, "imbue": imbue_facts}
_AUDITS = {"carebench": carebench_audit, "imbue": imbue_audit}
_TITLES = {"carebench": "CAREBench", "imbue": "IMBUE expert annotations"}


def read_all(folder):
    """Load what a call is about: the data sets by name, and the problems of those that can't be."""
    loaded, problems = {}, []
    try:
        chosen = what_to_check(folder)
    except DataError as error:
        chosen, problems = [], list(error.problems)
    for name, load, source in chosen:
        try:
            loaded[name] = load(source)
        except DataError as error:
            # Both data sets may have read the same exceptions file.
            told = {str(problem) for problem in problems if problem.kind == "exceptions"}
            problems += [problem for problem in error.problems if str(problem) not in told]
    return loaded, problems


def _write_page(path, loaded, problems):
    from carebook.auditpage import NotWritten, page, write_page  # figures take a while to load

    audits = {_TITLES[name]: (data, _AUDITS[name](data)) for name, data in loaded.items()}
    try:
        write_page(path, page(audits, problem_lines(problems) if problems else []))
    except NotWritten as error:
        print(error)
        return 1
    told = [f"{title}: {summary(checks)}" for title, (_, checks) in audits.items()]
    if problems:
        told.append(f"{_counted_problems(problems)}; nothing can be used as it stands.")
        about = "It names records and shows what stood in them: it is for you alone."
    else:
        about = "It quotes no record and names nobody."
    print("\n".join([*told, f"The page is {path}. {about}"]))
    return 1 if problems else 0


def _counted_problems(problems):
    return f"{len(problems):,} problem{'s' * (len(problems) != 1)}"


def what_to_check(folder):
    """List (name, loader, source) of the data sets that a call is about."""
    carebench = ("carebench", load_carebench, folder)
    if folder is None:
        return [carebench, ("imbue", load_imbue, None)]
    path = Path(folder).expanduser()
    kind = what_is(path)
    if kind == "file":
        is_ours = path.name.split(".")[0] in ROLES
        return [carebench] if is_ours else [("imbue", load_imbue, folder)]
    chosen = [carebench]
    if kind != "folder":
        return chosen
    if any(what_is(path / name) for name in FILE_NAMES):
        imbue = ("imbue", load_imbue, folder)
        places = [place for place in (path, path / "data") if what_is(place) == "folder"]
        names = [entry.name for place in places for entry in entries(place, str(folder))]
        chosen = [carebench, imbue] if any(name.startswith(ROLES) for name in names) else [imbue]
    elif os.environ.get("IMBUE_DATA"):
        chosen.append(("imbue", load_imbue, None))
    return chosen


def as_document(facts, problems, audits=None):
    """Everything as one JSON document.

    Returns
    -------
    dict
        ``{"ok": true, "carebench": ..., "imbue": ..., "audit": ...}`` with the facts of
        :func:`carebook.report.carebench_facts` and :func:`carebook.report.imbue_facts` (a data set
        that was not asked for is null) and the checks of :mod:`carebook.audit` by data set, or ``{
        with the fields of :class:`carebook.records.Problem` and the line that is printed.
    """
    if not problems:
        asked = {
            name: [check.as_dict() for check in checks] for name, checks in (audits or {}).items()
        }
        told = {name: facts.get(name) for name in ("carebench", "imbue")}
        return {"ok": True, **told, "audit": asked}
    names = ("file", "place", "record", "field", "found", "expected", "advice", "kind", "proposal")
    return {
        "ok": False,
        "problems": [
            {name: getattr(problem, name) for name in names} | {"line": str(problem)}
            for problem in problems
        ],
        "proposals": [entry for entry, _, _ in proposals(problems)],
    }


def problem_lines(problems):
    """The first twenty kinds of problems, the count, and what could be accepted."""
    groups = grouped(problems)
    lines = [line for group in groups[:SHOWN_PROBLEMS] for line in group_lines(group)]
    left = sum(map(len, groups[SHOWN_PROBLEMS:]))
    if left:
        lines.append(f"... and {left:,} more")
    lines.append(f"{_counted_problems(problems)} in all; nothing can be used as it stands.")
    entries = proposals(problems)
    if entries:
        lines += [
            "",
            "Put the files right. Where that is not yours to do, these entries, pasted into",
            "exceptions.toml beside the data, accept the departures by name:",
        ]
        for entry, times, expected in entries[:SHOWN_PROBLEMS]:
            lines += ["", as_toml(entry, times, expected)]
        if len(entries) > SHOWN_PROBLEMS:
            left = len(entries) - SHOWN_PROBLEMS
            lines += ["", f"# ... and {left} more entries; --json lists all of them."]
    return lines


# --- the audit as text -------------------------------------------------------------------------

_MARKS = {AS_EXPECTED: "ok", DIFFERS: "!!", NOTE: " >"}


def audit_lines(audits):
    """The questions of the audit, by part; what follows from an answer stands below it."""
    lines = []
    for name, checks in audits.items():
        lines += ["", f"Audit of {_TITLES[name]}"]
        for part in PARTS:
            asked = [check for check in checks if check.part == part]
            if asked:
                lines += [f"  {part}", *(line for check in asked for line in _check_lines(check))]
        lines.append("  " + summary(checks))
    return lines


def _check_lines(check):
    expected = f" (expected: {check.expected})" if check.verdict == DIFFERS else ""
    found = safe(f"{check.question}: {check.found}{expected}")
    lines = textwrap.wrap(
        found, WIDTH, initial_indent=f"  {_MARKS[check.verdict]} ", subsequent_indent=" " * 8
    )
    if check.consequence:
        chapter = f" (chapter {check.chapter})" if check.chapter else ""
        lines += textwrap.wrap(
            check.consequence + chapter, WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8
        )
    return lines


# --- the report as text ------------------------------------------------------------------------


def report_lines(facts):
    """The facts of one or both data sets as aligned text."""
    lines = []
    if "carebench" in facts:
        lines += _carebench_lines(facts["carebench"])
    if "imbue" in facts:
        lines += [""] * bool(lines) + _imbue_lines(facts["imbue"])
    return lines


def _source_lines(title, source):
    made_up = "  (synthetic: made by a program, about nobody)" if source["synthetic"] else ""
    lines = [f"{title}: {safe(source['name'], 60)}{made_up}", f"  layout: {source['layout']}"]
    names = list(source["files"])
    for name in names[:2]:
        lines.append(f"  {safe(name, 60)}  sha256 {source['files'][name]}")
    if len(names) > 2:
        lines.append(f"  ... and {len(names) - 2} more files")
    return lines


def _counted(facts, key):
    return pairs([(safe(str(name), 60), f"{count:,}") for name, count in facts[key].items()])


def _carebench_lines(facts):
    people = facts["people"]
    size = [
        ("narratives", f"{facts['narratives']:,}"),
        ("  of them with observers", f"{facts['matched_narratives']:,}"),
        ("observer records", f"{facts['observer_records']:,}"),
        ("dialogue turns", f"{facts['turns']:,}"),
        ("observers: narratives", spread(facts["observers_per_narrative"])),
    ]
    persons = [
        ("writers", f"{people['writers']:,}"),
        ("observers", f"{people['observers']:,}"),
        ("in both roles", f"{people['both']:,}"),
        ("narratives: writers", spread(people["narratives_per_writer"])),
        ("records: observers", spread(people["records_per_observer"])),
        ("observed their own story", f"{people['observed_own_narrative']:,} records"),
    ]
    withheld = [
        (f"{field}, {safe(code, 30) or '(empty)'}", f"{count:,}")
        for field, codes in facts["withheld"].items()
        for code, count in codes.items()
    ]
    steps = [str(i) for i in range(7)]
    levels = [
        [name.replace("_", " "), *(facts[name].get(step, "") for step in steps)]
        for name in ("positive_level", "negative_level", "attention_check")
    ]
    ratings = [[name, *answers.values()] for name, answers in facts["ratings"].items()]
    labels = [[name, *counted.values()] for name, counted in facts["labels"].items()]
    return [
        *_source_lines("CAREBench", facts["source"]),
        *section("Size", pairs(size)),
        *section("People (participant_id)", pairs(persons)),
        *section("Levels, and the attention check (never a rating)", table(["", *steps], levels)),
        *section("Ratings", table(["", *"12345"], ratings)),
        *section("Labels chosen", table(["", "by writers", "by observers"], labels)),
        *section("Big Five, stored against recomputed", _big_five_lines(facts["big_five"])),
        *section("Missing values", _counted(facts, "missing")),
        *section("Empty texts", _counted(facts, "empty")),
        *section("Withheld answers", pairs(withheld)),
        *section("People who contradict themselves", _contradiction_lines(facts)),
        *_shared_lines(facts),
    ]


def _big_five_lines(found):
    if not found["compared"]:
        return ["  nothing to compare"]
    line = f"stored = {found['slope']:g} x sum {found['intercept']:+g} ({found['meaning']})"
    compared, low, high = found["compared"], *found["stored_range"]
    said = {
        "exact": f"exact: all {compared:,} stored scores equal the sum of their two items",
        "linear": f"one linear map fits all {compared:,} scores: {line}",
        "none": f"no linear map fits all: {found['differing']:,} of {compared:,} scores are off "
        f"the best one, {line}",
    }
    lines = [said[found["verdict"]], f"stored scores lie between {low:g} and {high:g}"]
    if found["differing"]:
        off = ", ".join(f"{trait} {count:,}" for trait, count in found["by_trait"].items())
        lines.append(f"off, by trait: {off}")
    return ["  " + line for line in lines]


def _contradiction_lines(facts):
    rows = facts["contradictions"]
    if not rows:
        return []
    people = len({row["participant_id"] for row in rows})
    lines = [f"  {people:,} people, {len(rows):,} fields"]
    lines += [
        f"  {safe(row['participant_id'], 40)}  {row['field']}: {safe(row['values'], 60)}"
        for row in rows[:SHOWN_CONTRADICTIONS]
    ]
    if len(rows) > SHOWN_CONTRADICTIONS:
        lines.append(f"  ... and {len(rows) - SHOWN_CONTRADICTIONS} more")
    return lines


def _shared_lines(facts):
    accepted = ["  " + safe(sentence, 200) for sentence in facts["accepted"]]
    return [
        *section("Fields that are not documented", _counted(facts, "extra_fields")),
        *section("Departures accepted in exceptions.toml", accepted),
    ]


def _imbue_lines(facts):
    size = [
        ("conversations", f"{facts['conversations']:,}"),
        ("messages", f"{facts['messages']:,}"),
        ("messages x experts", f"{facts['judged']:,}"),
        ("experts: messages", spread(facts["experts_per_message"])),
        ("messages: conversations", spread(facts["messages_per_conversation"])),
        ("categories", ", ".join(f"{name} {n:,}" for name, n in facts["categories"].items())),
    ]
    experts = [(safe(name, 40), f"{count:,}") for name, count in facts["experts"].items()]
    columns = ("strong", "weak", "none", "yes", "no")
    labels = [
        [
            skill,
            *(facts["labels"][skill].get(label, "") for label in columns),
            facts["suggestions"][skill],
            facts["rewrites"][skill],
        ]
        for skill in SKILLS
    ]
    readings = list(facts["derived_readings"][SKILLS[0]])
    derived = [[skill, *facts["derived_readings"][skill].values()] for skill in SKILLS]
    spellings = [
        [row["column"], safe(row["raw"], 40), row["taken_as"] or "(missing)", f"{row['count']:,}"]
        for row in facts["spellings"]
    ]
    return [
        *_source_lines("IMBUE expert annotations", facts["source"]),
        *section("Size", pairs(size)),
        *section("Messages judged by each expert", pairs(experts)),
        *section("Labels", table(["", *columns, "suggestions", "rewrites"], labels)),
        *section("Derived readings (ours)", table(["", *readings], derived)),
        *section(
            "Spellings in the file, and what they were taken for",
            table(["", "stands there", "taken as", "times"], spellings),
        ),
        *section("Missing values", _counted(facts, "missing")),
        *_shared_lines(facts),
    ]
