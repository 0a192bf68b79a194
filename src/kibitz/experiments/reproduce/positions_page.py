"""What was measured for paper 003's tables in, one page out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kibitz.experiments.reproduce.positions import DEPTHS, Printed, TableCell, Tables, summary_rows
from kibitz.pages import write_page
from kibitz.puzzles import Classes, Variant

__all__ = ["positions_html"]

_TITLES = ("CONNECT", "Bottom-2", "Tic-Tac-Toe")


def positions_html(tables: Tables) -> str:
    """Write Tables 1 to 7: the paper's counts, exact ones, and those of thirty plays.

    >>> positions_html(Tables((), ())).startswith("<!doctype html>")
    True
    """
    explained, numbers = tables.agreement()
    return write_page(
        "positions",
        explained=explained,
        numbers=numbers,
        depths=DEPTHS[:3],
        tables=list(_tables(tables)),
        summary=list(_summary(tables)),
        left_out=tables.left_out,
        power=_power,
    )


def _tables(tables: Tables) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Return Tables 1 to 6, each with its title and rows; rows of one board stand together."""
    for number in range(6):
        other = 3 if number < 3 else 2
        pairs = [pair for pair in tables.rows if pair[0].table == number % 3 + 1]
        boards = list(dict.fromkeys((row.label, row.board) for row, _ in pairs))
        pairs.sort(key=lambda pair: (boards.index((pair[0].label, pair[0].board)), pair[0].rounds))
        cells = {
            (cell.row.game, cell.row.rounds, cell.own): cell
            for cell in tables.cells()
            if cell.other == other
        }
        rows = [
            {
                "row": row,
                "variant": variant,
                "winning": variant.winning[row.rounds] if row.rounds < len(variant.winning) else 0,
                "group": (row.label, row.board, row.rounds),
                "cells": [_cell(variant, row, k, other, cells) for k in DEPTHS[:3]],
            }
            for row, variant in pairs
        ]
        if rows:
            yield f"Table {number + 1}: {_TITLES[number % 3]} against depth {other}", rows


def _cell(
    variant: Variant,
    row: Printed,
    own: int,
    other: int,
    cells: dict[tuple[str, int, int], TableCell],
) -> tuple[Classes, TableCell | None]:
    found = next(
        c for c in variant.classes if (c.rounds, c.own, c.other) == (row.rounds, own, other)
    )
    return found, cells.get((row.game, row.rounds, own))


def _power(number: float) -> tuple[str, int]:
    """Return the digits and the exponent of a number written by powers of ten."""
    digits, _, exponent = f"{number:.1e}".partition("e")
    return digits, int(exponent)


def _summary(tables: Tables) -> Iterator[tuple[str, list[tuple[list[str], str]]]]:
    """Return Table 7: which variants have positions that become easy at depth 1, 2, 3, 4 only."""
    labels = {row.label for row, _ in tables.rows}
    for label, printed in summary_rows():
        if label in labels:
            yield label, [(list(_found(tables, label, i)), printed[i]) for i in range(4)]


def _found(tables: Tables, label: str, category: int) -> Iterator[str]:
    for row, variant in tables.rows:
        counts = dict(variant.categories).get(row.rounds)
        if row.label == label and counts and counts[category]:
            yield f"{row.board} {row.lines} j={row.rounds}: {counts[category]:,}"
