"""Moves in, phrases out: a template for the moves of each name, and which move is which."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kibitz.board import CellRef, Layout, count_of
from kibitz.engine import Game, Move
from kibitz.english.games.owners import survey_of
from kibitz.english.lexicon import Lexicon
from kibitz.english.places import BoardWords, Target
from kibitz.gdl import Function

_VERBS = {
    "mark": "take {1}",
    "place": "put one on {1}",
    "put": "put one on {1}",
    "drop": "drop one on {1}",
}
_MOTIONS = ("move", "jump", "slide", "go", "step", "hop", "push", "capture", "travel", "walk")
_TAKING = ("remove", "take", "subtract", "draw", "pick")
SAFE = re.compile(r"[\w-]+(?: [\w-]+)*")
"""Values that a sentence can contain without ambiguity."""


def plain_words(name: str) -> str:
    """Split a name of the rules into words.

    >>> plain_words("moveTo"), plain_words("jump_over")
    ('move to', 'jump over')
    """
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return re.sub(r"[_\-]+", " ", spaced).lower()


@dataclass(frozen=True)
class Verb:
    """The phrase for moves of one name: a template, with {1}, {2} for places and {v} for values."""

    template: str
    moves: dict[tuple[tuple[Target, ...], str], Move] = field(repr=False)


@dataclass(frozen=True)
class VerbMaker:
    """Finds the words for moves from how they are made on the boards."""

    game: Game
    layout: Layout
    boards: Sequence[BoardWords]
    lexicon: Lexicon

    def verbs(self, moves: Iterable[Move]) -> dict[tuple[str, int], Verb]:
        """Find the verbs of the moves of each name; those made on no board have none."""
        found: dict[tuple[str, int], Verb] = {}
        used: set[str] = set()
        groups: dict[tuple[str, int], list[Move]] = {}
        for move in moves:
            groups.setdefault((move.name, len(move.args)), []).append(move)
        for key, alike in groups.items():
            made = self._made(alike)
            if made is None:
                continue
            template = self._template(alike[0], made)
            if template in used:
                template = f"{plain_words(key[0])}: {template}"
            used.add(template)
            found[key] = Verb(template, made)
        return found

    def _made(self, moves: Iterable[Move]) -> dict[tuple[tuple[Target, ...], str], Move] | None:
        """Sort moves by their places and value, if these identify them."""
        found: dict[tuple[tuple[Target, ...], str], Move] = {}
        for move in moves:
            gesture = self.layout.gesture(move)
            if gesture.kind == "button" or not gesture.cells:
                return None
            targets: tuple[Target, ...] = (
                (gesture.cells,)
                if gesture.kind == "click"
                else tuple((ref,) for ref in gesture.cells)
            )
            words = self.boards[gesture.cells[0].board]
            if any(t not in words.named and t not in words.lines for t in targets):
                return None
            if words.board.kind == "stacks" and len(targets) > 1:
                return None
            if gesture.value and not SAFE.fullmatch(gesture.value):
                return None
            if (targets, gesture.value) in found:
                return None
            found[targets, gesture.value] = move
        return found

    def _template(self, move: Move, made: dict[tuple[tuple[Target, ...], str], Move]) -> str:
        given = self.lexicon.moves.get(move.name)
        targets, value = next(iter(made))
        size = len(targets)
        if given:
            for n in range(size + 1, 10):
                given = given.replace(f"{{{n}}}", "{v}")
            wanted = [*(f"{{{n + 1}}}" for n in range(size)), *(["{v}"] if value else [])]
            if all(given.count(part) == 1 for part in wanted):
                return given
        name = plain_words(move.name)
        if size > 1:
            middle = "".join(f" by {{{n}}}" for n in range(2, size))
            text = f"{name} from {{1}}{middle} to {{{size}}}"
            if size == 2 and name.split()[0] not in _MOTIONS:
                text = f"{_VERBS.get(name, f'{name} {{1}}')} and {{2}}"
            if value and self._carries(move):
                return text.replace(name, f"{name} {{v}}", 1)
            return f"{text} as {{v}}" if value else text
        if len(targets[0]) > 1:
            return f"{name} {{v}} in {{1}}" if value else f"{name} in {{1}}"
        if value:
            if self.boards[targets[0][0].board].board.kind == "stacks":
                return f"{name} {{v}} to {{1}}"
            word = self._counted(move)
            if word == "by" and name in _TAKING:
                return f"{name} {{v}} from {{1}}"
            return f"{name} {{1}} {word} {{v}}" if word else f"{name} {{v}} at {{1}}"
        if name in _VERBS:
            return _VERBS[name]
        return f"{name} {{1}}"

    def _carries(self, move: Move) -> bool:
        """Return whether the value of moves is the piece that stands where they begin."""
        survey = survey_of(self.game)
        made = [
            (self.layout.gesture(one), step.before)
            for step in (*survey.first_steps, *survey.steps)
            for one in step.joint
            if (one.name, len(one.args)) == (move.name, len(move.args))
        ]
        return bool(made) and all(
            gesture.cells and gesture.value in self._held(gesture.cells[0], before)
            for gesture, before in made
        )

    def _held(self, ref: CellRef, fluents: Iterable[Function]) -> set[str]:
        places = (self.layout.place(fluent) for fluent in fluents)
        return {place.piece for place in places if place and place.cell == ref}

    def _counted(self, move: Move) -> str:
        """Return whether the value of a move on heaps is what is left, or what is taken."""
        ways = {"to", "by"}
        survey = survey_of(self.game)
        for step in (*survey.first_steps, *survey.steps):
            for made in step.joint:
                if (made.name, len(made.args)) != (move.name, len(move.args)):
                    continue
                gesture = self.layout.gesture(made)
                if not gesture.cells:
                    return ""
                before = self._count(gesture.cells[0], step.before)
                after = self._count(gesture.cells[0], step.after)
                value = count_of(gesture.value)
                if before is None or after is None or value is None:
                    return ""
                ways &= {w for w, n in (("to", after), ("by", before - after)) if n == value}
        return ways.pop() if len(ways) == 1 else ""

    def _count(self, ref: CellRef, fluents: Iterable[Function]) -> int | None:
        for fluent in fluents:
            place = self.layout.place(fluent)
            if place and place.cell == ref and place.shows == "count":
                return count_of(place.piece)
        return None
