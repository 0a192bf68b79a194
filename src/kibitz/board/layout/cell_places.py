"""A Grid and its orientation in, a Board with the places of its cells out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import ceil, gcd, sqrt

from kibitz.board.layout.axes import natural
from kibitz.board.layout.grids import Grid
from kibitz.board.layout.layout import Board, Cell, Segment, Tick, split_name
from kibitz.board.layout.orientation import Orientation, ragged_rows
from kibitz.board.layout.survey import Survey

__all__ = ["shape_board"]

SLOPE = sqrt(3) / 2
"""The distance between rows of hexagons."""
GAP = 0.4
"""The distance between boards of a game, in cells."""

Spot = tuple[int, int]
Pair = frozenset[Spot]


def shape_board(grid: Grid, turn: Orientation, survey: Survey | None = None) -> Board:
    """Lay out the cells of a grid; a survey says which of them touch, if not all neighbours do."""
    down = grid.orders[turn.vertical]
    across = grid.orders[1 - turn.vertical]
    down = down[::-1] if turn.upwards else down
    across = across[::-1] if turn.leftwards else across
    row_of = {name: n for n, name in enumerate(down)}
    column_of = {name: n for n, name in enumerate(across)}
    shift = len(grid.layers)
    spots = {
        key: (row_of[key[shift + turn.vertical]], column_of[key[shift + 1 - turn.vertical]])
        for key in grid.cells
    }
    order = sorted((*grid.layers, *grid.axes))
    places = (*grid.layers, *grid.axes)
    written = [places.index(k) for k in order]

    def name(key: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(key[k] for k in written)

    if grid.layers:
        return _layered(grid, spots, name, len(across), len(down))
    if ragged_rows(grid) is not None:
        return _ragged({name(key): spot for key, spot in spots.items()}, down)
    cells = {name(key): spot for key, spot in spots.items()}
    board = Board(
        "grid",
        _cells(cells, lambda r, c: (c + 0.5, r + 0.5)),
        len(across),
        len(down),
        tuple(Tick(text, n + 0.5) for n, text in enumerate(_shown(down))),
        tuple(Tick(text, n + 0.5) for n, text in enumerate(_shown(across))),
        upwards=turn.upwards,
    )
    return _linked(board, cells, survey) if survey else board


def _shown(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return what is written beside rows or columns: of c1, c2 and c3 the numbers."""
    numbers = tuple(name[1:] for name in names)
    is_alike = len({name[0] for name in names}) == 1 and names[0][0].isalpha()
    return numbers if is_alike and all(map(str.isdecimal, numbers)) else names


def _cells(
    spots: dict[tuple[str, ...], Spot], at: Callable[[int, int], tuple[float, float]]
) -> tuple[Cell, ...]:
    ordered = sorted(spots.items(), key=lambda item: (item[1], item[0]))
    return tuple(Cell(key, *at(*spot)) for key, spot in ordered)


def _layered(
    grid: Grid,
    spots: dict[tuple[str, ...], Spot],
    name: Callable[[tuple[str, ...]], tuple[str, ...]],
    columns: int,
    rows: int,
) -> Board:
    """Draw several boards beside and below one another."""
    count = len(grid.layers)
    values = [sorted({key[k] for key in grid.cells}, key=natural) for k in range(count)]
    blocks: dict[tuple[str, ...], Spot] = {}
    if count == 2:
        blocks = {(a, b): (i, j) for i, a in enumerate(values[0]) for j, b in enumerate(values[1])}
    else:
        listed = sorted({key[:count] for key in grid.cells}, key=lambda k: [natural(p) for p in k])
        wide = len(listed) if len(listed) <= 3 else ceil(sqrt(len(listed)))
        blocks = {key: divmod(n, wide) for n, key in enumerate(listed)}
    placed = []
    for key, (row, column) in spots.items():
        i, j = blocks[key[:count]]
        x = column + 0.5 + j * (columns + GAP)
        y = row + 0.5 + i * (rows + GAP)
        placed.append(Cell(name(key), x, y))
    placed.sort(key=lambda cell: (cell.y, cell.x, cell.key))
    width = max(cell.x for cell in placed) + 0.5
    height = max(cell.y for cell in placed) + 0.5
    return Board("grid", tuple(placed), width, height)


def _ragged(cells: dict[tuple[str, ...], Spot], down: tuple[str, ...]) -> Board:
    """Draw rows centred, so that each cell touches two of the next row."""
    length = [sum(row == r for row, _ in cells.values()) for r in range(len(down))]
    widest = max(length)

    def at(row: int, column: int) -> tuple[float, float]:
        return (widest - length[row]) / 2 + column + 0.5, row * SLOPE + 0.5

    rows = tuple(Tick(text, n * SLOPE + 0.5) for n, text in enumerate(down))
    height = (len(down) - 1) * SLOPE + 1
    return Board("holes", _cells(cells, at), widest, height, rows)


def _linked(board: Board, cells: dict[tuple[str, ...], Spot], survey: Survey) -> Board:
    """Look at which cells the rules say touch: hexagons, points joined by lines, or a maze."""
    spots = set(cells.values())
    near = {
        (dr, dc): {
            frozenset(((r, c), (r + dr, c + dc))) for r, c in spots if (r + dr, c + dc) in spots
        }
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1))
    }
    straight = near[0, 1] | near[1, 0]
    for link in survey.links:
        pairs = _pairs(link, cells)
        if pairs is None:
            continue
        if not pairs <= straight | near[1, 1] | near[1, -1]:
            if not _joins(straight, spots) and _joins(pairs, spots) and _is_drawn(pairs, spots):
                return _points(board, pairs)
            continue
        slants = (pairs >= near[1, 1], pairs >= near[1, -1])
        diagonal = pairs - straight
        if pairs >= straight and any(slants) and not all(slants):
            if diagonal in (near[1, 1], near[1, -1]):
                return _hexagons(board, cells, -0.5 if slants[0] else 0.5)
        elif pairs >= straight and diagonal and {s for p in pairs for s in p} == spots:
            if not all(slants):
                return _points(board, pairs)
        elif not diagonal and pairs < straight and _joins(pairs, spots):
            return replace(board, walls=tuple(sorted(_between(pair) for pair in straight - pairs)))
    return board


def _pairs(link: Iterable[tuple[str, ...]], cells: dict[tuple[str, ...], Spot]) -> set[Pair] | None:
    """Read a relation as pairs of cells; None if it is about anything else."""
    rows = list(link)
    width = len(next(iter(cells)))
    if width == 2 and len(rows[0]) == 2:  # cells by one name each, such as a1
        rows = [(*split_name(row[0]), *split_name(row[1])) for row in rows]
    for start in range(len(rows[0]) - 2 * width + 1):
        pairs: set[Pair] = set()
        for row in rows:
            first = cells.get(row[start : start + width])
            second = cells.get(row[start + width : start + 2 * width])
            if first is None or second is None or first == second:
                break
            pairs.add(frozenset((first, second)))
        else:
            return pairs
    return None


def _is_drawn(pairs: set[Pair], spots: set[Spot]) -> bool:
    """Return whether lines can be drawn for pairs: each cell has few, and none crosses a cell."""
    if len(pairs) > 4 * len(spots) or {s for p in pairs for s in p} != spots:
        return False
    for pair in pairs:
        (r1, c1), (r2, c2) = sorted(pair)
        steps = gcd(abs(r2 - r1), abs(c2 - c1))
        between = [
            (r1 + k * (r2 - r1) // steps, c1 + k * (c2 - c1) // steps) for k in range(1, steps)
        ]
        if any(spot in spots for spot in between):
            return False
    return True


def _joins(pairs: set[Pair], spots: set[Spot]) -> bool:
    """Return whether pairs join all cells."""
    beside: dict[Spot, list[Spot]] = {spot: [] for spot in spots}
    for pair in pairs:
        a, b = pair
        beside[a].append(b)
        beside[b].append(a)
    seen = {min(spots)}
    stack = list(seen)
    while stack:
        for spot in beside[stack.pop()]:
            if spot not in seen:
                seen.add(spot)
                stack.append(spot)
    return seen == spots


def _between(pair: Pair) -> Segment:
    """Return the side that two neighbouring cells share."""
    (r1, c1), (r2, c2) = sorted(pair)
    if r1 == r2:
        return (float(c2), float(r1), float(c2), float(r1 + 1))
    return (float(c1), float(r2), float(c1 + 1), float(r2))


def _hexagons(board: Board, cells: dict[tuple[str, ...], Spot], slant: float) -> Board:
    """Shift each row by half a cell."""
    count = len(board.rows)
    start = 0.5 if slant > 0 else 0.5 + (count - 1) / 2

    def at(row: int, column: int) -> tuple[float, float]:
        return start + column + slant * row, row * SLOPE + 0.58

    placed = _cells(cells, at)
    return replace(
        board,
        kind="hex",
        cells=placed,
        width=board.width + (count - 1) / 2,
        height=(count - 1) * SLOPE + 1.16,
        rows=tuple(
            Tick(tick.text, n * SLOPE + 0.58, start - 0.5 + slant * n)
            for n, tick in enumerate(board.rows)
        ),
        columns=tuple(
            Tick(tick.text, n + start if not board.upwards else n + start + slant * (count - 1))
            for n, tick in enumerate(board.columns)
        ),
    )


def _points(board: Board, pairs: set[Pair]) -> Board:
    """Draw cells as points with lines between them."""
    lines = []
    for pair in pairs:
        (r1, c1), (r2, c2) = sorted(pair)
        lines.append((c1 + 0.5, r1 + 0.5, c2 + 0.5, r2 + 0.5))
    return replace(board, kind="points", lines=tuple(sorted(lines)))
