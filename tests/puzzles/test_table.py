"""Whole variants are measured; sampling and categories are checked by counting otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from tests.puzzles.grids import by_hand

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.puzzles.positions import find_positions
from kibitz.puzzles.skill.hardness import classify
from kibitz.puzzles.variant_table import expand_names, measure_variant, sampling_law
from kibitz.solve.symbolic import where_paper_looks
from kibitz.space import Limits, explore


def test_a_variant_is_measured_as_players_written_by_hand_are() -> None:
    game = by_hand("bottom2:3,3x3,RD")
    found = measure_variant(
        CompiledGame(load_sheet("bottom2:3,3x3,RD")), rounds=(1, 2), other=(3, 2)
    )
    sets = game.exact_sets(3)
    for classes in found.classes:
        chances = [float(game.chance(b, classes.own, classes.other)) for b in sets[classes.rounds]]
        level = classify(np.array(chances))
        assert classes.exact == tuple((level == i).sum() for i in range(3))
        assert classes.positions == len(chances)


def test_categories_count_each_position_once() -> None:
    game = by_hand("connect:3,3x4")
    made = CompiledGame(load_sheet("connect:3,3x4"))
    found = measure_variant(made, rounds=(1,))
    boards = game.exact_sets(2)[1]
    easy = [[game.chance(b, k, 3) * 3 >= 2 for k in (1, 2, 3)] for b in boards]
    from_depth = [next(k for k in (1, 2, 3, 4) if all(one[k - 1 :])) for one in easy]
    assert found.categories == ((1, tuple(from_depth.count(k) for k in (1, 2, 3, 4))),)
    assert found.interesting == sum(not one[0] for one in easy)


@pytest.mark.slow
def test_a_position_that_is_easy_for_depth_2_only_is_not_easy_from_depth_2_on() -> None:
    game = CompiledGame(load_sheet("bottom2:3,4x4,RC"))
    found = measure_variant(game, rounds=(3,), own=(1, 2, 3, 4), set="paper")
    (counts,) = (counts for _, counts in found.categories)
    assert counts[1] == 46
    assert sum(counts) == 90


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("connect:3,4x4,RCD", (9410, 988, 110)),
        pytest.param("connect:3,4x4,CD", (277,), marks=pytest.mark.slow),
    ],
)
def test_positions_that_cannot_be_reached_are_counted_where_the_paper_counts_them(
    name: str, counts: tuple[int, ...]
) -> None:
    game = CompiledGame(load_sheet(name))
    found = find_positions(game, "xplayer", set="paper")
    assert found.among == "consistent"
    assert found.counts[-len(counts) :] == counts
    by_board = by_hand(name)
    assert found.counts[2] == len(by_board.paper_sets(by_board.stacked(), 2)[2])
    assert [len(found.won_in(j)) for j in range(len(found.counts))] == list(found.counts)


@pytest.mark.parametrize("lines", ["RCD", "RC", "RD", "CD"])
def test_gravity_is_seen_on_large_boards(lines: str) -> None:
    assert where_paper_looks(CompiledGame(load_sheet(f"connect:4,5x5,{lines}"))) == "consistent"


def test_what_was_not_asked_for_is_not_given_silently() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    found = find_positions(game, "xplayer", set="paper", rounds=[2])
    assert len(found.won_in(2)) == 110
    assert len(found.won_in(7)) == 0
    with pytest.raises(InputError, match="not requested"):
        found.won_in(1)


def test_none_far_away_are_told_from_the_sets_that_there_are() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    for kind, counts in (
        ("paper", (9410, 988, 110)),
        ("exact", (9180, 826, 354, 160, 53, 6, 2)),
    ):
        found = find_positions(game, "xplayer", set=kind, rounds=[40])  # type: ignore[arg-type]
        assert len(found.won_in(40)) == 0
        assert found.counts == counts


def test_where_looking_further_takes_too_long_reachable_positions_are_taken() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    found = find_positions(game, "xplayer", set="paper", limits=Limits(bytes=500_000_000))
    assert (found.among, found.counts[2]) in (("reachable", 94), ("consistent", 110))
    single = find_positions(CompiledGame(load_sheet("hanoi")), "player", rounds=[0])
    assert single.among == "reachable"


def test_exact_sets_of_unreachable_positions_are_refused() -> None:
    with pytest.raises(InputError, match="only reachable positions"):
        find_positions(CompiledGame(load_sheet("connect:3,4x4")), "xplayer", among="consistent")


def test_exploring_takes_rows_of_states() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    whole = explore(game)
    rows = whole.states[[700, 3, 90]]
    part = explore(game, starts=rows)
    assert (part.states[:3] == rows).all()
    with pytest.raises(InputError, match="twice"):
        explore(game, starts=rows[[0, 0]])
    with pytest.raises(InputError, match="words"):
        explore(game, starts=np.zeros((1, 2), dtype=np.uint64))


def test_what_sampling_leads_to_expect_is_what_sampling_finds() -> None:
    chance = np.array([0.1, 0.3, 1 / 3, 0.5, 2 / 3, 0.9])
    (medium, medium_variance), (hard, hard_variance) = sampling_law(chance, 30)
    source = np.random.default_rng(3)
    wins = source.binomial(30, chance, size=(20_000, len(chance)))
    level = classify((wins / 30).ravel()).reshape(wins.shape)
    for number, mean, variance in ((1, medium, medium_variance), (2, hard, hard_variance)):
        counts = (level == number).sum(axis=1)
        assert counts.mean() == pytest.approx(mean, abs=0.02)
        assert counts.var() == pytest.approx(variance, abs=0.03)


def test_names_with_ranges_stand_for_all_variants() -> None:
    assert expand_names(["mnk:3-4,3,2-3"]) == ["mnk:3,3,2", "mnk:3,3,3", "mnk:4,3,2", "mnk:4,3,3"]
    assert expand_names(["nim:1,3", "tictactoe"]) == ["nim:1,3", "tictactoe"]
    with pytest.raises(InputError, match="descending"):
        expand_names(["mnk:4-3,3,3"])
    with pytest.raises(InputError, match="more than"):
        expand_names(["mnk:1-99,1-99,1-99"])
