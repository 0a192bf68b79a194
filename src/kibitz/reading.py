"""Read what strangers wrote: regular files of bounded size, within a bound of memory."""

from __future__ import annotations

import functools
import os
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ParamSpec, TypeVar

from kibitz.budget import Budget, bytes_held
from kibitz.errors import InputError

__all__ = ["MOST_BYTES", "bounded", "decoded", "limit_reading", "read_bytes", "read_text"]

P = ParamSpec("P")
T = TypeVar("T")

MOST_BYTES = 50_000_000
"""The largest file that is read."""

_budget = Budget()
_lock = threading.Lock()
_inside = 0


def read_bytes(path: str | Path, *, most: int = MOST_BYTES) -> bytes:
    """Read a regular file, or the null device; raise InputError for what is larger or else.

    >>> read_bytes("/dev/zero")
    Traceback (most recent call last):
    kibitz.errors.InputError: cannot read /dev/zero: it is not a file of text or data
      hint: - reads from stdin, where a command takes it
    """
    try:
        # A pipe that nobody writes to must not be waited for.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY)
        with open(handle, "rb") as stream:
            if not stat.S_ISREG(os.fstat(handle).st_mode) and str(path) != os.devnull:
                raise InputError(
                    f"cannot read {path}: it is not a file of text or data",
                    hint="- reads from stdin, where a command takes it",
                )
            data = stream.read(most + 1)
    except (OSError, ValueError) as error:  # such as a name with a zero byte
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', '') or error}") from None
    if len(data) > most:
        raise InputError(f"{path} has more than {most:,} bytes")
    return data


_BINARY = getattr(os, "O_BINARY", 0)


def read_text(path: str | Path, *, most: int = MOST_BYTES) -> str:
    """Read a regular file of text, as `read_bytes` does."""
    return decoded(read_bytes(path, most=most), path)


def decoded(data: bytes, name: str | Path) -> str:
    """Return bytes as text; raise InputError where they are none.

    >>> decoded(b"one", "file")
    'one'
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: byte {error.start} is not UTF-8 text") from None


def limit_reading(size: float) -> None:
    """Let whatever is `bounded` in this process have so many bytes beside what it holds."""
    global _budget
    _budget = Budget(bytes=int(size))


def bounded(doing: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Make a function that reads a text end with BudgetExceededError if it takes too much memory.

    Every notation has its reader, and each of them is bounded by this.

    >>> bounded("reading")(int)("7")
    7
    """

    def made(read: Callable[P, T]) -> Callable[P, T]:
        @functools.wraps(read)
        def within(*args: P.args, **options: P.kwargs) -> T:
            budget = _budget
            try:
                with _gate(budget.bytes):
                    return read(*args, **options)
            except MemoryError:
                pass  # What was read is freed before the error is made.
            raise budget.exceeded("memory", doing)

        return within

    return made


@contextmanager
def _gate(size: int) -> Iterator[None]:
    """Bound the address space of this process, unless that is done already."""
    global _inside
    try:
        import resource
    except ImportError:  # Windows
        yield
        return
    with _lock:
        _inside += 1
        if _inside == 1:
            soft, hard = _limits[:] = resource.getrlimit(resource.RLIMIT_AS)
            wanted = bytes_held() + size
            with suppress(OSError, ValueError):  # macOS
                if soft == resource.RLIM_INFINITY or wanted < soft:
                    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                with suppress(OSError, ValueError):
                    resource.setrlimit(resource.RLIMIT_AS, (_limits[0], _limits[1]))


_limits = [0, 0]
"""Those to go back to."""
