"""Puts narratives together from the parts of the bank, and the interview that led to them."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from carebook.practice.banks import Feeling, Situation, needs_somebody
from carebook.practice.dealing import Deal
from carebook.practice.model import EITHER_SIDE, Reaction
from carebook.practice.wording import reworded
from carebook.vocabulary import DIMENSIONS, LABELS, POSITIVE_LABELS

ORDERS = (
    ("event", "context", "goal", "feeling"),
    ("event", "goal", "context", "feeling"),
    ("event", "context", "feeling", "goal"),
    ("event", "feeling", "context", "goal"),
)
"""The event comes first: context, goal and feeling refer to the people and things that it names."""

CAN_FOLLOW = frozenset(("I", "It", "There", "My", "Something", "Everything", "A"))
"""First words of a feeling sentence that can stand after "And"."""

RELEVANCE = DIMENSIONS.index("relevance.general")
MOST_STOCK = 2
"""General sentences that a feeling passage may hold, to keep two stories of one event apart."""

ANGRY = "Angry, frustrated, annoyed"
SYMPATHY = "Sympathy, concern, compassion"
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

ANY_EVENT = frozenset(
    (
        "Hopeful, optimistic, encouraged",
        "Grateful, appreciative, thankful",
        "Glad, happy, joyful",
        "Angry, frustrated, annoyed",
        "Worried, nervous, fearful",
        "Sad, downhearted, unhappy",
        "Confused, disoriented, surprised",
    )
)
"""Groups that a reader believes of any event on their side, also where the bank has no passage."""

GRAVE = frozenset(("bereavement", "illness", "injury", "pregnancy loss", "pet loss"))
"""Themes beside which a general sentence about something good sounds odd."""

STRONG = re.compile(
    r"(?i)\b(raging|so|very|really|deeply|properly|sheer|totally|full|sick|great|truly|super|pure|"
    r"much|days|couldn't|could not|furious|no end|hardly|sincere|considerabl[ey])\b"
)
"""Such a word is too big for a feeling that was rated slight."""
NAMELESS = re.compile(r"(?i)\b(name|word|call|say|tell)\b")
"""Who ticks a group doesn't say, in a sentence with such a word, that no name can be found."""
FIERCE = re.compile(
    r"(?i)\b(in years|so \w+ (that|I)|so (angry|mad|sad|proud|scared|ashamed|happy|glad)|never|"
    r"furious|outraged|livid|indignant|raging|seething|boiling|hopping mad|couldn't|could not|"
    r"can't|cannot|shak\w+|shook|scream\w*|cried|cry|crying|wept|weep|howl\w*|hate\w*|wild|sick|"
    r"whole (body|night|day|evening|week)|all (night|day|week)|awake|sleep|slept|nights|stomach|"
    r"for (days|weeks|months)|burning|worst|unbearable|terrified|terribly|heart|tears?|throat)\b|!"
)
"""In a passage such words are too big for a slight feeling, and for an event of little matter."""
MILD = re.compile(
    r"(?i)\b(a bit|bit|a little|slightly|mildly|somewhat|a touch|not much|faintly|at "
    r"least|fairly|moderately|nothing grand|some thanks|slight|small)\b"
)
"""Such a word is too small for a feeling that was rated more than slight."""
LAUGHED = re.compile(r"(?i)\b(laugh|howl|giggl|cried|scream)")
"""After such a word somebody who names no feeling has to say "all the same"."""
LEADS, ADDS = 2, 4
"""How far the other side may be stronger (0-6) until a feeling can't lead, or can't be added."""
SLIGHT = 2
"""Intensity (0-6) up to which a feeling is slight."""
MIGHTY = 3
"""Intensity (0-6) from which on it is more than that."""

FeelingKey = tuple
"""("bank", 2): the situation's third passage; ("phrase", label, 0, ...): general sentences."""

Told = Counter
"""How often each general sentence was used before: (label, voice, number) -> times."""


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
    rng: Random,
    noise: float,
    situation: Situation,
    reaction: Reaction,
    phrases: Mapping,
    told: Told,
) -> list[FeelingKey]:
    """Return the feelings that a writer's ratings allow, best fit first.

    A passage of the situation's own may be used if the writer ticked the first group that it
    voices, the one it names, and if the ratings deny none of the others. General sentences about
    the strongest groups come last, those first that were told least often. A side that was felt
    very slightly, or that the other drowns, gets no voice, and who names no feeling says so.
    """
    felt = {label: reaction.emotions[i] + rng.gauss(0, noise) for i, label in enumerate(LABELS)}
    bank = phrases["feelings"]
    ticked = [
        label
        for i, label in enumerate(LABELS)
        if reaction.labels[i] and _heard(label, reaction) and _fitting(situation, label, bank)
    ]
    own = [
        (-math.fsum(felt[label] for label in passage.labels) / len(passage.labels), k)
        for k, passage in enumerate(situation.feelings)
        if _allowed(passage.labels, reaction)
    ]
    lifted = situation.tone == "unpleasant" and reaction.levels[0] > reaction.levels[1]
    if lifted:
        # Who feels better than worse, after all, doesn't tell of the worse.
        good = [label for label in ticked if label in POSITIVE_LABELS]
        own = [(fit, k) for fit, k in own if situation.feelings[k].labels[0] in POSITIVE_LABELS]
        ticked = good or ticked
    wishes: list[FeelingKey] = []
    fierce: list[FeelingKey] = []
    for _, k in sorted(own):
        (fierce if _too_fierce(situation.feelings[k], reaction) else wishes).append(("bank", k))
    near = situation.voiced
    ticked.sort(key=lambda label: (label not in near, _unlikely(situation, label), -felt[label]))
    grave = bool(GRAVE & set(situation.themes))
    likely = [label for label in ticked if not _unlikely(situation, label)]
    likely = likely or ticked[: not grave]
    strongest = _without_clashes(likely)[:3]
    silent = "numb" if reaction.ratings[RELEVANCE] >= 3 else "none"
    general = _general(rng, strongest or [silent], situation, bank, told, reaction)
    return [*wishes, *general, *fierce]


def _too_fierce(passage: Feeling, reaction: Reaction) -> bool:
    """Return whether a passage is too fierce for a feeling, or an event, that was rated slight."""
    return _slight(passage.labels[0], reaction) and bool(FIERCE.search(passage.text))


def _slight(label: str, reaction: Reaction) -> bool:
    """Return whether a group's side was felt slightly, or about something that mattered little."""
    level = reaction.levels[label not in POSITIVE_LABELS]
    return level <= SLIGHT or reaction.ratings[RELEVANCE] <= 2


def _fitting(situation: Situation, label: str, bank: Mapping) -> list[int]:
    """Return the numbers of a group's general sentences that the event allows.

    Nobody feels close to a letter: a sentence about somebody needs an event with somebody in it.
    """
    return [
        number
        for number, text in enumerate(bank[label][situation.voice])
        if situation.near or not needs_somebody(label, text)
    ]


def _unlikely(situation: Situation, label: str, alone: bool = True) -> bool:
    """Return whether a reader wouldn't expect a general sentence about this group of the event.

    A sentence that stands ``alone`` can't say why there was something good in a bad event. It can
    follow a passage of the bank, if other passages voice the group and nothing grave happened.
    """
    good = label in POSITIVE_LABELS
    if label == EITHER_SIDE:
        return False
    if good and situation.tone != "pleasant":
        grave = GRAVE & set(situation.themes)
        unhappy = alone and situation.tone == "unpleasant"
        return unhappy or bool(grave) or label not in situation.voiced
    if situation.tone == "pleasant" and (not good or label == SYMPATHY):
        return True
    if situation.tone == "mixed" and label == ANGRY:
        return label not in situation.voiced
    return label not in situation.voiced and label not in ANY_EVENT


def _heard(label: str, reaction: Reaction, drowned: int = LEADS) -> bool:
    """Return whether a group's side is felt enough to be told: more than very slightly, and not
    drowned by the other side."""
    side = 0 if label in POSITIVE_LABELS else 1
    own, other = reaction.levels[side], reaction.levels[1 - side]
    return own >= 2 and own > other - drowned


def _without_clashes(labels: Sequence[str], voiced: Sequence[str] = ()) -> list[str]:
    """Return the groups without those that a person can't well name next to an earlier one."""
    kept: list[str] = []
    for label in labels:
        said = {label, *voiced, *kept}
        if not (CALM in said and said & RESTLESS and (label == CALM or label in RESTLESS)):
            kept.append(label)
    return kept


def _allowed(labels: Sequence[str], reaction: Reaction) -> bool:
    ticked = [reaction.labels[LABELS.index(label)] for label in labels]
    if not ticked[0]:
        return False
    for label, is_ticked in zip(labels, ticked, strict=True):
        side = 0 if label in POSITIVE_LABELS else 1
        nearly = reaction.emotions[LABELS.index(label)] > -0.7 and reaction.levels[side] >= 2
        heard = _heard(label, reaction, LEADS if label == labels[0] else ADDS)
        if not heard or not (is_ticked or nearly):
            return False
    return True


def _general(
    rng: Random,
    labels: Sequence[str],
    situation: Situation,
    bank: Mapping,
    told: Told,
    reaction: Reaction,
) -> list[FeelingKey]:
    """Return keys of general sentences: two groups where there are two, in several wordings."""
    pairs = [labels[:2], labels[1:3], labels[:1]] if len(labels) > 1 else [labels]
    result = []
    for pair in pairs:
        # "All the same, I was glad. But also I was sad." turns twice: the sad goes first.
        names = sorted(pair, key=lambda x: situation.tone == "mixed" and x in POSITIVE_LABELS)
        wordings = [_least_told(rng, name, situation, bank, told, reaction) for name in names]
        for turn in range(len(wordings[0])):
            key: FeelingKey = ("phrase",)
            said: frozenset[str] = frozenset()
            for name, order in zip(names, wordings, strict=True):
                texts = bank[name][situation.voice]
                turned = [order[(turn + k) % len(order)] for k in range(len(order))]
                chosen = _least_alike(turned, texts, said, name, reaction)
                said |= _habits(texts[chosen])
                key += (name, chosen)
            result.append(key)
    return result


def _habits(text: str) -> frozenset[str]:
    """Return what reads like a form if the next sentence has it, too: how each sentence begins, and
    its small words for how much (another wording may turn "a bit" into "a little").

    Examples
    --------
    >>> sorted(_habits("I was slightly cross. It left me a little sad."))
    ['a bit', 'i was', 'it left', 'slightly']
    """
    begun = {" ".join(sentence.lower().split()[:2]) for sentence in sentences(text)}
    small = {match[0].lower().replace("a little", "a bit") for match in MILD.finditer(text)}
    return frozenset(begun | small)


def _least_alike(
    order: Sequence[int],
    texts: Sequence[str],
    said: frozenset[str],
    label: str,
    reaction: Reaction,
) -> int:
    """Return which of a group's general sentences has least in common with what was said."""
    return min(
        order, key=lambda k: (_misses(label, texts[k], reaction), len(said & _habits(texts[k])))
    )


def _misses(label: str, text: str, reaction: Reaction) -> bool:
    """Return whether a general sentence is too big for what was rated slight, too small for what
    was more, or says "I have no word for it" where a group was ticked."""
    if label not in LABELS:
        return any(reaction.labels) and bool(NAMELESS.search(text))
    if _slight(label, reaction):
        return bool(STRONG.search(text) or FIERCE.search(text))
    mighty = reaction.levels[label not in POSITIVE_LABELS] >= MIGHTY
    return mighty and bool(MILD.search(text))


def _least_told(
    rng: Random,
    label: str,
    situation: Situation,
    bank: Mapping,
    told: Told,
    reaction: Reaction,
) -> list[int]:
    """Return the numbers of a group's fitting general sentences, those told least first and those
    that miss the strength of the feeling last."""
    voice, fitting = situation.voice, _fitting(situation, label, bank)
    texts = bank[label][voice]
    slight = label in LABELS and _slight(label, reaction)
    return sorted(
        rng.sample(fitting, len(fitting)),
        key=lambda k: (
            _misses(label, texts[k], reaction),
            slight and not MILD.search(texts[k]),
            told[label, voice, k],
        ),
    )


def stock_in(feeling: FeelingKey, voice: str) -> list[tuple[str, str, int]]:
    """Return the general sentences of a feeling as (label, voice, number), none for a passage."""
    if feeling[0] != "phrase":
        return []
    return [(x, voice, k) for x, k in zip(feeling[1::2], feeling[2::2], strict=True)]


def stock_of(story: "Story") -> list[tuple[str, str, int]]:
    """Return the general sentences of a story: those of its feeling, and those added to it."""
    voice = story.situation.voice
    added = [(label, voice, number) for label, number in story.also]
    return list(dict.fromkeys((*stock_in(story.deal[3], voice), *added)))


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
        frames = None
        if first[0] in LABELS and _unlikely(situation, first[0]):
            frames = phrases["turns"]["feeling_odd"][situation.voice]
        elif first[0] in POSITIVE_LABELS and situation.tone == "mixed":
            frames = phrases["turns"]["feeling_still"][situation.voice]
        elif first[0] not in LABELS and LAUGHED.search(situation.event[event]):
            frames = phrases["turns"]["feeling_silent"][situation.voice]
        if frames:
            text = frames[first[1] % len(frames)].replace("{b}", begun_small(text))
        text = in_manner(situation, text)
        voiced = (first[0],) if first[0] in LABELS else ()
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
        voiced=tuple(dict.fromkeys((*voiced, *(label for label, _ in also)))),
        text=" ".join(stopped(parts[name]) for name in ORDERS[order]),
    )


def _turns(said: Sequence[str], label: str) -> bool:
    """Return whether everything said so far is on the other side than this group."""
    side = label in POSITIVE_LABELS
    clear = [x for x in said if x != EITHER_SIDE]
    return (
        label != EITHER_SIDE and bool(clear) and all((x in POSITIVE_LABELS) != side for x in clear)
    )


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
    rng: Random, story: Story, reaction: Reaction, phrases: Mapping, told: Told
) -> list[tuple[str, int]]:
    """Return general sentences that a writer could add, best first.

    They are about groups that the writer ticked and that the event suggests: first those that the
    story doesn't voice yet, then those that a passage of the bank voices. No group is said twice in
    stock sentences, and these shall not outnumber the rest.
    """
    bank, situation = phrases["feelings"], story.situation
    ticked = sorted(
        (label in story.voiced, label not in situation.voiced, -reaction.emotions[i], label)
        for i, label in enumerate(LABELS)
        if reaction.labels[i]
        and _heard(label, reaction, ADDS)
        and not _unlikely(situation, label, not story.voiced)
    )
    stock = [label for label, _, _ in stock_of(story)]
    said = _habits(story.parts["feeling"])
    result = []
    for label in _without_clashes([ranked[-1] for ranked in ticked], story.voiced):
        if label not in stock and _fitting(situation, label, bank):
            texts = bank[label][situation.voice]
            order = _least_told(rng, label, situation, bank, told, reaction)
            chosen = _least_alike(order, texts, said, label, reaction)
            said |= _habits(texts[chosen])
            result.append((label, chosen))
    result = result[: MOST_STOCK - len(stock)]
    # Who has turned from good to bad, or the reverse, doesn't turn back.
    return sorted(result, key=lambda item: _turns(story.voiced, item[0]))


def in_manner(situation: Situation, text: str) -> str:
    """Return a text as the writer of this situation types: some use no capitals.

    Names stay as the writer types them elsewhere: "Jonas", or "jonas".
    """
    if not writes_small(situation):
        return text
    passages = tuple(feeling.text for feeling in situation.feelings)
    own = " ".join((*situation.event, *situation.context, *situation.goal, *passages))
    names, small = _typed_words(own)

    def retyped(word: re.Match) -> str:
        starts = word.start() == 0 or text[word.start() - 2] in ".!?"
        if word[0] in names or not (starts or word[0].lower() in small):
            return word[0]
        return word[0].lower()

    return re.sub(r"\b[A-Z][a-z]*\b", retyped, text)


@lru_cache(maxsize=64)
def _typed_words(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words typed with a capital inside a sentence, and those typed without one."""
    names = re.findall(r"[a-z,;] ([A-Z][a-z]*)\b", text)
    return frozenset((*names, "I")), frozenset(re.findall(r"\b[a-z]+", text))


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
    return any(text[:1].islower() for text in situation.event)


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


@lru_cache(2**12)
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
