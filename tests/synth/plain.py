"""Judge a rule list by the definition, state by state, with none of Kibitz's sweeps."""

from __future__ import annotations

from functools import cache

from kibitz.engine import Game, Role, State
from kibitz.strategy import Strategy

__all__ = ["errs_somewhere"]


def errs_somewhere(game: Game, strategy: Strategy, role: Role) -> bool:
    """Return whether following a strategy in a game that ends can lead to a move that loses value.

    Where the strategy says nothing every legal move is tried.
    """
    other = next((r for r in game.roles if r != role), role)

    @cache
    def value(state: State) -> int:
        if state.is_terminal:
            goal = state.goals[role]
            assert goal is not None
            return goal
        results = [value(to) for _, to in successors(state)]
        return max(results) if len(state.legal(role)) > 1 else min(results)

    def successors(state: State) -> list[tuple[str, State]]:
        found = []
        for mine in state.legal(role):
            for theirs in state.legal(other) if other != role else ("",):
                joint = [mine if r == role else theirs for r in game.roles]
                found.append((str(mine), state.step(joint)))
        return found

    seen: set[State] = set()
    stack = [game.initial()]
    while stack:
        state = stack.pop()
        if state in seen or state.is_terminal:
            continue
        seen.add(state)
        chosen = {str(move) for move in strategy.moves(state, role)}
        for move, to in successors(state):
            if len(state.legal(role)) > 1 and chosen and move not in chosen:
                continue
            if len(state.legal(role)) > 1 and value(to) != value(state):
                return True
            stack.append(to)
    return False
