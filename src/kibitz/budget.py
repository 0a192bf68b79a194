"""Run a function within bounds of time and memory: its result, or BudgetExceededError.

Rule sheets come from strangers, and the native code that works on them (clingo's grounder above
all) can neither be interrupted from Python nor limited to a number of bytes. So such work runs in a
child process with its own limits, which is ended when it exceeds them or when the parent is
interrupted.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar, cast

from kibitz.errors import BudgetExceededError, KibitzError, internal_error
from kibitz.processes import fork

__all__ = [
    "Budget",
    "Stopwatch",
    "available_bytes",
    "bytes_held",
    "is_over",
    "limit_command",
    "limited_to",
    "run_watched",
    "run_within",
    "stopped",
    "time_left",
    "time_to_work",
]

T = TypeVar("T")
Report = Callable[[str], None]
Answer = tuple[str, object]

_HEAD = 8
_CHECK_S = 0.05
_SAMPLE_S = 0.1
_MOST_WAITING = 0.5
"""The largest share of the time that is not counted: work ends after twice its time at last."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a piece of work may use: seconds, as a Stopwatch counts them, and bytes.

    The bytes come on top of what the process that asks for the work already holds.

    Work that limits its memory itself may reserve `reserve` times as much; the system provides only
    what is used.
    """

    seconds: float = 60.0
    bytes: int = 4_000_000_000
    reserve: int = 1

    def exceeded(self, what: str, doing: str) -> BudgetExceededError:
        """Make the error that says which bound was reached."""
        if what == "time" and _limit:
            if time_left() <= 0:
                return stopped(_limit[0], doing)
            return BudgetExceededError(
                f"{doing} needs more than its share of the {_limit[0]:g} s allowed by --timeout",
                hint="allow more time with --timeout",
                options=["--timeout"],
            )
        bound = (
            f"{round(self.seconds, 2) or self.seconds:g} s"
            if what == "time"
            else f"{self.bytes / 1e9:g} GB"
        )
        option = "--timeout" if what == "time" else "--memory"
        return BudgetExceededError(
            f"{doing} needs more than {bound}",
            hint=f"allow more {what} with {option}",
            options=[option],
        )


class Stopwatch:
    """Counts seconds since it was made, less those in which work waited for a processor.

    The work is that of a process and of the processes that it started. Where the system does not
    say how long they waited, all seconds count, and half of them count always.

    >>> 0 <= Stopwatch().seconds() < 60
    True
    """

    def __init__(self, process: int | None = None) -> None:
        self.process = process or os.getpid()
        self.begin = self._sampled = time.monotonic()
        self._first = _waited(self.process) if process is None else {}
        self._waited: dict[int, float] = dict(self._first)

    def seconds(self) -> float:
        """Return the seconds that count."""
        now = time.monotonic()
        passed = now - self.begin
        if now >= self._sampled + _SAMPLE_S:
            self._sampled = now
            self._waited |= _waited(self.process)
        waited = sum(self._waited.values()) - sum(self._first.values())
        return passed - min(waited, _MOST_WAITING * passed)


def _waited(process: int) -> dict[int, float]:
    """Return how many seconds a process and those that it started have waited for a processor."""
    found: dict[int, float] = {}
    todo = [process]
    while todo:
        number = todo.pop()
        with contextlib.suppress(OSError, ValueError, IndexError):  # It has ended, or not on Linux.
            with open(f"/proc/{number}/schedstat", encoding="ascii") as file:
                found[number] = int(file.read().split()[1]) / 1e9
            with open(f"/proc/{number}/task/{number}/children", encoding="ascii") as file:
                todo += map(int, file.read().split())
    return found


_limit: list[float] = []
"""The seconds that the whole command may take, and when they end; empty if there is no limit."""


def limit_command(seconds: float, begin: float) -> None:
    """Let all work of this process end `seconds` after `begin`, a time of the monotonic clock."""
    _limit[:] = [seconds, begin + seconds]


@contextlib.contextmanager
def limited_to(seconds: float) -> Iterator[None]:
    """Let one of several pieces of work have no more than a share of the command's time."""
    whole = _limit[:]
    if whole:
        _limit[1] = min(whole[1], time.monotonic() + seconds)
    try:
        yield
    finally:
        _limit[:] = whole


def time_left() -> float:
    """Return the seconds that the whole command has left.

    >>> time_left()
    inf
    """
    return _limit[1] - time.monotonic() if _limit else float("inf")


def time_to_work() -> float:
    """Return the seconds left, less a tenth of the whole, which is kept for checking and printing.

    Work that can end with a partial result does so when none are left.

    >>> time_to_work()
    inf
    """
    return time_left() - _limit[0] / 10 if _limit else float("inf")


def stopped(seconds: float, doing: str = "") -> BudgetExceededError:
    """Make the error of a command whose time is over; it says what the command was doing, if known.

    >>> print(stopped(60, "grounding"))
    stopped after 60 s, the time allowed by --timeout: grounding needs more
      hint: allow more time with --timeout
    """
    return BudgetExceededError(
        f"stopped after {seconds:g} s, the time allowed by --timeout"
        + f": {doing} needs more" * bool(doing),
        hint="allow more time with --timeout",
        options=["--timeout"],
    )


def bytes_held() -> int:
    """Return how much memory this process has reserved; a child starts with as much."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # not on Linux
        return 0


def available_bytes() -> int:
    """Return how much memory the system can still give; 4 GB where it does not say.

    >>> available_bytes() > 0
    True
    """
    with contextlib.suppress(OSError, StopIteration, ValueError):
        with open("/proc/meminfo", encoding="ascii") as file:
            line = next(line for line in file if line.startswith("MemAvailable:"))
        return int(line.split()[1]) * 1024
    with contextlib.suppress(AttributeError, OSError, ValueError):  # not on Linux
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    return 4_000_000_000


def run_within(
    budget: Budget, work: Callable[[], T], *, doing: str = "this", grace_s: float = 0.0
) -> T:
    """Call `work` in a child process and return its result, or raise what it raised.

    The child is a fork: it starts at once with everything the parent has, and only its result,
    which is pickled, reaches the parent. Where the system cannot fork, as on Windows, the call is
    made in a thread of this process: its time is bounded, its memory is not.

    Ctrl-C ends the child. With `grace_s` it makes `is_over` true for `work` instead, and what
    `work` then returns within that time is the result.

    >>> run_within(Budget(seconds=5), lambda: 6 * 7)
    42
    >>> run_within(Budget(seconds=0.1), lambda: time.sleep(9), doing="sleeping")
    Traceback (most recent call last):
    kibitz.errors.BudgetExceededError: sleeping needs more than 0.1 s
      hint: allow more time with --timeout
    """
    return run_watched(budget, lambda _report: work(), doing=doing, grace_s=grace_s)


def run_watched(
    budget: Budget,
    work: Callable[[Report], T],
    *,
    report: Report = lambda _news: None,
    check: Callable[[], None] | None = None,
    doing: str = "this",
    grace_s: float = 0.0,
) -> T:
    """Do the same for work that reports its progress and can be cancelled.

    What the work reports in the child is passed to `report` in the parent. `check` is called now
    and then; whatever it raises ends the child at once.

    >>> run_watched(Budget(seconds=5), lambda report: report("half of it"), report=print)
    half of it
    """
    if not hasattr(os, "fork"):
        return _run_in_thread(budget, work, report, check, doing)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # as it is where the caller has closed it
            stream.flush()
    reading, writing = os.pipe()
    # Ctrl-C reaches both processes; it waits until each is ready for it, the child to ignore it.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    child = None
    try:
        child = fork()
        if child == 0:
            try:
                _child(budget, work, reading, writing, may_finish=grace_s > 0)
            finally:  # Without memory what catches errors may fail; this is not the parent.
                os._exit(1)
        os.close(writing)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        held = bytearray()
        try:
            answer = _receive(reading, budget.seconds, report, check, held, Stopwatch(child))
        except KeyboardInterrupt:
            if not grace_s:
                raise
            os.kill(child, signal.SIGINT)
            answer = _receive(reading, grace_s, report, check, held, Stopwatch(child))
            if answer[0] != "result":
                raise
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.close(reading)
        if child is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    match answer:
        case "time" | "memory" as what, _:
            raise budget.exceeded(what, doing)
        case "error", error:
            raise error
        case _, value:
            result: T = value
            return result


def _run_in_thread(
    budget: Budget,
    work: Callable[[Report], T],
    report: Report,
    check: Callable[[], None] | None,
    doing: str,
) -> T:
    """Work in a thread; where its time is over, let it end at its next step in Python."""
    outcome: list[Answer] = []

    def run() -> None:
        try:
            outcome.append(("result", work(report)))
        except MemoryError:
            outcome.append(("memory", None))
        except BaseException as error:
            outcome.append(("error", error))

    worker = threading.Thread(target=run, daemon=True)
    watch = Stopwatch()
    worker.start()
    try:
        while worker.is_alive() and min(budget.seconds - watch.seconds(), time_left()) > 0:
            if check:
                check()
            worker.join(_CHECK_S)
    finally:
        if worker.is_alive() and worker.ident is not None:
            end = ctypes.py_object(SystemExit)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker.ident), end)
    match outcome[0] if outcome else ("time", None):
        case "time" | "memory" as what, _:
            raise budget.exceeded(what, doing)
        case "error", BaseException() as error:
            raise error
        case _, value:
            return cast(T, value)


_asked: list[bool] = []
"""Not empty once this process has been asked to end."""


def is_over(deadline: float) -> bool:
    """Return whether work should end: at a time of the monotonic clock, or when asked to.

    An exception that can be raised at any moment, such as KeyboardInterrupt, would end the process
    inside a callback from native code.

    >>> is_over(time.monotonic() + 60)
    False
    """
    return bool(_asked) or time.monotonic() > deadline or time_left() <= 0


def _child(
    budget: Budget, work: Callable[[Report], object], unused: int, pipe: int, *, may_finish: bool
) -> NoReturn:
    """Work, send the result, and exit without running any of the parent's clean-up."""
    try:
        if may_finish:
            signal.signal(signal.SIGINT, lambda _signal, _frame: _asked.append(True))
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        else:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.close(unused)
        import resource

        for kind, wanted in (
            (resource.RLIMIT_AS, bytes_held() + budget.reserve * budget.bytes),
            (
                resource.RLIMIT_CPU,
                (int(min(budget.seconds, 1e9)) + 2) * (os.cpu_count() or 1),
            ),
        ):
            _, most = resource.getrlimit(kind)  # A limit can be lowered, and not raised again.
            limit = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
            with contextlib.suppress(OSError, ValueError):  # macOS does not limit memory
                resource.setrlimit(kind, (limit, limit))
        try:
            outcome: Answer = ("result", work(lambda news: _send(pipe, ("news", news))))
        except MemoryError:
            outcome = ("memory", None)
        except KibitzError as error:
            outcome = ("error", error)
        _send(pipe, outcome)
        os._exit(0)
    except MemoryError:
        _send(pipe, ("memory", None))
        os._exit(0)
    except BaseException as error:
        if os.environ.get("KIBITZ_DEBUG"):
            import traceback

            traceback.print_exc()
        _send(pipe, ("error", internal_error(error)))
        os._exit(1)


def _send(pipe: int, answer: Answer) -> None:
    """Send a message: its length, then its content."""
    data = pickle.dumps(answer)
    left = memoryview(len(data).to_bytes(_HEAD, "little") + data)
    while left:
        left = left[os.write(pipe, left) :]


def _receive(
    pipe: int,
    seconds: float,
    report: Report,
    check: Callable[[], None] | None,
    held: bytearray,
    watch: Stopwatch,
) -> tuple[str, Any]:
    """Read what the child sends until it is the result; "memory" if it died without one."""
    while True:
        if check:
            check()
        wait = min(seconds - watch.seconds(), time_left())
        pause = min(wait, _CHECK_S if check else _SAMPLE_S)
        ready, _, _ = select.select([pipe], [], [], max(0.0, pause))
        if not ready:
            if wait <= 0:
                return "time", None
            continue
        chunk = os.read(pipe, 1 << 20)
        if not chunk:  # the system refused it memory
            return "memory", None
        held += chunk
        while len(held) >= _HEAD:
            wanted = int.from_bytes(held[:_HEAD], "little")
            if len(held) < _HEAD + wanted:
                break
            answer: tuple[str, Any] = pickle.loads(bytes(held[_HEAD : _HEAD + wanted]))
            if answer[0] != "news":
                return answer
            del held[: _HEAD + wanted]
            report(answer[1])
