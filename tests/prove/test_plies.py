"""How soon a win can be forced, against the distances of listed games."""

from __future__ import annotations

import pytest
from tests.prove.test_prove import LARGE, LISTED, compiled, numbers, prover, solution, walk

from kibitz.prove import Prover, Spending, plies_to_win, with_plies

LONG = 600.0


@pytest.mark.parametrize("name", [*LISTED, "hanoi:3", "maze"])
def test_plies_are_the_distances_of_the_listed_game(name: str) -> None:
    found, search = solution(name), prover(name)
    for seed in range(12):
        state = walk(compiled(name), seed)
        number = numbers(name)[state.key]
        value = search.values.index(int(found.values[number]))
        plies = plies_to_win(search, state, value, seconds=LONG)
        if plies is not None:
            assert (plies.exact, plies.more_than) == (
                found.plies(number),
                (found.plies(number) or 0) - 1,
            )
        else:
            assert 0 < value < len(search.values) - 1 or len(search.game.roles) == 1


def test_every_won_state_of_a_listed_game_has_its_distance() -> None:
    found, search = solution("connect:3,4x4"), prover("connect:3,4x4")
    won = [
        n for n in range(0, len(found.space), 37)
        if found.values[n] in (0, 100) and not found.space.terminal[n]
    ]  # fmt: skip
    assert len(won) > 50
    for number in won:
        value = search.values.index(int(found.values[number]))
        plies = plies_to_win(search, found.space.state(number), value, seconds=LONG)
        assert plies is not None
        assert plies.exact == found.plies(number)


def test_each_number_of_plies_that_is_not_enough_is_reported() -> None:
    search, told = prover("nim:1,2,4"), list[int]()
    state = search.game.initial()
    proof = with_plies(search, search.prove(state), seconds=LONG, report=told.append)
    assert (proof.plies, told) == (7, [1, 2, 3, 4, 5, 6])


def test_without_time_the_plies_stay_open() -> None:
    game = compiled("connect:4,5x5")
    state = game.initial()
    for move in ("(drop 3)", "(drop 2)", "(drop 3)", "(drop 2)", "(drop 3)", "(drop 2)"):
        state = state.play(move)
    search = Prover(game, Spending(memory=20_000_000, threads=1, seconds=LONG))
    proof = search.prove(state, weak=True)
    assert proof.value == {"xplayer": 100, "oplayer": 0}
    known = with_plies(search, proof, seconds=0)
    assert (known.plies, known.more_plies_than) == (None, 0)
    assert with_plies(search, proof, seconds=LONG).plies == 1


def test_an_end_and_a_draw_and_what_is_open() -> None:
    search = prover("tictactoe")
    drawn = search.prove(search.game.initial(), weak=True)
    assert with_plies(search, drawn, seconds=LONG).plies is None
    nim = prover("nim:1")
    ended = nim.game.initial().play("(reduce a 0)")
    assert with_plies(nim, nim.prove(ended), seconds=LONG).plies == 0
    assert plies_to_win(nim, ended, 1, seconds=LONG) is not None
    spending = Spending(seconds=LONG, memory=1_000_000, positions=1_000, threads=1)
    four = Prover(compiled(LARGE), spending)
    left_open = four.prove(four.game.initial(), weak=True)
    assert with_plies(four, left_open, seconds=LONG) == left_open
