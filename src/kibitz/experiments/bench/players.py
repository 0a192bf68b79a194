"""Measure how well the tree search plays, and what its playouts cost beside those of simulate."""

from __future__ import annotations

import time
from dataclasses import dataclass

from kibitz.engine import CompiledGame, simulate
from kibitz.play import (
    Clocks,
    RandomAgent,
    Score,
    SearchAgent,
    TreeSearch,
    UctAgent,
    play_tournament,
)

__all__ = ["Playing", "measure_players"]


@dataclass(frozen=True, slots=True)
class Playing:
    """How the search did in a game: its score against each rival, and playouts in a CPU-second."""

    game: str
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
            "against": {name: score.as_json() for name, score in self.against.items()},
            "playouts_per_cpu_second": self.playouts_per_cpu_s,
            "simulated_per_cpu_second": self.simulated_per_cpu_s,
            "share": self.share,
        }


def measure_players(
    game: CompiledGame,
    *,
    matches: int = 100,
    play_s: float = 0.2,
) -> Playing:
    """Let the search meet random play and plain UCT with the same clock, half of the matches each
    way round, one thread each.
    """
    against: dict[str, Score] = {}
    for rival, make in (("random", RandomAgent), ("uct", UctAgent)):
        result = play_tournament(
            game,
            [("mcts", lambda number: SearchAgent(number, threads=1)), (rival, make)],
            matches=max(1, matches // 2),
            clocks=Clocks(play_s, play_s),
        )
        against[rival] = next(score for score in result.scores if score.name == "mcts")
    playouts, simulated = _rates(game)
    return Playing(game.sheet.name, against, playouts, simulated)


def _rates(game: CompiledGame) -> tuple[float, float]:
    """Return playouts per CPU-second of the search and of simulate, by turns, the best of three."""
    search = TreeSearch(game, seed=1)
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
