"""Features of moves in games in which things are taken: who owns what in, formulas out.

Something of a role is taken where a move of the opponent leaves a place with nothing of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.engine import CompiledGame, Role
from kibitz.gdl import Function
from kibitz.strategy import owned_things, write_term
from kibitz.synth.problem.features import Feature

__all__ = ["capture_features"]

_MOST_VALUES = 64
"""The most values of an argument that names a place."""


def capture_features(game: CompiledGame, role: Role) -> list[Feature]:
    """Make features about taking and being taken; none where places have no owners.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("breakthrough:4x3"))
    >>> for feature in capture_features(game, "white"):
    ...     print(feature.name)
    takes
    takes safely
    nothing lost
    something at risk
    """
    if len(game.roles) != 2:
        return []
    (opponent,) = set(game.roles) - {role}
    taken, lost = _goes(game, opponent), _goes(game, role)
    if not taken or not lost:
        return []
    retake = f"can(opponent, {lost})"
    return [
        Feature(f"({taken})", "it takes something of the opponent", "takes"),
        Feature(
            f"({taken}) & next not {retake}",
            "it takes something, and the opponent can take nothing back at once",
            "takes safely",
        ),
        Feature(f"next not {retake}", "the opponent can take nothing afterwards", "nothing lost"),
        Feature(
            f"can(me, next {retake})",
            "some move would let the opponent take something",
            "something at risk",
        ),
    ]


def _goes(game: CompiledGame, role: Role) -> str:
    """Write that a place has something of a role now and nothing of it after the move."""
    parts = []
    for (name, arity, at), owned in owned_things(game, role).items():
        values = [list(dict.fromkeys(write_term(f.args[k]) for f in owned)) for k in range(arity)]
        if any(len(found) > _MOST_VALUES for k, found in enumerate(values) if k != at):
            continue
        bound = "".join(
            f"any P{k} in {{{', '.join(found)}}}: " for k, found in enumerate(values) if k != at
        )
        atoms = " | ".join(_atom(name, arity, at, piece) for piece in values[at])
        parts.append(f"({bound}(({atoms}) & next not ({atoms})))")
    return " | ".join(parts)


def _atom(name: str, arity: int, at: int, piece: str) -> str:
    arguments: Sequence[str] = [piece if k == at else f"P{k}" for k in range(arity)]
    return f"{write_term(Function(name))}({', '.join(arguments)})"
