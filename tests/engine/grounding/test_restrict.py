from __future__ import annotations

import pytest
from hypothesis import given
from tests.effort import examples
from tests.engine.grounding.rewriting import LIBRARY, plays_the_same, written
from tests.random_games import games

from kibitz.engine.grounding.argument_restriction import dynamic_relations, restrict
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, clauses_of, parse


@examples(20)
@given(games())
def test_restricted_rules_say_the_same(sheet: RuleSheet) -> None:
    plays_the_same(sheet, restrict, steps=4)


@pytest.mark.parametrize("name", LIBRARY)
def test_restricted_rules_of_the_library_say_the_same(name: str) -> None:
    plays_the_same(load_sheet(name), restrict, steps=8)


def test_only_what_depends_on_the_state_or_on_moves_is_dynamic() -> None:
    text = """(<= (a ?x) (true (f ?x))) (<= (b ?x) (a ?x)) (<= (c ?x) (n ?x)) (n 1)
        (<= (m ?x) (does ?r ?x))"""
    assert dynamic_relations(clauses_of(parse(text, form="kif"))) == {"true", "does", "a", "b", "m"}


def test_arguments_that_are_known_beforehand_guard_a_relation() -> None:
    text = """(<= (count ?x ?y) (true (f ?x)) (true (f ?y))) (line 1 2) (line 2 3)
        (<= terminal (line ?a ?b) (count ?a ?b))"""
    lines = written(text, restrict)
    assert "(count ?x ?y) :- (count;asked ?x ?y), (true (f ?x)), (true (f ?y))" in lines
    assert "(count;asked ?a ?b) :- (line ?a ?b)" in lines


def test_a_guard_is_handed_down_through_recursion() -> None:
    text = """(<= (path ?g ?x) (start ?g) (true (f ?x)))
        (<= (path ?g ?y) (path ?g ?x) (e ?x ?y)) (start 1) (<= terminal (path 1 5))"""
    lines = written(text, restrict)
    assert "(path;asked 1 5) :- " in lines
    assert "(path;asked ?g ?x) :- (path;asked ?g ?y), (e ?x ?y)" in lines


def test_an_argument_that_the_state_decides_is_not_guarded() -> None:
    text = "(<= (p ?x) (true (f ?x))) (<= terminal (true (g ?y)) (p ?y))"
    assert written(text, restrict) == [
        "(p ?x) :- (true (f ?x))",
        "terminal :- (true (g ?y)), (p ?y)",
    ]


def test_terms_that_a_rule_builds_are_not_handed_on_for_they_might_grow() -> None:
    text = "(<= (p ?x) (p (s ?x)) (true (f ?x))) (<= terminal (p 1))"
    assert not any("asked" in line for line in written(text, restrict))
