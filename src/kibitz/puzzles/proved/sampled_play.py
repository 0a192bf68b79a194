"""Positions and two players in; out how play between them ends there, with intervals.

Nothing is listed: matches start in the positions, many in a block, and the same seed gives the same
matches. From this come how hard a given position is, and openings with even chances.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from kibitz.engine import Blocks, CompiledGame, Role, State
from kibitz.errors import InputError
from kibitz.policy import (
    Allowed,
    Asked,
    Policy,
    RandomPolicy,
    UctPolicy,
    play_matches,
    policy_for,
    share_interval,
)
from kibitz.puzzles.proved.attempts import depth_values, threats_of
from kibitz.puzzles.skill.hardness import LEVELS, Level, Thresholds, classify
from kibitz.puzzles.skill.skills import DepthSkill, RandomSkill, StrategySkill, read_skill

__all__ = ["PlayedOut", "play_out", "read_player"]

_LONGEST = 1_000


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """How many plays from a position a role won, drew and lost, or left without an end."""

    wins: int
    draws: int
    losses: int
    endless: int = 0

    @property
    def plays(self) -> int:
        """How many plays there were."""
        return self.wins + self.draws + self.losses + self.endless

    @property
    def chance(self) -> float:
        """The share of plays that the role won."""
        return self.wins / self.plays

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the chance to win."""
        return share_interval(self.wins, self.plays)

    @property
    def score(self) -> float:
        """What the role got: 1 for a win, 1/2 for a draw or a play without an end."""
        return (self.wins + (self.draws + self.endless) / 2) / self.plays

    def level(self, thresholds: Thresholds) -> Level:
        """How hard the position is, by the chance to win."""
        return LEVELS[int(classify(np.array([self.chance]), thresholds)[0])]


class _DepthPolicy:
    """Paper 003's depth-k player in a block of matches."""

    needs_past = False
    is_native = False

    def __init__(self, depth: int, name: str) -> None:
        self.depth, self.name = depth, name
        self.known: dict[bytes, list[int]] = {}

    def moves(self, asked: Asked) -> Allowed:
        """Return the moves that look best within the depth."""
        index = asked.game.roles.index(asked.role)
        number = {move: i for i, move in enumerate(asked.game.network.moves[index])}
        threats = threats_of(asked.game)
        allowed = np.zeros_like(asked.legal)
        for i, row in enumerate(asked.rows):
            key = bytes([index]) + row.tobytes()
            if key not in self.known:
                values = depth_values(asked.state(i), asked.role, self.depth, threats=threats)
                if values is None:
                    raise InputError(
                        f"{self.name} looks at too many lines in {asked.game.sheet.name}",
                        hint="a smaller depth, or uct:N",
                    )
                best = max(values.values())
                self.known[key] = [number[m] for m, value in values.items() if value == best]
            allowed[i, self.known[key]] = True
        return allowed


def read_player(
    name: str, game: CompiledGame, role: Role, *, read_text: Callable[[str], str] | None = None
) -> tuple[str, Policy]:
    """Read who plays a role: a number of rounds, random, uct:N, or a strategy.

    >>> from kibitz.games import load_sheet
    >>> read_player("2", CompiledGame(load_sheet("tictactoe")), "xplayer")[0]
    'depth 2'
    """
    if name.startswith("uct:"):
        number = name.removeprefix("uct:")
        if not number.isascii() or not number.isdecimal() or not 0 < int(number) < 10**6:
            raise InputError(f"{name} has no number of playouts", hint="such as uct:100")
        return name, UctPolicy(int(number))
    skill = read_skill(name, game, read_text=read_text)
    match skill:
        case DepthSkill():
            return skill.name, _DepthPolicy(skill.k, skill.name)
        case RandomSkill():
            return skill.name, RandomPolicy()
        case StrategySkill():
            strategy = skill.strategy if skill.rules is None else skill.strategy.first(skill.rules)
            return skill.name, policy_for(strategy, role)
    raise InputError(
        f"{name} needs the solution of the game", hint="a number of rounds, random, uct:N, or FILE"
    )


def play_out(
    states: Sequence[State],
    role: Role,
    policies: dict[Role, Policy],
    *,
    plays: int = 200,
    seed: int = 1,
) -> list[PlayedOut]:
    """Play from each position a number of times, and count how it ends for a role.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2,4"))
    >>> best = read_player("3", game, "player1")[1]
    >>> play_out([game.initial()], "player1", {"player1": best}, plays=50)[0].wins > 30
    True
    """
    if not states:
        return []
    game = cast(CompiledGame, states[0].game)
    rows = Blocks(game).rows([cast(int, state.key) for state in states])
    results = play_matches(
        game,
        policies,
        len(states) * plays,
        seed=seed,
        longest=_LONGEST,
        starts=np.repeat(rows, plays, axis=0),
    )
    goals = np.where(np.isnan(results.goals), -1, results.goals).reshape(len(states), plays, -1)
    index = game.roles.index(role)
    mine, others = goals[:, :, index], np.delete(goals, index, axis=2)
    theirs = others.max(axis=2) if others.shape[2] else np.full(mine.shape, 50.0)
    ended = mine >= 0
    counts = [ended & (mine > theirs), ended & (mine == theirs), ended & (mine < theirs), ~ended]
    return [PlayedOut(*(int(count[i].sum()) for count in counts)) for i in range(len(states))]
