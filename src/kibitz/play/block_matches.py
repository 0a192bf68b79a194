"""Play matches of named agents in blocks: strategies, random play and plain tree search.

Where all roles are played by such agents, a block of 512 matches goes on at a time. Any other agent
can take part through `AgentPolicy`, one match after the other within each round.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import numpy as np

from kibitz.engine import CompiledGame, Role
from kibitz.play.agents.agent import Agent, MatchSoFar
from kibitz.play.agents.agent_names import playouts_of, strategy_path
from kibitz.play.agents.plain_agents import read_rules
from kibitz.play.match import Match, MatchStep
from kibitz.policy import Allowed, Asked, Policy, RandomPolicy, UctPolicy, play_matches, policy_for

FEW = 20
"""Up to this many matches are played one by one."""


class AgentPolicy:
    """Lets agents play in a block, one for each match, made by seed."""

    needs_past = True
    is_native = False

    def __init__(
        self, make: Callable[[int], Agent], *, name: str, seed: int = 1, move_s: float = 1.0
    ) -> None:
        self.make, self.seed, self.move_s = make, seed, move_s
        self.name = name
        self.agents: dict[int, Agent] = {}

    def moves(self, asked: Asked) -> Allowed:
        """Return one move for each state."""
        index = asked.game.roles.index(asked.role)
        number = {move: i for i, move in enumerate(asked.game.network.moves[index])}
        allowed = np.zeros_like(asked.legal)
        for i, match in enumerate(asked.matches.tolist()):
            past = asked.past(i)
            if match not in self.agents or not past:
                self.agents[match] = self.make(1_000_003 * self.seed + match)
                self.agents[match].start(asked.game, asked.role, time.monotonic() + self.move_s)
            states = (*(state for state, _ in past), asked.state(i))
            line = MatchSoFar(states, tuple(joint for _, joint in past))
            move = self.agents[match].choose(line, time.monotonic() + self.move_s)
            allowed[i, number[move]] = True
        return allowed


def agent_policy(
    game: CompiledGame,
    role: Role,
    name: str,
    *,
    read: Callable[[str], str],
    note: Callable[[str], None] = lambda _: None,
) -> Policy | None:
    """Return the policy of an agent by its name; None if it does not play in blocks.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> policy = agent_policy(game, "xplayer", "uct:50", read=str)
    >>> policy.name if policy else None
    'uct:50'
    """
    if name == "random":
        return RandomPolicy()
    if name.startswith("uct:"):
        return UctPolicy(playouts_of(name))
    if found := strategy_path(name):
        path, rules = found
        strategy = read_rules(read(path), game, name=name, rules=rules)
        return policy_for(strategy, role, note=note)
    return None


def play_in_blocks(
    game: CompiledGame,
    policies: Mapping[Role, Policy],
    matches: int,
    *,
    names: Mapping[Role, str],
    seed: int = 1,
) -> list[Match]:
    """Play matches in blocks, and return each with its moves; the time is shared by all moves.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> len(play_in_blocks(game, {}, 30, names={"xplayer": "random", "oplayer": "random"}))
    30
    """
    begin = time.perf_counter()
    results = play_matches(game, policies, matches, seed=seed, record=True)
    total = sum(map(len, results.records)) * len(game.roles)
    share = (time.perf_counter() - begin) / max(1, total)
    seconds = (share,) * len(game.roles)
    played = []
    for goals, record in zip(results.goals.tolist(), results.records, strict=True):
        steps = tuple(
            MatchStep(
                tuple(game.network.moves[role][move] for role, move in enumerate(joint)), seconds
            )
            for joint in record.tolist()
        )
        ended = [None if np.isnan(goal) else int(goal) for goal in goals]
        is_finished = None not in ended
        played.append(
            Match(game, dict(names), steps, dict(zip(game.roles, ended, strict=True)), is_finished)
        )
    return played
