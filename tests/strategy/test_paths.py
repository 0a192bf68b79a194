"""Sweeps over a space, lookahead at one state, and the definitions path by path all agree."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import HealthCheck, Phase, given, strategies as st
from tests.effort import examples
from tests.strategy.oracle import Path, allowed, depth, to_move
from tests.strategy.random_plans import plans, spaces

from kibitz.engine import Role
from kibitz.engine.compiled.game import CompiledGame
from kibitz.gdl import read
from kibitz.space import StateSpace, explore
from kibitz.strategy import MoveSet, read_strategy
from kibitz.strategy.evaluation.columns import UnfoldedSpace, columns_of, unfold
from kibitz.strategy.evaluation.one_state import Lookahead, StateWithHistory
from kibitz.strategy.evaluation.validity import Evaluator
from kibitz.strategy.tree import (
    Also,
    Else,
    Plan,
    Simple,
    Turn,
    leaves,
    past_depth,
    plan_formulas,
    without_previous,
)

PLANS_A_GAME = 6
random_games = examples(
    12,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking whole games takes for ever
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def looks_ahead(most: int) -> Callable[[Plan], bool]:
    return lambda plan: max(map(depth, plan_formulas(plan))) <= most


def rewritten(plan: Plan) -> Plan:
    match plan:
        case Simple(formula):
            return Simple(without_previous(formula))
        case Else(parts):
            return Else(tuple(map(rewritten, parts)))
        case Also(parts):
            return Also(tuple(map(rewritten, parts)))
    raise TypeError(plan)


def on_space(plan: Plan, space: StateSpace, role: Role) -> MoveSet:
    columns = columns_of(space)
    chosen = np.zeros(space.edges, dtype=bool)
    states = np.flatnonzero(columns.to_move(role))
    edges, here = Evaluator(columns, role).plan(plan, states)
    chosen[edges] = here
    return MoveSet(space, role, chosen)


@given(st.data())
@random_games
def test_sweeps_agree_with_the_definitions_path_by_path(data: st.DataObject) -> None:
    space = data.draw(spaces())
    for _ in range(PLANS_A_GAME):
        role = data.draw(st.sampled_from(space.game.roles))
        plan = data.draw(plans(space).filter(looks_ahead(3)))
        found = on_space(plan, space, role)
        turns = to_move(space, role)
        for state in range(len(space)):
            expected = allowed(space, plan, role, Path((state,), ())) if state in turns else set()
            assert set(found.moves(state)) == expected


@given(st.data())
@random_games
def test_lookahead_at_one_state_agrees_with_sweeps(data: st.DataObject) -> None:
    space = data.draw(spaces())
    for _ in range(PLANS_A_GAME):
        role = data.draw(st.sampled_from(space.game.roles))
        plan = data.draw(plans(space).filter(looks_ahead(3)))
        found = on_space(plan, space, role)
        look = Lookahead(role)
        for number in range(len(space)):
            state = space.state(number)
            legal = look.to_choose(state)
            here = look.plan(plan, StateWithHistory(state, ()), frozenset(legal))
            assert here == frozenset(found.moves(number))


def speaks_of_turns(plan: Plan) -> bool:
    """Return whether a plan asks whose turn it is, which looking ahead knows only from a space."""
    found = [leaf for formula in plan_formulas(plan) for leaf in leaves(formula)]
    return any(isinstance(x, Turn) or isinstance(getattr(x, "leaf", None), Turn) for x in found)


def history_of(space: StateSpace, number: int) -> Path:
    """Give some path from the start to a state of an unfolded space, in states of its root."""
    steps: list[int] = []
    while number:
        edge = int(np.flatnonzero(space.target == number)[0])
        steps.append(edge)
        number = int(columns_of(space).source[edge])
    path = Path((0,), ())
    assert isinstance(space, UnfoldedSpace)
    for edge in reversed(steps):
        joint = space.joint_moves[space.action[edge]]
        path = path.then(joint, int(space.origin[space.target[edge]]))
    return path


@given(st.data())
@random_games
def test_the_past_is_as_the_definitions_say_on_an_unfolded_space(data: st.DataObject) -> None:
    root = data.draw(spaces(15))
    for _ in range(PLANS_A_GAME):
        role = data.draw(st.sampled_from(root.game.roles))
        plan = data.draw(
            plans(root, past=True).filter(lambda p: max(map(depth, plan_formulas(p))) < 3)
        )
        plain = rewritten(plan)
        back = max(map(past_depth, plan_formulas(plain)))
        if not 0 < back <= 2:
            continue
        space = unfold(root, back)
        found = on_space(plain, space, role)
        turns = to_move(root, role)
        look = Lookahead(role)
        assert isinstance(space, UnfoldedSpace)
        for number in range(0, len(space), 1 + len(space) // 40):
            history = history_of(space, number)
            is_turn = int(space.origin[number]) in turns
            expected = allowed(root, plan, role, history) if is_turn else set()
            assert set(found.moves(number)) == expected
            state = root.state(history.states[-1])
            chooses = any(len(state.legal(other)) > 1 for other in root.game.roles)
            if is_turn and chooses and not speaks_of_turns(plain):
                before = tuple(
                    (root.state(s), joint)
                    for s, joint in zip(history.states, history.joints, strict=False)
                )
                legal = frozenset(look.to_choose(state))
                assert look.plan(plain, StateWithHistory(state, before), legal) == frozenset(
                    expected
                )


def test_nobody_can_do_anything_where_play_is_stuck() -> None:
    # Behind the door the guest has no move, and play has not ended.
    sheet = read(
        "(role host) (role guest) (init hall) (<= (legal host open) (true hall))"
        "(<= (legal host stay) (true hall)) (legal host rest) (<= (legal guest wait) (true hall))"
        "(<= (next room) (does host open)) (<= (next hall) (not (does host open)))"
        "(<= terminal (true yard)) (goal host 0) (goal guest 0)",
        name="stuck",
    )
    game = CompiledGame(sheet)
    space = explore(game)
    strategy = read_strategy("next can(host, true)", game)
    here = {str(move) for move in strategy.moves(game.initial(), "host")}
    assert here == {"rest", "stay"}
    assert here == {str(move) for move in strategy.on(space, "host").moves(0)}
