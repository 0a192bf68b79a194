"""Numbers after each move in, tables out: what one number is to be, or below what, by another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise, permutations

import numpy as np

from kibitz.synth.insight.number_atoms import Bools, Numbers

__all__ = ["entries_of", "lists_of", "thresholds_of"]

_MOST_ENTRIES = 30
_MOST_LISTED = 6
_MOST_IN_RULE = 3
"""Numbers in all, and in one rule where they are not evenly spaced: nobody remembers more."""

Found = tuple[tuple[str, ...], Bools]
"""Conditions of one rule each, and after which moves one of them holds."""


def entries_of(
    terms: Mapping[str, Numbers], bad: Bools, spend: Callable[[int], bool]
) -> Iterator[Found]:
    """Walk conditions that one number is what a table has for another, small tables first."""
    found: list[tuple[int, str, Bools]] = []
    for (given, column), (asked, other) in permutations(terms.items(), 2):
        if column.min() < 0 or other.min() < 0 or not spend(4):
            continue
        size = int(other.max()) + 1
        key = column * size + other
        spoiled = np.zeros(int(key.max()) + 1, dtype=bool)
        spoiled[key[bad]] = True
        held = ~spoiled[key]
        places = np.unique(key[held])
        rows = places // size
        table = dict(zip(rows.tolist(), (places % size).tolist(), strict=True))
        if len(table) == len(rows) and 0 < len(table) <= _MOST_ENTRIES:
            table = _as_pairs(table)
            entries = ", ".join(str(table.get(n, -1)) for n in range(max(table) + 1))
            found.append((len(entries), f"{asked} = entry({given}, {entries})", held))
    for _, text, held in sorted(found, key=lambda one: one[:2]):
        yield (text,), held


def _as_pairs(table: dict[int, int]) -> dict[int, int]:
    """Add the way back of each entry, if all are pairs then; such numbers may not occur."""
    back = {other: one for one, other in table.items()}
    pairs = back | table
    is_paired = len(back) == len(table) and all(pairs[pairs[one]] == one for one in pairs)
    return pairs if is_paired and max(pairs) < _MOST_ENTRIES else table


def lists_of(
    terms: Mapping[str, Numbers], bad: Bools, spend: Callable[[int], bool]
) -> Iterator[Found]:
    """Walk conditions that a number is one of a few, which only good moves leave.

    More than three that are not evenly spaced become two rules.
    """
    for term, column in terms.items():
        if " " in term or "(" in term or column.min() < 0 or not spend(2):
            continue
        values = np.setdiff1d(column[~bad], column[bad]).tolist()
        if 0 < len(values) <= _MOST_LISTED:
            is_even = len({b - a for a, b in pairwise(values)}) <= 1
            most = _MOST_LISTED if is_even else _MOST_IN_RULE
            parts = [values[n : n + most] for n in range(0, len(values), most)]
            yield tuple(_one_of(term, part) for part in parts), np.isin(column, values)


def _one_of(term: str, values: list[int]) -> str:
    if len(values) == 1:
        return f"{term} = {values[0]}"
    entries = ", ".join(str(n) if n in values else "-1" for n in range(max(values) + 1))
    return f"{term} = entry({term}, {entries})"


def thresholds_of(
    terms: Mapping[str, Numbers], bad: Bools, spend: Callable[[int], bool]
) -> Iterator[Found]:
    """Walk conditions that one number is less than what a table has for another."""
    found: list[tuple[int, str, Bools]] = []
    for (given, column), (asked, other) in permutations(terms.items(), 2):
        top = int(column.max())
        if column.min() < 0 or other.min() < 0 or top >= _MOST_ENTRIES or not spend(4):
            continue
        # Less than any number that a bad move leaves, and one more than all where there is none.
        bound = np.full(top + 1, int(other.max()) + 1, dtype=np.int64)
        np.minimum.at(bound, column[bad], other[bad])
        held = other < bound[column]
        if held.any():
            entries = ", ".join(map(str, bound.tolist()))
            found.append((len(entries), f"{asked} < entry({given}, {entries})", held))
    for _, text, held in sorted(found, key=lambda one: one[:2]):
        yield (text,), held
