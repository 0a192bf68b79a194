"""Solution and role in, ideas out: answer on the other side of a ring, proved for every even one.

Places lie in a ring, and a move takes places wherever its shape fits around it. If no shape is
longer than half of the ring, a move never touches its image on the other side; so whoever moves
second can always copy. Shapes stay as they are when the ring grows, which makes that safer still.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from kibitz.board import layout_of
from kibitz.errors import KibitzError
from kibitz.gdl import Function
from kibitz.solve import Solution
from kibitz.space import StateSpace
from kibitz.strategy import columns_of, named_symmetries
from kibitz.synth.insight.grids import Cell, LiveMoves, PlacedMove
from kibitz.synth.insight.heaps import movers_of
from kibitz.synth.insight.ideas import HoldsFor, Idea

__all__ = ["ring_ideas"]

_MOST_EDGES = 2_000_000


def ring_ideas(solution: Solution, role: str) -> Iterator[Idea]:
    """Return the mirror strategy of the role that moves second on a ring of even length."""
    space = solution.space
    if len(space.game.roles) != 2 or not 0 < space.edges <= _MOST_EDGES or space.is_reduced:
        return
    if not space.is_complete or solution.value()[role] < 100 or columns_of(space).to_move(role)[0]:
        return
    mover = movers_of(space)
    if mover is None or "half_turn" not in named_symmetries(space.game):
        return
    for fluents in _rings(space):
        placed = LiveMoves(space, mover.tolist(), fluents).placed()
        if placed is None or placed[1] is not None or len(fluents) % 2:
            continue
        reach = _reach(placed[0], len(fluents))
        if reach is not None and 2 * reach <= len(fluents):
            yield _idea(reach)


def _rings(space: StateSpace) -> Iterator[dict[Cell, Function]]:
    """Walk the fluents of a name that hold at the start on a whole ring, in its order."""
    try:
        layout = layout_of(space.game)
    except KibitzError:
        return
    boards = [n for n, board in enumerate(layout.boards) if board.kind == "points" and board.points]
    by_name: dict[tuple[int, str], dict[Cell, Function]] = {}
    for fluent in space.game.initial().fluents:
        place = layout.place(fluent)
        if place is not None and place.cell is not None and place.cell.board in boards:
            cells = by_name.setdefault((place.cell.board, fluent.name), {})
            cells[0, place.cell.cell] = fluent
    for (board, _), cells in sorted(by_name.items()):
        if len(cells) == len(layout.boards[board].cells):
            yield cells


def _reach(placed: list[PlacedMove], length: int) -> int | None:
    """Return over how many places the longest move goes; None if moves differ around the ring."""
    moves = [tuple(frozenset(c for _, c in cells) for cells in move) for move in placed]
    known = set(moves)
    longest = 0
    for needs, takes in moves:
        turned = tuple(frozenset((c + 1) % length for c in cells) for cells in (needs, takes))
        if turned not in known or not needs:
            return None
        touched = sorted(needs | takes)
        gaps = [b - a for a, b in pairwise(touched)]
        gaps.append(touched[0] + length - touched[-1])
        longest = max(longest, length - max(gaps) + 1)
    return longest


def _idea(reach: int) -> Idea:
    least = f", at least {2 * reach}" if reach > 1 else ""
    sizes = (
        f"every ring of an even number of places{least}, as long as moves need and take the same "
        "shapes anywhere around it"
    )
    why = (
        "Whatever the opponent takes, its image on the other side is still there for you to take, "
        "since no move reaches that far; so the opponent is the first who finds no move."
    )
    return Idea(("next unchanged(half_turn) => any",), (why,), HoldsFor(True, sizes))
