"""Compute a State's value by plain memoised negamax: slow, obvious, the oracle of the search."""

from __future__ import annotations

from collections.abc import Hashable

from kibitz.engine import State
from kibitz.errors import KibitzError
from kibitz.prove.proof import mover_of


def reference_value(state: State) -> int:
    """Return the goal that the first role can guarantee, the other one wanting it small.

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
    mover = mover_of(state)
    line.add(state.key)
    values = [_value(state.play(move), known, line) for move in state.legal(mover)]
    line.remove(state.key)
    best = max(values) if mover == roles[0] else min(values)
    known[state.key] = best
    return best
