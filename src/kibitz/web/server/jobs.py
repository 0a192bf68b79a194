"""Long work as jobs: each has progress, can be cancelled, and ends with a result or an error.

Jobs run in threads, which mostly wait for a child process or for native code, so that others go on.
A cancelled job ends at once for its visitor. Its child is ended within a tenth of a second, and so
is the listing of states; a thread in native code ends when it next reports or checks.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

from kibitz.errors import BudgetExceededError, InputError, KibitzError, internal_error
from kibitz.web.server.memory import trim
from kibitz.web.server.work_slots import CancelledError, visitor
from kibitz.wording import counted

__all__ = ["CancelledError", "Job", "JobView", "Jobs", "Report", "page_hint"]

Status = Literal["waiting", "running", "done", "failed", "cancelled"]
Report = Callable[[str], None]

_MOST_KEPT = 200
_MOST_WAITING = 24
_LOOK_S = 0.05


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
            await asyncio.sleep(_LOOK_S)

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
