"""State in, value out, by plain negamax with a memory: slow, obvious, the oracle of the search."""

from __future__ import annotations

from collections.abc import Hashable

from kibitz.engine import State
from kibitz.errors import KibitzError

__all__ = ["reference_value"]


def reference_value(state: State) -> int:
    """Give the goal that the first role can guarantee, the other one wanting it small.

    >>> from kibitz.engine import make_game
    >>> from kibitz.games import load_sheet
    >>> reference_value(make_game(load_sheet("nim:1,2,3")).initial())
    0
    """
    return _value(state, {}, set())


def _value(state: State, known: dict[Hashable, int], line: set[Hashable]) -> int:
    if state.key in known:
        return known[state.key]
    roles = state.game.roles
    if state.is_terminal:
        goal = state.goals[roles[0]]
        if goal is None:
            raise KibitzError(f"an end of {state.game.sheet.name} has no goal for {roles[0]}")
        return goal
    if state.key in line:
        raise KibitzError(f"in {state.game.sheet.name} a position comes again")
    several = [role for role in roles if len(state.legal(role)) > 1]
    if len(several) > 1:
        raise KibitzError(f"in {state.game.sheet.name} roles choose at the same time")
    mover = several[0] if several else roles[0]
    line.add(state.key)
    values = []
    for move in state.legal(mover):
        joint = [move if role == mover else state.legal(role)[0] for role in roles]
        values.append(_value(state.step(joint), known, line))
    line.remove(state.key)
    best = max(values) if mover == roles[0] else min(values)
    known[state.key] = best
    return best
