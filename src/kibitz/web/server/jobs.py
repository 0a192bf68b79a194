"""Run long work as jobs within slots and bounds of memory.

A process takes memory faster than it can be asked how much it has, so work begins to end at a share
of the bound. Where the system does not say what a process has, nothing is bounded here.

Jobs run in threads, which mostly wait for a child process or for native code, so that others go on.
A cancelled job ends at once for its visitor. Its child is ended within a tenth of a second, and so
is the listing of states; a thread in native code ends when it next reports or checks.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import itertools
import math
import os
import secrets
import sys
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol
from weakref import WeakSet

from kibitz.budget import Budget
from kibitz.errors import BudgetExceededError, InputError, KibitzError, internal_error
from kibitz.wording import counted

visitor: ContextVar[str] = ContextVar("visitor", default="")
"""Who asks: the address that a request came from."""

departure: ContextVar[threading.Event | None] = ContextVar("departure", default=None)
"""Set when the visitor who asks has gone; None for work that nobody waits for."""

_PATIENCE_S = 60.0
_LOOK_S = 0.2


class CancelledError(KibitzError):
    """Raised inside work that must end."""


def check_departure() -> None:
    """Raise CancelledError where the visitor who asked has gone."""
    gone = departure.get()
    if gone is not None and gone.is_set():
        raise CancelledError("the visitor has gone")


class Places:
    """Limits how many work at a time, in all and of each visitor; others wait for a while.

    Some requests of a visitor may wait, for a page sends several at once; more are refused.

    >>> places = Places(3, each=2, patience_s=0)
    >>> with places.take(), places.take():
    ...     with places.take():
    ...         pass
    Traceback (most recent call last):
    kibitz.errors.BudgetExceededError: you have 2 games or questions at work
      hint: wait for them, and try again
    """

    def __init__(
        self, total: int, *, each: int, waiting: int = 12, patience_s: float = _PATIENCE_S
    ) -> None:
        self.total, self.each, self.patience_s = total, each, patience_s
        self.waiting = waiting
        self._taken: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()
        self._changed = threading.Condition()

    @contextmanager
    def take(self) -> Iterator[None]:
        """Wait for a place for a while; raise BudgetExceededError if there is none."""
        who = visitor.get()
        with self._changed:
            self._wait(who)
            self._taken[who] += 1
        try:
            yield
        finally:
            with self._changed:
                self._taken[who] -= 1
                self._taken += Counter()  # Forget who has none.
                self._changed.notify_all()

    def _wait(self, who: str) -> None:
        if self._is_free(who):
            return
        if self._waiting[who] >= self.waiting:
            raise self._refusal(who)
        self._waiting[who] += 1
        try:
            end = time.monotonic() + self.patience_s
            while not self._changed.wait_for(lambda: self._is_free(who), _LOOK_S):
                check_departure()
                if time.monotonic() > end:
                    raise self._refusal(who)
        finally:
            self._waiting[who] -= 1
            self._waiting += Counter()  # Forget who has none.

    def _is_free(self, who: str) -> bool:
        return self._taken.total() < self.total and self._taken[who] < self.each

    def _refusal(self, who: str) -> BudgetExceededError:
        if self._taken[who] >= self.each:
            return BudgetExceededError(
                f"you have {self.each} games or questions at work",
                hint="wait for them, and try again",
            )
        return BudgetExceededError("too many visitors are at work", hint="try again in a minute")


_SHARE, _PART = 0.8, 0.3
_MEMORY_LOOK_S = 0.1
_LEAST = 50_000_000
"""What work in a child needs to begin."""
_HINT = "try again when less is at work, or allow more with kibitz web --memory"


class Spares(Protocol):
    """Cache of entries that may no longer be needed."""

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
            if time.monotonic() > self._looked + _MEMORY_LOOK_S:
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


Status = Literal["waiting", "running", "done", "failed", "cancelled"]
Report = Callable[[str], None]

_MOST_KEPT = 200
_MOST_WAITING = 24
_JOB_LOOK_S = 0.05


@dataclass(frozen=True, slots=True)
class JobView:
    """A job as programs see it; `partial` is what some jobs know before they end."""

    id: str
    kind: str
    game: str
    status: Status
    progress: str
    seconds: float
    partial: Any = None
    result: Any = None
    error: str = ""
    hint: str = ""


def page_hint(error: KibitzError) -> str:
    """Return what a visitor may do about an error; options of commands are not for the page."""
    if isinstance(error, BudgetExceededError) and error.options:
        return "that is the budget of this page; the command line allows more"
    return error.hint


class Job:
    """One piece of work; `report` is for the work itself, the rest is for those who wait for it."""

    def __init__(self, kind: str, game: str) -> None:
        self.id = secrets.token_urlsafe(9)
        self.kind, self.game, self.visitor = kind, game, ""
        self.status: Status = "waiting"
        self.progress = ""
        self.partial: Any = None
        self.result: Any = None
        self.error: KibitzError | None = None
        self.begin = time.monotonic()
        self.end: float | None = None
        self.version = 0
        self._changed = threading.Condition(threading.RLock())

    @property
    def is_over(self) -> bool:
        """Whether it has ended in any way."""
        return self.status in ("done", "failed", "cancelled")

    def report(self, progress: str) -> None:
        """Report progress; raise CancelledError if the job was cancelled."""
        self.check()
        self._set(progress=progress)

    def show(self, partial: Any) -> None:
        """Show what is known by now; raise CancelledError if the job was cancelled."""
        self.check()
        self.partial = partial
        self._set()

    def check(self) -> None:
        """Raise CancelledError if the job was cancelled."""
        if self.status == "cancelled":
            raise CancelledError("cancelled")

    def cancel(self) -> None:
        """Cancel the job: for those who wait at once, for the work when it next checks."""
        self._finish("cancelled")

    def run(self, work: Callable[[Job], Any]) -> None:
        """Do the work in this thread."""
        if self.is_over:
            return
        self._set(status="running")
        try:
            self._finish("done", result=work(self))
        except CancelledError:
            self._finish("cancelled")
        except KibitzError as error:
            self._finish("failed", error=error)
        except MemoryError:
            failure = BudgetExceededError("this needs more memory than there is")
            self._finish("failed", error=failure)
        except Exception as error:
            self._finish("failed", error=internal_error(error))
        finally:
            trim()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until it is over; return whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: self.is_over, timeout_s)

    async def changes(self, heartbeat_s: float = 10.0) -> AsyncIterator[JobView | None]:
        """Walk the views of the job as it changes, the last one last; None now and then.

        No thread waits for it, so that any number may watch.
        """
        seen, sent = -1, time.monotonic()
        while True:
            with self._changed:
                version, view, is_over = self.version, self.view(), self.is_over
            if version != seen:
                seen, sent = version, time.monotonic()
                yield view
            elif time.monotonic() > sent + heartbeat_s:
                sent = time.monotonic()
                yield None
            if is_over:
                return
            await asyncio.sleep(_JOB_LOOK_S)

    def view(self) -> JobView:
        """Describe the job as it is now."""
        return JobView(
            id=self.id,
            kind=self.kind,
            game=self.game,
            status=self.status,
            progress=self.progress,
            seconds=round((self.end or time.monotonic()) - self.begin, 2),
            partial=self.partial,
            result=self.result if self.status == "done" else None,
            error=self.error.message if self.error else "",
            hint=page_hint(self.error) if self.error else "",
        )

    def _finish(
        self, status: Status, *, result: Any = None, error: KibitzError | None = None
    ) -> None:
        """End in one way, the first that comes."""
        with self._changed:
            if self.is_over:
                return
            if error is not None:  # its frames would keep what the work had reached
                error = error.with_traceback(None)
                error.__context__ = error.__cause__ = None
            self.result, self.error, self.end = result, error, time.monotonic()
            self._set(status=status)

    def _set(self, *, status: Status | None = None, progress: str | None = None) -> None:
        with self._changed:
            if self.is_over:
                return
            self.status = status or self.status
            self.progress = self.progress if progress is None else progress
            self.version += 1
            self._changed.notify_all()


class Jobs:
    """All jobs of a server; as many run at a time as there are threads, the others wait.

    A visitor may have `each` of them that are not over.

    >>> jobs = Jobs(threads=1)
    >>> job = jobs.start("count", "none", lambda job: 6 * 7)
    >>> job.wait(5), job.view().status, job.view().result
    (True, 'done', 42)
    """

    def __init__(self, *, threads: int = 6, each: int = _MOST_WAITING) -> None:
        self.each = each
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="kibitz-job")
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()

    def start(self, kind: str, game: str, work: Callable[[Job], Any]) -> Job:
        """Begin a job; raise BudgetExceededError if too many are waiting."""
        job = Job(kind, game)
        job.visitor = visitor.get()
        with self._lock:
            going = [other for other in self._jobs.values() if not other.is_over]
            if sum(other.visitor == job.visitor for other in going) >= self.each:
                raise BudgetExceededError(
                    f"you have {counted(self.each, 'job')} at work", hint="cancel one, or wait"
                )
            if len(going) >= _MOST_WAITING:
                raise BudgetExceededError(
                    "too many jobs are waiting", hint="cancel one, or try again in a minute"
                )
            self._jobs[job.id] = job
            over = (key for key, other in self._jobs.items() if other.is_over)
            excess = max(0, len(self._jobs) - _MOST_KEPT)
            for key in list(itertools.islice(over, excess)):
                del self._jobs[key]
        self._pool.submit(job.run, work)
        return job

    def find(self, key: str) -> Job:
        """Return a job by its id."""
        job = self._jobs.get(key)
        if job is None:
            raise InputError("there is no such job", hint="it may have ended long ago")
        return job

    def close(self) -> None:
        """Cancel everything, and wait for nothing."""
        for job in list(self._jobs.values()):
            job.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)
