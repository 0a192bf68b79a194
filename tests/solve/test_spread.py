"""Tasks spread over a cluster give what one machine gives, though workers die."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import kibitz
from kibitz.cli import app
from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.play import Clocks, make_agent, play_tournament, spread_tournament
from kibitz.solve import spread
from kibitz.synth import Options, best_seed, synthesise

pytestmark = pytest.mark.filterwarnings("ignore")  # ray's


def plain(matches: Any) -> list[Any]:
    return [(match.agents, match.goals, [step.joint for step in match.steps]) for match in matches]


def test_a_tournament_by_tasks_has_the_matches_of_one_without(tmp_path: Path) -> None:
    game = kibitz.load("nim:1,2,3")
    path = tmp_path / "mine.strategy"
    path.write_text("true => (reduce c 0)\n")
    names = ["random", "uct:5", str(path)]
    options: dict[str, Any] = {"matches": 2, "clocks": Clocks(5, 5), "seed": 3}
    one = play_tournament(game, [(name, make_agent(name)) for name in names], **options)
    seen: list[Any] = []
    other = spread_tournament(game, names, read=_read, watch=seen.append, **options)
    assert plain(one.matches) == plain(other.matches) == plain(seen)
    assert [(s.name, s.mean_goal) for s in one.scores] == [
        (s.name, s.mean_goal) for s in other.scores
    ]


def _read(path: str) -> str:
    return Path(path).read_text()


def test_the_best_seed_is_that_of_the_shortest_list() -> None:
    game = CompiledGame(load_sheet("nim:1,2"))
    options = Options(rounds=2)
    found = best_seed(game, "player1", options, range(2))
    sizes = []
    for seed in range(2):
        single = synthesise(game, "player1", Options(rounds=2, seed=seed))
        sizes.append((single.verdict.rules, single.literals, seed))
    assert (found[0].rules, found[0].literals, found[0].seed) == min(sizes)


def test_the_command_searches_with_several_seeds() -> None:
    arguments = ["synth", "nim:1,2", "--role", "player1", "--rounds", "3", "--seeds", "2", "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["seed"] == 0
    assert "2 of 2 seeds led to a list" in result.stderr


def test_agents_that_only_this_machine_has_are_refused() -> None:
    arguments = ["tournament", "nim:1,2", "--agent", "my:agent", "--cluster", "auto"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code != 0
    assert "does not play on a cluster" in str(result.exception)


def _square_once_killed(task: tuple[int, str]) -> int:
    """Kill the worker on the first try of one task; later tries find a file, and succeed."""
    number, mark = task
    if number == 2 and not os.path.exists(mark):
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


@pytest.mark.slow
def test_on_a_cluster_nothing_is_lost_with_a_worker_and_results_are_the_same(
    tmp_path: Path,
) -> None:
    pytest.importorskip("ray")
    mark = str(tmp_path / "killed")
    tasks = [(number, mark) for number in range(6)]
    assert spread(_square_once_killed, tasks, cluster="auto") == [0, 1, 4, 9, 16, 25]
    assert os.path.exists(mark)


@pytest.mark.slow
def test_tournaments_puzzles_and_searches_are_the_same_on_a_cluster() -> None:
    pytest.importorskip("ray")
    game = kibitz.load("nim:1,2,3")
    here, there = (
        spread_tournament(game, ["random", "uct:5"], seed=2, read=_read, cluster=cluster)
        for cluster in (None, "auto")
    )
    assert plain(here.matches) == plain(there.matches)
    runner = CliRunner()
    table = ["puzzles-table", "tictactoe", "nim:1", "--json"]
    single, many = (
        json.loads(runner.invoke(app, [*table, *more]).stdout)
        for more in ([], ["--cluster", "auto"])
    )
    for found in (*single["games"], *many["games"]):
        found.pop("seconds")
    assert single == many
    seeds = ["synth", "nim:1,2", "--role", "player1", "--rounds", "3", "--seeds", "2", "--json"]
    lists = [
        json.loads(runner.invoke(app, [*seeds, *more]).stdout)
        for more in ([], ["--cluster", "auto"])
    ]
    assert lists[0]["rules"] == lists[1]["rules"]
