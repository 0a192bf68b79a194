"""Trees by minimax and by best matches: counts of paper 004, and values of the solution."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given
from tests.effort import examples
from tests.foreign import FOREIGN, needs_foreign
from tests.synth.turn_games import turn_games

from kibitz.engine import State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import BudgetExceededError, InputError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, parse, parse_terms
from kibitz.gdl.clingo import Names
from kibitz.learn.minimax.clingo_queries import has_fixed_size
from kibitz.learn.minimax.instances import INSTANCES, find_instance
from kibitz.learn.minimax.pruned_minimax import minimax_tree, mover, pruned_tree
from kibitz.learn.minimax.trees import Node, tree_svg, tree_text
from kibitz.learn.rules import Mask, find_mask, learn_rule
from kibitz.solve import Solution, solve
from kibitz.space import explore

PLAYERS: Mask = frozenset({("has", 0), ("remove", 0), ("control", 0)})


def start(game: str, size: str) -> State:
    instance = find_instance(game, size)
    made = CompiledGame(load_sheet(instance.game))
    if not instance.fluents:
        return made.initial()
    return made.state(parse_terms(instance.fluents, name="instance"))


def solution_from(state: State) -> tuple[Solution, dict[object, int]]:
    game = state.game
    assert isinstance(game, CompiledGame)
    space = explore(game, starts=[state])
    return solve(space), {space.state(i).key: i for i in range(len(space))}


def check_against_solution(root: Node) -> None:
    """Scores that a validated match gives are what is sure to come out there."""
    solution, number = solution_from(root.state)
    assert root.score == int(solution.values[0])
    for node in root.walk():
        if node.score is not None and node.state.is_terminal:
            assert node.score == int(solution.values[number[node.state.key]])


@pytest.mark.parametrize(
    ("game", "size", "nodes"),
    [("nim", "S", 390), ("nim", "M", 4630), ("tictactoe", "S", 896), ("tictactoe", "M", 7583)],
)
def test_whole_trees_are_as_large_as_in_the_paper(game: str, size: str, nodes: int) -> None:
    state = start(game, size)
    root = minimax_tree(state.game, state)
    assert root.count() == nodes
    solution, number = solution_from(state)
    for node in root.walk():
        assert node.score == int(solution.values[number[node.state.key]])


@pytest.mark.slow
@pytest.mark.parametrize(("game", "nodes"), [("nim", 61023), ("tictactoe", 59704)])
def test_large_trees_are_as_large_as_in_the_paper(game: str, nodes: int) -> None:
    state = start(game, "L")
    assert minimax_tree(state.game, state).count() == nodes


@pytest.mark.parametrize(
    ("game", "size", "least", "most"),
    [("nim", "S", 40, 160), ("nim", "M", 150, 800), ("tictactoe", "S", 50, 300)],
)
def test_pruned_trees_are_of_the_size_in_the_paper(
    game: str, size: str, least: int, most: int
) -> None:
    state = start(game, size)
    pruned = pruned_tree(state.game, state)
    assert least <= pruned.root.count() <= most
    check_against_solution(pruned.root)


@pytest.mark.parametrize(("size", "most"), [("S", 60), ("M", 120)])
def test_rules_prune_further(size: str, most: int) -> None:
    state = start("nim", size)
    pruned = pruned_tree(state.game, state, mask=PLAYERS)
    assert pruned.root.count() <= most
    assert pruned.root.score == 100
    assert pruned.rules


@pytest.mark.parametrize("name", ["nim:1,2,3", "kayles:4", "chomp:2x3", "piles:2,2", "mnk:2,3,2"])
def test_values_are_those_of_the_solution(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    state = game.initial()
    for mask in (None, frozenset[tuple[str, int]](), find_mask(game.sheet)):
        pruned = pruned_tree(game, state, mask=mask)
        check_against_solution(pruned.root)


@examples(8, suppress_health_check=list(HealthCheck))
@given(turn_games(with_cycles=False))
def test_values_of_random_games_are_those_of_the_solution(sheet: RuleSheet) -> None:
    game = CompiledGame(sheet)
    state = game.initial()
    expected = int(solve(explore(game)).values[0])
    if state.is_terminal:
        return
    assert minimax_tree(game, state).score == expected
    for mask in (None, frozenset[tuple[str, int]](), find_mask(sheet)):
        assert pruned_tree(game, state, mask=mask).root.score == expected


@needs_foreign
def test_a_foreign_game_has_the_value_of_its_solution() -> None:
    path = FOREIGN / "rules" / "ticTacToe.kif"
    game = CompiledGame(parse(path.read_text("utf-8"), name="foreign"))
    state = game.initial()
    for _ in range(3):
        state = state.step([state.legal(role)[0] for role in game.roles])
    check_against_solution(pruned_tree(game, state).root)


def test_decisions_prefer_moves_of_higher_value() -> None:
    state = start("tictactoe", "S")
    solution, number = solution_from(state)
    pruned = pruned_tree(state.game, state)
    assert pruned.decisions
    better = 0
    for at, role, best, worse in pruned.decisions:
        values = []
        for move in (best, worse):
            joint = [at.legal(r)[0] for r in at.game.roles]
            joint[role] = move
            values.append(int(solution.values[number[at.step(joint).key]]))
        sign = 1 if role == 0 else -1
        better += sign * (values[0] - values[1]) > 0
    assert better == len(pruned.decisions)


def test_masks_are_found_from_the_rules() -> None:
    assert find_mask(load_sheet("nim:1,2,4,5")) == {("heap", 0), ("reduce", 0), ("control", 0)}
    assert ("control", 0) in find_mask(load_sheet("marks"))
    assert ("has", 1) not in find_mask(load_sheet("marks"))


def test_a_tree_that_grows_too_large_says_so() -> None:
    game = CompiledGame(load_sheet("nim:1,2,3"))
    with pytest.raises(BudgetExceededError, match="more than 10 nodes"):
        minimax_tree(game, game.initial(), max_nodes=10)


def test_roles_that_choose_at_once_are_refused() -> None:
    game = CompiledGame(load_sheet("roshambo"))
    with pytest.raises(Exception, match="at the same time"):
        mover(game.initial())


def test_every_instance_is_a_state_of_its_game() -> None:
    for game, sizes in INSTANCES.items():
        for size in sizes:
            assert start(game, size).legal("a")
    with pytest.raises(InputError, match="no instance"):
        find_instance("nim", "XL")


def test_a_drawing_has_every_node_once() -> None:
    game = CompiledGame(load_sheet("nim:1,1"))
    root = minimax_tree(game, game.initial())
    tree = ElementTree.fromstring(tree_svg(root))
    texts = [t for element in tree.iter() if (t := element.text) and "reduce" in t]
    assert len(texts) == 4
    assert len(tree_text(root).splitlines()) == 5
    assert "more nodes" in tree_text(root, most=2)


def joints_of(root: Node) -> Sequence[str]:
    return [str(node.joint) for node in root.walk()]


def test_the_same_seed_gives_the_same_tree() -> None:
    state = start("nim", "S")
    trees = [joints_of(pruned_tree(state.game, state, seed=3).root) for _ in range(2)]
    assert trees[0] == trees[1]


GROWING = """
(role me) (role you)
(init (control me))
(<= (legal ?r wait) (role ?r) (not (true (control ?r))))
(<= (legal me (take ?x)) (true (control me)) (thing ?x) (not (true (has ?x))))
(thing 1) (thing 2)
(<= (next (has ?x)) (does me (take ?x)))
(<= (next (has ?x)) (true (has ?x)))
(<= (next (control me)) (true (control me)))
(<= terminal (true (has 1)) (true (has 2)))
(goal me 100) (goal you 0)
"""


def test_rules_say_that_nothing_else_holds_where_states_can_grow() -> None:
    game = CompiledGame(parse(GROWING, name="growing"))
    state = game.initial()
    assert not has_fixed_size(game, state)
    rule = learn_rule(state, "me", state.legal("me")[0], frozenset(), is_exact=True)
    assert rule.text(Names(), timed=False) == (
        "best_do(me,take(1)) :- true(control(me)), #count { F : true(F) } = 1."
    )
