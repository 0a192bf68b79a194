"""A Game in, its Layout out: boards found from fluents, and how each is turned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from kibitz.engine import Game
from kibitz.render.axes import Chain, natural, order_axis
from kibitz.render.layout import Board, Cell, Layout, MovePattern, Pattern, Shows, Tick
from kibitz.render.pieces import make_pieces
from kibitz.render.survey import Survey, Table, look_at

__all__ = ["layout_of"]

_known: WeakKeyDictionary[Game, Layout] = WeakKeyDictionary()

MOST_CELLS = 2_500
MOST_LAYERS = 16
TURNS = ("control", "turn", "tomove", "to_move", "sidetomove", "player", "whoseturn")
DIRECTIONS = frozenset(
    ("north", "south", "east", "west", "up", "down", "left", "right", "n", "s", "e", "w")
)


def layout_of(game: Game) -> Layout:
    """Find out how a game is best shown, from its rules alone.

    >>> import kibitz
    >>> layout = layout_of(kibitz.load("connectfour"))
    >>> [(board.kind, len(board.cells)) for board in layout.boards]
    [('grid', 42)]
    """
    known = _known.get(game)
    if known is None:
        known = _known[game] = _find(look_at(game))
    return known


@dataclass(frozen=True)
class _Grid:
    """A table read as cells: which fields are the axes, the layers, and the values."""

    table: Table
    axes: tuple[int, int]
    layers: tuple[int, ...]
    values: tuple[int, ...]
    orders: tuple[Chain, Chain]
    pairs: frozenset[tuple[str, str]]

    @property
    def key(self) -> tuple[int, ...]:
        return (*self.layers, *self.axes)


def _find(survey: Survey) -> Layout:
    boards: list[Board] = []
    patterns: list[Pattern] = []
    grids = [grid for table in survey.tables if (grid := _as_grid(table, survey))]
    grids.sort(key=lambda g: -len(g.pairs))
    placed: list[tuple[int, _Grid]] = []
    members: dict[int, list[_Grid]] = {}
    for grid in grids:
        home = next((n for n, main in placed if _lies_on(grid, main, survey)), None)
        if home is None:
            home = len(placed)
            placed.append((home, grid))
        members.setdefault(home, []).append(grid)
    turned: dict[int, tuple[int, int]] = {}
    for number, main in placed:
        board, turned[number] = _board(main, survey)
        named = [(g, name) for g in members[number] for name in _names(g)]
        counts = Counter(name for _, name in named)
        unique = [name if counts[name] == 1 else f"{g.table.name} {name}" for g, name in named]
        boards.append(replace(board, pieces=make_pieces(unique)))
        patterns += (_pattern(grid, number, turned[number], survey) for grid in members[number])
    used = {(p.name, p.arity) for p in patterns}
    patterns += (
        Pattern(table.name, table.arity, _beside(table, survey))
        for table in survey.tables
        if (table.name, table.arity) not in used
    )
    moves = tuple(_move_pattern(table, placed, turned) for table in survey.moves)
    return Layout(survey.game.sheet.name, tuple(boards), tuple(patterns), moves)


def _as_grid(table: Table, survey: Survey) -> _Grid | None:
    """Read a table as a grid, if two of its fields can be axes."""
    if not table.shape or table.width < 2:
        return None
    roles = set(survey.game.roles)
    domains = [table.domain(i) for i in range(table.width)]
    orders = [None if d <= roles or len(d) < 2 else order_axis(d, survey.chains) for d in domains]
    best: tuple[tuple[int, ...], _Grid] | None = None
    for i in range(table.width):
        for j in range(i + 1, table.width):
            rows, columns = orders[i], orders[j]
            if rows is None or columns is None:
                continue
            pairs = frozenset((row[i], row[j]) for row in table.rows.values())
            if len(pairs) < 4 or 4 * len(pairs) < len(rows) * len(columns):
                continue
            rest = [k for k in range(table.width) if k not in (i, j)]
            layers, values = _layers(table, (i, j), rest, domains, survey)
            cells = len({tuple(r[k] for k in (*layers, i, j)) for r in table.rows.values()})
            if cells > MOST_CELLS:
                continue
            grid = _Grid(table, (i, j), layers, values, (rows, columns), pairs)
            rank = (domains[i] == domains[j], j == i + 1, cells if values or not rest else 0, i)
            if best is None or rank > best[0]:
                best = rank, grid
    if best is None or (table.width == 2 and not _is_flat(best[1], survey)):
        return None
    return best[1]


def _is_flat(grid: _Grid, survey: Survey) -> bool:
    """Tell whether a relation of two places is a set of cells, not a value for each of a row."""
    first, second = grid.orders
    return _style(first) == _style(second) or _style(first) == "letters" != _style(second)


def _style(order: Chain) -> str:
    if all(v.lstrip("-").isdecimal() for v in order):
        return "numbers"
    return "letters" if all(len(v) == 1 for v in order) else order[0].rstrip("0123456789")


def _layers(
    table: Table, axes: tuple[int, int], rest: list[int], domains: list[set[str]], survey: Survey
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Tell fields that name one of several boards from those that tell what stands on a cell.

    Fluents that hold at a time and differ in one field only show that it names a board.
    """
    together: Counter[int] = Counter()
    cells = 0
    for state in survey.states():
        rows = [row for fluent, row in table.rows.items() if fluent in state]
        cells += len({tuple(row[k] for k in axes) for row in rows})
        for k in rest:
            seen = Counter((*row[:k], *row[k + 1 :]) for row in rows)
            together[k] += sum(count > 1 for count in seen.values())
    layers = tuple(
        k
        for k in rest
        if 4 * together[k] > cells and len(domains[k]) <= MOST_LAYERS and len(rest) > 1
        if not domains[k] <= DIRECTIONS
    )
    return layers, tuple(k for k in rest if k not in layers)


def _lies_on(grid: _Grid, main: _Grid, survey: Survey) -> bool:
    """Tell whether a table speaks of cells of another's board rather than having its own."""
    if grid.layers != main.layers[: len(grid.layers)] or bool(grid.layers) != bool(main.layers):
        return False
    if not all(set(a) <= set(b) for a, b in zip(grid.orders, main.orders, strict=True)):
        return False
    return not (grid.pairs == main.pairs and grid.values and _fills(grid, survey))


def _fills(grid: _Grid, survey: Survey) -> bool:
    """Tell whether every cell has its value, blank or not, from the start."""
    held = {
        tuple(row[k] for k in grid.axes)
        for fluent, row in grid.table.rows.items()
        if fluent in survey.initial
    }
    return 2 * len(held) > len(grid.pairs)


def _names(grid: _Grid) -> list[str]:
    found = {" ".join(row[k] for k in grid.values) for row in grid.table.rows.values()}
    return sorted(found, key=natural) if grid.values else [grid.table.name]


def _pattern(grid: _Grid, board: int, turned: tuple[int, int], survey: Survey) -> Pattern:
    table = grid.table
    key = (*grid.layers, *(grid.axes[k] for k in turned))
    shows: Shows = "tile" if not grid.values and _fills(grid, survey) else "piece"
    return Pattern(
        table.name, table.arity, shows, board, key, grid.values, table.split, table.shape
    )


def _board(grid: _Grid, survey: Survey) -> tuple[Board, tuple[int, int]]:
    """Lay out the cells, the first axis of each key from top to bottom."""
    turned, upwards = (0, 1), False
    if _style(grid.orders[0]) == "letters" and _style(grid.orders[1]) != "letters":
        turned, upwards = (1, 0), True
    rows, columns = (grid.orders[k] for k in turned)
    if upwards:
        rows = rows[::-1]
    keys = {
        tuple(row[k] for k in (*grid.layers, *(grid.axes[n] for n in turned)))
        for row in grid.table.rows.values()
    }
    row_at = {name: n + 0.5 for n, name in enumerate(rows)}
    column_at = {name: n + 0.5 for n, name in enumerate(columns)}
    cells = sorted(
        (Cell(key, column_at[key[-1]], row_at[key[-2]]) for key in keys),
        key=lambda c: (c.y, c.x, c.key),
    )
    board = Board(
        "grid",
        tuple(cells),
        len(columns),
        len(rows),
        tuple(Tick(name, at) for name, at in row_at.items()),
        tuple(Tick(name, at) for name, at in column_at.items()),
        upwards=upwards,
    )
    return board, turned


def _beside(table: Table, survey: Survey) -> Shows:
    """Tell how fluents that stand on no board are shown."""
    roles = set(survey.game.roles)
    if table.shape and table.width == 1:
        domain = table.domain(0)
        if domain <= roles and table.name.lower().replace("-", "_") in TURNS:
            return "turn"
    if table.shape and table.width and order_axis(table.domain(table.width - 1), survey.chains):
        return "counter"
    return "label"


def _move_pattern(
    table: Table, placed: Iterable[tuple[int, _Grid]], turned: dict[int, tuple[int, int]]
) -> MovePattern:
    """Find the fields of a move that name cells."""
    if not table.shape:
        return MovePattern(table.name, table.arity)
    domains = [table.domain(i) for i in range(table.width)] if table.rows else []
    for number, main in placed:
        found: list[tuple[int, ...]] = []
        k = 0
        while k + 1 < len(domains):
            if all(domains[k + n] <= set(main.orders[n]) for n in (0, 1)):
                found.append(tuple(k + n for n in turned[number]))
                k += 2
            else:
                k += 1
        if found and not main.layers:
            used = {k for key in found for k in key}
            value = tuple(k for k in range(len(domains)) if k not in used)
            return MovePattern(
                table.name, table.arity, number, tuple(found), value, table.split, table.shape
            )
    return MovePattern(table.name, table.arity)
