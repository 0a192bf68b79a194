"""StateSpace in, rewards out: how favourable each state looks without looking ahead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.budget import Budget
from kibitz.core import Struct
from kibitz.engine import CompiledGame
from kibitz.errors import BudgetExceededError, InputError
from kibitz.puzzles.threat_conditions import Threat, find_threats
from kibitz.solve import MOST_REWARD, in_parts
from kibitz.space import StateSpace, Symmetries, find_symmetries, images_of
from kibitz.strategy import (
    Does,
    Evaluator,
    Formula,
    Simple,
    columns_of,
    is_timeless,
    leaves,
    read_strategy,
)

__all__ = [
    "CalledReward",
    "FormulaReward",
    "Reward",
    "ThreatReward",
    "evaluate",
    "symmetries_of_threats",
]

Reward = Callable[[StateSpace], npt.NDArray[np.int32]]
"""Gives each state of a space a number that is large where the first role is doing well."""

_MOST_IMAGES = 200


@dataclass(frozen=True, slots=True)
class ThreatReward:
    """Paper 003's reward: the first role's threats minus the opponent's.

    In a game of lines a threat is a line with one empty cell and own marks elsewhere, wherever
    the gap is and whether or not it can be marked at once. In other games it is a way to win that
    lacks one thing; see `threat_conditions`.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> state = game.initial()
    >>> for joint in (("(mark 1 1)", "noop"), ("noop", "(mark 3 2)"), ("(mark 2 2)", "noop")):
    ...     state = state.step(joint)
    >>> ThreatReward()(explore(game, starts=[state]))[0]
    np.int32(1)
    """

    def __call__(self, space: StateSpace) -> npt.NDArray[np.int32]:
        """Count threats in all states of a space."""
        result = np.zeros(len(space), dtype=np.int32)
        for role in range(min(2, len(space.game.roles))):
            _count(find_threats(space.game, role), space, -1 if role else 1, result)
        return result


def symmetries_of_threats(game: CompiledGame, seconds: float) -> Symmetries | None:
    """Find the symmetries of a game that map threats to threats.

    None if there are none, or too many, or if they are not found in time.

    >>> from kibitz.games import load_sheet
    >>> symmetries_of_threats(CompiledGame(load_sheet("tictactoe")), 10).order
    8
    """
    try:
        found = find_symmetries(game, budget=Budget(seconds=min(seconds, 1e6)))
        if not 1 < found.order <= _MOST_IMAGES:
            return None
        images = images_of(game, found)
    except (BudgetExceededError, InputError):
        return None
    for role in range(min(2, len(game.roles))):
        threats = find_threats(game, role)
        itself = range(len(game.network.fluents))
        counted, *others = (
            Counter(threat.image(bits) for threat in threats) for bits in (itself, *images)
        )
        if any(other != counted for other in others):
            return None
    return found


@dataclass(frozen=True, slots=True)
class CalledReward:
    """A function from rows of packed states to numbers, called block by block."""

    function: Callable[[npt.NDArray[np.uint64]], npt.ArrayLike]
    block: int = 1 << 16

    def __call__(self, space: StateSpace) -> npt.NDArray[np.int32]:
        """Call the function for all states of a space."""
        parts = []
        for start in range(0, len(space), self.block):
            rows = space.states[start : start + self.block]
            part = np.asarray(self.function(rows))
            if part.shape != (len(rows),):
                raise InputError(f"a reward gave {part.shape} numbers for {len(rows):,} states")
            parts.append(part)
        return evaluate(lambda _: np.concatenate(parts), space)


class FormulaReward:
    """Formulas of the strategy language with weights; a state gets the weights of those that hold.

    Each line of the text is a formula about states, perhaps after a whole number, its weight for
    the first role: `-2 (cell 2 2 o)`.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("tictactoe")))
    >>> reward = FormulaReward("3 (cell 2 2 x)\\n-3 (cell 2 2 o)", space.game)
    >>> sorted(set(reward(space).tolist()))
    [-3, 0, 3]
    """

    def __init__(self, text: str, game: CompiledGame, *, name: str = "reward") -> None:
        self.role = game.roles[0]
        self.terms: list[tuple[int, Formula]] = []
        for number, line in enumerate(text.splitlines(), start=1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            found = re.fullmatch(r"\s*([+-]?\d{1,6})\s+(.*)", line)
            weight, formula = (int(found[1]), found[2]) if found else (1, line)
            plan = read_strategy(formula, game, name=f"{name}:{number}").plan(self.role)
            if not isinstance(plan, Simple) or not _is_about_a_state(plan.formula):
                raise InputError(
                    f"{name}:{number}: {formula.strip()} is not a formula about states alone",
                    hint="remove moves, next, past and else",
                )
            self.terms.append((weight, plan.formula))

    def __call__(self, space: StateSpace) -> npt.NDArray[np.int32]:
        """Add up the weights of what holds in each state."""
        evaluator = Evaluator(columns_of(space), self.role)
        states = np.arange(len(space))
        result = np.zeros(len(space), dtype=np.int32)
        for weight, formula in self.terms:
            evaluator.prepare(formula)
            result += weight * evaluator.in_states(formula, states)
        return result


def _is_about_a_state(formula: Formula) -> bool:
    return is_timeless(formula) and not any(isinstance(x, Does) for x in leaves(formula))


def evaluate(reward: Reward, space: StateSpace) -> npt.NDArray[np.int32]:
    """Apply a reward, and check its result."""
    found = np.asarray(reward(space))
    if found.shape != (len(space),) or not np.issubdtype(found.dtype, np.number):
        raise InputError(f"a reward has one number for each of the {len(space):,} states")
    if not np.isfinite(found).all() or (np.abs(found) > MOST_REWARD).any():
        raise InputError(f"rewards must lie between -{MOST_REWARD:,} and {MOST_REWARD:,}")
    if (found != np.floor(found)).any():
        raise InputError("rewards must be whole numbers", hint="multiply them and round")
    return found.astype(np.int32)


def _count(
    threats: list[Threat], space: StateSpace, sign: int, result: npt.NDArray[np.int32]
) -> None:
    if not threats:
        return
    words = space.states.shape[1]
    run = Struct(
        "threats", states=space.states, words=words, count=len(threats),
        care=_rows((t.care for t in threats), words), want=_rows((t.want for t in threats), words),
        some=_rows((mask for t in threats for mask in t.some), words),
        first=np.cumsum([0, *(len(t.some) for t in threats)]),
    )  # fmt: skip
    count = core.function("chances_count_threats")
    in_parts(lambda start, stop: count(run, sign, result, start, stop), len(space))


def _rows(masks: Iterable[int], words: int) -> npt.NDArray[np.uint64]:
    """Write masks as words, one row each."""
    rows = [[mask >> 64 * w & (2**64 - 1) for w in range(words)] for mask in masks]
    return np.array(rows, np.uint64).reshape(-1, words)
