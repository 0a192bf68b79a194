"""A group is reported only if it holds in every state that can be reached."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.effort import examples
from tests.engine.exploring import explore
from tests.random_games import games

from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.grounding import ground
from kibitz.engine.grounding.exclusive_groups import Group, find_groups
from kibitz.games import load_sheet
from kibitz.gdl import Function, RuleSheet, read

pytestmark = pytest.mark.usefixtures("grounded_anew")

EXPLORED = ("tictactoe", "nim:1,3,5,7", "connect:3,4x4", "roshambo", "hanoi", "breakthrough:4x3",
            "threemensmorris", "kayles", "lightsout", "pegsolitaire", "maze", "crossdot",
            "domineering", "hex:3", "chomp", "pawnwhopping:5x3")  # fmt: skip


def groups_of(sheet: RuleSheet) -> list[tuple[set[str], bool]]:
    return [({str(fluent) for fluent in found}, exact) for found, exact in ground(sheet).groups]


def check_everywhere(sheet: RuleSheet, limit: int) -> None:
    """Hold every group against every state, those after the end of the match as well."""
    game = CompiledGame(sheet, backend="interpreter")
    found = [(set(group), exact) for group, exact in game.grounding.groups]
    for key in explore(game, limit=limit, stop_at_terminal=False):
        holding = set(game.fluents(key))
        for group, exact in found:
            count = len(group & holding)
            assert count == 1 if exact else count <= 1, (group, holding)


@pytest.mark.parametrize("name", EXPLORED)
def test_groups_hold_in_every_state_that_can_be_reached(name: str) -> None:
    check_everywhere(load_sheet(name), limit=4_000)


@examples(10)
@given(games())
def test_groups_of_random_games_hold_in_every_state(sheet: RuleSheet) -> None:
    check_everywhere(sheet, limit=500)


def test_a_cell_holds_exactly_one_thing() -> None:
    found = groups_of(load_sheet("tictactoe"))
    assert ({"(cell 1 1 b)", "(cell 1 1 x)", "(cell 1 1 o)"}, True) in found
    assert ({"(control xplayer)", "(control oplayer)"}, True) in found


def test_a_heap_has_one_size() -> None:
    assert ({f"(heap c {n})" for n in range(6)}, True) in groups_of(load_sheet("nim:1,3,5,7"))


LOCK = """
(role thief) (digit 0) (digit 1) (digit 2) (digit 3)
(init (door shut)) (init (turned 0))
(<= (legal thief (turn ?d)) (digit ?d))
(<= (next (turned ?m)) (true (turned ?n)) (code ?n ?m ?d) (does thief (turn ?d)))
(<= (next (turned 0)) (true (turned ?n)) (code ?n ?m ?d) (not (does thief (turn ?d))))
(<= (next (turned 16)) (true (turned 16)))
(<= (next (door shut)) (true (door shut)))
(<= (next (door open)) (true (turned 16)))
(<= terminal (true (door open)))
(goal thief 0)
"""
LOCK += " ".join(f"(code {i} {i + 1} {i * 7 % 4})" for i in range(16))


def test_a_group_that_breaks_only_after_an_unlikely_line_of_play_is_not_reported() -> None:
    found = groups_of(read(LOCK, form="kif"))
    assert not any("(door shut)" in fluents for fluents, _ in found)
    assert ({f"(turned {i})" for i in range(17)}, True) in found


def test_a_group_that_fails_after_the_first_move_is_not_reported() -> None:
    text = """(role me) (init (c 1)) (legal me a) (<= (next (c 1)) (true (c 1)))
        (<= (next (c 2)) (does me a)) (<= terminal (true (c 3)))"""
    assert groups_of(read(text, form="kif")) == []


def test_a_group_may_hold_only_together_with_another() -> None:
    text = """(role me) (init (a 1)) (init (b 1)) (legal me x) (legal me y)
        (<= (next (a 1)) (true (b 1)) (does me x)) (<= (next (a 2)) (true (b 1)) (does me y))
        (<= (next (a 2)) (true (b 2)))
        (<= (next (b 1)) (true (a 1))) (<= (next (b 2)) (true (a 2)))
        (<= terminal (true (a 3)))"""
    found = groups_of(read(text, form="kif"))
    assert ({"(a 1)", "(a 2)"}, True) in found
    assert ({"(b 1)", "(b 2)"}, True) in found


def test_at_most_one_is_told_from_exactly_one() -> None:
    text = """(role me) (init (at 1)) (legal me stay) (legal me go) (legal me leave)
        (<= (next (at ?x)) (true (at ?x)) (does me stay))
        (<= (next (at 2)) (true (at 1)) (does me go))
        (<= terminal (true (at 2))) (goal me 0)"""
    assert groups_of(read(text, form="kif")) == [({"(at 1)", "(at 2)"}, False)]


def test_no_time_gives_no_groups() -> None:
    network = ground(load_sheet("tictactoe"), groups=False).network
    assert find_groups(network, seconds=0) == ()


def test_groups_are_found_again_with_any_seed() -> None:
    network = ground(load_sheet("connect:3,4x4"), groups=False).network
    found: list[set[Group]] = [set(find_groups(network, seed=seed)) for seed in range(3)]
    assert found[0] == found[1] == found[2]
    assert all(isinstance(network.fluents[i], Function) for g in found[0] for i in g.fluents)
