"""Puzzles that a search proves, against games written by hand and against the listing."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.puzzles.grids import board_of, by_hand, solved
from tests.puzzles.plain import Board, GridGame

from kibitz.engine import State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.policy import share_interval
from kibitz.prove import Prover
from kibitz.puzzles import (
    DepthSkill,
    Puzzle,
    PuzzleSet,
    Task,
    Wanted,
    choose_puzzles,
    positions_of,
    question_of,
    read_solver,
    search_puzzles,
)
from kibitz.puzzles.proved.attempts import depth_values
from kibitz.puzzles.proved.themes import passed
from kibitz.rows import least_images
from kibitz.strategy import read_strategy

LOST = 10**6


@cache
def game_of(name: str) -> CompiledGame:
    return CompiledGame(load_sheet(name))


@cache
def searched(name: str, task: Task, rounds: int, role: str = "xplayer") -> PuzzleSet:
    game = game_of(name)
    solvers = [read_solver(player, game) for player in ("1", "uct:10")]
    return search_puzzles(
        game,
        role,
        task=task,
        rounds=rounds,
        solvers=solvers,
        wanted=Wanted(count=30),
        seconds=10**6,
    )


class Oracle:
    """Best play in a game of marks, by recursion over boards."""

    def __init__(self, game: GridGame) -> None:
        self.game = game
        self.solve = cache(self._solve)

    def _solve(self, board: Board) -> tuple[int, int]:
        """Return who wins, 1 for x and -1 for o, and after how many plies with best play."""
        outcome = self.game.outcome(board)
        if outcome is not None:
            return outcome, 0
        sign = 1 if self.game.is_first(board) else -1
        after = [self.solve(then) for then in self.game.successors(board)]
        best = max(sign * value for value, _ in after)
        plies = [length for value, length in after if sign * value == best]
        return sign * best, 1 + (min(plies) if best > 0 else max(plies))


@cache
def oracle(name: str) -> Oracle:
    return Oracle(by_hand(name))


def after_moves(name: str, puzzle: Puzzle) -> dict[str, tuple[int, int]]:
    """Return value and plies after each move of a puzzle's position, by hand, for its role."""
    hand, best = by_hand(name), oracle(name)
    sign = 1 if puzzle.role == "xplayer" else -1
    found = {}
    for move in puzzle.state.legal(puzzle.role):
        board = board_of(puzzle.state.play(move), hand.cols)
        assert board in hand.successors(board_of(puzzle.state, hand.cols))
        value, plies = best.solve(board)
        found[puzzle.state.game.write(move)] = sign * value, plies
    return found


@pytest.mark.parametrize(
    ("name", "rounds", "role"),
    [
        ("tictactoe", 1, "xplayer"),
        ("tictactoe", 2, "xplayer"),
        ("tictactoe", 1, "oplayer"),
        ("connect:3,4x4", 0, "xplayer"),
        ("connect:3,4x4", 2, "xplayer"),
        ("connect:3,4x4", 2, "oplayer"),
        ("connect:3,4x4", 3, "xplayer"),
    ],
)
def test_answers_depth_and_title_are_those_of_a_brute_force(
    name: str, rounds: int, role: str
) -> None:
    hand = "mnk:3,3,3" if name == "tictactoe" else name
    found = searched(name, Task.WIN, rounds, role)
    assert len(found) >= (3 if name == "tictactoe" else 20 if rounds < 3 else 5)
    for puzzle in found:
        moves = after_moves(hand, puzzle)
        in_time = {
            m for m, (value, plies) in moves.items() if value > 0 and plies <= 2 * rounds + 1
        }
        assert set(puzzle.first_moves) == in_time
        assert len(in_time) == 1
        fastest = 1 + min(plies for value, plies in moves.values() if value > 0)
        assert puzzle.remoteness == fastest == len(puzzle.line)
        assert fastest in (2 * rounds + 1, 2 * rounds + 2)
        for move in puzzle.slower_moves:
            value, plies = moves[move]
            assert value > 0
            assert plies > 2 * rounds + 1
        more = f"in {rounds} more round{'s' * (rounds > 1)}" if rounds else "at once"
        assert question_of(puzzle) == f"Win {more}"
        for wrong in puzzle.refutations:
            value, plies = moves[wrong.move]
            assert value <= 0 or plies > 2 * rounds + 1
            if wrong.result.endswith(" wins"):
                assert value < 0


@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_an_only_defence_is_one_by_brute_force(rounds: int) -> None:
    name = "connect:3,4x4"
    found = searched(name, Task.DEFEND, rounds)
    assert len(found) >= 10
    for puzzle in found:
        moves = after_moves(name, puzzle)
        safe = {m for m, (value, n) in moves.items() if value >= 0 or n > 2 * rounds + 2}
        assert set(puzzle.first_moves) == safe
        assert len(safe) == 1
        assert any(n > 2 * rounds for m, (_, n) in moves.items() if m not in safe)


@pytest.mark.slow
def test_a_draw_to_save_is_one_by_brute_force() -> None:
    found = searched("tictactoe", Task.DRAW, 2, "oplayer")
    assert len(found) >= 10
    for puzzle in found:
        moves = after_moves("mnk:3,3,3", puzzle)
        assert {m for m, (value, _) in moves.items() if value == 0} == set(puzzle.first_moves)
        assert [value for value, _ in moves.values()].count(-1) == len(moves) - 1
        assert question_of(puzzle) == "Save the draw"


def test_the_search_finds_puzzles_of_the_listing() -> None:
    name = "connect:3,4x4"
    solution = solved(name)
    positions = positions_of(solution, "xplayer", 2)
    listed = choose_puzzles(
        positions, 2, own=DepthSkill(1), other=DepthSkill(3), wanted=Wanted(count=10**6)
    )
    by_position = {frozenset(map(str, puzzle.state.fluents)): puzzle for puzzle in listed}
    for puzzle in searched(name, Task.WIN, 2):
        same = by_position[frozenset(map(str, puzzle.state.fluents))]
        assert puzzle.first_moves == same.first_moves
        assert set(puzzle.slower_moves) <= set(same.slower_moves)
        assert puzzle.remoteness == same.remoteness


def test_no_puzzle_is_an_image_of_another() -> None:
    game = game_of("connect:3,4x4")
    prover = Prover(game)
    assert prover.images
    rows = np.stack([prover.row(p.state) for p in searched("connect:3,4x4", Task.WIN, 2)])
    assert len(np.unique(least_images(rows, prover.images), axis=0)) == len(rows)


def test_the_same_seed_gives_the_same_puzzles() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    solvers = [read_solver(player, game) for player in ("1", "uct:10")]
    wanted = Wanted(count=30)
    again = search_puzzles(game, "xplayer", rounds=2, solvers=solvers, wanted=wanted)
    first = searched("connect:3,4x4", Task.WIN, 2)
    assert [p.as_json() for p in again] == [p.as_json() for p in first]
    other = search_puzzles(game, "xplayer", rounds=2, solvers=solvers, wanted=Wanted(30, seed=2))
    assert [p.name for p in other] != [p.name for p in first]


@pytest.mark.parametrize("name", ["tictactoe", "connect:3,3x4", "hex:3"])
@pytest.mark.parametrize("depth", [1, 2])
def test_a_depth_player_prefers_what_sweeps_find_best(name: str, depth: int) -> None:
    solution = solved(name)
    space = solution.space
    for index, role in enumerate(space.game.roles):
        chosen = DepthSkill(depth).choose(solution, index).chosen
        for number in range(0, len(space), max(1, len(space) // 40)):
            edges = range(space.first_edge[number], space.first_edge[number + 1])
            if len(edges) < 2 or space.turn[number] != index:
                continue
            values = depth_values(space.state(number), role, depth)
            assert values is not None
            best = {move for move, value in values.items() if value == max(values.values())}
            marked = {space.joint_moves[space.action[e]][index] for e in edges if chosen[e]}
            assert best == marked


def test_shares_of_attempts_lie_in_their_intervals() -> None:
    for puzzle in searched("connect:3,4x4", Task.WIN, 2):
        exact, sampled = puzzle.attempts
        assert exact.interval == (exact.share, exact.share)
        low, high = sampled.interval
        assert low <= sampled.share <= high
        assert 0 < high - low < 0.35
    assert share_interval(40, 40)[1] == pytest.approx(1)


def test_a_level_is_that_of_the_first_player() -> None:
    game = game_of("connect:3,4x4")
    solvers = [read_solver("1", game)]
    for level, (low, high) in {"easy": (2 / 3, 1), "hard": (0, 1 / 3)}.items():
        from kibitz.puzzles import Level

        wanted = Wanted(count=5, level=Level(level))
        found = search_puzzles(game, "xplayer", rounds=2, solvers=solvers, wanted=wanted)
        assert len(found) == 5
        assert all(low <= puzzle.attempts[0].share <= high for puzzle in found)


def states_on(line: tuple[str, ...], state: State) -> list[State]:
    states = [state]
    for move in line:
        states.append(states[-1].play(move))
    return states


def test_themes_are_what_their_definitions_say() -> None:
    name = "connect:3,4x4"
    hand = by_hand(name)
    seen = set()
    for puzzle in [*searched(name, Task.WIN, 2), *searched(name, Task.WIN, 0)]:
        seen |= set(puzzle.themes)
        board = board_of(puzzle.state, hand.cols)
        answer = board_of(puzzle.state.play(puzzle.first_moves[0]), hand.cols)
        assert ("win" in puzzle.themes) == (hand.outcome(answer) == 1)
        if "win" in puzzle.themes:
            continue
        loses = [
            any(hand.outcome(reply) == -1 for reply in hand.successors(then))
            for then in hand.successors(board)
            if then != answer
        ]
        is_safe = all(hand.outcome(reply) != -1 for reply in hand.successors(answer))
        assert ("parry" in puzzle.themes) == (any(loses) and is_safe)
        held = [
            reply
            for reply in hand.successors(answer)
            if hand.outcome(reply) != 1
            and not any(hand.outcome(then) == 1 for then in hand.successors(reply))
        ]
        replies = len(hand.successors(answer))
        assert ("forcing" in puzzle.themes) == (len(held) == 1 < replies)
        assert ("quiet" in puzzle.themes) == (2 * len(held) > replies > 1)
        double = False
        for ply, state in enumerate(states_on(puzzle.line, puzzle.state)):
            here = board_of(state, hand.cols)
            if ply % 2 == 0 or hand.outcome(here) is not None:
                continue
            wins = [
                {then[0] & ~reply[0] for then in hand.successors(reply) if hand.outcome(then) == 1}
                for reply in hand.successors(here)
                if hand.outcome(reply) is None
            ]
            columns = [{(w.bit_length() - 1) % hand.cols for w in one} for one in wins]
            all_win = len(wins) == len(hand.successors(here)) > 1 and all(wins)
            double |= all_win and not set.intersection(*columns)
        assert ("doubleThreat" in puzzle.themes) == double
        assert ("zugzwang" in puzzle.themes) == is_zugzwang(hand, puzzle)
    assert {"win", "parry", "doubleThreat", "zugzwang", "forcing"} <= seen


def x_wins_within(hand: GridGame, board: Board, plies: int, *, x_moves: bool) -> bool:
    """Return whether x wins in time, whoever's turn it is by the number of marks."""
    outcome = hand.outcome(board)
    if outcome is not None or not plies:
        return outcome == 1
    x, o = board
    afters = []
    for column in range(hand.cols):
        cells = [1 << row * hand.cols + column for row in range(hand.rows)]
        afters += [
            (x | c, o) if x_moves else (x, o | c) for c in cells if not (x | o) & c
        ][: hand.reach]  # fmt: skip
    wins = (x_wins_within(hand, after, plies - 1, x_moves=not x_moves) for after in afters)
    return any(wins) if x_moves else all(wins)


def is_zugzwang(hand: GridGame, puzzle: Puzzle) -> bool:
    states = states_on(puzzle.line, puzzle.state)
    for ply, state in enumerate(states[1:-1], start=1):
        left = len(puzzle.line) - ply
        board = board_of(state, hand.cols)
        if ply % 2 and not x_wins_within(hand, board, left - 1, x_moves=True):
            return True
    return False


def test_a_sacrifice_lets_the_man_be_taken_that_moved() -> None:
    game = game_of("breakthrough:5x5")
    solvers = [read_solver("1", game)]
    kinds = set()
    for puzzle in (
        *search_puzzles(game, "white", rounds=1, solvers=solvers, wanted=Wanted(count=5)),
        *search_puzzles(game, "white", rounds=2, solvers=solvers, wanted=Wanted(count=3)),
    ):
        answer = puzzle.first_moves[0]
        target = answer.strip("()").split()[3:]
        then = puzzle.state.play(answer)
        things = {tuple(map(str, fluent.args)) for fluent in puzzle.state.fluents}
        is_empty = (*target, "black") not in things
        replies = [game.write(move).strip("()").split()[3:] for move in then.legal("black")]
        kinds.add("sacrifice" in puzzle.themes)
        assert ("sacrifice" in puzzle.themes) == (is_empty and target in replies)
    assert kinds == {True, False}


@pytest.mark.parametrize("name", ["connect:3,4x4", "breakthrough:4x3"])
def test_passing_changes_the_role_to_move_alone(name: str) -> None:
    game = game_of(name)
    state = game.initial()
    then = passed(state)
    assert then is not None
    assert [len(then.legal(r)) > 1 for r in game.roles] == [False, True]
    assert len(set(state.fluents) ^ set(then.fluents)) == 2
    back = passed(then)
    assert back is not None
    assert back.key == state.key


def test_nobody_passes_where_a_counter_says_whose_turn_it_is() -> None:
    assert passed(game_of("nim:1,2").initial()) is not None
    sheet = """
        (role a) (role b) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (turn 0 a) (turn 1 b)
        (turn 2 a) (<= (legal ?r left) (true (step ?n)) (turn ?n ?r))
        (<= (legal ?r right) (true (step ?n)) (turn ?n ?r))
        (<= (legal ?r noop) (role ?r) (true (step ?n)) (not (turn ?n ?r)))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= (next won) (does a left)) (<= (next won) (true won))
        (<= terminal (true (step 3))) (<= (goal a 100) (true won)) (<= (goal b 0) (true won))
        (<= (goal a 0) (not (true won))) (<= (goal b 100) (not (true won)))
    """
    assert passed(CompiledGame(read(sheet, form="kif")).initial()) is None


def test_the_rule_that_solves_a_puzzle_is_a_theme() -> None:
    game = game_of("tictactoe")
    rules = read_strategy("(cell 2 2 b) => (mark 2 2)\ntrue => any", game)
    rules = rules.with_symmetry("none")
    wanted = Wanted(count=200, rules=rules)
    own = DepthSkill(1)
    positions = positions_of(solved("tictactoe"), "xplayer", 1)
    seen = set()
    for puzzle in choose_puzzles(positions, 1, own=own, other=own, wanted=wanted):
        centre = puzzle.first_moves == ("(mark 2 2)",)
        assert ("rule1" in puzzle.themes) == centre
        assert "rule2" not in puzzle.themes
        seen.add(centre)
    assert seen == {True, False}
    themed = choose_puzzles(positions, 1, own=own, other=own, wanted=replace(wanted, theme="rule1"))
    assert len(themed) > 0
    assert all("rule1" in puzzle.themes for puzzle in themed)
    with pytest.raises(InputError, match="has 2 rules"):
        choose_puzzles(positions, 1, own=own, other=own, wanted=replace(wanted, theme="rule3"))
