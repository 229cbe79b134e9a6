"""The fast pass: a batch of records turned into columns, or not accepted as a whole.

Checking 3,500 records of some 150 values one by one would take several times as long as reading
them. Here a batch is looked at column by column with functions that run in C. Every look either
holds for all records of the batch or raises ``Departure``; then
:func:`carebook.specification.examine` goes through the batch and names the places.
"""

from array import array
from collections import Counter, namedtuple
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain, filterfalse
from operator import itemgetter

from carebook.specification import (
    OBSERVERS,
    RATED,
    REASONING_TEXTS,
    SECTIONS,
)
from carebook.vocabulary import (
    AGREEMENT,
    BFI_AGREEMENT,
    BFI_ITEMS,
    DEMOGRAPHICS,
    NEGATIVE_LABELS,
    NEGATIVE_LEVELS,
    POSITIVE_LABELS,
    POSITIVE_LEVELS,
    ROLES,
    STORY_ANSWERS,
    TRAITS,
)

MISSING = 255
"""The code of an answer that an accepted exception left missing."""


class Departure(Exception):
    """Something in this batch is not as documented; the slow pass will say what."""


@dataclass(frozen=True)
class Codes:
    """Which values may stand where, and the code each is stored as."""

    agreement: Mapping
    bfi: Mapping
    positive: Mapping
    negative: Mapping
    missing: bool

    @classmethod
    def documented(cls):
        """Nothing but what the documentation allows."""
        return cls(
            dict(AGREEMENT),
            dict(BFI_AGREEMENT),
            dict(POSITIVE_LEVELS),
            dict(NEGATIVE_LEVELS),
            False,
        )

    @classmethod
    def with_missing(cls):
        """The same, and None for what an exception lets be missing."""
        missing = {None: MISSING}
        return cls(
            AGREEMENT | missing,
            BFI_AGREEMENT | missing,
            POSITIVE_LEVELS | missing,
            NEGATIVE_LEVELS | missing,
            True,
        )


_POSITIVE_BITS = {label: 1 << i for i, label in enumerate(POSITIVE_LABELS)}
_NEGATIVE_BITS = {label: 1 << i for i, label in enumerate(NEGATIVE_LABELS)}
_PARTS = ("final_scenario", "chat_history", "summary_answers")
_EMOTIONS = (
    "positive_level",
    "negative_level",
    "positive_emotion_labels",
    "negative_emotion_labels",
)
_DEMOGRAPHICS = tuple(DEMOGRAPHICS.values())
_ITEMS = tuple(BFI_ITEMS.values())
_ROLE_CODES = {role: code for code, role in enumerate(ROLES)}

Pieces = namedtuple(
    "Pieces",
    "sample_ids observers participants story reasoning ratings positive_level negative_level"
    " positive_labels negative_labels bfi scores demographics"
    " story_turns story_roles story_texts appraisal_turns appraisal_roles appraisal_texts",
)
"""The columns of a batch, row after row: texts as sequences; everything else packed into bytes, one
byte for an answer, two for the bit mask of a label list, eight for a score, the number of a
demographic value, or a number of turns."""

TEXTS = {"sample_ids", "participants", "story", "reasoning", "story_texts", "appraisal_texts"}
"""The pieces that are sequences of text; the others are bytes."""


class Numbering(dict):
    """Numbers for values, given as they turn up: the same value always has the same number."""

    def __missing__(self, value):
        self[value] = number = len(self)
        return number


@dataclass
class Tally:
    """What is noted over all batches of a reading."""

    extra_fields: Counter = field(default_factory=Counter)
    demographics: Numbering = field(default_factory=Numbering)


def collect(role, records, codes, tally):
    """Turn a batch of records into columns.

    Parameters
    ----------
    role : str
        ``"first_person"`` or ``"third_person"``.
    records : list
        What stood in the file, record by record.
    codes : Codes
        What may stand where.
    tally : Tally
        Undocumented fields are counted here by their dotted path; demographic values numbered.

    Returns
    -------
    Pieces

    Raises
    ------
    Departure
        If anything in any of the records is not as documented.
    """
    extra = Counter()
    try:
        pieces = _collect(role, records, codes, extra, tally.demographics)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        # A key that is missing, a value of another type or outside its table.
        raise Departure(repr(error)) from None
    tally.extra_fields.update(extra)
    return pieces


def _require(holds):
    if not holds:
        raise Departure


def _fields(objects, keys, path, extra=None):
    """Iterate over the values of these keys, one tuple for each object.

    Anything that JSON knows but an object with these keys makes ``itemgetter`` raise. Other keys
    are counted in ``extra``, or refused without it.
    """
    if sum(map(len, objects)) != len(keys) * len(objects):
        _require(extra is not None)
        for one in objects:
            extra.update(path + key for key in one if key not in keys)
    return map(itemgetter(*keys), objects)


def _columns(objects, keys, path, extra):
    return zip(*_fields(objects, keys, path, extra), strict=True)


_flat = chain.from_iterable


def _check_texts(texts):
    """Require that each value is text that can be written down."""
    # isascii() refuses what isn't text; only what it lets through can hold half characters.
    "".join(filterfalse(str.isascii, texts)).encode()


def _coded(values, table):
    return bytes(map(table.__getitem__, values))


def _masks(lists, bits):
    """Each list of labels as a sum of powers of two; a doubled label would lose a bit."""
    _require(set(map(type, lists)) == {list})
    bit = bits.__getitem__
    masks = [sum(map(bit, labels)) for labels in lists]
    _require(sum(map(int.bit_count, masks)) == sum(map(len, lists)))
    return array("H", masks).tobytes()


def _numbers(values, codes):
    if codes.missing:
        values = [float("nan") if value is None else value for value in values]
    _require(set(map(type, values)) <= {int, float})
    _require(all(0 <= value <= 10 or value != value for value in (min(values), max(values))))
    return array("d", values).tobytes()


def _turns(chats):
    """Number of turns of each dialogue; roles and texts of all of them."""
    _require(set(map(type, chats)) <= {list})
    turns = list(_flat(chats))
    _require(set(map(type, turns)) <= {list} and set(map(len, turns)) <= {2})
    flat = list(_flat(turns))
    return array("q", map(len, chats)).tobytes(), _coded(flat[::2], _ROLE_CODES), flat[1::2]


def _collect(role, records, codes, extra, numbering):
    first = role == "first_person"
    names = ("sample_id", "participant_id") + (() if first else ("observer_index",))
    sample_ids, participants, *columns = _columns(records, names + SECTIONS[role], "", extra)
    people = sample_ids + participants
    _check_texts(people)
    _require("" not in people and not any(map(str.isspace, people)))
    observers = () if first else columns.pop(0)
    _require(set(map(type, observers)) <= {int} and set(observers) <= set(OBSERVERS))

    story, story_chats = [], ()
    if first:
        path = "story_collection."
        scenarios, story_chats, answers = _columns(columns.pop(0), _PARTS, path, extra)
        answers = _columns(answers, STORY_ANSWERS, path + "summary_answers.", extra)
        story = list(_flat(zip(scenarios, *answers, strict=True)))
    questions, ratings, emotions, personality, scores, demographics = columns

    path = "cognitive_questions."
    scenarios, appraisal_chats, answers = _columns(questions, _PARTS, path, extra)
    answers = _columns(answers, REASONING_TEXTS, path + "summary_answers.", extra)
    reasoning = list(_flat(zip(*answers, scenarios, strict=True)))

    positive_level, negative_level, positive_labels, negative_labels = _columns(
        emotions, _EMOTIONS, "emotion_labels.", extra
    )
    said = list(_flat(_fields(demographics, _DEMOGRAPHICS, "demographics.", extra)))
    story_turns, story_roles, story_texts = _turns(story_chats)
    appraisal_turns, appraisal_roles, appraisal_texts = _turns(appraisal_chats)
    texts = story + reasoning + said
    if codes.missing:
        texts = [text for text in texts if text is not None]
    _check_texts(chain(texts, story_texts, appraisal_texts))

    return Pieces(
        sample_ids,
        bytes(observers),
        participants,
        story,
        reasoning,
        _coded(_flat(_fields(ratings, RATED, "appraisal_ratings.")), codes.agreement),
        _coded(positive_level, codes.positive),
        _coded(negative_level, codes.negative),
        _masks(positive_labels, _POSITIVE_BITS),
        _masks(negative_labels, _NEGATIVE_BITS),
        _coded(_flat(_fields(personality, _ITEMS, "personality_questionnaire.")), codes.bfi),
        _numbers(list(_flat(_fields(scores, TRAITS, "BigFive_scores.", extra))), codes),
        array("q", map(numbering.__getitem__, said)).tobytes(),
        story_turns,
        story_roles,
        story_texts,
        appraisal_turns,
        appraisal_roles,
        appraisal_texts,
    )
