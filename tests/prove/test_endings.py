"""Endings: what lies below a position, listed once, and used by search."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.prove.test_prove import LISTED, SMALL, TWICE, compiled, numbers, solution, walk

from kibitz.engine import CompiledGame
from kibitz.errors import InputError, KibitzError
from kibitz.gdl import read
from kibitz.prove import Endings, Prover, endings_below, endings_of

LONG = 600.0
MORRIS = "threemensmorris"


@pytest.mark.parametrize("name", LISTED)
def test_every_state_of_a_listed_game_has_its_value(name: str) -> None:
    found = solution(name)
    made = endings_of(found)
    assert len(made) == len(found.space)
    for number in range(0, len(found.space), max(1, len(found.space) // 200)):
        value = int(found.values[number])
        assert made.bounds(found.space.state(number)) == (value, value)


def test_states_from_which_play_can_cycle_have_a_bound_where_a_win_is_forced() -> None:
    found = solution(MORRIS)
    made = endings_of(found)
    wins = losses = open_ = 0
    for number in range(0, len(found.space), 7):
        bounds = made.bounds(found.space.state(number))
        value = int(found.values[number])
        if bounds is None:
            open_ += 1
            assert value == found.middle
        elif value == 100:
            wins += 1
            assert bounds[0] == 100
        elif value == 0:
            losses += 1
            assert bounds[1] == 0
    assert min(wins, losses, open_) > 10


@pytest.mark.parametrize("name", ["connect:3,4x4", "hex:3", "tictactoe", "domineering:4x4"])
def test_a_search_that_knows_the_endings_looks_at_one_position(name: str) -> None:
    search = Prover(compiled(name), SMALL, endings=endings_of(solution(name)))
    for seed in range(6):
        state = walk(compiled(name), seed)
        low, high = search.bounds_of(search.row(state))
        value = solution(name).value(numbers(name)[state.key])[compiled(name).roles[0]]
        assert (search.values[low], search.values[high]) == (value, value)
    assert search.positions <= 6 * len(search.values)  # images are told apart at the root alone


def test_what_is_below_a_position_is_listed_some_plies_deeper_where_there_is_too_much() -> None:
    game = compiled("connect:4,4x4")
    state = game.initial()
    for move in ("(drop 1)", "(drop 2)", "(drop 3)", "(drop 4)"):
        state = state.play(move)
    whole = endings_below(game, state, states=100_000, seconds=LONG)
    assert whole.bounds(state) is not None
    parts = endings_below(game, state, states=len(whole) // 3, seconds=LONG)
    assert parts.bounds(state) is None
    assert 0 < len(parts) < len(whole)
    after = [state.play(move) for move in state.legal("xplayer")]
    known = [one for one in after if parts.bounds(one)] or [
        two for one in after for two in map(one.play, one.legal("oplayer")) if parts.bounds(two)
    ]
    assert known
    assert all(parts.bounds(one) == whole.bounds(one) for one in known)
    plain, helped = Prover(game, SMALL), Prover(game, SMALL, endings=parts)
    assert plain.bounds_of(plain.row(state)) == helped.bounds_of(helped.row(state))
    assert helped.positions < plain.positions


def test_no_time_finds_none() -> None:
    game = compiled("nim:1,2,4")
    made = endings_below(game, game.initial(), seconds=0)
    assert len(made) == 0
    assert made.bounds(game.initial()) is None


def test_a_search_in_a_game_with_cycles_agrees_with_its_endings() -> None:
    game = compiled(MORRIS)
    found = solution(MORRIS)
    deep = [n for n in range(len(found.space)) if found.distance[n] in (7, 8, 9)][:20]
    search = Prover(game, SMALL, endings=endings_of(found))
    for number in deep:
        row = search.row(found.space.state(number))
        low, high = search.bounds_of(row)
        assert search.values[low] == search.values[high] == int(found.values[number])


def test_a_file_is_read_again_and_a_damaged_one_refused(tmp_path: Path) -> None:
    game, path = compiled("connect:3,4x4"), tmp_path / "endings"
    made = endings_of(solution("connect:3,4x4"), about="all of it")
    made.save(path)
    again = Endings.load(game, path)
    assert (len(again), again.about, again.total) == (len(made), "all of it", 100)
    assert (again.rows == made.rows).all()
    assert (again.low == made.low).all()
    with pytest.raises(InputError, match=r"endings of connect:3,4x4, not of these rules"):
        Endings.load(compiled("tictactoe"), path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match=r"damaged[^\n]*\n  hint: kibitz endings"):
        Endings.load(game, path)
    Prover(game, SMALL).table.save(game, path)
    with pytest.raises(InputError, match="holds no endings"):
        Endings.load(game, path)


def test_a_table_without_room_and_goals_that_are_not_opposed_are_refused() -> None:
    made = endings_of(solution("connect:3,4x4"))
    with pytest.raises(InputError, match="no room"):
        Prover(compiled("connect:3,4x4"), SMALL_TABLE, endings=made)
    game = CompiledGame(read(TWICE))
    state = game.initial()
    other = Endings(game, made.rows[:0], made.low[:0], made.high[:0], 150)
    assert other.bounds(state) is None
    with pytest.raises(KibitzError, match="not opposed"):
        Prover(game, SMALL, endings=other)


SMALL_TABLE = type(SMALL)(seconds=LONG, memory=200_000, threads=1)
