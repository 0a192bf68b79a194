"""Larger relatives of a sheet, against sheets that were written in the larger size."""

from __future__ import annotations

import pytest
from tests.strategy.dominoes import domino_sheet
from tests.strategy.heaps import heap_sheet, row_sheet

from kibitz.engine import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, parse
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.synth import find_insight
from kibitz.synth.insight.growth import growing


def layers(sheet: RuleSheet) -> tuple[tuple[int, ...], dict[str, int]]:
    """How many states there are at each distance from the start, and what each role gets."""
    space = explore(CompiledGame(sheet))
    return space.layers, solve(space).value()


@pytest.mark.parametrize(
    ("small", "argument", "larger"),
    [
        (heap_sheet((5, 6), both=True), "stock.1", heap_sheet((5, 7), both=True)),
        (heap_sheet((9,), (1, 2, 3)), "stock.1", heap_sheet((10,), (1, 2, 3))),
        (row_sheet(6, (2,)), "burns.1", row_sheet(7, (2,))),
        (domino_sheet(3, 3), "free.1", domino_sheet(3, 4)),
        (load_sheet("chomp:2x4"), "cell.2", load_sheet("chomp:2x5")),
        (load_sheet("crossdot:5,2"), "box.1", load_sheet("crossdot:6,2")),
    ],
)
def test_a_grown_sheet_is_the_one_written_in_that_size(
    small: RuleSheet, argument: str, larger: RuleSheet
) -> None:
    grown = growing(CompiledGame(small), argument).grown(1)
    assert grown is not None
    assert layers(grown) == layers(larger)


def test_a_start_below_the_end_of_the_chain_grows_within_it() -> None:
    text = str(heap_sheet((9,), (1, 2)).source.text).replace("(init (stock j p))", "")
    sheet = parse(text + "(init (stock g p))", name="low start")
    sizes = growing(CompiledGame(sheet), "stock.1")
    assert sizes.size == 6
    larger = sizes.grown(2)
    assert larger is not None
    assert layers(larger) == layers(heap_sheet((8,), (1, 2)))
    assert sizes.grown(4) is None


def test_a_rule_is_followed_in_larger_relatives() -> None:
    solution = solve(explore(CompiledGame(load_sheet("chomp:2x3"))))
    found = find_insight(solution, "player1", grow="cell.2")
    assert found is not None
    assert found.holds_for.proved
    assert "8 larger ones with cell.2 up to 11" in found.holds_for.sizes


@pytest.mark.slow
def test_a_table_that_ends_is_said_to_fail_where_it_ends() -> None:
    solution = solve(explore(CompiledGame(heap_sheet((4, 5), both=True))))
    found = find_insight(solution, "ann", grow="stock.1")
    assert found is not None
    assert not found.holds_for.proved
    assert "but not with stock.1 up to" in found.holds_for.sizes


def test_what_is_no_size_is_refused_with_those_that_are() -> None:
    with pytest.raises(InputError) as caught:
        growing(CompiledGame(load_sheet("nim:1,2")), "heap.1")
    assert "heap.2" in str(caught.value.hint)
