"""Tell a person what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.synth.lists import Rule, features_of, literals_of, moves_of
from kibitz.synth.problem import ANY_OF_THEM

if TYPE_CHECKING:
    from kibitz.synth.synthesis import Synthesis

__all__ = ["bound_text", "headline", "sentence"]


def headline(found: Synthesis) -> str:
    """Say how good the list is, and how short it can be."""
    rules, literals = len(found.rules), found.literals
    count = f"{rules} rule{'s' * (rules != 1)} and {literals} literal{'s' * (literals != 1)}"
    worth = found.verdict.guarantees[found.role]
    return (
        f"{found.problem.game.sheet.name}, {found.role}: {count}, never less than {worth} "
        f"against any play; {bound_text(found)}"
    )


def bound_text(found: Synthesis) -> str:
    """Say how short a list can be."""
    if found.proved_minimal:
        return "no shorter list exists"
    return f"at least {found.lower_bound} are needed"


def sentence(found: Synthesis, rule: Rule) -> str:
    """Say a rule.

    >>> from kibitz.engine.compiled import CompiledGame
    >>> from kibitz.games import load
    >>> from kibitz.synth import Options, synthesise
    >>> found = synthesise(CompiledGame(load("nim:1,2")), "player1", Options(rounds=1))
    >>> sentence(found, found.rules[0])
    'Play (reduce b 1) if you can.'
    """
    problem, write = found.problem, found.problem.game.write
    if problem.lift is not None or any(f.is_rule for f in features_of(problem, rule)):
        return found.rule_texts[found.rules.index(rule)]
    is_any = problem.orbit_moves[rule.orbit] == ANY_OF_THEM
    told = "any move" if is_any else " or ".join(map(write, moves_of(problem, rule)))
    conditions = [
        ("" if holds else "not ") + write(atom) for atom, holds in literals_of(problem, rule)
    ]
    features = [feature.words for feature in features_of(problem, rule)]
    if is_any:
        return f"Play any move of which this is true: {' and '.join(features) or 'it is legal'}."
    conditions += features
    if not conditions:
        return f"Play {told} if you can."
    return f"If {' and '.join(conditions)}, play {told}."
