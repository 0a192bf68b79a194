"""Changes that fill cells in, moves that place something out."""

from __future__ import annotations

import kibitz.rulebook as m
from kibitz.english.rulebooks.changes import Everyone, PlayerMoves, offset
from kibitz.english.rulebooks.positions import Contents


def put(own: PlayerMoves, everyone: Everyone) -> list[m.Move]:
    """Return moves that place a piece, by where it may be placed."""
    kinds = {
        own.name(change.cells[0][2])
        for each in everyone.values()
        for _, change in each.kinds.get("put", [])
    }
    return [
        move
        for kind in sorted(kinds)
        for move in [_put_kind(own, everyone, kind)]
        if move is not None
    ]


def _put_kind(own: PlayerMoves, everyone: Everyone, kind: str) -> m.Move | None:
    cases: list[tuple[PlayerMoves, Contents, set[int]]] = []
    for each in everyone.values():
        for one in each.seen:
            put = {
                change.cells[0][0]
                for change in one.changes
                if each.kind(change) == "put" and each.name(change.cells[0][2]) == kind
            }
            if put:
                cases.append((each, one.position.contents, put))
    free = [{n for n, c in enumerate(contents) if not c} for _, contents, _ in cases]
    if all(put == cells for (_, _, put), cells in zip(cases, free, strict=True)):
        return m.Put(kind, m.Empty())
    if own.geometry is None:
        return None
    if own.view.kind == "grid" and all(
        put == {n for n in cells if not _free_below(own, n, cells)}
        for (_, _, put), cells in zip(cases, free, strict=True)
    ):
        return m.Drop(kind)
    for low in range(2, own.view.rows) if own.view.kind == "grid" else ():
        if all(
            put == {n for n in cells if _free_below(own, n, cells) < low}
            for (_, _, put), cells in zip(cases, free, strict=True)
        ):
            return m.PutLow(kind, low)
    for owner in (m.YOU, m.OPPONENT, m.ANYONE):
        for is_near in (True, False):
            if all(
                put == {n for n in cells if _touches(each, n, contents, owner) == is_near}
                for (each, contents, put), cells in zip(cases, free, strict=True)
            ):
                near = m.Near(m.Whose(owner, "piece"), is_near)
                return m.Put(kind, m.Empty(near=near))
    return None


def _free_below(own: PlayerMoves, cell: int, free: set[int]) -> int:
    """Return how many empty cells lie below a cell in its column."""
    letter, row = own.view.cells[cell]
    return sum(
        own.view.cells[n][0] == letter and int(own.view.cells[n][1]) < int(row) for n in free
    )


def _touches(own: PlayerMoves, cell: int, contents: Contents, owner: str) -> bool:
    assert own.geometry is not None
    numbers = {name: n for n, name in enumerate(own.view.cells)}
    for way in own.geometry.heads(("straight",), 0, m.Simultaneous()):
        there = own.geometry.steps[way].get(own.view.cells[cell])
        content = contents[numbers[there]] if there else ""
        if not content:
            continue
        is_own = own.actors.is_own(content, own.player)
        if owner == m.ANYONE or is_own == (owner == m.YOU):
            return True
    return False


def domino(own: PlayerMoves, everyone: Everyone) -> list[m.Move]:
    """Return the move that covers two neighbours."""
    ways = set()
    for each in everyone.values():
        for _, change in each.kinds.get("domino", []):
            (a, *_), (b, *_) = change.cells
            ways.add(offset(own.view.cells[a], own.view.cells[b]))
    flat, upright = {(1, 0), (-1, 0)}, {(0, 1), (0, -1)}
    if own.view.kind == "grid" and ways <= flat:
        return [m.Domino("flat")]
    if own.view.kind == "grid" and ways <= upright:
        return [m.Domino("upright")]
    return [m.Domino("any")]
