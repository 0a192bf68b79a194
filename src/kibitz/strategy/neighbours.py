"""Game and role in; out which of its things are neighbours, as numbers of a state.

Two places are neighbours where the numbers that name them differ by one at most, as on a board of
rows and columns.
"""

from __future__ import annotations

from typing import cast

from kibitz.engine import CompiledGame, Role
from kibitz.gdl import Function
from kibitz.strategy.ownership import Place, owned_things
from kibitz.strategy.syntax.numbers import Number

__all__ = ["neighbouring_pairs", "things_of"]

_MOST_PAIRS = 20_000
_MOST_COORDINATES = 2
"""With more numbers, places that are near one another need not be neighbours on a board."""


def things_of(game: CompiledGame, role: Role) -> Number | None:
    """Return how many things a role has; None if it owns nothing.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy.syntax.numbers import number_in
    >>> game = CompiledGame(load_sheet("breakthrough:4x3"))
    >>> number_in(things_of(game, "white"), game.initial().fluents)
    6
    """
    things = [thing for owned in owned_things(game, role).values() for thing in owned]
    if not things:
        return None
    return Number("count", tuple((thing, 1) for thing in sorted(things, key=str)))


def neighbouring_pairs(game: CompiledGame, role: Role) -> Number | None:
    """Return how many pairs of a role's things are neighbours; None if no places have numbers.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy.syntax.numbers import number_in
    >>> game = CompiledGame(load_sheet("breakthrough:4x3"))
    >>> number_in(neighbouring_pairs(game, "white"), game.initial().fluents)
    11
    """
    things: list[Function] = []
    pairs: list[int] = []
    for place, owned in owned_things(game, role).items():
        places = _coordinates(game, place, owned)
        at: dict[tuple[int, ...], list[int]] = {}
        for thing, where in places.items():
            at.setdefault(where, []).append(len(things))
            things.append(thing)
        for where, here in at.items():
            for other in _after(where):
                pairs += [x for a in here for b in at.get(other, ()) for x in (2 * a, 2 * b, -1)]
    if not pairs or len(pairs) > 3 * _MOST_PAIRS:
        return None
    return Number("cases", tuple((thing, n) for n, thing in enumerate(things)), table=tuple(pairs))


def _after(where: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the neighbouring places that come later in order."""
    found: list[tuple[int, ...]] = [()]
    for x in where:
        found = [(*before, x + step) for before in found for step in (-1, 0, 1)]
    return [other for other in found if other > where]


def _coordinates(
    game: CompiledGame, place: Place, owned: list[Function]
) -> dict[Function, tuple[int, ...]]:
    """Return where things are, by the numbers of their other arguments; none without numbers."""
    from kibitz.strategy.syntax.numerals import numbers_of_values

    _, arity, at = place
    others = [k for k in range(arity) if k != at]
    if len(others) > _MOST_COORDINATES:
        return {}
    columns = []
    for k in others:
        values = {cast(Function, thing.args[k]) for thing in owned}
        numbers = numbers_of_values(values, game.sheet)
        if numbers is None:
            return {}
        columns.append({thing: numbers[cast(Function, thing.args[k])] for thing in owned})
    return {thing: tuple(column[thing] for column in columns) for thing in owned}
