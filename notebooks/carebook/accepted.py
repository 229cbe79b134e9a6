"""The one exceptions file: departures from the documentation that an instructor accepts by name.

``exceptions.toml`` stands beside the data. Each ``[[accept]]`` entry names one kind of departure:

``answer``
    What stands in the file (``found``) is read as ``take_as``.
``missing``
    A documented field is not there; the value stays missing.
``panel``
    A narrative is used although its observers are not exactly 1 to 5.
``set aside``
    A record is left out.

Nothing is accepted in silence: every entry must match something, and what it matched is counted and
told in ``data.accepted``.
"""

from collections import Counter
from dataclasses import dataclass, field, replace

from carebook.places import unusable, what_is
from carebook.records import UNREADABLE, Problem, cannot_read, show, stopped
from carebook.vocabulary import IMBUE_COLUMNS

FILE_NAME = "exceptions.toml"
CAREBENCH_FILES = ("first_person", "third_person")
IMBUE_FILES = ("imbue",)
NOTHING = object()
"""No entry says what to do (None would say: leave it missing)."""

_LOCATING = (
    "file",
    "place",
    "sample_id",
    "observer_index",
    "participant_id",
    "conversation_id",
    "message_id",
    "username_expert",
)
_IMBUE_ONLY = {"conversation_id", "message_id", "username_expert"}
_KEYS = {  # departure -> keys it must have, keys it may have
    "answer": ({"found", "take_as"}, {"field"}),
    "missing": ({"field"}, set()),
    "panel": ({"sample_id"}, {"found"}),
    "set aside": (set(), set()),
}


@dataclass
class _Entry:
    number: int
    departure: str
    content: dict
    used: int = 0
    unfit: str = ""  # what take_as should have been, when it matched but did not fit
    seen: Counter = field(default_factory=Counter)

    def stands_for(self, where):
        """Whether every locating key of the entry agrees with where we are."""
        for key in _LOCATING:
            if key in self.content:
                here, there = where.get(key), self.content[key]
                if type(here) is not type(there) or here != there:
                    return False
        return True

    def covers(self, path):
        """Whether the entry's field is this one or contains it."""
        named = self.content.get("field")
        if named is None or path == named:
            return True
        return path.startswith(named) and path[len(named)] in ".["


class Accepted:
    """The entries of one exceptions file, and what each of them matched in one reading.

    Parameters
    ----------
    folders : sequence of path
        Where the file may stand (one of them).
    files : tuple of str
        The files that this reading is about; entries about other files are left to their reading.
    """

    def __init__(self, folders, files):
        self.problems = []
        self._entries = []
        odd = [unusable(folder, folder / FILE_NAME, FILE_NAME) for folder in folders]
        self.problems += [problem for problem in odd if problem]
        found = [folder for folder in folders if what_is(folder / FILE_NAME) == "file"]
        if self.problems:
            return
        if len(found) > 1:
            self.problems.append(
                Problem(
                    FILE_NAME,
                    found="an exceptions file here and another one in data/",
                    expected="one exceptions file",
                    advice="Put all entries into one of them.",
                    kind="exceptions",
                )
            )
        elif found:
            self._read(found[0] / FILE_NAME, files)

    def _refuse(self, number, found, expected, advice):
        self.problems.append(
            Problem(
                FILE_NAME,
                place=f"entry {number}" if number else "",
                found=found,
                expected=expected,
                advice=advice,
                kind="exceptions",
            )
        )

    def _read(self, path, files):
        import tomllib  # seldom needed, and not free

        try:
            with path.open("rb") as file:
                document = tomllib.load(file)
        except UNREADABLE as error:
            self.problems.append(cannot_read(FILE_NAME, error))
            return
        except (ValueError, RecursionError) as error:  # no TOML, no UTF-8, or a number without end
            advice = "Compare it with what `check` prints."
            self._refuse(0, str(error), "a TOML file in UTF-8", advice)
            return
        entries = document.pop("accept", [])
        for key in document:
            self._refuse(0, f"[{key}]", "[[accept]] entries only", "Remove it, or mend its name.")
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            self._refuse(0, "[accept]", "[[accept]], with two brackets", "Double the brackets.")
            return
        for number, content in enumerate(entries, 1):
            self._add(number, content, files)

    def _add(self, number, content, files):
        content = dict(content)
        departure = content.pop("departure", None)
        if not isinstance(departure, str) or departure not in _KEYS:
            expected = ", ".join(f'"{name}"' for name in _KEYS)
            self._refuse(number, show(departure), f"a departure: {expected}", "Name one of them.")
            return
        file = str(content.get("file", "")).split(".")[0]
        if file:
            content["file"] = file
            if file not in CAREBENCH_FILES + IMBUE_FILES:
                expected = '"first_person", "third_person" or "imbue"'
                self._refuse(number, show(file), f"file = {expected}", "Name one of them.")
                return
            if file not in files:
                return
        else:
            about_imbue = content.keys() & _IMBUE_ONLY or content.get("field") in IMBUE_COLUMNS
            if bool(about_imbue) != (files == IMBUE_FILES):
                return
        if not isinstance(content.get("field", ""), str):
            found = f"field = {show(content['field'])}"
            self._refuse(number, found, "the path of a field", "Put it in quotation marks.")
            return
        if departure == "panel":
            content.setdefault("file", "third_person")
        content.pop("reason", None)
        if self._well_formed(number, departure, content):
            self._entries.append(_Entry(number, departure, content))

    def _well_formed(self, number, departure, content):
        required, optional = _KEYS[departure]
        unknown = content.keys() - required - optional - set(_LOCATING)
        if unknown:
            allowed = ", ".join(sorted(required | optional | set(_LOCATING) | {"reason"}))
            self._refuse(number, f"the key {show(min(unknown))}", f"only {allowed}", "Remove it.")
        missing = required - content.keys()
        if missing:
            self._refuse(number, "nothing", f"a line {min(missing)} = ...", "Add it.")
        blank = content.get("take_as", NOTHING) == ""
        if blank:
            self._refuse(
                number,
                "a blank take_as",
                "the documented value that is meant",
                "Decide what the answer should be read as, and write it there.",
            )
        unlocated = departure == "set aside" and not content.keys() - {"file"}
        if unlocated:
            self._refuse(
                number,
                "a record to set aside that is not named",
                "a sample_id, observer_index, place ...",
                "Say which record is meant.",
            )
        return not (unknown or missing or blank or unlocated)

    def _find(self, departure, where):
        return (e for e in self._entries if e.departure == departure and e.stands_for(where))

    @staticmethod
    def _use(entry, told):
        entry.used += 1
        entry.seen[told] += 1

    def answer(self, where, path, found, valid):
        """Return what ``found`` is to be read as, or ``NOTHING``.

        Parameters
        ----------
        where : dict
            The locating keys of the record.
        path : str
            Dotted path of the field.
        valid : callable
            Says whether a value may stand there.
        """
        for entry in self._find("answer", where):
            wanted = entry.content["found"]
            if type(wanted) is type(found) and wanted == found and entry.covers(path):
                if valid(entry.content["take_as"]):
                    self._use(entry, path)
                    return entry.content["take_as"]
                entry.unfit = path
        return NOTHING

    def missing(self, where, path):
        """Whether this field of this record may be missing."""
        for entry in self._find("missing", where):
            if entry.covers(path):
                self._use(entry, path)
                return True
        return False

    def panel(self, sample_id, observers):
        """Whether this narrative may have these observers (written ``"1, 2, 4, 5"``)."""
        for entry in self._find("panel", {"file": "third_person", "sample_id": sample_id}):
            if entry.content.get("found", observers) == observers:
                self._use(entry, observers)
                return True
        return False

    def sets_aside(self, where):
        """Whether this record is to be left out."""
        for entry in self._find("set aside", where):
            self._use(entry, where.get("file", ""))
            return True
        return False

    @property
    def any_set_aside(self):
        """Whether any entry sets records aside."""
        return any(entry.departure == "set aside" for entry in self._entries)

    def unused(self, unfit_only=False):
        """Problems for entries that settled nothing in this reading.

        With ``unfit_only``, for those alone whose ``take_as`` can't stand where they matched: of
        the others nothing can be said as long as not all records could be read.
        """
        return [
            Problem(
                FILE_NAME,
                place=f"entry {entry.number}",
                field=entry.unfit,
                found=f'an accepted "{entry.departure}" that '
                + ("does not fit there" if entry.unfit else "matches nothing"),
                expected="a take_as that the documentation allows there"
                if entry.unfit
                else "entries that match what stands in the data",
                advice="Compare its spelling with the data (`check` prints entries), or remove it.",
                kind="exceptions",
            )
            for entry in self._entries
            if not entry.used and (entry.unfit or not unfit_only)
        ]

    def sentences(self):
        """What was accepted, one plain sentence for each entry."""
        return tuple(_sentence(entry) for entry in self._entries)


class Told(str):
    """What was accepted, as a sentence.

    Attributes
    ----------
    unnamed : str
        The same without the identifier of a record: for a page that must not name real ones.
    """

    def __new__(cls, named, unnamed):
        """Make the sentence; both end in a full stop."""
        told = super().__new__(cls, stopped(named))
        told.unnamed = stopped(unnamed)
        return told

    def __getnewargs__(self):
        """Let it be copied and pickled."""
        return str(self), self.unnamed


def _sentence(entry):
    content, times = entry.content, f"{entry.used} time{'s' * (entry.used != 1)}"
    paths = sorted(entry.seen)
    fields = ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
    file = content.get("file")
    start = f"{file}: " if file else ""
    if entry.departure == "answer":
        found, taken = show(content["found"]), show(content["take_as"])
        told = f"{start}{found} was read as {taken}, {times}, in {fields}"
        return Told(told, told)
    if entry.departure == "missing":
        told = f"{start}{fields} left missing, {times}"
        return Told(told, told)
    if entry.departure == "panel":
        name, rest = show(content["sample_id"]), f"used with observers {fields} only"
        return Told(f"{start}narrative {name} {rest}", f"{start}one narrative {rest}")
    named = ", ".join(f"{key} {show(content[key])}" for key in _LOCATING[1:] if key in content)
    told = f"{start}{entry.used} record{'s' * (entry.used != 1)} set aside"
    return Told(f"{told} ({named})", told)


# --- proposals --------------------------------------------------------------------------------

GENERAL_FROM = 6
"""From this many equal departures on, one entry for all of them is proposed."""


def without_setting_aside(problem):
    """The same problem, with no proposal to leave a record out."""
    if problem.proposal is None or problem.proposal["departure"] != "set aside":
        return problem
    return replace(problem, proposal=None)


def proposals(problems):
    """Return entries that would accept what can be accepted, each with how often it is needed.

    That six records or more with one fault be set aside is never proposed: it is then the file
    that is at fault, and leaving out what it spoils would hide that.

    Parameters
    ----------
    problems : iterable of Problem

    Returns
    -------
    list of (dict, int, str)
        The entry, the number of problems it would settle, and what was expected there.
    """
    grouped, problems = {}, list(problems)
    aside = Counter(_aside(problem) for problem in problems)
    for problem in problems:
        if problem.proposal is None or aside[_aside(problem)] >= GENERAL_FROM:
            continue
        entry = problem.proposal
        if entry["departure"] == "answer":
            kept = {key: entry[key] for key in ("departure", "file", "found", "take_as")}
            key = tuple((name, type(value), value) for name, value in kept.items())
            key += (entry["field"].split(".")[0].split("[")[0],)
        elif entry["departure"] == "missing":
            key = ("missing", entry["file"], entry["field"])
        else:
            key = tuple(entry.items())
        grouped.setdefault(key, []).append(problem)
    result = []
    for group in grouped.values():
        first = group[0].proposal
        if first["departure"] == "answer":
            fields = {problem.proposal["field"] for problem in group}
            path = fields.pop() if len(fields) == 1 else first["field"].split(".")[0]
            entry = {
                "departure": "answer",
                "file": first["file"],
                "field": path.split("[")[0],
                "found": first["found"],
                "take_as": first["take_as"],
            }
            result.append((entry, len(group), group[0].expected))
        elif first["departure"] == "missing" and len(group) >= GENERAL_FROM:
            entry = {key: first[key] for key in ("departure", "file", "field")}
            result.append((entry, len(group), ""))
        elif first["departure"] == "missing":
            result += [(dict(problem.proposal), 1, "") for problem in group]
        else:
            result.append((dict(first), len(group), ""))
    return result


def _aside(problem):
    """What must not recur too often for setting aside to be the answer; the entry, for others."""
    entry = problem.proposal
    if entry is None or entry["departure"] != "set aside":
        return id(problem)
    return entry["file"], problem.kind


def as_toml(entry, times=1, expected=""):
    """Write one proposal as text that can be pasted into ``exceptions.toml``.

    Examples
    --------
    >>> print(as_toml({"departure": "panel", "sample_id": "0007"}))
    [[accept]]
    departure = "panel"
    sample_id = "0007"
    """
    lines = ["[[accept]]"]
    if times > 1:
        lines[0] += f"  # {times} times"
    for key, value in entry.items():
        line = f"{key} = {_toml_value(value)}"
        if key == "take_as" and value == "":
            line += f"  # write here what is meant: {expected}"
        lines.append(line)
    return "\n".join(lines)


def _toml_value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(_toml_character(char) for char in escaped) + '"'


def _toml_character(char):
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
