"""Max-n values are compared with a dictionary and recursion over every way to break ties."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.effort import examples

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.solve.maxn import solve_maxn
from kibitz.solve.methods import solve_any
from kibitz.solve.retrograde import Solution, solve
from kibitz.space import Limits, explore

NAMES = ("a", "b", "c")
Goals = tuple[int, ...]


@dataclass(frozen=True)
class Positions:
    """Positions with a mover and moves to others; those without moves have a goal for each role."""

    roles: int
    movers: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]
    goals: tuple[Goals, ...]

    def game(self) -> CompiledGame:
        names = NAMES[: self.roles]
        lines = [f"(role {name})" for name in names] + ["(init (at 0))"]
        for position, targets in enumerate(self.moves):
            lines.append(f"(mover {position} {names[self.movers[position] % self.roles]})")
            lines += [f"(edge {position} {target})" for target in targets]
            if not targets:
                lines.append(f"(end {position})")
                lines += [
                    f"(<= (goal {name} {goal}) (true (at {position})))"
                    for name, goal in zip(names, self.goals[position], strict=False)
                ]
        lines += [
            "(<= (legal ?r (to ?y)) (true (at ?x)) (mover ?x ?r) (edge ?x ?y))",
            "(<= (legal ?r noop) (true (at ?x)) (mover ?x ?q) (role ?r) (distinct ?r ?q))",
            "(<= (next (at ?y)) (does ?r (to ?y)))",
            "(<= terminal (true (at ?x)) (end ?x))",
        ]
        return CompiledGame(read("\n".join(lines)))

    def outcomes(self, position: int, known: dict[int, set[Goals]]) -> set[Goals]:
        """Give all outcomes of best play, by trying every way to break ties further on."""
        if position not in known:
            targets = self.moves[position]
            if not targets:
                known[position] = {self.goals[position][: self.roles]}
                return known[position]
            mover = self.movers[position] % self.roles
            found = set()
            for after in product(*(self.outcomes(target, known) for target in targets)):
                best = max(goals[mover] for goals in after)
                found |= {goals for goals in after if goals[mover] == best}
            known[position] = found
        return known[position]


@st.composite
def positions(draw: st.DrawFn) -> Positions:
    size = draw(st.integers(2, 10))
    moves = [
        tuple(draw(st.sets(st.integers(p + 1, size - 1), min_size=1, max_size=3)))
        if p == 0 or (p < size - 1 and draw(st.integers(0, 2)))
        else ()
        for p in range(size)
    ]
    value = st.sampled_from([0, 10, 50, 100])
    return Positions(
        draw(st.integers(2, 3)),
        tuple(draw(st.integers(0, 2)) for _ in range(size)),
        tuple(moves),
        tuple((draw(value), draw(value), draw(value)) for _ in range(size)),
    )


@given(positions())
@examples(25)
def test_outcomes_are_those_of_every_way_to_break_ties(game: Positions) -> None:
    solution = solve_maxn(explore(game.game()))
    known: dict[int, set[Goals]] = {}
    lengths: dict[int, set[int]] = {}
    for state in reversed(range(len(solution.space))):
        position = int(str(solution.space.state(state).fluents[0].args[0]))
        expected = game.outcomes(position, known)
        found = solution.look(state).outcomes
        assert {tuple(outcome.values()) for outcome in found} == expected
        assert len(found) == len(expected)
        for index, (low, high) in enumerate(solution.bounds(state).values()):
            assert low == min(goals[index] for goals in expected)
            assert high == max(goals[index] for goals in expected)
            value = list(solution.value(state).values())[index]
            assert value == (low if low == high else None)
        played = [solution.number(made.to) for made in solution.best(state)]
        assert bool(played) == bool(game.moves[position])
    for state in range(len(solution.space)):
        lengths[state] = set()
    for _ in range(len(solution.space)):
        for state in lengths:
            played = [solution.number(made.to) for made in solution.best(state)]
            lengths[state] = {1 + n for to in played for n in lengths[to]} if played else {0}
    for state, plies in lengths.items():
        assert (solution.shortest[state], solution.longest[state]) == (min(plies), max(plies))
        assert solution.plies(state) == (min(plies) if len(plies) == 1 else None)


def test_a_tie_is_named_where_it_is_made() -> None:
    # 0: a goes to 1 or 2; 1: b goes to 3 or 4, which are the same to b; 2 is worse for a.
    game = Positions(
        3, (0, 1, 0, 0, 0), ((1, 2), (3, 4), (), (), ()), ((), (), (5, 0, 0), (60, 9, 0), (6, 9, 7))
    )
    solution = solve_maxn(explore(game.game()))
    by_position = {
        int(str(solution.space.state(s).fluents[0].args[0])): s for s in range(len(solution.space))
    }
    assert solution.bounds() == {"a": (6, 60), "b": (9, 9), "c": (0, 7)}
    assert solution.value() == {"a": None, "b": 9, "c": None}
    assert [p for p, s in by_position.items() if solution.has_tie[s]] == [1]


@pytest.mark.parametrize("name", ["tictactoe", "nim:1,2,4", "connect:3,4x4", "hex:3"])
def test_opposed_goals_give_the_values_of_minimax(name: str) -> None:
    space = explore(CompiledGame(load_sheet(name)))
    minimax, maxn = solve(space), solve_maxn(space)
    first = maxn.outcomes[[int(row[0]).bit_length() - 1 for row in maxn.possible], 0]
    assert (first == minimax.values).all()
    assert not maxn.has_tie.any()


def test_each_game_is_solved_in_the_way_it_calls_for() -> None:
    assert isinstance(solve_any(explore(CompiledGame(load_sheet("tictactoe")))), Solution)
    game = Positions(2, (0, 0, 0), ((1, 2), (), ()), ((), (10, 20), (30, 5)))
    solution = solve_any(explore(game.game()))
    assert solution.kind == "outcomes"
    assert solution.value() == {"a": 30, "b": 5}
    assert solution.possible.dtype == np.uint64


def test_circles_and_partial_spaces_are_refused() -> None:
    game = Positions(3, (0, 1, 0), ((1, 2), (0, 2), ()), ((), (), (1, 2, 3))).game()
    with pytest.raises(KibitzError, match="play can cycle"):
        solve_any(explore(game))
    with pytest.raises(KibitzError, match="has at least"):
        solve_maxn(explore(CompiledGame(load_sheet("tictactoe")), limits=Limits(states=20)))


def test_more_ways_to_end_than_a_word_has_bits_are_kept_apart() -> None:
    # 0: a chooses one of 99 ends; all are worth 50 to a.
    size = 100
    goals = tuple((50, end, end % 7) for end in range(size))
    game = Positions(3, (0,) * size, (tuple(range(1, size)), *[()] * (size - 1)), goals)
    solution = solve_maxn(explore(game.game()))
    assert len(solution.look().outcomes) == 99
    assert solution.bounds() == {"a": (50, 50), "b": (1, 99), "c": (0, 6)}
