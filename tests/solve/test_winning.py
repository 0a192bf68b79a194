"""Winning sets are compared with the paper's figures, with distances, and with plain sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from tests.effort import examples
from tests.solve.test_retrograde import Graph, graphs

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import IncompleteError, InputError, KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import Function, read
from kibitz.solve import solve, winning_sets
from kibitz.solve.winning_regions import find_movers
from kibitz.space import Limits, StateSpace, explore


def space_of(name: str) -> StateSpace:
    return explore(CompiledGame(load_sheet(name)))


@pytest.mark.parametrize(
    ("name", "paper", "exact"),
    [
        ("mnk:3,3,3", 36, 72),
        ("mnk:3,3,3,RC", 0, 0),
        ("mnk:3,3,3,RD", 1, 27),
        ("mnk:3,3,3,CD", 1, 27),
        ("bottom2:3,3x3", 20, 28),
        ("bottom2:3,3x3,RC", 0, 0),
        ("bottom2:3,3x3,RD", 9, 19),
        ("bottom2:3,3x3,CD", 1, 11),
        ("connect:3,4x4", 94, 354),
    ],
)
def test_reachable_states_won_in_two_more_rounds(name: str, paper: int, exact: int) -> None:
    space = space_of(name)
    assert len(winning_sets(space, "xplayer", set="paper").ids(2)) == paper
    assert len(winning_sets(space, "xplayer").ids(2)) == exact


@pytest.mark.parametrize("name", ["tictactoe", "connect:3,4x4", "threemensmorris", "nim:1,3,5,7"])
def test_exact_sets_are_those_of_the_distances(name: str) -> None:
    space = space_of(name)
    solution = solve(space)
    movers = find_movers(space)
    for number, role in enumerate(space.game.roles):
        worth = solution.values if number == 0 else solution.total - solution.values.astype(int)
        sets = winning_sets(space, role)
        assert sets.counts
        for rounds in range(len(sets.sets) + 1):
            away = (solution.distance == 2 * rounds + 1) | (solution.distance == 2 * rounds + 2)
            expected = (worth == 100) & (movers == number) & away & ~space.terminal
            assert (sets.mask(rounds) == expected).all()


def test_a_win_that_the_opponent_must_finish_counts_only_among_the_exact() -> None:
    space = space_of("nim:1,2,misere")
    assert winning_sets(space, "player1", set="paper").counts == ()
    assert sum(winning_sets(space, "player1").counts) > 0


def plain_sets(space: StateSpace, role: int) -> list[set[int]]:
    """Compute W_j by the printed procedure with sets and comprehensions."""
    movers = find_movers(space)
    after = {s: {to for _, to in space.moves(s)} for s in range(len(space))}

    def can(to: set[int]) -> set[int]:
        return {s for s in after if movers[s] == role and after[s] & to}

    def must(to: set[int]) -> set[int]:
        return {s for s in after if movers[s] != role and after[s] and after[s] <= to}

    wins = can({s for s in after if space.terminal[s] and space.goals[s, role] == 100})
    found: list[set[int]] = []
    all_wins: set[int] = set()
    all_losses: set[int] = set()
    while True:
        found.append(wins - all_wins - {0})
        all_wins |= wins
        losses = must(wins) - all_losses
        if not losses:
            return found
        all_losses |= losses
        wins = can(losses)


@given(graphs())
@examples(30)
def test_paper_sets_are_those_of_the_printed_procedure(graph: Graph) -> None:
    space = explore(CompiledGame(read(graph.sheet())))
    for number, role in enumerate(space.game.roles):
        expected = plain_sets(space, number)
        sets = winning_sets(space, role, set="paper")
        assert len(sets.sets) <= len(expected)
        for rounds, members in enumerate(expected):
            assert set(sets.ids(rounds).tolist()) == members


@given(graphs())
@examples(30)
def test_sets_do_not_overlap_and_hold_only_states_of_the_mover(graph: Graph) -> None:
    space = explore(CompiledGame(read(graph.sheet())))
    for number, role in enumerate(space.game.roles):
        for sets in (winning_sets(space, role), winning_sets(space, role, set="paper")):
            ids = np.concatenate([*sets.sets, np.zeros(0, dtype=np.uint32)])
            assert len(np.unique(ids)) == len(ids)
            assert (find_movers(space)[ids.astype(int)] == number).all()


def test_a_single_move_belongs_to_the_role_that_does_not_wait() -> None:
    space = space_of("mnk:1,3,3")
    by_marks = [sum(str(f.args[-1]) != "b" for f in cells(space, s)) % 2 for s in range(len(space))]
    expected = np.where(space.terminal, -1, by_marks)
    assert (find_movers(space) == expected).all()


def cells(space: StateSpace, number: int) -> list[Function]:
    return [f for f in space.state(number).fluents if f.name == "cell"]


def test_a_lower_goal_can_be_asked_for() -> None:
    space = space_of("mnk:1,3,3")
    assert winning_sets(space, "xplayer").counts == ()
    assert winning_sets(space, "xplayer", goal=50).counts == (6, 1)
    assert winning_sets(space, "xplayer", goal=50, set="paper").counts == (6,)


def test_unknown_roles_partial_spaces_and_simultaneous_moves_are_refused() -> None:
    with pytest.raises(InputError, match="no role zplayer"):
        winning_sets(space_of("mnk:1,3,3"), "zplayer")
    partial = explore(CompiledGame(load_sheet("tictactoe")), limits=Limits(states=100))
    with pytest.raises(IncompleteError, match="at least"):
        winning_sets(partial, "xplayer")
    with pytest.raises(KibitzError, match="at the same time"):
        winning_sets(space_of("roshambo"), "player1")
