"""Choose how a sheet that does not ground is run, by timing some plies.

Paper 002, "Discussion and Conclusion": no encoding is best for all games, and a player can find out
at set-up time which one is best for a game.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping

from kibitz.budget import Budget, run_within, time_left
from kibitz.engine.frame import Covering, translate
from kibitz.engine.ungrounded import UngroundedGame, count_visits
from kibitz.errors import KibitzError
from kibitz.gdl import RuleSheet

_TRIAL_S = 12.0
"""Seconds for trying out encodings."""
ROUNDS = 5
FAR_BEHIND = (12.0, 6.0, 1.5)
MOST_TIMES = 10_000


def fastest_ungrounded(sheet: RuleSheet) -> UngroundedGame:
    """Return the game with translated rules; with its own where that takes too long.

    The original rules are not tried: on sheets that do not ground they were at most 6 % faster.
    Keeping answers from state to state is, for it made random matches 91 times as fast in merrills,
    43 times in chess and 14 times in mummymaze1p, and 100 times as slow in laikLee_hex.

    >>> from kibitz.games import load_sheet
    >>> len(fastest_ungrounded(load_sheet("nim:1,2")).initial().legal("player1"))
    3
    """

    def try_out() -> tuple[RuleSheet, bool]:
        translation = translate(sheet, Covering.PRUNED)
        if not translation.is_changed:
            return sheet, False
        game = faster_way(sheet, translation.sheet)
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
