"""Patterns of what ends a game: *you have three in a row*, *the board is full*, *you are stuck*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import partial
from typing import Any

from kibitz.rulebook import model as m
from kibitz.rulebook.end_sentences import CONDITIONS
from kibitz.rulebook.grammar import Builtin, NotSaid, Pattern
from kibitz.rulebook.model import OPPONENT, YOU, Whose
from kibitz.rulebook.prose.leaves import Piece, leaf
from kibitz.rulebook.prose.settlement import NoneLeft, OwnSides
from kibitz.rulebook.prose.tables import same, table

Conditions = tuple[Any, ...]
IT = "it"
"""Stands for the player that a condition is about."""


def line_made(owner: str, line: tuple[int, str, str]) -> Conditions:
    """Return that somebody has a line: how many, which way, of what.

    >>> line_made("", (3, "line", "stone"))
    (Line(owner='', count=3, ways='line', kind='stone'),)
    """
    count, ways, kind = line
    return (m.Line(owner, count, ways, kind),)


def piece_there(owner: str, piece: Piece | None = None, region: Any = None) -> Conditions:
    """Return that somebody has a piece on some cells.

    >>> piece_there("", None, m.FarRow())
    (Stands(owner='', kind='piece', region=FarRow()),)
    """
    piece = piece or Piece("piece")
    if piece.is_many:
        raise NotSaid  # *stones on the last row*: two of them, or all?
    if piece.is_all and not piece.count:
        return (m.AllOn(owner, piece.kind, region),)
    if piece.count and piece.count > 1:
        return (m.CountOn(owner, "least", piece.count, piece.kind, region),)
    return (m.Stands(owner, piece.kind, region),)


def _all_reached(owner: str, piece: Piece, region: Any) -> Conditions:
    if piece.count:
        return (m.CountOn(owner, "least", piece.count, piece.kind, region),)
    return (m.AllOn(owner, piece.kind, region),)


def _stands_on(piece: Piece, region: Any) -> Conditions:
    return piece_there(piece.owner or YOU, piece, region)


def _gone(foe: Whose) -> Conditions:
    return (m.NoPiece(OPPONENT, foe.kind),)


def piece_gone(owner: str, piece: Piece) -> Conditions:
    """Return that somebody has no such piece left.

    >>> piece_gone("", Piece("pawn"))
    (NoPiece(owner='', kind='pawn'),)
    """
    if piece.count not in (None, 1):
        raise NotSaid
    return (m.NoPiece(owner, piece.kind),)


def _captured(piece: Piece) -> Conditions:
    if piece.owner is None or piece.count not in (None, 1):
        raise NotSaid
    if piece.count == 1 and piece.kind == "piece":
        raise NotSaid  # *a goat is captured*: not all of them
    return (m.NoPiece(piece.owner, piece.kind),)


def _few(owner: str, count: int, kind: str) -> Conditions:
    return (m.Count(owner, "exactly", count, kind),)


def _stuck(owner: str) -> Conditions:
    return (m.CannotMove(owner),)


def _piece_stuck(piece: Piece) -> Conditions:
    if piece.owner in (None, YOU) or piece.count not in (None, 1):
        raise NotSaid
    return (m.CannotMove(piece.owner),)


def _given(condition: Any) -> Conditions:
    return (condition,)


def _crossed(owner: str) -> Conditions:
    return (m.Stands(owner, "piece", m.FarRow()),)


def _moved_last(owner: str) -> Conditions:
    return (m.MovedLast(owner),)


def _connected(owner: str, sides: str) -> Conditions:
    return (m.Connected(owner, sides),)


def _none_left(piece: Piece) -> Conditions:
    if piece.owner not in (None, YOU):
        return (m.NoPiece(piece.owner, piece.kind),)
    return (NoneLeft(piece.kind),)


def _own_sides(owner: str) -> Conditions:
    return (OwnSides(owner),)


def _turns(count: int, times: int) -> Conditions:
    return (m.TurnsPlayed(times * count),)


def _joined(parts: tuple[Conditions, ...]) -> Conditions:
    found = tuple(one for part in parts for one in part)
    if all(isinstance(one, m.MovedLast) for one in found):
        raise NotSaid  # or the first move would end the game
    return found


_NOBODY_SAID = re.compile(
    r"(?:if )?(?:nobody|there is no|no|with no|without) (?!legal |possible )"
    r"(?:(?!move |is |draw )[a-z'-]+ ){0,5}"
    r"(?:won|win|winner|line|row|chain|path|done|do|did|so|this|lost|connected)"
    r"(?: (?!move |is |draw )[a-z'-]+){0,2} "
)


def nobody_leaf() -> Builtin:
    """Return how *nobody has won* is read in whatever words; it adds nothing to a draw."""
    return leaf("nobody", lambda text: True if _NOBODY_SAID.fullmatch(text) else None)


_STUCK = """
    cannot [do] [so]
    cannot make any [legal] move
    cannot move|play|place [any] [more]
    cannot move anything|anywhere
    cannot go anywhere
    cannot make|complete a [legal] move|turn
    cannot move|place|put|lay|drop|take|remove {_:any}
    has|have no [legal|possible|available|allowed|permissible] move|cell|place [left|available]
    has|have no empty cell to go to
    has|have nowhere to play|go|move
    is left with no|without [a|any] [legal] move
    is stuck|blocked|trapped
    run out of [legal] moves
    get stuck|blocked|trapped
"""
_CHAIN = "a [connected|unbroken|continuous] chain|path|line|connection [of] [your] [{_:kinds}]"
_MAKE = "form|make|build|create|has|have|complete|get"
_LINKS = "[from|between|connect|link|linking|join]"

_OWNED = (
    (
        line_made,
        """
        have|get|make|form|complete|create|build|achieve {line:line}
        place|line|connect|finish|see {line:line}
        line up {line:line}
        """,
    ),
    (
        piece_there,
        """
        reach {region:region}
        reach {region:region} with {piece:any}
        get|bring|move|land|take {piece:any} to|onto|on|into|across|in {region:region}
        has|have {piece:any} on|in|at {region:region}
        get to {region:region}
        """,
    ),
    (
        _all_reached,
        """
        get|bring|move|has all your {piece:any} to|on|in|into|onto {region:region}
        """,
    ),
    (_crossed, "cross the board"),
    (
        piece_gone,
        """
        has|have no {piece:any} [left|remaining] [on|in] [the] [board]
        [has|have] lost|lose all your {piece:any}
        [has|have] lost|lose your {piece:any}
        run out of {piece:any}
        """,
    ),
    (
        _few,
        """
        has|have only {count:count} {kind:kinds} [left]
        is|are down to {count:count} {kind:kinds}
        """,
    ),
    (
        _stuck,
        """
        {_:stuck}
        {_:stuck} {_:when}
        {_:when} {_:stuck}
        """,
    ),
    (
        _moved_last,
        """
        moved last
        make|made the last move
        """,
    ),
    (
        _connected,
        f"""
        connect|link|join {{sides:sides}}
        connect|link|join {{sides:two_sides}}
        {_MAKE} {_CHAIN} {_LINKS} {{sides:sides}}
        {_MAKE} {_CHAIN} {_LINKS} {{sides:two_sides}}
        """,
    ),
    (
        _own_sides,
        f"""
        connect|link|join {{_:own_sides}}
        connect|link|join {{_:own_sides}} with|by {_CHAIN}
        {_MAKE} {_CHAIN} {_LINKS} {{_:own_sides}}
        """,
    ),
)
"""Of somebody, who stands before the verb, or of *you* where nobody does."""

_ALONE = (
    ((m.BoardEmpty(), m.MovedLast(YOU)), "take|remove|get|draw the last {_:kinds}"),
    (
        (m.CannotMove(OPPONENT),),
        """
        move last
        make the last move
        leave your opponent without|with [a|no] [legal] move
        block|trap your opponent
        """,
    ),
    (
        _gone,
        """
        [has|have] {_:captured} {foe:foes}
        """,
    ),
    (
        _piece_stuck,
        """
        trap|block {piece:any}
        trap|block {piece:any} so that it cannot move
        """,
    ),
)
"""Of *you* alone."""

_STATES = (
    *table(
        "cond",
        _stands_on,
        """
        {piece:any} reach {region:region}
        {piece:any} get to {region:region}
        {piece:any} is|stands on {region:region}
        """,
    ),
    *table(
        "cond",
        _captured,
        """
        {piece:any} is captured
        {piece:any} has been captured
        """,
    ),
    *table(
        "cond",
        _piece_stuck,
        """
        {piece:any} {_:stuck} [on] [its|your] [turn]
        {piece:any} is surrounded and cannot move
        """,
    ),
    *table("cond", (m.CannotMove(YOU),), "none of your {_:kinds} may move"),
    *table(
        "cond",
        (m.BoardFull(),),
        """
        all [the] columns are full|filled
        no cells are left|empty
        all [{_:count}] cells are full|filled|taken|occupied|used
        every cell is full|filled|taken|occupied
        the board is full|filled [up]
        the board fill [up]
        there is no empty cells [left] [on] [the] [board]
        no empty cells remain|is [left]
        no more {_:kinds} may be placed
        a full board
        """,
    ),
    *table(
        "cond",
        (m.NobodyCanMove(),),
        """
        nobody may move [any] [more]
        nobody has a [legal] move [left]
        """,
    ),
    *table(
        "cond",
        _none_left,
        """
        there is no {piece:any} left [if] [it] [is] [your] [turn]
        all [the] {piece:any} is gone
        """,
    ),
    *table(
        "cond",
        _turns,
        """
        nobody wins after {count:number} moves|turns each
        {count:number} moves|turns each have been made|played
        """,
        times=2,
    ),
    *table(
        "cond",
        _turns,
        """
        nobody wins after {count:number} moves|turns
        {count:number} moves|turns have been made|played
        """,
        times=1,
    ),
    *table(
        "cond",
        _own_sides,
        """
        a connected group|chain|path|line of your {_:kinds} touch|connect|link|join {_:own_sides}
        """,
        owner=YOU,
    ),
    *table("cond", (), "it is your turn"),
)

_WORDS = (
    *table("stuck", None, _STUCK),
    *table(
        "when",
        None,
        """
        on|at your turn
        if it is your turn
        """,
    ),
    *table(
        "captured",
        None,
        """
        capture|take|eat|eliminate|remove
        captured|taken|eaten|eliminated|removed
        """,
    ),
    *table(
        "own_sides",
        None,
        """
        your two [opposite] sides|edges [of] [the] [board]
        the two [opposite] sides|edges of your colour
        [both] [of] your sides|edges
        """,
    ),
    *table("whom", YOU, "you\na|the|one|some player\nthe player to move"),
    *table("whom", IT, "it\nthat|this player\nyou then"),
    *table("whom", OPPONENT, "your opponent\nthe other\nyour opponents"),
    *table("whom", same, "{it:name}"),
    *table(
        "nobody",
        (),
        """
        nobody has won|connected
        nobody win|did|do
        nobody has|get|made {_:line}
        nobody has made {_:line}
        nobody has done this|so
        nobody has managed|reached this
        nobody has a line
        without [any] {_:line}
        with|without no|a [such] line|winner
        there is no winner
        without anyone win
        no line has been made
        {_:nobody_said}
        """,
    ),
)


def _owned(patterns: Iterable[tuple[Any, str]]) -> Iterator[Pattern]:
    for make, lines in patterns:
        for pattern in table("pred", make, lines, owner=YOU):
            yield pattern
            yield Pattern("cond", f"{{owner:whom}} {pattern.template}", make)


def _alone(patterns: Iterable[tuple[Any, str]]) -> Iterator[Pattern]:
    for make, lines in patterns:
        for pattern in table("pred", make, lines):
            yield pattern
            yield Pattern("cond", f"you {pattern.template}", make)
            yield Pattern("cond", f"a player {pattern.template}", make)


def _of_table(patterns: Iterable[Pattern]) -> Iterator[Pattern]:
    """Yield conditions of the table without their owner, who is then *you*."""
    for pattern in patterns:
        spellings: Iterable[Any] = (pattern.template, *pattern.also)
        for spelling in spellings:
            template, fixed = (spelling, {}) if isinstance(spelling, str) else spelling
            if template.startswith("{owner:owner} "):
                make = partial(_one, pattern.make)
                bare = template.removeprefix("{owner:owner} ")
                yield Pattern("pred", bare, make, {**pattern.fixed, **fixed, "owner": YOU})


def _one(make: Any, /, **slots: Any) -> Conditions:
    for one in fields(make):
        slots.setdefault(one.name, None)
    return (make(**slots),)


ENDINGS = (
    *table("cond", _given, "{condition:condition}"),
    *_of_table(CONDITIONS),
    *_owned(_OWNED),
    *_alone(_ALONE),
    *_STATES,
    *_WORDS,
    *table("cond", same, "{it:nobody}"),
    *table(
        "both",
        _joined,
        """
        [if] {parts:cond+} {_:nobody}
        [if] {parts:cond+}
        {parts:pred+}
        """,
    ),
    *table("doing", _joined, "[by] {parts:pred+}"),
)
