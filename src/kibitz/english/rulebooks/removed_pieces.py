"""Changes that empty cells in, moves that take something away or switch it out."""

from __future__ import annotations

import kibitz.rulebook as m
from kibitz.english.rulebooks.changes import Everyone, PlayerMoves
from kibitz.english.rulebooks.positions import Cell


def take(own: PlayerMoves, everyone: Everyone) -> list[m.Move]:
    """Return the move that takes counters from a pile."""
    taken: set[int] = set()
    is_free = True
    for each in everyone.values():
        for _, change in each.kinds.get("take", []):
            ((_, old, new),) = change.cells
            taken.add(int(old or 0) - int(new or 0))
    for each in everyone.values():
        for one in each.seen:
            sizes = [int(c or 0) for c in one.position.contents]
            made = sum(len(change.cells) == 1 for change in one.changes)
            is_free &= made == sum(sizes)
    if is_free:
        return [m.Take(1, 0)]
    if taken == set(range(min(taken), max(taken) + 1)):
        return [m.Take(min(taken), max(taken))]
    return []


def remove(own: PlayerMoves, everyone: Everyone) -> list[m.Move]:
    """Return moves that take a piece off the board, or by which it leaves."""
    pieces = {
        each.whose(change.cells[0][1])
        for each in everyone.values()
        for _, change in each.kinds.get("remove", [])
    }
    if pieces == {m.Whose(m.YOU, "piece")}:
        region = _exit(own, everyone)
        if region is not None:
            return [m.Leave("piece", region)]
    return [m.Remove(piece) for piece in sorted(pieces, key=str)]


def _exit(own: PlayerMoves, everyone: Everyone) -> m.Region | None:
    """Return the row or column from which alone pieces leave the board."""
    if own.geometry is None or own.view.kind != "grid":
        return None
    gone: dict[int, set[Cell]] = {player: set() for player in everyone}
    stayed: dict[int, set[Cell]] = {player: set() for player in everyone}
    for player, each in everyone.items():
        for one in each.seen:
            left = {c.cells[0][0] for c in one.changes if each.kind(c) == "remove"}
            for number, content in enumerate(one.position.contents):
                if own.actors.is_own(content, player):
                    (gone if number in left else stayed)[player].add(own.view.cells[number])
    regions: list[m.Region] = [m.FarRow()] if len(own.actors.players) < 3 else []
    regions += [m.Rows((n,)) for n in sorted({int(c[1]) for c in own.view.cells})]
    regions += [m.Columns((name,)) for name in sorted({c[0] for c in own.view.cells})]
    for region in regions:
        cells = {p: set(own.geometry.region(region, p, m.Simultaneous())) for p in everyone}
        if all(gone[p] <= cells[p] and not stayed[p] & cells[p] for p in everyone):
            return region
    return None


def pair(own: PlayerMoves, everyone: Everyone) -> list[m.Move]:
    """Return moves that take two neighbours away."""
    names = {
        each.name(change.cells[0][1])
        for each in everyone.values()
        for _, change in each.kinds.get("pair", [])
    }
    return [m.RemovePair(name) for name in sorted(names)]


def bite(own: PlayerMoves, everyone: Everyone) -> list[m.Move]:
    """Return the move that takes everything above and to the right away."""
    names = {
        each.name(change.cells[0][1])
        for each in everyone.values()
        for _, change in each.kinds.get("bite", [])
    }
    return [m.Bite(name) for name in sorted(names)]


def switch(own: PlayerMoves, everyone: Everyone) -> list[m.Move]:
    """Return the move that switches a cell and its neighbours."""
    found = [change for _, change in own.kinds.get("switch", [])]
    names = {own.name(old or new) for change in found for _, old, new in change.cells}
    if len(names) != 1:
        return []
    return [m.Switch(next(iter(names)), True)]
