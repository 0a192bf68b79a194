"""Format puzzles as text for a terminal."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from kibitz.wording import counted

if TYPE_CHECKING:
    from kibitz.puzzles import Puzzle, PuzzleSet


_WIDTH = 88


def puzzles_text(found: PuzzleSet) -> str:
    """Write puzzles for a person to read."""
    from kibitz.board import text_board
    from kibitz.puzzles import question_of

    lines = []
    for number, puzzle in enumerate(found, start=1):
        level = f"{puzzle.level.value}, " if puzzle.attempts or puzzle.win_in is not None else ""
        themes = "".join(f", {theme}" for theme in puzzle.themes)
        lines += [
            f"{number}. {question_of(puzzle)} ({level}{puzzle.name}{themes})",
            "   " + text_board(puzzle.state).replace("\n", "\n   "),
            *map(_wrapped, _searched(puzzle) if puzzle.attempts else _listed(puzzle)),
            "",
        ]
    if found.way == "search":
        how = "played out" if found.other else "proved by a search"
        lines.append(
            f"{counted(len(found), 'puzzle')} from {found.positions:,} positions of "
            f"{found.matches:,} matches, each {how}, {found.seconds:.1f} s"
        )
    else:
        lines.append(
            f"{len(found)} of {found.of_level:,} such positions, among {found.positions:,}; "
            f"against {found.other}; all states listed"
        )
    return "\n".join(lines)


def _listed(puzzle: Puzzle) -> list[str]:
    """Write what is known of a puzzle that was chosen or played out."""
    from kibitz.puzzles import answer_of, opening_text

    lines = [f"answer: {answer_of(puzzle)}"] if puzzle.first_moves else []
    if puzzle.played:
        lines.append(f"reached by: {opening_text(puzzle)}")
    if puzzle.claim:
        return [*lines, f"proved: {puzzle.claim}"]
    chances = ", ".join(f"{name} {chance:.0%}" for name, chance in puzzle.chances)
    score = "" if puzzle.score is None else f", expects {puzzle.score:.0%}"
    score += f" in {puzzle.plays} plays" if puzzle.plays else ""
    return [*lines, f"wins: {chances}{score}"]


def _searched(puzzle: Puzzle) -> list[str]:
    """Write what is known of a puzzle that was searched for."""
    from kibitz.puzzles import answer_of, refutation_text

    return [
        f"answer: {answer_of(puzzle)}",
        f"proved: {puzzle.claim}",
        *(f"not {refutation_text(puzzle, one)}" for one in puzzle.refutations),
        f"found by: {', '.join(map(str, puzzle.attempts))}",
    ]


def _wrapped(line: str) -> str:
    return textwrap.fill(
        line,
        _WIDTH,
        initial_indent="   ",
        subsequent_indent="     ",
        break_long_words=False,
        break_on_hyphens=False,
    )
