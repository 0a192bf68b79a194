"""Paper 003's tables: printed rows, what is measured, and the page."""

from __future__ import annotations

from functools import cache

import pytest

from kibitz.experiments.reproduce.positions import (
    TableCell,
    Tables,
    measure_tables,
    positions_html,
    printed_rows,
    summary_rows,
)
from kibitz.games import load_sheet
from kibitz.space import Limits


@cache
def small() -> Tables:
    return measure_tables([row for row in printed_rows() if "3x3" in row.board])


def test_every_row_of_the_tables_names_a_game_of_the_library() -> None:
    rows = printed_rows()
    assert len({(row.game, row.rounds) for row in rows}) == len(rows) == 48
    assert {row.table for row in rows} == {1, 2, 3}
    for row in rows:
        assert load_sheet(row.game).rules
        assert all(len(pairs) == 3 for pairs in row.against.values())
    assert [label for label, _ in summary_rows()] == [
        "Tic-Tac-Toe",
        "Bottom-2",
        "CONNECT-3",
        "CONNECT-4",
    ]


def test_sizes_are_those_that_the_paper_prints() -> None:
    tables = small()
    assert tables.rows
    for row, variant in tables.rows:
        count = variant.winning[row.rounds] if row.rounds < len(variant.winning) else 0
        assert count == row.positions, row.game
        assert str(variant.states)[:2] == f"{row.states:.0f}"[:2]


def test_sampling_explains_the_small_tables() -> None:
    tables = small()
    explained, numbers = tables.agreement()
    assert numbers == 72
    assert explained >= 70
    assert all(isinstance(cell, TableCell) for cell in tables.cells())


def test_a_count_that_sampling_does_not_explain_is_seen() -> None:
    cell = next(c for c in small().cells() if c.row.game == "mnk:3,3,3,RCD" and c.own == 1)
    far = TableCell(cell.row, cell.own, cell.other, (0, 30), cell.classes)
    assert cell.agrees == (True, True)
    assert far.agrees == (False, False)


def test_the_page_shows_every_row_ours_beside_theirs() -> None:
    tables = small()
    text = positions_html(tables)
    for number in (2, 3, 5, 6, 7):
        assert f"Table {number}:" in text
    assert "12 / 0" in text
    assert "14 / 2" in text
    assert text.count("<table>") == text.count("</table>") == 5


def test_what_is_too_large_is_left_out_with_a_reason() -> None:
    rows = [row for row in printed_rows() if row.game == "mnk:3,3,3,RCD"]
    tables = measure_tables(rows, limits=Limits(states=10))
    assert tables.rows == ()
    assert "mnk:3,3,3,RCD" in tables.left_out[0]
    assert "mnk:3,3,3,RCD" in positions_html(tables)


@pytest.mark.slow
def test_sizes_on_boards_of_four_rows_are_those_that_the_paper_prints() -> None:
    rows = [row for row in printed_rows() if row.board == "4x4" and row.label != "Tic-Tac-Toe"]
    measured = measure_tables(rows).rows
    assert len(measured) == len(rows)
    for row, variant in measured:
        count = variant.winning[row.rounds] if row.rounds < len(variant.winning) else 0
        assert count == row.positions, row.game
