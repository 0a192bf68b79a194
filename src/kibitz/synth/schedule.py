"""Share the time of a search between fewer rules, a lower bound, and fewer literals."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.synth.lists import Bench, Rule
from kibitz.synth.prices import prices_of
from kibitz.synth.problem import Problem
from kibitz.synth.search import Found, Goal, Search

if TYPE_CHECKING:
    from kibitz.synth.synthesis import Options

__all__ = ["find_minimum", "run_search", "too_few_words"]

_PATIENCE = {"rules": 150, "again": 75, "literals": 60}
"""Rounds without an improvement after which a phase is over."""

_PROVABLE = 12
"""For longer lists a proof that they are the shortest is out of reach; a bound has to do."""


def run_search(
    problem: Problem,
    options: Options,
    given: Sequence[Rule],
    kept: int,
    least: int,
    report: Callable[[str], None] | None,
) -> tuple[list[Rule], int, bool]:
    """Search as long as the options allow; give a list, a lower bound, and whether it was stopped.

    A phase ends when it has not improved the list for a number of rounds; so time matters only
    where it is too short for that.
    """
    goal = Goal(
        prices_of(problem, options.objective),
        counts_rules=options.objective == "rules",
        per_rule=1.0 if options.objective == "easy" else 0.0,
    )
    search = Search(
        problem, goal=goal, seed=options.seed, silence=options.silence, start=given, locked=kept
    )

    search.warm_up()
    end = time.perf_counter() + options.seconds
    if kept:  # A bound would speak of lists that begin otherwise.
        least = max(least, kept)

    def tell(found: Found) -> None:
        if report:
            price = sum(len(rule.literals) for rule in found.rules)
            report(f"{len(found.rules)} rules, {price} literals, {found.steps:,} steps")

    def share(part: float) -> float:
        if options.rounds is not None:
            return float("inf")
        return min(part * options.seconds, end - time.perf_counter())

    rounds = options.rounds if options.rounds is not None else 1 << 60
    bound = least
    stopped = not search.is_right and search.run(
        "repair", seconds=share(0.5), rounds=rounds, report=tell
    )
    if not search.is_right:
        raise too_few_words(options)
    if stopped:
        return search.found.rules, bound, True
    for part, patience in ((0.4, _PATIENCE["rules"]), (0.2, _PATIENCE["again"])):
        if search.run(
            "rules", seconds=share(part), rounds=rounds, patience=patience, least=bound, report=tell
        ):
            return search.found.rules, bound, True
        # A proof knows nothing of rules that are kept as they were written.
        if bound == least and not any(feature.is_rule for feature in problem.features):
            try:
                bound = _bound(search, options, bound, min(0.3 * options.seconds, share(1.0)))
            except KeyboardInterrupt:
                return search.found.rules, bound, True
        if bound >= len(search.found.rules) or options.rounds is not None:
            break
    stopped = search.run(
        "literals",
        seconds=share(1.0),
        rounds=rounds,
        patience=_PATIENCE["literals"],
        report=tell,
    )
    return search.found.rules, bound, stopped


def too_few_words(options: Options) -> KibitzError:
    """Say that no list was found that is made of what conditions may be made of."""
    return BudgetExceededError(
        f"no list that plays perfectly was found with --literals {options.literals}",
        hint="allow more words, with --literals all or --features, or more --time",
    )


def find_minimum(
    problem: Problem,
    options: Options,
    given: Sequence[Rule],
    report: Callable[[str], None] | None,
) -> tuple[list[Rule], int, bool]:
    """Ask for lists of one rule, of two, and so on, until there is one; raise if time runs out."""
    from kibitz.synth.exact import decide

    if given or options.reading == "first":
        raise InputError(
            "the exact method has no rules to start with, and not the reading first",
            hint="leave out --start and --symmetry first, or use --method search",
        )
    end = time.perf_counter() + options.seconds
    length = 1
    while True:
        if report:
            report(f"{length} rules?")
        left = end - time.perf_counter()
        answer = decide(problem, length, seconds=left, silence=options.silence)
        if answer.rules is not None:
            bench = Bench(problem)
            prices = prices_of(problem, options.objective)
            source = random.Random(options.seed)
            tries = [
                bench.pruned(answer.rules, silence=options.silence, source=source, prices=prices)
                for _ in range(20)
            ]
            return min(tries, key=Goal(prices).key), length, False
        if not answer.is_impossible:
            raise BudgetExceededError(
                f"at least {length} rules are needed, and whether {length} suffice was not found "
                f"out in {options.seconds:g} s",
                hint="allow more with --time, or use --method search",
            )
        length += 1


def _bound(search: Search, options: Options, bound: int, seconds: float) -> int:
    """Prove for one number of rules after the other that they do not suffice, while time lasts."""
    from kibitz.synth.exact import decide

    if options.reading == "first":
        return bound
    end = time.perf_counter() + seconds
    best = len(search.found.rules)

    def is_impossible(length: int, seconds: float) -> bool:
        problem, silence = search.problem, options.silence
        return decide(problem, length, seconds=seconds, silence=silence).is_impossible

    # Most often a short list is the shortest, and one proof is enough.
    if bound < best - 1 <= _PROVABLE and is_impossible(best - 1, 0.7 * seconds):
        return best
    if best > _PROVABLE:
        end -= 0.7 * seconds
    while bound < best and is_impossible(bound, end - time.perf_counter()):
        bound += 1
    return bound
