"""Patterns of what somebody does: verbs with pieces, directions and cells in any order."""

from __future__ import annotations

from typing import Any

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import NotSaid
from kibitz.rulebook.model import ANYONE, YOU, Whose
from kibitz.rulebook.prose.acts import (
    MEN,
    Act,
    Captures,
    Column,
    Either,
    Fresh,
    From,
    Given,
    IfEmpty,
    Like,
    Obvious,
    Over,
    TakeAway,
    Within,
)
from kibitz.rulebook.prose.leaves import NO_PIECE, Amount, Distance, Piece, Target, Way
from kibitz.rulebook.prose.tables import same, table


def _over(it: Any) -> Over:
    return Over(_whose(it))


def _whose(piece: Any) -> Whose:
    if isinstance(piece, Whose):
        return piece
    if piece.owner not in (None, YOU):
        raise NotSaid  # a piece of a player with a name is nobody's in particular
    if piece.is_all or piece.count not in (None, 1):
        raise NotSaid  # a piece is next to one, or jumps over one
    return Whose(YOU if piece.owner == YOU else ANYONE, piece.kind)


def _over_it(verb: str, foe: Whose, how: tuple[Any, ...]) -> Act:
    return Act(verb, None, (Over(foe), *how))


def _near(piece: Any, is_near: bool) -> m.Near:
    return m.Near(_whose(piece), is_near)


def _given(moves: tuple[Any, ...]) -> Given:
    """Take moves of the table; *one step* is no piece."""
    if any(getattr(move, "kind", "") in NO_PIECE for move in moves):
        raise NotSaid
    return Given(moves)


def _moved(far: Distance, how: tuple[Any, ...]) -> Act:
    return Act("move", None, (far, *how))


def _one_of_two(one: Piece, other: Piece, how: tuple[Any, ...]) -> Either:
    return Either((Act("put", one, how), Act("put", other, how)))


def _domino(how: tuple[str, ...]) -> Given:
    ways = {one for one in how if one} or {"any"}
    if len(ways) > 1:
        raise NotSaid
    return Given((m.Domino(ways.pop()),))


def _turned_domino(how: tuple[str, ...]) -> Given:
    if not any(how):
        raise NotSaid  # it could be any piece
    return _domino(how)


def _unmarked(how: tuple[Any, ...]) -> Act:
    return Act("put", None, _free(how))


def _one_or_two(kind: str, how: tuple[str, ...]) -> Given:
    if not any(how) or set(how) - {"any", "", "flat"}:
        raise NotSaid
    return Given((m.Remove(Whose(ANYONE, kind)), m.RemovePair(kind)))


def _blocked(how: tuple[Any, ...]) -> Act:
    return Act("put", Piece("wall"), how)


def _free(how: tuple[Any, ...]) -> tuple[Any, ...]:
    return (Target("empty"), *how)


_NEXT = "next|adjacent to|beside"
HOW = (
    *table(
        "how",
        same,
        """
        {it:way}
        {it:distance}
        {it:to}
        [and] land|landing {it:to}
        by move|land|step {it:to}
        but [only] {it:to}
        but|only {it:way}
        but only {it:way}
        [that|which] is|stands|standing {it:way}
        only if move {it:way}
        [that|which] is|stands|standing {it:distance}
        """,
    ),
    *table(
        "how",
        _over,
        """
        over {it:foe}
        over [a|any] adjacent {it:foe}
        over {it:any}
        over [a|any] adjacent {it:any}
        """,
    ),
    *table("how", Distance(1, 0), "over|through|across empty cells"),
    *table("how", From, "from|on|in|at {region:region}"),
    *(pattern for man in MEN for pattern in table("man", man, man)),
    *table(
        "how",
        Like,
        """
        like|as a|the [chess] {man:man} [do] [in] [chess]
        in the way of a {man:man}
        follow the {man:man} 's move
        with|by a {man:man} 's move
        a {man:man} 's move [away]
        """,
    ),
    *table(
        "how",
        Captures(),
        """
        [and|to] capture|take|remove it|them [from] [the] [board]
        and takes|take it|them off the board
        which|that is [then] captured|removed|taken [from|off] [the] [board]
        which capture it
        to capture|take {_:foe}
        """,
    ),
    *table(
        "how",
        Captures(is_choice=True),
        """
        [or] capture {_:foe} there
        capture {_:foe} that is there
        capture {_:foe} you land on
        capture whatever is there
        or to capture|take {_:foe}
        """,
    ),
    *table(
        "how",
        IfEmpty(),
        """
        if it is empty
        if that|the|this cell [there] is empty
        if the cell in front [of] [it] is empty
        if the cell behind|after|beyond [it] is empty
        which|that must be empty
        which|that is empty
        """,
    ),
    *table(
        "how",
        Obvious(),
        """
        [one] on your turn
        in turn
        one at a time
        if the|its path|way is clear|empty
        from the board
        in a [straight] line
        in straight line
        as in chess
        of|on the board
        that share a edge
        without jump [over] [other] [pieces]
        """,
    ),
    *table(
        "how",
        Way(("diagonally forward",)),
        "[that|which] [is|standing] diagonally in front [of] [it]",
    ),
    *table("how", Within, "of|on|in|into {board:board}"),
    *table(
        "how",
        Fresh(),
        """
        to a|any [empty] cell [where|that] it|you has|have not been|visited [before|yet]
        to a|any [empty] cell where it|you has|have never been
        """,
    ),
    *(
        pattern
        for who in ("foe", "any")
        for pattern in (
            *table(
                "how",
                _near,
                f"""
                [that] [is] {_NEXT} {{piece:{who}}}
                touch|touching {{piece:{who}}}
                """,
                is_near=True,
            ),
            *table(
                "how",
                _near,
                f"""
                [that] [is] [orthogonally] not {_NEXT} {{piece:{who}}}
                that cannot touch {{piece:{who}}}
                [that] [is] {_NEXT} no {{piece:{who}}}
                but never|not {_NEXT} {{piece:{who}}}
                """,
                is_near=False,
            ),
        )
    ),
    *table(
        "how",
        Column(),
        """
        into|in|down a|one|any|the column
        into|in|down a|one|any|the column that is not full
        into|in|down a|one|any column with a empty cell
        into it
        to the lowest empty cell of|in a|the|any|that column
        """,
    ),
)

_GO = "move|step|go|goes|walk|advance|travel|shift|push|enter"
_CAPTURE = "capture|take|eat|kill"
_PILE = (
    "from a|the|any|one pile",
    "from any one pile",
    "from one|a|any|the [same|single] row",
    "from the same pile",
    "if you all come from the same|one pile",
    "from it",
    "from the table",
    "from the board",
    "from any pile you like",
    "from one|any of the [two|three|four|five] pile",
)

ACTS = (
    *table(
        "act",
        Act,
        f"""
        {_GO} {{how:how*}}
        {_GO} {{piece:any}} {{how:how*}}
        make one step {{how:how*}}
        """,
        verb="move",
    ),
    *table("act", _moved, "{far:distance} {how:how*}"),
    *table(
        "act",
        Act,
        """
        slide|glide|run {how:how*}
        slide|glide|run {piece:any} {how:how*}
        """,
        verb="slide",
    ),
    *table(
        "act",
        Act,
        """
        jump {how:how*}
        jump with {piece:any} {how:how*}
        """,
        verb="jump",
    ),
    *table(
        "act",
        Act,
        f"""
        {_CAPTURE} {{how:how*}}
        {_CAPTURE} {{_:foe}} {{how:how*}}
        {_CAPTURE} [{{_:foe}}] by move|land|step {{how:how*}}
        """,
        verb="capture",
    ),
    *table("act", Act("capture", None, ()), f"{_CAPTURE} each other"),
    *table(
        "act",
        _over_it,
        f"""
        {_CAPTURE} {{foe:foe}} by jump over it|them {{how:how*}}
        {_CAPTURE} {{foe:foe}} by jump {{how:how*}} over it|them
        {_CAPTURE} by jump over {{foe:foe}} {{how:how*}}
        {_CAPTURE} by jump over a adjacent {{foe:foe}} {{how:how*}}
        """,
        verb="capture",
    ),
    *table(
        "act",
        Act,
        "choose a column [that] [is] [not] [full] and drop {piece:any} into|in it",
        verb="drop",
        how=(Column(),),
    ),
    *table("act", Act, "drop {piece:any} {how:how*}", verb="drop"),
    *table(
        "act",
        _one_of_two,
        "place|put|write|draw {one:any} or {other:any} [whichever] [you] [like] {how:how*}",
    ),
    *table(
        "act",
        Act,
        """
        place|put|lay|add|set|play|position|write|draw {piece:any} {how:how*}
        mark|occupy|claim|fill|take|colour|choose {how:free}
        mark|occupy|claim|fill {how:free} with {piece:any}
        block {how:free} by put|place {piece:any} on it
        place|put {piece:any} so that it stands {how:how*}
        put|place it {how:how*}
        """,
        verb="put",
    ),
    *table("act", _blocked, "block|remove|destroy {how:free}"),
    *table("free", _free, "[a|the|any|one] empty cell {how:how*}"),
    *table("act", _unmarked, "mark|fill the cells {how:how*}"),
    *table("act", _domino, "place|put|lay [a] domino {how:domino*} [only]"),
    *table("act", _turned_domino, "place|put|lay it|them {how:domino*} [only]"),
    *table(
        "act",
        _one_or_two,
        """
        remove|take one {kind:kind} or two {_:kinds} {how:domino*}
        remove|take one {kind:kind} or two {how:domino*} {_:kinds}
        remove|take one or two {how:domino*} {kind:kinds}
        remove|take one or two {kind:kinds} {how:domino*}
        """,
    ),
    *table(
        "domino",
        "upright",
        """
        upright
        vertically
        [that] [are] one above the other
        """,
    ),
    *table(
        "domino",
        "flat",
        """
        [that] [are] side-by-side
        horizontally
        """,
    ),
    *table(
        "domino",
        "any",
        """
        [that] [is] next to each other
        adjacent
        with no gap [in] [between]
        horizontally or vertically
        vertically or horizontally
        """,
    ),
    *table(
        "domino",
        "",
        """
        on [any] two empty [adjacent] cells
        on [any] two adjacent empty cells
        so that it stands|lies|lie
        so that it cover|covers two empty cells
        that share a edge
        that are
        """,
    ),
    *table(
        "act",
        TakeAway,
        "choose a|one|any pile and remove|take {amount:amount} [{_:kinds}] from it",
    ),
    *table(
        "act",
        TakeAway,
        "\n".join(
            f"remove|take|draw {{amount:amount}} {what} {where}"
            for what in ("{_:kinds}", "")
            for where in ("", *_PILE)
            if what or where
        ),
    ),
    *table(
        "act",
        TakeAway,
        """
        remove|take|draw {amount:amount} of them
        remove|take|draw {amount:amount} [{_:kinds}] from the {pile:ordinal} pile
        """,
    ),
    *table(
        "act",
        TakeAway,
        "[remove|take] the same number [of {_:kinds}] from both|each|all [the|of] [the|two] pile",
        amount=Amount(1, 0),
        from_each=True,
    ),
    *table(
        "act",
        Act("pass", None, ()),
        """
        pass
        do nothing
        skip a|your turn
        """,
    ),
    *table("act", _given, "{moves:move/}"),
    *table("acted", same, "[may|must] {it:act}"),
)
