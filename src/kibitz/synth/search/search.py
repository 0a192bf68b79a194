"""Local search: walk through wrong lists of a fixed length until one is correct, then shorten.

Two lanes walk at the same time, each with its own random numbers, in rounds of a number of steps
that depends only on the problem. So the result after a number of rounds does not depend on the
machine; time decides only how many rounds there are.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from kibitz.budget import time_to_work
from kibitz.core import Struct, function
from kibitz.synth.paper import Watch, paper_synthesis
from kibitz.synth.problem.problem import Problem, prices_of
from kibitz.synth.search.lists import ANY_MOVE, Bench, CandidateRule

_TEMPERATURES = (0.8, 0.3)
"""One for each lane: short lists come from the warm one, long ones more often from the other."""

LANES = len(_TEMPERATURES)

_WORK = 4_000_000
"""Steps times states in a round, so that a round takes a fraction of a second."""

_PRUNINGS = 6
_LONG = 12
"""Lists with more rules than this are pruned only once."""

_RESTART = 100
"""After how many rounds without success a lane restarts elsewhere."""

_PER_LENGTH = 8
"""How many rounds to repair a list that errs before it may have one more rule."""

_FAIL = 1e300


@dataclass(frozen=True, slots=True)
class Goal:
    """Objective of the list search: fewer rules, then fewer literals, or fewer literals alone.

    `prices` has what each literal costs beside each orbit of moves; with `counts_rules` fewer rules
    are better at any price.
    """

    prices: npt.NDArray[np.float64]
    counts_rules: bool = True
    per_rule: float = 0.0

    def key(self, rules: Sequence[CandidateRule]) -> tuple[float, float]:
        """Return what is minimised."""
        price = price_of(rules, self.prices) + self.per_rule * len(rules)
        return (len(rules), price) if self.counts_rules else (price, len(rules))


def price_of(rules: Sequence[CandidateRule], prices: npt.NDArray[np.float64]) -> float:
    """Add up what the literals of a list cost."""
    return float(sum(prices[rule.orbit, list(rule.literals)].sum() for rule in rules))


@dataclass
class SearchProgress:
    """How far a search has come."""

    rules: list[CandidateRule]
    rounds: int = 0
    steps: int = 0
    trace: list[tuple[int, int, float]] = field(default_factory=list)
    """Round, rules and price at each improvement."""


class Lane:
    """One walk, with its own bench and random numbers."""

    def __init__(self, problem: Problem, number: int, seed: int) -> None:
        self.bench = Bench(problem)
        self.number = number
        self.rng = np.zeros(1, dtype=np.uint64)
        self.sow(str(seed))
        self.stop = np.zeros(1, dtype=np.int64)
        self.aim: tuple[int, float] | None = None
        self.idle = 0

    def sow(self, seed: str) -> None:
        """Restart the random numbers and the walk."""
        self.source = random.Random(f"{seed}/{self.number}")
        self.rng[0] = self.source.getrandbits(63) | 1
        self.aim = None

    def run(
        self,
        rules: Sequence[CandidateRule],
        goal: Goal,
        aim: tuple[int, float],
        locked: int,
        silence: int,
        steps: int,
    ) -> list[CandidateRule] | None:
        """Walk a round towards a list of limited length and cost."""
        if aim != self.aim or self.idle >= _RESTART:
            self.start(rules, aim[0], locked)
            self.aim, self.idle = aim, 0
        self.idle += 1
        bench = self.bench
        left = self.walk(goal, aim, locked, silence, steps)
        if left < 0:
            return None
        found = bench.rules
        bench.table.weights[:] = 1
        tries = [
            bench.pruned(
                found, silence=silence, locked=locked, source=self.source, prices=goal.prices
            )
            for _ in range(_PRUNINGS if len(found) <= _LONG else 1)
        ]
        self.aim = None
        return min(tries, key=goal.key)

    def walk(
        self, goal: Goal, aim: tuple[int, float], locked: int, silence: int, steps: int
    ) -> int:
        """Walk through lists that err; return the steps left, -1 if none was correct."""
        walk = Struct(
            "rule_walk", rules=self.bench.table, prices=goal.prices, cap=aim[1], locked=locked,
            steps=steps, temperature=_TEMPERATURES[self.number], random=self.rng, stop=self.stop,
            other_bad=np.zeros(len(self.bench.problem), dtype=np.int32),
        )  # fmt: skip
        return int(function("situations_walk")(walk, silence))

    def least_needed(self, rules: Sequence[CandidateRule], locked: int) -> int:
        """Return the index of a rule without which the list errs in few states."""
        counts = []
        for place in range(locked, len(rules)):
            self.bench.put([*rules[:place], *rules[place + 1 :]])
            counts.append((len(self.bench.errors()), self.source.random(), place))
        return self.source.choice(sorted(counts)[: 1 + 2 * self.number])[2]

    def start(self, rules: Sequence[CandidateRule], length: int, locked: int) -> None:
        """Begin with the best list, with rules left out or empty ones put in."""
        kept = list(rules)
        self.bench.table.weights[:] = 1
        while len(kept) > length:
            del kept[self.least_needed(kept, locked)]
        orbits = len(self.bench.problem.orbit_moves)
        while len(kept) < length:
            place = self.source.randint(locked, len(kept))
            kept.insert(place, CandidateRule(self.source.randrange(orbits)))
        self.bench.put(kept)
        self.bench.table.weights[:] = 1


class ListSearch:
    """Looks for ever shorter lists. `run` can be called again to continue."""

    def __init__(
        self,
        problem: Problem,
        *,
        goal: Goal | None = None,
        seed: int = 0,
        silence: int = ANY_MOVE,
        start: Sequence[CandidateRule] = (),
        locked: int = 0,
        watch: Watch | None = None,
    ) -> None:
        self.problem = problem
        self.goal = goal or Goal(prices_of(problem, "rules"))
        self.silence, self.locked, self.seed = silence, locked, seed
        self.steps = max(50, min(20_000, _WORK // len(problem)))
        self.lanes = [Lane(problem, number, seed) for number in range(LANES)]
        first = paper_synthesis(problem, seed=seed, start=start, locked=locked, watch=watch)
        bench = self.lanes[0].bench
        if silence < ANY_MOVE:
            first = _answering(problem, bench, first)
        source = random.Random(seed)
        first = bench.pruned(first, silence=silence, locked=locked, source=source)
        self.found = SearchProgress(first)
        self.is_right = bench.is_right(first, silence)
        """Whether conditions may fail to distinguish states, so that a list has to be searched."""
        self.note_best()

    def note_best(self) -> None:
        """Record when this list was found."""
        price = price_of(self.found.rules, self.goal.prices)
        self.found.trace.append((self.found.rounds, len(self.found.rules), price))

    def take(self, rules: Sequence[CandidateRule]) -> None:
        """Continue from a list that was found elsewhere, if it is correct and better."""
        bench = self.lanes[0].bench
        source = random.Random(self.seed)
        better = bench.pruned(rules, silence=self.silence, locked=self.locked, source=source)
        is_better = self.goal.key(better) < self.goal.key(self.found.rules)
        if is_better and bench.is_right(better, self.silence):
            self.found.rules = better
            self.note_best()

    def run(
        self,
        phase: str,
        *,
        seconds: float = float("inf"),
        rounds: int = 1 << 60,
        patience: int = 1 << 60,
        least: int = 0,
        report: Callable[[SearchProgress], None] | None = None,
    ) -> bool:
        """Search for fewer "rules", or cheaper "literals" with as many rules, round by round.

        In the phase "repair" the list still errs, and any list that does not ends the phase.

        Stops at `least` rules, when time or rounds are over, or after `patience` rounds without an
        improvement; returns whether time ended it. After Ctrl-C what was found by then is kept.
        """
        end = time.perf_counter() + seconds
        idle = 0
        for lane in self.lanes:
            lane.sow(f"{self.seed}/{phase}/{len(self.found.rules)}")
        with ThreadPoolExecutor(LANES) as pool:
            while rounds > 0 and idle < patience:
                aim = self.aim(phase, idle)
                if phase == "repair" and self.is_right:
                    break
                if aim[0] < max(least, self.locked) or (phase == "rules" and aim[0] == self.locked):
                    break
                if aim[1] < 0:
                    break
                if time.perf_counter() >= end or time_to_work() <= 0:
                    return True
                rounds -= 1
                self.found.rounds += 1
                self.found.steps += LANES * self.steps
                waiting = [
                    pool.submit(
                        lane.run,
                        self.found.rules,
                        self.goal,
                        aim,
                        self.locked,
                        self.silence,
                        self.steps,
                    )
                    for lane in self.lanes
                ]
                try:
                    results = [future.result() for future in waiting]
                except KeyboardInterrupt:
                    for lane in self.lanes:
                        lane.stop[0] = 1
                    raise
                idle += 1
                for rules in results:
                    is_better = rules and self.goal.key(rules) < self.goal.key(self.found.rules)
                    if rules and (is_better or not self.is_right):
                        self.is_right = True
                        self.found.rules = rules
                        self.note_best()
                        idle = 0
                if report:
                    report(self.found)
        return False

    def aim(self, phase: str, idle: int) -> tuple[int, float]:
        """Return how long the next list is to be, and what it may cost."""
        length = len(self.found.rules)
        if phase == "rules":
            return length - 1, _FAIL
        if phase == "repair":
            return length + idle // _PER_LENGTH, _FAIL
        price = price_of(self.found.rules, self.goal.prices)
        dearest = self.goal.prices[self.goal.prices > 0].min(initial=1.0)
        extra = 0 if self.goal.counts_rules else idle // 4 % 3
        return length + extra, price - dearest - extra * self.goal.per_rule + 1e-9


def _answering(
    problem: Problem, bench: Bench, rules: Sequence[CandidateRule]
) -> list[CandidateRule]:
    """Add rules without conditions for moves that are correct wherever the list is silent."""
    from kibitz.synth.paper import induced

    kept = list(rules)
    while True:
        bench.put(kept)
        bad = bench.errors(0)
        if not len(bad):
            return kept
        state = int(bad[0])
        first, last = problem.arrays.sit_first[state : state + 2]
        correct = int(first + np.flatnonzero(problem.arrays.sit_correct[first:last])[0])
        kept.append(induced(problem, state, correct))
