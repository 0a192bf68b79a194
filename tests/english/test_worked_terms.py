"""Every term of the strategy language is shown on the board, with its figures."""

from __future__ import annotations

import pytest

import kibitz
from kibitz.board import layout_of
from kibitz.present import draw_followed
from kibitz.strategy import read_strategy

_TERMS = [
    (
        "tictactoe",
        "(mark 1 2) (mark 2 2)",
        "next groups(cell(_,_,b)) = 2 => any",
        ["1 .:1   x .:2", "2   x   o .:2", "3 .:2 .:2 .:2"],
        "",
    ),
    (
        "tictactoe",
        "",
        "next dark(cell(_,_,b)) = light(cell(_,_,b)) => any",
        ["1   x .:1 .:1", "2 .:2 .:2 .:3", "3 .:3 .:4 .:4"],
        "Here both are 4.",
    ),
    (
        "tictactoe",
        "(mark 1 1)",
        "next unchanged(half_turn, exchanged) => any",
        ["1 x:a   .   .", "3   .   . o:a"],
        "Places with the same letter change places in a half-turn that exchanges the sides.",
    ),
    (
        "tictactoe",
        "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2)",
        "next wins(me) => any",
        ["1[x][x][x]"],
        "",
    ),
    (
        "tictactoe",
        "(mark 1 1) (mark 1 2) (mark 2 2) (mark 3 3)",
        "next (not terminal & next can(me, next wins(me))) => any",
        ["1   x   o   .", "2   x   x .:!", "3 .:!   .   o"],
        "A place with ! would complete a win.",
    ),
    (
        "tictactoe",
        "(mark 1 1) (mark 2 2) (mark 1 2)",
        "can(me, next can(opponent, next wins(opponent))) & next next not wins(opponent) => any",
        ["1   x   x[.:!]"],
        "A place with ! would complete a win.",
    ),
    (
        "crossdot:4,3",
        "",
        "next (not box(1, dot) or not box(2, empty)) => mark(3)",
        [".:a .:a   x   ."],
        "Places with the same letter are a pair.",
    ),
    (
        "kayles:5",
        "",
        "next runs(pin(_, up), 0, 1, 2, 3, 1, 4) = 0 => any",
        ["|:2 |:2   _ |:2 |:2"],
        "The nim-sum of 2 and 2 is 0.",
    ),
    (
        "nim:3,4,5",
        "",
        "next nimsum(heap.2 % 4) = 3 => any",
        ["b ●●●● 4:0", "c ●●●●● 5:1"],
        "The nim-sum of 2, 0 and 1 is 3.",
    ),
    (
        "nim:3,4,5",
        "",
        "next distance(number(heap(a,_)), number(heap(b,_))) = 2 => any",
        ["a ●● 2 <", "b ●●●● 4 <", "c ●●●●● 5"],
        "The distance from 2 to 4 is 2.",
    ),
    (
        "nim:3,4,5",
        "",
        "next sum(heap.2) % 4 = 3 => any",
        ["c ●●●●● 5"],
        "2 + 4 + 5 is 11, which is 2 times 4, and 3 more.",
    ),
    (
        "nim:3,4,5",
        "",
        "next number(heap(a,_)) = entry(number(heap(b,_)), 1, 0, 4, 3, 2) => any",
        ["a ●● 2 <", "b ●●●● 4 <"],
        "2 is what the table has for 4.",
    ),
]


@pytest.mark.parametrize(("name", "moves", "rule", "lines", "note"), _TERMS)
def test_a_term_is_shown_on_what_a_move_leaves_or_where_it_is_made(
    name: str, moves: str, rule: str, lines: list[str], note: str
) -> None:
    state = kibitz.load(name).initial()
    for move in moves.replace(") (", ")|(").split("|") if moves else []:
        state = state.play(move)
    role = next(role for role in state.game.roles if len(state.legal(role)) > 1)
    strategy = read_strategy(f"symmetric none\n{rule}", state.game)
    move_made = min(strategy.moves(state, role), key=str)
    condition = strategy.rules_for(role)[0].condition
    picture = draw_followed(
        condition, state, state.play(move_made), move_made, layout_of(state.game)
    )
    before, _, left = picture.text.partition("\nleaves\n")
    shown = (left or before).splitlines()
    assert [line for line in lines if line not in shown] == [], picture.text
    assert picture.note == note
    assert picture.svg.startswith("<svg ")
