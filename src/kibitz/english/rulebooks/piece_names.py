"""Contents of cells and whose they are in, words for the kinds of pieces out.

Where a player has several kinds, those of different players that are called alike but for a mark
of the owner, such as wp and bp or white_king and black_king, are of one kind.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import kibitz.rulebook as m

__all__ = ["CHESSMEN", "piece_kinds"]

CHESSMEN = {
    "p": "pawn", "r": "rook", "n": "knight", "b": "bishop", "q": "queen", "k": "king", "m": "man",
}  # fmt: skip
_OTHERS = ("token", "counter", "marker", "guard", "scout", "runner", "chief", "tower")


def piece_kinds(owner: Mapping[str, int], players: tuple[str, ...]) -> dict[str, str]:
    """Name the kinds of pieces; they are pieces where each player has but one kind.

    >>> piece_kinds({"wp": 0, "wk": 0, "bp": 1, "bk": 1}, ("White", "Black"))
    {'wp': 'pawn', 'wk': 'king', 'bp': 'pawn', 'bk': 'king'}
    >>> piece_kinds({"x": 0, "o": 1}, ("X", "O"))
    {'x': 'piece', 'o': 'piece'}
    >>> piece_kinds({"wp": 0, "wk": 0, "bp": 1, "bk": 1}, ("Red", "Black"))["wk"]
    'king'
    """
    own = [[content for content in owner if owner[content] == n] for n in range(len(players))]
    if all(len(contents) <= 1 for contents in own):
        return dict.fromkeys(owner, "piece")
    bare = dict(zip(owner, owner, strict=True))
    shared = [_shared_start(contents) for contents in own]
    for strip in (_without_name, _without_initial, None):
        stripped = {
            content: strip(content, players[n]) if strip else content[len(shared[n]) :]
            for content, n in owner.items()
        }
        sets = [sorted(stripped[content] for content in contents) for contents in own if contents]
        if all(one == sets[0] and all(one) and len(set(one)) == len(one) for one in sets):
            bare = stripped
            break
    words: dict[str, str] = {}
    for name in dict.fromkeys(bare.values()):
        words[name] = _word(name, set(words.values()))
    return {content: words[bare[content]] for content in owner}


def _shared_start(words: list[str]) -> str:
    """Return the letters with which all words begin."""
    first, last = min(words, default=""), max(words, default="")
    count = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    return first[:count]


def _without_name(content: str, player: str) -> str:
    return re.sub(rf"^{player}[-_]?|[-_]?{player}$", "", content, flags=re.IGNORECASE)


def _without_initial(content: str, player: str) -> str:
    first = player[0].lower()
    if content.lower().startswith(first):
        return content[1:].lstrip("-_")
    return content[:-1].rstrip("-_") if content.lower().endswith(first) else content


def _word(name: str, taken: set[str]) -> str:
    word = CHESSMEN.get(name.lower(), re.sub(r"[^a-z]", "", name.lower()))
    is_noun = len(word) > 2 and not word.endswith("s") and word not in m.RESERVED
    if is_noun and word not in taken:
        return word
    return next(one for one in (*_OTHERS, f"piece{len(taken)}") if one not in taken)
