"""Plans for puzzles: they lead where they say, and are found where a game is not solved."""

from __future__ import annotations

import time

import pytest
from tests.effort import quick
from tests.foreign import FOREIGN, needs_foreign

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.play import Agent, AutoAgent, Clocks, MatchSoFar, RandomAgent, play_match
from kibitz.play.search.plan_search import Planner
from kibitz.play.search.plan_unrolling import Unrolling
from kibitz.solve import solve
from kibitz.space import Limits, explore

PUZZLES = ["hanoi:5", "lightsout:3x3", "pegsolitaire", "eightpuzzle"]
UNSOLVED = Limits(states=100)
WAYS = """
(role me) (init (at 1)) (step 1 2) (step 1 3) (step 3 4) (step 3 1)
(<= (legal me (go ?n)) (true (at ?m)) (step ?m ?n))
(<= (next (at ?n)) (does me (go ?n)))
(<= terminal (true (at 2))) (<= terminal (true (at 4))) (<= terminal (true (at 9)))
(<= (goal me 20) (true (at 2))) (<= (goal me 70) (true (at 4)))
(<= (goal me 100) (true (at 9)) (true (at 8)))
"""

# A Latin square of five, of which the first row is given: 20 moves, in any order.
SQUARE = """
(role me) (init (cell 1 1 1)) (init (cell 1 2 2)) (init (cell 1 3 3)) (init (cell 1 4 4))
(init (cell 1 5 5)) (n 1) (n 2) (n 3) (n 4) (n 5)
(<= (filled ?x ?y) (true (cell ?x ?y ?v)))
(<= (used ?x ?y ?v) (true (cell ?x ?z ?v)) (n ?y))
(<= (used ?x ?y ?v) (true (cell ?z ?y ?v)) (n ?x))
(<= (legal me (put ?x ?y ?v)) (n ?x) (n ?y) (n ?v) (not (filled ?x ?y)) (not (used ?x ?y ?v)))
(<= (next (cell ?x ?y ?v)) (true (cell ?x ?y ?v)))
(<= (next (cell ?x ?y ?v)) (does me (put ?x ?y ?v)))
(<= open (n ?x) (n ?y) (not (filled ?x ?y)))
(<= movable (legal me ?m))
(<= terminal (not open)) (<= terminal (not movable))
(<= (goal me 100) (not open)) (<= (goal me 0) open)
"""
# What is empty stays so by moves in other rows or columns, as many sheets have it; one may give up.
QUIT = """
(<= (init (empty ?x ?y)) (n ?x) (n ?y) (distinct ?x 1))
(<= (next (empty ?x ?y)) (true (empty ?x ?y)) (does me (put ?a ?b ?v)) (distinct ?x ?a))
(<= (next (empty ?x ?y)) (true (empty ?x ?y)) (does me (put ?a ?b ?v)) (distinct ?y ?b))
(<= (next (empty ?x ?y)) (true (empty ?x ?y)) (does me quit))
(legal me quit)
(<= (next finished) (does me quit)) (<= terminal (true finished))
"""
# Play ends with the first lamp, so that never are both lit.
LAMPS = """
(role me) (lamp 1) (lamp 2)
(<= (legal me (light ?n)) (lamp ?n))
(<= (next (lit ?n)) (does me (light ?n))) (<= (next (lit ?n)) (true (lit ?n)))
(<= terminal (true (lit ?n)))
(<= both (true (lit 1)) (true (lit 2)))
(<= (goal me 100) both) (<= (goal me 40) (not both))
"""


def followed(planner: Planner) -> list[int | None]:
    """Follow a plan from the initial state to the end."""
    assert planner.plan
    state = planner.game.initial()
    while not state.is_terminal:
        state = state.step([planner.plan.moves[state.key]])
    return list(state.goals.values())


@pytest.mark.parametrize("name", PUZZLES)
def test_a_plan_leads_to_the_goal_it_names(name: str) -> None:
    planner = Planner(CompiledGame(load_sheet(name)))
    planner.search(planner.game.initial(), time.monotonic() + 60)
    assert planner.is_done
    assert planner.plan
    assert followed(planner) == [planner.plan.goal] == [100]


@pytest.mark.parametrize("sheet", [SQUARE, SQUARE + QUIT])
def test_moves_that_do_not_hinder_one_another_need_one_layer(sheet: str) -> None:
    game = CompiledGame(read(sheet, name="square"))
    unrolling = Unrolling(game, game.initial())
    found = unrolling.find(0, time.monotonic() + 60)
    assert found is not None
    goal, moves = found
    assert (goal, len(moves)) == (100, 20)
    assert len(unrolling.ends) <= 4
    state = game.initial()
    for move in moves:
        state = state.step([move])
    assert state.goals == {"me": 100}


def test_a_plan_does_not_go_on_where_play_ends_between_its_moves() -> None:
    game = CompiledGame(read(LAMPS, name="lamps"))
    found = Unrolling(game, game.initial()).find(-1, time.monotonic() + 60)
    assert found is not None
    goal, moves = found
    assert (goal, len(moves)) == (40, 1)


def test_where_all_states_were_seen_the_plan_is_the_best_there_is() -> None:
    game = CompiledGame(read(WAYS, name="ways"))
    planner = Planner(game)
    planner.search(game.initial(), time.monotonic() + 60)
    assert planner.is_done
    assert planner.plan
    assert planner.plan.goal == solve(explore(game)).value()["me"] == 70


def test_whoever_is_moved_off_a_plan_makes_another() -> None:
    game = CompiledGame(load_sheet("lightsout:3x3"))
    agent = AutoAgent(limits=UNSOLVED)
    agent.start(game, game.roles[0], time.monotonic() + 60)
    assert agent.planner
    plan = agent.planner.plan
    assert plan
    line = MatchSoFar((game.initial(),))
    away = next(
        move for move in line.state.legal(game.roles[0]) if move != plan.moves[line.state.key]
    )
    line = line.then([away])
    while not line.state.is_terminal:
        line = line.then([agent.choose(line, time.monotonic() + 60)])
    assert list(line.state.goals.values()) == [100]
    agent.stop()


def test_a_puzzle_too_large_to_solve_is_played_to_its_goal() -> None:
    game = CompiledGame(load_sheet("pegsolitaire"))
    agents: dict[str, Agent] = {game.roles[0]: AutoAgent(limits=UNSOLVED)}
    match = play_match(game, agents, clocks=Clocks(60, 20))
    assert list(match.goals.values()) == [100]


@needs_foreign
@pytest.mark.parametrize(
    "name", quick(["solitaireChineseCheckers", "snake_2009", "futoshiki5"], ["snake_2009"])
)
def test_foreign_puzzles_are_played_to_their_goal_unsolved(name: str) -> None:
    game = CompiledGame(read((FOREIGN / "rules" / f"{name}.kif").read_text("utf-8")))
    agents: dict[str, Agent] = {game.roles[0]: AutoAgent(limits=UNSOLVED)}
    match = play_match(game, agents, clocks=Clocks(120, 20))
    assert list(match.goals.values()) == [100]
    random = play_match(game, {game.roles[0]: RandomAgent(1)})
    assert random.goals != match.goals


def test_a_planner_keeps_its_deadline_however_wide_it_has_become() -> None:
    game = CompiledGame(load_sheet("lightsout:5x5"))
    planner = Planner(game)
    planner.best_goal = 101  # so that nothing is good enough
    planner.search(game.initial(), time.monotonic() + 1)
    begin = time.process_time()
    planner.search(game.initial(), time.monotonic() + 0.5)
    assert time.process_time() - begin < 2


def test_plans_are_for_one_role() -> None:
    with pytest.raises(InputError, match="one role"):
        Planner(CompiledGame(load_sheet("tictactoe")))


def test_clingo_finds_a_shortest_plan() -> None:
    for name, least in (("hanoi:4", 15), ("hanoi:5", 31), ("lightsout:3x3", 5)):
        game = CompiledGame(load_sheet(name))
        found = Unrolling(game, game.initial()).find(-1, time.monotonic() + 600)
        assert found is not None
        goal, moves = found
        assert (goal, len(moves)) == (100, least)
        state = game.initial()
        for move in moves:
            state = state.step([move])
        assert state.is_terminal
        assert list(state.goals.values()) == [100]


def test_where_clingo_finds_no_better_plan_there_is_none() -> None:
    clock = """
    (init (tick 0)) (after 0 1) (after 1 2) (after 2 3)
    (<= (next (tick ?n)) (true (tick ?m)) (after ?m ?n)) (<= terminal (true (tick 3)))
    (<= (goal me 0) (true (at 1))) (<= (goal me 0) (true (at 3)))
    """
    game = CompiledGame(read(WAYS.replace("(at 9)", "(at 4)") + clock, name="ways"))
    plans = Unrolling(game, game.initial())
    best = max(value or 0 for value in solve(explore(game)).value().values())
    reached = -1
    while (found := plans.find(reached, time.monotonic() + 600)) is not None:
        reached = found[0]
    assert reached == best == 70
    assert plans.is_done
