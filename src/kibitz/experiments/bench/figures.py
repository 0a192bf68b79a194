"""Benchmark figures of a game."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from kibitz.experiments.bench.references import Reference


@dataclass(frozen=True, slots=True)
class Size:
    """A game that was grounded: its network, a state's bytes, and how long it took."""

    gates: int
    fluents: int
    moves: int
    state_bytes: int
    grounding_s: float


@dataclass(frozen=True, slots=True)
class Speed:
    """States a second, each the best of a few windows.

    `per_cpu_second` and `per_second` are of one thread, by its processor time and by the clock;
    the other two are of all threads together.
    """

    per_cpu_second: float
    per_second: float
    all_threads_per_cpu_second: float
    all_threads_per_second: float

    @property
    def speed_up(self) -> float:
        """How many times faster all threads are than one, by the clock."""
        return self.all_threads_per_second / self.per_second


@dataclass(frozen=True, slots=True)
class Yardstick:
    """States per CPU-second of code written by hand, in windows between the engine's.

    `perft_agrees` says whether it counted the same states; the game is another one if not.
    """

    name: str
    playouts: float
    perft: float
    numpy_playouts: float
    perft_agrees: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """How a game was set up, and how fast it runs; `size` is None where it runs ungrounded.

    Set-up is from the text of the rules to a game that can be stepped, by the clock; *cold*
    compiles native code, *warm* finds it in the cache. Memory is the peak of the whole process.
    """

    game: str
    machine: str
    size: Size | None
    setup_cold_s: float
    setup_warm_s: float
    threads: int
    playouts: Speed
    mean_length: float | None
    perft: Speed
    perft_depth: int
    perft_states: int
    perft_made: int
    playouts_peak_bytes: int
    perft_peak_bytes: int
    yardstick: Yardstick | None = None
    reference: Reference | None = None

    @property
    def playouts_to_sancho(self) -> float | None:
        """How many times as fast as Sancho's playouts ours are."""
        sancho = self.reference and self.reference.sancho
        return self.playouts.per_cpu_second / sancho if sancho else None

    @property
    def perft_made_per_cpu_second(self) -> float:
        """States that perft makes in a CPU-second; it counts the last layer without making it."""
        return self.perft.per_cpu_second * self.perft_made / self.perft_states

    @property
    def perft_to_sancho(self) -> float | None:
        """How many times as many states as Sancho's playouts our perft makes.

        Sancho has no perft, and its playouts make every state that they count.
        """
        sancho = self.reference and self.reference.sancho
        return self.perft_made_per_cpu_second / sancho if sancho else None


@dataclass(frozen=True, slots=True)
class Failure:
    """A game that could not be measured, and why."""

    game: str
    reason: str


def geometric_mean(values: Iterable[float]) -> float:
    """Return the geometric mean of positive numbers; of none it is not a number.

    >>> round(geometric_mean([1, 10, 100]), 6)
    10.0
    """
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan
