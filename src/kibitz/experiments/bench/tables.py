"""Write figures as tables in Markdown, which also read well as plain text, or for programs."""

from __future__ import annotations

import math
import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from kibitz.experiments.bench.figures import Failure, Figures, geometric_mean


def as_tables(results: Sequence[Figures | Failure]) -> str:
    """Return the tables that have anything to show, and the means below the first."""
    figures = _figures_of(results)
    if not figures:
        return "nothing was measured"
    compared = [f for f in figures if f.yardstick and f.yardstick.perft_agrees]
    known = [f for f in figures if f.reference]
    parts = [describe_machine(), _speed(figures)]
    if known:
        parts.append(_means(known))
    if compared:
        parts.append(_yardsticks(compared))
    parts.append(_set_up(figures))
    if known:
        parts.append(_others(known))
    return "\n\n".join(parts)


def as_json_value(results: Sequence[Figures | Failure]) -> dict[str, Any]:
    """Return everything measured, with its ratios, as plain data."""
    figures = _figures_of(results)
    known = [f for f in figures if f.reference]
    names = ("playouts_to_sancho", "perft_to_sancho")
    means = dict(zip(names, _mean_ratios(known), strict=True)) if known else None
    return {
        "machine": describe_machine(),
        "games": [msgspec.to_builtins(f) | {"ratios": _ratios(f)} for f in figures],
        "failures": [msgspec.to_builtins(r) for r in results if isinstance(r, Failure)],
        "geometric_means": means,
    }


def _figures_of(results: Sequence[Figures | Failure]) -> list[Figures]:
    return [result for result in results if isinstance(result, Figures)]


def _ratios(figures: Figures) -> dict[str, float | None]:
    hand = figures.yardstick if figures.yardstick and figures.yardstick.perft_agrees else None
    return {
        "playouts_to_sancho": figures.playouts_to_sancho,
        "perft_to_sancho": figures.perft_to_sancho,
        "playouts_to_yardstick": figures.playouts.per_cpu_second / hand.playouts if hand else None,
        "perft_to_yardstick": figures.perft.per_cpu_second / hand.perft if hand else None,
        "perft_made_per_cpu_second": figures.perft_made_per_cpu_second,
        "playouts_all_threads": figures.playouts.speed_up,
        "perft_all_threads": figures.perft.speed_up,
    }


def _mean_ratios(known: Sequence[Figures]) -> tuple[float, float]:
    return (
        geometric_mean(f.playouts_to_sancho or math.nan for f in known),
        geometric_mean(f.perft_to_sancho or math.nan for f in known),
    )


def _speed(figures: Sequence[Figures]) -> str:
    head = [
        "game",
        "playouts M/s",
        "to Sancho",
        "threads",
        "perft M/s",
        "made M/s",
        "to Sancho",
        "threads",
    ]
    rows = [
        [
            _name(f),
            millions(f.playouts.per_cpu_second),
            times(f.playouts_to_sancho),
            times(f.playouts.speed_up),
            millions(f.perft.per_cpu_second),
            millions(f.perft_made_per_cpu_second),
            times(f.perft_to_sancho),
            times(f.perft.speed_up),
        ]
        for f in figures
    ]
    return table(head, rows)


def _means(known: Sequence[Figures]) -> str:
    playouts, perft = _mean_ratios(known)
    return (
        f"Geometric means over {len(known)} games: playouts make {playouts:,.0f} times, and perft "
        f"makes {perft:,.0f} times as many states per CPU-second as Sancho's playouts."
    )


def _yardsticks(figures: Sequence[Figures]) -> str:
    head = ["game", "playouts M/s", "by hand", "ratio", "in numpy", "perft M/s", "by hand", "ratio"]
    rows = [
        [
            _name(f),
            millions(f.playouts.per_cpu_second),
            millions(y.playouts),
            times(f.playouts.per_cpu_second / y.playouts),
            millions(y.numpy_playouts),
            millions(f.perft.per_cpu_second),
            millions(y.perft),
            times(f.perft.per_cpu_second / y.perft),
        ]
        for f in figures
        if (y := f.yardstick)
    ]
    return table(head, rows)


def _set_up(figures: Sequence[Figures]) -> str:
    head = ["game", "gates", "bytes a state", "runs as", "set-up s", "warm s", "depth", "peak MB"]
    rows = [
        [
            _name(f),
            f"{f.size.gates:,}" if f.size else "-",
            str(f.size.state_bytes) if f.size else "-",
            f.machine,
            f"{f.setup_cold_s:.2f}",
            f"{f.setup_warm_s:.2f}",
            str(f.perft_depth),
            f"{max(f.playouts_peak_bytes, f.perft_peak_bytes) / 1e6:.0f}",
        ]
        for f in figures
    ]
    return table(head, rows)


def _others(figures: Sequence[Figures]) -> str:
    head = ["playouts, states/s", "Kibitz", "ggp-base prover", "its network", "HSFC", "Sancho"]
    rows = [
        [_name(f), *map(_short, (f.playouts.per_cpu_second, r.prover, r.network, r.hsfc, r.sancho))]
        for f in figures
        if (r := f.reference)
    ]
    return table(head, rows)


def _name(figures: Figures) -> str:
    path = Path(figures.game)
    return path.stem if path.suffix else figures.game


def millions(rate: float) -> str:
    """Write a number in millions, to three digits."""
    return f"{rate / 1e6:,.0f}" if rate >= 1e7 else f"{rate / 1e6:.3g}"


def times(ratio: float | None) -> str:
    """Write a ratio, or a dash where there is none."""
    if ratio is None:
        return "-"
    return f"{ratio:,.0f}x" if ratio >= 20 else f"{ratio:.2f}x"


def _short(rate: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g} {letter}"
    return f"{rate:.3g}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table in Markdown, its columns aligned; all but the first to the right."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    lines = [
        "| " + " | ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) + " |"
        for row in (head, rule, *rows)
    ]
    return "\n".join(lines)


def describe_machine() -> str:
    """Name the processor, how many cores of it there are, and Python's version."""
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            name = next((li.partition(":")[2].strip() for li in lines if "model name" in li), name)
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}"
