"""Look a few plies ahead from every state at once: minimax over an evaluation, by sweeps.

The value of a search of n plies from a state is, for the first role, the best or worst value of the
searches of n - 1 plies from its successors; so n sweeps over the edges of a StateSpace search from
all of its states. An end within the search counts more than any evaluation, and a nearer end counts
more: the winner prefers short play, and the loser long play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.errors import InputError
from kibitz.solve.retrograde import Solution
from kibitz.space import graph_of
from kibitz.threads import thread_count

Values = npt.NDArray[np.int32]
MoveMask = npt.NDArray[np.bool_]

MOST_REWARD = 1 << 15
"""Evaluations lie between minus this and this."""
END = 1 << 16
"""The value of one point of a goal; more than MOST_REWARD and all plies of a search."""

_SECTION = 1 << 15


def depth_values(solution: Solution, reward: npt.ArrayLike) -> Iterator[Values]:
    """Yield the values of all states for the first role, by searches of 0, 1, 2, … plies.

    `reward` evaluates every state where a search stops, for the first role; it is ignored at ends.
    The arrays are reused: copy those you keep.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("nim:2"))))
    >>> searches = depth_values(solution, [7] * len(solution.space))
    >>> [int(next(searches)[0]) for _ in range(3)]
    [7, 6553599, 6553599]
    """
    space = solution.space
    values = _start(solution, reward)
    graph = graph_of(space)
    spare = np.empty_like(values)
    while True:
        yield values

        def sweep(start: int, stop: int) -> None:
            places = space.turn, MOST_REWARD, values, spare, start, stop  # noqa: B023
            core.function("value_back_up")(graph, *places)

        in_parts(sweep, len(space))
        values, spare = spare, values


def best_moves(
    solution: Solution, reward: npt.ArrayLike, plies: Iterable[int]
) -> dict[int, MoveMask]:
    """Mark, for each number of plies, the edges that a search of that depth finds best.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("nim:1,1,2"))))
    >>> found = best_moves(solution, [0] * len(solution.space), (1, 3))
    >>> {n: int(chosen[: solution.space.first_edge[1]].sum()) for n, chosen in found.items()}
    {1: 4, 3: 1}
    """
    space = solution.space
    wanted = sorted(set(plies))
    if wanted and wanted[0] < 1:
        raise InputError("a search looks at least one move ahead")
    graph = graph_of(space)
    result: dict[int, MoveMask] = {}
    for ahead, values in enumerate(depth_values(solution, reward), start=1):
        if len(result) == len(wanted):
            break
        if ahead in wanted:
            chosen = np.zeros(space.edges, dtype=bool)

            def sweep(start: int, stop: int) -> None:
                places = space.turn, values, chosen, start, stop  # noqa: B023
                core.function("value_mark_best")(graph, *places)

            in_parts(sweep, len(space))
            result[ahead] = chosen
    return result


def in_parts(work: Callable[[int, int], None], count: int, first: int = 0) -> None:
    """Call `work(start, stop)` on sections of a range, on all processors if it is long."""
    threads = thread_count()
    if threads == 1 or count - first <= _SECTION:
        work(first, count)
        return
    size = max(_SECTION, min(1 << 20, -(-(count - first) // threads)))
    with ThreadPoolExecutor(threads) as pool:
        starts = range(first, count, size)
        for _ in pool.map(work, starts, (min(start + size, count) for start in starts)):
            pass


def _start(solution: Solution, reward: npt.ArrayLike) -> Values:
    """Value every state by itself: ends by their goals, others by the reward."""
    space = solution.space
    given = np.asarray(reward)
    if given.shape != (len(space),):
        raise InputError(
            f"a reward has one number for each of the {len(space):,} states, not {given.shape}"
        )
    if len(given) and (given.min() < -MOST_REWARD or given.max() > MOST_REWARD):
        raise InputError(f"rewards must lie between -{MOST_REWARD:,} and {MOST_REWARD:,}")
    values = given.astype(np.int32)
    values[space.first_edge[:-1] == space.first_edge[1:]] = 0
    ends = np.flatnonzero(space.terminal)
    values[ends] = (2 * space.goals[ends, 0].astype(np.int32) - solution.total) * END
    return values
