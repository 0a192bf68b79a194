"""Print the results of the commands about strategies for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.cli.common.inputs import note

if TYPE_CHECKING:
    from kibitz.engine import Game, Role
    from kibitz.strategy import Compliance, Line, StateMoves, Verdict


def print_verdict(verdict: Verdict, role: Role, game: Game) -> None:
    """Print the verdict of a check, with the state that contradicts a claim."""
    from kibitz.strategy import CLAIMS

    print(f"{game.sheet.name}, {role}:")
    for claim in CLAIMS:
        value = getattr(verdict, claim)
        shown = "not known" if value is None else "yes" if value else "no"
        print(f"  {claim.replace('_', ' '):<18} {shown}")
    shown = ", ".join(f"{who} {goal}" for who, goal in verdict.guarantees.items())
    best = "" if verdict.value is None else f"; best play gives {role} {verdict.value}"
    print(f"  {'guarantees':<18} {shown}{best}")
    if verdict.rules:
        print(f"  {'size':<18} {size_text(verdict)}")
    print(f"  {'silence':<18} {describe_silence(verdict.silence)}")
    if verdict.dead_rules:
        print(f"  {'dead rules':<18} {' '.join(map(str, verdict.dead_rules))}")
    print(f"  {'states checked':<18} {verdict.states_checked:,}")
    if verdict.bad_states:
        print(f"  {'gives up value in':<18} {verdict.bad_states:,} of these")
    found = verdict.counterexample
    if found is None:
        return
    from kibitz.board import text_board
    from kibitz.gdl import parse_terms

    failing = f"that contradicts {verdict.against.replace('_', ' ')}"
    if verdict.against == "makes_progress":
        failing = "from which play can go on for ever without reaching the value"
    print(f"\nA state {failing}:\n")
    print(text_board(game.state(parse_terms(" ".join(found.fluents)))))
    if found.path:
        print(f"  reached by     {', '.join('/'.join(joint) for joint in found.path)}")
    print(f"  moves chosen   {' '.join(found.moves_chosen) or 'none'}")
    print(f"  best moves     {' '.join(found.optimal_moves) or 'none'}")
    if len(found.keeping_moves) > len(found.optimal_moves):
        print(f"  keep the value {' '.join(found.keeping_moves)}")


def print_compliance(found: Compliance, with_outcomes: bool) -> None:
    """Print what happens where roles comply with strategies."""
    print(f"{count_states(found.states)} can be reached, {found.ends:,} of them terminal")
    print(describe_silence(found.silence, found.silent))
    if found.silence == "any" and found.stuck:
        print(f"in {count_states(found.stuck)} a role has no legal move, and play stops there")
    if found.formula is not None:
        print(f"{found.formula}: {'holds' if found.holds else 'does not hold'}")
        if found.path is not None:
            print("  not on the paths that begin with " + _line(found.path))
    for role, reply in found.replies.items():
        print(f"best reply of {role}: {reply.goal} guaranteed, as by {_line(reply.line)}")
    if with_outcomes:
        for outcome in found.outcomes:
            goals = ", ".join(f"{role} {goal}" for role, goal in outcome.goals.items())
            print(f"{goals}: {count_states(outcome.states)}, first by {_line(outcome.path)}")


def print_moves(found: StateMoves) -> None:
    """Print the moves that may be made in a state."""
    print("\n".join(found.moves) or "no move")
    if not found.has_turn:
        note(f"it is not {found.role}'s turn")
    elif found.is_silent:
        note(f"the strategy is silent here; {describe_silence(found.silence)}")


def describe_silence(silence: str, states: int | None = None) -> str:
    """Describe how silence is read, and in how many states the strategy is silent if known."""
    meaning = {"any": "any legal move may be made", "stop": "play stops"}[silence]
    if states is None:
        return f"where a strategy allows no move, {meaning}"
    if not states:
        return "a strategy allows some move in every state in which it has the turn"
    return f"in {count_states(states)} a strategy allows no move, and {meaning} there"


def _line(path: Line) -> str:
    return ", ".join("/".join(joint) for joint in path) or "no move"


def count_states(count: int) -> str:
    """Write a number of states."""
    return f"{count:,} state{'s' * (count != 1)}"


def size_text(verdict: Verdict) -> str:
    """Write how many rules and literals a strategy has."""
    rules, literals = verdict.rules, verdict.literals
    return f"{rules} rule{'s' * (rules != 1)} with {literals} literal{'s' * (literals != 1)}"
