"""Random play: repeatable, uniform, and right in every corner."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest
from tests.engine.suite import BACKENDS
from tests.foreign import FOREIGN, needs_foreign

from kibitz.engine import Game, ReferenceGame, UngroundedGame
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.compiled.simulation import Simulation, simulate
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, read
from kibitz.present.explanation.value_sentences import random_sentence
from kibitz.space import explore, longest_matches

NATIVE = ("straight", "interpreter")


@cache
def compiled(text: str, backend: str = "auto") -> CompiledGame:
    sheet = read(text, form="kif") if "(" in text else load_sheet(text)
    return CompiledGame(sheet, backend=backend)


def without_time(result: Simulation) -> tuple[object, ...]:
    return (result.playouts, result.states, result.stuck, result.mean_length, result.mean_goals)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_seed_gives_the_same_result(backend: str, threads: int) -> None:
    game = compiled("connect:3,4x4", backend)
    results = [
        without_time(simulate(game, playouts=5_000, seed=seed, threads=threads))
        for seed in (7, 7, 8)
    ]
    assert results[0] == results[1] != results[2]


@pytest.mark.parametrize("name", ["tictactoe", "roshambo", "threemensmorris", "nim:1,3,5,7"])
def test_both_kinds_of_native_code_play_the_same_matches(name: str) -> None:
    one, other = (
        without_time(simulate(compiled(name, backend), playouts=3_000, threads=1))
        for backend in NATIVE
    )
    assert one == other


@pytest.mark.parametrize("backend", BACKENDS)
def test_tictactoe_is_won_as_often_as_it_should_be(backend: str) -> None:
    # Exact chances under uniform play: x 0.5849, o 0.2881, draw 0.1270 of all matches.
    result = simulate(compiled("tictactoe", backend), playouts=300_000, seed=1)
    x, o = 0.584920634920635, 0.288095238095238
    draw = 1 - x - o
    for role, win in (("xplayer", x), ("oplayer", o)):
        expected = 100 * win + 50 * draw
        spread = math.sqrt(win * 100**2 + draw * 50**2 - expected**2)
        found = result.mean_goals[role]
        assert found is not None
        assert abs(found - expected) < 4 * spread / math.sqrt(result.playouts)
    length = 5 * 0.0952380952 + 6 * 0.0880952381 + 7 * 0.26190476 + 8 * 0.2 + 9 * 0.3547619
    assert result.mean_length == pytest.approx(length, abs=0.02)
    assert (result.stuck, result.unfinished) == (0, 0)


def choosing(moves: list[int]) -> str:
    """Write a game of one step, in which role i has so many moves, at once with the others."""
    lines = []
    for role, count in enumerate(moves):
        lines.append(f"(role r{role})")
        lines += [f"(legal r{role} (m{role} {i}))" for i in range(count)]
        lines += [
            f"(<= (goal r{role} {value}) (true (last r{role} {value})))" for value in range(count)
        ]
        lines.append(f"(<= (next (last r{role} ?x)) (does r{role} (m{role} ?x)))")
    pairs = "(<= (next over) (does r0 ?m)) (<= terminal (true over))"
    return "\n".join([*lines, pairs])


def tallies(game: CompiledGame, rounds: int) -> npt.NDArray[np.int64]:
    """Play on, and give how often each goal was reached, by role."""
    playing = game.machine.playouts(5)
    playing.run(rounds)
    counts: npt.NDArray[np.int64] = playing.counts[3:]
    return counts


def chi_square(counts: npt.NDArray[np.int64]) -> float:
    """Give by how many deviations the statistic of a uniform choice is too large."""
    expected = counts.sum() / len(counts)
    statistic = ((counts - expected) ** 2 / expected).sum()
    free = len(counts) - 1
    return float((statistic - free) / math.sqrt(2 * free))


@pytest.mark.parametrize(
    "moves", [[2], [3], [7], [8], [9], [16], [17], [24], [40], [3, 5], [8, 9], [40, 2], [5, 17, 3]]
)
def test_every_move_is_chosen_equally_often(moves: list[int]) -> None:
    counts = tallies(compiled(choosing(moves), "interpreter"), 600)
    start = 0
    for count in moves:
        part = counts[start : start + count]
        assert part.sum() > 50_000
        assert abs(chi_square(part)) < 4.5
        start += count


def test_roles_choose_independently_of_one_another() -> None:
    pairs = [(a, b) for a in range(5) for b in range(4)]
    met = "".join(
        f"(<= (goal r0 {5 * b + a}) (true (last r0 {a})) (true (last r1 {b})))" for a, b in pairs
    )
    text = choosing([5, 4]).replace("(goal r0", "(ignored r0") + met
    counts = tallies(compiled(text), 600)[:20]
    assert counts.sum() > 100_000
    assert abs(chi_square(counts)) < 4.5


def test_three_hundred_moves_are_all_chosen() -> None:
    numbers = "".join(f"(n {i})" for i in range(300))
    values = "".join(f"(score {i} {i % 101})" for i in range(300))
    text = f"""(role me) {numbers} {values} (<= (legal me (pick ?x)) (n ?x))
        (<= (next (last ?x)) (does me (pick ?x))) (<= terminal (true (last ?x)))
        (<= (goal me ?v) (true (last ?x)) (score ?x ?v))"""
    result = simulate(compiled(text), playouts=100_000)
    expected = sum(i % 101 for i in range(300)) / 300
    assert result.mean_goals["me"] == pytest.approx(expected, abs=0.5)
    assert 1 <= (result.mean_length or 0) < 1.1


def test_only_legal_moves_are_chosen_where_lanes_differ() -> None:
    # A match of nim is over after at most as many moves as there are matches in the heaps.
    result = simulate(compiled("nim:1,3,5,7"), playouts=20_000)
    wins = [goal or 0 for goal in result.mean_goals.values()]
    assert sum(wins) == pytest.approx(100)
    assert result.stuck == 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_matches_end_where_a_role_has_no_move_and_are_counted_apart(backend: str) -> None:
    text = """(role me) (init (at 1)) (<= (legal me left) (true (at 1)))
        (<= (legal me right) (true (at 1))) (<= (next (at 2)) (does me left))
        (<= (next (at 3)) (does me right)) (<= terminal (true (at 3))) (goal me 40)"""
    result = simulate(compiled(text, backend), playouts=4_000)
    assert result.stuck / (result.stuck + result.playouts) == pytest.approx(0.5, abs=0.05)
    assert result.mean_length == pytest.approx(1, abs=0.1)
    assert result.mean_goals == {"me": 40}


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_game_that_is_over_at_once_has_matches_of_no_moves(backend: str) -> None:
    result = simulate(compiled("(role me) (legal me a) terminal (goal me 30)", backend), playouts=9)
    assert (result.states, result.mean_length, result.mean_goals) == (0, 0.0, {"me": 30.0})
    assert result.playouts >= 9


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_role_without_any_move_leaves_all_matches_stuck(backend: str) -> None:
    text = "(role me) (role you) (legal me a) (<= terminal (true p)) (goal me 0)"
    result = simulate(compiled(text, backend), playouts=10)
    assert (result.playouts, result.states, result.mean_goals) == (0, 0, {"me": None, "you": None})
    assert result.stuck >= 10


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_role_and_six_roles_may_play(backend: str) -> None:
    alone = simulate(compiled("maze", backend), seconds=0.05)
    assert alone.states > 0
    roles = "".join(f"(role r{i})" for i in range(6))
    text = f"""{roles} (n 1) (n 2) (<= (legal ?r (pick ?n)) (role ?r) (n ?n))
        (<= (next (picked ?r ?n)) (does ?r (pick ?n))) (<= terminal (true (picked ?r ?n)))
        (<= (goal ?r 100) (true (picked ?r 1))) (<= (goal ?r 0) (true (picked ?r 2)))"""
    result = simulate(compiled(text, backend), playouts=20_000)
    assert len(result.mean_goals) == 6
    for goal in result.mean_goals.values():
        assert goal == pytest.approx(50, abs=3)


def test_the_reference_engine_plays_too() -> None:
    result = simulate(ReferenceGame(load_sheet("nim:1,1")), playouts=3)
    assert result.mean_goals == {"player1": 0.0, "player2": 100.0}
    assert result.playouts >= 3


def test_time_bounds_the_play() -> None:
    result = simulate(compiled("tictactoe"), seconds=0.2)
    assert 0.2 <= result.seconds < 60
    assert result.states_per_second == pytest.approx(result.states / result.seconds)
    assert result.states > 1000


@pytest.mark.parametrize("name", ["tictactoe", "nim:1,2", "connect:3,4x4", "roshambo"])
@pytest.mark.parametrize("backend", ["straight", "interpreter"])
def test_a_mean_length_is_at_most_that_of_the_longest_match(name: str, backend: str) -> None:
    game = compiled(name, backend)
    longest = int(longest_matches(explore(CompiledGame(load_sheet(name))))[0])
    for playouts in (1, 300, 3000):
        result = simulate(game, playouts=playouts, threads=1)
        assert result.playouts >= playouts
        assert result.unfinished == 0
        assert result.mean_length is not None
        assert result.mean_length <= longest


@needs_foreign
@pytest.mark.parametrize(("name", "longest"), [("dotsAndBoxesSuicide", 60), ("hidato19", 20)])
def test_foreign_matches_of_few_lengths_have_no_longer_mean(name: str, longest: int) -> None:
    sheet = read((FOREIGN / "rules" / f"{name}.kif").read_text("utf-8"))
    result = simulate(CompiledGame(sheet), playouts=600, threads=1)
    assert result.mean_length is not None
    assert result.mean_length <= longest


TRAP = """
(role me) (init (at door))
(<= (legal me ?m) (true (at door)) (way ?m ?to)) (way out street) (way down cellar) (way stay door)
(<= (legal me wait) (true (at cellar)))
(<= (next (at ?to)) (does me ?m) (way ?m ?to)) (<= (next (at cellar)) (true (at cellar)))
(<= terminal (true (at street)))
(<= (goal me 100) (true (at street))) (<= (goal me 0) (not (true (at street))))
"""


@pytest.mark.parametrize("made", [CompiledGame, UngroundedGame])
def test_matches_that_never_end_are_reported_and_no_part_of_the_mean(
    made: Callable[[RuleSheet], Game],
) -> None:
    result = simulate(made(read(TRAP, name="trap")), playouts=1, seconds=1, threads=1, seed=4)
    if made is CompiledGame:
        assert result.unfinished == 512  # all lanes end up in the cellar
        assert result.mean_length == pytest.approx(1.5, abs=0.2)
    else:
        assert result.playouts + result.unfinished >= 1


@pytest.mark.parametrize("made", [CompiledGame, UngroundedGame])
def test_a_number_of_matches_is_given_up_where_all_are_in_endless_play(
    made: Callable[[RuleSheet], Game],
) -> None:
    result = simulate(made(read(TRAP, name="trap")), playouts=100_000, threads=1, seed=4)
    assert result.playouts < 100_000
    assert result.unfinished == (512 if made is CompiledGame else 1)


def test_an_explanation_gives_the_mean_length_that_simulation_gives() -> None:
    for game in (compiled("tictactoe"), compiled("roshambo"), compiled("nim:1,2,3")):
        result = simulate(game, playouts=2000, seconds=100, seed=1, threads=1)
        sentence = random_sentence(game, 100, 0)
        assert f"In {result.playouts:,} random matches" in sentence
        assert f"they last {result.mean_length:.0f} moves" in sentence
