"""Games in which things are taken away, or room is, until nothing is left."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_lowercase

from tests.games.by_hand.kinds import (
    Alternating,
    Board,
    blank,
    cells,
    put,
    show_cells,
    won_by,
)


class Nim(Alternating[tuple[int, ...]]):
    roles = ("player1", "player2")

    def __init__(self, heaps: tuple[int, ...], misere: bool = False) -> None:
        self.heaps, self.misere = heaps, misere

    def start(self) -> tuple[int, ...]:
        return self.heaps

    def options(self, board: tuple[int, ...], turn: int) -> dict[str, tuple[int, ...]]:
        return {
            f"(reduce {ascii_lowercase[i]} {less})": (*board[:i], less, *board[i + 1 :])
            for i, size in enumerate(board)
            for less in range(size)
        }

    def result(self, board: tuple[int, ...], turn: int) -> tuple[int, int] | None:
        if any(board):
            return None
        last_to_take = 1 - turn
        return won_by(1 - last_to_take if self.misere else last_to_take)

    def show(self, board: tuple[int, ...]) -> Iterable[str]:
        return [f"(heap {ascii_lowercase[i]} {size})" for i, size in enumerate(board)]


class Piles(Alternating[tuple[int, ...]]):
    """Of equal piles only the first may be chosen; at most six counters go, or any number."""

    roles = ("a", "b")

    def __init__(self, *words: int | str) -> None:
        self.piles = tuple(word for word in words if isinstance(word, int))
        self.most = max(*self.piles, 1) if "free" in words else 6

    def start(self) -> tuple[int, ...]:
        return self.piles

    def options(self, board: tuple[int, ...], turn: int) -> dict[str, tuple[int, ...]]:
        return {
            f"(remove {i + 1} {gone})": (*board[:i], size - gone, *board[i + 1 :])
            for i, size in enumerate(board)
            if size not in board[:i]
            for gone in range(1, min(size, self.most) + 1)
        }

    def result(self, board: tuple[int, ...], turn: int) -> tuple[int, int] | None:
        return None if any(board) else won_by(1 - turn)

    def show(self, board: tuple[int, ...]) -> Iterable[str]:
        return [f"(has {i} {size})" for i, size in enumerate(board, 1)]


class Kayles(Alternating[str]):
    """A board is a string of I for standing and _ for fallen pins."""

    roles = ("player1", "player2")

    def __init__(self, pins: int) -> None:
        self.pins = pins

    def start(self) -> str:
        return "I" * self.pins

    def options(self, board: str, turn: int) -> dict[str, str]:
        found = {}
        for i in range(self.pins):
            if board[i] == "I":
                found[f"(single {i + 1})"] = board[:i] + "_" + board[i + 1 :]
            if board[i : i + 2] == "II":
                found[f"(pair {i + 1} {i + 2})"] = board[:i] + "__" + board[i + 2 :]
        return found

    def result(self, board: str, turn: int) -> tuple[int, int] | None:
        return None if "I" in board else won_by(1 - turn)

    def show(self, board: str) -> Iterable[str]:
        return [f"(pin {i} {'up' if pin == 'I' else 'down'})" for i, pin in enumerate(board, 1)]


class Chomp(Alternating[tuple[int, ...]]):
    """A board is how many squares are left in each row."""

    roles = ("player1", "player2")

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols

    def start(self) -> tuple[int, ...]:
        return (self.cols,) * self.rows

    def options(self, board: tuple[int, ...], turn: int) -> dict[str, tuple[int, ...]]:
        return {
            f"(bite {r} {c})": (*board[: r - 1], *(min(left, c - 1) for left in board[r - 1 :]))
            for r, left in enumerate(board, 1)
            for c in range(1, left + 1)
        }

    def result(self, board: tuple[int, ...], turn: int) -> tuple[int, int] | None:
        return won_by(turn) if board[0] == 0 else None

    def show(self, board: tuple[int, ...]) -> Iterable[str]:
        for r, left in enumerate(board, 1):
            for c in range(1, self.cols + 1):
                yield f"(cell {r} {c} {'choc' if c <= left else 'b'})"


class Domineering(Alternating[Board]):
    roles = ("vertical", "horizontal")

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols

    def start(self) -> Board:
        return blank(self.rows, self.cols)

    def options(self, board: Board, turn: int) -> dict[str, Board]:
        at = cells(board)
        found = {}
        for r, c in at:
            r2, c2 = (r + 1, c) if turn == 0 else (r, c + 1)
            if at[r, c] == at.get((r2, c2)) == "b":
                found[f"(place {r} {c} {r2} {c2})"] = put(board, (r, c, "full"), (r2, c2, "full"))
        return found

    def result(self, board: Board, turn: int) -> tuple[int, int] | None:
        return None if self.options(board, turn) else won_by(1 - turn)

    def show(self, board: Board) -> Iterable[str]:
        return show_cells(board)
