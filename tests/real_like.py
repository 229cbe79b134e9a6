"""Data that count as real: a practice corpus under other names and in words that nobody has used.

The book takes data for invented by what their identifiers begin with. Here the identifiers look as
those of a survey platform do, and the vowels of every free text are shifted, so that a match with
the book's own text banks is impossible: what is found on a page came from these files.
"""

import hashlib
import json

from toy_records import lines, table, write

from carebook.practice.corpus import make_corpus
from carebook.practice.write import contents

SHIFT = str.maketrans("aeiouAEIOU", "eiouaEIOUA")
CLOSED = ("appraisal_ratings", "emotion_labels", "personality_questionnaire", "demographics")


def foreign(text):
    """A text in which no word of four letters is what it was."""
    return text.translate(SHIFT)


def person(name):
    """A participant's identifier, as survey platforms give them."""
    return hashlib.sha256(name.encode()).hexdigest()[:24]


def expert(name):
    """An expert's user name."""
    return "rater_" + hashlib.sha256(name.encode()).hexdigest()[:6]


def _changed(value, key=""):
    if key in CLOSED or key in ("sample_id", "observer_index", "BigFive_scores"):
        return value
    if key == "participant_id":
        return person(value)
    if isinstance(value, dict):
        return {name: _changed(item, name) for name, item in value.items()}
    if isinstance(value, list):
        if len(value) == 2 and value[0] in ("ai", "human"):
            return [value[0], foreign(value[1])]
        return [_changed(item, key) for item in value]
    return foreign(value) if isinstance(value, str) else value


def write_real_like(folder, seed=11, narratives=60, conversations=6):
    """Write both data sets into a folder; return the environment that names them."""
    corpus = make_corpus(seed, narratives=narratives, conversations=conversations)
    made = contents(corpus)
    for name in ("first_person.jsonl", "third_person.jsonl"):
        records = [json.loads(line) for line in made[name].decode().splitlines() if line]
        write(folder / name, lines([_changed(record) for record in records]))
    rows = []
    for row in corpus.imbue:
        row = dict(row)
        for column, value in row.items():
            if column == "username_expert":
                row[column] = expert(value)
            elif column.startswith(("situation", "message_text", "suggestion", "rewrite")):
                row[column] = foreign(value)
        rows.append(row)
    write(folder / "imbue.csv", table(rows))
    return {"CAREBENCH_DATA": str(folder), "IMBUE_DATA": str(folder / "imbue.csv")}
