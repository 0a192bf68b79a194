"""Tables of moves in, how a person makes them out: which fields of a move name which cells."""

from __future__ import annotations

from dataclasses import replace

from kibitz.board.layout.layout import Board, CellRef, Layout, MovePattern
from kibitz.board.layout.survey import FieldTable, Survey, SurveyStep

__all__ = ["with_gestures"]


def with_gestures(layout: Layout, survey: Survey) -> Layout:
    """Add to a layout how moves are made on its boards."""
    moves = tuple(_pattern(table, layout, survey) for table in survey.moves)
    return replace(layout, moves=moves)


def _pattern(table: FieldTable, layout: Layout, survey: Survey) -> MovePattern:
    """Choose the board where most observed moves change a cell that they name."""
    nothing = MovePattern(table.name, table.arity)
    if not table.shape or not table.rows or not table.width:
        return nothing
    best: tuple[tuple[int, int, int, int], MovePattern] | None = None
    for number, board in enumerate(layout.boards):
        for cells in _readings(table, board):
            used = {k for key in cells for k in key}
            value = tuple(k for k in range(table.width) if k not in used)
            pattern = MovePattern(
                table.name, table.arity, number, cells, value, table.split, table.shape
            )
            hits, whole = _hits(table, layout, pattern, survey)
            named = sum(len(key) - key.count(-1) for key in cells)
            rank = (hits, whole if board.kind == "heaps" else 0, named, -number)
            if best is None or rank > best[0]:
                best = rank, pattern
    return best[1] if best else nothing


def _readings(table: FieldTable, board: Board) -> list[tuple[tuple[int, ...], ...]]:
    """Return the ways in which fields of a move can name cells of a board."""
    if not board.cells:
        return []
    width = len(board.cells[0].key)
    found: list[tuple[int, ...]] = []
    start = 0
    while start + width <= table.width:
        fields = tuple(range(start, start + width))
        if all(tuple(row[k] for k in fields) in board.index for row in table.rows.values()):
            found.append(fields)
            start += width
        else:
            start += 1
    readings = [tuple(found)] if found else []
    if board.kind == "heaps" and len(found) > 1:
        # Numbers may look like names of heaps: (remove 1 2) takes two, and does not change heap 2.
        readings += ((fields,) for fields in found)
    if not found and width == 2 and table.width == 1:
        readings += (
            ((0, -1) if axis == 0 else (-1, 0),)
            for axis in (0, 1)
            if table.domain(0) == {cell.key[axis] for cell in board.cells}
        )
    return readings


def _hits(
    table: FieldTable, layout: Layout, pattern: MovePattern, survey: Survey
) -> tuple[int, int]:
    """Count observed moves that change a cell which they seem to name, and all such cells."""
    probe = Layout(layout.game, layout.boards, layout.patterns, (pattern,))
    hits = whole = 0
    for step in (*survey.first_steps, *survey.steps):
        made = [move for move in step.joint if move in table.rows]
        if made:
            changed = _changed(probe, step)
            named = [cell in changed for move in made for cell in probe.gesture(move).cells]
            hits += any(named)
            whole += bool(named) and all(named)
    return hits, whole


def _changed(layout: Layout, step: SurveyStep) -> set[CellRef]:
    places = [layout.place(fluent) for fluent in step.before ^ step.after]
    return {place.cell for place in places if place and place.cell}
