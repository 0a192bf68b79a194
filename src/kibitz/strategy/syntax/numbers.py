"""Numbers that a state has, such as the sum of its heaps: what they are made of, and their values.

A Number is made of fluents, each with the number at one of its arguments; only fluents that hold
count. So the sum over `heap.2` is 5 where (heap a 2) and (heap b 3) hold, whatever else may.

Each kind is defined once, by `evaluate`, over the operations of an `Arithmetic`: integers of one
state, arrays of many, or literals of gates. The clauses of answer set programs are a fourth one
(`encodings.asp`). The reference checker counts by itself, on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial, reduce
from operator import add, mod, mul, not_, sub, xor
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from kibitz.gdl import Function

JOINS: dict[str, Callable[[Any, Any], Any]] = {
    "plus": add,
    "minus": sub,
    "times": mul,
    "remainder": mod,
    "distance": lambda a, b: abs(a - b),
    "xor": xor,
    "max": max,
    "min": min,
}
"""How two numbers make one."""
_FOLDS = {"number": "plus", "sum": "plus", "count": "plus", "nimsum": "xor", "largest": "max"}
OVER_FLUENTS = (*_FOLDS, "smallest")
"""Kinds of numbers that are made of fluents; the others are made of numbers."""
_SUMS = ("number", "sum", "count", "plus")
_FALSE, _TRUE = 0, 1

Bools = npt.NDArray[np.bool_]
Column = npt.NDArray[Any]
Pair = tuple[int, int]
Things = Sequence[tuple[Function, int]]


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
            corners = [JOINS[self.kind](a, b) for a in sides[0] for b in sides[1]]
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


N = TypeVar("N")
B = TypeVar("B")


class Arithmetic(Protocol[N, B]):
    """Whole numbers and truth values of one kind: integers, arrays, literals or clauses."""

    def const(self, value: int) -> N:
        """Return a constant."""

    def holds(self, fluent: Function) -> B:
        """Return whether a fluent holds."""

    def possible(self, things: Things) -> Things:
        """Return the fluents with numbers that may hold."""

    def no(self, value: B) -> B:
        """Negate."""

    def all(self, values: Sequence[B]) -> B:
        """Join by AND."""

    def choose(self, when: B, then: N, other: N) -> N:
        """Return one number where something holds, and another elsewhere."""

    def join(self, name: str, a: N, b: N) -> N:
        """Return what two numbers give, by a name of `JOINS`."""

    def lookup(self, table: tuple[int, ...], place: N) -> N:
        """Return what a table has at a place, and -1 outside."""

    def heads(self, held: Sequence[B], pairs: Sequence[Pair]) -> Sequence[B]:
        """Return truth values of which as many hold as places form groups."""

    def modulo(self, modulus: int) -> Arithmetic[N, B]:
        """Return an arithmetic whose sums may be taken modulo a number; 0 for exact ones."""

    def bounded(self, most: int) -> Arithmetic[Any, B]:
        """Return an arithmetic for numbers from 0, in which all from `most` may be one."""

    def unbounded(self, value: Any) -> N:
        """Return a number of the bounded arithmetic."""


def evaluate(number: Number, a: Arithmetic[N, B]) -> N:
    """Return a number in an arithmetic: what each kind means."""
    kind, things, table = number.kind, number.things, number.table
    if kind not in _SUMS:
        a = a.modulo(0)
    match kind:
        case "constant":
            return a.const(number.constant)
        case "entry":
            return a.lookup(table, evaluate(number.parts[0], a))
        case "remainder" if number.parts[1].kind == "constant":
            first, by = number.parts
            return a.join(kind, evaluate(first, a.modulo(by.constant)), evaluate(by, a))
        case "plus" | "minus" | "times" | "remainder" | "distance" | "xor":
            return reduce(partial(a.join, kind), (evaluate(part, a) for part in number.parts))
        case "smallest":
            found = a.const(0)
            for fluent, value in sorted(a.possible(things), key=lambda thing: -thing[1]):
                found = a.choose(a.holds(fluent), a.const(value), found)
            return found
        case "cases":
            return _count(
                (
                    a.all([a.holds(f) if asked else a.no(a.holds(f)) for f, asked in case])
                    for case in number.cases()
                ),
                a,
            )
        case "groups":
            return _count(a.heads([a.holds(f) for f, _ in things], [*_by_two(table)]), a)
        case "runs":
            return _runs(number, a)
        case "steps":
            return _steps(number, a)
        case _:
            nothing = a.const(0)
            possible = a.possible(things)
            values = (a.choose(a.holds(f), a.const(n), nothing) for f, n in possible if n)
            return reduce(partial(a.join, _FOLDS[kind]), values, nothing)


def _count(met: Iterable[B], a: Arithmetic[N, B]) -> N:
    one, none = a.const(1), a.const(0)
    return reduce(partial(a.join, "plus"), (a.choose(here, one, none) for here in met), none)


def _runs(number: Number, a: Arithmetic[N, B]) -> N:
    """Go along the places, with the length of the last run and the nim-sum of those before."""
    length = found = nothing = a.const(0)
    before = -2
    for fluent, place in sorted(number.things, key=lambda thing: thing[1]):
        live = a.holds(fluent)
        ended = a.join("xor", found, a.lookup(number.table, length))
        if place == before + 1:
            found = a.choose(live, found, ended)
            length = a.choose(live, a.join("plus", length, a.const(1)), nothing)
        else:
            found, length = ended, a.choose(live, a.const(1), nothing)
        before = place
    return a.join("xor", found, a.lookup(number.table, length))


def _steps(number: Number, exact: Arithmetic[N, B]) -> N:
    """Go through the circuit of steps, with numbers that are bounded by its constant."""
    a = exact.bounded(number.constant)
    nothing, never = a.const(0), a.const(number.constant)
    nodes = [a.const(1)] * (1 + max(place for _, place in number.things) // 2)
    # What the role has itself counts, whatever else stands there.
    for fluent, place in sorted(number.things, key=lambda thing: -(thing[1] % 2)):
        to = never if place % 2 else nothing
        nodes[place // 2] = a.choose(a.holds(fluent), to, nodes[place // 2])
    nodes += [nothing, never]
    for is_choice, one, other in _by_three(number.table[1:]):
        made = a.join("min" if is_choice else "plus", nodes[one], nodes[other])
        nodes.append(made if is_choice else a.join("min", made, never))
    return exact.unbounded(nodes[number.table[0]])


class _Integers:
    """Numbers of one state, by the fluents that hold in it."""

    const = staticmethod(int)
    all = staticmethod(all)
    no = staticmethod(not_)

    def __init__(self, fluents: Iterable[Function]) -> None:
        known = fluents if isinstance(fluents, frozenset | set) else frozenset(fluents)
        self.holds = known.__contains__

    def possible(self, things: Things) -> Things:
        return [thing for thing in things if self.holds(thing[0])]

    def choose(self, when: bool, then: int, other: int) -> int:
        return then if when else other

    def join(self, name: str, a: int, b: int) -> int:
        return int(JOINS[name](a, b))

    def lookup(self, table: tuple[int, ...], place: int) -> int:
        return table[place] if 0 <= place < len(table) else -1

    def heads(self, held: Sequence[bool], pairs: Sequence[Pair]) -> list[bool]:
        return [True for _ in group_places(held, pairs)]

    def modulo(self, modulus: int) -> _Integers:
        return self

    def bounded(self, most: int) -> _Integers:
        return self

    def unbounded(self, value: int) -> int:
        return value


class _Arrays:
    """Numbers of many states at once, by the columns of fluents."""

    JOINS: ClassVar[dict[str, Callable[[Any, Any], Any]]] = {
        **JOINS, "max": np.maximum, "min": np.minimum,
    }  # fmt: skip
    no = staticmethod(np.logical_not)

    def __init__(self, column: Callable[[Function], Bools], dtype: type = np.int64) -> None:
        self.holds, self.const = column, dtype

    def possible(self, things: Things) -> Things:
        return things

    def all(self, values: Sequence[Bools]) -> Bools:
        return np.logical_and.reduce(values) if values else np.array(True)

    def choose(self, when: Bools, then: Column, other: Column) -> Column:
        return np.where(when, then, other)

    def join(self, name: str, a: Column, b: Column) -> Column:
        return np.asarray(self.JOINS[name](a, b))

    def lookup(self, table: tuple[int, ...], place: Column) -> Column:
        inside = (place >= 0) & (place < len(table))
        return np.where(inside, np.array(table)[np.where(inside, place, 0)], -1)

    def heads(self, held: Sequence[Bools], pairs: Sequence[Pair]) -> list[Bools]:
        """Lower the first place that each is known to be joined to, until none is lowered."""
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
        return [here & (at == n) for n, (here, at) in enumerate(zip(held, first, strict=True))]

    def modulo(self, modulus: int) -> _Arrays:
        return self

    def bounded(self, most: int) -> _Arrays:
        return _Arrays(self.holds, np.uint8)  # no sum of two exceeds 255

    def unbounded(self, value: Column) -> Column:
        return value.astype(np.int64)


class Gates(Protocol):
    """Joins literals; a literal and its negation differ in the last bit."""

    def both(self, a: int, b: int) -> int:
        """Join by AND."""

    def either(self, a: int, b: int) -> int:
        """Join by OR."""


class _Literals:
    """Numbers as gates: for each value that one can have the literal that says it has it."""

    def __init__(self, holds: Callable[[Function], int], gates: Gates, modulus: int = 0) -> None:
        self.holds, self.gates, self.modulus = holds, gates, modulus

    def possible(self, things: Things) -> Things:
        return things

    def const(self, value: int) -> dict[int, int]:
        return {value: _TRUE}

    def no(self, value: int) -> int:
        return value ^ 1

    def all(self, values: Sequence[int]) -> int:
        return reduce(self.gates.both, values, _TRUE)

    def _either(self, pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
        found: dict[int, int] = {}
        for value, when in pairs:
            if when != _FALSE:
                found[value] = self.gates.either(found[value], when) if value in found else when
        return found

    def choose(self, when: int, then: dict[int, int], other: dict[int, int]) -> dict[int, int]:
        both = self.gates.both
        sides = ((when, then), (when ^ 1, other))
        return self._either((n, both(is_on, x)) for is_on, side in sides for n, x in side.items())

    def join(self, name: str, a: dict[int, int], b: dict[int, int]) -> dict[int, int]:
        made, both = JOINS[name], self.gates.both
        pairs = ((made(n, m), both(x, y)) for n, x in a.items() for m, y in b.items())
        if self.modulus and name == "plus":
            pairs = ((value % self.modulus, when) for value, when in pairs)
        return self._either(pairs)

    def lookup(self, table: tuple[int, ...], place: dict[int, int]) -> dict[int, int]:
        return self._either(
            (table[n] if 0 <= n < len(table) else -1, when) for n, when in place.items()
        )

    def heads(self, held: Sequence[int], pairs: Sequence[Pair]) -> list[int]:
        """Make paths longer by one place after another on their way, as by Warshall.

        That takes the cube of the number of places in gates.
        """
        both, either, count = self.gates.both, self.gates.either, len(held)
        path = [[_FALSE] * count for _ in range(count)]
        for a, b in pairs:
            path[a][b] = path[b][a] = both(held[a], held[b])
        for via in range(count):
            for a in range(count):
                if path[a][via] == _FALSE:
                    continue
                for b in range(a):
                    longer = both(path[a][via], path[via][b])
                    path[a][b] = path[b][a] = either(path[a][b], longer)
        return [
            both(here, reduce(either, path[place][:place], _FALSE) ^ 1)
            for place, here in enumerate(held)
        ]

    def modulo(self, modulus: int) -> _Literals:
        return self if modulus == self.modulus else _Literals(self.holds, self.gates, modulus)

    def bounded(self, most: int) -> _AtMost:
        return _AtMost(self.holds, self.gates, most)

    def unbounded(self, value: list[int]) -> dict[int, int]:
        steps = zip([*value, _TRUE], [_FALSE, *value], strict=True)
        return self._either((n, self.gates.both(x, y ^ 1)) for n, (x, y) in enumerate(steps))


class _AtMost(_Literals):
    """Small numbers as gates: a literal each for at most 0, 1, 2, … below a bound.

    Sums and minima need fewer gates than with a literal for each value.
    """

    def const(self, value: int) -> list[int]:  # type: ignore[override]
        return [int(value <= most) for most in range(self.modulus)]

    def choose(self, when: int, then: list[int], other: list[int]) -> list[int]:  # type: ignore[override]
        both, either = self.gates.both, self.gates.either
        pairs = zip(then, other, strict=True)
        return [either(both(when, x), both(when ^ 1, y)) for x, y in pairs]

    def join(self, name: str, a: list[int], b: list[int]) -> list[int]:  # type: ignore[override]
        both, either = self.gates.both, self.gates.either
        if name == "min":
            return [either(x, y) for x, y in zip(a, b, strict=True)]
        return [
            reduce(either, (both(a[part], b[most - part]) for part in range(most + 1)))
            for most in range(self.modulus)
        ]


def number_in(number: Number, fluents: Iterable[Function]) -> int:
    """Return the number of a state in which just these fluents hold.

    >>> a, b = (Function("heap", (Function(x), Function("3"))) for x in "ab")
    >>> number_in(Number("nimsum", ((a, 3), (b, 3))), [a])
    3
    """
    return evaluate(number, _Integers(fluents))


def number_column(number: Number, column: Callable[[Function], Bools], count: int) -> Column:
    """Return the number of each of some states, given the column of every fluent."""
    return np.broadcast_to(evaluate(number, _Arrays(column)), (count,))


def compared_values(
    one: Mapping[int, int],
    compare: Callable[[int, int], bool],
    other: Mapping[int, int],
    gates: Gates,
) -> int:
    """Return the literal that says how two numbers compare, given that of each of their values."""
    met = (
        gates.both(when_a, when_b)
        for a, when_a in one.items()
        for b, when_b in other.items()
        if compare(a, b)
    )
    return reduce(gates.either, met, _FALSE)


def number_gates(number: Number, holds: Callable[[Function], int], gates: Gates) -> dict[int, int]:
    """Return for each value that a number can have the literal that says it has it."""
    return evaluate(number, _Literals(holds, gates))


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


@lru_cache(maxsize=64)
def _cases(number: Number) -> list[list[tuple[Function, bool]]]:
    found: list[list[tuple[Function, bool]]] = [[]]
    for code in number.table:
        if code < 0:
            found.append([])
        else:
            found[-1].append((number.things[code >> 1][0], not code & 1))
    return found[:-1]


def _by_two(table: tuple[int, ...]) -> Iterable[Pair]:
    return zip(table[::2], table[1::2], strict=True)


def _by_three(table: tuple[int, ...]) -> Iterable[tuple[int, int, int]]:
    return zip(table[::3], table[1::3], table[2::3], strict=True)
