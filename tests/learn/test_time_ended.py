"""Learning without a time depends on the input alone; where time ends it, it says so."""

from __future__ import annotations

import time

import pytest

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.learn.constraints import learn_constraints, solution_from
from kibitz.learn.preferences.bias import automatic_bias
from kibitz.learn.preferences.examples import examples_from_solution
from kibitz.learn.preferences.preference_search import learn_preferences


def test_learning_without_a_time_is_the_same_on_a_slower_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = CompiledGame(load_sheet("nim:1,2,3"))
    bias = automatic_bias(game.sheet)
    found = learn_constraints(game.initial(), bias)
    clock = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: 1000 * clock())
    hurried = learn_constraints(game.initial(), bias)
    assert hurried.learned.preferences == found.learned.preferences
    assert hurried.learned == found.learned
    assert found.learned.is_smallest
    assert not found.time_ended
    assert not hurried.time_ended


def test_learning_that_time_ended_says_so() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    result = learn_constraints(game.initial(), automatic_bias(game.sheet), seconds=1e-6)
    assert result.time_ended
    assert not result.learned.is_smallest


def test_learning_ends_after_a_number_of_conflicts() -> None:
    game = CompiledGame(load_sheet("nim:1,2,3"))
    examples = examples_from_solution(solution_from(game.initial()))
    bias = automatic_bias(game.sheet)
    whole = learn_preferences(game.sheet, examples, bias)
    short = learn_preferences(game.sheet, examples, bias, conflicts=0)
    assert (whole.is_smallest, short.is_smallest) == (True, False)
    assert whole.conflicts > 0
    assert not short.time_ended
