"""Game in, ideas out: leave a position that is its own image under a symmetry of the board."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.engine import CompiledGame
from kibitz.strategy import SYMMETRY_NAMES, named_symmetries
from kibitz.synth.insight.ideas import Idea

__all__ = ["mirror_ideas"]


def mirror_ideas(game: CompiledGame) -> Iterator[Idea]:
    """Walk the mirror strategies that the symmetries of a game suggest.

    >>> from kibitz.games import load_sheet
    >>> [idea.rules for idea in mirror_ideas(CompiledGame(load_sheet("kayles:3")))]
    [('next unchanged(left_right) => any',)]
    """
    for name in named_symmetries(game):
        why = (
            f"Whatever the opponent does to a position that looks the same after "
            f"{SYMMETRY_NAMES[name]}, you can do to its image; so you have a move whenever the "
            "opponent had one."
        )
        yield Idea((f"next unchanged({name}) => any",), (why,), must_answer=True)
