"""Explore and solve games on a ray cluster, with every finished layer kept on disk.

Other work may be `spread`: a task that a lost worker or machine had is done again by another one,
so nothing is lost, and since each task has its own seed, results do not depend on who did it.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame, Move, State
from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.gdl import require_gdl1, to_kif
from kibitz.rows import order_rows, row_words
from kibitz.solve.cluster.pool import HerePool, LostWorkerError, Pool, RayPool
from kibitz.solve.cluster.worker import Bounds, Checkpoint, shard_of
from kibitz.solve.methods import Listed, solve_any
from kibitz.solve.retrograde import Solution
from kibitz.space import (
    Column,
    Limits,
    StateSpace,
    Symmetries,
    images_of,
    require_no_stuck,
    rows_of,
)

Progress = Callable[[int, int], None]
_TRIES = 5


@dataclass
class ClusterRun:
    """One exploration on workers, as far as it is finished in a checkpoint."""

    pool: Pool
    checkpoint: Checkpoint
    shards: int
    starts: npt.NDArray[np.uint64]
    report: Progress = lambda _found, _done: None
    limits: Limits = Limits()  # noqa: RUF009 - it is frozen

    def __post_init__(self) -> None:
        self.layers: list[dict[str, Any]] = []
        self.counts: list[list[int]] = []
        self.begin = time.perf_counter()

    @property
    def count(self) -> int:
        """How many states are known."""
        return sum(map(sum, self.counts))

    @property
    def is_layered(self) -> bool:
        """Whether every move leads from one layer to the next."""
        starts = [layer[0] for layer in Bounds.of(self.counts).among_all[1:]]
        return all(
            layer["lowest"] >= start
            for layer, start in zip(self.layers, [*starts, self.count], strict=True)
        )

    def explore(self) -> None:
        """Continue from the last finished layer until nothing new is found."""
        self.counts = [self._seed(self.starts)]
        while sum(self.counts[-1]):
            number = len(self.layers)
            done = self.checkpoint.layer(number)
            self.layers.append(done or self._again(lambda: self._expand(len(self.layers))))
            self.counts.append(self.layers[-1]["next"])
            self.report(self.count, self.count - sum(self.counts[-1]))
            self._check_limits()
        self.counts.pop()

    def _check_limits(self) -> None:
        seconds = time.perf_counter() - self.begin
        if self.count > self.limits.states or seconds > self.limits.seconds:
            raise BudgetExceededError(
                f"the run was ended with {self.count:,} states after {seconds:.0f} s",
                hint="allow more with --max-states or --timeout; with --checkpoint it resumes from "
                "here",
                options=["--max-states", "--timeout"],
            )

    def _seed(self, rows: npt.NDArray[np.uint64]) -> list[int]:
        owner = shard_of(rows, self.shards)
        parts = [rows[owner == shard] for shard in range(self.shards)]
        if self.checkpoint.layer(0) is None:
            for shard, part in enumerate(parts):
                ordered = part[order_rows(part)]
                self.checkpoint.put("states", 0, shard, {"states": ordered})
        return [len(part) for part in parts]

    def _expand(self, number: int) -> dict[str, Any]:
        """Expand a layer, and write its moves and the states of the next to files."""
        pool, shards = self.pool, range(self.shards)
        many = self.shards + 1
        found = [pool.call(s, "expand", number, s, results=many) for s in shards]
        gathered = [
            pool.call(d, "gather", number + 1, d, *(part[1 + d] for part in found), results=many)
            for d in shards
        ]
        after = pool.get([part[0] for part in gathered])
        facts = pool.get([part[0] for part in found])
        bounds = Bounds.of([*self.counts, after])
        linked = [
            pool.call(s, "link", number, s, bounds, *(part[1 + s] for part in gathered))
            for s in shards
        ]
        layer = {
            "next": after,
            "lowest": min(pool.get(linked)),
            "edges": [part["edges"] for part in facts],
            "joints": sorted({word for part in facts for word in part["joints"]}),
            "sums": sorted({total for part in facts for total in part["sums"]}),
            "is_goal_missing": any(part["is_goal_missing"] for part in facts),
            "is_simultaneous": any(part["is_simultaneous"] for part in facts),
        }
        self.checkpoint.finish_layer(number, layer)
        for shard in shards:
            with contextlib.suppress(OSError):
                (self.checkpoint.folder / f"found-{number}-{shard}").unlink()
        return layer

    def value(self, middle: int) -> None:
        """Value all layers from the last to the first; every move leads to the next one."""
        after: list[Any] = []
        for number in reversed(range(len(self.layers))):
            if self.checkpoint.has_values(number, self.shards):
                after = []
                continue

            def attempt(number: int = number) -> list[Any]:
                nonlocal after
                given, after = after, []  # what was lost is read from files
                return self._value(number, middle, given)

            after = self._again(attempt)
            self.report(self.count, sum(map(sum, self.counts[number:])))
            self._check_limits()

    def _value(self, number: int, middle: int, after: list[Any]) -> list[Any]:
        pool, shards = self.pool, range(self.shards)
        if not after:
            after = self._read_values(number + 1)
        first = sum(map(sum, self.counts[: number + 1]))
        valued = [
            pool.call(s, "value", number, s, first, middle, *after, results=2) for s in shards
        ]
        for part in valued:  # one after the other: they need not all be in memory at once
            pool.get([part[0]])
        return [part[0] for part in valued] + [part[1] for part in valued]

    def _read_values(self, number: int) -> list[Any]:
        """Return the values and the distances of a layer from its files."""
        if number == len(self.layers):
            nothing: list[Any] = [np.zeros(0, dtype=np.uint8)] * self.shards
            return nothing + [np.zeros(0, dtype=np.uint16)] * self.shards
        kept = [self.checkpoint.get("values", number, shard)[0] for shard in range(self.shards)]
        return [np.array(part[kind]) for kind in ("value", "distance") for part in kept]

    def _again(self, work: Callable[[], Any]) -> Any:
        """Repeat the work of a lost worker; a layer is done as a whole."""
        for _ in range(_TRIES - 1):
            with contextlib.suppress(LostWorkerError):
                return work()
        return work()


def assemble(
    game: CompiledGame,
    run: ClusterRun,
    *,
    symmetries: Symmetries | None,
    seconds: float,
    spill: str | Path | None = None,
) -> StateSpace:
    """Read all states and moves of a finished run; what is too large goes to `spill`."""
    states, edges = run.count, sum(sum(layer["edges"]) for layer in run.layers)
    joints = sorted({word for layer in run.layers for word in layer["joints"]})
    words = row_words(game.program.layout.fluent_count)
    columns = {
        "states": (Column(np.uint64, words), states),
        "first_edge": (Column(np.int64), states + 1),
        "target": (Column(np.uint32), edges),
        "action": (Column(np.uint16), edges),
        "turn": (Column(np.int8), states),
        "terminal": (Column(np.bool_), states),
        "goals": (Column(np.int8, len(game.roles)), states),
    }
    size = sum(length * column.row_bytes for column, length in columns.values())
    for column, length in columns.values():
        if spill is not None and size > run.limits.bytes:
            column.move_to(spill)
        column.resize(length)
    arrays = {name: column.array for name, (column, _) in columns.items()}
    state = edge = 0
    for number in range(len(run.layers)):
        for shard in range(run.shards):
            rows = run.checkpoint.get("states", number, shard)[0]["states"]
            part, _ = run.checkpoint.get("moves", number, shard)
            end, last = state + len(rows), edge + len(part["target"])
            arrays["states"][state:end] = rows
            arrays["first_edge"][state:end] = part["first_edge"][:-1] + edge
            arrays["target"][edge:last] = part["target"]
            codes = np.searchsorted(np.array(joints, dtype=np.uint64), part["joints"])
            arrays["action"][edge:last] = codes.astype(np.uint16)[part["action"]]
            for name in ("turn", "terminal", "goals"):
                arrays[name][state:end] = part[name]
            state, edge = end, last
    arrays["first_edge"][-1] = edges
    return StateSpace(
        game=game,
        **arrays,
        joint_moves=tuple(_joint(game, word) for word in joints),
        layers=(0, *accumulate(map(sum, run.counts[:-1]))),
        is_layered=run.is_layered,
        stopped=None,
        symmetries=symmetries if symmetries and symmetries.generators else None,
        seconds=seconds,
    )


def read_values(run: ClusterRun) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint16]]:
    """Read the values and distances of all states."""
    parts = [
        run.checkpoint.get("values", number, shard)[0]
        for number in range(len(run.layers))
        for shard in range(run.shards)
    ]
    return (
        np.concatenate([part["value"] for part in parts]),
        np.concatenate([part["distance"] for part in parts]),
    )


def in_cluster_order(space: StateSpace) -> StateSpace:
    """Number the states and joint moves of a space as a run on a cluster does.

    Within a layer, states are ordered by their hashes, and joint moves by their moves.
    """
    ends = [*space.layers[1:], len(space)]
    order = np.concatenate(
        [a + order_rows(space.states[a:b]) for a, b in zip(space.layers, ends, strict=True)]
    )
    rank = np.empty(len(order), dtype=np.uint32)
    rank[order] = np.arange(len(order), dtype=np.uint32)
    counts = np.diff(space.first_edge)[order]
    first_edge = np.concatenate([[0], np.cumsum(counts)])
    edges = np.repeat(space.first_edge[:-1][order] - first_edge[:-1], counts)
    edges += np.arange(space.edges)
    words = [_word(space.game, joint) for joint in space.joint_moves]
    named = sorted(range(len(words)), key=words.__getitem__)
    code = np.empty(len(words), dtype=np.uint16)
    code[named] = np.arange(len(words), dtype=np.uint16)
    return replace(
        space,
        states=space.states[order],
        first_edge=first_edge,
        target=rank[space.target[edges]],
        action=code[space.action[edges]],
        joint_moves=tuple(space.joint_moves[i] for i in named),
        turn=space.turn[order],
        terminal=space.terminal[order],
        goals=space.goals[order],
    )


def _joint(game: CompiledGame, word: int) -> tuple[Move, ...]:
    """Read the moves of each role off the word that stands for a joint move."""
    bits, moves = game.machine.bits, game.network.moves
    return tuple(moves[r][word >> bits * r & ((1 << bits) - 1)] for r in range(len(moves)))


def _word(game: CompiledGame, joint: tuple[Move, ...]) -> int:
    bits = game.machine.bits
    places = [moves.index(move) for moves, move in zip(game.network.moves, joint, strict=True)]
    return sum(place << bits * role for role, place in enumerate(places))


def explore_on_cluster(
    game: CompiledGame,
    *,
    cluster: str = "auto",
    checkpoint: str | Path | None = None,
    starts: Sequence[State] = (),
    symmetries: Symmetries | None = None,
    limits: Limits | None = None,
    spill: str | Path | None = None,
    shards: int | None = None,
    progress: Progress | None = None,
) -> StateSpace:
    """Explore a game on a cluster: `auto` for this machine, `here` for this process, an address.

    Every finished layer is kept in the folder `checkpoint`, which all machines of the cluster must
    see; a run with the same folder continues from there. Limits are checked after each layer.
    Arrays of the space that would take more bytes than allowed are put into files in the folder
    `spill`. Each layer is split into `shards`, a power of two; a worker holds one at a time.

    >>> from kibitz.games import load_sheet
    >>> len(explore_on_cluster(CompiledGame(load_sheet("nim:1,2")), cluster="here"))
    8
    """
    begin = time.perf_counter()
    with _run(game, cluster, checkpoint, starts, symmetries, shards) as run:
        run.report, run.limits = progress or run.report, limits or run.limits
        run.explore()
        seconds = time.perf_counter() - begin
        return assemble(game, run, symmetries=symmetries, seconds=seconds, spill=spill)


def solve_on_cluster(
    game: CompiledGame,
    *,
    cluster: str = "auto",
    checkpoint: str | Path | None = None,
    starts: Sequence[State] = (),
    symmetries: Symmetries | None = None,
    limits: Limits | None = None,
    spill: str | Path | None = None,
    shards: int | None = None,
    progress: Progress | None = None,
) -> Listed:
    """Explore a game on a cluster, as `explore_on_cluster` does, and solve it.

    Where every move leads from one layer to the next, workers value the states, and each layer of
    values is kept as well; other games are solved in this process.

    >>> from kibitz.games import load_sheet
    >>> solution = solve_on_cluster(CompiledGame(load_sheet("nim:1,2")), cluster="here")
    >>> solution.value()
    {'player1': 100, 'player2': 0}
    """
    begin = time.perf_counter()
    with _run(game, cluster, checkpoint, starts, symmetries, shards) as run:
        run.report, run.limits = progress or run.report, limits or run.limits
        run.explore()
        explored = time.perf_counter()
        total = _total(game, run)
        if total is not None:
            run.value(total // 2)
        valued = time.perf_counter()
        seconds = explored - begin
        space = assemble(game, run, symmetries=symmetries, seconds=seconds, spill=spill)
        if total is None:
            return solve_any(space)
        require_no_stuck(space)
        return Solution(space, *read_values(run), total, valued - explored)


@contextlib.contextmanager
def _run(
    game: CompiledGame,
    cluster: str,
    checkpoint: str | Path | None,
    starts: Sequence[State],
    symmetries: Symmetries | None,
    shards: int | None,
) -> Iterator[ClusterRun]:
    """Start workers, and open the folder of their checkpoint."""
    require_gdl1(game.sheet)
    if shards is not None and shards.bit_count() != 1:
        raise InputError(f"the number of shards is a power of two, not {shards}")
    fluents = [str(fluent) for fluent in game.network.fluents]
    rules, name = to_kif(game.sheet), game.sheet.name
    images = images_of(game, symmetries) if symmetries else []
    rows = rows_of(game, starts or [game.initial()], images)
    facts = {
        "game": name,
        "rules": rules,
        "fluents": fluents,
        "starts": rows.tolist(),
        "is_reduced": bool(images),
    }
    with contextlib.ExitStack() as stack:
        if checkpoint is None:
            checkpoint = stack.enter_context(tempfile.TemporaryDirectory(prefix="kibitz"))
        kept = Checkpoint(Path(checkpoint).absolute())
        pool: Pool
        if cluster == "here":
            shards = kept.open(facts, shards or 2)
            pool = HerePool(rules, name, str(kept.folder), shards, images)
        else:
            # Ray reports lost workers on stdout, where results belong, until it is closed.
            stack.enter_context(contextlib.redirect_stdout(sys.stderr))
            ray = pool = RayPool(cluster)
            stack.callback(ray.close)
            shards = kept.open(facts, shards or 2 << (ray.size - 1).bit_length())
            ray.start(rules, name, str(kept.folder), shards, images)
        for here in pool.get([pool.call(number, "fluents") for number in range(pool.size)]):
            if here != fluents:
                raise KibitzError(
                    f"a worker reads the rules of {name} differently",
                    hint="install the same version of Kibitz on all machines",
                )
        yield ClusterRun(pool, kept, shards, rows)


def _total(game: CompiledGame, run: ClusterRun) -> int | None:
    """Return the sum of goals if one sweep over the layers solves the game."""
    is_plain = run.is_layered and len(game.roles) <= 2
    if not is_plain or any(x["is_goal_missing"] or x["is_simultaneous"] for x in run.layers):
        return None
    if len(game.roles) == 1:
        return 100
    sums = {total for layer in run.layers for total in layer["sums"]}
    return sums.pop() if len(sums) == 1 else None


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
