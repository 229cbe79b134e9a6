"""How a message is put: what no sentence of ours may have, whatever stood in a file."""

import re
from dataclasses import replace

_FAULTS = (
    (re.compile(r"(?<!\.)\.\.(?!\.)|\.{4}"), "two full stops"),
    (re.compile(r"\s[.,;:!?](?=\s|$)"), "a blank before a point"),
    (re.compile(r"[,;:] ?[,;:.](?!\.)"), "two points in a row"),
    (re.compile(r"\S {2,}\S"), "two blanks"),
    (re.compile(r"\b(None|nan|<class|object at 0x)\b"), "a word of Python's"),
)
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"))


def faults(message):
    """What is wrong with the wording of a message: a list, empty if all is well."""
    found = [name for pattern, name in _FAULTS if pattern.search(message)]
    bare = re.sub(r'"[^"]*"|`[^`]*`', "", message)
    found += [f"a single {mark}" for mark in ('"', "`") if mark in bare]
    found += [f"{a} without {b}" for a, b in _PAIRS if bare.count(a) != bare.count(b)]
    if not message.rstrip().endswith((".", "...", ":")):
        found.append("no full stop at the end")
    return found


def our_words(problem):
    """A problem as it is printed, with stand-ins for what comes from a file."""
    told = re.sub(r'".*"', '"7"', problem.found)  # what stood there is shown in quotation marks
    told = re.sub(r"'.*'", "'7'", told)  # and as Python's libraries quote it
    if told != problem.found and any(told.count(a) != told.count(b) for a, b in _PAIRS):
        told = '"7"'  # between two quotations, a bracket of ours went with them
    expected = re.sub(r'"(?:[^"\\]|\\.)*", as it is filed', '"7", as it is filed', problem.expected)
    advice = re.sub(r'Rename ".*"', 'Rename "7"', problem.advice)
    ours = {"found": told, "expected": expected, "advice": advice}
    return str(replace(problem, file="a.json", record="sample 7", field="field", **ours))
