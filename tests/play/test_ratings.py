"""Ratings: what Elo numbers mean, whatever the order of results."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, strategies as st

from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.play import Clocks, OptimalAgent, RandomAgent, fit_ratings, pair_results
from kibitz.play.tournament import play_tournament


def drawn(strengths: dict[str, float], matches: int, seed: int) -> list[tuple[str, str, float]]:
    """Results of agents with known ratings."""
    source = random.Random(seed)
    results = []
    for one in strengths:
        for two in strengths:
            if one < two:
                chance = 1 / (1 + 10 ** ((strengths[two] - strengths[one]) / 400))
                results += [(one, two, float(source.random() < chance)) for _ in range(matches)]
    return results


@pytest.mark.parametrize("seed", range(3))
def test_known_ratings_are_found_again_within_their_intervals(seed: int) -> None:
    known = {"a": -300.0, "b": -100.0, "c": 100.0, "d": 300.0}
    found = fit_ratings(drawn(known, 2000, seed))
    assert [rating.name for rating in found] == ["d", "c", "b", "a"]
    for rating in found:
        low, high = rating.interval
        assert low - 10 < known[rating.name] < high + 10
        assert high - low < 60


@given(st.permutations(drawn({"a": 0.0, "b": 150.0, "c": 400.0}, 10, 1)))
def test_the_order_of_results_does_not_matter(results: list[tuple[str, str, float]]) -> None:
    usual = {
        one.name: one.elo for one in fit_ratings(drawn({"a": 0.0, "b": 150.0, "c": 400.0}, 10, 1))
    }
    for rating in fit_ratings(results):
        assert rating.elo == pytest.approx(usual[rating.name], abs=1e-6)


def test_more_matches_make_intervals_smaller_and_who_wins_all_stays_finite() -> None:
    widths = []
    for matches in (10, 1000):
        best, worst = fit_ratings([("a", "b", 1.0)] * matches)
        assert (best.name, best.points, best.matches) == ("a", matches, matches)
        assert 0 < best.elo == -worst.elo < 2000
    for matches in (10, 1000):
        best, _ = fit_ratings([("a", "b", 1.0), ("a", "b", 0.0)] * matches)
        widths.append(best.interval[1] - best.interval[0])
    assert widths[1] < widths[0] / 5


def test_nobody_played_gives_no_ratings() -> None:
    assert fit_ratings([]) == []


def test_a_perfect_player_is_rated_above_a_random_one() -> None:
    game = CompiledGame(load_sheet("nim:1,2,4,5"))
    played = play_tournament(
        game, [("optimal", OptimalAgent), ("random", RandomAgent)], matches=5, clocks=Clocks(60, 60)
    )
    results = pair_results(played.matches)
    assert len(results) == 10
    assert [rating.name for rating in fit_ratings(results)] == ["optimal", "random"]
