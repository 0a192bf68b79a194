"""Drive workers from layer to layer, forwards to explore a game and backwards to value it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import BudgetExceededError
from kibitz.rows import order_rows
from kibitz.solve.cluster.checkpoint import Checkpoint
from kibitz.solve.cluster.pool import LostWorkerError, Pool
from kibitz.solve.cluster.worker import Bounds, shard_of
from kibitz.space import Limits

__all__ = ["ClusterRun"]

Progress = Callable[[int, int], None]
_TRIES = 5


@dataclass
class ClusterRun:
    """One exploration on workers, as far as it is finished in a checkpoint."""

    pool: Pool
    checkpoint: Checkpoint
    shards: int
    starts: npt.NDArray[np.uint64]
    report: Progress = lambda _found, _done: None
    limits: Limits = Limits()  # noqa: RUF009 - it is frozen

    def __post_init__(self) -> None:
        self.layers: list[dict[str, Any]] = []
        self.counts: list[list[int]] = []
        self.begin = time.perf_counter()

    @property
    def count(self) -> int:
        """How many states are known."""
        return sum(map(sum, self.counts))

    @property
    def is_layered(self) -> bool:
        """Whether every move leads from one layer to the next."""
        starts = [layer[0] for layer in Bounds.of(self.counts).among_all[1:]]
        return all(
            layer["lowest"] >= start
            for layer, start in zip(self.layers, [*starts, self.count], strict=True)
        )

    def explore(self) -> None:
        """Continue from the last finished layer until nothing new is found."""
        self.counts = [self._seed(self.starts)]
        while sum(self.counts[-1]):
            number = len(self.layers)
            done = self.checkpoint.layer(number)
            self.layers.append(done or self._again(lambda: self._expand(len(self.layers))))
            self.counts.append(self.layers[-1]["next"])
            self.report(self.count, self.count - sum(self.counts[-1]))
            self._check_limits()
        self.counts.pop()

    def _check_limits(self) -> None:
        seconds = time.perf_counter() - self.begin
        if self.count > self.limits.states or seconds > self.limits.seconds:
            raise BudgetExceededError(
                f"the run was ended with {self.count:,} states after {seconds:.0f} s",
                hint="allow more with --max-states or --timeout; with --checkpoint it resumes from "
                "here",
                options=["--max-states", "--timeout"],
            )

    def _seed(self, rows: npt.NDArray[np.uint64]) -> list[int]:
        owner = shard_of(rows, self.shards)
        parts = [rows[owner == shard] for shard in range(self.shards)]
        if self.checkpoint.layer(0) is None:
            for shard, part in enumerate(parts):
                ordered = part[order_rows(part)]
                self.checkpoint.put("states", 0, shard, {"states": ordered})
        return [len(part) for part in parts]

    def _expand(self, number: int) -> dict[str, Any]:
        """Expand a layer, and write its moves and the states of the next to files."""
        pool, shards = self.pool, range(self.shards)
        many = self.shards + 1
        found = [pool.call(s, "expand", number, s, results=many) for s in shards]
        gathered = [
            pool.call(d, "gather", number + 1, d, *(part[1 + d] for part in found), results=many)
            for d in shards
        ]
        after = pool.get([part[0] for part in gathered])
        facts = pool.get([part[0] for part in found])
        bounds = Bounds.of([*self.counts, after])
        linked = [
            pool.call(s, "link", number, s, bounds, *(part[1 + s] for part in gathered))
            for s in shards
        ]
        layer = {
            "next": after,
            "lowest": min(pool.get(linked)),
            "edges": [part["edges"] for part in facts],
            "joints": sorted({word for part in facts for word in part["joints"]}),
            "sums": sorted({total for part in facts for total in part["sums"]}),
            "is_goal_missing": any(part["is_goal_missing"] for part in facts),
            "is_simultaneous": any(part["is_simultaneous"] for part in facts),
        }
        self.checkpoint.finish_layer(number, layer)
        for shard in shards:
            with contextlib.suppress(OSError):
                (self.checkpoint.folder / f"found-{number}-{shard}").unlink()
        return layer

    def value(self, middle: int) -> None:
        """Value all layers from the last to the first; every move leads to the next one."""
        after: list[Any] = []
        for number in reversed(range(len(self.layers))):
            if self.checkpoint.has_values(number, self.shards):
                after = []
                continue

            def attempt(number: int = number) -> list[Any]:
                nonlocal after
                given, after = after, []  # what was lost is read from files
                return self._value(number, middle, given)

            after = self._again(attempt)
            self.report(self.count, sum(map(sum, self.counts[number:])))
            self._check_limits()

    def _value(self, number: int, middle: int, after: list[Any]) -> list[Any]:
        pool, shards = self.pool, range(self.shards)
        if not after:
            after = self._read_values(number + 1)
        first = sum(map(sum, self.counts[: number + 1]))
        valued = [
            pool.call(s, "value", number, s, first, middle, *after, results=2) for s in shards
        ]
        for part in valued:  # one after the other: they need not all be in memory at once
            pool.get([part[0]])
        return [part[0] for part in valued] + [part[1] for part in valued]

    def _read_values(self, number: int) -> list[Any]:
        """Return the values and the distances of a layer from its files."""
        if number == len(self.layers):
            nothing: list[Any] = [np.zeros(0, dtype=np.uint8)] * self.shards
            return nothing + [np.zeros(0, dtype=np.uint16)] * self.shards
        kept = [self.checkpoint.get("values", number, shard)[0] for shard in range(self.shards)]
        return [np.array(part[kind]) for kind in ("value", "distance") for part in kept]

    def _again(self, work: Callable[[], Any]) -> Any:
        """Repeat the work of a lost worker; a layer is done as a whole."""
        for _ in range(_TRIES - 1):
            with contextlib.suppress(LostWorkerError):
                return work()
        return work()
