"""Name the symmetries that people see on a game's board: half_turn, left_right, …

A name says what the symmetry does to the places of the drawn board, so that it means the same on a
board of another size. Only those are named that undo themselves. A board can also be turned so that
each thing of one role comes to lie on one of the other: then the sides are exchanged; or so with
two kinds of pieces that anyone may put there. A place that stays where it is does not count then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product
from typing import cast

from kibitz.attached import Attached
from kibitz.board import Cell, CellRef, Layout, layout_of
from kibitz.engine import CompiledGame, Role
from kibitz.errors import KibitzError
from kibitz.gdl import Function, Term
from kibitz.strategy import tree
from kibitz.strategy.evaluation.rule_images import Carrier, carriers_of
from kibitz.strategy.places import owned_things
from kibitz.strategy.syntax.number_reader import number_values
from kibitz.strategy.tree import Unchanged

SYMMETRIES: dict[str, str] = {
    "half_turn": "a half-turn",
    "left_right": "a reflection from left to right",
    "top_bottom": "a reflection from top to bottom",
    "diagonal": "a reflection in a diagonal",
    "other_diagonal": "a reflection in the other diagonal",
}
"""Names of symmetries in the strategy language, and what they are in words."""

_PARTS = {
    "half_turn": (-1, 0, 0, -1),
    "left_right": (-1, 0, 0, 1),
    "top_bottom": (1, 0, 0, -1),
    "diagonal": (0, 1, 1, 0),
    "other_diagonal": (0, -1, -1, 0),
}
_MOST_SYMMETRIES = 2_000
"""Boards of several parts, each of which can be turned alone, have many; more are not looked at."""

_EXCHANGES = {
    "exchanged": "that exchanges the sides",
    "recoloured": "that exchanges both kinds of pieces",
}
_CLOSE = 1e-5

Point = tuple[float, float]

_KNOWN: Attached[CompiledGame, dict[str, Carrier]] = Attached()
_TURNED: Attached[CompiledGame, dict[str, dict[Function, Function]]] = Attached()


def named_symmetries(game: CompiledGame) -> dict[str, Carrier]:
    """Return the symmetries of a game that have names; none where its board or they are not known.

    >>> from kibitz.games import load_sheet
    >>> list(named_symmetries(CompiledGame(load_sheet("tictactoe"))))
    ['half_turn', 'left_right', 'top_bottom', 'diagonal', 'other_diagonal']
    """
    if game not in _KNOWN:
        _KNOWN[game] = _find(game)
    return _KNOWN[game]


def exchanges(game: CompiledGame) -> dict[str, dict[Function, Function]]:
    """Return the images of fluents when the board is turned and both roles' things are exchanged.

    >>> from kibitz.games import load_sheet
    >>> list(exchanges(CompiledGame(load_sheet("tictactoe"))))[:2]
    ['half_turn, exchanged', 'left_right, exchanged']
    """
    if game not in _TURNED:
        _TURNED[game] = dict(_turned(game)) if len(game.roles) == 2 else {}
    return _TURNED[game]


def symmetry_words(name: str) -> str:
    """Say what a symmetry does to the board.

    >>> symmetry_words("half_turn"), symmetry_words("half_turn, exchanged")
    ('a half-turn', 'a half-turn that exchanges the sides')
    """
    plain, _, exchanged = name.partition(", ")
    return f"{SYMMETRIES[plain]} {_EXCHANGES[exchanged]}" if exchanged else SYMMETRIES[plain]


def unchanged(name: str, images: Mapping[Function, Function]) -> Unchanged:
    """Return the formula that a state is its own image under a symmetry that undoes itself."""
    pairs = ((a, b) for a, b in images.items() if str(a) < str(b))
    return Unchanged(name, tuple(sorted(pairs, key=str)))


def carried_cells(name: str, cells: tuple[Cell, ...]) -> dict[int, int]:
    """Return to which cell a symmetry carries each; nothing of a row for one of a square."""
    if len({cell.y for cell in cells}) == 1 and name != "left_right":
        return {}
    middle = _middle(cells)
    return {
        n: m
        for n, cell in enumerate(cells)
        for m, other in enumerate(cells)
        if _near(_image(name, cell, middle), (other.x, other.y))
    }


def _find(game: CompiledGame) -> dict[str, Carrier]:
    try:
        carriers, layout = carriers_of(game), layout_of(game)
    except KibitzError:
        return {}
    found: dict[str, Carrier] = {}
    for carrier in carriers if len(carriers) <= _MOST_SYMMETRIES else ():
        name = _name(layout, carrier)
        if name and name not in found and _undoes_itself(carrier):
            found[name] = carrier
    return {name: found[name] for name in SYMMETRIES if name in found}


def _undoes_itself(carrier: Carrier) -> bool:
    return all(carrier.fluents.get(image) == fluent for fluent, image in carrier.fluents.items())


def _name(layout: Layout, carrier: Carrier) -> str:
    """Return the name of what a symmetry does to places; empty if it has none."""
    moved: dict[CellRef, CellRef] = {}
    for fluent, image in carrier.fluents.items():
        one, other = layout.place(fluent), layout.place(image)
        a, b = (place.cell if place else None for place in (one, other))
        if (a is None) != (b is None) or (a is None and fluent != image):
            return ""
        if a is not None and b is not None:
            if a.board != b.board or moved.setdefault(a, b) != b:
                return ""
            assert one is not None
            assert other is not None
            if one.piece != other.piece:
                return ""
    boards = {ref.board for ref in moved}
    if len(boards) != 1:
        return ""
    cells = layout.boards[boards.pop()].cells
    points = [(cells[a.cell], cells[b.cell]) for a, b in moved.items()]
    middle = _middle([a for a, _ in points])
    is_row = len({a.y for a, _ in points}) == 1
    for name in SYMMETRIES:
        if not (is_row and name == "half_turn") and all(
            _near(_image(name, a, middle), (b.x, b.y)) for a, b in points
        ):
            return name if any(a is not b for a, b in points) else ""
    return ""


def _middle(cells: Collection[Cell]) -> Point:
    return sum(c.x for c in cells) / len(cells), sum(c.y for c in cells) / len(cells)


def _image(name: str, cell: Cell, middle: Point) -> Point:
    """Return where a symmetry carries the middle of a cell."""
    xx, xy, yx, yy = _PARTS[name]
    x, y = cell.x - middle[0], cell.y - middle[1]
    return middle[0] + xx * x + xy * y, middle[1] + yx * x + yy * y


def _near(a: Point, b: Point) -> bool:
    return abs(a[0] - b[0]) < _CLOSE and abs(a[1] - b[1]) < _CLOSE


def _turned(game: CompiledGame) -> Iterator[tuple[str, dict[Function, Function]]]:
    """Walk the names of turns with exchange, and the images of all fluents on the board."""
    try:
        layout = layout_of(game)
    except KibitzError:
        return
    network = game.network
    fluents = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
    placed = {f: place for f in fluents if (place := layout.place(f)) and place.cell}
    cell_of = {fluent: place.cell for fluent, place in placed.items() if place.cell}
    if {cell.board for cell in cell_of.values()} != {0}:
        return
    at = {(cell, f.name, placed[f].piece): f for f, cell in cell_of.items()}
    partners = {"exchanged": _swapped(game)}
    if not partners["exchanged"]:
        partners["recoloured"] = _recoloured(game, at)
    cells = layout.boards[0].cells
    for name in SYMMETRIES:
        to = carried_cells(name, cells)
        for exchange, partner in partners.items():
            images: dict[Function, Function] = {}
            for fluent, cell in cell_of.items():
                there = to.get(cell.cell)
                other = placed.get(partner.get(fluent, fluent))
                if there is None or other is None:
                    break
                image = at.get((CellRef(0, there), fluent.name, other.piece))
                if image is None:
                    break
                if there != cell.cell:
                    images[fluent] = image
            else:
                if partner:
                    yield f"{name}, {exchange}", images


def _recoloured(
    game: CompiledGame, at: Mapping[tuple[CellRef, str, str], Function]
) -> dict[Function, Function]:
    """Return the other kind of piece in the same place, where there are two and no place has one.

    They are not at the start of play, when all places are alike.
    """
    start = set(game.initial().fluents)
    kinds: dict[tuple[str, str], dict[CellRef, Function]] = {}
    for (cell, name, piece), fluent in at.items():
        kinds.setdefault((name, str(piece)), {})[cell] = fluent
    later = [kind for kind in kinds.values() if start.isdisjoint(kind.values())]
    if len(later) != 2 or later[0].keys() != later[1].keys():
        return {}
    one, other = later
    pairs = [(one[cell], other[cell]) for cell in one]
    return {a: b for pair in pairs for a, b in (pair, pair[::-1])}


def _swapped(game: CompiledGame) -> dict[Function, Function]:
    """Return what the other role has in place of each thing of a role, if each has one kind."""
    first, second = (owned_things(game, role) for role in game.roles)
    found: dict[Function, Function] = {}
    for (name, arity, place), things in first.items():
        theirs = second.get((name, arity, place), [])
        values = [{thing.args[place] for thing in owned} for owned in (things, theirs)]
        if any(len(kind) != 1 for kind in values):
            return {}
        others = {_without(thing, place): thing for thing in theirs}
        for thing in things:
            other = others.get(_without(thing, place))
            if other is None:
                return {}
            found[thing], found[other] = other, thing
    return found if first.keys() == second.keys() else {}


def _without(thing: Function, place: int) -> tuple[Term, ...]:
    return (*thing.args[:place], *thing.args[place + 1 :])


_MOST_MOVES = 300
"""The most moves of a role whose places are compared."""
_COORDINATES = 2

_Place = tuple[str, int, tuple[int, ...]]
_Where = tuple[str, int, frozenset[CellRef]]


def near_last_move(game: CompiledGame, role: Role, other: Role, steps: int) -> tree.Formula:
    """Return the formula that a role moves to a place near that of another role's last move.

    In no direction are they more than so many steps apart. It is false where moves have no places.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("connect:3,4x4"))
    >>> len(near_last_move(game, "xplayer", "oplayer", 0).parts)
    4
    """
    mine, theirs = (_places(game, one) for one in (role, other))
    at: dict[_Place, list[Function]] = {}
    for move, place in mine.items():
        at.setdefault(place, []).append(move)
    found = []
    for move, (name, arity, numbers) in theirs.items():
        around = product(*(range(x - steps, x + steps + 1) for x in numbers))
        near = [m for where in around for m in at.get((name, arity, where), ())]
        does = tree.disjunction(tree.Does(role, answer) for answer in near)
        found.append(tree.conjunction([tree.Before(1, tree.Does(other, move)), does]))
    return tree.disjunction(found)


def image_of_last_move(game: CompiledGame, role: Role, other: Role, symmetry: str) -> tree.Formula:
    """Return the formula that a role makes the image of another role's last move.

    It is false where moves are not made on a board, or its cells have no such images.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> len(image_of_last_move(game, "oplayer", "xplayer", "half_turn").parts)
    8
    """
    mine, theirs = (_cells(game, one) for one in (role, other))
    boards = layout_of(game).boards
    images = [carried_cells(symmetry, board.cells) for board in boards]
    at: dict[_Where, list[Function]] = {}
    for move, where in mine.items():
        at.setdefault(where, []).append(move)
    found = []
    for move, (name, arity, cells) in theirs.items():
        there = [CellRef(ref.board, images[ref.board].get(ref.cell, -1)) for ref in cells]
        if frozenset(there) != cells:  # in the middle there is nothing to copy
            does = tree.disjunction(
                tree.Does(role, m) for m in at.get((name, arity, frozenset(there)), ())
            )
            found.append(tree.conjunction([tree.Before(1, tree.Does(other, move)), does]))
    return tree.disjunction(found)


def _cells(game: CompiledGame, role: Role) -> dict[Function, _Where]:
    """Return on which cells each move of a role is made; none if there are too many moves."""
    moves = game.network.moves[game.roles.index(role)]
    if len(moves) > _MOST_MOVES:
        return {}
    layout = layout_of(game)
    cells = {move: frozenset(layout.gesture(move).cells) for move in moves}
    return {move: (move.name, len(move.args), here) for move, here in cells.items() if here}


def _places(game: CompiledGame, role: Role) -> dict[Function, _Place]:
    """Return the place of each move of a role that has one; none if there are too many moves."""
    moves = game.network.moves[game.roles.index(role)]
    if len(moves) > _MOST_MOVES:
        return {}
    found: dict[Function, _Place] = {}
    for name, arity in dict.fromkeys((move.name, len(move.args)) for move in moves):
        alike = [move for move in moves if (move.name, len(move.args)) == (name, arity)]
        columns = []
        for n in range(arity):
            values = {cast(Function, move.args[n]) for move in alike}
            numbers = number_values(values, game.sheet)
            if numbers is not None and len(numbers) > 1:
                columns.append([numbers[cast(Function, move.args[n])] for move in alike])
        for move, *place in zip(alike, *columns[-_COORDINATES:], strict=True):
            if place:
                found[move] = name, arity, tuple(place)
    return found
