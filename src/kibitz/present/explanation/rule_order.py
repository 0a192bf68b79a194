"""A list of rules in, the same rules out in the order in which people would explain them."""

from __future__ import annotations

from dataclasses import replace

from kibitz.solve import Solution
from kibitz.strategy import verify
from kibitz.synth import Bench, CandidateRule, Synthesis, features_of, write_list

__all__ = ["in_teaching_order"]

_FIRST = ("win", "block", "fork", "block fork")


def in_teaching_order(found: Synthesis, judging: Solution) -> Synthesis:
    """Put winning first, then parrying, wherever the list stays perfect; the checker verifies it.

    The rules themselves stay as they are.
    """
    problem = found.problem
    if any(feature.is_rule for feature in problem.features) or problem.lift is not None:
        return found
    bench = Bench(problem)
    ordered = list(found.rules)
    for rule in sorted(found.rules, key=lambda r: (_rank(found, r), found.rules.index(r))):
        if _rank(found, rule) == len(_FIRST):
            break
        here = ordered.index(rule)
        for place in range(here):
            if _rank(found, ordered[place]) <= _rank(found, rule):
                continue
            tried = [*ordered[:here], *ordered[here + 1 :]]
            tried.insert(place, rule)
            if bench.is_right(tried):
                ordered = tried
                break
    if ordered == list(found.rules):
        return found
    strategy = write_list(problem, ordered)
    verdict = verify(strategy, judging, found.role)
    if not verdict.perfect or verdict.dead_rules:
        return found
    return replace(found, rules=tuple(ordered), strategy=strategy, verdict=verdict)


def _rank(found: Synthesis, rule: CandidateRule) -> int:
    """Rank a rule by what it asks of its move, if that is all it asks."""
    names = [feature.name for feature in features_of(found.problem, rule)]
    ranks = [_FIRST.index(name) for name in names if name in _FIRST]
    return min(ranks, default=len(_FIRST))
