"""Composes the messages of the DEAR MAN conversations and lets experts judge them.

A message is one to three moves joined in order. Experts go by the coding manual of chapter 5. What
it settles they mark alike: a plain good use is strong, a plain poor one weak, an attack isn't
mindful, a request taken back isn't confident. Where it leaves room they differ: a good sentence
that the bank marks as lacking something, a poor one that may be no use at all, a sentence with an
edge, a skill that can be read into another sentence. There strictness and noise decide.
Advice follows the label that the expert gave. Suggestions and rewrites come with the move; a
rewrite is the message with that move replaced, or with a sentence added.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from carebook.practice.banks import Conversation, Move
from carebook.practice.model import normal_cdf
from carebook.vocabulary import IMBUE_COLUMNS, SKILLS, STATE_SKILLS

LAPSES = ("not mindful", "not confident")
SOFT = frozenset(("hint", "hinted", "question", "apology", "takes-back", "gives-in", "bribe"))
HARD = frozenset(
    ("demand", "ultimatum", "threat", "attack", "grudge", "you-statement", "overblown", "judgement")
)
FAILING = {
    "mindful": frozenset(("sharp",)),
    "confident": frozenset(("yielding",)),
}
"""Tones of single sentences that cost a message its calm, or its confidence, for every expert."""
TELLING = {"mindful": frozenset(("edged",)), "confident": frozenset(("meek",))}
"""Tones that may cost a message its calm, or its confidence: experts differ."""
HINTING = frozenset(("exaggeration", "judgement", "mind-reading", "question", "demand"))
"""Flaws of sentences in which a feeling can be heard, if their tone isn't calm."""
DROPPING = frozenset(("gives-in", "takes-back"))
"""Flaws with which the aim is let go: some call that not mindful, though nothing is sharp in it."""
TONES_OF = {
    "dropping": DROPPING,
    "reproach": frozenset(
        ("judgement", "you-statement", "mind-reading", "exaggeration", "thought-not-feeling")
    ),
    "pressure": frozenset(("demand", "ultimatum", "threat")),
    "hint": frozenset(("hint", "question", "vague", "no-offer")),
    "yielding": frozenset(("apology", "takes-back", "gives-in")),
    "bribe": frozenset(("bribe",)),
}
"""Advice on calm and confidence goes by the kind of flaw that costs them."""
DENYING = HARD | {"gives-in", "takes-back", "apology", "bribe"}
"""Flaws of sentences that would deny one that a rewrite adds: after a threat nobody offers."""


@dataclass(frozen=True)
class Message:
    """One message: its moves in order and, for each move, its number in the bank."""

    moves: tuple[Move, ...]
    numbers: tuple[int, ...]

    @property
    def text(self) -> str:
        return " ".join(move.text for move in self.moves)

    def find(self, skill: str) -> Move | None:
        """Return the move that uses a skill, or that loses mindfulness or confidence."""
        for move in self.moves:
            if move.skill == skill or move.state == f"not {skill}":
                return move
        return None

    def with_flaw(self, flaws: Collection[str]) -> Move | None:
        """Return the first move that has one of these flaws."""
        return next((move for move in self.moves if move.flaw in flaws), None)

    def rewritten(self, *old: Move) -> str:
        """Return the text with these moves replaced by their rewrites."""
        return " ".join(move.rewrite if move in old else move.text for move in self.moves)

    def calmed(self, skill: str) -> str:
        """Return the text without anything that costs it calm ("mindful") or confidence."""
        return self.rewritten(*self.poor_in(skill))

    def poor_in(self, skill: str) -> list[Move]:
        """Return the moves that cost the text calm ("mindful") or confidence."""
        return [
            move for move in self.moves if move in [*self.failing(skill), *self.doubtful(skill)]
        ]

    def failing(self, skill: str) -> list[Move]:
        """Return the moves that cost the text calm, or confidence, for every expert."""
        return self.sounding(FAILING[skill])

    def doubtful(self, skill: str) -> list[Move]:
        """Return the moves of which an expert may say so."""
        dropped = self.where(DROPPING, ()) if skill == "mindful" else []
        return self.sounding(TELLING[skill]) + dropped

    def sounding(self, tones: Collection[str]) -> list[Move]:
        """Return the moves that have one of these tones."""
        return [move for move in self.moves if move.sound in tones]

    def completed(self, sentence: str) -> str:
        """Return the text with a sentence added, and without what would deny it."""
        return f"{self.mended} {sentence}"

    def continued(self, old: Move, sentence: str) -> str:
        """Return the text with a sentence added right after one move."""
        texts = [f"{move.text} {sentence}" if move is old else move.text for move in self.moves]
        return " ".join(texts)

    def exchanged(self, old: Move, sentence: str) -> str:
        """Return the text with a sentence in the place of one move."""
        return " ".join(sentence if move is old else move.text for move in self.moves)

    @property
    def mended(self) -> str:
        """The text without sentences that would deny one that is added, or spoil it."""
        spoiling = [*self.where(DENYING, LAPSES), *self.sounding(("sharp", "edged"))]
        return self.rewritten(*spoiling)

    def where(self, flaws: Collection[str], states: Collection[str]) -> list[Move]:
        """Return the moves that have one of these flaws or states."""
        return [move for move in self.moves if move.flaw in flaws or move.state in states]


@dataclass(frozen=True)
class Talk:
    """One conversation as it was held: the description used and the messages in order."""

    id: str
    bank: Conversation
    wording: int
    messages: tuple[Message, ...]


def hold_conversations(
    rng: Random, world: Mapping, bank: Sequence[Conversation], count: int
) -> tuple[Talk, ...]:
    """Return ``count`` conversations; beyond the bank's size they recur with other moves."""
    sizes = world["imbue"]
    lengths = conversation_lengths(rng, sizes, count)
    chosen = _spread(rng, bank, count)
    width = max(2, len(str(count)))
    talks = []
    for number, (conversation, length) in enumerate(zip(chosen, lengths, strict=True), start=1):
        skill = rng.gauss(0, sizes["participant_skill"])
        talks.append(
            Talk(
                id=str(number).zfill(width),
                bank=conversation,
                wording=rng.randrange(len(conversation.situations)),
                messages=_messages(rng, sizes, conversation, length, skill),
            )
        )
    return tuple(talks)


def conversation_lengths(rng: Random, sizes: Mapping, count: int) -> list[int]:
    """Return how many messages each conversation has; their sum is the stated mean x count."""
    shortest, longest = sizes["shortest"], sizes["longest"]
    total = round(sizes["messages_per_conversation"] * count)
    drawn = [round(rng.gauss(total / count, 2.5)) for _ in range(count)]
    lengths = [min(longest, max(shortest, length)) for length in drawn]
    while sum(lengths) != total:
        place = rng.randrange(count)
        step = 1 if sum(lengths) < total else -1
        if shortest <= lengths[place] + step <= longest:
            lengths[place] += step
    return lengths


def _spread(rng: Random, bank: Sequence[Conversation], count: int) -> list[Conversation]:
    """Return conversations that take turns between the categories, each used equally often."""
    by_category: dict[str, list[Conversation]] = {}
    for conversation in bank:
        by_category.setdefault(conversation.category, []).append(conversation)
    queues: dict[str, list[Conversation]] = {name: [] for name in by_category}
    chosen = []
    while len(chosen) < count:
        for name in sorted(by_category):
            if not queues[name]:
                queues[name] = rng.sample(by_category[name], len(by_category[name]))
            if len(chosen) < count:
                chosen.append(queues[name].pop())
    return chosen


# --- what is said -----------------------------------------------------------------------------


def _messages(
    rng: Random, sizes: Mapping, conversation: Conversation, length: int, skill: float
) -> tuple[Message, ...]:
    unused = list(range(len(conversation.moves)))
    messages, repeat_due = [], False
    for position in range(length):
        numbers: list[int] = []
        lapse = position > 0 and not repeat_due and rng.random() < sizes["lapse"]
        take = _Taker(rng, conversation, unused, numbers)
        if repeat_due and rng.random() < sizes["repeat"]:
            take.one(lambda move: move.state == "mindful")
        for name in _plan(rng, position / max(1, length - 1), bool(numbers), lapse):
            good = rng.random() < normal_cdf(0.15 + skill)
            strengths = ("strong", "weak") if good else ("weak", "strong")
            take.first_of([_uses(name, strength) for strength in strengths])
        if lapse:
            states = rng.sample(LAPSES, 2)
            take.first_of([lambda move, s=state: move.state == s for state in states])
        if not numbers:
            take.first_of([lambda move: move.state is None, lambda move: True], again=True)
        repeat_due = any(conversation.moves[n].state in LAPSES for n in numbers)
        messages.append(Message(tuple(conversation.moves[n] for n in numbers), tuple(numbers)))
    return tuple(messages)


def _plan(rng: Random, progress: float, repeats: bool, lapse: bool) -> list[str]:
    """Return the skills that a message sets out to use, in the order in which they are said."""
    if progress == 0:
        return ["describe", *rng.choice((["express"], ["express"], [], ["assert"]))]
    if repeats:
        return list(rng.choice(([], ["reinforce"], ["express"], ["negotiate"])))
    if lapse:
        return list(rng.choice((["assert"], ["express"], ["describe"])))
    early = (
        ["express", "assert"],
        ["describe", "assert"],
        ["describe", "express"],
        ["describe", "express", "assert"],
        ["assert"],
    )
    middle = (
        ["assert", "reinforce"],
        ["express", "assert"],
        ["describe", "express"],
        ["assert"],
        ["reinforce"],
        ["express"],
        ["describe"],
    )
    late = (
        ["negotiate"],
        ["reinforce"],
        ["assert", "negotiate"],
        ["negotiate", "reinforce"],
        ["express", "negotiate"],
    )
    stage = early if progress < 0.35 else middle if progress < 0.7 else late
    return list(rng.choice(stage))


def _uses(skill: str, strength: str):
    return lambda move: (
        move.skill == skill and move.strength == strength and move.state != "mindful"
    )


class _Taker:
    """Picks moves for one message, none that was said before in the conversation."""

    def __init__(self, rng: Random, conversation: Conversation, unused: list, numbers: list):
        self.rng, self.moves, self.unused, self.numbers = rng, conversation.moves, unused, numbers

    def one(self, fits: Callable[[Move], bool], again: bool = False) -> bool:
        """Add a fitting move and return whether there was one; ``again`` allows a used one."""
        pool = range(len(self.moves)) if again else self.unused
        options = [n for n in pool if fits(self.moves[n]) and self.agrees(self.moves[n])]
        if not options:
            return False
        number = self.rng.choice(options)
        self.numbers.append(number)
        if number in self.unused:
            self.unused.remove(number)
        return True

    def first_of(self, kinds: Sequence[Callable[[Move], bool]], again: bool = False) -> None:
        """Add a move of the first kind that is left; with ``again`` a used one if none is."""
        if not any(self.one(fits) for fits in kinds) and again:
            self.one(kinds[0], again=True)

    def agrees(self, move: Move) -> bool:
        """Return whether a move's tone goes with the message so far.

        Nobody begs and threatens, and nobody does either right after a mindful repetition. An
        ultimatum doesn't follow a request with another date, an offer or a gain doesn't follow
        a command, nor a threat an offer, nor a gain what was given up.
        """
        flaws = {self.moves[n].flaw for n in self.numbers}
        skills = {self.moves[n].skill for n in self.numbers}
        if move.flaw == "ultimatum" and "assert" in skills:
            return False
        if move.skill == "negotiate" and "demand" in flaws and move.strength == "strong":
            return False
        if move.flaw == "threat" and "negotiate" in skills and "ultimatum" not in flaws:
            return False
        if move.skill == "reinforce" and (
            "gives-in" in flaws or flaws & {"ultimatum", "demand"} and move.strength == "strong"
        ):
            return False
        if any(self.moves[n].state == "mindful" for n in self.numbers):
            return move.flaw in (None, "vague", "no-offer")
        return not (move.flaw in SOFT and flaws & HARD or move.flaw in HARD and flaws & SOFT)


# --- what experts make of it ------------------------------------------------------------------


def judge(
    rng: Random, world: Mapping, talks: Sequence[Talk], phrases: Mapping
) -> tuple[list[dict[str, str]], dict[str, float]]:
    """Return the rows of the table, one per message and expert, and each expert's strictness.

    Every conversation has one expert who judges all of it; for a stated share of the messages a
    second, different one judges too.
    """
    sizes = world["imbue"]
    names = [f"practice-expert-{n}" for n in range(1, sizes["experts"] + 1)]
    strictness = dict(zip(names, rng.sample(sizes["strictness"], len(names)), strict=True))
    firsts = _firsts(rng, names, len(talks))
    places = [(t, m) for t, talk in enumerate(talks) for m in range(len(talk.messages))]
    twice = set(rng.sample(places, round(sizes["second_expert"] * len(places))))
    rows = []
    used: Counter = Counter()
    for t, talk in enumerate(talks):
        said: dict[str, set[str]] = {name: set() for name in names}
        asked: set[str] = set()
        for m, message in enumerate(talk.messages):
            heard: set[str] = set()
            experts = [firsts[t]]
            if (t, m) in twice:
                experts.append(rng.choice([name for name in names if name != firsts[t]]))
            for name in experts:
                progress = m / max(1, len(talk.messages) - 1)
                desk = _Desk(
                    rng, sizes, phrases["experts"], strictness[name], said[name], used, heard, asked
                )
                marks = desk.marks(talk, message, progress)
                heard = {text for text in marks.values() if " " in text}
                row = {
                    "conversation_id": talk.id,
                    "situation": talk.bank.situations[talk.wording],
                    "category": talk.bank.category,
                    "message_id": str(m + 1),
                    "message_text": message.text,
                    "username_expert": name,
                    **marks,
                }
                rows.append({column: row[column] for column in IMBUE_COLUMNS})
    return rows, strictness


def _firsts(rng: Random, names: Sequence[str], count: int) -> list[str]:
    """Return the first expert of each conversation: everybody gets about as many."""
    firsts: list[str] = []
    while len(firsts) < count:
        firsts += rng.sample(names, len(names))
    return firsts[:count]


@dataclass(frozen=True)
class _Desk:
    """An expert at work on one conversation.

    ``said`` holds what this expert has advised in it, ``used`` how often any expert has used each
    general piece of advice, ``heard`` what somebody else has written about the same message,
    ``asked`` which absent skills anybody has asked for in the conversation, in which words.
    """

    rng: Random
    sizes: Mapping
    phrases: Mapping
    strict: float
    said: set[str]
    used: Counter
    heard: Collection[str]
    asked: set[str]

    def marks(self, talk: Talk, message: Message, progress: float) -> dict[str, str]:
        """Return the 21 cells of a row: a label for each skill, and advice that fits the label."""
        cells = {}
        for skill in SKILLS:
            if skill in STATE_SKILLS:
                label = self.state_label(message, skill)
                advice = self.state_advice(talk, message, skill) if label == "no" else ("", "")
            else:
                label = self.strength_label(message, skill)
                advice = self.advice(talk, message, skill, label, progress)
            self.said.add(advice[0])
            cells[f"label_{skill}"] = label
            cells[f"suggestion_{skill}"], cells[f"rewrite_{skill}"] = advice
        return cells

    def strength_label(self, message: Message, skill: str) -> str:
        """Return what is seen of a skill.

        A good use counts as weak only if the bank says what it lacks, a poor one as none only if
        the bank says that it may be none. Where no sentence is meant as a use, one may be seen.
        """
        move, sizes = message.find(skill), self.sizes
        chance, noise = self.rng.random(), self.rng.gauss(0, sizes["judgement_noise"])
        if move is None:
            if threatened(message, skill):
                return "weak"
            seen = chance < sizes["seen_elsewhere"] and could_hold(message, skill)
            return "weak" if seen else "none"
        if move.strength == "strong":
            value = sizes["lacking"] + noise - self.strict
            weak = lacking(message, move) and value <= sizes["strong_cut"]
            return "weak" if weak else "strong"
        value = sizes["bare"] + noise - self.strict
        return "none" if move.may_be_none and value <= sizes["none_cut"] else "weak"

    def state_label(self, message: Message, skill: str) -> str:
        """Return whether the message seems mindful, or confident.

        What the manual settles needs no weighing. One sentence with an edge, or one that shrinks,
        is weighed; two of them settle it.
        """
        noise = self.rng.gauss(0, self.sizes["state_noise"])
        if message.failing(skill) or len(message.doubtful(skill)) > 1:
            return "no"
        if not message.doubtful(skill):
            return "yes"
        value = self.sizes["state_flawed"] + noise - self.strict
        return "yes" if value > self.sizes["state_cut"] else "no"

    def advice(
        self, talk: Talk, message: Message, skill: str, label: str, progress: float
    ) -> tuple[str, str]:
        """Return suggestion and rewrite for one of the five skills that are used or not used.

        A poor sentence gets the suggestion that was written for it, whether it counts as a weak
        use or as none. Who calls a good one weak says what it lacks, and adds it. A skill that
        isn't there may get a suggestion where it is called for.
        """
        move = message.find(skill)
        if label == "strong":
            return "", ""
        if move is not None and move.suggestion is not None:
            return self.mending(talk, message, move)
        if label == "weak" and move is not None and move.rewrite is not None:
            return self.fresh(self.phrases["stricter"][move.lacks]), message.rewritten(move)
        if label == "weak" and move is not None:
            said = {spoken.text for held in talk.messages for spoken in held.moves}
            more = self.distinct(message.text, _instead_of(talk, message, move), said)
            return self.fresh(self.phrases["stricter"][move.lacks]), message.continued(move, more)
        if label == "weak" and threatened(message, skill):
            threat = message.with_flaw(("ultimatum",))
            more = self.distinct(message.rewritten(threat), _more_of(talk, message, skill))
            return self.fresh(self.phrases["second"]["threat"]), message.exchanged(threat, more)
        if label == "weak":
            suggestion = self.fresh(self.phrases["glimpsed"][skill])
            return suggestion, self.completed(talk, message, skill)
        called_for = move is None and _called_for(message, skill, progress)
        if not called_for or self.rng.random() >= self.sizes["missing"]:
            return "", ""
        items = [item for item in talk.bank.missing if item.skill == skill]
        items = [item for item in items if item.suggestion not in {*self.asked, *self.heard}]
        if not items:
            return "", ""
        unsaid = [item for item in items if item.add not in self.said] or items
        add = self.distinct(message.mended, [item.add for item in unsaid])
        missing = next(item for item in unsaid if item.add == add)
        self.asked.add(missing.suggestion)
        return missing.suggestion, message.completed(add)

    def state_advice(self, talk: Talk, message: Message, skill: str) -> tuple[str, str]:
        """Return suggestion and rewrite for a message that seems not mindful, or not confident."""
        lapse = message.find(skill)
        if lapse is not None:
            return self.own_words(lapse), self.calmed(talk, message, skill)
        flawed = (message.failing(skill) or message.doubtful(skill))[0]
        options = advice_on(self.phrases["flawed"][skill], flawed.flaw, len(message.moves) == 1)
        return self.fresh(options), self.calmed(talk, message, skill)

    def mending(self, talk: Talk, message: Message, move: Move) -> tuple[str, str]:
        """Return the suggestion for a poor sentence, and the message with a better one.

        Whoever judges second has words of their own: general ones for the flaw, and another good
        sentence of the bank.
        """
        suggestion = self.own_words(move)
        if suggestion == move.suggestion:
            return suggestion, message.rewritten(move)
        better = self.distinct(message.rewritten(move), _instead_of(talk, message, move))
        return suggestion, message.exchanged(move, better)

    def calmed(self, talk: Talk, message: Message, skill: str) -> str:
        """Return the message without what costs it calm, or confidence.

        Whoever judges second, and would write what the first has written, leaves lapses out and
        takes other good sentences of the bank.
        """
        text = message.calmed(skill)
        if text not in self.heard:
            return text
        poor, kept = message.poor_in(skill), []
        for move in message.moves:
            if move not in poor:
                kept.append(move.text)
            elif more := _instead_of(talk, message, move):
                kept.append(self.distinct(text, more))
        return " ".join(kept) or text

    def own_words(self, move: Move) -> str:
        """Return the suggestion of the bank, or general words if somebody has written it before."""
        general = self.phrases["second"].get(move.flaw, ())
        if move.suggestion in self.heard and general:
            return self.fresh(general)
        return move.suggestion or ""

    def fresh(self, options: Sequence[str]) -> str:
        """Return an option not yet used in the conversation, of those the one used least."""
        others = [option for option in options if option not in self.heard]
        left = [option for option in others if option not in self.said] or others or list(options)
        chosen = min(self.rng.sample(left, len(left)), key=lambda option: self.used[option])
        self.used[chosen] += 1
        return chosen

    def completed(self, talk: Talk, message: Message, skill: str) -> str:
        """Return the message with a sentence added that uses the skill."""
        first = message is talk.messages[0]
        items = [
            item for item in talk.bank.missing if item.skill == skill and not (first and item.reply)
        ]
        unsaid = [item.add for item in items if item.add not in self.said]
        text = message.mended
        return f"{text} {self.distinct(text, unsaid or [item.add for item in items])}"

    def distinct(self, text: str, options: Sequence[str], said: Collection[str] = ()) -> str:
        """Return the option that repeats the fewest words of a text.

        Better none of ``said``, and none that somebody else has written about the same message.
        """
        words, numbers, heard = _words(text), _numbers(text), " ".join(self.heard)
        chosen = min(
            self.rng.sample(options, len(options)),
            key=lambda option: (
                len(words & _words(option)) / max(1, len(_words(option)))
                + 0.25 * (option in said)
                + 0.5 * (option in heard)
                + 0.3 * bool(numbers & _numbers(option))
            ),
        )
        self.said.add(chosen)
        return chosen


def advice_on(
    advice: Mapping[str, Sequence[str]], flaw: str | None, alone: bool = False
) -> list[str]:
    """Return the advice that fits any flaw, and what fits this kind.

    What speaks of the rest of the message ("part") doesn't fit a sentence that stands ``alone``.

    Examples
    --------
    >>> advice = {"any": ["Calm."], "part": ["Drop it."], "pressure": ["Ask."]}
    >>> advice_on(advice, "threat")
    ['Calm.', 'Drop it.', 'Ask.']
    >>> advice_on(advice, "judgement", alone=True)
    ['Calm.']
    """
    kinds = [kind for kind, flaws in TONES_OF.items() if flaw in flaws and kind in advice]
    if "dropping" in kinds:
        return list(advice["dropping"])  # nothing is sharp in it
    parts = () if alone else ("part",)
    return [text for kind in ("any", *parts, *kinds) for text in advice.get(kind, ())]


def lacking(message: Message, move: Move) -> bool:
    """Return whether a good sentence lacks something in this message.

    A feeling without its cause lacks nothing beside a sentence that tells what happened.
    """
    if move.lacks == "cause":
        return message.find("describe") is None
    return move.lacks is not None


def threatened(message: Message, skill: str) -> bool:
    """Return whether an ultimatum stands where a gain could: a threat is a weak reinforcement."""
    return skill == "reinforce" and message.with_flaw(("ultimatum",)) is not None


def could_hold(message: Message, skill: str) -> bool:
    """Return whether a skill that no move uses could be read into a message.

    Facts can be read into a feeling that has an occasion and into an old grudge, a feeling into a
    sentence with an edge. A request is read into an offer, a gain or an ultimatum, a
    gain into an offer, an offer into a promise; no goodwill is read into a sharp message.
    """
    if skill == "describe":
        felt = message.find("express")
        told = felt is not None and felt.strength == "strong" and _WHEN.search(felt.text)
        return bool(told or message.where(("grudge",), ()))
    if skill == "express":
        hinted = message.where(HINTING, ())
        return any(move.sound in ("sharp", "edged") for move in hinted)
    if message.where(DROPPING, ()):
        return False
    gain, offer = message.find("reinforce"), message.find("negotiate")
    if skill == "assert":
        return any(
            move is not None and (move.strength == "strong" or move.flaw == "ultimatum")
            for move in (gain, offer)
        )
    if message.failing("mindful"):
        return False
    if skill == "reinforce":
        return offer is not None and offer.strength == "strong"
    return gain is not None and gain.strength == "strong" and bool(_OFFERS.search(gain.text))


_WHEN = re.compile(r"\b(when|while|on (Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)\b")
"""Says on what occasion something is felt."""
_OFFERS = re.compile(r"^(If|When) .*\b(I('ll| will) (?!be)|I can\b)")
"""Promises something in return."""


def _more_of(talk: Talk, message: Message, skill: str) -> list[str]:
    """Return good sentences of the talk's bank that use a skill and aren't in the message.

    A sentence that lacks something itself makes no good example.
    """
    moves = [
        move
        for move in talk.bank.moves
        if move.skill == skill
        and move.strength == "strong"
        and move.state is None
        and move.lacks is None
    ]
    texts = [move.text for move in moves]
    texts += [item.add for item in talk.bank.missing if item.skill == skill]
    return [text for text in texts if text not in message.text]


def _instead_of(talk: Talk, message: Message, move: Move) -> list[str]:
    """Return good sentences that can stand in a move's place, not only after another one."""
    more = _more_of(talk, message, move.skill or "")
    added = {item.add for item in talk.bank.missing}
    return [text for text in more if text not in added] or more


def _words(text: str) -> set[str]:
    """Return the longer words of a text, small, without their endings."""
    return {word[:5] for word in re.findall(r"[a-z0-9']+", text.lower()) if len(word) > 3}


def _numbers(text: str) -> set[str]:
    """Return the numbers of a text, as they are written in digits."""
    return set(re.findall(r"\d[\d.:]*\b", text))


def _called_for(message: Message, skill: str, progress: float) -> bool:
    """Return whether an absent skill could be asked for at this point of a conversation."""
    if skill == "assert" and (message.find("negotiate") or threatened(message, "reinforce")):
        return False  # what is wanted can be seen
    if skill in ("describe", "express"):
        return progress < 0.35
    if skill in ("reinforce", "negotiate"):
        return progress > 0.4
    return True
