"""Puzzles in, sheets to look at and to print out: HTML with an answer key, and one SVG picture."""

from __future__ import annotations

from kibitz.board import Figure, in_rows, on_paper, picture_of, svg_board, to_svg
from kibitz.pages import write_page
from kibitz.puzzles.puzzle import Puzzle, PuzzleSet
from kibitz.puzzles.sheets.formats import answer_board, answer_of, question_of

__all__ = ["to_html", "to_svg_sheet"]


def to_html(puzzles: PuzzleSet) -> str:
    """Write a page to print: the puzzles, and their answers on a separate page."""
    cards = [(svg_board(p.state), _level(p), question_of(p)) for p in puzzles]
    answers = [(answer_board(p), answer_of(p), _facts(p)) for p in puzzles]
    return write_page("puzzles", puzzles=puzzles, cards=cards, answers=answers)


def _level(puzzle: Puzzle) -> str:
    return "even" if puzzle.win_in is None else puzzle.level.value


def _facts(puzzle: Puzzle) -> list[tuple[str, str]]:
    facts = [(name, f"{chance:.0%}") for name, chance in puzzle.chances]
    return facts if puzzle.score is None else [*facts, ("expects", f"{puzzle.score:.0%} of a win")]


def to_svg_sheet(puzzles: PuzzleSet) -> str:
    """Draw all puzzles in one picture, numbered, without answers."""
    figures = [
        Figure(picture_of(p.state), f"{number}. {question_of(p)}\n{_level(p)}")
        for number, p in enumerate(puzzles, start=1)
    ]
    return to_svg(on_paper(in_rows(figures, title=puzzles.game)))
