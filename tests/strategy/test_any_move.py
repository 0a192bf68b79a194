"""A rule for any move allows every move under which its condition is valid."""

from __future__ import annotations

import pytest
from tests.english.test_sentences import scene
from tests.strategy.made import game, solution

from kibitz.engine import CompiledGame, ReferenceGame
from kibitz.english import read_back, sentences
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.strategy import (
    drawn,
    export_strategy,
    read_strategy,
    verify,
    verify_by_reference,
    write_rule,
)

CONDITIONS = [
    "true",
    "next wins(me)",
    "not next wins(me) & (cell 2 2 b)",
    "any R in row: cell(R,1,x)",
]
PASSING = """(role me) (role you) (init (at 1)) (succ 1 2) (succ 2 3)
(<= (legal me (go ?n)) (true (at ?m)) (succ ?m ?n)) (legal me pass) (legal you wait)
(<= (next (at ?n)) (does me (go ?n))) (<= (next (at ?m)) (true (at ?m)) (does me pass))
(<= terminal (true (at 3))) (<= (goal me 100) (true (at 3))) (goal you 0)"""


@pytest.mark.parametrize("condition", CONDITIONS)
def test_any_is_the_list_of_all_moves(condition: str) -> None:
    moves = ", ".join(map(game("tictactoe").write, game("tictactoe").network.moves[0]))
    one = read_strategy(f"{condition} => any", game("tictactoe"))
    other = read_strategy(f"{condition} => {{{moves}}}", game("tictactoe"))
    assert one == other
    space = solution("tictactoe").space
    assert (one.on(space, "xplayer").chosen == other.on(space, "xplayer").chosen).all()
    assert len(one.parts("xplayer")) == 1


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_rule_for_any_move_is_written_as_it_is_read(condition: str) -> None:
    strategy = read_strategy(f"{condition} => any", game("tictactoe"))
    text = write_rule(strategy.rules[0].choices)
    assert text.endswith("=> any")
    again = read_strategy(text, game("tictactoe"))
    assert again.rules_for("xplayer") == strategy.rules_for("xplayer")


def test_a_line_ends_after_any() -> None:
    text = "true => any\n\nfalse => any # nothing\n| true => mark(1,1)\nany R in row: true => any"
    assert len(read_strategy(text, game("tictactoe")).rules) == 4


def test_a_single_move_stays_that_move() -> None:
    strategy = read_strategy("true => wait", CompiledGame(read(PASSING)))
    assert write_rule(strategy.rules_for("you")[0].choices) == "true => wait"


def test_the_reference_check_and_the_compiled_one_agree_on_any() -> None:
    text = "next wins(me) => any\nnot next wins(opponent) & (heap a 1) => any"
    for silence in ("any", "stop"):
        compiled = verify(
            read_strategy(text, game("nim:1,2")), solution("nim:1,2"), "player1", silence=silence
        )
        reference = verify_by_reference(
            read_strategy(text, ReferenceGame(load_sheet("nim:1,2"))), "player1", silence=silence
        )
        assert compiled.literals == reference.literals == 3
        assert compiled.guarantees == reference.guarantees
        assert compiled.dead_rules == reference.dead_rules


def test_any_is_said_as_a_move_and_drawn_without_moves() -> None:
    strategy = read_strategy(
        "next wins(me) => any\n(cell 2 2 b) => any\ntrue => any", game("tictactoe")
    )
    assert sentences(strategy, "xplayer") == [
        "Win at once if you can.",
        "Make a move if the centre is empty.",
        "Make a move if you can.",
    ]
    shown = [drawn(rule) for rule in strategy.rules]
    assert [board and board[1] for board in shown] == [None, (), None]
    assert '"any"' in str(export_strategy(strategy, "dot"))


def test_where_passing_is_a_choice_any_move_includes_it() -> None:
    here = CompiledGame(read(PASSING, name="passing"))
    said = sentences(read_strategy("true => any", here), "me")
    assert said == ["Make any move if you can."]
    some = sentences(read_strategy("true => {(go 2), (go 3)}", here), "me")
    assert some == ["Make a move if you can."]


def test_what_is_said_of_any_move_is_read_back() -> None:
    here = scene("tictactoe", "xplayer")
    (rule,) = read_back(here, "Make a move after which play has ended if you can.")
    assert rule.moves == here.every_move
