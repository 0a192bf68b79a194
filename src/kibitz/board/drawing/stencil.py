"""Draw a rule's literals and moves as a small board of the cells that it mentions.

Cells that the rule does not mention are hatched, negated literals are crossed out, and the move is
marked. What is on no board is written below.
"""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.board.drawing.marks import cells_of, mark_move
from kibitz.board.drawing.picture import Picture
from kibitz.board.drawing.position import Stencil, board_lines, cell_text
from kibitz.board.drawing.state_picture import Sketch
from kibitz.board.formats.svg import to_svg
from kibitz.board.layout.detection import layout_of
from kibitz.board.layout.layout import CellRef, FluentPlace, Layout
from kibitz.engine import Game, Move
from kibitz.gdl import Function

Literal = tuple[Function, bool]


def svg_stencil(
    game: Game,
    literals: Sequence[Literal],
    moves: Sequence[Move] = (),
    layout: Layout | None = None,
    *,
    size: float | None = None,
) -> str:
    """Draw a rule as SVG: literals, each with whether it must hold, and the moves it recommends.

    >>> import kibitz
    >>> from kibitz.gdl import parse_terms
    >>> cell, mark = parse_terms("(cell 2 2 x) (mark 1 1)")
    >>> svg_stencil(kibitz.load("tictactoe"), [(cell, False)], [mark]).startswith("<svg ")
    True
    """
    return to_svg(picture_of_stencil(game, literals, moves, layout), size=size)


def picture_of_stencil(
    game: Game,
    literals: Sequence[Literal],
    moves: Sequence[Move] = (),
    layout: Layout | None = None,
) -> Picture:
    """Draw a rule as a list of shapes."""
    layout = layout or layout_of(game)
    stencil = _stencil(layout, literals)
    sketch = Sketch(layout)
    sketch.add_boards(stencil, [mark_move(layout, move, "move") for move in moves])
    sketch.add_line(stencil.beside)
    condition = " and ".join(("" if sign else "not ") + game.write(f) for f, sign in literals)
    made = " or ".join(map(game.write, moves))
    return sketch.picture(f"rule of {layout.game}", f"{condition or 'always'}: {made or 'no move'}")


def text_stencil(
    game: Game,
    literals: Sequence[Literal],
    moves: Sequence[Move] = (),
    layout: Layout | None = None,
) -> str:
    """Draw a rule in letters: · is any content, ¬x is anything but x, [ ] is where to move.

    >>> import kibitz
    >>> from kibitz.gdl import parse_terms
    >>> cell, corner, mark = parse_terms("(cell 2 2 x) (cell 3 3 o) (mark 1 1)")
    >>> print(text_stencil(kibitz.load("tictactoe"), [(cell, True), (corner, False)], [mark]))
       1  2  3
    1 [·] ·  ·
    2  ·  x  ·
    3  ·  · ¬o
    """
    layout = layout or layout_of(game)
    stencil = _stencil(layout, literals)
    marks = [mark_move(layout, move, "move") for move in moves]
    pointed = cells_of(marks)
    lines = []
    for number, board in enumerate(layout.boards):
        shown = []
        for index in range(len(board.cells)):
            ref = CellRef(number, index)
            parts = [cell_text(board, stencil.at(ref))] if stencil.at(ref) else []
            parts += ["¬" + cell_text(board, [p]) for p in stencil.forbidden.get(ref, ())]
            text = "+".join(parts) or "·"
            shown.append(text)
        here = {ref.cell for ref in pointed if ref.board == number}
        lines.append(board_lines(board, shown, marked=here))
    beside = [*stencil.beside, *(mark.text for mark in marks if not mark.cells)]
    if beside:
        lines.append(", ".join(beside))
    return "\n".join(lines)


def _stencil(layout: Layout, literals: Sequence[Literal]) -> Stencil:
    wanted: dict[CellRef, list[FluentPlace]] = {}
    forbidden: dict[CellRef, list[FluentPlace]] = {}
    beside = []
    for fluent, sign in literals:
        place = layout.place(fluent)
        is_pile = place is not None and place.shows == "item" and not sign
        if place is None or place.cell is None or is_pile:
            beside.append(("" if sign else "¬") + str(fluent))
        else:
            (wanted if sign else forbidden).setdefault(place.cell, []).append(place)
    return Stencil(
        {ref: tuple(places) for ref, places in wanted.items()},
        (),
        (),
        (),
        {ref: tuple(places) for ref, places in forbidden.items()},
        tuple(beside),
    )
