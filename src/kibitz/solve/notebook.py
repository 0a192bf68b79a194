"""How solutions of every kind show themselves in notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from kibitz.solve.any_solution import AnySolution

__all__ = ["NotebookSolution"]


class NotebookSolution:
    """A solution that notebooks can show."""

    def _repr_svg_(self) -> str:
        """Draw the initial state in a notebook."""
        from kibitz.solve.html import board_of

        return board_of(cast("AnySolution", self))

    def _repr_html_(self) -> str:
        """Show what was found in a notebook."""
        from kibitz.solve.html import html_of

        return html_of(cast("AnySolution", self))
