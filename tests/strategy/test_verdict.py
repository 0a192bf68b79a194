"""Published rule lists are judged as independent programs found them to be."""

from __future__ import annotations

import pytest
from tests.strategy.made import game, judge, shipped, solution

from kibitz.errors import InputError
from kibitz.strategy import MoveSet, read_strategy, verify


def test_table_three_gives_up_a_win_in_sixteen_states_if_any_image_may_be_played() -> None:
    verdict = verify(shipped("tictactoe-table3", "tictactoe"), solution("tictactoe"), "xplayer")
    assert (verdict.rules, verdict.literals, verdict.dead_rules) == (5, 6, ())
    assert not verdict.strongly_optimal
    assert verdict.bad_states == 16
    found = verdict.counterexample
    assert found is not None
    corner, edge = found.path
    assert len(found.path) == 2
    assert (corner[1], edge[0]) == ("noop", "noop")
    assert {"(cell 1 1 x)", "(cell 1 2 o)"} <= set(found.fluents)
    assert set(found.moves_chosen) - set(found.optimal_moves) == {"(mark 3 3)"}


def test_table_three_is_strongly_optimal_for_one_order_of_first() -> None:
    strategy = shipped("tictactoe-table3", "tictactoe")
    assert verify(strategy, solution("tictactoe"), "xplayer", symmetry="first").strongly_optimal


def test_table_four_is_strongly_optimal_in_normal_play_only() -> None:
    verdict = verify(shipped("nim-table4", "nim:1,2,4,5"), solution("nim:1,2,4,5"), "player1")
    assert verdict.strongly_optimal
    assert (verdict.rules, verdict.literals) == (19, 24)
    assert verdict.wins
    assert verdict.guarantees == {"player1": 100, "player2": 0}
    misere = "nim:1,2,4,5,misere"
    verdict = verify(shipped("nim-table4", misere), solution(misere), "player1")
    assert (verdict.strongly_optimal, verdict.bad_states) == (False, 24)


def test_five_rules_are_strongly_optimal_under_any() -> None:
    verdict = verify(shipped("tictactoe-five", "tictactoe"), solution("tictactoe"), "xplayer")
    assert verdict.strongly_optimal
    assert verdict.weakly_optimal
    assert verdict.draws
    assert not verdict.wins
    assert (verdict.rules, verdict.literals, verdict.dead_rules) == (5, 6, ())
    assert verdict.counterexample is None
    assert not verify(
        shipped("tictactoe-five", "tictactoe"), solution("tictactoe"), "xplayer", symmetry="none"
    ).strongly_optimal


def test_the_empty_strategy_is_weakly_but_not_strongly_optimal() -> None:
    verdict = judge("false", "tictactoe", "xplayer")
    assert (verdict.valid, verdict.weakly_optimal, verdict.strongly_optimal) == (False, True, False)
    assert verdict.guarantees == {"xplayer": 0, "oplayer": 50}


def test_every_move_is_complete_and_not_deterministic() -> None:
    verdict = judge("true", "tictactoe", "xplayer")
    assert (verdict.complete, verdict.deterministic, verdict.functional) == (True, False, False)
    assert verdict.states_checked == 5478


def test_a_rule_that_never_decides_is_dead() -> None:
    text = "true => (mark 2 2)\n(cell 1 1 x) => (mark 2 2)\ntrue => (mark 1 1)"
    assert judge(text, "tictactoe", "xplayer").dead_rules == (2,)


def test_a_literal_that_legality_implies_does_not_count() -> None:
    text = "(cell 1 1 b) & (control xplayer) & (cell 2 2 x) => (mark 1 1)"
    assert judge(text, "tictactoe", "xplayer").literals == 1


def test_the_optimal_moves_are_strongly_optimal_and_their_complement_is_not() -> None:
    solved = solution("nim:1,2,4,5")
    value, space = solved.value, solved.space
    everything = read_strategy("true", game("nim:1,2,4,5")).on(space, "player1")
    source = [s for s in range(len(space)) for _ in space.moves(s)]
    best = MoveSet(space, "player1", everything.chosen & (value[space.target] == value[source]))
    assert verify(best, solved, "player1").strongly_optimal
    assert not verify(everything - best, solved, "player1").strongly_optimal


def test_moves_of_another_role_are_refused() -> None:
    moves = read_strategy("true", game("nim:1,2")).on(solution("nim:1,2").space, "player1")
    with pytest.raises(InputError, match="another space or role"):
        verify(moves, solution("nim:1,2"), "player2")
