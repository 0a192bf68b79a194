from __future__ import annotations

import pytest
from tests.present.report.sheets import THREE, solution_of, solved

from kibitz.present.report.course_of_play import (
    anyhow,
    branching_of,
    decisions_of,
    matters,
    meet,
    optimal_play_edges,
    players_of,
    values_of_states,
    walk_forward,
)
from kibitz.present.report.openings import find_hardest, find_openings
from kibitz.space import find_symmetries


def test_decisions_of_a_small_nim_are_as_counted_by_hand() -> None:
    # Heaps 1,2 (leave 1,1), and 0,2 (leave nothing) matter; 1,1 leaves two moves, both lost; every
    # other state leaves one move or none. Best play leaves 1,1, so it meets the first alone.
    solution = solved("nim:1,2")
    random = walk_forward(solution.space, anyhow(solution.space))
    found = decisions_of(solution, random, players_of(solution))
    assert found is not None
    assert (found.with_choice, found.that_matter, found.only_move) == (3, 2, 2)
    assert (found.on_best_play, found.off_best_play) == (1, 1)
    assert found.by_role == {"player1": 1, "player2": 1}
    assert found.per_random_match == pytest.approx(4 / 3)
    assert found.per_best_match == 1
    assert found.mistakes == pytest.approx((2 / 3 + 1 / 3 * 1 / 2) / (4 / 3))


def test_branching_of_a_small_nim_is_as_counted_by_hand() -> None:
    # Choices: 3 in 1,2; 2 in 1,1 and 0,2; 1 in the three states with one thing left.
    solution = solved("nim:1,2")
    found = branching_of(solution.space, walk_forward(solution.space, anyhow(solution.space)))
    assert found.most == 3
    assert found.over_states == pytest.approx(10 / 6)
    assert found.in_random_play == pytest.approx((3 + 2 * 2 / 3 + 1 * 5 / 6) / 2.5)
    assert found.forced == pytest.approx((5 / 6) / 2.5)


def test_players_of_a_small_nim_win_as_counted_by_hand() -> None:
    solution = solved("nim:1,2")
    outcomes = {tuple(o.players.values()): o for o in meet(solution, players_of(solution))}
    # A random first player leaves 1,1 once in three times, which alone wins against perfect play.
    assert outcomes["random", "perfect"].wins["player1"] == pytest.approx(1 / 3)
    assert outcomes["perfect", "random"].wins["player1"] == 1
    assert outcomes["perfect", "perfect"].wins == {"player1": 1, "player2": 0}


def test_openings_that_symmetries_make_equal_are_shown_once() -> None:
    solution = solved("tictactoe")
    symmetries = find_symmetries(solution.space.game)
    found = find_openings(solution, players_of(solution), symmetries)
    assert sorted((o.move, o.alike) for o in found) == [
        ("(mark 1 1)", 4),
        ("(mark 1 2)", 4),
        ("(mark 2 2)", 1),
    ]
    assert all(o.keeps_value for o in found)
    scores = {o.move: o.scores["random"] for o in found}
    whole = sum(scores[o.move] * o.alike for o in found) / 9
    assert whole == pytest.approx(100 * (737 / 1260 + 8 / 63 / 2))


def test_the_only_good_opening_of_nim_is_dominant() -> None:
    found = find_openings(solved("nim:1,2"), players_of(solved("nim:1,2")), None)
    assert (found[0].move, found[0].keeps_value, found[0].is_dominant) == (
        "(reduce b 1)",
        True,
        True,
    )
    assert not any(o.keeps_value or o.is_dominant for o in found[1:])


def test_three_roles_are_counted_by_hand() -> None:
    # Of 3, a takes 1 and b takes 2, or a takes 2 and b takes 1: b wins if it wants to. If b takes 1
    # of 2, c wins. Both of a's moves give it nothing, so neither is a mistake.
    solution = solution_of(THREE)
    assert solution.kind == "outcomes"
    good = optimal_play_edges(solution)
    assert good is not None
    assert int(matters(solution, good).sum()) == 1
    outcomes = {tuple(o.players.values()): o for o in meet(solution, players_of(solution))}
    random = outcomes["random", "random", "random"]
    assert random.wins == pytest.approx({"a": 0, "b": 3 / 4, "c": 1 / 4})
    assert outcomes["random", "perfect", "random"].wins["b"] == 1
    assert outcomes["perfect", "perfect", "perfect"].wins["b"] == 1
    for state in range(len(solution.space)):
        best = {made.to for made in solution.keeping(state)}
        edges = range(solution.space.first_edge[state], solution.space.first_edge[state + 1])
        assert {int(solution.space.target[e]) for e in edges if good[e]} == best


def test_states_are_counted_by_their_worth() -> None:
    assert values_of_states(solved("nim:1,2")) == {
        "won by player1": 5,
        "drawn": 0,
        "won by player2": 3,
    }
    assert values_of_states(solved("hanoi:2")) == {"worth 100": 9}


def test_the_hardest_position_has_fewer_good_moves_than_moves_and_a_picture() -> None:
    solution = solved("nim:1,3,5")
    found = find_hardest(solution, None, count=2)
    assert len(found) == 2
    assert found[0].good == ("(reduce c 2)",)
    assert found[0].picture.startswith("<svg ")
    assert found[0].chances["depth 1"] <= found[1].chances["depth 1"]
