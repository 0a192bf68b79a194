"""Openings that are called drawn are draws of the solved game, and their moves lead to them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.puzzles.grids import solved

from kibitz.engine import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.puzzles import Wanted, search_drawn


@pytest.mark.parametrize(
    ("name", "plies"), [("connect:4,4x4", range(2, 9)), ("mnk:3,4,3", range(9))]
)
def test_drawn_openings_are_draws(name: str, plies: range) -> None:
    solution = solved(name)
    game = solution.space.game
    assert isinstance(game, CompiledGame)
    found = search_drawn(game, "xplayer", plies=plies, wanted=Wanted(count=8))
    assert 0 < len(found) <= 8
    assert len({puzzle.name for puzzle in found}) == len(found)
    for puzzle in found:
        number = solution.space.number(puzzle.state)
        assert solution.values[number] == 50
        state = game.initial()
        for move in puzzle.opening:
            state = state.play(move)
        assert state == puzzle.state
        assert len(puzzle.opening) in plies


def test_a_game_without_draws_has_no_drawn_opening() -> None:
    sheet = load_sheet("nim:1,2,4")
    found = search_drawn(CompiledGame(sheet), "player1", plies=range(3))
    assert not found.puzzles
    assert "was proved to be a draw" in found.why
    without = [rule for rule in sheet.rules if "50" not in str(rule.head)]
    with pytest.raises(InputError, match="no end in which both get the same"):
        search_drawn(CompiledGame(replace(sheet, rules=tuple(without))), "player1")
