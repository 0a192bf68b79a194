"""A RuleSheet in, its fastest encoding out: the original and translated rules are timed.

Paper 002, "Discussion and Conclusion": no encoding is best for all games, and a player can find out
at set-up time which one is best for a game.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kibitz.budget import Budget, run_within, time_left
from kibitz.engine.frame import Covering, translate
from kibitz.engine.ungrounded import UngroundedGame, count_visits
from kibitz.errors import BudgetExceededError, KibitzError
from kibitz.gdl import RuleSheet

__all__ = [
    "Portfolio",
    "TimedEncoding",
    "choose_encoding",
    "compare_speeds",
    "depth_within",
    "faster_way",
    "fastest_ungrounded",
    "time_visits",
]

_TRIAL_S = 12.0
"""Seconds for trying out encodings."""
ROUNDS = 5
FAR_BEHIND = (12.0, 6.0, 1.5)
MOST_TIMES = 10_000


@dataclass(frozen=True, slots=True)
class TimedEncoding:
    """One way to write the rules, and how many states it reached per CPU-second."""

    name: str
    game: UngroundedGame
    states_per_second: float


@dataclass(frozen=True, slots=True)
class Portfolio:
    """All encodings that were timed, and the fastest of them."""

    encodings: tuple[TimedEncoding, ...]
    seconds: float
    notes: tuple[str, ...] = ()

    @property
    def fastest(self) -> TimedEncoding:
        """The encoding to use."""
        return max(self.encodings, key=lambda encoding: encoding.states_per_second)


def choose_encoding(
    sheet: RuleSheet,
    *,
    coverings: Iterable[Covering] = (Covering.DIRECT, Covering.PRUNED),
    seconds: float = 0.5,
) -> Portfolio:
    """Time the original rules and their translations, each for some seconds.

    All take turns, so that a busy machine slows all of them, and the best round of each counts.

    >>> from kibitz.games import load_sheet
    >>> portfolio = choose_encoding(load_sheet("tictactoe"), seconds=0.05)
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
            games[str(covering)] = faster_way(sheet, translation.sheet, seconds=seconds / 2)
    best = compare_speeds(games, seconds=seconds)
    encodings = tuple(TimedEncoding(name, game, best[name]) for name, game in games.items())
    return Portfolio(encodings, time.perf_counter() - start, tuple(dict.fromkeys(notes)))


def fastest_ungrounded(sheet: RuleSheet) -> UngroundedGame:
    """Return the game with the fastest rules; with its own where that cannot be tried out.

    >>> from kibitz.games import load_sheet
    >>> len(fastest_ungrounded(load_sheet("nim:1,2")).initial().legal("player1"))
    3
    """

    def try_out() -> tuple[RuleSheet, bool]:
        game = choose_encoding(sheet, coverings=[Covering.PRUNED]).fastest.game
        return game.rules, game.keeps

    if time_left() < 2 * _TRIAL_S:
        return UngroundedGame(sheet)
    try:
        rules, keeps = run_within(Budget(_TRIAL_S), try_out, doing="trying out encodings")
    except KibitzError:
        return UngroundedGame(sheet)
    return UngroundedGame(sheet, rules=rules, keeps=keeps)


def faster_way(sheet: RuleSheet, rules: RuleSheet, *, seconds: float = 0.25) -> UngroundedGame:
    """Run a sheet's translated rules with or without answers kept from state to state, by trial."""
    ways = {
        "plain": UngroundedGame(sheet, rules=rules),
        "keeps": UngroundedGame(sheet, rules=rules, keeps=True),
    }
    speeds = compare_speeds(ways, seconds=seconds)
    return max(ways.items(), key=lambda way: speeds[way[0]])[1]


def compare_speeds(
    games: Mapping[str, UngroundedGame], *, seconds: float = 0.5
) -> dict[str, float]:
    """Return states per CPU-second for each game, the best of some rounds taken in turn.

    All search to the same depth, except in the first round, which has one ply. A game that is far
    behind is left out of further rounds, and one whose answers cannot be kept of all rounds. At
    first code is still being written for new kinds of moves, so the limit is more generous.
    """
    depth = depth_within(next(iter(games.values())), seconds / ROUNDS)
    alive = dict(games)
    best = dict.fromkeys(games, 0.0)
    for number in range(ROUNDS + 1):
        speeds = dict.fromkeys(alive, 0.0)
        for name, game in alive.items():
            with contextlib.suppress(KibitzError):
                states, took = time_visits(game, depth if number else 1)
                speeds[name] = states / took
        behind = max(speeds.values()) / FAR_BEHIND[min(number, len(FAR_BEHIND) - 1)]
        alive = {name: game for name, game in alive.items() if speeds[name] >= behind}
        if number:
            best.update({name: max(best[name], speed) for name, speed in speeds.items()})
    return best


def time_visits(game: UngroundedGame, depth: int, *, at_least: float = 0.0) -> tuple[int, float]:
    """Search to a depth repeatedly for some CPU-seconds; return states and seconds."""
    start = time.process_time()
    times = 0
    while True:
        states = count_visits(game, depth)
        times += 1
        took = time.process_time() - start
        if took > at_least or times >= MOST_TIMES:
            return states, max(took, 1e-9) / times


def depth_within(game: UngroundedGame, seconds: float, *, most: int = 60) -> int:
    """Deepen until the next depth would take too long; one ply is always searched."""
    last = 0.0
    factor = 2.0
    for depth in range(1, most + 1):
        _, took = time_visits(game, depth)
        if last > 0.001:
            factor = max(1.0, took / last)
        if depth == most or took * factor > seconds:
            return depth
        last = took
    return most
