"""Games in notebooks: a board on which one plays, as a widget."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.notebook.board_widget import BoardWidget as BoardWidget, board as board

__getattr__ = lazy_exports(__name__)
