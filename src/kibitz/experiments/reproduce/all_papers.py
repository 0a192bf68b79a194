"""Measure all five papers again, and write one page."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from kibitz.budget import Budget, run_within
from kibitz.engine import CompiledGame
from kibitz.errors import KibitzError
from kibitz.experiments.reproduce import fft, frame, learning, positions
from kibitz.experiments.reproduce.claims import CLAIMS, DIFFERENCES, TITLES
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.pages import plain_markdown, write_page
from kibitz.reading import read_bytes
from kibitz.solve import spread
from kibitz.space import Limits, explore

Progress = Callable[[str], None]
Part = Callable[[float], Iterator["PaperTable"]]
"""Measures until a time; yields its tables at once and fills them later."""


@dataclass(slots=True)
class PaperTable:
    """A table: what it is called, its columns and its rows, and which rows were left out.

    `command` measures it alone; `remark` says what its figures leave open.
    """

    name: str
    columns: tuple[str, ...]
    command: str
    remark: str = ""
    rows: list[tuple[str, ...]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Paper:
    """A paper: its tables, and what in them differs from what is printed, and why."""

    number: str
    title: str
    tables: list[PaperTable]
    differs: tuple[str, ...]


@dataclass(slots=True)
class Whole:
    """All papers, where and when they were measured."""

    papers: list[Paper]
    machine: str
    date: str
    seconds: float
    was_interrupted: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self)


def reproduce_all(
    *,
    seconds: float = 600.0,
    quick: bool = False,
    rules: Path | None = None,
    only: Sequence[str] = (),
    progress: Progress | None = None,
    cluster: str | None = None,
) -> Whole:
    """Measure every table within a time, the smallest games first; an interrupt leaves the rest.

    `rules` is a folder with the rule sheets of paper 002, whose library games are taken otherwise.
    On a cluster each paper is a task, and has all of the time.

    >>> found = reproduce_all(seconds=0, quick=True, only=["002"])
    >>> [paper.number for paper in found.papers], found.papers[0].tables[0].rows
    (['002'], [])
    """
    begin = time.perf_counter()
    show = progress or (lambda _message: None)
    numbers = [number for number in TITLES if not only or number in only]
    if cluster is not None:
        tasks = [_PaperTask(number, seconds, quick, rules) for number in numbers]
        done = spread(_measure_paper, tasks, cluster=cluster)
        return Whole(
            [paper for whole in done for paper in whole.papers],
            _machine(),
            datetime.now(UTC).strftime("%Y-%m-%d"),
            time.perf_counter() - begin,
        )
    papers = [Paper(n, TITLES[n], [], tuple(DIFFERENCES.get(n, ()))) for n in numbers]
    parts: list[tuple[Paper, float, Part]] = []
    for paper in papers:
        if any(claim.paper == paper.number for claim in CLAIMS):
            parts.append((paper, 0.05, partial(_claims, paper.number, show)))
        if paper.number == "000":
            parts.append((paper, 0.2, partial(_lists, quick, show)))
        elif paper.number == "002":
            parts.append((paper, 0.25, partial(_frame, quick, rules, show)))
        elif paper.number == "003":
            parts.append((paper, 0.25, partial(_positions, quick, show)))
        elif paper.number == "004":
            parts.append((paper, 0.2, partial(_learning, quick, show)))
    interrupted = False
    try:
        for index, (paper, share, run) in enumerate(parts):
            left = seconds - (time.perf_counter() - begin)
            rest = sum(other for _, other, _ in parts[index:])
            for table in run(time.perf_counter() + left * share / rest):
                if table not in paper.tables:
                    paper.tables.append(table)
    except KeyboardInterrupt:
        interrupted = True
    return Whole(
        papers,
        _machine(),
        datetime.now(UTC).strftime("%Y-%m-%d"),
        time.perf_counter() - begin,
        interrupted,
    )


@dataclass(frozen=True, slots=True)
class _PaperTask:
    number: str
    seconds: float
    quick: bool
    rules: Path | None


def _measure_paper(task: _PaperTask) -> Whole:
    return reproduce_all(
        seconds=task.seconds, quick=task.quick, rules=task.rules, only=[task.number]
    )


def _claims(paper: str, progress: Progress, _end: float) -> Iterator[PaperTable]:
    columns = ("claim", "printed", "found", "holds as printed", "why not")
    table = PaperTable("Claims", columns, f"kibitz reproduce all {paper}")
    yield table
    for claim in CLAIMS:
        if claim.paper != paper:
            continue
        progress(f"paper {paper}, {claim.where}")
        found = claim.check()
        why = "" if found.holds else claim.why
        table.rows.append((claim.where, claim.printed, found.text, _yes(found.holds), why))


_SIZES = (("tictactoe", 4520), ("nim:1,2,4,5", 342), ("sim", 1350022))


def _sizes() -> PaperTable:
    """Count the states of Table II, which are those that are not terminal."""
    columns = ("game", "|S|", "|S|, ours")
    table = PaperTable("Table II: states", columns, "kibitz reproduce all 000")
    for name, printed in _SIZES:
        space = explore(CompiledGame(load_sheet(name)))
        ours = len(space) - int(space.terminal.sum())
        table.rows.append((name, f"{printed:,}", f"{ours:,}"))
    return table


def _lists(quick: bool, progress: Progress, end: float) -> Iterator[PaperTable]:
    columns = ("row", "game, role", "rules", "literals", "seconds", "rules, ours", "literals, ours",
               "at least", "seconds, ours", "remark")  # fmt: skip
    yield _sizes()
    table = PaperTable(
        "Table II, and more games: rule lists", columns, "kibitz reproduce fft --seeds 1"
    )
    yield table
    printed = [row for row in fft.ROWS if row.paper_rules is not None]
    rows = printed if quick else [*printed, *(r for r in fft.ROWS if r not in printed)]
    for place, row in enumerate(rows):
        left = end - time.perf_counter()
        if left < 1 and place:
            table.left_out.append(f"{row.key}: no time")
            continue
        progress(f"paper 000, {row.key}")
        share = min(row.seconds, max(1.0, left / (len(rows) - place)))
        try:
            best = fft.measure_lists(row, [0], seconds=2.0 if quick else share).best
        except KibitzError as error:
            table.left_out.append(f"{row.key}: {error.message}")
            continue
        table.rows.append(
            (
                row.key,
                f"{row.game}, {row.role}",
                _or_dash(row.paper_rules),
                _or_dash(row.paper_literals),
                "–" if row.paper_seconds is None else f"{row.paper_seconds:,.4g}",
                str(len(best.rules)),
                str(best.literals),
                str(best.lower_bound),
                f"{best.seconds:.1f}",
                row.remark,
            )
        )


def _frame(
    quick: bool, folder: Path | None, progress: Progress, end: float
) -> Iterator[PaperTable]:
    columns = ("game", "depth", "thousand states", "O", "X_D", "X_P", "O / X_P", "depth, ours",
               "thousand states, ours", "O, ours", "X_D, ours", "X_P, ours",
               "O / X_P, ours")  # fmt: skip
    command = "kibitz reproduce frame --seconds 1 --no-compiled" + " --rules DIR" * bool(folder)
    name = "Table 1: seconds of a search, with and without frame rules"
    table = PaperTable(name, columns, command)
    yield table
    for row, source in frame.rows_at_hand(folder):
        if time.perf_counter() > end:
            table.left_out.append(f"{row.game}: no time")
            continue
        progress(f"paper 002, {row.game}")
        spend = 0.1 if quick else 1.0
        try:
            sheet = load_sheet(source) if folder is None else read(read_bytes(source), name=source)
            m = run_within(
                Budget(20 * spend + 60, 4_000_000_000),
                partial(frame.measure_row, row, sheet, seconds=spend, compiled=False),
                doing=row.game,
            )
        except KibitzError as error:
            table.left_out.append(f"{row.game}: {error.message}")
            continue
        ours = [m.seconds.get(name) for name in ("original", "direct", "pruned")]
        table.rows.append(
            (
                row.game,
                str(row.depth),
                f"{row.kstates:g}",
                f"{row.original_s:g}",
                "–" if row.direct_s is None else f"{row.direct_s:g}",
                f"{row.pruned_s:g}",
                f"{row.speed_up:.2f}",
                str(m.depth),
                f"{m.states / 1000:,.1f}",
                *("–" if s is None else f"{s:.3f}" for s in ours),
                "–" if m.speed_up is None else f"{m.speed_up:.2f}",
            )
        )


_SAMPLINGS = {"All": "all", "Rand": "5,000 drawn", "B100": "100 chosen", "": "–"}
_TRIED = (
    "The paper tried the positions of the column “tried”; ours are counts of all. Where it tried "
    "the 100 that looked hardest, its counts are of these 100 and compare with no other column."
)


def _positions(quick: bool, progress: Progress, end: float) -> Iterator[PaperTable]:
    depths = [f"M/H k1={k}{of}" for k in (1, 2, 3) for of in ("", ", exact", ", 30 plays")]
    columns = ("game", "j", "states", "states, ours", "|W_j|", "|W_j|, ours", "tried", *depths)
    kinds = ("CONNECT", "Bottom-2", "Tic-Tac-Toe")
    command = "kibitz reproduce positions"
    tables = {
        (table, other): PaperTable(
            f"Table {table + more}: {kind} against depth {other}", columns, command, _TRIED
        )
        for other, more in ((3, 0), (2, 3))
        for table, kind in enumerate(kinds, start=1)
    }
    counted = ("easy from depth 1", "2", "3", "4 on", "not even then")
    summary = PaperTable("Table 7, as measured: positions by the depth that makes them easy",
                    ("game", "j", *(f"{name}, ours" for name in counted)), command,
                    "Easy from depth d: easy there and at every greater depth that is measured, "
                    "but not at the depth before.")  # fmt: skip
    printed = PaperTable(
        "Table 7, as printed", ("games", *(f"category {n}" for n in range(1, 5))), command
    )
    printed.rows += [(label, *(c or "none" for c in cells)) for label, cells in
                     positions.summary_rows()]  # fmt: skip
    yield from tables.values()
    yield printed
    yield summary
    known = positions.printed_rows()
    most = 1e5 if quick else 5e7
    games = dict.fromkeys(row.game for row in sorted(known, key=lambda row: row.states))
    for name in games:
        rows = [row for row in known if row.game == name]
        if rows[0].states > most or time.perf_counter() > end:
            why = "left to `reproduce positions --large`" if rows[0].is_large else "no time"
            summary.left_out.append(f"{name}: {why}")
            continue
        progress(f"paper 003, {name}")
        limits = Limits(seconds=max(5.0, end - time.perf_counter()), bytes=6_000_000_000)
        found = positions.measure_tables(rows, limits=limits)
        if found.was_interrupted:
            raise KeyboardInterrupt
        summary.left_out += found.left_out
        for row, variant in found.rows:
            for other in (3, 2):
                tables[row.table, other].rows.append(_position_row(row, variant, other))
            counts = dict(variant.categories).get(row.rounds, ())
            summary.rows.append((name, str(row.rounds), *map(str, counts)))


def _position_row(row: positions.Printed, variant: Any, other: int) -> tuple[str, ...]:
    ours = variant.winning[row.rounds] if row.rounds < len(variant.winning) else 0
    cells: list[str] = []
    printed = row.against.get(other, ())
    for own in (1, 2, 3):
        classes = next(
            c for c in variant.classes if (c.rounds, c.own, c.other) == (row.rounds, own, other)
        )
        theirs = printed[own - 1] if own <= len(printed) else None
        cells.append("–" if theirs is None else f"{theirs[0]}/{theirs[1]}")
        cells.append(f"{classes.exact[1]}/{classes.exact[2]}")
        cells.append(
            "–" if classes.sampled is None else f"{classes.sampled[1]}/{classes.sampled[2]}"
        )
    return (
        row.game,
        str(row.rounds),
        f"{row.states:.1e}",
        f"{variant.states:,}",
        f"{row.positions:,.0f}",
        f"{ours:,}",
        _SAMPLINGS[row.sampling],
        *cells,
    )


_MASKED = "Trees with rules alone: " + "; ".join(
    f"`kibitz learn tree {game} --instance S --method pruned --rules --mask "
    f"{learning.mask_text(game)}`"
    for game in ("nim", "tictactoe")
)


def _learning(quick: bool, progress: Progress, end: float) -> Iterator[PaperTable]:
    command = "kibitz reproduce learning --matches 100 --no-generalise"
    nodes = PaperTable("Tables 1 and 2: nodes of game trees; Figure 19: seconds",
                  ("game", "instance", "approach", "nodes", "nodes, ours",
                   "seconds, ours"), command, _MASKED)  # fmt: skip
    wins = PaperTable("Figure 20: wins against random on the classical start",
                 ("game", "instance", "approach", "won of 300", "won, ours", "drawn, ours",
                  "lost, ours", "matches"), command)  # fmt: skip
    yield nodes
    yield wins
    matches = 20 if quick else 100
    for size in ("S",) if quick else ("S", "M", "L"):
        for game in ("nim", "tictactoe"):
            for approach in learning.APPROACHES:
                if time.perf_counter() > end:
                    wins.left_out.append(f"{game} {size} {approach}: no time")
                    continue
                progress(f"paper 004, {game} {size} {approach}")
                budget = Budget(max(10.0, end - time.perf_counter()), 6_000_000_000)
                try:
                    row = run_within(
                        budget,
                        partial(_learn_one, game, size, approach, matches),
                        doing=f"{game} {size} {approach}",
                    )
                except KibitzError as error:
                    wins.left_out.append(error.message)
                    continue
                key = (game, size, approach)
                if row.nodes is not None:
                    nodes.rows.append(
                        (*key, _or_dash(row.paper_nodes), f"{row.nodes:,}", f"{row.seconds:.2f}")
                    )
                counts = (row.wins, row.draws, row.losses, row.matches)
                wins.rows.append((*key, _or_dash(row.paper_wins), *map(str, counts)))


def _learn_one(game: str, size: str, approach: str, matches: int) -> learning.LearningRow:
    (row,) = learning.measure_learning(
        games=(game,), sizes=(size,), approaches=(approach,), matches=matches
    )
    return row


def _or_dash(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _machine() -> str:
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            models = [line.partition(":")[2].strip() for line in lines if "model name" in line]
        name = models[0] if models else name
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}"


_LEAD = (
    "What the five papers print, and what Kibitz finds. Columns marked “ours” are measured here; "
    "the others are the paper's."
)


def to_html(whole: Whole) -> str:
    """Write one page with light and dark colours, fit to print.

    >>> to_html(Whole([], "a machine", "2026-01-01", 1.0)).startswith("<!doctype html>")
    True
    """
    return write_page("papers", whole=whole, lead=_LEAD, where=_where(whole), class_of=_class_of)


def to_markdown(whole: Whole) -> str:
    """Write the same for the documentation."""
    parts = ["# Five papers measured again", _LEAD, _where(whole) + "."]
    parts += ["Interrupted: what is not here was not measured."] * whole.was_interrupted
    for paper in whole.papers:
        parts.append(f"## Paper {paper.number}: {paper.title}")
        for table in paper.tables:
            if not table.rows and not table.left_out:
                continue
            parts.append(f"### {table.name}")
            parts.append(f"`{table.command}`." + f" {table.remark}" * bool(table.remark))
            if table.rows:
                lines = [table.columns, tuple("---" for _ in table.columns), *table.rows]
                parts.append(
                    "\n".join("| " + " | ".join(map(plain_markdown, line)) + " |" for line in lines)
                )
            if table.left_out:
                parts.append("Left out: " + plain_markdown("; ".join(table.left_out)) + ".")
        parts.append("### What differs in paper " + paper.number)
        parts.append("\n".join(f"- {note}" for note in paper.differs))
    return "\n\n".join(parts) + "\n"


def _where(whole: Whole) -> str:
    return f"Measured on {whole.date} in {whole.seconds:.0f} s: {whole.machine}"


def _is_ours(column: str) -> bool:
    return column in ("found", "holds as printed") or column.endswith(
        (", ours", ", exact", ", 30 plays")
    )


def _class_of(table: PaperTable, index: int) -> str:
    kinds = ["words"] * _is_word(table, index) + ["ours"] * _is_ours(table.columns[index])
    return " ".join(kinds)


def _is_word(table: PaperTable, index: int) -> bool:
    """Return whether a column holds words rather than figures."""
    cells = [row[index] for row in table.rows if row[index] not in ("", "–")]
    return not cells or any(not cell[0].isdigit() for cell in cells)
