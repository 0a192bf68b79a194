"""States as values of variables: fluents that exclude one another are values of one."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.engine import CompiledGame, Literal


@dataclass(frozen=True, slots=True)
class FluentTest:
    """One of some fluents holds, or none of them if negated: masks of a state's bits."""

    mask: int
    is_denied: bool

    def holds(self, key: int) -> bool:
        """Return whether it holds in a state."""
        return bool(key & self.mask) != self.is_denied


@dataclass(frozen=True, slots=True)
class StateVariable:
    """Some fluents of which one holds; the value None means that none of them holds.

    Its values have a bit each, beginning at `first`, and a bit to spare above them.
    """

    values: tuple[int | None, ...]
    first: int

    @property
    def fluents(self) -> list[int]:
        """The values that are fluents."""
        return [value for value in self.values if value is not None]

    @property
    def field(self) -> int:
        """The bits of all values."""
        return (1 << len(self.values)) - 1 << self.first

    def allowed(self, ruled: int) -> list[int | None]:
        """Return the values that are not ruled out."""
        here = ruled >> self.first
        return [value for i, value in enumerate(self.values) if not here >> i & 1]

    def part(self, allowed: list[int | None]) -> FluentTest:
        """Return the conjunction that the value is one of some."""
        if None in allowed:
            return FluentTest(sum(1 << v for v in self.fluents if v not in allowed), is_denied=True)
        return FluentTest(sum(1 << v for v in allowed if v is not None), is_denied=False)


class Variables:
    """The variables of a game, and conjunctions about them as numbers.

    A conjunction has a bit for each value that it rules out, so a | b means both, and b implies a
    where a & ~b is 0.

    >>> from kibitz.games import load_sheet
    >>> variables = Variables(CompiledGame(load_sheet("tictactoe")))
    >>> sorted(len(variable.values) for variable in variables.listed)
    [2, 3, 3, 3, 3, 3, 3, 3, 3, 3]
    """

    def __init__(self, game: CompiledGame) -> None:
        number = {fluent: i for i, fluent in enumerate(game.network.fluents)}
        self.listed: list[StateVariable] = []
        self.of: dict[int, StateVariable] = {}
        self._first = 0
        for fluents, is_exact in game.grounding.groups:
            known = [number[fluent] for fluent in fluents if fluent in number]
            free = [i for i in known if i not in self.of]
            if free:
                self._add(free, can_be_none=not is_exact or len(free) < len(fluents))
        for i in range(len(number)):
            if i not in self.of:
                self._add([i], can_be_none=True)
        self._lows = sum(1 << variable.first for variable in self.listed)
        self._fields = sum(variable.field for variable in self.listed)
        self._spares = sum(1 << v.first + len(v.values) for v in self.listed)
        self._by_spare = {1 << v.first + len(v.values): v for v in self.listed}

    def _add(self, fluents: list[int], *, can_be_none: bool) -> None:
        variable = StateVariable((*fluents, None) if can_be_none else tuple(fluents), self._first)
        self.listed.append(variable)
        self.of |= dict.fromkeys(fluents, variable)
        self._first += len(variable.values) + 1

    def ruled_out_by(self, literal: Literal) -> int:
        """Return the conjunction that a fluent holds, or does not hold."""
        fluent = (literal >> 1) - 1
        variable = self.of[fluent]
        bit = 1 << variable.first + variable.values.index(fluent)
        return bit if literal & 1 else variable.field & ~bit

    def is_possible(self, ruled: int) -> bool:
        """Return whether every variable has a value left."""
        return not (ruled + self._lows) & self._spares  # Adding one to all bits overflows.

    def count(self, ruled: int) -> int:
        """Count the variables of a conjunction."""
        return ((ruled + self._fields) & self._spares).bit_count()

    def ruled(self, ruled: int) -> list[StateVariable]:
        """Return the variables of a conjunction."""
        spoken = (ruled + self._fields) & self._spares
        result = []
        while spoken:
            result.append(self._by_spare[spoken & -spoken])
            spoken &= spoken - 1
        return result
