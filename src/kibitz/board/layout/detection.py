"""Detect the layout of a game: its boards, what lies beside them, and how moves are made.

A role joins two opposite sides if its pieces on any line between them win, straight or bent, with
the last of them and not before, and lines the other way do not. This is found by play.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import cos, pi, sin, sqrt

from kibitz.attached import Attached
from kibitz.board.drawing.pieces import CHESSMEN, Piece, is_blank, make_pieces
from kibitz.board.layout.cell_places import shape_board, turn
from kibitz.board.layout.grids import Grid, as_grid, as_mesh, as_overlay, as_web
from kibitz.board.layout.layout import (
    Board,
    Cell,
    CellRef,
    Layout,
    MovePattern,
    Pattern,
    Segment,
    Shows,
)
from kibitz.board.layout.list_boards import as_list, boxes_on, is_sown, is_taken_from
from kibitz.board.layout.survey import FieldTable, Survey, SurveyStep, look_at, order_axis, owner_of
from kibitz.engine import CompiledGame, Game, Role
from kibitz.errors import KibitzError
from kibitz.gdl import Function
from kibitz.wording import side_names


def with_gestures(layout: Layout, survey: Survey) -> Layout:
    """Add to a layout how moves are made on its boards."""
    moves = tuple(_pattern(table, layout, survey) for table in survey.moves)
    return replace(layout, moves=moves)


def _pattern(table: FieldTable, layout: Layout, survey: Survey) -> MovePattern:
    """Choose the board where most observed moves change a cell that they name."""
    nothing = MovePattern(table.name, table.arity)
    if not table.shape or not table.rows or not table.width:
        return nothing
    best: tuple[tuple[int, int, int, int], MovePattern] | None = None
    for number, board in enumerate(layout.boards):
        for cells in _readings(table, board):
            used = {k for key in cells for k in key}
            value = tuple(k for k in range(table.width) if k not in used)
            pattern = MovePattern(
                table.name, table.arity, number, cells, value, table.split, table.shape
            )
            hits, whole = _hits(table, layout, pattern, survey)
            named = sum(len(key) - key.count(-1) for key in cells)
            rank = (hits, whole if board.kind == "heaps" else 0, named, -number)
            if best is None or rank > best[0]:
                best = rank, pattern
    return best[1] if best else nothing


def _readings(table: FieldTable, board: Board) -> list[tuple[tuple[int, ...], ...]]:
    """Return the ways in which fields of a move can name cells of a board."""
    if not board.cells:
        return []
    width = len(board.cells[0].key)
    found: list[tuple[int, ...]] = []
    start = 0
    while start + width <= table.width:
        fields = tuple(range(start, start + width))
        if all(tuple(row[k] for k in fields) in board.index for row in table.rows.values()):
            found.append(fields)
            start += width
        else:
            start += 1
    readings = [tuple(found)] if found else []
    if board.kind == "heaps" and len(found) > 1:
        # Numbers may look like names of heaps: (remove 1 2) takes two, and does not change heap 2.
        readings += ((fields,) for fields in found)
    if not found and width == 2 and table.width == 1:
        readings += (
            ((0, -1) if axis == 0 else (-1, 0),)
            for axis in (0, 1)
            if table.domain(0) == {cell.key[axis] for cell in board.cells}
        )
    return readings


def _hits(
    table: FieldTable, layout: Layout, pattern: MovePattern, survey: Survey
) -> tuple[int, int]:
    """Count observed moves that change a cell which they seem to name, and all such cells."""
    probe = Layout(layout.game, layout.boards, layout.patterns, (pattern,))
    hits = whole = 0
    for step in (*survey.first_steps, *survey.steps):
        made = [move for move in step.joint if move in table.rows]
        if made:
            changed = _changed(probe, step)
            named = [cell in changed for move in made for cell in probe.gesture(move).cells]
            hits += any(named)
            whole += bool(named) and all(named)
    return hits, whole


def _changed(layout: Layout, step: SurveyStep) -> set[CellRef]:
    places = [layout.place(fluent) for fluent in step.before ^ step.after]
    return {place.cell for place in places if place and place.cell}


_FEWEST = 3
_MOST_CELLS = 200


@dataclass(frozen=True)
class _Lattice:
    """The cells of a board by row and column, as the rules name them."""

    rows: tuple[tuple[Cell, ...], ...]

    @property
    def turned(self) -> _Lattice:
        """The same cells by column and row."""
        return _Lattice(tuple(zip(*self.rows, strict=True)))

    def lines(self) -> Iterator[list[Cell]]:
        """Walk some lines along rows: the outer ones, the middle, and one with a bend."""
        middle, half = len(self.rows) // 2, len(self.rows[0]) // 2
        yield list(self.rows[middle])
        yield [*self.rows[middle][: half + 1], *self.rows[middle - 1][half:]]
        yield list(self.rows[0])
        yield list(self.rows[-1])


def goal_sides(layout: Layout, game: CompiledGame) -> tuple[tuple[Segment, str], ...]:
    """Return the outer edges of cells that a role has to join, each with the colour of the role.

    >>> import kibitz
    >>> from kibitz.board import layout_of
    >>> sides = layout_of(kibitz.load("hex:3")).boards[0].sides
    >>> sorted({colour for _, colour in sides}), len(sides)
    (['blue', 'red'], 22)
    """
    board = layout.boards[0] if layout.boards else None
    lattice = _lattice(board) if board else None
    if not board or not lattice or len(game.roles) != 2 or not _fills(layout, game):
        return ()
    found: list[tuple[Segment, str]] = []
    for role in game.roles:
        along = [_wins(layout, game, role, way) for way in (lattice, lattice.turned)]
        if along[0] == along[1] or role not in layout.badges:
            return ()
        colour = board.piece(layout.badges[role]).colour
        found += ((edge, colour) for edge in _edges(board, lattice, of_columns=along[0]))
    return tuple(found)


def _lattice(board: Board) -> _Lattice | None:
    """Return the cells by row and column, where every row has every column."""
    if board.kind not in ("hex", "grid") or not _FEWEST**2 <= len(board.cells) <= _MOST_CELLS:
        return None
    if any(len(cell.key) != 2 for cell in board.cells):
        return None
    rows = list(dict.fromkeys(cell.key[0] for cell in board.cells))
    columns = list(dict.fromkeys(cell.key[1] for cell in board.cells))
    if len(rows) * len(columns) != len(board.cells) or min(len(rows), len(columns)) < _FEWEST:
        return None
    found = [[board.cells[board.index[row, column]] for column in columns] for row in rows]
    found.sort(key=lambda row: (row[0].y, row[0].x))
    ordered = zip(*sorted(zip(*found, strict=True), key=lambda c: (c[0].x, c[0].y)), strict=True)
    return _Lattice(tuple(ordered))


def _fills(layout: Layout, game: CompiledGame) -> bool:
    """Whether play begins with a click on any cell of the board."""
    start = game.initial()
    legal = max((start.legal(role) for role in game.roles), key=len)
    clicked = {g.cells for g in map(layout.gesture, legal) if g.kind == "click"}
    return clicked >= {(CellRef(0, n),) for n in range(len(layout.boards[0].cells))}


def _wins(layout: Layout, game: CompiledGame, role: Role, lattice: _Lattice) -> bool:
    """Whether a role wins with the last cell of each line along the rows, and not before."""
    try:
        return all(_wins_with(layout, game, role, line, lattice) for line in lattice.lines())
    except KibitzError:  # these cells cannot be taken one after another
        return False


def _wins_with(
    layout: Layout, game: CompiledGame, role: Role, line: list[Cell], lattice: _Lattice
) -> bool:
    others = [cell for cell in chain(*lattice.rows) if cell not in line]
    # The other takes every second cell first, so as to join nothing.
    waiting = {role: line[::-1], "": [*others[1::2], *others[::2]][::-1]}
    state = game.initial()
    while not state.is_terminal:
        free = [one for one in game.roles if len(state.legal(one)) > 1]
        if len(free) != 1 or not (cells := waiting[role if free[0] == role else ""]):
            return False
        cell = CellRef(0, layout.boards[0].index[cells.pop().key])
        moves = layout.moves_at(state.legal(free[0]), cell)
        if len(moves) != 1:
            return False
        joint = [moves[0] if one == free[0] else state.legal(one)[0] for one in game.roles]
        state = state.step(tuple(joint))
    return not waiting[role] and state.goals[role] == 100


def _edges(board: Board, lattice: _Lattice, *, of_columns: bool) -> Iterator[Segment]:
    """Walk the outer edges of the first and last column, or row."""
    rows = lattice.rows
    origin, right, below = rows[0][0], rows[0][1], rows[1][0]
    ux, uy, vx, vy = right.x - origin.x, right.y - origin.y, below.x - origin.x, below.y - origin.y
    count, radius, first = (6, 1 / sqrt(3), 0.0) if board.kind == "hex" else (4, sqrt(0.5), pi / 4)
    corners = [first + k * 2 * pi / count for k in range(count)]
    for r, c in ((r, c) for r in range(len(rows)) for c in range(len(rows[0]))):
        cell = rows[r][c]
        points = [(cell.x + radius * sin(a), cell.y - radius * cos(a)) for a in corners]
        for (x1, y1), (x2, y2) in zip(points, [*points[1:], points[0]], strict=True):
            dx, dy = x1 + x2 - 2 * cell.x, y1 + y2 - 2 * cell.y  # to the cell across
            size = ux * vy - uy * vx
            column, row = (dx * vy - dy * vx) / size, (ux * dy - uy * dx) / size
            is_side = not -0.5 < c + column < len(rows[0]) - 0.5
            is_end = not -0.5 < r + row < len(rows) - 0.5
            if is_side if of_columns else is_end and not is_side:
                yield (x1, y1, x2, y2)


_known: Attached[Game, Layout] = Attached()

MOST_BOARDS = 8

_NOTE = re.compile(r"(last|previous|recent)_?\w+|pending|visited_this_turn|to_clear", re.IGNORECASE)
"""Names of fluents that say something of play, such as the last move, and not what stands where."""


def layout_of(game: Game) -> Layout:
    """Find the best way to draw a game, from its rules alone.

    >>> import kibitz
    >>> layout = layout_of(kibitz.load("connectfour"))
    >>> [(board.kind, len(board.cells)) for board in layout.boards]
    [('grid', 42)]
    """
    known = _known.get(game)
    if known is None:
        try:
            known = _find(look_at(game))
        except KibitzError:  # The rules fail somewhere in play; states can still be drawn.
            known = Layout(game.sheet.name, (), ())
        _known[game] = known
    return known


def use_layout(game: Game, layout: Layout) -> None:
    """Draw a game with another layout than the one found."""
    _known[game] = layout


def _find(survey: Survey) -> Layout:
    boards: list[Board] = []
    patterns: list[Pattern] = []
    left = list(survey.tables)
    for main, others in _families(survey):
        if len(boards) == MOST_BOARDS:
            break
        members = [main, *others]
        pieces = _pieces(members, survey)
        is_chess = any(piece.shape in CHESSMEN for piece in pieces)
        turned = turn(main, survey, is_chess=is_chess)
        board = shape_board(main, turned, None if is_chess else survey)
        boards.append(replace(board, pieces=pieces, chequered=is_chess))
        patterns += (
            _board_pattern(grid, len(boards) - 1, shows)
            for grid, shows in zip(members, _shows(members), strict=True)
        )
        used = {id(grid.table) for grid in members}
        left = [table for table in left if id(table) not in used]
    for table in left:
        beside = _beside(table, survey)
        if beside.shows == "turn" or _NOTE.fullmatch(table.name):
            patterns.append(beside)
            continue
        found = as_list(table, survey, len(boards)) if len(boards) < MOST_BOARDS else None
        if found:
            board, pattern = found
            if len(pattern.key) == 4:
                boards = [boxes_on(board, len(boards), other) for other in boards]
            names = {_value(table, pattern, fluent) for fluent in table.rows}
            pieces = _coloured(make_pieces(sorted(names), _common(table, pattern, survey)), survey)
            if not pattern.value:  # a line is there or not
                pieces = (Piece(table.name, "disc", "ink", glyph="#"),)
            boards.append(replace(board, pieces=pieces))
            patterns.append(pattern)
        else:
            patterns.append(beside)
    badges = _badges(boards, survey)
    layout = Layout(
        survey.game.sheet.name,
        tuple(boards),
        tuple(patterns),
        names=side_names(survey.game.roles),
        badges=badges,
    )
    layout = with_gestures(layout, survey)
    if isinstance(survey.game, CompiledGame) and (sides := goal_sides(layout, survey.game)):
        layout = replace(layout, boards=(replace(boards[0], sides=sides), *boards[1:]))
    return replace(layout, poison=_poison(layout, survey))


def _poison(layout: Layout, survey: Survey) -> CellRef | None:
    """Find the one cell whose move ends play with a loss for whoever makes it, as play begins."""
    start = survey.game.initial()
    movers = [n for n, role in enumerate(survey.game.roles) if len(start.legal(role)) > 2]
    if len(movers) != 1 or len(survey.game.roles) < 2:
        return None
    role = survey.game.roles[movers[0]]
    found: set[CellRef] = set()
    for step in survey.first_steps:
        gesture = layout.gesture(step.joint[movers[0]])
        after = start.step(step.joint)
        if not after.is_terminal:
            continue
        mine, others = after.goals[role], [g for r, g in after.goals.items() if r != role]
        loses = mine is not None and all(goal is not None and goal > mine for goal in others)
        if not loses or gesture.kind != "click" or len(gesture.cells) != 1:
            return None
        found.add(gesture.cells[0])
    return found.pop() if len(found) == 1 else None


def _badges(boards: list[Board], survey: Survey) -> dict[str, str]:
    """Give each role the piece that shows its turn: the first of its own pieces."""
    badges: dict[str, str] = {}
    for piece in (p for board in boards[:1] if board.kind != "heaps" for p in board.pieces):
        owner = owner_of(piece.name, survey.owners)
        if owner and piece.shape not in ("blank", "number"):
            badges.setdefault(owner, piece.name)
    return badges


def _families(survey: Survey) -> list[tuple[Grid, list[Grid]]]:
    """Find the grids, each with the tables about its cells."""
    tables = [table for table in survey.tables if not _NOTE.fullmatch(table.name)]
    grids = [
        grid
        for table in tables
        if not as_web(table, survey)
        and not as_mesh(table, survey)
        and not is_taken_from(table, survey)
        and not is_sown(table, survey)
        and (grid := as_grid(table, survey))
    ]
    grids.sort(key=lambda g: (g.is_walls, -g.fills, -bool(g.values), -len(g.cells), len(g.names())))
    families: list[tuple[Grid, list[Grid]]] = []
    for grid in grids:
        own = grid.fills and bool(grid.values)
        home = None if own else _home(grid.table, families, survey)
        if home:
            home[0][1].append(home[1])
        elif grid.is_walls and families:
            families[0] = _walled(families[0], grid, survey)
        elif families and (holed := _holed(families[0], grid, survey)):
            families[0] = holed
        else:
            families.append((grid, []))
    known = {id(grid.table) for grid in grids}
    for table in tables:
        if id(table) not in known:
            home = _home(table, families, survey)
            if home:
                home[0][1].append(home[1])
    return families


def _walled(
    family: tuple[Grid, list[Grid]], walls: Grid, survey: Survey
) -> tuple[Grid, list[Grid]]:
    """Add walls to a grid, with the cells beyond its edge that have walls."""
    main, others = family
    orders = [
        order_axis({*a, *b}, survey.chains) for a, b in zip(main.orders, walls.orders, strict=True)
    ]
    if orders[0] is None or orders[1] is None or main.layers or walls.layers:
        return family
    more = frozenset(walls.cells - main.cells)
    return replace(main, orders=(orders[0], orders[1]), more=more), [*others, walls]


def _holed(
    family: tuple[Grid, list[Grid]], holes: Grid, survey: Survey
) -> tuple[Grid, list[Grid]] | None:
    """Add what never changes and lies where a grid has no cells, such as holes in a board."""
    main, others = family
    states = [{f for f in state if f in holes.table.rows} for state in survey.states()]
    is_fixed = all(len(held) == len(holes.table.rows) for held in states)
    if holes.values or not is_fixed or main.layers or main.cells & holes.cells:
        return None
    if not all(set(a) >= set(b) for a, b in zip(main.orders, holes.orders, strict=True)):
        return None
    wider = replace(main, more=main.more | holes.cells)
    overlay = as_overlay(holes.table, wider, survey)
    return None if overlay is None else (wider, [*others, overlay])


def _home(
    table: FieldTable, families: list[tuple[Grid, list[Grid]]], survey: Survey
) -> tuple[tuple[Grid, list[Grid]], Grid] | None:
    for family in families:
        overlay = as_overlay(table, family[0], survey)
        if overlay:
            return family, overlay
    return None


def _pieces(members: list[Grid], survey: Survey) -> tuple[Piece, ...]:
    """Name what can be on a board; where two tables use one name, the table's name comes first."""
    named = [(grid, name) for grid in members for name in grid.names()]
    counts = Counter(name for _, name in named)
    full = [name if counts[name] == 1 else _full(grid, name) for grid, name in named]
    held: Counter[str] = Counter()
    for grid in members:
        rows = grid.table.rows
        for fluent in survey.initial & rows.keys():
            name = grid.name(rows[fluent])
            held[name if counts[name] == 1 else _full(grid, name)] += 1
    shown = zip(members, _shows(members), strict=True)
    tiles = {grid.table.name for grid, shows in shown if shows == "tile"}
    pieces = _coloured(make_pieces(full, held), survey)
    return tuple(
        replace(piece, shape="tile", glyph="□") if piece.name in tiles else piece
        for piece in pieces
    )


def _full(grid: Grid, name: str) -> str:
    return f"{grid.table.name} {name}" if grid.values else name


def _coloured(pieces: tuple[Piece, ...], survey: Survey) -> tuple[Piece, ...]:
    """Give letters the colour of their owner; what has a role's own name is a counter of it."""
    roles = survey.game.roles
    colours = dict(zip(roles, ("blue", "red", "green", "purple"), strict=False))
    signs = _signs(roles)
    found = []
    for piece in pieces:
        owner = owner_of(piece.name, survey.owners) if piece.shape == "letters" else None
        if piece.name in colours and (piece.shape == "letters" or piece.text):
            sign, colour = signs[piece.name], colours[piece.name]
            found.append(replace(piece, shape="disc", colour=colour, text=sign))
        else:
            colour = colours.get(owner, piece.colour) if owner else piece.colour
            found.append(replace(piece, colour=colour))
    return tuple(found)


def _signs(roles: Sequence[Role]) -> dict[Role, str]:
    """Give each role a sign of its own: a letter, else its number, else more letters.

    >>> _signs(["east", "west"]), _signs(["player1", "player2"]), _signs(["anna", "adam"])
    ({'east': 'E', 'west': 'W'}, {'player1': '1', 'player2': '2'}, {'anna': 'An', 'adam': 'Ad'})
    """
    for signs in ([r[0].upper() for r in roles], [r[-1] for r in roles if r[-1].isdigit()]):
        if len(set(signs)) == len(roles):
            return dict(zip(roles, signs, strict=True))
    return {role: role[:2].capitalize() for role in roles}


def _common(table: FieldTable, pattern: Pattern, survey: Survey) -> Counter[str]:
    held = survey.initial & table.rows.keys()
    return Counter(_value(table, pattern, fluent) for fluent in held)


def _value(table: FieldTable, pattern: Pattern, fluent: Function) -> str:
    """Return what a fluent says of its place: the field for it, or its own name."""
    return table.rows[fluent][pattern.value[0]] if pattern.value else table.name


def _board_pattern(grid: Grid, board: int, shows: Shows) -> Pattern:
    table = grid.table
    return Pattern(
        table.name,
        table.arity,
        shows,
        board,
        grid.key,
        grid.values,
        table.split,
        table.shape,
    )


def _shows(members: list[Grid]) -> list[Shows]:
    """Return the table of the ground and the table of its walls; of each, the first candidate."""
    found: list[Shows] = []
    for grid in members:
        shows: Shows = "piece"
        if grid.is_walls:
            shows = "side"
        elif not grid.values and grid.fills and not is_blank(grid.table.name):
            shows = "tile"
        found.append("piece" if shows in found else shows)
    return found


def _beside(table: FieldTable, survey: Survey) -> Pattern:
    """Return how fluents that are on no board are shown."""
    roles = set(survey.game.roles)
    lower = table.name.lower()
    plain = Pattern(table.name, table.arity, "label")
    if not table.shape or not table.width or table.split:
        return plain
    whose = [k for k in range(table.width) if table.domain(k) <= roles]
    is_turn = any(word in lower for word in ("control", "turn", "tomove", "to_move"))
    if is_turn and whose and table.width <= 2 and len(roles) > 1:
        return replace(plain, shows="turn", key=(whose[0],), shape=table.shape)
    last = table.domain(table.width - 1)
    is_number = any(c.isdigit() for value in last for c in value)
    if (
        is_number
        and not last <= roles
        and order_axis(last, survey.chains)
        and _is_counter(table, survey)
    ):
        return replace(plain, shows="counter")
    return plain


def _is_counter(table: FieldTable, survey: Survey) -> bool:
    """Return whether a table has one value at a time, for everyone or for each role."""
    for state in survey.states():
        rows = [table.rows[fluent] for fluent in state if fluent in table.rows]
        if len({row[:-1] for row in rows}) < len(rows):
            return False
    return True
