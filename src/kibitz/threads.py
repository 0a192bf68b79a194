"""How many threads to use, and a team of threads; native code releases Python's lock."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable
from typing import Any

__all__ = ["ThreadTeam", "thread_count"]

Task = Callable[[int], Any]


def thread_count(asked: int | None = None) -> int:
    """Return the number asked for, or the number of processors this process may use."""
    if asked is not None:
        return max(1, asked)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class ThreadTeam:
    """Threads numbered from 0, the calling thread. The others start when first needed.

    >>> with ThreadTeam(3) as team:
    ...     team.each(lambda number: number * number)
    [0, 1, 4]
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._tasks: list[queue.SimpleQueue[Task | None]] = []
        self._threads: list[threading.Thread] = []
        self._results: queue.SimpleQueue[tuple[int, Any, BaseException | None]]
        self._results = queue.SimpleQueue()

    def __enter__(self) -> ThreadTeam:
        return self

    def __exit__(self, *_: object) -> None:
        for tasks in self._tasks:
            tasks.put(None)
        for thread in self._threads:
            thread.join()
        self._tasks, self._threads = [], []

    def each(self, task: Task) -> list[Any]:
        """Run a task in every thread, with its number; return the results in order of number."""
        if self.size == 1:
            return [task(0)]
        while len(self._tasks) < self.size - 1:
            tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
            number = len(self._tasks) + 1
            thread = threading.Thread(target=self._work, args=(tasks, number), daemon=True)
            thread.start()
            self._tasks.append(tasks)
            self._threads.append(thread)
        for tasks in self._tasks:
            tasks.put(task)
        results: list[Any] = [None] * self.size
        failure: BaseException | None = None
        try:
            results[0] = task(0)
        finally:  # no thread may go on while others still write to shared memory
            for _ in self._tasks:
                number, results[number], error = self._results.get()
                failure = failure or error
        if failure is not None:
            raise failure
        return results

    def _work(self, tasks: queue.SimpleQueue[Task | None], number: int) -> None:
        while (task := tasks.get()) is not None:
            try:
                self._results.put((number, task(number), None))
            except BaseException as error:
                self._results.put((number, None, error))
