"""Measure paper 003's Tables 1 to 7 again, and write their page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.resources import files
from math import sqrt
from typing import Any

from kibitz.budget import Budget, run_within
from kibitz.engine import CompiledGame
from kibitz.errors import KibitzError
from kibitz.games import load_sheet
from kibitz.pages import write_page
from kibitz.puzzles import RESERVE, Classes, Variant, load_loops, measure_variant
from kibitz.space import Limits

DEPTHS = (1, 2, 3, 4)
"""Depths of the role that are measured; the paper's tables have three, its summary four."""
PLAYS = 30
_DRAWN = 5000
_ENOUGH = 3.0


@dataclass(frozen=True, slots=True)
class Printed:
    """A row of Tables 1 to 3 with what Tables 4 to 6 say about the same positions.

    `states` and large `positions` are rounded as printed. `against` has the medium and hard
    positions for k1 = 1, 2, 3 by the opponent's depth; `sampling` says which positions were
    tried: all, 5,000 drawn at random, or the hundred that looked hardest.
    """

    table: int
    label: str
    board: str
    lines: str
    game: str
    states: float
    rounds: int
    positions: float
    sampling: str
    against: dict[int, tuple[tuple[int, int], ...]]

    @property
    def is_large(self) -> bool:
        """Whether it takes minutes and gigabytes."""
        return self.states > 5e7


@dataclass(frozen=True, slots=True)
class TableCell:
    """One pair of medium and hard counts: the paper's, ours, and what a sample would show."""

    row: Printed
    own: int
    other: int
    paper: tuple[int, int]
    classes: Classes

    @property
    def expected(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Mean and variance of what the paper's procedure would count, medium and hard."""
        assert self.classes.law is not None
        share = 1.0
        if self.row.sampling == "Rand" and self.classes.positions:
            share = min(1.0, _DRAWN / self.classes.positions)
        drawn = []
        for mean, variance in self.classes.law:
            if share < 1:  # A class drawn with its positions: hypergeometric, nearly.
                variance = mean * share * (1 - mean / self.classes.positions)
            drawn.append((mean * share, variance))
        return drawn[0], drawn[1]

    @property
    def agrees(self) -> tuple[bool, bool]:
        """Return whether sampling explains the paper's counts, medium and hard.

        Within three standard deviations, and one position for rounding. The hardest hundred
        can only be fewer than all.
        """
        found = []
        for printed, (mean, variance) in zip(self.paper, self.expected, strict=True):
            gap = printed - mean
            if self.row.sampling == "B100":
                gap = max(0.0, gap)
            found.append(abs(gap) <= _ENOUGH * sqrt(variance) + 1)
        return found[0], found[1]


@dataclass(frozen=True)
class Tables:
    """Measurements, row by row, with what was left out and why."""

    rows: tuple[tuple[Printed, Variant], ...]
    left_out: tuple[str, ...]
    was_interrupted: bool = False

    def cells(self) -> Iterator[TableCell]:
        """Walk the pairs of medium and hard counts that the paper prints."""
        for row, variant in self.rows:
            for classes in variant.classes:
                printed = row.against.get(classes.other, ())
                if classes.rounds == row.rounds and classes.own <= len(printed):
                    yield TableCell(
                        row, classes.own, classes.other, printed[classes.own - 1], classes
                    )

    def agreement(self) -> tuple[int, int]:
        """Count the numbers that sampling explains, and all."""
        found = [agrees for cell in self.cells() for agrees in cell.agrees]
        return sum(found), len(found)

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        explained, numbers = self.agreement()
        return {
            "rows": [
                {
                    "table": row.table,
                    "game": row.game,
                    "rounds": row.rounds,
                    "paper": {
                        "states": row.states,
                        "positions": row.positions,
                        "sampling": row.sampling,
                        "medium_hard": {str(k): v for k, v in row.against.items()},
                    },
                    "states": variant.states,
                    "positions": _count(variant, row.rounds),
                    "classes": [asdict(c) for c in variant.classes if c.rounds == row.rounds],
                    "categories": dict(variant.categories).get(row.rounds, ()),
                    "seconds": variant.seconds,
                }
                for row, variant in self.rows
            ],
            "numbers": numbers,
            "explained_by_sampling": explained,
            "left_out": list(self.left_out),
        }


def printed_rows() -> list[Printed]:
    """Read the rows of the paper's tables.

    >>> row = printed_rows()[0]
    >>> row.game, row.rounds, row.positions, row.against[3][0]
    ('connect:3,4x4,RCD', 2, 110, (24, 5))
    """
    data = json.loads((files("kibitz.experiments.reproduce") / "positions.json").read_text("utf-8"))
    rows = []
    for row in data["rows"]:
        against = {
            k: tuple((medium, hard) for medium, hard in row[f"against_{k}"])
            for k in (3, 2)
            if row[f"against_{k}"]
        }
        rows.append(
            Printed(
                table=row["tables"][0],
                label=row["label"],
                board=row["board"],
                lines=row["lines"],
                game=row["game"],
                states=row["states"],
                rounds=row["rounds"],
                positions=row["positions"],
                sampling=row["sampling"],
                against=against,
            )
        )
    return rows


def summary_rows() -> list[tuple[str, list[str]]]:
    """Read Table 7: for each kind of game, where the paper found positions of category 1 to 4."""
    data = json.loads((files("kibitz.experiments.reproduce") / "positions.json").read_text("utf-8"))
    return [(row["label"], row["categories"]) for row in data["summary"]]


def measure_tables(
    rows: Sequence[Printed],
    *,
    seed: int = 1,
    limits: Limits | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Tables:
    """Measure the games of some rows, each once; one that fails is left out, with the reason."""
    bounds = limits or Limits(seconds=1200, bytes=12_000_000_000)
    done: list[tuple[Printed, Variant]] = []
    left_out: list[str] = []
    was_interrupted = False
    try:
        load_loops()
        for name in dict.fromkeys(row.game for row in rows):
            here = [row for row in rows if row.game == name]
            work = partial(
                measure_variant,
                CompiledGame(load_sheet(name)),
                rounds=sorted({row.rounds for row in here}),
                own=DEPTHS,
                other=(3, 2),
                set="paper",
                sample=PLAYS,
                seed=seed,
                limits=bounds,
            )
            try:
                budget = Budget(min(bounds.seconds, 1e6), bounds.bytes, RESERVE)
                variant = run_within(budget, work, doing=name)
            except KibitzError as error:
                left_out.append(f"{name}: {error.message}")
                progress(f"{name}: left out: {error.message}")
                continue
            counts = ", ".join(f"|W_{row.rounds}| {_count(variant, row.rounds):,}" for row in here)
            progress(f"{name}: {variant.states:,} states, {counts}, {variant.seconds:.1f} s")
            done += [(row, variant) for row in here]
    except KeyboardInterrupt:
        was_interrupted = True
        left_out.append("interrupted before the end")
    return Tables(tuple(done), tuple(left_out), was_interrupted)


def _count(variant: Variant, rounds: int) -> int:
    return variant.winning[rounds] if rounds < len(variant.winning) else 0


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
