"""Recognise in a StateSpace a game of taking places from a Grid, and what its moves take.

A place is live while a fluent holds, or while its move is legal. What else a state has does not
matter, as is checked on all states: a move is legal wherever the places that it needs are live, to
both roles alike, and takes the same places wherever they are; its kind can be played anywhere that
it fits, and takes the same seen from where it is played. The last move wins, or play ends when a
poisoned place is taken, which loses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from kibitz.board import layout_of
from kibitz.errors import KibitzError
from kibitz.gdl import Function
from kibitz.space import StateSpace
from kibitz.strategy import columns_of, number_arguments, numbers_of_values
from kibitz.synth.insight.heaps import movers_of

_MOST_EDGES = 2_000_000

Cell = tuple[int, int]
"""Row and column, from 0."""
PlacedMove = tuple[frozenset[Cell], frozenset[Cell]]
"""The places that a move needs to be live, and those that it takes."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of move, seen from the first row and the first column that it needs.

    It needs live places and takes others with them; of an `orthant` it takes all that are at least
    as far down and to the right, or as the signs of rows and columns say.
    """

    needs: frozenset[Cell]
    takes: frozenset[Cell]
    orthant: Cell | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """A game of taking from a grid: the fluent of each place that is live, and its moves.

    Where `by_moves`, places are live while their moves are legal, which then take the place of
    fluents. Arguments are 0 where places are known from the drawn board.
    """

    fluents: dict[Cell, Function]
    rows: int
    columns: int
    row_argument: int
    column_argument: int
    kinds: tuple[Kind, ...]
    poison: Cell | None
    by_moves: bool = False


def grid_of(space: StateSpace) -> Grid | None:
    """Find whether a game is played by taking from a grid, on a space with all its states.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> grid = grid_of(explore(CompiledGame(load_sheet("chomp:2x3"))))
    >>> grid.rows, grid.columns, grid.poison, grid.kinds[0].orthant
    (2, 3, (0, 0), (1, 1))
    """
    game = space.game
    if len(game.roles) != 2 or not 0 < space.edges <= _MOST_EDGES:
        return None
    if space.is_reduced or not space.is_complete:
        return None
    mover = movers_of(space)
    if mover is None:
        return None
    for row, column, fluents in _grids(space):
        found = LiveMoves(space, mover.tolist(), fluents).grid()
        if found is not None:
            kinds, poison = found
            rows, columns = (1 + max(cell[axis] for cell in fluents) for axis in (0, 1))
            return Grid(fluents, rows, columns, row, column, kinds, poison)
    for moves in _grids_of_moves(space, mover.tolist()):
        found = LiveMoves(space, mover.tolist(), moves, by_moves=True).grid()
        if found is not None and found[1] is None:
            rows, columns = (1 + max(cell[axis] for cell in moves) for axis in (0, 1))
            return Grid(moves, rows, columns, 0, 0, found[0], None, by_moves=True)
    return None


def _grids(space: StateSpace) -> Iterable[tuple[int, int, dict[Cell, Function]]]:
    """Walk the fluents that hold at the start on a whole grid of two numbers, rows first."""
    game = space.game
    columns = columns_of(space)
    network = game.network
    fluents = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
    start = [fluent for fluent in fluents if columns.fluent(fluent)[0]]
    numbered = number_arguments(game)
    for name in dict.fromkeys(fluent.name for fluent in start):
        alike = [fluent.args for fluent in start if fluent.name == name]
        places = [
            argument
            for argument, values in enumerate(zip(*alike, strict=False), 1)
            if (name, argument) in numbered or len(set(values)) == 2
        ]
        for pair in combinations(places, 2):
            groups: dict[tuple[str, ...], list[Function]] = {}
            for fluent in start:
                if fluent.name == name and len(fluent.args) >= max(pair):
                    rest = (str(a) for n, a in enumerate(fluent.args, 1) if n not in pair)
                    groups.setdefault(tuple(rest), []).append(fluent)
            for group in groups.values():
                row, column = _rows_first(space, group, pair)
                cells = _cells(space, group, row, column)
                if cells is not None:
                    yield row, column, cells
        drawn = _drawn(space, [fluent for fluent in start if fluent.name == name])
        if drawn is not None:
            yield 0, 0, drawn


def _drawn(space: StateSpace, fluents: list[Function]) -> dict[Cell, Function] | None:
    """Return fluents by the cells of the drawn board, if they are a whole grid or row of it."""
    try:
        layout = layout_of(space.game)
    except KibitzError:
        return None
    found: dict[tuple[float, float], Function] = {}
    for fluent in fluents:
        place = layout.place(fluent)
        if place is None or place.cell is None or place.cell.board:
            return None
        cell = layout.boards[0].cells[place.cell.cell]
        found[cell.y, cell.x] = fluent
    down, across = (sorted({spot[axis] for spot in found}) for axis in (0, 1))
    if len(found) < len(fluents) or len(found) != len(down) * len(across) or len(found) < 2:
        return None
    return {(down.index(y), across.index(x)): fluent for (y, x), fluent in found.items()}


def _grids_of_moves(space: StateSpace, mover: list[int]) -> Iterable[dict[Cell, Function]]:
    """Walk the moves of a name that are all legal at the start, on a whole grid or row."""
    edges = range(space.first_edge[0], space.first_edge[1])
    by_name: dict[str, list[Function]] = {}
    for edge in edges:
        move = space.joint_moves[space.action[edge]][mover[0]]
        by_name.setdefault(move.name, []).append(move)
    for moves in by_name.values():
        arities = {len(move.args) for move in moves}
        if arities == {2}:
            cells = _cells(space, moves, 1, 2)
        elif arities == {1}:
            values = [move.args[0] for move in moves]
            known = numbers_of_values(
                [value for value in values if isinstance(value, Function)], space.game.sheet
            )
            if known is None:
                continue
            numbers = {str(value): number for value, number in known.items()}
            places = sorted(moves, key=lambda move: numbers[str(move.args[0])])
            cells = {(0, place): move for place, move in enumerate(places)}
            if len(places) != max(numbers.values()) - min(numbers.values()) + 1:
                cells = None
        else:
            cells = None
        if cells is not None and len(cells) == len(edges):
            yield cells


def _rows_first(
    space: StateSpace, fluents: list[Function], pair: tuple[int, int]
) -> tuple[int, int]:
    """Order two arguments so that the first one says the row of the drawn board."""
    try:
        layout = layout_of(space.game)
    except KibitzError:
        return pair
    heights: dict[str, set[float]] = {}
    for fluent in fluents:
        place = layout.place(fluent)
        if place is None or place.cell is None:
            return pair
        cell = layout.boards[place.cell.board].cells[place.cell.cell]
        heights.setdefault(str(fluent.args[pair[0] - 1]), set()).add(cell.y)
    is_row = all(len(found) == 1 for found in heights.values())
    return pair if is_row else (pair[1], pair[0])


def _cells(
    space: StateSpace, fluents: list[Function], row: int, column: int
) -> dict[Cell, Function] | None:
    """Return the fluent of each cell of a whole grid; None if they are not one."""
    numbers: list[dict[Function, int]] = []
    for argument in (row, column):
        values = {value for f in fluents if isinstance(value := f.args[argument - 1], Function)}
        known = numbers_of_values(values, space.game.sheet)
        if known is None and len(values) == 2:
            known = {value: number for number, value in enumerate(sorted(values, key=str))}
        if known is None:
            return None
        least = min(known.values())
        numbers.append({value: number - least for value, number in known.items()})
    cells: dict[Cell, Function] = {}
    for fluent in fluents:
        down, across = fluent.args[row - 1], fluent.args[column - 1]
        assert isinstance(down, Function)
        assert isinstance(across, Function)
        cells[numbers[0][down], numbers[1][across]] = fluent
    rows, columns = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    is_whole = len(cells) == len(fluents) == rows * columns and rows * columns > 1
    return cells if is_whole else None


class LiveMoves:
    """Checks on all states that live places are taken by moves that need places to be live."""

    def __init__(
        self,
        space: StateSpace,
        mover: list[int],
        fluents: dict[Cell, Function],
        *,
        by_moves: bool = False,
    ) -> None:
        self.space, self.mover = space, mover
        self.cells = sorted(fluents)
        if by_moves:
            self.codes = _legal_codes(space, mover, [fluents[cell] for cell in self.cells])
            return
        columns = columns_of(space)
        live = np.column_stack([columns.fluent(fluents[cell]) for cell in self.cells])
        self.codes = [sum(1 << place for place in np.flatnonzero(row).tolist()) for row in live]

    def grid(self) -> tuple[tuple[Kind, ...], Cell | None] | None:
        """Return the kinds of moves, and a poisoned place; None if that is not all there is."""
        placed = self.placed()
        kinds = None if placed is None else _kinds(placed[0], self.cells[-1])
        return None if placed is None or kinds is None else (kinds, placed[1])

    def placed(self) -> tuple[list[PlacedMove], Cell | None] | None:
        """Return what moves need and take, and a poisoned place; None if that depends on more."""
        moves = self._moves()
        if moves is None:
            return None
        needed, taken = moves
        is_over = self._poison(needed)
        if is_over is None:
            return None
        return [(self._set(needed[move]), self._set(taken[move])) for move in needed], *is_over

    def _set(self, code: int) -> frozenset[Cell]:
        return frozenset(cell for place, cell in enumerate(self.cells) if code >> place & 1)

    def _moves(self) -> tuple[dict[str, int], dict[str, int]] | None:
        """Return what each move needs and takes, as bits; None if that depends on more."""
        space, codes = self.space, self.codes
        full = codes[0]
        needed: dict[str, int] = {}
        taken: dict[str, int] = {}
        legal: dict[int, list[str]] = {}
        names = [list(map(str, joint)) for joint in space.joint_moves]
        for state, code in enumerate(codes):
            edges = range(space.first_edge[state], space.first_edge[state + 1])
            legal[state] = [names[space.action[edge]][self.mover[state]] for edge in edges]
            for edge, move in zip(edges, legal[state], strict=True):
                after = codes[space.target[edge]]
                if state == 0:
                    taken[move] = full & ~after
                if move not in taken or after != code & ~taken[move] or after == code:
                    return None
                needed[move] = needed.get(move, code) & code
        # Other places may be live whenever a move is legal: one that says it all comes first, then
        # those that it takes.
        single = self._single_places(needed, legal)
        within = {move: cells & taken[move] for move, cells in needed.items()}
        for known in (single, within, needed) if single else (within, needed):
            if all(
                set(legal[state]) == {move for move, cells in known.items() if not cells & ~code}
                for state, code in enumerate(codes)
                if not space.terminal[state]
            ):
                return known, taken
        return None

    def _single_places(
        self, needed: dict[str, int], legal: dict[int, list[str]]
    ) -> dict[str, int] | None:
        """Return for each move one place that is live just where it is legal, if all have one."""
        going = [state for state in legal if not self.space.terminal[state]]
        denied: dict[str, int] = dict(needed)
        for state in going:
            here = set(legal[state])
            for move in needed:
                if move not in here:
                    denied[move] &= ~self.codes[state]
        if not all(denied.values()):
            return None
        return {move: places & -places for move, places in denied.items()}

    def _poison(self, needed: dict[str, int]) -> tuple[Cell | None] | None:
        """Return the poisoned place, or None for none, in a tuple; None if ends are others."""
        space = self.space
        ends = np.flatnonzero(space.terminal).tolist()
        goals = {
            (int(g[self.mover[s]]), int(g[1 - self.mover[s]]))
            for s in ends
            for g in [space.goals[s]]
        }
        if goals == {(0, 100)}:
            stuck = all(all(n & ~self.codes[s] for n in needed.values()) for s in ends)
            return (None,) if stuck else None
        if goals != {(100, 0)}:
            return None
        going = [self.codes[s] for s in range(len(space)) if not space.terminal[s]]
        for place, cell in enumerate(self.cells):
            if all(code >> place & 1 for code in going) and not any(
                self.codes[s] >> place & 1 for s in ends
            ):
                return (cell,)
        return None


def _legal_codes(space: StateSpace, mover: list[int], moves: list[Function]) -> list[int]:
    """Return which of some moves are legal in each state, as bits."""
    bits = {str(move): 1 << place for place, move in enumerate(moves)}
    codes = []
    for state in range(len(space)):
        edges = range(space.first_edge[state], space.first_edge[state + 1])
        made = [space.joint_moves[space.action[edge]][mover[state]] for edge in edges]
        codes.append(sum(bits.get(str(move), 0) for move in made))
    return codes


def _kinds(placed: Iterable[PlacedMove], last: Cell) -> tuple[Kind, ...] | None:
    """Group placed moves by what they need, and check that place does not matter."""
    by_needs: dict[frozenset[Cell], dict[Cell, frozenset[Cell]]] = {}
    for needs, takes in placed:
        if not needs:
            return None
        corner = min(r for r, _ in needs), min(c for _, c in needs)
        seen = frozenset((r - corner[0], c - corner[1]) for r, c in takes)
        if by_needs.setdefault(_moved(needs, corner), {}).setdefault(corner, seen) != seen:
            return None
    found = []
    for needs, spots in by_needs.items():
        deep, wide = (max(cell[axis] for cell in needs) for axis in (0, 1))
        everywhere = {(r, c) for r in range(last[0] - deep + 1) for c in range(last[1] - wide + 1)}
        if set(spots) != everywhere:
            return None
        takes = frozenset().union(*spots.values())
        for (r, c), seen in spots.items():
            inside = {o for o in takes if 0 <= r + o[0] <= last[0] and 0 <= c + o[1] <= last[1]}
            if seen != inside:
                return None
        orthant = _orthant(takes, last) if needs == {(0, 0)} else None
        found.append(Kind(needs, takes, orthant))
    return tuple(sorted(found, key=lambda kind: (len(kind.takes), sorted(kind.takes))))


def _moved(cells: frozenset[Cell], corner: Cell) -> frozenset[Cell]:
    return frozenset((r - corner[0], c - corner[1]) for r, c in cells)


def _orthant(takes: frozenset[Cell], last: Cell) -> Cell | None:
    """Return the signs of the quarter of the grid that is taken, if it is one."""
    if min(last) < 1:
        return None
    for down in (1, -1):
        for across in (1, -1):
            quarter = {
                (down * r, across * c) for r in range(last[0] + 1) for c in range(last[1] + 1)
            }
            if takes == quarter:
                return down, across
    return None
