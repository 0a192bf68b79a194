"""Words about a board in, the board of the table out: *a 4x5 grid*, *nine cells in a row*."""

from __future__ import annotations

import re

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import Builtin, number_of
from kibitz.rulebook.prose.leaves import NUMBER as _N, leaf

_CELLS = r"(?:cell|board|grid|chessboard|lattice|pattern|place)"
_LIKE = r"(?:square |rectangular |small |plain |normal |standard |chess |go |tic-tac-toe )*"
_DARK = r"(?:(?:dark|black|light) cell (?:only )?of (?:a |the )?)?"
_HAS = r"(?:of |with |has |which has |that has |is |size |measuring )*"
_LINE = r"(?:row|line|strip|track|path)"
_LAID = r"(?:arranged |placed |laid out |lying )?(?:side-by-side )?"
_BOARD = re.compile(
    rf"(?:a |an |the |one |your )?{_LIKE}{_DARK}(?:{_CELLS} |row of cell )?{_HAS}(?:a )?"
    rf"({_N}) (?:cell )?by ({_N})(?: {_CELLS})*(?: of {_CELLS})?(?: in size)? "
)
_ROWS = re.compile(
    rf"(?:a |the )?(?:square |rectangular )?(?:{_CELLS} )?{_HAS}(?:a )?"
    rf"({_N}) (row|column)(?: and| by)? ({_N}) (row|column)(?: of {_CELLS})? "
)
_ROWS_OF = re.compile(
    rf"(?:a |the )?(?:{_CELLS} )?{_HAS}({_N}) row (?:of|with) ({_N}) {_CELLS}(?: each)? "
)
_ROW = re.compile(
    rf"(?:a |one |the )?(?:empty |straight |long )?{_LINE} (?:of|with) ({_N}) {_CELLS}"
    rf"(?: in a (?:row|line))? "
    rf"|({_N}) {_CELLS} {_LAID}in (?:a|one) (?:straight )?(?:row|line) "
    rf"|(?:a )?{_CELLS} (?:of|with) ({_N}) {_CELLS} in (?:a|one) (?:row|line) "
)
_RING = re.compile(
    rf"(?:a |one )?(?:ring|circle) (?:of|with) ({_N}) {_CELLS} "
    rf"|({_N}) {_CELLS} (?:arranged |placed )?in a (?:ring|circle) "
)
_HEX = re.compile(
    r"(?:a |the )?(?:diamond-shaped |diamond |hexagonal |rhombus-shaped |rhombus |rhombic )?"
    rf"(?:{_CELLS} )?(?:of |with )?({_N}) by ({_N}) "
    rf"(?:hexagonal )?(?:(?:{_CELLS}|rhombus|diamond) )?(?:of (?:hexagonal )?cell )?"
)
_CHESSBOARD = re.compile(rf"(?:a |the )?{_DARK}(?:usual |normal |standard )?chessboard ")
_NINE = re.compile(
    r"(?:a |the )?(?:usual |normal |standard )?tic-?\s?tac-?\s?toe (?:board|grid)"
    r"(?: (?:with|of) nine cell)? "
)
_ADDED = re.compile(
    r"(?:(?:which|that) (?:is|start|begin) )?(?:all )?empty (?:at-start )?$"
    r"|and (?:some |two |a bunch of |a supply of |plenty of |enough )[a-z]+ "
    r"(?:each cover two cell )?$"
)


def board_leaf(is_hexagonal: bool) -> Builtin:
    """Return how boards are read; hexagons are known from other words of the text."""

    def read(text: str) -> m.Sentence | None:
        text = _ADDED.sub("", text)
        if is_hexagonal and (found := _HEX.fullmatch(text)):
            return m.Grid(_n(found[1]), _n(found[2]), "hexagon")
        if found := _BOARD.fullmatch(text):
            return m.Grid(_n(found[1]), _n(found[2]), "square")
        if (found := _ROWS.fullmatch(text)) and found[2] != found[4]:
            rows, columns = (found[1], found[3]) if found[2] == "row" else (found[3], found[1])
            return m.Grid(_n(columns), _n(rows), "square")
        if found := _ROWS_OF.fullmatch(text):
            return m.Grid(_n(found[2]), _n(found[1]), "square")
        if found := _ROW.fullmatch(text):
            return m.Row(_n(found[1] or found[2] or found[3]))
        if found := _RING.fullmatch(text):
            return m.Ring(_n(found[1] or found[2]))
        if _CHESSBOARD.fullmatch(text):
            return m.Grid(8, 8, "square")
        return m.Grid(3, 3, "square") if _NINE.fullmatch(text) else None

    return leaf("a board", read)


def _n(word: str) -> int:
    return number_of(word) or 0
