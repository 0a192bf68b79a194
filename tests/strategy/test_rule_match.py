"""What a rule lacks in a state is found by looking at the state, image by image."""

from __future__ import annotations

from tests.strategy.made import game, solution

from kibitz.strategy import match_rule, read_strategy


def test_a_rule_matches_exactly_where_the_list_lets_it_decide() -> None:
    made, space = game("tictactoe"), solution("tictactoe").space
    text = "symmetric any\ncell(1,1,x) and cell(1,3,x) => mark(1,2)"
    strategy = read_strategy(text, made)
    (rule,) = strategy.rules_for("xplayer")
    decided = strategy.decide(space, "xplayer")
    for number in range(0, len(space), 11):
        state = space.state(number)
        if state.is_terminal or len(state.legal("xplayer")) < 2:
            continue
        deciding, moves = decided.at(number)
        found = match_rule(rule, state, "xplayer")
        assert found is not None
        assert {str(move) for move in found.moves} == {str(move) for move in moves}
        assert bool(found.failing or found.blocked) == (deciding < 0)
        holding = set(state.fluents)
        assert all(fluent in holding for fluent in found.fluents)
        assert all(fluent not in holding for fluent in found.failing)


def test_a_rule_that_looks_ahead_is_not_matched() -> None:
    made = game("tictactoe")
    (rule,) = read_strategy("next wins(me) => mark(2,2)", made).rules_for("xplayer")
    assert match_rule(rule, made.initial(), "xplayer") is None
