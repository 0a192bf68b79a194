"""Search by matches in a child within a budget, for measured rules or a result made of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from kibitz.budget import Budget, run_watched, time_to_work
from kibitz.measured import SearchOptions

_RULES, _ROUNDS, _EFFORT = 5, 1, 0.3
"""How many rules a list has at most, and how many rounds are made where no time is given, and how
large, so that most games take less than a minute.
"""
_BUDGETS = 3
"""How many budgets a search of rounds may take before it is given up."""
_ROUND_S, _LEAST_EFFORT = 60.0, 0.05
"""A time that is enough for a usual round of most games; in less time rounds are smaller."""

Report = Callable[[str], None]
T = TypeVar("T")


def search_by_matches(
    work: Callable[[SearchOptions, Report, Callable[[T], None]], T],
    *,
    budget: Budget,
    seconds: float | None,
    seed: int,
    report: Report = lambda _: None,
    seen: Callable[[T], None] = lambda _: None,
) -> T:
    """Call `work` with options for a search: for a time, or in rounds, the same on any machine.

    Where matches take long a minute takes the place of rounds, or what the command has left of its
    time, which ends every search.

    A child does it, as native code cannot be ended otherwise; `seen` gets what it has so far.

    >>> search_by_matches(
    ...     lambda options, report, seen: options.rounds, budget=Budget(), seconds=None, seed=0
    ... )
    1
    """
    budget = replace(budget, seconds=_BUDGETS * budget.seconds + (seconds or 0.0))
    left = max(1.0, time_to_work())
    options = SearchOptions(
        most_rules=_RULES,
        rounds=_ROUNDS,
        slow_s=min(_ROUND_S, left),
        seed=seed,
        effort=_EFFORT,
    )
    if seconds is not None:
        seconds = min(seconds, left)
        effort = min(1.0, max(_LEAST_EFFORT, seconds / _ROUND_S))
        options = replace(options, seconds=seconds, effort=effort)

    def receive(news: Any) -> None:
        if isinstance(news, str):
            report(f"rules by matches: {news}")
        else:
            seen(news)

    def in_child(tell: Callable[[Any], None]) -> T:
        return work(options, tell, tell)

    return run_watched(
        budget,
        in_child,
        report=receive,
        doing="looking for rules by matches",
    )
