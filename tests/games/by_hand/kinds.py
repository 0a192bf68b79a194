"""What a hand-written game offers, and the two common kinds: taking turns, and playing alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from itertools import product
from typing import Generic, TypeVar

S = TypeVar("S", bound=Hashable)
B = TypeVar("B", bound=Hashable)

Board = tuple[tuple[str, ...], ...]


class Game(ABC, Generic[S]):
    """A game in plain Python. Moves and fluents are written as the rule sheets write them."""

    roles: tuple[str, ...]

    @abstractmethod
    def initial(self) -> S: ...

    @abstractmethod
    def moves(self, state: S) -> tuple[list[str], ...]:
        """Give the legal moves of each role, in a state that is not the end."""

    @abstractmethod
    def step(self, state: S, joint: tuple[str, ...]) -> S: ...

    @abstractmethod
    def is_over(self, state: S) -> bool: ...

    @abstractmethod
    def goals(self, state: S) -> tuple[int, ...]: ...

    @abstractmethod
    def fluents(self, state: S) -> frozenset[str]: ...

    def successors(self, state: S) -> list[S]:
        """Give the state after each joint move, none when the match is over."""
        if self.is_over(state):
            return []
        return [self.step(state, joint) for joint in product(*self.moves(state))]


class Alternating(Game[tuple[B, int]]):
    """Two players in turn; a state is a board and whose turn it is, 0 or 1."""

    @abstractmethod
    def start(self) -> B: ...

    @abstractmethod
    def options(self, board: B, turn: int) -> dict[str, B]:
        """Give each move with the board it leads to."""

    @abstractmethod
    def result(self, board: B, turn: int) -> tuple[int, int] | None:
        """Give the goals of both players, or None while the match goes on."""

    @abstractmethod
    def show(self, board: B) -> Iterable[str]: ...

    def initial(self) -> tuple[B, int]:
        return self.start(), 0

    def moves(self, state: tuple[B, int]) -> tuple[list[str], ...]:
        board, turn = state
        own = list(self.options(board, turn))
        return (own, ["noop"]) if turn == 0 else (["noop"], own)

    def step(self, state: tuple[B, int], joint: tuple[str, ...]) -> tuple[B, int]:
        board, turn = state
        return self.options(board, turn)[joint[turn]], 1 - turn

    def successors(self, state: tuple[B, int]) -> list[tuple[B, int]]:
        board, turn = state
        after = [] if self.is_over(state) else self.options(board, turn).values()
        return [(following, 1 - turn) for following in after]

    def is_over(self, state: tuple[B, int]) -> bool:
        return self.result(*state) is not None

    def goals(self, state: tuple[B, int]) -> tuple[int, ...]:
        return self.result(*state) or (50, 50)

    def fluents(self, state: tuple[B, int]) -> frozenset[str]:
        board, turn = state
        return frozenset([*self.show(board), f"(control {self.roles[turn]})"])


class Alone(Game[B]):
    """A puzzle: one player, who has 100 when it is solved."""

    roles = ("player",)

    @abstractmethod
    def options(self, board: B) -> dict[str, B]:
        """Give each move with the board it leads to."""

    @abstractmethod
    def is_solved(self, board: B) -> bool: ...

    @abstractmethod
    def show(self, board: B) -> Iterable[str]: ...

    def moves(self, state: B) -> tuple[list[str], ...]:
        return (list(self.options(state)),)

    def step(self, state: B, joint: tuple[str, ...]) -> B:
        return self.options(state)[joint[0]]

    def successors(self, state: B) -> list[B]:
        return [] if self.is_over(state) else list(self.options(state).values())

    def is_over(self, state: B) -> bool:
        return self.is_solved(state)

    def goals(self, state: B) -> tuple[int, ...]:
        return (100 if self.is_solved(state) else 0,)

    def fluents(self, state: B) -> frozenset[str]:
        return frozenset(self.show(state))


def won_by(player: int) -> tuple[int, int]:
    return (100, 0) if player == 0 else (0, 100)


def blank(rows: int, cols: int, content: str = "b") -> Board:
    return ((content,) * cols,) * rows


def cells(board: Board) -> dict[tuple[int, int], str]:
    """Give the content of each cell by row and column, both from 1."""
    return {(r, c): v for r, row in enumerate(board, 1) for c, v in enumerate(row, 1)}


def put(board: Board, *changes: tuple[int, int, str]) -> Board:
    """Give the board with some cells (row, column, content) changed."""
    rows = [list(row) for row in board]
    for r, c, content in changes:
        rows[r - 1][c - 1] = content
    return tuple(tuple(row) for row in rows)


def show_cells(board: Board) -> list[str]:
    return [f"(cell {r} {c} {content})" for (r, c), content in cells(board).items()]
