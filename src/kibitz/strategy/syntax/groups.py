"""Places and which of them are neighbours in; out how many groups those form that are held.

A group is counted at its first place: one that is held and joined to no earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["GroupGates", "group_places", "groups_column", "heads_of_groups"]

Bools = npt.NDArray[np.bool_]
Pair = tuple[int, int]

_FALSE = 0


class GroupGates(Protocol):
    """Joins literals; a literal and its negation differ in the last bit."""

    def both(self, a: int, b: int) -> int:
        """Join by AND."""

    def either(self, a: int, b: int) -> int:
        """Join by OR."""


def group_places(held: Sequence[bool], pairs: Iterable[Pair]) -> list[list[int]]:
    """Return the places of each group of one state.

    >>> group_places([True, True, False, True], [(0, 1), (1, 2), (2, 3)])
    [[0, 1], [3]]
    """
    leader = list(range(len(held)))

    def found(place: int) -> int:
        while leader[place] != place:
            place = leader[place]
        return place

    for a, b in pairs:
        if held[a] and held[b]:
            leader[found(a)] = found(b)
    groups: dict[int, list[int]] = {}
    for place, here in enumerate(held):
        if here:
            groups.setdefault(found(place), []).append(place)
    return list(groups.values())


def groups_column(held: Sequence[Bools], pairs: Sequence[Pair]) -> npt.NDArray[np.int64]:
    """Count the groups of many states at once, by what holds at each place."""
    first = [np.full(len(here), place) for place, here in enumerate(held)]
    joined = [(a, b, held[a] & held[b]) for a, b in pairs]
    is_open = True
    while is_open:
        is_open = False
        for a, b, both in joined:
            least = np.minimum(first[a], first[b])
            for place in (a, b):
                smaller = both & (least < first[place])
                if smaller.any():
                    first[place] = np.where(smaller, least, first[place])
                    is_open = True
    found = np.zeros(len(held[0]), dtype=np.int64)
    for place, (here, at) in enumerate(zip(held, first, strict=True)):
        found += here & (at == place)
    return found


def heads_of_groups(held: Sequence[int], pairs: Iterable[Pair], gates: GroupGates) -> list[int]:
    """Return for each place the literal that it is the first of its group.

    Paths are made longer by one place after another on their way, as by Warshall: the cube of the
    number of places in gates.
    """
    count = len(held)
    path = [[_FALSE] * count for _ in range(count)]
    for a, b in pairs:
        path[a][b] = path[b][a] = gates.both(held[a], held[b])
    for via in range(count):
        for a in range(count):
            if path[a][via] == _FALSE:
                continue
            for b in range(a):
                longer = gates.both(path[a][via], path[via][b])
                path[a][b] = path[b][a] = gates.either(path[a][b], longer)
    found = []
    for place in range(count):
        earlier = _FALSE
        for other in range(place):
            earlier = gates.either(earlier, path[place][other])
        found.append(gates.both(held[place], earlier ^ 1))
    return found
