"""Find the positions to choose from: those that a role can win in a number of rounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.engine import Role
from kibitz.engine.compiled import CompiledGame
from kibitz.errors import BudgetExceededError
from kibitz.solve import Solution, solve
from kibitz.solve.winning import WinningSetKind, winning_sets
from kibitz.space import Limits, explore
from kibitz.space.explore import Progress

__all__ = ["Positions", "find_positions"]


@dataclass(frozen=True, eq=False)
class Positions:
    """For each j the states from which a role can win in j more rounds, over a solved space."""

    solution: Solution
    role: int
    kind: WinningSetKind
    sets: tuple[npt.NDArray[np.int64], ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """How many positions there are for j = 0, 1, …"""
        return tuple(map(len, self.sets))

    def won_in(self, rounds: int) -> npt.NDArray[np.int64]:
        """Give the states from which the role wins in so many more rounds."""
        return self.sets[rounds] if rounds < len(self.sets) else np.zeros(0, dtype=np.int64)

    def why_none(self, rounds: int) -> tuple[str, str]:
        """Say why there are no positions for a number of rounds, and which choice has some."""
        name, role = self.solution.space.game.sheet.name, self.role_name
        if not any(self.counts):
            other = "--set exact also counts wins that are completed by the opponent's moves"
            hint = other if self.kind == "paper" else "ask for another --role"
            return f"{role} can force a win in no position of {name} where it is to move", hint
        last = max(j for j, count in enumerate(self.counts) if count)
        why = f"no position of {name} is won by {role} in {rounds} more rounds"
        if rounds > last:
            why += f"; the longest win takes {last}"
        near = min(
            (j for j, count in enumerate(self.counts) if count), key=lambda j: (abs(j - rounds), j)
        )
        return why, f"nearest: --win-in {near}, with {self.counts[near]:,} positions"

    @property
    def role_name(self) -> Role:
        """Who wins."""
        return self.solution.space.game.roles[self.role]


def find_positions(
    game: CompiledGame,
    role: Role,
    *,
    set: WinningSetKind = "paper",
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Positions:
    """Explore and solve a game, and list the states from which a role can win.

    >>> from kibitz.games import load
    >>> find_positions(CompiledGame(load("tictactoe")), "oplayer").counts
    (860, 96, 6)
    """
    game.check_role(role)
    space = explore(game, limits=limits, progress=progress)
    if not space.is_complete:
        raise BudgetExceededError(
            f"{game.sheet.name} has more than {len(space):,} states, "
            f"found in {space.seconds:.0f} s and {space.bytes / 1e9:.1f} GB",
            hint="allow more with --max-states, --timeout or --memory",
        )
    solution = solve(space)
    found = winning_sets(space, role, set=set)
    sets = tuple(ids.astype(np.int64) for ids in found.sets)
    return Positions(solution, game.roles.index(role), set, sets)
