"""Measure games, each in separate processes with a separate cache."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace

import msgspec

from kibitz.experiments.bench.figures import Failure, Figures
from kibitz.experiments.bench.references import reference_of
from kibitz.experiments.bench.tasks import Task, TaskResult
from kibitz.processes import start_program

DEFAULTS = (
    *("tictactoe", "connectfour", "nim:1,2,4,5", "sum15", "sim"),
    *("breakthrough", "knightthrough"),
)
"""The games of the library that are measured where none is named."""


_PATIENCE_S = 10.0  # Set-up that takes this long is not repeated.


@dataclass(frozen=True, slots=True)
class Measurement:
    """A game's name and rules, how long a window is, how many there are, and the time for all."""

    game: str
    text: str
    seconds: float = 0.5
    windows: int = 3
    timeout_s: float = 600.0


def measure_game(job: Measurement) -> Figures | Failure:
    """Set a game up a few times, without and with a cache of native code, and measure it."""
    reference = reference_of(job.game)
    yardstick = reference.yardstick if reference else None
    task = Task(job.game, job.text, job.seconds, job.windows, job.timeout_s, yardstick)
    colds: list[float] = []
    warms: list[float] = []
    while len(colds) < job.windows and sum(colds) < _PATIENCE_S:
        with tempfile.TemporaryDirectory() as cache:
            for times in (colds, warms):
                outcome = _run(task, cache)
                if outcome.setup_s is None:
                    return _failure(task, outcome)
                times.append(outcome.setup_s)
    with tempfile.TemporaryDirectory() as cache:
        outcome = _run(replace(task, setup=(min(colds), min(warms))), cache)
    if outcome.figures:
        return replace(outcome.figures, reference=reference)
    return _failure(task, outcome)


def _failure(task: Task, outcome: TaskResult) -> Failure:
    return outcome.failure or Failure(task.game, "nothing was measured")


def _run(task: Task, cache: str) -> TaskResult:
    """Run a task in a process, which ends when this one is interrupted."""
    child = start_program(
        [sys.executable, "-m", "kibitz.experiments.bench.measurement"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "KIBITZ_CACHE": cache},
        start_new_session=True,  # so that Ctrl-C comes to this process alone
    )
    try:
        output, _ = child.communicate(msgspec.json.encode(task), timeout=task.timeout_s)
        return msgspec.json.decode(output, type=TaskResult)
    except subprocess.TimeoutExpired:
        reason = f"it needs more than {task.timeout_s:g} s; allow more time with --timeout"
        return TaskResult(failure=Failure(task.game, reason))
    except msgspec.DecodeError:
        reason = f"the measuring process died with status {child.wait()}"
        return TaskResult(failure=Failure(task.game, reason))
    finally:
        child.kill()
        child.communicate()
