"""Game and role in; out the formula that a move goes to a place of a kind, such as a corner.

Kinds are those of a board of rows and columns, as it is drawn. A move goes to the last cell on
which it is made: where a man is put, or the end of a step. Where things are on their way to where
the goal asks for them, a place may be nearer to it than the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kibitz.attached import Attached
from kibitz.board import Board, layout_of
from kibitz.engine import CompiledGame, Role
from kibitz.errors import KibitzError
from kibitz.gdl import Function
from kibitz.strategy.goal_regions import moves_nearer
from kibitz.strategy.tree import Does, Formula, disjunction

__all__ = ["PLACE_KINDS", "goes_to", "kinds_of_places"]

_MOST_MOVES = 2000
"""The most moves of a role whose places are looked at."""
_SMALLEST = 3
"""The fewest rows and columns of a board whose edge is not all of it."""

PLACE_KINDS: dict[str, str] = {
    "corner": "to a corner",
    "edge": "to the edge",
    "beside_corner": "beside a corner",
    "beside_edge": "next to the edge",
    "nearer": "nearer to the goal",
}
"""Kinds of places by their names, and where a move goes in words."""

_IS_OF: dict[str, Callable[[int, int], bool]] = {
    "corner": lambda across, down: across == down == 0,
    "edge": lambda across, down: min(across, down) == 0,
    "beside_corner": lambda across, down: max(across, down) == 1,
    "beside_edge": lambda across, down: min(across, down) == 1,
}
"""Whether a cell is of a kind, by its steps to the nearest side, across and down."""

_KNOWN: Attached[CompiledGame, dict[Role, dict[str, tuple[Function, ...]]]] = Attached()


def goes_to(game: CompiledGame, role: Role, kind: str) -> Formula:
    """Return the formula that a move of a role goes to a place of a kind; false if none does.

    >>> from kibitz.games import load_sheet
    >>> len(goes_to(CompiledGame(load_sheet("mnk:5,5,4")), "xplayer", "beside_corner").parts)
    12
    """
    return disjunction(Does(role, move) for move in kinds_of_places(game, role).get(kind, ()))


def kinds_of_places(game: CompiledGame, role: Role) -> dict[str, tuple[Function, ...]]:
    """Return the kinds of places to which some moves of a role go and others do not."""
    known = _KNOWN.setdefault(game, {})
    if role not in known:
        known[role] = _kinds(game, role)
    return known[role]


def _kinds(game: CompiledGame, role: Role) -> dict[str, tuple[Function, ...]]:
    moves = game.network.moves[game.roles.index(role)]
    if len(moves) > _MOST_MOVES:
        return {}
    found = _kinds_on_board(game, moves)
    nearer = moves_nearer(game, role)
    if 0 < len(nearer) < sum(bool(move.args) for move in moves):
        found["nearer"] = nearer
    return found


def _kinds_on_board(
    game: CompiledGame, moves: Sequence[Function]
) -> dict[str, tuple[Function, ...]]:
    try:
        layout = layout_of(game)
    except KibitzError:
        return {}
    steps = [_steps_to_sides(board) for board in layout.boards]
    found: dict[str, list[Function]] = {kind: [] for kind in _IS_OF}
    placed = 0
    for move in moves:
        gesture = layout.gesture(move)
        if not gesture.cells or (gesture.kind != "drag" and len(gesture.cells) > 1):
            continue
        end = gesture.cells[-1]
        if end.cell in steps[end.board]:
            placed += 1
            for kind, is_of in _IS_OF.items():
                if is_of(*steps[end.board][end.cell]):
                    found[kind].append(move)
    return {kind: tuple(there) for kind, there in found.items() if 0 < len(there) < placed}


def _steps_to_sides(board: Board) -> dict[int, tuple[int, int]]:
    """Return how far each cell is from the nearest side, across and down, in steps."""
    columns = sorted({round(cell.x, 2) for cell in board.cells})
    rows = sorted({round(cell.y, 2) for cell in board.cells})
    if board.kind != "grid" or min(len(rows), len(columns)) < _SMALLEST:
        return {}

    def steps(at: float, line: list[float]) -> int:
        place = line.index(round(at, 2))
        return min(place, len(line) - 1 - place)

    return {
        number: (steps(cell.x, columns), steps(cell.y, rows))
        for number, cell in enumerate(board.cells)
    }
