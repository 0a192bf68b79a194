"""Measure how well agents play, as a ladder, and what playouts of the tree search cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kibitz.engine import CompiledGame, simulate
from kibitz.play import (
    Agent,
    Clocks,
    Match,
    Rating,
    Score,
    SearchAgent,
    fit_ratings,
    make_agent,
    make_search,
    pair_results,
    play_tournament,
    score,
)

LADDER = ("random", "careful", "uct", "mcts")
"""The agents that meet one another where none are named."""


@dataclass(frozen=True, slots=True)
class Playing:
    """How agents did in a game: their ratings, the search's score against each rival, its speed."""

    game: str
    ladder: tuple[Rating, ...]
    against: dict[str, Score]
    playouts_per_cpu_s: float
    simulated_per_cpu_s: float

    @property
    def share(self) -> float:
        """The search's playouts as a share of those that simulate makes in the same time."""
        return self.playouts_per_cpu_s / self.simulated_per_cpu_s

    def as_json(self) -> dict[str, object]:
        """Return the figures as plain data."""
        return {
            "game": self.game,
            "ladder": [rating.as_json() for rating in self.ladder],
            "against": {name: score.as_json() for name, score in self.against.items()},
            "playouts_per_cpu_second": self.playouts_per_cpu_s,
            "simulated_per_cpu_second": self.simulated_per_cpu_s,
            "share": self.share,
        }


def measure_players(
    game: CompiledGame,
    *,
    agents: Sequence[str] = LADDER,
    matches: int = 100,
    play_s: float = 0.2,
    read: Callable[[str], str] | None = None,
) -> Playing:
    """Let agents meet one another with the same clock, as often in each role; rate them.

    The tree search has one thread, as all others have.
    """
    makes = {name: _maker(name, read) for name in dict.fromkeys(agents)}
    result = play_tournament(
        game,
        list(makes.items()),
        matches=max(1, matches // 2),
        clocks=Clocks(play_s, play_s),
    )
    against = {
        rival: next(one for one in score(played, ["mcts", rival]) if one.name == "mcts")
        for rival in makes
        if rival != "mcts" and (played := _between(result.matches, "mcts", rival))
    }
    ladder = tuple(fit_ratings(pair_results(result.matches)))
    playouts, simulated = _rates(game)
    return Playing(game.sheet.name, ladder, against, playouts, simulated)


def _maker(name: str, read: Callable[[str], str] | None) -> Callable[[int], Agent]:
    if name == "mcts":
        return lambda seed: SearchAgent(seed, threads=1)
    return make_agent(name, read=read) if read else make_agent(name)


def _between(matches: Sequence[Match], one: str, two: str) -> list[Match]:
    return [match for match in matches if {one, two} == set(match.agents.values())]


def _rates(game: CompiledGame) -> tuple[float, float]:
    """Return playouts per CPU-second of the search and of simulate, by turns, the best of three."""
    search = make_search(game, seed=1)
    search.run(game.initial(), rounds=2)
    best = [0.0, 0.0]
    for _ in range(3):
        before, start = search.playouts, time.process_time()
        search.run(game.initial(), deadline=time.monotonic() + 1)
        spent = time.process_time() - start
        if search.playouts > before:
            best[0] = max(best[0], (search.playouts - before) / spent)
        plain = simulate(game, seconds=1, threads=1)
        best[1] = max(best[1], plain.playouts / plain.cpu_seconds)
    return best[0], best[1]
