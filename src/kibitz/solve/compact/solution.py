"""CompactSolution: value and distance of every state of a layered game, in little memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.engine import Move, Role, State
from kibitz.solve.algorithms.retrograde import endless_goal
from kibitz.space import Column, CompactSpace

__all__ = ["CompactSolution", "LayerValues"]


class LayerValues:
    """For each state of a layer the rank of its value among all goals, and the plies to the end."""

    def __init__(self, count: int, bits: int, kind: Any) -> None:
        self.bits = bits
        self.ranks, self.plies = Column(np.uint8), Column(kind)
        self.ranks.resize(-(-count * bits // 8))
        self.plies.resize(count)

    def rank(self, place: int) -> int:
        """Return the rank of a state's value."""
        byte, shift = divmod(place * self.bits, 8)
        return int(self.ranks.array[byte]) >> shift & (1 << self.bits) - 1

    @property
    def bytes(self) -> int:
        """How much memory or disk it takes."""
        return self.ranks.array.nbytes + self.plies.array.nbytes

    @property
    def bytes_in_memory(self) -> int:
        """How much memory it takes."""
        return self.ranks.bytes_in_memory + self.plies.bytes_in_memory

    def move_to(self, folder: str | Path) -> None:
        """Continue in files."""
        self.ranks.move_to(folder)
        self.plies.move_to(folder)


@dataclass(frozen=True)
class CompactSolution:
    """The value of every state, and how many plies best play lasts; moves are made when asked for.

    Values and plies mean what they do in a Solution. States are given as such and not by number,
    and there are no edges, so that nothing that needs them (strategies, rules, winning sets,
    symmetric states) takes this.
    """

    space: CompactSpace = field(repr=False)
    layers: tuple[LayerValues, ...] = field(repr=False)
    total: int
    seconds: float

    @property
    def bytes(self) -> int:
        """How much memory or disk it takes, including the states."""
        return self.space.bytes + sum(layer.bytes for layer in self.layers)

    def values(self, state: State | None = None) -> dict[Role, int]:
        """Return the value of a state for each role; the initial state if none is given."""
        first = self._look(state)[0]
        return dict(zip(self.space.game.roles, (first, self.total - first), strict=False))

    def plies(self, state: State | None = None) -> int:
        """Return the plies to the end under best play."""
        return self._look(state)[1]

    def moves(self, state: State | None = None) -> list[tuple[tuple[Move, ...], State]]:
        """Return the joint moves of a state, each with the state it leads to."""
        state = state or self.space.game.initial()
        if state.is_terminal:
            return []
        joints = product(*(state.legal(role) for role in self.space.game.roles))
        return [(joint, state.step(joint)) for joint in joints]

    def keeping_moves(self, state: State | None = None) -> list[tuple[tuple[Move, ...], State]]:
        """Return the joint moves that keep the value."""
        value = self._look(state)[0]
        return [(joint, to) for joint, to in self.moves(state) if self._look(to)[0] == value]

    def best_moves(self, state: State | None = None) -> list[tuple[tuple[Move, ...], State]]:
        """Return the joint moves that keep the value and make progress; see `progress_edges`."""
        value, plies = self._look(state)
        moves = self.keeping_moves(state)
        if value == endless_goal(self.total, 0):
            return moves
        return [(joint, to) for joint, to in moves if self._look(to)[1] == plies - 1]

    def principal_variation(self, state: State | None = None) -> list[tuple[Move, ...]]:
        """Return one line of best play, to the end."""
        state = state or self.space.game.initial()
        line: list[tuple[Move, ...]] = []
        value, plies = self._look(state)
        while plies:
            plies -= 1
            joint, state = next(
                (joint, to) for joint, to in self.moves(state) if self._look(to) == (value, plies)
            )
            line.append(joint)
        return line

    def _look(self, state: State | None) -> tuple[int, int]:
        """Return the first role's value in a state, and the plies to the end."""
        number, place = self.space.find(state or self.space.game.initial())
        layer = self.layers[number]
        return self.space.goals[layer.rank(place)], int(layer.plies.array[place])
