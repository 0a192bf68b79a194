"""StateSpace: every state that can be reached, and every move between them, in flat arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.engine import CompiledGame, Move, State
from kibitz.errors import IncompleteError, InputError
from kibitz.rows import key_of, least_image
from kibitz.space.symmetry import Symmetries, Symmetry

StateId = int

NOBODY = -1
"""The turn where no role has a choice."""
SEVERAL = -2
"""The turn where more than one role has a choice."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Which limit ended exploring early, and what to do to allow more."""

    limit: Literal["states", "time", "memory"]
    hint: str = ""


@dataclass(frozen=True)
class StateSpace:
    """States numbered from 0, the initial state, in the order of their distance from it.

    The moves of state s are edges `first_edge[s]` to `first_edge[s + 1]`: `target` is the state
    an edge leads to, and `action` the number of its joint move in `joint_moves`.

    `stopped` says why there may be more states than these; it is None where these are all. If there
    are `symmetries`, one state of each orbit stands for all of them, and a move leads to the state
    that stands for the one it makes.
    """

    game: CompiledGame
    states: npt.NDArray[np.uint64]
    first_edge: npt.NDArray[np.int64]
    target: npt.NDArray[np.uint32]
    action: npt.NDArray[np.uint16]
    joint_moves: tuple[tuple[Move, ...], ...]
    turn: npt.NDArray[np.int8]
    terminal: npt.NDArray[np.bool_]
    goals: npt.NDArray[np.int8]
    layers: tuple[int, ...]
    is_layered: bool
    stopped: Stop | None
    symmetries: Symmetries | None
    seconds: float

    def __len__(self) -> int:
        return len(self.states)

    @property
    def edges(self) -> int:
        """How many moves there are in all."""
        return len(self.target)

    @property
    def ends(self) -> int:
        """How many of its states are terminal."""
        return int(self.terminal.sum())

    @property
    def bytes(self) -> int:
        """How much memory the arrays take."""
        edges = self.first_edge.nbytes + self.target.nbytes + self.action.nbytes
        return (
            edges + self.states.nbytes + self.turn.nbytes + self.terminal.nbytes + self.goals.nbytes
        )

    @property
    def is_complete(self) -> bool:
        """Whether these are all states that play can reach."""
        return self.stopped is None

    @property
    def is_reduced(self) -> bool:
        """Whether one state of each orbit stands for all of them."""
        return self.symmetries is not None

    def require_complete(self) -> None:
        """Raise IncompleteError where a limit ended exploring."""
        if self.stopped is not None:
            raise IncompleteError(
                self.game.sheet.name,
                states=len(self),
                limit=self.stopped.limit,
                seconds=self.seconds,
                bytes=self.bytes,
                hint=self.stopped.hint,
            )

    def require_all_states(self, what: str) -> None:
        """Raise InputError where symmetric states are left out."""
        if self.is_reduced:
            raise InputError(
                f"{what} needs all states of {self.game.sheet.name}, and this space has only one "
                "of those that are symmetric",
                hint="explore the game without symmetries",
            )

    def state(self, number: StateId) -> State:
        """Return a state by its number."""
        return State(self.game, key_of(self.states[number]))

    def number(self, state: State) -> StateId:
        """Return the number of a state; raise InputError where it is none of these.

        In a space reduced by symmetries, a state has the number of the one that stands for it.

        >>> from kibitz.games import load_sheet
        >>> from kibitz.space import explore
        >>> space = explore(CompiledGame(load_sheet("tictactoe")))
        >>> space.number(space.state(5000))
        5000
        """
        mine = state if state.game is self.game else self.game.state(state.fluents)
        index, words = self._index, self.states.shape[1]
        number = np.zeros(1, dtype=np.int64)
        images = [element.fluents for element in self.elements[1:]]
        row = np.array([least_image(cast(int, mine.key), images, words)], dtype=np.uint64)
        core.function("find_rows", words)(self.states, index, len(index) - 1, row, 1, number)
        if number[0] < 0:
            raise InputError(f"this state is none of those explored of {self.game.sheet.name}")
        return int(number[0])

    @cached_property
    def _index(self) -> npt.NDArray[np.uint64]:
        """A hash table of all rows."""
        index = np.zeros(1 << (4 * len(self) // 3).bit_length(), dtype=np.uint64)
        enter = core.function("index_rows", self.states.shape[1])
        enter(self.states, len(self), index, len(index) - 1)
        return index

    @cached_property
    def elements(self) -> list[Symmetry]:
        """The group that states are compared by, the identity first; empty without symmetries."""
        return self.symmetries.elements() if self.symmetries else []

    def moves(self, number: StateId) -> list[tuple[tuple[Move, ...], StateId]]:
        """Return the joint moves of a state, each with the state it leads to."""
        edges = range(self.first_edge[number], self.first_edge[number + 1])
        return [(self.joint_moves[self.action[e]], int(self.target[e])) for e in edges]
