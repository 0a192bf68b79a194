"""A symmetry in, what it does to the boards out: turn, mirror, or something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kibitz.board import CellRef
from kibitz.english.places import BoardWords
from kibitz.english.rules.phrases import Content
from kibitz.gdl import Function
from kibitz.strategy import Carrier

__all__ = ["turning_of"]


def turning_of(
    boards: Sequence[BoardWords],
    on_board: Mapping[Function, tuple[CellRef, Content]],
    carrier: Carrier,
) -> str:
    """Return whether a symmetry turns or mirrors the boards: turned, mirrored, same, or other."""
    moved: dict[CellRef, CellRef] = {}
    for fluent, image in carrier.fluents.items():
        a, b = on_board.get(fluent), on_board.get(image)
        if (a is None) != (b is None) or (a and b and a[1] != b[1]):
            return "other"
        if a and b:
            moved[a[0]] = b[0]
    if not moved:
        return "other"
    points = [
        (complex(*_middle(boards, a)), complex(*_middle(boards, b))) for a, b in moved.items()
    ]
    if all(abs(a - b) < 1e-6 for a, b in points):
        return "same"
    is_flat = len({a.imag for a, _ in points}) == 1
    ways = (("turned", False), ("mirrored", True))
    for name, flip in reversed(ways) if is_flat else ways:
        if _is_isometry(points, flip):
            return name
    return "other"


def _middle(boards: Sequence[BoardWords], ref: CellRef) -> tuple[float, float]:
    board = boards[ref.board].board
    if board.kind not in ("grid", "points", "holes", "hex", "strip"):
        return ref.cell * 7.3, ref.cell * ref.cell * 1.1
    cell = board.cells[ref.cell]
    return cell.x + 1000 * ref.board, cell.y


def _is_isometry(points: list[tuple[complex, complex]], flip: bool) -> bool:
    sources = [a.conjugate() if flip else a for a, _ in points]
    a0, b0 = sources[0], points[0][1]
    for a, (_, b) in zip(sources, points, strict=True):
        if abs(a - a0) > 1e-6:
            turn = (b - b0) / (a - a0)
            break
    else:
        return True
    close = (
        abs((b - b0) - turn * (a - a0)) < 1e-6 for a, (_, b) in zip(sources, points, strict=True)
    )
    return abs(abs(turn) - 1) < 1e-6 and all(close)
