"""Solution and role in, ideas out: win at once, or leave no answer to the next wins."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.engine import Role
from kibitz.solve import Solution
from kibitz.synth.insight.ideas import Idea
from kibitz.synth.problem.features import Feature, features_for

__all__ = ["PLAN", "forcing_rules", "threat_ideas", "threat_rules"]

PLAN = "can(me, next (wins(me) | not terminal & next can(me, next wins(me))))"
"""That one can win at once or make a double threat, which takes some search."""
_REASONS = {
    "win": "It ends play, and you have won.",
    "fork": "Whatever the opponent answers, you have a move that wins at once.",
}


def threat_ideas(solution: Solution, role: Role) -> Iterator[Idea]:
    """Walk lists of two threats, for a role that wins.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("crossdot:5,2"))))
    >>> next(threat_ideas(solution, "player1")).rules[0]
    'next wins(me) => any'
    """
    if len(solution.space.game.roles) != 2 or solution.value()[role] < 100:
        return
    yield Idea(*threat_rules())
    yield Idea(*forcing_rules())


def forcing_rules() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the rules to win at once, and to force a win within three moves, with reasons."""
    (win, _), (reason, _) = threat_rules()
    force = f"next (not terminal & next {PLAN}) => any"
    why = "Whatever the opponent answers, you can then win at once or make a double threat."
    return (win, force), (reason, why)


def threat_rules() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the rules to win at once, and to make a double threat, each with its reason."""
    known = {f.name: f.formula for f in features_for(2) if isinstance(f, Feature)}
    return tuple(f"{known[name]} => any" for name in _REASONS), tuple(_REASONS.values())
