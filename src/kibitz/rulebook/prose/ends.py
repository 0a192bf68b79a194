"""Sentences about how a game ends and who wins in, sentences of the table out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kibitz.rulebook import model as m
from kibitz.rulebook.model import OPPONENT, YOU
from kibitz.rulebook.prose.conditions import IT, Conditions, line_made, piece_gone, piece_there
from kibitz.rulebook.prose.leaves import Piece
from kibitz.rulebook.prose.settlement import SideOwner
from kibitz.rulebook.prose.tables import same, table

Said = tuple[m.Sentence, ...]


def _of(player: str, conditions: Conditions) -> Conditions:
    """Write a player's name for *you*."""
    return tuple(
        replace(one, owner=player) if getattr(one, "owner", None) in (YOU, IT) else one
        for one in conditions
    )


def _ended(player: str, result: str, ways: tuple[Conditions, ...]) -> Said:
    if player in (YOU, IT):
        owners: set[str] = {getattr(one, "owner", YOU) for part in ways for one in part}
        named = owners - {YOU, OPPONENT, IT}
        player = named.pop() if player == IT and len(named) == 1 else YOU
    return tuple(m.End(player, result, _of(player, conditions)) for conditions in ways)


def _draw(ways: tuple[Conditions, ...]) -> Said:
    return _ended(YOU, "draws", ways)


def _other_wins(ways: tuple[Conditions, ...]) -> Said:
    return _ended(YOU, "loses", ways)


def _most(ways: tuple[Conditions, ...], how: str, noun: str) -> Said:
    return tuple(m.Most(conditions, how, noun) for conditions in ways)


def _last_mover(result: str) -> Said:
    """Whoever moves last wins where whoever cannot move loses."""
    return (m.End(YOU, "loses" if result == "wins" else "wins", (m.CannotMove(YOU),)),)


def _owner_of(piece: Piece) -> str:
    """Return whose piece it is that wins or loses: of *you*, if its player has no name."""
    return piece.owner or YOU


def _lined(line: tuple[int, str, str], result: str) -> Said:
    return _ended(YOU, result, (line_made(YOU, line),))


def _arrived(piece: Piece, region: Any, result: str) -> Said:
    return _ended(YOU, result, (piece_there(YOU, piece, region),))


def _left_without(piece: Piece, result: str) -> Said:
    return _ended(YOU, result, (piece_gone(YOU, piece),))


def _on_board(board: m.Sentence, **said: Any) -> Said:
    return (board, *_ended(**said))


def _side_owner(player: str, sides: str) -> Said:
    return (SideOwner(player, sides),)


def _over(ways: tuple[Conditions, ...]) -> Said:
    return tuple(m.GameEnds(one) for one in ways)


def _leader(how: str, noun: str) -> Said:
    return (m.Leader(how, noun),)


_DOES = "lay|place|put|drop|make|mark"

_WORDS = (
    *table("result", "wins", "[also] win|wins"),
    *table("result", "loses", "[also] lose|loses"),
    *table(
        "somebody",
        None,
        """
        whoever [first]
        a|the|any player who|that [first]
        a|the|any player|side
        players who
        the one|person|child|side who|that [first]
        the first [player|one|person] to|who
        """,
    ),
    *table(
        "goal",
        None,
        """
        the|your goal|aim|object|objective [of] [the] [game] is to [be] [the] [first] [to]
        [try] [to] be the first to
        each player tries to [be] [the] [first] [to]
        the winner is whoever
        the winner is the [first] [player] to|who
        the game is won by the [first] [player] to|who
        the game is won by
        """,
    ),
    *table("rest", None, "the other two [sides] [belong]"),
    *table("ended", None, "is over\nend|finish|stop"),
    *table(
        "draw",
        None,
        """
        the game|match|result is [a] draw|drawn
        [the|it] [game|match] end [in|as] [a] draw|drawn
        it is|counts [as] a draw
        nobody wins
        a draw
        there is no winner
        """,
    ),
    *table("more", "more", "[the] more|most\nthe larger|greater number of"),
    *table("more", "fewer", "[the] fewer|fewest|less"),
    *table(
        "with_more",
        same,
        """
        whoever [then] has {it:more}
        the player with|who [has] {it:more}
        the winner is the player with|who [has] {it:more}
        the winner is whoever has {it:more}
        """,
    ),
    *table("at_end", None, "[on] [the] [board] [at] [the] [end]"),
)

ENDS = (
    *_WORDS,
    *table(
        "says",
        _ended,
        """
        {player:whom} {result:result} if {ways:both/}
        if {ways:both/} [then] {player:whom} {result:result}
        {player:whom} {result:result} by {ways:doing/} [first]
        """,
    ),
    *table(
        "says",
        _ended,
        """
        {_:somebody} {ways:doing/} [first] {result:result}
        the game {_:ended} if {ways:both/} [and] [then] that|this|the player {result:result}
        the game {_:ended} if {ways:both/} [and] [then] you {result:result}
        {ways:doing/} and you {result:result}
        """,
        player=YOU,
    ),
    *table(
        "says",
        _ended,
        """
        {_:goal} {ways:doing/} [first]
        {_:goal} {ways:doing/} before your opponent
        {ways:doing/} to win
        to win {ways:doing/}
        get to win by {ways:doing/}
        """,
        player=YOU,
        result="wins",
    ),
    *table(
        "says",
        _ended,
        """
        {player:whom} try|tries|want|wants|aim|aims to {ways:doing/}
        """,
        result="wins",
    ),
    *table(
        "says",
        _on_board,
        """
        {player:whom} try|tries|want|wants|aim|aims to {ways:doing/} of {board:board}
        """,
        result="wins",
    ),
    *table(
        "says",
        _ended,
        """
        if {ways:both/} your opponent wins
        if {ways:both/} the other wins
        """,
        player=YOU,
        result="loses",
    ),
    *table("says", _ended, "if {ways:both/} your opponent loses", player=YOU, result="wins"),
    *table(
        "says",
        _lined,
        """
        {line:line} {result:result}
        a|the [first] player with {line:line} {result:result}
        the first with {line:line} {result:result}
        """,
    ),
    *table(
        "says",
        _arrived,
        """
        a|the [first] player with {piece:any} on|in {region:region} {result:result}
        {piece:any} that reach {region:region} {result:result} [for] [its] [owner]
        """,
    ),
    *table("says", _ended, "{player:owner_of} that {ways:doing/} {result:result}"),
    *table("owner_of", _owner_of, "{piece:any}"),
    *table("says", _left_without, "a|the player with no {piece:any} [left] {result:result}"),
    *table(
        "says",
        _last_mover,
        f"""
        [the] last [player] [able] to move {{result:result}}
        the last player who may move {{result:result}}
        {{_:somebody}} move|moves last {{result:result}}
        {{_:somebody}} make the last move {{result:result}}
        the player make the last move {{result:result}}
        if you make the last move you {{result:result}}
        {{_:somebody}} {_DOES} the last {{_:kind}} {{result:result}}
        the last player|person [able] to {_DOES} {{_:any}} {{result:result}}
        the last player|person who may {_DOES} {{_:any}} {{result:result}}
        """,
    ),
    *table(
        "says",
        (m.End(YOU, "loses", (m.CannotMove(YOU),)),),
        """
        [so] is a player your opponent {_:stuck}
        """,
    ),
    *table(
        "says",
        _draw,
        """
        if {ways:both/} [then] {_:draw}
        {_:draw} if {ways:both/}
        if {ways:both/} the game end and it is a draw
        """,
    ),
    *table(
        "says",
        (m.End(YOU, "draws", (m.BoardFull(),)),),
        """
        a full board [with] [no] [such] [line] is a draw
        """,
    ),
    *table(
        "says",
        _over,
        """
        [the] game|play {_:ended} if {ways:both/}
        [the] game|play goes|continue [on] until {ways:both/}
        """,
    ),
    *table(
        "says",
        _most,
        """
        if {ways:both/} {how:with_more} {noun:kinds} wins
        the game ends if {ways:both/} and {how:with_more} {noun:kinds} wins
        """,
    ),
    *table(
        "says",
        _leader,
        """
        {how:with_more} {noun:kinds} {_:at_end} [wins]
        """,
    ),
    *table(
        "says",
        _side_owner,
        """
        {player:name} own|has|have {sides:sides}
        {player:name} own|has|have {sides:two_sides}
        {sides:sides} belong to {player:name}
        {sides:two_sides} belong to {player:name}
        """,
    ),
    *table(
        "says",
        (),
        """
        [the] two opposite sides [of] [the] [board] belong to {_:name} and {_:rest} to {_:name}
        """,
    ),
)
