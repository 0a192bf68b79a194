"""Measure paper 002's Table 1 again, and write its page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from kibitz.budget import Budget
from kibitz.charts import Axis, Series, line_chart, svg_chart
from kibitz.engine import (
    Covering,
    UngroundedGame,
    compare_speeds,
    depth_within,
    faster_way,
    time_visits,
    translate,
)
from kibitz.errors import BudgetExceededError, KibitzError
from kibitz.gdl import RuleSheet
from kibitz.pages import write_page

_WINDOW_S = 0.2


@dataclass(frozen=True, slots=True)
class FrameRow:
    """A row of the paper's table; seconds are None where the paper leaves the cell empty.

    `version` says where the rule sheet that goes by the name is not the paper's, or may not be.
    """

    game: str
    rules: str
    depth: int
    kstates: float
    original_s: float
    direct_s: float | None
    pruned_s: float
    library: str | None = None
    version: str = "same"

    @property
    def speed_up(self) -> float:
        """How many times faster the pruned translation was than the original."""
        return self.original_s / self.pruned_s


@dataclass(frozen=True, slots=True)
class Measured:
    """Measurements for a row; seconds by encoding, of CPU time."""

    row: FrameRow
    source: str
    depth: int
    states: int
    seconds: dict[str, float]
    translation_s: dict[str, float]
    joint_moves_before: int
    joint_moves: int
    keeps: tuple[str, ...]
    speeds: dict[str, float]
    compiled_s: dict[str, float]
    notes: tuple[str, ...] = ()

    @property
    def speed_up(self) -> float | None:
        """How many times faster the pruned translation is than the original."""
        pruned = self.seconds.get("pruned")
        return self.seconds["original"] / pruned if pruned else None

    @property
    def chosen(self) -> str:
        """The encoding that a portfolio takes."""
        return max(self.speeds, key=lambda name: self.speeds[name])

    @property
    def chosen_over_best(self) -> float:
        """The seconds of the chosen encoding, divided by those of the best."""
        return self.seconds[self.chosen] / min(self.seconds.values())


def read_table() -> tuple[FrameRow, ...]:
    """Return the rows of the paper's table.

    >>> [row.depth for row in read_table() if row.game == "tictactoe"]
    [9]
    """
    text = files("kibitz.experiments.reproduce").joinpath("table1.json").read_text("utf-8")
    return tuple(FrameRow(**row) for row in json.loads(text))


def rows_at_hand(folder: Path | None = None) -> list[tuple[FrameRow, str]]:
    """Return the rows that there are rules for, with a path or the name of a library game."""
    found = []
    for row in read_table():
        if folder is not None:
            path = folder / f"{row.rules}.kif"
            if path.is_file():
                found.append((row, str(path)))
        elif row.library:
            found.append((row, row.library))
    return found


def measure_row(
    row: FrameRow, sheet: RuleSheet, *, seconds: float = 5.0, compiled: bool = True
) -> Measured:
    """Search to the paper's depth, or as deep as the seconds allow, under every encoding."""
    notes: list[str] = []
    games = {"original": UngroundedGame(sheet)}
    sheets = {"original": sheet}
    translation_s: dict[str, float] = {}
    before = after = 0
    for covering in (Covering.DIRECT, Covering.PRUNED):
        try:
            done = translate(sheet, covering)
        except BudgetExceededError as error:
            notes.append(error.message)
            continue
        notes += done.notes
        translation_s[str(covering)] = done.seconds
        before, after = done.joint_moves_before, done.joint_moves
        if done.is_changed:
            sheets[str(covering)] = done.sheet
            games[str(covering)] = faster_way(sheet, done.sheet)
    depth = depth_within(games["original"], seconds, most=row.depth)
    if depth < row.depth:
        notes.append(f"depth {row.depth} cut to {depth} by {seconds:g} s")
    spent: dict[str, float] = {}
    states: dict[str, int] = {}
    for repeat in range(3):
        for name, game in games.items():
            states[name], took = time_visits(game, depth, at_least=_WINDOW_S)
            spent[name] = min(took, spent.get(name, took))
        if repeat == 0 and sum(spent.values()) > seconds:
            break
    if len(set(states.values())) > 1:
        raise KibitzError(f"{row.game}: the encodings disagree on the number of states: {states}")
    return Measured(
        row,
        sheet.name,
        depth,
        states["original"],
        spent,
        translation_s,
        before,
        after,
        tuple(name for name, game in games.items() if game.keeps),
        compare_speeds(games, seconds=0.5),
        _compiled(sheets, depth, states["original"], notes) if compiled else {},
        tuple(note.replace(sheet.name, row.game) for note in dict.fromkeys(notes)),
    )


def _compiled(
    sheets: dict[str, RuleSheet], depth: int, states: int, notes: list[str]
) -> dict[str, float]:
    """Time the same search on the compiled engine, which solves the frame problem in bits."""
    from kibitz.engine import CompiledGame, perft

    found: dict[str, float] = {}
    for name in ("original", "pruned"):
        if name not in sheets:
            continue
        try:
            game = CompiledGame(sheets[name], budget=Budget(seconds=10))
        except (BudgetExceededError, MemoryError):
            notes.append(f"the compiled engine cannot ground the {name} rules in 10 s")
            continue
        result = perft(game, depth, threads=1)
        if result.states != states:
            raise KibitzError(f"the compiled engine counts {result.states:,} of {states:,} states")
        found[name] = result.seconds
    return found


def frame_html(results: Sequence[Measured], skipped: Sequence[str] = ()) -> str:
    """Write the table, ours beside the paper's, and a plot of the speed-ups.

    >>> frame_html([]).startswith("<!doctype html>")
    True
    """
    # That a search is less deep than the paper's shows in the two columns of depths.
    notes = [(m, [n for n in m.notes if not n.startswith("depth ")]) for m in results]
    return write_page(
        "frame",
        results=results,
        compared=[m for m in results if m.speed_up],
        skipped=skipped,
        notes=[f"{m.row.game}: {'; '.join(own)}" for m, own in notes if own],
        chart=_plot(results),
        seconds=_seconds,
    )


def _seconds(value: float | None) -> str:
    """Write seconds with three digits, and never as a power of ten."""
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}" if value >= 0.001 else f"{value:.4f}"


def _plot(results: Sequence[Measured]) -> str:
    """Draw each game's speed-up here over its speed-up in the paper, both on a log scale."""
    found = sorted(
        ((m.speed_up, m.row.speed_up, m.row.game) for m in results if m.speed_up), reverse=True
    )
    if not found:
        return ""
    points = Series("", [(p, h) for h, p, _ in found], "points", [name for _, _, name in found])
    axes = (Axis(f"O / X_P {where}", 0.08, 12, is_log=True) for where in ("in the paper", "here"))
    chart = line_chart([points], *axes, title="", size=(520, 520), is_square=True)
    return svg_chart(chart)
