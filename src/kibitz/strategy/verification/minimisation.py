"""Rule list in; out a smaller one with the same guarantees, by definition 9 of paper 000.

A literal is dropped if the list without it still is what the original was: perfect, or else
strongly or weakly optimal, or else guaranteed the same goal. Dead and unneeded rules are dropped as
well, and so are preferences.
Rules of blocks stay as they are, and so do those with variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kibitz.engine import Role
from kibitz.errors import InputError
from kibitz.solve import Solution
from kibitz.strategy.evaluation.rule_images import Choices
from kibitz.strategy.strategy import Strategy, StrategyRule, read_strategy
from kibitz.strategy.syntax.printer import write_rule
from kibitz.strategy.tree import And, Formula, conjunction
from kibitz.strategy.verification.verdict import Verdict, verify

__all__ = ["Minimised", "minimise"]

Progress = Callable[[int, int], None]
"""Called with how many rules and literals remain."""


@dataclass(frozen=True, slots=True)
class Minimised:
    """A smaller rule list, its verdict, and which guarantee of the original it keeps."""

    strategy: Strategy
    verdict: Verdict
    before: Verdict
    kept: str


def minimise(
    strategy: Strategy,
    solution: Solution,
    role: Role,
    *,
    silence: str = "any",
    progress: Progress | None = None,
) -> Minimised:
    """Drop what a rule list does not need.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load_sheet("nim:2"))
    >>> strategy = read_strategy("(heap a 2) => (reduce a 0)", game)
    >>> print(minimise(strategy, solve(explore(game)), "player1").strategy.text, end="")
    true => (reduce a 0)
    """
    if not strategy.is_list:
        raise InputError(f"{strategy.name} is not a rule list, so there is nothing to drop")
    before = verify(strategy, solution, role, silence=silence)
    kept = next(
        (claim for claim in ("perfect", "strongly_optimal", "weakly_optimal") if before.is_(claim)),
        f"goal {before.guarantees[role]}",
    )

    def keeps_guarantee(verdict: Verdict) -> bool:
        if kept.startswith("goal"):
            return verdict.guarantees[role] >= before.guarantees[role]
        return verdict.is_(kept) and verdict.guarantees[role] >= before.guarantees[role]

    best, verdict = strategy, before
    improved = True
    while improved:
        improved = False
        for rules in _smaller(best, verdict, role):
            candidate = _written(best, rules)
            found = verify(candidate, solution, role, silence=silence)
            if keeps_guarantee(found):
                best, verdict, improved = candidate, found, True
                if progress:
                    progress(found.rules, found.literals)
                break
    return Minimised(best, verdict, before, kept)


def _smaller(strategy: Strategy, verdict: Verdict, role: Role) -> Iterator[list[StrategyRule]]:
    """Walk the lists with one item less: dead rules first, then any rule, then any literal."""
    rules = list(strategy.rules_for(role))
    free = [i for i, rule in enumerate(rules) if not rule.is_locked]
    dead = [i for i in free if i + 1 in verdict.dead_rules]
    for i in [*dead, *(i for i in reversed(free) if i not in dead)]:
        if len(rules) > 1:
            yield rules[:i] + rules[i + 1 :]
    for i in free:
        rule = rules[i]
        for choices in _without_a_literal(rule.choices):
            yield [*rules[:i], StrategyRule(choices, preferences=rule.preferences), *rules[i + 1 :]]
        for n in range(len(rule.preferences) if len(rule.choices) == 1 else 0):
            fewer = (*rule.preferences[:n], *rule.preferences[n + 1 :])
            yield [*rules[:i], StrategyRule(rule.choices, preferences=fewer), *rules[i + 1 :]]


def _without_a_literal(choices: Choices) -> Iterator[Choices]:
    if len(choices) != 1:
        return
    ((condition, moves),) = choices
    parts: Sequence[Formula] = condition.parts if isinstance(condition, And) else (condition,)
    if condition == conjunction(()):
        return
    for i in range(len(parts)):
        yield ((conjunction([*parts[:i], *parts[i + 1 :]]), moves),)


def _written(strategy: Strategy, rules: list[StrategyRule]) -> Strategy:
    """Write rules as the text of a strategy, and read it."""
    lines = [f"symmetric {strategy.symmetry}", *strategy.settings]
    block = ""
    for rule in rules:
        if rule.is_locked:
            if rule.name != block:
                lines.append(rule.name)
        elif rule.text:
            lines.append(rule.text)
        elif len(rule.choices) == 1:
            lines.append(write_rule(rule.choices, rule.preferences))
        else:
            raise InputError("rules made by each cannot be written one by one")
        block = rule.name
    if strategy.symmetry == "any" and not strategy.settings:
        del lines[0]
    text = "".join(f"{line}\n" for line in lines)
    return read_strategy(text, strategy.game, name=strategy.name)
