"""A game as an environment of Gymnasium: one role learns, the others are played by an agent.

Observations are arrays of zeros and ones; `info["action_mask"]` and `action_masks()` say which
actions are legal. It needs the extra `gymnasium`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.board import svg_board, text_board
from kibitz.engine import Role, State
from kibitz.envs.arrays import Observation, StateArrays, arrays_of, playable
from kibitz.facade import AnyGame
from kibitz.optional import optional
from kibitz.play import Agent, MatchSoFar, make_agent
from kibitz.space import turns_at

with optional("gymnasium"):
    from gymnasium import Env, spaces


_SECONDS = 1.0
"""What an opponent may use to get ready, and for a move."""


def gymnasium(
    game: AnyGame,
    *,
    role: Role | None = None,
    opponent: str | Callable[[int], Agent] = "random",
    max_steps: int | None = None,
    observation: Observation = "auto",
    render_mode: str | None = None,
) -> GymEnvironment:
    """Make an environment of Gymnasium, in which a role, the first if not given, learns.

    `opponent` plays the other roles: the name of an agent, or a function from a seed to an Agent.
    An action that is not legal ends the match with the reward -1 and `info["illegal"]`.

    >>> env = gymnasium("tictactoe", opponent="careful")
    >>> seen, info = env.reset(seed=1)
    >>> seen.shape, int(info["action_mask"].sum())
    ((5, 3, 3), 9)
    """
    arrays = playable(arrays_of(game, observation))
    make = make_agent(opponent) if isinstance(opponent, str) else opponent
    return GymEnvironment(
        arrays, learner_of(arrays, role), make, max_steps=max_steps, render_mode=render_mode
    )


def learner_of(arrays: StateArrays, role: Role | None) -> Role:
    """Return the role that learns; raise InputError if there is none of this name."""
    learner = arrays.game.roles[0] if role is None else role
    arrays.game.check_role(learner)
    return learner


class GymEnvironment(Env[npt.NDArray[np.int8], np.int64]):
    """Matches of one learning role against agents."""

    metadata = {"render_modes": ["ansi", "svg"]}  # noqa: RUF012 - as Gymnasium wants it

    def __init__(
        self,
        arrays: StateArrays,
        role: Role,
        opponent: Callable[[int], Agent],
        *,
        max_steps: int | None,
        render_mode: str | None,
    ) -> None:
        self.arrays, self.role, self.opponent = arrays, role, opponent
        self.max_steps, self.render_mode = max_steps, render_mode
        self.observation_space = spaces.Box(0, 1, arrays.shape, dtype=np.int8)
        self.action_space = spaces.Discrete(len(arrays.actions))
        self._agents: dict[Role, Agent] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        """Start a match, and let the others play until the learner is to move.

        A seed also seeds the opponents.
        """
        super().reset(seed=seed)
        game = self.arrays.game
        if seed is not None or not self._agents:
            numbers = self.np_random.integers(1 << 30, size=len(game.roles))
            self._agents = {
                role: self.opponent(int(number))
                for role, number in zip(game.roles, numbers, strict=True)
                if role != self.role
            }
        self.line = MatchSoFar((game.initial(),))
        for role, agent in self._agents.items():
            agent.start(game, role, time.monotonic() + _SECONDS)
        self._play_others()
        return self.arrays.observe(self.match_state), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[npt.NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Make a move of the learner, and let the others play until it is to move again."""
        if not self.action_masks()[int(action)]:
            seen = self.arrays.observe(self.match_state)
            return seen, -1.0, True, False, {**self._info(), "illegal": True}
        self._move(int(action))
        self._play_others()
        state = self.match_state
        ended = state.is_terminal
        gained = self.arrays.rewards(state)[self.role] if ended else 0.0
        broken_off = not ended and (
            not turns_at(state) or (self.max_steps or 1 << 60) <= len(self.line.moves)
        )
        return self.arrays.observe(state), gained, ended, broken_off, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, in the form that MaskablePPO of SB3 asks for."""
        return self.arrays.mask(self.match_state, self.role).astype(bool)

    def render(self) -> str | None:
        """Return the board in letters, or as SVG."""
        if self.render_mode is None:
            return None
        return (svg_board if self.render_mode == "svg" else text_board)(self.match_state)

    def close(self) -> None:
        """End the opponents' work."""
        for agent in self._agents.values():
            agent.stop()

    @property
    def match_state(self) -> State:
        """The present state of the match."""
        return self.line.state

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.arrays.mask(self.match_state, self.role)}

    def _play_others(self) -> None:
        """Play on while the learner is not to move."""
        while (turn := turns_at(self.match_state)) and self.role not in turn:
            if self.max_steps is not None and len(self.line.moves) >= self.max_steps:
                return
            self._move(None)

    def _move(self, action: int | None) -> None:
        state = self.match_state
        joint = [
            (state.legal(role)[0] if action is None else self.arrays.move(action))
            if role == self.role
            else self._answer(role)
            for role in self.arrays.game.roles
        ]
        self.line = self.line.then(joint)

    def _answer(self, role: Role) -> Any:
        legal = self.match_state.legal(role)
        if len(legal) == 1:
            return legal[0]
        return self._agents[role].choose(self.line, time.monotonic() + _SECONDS)
