"""Game in, preferences and what they guarantee out: examples, learning, checking, repairing."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from kibitz.budget import is_over
from kibitz.engine import State
from kibitz.engine.compiled import CompiledGame
from kibitz.errors import BudgetExceededError, InputError
from kibitz.learn.bias import Bias
from kibitz.learn.examples import examples_from_decisions, examples_from_solution
from kibitz.learn.ordering import Example, Learned, learn_preferences
from kibitz.learn.preferences import Preferences
from kibitz.learn.pruned import pruned_tree
from kibitz.solve import Solution, solve
from kibitz.space import Limits, explore
from kibitz.strategy import Verdict, verify

__all__ = ["Result", "check_preferences", "learn_constraints", "solution_from"]

_LIMITS = Limits(states=300_000, seconds=60)
_ROUNDS = 100


@dataclass(frozen=True)
class Result:
    """What was learned, and the verdict on it for each role of the game it was learned from."""

    learned: Learned
    verdicts: dict[str, Verdict]
    rounds: int
    examples: tuple[Example, ...] = field(repr=False, default=())

    @property
    def is_optimal(self) -> bool:
        """Whether no role is ever led to a move that is not optimal."""
        return bool(self.verdicts) and all(v.strongly_optimal for v in self.verdicts.values())


def solution_from(state: State) -> Solution:
    """Solve what can be reached from a state."""
    game = state.game
    if not isinstance(game, CompiledGame):
        raise InputError(f"{game.sheet.name} cannot be compiled, so it is not solved here")
    space = explore(game, starts=[state], limits=_LIMITS)
    if not space.is_complete:
        raise BudgetExceededError(
            f"{game.sheet.name} has more than {_LIMITS.states:,} states from there",
            hint="learn from a smaller instance; what is learned can play the large one",
        )
    return solve(space)


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
    seconds: float = 60.0,
    progress: Callable[[str], None] | None = None,
) -> Result:
    """Learn preferences from a state on, from all its optimal moves or from a pruned search.

    With `until_optimal`, what goes wrong in the game, or in other games given as `tests`, is added
    to the examples and learning starts again, until nothing goes wrong or nothing can be learned.
    What comes out is the best of all rounds: wrong in the fewest states.

    >>> from kibitz.games import load
    >>> from kibitz.learn.bias import automatic_bias
    >>> game = CompiledGame(load("nim:1,2,3"))
    >>> result = learn_constraints(game.initial(), automatic_bias(game.sheet))
    >>> result.learned.preferences.constraints[0].body.text, result.is_optimal
    ('odd_heap(V0)', True)
    """
    deadline = time.monotonic() + seconds
    solution = solution_from(state)
    if from_search:
        examples = examples_from_decisions(pruned_tree(state.game, state))
    else:
        examples = examples_from_solution(solution)
    if not examples:
        raise InputError(
            f"in {state.game.sheet.name} no move is better than another from there",
            hint="start where there is something to choose: --position or --instance",
        )
    best: Result | None = None
    fewest = None
    rounds = 0
    while True:
        rounds += 1
        learned = learn_preferences(
            state.game.sheet,
            examples,
            bias,
            with_noise=with_noise,
            seconds=max(1.0, deadline - time.monotonic()),
            progress=progress,
        )
        if learned.preferences is None:
            return best or Result(learned, {}, rounds, tuple(examples))
        judged = [(s, check_preferences(learned.preferences, s)) for s in (solution, *tests)]
        result = Result(learned, judged[0][1], rounds, tuple(examples))
        bad = [sum(v.bad_states for v in verdicts.values()) for _, verdicts in judged]
        if fewest is None or (sum(bad), learned.preferences.size) < fewest:
            best, fewest = result, (sum(bad), learned.preferences.size)
        assert best is not None
        if not until_optimal or rounds == _ROUNDS or is_over(deadline) or not any(bad):
            return replace(best, rounds=rounds)
        if progress:
            progress(f"round {rounds}: not optimal in {sum(bad):,} states, at best {fewest[0]:,}")
        if not _repair(examples, judged, with_noise=with_noise):
            return replace(best, rounds=rounds)


def _repair(
    examples: list[Example],
    judged: Sequence[tuple[Solution, dict[str, Verdict]]],
    *,
    with_noise: bool,
) -> bool:
    """Add examples that what was learned goes against; with noise, known ones count double.

    False where that changes nothing.
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
