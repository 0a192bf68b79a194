"""Play random matches: how many states per second, how long matches are, and who wins them."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
import numpy.typing as npt

from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.game import Game, Role
from kibitz.threads import thread_count

_LONGEST = 10_000
"""How many rounds matches under way get to finish, some at a time; and how many rounds without the
end of any match show that all are in endless play.
"""
_SLICE, _ROUNDS = 50, 64
_FINISHING_S = 1.0


@dataclass(frozen=True, slots=True)
class Simulation:
    """The results of random play. `states` counts the states that moves led to.

    `playouts` are the matches that ended; a mean length is that of these and of those that got
    stuck. `unfinished` ones took more moves, or time, than they could have.
    """

    playouts: int
    states: int
    stuck: int
    unfinished: int
    mean_length: float | None
    mean_goals: dict[Role, float | None]
    seconds: float
    cpu_seconds: float

    @property
    def states_per_second(self) -> float:
        """States per second by the clock."""
        return self.states / self.seconds if self.seconds else 0.0


class _Tally(Protocol):
    """Continues random matches and counts: moves, ends, stuck lanes, ends with each goal."""

    counts: npt.NDArray[np.int64]

    def run(self, rounds: int) -> None:
        """Make a move in every match, `rounds` times."""

    def finish(self, rounds: int) -> int:
        """Begin no more matches; return how many are under way after so many rounds."""


def simulate(
    game: Game,
    *,
    seconds: float | None = None,
    seed: int = 1,
    playouts: int | None = None,
    threads: int | None = None,
) -> Simulation:
    """Play uniformly random matches for a time, or until a number of them has ended.

    That is a second, or `seconds`, or as long as `playouts` take. Matches that are under way then
    are finished, so that long ones count as short ones do (Wald's identity). With `playouts` the
    result depends only on seed and threads, unless `seconds` is given too and ends first. It has
    fewer where every match under way has fallen into endless play.

    >>> from kibitz.games import load_sheet
    >>> result = simulate(CompiledGame(load_sheet("nim:1,1")), playouts=1000, threads=1)
    >>> result.mean_goals
    {'player1': 0.0, 'player2': 100.0}
    """
    workers = thread_count(threads) if isinstance(game, CompiledGame) else 1
    tallies = [_tally(game, seed * 1000 + number) for number in range(workers)]
    start, cpu_start = time.perf_counter(), time.process_time()
    stop = threading.Event()
    share = None if playouts is None else -(-playouts // workers)
    if seconds is None:
        seconds = 1.0 if playouts is None else float("inf")
    deadline = start + seconds

    def play(tally: _Tally) -> None:
        rounds = 1
        idle = over = 0
        while not stop.is_set():
            before = time.perf_counter()
            if before >= deadline:
                return
            if share is None:
                tally.run(rounds)
                if time.perf_counter() - before < 0.02:
                    rounds *= 2
            elif over >= share or idle >= _LONGEST:
                return
            else:
                tally.run(_ROUNDS)
                last, over = over, int(tally.counts[1] + tally.counts[2])
                idle = 0 if over > last else idle + _ROUNDS

    left = [0] * workers

    def work(number: int) -> None:
        play(tallies[number])
        most = start + 2 * seconds + _FINISHING_S
        for _ in range(0, _LONGEST, _SLICE):
            left[number] = tallies[number].finish(_SLICE)
            if not left[number] or stop.is_set() or time.perf_counter() > most:
                return

    helpers = [threading.Thread(target=partial(work, number)) for number in range(1, workers)]
    for helper in helpers:
        helper.start()
    try:
        work(0)
        for helper in helpers:
            helper.join()
    finally:
        stop.set()
    counts = sum((tally.counts for tally in tallies[1:]), tallies[0].counts)
    passed = (time.perf_counter() - start, time.process_time() - cpu_start)
    over = int(counts[1] + counts[2])
    mean = int(counts[0]) / over if over else None
    if sum(left):
        mean = _mean_of_finished(game, seed)
    return _summary(game, counts, sum(left), mean, *passed)


def _mean_of_finished(game: Game, seed: int) -> float | None:
    """Play matches that all begin at once; return the mean length of those that come to an end."""
    tally = _tally(game, seed * 1000 + 999)
    deadline = time.perf_counter() + _FINISHING_S
    moves = over = 0
    for made in range(_LONGEST):
        tally.finish(1)
        now = int(tally.counts[1] + tally.counts[2])
        moves, over = moves + made * (now - over), now
        if time.perf_counter() > deadline:
            break
    return moves / over if over else None


def _summary(
    game: Game,
    counts: npt.NDArray[np.int64],
    left: int,
    mean: float | None,
    seconds: float,
    cpu_seconds: float,
) -> Simulation:
    states, ended, stuck, *reached = map(int, counts)
    sums: dict[Role, list[int]] = {role: [0, 0] for role in game.roles}
    for (role, value), times in zip(_goal_values(game), reached, strict=True):
        if value is not None:
            sums[game.roles[role]][0] += value * times
            sums[game.roles[role]][1] += times
    return Simulation(
        playouts=ended,
        states=states,
        stuck=stuck,
        unfinished=left,
        mean_length=mean,
        mean_goals={
            # If a match gives a role no goal, there is no mean.
            role: total / times if times and times == ended else None
            for role, (total, times) in sums.items()
        },
        seconds=seconds,
        cpu_seconds=cpu_seconds,
    )


def _goal_values(game: Game) -> tuple[tuple[int, int | None], ...]:
    if isinstance(game, CompiledGame):
        return game.program.layout.goal_values
    return tuple((role, value) for role in range(len(game.roles)) for value in range(101))


def _tally(game: Game, seed: int) -> _Tally:
    if not isinstance(game, CompiledGame):
        return _OneByOne(game, seed)
    return game.machine.playouts(seed)


class _OneByOne:
    """Plays one match after another through the protocol of games."""

    def __init__(self, game: Game, seed: int) -> None:
        self.source = random.Random(seed)
        self.state = game.initial()
        self.is_over = False
        self.counts = np.zeros(3 + len(_goal_values(game)), dtype=np.int64)

    def run(self, rounds: int) -> None:
        for _ in range(rounds):
            self._move()

    def finish(self, rounds: int) -> int:
        for _ in range(rounds):
            if self.is_over:
                break
            self._move()
        return int(not self.is_over)

    def _move(self) -> None:
        game = self.state.game
        choices = [self.state.legal(role) for role in game.roles]
        self.is_over = self.state.is_terminal or not all(choices)
        if self.is_over:
            self.counts[1 if self.state.is_terminal else 2] += 1
            for index, goal in enumerate(self.state.goals.values()):
                if self.state.is_terminal and goal is not None and 0 <= goal <= 100:
                    self.counts[3 + 101 * index + goal] += 1
            self.state = game.initial()
            return
        joint = tuple(self.source.choice(moves) for moves in choices)
        self.state = game.successor(self.state.key, joint)
        self.counts[0] += 1
