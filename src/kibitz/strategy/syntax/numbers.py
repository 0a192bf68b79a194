"""Numbers that a state has, such as the sum of its heaps: what they are made of, and their values.

A Number is made of fluents, each with the number at one of its arguments; only fluents that hold
count. So the sum over `heap.2` is 5 where (heap a 2) and (heap b 3) hold, whatever else may. Each
evaluator brings its own idea of truth: sets of fluents, columns of states, or gates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from operator import add, mul, sub, xor
from typing import Protocol

import numpy as np
import numpy.typing as npt

from kibitz.gdl import Function
from kibitz.strategy.syntax.groups import group_places, groups_column, heads_of_groups

__all__ = [
    "OVER_FLUENTS",
    "Gates",
    "Number",
    "compared_values",
    "number_column",
    "number_gates",
    "number_in",
    "number_literal",
]

OVER_FLUENTS = ("number", "sum", "nimsum", "largest", "smallest", "count")
"""Kinds of numbers that are made of fluents; the others are made of numbers."""

_JOINING: dict[str, Callable[[int, int], int]] = {
    "number": add,
    "sum": add,
    "count": add,
    "nimsum": xor,
    "largest": max,
    "plus": add,
    "minus": sub,
    "times": mul,
    "remainder": lambda a, b: a % b,
    "distance": lambda a, b: abs(a - b),
    "xor": xor,
}


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a state: a constant, made of fluents, or made of other numbers.

    `largest` and `smallest` are 0 where none of the fluents holds; an `entry` is what its table has
    at its one part, counted from 0, and -1 where it has nothing. `runs` is the nim-sum of what its
    table has for the lengths of runs: of fluents that hold at numbers which follow one another.
    `steps` is what is lacking at least, by a circuit of alternatives and sums (`steps_to_win`): its
    leaf n is 0 where the thing with the number 2n holds, `constant` where one with 2n + 1 does,
    and else 1. `cases` is how many cases there are (`neighbours`, `ways`): each asks for some
    things, 2n for the n-th of them and 2n + 1 for its absence, and ends in `table` with -1.
    `groups` counts groups of things that hold, joined by neighbours: `table` has the places of two
    things each. `text` is how it is written.
    """

    kind: str
    things: tuple[tuple[Function, int], ...] = ()
    parts: tuple[Number, ...] = ()
    constant: int = 0
    table: tuple[int, ...] = ()
    text: str = field(default="", compare=False)

    def __hash__(self) -> int:
        # Tables are long, and numbers are looked up often.
        return hash((self.kind, self.things[:8], self.parts, self.constant, self.table[:8]))

    def fluents(self) -> frozenset[Function]:
        """Return the fluents on which the number depends."""
        return frozenset(f for f, _ in self.things).union(*(p.fluents() for p in self.parts))

    def carried(self, fluents: Mapping[Function, Function]) -> Number:
        """Return the image under a symmetry, which is the same number if it keeps the fluents.

        >>> a, b = (Function("heap", (Function(x), Function("1"))) for x in "ab")
        >>> both = Number("sum", ((a, 1), (b, 1)), text="sum(heap.2)")
        >>> both.carried({a: b, b: a}).text
        'sum(heap.2)'
        """
        moved = {(fluents.get(fluent, fluent), number) for fluent, number in self.things}
        if self.kind == "runs":
            # Runs are as long read backwards.
            here, there = (
                [fluent for fluent, _ in sorted(things, key=lambda thing: thing[1])]
                for things in (self.things, moved)
            )
            if here == there[::-1] and self._is_even():
                return self
        parts = tuple(part.carried(fluents) for part in self.parts)
        if self.kind in ("steps", "cases", "groups"):
            image = replace(
                self, things=tuple((fluents.get(f, f), n) for f, n in self.things), text=""
            )
            return self if image.essence() == self.essence() else image
        if moved == set(self.things) and parts == self.parts:
            return self
        things = tuple(sorted(moved, key=lambda pair: (str(pair[0]), pair[1])))
        return replace(self, things=things, parts=parts, text="")

    def essence(self) -> set[object]:
        """Return what says which goal steps lead to, or which cases are counted.

        A symmetry of the game that keeps a role's things keeps its goal.
        """
        if self.kind == "cases":
            return set(map(frozenset, self.cases()))
        if self.kind == "groups":
            names = [fluent for fluent, _ in self.things]
            return {frozenset((names[a], names[b])) for a, b in _by_two(self.table)}
        return {fluent for fluent, number in self.things if number % 2 == 0}

    def cases(self) -> list[list[tuple[Function, bool]]]:
        """Return the cases that are counted: things, each with whether it must be there."""
        return _cases(self)

    def _is_even(self) -> bool:
        """Return whether there is a fluent at each place from the first to the last."""
        places = sorted(place for _, place in self.things)
        return places == list(range(places[0], places[0] + len(places)))

    @property
    def is_atomic(self) -> bool:
        """Whether it is written without an operator."""
        return not self.parts or self.kind in ("distance", "entry", "xor")

    def entry(self, place: int) -> int:
        """Return what the table has at a place."""
        return self.table[place] if 0 <= place < len(self.table) else -1

    def run_value(self, numbers: Iterable[int]) -> int:
        """Return the nim-sum of what the table has for runs of numbers."""
        found, length, last = 0, 0, -2
        for number in sorted(numbers):
            if number != last + 1:
                found, length = found ^ self.table[length], 0
            length, last = length + 1, number
        return found ^ self.table[length]

    def bounds(self) -> tuple[int, int]:
        """Return numbers between which it always is."""
        if self.kind == "constant":
            return self.constant, self.constant
        if self.kind == "entry":
            return min(-1, *self.table), max(-1, *self.table)
        if self.parts:
            sides = [part.bounds() for part in self.parts]
            if self.kind == "remainder":
                return 0, sides[1][1] - 1
            if self.kind == "xor":
                most = 2 * max(abs(bound) for side in sides for bound in side) + 1
                return min(0, -most * any(low < 0 for low, _ in sides)), most
            corners = [_JOINING[self.kind](a, b) for a in sides[0] for b in sides[1]]
            return min(0, *corners), max(0, *corners)
        if self.kind == "runs":
            return 0, 2 * max(self.table) + 1
        if self.kind == "steps":
            return 0, self.constant
        if self.kind == "cases":
            return 0, self.table.count(-1)
        if self.kind == "groups":
            return 0, len(self.things)
        if self.kind in ("largest", "smallest"):
            values = [value for _, value in self.things]
            return min(0, *values), max(0, *values)
        total = sum(value for _, value in self.things)
        return (0, 2 * total) if self.kind == "nimsum" else (min(0, total), max(0, total))


def number_in(number: Number, fluents: Iterable[Function]) -> int:
    """Return the number of a state in which just these fluents hold.

    >>> a, b = (Function("heap", (Function(x), Function("3"))) for x in "ab")
    >>> number_in(Number("nimsum", ((a, 3), (b, 3))), [a])
    3
    """
    known = fluents if isinstance(fluents, frozenset | set) else frozenset(fluents)
    if number.kind == "constant":
        return number.constant
    if number.kind == "entry":
        return number.entry(number_in(number.parts[0], known))
    if number.parts:
        return reduce(_JOINING[number.kind], (number_in(part, known) for part in number.parts))
    if number.kind == "cases":
        return sum(all((f in known) == asked for f, asked in case) for case in number.cases())
    if number.kind == "groups":
        held_at = [fluent in known for fluent, _ in number.things]
        return len(group_places(held_at, _by_two(number.table)))
    if number.kind == "steps":
        return _steps_in(number, frozenset(known))
    held = [value for fluent, value in number.things if fluent in known]
    if number.kind == "runs":
        return number.run_value(held)
    if number.kind == "smallest":
        return min(held, default=0)
    return reduce(_JOINING[number.kind], held, 0)


def number_column(
    number: Number, column: Callable[[Function], npt.NDArray[np.bool_]], count: int
) -> npt.NDArray[np.int64]:
    """Return the number of each of some states, given the column of every fluent."""
    if number.kind == "constant":
        return np.full(count, number.constant, dtype=np.int64)
    if number.kind == "entry":
        places = number_column(number.parts[0], column, count)
        inside = (places >= 0) & (places < len(number.table))
        return np.where(inside, np.array(number.table)[np.where(inside, places, 0)], -1)
    if number.parts:
        first, *others = (number_column(part, column, count) for part in number.parts)
        for other in others:
            match number.kind:
                case "plus":
                    first = first + other
                case "minus":
                    first = first - other
                case "times":
                    first = first * other
                case "remainder":
                    first = first % other
                case "xor":
                    first = first ^ other
                case _:
                    first = np.abs(first - other)
        return first
    if number.kind == "steps":
        return _steps_column(number, column, count)
    found = np.zeros(count, dtype=np.int64)
    if number.kind == "groups":
        by_place = [column(fluent) for fluent, _ in number.things]
        return groups_column(by_place, list(_by_two(number.table)))
    if number.kind == "cases":
        for case in number.cases():
            found += np.logical_and.reduce([column(f) == asked for f, asked in case])
        return found
    if number.kind == "runs":
        table = np.array(number.table, dtype=np.int64)
        length = np.zeros(count, dtype=np.int64)
        before = -2
        for fluent, place in _by_place(number):
            live = column(fluent)
            ends = ~live if place == before + 1 else np.ones(count, dtype=bool)
            found = np.where(ends, found ^ table[length], found)
            length = np.where(live, np.where(ends, 0, length) + 1, 0)
            before = place
        return found ^ table[length]
    if number.kind == "smallest":
        above = 1 + max((value for _, value in number.things), default=0)
        found[:] = above
        for fluent, value in number.things:
            found = np.minimum(found, np.where(column(fluent), value, above))
        return np.where(found == above, 0, found)
    for fluent, value in number.things:
        held = column(fluent) * np.int64(value)
        if number.kind == "nimsum":
            found ^= held
        elif number.kind == "largest":
            found = np.maximum(found, held)
        else:
            found += held
    return found


@lru_cache(maxsize=64)
def _cases(number: Number) -> list[list[tuple[Function, bool]]]:
    found: list[list[tuple[Function, bool]]] = [[]]
    for code in number.table:
        if code < 0:
            found.append([])
        else:
            found[-1].append((number.things[code >> 1][0], not code & 1))
    return found[:-1]


def _by_two(table: tuple[int, ...]) -> Iterable[tuple[int, int]]:
    return zip(table[::2], table[1::2], strict=True)


def _by_three(table: tuple[int, ...]) -> Iterable[tuple[int, int, int]]:
    return zip(table[::3], table[1::3], table[2::3], strict=True)


@lru_cache(maxsize=256)
def _steps_in(number: Number, known: frozenset[Function]) -> int:
    """Return what the circuit of steps gives in one state, which is asked for several times."""
    never = number.constant
    nodes = [1] * (1 + max(place for _, place in number.things) // 2)
    for fluent, place in number.things:
        if fluent in known:
            nodes[place // 2] = never if place % 2 else 0
    nodes += [0, never]
    for is_choice, a, b in _by_three(number.table[1:]):
        one, other = nodes[a], nodes[b]
        nodes.append(min(one, other) if is_choice else min(one + other, never))
    return nodes[number.table[0]]


def _steps_column(
    number: Number, column: Callable[[Function], npt.NDArray[np.bool_]], count: int
) -> npt.NDArray[np.int64]:
    """Return what the circuit of steps gives in each of some states."""
    never = np.uint8(number.constant)
    leaves = 1 + max(place for _, place in number.things) // 2
    nodes = [np.ones(count, dtype=np.uint8) for _ in range(leaves)]
    for fluent, place in number.things:
        nodes[place // 2][column(fluent)] = never if place % 2 else 0
    nodes += [np.zeros(count, dtype=np.uint8), np.full(count, never)]
    for is_choice, a, b in _by_three(number.table[1:]):
        if is_choice:
            nodes.append(np.minimum(nodes[a], nodes[b]))
        else:
            total = nodes[a] + nodes[b]
            nodes.append(np.minimum(total, never, out=total))
    return nodes[number.table[0]].astype(np.int64)


class Gates(Protocol):
    """Joins literals; a literal and its negation differ in the last bit."""

    def both(self, a: int, b: int) -> int:
        """Join by AND."""

    def either(self, a: int, b: int) -> int:
        """Join by OR."""


def number_literal(
    left: Number,
    compare: Callable[[int, int], bool],
    right: Number,
    holds: Callable[[Function], int],
    gates: Gates,
) -> int:
    """Return the literal that says how two numbers compare, given the literal of every fluent."""
    one, other = (number_gates(number, holds, gates) for number in (left, right))
    return compared_values(one, compare, other, gates)


def compared_values(
    one: Mapping[int, int],
    compare: Callable[[int, int], bool],
    other: Mapping[int, int],
    gates: Gates,
) -> int:
    """Return the literal that says how two numbers compare, given that of each of their values."""
    found = _TRUE ^ 1
    for a, when_a in one.items():
        for b, when_b in other.items():
            if compare(a, b):
                found = gates.either(found, gates.both(when_a, when_b))
    return found


def number_gates(
    number: Number, holds: Callable[[Function], int], gates: Gates, modulus: int = 0
) -> dict[int, int]:
    """Return for each value that a number can have the literal that says it has it.

    Fluents are added one after another, so that there are as many gates as fluents times values.
    With a modulus, sums are taken modulo it.
    """
    if number.kind == "constant":
        return {number.constant: _TRUE}
    if number.kind == "remainder" and number.parts[1].kind == "constant":
        modulus = number.parts[1].constant
        inner = number_gates(number.parts[0], holds, gates, modulus)
        return _joined(inner, {modulus: _TRUE}, _JOINING["remainder"], gates)
    if number.kind == "entry":
        listed: dict[int, int] = {}
        for place, when in number_gates(number.parts[0], holds, gates).items():
            value = number.entry(place)
            listed[value] = gates.either(listed[value], when) if value in listed else when
        return listed
    join = _JOINING.get(number.kind, max)
    if modulus and number.kind in ("number", "sum", "count", "plus"):

        def join(a: int, b: int) -> int:
            return (a + b) % modulus

    if number.parts:
        keeps = modulus if number.kind == "plus" else 0
        found = number_gates(number.parts[0], holds, gates, keeps)
        for part in number.parts[1:]:
            found = _joined(found, number_gates(part, holds, gates, keeps), join, gates)
        return found
    if number.kind == "smallest":
        return _smallest(number, holds, gates)
    if number.kind == "steps":
        return _steps_gates(number, holds, gates)
    if number.kind == "cases":
        found = {0: _TRUE}
        for case in number.cases():
            literals = [holds(fluent) ^ (not asked) for fluent, asked in case]
            here = reduce(gates.both, literals, _TRUE)
            if here != _TRUE ^ 1:
                found = _joined(found, {1: here, 0: here ^ 1}, add, gates)
        return found
    if number.kind == "runs":
        return _runs(number, holds, gates)
    if number.kind == "groups":
        held_at = [holds(fluent) for fluent, _ in number.things]
        found = {0: _TRUE}
        for head in heads_of_groups(held_at, _by_two(number.table), gates):
            found = _joined(found, {1: head, 0: head ^ 1}, add, gates)
        return found
    found = {0: _TRUE}
    for fluent, value in number.things:
        if value:
            held = holds(fluent)
            found = _joined(found, {value: held, 0: held ^ 1}, join, gates)
    return found


_TRUE = 1


def _steps_gates(number: Number, holds: Callable[[Function], int], gates: Gates) -> dict[int, int]:
    """Return the values of a circuit of steps; each node has a literal for at most 0, 1, 2, …"""
    never = number.constant
    leaves = 1 + max(place for _, place in number.things) // 2
    own, blocked = [_TRUE ^ 1] * leaves, [_TRUE ^ 1] * leaves
    for fluent, place in number.things:
        if place % 2:
            blocked[place // 2] = gates.either(blocked[place // 2], holds(fluent))
        else:
            own[place // 2] = holds(fluent)
    within = [
        [has] + [gates.either(has, other ^ 1)] * (never - 1)
        for has, other in zip(own, blocked, strict=True)
    ]
    within += [[_TRUE] * never, [_TRUE ^ 1] * never]
    for is_choice, a, b in _by_three(number.table[1:]):
        one, other = within[a], within[b]
        if is_choice:
            within.append([gates.either(x, y) for x, y in zip(one, other, strict=True)])
            continue
        total = []
        for most in range(never):
            here = _TRUE ^ 1
            for part in range(most + 1):
                here = gates.either(here, gates.both(one[part], other[most - part]))
            total.append(here)
        within.append(total)
    found: dict[int, int] = {}
    before = _TRUE ^ 1
    for value, here in enumerate([*within[number.table[0]], _TRUE]):
        found[value] = gates.both(here, before ^ 1)
        before = here
    return {value: when for value, when in found.items() if when != _TRUE ^ 1}


def _smallest(number: Number, holds: Callable[[Function], int], gates: Gates) -> dict[int, int]:
    """From the largest on, so that the last one that holds decides."""
    found = {0: _TRUE}
    for fluent, value in sorted(number.things, key=lambda pair: -pair[1]):
        held = holds(fluent)
        found = {before: gates.both(when, held ^ 1) for before, when in found.items()}
        found[value] = gates.either(found[value], held) if value in found else held
    return found


def _by_place(number: Number) -> list[tuple[Function, int]]:
    return sorted(number.things, key=lambda thing: thing[1])


def _runs(number: Number, holds: Callable[[Function], int], gates: Gates) -> dict[int, int]:
    """Go along the places, with the length of the last run and the nim-sum of those before."""
    along: dict[tuple[int, int], int] = {(0, 0): _TRUE}
    before = -2
    for fluent, place in _by_place(number):
        held = holds(fluent)
        after: dict[tuple[int, int], int] = {}
        for (length, found), when in along.items():
            ended = found ^ number.table[length]
            goes_on = (length + 1, found) if place == before + 1 else (1, ended)
            for key, now in ((goes_on, held), ((0, ended), held ^ 1)):
                both = gates.both(when, now)
                after[key] = gates.either(after[key], both) if key in after else both
        along, before = after, place
    values: dict[int, int] = {}
    for (length, found), when in along.items():
        value = found ^ number.table[length]
        values[value] = gates.either(values[value], when) if value in values else when
    return values


def _joined(
    one: dict[int, int], other: dict[int, int], join: Callable[[int, int], int], gates: Gates
) -> dict[int, int]:
    found: dict[int, int] = {}
    for a, when_a in one.items():
        for b, when_b in other.items():
            both, value = gates.both(when_a, when_b), join(a, b)
            found[value] = gates.either(found[value], both) if value in found else both
    return found
