"""Sentences as people write them in, sentences of the table out: what is said, not how."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.rulebook.prose.names import player_names as player_names
    from kibitz.rulebook.prose.reader import Prose as Prose
    from kibitz.rulebook.prose.remarks import (
        Remark as Remark,
        is_introduction as is_introduction,
    )
    from kibitz.rulebook.prose.settlement import settled as settled
    from kibitz.rulebook.prose.words import without_heading as without_heading

__getattr__ = lazy_exports(__name__)
