"""Spots in, phrases out, and back: *a heap*, *another heap*, *the cell above it*, *row A*."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import product

from kibitz.english.games.patterns import plural_of
from kibitz.english.places import BoardWords
from kibitz.english.rules.phrases import Content
from kibitz.english.rules.spots import AXES, STEPS, Coordinate, Letter, Spot, piece_letter
from kibitz.english.scene import Scene
from kibitz.wording import join_words, number_word

__all__ = ["Naming"]

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
