"""Compare the speed of this core with that of another checkout of Kibitz, in turns."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import kibitz
from kibitz.experiments.bench import core_windows
from kibitz.experiments.bench.figures import Failure
from kibitz.experiments.bench.tables import describe_machine, table
from kibitz.processes import start_program


@dataclass(frozen=True, slots=True)
class Compared:
    """Work per CPU-second of the other version and of this one, in medians of windows."""

    name: str
    before: float
    now: float
    ratio: float
    """The median of what each window now is to the one before it."""


class _Child:
    """A process that runs windows of one kind with the Kibitz of one checkout."""

    def __init__(self, name: str, checkout: Path) -> None:
        python = checkout / ".venv" / "bin" / "python"
        environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
        self.process = start_program(
            [str(python) if python.exists() else sys.executable, "-P", core_windows.__file__, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self.failure: str | None = self._answer().get("failure")

    def _answer(self) -> Any:
        assert self.process.stdout
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"failure": "the process died"}

    def rate(self, seconds: float) -> float:
        """Run a window and return what was done in a CPU-second."""
        assert self.process.stdin
        self.process.stdin.write(f"{seconds}\n".encode())
        self.process.stdin.flush()
        done, spent = self._answer()
        return float(done) / float(spent)

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


def compare_cores(
    other: Path,
    *,
    only: Sequence[str] = (),
    windows: int = 5,
    seconds: float = 0.5,
    report: Callable[[str], None] = lambda _: None,
) -> list[Compared | Failure]:
    """Measure both versions in turns, where the name contains one of `only`."""
    here = Path(kibitz.__file__).parents[2]
    names = [n for n in core_windows.WINDOWS if not only or any(part in n for part in only)]
    results: list[Compared | Failure] = []
    for number, name in enumerate(names, start=1):
        report(f"{number}/{len(names)} {name}")
        children: list[_Child] = []
        try:
            children = [_Child(name, other), _Child(name, here)]
            failures = [child.failure for child in children if child.failure]
            if failures:
                results.append(Failure(name, failures[0]))
                continue
            rates = [[child.rate(seconds) for child in children] for _ in range(windows)]
            before, now = (statistics.median(column) for column in zip(*rates, strict=True))
            ratio = statistics.median(pair[1] / pair[0] for pair in rates)
            results.append(Compared(name, before, now, ratio))
        finally:
            for child in children:
                child.end()
    return results


def core_table(results: Sequence[Compared | Failure]) -> str:
    """Return a table of millions done in a CPU-second, then what could not be compared.

    >>> print(core_table([Compared("perft", 1e9, 2e9, 2.0)]).splitlines()[-1].split()[-2:])
    ['least', '2.00']
    """
    rows = [
        [r.name, f"{r.before / 1e6:,.4g}", f"{r.now / 1e6:,.4g}", f"{r.ratio:.2f}"]
        for r in results
        if isinstance(r, Compared)
    ]
    lines = [describe_machine(), "", table(["M a CPU s", "before", "now", "ratio"], rows)]
    lines += [f"{r.game}: {r.reason}" for r in results if isinstance(r, Failure)]
    ratios = [r.ratio for r in results if isinstance(r, Compared)]
    if ratios:
        lines += ["", f"median ratio {statistics.median(ratios):.2f}, least {min(ratios):.2f}"]
    return "\n".join(lines)


def core_json(results: Sequence[Compared | Failure]) -> dict[str, Any]:
    """Return everything measured as plain data."""
    return {
        "machine": describe_machine(),
        "compared": [asdict(r) for r in results if isinstance(r, Compared)],
        "failures": [asdict(r) for r in results if isinstance(r, Failure)],
    }
