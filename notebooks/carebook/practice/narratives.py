"""Puts narratives together from the parts of the bank, and the interview that led to them."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from carebook.practice.banks import Situation
from carebook.practice.dealing import Deal
from carebook.practice.model import Reaction
from carebook.practice.wording import reworded
from carebook.vocabulary import LABELS, POSITIVE_LABELS

ORDERS = (
    ("event", "context", "goal", "feeling"),
    ("event", "goal", "context", "feeling"),
    ("event", "context", "feeling", "goal"),
    ("event", "feeling", "context", "goal"),
)
"""The event comes first: context, goal and feeling refer to the people and things that it names."""

CAN_FOLLOW = frozenset(("I", "It", "There", "My", "Something", "Everything", "A"))
"""First words of a feeling sentence that can stand after "And"."""

MOST_STOCK = 2
"""General sentences that a feeling passage may hold: three of them read like a form."""

CALM = "Calm, peaceful, relaxed"
RESTLESS = frozenset(
    (
        "Excited, enthusiastic, elated",
        "Angry, frustrated, annoyed",
        "Worried, nervous, fearful",
        "Panicked, alarmed, freaked out",
        "Despair, hopelessness, sorrow",
        "Confused, disoriented, surprised",
    )
)
"""Groups that a general sentence doesn't put next to calm."""

FeelingKey = tuple
"""("bank", 2): the situation's third passage; ("phrase", label, 0, ...): general sentences."""


@dataclass(frozen=True)
class Story:
    """One narrative: its parts, the emotion groups it voices, and how it was put together."""

    situation: Situation
    deal: Deal
    turn: int
    also: tuple[tuple[str, int], ...]
    parts: Mapping[str, str]
    voiced: tuple[str, ...]
    text: str


def feeling_wishes(
    rng: Random, noise: float, situation: Situation, reaction: Reaction, phrases: Mapping
) -> list[FeelingKey]:
    """Return the feelings that a writer's ratings allow, best fit first.

    A passage of the situation's own may be used if it voices at least one group that the writer
    ticked and none that the ratings deny. General sentences about the strongest groups come last.
    """
    felt = {label: reaction.emotions[i] + rng.gauss(0, noise) for i, label in enumerate(LABELS)}
    ticked = [label for i, label in enumerate(LABELS) if reaction.labels[i]]
    own = [
        (-math.fsum(felt[label] for label in passage.labels) / len(passage.labels), k)
        for k, passage in enumerate(situation.feelings)
        if _allowed(passage.labels, reaction)
    ]
    wishes: list[FeelingKey] = [("bank", k) for _, k in sorted(own)]
    near = situation.voiced
    ticked.sort(key=lambda label: (label not in near, _against(situation, label), -felt[label]))
    strongest = _without_clashes(ticked)[:3]
    return wishes + _general(rng, strongest, situation.voice, phrases["feelings"])


def _against(situation: Situation, label: str) -> bool:
    """Return whether a group is on the other side than the event."""
    return situation.tone == ("unpleasant" if label in POSITIVE_LABELS else "pleasant")


def _unlikely(situation: Situation, label: str) -> bool:
    """Return whether a reader wouldn't expect this group of such an event."""
    own = "pleasant" if label in POSITIVE_LABELS else "unpleasant"
    return label not in situation.voiced and situation.tone != own


def _without_clashes(labels: Sequence[str], voiced: Sequence[str] = ()) -> list[str]:
    """Return the groups without those that a person can't well name next to an earlier one."""
    kept: list[str] = []
    for label in labels:
        said = {label, *voiced, *kept}
        if not (CALM in said and said & RESTLESS and (label == CALM or label in RESTLESS)):
            kept.append(label)
    return kept


def denied(label: str, reaction: Reaction) -> bool:
    """Return whether the ratings deny a group: nothing of its side is felt at all."""
    side = 0 if label in POSITIVE_LABELS else 1
    return reaction.levels[side] == 0


def _allowed(labels: Sequence[str], reaction: Reaction) -> bool:
    ticked = [reaction.labels[LABELS.index(label)] for label in labels]
    if not any(ticked):
        return False
    for label, is_ticked in zip(labels, ticked, strict=True):
        side = 0 if label in POSITIVE_LABELS else 1
        nearly = reaction.emotions[LABELS.index(label)] > -0.7 and reaction.levels[side] >= 2
        if denied(label, reaction) or not (is_ticked or nearly):
            return False
    return True


def _general(rng: Random, labels: Sequence[str], voice: str, bank: Mapping) -> list[FeelingKey]:
    """Return keys of general sentences: two groups where there are two, in several wordings."""
    if not labels:
        choices = bank["none"][voice]
        order = rng.sample(range(len(choices)), len(choices))
        return [("phrase", "none", k) for k in order]
    pairs = [labels[:2], labels[1:3], labels[:1]] if len(labels) > 1 else [labels]
    result = []
    for names in pairs:
        wordings = [
            rng.sample(range(len(bank[name][voice])), len(bank[name][voice])) for name in names
        ]
        for turn in range(len(wordings[0])):
            key: FeelingKey = ("phrase",)
            for name, order in zip(names, wordings, strict=True):
                key += (name, order[turn % len(order)])
            result.append(key)
    return result


def tell(
    situation: Situation,
    deal: Deal,
    phrases: Mapping,
    turn: int = 0,
    turns: int = 1,
    also: Sequence[tuple[str, int]] = (),
) -> Story:
    """Return the story that a deal of the situation's variants gives.

    Parameters
    ----------
    turn, turns : int
        How often the event's variant was told before, and how often it is told in all: see
        `wording.reworded`.
    also : sequence of (label, number)
        General sentences that the writer adds to the feeling passage.
    """
    event, context, goal, feeling, order = deal
    if feeling[0] == "bank":
        passage = situation.feelings[feeling[1]]
        text, voiced = passage.text, passage.labels
    else:
        first, *rest = zip(feeling[1::2], feeling[2::2], strict=True)
        also = (*rest, *also)
        text = phrases["feelings"][first[0]][situation.voice][first[1]]
        if first[0] != "none" and _unlikely(situation, first[0]):
            odd = phrases["turns"]["feeling_odd"][situation.voice]
            text = odd[first[1] % len(odd)].replace("{b}", begun_small(text))
        text = in_manner(situation, text)
        voiced = () if first[0] == "none" else (first[0],)
    said = list(voiced)
    for label, number in also:
        sentence = phrases["feelings"][label][situation.voice][number]
        frames = phrases["turns"]["feeling_but" if _turns(said, label) else "feeling_too"]
        text = _and_also(situation, text, sentence, frames[situation.voice], number)
        said.append(label)
    written = {
        "event": situation.event[event],
        "goal": situation.goal[goal],
        "feeling": text,
        "context": situation.context[context],
    }
    parts = {name: reworded(text, situation.voice, turn, turns) for name, text in written.items()}
    return Story(
        situation=situation,
        deal=deal,
        turn=turn,
        also=tuple(also),
        parts=parts,
        voiced=tuple(dict.fromkeys((*voiced, *(label for label, _ in also if label != "none")))),
        text=" ".join(stopped(parts[name]) for name in ORDERS[order]),
    )


def _turns(said: Sequence[str], label: str) -> bool:
    """Return whether everything said so far is on the other side than this group."""
    side = label in POSITIVE_LABELS
    return label != "none" and bool(said) and all((x in POSITIVE_LABELS) != side for x in said)


def _and_also(
    situation: Situation, text: str, sentence: str, frames: Sequence[str], number: int
) -> str:
    """Return a feeling passage with one more general sentence."""
    fresh = [frame for frame in frames if frame.split("{")[0] not in text or frame == "{B}"]
    options = fresh or list(frames)
    frame = options[(number + len(text)) % len(options)]
    if sentence.split()[0] not in CAN_FOLLOW and not frame.endswith(": {b}"):
        frame = "{B}"
    added = frame.replace("{b}", begun_small(sentence)).replace("{B}", sentence)
    return f"{stopped(text)} {in_manner(situation, added)}"


def more_feelings(
    rng: Random, story: Story, reaction: Reaction, phrases: Mapping
) -> list[tuple[str, int]]:
    """Return general sentences that a writer could add, best first.

    They are about groups that the writer ticked: first those that the story doesn't voice yet, and
    of those the ones that the event suggests; then those that a passage of the bank voices. No
    group is said twice in stock sentences, and these shall not outnumber the rest.
    """
    bank, voice = phrases["feelings"], story.situation.voice
    ticked = [
        (label in story.voiced, label not in story.situation.voiced, -reaction.emotions[i], label)
        for i, label in enumerate(LABELS)
        if reaction.labels[i]
    ]
    feeling = story.deal[3]
    stock = list(zip(feeling[1::2], feeling[2::2], strict=True)) if feeling[0] == "phrase" else []
    result = []
    for label in _without_clashes([ranked[-1] for ranked in sorted(ticked)], story.voiced):
        if all(label != said for said, _ in stock):
            result.append((label, rng.randrange(len(bank[label][voice]))))
    return result[: MOST_STOCK - len(stock)]


def in_manner(situation: Situation, text: str) -> str:
    """Return a sentence as the writer of this situation types: some use no capitals."""
    if not writes_small(situation):
        return text
    return ". ".join(begun_small(sentence) for sentence in text.split(". "))


def begun_small(sentence: str) -> str:
    """Return a sentence with a small first letter, unless it begins with "I".

    Examples
    --------
    >>> begun_small("It rained."), begun_small("I'm wet.")
    ('it rained.', "I'm wet.")
    """
    if re.match(r"I\b", sentence):
        return sentence
    return sentence[:1].lower() + sentence[1:]


def writes_small(situation: Situation) -> bool:
    """Return whether the texts of a situation start their sentences with small letters."""
    return situation.event[0][:1].islower()


def stopped(text: str) -> str:
    """Return the text with a full stop if it ends in a letter or digit, or in such a quotation.

    Examples
    --------
    >>> stopped("then we went home")
    'then we went home.'
    >>> stopped('he said "ok"')
    'he said "ok".'
    """
    return text + "." if re.search(r"\w[\"'\u2019\u201d]?$", text) else text


def sentences(text: str) -> list[str]:
    """Split a text into sentences at a stop that a capital letter or a quote follows.

    Examples
    --------
    >>> sentences('She left. "Wait," I said. It was 3.30 p.m. by then.')
    ['She left.', '"Wait," I said.', 'It was 3.30 p.m. by then.']
    """
    pieces, start = [], 0
    for i in range(len(text) - 2):
        ends = text[i] in ".!?" or (text[i] in "\"'\u2019\u201d" and text[i - 1] in ".!?")
        follows = text[i + 2].isupper() or text[i + 2] in "\"'\u2018\u201c"
        if ends and text[i + 1] == " " and follows:
            pieces.append(text[start : i + 1])
            start = i + 2
    pieces.append(text[start:])
    return pieces


def beginning(text: str) -> str:
    """Return the first sentences of a text, as many as make ten words.

    Examples
    --------
    >>> beginning("Late. It rained all day and the bus never came. We walked.")
    'Late. It rained all day and the bus never came.'
    """
    taken: list[str] = []
    for sentence in sentences(text):
        taken.append(sentence)
        if len(" ".join(taken).split()) >= 10:
            break
    return " ".join(taken)


def story_record(rng: Random, story: Story, phrases: Mapping) -> dict:
    """Return the ``story_collection`` object of a record."""
    return {
        "final_scenario": story.text,
        "summary_answers": {
            name: story.parts[name] for name in ("event", "goal", "feeling", "context")
        },
        "chat_history": _interview(rng, story, phrases),
    }


def _interview(rng: Random, story: Story, phrases: Mapping) -> list[list[str]]:
    """Return the dialogue: what happened, what was wanted, how it felt, what else matters."""
    asks, turns = phrases["interviewer"], phrases["turns"]["story"]
    voice = story.situation.voice
    history = [["ai", rng.choice(asks["open"])]]

    def say(name: str, text: str) -> None:
        lead = rng.choice(turns[name][voice])
        history.append(["human", in_manner(story.situation, lead) + text])

    pieces = sentences(story.parts["event"])
    if len(pieces) > 2 and rng.random() < 0.55:
        middle = (len(pieces) + 1) // 2
        say("event", " ".join(pieces[:middle]))
        history.append(["ai", rng.choice(asks["more"])])
        history.append(["human", " ".join(pieces[middle:])])
    else:
        say("event", story.parts["event"])
    middle_parts = ["goal", "feeling"]
    rng.shuffle(middle_parts)
    for name in (*middle_parts, "context"):
        history.append(["ai", rng.choice(asks[name])])
        say(name, story.parts[name])
    history.append(["ai", rng.choice(asks["confirm"])])
    history.append(["human", rng.choice(turns["confirm"][voice])])
    history.append(["ai", rng.choice(asks["close"])])
    return history
