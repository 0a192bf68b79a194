"""Messages to a process that measures, and its replies."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.experiments.bench.figures import Failure, Figures


@dataclass(frozen=True, slots=True)
class Task:
    """Measurement to run: how long set-up takes, or all the rest if that is known already."""

    game: str
    text: str
    seconds: float
    windows: int
    timeout_s: float
    yardstick: str | None = None
    setup: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class TaskResult:
    """One of the three."""

    setup_s: float | None = None
    figures: Figures | None = None
    failure: Failure | None = None
