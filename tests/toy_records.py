"""Small valid records of both data sets, and the files of each layout, for the tests.

A record made here is valid as it stands; a test changes the one thing that it is about.
"""

import csv
import gzip
import io
import json
import random

from carebook.vocabulary import (
    AGREEMENT,
    ATTENTION_CHECK,
    BFI_AGREEMENT,
    BFI_ITEMS,
    BFI_KEY,
    DEMOGRAPHICS,
    IMBUE_COLUMNS,
    NEGATIVE_LABELS,
    NEGATIVE_LEVELS,
    POSITIVE_LABELS,
    POSITIVE_LEVELS,
    REASONING,
    SKILL_LABELS,
    SKILLS,
    STATEMENTS,
    STORY_ANSWERS,
)

WORDS = ["the bus was late", "my sister waited", "in the rain", "I felt bad about it"]
WORDS += ["because", "we had said seven o'clock", "nobody called", "until", "the shop had closed"]


def writer(sample_id="0001", participant_id="p1", words=6, seed=0):
    """A first-person record."""
    dice = random.Random(f"{sample_id} {participant_id} {seed}")
    story = {
        "final_scenario": _text(dice, words),
        "summary_answers": {name: _text(dice, words) for name in STORY_ANSWERS},
        "chat_history": _dialogue(dice, words),
    }
    record = {"sample_id": sample_id, "participant_id": participant_id, "story_collection": story}
    return record | _annotation(dice, participant_id, words)


def observer(sample_id="0001", index=1, participant_id=None, words=6, seed=0):
    """A third-person record."""
    participant_id = participant_id or f"p{index + 1}"
    dice = random.Random(f"{sample_id} {participant_id} {seed}")
    record = {
        "sample_id": sample_id,
        "observer_index": index,
        "participant_id": participant_id,
    }
    return record | _annotation(dice, participant_id, words)


def corpus(narratives=3, observed=1, words=6):
    """Writers' and observers' records: people recur, the first narratives are observed."""
    first = [writer(f"{i:04}", f"p{i % 7 + 1}", words) for i in range(1, narratives + 1)]
    third = [
        observer(f"{i:04}", slot, f"p{(i + slot) % 11 + 1}", words)
        for i in range(1, observed + 1)
        for slot in range(1, 6)
    ]
    return first, third


def _text(dice, words):
    return " ".join(dice.choices(WORDS, k=max(1, words // 3))).capitalize() + "."


def _dialogue(dice, words):
    return [[role, _text(dice, words)] for role in ("ai", "human") * 3]


def _annotation(dice, participant_id, words):
    person = random.Random(participant_id)
    bfi = {item: person.choice(list(BFI_AGREEMENT)) for item in BFI_ITEMS.values()}
    scores = {}
    for trait, items in BFI_KEY.items():
        values = [(BFI_AGREEMENT[bfi[BFI_ITEMS[name]]], sign) for name, sign in items]
        scores[trait] = sum(value if sign > 0 else 6 - value for value, sign in values)
    texts = {name: _text(dice, words) for name in ("previousStory", *REASONING)}
    return {
        "cognitive_questions": {
            "final_scenario": _text(dice, words),
            "summary_answers": texts,
            "chat_history": _dialogue(dice, words),
        },
        "appraisal_ratings": {
            statement: dice.choice(list(AGREEMENT))
            for statement in (*STATEMENTS.values(), ATTENTION_CHECK)
        },
        "emotion_labels": {
            "positive_level": dice.choice(list(POSITIVE_LEVELS)),
            "negative_level": dice.choice(list(NEGATIVE_LEVELS)),
            "positive_emotion_labels": dice.sample(POSITIVE_LABELS, dice.randrange(3)),
            "negative_emotion_labels": dice.sample(NEGATIVE_LABELS, dice.randrange(3)),
        },
        "personality_questionnaire": bfi,
        "BigFive_scores": scores,
        "demographics": {name: str(person.randrange(18, 60)) for name in DEMOGRAPHICS.values()},
    }


# --- files ---------------------------------------------------------------------------------


def lines(records):
    """Records as the text of a JSON Lines file."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def keyed(first, third, with_ids=True):
    """Records as the two objects that are keyed by sample id."""
    grouped = {}
    for record in third:
        grouped.setdefault(record["sample_id"], []).append(_without_id(record, with_ids))
    return {record["sample_id"]: _without_id(record, with_ids) for record in first}, grouped


def _without_id(record, with_ids):
    return {key: value for key, value in record.items() if with_ids or key != "sample_id"}


def write(path, text, packed=False):
    """Write text (or bytes) to a file, packed with gzip if asked for."""
    data = text if isinstance(text, bytes) else text.encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data, mtime=0) if packed else data)


def write_lines(folder, first, third, packed=False):
    """Write both files as JSON Lines; return the folder."""
    ending = ".jsonl.gz" if packed else ".jsonl"
    write(folder / f"first_person{ending}", lines(first), packed)
    write(folder / f"third_person{ending}", lines(third), packed)
    return folder


def write_objects(folder, first, third, packed=False, with_ids=False):
    """Write both files as objects keyed by sample id; return the folder."""
    ending = ".json.gz" if packed else ".json"
    for name, records in zip(("first", "third"), keyed(first, third, with_ids), strict=True):
        text = json.dumps(records, indent=1, ensure_ascii=False)
        write(folder / f"{name}_person{ending}", text, packed)
    return folder


def write_samples(folder, first, third, packed=False, with_ids=False):
    """Write one file for each sample; return the folder."""
    ending = ".json.gz" if packed else ".json"
    for name, records in zip(("first", "third"), keyed(first, third, with_ids), strict=True):
        for sample_id, value in records.items():
            write(folder / f"{name}_person" / f"{sample_id}{ending}", json.dumps(value), packed)
    return folder


# --- IMBUE ---------------------------------------------------------------------------------


def judged(conversation_id="01", message_id="1", expert="e1", **cells):
    """One row of the IMBUE file: no skill used, no suggestion, unless said otherwise."""
    row = dict.fromkeys(IMBUE_COLUMNS, "")
    row |= {
        "conversation_id": conversation_id,
        "situation": f"Situation {conversation_id}",
        "category": "family",
        "message_id": message_id,
        "message_text": f"Message {message_id}, of {conversation_id}",
        "username_expert": expert,
    }
    row |= {f"label_{skill}": SKILL_LABELS[skill][-1] for skill in SKILLS}
    return row | cells


def table(rows, header=IMBUE_COLUMNS):
    """Rows as the text of a CSV file."""
    text = io.StringIO(newline="")
    out = csv.writer(text)
    out.writerow(header)
    out.writerows([row.get(name, "") for name in header] for row in rows)
    return text.getvalue()
