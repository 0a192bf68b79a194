"""Work out how likely a role is to win from every state when one skill meets another.

Two skills make a Markov chain of a state space, and a state's chance is the mean of its
successors'. Where every move leads to a later layer, one sweep from the last layer to the first
gives them all. Elsewhere sweeps are repeated from below and from above: chances that start at 0
only grow towards the true ones, and those that start at 1 where a win can be reached at all only
shrink, so that the truth is always between the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import BudgetExceededError
from kibitz.puzzles.skills import Choice
from kibitz.solve import Solution
from kibitz.solve.depth import in_parts
from kibitz.space import StateId, StateSpace

__all__ = ["Chances", "is_won", "sample_wins", "winning_chances"]

ERROR = 1e-12
"""How far lower and upper bounds may be apart where there are cycles."""

_Chain = tuple[Any, Any, Any, int, Any, float, Any, float]

_MOST_SWEEPS = 100_000
_MOST_PLIES = 10_000


@dataclass(frozen=True, eq=False)
class Chances:
    """The chance that a role wins from each state, and how far off it can be."""

    chance: npt.NDArray[np.float64]
    error: float


WON = 100
"""The goal that a role has won with."""


def is_won(space: StateSpace, role: int) -> npt.NDArray[np.bool_]:
    """Tell which states are ends that a role has won."""
    return space.terminal & (space.goals[:, role] >= WON)


def winning_chances(solution: Solution, role: int, own: Choice, other: Choice) -> Chances:
    """Give the chance that `role` wins from each state, playing as `own` says against `other`.

    A play that never ends is not won.

    >>> from kibitz.engine.compiled import CompiledGame
    >>> from kibitz.games import load
    >>> from kibitz.puzzles.skills import RandomSkill
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load("tictactoe"))))
    >>> anyhow = RandomSkill().choose(solution, 0)
    >>> round(float(winning_chances(solution, 0, anyhow, anyhow).chance[0]), 4)
    0.5849
    """
    from kibitz.puzzles.sweeps import chances_of_layer

    space = solution.space
    chain = _chain(solution, role, own, other)
    chance = is_won(space, role).astype(np.float64)
    if not space.is_layered:
        return _between(solution, chain, chance)
    ends = (*space.layers[1:], len(space))
    for start, stop in reversed(list(zip(space.layers, ends, strict=True))):
        in_parts(lambda a, b: chances_of_layer(*chain, chance, a, b), stop, start)
    return Chances(chance, 0.0)


def sample_wins(
    solution: Solution,
    role: int,
    own: Choice,
    other: Choice,
    *,
    states: npt.NDArray[np.int64] | list[StateId],
    plays: int = 30,
    seed: int = 1,
) -> npt.NDArray[np.int64]:
    """Play from each of some states and count the plays that `role` wins.

    The same seed gives the same plays, in whatever company a state is asked for.
    """
    from kibitz.puzzles.sweeps import play

    space = solution.space
    begins = np.asarray(states, dtype=np.int64)
    wins = np.zeros(len(begins), dtype=np.int64)
    chain = _chain(solution, role, own, other)
    won = is_won(space, role)
    in_parts(
        lambda a, b: play(*chain, won, begins, plays, seed, _MOST_PLIES, wins, a, b), len(begins)
    )
    return wins


def _chain(solution: Solution, role: int, own: Choice, other: Choice) -> _Chain:
    space = solution.space
    return (
        space.first_edge,
        space.target,
        space.turn,
        role,
        own.chosen,
        own.slip,
        other.chosen,
        other.slip,
    )


def _between(solution: Solution, chain: _Chain, low: npt.NDArray[np.float64]) -> Chances:
    from kibitz.puzzles.sweeps import can_win, chances_down

    space = solution.space
    reaches = low > 0
    while can_win(*chain, reaches):
        pass
    high = reaches.astype(np.float64)
    is_open = reaches & (space.first_edge[:-1] < space.first_edge[1:])
    for _ in range(_MOST_SWEEPS):
        chances_down(*chain, low, is_open)
        chances_down(*chain, high, is_open)
        error = float((high - low).max(initial=0.0))
        if error <= ERROR:
            return Chances((low + high) / 2, error)
    raise BudgetExceededError(
        f"chances in {space.game.sheet.name} are only known to {error:.1g} after "
        f"{_MOST_SWEEPS:,} sweeps"
    )
