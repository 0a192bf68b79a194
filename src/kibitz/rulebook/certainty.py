"""Find the word of a sentence that its reading loses: a quantifier, a number, a direction, an *or*.

Phrases pass over articles and turns of speech, and a word that changes the meaning must not get
lost with them. Each such word has carriers, words of the reading that say as much; and a number
that only the reading has was not said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from itertools import pairwise
from typing import Any

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import Token, number_of, stem_of
from kibitz.rulebook.model import Sentence
from kibitz.rulebook.prose.remarks import Remark
from kibitz.rulebook.prose.tables import word_set
from kibitz.rulebook.sentences import GRAMMAR
from kibitz.rulebook.slots import ORDINALS

_CARRIERS = {
    word: word_set(carriers)
    for words, carriers in (
        (
            "all every each both whole entire everything everybody everyone",
            "all every each both no nobody nothing everything full sow",
        ),
        ("exactly precisely only alone", "exactly only forbidden belong fewer move"),
        (
            "not never cannot nobody none neither nor no without nothing",
            "not no cannot nobody nothing never without draw forbidden empty remark drop",
        ),
        ("unless except until instead rather besides", "end"),
        (
            "more most fewer fewest less least than maximum minimum",
            "any more fewer less most least exactly up",
        ),
        ("half odd even double twice thrice time", "time"),
        ("same", "same yours from each every"),
        ("different other", "other opponent different"),
        ("another", "another other opponent near enclose"),
        ("again", "again"),
        ("already before ago within", "before ago"),
        ("forward ahead onward", "forward"),
        ("back backward", "backward back last home first"),
        ("left", "left sideway straight no nothing exactly empty cannot"),
        ("right", "right sideway straight"),
        ("up upward", "up straight full most in start"),
        ("down downward", "down straight column"),
        ("sideway", "sideway left"),
        ("diagonal diagonally", "diagonal diagonally any line"),
        ("horizontal horizontally", "horizontal straight any line left sideway"),
        ("vertical vertically", "vertical straight any line up upright"),
        ("orthogonal orthogonally", "straight any next"),
        ("clockwise", "clockwise"),
        ("anticlockwise counterclockwise", "anticlockwise"),
    )
    for word in words.split()
}
"""Stems of words that change a meaning, and those of a reading that say as much."""

_IDLE = word_set("""
    player side turn move round go person people child other step place direction come way
    """)
"""Of these a quantifier or a number says nothing: *each player*, *all the way*, *one step*."""
_AHEAD = word_set("forward ahead onward back backward")
_FIRM = word_set("straight diagonally")
_WAYS = _AHEAD | _FIRM | word_set("left right up upward down downward sideway orthogonally")
_LINES = word_set("row column diagonal diagonally horizontal horizontally vertical vertically")
_RULES = (m.MoveRule, m.MoveCaptures, m.Promotion, m.LineWorth, m.Worth, m.Enclose, m.TurnOver)


def lost_word(tokens: Sequence[Token], said: Sequence[Sentence]) -> Token | None:
    """Return the first word that a reading loses, or beside which it says what nobody wrote."""
    if said and all(isinstance(one, Remark) for one in said):
        return None  # it is reported as such
    stems, numbers = _stems(said), {n for one in said for n in _numbers(one)}
    carried = numbers | {n for stem in stems if (n := number_of(stem)) is not None}
    carried |= {n for one in said for n in _implied(one)} | ({2} if "between" in stems else set())
    counted = _IDLE | (word_set("cell square field space") if "full" in stems else set())
    moves = [one for one in said if isinstance(one, m.MoveRule)]
    in_turn = len(moves) > 1 and not any(one.then for one in moves)  # one or the other
    for at, token in enumerate(tokens):
        if token.stem == "then" and in_turn:
            return token
        number = 2 if token.stem == "both" and 2 in numbers else number_of(token.text) or 0
        if number > 1:
            is_denied = "draw" in stems and any(one.stem == "nobody" for one in tokens[:at])
            is_lost = number not in carried and not is_denied
        else:
            is_subject = at == 0 and all(isinstance(one, _RULES) for one in said)
            is_lost = not is_subject and _CARRIERS.get(token.stem, stems).isdisjoint(stems)
        if is_lost and not _is_idle(tokens, at, counted):
            return token
        if token.stem == "or" and not _has_alternative(tokens, at, stems, len(said) > 1):
            return token
    for one, after in pairwise(tokens):
        pair = {one.stem, after.stem}
        if pair <= _WAYS and not after.is_apart and not (pair & _AHEAD and pair & _FIRM):
            return after  # *straight up* is one direction, and not two
    seen = {number for token in tokens for number in _numbers_in(token)}
    return tokens[0] if numbers - seen - {2 * n for n in seen} - {0, 1} else None


def is_decisive(token: Token) -> bool:
    """Return whether a word must not get lost, whatever the sentence."""
    return token.stem in _CARRIERS


def _is_idle(tokens: Sequence[Token], at: int, counted: frozenset[str]) -> bool:
    """Return whether a quantifier or a number counts players, turns or the like."""
    before, stem = tokens[at - 1].stem, tokens[at].stem
    if (stem == "other" and before == "each") or (
        stem in ("up", "down") and re.match("knock|pick|lin[ei]|put|set|fill|lay|take|taki", before)
    ):
        return True  # *each other*, *knock down*
    for token in tokens[at + 1 : at + 5]:
        if token.stem in counted:
            return True
        if token.stem not in ("of", "the", "your", "a") and number_of(token.text) is None:
            return False
    return False


def _has_alternative(tokens: Sequence[Token], at: int, stems: set[str], is_several: bool) -> bool:
    """Return whether the reading has the alternatives beside *or*."""
    before, after = tokens[at - 1].stem, tokens[at + 1].stem if at + 1 < len(tokens) else ""
    number, other = number_of(before), number_of(after)
    if number is not None and other is not None:
        return other == number + 1  # read as *from … to …*
    return "or" in stems or is_several or {before, after} <= _LINES


def written(said: Sequence[Sentence]) -> list[str]:
    """Return sentences in words; what other sentences must settle first has none."""
    texts: list[str] = []
    for one in said:
        with suppress(ValueError):
            texts.append(GRAMMAR.sentence(one))
    return texts


def _stems(said: Sequence[Sentence]) -> set[str]:
    texts = [*map(repr, said), *written(said)]
    return {""} | {stem_of(word) for word in re.findall(r"[A-Z]?[a-z]+", " ".join(texts))}


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, tuple):
        for one in value:
            yield from _numbers(one)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _numbers(getattr(value, field.name))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value


def _implied(value: Any) -> Iterator[int]:
    """Yield numbers that lists and ranges of a reading stand for."""
    if isinstance(value, m.Take):
        yield from range(value.least, value.most + 1)
    elif isinstance(value, str) and value.isdecimal():
        yield int(value)  # the name of a point
    elif isinstance(value, tuple):
        yield len(value)
        for one in value:
            yield from _implied(one)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _implied(getattr(value, field.name))


def _numbers_in(token: Token) -> Iterator[int]:
    word = token.text.lower()
    if word in ORDINALS:
        yield ORDINALS.index(word) + 1
    if word in ("both", "double", "pair", "between"):
        yield 2
    for part in (word, *re.split(r"\W", word)):
        if (number := number_of(part)) is not None:
            yield number
