"""Small data files, spoilt in one way or two: what happens to real ones, and what is meant badly.

`Case(seed)` decides everything from its number: the data set, the layout, what is done to it.
`judge` writes the case to a folder, lets the loader read it and says what became of it: ``"read"``
(and then every value is there, as a second reading in `plain_reading` finds it) or ``"refused"``
(and then at least one problem names a file and says more). Anything else raises `Fault`.
"""

import copy
import gzip
import io
import json
import random
import re
import shutil
import warnings

import plain_reading
from toy_records import corpus, judged, keyed, table

from carebook import DataError, load_carebench, load_imbue
from carebook.vocabulary import AGREEMENT, IMBUE_COLUMNS, LABELS, POSITIVE_LEVELS

LAYOUTS = ("lines", "objects", "per sample", "imbue", "parquet")
FIRST, THIRD = corpus(narratives=2, observed=1)
ROWS = [
    judged("02", "1", "e1", category="work"),
    judged("01", "10", "e1", suggestion_assert='Say "please", then\nwait.'),
    judged("01", "9", "e1", label_describe="strong", label_mindful="yes"),
    judged("01", "9", "e2", label_describe="Weak ", suggestion_describe="Say when, né."),
]
HOSTILE = (
    "\ud800", "\udfff", "\x00", "a\x00b", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\u202eback",
    "\u2066x", "\u2028", "\u2029", "\x85", "\ufeff", "\ufffd", "😀👩‍👩‍👧", "é", "e\u0301",
    "<script>alert(1)</script>", "{{ 7 * 7 }}", "=1+1", "None", "nan", "NA", "null", "", " ",
    "\t", "\u00a0", "0", "00", "x" * 100_000, "../../etc/passwd", "Somewhat agree ",
    "somewhat agree", "Disagree", "Somewhat disagree",
)  # fmt: skip
NUMBERS = (
    "1e999", "-1e999", "9" * 5000, "-0", "-0.0", "1e308", "10.000000000000002", "0." + "3" * 400,
    "1" + "0" * 400, "NaN", "Infinity", "-Infinity", "5.0", "5e0", "01", "+1", ".5", "1.", "0x10",
    "1_0",
)  # fmt: skip
SPECIAL = (
    b"\0", b"\xff", b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\n", b"\r", b"\xe9",
    b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80\xa8", b"\x1a", b" ", b"0",
    b"\x0c", b"\x1c",
)  # fmt: skip
"""Bytes that mean something to JSON, CSV or a terminal, and some that are never UTF-8."""

ON_RECORDS = (
    "drop", "rename", "retype", "text", "swap", "extra", "cut", "double", "exchange", "replace",
    "id",
)  # fmt: skip
WITHIN_A_RECORD = ("drop", "rename", "retype", "text", "extra", "replace")
"""Those that leave every other record, and the number of records, as they were."""


class Fault(AssertionError):
    """A file was neither read whole nor refused as it should be."""


class Case:
    """One spoilt data set: ``files`` holds what to write, ``did`` what was done."""

    def __init__(self, seed, layout=None):
        self.dice = random.Random(seed)
        self.layout = layout or self.dice.choice(LAYOUTS)
        self.did = []
        self.spots = set()  # (file, line) of each record in which one thing was spoilt
        self.packed = self.dice.random() < 0.1 and self.layout != "parquet"
        made = {"imbue": self._imbue, "parquet": self._parquet}
        self.files = made.get(self.layout, self._carebench)()
        if not self.did or self.dice.random() < 0.4:
            self._bytes()

    def __repr__(self):
        return f"{self.layout}: {'; '.join(self.did) or 'nothing done'}"

    # CAREBench: what a record holds, then how it is written

    def _carebench(self):
        first, third = copy.deepcopy((FIRST, THIRD))
        for _ in range(self.dice.choice((0, 1, 1, 2))):
            name = self.dice.choice(("first_person.jsonl", "third_person.jsonl"))
            self._spoil_records(first if name.startswith("first") else third, name)
        self.raw = []
        if self.dice.random() < 0.3:
            self._plant(self.dice.choice(first + third), first, third)
        if self.layout == "lines":
            files = {
                f"{n}_person.jsonl": self._lines(r) for n, r in (("first", first), ("third", third))
            }
        else:
            with_ids = self.dice.random() < 0.5
            try:
                pair = keyed(
                    [r for r in first if type(r) is dict],
                    [r for r in third if type(r) is dict],
                    with_ids,
                )
            except (TypeError, KeyError):
                pair = keyed(*copy.deepcopy((FIRST, THIRD)), with_ids)
            files = {}
            for name, content in zip(("first", "third"), pair, strict=True):
                if self.layout == "objects":
                    text = json.dumps(
                        content, indent=self.dice.choice((None, 1)), ensure_ascii=self._ascii()
                    )
                    files[f"{name}_person.json"] = self._planted(text)
                else:
                    for key, value in content.items():
                        name_of = re.sub(r"[\x00/\ud800-\udfff]", "_", str(key))[:60]
                        text = json.dumps(value, ensure_ascii=self._ascii())
                        files[f"{name}_person/{name_of}.json"] = self._planted(text)
        return {name: text.encode("utf-8", "surrogatepass") for name, text in files.items()}

    def _ascii(self):
        return self.dice.random() < 0.5

    def _lines(self, records):
        return self._planted(
            "".join(json.dumps(r, ensure_ascii=self._ascii()) + "\n" for r in records)
        )

    def _planted(self, text):
        for mark, raw in self.raw:
            text = text.replace(f'"{mark}"', raw)
        return text

    def _place(self, record):
        """A random spot in a record: the holder, and the key or position in it."""
        holder, spots = record, []
        while isinstance(holder, (dict, list)) and holder:
            key = self.dice.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
            spots.append((holder, key))
            holder = holder[key]
            if self.dice.random() < 0.15:
                break
        return spots[-1] if spots else (record, None)

    def _plant(self, record, first, third):
        """JSON that Python's own writer would not write: numbers, nesting, doubled keys."""
        holder, key = self._place(record) if isinstance(record, dict) else (record, None)
        if key is None:
            return
        what = self.dice.choice(("number", "nested", "doubled", "half", "escape"))
        mark = f"planted-{len(self.raw)}"
        deep = self.dice.choice((20, 900, 3000, 100_000))
        raw = {
            "number": self.dice.choice(NUMBERS),
            "nested": self.dice.choice(
                ("[" * deep + "]" * deep, '{"a":' * deep + "1" + "}" * deep, "[" * deep)
            ),
            "doubled": '{"a": 1, "a": 2}',
            "half": r'"\ud800"',
            "escape": self.dice.choice(
                (r'"\x41"', r'"\u00"', r'"\u0000"', '"\t"', "'single'", "undefined")
            ),
        }[what]
        if what == "doubled" and isinstance(holder, dict):
            value = json.dumps(holder[key])
            raw = f"{value}, {json.dumps(key)}: {self.dice.choice((value, 'null'))}"
        holder[key] = mark
        self.raw.append((mark, raw))
        for name, records in (("first_person.jsonl", first), ("third_person.jsonl", third)):
            self.spots |= {(name, i) for i, other in enumerate(records, 1) if other is record}
        self.did.append(f"{what} at {key!r}")

    def _spoil_records(self, records, file):
        if not records:
            return
        i = self.dice.randrange(len(records))
        record = records[i]
        if not isinstance(record, dict):
            return
        what = self.dice.choice(ON_RECORDS)
        holder, key = self._place(record)
        if key is None:
            return
        named = isinstance(holder, dict)
        if what == "drop":
            del holder[key]
        elif what == "rename" and named:
            other = self.dice.choice(
                (key.upper(), key + " ", " " + key, key[:-1], key + "\u200b", "x", "")
            )
            holder[other] = holder.pop(key)
        elif what == "retype":
            holder[key] = self.dice.choice(
                (None, True, 0, 3, 3.5, -1, 10**30, "", [], {}, [[]], ["ai"], {"a": 1})
            )
        elif what == "text":
            holder[key] = self.dice.choice((*HOSTILE, *AGREEMENT, *LABELS, *POSITIVE_LEVELS))
        elif what == "swap":
            other, spot = self._place(records[self.dice.randrange(len(records))])
            if spot is not None and other is not holder:
                holder[key], other[spot] = copy.deepcopy(other[spot]), copy.deepcopy(holder[key])
        elif what == "extra" and named:
            name = self.dice.choice((*HOSTILE, "notes"))
            holder.setdefault(name, self.dice.choice((*HOSTILE, 1, None, [1], {"deep": [{}]})))
        elif what == "cut":
            del records[i]
        elif what == "double":
            records.insert(self.dice.randrange(len(records) + 1), copy.deepcopy(record))
        elif what == "exchange":
            j = self.dice.randrange(len(records))
            records[i], records[j] = records[j], records[i]
        elif what == "replace":
            records[i] = self.dice.choice((None, 1, "x", [], {}, [record], {"a": record}))
        elif what == "id":
            name = self.dice.choice(
                [k for k in ("sample_id", "participant_id", "observer_index") if k in record]
                or ["x"]
            )
            record[name] = self.dice.choice(
                (*HOSTILE, "0002", "0001", 1, 2, 6, 0, True, 1.0, "1", None)
            )
        if what in WITHIN_A_RECORD:
            self.spots.add((file, i + 1))
        self.did.append(f"{what} {key!r} of record {i + 1}")

    # IMBUE

    def _imbue(self):
        text = table(*self._table())
        if self.dice.random() < 0.2:
            change = self.dice.choice((";", "\t", "|", ",,", ""))
            at = self.dice.randrange(len(text))
            text = text[:at] + text[at:].replace(",", change, self.dice.choice((1, -1)))
            self.did.append(f"commas to {change!r} from {at}")
        return {"imbue.csv": text.encode("utf-8", "surrogatepass")}

    def _parquet(self):
        """The same table in Parquet, some columns of it in another type."""
        import pyarrow as pa
        from pyarrow.parquet import write_table

        rows, header = self._table()
        columns = []
        for name in header:
            cells = [row.get(name, "").encode("utf-8", "surrogatepass") for row in rows]
            columns.append(pa.array(cells, pa.binary()).view(pa.string()))  # not checked: as it is
        texts = columns[0]
        for _ in range(self.dice.choice((0, 0, 1, 2))):
            i = self.dice.randrange(len(header))
            retyped = self._retyped(texts, pa)
            if self.dice.random() < 0.5:  # a column that nobody documented
                i, header, columns = len(header), [*header, "noted"], [*columns, retyped]
            columns[i] = retyped
            self.did.append(f"{header[i][:40]!r} as {columns[i].type}")
        names = [name.encode("utf-8", "replace").decode() for name in header]
        with io.BytesIO() as file:
            write_table(
                pa.Table.from_arrays(columns, names=names),
                file,
                compression=self.dice.choice(("none", "none", "snappy", "gzip", "zstd")),
                row_group_size=self.dice.choice((1, 2, 100)),
                use_dictionary=self.dice.random() < 0.5,
                write_page_checksum=self.dice.random() < 0.5,
                store_schema=self.dice.random() < 0.7,
            )
            return {"imbue.parquet": file.getvalue()}

    def _retyped(self, column, pa):
        """A column of as many cells that are no longer plain texts."""
        size, dice = len(column), self.dice
        huge = dice.choice((0, 1, -1, 2**31 - 1, -(2**31), 2**62, -(2**63)))
        small = huge if abs(huge) < 2**31 else 7
        made = (
            lambda: column.view(pa.binary()),
            lambda: pa.array([dice.choice((None, huge, 1)) for _ in range(size)], pa.int64()),
            lambda: pa.array([dice.choice((1.0, float("nan"), float("inf"), 9.5))] * size),
            lambda: pa.array([dice.choice((True, False, None))] * size, pa.bool_()),
            lambda: pa.nulls(size),
            lambda: pa.array([["a", None]] * size),
            lambda: pa.array([{"a": 1}] * size),
            lambda: pa.array([small] * size, pa.int32()).view(pa.date32()),
            lambda: pa.array([huge] * size, pa.int64()).view(
                pa.timestamp(dice.choice(("ms", "us", "ns")), dice.choice((None, "UTC", "x/y")))
            ),
            lambda: pa.array([huge] * size, pa.int64()).view(pa.duration("us")),
            lambda: pa.array([huge] * size, pa.int64()).view(pa.time64("us")),
            lambda: pa.array([None, *[1] * size], pa.decimal128(38, 2))[:size],
            lambda: column.view(pa.binary()).cast(pa.large_binary()).view(pa.large_string()),
        )
        return dice.choice(made)()

    def _table(self):
        """The rows and the header, spoilt as a table may be."""
        rows, header = copy.deepcopy(ROWS), list(IMBUE_COLUMNS)
        for _ in range(self.dice.choice((0, 1, 1, 2))):
            what = self.dice.choice(
                ("cell", "cell", "column", "double", "cut", "exchange", "label", "swap cells")
            )
            row = self.dice.choice(rows) if rows else {}
            name = self.dice.choice(header)
            if what == "cell":
                row[name] = self.dice.choice(HOSTILE)
            elif what == "label":
                label = f"label_{self.dice.choice(('assert', 'mindful', 'confident', 'negotiate'))}"
                row[label] = self.dice.choice(
                    (
                        "Strong",
                        " strong",
                        "STRONG",
                        "s trong",
                        "ＷＥＡＫ",
                        "None",
                        "none ",
                        "Yes",
                        "yes/no",
                        "y",
                        "strong/weak",
                        "",
                        "1",
                        "ſtrong",
                    )  # fmt: skip
                )
            elif what == "column":
                i = self.dice.randrange(len(header))
                change = self.dice.choice(("drop", "rename", "double", "add", "move"))
                if change == "drop":
                    del header[i]
                elif change == "rename":
                    header[i] = self.dice.choice((header[i].upper(), header[i] + " ", "", "x"))
                elif change == "double":
                    header.append(header[i])
                elif change == "add":
                    header.insert(
                        i, self.dice.choice(("", "Unnamed: 0", "notes", "\x1b[31m", "x" * 5000))
                    )
                else:
                    header.append(header.pop(i))
            elif what == "double" and rows:
                rows.append(dict(row))
            elif what == "cut" and rows:
                rows.remove(row)
            elif what == "exchange":
                self.dice.shuffle(rows)
            elif rows:
                other = self.dice.choice(rows)
                row[name], other[name] = other.get(name, ""), row.get(name, "")
            self.did.append(f"{what} {name}")
        return rows, header

    # What happens to files

    def _bytes(self):
        if not self.files:
            return
        name = self.dice.choice(sorted(self.files))
        data = self.files[name]
        for _ in range(self.dice.choice((1, 1, 1, 2, 5))):
            what, data = self._spoil_bytes(data)
            self.did.append(f"{name}: {what}")
        self.files[name] = data

    def _spoil_bytes(self, data):
        dice = self.dice
        what = dice.choice(
            (
                "flip",
                "set",
                "insert",
                "delete",
                "truncate",
                "repeat",
                "line out",
                "line twice",
                "lines swapped",
                "line cut",
                "lines joined",
                "blank line",
                "line ends",
                "encoding",
                "mixed",
                "mark",
                "empty",
                "start",
                "long",
            )  # fmt: skip
        )
        size = len(data)
        at = dice.randrange(size) if size else 0
        end = min(size, at + dice.choice((1, 1, 2, 10, 500)))
        rows = data.split(b"\n")
        i, j = dice.randrange(len(rows)), dice.randrange(len(rows))
        special = dice.choice(SPECIAL)
        if what == "flip" and size:
            data = data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :]
        elif what == "set":
            data = data[:at] + special + data[at + 1 :]
        elif what == "insert":
            data = data[:at] + special * dice.choice((1, 2, 50)) + data[at:]
        elif what == "delete":
            data = data[:at] + data[end:]
        elif what == "truncate":
            data = data[:at]
        elif what == "repeat":
            data = data[:end] + data[at:]
        elif what == "line out":
            data = b"\n".join(rows[:i] + rows[i + 1 :])
        elif what == "line twice":
            data = b"\n".join(rows[: i + 1] + rows[i:])
        elif what == "lines swapped":
            rows[i], rows[j] = rows[j], rows[i]
            data = b"\n".join(rows)
        elif what == "line cut":
            spot = dice.randrange(len(rows[i]) + 1)
            rows[i] = (
                rows[i][:spot]
                + dice.choice((b"", b"\n", b"\r\n"))
                + rows[i][spot:] * dice.choice((0, 1))
            )
            data = b"\n".join(rows)
        elif what == "lines joined":
            data = data.replace(b"\n", dice.choice((b"", b" ")), dice.choice((1, -1)))
        elif what == "blank line":
            rows.insert(
                i,
                dice.choice(
                    (b"", b"  ", b"\t", b"\r", b"\x0c", b"\xc2\xa0", b"\xe3\x80\x80", b"\x1c")
                ),
            )
            data = b"\n".join(rows)
        elif what == "line ends":
            data = data.replace(
                b"\n", dice.choice((b"\r\n", b"\r", b"\n\n", b"\n\r", b"\xe2\x80\xa8", b"\xc2\x85"))
            )
        elif what == "encoding":
            name = dice.choice(
                (
                    "utf-16",
                    "utf-16-le",
                    "utf-32",
                    "latin-1",
                    "cp1252",
                    "utf-7",
                    "utf-8-sig",
                    "cp037",
                )
            )
            data = data.decode("utf-8", "replace").encode(name, "replace")
            what += f" {name}"
        elif what == "mixed":
            rows[i] = (
                rows[i]
                .decode("utf-8", "replace")
                .replace("e", "é")
                .encode(dice.choice(("latin-1", "utf-16", "utf-8")), "replace")
            )
            data = b"\n".join(rows)
        elif what == "mark":
            spot = dice.choice((0, at))
            data = data[:spot] + b"\xef\xbb\xbf" * dice.choice((1, 2)) + data[spot:]
        elif what == "empty":
            data = dice.choice((b"", b"\n", b" ", b"{}", b"[]", b"null", b"\xef\xbb\xbf"))
        elif what == "start":
            head = (
                b"PK\x03\x04",
                b"\x1f\x8b",
                b"<!DOCTYPE html>",
                b"version https://git-lfs",
                b"%PDF",
                b"[",
                b"{",
                b"#",
            )
            data = dice.choice(head) + data
        elif what == "long":
            data = data[:at] + special * 200_000 + data[at:]
        return what, data

    def write(self, folder):
        """Write the files into an empty folder."""
        for name, data in self.files.items():
            path = folder / (name + ".gz" * self.packed)
            path.parent.mkdir(exist_ok=True)
            if self.packed:
                data = gzip.compress(data, 1, mtime=0)
                if self.dice.random() < 0.3:
                    what, data = self._spoil_bytes(data)
                    self.did.append(f"packed: {what}")
            path.write_bytes(data)


def judge(case, folder):
    """Load a case from an (empty) folder: ``"read"`` or ``"refused"``, else Fault."""
    case.write(folder)
    imbue = case.layout in ("imbue", "parquet")
    source = next(folder.glob("imbue.*")) if imbue else folder
    try:
        there = plain_reading.expected_imbue(source) if imbue else plain_reading.expected(folder)
    except Exception as error:  # whatever it stumbles over: this reading explains nothing
        there = error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            data = load_imbue(source) if imbue else load_carebench(source)
    except DataError as error:
        _well_refused(error, folder)
        if case.layout == "lines" and len(case.did) == len(case.spots) == 1:
            _names_the_place(error, *case.spots)
        if not isinstance(there, Exception):
            raise Fault(f"refused, though nothing is wrong with it: {error.problems[0]}") from None
        return "refused"
    except Exception as error:
        raise Fault(f"{type(error).__name__}: {str(error)[:200]}") from error
    if isinstance(there, Exception):
        raise Fault(
            f"read, though a plain reading fails: {type(there).__name__} {str(there)[:120]}"
        )
    held = plain_reading.told_imbue(data) if imbue else plain_reading.told(data)
    if held != there:
        differing = [key for key in held.keys() | there.keys() if held.get(key) != there.get(key)]
        raise Fault(f"read, but not as it stands there: {differing[:3]}")
    return "read"


def _well_refused(error, folder):
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    for problem in error.problems:
        line = str(problem)
        if "\n" in line or not line.isprintable() or len(line) > 1500:
            raise Fault(f"a problem that is no plain line: {line[:200]!r}")
        if not (problem.found and problem.advice and problem.kind):
            raise Fault(f"a problem that doesn't say what was found, or what to do: {line[:200]}")
        named = problem.file in (*names, *plain_reading.ROLES) or problem.kind == "missing file"
        if not named:
            raise Fault(f"a problem that names no file there is: {line[:200]}")
        number = re.match(r"line (\d+)", problem.place)
        if number and not problem.file.endswith(".gz"):
            data = (folder / problem.file).read_bytes()
            if int(number[1]) > 1 + len(re.findall(rb"\r\n|\r|\n", data)):
                raise Fault(f"a line that is not there: {line[:200]}")
    if not error.problems:
        raise Fault("refused without a reason")


def _names_the_place(error, spot):
    """The one thing that was spoilt is named by its line, or the whole file is refused."""
    file, line = spot
    for problem in error.problems:
        whole = not problem.place or problem.kind == "wrong file"
        if problem.kind in ("orphan", "panel", "repeated"):  # a sample_id that is another's
            return
        if problem.file.removesuffix(".gz") == file and (whole or problem.place == f"line {line}"):
            return
    raise Fault(f"{file}, line {line} is not named: {error.problems[0]}")


def emptied(folder):
    """The folder, with nothing in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
