"""Bounded wins, against the distances of listed games."""

from __future__ import annotations

import pytest
from tests.prove.test_prove import LISTED, compiled, numbers, prover, solution, walk

from kibitz.prove import ForcedWins


@pytest.mark.parametrize("name", LISTED)
def test_a_win_is_forced_from_its_distance_on(name: str) -> None:
    found, search = solution(name), prover(name)
    if len(search.game.roles) != 2:
        pytest.skip("a win is one of two roles")
    wins = ForcedWins(search)
    for seed in range(30):
        state = walk(compiled(name), seed)
        if state.is_terminal:
            continue
        number = numbers(name)[state.key]
        value, plies = int(found.values[number]), found.plies(number)
        for winner, most in enumerate((search.values[-1], search.values[0])):
            for asked in (1, 2, 3, 4, 5, 6, 7, 9):
                is_won = value == most and plies is not None and plies <= asked
                assert wins.within(search.row(state), winner, asked) == is_won


def test_every_state_of_a_listed_game_is_answered() -> None:
    found, search = solution("connect:3,4x4"), prover("connect:3,4x4")
    wins = ForcedWins(search)
    for number in range(0, len(found.space), 11):
        if found.space.terminal[number]:
            continue
        row = search.row(found.space.state(number))
        for winner, most in enumerate((100, 0)):
            distance = found.plies(number) if found.values[number] == most else None
            expected = distance if distance is not None and distance <= 8 else None
            assert wins.plies(row, winner, 8) == expected


def test_a_question_that_takes_too_many_looks_stays_open() -> None:
    search = prover("connect:3,4x4")
    row = search.row(search.game.initial())
    assert ForcedWins(search).within(row, 0, 9, positions=3) is None
