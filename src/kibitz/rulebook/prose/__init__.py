"""Sentences as people write them in, sentences of the table out: what is said, not how."""

from kibitz.rulebook.prose.names import player_names
from kibitz.rulebook.prose.reader import Prose
from kibitz.rulebook.prose.remarks import Remark, is_introduction
from kibitz.rulebook.prose.settlement import settled
from kibitz.rulebook.prose.words import without_heading

__all__ = [
    "Prose",
    "Remark",
    "is_introduction",
    "player_names",
    "settled",
    "without_heading",
]
