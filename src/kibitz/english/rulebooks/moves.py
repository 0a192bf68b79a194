"""Positions in, sentences about the moves of each player out, from what moves change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import kibitz.rulebook as m
from kibitz.english.rulebooks import moved_pieces, placed_pieces, removed_pieces
from kibitz.english.rulebooks.changes import Actors, Everyone, PlayerMoves, moves_by_player
from kibitz.english.rulebooks.positions import Position, View
from kibitz.rulebook import Geometry

__all__ = ["MoveSentences", "are_known", "propose_moves"]


@dataclass(frozen=True)
class MoveSentences:
    """Sentences about moves, and about what players have in hand."""

    rules: tuple[m.Sentence, ...]
    hand: int = 0


def propose_moves(
    positions: list[Position], view: View, geometry: Geometry | None, actors: Actors
) -> Iterator[MoveSentences]:
    """Yield sentences that fit the moves of all positions, the simplest first."""
    own = moves_by_player(positions, view, geometry, actors)
    if any(not each.is_possible for each in own.values()):
        return
    if any("pass" in each.kinds for each in own.values()) and all(
        each.passes_only_if_stuck for each in own.values()
    ):
        for each in own.values():
            each.kinds.pop("pass", None)
        for found in _proposed(own, actors):
            yield MoveSentences((*found.rules, m.PassIfStuck()), found.hand)
        return
    yield from _proposed(own, actors)


def _proposed(own: Everyone, actors: Actors) -> Iterator[MoveSentences]:
    if any("outflank" in each.kinds for each in own.values()):
        yield from _outflanking(own)
        return
    promotions = _promotions(own)
    if promotions is None:
        return
    shared = _shared(own)
    if shared:
        for found in _with_hand(shared, own, m.YOU):
            yield MoveSentences((*found.rules, *promotions), found.hand)
    rules: list[m.Sentence] = [*promotions]
    for player, each in own.items():
        moves = _moves(each, {player: each})
        if not moves:
            return
        rules += [m.MoveRule(actors.players[player], None, (move,)) for move in moves]
    yield MoveSentences(tuple(rules))


def _promotions(own: Everyone) -> list[m.Promotion] | None:
    """Return what becomes of pieces that reach their last row; None for other changes of kind."""
    found: dict[tuple[str, str], None] = {}
    for each in own.values():
        far = each.view.rows if each.player == 0 else 1
        for _, change in each.kinds.get("travel", []):
            (start,) = (c for c in change.cells if not c[2])
            (end,) = (c for c in change.cells if c is not start)
            if start[1] != end[2]:
                if each.view.kind != "grid" or int(each.view.cells[end[0]][1]) != far:
                    return None
                found[each.name(start[1]), each.name(end[2])] = None
    return [m.Promotion(old, m.FarRow(), new) for old, new in found]


def _outflanking(own: Everyone) -> Iterator[MoveSentences]:
    """Yield sentences by which a placed piece turns others over, and must, unless some did not."""
    kinds = {kind for each in own.values() for kind in each.kinds}
    place = m.MoveRule(m.YOU, None, (m.Put("piece", m.Empty()),))
    if kinds == {"outflank"}:
        yield MoveSentences((place, m.TurnOver(), m.MustTurnOver()))
    elif kinds == {"outflank", "put"}:
        yield MoveSentences((place, m.TurnOver()))


def are_known(
    positions: list[Position], view: View, geometry: Geometry | None, actors: Actors
) -> bool:
    """Return whether every change that moves make has a name."""
    own = moves_by_player(positions, view, geometry, actors)
    return all(each.is_possible for each in own.values())


def _shared(own: Everyone) -> list[m.Move]:
    """Return moves that are the same for all players, as each of them sees the board."""
    first = _moves(own[0], own)
    return first if all(_moves(each, own) == first for each in own.values()) else []


def _with_hand(moves: list[m.Move], own: Everyone, player: str) -> Iterator[MoveSentences]:
    put = [move for move in moves if isinstance(move, m.Put | m.Drop)]
    if put and len(put) < len(moves) and all(each.has_phases for each in own.values()):
        hand = max(each.most for each in own.values())
        none = m.NoneInHand()
        yield MoveSentences(
            (
                *(m.MoveRule(player, None, (move,)) for move in put),
                *(m.MoveRule(player, none, (x,)) for x in moves if x not in put),
            ),
            hand,
        )
    yield MoveSentences(tuple(m.MoveRule(player, None, (move,)) for move in moves))


def _moves(own: PlayerMoves, everyone: Everyone) -> list[m.Move]:
    """Return the moves in words that mean the same to all these players; none if unknown."""
    kinds = {kind for each in everyone.values() for kind in each.kinds}
    if "switch" in kinds:
        kinds -= {"put", "remove", "domino", "pair", "bite", "travel", "jump", "swap"}
    elif "bite" in kinds:
        kinds -= {"remove", "pair"}
    found: list[m.Move] = []
    for kind in sorted(kinds):
        made = _WRITERS[kind](own, everyone)
        if not made:
            return []
        found += made
    return found


_WRITERS: dict[str, Callable[[PlayerMoves, Everyone], list[m.Move]]] = {
    "bite": removed_pieces.bite,
    "domino": placed_pieces.domino,
    "jump": moved_pieces.jump,
    "pair": removed_pieces.pair,
    "pass": lambda own, everyone: [m.Pass()],
    "put": placed_pieces.put,
    "remove": removed_pieces.remove,
    "swap": moved_pieces.swap,
    "switch": removed_pieces.switch,
    "take": removed_pieces.take,
    "take each": lambda own, everyone: [m.TakeEach()],
    "travel": moved_pieces.travel,
}
