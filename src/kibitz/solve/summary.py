"""Describe the solution of a game and of single states, for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.engine import State
from kibitz.solve.algorithms.maxn import MaxnSolution
from kibitz.solve.algorithms.mixed import MixedSolution
from kibitz.solve.any_solution import AnySolution
from kibitz.space import StateId, playable_line

__all__ = ["DRAW", "describe_equal", "describe_moves", "describe_value", "value_text"]

DRAW = 50
"""What all roles get in a draw; other equal goals are not a draw."""


def describe_value(solution: AnySolution, state: StateId = 0) -> dict[str, Any]:
    """Return value and distance of a state as values for JSON, with bounds and mixes if any.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> describe_value(solve(explore(CompiledGame(load_sheet("nim:1,2")))))
    {'value': {'player1': 100, 'player2': 0}, 'distance': 3}
    """
    result: dict[str, Any] = {"value": solution.values(state), "distance": solution.plies(state)}
    if isinstance(solution, MaxnSolution):
        result["bounds"] = solution.bounds(state)
        result["outcomes"] = solution.possible_outcomes(state)
        result["has_tie"] = bool(solution.has_tie[state])
    elif isinstance(solution, MixedSolution):
        result["bounds"] = solution.bounds(state)
        write = solution.space.game.write
        mixes = solution.mixes(state) if solution.space.moves(state) else ()
        result["mix"] = {
            role: {write(move): share for move, share in mix.items()}
            for role, mix in zip(solution.space.game.roles, mixes, strict=False)
        }
    return result


def describe_equal(goal: float, roles: int = 2) -> str:
    """Describe the result when all roles get the same goal; only 50 is a draw.

    >>> describe_equal(50), describe_equal(100), describe_equal(0, 3), describe_equal(30)
    ('it is a draw', 'both win', 'all lose', 'both get 30')
    """
    who = "both" if roles == 2 else "all"
    return {DRAW: "it is a draw", 100: f"{who} win", 0: f"{who} lose"}.get(
        int(goal), f"{who} get {goal:g}"
    )


def describe_moves(solution: AnySolution, *, start: State | None = None) -> list[dict[str, Any]]:
    """Return every first joint move: its value, its distance and whether it is optimal.

    Where roles choose at the same time, a joint move is no single role's choice, so it is not
    called optimal. `start` is the state to begin with, where the space has one that is symmetric to
    it.
    """
    write = solution.space.game.write
    result = []
    best = None if isinstance(solution, MixedSolution) else set(solution.best_moves(0))
    for edge, (joint, target) in enumerate(solution.space.moves(0)):
        described = describe_value(solution, target)
        described.pop("mix", None)
        (played,) = playable_line(solution.space, [edge], start=start)
        entry = {"move": [write(move) for move in played], **described}
        if best is not None:
            entry["keeps_value"] = (joint, target) in best
        result.append(entry)
    return result


def value_text(described: Mapping[str, Any]) -> str:
    """Write what `describe_value` gives as a clause.

    >>> value_text({"value": {"a": 60, "b": None}, "distance": 3, "bounds": {"b": (20, 90)}})
    'a gets 60, b gets 20 to 90 as ties are broken, after 3 plies'
    >>> value_text({"value": {"a": 50, "b": 50}, "distance": None})
    'nobody wins: play need never end, which counts 50 for a, 50 for b'
    """
    is_endless = described["distance"] is None and "bounds" not in described
    if is_endless and len(described["value"]) > 1:
        counted = ", ".join(f"{value} for {role}" for role, value in described["value"].items())
        return f"nobody wins: play need never end, which counts {counted}"
    parts = []
    for role, value in described["value"].items():
        if value is None:
            low, high = described["bounds"][role]
            parts.append(f"{role} gets {low} to {high} as ties are broken")
        elif isinstance(value, float):
            parts.append(f"{role} gets {value:g} on average")
        else:
            parts.append(f"{role} gets {value}")
    distance = described["distance"]
    if distance is not None:
        parts.append(f"after {distance} plies")
    elif is_endless:
        parts.append("and play need never end")
    return ", ".join(parts)
