"""All play for a few plies, against the distances of solved games."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from kibitz.engine import Blocks, CompiledGame
from kibitz.games import load_sheet
from kibitz.puzzles.proved.tasks import NEVER, short_wins
from kibitz.solve import move_values, solve
from kibitz.space import explore


@pytest.mark.parametrize("name", ["tictactoe", "connect:3,4x4", "nim:1,2,3"])
@pytest.mark.parametrize("role", [0, 1])
def test_short_wins_are_those_of_the_solution(name: str, role: int) -> None:
    game = CompiledGame(load_sheet(name))
    solution = solve(explore(game))
    space, who = solution.space, game.roles[role]
    chosen = [
        number
        for number in np.random.default_rng(2).permutation(len(space))[:150].tolist()
        if len(space.state(number).legal(who)) > 1 and not space.state(number).is_terminal
    ]
    blocks = Blocks(game)
    keys = [cast(int, game.state(space.state(number).fluents).key) for number in chosen]
    plies = 4
    goal = 0 if role else 100
    found = short_wins(blocks, blocks.rows(keys), role, plies, goal=goal, most=1_000_000)
    assert found is not None
    assert chosen
    for i, number in enumerate(chosen):
        values = [value for (one, _), value in move_values(solution, number).items() if one == who]
        wins = [v.plies for v in values if v.outcome == "win" and (v.plies or NEVER) <= plies]
        assert int(found.plies[i]) == min((w or NEVER for w in wins), default=NEVER)
        assert (int(found.answers[i]), int(found.moves[i])) == (len(wins), len(values))
    assert short_wins(blocks, blocks.rows(keys), role, plies, goal=goal, most=10) is None
