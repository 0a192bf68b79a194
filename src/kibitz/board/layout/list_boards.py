"""Build boards that are not grids: strips, heaps, rings, rows of pits."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from math import ceil, cos, pi, sin

from kibitz.board.drawing.pieces import is_blank
from kibitz.board.layout.grids import MOST_NAMES, as_mesh, as_web
from kibitz.board.layout.layout import Board, Cell, Pattern, Shows, Tick
from kibitz.board.layout.survey import (
    Chain,
    FieldTable,
    Link,
    Survey,
    natural,
    order_axis,
    owner_of,
    owners_of,
)


@dataclass(frozen=True, slots=True)
class PitRows:
    """The row near the reader and the one beyond it, each from the left, and the two stores."""

    near: tuple[str, ...]
    far: tuple[str, ...]
    left: str | None = None
    right: str | None = None


def pit_rows(
    pits: Collection[str], stores: Collection[str], owners: Mapping[str, str], links: Iterable[Link]
) -> PitRows | None:
    """Put pits into two rows, if two players own as many of them, or the rules pair all of them.

    Pits face those that the rules pair them with, or else follow one another around the board.

    >>> owners = dict.fromkeys("abc", "south") | dict.fromkeys("def", "north")
    >>> pit_rows("abcdef", "xy", owners, [])
    PitRows(near=('a', 'b', 'c'), far=('f', 'e', 'd'), left='y', right='x')
    >>> opposite = frozenset({("a", "d"), ("b", "c")})
    >>> pit_rows("abcd", "", {}, [opposite])
    PitRows(near=('a', 'b'), far=('d', 'c'), left=None, right=None)
    """
    if len(stores) > 2 or len(pits) < 4:
        return None
    facing = next((found for link in links if (found := _facing(pits, link))), {})
    ordered = sorted(pits, key=natural)
    mine = owners.get(ordered[0])
    near = [pit for pit in ordered if owners.get(pit) == mine]
    if mine is None:
        near = [pit for pit in ordered if pit in facing and natural(pit) < natural(facing[pit])]
    if 2 * len(near) != len(pits) or len({owners.get(pit) for pit in pits}) > 2:
        return None
    far = [facing[pit] for pit in near if pit in facing]
    if set(far) != set(pits) - set(near):
        far = [pit for pit in reversed(ordered) if pit not in near]
    # One sows towards one's own store, which is at the right as one sits before one's row.
    right, left = [*sorted(stores, key=lambda s: (owners.get(s) != mine, natural(s))), None, None][
        :2
    ]
    return PitRows(tuple(near), tuple(far), left, right)


def _facing(pits: Collection[str], link: Link) -> dict[str, str]:
    """Return the other pit of each, if a relation pairs all of them."""
    pairs = [row for row in link if len(row) == 2]
    ends = [end for pair in pairs for end in pair]
    if len(pairs) != len(link) or sorted(ends) != sorted(pits):
        return {}
    return {one: other for a, b in pairs for one, other in ((a, b), (b, a))}


_SMALLEST = 4


def ring_of(names: Collection[str], links: Iterable[Link]) -> list[str] | None:
    """Order places as some relation links each to the next, and the last to the first.

    >>> ring_of("abcd", [frozenset({("a", "c"), ("c", "b"), ("b", "d"), ("d", "a")})])
    ['a', 'c', 'b', 'd']
    """
    for link in links:
        beside: dict[str, set[str]] = {}
        for one, *others in link:
            for other in others:
                beside.setdefault(one, set()).add(other)
                beside.setdefault(other, set()).add(one)
        if beside.keys() != set(names) or len(names) < _SMALLEST:
            continue
        if any(len(pair) != 2 for pair in link) or any(len(near) != 2 for near in beside.values()):
            continue
        first = min(names, key=natural)
        # Where links have a direction, the ring goes that way round.
        ring = [first, min(beside[first], key=lambda n: ((first, n) not in link, natural(n)))]
        while len(ring) <= len(names):
            (after,) = beside[ring[-1]] - {ring[-2]} or {first}
            ring.append(after)
        if ring.pop() == first and len(set(ring)) == len(names):
            return ring
    return None


def around(count: int, *, out: float = 0.0) -> tuple[list[tuple[float, float]], float]:
    """Return points on a circle, clockwise from its top, and the side of the square for it.

    With `out` they lie so far outside that circle, around the same middle.
    """
    radius = max(1.6, count * 0.36)
    middle = radius + 0.5
    turns = [2 * pi * n / count for n in range(count)]
    far = radius + out
    # Rounded, so that points of a row have the same height.
    points = [
        (round(middle + far * sin(turn), 6), round(middle - far * cos(turn), 6)) for turn in turns
    ]
    return points, 2 * middle


MOST_PLACES = 100
_APART = 1.4
"""How far apart the points of a mesh are."""
_PIT = 1.5
"""The side of a pit."""
_NAMED = 0.7
"""How far inside the places of a ring their names stand."""
_NO_NOUNS = ("has", "have", "holds", "contains", "on", "at", "in", "count", "size", "number")
"""Names of fluents about heaps that do not name a heap."""


def as_list(table: FieldTable, survey: Survey, number: int) -> tuple[Board, Pattern] | None:
    """Read a table as board `number`, if it gives one thing for each of several places."""
    if as_web(table, survey):
        return _web(table, number)
    mesh = as_mesh(table, survey)
    if mesh:
        return _mesh(table, number, mesh)
    if table.shape and table.width == 1:
        return _presence(table, survey, number)
    if not table.shape or table.width != 2 or table.domain(0) <= set(survey.game.roles):
        return None
    owners, values = table.domain(0), table.domain(1)
    if not 2 <= len(owners) <= MOST_PLACES or not 2 <= len(values) <= MOST_NAMES:
        return None
    states = [[table.rows[f] for f in state if f in table.rows] for state in survey.states()]
    if any(len({row[0] for row in rows}) < len(rows) for rows in states):
        return None
    if 2 * max(map(len, states)) < len(owners) or not any(len(rows) > 1 for rows in states):
        return None
    if is_taken_from(table, survey):
        return _heaps(table, survey, number)
    if is_sown(table, survey):
        return _pits(table, survey, number) or _heaps(table, survey, number)
    # What belongs to roles says whose a place is, and is no place itself; a point may be called b.
    is_marked = all(is_blank(name) or owner_of(name, survey.owners) for name in values)
    if not is_marked and (owners & values or _moves_to(table, survey)):
        return _stacks(table, number)
    if values <= owners and not is_marked:
        return None
    if all(count_of(value) is not None for value in values):
        return _pits(table, survey, number) or _heaps(table, survey, number)
    return _line(table, survey, number), _pattern(table, number, "piece", (0,), (1,))


def is_taken_from(table: FieldTable, survey: Survey) -> bool:
    """Return whether moves take numbers away: (remove 2 3) leaves pile 2 three less than it had.

    That number is not a column then, however much the pairs of pile and number look like cells.
    """
    if not table.shape or table.width != 2 or table.split:
        return False
    moves = {move: row for t in survey.moves if t.width == 2 for move, row in t.rows.items()}
    has_shown = False
    for step in (*survey.first_steps, *survey.steps):
        before, after = (
            {row[0]: row[1] for f in fluents if (row := table.rows.get(f))}
            for fluents in (step.before, step.after)
        )
        made = [moves[move] for move in step.joint if move in moves]
        changed = {name for name in before if before[name] != after.get(name)}
        if not made or changed != {made[0][0]}:
            return False
        name, number = made[0]
        had, has, taken = count_of(before[name]), count_of(after.get(name, "")), count_of(number)
        if had is None or has is None or taken is None or had - taken != has:
            return False
        has_shown = has_shown or has != taken
    return has_shown


def is_sown(table: FieldTable, survey: Survey) -> bool:
    """Return whether each place has a number, and moves share the same sum anew, as in mancala."""
    if not table.shape or table.width != 2 or table.split:
        return False
    sums: set[int] = set()
    shares: set[tuple[int, ...]] = set()
    places = {row[0] for row in table.rows.values()}
    for state in survey.states():
        rows = [row for fluent in state if (row := table.rows.get(fluent))]
        counts = sorted(count for row in rows if (count := count_of(row[1])) is not None)
        if len(counts) != len(places) or {row[0] for row in rows} != places:
            return False
        sums.add(sum(counts))
        shares.add(tuple(counts))
    return len(sums) == 1 and len(places) > 2 and len(shares) > 2


def count_of(name: str) -> int | None:
    """Return the number that a constant such as 4 or s4 stands for.

    >>> count_of("12"), count_of("s4"), count_of("red")
    (12, 4, None)
    """
    match = re.fullmatch(r"[A-Za-z]?(\d{1,4})", name)
    return int(match[1]) if match else None


def _pattern(
    table: FieldTable, board: int, shows: Shows, key: tuple[int, ...], value: tuple[int, ...]
) -> Pattern:
    return Pattern(table.name, table.arity, shows, board, key, value, table.split, table.shape)


def _sorted(names: set[str], survey: Survey) -> list[str]:
    return list(order_axis(names, survey.chains) or sorted(names, key=natural))


def _presence(table: FieldTable, survey: Survey, number: int) -> tuple[Board, Pattern] | None:
    """Read a table of places, of which most are there at the start, if they lie in a ring."""
    places = table.domain(0)
    held = survey.initial & table.rows.keys()
    if (
        len(places) > MOST_PLACES
        or 2 * len(held) < len(places)
        or ring_of(places, survey.links) is None
    ):
        return None
    return _line(table, survey, number), _pattern(table, number, "piece", (0,), ())


def _line(table: FieldTable, survey: Survey, number: int) -> Board:
    """Put places into a ring where the rules link them so, or else side by side."""
    ring = ring_of(table.domain(0), survey.links)
    if ring is not None:
        at, side = around(len(ring))
        ends = [(*at[n - 1], *at[n]) for n in range(len(ring))]
        cells = tuple(Cell((name,), x, y) for name, (x, y) in zip(ring, at, strict=True))
        beside, _ = around(len(ring), out=-_NAMED)
        named = tuple((name, x, y) for name, (x, y) in zip(ring, beside, strict=True))
        return Board("points", cells, side, side, lines=tuple(ends), points=named, title=table.name)
    names = _sorted(table.domain(0), survey)
    cells = tuple(Cell((name,), n + 0.5, 0.5) for n, name in enumerate(names))
    ticks = tuple(Tick(name, n + 0.5) for n, name in enumerate(names))
    return Board("strip", cells, len(names), 1, columns=ticks, title=table.name)


def _heaps(table: FieldTable, survey: Survey, number: int) -> tuple[Board, Pattern]:
    names = _sorted(table.domain(0), survey)
    seen = {row[1] for state in survey.states() for f in state if (row := table.rows.get(f))}
    most = max(count_of(value) or 0 for value in seen or table.domain(1))
    across = 1 if most <= 8 else 3 if most <= 24 else 5
    width = max(1.0, 0.42 * across + 0.3)
    height = 0.42 * ceil(min(most, 60) / across) + 0.7
    cells = tuple(Cell((name,), (n + 0.5) * width, height / 2) for n, name in enumerate(names))
    ticks = tuple(Tick(name, (n + 0.5) * width) for n, name in enumerate(names))
    board = Board(
        "heaps",
        cells,
        len(names) * width,
        height,
        columns=ticks,
        upwards=True,
        title="heap" if table.name in _NO_NOUNS else table.name,
        cell_width=width,
        cell_height=height,
    )
    return board, _pattern(table, number, "count", (0,), (1,))


def _pits(table: FieldTable, survey: Survey, number: int) -> tuple[Board, Pattern] | None:
    """Put what is sown into two rows, with what is empty at first at their ends."""
    held = [row for fluent in survey.initial if (row := table.rows.get(fluent))]
    stores = {row[0] for row in held if count_of(row[1]) == 0}
    pits = {row[0] for row in held} - stores
    rows = pit_rows(pits, stores, owners_of(survey.game), survey.links)
    if rows is None:
        return None
    start = 0.5 + (rows.left is not None)
    at = {name: (start + n, 1.5) for n, name in enumerate(rows.near)}
    at |= {name: (start + n, 0.5) for n, name in enumerate(rows.far)}
    at |= {rows.left: (0.5, 1.0)} if rows.left is not None else {}
    at |= {rows.right: (start + len(rows.near), 1.0)} if rows.right is not None else {}
    cells = tuple(Cell((name,), x * _PIT, y * _PIT) for name, (x, y) in at.items())
    board = Board(
        "heaps",
        cells,
        max(cell.x for cell in cells) + _PIT / 2,
        _PIT * 2,
        points=tuple((cell.name, cell.x, cell.y - _PIT / 2 + 0.2) for cell in cells),
        title=table.name,
        cell_width=_PIT,
        cell_height=_PIT - 0.1,
    )
    return board, _pattern(table, number, "count", (0,), (1,))


def _moves_to(table: FieldTable, survey: Survey) -> bool:
    """Return whether a move takes a thing to a place, both named as the table names them."""
    things, places = table.domain(0), table.domain(1)
    return any(
        move.domain(0) <= things and move.domain(1) == places
        for move in survey.moves
        if move.shape and move.width == 2 and len(move.rows) > 1
    )


def _stacks(table: FieldTable, number: int) -> tuple[Board, Pattern]:
    things, places = table.domain(0), table.domain(1)
    fixed = sorted(places - things, key=natural)
    roots = fixed or sorted(places | things, key=natural)
    others = [name for name in sorted(places, key=natural) if name not in roots]
    height = 0.45 * (len(things) + 1) + 0.2
    width = 2.2 if len(roots) <= 6 else 1.4
    column = {name: n for n, name in enumerate(roots)}
    cells = tuple(
        Cell((name,), (column.get(name, 0) + 0.5) * width, height / 2) for name in (*roots, *others)
    )
    ticks = tuple(Tick(name, (n + 0.5) * width) for name, n in column.items())
    board = Board(
        "stacks",
        cells,
        len(roots) * width,
        height,
        columns=ticks,
        upwards=True,
        title=table.name,
        cell_width=width,
        cell_height=height,
    )
    return board, _pattern(table, number, "item", (1,), (0,))


def _web(table: FieldTable, number: int) -> tuple[Board, Pattern]:
    points = sorted({end for row in table.rows.values() for end in row[:2]}, key=natural)
    placed, side = around(len(points))
    at = dict(zip(points, placed, strict=True))
    cells = []
    for first, second in sorted({row[:2] for row in table.rows.values()}, key=_natural_pair):
        (x1, y1), (x2, y2) = at[first], at[second]
        # A third of the way: lines through the middle would all have their labels there.
        x, y = (2 * x1 + x2) / 3, (2 * y1 + y2) / 3
        cells.append(Cell((first, second), x, y, (x1, y1, x2, y2)))
    board = Board(
        "graph",
        tuple(cells),
        side,
        side,
        points=tuple((name, x, y) for name, (x, y) in at.items()),
        title=table.name,
    )
    return board, _pattern(table, number, "piece", (0, 1), (2,))


def _mesh(table: FieldTable, number: int, orders: tuple[Chain, Chain]) -> tuple[Board, Pattern]:
    """Put points in rows and columns, and lines between neighbours; the first field goes across."""
    across, down = ({name: n for n, name in enumerate(order)} for order in orders)
    at = {(a, b): (across[a] * _APART + 0.5, down[b] * _APART + 0.5) for a in across for b in down}
    cells = []
    for row in sorted({row[:4] for row in table.rows.values()}, key=_natural_pair):
        (x1, y1), (x2, y2) = at[row[0], row[1]], at[row[2], row[3]]
        cells.append(Cell(row, (x1 + x2) / 2, (y1 + y2) / 2, (x1, y1, x2, y2)))
    board = Board(
        "graph",
        tuple(cells),
        _APART * (len(across) - 1) + 1,
        _APART * (len(down) - 1) + 1,
        rows=tuple(Tick(name, n * _APART + 0.5) for name, n in down.items()),
        columns=tuple(Tick(name, n * _APART + 0.5) for name, n in across.items()),
        points=tuple(("", x, y) for x, y in at.values()),
        title=table.name,
    )
    value = (4,) if table.width == 5 else ()
    key = (0, 1, 2, 3)
    pattern = Pattern(
        table.name, table.arity, "piece", number, key, value, table.split, table.shape
    )
    return board, pattern


def boxes_on(mesh: Board, number: int, board: Board) -> Board:
    """Put a board onto a mesh, which is board `number`, if its cells are the boxes of it."""
    across, down = ({tick.text: tick.at for tick in ticks} for ticks in (mesh.columns, mesh.rows))
    boxes = {(a, b) for a in list(across)[:-1] for b in list(down)[:-1]}
    if {cell.key for cell in board.cells} != boxes:
        return board
    cells = tuple(
        replace(cell, x=across[cell.key[0]] + _APART / 2, y=down[cell.key[1]] + _APART / 2)
        for cell in board.cells
    )
    return replace(
        board, kind="grid", cells=cells, width=mesh.width, height=mesh.height, rows=(), columns=(),
        upwards=False, on=number,
    )  # fmt: skip


def _natural_pair(pair: tuple[str, ...]) -> list[object]:
    return [natural(name) for name in pair]
