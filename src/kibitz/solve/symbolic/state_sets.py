"""A set of states as a decision diagram: count, sample, list, and test for members."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame, State
from kibitz.errors import InputError
from kibitz.rows import row_words, sort_rows
from kibitz.solve.symbolic.encoding import Encoding, Function

__all__ = ["StateSet"]

Rows = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class StateSet:
    """States of a game; those of one space can be joined by | & - and compared."""

    game: CompiledGame = field(repr=False)
    encoding: Encoding = field(repr=False)
    function: Function = field(repr=False)

    @cached_property
    def count(self) -> int:
        """How many states there are, exactly."""
        width = self.encoding.width
        return self.function.sat_count(2 * width) >> width

    @property
    def nodes(self) -> int:
        """How many nodes the diagram has."""
        return self.function.node_count()

    def __bool__(self) -> bool:
        return self.function.satisfiable()

    def __contains__(self, state: State) -> bool:
        assert isinstance(state.key, int)
        bits = self.encoding.assignment(state.key)
        if bits is None:
            return False
        return self.function.eval((self.encoding.variable(i), bit) for i, bit in enumerate(bits))

    def __or__(self, other: StateSet) -> StateSet:
        return self._with(self.function | other.function)

    def __and__(self, other: StateSet) -> StateSet:
        return self._with(self.function & other.function)

    def __sub__(self, other: StateSet) -> StateSet:
        return self._with(self.function & ~other.function)

    def _with(self, function: Function) -> StateSet:
        return StateSet(self.game, self.encoding, function)

    def including(self, states: Iterable[State]) -> StateSet:
        """Return the set with some more states."""
        sets = [self.function]
        for state in states:
            assert isinstance(state.key, int)
            sets.append(self.encoding.cube(state.key))
        while len(sets) > 1:
            sets = [
                sets[i] | sets[i + 1] if i + 1 < len(sets) else sets[i]
                for i in range(0, len(sets), 2)
            ]
        return self._with(sets[0])

    def sample(self, count: int, *, seed: int = 0) -> list[State]:
        """Draw different states, each as likely as any other; all of them if there are no more.

        States are numbered by the diagram and numbers are drawn, so the chances are exact.
        """
        flat = self._flat
        total = flat.below(flat.root, 0)
        if count < 0:
            raise InputError(f"{count} states cannot be drawn")
        if count >= total:
            ranks: Iterable[int] = range(total)
        else:
            source = random.Random(seed)
            drawn: dict[int, None] = {}
            while len(drawn) < count:
                drawn[source.randrange(total)] = None
            ranks = drawn
        return [State(self.game, self._key(flat.unrank(rank))) for rank in ranks]

    def _key(self, bits: list[bool]) -> int:
        key = 0
        for unit, first in zip(self.encoding.units, self.encoding.first_bits, strict=True):
            code = sum(bits[first + place] << place for place in range(unit.width))
            if code in unit.codes:
                key |= 1 << unit.fluents[unit.codes.index(code)]
        return key

    def rows(self) -> Rows:
        """List all states, one row for each, in the form of `StateSpace.states` and sorted."""
        words = row_words(len(self.game.network.fluents))
        codes = self._flat.codes()
        rows = np.zeros((len(codes), words), dtype=np.uint64)
        one = np.uint64(1)
        for unit, first in zip(self.encoding.units, self.encoding.first_bits, strict=True):
            code = np.zeros(len(codes), dtype=np.uint64)
            for place in range(unit.width):
                bit = first + place
                code |= (codes[:, bit // 64] >> np.uint64(bit % 64) & one) << np.uint64(place)
            for fluent, value in zip(unit.fluents, unit.codes, strict=True):
                holds = (code == value).astype(np.uint64)
                rows[:, fluent // 64] |= holds << np.uint64(fluent % 64)
        return sort_rows(rows)

    @cached_property
    def _flat(self) -> _Flat:
        return _Flat(self.function, self.encoding.width)


class _Flat:
    """A diagram as lists, children before parents; 0 is the empty set and 1 is everything.

    `counts[n]` are the states below node n, over the bits from `bits[n]` on.
    """

    def __init__(self, function: Function, width: int) -> None:
        self.width = width
        self.bits = [width, width]
        self.children = [(0, 0), (1, 1)]
        self.counts = [0, 1]
        self.root = self._add(function)

    def _add(self, function: Function) -> int:
        known: dict[Function, int] = {}
        stack = [function]
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            both = top.cofactors()
            if both is None:
                known[top] = int(top.satisfiable())
                stack.pop()
                continue
            missing = [child for child in both if child not in known]
            if missing:
                stack += missing
                continue
            high, low = known[both[0]], known[both[1]]
            level = top.node_var()
            assert level is not None
            bit = level // 2
            count = self.below(low, bit + 1) + self.below(high, bit + 1)
            known[top] = len(self.bits)
            self.bits.append(bit)
            self.children.append((low, high))
            self.counts.append(count)
            stack.pop()
        return known[function]

    def below(self, node: int, bit: int) -> int:
        """Count the states below a node over the bits from `bit` on."""
        return self.counts[node] << self.bits[node] - bit

    def unrank(self, rank: int) -> list[bool]:
        """Return the bits of the state with this number."""
        bits = [False] * self.width
        node = self.root
        for at in range(self.width):
            low, high = self.children[node] if self.bits[node] == at else (node, node)
            size = self.below(low, at + 1)
            bits[at] = rank >= size
            rank, node = (rank - size, high) if bits[at] else (rank, low)
        return bits

    def codes(self) -> Rows:
        """List the bits of all states."""
        words = row_words(self.width)
        if self.root == 0:
            return np.zeros((0, words), dtype=np.uint64)
        begun: dict[int, list[Rows]] = {self.root: [np.zeros((1, words), dtype=np.uint64)]}
        for bit in range(self.width):
            after: dict[int, list[Rows]] = {}
            for node, parts in begun.items():
                low, high = self.children[node] if self.bits[node] == bit else (node, node)
                rows = np.concatenate(parts)
                if low:
                    after.setdefault(low, []).append(rows)
                if high:
                    rows = rows.copy() if low else rows
                    rows[:, bit // 64] |= np.uint64(1 << bit % 64)
                    after.setdefault(high, []).append(rows)
            begun = after
        return np.concatenate([part for parts in begun.values() for part in parts])
