"""How many threads to use."""

from __future__ import annotations

import os

__all__ = ["thread_count"]


def thread_count(asked: int | None = None) -> int:
    """Give the number asked for, or the number of processors this process may use."""
    if asked is not None:
        return max(1, asked)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
