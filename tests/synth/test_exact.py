"""Proofs that fewer rules do not suffice."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import HealthCheck, assume, given, strategies as st
from tests.effort import examples, quick
from tests.synth.turn_games import turn_games

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import BudgetExceededError, InputError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet
from kibitz.strategy import read_strategy
from kibitz.synth import Options, synthesise
from kibitz.synth.problem.problem import Problem, make_problem
from kibitz.synth.problem.situation_bits import Reading
from kibitz.synth.search.exact import decide, fewest_literals
from kibitz.synth.search.lists import Bench, CandidateRule
from kibitz.synth.synthesis import prepare


def problem(name: str, role: str, reading: Reading = "any") -> Problem:
    made = prepare(CompiledGame(load_sheet(name)), reading=reading)
    return make_problem(made.solution, role, symmetries=made.symmetries, reading=reading)


def test_four_rules_do_not_suffice_for_tic_tac_toe() -> None:
    asked = problem("tictactoe", "xplayer")
    assert decide(asked, 3).is_impossible
    assert decide(asked, 4).is_impossible
    found = decide(asked, 5).rules
    assert found is not None
    assert Bench(asked).is_right(found)


@pytest.mark.slow
def test_five_literals_are_the_fewest_that_five_rules_for_tic_tac_toe_have() -> None:
    asked = problem("tictactoe", "xplayer")
    found, least, _ = fewest_literals(asked, 5, 7)
    assert least == 5
    assert found is not None
    assert sum(len(rule.literals) for rule in found) == 5
    assert Bench(asked).is_right(found)
    assert fewest_literals(asked, 5, 5) == (None, 5, False)


def test_bounds_hold_where_the_first_image_counts() -> None:
    asked = problem("mnk:2,3,2", "xplayer", "first")
    length = 1
    while (answer := decide(asked, length)).rules is None:
        assert answer.is_impossible
        length += 1
    assert Bench(asked).is_right(answer.rules)
    made = synthesise(asked.game, "xplayer", Options(reading="first", rounds=10))
    assert made.proved_minimal
    assert len(made.rules) == length
    assert decide(problem("tictactoe", "xplayer", "first"), 1).is_impossible


@pytest.mark.slow
def test_seven_rules_do_not_suffice_for_the_second_player() -> None:
    assert decide(problem("tictactoe", "oplayer"), 7).is_impossible


@pytest.mark.parametrize("name", quick(["nim:2,2", "nim:1,2,3"], ["nim:2,2"]))
def test_a_search_says_that_no_shorter_list_exists(name: str) -> None:
    found = synthesise(CompiledGame(load_sheet(name)), "player2", Options(rounds=5))
    assert found.proved_minimal
    assert found.lower_bound == len(found.rules)
    assert len(found.rules) == 8 or name == "nim:2,2"


@pytest.mark.parametrize("reading", ["none", "first"])
def test_the_exact_method_finds_the_shortest_list_by_itself(reading: Reading) -> None:
    options = Options(method="exact", reading=reading, seconds=900)
    found = synthesise(CompiledGame(load_sheet("nim:2,3")), "player1", options)
    assert found.proved_minimal
    assert found.proved_fewest_literals
    assert found.as_json()["literals_lower_bound"] == found.literals
    assert found.verdict.strongly_optimal


def test_the_exact_method_says_how_far_it_came() -> None:
    options = Options(method="exact", seconds=0.5)
    with pytest.raises(BudgetExceededError, match=r"at least [0-9]+ rules are needed"):
        synthesise(CompiledGame(load_sheet("nim:1,3,5,7")), "player2", options)


def test_the_exact_method_takes_no_rules_to_start_with() -> None:
    game = CompiledGame(load_sheet("nim:1,2"))
    start = read_strategy("true => (reduce b 1)", game)
    with pytest.raises(InputError, match="exact"):
        synthesise(game, "player1", Options(method="exact"), start=start)


def shortest_by_trying_all(asked: Problem, most: int) -> int | None:
    """Try all lists of rules with at most one literal; a right list may have more."""
    arrays = asked.arrays
    rules = []
    for orbit in range(len(asked.orbit_moves)):
        usable = arrays.usable[arrays.usable_first[orbit] : arrays.usable_first[orbit + 1]]
        rules += [CandidateRule(orbit), *(CandidateRule(orbit, (int(x),)) for x in usable)]
    bench = Bench(asked)
    for length in range(1, most + 1):
        if len(rules) ** length > 20_000:
            return None
        if any(bench.is_right(tried) for tried in product(rules, repeat=length)):
            return length
    return None


@given(sheet=turn_games(), role=st.integers(0, 1), reading=st.sampled_from(["none", "first"]))
@examples(12, suppress_health_check=list(HealthCheck))
def test_a_bound_is_never_above_a_list_that_exists(
    sheet: RuleSheet, role: int, reading: Reading
) -> None:
    made = prepare(CompiledGame(sheet), reading=reading)
    try:
        asked = make_problem(
            made.solution, made.game.roles[role], symmetries=made.symmetries, reading=reading
        )
    except InputError:
        return
    assume(not Bench(asked).is_right([]))
    length = 1
    while (answer := decide(asked, length)).rules is None:
        assert answer.is_impossible
        length += 1
    assert Bench(asked).is_right(answer.rules)
    simple = shortest_by_trying_all(asked, length)
    assert simple is None or simple >= length
    known = sum(len(rule.literals) for rule in Bench(asked).pruned(answer.rules))
    better, least, _ = fewest_literals(asked, length, known)
    assert better is None or sum(len(rule.literals) for rule in better) == least
    assert fewest_literals(asked, length, least) == (None, least, False)
