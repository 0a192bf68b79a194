"""The memory of the page and of the processes that work for it, as measured, and its bound.

A process takes memory faster than it can be asked how much it has, so work begins to end at a share
of the bound. Where the system does not say what a process has, nothing is bounded here.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import math
import os
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Protocol
from weakref import WeakSet

from kibitz.budget import Budget
from kibitz.errors import BudgetExceededError

__all__ = ["MEMORY", "Memory", "trim"]

_SHARE, _PART = 0.8, 0.3
_LOOK_S = 0.1
_LEAST = 50_000_000
"""What work in a child needs to begin."""
_HINT = "try again when less is at work, or allow more with kibitz web --memory"


class Spares(Protocol):
    """What keeps things that nobody may need."""

    def forget_one(self) -> bool:
        """Forget what was not used for longest; return whether there was anything."""


class Memory:
    """Keeps the server and its children under a bound.

    What nobody needs now is forgotten first; then the child that has most is ended.

    >>> memory = Memory(2_000_000_000_000)
    >>> memory.within(Budget(bytes=10**15)).bytes < 2_000_000_000_000
    True
    """

    def __init__(self, bound: float = math.inf) -> None:
        self.bound = bound
        self.spares: WeakSet[Spares] = WeakSet()
        self._lock = threading.Lock()
        self._looked = 0.0
        self._ending = 0

    def within(self, budget: Budget) -> Budget:
        """Return what a child may use: no more than is left beside what the server holds.

        Things are forgotten for it until that is a part of the bound.
        """
        if math.isinf(self.bound):
            return budget
        wanted = min(budget.bytes, _PART * self.bound)
        with self._lock:
            left = _SHARE * self.bound - self._forget(_SHARE * self.bound - wanted)
        if left >= budget.bytes:
            return budget
        if left < _LEAST:
            raise BudgetExceededError("the page has no memory left", hint=_HINT)
        return replace(budget, bytes=int(left))

    def check(self, child: int = 0) -> None:
        """Keep to the bound; raise BudgetExceededError if that takes the end of this child."""
        if math.isinf(self.bound):
            return
        with self._lock:
            if time.monotonic() > self._looked + _LOOK_S:
                self._look()
                self._looked = time.monotonic()
            if child and child == self._ending:
                raise BudgetExceededError("the page has no memory left for this", hint=_HINT)

    def _look(self) -> None:
        held = _held_by_children()
        if self._ending in held:  # it is about to go
            return
        self._ending = 0
        most = _SHARE * self.bound - sum(held.values())
        if self._forget(most) > most and held:
            self._ending = max(held, key=held.__getitem__)

    def _forget(self, most: float) -> int:
        """Forget things until the server has no more than this, and return what it has."""
        own = _resident(os.getpid())
        while own > most and any(spare.forget_one() for spare in list(self.spares)):
            trim()
            own = _resident(os.getpid())
        return own


MEMORY = Memory()
"""That of this process; a server gives it its bound."""


def trim() -> None:
    """Free what refers to itself, and give free memory back to the system."""
    gc.collect()
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):  # a C library that has no such call
            ctypes.CDLL(None).malloc_trim(0)


def _held_by_children() -> dict[int, int]:
    """Return how much memory each child has, together with its own children."""
    return {child: sum(map(_resident, _family(child))) for child in _children(os.getpid())}


def _family(process: int) -> list[int]:
    return [process, *(one for child in _children(process) for one in _family(child))]


def _children(process: int) -> list[int]:
    """Return the children that the threads of a process have started."""
    found: list[int] = []
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # the thread has ended
            found += map(int, file.read_text("ascii").split())
    return found


def _resident(process: int) -> int:
    """Return the bytes of memory that a process has; of what it shares, its part."""
    with contextlib.suppress(OSError):  # it has ended, or not on Linux
        for line in Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0
