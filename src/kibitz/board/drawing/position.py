"""Fluents in, what is drawn where out: pieces on cells, turns, counters and labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kibitz.board.layout.layout import Board, CellRef, FluentPlace, Layout
from kibitz.gdl import Function

__all__ = ["Position", "Stencil", "arrange", "pile_up"]


@dataclass(frozen=True)
class Position:
    """A state as it is shown; every fluent is in exactly one of these."""

    cells: dict[CellRef, tuple[FluentPlace, ...]]
    turns: tuple[str, ...]
    counters: tuple[str, ...]
    labels: tuple[str, ...]

    def at(self, cell: CellRef) -> tuple[FluentPlace, ...]:
        """Return what is shown on a cell."""
        return self.cells.get(cell, ())


def arrange(layout: Layout, fluents: Iterable[Function]) -> Position:
    """Put every fluent in its place.

    >>> import kibitz
    >>> from kibitz.board import layout_of
    >>> state = kibitz.load("nim:2,3").initial()
    >>> arrange(layout_of(state.game), state.fluents).turns
    ('player1 to move',)
    """
    cells: dict[CellRef, list[FluentPlace]] = {}
    turns: list[str] = []
    counters: list[str] = []
    labels: dict[tuple[str, int], list[Function]] = {}
    for fluent in fluents:
        place = layout.place(fluent) or FluentPlace("label", str(fluent))
        if place.cell is not None:
            cells.setdefault(place.cell, []).append(place)
        elif place.shows == "turn":
            turns.append(_turn(layout, fluent))
        elif place.shows == "counter":
            counters.append(" ".join((fluent.name, *map(str, fluent.args))))
        else:
            labels.setdefault((fluent.name, len(fluent.args)), []).append(fluent)
    frozen = {cell: tuple(places) for cell, places in cells.items()}
    return Position(frozen, tuple(turns), tuple(counters), tuple(map(_label, labels.values())))


def pile_up(board: Board, number: int, position: Position) -> dict[int, tuple[str, ...]]:
    """Return the pile on each cell of the ground, from the bottom up.

    Where things lie on things, as in (on c b) (on b a), whatever lies on nothing is the ground. Of
    several things on one place the last in order lies below, such as the largest disk.
    """
    above: dict[str, list[str]] = {}
    for n, cell in enumerate(board.cells):
        order = {piece.name: k for k, piece in enumerate(board.pieces)}
        items = [place.piece for place in position.at(CellRef(number, n))]
        above[cell.name] = sorted(items, key=lambda item: -order.get(item, 0))
    lying = {item for items in above.values() for item in items}
    piles: dict[int, tuple[str, ...]] = {}
    for n, cell in enumerate(board.cells):
        if cell.name in lying:
            continue
        pile: list[str] = []
        stack = above[cell.name][::-1]
        while stack:
            item = stack.pop()
            if item not in pile:
                pile.append(item)
                stack += above.get(item, [])[::-1]
        piles[n] = tuple(pile)
    missing = [item for item in sorted(lying) if not any(item in pile for pile in piles.values())]
    if missing:  # Things that lie on one another in a cycle, which no sensible rules allow.
        first = next(n for n, cell in enumerate(board.cells) if set(above[cell.name]) & {*missing})
        piles[first] = tuple(missing)
    return piles


def _turn(layout: Layout, fluent: Function) -> str:
    """Say whose turn it is; more words where there is more to it than that."""
    pattern = layout.pattern(fluent)
    words = [str(arg) for arg in fluent.args]
    role = layout.called(words.pop(pattern.key[0] if pattern and pattern.key else 0))
    more = " ".join([fluent.name, *words]) if words or fluent.name != "control" else ""
    return f"{role} to move ({more})" if more else f"{role} to move"


def _label(fluents: list[Function]) -> str:
    """Write fluents of one name, the name once and in words: last_mover is *last mover*."""
    first = fluents[0]
    if any(isinstance(arg, Function) and arg.args for fluent in fluents for arg in fluent.args):
        return ", ".join(map(str, fluents))
    name = _in_words(first.name)
    rest = [" ".join(map(str, f.args)) for f in fluents]
    if not first.args:
        return name
    return f"{name}: {(' ' if len(first.args) == 1 else ', ').join(rest)}"


def _in_words(name: str) -> str:
    return name.replace("_", " ").strip() or name


@dataclass(frozen=True)
class Stencil(Position):
    """What a rule says about cells: what must be there, what must not; the rest is open."""

    forbidden: dict[CellRef, tuple[FluentPlace, ...]]
    beside: tuple[str, ...]
