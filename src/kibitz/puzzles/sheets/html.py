"""Puzzles in, pieces of HTML out, with the answers collapsed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.board import escape, svg_board
from kibitz.puzzles.sheets.answer_text import answer_of, question_of
from kibitz.puzzles.sheets.formats import answer_board

if TYPE_CHECKING:
    from kibitz.puzzles.puzzle import Puzzle, PuzzleSet

__all__ = ["html_of", "html_of_set"]


def html_of(puzzle: Puzzle) -> str:
    """Show a puzzle: its board, the question, and the collapsed answer."""
    caption = f"{question_of(puzzle)} ({puzzle.role}; {puzzle.level.value}, rated {puzzle.rating})"
    return (
        f"<figure>{svg_board(puzzle.state)}<figcaption>{escape(caption)}"
        f"<details><summary>Answer</summary>{escape(answer_of(puzzle))}<br>{answer_board(puzzle)}"
        "</details></figcaption></figure>"
    )


def html_of_set(puzzles: PuzzleSet) -> str:
    """Show puzzles one after another, or why there are none."""
    head = (
        f"<p><b>{escape(puzzles.game)}</b>: {len(puzzles):,} of {puzzles.of_level:,} positions</p>"
    )
    return head + ("".join(map(html_of, puzzles)) or f"<p>{escape(puzzles.why)}</p>")
