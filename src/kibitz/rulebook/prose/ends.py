"""How games end and who wins, as people write it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from typing import Any

from kibitz.rulebook import model as m
from kibitz.rulebook.end_sentences import CONDITIONS
from kibitz.rulebook.grammar import Builtin, NotSaid, Pattern, number_of
from kibitz.rulebook.model import OPPONENT, YOU, Whose
from kibitz.rulebook.prose.settlement import OwnSides, SideOwner
from kibitz.rulebook.prose.leaves import NUMBER, Piece, leaf

__all__ = ["END_SENTENCES", "line_leaf", "nobody_leaf", "sides_leaf"]

P = Pattern
Said = tuple[m.Sentence, ...]
Conditions = tuple[Any, ...]
_IT = "it"
"""Stands for the player that a condition is about."""

_N = NUMBER
_LINE = re.compile(
    rf"(?:a |an |the |any )?(?:unbroken |straight |connected |complete |row |line )*(?:of )?({_N})"
    r"(?: of)?(?: your| the)?(?: own)?(?: same| identical| equal| consecutive)?(?: ([a-z]+))?"
    r"(?: next to each other| adjacent to each other| touch| anywhere| connected| lined up)*"
    r"((?: (?:in|along|on) (?:a|any|one|the same) (?:straight |unbroken )?(?:row|line|column|diagonal|direction)"
    r"(?:(?: or| and)?(?: in)?(?: a)? (?:row|column|diagonal|line))*(?: with(?:out| no) gap| without a gap)?)?)"
    r"((?: (?:whether |either |whether it is |in )?(?:horizontally|vertically|diagonally|horizontal|vertical|diagonal|across|down|orthogonally"
    r"|or|and|in any direction|including diagonal(?:ly)?|not diagonally|diagonal include|diagonal count))*) "
)


def line_leaf() -> Builtin:
    """Return how lines are read: *four of your marks in a row, across, down or diagonally*."""

    def read(text: str) -> tuple[int, str, str] | None:
        found = _LINE.fullmatch(text)
        if found is None or not (found[3] or found[4] or re.search(r"\b(?:row|line)\b", text)):
            return None
        kind = found[2] or "piece"
        if kind in ("in", "of", "horizontally", "vertically", "diagonally", "row", "or"):
            return None
        return number_of(found[1]) or 0, _ways(found[3], found[4]), kind

    return leaf("a line", read)


def _ways(where: str, how: str) -> str:
    diagonal = "diagonal" in where + how and "not diagonally" not in how
    straight = {
        word
        for word, names in {
            "horizontal": ("horizontal", "across", " row", "orthogonal"),
            "vertical": ("vertical", "down", "column", "orthogonal"),
        }.items()
        if any(name in how or (name in where and "column" in where) for name in names)
    }
    if not how.strip() and "column" not in where:
        return "diagonal" if "diagonal" in where else "line"
    if (
        "direction" in how
        or "include" in how
        or "count" in how
        or (diagonal and len(straight) == 2)
    ):
        return "line"
    if diagonal:
        return "diagonal" if not straight else "line"
    return "straight" if len(straight) == 2 else next(iter(straight), "straight")


def _line(owner: str, line: tuple[int, str, str]) -> Conditions:
    count, ways, kind = line
    return (m.Line(owner, count, ways, kind),)


def _reached(owner: str, piece: Piece | None = None, region: Any = None) -> Conditions:
    return (m.Stands(owner, piece.kind if piece else "piece", region),)


def _all_reached(owner: str, piece: Piece, region: Any) -> Conditions:
    if piece.count:
        return (m.CountOn(owner, "least", piece.count, piece.kind, region),)
    return (m.AllOn(owner, piece.kind, region),)


def _stands_on(piece: Piece, region: Any) -> Conditions:
    return (m.Stands(piece.owner or YOU, piece.kind, region),)


def _gone(foe: Whose) -> Conditions:
    return (m.NoPiece(OPPONENT, foe.kind),)


def _lost(owner: str, piece: Piece) -> Conditions:
    return (m.NoPiece(owner, piece.kind),)


def _captured(piece: Piece) -> Conditions:
    if piece.owner is None:
        raise NotSaid
    return (m.NoPiece(piece.owner, piece.kind),)


def _few(owner: str, count: int, kind: str) -> Conditions:
    return (m.Count(owner, "exactly", count, kind),)


def _stuck(owner: str) -> Conditions:
    return (m.CannotMove(owner),)


def _piece_stuck(piece: Piece) -> Conditions:
    if piece.owner in (None, YOU):
        raise NotSaid
    return (m.CannotMove(piece.owner),)


def _given(condition: Any) -> Conditions:
    return (condition,)


_LAST = (m.BoardEmpty(), m.MovedLast(YOU))
_MOVE = "make|find|has|have|complete|do"
_STUCK = (
    "cannot move", "cannot make a move", "cannot make a legal move", "has|have no legal move", "has|have no move",
    "has|have no legal move left", "has|have no move left", "has|have no possible move", "has|have no moves available",
    "is|are stuck", "is|are blocked", "is|are trapped", "is|are left without a move", "has|have nowhere to play|go|move",
    "get|gets stuck", "cannot move anything", "cannot complete a turn", "cannot move {_:any}", "cannot place {_:any}", "cannot put {_:any}",
    "cannot lay {_:any}", "cannot drop {_:any}", "cannot take {_:any}", "cannot remove {_:any}", "cannot play", "is left with no legal move",
    "has|have no available move", "has|have no permissible|allowed|legal cell|place|spot|move|square [left]", "has|have no empty cell to go to",
    "cannot move anywhere", "has|have no {_:word} moves", "has|have no legal moves available", "cannot go anywhere", "cannot place", "has no legal move",
)  # fmt: skip
_AFTER = (
    "",
    " on your turn",
    " if it is your turn",
    " when it is your turn",
    " any more",
    " at your turn",
)

OWNED = (
    (
        "have|get|make|form|complete|create|build|achieve|place|has|line|connect|finish|see {line:line}",
        _line,
    ),
    ("line up {line:line}", _line),
    ("reach {region:region}", _reached),
    ("reach {region:region} with {piece:any}", _reached),
    ("get|bring|move|land|take {piece:any} to|onto|on|into|across|in {region:region}", _reached),
    ("has|have {piece:any} on|in|at {region:region}", _reached),
    ("get to {region:region}", _reached),
    ("get|bring|move|has all your {piece:any} to|on|in|into|onto {region:region}", _all_reached),
    ("cross the board", lambda owner: (m.Stands(owner, "piece", m.FarRow()),)),
    ("has|have no {piece:any} [left|remaining] [on|in] [the] [board]", _lost),
    ("has|have lost all your {piece:any}", _lost),
    ("lose all your {piece:any}", _lost),
    ("lose your {piece:any}", _lost),
    ("run out of {piece:any}", _lost),
    ("has|have only {count:count} {kind:kinds} [left]", _few),
    ("is|are down to {count:count} {kind:kinds}", _few),
    *((words + after, _stuck) for words in _STUCK for after in _AFTER),
    *((after.strip() + " " + words, _stuck) for words in _STUCK for after in _AFTER[1:4]),
    ("moved last", lambda owner: (m.MovedLast(owner),)),
    ("make|made the last move", lambda owner: (m.MovedLast(owner),)),
    ("connect|link|join {sides:sides}", lambda owner, sides: (m.Connected(owner, sides),)),
    ("connect|link|join {sides:two_sides}", lambda owner, sides: (m.Connected(owner, sides),)),
    ("connect|link|join {_:own_sides}", lambda owner: (OwnSides(owner),)),
    *(
        (
            f"form|make|build|create|has|have|complete|get {chain} [from|between|connect|link|linking|join] {{_:own_sides}}",
            lambda owner: (OwnSides(owner),),
        )
        for chain in (
            "a [connected|unbroken|continuous] chain|path|line|connection",
            "a [connected|unbroken|continuous] chain|path|line of [your] {_:kinds}",
        )
    ),
    *(
        (
            f"form|make|build|create|has|have|complete|get {chain} [from|between|connect|link|linking|join] {{sides:two_sides}}",
            lambda owner, sides: (m.Connected(owner, sides),),
        )
        for chain in (
            "a [connected|unbroken|continuous] chain|path|line|connection",
            "a [connected|unbroken|continuous] chain|path|line of [your] {_:kinds}",
        )
    ),
    *(
        (
            f"form|make|build|create|has|have|complete|get {chain} {links} {{sides:sides}}",
            lambda owner, sides: (m.Connected(owner, sides),),
        )
        for chain in (
            "a [connected|unbroken|continuous] chain|path|line|connection",
            "a [connected|unbroken|continuous] chain|path|line of your {_:kinds}",
        )
        for links in ("from", "between", "connect", "link", "join")
    ),
)
_ALONE = (
    ("take|remove|get|draw the last {_:kinds}", lambda: _LAST),
    ("move last", lambda: (m.CannotMove(OPPONENT),)),
    ("make the last move", lambda: (m.CannotMove(OPPONENT),)),
    ("capture|take|eat|eliminate|remove {foe:foe}", _gone),
    ("has|have captured|taken|eaten|removed {foe:foe}", _gone),
    ("has|have captured|taken|eaten|removed all {foe:foe}", _gone),
    ("capture|take|eat|eliminate|remove all {foe:foe}", _gone),
    ("leave your opponent without a [legal] move", lambda: (m.CannotMove(OPPONENT),)),
    ("leave your opponent with no [legal] move", lambda: (m.CannotMove(OPPONENT),)),
    ("block|trap your opponent", lambda: (m.CannotMove(OPPONENT),)),
    ("trap|block {piece:any} so that it cannot move", _piece_stuck),
    ("trap|block {piece:any}", _piece_stuck),
)
_ABOUT = (
    ("{piece:any} reach|reaches {region:region}", _stands_on),
    ("{piece:any} get|gets to {region:region}", _stands_on),
    ("{piece:any} is|are|stands on {region:region}", _stands_on),
    ("{piece:any} is captured", _captured),
    ("none of your {_:kinds} may move", lambda: (m.CannotMove(YOU),)),
    ("{piece:any} is surrounded and cannot move", _piece_stuck),
    ("{piece:any} has been captured", _captured),
    *(
        (f"{{piece:any}} {words}{after}", _piece_stuck)
        for words in _STUCK[:14]
        for after in (*_AFTER[:2], " on its turn")
        if "{" not in words
    ),
    ("all [the] columns are|is full|filled", lambda: (m.BoardFull(),)),
    ("there are|is no empty cells [left] on the board", lambda: (m.BoardFull(),)),
    ("no cells are|is left|empty", lambda: (m.BoardFull(),)),
    ("all cells are|is full|filled|taken|occupied|used", lambda: (m.BoardFull(),)),
    ("all {_:count} cells are|is full|filled|taken|occupied|used", lambda: (m.BoardFull(),)),
    ("every cell is full|filled|taken|occupied", lambda: (m.BoardFull(),)),
    ("the board is full|filled [up]", lambda: (m.BoardFull(),)),
    ("the board fill|fills [up]", lambda: (m.BoardFull(),)),
    ("there is|are no empty cells [left]", lambda: (m.BoardFull(),)),
    ("no empty cells remain|are|is [left]", lambda: (m.BoardFull(),)),
    ("no more {_:kinds} may be placed", lambda: (m.BoardFull(),)),
    ("a full board", lambda: (m.BoardFull(),)),
    ("nobody may move [any] [more]", lambda: (m.NobodyCanMove(),)),
    ("nobody has a [legal] move [left]", lambda: (m.NobodyCanMove(),)),
    ("there are|is no {_:kinds} left [if|when] [it] [is] [your] [turn]", lambda: (m.BoardEmpty(),)),
    ("{_:kinds} is|are gone", lambda: (m.BoardEmpty(),)),
    (
        "nobody wins after {count:number} moves|turns each",
        lambda count: (m.TurnsPlayed(2 * count),),
    ),
    ("nobody wins after {count:number} moves|turns", lambda count: (m.TurnsPlayed(count),)),
    ("{count:number} moves each have been made|played", lambda count: (m.TurnsPlayed(2 * count),)),
    ("{count:number} moves have been made|played", lambda count: (m.TurnsPlayed(count),)),
)
_NOBODY = (
    "nobody has won", "nobody wins", "nobody has {_:line}", "nobody get {_:line}", "without {_:line}", "without any {_:line}", "nobody has done this",
    "nobody has done so", "nobody has connected", "neither has connected", "neither has done so", "neither wins", "neither has won", "neither do", "with no such line", "with no line", "nobody did", "without a winner", "there is no winner",
    "nobody has made {_:line}", "nobody has managed this", "nobody has reached this", "nobody has a line", "without anyone win", "no line has been made",
)  # fmt: skip


def _owned(patterns: Iterable[tuple[str, Any]]) -> Iterator[Pattern]:
    for words, make in patterns:
        yield P("cond", f"{{owner:whom}} {words}", make)
        yield P("pred", words, make, {"owner": YOU})


def _bare(patterns: Iterable[Pattern]) -> Iterator[Pattern]:
    """Yield conditions of the table, and without their owner, who is then *you*."""
    yield P("cond", "{condition:condition}", _given)
    for pattern in patterns:
        for template in (
            pattern.template,
            *(o if isinstance(o, str) else o[0] for o in pattern.also),
        ):
            if template.startswith("{owner:owner} "):
                fixed = dict(pattern.fixed)
                for other in pattern.also:
                    if not isinstance(other, str) and other[0] == template:
                        fixed |= other[1]
                make = pattern.make
                yield P(
                    "pred",
                    template.removeprefix("{owner:owner} "),
                    lambda make=make, **slots: (_model(make, slots),),
                    {**fixed, "owner": YOU},
                )


def _model(make: Any, slots: dict[str, Any]) -> Any:
    for one in fields(make):
        slots.setdefault(one.name, None)
    return make(**slots)


def _of(player: str, conditions: Conditions) -> Conditions:
    """Write a player's name for *you*."""
    return tuple(
        replace(one, owner=player) if getattr(one, "owner", None) in (YOU, _IT) else one
        for one in conditions
    )


def _ended(player: str, result: str, ways: tuple[Conditions, ...]) -> Said:
    if player in (YOU, _IT):
        owners = {getattr(one, "owner", None) for conditions in ways for one in conditions}
        named = owners - {None, YOU, OPPONENT, _IT}
        player = named.pop() if player == _IT and len(named) == 1 else YOU
    return tuple(m.End(player, result, _of(player, conditions)) for conditions in ways)


def _draw(ways: tuple[Conditions, ...]) -> Said:
    return _ended(YOU, "draws", ways)


def _other_wins(ways: tuple[Conditions, ...]) -> Said:
    return _ended(YOU, "loses", ways)


def _joined(parts: tuple[Conditions, ...]) -> Conditions:
    found = tuple(one for part in parts for one in part)
    if all(isinstance(one, m.MovedLast) for one in found):
        raise NotSaid  # or the first move would end the game
    return found


def _most(ways: tuple[Conditions, ...], how: str, noun: str) -> Said:
    return tuple(m.Most(conditions, how, noun) for conditions in ways)


def _last_mover(result: str) -> Said:
    """Whoever moves last wins where whoever cannot move loses."""
    return (m.End(YOU, "loses" if result == "wins" else "wins", (m.CannotMove(YOU),)),)


_DOES = "lay|lays|place|places|put|puts|drop|drops|make|makes|mark|marks"
_NOBODY_SAID = re.compile(
    r"(?:if )?(?:nobody|there is no|no|with no|without) (?!legal |possible )(?:(?!move |is |draw )[a-z'-]+ ){1,6}"
)


def nobody_leaf() -> Builtin:
    """Return how *nobody has won* is read in whatever words; it adds nothing to a draw."""
    return leaf("nobody", lambda text: True if _NOBODY_SAID.fullmatch(text) else None)


_RESULTS = {"wins": "win|wins", "loses": "lose|loses"}
_FIRST = (
    "the first player to",
    "the first to",
    "the first player who",
    "the first who",
    "the first one to",
)
_WHO = (
    "the player who", "a player who", "whoever", "any player who", "the player who first", "the one who", "the person who", "the child who",
    "the first person to", "whoever first", "players who", "the side that", "the player that", *_FIRST,
)  # fmt: skip
_GOAL = (
    "the goal is to", "the aim is to", "your goal is to", "your aim is to", "the object is to", "the object of the game is to",
    "the goal of the game is to", "the aim of the game is to", "be the first to", "try to be the first to", "the first aim is to",
    "your goal is to be the first to", "the goal is to be the first to", "the aim is to be the first to", "each player tries to",
    "the winner is the player who", "the winner is the first player to", "the winner is the first to", "the winner is whoever",
    "the game is won by the player who", "the game is won by the first player to", "the game is won by", "the objective is to",
)  # fmt: skip
_HE = ("the player",)
_SIDES = re.compile(
    r"(?:the |from (?:the )?|from )?(left|right|top|bottom)(?: (?:edge|side|row|column|end))?(?: of the board)? (?:to|with|and|until)"
    r"(?: the)? (left|right|top|bottom)(?: (?:edge|side|row|column|end))?(?: of the board)? "
)


def sides_leaf() -> Builtin:
    """Return how two sides of the board are read."""

    def read(text: str) -> str | None:
        found = _SIDES.fullmatch(text)
        pair = {found[1], found[2]} if found else set()
        return {"left": "sideways", "top": "upright"}.get(
            next((one for one in ("left", "top") if pair == {one, _ACROSS[one]}), "")
        )

    return leaf("two sides", read)


_ACROSS = {"left": "right", "top": "bottom"}

END_SENTENCES = (
    *_bare(CONDITIONS),
    *_owned(OWNED),
    *(P("pred", words, make) for words, make in _ALONE),
    *(P("cond", f"you {words}", make) for words, make in _ALONE),
    *(P("cond", f"a player {words}", make) for words, make in _ALONE),
    *(P("cond", words, make) for words, make in _ABOUT),
    P(
        "whom",
        "you",
        YOU,
        also=("a player", "the player", "one player", "some player", "the player to move"),
    ),
    P("whom", "it", _IT, also=("that player", "this player", "you then")),
    P("whom", "your opponent", OPPONENT, also=("the other", "your opponents")),
    P("whom", "{name:name}", lambda name: name),
    *(P("cond", words, lambda: ()) for words in (*_NOBODY, "it is your turn")),
    *(P("nobody", words, None) for words in _NOBODY),
    P("both", "[if] {parts:cond+} {_:nobody}", _joined),
    P("cond", "{_:nobody_said}", lambda: ()),
    P("nobody", "{_:nobody_said}", None),
    P("both", "[if] {parts:cond+}", _joined),
    P("both", "{parts:pred+}", _joined),
    P(
        "cond",
        "a connected group|chain|path|line of your {_:kinds} touch|connect|link|join|reach {_:own_sides}",
        lambda: (OwnSides(YOU),),
    ),
    P(
        "says",
        "{player:name} own|owns|has|have {sides:sides}",
        lambda player, sides: (SideOwner(player, sides),),
        also=(
            "{player:name} own|owns|has|have {sides:two_sides}",
            "{sides:sides} belong|belongs to {player:name}",
            "{sides:two_sides} belong|belongs to {player:name}",
        ),
    ),
    P("doing", "[by] {parts:pred+}", _joined),
    *(
        pattern
        for result, verb in _RESULTS.items()
        for pattern in (
            P(
                "says",
                f"{{player:whom}} [also] {verb} if {{ways:both/}}",
                _ended,
                {"result": result},
                also=(f"if {{ways:both/}} [then] {{player:whom}} {verb}",),
            ),
            P(
                "says",
                f"{{player:whom}} {verb} by {{ways:doing/}}",
                _ended,
                {"result": result},
                also=(f"{{player:whom}} {verb} by {{ways:doing/}} first",),
            ),
            *(
                P(
                    "says",
                    f"{who} {{ways:doing/}} {verb}",
                    _ended,
                    {"result": result, "player": YOU},
                    also=(f"{who} {{ways:doing/}} first {verb}",),
                )
                for who in _WHO
            ),
            *(
                P(
                    "says",
                    f"if {{ways:both/}} [then] {he} {verb}",
                    _ended,
                    {"result": result, "player": YOU},
                )
                for he in _HE
            ),
            *(
                P(
                    "says",
                    f"{who} with|without {{line:line}} {verb}",
                    lambda line, result: _ended(YOU, result, (_line(YOU, line),)),
                    {"result": result},
                )
                for who in ("the first player", "a player", "the player", "the first")
            ),
            P(
                "says",
                f"the first player with {{piece:any}} on|in {{region:region}} {verb}",
                lambda piece, region, result: _ended(YOU, result, (_reached(YOU, piece, region),)),
                {"result": result},
                also=(f"a player with {{piece:any}} on|in {{region:region}} {verb}",),
            ),
            P(
                "says",
                f"a player with no {{piece:any}} [left] {verb}",
                lambda piece, result: _ended(YOU, result, (_lost(YOU, piece),)),
                {"result": result},
            ),
            P(
                "says",
                f"the last player to move {verb}",
                _last_mover,
                {"result": result},
                also=(
                    f"the last player able to move {verb}",
                    f"whoever moves last {verb}",
                    f"the player who moves last {verb}",
                    f"the player who makes the last move {verb}",
                    f"whoever makes the last move {verb}",
                    f"the last to move {verb}",
                    f"the one who makes the last move {verb}",
                    f"the last player who may move {verb}",
                    f"last player to move {verb}",
                    f"the player make the last move {verb}",
                    f"if you make the last move you {verb}",
                ),
            ),
            *(
                P(
                    "says",
                    f"{{piece:any}} that reach|reaches {{region:region}} {verb}{after}",
                    lambda piece, region, result: _ended(
                        YOU, result, (_reached(YOU, piece, region),)
                    ),
                    {"result": result},
                )
                for after in ("", " the game", " for its owner")
            ),
        )
    ),
    P(
        "own_sides",
        "your two [opposite] sides|edges",
        None,
        also=(
            "the two [opposite] sides|edges of your colour",
            "your sides|edges",
            "your two opposite edges [of] [the] [board]",
            "both [of] your sides|edges",
        ),
    ),
    P(
        "says",
        "{player:whom} try|tries|want|wants|aim|aims to {ways:doing/}",
        _ended,
        {"result": "wins"},
    ),
    P(
        "says",
        "{player:whom} try|tries|want|wants|aim|aims to {ways:doing/} of {board:board}",
        lambda board, **said: (board, *_ended(**said)),
        {"result": "wins"},
    ),
    P(
        "says",
        "[the] two opposite sides [of] [the] [board] belong to {_:name} and the other two [sides] [belong] to {_:name}",
        lambda: (),
    ),
    *(
        P(
            "says",
            f"{goal} {{ways:doing/}}",
            _ended,
            {"result": "wins", "player": YOU},
            also=(f"{goal} {{ways:doing/}} first", f"{goal} {{ways:doing/}} before your opponent"),
        )
        for goal in _GOAL
    ),
    *(
        P(
            "says",
            f"{{line:line}} {verb}",
            lambda line, result: _ended(YOU, result, (_line(YOU, line),)),
            {"result": result},
        )
        for result, verb in _RESULTS.items()
    ),
    *(
        P("says", f"{{ways:doing/}} and you {verb}", _ended, {"result": result, "player": YOU})
        for result, verb in _RESULTS.items()
    ),
    *(
        P("says", f"{who} {_DOES} the last {{_:kind}} {verb}", _last_mover, {"result": result})
        for who in ("the player who", "whoever", "the one who", "the child who", "the person who")
        for result, verb in _RESULTS.items()
    ),
    *(
        P(
            "says",
            f"the last player able to {_DOES} {{_:any}} {verb}",
            _last_mover,
            {"result": result},
            also=(
                f"the last player to {_DOES} {{_:any}} {verb}",
                f"the last player who may {_DOES} {{_:any}} {verb}",
                f"the last person to {_DOES} {{_:any}} {verb}",
            ),
        )
        for result, verb in _RESULTS.items()
    ),
    *(
        P(
            "says",
            f"[so] is a player your opponent {words}",
            lambda: _ended(YOU, "loses", ((m.CannotMove(YOU),),)),
        )
        for words in _STUCK[:8]
    ),
    P(
        "says",
        "{ways:doing/} to win",
        _ended,
        {"result": "wins", "player": YOU},
        also=("to win {ways:doing/}", "get to win by {ways:doing/}"),
    ),
    P(
        "says",
        "if {ways:both/} your opponent wins",
        _ended,
        {"result": "loses", "player": YOU},
        also=("if {ways:both/} the other wins",),
    ),
    P("says", "if {ways:both/} your opponent loses", _ended, {"result": "wins", "player": YOU}),
    *(
        P("says", f"if {{ways:both/}} [then] {draw}", _draw, also=(f"{draw} if {{ways:both/}}",))
        for draw in (
            "the game is [a] draw|drawn",
            "it is a draw",
            "the game end|ends [in] [a] draw|drawn",
            "it ends [in] [a] draw",
            "nobody wins",
            "it counts as a draw",
            "the result is a draw",
            "neither wins",
            "a draw",
            "the match is [a] draw|drawn",
            "there is no winner",
            "the game ends as a draw",
        )
    ),
    P(
        "says",
        "a full board with no such line is a draw",
        lambda: _draw(((m.BoardFull(),),)),
        also=("a full board is a draw",),
    ),
    P("says", "if {ways:both/} the game end|ends and it is a draw", _draw),
    P(
        "says",
        "the game end|ends|finish|finishes|stop|stops if {ways:both/}",
        lambda ways: tuple(m.GameEnds(one) for one in ways),
        also=(
            "the game is over if {ways:both/}",
            "play ends|stops if {ways:both/}",
            "the game goes on until {ways:both/}",
            "the game continue|continues until {ways:both/}",
            "play continues until {ways:both/}",
        ),
    ),
    *(
        P(
            "says",
            f"the game is over|end|ends|finish if {{ways:both/}} [and] [then] that|this|the player {verb}",
            _ended,
            {"player": YOU, "result": result},
            also=(f"the game is over|end|ends|finish if {{ways:both/}} [and] [then] you {verb}",),
        )
        for result, verb in _RESULTS.items()
    ),
    P(
        "more",
        "more",
        "more",
        also=("the most", "most", "the more", "the larger number of", "the greater number of"),
    ),
    P("more", "fewer", "fewer", also=("the fewest", "fewest", "less")),
    P(
        "says",
        "if {ways:both/} whoever has {how:more} {noun:kinds} wins",
        _most,
        also=(
            "if {ways:both/} the player with {how:more} {noun:kinds} wins",
            "if {ways:both/} the player who has {how:more} {noun:kinds} wins",
            "the game ends if {ways:both/} and whoever has {how:more} {noun:kinds} wins",
        ),
    ),
    P(
        "says",
        "whoever has {how:more} {noun:kinds} [on] [the] [board] [at] [the] [end] wins",
        lambda how, noun: (m.Leader(how, noun),),
        also=(
            "the player with {how:more} {noun:kinds} [on] [the] [board] [at] [the] [end] wins",
            "whoever then has {how:more} {noun:kinds} wins",
            "the winner is the player with {how:more} {noun:kinds}",
            "the winner is whoever has {how:more} {noun:kinds}",
            "the player who has {how:more} {noun:kinds} wins",
        ),
    ),
)
