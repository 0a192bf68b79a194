"""Marks on a board: cells, moves, and their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from kibitz.board.layout.layout import CellRef, Layout
from kibitz.engine import Move
from kibitz.gdl import Function

__all__ = ["Mark", "mark_fluent", "mark_move", "mark_values"]

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
