"""Orient a grid on the page, and place its cells.

Evidence, the strongest first: where pieces first land when they fall, on which sides the players
start, which way moves called north or up go, letters beside numbers as on a chessboard, what the
rules call their variables, and last the sides again, where all start in one outer row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, gcd, sqrt

from kibitz.board.layout.grids import Grid, style_of
from kibitz.board.layout.layout import Board, Cell, Segment, Tick, split_name
from kibitz.board.layout.survey import Survey, natural, owner_of
from kibitz.gdl import Function, Rule, Variable, atoms_of


@dataclass(frozen=True, slots=True)
class Orientation:
    """Which axis, 0 or 1, is drawn from top to bottom, and which axes run backwards."""

    vertical: int = 0
    upwards: bool = False
    leftwards: bool = False


def turn(grid: Grid, survey: Survey, *, is_chess: bool = False) -> Orientation:
    """Decide the orientation of a grid; the first row of a chessboard is at the bottom."""
    ragged = ragged_rows(grid)
    if ragged is not None:
        return Orientation(ragged)
    sides = _sides(grid, survey)
    found = _falling(grid, survey) or (None if _on_one_edge(grid, survey) else sides)
    if found:
        return found
    first, second = map(style_of, grid.orders)
    if first[:1] == "c" and second[:1] == "r":
        return Orientation(1)
    found = _ways(grid, survey)
    if found:
        return found
    if first == "letters" != second:
        return Orientation(1, upwards=True)
    if second == "letters" != first:
        return Orientation(0, upwards=True)
    return _names(grid, survey) or sides or Orientation(upwards=is_chess)


def ragged_rows(grid: Grid) -> int | None:
    """Return the axis whose rows all start at the first column and differ in length by odd numbers.

    Such rows are drawn centred, each shifted by half a cell: triangles, hexagons, stars.
    """
    for axis in (0, 1):
        across = grid.orders[1 - axis]
        lengths = []
        for name in grid.orders[axis]:
            row = {key[-1 - axis] for key in grid.cells if key[axis - 2] == name}
            if row != set(across[: len(row)]):
                break
            lengths.append(len(row))
        else:
            steps = [abs(a - b) for a, b in pairwise(lengths)]
            if steps and all(step % 2 for step in steps):
                return axis
    return None


def _falling(grid: Grid, survey: Survey) -> Orientation | None:
    """First pieces land anywhere in a row, but only in the last rows: there is the ground."""
    if grid.pieces(survey.initial):
        return None
    landed: set[tuple[str, str]] = set()
    for step in survey.first_steps:
        landed |= set(grid.pieces(step.after))
    for axis in (1, 0):
        along, across = grid.orders[axis], grid.orders[1 - axis]
        rows = {cell[axis] for cell in landed}
        columns = {cell[1 - axis] for cell in landed}
        if columns == set(across) and len(rows) < len(along) and len(landed) > 1:
            if rows == set(along[: len(rows)]):
                return Orientation(axis, upwards=True)
            if rows == set(along[-len(rows) :]):
                return Orientation(axis, upwards=False)
    return None


def _on_one_edge(grid: Grid, survey: Survey) -> bool:
    """Return whether all pieces start in one outer row or column, from where they may run."""
    cells = grid.pieces(survey.initial)
    lines = ({cell[axis] for cell in cells} for axis in (0, 1))
    ends = ({order[0], order[-1]} for order in grid.orders)
    return any(len(line) == 1 and line <= end for line, end in zip(lines, ends, strict=True))


def _sides(grid: Grid, survey: Survey) -> Orientation | None:
    """The players start on opposite sides: the first one, or white, sits at the bottom."""
    sides: dict[str, list[tuple[str, str]]] = {}
    for cell, name in grid.pieces(survey.initial).items():
        owner = owner_of(name, survey.owners)
        if owner:
            sides.setdefault(owner, []).append(cell)
    roles = [role for role in survey.game.roles if role in sides]
    if len(roles) != 2:
        return None
    roles.sort(key=lambda role: role.lower() != "white")
    apart = []
    for axis in (0, 1):
        order = {name: n for n, name in enumerate(grid.orders[axis])}
        first, second = ([order[cell[axis]] for cell in sides[role]] for role in roles)
        if max(first) < min(second):
            apart.append(Orientation(axis, upwards=True))
        elif max(second) < min(first):
            apart.append(Orientation(axis, upwards=False))
    return apart[0] if len(apart) == 1 else None


_WAYS = {"north": -1, "up": -1, "south": 1, "down": 1}
_ACROSS = {"west": -1, "left": -1, "east": 1, "right": 1}


def _ways(grid: Grid, survey: Survey) -> Orientation | None:
    """See where things go by moves called after directions."""
    orders = [{name: n for n, name in enumerate(order)} for order in grid.orders]
    votes: Counter[tuple[int, bool]] = Counter()
    for step in survey.steps:
        named = [way for move in step.joint if (way := _way(move))]
        before, after = grid.pieces(step.before), grid.pieces(step.after)
        left = [cell for cell in before if cell not in after]
        come = [cell for cell in after if cell not in before]
        if len(named) != 1 or len(left) != 1 or len(come) != 1:
            continue
        moved = [orders[k][come[0][k]] - orders[k][left[0][k]] for k in (0, 1)]
        if (moved[0] == 0) == (moved[1] == 0):
            continue
        axis = 0 if moved[0] else 1
        if named[0] in _WAYS:
            votes[axis, moved[axis] * _WAYS[named[0]] < 0] += 1
    if not votes:
        return None
    (axis, upwards), _ = min(votes.items(), key=lambda item: (-item[1], item[0]))
    return Orientation(axis, upwards)


def _way(move: Function) -> str | None:
    words = [move.name, *(str(arg) for arg in move.args)]
    for word in words:
        lower = word.lower().removeprefix("mov_").removeprefix("go").removeprefix("move")
        if lower in _WAYS or lower in _ACROSS:
            return lower
    return None


def _names(grid: Grid, survey: Survey) -> Orientation | None:
    """Look at what the rules call the fields: x and y, or rows and columns."""
    if grid.table.split or len(grid.axes) != 2:
        return None
    votes: Counter[str] = Counter()
    for rule in survey.game.sheet.rules:
        for term in _terms(rule):
            if term.name != grid.table.name or len(term.args) != grid.table.arity:
                continue
            if max(grid.axes) >= len(term.args):
                return None
            first, second = (term.args[k] for k in grid.axes)
            if isinstance(first, Variable) and isinstance(second, Variable):
                votes[_axis_name(first.name) + _axis_name(second.name)] += 1
    if votes["xy"] > votes["yx"]:
        return Orientation(1, upwards=True)
    if votes["cr"] > votes["rc"]:
        return Orientation(1)
    return None


def _axis_name(name: str) -> str:
    lower = name.lower()
    for start, axis in (("col", "c"), ("row", "r"), ("x", "x"), ("y", "y"), ("file", "c")):
        if lower.startswith(start):
            return axis
    return "?"


def _terms(rule: Rule) -> list[Function]:
    atoms = [rule.head, *(atom for part in rule.body for atom, _ in atoms_of(part))]
    return [
        atom.args[0]
        for atom in atoms
        if atom.relation in ("true", "next", "init") and atom.args
        if isinstance(atom.args[0], Function)
    ]


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
