"""How well a list of few rules can play, computed exactly: length as a measure of difficulty."""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame, Role, State
from kibitz.solve import Solution, edge_sources, keeping_edges
from kibitz.strategy import MoveSet, Strategy, Verdict, verify
from kibitz.synth.problem.problem import Problem, make_problem, prices_of
from kibitz.synth.search.lists import Bench, CandidateRule
from kibitz.synth.search.search import Goal, Lane
from kibitz.synth.synthesis import Options, prepare, write_list

_STEPS = 400
_KEPT = 6
_PATIENCE = 60
_SWEEPS, _LEAST_SWEEPS, _WORK = 5000, 50, 30_000_000
"""The most sweeps over all edges, the fewest that are allowed, and the edges to look at in all."""
_MOST_RULES = 60


@dataclass(frozen=True)
class Partial:
    """A list of limited length, and what it gives away."""

    role: Role
    most_rules: int
    strategy: Strategy | None
    verdict: Verdict
    value: int
    """The value of the game for the role."""
    against_perfect: int
    """The guaranteed goal."""
    against_random: float
    """The mean goal where both choose at random among the moves they may make."""
    keeping_against_random: float
    """The same for a role that makes any move that keeps the value."""
    rules: tuple[CandidateRule, ...] = field(repr=False)
    time_ended: bool = False
    """Whether time ended the search: another run may find a better list."""

    @property
    def score(self) -> tuple[int, float]:
        """Guaranteed value, then the value against random play; more is better."""
        return self.against_perfect, self.against_random

    @property
    def loss(self) -> int:
        """Value that it may lose against a perfect opponent."""
        return self.value - self.against_perfect

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "role": self.role,
            "max_rules": self.most_rules,
            "strategy": self.strategy.text if self.strategy else "",
            "rules": len(self.rules),
            "literals": sum(len(rule.literals) for rule in self.rules),
            "value": self.value,
            "against_perfect": self.against_perfect,
            "loss_against_perfect": self.loss,
            "against_random": self.against_random,
            "loss_against_random": self.keeping_against_random - self.against_random,
            "perfect": self.verdict.perfect,
            "strongly_optimal": self.verdict.strongly_optimal,
            "time_ended": self.time_ended,
        }


def best_of_length(
    problem: Problem,
    judging: Solution,
    most_rules: int,
    *,
    options: Options | None = None,
) -> Partial:
    """Find a list of limited length that gives away little.

    The search minimises the states where the list errs; of the lists with the fewest, it returns
    the one that guarantees the most, then gets the most against random play, both computed exactly.
    """
    options = options or Options()
    candidates: list[tuple[CandidateRule, ...]] = [()]
    time_ended = False
    if most_rules:
        found, time_ended = _candidates(problem, most_rules, options)
        candidates += found
    judged = [_judge(problem, judging, most_rules, rules) for rules in candidates]
    best = max(judged, key=lambda p: (p.score, -len(p.rules)))
    return replace(best, time_ended=time_ended)


def walk_curve(
    game: CompiledGame,
    role: Role,
    options: Options,
    *,
    starts: Sequence[State] = (),
    most: int | None = None,
) -> Iterator[Partial]:
    """Find the best lists of no rules, one rule and so on, up to a perfect list.

    With `most`, only that length is searched. The options' rounds are for each length; their time
    cuts all short, each length after an eighth of it.
    """
    ready = prepare(game, reading=options.reading, starts=starts, max_states=options.max_states)
    problem = make_problem(
        ready.solution,
        role,
        symmetries=ready.symmetries,
        reading=options.reading,
        literals=options.literals,
        features=options.all_features(game, ready.symmetries),
        actions=options.actions,
        lift=options.lift,
    )
    if most is not None:
        yield best_of_length(problem, ready.judging, most, options=options)
        return
    share = replace(options, seconds=options.seconds and options.seconds / 8)
    curve: list[Partial] = []
    while not curve or not curve[-1].verdict.perfect:
        found = best_of_length(problem, ready.judging, len(curve), options=share)
        # A longer list need not use its full length.
        if curve and found.score < curve[-1].score:
            found = replace(curve[-1], most_rules=len(curve), time_ended=found.time_ended)
        curve.append(found)
        yield found
        if len(curve) > _MOST_RULES:
            break


def _candidates(
    problem: Problem, length: int, options: Options
) -> tuple[list[tuple[CandidateRule, ...]], bool]:
    """Walk through lists of a length, and keep those with the fewest wrong states.

    Returns whether time cut it short.
    """
    end = time.perf_counter() + (options.seconds or math.inf)
    lane = Lane(problem, 0, options.seed)
    lane.start([], length, 0)
    goal = Goal(prices_of(problem, "rules"))
    bench = Bench(problem)
    kept: list[tuple[int, tuple[CandidateRule, ...]]] = []
    rounds = options.rounds if options.rounds is not None else 1 << 60
    idle = 0
    time_ended = False
    while rounds > 0 and idle < _PATIENCE:
        if time.perf_counter() >= end:
            time_ended = True
            break
        rounds -= 1
        idle += 1
        left = lane.walk(goal, (length, 1e300), 0, options.silence, _STEPS)
        rules = tuple(lane.bench.rules)
        bench.put(rules)
        entry = (-len(bench.errors(options.silence)), rules)
        if entry in kept:
            continue
        if len(kept) < _KEPT or entry > kept[0]:
            idle = 0
        heapq.heappush(kept, entry)
        if len(kept) > _KEPT:
            heapq.heappop(kept)
        if left >= 0:
            break
    found = [tuple(bench.pruned_errors(rules, options.silence)) for _, rules in kept]
    return found, time_ended


def _judge(
    problem: Problem, judging: Solution, most: int, rules: Sequence[CandidateRule]
) -> Partial:
    role = problem.role
    space = judging.space
    strategy = write_list(problem, rules) if rules else None
    chosen = strategy.on(space, role) if strategy else _nothing(judging, role)
    verdict = verify(strategy or chosen, judging, role)
    index = space.game.roles.index(role)
    mine = space.turn[edge_sources(space)] == index
    keeping = mine & keeping_edges(judging)
    return Partial(
        role=role,
        most_rules=most,
        strategy=strategy,
        verdict=verdict,
        value=judging.value()[role],
        against_perfect=verdict.guarantees[role],
        against_random=expected_goal(judging, role, chosen.chosen & mine),
        keeping_against_random=expected_goal(judging, role, keeping),
        rules=tuple(rules),
    )


def _nothing(judging: Solution, role: Role) -> MoveSet:
    return MoveSet(judging.space, role, np.zeros(judging.space.edges, dtype=bool))


def expected_goal(judging: Solution, role: Role, chosen: npt.NDArray[np.bool_]) -> float:
    """Return the role's mean goal from the first state.

    The role picks at random among the chosen edges of a state, or among all where none is chosen,
    as the others do. Play that does not end counts as the middle value: within 5,000 moves, or
    fewer in a large space with cycles.
    """
    space = judging.space
    index = space.game.roles.index(role)
    first, target = space.first_edge, space.target
    source = np.repeat(np.arange(len(space)), np.diff(first))
    covered = np.zeros(len(space), dtype=bool)
    covered[source[chosen]] = True
    taken = np.flatnonzero(chosen | ~covered[source])
    source, target = source[taken], target[taken]
    counts = np.bincount(source, minlength=len(space))
    inner = counts > 0
    value = np.full(len(space), float(judging.total // 2))
    value[space.terminal] = space.goals[space.terminal, index]
    for _ in range(min(_SWEEPS, max(_LEAST_SWEEPS, _WORK // max(1, len(taken))))):
        sums = np.bincount(source, weights=value[target], minlength=len(space))
        new = np.where(inner, sums / np.maximum(counts, 1), value)
        if np.abs(new - value).max() < 1e-9:
            break
        value = new
    return float(value[0])


def plot_curve(curve: Sequence[Partial], path: Path) -> None:
    """Draw what lists guarantee, and what they get on average, against their length."""
    from kibitz.charts import Axis, Series, line_chart, save_chart

    lengths = [p.most_rules for p in curve]
    value = curve[0].value
    series = [
        Series("guaranteed", [(p.most_rules, p.against_perfect) for p in curve], "step"),
        Series("against random play", [(p.most_rules, p.against_random) for p in curve]),
        Series(
            "value of the game", [(n, value) for n in (lengths[0], lengths[-1])], is_dashed=True
        ),
    ]
    rules = Axis("rules", min(lengths), max(lengths))
    goal = Axis(f"goal of {curve[0].role}", 0, 100)
    save_chart(line_chart(series, rules, goal, title=""), path)
