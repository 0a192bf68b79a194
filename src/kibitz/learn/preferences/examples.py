"""Solution, or decisions of a pruned search, in; ordered examples out."""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.engine import Move, Role, State
from kibitz.gdl import Function
from kibitz.learn.minimax.pruned_minimax import Pruned
from kibitz.learn.preferences.preference_search import OrderedExample
from kibitz.solve import Solution
from kibitz.space import StateId

__all__ = ["examples_from_decisions", "examples_from_solution"]


def examples_from_solution(
    solution: Solution, *, states: Iterable[StateId] | None = None
) -> list[OrderedExample]:
    """Return examples: in every state, optimal moves come before the other moves.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("nim:1,2"))))
    >>> [example.text for example in examples_from_solution(solution)][0]
    '(control player1) (heap a 1) (heap b 2): (reduce b 1) before (reduce a 0)'
    """
    space = solution.space
    space.require_all_states("learning from examples")
    found: list[OrderedExample] = []
    for number in range(len(space)) if states is None else states:
        role = int(space.turn[number])
        if role < 0:
            continue
        edges = range(space.first_edge[number], space.first_edge[number + 1])
        sign = 1 if role == 0 else -1
        values = {e: sign * int(solution.value[space.target[e]]) for e in edges}
        top = max(values.values())
        if min(values.values()) == top:
            continue
        state = space.state(number)
        after = {e: frozenset(space.state(int(space.target[e])).fluents) for e in edges}
        moves = {e: space.joint_moves[space.action[e]][role] for e in edges}
        found += [
            OrderedExample(
                after[good], after[bad], _text(state, moves[good], moves[bad]), state=str(state)
            )
            for good in edges
            if values[good] == top
            for bad in edges
            if values[bad] < top
        ]
    return found


def examples_from_decisions(pruned: Pruned) -> list[OrderedExample]:
    """Return the decisions of a pruned search as examples (paper 004, section 3.2.3)."""
    found: dict[str, OrderedExample] = {}
    for state, role, best, worse in pruned.decisions:
        text = _text(state, best, worse)
        if text not in found:
            after = [_after(state, state.game.roles[role], move) for move in (best, worse)]
            found[text] = OrderedExample(after[0], after[1], text, state=str(state))
    return list(found.values())


def _after(state: State, role: Role, move: Move) -> frozenset[Function]:
    joint = [move if one == role else state.legal(one)[0] for one in state.game.roles]
    return frozenset(state.step(joint).fluents)


def _text(state: State, best: Move, worse: Move) -> str:
    write = state.game.write
    return f"{state}: {write(best)} before {write(worse)}"
