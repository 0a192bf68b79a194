"""Tell a person what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.english import say_rule, scene_of
from kibitz.synth.search.lists import CandidateRule

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
    if found.proved_fewest_literals:
        return "no shorter list exists, and none as short has fewer literals"
    if found.proved_minimal:
        return "no shorter list exists"
    return f"at least {found.lower_bound} are needed"


def sentence(found: Synthesis, rule: CandidateRule) -> str:
    """Say a rule.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.synth import Options, synthesise
    >>> found = synthesise(CompiledGame(load_sheet("nim:1,2")), "player1", Options(rounds=1))
    >>> sentence(found, found.rules[0])
    'Reduce heap b to 1 if you can.'
    """
    written = found.strategy.rules_for(found.role)[found.rules.index(rule)]
    scene = scene_of(found.problem.game, found.role)
    return say_rule(scene, written, symmetric=found.reading != "none")
