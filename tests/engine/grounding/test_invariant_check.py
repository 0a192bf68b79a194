"""A second proof confirms what is true and follows, and nothing that is false."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.effort import examples
from tests.random_games import games

from kibitz.budget import Budget
from kibitz.engine.grounding.invariant_check import check_claims
from kibitz.engine.grounding.invariant_claims import (
    Claim,
    NeverTogether,
    OneChooses,
    OneValue,
    Steady,
)
from kibitz.engine.grounding.invariants import Status, find_invariants
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, parse_terms, read

MARK, NOOP = ("mark", 2), ("noop", 0)
CELL = ("cell", 3)
BAGS = """
    (role me) (init (in red ball)) (init (in blue ball)) (init (in red key)) (bag red) (bag blue)
    (<= (legal me (carry ?to)) (bag ?to))
    (<= (next (in ?to key)) (does me (carry ?to)))
    (<= (next (in ?bag ball)) (true (in ?bag ball)))
    (<= terminal (true (in blue key))) (goal me 0)
"""


def check_proved(sheet: RuleSheet) -> int:
    """Prove again what is called proved; give how many claims there are."""
    found = find_invariants(sheet)
    claims = [i.claim for i in found.with_status(Status.PROVED) if i.claim is not None]
    checked = check_claims(sheet, claims, lemmas=found.lemmas)
    assert [str(c) for c, holds in zip(claims, checked.claims, strict=True) if not holds] == []
    assert all(checked.lemmas)
    return len(claims)


@pytest.mark.parametrize(
    "name",
    ["tictactoe", "nim:1,2,4,5", "connect:3,4x4", "roshambo", "hanoi", "breakthrough:4x3",
     "threemensmorris", "kayles", "lightsout:2x3", "maze", "crossdot", "pawnwhopping:5x3"],
)  # fmt: skip
def test_what_is_proved_of_library_games_is_proved_again(name: str) -> None:
    assert check_proved(load_sheet(name))


@examples(20)
@given(games())
def test_what_is_proved_of_random_games_is_proved_again(sheet: RuleSheet) -> None:
    check_proved(sheet)


@pytest.mark.parametrize(
    "claim",
    [
        OneValue(CELL, 0, is_exact=False),
        OneValue(CELL, 1, is_exact=True),
        Steady(CELL, ends=True),
        Steady(("control", 1), ends=False),
        NeverTogether(("xplayer", MARK), ("oplayer", NOOP)),
    ],
    ids=str,
)
def test_a_false_claim_is_rejected(claim: Claim) -> None:
    sheet = load_sheet("tictactoe")
    lemmas = find_invariants(sheet).lemmas
    assert check_claims(sheet, [claim], lemmas=lemmas).claims == (False,)


def test_roles_that_move_at_once_have_a_choice_at_once() -> None:
    assert check_claims(load_sheet("roshambo"), [OneChooses()]).claims == (False,)


def test_a_claim_that_needs_lemmas_is_rejected_without_them() -> None:
    sheet = load_sheet("tictactoe")
    claim = NeverTogether(("xplayer", MARK), ("oplayer", MARK))
    control = tuple(parse_terms("(control xplayer) (control oplayer)"))
    assert check_claims(sheet, [claim]).claims == (False,)
    assert check_claims(sheet, [claim], lemmas=[(control, False)]).claims == (True,)


def test_a_row_that_fails_at_the_start_makes_a_claim_false() -> None:
    sheet = read(BAGS)
    key = tuple(parse_terms("(in red key) (in blue key)"))
    ball = tuple(parse_terms("(in red ball) (in blue ball)"))
    checked = check_claims(
        sheet, [OneValue(("in", 2), 0, is_exact=True)], lemmas=[(key, True), (ball, True)]
    )
    assert checked.claims == (False,)
    assert checked.lemmas == (True, False)


def test_a_false_lemma_is_dropped_with_what_rests_on_it() -> None:
    # (b 1) follows (a 1), and (a 1) goes.
    sheet = read("""
        (role me) (init (a 1)) (init (b 1)) (legal me wait) (<= (next (a 2)) (true (a 1)))
        (<= (next (b ?x)) (true (a ?x))) (<= terminal (true (a 2))) (goal me 0)
    """)
    a, b = (tuple(parse_terms(text)) for text in ("(a 1) (a 2)", "(b 1) (b 2)"))
    claims = [OneValue(("b", 1), 0, is_exact=True), OneValue(("b", 1), 0, is_exact=False)]
    checked = check_claims(sheet, claims, lemmas=[(a, True), (b, True)])
    assert checked.lemmas == (False, False)
    assert checked.claims == (False, False)
    checked = check_claims(sheet, claims, lemmas=[(a, False), (b, False)])
    assert checked.claims == (False, True)


def test_names_that_clingo_cannot_read_are_judged_like_others() -> None:
    sheet = read("""
        (role R1) (role not_me) (init (Cell 1 own_x)) (init 7) (legal R1 12) (legal R1 Go)
        (legal not_me (own_step 01)) (own_step 1) (own_lemma 1)
        (<= (next (Cell 1 own_x)) (true (Cell 1 own_x)) (does R1 Go))
        (<= (next (Cell 1 own_y)) (does R1 12)) (<= (next 7) (does R1 Go) (own_step 1))
        (<= terminal (not (true 7))) (goal R1 0) (goal not_me 0)
    """)
    claims: list[Claim] = [
        OneValue(("Cell", 2), 1, is_exact=True),
        Steady(("7", 0), ends=True),
        Steady(("7", 0), ends=False),
        NeverTogether(("R1", ("12", 0)), ("not_me", ("own_step", 1))),
    ]
    assert check_claims(sheet, claims).claims == (False, False, False, False)
    cell = tuple(parse_terms("(Cell 1 own_x) (Cell 1 own_y)"))
    assert check_claims(sheet, claims, lemmas=[(cell, False)]).lemmas == (True,)


def test_a_fluent_that_is_only_denied_can_never_hold() -> None:
    sheet = read("""
        (role me) (init p) (<= (legal me wait) (not (true (lost me))))
        (<= (next (found me)) (true (lost me))) (<= (next p) (true p))
        (<= terminal (true (found me))) (goal me 0)
    """)
    assert check_claims(sheet, [Steady(("found", 1), ends=False)]).claims == (True,)


def test_without_time_nothing_is_decided() -> None:
    found = check_claims(load_sheet("breakthrough"), [OneChooses()], budget=Budget(seconds=0.01))
    assert found.claims == (None,)
