"""Share the effort of a search between fewer rules, a lower bound, and fewer literals."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kibitz.budget import Budget, time_to_work
from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.synth.paper import Watch
from kibitz.synth.problem.literal_costs import prices_of
from kibitz.synth.problem.problem import Problem
from kibitz.synth.search.exact import UNBOUNDED, Answer, decide, fewest_literals
from kibitz.synth.search.lists import Bench, CandidateRule
from kibitz.synth.search.search import Goal, ListSearch, SearchProgress

if TYPE_CHECKING:
    from kibitz.synth.synthesis import Options

__all__ = ["SearchResult", "find_minimum", "run_search", "too_few_words"]

_SLICES = ((0.12, 40), (0.25, 150), (0.13, 75))
"""Shares of the time for fewer rules, and rounds without an improvement that end each."""

_COUNTED = ((1.0, 150),)
_LITERALS = 60
"""The same where rounds are counted, and for fewer literals."""

_PROOF = 0.25
"""The share of the time that a proof may take after each of them."""

_FIRST_PROOF = 0.7
"""The share of a proof's time or conflicts for a list of one rule less."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A list, how many rules every list needs, and how many literals a list of that length needs.

    The number of literals is known to be more than none only where the number of rules is the
    least.
    """

    rules: list[CandidateRule]
    least_rules: int
    least_literals: int = 0
    was_interrupted: bool = False
    time_ended: bool = False
    """Whether more time could have found more."""


_FIRST_S = 60.0
_FIRST_SHARE = 3.0
"""A first list may take this time, or this multiple of the search's time; then it ends."""
_REPORT_S = 1.0

_SHORTER = 0.7
"""The share of the rules of a list that was shown which the next one that is shown may have."""
_PROVABLE = 12
"""For longer lists no proof that they are shortest is attempted, only a bound."""


def run_search(
    problem: Problem,
    options: Options,
    given: Sequence[CandidateRule],
    kept: int,
    least: int,
    report: Callable[[str], None] | None,
    seen: Callable[[list[CandidateRule]], None] | None = None,
) -> SearchResult:
    """Search as long as the options allow; `seen` gets lists as soon as they are found.

    A phase ends when it has not improved the list for a number of rounds; so time matters only
    where it is too short for that.
    """
    goal = Goal(
        prices_of(problem, options.objective),
        counts_rules=options.objective == "rules",
        per_rule=1.0 if options.objective == "easy" else 0.0,
    )
    search = ListSearch(
        problem,
        goal=goal,
        seed=options.seed,
        silence=options.silence,
        start=given,
        locked=kept,
        watch=_first_list_within(max(_FIRST_S, _FIRST_SHARE * options.seconds), report),
    )
    # A bound would be about lists that do not begin with the kept rules.
    schedule = _Schedule(search, options, max(least, kept), report, seen)
    try:
        return schedule.run(can_prove=not kept)
    except KeyboardInterrupt:
        if not search.is_right:
            raise
        if report:
            report("stopped; checking the list (Ctrl-C again exits at once)")
        return SearchResult(search.found.rules, schedule.bound, was_interrupted=True)


def _first_list_within(seconds: float, report: Callable[[str], None] | None) -> Watch:
    """Report how long the first list is, and end it when time is over."""
    reported = time.monotonic()
    deadline = reported + seconds

    def watch(rules: int) -> None:
        nonlocal reported
        now = time.monotonic()
        if time_to_work() <= 0:
            raise Budget().exceeded("time", f"a first list, of more than {rules:,} rules,")
        if now > deadline:
            raise BudgetExceededError(
                f"a first list, of more than {rules:,} rules, takes more than {seconds:.0f} s",
                hint="allow more time with --time, or more conditions, for example with --features",
                options=["--time", "--features"],
            )
        if report and now > reported + _REPORT_S:
            reported = now
            report(f"a first list, {rules:,} rules so far")

    return watch


class _Schedule:
    def __init__(
        self,
        search: ListSearch,
        options: Options,
        bound: int,
        report: Callable[[str], None] | None,
        seen: Callable[[list[CandidateRule]], None] | None,
    ) -> None:
        self.search, self.options, self.bound, self.report = search, options, bound, report
        self.seen, self.fewer = seen, math.inf
        self.is_counted = options.rounds is not None
        self.end = 0.0
        self.time_ended = False

    def run(self, *, can_prove: bool) -> SearchResult:
        """Look for fewer rules and prove that there are none, in turns; then for fewer literals."""
        search, options = self.search, self.options
        search.warm_up()
        self.end = time.perf_counter() + options.seconds
        if not search.is_right:
            self.phase("repair", 0.5)
        if not search.is_right:
            raise too_few_words(options)
        self.show()
        # A proof does not consider rules that are kept as they were written.
        can_prove = can_prove and not any(f.is_rule for f in search.problem.features)
        for part, patience in _COUNTED if self.is_counted else _SLICES:
            self.phase("rules", part, patience)
            if can_prove:
                self.prove()
            if self.bound >= len(search.found.rules):
                break
        is_shortest = can_prove and self.bound >= len(search.found.rules)
        is_shortest = is_shortest and search.goal.counts_rules
        self.phase("literals", 0.4 * self.left() if is_shortest else 1.0, _LITERALS)
        found = SearchResult(search.found.rules, self.bound, time_ended=self.time_ended)
        if not is_shortest:
            return found
        return _with_fewest_literals(search.problem, found, options, self.share(1.0))

    def left(self) -> float:
        """Return the share of the time that is left."""
        return max(0.0, self.end - time.perf_counter()) / self.options.seconds

    def share(self, part: float) -> float:
        """Return a share of the time in seconds, as far as left; all if rounds are counted."""
        if self.is_counted:
            return float("inf")
        return min(part, self.left()) * self.options.seconds

    def phase(self, name: str, part: float, patience: int = 1 << 60) -> None:
        """Search for a share of the time, or for the requested rounds."""
        self.time_ended |= self.search.run(
            name,
            seconds=self.share(part),
            rounds=1 << 60 if self.options.rounds is None else self.options.rounds,
            patience=patience,
            least=self.bound,
            report=self.report_progress,
        )

    def report_progress(self, found: SearchProgress) -> None:
        """Report how far the search is."""
        if self.report:
            price = sum(len(rule.literals) for rule in found.rules)
            self.report(f"{len(found.rules)} rules, {price} literals, {found.steps:,} steps")
        self.show()

    def show(self) -> None:
        """Give away the list found so far, if it is much shorter than the last one."""
        rules = self.search.found.rules
        if self.seen and self.search.is_right and len(rules) <= self.fewer:
            self.fewer = _SHORTER * len(rules)
            self.seen(rules)

    def prove(self) -> None:
        """Prove for one number of rules after another that it is too small."""
        best = len(self.search.found.rules)
        seconds = min(_PROOF * self.options.seconds, self.share(1.0))
        if self.is_counted:
            seconds = float("inf")
        end = time.perf_counter() + seconds
        conflicts = self.options.proof_conflicts if self.is_counted else UNBOUNDED
        # Most often a short list is the shortest, and one proof is enough.
        first = int(_FIRST_PROOF * conflicts)
        if self.bound < best - 1 <= _PROVABLE:
            answer = self.ask(best - 1, _FIRST_PROOF * seconds, first)
            if answer.is_impossible:
                self.bound = best
            conflicts -= answer.conflicts
        elif best > _PROVABLE:
            end -= _FIRST_PROOF * seconds if not self.is_counted else 0.0
            conflicts -= first
        while self.bound < len(self.search.found.rules):
            answer = self.ask(self.bound, end - time.perf_counter(), conflicts)
            conflicts -= answer.conflicts
            if not answer.is_impossible:
                break
            self.bound += 1

    def ask(self, length: int, seconds: float, conflicts: int) -> Answer:
        """Ask whether no list has that few rules; use one that has."""
        if self.report:
            self.report(f"{len(self.search.found.rules)} rules; are {length} too few?")
        answer = decide(
            self.search.problem,
            length,
            seconds=seconds,
            conflicts=conflicts,
            silence=self.options.silence,
        )
        if answer.rules is not None:
            self.search.take(answer.rules)
        elif not answer.is_impossible and not self.is_counted:
            self.time_ended = True
        return answer


def _with_fewest_literals(
    problem: Problem, found: SearchResult, options: Options, seconds: float
) -> SearchResult:
    """Prove that a list of the fewest rules has the fewest literals, or use one that has."""
    known = sum(len(rule.literals) for rule in found.rules)
    try:
        better, least = fewest_literals(
            problem,
            len(found.rules),
            known,
            seconds=seconds,
            conflicts=UNBOUNDED if options.rounds is None else options.proof_conflicts // 2,
            silence=options.silence,
        )
    except KeyboardInterrupt:
        return replace(found, was_interrupted=True)
    if better is not None:
        found = replace(found, rules=better)
    left = sum(len(rule.literals) for rule in found.rules) > least and options.rounds is None
    return replace(found, least_literals=least, time_ended=found.time_ended or left)


def too_few_words(options: Options) -> KibitzError:
    """Make the error that no list was found with the allowed conditions."""
    return BudgetExceededError(
        f"no list that plays perfectly was found with --literals {options.literals}",
        hint="allow more conditions, with --literals all or --features, or more --time",
        options=["--literals", "--features", "--time"],
    )


def find_minimum(
    problem: Problem,
    options: Options,
    given: Sequence[CandidateRule],
    report: Callable[[str], None] | None,
) -> SearchResult:
    """Ask for lists of one rule, of two, and so on, until there is one; raise if time runs out."""
    if given:
        raise InputError(
            "the exact method has no rules to start with",
            hint="remove --start, or use --method search",
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
            found = SearchResult(min(tries, key=Goal(prices).key), length)
            if options.objective != "rules":
                return found
            left = end - time.perf_counter()
            return _with_fewest_literals(problem, found, options, left)
        if not answer.is_impossible:
            raise BudgetExceededError(
                f"at least {length} rules are needed; whether {length} suffice was not decided "
                f"in {options.seconds:g} s",
                hint="allow more with --time, or use --method search",
                options=["--time", "--method"],
            )
        length += 1
