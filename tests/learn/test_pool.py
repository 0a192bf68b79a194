"""Examples from positions of matches, against the solved game."""

from __future__ import annotations

from functools import cache

import pytest
from tests.cli.conftest import Run, run as run

from kibitz.engine import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.learn import automatic_bias, learn_from_pool
from kibitz.learn.preferences import pool as pools
from kibitz.learn.preferences.pool import Pool, held_out, make_pool
from kibitz.learn.preferences.preferences import read_preferences
from kibitz.solve import Solution, solve
from kibitz.space import explore


@cache
def solved(name: str) -> Solution:
    return solve(explore(CompiledGame(load_sheet(name))))


def value_of(solution: Solution, fluents: object) -> int:
    game = solution.space.game
    return int(solution.values[solution.space.number(game.state(fluents))])  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["tictactoe", "connect:3,4x4", "nim:2,3,4"])
def test_proved_examples_are_right(name: str) -> None:
    solution = solved(name)
    game = CompiledGame(load_sheet(name))
    pool = make_pool(game.initial(), positions=12)
    assert (pool.positions, pool.proved) == (12, 12)  # these games are small
    for example in (*pool.examples, *pool.held_out):
        assert example.weight == 10
        turn = next(f for f in example.better if f.name == "control")
        sign = -1 if str(turn.args[0]) == game.roles[0] else 1
        assert sign * value_of(solution, example.better) > sign * value_of(solution, example.worse)


def test_estimated_examples_weigh_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "_SHARE", 0)
    monkeypatch.setattr(pools._Values, "_proved", lambda *_: None)
    game = CompiledGame(load_sheet("connect:3,4x4"))
    pool = make_pool(game.initial(), positions=12)
    assert (pool.positions, pool.proved) == (12, 0)
    solution = solved("connect:3,4x4")
    right = 0
    for example in pool.examples:
        assert 1 <= example.weight < 10
        turn = next(f for f in example.better if f.name == "control")
        sign = -1 if str(turn.args[0]) == game.roles[0] else 1
        gain = sign * (value_of(solution, example.better) - value_of(solution, example.worse))
        right += gain >= 0
    assert right >= 0.9 * len(pool.examples)


def test_the_same_seed_gives_the_same_pool() -> None:
    game = CompiledGame(load_sheet("connect:4,5x5"))
    first, again, other = (make_pool(game.initial(), positions=6, seed=s) for s in (1, 1, 2))
    assert first == again
    assert first != other


def test_what_was_held_out_is_not_learned_from() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    pool = make_pool(game.initial(), positions=12)
    assert not {e.state for e in pool.examples} & {e.state for e in pool.held_out}
    indifferent = read_preferences(":~ next(cell(V0,V1,b)). [0@1, 1, V0, V1]")
    judged = held_out(indifferent, game.sheet, pool)
    assert (judged.pairs, judged.right) == (len(pool.held_out), 0)
    assert held_out(indifferent, game.sheet, Pool((), (), 0, 0)).as_json()["share"] is None


def test_nim_is_learned_from_a_pool() -> None:
    game = CompiledGame(load_sheet("nim:2,3,4"))
    result = learn_from_pool(game.initial(), automatic_bias(game.sheet), positions=24)
    assert result.learned.preferences is not None
    assert result.held_out is not None
    assert result.held_out.right == result.held_out.pairs > 0
    assert not result.is_optimal  # nothing was verified


def test_a_game_without_choices_gives_no_pool() -> None:
    sheet = """
        (role a) (role b) (init (step 0)) (legal a go) (legal b go) (<= (next (step 1)) (does a go))
        (<= terminal (true (step 1))) (goal a 50) (goal b 50)
    """
    with pytest.raises(InputError, match="no move is seen to be better"):
        make_pool(CompiledGame(read(sheet, form="kif")).initial())


def test_a_pool_by_the_command(run: Run) -> None:
    args = ("learn", "constraints", "nim:2,3,4", "--examples", "pool", "--positions", 12)
    found = run(*args, "--json").json
    assert found["pool"] == {"positions": 12, "proved": 12, "estimated": 0}
    assert found["optimal"] is None
    assert found["held_out"]["low"] <= found["held_out"]["share"] <= found["held_out"]["high"]
    assert "learned from 12 positions of matches" in run(*args).out
    assert run(*args, "--until", "optimal").status == 2
