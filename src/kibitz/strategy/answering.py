"""Game and roles in; out the formula that a move answers another role's last one by its place.

The place of a move is what its last two numbers say, or its only one: where a man is put, or the
end of a step. Its image under a symmetry is the move of the same name at the images of its cells.
"""

from __future__ import annotations

from itertools import product
from typing import cast

from kibitz.board import CellRef, layout_of
from kibitz.engine import CompiledGame, Role
from kibitz.gdl import Function
from kibitz.strategy import tree
from kibitz.strategy.evaluation.board_symmetries import carried_cells
from kibitz.strategy.syntax.move_order import number_values

__all__ = ["image_of_last_move", "near_last_move"]

_MOST_MOVES = 300
"""The most moves of a role whose places are compared."""
_COORDINATES = 2

_Place = tuple[str, int, tuple[int, ...]]
_Where = tuple[str, int, frozenset[CellRef]]


def near_last_move(game: CompiledGame, role: Role, other: Role, steps: int) -> tree.Formula:
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
        does = tree.disjunction(tree.Does(role, answer) for answer in near)
        found.append(tree.conjunction([tree.Before(1, tree.Does(other, move)), does]))
    return tree.disjunction(found)


def image_of_last_move(game: CompiledGame, role: Role, other: Role, symmetry: str) -> tree.Formula:
    """Return the formula that a role makes the image of another role's last move.

    It is false where moves are not made on a board, or its cells have no such images.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> len(image_of_last_move(game, "oplayer", "xplayer", "half_turn").parts)
    8
    """
    mine, theirs = (_cells(game, one) for one in (role, other))
    boards = layout_of(game).boards
    images = [carried_cells(symmetry, board.cells) for board in boards]
    at: dict[_Where, list[Function]] = {}
    for move, where in mine.items():
        at.setdefault(where, []).append(move)
    found = []
    for move, (name, arity, cells) in theirs.items():
        there = [CellRef(ref.board, images[ref.board].get(ref.cell, -1)) for ref in cells]
        if frozenset(there) != cells:  # in the middle there is nothing to copy
            does = tree.disjunction(
                tree.Does(role, m) for m in at.get((name, arity, frozenset(there)), ())
            )
            found.append(tree.conjunction([tree.Before(1, tree.Does(other, move)), does]))
    return tree.disjunction(found)


def _cells(game: CompiledGame, role: Role) -> dict[Function, _Where]:
    """Return on which cells each move of a role is made; none if there are too many moves."""
    moves = game.network.moves[game.roles.index(role)]
    if len(moves) > _MOST_MOVES:
        return {}
    layout = layout_of(game)
    cells = {move: frozenset(layout.gesture(move).cells) for move in moves}
    return {move: (move.name, len(move.args), here) for move, here in cells.items() if here}


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
