"""Measure the search for the first position of games, beside a search written by hand."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from kibitz.experiments.bench.figures import Failure
from kibitz.experiments.bench.others import HAND_SEARCH
from kibitz.experiments.bench.solve_figures import KIBITZ, Other, run_json
from kibitz.experiments.bench.tables import describe_machine, millions, table

SEARCHED = (
    *("mnk:4,4,4", "hex:4", "domineering:6x6", "chomp:8x8", "connect:4,5x5", "connect:4,6x5"),
    *("connect:4,5x6", "mnk:5,5,4", "hex:5", "breakthrough:5x5"),
)
"""The games that are searched where none is named."""

_SPARE_S = 120.0
"""How much longer than its search a process may take before it is ended."""


@dataclass(frozen=True, slots=True)
class Searched:
    """A first position that was searched: what is known, and what that took in all."""

    game: str
    bounds: tuple[int, int]
    """Between what the first role's goal with best play lies."""
    positions: int
    seconds: float
    cpu_s: float
    peak_bytes: int
    hand: Other | None = None

    @property
    def is_proved(self) -> bool:
        """Whether the value is known."""
        return self.bounds[0] == self.bounds[1]

    @property
    def per_cpu_s(self) -> float:
        """Positions looked at in a second of processor time."""
        return self.positions / self.cpu_s


def measure_proving(
    game: str, *, timeout_s: float = 300.0, memory_gb: float = 4.0
) -> Searched | Failure:
    """Search a game's first position in a process of its own, and by hand in another."""
    limits = ["--timeout", f"{timeout_s:g}", "--memory", f"{memory_gb:g}"]
    command = [*KIBITZ, "solve", game, "--search", "--weak", "--json", *limits]
    done = run_json(command, timeout_s + _SPARE_S)
    if isinstance(done, str):
        return Failure(game, done)
    low, high = next(iter(done["bounds"].values()))
    hand = _by_hand(game, (low, high), timeout_s) if game in HAND_SEARCH else None
    return Searched(
        game, (low, high), done["positions"], done["elapsed"], done["cpu"], done["peak"], hand
    )


def _by_hand(game: str, bounds: tuple[int, int], timeout_s: float) -> Other | None:
    command = [sys.executable, "-m", "kibitz.experiments.bench.others", "search", game]
    done = run_json(command, timeout_s)
    if isinstance(done, str) or "states" not in done:
        return None
    agrees = bounds[0] <= done["value"] <= bounds[1]
    return Other("by hand", done["seconds"], done["cpu_s"], done["states"], agrees)


def proving_tables(results: Sequence[Searched | Failure]) -> str:
    """Return the table of all games.

    >>> other = Other("by hand", 1.0, 1.0, 3_000_000, True)
    >>> found = Searched("g", (50, 100), 8_000_000, 5.0, 10.0, 10**9, other)
    >>> proving_tables([found]).splitlines()[-1].replace(" ", "")
    '|g|50to100|8|5.0|10.0|0.8|1,000|3|1.0||'
    """
    searched = [result for result in results if isinstance(result, Searched)]
    if not searched:
        return "nothing was measured"
    head = ["game", "first role's goal", "M positions", "s", "CPU s", "M a CPU s", "peak MB"]
    head += ["by hand: M positions", "CPU s", "Kibitz to it"]
    rows = []
    for found in searched:
        low, high = found.bounds
        row = [found.game, str(low) if found.is_proved else f"{low} to {high}"]
        row += [millions(found.positions), f"{found.seconds:.1f}", f"{found.cpu_s:.1f}"]
        row += [f"{found.per_cpu_s / 1e6:.2g}", f"{found.peak_bytes / 1e6:,.0f}"]
        hand = found.hand
        if hand is None or not hand.agrees:
            row += ["", "", ""]
        else:
            row += [millions(hand.states), f"{hand.cpu_s:.1f}"]
            row += [f"{found.cpu_s / hand.cpu_s:.1f}" if found.is_proved else ""]
        rows.append(row)
    return f"{describe_machine()}\n\n{table(head, rows)}"


def proving_json(results: Sequence[Searched | Failure]) -> dict[str, Any]:
    """Return everything measured as plain data."""
    return {
        "machine": describe_machine(),
        "games": [
            msgspec.to_builtins(found)
            | {"is_proved": found.is_proved, "positions_per_cpu_second": found.per_cpu_s}
            for found in results
            if isinstance(found, Searched)
        ],
        "failures": [msgspec.to_builtins(r) for r in results if isinstance(r, Failure)],
    }
