"""Synthesis as in paper 000: Algorithms 1 and 2, with the options of its section IX.

Rules are made from pairs of a state and an optimal move, and simplified as long as the list stays
weakly optimal; in the end it is strongly optimal. The paper draws pairs from all states of the
game, here they come from those that optimal moves can reach, the only ones that matter.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Literal

import numpy as np

from kibitz.errors import BudgetExceededError
from kibitz.synth.problem.problem import Problem
from kibitz.synth.search.lists import ANY_MOVE, ANY_SILENCE, Bench, CandidateRule, shuffled

Order = Literal["random", "end", "start"]
"""Which pairs come first: any, those nearest to the end of the match, or to its start."""

Watch = Callable[[int], None]

_MOST_NAIVE = 3000
_MOST_SUBSETS = 200_000


def paper_synthesis(
    problem: Problem,
    *,
    seed: int = 0,
    order: Order = "end",
    is_greedy: bool = True,
    start: Sequence[CandidateRule] = (),
    locked: int = 0,
    watch: Watch | None = None,
) -> list[CandidateRule]:
    """Make a strongly optimal list by Algorithm 2.

    The list begins with the rules of `start`, the first `locked` of which are left as they are.
    `watch` is called repeatedly with the number of rules, and may raise an error to stop the work.
    """
    source = random.Random(seed)
    bench = Bench(problem, start, room=32)
    rules = list(start)
    for state, situation in _pairs(problem, order, source):
        if watch:
            watch(len(rules))
        if problem.arrays.all_correct[state] or _answers(bench, rules, state):
            continue
        rule = induced(problem, state, situation)
        reduced = _greedily(bench, rules, rule, source) if is_greedy else None
        if not is_greedy:
            reduced = _smallest(bench, rules, rule) or _greedily(bench, rules, rule, source)
        assert reduced is not None
        rules.append(reduced)
    rules = simplified(bench, rules, source, locked=locked, watch=watch)
    for place in shuffled(range(locked, len(rules)), source):
        if watch:
            watch(len(rules))
        shorter = [rule for i, rule in enumerate(rules) if i != place and rule.orbit >= 0]
        if bench.is_right(shorter, ANY_MOVE):
            rules[place] = CandidateRule(-1)
    return [rule for rule in rules if rule.orbit >= 0]


def naive_synthesis(
    problem: Problem, *, seed: int = 0, order: Order = "random"
) -> list[CandidateRule]:
    """Make a list by Algorithm 1: one rule for each state, then simplify until nothing helps."""
    if len(problem) > _MOST_NAIVE:
        raise BudgetExceededError(
            f"the naive algorithm would start with {len(problem):,} rules",
            hint="use --method paper, or search",
            options=["--method"],
        )
    source = random.Random(seed)
    chosen: dict[int, int] = {}
    for state, situation in _pairs(problem, order, source):
        chosen.setdefault(state, situation)
    rules = [induced(problem, state, situation) for state, situation in chosen.items()]
    return simplified(Bench(problem, rules), rules, source)


def simplified(
    bench: Bench,
    rules: Sequence[CandidateRule],
    source: random.Random,
    *,
    locked: int = 0,
    watch: Watch | None = None,
) -> list[CandidateRule]:
    """Apply valid single-step simplifications (definition 9) until there are none."""
    kept = list(rules)
    changed = True
    while changed:
        changed = False
        place = locked
        while place < len(kept):
            if watch:
                watch(len(kept))
            for literal in shuffled(kept[place].literals, source):
                shorter = [*kept[:place], kept[place].without(literal), *kept[place + 1 :]]
                if bench.is_right(shorter, ANY_SILENCE):
                    kept = shorter
                    changed = True
            place += 1
            bench.put(kept)
            live = bench.live()
            if len(live) < len(kept):
                place = locked + sum(locked <= i < place for i in live)
                kept = [rule for i, rule in enumerate(kept) if i in live or i < locked]
    return kept


def _pairs(problem: Problem, order: Order, source: random.Random) -> list[tuple[int, int]]:
    """List the pairs of a state and a correct situation of it."""
    arrays = problem.arrays
    state = np.repeat(np.arange(len(problem)), np.diff(arrays.sit_first))
    found = [(int(state[s]), int(s)) for s in np.flatnonzero(arrays.sit_correct)]
    source.shuffle(found)
    if order == "end":
        found.sort(key=lambda pair: problem.distance[pair[0]])
    elif order == "start":
        found.sort(key=lambda pair: problem.depth[pair[0]])
    return found


def _answers(bench: Bench, rules: Sequence[CandidateRule], state: int) -> bool:
    bench.put(rules)
    return bench.first_rule(state) >= 0


def induced(problem: Problem, state: int, situation: int) -> CandidateRule:
    """Return the rule whose condition is all that holds in a state (definition 8)."""
    arrays = problem.arrays
    place = situation - int(arrays.sit_first[state])
    for orbit, row in enumerate(arrays.block_first):
        for block in range(row[state], row[state + 1]):
            if arrays.is_first:
                bits = np.flatnonzero(arrays.block_sit[64 * block : 64 * block + 64] == place)
            else:
                bits = np.arange(int(arrays.block_sit[block] == place))
            if len(bits):
                bit = np.uint64(bits[0])
                usable = arrays.usable[arrays.usable_first[orbit] : arrays.usable_first[orbit + 1]]
                holds = (arrays.columns[usable, block] >> bit) & np.uint64(1)
                return CandidateRule(orbit, tuple(sorted(usable[holds != 0].tolist())))
    raise AssertionError("every situation has an image")


def _greedily(
    bench: Bench, before: Sequence[CandidateRule], rule: CandidateRule, source: random.Random
) -> CandidateRule:
    """Leave out literals one after the other, each tried once."""
    for literal in shuffled(rule.literals, source):
        if bench.is_right([*before, rule.without(literal)], ANY_SILENCE):
            rule = rule.without(literal)
    return rule


def _smallest(
    bench: Bench, before: Sequence[CandidateRule], rule: CandidateRule
) -> CandidateRule | None:
    """Find the fewest literals that suffice, by trying all subsets; None if there are too many."""
    tried = 0
    for size in range(len(rule.literals) + 1):
        for subset in combinations(rule.literals, size):
            tried += 1
            if tried > _MOST_SUBSETS:
                return None
            if bench.is_right([*before, CandidateRule(rule.orbit, subset)], ANY_SILENCE):
                return CandidateRule(rule.orbit, subset)
    return None
