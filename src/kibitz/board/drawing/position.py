"""Fluents in, what is drawn where out: pieces on cells, turns, counters and labels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kibitz.board.layout.layout import Board, CellRef, FluentPlace, Layout
from kibitz.gdl import Function

__all__ = ["Position", "Stencil", "arrange", "label_text", "pile_up", "spaced"]


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
    ('Player 1 to move',)
    """
    cells: dict[CellRef, list[FluentPlace]] = {}
    turns: list[str] = []
    counters: dict[tuple[str, int], list[Function]] = {}
    labels: dict[tuple[str, int], list[Function]] = {}
    for fluent in fluents:
        place = layout.place(fluent) or FluentPlace("label", str(fluent))
        if place.cell is not None:
            cells.setdefault(place.cell, []).append(place)
        elif place.shows == "turn":
            turns.append(_turn(layout, fluent))
        else:
            beside = counters if place.shows == "counter" else labels
            beside.setdefault((fluent.name, len(fluent.args)), []).append(fluent)
    frozen = {cell: tuple(places) for cell, places in cells.items()}
    texts = (
        tuple(label_text(layout, alike) for alike in found.values()) for found in (counters, labels)
    )
    return Position(frozen, tuple(turns), *texts)


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


_TURN_WORDS = ("control", "turn", "to", "move", "whose")


def _turn(layout: Layout, fluent: Function) -> str:
    """Say whose turn it is; more words where there is more to it than that."""
    pattern = layout.pattern(fluent)
    words = [str(arg) for arg in fluent.args]
    role = layout.called(words.pop(pattern.key[0] if pattern and pattern.key else 0))
    named = [word for word in spaced(fluent.name).split() if word not in _TURN_WORDS]
    more = " ".join([*named, *words])
    return f"{role} to move ({more})" if more else f"{role} to move"


def label_text(layout: Layout, fluents: Sequence[Function]) -> str:
    """Write fluents of one name, the name once: `hand: red 3, blue 2`; `step 4` needs no colon."""
    if any(isinstance(arg, Function) and arg.args for fluent in fluents for arg in fluent.args):
        return ", ".join(map(str, fluents))
    name, count = spaced(fluents[0].name), len(fluents[0].args)
    rest = [" ".join(layout.called(str(arg)) for arg in fluent.args) for fluent in fluents]
    if len(rest) == 1 and (not count or (count == 1 and rest[0].isdigit())):
        return f"{name} {rest[0]}".strip()
    return f"{name}: {(' ' if count == 1 else ', ').join(rest)}"


def spaced(name: str) -> str:
    """Write a name of several words as such.

    >>> spaced("boxCount"), spaced("last_move"), spaced("Score")
    ('box count', 'last move', 'Score')
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_+", " ", name).split()
    return " ".join(words).lower() if len(words) > 1 else name


@dataclass(frozen=True)
class Stencil(Position):
    """What a rule says about cells: what must be there, what must not; the rest is open."""

    forbidden: dict[CellRef, tuple[FluentPlace, ...]]
    beside: tuple[str, ...]
