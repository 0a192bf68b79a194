"""Explore and solve games on a ray cluster, with every finished layer kept on disk."""

from __future__ import annotations

import contextlib
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from kibitz.engine import CompiledGame, State
from kibitz.errors import InputError, KibitzError
from kibitz.gdl import require_gdl1, to_kif
from kibitz.solve.cluster.assembly import assemble, read_values
from kibitz.solve.cluster.checkpoint import Checkpoint
from kibitz.solve.cluster.driver import ClusterRun, Progress
from kibitz.solve.cluster.pool import HerePool, Pool, RayPool
from kibitz.solve.methods import Listed, solve_any
from kibitz.solve.retrograde import Solution
from kibitz.space import Limits, StateSpace, Symmetries, images_of, require_no_stuck, rows_of

__all__ = ["explore_on_cluster", "solve_on_cluster"]


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
