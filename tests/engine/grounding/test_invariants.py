"""Invariants: what is proved holds in every state, and what is refuted does not."""

from __future__ import annotations

import random

import pytest

from kibitz.engine import ReferenceGame, State
from kibitz.engine.frame.abstraction import find_impossible
from kibitz.engine.grounding.invariants import Invariants, Status, find_invariants
from kibitz.errors import BudgetExceededError
from kibitz.games import load_sheet
from kibitz.gdl import read

MARK, NOOP = ("mark", 2), ("noop", 0)


def statuses(found: Invariants) -> dict[str, Status]:
    return {invariant.statement: invariant.status for invariant in found.found}


@pytest.fixture(scope="module")
def tictactoe() -> dict[str, Status]:
    return statuses(find_invariants(load_sheet("tictactoe")))


@pytest.mark.parametrize(
    ("statement", "status"),
    [
        ("(control _) holds for exactly one role", Status.PROVED),
        ("every (cell ?1 ?2 _) has exactly one value", Status.PROVED),
        ("every (cell _ ?2 ?3) has at most one value", Status.REFUTED),
        ("at most one role has a choice of moves", Status.PROVED),
        ("(cell …) never ends once it holds", Status.REFUTED),
        ("xplayer: (mark …) and oplayer: (mark …) are never legal together", Status.PROVED),
        ("xplayer: (mark …) and oplayer: noop are never legal together", Status.REFUTED),
    ],
)
def test_what_is_known_of_tictactoe(
    tictactoe: dict[str, Status], statement: str, status: Status
) -> None:
    assert tictactoe[statement] is status


def test_a_fluent_that_only_grows_is_proved_to_be_monotone() -> None:
    sheet = read("""
        (role me) (init (step 1)) (succ 1 2) (succ 2 3)
        (<= (legal me (mark ?x)) (succ ?x ?y))
        (<= (next (marked ?x)) (does me (mark ?x)))
        (<= (next (marked ?x)) (true (marked ?x)))
        (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
        (<= terminal (true (step 3))) (goal me 0)
    """)
    found = statuses(find_invariants(sheet))
    assert found["(marked …) never ends once it holds"] is Status.PROVED
    assert found["(marked …) never begins to hold"] is Status.REFUTED
    assert found["at most one (step _) holds"] is Status.PROVED


TWO_BAGS = """
    (role me) (init (in red ball)) (init (in blue ball)) (init (in red key)) (bag red) (bag blue)
    (<= (legal me (carry ?to)) (bag ?to))
    (<= (next (in ?to key)) (does me (carry ?to)))
    (<= (next (in ?bag ball)) (true (in ?bag ball)))
    (<= terminal (true (in blue key))) (goal me 0)
"""


def test_a_row_that_fails_at_the_start_counts_among_all_rows() -> None:
    # One key is in one bag always, but there are two balls.
    found = statuses(find_invariants(read(TWO_BAGS)))
    assert found["every (in _ ?2) has at most one value"] is Status.REFUTED
    assert found["every (in ?1 _) has at most one value"] is Status.REFUTED


def test_a_row_of_one_fluent_that_ends_counts_among_all_rows() -> None:
    # Lamp a is red or green always. Lamp b can only be red, and goes out.
    sheet = read("""
        (role me) (init (lamp a red)) (init (lamp b red)) (legal me stay) (legal me switch)
        (<= (next (lamp a red)) (true (lamp a red)) (does me stay))
        (<= (next (lamp a green)) (true (lamp a red)) (does me switch))
        (<= (next (lamp a green)) (true (lamp a green)))
        (<= (next (lamp b red)) (true (lamp b red)) (does me stay))
        (<= terminal (true (lamp a green))) (goal me 0)
    """)
    found = statuses(find_invariants(sheet))
    assert "every (lamp ?1 _) has exactly one value" not in found
    assert found["every (lamp ?1 _) has at most one value"] is Status.PROVED


def test_a_row_of_one_fluent_that_always_holds_has_exactly_one_value() -> None:
    sheet = read("""
        (role me) (init (lamp a red)) (init (lamp b red)) (legal me stay) (legal me switch)
        (<= (next (lamp a red)) (true (lamp a red)) (does me stay))
        (<= (next (lamp a green)) (true (lamp a red)) (does me switch))
        (<= (next (lamp a green)) (true (lamp a green)))
        (<= (next (lamp b red)) (true (lamp b red)))
        (<= terminal (true (lamp a green))) (goal me 0)
    """)
    found = statuses(find_invariants(sheet))
    assert found["every (lamp ?1 _) has exactly one value"] is Status.PROVED


def test_a_fluent_of_roles_is_not_said_to_give_control() -> None:
    sheet = read("""
        (role red) (role blue) (init (king red)) (legal red stay) (legal red yield)
        (legal blue stay) (legal blue wait)
        (<= (next (king ?r)) (true (king ?r)) (does red stay))
        (<= (next (king blue)) (does red yield))
        (<= terminal (true (king blue))) (goal red 0) (goal blue 0)
    """)
    found = find_invariants(sheet)
    assert not any("control" in invariant.statement for invariant in found.found)
    assert statuses(found)["(king _) holds for exactly one role"] is Status.PROVED


def test_what_no_play_contradicts_and_no_proof_shows_is_not_proved() -> None:
    # q needs r, which never holds, though a step from a state with r would begin it.
    sheet = read("""
        (role me) (init p) (legal me wait) (<= terminal (true (over 1))) (goal me 0)
        (<= (next p) (true p))
        (<= (next (q 1)) (true (r 1)) (true (r 2)))
        (<= (next (r ?x)) (true (s ?x)) (true p))
        (<= (next (s ?x)) (true (r ?x)) (true p))
        (init (s 1)) (<= (next (s 2)) (true (s 2)) (true (r 2)))
    """)
    found = find_invariants(sheet)
    assert all(i.how for i in found.found)
    assert {i.status for i in found.found} <= set(Status)


@pytest.mark.parametrize("name", ["tictactoe", "nim", "breakthrough"])
def test_impossible_joint_moves_never_come_up_in_random_play(name: str) -> None:
    sheet = load_sheet(name)
    impossible = find_impossible(sheet, [])
    game = ReferenceGame(sheet)
    choose = random.Random(1).choice
    state: State = game.initial()
    for _ in range(12):
        legal = [state.legal(role) for role in game.roles]
        if state.is_terminal or not all(legal):
            break
        joint = [choose(moves) for moves in legal]
        general = tuple(
            (role, (move.name, len(move.args)))
            for role, move in zip(game.roles, joint, strict=True)
        )
        assert not impossible(general)
        state = state.step(joint)


def test_both_roles_marking_is_impossible_and_one_is_not() -> None:
    impossible = find_impossible(load_sheet("tictactoe"), [])
    assert impossible((("xplayer", MARK), ("oplayer", MARK)))
    assert impossible((("xplayer", NOOP), ("oplayer", NOOP)))
    assert not impossible((("xplayer", MARK), ("oplayer", NOOP)))


def test_a_game_that_cannot_be_grounded_has_nothing_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def give_up(*_: object, **__: object) -> None:
        raise BudgetExceededError("grounding needs more than there is")

    monkeypatch.setattr("kibitz.engine.grounding.invariants.ground", give_up)
    found = find_invariants(load_sheet("breakthrough")).found
    assert found
    assert all(invariant.status is Status.NOT_PROVED for invariant in found)
    assert all("not tried" in invariant.how for invariant in found)
