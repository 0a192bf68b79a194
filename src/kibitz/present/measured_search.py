"""A budget in, measured rules out, or whatever is made of them: a search by matches in a child."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from kibitz.budget import Budget, above, run_watched, time_left, time_to_work
from kibitz.measured import SearchOptions

__all__ = ["search_by_matches"]

_RULES, _ROUNDS = 5, 1
"""How many rules a list has at most, and how many rounds are made where no time is given."""
_BUDGETS = 4
"""How many budgets a search of rounds may take before it is given up."""

Report = Callable[[str], None]
T = TypeVar("T")


def search_by_matches(
    work: Callable[[SearchOptions, Report], T],
    *,
    budget: Budget,
    seconds: float | None,
    seed: int,
    report: Report = lambda _: None,
) -> T:
    """Call `work` with options for a search: for a time, or in rounds, the same on any machine.

    A child does it, as native code cannot be ended otherwise. A command that is held to a time
    gives it half of what is left.

    >>> search_by_matches(
    ...     lambda options, report: options.rounds, budget=Budget(), seconds=None, seed=0
    ... )
    1
    """
    options = SearchOptions(most_rules=_RULES, rounds=_ROUNDS, seconds=seconds, seed=seed)
    bound = _BUDGETS * budget.seconds + (seconds or 0.0)
    if time_left() < float("inf"):
        bound = max(1.0, time_to_work())
        options = replace(options, seconds=min(seconds or bound, bound / 2))
    return run_watched(
        above(replace(budget, seconds=bound)),
        lambda tell: work(options, tell),
        report=lambda message: report(f"rules by matches: {message}"),
        doing="looking for rules by matches",
    )
