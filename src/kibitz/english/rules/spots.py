"""Places with variables in, the rules they mean out: one for each way to fill them in.

A rule with variables is kept as a Template: its condition is about spots, which are cells whose
row, column or number may be a letter, and about contents that may be a letter too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from math import prod
from typing import NamedTuple

from kibitz.board import CellRef
from kibitz.engine import Move
from kibitz.english.places import BoardWords, Target
from kibitz.english.rules.formula_phrases import carry_fluents, parts_of
from kibitz.english.scene import Scene
from kibitz.gdl import Function
from kibitz.strategy import FALSE, Formula, Holds, conjunction, leaves

__all__ = [
    "AXES",
    "Coordinate",
    "Doing",
    "Instance",
    "Letter",
    "Spot",
    "Template",
    "at",
    "filled",
    "instances",
    "piece_letter",
    "spot_of",
    "spots_in",
    "symbolic",
]

MOST_WAYS = 50_000
AXES = ("row", "column", "cell", "value", "next", "diagonal")
STEPS = {
    "next": ((-1, 0), (0, -1), (0, 1), (1, 0)),
    "diagonal": ((-1, -1), (-1, 1), (1, -1), (1, 1)),
}
"""Where a cell next to another one lies, or one that touches it with a corner."""
_AT = "@"

Letter = tuple[str, int]
"""An axis and which of its letters."""
Given = dict[Letter, int | str]
"""The value of each letter."""
Instance = tuple[frozenset[Formula], Move]
"""A rule for one move: what must hold together."""


class Coordinate(NamedTuple):
    """A number, or a letter (from 1 on) with a number added to its value."""

    letter: int
    number: int


class Spot(NamedTuple):
    """A cell, or a whole row or column, by a coordinate for each axis."""

    board: int
    where: tuple[tuple[str, Coordinate], ...]


@dataclass(frozen=True, slots=True)
class Doing:
    """A move with spots in it: by its verb, or, without one, any of some moves."""

    key: tuple[str, int] | None
    spots: tuple[Spot, ...] = ()
    value: str = ""
    moves: frozenset[Move] = frozenset()


@dataclass(frozen=True, slots=True)
class Template:
    """A rule with letters; those of one axis differ, unless the axis is `free`."""

    doing: Doing
    parts: frozenset[Formula]
    free: frozenset[str] = frozenset()

    @property
    def letters(self) -> list[Letter]:
        """All letters, by axis."""
        found: set[Letter] = set()
        fluents = [spots_in(part) for part in self.parts]
        spots = [*self.doing.spots, *(spot for each in fluents for spot, _ in each)]
        for spot in spots:
            found |= {(axis, c.letter) for axis, c in spot.where if c.letter}
        values = [self.doing.value, *(piece for each in fluents for _, piece in each)]
        found |= {("value", piece_letter(value)) for value in values if piece_letter(value)}
        return sorted(found, key=lambda letter: (AXES.index(letter[0]), letter[1]))


def piece_letter(piece: str) -> int:
    """Return which letter replaces a piece, or 0."""
    return int(piece[1:]) if piece.startswith("?") and piece[1:].isdecimal() else 0


def at(spot: Spot, piece: str) -> Function:
    """Write that a piece is on a spot, as a special fluent."""
    where = ",".join(f"{axis} {c.letter} {c.number}" for axis, c in spot.where)
    return Function(_AT, (Function(str(spot.board)), Function(where), Function(piece)))


@cache
def _spot(board: str, where: str) -> Spot:
    parts = [part.split() for part in where.split(",")]
    return Spot(int(board), tuple((a, Coordinate(int(x), int(y))) for a, x, y in parts))


def _spot_and_piece(fluent: Function) -> tuple[Spot, str] | None:
    if fluent.name != _AT:
        return None
    board, where, piece = (arg.name for arg in fluent.args)
    return _spot(board, where), piece


def spots_in(formula: Formula) -> list[tuple[Spot, str]]:
    """List the spots of a formula, and what is there."""
    held = [_spot_and_piece(leaf.fluent) for leaf in leaves(formula) if isinstance(leaf, Holds)]
    return [each for each in held if each]


def spot_of(scene: Scene, target: Target) -> Spot | None:
    """Return a cell, a row or a column as a spot without letters."""
    words = scene.boards[target[0].board]
    if len(target) > 1:
        place = words.lines.get(target)
        if place is None or not words.is_rectangle:
            return None
        axis = place.text.split()[0]
        number = words.at(target[0])[0 if axis == "row" else 1]
        return Spot(words.number, ((axis, Coordinate(0, number)),))
    if words.is_rectangle:
        row, column = words.at(target[0])
        return Spot(words.number, (("row", Coordinate(0, row)), ("column", Coordinate(0, column))))
    return Spot(words.number, (("cell", Coordinate(0, target[0].cell)),))


def symbolic(scene: Scene, formula: Formula) -> Formula:
    """Replace a formula's fluents on a board by spots."""

    def carry(fluent: Function) -> Function:
        if fluent not in scene.on_board:
            return fluent
        ref, content = scene.on_board[fluent]
        spot = spot_of(scene, (ref,))
        return at(spot, content.piece) if spot else fluent

    return carry_fluents(formula, carry)


def instances(scene: Scene, template: Template) -> Iterator[Instance]:
    """Walk the rules that a template means; none where there are too many ways."""
    letters = template.letters
    boards = {spot.board for spot in template.doing.spots}
    boards |= {spot.board for part in template.parts for spot, _ in spots_in(part)}
    if letters and len(boards) != 1:
        return
    domains = [_domain(scene, min(boards), axis) for axis, _ in letters]
    if prod(map(len, domains)) > MOST_WAYS:
        return
    for chosen in product(*domains):
        given: Given = dict(zip(letters, chosen, strict=True))
        if _repeats(given, template.free):
            continue
        condition = conjunction(
            carry_fluents(part, partial(_carried, scene, given)) for part in template.parts
        )
        if condition != FALSE:
            parts = parts_of(condition)
            for move in _moves(scene, template.doing, given):
                yield parts, move


def _repeats(given: Given, free: frozenset[str]) -> bool:
    kept = [(axis, value) for (axis, _), value in given.items() if axis not in free]
    return len(set(kept)) < len(kept)


def _domain(scene: Scene, board: int, axis: str) -> Sequence[int | str]:
    words = scene.boards[board]
    if axis == "value":
        return sorted({c.piece for (ref, c) in scene.fluent_at if ref.board == board})
    if axis in STEPS:
        return list(range(len(STEPS[axis])))
    return list(range(len({"row": words.ys, "column": words.xs}.get(axis, words.refs))))


def _place(words: BoardWords, spot: Spot, given: Given) -> Target | None:
    numbers = [(int(given[axis, c.letter]) if c.letter else 0) + c.number for axis, c in spot.where]
    axes = [axis for axis, _ in spot.where]
    if axes == ["cell"]:
        found = numbers[0] in range(len(words.refs))
        return (CellRef(words.number, numbers[0]),) if found else None
    if len(axes) == 1:
        index = 0 if axes == ["row"] else 1
        return tuple(ref for ref in words.refs if words.at(ref)[index] == numbers[0]) or None
    down, right = STEPS[axes[2]][numbers[2]] if len(axes) > 2 else (0, 0)
    ref = words.by_place.get((numbers[0] + down, numbers[1] + right))
    return (ref,) if ref else None


def _carried(scene: Scene, given: Given, fluent: Function) -> Function | None:
    return filled(scene, fluent, given)


def filled(scene: Scene, fluent: Function, given: Given) -> Function | None:
    """Return the fluent that is meant when letters have these values; None if there is none."""
    found = _spot_and_piece(fluent)
    if found is None:
        return fluent
    spot, piece = found
    if letter := piece_letter(piece):
        piece = str(given["value", letter])
    target = _place(scene.boards[spot.board], spot, given)
    return scene.pieces_at.get((target[0], piece)) if target else None


def _moves(scene: Scene, doing: Doing, given: Given) -> Iterator[Move]:
    if doing.key is None:
        yield from doing.moves
        return
    value = doing.value
    if letter := piece_letter(value):
        value = str(given["value", letter])
    targets = [_place(scene.boards[spot.board], spot, given) for spot in doing.spots]
    move = scene.verbs[doing.key].moves.get((tuple(t for t in targets if t), value))
    if move is not None:
        yield move
