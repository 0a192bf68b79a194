"""What was measured for paper 002's Table 1 in, one page with a plot out."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.charts import Axis, Series, line_chart, svg_chart
from kibitz.experiments.reproduce.frame import Measured
from kibitz.pages import write_page

__all__ = ["frame_html"]


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
