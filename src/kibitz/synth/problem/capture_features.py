"""Features of moves in games in which things are taken: who owns what in, formulas out."""

from __future__ import annotations

from kibitz.engine import CompiledGame, Role
from kibitz.strategy import something_is_taken
from kibitz.synth.problem.features import Feature

__all__ = ["capture_features"]

_RETAKE = "can(opponent, taken(me))"


def capture_features(game: CompiledGame, role: Role) -> list[Feature]:
    """Make features about taking and being taken; none where nothing is seen to be taken.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("breakthrough:4x3"))
    >>> for feature in capture_features(game, "white"):
    ...     print(feature.name)
    takes
    takes safely
    nothing lost
    something at risk
    """
    if len(game.roles) != 2 or not something_is_taken(game):
        return []
    return [
        Feature("taken(opponent)", "it takes something of the opponent", "takes"),
        Feature(
            f"taken(opponent) & next not {_RETAKE}",
            "it takes something, and the opponent can take nothing back at once",
            "takes safely",
        ),
        Feature(f"next not {_RETAKE}", "the opponent can take nothing afterwards", "nothing lost"),
        Feature(
            f"can(me, next {_RETAKE})",
            "some move would let the opponent take something",
            "something at risk",
        ),
    ]
