"""The text of a sentence with letters in, its words out: letters, names, numbers and marks."""

from __future__ import annotations

import re
from typing import NamedTuple

from kibitz.errors import Place

RESERVED = frozenset(
    {"and", "or", "if", "for", "in", "from", "to", "then", "not", "does", "may", "chooses", "the",
     "an", "is", "are", "player", "wins", "loses", "draws", "gets", "so", "differs"}
)  # fmt: skip
"""Words that build sentences; a constant of this name is written in quotes."""

_WORD = re.compile(
    r"""(?P<quoted>"[^"\n]*")
      | (?P<mark>[()\[\],;:])
      | (?P<own>['’]s?\b|(?<=s)['’])
      | (?P<number>-?\d+(?![\w-]))
      | (?P<letter>[A-Z]\d*(?![\w-]))
      | (?P<word>Player[ ]\d+\b|[^\W_][\w-]*)
      | (?P<other>\S)""",
    re.VERBOSE,
)
_PLAIN = re.compile(r"-?\d+|[a-z][\w-]*|[A-Z][\w-]*[a-z][\w-]*|\d+[a-z][\w-]*", re.ASCII)


class Word(NamedTuple):
    """A word, what kind it is, and where: quoted, mark, own, number, letter, word or other."""

    kind: str
    text: str
    place: Place


def split_words(text: str, start: int = 0) -> list[Word]:
    """Split a sentence; places count from `start`.

    >>> [f"{word.kind} {word.text}" for word in split_words("it is A's turn")]
    ['word it', 'word is', 'letter A', "own 's", 'word turn']
    """
    found = []
    for match in _WORD.finditer(text):
        kind, place = str(match.lastgroup), Place(start + match.start(), start + match.end())
        word = match.group()
        if kind == "quoted":
            word = word[1:-1]
        elif kind == "own":
            word = "'s"
        elif kind == "word":
            word = word.replace(" ", "")  # Player 1
        found.append(Word(kind, word, place))
    return found


def is_plain(constant: str) -> bool:
    """Return whether a constant is written without quotes.

    >>> is_plain("disc1"), is_plain("X"), is_plain("and"), is_plain("+")
    (True, False, False, False)
    """
    return _PLAIN.fullmatch(constant) is not None and constant.lower() not in RESERVED


def written_constant(constant: str) -> str:
    """Write a constant, in quotes where it would be read as something else."""
    return constant if is_plain(constant) else f'"{constant}"'
