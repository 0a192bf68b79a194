"""Marks of good moves are those that values and distances of single states call for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.solve import Solution, edge_sources, keeping_edges, progress_edges, solve
from kibitz.solve.solution_file import load_solution, store_solution
from kibitz.space import explore, find_symmetries

GAMES = ["tictactoe", "nim:1,2,4", "threemensmorris", "hanoi", "breakthrough:4x3", "chomp"]


def solved(name: str) -> Solution:
    return solve(explore(CompiledGame(load_sheet(name))))


@pytest.mark.parametrize("name", GAMES)
def test_marks_are_those_of_single_states(name: str) -> None:
    solution = solved(name)
    space = solution.space
    sources, optimal, progress = (
        edge_sources(space),
        keeping_edges(solution),
        progress_edges(solution),
    )
    assert (np.bincount(sources, minlength=len(space)) == np.diff(space.first_edge)).all()
    assert (np.diff(sources.astype(np.int64)) >= 0).all()
    roles = space.game.roles
    for state in range(0, len(space), 1 + len(space) // 500):
        edges = slice(*map(int, space.first_edge[state : state + 2]))
        after = [solution.value(int(to)) for to in space.target[edges]]
        if not after:
            continue
        turn = max(int(space.turn[state]), 0)
        best = max(values[roles[turn]] for values in after)
        assert [bool(mark) for mark in optimal[edges]] == [v[roles[turn]] == best for v in after]
        plies = [solution.plies(int(to)) for to in space.target[edges]]
        kept = [p for p, good in zip(plies, optimal[edges], strict=True) if good]
        if solution.values[state] == 50:
            expected = list(optimal[edges])
        else:
            lengths = [p for p in kept if p is not None]
            wanted = min(lengths) if best > 50 else max(lengths)
            expected = [
                bool(good) and p == wanted for p, good in zip(plies, optimal[edges], strict=True)
            ]
        assert [bool(mark) for mark in progress[edges]] == expected


@pytest.mark.parametrize("name", GAMES)
def test_play_by_progress_ends_when_somebody_is_ahead(name: str) -> None:
    solution = solved(name)
    space = solution.space
    progress = progress_edges(solution)
    source = np.random.default_rng(1)
    ahead = np.flatnonzero(solution.values != 50)
    for start in source.choice(ahead, 50):
        state, plies = int(start), 0
        while space.first_edge[state] < space.first_edge[state + 1]:
            edges = np.arange(space.first_edge[state], space.first_edge[state + 1])
            state = int(space.target[source.choice(edges[progress[edges]])])
            plies += 1
        assert plies == solution.plies(int(start))
        assert space.goals[state, 0] == solution.values[start]


def test_marks_are_made_for_orbits_and_for_stored_solutions(tmp_path: Path) -> None:
    game = CompiledGame(load_sheet("threemensmorris"))
    solution = solve(explore(game, symmetries=find_symmetries(game)))
    store_solution(solution, tmp_path / "kept")
    again = load_solution(tmp_path / "kept")
    assert (keeping_edges(again) == keeping_edges(solution)).all()
    assert (progress_edges(again) == progress_edges(solution)).all()
    assert keeping_edges(solution)[progress_edges(solution)].all()
