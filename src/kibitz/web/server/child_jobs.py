"""Work for the page in child processes, so that it can be ended at once and is bounded.

A child begins as a copy of the server, with all its games. It must not wait for what another
thread of the server held when it was made: the compilers' locks are taken first, no child is made
while a module is being imported, and what the child does uses no lock of a session.
"""

from __future__ import annotations

import contextlib
import math
import os
import stat
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from kibitz.budget import Budget, run_watched
from kibitz.web.server.memory import MEMORY
from kibitz.web.server.work_slots import check_departure

__all__ = ["in_child", "is_child"]

T = TypeVar("T")
Report = Callable[[str], None]

_parent: list[int] = []
"""The server, in a child of it."""

_IMPORT_S = 20.0
_LOOK_S = 0.005


def in_child(
    work: Callable[[Report], T],
    *,
    budget: Budget,
    doing: str,
    report: Report = lambda _news: None,
    check: Callable[[], None] | None = None,
) -> T:
    """Do some work in a child of the server; its memory counts from what the server has now.

    It ends with the visitor who asked, and when the page needs its memory.

    >>> in_child(lambda report: 6 * 7, budget=Budget(seconds=5), doing="counting")
    42
    """
    _hold_compilers()
    child, server = 0, os.getpid()

    def alone(report: Callable[[Any], None]) -> T:
        if os.getpid() != server:  # as it is where nothing forks
            report(os.getpid())
            _parent.append(server)
            MEMORY.bound = math.inf
        _close_sockets()
        return work(report)

    def hear(news: Any) -> None:
        nonlocal child
        if isinstance(news, int):
            child = news
        else:
            report(news)

    def look() -> None:
        if check:
            check()
        check_departure()
        MEMORY.check(child)

    return run_watched(MEMORY.within(budget), alone, report=hear, check=look, doing=doing)


def is_child() -> bool:
    """Return whether this process is a child of the server, within its budget."""
    return bool(_parent)


def _close_sockets() -> None:
    """Close the server's connections, which would stay open as long as the child lives."""
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc/self/fd"):
            with contextlib.suppress(OSError):
                if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                    os.close(int(name))


@cache
def _hold_compilers() -> None:
    """Ensure from now on that no thread compiles or imports anything while a child is made."""
    if not hasattr(os, "register_at_fork"):  # Where nothing forks, all work stays in this process.
        return
    held = threading.local()

    def acquire() -> None:
        deadline = time.monotonic() + _IMPORT_S
        while True:
            held.locks = _compiler_locks()
            for lock in held.locks:
                lock.acquire()
            if not _is_importing() or time.monotonic() > deadline:
                return
            release()  # an import may compile
            time.sleep(_LOOK_S)

    def release() -> None:
        for lock in reversed(held.locks):
            lock.release()

    os.register_at_fork(before=acquire, after_in_parent=release, after_in_child=release)


def _is_importing() -> bool:
    """Return whether another thread imports a module; a child that needs it would wait forever."""
    locks = getattr(sys.modules["_frozen_importlib"], "_module_locks", {})
    own = threading.get_ident()
    found = [lock() for lock in list(locks.values())]
    return any(lock is not None and lock.owner not in (None, own) for lock in found)


def _compiler_locks() -> list[Any]:
    """Return the locks in the order in which a thread that compiles takes them."""
    locks: list[Any] = []
    if "kibitz.core" in sys.modules:
        locks.append(sys.modules["kibitz.core"].COMPILING)
    if "numba.core.compiler_lock" in sys.modules:
        locks.append(sys.modules["numba.core.compiler_lock"].global_compiler_lock._lock)
    if "llvmlite.binding.ffi" in sys.modules:
        locks.append(sys.modules["llvmlite.binding.ffi"].lib._lock._lock)
    return locks
