"""List the names of larger games of a game's family, a list per direction."""

from __future__ import annotations

import re
from functools import partial

from kibitz.errors import GameNameError
from kibitz.games.names import read_name

_STEPS = 8
_NUMBER = re.compile(r"\d+")


def larger_games(name: str) -> list[list[str]]:
    """Return the names of games in which one number of a name, or all, is larger by 1, 2, ….

    No list is empty; there is none for a name that is not of the library or has no numbers.

    >>> [names[:2] for names in larger_games("chomp:2x3")]
    [['chomp:3x3', 'chomp:4x3'], ['chomp:2x4', 'chomp:2x5'], ['chomp:3x4', 'chomp:4x5']]
    >>> larger_games("tictactoe")
    []
    """
    try:
        written = _written(name)
    except GameNameError:
        return []
    head, _, text = written.partition(":")
    count = len(_NUMBER.findall(text))
    directions = [frozenset({place}) for place in range(count)]
    if count > 1:
        directions.append(frozenset(range(count)))
    found = [
        [f"{head}:{_grown(text, places, step)}" for step in range(1, _STEPS + 1)]
        for places in directions
    ]
    known = [[other for other in names if _is_name(other)] for names in found]
    return [names for names in known if names]


def _written(name: str) -> str:
    """Write out the parameters of a bare name."""
    head, family, _ = read_name(name)
    if ":" in name or not family.parameters or not isinstance(family.facts, partial):
        return name
    values = family.facts.keywords
    required = family.parameters.partition("[")[0]
    filled = re.sub(
        r"[A-Z]+(,\.\.\.)?",
        lambda match: _listed(values.get(match[0].removesuffix(",...").lower())),
        required,
    )
    return f"{head}:{filled}"


def _listed(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _grown(text: str, places: frozenset[int], step: int) -> str:
    numbers = iter(range(len(text)))
    return _NUMBER.sub(
        lambda match: str(int(match[0]) + (step if next(numbers) in places else 0)), text
    )


def _is_name(name: str) -> bool:
    try:
        read_name(name)
    except GameNameError:
        return False
    return True
