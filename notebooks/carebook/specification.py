"""What a CAREBench record must be: the documentation, as a check of one record at a time.

This check is slow and plain on purpose: it *is* the specification, and it finds the places. The
fast pass in :mod:`carebook.columns` accepts a batch of records exactly when this one finds nothing
in any of them; a property test holds the two together.
"""

from carebook.accepted import NOTHING
from carebook.examination import is_text, nearest
from carebook.records import show
from carebook.vocabulary import (
    AGREEMENT,
    ATTENTION_CHECK,
    BFI_AGREEMENT,
    BFI_ITEMS,
    DEMOGRAPHICS,
    INTENSITY_WORDS,
    LABELS,
    NEGATIVE_LABELS,
    NEGATIVE_LEVELS,
    POSITIVE_LABELS,
    POSITIVE_LEVELS,
    REASONING,
    ROLES,
    STATEMENTS,
    STORY_ANSWERS,
    TRAITS,
)

SECTIONS = {
    "first_person": (
        "story_collection",
        "cognitive_questions",
        "appraisal_ratings",
        "emotion_labels",
        "personality_questionnaire",
        "BigFive_scores",
        "demographics",
    )
}
SECTIONS["third_person"] = SECTIONS["first_person"][1:]

FIELDS = ("sample_id", "observer_index", "participant_id", *SECTIONS["first_person"])
"""Every documented field of a record, of either file."""

RATED = (*STATEMENTS.values(), ATTENTION_CHECK)
REASONING_TEXTS = (*REASONING, "previousStory")
OBSERVERS = (1, 2, 3, 4, 5)

AS_RELEASED = "Use the record as it was released"


def identifies(value):
    """Whether a value may be an identifier: text that is not blank."""
    return is_text(value) and value.strip() != ""


def is_observer(value):
    """Whether a value is a whole number from 1 to 5 (``True`` is not 1)."""
    return type(value) is int and value in OBSERVERS


def is_score(value):
    """Whether a value is a Big Five score: a number from 0 to 10."""
    return type(value) in (int, float) and 0 <= value <= 10


# --- why a value is not valid ------------------------------------------------------------------


def _why_not_text(value):
    if type(value) is str:
        return "bytes", "It holds half a character (a lone surrogate): use the released file."
    return "type", "Text stands in quotation marks. " + AS_RELEASED + "."


def _why_not_identifier(value):
    if type(value) is str:
        return "identifier", "An identifier can't be blank: restore it from the released file."
    return "identifier", "Identifiers are text: put it in quotation marks, with its leading zeros."


def _why_not_observer(value):
    return "observer", "Give the observer's number, 1 to 5, without quotation marks."


def _why_not_score(value):
    if type(value) in (int, float):
        return "range", "The released scores lie between 0 and 10: check the record."
    return "type", "A score is a number without quotation marks."


def _only_spelling(same):
    return f'Only spacing or capitals differ from "{same}": correct it or accept it.'


def _why_not_answer(choices, others, other_name):
    def why(value):
        if type(value) is not str:
            return "answer", "Answers are stored in words, not as numbers or objects."
        same = nearest(value, choices)
        if same:
            return "answer", _only_spelling(same)
        if value in others:
            return "answer", f"This is an answer of {other_name}: check the record or accept it."
        return "answer", "Check the record, or say in exceptions.toml what it is to be read as."

    return why


def _why_not_level(side, levels):
    def why(value):
        if type(value) is not str:
            return "level", 'Levels are stored as text, number and words: "2 - Slightly positive".'
        same = nearest(value, levels)
        if same:
            return "level", _only_spelling(same)
        number, _, words = value.partition(" - ")
        if number.isdecimal() and not 0 <= int(number[:5]) <= 6:
            return "level", "A level lies between 0 and 6."
        meant = [level for level in levels if level.startswith(number + " ")]
        if meant and words.removesuffix(f" {side}") in INTENSITY_WORDS:
            return "level", f'The words don\'t fit the number: {number} goes with "{meant[0]}".'
        return "level", "Check the record, or say in exceptions.toml what it is to be read as."

    return why


def _why_not_label(side, choices):
    def why(value):
        if type(value) is not str:
            return "label", "A label is text."
        if value in LABELS:
            other = "negative" if side == "positive" else "positive"
            return "label", f"This is a {other} label: check which list it belongs to."
        same = nearest(value, choices)
        if same:
            return "label", _only_spelling(same)
        whole = [c for c in choices if value and (c.startswith(value) or value in c.split(", "))]
        if len(whole) == 1:
            return "label", f'It looks cut: the whole label is "{whole[0]}".'
        return "label", "Labels are stored whole, as documented: check the record."

    return why


def _why_not_role(value):
    return "turn", "A turn is spoken by the interviewer or by the participant."


_ANSWERS = ", ".join(f'"{answer}"' for answer in AGREEMENT)
_BFI_ANSWERS = ", ".join(f'"{answer}"' for answer in BFI_AGREEMENT)


# --- the record --------------------------------------------------------------------------------


def examine(record, exam):
    """Check one record, noting every departure in ``exam.problems``.

    The record is changed only where the exceptions file says what a value is to be read as.

    Parameters
    ----------
    record : object
        What stood in the file: a dict, if all is well.
    exam : Examination
    """
    role = exam.where["file"]
    if not isinstance(record, dict):
        exam.refuse(
            "not an object",
            "",
            show(record),
            "a record: an object with named fields",
            AS_RELEASED + ", one object for each annotator and narrative.",
        )
        return
    if not record.keys() & set(FIELDS[2:]):
        exam.refuse(
            "wrong file",
            "",
            f"an object with none of the documented fields ({show(next(iter(record)))} ...)"
            if record
            else "an object with nothing in it",
            "a CAREBench record",
            "Check that this is the right file, and that its ending fits how it is laid out.",
        )
        return
    _identifier(record, "sample_id", exam)
    if role == "third_person":
        exam.leaf(
            record,
            "observer_index",
            "observer_index",
            is_observer,
            "a whole number from 1 to 5",
            _why_not_observer,
            may_be_missing=False,
        )
    _identifier(record, "participant_id", exam)
    checks = {
        "story_collection": _story,
        "cognitive_questions": _questions,
        "appraisal_ratings": _ratings,
        "emotion_labels": _emotions,
        "personality_questionnaire": _personality,
        "BigFive_scores": _scores,
        "demographics": _demographics,
    }
    for section in SECTIONS[role]:
        _object(record, section, section, exam, checks[section])


def _identifier(record, key, exam):
    exam.leaf(record, key, key, identifies, "text", _why_not_identifier, may_be_missing=False)


def _object(holder, key, path, exam, check):
    """Check a field that must be an object, and what is in it."""
    missing_is_possible = path != "emotion_labels"  # a missing label is not an unchosen one
    if exam.absent(holder, key, path, "an object", missing_is_possible):
        if holder.get(key, NOTHING) is None and missing_is_possible:
            holder[key] = _all_missing(path)
        return
    if not isinstance(holder[key], dict):
        exam.refuse(
            "type", path, show(holder[key]), "an object with named fields", AS_RELEASED + "."
        )
        return
    check(holder[key], path, exam)


def _all_missing(path):
    """A section that the exceptions file lets be missing: every value in it is missing."""
    texts = {"final_scenario": None, "chat_history": []}
    return {
        "story_collection": texts | {"summary_answers": dict.fromkeys(STORY_ANSWERS)},
        "story_collection.summary_answers": dict.fromkeys(STORY_ANSWERS),
        "cognitive_questions": texts | {"summary_answers": dict.fromkeys(REASONING_TEXTS)},
        "cognitive_questions.summary_answers": dict.fromkeys(REASONING_TEXTS),
        "appraisal_ratings": dict.fromkeys(RATED),
        "personality_questionnaire": dict.fromkeys(BFI_ITEMS.values()),
        "BigFive_scores": dict.fromkeys(TRAITS),
        "demographics": dict.fromkeys(DEMOGRAPHICS.values()),
    }.get(path)


def _texts(holder, path, exam, keys):
    for key in keys:
        exam.leaf(holder, key, f"{path}.{key}", is_text, "text", _why_not_text)


def _story(story, path, exam):
    _texts(story, path, exam, ("final_scenario",))
    _object(
        story,
        "summary_answers",
        f"{path}.summary_answers",
        exam,
        lambda answers, inner, exam: _texts(answers, inner, exam, STORY_ANSWERS),
    )
    _dialogue(story, path, exam)


def _questions(questions, path, exam):
    _texts(questions, path, exam, ("final_scenario",))
    _object(
        questions,
        "summary_answers",
        f"{path}.summary_answers",
        exam,
        lambda answers, inner, exam: _texts(answers, inner, exam, REASONING_TEXTS),
    )
    _dialogue(questions, path, exam)


def _dialogue(holder, path, exam):
    path = f"{path}.chat_history"
    expected = 'a list of turns, each ["ai" or "human", text]'
    if exam.absent(holder, "chat_history", path, expected):
        if holder.get("chat_history", NOTHING) is None:
            holder["chat_history"] = []
        return
    turns = holder["chat_history"]
    if not isinstance(turns, list):
        exam.refuse("type", path, show(turns), expected, AS_RELEASED + ".")
        return
    for i, turn in enumerate(turns):
        inner = f"{path}[{i}]"
        if not isinstance(turn, list) or len(turn) != 2:
            advice = f"Every turn is a pair of a role and a text. {AS_RELEASED}."
            exam.refuse("turn", inner, show(turn), 'a pair: ["ai" or "human", text]', advice)
            continue
        exam.leaf(
            turn,
            0,
            inner,
            lambda role: type(role) is str and role in ROLES,
            '"ai" or "human"',
            _why_not_role,
            ROLES,
            False,
        )
        exam.leaf(turn, 1, inner, is_text, "text", _why_not_text, may_be_missing=False)


def _closed(holder, path, exam, keys, what):
    """Refuse keys that are not documented where the set of keys is closed."""
    for key in [key for key in holder if key not in keys]:
        taken = exam.accepted.answer(
            exam.where, path, key, lambda name: name in keys and name not in holder
        )
        if taken is not NOTHING:
            holder[taken] = holder.pop(key)
            continue
        same = nearest(key, keys)
        advice = f'Only spelling differs from "{same}".' if same else "Check its wording."
        exam.refuse(
            "unknown statement",
            path,
            show(key),
            f"only the documented {what}",
            advice,
            exam.as_answer(path, key, keys),
        )


def _ratings(ratings, path, exam):
    _closed(ratings, path, exam, RATED, "22 statements and attention_check")
    why = _why_not_answer(AGREEMENT, BFI_AGREEMENT, "the BFI-10 scale")
    for key in RATED:
        exam.leaf(
            ratings,
            key,
            f"{path}.{key}",
            lambda value: type(value) is str and value in AGREEMENT,
            _ANSWERS,
            why,
            AGREEMENT,
        )


def _personality(answers, path, exam):
    keys = tuple(BFI_ITEMS.values())
    _closed(answers, path, exam, keys, "ten BFI-10 items")
    why = _why_not_answer(BFI_AGREEMENT, AGREEMENT, "the appraisal scale")
    for key in keys:
        exam.leaf(
            answers,
            key,
            f"{path}.{key}",
            lambda value: type(value) is str and value in BFI_AGREEMENT,
            _BFI_ANSWERS,
            why,
            BFI_AGREEMENT,
        )


def _emotions(emotions, path, exam):
    sides = (
        ("positive", POSITIVE_LEVELS, POSITIVE_LABELS),
        ("negative", NEGATIVE_LEVELS, NEGATIVE_LABELS),
    )
    for side, levels, _ in sides:
        exam.leaf(
            emotions,
            f"{side}_level",
            f"{path}.{side}_level",
            lambda value, levels=levels: type(value) is str and value in levels,
            f'a level such as "{list(levels)[2]}" (0 to 6, with its words)',
            _why_not_level(side, levels),
            levels,
        )
    for side, _, labels in sides:
        _labels(emotions, f"{side}_emotion_labels", path, exam, side, labels)


def _labels(emotions, key, path, exam, side, choices):
    path = f"{path}.{key}"
    expected = f"a list of {side} labels, which may be empty"
    if exam.absent(emotions, key, path, expected, may_be_missing=False):
        return
    chosen = emotions[key]
    if not isinstance(chosen, list):
        advice = "Labels contain commas, so they are stored as a list of whole labels."
        exam.refuse("type", path, show(chosen), expected, advice)
        return
    for i in range(len(chosen)):
        exam.leaf(
            chosen,
            i,
            f"{path}[{i}]",
            lambda value: type(value) is str and value in choices,
            f"one of the ten {side} labels, whole",
            _why_not_label(side, choices),
            choices,
            False,
        )
    seen = set()
    for i, label in enumerate(list(chosen)):
        if type(label) is not str or label not in choices:
            continue
        if label in seen:
            taken = exam.accepted.answer(exam.where, path, label, label.__eq__)
            if taken is NOTHING:
                exam.refuse(
                    "label",
                    f"{path}[{i}]",
                    f"{show(label)} a second time",
                    "each label at most once",
                    "Check the record; to read it once, accept it.",
                    exam.as_answer(path, label, choices),
                )
            else:
                chosen[i] = NOTHING
        seen.add(label)
    chosen[:] = [label for label in chosen if label is not NOTHING]


def _scores(scores, path, exam):
    for trait in TRAITS:
        exam.leaf(
            scores, trait, f"{path}.{trait}", is_score, "a number from 0 to 10", _why_not_score
        )


def _demographics(answers, path, exam):
    _texts(answers, path, exam, DEMOGRAPHICS.values())
