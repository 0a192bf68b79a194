"""One fact has one wording, wherever it is shown; the glossary has the vocabulary."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import kibitz
from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import parse
from kibitz.play.opponents import Estimator
from kibitz.present.explanation.value_sentences import value_sentences
from kibitz.present.report import Wish, make_report
from kibitz.present.report.text import headline
from kibitz.puzzles import DepthSkill, choose_puzzles, positions_of, question_of
from kibitz.solve import move_values, solve, state_values
from kibitz.space import Limits, explore
from kibitz.wording import (
    equal_text,
    length_text,
    result_text,
    side_names,
    value_text,
    win_in_text,
)

TWICE = """(role ann) (role bob) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ann (say ?x)) (true (step ?n)) (distinct ?n 2) (word ?x))
(<= (legal bob (say ?x)) (true (step 2)) (word ?x))
(<= (legal ann noop) (true (step 2))) (<= (legal bob noop) (true (step ?n)) (distinct ?n 2))
(word yes) (word no) (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 3))) (goal ann 100) (goal bob 0)"""
SOURCE = Path(kibitz.__file__).parent


@pytest.fixture(scope="module")
def nim() -> CompiledGame:
    return CompiledGame(load_sheet("nim:1,2"))


@pytest.mark.parametrize(
    ("name", "words"),
    [("nim:1,2", "Player 1 wins in 2 moves"), ("tictactoe", "it is a draw after 9 moves")],
)
def test_the_value_of_a_game_has_the_same_words_everywhere(name: str, words: str) -> None:
    game = CompiledGame(load_sheet(name))
    solution = solve(explore(game))
    assert value_text(solution.as_json(), side_names(game.roles)) == words
    assert value_sentences(game, solution)[0] == f"With best play {words}."
    report = make_report(load_sheet(name), Wish(rule_seconds=0))
    assert headline(report) == f"with best play {words}"
    assert f"With best play {words}." in solution._repr_html_()


def test_the_page_counts_moves_as_the_command_line_does(nim: CompiledGame) -> None:
    solution = solve(explore(nim))
    seen = state_values(solution, 0)
    assert seen["player1"].text == "wins in 2 moves"
    assert seen["player2"].text == "loses in 2 moves"
    assert seen["player1"].label == "W2"


def test_a_move_that_ends_play_wins_at_once(nim: CompiledGame) -> None:
    space = explore(nim, starts=[nim.state(nim.initial().fluents)])
    ends = [move for move in solve(space).moves_as_json() if move["distance"] == 0]
    assert all("at once" in value_text(move) for move in ends)
    assert value_text({"value": {"a": 100, "b": 0}, "distance": 0}) == "a wins at once"


def test_a_puzzle_counts_the_rounds_before_the_winning_move() -> None:
    solution = solve(explore(CompiledGame(load_sheet("tictactoe"))))
    for rounds in (0, 2):
        own = other = DepthSkill(1)
        found = choose_puzzles(
            positions_of(solution, "xplayer", rounds), rounds, own=own, other=other
        )
        assert {question_of(puzzle) for puzzle in found} == {win_in_text(rounds).capitalize()}
        assert {puzzle.win_in for puzzle in found} == {rounds}
        # Of the winner's moves all but the last are answered.
        assert {puzzle.remoteness for puzzle in found} == {2 * rounds + 1}


@pytest.mark.parametrize(
    ("described", "words"),
    [
        ({"value": {"a": 0, "b": 100}, "distance": 1}, "b wins after 1 move"),
        ({"value": {"a": 100}, "distance": 7}, "the puzzle is solved after 7 moves"),
        ({"value": {"a": 60}, "distance": 7}, "a gets 60 after 7 moves"),
        ({"value": {"a": 60}, "distance": None}, "a gets 60, and play need never end"),
        ({"value": {"a": 30, "b": 30}, "distance": 2}, "both get 30 after 2 moves"),
        ({"value": {"a": 0, "b": 0, "c": 100}, "distance": 2}, "c wins after 2 moves"),
        ({"value": {"a": 0, "b": 0, "c": 0}, "distance": 2}, "all lose after 2 moves"),
        ({"value": {"a": 100, "b": 100, "c": 0}, "distance": 2},
         "a gets 100, b gets 100, c gets 0, after 2 moves"),
        ({"value": {"a": 75, "b": 25}, "distance": 2}, "a gets 75, b gets 25, after 2 moves"),
        ({"value": {"a": 50.0, "b": 50.0}, "distance": 2},
         "a gets 50 on average, b gets 50 on average, after 2 moves"),
        ({"value": {"a": 70, "b": 50}, "distance": None},
         "nobody wins: play need never end, which counts 70 for a and 50 for b"),
    ],
)  # fmt: skip
def test_values_in_words(described: dict[str, object], words: str) -> None:
    assert value_text(described) == words


def test_only_fifty_for_all_is_a_draw() -> None:
    assert "draw" in equal_text(50)
    assert not any("draw" in equal_text(goal) for goal in range(101) if goal != 50)
    assert result_text({"a": 50, "b": 50}) == "it is a draw"
    assert result_text({"a": 50, "b": 40}) == "a gets 50, b gets 40"
    assert result_text({"a": 50, "b": None}) == "a gets 50, b has no goal"


def strings_of(text: str) -> list[str]:
    """Give the strings of a module that are no docstrings."""
    tree = ast.parse(text)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body
        if isinstance(node.body[0], ast.Expr)
    }
    loose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if id(node) not in docs | loose
    ]


PLIES = re.compile(r" pl(y|ies)\b|\bpl(y|ies) ")


def test_nobody_is_shown_plies() -> None:
    shown = [
        f"{path.name}: {text}"
        for path in sorted(SOURCE.rglob("*.py"))
        if re.search(r"pl(y|ies)\b", source := path.read_text("utf-8"))
        for text in strings_of(source)
        if PLIES.search(text)
    ]
    shown += [
        path.name
        for path in sorted((SOURCE / "web" / "static").glob("*.js"))
        if re.search(r"} plies", path.read_text("utf-8"))
    ]
    assert shown == []


def test_plies_that_are_shown_would_be_seen() -> None:
    text = (
        'def f(n):\n    """After n plies."""\n    print(f"after {n} plies")\n    return "plies"\n'
    )
    assert [found for found in strings_of(text) if PLIES.search(found)] == [" plies"]


@pytest.mark.parametrize(("write", "noun"), [(length_text, "move"), (win_in_text, "more round")])
def test_one_is_not_several(write: Callable[[int], str], noun: str) -> None:
    assert write(1).endswith(f"1 {noun}")
    assert write(2).endswith(f"2 {noun}s")
    assert write(1500).endswith(f"1,500 {noun}s")


@pytest.mark.parametrize(
    "name", ["nim:1,2,3", "kayles:5", "breakthrough:4x3", "hex:3", "threemensmorris"]
)
def test_the_length_of_a_win_counts_the_winners_own_moves_to_the_end(name: str) -> None:
    solution = solve(explore(CompiledGame(load_sheet(name)), limits=Limits(states=100_000)))
    space = solution.space
    for state in range(0, len(space), 1 + len(space) // 50):
        described = solution.as_json(state)
        if described["distance"] is None or set(described["value"].values()) != {0, 100}:
            continue
        winner = next(role for role, value in described["value"].items() if value)
        here, made = space.state(state), 0
        for joint in solution.line(state):
            made += f"(control {winner})" in map(str, here.fluents)
            here = here.step(joint)
        assert described["own_moves"] == made, (name, state)


def test_moves_of_all_are_counted_where_a_role_may_move_twice_in_a_row() -> None:
    solution = solve(explore(CompiledGame(parse(TWICE))))
    assert value_text(solution.as_json()) == "ann wins after 3 moves"


def test_a_search_counts_the_moves_of_a_proven_win_as_the_solution_does() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    state = game.initial().play("(mark 1 1)").play("(mark 1 2)").play("(mark 2 2)")
    estimated, _ = Estimator(game).estimate(state, ["oplayer"], seconds=0.2)
    solution = solve(explore(game))
    solved = move_values(solution, solution.space.number(state))
    proven = [one for one in estimated if one.value.kind == "exact"]
    assert proven
    assert all(one.value.label == solved["oplayer", one.move].label for one in proven)
