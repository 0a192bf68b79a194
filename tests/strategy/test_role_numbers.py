"""Numbers of what a role has and lacks, beside counting by hand; how they are written and read."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from kibitz.engine import CompiledGame, State
from kibitz.english import sentences
from kibitz.errors import StrategyError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.policy import compile_strategy, moves_by_gates
from kibitz.strategy import (
    chances_of,
    foremost_of,
    goal_steps,
    neighbouring_pairs,
    number_in,
    progress_of,
    read_strategy,
    scores_of,
    standing_preference,
    things_of,
    ways_to_win,
)

HEX = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1)]


def some_states(game: CompiledGame, count: int) -> list[State]:
    source = random.Random(1)
    found: list[State] = []
    while len(found) < count:
        state = game.initial()
        while not state.is_terminal:
            found.append(state)
            joint = tuple(source.choice(state.legal(role)) for role in game.roles)
            state = game.successor(state.key, joint)
    return source.sample(found, count)


def held(state: State) -> dict[tuple[int, int], str]:
    return {
        (int(str(f.args[0])), int(str(f.args[1]))): str(f.args[2])
        for f in state.fluents
        if f.name == "cell" and str(f.args[2]) != "b"
    }


def shortest_path(cells: dict[tuple[int, int], str], size: int, role: str) -> int:
    """Count the cells that a chain across the board lacks at least, by trying longer ones."""
    axis = 0 if role == "red" else 1
    best = {(r, c): 15 for r in range(1, size + 1) for c in range(1, size + 1)}
    price = {at: {role: 0, "": 1}.get(cells.get(at, ""), 15) for at in best}
    for _ in range(size * size):
        for at in best:
            before = [best.get((at[0] + dr, at[1] + dc), 15) for dr, dc in HEX]
            start = 0 if at[axis] == 1 else min(before)
            best[at] = min(best[at], start + price[at], 15)
    return min(found for at, found in best.items() if at[axis] == size)


def test_steps_in_hex_are_the_shortest_path() -> None:
    game = CompiledGame(load_sheet("hex:4"))
    for state in some_states(game, 40):
        for role in game.roles:
            number = goal_steps(game, role)
            assert number is not None
            assert number_in(number, state.fluents) == shortest_path(held(state), 4, role)


def test_steps_to_a_line_are_what_the_best_open_line_lacks() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    for state in some_states(game, 40):
        cells = set(held(state))
        for role in game.roles:
            number = goal_steps(game, role)
            assert number is not None
            lacking = [15]
            for way in ways_to_win(game, role):
                missing = [thing for thing in way if thing not in state.fluents]
                if not any((int(str(t.args[0])), int(str(t.args[1]))) in cells for t in missing):
                    lacking.append(len(missing))
            assert number_in(number, state.fluents) == min(lacking)


def test_things_and_neighbours_are_counted() -> None:
    game = CompiledGame(load_sheet("breakthrough:4x4"))
    for state in some_states(game, 30):
        for role in game.roles:
            things, pairs = things_of(game, role), neighbouring_pairs(game, role)
            assert things is not None
            assert pairs is not None
            own = [at for at, what in held(state).items() if what == role]
            near = [
                1 for (r, c), (s, d) in combinations(own, 2) if abs(r - s) <= 1 and abs(c - d) <= 1
            ]
            assert number_in(things, state.fluents) == len(own)
            assert number_in(pairs, state.fluents) == len(near)


def test_progress_is_how_many_rows_men_have_gone() -> None:
    """Each move of breakthrough goes one row on, so that no place but the first row counts 0."""
    game = CompiledGame(load_sheet("breakthrough:5x4"))
    seen = set()
    for state in some_states(game, 40):
        for role in game.roles:
            rows = [row for (row, _), what in held(state).items() if what == role]
            gone = [row - 1 if role == "white" else 5 - row for row in rows]
            progress, foremost = progress_of(game, role), foremost_of(game, role)
            assert progress is not None
            assert foremost is not None
            assert number_in(progress, state.fluents) == sum(gone)
            assert number_in(foremost, state.fluents) == max(gone, default=0)
            seen.add(sum(gone))
    assert len(seen) > 5


@pytest.mark.parametrize("name", ["tictactoe", "hex:3", "threemensmorris", "nim:1,2"])
def test_nothing_is_on_its_way_where_moves_carry_nothing_to_a_goal(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    assert all(progress_of(game, role) is None for role in game.roles)


HOPPERS = """
(role red) (role blue)
(init (at red a)) (init (at red b)) (init (at blue g)) (init (at blue f)) (init (turn red))
(next_to a b) (next_to b c) (next_to c d) (next_to d e) (next_to e f) (next_to f g)
(<= (beside ?x ?y) (next_to ?x ?y)) (<= (beside ?x ?y) (next_to ?y ?x))
(<= (used ?x) (true (at red ?x))) (<= (used ?x) (true (at blue ?x)))
(<= (legal ?r (go ?x ?y)) (true (turn ?r)) (true (at ?r ?x)) (beside ?x ?y) (not (used ?y)))
(<= (legal ?r (go ?x ?z)) (true (turn ?r)) (true (at ?r ?x)) (beside ?x ?y) (used ?y)
    (beside ?y ?z) (not (used ?z)))
(<= (legal red noop) (true (turn blue))) (<= (legal blue noop) (true (turn red)))
(<= (next (at ?r ?y)) (does ?r (go ?x ?y)))
(<= (next (at ?r ?x)) (true (at ?r ?x)) (not (left ?r ?x)))
(<= (left ?r ?x) (does ?r (go ?x ?y)))
(<= (next (turn red)) (true (turn blue))) (<= (next (turn blue)) (true (turn red)))
(<= home (true (at red f)) (true (at red g))) (<= away (true (at blue a)) (true (at blue b)))
(<= terminal home) (<= terminal away)
(<= (goal red 100) home) (<= (goal red 0) (not home))
(<= (goal blue 100) away) (<= (goal blue 0) (not away))
"""


def test_a_place_is_as_far_as_steps_without_company_lead() -> None:
    """On a track of seven places both goal places count most; jumps need company."""
    game = CompiledGame(read(HOPPERS))
    progress = progress_of(game, "red")
    assert progress is not None
    assert {str(f.args[1]): n for f, n in progress.things} == {
        "b": 1, "c": 2, "d": 3, "e": 4, "f": 5, "g": 5,
    }  # fmt: skip
    strategy = read_strategy("true => any also highest progress(me)", game)
    assert {str(move) for move in strategy.moves(game.initial(), "red")} == {"(go a c)"}


def test_chances_are_what_one_has_in_each_line_without_the_opponent() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    steps = ((0, 1), (1, 0), (1, 1), (1, -1))
    starts = [((r, c), step) for r in range(1, 5) for c in range(1, 5) for step in steps]
    lines = [[(r + i * dr, c + i * dc) for i in range(3)] for (r, c), (dr, dc) in starts]
    lines = [line for line in lines if all(1 <= x <= 4 for cell in line for x in cell)]
    seen = set()
    for state in some_states(game, 40):
        cells = held(state)
        for role, mark in zip(game.roles, "xo", strict=True):
            counted = 0
            for line in lines:
                on_it = [cells[cell] for cell in line if cell in cells]
                counted += len(on_it) if set(on_it) == {mark} else 0
            number = chances_of(game, role)
            assert number is not None
            assert number_in(number, state.fluents) == counted
            seen.add(counted)
    assert len(seen) > 5


LISTS = [
    ("tictactoe", "true => any also lowest steps(me) - steps(opponent)"),
    (
        "hex:3",
        "next steps(me) < 3 & pairs(me) > 0 => any\ntrue => any also highest steps(opponent)",
    ),
    (
        "tictactoe",
        "next chances(opponent) < 2 => any\n"
        "true => any also highest chances(me) - chances(opponent)",
    ),
    (
        "breakthrough:4x4",
        "next things(me) > things(opponent) & next foremost(me) >= foremost(opponent) => any\n"
        "true => any also highest progress(me) - progress(opponent) also lowest foremost(opponent)",
    ),
    (
        "breakthrough:4x4",
        "true => any also highest things(me) - things(opponent) also highest pairs(me)",
    ),
]


@pytest.mark.parametrize(("name", "text"), LISTS)
def test_gates_and_words_mean_what_the_text_does(name: str, text: str) -> None:
    game = CompiledGame(load_sheet(name))
    strategy = read_strategy(f"symmetric none\n{text}", game)
    for role in game.roles:
        policy = compile_strategy(strategy, role)
        states = [s for s in some_states(game, 20) if len(s.legal(role)) > 1]
        for state, allowed in zip(states, moves_by_gates(policy, states), strict=True):
            assert set(allowed) == set(strategy.moves(state, role) or state.legal(role))


def test_sentences() -> None:
    game = CompiledGame(load_sheet("hex:3"))
    strategy = read_strategy(LISTS[1][1], game)
    assert sentences(strategy, "red") == [
        "Make a move after which the number of things you lack to win is less than 3 if the number "
        "of your neighbouring pairs is more than 0.",
        "Of all moves, make one after which the opponent still needs the most pieces to win.",
    ]
    game = CompiledGame(load_sheet("tictactoe"))
    assert sentences(read_strategy(LISTS[2][1], game), "xplayer") == [
        "Make a move after which the count of the opponent's things in open ways to win is less "
        "than 2 if you can.",
        "Of all moves, make one after which you have the most pieces in open lines (a piece in two "
        "lines counts twice) compared with the opponent.",
    ]
    game = CompiledGame(load_sheet("breakthrough:4x4"))
    assert sentences(read_strategy(LISTS[3][1], game), "white") == [
        "Make a move after which your foremost piece is at least as near its goal as the "
        "opponent's and after which you have more pieces than the opponent if you can.",
        "Of all moves, make one after which your pieces are farthest on the way to their goal, all "
        "together, compared with the opponent's; if several are left, one after which the "
        "opponent's foremost piece is farthest from its goal.",
    ]


def test_what_the_rules_do_not_say_is_refused() -> None:
    game = CompiledGame(load_sheet("nim:1,2"))
    role = game.roles[0]
    with pytest.raises(StrategyError, match=r"the rules do not say what steps of .* are"):
        read_strategy("true => any also lowest steps(me)", game).plan(role)


COUNTING = """
(role left) (role right)
(init (score left 0)) (init (score right 0)) (init (turn left)) (init (round 0))
(add 0 1) (add 1 2) (add 2 3) (add 3 4) (add 4 5) (add 5 6) (add 6 7) (add 7 8)
(<= (legal ?r (gain one)) (true (turn ?r))) (<= (legal ?r (gain two)) (true (turn ?r)))
(<= (legal left noop) (true (turn right))) (<= (legal right noop) (true (turn left)))
(<= (next (score ?r ?m)) (does ?r (gain one)) (true (score ?r ?n)) (add ?n ?m))
(<= (next (score ?r ?k)) (does ?r (gain two)) (true (score ?r ?n)) (add ?n ?m) (add ?m ?k))
(<= (next (score ?r ?n)) (does ?r noop) (true (score ?r ?n)))
(<= (next (turn left)) (true (turn right))) (<= (next (turn right)) (true (turn left)))
(<= (next (round ?m)) (true (round ?n)) (add ?n ?m))
(<= terminal (true (round 4)))
(<= (more ?x ?y) (add ?y ?x)) (<= (more ?x ?z) (more ?x ?y) (add ?z ?y))
(<= (ahead ?r) (true (score ?r ?n)) (true (score ?o ?m)) (distinct ?r ?o) (more ?n ?m))
(<= (goal ?r 100) (ahead ?r))
(<= (goal ?r 0) (role ?r) (distinct ?r ?o) (ahead ?o))
(<= (goal ?r 50) (role ?r) (not (ahead left)) (not (ahead right)))
"""


def test_scores_and_points_so_far_are_found_and_preferred() -> None:
    game = CompiledGame(read(COUNTING, name="counting"))
    mine, theirs = (scores_of(game, "left")[whose] for whose in ("me", "opponent"))
    assert [str(one) for one in (*mine, *theirs)] == ["(score left _)", "(score right _)"]
    points = standing_preference(game, "left", "me", word="most")
    text = f"true => any also highest largest({mine[0]})\ntrue => any also {points}"
    strategy = read_strategy(text, game)
    assert sentences(strategy, "left") == [
        "Of all moves, make one after which your score is highest.",
        "Of all moves, make one that would give you the most points if play ended after it.",
    ]
    state = game.initial()
    assert [str(move) for move in strategy.moves(state, "left")] == ["(gain two)"]
    # One is enough to be ahead, so both moves are as good for the points.
    by_points = read_strategy(f"true => any also {points}", game)
    assert len(by_points.moves(state, "left")) == 2
    level = state.play("(gain one)").play("(gain two)")
    assert [str(move) for move in by_points.moves(level, "left")] == ["(gain two)"]
    policy = compile_strategy(strategy, "left")
    assert [str(move) for move in moves_by_gates(policy, [level])[0]] == ["(gain two)"]


def test_numbers_that_no_goal_asks_for_are_no_scores() -> None:
    assert not scores_of(CompiledGame(load_sheet("breakthrough:4x4")), "white")
    game = CompiledGame(load_sheet("tictactoe"))
    assert standing_preference(game, "xplayer", "me", word="most") is None
