"""Rules in English in, the part of a game that each sentence is about out; and sentences to add.

A form that builds rules (board, pieces, moves, end) shows the sentences of a text by these parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from kibitz.rulebook.model import (
    Begins,
    Belongs,
    End,
    Grid,
    Hand,
    Join,
    Missing,
    Most,
    Payoff,
    Piles,
    Pits,
    Players,
    Points,
    Ring,
    Row,
    Score,
    Sentence,
    Simultaneous,
    Start,
    Stock,
    Store,
    Title,
)
from kibitz.rulebook.reader import split_sentences
from kibitz.rulebook.sentences import GRAMMAR, SECTIONS

Part = Literal["board", "pieces", "moves", "end"]
PARTS: tuple[Part, ...] = get_args(Part)

_BOARD = (Title, Grid, Row, Ring, Points, Join, Missing, Piles, Pits)
_START = (Players, Begins, Simultaneous, Belongs, Start, Hand, Store, Stock)
_END = (End, Most, Payoff, Score)
_RESULTS = ("You win if", "You lose if", "The game is a draw if")


@dataclass(frozen=True, slots=True)
class SentencePart:
    """A sentence as it stands in a text, and what it is about; None where it is not understood."""

    text: str
    part: Part | None


def parts_of(text: str) -> list[SentencePart]:
    """Return every sentence of a text with its part.

    >>> [one.part for one in parts_of("Size: 3 by 3. X begins. You may pass. Hm. You win if hm.")]
    ['board', 'pieces', 'moves', None, None]
    """
    return [
        SentencePart(text[place.start : place.end], None if found is None else _part(found))
        for found, place in split_sentences(text)
    ]


def sentences_to_add() -> dict[Part, tuple[str, ...]]:
    """Return an example of every kind of sentence, by its part, as a designer may add it.

    >>> sentences_to_add()["end"][0]
    'You win if you have three in a line.'
    """
    found: dict[Part, list[str]] = {part: [] for part in PARTS}
    examples = [
        text
        for patterns in SECTIONS.values()
        for pattern in patterns
        for text in GRAMMAR.spellings(pattern)[:1]
        if pattern.symbol == "sentence"
    ]
    moves = [f"on your turn, {GRAMMAR.spellings(move)[0]}" for move in GRAMMAR.of("move")]
    conditions = [GRAMMAR.spellings(condition)[0] for condition in GRAMMAR.of("condition")]
    ends = [f"{result} {condition}" for result in _RESULTS for condition in conditions]
    for text in dict.fromkeys([*moves, *ends, *examples]):
        (one,) = parts_of(f"{text}.") or [SentencePart(text, None)]
        if one.part is not None:
            found[one.part].append(f"{text[:1].upper()}{text[1:]}.")
    return {part: tuple(dict.fromkeys(texts)) for part, texts in found.items()}


def _part(sentence: Sentence) -> Part:
    if isinstance(sentence, _BOARD):
        return "board"
    if isinstance(sentence, _END):
        return "end"
    return "pieces" if isinstance(sentence, _START) else "moves"
