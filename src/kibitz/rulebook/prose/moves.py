"""What players do, as people write it: verbs with pieces, directions, distances and cells in any order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import NotSaid, Pattern
from kibitz.rulebook.model import ANYONE, EACH, OPPONENT, YOU, Whose
from kibitz.rulebook.model import Sentence
from kibitz.rulebook.prose.settlement import Forbidden, JumpsCapture
from kibitz.rulebook.prose.leaves import NO_PIECE, Amount, Distance, Piece, Target, Way

__all__ = ["ACTS", "MOVE_SENTENCES", "directions"]

P = Pattern


@dataclass(frozen=True, slots=True)
class Over:
    """What is jumped over."""

    piece: Whose


@dataclass(frozen=True, slots=True)
class Captures:
    """What is reached or jumped over is captured."""


@dataclass(frozen=True, slots=True)
class Like:
    """As a man of chess does."""

    man: str


@dataclass(frozen=True, slots=True)
class IfEmpty:
    """The cell must be empty."""


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


def _given(moves: tuple[Any, ...]) -> Given:
    """Take moves of the table; *one step* is no piece."""
    if any(getattr(move, "kind", "") in NO_PIECE for move in moves):
        raise NotSaid
    return Given(moves)


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
    if found[:2] == ["diagonally forward", "backward"]:
        found[:2] = ["diagonally"]
    if "any" in found:
        return ("straight",) if found[-1] == "straight" else ("in any direction",)
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
    kind = (act.piece or piece or Piece("piece")).kind
    if act.verb == "pass":
        return (m.Pass(),)
    if act.verb in ("put", "drop"):
        return (_placed(act, kind),)
    if act.verb == "capture" and not isinstance(act.one(Over), Over):
        # A capture is a step onto the enemy.
        kind = (piece or Piece("piece")).kind
        return (m.Step(kind, _ways(act), "capture"),)
    over = act.one(Over)
    is_step = act.verb == "jump" and over is None and act.one(Distance) == Distance(1, 1)
    if over is not None or (act.verb == "jump" and not is_step):
        if act.verb == "capture":
            kind = (piece or Piece("piece")).kind
        whose = over.piece if over is not None else Whose(ANYONE, "piece")
        captures = act.one(Captures) is not None or act.verb == "capture"
        return (m.Jump(kind, _ways(act), whose, captures),)
    return _gone(act, kind)


def _placed(act: Act, kind: str) -> Any:
    target = act.one(Target) or Target("empty")
    if act.one(Column) is not None:
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
    if act.one(Captures) is not None:
        holds = "capture" if holds == "capture" else "either"
    like, distance = act.one(Like), act.one(Distance) or Distance(1, 1)
    ways = _ways(act)
    if like is None and not ways and kind in _MEN and act.one(Distance) is None:
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


@dataclass(frozen=True, slots=True)
class Column:
    """Into a column, from above."""


def _over(it: Any) -> Over:
    if isinstance(it, Whose):
        return Over(it)
    return Over(Whose(YOU if it.owner == YOU else ANYONE, it.kind))


def _over_it(verb: str, foe: Whose, how: tuple[Any, ...]) -> Act:
    return Act(verb, None, (Over(foe), *how))


def _near(piece: Any, is_near: bool) -> m.Near:
    if isinstance(piece, Piece):
        piece = Whose(YOU if piece.owner == YOU else ANYONE, piece.kind)
    return m.Near(piece, is_near)


_DOMINO = {
    "upright": ("upright", "vertically", "one above the other", "that are one above the other"),
    "flat": ("side-by-side", "horizontally", "that are side-by-side"),
    "any": (
        "next to each other",
        "that are next to each other",
        "that is next to each other",
        "adjacent",
        "with no gap [in] [between]",
    ),
    "": (
        "on two empty cells",
        "so that it stands",
        "so that it lies",
        "on two empty adjacent cells",
        "on two adjacent empty cells",
        "on any two adjacent empty cells",
        "that share a edge",
        "on two empty cells that share a edge",
        "so that it cover|covers two empty cells",
        "on any two empty cells",
        "that are",
    ),
}


def _domino(how: tuple[str, ...]) -> Given:
    way = next((one for one in how if one), "any")
    return Given((m.Domino(way),))


_MEN = ("king", "queen", "rook", "bishop", "knight")
_COLUMN = (
    "into|in|down a|one|any|the column",
    "into|in|down a|one|any column that is not full",
    "into|in a|any column with a empty cell",
    "into it",
    "to the lowest empty cell of a|the|any|that column",
    "to the lowest empty cell in a|the|any|that column",
)
_NEXT = ("next to", "adjacent to", "beside", "that is next to", "that is adjacent to", "touch")
_NOT_NEXT = (
    "not next to", "not adjacent to", "that is not next to", "that is not adjacent to",
    "that cannot touch", "orthogonally not next to", "that is next to no", "next to no",
)  # fmt: skip

ACTS = (
    P("how", "{it:way}", lambda it: it),
    P("how", "{it:distance}", lambda it: it),
    P("how", "{it:to}", lambda it: it),
    P("how", "over {it:foe}", _over, also=("over a adjacent {it:foe}", "over adjacent {it:foe}")),
    P(
        "how",
        "over {it:any}",
        _over,
        also=("over a adjacent {it:any}", "over any adjacent {it:any}"),
    ),
    P("how", "over|through|across empty cells", Distance(1, 0)),
    P("how", "from {region:region}", From),
    P("how", "on {region:region}", From, also=("in {region:region}", "at {region:region}")),
    P(
        "how",
        "like a {man:man}",
        Like,
        also=(
            "like a chess {man:man}",
            "as a {man:man}",
            "like a {man:man} in chess",
            "as a {man:man} in chess",
            "as a {man:man} do in chess",
            "like the {man:man} in chess",
            "in the way of a {man:man}",
            "follow the {man:man} 's move",
            "with a {man:man} 's move",
            "by a {man:man} 's move",
            "a {man:man} 's move [away]",
        ),
    ),
    *(P("man", man, man) for man in _MEN),
    P(
        "how",
        "and capture it",
        Captures,
        also=(
            "to capture it",
            "capture it",
            "which is captured",
            "which capture it",
            "that is captured",
            "and remove it",
            "and remove it from the board",
            "which is removed",
            "which is then removed",
            "which is removed from the board",
            "and take it",
            "to take it",
            "and capture them",
            "capture {_:foe} there",
            "capture {_:foe} that is there",
            "capture {_:foe} you land on",
            "capture whatever is there",
            "or capture {_:foe} there",
            "to capture {_:foe}",
            "or to capture {_:foe}",
            "to take {_:foe}",
        ),
    ),
    P(
        "how",
        "if it is empty",
        IfEmpty,
        also=(
            "if that cell is empty",
            "if the cell is empty",
            "if this cell is empty",
            "if the cell in front [of] [it] is empty",
            "if the cell behind|after|beyond [it] is empty",
            "if the cell there is empty",
            "without jump [over] [other] [pieces]",
            "which must be empty",
            "that must be empty",
            "that is empty",
            "which is empty",
        ),
    ),
    P(
        "how",
        "on your turn",
        IfEmpty,
        also=("in a straight line", "in a line", "in straight line", "in turn", "as in chess"),
    ),
    P("how", "[and] land {it:to}", lambda it: it),
    P("how", "of|on the board", IfEmpty),
    P("how", "that share a edge", IfEmpty),
    P("how", "by move|land|step {it:to}", lambda it: it, also=("but {it:to}",)),
    P(
        "how",
        "but [only] {it:way}",
        lambda it: it,
        also=(
            "only {it:way}",
            "or {it:way}",
            "that is {it:way}",
            "that stands {it:way}",
            "standing {it:way}",
            "only if move {it:way}",
        ),
    ),
    P("how", "that|which is|stands {it:distance}", lambda it: it, also=("standing {it:distance}",)),
    P("how", "but only {it:to}", lambda it: it),
    P(
        "how",
        "{_:way} in front [of] [it]",
        Way(("diagonally forward",)),
        also=("that is diagonally in front [of] [it]", "standing diagonally in front [of] [it]"),
    ),
    P("how", "of|on {board:board}", Within),
    P(
        "how",
        "to a|any [empty] cell where|that it|you has|have not been|visited [before|yet]",
        Fresh,
        also=(
            "to a|any cell it|you has|have not visited [before|yet]",
            "to a|any cell where it|you has|have never been",
        ),
    ),
    *(P("how", f"{words} {{piece:foe}}", _near, {"is_near": True}) for words in _NEXT),
    *(P("how", f"{words} {{piece:any}}", _near, {"is_near": True}) for words in _NEXT),
    *(P("how", f"{words} {{piece:foe}}", _near, {"is_near": False}) for words in _NOT_NEXT),
    *(P("how", f"{words} {{piece:any}}", _near, {"is_near": False}) for words in _NOT_NEXT),
    *(P("how", words, Column) for words in _COLUMN),
    P(
        "act",
        "move|step|go|goes|walk|advance|travel|shift|push|enter {how:how*}",
        Act,
        {"verb": "move"},
        also=(
            "move|step|go|goes|walk|advance|travel|shift|push|enter {piece:any} {how:how*}",
            "make one step {how:how*}",
        ),
    ),
    P(
        "act",
        "slide|glide|run {how:how*}",
        Act,
        {"verb": "slide"},
        also=("slide|glide|run {piece:any} {how:how*}",),
    ),
    P(
        "act",
        "jump {how:how*}",
        Act,
        {"verb": "jump"},
        also=("jump with {piece:any} {how:how*}",),
    ),
    P(
        "act",
        "capture|take|eat|kill {how:how*}",
        Act,
        {"verb": "capture"},
        also=(
            "capture|take|eat|kill {_:foe} {how:how*}",
            "capture|take|eat|kill {_:foe} by move {how:how*}",
            "capture|take|eat|kill {_:foe} by land {how:how*}",
            "capture|take|eat|kill by move {how:how*}",
        ),
    ),
    P(
        "act",
        "capture|take|eat|kill {foe:foe} by jump over it {how:how*}",
        _over_it,
        {"verb": "capture"},
        also=(
            "capture|take|eat|kill {foe:foe} by jump over them {how:how*}",
            "capture|take|eat|kill {foe:foe} by jump {how:how*} over it",
            ("capture by jump over {foe:foe} {how:how*}", {"verb": "capture"}),
            ("capture by jump over a adjacent {foe:foe} {how:how*}", {"verb": "capture"}),
            ("capture {foe:foe} by jump over it {how:how*}", {"verb": "capture"}),
        ),
    ),
    P("act", "{far:distance} {how:how*}", lambda far, how: Act("move", None, (far, *how))),
    P(
        "act",
        "choose a column [that] [is] [not] [full] and drop {piece:any} into|in it",
        Act,
        {"verb": "drop", "how": (Column(),)},
    ),
    P(
        "act",
        "place|put|write|draw {one:any} or {other:any} {how:how*}",
        lambda one, other, how: Either((Act("put", one, how), Act("put", other, how))),
        also=("place|put|write|draw {one:any} or {other:any} whichever you like {how:how*}",),
    ),
    P(
        "act",
        "place|put|lay|add|set|play|position {piece:any} {how:how*}",
        Act,
        {"verb": "put"},
        also=(
            ("mark|occupy|claim|fill|take|colour|choose {how:free}", {"piece": None}),
            ("mark|occupy|claim|fill {how:free} with {piece:any}", {}),
            ("write|draw {piece:any} {how:how*}", {}),
            ("block {how:free} by put {piece:any} on it", {}),
            ("place|put {piece:any} so that it stands {how:how*}", {}),
        ),
    ),
    P("act", "put|place it {how:how*}", Act, {"verb": "put", "piece": None}),
    P("act", "drop {piece:any} {how:how*}", Act, {"verb": "drop"}),
    P("act", "place|put|lay a domino {how:domino*}", _domino),
    P(
        "act",
        "remove|take one {kind:kind} or two {_:kinds} {how:domino*}",
        lambda kind, how: Given((m.Remove(Whose(ANYONE, kind)), m.RemovePair(kind))),
        also=(
            "remove|take one or two {how:domino*} {kind:kinds}",
            "remove|take one or two {kind:kinds} {how:domino*}",
        ),
    ),
    *(P("domino", words, way) for way, several in _DOMINO.items() for words in several),
    P(
        "act",
        "choose a|one|any pile and remove|take {amount:amount} [{_:kinds}] from it",
        TakeAway,
    ),
    P(
        "act",
        "block {how:free}",
        lambda how, verb: Act(verb, Piece("wall"), how),
        {"verb": "put"},
    ),
    P("free", "a|the|any|one empty cell {how:how*}", lambda how: (Target("empty"), *how)),
    P(
        "act",
        "remove|take|draw {amount:amount} {_:kinds}",
        TakeAway,
        also=tuple(
            f"remove|take|draw {{amount:amount}} {{_:kinds}} {where}"
            for where in (
                "from a|the|any|one pile",
                "from any one pile",
                "from it",
                "from the table",
                "from the board",
                "from any pile you like",
                "from one of the pile",
                "from any of the pile",
            )
        ),
    ),
    P("act", "remove|take|draw {amount:amount} of them", TakeAway),
    P(
        "act",
        "remove|take|draw {amount:amount} {_:kinds} from the {pile:ordinal} pile",
        TakeAway,
        also=("remove|take|draw {amount:amount} from the {pile:ordinal} pile",),
    ),
    P("act", "remove|take {amount:amount} from a|the|any|one pile", TakeAway),
    P(
        "act",
        "remove|take the same number [of counter] from both|each|every|all [the] [of] [the] [two] pile",
        TakeAway,
        {"amount": Amount(1, 0), "from_each": True},
    ),
    P(
        "act",
        "pass",
        Act,
        {"verb": "pass", "piece": None, "how": ()},
        also=("do nothing", "skip your turn", "skip a turn"),
    ),
    P("act", "{moves:move/}", _given),
)


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a player, or a piece of a player."""

    player: str
    piece: Piece | None = None


def _actor(piece: Piece) -> Actor:
    is_named = piece.owner not in (None, YOU)
    return Actor(piece.owner or YOU, piece) if is_named else Actor(YOU, piece)


def _acting(who: Actor, acts: tuple[Any, ...]) -> tuple[m.Sentence, ...]:
    if any(isinstance(act, Act) and act.verb == "pass" for act in acts) and len(acts) == 1:
        return (m.MoveRule(who.player, None, (m.Pass(),)),)
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
        if _is_by_replacement(act):
            found.append(m.MoveCaptures(((piece or Piece("piece")).kind,)))
            continue
        owner = piece.owner if piece else None
        player = owner if owner not in (None, YOU) else who.player
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
    """Read what somebody is told to do; what is put on given cells belongs to the start."""
    if any(isinstance(act, Act) and act.verb == "put" and act.one(From) for act in acts):
        raise NotSaid
    return _acting(_YOU, acts)


def _is_vague(act: Any) -> bool:
    """Return whether an act says that something moves, and not where to."""
    if not isinstance(act, Act) or act.verb != "move":
        return False
    return not [one for one in act.how if not isinstance(one, Within | IfEmpty)] and (
        act.piece is None or act.piece.kind not in _MEN
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
    first = tuple(move for act in acts for move in moves_of(act, who.piece))
    second = tuple(move for act in then for move in moves_of(act, who.piece))
    return (m.MoveRule(who.player, None, first, second),)


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
_TURN = (
    "on your turn",
    "on|in|at|with each turn",
    "on|in|at every turn",
    "on|in|at a turn",
    "each turn",
    "every turn",
    "in turn",
    "in your turn",
    "when it is your turn",
    "if it is your turn",
    "on a player 's turn",
    "at your turn",
)
_PERSON = (
    "you", "a child", "the person", "one", "the player to move has {_:count} options", "a player", "the player", "each player", "every player", "players", "the players",
    "both players", "two players", "one player", "the player to move", "the two players",
    "the player whose turn-it-is", "a child", "player", "both sides", "each side", "each person",
)  # fmt: skip
_MODAL = "[may|must|will|has] [only] [to]"
_BEFORE = (
    "a move is to", "a turn is to", "a move consists of", "a turn consists of", "your move is to",
    "players take turns to", "the players take turns to", "players take turns", "take turns",
    "the players take turns", "you take turns", "players take it in turns to", "you take it in turns to",
    "players alternately", "the players alternately", "two players alternately", "two players take turns",
    "two players take turns to", "they take turns", "players alternate", "the two players take turns", "each player in turn",
    "in turn each player", "a move is", "a turn is", "each in turn", "in turn each", "the players then alternate in", "players alternate in", "players alternate turns",
    "the players alternate turns", "then alternate in", "each turn", "every turn", "you take turns to", "the players take it in turns to", "beginning with {begins:name} the players take turns",
)  # fmt: skip

MOVE_SENTENCES = (
    *(P("actor", words, _YOU) for words in _TURN),
    *(P("actor", words, _YOU) for words in _PERSON),
    *(P("actor", words, _YOU) for words in _BEFORE if "{" not in words),
    *(P("actor", f"{turn} {who}", _YOU) for turn in _TURN for who in _PERSON),
    *(P("actor", f"{who} {turn}", _YOU) for turn in _TURN[:7] for who in _PERSON if "{" not in who),
    P("actor", "on {player:name} 's turn", Actor),
    P(
        "actor",
        "{player:name}",
        Actor,
        also=("on your turn {player:name}", "each turn {player:name}"),
    ),
    P("actor", "{piece:any}", _actor, also=("on your turn {piece:any}",)),
    P("says", f"{{who:actor}} {_MODAL} {{acts:act&}}", _acting),
    P("says", "{acts:act&}", _told),
    P(
        "says",
        "{begins:name} move|moves|go|goes|play|plays first {how:how*}",
        lambda begins, how: (m.Begins(begins), *_acting(Actor(begins), (Act("move", None, how),))),
    ),
    P(
        "says",
        "if there is {_:foe} on|in that|the|this cell [then] it is captured|removed|taken",
        lambda: (m.MoveCaptures(("piece",)),),
        also=(
            "if that|the|this cell is occupied by {_:foe} it is captured|removed|taken",
            "if there is {_:foe} there [then] it is captured|removed|taken",
            "the|a|your [opponent] ['s] [enemy] {_:kind} is then captured",
        ),
    ),
    P(
        "says",
        "{who:actor} cannot|never {acts:act&}",
        _forbidden,
        also=(
            ("cannot {acts:act&}", {"who": _YOU}),
            ("it is forbidden to {acts:act&}", {"who": _YOU}),
            ("it is not allowed to {acts:act&}", {"who": _YOU}),
        ),
    ),
    P(
        "says",
        "{piece:any} cannot be placed|put {how:how*}",
        _not_placed,
        also=("{piece:any} never be placed|put {how:how*}",),
    ),
    P("says", "{who:actor} remove|take {_:kinds}", lambda who: ()),
    P(
        "says",
        "{piece:any} may|must|is [only] [be] moved|advanced|pushed {how:how*}",
        lambda piece, how: _acting(_actor(piece), (Act("move", None, how),)),
    ),
    P(
        "says",
        "{piece:any} may|must|is [only] [be] placed|put {how:how*}",
        lambda piece, how: _acting(_YOU, (Act("put", piece, how),)),
    ),
    P("says", "a {_:kind} leave|leaves a {_:kind} trail", lambda: (m.Trail("wall"),)),
    P(
        "says",
        "[every|each] [the] cell [that] it|you|has|have|a|the [{_:kind}] has|have left|leaves|left is blocked|removed|closed [for] [both] [{_:kinds}]",
        lambda: (m.Trail("wall"),),
    ),
    P(
        "says",
        "[in|on] [each|every|a] [round|turn] {_:people} choose {choices:word/} at the same time",
        lambda choices: (m.Simultaneous(), m.MoveRule(YOU, None, (m.Choose(tuple(choices)),))),
        also=(
            "at the same time {_:people} choose {choices:word/}",
            "[in|on] [each|every|a] [round|turn] {_:people} at the same time choose {choices:word/}",
        ),
    ),
    P(
        "people",
        "both players",
        None,
        also=(
            "the players",
            "players",
            "all players",
            "each player",
            "you both",
            "both",
            "both of you",
            "the two players",
        ),
    ),
    P(
        "says",
        "the winner of the|a|each round score|get {count:number} points",
        lambda count: (m.Score(count, "point"),),
        also=("whoever win|wins the|a|each round score|get {count:number} points",),
    ),
    P(
        "says",
        "if you cannot [move|do] [so|this|that] you [must] pass",
        lambda: (m.PassIfStuck(),),
        also=(
            "if you cannot [move|do] [so|this|that] you [must] skip your turn",
            "if you cannot [move] your turn is skipped",
            "you pass if you cannot [move]",
        ),
    ),
    *(
        P(
            "says",
            f"{{_:actor}} cannot land|move|go|jump|step|be {to} a cell {where}",
            lambda: (m.Trail("wall"),),
        )
        for to in ("on|onto|to|into", "to|on|onto")
        for where in (
            "where it|you|the has|have been [before]",
            "[that] it|you has|have visited [before]",
            "[that] it has been on [before]",
            "that has been visited [before]",
            "where it has been already",
            "twice",
        )
    ),
    P(
        "says",
        "and that include|includes the {_:kind} where it started",
        lambda: (),
        also=("that include|includes the {_:kind} where it started",),
    ),
    *(
        P("says", words, lambda: (JumpsCapture(),))
        for words in (
            "a|the|any|each jumped {_:kind} is captured|removed|taken [off|from] [the] [board]",
            "jumped {_:kinds} is captured|removed|taken [off|from] [the] [board]",
            "a|the|any {_:kind} that is|was jumped [over] is captured|removed|taken [off|from] [the] [board]",
            "the {_:kind} you jump over is captured|removed|taken [off|from] [the] [board]",
            "enemy {_:kinds} that is jumped [over] is captured|removed|taken [off|from] [the] [board]",
        )
    ),
    P(
        "says",
        "if you move|land {to:to} [then] [that|the|it|your] [opponent] ['s] {_:kind} is captured|removed|taken",
        _onto,
        also=(
            "if you move|land {to:to} it is captured|removed|taken",
            "if you move|land {to:to} you capture|take|remove it",
            "if you move|land {to:to} that {_:kind} is captured and taken|removed off|from [the] [board]",
            "in the latter case [the] [enemy] {_:kind} is captured [and] [removed] [from] [the] [board]",
        ),
    ),
    *(
        P("says", words, _trail)
        for words in (
            "the cell [that] {_:actor} left|leave is [then] removed|blocked|gone|burned [from] [the] [board]",
            "the cell it left|leave is [then] removed|blocked|gone|burned [from] [the] [board]",
        )
    ),
    P(
        "says",
        "{begins:name} first {_:actor} {acts:act&}",
        lambda begins, acts: (m.Begins(begins), *_acting(_YOU, acts)),
        also=("begin|start|beginning with {begins:name} {_:actor} {acts:act&}",),
    ),
    P(
        "says",
        f"{{who:actor}} {_MODAL} [first] {{acts:act&}} [and] then {{then:act&}}",
        _acting_twice,
    ),
)
