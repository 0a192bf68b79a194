"""Depth-k players, chances and sets of won positions a second time: dictionaries and recursion.

Games of marks on a grid, as paper 003 has them, written by hand: nothing here knows about GDL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations, product

__all__ = ["Board", "GridGame"]

Board = tuple[int, int]
"""The cells that x has marked, and those of o, as bits."""

BIG = 10**6


class GridGame:
    """Marks on a grid with gravity: the lowest `reach` empty cells of a column can be marked."""

    def __init__(self, rows: int, cols: int, k: int, lines: str, reach: int) -> None:
        self.rows, self.cols, self.k, self.reach = rows, cols, k, reach
        self.windows = list(_windows(rows, cols, k, lines))
        self.full = (1 << rows * cols) - 1
        self.value = cache(self._value)
        self.chance = cache(self._chance)
        self.outcome = cache(self._outcome)

    def is_first(self, board: Board) -> bool:
        return board[0].bit_count() == board[1].bit_count()

    def has_line(self, marks: int) -> bool:
        return any(marks & window == window for window in self.windows)

    def _outcome(self, board: Board) -> int | None:
        if self.has_line(board[0]):
            return 1
        if self.has_line(board[1]):
            return -1
        return 0 if board[0] | board[1] == self.full else None

    def successors(self, board: Board) -> list[Board]:
        x, o = board
        found = []
        for col in range(self.cols):
            column = [1 << row * self.cols + col for row in range(self.rows)]
            cells = [c for c in column if not (x | o) & c][: self.reach]
            found += [(x | c, o) if self.is_first(board) else (x, o | c) for c in cells]
        return found

    def reward(self, board: Board) -> int:
        """Count windows with one empty cell, own ones less the opponent's."""
        total = 0
        for window in self.windows:
            x, o = ((marks & window).bit_count() for marks in board)
            total += (x == self.k - 1 and o == 0) - (o == self.k - 1 and x == 0)
        return total

    def _value(self, board: Board, plies: int) -> int:
        end = self.outcome(board)
        if end is not None:
            return end * BIG
        if plies == 0:
            return self.reward(board)
        values = [self.value(after, plies - 1) for after in self.successors(board)]
        best = max(values) if self.is_first(board) else min(values)
        return best - (best > BIG // 2) + (best < -BIG // 2)

    def best(self, board: Board, depth: int) -> list[Board]:
        """Give the successors that a depth-k player chooses from."""
        values = {b: self.value(b, 2 * depth - 1) for b in self.successors(board)}
        wanted = (max if self.is_first(board) else min)(values.values())
        return [b for b, value in values.items() if value == wanted]

    def _chance(self, board: Board, k1: int, k2: int) -> Fraction:
        """Give the chance that x wins."""
        end = self.outcome(board)
        if end is not None:
            return Fraction(end == 1)
        after = self.best(board, k1 if self.is_first(board) else k2)
        return sum((self.chance(b, k1, k2) for b in after), Fraction(0)) / len(after)

    def reachable(self) -> set[Board]:
        seen: set[Board] = {(0, 0)}
        frontier: list[Board] = [(0, 0)]
        while frontier:
            new = {
                b for s in frontier if self.outcome(s) is None for b in self.successors(s)
            } - seen
            seen |= new
            frontier = list(new)
        return seen

    def stacked(self) -> set[Board]:
        """Give all boards without a line on which marks rest on marks, reachable or not."""
        found: set[Board] = set()
        for heights in product(range(self.rows + 1), repeat=self.cols):
            cells = [
                1 << row * self.cols + col for col, h in enumerate(heights) for row in range(h)
            ]
            for marks in combinations(cells, (len(cells) + 1) // 2):
                board = (sum(marks), sum(cells) - sum(marks))
                if not self.has_line(board[0]) and not self.has_line(board[1]):
                    found.add(board)
        return found

    def paper_sets(self, universe: Iterable[Board], rounds: int) -> list[set[Board]]:
        """Give W_0, W_1, …, each without those before it and without the empty board."""
        won = {b for b in self.reachable() if self.outcome(b) == 1}
        running = [b for b in universe if self.outcome(b) is None]
        first = [b for b in running if self.is_first(b)]
        second = [b for b in running if not self.is_first(b)]

        def some(boards: set[Board]) -> set[Board]:
            return {b for b in first if any(a in boards for a in self.successors(b))}

        def every(boards: set[Board]) -> set[Board]:
            return {b for b in second if all(a in boards for a in self.successors(b))}

        sets, forced = [some(won)], [every(some(won))]
        for _ in range(rounds):
            sets.append(some(forced[-1]))
            forced.append(every(sets[-1]) - set().union(*forced))
        seen: set[Board] = {(0, 0)}
        result = []
        for boards in sets:
            result.append(boards - seen)
            seen |= boards
        return result

    def exact_sets(self, rounds: int) -> list[set[Board]]:
        """Give the boards from which x, to move, wins in exactly so many more rounds."""

        @cache
        def wins_within(board: Board, plies: int) -> bool:
            end = self.outcome(board)
            if end is not None or plies == 0:
                return end == 1
            ask: Callable[[Iterable[bool]], bool] = any if self.is_first(board) else all
            return ask(wins_within(b, plies - 1) for b in self.successors(board))

        boards = [b for b in self.reachable() if self.is_first(b) and self.outcome(b) is None]
        return [
            {
                b
                for b in boards
                if wins_within(b, 2 * j + 1) and not (j and wins_within(b, 2 * j - 1))
            }
            for j in range(rounds)
        ]


def _windows(rows: int, cols: int, k: int, lines: str) -> Iterable[int]:
    ways = {"R": ((0, 1),), "C": ((1, 0),), "D": ((1, 1), (1, -1))}
    for row, col in product(range(rows), range(cols)):
        for down, right in (way for letter in lines for way in ways[letter]):
            cells = [(row + i * down, col + i * right) for i in range(k)]
            if all(0 <= r < rows and 0 <= c < cols for r, c in cells):
                yield sum(1 << r * cols + c for r, c in cells)
