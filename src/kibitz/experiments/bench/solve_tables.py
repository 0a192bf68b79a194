"""Write figures of solving as tables, for programs, and as a plot of how they grow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kibitz.board import Figure, in_rows
from kibitz.charts import Axis, Series, line_chart, save_chart
from kibitz.experiments.bench.figures import Failure
from kibitz.experiments.bench.solve_figures import Other, Solved
from kibitz.experiments.bench.tables import describe_machine, millions, table, times


def solving_tables(results: Sequence[Solved | Failure]) -> str:
    """Return the table of all games, and that of other means if there are any."""
    solved = [result for result in results if isinstance(result, Solved)]
    if not solved:
        return "nothing was measured"
    parts = [describe_machine(), _times(solved)]
    compared = [(s, other) for s in solved for other in (s.hand, s.peer) if other]
    if compared:
        parts.append(_compared(compared))
    return "\n\n".join(parts)


def solving_json(results: Sequence[Solved | Failure]) -> dict[str, Any]:
    """Return everything measured, with ratios, as plain data."""
    return {
        "machine": describe_machine(),
        "games": [
            msgspec.to_builtins(result)
            | {"hand_to_kibitz": _ratio(result, result.hand)}
            | {"peer_to_kibitz": _ratio(result, result.peer)}
            for result in results
            if isinstance(result, Solved)
        ],
        "failures": [msgspec.to_builtins(r) for r in results if isinstance(r, Failure)],
    }


def _ratio(solved: Solved, other: Other | None) -> dict[str, float] | None:
    """Compare the clock of exploring and solving, and the processor time of whole processes."""
    if not other or not other.agrees:
        return None
    return {
        "explored_and_solved": other.seconds / (solved.exploring_s + solved.solving_s),
        "cpu_of_everything": other.cpu_s / solved.cpu_s,
    }


def _times(solved: Sequence[Solved]) -> str:
    head = ["game", "M states", "M moves", "s", "CPU s", "explore s", "solve s"]
    head += ["peak MB", "bytes a state"]
    rows = [
        [
            s.game,
            millions(s.states),
            millions(s.moves),
            f"{s.seconds:.2f}",
            f"{s.cpu_s:.2f}",
            f"{s.exploring_s:.3f}",
            f"{s.solving_s:.3f}",
            f"{s.peak_bytes / 1e6:,.0f}",
            f"{s.kept_bytes / s.states:.{int(s.kept_bytes < 10 * s.states)}f}",
        ]
        for s in solved
    ]
    return table(head, rows)


def _compared(pairs: Sequence[tuple[Solved, Other]]) -> str:
    head = ["game", "by", "states", "s", "CPU s", "Kibitz explores and solves s", "ratio"]
    rows = [
        [
            solved.game,
            other.name,
            f"{other.states:,}" if other.agrees else f"{other.states:,} (another count or value)",
            f"{other.seconds:.3f}",
            f"{other.cpu_s:.3f}",
            f"{solved.exploring_s + solved.solving_s:.3f}",
            times(ratio["explored_and_solved"] if (ratio := _ratio(solved, other)) else None),
        ]
        for solved, other in pairs
    ]
    return table(head, rows)


def plot_growth(solved: Sequence[Solved], path: Path) -> None:
    """Draw time, and memory a state, over the number of states on logarithmic scales."""
    families: dict[str, list[Solved]] = {}
    for one in sorted(solved, key=lambda s: s.states):
        families.setdefault(_family(one), []).append(one)
    states = Axis.spanning("states", [s.states for s in solved], is_log=True)

    def chart(title: str, label: str, value: Callable[[Solved], float], is_log: bool) -> Figure:
        y = Axis.spanning(label, [value(s) for s in solved], is_log=is_log)
        lines = [
            Series(family, [(s.states, value(s)) for s in members])
            for family, members in families.items()
        ]
        return Figure(line_chart(lines, states, y, title=title), "")

    figures = [
        chart("from the start of the program", "CPU seconds", lambda s: s.cpu_s, True),
        chart("arrays in the end", "bytes a state", lambda s: s.kept_bytes / s.states, False),
    ]
    save_chart(in_rows(figures, title="How time and memory grow"), path)


def _family(solved: Solved) -> str:
    name = solved.game.partition(":")[0]
    return {"tictactoe": "mnk", "connectfour": "connect"}.get(name, name)
