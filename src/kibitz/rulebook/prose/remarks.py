"""A clause that is no rule in, why it may be passed over out: it repeats what the rules say anyway.

What every board game has (*players take turns*) is passed over in silence. Whatever else is no
rule is reported, and what it denies must be absent from the rules: *there are no captures*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import Token, number_of
from kibitz.rulebook.model import Sentence
from kibitz.rulebook.prose.tables import word_set
from kibitz.rulebook.prose.words import VERBS


@dataclass(frozen=True, slots=True)
class Remark(Sentence):
    """A clause that is no rule: what the rules must not have, and whether it is worth a report."""

    denies: str = ""
    is_reported: bool = True


_PEOPLE = (
    r"(?:(?:the |both |all )?(?:two |2 |three |3 )?"
    r"(?:player|child|children|people|person|side|you) (?:then )?)?"
)
_PIECE = r"(?:the |a |all |any |all the )?(?:\w+ )?\w+"

_OCCUPIED = r"(?:a cell (?:occupied by|with) )?"
_IN_COLUMN = r"(?: (?:in|of) (?:that|the) column)?"
_PLACED = r"(?:that|placed|it is placed|you are placed)"

_SILENT = rf"""
    (?:then )?{_PEOPLE}take (?:it in )?turn(?: move| play)?
    (?:then )?{_PEOPLE}alternate(?: turn| move)?
    (?:then )?{_PEOPLE}(?:move|play) (?:alternately|in turn|by turn)
    (?:then )?{_PEOPLE}(?:go in turn|move in that order|take turn to move)
    turn alternate
    my \w+ and you take turn
    and so on(?: in turn)?
    in that order
    on your turn
    one on your turn
    (?:at-start )?(?:the board|it) (?:start|begin|is)(?: out)? empty(?: at-start)?
    all empty(?: at-start)?
    (?:and )?(?:the )?(?:other|others|other two|your opponent)(?: player)? (?:win|lose)s?
    in (?:that|this) case|otherwise|in other word
    (?:this|that) is all
    then \w+(?: then \w+)*|and round again|then the next player
"""

_REPORTED = rf"""
    {_PIECE} is never moved
    (?:only )?one jump (?:is allowed|may be made)(?: on your turn)?
    (?:only )?one \w+ (?:is|may be) captured(?: on your turn| in a turn)?
    {_PIECE} (?:fall|drop|slide)s? (?:down )?to the lowest (?:empty )?cell{_IN_COLUMN}
    at least one \w+ must be (?:removed|taken)
    at least one(?: and up to the (?:whole |entire )?\w+)?
    (?:only )?(?:one|a) \w+ may be on (?:a|one|each) cell
    two \w+ cannot be on the same cell
    \w+ cannot overlap
    {_PIECE} (?:never|cannot) move (?:again|(?:if|after) {_PLACED})
    nobody may (?:use|enter|go to) it(?: again)?
    \w+ cannot (?:move|land|jump|go) (?:to|onto|on) {_OCCUPIED}your own \w+
    (?:piece|men|man|they|you)s? (?:only )?move (?:only )?to empty cell
    you must move if you (?:can|may)
    equal \w+ is a draw|\w+ each is a draw|if (?:the |your )?\w+ is equal (?:it|the game) is a draw
    (?:if (?:both|you both) choose the same )?nobody score
    {_PIECE} (?:stay|remain)(?: there| where it is| on the board)*
    {_PIECE} fall (?:straight )?down and occupy the lowest empty cell of (?:its|that|the) column
    it (?:make|do) no difference (?:who|whose|which|what|how)(?: \w+){{1,6}}
    it cannot matter (?:who|whose|which|what|how)(?: \w+){{1,6}}
    (?:diagonal|order|colour) cannot matter
    no \w+ may move onto (?:them|it)
    you cannot (?:take|remove) more \w+ than there is
    all (?:the )?cell is used|all (?:the |of the )?\w+ is the same colour
    (?:the )?(?:\w+ )?(?:row|cell|column)s? (?:is|are) (?:left )?empty
    two cell in one direction and one cell to the side
    corner cell count as belong to both(?: \w+){{1,5}}
    there is no (?:en passant|castling|check|checkmate|check or checkmate)
    (?:a |the |all |any )?captured \w+ is (?:removed|taken off)(?: from the board)?
"""

_DENIED = {
    "capture": r"""
        (?:there is )?no capture(?: is)?(?: allowed| possible)?
        nobody capture
        capture is (?:not|never) (?:allowed|permitted|possible)
        (?:the )?\w+ is (?:never|not) (?:moved or )?(?:removed|captured|taken)(?: from the board)?
        (?:the )?\w+ is (?:never|not) (?:moved or )?taken off(?: the board)?
        (?:the )?jumped \w+ stay (?:there|where it is|on the board)
        nothing is (?:ever )?(?:captured|removed)
        """,
    "jump": r"""
        (?:there is )?no jump(?: is)?(?: allowed| possible)?
        jump is (?:not|never) (?:allowed|permitted|possible)
        """,
    "pass": r"""
        (?:there is )?no pass(?: is)?(?: allowed| possible)?
        pass is (?:not|never) (?:allowed|permitted|possible)
        you cannot (?:pass|skip (?:a|your) turn)
        """,
    "double step": r"""
        (?:there is )?no (?:double|two-cell) step
        """,
    "promotion": r"""
        (?:there is )?no (?:promotion|king|crown)(?: is)?(?: allowed| possible)?
        """,
    "draw": r"""
        (?:there is )?no (?:draw|tie)(?: is)?(?: possible)?
        (?:a )?draw is (?:impossible|not possible)
        the game cannot end in (?:a )?draw
        there cannot be a draw
        """,
    "duty": r"""
        (?:capture|jump) is (?:optional|voluntary)
        (?:capture|jump) is not (?:compulsory|mandatory|required|obligatory|forced)
        """,
    "further jump": r"""
        you cannot (?:get to )?jump (?:twice|again|more than once)
        you cannot (?:get to )?jump (?:twice|again|more than once) (?:in|on) (?:a|one|your) turn
        """,
}


def _expressions(lines: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{line.strip()})" for line in lines.strip().splitlines()))


_ALL = [
    (_expressions(_SILENT), Remark(is_reported=False)),
    (_expressions(_REPORTED), Remark()),
    *((_expressions(lines), Remark(denies)) for denies, lines in _DENIED.items()),
]
_SEVERAL_DENIED = re.compile(r"(?:there is )?no (\w+)((?: \w+)?) (?:and|or) no (\w+)((?: \w+)?)")


def remark_of(stems: str) -> list[Sentence] | None:
    """Return what a clause says besides the rules; None if it is no remark that is known.

    >>> remark_of("there is no capture"), remark_of("white begin")
    ([Remark(denies='capture', is_reported=True)], None)
    """
    two = _SEVERAL_DENIED.fullmatch(stems)
    if two:
        both = [remark_of(f"there is no {two[at]}{two[at + 1]}") for at in (1, 3)]
        return None if None in both else [one for part in both for one in part or ()]
    found: Iterator[list[Sentence]] = ([remark] for known, remark in _ALL if known.fullmatch(stems))
    return next(found, None)


_RULE_WORDS = word_set("""
    board grid cell square row column line pile heap piece win wins winner lose loses draw tie turn
    first begin begins start starts end ends must may can cannot not no never only if when until
    each every any all both player players opponent you your
""") | frozenset(VERBS)


def _says_what_to_do(tokens: list[Token]) -> bool:
    """Return whether words have a verb of what players do, a number, or who, where and when."""
    return any(
        {token.text.lower(), token.stem} & _RULE_WORDS or number_of(token.text) is not None
        for token in tokens
    )


def is_introduction(tokens: list[Token]) -> bool:
    """Return whether a first sentence only talks about the game: *a race for my daughter*.

    >>> from kibitz.errors import Place
    >>> is_introduction([Token(word, Place(0, 1)) for word in "Here is a race for us".split()])
    True
    """
    return len(tokens) > 5 and not _says_what_to_do(tokens)


def contradicts(remark: Remark, rules: Iterable[Sentence]) -> bool:
    """Return whether rules have what a remark denies.

    >>> contradicts(Remark("pass"), [m.PassIfStuck()])
    True
    """
    moves: list[Any] = []
    others: set[type] = set()
    for rule in rules:
        others.add(type(rule))
        if isinstance(rule, m.MoveRule):
            moves += (*rule.moves, *(rule.then or ()))
        if isinstance(rule, m.End) and rule.result == "draws" and remark.denies == "draw":
            return True
    captures = m.MoveCaptures in others or any(
        getattr(move, "captures", False) or getattr(move, "target", "") in ("capture", "either")
        for move in moves
    )
    return {
        "capture": captures or bool(others & {m.Enclose}),
        "jump": any(isinstance(move, m.Jump) for move in moves),
        "pass": m.PassIfStuck in others or any(isinstance(move, m.Pass) for move in moves),
        "double step": any(isinstance(move, m.DoubleStep) for move in moves),
        "promotion": m.Promotion in others,
        "duty": m.MustCapture in others,
        "further jump": m.JumpAgain in others,
    }.get(remark.denies, False)
