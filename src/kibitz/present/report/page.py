"""Reports in, one HTML page out: to look at by day or night, and to print."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from kibitz.present.report.charts import bar_chart
from kibitz.present.report.figures import Report
from kibitz.present.report.sections import sections
from kibitz.present.report.style import STYLE
from kibitz.present.report.text import (
    COMPARED,
    cell_text,
    comparison,
    count,
    headline,
)
from kibitz.wording import join_words

__all__ = ["report_page"]


def report_page(reports: Sequence[Report], left_out: Sequence[tuple[str, str]] = ()) -> str:
    """Write reports, and a comparison in front where there are several.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.present.report import Wish, make_report
    >>> report = make_report(load_sheet("nim:1,2"), Wish(rule_seconds=0))
    >>> report_page([report]).startswith("<!DOCTYPE html>")
    True
    """
    names = ", ".join(report.title for report in reports)
    body = [_compare(reports)] if len(reports) > 1 else []
    body += [_game(report, is_only=len(reports) == 1) for report in reports]
    if left_out:
        items = "".join(f"<li>{escape(name)}: {escape(why)}</li>" for name, why in left_out)
        body.append(f"<section><h2>Left out</h2><ul>{items}</ul></section>")
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(names)}: a report</title><style>{STYLE}</style></head>
<body><main>{"".join(body)}
<footer>Made by Kibitz from the rules alone. Figures are exact unless an interval stands beside
them; an interval holds the true figure in 95 of 100 samples.</footer></main></body></html>
"""


def _compare(reports: Sequence[Report]) -> str:
    columns = [comparison(report) for report in reports]
    head = "".join(f'<th><a href="#{_id(r)}">{escape(r.title)}</a></th>' for r in reports)
    rows = "".join(
        f'<tr><th class="name">{escape(title)}</th>'
        + "".join(f"<td>{escape(cell_text(key, column[key]))}</td>" for column in columns)
        + "</tr>"
        for key, title in COMPARED
        if any(column[key] is not None for column in columns)
    )
    charts = "".join(
        bar_chart(
            title,
            [
                (r.title, c[key], cell_text(key, c[key]))
                for r, c in zip(reports, columns, strict=True)
            ],
            is_log=key in ("states", "matches"),
        )
        for key, title in COMPARED
        if key != "value" and sum(column[key] is not None for column in columns) > 1
    )
    return f"""<header><h1>{len(reports)} games compared</h1></header>
<div class="wide"><table class="compared"><thead><tr><th></th>{head}</tr></thead>
<tbody>{rows}</tbody></table></div>
<div class="charts">{charts}</div>"""


def _game(report: Report, *, is_only: bool) -> str:
    level = "h1" if is_only else "h2"
    parts = "".join(sections(report))
    who = f"{escape(join_words(report.roles))}; {escape(report.kind)}"
    if report.first and len(report.roles) > 1:
        who += f"; {escape(report.first)} has the first choice"
    stopped = '<p class="warn">Interrupted: what is not here was not worked out.</p>'
    return f"""<article id="{_id(report)}"><header class="game"><div>
<{level}>{escape(report.title)}</{level}><p class="who">{who}</p>
<p class="verdict">{escape(_capital(headline(report)))}.</p>
{stopped if report.was_interrupted else ""}</div><div class="board">{report.picture}</div></header>
<dl class="tiles">{_tiles(report)}</dl>{parts}
<p class="soft">Worked out in {report.seconds:.0f} s.</p></article>"""


def _tiles(report: Report) -> str:
    found: list[tuple[str, str]] = []
    if report.states:
        found.append(("states" if report.is_complete else "states seen", f"{report.states:,}"))
    if report.matches:
        found.append(("different matches", count(report.matches)))
    figures = comparison(report)
    for key, title in (
        ("length_random", "moves in a random match"),
        ("branching", "choices at a move"),
        ("drawn_random", "random matches drawn"),
        ("advantage_random", "first mover’s edge, random"),
        ("decisions", "decisions that matter"),
    ):
        if figures[key] is not None:
            found.append((title, cell_text(key, figures[key])))
    found += [
        (f"rules for {counted.role}", str(counted.rules))
        for counted in report.rule_counts
        if counted.rules is not None
    ]
    if report.symmetries:
        found.append(("symmetries", f"{report.symmetries.order:,}"))
    long = {value: ' class="long"' * (len(value) > 10) for _, value in found}
    return "".join(
        f"<div><dt>{escape(name)}</dt><dd{long[value]}>{escape(value)}</dd></div>"
        for name, value in found
    )


def _id(report: Report) -> str:
    return "game-" + "".join(c if c.isalnum() else "-" for c in report.game)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
