"""Words about lines and sides in, lines and sides of the table out: *four in a row, any way*."""

from __future__ import annotations

import re

from kibitz.rulebook.grammar import Builtin, number_of
from kibitz.rulebook.prose.leaves import NUMBER as _N, leaf

__all__ = ["line_leaf", "sides_leaf"]

_HOW = (
    r"horizontally|vertically|diagonally|horizontal|vertical|diagonal|across|down|orthogonally"
    r"|or|and|in any direction|including diagonal(?:ly)?|not diagonally|diagonal include"
    r"|diagonal count"
)
_LINE = re.compile(
    rf"(?:a |an |the |any )?(?:unbroken |straight |connected |complete |row |line )*(?:of )?({_N})"
    r"(?: of)?(?: your| the)?(?: own)?(?: same| identical| equal| consecutive)?(?: ([a-z]+))?"
    r"(?: next to each other| adjacent to each other| touch| anywhere| connected| lined up)*"
    r"((?: (?:in|along|on) (?:a|any|one|the same) (?:straight |unbroken )?"
    r"(?:row|line|column|diagonal|direction)"
    r"(?:(?: or| and)?(?: in)?(?: a)? (?:row|column|diagonal|line))*"
    r"(?: with(?:out| no) gap| without a gap)?)?)"
    rf"((?: (?:whether |either |whether it is |in )?(?:{_HOW}))*) "
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


_SIDE = r"(left|right|top|bottom)(?: (?:edge|side|row|column|end))?(?: of the board)? "
_SIDES = re.compile(rf"(?:the |from (?:the )?|from )?{_SIDE}(?:to|with|and|until) (?:the )?{_SIDE}")
_ACROSS = {"left": "right", "top": "bottom"}


def sides_leaf() -> Builtin:
    """Return how two sides of the board are read."""

    def read(text: str) -> str | None:
        found = _SIDES.fullmatch(text)
        pair = {found[1], found[2]} if found else set()
        return {"left": "sideways", "top": "upright"}.get(
            next((one for one in ("left", "top") if pair == {one, _ACROSS[one]}), "")
        )

    return leaf("two sides", read)
