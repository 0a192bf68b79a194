"""A solved state in; out a rule for it that is correct wherever it applies.

The rule starts from everything that holds in the state, and drops what it does not need: a literal
is dropped if every move that the rule then allows, in any image, is still optimal. The states that
count are those reached if the role makes optimal moves, as it does with a list that has no wrong
rule. Algorithm 2 of paper 000 generalises rules in this way, here for one state.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.engine import Move, Role
from kibitz.errors import InputError
from kibitz.gdl import Function
from kibitz.solve import Solution, edge_sources, keeping_edges, progress_edges
from kibitz.space import StateId, reachable_under
from kibitz.strategy.evaluation.move_set import MoveSet
from kibitz.strategy.strategy import rule_list

__all__ = ["Suggestion", "suggest_rule"]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A rule as text, and in how many states reached by optimal play it applies."""

    text: str
    states: int


def suggest_rule(
    solution: Solution, state: StateId, role: Role, *, symmetry: str = "any"
) -> Suggestion:
    """Make a rule for a state, shortened by dropping literals one by one.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("nim:1,2"))))
    >>> suggest_rule(solution, 0, "player1")
    Suggestion(text='true => (reduce b 1)\\n', states=1)
    """
    space = solution.space
    game = space.game
    index = game.roles.index(role)
    if space.terminal[state] or int(space.turn[state]) != index:
        raise InputError(f"it is not {role}'s turn there", hint="choose a state where it is")
    optimal = keeping_edges(solution)
    correct = optimal if space.is_layered else progress_edges(solution)
    source = edge_sources(space)
    seen = reachable_under(space, optimal | (space.turn != index)[source]).seen
    seen[state] = True
    matters = seen[source]
    edges = range(space.first_edge[state], space.first_edge[state + 1])
    moves = list(
        dict.fromkeys(space.joint_moves[space.action[e]][index] for e in edges if correct[e])
    )
    best: tuple[int, int, str] | None = None
    for move in moves:
        found = _generalised(solution, state, role, move, correct, matters, symmetry)
        if found and (best is None or found < best):
            best = found
    if best is None:
        raise InputError(
            "no rule with symmetric images is correct here",
            hint="begin the strategy with: symmetric none",
        )
    return Suggestion(best[2], -best[1])


def _generalised(
    solution: Solution,
    state: StateId,
    role: Role,
    move: Move,
    correct: npt.NDArray[np.bool_],
    matters: npt.NDArray[np.bool_],
    symmetry: str,
) -> tuple[int, int, str] | None:
    """Return the number of literals, minus that of states, and the text of a correct rule."""
    space = solution.space
    game = space.game

    def chosen(literals: list[tuple[Function, bool]]) -> tuple[MoveSet, str]:
        made = rule_list([(literals, [move])], game=game, symmetry=symmetry)
        return made.on(space, role), made.text

    literals = [(fluent, True) for fluent in space.state(state).fluents]
    allowed, text = chosen(literals)
    if (allowed.chosen & matters & ~correct).any():
        return None
    for literal in list(literals):
        fewer = [other for other in literals if other != literal]
        found, written = chosen(fewer)
        if not (found.chosen & matters & ~correct).any():
            literals, allowed, text = fewer, found, written
    states = len(np.unique(edge_sources(space)[allowed.chosen & matters]))
    return len(literals), -states, text
