"""A solution in, a piece of HTML out: the initial board, and what each role gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.board import escape, svg_board

if TYPE_CHECKING:
    from kibitz.solve.any_solution import AnySolution

__all__ = ["board_of", "html_of"]


def board_of(solution: AnySolution) -> str:
    """Draw the initial state of the game that was solved, as SVG."""
    return svg_board(solution.space.state(0))


def html_of(solution: AnySolution) -> str:
    """Say what a solution found, above the board that it starts from; everything is escaped.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve_any
    >>> from kibitz.space import explore
    >>> html_of(solve_any(explore(CompiledGame(load_sheet("nim:1,2")))))[:43]
    '<p><b>nim:1,2</b>: 8 states, 10 moves. With'
    """
    space = solution.space
    plies = solution.plies()
    length = "" if plies is None else f" after {plies} plies"
    told = ", ".join(
        f"{escape(role)} gets {'?' if value is None else f'{value:g}'}"
        for role, value in solution.values().items()
    )
    return (
        f"<p><b>{escape(space.game.sheet.name)}</b>: {len(space):,} states, {space.edges:,} moves. "
        f"With best play {told}{length}.</p>{board_of(solution)}"
    )
