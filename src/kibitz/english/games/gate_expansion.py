"""A gate in, a disjunction of conjunctions out, in which pieces on a cell are one item.

*One of these pieces is on this cell* is one item, so there are few lines of men of several kinds.
"""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.board import CellRef
from kibitz.engine import Hidden
from kibitz.english.scene import Scene

__all__ = ["GateExpansion", "Held", "Item", "Terms", "either"]

_MOST = 2000
_MOST_WORK = 40_000

Held = tuple[CellRef, frozenset[str]]
"""One of these pieces is on this cell."""
Item = Held | int
"""That, or a literal of the network."""
Terms = frozenset[frozenset[Item]]


class GateExpansion:
    """Expands gates; returns None where there would be too many terms."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.network = scene, scene.game.network
        self.known: dict[int, Terms | None] = {}
        self.work = 0
        self.exact = {place[0] for place in map(self._group_of, self.network.hidden) if place}
        """Cells that always hold exactly one of their pieces."""

    def _group_of(self, hidden: Hidden) -> tuple[CellRef, set[str]] | None:
        """Return the cell of a hidden fluent, if it means that no other piece is there."""
        fluents = [hidden.fluent, *(self.network.fluents[index] for index in hidden.unless)]
        places = [self.scene.on_board.get(fluent) for fluent in fluents]
        refs = {place[0] for place in places if place}
        pieces = {place[1].piece for place in places if place}
        if len(refs) != 1 or not all(places):
            return None
        (ref,) = refs
        every = {p for where, p in self.scene.pieces_at if where == ref}
        return (ref, pieces) if pieces == every else None

    def terms(self, literal: int) -> Terms | None:
        """Return a literal as a disjunction of conjunctions."""
        needed, stack, seen = [literal], [literal], {literal}
        while stack:
            top = stack.pop()
            node = (top >> 1) - self.network.first_gate
            for inner in self.network.gates[node] if node >= 0 else ():
                part = inner ^ (top & 1)
                if part not in seen:
                    seen.add(part)
                    needed.append(part)
                    stack.append(part)
        for part in sorted(needed, key=lambda x: x >> 1):
            self.known[part] = self._one(part)
        return self.known[literal]

    def _one(self, literal: int) -> Terms | None:
        if literal <= 1:
            return frozenset({frozenset()}) if literal else frozenset()
        node = (literal >> 1) - self.network.first_gate
        if node < 0:
            return self._leaf(literal)
        a, b = self.network.gates[node]
        left, right = self.known[a ^ (literal & 1)], self.known[b ^ (literal & 1)]
        if left is None or right is None:
            return None
        if literal & 1:
            return either(left, right)
        self.work += len(left) * len(right)
        if len(left) * len(right) > _MOST or self.work > _MOST_WORK:
            return None
        if any(self._share_a_cell(x, y) for x in left for y in right):
            return None
        joined = {both for x in left for y in right if (both := _both(x, y)) is not None}
        return _absorbed(joined)

    def _share_a_cell(self, left: frozenset[Item], right: frozenset[Item]) -> bool:
        """Return whether both put different pieces on a cell that may hold several at once."""
        cells = dict(item for item in left if isinstance(item, tuple))
        return any(
            isinstance(item, tuple)
            and item[0] in cells
            and item[0] not in self.scene.single_cells
            and not (item[1] <= cells[item[0]] or cells[item[0]] <= item[1])
            for item in right
        )

    def _leaf(self, literal: int) -> Terms | None:
        if literal >> 1 >= self.network.first_move:
            return None
        fluent = self.network.fluents[(literal >> 1) - 1]
        place = self.scene.on_board.get(fluent)
        if place is None:
            return frozenset({frozenset({literal})})
        ref, content = place
        if literal & 1 and ref in self.exact:
            every = frozenset(p for where, p in self.scene.pieces_at if where == ref)
            return frozenset({frozenset({(ref, every - {content.piece})})})
        item: Item = literal if literal & 1 else (ref, frozenset({content.piece}))
        return frozenset({frozenset({item})})


def either(left: Terms, right: Terms) -> Terms | None:
    """Join two disjunctions, with pieces on the same cell as one item."""
    both = left | right
    single: dict[CellRef, frozenset[str]] = {}
    rest = set()
    for term in both:
        item = next(iter(term)) if len(term) == 1 else None
        if isinstance(item, tuple):
            single[item[0]] = single.get(item[0], frozenset()) | item[1]
        else:
            rest.add(term)
    rest |= {frozenset({held}) for held in single.items()}
    return _absorbed(rest)


def _both(left: frozenset[Item], right: frozenset[Item]) -> frozenset[Item] | None:
    """Join two conjunctions; None where no cell can hold both."""
    cells: dict[CellRef, frozenset[str]] = {}
    signs: set[int] = set()
    for item in (*left, *right):
        if isinstance(item, int):
            signs.add(item)
        elif item[0] in cells:
            cells[item[0]] &= item[1]
        else:
            cells[item[0]] = item[1]
    if any(not pieces for pieces in cells.values()) or any(sign ^ 1 in signs for sign in signs):
        return None
    return frozenset({*signs, *cells.items()})


def _absorbed(terms: Iterable[frozenset[Item]]) -> Terms | None:
    ordered = sorted(set(terms), key=len)
    if len(ordered) > _MOST:
        return None
    if len(ordered) > 200:
        return frozenset(ordered)
    kept: list[frozenset[Item]] = []
    for term in ordered:
        if not any(other <= term for other in kept):
            kept.append(term)
    return frozenset(kept)
