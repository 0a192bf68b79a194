"""Encode a Game as StateArrays: its moves as numbers, its states as planes or vectors.

An action is the number of a move among all moves that any role ever has, sorted by their text. An
observation has an entry for each fluent: 1 where it holds. If the game has boards whose cells lie
in rows and columns, it is a stack of planes, one for each thing that can be on a cell; what is
beside the boards, such as whose turn it is, fills a whole plane. Otherwise it is a vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast

import numpy as np
import numpy.typing as npt

from kibitz.board import Board, Layout, layout_of
from kibitz.engine import CompiledGame, Game, Move, Role, State, goal_error, require_compiled
from kibitz.errors import InputError, StuckError
from kibitz.facade import AnyGame, load
from kibitz.rows import unpack_key

Observation = Literal["auto", "planes", "vector"]
Rewards = npt.NDArray[np.float32]

_FLAT = ("grid", "holes", "hex", "points")
_MOST_LABELS = 256
"""Planes for what is beside the boards; with more of them, a vector is chosen."""


@dataclass(frozen=True)
class StateArrays:
    """The numbers of a game's moves, and how its states become arrays.

    `labels` says what each plane, or each entry of a vector, stands for, and `source` which fluent
    is in each entry: the fluents of the network, its hidden ones, and a last one that never holds.

    >>> arrays = arrays_of("tictactoe")
    >>> arrays.shape, arrays.labels[:2], len(arrays.actions)
    ((5, 3, 3), ('cell b', 'cell o'), 10)
    >>> arrays.observe(arrays.game.initial())[0].sum()
    np.int64(9)
    """

    game: CompiledGame
    actions: tuple[Move, ...]
    shape: tuple[int, ...]
    labels: tuple[str, ...]
    source: npt.NDArray[np.intp]

    @cached_property
    def number(self) -> dict[Move, int]:
        """The action of each move."""
        return {move: i for i, move in enumerate(self.actions)}

    @cached_property
    def action_of_move(self) -> tuple[npt.NDArray[np.intp], ...]:
        """For each role the action of each of its moves, in the order of the network."""
        return tuple(
            np.array([self.number[move] for move in moves], dtype=np.intp)
            for moves in self.game.network.moves
        )

    def observe(self, state: State) -> npt.NDArray[np.int8]:
        """Return a state as an array of zeros and ones."""
        key = cast(int, state.key)
        count = len(self.game.network.fluents)
        bits = unpack_key(key, count)
        hidden = [not bits[list(one.unless)].any() for one in self.game.network.hidden]
        found = np.concatenate([bits, np.array([*hidden, False], dtype=np.uint8)])[self.source]
        return found.astype(np.int8).reshape(self.shape)

    def mask(self, state: State, role: Role) -> npt.NDArray[np.int8]:
        """Return which actions are legal for a role: 1 or 0 for each."""
        found = np.zeros(len(self.actions), dtype=np.int8)
        if not state.is_terminal:
            found[[self.number[move] for move in state.legal(role)]] = 1
        return found

    def move(self, action: int) -> Move:
        """Return the move of an action; raise InputError for a number that is none."""
        if not 0 <= action < len(self.actions):
            raise InputError(
                f"{action} is no action of {self.game.sheet.name}",
                hint=f"actions are numbers from 0 to {len(self.actions) - 1}",
            )
        return self.actions[action]

    def rewards(self, state: State) -> dict[Role, float]:
        """Return the reward of each role at the end of a match; raise KibitzError without goals."""
        goals = state.goals
        for role, goal in goals.items():
            if goal is None:
                raise goal_error(state, role)
        return {role: reward(goal or 0) for role, goal in goals.items()}


def reward(goal: float) -> float:
    """Return the reward for a goal: -1 for 0, 0 for 50, and 1 for 100."""
    return goal / 50 - 1


def arrays_of(game: AnyGame, observation: Observation = "auto") -> StateArrays:
    """Number the moves of a game, and lay its states out as planes or as a vector.

    Raise NotCompiledError for a game that cannot be grounded, since its moves cannot be listed.
    """
    made = require_compiled(game if isinstance(game, Game) else load(game))
    write = made.write
    moves = sorted({move for moves in made.network.moves for move in moves}, key=write)
    fluents = [*made.network.fluents, *(one.fluent for one in made.network.hidden)]
    planes = None if observation == "vector" else _planes(made, layout_of(made), fluents)
    if planes is None:
        if observation == "planes":
            raise InputError(
                f"{made.sheet.name} has no board of rows and columns",
                hint='take observation="vector"',
            )
        order = sorted(range(len(fluents)), key=lambda i: write(fluents[i]))
        labels = tuple(write(fluents[i]) for i in order)
        return StateArrays(made, tuple(moves), (len(order),), labels, np.array(order, np.intp))
    shape, labels, source = planes
    if observation == "auto" and len(labels) > _MOST_LABELS:
        return arrays_of(made, "vector")
    return StateArrays(made, tuple(moves), shape, labels, source)


def playable(arrays: StateArrays) -> StateArrays:
    """Return the same; raise an error if a match of this game ends before the first move."""
    state = arrays.game.initial()
    if state.is_terminal:
        raise InputError(f"a match of {arrays.game.sheet.name} has ended before the first move")
    idle = [role for role in arrays.game.roles if not state.legal(role)]
    if idle:
        raise StuckError(
            f"{' '.join(idle)} has no legal move in the first state of {arrays.game.sheet.name}",
            states=1,
        )
    return arrays


def _planes(
    game: CompiledGame, layout: Layout, fluents: Sequence[Move]
) -> tuple[tuple[int, int, int], tuple[str, ...], npt.NDArray[np.intp]] | None:
    """Return shape, labels and source of planes; None if a board has no rows and columns."""
    if not layout.boards or any(board.kind not in _FLAT for board in layout.boards):
        return None
    places = [_places(board) for board in layout.boards]
    height = max(row for cells in places for row, _ in cells) + 1
    width = max(column for cells in places for _, column in cells) + 1
    on_boards: dict[str, list[tuple[tuple[int, int], int]]] = {}
    beside: dict[str, int] = {}
    for number, fluent in enumerate(fluents):
        place = layout.place(fluent)
        if place is None or place.cell is None:
            beside[game.write(fluent)] = number
            continue
        board = place.cell.board
        title = f"board {board + 1}, " if len(layout.boards) > 1 else ""
        name = f"{title}{fluent.name}{f' {place.piece}' if place.piece != fluent.name else ''}"
        on_boards.setdefault(name, []).append((places[board][place.cell.cell], number))
    labels = (*sorted(on_boards), *sorted(beside))
    source = np.full((len(labels), height, width), len(fluents), dtype=np.intp)
    for plane, label in enumerate(labels):
        if label in on_boards:
            cells = [where for where, _ in on_boards[label]]
            if len(set(cells)) < len(cells):
                return None  # two fluents would share an entry
            for (row, column), number in on_boards[label]:
                source[plane, row, column] = number
        else:
            source[plane] = beside[label]
    return (len(labels), height, width), labels, source.ravel()


def _places(board: Board) -> list[tuple[int, int]]:
    """Return the row and the column of each cell; rows of hexagons are half a cell apart."""
    rows = {y: i for i, y in enumerate(sorted({round(cell.y, 3) for cell in board.cells}))}
    columns = {x: i for i, x in enumerate(sorted({round(cell.x, 3) for cell in board.cells}))}
    return [(rows[round(cell.y, 3)], columns[round(cell.x, 3)]) for cell in board.cells]
