"""Game in; out the symmetries that people see on its board, by name: half_turn, left_right, …

A name says what the symmetry does to the places of the drawn board, so that it means the same on a
board of another size. Only those are named that undo themselves.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from kibitz.board import CellRef, Layout, layout_of
from kibitz.engine import CompiledGame
from kibitz.errors import KibitzError
from kibitz.strategy.evaluation.rule_images import Carrier, carriers_of
from kibitz.strategy.syntax.tree import Unchanged

__all__ = ["SYMMETRY_NAMES", "named_symmetries", "unchanged"]

SYMMETRY_NAMES = {
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
_MOST_SYMMETRIES = 64
"""No board that people see has more."""

_KNOWN: WeakKeyDictionary[CompiledGame, dict[str, Carrier]] = WeakKeyDictionary()


def named_symmetries(game: CompiledGame) -> dict[str, Carrier]:
    """Return the symmetries of a game that have names; none where its board or they are not known.

    >>> from kibitz.games import load_sheet
    >>> list(named_symmetries(CompiledGame(load_sheet("tictactoe"))))
    ['half_turn', 'left_right', 'top_bottom', 'diagonal', 'other_diagonal']
    """
    if game not in _KNOWN:
        _KNOWN[game] = _find(game)
    return _KNOWN[game]


def unchanged(name: str, carrier: Carrier) -> Unchanged:
    """Return the formula that a state is its own image under a symmetry that undoes itself."""
    pairs = ((a, b) for a, b in carrier.fluents.items() if str(a) < str(b))
    return Unchanged(name, tuple(sorted(pairs, key=str)))


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
    return {name: found[name] for name in SYMMETRY_NAMES if name in found}


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
    middle_x = sum(a.x for a, _ in points) / len(points)
    middle_y = sum(a.y for a, _ in points) / len(points)
    is_row = len({a.y for a, _ in points}) == 1
    for name, (xx, xy, yx, yy) in _PARTS.items():
        if not (is_row and name == "half_turn") and all(
            abs(xx * (a.x - middle_x) + xy * (a.y - middle_y) - (b.x - middle_x)) < 1e-6
            and abs(yx * (a.x - middle_x) + yy * (a.y - middle_y) - (b.y - middle_y)) < 1e-6
            for a, b in points
        ):
            return name if any(a is not b for a, b in points) else ""
    return ""
