"""Decision diagrams of a game: bits of fluents, their order, and the budget of nodes and seconds.

A unit is a group of fluents of which at most one is proved to hold, or a single fluent. Its state
is a code of a few bits. One-hot codes have a bit for each fluent; binary codes
number the fluents. Every bit has a variable for the state before a move, and below it one for the
state after.

Sets of units that belong together, because one gate or the next value of one fluent depends on
them, should lie close. The FORCE heuristic (Aloul, Markov and Sakallah 2003) moves every unit to
the mean of the centres of its sets until that no longer shortens them. Units that nearly every
fluent depends on, such as whose turn it is, come first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from oxidd.bcdd import BCDDFunction as Function, BCDDManager as Manager
from oxidd.util import DDMemoryError

from kibitz.budget import Budget, time_left
from kibitz.engine import Grounding, Literal, Network, bits_of
from kibitz.errors import BudgetExceededError

Progress = Callable[[str], None]
"""Called now and then with how far the work has come."""

_MOST_CACHED = 1 << 22
"""Results that are cached; the table is allocated at once, so more make every start slow."""
NODE_BYTES = 64
"""The bytes of a node with its share of tables and caches."""


def nodes_within(size: int) -> int:
    """Return how many nodes fit into a number of bytes."""
    return min(size // NODE_BYTES, 1 << 30)


class Work:
    """Watches one piece of work; `tick` is called between operations."""

    def __init__(self, nodes: int, seconds: float, progress: Progress | None = None) -> None:
        self.nodes, self.seconds = nodes, seconds
        self.start = time.monotonic()
        self.deadline = self.start + seconds
        self.done = ""
        self._progress = progress

    def manager(self) -> Manager:
        """Make a manager of diagrams that respects the budget of nodes."""
        return Manager(self.nodes, max(1 << 16, min(self.nodes // 4, _MOST_CACHED)), 1)

    def tick(self) -> None:
        """Raise BudgetExceededError if time is up."""
        if time.monotonic() > self.deadline or time_left() <= 0:
            raise Budget(self.seconds).exceeded("time", self._so_far())

    def report(self, done: str) -> None:
        """Report how far the work has come."""
        self.done = done
        if self._progress:
            self._progress(done)

    @contextmanager
    def bounded(self, doing: str) -> Iterator[None]:
        """Turn running out of nodes into an error that says what was being done."""
        self.report(doing)
        try:
            yield
        except DDMemoryError:
            raise BudgetExceededError(
                f"{self._so_far()} needs more than {self.nodes:,} nodes",
                hint="allow more memory with --memory, or solve it explicitly",
                options=["--memory"],
            ) from None

    def _so_far(self) -> str:
        return self.done or "this"


Bit = int
"""A bit of the state, numbered from the top of the variable order."""

_FEWEST = 3
"""The smallest group for which numbering pays, in fluents."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Fluents of which at most one holds, and a code for each case.

    `codes` are those of the fluents; `none` is the code where none holds, None if one always does.
    """

    fluents: tuple[int, ...]
    codes: tuple[int, ...]
    none: int | None
    width: int

    @property
    def is_one_hot(self) -> bool:
        """Whether every fluent has its own bit."""
        return self.width == len(self.fluents)


def find_units(grounding: Grounding, *, binary: bool = True) -> list[Unit]:
    """Partition the fluents of a network into units, large groups first.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.engine.grounding import ground
    >>> units = find_units(ground(load_sheet("nim:1,2,4,5")))
    >>> [(len(unit.fluents), unit.width) for unit in units]
    [(1, 1), (1, 1), (2, 2), (5, 3), (6, 3)]
    """
    number = {fluent: i for i, fluent in enumerate(grounding.network.fluents)}
    left = set(number.values())
    units = []
    for members, is_exact in sorted(grounding.groups, key=lambda group: -len(group[0])):
        kept = tuple(number[fluent] for fluent in members if fluent in number)
        if len(kept) < 2 or not left.issuperset(kept):
            continue
        left.difference_update(kept)
        units.append(_unit(kept, is_exact and len(kept) == len(members), binary))
    units += [Unit((fluent,), (1,), 0, 1) for fluent in left]
    return sorted(units, key=lambda unit: unit.fluents)


def _unit(fluents: tuple[int, ...], is_exact: bool, binary: bool) -> Unit:
    cases = len(fluents) + (not is_exact)
    width = (cases - 1).bit_length()
    if binary and len(fluents) >= _FEWEST and width < len(fluents):
        first = 0 if is_exact else 1
        codes = tuple(range(first, first + len(fluents)))
        return Unit(fluents, codes, None if is_exact else 0, width)
    codes = tuple(1 << place for place in range(len(fluents)))
    return Unit(fluents, codes, None if is_exact else 0, len(fluents))


class Encoding:
    """Units in an order, as variables of a diagram."""

    def __init__(self, manager: Manager, units: Sequence[Unit]) -> None:
        self.manager, self.units = manager, tuple(units)
        self.width = sum(unit.width for unit in units)
        manager.add_vars(2 * self.width)
        self.now = [manager.var(2 * bit) for bit in range(self.width)]
        self.after = [manager.var(2 * bit + 1) for bit in range(self.width)]
        self.true, self.false = manager.true(), manager.false()
        self.first_bits: list[Bit] = []
        start = 0
        for unit in units:
            self.first_bits.append(start)
            start += unit.width

    @staticmethod
    def variable(bit: Bit) -> int:
        """Return the variable of a bit before a move."""
        return 2 * bit

    @staticmethod
    def variable_after(bit: Bit) -> int:
        """Return the variable of a bit after a move."""
        return 2 * bit + 1

    @cached_property
    def fluents(self) -> list[Function]:
        """For each fluent, the states in which it holds."""
        found: dict[int, Function] = {}
        for unit, first in zip(self.units, self.first_bits, strict=True):
            for place, (fluent, code) in enumerate(zip(unit.fluents, unit.codes, strict=True)):
                is_bit = unit.is_one_hot
                found[fluent] = self.now[first + place] if is_bit else self.case(unit, first, code)
        return [found[fluent] for fluent in range(len(found))]

    def case(self, unit: Unit, first: Bit, code: int) -> Function:
        """Return the states in which a unit has a code."""
        result = self.true
        for place in reversed(range(unit.width)):
            bit = self.now[first + place]
            result = result & (bit if code >> place & 1 else ~bit)
        return result

    @cached_property
    def valid(self) -> Function:
        """The states in which every unit has one of its codes."""
        result = self.true
        for unit, first in reversed(list(zip(self.units, self.first_bits, strict=True))):
            codes = [*unit.codes, *([] if unit.none is None else [unit.none])]
            here = self.false
            if len(codes) == 1 << unit.width:
                continue
            for code in codes:
                here = here | self.case(unit, first, code)
            result = result & here
        return result

    def sources(self, next_literals: Sequence[Literal]) -> list[list[Literal]]:
        """For each bit, return literals of which one holds when the bit is set after a move."""
        return [
            [
                next_literals[fluent]
                for fluent, code in zip(unit.fluents, unit.codes, strict=True)
                if code >> place & 1
            ]
            for unit in self.units
            for place in range(unit.width)
        ]

    def bits_of(self, fluents: Iterable[int]) -> set[Bit]:
        """Return all bits of the units that fluents belong to."""
        wanted = set(fluents)
        return {
            first + place
            for unit, first in zip(self.units, self.first_bits, strict=True)
            if wanted & set(unit.fluents)
            for place in range(unit.width)
        }

    def assignment(self, key: int) -> list[bool] | None:
        """Return the bits of a state, given its key; None if it has no code."""
        bits: list[bool] = []
        for unit in self.units:
            holding = [
                code
                for fluent, code in zip(unit.fluents, unit.codes, strict=True)
                if key >> fluent & 1
            ]
            if len(holding) > 1 or (not holding and unit.none is None):
                return None
            code = holding[0] if holding else unit.none or 0
            bits += [bool(code >> place & 1) for place in range(unit.width)]
        return bits

    def cube(self, key: int) -> Function:
        """Return the set that holds one state."""
        result = self.true
        bits = self.assignment(key)
        if bits is None:
            return self.false
        for value, now in zip(reversed(bits), reversed(self.now), strict=True):
            result = result & (now if value else ~now)
        return result

    def cube_of_bits(self, bits: Iterable[Bit]) -> Function:
        """Return the conjunction of the variables of bits, the form that quantifiers need."""
        result = self.true
        for bit in sorted(bits, reverse=True):
            result = result & self.now[bit]
        return result


def next_cones(network: Network) -> list[frozenset[int]]:
    """For each fluent, return itself and the fluents that decide its value after a move.

    They decide it directly, or whether a move that matters to it is legal.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.engine.grounding import ground
    >>> network = ground(load_sheet("bottom2:3,3x3")).network
    >>> print(*sorted(str(network.fluents[i]) for i in next_cones(network)[12]))
    (cell 1 1 o) (cell 1 1 x) (cell 2 1 o) (cell 2 1 x) (cell 3 1 o) (cell 3 1 x) (control xplayer)
    """
    supports = network.supports()
    count = len(network.fluents)
    fluents = (1 << count + 1) - 2
    legal = [supports[literal >> 1] & fluents for row in network.legal for literal in row]
    cones = []
    for fluent, literal in enumerate(network.next):
        support = supports[literal >> 1]
        cone = support & fluents | 1 << fluent + 1
        for move in bits_of(support >> network.first_move):
            cone |= legal[move]
        cones.append(frozenset(bit - 1 for bit in bits_of(cone)))
    return cones


def gate_supports(network: Network, most: int) -> set[frozenset[int]]:
    """Return the sets of two to `most` fluents that single gates depend on."""
    fluents = (1 << len(network.fluents) + 1) - 2
    found = {support & fluents for support in network.supports()[network.first_gate :]}
    return {
        frozenset(bit - 1 for bit in bits_of(support))
        for support in found
        if 2 <= support.bit_count() <= most
    }


_ROUNDS = 60
_WIDEST_GATE = 16


def candidate_orders(network: Network, units: Sequence[Unit]) -> dict[str, list[Unit]]:
    """Return candidate orders by name, without repetition.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.engine.grounding import ground
    >>> from kibitz.solve.symbolic.encoding import find_units
    >>> grounding = ground(load_sheet("connect:3,3x3"))
    >>> orders = candidate_orders(grounding.network, find_units(grounding))
    >>> [str(grounding.network.fluents[unit.fluents[0]]) for unit in orders["moves"][:4]]
    ['(control xplayer)', '(cell 1 1 o)', '(cell 2 1 o)', '(cell 3 1 o)']
    """
    owner = {fluent: place for place, unit in enumerate(units) for fluent in unit.fluents}

    def in_units(sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
        found = {frozenset(owner[fluent] for fluent in members) for members in sets}
        return sorted(found, key=sorted)

    cones = in_units(next_cones(network))
    hubs = {
        place
        for place in range(len(units))
        if sum(place in cone for cone in cones) > max(2, len(cones) // 2)
    }
    rest = [place for place in range(len(units)) if place not in hubs]
    moves = [cone - hubs for cone in cones if len(cone - hubs) > 1]
    gates = [g - hubs for g in in_units(gate_supports(network, _WIDEST_GATE)) if len(g - hubs) > 1]
    found: dict[str, list[Unit]] = {}
    for name, order in (
        ("written", rest),
        ("moves", arrange(rest, moves)),
        ("gates", arrange(rest, gates)),
        ("both", arrange(rest, [*moves, *gates])),
    ):
        arranged = [units[place] for place in [*sorted(hubs), *order]]
        if arranged not in found.values():
            found[name] = arranged
    return found


def arrange(items: Sequence[int], sets: Sequence[frozenset[int]]) -> list[int]:
    """Order items so that the members of each set lie close together.

    >>> arrange([0, 1, 2, 3, 4, 5], [frozenset({0, 3}), frozenset({1, 4}), frozenset({2, 5})])
    [0, 3, 1, 4, 2, 5]
    """
    order = list(items)
    member_of: dict[int, list[int]] = {item: [] for item in items}
    for number, members in enumerate(sets):
        for item in members:
            member_of[item].append(number)
    best, least = order, _span(order, sets)
    for _ in range(_ROUNDS):
        place = {item: float(index) for index, item in enumerate(order)}
        centre = [sum(place[item] for item in members) / len(members) for members in sets]
        pull = {
            item: sum(centre[n] for n in inside) / len(inside) if inside else place[item]
            for item, inside in member_of.items()
        }
        new = sorted(order, key=lambda item: (pull[item], place[item]))
        if new == order:
            break
        order = new
        span = _span(order, sets)
        if span < least:
            best, least = order, span
    return best


def _span(order: Sequence[int], sets: Sequence[frozenset[int]]) -> int:
    """Sum up how far apart the first and the last member of each set are."""
    place = {item: index for index, item in enumerate(order)}
    return sum(
        max(place[item] for item in members) - min(place[item] for item in members)
        for members in sets
    )
