"""Words about lines and sides in, lines and sides of the table out: *four in a row, any way*."""

from __future__ import annotations

import re

from kibitz.rulebook.grammar import Builtin, number_of
from kibitz.rulebook.prose.leaves import NUMBER as _N, leaf

_TURNED = r"(?:(?:horizontal|vertical|diagonal|or) )*"
_HOW = (
    r"horizontally|vertically|diagonally|horizontal|vertical|diagonal|across|down|orthogonally"
    r"|or|and|in any direction|including diagonal(?:ly)?|not diagonally|diagonal include"
    r"|diagonal count"
)
_LINE = re.compile(
    rf"(?:a |an |the |any )?(?:unbroken |straight |connected |complete )*{_TURNED}"
    rf"(?:row |line )*(?:of )?({_N})"
    r"(?: of)?(?: your| the)?(?: own)?(?: same| identical| equal| consecutive)?(?: ([a-z]+))?"
    r"(?: next to each other| adjacent to each other| touch| anywhere| connected| lined up)*"
    rf"((?: (?:in|along|on) (?:a|any|one|the same) (?:straight |unbroken )?{_TURNED}"
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
        ways = _ways(f"{text[: found.start(1)]} {found[3]} {found[4]}")
        return None if ways is None else (number_of(found[1]) or 0, ways, kind)

    return leaf("a line", read)


def _ways(words: str) -> str | None:
    """Return which lines some words mean, or None where the table has no word for these."""
    if re.search(r"(?:row|line) or (?:a )?diagonal", words) and "column" not in words:
        return None
    has_row = "column" in words and "row" in words
    is_any = any(word in words for word in ("direction", "include", "including", "count"))
    across = is_any or has_row or any(w in words for w in ("horizontal", "across", "orthogonal"))
    down = is_any or any(w in words for w in ("vertical", "down", "column", "orthogonal"))
    is_flat = "not diagonally" in words
    diagonal = not is_flat and (is_any or "diagonal" in words)
    if not (across or down or diagonal):
        return "straight" if is_flat else "line"
    return {
        (True, True, True): "line",
        (True, True, False): "straight",
        (True, False, False): "horizontal",
        (False, True, False): "vertical",
        (False, False, True): "diagonal",
    }.get((across, down, diagonal))


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
