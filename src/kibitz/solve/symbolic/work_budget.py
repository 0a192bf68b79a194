"""A budget of nodes and seconds for work on decision diagrams, and its use."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from oxidd.bcdd import BCDDManager as Manager
from oxidd.util import DDMemoryError

from kibitz.budget import Budget, time_left
from kibitz.errors import BudgetExceededError

__all__ = ["NODE_BYTES", "Progress", "Work", "nodes_within"]

Progress = Callable[[str], None]
"""Called now and then with how far the work has come."""

_MOST_CACHED = 1 << 22
"""Results that are cached; the table is allocated at once, so more make every start slow."""
NODE_BYTES = 64
"""The bytes of a node with its share of tables and caches."""


def nodes_within(size: int) -> int:
    """Return how many nodes fit into a number of bytes."""
    return min(size // NODE_BYTES, 1 << 30)


class Work:
    """Watches one piece of work; `tick` is called between operations."""

    def __init__(self, nodes: int, seconds: float, progress: Progress | None = None) -> None:
        self.nodes, self.seconds = nodes, seconds
        self.start = time.monotonic()
        self.deadline = self.start + seconds
        self.done = ""
        self._progress = progress

    def manager(self) -> Manager:
        """Make a manager of diagrams that respects the budget of nodes."""
        return Manager(self.nodes, max(1 << 16, min(self.nodes // 4, _MOST_CACHED)), 1)

    def tick(self) -> None:
        """Raise BudgetExceededError if time is up."""
        if time.monotonic() > self.deadline or time_left() <= 0:
            raise Budget(self.seconds).exceeded("time", self._so_far())

    def report(self, done: str) -> None:
        """Report how far the work has come."""
        self.done = done
        if self._progress:
            self._progress(done)

    @contextmanager
    def bounded(self, doing: str) -> Iterator[None]:
        """Turn running out of nodes into an error that says what was being done."""
        self.report(doing)
        try:
            yield
        except DDMemoryError:
            raise BudgetExceededError(
                f"{self._so_far()} needs more than {self.nodes:,} nodes",
                hint="allow more memory with --memory, or solve it explicitly",
                options=["--memory"],
            ) from None

    def _so_far(self) -> str:
        return self.done or "this"
