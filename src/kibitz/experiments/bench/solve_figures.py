"""Measure how long solving a game takes, each in a separate process, beside other means."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.experiments.bench.figures import Failure
from kibitz.experiments.bench.others import HAND, PEER
from kibitz.processes import start_program

SOLVED = (
    *("tictactoe", "nim:1,3,5", "connect:3,3x3", "connect:4,4x4", "mnk:4,4,3", "sim"),
    *("breakthrough:5x3", "connect:4,5x5"),
)
"""The games that are solved where none is named."""

GROWTH = (
    *("connect:3,3x3", "connect:3,4x4", "connect:4,4x4", "connect:4,4x5", "connect:4,5x5"),
    *("mnk:2,3,3", "mnk:3,3,3", "mnk:3,4,3", "mnk:4,4,3"),
    *("nim:1,3,5,7", "nim:3,5,7,9", "nim:7,9,11,13", "nim:9,11,13,15,5", "nim:15,15,15,15,15"),
    *("breakthrough:4x2", "breakthrough:4x3", "breakthrough:5x3", "breakthrough:6x3"),
)
"""Families of games that grow from a thousand states to a hundred million."""

KIBITZ = (sys.executable, "-c", "from kibitz.cli import main; main()")
_POLL_S = 0.002
_PATIENCE_S = 20.0  # A run this long is not repeated.


@dataclass(frozen=True, slots=True)
class Other:
    """The same game solved by other means: how long it took once its code was loaded."""

    name: str
    seconds: float
    cpu_s: float
    states: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class Solved:
    """A game that `kibitz solve` has solved from its rules.

    `seconds`, `cpu_s` and `peak_bytes` are of the whole process from its start; exploring and
    solving are parts of it by the clock, and `kept_bytes` what the arrays take in the end.
    """

    game: str
    states: int
    moves: int
    value: float | None
    distance: int | None
    seconds: float
    cpu_s: float
    exploring_s: float
    solving_s: float
    peak_bytes: int
    kept_bytes: int
    hand: Other | None = None
    peer: Other | None = None


def measure_solving(
    game: str,
    *,
    runs: int = 2,
    timeout_s: float = 600.0,
    compare: bool = True,
    compact: bool = False,
) -> Solved | Failure:
    """Solve a game a few times and return the fastest run, and others once each."""
    more = ["--compact"] if compact else []
    best: dict[str, Any] = {}
    for _ in range(runs):
        done = run_json(
            [*KIBITZ, "solve", game, "--json", "--timeout", f"{timeout_s:g}", *more], timeout_s
        )
        if isinstance(done, str):
            return Failure(game, done)
        best = min(best or done, done, key=lambda run: float(run["elapsed"]))
        if best["elapsed"] > _PATIENCE_S:
            break
    first = next(iter(best["value"].values()))
    others: dict[str, Other | None] = {}
    for kind, known in (("hand", HAND), ("peer", PEER)):
        if compare and game in known:
            others[kind] = _other(kind, game, best["states"], first, timeout_s)
    return Solved(
        game=game,
        states=best["states"],
        moves=best["moves"],
        value=first,
        distance=best["distance"],
        seconds=best["elapsed"],
        cpu_s=best["cpu"],
        exploring_s=best["exploring_seconds"],
        solving_s=best["solving_seconds"],
        peak_bytes=best["peak"],
        kept_bytes=best["bytes"],
        **others,
    )


def _other(
    kind: str, game: str, states: int, value: float | None, timeout_s: float
) -> Other | None:
    command = [sys.executable, "-m", "kibitz.experiments.bench.others", kind, game]
    done = run_json(command, timeout_s)
    if isinstance(done, str) or "states" not in done:
        return None
    agrees = (done["states"], done["value"]) == (states, value)
    name = "by hand" if kind == "hand" else "OpenSpiel"
    return Other(name, done["seconds"], done["cpu_s"], done["states"], agrees)


def run_json(command: Sequence[str], timeout_s: float) -> dict[str, Any] | str:
    """Run a process that writes JSON; add what it used, or return why there is nothing."""
    if not hasattr(os, "wait4"):
        return "this system does not say what a process used"
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        child = start_program(command, stdout=output, stderr=errors, start_new_session=True)
        try:
            while True:
                # Not child.wait(): only wait4 returns what this one process has used.
                number, status, used = os.wait4(child.pid, os.WNOHANG)
                elapsed = time.perf_counter() - start
                if number:
                    child.returncode = os.waitstatus_to_exitcode(status)
                    break
                if elapsed > timeout_s:
                    return f"it needs more than {timeout_s:g} s; allow more time with --timeout"
                time.sleep(_POLL_S)
        finally:
            child.kill()
            child.wait()
        output.seek(0)
        errors.seek(0)
        written, said = output.read(), errors.read().decode(errors="replace").strip().splitlines()
    if child.returncode:
        return said[-1] if said else f"the process ended with status {child.returncode}"
    result = json.loads(written) or {}
    peak = used.ru_maxrss if sys.platform == "darwin" else used.ru_maxrss * 1024
    return {**result, "elapsed": elapsed, "cpu": used.ru_utime + used.ru_stime, "peak": peak}
