"""Puzzles in, sheets to look at and to print out: HTML with an answer key, and one SVG picture."""

from __future__ import annotations

import re
from html import escape

from kibitz.board import layout_of, svg_board
from kibitz.puzzles.puzzle import Puzzle, PuzzleSet
from kibitz.puzzles.sheets.formats import answer_board, answer_of, question_of

__all__ = ["to_html", "to_svg_sheet"]

_STYLE = """
@page { size: A4; margin: 14mm }
:root { color-scheme: light }
* { box-sizing: border-box }
body { font: 15px/1.45 system-ui, sans-serif; color: #1f2328; background: #fff;
  margin: 2rem auto; max-width: 60rem; padding: 0 1.25rem }
header { border-bottom: 2px solid #1f2328; margin-bottom: 1.5rem }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 }
header p { margin: .35rem 0 .9rem; color: #59636e }
.sheet { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1.5rem }
.card { break-inside: avoid; border: 1px solid #d0d7de; border-radius: 8px; padding: .9rem;
  display: flex; flex-direction: column }
.card h3 { display: flex; justify-content: space-between; align-items: baseline; margin: 0 0 .6rem;
  font-size: 1rem }
.level { font-weight: 400; font-size: .85rem; color: #59636e }
.board { display: flex; justify-content: center; align-items: center; flex: 1 }
.board svg { width: 100%; max-width: 12rem; height: auto }
.card p { margin: .6rem 0 0; font-size: .9rem }
.blank { border-bottom: 1px solid #8a929a; height: 1.7rem }
.answers { break-before: page; margin-top: 3rem }
.answers .sheet { grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: 1rem }
.answers .board svg { max-width: 8.5rem }
.answers .card { padding: .7rem }
dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem .6rem; margin: .5rem 0 0;
  font-size: .8rem; color: #59636e }
dd { margin: 0; font-variant-numeric: tabular-nums }
footer { margin-top: 2rem; font-size: .8rem; color: #59636e }
@media print { body { margin: 0; max-width: none; padding: 0; font-size: 12px }
  .sheet { grid-template-columns: repeat(3, 1fr) }
  .answers .sheet { grid-template-columns: repeat(4, 1fr) } }
"""


def to_html(puzzles: PuzzleSet) -> str:
    """Write a page to print: the puzzles, and their answers on a separate page."""
    cards = "\n".join(_card(i, puzzle) for i, puzzle in enumerate(puzzles, 1))
    answers = "\n".join(_answer(i, puzzle) for i, puzzle in enumerate(puzzles, 1))
    title = f"{escape(puzzles.game)}: {len(puzzles)} positions for {escape(puzzles.role)}"
    about = (
        f"From easy to hard for a player at {escape(puzzles.own)} against "
        f"{escape(puzzles.other)}. Write down your first move; the answers are at the end."
    )
    if not len(puzzles):
        cards = f"<p>{escape(puzzles.why)}. {escape(puzzles.hint)}</p>"
    key = f'<section class="answers"><h2>Answers</h2><div class="sheet">{answers}</div></section>'
    return f"""<!DOCTYPE html>
<html lang="en" data-theme="light"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>{_STYLE}</style></head><body>
<header><h1>{title}</h1><p>{about}</p></header>
<div class="sheet">
{cards}
</div>
{key if len(puzzles) else ""}
<footer>Chosen among {puzzles.positions:,} positions. The chances in the answers are exact: how
often a player of each skill wins against {escape(puzzles.other)}.</footer>
</body></html>
"""


def _card(number: int, puzzle: Puzzle) -> str:
    board = svg_board(puzzle.state, layout_of(puzzle.state.game))
    return (
        f'<article class="card"><h3><span>{number}</span>'
        f'<span class="level">{_level(puzzle)}</span></h3>'
        f'<div class="board">{board}</div><p>{escape(question_of(puzzle))}</p>'
        '<div class="blank"></div></article>'
    )


def _level(puzzle: Puzzle) -> str:
    return "even" if puzzle.win_in is None else puzzle.level.value


def _answer(number: int, puzzle: Puzzle) -> str:
    board = answer_board(puzzle)
    facts = [(name, f"{chance:.0%}") for name, chance in puzzle.chances]
    if puzzle.score is not None:
        facts.append(("expects", f"{puzzle.score:.0%} of a win"))
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{value}</dd>" for name, value in facts)
    return (
        f'<article class="card"><h3><span>{number}</span></h3><div class="board">{board}</div>'
        f"<p>{escape(answer_of(puzzle))}</p><dl>{rows}</dl></article>"
    )


_WIDTH, _HEIGHT, _ACROSS = 240.0, 300.0, 4


def to_svg_sheet(puzzles: PuzzleSet) -> str:
    """Draw all puzzles in one picture, numbered, without answers."""
    rows = max(1, -(-len(puzzles) // _ACROSS))
    width, height = _WIDTH * _ACROSS, _HEIGHT * rows
    parts = []
    for index, puzzle in enumerate(puzzles):
        row, column = divmod(index, _ACROSS)
        x, y = column * _WIDTH, row * _HEIGHT
        board = svg_board(puzzle.state, layout_of(puzzle.state.game))
        placed = (
            f'<svg x="{x + 20:g}" y="{y + 30:g}" width="{_WIDTH - 40:g}" height="{_HEIGHT - 80:g}" '
        )
        size = re.search(r'viewBox="[^"]*"', board)
        body = board[board.index(">") + 1 :]
        parts.append(
            f'<text x="{x + 20:g}" y="{y + 20:g}" font-weight="bold">{index + 1}</text>'
            f'{placed}class="kb" {size.group(0) if size else ""}>{body}'
            f'<text x="{x + _WIDTH / 2:g}" y="{y + _HEIGHT - 26:g}" text-anchor="middle" '
            f'font-size="11">{escape(question_of(puzzle))}</text>'
            f'<text x="{x + _WIDTH / 2:g}" y="{y + _HEIGHT - 11:g}" text-anchor="middle" '
            f'font-size="11">{_level(puzzle)}</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="system-ui, sans-serif" '
        f'font-size="14" data-theme="light"><title>{escape(puzzles.game)}</title>'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )
