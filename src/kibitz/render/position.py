"""Fluents in, what is shown where out: pieces on cells, turns, counters and labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kibitz.gdl import Function
from kibitz.render.layout import CellRef, Layout, Place

__all__ = ["Position", "Stencil", "arrange"]


@dataclass(frozen=True)
class Position:
    """A state as it is shown; every fluent is in exactly one of these."""

    cells: dict[CellRef, tuple[Place, ...]]
    turns: tuple[str, ...]
    counters: tuple[str, ...]
    labels: tuple[str, ...]

    def at(self, cell: CellRef) -> tuple[Place, ...]:
        """Give what is shown on a cell."""
        return self.cells.get(cell, ())


def arrange(layout: Layout, fluents: Iterable[Function]) -> Position:
    """Put every fluent in its place.

    >>> import kibitz
    >>> from kibitz.render import layout_of
    >>> state = kibitz.load("nim:2,3").initial()
    >>> arrange(layout_of(state.game), state.fluents).turns
    ('player1 to move',)
    """
    cells: dict[CellRef, list[Place]] = {}
    turns: list[str] = []
    counters: list[str] = []
    labels: list[str] = []
    for fluent in fluents:
        place = layout.place(fluent) or Place("label", str(fluent))
        if place.cell is not None:
            cells.setdefault(place.cell, []).append(place)
        elif place.shows == "turn":
            turns.append(f"{fluent.args[0]} to move")
        elif place.shows == "counter":
            counters.append(" ".join((fluent.name, *map(str, fluent.args))))
        else:
            labels.append(place.text)
    frozen = {cell: tuple(places) for cell, places in cells.items()}
    return Position(frozen, tuple(turns), tuple(counters), tuple(labels))


@dataclass(frozen=True)
class Stencil(Position):
    """What a rule says about cells: what must be there, what must not; the rest is open."""

    forbidden: dict[CellRef, tuple[Place, ...]]
    beside: tuple[str, ...]
