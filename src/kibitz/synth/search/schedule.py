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
from kibitz.synth.problem.problem import Problem, prices_of
from kibitz.synth.search.exact import Answer, decide, fewest_literals
from kibitz.synth.search.lists import Bench, CandidateRule
from kibitz.synth.search.search import Goal, ListSearch, SearchProgress

if TYPE_CHECKING:
    from kibitz.synth.synthesis import Options


_SOON, _RULES, _LITERALS = 20, 150, 60
"""Rounds without an improvement that end the search for fewer rules, at first and later, and for
fewer literals.
"""

_FIRST_PROOF = 0.7
"""The share of a proof's conflicts for a list of one rule less."""


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
    """Whether time cut the search short, so that it is not the same on any machine."""


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
    """Search for the options' rounds; `seen` gets lists as soon as they are found.

    A phase ends after its rounds, or when it has not improved the list for a number of them. Time
    only cuts that short.
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
        watch=_first_list_within(max(_FIRST_S, _FIRST_SHARE * (options.seconds or 0)), report),
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
        self.end = math.inf
        self.time_ended = False

    def run(self, *, can_prove: bool) -> SearchResult:
        """Look for fewer rules, prove that there are none, then look for fewer literals."""
        search, options = self.search, self.options
        if options.seconds is not None:
            self.end = time.perf_counter() + options.seconds
        if not search.is_right:
            self.phase("repair")
        if not search.is_right:
            raise too_few_words(options)
        self.show()
        # A proof does not consider rules that are kept as they were written.
        can_prove = can_prove and not any(f.is_rule for f in search.problem.features)
        # A list that is soon proved to be shortest needs no long search for a shorter one.
        for patience in (_SOON, _RULES) if can_prove else (_RULES,):
            self.phase("rules", patience)
            if can_prove:
                self.prove()
            if self.bound >= len(search.found.rules):
                break
        self.phase("literals", _LITERALS)
        found = SearchResult(search.found.rules, self.bound, time_ended=self.time_ended)
        if not (can_prove and self.bound >= len(found.rules) and search.goal.counts_rules):
            return found
        return _with_fewest_literals(search.problem, found, options, self.left())

    def left(self) -> float:
        """Return the seconds that are left."""
        return self.end - time.perf_counter()

    def phase(self, name: str, patience: int = 1 << 60) -> None:
        """Search for the rounds of a phase."""
        self.time_ended |= self.search.run(
            name,
            seconds=self.left(),
            rounds=self.options.rounds_to_make,
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
        conflicts = self.options.conflicts_to_make
        # Most often a short list is the shortest, and one proof is enough.
        first = int(_FIRST_PROOF * conflicts)
        if self.bound < best - 1 <= _PROVABLE:
            answer = self.ask(best - 1, first)
            if answer.is_impossible:
                self.bound = best
            conflicts -= answer.conflicts
        elif best > _PROVABLE:
            conflicts -= first
        while self.bound < len(self.search.found.rules):
            answer = self.ask(self.bound, conflicts)
            conflicts -= answer.conflicts
            if not answer.is_impossible:
                break
            self.bound += 1

    def ask(self, length: int, conflicts: int) -> Answer:
        """Ask whether no list has that few rules; use one that has."""
        if self.report:
            self.report(f"{len(self.search.found.rules)} rules; are {length} too few?")
        answer = decide(
            self.search.problem,
            length,
            seconds=self.left(),
            conflicts=conflicts,
            silence=self.options.silence,
        )
        self.time_ended |= answer.time_ended
        if answer.rules is not None:
            self.search.take(answer.rules)
        return answer


def _with_fewest_literals(
    problem: Problem, found: SearchResult, options: Options, seconds: float
) -> SearchResult:
    """Prove that a list of the fewest rules has the fewest literals, or use one that has."""
    known = sum(len(rule.literals) for rule in found.rules)
    try:
        better, least, time_ended = fewest_literals(
            problem,
            len(found.rules),
            known,
            seconds=seconds,
            conflicts=options.conflicts_to_make // 2,
            silence=options.silence,
        )
    except KeyboardInterrupt:
        return replace(found, was_interrupted=True)
    if better is not None:
        found = replace(found, rules=better)
    return replace(found, least_literals=least, time_ended=found.time_ended or time_ended)


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
    seconds = options.seconds or math.inf
    end = time.perf_counter() + seconds
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
                f"in {seconds:g} s",
                hint="allow more with --time, or use --method search",
                options=["--time", "--method"],
            )
        length += 1
