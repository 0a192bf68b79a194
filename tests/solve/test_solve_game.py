"""One way from a game to its solution, and one refusal where there is none."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from kibitz import budget
from kibitz.engine import CompiledGame, ReferenceGame
from kibitz.errors import BudgetExceededError, IncompleteError, NotCompiledError, StuckError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.solve import MaxnSolution, MixedSolution, Solution, solve_game
from kibitz.space import Limits, Stop, explore, find_symmetries

_THREE = """
    (role a) (role b) (role c) (init start)
    (legal a one) (legal a two) (legal b wait) (legal c wait)
    (<= (next (played ?m)) (does a ?m)) (<= terminal (not (true start)))
    (<= (goal a 100) (true (played one))) (<= (goal a 0) (not (true (played one))))
    (goal b 50) (goal c 50)
"""
_STUCK = "(role a) (init p) (<= (legal a go) (true p)) (<= terminal (true q)) (goal a 0)"


def test_each_game_is_solved_in_the_way_it_calls_for() -> None:
    assert type(solve_game(CompiledGame(load_sheet("nim:1,2")))) is Solution
    assert type(solve_game(CompiledGame(load_sheet("roshambo")))) is MixedSolution
    assert type(solve_game(CompiledGame(read(_THREE)))) is MaxnSolution


def test_a_game_is_solved_from_given_states_and_up_to_symmetry() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    whole = solve_game(game)
    reduced = solve_game(game, symmetries=find_symmetries(game))
    later = solve_game(game, starts=[game.initial().step(["(mark 2 2)", "noop"])])
    assert (len(whole.space), len(reduced.space)) == (5478, 765)
    assert later.space.state(0) == game.initial().step(["(mark 2 2)", "noop"])
    assert whole.value() == reduced.value() == later.value()


@pytest.mark.parametrize(
    ("limits", "limit", "option"),
    [
        (Limits(states=1000), "states", "--max-states"),
        (Limits(seconds=0), "time", "--timeout"),
        (Limits(bytes=1), "memory", "--memory"),
    ],
)
def test_a_limit_that_is_met_is_named_with_the_option_that_raises_it(
    limits: Limits, limit: str, option: str
) -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    with pytest.raises(IncompleteError) as caught:
        solve_game(game, limits=limits)
    error = caught.value
    assert (error.game, error.limit) == ("connect:3,4x4", limit)
    assert error.states == len(explore(game, limits=limits)) < 41750
    assert f"at the limit of {limit}" in error.message
    assert error.hint == f"allow more {limit} with {option}"


def test_the_time_of_the_whole_command_is_a_limit_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    game = CompiledGame(load_sheet("nim:1,2"))
    monkeypatch.setattr(budget, "_limit", [10.0, 0.0])
    assert explore(game).stopped == Stop("time")


def test_limits_may_say_what_to_do_instead() -> None:
    with pytest.raises(IncompleteError) as caught:
        solve_game(CompiledGame(load_sheet("sim")), limits=Limits(states=1, hint="take a nap"))
    assert caught.value.hint == "take a nap"


def test_the_refusal_keeps_its_fields_across_processes() -> None:
    error = IncompleteError("sim", states=7, limit="time", seconds=2.0, bytes=9)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (IncompleteError, str(error), vars(error))
    assert isinstance(error, BudgetExceededError)


def test_a_game_in_which_play_can_get_stuck_is_refused() -> None:
    with pytest.raises(StuckError, match="play in short can get stuck") as caught:
        solve_game(CompiledGame(read(_STUCK, name="short")))
    assert caught.value.states == 1


@pytest.mark.parametrize("work", [explore, solve_game])
def test_a_game_that_is_not_compiled_is_refused(work: Any) -> None:
    with pytest.raises(NotCompiledError, match="nim:1,2 is not compiled") as caught:
        work(ReferenceGame(load_sheet("nim:1,2")))
    assert caught.value.game == "nim:1,2"
