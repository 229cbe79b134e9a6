"""The text banks: situations, conversations and phrases that a teacher can read and extend.

A bank is a folder of TOML files beside the code. This module reads them into small frozen objects
and says what is wrong with an entry: which file, which entry, which field, what stands there and
what to do. A *fault* makes an entry unusable, a *note* is about style and stops nothing.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from carebook.vocabulary import (
    CATEGORIES,
    DIMENSIONS,
    LABELS,
    SKILLS,
    STRENGTH_SKILLS,
)

VOICES = ("plain", "terse", "rambling", "formal", "young", "second-language")
TONES = ("pleasant", "unpleasant", "mixed")
THEMES = (
    "bereavement",
    "illness",
    "injury",
    "relationship breakdown",
    "job loss",
    "money trouble",
    "discrimination",
    "conflict",
    "pregnancy loss",
    "pet loss",
    "anxiety",
    "addiction",
)
REASONS = (
    "mattered",
    "mattered_little",
    "helped",
    "harmed",
    "self",
    "other",
    "circumstances",
    "in_control",
    "no_control",
    "expected",
    "unexpected",
)
FLAWS = {
    "describe": ("judgement", "exaggeration", "mind-reading", "vague"),
    "express": ("you-statement", "hinted", "overblown", "thought-not-feeling"),
    "assert": ("hint", "question", "vague", "demand"),
    "reinforce": ("threat", "vague", "bribe"),
    "negotiate": ("gives-in", "ultimatum", "no-offer"),
    "not mindful": ("attack", "grudge", "detour"),
    "not confident": ("apology", "takes-back"),
}
MOVE_TONES = ("sharp", "edged", "calm", "meek", "yielding")
"""From an attack to a request taken back; what lies between an attack and calm has an edge."""
TONE_OF_FLAW = {
    **dict.fromkeys(("attack", "grudge", "detour", "threat", "ultimatum"), "sharp"),
    **dict.fromkeys(("judgement", "you-statement", "mind-reading"), "sharp"),
    **dict.fromkeys(("exaggeration", "demand", "question", "thought-not-feeling"), "edged"),
    **dict.fromkeys(("hint", "bribe"), "meek"),
    **dict.fromkeys(("apology", "takes-back", "gives-in"), "yielding"),
}
"""How a sentence with a flaw sounds unless the bank says otherwise; the other flaws are calm."""
BARE = ("ultimatum", "no-offer")
"""Flaws with which a sentence may be no use of its skill."""
LACKS = {
    "describe": ("event", "once"),
    "express": ("cause", "picture", "small"),
    "assert": ("side", "wish"),
    "reinforce": ("mine", "relief"),
    "negotiate": ("aim",),
}
"""What a strict reader may miss in a good use: see ``stricter`` in ``phrases/experts.toml``."""
_HOLDS_THREAT = re.compile(r"\bor (you|I|else|we|they)\b|\bsee how you like\b")
_TOPIC_ONLY = re.compile(r"(?i)\b(talk about|asking about|a chance|somehow)\b[^.?]*[.?]$")
_SPEAKS_OF_MORE = re.compile(
    r"(?i)speaks? for themselves|\byou had them\b|all the preparation|\byou've told\b|"
    r"\bhe only (ever|hears)\b"
)
"""Advice mustn't build on what the message may not hold."""
NEEDS_SOMEBODY = ("Love, closeness, trust", "Sympathy, concern, compassion")
"""Groups that are felt for somebody: a situation that voices one says in ``near`` for whom."""
_OTHERS = re.compile(
    r"(?i)\b(affection|attached|close|closer|closeness|fond|loved?|near to|tenderness|the others|"
    r"them|how people|of people|that people)\b"
)
"""Such words in a general sentence are about somebody, whatever the group."""
LEAST_MOVES = {"describe": 3, "express": 3, "assert": 3, "reinforce": 2, "negotiate": 2}

WORDS = {"event": (35, 60), "goal": (18, 35), "context": (22, 40), "feeling": (18, 35)}
VOICE_LENGTH = {"terse": (0.45, 0.75), "rambling": (0.9, 1.4)}
SLACK = 0.25

PARTS = ("event", "context", "goal")
_FIRST_OR_SECOND_PERSON = re.compile(
    r"\b(I|us|(?i:me|my|mine|myself|we|our|ours|(?<!thank[ -])you|your|yours))\b"
)
SLOTS: Mapping[str, tuple[str, str]] = {
    "I": ("I", "they"),
    "we": ("we", "they"),
    "me": ("me", "them"),
    "us": ("us", "them"),
    "my": ("my", "their"),
    "our": ("our", "their"),
    "mine": ("mine", "theirs"),
    "myself": ("myself", "themselves"),
    "ourselves": ("ourselves", "themselves"),
    "am": ("am", "are"),
    "was": ("was", "were"),
}
"""Word in braces that a reason may hold -> what a writer says there, and what an observer."""
_SLOT = re.compile(r"\{(\w*)\}")
_REPLY = re.compile(r"(I hear|I see (that|how)|That may|Thank|Yes,|Fair enough|You've got a point)")
"""What somebody says who has just been answered."""
_FEELS = re.compile(
    r"\b(feel|felt|I'm|I am|I was|I get|I become|I like|I love|I miss|I enjoy|I find it hard|"
    r"I worry|makes me|hurts me)\b"
)
"""One of these stands in a sentence in which somebody says what they feel."""
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class BankProblem:
    """One thing that is wrong with a bank entry; ``str(problem)`` is one line."""

    file: str
    entry: str
    field: str
    wrong: str
    advice: str
    fault: bool = True

    def __str__(self) -> str:
        kind = "" if self.fault else "(style) "
        return f"{kind}{self.file}: {self.entry}: {self.field}: {self.wrong} - {self.advice}"


class BankError(ValueError):
    """The text banks can't be used as they are; ``problems`` holds every fault found."""

    def __init__(self, problems):
        self.problems = tuple(problems)
        lines = [str(problem) for problem in self.problems[:20]]
        more = len(self.problems) - len(lines)
        if more > 0:
            lines.append(f"... and {more} more ({len(self.problems)} problems in all)")
        lines.append("Mend these entries, then run: python -m carebook practice --check-banks")
        super().__init__("\n".join(lines))


@dataclass(frozen=True)
class Feeling:
    """A passage about how it felt, and the emotion groups that it voices."""

    labels: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Misreading:
    """What an outside reader might wrongly take from the text, and how that moves their ratings."""

    text: str
    shift: Mapping[str, float]


@dataclass(frozen=True)
class Situation:
    """One written situation with its variants, its profile and the reasons people may give."""

    id: str
    walk: str
    tone: str
    themes: tuple[str, ...]
    voice: str
    headline: str
    near: str
    event: tuple[str, ...]
    context: tuple[str, ...]
    goal: tuple[str, ...]
    feelings: tuple[Feeling, ...]
    profile: tuple[float, ...]
    reasons: Mapping[str, tuple[str, ...]]
    misreadings: tuple[Misreading, ...]

    @property
    def voiced(self) -> frozenset[str]:
        """Emotion groups that some feeling passage of the situation voices."""
        return frozenset(label for feeling in self.feelings for label in feeling.labels)

    @property
    def named(self) -> frozenset[str]:
        """Emotion groups that some feeling passage of the situation names first."""
        return frozenset(feeling.labels[0] for feeling in self.feelings)


@dataclass(frozen=True)
class Move:
    """A building block of a message: the use of a skill, or a lapse.

    ``tone`` is written where a sentence sounds otherwise than its flaw leads one to expect,
    ``lacks`` where a strict reader misses something in a good sentence, ``bare`` where a poor one
    may be no use of its skill (a verdict without any fact).
    """

    skill: str | None
    strength: str | None
    state: str | None
    flaw: str | None
    text: str
    suggestion: str | None
    rewrite: str | None
    tone: str | None = None
    lacks: str | None = None
    bare: bool = False

    @property
    def sound(self) -> str:
        """How the sentence sounds: what the bank says, or else what its flaw is like."""
        return self.tone or TONE_OF_FLAW.get(self.flaw or "", "calm")

    @property
    def may_be_none(self) -> bool:
        """Whether a strict reader of the manual may see no use of the skill in it at all."""
        return self.bare or self.flaw in BARE


@dataclass(frozen=True)
class Missing:
    """What an expert would add where a skill is absent; ``reply``: it answers the other person."""

    skill: str
    suggestion: str
    add: str
    reply: bool = False


@dataclass(frozen=True)
class Conversation:
    """One difficult conversation: its description, the moves to speak and what may be missing."""

    id: str
    category: str
    themes: tuple[str, ...]
    situations: tuple[str, ...]
    partner: str
    moves: tuple[Move, ...]
    missing: tuple[Missing, ...]


@dataclass(frozen=True)
class Banks:
    """Everything that texts are made of."""

    situations: tuple[Situation, ...]
    conversations: tuple[Conversation, ...]
    phrases: Mapping[str, Mapping]
    small_words: frozenset[str] = frozenset()
    particulars: Mapping[str, frozenset[str]] = field(default_factory=dict)


def data_folder() -> Path:
    """Return the folder of the package that holds banks, worlds and the sign table.

    Examples
    --------
    >>> data_folder().name
    'data'
    """
    return Path(__file__).resolve().parents[1] / "data"


def read_banks(folder: Path | None = None) -> Banks:
    """Read every bank under a folder (default: the package's own).

    Parameters
    ----------
    folder : Path, optional
        Holds ``situations``, ``conversations`` and ``phrases``, each a folder of TOML files.

    Returns
    -------
    Banks
        Situations and conversations in the order of file name, then of place in the file.

    Raises
    ------
    BankError
        If any entry has a fault; every fault is listed.

    Examples
    --------
    >>> len(read_banks().phrases) > 0
    True
    """
    tables, problems = _read_tables(folder)
    faults = [problem for problem in [*problems, *_check(tables)] if problem.fault]
    if faults:
        raise BankError(faults)
    situations = tuple(
        _situation(entry, file.stem)
        for file, table in tables["situations"]
        for entry in table["situation"]
    )
    conversations = tuple(
        _conversation(entry, file.stem)
        for file, table in tables["conversations"]
        for entry in table["conversation"]
    )
    phrases = {file.stem: table for file, table in tables["phrases"]}
    return Banks(
        situations, conversations, phrases, small_words(situations), particulars(situations)
    )


@lru_cache(2**15)
def spoken(reason: str, role: str) -> str:
    """Return a reason as a writer says it, or an observer.

    Examples
    --------
    >>> spoken("{I} had left {my} key inside.", "writer")
    'I had left my key inside.'
    >>> spoken("{I} had left {my} key inside.", "observer")
    'They had left their key inside.'
    """
    text = _SLOT.sub(lambda slot: SLOTS[slot[1]][role == "observer"], reason)
    return text[0].upper() + text[1:]


def small_words(situations: Iterable[Situation]) -> frozenset[str]:
    """Return the words that the bank writes small inside a sentence, and never with a capital.

    A sentence that starts with one of them can stand inside another sentence with a small letter;
    a name can't.
    """
    small: set[str] = set()
    names: set[str] = set()
    for situation in situations:
        texts = [text for reasons in situation.reasons.values() for text in reasons]
        if not any(text[:1].islower() for text in situation.event):  # else names are typed small
            texts += [*situation.event, *situation.context, *situation.goal]
            texts += [feeling.text for feeling in situation.feelings]
        for text in texts:
            small.update(re.findall(r"\b[a-z][a-z'-]*", text))
            names.update(word.lower() for word in re.findall(r"[a-z,;] ([A-Z][a-z'-]*)", text))
    # An article at the head of a title or a quotation is no name.
    return frozenset(small - (names - {"a", "an", "the"}))


@lru_cache(2**14)
def word_stems(text: str) -> frozenset[str]:
    """Return the numbers and the longer words of a text, cut so that most endings don't count.

    Examples
    --------
    >>> sorted(word_stems("He mended 12 kitchen chairs and a chair."))
    ['12', 'chair', 'kitch', 'mende']
    """
    return frozenset(word[:5] for word in re.findall(r"[0-9]+|[a-z]{4,}", text.lower()))


def particulars(situations: Sequence[Situation]) -> dict[str, frozenset[str]]:
    """Return for each situation the stems that some variant tells and few situations share."""
    told = {}
    for each in situations:
        texts = [*each.event, *each.context, *each.goal, *(part.text for part in each.feelings)]
        told[each.id] = set().union(*map(word_stems, texts))
    counts = Counter(stem for stems in told.values() for stem in stems)
    rare = {stem for stem, count in counts.items() if count * 5 < len(situations)}
    return {name: frozenset(stems & rare) for name, stems in told.items()}


def check_banks(folder: Path | None = None) -> list[BankProblem]:
    """Return everything that is wrong with the banks under a folder, faults and style notes.

    Examples
    --------
    >>> [str(problem) for problem in check_banks() if problem.fault]
    []
    """
    tables, problems = _read_tables(folder)
    return [*problems, *_check(tables)]


Tables = dict[str, list[tuple[Path, dict]]]
"""Kind of bank (the name of its folder) -> its files with what stands in them."""


def _read_tables(folder: Path | None) -> tuple[Tables, list[BankProblem]]:
    folder = data_folder() if folder is None else Path(folder)
    tables: Tables = {}
    problems = []
    for kind in ("situations", "conversations", "phrases"):
        tables[kind] = []
        for file in sorted((folder / kind).glob("*.toml")):
            try:
                table = tomllib.loads(file.read_text(encoding="utf-8"))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
                advice = "mend the line that it names"
                problems.append(BankProblem(file.name, "the file", "TOML", str(error), advice))
            else:
                tables[kind].append((file, table))
    return tables, problems


def _check(tables: Tables) -> list[BankProblem]:
    problems: list[BankProblem] = []
    for kind, check in (("situation", _check_situation), ("conversation", _check_conversation)):
        seen: dict[str, str] = {}
        for file, table in tables[f"{kind}s"]:
            report = _Report(file.name, "the file", problems)
            report.only_known(table, {kind})
            entries = table.get(kind)
            if not isinstance(entries, list) or not entries:
                report.fault(kind, "no entry", f"start each entry with [[{kind}]]")
                continue
            for number, entry in enumerate(entries, start=1):
                name = entry.get("id") if isinstance(entry.get("id"), str) else f"entry {number}"
                report = _Report(file.name, name, problems)
                if name in seen:
                    report.fault("id", f"already used in {seen[name]}", "choose another id")
                seen[name] = file.name
                check(entry, report)
        if not seen:
            advice = f"add a {kind} file"
            problems.append(BankProblem(f"{kind}s", "the folder", kind, "no entries", advice))
    return problems


# --- from tables to objects -------------------------------------------------------------------


def _situation(entry: Mapping, walk: str) -> Situation:
    return Situation(
        id=entry["id"],
        walk=walk,
        tone=entry["tone"],
        themes=tuple(entry["themes"]),
        voice=entry["voice"],
        headline=entry["headline"],
        near=entry.get("near", ""),
        event=tuple(_clean(text) for text in entry["event"]),
        context=tuple(_clean(text) for text in entry["context"]),
        goal=tuple(_clean(text) for text in entry["goal"]),
        feelings=tuple(
            Feeling(tuple(item["labels"]), _clean(item["text"])) for item in entry["feeling"]
        ),
        profile=tuple(float(entry["profile"][name]) for name in DIMENSIONS),
        reasons={key: tuple(_clean(text) for text in entry["reasons"][key]) for key in REASONS},
        misreadings=tuple(
            Misreading(
                _clean(item["text"]),
                {name: float(item["shift"][name]) for name in DIMENSIONS if name in item["shift"]},
            )
            for item in entry["misreading"]
        ),
    )


def _conversation(entry: Mapping, category: str) -> Conversation:
    return Conversation(
        id=entry["id"],
        category=category,
        themes=tuple(entry["themes"]),
        situations=tuple(_clean(text) for text in entry["situations"]),
        partner=entry["partner"],
        moves=tuple(_move(item) for item in entry["move"]),
        missing=tuple(
            Missing(
                item["skill"],
                _clean(item["suggestion"]),
                _clean(item["add"]),
                item.get("reply", False),
            )
            for item in entry["missing"]
        ),
    )


def _move(item: Mapping) -> Move:
    suggestion, rewrite = item.get("suggestion"), item.get("rewrite")
    return Move(
        skill=item.get("skill"),
        strength=item.get("strength"),
        state=item.get("state"),
        flaw=item.get("flaw"),
        text=_clean(item["text"]),
        suggestion=None if suggestion is None else _clean(suggestion),
        rewrite=None if rewrite is None else _clean(rewrite),
        tone=item.get("tone"),
        lacks=item.get("lacks"),
        bare=item.get("bare", False),
    )


def _clean(text: str) -> str:
    """Return the text on one line, single spaces."""
    return " ".join(text.split())


# --- checking ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Report:
    file: str
    entry: str
    problems: list[BankProblem]

    def fault(self, field: str, wrong: str, advice: str) -> None:
        self.problems.append(BankProblem(self.file, self.entry, field, wrong, advice))

    def note(self, field: str, wrong: str, advice: str) -> None:
        self.problems.append(BankProblem(self.file, self.entry, field, wrong, advice, fault=False))

    def only_known(self, table: Mapping, known: set[str]) -> None:
        for key in table:
            if key not in known:
                self.fault(key, "unknown field", f"use one of: {', '.join(sorted(known))}")

    def one_of(self, table: Mapping, field: str, allowed) -> bool:
        value = table.get(field)
        if value in allowed:
            return True
        self.fault(field, f"found {value!r}", f"use one of: {', '.join(allowed)}")
        return False

    def text(self, value, field: str, stops: bool = True) -> bool:
        if not isinstance(value, str) or not value.strip():
            self.fault(field, f"found {value!r}", "write a text here")
            return False
        if "\u2014" in value:
            self.note(field, "an em-dash", "people type a comma or a full stop")
        if stops and value.strip()[-1] not in ".!?\"'\u2019)":
            self.note(field, f"ends in {value.strip()[-12:]!r}", "end with a full stop")
        return True

    def length(self, value: str, field: str, low: float, high: float) -> None:
        words = len(value.split())
        if not low * (1 - SLACK) <= words <= high * (1 + SLACK):
            self.note(field, f"{words} words", f"aim for {low:.0f} to {high:.0f}")

    def slots(self, value: str, field: str) -> None:
        for name in _SLOT.findall(value):
            if name not in SLOTS:
                known = ", ".join(SLOTS)
                self.fault(field, f"unknown slot {name!r}", f"in braces, use one of: {known}")

    def impersonal(self, value: str, field: str) -> None:
        found = _FIRST_OR_SECOND_PERSON.search(_SLOT.sub("", value))
        if found:
            self.fault(
                field,
                f"says {found.group()!r} in {value[:60]!r}",
                "write it so that writer and reader can both say it, with {I} or {my} if need be",
            )


def _check_situation(entry: Mapping, report: _Report) -> None:
    report.only_known(
        entry,
        {"id", "tone", "themes", "voice", "headline", "near", *PARTS, "feeling", "profile"}
        | {"reasons", "misreading"},
    )
    _check_id(entry, report)
    report.one_of(entry, "tone", TONES)
    _check_themes(entry, report)
    report.text(str(entry.get("headline", "")) + ".", "headline")
    voice = entry.get("voice") if report.one_of(entry, "voice", VOICES) else "plain"
    shortest, longest = VOICE_LENGTH.get(voice, (1, 1))
    for part in PARTS:
        variants = entry.get(part)
        if not isinstance(variants, list) or len(variants) < 3:
            report.fault(part, "fewer than three variants", "write three")
            continue
        for number, text in enumerate(variants, start=1):
            field = f"{part} {number}"
            if report.text(text, field, stops=voice != "young"):
                low, high = WORDS[part]
                report.length(text, field, low * shortest, high * longest)
        _check_variants(variants, part, report)
    _check_feelings(entry.get("feeling"), report, voice)
    _check_near(entry, report)
    _check_profile(entry.get("profile"), report)
    _check_reasons(entry.get("reasons"), report)
    _check_misreadings(entry.get("misreading"), report)


def _check_id(entry: Mapping, report: _Report) -> None:
    name = entry.get("id")
    if not isinstance(name, str) or not _SLUG.fullmatch(name):
        report.fault("id", f"found {name!r}", "use small letters, digits and hyphens")


def _check_themes(entry: Mapping, report: _Report) -> None:
    themes = entry.get("themes")
    if not isinstance(themes, list):
        report.fault("themes", f"found {themes!r}", "write a list, [] if there is none")
        return
    for theme in themes:
        if theme not in THEMES:
            report.fault("themes", f"found {theme!r}", f"use one of: {', '.join(THEMES)}")


def five_grams(text: str) -> set[tuple[str, ...]]:
    """Return the word 5-grams of a text: lower case, letters, digits and apostrophes only.

    Examples
    --------
    >>> sorted(five_grams("One two three, four five SIX."))[0]
    ('one', 'two', 'three', 'four', 'five')
    """
    words = re.findall(r"[a-z0-9']+", text.lower())
    return {tuple(words[i : i + 5]) for i in range(len(words) - 4)}


def _check_variants(variants: list, part: str, report: _Report) -> None:
    grams = [five_grams(text) if isinstance(text, str) else set() for text in variants]
    for i in range(len(grams)):
        for j in range(i):
            shared = len(grams[i] & grams[j])
            if variants[i] == variants[j]:
                report.fault(part, f"variants {j + 1} and {i + 1} are equal", "reword one")
            elif shared > 0.2 * max(1, min(len(grams[i]), len(grams[j]))):
                report.note(
                    part,
                    f"variants {j + 1} and {i + 1} share {shared} runs of five words",
                    "reword one",
                )


def _check_feelings(feelings, report: _Report, voice: str) -> None:
    shortest, longest = VOICE_LENGTH.get(voice, (1, 1))
    if not isinstance(feelings, list) or len(feelings) < 4:
        report.fault("feeling", "fewer than four passages", "add [[situation.feeling]] entries")
        return
    for number, item in enumerate(feelings, start=1):
        field = f"feeling {number}"
        report.only_known(item, {"labels", "text"})
        if report.text(item.get("text"), field, stops=voice != "young"):
            low, high = WORDS["feeling"]
            report.length(item["text"], field, low * shortest, high * longest)
        labels = item.get("labels")
        if not isinstance(labels, list) or not 1 <= len(labels) <= 3:
            report.fault(f"{field} labels", f"found {labels!r}", "name one to three groups")
            continue
        for label in labels:
            if label not in LABELS:
                report.fault(f"{field} labels", f"found {label!r}", "copy a documented label")


def needs_somebody(label: str, text: str) -> bool:
    """Return whether a general sentence fits only an event with somebody to feel it for.

    Examples
    --------
    >>> needs_somebody("Love, closeness, trust", "Felt close.")
    True
    >>> needs_somebody("Glad, happy, joyful", "It filled me with affection.")
    True
    >>> needs_somebody("Glad, happy, joyful", "I was glad about it all day.")
    False
    """
    return label in NEEDS_SOMEBODY or bool(_OTHERS.search(text))


def _check_near(entry: Mapping, report: _Report) -> None:
    """Check that whoever can be felt for is named in every variant of the event."""
    near = entry.get("near")
    labels = {label for item in entry.get("feeling") or () for label in item.get("labels") or ()}
    if near is None and labels & set(NEEDS_SOMEBODY):
        advice = 'write by which words each event names them, near = "aunt|Marga", or "" if nobody'
        report.fault("near", "a passage voices closeness or sympathy, for nobody named", advice)
    elif near is not None and not isinstance(near, str):
        report.fault("near", f"found {near!r}", 'write words, near = "aunt|Marga"')
    elif near:
        for number, text in enumerate(entry.get("event") or (), start=1):
            if not re.search(rf"(?i)\b({near})\b", str(text)):
                report.fault("near", f"event {number} names nobody of {near!r}", "add a word of it")


def _check_profile(profile, report: _Report) -> None:
    if not isinstance(profile, dict):
        report.fault("profile", "missing", "add [situation.profile] with all 22 dimensions")
        return
    for name in profile:
        if name not in DIMENSIONS:
            report.fault("profile", f"unknown dimension {name!r}", "copy a documented name")
    for name in DIMENSIONS:
        value = profile.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= 5:
            report.fault(f"profile {name}", f"found {value!r}", "give a number from 1 to 5")


def _check_reasons(reasons, report: _Report) -> None:
    if not isinstance(reasons, dict):
        report.fault("reasons", "missing", "add [situation.reasons]")
        return
    report.only_known(reasons, set(REASONS))
    for key in REASONS:
        sentences = reasons.get(key)
        if not isinstance(sentences, list) or len(sentences) < 2:
            report.fault(f"reasons {key}", "fewer than two sentences", "write three")
            continue
        if len(sentences) < 3:
            report.note(f"reasons {key}", f"{len(sentences)} sentences", "write three")
        if len(set(sentences)) < len(sentences):
            report.fault(f"reasons {key}", "two equal sentences", "reword one")
        for number, text in enumerate(sentences, start=1):
            field = f"reasons {key} {number}"
            if report.text(text, field):
                report.slots(text, field)
                report.impersonal(text, field)
                if not (text[0].isupper() or text[0].isdigit() or text[0] == "{"):
                    report.note(field, f"starts with {text[0]!r}", "start with a capital")
                if text.startswith("They "):
                    how = "name them: in an observer's words they would be the writer"
                    report.note(field, "starts with 'They'", how)
                if whose := re.match(r"(He|She|His|Her)\b", text):
                    how = "name the person: nobody has been mentioned before"
                    report.note(field, f"starts with {whose[0]!r}", how)


def _check_misreadings(misreadings, report: _Report) -> None:
    if not isinstance(misreadings, list) or not misreadings:
        report.fault("misreading", "missing", "add one [[situation.misreading]]")
        return
    for number, item in enumerate(misreadings, start=1):
        field = f"misreading {number}"
        report.only_known(item, {"text", "shift"})
        if report.text(item.get("text"), field):
            report.impersonal(item["text"], field)
        shift = item.get("shift")
        if not isinstance(shift, dict) or not shift:
            report.fault(f"{field} shift", f"found {shift!r}", "name at least one dimension")
            continue
        for name, value in shift.items():
            if name not in DIMENSIONS:
                report.fault(f"{field} shift", f"found {name!r}", "copy a documented name")
            elif not isinstance(value, int | float) or not -2 <= value <= 2:
                report.fault(f"{field} shift {name}", f"found {value!r}", "use -2 to 2")


def _check_conversation(entry: Mapping, report: _Report) -> None:
    report.only_known(entry, {"id", "themes", "situations", "partner", "move", "missing"})
    _check_id(entry, report)
    _check_themes(entry, report)
    category = report.file.removesuffix(".toml")
    if category not in CATEGORIES:
        report.fault("category", f"file {report.file}", "name it family, social or work.toml")
    situations = entry.get("situations")
    if not isinstance(situations, list) or len(situations) < 2:
        report.fault("situations", "fewer than two wordings", "write two")
    else:
        for number, text in enumerate(situations, start=1):
            if report.text(text, f"situations {number}"):
                report.length(text, f"situations {number}", 30, 60)
    if not isinstance(entry.get("partner"), str):
        report.fault("partner", "missing", 'write for example partner = "my sister"')
    _check_moves(entry.get("move"), report)
    missing = entry.get("missing")
    missing = missing if isinstance(missing, list) else []
    for number, item in enumerate(missing, start=1):
        report.only_known(item, {"skill", "suggestion", "add", "reply"})
        report.one_of(item, "skill", SKILLS)
        for name in ("suggestion", "add"):
            report.text(item.get(name), f"missing {number} {name}")
        if item.get("skill") in STRENGTH_SKILLS:
            _check_advice(item, f"missing {number}", report)
        if not isinstance(item.get("reply", False), bool):
            report.fault(f"missing {number} reply", f"found {item['reply']!r}", "true or nothing")
        elif not item.get("reply") and _REPLY.match(str(item.get("add"))):
            report.note(f"missing {number}", "answers the other person", "add reply = true")
    for skill in SKILLS:
        if not any(item.get("skill") == skill and not item.get("reply") for item in missing):
            report.fault("missing", f"nothing for {skill}", "add two [[conversation.missing]]")


def _check_advice(item: Mapping, field: str, report: _Report) -> None:
    if _SPEAKS_OF_MORE.search(str(item.get("suggestion"))):
        how = "speak of this sentence, or of what is missing"
        report.note(f"{field} suggestion", "builds on other words", how)


def _check_marks(move: Mapping, field: str, report: _Report) -> None:
    """Check what decides how experts read a move, and that the move is what it is filed as."""
    text, strong = str(move.get("text")), move.get("strength") == "strong"
    if move.get("tone", "calm") not in MOVE_TONES:
        report.fault(f"{field} tone", f"found {move['tone']!r}", f"use {MOVE_TONES}")
    lacks = LACKS.get(move.get("skill"), ()) if strong and not move.get("state") else ()
    if "lacks" in move and move["lacks"] not in lacks:
        report.fault(f"{field} lacks", f"found {move['lacks']!r}", f"use {lacks or 'nothing'}")
    if (move.get("lacks") == "wish") != (strong and "rewrite" in move):
        report.fault(f"{field} rewrite", "a wish becomes a request", "write one for a wish only")
    _check_advice(move, field, report)
    if "bare" in move and (move["bare"] is not True or strong):
        report.fault(f"{field} bare", f"found {move['bare']!r}", "true, in a weak move, or nothing")
    if move.get("skill") == "assert" and strong and _TOPIC_ONLY.search(text):
        report.note(f"{field} text", "names only a topic", "say what a yes would look like")
    if move.get("flaw") == "demand" and _HOLDS_THREAT.search(text):
        report.note(f"{field} text", "holds a threat", "file the threat as reinforce")


def _check_moves(moves, report: _Report) -> None:
    if not isinstance(moves, list) or not moves:
        report.fault("move", "missing", "add [[conversation.move]] entries")
        return
    counts: dict[tuple, int] = {}
    for number, move in enumerate(moves, start=1):
        field = f"move {number}"
        report.only_known(
            move,
            {"skill", "strength", "state", "flaw", "tone", "lacks", "bare"}
            | {"text", "suggestion", "rewrite"},
        )
        _check_marks(move, field, report)
        report.text(move.get("text"), f"{field} text")
        kind = (move.get("skill"), move.get("strength"), move.get("state"))
        counts[kind] = counts.get(kind, 0) + 1
        lapse = move.get("state") in ("not mindful", "not confident") and "skill" not in move
        weak = move.get("skill") in STRENGTH_SKILLS and move.get("strength") == "weak"
        strong = move.get("skill") in STRENGTH_SKILLS and move.get("strength") == "strong"
        if not (lapse or weak or strong):
            report.fault(
                field, f"skill, strength, state are {kind}", "see the format of a move in the bank"
            )
        elif strong and move["skill"] == "express" and not _FEELS.search(str(move.get("text"))):
            report.note(f"{field} text", "names no feeling of one's own", "say what is felt")
        elif lapse or weak:
            flaws = FLAWS[move["state"] if lapse else move["skill"]]
            if move.get("flaw") not in flaws:
                report.note(f"{field} flaw", f"found {move.get('flaw')!r}", f"use {flaws}")
            for name in ("suggestion", "rewrite"):
                report.text(move.get(name), f"{field} {name}")
    for skill, least in LEAST_MOVES.items():
        plain = [m for m in moves if m.get("skill") == skill and m.get("strength") == "strong"]
        if plain and all("lacks" in move for move in plain):
            report.fault(f"strong {skill}", "each lacks something", "write one that lacks nothing")
        for strength in ("strong", "weak"):
            found = sum(n for kind, n in counts.items() if kind[:2] == (skill, strength))
            if found < least:
                report.fault(f"{strength} {skill}", f"{found} moves", f"write at least {least}")
    for state in ("not mindful", "not confident"):
        if counts.get((None, None, state), 0) < 2:
            report.fault(state, "fewer than two moves", "write two lapses")
    if counts.get(("assert", "strong", "mindful"), 0) < 1:
        report.fault("repeat", "no move that calmly repeats", 'add one with state = "mindful"')
