"""Groups and dark cells, beside counting by hand; evaluators, encodings and words agree."""

from __future__ import annotations

import pytest
from tests.strategy.agreement import answers
from tests.strategy.dominoes import domino_sheet
from tests.strategy.test_encodings import complying
from tests.strategy.test_role_numbers import held, some_states

from kibitz.engine import CompiledGame
from kibitz.english import plain_rule, read_back, say_rule, scene_of
from kibitz.errors import StrategyError
from kibitz.games import load_sheet
from kibitz.policy import compile_strategy, moves_by_gates
from kibitz.space import explore
from kibitz.strategy import NumberIs, columns_of, number_column, number_in, read_strategy
from kibitz.strategy.encodings import asp_encoding, tptp_encoding


def groups_by_hand(cells: set[tuple[int, int]]) -> int:
    left, found = set(cells), 0
    while left:
        found += 1
        queue = [left.pop()]
        while queue:
            r, c = queue.pop()
            near = {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)} & left
            left -= near
            queue += near
    return found


def compared(text: str, game: CompiledGame, role: str) -> NumberIs:
    ((condition, _),) = read_strategy(f"{text} = 0 => any", game).rules_for(role)[0].choices or ()
    assert isinstance(condition, NumberIs)
    return condition


def test_groups_and_dark_cells_are_counted() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    numbers = {
        text: compared(f"{text}(cell(_, _, x))", game, "xplayer").left
        for text in ("groups", "dark", "light")
    }
    for state in some_states(game, 60):
        own = {at for at, what in held(state).items() if what == "x"}
        assert number_in(numbers["groups"], state.fluents) == groups_by_hand(own)
        dark = sum((r + c) % 2 == 0 for r, c in own)
        assert number_in(numbers["dark"], state.fluents) == dark
        assert number_in(numbers["light"], state.fluents) == len(own) - dark


def test_groups_are_the_same_for_all_states_at_once() -> None:
    game = CompiledGame(domino_sheet(2, 4))
    space = explore(game)
    number = compared("groups(free(_, _))", game, "eve").left
    column = number_column(number, columns_of(space).fluent, len(space))
    for state in range(len(space)):
        assert column[state] == number_in(number, space.state(state).fluents)


@pytest.mark.parametrize(
    "text",
    [
        "next groups(cell(_, _, b)) = 1 and next groups(cell(_, _, x)) < 3 => any",
        "next dark(cell(_, _, x)) = light(cell(_, _, o)) + 1 => any",
        "next unchanged(half_turn, exchanged) => any",
    ],
)
def test_gates_and_words_mean_what_the_text_does(text: str) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    strategy = read_strategy(f"symmetric none\n{text}", game)
    policy = compile_strategy(strategy, "xplayer")
    states = [s for s in some_states(game, 30) if len(s.legal("xplayer")) > 1]
    for state, allowed in zip(states, moves_by_gates(policy, states), strict=True):
        chosen = strategy.moves(state, "xplayer") or state.legal("xplayer")
        assert set(allowed) == set(chosen)
    scene = scene_of(game, "xplayer")
    (rule,) = strategy.rules_for("xplayer")
    meant = plain_rule(rule)
    assert meant is not None
    said = say_rule(scene, rule, symmetric=False)
    assert "«" not in said
    assert {read.asked for read in read_back(scene, said)} == {meant.asked}


def test_groups_mean_the_same_in_asp() -> None:
    game = CompiledGame(load_sheet("crossdot:4,2"))
    text = "symmetric none\nnext groups(box(_, empty)) = 1 => any"
    strategies = {"player1": read_strategy(text, game)}
    assert answers(game, asp_encoding(game, strategies)) == complying(game, strategies, "any")
    assert "number_" in tptp_encoding(game, strategies)


def test_what_is_on_no_board_has_no_groups() -> None:
    game = CompiledGame(load_sheet("nim:1,2"))
    with pytest.raises(StrategyError, match="not on a board that has groups"):
        read_strategy("next groups(control(_)) = 1 => any", game).plan(game.roles[0])
