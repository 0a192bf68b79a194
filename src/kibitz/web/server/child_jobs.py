"""Run work for the page in child processes that can be ended at once.

What the server has already, such as the game, stays there and is only named in the file.

A child begins as a copy of the server, with all its games. It must not wait for what another
thread of the server held when it was made: the compilers' locks are taken first, no child is made
while a module is being imported, and what the child does uses no lock of a session.
"""

from __future__ import annotations

import contextlib
import io
import math
import mmap
import os
import pickle
import stat
import sys
import threading
import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import IO, Any, TypeVar

from kibitz.budget import Budget, run_watched
from kibitz.errors import KibitzError
from kibitz.web.server.jobs import MEMORY, check_departure

Parcel = tuple[bytes, list[tuple[int, int]]]
"""A pickle, and where in the file each of its arrays begins and ends."""

_ALIGN = 64


def pack(value: object, file: IO[bytes], known: Mapping[str, object]) -> Parcel:
    """Write a value: its arrays to the file, which must be empty, the rest to the parcel.

    >>> import tempfile, numpy
    >>> with tempfile.TemporaryFile() as file:
    ...     parcel = pack({"rows": numpy.arange(3), "of": str}, file, {"text": str})
    ...     unpack(parcel, file, {"text": int})
    {'rows': array([0, 1, 2]), 'of': <class 'int'>}
    """
    stream = io.BytesIO()
    places: list[tuple[int, int]] = []

    def keep(buffer: pickle.PickleBuffer) -> None:
        file.write(bytes(-file.tell() % _ALIGN))
        begin = file.tell()
        file.write(buffer.raw())
        places.append((begin, file.tell()))

    pickler = _Pickler(stream, protocol=5, buffer_callback=keep)
    pickler.names = {id(one): name for name, one in known.items()}
    try:
        pickler.dump(value)
        file.flush()
    except OSError as error:
        raise KibitzError(f"cannot keep the result: {error.strerror or error}") from None
    return stream.getvalue(), places


def unpack(parcel: Parcel, file: IO[bytes], known: Mapping[str, object]) -> Any:
    """Read what `pack` wrote; arrays are mapped, and changes of them stay in this process."""
    data, places = parcel
    mapped: Any = b""
    if any(end for _, end in places):
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    whole = memoryview(mapped)
    unpickler = _Unpickler(io.BytesIO(data), buffers=[whole[begin:end] for begin, end in places])
    unpickler.known = known
    return unpickler.load()


class _Pickler(pickle.Pickler):
    names: Mapping[int, str]

    def persistent_id(self, one: object) -> str | None:
        return self.names.get(id(one))


class _Unpickler(pickle.Unpickler):
    known: Mapping[str, object]

    def persistent_load(self, name: str) -> object:
        return self.known[name]


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
    if "llvmlite.binding.ffi" in sys.modules:
        locks.append(sys.modules["llvmlite.binding.ffi"].lib._lock._lock)
    return locks
