"""What the commands about strategies print for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.engine import Game, Role
    from kibitz.strategy import Verdict
    from kibitz.strategy.comply import Compliance, Line

__all__ = ["count_states", "print_compliance", "print_verdict", "tell_size"]


def print_verdict(verdict: Verdict, role: Role, game: Game) -> None:
    """Print what a check found, with the state that goes against a claim."""
    from kibitz.strategy.verdict import CLAIMS

    print(f"{game.sheet.name}, {role}:")
    for claim in CLAIMS:
        value = getattr(verdict, claim)
        shown = "not known" if value is None else "yes" if value else "no"
        print(f"  {claim.replace('_', ' '):<18} {shown}")
    shown = ", ".join(f"{who} {goal}" for who, goal in verdict.guarantees.items())
    best = "" if verdict.value is None else f"; best play gives {role} {verdict.value}"
    print(f"  {'guarantees':<18} {shown}{best}")
    if verdict.rules:
        print(f"  {'size':<18} {tell_size(verdict)}")
    if verdict.dead_rules:
        print(f"  {'dead rules':<18} {' '.join(map(str, verdict.dead_rules))}")
    print(f"  {'states checked':<18} {verdict.states_checked:,}")
    if verdict.bad_states:
        print(f"  {'not optimal in':<18} {verdict.bad_states:,} of these")
    found = verdict.counterexample
    if found is None:
        return
    from kibitz.gdl import parse_terms
    from kibitz.render import text_board

    print(f"\nA state that goes against {verdict.against.replace('_', ' ')}:\n")
    print(text_board(game.state(parse_terms(" ".join(found.fluents)))))
    if found.path:
        print(f"  reached by     {', '.join('/'.join(joint) for joint in found.path)}")
    print(f"  moves chosen   {' '.join(found.moves_chosen) or 'none'}")
    print(f"  optimal moves  {' '.join(found.optimal_moves) or 'none'}")


def print_compliance(found: Compliance, with_outcomes: bool) -> None:
    """Print what happens where roles comply with strategies."""
    print(f"{count_states(found.states)} can be reached, {found.ends:,} of them terminal")
    if found.stuck:
        print(f"in {count_states(found.stuck)} a strategy has no move, and play stops there")
    if found.formula is not None:
        print(f"{found.formula}: {'holds' if found.holds else 'does not hold'}")
        if found.path is not None:
            print("  not on the paths that begin with " + _line(found.path))
    for role, reply in found.replies.items():
        print(f"best reply of {role}: {reply.goal} for sure, as by {_line(reply.line)}")
    if with_outcomes:
        for outcome in found.outcomes:
            goals = ", ".join(f"{role} {goal}" for role, goal in outcome.goals.items())
            print(f"{goals}: {count_states(outcome.states)}, first by {_line(outcome.path)}")


def _line(path: Line) -> str:
    return ", ".join("/".join(joint) for joint in path) or "no move"


def count_states(count: int) -> str:
    """Say how many states."""
    return f"{count:,} state{'s' * (count != 1)}"


def tell_size(verdict: Verdict) -> str:
    """Say how many rules and literals a strategy has."""
    rules, literals = verdict.rules, verdict.literals
    return f"{rules} rule{'s' * (rules != 1)} with {literals} literal{'s' * (literals != 1)}"
