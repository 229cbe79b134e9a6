"""``python -m carebook collect FOLDER``: the files that a class saved, as one table for each tool.

The practice tools keep answers on the reader's own device; handing in a file is the reader's
choice. Here the files of a folder are checked, one by one, and merged. A person is named by the
eight random letters that the tool drew on that person's device, never by the name of a file, and
sentences that a reader wrote are left out of the tables.
"""

import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from carebook.pairs import LEVELS
from carebook.records import safe
from carebook.strictjson import decode_at
from carebook.vocabulary import DIMENSIONS, LABELS, REASONING, SKILL_LABELS, SKILLS

MARKS, STORIES = "class_marks.csv", "class_stories.csv"
LARGEST = 2**20

_READER = re.compile(r"[0-9a-f]{8}")
_MESSAGE = re.compile(r"[\w.-]{1,60}/\d{1,18}", re.ASCII)
_SAMPLE = re.compile(r"[\w.-]{1,60}", re.ASCII)


class Refused(ValueError):
    """A file is not one that a tool saved; the message says what is wrong with it."""


@dataclass(frozen=True)
class Collection:
    """What the files of a class hold.

    Attributes
    ----------
    marks : DataFrame
        As ``tool.answers`` of :func:`carebook.tools.mark_skills`, all readers; ``expert`` is the
        reader. Only messages that a reader marked for all seven skills.
    stories : DataFrame
        As ``tool.answers`` of :func:`carebook.tools.read_story`, all readers, without sentences.
    refused : tuple of (str, str)
        File name and reason.
    unfinished : int
        Messages that a reader began to mark and did not finish; they are left out.
    files : int
        How many files were looked at.
    """

    marks: pd.DataFrame
    stories: pd.DataFrame
    refused: tuple
    unfinished: int
    files: int


def collect_folder(folder):
    """Read all files of a folder that end in ``.json`` and merge what the tools saved in them.

    Parameters
    ----------
    folder : str or path

    Returns
    -------
    Collection

    Raises
    ------
    NotADirectoryError
        If there is no such folder.
    """
    from carebook.tools import answers_table, marks_table

    folder = Path(folder)
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is no folder. Put the class's files into one.")
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".json")
    good, refused = [], []
    for path in paths:
        try:
            good.append((path.name, read_saved(path)))
        except (Refused, OSError) as problem:
            refused.append((path.name, str(problem)))
    good, other = _of_one_class(good)
    marks, stories, unfinished = [marks_table([])], [answers_table([])], 0
    for _, saved in good:
        who = f"reader-{saved['reader']}"
        if saved["carebook"] == "mark_skills":
            full = [sheet for sheet in saved["marks"].items() if len(sheet[1]) == len(SKILLS)]
            unfinished += len(saved["marks"]) - len(full)
            rows = [(key, skill, sheet[skill]) for key, sheet in full for skill in SKILLS]
            marks.append(marks_table(rows, who))
        else:
            stories.append(answers_table(saved["answers"], who))
    return Collection(
        marks=_joined(marks),
        stories=_joined(stories, ignore_index=False).drop(columns=list(REASONING)),
        refused=tuple(sorted(refused + other)),
        unfinished=unfinished,
        files=len(paths),
    )


def read_saved(path):
    """Read one file that a tool saved, and check all of it.

    Parameters
    ----------
    path : Path

    Returns
    -------
    dict
        ``carebook`` (the tool), ``data``, ``reader``, and ``marks`` or ``answers``.

    Raises
    ------
    Refused
        With one line that says what is wrong.
    """
    if path.stat().st_size > LARGEST:
        raise Refused("larger than anything that a tool saves")
    try:
        text = path.read_bytes().decode("utf-8-sig").strip()
        saved, end = decode_at(text, 0)
    except UnicodeDecodeError:
        raise Refused("not a text file") from None
    except (ValueError, RecursionError):
        raise Refused("not JSON, or cut off: save it from the tool again") from None
    if end < len(text) or not isinstance(saved, dict):
        raise Refused("not what a tool saves: save it from the tool again")
    tool = saved.get("carebook")
    if tool == "write_message":
        raise Refused("holds a message of its own; those are not collected")
    if tool not in ("mark_skills", "read_story"):
        raise Refused("no file of a practice tool")
    if saved.get("version") != 1 or isinstance(saved["version"], bool):
        raise Refused(f"version {safe(str(saved.get('version')), 20)} of the file; this reads 1")
    for name in ("reader", "data"):
        if not _is(saved.get(name), _READER):
            raise Refused(f"{name}: eight letters expected")
    if tool == "mark_skills":
        _check_marks(saved.get("marks"))
    else:
        _check_answers(saved.get("answers"))
    return saved


def class_sheets(marks):
    """One row for each message and reader, one column for each skill, as chapter 5 asks for.

    Parameters
    ----------
    marks : DataFrame
        ``Collection.marks``.

    Returns
    -------
    DataFrame
        ``message``, ``coder``, then the seven skills.

    Examples
    --------
    >>> from carebook.tools import marks_table
    >>> rows = [["07/3", skill, SKILL_LABELS[skill][0]] for skill in SKILLS]
    >>> class_sheets(marks_table(rows, "reader-0123abcd")).iloc[0, :4].tolist()
    ['07/3', 'reader-0123abcd', 'strong', 'strong']
    """
    words = marks.astype({"skill": str, "label": object})
    wide = words.pivot(index=["message_key", "expert"], columns="skill", values="label")
    wide = wide.reindex(columns=list(SKILLS)).rename_axis(columns=None).reset_index()
    return wide.rename(columns={"message_key": "message", "expert": "coder"})


def read_stories(path):
    """Read a class's answers about stories back, with the types that the helpers expect.

    Parameters
    ----------
    path : str or path
        The file ``class_stories.csv``.

    Returns
    -------
    DataFrame
        As ``Collection.stories``.
    """
    from carebook.tools import answers_table

    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    rows = [
        {
            "sample_id": row["sample_id"],
            "asked": row["asked"],
            "levels": {name: int(row[name]) for name in LEVELS},
            "ratings": {name: int(row[name]) for name in DIMENSIONS},
            "labels": [label for label in LABELS if row[label] == "True"],
            "reasons": {},
        }
        for row in table.to_dict("records")
    ]
    readers = table["participant_id"] if len(table) else []
    parts = [answers_table([row], who) for row, who in zip(rows, readers, strict=True)]
    return _joined([answers_table([]), *parts], ignore_index=False).drop(columns=list(REASONING))


def add_arguments(parser):
    """Add this command's arguments to its parser."""
    parser.add_argument("folder", help="where the class's .json files are")
    parser.add_argument("--to", metavar="FOLDER", help="where the tables go (default: there, too)")


def main(args):
    """Collect a folder's files, write the tables, and say what was refused.

    Returns
    -------
    int
        0 if every file was taken, 1 if one was refused or there was none.
    """
    try:
        found = collect_folder(args.folder)
    except NotADirectoryError as problem:
        print(problem, file=sys.stderr)
        return 1
    if not found.files:
        print(f"There is no .json file in {args.folder}.", file=sys.stderr)
        return 1
    target = Path(args.to or args.folder)
    target.mkdir(parents=True, exist_ok=True)
    if len(found.marks):
        sheets = class_sheets(found.marks)
        sheets.to_csv(target / MARKS, index=False)
        print(f"{target / MARKS}: {sheets['coder'].nunique()} readers, {len(sheets)} sheets")
        print("  chapter 5: long = pd.read_csv(this file, keep_default_na=False)")
    if found.unfinished:
        print(f"  left out: {found.unfinished} messages without all seven marks")
    if len(found.stories):
        found.stories.to_csv(target / STORIES)
        readers = found.stories["participant_id"].nunique()
        print(f"{target / STORIES}: {readers} readers, {len(found.stories)} readings")
        print("  chapter 3: join_answers(tool.care, carebook.collect.read_stories(this file))")
    for name, reason in found.refused:
        print(f"refused: {safe(name, 60)}: {reason}", file=sys.stderr)
    taken = found.files - len(found.refused)
    print(f"{taken} of {found.files} files taken.")
    return 1 if found.refused else 0


def _is(value, pattern):
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _shown(value):
    return f'"{safe(str(value), 40)}"'


def _check_marks(marks):
    if not isinstance(marks, dict) or not marks:
        raise Refused("no marks in it")
    for key, sheet in marks.items():
        if not _is(key, _MESSAGE):
            raise Refused(f"{_shown(key)} is no message")
        if not isinstance(sheet, dict):
            raise Refused(f"message {key}: marks expected")
        for skill, label in sheet.items():
            if skill not in SKILL_LABELS:
                raise Refused(f"message {key}: {_shown(skill)} is no skill")
            if label not in SKILL_LABELS[skill]:
                raise Refused(f"message {key}, {skill}: {_shown(label)} is no mark")


def _check_answers(answers):
    if not isinstance(answers, list) or not answers:
        raise Refused("no answers in it")
    seen = set()
    for each in answers:
        if not isinstance(each, dict) or not _is(each.get("sample_id"), _SAMPLE):
            raise Refused("an answer without its story")
        story, asked = each["sample_id"], each.get("asked")
        if asked not in ("writer", "self"):
            raise Refused(f"story {story}: {_shown(asked)} is no question")
        if (story, asked) in seen:
            raise Refused(f"story {story}: answered twice ({asked})")
        seen.add((story, asked))
        _check_scale(each.get("ratings"), DIMENSIONS, 1, 5, f"story {story}, ratings")
        _check_scale(each.get("levels"), LEVELS, 0, 6, f"story {story}, intensities")
        labels = each.get("labels")
        if not isinstance(labels, list) or any(label not in LABELS for label in labels):
            raise Refused(f"story {story}: emotions that are not on the list")
        if not isinstance(each.setdefault("reasons", {}), dict):
            raise Refused(f"story {story}: sentences expected")
        each["reasons"] = {}  # what a reader wrote may say who the reader is


def _check_scale(answers, names, low, high, where):
    if not isinstance(answers, dict) or set(answers) != set(names):
        raise Refused(f"{where}: {len(names)} answers expected")
    for name, value in answers.items():
        if type(value) is not int or not low <= value <= high:
            raise Refused(f"{where}, {name}: {_shown(value)} is not a number from {low} to {high}")


def _of_one_class(good):
    """The files that belong together, and the others with the reason."""
    kept, refused, seen = [], [], {}
    usual = {
        tool: Counter(saved["data"] for _, saved in good if saved["carebook"] == tool)
        for tool in ("mark_skills", "read_story")
    }
    for name, saved in good:
        tool, reader = saved["carebook"], saved["reader"]
        common = usual[tool].most_common(1)[0][0]
        if saved["data"] != common:
            refused.append((name, "made with other texts than most files of this tool"))
        elif (tool, reader) in seen:
            twin = safe(seen[tool, reader], 60)
            refused.append((name, f"from the same reader as {twin}: keep one of the two"))
        else:
            seen[tool, reader] = name
            kept.append((name, saved))
    return kept, refused


def _joined(tables, ignore_index=True):
    """Tables of one kind below each other; the empty ones only say what the columns are."""
    filled = [table for table in tables if len(table)] or tables[:1]
    return pd.concat(filled, ignore_index=ignore_index)
