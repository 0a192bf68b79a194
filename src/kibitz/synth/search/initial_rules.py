"""Rules that the user wrote in, the start of a list out."""

from __future__ import annotations

from kibitz.engine import Role
from kibitz.errors import InputError
from kibitz.gdl import Function
from kibitz.strategy import And, Const, Formula, Holds, Not, Strategy, StrategyRule, write_rule
from kibitz.synth.problem.features import Feature
from kibitz.synth.problem.problem import Problem
from kibitz.synth.search.lists import ANY_SILENCE, Bench, CandidateRule

__all__ = ["condition_literals", "is_simple", "start_features", "start_rules"]


def is_simple(rule: StrategyRule) -> bool:
    """Return whether a rule is an AND of fluents and negated fluents with one move, no more."""
    is_one = len(rule.choices) == 1 and len(rule.moves) == 1 and not rule.preferences
    return is_one and condition_literals(rule.condition) is not None


def start_features(strategy: Strategy, role: Role) -> list[Feature]:
    """Return the rules of a strategy that are not simple, unchanged."""
    found = strategy.rules_for(role)
    if not found:
        raise InputError(f"{strategy.name} is not a rule list", hint="write one rule per line")
    texts = [write_rule(rule.choices, rule.preferences) for rule in found if not is_simple(rule)]
    return [Feature(text, text, is_rule=True) for text in texts]


def start_rules(problem: Problem, strategy: Strategy) -> list[CandidateRule]:
    """Turn the rules of a strategy into numbers; raise if they err already.

    They err if, with optimal moves wherever they say nothing, they lead to a move that is not
    optimal. The problem has features for rules that are not simple.
    """
    rules: list[CandidateRule] = []
    plain = sum(not feature.is_rule for feature in problem.features)
    literal = 2 * (len(problem.atoms) + plain)
    for rule in strategy.rules_for(problem.role):
        if is_simple(rule):
            parts = condition_literals(rule.condition) or []
            literals = [2 * problem.atoms.index(fluent) + (not holds) for fluent, holds in parts]
            rules.append(_standard(problem, literals, problem.moves.index(rule.moves[0])))
        else:
            rules.append(CandidateRule(len(problem.orbit_moves) - 1, (literal,)))
            literal += 2
    bench = Bench(problem, rules)
    bad = bench.errors(ANY_SILENCE)
    if len(bad):
        raise InputError(
            f"{strategy.name} errs already, so nothing can be built on it",
            hint=_where(bench, int(bad[0])),
        )
    return rules


def _where(bench: Bench, state: int) -> str:
    """Show a state in which the rules err."""
    problem, write = bench.problem, bench.problem.game.write
    place = bench.first_rule(state)
    first, last = problem.arrays.sit_first[state : state + 2]
    correct = [
        write(problem.moves[problem.sit_move[s]])
        for s in range(first, last)
        if problem.arrays.sit_correct[s]
    ]
    return (
        f"rule {place + 1} plays a move that is not optimal in the state\n"
        f"    {problem.state(state)}\n  where these are: {' '.join(correct)}"
    )


def _standard(problem: Problem, literals: list[int], move: int) -> CandidateRule:
    """Return the image of a rule that plays the representative of its orbit of moves."""
    symmetry = problem.to_standard[move]
    carried = {2 * int(problem.fluent_images[symmetry, x >> 1]) + (x & 1) for x in literals}
    return CandidateRule(problem.orbit_of[move], tuple(sorted(carried)))


def condition_literals(condition: Formula) -> list[tuple[Function, bool]] | None:
    """Return the literals of a conjunction; None if it is something else."""
    match condition:
        case Const(True):
            return []
        case And(parts):
            inner = [condition_literals(part) for part in parts]
            return None if None in inner else [x for part in inner if part for x in part]
        case Holds(fluent):
            return [(fluent, True)]
        case Not(Holds(fluent)):
            return [(fluent, False)]
    return None
