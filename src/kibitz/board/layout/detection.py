"""A Game in, its Layout out: what is a board, what is beside it, and how moves are made."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from kibitz.attached import Attached
from kibitz.board.drawing.pieces import CHESSMEN, Piece, is_blank, make_pieces
from kibitz.board.layout.axes import order_axis
from kibitz.board.layout.cell_places import shape_board
from kibitz.board.layout.gestures import with_gestures
from kibitz.board.layout.goal_sides import goal_sides
from kibitz.board.layout.grids import Grid, as_grid, as_mesh, as_overlay, as_web
from kibitz.board.layout.layout import Board, CellRef, Layout, Pattern, Shows
from kibitz.board.layout.list_boards import as_list, boxes_on, is_sown, is_taken_from
from kibitz.board.layout.orientation import turn
from kibitz.board.layout.static_facts import owner_of
from kibitz.board.layout.survey import FieldTable, Survey, look_at
from kibitz.engine import CompiledGame, Game, Role
from kibitz.errors import KibitzError
from kibitz.gdl import Function
from kibitz.wording import side_names

__all__ = ["layout_of", "use_layout"]

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
            _pattern(grid, len(boards) - 1, shows)
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


def _pattern(grid: Grid, board: int, shows: Shows) -> Pattern:
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
