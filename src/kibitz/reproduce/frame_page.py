"""What was measured for paper 002's Table 1 in, one HTML page with a plot out."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import log10

from kibitz.reproduce.frame import Measured

__all__ = ["page"]

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #ddd }
th:first-child, td:first-child, td.note { text-align: left }
td.best { font-weight: bold }
svg text { font: 11px system-ui, sans-serif }
"""


def page(results: Sequence[Measured], skipped: Sequence[str] = ()) -> str:
    """Write the table, ours beside the paper's, and a plot of the speed-ups.

    >>> page([]).startswith("<!DOCTYPE html>")
    True
    """
    rows = "\n".join(map(_row, results))
    left_out = "".join(f"<li>{escape(reason)}</li>" for reason in skipped)
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<title>Frame rules: paper 002, Table 1</title><style>{_STYLE}</style></head><body>
<h1>The inferential frame problem: paper 002, Table 1</h1>
<p>Seconds for a search to depth d that meets every joint-move successor, terminal states
included. O: the rules as written; X<sub>D</sub>, X<sub>P</sub>: translated with the direct and
the pruned covering, on the evaluator without grounding. The paper's seconds are those of
FluxPlayer on its authors' machine, so only ratios compare.</p>
{_plot(results)}
<table><thead>
<tr><th rowspan="2">game</th><th rowspan="2">d</th><th rowspan="2">states</th>
<th colspan="4">here</th><th rowspan="2">translation</th><th rowspan="2">joint moves</th>
<th rowspan="2">portfolio</th><th colspan="2">compiled</th>
<th colspan="5">paper</th><th rowspan="2">notes</th></tr>
<tr><th>O</th><th>X<sub>D</sub></th><th>X<sub>P</sub></th><th>O/X<sub>P</sub></th>
<th>O</th><th>X<sub>P</sub></th>
<th>d</th><th>O</th><th>X<sub>D</sub></th><th>X<sub>P</sub></th><th>O/X<sub>P</sub></th></tr>
</thead><tbody>
{rows}
</tbody></table>
{f"<h2>Left out</h2><ul>{left_out}</ul>" if left_out else ""}
</body></html>
"""


def _row(measured: Measured) -> str:
    row = measured.row
    best = min(measured.seconds, key=lambda name: measured.seconds[name])
    cells = [f"<td>{escape(row.game)}</td>", f"<td>{measured.depth}</td>"]
    cells.append(f"<td>{measured.states:,}</td>")
    for name in ("original", "direct", "pruned"):
        mark = ' class="best"' if name == best else ""
        cells.append(f"<td{mark}>{_seconds(measured.seconds.get(name))}</td>")
    cells.append(f"<td>{_ratio(measured.speed_up)}</td>")
    cells.append(f"<td>{_seconds(measured.translation_s.get('pruned'))}</td>")
    cells.append(f"<td>{measured.joint_moves_before} → {measured.joint_moves}</td>")
    cells.append(f"<td>{measured.chosen}, {measured.chosen_over_best:.2f} of best</td>")
    cells += [f"<td>{_seconds(measured.compiled_s.get(n))}</td>" for n in ("original", "pruned")]
    cells.append(f"<td>{row.depth}</td>")
    cells += [f"<td>{_seconds(s)}</td>" for s in (row.original_s, row.direct_s, row.pruned_s)]
    cells.append(f"<td>{_ratio(row.speed_up)}</td>")
    cells.append(f'<td class="note">{escape("; ".join(measured.notes))}</td>')
    return f"<tr>{''.join(cells)}</tr>"


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _plot(results: Sequence[Measured]) -> str:
    """Draw each game's speed-up here over its speed-up in the paper, both on a log scale."""
    points = [(m.row.game, m.row.speed_up, m.speed_up) for m in results if m.speed_up]
    if not points:
        return ""
    size, margin, low, high = 460, 50, log10(0.05), log10(20)

    def place(value: float) -> float:
        return (log10(min(19.0, max(0.06, value))) - low) / (high - low) * size

    parts = []
    for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10):
        at = place(tick)
        dash = "" if tick == 1 else ' stroke-dasharray="2 3"'
        parts.append(
            f'<path d="M{margin + at:.1f} {margin}V{margin + size}M{margin} '
            f'{margin + size - at:.1f}H{margin + size}" stroke="#bbb"{dash}/>'
            f'<text x="{margin + at:.1f}" y="{margin + size + 15}" text-anchor="middle">{tick:g}'
            f'</text><text x="{margin - 6}" y="{margin + size - at + 4:.1f}" text-anchor="end">'
            f"{tick:g}</text>"
        )
    for name, paper, here in points:
        x, y = margin + place(paper), margin + size - place(here or 1.0)
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#2a6fb0"><title>{escape(name)}: paper '
            f"{paper:.2f}, here {here:.2f}</title></circle>"
            f'<text x="{x + 6:.1f}" y="{y + 4:.1f}">{escape(name)}</text>'
        )
    middle = margin + size / 2
    return (
        f'<svg viewBox="0 0 {size + 3 * margin} {size + 2 * margin}" width="640" role="img" '
        f'aria-label="speed-up here over speed-up in the paper">{"".join(parts)}'
        f'<text x="{middle}" y="{size + 2 * margin - 12}" text-anchor="middle">O / X_P in the '
        f'paper</text><text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">'
        "O / X_P here</text></svg>"
    )
