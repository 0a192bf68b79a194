"""Things in a list in, a shorter list out that reads back: evenly spaced ones as *and so on*."""

from __future__ import annotations

import re
from itertools import pairwise

__all__ = ["list_briefly", "list_in_full", "numbers_in"]

_MOST = 3
"""Things that are listed one by one; more of them nobody remembers."""
_SO_ON = " and so on to "
_NUMBER = re.compile(r"\d+")


def list_briefly(things: list[str], between: str) -> str:
    """Join texts; of more than three that differ only by even steps of their numbers, the ends.

    >>> list_briefly(["2", "5", "8", "11"], ", "), list_briefly(["2", "5", "9", "11"], ", ")
    ('2, 5 and so on to 11', '2, 5, 9, 11')
    """
    brief = f"{between.join(things[:2])}{_SO_ON}{things[-1]}"
    return brief if len(things) > _MOST and _are_even(things) else between.join(things)


def list_in_full(text: str, between: str) -> list[str]:
    """Undo `list_briefly`.

    >>> list_in_full("box 1 with box 2; box 3 with box 4 and so on to box 7 with box 8", "; ")[2]
    'box 5 with box 6'
    """
    start, _, last = text.partition(_SO_ON)
    things = start.split(between)
    if not last or len(things) != 2:
        return things
    first, second = map(numbers_in, things)
    steps = [b - a for a, b in zip(first, second, strict=False)]
    here = second
    while here != numbers_in(last) and len(things) < _MOST_MEANT:
        here = [number + step for number, step in zip(here, steps, strict=True)]
        words = _NUMBER.split(last)
        things.append("".join(w + str(n) for w, n in zip(words, here, strict=False)) + words[-1])
    return things


_MOST_MEANT = 100
"""A text that names no end of its steps is read no further."""


def _are_even(things: list[str]) -> bool:
    """Return whether texts differ in their numbers alone, and these by the same steps."""
    numbers = [numbers_in(thing) for thing in things]
    steps = {tuple(b - a for a, b in zip(*pair, strict=False)) for pair in pairwise(numbers)}
    return len({_NUMBER.sub("#", thing) for thing in things}) == 1 and len(steps) == 1


def numbers_in(text: str) -> list[int]:
    """Return the numbers of a text, by which such texts are sorted as people do."""
    return [int(number) for number in _NUMBER.findall(text)]
