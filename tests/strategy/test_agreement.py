"""Whatever is asked what a strategy allows says the same, however silence is read."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, strategies as st
from tests.effort import examples
from tests.strategy.agreement import agree, answers, strategy_of, walk
from tests.strategy.made import solution
from tests.strategy.oracle import depth
from tests.strategy.random_plans import plans, relations, renamings, spaces

from kibitz.engine import Move, ReferenceGame, Role, State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, read
from kibitz.space import StateSpace, explore
from kibitz.space.turns import choices_of, choices_on, turns_at
from kibitz.strategy import read_strategy
from kibitz.strategy.encodings import asp_encoding
from kibitz.strategy.evaluation.move_set import SILENCES
from kibitz.strategy.tree import Derived, Next, Plan, Simple, plan_formulas

QUICKLY: dict[str, Any] = {
    "phases": [Phase.explicit, Phase.reuse, Phase.generate],  # shrinking games takes for ever
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much],
}

# Ann and Bob take turns for three rounds, and in the last one both have only waiting left; Bob's
# second move is forced, and is one of Ann's choices.
TURNS = """
(role ann) (role bob) (init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal ann a) (true (round 1))) (<= (legal ann b) (true (round 1)))
(<= (legal bob noop) (true (round 1)))
(<= (legal bob a) (true (round 2))) (<= (legal ann noop) (true (round 2)))
(<= (legal ann noop) (true (round 3))) (<= (legal bob rest) (true (round 3)))
(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
(<= (next (took ?x)) (does ann ?x) (distinct ?x noop)) (<= (next (took ?x)) (true (took ?x)))
(<= terminal (true (round 4)))
(<= (goal ann 100) (true (took a))) (<= (goal ann 0) (not (true (took a))))
(<= (goal bob 0) (true (took a))) (<= (goal bob 100) (not (true (took a))))
"""


# Two cells are marked one after the other, and free is a relation; the cells can be exchanged.
CELLS = """
(role p) (cell a) (cell b) (init (left 2))
(<= (free ?c) (cell ?c) (not (true (marked ?c))))
(<= (legal p (mark ?c)) (free ?c)) (<= (legal p rest) (not (true (left 2))))
(<= (next (marked ?c)) (true (marked ?c))) (<= (next (marked ?c)) (does p (mark ?c)))
(<= (next (left 1)) (true (left 2))) (<= (next (left 0)) (true (left 1)))
(<= terminal (true (left 0)))
(<= (both) (not (free a)) (not (free b)))
(<= (goal p 100) both) (<= (goal p 0) (not both))
"""


@cache
def sheet_of(name: str) -> RuleSheet:
    texts = {"turns": TURNS, "cells": CELLS}
    return read(texts[name], name=name) if name in texts else load_sheet(name)


@cache
def space_of(name: str) -> StateSpace:
    return explore(CompiledGame(sheet_of(name)))


def looks_ahead(plan: Plan) -> bool:
    return max(map(depth, plan_formulas(plan))) <= 2


SIX = ("turns", "cells", "crossdot:3,2", "nim:1,2", "kayles:3", "hanoi:1")


@pytest.mark.parametrize("silence", SILENCES)
@pytest.mark.parametrize("name", SIX)
@given(data=st.data())
@examples(6, **QUICKLY)
def test_all_ways_to_ask_a_random_strategy_agree_for_every_role(
    name: str, silence: str, data: st.DataObject
) -> None:
    space = space_of(name)
    for role in space.game.roles:
        plan = data.draw(plans(space).filter(looks_ahead))
        assert agree(space, plan, role, silence) > len(space)


@given(data=st.data())
@examples(10, **QUICKLY)
def test_all_ways_to_ask_agree_on_random_games(data: st.DataObject) -> None:
    space = data.draw(spaces(most=20))
    role = data.draw(st.sampled_from(space.game.roles))
    plan = data.draw(plans(space).filter(looks_ahead))
    for silence in SILENCES:
        agree(space, plan, role, silence)


@pytest.mark.parametrize("role", ["player1", "player2"])
def test_who_allows_everything_drops_no_match(role: str) -> None:
    game = CompiledGame(load_sheet("crossdot:4,3"))
    strategy = read_strategy("any J in 1..4: true => mark(J)", game)
    for silence in SILENCES:
        text = asp_encoding(game, {role: strategy}, silence=silence)
        assert len(answers(game, text)) == 24


def test_the_role_that_does_not_move_last_keeps_its_draws() -> None:
    game = CompiledGame(load_sheet("mnk:1,3,3"))
    strategy = read_strategy("any C in 1..3: true => mark(1,C)", game)
    found = answers(game, asp_encoding(game, {"oplayer": strategy}, silence="stop"))

    def everything(state: State, role: Role) -> tuple[Move, ...]:
        return state.legal(role)

    assert found == walk(ReferenceGame(game.sheet), everything, 9).complete
    assert len(found) == 6


@pytest.mark.parametrize(
    ("moves", "turn"), [((), "ann"), (("a noop",), "bob"), (("a noop", "noop a"), "ann bob")]
)
def test_the_turn_is_with_those_whose_move_is_a_choice_somewhere(
    moves: tuple[str, ...], turn: str
) -> None:
    for game in (CompiledGame(sheet_of("turns")), ReferenceGame(sheet_of("turns"))):
        state = game.initial()
        for joint in moves:
            state = state.step(joint.split())
        assert " ".join(turns_at(state)) == turn


def test_a_state_without_a_move_for_some_role_is_nobodys_turn() -> None:
    text = "(role x) (role y) (init p) (legal x a) (legal x b) (<= (legal y a) (true q))"
    game = CompiledGame(read(text + " (<= (next q) (does x a)) (<= terminal (true q)) (goal x 0)"))
    assert turns_at(game.initial()) == ()


@pytest.mark.parametrize("name", ["tictactoe", "nim:1,2", "roshambo", "crossdot:4,3"])
def test_choices_are_the_same_with_and_without_a_space(name: str) -> None:
    assert choices_of(CompiledGame(load_sheet(name))) == choices_on(
        explore(CompiledGame(load_sheet(name)))
    )


def test_random_matches_find_the_choices_of_a_game_too_large_to_explore() -> None:
    game = CompiledGame(load_sheet("connectfour"))
    assert {str(move) for move in choices_of(game)} == {f"(drop {n})" for n in range(1, 8)}


def test_turns_under_next_are_the_turns_of_the_states_after() -> None:
    space = space_of("turns")
    game = space.game
    for text, chosen in (("next turn(bob)", ["a", "b"]), ("next turn(ann)", [])):
        strategy = read_strategy(text, game)
        assert [str(move) for move in strategy.on(space, "ann").moves(0)] == chosen
        assert [str(move) for move in strategy.moves(game.initial(), "ann")] == chosen
        (_, plan) = strategy.plans[0]
        for silence in SILENCES:
            agree(space, plan, "ann", silence)


def test_a_strategy_that_never_speaks_allows_everything_or_nothing() -> None:
    space = solution("nim:1,2").space
    (_, plan) = read_strategy("false", space.game).plans[0]
    silent = strategy_of(plan, space.game)
    everything = asp_encoding(space.game, {"player1": silent}, silence="any")
    nothing = asp_encoding(space.game, {"player1": silent}, silence="stop")
    assert answers(space.game, everything) == answers(space.game, asp_encoding(space.game, {}))
    assert answers(space.game, nothing) == set()


@pytest.mark.parametrize("silence", SILENCES)
def test_images_of_relations_agree_now_and_after_a_move(silence: str) -> None:
    space = space_of("cells")
    images = renamings(space.game)
    assert images
    for atom in relations(space):
        for renaming in (None, *images):
            relation = Derived(atom, renaming)
            for formula in (relation, Next(relation)):
                agree(space, Simple(formula), "p", silence)


def test_a_symmetric_rule_about_a_relation_allows_the_matches_of_its_definition() -> None:
    game = space_of("cells").game
    strategy = read_strategy("symmetric any\nnot free(a) => (mark b)", game)
    agree(space_of("cells"), strategy.plan("p"), "p", "any")
    found = answers(game, asp_encoding(game, {"p": strategy}))
    assert found == {("(mark a)", "(mark b)"), ("(mark b)", "(mark a)")}
