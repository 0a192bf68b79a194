"""What was measured for paper 002's Table 1 in, one HTML page with a plot out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import log10

from kibitz.experiments.reproduce.frame import Measured

__all__ = ["frame_html"]

_STYLE = """
:root { --ink: #1c2733; --soft: #5b6875; --line: #dfe4e9; --band: #f4f6f8; --good: #0b6e4f;
        --accent: #2a6fb0 }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); margin: 2rem auto;
       max-width: 84rem; padding: 0 1.25rem }
h1 { font-size: 1.5rem; margin: 0 0 .5rem } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
p { max-width: 46rem } .soft { color: var(--soft) }
figure { margin: 1.5rem 0; max-width: 46rem } svg { width: 100%; height: auto }
svg text { font: 11px system-ui, sans-serif; fill: var(--ink) } svg text.tick { fill: var(--soft) }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px }
th, td { padding: .25rem .55rem; text-align: right; white-space: nowrap;
         border-bottom: 1px solid var(--line) }
thead th { font-weight: 600; color: var(--soft); vertical-align: bottom; background: #fff }
thead tr:first-child th[colspan] { text-align: center; border-bottom: 2px solid var(--line) }
th.name, td.name { text-align: left; font-weight: 500; position: sticky; left: 0;
                   background: inherit }
tbody tr { background: #fff } tbody tr:nth-child(even) { background: var(--band) }
.group { border-left: 2px solid var(--line) }
.best { font-weight: 700 } .twice { color: var(--good); font-weight: 700 }
li { max-width: 60rem; color: var(--soft) }
"""

_ENCODINGS = ("original", "direct", "pruned")
_SHORT = {"original": "O", "direct": "X<sub>D</sub>", "pruned": "X<sub>P</sub>"}
_VERSIONS = {"other": "‡", "not settled": "?"}


def frame_html(results: Sequence[Measured], skipped: Sequence[str] = ()) -> str:
    """Write the table, ours beside the paper's, and a plot of the speed-ups.

    >>> frame_html([]).startswith("<!DOCTYPE html>")
    True
    """
    rows = "\n".join(map(_row, results))
    left_out = "".join(f"<li>{escape(reason)}</li>" for reason in skipped)
    # That a search is less deep than the paper's shows in the two columns of depths.
    told = [(m, [n for n in m.notes if not n.startswith("depth ")]) for m in results]
    notes = "".join(
        f"<li>{escape(m.row.game)}: {escape('; '.join(own))}</li>" for m, own in told if own
    )
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Frame rules: paper 002, Table 1</title><style>{_STYLE}</style></head><body>
<h1>The inferential frame problem: paper 002, Table 1</h1>
<p>CPU-seconds for a search to depth d that meets every joint-move successor, terminal states
included. O: the rules as written; X<sub>D</sub> and X<sub>P</sub>: translated with the direct and
the pruned covering. All run on the evaluator without grounding; <i>compiled</i> is the engine on
gates. The paper's seconds are those of FluxPlayer on its authors' machine, so only ratios
compare.</p>
<p class="soft">Bold: the fastest encoding. Green: at least twice as fast as O. *: answers that
rest on nothing that changed are kept from state to state. ‡: the paper had another version of the
rule sheet; ?: it may have had one. In the column <i>portfolio</i>: the encoding that a trial of
half a second takes, and its seconds divided by the best.</p>
{_summary(results)}
{_plot(results)}
<div class="wide"><table><thead>
<tr><th rowspan="2" class="name">game</th><th rowspan="2">d</th><th rowspan="2">states</th>
<th colspan="4" class="group">here</th><th colspan="2" class="group">translation</th>
<th colspan="2" class="group">portfolio</th><th colspan="2" class="group">compiled</th>
<th colspan="5" class="group">paper</th></tr>
<tr><th class="group">O</th><th>X<sub>D</sub></th><th>X<sub>P</sub></th><th>O/X<sub>P</sub></th>
<th class="group">s</th><th>joint moves</th><th class="group">takes</th><th>to best</th>
<th class="group">O</th><th>X<sub>P</sub></th><th class="group">d</th><th>O</th>
<th>X<sub>D</sub></th><th>X<sub>P</sub></th><th>O/X<sub>P</sub></th></tr>
</thead><tbody>
{rows}
</tbody></table></div>
{f"<h2>Notes</h2><ul>{notes}</ul>" if notes else ""}
{f"<h2>Left out</h2><ul>{left_out}</ul>" if left_out else ""}
</body></html>
"""


def _summary(results: Sequence[Measured]) -> str:
    """Say in one sentence how often the translation is twice as fast, and the portfolio right."""
    ratios = [m for m in results if m.speed_up]
    if not ratios:
        return ""
    paper = [m for m in ratios if m.row.speed_up >= 2]
    reached = [m for m in paper if (m.speed_up or 0) >= 2]
    twice = [m for m in ratios if (m.speed_up or 0) >= 2]
    near = [m for m in ratios if m.chosen_over_best <= 1.1]
    return (
        f"<p>X<sub>P</sub> is at least twice as fast as O in {len(twice)} of {len(ratios)} games, "
        f"and in {len(reached)} of the {len(paper)} of these in which the paper found that. The "
        f"portfolio is within 10&nbsp;% of the best in {len(near)} of {len(ratios)}.</p>"
    )


def _row(m: Measured) -> str:
    return f"<tr>{''.join(_cells(m))}</tr>"


def _cells(m: Measured) -> Iterator[str]:
    row = m.row
    mark = _VERSIONS.get(row.version, "")
    yield _cell(escape(row.game) + mark, "name")
    yield _cell(str(m.depth))
    yield _cell(f"{m.states:,}")
    best = min(m.seconds, key=lambda name: m.seconds[name])
    for name in _ENCODINGS:
        text = _seconds(m.seconds.get(name)) + ("*" if name in m.keeps else "")
        yield _cell(text, "group" * (name == "original"), "best" * (name == best))
    yield _cell(_ratio(m.speed_up), "twice" * ((m.speed_up or 0) >= 2))
    yield _cell(_seconds(m.translation_s.get("pruned")), "group")
    yield _cell(f"{m.joint_moves_before:,} → {m.joint_moves:,}" if m.joint_moves else "")
    yield _cell(_SHORT[m.chosen], "group")
    yield _cell(_ratio(m.chosen_over_best))
    yield _cell(_seconds(m.compiled_s.get("original")), "group")
    yield _cell(_seconds(m.compiled_s.get("pruned")))
    yield _cell(str(row.depth), "group")
    for seconds in (row.original_s, row.direct_s, row.pruned_s):
        yield _cell(_seconds(seconds))
    yield _cell(_ratio(row.speed_up), "twice" * (row.speed_up >= 2))


def _cell(text: str, *classes: str) -> str:
    named = " ".join(filter(None, classes))
    return f'<td class="{named}">{text}</td>' if named else f"<td>{text}</td>"


def _seconds(value: float | None) -> str:
    """Write seconds with three digits, and never as a power of ten."""
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}" if value >= 0.001 else f"{value:.4f}"


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


_SIZE, _MARGIN = 520, 56
_LOW, _HIGH = log10(0.08), log10(12)


def _place(value: float) -> float:
    return (log10(min(11.9, max(0.081, value))) - _LOW) / (_HIGH - _LOW) * _SIZE


def _plot(results: Sequence[Measured]) -> str:
    """Draw each game's speed-up here over its speed-up in the paper, both on a log scale."""
    points = [(m.row.game, m.row.speed_up, m.speed_up) for m in results if m.speed_up]
    if not points:
        return ""
    parts = [_grid()]
    labels: list[tuple[float, float]] = []
    for name, paper, here in sorted(points, key=lambda p: -(p[2] or 0)):
        x, y = _MARGIN + _place(paper), _MARGIN + _SIZE - _place(here or 1.0)
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#2a6fb0" fill-opacity=".75"><title>'
            f"{escape(name)}: paper {paper:.2f}, here {here:.2f}</title></circle>"
        )
        # A label that would lie on another one is left to the tooltip.
        if all(abs(y - b) > 11 or abs(x - a) > 95 for a, b in labels):
            labels.append((x, y))
            parts.append(f'<text x="{x + 7:.1f}" y="{y + 4:.1f}">{escape(name)}</text>')
    middle = _MARGIN + _SIZE / 2
    return (
        f'<figure><svg viewBox="0 0 {_SIZE + 3.5 * _MARGIN} {_SIZE + 2 * _MARGIN}" role="img" '
        f'aria-label="speed-up here over speed-up in the paper">{"".join(parts)}'
        f'<text x="{middle}" y="{_SIZE + 2 * _MARGIN - 12}" text-anchor="middle">O / X_P in the '
        f'paper</text><text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">'
        "O / X_P here</text></svg><figcaption class='soft'>How many times faster the pruned "
        "translation is than the original; above the diagonal the gain is larger here."
        "</figcaption></figure>"
    )


def _grid() -> str:
    """Draw lines at round ratios, stronger at 1, and the diagonal."""
    parts = []
    for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10):
        at = _place(tick)
        color = "#8b97a3" if tick == 1 else "#dfe4e9"
        parts.append(
            f'<path d="M{_MARGIN + at:.1f} {_MARGIN}V{_MARGIN + _SIZE}M{_MARGIN} '
            f'{_MARGIN + _SIZE - at:.1f}H{_MARGIN + _SIZE}" stroke="{color}"/>'
            f'<text class="tick" x="{_MARGIN + at:.1f}" y="{_MARGIN + _SIZE + 16}" '
            f'text-anchor="middle">{tick:g}</text><text class="tick" x="{_MARGIN - 7}" '
            f'y="{_MARGIN + _SIZE - at + 4:.1f}" text-anchor="end">{tick:g}</text>'
        )
    parts.append(
        f'<path d="M{_MARGIN} {_MARGIN + _SIZE}L{_MARGIN + _SIZE} {_MARGIN}" stroke="#8b97a3" '
        'stroke-dasharray="3 4"/>'
    )
    return "".join(parts)
