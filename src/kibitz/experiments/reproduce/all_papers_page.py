"""Everything measured in, one page out, as HTML or as Markdown."""

from __future__ import annotations

from html import escape

from kibitz.experiments.reproduce.all_papers import Paper, PaperTable, Whole

__all__ = ["to_html", "to_markdown"]

_LEAD = (
    "What the five papers print, and what Kibitz finds. Columns marked “ours” are measured here; "
    "the others are the paper's."
)

_STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ground: #f6f5f2; --ink: #1f2328;
  --soft: #59636e; --line: #d9d6ce; --accent: #005f94; --good: #007a5a; --bad: #b54400;
  --ours: #eaf3f8 }
@media (prefers-color-scheme: dark) { :root { --paper: #16191d; --ground: #1d2126; --ink: #e6e6e6;
  --soft: #a3adb8; --line: #3b424a; --accent: #56b4e9; --good: #1fb58a; --bad: #ff8040;
  --ours: #1b2a35 } }
@media print { :root { color-scheme: light; --paper: #fff; --ink: #1f2328; --soft: #59636e;
  --line: #d9d6ce; --ours: #eaf3f8; --good: #007a5a; --bad: #b54400 } }
@page { size: A4 landscape; margin: 12mm }
* { box-sizing: border-box; print-color-adjust: exact }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif }
main { max-width: 80rem; margin: 0 auto; padding: 2rem 1.25rem 3rem }
h1 { font-size: 2rem; line-height: 1.15; margin: 0 0 .5rem; letter-spacing: -.02em }
h2 { font-size: 1.35rem; margin: 3rem 0 .25rem; letter-spacing: -.01em; line-height: 1.25 }
h2 small { display: block; color: var(--soft); font-size: .85rem; font-weight: 500 }
h3 { font-size: 1.02rem; margin: 1.6rem 0 .4rem }
p { max-width: 50rem; margin: .4rem 0 }
a { color: var(--accent) }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 1rem 0 }
.soft, li.out { color: var(--soft); font-size: .88rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .84rem; font-variant-numeric: tabular-nums }
th, td { padding: .28rem .6rem; text-align: right; border-bottom: 1px solid var(--line);
  vertical-align: top }
thead th { color: var(--soft); font-weight: 600; vertical-align: bottom }
td.word, th.word { text-align: left } td.word { min-width: 6rem; max-width: 26rem }
.ours { background: var(--ours) }
.yes { color: var(--good); font-weight: 600 } .no { color: var(--bad); font-weight: 600 }
ul { margin: .4rem 0; padding-left: 1.2rem } li { margin: .2rem 0; max-width: 56rem }
h2, h3 { break-after: avoid; break-inside: avoid } tr { break-inside: avoid }
"""


def to_html(whole: Whole) -> str:
    """Write one page with light and dark colours, fit to print.

    >>> to_html(Whole([], "a machine", "2026-01-01", 1.0)).startswith("<!DOCTYPE html>")
    True
    """
    links = "".join(f'<a href="#p{p.number}">paper {p.number}</a>' for p in whole.papers)
    stopped = "<p><b>Interrupted: what is not here was not measured.</b></p>"
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Five papers measured again</title><style>{_STYLE}</style></head><body><main>
<h1>Five papers measured again</h1><p>{_LEAD}</p>
<p class="soft">{escape(_where(whole))}</p>{stopped if whole.was_interrupted else ""}
<nav>{links}</nav>{"".join(map(_paper, whole.papers))}</main></body></html>
"""


def _paper(paper: Paper) -> str:
    tables = "".join(_table(table) for table in paper.tables if table.rows or table.left_out)
    notes = "".join(f"<li>{escape(note)}</li>" for note in paper.differs)
    return (
        f'<section id="p{paper.number}"><h2><small>paper {paper.number}</small>'
        f"{escape(paper.title)}</h2>{tables}<h3>What differs, and why</h3><ul>{notes}</ul>"
        "</section>"
    )


def _table(table: PaperTable) -> str:
    words = [_is_word(table, i) for i in range(len(table.columns))]
    kinds = [
        " ".join(filter(None, ["word" if word else "", "ours" if _is_ours(name) else ""]))
        for name, word in zip(table.columns, words, strict=True)
    ]
    head = "".join(
        f'<th class="{kind}">{escape(name)}</th>'
        for name, kind in zip(table.columns, kinds, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td class="{kind}{" " + cell if cell in ("yes", "no") else ""}">{escape(cell)}</td>'
            for cell, kind in zip(row, kinds, strict=True)
        )
        + "</tr>"
        for row in table.rows
    )
    left = "".join(f'<li class="out">left out: {escape(why)}</li>' for why in table.left_out)
    body = f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f"<h3>{escape(table.name)}</h3>{body if rows else '<div>'}</div><ul>{left}</ul>"


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
            if table.rows:
                lines = [table.columns, tuple("---" for _ in table.columns), *table.rows]
                parts.append(
                    "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)
                )
            if table.left_out:
                parts.append("Left out: " + "; ".join(table.left_out) + ".")
        parts.append("### What differs in paper " + paper.number)
        parts.append("\n".join(f"- {note}" for note in paper.differs))
    return "\n\n".join(parts) + "\n"


def _where(whole: Whole) -> str:
    return f"Measured on {whole.date} in {whole.seconds:.0f} s: {whole.machine}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _is_ours(column: str) -> bool:
    return column in ("found", "holds as printed") or column.endswith(
        (", ours", ", exact", ", 30 plays")
    )


def _is_word(table: PaperTable, index: int) -> bool:
    """Tell whether a column holds words rather than figures."""
    cells = [row[index] for row in table.rows if row[index] not in ("", "–")]
    return not cells or any(not cell[0].isdigit() for cell in cells)
