"""What is proved of the moves of a position as it comes, against listing."""

from __future__ import annotations

from functools import cache

import pytest
from tests.prove.test_prove import LARGE, LISTED, compiled, numbers, solution, walk

from kibitz.engine import CompiledGame
from kibitz.errors import InputError
from kibitz.gdl import read
from kibitz.prove import Analyser, Prover, Spending, known_moves, mover_of

LONG = 600.0


@cache
def analyser(name: str) -> Analyser:
    return Analyser(compiled(name), memory=20_000_000, threads=1)


@pytest.mark.parametrize("name", LISTED)
def test_bounds_of_moves_close_in_on_the_values_of_the_listed_game(name: str) -> None:
    game, found = compiled(name), solution(name)
    for seed in range(6):
        state = walk(game, seed)
        number = numbers(name)[state.key]
        last = None
        for known in analyser(name).analyse(state, seconds=LONG):
            at = game.roles.index(known.mover)
            values = {joint[at]: found.value(to) for joint, to in found.space.moves(number)}
            for one in known.moves:
                for role, (low, high) in one.bounds.items():
                    assert low <= values[one.move][role] <= high
            for role, (low, high) in known.bounds.items():
                assert low <= found.value(number)[role] <= high
            last = known
        assert last is not None
        assert last.is_complete
        assert last.proved == len(last.moves) == len(values)
        assert {role: low for role, (low, _) in last.bounds.items()} == found.value(number)


def test_what_is_easy_is_known_before_all_is() -> None:
    game = compiled("connect:4,5x5")
    state = game.initial()
    for move in ("(drop 3)", "(drop 2)", "(drop 3)", "(drop 2)", "(drop 3)", "(drop 2)"):
        state = state.play(move)
    made = Analyser(game, memory=20_000_000, threads=1)
    steps = list(made.analyse(state, seconds=LONG, positions=20_000))
    early = next(known for known in steps if known.proved)
    assert not early.is_complete
    assert early.bounds == {"xplayer": (100, 100), "oplayer": (0, 0)}


def test_a_bound_on_positions_ends_it_with_bounds() -> None:
    game = compiled(LARGE)
    made = Analyser(game, memory=2_000_000, threads=1)
    *_, last = made.analyse(game.initial(), seconds=LONG, positions=5_000)
    assert not last.is_complete
    assert last.bounds["xplayer"] == (0, 100)
    assert sum(one.positions for one in last.moves) == last.positions >= 5_000


def test_no_time_ends_it_at_once() -> None:
    game = compiled(LARGE)
    made = Analyser(game, memory=2_000_000, threads=1)
    only, *more = made.analyse(game.initial(), seconds=0)
    assert (only.positions, only.proved, more) == (0, 0, [])


def test_the_table_stays_for_the_next_position() -> None:
    game = compiled("connect:4,4x4")
    made = Analyser(game, memory=20_000_000, threads=1)
    *_, first = made.analyse(game.initial(), seconds=LONG)
    *_, again = made.analyse(game.initial(), seconds=LONG)
    assert again.positions < first.positions / 10


@pytest.mark.parametrize("name", ["connect:3,4x4", "nim:1,2,4", "tictactoe"])
def test_a_line_keeps_the_value_to_an_end(name: str) -> None:
    found = solution(name)
    for seed in range(4):
        state = walk(compiled(name), seed)
        number = numbers(name)[state.key]
        value = found.value(number)
        for joint in analyser(name).line_from(state, seconds=LONG):
            number = next(to for made, to in found.space.moves(number) if made == joint)
            assert found.value(number) == value
        assert found.space.terminal[number]


def test_a_value_that_is_not_known_in_time_has_no_line() -> None:
    game = compiled(LARGE)
    made = Analyser(game, memory=2_000_000, threads=1)
    assert made.line_from(game.initial(), seconds=0) == ()
    assert made.bounds_of(game.initial(), seconds=0)["xplayer"] == (0, 100)


def test_play_that_need_not_end_ends_the_analysis_with_a_reason() -> None:
    text = """(role a) (role b) (init (at 0)) (init (turn a))
    (<= (legal ?r go) (true (turn ?r))) (<= (legal ?r stay) (true (turn ?r)))
    (<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
    (<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
    (<= (next (at 1)) (does ?r go) (true (at 0))) (<= (next (at 0)) (does ?r go) (true (at 1)))
    (<= (next (at ?x)) (does ?r stay) (true (at ?x)))
    (<= terminal (true (at 2)))
    (<= (goal a 100) (true (at 0))) (<= (goal a 0) (true (at 1)))
    (<= (goal b 0) (true (at 0))) (<= (goal b 100) (true (at 1)))"""
    game = CompiledGame(read(text))
    *_, last = Analyser(game, memory=2_000_000, threads=1).analyse(game.initial(), seconds=LONG)
    assert last.proved == 0
    assert "need not end" in last.why_open


def test_an_end_has_no_moves_to_analyse() -> None:
    game = compiled("nim:1")
    state = game.initial().play("(reduce a 0)")
    with pytest.raises(InputError, match="ended"):
        next(analyser("nim:1").analyse(state, seconds=LONG))


@pytest.mark.parametrize("name", ["connect:3,4x4", "tictactoe", "hex:3"])
def test_what_the_table_knows_of_moves_holds_and_grows(name: str) -> None:
    game, found = compiled(name), solution(name)
    search = Prover(game, Spending(seconds=LONG, memory=20_000_000, threads=1))
    state = walk(game, 3)
    number = numbers(name)[state.key]
    counts = []
    for share in (1, 100, 10_000, None):
        for aim in range(1, len(search.values)):
            search.ask(search.row(state), aim, share)
        known = known_moves(search, state)
        at = game.roles.index(mover_of(state))
        values = {joint[at]: found.value(to) for joint, to in found.space.moves(number)}
        for one in known:
            for role, (low, high) in one.bounds.items():
                assert low <= values[one.move][role] <= high
        counts.append(sum(one.is_proved for one in known))
    search.prove(state, moves=True)
    assert all(one.is_proved for one in known_moves(search, state))
    assert counts[0] <= counts[-1] <= len(values)
