"""What a chapter may show of a record: everything of an invented one, little of a real one.

The real data are records of people, and their licences limit what may be shown. A chapter therefore
shows a text through this module: an invented text comes as it is, a real one only if an instructor
has confirmed it in a file ``quotations.toml`` beside the data. Otherwise a stand-in says what would
stand there. Write the file like this (a short list: at most twelve entries)::

    confirmed_by = "Your name"
    narratives = ["0007"]      # sample ids of CAREBench
    messages = ["07/3"]        # conversation_id/message_id of IMBUE

A key confirms the narrative, or the message, and nothing else: not the answers, dialogues and
reasoning about the same story, and not the suggestions and rewrites of the same message.
"""

import json
from collections.abc import Mapping

from carebook.places import unusable, what_is
from carebook.records import UNREADABLE, Problem, cannot_read, show
from carebook.vocabulary import (
    AGREEMENT,
    BFI_AGREEMENT,
    LABELS,
    NEGATIVE_LEVELS,
    POSITIVE_LEVELS,
    ROLES,
)

FILE_NAME = "quotations.toml"
MOST = 12
"""Entries: a book quotes a few texts; more of them would be a copy of the data."""

KINDS = ("narratives", "messages")

_PERSPECTIVES = ("experiencer", "observer")  # the book's own words, not the records'
_ANSWERS = {
    *(*AGREEMENT, *BFI_AGREEMENT, *LABELS, *POSITIVE_LEVELS, *NEGATIVE_LEVELS),
    *(*ROLES, *_PERSPECTIVES),
}


def read_quotations(folders, kind, known):
    """Read which texts of one data set may be quoted.

    Parameters
    ----------
    folders : sequence of path
        Where the file may stand.
    kind : str
        ``"narratives"`` or ``"messages"``.
    known : container of str
        The keys that there are.

    Returns
    -------
    quotable : frozenset of str
        Keys of texts that were confirmed; empty without the file.
    problems : list of Problem
        What is wrong with it.
    """
    for folder in folders:
        problem = unusable(folder, folder / FILE_NAME, FILE_NAME)
        if problem:
            return frozenset(), [problem]
        if what_is(folder / FILE_NAME) == "file":
            return _read(folder / FILE_NAME, kind, known)
    return frozenset(), []


def _read(path, kind, known):
    import tomllib  # seldom needed

    def problem(found, expected, advice):
        return frozenset(), [
            Problem(FILE_NAME, "", "", "", found, expected, advice, "quotations", None)
        ]

    try:
        with path.open("rb") as file:
            content = tomllib.load(file)
    except UNREADABLE as error:
        return frozenset(), [cannot_read(FILE_NAME, error)]
    except (ValueError, RecursionError) as error:  # no TOML, no UTF-8, or a number without end
        return problem(str(error), "a TOML file in UTF-8", "See `help(carebook.quoting)`.")
    strange = sorted(content.keys() - {"confirmed_by", *KINDS})
    if strange:
        expected = "confirmed_by, narratives, messages"
        return problem(f"the key {show(strange[0])}", expected, "Remove it, or mend its name.")
    name = content.get("confirmed_by")
    if not isinstance(name, str) or not name.strip():
        found = "nobody who confirms the list"
        return problem(found, 'confirmed_by = "your name"', "Put your name to it.")
    keys = content.get(kind, [])
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        return problem(f"{kind} = {show(keys)}", "a list of keys", 'Write it as ["0007"].')
    if len(keys) > MOST:
        found = f"{len(keys)} {kind}"
        return problem(found, f"at most {MOST}", "Choose the few that a chapter quotes.")
    unknown = [key for key in keys if key not in known]
    if unknown:
        return problem(show(unknown[0]), f"the key of one of the {kind}", "Look it up.")
    return frozenset(keys), []


def quotable(data, key):
    """Whether a text may be shown: an invented one always, a real one if it was confirmed.

    Parameters
    ----------
    data : CareBench or Imbue
        What a loader returned (or its ``source``).
    key : str
        ``sample_id`` of a narrative, or ``message_key`` of a message.
    """
    source = getattr(data, "source", data)
    return bool(source.synthetic) or key in getattr(source, "quotable", ())


def quotable_first(data, keys):
    """The same keys, those that may be shown first: so that a chapter opens one of them.

    Parameters
    ----------
    data : CareBench or Imbue
    keys : sequence of str

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> real = SimpleNamespace(synthetic=False, quotable={"0003"})
    >>> quotable_first(real, ["0001", "0002", "0003"])
    ['0003', '0001', '0002']
    """
    return sorted(keys, key=lambda key: not quotable(data, key))


def stand_in(text):
    """What is shown in the place of a real text.

    Examples
    --------
    >>> stand_in("My train was late.")
    '[4 words of a real record, not shown]'
    """
    words = len(str(text).split())
    return f"[{words} word{'s' * (words != 1)} of a real record, not shown]"


def shown(text, data, key):
    """The narrative or message ``key`` if it may be shown, else its stand-in.

    What was said about a story has no key that could be confirmed: ask with its ``annotation_id``,
    and a real one gets its stand-in.

    Parameters
    ----------
    text : str
    data : CareBench or Imbue
        What a loader returned (or its ``source``).
    key : str
        ``sample_id`` of the narrative that the text is, ``message_key`` of the message; the
        ``annotation_id`` of any other text of CAREBench.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> shown("My train was late.", SimpleNamespace(synthetic=True), "0007")
    'My train was late.'
    >>> real = SimpleNamespace(synthetic=False, quotable={"0007"})
    >>> shown("My train was late.", real, "0007"), shown("It mattered to me.", real, "0007/3")
    ('My train was late.', '[4 words of a real record, not shown]')
    """
    return text if quotable(data, key) else stand_in(text)


def shown_record(record, data):
    """A raw record (or part of one) with stand-ins for what must not be shown of a real one.

    Its shape stays, and so do the answers of the closed vocabularies. Texts, identifiers and
    demographic answers are replaced; of an invented record, nothing is.

    Parameters
    ----------
    record : dict, list or value
        As `first_record` (decoded) or `raw_records` give it.
    data : CareBench or Imbue
        What a loader returned (or its ``source``).

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> real = SimpleNamespace(synthetic=False)
    >>> shown_record({"sample_id": "0007", "positive_level": "0 - Not at all positive"}, real)
    {'sample_id': '[not shown]', 'positive_level': '0 - Not at all positive'}
    """
    if getattr(data, "source", data).synthetic:
        return record
    return _veiled(record)


def shown_line(line, data):
    """The text of a raw record, or that of the record that `shown_record` makes of it.

    Parameters
    ----------
    line : str
        A record as `first_record` gives it, in JSON.
    data : CareBench or Imbue
        What a loader returned (or its ``source``).

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> shown_line('{"sample_id":"0007"}', SimpleNamespace(synthetic=True))
    '{"sample_id":"0007"}'
    >>> shown_line('{"sample_id":"0007"}', SimpleNamespace(synthetic=False))
    '{"sample_id": "[not shown]"}'
    """
    if getattr(data, "source", data).synthetic:
        return line
    return json.dumps(_veiled(json.loads(line)), ensure_ascii=False)


def _veiled(value, inside=""):
    if isinstance(value, Mapping):
        return {key: _veiled(item, inside or _opens(key)) for key, item in value.items()}
    if isinstance(value, list):
        return [_veiled(item, inside) for item in value]
    if isinstance(value, str) and (inside == "demographics" or value not in _ANSWERS):
        return stand_in(value) if len(value.split()) > 1 else "[not shown]"
    return value


def _opens(key):
    return key if key == "demographics" else ""


def shown_table(table, data):
    """A table with stand-ins for the texts and identifiers of real records, index included.

    Columns of numbers, truth values and categories stay; of an invented data set, everything does.

    Parameters
    ----------
    table : DataFrame
        Rows of ``narratives``, ``reasoning``, ``people``, ``turns``, ``messages`` or the like.
    data : CareBench or Imbue
        What a loader returned (or its ``source``).

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> import pandas as pd
    >>> from types import SimpleNamespace
    >>> rows = pd.DataFrame({"narrative": ["My train was late."], "level": [3]}, index=["0007"])
    >>> print(shown_table(rows, SimpleNamespace(synthetic=False)).to_dict("index"))
    {'row 1': {'narrative': '[4 words of a real record, not shown]', 'level': 3}}
    """
    if getattr(data, "source", data).synthetic:
        return table
    veiled = table.copy()
    for column in veiled.columns:
        if veiled[column].dtype == object or str(veiled[column].dtype) in ("str", "string"):
            veiled[column] = [_veiled(value) for value in veiled[column]]
    veiled.index = [f"row {number}" for number in range(1, len(veiled) + 1)]
    return veiled


def shown_departures(data):
    """What was accepted in ``exceptions.toml``, a sentence each, naming no record of real data.

    Parameters
    ----------
    data : CareBench or Imbue
        What a loader returned.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from carebook.accepted import Told
    >>> panel = Told('narrative "0007" used with four', "one narrative used with four")
    >>> shown_departures(SimpleNamespace(synthetic=False, accepted=[panel]))
    ['one narrative used with four.']
    """
    accepted = getattr(data, "accepted", ())
    if getattr(data, "source", data).synthetic:
        return [str(departure) for departure in accepted]
    return [getattr(departure, "unnamed", str(departure)) for departure in accepted]


def lettered(names, data):
    """Names for people that a figure or table may show: their own if invented, else letters.

    Parameters
    ----------
    names : sequence of str
        Experts, say; the letters follow their alphabetical order.
    data : CareBench or Imbue
        What a loader returned (or its ``source``).

    Returns
    -------
    dict
        Name -> what to show.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> lettered(["zoe", "ann", "zoe"], SimpleNamespace(synthetic=False))
    {'ann': 'expert A', 'zoe': 'expert B'}
    """
    distinct = sorted(set(names))
    if getattr(data, "source", data).synthetic:
        return {name: name for name in distinct}
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return {
        name: f"expert {letters[i] if i < len(letters) else i + 1}"
        for i, name in enumerate(distinct)
    }
