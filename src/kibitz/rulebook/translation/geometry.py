"""A board in, its cells, their names and the directions between them out."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from string import ascii_lowercase

from kibitz.rulebook import model as m
from kibitz.rulebook.translation.problems import RulesProblem, closest

OFFSETS = {
    "north": (0, 1),
    "south": (0, -1),
    "east": (1, 0),
    "west": (-1, 0),
    "northeast": (1, 1),
    "northwest": (-1, 1),
    "southeast": (1, -1),
    "southwest": (-1, -1),
}
KNIGHT = {
    "nne": (1, 2),
    "nnw": (-1, 2),
    "ene": (2, 1),
    "wnw": (-2, 1),
    "ese": (2, -1),
    "wsw": (-2, -1),
    "sse": (1, -2),
    "ssw": (-1, -2),
}
_STRAIGHT = ("north", "south", "east", "west")
_DIAGONAL = ("northeast", "northwest", "southeast", "southwest")
_HEX = ("north", "south", "east", "west", "southeast", "northwest")
_ABSOLUTE = {"up": "north", "down": "south", "left": "west", "right": "east"}
_LARGEST = {"columns": 26, "rows": 26, "cells": 60, "points": 60}

Cell = tuple[str, ...]
"""A cell by its arguments in the rules: column and row, or one name."""


@dataclass(frozen=True)
class Geometry:
    """Cells of a board, by name, and steps between them by direction."""

    board: m.Sentence
    cells: tuple[Cell, ...]
    directions: tuple[str, ...]
    steps: dict[str, dict[Cell, Cell]]
    starts: dict[int, list[Cell]] = field(default_factory=dict)
    """Where the pieces of each player start, by the player's number."""

    @property
    def is_grid(self) -> bool:
        """Whether cells have columns and rows."""
        return isinstance(self.board, m.Grid)

    def name(self, cell: Cell) -> str:
        """Return what a cell is called in sentences."""
        return "".join(cell)

    def find(self, name: str) -> Cell:
        """Return the cell of a name."""
        by_name = {self.name(cell): cell for cell in self.cells}
        if name not in by_name:
            raise RulesProblem(
                "ENG003", f"the board has no cell {name}", name, closest(name, by_name)
            )
        return by_name[name]

    def heads(self, words: tuple[str, ...], player: int, where: m.Sentence) -> list[str]:
        """Return the directions that words mean to a player, by the player's number."""
        found: list[str] = []
        for word in words:
            found += [d for d in self._heads(word, player, where) if d not in found]
        return found

    def _heads(self, word: str, player: int, where: m.Sentence) -> list[str]:
        every = list(self.directions)
        if word == "in any direction" or (word == "along a line" and not self.is_grid):
            return every
        if not self.is_grid:
            if word == "straight":
                return every
            known = {"left": "west", "right": "east", "sideways": "", "forward": "east"}
            if isinstance(self.board, m.Row) and word in known:
                if word == "forward":
                    return ["east" if player == 0 else "west"]
                return [known[word]] if known[word] else every
            if word in every:
                return [word]
            raise _no_direction(word, where)
        hexagonal = isinstance(self.board, m.Grid) and self.board.shape == "hexagon"
        if word == "straight":
            return list(_HEX if hexagonal else _STRAIGHT)
        if word in _ABSOLUTE:
            return [_ABSOLUTE[word]]
        if hexagonal:
            raise RulesProblem("ENG005", f"there is no direction '{word}' on hexagons", where)
        if word == "sideways":
            return ["east", "west"]
        if word == "diagonally":
            return list(_DIAGONAL)
        if word == "like a knight":
            return list(KNIGHT)
        if player > 1:
            raise RulesProblem("ENG005", f"'{word}' has a meaning for two players only", where)
        front, back = ("north", "south") if player == 0 else ("south", "north")
        relative = {
            "forward": [front],
            "backward": [back],
            "diagonally forward": [front + "east", front + "west"],
            "diagonally backward": [back + "east", back + "west"],
            "forward like a knight": [
                name for name, (_, dy) in KNIGHT.items() if (dy > 0) == (front == "north")
            ],
        }
        if word not in relative:
            raise _no_direction(word, where)
        return relative[word]

    def line_ways(self, ways: str, where: m.Sentence) -> list[str]:
        """Return the directions of lines, each line once."""
        if not self.is_grid:
            return [d for d in self.directions if d not in ("west", "anticlockwise")
                    and not d.endswith("_back")]  # fmt: skip
        if isinstance(self.board, m.Grid) and self.board.shape == "hexagon":
            return ["east", "north", "southeast"]
        return {
            "line": ["east", "north", "northeast", "southeast"],
            "straight": ["east", "north"],
            "horizontal": ["east"],
            "vertical": ["north"],
            "diagonal": ["northeast", "southeast"],
        }[ways]

    def region(self, region: m.Region, player: int, where: m.Sentence) -> list[Cell]:
        """Return the cells of a region, as a player sees it."""
        if isinstance(region, m.Every):
            return list(self.cells)
        if isinstance(region, m.Cells):
            return [self.find(name) for name in region.names]
        if isinstance(region, m.TheirStart):
            if len(self.starts) != 2:
                message = "only of two players with pieces it is known where the other starts"
                raise RulesProblem("ENG005", message, where)
            return self.starts[1 - player]
        if isinstance(self.board, m.Row) and isinstance(region, m.Centre):
            return [(str(number),) for number in _middle(len(self.cells))]
        if not isinstance(self.board, m.Grid):
            hint = 'name the cells, or write such as "your opponent\'s starting cells"'
            message = "only a grid has rows, columns, edges and corners"
            raise RulesProblem("ENG005", message, where, hint)
        columns, rows = self.board.columns, self.board.rows
        if isinstance(region, m.Centre):
            letters = {ascii_lowercase[number - 1] for number in _middle(columns)}
            middle = {str(number) for number in _middle(rows)}
            return [cell for cell in self.cells if cell[0] in letters and cell[1] in middle]
        if isinstance(region, m.Side):
            last = ascii_lowercase[columns - 1]
            index, name = {
                "left": (0, "a"), "right": (0, last), "top": (1, str(rows)), "bottom": (1, "1"),
            }[region.side]  # fmt: skip
            return [cell for cell in self.cells if cell[index] == name]
        if isinstance(region, m.Columns):
            for letter in region.letters:
                if letter not in ascii_lowercase[:columns]:
                    raise RulesProblem("ENG003", f"the board has no column {letter}", letter)
            return [cell for cell in self.cells if cell[0] in region.letters]
        if isinstance(region, m.FarRow | m.HomeRow | m.HomeRows | m.NthRow) and player > 1:
            raise RulesProblem("ENG005", "first and last row are those of two players", where)
        if isinstance(region, m.Rows):
            wanted = region.numbers
            if any(not 1 <= number <= rows for number in wanted):
                raise RulesProblem("ENG003", f"the board has rows 1 to {rows}", where)
        elif isinstance(region, m.FarRow):
            wanted = (rows if player == 0 else 1,)
        elif isinstance(region, m.HomeRow):
            wanted = (1 if player == 0 else rows,)
        elif isinstance(region, m.NthRow):
            if not 1 <= region.number <= rows:
                raise RulesProblem("ENG003", f"the board has {rows} rows", where)
            wanted = (region.number if player == 0 else rows + 1 - region.number,)
        elif isinstance(region, m.HomeRows):
            if not 1 <= region.count <= rows:
                raise RulesProblem("ENG003", f"the board has {rows} rows", where)
            near = range(1, region.count + 1)
            wanted = tuple(n if player == 0 else rows + 1 - n for n in near)
        else:
            sides: Callable[[Cell], list[bool]] = lambda c: [  # noqa: E731
                c[0] in (ascii_lowercase[0], ascii_lowercase[columns - 1]),
                c[1] in ("1", str(rows)),
            ]
            test = all if isinstance(region, m.Corners) else any
            return [cell for cell in self.cells if test(sides(cell))]
        return [cell for cell in self.cells if int(cell[1]) in wanted]


def _middle(count: int) -> list[int]:
    """Return the middle of the numbers from 1 on: one of them, or two."""
    return sorted({(count + 1) // 2, count // 2 + 1})


def _no_direction(word: str, where: m.Sentence) -> RulesProblem:
    hint = 'lines are those of points: write such as "The points a, b and c are on a line."'
    message = f"there is no direction '{word}' on this board"
    return RulesProblem("ENG005", message, where, hint if word == "along a line" else "")


def geometry_of(rules: m.Rules) -> Geometry | None:
    """Build the board of rules, unless they have piles or no board."""
    boards = [one for one in rules.sentences if isinstance(one, m.BOARDS)]
    if len(boards) > 1:
        raise RulesProblem("ENG005", "there are two boards", boards[1], "leave one of them out")
    if not boards or isinstance(boards[0], m.Piles):
        return None
    board = boards[0]
    if isinstance(board, m.Grid):
        return _grid(rules, board)
    if isinstance(board, m.Row | m.Ring):
        return _strip(board)
    assert isinstance(board, m.Points)
    return _points(rules, board)


def _bounded(count: int, what: str, where: m.Sentence, least: int = 1) -> None:
    most = _LARGEST[what]
    if not least <= count <= most:
        raise RulesProblem("ENG004", f"a board has {least} to {most} {what}, not {count}", where)


def _grid(rules: m.Rules, board: m.Grid) -> Geometry:
    _bounded(board.columns, "columns", board)
    _bounded(board.rows, "rows", board)
    cells: list[Cell] = [
        (letter, str(row))
        for letter in ascii_lowercase[: board.columns]
        for row in range(1, board.rows + 1)
    ]
    whole = Geometry(board, tuple(cells), (), {})
    missing = {whole.find(name) for one in rules.all(m.Missing) for name in one.cells}
    cells = [cell for cell in cells if cell not in missing]
    known = set(cells)
    steps: dict[str, dict[Cell, Cell]] = {}
    for name, (dx, dy) in {**OFFSETS, **KNIGHT}.items():
        steps[name] = {}
        for cell in cells:
            column, row = ascii_lowercase.index(cell[0]) + dx, int(cell[1]) + dy
            after = (ascii_lowercase[column] if 0 <= column < 26 else "", str(row))
            if after in known:
                steps[name][cell] = after
    named = _HEX if board.shape == "hexagon" else (*_STRAIGHT, *_DIAGONAL)
    return Geometry(board, tuple(cells), named, steps)


def _strip(board: m.Row | m.Ring) -> Geometry:
    count = board.cells
    _bounded(count, "cells", board, least=2)
    cells: list[Cell] = [(str(number),) for number in range(1, count + 1)]
    after = dict(itertools.pairwise(cells))
    if isinstance(board, m.Ring):
        after[cells[-1]] = cells[0]
        names = "clockwise", "anticlockwise"
    else:
        names = "east", "west"
    before = {b: a for a, b in after.items()}
    return Geometry(board, tuple(cells), names, {names[0]: after, names[1]: before})


def _points(rules: m.Rules, board: m.Points) -> Geometry:
    _bounded(len(board.names), "points", board, least=2)
    cells: list[Cell] = [(name,) for name in board.names]
    if len(set(cells)) < len(cells):
        raise RulesProblem("ENG005", "two points have the same name", board)
    whole = Geometry(board, tuple(cells), (), {})
    steps: dict[str, dict[Cell, Cell]] = {}
    for number, (join, names) in enumerate(_lines(rules), start=1):
        line = [whole.find(name) for name in names]
        if len(set(line)) < len(line) or len(line) < 2:
            raise RulesProblem("ENG005", "a line joins two or more different points", join)
        steps[f"line{number}"] = dict(itertools.pairwise(line))
        steps[f"line{number}_back"] = dict(zip(line[1:], line, strict=False))
    if not steps:
        hint = 'write such as "The points a, b and c are on a line."'
        raise RulesProblem("ENG002", "no line joins the points", board, hint)
    return Geometry(board, tuple(cells), tuple(steps), steps)


def _lines(rules: m.Rules) -> list[tuple[m.Sentence, tuple[str, ...]]]:
    """Return the points of each line, with the sentence that has it; a pair only once."""
    found: list[tuple[m.Sentence, tuple[str, ...]]] = [
        (join, join.points) for join in rules.all(m.Join)
    ]
    pairs: set[frozenset[str]] = set()
    for one in rules.all(m.Neighbours):
        for other in one.others:
            pair = frozenset((one.point, other))
            if pair not in pairs:
                pairs.add(pair)
                found.append((one, (one.point, other)))
    return found
