"""Mark cells, moves and values on a board.

Arrows come first and texts last, so no arrow crosses out a text. Each text has a few possible
places: on its cell, or along its arrow or line. It takes the one where it covers the least of
earlier texts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import Literal

from kibitz.board.drawing.picture import Circle, Label, LineShape, Point, Rect, Shape, text_width
from kibitz.board.layout.layout import Board, CellRef, Layout
from kibitz.engine import CompiledGame, Move, State
from kibitz.errors import KibitzError
from kibitz.gdl import Function

Style = Literal["last", "move", "outline", "good", "even", "bad", "label", "second"]


@dataclass(frozen=True, slots=True)
class Mark:
    """Cells to mark, with or without an arrow through them, and a short text.

    `last` fills a cell, `outline` frames it, the others point at it in their colour. A `label`
    is a text about what is on the cell, and a `second` one about something else there.
    """

    cells: tuple[CellRef, ...]
    style: Style = "move"
    text: str = ""
    arrow: bool = False


def mark_move(layout: Layout, move: Move, style: Style = "last", *, text: str = "") -> Mark:
    """Mark where a move is made; a move that is not made on a board is marked by its name.

    >>> import kibitz
    >>> from kibitz.gdl import parse_terms
    >>> from kibitz.board import layout_of
    >>> layout = layout_of(kibitz.load("breakthrough:4x4"))
    >>> mark = mark_move(layout, parse_terms("(move 2 1 3 1)")[0])
    >>> mark.arrow, [layout.cell(ref).key for ref in mark.cells]
    (True, [('2', '1'), ('3', '1')])
    """
    gesture = layout.gesture(move)
    if gesture.kind == "button":
        return Mark((), style, f"{gesture.text} {text}".strip())
    if not text and gesture.value:
        text = gesture.value if style == "move" else ""
    return Mark(gesture.cells, style, text, gesture.kind == "drag")


def mark_fluent(layout: Layout, fluent: Function, style: Style = "outline") -> Mark:
    """Mark the cell that a fluent is shown on."""
    place = layout.place(fluent)
    if place is None or place.cell is None:
        return Mark((), style, str(fluent))
    return Mark((place.cell,), style)


def mark_values(layout: Layout, values: Mapping[Move, str]) -> tuple[Mark, ...]:
    """Mark moves by their values, each a short text such as W3, D or L5."""
    return tuple(
        mark_move(layout, move, _style_of(text), text=text) for move, text in values.items()
    )


def cells_of(marks: Iterable[Mark]) -> dict[CellRef, Mark]:
    """Return the first mark of each marked cell."""
    found: dict[CellRef, Mark] = {}
    for mark in marks:
        for cell in mark.cells:
            found.setdefault(cell, mark)
    return found


def _style_of(text: str) -> Style:
    styles: dict[str, Style] = {"W": "good", "D": "even", "L": "bad"}
    return styles.get(text[:1].upper(), "move")


_ORDER = {"bad": 0, "even": 1, "good": 2}
_COLOURS = {"move": "mark", "outline": "mark", "label": "mark", "second": "even"}
_LABELS = ("label", "second")
_ALONG = (0.45, 0.3, 0.6, 0.2, 0.7, 0.12, 0.8)
_SIZE = 0.3
_SMALL = 0.21
_SHORT = 0.2
"""The distance from the ends of an arrow to the centres of their cells, in units."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A board where it is drawn; `covered` cells are not empty."""

    number: int
    board: Board
    left: float
    top: float
    unit: float
    covered: Collection[int] = ()

    def at(self, cell: int) -> Point:
        """Return the centre of a cell."""
        place = self.board.cells[cell]
        return self.left + place.x * self.unit, self.top + place.y * self.unit


def draw_marks(ground: Ground, marks: Sequence[Mark]) -> list[Shape]:
    """Draw marks on a board; those that fill cells are drawn with the cells."""
    shapes: list[Shape] = []
    labelled: list[tuple[Mark, list[int]]] = []
    for mark in sorted(marks, key=lambda mark: _ORDER.get(mark.style, 3)):
        cells = [ref.cell for ref in mark.cells if ref.board == ground.number]
        if not cells or mark.style == "last":
            continue
        shapes += _pointed(ground, mark, cells)
        if mark.text:
            labelled.append((mark, cells))
    taken: list[Rect] = []
    for mark, cells in sorted(labelled, key=lambda one: -_ORDER.get(one[0].style, 3)):
        boxes = [_box(ground, mark, *point) for point in _places(ground, mark, cells)]
        taken.append(min(boxes, key=lambda box: sum(_shared(box, other) for other in taken)))
        box = taken[-1]
        x, y = box.x + box.width / 2, box.y + box.height / 2
        shapes += [box, Label(x, y, mark.text, box.height / 1.44, "paper", bold=True)]
    return shapes


def _pointed(ground: Ground, mark: Mark, cells: list[int]) -> Iterator[Shape]:
    """Draw a mark without its text."""
    board, u = ground.board, ground.unit
    colour = _colour(mark)
    points = list(map(ground.at, cells))
    wide, high = board.cell_width * u, board.cell_height * u
    if mark.style == "outline":
        for x, y in points:
            yield Rect(x - wide / 2 + 2, y - high / 2 + 2, wide - 4, high - 4, None, colour, 3, 5)
    elif mark.arrow and len(points) > 1:
        thick = max(2.0, u * 0.065)
        for (x1, y1), (x2, y2) in pairwise(points):
            length = hypot(x2 - x1, y2 - y1) or 1.0
            dx, dy = (x2 - x1) / length * u * _SHORT, (y2 - y1) / length * u * _SHORT
            yield LineShape(x1 + dx, y1 + dy, x2 - dx, y2 - dy, colour, thick, arrow=True)
    elif not mark.text:
        for x, y in points:
            yield Circle(x, y, u * 0.16, colour, "paper", 1.5)


def _places(ground: Ground, mark: Mark, cells: list[int]) -> Iterator[Point]:
    """Return the places for a text, the best first; in a column, where something is free."""
    board, u = ground.board, ground.unit
    if not mark.arrow:
        cells = [cell for cell in cells if cell not in ground.covered] or cells
    x, y = ground.at(cells[-1])
    line = board.cells[cells[-1]].ends
    if mark.arrow and len(cells) > 1:
        x1, y1 = ground.at(cells[-2])
        for part in _ALONG:
            yield x1 + (x - x1) * part, y1 + (y - y1) * part
    elif line:
        x1, y1, x2, y2 = (value * u for value in line)
        for part in _ALONG:
            yield ground.left + x1 + (x2 - x1) * part, ground.top + y1 + (y2 - y1) * part
    elif board.kind in ("heaps", "stacks"):
        yield x, y - board.cell_height * u / 2 + u * 0.24
    elif cells[-1] in ground.covered and mark.style in _LABELS:
        yield x + u * 0.24, y + u * 0.24
    elif cells[-1] in ground.covered:
        yield x, y + u * 0.35
    else:
        yield x, y


def _box(ground: Ground, mark: Mark, x: float, y: float) -> Rect:
    """Return the background of a text, at most as wide as a cell."""
    board, u = ground.board, ground.unit
    is_free = any(ref.cell not in ground.covered for ref in mark.cells)
    is_small = board.kind == "graph" or mark.arrow or not (is_free or mark.style in _LABELS)
    size = u * (_SMALL if is_small else _SIZE)
    wide = text_width(mark.text, size) + size * 0.5
    room = board.cell_width * u * 0.96
    if wide > room:
        size, wide = size * room / wide, room
    high = size * 1.44
    return Rect(x - wide / 2, y - high / 2, wide, high, _colour(mark), "paper", 1, size * 0.38)


def _colour(mark: Mark) -> str:
    return _COLOURS.get(mark.style, mark.style)


def _shared(one: Rect, other: Rect) -> float:
    """Return the area that two boxes have in common."""
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return max(0.0, wide) * max(0.0, high)


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
