"""Writes the five appraisal answers of an annotator, the interview around them, and the text.

An answer opens with what the rating says and goes on with reasons from the situation's bank.
Writers and observers use the same reasons, with "I" or "they" in them, and different openings.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from carebook.practice.banks import Banks, Misreading, spoken, word_stems
from carebook.practice.model import TURNED
from carebook.practice.narratives import (
    MILD,
    Story,
    beginning,
    in_manner,
    sentences,
    stopped,
    writes_small,
)
from carebook.practice.wording import reworded
from carebook.vocabulary import DIMENSIONS, REASONING

ASKED = ("relevance", "congruence", "accountability", "control", "certainty")
"""The order in which the interview asks."""

RATING_BEHIND = {
    "relevance": "relevance.general",
    "congruence": "congruence.general",
    "control": "control.general",
    "certainty": "certainty.predictability",
}
REASON_PAIRS = {
    "relevance": ("mattered_little", "mattered"),
    "congruence": ("harmed", "helped"),
    "control": ("no_control", "in_control"),
    "certainty": ("unexpected", "expected"),
}
"""Question -> the reasons for a low rating and for a high one."""


QUESTION_WORDS = frozenset(
    ("how", "what", "whatever", "whether", "when", "where", "which", "who", "whoever", "whom")
)
TOLD = re.compile(r"\b(was|were|had|did|came|went|took|gave|got|made|said|\w+ed)\b")
"""A sentence without such a word is a general truth: no text is needed to know it."""
UNSURE = re.compile(r"\b(seems?|sounds?|looks?|appears?|may|might|perhaps|probably)\b")
"""A sentence with such a word needs no "it looks as if" before it."""
HEDGE = re.compile(
    r"(?i)\b(i think|i mean|i believe|i'd (say|guess)|by my reading|one gathers|as i (see|read) it|"
    r"i read (it|this)|as far as (i|one) can|the way (i|they)|how i hear it|from what|by the text|"
    r"as i understand it|according to|in the text|one reads)\b"
)
"""Words by which an observer says that this is only a reading; once in an answer is enough."""
KIN = {
    "daughter": "daughter|girl",
    "son": "son|boy",
    "mother": "mother|mum",
    "father": "father|dad",
    "grandmother": "grandmother|gran",
    "grandfather": "grandfather|grandpa",
    **{name: name for name in ("sister", "brother", "aunt", "uncle", "cousin", "niece")},
    **{name: name for name in ("nephew", "grandson", "husband", "wife", "doctor")},
}
"""People whom a reason may name -> what a story that mentions them calls them."""
NAMED_AS = {kin: re.compile(rf"\b({names})") for kin, names in KIN.items()}
QUOTABLE = re.compile(
    r"(I|My|We|Our) "
    r"(?![^\"]*\b(nothing|nobody|what I f|ease|calm|composed|peace|quiet))"
    r"(?=[^\"]*\b(want\w*|need\w*|hope[ds]?|wish\w*|long(ed|ing)|ached?|prayed|feel|felt|afraid|scared|"
    r"worr\w+|proud|furious|angry|seething|outraged|ashamed|glad|happy|relieved|thankful|grateful|"
    r"loved?|miss(ed)?|cried|shook|shaking|trembl\w+|laughed|heart|couldn't|could not|slept)\b)"
    r"[^\"]*[.!]$"
)
"""A sentence of a story in which the writer speaks of what it was to them."""
DENIAL = re.compile(r"(?i)\bnot (the writer|them|me)\b|\bI didn't\b|no question|for sure")
BLAME = re.compile(r"(?i)\bon (me|them|the writer)\b|\bfault\b|\bpin it\b|\bpoint(ing)?\b")
BLAME_OR_DENIAL = re.compile(f"{BLAME.pattern}|{DENIAL.pattern.removeprefix('(?i)')}")
DID = re.compile(
    r"^They (?=((had|could|did|should|would)(n't)?|(never|fully|freely|simply) \w+ed|went|took|"
    r"gave|got|made|said|left|put|chose|wrote|knew|sat|kept|let|ran|stood|told|began|drove|held|"
    r"spoke|thought|brought|came|found|paid|sent|spent|\w+ed)\b)"
)
"""How an observer's reason begins that tells what "they" did: here "The writer" can stand, too."""


@dataclass(frozen=True)
class Narrator:
    """Who answers: a writer speaks of an own event, an observer of somebody else's."""

    role: str
    voice: str
    small: bool = False


def cell(question: str, ratings: Mapping[str, int]) -> str:
    """Return which openings of the phrase bank say what the ratings say.

    Examples
    --------
    >>> cell("relevance", {"relevance.general": 4})
    '4'
    >>> cell("accountability", {"accountability.self": 1, "accountability.other": 5})
    'other'
    >>> cell("accountability", {"accountability.self": 2, "accountability.other": 2})
    'circumstances'
    """
    if question != "accountability":
        return str(ratings[RATING_BEHIND[question]])
    own, other = ratings["accountability.self"], ratings["accountability.other"]
    if max(own, other) <= 2:
        return "circumstances"
    if own == other:
        return "both"
    if max(own, other) == 3:
        return "self_some" if own > other else "other_some"
    if min(own, other) >= 4:
        return "both"
    return "self" if own > other else "other"


def write_answers(
    rng: Random,
    narrator: Narrator,
    story: Story,
    ratings: Sequence[int],
    misreading: Misreading | None,
    banks: Banks,
    worn: Counter[str],
    heard: Counter[str],
) -> dict:
    """Return the ``cognitive_questions`` object of a record.

    ``worn`` counts which openings were written before: of those that fit, the least worn comes
    next. ``heard`` counts which of the situation's reasons were given about this story before: one
    that comes back comes last, and is worded otherwise.
    """
    by_name = dict(zip(DIMENSIONS, ratings, strict=True))
    misread_question = _question_of(misreading) if misreading else None
    written = misreading is not None and _agrees(misreading, misread_question, by_name)
    pen = _Pen(rng, narrator, story, banks, worn, heard, misreading.text if written else "")
    answers = {}
    for question in ASKED:
        misread = misreading.text if written and question == misread_question else None
        avoided = _out_of_place(question, by_name, story.situation.tone)
        answers[question] = pen.answer(question, cell(question, by_name), misread, avoided)
    return {
        "final_scenario": " ".join([pen.recap(), *(answers[question] for question in ASKED)]),
        "summary_answers": {
            "previousStory": story.text,
            **{question: answers[question] for question in REASONING},
        },
        "chat_history": pen.interview(answers),
    }


def _out_of_place(question: str, ratings: Mapping[str, int], tone: str) -> re.Pattern | None:
    """Return which openings about responsibility don't suit: "not me" where the writer's own part
    isn't denied, words of blame where the event was a good one."""
    if question != "accountability":
        return None
    denied = ratings["accountability.self"] <= 2
    if tone == "pleasant":
        return BLAME if denied else BLAME_OR_DENIAL
    return None if denied else DENIAL


def writer_of(story: Story) -> Narrator:
    """Return the narrator for the person who wrote the story."""
    return Narrator("writer", story.situation.voice, writes_small(story.situation))


def _question_of(misreading: Misreading) -> str:
    """Return the question that a misreading touches most."""
    totals = dict.fromkeys(ASKED, 0.0)
    for name, shift in misreading.shift.items():
        totals[name.split(".")[0]] += abs(shift)
    return max(ASKED, key=lambda question: totals[question])


def _agrees(misreading: Misreading, question: str, ratings: Mapping[str, int]) -> bool:
    """Return whether the rating doesn't deny what the misreading says."""
    if question == "accountability":
        own, others, meant = (
            misreading.shift.get(f"{question}.{name}", 0.0)
            for name in ("self", "other", "intentionality")
        )
        named = cell(question, ratings)
        if own > 0 and own >= others:
            return named in ("self", "self_some", "both")
        if others > 0 or meant > 0:
            return named in ("other", "other_some", "both")
        if others < 0 or meant < 0:
            # Whoever is cleared by it isn't replaced by anybody.
            return named == "circumstances"
        return named in ("other", "circumstances")
    group = [
        -value if name in TURNED else value
        for name, value in misreading.shift.items()
        if name.startswith(f"{question}.")
    ]
    shift = misreading.shift.get(RATING_BEHIND[question], math.fsum(group))
    rating = ratings[RATING_BEHIND[question]]
    return rating >= 3 if shift > 0 else rating <= 3


class _Pen:
    """Writes one annotator's words about one story, without saying a turn of phrase twice."""

    def __init__(
        self,
        rng: Random,
        narrator: Narrator,
        story: Story,
        banks: Banks,
        worn: Counter[str],
        heard: Counter[str],
        believed: str = "",
    ):
        self.rng = rng
        self.worn = worn
        self.heard = heard
        self.said: set[tuple[str, ...]] = set()
        self.bank: dict[str, str] = {}
        self.narrator = narrator
        self.story = story
        self.phrases = banks.phrases
        self.small_words = banks.small_words
        self.used: set[str] = set()
        self.believed = _long_words(believed)
        self.strangers: re.Pattern | None = None
        self.untold: frozenset[str] = frozenset()
        if narrator.role == "observer":
            told = story.text.lower()
            absent = [kin for kin, names in NAMED_AS.items() if not names.search(told)]
            self.strangers = re.compile(rf"\b({'|'.join(absent)})\b") if absent else None
            self.untold = banks.particulars[story.situation.id] - word_stems(story.text)

    def choose(self, options: Sequence[str], text: str = "") -> str:
        """Return an option not used before, and whose first words ``text`` does not hold."""
        fresh = [
            option for option in options if option not in self.used and not _repeats(option, text)
        ]
        chosen = self.rng.choice(fresh or list(options))
        if chosen not in ("", "{high}"):
            self.used.add(chosen)
        return chosen

    def answer(
        self, question: str, which: str, misread: str | None, avoided: re.Pattern | None
    ) -> str:
        """Return an opening that says what the rating says, then reasons that fit it."""
        narrator, turns = self.narrator, self.phrases["turns"]
        options = self.phrases[f"answers_{narrator.role}"][question][which][narrator.voice]
        fitting = [option for option in options if not (avoided and avoided.search(option))]
        # "Out of nowhere" in two answers of one person reads like a form.
        fresh = [option for option in fitting if self.said.isdisjoint(_threes(option))]
        fitting = fresh or fitting or options
        least = min(self.worn[option] for option in fitting)
        opening = self.rng.choice([option for option in fitting if self.worn[option] == least])
        self.worn[opening] += 1
        main, contrast = self.reasons(question, which, opening)
        given = "{because}" in opening
        if given:
            usable = [
                reason
                for reason in main
                if self.fits_inside(reason) and not _echoes(opening, reason)
            ]
            if usable:
                main.remove(usable[0])
                reason = self.lowered(self.worded(usable[0])).rstrip(".")
                opening = opening.replace("{because}", reason)
            else:
                opening, given = without_because(opening), False
        pieces = [opening]
        if misread is not None:
            pieces.append(self.framed(turns["seen"], misread, opening))
        elif contrast is not None:
            if not given:
                pieces.append(self.worded(main[0]))
            pieces.append(self.framed(turns["contrast"], self.worded(contrast), opening))
        elif not given and (quoted := self.quotation(question, which, main[0])):
            pieces.append(quoted)
        else:
            wanted = 1 if narrator.voice == "terse" else self.rng.choice((1, 2, 2))
            for number, reason in enumerate(map(self.worded, main[: wanted - given])):
                if number or given:
                    pieces.append(self.framed(turns["also"], reason, opening))
                elif narrator.role == "observer":
                    pieces.append(self.framed(turns["seen"], reason, opening))
                else:
                    pieces.append(reason)
        text = " ".join(stopped(piece) for piece in pieces)
        self.said |= _threes(text)
        return in_manner(self.story.situation, text) if narrator.small else text

    def reasons(self, question: str, which: str, opening: str) -> tuple[list[str], str | None]:
        """Return shuffled reasons for the opening; for a mixed one, also one for the other side."""
        rng = self.rng
        if question == "accountability":
            side = which.removesuffix("_some")
            other = "circumstances" if which.endswith("_some") else None
            if side == "both":
                side, other = rng.sample(("self", "other"), 2)
        else:
            low, high = REASON_PAIRS[question]
            level = int(which)
            if level == 3:
                side, other = rng.sample((low, high), 2)
            else:
                side, other = (high, low) if level > 3 else (low, high)
                if level in (1, 5) or rng.random() >= 0.3:
                    other = None
        main = self.shuffled(side)
        # "A surprise, because it came as a surprise" says nothing: keep such a reason for last.
        # Nor does anybody misread what a person did, and then tell what that person did.
        main.sort(
            key=lambda reason: (
                _echoes(opening, reason),
                self.names_a_stranger(reason),
                self.told_elsewhere(reason),
                bool(self.believed & _long_words(reason)),
                not self.said.isdisjoint(_threes(reason)),
                self.heard[self.bank[reason]],
            )
        )
        # One reason is better than a second one from elsewhere, or that others gave before.
        main[1:] = [
            reason
            for reason in main[1:]
            if not self.told_elsewhere(reason) and not self.heard[self.bank[reason]]
        ]
        head = main[0].split()[:2]
        said = _long_words(main[0])
        main[1:] = sorted(
            main[1:],
            key=lambda reason: (
                reason.split()[:2] == head,
                len(said & _long_words(reason)) > 1,
                self.heard[self.bank[reason]],
            ),
        )
        if other is None:
            return main, None
        turned = self.shuffled(other)
        turned.sort(
            key=lambda reason: (
                not self.can_lower(reason),
                self.names_a_stranger(reason),
                self.told_elsewhere(reason),
                bool(self.believed & _long_words(reason)),
                len(_long_words(main[0]) & _long_words(reason)),
                self.heard[self.bank[reason]],
            )
        )
        if self.narrator.role == "observer":
            # After words about other people "they" would be those.
            if other == "self" or self.about_others(main[0]):
                turned[0] = self.by_the_writer(turned[0])
            if which == "both" and side == "self":
                main = [self.by_the_writer(reason) for reason in main]
        return main, turned[0]

    def shuffled(self, side: str) -> list[str]:
        """Return the reasons of one side as this narrator says them, in random order."""
        bank = self.story.situation.reasons[side]
        self.bank |= {spoken(reason, self.narrator.role): reason for reason in bank}
        return self.rng.sample([spoken(reason, self.narrator.role) for reason in bank], len(bank))

    def worded(self, reason: str) -> str:
        """Return a reason, worded otherwise if it was given about this story before."""
        turn = self.heard[self.bank[reason]]
        self.heard[self.bank[reason]] += 1
        return reworded(reason, self.narrator.voice, turn)

    def by_the_writer(self, reason: str) -> str:
        """Return an observer's reason with "The writer" for "They" where it tells a deed."""
        named = DID.sub("The writer ", reason)
        self.bank[named] = self.bank[reason]
        return named

    def about_others(self, reason: str) -> bool:
        """Return whether an observer's "they" in a reason stands for other people."""
        return re.search(r"\b(they|them)\b", self.bank[reason].lower()) is not None

    def quotation(self, question: str, which: str, reason: str) -> str:
        """Return a line of the story that shows how much it mattered, or "".

        An observer quotes where another one gave the reason before, and no line twice.
        """
        if question != "relevance" or int(which) < 4 or not self.heard[self.bank[reason]]:
            return ""
        lines = [
            line
            for part in ("goal", "feeling")
            for line in sentences(self.story.parts[part])
            if QUOTABLE.match(line) and not MILD.search(line) and not self.heard[line]
            if len(line.split()) <= 14
        ]
        if not lines:
            return ""
        line = self.rng.choice(lines)
        self.heard[line] += 1
        frame = self.choose(self.phrases["turns"]["quoted"][self.narrator.voice])
        tail = frame.partition("{quote}")[2]
        # Inside a sentence a quotation has no full stop of its own.
        return frame.replace("{quote}", line.removesuffix(".") if tail[1:] else line)

    def names_a_stranger(self, reason: str) -> bool:
        """Return whether an observer would name somebody whom this story doesn't mention."""
        return self.strangers is not None and self.strangers.search(reason) is not None

    def told_elsewhere(self, reason: str) -> int:
        """Return how much of a reason an observer would have to know from other variants."""
        return len(word_stems(reason) & self.untold)

    def fits_inside(self, reason: str) -> bool:
        """Return whether a reason can follow "because" inside a sentence."""
        words = set(reason.lower().rstrip(".").split())
        first = reason.split()[0].lower()
        one_sentence = not re.search(r"[.!?;]\W", reason[:-1])
        plain = first not in {*QUESTION_WORDS, "that"} and not {"because", "since"} & words
        return self.can_lower(reason) and one_sentence and plain

    def lowered(self, reason: str) -> str:
        """Return a reason with a small first letter where its first word is no name."""
        word = re.match(r"[\w'-]+", reason)
        small = word is not None and word.group().lower() in self.small_words
        return reason[0].lower() + reason[1:] if small else reason

    def can_lower(self, reason: str) -> bool:
        return self.lowered(reason) != reason or re.match(r"I\b", reason) is not None

    def framed(self, frames: Mapping, reason: str, opening: str) -> str:
        """Return the reason in a turn of phrase, or by itself where it would not fit."""
        options = frames[self.narrator.voice]
        clause = reason.split()[0].lower() in {*QUESTION_WORDS, "that"}
        bare = UNSURE.search(reason) or clause or not TOLD.search(reason)
        seen = frames is self.phrases["turns"]["seen"]
        if seen and (bare or HEDGE.search(opening)):
            options = [frame for frame in options if not HEDGE.search(frame)] or ["{high}"]
        if seen and bare or not self.can_lower(reason):
            options = [frame for frame in options if "{low}" not in frame] or ["{high}"]
        words = reason.lower().split()
        fresh = [frame for frame in options if frame.split()[0].lower().rstrip(",") not in words]
        frame = self.choose(fresh or options, opening)
        return frame.replace("{low}", self.lowered(reason)).replace("{high}", reason)

    def recap(self) -> str:
        """Return the short retelling that opens the appraisal text."""
        frame = self.rng.choice(self.phrases["turns"]["recap"][self.narrator.role])
        parts = {name: stopped(beginning(self.story.parts[name])) for name in ("event", "goal")}
        if self.narrator.role == "observer":
            parts = {name: text.replace('"', "'") for name, text in parts.items()}
        return frame.replace("{event}", parts["event"]).replace("{goal}", parts["goal"])

    def interview(self, answers: Mapping[str, str]) -> list[list[str]]:
        """Return the dialogue in which the five answers were given."""
        narrator, asks = self.narrator, self.phrases["interviewer"]
        leads = self.phrases["turns"]["answer"][narrator.role][narrator.voice]
        history = []
        for number, question in enumerate(ASKED):
            before = asks["start"][narrator.role] if number == 0 else asks["thanks"]
            ask = self.rng.choice(asks["ask"][question][narrator.role])
            history.append(["ai", f"{self.choose(before)} {ask}"])
            # "Going by the text. I'd say ..." says twice that it is only a reading.
            hedged = HEDGE.search(answers[question].split(".")[0])
            fitting = [lead for lead in leads if not (hedged and HEDGE.search(lead))]
            lead = self.choose(fitting, answers[question])
            history.append(
                ["human", (lead.lower() if narrator.small else lead) + answers[question]]
            )
        history.append(["ai", self.rng.choice(asks["end"]["lines"])])
        return history


def _echoes(opening: str, reason: str) -> bool:
    """Return whether a reason says what the opening has said: surprise, or three words alike, or
    begins as it did.

    Examples
    --------
    >>> _echoes("It came out of nowhere for me.", "The third plate came out of nowhere.")
    True
    >>> _echoes("It came out of nowhere for me.", "The letter came on a Friday.")
    False
    >>> _echoes("Somebody else was to blame.", "Somebody had left the gate open.")
    True
    """
    if "surpris" in opening and "surpris" in reason:
        return True
    first = opening.split()[0]
    if first in ("Somebody", "Someone", "Nobody") and reason.startswith(f"{first} "):
        return True
    return not _threes(opening).isdisjoint(_threes(reason))


@lru_cache(2**14)
def _threes(text: str) -> frozenset[tuple[str, ...]]:
    words = re.findall(r"[a-z']+", text.lower())
    return frozenset(zip(words, words[1:], words[2:], strict=False))


@lru_cache(2**14)
def _long_words(text: str) -> frozenset[str]:
    """Return the words of a text that say what it is about: five letters or more, no "there".

    Examples
    --------
    >>> sorted(_long_words("The driver probably didn't see anybody."))
    ['anybody', 'driver']
    """
    words = re.findall(r"[a-z]{5,}", text.lower())
    return frozenset(words) - _COMMON


_COMMON = frozenset(
    (
        *("writer", "there", "their", "about", "after", "before", "could", "would", "should"),
        *("probably", "perhaps", "other", "others", "which", "because", "seems", "might"),
    )
)


def _repeats(option: str, text: str) -> bool:
    """Return whether a turn of phrase begins as the text does somewhere, or also says "I read"."""
    lead, start = _lead(option)
    said = text.lower()
    return bool(start) and (start in said or ("i read" in lead and "i read" in said))


@lru_cache(2**12)
def _lead(option: str) -> tuple[str, str]:
    """Return what a turn of phrase says before the reason, and its first two words."""
    lead = option.split("{")[0].lower().rstrip(" ,.")
    return lead, " ".join(lead.split()[:2])


def without_because(opening: str) -> str:
    """Return the opening cut before the words that lead to a reason.

    Examples
    --------
    >>> without_because("It mattered. I told myself that {because}.")
    'It mattered.'
    >>> without_because("I felt in control, because {because}.")
    'I felt in control.'
    """
    head = opening[: opening.index("{because}")]
    stop = max(head.rfind(mark) for mark in (",", ".", ":", "?"))
    return head[:stop] + "."
