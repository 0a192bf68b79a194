"""The sentences of a text in, the names of its players out: whoever wins, begins or has pieces."""

from __future__ import annotations

import re

from kibitz.rulebook.grammar import RESERVED, Token, number_of, singular_of, stem_of
from kibitz.rulebook.prose.tables import word_set

_NOBODY = RESERVED | word_set("""
    he she who whoever side sides side's child children it this there those these someone
    nobody everyone neither both first last second play opponent winner loser draw tie when
    once as beginning setup goal aim end pieces piece pawn pawns stone stones men man
    """)
_COLOURS = word_set("""
    white black red blue green yellow orange purple grey gray brown pink
    """)
_BEGINS = ("moves", "move", "goes", "go", "starts", "start", "begins", "begin", "plays", "play")
_WINS = ("wins", "win", "loses", "lose", "uses", "tries")
_PAIRS = {"White": "Black", "Black": "White", "X": "O", "O": "X"}


def player_names(sentences: list[list[Token]]) -> tuple[str, ...]:
    """Return who plays, whoever begins first; nobody, if the text names none or one."""
    first: list[str] = []
    found: dict[str, str] = {}
    for tokens in sentences:
        lows = [token.text.lower() for token in tokens]
        for at, low in enumerate(lows):
            name = tokens[at].text
            after = lows[at + 1 : at + 3]
            if not _may_be_name(name):
                continue
            is_head = _heads_clause(tokens, at)
            if is_head and after[:1] and after[0] in _WINS:
                _add(found, name)
            elif (is_head or name[0].isupper()) and _is_first(after):
                first.append(stem_of(name))
                _add(found, name)
            elif (lows[at - 1 : at] == ["then"] and name[0].isupper() and not after) or (
                low in _COLOURS and (name[0].isupper() or _acts(after, is_head))
            ):
                _add(found, name)
        _listed(tokens, lows, found)
    if len(found) == 1 and (other := _PAIRS.get(next(iter(found.values())))):
        _add(found, other)
    if 1 < len(found) <= 6:
        names = sorted(found.items(), key=lambda one: one[0] not in first)
        return tuple(name for _, name in names)
    return ()


def _acts(after: list[str], is_head: bool) -> bool:
    """Return whether words after a colour say that it is somebody who has or does something."""
    return after[:1] == ["'s"] or (is_head and bool(after) and after[0] in (*_BEGINS, "has"))


def _is_first(after: list[str]) -> bool:
    """Return whether words after a name say that it begins."""
    if not after or after[0] not in _BEGINS or after[0] == "play":
        return False
    return after[1:2] in (["first"], [])


def _listed(tokens: list[Token], lows: list[str], found: dict[str, str]) -> None:
    """Add the names of *two players, Ann and Bob* and of *one player is X, the other is O*."""
    for at, low in enumerate(lows):
        if low == "player" and at + 1 < len(tokens):
            letter = tokens[at + 1].text
            if re.fullmatch(r"[A-Z]", letter) and lows[at + 2 : at + 3] != ["player"]:
                _add(found, letter)
        if low == "players" and at and number_of(lows[at - 1]):
            count, names = number_of(lows[at - 1]), list[str]()
            for token in tokens[at + 1 :]:
                word = token.text.lower()
                if word in ("called", "named", "and", "are"):
                    continue
                if not token.text[0].isupper() or not _may_be_name(token.text):
                    break
                names.append(token.text)
            if len(names) == count:
                for name in names:
                    _add(found, name)
        if low in ("controls", "plays") and lows[at - 1 : at] == ["player"]:
            _add_noun(tokens[at + 1 :], found)
        if low == "other" and "controls" in lows[:at]:
            _add_noun(tokens[at + 1 :], found)
        if low == "other" and tokens[at + 1 :] and tokens[at + 1].text[0].isupper():
            _add_noun(tokens[at + 1 :], found)
        if low in ("is", "plays", "as") and lows[at - 1 : at] in (["player"], ["other"]):
            called = lows[at + 1 : at + 2] == ["called"]
            after = tokens[at + 1 + called : at + 2 + called]
            if after and after[0].text[0].isupper() and _may_be_name(after[0].text):
                _add(found, after[0].text)


def _add_noun(tokens: list[Token], found: dict[str, str]) -> None:
    """Add the first noun of *one the three dogs*."""
    for token in tokens[:4]:
        if _may_be_name(token.text) and token.text.lower() not in ("controls", "plays", "player"):
            _add(found, token.text)
            return


def _add(found: dict[str, str], name: str) -> None:
    text = name[:1].upper() + name[1:]
    found.setdefault(stem_of(name), text)


def _may_be_name(word: str) -> bool:
    low = word.lower()
    return (
        low.isalpha()
        and low not in _NOBODY
        and singular_of(low) not in _NOBODY
        and number_of(low) is None
    )


def _heads_clause(tokens: list[Token], at: int) -> bool:
    """Return whether a word begins a clause, with an article or without."""
    while at and tokens[at - 1].text.lower() in ("the", "a", "then"):
        at -= 1
    return (
        at == 0
        or tokens[at].is_apart
        or tokens[at - 1].text.lower() in ("and", "so", "but", "then", "otherwise")
    )
