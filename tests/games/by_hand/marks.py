"""Games of marks that stay where they are put: lines, triangles, chains, sums."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from tests.games.by_hand.kinds import (
    Alternating,
    Board,
    blank,
    cells,
    put,
    show_cells,
    won_by,
)

DIRECTIONS = {"R": [(0, 1)], "C": [(1, 0)], "D": [(1, 1), (1, -1)]}

EDGES = tuple(combinations(range(1, 7), 2))
TRIANGLES = [
    [EDGES.index(edge) for edge in combinations(corners, 2)]
    for corners in combinations(range(1, 7), 3)
]


class Grid(Alternating[Board]):
    """K in a line; `reach` is how many empty cells of a column can be marked, lowest first."""

    roles = ("xplayer", "oplayer")

    def __init__(
        self,
        rows: int,
        cols: int,
        k: int,
        lines: str = "RCD",
        reach: int | None = None,
        drops: bool = False,
    ) -> None:
        self.rows, self.cols, self.k, self.reach, self.drops = rows, cols, k, reach, drops
        self.directions = [d for letter in lines for d in DIRECTIONS[letter]]

    def start(self) -> Board:
        return blank(self.rows, self.cols)

    def options(self, board: Board, turn: int) -> dict[str, Board]:
        found = {}
        for c in range(1, self.cols + 1):
            empty = [r for r in range(1, self.rows + 1) if board[r - 1][c - 1] == "b"]
            for r in empty[: self.reach]:
                move = f"(drop {c})" if self.drops else f"(mark {r} {c})"
                found[move] = put(board, (r, c, "xo"[turn]))
        return found

    def result(self, board: Board, turn: int) -> tuple[int, int] | None:
        mover = 1 - turn
        at = cells(board)
        for r, c in at:
            for dr, dc in self.directions:
                if all(at.get((r + i * dr, c + i * dc)) == "xo"[mover] for i in range(self.k)):
                    return won_by(mover)
        return None if "b" in at.values() else (50, 50)

    def show(self, board: Board) -> Iterable[str]:
        return show_cells(board)


class CrossDot(Alternating[str]):
    """A board is a string of x, . and _ for cross, dot and empty."""

    roles = ("player1", "player2")

    def __init__(self, m: int, k: int) -> None:
        self.m, self.k = m, k

    def start(self) -> str:
        return "_" * self.m

    def options(self, board: str, turn: int) -> dict[str, str]:
        return {
            f"(mark {i + 1})": board[:i] + "x."[turn] + board[i + 1 :]
            for i in range(self.m)
            if board[i] == "_"
        }

    def result(self, board: str, turn: int) -> tuple[int, int] | None:
        for player in 0, 1:
            if "x."[player] * self.k in board:
                return won_by(player)
        return None if "_" in board else (50, 50)

    def show(self, board: str) -> Iterable[str]:
        names = {"x": "cross", ".": "dot", "_": "empty"}
        return [f"(box {i} {names[c]})" for i, c in enumerate(board, 1)]


class Sum15(Alternating[tuple[frozenset[int], frozenset[int]]]):
    """A board is the numbers that each player holds."""

    roles = ("player1", "player2")

    def start(self) -> tuple[frozenset[int], frozenset[int]]:
        return frozenset(), frozenset()

    def options(
        self, board: tuple[frozenset[int], frozenset[int]], turn: int
    ) -> dict[str, tuple[frozenset[int], frozenset[int]]]:
        first, second = board
        return {
            f"(pick {n})": (first | {n}, second) if turn == 0 else (first, second | {n})
            for n in range(1, 10)
            if n not in first | second
        }

    def result(
        self, board: tuple[frozenset[int], frozenset[int]], turn: int
    ) -> tuple[int, int] | None:
        for player, held in enumerate(board):
            if any(sum(three) == 15 for three in combinations(held, 3)):
                return won_by(player)
        return (50, 50) if len(board[0] | board[1]) == 9 else None

    def show(self, board: tuple[frozenset[int], frozenset[int]]) -> Iterable[str]:
        for n in range(1, 10):
            holder = "player1" if n in board[0] else "player2" if n in board[1] else "free"
            yield f"(number {n} {holder})"


class Sim(Alternating[tuple[str, ...]]):
    """A board is the colour of each of the fifteen edges."""

    roles = ("red", "blue")

    def start(self) -> tuple[str, ...]:
        return ("none",) * 15

    def options(self, board: tuple[str, ...], turn: int) -> dict[str, tuple[str, ...]]:
        return {
            f"(colour {v} {w})": (*board[:i], self.roles[turn], *board[i + 1 :])
            for i, (v, w) in enumerate(EDGES)
            if board[i] == "none"
        }

    def result(self, board: tuple[str, ...], turn: int) -> tuple[int, int] | None:
        for player, colour in enumerate(self.roles):
            if any(board[i] == board[j] == board[k] == colour for i, j, k in TRIANGLES):
                return won_by(1 - player)
        return None

    def show(self, board: tuple[str, ...]) -> Iterable[str]:
        return [f"(edge {v} {w} {c})" for (v, w), c in zip(EDGES, board, strict=True)]


class Hex(Alternating[Board]):
    roles = ("red", "blue")

    def __init__(self, size: int) -> None:
        self.size = size

    def start(self) -> Board:
        return blank(self.size, self.size)

    def options(self, board: Board, turn: int) -> dict[str, Board]:
        return {
            f"(place {r} {c})": put(board, (r, c, self.roles[turn]))
            for (r, c), content in cells(board).items()
            if content == "b"
        }

    def result(self, board: Board, turn: int) -> tuple[int, int] | None:
        at = cells(board)
        for player, colour in enumerate(self.roles):
            # Index 0 of a cell is its row and index 1 its column: red runs from the first row
            # to the last, blue from the first column to the last.
            reached = [cell for cell in at if cell[player] == 1 and at[cell] == colour]
            for r, c in reached:
                for dr, dc in (0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1):
                    cell = r + dr, c + dc
                    if at.get(cell) == colour and cell not in reached:
                        reached.append(cell)
            if any(cell[player] == self.size for cell in reached):
                return won_by(player)
        return None

    def show(self, board: Board) -> Iterable[str]:
        return show_cells(board)


class Marks(Grid):
    """K in a line under other names."""

    roles = ("a", "b")

    def options(self, board: Board, turn: int) -> dict[str, Board]:
        found = super().options(board, turn)
        return {f"(mark (c{move[5:]})": after for move, after in found.items()}

    def show(self, board: Board) -> Iterable[str]:
        for (row, column), mark in cells(board).items():
            cell = f"(c {row} {column})"
            yield f"(free {cell})" if mark == "b" else f"(has {'ab'['xo'.index(mark)]} {cell})"
