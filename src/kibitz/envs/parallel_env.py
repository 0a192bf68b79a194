"""A game as an environment of PettingZoo in which all agents act at once (parallel).

Every role makes a move in every step, as in the rules: one that is not to move has one legal
action, such as `noop`. It needs the extra `pettingzoo`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from kibitz.engine import Role
from kibitz.envs.aec_env import observation_space, render
from kibitz.envs.arrays import Observation, StateArrays, arrays_of, playable
from kibitz.facade import AnyGame
from kibitz.optional import optional

with optional("pettingzoo", "gymnasium"):
    from gymnasium import spaces
    from pettingzoo import ParallelEnv


def parallel(
    game: AnyGame,
    *,
    max_steps: int | None = None,
    observation: Observation = "auto",
    render_mode: str | None = None,
) -> ParallelEnvironment:
    """Make an environment of PettingZoo in which all agents act at once.

    >>> env = parallel("tictactoe")
    >>> seen, _ = env.reset(seed=1)
    >>> {role: int(seen[role]["action_mask"].sum()) for role in env.agents}
    {'xplayer': 9, 'oplayer': 1}
    """
    arrays = playable(arrays_of(game, observation))
    return ParallelEnvironment(arrays, max_steps=max_steps, render_mode=render_mode)


class ParallelEnvironment(ParallelEnv[Role, dict[str, Any], int]):  # type: ignore[misc]
    """A match as PettingZoo's ParallelEnv: a joint move is a step."""

    def __init__(
        self, arrays: StateArrays, *, max_steps: int | None, render_mode: str | None
    ) -> None:
        self.arrays, self.max_steps, self.render_mode = arrays, max_steps, render_mode
        self.metadata = {
            "name": f"kibitz_{arrays.game.sheet.name}",
            "render_modes": ["ansi", "svg"],
        }
        self.possible_agents = list(arrays.game.roles)
        self.agents: list[Role] = []

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

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[Role, Any], dict[Role, Any]]:
        """Start a match; nothing in it is random, so a seed changes nothing."""
        self.agents = list(self.possible_agents)
        self.match_state = self.arrays.game.initial()
        self.steps = 0
        return self._observations(), {role: {} for role in self.agents}

    def step(
        self, actions: dict[Role, int]
    ) -> tuple[
        dict[Role, Any], dict[Role, float], dict[Role, bool], dict[Role, bool], dict[Role, Any]
    ]:
        """Make a joint move; raise IllegalMoveError if a part of it is not legal."""
        joint = [self.arrays.move(int(actions[role])) for role in self.possible_agents]
        self.match_state = self.match_state.step(joint)
        self.steps += 1
        state = self.match_state
        ended = state.is_terminal
        stuck = not ended and not all(state.legal(role) for role in self.possible_agents)
        broken_off = stuck or (not ended and self.steps == self.max_steps)
        roles = self.agents
        rewards = self.arrays.rewards(state) if ended else dict.fromkeys(roles, 0.0)
        seen = self._observations()
        if ended or broken_off:
            self.agents = []
        return (
            seen,
            rewards,
            dict.fromkeys(roles, ended),
            dict.fromkeys(roles, broken_off),
            {role: {} for role in roles},
        )

    def render(self) -> str | None:
        """Return the board in letters, or as SVG."""
        return render(self.match_state, self.render_mode)

    def close(self) -> None:
        """Nothing is left open."""

    def state(self) -> Any:
        """Return the state as an array, the same for all agents."""
        return self.arrays.observe(self.match_state)

    def _observations(self) -> dict[Role, Any]:
        seen = self.arrays.observe(self.match_state)
        return {
            role: {"observation": seen, "action_mask": self.arrays.mask(self.match_state, role)}
            for role in self.possible_agents
        }
