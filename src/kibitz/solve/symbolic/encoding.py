"""Fluents as bits of a decision diagram: which bits there are, and what they say about fluents.

A unit is a group of fluents of which at most one is proved to hold, or a single fluent. Its state
is a code of a few bits. One-hot codes have a bit for each fluent; binary codes
number the fluents. Every bit has a variable for the state before a move, and below it one for the
state after.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from oxidd.bcdd import BCDDFunction as Function, BCDDManager as Manager

from kibitz.engine import Grounding, Literal

__all__ = ["Bit", "Encoding", "Function", "Manager", "Unit", "find_units"]

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
