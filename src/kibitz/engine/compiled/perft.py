"""Count the states of a game tree, as paper 002 does: each state as often as it is reached."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import prod

import numpy as np

from kibitz.engine.compiled.blocks import Blocks
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.compiled.native_machine import PerftArena
from kibitz.engine.game import Game, State
from kibitz.errors import KibitzError
from kibitz.rows import Rows, pack, unpack
from kibitz.threads import thread_count

Progress = Callable[[int], None]
"""Called now and then with how many states have been counted."""

_SHARES = 16
"""Portions of work per thread, so that no thread is left with all the work at the end."""
_MOST = 1 << 20
"""States that are held at a time before they are shared out."""


@dataclass(frozen=True, slots=True)
class Perft:
    """How many states there are at each depth, the initial state at depth 0."""

    per_depth: tuple[int, ...]
    seconds: float

    @property
    def states(self) -> int:
        """How many states there are in all."""
        return sum(self.per_depth)


def perft(
    game: Game,
    depth: int,
    *,
    stop_at_terminal: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Perft:
    """Count the initial state and every joint-move successor down to a depth.

    Terminal states are expanded like others unless `stop_at_terminal` is set. The last layer is
    counted by its moves and not made, as is usual for chess programs.

    >>> from kibitz.games import load_sheet
    >>> perft(CompiledGame(load_sheet("tictactoe")), 4).per_depth
    (1, 9, 72, 504, 3024)
    """
    report = progress or (lambda _count: None)
    if not isinstance(game, CompiledGame):
        start = time.perf_counter()
        counts = [0] * (depth + 1)
        _count_plainly(game.initial(), depth, stop_at_terminal, counts, 0, report)
    else:
        counting = _Counting(game, depth, stop_at_terminal, thread_count(threads), report)
        start = time.perf_counter()
        counts = counting.run()
    return Perft(tuple(counts), time.perf_counter() - start)


def _count_plainly(
    state: State, left: int, stop: bool, counts: list[int], at: int, report: Progress
) -> None:
    counts[at] += 1
    if counts[at] % 1000 == 0:
        report(sum(counts))
    if left == 0 or (stop and state.is_terminal):
        return
    for joint in product(*(state.legal(role) for role in state.game.roles)):
        child = state.game.successor(state.key, joint)
        _count_plainly(child, left - 1, stop, counts, at + 1, report)


class _Counting:
    """Counts from the top until there is enough to share, then below each block."""

    def __init__(
        self, game: CompiledGame, depth: int, stop: bool, threads: int, report: Progress
    ) -> None:
        self.game, self.depth, self.stop = game, depth, stop
        self.threads, self.report = threads, report
        self.blocks = Blocks(game)
        self.counts = [0] * (depth + 1)
        game.machine.loop("perft_run")  # compiles it

    def run(self) -> list[int]:
        states = self.blocks.initial()
        # Native code does best on its own from the start, except for giving each thread its share.
        enough = _SHARES * (self.threads - 1)
        level = 0
        self.counts[0] = 1
        while level < self.depth and 0 < len(states) < enough:
            below = self.blocks.count_joint_moves(states, stop_at_terminal=self.stop)
            self.counts[level + 1] = sum(below)
            if level + 1 == self.depth:
                return self.counts
            if self.counts[level + 1] > _MOST:
                break
            states = self.blocks.expand(states, stop_at_terminal=self.stop).states
            level += 1
            self.report(sum(self.counts))
        if level < self.depth and len(states):
            self.counts[level + 1] = 0
            self.share(states, level)
        return self.counts

    def share(self, states: Rows, level: int) -> None:
        """Let threads count below blocks; they stop at once when this thread is interrupted."""
        lanes = self.game.machine.lanes
        if prod(self.game.program.layout.move_counts) * lanes >= 1 << 63:
            raise KibitzError(f"{self.game.sheet.name} has too many joint moves to count")
        size = min(lanes, -(-len(states) // (self.threads * _SHARES)))
        work: queue.SimpleQueue[Rows] = queue.SimpleQueue()
        for start in range(0, len(states), size):
            work.put(states[start : start + size])
        left = self.depth - level
        arenas = [PerftArena(self.game.machine, left) for _ in range(self.threads)]
        lock = threading.Lock()

        def count_below(arena: PerftArena) -> None:
            while not arena.stop[0]:
                try:
                    block = work.get_nowait()
                except queue.Empty:
                    return
                fluents, mask = self.sliced(block)
                found = arena.run(fluents, mask, left, stop_at_terminal=self.stop)
                with lock:
                    for offset in range(1, left + 1):
                        self.counts[level + offset] += found[offset]
                    arena.counts[:] = 0

        workers = [threading.Thread(target=partial(count_below, arena)) for arena in arenas]
        for worker in workers:
            worker.start()
        try:
            for worker in workers:
                while worker.is_alive():
                    worker.join(0.1)
                    with lock:  # what is under way counts as well, without its root
                        under_way = sum(int(arena.counts[1:].sum()) for arena in arenas)
                        so_far = sum(self.counts) + under_way
                    self.report(so_far)
        finally:
            for arena in arenas:
                arena.stop[0] = 1
            for worker in workers:
                worker.join()

    def sliced(self, rows: Rows) -> tuple[Rows, Rows]:
        """Turn rows into slots, and mark the lanes in use."""
        layout, lanes = self.game.program.layout, self.game.machine.lanes
        padded = np.zeros((layout.fluent_count + 1, lanes), dtype=np.uint8)
        padded[:-1, : len(rows)] = unpack(rows, layout.fluent_count).T
        padded[-1, : len(rows)] = 1
        slots = pack(padded)
        return slots[:-1], slots[-1]
