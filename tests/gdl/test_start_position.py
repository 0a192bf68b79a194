"""A sheet that starts elsewhere plays as the original does from there."""

from __future__ import annotations

import random

import pytest
from tests.effort import spread

from kibitz.engine import CompiledGame, ReferenceGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import parse_terms, starting_at


@pytest.mark.parametrize(
    "name", spread(["tictactoe", "connect:3,4x4", "breakthrough:4x4", "nim:1,3,5", "hex:3"], 5)
)
def test_play_from_a_position_is_the_play_of_the_original(name: str) -> None:
    sheet = load_sheet(name)
    original = CompiledGame(sheet)
    source = random.Random(name)
    state = original.initial()
    for _ in range(3):
        state = state.step([source.choice(state.legal(role)) for role in original.roles])
    moved = starting_at(sheet, state.fluents)
    here = CompiledGame(moved).initial()
    by_reference = ReferenceGame(moved).initial()
    while True:
        assert set(map(str, here.fluents)) == set(map(str, state.fluents))
        assert set(by_reference.fluents) == set(here.fluents)
        assert here.is_terminal == state.is_terminal
        if state.is_terminal:
            assert here.goals == state.goals
            return
        legal = {role: [str(move) for move in state.legal(role)] for role in original.roles}
        assert legal == {role: [str(m) for m in here.legal(role)] for role in original.roles}
        joint = [source.choice(legal[role]) for role in original.roles]
        state, here, by_reference = (s.step(joint) for s in (state, here, by_reference))


def test_a_fluent_that_no_rule_mentions_is_refused() -> None:
    with pytest.raises(InputError, match=r"\(heep a 1\) is no fluent"):
        starting_at(load_sheet("nim:1,2"), parse_terms("(heep a 1)"))
    with pytest.raises(InputError, match="at least one fluent"):
        starting_at(load_sheet("nim:1,2"), ())
