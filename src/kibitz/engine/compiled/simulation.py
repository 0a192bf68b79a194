"""Play random matches: how many states per second, how long matches are, and who wins them."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.game import Game, Role
from kibitz.threads import thread_count

if TYPE_CHECKING:
    from kibitz.engine.compiled.machine import Machine
    from kibitz.engine.compiled.program import MemoryLayout

__all__ = ["Simulation", "simulate"]


@dataclass(frozen=True, slots=True)
class Simulation:
    """The results of random play. `states` counts the states that moves led to."""

    playouts: int
    states: int
    stuck: int
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


def simulate(
    game: Game,
    *,
    seconds: float | None = None,
    seed: int = 1,
    playouts: int | None = None,
    threads: int | None = None,
) -> Simulation:
    """Play uniformly random matches for a time, or until a number of them has ended.

    That is a second, or `seconds`, or as long as `playouts` take. The moves of matches that are
    under way at the end are counted, their goals are not, so the mean length is a little high when
    there are few matches. With `playouts` the result depends only on seed and threads, unless
    `seconds` is given too and ends first.

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
        while not stop.is_set():
            before = time.perf_counter()
            if before >= deadline:
                return
            if share is None:
                tally.run(rounds)
                if time.perf_counter() - before < 0.02:
                    rounds *= 2
            elif tally.counts[1] + tally.counts[2] >= share:
                return
            else:
                tally.run(64)

    helpers = [threading.Thread(target=partial(play, tally)) for tally in tallies[1:]]
    for helper in helpers:
        helper.start()
    try:
        play(tallies[0])
        for helper in helpers:
            helper.join()
    finally:
        stop.set()
    counts = sum((tally.counts for tally in tallies[1:]), tallies[0].counts)
    return _summary(game, counts, time.perf_counter() - start, time.process_time() - cpu_start)


def _summary(
    game: Game, counts: npt.NDArray[np.int64], seconds: float, cpu_seconds: float
) -> Simulation:
    states, ended, stuck, *reached = map(int, counts)
    over = ended + stuck
    sums: dict[Role, list[int]] = {role: [0, 0] for role in game.roles}
    for (role, value), times in zip(_goal_values(game), reached, strict=True):
        if value is not None:
            sums[game.roles[role]][0] += value * times
            sums[game.roles[role]][1] += times
    return Simulation(
        playouts=ended,
        states=states,
        stuck=stuck,
        mean_length=states / over if over else None,
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
    from kibitz.engine.compiled.numpy_machine import ArrayMachine

    if isinstance(game.machine, ArrayMachine):
        return _InArrays(game, seed)
    native: _Tally = game.machine.playouts(seed)  # type: ignore[attr-defined]
    return native


class _OneByOne:
    """Plays one match after another through the protocol of games."""

    def __init__(self, game: Game, seed: int) -> None:
        self.source = random.Random(seed)
        self.state = game.initial()
        self.counts = np.zeros(3 + len(_goal_values(game)), dtype=np.int64)

    def run(self, rounds: int) -> None:
        game = self.state.game
        for _ in range(rounds):
            choices = [self.state.legal(role) for role in game.roles]
            if self.state.is_terminal or not all(choices):
                self.counts[1 if self.state.is_terminal else 2] += 1
                for index, goal in enumerate(self.state.goals.values()):
                    if self.state.is_terminal and goal is not None and 0 <= goal <= 100:
                        self.counts[3 + 101 * index + goal] += 1
                self.state = game.initial()
                continue
            joint = tuple(self.source.choice(moves) for moves in choices)
            self.state = game.successor(self.state.key, joint)
            self.counts[0] += 1


class _InArrays:
    """Plays a block of matches with numpy."""

    def __init__(self, game: CompiledGame, seed: int) -> None:
        self.layout: MemoryLayout = game.program.layout
        self.machine: Machine = game.machine
        self.source = np.random.default_rng(seed)
        self.memory = self.machine.memory()
        ones = np.uint64(2**64 - 1)
        self.initial = np.array([ones if holds else 0 for holds in game.network.initial], np.uint64)
        self.fluents = slice(self.layout.fluents, self.layout.fluents + self.layout.fluent_count)
        self.memory[self.fluents] = self.initial[:, None]
        self.counts = np.zeros(3 + len(self.layout.goal_values), dtype=np.int64)

    def run(self, rounds: int) -> None:
        layout, memory = self.layout, self.memory
        for _ in range(rounds):
            self.machine.view(memory)
            ended = memory[layout.terminal].copy()
            stuck = np.zeros_like(ended)
            for start, does, count in zip(
                layout.legal, layout.does, layout.move_counts, strict=True
            ):
                if not count:
                    stuck[:] = ~np.uint64(0)
                    continue
                raw = memory[start : start + count].view(np.uint8)
                legal = np.unpackbits(raw, axis=1, bitorder="little")
                scores = self.source.random(legal.shape, dtype=np.float32) + 1
                picked = (scores * legal).argmax(axis=0)
                made = np.zeros_like(legal)
                made[picked, np.arange(legal.shape[1])] = 1
                packed = np.packbits(made & legal, axis=1, bitorder="little").view(np.uint64)
                memory[does : does + count] = packed
                stuck |= ~np.bitwise_or.reduce(packed, axis=0)
            self.machine.step(memory)
            over = ended | stuck
            after = memory[layout.next : layout.next + layout.fluent_count]
            memory[self.fluents] = (after & ~over) | (self.initial[:, None] & over)
            self.counts[0] += self.machine.lanes - int(np.bitwise_count(over).sum())
            self.counts[1] += int(np.bitwise_count(ended).sum())
            self.counts[2] += int(np.bitwise_count(stuck & ~ended).sum())
            goals = memory[layout.goals : layout.goals + len(layout.goal_values)]
            self.counts[3:] += np.bitwise_count(goals & ended).sum(axis=1).astype(np.int64)
