from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.effort import examples
from tests.present.report.sheets import solved

from kibitz.engine.compiled.game import CompiledGame
from kibitz.gdl import read
from kibitz.present.report.course_of_play import (
    anyhow,
    count_matches,
    outcome_of,
    players_of,
    seat,
    walk_forward,
)
from kibitz.puzzles import DepthSkill, OptimalSkill, RandomSkill, Skill, winning_chances
from kibitz.solve import keeping_edges
from kibitz.space import explore, reachable_under
from kibitz.space.graph import longest_matches


def test_random_matches_of_a_small_nim_are_as_counted_by_hand() -> None:
    # From heaps 1 and 2: leave 0,2, which ends after one or two more moves, each as likely;
    # 1,1, after two more; or 1,0, after one.
    solution = solved("nim:1,2")
    found = walk_forward(solution.space, anyhow(solution.space))
    assert found.lengths == pytest.approx([0, 0, 1 / 2, 1 / 2])
    assert (found.shortest, found.longest) == (2, 3)
    assert found.mean == pytest.approx(2.5)
    outcome = outcome_of(found, ["random"] * 2)
    assert outcome.wins == pytest.approx({"player1": 1 / 2, "player2": 1 / 2})


def test_random_tictactoe_is_as_is_widely_known() -> None:
    space = solved("tictactoe").space
    found = walk_forward(space, anyhow(space))
    matches = [1440, 5328, 47952, 72576, 127872]  # that end after 5, 6, 7, 8 and 9 moves
    ways = [15120, 60480, 181440, 362880, 362880]  # 9·8·7·6·5 and so on
    assert found.lengths[5:] == pytest.approx([m / w for m, w in zip(matches, ways, strict=True)])
    outcome = outcome_of(found, ["random"] * 2)
    assert outcome.wins == pytest.approx({"xplayer": 737 / 1260, "oplayer": 121 / 420})
    assert outcome.drawn == pytest.approx(8 / 63)
    assert count_matches(space) == 255168


@pytest.mark.parametrize("name", ["tictactoe", "nim:1,3,5", "connect:3,3x4", "threemensmorris"])
def test_walking_forwards_gives_the_chances_that_sweeping_backwards_does(name: str) -> None:
    solution = solved(name)
    skills: dict[str, Skill] = {
        "random": RandomSkill(),
        "depth 1": DepthSkill(1),
        "slips 10%": OptimalSkill(0.1),
        "perfect": OptimalSkill(),
    }
    players = {player.name: player for player in players_of(solution)}
    for mine, theirs in (("random", "random"), ("depth 1", "slips 10%"), ("perfect", "random")):
        chances = seat(solution, {1: players[theirs]}, players[mine])
        outcome = outcome_of(walk_forward(solution.space, chances), [mine, theirs])
        own, other = (skills[n].choose(solution, r) for r, n in enumerate((mine, theirs)))
        expected = winning_chances(solution, 0, own, other).chance[0]
        assert outcome.wins[solution.space.game.roles[0]] == pytest.approx(expected, abs=1e-6)


def test_a_game_with_cycles_has_no_longest_match_and_no_number_of_matches() -> None:
    space = solved("threemensmorris").space
    found = walk_forward(space, anyhow(space))
    assert found.longest is None
    assert found.is_whole
    assert found.mean is not None
    assert count_matches(space) is None


def test_a_walk_that_is_broken_off_tells_how_many_matches_were_left() -> None:
    space = solved("maze").space
    found = walk_forward(space, anyhow(space), most_looks=500)
    assert 0.1 < found.rest < 1
    assert found.mean is None
    assert found.lengths.sum() + found.rest == pytest.approx(1)


@examples(12)
@given(heaps=st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_walks_end_at_the_longest_match_and_visit_what_can_be_reached(heaps: list[int]) -> None:
    solution = solved("nim:" + ",".join(map(str, heaps)))
    space = solution.space
    found = walk_forward(space, anyhow(space))
    assert found.longest == longest_matches(space)[0] == sum(heaps)
    assert found.lengths.sum() == pytest.approx(1)
    assert (found.visits > 0).all()
    inner = np.diff(space.first_edge) > 0
    assert found.mean == pytest.approx(found.visits[inner].sum())
    on = reachable_under(space, keeping_edges(solution)).seen
    best = walk_forward(space, OptimalSkill().choose(solution, 0).chances(space))
    assert not (best.visits[~on] > 0).any()


def test_play_that_cannot_end_is_not_followed_for_long() -> None:
    sheet = read("""
        (role a) (role b) (init (at 0)) (legal a stay) (legal a swap) (legal b wait)
        (<= (next (at 0)) (does a stay)) (<= (next (at 1)) (does a swap))
        (<= terminal (true (at 2))) (goal a 100) (goal b 0)
    """)
    space = explore(CompiledGame(sheet))
    found = walk_forward(space, anyhow(space))
    assert found.rest == 1.0
    assert len(found.lengths) < 1000
