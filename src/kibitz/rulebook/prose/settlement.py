"""What the sentences of a text say one by one in, what they say together out.

A sentence may leave to others what it does not say: *you capture by jumping* in the directions of
other moves, *stones may not touch* where stones are placed, *their two sides* for each player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from kibitz.errors import Place
from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import NotSaid, stem_of
from kibitz.rulebook.model import EACH, YOU, Sentence
from kibitz.rulebook.prose.regions import Part, plain_region
from kibitz.rulebook.prose.remarks import Remark, contradicts
from kibitz.rulebook.prose.tables import word_set

Found = list[tuple[Sentence, Place]]

ANY_KIND = word_set("""
    piece mark symbol sign one counter token man thing
    """)
"""Words for pieces of whatever kind."""


@dataclass(frozen=True, slots=True)
class Forbidden(Sentence):
    """Moves that nobody may make."""

    player: str
    moves: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class JumpsCapture(Sentence):
    """Whatever of the opponent's is jumped over is captured."""


@dataclass(frozen=True, slots=True)
class Owns(Sentence):
    """How many pieces a player has, on the board or in hand."""

    player: str
    count: int
    kind: str


@dataclass(frozen=True, slots=True)
class Likewise(Sentence):
    """A player starts as the one before, from the other side."""

    player: str


@dataclass(frozen=True, slots=True)
class SideOwner(Sentence):
    """Two opposite sides of the board that belong to a player."""

    player: str
    sides: str


@dataclass(frozen=True, slots=True)
class Measures(Sentence):
    """How wide and how high the board is, where *4 by 5* may be either way round."""

    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class CapturesToo(Sentence):
    """The pieces of one player capture by moving as they do otherwise."""

    player: str
    kind: str


@dataclass(frozen=True, slots=True)
class Placing(Sentence):
    """Pieces are placed; where, other sentences may say, else on any empty cell."""

    player: str
    moves: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class NoneLeft:
    """None of some things are left; nothing at all, where there is nothing else."""

    kind: str


@dataclass(frozen=True, slots=True)
class OwnSides:
    """The pieces of a player connect the two sides that belong to that player."""

    owner: str


def settled(found: Found, players: tuple[str, ...]) -> Found:
    """Return sentences of the table for all that a text says.

    Raises NotSaid with the place of a sentence that contradicts others or does not go with them.
    """
    rules = [one for one, _ in found if isinstance(one, m.MoveRule)]
    neutral = {one.kind for one, _ in found if isinstance(one, m.Belongs)}
    shared = _shared_kinds(rules) - neutral
    found = _measured(found)
    grid = next((one for one, _ in found if isinstance(one, m.Grid)), None)
    owned = {one.kind for one, _ in found if isinstance(one, Owns)}
    others = {one.kind for one, _ in found if isinstance(one, m.Start)} - {""}
    placed = _each(
        found, lambda one: _placed(_with_owners(one, players), owned, others, players, grid)
    )
    placed = _each(placed, lambda one: iter([_with_known_kinds(one, placed)]))
    rest = _each(placed, lambda one: _settled(one, placed, rules, players, neutral | shared))
    return [*rest, *((m.Belongs(kind), Place(0, 1)) for kind in sorted(shared))]


def _with_known_kinds(sentence: Sentence, found: Found) -> Sentence:
    """Write *three pieces* for *three marks* in an end where nothing else is called a mark."""
    if not isinstance(sentence, m.End):
        return sentence
    moves = _all_moves([one for one, _ in found if isinstance(one, m.MoveRule)], YOU)
    kinds = {getattr(one, "kind", "") for one in [*moves, *(one for one, _ in found)]}
    conditions = tuple(
        replace(one, kind="piece")
        if isinstance(one, m.Line) and one.kind in ANY_KIND and one.kind not in kinds
        else one
        for one in sentence.conditions
    )
    return replace(sentence, conditions=conditions)


def _each(found: Found, change: Callable[[Sentence], Iterator[Sentence]]) -> Found:
    """Return what each sentence becomes, with its place."""
    changed: Found = []
    for sentence, place in found:
        try:
            changed += [(one, place) for one in change(sentence)]
        except NotSaid:
            raise NotSaid(place) from None
    return changed


def _measured(found: Found) -> Found:
    """Turn the grid so that it is as wide and as high as another sentence says."""
    said = [(one.columns, one.rows, place) for one, place in found if isinstance(one, Measures)]
    if not said:
        return found
    columns, rows, place = said[0]
    grids = [one for one, _ in found if isinstance(one, m.Grid)]
    if any({grid.columns, grid.rows} != {columns, rows} for grid in grids) or not grids:
        raise NotSaid(place)
    return [
        (replace(one, columns=columns, rows=rows) if isinstance(one, m.Grid) else one, place)
        for one, place in found
        if not isinstance(one, Measures)
    ]


def _settled(
    sentence: Sentence,
    found: Found,
    rules: list[m.MoveRule],
    players: tuple[str, ...],
    neutral: set[str],
) -> Iterator[Sentence]:
    if isinstance(sentence, Placing):
        if not any(isinstance(move, _PLACED) for move in _all_moves(rules, YOU)):
            yield from _settled(
                m.MoveRule(sentence.player, None, sentence.moves), found, rules, players, neutral
            )
        return
    if isinstance(sentence, JumpsCapture | SideOwner | CapturesToo):
        return
    if isinstance(sentence, Remark):
        if contradicts(sentence, (one for one, _ in found)):
            raise NotSaid(sentence)
        return
    if isinstance(sentence, Forbidden):
        if any(
            _overlaps(one, move)
            for move in sentence.moves
            for one in _all_moves(rules, sentence.player)
        ):
            raise NotSaid(sentence)
        if _forbids_capture(sentence) and any(isinstance(one, m.MoveCaptures) for one, _ in found):
            raise NotSaid(sentence)
    elif isinstance(sentence, m.MoveRule):
        forbidden = [one for one, _ in found if isinstance(one, Forbidden)]
        captures = any(isinstance(one, JumpsCapture) for one, _ in found)
        moves = tuple(
            replace(move, captures=True)
            if captures and isinstance(move, m.Jump) and move.over.owner != YOU
            else move
            for move in (_move(one, sentence.player, rules, forbidden) for one in sentence.moves)
        )
        moves = tuple(_capturing(move, sentence.player, found) for move in moves)
        then = tuple(_move(move, sentence.player, rules, forbidden) for move in sentence.then or ())
        yield replace(sentence, moves=moves, then=then or None)
    elif isinstance(sentence, Owns):
        places = any(isinstance(move, m.Put | m.Drop) for move in _all_moves(rules, YOU))
        if places and not any(isinstance(one, m.Start) for one, _ in found):
            yield m.Hand(sentence.player, sentence.count, sentence.kind)
    elif isinstance(sentence, Likewise):
        starts = [one for one, _ in found if isinstance(one, m.Start) and one.player != YOU]
        if not starts or not all(isinstance(one.region, _RELATIVE) for one in starts):
            raise NotSaid(sentence)
        yield from (
            replace(one, player=sentence.player) for one in starts if one.player == starts[0].player
        )
    elif isinstance(sentence, m.End | m.GameEnds | m.Most):
        sentence = _with_nothing_left(sentence, found)
        if not isinstance(sentence, m.End):
            yield sentence
            return
        owners = {one.player: one.sides for one, _ in found if isinstance(one, SideOwner)}
        yield from _end(sentence, players, neutral, owners)
    else:
        yield sentence


def _with_nothing_left(sentence: Any, found: Found) -> Any:
    """Write *nothing is left* for *no counters are left* where there is nothing else."""
    kinds = {one.kind for one, _ in found if isinstance(one, m.Start)}
    has_piles = any(isinstance(one, m.Piles) for one, _ in found)
    conditions: list[Any] = []
    for one in sentence.conditions:
        if not isinstance(one, NoneLeft):
            conditions.append(one)
        elif has_piles or kinds == {one.kind}:
            conditions.append(m.BoardEmpty())
        else:
            raise NotSaid(one)
    return replace(sentence, conditions=tuple(conditions))


def _forbids_capture(sentence: Forbidden) -> bool:
    return any(getattr(move, "target", "") == "capture" for move in sentence.moves)


def _capturing(move: Any, player: str, found: Found) -> Any:
    """Let a move capture, too, if another sentence says that this player's pieces do."""
    captures = any(
        isinstance(one, CapturesToo) and one.player == player and _is_like(one.kind, move.kind)
        for one, _ in found
        if isinstance(move, m.Step | m.Slide)
    )
    return replace(move, target="either") if captures and move.target == "empty" else move


_PLACED = (m.Put, m.PutLow, m.Drop, m.Domino, m.LayDomino)
_RELATIVE = (m.HomeRow, m.HomeRows, m.NthRow)


def _with_owners(sentence: Sentence, players: tuple[str, ...]) -> Sentence:
    """Write *two pieces of Sheep* where two sheep are counted, and Sheep plays."""
    if not isinstance(sentence, m.End | m.Most | m.GameEnds):
        return sentence
    names = {stem_of(name): name for name in players}
    conditions = tuple(
        m.Count(names[stem_of(one.kind)], one.how, one.count, "piece")
        if isinstance(one, m.CountThere) and stem_of(one.kind) in names
        else one
        for one in sentence.conditions
    )
    return replace(sentence, conditions=conditions)


def _placed(
    sentence: Sentence,
    owned: set[str],
    others: set[str],
    players: tuple[str, ...],
    grid: m.Grid | None,
) -> Iterator[Sentence]:
    """Yield starts with the kind of piece that the player is said to have, and plain regions."""
    if not isinstance(sentence, m.Start):
        yield _with_plain_regions(sentence, getattr(sentence, "player", YOU), players, grid)
        return
    kind = next(iter(owned)) if sentence.kind == "piece" and len(owned) == 1 else sentence.kind
    if not kind and len(others) > 1:
        raise NotSaid(sentence)
    kind = kind or next(iter(others), "piece")
    is_each = isinstance(sentence.region, Part) and sentence.region.which == "each"
    is_part = isinstance(sentence.region, Part) and sentence.player == EACH
    for player in players if is_part else (sentence.player,):
        region = plain_region(sentence.region, player, players, grid)
        count = None if is_each else sentence.count
        yield replace(sentence, player=player, kind=kind, region=region, count=count)


def _with_plain_regions(
    value: Any, player: str, players: tuple[str, ...], grid: m.Grid | None
) -> Any:
    """Return a sentence whose regions are all those of the table."""
    if isinstance(value, Part):
        return plain_region(value, player, players, grid)
    if isinstance(value, tuple):
        return tuple(_with_plain_regions(one, player, players, grid) for one in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changed = {
        one.name: new
        for one in fields(value)
        if (new := _with_plain_regions(old := getattr(value, one.name), player, players, grid))
        is not old
    }
    return replace(value, **changed) if changed else value


def _shared_kinds(rules: list[m.MoveRule]) -> set[str]:
    """Return kinds of which everybody may place each: they belong to nobody."""
    for rule in rules:
        kinds = {move.kind for move in rule.moves if isinstance(move, m.Put)}
        if len(kinds) > 1:
            return kinds
    return set()


def _all_moves(rules: list[m.MoveRule], player: str) -> Iterator[Any]:
    for rule in rules:
        if YOU in (player, rule.player) or rule.player == player:
            yield from rule.moves
            yield from rule.then or ()


def _is_like(kind: str, other: str) -> bool:
    return kind == other or kind in ANY_KIND or other in ANY_KIND


def _move(move: Any, player: str, rules: list[m.MoveRule], forbidden: list[Forbidden]) -> Any:
    """Return a move with what other sentences say about it."""
    if getattr(move, "directions", None) == ():
        ways = [
            way
            for other in _all_moves(rules, player)
            if isinstance(other, m.Step | m.Slide) and _is_like(other.kind, move.kind)
            for way in other.directions
            if way not in ("like a knight", "forward like a knight")
        ]
        move = replace(move, directions=tuple(dict.fromkeys(ways)) or ("straight",))
    if isinstance(move, m.Put) and move.cell.near is None:
        for one in forbidden:
            for other in one.moves:
                if isinstance(other, m.Put) and other.cell.near and _is_like(move.kind, other.kind):
                    near = replace(other.cell.near, is_near=False)
                    return replace(move, cell=replace(move.cell, near=near))
    return move


def _overlaps(move: Any, forbidden: Any) -> bool:
    """Return whether a move is one of those that are forbidden, as far as other words tell."""
    if isinstance(forbidden, m.Put):
        return False  # it says where, and `_move` has it
    if type(move) is not type(forbidden):
        return False
    if not hasattr(move, "kind"):
        return True
    if not _is_like(move.kind, forbidden.kind):
        return False
    if isinstance(move, m.Jump) and not isinstance(forbidden, m.Jump):
        return False
    if getattr(forbidden, "target", None) == "capture" and getattr(move, "target", "") == "empty":
        return False
    if isinstance(move, m.Jump) and forbidden.captures and not move.captures:
        return False
    ways = set(getattr(forbidden, "directions", ()))
    return not ways or bool(ways & set(getattr(move, "directions", ())))


def _end(
    end: m.End, players: tuple[str, ...], neutral: set[str], owners: dict[str, str]
) -> Iterator[m.End]:
    sides = [one for one in end.conditions if isinstance(one, OwnSides)]
    lines = [
        one
        for one in end.conditions
        if isinstance(one, m.Line) and neutral and (one.kind in neutral or one.kind in ANY_KIND)
    ]
    if sides and end.player == YOU:
        for name, ways in zip(players, ("upright", "sideways"), strict=False):
            yield m.End(name, end.result, (m.Connected(name, owners.get(name, ways)),))
    elif lines:
        for kind in sorted(neutral) if lines[0].kind in ANY_KIND else [lines[0].kind]:
            yield replace(
                end,
                conditions=(m.LineThere(lines[0].count, kind, lines[0].ways), m.MovedLast(YOU)),
            )
    else:
        yield end
