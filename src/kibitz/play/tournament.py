"""Play many matches, every agent in every role, spread over processes.

Each match has its own seed, so whoever plays it, it is the same match, as far as its agents do not
look at the clock: those that think for a time are stronger on a faster machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations, product
from pathlib import Path
from typing import TypeVar

from kibitz.charts import Axis, Interval, interval_chart, save_chart
from kibitz.engine import Game, Goal, Role, make_game
from kibitz.gdl import RuleSheet
from kibitz.play.agents.agent import Agent
from kibitz.play.agents.agent_names import make_agent
from kibitz.play.match import Clocks, Match, play_match
from kibitz.policy import share_interval
from kibitz.solve import spread

_Z = 1.96
"""Standard deviations of a 95 % interval."""

T = TypeVar("T")
Make = Callable[[int], Agent]
"""Makes an agent with a seed."""


@dataclass(frozen=True, slots=True)
class Score:
    """The results of one agent in its finished matches; unfinished ones are not counted.

    A win is a goal above that of the best other role, and a draw is an equal goal.
    """

    name: str
    matches: int
    wins: int
    draws: int
    losses: int
    mean_goal: float
    goal_interval: tuple[float, float]
    win_interval: tuple[float, float]
    mean_seconds: float
    worst_seconds: float
    errors: int

    def as_json(self) -> dict[str, object]:
        """Return the score as plain data."""
        return {
            "agent": self.name,
            "matches": self.matches,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "mean_goal": self.mean_goal,
            "mean_goal_interval": list(self.goal_interval),
            "win_rate_interval": list(self.win_interval),
            "mean_seconds": self.mean_seconds,
            "worst_seconds": self.worst_seconds,
            "errors": self.errors,
        }


@dataclass(frozen=True, slots=True)
class Tournament:
    """Matches and the scores of the agents in them, best first."""

    matches: tuple[Match, ...]
    scores: tuple[Score, ...]


def play_matches(
    game: Game,
    seats: Mapping[Role, tuple[str, Make]],
    *,
    matches: int = 1,
    numbers: Iterable[int] | None = None,
    clocks: Clocks | None = None,
    seed: int = 1,
    together: bool = False,
    watch: Callable[[Match], None] | None = None,
) -> list[Match]:
    """Play a number of matches with fixed seats, or those of given numbers; each has its seeds."""
    played = []
    for number in range(matches) if numbers is None else numbers:
        agents = {
            role: make(1_000_003 * seed + 101 * number + place)
            for place, (role, (_, make)) in enumerate(seats.items())
        }
        for role, agent in agents.items():
            agent.name = seats[role][0]
        match = play_match(game, agents, clocks=clocks, seed=seed + number, together=together)
        played.append(match)
        if watch:
            watch(match)
    return played


def seatings(agents: int, roles: int) -> int:
    """Count the arrangements of agents over roles that a tournament plays.

    >>> seatings(3, 2), seatings(1, 2)
    (6, 1)
    """
    return math.perm(agents, roles) if agents >= roles else agents**roles


def arrangements(agents: Sequence[T], roles: int) -> list[tuple[T, ...]]:
    """List the arrangements of agents over roles that a tournament plays.

    >>> arrangements("ab", 2), arrangements("a", 2)
    ([('a', 'b'), ('b', 'a')], [('a', 'a')])
    """
    if len(agents) >= roles:
        return list(permutations(agents, roles))
    return list(product(agents, repeat=roles))


def play_tournament(
    game: Game,
    agents: Sequence[tuple[str, Make]],
    *,
    matches: int = 2,
    clocks: Clocks | None = None,
    seed: int = 1,
    watch: Callable[[Match], None] | None = None,
) -> Tournament:
    """Let agents play, `matches` times for each arrangement of them over the roles.

    If there are at least as many agents as roles, these are all choices of different agents; a game
    with more roles than agents seats agents more than once.
    """
    roles = game.roles
    played: list[Match] = []
    for number, seated in enumerate(arrangements(agents, len(roles))):
        seats = dict(zip(roles, seated, strict=True))
        played += play_matches(
            game,
            seats,
            matches=matches,
            clocks=clocks,
            seed=seed + 1000 * number,
            watch=watch,
        )
    return Tournament(tuple(played), tuple(score(played, [name for name, _ in agents])))


def score(matches: Sequence[Match], names: Sequence[str]) -> list[Score]:
    """Add up the results of each agent over all roles it played."""
    scores = [_score(matches, name) for name in dict.fromkeys(names)]
    return sorted(scores, key=lambda s: -s.mean_goal)


def _score(matches: Sequence[Match], name: str) -> Score:
    goals: list[float] = []
    outcome = [0, 0, 0]
    seconds: list[float] = []
    errors = 0
    for match in matches:
        roles = list(match.game.roles)
        for place, role in enumerate(roles):
            if match.agents[role] != name:
                continue
            for step in match.steps:
                seconds.append(step.seconds[place])
                errors += sum(error.startswith(f"{role}:") for error in step.errors)
            if not match.is_finished:
                continue
            mine = _number(match.goals[role])
            others = [_number(match.goals[other]) for other in roles if other != role]
            best = max(others, default=50.0)
            goals.append(mine)
            outcome[0 if mine > best else 1 if mine == best else 2] += 1
    count = len(goals)
    mean = sum(goals) / count if count else 0.0
    spread = math.sqrt(sum((goal - mean) ** 2 for goal in goals) / max(1, count - 1))
    half = _Z * spread / math.sqrt(count) if count else 0.0
    return Score(
        name=name,
        matches=count,
        wins=outcome[0],
        draws=outcome[1],
        losses=outcome[2],
        mean_goal=mean,
        goal_interval=(max(0.0, mean - half), min(100.0, mean + half)),
        win_interval=share_interval(outcome[0], count),
        mean_seconds=sum(seconds) / len(seconds) if seconds else 0.0,
        worst_seconds=max(seconds, default=0.0),
        errors=errors,
    )


def _number(goal: Goal) -> float:
    return 0.0 if goal is None else float(goal)


@dataclass(frozen=True, slots=True)
class _Task:
    """One match: its rules, who sits where, its number and seed, and the files that agents read."""

    sheet: RuleSheet
    names: tuple[str, ...]
    number: int
    seed: int
    clocks: Clocks
    files: tuple[tuple[str, str], ...]


def spread_tournament(
    game: Game,
    names: Sequence[str],
    *,
    matches: int = 2,
    clocks: Clocks | None = None,
    seed: int = 1,
    cluster: str | None = None,
    read: Callable[[str], str],
    watch: Callable[[Match], None] | None = None,
) -> Tournament:
    """Play what `play_tournament` plays, on a cluster if one is given."""
    files: dict[str, str] = {}

    def keep(path: str) -> str:
        files[path] = read(path)
        return files[path]

    for name in names:
        make_agent(name, read=keep)
    tasks = [
        _Task(
            game.sheet,
            seated,
            match,
            seed + 1000 * number,
            clocks or Clocks(),
            tuple(sorted(files.items())),
        )
        for number, seated in enumerate(arrangements(list(names), len(game.roles)))
        for match in range(matches)
    ]
    report = None if watch is None else lambda found: watch(replace(found, game=game))
    found = spread(_play, tasks, cluster=cluster, watch=report)
    played = [replace(match, game=game) for match in found]
    return Tournament(tuple(played), tuple(score(played, list(names))))


@lru_cache(maxsize=4)
def _game(sheet: RuleSheet) -> Game:
    return make_game(sheet)


def _play(task: _Task) -> Match:
    """Play one match; the game, which cannot be sent, is left out of what comes back."""
    game = _game(task.sheet)
    files = dict(task.files)
    seats = {
        role: (name, make_agent(name, read=files.__getitem__))
        for role, name in _seats(game, task.names)
    }
    numbers = range(task.number, task.number + 1)
    (match,) = play_matches(game, seats, numbers=numbers, clocks=task.clocks, seed=task.seed)
    return replace(match, game=None)  # type: ignore[arg-type]


def _seats(game: Game, names: tuple[str, ...]) -> list[tuple[Role, str]]:
    return list(zip(game.roles, names, strict=True))


def plot_scores(scores: Sequence[Score], path: Path, *, title: str) -> None:
    """Write a picture of mean goals with their intervals; the file's suffix gives the format."""
    rows = [Interval(s.name, s.goal_interval[0], s.mean_goal, s.goal_interval[1]) for s in scores]
    axis = Axis("mean goal, with its 95 % interval", 0, 100)
    save_chart(interval_chart(rows, axis, title=title), path)
