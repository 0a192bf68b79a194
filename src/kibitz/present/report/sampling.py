"""Estimate figures from matches, with intervals, for games with too many states to list."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod, sqrt

from kibitz.engine import CompiledGame, Game, Goal, Role
from kibitz.play import MatchSoFar, SearchAgent
from kibitz.policy import share_interval
from kibitz.present.report.figures import Estimate, Sampled
from kibitz.wording import DRAW

MATCHES = 2_000
_MOST_MOVES = 1_000
_MOST_SEARCHED = 300
_MOVES_IN_ALL = 100_000
_SEARCHED_IN_ALL = 1_000
"""Moves after which no other match begins."""
_ROUNDS = 5
_Z = 1.96
"""Standard deviations to either side that hold 95 of 100 means."""

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Played:
    """One match: how many moves it had, how wide it was at each, and how it ended."""

    widths: tuple[int, ...]
    goals: dict[Role, Goal] | None


def sample_random(
    game: Game,
    *,
    seconds: float,
    seed: int = 1,
    matches: int = MATCHES,
    progress: Progress | None = None,
) -> Sampled | None:
    """Let random players play a number of matches, or as many as moves and time allow.

    >>> from kibitz.games import load_sheet
    >>> found = sample_random(CompiledGame(load_sheet("nim:1,1")), seconds=5, matches=20)
    >>> found.matches, found.length.mean, found.wins["player2"].low > 0.8
    (20, 2.0, True)
    """
    source = random.Random(seed)
    sample = _Sample(seconds, matches, _MOVES_IN_ALL)
    sample.run(lambda _: _random_match(game, source), progress)
    return _sum_up("random", game, sample)


def sample_search(
    game: Game,
    *,
    seconds: float,
    seed: int = 1,
    matches: int = 40,
    progress: Progress | None = None,
) -> Sampled | None:
    """Let tree searches play one another, each with a small number of rounds for a move."""
    if not isinstance(game, CompiledGame):
        return None
    roles = len(game.roles)
    end = time.monotonic() + 2 * seconds

    def play(number: int) -> _Played:
        agents = [SearchAgent(seed * 1000 + number * 10 + i, rounds=_ROUNDS) for i in range(roles)]
        for agent, role in zip(agents, game.roles, strict=True):
            agent.start(game, role, end)
        line = MatchSoFar((game.initial(),))
        widths: list[int] = []
        try:
            while not line.state.is_terminal and time.monotonic() < end:
                choices = [line.state.legal(role) for role in game.roles]
                if not all(choices) or len(widths) >= _MOST_SEARCHED:
                    break
                widths.append(prod(map(len, choices)))
                line = line.then([agent.choose(line, end) for agent in agents])
        finally:
            for agent in agents:
                agent.stop(line)
        return _Played(tuple(widths), line.state.goals if line.state.is_terminal else None)

    sample = _Sample(seconds, matches, _SEARCHED_IN_ALL)
    sample.run(play, progress)
    return _sum_up("tree search", game, sample)


def mean_of(numbers: Sequence[float]) -> Estimate:
    """Return the mean of a sample and its interval, by the normal law.

    >>> found = mean_of([0, 2] * 50)
    >>> found.mean, round(found.low, 2), round(found.high, 2)
    (1.0, 0.8, 1.2)
    """
    size = len(numbers)
    mean = sum(numbers) / size
    spread = sqrt(sum((x - mean) ** 2 for x in numbers) / (size - 1)) if size > 1 else 0.0
    half = _Z * spread / sqrt(size)
    return Estimate(mean, mean - half, mean + half)


def share_of(hits: int, size: int) -> Estimate:
    """Return a share and its interval after Wilson (1927), which is right near 0 and 1 as well.

    >>> found = share_of(0, 10)
    >>> found.mean, found.low, round(found.high, 3)
    (0.0, 0.0, 0.278)
    """
    return Estimate(hits / size, *share_interval(hits, size))


class _Sample:
    """Matches up to a number of them, or of their moves; time ends it only where it is short."""

    def __init__(self, seconds: float, matches: int, moves: int) -> None:
        self.seconds, self.matches, self.moves = seconds, matches, moves
        self.found: list[_Played] = []
        self.time_ended = False

    def run(self, play: Callable[[int], _Played], progress: Progress | None) -> None:
        end = time.monotonic() + self.seconds
        moves = 0
        for number in range(self.matches):
            if number >= 2 and moves >= self.moves:
                return
            if number >= 2 and time.monotonic() > end:
                self.time_ended = True
                return
            self.found.append(play(number))
            moves += len(self.found[-1].widths)
            if progress and number % 20 == 19:
                progress(f"{number + 1:,} matches")


def _random_match(game: Game, source: random.Random) -> _Played:
    state = game.initial()
    widths: list[int] = []
    while not state.is_terminal and len(widths) < _MOST_MOVES:
        choices = [state.legal(role) for role in game.roles]
        if not all(choices):
            break
        widths.append(prod(map(len, choices)))
        state = game.successor(state.key, tuple(source.choice(moves) for moves in choices))
    return _Played(tuple(widths), state.goals if state.is_terminal else None)


def _sum_up(player: str, game: Game, sample: _Sample) -> Sampled | None:
    found = sample.found
    size = len(found)
    if not size:
        return None
    lengths = [len(match.widths) for match in found]
    widths = [sum(match.widths) / len(match.widths) for match in found if match.widths]
    goals = [match.goals for match in found if match.goals is not None]
    alone = [_alone(goal) for goal in goals]
    return Sampled(
        player=player,
        matches=size,
        length=mean_of(lengths),
        shortest=min(lengths),
        longest=max(lengths),
        branching=mean_of(widths or [0.0]),
        goals={
            role: mean_of([goal[role] or 0 for goal in goals])
            for role in game.roles
            if len(goals) > 1
        },
        wins={role: share_of(alone.count(role), size) for role in game.roles},
        drawn=share_of(sum(set(goal.values()) == {DRAW} for goal in goals), size),
        unfinished=size - len(goals),
        time_ended=sample.time_ended,
    )


def _alone(goals: dict[Role, Goal]) -> Role | None:
    """Return who has more than all others; a single role has where it gets all."""
    if len(goals) == 1:
        ((role, goal),) = goals.items()
        return role if goal == 100 else None
    ordered = sorted(goals, key=lambda role: goals[role] or 0)
    best, next_best = ordered[-1], ordered[-2]
    return best if (goals[best] or 0) > (goals[next_best] or 0) else None
