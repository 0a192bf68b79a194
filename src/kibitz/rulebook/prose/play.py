"""Sentences about what players and pieces do in, rules of moves of the table out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import NotSaid
from kibitz.rulebook.model import YOU, Sentence
from kibitz.rulebook.prose.acts import (
    MEN,
    Act,
    Fresh,
    From,
    IfEmpty,
    Like,
    Obvious,
    Over,
    TakeAway,
    Within,
    moves_of,
)
from kibitz.rulebook.prose.leaves import Distance, Piece, Target, Way
from kibitz.rulebook.prose.settlement import CapturesToo, Forbidden, JumpsCapture, Placing
from kibitz.rulebook.prose.tables import table


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a player, or a piece of a player; and whether it is said that this is a turn."""

    player: str
    piece: Piece | None = None
    is_turn: bool = False


def _actor(piece: Piece) -> Actor:
    if piece.count not in (None, 1):
        raise NotSaid
    is_named = piece.owner not in (None, YOU)
    return Actor(piece.owner or YOU, piece) if is_named else Actor(YOU, piece)


def _acting(who: Actor, acts: tuple[Any, ...]) -> tuple[m.Sentence, ...]:
    if any(isinstance(act, Act) and act.verb == "pass" for act in acts) and len(acts) == 1:
        return (m.MoveRule(who.player, None, (m.Pass(),)),)
    if not who.is_turn and any(_is_setup(act) for act in acts):
        raise NotSaid
    found: list[m.Sentence] = []
    acts = _from_any_pile(acts)
    piece = who.piece
    for act in acts:
        if isinstance(act, Act) and (within := act.one(Within)) is not None:
            found.append(within.board)
        if isinstance(act, Act) and act.one(Fresh) is not None:
            found.append(m.Trail("wall"))
        if isinstance(act, Act) and act.piece is not None and act.verb != "put":
            piece = act.piece
        if _is_vague(act):
            continue
        owner = piece.owner if piece else None
        player = owner if owner not in (None, YOU) else who.player
        if isinstance(act, Act) and act.verb == "put" and not act.how:
            found.append(Placing(player, moves_of(act, piece)))
            continue
        if _is_by_replacement(act):
            kind = (piece or Piece("piece")).kind
            captures = m.MoveCaptures((kind,)) if player == YOU else CapturesToo(player, kind)
            found.append(captures)
            continue
        found.append(m.MoveRule(player or YOU, None, moves_of(act, piece)))
    return tuple(found)


def _from_any_pile(acts: tuple[Any, ...]) -> tuple[Any, ...]:
    """Read *from the first or from the second pile* as from any pile."""
    piles = {act.pile for act in acts if isinstance(act, TakeAway) and act.pile}
    if not piles:
        return acts
    if piles != set(range(1, len(piles) + 1)) or len(piles) == 1:
        raise NotSaid
    return tuple(
        dict.fromkeys(replace(act, pile=0) if isinstance(act, TakeAway) else act for act in acts)
    )


def _told(acts: tuple[Any, ...]) -> tuple[Sentence, ...]:
    return _acting(_YOU, acts)


def _is_setup(act: Any) -> bool:
    """Return whether something is put on given cells, which belongs to the start."""
    return isinstance(act, Act) and act.verb == "put" and act.one(From) is not None


def _is_vague(act: Any) -> bool:
    """Return whether an act says that something moves, and not where to."""
    if not isinstance(act, Act) or act.verb != "move":
        return False
    return not [one for one in act.how if not isinstance(one, Within | IfEmpty | Obvious)] and (
        act.piece is None or act.piece.kind not in MEN
    )


def _is_by_replacement(act: Any) -> bool:
    """Return whether pieces capture by moving as they do otherwise."""
    return (
        isinstance(act, Act)
        and act.verb == "capture"
        and not any(isinstance(one, Way | Distance | Over | Like) for one in act.how)
    )


def _acting_twice(
    who: Actor, acts: tuple[Any, ...], then: tuple[Any, ...]
) -> tuple[m.Sentence, ...]:
    if any(isinstance(act, Act) and act.piece is None and act.verb in _GOING for act in then):
        raise NotSaid  # of the same piece, which a second part does not say
    first = tuple(move for act in acts for move in moves_of(act, who.piece))
    second = tuple(move for act in then for move in moves_of(act, who.piece))
    return (m.MoveRule(who.player, None, first, second),)


_GOING = ("move", "slide", "jump", "capture")


def _forbidden(who: Actor, acts: tuple[Any, ...]) -> tuple[Sentence, ...]:
    return (
        Forbidden(who.player, tuple(move for act in acts for move in moves_of(act, who.piece))),
    )


def _not_placed(piece: Piece, how: tuple[Any, ...]) -> tuple[Sentence, ...]:
    return (Forbidden(YOU, moves_of(Act("put", piece, how), None)),)


def _onto(to: Target | None = None) -> tuple[Sentence, ...]:
    if to is None:
        return ()
    if to.holds not in ("enemy", "either"):
        raise NotSaid
    return (m.MoveCaptures(("piece",)),)


def _trail() -> tuple[Sentence, ...]:
    return (m.Trail("wall"),)


_YOU = Actor(YOU)
_YOUR_TURN = Actor(YOU, is_turn=True)


def _first_moves(begins: str, how: tuple[Any, ...]) -> tuple[Sentence, ...]:
    return (m.Begins(begins), *_acting(Actor(begins), (Act("move", None, how),)))


def _begun(begins: str, acts: tuple[Any, ...]) -> tuple[Sentence, ...]:
    return (m.Begins(begins), *_acting(_YOU, acts))


def _introduced(count: int, names: tuple[str, ...], acts: tuple[Any, ...]) -> tuple[Sentence, ...]:
    if len(names) != count:
        raise NotSaid
    return (m.Players(tuple(names)), *_acting(_YOUR_TURN, acts))


def _on_board(
    board: Sentence, acts: tuple[Any, ...], who: Actor | None = None
) -> tuple[Sentence, ...]:
    return (board, *_acting(who or _YOUR_TURN, acts))


def _moved(piece: Piece, how: tuple[Any, ...]) -> tuple[Sentence, ...]:
    return _acting(_actor(piece), (Act("move", None, how),))


def _put(piece: Piece, how: tuple[Any, ...]) -> tuple[Sentence, ...]:
    return _acting(_YOU, (Act("put", piece, how),))


def _chosen(choices: tuple[str, ...]) -> tuple[Sentence, ...]:
    return (m.Simultaneous(), m.MoveRule(YOU, None, (m.Choose(tuple(choices)),)))


def _score(count: int) -> tuple[Sentence, ...]:
    return (m.Score(count, "point"),)


_MODAL = "[may|must|will|has] [only] [to]"
_TAKEN = "captured|removed|taken"
_OFF = "[off|from] [the] [board]"

_WHO = (
    *table(
        "turn",
        None,
        """
        on|in|at|with each|every|a|one|your turn|move
        each|every turn
        in turn
        if it is your turn
        on a player 's turn
        """,
    ),
    *table(
        "person",
        None,
        """
        you
        one
        player
        players
        a|the|each|every|one|both|two player
        the two players
        a|each child
        the|each person
        both|each side
        the player to move
        the player to move has {_:count} options
        the player whose turn-it-is
        {_:name} and {_:name}
        """,
    ),
    *table("players", None, "[the] [two] players\nyou\nthey"),
    *table(
        "alternating",
        None,
        """
        [{_:players}] take turns [to]
        [{_:players}] take it in turns to
        {_:players} [then] alternately
        {_:players} [then] alternate [turns] [in]
        then alternate in
        a|your|each move|turn is [to]
        a|your|each move|turn consists of
        in turn each [player]
        each [player] in turn
        """,
    ),
    *table(
        "actor",
        _YOUR_TURN,
        """
        {_:turn}
        {_:turn} {_:person}
        {_:person} {_:turn}
        {_:alternating}
        """,
    ),
    *table("actor", _YOU, "{_:person}"),
    *table(
        "actor",
        Actor,
        """
        on {player:name} 's turn
        {player:name}
        {_:turn} {player:name}
        """,
    ),
    *table(
        "actor",
        _actor,
        """
        {piece:any}
        {_:turn} {piece:any}
        """,
    ),
    *table(
        "people",
        None,
        """
        [the] [all] [two] players
        both [of] [you] [players]
        each player
        you both
        """,
    ),
)

PLAY = (
    *_WHO,
    *table("says", _acting, f"{{who:actor}} {_MODAL} {{acts:acted&}}"),
    *table("says", _told, "{acts:acted&}"),
    *table(
        "says",
        _introduced,
        """
        {_:opening} {count:count} players {names:player+} [who] {_:go_on} {acts:acted&}
        """,
    ),
    *table("opening", None, "[in {_:titled}] [the]\n{_:game} is a game for"),
    *table("go_on", None, "take turns [to]\nalternate [in]"),
    *table(
        "says",
        _on_board,
        """
        on {board:board} {_:count} players {_:go_on} {acts:acted&}
        on {board:board} {who:actor} {acts:acted&}
        """,
    ),
    *table("says", _first_moves, "{begins:name} move|moves|go|goes|play|plays first {how:how*}"),
    *table(
        "says",
        _begun,
        """
        {begins:name} first {_:actor} {acts:acted&}
        begin|start|beginning|starting with {begins:name} {_:actor} {acts:acted&}
        """,
    ),
    *table(
        "says",
        _acting_twice,
        f"{{who:actor}} {_MODAL} [first] {{acts:acted&}} [and] then {{then:acted&}}",
    ),
    *table("says", _moved, "{piece:any} may|must|is [only] [be] moved|advanced|pushed {how:how*}"),
    *table("says", _put, "{piece:any} may|must|is [only] [be] placed|put {how:how*}"),
    *table("says", (), "{_:actor} remove|take {_:kinds}"),
    *table("says", _forbidden, "{who:actor} cannot|never {acts:acted&}"),
    *table(
        "says",
        _forbidden,
        """
        cannot {acts:acted&}
        it is forbidden to {acts:acted&}
        """,
        who=_YOU,
    ),
    *table("says", _not_placed, "{piece:any} cannot|never be placed|put {how:how*}"),
    *table(
        "says",
        (m.MoveCaptures(("piece",)),),
        f"""
        if there is {{_:foe}} there|on|in [that|the|this] [cell] [then] it is {_TAKEN}
        if that|the|this cell is occupied by {{_:foe}} it is {_TAKEN}
        in the latter case [the] [enemy] {{_:kind}} is captured [and] [removed] [from] [the] [board]
        """,
    ),
    *table(
        "says",
        _onto,
        f"""
        if {{_:mover}} move|land {{to:to}} [then] it is {_TAKEN} {_OFF}
        if {{_:mover}} move|land {{to:to}} [then] {{_:that_piece}} is {_TAKEN} {_OFF}
        if {{_:mover}} move|land {{to:to}} [then] {{_:that_piece}} is captured and {_TAKEN} {_OFF}
        if {{_:mover}} move|land {{to:to}} you capture|take|remove it
        """,
    ),
    *table(
        "says",
        (JumpsCapture(),),
        f"""
        a|the|any|each jumped {{_:kind}} is {_TAKEN} {_OFF}
        jumped {{_:kinds}} is {_TAKEN} {_OFF}
        a|the|any {{_:kind}} that is|was jumped [over] is {_TAKEN} {_OFF}
        the {{_:kind}} you jump over is {_TAKEN} {_OFF}
        enemy {{_:kinds}} that is jumped [over] is {_TAKEN} {_OFF}
        """,
    ),
    *table("mover", None, "you\nit\na|your {_:kind}"),
    *table("that_piece", None, "[that|the|your] [opponent] ['s] {_:kind}"),
    *table(
        "closed", None, "[then] blocked|removed|closed|gone|burned|destroyed [from] [the] [board]"
    ),
    *table(
        "visited",
        None,
        """
        where it|you has|have been [before|already]
        [that] it|you has|have visited [before|already]
        [that] it|you has|have been on [before|already]
        that has been visited [before|already]
        twice
        """,
    ),
    *table(
        "says",
        (m.Trail("wall"),),
        """
        {_:actor} leave a {_:kind} trail
        [every|each|the] cell [that] {_:actor} [has] left|leave is {_:closed} [for both {_:kinds}]
        [every|each|the] cell [that] it [has] left|leave is {_:closed} [for] [both] [{_:kinds}]
        {_:actor} cannot land|move|go|jump|step|be on|onto|to|into a cell {_:visited}
        """,
    ),
    *table("says", (), "[and] that include the {_:kind} where it started"),
    *table(
        "says",
        _chosen,
        """
        [in|on] [each|every|a] [round|turn] {_:people} choose {choices:word/} at the same time
        at the same time {_:people} choose {choices:word/}
        [in|on] [each|every|a] [round|turn] {_:people} at the same time choose {choices:word/}
        """,
    ),
    *table(
        "says",
        _score,
        """
        the winner of the|a|each round score|get {count:number} points
        whoever win the|a|each round score|get {count:number} points
        """,
    ),
    *table(
        "says",
        (m.MustCapture(),),
        """
        {_:actor} must capture|take|jump if {_:possible}
        if {_:possible} {_:actor} must capture|take|jump
        if you may capture|take|jump you must [do] [so]
        capture|jump is compulsory|mandatory|obligatory|forced
        """,
    ),
    *table("possible", None, "you may [do] [so]\n[it] [is] possible"),
    *table(
        "says",
        (m.PassIfStuck(),),
        """
        if you cannot [move|do] [so|this|that] you [must] pass
        if you cannot [move|do] [so|this|that] you [must] skip your turn
        if you cannot [move] your turn is skipped
        you [must] pass if you cannot [move]
        """,
    ),
)
