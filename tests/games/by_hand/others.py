"""Puzzles for one player, and a game of simultaneous moves."""

from __future__ import annotations

from collections.abc import Iterable

from tests.games.by_hand.kinds import Alone, Board, Game, blank, cells, put, show_cells

NEIGHBOURS = ((0, 1), (0, -1), (1, 0), (-1, 0))


class LightsOut(Alone[Board]):
    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols

    def initial(self) -> Board:
        return blank(self.rows, self.cols, "on")

    def options(self, board: Board) -> dict[str, Board]:
        at = cells(board)
        found = {}
        for r, c in at:
            pressed = [(r + dr, c + dc) for dr, dc in [(0, 0), *NEIGHBOURS]]
            changes = [(*x, "off" if at[x] == "on" else "on") for x in pressed if x in at]
            found[f"(press {r} {c})"] = put(board, *changes)
        return found

    def is_solved(self, board: Board) -> bool:
        return all(light == "off" for row in board for light in row)

    def show(self, board: Board) -> Iterable[str]:
        return show_cells(board)


class Hanoi(Alone[tuple[str, ...]]):
    """A board is the peg of each disk, the smallest first."""

    def __init__(self, disks: int) -> None:
        self.disks = disks

    def initial(self) -> tuple[str, ...]:
        return ("a",) * self.disks

    def options(self, board: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        return {
            f"(move {i + 1} {peg})": (*board[:i], peg, *board[i + 1 :])
            for i in range(self.disks)
            for peg in "abc"
            if board[i] not in board[:i] and peg not in board[: i + 1]
        }

    def is_solved(self, board: tuple[str, ...]) -> bool:
        return set(board) == {"c"}

    def show(self, board: tuple[str, ...]) -> Iterable[str]:
        return [f"(on {i} {peg})" for i, peg in enumerate(board, 1)]


class EightPuzzle(Alone[Board]):
    def initial(self) -> Board:
        return tuple("813"), tuple("4b2"), tuple("765")

    def options(self, board: Board) -> dict[str, Board]:
        at = cells(board)
        ((r, c),) = [cell for cell in at if at[cell] == "b"]
        return {
            f"(slide {r + dr} {c + dc})": put(
                board, (r, c, at[r + dr, c + dc]), (r + dr, c + dc, "b")
            )
            for dr, dc in NEIGHBOURS
            if (r + dr, c + dc) in at
        }

    def is_solved(self, board: Board) -> bool:
        return board == (tuple("123"), tuple("456"), tuple("78b"))

    def show(self, board: Board) -> Iterable[str]:
        return show_cells(board)


class Maze(Alone[tuple[int, int]]):
    picture = """\
+---+---+---+---+---+
| S |               |
+   +   +---+---+   +
|   |       |       |
+   +---+   +   +   +
|       |       |   |
+---+   +   +---+   +
|       |           |
+   +---+   +   +---+
|           |     T |
+---+---+---+---+---+""".splitlines()
    ways = (("north", -1, 0), ("south", 1, 0), ("east", 0, 1), ("west", 0, -1))

    def initial(self) -> tuple[int, int]:
        return 1, 1

    def options(self, board: tuple[int, int]) -> dict[str, tuple[int, int]]:
        r, c = board
        # Cell r c is drawn around line 2r - 1, column 4c - 2; its walls are 1 and 2 away.
        return {
            way: (r + dr, c + dc)
            for way, dr, dc in self.ways
            if self.picture[2 * r - 1 + dr][4 * c - 2 + 2 * dc] == " "
        }

    def is_solved(self, board: tuple[int, int]) -> bool:
        return board == (5, 5)

    def show(self, board: tuple[int, int]) -> Iterable[str]:
        return [f"(at {board[0]} {board[1]})"]


class PegSolitaire(Alone[frozenset[tuple[int, int]]]):
    """A board is the holes with a peg in."""

    holes = tuple((r, c) for r in range(1, 6) for c in range(1, r + 1))
    directions = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))

    def initial(self) -> frozenset[tuple[int, int]]:
        return frozenset(self.holes) - {(1, 1)}

    def options(self, board: frozenset[tuple[int, int]]) -> dict[str, frozenset[tuple[int, int]]]:
        found = {}
        for r, c in board:
            for dr, dc in self.directions:
                over, to = (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)
                if over in board and to in self.holes and to not in board:
                    found[f"(jump {r} {c} {to[0]} {to[1]})"] = board - {(r, c), over} | {to}
        return found

    def is_over(self, state: frozenset[tuple[int, int]]) -> bool:
        return not self.options(state)

    def is_solved(self, board: frozenset[tuple[int, int]]) -> bool:
        return len(board) == 1

    def show(self, board: frozenset[tuple[int, int]]) -> Iterable[str]:
        return [f"(cell {r} {c} {'peg' if (r, c) in board else 'b'})" for r, c in self.holes]


class Roshambo(Game[tuple[int, int, int]]):
    """A state is the rounds to play and the points of both players."""

    roles = ("player1", "player2")
    beats = (("rock", "scissors"), ("scissors", "paper"), ("paper", "rock"))

    def initial(self) -> tuple[int, int, int]:
        return 3, 0, 0

    def moves(self, state: tuple[int, int, int]) -> tuple[list[str], ...]:
        return ["rock", "paper", "scissors"], ["rock", "paper", "scissors"]

    def step(self, state: tuple[int, int, int], joint: tuple[str, ...]) -> tuple[int, int, int]:
        rounds, first, second = state
        mine, theirs = joint
        return (
            rounds - 1,
            first + ((mine, theirs) in self.beats),
            second + ((theirs, mine) in self.beats),
        )

    def is_over(self, state: tuple[int, int, int]) -> bool:
        return state[0] == 0

    def goals(self, state: tuple[int, int, int]) -> tuple[int, ...]:
        _, first, second = state
        return (50, 50) if first == second else (100, 0) if first > second else (0, 100)

    def fluents(self, state: tuple[int, int, int]) -> frozenset[str]:
        rounds, first, second = state
        return frozenset(
            [f"(rounds {rounds})", f"(score player1 {first})", f"(score player2 {second})"]
        )
