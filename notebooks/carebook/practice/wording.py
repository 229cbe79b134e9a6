"""Small habits of wording, so that two people who tell the same event don't type it alike.

A bank has a few variants of each event and more stories than variants. When a variant comes back,
its wording is changed in harmless places: numbers in digits, "someone" for "somebody", a
contraction written out, a "that" left out. Nothing here changes what is said.
"""

import re
from collections.abc import Callable, Mapping, Sequence

_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
    *("sixteen", "seventeen", "eighteen", "nineteen"),
)
NUMBERS: Mapping[str, str] = {
    **{word: str(11 + i) for i, word in enumerate(_TEENS)},
    **{word: str(20 + 10 * i) for i, word in enumerate(_TENS)},
    **{
        f"{ten}-{unit}": str(20 + 10 * i + j)
        for i, ten in enumerate(_TENS)
        for j, unit in enumerate(_UNITS, start=1)
    },
}
_FEW = (*_UNITS[1:], "ten")
HOURS: Mapping[str, str] = {
    **{word: str(1 + i) for i, word in enumerate(_UNITS)},
    **{"ten": "10", "eleven": "11", "twelve": "12"},
}
_MINUTES = {"five": "05", "ten": "10", "quarter": "15", "twenty": "20", "half": "30"}
_SPELT = "|".join(sorted(NUMBERS, key=len, reverse=True))
_ANY_NUMBER = "|".join((*_UNITS, "ten", *NUMBERS, "hundred", "thousand"))
_NO_DIGIT = f"{_ANY_NUMBER}|or|to|past|by|times"
_PARTICIPLES = (
    "asked been bought called done found forgotten given gone got had heard known left lost made "
    "moved paid promised said seen sent started stopped taken told tried worked written"
).replace(" ", "|")
_SUBJECT = "I|he|she|it|we|they|the|my|our|his|her|their|there|nobody|somebody|a"
_DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_NOT = "did|was|were|could|had|do|does|is|are|would|has|have|should"

Rule = tuple[str, str | Callable[[re.Match], str]]


def _that_day(match: re.Match) -> str:
    """Return "on the" before a day, but "on" in a text's first sentence: no week is named yet."""
    return "on the " if re.search(r"[.!?] ", match.string[: match.start()]) else match[0]


def _since(match: re.Match) -> str:
    """Return "since" for "because" after a comma (without one it would tell a time), but not where
    one reason is set against another, nor where another "since" would stand by it."""
    return match[0] if re.search(r"(?i)not because|\bsince\b", match.string) else "since"


SWAPS = (
    ("somebody", "someone"),
    ("nobody", "no one"),
    ("everybody", "everyone"),
    ("anybody", "anyone"),
    ("almost", "nearly"),
    ("maybe", "perhaps"),
    ("straight away", "right away"),
    ("every time", "each time"),
    ("as if", "as though"),
    ("anyway", "anyhow"),
    ("from the start", "from the beginning"),
    ("opposite me", "across from me"),
    ("at the moment", "right now"),
)
"""Pairs that may stand for each other anywhere."""


def _swap_rule() -> Rule:
    there = {one: other for one, other in SWAPS} | {other: one for one, other in SWAPS}
    there |= {one.capitalize(): other.capitalize() for one, other in there.items()}
    words = "|".join(sorted(there, key=len, reverse=True))
    return rf"\b({words})\b(?! (of|at once|any)\b)", lambda match: there[match[0]]


ALWAYS: tuple[Rule, ...] = (
    _swap_rule(),
    (r"(?<!had )(?<!'d )(?<!have )(?<!has )\bstarted to\b", "began to"),
    (r"\bbegan to\b", "started to"),
    (r"\bnext to (?!(nothing|no|last)\b)(?=\w)", "beside "),
    (r"(?<=, )because(?! of)\b", _since),
    (r"\bthe whole (?!of|thing|lot|way|goes)", "the entire "),
    (r"\ball (?=(day|night)\b)(?! day long)", "the whole "),
    (r"(?<!into )\ba bit(?! of)\b", "a little"),
    (rf"\bon (?=({_DAYS})\b)(?!\w+ (mornings|afternoons|evenings|nights))", _that_day),
    (rf"\b(know|knew|said|thought|noticed|told me|was sure) that (?=({_SUBJECT})\b)", r"\1 "),
    (r"\bso that (?=(I|he|she|it|we|they)\b)", "so "),
    (r"(?<=[a-z])(?<![Nn]ow) and then (?=[a-z])", ", then "),
    (r"\bgot (?=(a|the) (letter|mail|message|card|note|notice)\b)", "received "),
    (r"\brang (?=(me|us|him|them)\b)", "phoned "),
    (r"\bthe next (?=(day|morning|evening|week|month)\b)", "the following "),
    (r"\bany more(?=[.,;!?])", "any longer"),
    (r"\bboth of us\b", "the two of us"),
    (r"(?<!knew me )(?<!the job )\bas well(?=[.,;!?])", "too"),
    (r"(?<=[a-z]) too(?=[.;!?])", " as well"),
    (r"\bphoto(?=s?\b(?! (album|book|shop|studio)))", "picture"),
    (r"\bin the end (?=[a-z])", "eventually "),
    (r"\bIn the end,? (?=(I|he|she|we|they)\b)", "Eventually "),
    (r"\ball of a sudden\b", "suddenly"),
    (r"\balthough\b", "though"),
    (r"(?<!even )(?<!as )\bthough (?=(I|he|she|it|we|they|the|my|nobody)\b)", "although "),
    (r"\bround (?=(the|my|his|her|our) (?!clock))", "around "),
    (r"\btowards\b", "toward"),
    (r"\bwent back to\b", "returned to"),
    (r"\bAfter that,? (?=I\b)", "Afterwards "),
    (r"(?<!\bthe )(?<!\bmy )(?<!\bnot )\bonly (?=(wanted|needed|meant|asked|took)\b)", "just "),
    (r"\bper cent\b", "percent"),
    (r"\btelephone\b", "phone"),
    (r"\btelevision\b", "TV"),
    (r"\bhardly (?=[a-z])(?!ever\b)", "barely "),
    (r"\bonce more\b", "once again"),
    (r"\b(told|asked|rang|phoned|showed|wrote) (me|us|him|her) that (?=[a-z])", r"\1 \2 "),
    (r"(?<=[a-z]) which (?=(was|had|is|has)\b)", " that "),
)
EASY: tuple[Rule, ...] = (
    (r"\buntil\b", "till"),
    (r"\byears ago\b", "years back"),
    (r"\ba lot of\b", "lots of"),
    (
        r"(?<!\bthe )(?<!\bthis )(?<!\bthat )(?<!\bmy )\bvery (?!(much|first|last|same|end|day)\b)",
        "really ",
    ),
    (r"\bcame home\b", "got home"),
    (r"\bto be honest\b(?! with)", "honestly"),
    (r"(?<!-)\bchildren\b(?!')", "kids"),
    (rf"\b({_NOT}) not (?=[a-z])(?!(only|one|once|even|a|the|to)\b)", r"\1n't "),
    (r"(?<!-)\bbicycle\b", "bike"),
    (
        rf"\b(?:a )?({'|'.join(_MINUTES)}) past ({'|'.join(HOURS)})\b",
        lambda match: f"{HOURS[match[2]]}.{_MINUTES[match[1]]}",
    ),
)
DIGITS: tuple[Rule, ...] = (
    (
        rf"(?<!\band )(?<!\ba )(?<!\bthe )(?<!\bto )(?<!\bpast )(?<![-\w])({_SPELT})(?![-\w])"
        rf"(?! ({_ANY_NUMBER}|to|past)\b)(?! (and|or) ({_ANY_NUMBER})\b)",
        lambda match: NUMBERS[match[0]],
    ),
)
SMALL_DIGITS: tuple[Rule, ...] = (
    (
        rf"(?<!\band )(?<!\bor )(?<!\bto )(?<!\bthe )(?<!\bThe )"
        rf"(?<![-\w])({'|'.join(_FEW)})(?![-\w])"
        rf"(?= [a-z])(?! ({_NO_DIGIT}|of)\b)",
        lambda match: str(2 + _FEW.index(match[0])),
    ),
)
SHORTHAND: tuple[Rule, ...] = (
    (r"\b(bc|because|cos)(?! of)\b", lambda match: "bc" if match[0] == "cos" else "cos"),
    (r"\bgoing to (?=(be|do|get|have|make|say|tell|go|come|happen|die)\b)", "gonna "),
    (r"\bwant to (?=[a-z])", "wanna "),
    (r"\bpeople\b", "ppl"),
    (
        r"(?<!\b[Aa] )(?<!he )(?<!hat )(?<!his )(?<!very )(?<!ome )(?<!ny )(?<!nly )"
        r"\bkind of(?= [a-z])(?! (a|the)\b)",
        "kinda",
    ),
    (r"\bnot going to\b", "not gonna"),
    (r"(?<!was )(?<!is )\babout (?=\d|two|three|four|five|six|ten\b)", "like "),
)
CLIPPED: tuple[Rule, ...] = (
    (r"(?<=[.!?] )(?:The|A) ([a-z])(?![a-z]* (?:of|who|that|which)\b)", lambda m: m[1].upper()),
)
SIGNS: tuple[Rule, ...] = ((r"(?<=[a-z\d]) and (?=[a-z\d])", " & "),)
FEWER_ARTICLES: tuple[Rule, ...] = (
    (r"\b(at|to|from) the (?=[a-z])(?!(same|first|last)\b)", r"\1 "),
)
OFFICIAL: tuple[Rule, ...] = (
    (r"\bin order to\b", "to"),
    (r"(?<=ask|now|see|ell) whether\b(?! or)", " if"),
    (r"(?<=sked|nows|sure) whether\b(?! or)", " if"),
    (r"\bupon\b", "on"),
    (r"\bshall\b", "will"),
    (r"\b(concerning|regarding)\b", "about"),
    (r"\binformed (?=(me|us|him|her)\b)", "told "),
    (r"\bmoreover\b", "besides"),
    (r"\bwas obliged to\b", "had to"),
    (r"\bI wished to\b", "I wanted to"),
)
FULL_FORMS: tuple[Rule, ...] = (
    (rf"\b({_NOT})n't(?= [a-z])(?! (I|you|he|she|it|we|they)\b)", r"\1 not"),
    (r"\bcan't(?= [a-z])(?! (I|you|he|she|it|we|they)\b)", "cannot"),
    (r"\bwon't(?= [a-z])(?! (I|you|he|she|it|we|they)\b)", "will not"),
    (rf"\b(I|he|she|we|they|He|She|We|They)'d (?=({_PARTICIPLES})\b)", r"\1 had "),
    (r"\b(I|he|she|we|they|He|She|We|They|it)'d (?=(like|rather|have|be|say)\b)", r"\1 would "),
    (r"\b(I|he|she|we|they|He|She|We|They|it|It)'ll (?=[a-z])", r"\1 will "),
    (r"\bI'm (?=[a-z])", "I am "),
    (r"\b(I|we|We|they|They)'ve (?=[a-z])", r"\1 have "),
    (r"\b(it|It|he|He|she|She|there|There)'s (?=(a|an|the|my|in|on|no|her|his|our)\b)", r"\1 is "),
)
RULES: Mapping[str, tuple[Rule, ...]] = {
    "plain": (*ALWAYS, *DIGITS, *EASY, *SMALL_DIGITS, *FULL_FORMS),
    "rambling": (*ALWAYS, *DIGITS, *EASY, *FULL_FORMS),
    "formal": (*ALWAYS, *DIGITS, *OFFICIAL),
    "terse": (*ALWAYS, *DIGITS, *EASY, *SMALL_DIGITS, *CLIPPED, *SIGNS),
    "young": (*SHORTHAND, *ALWAYS, *DIGITS, *EASY, *SMALL_DIGITS),
    "second-language": (
        *(*ALWAYS, *DIGITS, *EASY, *SMALL_DIGITS),
        *(*FULL_FORMS, *FEWER_ARTICLES),
    ),
}


def reworded(text: str, voice: str, turn: int, turns: int = 2) -> str:
    """Return a text with other habits of wording for each time that it is told.

    Parameters
    ----------
    turn, turns : int
        The how-manieth telling this is, from 0, and how many there are. The first leaves the text
        as it stands; any two differ in as many places as can be.

    Examples
    --------
    >>> reworded("Somebody said that it took forty minutes.", "plain", 1)
    'Someone said it took 40 minutes.'
    >>> reworded("Somebody said that it took forty minutes.", "plain", 0)
    'Somebody said that it took forty minutes.'
    """
    if turn == 0:
        return text
    places = _places(text, RULES[voice])
    if turns > 2:
        # Of three kinds of places each later telling changes two, never the same two.
        places = [place for i, place in enumerate(places) if (i + turn) % 3]
    for start, end, replacement in reversed(places):
        text = text[:start] + replacement + text[end:]
    return text


def _places(text: str, rules: Sequence[Rule]) -> list[tuple[int, int, str]]:
    """Return where the rules apply, in order and without overlaps, and what would stand there."""
    found = []
    for pattern, replacement in rules:
        for match in re.finditer(pattern, text):
            new = match.expand(replacement) if isinstance(replacement, str) else replacement(match)
            if new != match[0]:
                found.append((match.start(), match.end(), new))
    places: list[tuple[int, int, str]] = []
    for place in sorted(found):
        after_number = re.search(rf"\b({_ANY_NUMBER})[ -]$", text[: place[0]], re.IGNORECASE)
        if place[2].isdigit() and after_number:
            continue
        if not places or place[0] >= places[-1][1]:
            places.append(place)
    return places
