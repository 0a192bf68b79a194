"""Many matches of a game as a vector environment of Gymnasium: one role learns in all of them.

The other roles are played at random, or by a function that sees the whole batch. A match that ends
starts again in the same step. It needs the extra `gymnasium`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.engine import Role
from kibitz.envs.arrays import Observation, arrays_of, playable
from kibitz.envs.batch_matches import BatchMatches
from kibitz.envs.facts import match_facts
from kibitz.envs.gym_env import learner_of
from kibitz.errors import InputError
from kibitz.facade import AnyGame
from kibitz.optional import optional

with optional("gymnasium"):
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space


_LONGEST = 10_000

Policy = Callable[[BatchMatches], npt.NDArray[np.int64]]
"""From a batch to an action of the role to move for each match, or a column for each role."""


def gymnasium_vector(
    game: AnyGame,
    *,
    matches: int,
    role: Role | None = None,
    opponent: Policy | None = None,
    max_steps: int | None = None,
    observation: Observation = "auto",
) -> VectorEnvironment:
    """Make a vector environment of Gymnasium; without an opponent, the others play at random.

    An action that is not legal ends its match with the reward -1. Where roles choose at the same
    time, an opponent gives a column of actions for each role; the learner's is not read.

    >>> envs = gymnasium_vector("tictactoe", matches=64)
    >>> seen, info = envs.reset(seed=1)
    >>> seen.shape, info["action_mask"].shape
    ((64, 5, 3, 3), (64, 10))
    """
    arrays = playable(arrays_of(game, observation))
    takes_turns = match_facts(arrays.game).takes_turns
    at_random = BatchMatches.sample if takes_turns else BatchMatches.sample_all
    made = BatchMatches(arrays, matches, max_steps=max_steps)
    return VectorEnvironment(made, learner_of(arrays, role), opponent or at_random)


class VectorEnvironment(VectorEnv[npt.NDArray[np.int8], npt.NDArray[np.int64], Any]):
    """A batch of matches in which one role learns."""

    def __init__(self, batch: BatchMatches, role: Role, opponent: Policy) -> None:
        self.batch, self.role, self.opponent = batch, role, opponent
        self.num_envs = batch.matches
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        shape = batch.arrays.shape
        self.single_observation_space = spaces.Box(0, 1, shape, dtype=np.int8)
        self.single_action_space = spaces.Discrete(len(batch.arrays.actions))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._number = batch.roles.index(role)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        """Start all matches again, and let the others play until the learner is to move."""
        first = seed[0] if isinstance(seed, list) else seed
        super().reset(seed=first)
        self.batch.reset(seed=first)
        self._play_others(np.zeros(self.num_envs), np.zeros((2, self.num_envs), dtype=bool))
        return self.batch.observe().copy(), {"action_mask": self.batch.legal(self._number)}

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], Any]:
        """Make a move of the learner in every match, and let the others play until its next."""
        given = np.asarray(actions, dtype=np.int64)
        rows = np.arange(self.num_envs)
        illegal = ~self.batch.legal(self._number)[rows, given]
        rewards = np.where(illegal, -1.0, 0.0)
        over = np.stack([illegal, np.zeros_like(illegal)])
        self.batch.step(self._with_others(given), where=~illegal)
        self._collect(rewards, over)
        if illegal.any():
            self.batch.restart(illegal)
        self._play_others(rewards, over)
        info = {"action_mask": self.batch.legal(self._number), "illegal": illegal}
        return self.batch.observe().copy(), rewards, over[0], over[1], info

    def _with_others(self, given: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the learner's actions, with those of roles that choose at once, if any."""
        if not self.batch.has_simultaneous_moves:
            return given
        joint = self.opponent(self.batch).copy()
        joint[:, self._number] = given
        return joint

    def _play_others(self, rewards: npt.NDArray[Any], over: npt.NDArray[Any]) -> None:
        """Play on where the learner is not to move; a new match waits at the learner's turn."""
        for _ in range(_LONGEST):
            waiting = ~self.batch.is_to_move(self._number)
            if not waiting.any():
                return
            self.batch.step(self.opponent(self.batch), where=waiting)
            self._collect(rewards, over)
        raise InputError(
            f"{self.role} of {self.batch.game.sheet.name} was not to move in {_LONGEST:,} steps",
            hint="let another role learn",
        )

    def _collect(self, rewards: npt.NDArray[Any], over: npt.NDArray[Any]) -> None:
        rewards += self.batch.rewards[:, self._number]
        over[0] |= self.batch.terminated
        over[1] |= self.batch.truncated
