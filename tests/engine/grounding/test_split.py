from __future__ import annotations

import importlib

import pytest
from hypothesis import given
from tests.effort import examples
from tests.engine.grounding.rewriting import LIBRARY, plays_the_same, written
from tests.random_games import games

from kibitz.engine.grounding.variable_elimination import split
from kibitz.games import load_sheet
from kibitz.gdl import Clause, RuleSheet, clauses_of, parse, variables_of

pytestmark = pytest.mark.usefixtures("grounded_anew")


def width(clause: Clause) -> int:
    """Count the variables that an instance of a clause has values for."""
    atoms = (clause.head, *clause.positive)
    return len({v for atom in atoms for v in variables_of(atom)})


@examples(15)
@given(games())
def test_split_rules_say_the_same(sheet: RuleSheet) -> None:
    plays_the_same(sheet, split, steps=4)


@pytest.mark.parametrize("name", LIBRARY)
def test_split_rules_of_the_library_say_the_same(name: str) -> None:
    plays_the_same(load_sheet(name), split, steps=8)


def test_a_variable_that_the_head_does_not_need_is_eliminated() -> None:
    assert written("(<= (p ?a) (q ?a ?b) (r ?b ?c) (s ?c))", split) == [
        "(split;0 ?v0) :- (r ?v0 ?v1), (s ?v1)",
        "(p ?a) :- (q ?a ?b), (split;0 ?b)",
    ]


def test_equal_parts_are_shared_between_clauses() -> None:
    text = "(<= (p ?a) (q ?a ?b) (r ?b ?c) (s ?c)) (<= (t ?x) (u ?x ?y) (r ?y ?z) (s ?z))"
    assert [line for line in written(text, split) if line.startswith("(split")] == [
        "(split;0 ?v0) :- (r ?v0 ?v1), (s ?v1)"
    ]


def test_negations_and_inequalities_go_with_their_variable_and_stay_safe() -> None:
    text = "(<= (p ?a) (q ?a ?b) (r ?b ?c) (not (s ?c)) (distinct ?b ?c) (u ?d) (v ?d))"
    lines = written(text, split)
    (part,) = (line for line in lines if "~" in line)
    assert "(r " in part
    assert "/" in part
    for clause in split(clauses_of(load_sheet("connectfour"))):
        bound = {v for atom in clause.positive for v in variables_of(atom)}
        for atom in (clause.head, *clause.negative):
            assert bound.issuperset(variables_of(atom))
        for pair in clause.distinct:
            assert bound.issuperset(v for term in pair for v in variables_of(term))


def test_a_clause_of_two_variables_is_left_alone() -> None:
    text = "(<= (p ?a) (q ?a ?b) (r ?b))"
    assert written(text, split) == ["(p ?a) :- (q ?a ?b), (r ?b)"]


def test_a_long_chain_becomes_clauses_of_three_variables() -> None:
    chain = " ".join(f"(e ?x{i} ?x{i + 1})" for i in range(9))
    (rule,) = clauses_of(parse(f"(<= (far ?x0 ?x9) {chain})", form="kif"))
    assert width(rule) == 10
    assert max(map(width, split([rule]))) == 3


def test_a_rule_of_thousands_of_variables_is_looked_at_within_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Counts work, not time: a step that looks at everything is never made beyond the bound."""
    module = importlib.import_module("kibitz.engine.grounding.variable_elimination")
    made: list[int] = []
    best_part = module._best_part

    def counted(clause: Clause, project: bool) -> object:
        made.append(module._looks(clause))
        return best_part(clause, project)

    monkeypatch.setattr(module, "_best_part", counted)
    for size in (30, 3000):
        body = " ".join(f"(q ?v{i} ?v{i + 1})" for i in range(size))
        made.clear()
        clauses = split(clauses_of(parse(f"(<= p {body})")))
        assert sum(made) <= module._MOST_LOOKS
        assert (len(clauses) > 1) == (size == 30)
