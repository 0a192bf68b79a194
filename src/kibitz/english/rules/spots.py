"""Name places with variables, and list the rules they mean.

A rule with variables is kept as a Template: its condition is about spots, which are cells whose
row, column or number may be a letter, and about contents that may be a letter too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import product
from math import prod
from typing import NamedTuple

from kibitz.board import CellRef
from kibitz.engine import Move
from kibitz.english.games.patterns import plural_of
from kibitz.english.places import BoardWords, Target
from kibitz.english.rules.formula_phrases import carry_fluents, parts_of
from kibitz.english.rules.phrases import Content
from kibitz.english.scene import Scene
from kibitz.gdl import Function
from kibitz.strategy import FALSE, Formula, Holds, conjunction, leaves
from kibitz.wording import join_words, number_word

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


_MOST_LETTERS = 4
_MOST_CELLS = 150
_FIRST = ("", "a", "another", "a third", "a fourth")
_LATER = ("", "the same", "the other", "the third", "the fourth")
_CAPITALS = "ABCDEFGHIJ"
_VALUES = "NMKL"


class Naming:
    """Writes spots of one board, and knows which phrase means which spot.

    With `letters` they are named by these, as in *heap A*; else by how they lie to one another.
    """

    def __init__(self, scene: Scene, board: int, letters: list[Letter] | None = None) -> None:
        self.scene, self.board, self.letters = scene, board, letters
        self.seen: set[Letter] = set()

    @property
    def words(self) -> BoardWords:
        """The words of the board itself."""
        return self.scene.boards[self.board]

    @cached_property
    def noun(self) -> str:
        """The noun for a cell."""
        return "line" if self.words.board.kind == "graph" else self.words.noun or "place"

    def say(self, spot: Spot) -> str | None:
        """Write a spot: the first time *a heap*, then *it*."""
        if spot.board != self.board or not any(c.letter for _, c in spot.where):
            return self._fixed(spot)
        if self.letters is not None:
            return self._lettered(spot)
        phrases = self._phrases(spot)
        if phrases is None:
            return None
        mine = {(axis, c.letter) for axis, c in spot.where if c.letter}
        first = bool(mine - self.seen)
        self.seen |= mine
        return phrases[0] if first else phrases[1]

    def _fixed(self, spot: Spot) -> str | None:
        if spot.board >= len(self.scene.boards):
            return None
        words = self.scene.boards[spot.board]
        numbers = [c.number for _, c in spot.where]
        match [axis for axis, _ in spot.where]:
            case ["cell"]:
                return words.named[(words.refs[numbers[0]],)].text
            case ["row", "column"]:
                ref = words.by_place.get((numbers[0], numbers[1]))
                return words.named[(ref,)].text if ref else None
            case [axis]:
                return self._line(axis, numbers[0])
        return None

    def _line(self, axis: str, number: int) -> str | None:
        """Name a whole row or column."""
        index = 0 if axis == "row" else 1
        for target, place in self.words.lines.items():
            if place.text.startswith(axis) and self.words.at(target[0])[index] == number:
                return place.text
        return None

    def _phrases(self, spot: Spot) -> tuple[str, str] | None:
        """Write a spot with letters, as at its first and at later mentions."""
        (axis, one), *rest = spot.where
        if not rest:
            if one.number:
                return self._beside(0, one.number) if one.letter == 1 else None
            noun = self.noun if axis == "cell" else axis
            if one.letter == 1 and axis == "cell":
                return _a(noun), "it"
            return _ordinal(_FIRST, one.letter, noun), _ordinal(_LATER, one.letter, noun)
        if len(rest) > 1:
            axis, near = rest[1]
            where = f"{self.noun} {'next' if axis == 'next' else 'diagonal'} to it"
            return _ordinal(_FIRST, near.letter, where), _ordinal(_LATER, near.letter, where)
        ((_, two),) = rest
        if one.letter and two.letter:
            return self._two_letters(one, two)
        letter, fixed = (one, two) if one.letter else (two, one)
        line = self._line("column" if one.letter else "row", fixed.number)
        if line is None or letter.number:
            return None
        axis = "row" if one.letter else "column"
        return (
            f"{line} of {_ordinal(_FIRST, letter.letter, axis)}",
            f"{line} of {_ordinal(_LATER, letter.letter, axis)}",
        )

    def _two_letters(self, row: Coordinate, column: Coordinate) -> tuple[str, str] | None:
        if row.number or column.number:
            alone = row.letter == column.letter == 1
            return self._beside(row.number, column.number) if alone else None
        match row.letter, column.letter:
            case 1, 1:
                return _a(self.noun), "it"
            case 1, n:
                where = f"{self.noun} in its row"
            case n, 1:
                where = f"{self.noun} in its column"
            case 2, 2:
                return (
                    f"{_a(self.noun)} in another row and column",
                    f"the {self.noun} in another row and column",
                )
            case _:
                return None
        return _ordinal(_FIRST, n, where), _ordinal(_LATER, n, where)

    def _beside(self, down: int, right: int) -> tuple[str, str]:
        """Describe where a cell lies as seen from another."""
        upright = ("above", "below")[down > 0]
        aside = ("to the left", "to the right")[right > 0]
        if abs(down) == abs(right) == 1:
            phrase = f"the {self.noun} diagonally {upright} it {aside}"
        else:
            steps = []
            if down:
                steps.append(f"{number_word(abs(down))} {upright}" if abs(down) > 1 else upright)
            if right:
                far = number_word(abs(right))
                steps.append(f"{far} {aside} of" if abs(right) > 1 else f"{aside} of")
            phrase = f"the {self.noun} {' and '.join(steps)} it"
        return phrase, phrase

    def _lettered(self, spot: Spot) -> str | None:
        parts = []
        for axis, c in spot.where:
            if (c.letter and c.number) or axis in STEPS:
                return None
            name = self.capital(axis, c.letter) if c.letter else None
            if name is not None:
                parts.append(f"{self.noun if axis == 'cell' else axis} {name}")
            elif (line := self._line(axis, c.number)) is not None:
                parts.append(line)
            else:
                return None
        return ", ".join(parts)

    def capital(self, axis: str, number: int) -> str:
        """Return the capital for a letter."""
        if axis == "value":
            return _VALUES[number - 1]
        placed = [letter for letter in self.letters or () if letter[0] != "value"]
        return _CAPITALS[placed.index((axis, number))]

    def content(self, piece: str) -> Content:
        """Write what is on a cell, perhaps as a letter."""
        if number := piece_letter(piece):
            name = self.capital("value", number)
            verb = "have" if self.words.board.kind == "heaps" else "hold"
            one = "has" if verb == "have" else "holds"
            return Content(piece, f"{one} {name}", f"{verb} {name}", f"does not {verb} {name}")
        return next(c for _, c in self.scene.on_board.values() if c.piece == piece)

    def tail(self, letters: list[Letter], free: frozenset[str]) -> str:
        """Write what capitals mean, after the sentence."""
        groups = []
        for axis in AXES:
            numbers = [number for a, number in letters if a == axis]
            if not numbers or axis in STEPS or (axis != "value" and self.letters is None):
                continue
            names = join_words([self.capital(axis, number) for number in numbers])
            noun = self._nouns()[axis]
            if len(numbers) == 1:
                groups.append(f"any {noun} {names}")
            else:
                word = "any" if axis in free else "different"
                groups.append(f"{word} {plural_of(noun)} {names}")
        return f", for {' and '.join(groups)}" if groups else ""

    def _nouns(self) -> dict[str, str]:
        number = "number" if self.words.board.kind == "heaps" else "piece"
        return {"row": "row", "column": "column", "cell": self.noun, "value": number}

    def axis_of(self, noun: str) -> str | None:
        """Return the axis of a letter's name."""
        for axis, word in self._nouns().items():
            if noun in (word, plural_of(word)):
                return axis
        return None

    @cached_property
    def phrases(self) -> dict[str, Spot]:
        """Every phrase for a spot of this board, and of others by name."""
        found: dict[str, Spot] = {}
        for words in self.scene.boards:
            for ref in words.refs:
                where: tuple[tuple[str, Coordinate], ...] = (("cell", Coordinate(0, ref.cell)),)
                if words.is_rectangle:
                    row, column = words.at(ref)
                    where = (("row", Coordinate(0, row)), ("column", Coordinate(0, column)))
                found[words.named[(ref,)].text] = Spot(words.number, where)
        for spot in self._all_spots():
            phrases = (
                (self._lettered(spot),)
                if self.letters is not None
                else self._phrases(spot) or (None,)
            )
            for text in phrases:
                if text is not None:
                    found.setdefault(text, spot)
        return found

    def _all_spots(self) -> Iterator[Spot]:
        axes = ("row", "column") if self.words.is_rectangle else ("cell",)
        if len(self.words.refs) > _MOST_CELLS:
            return
        size = {"row": len(self.words.ys), "column": len(self.words.xs)}
        given: dict[str, list[Coordinate]] = {}
        for axis in axes:
            count = size.get(axis, len(self.words.refs))
            numbers = list(range(1, _MOST_LETTERS + 1))
            if self.letters is not None:
                numbers = [number for a, number in self.letters if a == axis]
            letters = [Coordinate(number, 0) for number in numbers]
            shifts = [Coordinate(1, n) for n in range(1 - count, count) if n]
            fixed = [Coordinate(0, n) for n in range(count)]
            given[axis] = [*letters, *fixed, *(shifts if self.letters is None else [])]
            if self.words.is_rectangle:
                yield from (Spot(self.board, ((axis, c),)) for c in (*letters, *fixed))
        if self.words.is_rectangle and self.letters is None:
            here = (("row", Coordinate(1, 0)), ("column", Coordinate(1, 0)))
            for axis, number in product(STEPS, range(1, _MOST_LETTERS + 1)):
                yield Spot(self.board, (*here, (axis, Coordinate(number, 0))))
        for where in product(*(given[axis] for axis in axes)):
            if any(c.letter for c in where):
                yield Spot(self.board, tuple(zip(axes, where, strict=True)))


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def _ordinal(words: tuple[str, ...], number: int, noun: str) -> str:
    if number >= len(words):
        return f"one more {noun} {number}"
    return _a(noun) if words[number] == "a" else f"{words[number]} {noun}"
