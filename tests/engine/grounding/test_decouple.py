from __future__ import annotations

import pytest
from hypothesis import given
from tests.effort import examples
from tests.engine.grounding.rewriting import LIBRARY, plays_the_same, written
from tests.engine.suite import walk_together
from tests.random_games import games

from kibitz.engine import ReferenceGame
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.grounding.argument_restriction import decouple, restrict
from kibitz.engine.grounding.variable_elimination import split
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, read


@examples(25)
@given(games())
def test_decoupled_rules_say_the_same(sheet: RuleSheet) -> None:
    plays_the_same(sheet, decouple, steps=5)


@examples(15)
@given(games())
def test_all_rewritings_one_after_the_other_say_the_same(sheet: RuleSheet) -> None:
    plays_the_same(sheet, lambda clauses: split(restrict(decouple(clauses))), steps=5)


@pytest.mark.parametrize("name", LIBRARY)
def test_decoupled_rules_of_the_library_say_the_same(name: str) -> None:
    plays_the_same(load_sheet(name), decouple, steps=8)


def test_a_negated_atom_that_ties_a_move_to_others_is_taken_apart() -> None:
    text = "(<= (next (c ?x)) (true (c ?x)) (does ?p (take ?y)) (not (same ?x ?y)))"
    assert written(text, decouple) == [
        "(hit;0 ?p ?x) :- (does ?p (take ?y)), (same ?x ?y)",
        "(some;1 ?p) :- (does ?p (take ?y))",
        "(next (c ?x)) :- (true (c ?x)), (role ?p), (some;1 ?p), ~(hit;0 ?p ?x)",
    ]


def test_a_fixed_relation_that_is_an_inequality_is_taken_apart() -> None:
    text = """(<= (apart ?x ?y) (n ?x) (n ?y) (distinct ?x ?y))
        (<= (next (c ?x)) (true (c ?x)) (does ?p (take ?y)) (apart ?x ?y))"""
    assert written(text, decouple)[-1] == (
        "(next (c ?x)) :- (true (c ?x)), (domain;0 ?x), (role ?p), (some;2 ?p), ~(hit;1 ?p ?x)"
    )


@pytest.mark.parametrize(
    "rule",
    [
        "(<= (next (c ?x)) (true (c ?x)) (does ?p (take ?x)))",
        "(<= (next (c ?y)) (true (c ?x)) (does ?p (take ?y)) (distinct ?x ?y))",
        "(<= (next (c ?x)) (true (c ?x)) (does ?p (take ?y)) (distinct ?y 1))",
        "(<= (next q) (does ?p (take ?x)) (does ?q (take ?y)) (distinct ?p ?q))",
    ],
)
def test_a_rule_that_ties_nothing_to_a_move_it_does_not_say_is_left_alone(rule: str) -> None:
    assert len(written(rule, decouple)) == 1


SIMULTANEOUS = """
(role a) (role b) (role c) (n 1) (n 2) (n 3) (n 4)
(init (at 1)) (init (at 2)) (init (at 3)) (init (at 4))
(<= (legal ?r (hit ?x ?y)) (role ?r) (n ?x) (n ?y)) (<= (legal ?r rest) (role ?r))
(<= (apart ?x ?y) (n ?x) (n ?y) (distinct ?x ?y))
(<= (next (at ?x)) (true (at ?x)) (does a (hit ?y ?z)) (distinct ?x ?y) (distinct ?x ?z))
(<= (next (at ?x)) (true (at ?x)) (does ?r (hit ?y ?z)) (apart ?x ?y) (not (true (at ?z))))
(<= (next (seen ?r ?x)) (n ?x) (does ?r (hit ?x ?y)) (does ?s (hit ?z ?y)) (distinct ?r ?s)
    (distinct ?x ?z))
(<= (next (alone ?r)) (role ?r) (does ?s (hit ?x ?x)) (distinct ?r ?s))
(<= terminal (not (true (at 1))) (not (true (at 2))) (not (true (at 3))) (not (true (at 4))))
(<= (goal ?r 50) (role ?r))
"""


@pytest.mark.parametrize("seed", range(3))
def test_roles_that_move_at_once_are_kept_apart(seed: int) -> None:
    sheet = read(SIMULTANEOUS, form="kif")
    walk_together([ReferenceGame(sheet), CompiledGame(sheet)], seed=seed, steps=12)
