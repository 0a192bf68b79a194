"""Count the states of a game tree, as paper 002 does: every state each time it is met."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from kibitz.engine.blocks import Blocks, Rows
from kibitz.engine.compiled import CompiledGame
from kibitz.engine.game import Game, State
from kibitz.engine.threads import thread_count

__all__ = ["Perft", "perft"]

Progress = Callable[[int], None]
"""Is told now and then how many states have been counted."""


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

    Terminal states are expanded like others unless told to stop there. The last layer is counted
    by its moves and not made, as is usual for chess programs.

    >>> from kibitz.games import load
    >>> perft(CompiledGame(load("tictactoe")), 4).per_depth
    (1, 9, 72, 504, 3024)
    """
    start = time.perf_counter()
    report = progress or (lambda _count: None)
    if not isinstance(game, CompiledGame):
        counts = [0] * (depth + 1)
        _count_plainly(game.initial(), depth, stop_at_terminal, counts, 0, report)
    else:
        counts = _Counting(game, depth, stop_at_terminal, thread_count(threads), report).run()
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

    def run(self) -> list[int]:
        states = self.blocks.initial()
        enough = 8 * self.threads * self.game.machine.lanes
        level = 0
        self.counts[0] = 1
        while len(states) and level < self.depth and (len(states) < enough or self.is_slow):
            if self.is_slow and len(states) > 50 * self.game.machine.lanes:
                break
            if level == self.depth - 1 and not self.is_slow:
                break
            states = self.blocks.expand(states, stop_at_terminal=self.stop).states
            level += 1
            self.counts[level] = len(states)
            self.report(sum(self.counts))
        if level < self.depth and len(states):
            if self.is_slow:
                for chunk in np.array_split(states, -(-len(states) // self.game.machine.lanes)):
                    self.count_slowly(chunk, level)
            else:
                self.share(states, level)
        return self.counts

    @property
    def is_slow(self) -> bool:
        """Whether there is no native code to count with."""
        return not hasattr(self.game.machine, "perft_arena")

    def count_slowly(self, states: Rows, level: int) -> None:
        """Count below states depth first, a block at a time."""
        if level == self.depth:
            return
        children = self.blocks.expand(states, stop_at_terminal=self.stop).states
        self.counts[level + 1] += len(children)
        self.report(sum(self.counts))
        size = self.game.machine.lanes
        for start in range(0, len(children), size):
            self.count_slowly(children[start : start + size], level + 1)

    def share(self, states: Rows, level: int) -> None:
        """Let threads count below blocks; they leave at once when this one is interrupted."""
        from kibitz.engine.native import PerftArena

        size = self.game.machine.lanes
        work: queue.SimpleQueue[Rows] = queue.SimpleQueue()
        for start in range(0, len(states), size):
            work.put(states[start : start + size])
        left = self.depth - level
        arenas = [PerftArena(self.game.machine, left) for _ in range(self.threads)]  # type: ignore[arg-type]
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

        workers = [threading.Thread(target=partial(count_below, arena)) for arena in arenas]
        for worker in workers:
            worker.start()
        try:
            for worker in workers:
                while worker.is_alive():
                    worker.join(0.1)
                    self.report(sum(self.counts))
        finally:
            for arena in arenas:
                arena.stop[0] = 1
            for worker in workers:
                worker.join()

    def sliced(self, rows: Rows) -> tuple[Rows, Rows]:
        """Turn rows into slots, and mark the lanes in use."""
        layout, lanes = self.game.program.layout, self.game.machine.lanes
        bits = np.unpackbits(rows.astype("<u8").view(np.uint8), axis=1, bitorder="little")
        padded = np.zeros((layout.fluent_count + 1, lanes), dtype=np.uint8)
        padded[:-1, : len(rows)] = bits[:, : layout.fluent_count].T
        padded[-1, : len(rows)] = 1
        slots = np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)
        return slots[:-1], slots[-1]
