"""Write a folder that shows a game without a server: its lesson, puzzles, values and moves."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.web.copy.answers import MOST_STATES as MOST_STATES, answers_of as answers_of
    from kibitz.web.copy.folder import write_copy as write_copy

__getattr__ = lazy_exports(__name__)
