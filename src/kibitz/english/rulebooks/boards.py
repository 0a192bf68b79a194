"""The view of a board in, sentences about it and names for groups of its cells out."""

from __future__ import annotations

from collections.abc import Iterable

import kibitz.rulebook as m
from kibitz.english.rulebooks.positions import Contents, View

__all__ = ["board_of", "region_of"]


def board_of(view: View, start: Contents) -> list[m.Sentence]:
    """Return the sentences that say what the board is."""
    if view.kind == "piles":
        return [m.Piles(tuple(int(c or 0) for c in start))]
    if view.kind == "row":
        return [m.Row(len(view.cells))]
    shape = "hexagon" if view.kind == "hexagons" else "square"
    board: list[m.Sentence] = [m.Grid(view.columns, view.rows, shape)]
    known = set(view.cells)
    letters = "abcdefghijklmnopqrstuvwxyz"[: view.columns]
    missing = [
        f"{letter}{row}"
        for letter in letters
        for row in range(1, view.rows + 1)
        if (letter, str(row)) not in known
    ]
    return [*board, m.Missing(tuple(missing))] if missing else board


def region_of(view: View, cells: Iterable[tuple[str, ...]]) -> m.Region:
    """Return cells as a region: all of them, rows, columns, or one by one."""
    found = list(cells)
    if len(found) == len(view.cells):
        return m.Every()
    if view.kind != "row":
        rows = sorted({int(cell[1]) for cell in found})
        whole = [cell for cell in view.cells if int(cell[1]) in rows]
        if len(whole) == len(found):
            return m.Rows(tuple(rows))
        letters = sorted({cell[0] for cell in found})
        if len([cell for cell in view.cells if cell[0] in letters]) == len(found):
            return m.Columns(tuple(letters))
    return m.Cells(tuple("".join(cell) for cell in found))
