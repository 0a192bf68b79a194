"""Run a function within bounds of time and memory: its result, or BudgetExceededError.

Rule sheets come from strangers, and the native code that works on them (clingo's grounder above
all) can neither be interrupted from Python nor told to stop at a number of bytes. So such work
runs in a child process with limits of its own, which is ended when it oversteps them or when the
parent is interrupted.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from kibitz.errors import BudgetExceededError, KibitzError, internal_error

__all__ = ["Budget", "run_within"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a piece of work may use."""

    seconds: float = 60.0
    bytes: int = 4_000_000_000

    def exceeded(self, what: str, doing: str) -> BudgetExceededError:
        """Make the error that says which bound was met."""
        bound = f"{self.seconds:g} s" if what == "time" else f"{self.bytes / 1e9:g} GB"
        option = "--timeout" if what == "time" else "--memory"
        return BudgetExceededError(
            f"{doing} needs more than {bound}", hint=f"allow more {what} with {option}"
        )


def run_within(budget: Budget, work: Callable[[], T], *, doing: str = "this") -> T:
    """Call `work` in a child process and give back its result, or raise what it raised.

    The child is a fork: it starts with everything the parent has, at once, and nothing it does
    is seen in the parent but the result, which is pickled. Where the system cannot fork, the call
    is made in this process, unbounded.

    >>> run_within(Budget(seconds=5), lambda: 6 * 7)
    42
    >>> run_within(Budget(seconds=0.1), lambda: time.sleep(9), doing="sleeping")
    Traceback (most recent call last):
    kibitz.errors.BudgetExceededError: sleeping needs more than 0.1 s
      hint: allow more time with --timeout
    """
    if not hasattr(os, "fork"):  # pragma: no cover - not on POSIX
        return work()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # as it is where the caller has closed it
            stream.flush()
    reading, writing = os.pipe()
    # Ctrl-C reaches both processes; it waits until each is ready for it, the child to ignore it.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    child = None
    try:
        child = os.fork()
        if child == 0:
            _child(budget, work, reading, writing)
        os.close(writing)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        answer = _receive(reading, budget.seconds)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.close(reading)
        if child is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    if answer is None:
        raise budget.exceeded("time", doing)
    if not answer:  # The child died without a word: the system refused it memory.
        raise budget.exceeded("memory", doing)
    kind, value = pickle.loads(answer)
    if kind == "memory":
        raise budget.exceeded("memory", doing)
    if kind == "error":
        raise value
    result: T = value
    return result


def _child(budget: Budget, work: Callable[[], object], unused: int, pipe: int) -> NoReturn:
    """Work, send the outcome, and leave without running anything of the parent's."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.close(unused)
        import resource

        for kind, wanted in (
            (resource.RLIMIT_AS, budget.bytes),
            (resource.RLIMIT_CPU, int(budget.seconds) + 2),
        ):
            _, most = resource.getrlimit(kind)  # A limit can be lowered, and not raised again.
            limit = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
            resource.setrlimit(kind, (limit, limit))
        try:
            outcome: tuple[str, object] = ("result", work())
        except MemoryError:
            outcome = ("memory", None)
        except KibitzError as error:
            outcome = ("error", error)
        _send(pipe, pickle.dumps(outcome))
        os._exit(0)
    except MemoryError:
        _send(pipe, pickle.dumps(("memory", None)))
        os._exit(0)
    except BaseException as error:
        if os.environ.get("KIBITZ_DEBUG"):
            import traceback

            traceback.print_exc()
        _send(pipe, pickle.dumps(("error", internal_error(error))))
        os._exit(1)


def _send(pipe: int, data: bytes) -> None:
    with os.fdopen(pipe, "wb") as stream:
        stream.write(data)


def _receive(pipe: int, seconds: float) -> bytes | None:
    """Read all that the child sends, or give None when it takes too long."""
    deadline = time.monotonic() + seconds
    chunks: list[bytes] = []
    while True:
        ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return None
        chunk = os.read(pipe, 1 << 16)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
