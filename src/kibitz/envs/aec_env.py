"""A game as an environment of PettingZoo in which one agent acts after another (AEC).

An agent is a role. Where several roles choose at the same time, they act one after the other, none
of them sees what the others chose, and the match moves on when all have. It needs the extra
`pettingzoo`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from kibitz.board import svg_board, text_board
from kibitz.engine import Role, State
from kibitz.envs.arrays import Observation, StateArrays, arrays_of, playable
from kibitz.errors import IllegalMoveError
from kibitz.facade import AnyGame
from kibitz.optional import optional
from kibitz.space import turns_at

with optional("pettingzoo", "gymnasium"):
    from gymnasium import spaces
    from pettingzoo import AECEnv


def pettingzoo(
    game: AnyGame,
    *,
    max_steps: int | None = None,
    observation: Observation = "auto",
    render_mode: str | None = None,
) -> AecEnvironment:
    """Make an environment of PettingZoo in which agents act one after the other.

    >>> env = pettingzoo("tictactoe")
    >>> env.reset(seed=1)
    >>> env.agent_selection, int(env.observe("xplayer")["action_mask"].sum())
    ('xplayer', 9)
    """
    arrays = playable(arrays_of(game, observation))
    return AecEnvironment(arrays, max_steps=max_steps, render_mode=render_mode)


class AecEnvironment(AECEnv[Role, dict[str, Any], int]):  # type: ignore[misc]
    """A match as PettingZoo's AEC: roles are agents, and goals are rewards at the end."""

    def __init__(
        self, arrays: StateArrays, *, max_steps: int | None, render_mode: str | None
    ) -> None:
        super().__init__()
        self.arrays, self.max_steps, self.render_mode = arrays, max_steps, render_mode
        self.metadata = {
            "name": f"kibitz_{arrays.game.sheet.name}",
            "render_modes": ["ansi", "svg"],
            "is_parallelizable": False,
        }
        self.possible_agents = list(arrays.game.roles)
        self.agent_selection: Role = self.possible_agents[0]

    @cached_property
    def observation_spaces(self) -> dict[Role, Any]:
        """Observation space of each agent: the state and the legal actions."""
        return {role: observation_space(self.arrays) for role in self.possible_agents}

    @cached_property
    def action_spaces(self) -> dict[Role, Any]:
        """The actions of each agent."""
        return {role: spaces.Discrete(len(self.arrays.actions)) for role in self.possible_agents}

    def observation_space(self, agent: Role) -> Any:
        """Return what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Role) -> Any:
        """Return the actions of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a match; nothing in it is random, so a seed changes nothing."""
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Role, dict[str, Any]] = {role: {} for role in self.agents}
        self.steps = 0
        self._enter(self.arrays.game.initial())

    def observe(self, agent: Role) -> dict[str, Any]:
        """Return the state, and the legal actions of an agent, if it is to act."""
        mask = self.arrays.mask(self.match_state, agent)
        if agent != self.agent_selection or self.terminations[agent] or self.truncations[agent]:
            mask[:] = 0
        return {"observation": self.arrays.observe(self.match_state), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make a move of the agent that is to act; raise IllegalMoveError if it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        move = self.arrays.move(-1 if action is None else int(action))
        legal = self.match_state.legal(agent)
        if move not in legal:
            write = self.arrays.game.write
            raise IllegalMoveError(agent, write(move), [write(one) for one in legal])
        self._chosen[agent] = move
        waiting = [role for role in self._turn if role not in self._chosen]
        if waiting:
            self.agent_selection = waiting[0]
        else:
            joint = [
                self._chosen.get(role) or self.match_state.legal(role)[0]
                for role in self.possible_agents
            ]
            self.steps += 1
            self._enter(self.match_state.step(joint))
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the board in letters, or as SVG."""
        return render(self.match_state, self.render_mode)

    def close(self) -> None:
        """Nothing is left open."""

    def state(self) -> Any:
        """Return the state as an array, the same for all agents."""
        return self.arrays.observe(self.match_state)

    def _enter(self, state: State) -> None:
        self.match_state = state
        self._chosen: dict[Role, Any] = {}
        self._turn = turns_at(state)
        if state.is_terminal:
            self.rewards = self.arrays.rewards(state)
            self.terminations = dict.fromkeys(self.agents, True)
        elif not self._turn or self.steps == self.max_steps:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._turn[0] if self._turn else self.agents[0]


def observation_space(arrays: StateArrays) -> Any:
    """Return the space of observations with a mask of actions."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, arrays.shape, dtype=np.int8),
            "action_mask": spaces.Box(0, 1, (len(arrays.actions),), dtype=np.int8),
        }
    )


def render(state: State, mode: str | None) -> str | None:
    """Return a state as text for `ansi`, as a picture for `svg`, and None without a mode."""
    if mode is None:
        return None
    return svg_board(state) if mode == "svg" else text_board(state)
