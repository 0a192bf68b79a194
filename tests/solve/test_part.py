"""A part of a space is what exploring from its first states finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.effort import examples

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.solve import solve
from kibitz.space import StateSpace, explore
from kibitz.space.graph import subspace_from

SPACES = {
    name: explore(CompiledGame(load_sheet(name))) for name in ("tictactoe", "threemensmorris")
}


def moves_of(space: StateSpace) -> dict[tuple[int, ...], list[tuple[int, ...]]]:
    rows = [tuple(row) for row in space.states.tolist()]
    first = space.first_edge
    return {
        row: [rows[to] for to in space.target[first[i] : first[i + 1]]]
        for i, row in enumerate(rows)
    }


@pytest.mark.parametrize("name", list(SPACES))
@examples(20)
@given(data=st.data())
def test_a_part_has_the_states_and_moves_that_follow(name: str, data: st.DataObject) -> None:
    whole = SPACES[name]
    starts = np.array(data.draw(st.lists(st.integers(len(whole) // 2, len(whole) - 1), min_size=1)))
    part, number = subspace_from(whole, starts)
    assert (part.states[number[starts]] == whole.states[starts]).all()
    again = explore(whole.game, starts=np.unique(whole.states[starts], axis=0))
    assert moves_of(part) == moves_of(again)
    assert part.is_layered == whole.is_layered


def test_a_part_is_worth_what_it_was_worth() -> None:
    whole = SPACES["tictactoe"]
    starts = np.array([40, 700, 3000])
    part, number = subspace_from(whole, starts)
    assert list(part.layers) == sorted(set(part.layers))
    before, after = solve(whole), solve(part)
    assert (after.values[number[starts]] == before.values[starts]).all()
    assert (after.distance[number[starts]] == before.distance[starts]).all()
