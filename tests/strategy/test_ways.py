"""Ways to win and whether they are open, beside counting by hand; and preferences that use them."""

from __future__ import annotations

import random
from itertools import product

import pytest

from kibitz.engine import CompiledGame, State
from kibitz.english import sentences
from kibitz.errors import StrategyError
from kibitz.games import load_sheet
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
    assert said.endswith("one after which you have the most open lines that need 1 more.")
    numbers = CompiledGame(load_sheet("sum15"))
    (said,) = sentences(read_strategy("true => any also most ways(me, 1)", numbers), "player1")
    assert "open ways to win that need 1 more" in said
    with pytest.raises(StrategyError, match="no ways to win of red"):
        read_strategy("true => any also most ways(me, 1)", CompiledGame(load_sheet("hex:6")))
    with pytest.raises(StrategyError, match="no ways to win"):
        read_strategy("true => any also most ways(me, 7)", game)


def test_things_belong_to_whose_moves_make_them() -> None:
    game = CompiledGame(load_sheet("breakthrough:4x4"))
    white = owned_things(game, "white")
    assert {str(thing.args[2]) for things in white.values() for thing in things} == {"white"}
    assert len(open_ways(game, "white", 1)) == 0
