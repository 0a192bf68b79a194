"""The end of a match in, the cells whose pieces make the win out."""

from __future__ import annotations

from kibitz.board.layout.layout import CellRef, Layout
from kibitz.engine import CompiledGame, State
from kibitz.errors import KibitzError
from kibitz.gdl import Function

__all__ = ["decisive_cells"]

_MOST_PIECES = 150
_MOST_CELLS = 12


def decisive_cells(state: State, layout: Layout) -> tuple[CellRef, ...]:
    """Return the cells of the pieces that a win rests on, such as a line; none where none decide.

    Of each kind of piece those are removed without which the same roles still win, as the rules say
    of such a state; what is left decides. Where everything is left, as on a full board, no few
    cells make the win.

    >>> import kibitz
    >>> from kibitz.board import layout_of
    >>> state = kibitz.load("tictactoe").initial()
    >>> for cell in ("1 1", "2 1", "1 2", "2 2", "1 3"):
    ...     state = state.play(f"(mark {cell})")
    >>> layout = layout_of(state.game)
    >>> [layout.cell(cell).name for cell in decisive_cells(state, layout)]
    ['1 1', '1 2', '1 3']
    """
    game = state.game
    if not isinstance(game, CompiledGame) or not state.is_terminal:
        return ()
    winners = [role for role, goal in state.goals.items() if goal == 100]
    if not winners or len(winners) == len(game.roles) > 1:
        return ()

    def is_won(fluents: list[Function]) -> bool:
        try:
            found = game.state(fluents)
            return found.is_terminal and all(found.goals.get(role) == 100 for role in winners)
        except KibitzError:  # a state that no play leads to may have no goals
            return False

    kinds: dict[str, list[tuple[Function, CellRef]]] = {}
    for fluent in state.fluents:
        place = layout.place(fluent)
        if place is None or place.cell is None or place.shows in ("tile", "side"):
            continue
        if layout.boards[place.cell.board].piece(place.piece).shape != "blank":
            kinds.setdefault(place.piece, []).append((fluent, place.cell))
    count = sum(map(len, kinds.values()))
    if count > _MOST_PIECES:
        return ()
    empty = _empty_cells(game, layout)
    found: list[CellRef] = []
    for pieces in kinds.values():
        kept = list(state.fluents)
        for fluent, cell in pieces:
            fewer = [other for other in kept if other != fluent]
            fewer += [empty[cell]] if cell in empty else []
            if is_won(fewer):
                kept = fewer
        found += [cell for fluent, cell in pieces if fluent in kept]
    is_few = 0 < len(found) <= _MOST_CELLS and (len(found) < count or count == 1)
    return tuple(dict.fromkeys(found)) if is_few else ()


def _empty_cells(game: CompiledGame, layout: Layout) -> dict[CellRef, Function]:
    """Return the fluents that say of a cell that nothing is on it, where the rules have such."""
    found: dict[CellRef, Function] = {}
    network = game.network
    for fluent in (*network.fluents, *(hidden.fluent for hidden in network.hidden)):
        place = layout.place(fluent)
        if place is None or place.cell is None:
            continue
        if layout.boards[place.cell.board].piece(place.piece).shape == "blank":
            found[place.cell] = fluent
    return found
