"""Sentences with letters in, the same under small headings out: start, moves, end, meanings."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kibitz.rulebook.statements.reader import OPENINGS

_HEADINGS = (
    ("What there is", r"players?:|name:|what can "),
    ("Start", r"at the start\b"),
    ("End", r"the game ends\b|[^,]*?\b(wins|loses|draws|gets \S+ points?)\b( if\b|$)"),
    ("Meanings", r"what is also said|we say that|it is always so that"),
)
_OTHERS = "Moves"


def sections_of(sentences: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Return headings with the sentences under them, in the order of the sentences.

    >>> found = sections_of(["What can change: A is on.", "At the start, p is on.",
    ...                      "White may push A if A is on.", "White wins if p is not on."])
    >>> [heading for heading, _ in found]
    ['What there is', 'Start', 'Moves', 'End']
    """
    found: dict[str, list[str]] = {}
    for sentence in sentences:
        text = sentence.lower().rstrip(".")
        heading = next((name for name, start in _HEADINGS if re.match(start, text)), _OTHERS)
        found.setdefault(heading, []).append(sentence)
    return list(found.items())


def before_letters(sentences: Iterable[str]) -> tuple[str, ...]:
    """Return the sentences before those with letters; none where they only say who plays.

    >>> before_letters(["Player: Solver.", "The board is a row of 3 cells.", "What can change: …"])
    ('Player: Solver.', 'The board is a row of 3 cells.')
    """
    found: list[str] = []
    for sentence in sentences:
        if sentence.lower().startswith(OPENINGS):
            return tuple(found) if len(found) > 1 else ()
        found.append(sentence)
    return ()
