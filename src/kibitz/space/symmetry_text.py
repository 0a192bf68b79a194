"""Symmetries in, text and board pictures out: where a symmetry maps what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kibitz.board import CellRef, Layout, board_lines
from kibitz.gdl import Function
from kibitz.space.symmetry import Symmetries

__all__ = ["cycles_of", "picture_of_symmetry", "words_of_symmetry"]

_ANY = Function("_")

Cycle = tuple[Function, ...]


def cycles_of(found: Symmetries, number: int) -> list[Cycle]:
    """Return the cycles of fluents that a generator moves."""
    permutation = found.generators[number].fluents
    cycles = []
    seen: set[int] = set()
    for start in range(len(permutation)):
        cycle = []
        at = start
        while at not in seen:
            seen.add(at)
            cycle.append(found.fluents[at])
            at = permutation[at]
        if len(cycle) > 1:
            cycles.append(tuple(cycle))
    return cycles


def words_of_symmetry(found: Symmetries, number: int) -> list[str]:
    """Write the cycles of a generator, those that differ in an argument that stays as one.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import find_symmetries
    >>> words_of_symmetry(find_symmetries(CompiledGame(load_sheet("nim:2,2"))), 0)
    ['(heap a _) -> (heap b _)']
    """
    kinds: dict[tuple[tuple[str, int], ...], set[Cycle]] = {}
    for cycle in cycles_of(found, number):
        start = min(range(len(cycle)), key=lambda i: str(cycle[i]))
        turned = cycle[start:] + cycle[:start]
        kind = tuple(sorted({(f.name, len(f.args)) for f in cycle}))
        kinds.setdefault(kind, set()).add(turned)
    shown = []
    for kind, cycles in kinds.items():
        if len(kind) == 1:
            for position in range(kind[0][1]):
                cycles = _merged(cycles, position)
        shown += [" -> ".join(map(str, cycle)) for cycle in cycles]
    return sorted(shown)


def _merged(cycles: set[Cycle], position: int) -> set[Cycle]:
    """Leave an argument out if it stays in every cycle, and each cycle is there for each value."""
    values = {fluent.args[position] for cycle in cycles for fluent in cycle}
    if any(len({fluent.args[position] for fluent in cycle}) > 1 for cycle in cycles):
        return cycles
    without: Counter[Cycle] = Counter()
    for cycle in cycles:
        without[tuple(_blank(fluent, position) for fluent in cycle)] += 1
    return set(without) if set(without.values()) == {len(values)} else cycles


def _blank(fluent: Function, position: int) -> Function:
    args = (*fluent.args[:position], _ANY, *fluent.args[position + 1 :])
    return Function(fluent.name, args)


def picture_of_symmetry(found: Symmetries, number: int, layout: Layout) -> str | None:
    """Draw the boards with the name of the cell that each is mapped to; None without boards.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.board import layout_of
    >>> from kibitz.space import find_symmetries
    >>> game = CompiledGame(load_sheet("nim:2,2"))
    >>> print(picture_of_symmetry(find_symmetries(game), 0, layout_of(game)))
    a b
    b a
    """
    permutation = found.generators[number].fluents
    goes: dict[CellRef, CellRef] = {}
    for index, fluent in enumerate(found.fluents):
        here, there = _cell(layout, fluent), _cell(layout, found.fluents[permutation[index]])
        if here is None or there is None:
            continue
        if goes.setdefault(here, there) != there:
            return None  # what is on one cell goes to several
    if not any(here != there for here, there in goes.items()):
        return None
    parts = []
    for number_, board in enumerate(layout.boards):
        refs: Sequence[CellRef] = [CellRef(number_, i) for i in range(len(board.cells))]
        shown = [",".join(layout.cell(goes.get(ref, ref)).key) for ref in refs]
        parts.append(board_lines(board, shown))
    return "\n".join(parts)


def _cell(layout: Layout, fluent: Function) -> CellRef | None:
    place = layout.place(fluent)
    return place.cell if place else None
