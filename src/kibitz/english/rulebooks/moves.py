"""Positions in, sentences about the moves of each player out, from what moves change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass

import kibitz.rulebook as m
from kibitz.english.rulebooks import moved_pieces, placed_pieces, removed_pieces
from kibitz.english.rulebooks.changes import Actors, Everyone, PlayerMoves, moves_by_player
from kibitz.english.rulebooks.positions import Position, View
from kibitz.rulebook import Geometry


@dataclass(frozen=True)
class MoveSentences:
    """Sentences about moves, and about what players have in hand."""

    rules: tuple[m.Sentence, ...]
    hand: int = 0


def propose_moves(
    positions: list[Position],
    view: View,
    geometry: Geometry | None,
    actors: Actors,
    sizes: Set[int] = frozenset(),
) -> Iterator[MoveSentences]:
    """Yield sentences that fit the moves of all positions, the simplest first.

    `sizes` has how many arguments moves may have in the rules, also those that were not seen.
    """
    own = moves_by_player(positions, view, geometry, actors)
    if any(not each.is_possible for each in own.values()):
        return
    more = _about_captures(own, sizes)
    is_plain = any("travel" in each.kinds for each in own.values())
    left = set().union(*(each.without_trail() for each in own.values()))
    if left and (is_plain or len(left) > 1):
        return
    trail = [m.Trail(actors.kind[content]) for content in left if content not in actors.owner]
    if len(trail) < len(left):
        return
    for found in _passing(own, actors):
        if trail:
            yield MoveSentences((*found.rules, *more, *trail), found.hand)
            continue
        if more:
            yield MoveSentences((*found.rules, *more), found.hand)
        if not any(isinstance(one, m.JumpsInMove) for one in more):
            yield found


def _about_captures(own: Everyone, sizes: Set[int]) -> list[m.Sentence]:
    """Return what is said of all captures: how many jumps, and whether who can capture must.

    Many jumps are rare: where each takes some arguments more, moves with still more of them are
    taken to have more jumps.
    """
    found: list[m.Sentence] = []
    arguments = {
        len(change.cells) - 2: len(move.args)
        for each in own.values()
        for one in each.seen
        for (move, _), change in zip(one.position.moves, one.changes, strict=True)
        if each.kind(change) in _CAPTURES
    }
    most = max(arguments, default=1)
    if most > 1:
        more = arguments[most] - arguments.get(most - 1, arguments[most])
        longest = arguments[most]
        while more > 0 and longest + more in sizes:
            most, longest = most + 1, longest + more
        found.append(m.JumpsInMove(most))
    kinds = [{each.kind(c) for c in one.changes} for each in own.values() for one in each.seen]
    capturing = [one for one in kinds if one & _CAPTURES]
    if capturing and all(one <= _CAPTURES for one in capturing):
        found.append(m.MustCapture())
    return found


def _passing(own: Everyone, actors: Actors) -> Iterator[MoveSentences]:
    """Yield sentences about moves, and about passing."""
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
        made = [c for kind in ("travel", "jump", "jumps") for c in each.kinds.get(kind, [])]
        for _, change in made:
            start = next((c for c in change.cells if each.actors.is_own(c[1], each.player)), None)
            end = next((c for c in change.cells if c[2]), None)
            if start is not None and end is not None and start[1] != end[2]:
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
    kinds = {kind for each in everyone.values() for kind in each.kinds} - {"jumps"}
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


_CAPTURES = frozenset({"jump", "jumps"})
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
