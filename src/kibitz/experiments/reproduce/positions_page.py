"""What was measured for paper 003's tables in, one HTML page out."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from kibitz.experiments.reproduce.positions import DEPTHS, Printed, TableCell, Tables, summary_rows
from kibitz.puzzles import Variant

__all__ = ["positions_html"]

_STYLE = """
:root { color-scheme: light }
body { font: 15px/1.5 system-ui, sans-serif; color: #1f2328; margin: 2rem auto; max-width: 82rem;
  padding: 0 1.25rem }
h1 { line-height: 1.2 }
h2 { margin: 2.5rem 0 .5rem }
p { max-width: 48rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums }
th, td { padding: .22rem .6rem; text-align: right; border-bottom: 1px solid #e3e6ea;
  white-space: nowrap }
thead th { border-bottom: 1px solid #8a929a; vertical-align: bottom }
thead th[colspan] { text-align: center; border-bottom-color: #e3e6ea }
thead th.name { vertical-align: bottom }
sup { line-height: 0; font-size: .75em }
td.name, th.name { text-align: left; vertical-align: top }
tr.board > td { border-top: 2px solid #8a929a }
.k { border-left: 1px solid #c3c9d0 }
.paper { color: #59636e }
.far { background: #fdebd9 }
.same { color: #007a5a }
.key span { padding: 0 .35rem }
"""


def positions_html(tables: Tables) -> str:
    """Write Tables 1 to 7: the paper's counts, exact ones, and those of thirty plays.

    >>> positions_html(Tables((), ())).startswith("<!DOCTYPE html>")
    True
    """
    explained, numbers = tables.agreement()
    left_out = "".join(f"<li>{escape(reason)}</li>" for reason in tables.left_out)
    parts = []
    titles = {1: "CONNECT", 2: "Bottom-2", 3: "Tic-Tac-Toe"}
    for table, other in ((1, 3), (2, 3), (3, 3), (4, 2), (5, 2), (6, 2)):
        rows = [pair for pair in tables.rows if pair[0].table == (table - 1) % 3 + 1]
        if rows:
            title = f"Table {table}: {titles[(table - 1) % 3 + 1]} against depth {other}"
            parts.append(f"<h2>{title}</h2>{_table(rows, other, tables)}")
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Start positions: paper 003, Tables 1 to 7</title><style>{_STYLE}</style></head><body>
<h1>Start positions of any hardness: paper 003, Tables 1 to 7</h1>
<p>Medium and hard positions (M / H) among those that the first player wins in j more rounds, for a
player of depth k<sub>1</sub>. <b>exact</b> counts all positions by their true chances;
<b>30 plays</b> repeats the paper's procedure with a seed; <b>paper</b> is what it prints, for all
positions, for 5,000 drawn at random (Rand), or for the hundred that looked hardest (B100).</p>
<p class="key">Of {numbers} printed numbers {explained} lie within three standard deviations of what
thirty plays of each position give on average; <span class="far">the others</span> are marked.</p>
{"".join(parts)}
{_summary(tables)}
{f"<h2>Left out</h2><ul>{left_out}</ul>" if left_out else ""}
</body></html>
"""


def _table(rows: Sequence[tuple[Printed, Variant]], other: int, tables: Tables) -> str:
    cells = {
        (cell.row.game, cell.row.rounds, cell.own): cell
        for cell in tables.cells()
        if cell.other == other
    }
    depths = DEPTHS[:3]
    head = "".join(f'<th colspan="3" class="k">k<sub>1</sub> = {k}</th>' for k in depths)
    kinds = '<th class="k">exact</th><th>30 plays</th><th>paper</th>' * len(depths)
    body = []
    before = None
    boards = list(dict.fromkeys((row.label, row.board) for row, _ in rows))
    for row, variant in sorted(
        rows, key=lambda pair: (boards.index((pair[0].label, pair[0].board)), pair[0].rounds)
    ):
        group = (row.label, row.board, row.rounds)
        start = ' class="board"' if before not in (None, group) else ""
        before = group
        ours = variant.winning[row.rounds] if row.rounds < len(variant.winning) else 0
        body.append(
            f'<tr{start}><td class="name">{row.label} {row.board}</td><td>{row.rounds}</td>'
            f'<td class="name">{row.lines}</td><td>{variant.states:,}</td>'
            f'<td class="paper">{_power(row.states)}</td><td>{ours:,}</td>'
            f'<td class="paper{_same(ours, row.positions)}">{_short(row.positions)}</td>'
            f'<td class="paper">{row.sampling}</td>'
            + "".join(
                _cells(variant, row, k, other, cells.get((row.game, row.rounds, k))) for k in depths
            )
            + f"<td>{variant.seconds:.1f}</td></tr>"
        )
    return f"""<div class="wide"><table><thead>
<tr><th rowspan="2" class="name">game</th><th rowspan="2">j</th><th rowspan="2" class="name">lines
</th><th colspan="2">states</th><th colspan="2">|W<sub>j</sub>|</th><th rowspan="2">sample</th>
{head}<th rowspan="2">seconds</th></tr>
<tr><th>ours</th><th>paper</th><th>ours</th><th>paper</th>{kinds}</tr></thead>
<tbody>{"".join(body)}</tbody></table></div>"""


def _cells(variant: Variant, row: Printed, own: int, other: int, cell: TableCell | None) -> str:
    classes = next(
        c for c in variant.classes if (c.rounds, c.own, c.other) == (row.rounds, own, other)
    )
    if not classes.positions and cell is None:
        return '<td class="k"></td><td></td><td></td>'
    sampled = "" if classes.sampled is None else _pair(classes.sampled[1:])
    return f'<td class="k">{_pair(classes.exact[1:])}</td><td>{sampled}</td>{_printed(cell)}'


def _printed(cell: TableCell | None) -> str:
    if cell is None:
        return '<td class="paper"></td>'
    means = " / ".join(f"{mean:.1f}" for mean, _ in cell.expected)
    mark = "" if all(cell.agrees) else " far"
    return f'<td class="paper{mark}" title="expected {means}">{_pair(cell.paper)}</td>'


def _pair(counts: Sequence[int]) -> str:
    return f"{counts[0]:,} / {counts[1]:,}"


def _same(ours: int, printed: float) -> str:
    return " same" if ours == printed else ""


def _short(positions: float) -> str:
    return _power(positions) if positions >= 1e5 else f"{positions:,.0f}"


def _power(number: float) -> str:
    digits, _, exponent = f"{number:.1e}".partition("e")
    return f"{digits}·10<sup>{int(exponent)}</sup>"


def _summary(tables: Tables) -> str:
    """Write Table 7: which variants have positions that become easy at depth 1, 2, 3, 4 only."""
    labels = list(dict.fromkeys(row.label for row, _ in tables.rows))
    if not labels:
        return ""
    body = []
    for label, printed in summary_rows():
        if label not in labels:
            continue
        cells = []
        for category in range(1, 5):
            found = [
                f"{row.board} {row.lines} j={row.rounds}: {counts[category - 1]:,}"
                for row, variant in tables.rows
                if row.label == label
                and (counts := dict(variant.categories).get(row.rounds))
                and counts[category - 1]
            ]
            cells.append(
                f'<td class="name k">{"<br>".join(found) or "none"}</td>'
                f'<td class="name paper">{escape(printed[category - 1]) or "none"}</td>'
            )
        body.append(f'<tr class="board"><td class="name">{label}</td>{"".join(cells)}</tr>')
    head = "".join(f'<th colspan="2" class="name k">category {n}</th>' for n in range(1, 5))
    kinds = '<th class="name k">ours, exact</th><th class="name">paper</th>' * 4
    return f"""<h2>Table 7: who needs which depth</h2>
<p>A position is of category i if it is easy for depth i and for none below, against depth 3.</p>
<div class="wide"><table><thead><tr><th rowspan="2" class="name">game
</th>{head}</tr><tr>{kinds}</tr></thead><tbody>{"".join(body)}</tbody></table></div>"""
