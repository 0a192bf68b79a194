"""Proofs for boards of every size, against plain search on boards of many sizes."""

from __future__ import annotations

from functools import cache
from itertools import product

from hypothesis import given, strategies as st
from tests.effort import examples

from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.space import explore
from kibitz.synth.insight.grid_ideas import difference_to_leave, mirror_proof
from kibitz.synth.insight.grids import Cell, Grid, Kind, grid_of

cells = st.tuples(st.integers(0, 2), st.integers(0, 1))


def at_corner(shape: frozenset[Cell]) -> frozenset[Cell]:
    row, column = (min(cell[axis] for cell in shape) for axis in (0, 1))
    return frozenset((r - row, c - column) for r, c in shape)


def turned(shape: frozenset[Cell]) -> frozenset[Cell]:
    return at_corner(frozenset((-r, -c) for r, c in shape))


shapes = st.frozensets(cells, min_size=1, max_size=3).map(at_corner)


def moves_on(rows: int, columns: int, kinds: tuple[Kind, ...]) -> list[frozenset[Cell]]:
    """Place every shape wherever it fits."""
    placed = []
    for kind, r, c in product(kinds, range(rows), range(columns)):
        here = frozenset((r + i, c + j) for i, j in kind.takes)
        if all(i < rows and j < columns for i, j in here):
            placed.append(here)
    return placed


@given(st.lists(shapes, min_size=1, max_size=2), st.booleans())
@examples(40)
def test_where_mirroring_is_proved_plain_search_says_so(
    drawn: list[frozenset[Cell]], begins: bool
) -> None:
    """Every way to leave the image of itself wins, on all boards of up to twelve places."""
    kinds = tuple(Kind(shape, shape) for shape in sorted({*drawn, *map(turned, drawn)}, key=sorted))
    for rows, columns in ((1, 4), (2, 3), (3, 3), (2, 5), (3, 4), (4, 2)):
        proof = mirror_proof(Grid({}, rows, columns, 1, 2, kinds, None), begins=begins)
        if proof is None or rows < proof.least[0] or columns < proof.least[1]:
            continue
        moves = moves_on(rows, columns, kinds)

        @cache
        def loses(live: frozenset[Cell], moves: list[frozenset[Cell]] = moves) -> bool:
            return not any(move <= live and loses(live - move) for move in moves)

        def is_its_image(live: frozenset[Cell], rows: int = rows, columns: int = columns) -> bool:
            return live == {(rows - 1 - r, columns - 1 - c) for r, c in live}

        board = frozenset(product(range(rows), range(columns)))
        if begins:
            left = [board - move for move in moves if is_its_image(board - move)]
            assert left
            assert all(map(loses, left))
        else:
            assert loses(board)


def test_two_rows_are_left_with_a_difference_of_one() -> None:
    @cache
    def loses(a: int, b: int) -> bool:
        after = [(n, min(b, n)) for n in range(1, a)] + [(a, n) for n in range(b)]
        return not any(loses(*left) for left in after)

    number = difference_to_leave()
    assert number == 1
    assert all(loses(a, b) == (a - b == number) for a in range(1, 60) for b in range(a + 1))


def test_boards_on_which_moves_are_not_alike_are_no_grids() -> None:
    for name in ("tictactoe", "domineering:3x3", "hex:2"):
        assert grid_of(explore(CompiledGame(load_sheet(name)))) is None
