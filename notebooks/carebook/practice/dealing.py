"""Deals the written variants so that two stories of one situation share at most one part.

With n variants of event, context and goal, the rows (i, j, i + j mod n) of a Latin square agree in
at most one part. (A further event adds rows like those of an earlier one; they wait until that one
isn't told with the same context and goal.) A feeling passage may come back only in rows that
agree in nothing else: rows with the same i + 2j mod n. When a bank is too small for that, the
choice that clashes least is taken, and no two stories are equal.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations, product
from random import Random

EVENT_COUNTS = 3
"""To tell an event once more is as bad as a feeling that comes so many places later in a wish."""

Deal = tuple[int, int, int, Hashable, int]
"""Variant of event, of context, of goal, the feeling, and the order in which they stand."""


def deal_variants(
    rng: Random,
    sizes: tuple[int, int, int],
    wishes: Sequence[Sequence[Hashable]],
    orders: int,
) -> list[Deal]:
    """Return one deal for each story of a situation.

    Parameters
    ----------
    sizes : tuple of int
        How many variants of event, context and goal there are.
    wishes : sequence of sequences
        For each story the feelings that would fit, best first.
    orders : int
        How many orders of the parts there are.

    Raises
    ------
    ValueError
        If the bank can't give as many different stories.

    Examples
    --------
    >>> deals = deal_variants(Random(1), (3, 3, 3), [["glad"], ["sad"], ["glad"]], orders=2)
    >>> max(shared_parts(a, b) for a, b in combinations(deals, 2)) <= 1
    True
    """
    n = min(sizes)
    square = [(i, j, (i + j) % n) for i in range(sizes[0]) for j in range(n)]
    rest = [row for row in product(*map(range, sizes)) if row not in set(square)]
    rng.shuffle(square)
    rng.shuffle(rest)
    pairs: Counter = Counter()
    used: set[Deal] = set()
    deals: list[Deal] = []
    for wish in wishes:
        rows = square or rest or list(product(*map(range, sizes)))
        # The event is the longest part: it is told as rarely as a fitting feeling allows.
        told = Counter(deal[0] for deal in deals)
        # A feeling that is new here goes where most rows are left for it to come back.
        left = Counter(_class(row, n) for row in rows)
        order = rng.randrange(orders)
        apart = [_clashes(pairs, row) for row in rows]
        options = (
            (
                apart[place] + sum(pairs[part, 3, row[part], feeling] for part in range(3)),
                EVENT_COUNTS * told[row[0]] + rank,
                rank,
                -left[_class(row, n)],
                place,
            )
            for rank, feeling in enumerate(wish)
            for place, row in enumerate(rows)
        )
        for _, _, rank, _, place in sorted(options):
            turns = ((order + turn) % orders for turn in range(orders))
            free = [t for t in turns if (*rows[place], wish[rank], t) not in used]
            if free:
                deal = (*rows[place], wish[rank], free[0])
                break
        else:
            raise ValueError(
                "The bank is too small for so many narratives: ask for fewer, or add situations"
            )
        pairs.update(_pairs(deal[:4]))
        used.add(deal)
        deals.append(deal)
        for pool in (square, rest):
            if deal[:3] in pool:
                pool.remove(deal[:3])
    return deals


def shared_parts(one: Deal, other: Deal) -> int:
    """Return how many of the four parts two deals share.

    Examples
    --------
    >>> shared_parts((0, 1, 2, "glad", 0), (0, 2, 2, "sad", 1))
    2
    """
    return sum(a == b for a, b in zip(one[:4], other[:4], strict=True))


def _class(row: tuple[int, int, int], n: int) -> int:
    """Return which rows agree with this one in no part: those of the same class."""
    return (row[0] + 2 * row[1]) % n


def _pairs(parts: tuple) -> list[tuple]:
    return [(a, b, parts[a], parts[b]) for a, b in combinations(range(len(parts)), 2)]


def _clashes(pairs: Counter, parts: tuple) -> int:
    """Return how many earlier stories share two parts with this one (once for each pair)."""
    return sum(pairs[pair] for pair in _pairs(parts))
