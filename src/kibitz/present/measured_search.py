"""A budget in, measured rules out, or whatever is made of them: a search by matches in a child."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from kibitz.budget import Budget, run_watched, time_left, time_to_work
from kibitz.measured import SearchOptions

__all__ = ["search_by_matches"]

_RULES, _ROUNDS = 5, 1
"""How many rules a list has at most, and how many rounds are made where no time is given."""
_BUDGETS = 3
"""How many budgets a search of rounds may take before it is given up."""
_ROUND_S, _LEAST_EFFORT = 60.0, 0.05
"""A time that is enough for a usual round of most games; in less time rounds are smaller."""
_DOING = "looking for rules by matches"

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

    Where matches take long a minute takes the place of rounds.

    A child does it, as native code cannot be ended otherwise. A command that is held to a time
    gives the search half of what is left, and ends it in time for what follows.

    >>> search_by_matches(
    ...     lambda options, report: options.rounds, budget=Budget(), seconds=None, seed=0
    ... )
    1
    """
    budget = replace(budget, seconds=_BUDGETS * budget.seconds + (seconds or 0.0))
    if time_left() < float("inf"):
        seconds = min(seconds or float("inf"), max(1.0, time_to_work()) / 2)
    options = SearchOptions(
        most_rules=_RULES, rounds=_ROUNDS, seconds=seconds, slow_s=_ROUND_S, seed=seed
    )
    if seconds is not None:
        options = replace(options, effort=min(1.0, max(_LEAST_EFFORT, seconds / _ROUND_S)))

    def check() -> None:
        if time_to_work() <= 0:
            raise budget.exceeded("time", _DOING)

    return run_watched(
        budget,
        lambda tell: work(options, tell),
        report=lambda message: report(f"rules by matches: {message}"),
        check=check,
        doing=_DOING,
    )
