"""A player that searches state by state on the engine chooses what sweeps over the space choose."""

from __future__ import annotations

import pytest
from tests.puzzles.grids import solved

from kibitz.engine.compiled.game import CompiledGame
from kibitz.experiments.bench.puzzles import SearchingPlayer, measure_puzzles
from kibitz.games import load_sheet
from kibitz.puzzles import DepthSkill


@pytest.mark.parametrize("name", ["connect:3,3x4", "nim:1,2,3", "threemensmorris", "hex:3"])
@pytest.mark.parametrize("depth", [1, 2])
def test_a_searching_player_chooses_as_a_depth_k_skill_does(name: str, depth: int) -> None:
    solution = solved(name)
    space = solution.space
    chosen = DepthSkill(depth).choose(solution, 0).chosen
    player = SearchingPlayer(space.game, depth)
    for state in range(0, len(space), max(1, len(space) // 15)):
        edges = range(space.first_edge[state], space.first_edge[state + 1])
        if len(edges) > 1:
            picked = {space.state(int(space.target[e])).key for e in edges if chosen[e]}
            assert {after.key for after in player.best(space.state(state))} == picked


def test_figures_compare_all_positions_with_plays_of_one() -> None:
    found = measure_puzzles(
        CompiledGame(load_sheet("connect:3,3x4")), rounds=1, depth=1, seconds=0.2
    )
    assert found.positions > 10
    assert 1 <= found.plays <= 30
    assert found.ratio_of_all == pytest.approx(found.ratio * found.positions)
