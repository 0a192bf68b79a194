"""Independent tasks in, their results out, in order: in this process, or spread over a ray cluster.

A task that a lost worker or machine had is done again by another one, so nothing is lost, and since
each task has its own seed, results do not depend on who did it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from kibitz.errors import KibitzError
from kibitz.solve.cluster.pool import LostWorkerError, RayPool

__all__ = ["spread"]

Task = TypeVar("Task")
Result = TypeVar("Result")


def spread(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    *,
    cluster: str | None = None,
    watch: Callable[[Result], None] | None = None,
) -> list[Result]:
    """Do all tasks; `cluster` is auto, an address, or None for this process.

    `work` is a function of a module, and tasks and results can be pickled. `watch` sees results as
    they come.

    >>> spread(len, ["a", "bc"])
    [1, 2]
    """
    results: dict[int, Result] = {}

    def done(number: int, result: Result) -> None:
        results[number] = result
        if watch:
            watch(result)

    if cluster is None:
        for number, task in enumerate(tasks):
            done(number, work(task))
    else:
        pool = RayPool(cluster)
        try:
            _on_ray(pool, work, tasks, done)
        finally:
            pool.close()
    return [results[number] for number in range(len(tasks))]


def _on_ray(
    pool: RayPool,
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    done: Callable[[int, Result], None],
) -> None:
    ray = pool.ray
    remote = ray.remote(work).options(num_cpus=1, max_retries=-1, scheduling_strategy="SPREAD")
    waiting = {remote.remote(task): number for number, task in enumerate(tasks)}
    while waiting:
        ready, _ = ray.wait(list(waiting), num_returns=1)
        for reference in ready:
            number = waiting.pop(reference)
            try:
                done(number, pool.get([reference])[0])
            except LostWorkerError as error:
                hint = "run it again; tasks are independent of one another"
                raise KibitzError(error.message, hint=hint) from None
