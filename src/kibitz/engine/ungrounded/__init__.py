"""Make a Game from a RuleSheet without grounding: rules compiled to joins over sets of tuples."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.engine.ungrounded.game import (
        UngroundedGame as UngroundedGame,
        count_visits as count_visits,
    )

__getattr__ = lazy_exports(__name__)
