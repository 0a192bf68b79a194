"""Fluents that rules ask for and no rule makes, and goals out of reach for want of one."""

from __future__ import annotations

import random

import pytest
from tests.foreign import FOREIGN, needs_foreign

from kibitz.engine import CompiledGame, out_of_reach, unmade_fluents
from kibitz.gdl import Atom, read, unify

SLIDING = """
    (role mover) (init (on x1 disc)) (init (on x2 none)) (next_to x1 x2) (next_to x2 x1)
    (<= (legal mover (slide ?a ?b)) (true (on ?a disc)) (next_to ?a ?b))
    (<= (next (on ?b disc)) (does mover (slide ?a ?b)))
    (<= (next (on ?a none)) (does mover (slide ?a ?b)))
    (<= solved (true (on GOAL disc)) (true (on x1 none)))
    (<= terminal solved)
    (<= (goal mover 100) solved) (<= (goal mover 0) (not solved))
"""


def made(text: str) -> CompiledGame:
    return CompiledGame(read(text, name="sliding"))


def test_a_goal_that_asks_for_what_no_rule_makes_cannot_be_reached() -> None:
    game = made(SLIDING.replace("GOAL", "2"))
    lost = out_of_reach(game)
    assert lost is not None
    assert lost.text == "the goal of 100 cannot be reached: nothing makes (on 2 disc)"
    (found,) = unmade_fluents(game)
    assert found.code == "GDL031"
    assert found.message == "nothing makes (on 2 disc), so mover never gets 100"
    assert game.sheet.source.position(found.place.start) == (6, 22)


def test_a_goal_that_some_rule_can_give_is_no_such_case() -> None:
    assert out_of_reach(made(SLIDING.replace("GOAL", "x2"))) is None
    other_way = SLIDING.replace("GOAL", "2") + "(<= (goal mover 100) (true (on x2 disc)))"
    assert out_of_reach(made(other_way)) is None


def test_patterns_are_compared_with_all_that_can_hold() -> None:
    assert out_of_reach(made(SLIDING.replace("GOAL", "?x"))) is None
    lost = out_of_reach(made(SLIDING.replace("(on GOAL disc)", "(on ?x king)")))
    assert lost is not None
    assert str(lost.fluent) == "(on ?x king)"


@needs_foreign
@pytest.mark.parametrize("name", ["ticTacToe", "blocks", "hanoi", "racetrackcorridor"])
def test_what_is_reported_holds_in_no_state_of_foreign_matches(name: str) -> None:
    game = CompiledGame(read((FOREIGN / "rules" / f"{name}.kif").read_text("utf-8")))
    asked = [
        atom.args[0]
        for rule in game.sheet.rules
        for atom in rule.body
        if isinstance(atom, Atom) and atom.relation == "true"
    ]
    places = {found.place for found in unmade_fluents(game)}
    never = [term for term in asked if term.place in places]
    source, state = random.Random(1), game.initial()
    while not state.is_terminal:
        assert not any(unify(term, held, {}) for term in never for held in state.fluents)
        state = state.step([source.choice(state.legal(role)) for role in game.roles])
