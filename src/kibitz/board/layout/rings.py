"""Names of places and pairs of neighbours in, their order around a ring and points on it out."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import cos, pi, sin

from kibitz.board.layout.axes import natural
from kibitz.board.layout.static_facts import Link

__all__ = ["around", "ring_of"]

_SMALLEST = 4


def ring_of(names: Collection[str], links: Iterable[Link]) -> list[str] | None:
    """Order places as some relation links each to the next, and the last to the first.

    >>> ring_of("abcd", [frozenset({("a", "c"), ("c", "b"), ("b", "d"), ("d", "a")})])
    ['a', 'c', 'b', 'd']
    """
    for link in links:
        beside: dict[str, set[str]] = {}
        for one, *others in link:
            for other in others:
                beside.setdefault(one, set()).add(other)
                beside.setdefault(other, set()).add(one)
        if beside.keys() != set(names) or len(names) < _SMALLEST:
            continue
        if any(len(pair) != 2 for pair in link) or any(len(near) != 2 for near in beside.values()):
            continue
        first = min(names, key=natural)
        # Where links have a direction, the ring goes that way round.
        ring = [first, min(beside[first], key=lambda n: ((first, n) not in link, natural(n)))]
        while len(ring) <= len(names):
            (after,) = beside[ring[-1]] - {ring[-2]} or {first}
            ring.append(after)
        if ring.pop() == first and len(set(ring)) == len(names):
            return ring
    return None


def around(count: int, *, out: float = 0.0) -> tuple[list[tuple[float, float]], float]:
    """Return points on a circle, clockwise from its top, and the side of the square for it.

    With `out` they lie so far outside that circle, around the same middle.
    """
    radius = max(1.6, count * 0.36)
    middle = radius + 0.5
    turns = [2 * pi * n / count for n in range(count)]
    far = radius + out
    # Rounded, so that points of a row have the same height.
    points = [
        (round(middle + far * sin(turn), 6), round(middle - far * cos(turn), 6)) for turn in turns
    ]
    return points, 2 * middle
