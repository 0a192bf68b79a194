"""Puzzles in, sheets to look at and to print out: HTML with an answer key, and one SVG picture."""

from __future__ import annotations

import re
from html import escape

from kibitz.board import layout_of, svg_board
from kibitz.pages import write_page
from kibitz.puzzles.puzzle import Puzzle, PuzzleSet
from kibitz.puzzles.sheets.formats import answer_board, answer_of, question_of

__all__ = ["to_html", "to_svg_sheet"]


def to_html(puzzles: PuzzleSet) -> str:
    """Write a page to print: the puzzles, and their answers on a separate page."""
    cards = [
        (svg_board(p.state, layout_of(p.state.game)), _level(p), question_of(p)) for p in puzzles
    ]
    answers = [(answer_board(p), answer_of(p), _facts(p)) for p in puzzles]
    return write_page("puzzles", puzzles=puzzles, cards=cards, answers=answers)


def _level(puzzle: Puzzle) -> str:
    return "even" if puzzle.win_in is None else puzzle.level.value


def _facts(puzzle: Puzzle) -> list[tuple[str, str]]:
    facts = [(name, f"{chance:.0%}") for name, chance in puzzle.chances]
    return facts if puzzle.score is None else [*facts, ("expects", f"{puzzle.score:.0%} of a win")]


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
