"""JSON without the liberties that Python takes: doubled keys, NaN and Infinity are refused.

``decode_lines`` and ``decode_at`` are for speed: they stop at the first departure. ``explain``
reads the same text again, slowly, and says what is wrong and where.
"""

import json
import re

MAX_DIGITS = 4000
"""Python itself stops at 4300 digits, to be safe from numbers made to keep it busy."""

BLANKS = " \t\n\r"
"""What JSON lets stand between values: neither a no-break space nor any other blank of Unicode."""

_BLANKS = re.compile(f"[{BLANKS}]*")


class _Refused(ValueError):
    """The text is JSON, or nearly, but holds something that has no place in a record."""


def _no_constant(name):
    raise _Refused(name)


def _one_of_each(pairs):
    record = dict(pairs)
    if len(record) == len(pairs):
        return record
    raise _Refused("doubled key")


_STRICT = json.JSONDecoder(object_pairs_hook=_one_of_each, parse_constant=_no_constant)
decode_at = _STRICT.raw_decode
_scan = _STRICT.scan_once


def decode_lines(lines):
    """Decode lines of UTF-8 that hold one record each.

    Parameters
    ----------
    lines : iterable of bytes

    Returns
    -------
    list
        What the lines hold.

    Raises
    ------
    ValueError, RecursionError, StopIteration
        At the first line that is anything else, a blank before its record included; ``explain``
        then says what it is.
    """
    records = []
    for line in lines:
        text = line.decode()
        record, end = _scan(text, 0)
        if end < len(text) and text[end:].strip(BLANKS):
            raise _Refused("text after the record")
        records.append(record)
    return records


class _Constant(str):
    """NaN, Infinity or -Infinity, as written."""


class _HugeNumber(str):
    """A whole number with more digits than Python agrees to read."""


class _Pairs(list):
    """The (key, value) pairs of an object, before it is known that each key is there once."""


_PATIENT = json.JSONDecoder(
    object_pairs_hook=_Pairs,
    parse_constant=_Constant,
    parse_int=lambda digits: int(digits) if len(digits) <= MAX_DIGITS else _HugeNumber(digits),
)


def _settle(value, path, faults):
    """Turn what a decoder returned into dicts and lists, noting what must be refused."""
    if isinstance(value, _Pairs):
        record = {}
        for key, item in value:
            inner = f"{path}.{key}" if path else key
            if key in record:
                faults.append(
                    {
                        "field": inner,
                        "found": f"the key {json.dumps(key)} twice in one object",
                        "expected": "each key once",
                        "advice": "Find out which value is right, and remove the other.",
                        "kind": "doubled key",
                    }
                )
            record[key] = _settle(item, inner, faults)
        return record
    if isinstance(value, list):
        return [_settle(item, f"{path}[{i}]", faults) for i, item in enumerate(value)]
    if isinstance(value, (_Constant, _HugeNumber)):
        huge = isinstance(value, _HugeNumber)
        faults.append(
            {
                "field": path,
                "found": f"a number of {len(value)} digits" if huge else str(value),
                "expected": "a number that JSON can hold",
                "advice": "Use the file as it was released.",
                "kind": "number",
            }
        )
    return value


def skip_blanks(text, start):
    """Position of the first character from ``start`` on that is not a JSON blank."""
    return _BLANKS.match(text, start).end()


def explain(text, start=0):
    """Read one JSON value slowly and say everything that has to be refused in it.

    Returns
    -------
    value, end, faults
        The value and the position after it (None, None if it can't be read at all); a list of
        dicts with the keys field, found, expected, advice and kind.

    Examples
    --------
    >>> explain('{"a": 1, "a": 2}')[2][0]["kind"]
    'doubled key'
    """
    faults = []
    try:
        value, end = _PATIENT.raw_decode(text, skip_blanks(text, start))
        value = _settle(value, "", faults)
    except json.JSONDecodeError as error:
        return None, None, [_not_json(text, error)]
    except RecursionError:
        fault = {
            "field": "",
            "found": "values nested too deeply to be read",
            "expected": "a record as documented",
            "advice": "Use the file as it was released.",
            "kind": "not json",
        }
        return None, None, [fault]
    return value, end, faults


def _not_json(text, error):
    at = error.pos
    if not text[at:].strip(BLANKS):
        return {
            "field": "",
            "found": "a record that stops in the middle",
            "expected": "a whole JSON record",
            "advice": "It was cut off or broken in two: copy or download the file again.",
            "kind": "truncated",
        }
    if error.msg.startswith("Unterminated string"):
        return {
            "field": "",
            "found": "a text without its closing quotation mark",
            "expected": "a whole JSON record",
            "advice": "It was cut off or broken in two: copy or download the file again.",
            "kind": "truncated",
        }
    if error.msg.startswith("Invalid control character"):
        found = f"the raw character U+{ord(text[at]):04X} inside a text"
    else:
        found = f"{json.dumps(text[at : at + 20], ensure_ascii=False)} at character {at + 1}"
    return {
        "field": "",
        "found": found,
        "expected": "one JSON record",
        "advice": f"It is not JSON there ({error.msg.lower()}): use the file as it was released.",
        "kind": "not json",
    }
