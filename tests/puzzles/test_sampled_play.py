"""Sampled play from given positions, against the exact chances of listed games."""

from __future__ import annotations

import numpy as np
import pytest
from tests.puzzles.grids import solved

from kibitz.engine import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.puzzles import (
    DepthSkill,
    RandomSkill,
    Wanted,
    choose_all,
    play_out,
    read_player,
    search_balanced,
    winning_chances,
)


@pytest.mark.parametrize(("own", "other"), [("random", "random"), ("1", "random"), ("1", "2")])
def test_sampled_chances_are_near_the_exact_ones(own: str, other: str) -> None:
    solution = solved("connect:3,3x4")
    space = solution.space
    game = space.game
    skills = [RandomSkill() if name == "random" else DepthSkill(int(name)) for name in (own, other)]
    mine, theirs = choose_all([(skills[0], 0), (skills[1], 1)], solution)
    exact = winning_chances(solution, 0, mine, theirs).chance
    open_states = np.flatnonzero(~space.terminal)
    numbers = open_states[:: max(1, len(open_states) // 20)].tolist()
    roles = game.roles
    names = dict(zip(roles, (own, other), strict=True))
    policies = {role: read_player(name, game, role)[1] for role, name in names.items()}
    states = [space.state(number) for number in numbers]
    for number, found in zip(numbers, play_out(states, roles[0], policies, plays=400), strict=True):
        chance = exact[number]
        assert found.plays == 400
        assert abs(found.chance - chance) <= 5 * np.sqrt(chance * (1 - chance) / 400) + 1e-9
        low, high = found.interval
        assert low <= found.chance <= high


def test_the_same_seed_gives_the_same_plays() -> None:
    game = CompiledGame(load_sheet("connect:4,5x5"))
    policies = {game.roles[0]: read_player("uct:10", game, game.roles[0])[1]}
    first, again, other = (
        play_out([game.initial()], game.roles[0], policies, plays=100, seed=seed)
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_a_player_that_needs_a_solution_is_refused() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    with pytest.raises(InputError, match="needs the solution"):
        read_player("optimal", game, "xplayer")
    with pytest.raises(InputError, match="no number of playouts"):
        read_player("uct:x", game, "xplayer")


def test_even_positions_of_a_large_game_are_even_when_played_again() -> None:
    game = CompiledGame(load_sheet("connect:4,5x5"))
    own, other = (
        read_player(name, game, role)
        for name, role in zip(("random", "random"), game.roles, strict=True)
    )
    found = search_balanced(game, game.roles[0], own, other, wanted=Wanted(count=4))
    assert len(found) == 4
    policies = {game.roles[0]: own[1], game.roles[1]: other[1]}
    again = play_out([p.state for p in found], game.roles[0], policies, plays=2000, seed=9)
    for puzzle, played in zip(found, again, strict=True):
        assert puzzle.score is not None
        assert abs(puzzle.score - 0.5) <= 0.05
        assert abs(played.score - puzzle.score) < 5 * 0.5 / np.sqrt(256)
        state = game.initial()
        for joint in puzzle.played:
            state = state.step(joint)
        assert state == puzzle.state
