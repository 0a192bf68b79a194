"""Published rule lists are judged as independent programs found them to be."""

from __future__ import annotations

import pytest
from tests.foreign import FOREIGN, needs_foreign
from tests.strategy.made import game, judge, shipped, solution

from kibitz.engine import ReferenceGame
from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError
from kibitz.gdl import read
from kibitz.solve import edge_sources, keeping_edges, progress_edges, solve
from kibitz.space import explore
from kibitz.strategy import MoveSet, read_strategy, shipped_text, verify, verify_by_reference
from kibitz.strategy.evaluation.rule_images import symmetries_of


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
    value, space = solved.values, solved.space
    everything = read_strategy("true", game("nim:1,2,4,5")).on(space, "player1")
    source = [s for s in range(len(space)) for _ in space.moves(s)]
    best = MoveSet(space, "player1", everything.chosen & (value[space.target] == value[source]))
    assert verify(best, solved, "player1").strongly_optimal
    assert not verify(everything - best, solved, "player1").strongly_optimal


def test_moves_of_another_role_are_refused() -> None:
    moves = read_strategy("true", game("nim:1,2")).on(solution("nim:1,2").space, "player1")
    with pytest.raises(InputError, match="another space or role"):
        verify(moves, solution("nim:1,2"), "player2")


def test_without_a_solution_all_is_said_but_what_is_optimal() -> None:
    space = explore(game("roshambo"))
    verdict = verify(read_strategy("true", game("roshambo")), space, "player1")
    assert (verdict.complete, verdict.deterministic) == (True, False)
    assert (verdict.weakly_optimal, verdict.strongly_optimal, verdict.value) == (None, None, None)
    assert verdict.guarantees == {"player1": 0}
    assert not verdict.is_("strongly_optimal")
    assert verdict.counterexample is None


def test_one_state_of_each_orbit_is_enough_for_rules_read_as_any() -> None:
    name = "tictactoe"
    reduced = solve(explore(game(name), symmetries=symmetries_of(game(name))))
    for text, is_good in ((shipped_text("tictactoe-five"), True), ("true => mark(1,1)", False)):
        one = verify(read_strategy(text, game(name)), reduced, "xplayer")
        other = verify(read_strategy(text, game(name)), solution(name), "xplayer")
        assert one.strongly_optimal is other.strongly_optimal is is_good
        assert one.guarantees == other.guarantees
        assert one.states_checked < other.states_checked
    for text in ("next wins(me)", "symmetric none\ntrue => mark(1,1)"):
        with pytest.raises(InputError, match="symmetric states"):
            verify(read_strategy(text, game(name)), reduced, "xplayer")


def test_a_strategy_can_keep_the_value_and_not_make_progress() -> None:
    verdict = judge("true", "maze", "player")
    assert verdict.strongly_optimal
    assert not verdict.makes_progress
    assert (verdict.value, verdict.guarantees["player"]) == (100, 50)
    assert (verdict.perfect, verdict.grade) == (False, "keeps the value")


CHASE = """(role cop) (role thief) (init (at cop a)) (init (at thief e)) (init (turn cop))
    (road a b) (road b c) (road c d) (road c e) (road b f)
    (<= (near ?x ?y) (road ?x ?y)) (<= (near ?x ?y) (road ?y ?x))
    (<= (near ?x ?x) (road ?x ?y)) (<= (near ?x ?x) (road ?y ?x))
    (<= (legal ?p (go ?x ?y)) (true (turn ?p)) (true (at ?p ?x)) (near ?x ?y))
    (<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
    (<= (next (at ?p ?y)) (does ?p (go ?x ?y)))
    (<= (next (at ?p ?x)) (true (at ?p ?x)) (not (true (turn ?p))))
    (<= (next (turn thief)) (true (turn cop))) (<= (next (turn cop)) (true (turn thief)))
    (<= terminal (true (at cop ?x)) (true (at thief ?x)))
    (<= (goal cop 100) terminal) (<= (goal thief 0) terminal)
    (<= (goal ?p 50) (role ?p) (not terminal))"""


@pytest.mark.parametrize("text", ["true => any", "true => (go a a)", "true => (go b b)"])
def test_a_chase_that_never_ends_is_not_perfect_by_either_checker(text: str) -> None:
    sheet = read(CHASE, name="chase")
    made = CompiledGame(sheet)
    fast = verify(read_strategy(text, made), solve(explore(made)), "cop")
    slow = verify_by_reference(read_strategy(text, ReferenceGame(sheet)), "cop")
    for verdict in (fast, slow):
        assert (verdict.strongly_optimal, verdict.makes_progress) == (True, False)
        assert (verdict.perfect, verdict.grade) == (False, "keeps the value")
        assert (verdict.value, verdict.guarantees["cop"]) == (100, 50)
        shown = verdict.counterexample
        assert verdict.against == "makes_progress"
        assert shown is not None
        assert not set(shown.moves_chosen) <= set(shown.optimal_moves)
        assert set(shown.optimal_moves) < set(shown.keeping_moves)


def test_the_best_moves_of_a_chase_are_perfect_and_those_that_keep_the_value_are_not() -> None:
    solved = solve(explore(CompiledGame(read(CHASE, name="chase"))))
    for edges, is_perfect in ((progress_edges(solved), True), (keeping_edges(solved), False)):
        source = edge_sources(solved.space)
        moves = MoveSet(solved.space, "cop", edges & (solved.space.turn[source] == 0))
        verdict = verify(moves, solved, "cop")
        assert (verdict.strongly_optimal, verdict.perfect) == (True, is_perfect)
        assert verdict.wins is is_perfect


def test_a_strategy_that_stops_play_is_not_perfect() -> None:
    strategy = read_strategy("false", game("nim:1,2"))
    verdict = verify(strategy, solution("nim:1,2"), "player1", silence="stop")
    assert (verdict.strongly_optimal, verdict.perfect, verdict.against) == (True, False, "complete")
    assert verdict.counterexample is not None
    assert verdict.counterexample.moves_chosen == ()
    assert judge("true => (reduce b 1)", "nim:1,2", "player1").perfect


@pytest.mark.parametrize("claim", ["complete", "deterministic", "functional", "wins", "draws"])
def test_a_counterexample_goes_against_the_claim_that_fails(claim: str) -> None:
    strategy = read_strategy("cell(2,2,b) and does(mark(2,2)) or cell(2,2,x)", game("tictactoe"))
    verdict = verify(strategy, solution("tictactoe"), "xplayer", claims=[claim])
    assert verdict.against == claim
    found = verdict.counterexample
    assert found is not None
    state = game("tictactoe").initial()
    for joint in found.path:
        state = state.step(list(joint))
    assert tuple(map(str, state.fluents)) == found.fluents
    chosen = tuple(map(str, strategy.moves(state, "xplayer")))
    if claim in ("wins", "draws"):
        assert state.is_terminal
        assert (state.goals["xplayer"] or 0) < (100 if claim == "wins" else 50)
    elif claim == "deterministic":
        assert len(chosen) > 1
    else:
        assert chosen == ()


@needs_foreign
def test_foreign_rule_sheets_are_judged_as_well() -> None:
    sheet = read((FOREIGN / "rules" / "ticTacToe.kif").read_text("utf-8"), name="foreign")
    made = CompiledGame(sheet)
    space = explore(made)
    five = read_strategy(shipped_text("tictactoe-five"), made)
    assert verify(five, solve(space), "xplayer").strongly_optimal
    lines = read_strategy("line(x)", made).on(space, "oplayer")
    assert len(lines) == 0
    assert len(read_strategy("next line(x)", made).on(space, "xplayer")) > 0
