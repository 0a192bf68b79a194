"""Everything measured in, one page out, as HTML or as Markdown."""

from __future__ import annotations

from kibitz.experiments.reproduce.all_papers import PaperTable, Whole
from kibitz.pages import plain_markdown, write_page

__all__ = ["to_html", "to_markdown"]

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
