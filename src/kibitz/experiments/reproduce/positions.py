"""Paper 003's Tables 1 to 7 measured again: exact counts beside sampled ones beside the paper's."""

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
from kibitz.puzzles import RESERVE, Classes, Variant, load_loops, measure_variant
from kibitz.space import Limits

__all__ = [
    "DEPTHS",
    "Printed",
    "TableCell",
    "Tables",
    "measure_tables",
    "printed_rows",
    "summary_rows",
]

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
    """What was measured, row by row, with what was left out and why."""

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
