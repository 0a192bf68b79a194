"""Words in, what a slot of a pattern holds out: numbers, names of players, pieces and cells."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from kibitz.rulebook.grammar import (
    ARTICLE,
    RESERVED,
    Builtin,
    Token,
    number_of,
    plural_of,
    singular_of,
)
from kibitz.rulebook.model import OPPONENT, YOU, Name
from kibitz.wording import number_word

_Found = Iterable[tuple[int, Any]]


def _one(tokens: list[Token], start: int) -> Token | None:
    return tokens[start] if start < len(tokens) else None


def _number(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    value = None if token is None else number_of(token.text)
    return [] if value is None else [(start + 1, value)]


def _is_open(token: Token | None) -> bool:
    """Return whether a word can be the name of a piece, a player, a point or a choice."""
    if token is None or token.text.lower() in RESERVED or token.stem in RESERVED:
        return False
    return re.fullmatch(r"[^\W\d_][\w-]*", token.text) is not None


def _kind(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    if token is None or not _is_open(token) or number_of(token.text) is not None:
        return []
    return [(start + 1, Name.at(singular_of(token.text), token.place))]


_OWN = re.compile(r"(?:a|an|the|any|one|your|any of your|one of your|your own|one of the) $")


def _own(tokens: list[Token], start: int) -> _Found:
    """Read *a king*, *your king*, *one of your kings*, *a king of yours*: all the same."""
    found: list[tuple[int, Any]] = []
    for at in range(start + 1, min(start + 4, len(tokens))):
        before = "".join(f"{token.text.lower()} " for token in tokens[start:at])
        if not _OWN.fullmatch(before):
            continue
        for end, kind in _kind(tokens, at):
            after = [token.text.lower() for token in tokens[end : end + 3]]
            if after[:2] == ["of", "yours"]:
                end += 2
            elif after == ["of", "your", "own"]:
                end += 3
            found.append((end, kind))
    return found


def _ordinal(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    if token is None or token.text.lower() not in ORDINALS:
        return []
    return [(start + 1, ORDINALS.index(token.text.lower()) + 1)]


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def _player(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    if token is None or not (_is_open(token) or token.text == "A"):
        return []
    return [(start + 1, Name.at(_capital(token.text), token.place))]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _who(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    if token is not None and token.text.lower() == "you":
        return [(start + 1, YOU)]
    return _player(tokens, start)


def _owner(tokens: list[Token], start: int) -> _Found:
    words = [token.text.lower() for token in tokens[start : start + 2]]
    if words in (["your", "opponent"], ["your", "opponents"], ["another", "player"]):
        return [(start + 2, OPPONENT)]
    return _who(tokens, start)


def _whose(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    if token is not None and token.text.lower() == "your":
        return [(start + 1, YOU)]
    after = _one(tokens, start + 1)
    if after is not None and after.text == "'s":
        return [(end + 1, name) for end, name in _player(tokens, start)]
    return []


def _cell(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    if token is None:
        return []
    text = token.text.lower()
    if text != "a" and not text.isdecimal() and not _is_open(token):
        return []
    return [(start + 1, Name.at(text, token.place))]


def _letter(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    if token is None or not re.fullmatch(r"[A-Za-z]", token.text):
        return []
    return [(start + 1, Name.at(token.text.lower(), token.place))]


def _word(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    if token is None or not _is_open(token):
        return []
    return [(start + 1, Name.at(token.text.lower(), token.place))]


def _verb(tokens: list[Token], start: int) -> _Found:
    return [(end, Name.at(singular_of(word), word.place)) for end, word in _word(tokens, start)]


def _title(tokens: list[Token], start: int) -> _Found:
    text = re.sub(r" ('s\b)", r"\1", " ".join(token.text for token in tokens[start:]))
    return [(len(tokens), text)] if text else []


def _whose_text(who: str) -> str:
    return (f"{who}'" if who.endswith("s") else f"{who}'s") if who else "your"


def _owner_text(owner: str) -> str:
    return {YOU: "you", OPPONENT: "your opponent"}.get(owner, owner)


BUILTINS: dict[str, Builtin] = {
    "number": (_number, lambda n: number_word(n) if n else "0", "a number", 3),
    "size": (_number, str, "a number", 3),
    "kind": (_kind, str, "a kind of piece", "piece"),
    "own": (_own, lambda kind: f"{ARTICLE} {kind}", "a kind of piece", "piece"),
    "ordinal": (_ordinal, lambda n: ORDINALS[n - 1], "'second', 'third'", 2),
    "kinds": (_kind, plural_of, "a kind of piece", "piece"),
    "named": (_kind, plural_of, "a kind of piece", "stone"),
    "player": (_player, str, "the name of a player", ("White", "Black")),
    "who": (_who, lambda who: who or "you", "'you' or the name of a player", YOU),
    "owner": (_owner, _owner_text, "'you', 'your opponent' or the name of a player", YOU),
    "whose": (
        _whose,
        _whose_text,
        "'your' or a player's name with 's",
        YOU,
    ),
    "cell": (_cell, str, "the name of a cell", ("a1", "b1", "c1")),
    "letter": (_letter, str, "the letter of a column", "a"),
    "word": (_word, str, "a word", ("rock", "paper", "scissors")),
    "verb": (_verb, str, "a word", "rock"),
    "title": (_title, str, "a name", "Three in a line"),
}
