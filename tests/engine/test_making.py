"""Which engine is taken, and what is told when it is not the compiled one."""

from __future__ import annotations

import pytest
from tests.cpu import cpu_seconds
from tests.engine.grounding.test_gringo import children
from tests.engine.grounding.test_grounding import GROWING, MILLION
from tests.engine.suite import walk_together

from kibitz.budget import Budget
from kibitz.engine import ReferenceGame, make_game
from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import read


def test_a_game_is_compiled_where_it_can_be() -> None:
    notes: list[str] = []
    assert isinstance(make_game(load_sheet("tictactoe"), note=notes.append), CompiledGame)
    assert notes == []


@pytest.mark.parametrize("text", [GROWING, MILLION], ids=["growing terms", "a million rules"])
def test_what_cannot_be_grounded_in_time_is_played_all_the_same(text: str) -> None:
    before = children()
    sheet = read(text, name="huge", form="kif")
    notes: list[str] = []
    start = cpu_seconds()
    game = make_game(sheet, budget=Budget(seconds=1), note=notes.append)
    assert cpu_seconds() - start < 6
    assert children() <= before
    if text == GROWING:
        assert not isinstance(game, CompiledGame)
        (told,) = notes
        assert told.startswith("grounding needs more than 0.75 s; huge runs ungrounded")
    walk_together([game, ReferenceGame(sheet)], seed=1, steps=3)


def test_a_note_is_not_needed() -> None:
    assert make_game(read(GROWING, form="kif"), budget=Budget(seconds=0.4)).initial().fluents


def test_a_backend_can_be_asked_for() -> None:
    game = make_game(load_sheet("nim:1,2"), backend="interpreter")
    assert isinstance(game, CompiledGame)
    assert not game.machine.is_straight
    with pytest.raises(InputError, match="no backend gpu"):
        make_game(load_sheet("nim:1,2"), backend="gpu")
