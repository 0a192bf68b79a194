"""Ways to win and whether they are open, beside counting by hand; and preferences that use them."""

from __future__ import annotations

import random
from itertools import product

import pytest
from tests.foreign import FOREIGN, needs_foreign
from tests.strategy.heaps import heap_sheet

from kibitz.engine import CompiledGame, State
from kibitz.english import sentences
from kibitz.errors import StrategyError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.policy import compile_strategy, moves_by_gates
from kibitz.strategy import open_ways, owned_things, read_strategy, ways_to_win


def lines_of(rows: int, columns: int, length: int) -> set[frozenset[tuple[int, int]]]:
    """List the lines of a grid by hand."""
    found = set()
    for r, c, (dr, dc) in product(
        range(1, rows + 1), range(1, columns + 1), ((0, 1), (1, 0), (1, 1), (1, -1))
    ):
        line = [(r + dr * i, c + dc * i) for i in range(length)]
        if all(1 <= x <= rows and 1 <= y <= columns for x, y in line):
            found.add(frozenset(line))
    return found


LINES = lines_of(6, 7, 4)


def count_open(state: State, mark: str, missing: int) -> int:
    """Count the lines of connect four that lack so many marks, and are otherwise empty."""
    held = {
        (int(str(row)), int(str(column))): str(what)
        for row, column, what in (f.args for f in state.fluents if f.name == "cell")
    }
    found = 0
    for line in LINES:
        owners = [held.get(cell, "b") for cell in line]
        found += owners.count(mark) == 4 - missing and owners.count("b") == missing
    return found


@pytest.mark.parametrize(
    ("name", "shape"),
    [("tictactoe", (3, 3, 3)), ("connectfour", (6, 7, 4)), ("mnk:5,5,4", (5, 5, 4))],
)
def test_ways_are_the_lines_of_a_board(name: str, shape: tuple[int, int, int]) -> None:
    game = CompiledGame(load_sheet(name))
    for role, mark in (("xplayer", "x"), ("oplayer", "o")):
        ways = {
            frozenset(tuple(int(str(a)) for a in thing.args[:2]) for thing in way)
            for way in ways_to_win(game, role)
        }
        assert ways == lines_of(*shape)
        assert {str(t.args[2]) for way in ways_to_win(game, role) for t in way} == {mark}


@pytest.mark.parametrize("name", ["breakthrough:4x4", "hex:6", "nim:1,3,5", "eightpuzzle"])
def test_paths_and_counts_are_no_ways(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    assert all(not ways_to_win(game, role) for role in game.roles)


def test_a_way_is_open_while_nothing_stands_where_it_lacks_something() -> None:
    game = CompiledGame(load_sheet("connectfour"))
    source = random.Random(3)
    for text, sign in (("most ways(me, 1)", 1), ("fewest ways(opponent, 2)", -1)):
        strategy = read_strategy(f"symmetric none\ntrue => any also {text}", game)
        policy = compile_strategy(strategy, "xplayer")
        for _ in range(2):
            state = game.initial()
            while not state.is_terminal:
                if len(state.legal("xplayer")) > 1:
                    mark, missing = ("x", 1) if sign > 0 else ("o", 2)
                    scores = {
                        move: sign * count_open(state.play(move), mark, missing)
                        for move in state.legal("xplayer")
                    }
                    best = {m for m, value in scores.items() if value == max(scores.values())}
                    (allowed,) = moves_by_gates(policy, [state])
                    assert set(allowed) == best
                joint = tuple(source.choice(state.legal(role)) for role in game.roles)
                state = game.successor(state.key, joint)


def test_evaluator_and_gates_agree_about_ways() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    text = "true => any also most ways(me, 1) also fewest ways(opponent, 2)"
    strategy = read_strategy(f"symmetric none\n{text}", game)
    policy = compile_strategy(strategy, "oplayer")
    source = random.Random(1)
    for _ in range(5):
        state = game.initial()
        while not state.is_terminal:
            if len(state.legal("oplayer")) > 1:
                (allowed,) = moves_by_gates(policy, [state])
                assert set(allowed) == set(strategy.moves(state, "oplayer"))
            joint = tuple(source.choice(state.legal(role)) for role in game.roles)
            state = game.successor(state.key, joint)


def test_ways_are_put_into_words_and_refused_where_there_are_none() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    strategy = read_strategy("true => any also most ways(me, 1)", game)
    (said,) = sentences(strategy, "xplayer")
    assert said.endswith(
        "one after which you have the most open lines that need only one more piece."
    )
    numbers = CompiledGame(load_sheet("sum15"))
    (said,) = sentences(read_strategy("true => any also most ways(me, 1)", numbers), "player1")
    assert "open ways to win that need only one more" in said
    with pytest.raises(StrategyError, match="no ways to win of red"):
        read_strategy("true => any also most ways(me, 1)", CompiledGame(load_sheet("hex:6")))
    with pytest.raises(StrategyError, match="no ways to win"):
        read_strategy("true => any also most ways(me, 7)", game)


def test_things_belong_to_whose_moves_make_them() -> None:
    game = CompiledGame(load_sheet("breakthrough:4x4"))
    white = owned_things(game, "white")
    assert {str(thing.args[2]) for things in white.values() for thing in things} == {"white"}
    assert len(open_ways(game, "white", 1)) == 0


TURNED = """
(role red) (role blue)
(init (puts red))
(cell 1) (cell 2) (cell 3)
(follows 1 2) (follows 2 3) (follows 3 1)
(<= (legal ?p (put ?c)) (true (puts ?p)) (cell ?c) (not (filled ?c)))
(<= (legal ?p turn) (true (turns ?p)))
(<= (legal ?p stay) (true (turns ?p)))
(<= (legal ?p noop) (role ?p) (not (true (puts ?p))) (not (true (turns ?p))))
(<= (filled ?c) (true (holds ?c ?p)))
(<= turned (does ?p turn))
(<= (next (holds ?c ?p)) (does ?p (put ?c)))
(<= (next (holds ?c ?p)) (true (holds ?c ?p)) (not turned))
(<= (next (holds ?d ?p)) (true (holds ?c ?p)) (follows ?c ?d) turned)
(<= (next (turns ?p)) (true (puts ?p)))
(<= (next (puts red)) (true (turns blue)))
(<= (next (puts blue)) (true (turns red)))
(<= pair (true (holds 1 ?p)) (true (holds 2 ?p)))
(<= full (filled 1) (filled 2) (filled 3))
(<= terminal pair)
(<= terminal full)
(<= (goal ?p 100) (true (holds 1 ?p)) (true (holds 2 ?p)))
(<= (goal ?p 0) (role ?p) (not (true (holds 1 ?p))))
(<= (goal ?p 0) (role ?p) (not (true (holds 2 ?p))))
"""


def test_things_belong_to_who_puts_them_where_others_move_them_too() -> None:
    game = CompiledGame(read(TURNED))
    for role in game.roles:
        things = owned_things(game, role)
        assert set(things) == {("holds", 2, 1)}
        assert {str(thing.args[1]) for thing in things["holds", 2, 1]} == {role}
        assert [len(way) for way in ways_to_win(game, role)] == [2]


@needs_foreign
def test_foreign_rules_that_say_what_must_not_be_have_ways() -> None:
    game = CompiledGame(read((FOREIGN / "rules" / "pentago.kif").read_text()))
    assert [len(ways_to_win(game, role)) for role in game.roles] == [32, 32]
    suicide = CompiledGame(read((FOREIGN / "rules" / "breakthroughSuicide.kif").read_text()))
    assert set(owned_things(suicide, "white")) == {("cellHolds", 3, 2)}


def test_numbers_that_both_roles_leave_are_nobodys() -> None:
    game = CompiledGame(heap_sheet((13,), (2, 5, 6), misere=True))
    assert not owned_things(game, "ann")
