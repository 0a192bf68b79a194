"""A RuleSheet in, its fastest encoding out: the original and translated rules are timed.

Paper 002, "Discussion and Conclusion": no encoding is best for all games, and a player can find
out at set-up time which one is best for the game at hand.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice, product

from kibitz.engine.ungrounded import UngroundedGame
from kibitz.errors import BudgetExceededError
from kibitz.gdl import RuleSheet
from kibitz.ground.frame import Covering, translate

__all__ = ["Encoding", "Portfolio", "choose_encoding", "compare_speeds"]

ROUNDS = 5
MOST_SUCCESSORS = 40


@dataclass(frozen=True, slots=True)
class Encoding:
    """One way to write the rules, and how many states a CPU-second it was seen to reach."""

    name: str
    game: UngroundedGame
    states_per_second: float


@dataclass(frozen=True, slots=True)
class Portfolio:
    """All encodings that were timed, and the fastest of them."""

    encodings: tuple[Encoding, ...]
    seconds: float
    notes: tuple[str, ...] = ()

    @property
    def fastest(self) -> Encoding:
        """The encoding to use."""
        return max(self.encodings, key=lambda encoding: encoding.states_per_second)


def choose_encoding(
    sheet: RuleSheet,
    *,
    coverings: Iterable[Covering] = (Covering.DIRECT, Covering.PRUNED),
    seconds: float = 0.5,
    seed: int = 1,
) -> Portfolio:
    """Time the original rules and their translations, each for some seconds.

    All take turns, so that a busy machine slows all of them, and the best round of each counts.

    >>> from kibitz.games import load
    >>> portfolio = choose_encoding(load("tictactoe"), seconds=0.05)
    >>> [encoding.name for encoding in portfolio.encodings]
    ['original', 'direct', 'pruned']
    """
    start = time.perf_counter()
    games = {"original": UngroundedGame(sheet)}
    notes: list[str] = []
    for covering in coverings:
        try:
            translation = translate(sheet, covering)
        except BudgetExceededError as error:
            notes.append(error.message)
            continue
        notes += translation.notes
        if translation.is_changed:
            games[str(covering)] = UngroundedGame(translation.sheet)
    best = compare_speeds(games, seconds=seconds, seed=seed)
    encodings = tuple(Encoding(name, game, best[name]) for name, game in games.items())
    return Portfolio(encodings, time.perf_counter() - start, tuple(dict.fromkeys(notes)))


def compare_speeds(
    games: Mapping[str, UngroundedGame], *, seconds: float = 0.5, seed: int = 1
) -> dict[str, float]:
    """Give states a CPU-second for each game, the best of some rounds that all take in turn."""
    best = dict.fromkeys(games, 0.0)
    for number in range(ROUNDS):
        for name, game in games.items():
            speed = measure_speed(game, seconds / ROUNDS, seed=seed + number)
            best[name] = max(best[name], speed)
    return best


def measure_speed(game: UngroundedGame, seconds: float, *, seed: int = 1) -> float:
    """Walk at random, making all successors on the way; give states a CPU-second."""
    source = random.Random(seed)
    key = game.initial_key
    count = 0
    start = time.process_time()
    end = start + seconds
    while time.process_time() < end:
        table = game.table()
        legal = [sorted(moves) for moves in game.legal_numbers(key, table)]
        joints = list(islice(product(*legal), MOST_SUCCESSORS))
        after = [game.step(key, table, game.made(joint)) for joint in joints]
        count += len(after) + 1
        key = source.choice(after) if after and source.random() > 0.02 else game.initial_key
    return count / max(1e-9, time.process_time() - start)
