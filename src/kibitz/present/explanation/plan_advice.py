"""A puzzle too large to solve in, advice out: a line of moves to its best goal, if one is found."""

from __future__ import annotations

import time

from kibitz.engine import CompiledGame, Move, simulate
from kibitz.play import Planner
from kibitz.present.explanation.examples import ExampleLine
from kibitz.present.explanation.explanation import RoleAdvice
from kibitz.present.explanation.rule_pictures import show_example

__all__ = ["plan_advice"]

_PLAYOUTS = 1000


def plan_advice(game: CompiledGame, seconds: float) -> tuple[RoleAdvice | None, int | None]:
    """Look for a plan for a puzzle's only role; return it, and its goal if no other can get more.

    >>> from kibitz.games import load_sheet
    >>> advice, goal = plan_advice(CompiledGame(load_sheet("eightpuzzle")), 30)
    >>> advice.worth.partition(" moves ")[2], goal
    ('get 100, the highest goal that its rules have.', 100)
    """
    if len(game.roles) != 1:
        return None, None
    planner = Planner(game)
    planner.search(game.initial(), time.monotonic() + seconds)
    if planner.plan is None or planner.plan.goal <= _without_plan(game):
        return None, None
    moves = _moves(game, planner.plan.moves)
    is_best = planner.plan.goal == planner.best_goal
    most = "the highest goal that its rules have" if is_best else "the most that was found"
    these = "This move gets" if len(moves) == 1 else f"These {len(moves)} moves get"
    line = ExampleLine(tuple((move,) for move in moves), (0,) * len(moves))
    advice = RoleAdvice(
        game.roles[0],
        f"{these} {planner.plan.goal}, {most}.",
        examples=(show_example(game, game.roles[0], line),),
    )
    return advice, planner.plan.goal if is_best else None


def _without_plan(game: CompiledGame) -> float:
    """Return what the role has at the start, or what random moves get on average if more."""
    role = game.roles[0]
    played = simulate(game, playouts=_PLAYOUTS, seconds=1, threads=1)
    mean = None if played.unfinished else played.mean_goals[role]
    return max(game.initial().goals[role] or 0, mean or 0)


def _moves(game: CompiledGame, moves: dict[object, Move]) -> list[Move]:
    """Return the moves of a plan in their order."""
    found = []
    state = game.initial()
    while not state.is_terminal:
        found.append(moves[state.key])
        state = game.successor(state.key, (moves[state.key],))
    return found
