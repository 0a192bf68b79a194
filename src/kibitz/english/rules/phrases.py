"""The tree of a sentence, and its text: a move, and conditions about places and what is on them."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.engine import Move
from kibitz.english.places import CellPhrase
from kibitz.english.rules.leaving import shorten
from kibitz.gdl import Function
from kibitz.strategy import SYMMETRIES, Formula
from kibitz.wording import join_words

ANY_MOVE = "make a move"
ALL_MOVES = "make any move"
"""With moves such as *pass*, where these are a choice."""
BY_ANY_MOVE = "by any move, "
SHORT = {
    f"{ANY_MOVE} that wins at once": "win at once",
    f"{ANY_MOVE} that parries a threat to win at once": "parry a threat to win at once",
    f"{ANY_MOVE} that forces a win within three moves": "force a win within three moves",
    f"{ANY_MOVE} that takes something": "take something",
    **{
        f"{ANY_MOVE} that is the image of the opponent's last move in {words}": (
            f"copy the opponent's last move in {words}"
        )
        for words in SYMMETRIES.values()
    },
    f"{ANY_MOVE} that makes a double threat": "make a double threat",
    f"{ANY_MOVE} that keeps the opponent from making a double threat": (
        "keep the opponent from making a double threat"
    ),
}
"""Shorter forms of the same."""


@dataclass(frozen=True, slots=True)
class PlainRule:
    """A rule without names of places: literals, formulas about what follows, and moves."""

    literals: frozenset[tuple[Function, bool]]
    asked: frozenset[Formula]
    moves: frozenset[Move]


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a cell in words: for one cell, for several, and negated."""

    piece: str
    one: str
    many: str
    none: str

    def negated(self) -> str:
        """Return the phrase that this is not on a cell."""
        if self.none:
            return self.none
        return self.one.replace("is ", "is not ", 1)


@dataclass(frozen=True)
class Occupies:
    """Something is on each of some places, or on none of them."""

    places: tuple[CellPhrase, ...]
    content: Content
    holds: bool = True

    @property
    def text(self) -> str:
        """Say it."""
        names = [place.text for place in self.places]
        if len(names) == 1 and not self.places[0].is_both:
            return f"{names[0]} {self.content.one if self.holds else self.content.negated()}"
        if self.holds:
            return f"{join_words(names)} {self.content.many}"
        if len(names) == 2 and not any(place.is_both for place in self.places):
            return f"neither {names[0]} nor {names[1]} {self.content.one}"
        return f"none of {join_words(names)} {self.content.one}"


@dataclass(frozen=True, slots=True)
class Fact:
    """A fluent that is on no board, by its own words."""

    fluent: Function
    holds: bool
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """Formulas about what the move leads to, as written after a move and after *make a move*."""

    formulas: frozenset[Formula]
    text: str
    which: str = ""


Clause = Occupies | Fact | Asked


@dataclass(frozen=True)
class Action:
    """A move: its pattern's template with places and values, or a fixed text."""

    text: str
    pattern: tuple[str, int] | None = None
    places: tuple[CellPhrase, ...] = ()
    value: str = ""
    moves: frozenset[Move] = frozenset()


@dataclass(frozen=True)
class Sentence:
    """A rule in words; where its symmetric images are meant too, `likewise` says so.

    With `letters` it holds for any points that they mean.
    """

    actions: tuple[Action, ...]
    clauses: tuple[Clause, ...]
    likewise: str = ""
    letters: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Say it."""
        text = " or ".join(action.text for action in self.actions)
        clauses = list(self.clauses)
        if text in (ANY_MOVE, ALL_MOVES):
            which = [c.which for c in clauses if isinstance(c, Asked) and c.which]
            clauses = [c for c in clauses if not (isinstance(c, Asked) and c.which)]
            text += f" {' and '.join(which)}" if which else ""
            text = SHORT.get(text) or _left(text)
        conditions = join_words([clause.text for clause in clauses])
        text += f" if {conditions or 'you can'}"
        if self.letters:
            text += f", for any points {join_words(list(self.letters))}"
        text += self.likewise
        return text[0].upper() + text[1:] + "."


def _left(text: str) -> str:
    """Say what a move leaves, where that is all that is asked of it."""
    if not text.startswith(ALL_MOVES):
        return shorten(text)
    long = text.replace(ALL_MOVES, ANY_MOVE, 1)
    short = shorten(long)
    return f"{BY_ANY_MOVE}{short}" if short != long else text


AFTER = "after the move "
AFTER_WHICH = "after which "


def which_of(text: str) -> str:
    """Rewrite a condition about what a move leads to as a clause of *a move*, where that is short.

    >>> which_of("after the move no heap is empty")
    'after which no heap is empty'
    """
    listed = ", " in text and not text.startswith(f"{AFTER}either ")
    plain = text.startswith(AFTER) and " and " not in text and not listed
    return AFTER_WHICH + text.removeprefix(AFTER) if plain else ""
