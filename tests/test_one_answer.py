"""Positions of connect four have one value, whichever method of the facade finds it."""

from __future__ import annotations

import random

import pytest
from tests.effort import quick

import kibitz
from kibitz.engine import State

FOUR = kibitz.load("connectfour")
METHODS = ("search", "compact", "symbolic")


def dozen() -> list[State]:
    """Play twelve matches at random, to different depths from 18 to 30 plies."""
    source, found = random.Random(4), list[State]()
    while len(found) < 12:
        state, plies = FOUR.initial(), 18 + len(found) * 12 // 11
        while plies and not state.is_terminal:
            state = state.play(source.choice(state.legal_moves))
            plies -= 1
        if not state.is_terminal:
            found.append(state)
    return found


@pytest.mark.parametrize("number", quick(list(range(12)), [6, 9, 11]))
def test_search_a_compact_listing_and_diagrams_agree(number: int) -> None:
    state = dozen()[number]
    found = {method: kibitz.solve(FOUR, state=state, method=method) for method in METHODS}  # type: ignore[arg-type]
    for method, values in found.items():
        assert values.method == method
        assert values.value() == values.value(state) == found["search"].value()
        assert values.keeping_moves() == found["search"].keeping_moves()
        assert set(values.best_moves()) <= set(values.keeping_moves())
    assert found["compact"].best_moves() == found["symbolic"].best_moves()
    assert found["compact"].moves_as_json() == found["symbolic"].moves_as_json()
    plies = found["compact"].plies()
    assert plies == found["symbolic"].plies() == len(found["compact"].line())
    check(state, found["compact"].value(), plies)


def check(state: State, value: object, plies: int | None) -> None:
    """Play the best moves of a listing by the engine, up to the end that was promised."""
    values = kibitz.solve(FOUR, state=state, method="listing")
    while not state.is_terminal:
        assert plies is not None
        state, plies = state.play(values.best_moves(state)[0]), plies - 1
    assert (state.goals, plies) == (value, 0)
