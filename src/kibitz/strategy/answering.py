"""Game and roles in; out the formula that a move is made near the last move of another role.

The place of a move is what its last two numbers say, or its only one: where a man is put, or the
end of a step.
"""

from __future__ import annotations

from itertools import product
from typing import cast

from kibitz.engine import CompiledGame, Role
from kibitz.gdl import Function
from kibitz.strategy.syntax.move_order import number_values
from kibitz.strategy.syntax.tree import (
    Before,
    Does,
    Formula,
    conjunction,
    disjunction,
)

__all__ = ["near_last_move"]

_MOST_MOVES = 300
"""The most moves of a role whose places are compared."""
_COORDINATES = 2

_Place = tuple[str, int, tuple[int, ...]]


def near_last_move(game: CompiledGame, role: Role, other: Role, steps: int) -> Formula:
    """Return the formula that a role moves to a place near that of another role's last move.

    In no direction are they more than so many steps apart. It is false where moves have no places.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("connect:3,4x4"))
    >>> len(near_last_move(game, "xplayer", "oplayer", 0).parts)
    4
    """
    mine, theirs = (_places(game, one) for one in (role, other))
    at: dict[_Place, list[Function]] = {}
    for move, place in mine.items():
        at.setdefault(place, []).append(move)
    found = []
    for move, (name, arity, numbers) in theirs.items():
        around = product(*(range(x - steps, x + steps + 1) for x in numbers))
        near = [m for where in around for m in at.get((name, arity, where), ())]
        does = disjunction(Does(role, answer) for answer in near)
        found.append(conjunction([Before(1, Does(other, move)), does]))
    return disjunction(found)


def _places(game: CompiledGame, role: Role) -> dict[Function, _Place]:
    """Return the place of each move of a role that has one; none if there are too many moves."""
    moves = game.network.moves[game.roles.index(role)]
    if len(moves) > _MOST_MOVES:
        return {}
    found: dict[Function, _Place] = {}
    for name, arity in dict.fromkeys((move.name, len(move.args)) for move in moves):
        alike = [move for move in moves if (move.name, len(move.args)) == (name, arity)]
        columns = []
        for n in range(arity):
            values = {cast(Function, move.args[n]) for move in alike}
            numbers = number_values(values, game.sheet)
            if numbers is not None and len(numbers) > 1:
                columns.append([numbers[cast(Function, move.args[n])] for move in alike])
        for move, *place in zip(alike, *columns[-_COORDINATES:], strict=True):
            if place:
                found[move] = name, arity, tuple(place)
    return found
