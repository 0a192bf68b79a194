"""Measure first answers with nothing kept: `python tools/cold_starts.py [--first] [GAME ...]`.

Each game is explained in a new home with empty caches, so that all native code is made again;
without names these are the games whose answers come with Kibitz. The table has seconds by the clock
and CPU-seconds of all processes: to the first output (the rules and the value, or a whole answer
that came with Kibitz), to the first rules for a player (proved or measured, though shorter ones may
follow), and to the end, when such an answer was checked. Clocks mean little on a busy machine. With
--first each command is ended at its first output. It needs Linux.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools.write_answers import names

_TICKS = os.sysconf("SC_CLK_TCK")
_TIMEOUT_S = 900.0
_TITLE = b"\n==="
_ADVICE = re.compile(rb"\n(For .+|.* rules? for .+)\n---|\n[Ff]or .* perfectly, which is proved")
"""What comes before rules for a player: a heading, or a line about rules found so far."""


@dataclass(frozen=True)
class Moment:
    """When something was seen: seconds by the clock, and CPU-seconds, since the start."""

    seconds: float
    cpu_s: float

    def __str__(self) -> str:
        return f"{self.seconds:.1f} | {self.cpu_s:.1f}"


@dataclass(frozen=True)
class ColdStart:
    """How long one command took; where there are no rules for a player, `advice` is None.

    `failure` is the message of a command that failed.
    """

    first: Moment
    advice: Moment | None
    end: Moment
    failure: str = ""


def main(arguments: list[str]) -> None:
    """Print a table."""
    print("| game | first output: s | CPU-s | first rules: s | CPU-s | end: s | CPU-s |")
    print("|---|--:|--:|--:|--:|--:|--:|", flush=True)
    games = [argument for argument in arguments if argument != "--first"]
    failed = False
    for name in games or names():
        found = measure(name, only_first="--first" in arguments)
        if found.failure:
            failed = True
            print(f"| {name} | {found.failure} |", flush=True)
            continue
        advice = "– | –" if found.advice is None else found.advice
        print(f"| {name} | {found.first} | {advice} | {found.end} |", flush=True)
    raise SystemExit(int(failed))


def measure(game: str, *, only_first: bool = False) -> ColdStart:
    """Explain a game in a new home, and look at when its output comes."""
    with tempfile.TemporaryDirectory() as home:
        caches = {"XDG_CACHE_HOME": "cache", "KIBITZ_CACHE": "code"}
        environment = {**os.environ, **{name: f"{home}/{part}" for name, part in caches.items()}}
        command = [str(Path(sys.executable).parent / "kibitz"), "explain", game]
        before = os.times()
        began = time.monotonic()
        process = subprocess.Popen(
            ["timeout", str(_TIMEOUT_S), *command],
            env={**environment, "HOME": home},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        assert process.stdout is not None
        seen = b""
        first = advice = None
        while block := os.read(process.stdout.fileno(), 1 << 20):
            now = Moment(time.monotonic() - began, _cpu_of_session(process.pid))
            seen += block
            first = first or (now if _TITLE in seen else None)
            advice = advice or (now if _ADVICE.search(seen) else None)
            if only_first and first:
                process.terminate()
                break
        process.wait()
        after = os.times()
        used = sum(after[2:4]) - sum(before[2:4])
        end = Moment(time.monotonic() - began, used)
        failed = first is None or (process.returncode != 0 and not only_first)
        lines = seen.decode().strip().splitlines() or [f"exit status {process.returncode}"]
        return ColdStart(first or end, advice, end, lines[0 if first is None else -1] * failed)


def _cpu_of_session(session: int) -> float:
    """Return the CPU-seconds of all processes of a session, and of their children that ended."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))
    return ticks / _TICKS


if __name__ == "__main__":
    main(sys.argv[1:])
