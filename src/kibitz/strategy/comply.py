"""Strategies of some roles and a formula in; out whether it holds in the model where they comply.

Sections 6 and 7 of paper 001: the game is cut down to the moves that comply, and formulas are
checked on all paths of what is left.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kibitz.errors import InputError
from kibitz.space import StateSpace
from kibitz.strategy.columns import columns_of
from kibitz.strategy.moveset import MoveSet
from kibitz.strategy.paths import Evaluator
from kibitz.strategy.strategy import read_strategy
from kibitz.strategy.tree import Formula, Simple, past_depth
from kibitz.strategy.unfold import unfold
from kibitz.strategy.verdict import reach, restrict

__all__ = ["complying", "holds_everywhere", "read_property"]


def complying(space: StateSpace, strategies: Sequence[MoveSet]) -> StateSpace:
    """Give the part of a space that is left if roles make no other moves than theirs.

    Where a role's strategy has no move, it may make none, and play stops there.
    """
    allowed = np.ones(space.edges, dtype=bool)
    columns = columns_of(space)
    for moves in strategies:
        mine = columns.to_move(moves.role)[columns.source]
        allowed &= moves.chosen | ~mine
    return restrict(space, reach(space, allowed).seen, allowed)


def read_property(text: str, space: StateSpace) -> Formula:
    """Read a formula that is to hold, whoever plays."""
    strategy = read_strategy(text, space.game, name="property")
    (_, plan), *_ = strategy.plans
    if not isinstance(plan, Simple):
        raise InputError("a property is one formula, without else, also and rules")
    return plan.formula


def holds_everywhere(text: str, space: StateSpace, strategies: Sequence[MoveSet] = ()) -> bool:
    """Tell whether a formula is valid where roles comply: all reachable paths satisfy it.

    >>> from kibitz.engine.compiled import CompiledGame
    >>> from kibitz.games import load
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load("nim:1,2")))
    >>> holds_everywhere("terminal implies not turn(player1)", space)
    True
    """
    formula = read_property(text, space)
    model = unfold(complying(space, strategies), past_depth(formula))
    evaluator = Evaluator(columns_of(model), model.game.roles[0])
    evaluator.prepare(formula)
    return bool(evaluator.everywhere(formula, np.arange(len(model))).all())
