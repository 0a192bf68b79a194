"""A verb with its adverbials in, the moves of the table that it stands for out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import NotSaid
from kibitz.rulebook.model import ANYONE, Sentence, Whose
from kibitz.rulebook.prose.leaves import Amount, Distance, Piece, Target, Way

MEN = ("king", "queen", "rook", "bishop", "knight")
"""Pieces of chess, which move as they do there where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Over:
    """What is jumped over."""

    piece: Whose


@dataclass(frozen=True, slots=True)
class Captures:
    """What is reached or jumped over is captured; *or* so, where a cell may be empty as well."""

    is_choice: bool = False


@dataclass(frozen=True, slots=True)
class Like:
    """As a man of chess does."""

    man: str


@dataclass(frozen=True, slots=True)
class IfEmpty:
    """The cell must be empty."""


@dataclass(frozen=True, slots=True)
class Obvious:
    """Words that add nothing to the rest: *on your turn*, *in a straight line*."""


@dataclass(frozen=True, slots=True)
class Within:
    """The board, said on the way."""

    board: Sentence


@dataclass(frozen=True, slots=True)
class Fresh:
    """Not where it was before."""


@dataclass(frozen=True, slots=True)
class From:
    """The cells where this is possible."""

    region: m.Region


@dataclass(frozen=True, slots=True)
class Column:
    """Into a column, from above."""


@dataclass(frozen=True, slots=True)
class Act:
    """A verb, the piece that it is about, if it is said, and how it is done."""

    verb: str
    piece: Piece | None
    how: tuple[Any, ...]

    def one(self, kind: type) -> Any:
        """Return what is said of a kind, if anything."""
        return next((one for one in self.how if isinstance(one, kind)), None)


@dataclass(frozen=True, slots=True)
class TakeAway:
    """Counters that are taken from piles, or from one by its number."""

    amount: Amount
    from_each: bool = False
    pile: int = 0


@dataclass(frozen=True, slots=True)
class Either:
    """One of several acts."""

    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """Moves of the table."""

    moves: tuple[Any, ...]


def directions(words: Iterable[str]) -> tuple[str, ...]:
    """Return the directions of the table that words stand for.

    >>> directions(["horizontal", "vertical", "diagonally"]), directions(["horizontal"])
    (('in any direction',), ('left', 'right'))
    """
    found = list(dict.fromkeys(words))
    if {"horizontal", "vertical"} <= set(found):
        found = ["straight", *(one for one in found if one not in ("horizontal", "vertical"))]
    if found == ["straight", "diagonally forward"]:
        return ("forward", "diagonally forward")
    if found[0:1] == ["forward"] and set(found) == {"forward", "straight", "diagonally"}:
        return ("forward", "diagonally forward")
    if "straight" in found and {"forward", "backward"} & set(found):
        raise NotSaid
    if found[:2] == ["diagonally forward", "backward"]:
        found[:2] = ["diagonally"]
    if "any" in found:
        rest = [one for one in found if one != "any"]
        if not set(rest) <= {"straight", "diagonally"}:
            raise NotSaid
        return directions(rest) if rest else ("in any direction",)
    if {"straight", "diagonally"} <= set(found):
        return ("in any direction",)
    if "diagonally" in found and ("forward" in found or "backward" in found):
        # diagonally, forwards or backwards
        both = [one for one in ("forward", "backward") if one in found]
        if len(found) == len(both) + 1 and found[0] == "diagonally":
            return ("diagonally",) if len(both) == 2 else (f"diagonally {both[0]}",)
    spread = {"horizontal": ("left", "right"), "vertical": ("up", "down")}
    return tuple(dict.fromkeys(one for word in found for one in spread.get(word, (word,))))


def moves_of(act: Any, piece: Piece | None) -> tuple[Any, ...]:
    """Return the moves of the table that an act stands for; raise NotSaid if there are none.

    `piece` is the subject of the sentence, if that is a piece.
    """
    if isinstance(act, Given):
        return act.moves
    if isinstance(act, Either):
        return tuple(move for one in act.acts for move in moves_of(one, piece))
    if isinstance(act, TakeAway):
        return (m.TakeEach(),) if act.from_each else (m.Take(act.amount.least, act.amount.most),)
    _check(act)
    kind = (act.piece or piece or Piece("piece")).kind
    if act.verb == "pass":
        return (m.Pass(),)
    if act.verb in ("put", "drop"):
        return (_placed(act, kind),)
    over, target = act.one(Over), act.one(Target)
    if act.verb == "capture" and over is None:
        # A capture is a step onto the enemy.
        kind = (piece or Piece("piece")).kind
        return (m.Step(kind, _ways(act), "capture"),)
    is_step = act.verb == "jump" and over is None and act.one(Distance) == Distance(1, 1)
    if over is None and (act.verb != "jump" or is_step):
        return _gone(act, kind)
    if over is None and (target is None or not target.is_behind):
        raise NotSaid
    if target is not None and target.holds not in (None, "empty"):
        raise NotSaid
    if act.verb == "capture":
        kind = (piece or Piece("piece")).kind
    whose = over.piece if over is not None else Whose(ANYONE, "piece")
    captures = act.one(Captures) is not None or act.verb == "capture"
    return (m.Jump(kind, _ways(act), whose, captures),)


_ANYWHERE = (Way, Target, IfEmpty, Obvious, Within)
_GOING = (*_ANYWHERE, Distance, Captures, Fresh)
_USES = {
    "move": (*_GOING, Over, Like, From),
    "slide": (*_GOING, Like),
    "jump": (*_GOING, Over),
    "capture": (*_ANYWHERE, Distance, Captures, Over),
    "put": (*_ANYWHERE, Column, m.Near, From),
    "drop": (*_ANYWHERE, Column),
    "pass": (),
}
"""What is read of the adverbials of a verb; with any other it is not understood."""


def _check(act: Act) -> None:
    """Raise NotSaid if an adverbial does not go with the verb or with another one."""
    kinds = [type(one) for one in act.how]
    several = {one for one in kinds if kinds.count(one) > 1} - {Way, IfEmpty, Obvious, Captures}
    if several or not set(kinds) <= set(_USES[act.verb]):
        raise NotSaid
    if act.piece is not None and (act.piece.is_all or act.piece.count not in (None, 1)):
        raise NotSaid  # a move is one of one piece
    over, distance, target = act.one(Over), act.one(Distance), act.one(Target)
    if over is not None and distance not in (None, Distance(2, 2)):
        raise NotSaid
    is_far = distance is not None and (distance != Distance(1, 1) or not _ways(act))
    if act.verb == "capture" and over is None and is_far:
        raise NotSaid  # *take a cell* is no capture
    says = set(kinds) - {IfEmpty, Obvious, Within}
    if act.verb == "move" and target is not None and says == {Target} and not target.way:
        raise NotSaid  # *to an empty cell*: which?
    if act.verb == "slide" and distance not in (None, Distance(1, 0)):
        raise NotSaid
    ways = [one for one in act.how if isinstance(one, Way)]
    if ways and ways[0].is_more:
        raise NotSaid  # other directions than which?
    if act.one(IfEmpty) is not None and target is not None and target.holds == "enemy":
        raise NotSaid
    if act.one(Like) is not None and (_ways(act) or act.one(From) is not None):
        raise NotSaid


def _placed(act: Act, kind: str) -> Any:
    target = act.one(Target) or Target("empty")
    if act.one(Column) is not None or (act.verb == "drop" and act.one(Within) is not None):
        return m.Drop(kind)
    near, region, way = act.one(m.Near), act.one(From), act.one(Way)
    if target.holds not in (None, "empty") or target.way or target.is_behind:
        raise NotSaid
    if way is not None and (near is None or directions(way.words) != ("straight",)):
        raise NotSaid
    return m.Put(kind, m.Empty(region.region if region else None, near))


def _gone(act: Act, kind: str) -> tuple[Any, ...]:
    target = act.one(Target) or Target()
    holds = {None: "empty", "empty": "empty", "enemy": "capture", "either": "either"}[target.holds]
    captures = act.one(Captures)
    if captures is not None and captures.is_choice:
        holds = "capture" if holds == "capture" else "either"
    elif captures is not None:
        if target.holds == "empty":
            raise NotSaid
        holds = "either" if holds == "either" else "capture"
    like, distance = act.one(Like), act.one(Distance) or Distance(1, 1)
    ways = _ways(act)
    if like is None and not ways and kind in MEN and act.one(Distance) is None:
        like = Like(kind)
    if like is not None:
        if like.man == "knight":
            return (m.Step(kind, ("like a knight",), holds),)
        ways = {"rook": ("straight",), "bishop": ("diagonally",)}.get(
            like.man, ("in any direction",)
        )
        return ((m.Step if like.man == "king" else m.Slide)(kind, ways, holds),)
    if distance.most == 0 or act.verb == "slide":
        return (m.Slide(kind, ways, holds),)
    source = act.one(From)
    if distance == Distance(1, 1) and source is None:
        return (m.Step(kind, ways, holds),)
    if source is None or holds != "empty" or distance.most != 2:
        raise NotSaid
    double = m.DoubleStep(kind, ways, source.region)
    return (double,) if distance.least == 2 else (m.Step(kind, ways, holds), double)


def _ways(act: Act) -> tuple[str, ...]:
    words = [word for one in act.how if isinstance(one, Way) for word in one.words]
    if not words and (target := act.one(Target)) is not None:
        words = list(target.way)
    return directions(words)
