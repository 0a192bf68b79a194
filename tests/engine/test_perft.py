"""Counting, against known counts and against counting one state at a time."""

from __future__ import annotations

import tracemalloc
from functools import cache
from math import comb

import pytest
from hypothesis import given
from tests.effort import examples
from tests.engine.suite import BACKENDS, compile_all
from tests.random_games import games

from kibitz.engine import ReferenceGame
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.compiled.perft import perft
from kibitz.errors import KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, read


@cache
def compiled(text: str, backend: str = "auto") -> CompiledGame:
    sheet = read(text, form="kif") if "(" in text else load_sheet(text)
    return CompiledGame(sheet, backend=backend)


def numbers(count: int) -> str:
    return "".join(f"(n {i})" for i in range(count))


def compile_aside(sheet: RuleSheet, folder: str) -> list[CompiledGame]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIBITZ_CACHE", folder)
        return compile_all(sheet)


EVERYTHING = (1, 9, 72, 504, 3024, 15120, 60480, 181440, 362880, 362880)
STOPPING = (1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("threads", [1, 2])
def test_tictactoe_has_as_many_states_as_paper_002_says(backend: str, threads: int) -> None:
    game = compiled("tictactoe", backend)
    whole = perft(game, 9, threads=threads)
    assert (whole.per_depth, whole.states) == (EVERYTHING, 986_410)
    stopping = perft(game, 9, threads=threads, stop_at_terminal=True)
    assert (stopping.per_depth, stopping.states) == (STOPPING, 549_946)


def test_sum15_stops_where_it_ends() -> None:
    assert perft(compiled("sum15"), 9, stop_at_terminal=True).states == 549_946
    assert perft(compiled("sum15"), 8, stop_at_terminal=True).states == 422_074
    assert perft(compiled("sum15"), 8).states == 623_530


@pytest.mark.parametrize("name", ["roshambo", "nim:1,2", "maze", "threemensmorris", "chomp"])
def test_the_reference_engine_counts_the_same(name: str) -> None:
    reference = ReferenceGame(load_sheet(name))
    for stop in (False, True):
        expected = perft(reference, 2, stop_at_terminal=stop).per_depth
        assert perft(compiled(name), 2, stop_at_terminal=stop).per_depth == expected


@examples(5)
@given(sheet=games())
def test_random_games_are_counted_the_same_by_all(sheet: RuleSheet, cache_aside: str) -> None:
    compiled_games = compile_aside(sheet, cache_aside)
    depth = 2 if perft(compiled_games[0], 2).states < 300 else 1
    for stop in (False, True):
        expected = perft(ReferenceGame(sheet), depth, stop_at_terminal=stop).per_depth
        for game in compiled_games:
            assert perft(game, depth, stop_at_terminal=stop, threads=1).per_depth == expected


@examples(5)
@given(sheet=games())
def test_backends_count_random_games_the_same_further_down(
    sheet: RuleSheet, cache_aside: str
) -> None:
    compiled_games = compile_aside(sheet, cache_aside)
    depth = 5 if perft(compiled_games[0], 2).states < 100 else 3
    found = {perft(game, depth, threads=2).per_depth for game in compiled_games}
    assert len(found) == 1


def test_depth_nothing_is_the_initial_state() -> None:
    assert perft(compiled("tictactoe"), 0).per_depth == (1,)
    assert perft(ReferenceGame(load_sheet("tictactoe")), 0).per_depth == (1,)


def test_below_the_end_there_is_nothing() -> None:
    assert perft(compiled("nim:1,2"), 200, stop_at_terminal=True).per_depth[4:] == (0,) * 197
    result = perft(compiled("tictactoe"), 2_000)
    assert result.states == 986_410
    assert result.per_depth[10:] == (0,) * 1_991


MIXED = f"""(role a) (role b) {numbers(40)} (init (room 0))
(<= (legal a (go ?x)) (n ?x)) (<= (legal b (go ?x)) (true (room ?y)) (below ?x ?y)) (legal b stay)
(<= (next (room ?x)) (does a (go ?x))) (<= terminal (true (room 39))) (goal a 0) (goal b 0)
""" + "".join(f"(below {i} {j})" for j in range(40) for i in range(j))
"""After `a` goes to room j, `b` has j + 1 moves: joint moves, and few or many of them."""


def test_roles_that_move_at_once_multiply_their_moves() -> None:
    # A state in room j has 40 (j + 1) successors, and 40 rooms come after each joint move.
    each = 40 * sum(range(1, 41))
    expected = (1, 40, each, each**2 // 40, each**3 // 1600)
    assert perft(compiled(MIXED), 4).per_depth == expected
    assert perft(compiled(MIXED, "interpreter"), 3, threads=1).per_depth == expected[:4]
    assert perft(compiled(MIXED, "interpreter"), 3).per_depth == expected[:4]


def test_stopping_at_the_end_is_exact_where_roles_move_at_once() -> None:
    alive = [40 * (j + 1) for j in range(39)]
    level = [1] + [0] * 39
    expected = [1]
    for _ in range(4):
        arriving = sum(level[j] * alive[j] // 40 for j in range(39))
        level = [arriving] * 40
        expected.append(40 * arriving)
    assert perft(compiled(MIXED), 4, stop_at_terminal=True).per_depth == tuple(expected)


SPARSE = """(role me) (init (left 12)) (<= (legal me (take ?k)) (true (left ?n)) (at_most ?k ?n))
(<= (legal me pass) (true (left 0)) (true never))
(<= (next (left ?m)) (true (left ?n)) (does me (take ?k)) (less ?n ?k ?m))
(<= terminal (true (left 0))) (goal me 0)
"""
SPARSE += "".join(
    f"(at_most {k} {n}) (less {n} {k} {n - k})" for n in range(1, 13) for k in range(1, n + 1)
)


def test_states_with_few_and_many_moves_are_squeezed_together() -> None:
    # Ways to take d times from a heap of 12: compositions, of which C(11, d - 1) end with nothing.
    expected = tuple(sum(comb(n - 1, d - 1) for n in range(1, 13)) for d in range(1, 13))
    found = perft(compiled(SPARSE), 14).per_depth
    assert found == (1, *expected, 0, 0)
    assert perft(compiled(SPARSE, "interpreter"), 14).per_depth == found


def test_counts_beyond_a_machine_word_are_exact_or_refused() -> None:
    roles = "".join(f"(role r{i})" for i in range(8))
    text = f"""{roles} {numbers(250)} (<= (legal ?r (pick ?x)) (role ?r) (n ?x))
        (<= (next (some ?r)) (does ?r (pick 5))) (<= terminal (true none)) (goal r0 0)"""
    game = compiled(text, "interpreter")
    assert perft(game, 1).per_depth == (1, 250**8)
    with pytest.raises(KibitzError, match="too many joint moves to count"):
        perft(game, 2)


def test_memory_stays_small_where_a_state_has_thousands_of_successors() -> None:
    text = f"""(role a) (role b) {numbers(70)} (<= (legal ?r (pick ?x)) (role ?r) (n ?x))
        (<= (next (last ?r ?x)) (does ?r (pick ?x))) (<= terminal (true none)) (goal a 0)"""
    game = compiled(text)
    tracemalloc.start()
    try:
        found = perft(game, 3).per_depth
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found == (1, 70**2, 70**4, 70**6)
    assert most < 200_000_000


def test_forced_moves_may_go_on_for_thousands_of_levels() -> None:
    steps = "".join(f"(s {i} {i + 1})" for i in range(14))
    text = f"""(role me) {steps} (init (step 0)) (legal me a)
        (<= (legal me b) (true (step ?n)) (s ?n ?m))
        (<= (next (step ?m)) (true (step ?n)) (s ?n ?m)) (<= (next (step 14)) (true (step 14)))
        (<= (next (said ?n)) (true (step ?n)) (does me b)) (<= (next (said ?n)) (true (said ?n)))
        (<= terminal (true none)) (goal me 0)"""
    found = perft(compiled(text), 3_000).per_depth
    assert found == (*(2**i for i in range(14)), *(2**14 for _ in range(14, 3_001)))


def test_progress_is_told_and_never_falls() -> None:
    told: list[int] = []
    total = perft(compiled("connectfour"), 8, progress=told.append).states
    assert told == sorted(told)
    assert 0 < told[-1] <= total


@pytest.mark.slow
def test_connect_four_has_the_known_number_of_plays() -> None:
    # As the game written by hand counts it, play stopping at wins.
    found = perft(compiled("connectfour"), 8, stop_at_terminal=True).per_depth
    assert found == (1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234)
