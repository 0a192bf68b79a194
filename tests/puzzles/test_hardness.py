"""Classes of positions are compared with known counts and with players written by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from tests.puzzles.grids import by_hand, ids_of, solved

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import BudgetExceededError, GameNameError, InputError, KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import Function
from kibitz.puzzles import (
    DepthSkill,
    Level,
    Thresholds,
    find_positions,
    measure_all,
    read_skill,
)
from kibitz.puzzles.skill.hardness import classify
from kibitz.solve import solve
from kibitz.space import explore

PAIRS = [(DepthSkill(k), DepthSkill(3)) for k in (1, 2)]


@pytest.mark.parametrize(
    ("name", "positions", "classes"),
    [
        ("mnk:3,3,3", 36, [(12, 0), (0, 0)]),
        pytest.param("bottom2:3,4x4,RD", 2132, [(94, 44), (15, 18)], marks=pytest.mark.slow),
    ],
)
def test_counts_are_those_known_from_elsewhere(
    name: str, positions: int, classes: list[tuple[int, int]]
) -> None:
    found = find_positions(CompiledGame(load_sheet(name)), "xplayer", set="paper")
    assert found.counts[2] == positions
    levels = measure_all(found.solution, found.won_in(2), role=0, pairs=PAIRS)
    assert [(h.count(Level.MEDIUM), h.count(Level.HARD)) for h in levels] == classes


@pytest.mark.parametrize(
    ("name", "classes"),
    [
        ("connect:3,4x4", [(18, 2), (2, 0)]),
        pytest.param("connect:3,4x4,RC", [(36, 8), (18, 8)], marks=pytest.mark.slow),
    ],
)
def test_counts_with_boards_that_cannot_be_reached_are_known_as_well(
    name: str, classes: list[tuple[int, int]]
) -> None:
    by_hand_game = by_hand(name)
    boards = by_hand_game.paper_sets(by_hand_game.stacked(), 2)[2]
    game = CompiledGame(load_sheet(name))
    cells = by_hand_game.rows * by_hand_game.cols
    states = []
    for x, o in boards:
        marks = set()
        for cell in range(cells):
            row, col = divmod(cell, by_hand_game.cols)
            mark = "x" if x >> cell & 1 else "o" if o >> cell & 1 else "b"
            marks.add(f"(cell {row + 1} {col + 1} {mark})")
        fluents = [f for f in _fluents(game) if str(f) in marks or str(f) == "(control xplayer)"]
        states.append(game.state(fluents))
    solution = solve(explore(game, starts=states))
    levels = measure_all(solution, range(len(states)), role=0, pairs=PAIRS)
    assert [(h.count(Level.MEDIUM), h.count(Level.HARD)) for h in levels] == classes


def _fluents(game: CompiledGame) -> list[Function]:
    return [*game.network.fluents, *(hidden.fluent for hidden in game.network.hidden)]


@pytest.mark.parametrize("name", ["mnk:3,3,3", "connect:3,3x4", "bottom2:3,3x3,RD"])
@pytest.mark.parametrize("kind", ["paper", "exact"])
def test_classes_are_those_of_players_written_by_hand(name: str, kind: str) -> None:
    game, ids = by_hand(name), ids_of(name)
    sets = game.paper_sets(game.reachable(), 2) if kind == "paper" else game.exact_sets(3)
    made = CompiledGame(load_sheet(name))
    found = find_positions(made, "xplayer", set=kind, among="reachable")  # type: ignore[arg-type]
    for rounds, boards in enumerate(sets):
        assert set(found.won_in(rounds).tolist()) == {ids[b] for b in boards}
        (levels,) = measure_all(found.solution, found.won_in(rounds), role=0, pairs=PAIRS[:1])
        chances = [game.chance(b, 1, 3) for b in boards]
        assert levels.count(Level.EASY) == sum(p >= Fraction(2, 3) for p in chances)
        assert levels.count(Level.HARD) == sum(p <= Fraction(1, 3) for p in chances)


def test_sampled_classes_come_close_to_exact_ones() -> None:
    found = find_positions(CompiledGame(load_sheet("connect:3,4x4")), "xplayer")
    states = found.won_in(1)
    exact = measure_all(found.solution, states, role=0, pairs=PAIRS)
    sampled = measure_all(found.solution, states, role=0, pairs=PAIRS, sample=2000, seed=2)
    for one, other in zip(exact, sampled, strict=True):
        assert np.abs(one.chance - other.chance).max() < 0.06
        assert abs(one.count(Level.HARD) - other.count(Level.HARD)) <= 0.05 * len(states)


def test_thresholds_can_be_moved() -> None:
    chance = np.array([0.1, 0.5, 0.9])
    assert classify(chance, Thresholds(0.05, 0.4)).tolist() == [1, 0, 0]
    with pytest.raises(InputError, match="hard up to"):
        Thresholds(0.7, 0.3)


def test_a_missing_position_is_explained_by_the_nearest_choice() -> None:
    found = find_positions(CompiledGame(load_sheet("tictactoe")), "xplayer")
    why, hint = found.why_none(9)
    assert "the longest win takes 2 more rounds" in why
    assert "--win-in 2, with 72 positions" in hint
    assert len(found.won_in(9)) == 0


def test_a_game_that_the_role_never_wins_says_so() -> None:
    found = find_positions(CompiledGame(load_sheet("sim")), "red", set="paper")
    why, hint = found.why_none(1)
    assert "red can force a win in no position" in why
    assert "--set exact" in hint
    assert any(find_positions(CompiledGame(load_sheet("sim")), "red").counts)


def test_games_that_cannot_be_solved_are_refused() -> None:
    with pytest.raises(KibitzError, match="same time"):
        find_positions(CompiledGame(load_sheet("roshambo")), "player1")


def test_a_role_that_the_game_has_not_is_refused() -> None:
    with pytest.raises((InputError, GameNameError), match="zplayer"):
        find_positions(CompiledGame(load_sheet("tictactoe")), "zplayer")


@pytest.mark.parametrize("text", ["", "0", "-1", "99999", "slip:2", "slip:", "depth", "1:2", "²"])
def test_words_that_are_no_skill_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_skill(text, CompiledGame(load_sheet("nim:1")))


@pytest.mark.parametrize("name", ["mnk:3,3,3", "nim:1,2,3", "threemensmorris"])
def test_looking_further_ahead_wins_all_that_is_near_enough(name: str) -> None:
    solution = solved(name)
    near = (solution.values == 100) & (solution.space.turn == 0) & (solution.distance <= 5)
    states = np.flatnonzero(near)
    (found,) = measure_all(solution, states, role=0, pairs=[(DepthSkill(3), DepthSkill(1))])
    assert (found.chance == 1).all()


def test_falling_back_to_reachable_positions_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_long(*_: object, **__: object) -> str:
        raise BudgetExceededError("it takes too long")

    monkeypatch.setattr("kibitz.solve.symbolic.space.reach", too_long)
    game = CompiledGame(load_sheet("connect:3,4x4"))
    found = find_positions(game, "xplayer", set="paper", rounds=[2])
    assert (found.among, found.counts[2]) == ("reachable", 94)
    assert "it takes too long" in found.fell_back
    other = CompiledGame(load_sheet("tictactoe"))
    assert not find_positions(other, "xplayer", set="paper").fell_back
    assert not find_positions(game, "xplayer", rounds=[2]).fell_back
