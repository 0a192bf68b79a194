"""Trees and rules from positions of matches, against the solved game and against clingo."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from tests.cli.conftest import Run, run as run

from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import Names
from kibitz.learn import find_mask, learn_pool_rules, make_pool, pool_tree, rule_lines
from kibitz.learn.advice import read_advice
from kibitz.learn.minimax.trees import tree_text
from kibitz.learn.pool_rules import PoolRule, judge_rules
from kibitz.learn.preferences import pool as pools
from kibitz.learn.preferences.pool import Pool
from kibitz.solve import Solution, solve
from kibitz.space import explore


@cache
def pool_of(name: str, positions: int) -> Pool:
    return make_pool(CompiledGame(load_sheet(name)).initial(), positions=positions)


@cache
def solved(name: str) -> Solution:
    return solve(explore(CompiledGame(load_sheet(name))))


@cache
def rules_of(name: str, positions: int) -> list[PoolRule]:
    game = CompiledGame(load_sheet(name))
    return learn_pool_rules(pool_of(name, positions), find_mask(game.sheet))


@pytest.mark.parametrize("name", ["tictactoe", "nim:2,3,4", "connect:3,4x4"])
def test_proved_scores_are_values_of_the_game(name: str) -> None:
    solution, pool = solved(name), pool_of(name, 40)
    tree = pool_tree(CompiledGame(load_sheet(name)).initial(), pool.learned_from)
    assert tree.count() > len(pool.learned_from)
    for node in tree.walk():
        assert not node.is_estimated  # these games are small
        if node.score is not None:
            state = solution.space.game.state(node.state.fluents)
            assert node.score == int(solution.values[solution.space.number(state)])


def test_estimates_are_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools._Values, "_proved", lambda *_: None)
    game = CompiledGame(load_sheet("connect:3,4x4"))
    tree = pool_tree(game.initial(), make_pool(game.initial(), positions=8).learned_from)
    scored = [node for node in tree.walk() if node.score is not None]
    assert scored
    assert all(node.is_estimated and node.as_json()["estimated"] for node in scored)
    assert "~" in tree_text(tree, most=1000)


@pytest.mark.parametrize("name", ["nim:2,3,4", "connect:3,4x4"])
def test_counts_of_rules_are_what_clingo_finds(name: str) -> None:
    """Each rule alone, read back and asked in every position it was learned from."""
    game, pool = CompiledGame(load_sheet(name)), pool_of(name, 40)
    rules = rules_of(name, 40)
    assert rules
    for known in rules:
        advice = read_advice("\n".join(rule_lines([known], Names.of_sheet(game.sheet))), game)
        right = 0
        for position in pool.learned_from:
            said = advice.moves(game.state(position.state.fluents), position.role)
            right += bool(said) and all(position.is_best(position.moves.index(m)) for m in said)
        assert right >= 1
        assert known.right >= max(2, right)  # images of positions count as well


def test_a_rule_speaks_where_none_before_it_does() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    rules = rules_of("connect:3,4x4", 40)
    names = Names.of_sheet(game.sheet)
    alone = [read_advice("\n".join(rule_lines([known], names)), game) for known in rules]
    whole = read_advice("\n".join(rule_lines(rules, names)), game)
    for position in pool_of("connect:3,4x4", 40).judged_by:
        state = game.state(position.state.fluents)
        said = [advice.moves(state, position.role) for advice in alone]
        first = next((moves for moves in said if moves), ())
        # A rule whose move is not legal speaks as well, though nobody can follow it.
        assert whole.moves(state, position.role) in (first, ())


def test_rules_of_nim_are_right_in_positions_held_out() -> None:
    judged = judge_rules(rules_of("nim:2,3,4", 40), pool_of("nim:2,3,4", 40))
    assert judged.right == judged.spoken > 0
    assert judged.chance < 0.5
    assert judge_rules([], Pool((), (), 0, 0)).as_json()["share"] is None


def test_a_tree_of_a_pool_by_the_command(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rules.lp"
    args = ("learn", "tree", "nim:2,3,4", "--method", "pool", "--positions", 24, "--rules")
    found = run(*args, "--json", "-o", path).json
    assert found["pool"] == {"positions": 24, "proved": 24, "estimated": 0}
    assert found["held_out"]["positions"] == 6
    assert "best_do(" in path.read_text("utf-8")
    assert run("verify", "nim:2,3,4", path).status in (0, 1)  # it is read back
    assert "positions held out" in run(*args).out
    assert "from 24 positions of matches" in run(*args[:-1]).out
