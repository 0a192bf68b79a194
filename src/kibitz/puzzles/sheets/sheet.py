"""Puzzles in, sheets to look at and to print out: HTML with an answer key, and one SVG picture."""

from __future__ import annotations

from kibitz.board import (
    Figure,
    in_rows,
    on_paper,
    pages_to_pdf,
    picture_of,
    svg_board,
    to_svg,
)
from kibitz.pages import write_page
from kibitz.puzzles.puzzle import Puzzle, PuzzleSet
from kibitz.puzzles.sheets.answer_text import (
    answer_of,
    opening_text,
    question_of,
    refutation_text,
)
from kibitz.puzzles.sheets.formats import answer_board, answer_state

__all__ = ["to_html", "to_pdf_sheet", "to_svg_sheet"]

_ON_A_PAGE = 6


def to_html(puzzles: PuzzleSet) -> str:
    """Write a page to print: the puzzles, and their answers on a separate page."""
    cards = [(svg_board(p.state), _level(p), question_of(p)) for p in puzzles]
    answers = [(answer_board(p), answer_of(p), _facts(p)) for p in puzzles]
    return write_page("puzzles", puzzles=puzzles, cards=cards, answers=answers)


def _level(puzzle: Puzzle) -> str:
    is_even = puzzle.win_in is None and puzzle.task == "win"
    return "even" if is_even else puzzle.level.value


def _facts(puzzle: Puzzle) -> list[tuple[str, str]]:
    facts = [(name, f"{chance:.0%}") for name, chance in puzzle.chances]
    facts += [(one.player, one.text) for one in puzzle.attempts]
    facts += [("not", refutation_text(puzzle, one)) for one in puzzle.refutations]
    if puzzle.played:
        facts.append(("reached by", opening_text(puzzle)))
    if puzzle.themes:
        facts.append(("themes", ", ".join(puzzle.themes)))
    return facts if puzzle.score is None else [*facts, ("expects", f"{puzzle.score:.0%} of a win")]


def to_pdf_sheet(puzzles: PuzzleSet) -> bytes:
    """Draw a PDF to print: some puzzles on each page, and then the answers."""
    questions = _figures(puzzles)
    answers = []
    for number, puzzle in enumerate(puzzles, start=1):
        state, marks = answer_state(puzzle)
        text = f"{number}. {answer_of(puzzle)}" + f"\n{puzzle.claim}" * bool(puzzle.claim)
        answers.append(Figure(picture_of(state, marks=marks), text))
    pages = [
        on_paper(in_rows(figures[start : start + _ON_A_PAGE], title=puzzles.game))
        for figures in (questions, answers)
        for start in range(0, len(figures), _ON_A_PAGE)
    ]
    return pages_to_pdf(pages or [on_paper(in_rows([Figure(None, puzzles.why)]))])


def _figures(puzzles: PuzzleSet) -> list[Figure]:
    return [
        Figure(picture_of(p.state), f"{number}. {question_of(p)}\n{_level(p)}")
        for number, p in enumerate(puzzles, start=1)
    ]


def to_svg_sheet(puzzles: PuzzleSet) -> str:
    """Draw all puzzles in one picture, numbered, without answers."""
    return to_svg(on_paper(in_rows(_figures(puzzles), title=puzzles.game)))
