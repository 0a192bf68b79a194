"""A solution in, what notebooks show of it out: the initial board, and what each role gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from kibitz.solve.any_solution import AnySolution

__all__ = ["NotebookSolution"]


class NotebookSolution:
    """A solution that notebooks can show.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve_any
    >>> from kibitz.space import explore
    >>> solve_any(explore(CompiledGame(load_sheet("nim:1,2"))))._repr_html_()[:43]
    '<p><b>nim:1,2</b>: 8 states, 10 moves. With'
    """

    def _repr_svg_(self) -> str:
        """Draw the initial state of the solved game."""
        from kibitz.board import svg_board

        return svg_board(cast("AnySolution", self).space.state(0))

    def _repr_html_(self) -> str:
        """Describe the solution above the initial board; everything is escaped."""
        from kibitz.board import escape
        from kibitz.solve.summary import describe_value
        from kibitz.wording import side_names, value_text

        solution = cast("AnySolution", self)
        space = solution.space
        values = escape(value_text(describe_value(solution), side_names(space.game.roles)))
        return (
            f"<p><b>{escape(space.game.sheet.name)}</b>: {len(space):,} states, "
            f"{space.edges:,} moves. With best play {values}.</p>{self._repr_svg_()}"
        )
