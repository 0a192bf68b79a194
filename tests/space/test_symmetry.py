"""Symmetries found from the rules have the orders that are known, and carry spaces over."""

from __future__ import annotations

import os

import pytest

from kibitz.budget import Budget
from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import BudgetExceededError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.space import explore, find_symmetries, symmetry as finding
from kibitz.space.symmetry import Generators, find_generators
from kibitz.strategy.evaluation.rule_images import symmetries_of


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("tictactoe", 8),
        ("mnk:4,4,3", 8),
        ("mnk:3,4,3", 4),
        ("mnk:3,3,3,RC", 72),  # without diagonals, rows and columns can be shuffled
        ("mnk:3,3,3,RD", 8),  # the ends of the middle row can be exchanged alone
        ("sim", 720),
        ("connect:4,5x5", 2),
        ("connectfour", 2),
        ("nim:1,3,5,7", 1),
        ("nim:2,2,3", 2),
        ("nim:3,3,3", 6),
        ("sum15", 8),
        ("threemensmorris", 8),
        ("crossdot:6,3", 2),
        ("domineering", 4),
        ("kayles", 2),
        ("chomp", 1),
        ("breakthrough:5x4", 2),
    ],
)
def test_a_group_has_the_order_that_is_known(name: str, order: int) -> None:
    assert find_symmetries(CompiledGame(load_sheet(name))).order == order


@pytest.mark.parametrize("name", ["tictactoe", "nim:2,2,1", "kayles:5", "threemensmorris"])
def test_a_symmetry_carries_the_whole_space_over(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    space = explore(game)
    found = find_symmetries(game)
    assert found.generators
    number = {fluent: i for i, fluent in enumerate(found.fluents)}
    where = {space.state(i): i for i in range(len(space))}
    for symmetry in found.generators:
        image = []
        for i in range(len(space)):
            carried = (found.fluents[symmetry.fluents[number[f]]] for f in space.state(i).fluents)
            image.append(where[game.state(carried)])
        assert sorted(image) == list(range(len(space)))
        assert image[0] == 0
        for i in range(len(space)):
            assert space.terminal[i] == space.terminal[image[i]]
            assert (space.goals[i] == space.goals[image[i]]).all()
            here = sorted(image[to] for _, to in space.moves(i))
            assert here == sorted(to for _, to in space.moves(image[i]))


def test_elements_are_as_many_as_the_order_says_and_start_with_the_identity() -> None:
    found = find_symmetries(CompiledGame(load_sheet("tictactoe")))
    elements = found.elements()
    assert len(elements) == len(set(elements)) == found.order
    assert elements[0].fluents == tuple(range(len(found.fluents)))


def test_roles_are_never_exchanged() -> None:
    text = """(role a) (role b) (init s) (legal a x) (legal a y) (legal b x) (legal b y)
    (<= (next (did ?r ?m)) (does ?r ?m)) (<= terminal (true (did a ?m)))
    (<= (goal a 100) (true (did a ?m)) (true (did b ?m)))
    (<= (goal b 100) (true (did a ?m)) (true (did b ?m)))"""
    found = find_symmetries(CompiledGame(read(text)))
    assert found.order == 2
    assert found.generators[0].moves == ((1, 0), (1, 0))


@pytest.mark.slow
def test_a_huge_group_over_many_moves_is_left_before_it_fills_the_memory() -> None:
    things = range(300)
    facts = " ".join(f"(thing t{i})" for i in things)
    rules = f"""(role ann) {facts} (init start) (<= (legal ann (take ?t)) (thing ?t))
    (<= (next (has ?t)) (does ann (take ?t))) (<= (goal ann 100) (true (has ?t)))
    (<= terminal (true (has ?t)))"""
    game = CompiledGame(read(rules))
    with pytest.raises(BudgetExceededError, match="more than 33,") as error:
        find_symmetries(game)
    assert "symmetries" in error.value.message


def test_symmetries_of_larger_games_are_found_in_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    here = find_generators(game)
    server, find = os.getpid(), finding._find

    def only_in_a_child(game: CompiledGame, budget: Budget) -> Generators:
        assert os.getpid() != server
        return find(game, budget)

    monkeypatch.setattr(finding, "_find", only_in_a_child)
    monkeypatch.setattr(finding, "_FEW_PARTS", 0)
    assert find_generators(game) == here


def test_more_generators_than_can_be_listed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "_MOST_ENTRIES", 10)
    with pytest.raises(BudgetExceededError, match="too many symmetries"):
        find_generators(CompiledGame(load_sheet("tictactoe")))


def test_symmetries_that_were_not_found_are_not_looked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    asked: list[object] = []

    def fail(game: object, *, budget: object) -> None:
        asked.append(game)
        raise BudgetExceededError("there are too many")

    monkeypatch.setattr("kibitz.strategy.evaluation.rule_images.find_generators", fail)
    for _ in range(2):
        with pytest.raises(BudgetExceededError, match="there are too many"):
            symmetries_of(game)
    assert asked == [game]
