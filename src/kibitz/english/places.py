"""A Board in, words for its cells out: their names, their kinds, and how they lie to one another.

A place is a phrase such as *the centre*, *a corner* or *the corner opposite*, together with the
cells it can mean, as seen from the cell of the move where the phrase refers to it. Phrases are also
looked up by their text, so that a sentence can be read back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from kibitz.board import Board, CellRef
from kibitz.wording import join_words

Target = tuple[CellRef, ...]
"""What a phrase means: a cell, or all cells of a column."""

_CELL = {"points": "point", "holes": "hole", "hex": "cell", "grid": "cell"}
_PLAIN = re.compile(r"[\w-]+(?: [\w-]+)*")
_LETTERED = re.compile(r"(?<=\b[A-Za-z]) (?=\d)")
"""What is between a letter and a number, which are one name."""
_FEW = 9
"""Cells of a board whose corners are called so, and not by letter and number such as a1."""


def place_noun(board: Board) -> str:
    """Return what tells the names of a board's cells from those of other boards."""
    return "cell" if board.kind in _CELL else board.title or board.kind


@dataclass(frozen=True)
class CellPhrase:
    """A phrase and the targets it can mean, seen from an anchor; `both` takes two at once."""

    text: str
    targets: Callable[[Target | None], tuple[Target, ...]]
    is_other: bool = False
    is_both: bool = False
    group: str = ""
    """The kind that `another` refers to."""
    letters: tuple[str, ...] = ()
    """The letters for the ends of a line, where any points may be meant."""


@dataclass(frozen=True)
class _Relation:
    """How a cell lies to another one: a predicate over two pairs (row, column)."""

    before: str
    after: str
    holds: Callable[[tuple[int, int], tuple[int, int]], bool]


class BoardWords:
    """The words for one board: `named` has the names of its cells, `kinds` their kinds."""

    def __init__(self, number: int, board: Board, called: dict[str, str], suffix: str) -> None:
        self.number, self.board, self.suffix = number, board, suffix
        self.xs = sorted({cell.x for cell in board.cells})
        self.ys = sorted({cell.y for cell in board.cells})
        flat = board.kind in ("grid", "points", "holes") and not board.walls
        full = len(self.xs) * len(self.ys) == len(board.cells)
        self.is_rectangle = flat and full and min(len(self.xs), len(self.ys)) > 1
        self.called = called

    @property
    def noun(self) -> str:
        """The noun for a cell of this board."""
        return "" if self.board.kind == "stacks" else _CELL.get(self.board.kind, self.board.title)

    def at(self, ref: CellRef) -> tuple[int, int]:
        """Return the row and the column of a cell, counted from the top left."""
        cell = self.board.cells[ref.cell]
        return self.ys.index(cell.y), self.xs.index(cell.x)

    @cached_property
    def refs(self) -> tuple[CellRef, ...]:
        """All cells."""
        return tuple(CellRef(self.number, index) for index in range(len(self.board.cells)))

    @cached_property
    def by_place(self) -> dict[tuple[int, int], CellRef]:
        """The cell of each row and column."""
        return {self.at(ref): ref for ref in self.refs}

    def side_of(self, refs: set[CellRef]) -> str:
        """Name the outer row or column that cells are: *top row*, *left column*, or nothing."""
        if self.is_rectangle:
            high, wide = len(self.ys), len(self.xs)
            sides = {"top row": (0, 0), "bottom row": (0, high - 1)}
            sides |= {"left column": (1, 0), "right column": (1, wide - 1)}
            for name, (axis, number) in sides.items():
                if refs == {ref for ref in self.refs if self.at(ref)[axis] == number}:
                    return name
        return ""

    @cached_property
    def kind_of(self) -> dict[CellRef, str]:
        """Each cell's kind: corner, edge, centre, inner cell."""
        if not self.is_rectangle:
            return dict.fromkeys(self.refs, self.noun)
        high, wide = len(self.ys), len(self.xs)
        kinds = {}
        for ref in self.refs:
            row, column = self.at(ref)
            sides = (row in (0, high - 1)) + (column in (0, wide - 1))
            middle = (2 * row == high - 1) and (2 * column == wide - 1)
            kinds[ref] = (
                "corner"
                if sides == 2
                else "edge"
                if sides
                else "centre"
                if middle
                else f"inner {self.noun}"
            )
        return kinds

    @cached_property
    def named(self) -> dict[Target, CellPhrase]:
        """Each cell's unique name."""
        found: dict[Target, CellPhrase] = {}
        texts: set[str] = set()
        for ref in self.refs:
            cell = self.board.cells[ref.cell]
            text = self.called.get(cell.name) or self._name(ref)
            if text in texts:
                text = f"{self.noun} {cell.name}".strip()
            texts.add(text)
            found[(ref,)] = _fixed(text + self.suffix, ((ref,),))
        return found

    def _name(self, ref: CellRef) -> str:
        board, cell = self.board, self.board.cells[ref.cell]
        rows, columns = self._ticks
        across, down = columns.get(cell.x, ""), rows.get(cell.y, "")
        is_lettered = across.isalpha() and down.isdecimal()
        if self.is_rectangle and not (is_lettered and len(board.cells) > _FEW):
            row, column = self.at(ref)
            high, wide = len(self.ys), len(self.xs)
            kind = self.kind_of[ref]
            up = "top" if row == 0 else "bottom" if row == high - 1 else ""
            side = "left" if column == 0 else "right" if column == wide - 1 else ""
            if kind == "centre":
                return "the centre"
            if kind == "corner":
                return f"the {up} {side} corner"
            if kind == "edge" and (high, wide) == (3, 3):
                return f"the {up or side} edge"
        if board.kind in ("grid", "points", "holes") and rows:
            if is_lettered:
                return f"{across}{down}"
            if _PLAIN.fullmatch(across + down):
                return f"row {down}, column {across}"
        if board.kind == "graph":
            half = len(cell.key) // 2
            return f"line {' '.join(cell.key[:half])}–{' '.join(cell.key[half:])}"
        return f"{self.noun} {_LETTERED.sub('', cell.name)}".strip()

    def rows_and_columns(self, targets: Sequence[Target]) -> str:
        """Name cells of one row or of one column together: *rows 2 and 3 of column 1*."""
        rows, columns = self._ticks
        if not rows or self.board.kind not in ("grid", "points", "holes"):
            return ""
        cells = [self.board.cells[ref.cell] for target in targets for ref in target]
        down = list(dict.fromkeys(rows[cell.y] for cell in cells))
        across = list(dict.fromkeys(columns[cell.x] for cell in cells))
        if all(name.isdecimal() for name in (*down, *across)):
            if len(across) == 1 < len(down):
                return f"rows {join_words(down)} of column {across[0]}{self.suffix}"
            if len(down) == 1 < len(across):
                return f"columns {join_words(across)} of row {down[0]}{self.suffix}"
        return ""

    @cached_property
    def _ticks(self) -> tuple[dict[float, str], dict[float, str]]:
        """The names of rows and columns, where every cell has one of each."""
        rows = {tick.at: tick.text for tick in self.board.rows}
        columns = {tick.at: tick.text for tick in self.board.columns}
        whole = all(y in rows for y in self.ys) and all(x in columns for x in self.xs)
        return (rows, columns) if whole else ({}, {})

    @cached_property
    def lines(self) -> dict[Target, CellPhrase]:
        """Whole columns and rows, by the names beside the board."""
        found = {}
        for word, ticks, axis in (
            ("column", self.board.columns, "x"),
            ("row", self.board.rows, "y"),
        ):
            for tick in ticks:
                cells = self.board.cells
                here = tuple(r for r in self.refs if getattr(cells[r.cell], axis) == tick.at)
                found[here] = _fixed(f"{word} {tick.text}{self.suffix}", (here,))
        return found

    @cached_property
    def kinds(self) -> dict[Target, CellPhrase]:
        """A phrase for each cell's kind, and for outer and middle columns."""
        found: dict[Target, CellPhrase] = {}
        groups: dict[str, list[Target]] = {}
        if self.is_rectangle and not self.suffix:
            for ref in self.refs:
                groups.setdefault(self.kind_of[ref], []).append((ref,))
            columns = [t for t, place in self.lines.items() if place.text.startswith("column")]
            columns.sort(key=lambda target: self.board.cells[target[0].cell].x)
            for index, target in enumerate(columns):
                aside = min(index, len(columns) - 1 - index)
                inner = (len(columns) - 1) // 2
                kind = "outer" if aside == 0 else "middle" if aside == inner else ""
                if kind and len(columns) > 2:
                    groups.setdefault(f"{kind} column", []).append(target)
        for kind, targets in groups.items():
            text = f"the {kind}" if len(targets) == 1 else _a(kind)
            place = _fixed(text, tuple(targets))
            found |= dict.fromkeys(targets, place)
        return found

    @cached_property
    def _relations(self) -> list[_Relation]:
        high, wide = len(self.ys), len(self.xs)

        def apart(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
            return abs(a[0] - b[0]), abs(a[1] - b[1])

        def opposite(a: tuple[int, int], b: tuple[int, int]) -> bool:
            return b == (high - 1 - a[0], wide - 1 - a[1])

        return [
            _Relation("opposite ", "", opposite),
            _Relation("", " next to it", lambda a, b: sum(apart(a, b)) == 1),
            _Relation("", " diagonal to it", lambda a, b: apart(a, b) == (1, 1)),
            _Relation(
                "",
                " in line with it",
                lambda a, b: 0 in apart(a, b) and sum(apart(a, b)) > 1 and not opposite(a, b),
            ),
            _Relation(
                "far ",
                "",
                lambda a, b: 0 not in apart(a, b) and apart(a, b) != (1, 1) and not opposite(a, b),
            ),
        ]

    @cached_property
    def related(self) -> tuple[CellPhrase, ...]:
        """Phrases relative to the cell of the move."""
        if not self.is_rectangle or self.suffix:
            return ()
        found = [CellPhrase("it", lambda anchor: (anchor,) if anchor else ())]
        for kind in dict.fromkeys(self.kind_of.values()):
            if kind == "centre":
                continue
            for relation in self._relations:
                found += self._phrases(kind, relation)
        return tuple(found)

    def _phrases(self, kind: str, relation: _Relation) -> Iterator[CellPhrase]:
        def targets(anchor: Target | None) -> tuple[Target, ...]:
            if anchor is None or len(anchor) != 1 or anchor[0].board != self.number:
                return ()
            here = self.at(anchor[0])
            return tuple(
                (ref,)
                for ref in self.refs
                if self.kind_of[ref] == kind
                and (ref,) != anchor
                and relation.holds(here, self.at(ref))
            )

        group = f"{relation.before}{kind}{relation.after}"
        many = f"{relation.before}{kind}s{relation.after}"

        def alone(count: Callable[[int], bool]) -> Callable[[Target | None], tuple[Target, ...]]:
            return lambda anchor: found if count(len(found := targets(anchor))) else ()

        yield CellPhrase(f"the {group}", alone(lambda n: n == 1), group=group)
        yield CellPhrase(_a(group), alone(lambda n: n > 1), group=group)
        yield CellPhrase(f"the other {group}", alone(lambda n: n == 2), is_other=True, group=group)
        yield CellPhrase(f"another {group}", alone(lambda n: n > 2), is_other=True, group=group)
        yield CellPhrase(f"both {many}", alone(lambda n: n == 2), is_both=True, group=group)

    @cached_property
    def by_text(self) -> dict[str, CellPhrase]:
        """Every phrase by its text."""
        places = [*self.named.values(), *self.lines.values(), *self.kinds.values(), *self.related]
        return {place.text: place for place in reversed(places)}


def _fixed(text: str, targets: tuple[Target, ...]) -> CellPhrase:
    return CellPhrase(text, lambda anchor: targets)


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
