"""Take over rules that somebody wrote, to build on them."""

from __future__ import annotations

from kibitz.errors import InputError
from kibitz.strategy import Strategy
from kibitz.strategy.tree import And, Const, Formula, Holds, Not
from kibitz.synth.lists import ANY_SILENCE, Bench, Rule
from kibitz.synth.problem import Problem

__all__ = ["start_rules"]


def start_rules(problem: Problem, strategy: Strategy) -> list[Rule]:
    """Turn the rules of a strategy into numbers; raise if they err already.

    They err if, with optimal moves wherever they say nothing, they lead to a move that is not.
    """
    found = strategy.rules_for(problem.role)
    if not found:
        raise InputError(f"{strategy.name} is not a rule list", hint="write one rule a line")
    rules: list[Rule] = []
    for number, rule in enumerate(found, start=1):
        for condition, moves in rule.choices:
            if len(rule.choices) > 1 or len(moves) != 1:
                raise InputError(f"rule {number} of {strategy.name} has more than one move")
            literals = _literals(problem, condition)
            if literals is None:
                raise InputError(
                    f"the condition of rule {number} of {strategy.name} is not an AND of fluents "
                    "and negated fluents"
                )
            rules.append(_standard(problem, literals, problem.moves.index(moves[0])))
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
    good = [
        write(problem.moves[problem.sit_move[s]])
        for s in range(first, last)
        if problem.arrays.sit_good[s]
    ]
    return (
        f"rule {place + 1} plays a move that is not optimal in the state\n"
        f"    {problem.state(state)}\n  where these are: {' '.join(good)}"
    )


def _standard(problem: Problem, literals: list[int], move: int) -> Rule:
    """Give the image of a rule that plays the move that stands for its orbit."""
    symmetry = problem.to_standard[move]
    carried = {2 * int(problem.fluent_images[symmetry, x >> 1]) + (x & 1) for x in literals}
    return Rule(problem.orbit_of[move], tuple(sorted(carried)))


def _literals(problem: Problem, condition: Formula) -> list[int] | None:
    match condition:
        case Const(True):
            return []
        case And(parts):
            inner = [_literals(problem, part) for part in parts]
            return None if None in inner else [x for part in inner if part for x in part]
        case Holds(fluent) if fluent in problem.atoms:
            return [2 * problem.atoms.index(fluent)]
        case Not(Holds(fluent)) if fluent in problem.atoms:
            return [2 * problem.atoms.index(fluent) + 1]
    return None
