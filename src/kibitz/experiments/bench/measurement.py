"""Measure the Figures of one game, given as a Task, in this process.

Run as `python -m kibitz.experiments.bench.measurement`.

A separate process gives meaning to peak memory and set-up time. Windows of the engine, with one
thread and with all, and of the yardstick take turns, and the best of each counts: whatever else
the machine does slows all of them alike, and never makes one faster.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from kibitz.budget import Budget
from kibitz.engine import CompiledGame, Game, make_game, perft, simulate
from kibitz.errors import KibitzError, internal_error
from kibitz.experiments.bench.figures import Failure, Figures, Size, Speed, Yardstick
from kibitz.experiments.bench.tasks import Task, TaskResult
from kibitz.experiments.bench.yardsticks import find_yardstick
from kibitz.gdl import read
from kibitz.rows import row_words
from kibitz.threads import thread_count

_DEEPEST = 60
_LONGEST = 20  # A count may take this many windows.


class Window(NamedTuple):
    """States in a stretch of time, with what it took."""

    states: int
    cpu_s: float
    seconds: float


def run_task(task: Task) -> TaskResult:
    """Set a game up, and measure it if the task says so."""
    importlib.import_module("llvmlite.binding")
    start = time.perf_counter()
    budget = Budget(seconds=task.timeout_s)
    game = make_game(read(task.text, name=task.game), budget=budget)
    seconds = time.perf_counter() - start
    if task.setup is None:
        return TaskResult(setup_s=seconds)
    return TaskResult(figures=_measure(game, task, *task.setup))


def _measure(game: Game, task: Task, cold: float, warm: float) -> Figures:
    threads = thread_count() if isinstance(game, CompiledGame) else 1
    # Memory first, before anything of the yardstick's is loaded.
    playing = simulate(game, seconds=task.seconds)
    playouts_peak = _peak_bytes()
    counted = _choose_depth(lambda depth: _per_depth(game, depth, 1), task.seconds)
    depth = len(counted) - 1
    _per_depth(game, depth, threads)
    perft_peak = _peak_bytes()
    runs: list[Callable[[], Window]] = [
        lambda: _play(game, task.seconds, 1),
        lambda: _play(game, task.seconds, threads),
        lambda: _repeat(task.seconds, lambda: sum(_per_depth(game, depth, 1))),
        lambda: _repeat(task.seconds, lambda: sum(_per_depth(game, depth, threads))),
    ]
    by_hand = find_yardstick(task.yardstick) if task.yardstick else None
    agrees = True
    if by_hand:
        expected = _choose_depth(by_hand.perft, task.seconds)
        agrees = all(a == b for a, b in zip(counted, expected, strict=False))
        runs += _runs_by_hand(by_hand, task.seconds, len(expected) - 1)
    rounds = [[run() for run in runs] for _ in range(task.windows)]
    best = [_best([each[i] for each in rounds]) for i in range(len(runs))]
    return Figures(
        game=task.game,
        machine=_machine_name(game),
        size=_size(game) if isinstance(game, CompiledGame) else None,
        setup_cold_s=cold,
        setup_warm_s=warm,
        threads=threads,
        playouts=Speed(*best[0], *best[1]),
        mean_length=playing.mean_length,
        perft=Speed(*best[2], *best[3]),
        perft_depth=depth,
        perft_states=sum(counted),
        perft_made=sum(counted[:-1]),
        playouts_peak_bytes=playouts_peak,
        perft_peak_bytes=perft_peak,
        yardstick=Yardstick(task.yardstick, best[4][0], best[5][0], best[6][0], agrees)
        if by_hand and task.yardstick
        else None,
    )


def _runs_by_hand(module: Any, seconds: float, depth: int) -> list[Callable[[], Window]]:
    seeds = iter(range(1, 1_000_000_000))
    module.playouts(1, 1)  # compiles it
    return [
        lambda: _repeat(seconds, lambda: int(module.playouts(10_000, next(seeds))[0])),
        lambda: _repeat(seconds, lambda: sum(module.perft(depth))),
        lambda: _repeat(seconds, lambda: int(module.numpy_playouts(100, next(seeds))[0])),
    ]


def _size(game: CompiledGame) -> Size:
    network, grounding = game.network, game.grounding
    return Size(
        gates=grounding.gates,
        fluents=len(network.fluents) + len(network.hidden),
        moves=sum(map(len, network.moves)),
        state_bytes=8 * row_words(len(network.fluents)),
        grounding_s=grounding.seconds,
    )


def _machine_name(game: Game) -> str:
    if not isinstance(game, CompiledGame):
        return type(game).__name__.removesuffix("Game").lower()
    return "straight" if game.machine.is_straight else "interpreter"


def _best(windows: Sequence[Window]) -> tuple[float, float]:
    """Return the best rates by processor time and by the clock."""
    return max(w.states / w.cpu_s for w in windows), max(w.states / w.seconds for w in windows)


def _timed(run: Callable[[], int]) -> Window:
    start, cpu_start = time.perf_counter(), time.process_time()
    states = run()
    cpu_s, seconds = time.process_time() - cpu_start, time.perf_counter() - start
    return Window(states, max(cpu_s, 1e-6), max(seconds, 1e-6))


def _play(game: Game, seconds: float, threads: int) -> Window:
    return _timed(lambda: simulate(game, seconds=seconds, threads=threads).states)


def _per_depth(game: Game, depth: int, threads: int) -> Sequence[int]:
    return perft(game, depth, stop_at_terminal=True, threads=threads).per_depth


def _repeat(seconds: float, run: Callable[[], int]) -> Window:
    """Run something until a window of the clock is full."""

    def fill() -> int:
        states, deadline = 0, time.perf_counter() + seconds
        while time.perf_counter() < deadline:
            states += run()
        return states

    return _timed(fill)


def _choose_depth(count: Callable[[int], Sequence[int]], seconds: float) -> Sequence[int]:
    """Go deeper until a count fills a window, the tree ends, or the next count is far too long."""
    best: Sequence[int] = count(1)
    for depth in range(2, _DEEPEST + 1):
        start = time.perf_counter()
        result = count(depth)
        took = time.perf_counter() - start
        if not result[-1]:
            return best
        best = result
        growth = result[-1] / result[-2]
        is_long = took > seconds / 20 and took * growth > seconds * _LONGEST
        if took >= seconds or is_long or result[-1] * growth > seconds * 1e11:
            return best
    return best


def _peak_bytes() -> int:
    """Return the peak memory of this process, or 0 where the system does not report it."""
    try:
        import resource
    except ImportError:  # pragma: no cover - not on POSIX
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def main() -> None:
    """Read a task from stdin and write its outcome to stdout, both as JSON."""
    task = msgspec.json.decode(sys.stdin.buffer.read(), type=Task)
    try:
        outcome = run_task(task)
    except KibitzError as error:
        outcome = TaskResult(failure=Failure(task.game, error.message))
    except MemoryError:
        outcome = TaskResult(failure=Failure(task.game, "there is not enough memory"))
    except Exception as error:
        outcome = TaskResult(failure=Failure(task.game, internal_error(error).message))
    sys.stdout.buffer.write(msgspec.json.encode(outcome))


if __name__ == "__main__":
    main()
