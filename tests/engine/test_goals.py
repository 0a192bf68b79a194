"""Goals that are no whole numbers from 0 to 100: no engine counts them, one message names them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kibitz.engine import Game, ReferenceGame
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.compiled.simulation import simulate
from kibitz.engine.ungrounded import UngroundedGame
from kibitz.errors import KibitzError
from kibitz.gdl import RuleSheet, parse
from kibitz.solve import solve
from kibitz.space import explore

SHEET = """(role a) (role b)
(init (at 1))
(value 2 50) (value 3 {value})
(<= (legal a (go ?x)) (value ?x ?v))
(legal b noop)
(<= (next (at ?x)) (does a (go ?x)))
(<= terminal (true (at 2)))
(<= terminal (true (at 3)))
(<= (goal a ?v)
    (true (at ?x)) (value ?x ?v))
{more}
(goal b 50)
"""


@pytest.mark.parametrize("make", [ReferenceGame, CompiledGame, UngroundedGame])
@pytest.mark.parametrize("value", ["150", "101", "-1", "many", "(f 1)"])
def test_a_value_outside_0_to_100_is_no_goal(make: Callable[[RuleSheet], Game], value: str) -> None:
    game = make(parse(SHEET.format(value=value, more="")))
    state = game.initial().step(["(go 3)", "noop"])
    assert state.is_terminal
    assert state.goals == {"a": None, "b": 50}
    assert game.initial().step(["(go 2)", "noop"]).goals == {"a": 50, "b": 50}


@pytest.mark.parametrize(
    ("value", "more", "message"),
    [
        ("150", "", "g gives a the goal 150 (line 9), which is not a whole number from 0 to 100"),
        ("many", "", "g gives a the goal many (line 9), which is not a whole number"),
        ("70", "(<= (goal a 30) (true (at 3)))", "more than one goal: 30 (lines 9, 11) and 70 (li"),
        ("70", "(role c) (legal c noop) (<= (goal c 0) (true (at 2)))", "g gives c no goal"),
    ],
)
def test_solving_names_the_goal_and_its_rule(value: str, more: str, message: str) -> None:
    game = CompiledGame(parse(SHEET.format(value=value, more=more), name="g"))
    space = explore(game)
    from kibitz.solve.retrograde import sums_of_goals

    with pytest.raises(KibitzError) as raised:
        sums_of_goals(space)
    assert message in raised.value.message
    assert "(at 3)" in raised.value.hint
    with pytest.raises(KibitzError):
        solve(space)


def test_random_matches_without_a_goal_have_no_mean() -> None:
    game = CompiledGame(parse(SHEET.format(value="150", more="")))
    assert simulate(game, playouts=500, seed=1).mean_goals == {"a": None, "b": 50}
