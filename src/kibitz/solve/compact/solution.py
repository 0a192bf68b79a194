"""CompactSolution: value and distance of every state of a layered game, in little memory."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from kibitz.engine import CompiledGame, State
from kibitz.solve.values import ExactValues, Place
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
class CompactSolution(ExactValues):
    """The value of every state, and how many plies best play lasts; moves are made when asked for.

    Values and plies mean what they do in a Solution. States are given as such and not by number,
    and there are no edges, so that nothing that needs them (strategies, rules, winning sets,
    symmetric states) takes this.
    """

    method: ClassVar[str] = "compact"

    space: CompactSpace = field(repr=False)
    layers: tuple[LayerValues, ...] = field(repr=False)
    total: int
    seconds: float

    @property
    def game(self) -> CompiledGame:
        """The game."""
        return self.space.game

    @property
    def start(self) -> State:
        """The first of the states that play began from."""
        return self.space.start

    @property
    def bytes(self) -> int:
        """How much memory or disk it takes, including the states."""
        return self.space.bytes + sum(layer.bytes for layer in self.layers)

    @property
    def goals(self) -> Set[int]:
        """The goals of the first role at ends."""
        return {*self.space.goals}

    def first(self, at: Place | None = None) -> tuple[int, int]:
        """Return the first role's value in a state, and the plies to the end."""
        number, place = self.space.find(self.state(at))
        layer = self.layers[number]
        return self.space.goals[layer.rank(place)], int(layer.plies.array[place])
