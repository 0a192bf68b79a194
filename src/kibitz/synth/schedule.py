"""Share the time of a search between fewer rules, a lower bound, and fewer literals."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from kibitz.synth.lists import Rule
from kibitz.synth.prices import prices_of
from kibitz.synth.problem import Problem
from kibitz.synth.search import Found, Goal, Search

if TYPE_CHECKING:
    from kibitz.synth.synthesis import Options

__all__ = ["run_search"]

_PATIENCE = {"rules": 150, "literals": 60}
"""Rounds without an improvement after which a phase is over."""


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

    def tell(found: Found) -> None:
        if report:
            price = sum(len(rule.literals) for rule in found.rules)
            report(f"{len(found.rules)} rules, {price} literals, {found.steps:,} steps")

    def share(part: float) -> float:
        if options.rounds is not None:
            return float("inf")
        return min(part * options.seconds, end - time.perf_counter())

    rounds = options.rounds if options.rounds is not None else 1 << 60
    stopped = search.run(
        "rules",
        seconds=share(0.5),
        rounds=rounds,
        patience=_PATIENCE["rules"],
        least=least,
        report=tell,
    )
    bound = least
    if not stopped:
        left = share(1.0)
        stopped = search.run(
            "literals", seconds=left, rounds=rounds, patience=_PATIENCE["literals"], report=tell
        )
    return search.found.rules, min(bound, len(search.found.rules)), stopped
