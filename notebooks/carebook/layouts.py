"""Where the records of CAREBench stand, in each layout that has been seen in public.

Three layouts are read: two JSON Lines files; two JSON files that each hold one object, keyed by
sample id; one JSON file for each sample, in two folders. Whatever the layout, records come in small
batches, each with the place it stood at, so that memory stays small and a problem can be named.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from carebook import strictjson
from carebook.places import entries, leads_outside, odd_entries, unusable, what_is
from carebook.records import (
    UNREADABLE,
    DataError,
    Problem,
    cannot_read,
    looks_like,
    open_bytes,
    safe,
    show,
    text_problem,
)
from carebook.specification import FIELDS

ROLES = ("first_person", "third_person")
BATCH = 16
"""Records read at a time: small enough to stay in the processor's cache."""

HEAD = 4096
"""Bytes looked at to see what kind of file this is."""

_IGNORED = {"desktop.ini", "thumbs.db"}
_LAYOUT_OF = {"lines": (".jsonl", ".jsonl.gz"), "objects": (".json", ".json.gz")}


@dataclass
class Broken:
    """A record that can't be used, with what its text still tells about who it was.

    ``and_more`` says that records after it, nobody knows how many, could not be read either.
    """

    problems: list
    place: str
    sample_id: str | None = None
    observer: int | None = None
    and_more: bool = False


@dataclass
class Batch:
    """Some records of one file: ``places[i]`` says where ``records[i]`` stood."""

    file: str
    places: list = field(default_factory=list)
    records: list = field(default_factory=list)
    broken: list = field(default_factory=list)


@dataclass(frozen=True)
class Located:
    """The files of one role: their layout, and the paths with the names to call them by."""

    layout: str
    paths: tuple
    names: tuple


# --- finding the files -------------------------------------------------------------------------


def locate(folder):
    """Find the files of both roles in a folder or in its ``data`` folder.

    Returns
    -------
    dict
        Role -> Located.

    Raises
    ------
    DataError
        If a file is missing, or if there is more than one candidate for it.
    """
    problems = [p for role in ROLES for p in _unusable(folder, role)]
    if problems:
        raise DataError(problems)
    found = {role: _candidates(folder, role) for role in ROLES}
    problems = [p for role in ROLES for p in _not_one(folder, role, found)]
    if not problems:
        first, third = (found[role][0] for role in ROLES)
        if first.layout != third.layout:
            names = f"{_title(first)} beside {_title(third)}"
            problems = [_ambiguous(ROLES[0], names, "both files in one layout")]
    if problems:
        raise DataError(problems)
    return {role: found[role][0] for role in ROLES}


def _title(located):
    name = located.names[0]
    return name if located.layout != "per sample" else name.rpartition("/")[0] + "/"


def _named(folder, role):
    """Where the records of one role may stand: path, what to call it, layout (or its folder)."""
    for place, prefix in ((folder, ""), (folder / "data", "data/")):
        for layout, endings in _LAYOUT_OF.items():
            for ending in endings:
                yield place / (role + ending), prefix + role + ending, layout
        yield place / role, f"{prefix}{role}/", "per sample"


def _unusable(folder, role):
    """The problems of what has the right name and is no file or folder of the data."""
    for path, name, layout in _named(folder, role):
        problem = unusable(folder, path, name, "a folder" if layout == "per sample" else "a file")
        if problem:
            yield problem


def _candidates(folder, role):
    found = []
    for path, name, layout in _named(folder, role):
        kind = what_is(path)
        if layout != "per sample" and kind == "file":
            found.append(Located(layout, (path,), (name,)))
        elif layout == "per sample" and kind == "folder":
            paths = [entry for entry in entries(path, name) if not _hidden(entry.name)]
            if paths:
                names = tuple(name + entry.name for entry in paths)
                found.append(Located(layout, tuple(paths), names))
    return found


def _hidden(name):
    """Whether a file is what systems leave in folders; ".5.json" may well be a sample's."""
    if name.lower() in _IGNORED or name.startswith("._"):
        return True
    return name.startswith(".") and not name.endswith((".json", ".json.gz"))


def _ambiguous(role, names, expected):
    return Problem(
        role,
        found=names,
        expected=expected,
        advice="Move what you don't want to read out of the folder.",
        kind="layout",
    )


def _not_one(folder, role, found):
    candidates = found[role]
    if len(candidates) > 1:
        names = " and ".join(_title(located) for located in candidates)
        yield _ambiguous(role, names, "one copy of the data in one layout")
    elif not candidates:
        other = found[ROLES[1 - ROLES.index(role)]]
        endings = {"objects": ".json", "per sample": "/"}
        ending = endings.get(other[0].layout, ".jsonl") if other else ".jsonl"
        similar = _similar(folder, role)
        if similar:
            found, advice = f"only {similar}", "Give it the documented name."
        else:
            found, advice = _instead(folder)
        expected = "a file of this name"
        yield Problem(role + ending, "", "", "", found, expected, advice, "missing file")


def _instead(folder):
    """What a folder without the data holds that may lead on, and how: an archive, a folder ..."""
    found = "no such file in the folder or in its data folder"
    if not isinstance(folder, Path):
        return found, "Use the package as it was released."
    for path in entries(folder, safe(folder.name, 60))[:_LOOKED_AT]:
        name, kind = show(path.name[:30]), what_is(path)
        if kind == "file" and path.name.lower().endswith(_ARCHIVES):
            return f"the archive {name} instead", "Unpack it, and name the folder that comes out."
        if kind == "file" and path.name.lower().endswith(_TABLES):
            advice = "If it holds the IMBUE annotations, name the file itself (Python: load_imbue)."
            return f"the table {name} instead", advice
        if kind == "folder" and not leads_outside(folder, path) and _holds_data(path):
            return f"the data in its folder {name}", f"Name {safe(str(path), 200)} instead."
    return found, "Name the folder that holds first_person and third_person, or copy it there."


_LOOKED_AT = 200
_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".7z", ".rar")
_TABLES = (".csv", ".csv.gz", ".parquet")


def _holds_data(folder):
    return any(what_is(path) in ("file", "folder") for path, _, _ in _named(folder, ROLES[0]))


def _similar(folder, role):
    """Name of a file that may be the missing one under another name (a browser's copy, say)."""
    near = re.compile(role.replace("_", "[ _-]?"), re.IGNORECASE)
    for place in (folder, folder / "data"):
        if what_is(place) == "folder":
            for path in entries(place, safe(place.name, 60)):
                exact = path.name in (role, *(role + e for es in _LAYOUT_OF.values() for e in es))
                if near.match(path.name) and not exact and what_is(path) == "file":
                    return safe(path.name, 60)
    return ""


# --- reading them ------------------------------------------------------------------------------


def batches(located, role) -> Iterator[Batch]:
    """Yield the records of one role, batch by batch; what can't be read comes as Broken."""
    if located.layout == "per sample":
        yield from _samples(located, role)
        return
    read = {"lines": _read_lines, "objects": _read_object}[located.layout]
    for path, name in zip(located.paths, located.names, strict=True):
        try:
            yield from read(path, name, role)
        except UNREADABLE as error:
            yield _spoilt(name, cannot_read(name, error))


def _samples(located, role):
    folder = located.paths[0].parent
    odd = odd_entries(folder)
    for path, name in zip(located.paths, located.names, strict=True):
        problem = unusable(folder, path, name) if path.name in odd else None
        try:
            yield _one_sample(name, path, problem) if problem else _read_sample(path, name, role)
        except UNREADABLE as error:
            yield _one_sample(name, path, cannot_read(name, error))


def _spoilt(name, problem):
    """A file that can't be read, or not to its end: nobody knows how many records are lost."""
    return Batch(name, broken=[Broken([problem], problem.place, and_more=True)])


def _one_sample(name, path, problem):
    """The file of one sample that can't be read; its name still tells whose it was."""
    return Batch(name, broken=[Broken([problem], problem.place, _key_of(path))])


def _key_of(path):
    return path.name.removesuffix(".gz").removesuffix(".json")


def _wrong_file(name, head):
    """The problem of a file whose beginning shows that it is something else, or None."""
    looks, kind = looks_like(head), "wrong file"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if looks is None and not text and len(head) < HEAD:
        looks, kind = ("nothing: the file is empty", "Copy or download it again."), "empty"
    elif looks is None and text and not text.startswith((b"{", b"[")):
        first = text.split(b"\n")[0].split(b"\r")[0].decode("utf-8", "replace")
        table = max(map(first.count, ";,\t")) > 2
        what = "a table (CSV, or saved from a spreadsheet)" if table else "a text that is not JSON"
        looks = (f"{what}, beginning {show(first[:22])}", "Use the JSON file that was released.")
    if looks is None:
        return None
    return Problem(name, found=looks[0], expected="JSON records", advice=looks[1], kind=kind)


def _over_several_lines(name, head):
    """The problem of a JSON Lines file whose first line is only an opening bracket, or None."""
    first = _LINE_ENDS.split(head.removeprefix(b"\xef\xbb\xbf").lstrip(), maxsplit=1)[0]
    if first.strip() not in (b"{", b"["):
        return None
    return Problem(
        name,
        "line 1",
        found="JSON spread over several lines",
        expected="one record on each line",
        advice="If the file holds one object, keyed by sample id, its name must end in .json.",
        kind="wrong file",
    )


_LINE_ENDS = re.compile(rb"\r\n|\r|\n")


def _read_lines(path, name, role):
    with open_bytes(path) as file:
        head = file.read(HEAD)
        problem = _wrong_file(name, head) or _over_several_lines(name, head)
        if problem:
            yield _spoilt(name, problem)
            return
        file.seek(3 if head.startswith(b"\xef\xbb\xbf") else 0)
        number = records = 0
        while lines := list(islice(file, BATCH)):
            ends_open = not lines[-1].endswith((b"\n", b"\r"))
            # One look at the batch as a whole is cheaper than one at each line.
            if any(b"\r" in line for line in lines):
                block = b"".join(lines)
                lines = _LINE_ENDS.split(block)
                if not lines[-1]:
                    lines.pop()
            for start in range(0, len(lines), BATCH):
                part = lines[start : start + BATCH]
                if (
                    not part[0].strip() and not b"".join(part).strip()
                ):  # blank lines, maybe millions
                    number += len(part)
                    continue
                last = ends_open and start + BATCH >= len(lines)
                batch = _parse_lines(name, number, part, role, last)
                number += len(part)
                records += len(batch.records) + len(batch.broken)
                yield batch
        if not records:
            yield _spoilt(name, _wrong_file(name, b""))


def _parse_lines(name, before, lines, role, ends_open):
    places = [before + i for i, line in enumerate(lines, 1) if not line.isspace() and line]
    if len(places) < len(lines):
        lines = [line for line in lines if not line.isspace() and line]
    try:
        return Batch(name, places, strictjson.decode_lines(lines))
    except (ValueError, RecursionError, StopIteration):
        pass  # something is wrong with one of them, or out of the ordinary: one by one, then
    batch = Batch(name)
    for place, line in zip(places, lines, strict=True):
        last = ends_open and place == places[-1]
        record, faults, text = _patient(line, last)
        if faults:
            broken = _broken(name, f"line {place}", text, faults, role)
            broken.and_more = last and faults[0]["kind"] == "truncated"
            batch.broken.append(broken)
        else:
            batch.places.append(place)
            batch.records.append(record)
    return batch


def _patient(raw, last=False):
    """Read one record slowly: the record, what is wrong with it, and its text."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        return None, [text_problem(raw, error)], raw.decode("utf-8", "replace")
    value, end, faults = strictjson.explain(text)
    rest = text[end:].strip(strictjson.BLANKS) if end is not None else ""
    if rest:
        faults.append(
            {
                "found": f"{show(rest[:30])} after the end of the record",
                "expected": "one record on one line",
                "advice": "Put each record on a line of its own.",
                "kind": "not json",
            }
        )
    if end is None and last and faults[0]["kind"] == "truncated":
        faults[0]["found"] = "a last line that stops in the middle of its record"
    return value, faults, text


_SAMPLE = re.compile(r'"sample_id"\s*:\s*"([^"\\]*)"')
_OBSERVER = re.compile(r'"observer_index"\s*:\s*([1-5])\s*[,}]')


def _broken(name, place, text, faults, role, sample_id=None):
    """A Broken record; its text may still tell whose it was, so that no other problem follows."""
    sample = _SAMPLE.search(text)
    observer = _OBSERVER.search(text)
    sample_id = sample.group(1) if sample else sample_id
    number = int(observer.group(1)) if observer else None
    record = describe(sample_id, number)
    proposal = {"departure": "set aside", "file": role, "place": place}
    problems = [
        Problem(name, place, record, proposal=proposal, **{"field": "", **fault})
        for fault in faults
    ]
    return Broken(problems, place, sample_id, number)


def describe(sample_id, observer=None):
    """Name a record as far as it says who it is: ``"sample 0007, observer 3"``."""
    parts = []
    if isinstance(sample_id, str) and sample_id:
        parts.append(f"sample {safe(sample_id, 60)}")
    if type(observer) is int:
        parts.append(f"observer {observer}")
    return ", ".join(parts)


def _whole_text(path, name):
    """The text of a JSON file, or the problem that it has."""
    with open_bytes(path) as file:
        raw = file.read()
    problem = _wrong_file(name, raw[:HEAD])
    if problem:
        return None, problem
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        return raw.decode(), None
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        start = raw.rfind(b"\n", 0, error.start) + 1
        error.start -= start
        told = text_problem(raw[start : start + error.start + 1], error)
        return None, Problem(name, f"line {line}", **told)


def _read_object(path, name, role):
    text, problem = _whole_text(path, name)
    if problem:
        yield _spoilt(name, problem)
        return
    batch, seen = Batch(name), 0
    for key, value, faults in _items(text):
        seen += 1
        if seen == 1 and key in FIELDS:
            yield _spoilt(name, _lines_by_nature(name, key))
            return
        place = f"key {show(key)}" if key is not None else ""
        _add_sample(batch, role, place, key, value, faults)
        if faults and faults[0]["kind"] in ("not json", "truncated"):
            batch.broken[-1].and_more = True
        if len(batch.records) >= BATCH:
            yield batch
            batch = Batch(name)
    if not seen:
        empty = {"found": "an object without records", "expected": "records", "kind": "empty"}
        yield _spoilt(name, Problem(name, advice="Copy or download the file again.", **empty))
    yield batch


def _lines_by_nature(name, key):
    return Problem(
        name,
        found=f"{show(key)} where a sample id should be",
        expected="one object: sample id, then its record",
        advice="If each line holds one record, the name of the file must end in .jsonl.",
        kind="wrong file",
    )


def _items(text):
    """Yield (key, value, faults) for each entry of the object that a text consists of."""
    position = strictjson.skip_blanks(text, 0)
    if not text.startswith("{", position):
        found = "an array" if text.startswith("[", position) else "no object"
        yield None, None, [_shape(found, "an object: sample id, then its record")]
        return
    position = strictjson.skip_blanks(text, position + 1)
    while not text.startswith("}", position):
        key, end, faults = strictjson.explain(text, position)
        if not faults and not isinstance(key, str):
            faults = [_shape("something else", "a sample id in quotation marks")]
        if not faults:
            end = strictjson.skip_blanks(text, end)
            if not text.startswith(":", end):
                faults = [_shape("no colon after a key", "a colon")]
        if faults:
            yield None, None, _last(text, position, faults)
            return
        start = strictjson.skip_blanks(text, end + 1)
        try:
            value, end = strictjson.decode_at(text, start)
        except (ValueError, RecursionError):
            value, end, faults = strictjson.explain(text, start)
        if end is None:
            yield key, None, _last(text, start, faults)
            return
        yield key, value, faults
        end = strictjson.skip_blanks(text, end)
        if text.startswith(",", end):
            position = strictjson.skip_blanks(text, end + 1)
            if text.startswith("}", position):
                yield None, None, [_shape("a comma after the last record", "no comma there")]
                return
        elif text.startswith("}", end):
            position = end
        else:
            cut = not text[end:]
            found = "a file that stops in the middle" if cut else "no comma between two records"
            fault = _shape(found, "a comma or the closing brace")
            yield None, None, _last(text, end, [fault])
            return
    rest = text[position + 1 :].strip(strictjson.BLANKS)
    if rest:
        yield None, None, [_shape(f"{show(rest[:30])} after the object", "nothing after it")]


def _shape(found, expected):
    advice = "Use the file as it was released."
    return {"found": found, "expected": expected, "advice": advice, "kind": "not json"}


def _last(text, position, faults):
    """Say of faults that nothing after them could be read, and where they stood."""
    line = text.count("\n", 0, position) + 1
    for fault in faults:
        fault["found"] += f" (line {line})"
        fault["advice"] += " What follows in this file was not read."
    return faults


def _read_sample(path, name, role):
    if not name.endswith((".json", ".json.gz")):
        told = ("a file that is not a record", "<sample id>.json", "Move it out of this folder.")
        return _one_sample(name, path, Problem(name, "", "", "", *told, "layout"))
    text, problem = _whole_text(path, name)
    if problem:
        return _one_sample(name, path, problem)
    value, faults, _ = _patient(text.encode())
    batch = Batch(name)
    _add_sample(batch, role, "", _key_of(path), value, faults)
    return batch


def _add_sample(batch, role, place, key, value, faults):
    """Put what stands under one key into the batch: a record, or a list of them."""
    if faults:
        batch.broken.append(_broken(batch.file, place, "", faults, role, key))
        return
    items = [(place, value)]
    if role == "third_person":
        if not isinstance(value, list) or not value:
            fault = {
                "found": "an empty list" if value == [] else show(value),
                "expected": "a list of the records of five observers",
                "advice": "Leave out narratives without observers, or add the records.",
                "kind": "type",
            }
            batch.broken.append(_broken(batch.file, place, "", [fault], role, key))
            return
        before = f"{place}, " if place else ""
        items = [(f"{before}item {i}", item) for i, item in enumerate(value, 1)]
    for where, record in items:
        given = record.get("sample_id", key) if isinstance(record, dict) else key
        if given != key:
            fault = {
                "field": "sample_id",
                "found": show(given),
                "expected": f'"{safe(key, 30)}", as it is filed',
                "advice": "Find out which of the two is right.",
                "kind": "identifier",
            }
            batch.broken.append(_broken(batch.file, where, "", [fault], role, key))
            continue
        if isinstance(record, dict):
            record.setdefault("sample_id", key)
        batch.places.append(where)
        batch.records.append(record)
