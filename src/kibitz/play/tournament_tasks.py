"""A game and agents by name in, a Tournament out: matches spread over a cluster, or played here.

Each match has its own seed, so whoever plays it, it is the same match, as far as its agents do not
look at the clock: those that think for a time are stronger on a faster machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from kibitz.engine import Game, Role, make_game
from kibitz.gdl import RuleSheet
from kibitz.play.agents.agent_names import make_agent
from kibitz.play.match import Clocks, Match
from kibitz.play.tournament import Tournament, arrangements, play_matches, score
from kibitz.solve import spread

__all__ = ["spread_tournament"]


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
