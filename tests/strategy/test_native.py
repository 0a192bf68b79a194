"""Native loops decide rule lists as the general way does."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.effort import examples
from tests.strategy.made import game, solution

from kibitz.gdl import Function
from kibitz.space import reachable_under
from kibitz.strategy import rule_list, strategy

# Small and large states, states of two words, hidden fluents, groups of one element and of many.
GAMES = {
    "tictactoe": "xplayer",
    "nim:2,2,3": "player2",
    "crossdot:6,3": "player1",
    "kayles:5": "player1",
    "mnk:3,3,3,RC": "oplayer",
    "hanoi:3": "player",
    "breakthrough:4x3": "black",
}


@pytest.mark.parametrize("name", GAMES)
@given(st.data())
@examples(8)
def test_native_loops_and_sweeps_choose_the_same(name: str, data: st.DataObject) -> None:
    made, space = game(name), solution(name).space
    role = made.roles[0] if name == "hanoi:3" else GAMES[name]
    fluents = [*made.network.fluents, *(hidden.fluent for hidden in made.network.hidden)]
    moves = made.network.moves[made.roles.index(role)]
    literals = st.lists(st.tuples(st.sampled_from(fluents), st.booleans()), max_size=4)
    one_rule = st.tuples(literals, st.sampled_from(moves).map(lambda move: [move]))
    rules: list[tuple[list[tuple[Function, bool]], list[Function]]] = data.draw(
        st.lists(one_rule, min_size=1, max_size=5)
    )
    symmetry = data.draw(st.sampled_from(["any", "first", "none"]))
    listed = rule_list(rules, game=made, symmetry=symmetry)
    native = listed.decide(space, role)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strategy.Strategy, "is_literal", lambda *_: False)
        plain = listed.decide(space, role)
    assert native.moves == plain.moves
    assert (native.decider == plain.decider).all()


def test_following_edges_reaches_all_states() -> None:
    solved = solution("tictactoe")
    reached = reachable_under(solved.space, solved.space.target > 0)
    assert len(reached.order) == 5478
    assert reached.path(int(reached.order[-1]))


def test_a_list_without_rules_looks_for_no_symmetries(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(_game: object) -> None:
        raise AssertionError("finding the symmetries of a large game takes a minute")

    made, space = game("tictactoe"), solution("tictactoe").space
    empty = strategy.read_strategy("", made)
    monkeypatch.setattr(strategy, "image_carriers", slow)
    assert (empty.decide(space, "xplayer").decider == -1).all()
