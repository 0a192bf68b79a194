"""What is found by rounds depends on input and seed alone; where time ends a search, it says so."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from kibitz.budget import Budget
from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.synth import Options, synthesise
from kibitz.synth.problem.difficulty import walk_curve
from kibitz.synth.problem.problem import Problem, make_problem
from kibitz.synth.search.exact import decide
from kibitz.synth.search.search import ListSearch
from kibitz.synth.synthesis import prepare


@pytest.fixture
def hurry(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Give what makes all clocks run a thousand times as fast, as on a machine that is busy."""
    clock = time.perf_counter

    def start() -> None:
        monkeypatch.setattr(time, "perf_counter", lambda: 1000 * clock())

    return start


@pytest.fixture(scope="module")
def tictactoe() -> Problem:
    ready = prepare(CompiledGame(load_sheet("tictactoe")))
    return make_problem(ready.solution, "xplayer", symmetries=ready.symmetries, reading="any")


def test_a_search_that_time_ended_says_so() -> None:
    found = synthesise(CompiledGame(load_sheet("tictactoe")), "xplayer", Options(seconds=1e-6))
    assert found.time_ended
    assert found.as_json()["time_ended"]


def test_a_search_that_came_to_its_end_does_not_speak_of_time() -> None:
    found = synthesise(CompiledGame(load_sheet("nim:1,2")), "player1", Options(rounds=3))
    assert found.proved_fewest_literals
    assert not found.time_ended


def test_a_slower_machine_changes_nothing_that_is_found_by_rounds(
    hurry: Callable[[], None],
) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    options = Options(rounds=3, proof_conflicts=5000)
    found = synthesise(game, "xplayer", options)
    hurry()
    hurried = synthesise(game, "xplayer", options)
    assert hurried.rules == found.rules
    assert hurried.lower_bound == found.lower_bound
    assert hurried.literals_lower_bound == found.literals_lower_bound
    assert not found.time_ended
    assert not hurried.time_ended


def test_a_limit_of_time_that_is_not_met_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    limited = Options(seconds=0.4)
    counted = Options(
        rounds=limited.rounds_to_make, proof_conflicts=limited.conflicts_to_make, seed=limited.seed
    )
    found = synthesise(game, "xplayer", counted)
    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)  # a machine as fast as one likes
    again = synthesise(game, "xplayer", limited)
    assert (again.rules, again.time_ended) == (found.rules, False)
    assert again.lower_bound == found.lower_bound
    assert again.literals_lower_bound == found.literals_lower_bound


def test_symmetries_that_time_cut_off_are_no_silent_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_slow(*_: object, **__: object) -> None:
        raise Budget().exceeded("time", "finding symmetries")

    monkeypatch.setattr("kibitz.synth.synthesis.find_symmetries", too_slow)
    found = synthesise(CompiledGame(load_sheet("nim:1,2")), "player1", Options(rounds=3))
    assert found.time_ended


def test_a_proof_ends_after_a_number_of_conflicts_and_the_same_each_time(
    tictactoe: Problem, hurry: Callable[[], None]
) -> None:
    short = decide(tictactoe, 4, conflicts=1000)
    assert short.rules is None
    assert not short.is_impossible
    assert 900 <= short.conflicts <= 2000
    hurry()
    again = decide(tictactoe, 4, conflicts=1000)
    assert (again.states, again.conflicts) == (short.states, short.conflicts)


def test_more_conflicts_prove_more() -> None:
    ready = prepare(CompiledGame(load_sheet("nim:1,2,4")))
    problem = make_problem(ready.solution, "player1", symmetries=ready.symmetries, reading="any")
    assert not decide(problem, 3, conflicts=20).is_impossible
    assert decide(problem, 3, conflicts=100_000).is_impossible


def test_a_curve_by_rounds_is_the_same_on_a_slower_machine(hurry: Callable[[], None]) -> None:
    game = CompiledGame(load_sheet("nim:1,2,4"))
    curve = list(walk_curve(game, "player1", Options(rounds=10)))
    hurry()
    again = list(walk_curve(game, "player1", Options(rounds=10)))
    assert [p.as_json() for p in again] == [p.as_json() for p in curve]
    assert not any(p.time_ended for p in curve)


def test_a_curve_that_time_ended_says_so() -> None:
    (found,) = walk_curve(
        CompiledGame(load_sheet("nim:1,2,4")), "player1", Options(seconds=1e-6), most=2
    )
    assert found.as_json()["time_ended"]


def test_a_list_that_is_soon_proved_shortest_is_not_looked_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    patience: list[int] = []
    whole = ListSearch.run

    def run(self: ListSearch, phase: str, **more: Any) -> bool:
        if phase == "rules":
            patience.append(more["patience"])
        return whole(self, phase, **more)

    monkeypatch.setattr(ListSearch, "run", run)
    found = synthesise(CompiledGame(load_sheet("nim:1,2,3")), "player2", Options(rounds=200))
    assert found.proved_minimal
    assert len(patience) == 1
    assert patience[0] <= 20
