"""Read tables of fluents as grids: which fields name a cell, and which name its content."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from kibitz.board.drawing.pieces import is_blank
from kibitz.board.layout.survey import Chain, FieldTable, Survey, natural, order_axis
from kibitz.gdl import Function

MOST_CELLS = 10_000
MOST_LAYERS = 16
_FEW_LAYERS = 4
"""More boards than this are such only where moves name them, and else heights or the like."""
MOST_NAMES = 200
DIRECTIONS = frozenset(
    ("north", "south", "east", "west", "up", "down", "left", "right", "n", "s", "e", "w")
)


@dataclass(frozen=True)
class Grid:
    """A table read as cells: which fields are axes, which name the board, and which the piece."""

    table: FieldTable
    axes: tuple[int, int]
    layers: tuple[int, ...]
    values: tuple[int, ...]
    orders: tuple[Chain, Chain]
    initial: frozenset[Function]
    more: frozenset[tuple[str, ...]] = frozenset()
    on: frozenset[tuple[str, ...]] = frozenset()
    """The cells of the grid that this one lies on, if it has no cells itself."""

    @property
    def is_walls(self) -> bool:
        """Whether the table says which sides of cells have walls."""
        directions = len(self.values) == 1 and self.table.domain(self.values[0]) <= DIRECTIONS
        return directions and "wall" in self.table.name.lower()

    @property
    def key(self) -> tuple[int, ...]:
        """The fields that name a cell, in the order in which they are written."""
        return tuple(sorted((*self.layers, *self.axes)))

    @cached_property
    def cells(self) -> frozenset[tuple[str, ...]]:
        """All cells, by the fields of their layers and axes."""
        places = (*self.layers, *self.axes)
        own = frozenset(tuple(row[k] for k in places) for row in self.table.rows.values())
        return own | self.more

    @cached_property
    def fills(self) -> bool:
        """Whether most cells hold something at the start, perhaps a blank."""
        places = (*self.layers, *self.axes)
        rows = self.table.rows
        held = {tuple(rows[f][k] for k in places) for f in self.initial if f in rows}
        return 2 * len(held) > max(len(self.cells), len(self.on))

    def names(self) -> list[str]:
        """Return the names of the things on the cells."""
        if not self.values:
            return [self.table.name]
        found = {self.name(row) for row in self.table.rows.values()}
        return sorted(found, key=natural)

    def name(self, row: tuple[str, ...]) -> str:
        """Return what is on the cell of one row."""
        return " ".join(row[k] for k in self.values) if self.values else self.table.name

    def pieces(self, state: frozenset[Function]) -> dict[tuple[str, str], str]:
        """Return what is where on the axes, without blanks."""
        first, second = self.axes
        rows = self.table.rows
        found = ((rows[f], self.name(rows[f])) for f in state if f in rows)
        return {(row[first], row[second]): name for row, name in found if not is_blank(name)}


def as_grid(table: FieldTable, survey: Survey) -> Grid | None:
    """Read a table as a grid, if two of its fields can be axes."""
    if not table.shape or table.width < 2:
        return None
    roles = set(survey.game.roles)
    domains = [table.domain(i) for i in range(table.width)]
    orders = [None if d <= roles or len(d) < 2 else order_axis(d, survey.chains) for d in domains]
    best: tuple[tuple[int, ...], Grid] | None = None
    for i in range(table.width):
        for j in range(i + 1, table.width):
            rows, columns = orders[i], orders[j]
            if rows is None or columns is None:
                continue
            pairs = {(row[i], row[j]) for row in table.rows.values()}
            if len(pairs) < 4 or 4 * len(pairs) < len(rows) * len(columns):
                continue
            grid = _grid(table, (i, j), (rows, columns), domains, survey)
            if len(grid.cells) > MOST_CELLS or len(grid.names()) > MOST_NAMES:
                continue
            is_named = _is_named(domains[i], domains[j], survey)
            rank = (is_named, domains[i] == domains[j], j == i + 1, len(pairs), i > 1, -i)
            if best is None or rank > best[0]:
                best = rank, grid
    if best is None or (table.width == 2 and not _is_flat(best[1])):
        return None
    return best[1]


def as_overlay(table: FieldTable, main: Grid, survey: Survey) -> Grid | None:
    """Read a table as things on the cells of a grid that another table has."""
    if not table.shape:
        return None
    domains = [table.domain(i) for i in range(table.width)]
    for start in range(table.width - len(main.key) + 1):
        fields = tuple(range(start, start + len(main.key)))
        at = dict(zip(main.key, fields, strict=True))
        axes = (at[main.axes[0]], at[main.axes[1]])
        layers = tuple(at[k] for k in main.layers)
        values = tuple(k for k in range(table.width) if k not in fields)
        grid = Grid(table, axes, layers, values, main.orders, survey.initial, on=main.cells)
        seen = {f for state in survey.states() for f in state if f in table.rows}
        rows = [table.rows[f] for f in seen] or list(table.rows.values())
        inside = all(tuple(row[k] for k in (*layers, *axes)) in main.cells for row in rows)
        if inside and all(domains[k] & set(o) for k, o in zip(axes, main.orders, strict=True)):
            return grid if len(grid.names()) <= MOST_NAMES else None
    return None


def as_web(table: FieldTable, survey: Survey) -> tuple[int, int] | None:
    """Return which two fields are the ends of lines between a few points, as in (edge 1 2 red)."""
    if not table.shape or not 2 <= table.width <= 3:
        return None
    pairs = {row[:2] for row in table.rows.values()}
    points = {end for pair in pairs for end in pair}
    if not 3 <= len(points) <= 16 or any(a == b for a, b in pairs):
        return None
    undirected = {frozenset(pair) for pair in pairs}
    if len(undirected) not in (len(pairs), len(pairs) / 2):
        return None
    whole = len(points) * (len(points) - 1) / 2
    moved = any(
        {value for row in moves.rows.values() for value in row} >= points
        for moves in survey.moves
        if moves.shape
    )
    return (0, 1) if len(undirected) >= 0.9 * whole and table.width == 3 and moved else None


def as_mesh(table: FieldTable, survey: Survey) -> tuple[Chain, Chain] | None:
    """Return the rows and columns of points with lines between neighbours, as in (line 1 1 1 2).

    Each line has two ends, and each end two fields; a fifth field may say what the line is.
    """
    if not table.shape or not 4 <= table.width <= 5:
        return None
    ends = {(row[:2], row[2:4]) for row in table.rows.values()}
    points = {end for pair in ends for end in pair}
    if not MOST_CELLS >= len(points) >= 4:
        return None
    orders = [order_axis({point[k] for point in points}, survey.chains) for k in (0, 1)]
    if orders[0] is None or orders[1] is None:
        return None
    at = [{name: n for n, name in enumerate(order or ())} for order in orders]
    far = {abs(at[0][a] - at[0][c]) + abs(at[1][b] - at[1][d]) for (a, b), (c, d) in ends}
    return (orders[0], orders[1]) if far == {1} else None


def _grid(
    table: FieldTable,
    axes: tuple[int, int],
    orders: tuple[Chain, Chain],
    domains: list[set[str]],
    survey: Survey,
) -> Grid:
    """Separate fields that name one of several boards from those that name what is on a cell.

    Where many cells hold several things at a time, the field that separates them best names a
    board.
    """
    rest = [k for k in range(table.width) if k not in axes]
    layers: list[int] = []
    roles = set(survey.game.roles)
    states = [[table.rows[f] for f in state if f in table.rows] for state in survey.states()]

    def crowded(places: tuple[int, ...]) -> tuple[int, int]:
        several = occupied = 0
        for rows in states:
            found = Counter(tuple(row[k] for k in places) for row in rows)
            occupied += len(found)
            several += sum(count > 1 for count in found.values())
        return several, occupied

    if len(rest) >= 2 and _is_nested(table, axes, rest, domains):
        layers, rest = rest[:2], rest[2:]
    while rest:
        several, occupied = crowded((*layers, *axes))
        if 8 * several <= occupied:
            break
        choices = [
            (crowded((*layers, k, *axes))[0], k)
            for k in rest
            if len(domains[k]) <= MOST_LAYERS and not domains[k] <= DIRECTIONS | roles
            if len(domains[k]) <= _FEW_LAYERS or _names_three(domains[k], survey)
        ]
        if not choices or 2 * min(choices)[0] > several:
            break
        layers.append(min(choices)[1])
        rest.remove(layers[-1])
    return Grid(table, axes, tuple(sorted(layers)), tuple(rest), orders, survey.initial)


def _is_named(first: set[str], second: set[str], survey: Survey) -> bool:
    """Return whether a move names a place by two fields, one after the other."""
    return any(
        moves.domain(k) <= first and moves.domain(k + 1) <= second
        for moves in survey.moves
        if moves.shape
        for k in range(moves.width - 1)
    )


def _names_three(places: set[str], survey: Survey) -> bool:
    """Return whether a move names one of these places beside two others."""
    return any(
        moves.domain(k) <= places
        for moves in survey.moves
        if moves.shape and moves.width > 2
        for k in range(moves.width)
    )


def _is_nested(
    table: FieldTable, axes: tuple[int, int], rest: list[int], domains: list[set[str]]
) -> bool:
    """Return whether the first two other fields are a grid of grids, each cell of it whole."""
    outer = rest[:2]
    if any(domains[k] != domains[axes[0]] for k in outer) or max(outer) > min(axes):
        return False
    found = {tuple(row[k] for k in (*outer, *axes)) for row in table.rows.values()}
    return len(found) == len(domains[axes[0]]) ** 3 * len(domains[axes[1]])


def _is_flat(grid: Grid) -> bool:
    """Return whether a relation of two places is a set of cells, not a value for each of a row."""
    if grid.table.split:
        return True
    rows = grid.table.rows.values()
    if set(grid.orders[0]) & set(grid.orders[1]) and all(a != b for a, b in rows):
        return False  # what is on what
    first, second = map(style_of, grid.orders)
    return first == second or not _is_function(grid)


def _is_function(grid: Grid) -> bool:
    rows = [grid.table.rows[f] for f in grid.initial if f in grid.table.rows]
    return len({row[grid.axes[0]] for row in rows}) == len(rows) > 1


def style_of(order: Chain) -> str:
    """Return how the places along an axis are named: numbers, letters, or a word before numbers."""
    if all(v.lstrip("-").isdecimal() for v in order):
        return "numbers"
    return "letters" if all(len(v) == 1 for v in order) else order[0].rstrip("0123456789")
