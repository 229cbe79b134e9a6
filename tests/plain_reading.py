"""A second, plain reading of the data files, to hold the loaders against.

Nothing here is shared with the loaders but the vocabulary: the standard library's JSON and a CSV
reader of twenty lines, one record after the other. It takes a valid file apart; on any other it
raises, without saying why. `told` and `told_imbue` take apart what the loaders returned, so that
the two can be compared value by value.
"""

import gzip
import json

import pandas as pd

from carebook.vocabulary import (
    AGREEMENT,
    ATTENTION_CHECK,
    BFI_AGREEMENT,
    BFI_ITEMS,
    CATEGORIES,
    DEMOGRAPHICS,
    IMBUE_COLUMNS,
    LABELS,
    NEGATIVE_LABELS,
    NEGATIVE_LEVELS,
    POSITIVE_LABELS,
    POSITIVE_LEVELS,
    REASONING,
    SKILL_LABELS,
    SKILLS,
    STATEMENTS,
    STORY_ANSWERS,
    TRAITS,
    WITHHELD,
)

ROLES = ("first_person", "third_person")


class NotPlain(Exception):
    """The files are not as documented."""


def _need(holds):
    if not holds:
        raise NotPlain


def _once(pairs):
    record = dict(pairs)
    _need(len(record) == len(pairs))
    return record


def _no_constant(name):
    raise NotPlain(name)


def _json(text):
    return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)


def _text_of(path):
    data = path.read_bytes()
    if path.name.endswith(".gz"):
        data = gzip.decompress(data)
    return data.decode().removeprefix("\ufeff")


def records(folder):
    """(role, sample id, record) of everything in a folder, whatever its layout."""
    found = []
    for role in ROLES:
        inside = folder / role
        if inside.is_dir():
            for path in sorted(inside.iterdir()):
                # ".5.json" may be a sample's; other names with a dot before them are the system's.
                sample = path.name.endswith((".json", ".json.gz"))
                if path.name.startswith("._") or path.name.startswith(".") and not sample:
                    continue
                key = path.name.removesuffix(".gz").removesuffix(".json")
                found += _filed(role, key, _json(_text_of(path)))
            continue
        (path,) = folder.glob(role + ".*")
        text = _text_of(path)
        if ".jsonl" in path.name:
            lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            for line in lines:
                if line.strip(" \t\v\f"):
                    record = _json(line)
                    found.append((role, record["sample_id"], record))
        else:
            for key, value in _json(text).items():
                found += _filed(role, key, value)
    return found


def _filed(role, key, value):
    if role == "third_person":
        _need(isinstance(value, list) and value)
    for record in value if role == "third_person" else [value]:
        _need(record.setdefault("sample_id", key) == key)
        yield role, key, record


def _clean(text):
    _need(type(text) is str)
    text.encode()
    return text


def expected(folder):
    """What the tables of CAREBench have to hold: annotation id -> values."""
    rows, panels = {}, {}
    found = records(folder)
    _need({role for role, _, _ in found} == set(ROLES))
    for role, sample, record in found:
        first = role == "first_person"
        slot = 0 if first else record["observer_index"]
        _need(type(slot) is int and (first or 1 <= slot <= 5))
        _need(_clean(sample).strip() and _clean(record["participant_id"]).strip())
        key = f"{sample}/{slot}"
        _need(key not in rows)
        rows[key] = _row(record, first)
        panels.setdefault(sample, set()).add(slot)
    _need(all(0 in panel and len(panel) in (1, 6) for panel in panels.values()) and rows)
    return rows


def _row(record, first):
    story = record["story_collection"] if first else {}
    questions, said = record["cognitive_questions"], record["emotion_labels"]
    given, answers = record["demographics"], record["personality_questionnaire"]
    rated = record["appraisal_ratings"]
    _need(set(rated) == {*STATEMENTS.values(), ATTENTION_CHECK} and len(answers) == len(BFI_ITEMS))
    chosen = [said["positive_emotion_labels"], said["negative_emotion_labels"]]
    for labels, choices in zip(chosen, (POSITIVE_LABELS, NEGATIVE_LABELS), strict=True):
        _need(
            type(labels) is list and len(set(labels)) == len(labels) and set(labels) <= {*choices}
        )
    scores = [record["BigFive_scores"][trait] for trait in TRAITS]
    _need(all(type(score) in (int, float) and 0 <= score <= 10 for score in scores))
    dialogues = [("story", story["chat_history"])] if first else []
    dialogues.append(("appraisal", questions["chat_history"]))
    for _, turns in dialogues:
        _need(type(turns) is list and all(type(turn) is list for turn in turns))
        _need(all(role in ("ai", "human") for role, _ in turns))
    texts = questions["summary_answers"]
    reasons = [*(texts[name] for name in REASONING), texts["previousStory"]]
    told = (
        [story["final_scenario"], *map(story["summary_answers"].get, STORY_ANSWERS)]
        if first
        else []
    )
    given = [_clean(given[name]) for name in DEMOGRAPHICS.values()]
    return {
        "person": record["participant_id"],
        "ratings": [AGREEMENT[rated[statement]] for statement in STATEMENTS.values()],
        "attention": AGREEMENT[rated[ATTENTION_CHECK]],
        "levels": [
            POSITIVE_LEVELS[said["positive_level"]],
            NEGATIVE_LEVELS[said["negative_level"]],
        ],
        "labels": [label in chosen[0] or label in chosen[1] for label in LABELS],
        "bfi": [BFI_AGREEMENT[answers[item]] for item in BFI_ITEMS.values()],
        "scores": [float(score) for score in scores],
        "given": [None if text in WITHHELD else text for text in given],
        "reasoning": [*map(_clean, reasons), _clean(questions["final_scenario"])],
        "story": list(map(_clean, told)),
        "turns": [
            (name, i, role, _clean(text))
            for name, turns in dialogues
            for i, (role, text) in enumerate(turns)
        ],
    }


def told(data):
    """The same, from the tables that `load_carebench` returned."""
    rows = {}
    ids = list(data.annotations.index)
    for table in (data.ratings, data.labels, data.reasoning, data.people):
        _need(list(table.index) == ids)
    notes = data.annotations
    columns = zip(
        ids,
        notes["participant_id"].tolist(),
        notes["attention_check"].tolist(),
        notes[["positive_level", "negative_level"]].to_numpy().tolist(),
        data.ratings.to_numpy().tolist(),
        data.labels.to_numpy().tolist(),
        data.people[list(BFI_ITEMS)].to_numpy().tolist(),
        data.people[[f"{trait}_stored" for trait in TRAITS]].to_numpy().tolist(),
        data.people[list(DEMOGRAPHICS)].astype(object).to_numpy().tolist(),
        data.reasoning.astype(object).to_numpy().tolist(),
        strict=True,
    )
    for key, person, attention, levels, ratings, labels, bfi, scores, given, reasons in columns:
        rows[key] = {
            "person": person,
            "ratings": ratings,
            "attention": attention,
            "levels": levels,
            "labels": labels,
            "bfi": bfi,
            "scores": scores,
            "given": [None if value != value or value is None else value for value in given],
            "reasoning": reasons,
            "story": [],
            "turns": [],
        }
    stories = data.narratives.astype(object).to_numpy().tolist()
    for sample, (person, *story) in zip(data.narratives.index, stories, strict=True):
        _need(rows[f"{sample}/0"]["person"] == person)
        rows[f"{sample}/0"]["story"] = story
    turns = data.turns.astype(object).to_numpy().tolist()
    for key, interview, i, role, text in turns:
        rows[key]["turns"].append((interview, i, role, text))
    return rows


# --- IMBUE -------------------------------------------------------------------------------------


def cells_of(text):
    """The rows of a CSV text: (cells); quotes doubled inside quotes, nothing else is special."""
    rows, row, cell, quoted, after = [], [], [], False, False
    i, end = 0, len(text)
    while i < end:
        char = text[i]
        if quoted:
            if char == '"' and text[i + 1 : i + 2] == '"':
                cell.append('"')
                i += 1
            elif char == '"':
                quoted, after = False, True
            else:
                cell.append(char)
        elif char == '"' and not cell and not after:
            quoted = True
        elif char == ",":
            row.append("".join(cell))
            cell, after = [], False
        elif char in "\r\n":
            if char == "\r" and text[i + 1 : i + 2] == "\n":
                i += 1
            if row or cell or after:
                rows.append([*row, "".join(cell)])
            row, cell, after = [], [], False
        else:
            _need(not after)
            cell.append(char)
        i += 1
    _need(not quoted)
    if row or cell or after:
        rows.append([*row, "".join(cell)])
    return rows


def expected_imbue(path):
    """(conversation, message, expert) -> the texts and marks of that row."""
    header, *rows = _stored(path) if path.name.endswith(".parquet") else cells_of(_text_of(path))
    _need(set(IMBUE_COLUMNS) <= set(header))
    _need(all(header.count(name) == 1 for name in IMBUE_COLUMNS) and rows)
    found, once = {}, {}
    for cells in rows:
        _need(len(cells) == len(header))
        row = dict(zip(header, cells, strict=True))
        conversation, message, expert = key = tuple(
            _clean(row[name]) for name in ("conversation_id", "message_id", "username_expert")
        )
        _need(key not in found and all(part.strip() for part in key))
        _need(message.isascii() and message.isdigit())
        facts = {
            ("situation", conversation): row["situation"],
            ("category", conversation): _level(row["category"], CATEGORIES),
            ("text", conversation, message): row["message_text"],
            ("number", conversation, int(message)): message,
        }
        for name, value in facts.items():
            _need(once.setdefault(name, value) == value and value.strip())
        found[key] = {
            "situation": row["situation"],
            "category": _level(row["category"], CATEGORIES),
            "text": row["message_text"],
            "labels": [_level(row[f"label_{skill}"], SKILL_LABELS[skill]) for skill in SKILLS],
            "helps": [
                [
                    row[f"{part}_{skill}"] if row[f"{part}_{skill}"].strip() else None
                    for skill in SKILLS
                ]
                for part in ("suggestion", "rewrite")
            ],
        }
    return found


def _stored(path):
    """The header and rows of a Parquet file, read in one go; what is no text or number fails."""
    from pyarrow import types
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path) as file:
        whole = file.read()
    columns = []
    for name, column in zip(whole.column_names, whole.columns, strict=True):
        kind = column.type
        texts = types.is_string(kind) or types.is_large_string(kind) or types.is_null(kind)
        numbers = types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind)
        _need(texts or numbers or name not in IMBUE_COLUMNS)
        values = column.to_pylist() if texts or numbers else [None] * len(column)
        columns.append(["" if value is None or value != value else str(value) for value in values])
    return [whole.column_names, *map(list, zip(*columns, strict=True))]


def _level(cell, levels):
    bare = "".join(cell.split()).casefold()
    _need(bare in levels)
    return bare


def told_imbue(data):
    """The same, from the tables that `load_imbue` returned."""
    found = {}
    messages, conversations = data.messages, data.conversations
    for (message_key, expert), part in data.judgements.groupby(
        ["message_key", "expert"], observed=True, sort=False
    ):
        message = messages.loc[message_key]
        conversation = conversations.loc[message["conversation_id"]]
        _need(part["skill"].tolist() == list(SKILLS))
        helps = [
            [None if pd.isna(value) else value for value in part[name]]
            for name in ("suggestion", "rewrite")
        ]
        found[message["conversation_id"], message["message_id"], expert] = {
            "situation": conversation["situation"],
            "category": conversation["category"],
            "text": message["message_text"],
            "labels": part["label"].tolist(),
            "helps": helps,
        }
    return found
