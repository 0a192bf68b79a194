"""Recognise the states of a game as boards of cells, and sample some of them.

A View says which cell of a rule book each cell of the drawn board is, and which content is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from random import Random
from string import ascii_lowercase
from typing import TypeVar

import kibitz.rulebook as m
from kibitz.board import Board, Layout
from kibitz.engine import Game, Move, Role, State
from kibitz.gdl import Function

Cell = tuple[str, ...]
Contents = tuple[str, ...]
"""What each cell of a view holds, in the order of its cells; empty text for an empty cell."""


@dataclass(frozen=True)
class View:
    """The cells of a drawn board by their names in rule books, and what counts as empty."""

    layout: Layout
    board: Board
    kind: str
    cells: tuple[Cell, ...]
    refs: tuple[int, ...]
    blank: str
    columns: int = 0
    rows: int = 0
    _known: dict[int, tuple[Function, tuple[int, str] | None]] = field(
        default_factory=dict, compare=False
    )

    @cached_property
    def _cell_at(self) -> dict[int, int]:
        return {ref: number for number, ref in enumerate(self.refs)}

    def contents(self, fluents: tuple[Function, ...]) -> Contents | None:
        """Return what the cells hold in a state; None where a cell holds two things."""
        found = [""] * len(self.cells)
        for fluent in fluents:
            shown = remembered(self._known, fluent, self.find)
            if shown is None:
                continue
            cell, content = shown
            if found[cell] and content:
                return None
            found[cell] = content or found[cell]
        return tuple(found)

    def find(self, fluent: Function) -> tuple[int, str] | None:
        """Return the number of the cell that a fluent is about, and the content; None if none."""
        place = self.layout.place(fluent)
        if place is None or place.cell is None or place.cell.board != 0:
            return None
        number = self._cell_at.get(place.cell.cell)
        if number is None:
            return None
        if self.kind == "piles":
            return number, place.piece
        shape = self.board.piece(place.piece).shape
        if place.piece == self.blank or (not self.blank and shape == "blank"):
            return number, ""
        return number, place.piece


_Shown = TypeVar("_Shown")
_MOST_REMEMBERED = 100_000


def remembered(
    known: dict[int, tuple[Function, _Shown]], fluent: Function, find: Callable[[Function], _Shown]
) -> _Shown:
    """Return what was found for this very fluent: a game has each only once, and hashing is slow.

    The fluent is kept with what was found, so that nothing else can take its place.
    """
    entry = known.get(id(fluent))
    if entry is None:
        if len(known) > _MOST_REMEMBERED:
            known.clear()
        entry = known[id(fluent)] = fluent, find(fluent)
    return entry[1]


def views_of(layout: Layout) -> Iterator[View]:
    """Yield ways to see the first board: as drawn and upside down, with one content as empty."""
    if not layout.boards:
        return
    board = layout.boards[0]
    blanks = [""]
    if not board.has_blank and not board.has_tiles and len(board.pieces) == 2:
        blanks += [piece.name for piece in board.pieces]
    if board.kind in ("heaps", "stacks"):
        order = range(len(board.cells))
        names = tuple((letter,) for letter in ascii_lowercase[: len(board.cells)])
        if len(names) == len(board.cells) <= 20:
            yield View(layout, board, "piles", names, tuple(order), "")
        return
    for blank in blanks:
        yield from _shaped(layout, board, blank)


def _shaped(layout: Layout, board: Board, blank: str) -> Iterator[View]:
    count = len(board.cells)
    if board.kind == "strip":
        order = sorted(range(count), key=lambda n: (board.cells[n].x, board.cells[n].y))
        names = tuple((str(number),) for number in range(1, count + 1))
        yield View(layout, board, "row", names, tuple(order), blank)
        return
    if board.kind not in ("grid", "holes", "hex", "points"):
        return
    if board.kind == "hex" and all(len(cell.key) == 2 for cell in board.cells):
        # On a rhombus the coordinates of the rules are columns and rows; which way is up is open.
        yield from _by_key(layout, board, blank)
        return
    xs = sorted({round(cell.x, 3) for cell in board.cells})
    ys = sorted({round(cell.y, 3) for cell in board.cells}, reverse=True)
    if len(xs) > 26 or len(ys) > 26 or count * 4 < len(xs) * len(ys):
        return
    for rows in (ys, ys[::-1]):
        named = sorted(
            (ascii_lowercase[xs.index(round(cell.x, 3))], rows.index(round(cell.y, 3)) + 1, n)
            for n, cell in enumerate(board.cells)
        )
        cells = tuple((letter, str(row)) for letter, row, _ in named)
        refs = tuple(number for _, _, number in named)
        yield View(layout, board, "grid", cells, refs, blank, len(xs), len(ys))
    if board.kind == "holes" and all(len(cell.key) == 2 for cell in board.cells):
        yield from _by_key(layout, board, blank)


def _by_key(layout: Layout, board: Board, blank: str) -> Iterator[View]:
    def order(values: set[str]) -> list[str]:
        return sorted(values, key=lambda v: (len(v), v))

    firsts = order({cell.key[0] for cell in board.cells})
    seconds = order({cell.key[1] for cell in board.cells})
    if len(firsts) > 26 or len(seconds) > 26:
        return
    for rows in (firsts, firsts[::-1]):
        named = sorted(
            (ascii_lowercase[seconds.index(cell.key[1])], rows.index(cell.key[0]) + 1, n)
            for n, cell in enumerate(board.cells)
        )
        yield View(
            layout,
            board,
            "hexagons",
            tuple((letter, str(row)) for letter, row, _ in named),
            tuple(number for _, _, number in named),
            blank,
            len(seconds),
            len(firsts),
        )


@dataclass(frozen=True)
class Position:
    """A state as a board: who moves, what moves lead to, and how it ended, if it has.

    `moves` has for each move of the player to move the contents after it. `goals` is None until
    play has ended. `stuck` says that the player to move has nothing but waiting.
    """

    contents: Contents
    mover: int
    depth: int
    moves: tuple[tuple[Move, Contents], ...]
    goals: tuple[int | None, ...] | None
    stuck: bool


def positions_from(
    game: Game, view: View, states: list[tuple[State, int]], first: int
) -> list[Position] | None:
    """Turn states, each with its depth, into positions; None where the view does not fit."""
    roles = game.roles
    found: list[Position] = []
    for state, depth in states:
        contents = view.contents(state.fluents)
        if contents is None:
            return None
        mover = (first + depth) % len(roles)
        legal = {role: state.legal(role) for role in roles}
        own = legal[roles[mover]]
        # Waiting has no arguments: it is no move where there are others, nor at an end.
        active = [move for move in own if move.args or len(own) > 1]
        if state.is_terminal:
            goals = tuple(state.goals[role] for role in roles)
            active = [move for move in own if move.args]
            found.append(Position(contents, mover, depth, (), goals, not active))
            continue
        moves: list[tuple[Move, Contents]] = []
        for move in own:
            after = view.contents(state.step(joint_of(roles, legal, mover, move)).fluents)
            if after is None:
                return None
            moves.append((move, after))
        found.append(Position(contents, mover, depth, tuple(moves), None, not active))
    return found


def joint_of(
    roles: tuple[Role, ...], legal: dict[Role, tuple[Move, ...]], mover: int, move: Move
) -> list[Move]:
    """Return a joint move: one of the mover, and the only one of all others."""
    return [move if n == mover else legal[role][0] for n, role in enumerate(roles)]


def board_of(view: View, start: Contents) -> list[m.Sentence]:
    """Return the sentences that say what the board is."""
    if view.kind == "piles":
        return [m.Piles(tuple(int(c or 0) for c in start))]
    if view.kind == "row":
        return [m.Row(len(view.cells))]
    shape = "hexagon" if view.kind == "hexagons" else "square"
    board: list[m.Sentence] = [m.Grid(view.columns, view.rows, shape)]
    known = set(view.cells)
    letters = "abcdefghijklmnopqrstuvwxyz"[: view.columns]
    missing = [
        f"{letter}{row}"
        for letter in letters
        for row in range(1, view.rows + 1)
        if (letter, str(row)) not in known
    ]
    return [*board, m.Missing(tuple(missing))] if missing else board


def region_of(view: View, cells: Iterable[tuple[str, ...]]) -> m.Region:
    """Return cells as a region: all of them, rows, columns, or one by one."""
    found = list(cells)
    if len(found) == len(view.cells):
        return m.Every()
    if view.kind != "row":
        rows = sorted({int(cell[1]) for cell in found})
        whole = [cell for cell in view.cells if int(cell[1]) in rows]
        if len(whole) == len(found):
            return m.Rows(tuple(rows))
        letters = sorted({cell[0] for cell in found})
        if len([cell for cell in view.cells if cell[0] in letters]) == len(found):
            return m.Columns(tuple(letters))
    return m.Cells(tuple("".join(cell) for cell in found))


_STATES = 250
_OPTIONS = 5_000
"""Moves that are looked at before sentences are proposed; the match is finished, as a rule."""
_MOST_OPTIONS = 4 * _OPTIONS
_FIRST_STATES = 800


class Sample:
    """States of a game with their depths: the first ones, and those of some random matches."""

    def __init__(self, game: Game, count: int = _STATES) -> None:
        self.game = game
        random = Random(0)
        self.states: list[tuple[State, int]] = []
        seen: set[object] = set()

        def add(state: State, depth: int) -> None:
            if state.key not in seen:
                seen.add(state.key)
                self.states.append((state, depth))

        matches = options = 0
        while len(self.states) < count and matches < count and options < _OPTIONS:
            matches += 1
            state, depth = game.initial(), 0
            add(state, depth)
            while not state.is_terminal and depth < 300 and options < _MOST_OPTIONS:
                legal = [state.legal(role) for role in game.roles]
                if not all(legal):
                    break
                options += sum(map(len, legal))
                state = state.step([random.choice(moves) for moves in legal])
                depth += 1
                add(state, depth)

        if not any(state.is_terminal for state, _ in self.states):
            for state, depth in self._first_ends():
                add(state, depth)

    def _first_ends(self) -> Iterator[tuple[State, int]]:
        """Yield ends near the start, for games that random play does not finish."""
        start = self.game.initial()
        waiting, seen = [(start, 0)], {start.key}
        for state, depth in waiting:
            if state.is_terminal:
                yield state, depth
                continue
            legal = [state.legal(role) for role in self.game.roles]
            for joint in product(*legal) if len(waiting) < _FIRST_STATES else ():
                after = state.step(joint)
                if after.key not in seen:
                    seen.add(after.key)
                    waiting.append((after, depth + 1))

    def has_simultaneous_moves(self) -> bool:
        """Return whether several players have a choice in one state."""
        return any(
            sum(len(state.legal(role)) > 1 for role in self.game.roles) > 1
            for state, _ in self.states
            if not state.is_terminal
        )

    def first_mover(self) -> int | None:
        """Return who moves first where players move in turn; None where they do not."""
        count = len(self.game.roles)
        active: list[tuple[int, list[int]]] = []
        for state, depth in self.states:
            if not state.is_terminal:
                sizes = [len(state.legal(role)) for role in self.game.roles]
                active.append((depth, sizes))
        for first in range(count):
            if all(
                size == 1 or number == (first + depth) % count
                for depth, sizes in active
                for number, size in enumerate(sizes)
            ):
                return first
        return None

    def turn_fluent(self, first: int) -> str:
        """Return the name of the fluent that says whose turn it is; nothing if none does."""
        roles = self.game.roles
        names = {fluent.name for fluent in self.game.initial().fluents if len(fluent.args) == 1}
        for state, depth in self.states:
            mover = roles[(first + depth) % len(roles)]
            held = [(f.name, str(f.args[0])) for f in state.fluents if len(f.args) == 1]
            names = {name for name in names if [who for n, who in held if n == name] == [mover]}
        return min(names, default="")
