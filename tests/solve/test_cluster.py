"""A run on a cluster gives the space and the solution of one process, whatever dies on the way."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from hypothesis import given
from tests.effort import examples
from tests.foreign import FOREIGN, needs_foreign
from tests.random_games import games
from tests.space.test_intake import assert_equal

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, read
from kibitz.rows import hash_rows, order_rows
from kibitz.solve import Listed, Solution, solve, solve_any
from kibitz.solve.cluster import (
    explore_on_cluster,
    in_cluster_order,
    pool as pools,
    solve_on_cluster,
)
from kibitz.solve.cluster.worker import Bounds, Checkpoint, RowSet, Worker, shard_of
from kibitz.solve.solution_file import load_solution, store_solution
from kibitz.space import Limits, explore, find_symmetries

GAMES = ["tictactoe", "nim:1,2,4,5", "threemensmorris", "connect:3,4x4", "kayles", "eightpuzzle"]


def assert_same(one: Listed, other: Solution) -> None:
    assert one.kind == "exact"
    assert_equal(one.space, other.space)
    assert np.array_equal(one.values, other.values)
    assert np.array_equal(one.distance, other.distance)
    assert one.total == other.total


@pytest.fixture(scope="module")
def connect() -> Solution:
    """The solution of connect:3,4x4, numbered as on a cluster."""
    return solve(in_cluster_order(explore(CompiledGame(load_sheet("connect:3,4x4")))))


@pytest.mark.parametrize("name", GAMES)
def test_a_run_by_shards_gives_what_one_process_finds(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    assert_same(solve_on_cluster(game, cluster="here"), solve(in_cluster_order(explore(game))))


@needs_foreign
@pytest.mark.parametrize("name", ["ticTacToe", "knightsTour", "buttons", "blocks"])
def test_foreign_games_are_explored_alike(name: str) -> None:
    game = CompiledGame(read((FOREIGN / "rules" / f"{name}.kif").read_text("utf-8"), name=name))
    limits = Limits(states=20_000)
    whole = explore(game, limits=limits)
    if not whole.is_complete:
        with pytest.raises(BudgetExceededError):
            explore_on_cluster(game, cluster="here", limits=limits)
        return
    assert_equal(explore_on_cluster(game, cluster="here"), in_cluster_order(whole))


@given(games())
@examples(10)
def test_random_games_are_explored_alike(sheet: RuleSheet) -> None:
    game = CompiledGame(sheet)
    found = explore_on_cluster(game, cluster="here", shards=4)
    assert_equal(found, in_cluster_order(explore(game)))


@pytest.mark.parametrize("shards", [1, 4, 16])
def test_nothing_depends_on_the_number_of_shards(shards: int, connect: Solution) -> None:
    game = connect.space.game
    assert_same(solve_on_cluster(game, cluster="here", shards=shards), connect)


def test_a_run_can_start_anywhere_and_keep_one_state_of_each_orbit() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    found = find_symmetries(game)
    start = [game.initial().step(["(mark 1 2)", "noop"])]
    one = explore(game, starts=start, symmetries=found)
    other = explore_on_cluster(game, cluster="here", starts=start, symmetries=found)
    assert_equal(other, in_cluster_order(one))


@pytest.mark.parametrize("name", ["roshambo", "nim:1,2"])
def test_games_of_other_kinds_are_explored_there_and_solved_here(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    alone = solve_any(in_cluster_order(explore(game)))
    there = solve_on_cluster(game, cluster="here")
    assert type(there) is type(alone)
    assert there.as_json() == alone.as_json()


def test_putting_a_space_in_order_changes_its_numbers_alone() -> None:
    space = explore(CompiledGame(load_sheet("threemensmorris")))
    ordered = in_cluster_order(space)
    assert not np.array_equal(ordered.states, space.states)
    where = {row.tobytes(): i for i, row in enumerate(space.states)}
    for number in range(0, len(space), 97):
        old = where[ordered.states[number].tobytes()]
        moves = {joint: space.states[to].tobytes() for joint, to in space.moves(old)}
        assert moves == {j: ordered.states[to].tobytes() for j, to in ordered.moves(number)}


def test_a_run_that_was_ended_goes_on_from_its_last_layer(
    tmp_path: Path, connect: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = connect.space.game
    with pytest.raises(BudgetExceededError, match="with --checkpoint it resumes"):
        solve_on_cluster(game, cluster="here", checkpoint=tmp_path, limits=Limits(states=5000))
    done = len(list(tmp_path.glob("layer-*.json")))
    assert 3 < done < len(connect.space.layers)
    expanded: list[int] = []
    plain = Worker.expand

    def watched(self: Worker, layer: int, shard: int) -> tuple[Any, ...]:
        expanded.append(layer)
        return plain(self, layer, shard)

    monkeypatch.setattr(Worker, "expand", watched)
    assert_same(solve_on_cluster(game, cluster="here", checkpoint=tmp_path), connect)
    assert sorted(set(expanded)) == list(range(done, len(connect.space.layers)))
    expanded.clear()
    assert_same(solve_on_cluster(game, cluster="here", checkpoint=tmp_path), connect)
    assert not expanded


def test_values_that_are_kept_are_not_found_again(
    tmp_path: Path, connect: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    valued: list[int] = []
    plain = Worker.value

    def failing(self: Worker, layer: int, *args: Any) -> Any:
        valued.append(layer)
        if layer == 8 and len(valued) < 100:
            raise KeyboardInterrupt
        return plain(self, layer, *args)

    monkeypatch.setattr(Worker, "value", failing)
    with pytest.raises(KeyboardInterrupt):
        solve_on_cluster(connect.space.game, cluster="here", checkpoint=tmp_path)
    valued[:] = [99] * 100
    assert_same(solve_on_cluster(connect.space.game, cluster="here", checkpoint=tmp_path), connect)
    assert set(valued[100:]) == set(range(9))


class FlakyPool(pools.HerePool):
    """A pool whose worker dies now and then, and knows nothing when it comes back."""

    def __init__(self, *described: Any) -> None:
        super().__init__(*described)
        self.described = described
        self.calls = 0

    def get(self, results: Any) -> list[Any]:
        self.calls += 1
        if self.calls % 13 == 5:
            self.worker = Worker(*self.described)
            raise pools.LostWorkerError("gone")
        return super().get(results)


def test_layers_of_lost_workers_are_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.solve.cluster.cluster.HerePool", FlakyPool)
    for name in ("tictactoe", "nim:1,2,4,5"):
        game = CompiledGame(load_sheet(name))
        assert_same(solve_on_cluster(game, cluster="here"), solve(in_cluster_order(explore(game))))


def test_a_folder_of_another_run_is_not_taken(tmp_path: Path) -> None:
    solve_on_cluster(CompiledGame(load_sheet("nim:1,2")), cluster="here", checkpoint=tmp_path / "a")
    with pytest.raises(InputError, match="has a run of nim:1,2 that cannot be continued for nim"):
        solve_on_cluster(
            CompiledGame(load_sheet("nim:1,3")), cluster="here", checkpoint=tmp_path / "a"
        )
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match="has other files"):
        solve_on_cluster(
            CompiledGame(load_sheet("nim:1,3")), cluster="here", checkpoint=tmp_path / "b"
        )


def test_a_damaged_checkpoint_is_told(tmp_path: Path) -> None:
    game = CompiledGame(load_sheet("nim:1,2"))
    solve_on_cluster(game, cluster="here", checkpoint=tmp_path)
    path = next(p for p in tmp_path.glob("moves-0-*") if p.stat().st_size > 700)
    path.write_bytes(path.read_bytes()[:-1] + b"\xee")
    with pytest.raises(InputError, match="damaged"):
        solve_on_cluster(game, cluster="here", checkpoint=tmp_path)
    (tmp_path / "layer-0.json").write_text("{")
    with pytest.raises(InputError, match=r"layer-0\.json is damaged"):
        solve_on_cluster(game, cluster="here", checkpoint=tmp_path)


def test_every_byte_of_what_a_run_notes_down_is_checked(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path)
    facts = {"game": "nim:1,2", "rules": "(role a)", "first": [1, 2]}
    assert checkpoint.open(facts, 3) == 3
    assert checkpoint.open(facts, 5) == 3
    path = tmp_path / "run.json"
    raw = path.read_bytes()
    for place in range(len(raw)):
        for damaged in (
            raw[:place] + bytes([raw[place] ^ 1 << place % 8]) + raw[place + 1 :],
            raw[:place] + b" " + raw[place:],
            raw[:place],
        ):
            path.write_bytes(damaged)
            with pytest.raises(InputError, match=r"run\.json is damaged.*\n.*--checkpoint"):
                checkpoint.open(facts, 3)
    path.write_text('{"format": "kibitz cluster run 1", "shards": 3}', "utf-8")
    with pytest.raises(InputError, match="another version of Kibitz"):
        checkpoint.open(facts, 3)


def test_without_ray_the_line_that_installs_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError) as caught:
        solve_on_cluster(CompiledGame(load_sheet("nim:1,2")))
    assert "pip install 'kibitz[cluster]'" in str(caught.value)


@pytest.mark.parametrize(
    "error", [Exception("The node timed out.\nSee logs."), OSError(28, "No space"), ValueError()]
)
def test_a_ray_that_does_not_start_is_one_message(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def init(**_: object) -> None:
        raise error

    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(init=init))
    with pytest.raises(KibitzError, match=r"^ray does not start on this machine: ") as caught:
        solve_on_cluster(CompiledGame(load_sheet("nim:1,2")))
    assert "logs" not in str(caught.value)
    assert caught.value.message[-2:] != ": "


def test_workers_claim_no_processor_so_that_they_can_start_on_other_machines() -> None:
    pytest.importorskip("ray")
    asked: list[dict[str, Any]] = []

    def options(**given: Any) -> SimpleNamespace:
        asked.append(given)
        return SimpleNamespace(remote=lambda *_: None)

    nodes = [
        {"NodeID": "a" * 56, "Alive": True, "Resources": {"CPU": 2.0}},
        {"NodeID": "b" * 56, "Alive": False, "Resources": {"CPU": 4.0}},
        {"NodeID": "c" * 56, "Alive": True, "Resources": {"CPU": 1.0}},
    ]
    pool = pools.RayPool.__new__(pools.RayPool)
    pool.ray = SimpleNamespace(
        nodes=lambda: nodes, remote=lambda _: SimpleNamespace(options=options)
    )
    pool.size = 3
    pool.start()
    assert [given["num_cpus"] for given in asked] == [0, 0, 0]
    assert [given["scheduling_strategy"].node_id[0] for given in asked] == ["a", "a", "c"]
    assert all(given["scheduling_strategy"].soft for given in asked)


def test_an_address_where_nobody_answers_is_told_at_once() -> None:
    pytest.importorskip("ray")
    game = CompiledGame(load_sheet("nim:1,2"))
    with pytest.raises(KibitzError, match=r"no ray cluster answers at 127\.0\.0\.1:1"):
        solve_on_cluster(game, cluster="127.0.0.1:1")
    with pytest.raises(InputError, match="not the address of a ray cluster"):
        solve_on_cluster(game, cluster="everywhere")


def test_what_a_killed_run_was_writing_is_swept_away(tmp_path: Path) -> None:
    game = CompiledGame(load_sheet("nim:1,2"))
    solve_on_cluster(game, cluster="here", checkpoint=tmp_path)
    kept = sorted(path.name for path in tmp_path.iterdir())
    (tmp_path / ".kibitz-elsewhere-123-0").write_bytes(b"half of moves-1-0")
    (tmp_path / "notes.txt").write_text("mine")
    solve_on_cluster(game, cluster="here", checkpoint=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*kept, "notes.txt"])


def test_rows_are_numbered_as_they_come_and_ordered_by_hash() -> None:
    source = np.random.default_rng(3)
    rows = source.integers(0, 50, size=(5000, 2), dtype=np.uint64)
    seen = RowSet(2)
    numbers = np.concatenate([seen.add(part) for part in np.array_split(rows, 7)])
    known: dict[bytes, int] = {}
    assert numbers.tolist() == [known.setdefault(row.tobytes(), len(known)) for row in rows]
    order = order_rows(seen.rows())
    keys = [(int(h), *r) for h, r in zip(hash_rows(seen.rows()), seen.rows().tolist(), strict=True)]
    assert [keys[i] for i in order] == sorted(keys)


def test_numbers_within_a_shard_become_numbers_among_all_states() -> None:
    counts = [[1, 0], [0, 2], [3, 0], [0, 1]]
    bounds = Bounds.of(counts)
    assert bounds.number(0, np.arange(4)).tolist() == [0, 3, 4, 5]
    assert bounds.number(1, np.arange(3)).tolist() == [1, 2, 6]


def test_shards_go_by_the_first_bits_of_the_hash() -> None:
    rows = np.arange(1000, dtype=np.uint64)[:, None]
    ordered = rows[order_rows(rows)]
    for shards in (1, 2, 8):
        owner = shard_of(ordered, shards)
        assert (np.diff(owner) >= 0).all()
        assert set(owner.tolist()) == set(range(shards))


# What follows starts a cluster on this machine.


def family(mark: str) -> list[tuple[int, str]]:
    """Find the processes that were started with a mark in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark.encode() in (folder / "environ").read_bytes():
                command = (folder / "cmdline").read_bytes().split(b"\0")[0].decode()
                if int(folder.name) != os.getpid():
                    found.append((int(folder.name), command.strip()))
    return found


@pytest.fixture
def mark() -> Iterator[str]:
    """A word for the environment by which a test's processes are found, and ended."""
    if not Path("/proc/self/environ").exists():
        pytest.skip("needs /proc")
    pytest.importorskip("ray")
    word = f"KIBITZ_TEST_{uuid4().hex}"
    yield word
    for pid, _ in family(word):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def start(mark: str, folder: Path, game: str = "connect:3,4x4") -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from kibitz.cli import main; main()"]
    command += ["solve", game, "--cluster", "auto", "--json"]
    command += ["--checkpoint", str(folder / "kept"), "--store", str(folder / "stored")]
    environment = {**os.environ, mark: "1"}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)


def wait_for(path: Path, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 600
    while not path.exists() and time.monotonic() < end and process.poll() is None:
        time.sleep(0.005)
    assert path.exists()


def finish(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    output, _ = process.communicate(timeout=600)
    assert process.returncode == 0
    result: dict[str, Any] = json.loads(output)
    return result


def check_stored(folder: Path, expected: Solution) -> None:
    assert_same(load_solution(folder / "stored"), expected)


@pytest.mark.slow
def test_killing_a_worker_changes_nothing(mark: str, tmp_path: Path, connect: Solution) -> None:
    process = start(mark, tmp_path)
    wait_for(tmp_path / "kept" / "layer-3.json", process)
    workers = [pid for pid, command in family(mark) if command.startswith("ray::Worker")]
    assert workers
    os.kill(workers[0], signal.SIGKILL)
    result = finish(process)
    assert result["states"] == 41_750
    check_stored(tmp_path, connect)
    assert not [command for _, command in family(mark) if command.startswith("ray::Worker")]


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["layer-6.json", "values-9-0"])
def test_killing_the_driver_and_starting_again_gives_the_same_file(
    moment: str, mark: str, tmp_path: Path, connect: Solution
) -> None:
    process = start(mark, tmp_path)
    wait_for(tmp_path / "kept" / moment, process)
    process.kill()
    process.communicate(timeout=600)
    assert not (tmp_path / "stored").exists()
    kept = {p.name: p.stat().st_mtime_ns for p in (tmp_path / "kept").glob("layer-*.json")}
    finish(start(mark, tmp_path))
    check_stored(tmp_path, connect)
    for name, written in kept.items():
        assert (tmp_path / "kept" / name).stat().st_mtime_ns == written
    store_solution(connect, tmp_path / "alone")
    assert arrays_of(tmp_path / "stored") == arrays_of(tmp_path / "alone")


def arrays_of(path: Path) -> list[dict[str, Any]]:
    """Give what a file says of its arrays, checksums included."""
    with path.open("rb") as stream:
        size = int(stream.readline().split()[-2])
        arrays: list[dict[str, Any]] = json.loads(stream.read(size))["arrays"]
        return arrays


@pytest.mark.slow
def test_interrupting_leaves_the_layers_and_no_process(mark: str, tmp_path: Path) -> None:
    process = start(mark, tmp_path)
    wait_for(tmp_path / "kept" / "layer-3.json", process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600)
    assert process.returncode == 130
    assert (tmp_path / "kept" / "layer-3.json").exists()
    assert not [command for _, command in family(mark) if command.startswith("ray::Worker")]


TABLE = ["puzzles-table", "connect:3,3-4x3-4", "--win-in", "1", "--json"]


def start_table(mark: str, *options: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", *TABLE, *options]
    return subprocess.Popen(command, env={**os.environ, mark: "1"}, stdout=subprocess.PIPE)


def wait_for_task(mark: str, process: subprocess.Popen[bytes]) -> list[int]:
    """Give the workers that measure a variant."""
    end = time.monotonic() + 600
    while time.monotonic() < end and process.poll() is None:
        found = [pid for pid, command in family(mark) if command.startswith("ray::_measure")]
        if found:
            return found
        time.sleep(0.005)
    raise AssertionError("no task was seen")


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["worker", "driver"])
def test_killing_a_worker_or_the_driver_does_not_change_a_table(victim: str, mark: str) -> None:
    expected = without_seconds(finish(start_table(mark)))
    assert len(expected["games"]) == 4
    process = start_table(mark, "--cluster", "auto")
    workers = wait_for_task(mark, process)
    if victim == "worker":
        os.kill(workers[0], signal.SIGKILL)
    else:
        process.kill()
        process.communicate(timeout=600)
        process = start_table(mark, "--cluster", "auto")
    assert without_seconds(finish(process)) == expected


def without_seconds(table: dict[str, Any]) -> dict[str, Any]:
    for game in table["games"]:
        del game["seconds"]
    return table
