"""All positions with few men: values as in the whole game, and which games have such endings."""

from __future__ import annotations

import pytest
from tests.prove.test_prove import SMALL, compiled, solution

from kibitz.board import layout_of
from kibitz.engine import CompiledGame
from kibitz.errors import IncompleteError, InputError
from kibitz.gdl import parse_terms, read
from kibitz.prove import Prover, endings_with_men, material_of, reference_value
from kibitz.solve import solve
from kibitz.space import Limits, explore


def test_every_position_of_the_game_with_few_men_has_its_value() -> None:
    game, found = compiled("breakthrough:4x3"), solution("breakthrough:4x3")
    material, endings = material_of(game), endings_with_men(game, 3)
    few = 0
    for number in range(0, len(found.space), max(1, len(found.space) // 3000)):
        state = found.space.state(number)
        if material.count(state) <= 3:
            few += 1
            value = int(found.values[number])
            assert endings.bounds(state) == (value, value)
        else:
            assert endings.bounds(state) is None
    assert few > 20


def test_positions_that_no_match_comes_to_have_the_value_of_plain_negamax() -> None:
    game = compiled("breakthrough:4x4")
    endings = endings_with_men(game, 2)
    for place in range(0, len(endings), 97):
        key = sum(int(word) << 64 * i for i, word in enumerate(endings.rows[place]))
        state = type(game.initial())(game, key)
        value = reference_value(state)
        assert endings.bounds(state) == (value, value)


@pytest.mark.parametrize("most", [0, 1, 2, 3])
def test_placements_are_counted_and_each_comes_once(most: int) -> None:
    material = material_of(compiled("breakthrough:4x4"))
    rows = material.rows(most)
    assert len(rows) == material.positions(most) == len({tuple(row) for row in rows.tolist()})
    state_of = compiled("breakthrough:4x4").initial().__class__
    counts = {
        material.count(state_of(material.game, int(row[0]) | (int(row[-1]) << 64 * (len(row) - 1))))
        for row in rows
    }
    assert counts == set(range(most + 1))


def test_a_search_stops_at_them() -> None:
    game = compiled("breakthrough:4x3")
    plain = Prover(game, SMALL)
    helped = Prover(game, SMALL, endings=endings_with_men(game, 4))
    state = game.initial()
    assert plain.bounds_of(plain.row(state)) == helped.bounds_of(helped.row(state))
    assert helped.positions < plain.positions


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tictactoe", "moves add men"),
        ("connectfour", "moves add men"),
        ("threemensmorris", "moves add men"),
        ("nim:1,2", "no board of cells that hold men"),
        ("hanoi:3", "no game of two"),
    ],
)
def test_games_without_such_endings_are_refused(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        endings_with_men(compiled(name), 2)


def test_too_many_positions_and_too_few_men_are_refused() -> None:
    game = compiled("breakthrough:4x4")
    with pytest.raises(InputError, match=r"1,026 positions with at most 2 men, and 1,000 may be"):
        endings_with_men(game, 2, limits=Limits(states=1_000))
    with pytest.raises(InputError, match="too few"):
        endings_with_men(game, 0)
    with pytest.raises(IncompleteError):
        endings_with_men(game, 2, limits=Limits(seconds=0))


LINE = """
(role a) (role b) (init (turn a)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(init (at 1 a)) (init (at 2 a)) (init (at 5 b)) (init (at 6 b))
(<= (ahead a ?x ?y) (succ ?x ?y)) (<= (ahead b ?x ?y) (succ ?y ?x))
(<= (legal ?r (move ?x ?y))
    (true (turn ?r)) (true (at ?x ?r)) (ahead ?r ?x ?y) (not (true (at ?y ?r))))
(<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
(<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
(<= (next (at ?y ?r)) (does ?r (move ?x ?y)))
(<= (next (at ?z ?s)) (true (at ?z ?s)) (not (touched ?z)))
(<= (touched ?x) (does ?r (move ?x ?y))) (<= (touched ?y) (does ?r (move ?x ?y)))
(<= (has ?r) (true (at ?x ?r)))
(<= (won a) (true (at 6 a))) (<= (won b) (true (at 1 b)))
(<= (won a) (not (has b))) (<= (won b) (not (has a)))
(<= terminal (won ?r))
(<= (goal ?r 100) (won ?r)) (<= (goal a 0) (won b)) (<= (goal b 0) (won a))
"""


def test_a_cell_may_hold_nothing_where_no_fluent_is_true_and_flawed_ends_are_left_out() -> None:
    game = CompiledGame(read(LINE))
    material = material_of(game)
    assert (material.empty, len(material.men)) == ((None,) * 6, 6)
    endings = endings_with_men(game, 4)
    value = reference_value(game.initial())
    assert endings.bounds(game.initial()) == (value, value)
    both = game.state(parse_terms("(at 6 a) (at 1 b) (turn a)"))  # both have won
    assert endings.bounds(both) is None


def hunt(size: int) -> str:
    """Write a game in which men have names, and the rules say where each of them stands."""
    succ = " ".join(f"(succ {i} {i + 1})" for i in range(1, size))
    lines = " ".join(f"(line {i})" for i in range(1, size + 1))
    return f"""
    (role white) (role black) (init (control white)) {succ} {lines}
    (init (at wa 1 1)) (init (at wb 2 1)) (init (at ba {size} {size})) (init (at bb 2 {size}))
    (mine white wa) (mine white wb) (mine black ba) (mine black bb)
    (<= (next_to ?a ?b) (succ ?a ?b)) (<= (next_to ?a ?b) (succ ?b ?a))
    (<= (step ?x ?y ?x ?w) (next_to ?y ?w) (line ?x))
    (<= (step ?x ?y ?z ?y) (next_to ?x ?z) (line ?y))
    (<= (own ?p ?x ?y) (mine ?p ?m) (true (at ?m ?x ?y)))
    (<= (legal ?p (move ?m ?x ?y)) (true (control ?p)) (mine ?p ?m) (true (at ?m ?u ?v))
        (step ?u ?v ?x ?y) (not (own ?p ?x ?y)))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (at ?m ?x ?y)) (does ?p (move ?m ?x ?y)))
    (<= (next (at ?k ?u ?v)) (true (at ?k ?u ?v)) (does ?p (move ?m ?x ?y)) (distinct ?k ?m)
        (or (distinct ?u ?x) (distinct ?v ?y)))
    (<= (next (control black)) (true (control white)))
    (<= (next (control white)) (true (control black)))
    (<= (left ?p) (mine ?p ?m) (true (at ?m ?x ?y)))
    (<= terminal (role ?p) (not (left ?p)))
    (<= (goal white 100) (not (left black))) (<= (goal black 0) (not (left black)))
    (<= (goal black 100) (not (left white))) (<= (goal white 0) (not (left white)))
    (<= (goal ?p 50) (role ?p) (left white) (left black))
    """


def test_cells_are_those_that_are_drawn_however_rules_name_men() -> None:
    game = CompiledGame(read(hunt(3), name="hunt"))
    (board,) = layout_of(game).boards
    material = material_of(game)
    assert len(material.men) == len(board.cells) == 9
    endings, found = endings_with_men(game, 2), solve(explore(game))
    few = 0
    for number in range(len(found.space)):
        state = found.space.state(number)
        if material.count(state) <= 2:
            few += 1
            value = int(found.values[number])
            assert endings.bounds(state) == (value, value)
    assert few > 100
