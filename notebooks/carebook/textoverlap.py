"""How many words a text shares with a reference: BLEU and ROUGE, by definition.

These scores see words and their order, nothing else: "It was my own fault" and "I blame myself"
share no word and score 0. They are here because the benchmark reports them, defined as its
authors' evaluator defines them (``evaluate.py`` in the CAREBench repository).

References
----------
Hyyrö, H. (2004). A note on bit-parallel alignment computation. Stringology, 79-87.
Lin, C.-Y. (2004). ROUGE: a package for automatic evaluation of summaries. Text Summarization
Branches Out, 74-81.
Papineni, K., Roukos, S., Ward, T., & Zhu, W.-J. (2002). BLEU: a method for automatic evaluation of
machine translation. ACL, 311-318.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable

import numpy as np

MEASURES = ("bleu", "rouge1", "rouge2", "rougeL")
_TOKEN = re.compile("[a-z0-9]+")


def tokens(text: str) -> list[str]:
    """Lower-case runs of the letters a-z and digits; everything else separates.

    Examples
    --------
    >>> tokens("It wasn't my fault, 100%.")
    ['it', 'wasn', 't', 'my', 'fault', '100']
    """
    return _TOKEN.findall(text.lower())


def bleu(text: str, reference: str) -> float:
    """Sentence BLEU-4 against one reference, without smoothing, 0 to 1.

    The geometric mean of the clipped precisions of 1- to 4-grams, times the brevity penalty
    exp(1 - reference length / text length) for a text that is shorter. One n-gram order without a
    match, or a text of fewer than four tokens, gives 0.

    Examples
    --------
    >>> round(bleu("I was late for work", "I was late for work today"), 3)
    0.819
    """
    return _bleu(_grams(tokens(text)), _grams(tokens(reference)))


def rouge_n(text: str, reference: str, n: int) -> float:
    """ROUGE-n F1, 0 to 1: harmonic mean of the n-gram precision and recall, matches clipped.

    Examples
    --------
    >>> rouge_n("my boss was late", "my boss was angry", 1)
    0.75
    """
    return _rouge(_counted(tokens(text), n), _counted(tokens(reference), n))


def rouge_l(text: str, reference: str) -> float:
    """ROUGE-L F1, 0 to 1: precision and recall of the longest common subsequence of tokens.

    Examples
    --------
    >>> round(rouge_l("I lost my job today", "today I lost a job"), 2)
    0.6
    """
    return _rouge_l(tokens(text), _positions(tokens(reference)), len(tokens(reference)))


def overlap_scores(texts: Iterable[str | None], references: Iterable[str | None]) -> np.ndarray:
    """BLEU, ROUGE-1, -2 and -L of each text against its reference (texts x 4).

    A missing or blank text scores 0; where the reference is missing there is nothing to score:
    NaN. A reference that comes up repeatedly is prepared once.
    """
    prepared: dict[str, tuple] = {}
    rows = []
    for text, reference in zip(texts, references, strict=True):
        if is_missing(reference):
            rows.append((math.nan,) * 4)
            continue
        if is_missing(text):
            rows.append((0.0,) * 4)
            continue
        if reference not in prepared:
            words = tokens(reference)
            prepared[reference] = _grams(words), _positions(words), len(words)
        grams, positions, length = prepared[reference]
        words = tokens(text)
        own = _grams(words)
        rows.append(
            (
                _bleu(own, grams),
                _rouge(own[0], grams[0]),
                _rouge(own[1], grams[1]),
                _rouge_l(words, positions, length),
            )
        )
    return np.array(rows, dtype=float).reshape(-1, len(MEASURES))


def is_missing(text) -> bool:
    """Whether there is no text: not a string, or nothing but white space."""
    return not isinstance(text, str) or not text.strip()


def _counted(words: list[str], n: int) -> Counter:
    return Counter(zip(*(words[start:] for start in range(n)), strict=False))


def _grams(words: list[str]) -> list[Counter]:
    return [_counted(words, n) for n in (1, 2, 3, 4)]


def _matches(one: Counter, other: Counter) -> int:
    """Common n-grams, each counted as often as in the text that has it less often."""
    return sum(min(count, other[gram]) for gram, count in one.items() if gram in other)


def _bleu(text: list[Counter], reference: list[Counter]) -> float:
    log_precision = 0.0
    for own, theirs in zip(text, reference, strict=True):
        matches = _matches(own, theirs)
        if not matches:
            return 0.0
        log_precision += math.log(matches / own.total()) / 4
    length, wanted = text[0].total(), reference[0].total()
    brevity = 1.0 if length >= wanted else math.exp(1 - wanted / length)
    return brevity * math.exp(log_precision)


def _rouge(text: Counter, reference: Counter) -> float:
    return _f1(_matches(text, reference), text.total(), reference.total())


def _rouge_l(words: list[str], reference: dict[str, int], length: int) -> float:
    return _f1(_common_subsequence(words, reference, length), len(words), length)


def _f1(matches: int, predicted: int, wanted: int) -> float:
    return 2 * matches / (predicted + wanted) if matches else 0.0


def _positions(words: list[str]) -> dict[str, int]:
    """Each word's places in a text, as the bits of a whole number."""
    places: dict[str, int] = {}
    for place, word in enumerate(words):
        places[word] = places.get(word, 0) | 1 << place
    return places


def _common_subsequence(words: list[str], reference: dict[str, int], length: int) -> int:
    """Length of the longest common subsequence.

    A row of the textbook table grows by 0 or 1 from cell to cell, so a row fits into the bits of
    one number and is updated by an addition (Hyyrö, 2004): each 0 bit is a step of 1.
    """
    full = (1 << length) - 1
    row = full
    for word in words:
        here = row & reference.get(word, 0)
        row = (row + here | row - here) & full
    return length - row.bit_count()
