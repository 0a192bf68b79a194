"""Learn preferences for a game with their guarantees: examples, learning, checking, repairing."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from kibitz.budget import is_over
from kibitz.engine import State
from kibitz.errors import InputError
from kibitz.gdl import Function, RuleSheet
from kibitz.learn.minimax.pruned_minimax import pruned_tree
from kibitz.learn.preferences.bias import Bias
from kibitz.learn.preferences.examples import examples_from_decisions, examples_from_solution
from kibitz.learn.preferences.pool import HeldOut, Pool, held_out, make_pool
from kibitz.learn.preferences.preference_search import (
    CONFLICTS,
    Learned,
    OrderedExample,
    learn_preferences,
)
from kibitz.learn.preferences.preferences import Preferences
from kibitz.solve import Solution, solve
from kibitz.space import Limits, explore
from kibitz.strategy import Verdict, verify

_LIMITS = Limits(
    states=300_000,
    seconds=60,
    hint="learn from a smaller instance, whose rules can play the large one, or --examples pool",
)
_ROUNDS = 100
_SHARE = 3
"""The time or conflicts that are left are divided by this for each round."""


@dataclass(frozen=True)
class Result:
    """Outcome of learning, with a verdict for each role of the game it was learned from."""

    learned: Learned
    verdicts: dict[str, Verdict]
    rounds: int
    examples: tuple[OrderedExample, ...] = field(repr=False, default=())
    time_ended: bool = False
    """Whether time ended it: another run may learn more."""
    pool: Pool | None = None
    """The positions of matches it was learned from, if the game was not listed."""
    held_out: HeldOut | None = None

    @property
    def is_optimal(self) -> bool:
        """Whether it is perfect for every role."""
        return bool(self.verdicts) and all(v.perfect for v in self.verdicts.values())


def solution_from(state: State) -> Solution:
    """Solve what can be reached from a state."""
    return solve(explore(state.game, starts=[state], limits=_LIMITS))


def check_preferences(preferences: Preferences, solution: Solution) -> dict[str, Verdict]:
    """Verify preferences for each role."""
    sets = preferences.move_sets(solution.space, solution.space.game.roles)
    return {role: verify(moves, solution, role) for role, moves in sets.items()}


def learn_constraints(
    state: State,
    bias: Bias,
    *,
    from_search: bool = False,
    with_noise: bool = False,
    until_optimal: bool = False,
    tests: Sequence[Solution] = (),
    seconds: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> Result:
    """Learn preferences from a state on, from all its optimal moves or from a pruned search.

    With `until_optimal`, mistakes in the game, or in other games given as `tests`, are added to the
    examples and learning starts again, until there are no mistakes or nothing more can be learned.
    With noise, the learned preferences also select one optimal move of each state, the one that
    they rank best, and the next round ignores the others: one optimal move is enough. The result is
    the best of all rounds: wrong in the fewest states, and then the shortest. Without `seconds`
    learning is bounded by its work, and gives the same result on any machine.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.learn.preferences.bias import automatic_bias
    >>> game = CompiledGame(load_sheet("nim:1,2,3"))
    >>> result = learn_constraints(game.initial(), automatic_bias(game.sheet))
    >>> result.learned.preferences.constraints[0].body.text, result.is_optimal
    ('odd_heap(V0)', True)
    """
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    conflicts = CONFLICTS
    solution = solution_from(state)
    if from_search:
        examples = examples_from_decisions(pruned_tree(state.game, state))
    else:
        examples = examples_from_solution(solution)
    if not examples:
        raise InputError(
            f"in {state.game.sheet.name} no move is better than another from there",
            hint="start where there is a choice: --position or --instance",
        )
    sheet = state.game.sheet
    asked = examples
    best: Result | None = None
    fewest = None
    share = _SHARE if until_optimal and with_noise else 1
    time_ended = False
    rounds = 0
    while True:
        rounds += 1
        learned = learn_preferences(
            sheet,
            asked,
            bias,
            with_noise=with_noise,
            seconds=None if seconds is None else max(1.0, (deadline - time.monotonic()) / share),
            conflicts=max(1, conflicts // share),
            progress=progress,
        )
        conflicts -= learned.conflicts
        time_ended = time_ended or learned.time_ended
        if learned.preferences is None:
            best = best or Result(learned, {}, rounds, tuple(examples))
            return replace(best, time_ended=time_ended)
        judged = [(s, check_preferences(learned.preferences, s)) for s in (solution, *tests)]
        result = Result(learned, judged[0][1], rounds, tuple(examples))
        bad = [sum(v.bad_states for v in verdicts.values()) for _, verdicts in judged]
        cost = (sum(bad), learned.preferences.size)
        is_better = fewest is None or cost < fewest
        if best is None or fewest is None or is_better:
            best, fewest = result, cost
        is_done = not until_optimal or rounds == _ROUNDS or is_over(deadline) or conflicts <= 0
        if is_done or (fewest[0] == 0 and not (with_noise and is_better)):
            return replace(best, rounds=rounds, time_ended=time_ended)
        if progress:
            progress(
                f"round {rounds}: gives up value in {sum(bad):,} states, at best {fewest[0]:,}"
            )
        before, asked = asked, _easiest(examples, learned, sheet) if with_noise else examples
        if with_noise and {e.text for e in asked} != {e.text for e in before}:
            continue
        if not any(bad) or not _repair(examples, judged, with_noise=with_noise):
            return replace(best, rounds=rounds, time_ended=time_ended)
        asked = _easiest(examples, learned, sheet) if with_noise else examples


def learn_from_pool(
    state: State,
    bias: Bias,
    *,
    positions: int = 60,
    seed: int = 1,
    seconds: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> Result:
    """Learn preferences from positions of matches, for games too large to list.

    Examples may be broken, at the price of their weight: most values are estimates. There is no
    verdict; how well moves are ranked is counted on positions that were held out.
    """
    pool = make_pool(state, positions=positions, seed=seed, progress=progress or (lambda _: None))
    sheet = state.game.sheet
    learned = learn_preferences(
        sheet, pool.examples, bias, with_noise=True, seconds=seconds, progress=progress
    )
    judged = None
    if learned.preferences is not None:
        judged = held_out(learned.preferences, sheet, pool)
    return Result(learned, {}, 1, pool.examples, learned.time_ended, pool, judged)


def _easiest(
    examples: list[OrderedExample], learned: Learned, sheet: RuleSheet
) -> list[OrderedExample]:
    """Keep only the examples of the optimal move that is ranked best in each state."""
    assert learned.preferences is not None
    states = list(dict.fromkeys(example.better for example in examples))
    costs = learned.preferences.costs(sheet, states).tolist()
    ranks = dict(zip(states, costs, strict=True))
    best: dict[str, frozenset[Function]] = {}
    for example in examples:
        known = best.setdefault(example.state, example.better)
        if ranks[example.better] < ranks[known]:
            best[example.state] = example.better
    return [example for example in examples if best[example.state] == example.better]


def _repair(
    examples: list[OrderedExample],
    judged: Sequence[tuple[Solution, dict[str, Verdict]]],
    *,
    with_noise: bool,
) -> bool:
    """Add examples that the learned preferences violate; with noise, known ones count double.

    Return False where that changes nothing.
    """
    known = {example.text: i for i, example in enumerate(examples)}
    has_changed = False
    for solution, verdicts in judged:
        for verdict in verdicts.values():
            if verdict.counterexample is None:
                continue
            for example in examples_from_solution(solution, states=[verdict.counterexample.state]):
                number = known.get(example.text)
                if number is None:
                    examples.append(example)
                elif with_noise:
                    examples[number] = replace(example, weight=2 * examples[number].weight)
                else:
                    continue
                has_changed = True
    return has_changed
