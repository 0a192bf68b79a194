"""Valued positions of matches in, a tree with their lines out: scores proved or estimated.

The tree has the start, the lines that led to the positions, and every move in them. A score goes up
to a position from all of its moves, and is proved where all of these are.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from kibitz.engine import Move, State
from kibitz.errors import KibitzError
from kibitz.learn.minimax.trees import Node
from kibitz.learn.preferences.pool import ValuedPosition

__all__ = ["pool_tree"]


def pool_tree(start: State, positions: Iterable[ValuedPosition]) -> Node:
    """Build the tree of some positions of matches that began in a state.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.learn.preferences.pool import make_pool
    >>> game = CompiledGame(load_sheet("nim:2,3"))
    >>> pool = make_pool(game.initial(), positions=8)
    >>> tree = pool_tree(game.initial(), pool.learned_from)
    >>> tree.count() > len(pool.learned_from), any(node.is_estimated for node in tree.walk())
    (True, False)
    """
    root = Node(start)
    for position in positions:
        node = root
        for state in position.line[1:]:
            node = node.child(_joint(node.state, state))
        index = start.game.roles.index(position.role)
        best = (max if index == 0 else min)(position.scores)
        node.score, node.is_estimated = best, not position.is_proved
        for move, score in zip(position.moves, position.scores, strict=True):
            child = node.child(_with(node.state, index, move))
            # A proved score, or one from the moves behind it, is better than an estimate.
            if child.score is None or (child.is_estimated and position.is_proved):
                child.score, child.is_estimated = score, not position.is_proved
    return root


def _joint(state: State, after: State) -> tuple[Move, ...]:
    """Find the joint move that leads from a state to one that followed it in a match."""
    for joint in product(*(state.legal(role) for role in state.game.roles)):
        if state.step(joint).key == after.key:
            return joint
    raise KibitzError("this state does not follow the one before it")


def _with(state: State, index: int, move: Move) -> tuple[Move, ...]:
    """Return the joint move in which only one role has a choice."""
    roles = state.game.roles
    return tuple(move if i == index else state.legal(role)[0] for i, role in enumerate(roles))
