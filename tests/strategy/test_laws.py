"""Section 5 of paper 001: each lemma and theorem, on random games with random strategies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, strategies as st
from tests.effort import examples
from tests.strategy.made import game, solution
from tests.strategy.random_plans import formulas, plans, spaces
from tests.strategy.test_paths import on_space

from kibitz.engine import Role
from kibitz.space import StateSpace
from kibitz.strategy import MoveSet, read_strategy
from kibitz.strategy.evaluation.columns import columns_of
from kibitz.strategy.tree import (
    FALSE,
    TRUE,
    Also,
    And,
    Does,
    Else,
    Formula,
    Holds,
    Not,
    Or,
    Plan,
    Simple,
)

laws = examples(
    10,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking whole games takes for ever
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


class Model:
    """A random game, and S^i of plans in it for one of its roles."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data
        self.space: StateSpace = data.draw(spaces())
        self.role: Role = data.draw(st.sampled_from(self.space.game.roles))

    def __call__(self, plan: Plan | Formula) -> MoveSet:
        whole = plan if isinstance(plan, Simple | Else | Also) else Simple(plan)  # type: ignore[arg-type]
        return on_space(whole, self.space, self.role)

    def plans(self, count: int) -> Iterator[Plan]:
        for _ in range(count):
            yield self.data.draw(plans(self.space))

    def formulas(self, count: int) -> Iterator[Formula]:
        for _ in range(count):
            yield self.data.draw(formulas(self.space))

    def is_complete(self, moves: MoveSet) -> bool:
        covered = {state for state, _ in moves.pairs()}
        turns = np.flatnonzero(columns_of(self.space).to_move(self.role))
        return covered >= set(turns.tolist())

    def is_deterministic(self, moves: MoveSet) -> bool:
        return len({state for state, _ in moves.pairs()}) == len(moves)


def is_within(one: MoveSet, other: MoveSet) -> bool:
    return not len(one - other)


@given(st.data())
@laws
def test_lemma_1_conjunction_is_intersection_and_disjunction_holds_the_union(
    data: st.DataObject,
) -> None:
    model = Model(data)
    for _ in range(4):
        one, other = model.formulas(2)
        assert model(And((one, other))) == model(one) & model(other)
        assert is_within(model(one) | model(other), model(Or((one, other))))


@given(st.data())
@laws
def test_lemma_2_of_prioritised_disjunction_and_conjunction(data: st.DataObject) -> None:
    model = Model(data)
    for _ in range(4):
        r1, r2 = model.plans(2)
        f1, f2 = model.formulas(2)
        s1, s2 = Simple(f1), Simple(f2)
        both, some = Simple(And((f1, f2))), Simple(Or((f1, f2)))
        assert is_within(model(r1), model(Else((r1, r2))))
        assert is_within(model(Also((r1, r2))), model(r1))
        if not len(model(r1)):
            assert model(Else((r1, r2))) == model(r2)
        if not len(model(r2)):
            assert model(Also((r1, r2))) == model(r1)
        assert model(Else((s1, both))) == model(s1)
        assert is_within(model(Else((both, s2))), model(s2))
        assert model(Also((s1, some))) == model(s1)
        assert is_within(model(s2), model(Also((some, s2))))


@given(st.data())
@laws
def test_lemma_3_prioritised_disjunction_reduces_to_two_places(data: st.DataObject) -> None:
    model = Model(data)
    for _ in range(4):
        r1, r2, r3 = model.plans(3)
        flat = model(Else((r1, r2, r3)))
        assert flat == model(Else((r1, Else((r2, r3)))))
        assert flat == model(Else((Else((r1, r2)), r3)))


@pytest.mark.parametrize(
    ("second", "flat", "left", "right"),
    [
        # S(r1) = {1, 2}, S(r3) = {1, 3}, and S(r2) once empty and once {2, 3}.
        ("false", {1, 2}, {1}, {1, 2}),
        ("does(mark(2)) or does(mark(3))", {2}, {2}, {1, 2}),
    ],
)
def test_prioritised_conjunction_does_not_reduce_to_two_places(
    second: str, flat: set[int], left: set[int], right: set[int]
) -> None:
    first, third = "(does(mark(1)) or does(mark(2)))", "(does(mark(1)) or does(mark(3)))"

    def chosen(text: str) -> set[int]:
        strategy = read_strategy(text, game("crossdot:3,2"))
        moves = strategy.on(solution("crossdot:3,2").space, "player1").moves(0)
        assert moves == strategy.moves(game("crossdot:3,2").initial(), "player1")
        return {int(str(move.args[0])) for move in moves}

    assert chosen(f"{first} also ({second}) also {third}") == flat
    assert chosen(f"({first} also ({second})) also {third}") == left
    assert chosen(f"{first} also (({second}) also {third})") == right


@given(st.data())
@laws
def test_theorem_1_of_consistency(data: st.DataObject) -> None:
    model = Model(data)
    for _ in range(4):
        parts = tuple(model.plans(3))
        sets = [model(part) for part in parts]
        assert bool(len(model(Else(parts)))) == any(len(moves) for moves in sets)
        assert bool(len(model(Also(parts)))) == bool(len(sets[0]))


@given(st.data())
@laws
def test_theorems_2_and_3_of_complete_and_deterministic_strategies(data: st.DataObject) -> None:
    model = Model(data)
    for _ in range(4):
        r1, r2, r3 = model.plans(3)
        s1, s2 = model(r1), model(r2)
        either, joined = model(Else((r1, r2))), model(Also((r1, r2, r3)))
        if model.is_complete(s1) or model.is_complete(s2):
            assert model.is_complete(either)
        if model.is_complete(s1):
            assert model.is_complete(joined)
            assert model(Else((r1, r2, r3))) == s1
        if model.is_deterministic(s1) and model.is_deterministic(s2):
            assert model.is_deterministic(either)
        if model.is_deterministic(s1):
            assert model.is_deterministic(joined)
            assert joined == s1


@given(st.data())
@laws
def test_proposition_1_every_set_of_moves_has_a_formula(data: st.DataObject) -> None:
    model = Model(data)
    space = model.space
    everything = model(TRUE)
    every_pair = sorted(everything.pairs(), key=str)
    pairs = data.draw(st.sets(st.sampled_from(every_pair))) if every_pair else set()
    fluents = {f for s in range(len(space)) for f in space.state(s).fluents}
    formula = Or(
        tuple(
            And(
                (
                    *(Holds(f) for f in space.state(state).fluents),
                    *(Not(Holds(f)) for f in fluents - set(space.state(state).fluents)),
                    Does(model.role, move),
                )
            )
            for state, move in pairs
        )
    )
    assert set(model(formula if pairs else FALSE).pairs()) == pairs
