"""Puzzles are what was asked for: checked against values, orbits and chances found otherwise."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from tests.puzzles.grids import board_of, by_hand, solved
from tests.puzzles.plain import Board, GridGame

from kibitz.engine import ReferenceGame
from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import parse_terms
from kibitz.puzzles import (
    DepthSkill,
    Level,
    OptimalSkill,
    Positions,
    PuzzleSet,
    RandomSkill,
    StrategySkill,
    Wanted,
    choose_balanced,
    choose_puzzles,
    find_positions,
    measure_all,
    question_of,
    read_skill,
    winning_chances,
)
from kibitz.puzzles.positions import orbit_leaders
from kibitz.puzzles.selection import count_first_moves
from kibitz.puzzles.skill.skills import choose_all
from kibitz.solve import solve
from kibitz.space import explore, find_symmetries
from kibitz.strategy import read_strategy


@cache
def positions(name: str = "connect:3,4x4", kind: str = "paper") -> Positions:
    game = CompiledGame(load_sheet(name))
    return find_positions(game, game.roles[0], set=kind)  # type: ignore[arg-type]


def choose(rounds: int = 2, name: str = "connect:3,4x4", **wanted: object) -> PuzzleSet:
    wanted.setdefault("unique", False)
    return choose_puzzles(
        positions(name),
        rounds,
        own=DepthSkill(1),
        other=DepthSkill(3),
        beside=[DepthSkill(2)],
        wanted=Wanted(**wanted),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("level", list(Level))
def test_puzzles_are_of_the_level_that_was_asked_for(level: Level) -> None:
    found = choose(level=level, count=1000)
    assert len(found) == found.of_level > 0
    low, high = {"easy": (2 / 3, 1), "medium": (1 / 3, 2 / 3), "hard": (0, 1 / 3)}[level.value]
    for puzzle in found:
        assert low - 1e-9 <= dict(puzzle.chances)["depth 1"] <= high + 1e-9
        assert puzzle.level is level


def test_a_solution_wins_in_the_moves_that_were_asked_for_whoever_plays_it() -> None:
    """Replay every line on the reference engine, which shares no code with the space."""
    reference = ReferenceGame(load_sheet("connect:3,4x4"))
    found = choose(count=20, level=Level.MEDIUM)
    assert len(found) > 10
    for puzzle in found:
        state = reference.state(puzzle.state.fluents)
        for ply, text in enumerate(puzzle.line):
            (move,) = parse_terms(text)
            mover = ply % 2
            joint = [move, move]
            joint[1 - mover] = parse_terms("noop")[0]
            assert not state.is_terminal
            state = state.step(joint)
        assert state.goals == {"xplayer": 100, "oplayer": 0}
        assert puzzle.win_in is not None
        assert len(puzzle.line) <= 2 * puzzle.win_in + 1
        assert puzzle.remoteness == len(puzzle.line)
        assert puzzle.line[0] in puzzle.first_moves


@pytest.mark.slow
def test_unique_puzzles_have_one_right_first_move() -> None:
    found = choose(rounds=1, count=500, unique=True)
    assert len(found) > 10
    assert len(found) == len(choose(rounds=1, count=500, unique=None))
    solution = positions().solution
    for puzzle in found:
        assert len(puzzle.first_moves) == 1
        state = solution.space.game.state(puzzle.state.fluents)
        local = explore(solution.space.game, starts=[state])
        values = solve(local)
        winning = [to for _, to in local.moves(0) if values.values[to] == 100]
        assert sum(values.distance[to] <= 3 for to in winning) == 1
        assert len(winning) == 1 + len(puzzle.slower_moves)


def plies_to_win(game: GridGame, board: Board, known: dict[Board, int]) -> int:
    """Search for the fewest plies in which x wins, whatever o does; 99 or more if it cannot."""
    if board not in known:
        end = game.outcome(board)
        if end is not None:
            known[board] = 0 if end == 1 else 99
        else:
            best = min if game.is_first(board) else max
            known[board] = 1 + best(plies_to_win(game, b, known) for b in game.successors(board))
    return known[board]


@pytest.mark.parametrize(
    ("name", "longest"),
    [("mnk:3,3,3", 2), pytest.param("connect:3,4x4", 6, marks=pytest.mark.slow)],
)
def test_answers_depths_and_titles_are_those_of_a_search_by_hand(name: str, longest: int) -> None:
    """Every puzzle of every length: which positions, which answers, how many moves.

    Of the thousands that win at once, a thousand are looked at.
    """
    game, plies = by_hand(name), dict[Board, int]()
    wins: dict[int, dict[Board, set[Board]]] = {}
    for board in game.reachable():
        count = plies_to_win(game, board, plies)
        if game.is_first(board) and 0 < count < 99:
            right = {b for b in game.successors(board) if plies[b] < count}
            wins.setdefault((count - 1) // 2, {})[board] = right
    assert max(wins) == longest
    for rounds, answers in wins.items():
        puzzles = {b: right for b, right in answers.items() if right < {*game.successors(b)}}
        found = choose_puzzles(
            positions(name, "exact"),
            rounds,
            own=DepthSkill(1),
            other=DepthSkill(3),
            wanted=Wanted(count=1000, unique=False),
        )
        assert (found.positions, found.of_level) == (len(answers), len(puzzles))
        title = f"Win in {rounds} more round{'s' * (rounds > 1)}" if rounds else "Win at once"
        for puzzle in found:
            board = board_of(puzzle.state, game.cols)
            after = {m: board_of(puzzle.state.play(m), game.cols) for m in puzzle.first_moves}
            slower = {board_of(puzzle.state.play(m), game.cols) for m in puzzle.slower_moves}
            assert {*after.values()} == puzzles.pop(board)
            assert slower == {b for b in game.successors(board) if plies[board] <= plies[b] < 99}
            assert (puzzle.win_in, puzzle.remoteness) == (rounds, plies[board])
            assert question_of(puzzle) == title
        assert not puzzles or rounds == 0


def test_first_moves_are_counted_as_they_are_listed() -> None:
    solution = solved("mnk:3,3,3")
    inner = np.flatnonzero(np.diff(solution.space.first_edge))
    counts = count_first_moves(solution, inner)
    assert counts.tolist() == [len(solution.keeping_moves(int(s))) for s in inner]


def test_canonical_puzzles_are_no_images_of_one_another() -> None:
    game = positions().solution.space.game
    symmetries = find_symmetries(game)
    every = choose(rounds=1, count=10_000)
    one_each = choose(rounds=1, count=10_000, symmetries=symmetries)
    images = []
    number = {fluent: i for i, fluent in enumerate(symmetries.fluents)}
    for puzzle in one_each:
        orbit = {
            frozenset(symmetries.fluents[e.fluents[number[f]]] for f in puzzle.state.fluents)
            for e in symmetries.elements()
        }
        images.append(orbit)
    covered = set().union(*images)
    assert sum(map(len, images)) == len(covered)
    assert covered == {frozenset(p.state.fluents) for p in every}


@pytest.mark.parametrize(("name", "orbits"), [("mnk:3,3,3", 765), ("nim:2,2,2", 16)])
def test_orbits_are_counted_as_exploring_counts_them(name: str, orbits: int) -> None:
    space = solved(name).space
    symmetries = find_symmetries(space.game)
    leaders = orbit_leaders(space, np.arange(len(space)), symmetries)
    assert len(leaders) == len(explore(space.game, symmetries=symmetries)) == orbits


def test_puzzles_go_from_easy_to_hard() -> None:
    found = list(choose(count=94))
    assert len(found) > 50
    chances = [dict(p.chances)["depth 1"] for p in found]
    assert all(a >= b - 1e-9 for a, b in pairwise(chances))


def test_without_a_level_all_levels_are_represented() -> None:
    assert {p.level for p in choose(count=6)} == set(Level)


def test_the_same_seed_gives_the_same_puzzles() -> None:
    names = [[p.name for p in choose(count=5, seed=s)] for s in (1, 1, 2)]
    assert names[0] == names[1] != names[2]


def test_ratings_grow_with_hardness() -> None:
    found = list(choose(count=94))
    assert found[0].rating < found[-1].rating


@pytest.mark.parametrize(
    ("wanted", "rounds", "why", "hint"),
    [
        ({}, 7, "longest win takes 2 more rounds", "--win-in 2, with 36 positions"),
        ({"level": Level.HARD}, 2, "none of 36", "--level medium, with 12 positions"),
        ({"level": Level.MEDIUM, "unique": True}, 2, "single right first move", "--all"),
    ],
)
def test_an_empty_set_says_why_and_what_is_nearest(
    wanted: dict[str, object], rounds: int, why: str, hint: str
) -> None:
    found = choose(rounds, "tictactoe", **wanted)
    assert len(found) == 0
    assert why in found.why
    assert hint in found.hint


def test_balanced_positions_give_both_the_same() -> None:
    solution = positions().solution
    own, other = DepthSkill(1), DepthSkill(2)
    found = choose_balanced(solution, 0, own=own, other=other, wanted=Wanted(count=20))
    mine, theirs = choose_all([(own, 0), (other, 1)], solution)
    wins = winning_chances(solution, 0, mine, theirs).chance
    losses = winning_chances(solution, 1, theirs, mine).chance
    ids = {solution.space.state(i).key: i for i in range(len(solution.space))}
    assert len(found) == 20
    for puzzle in found:
        i = ids[puzzle.state.key]
        assert puzzle.score == pytest.approx((1 + wins[i] - losses[i]) / 2)
        assert abs(float(wins[i] - losses[i])) <= 0.1 + 1e-9
        assert solution.space.turn[i] == 0


def test_skills_that_never_meet_evenly_say_so() -> None:
    found = choose_balanced(
        solved("nim:1,1"), 0, own=OptimalSkill(), other=OptimalSkill(), wanted=Wanted()
    )
    assert len(found) == 0
    assert "even" in found.why


RULES = """(cell 1 1 x) & (cell 1 2 x) => (mark 1 3)
true => (mark 2 2)
true => (mark 1 1)
"""


def test_knowing_more_rules_makes_the_same_position_easier() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    found = find_positions(game, "xplayer")
    strategy = read_strategy(RULES, game)
    pairs = [(StrategySkill(strategy, n), RandomSkill()) for n in (0, 1, 2, 3)]
    levels = measure_all(found.solution, found.won_in(0), role=0, pairs=pairs)
    means = [float(h.chance.mean()) for h in levels]
    assert means[1] > means[0]
    anyhow = measure_all(
        found.solution, found.won_in(0), role=0, pairs=[(RandomSkill(), RandomSkill())]
    )
    assert (levels[0].chance == anyhow[0].chance).all()


def test_a_learner_plays_the_rules_where_they_apply_and_anything_elsewhere() -> None:
    solution = solved("mnk:3,3,3")
    space = solution.space
    strategy = read_strategy(RULES, space.game)
    chosen = StrategySkill(strategy, 2).choose(solution, 0).chosen
    two = read_strategy("\n".join(RULES.splitlines()[:2]), space.game).on(space, "xplayer").chosen
    assert (chosen == two).all()
    assert (StrategySkill(strategy).choose(solution, 0).chosen >= chosen).all()


def test_skills_are_read_from_their_names() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    assert read_skill("my.strategy@2", game, read_text=lambda _: RULES).name == "my.strategy@2"
    assert read_skill("a/b", game, read_text=lambda _: RULES).name == "a/b"
    with pytest.raises(InputError, match="has 3 rules"):
        read_skill("my.strategy@4", game, read_text=lambda _: RULES)
    with pytest.raises(InputError, match="not a rule list"):
        read_skill("my.strategy@1", game, read_text=lambda _: "does(mark(1,1))")


def test_positions_are_counted_by_all_that_was_asked_for() -> None:
    for wishes in ({"unique": True}, {"unique": True, "level": Level.EASY}):
        found = choose(count=1000, **wishes)
        assert len(found) == found.of_level < found.positions
