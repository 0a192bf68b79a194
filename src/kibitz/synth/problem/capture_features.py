"""Features of moves in games in which things are taken: who owns what in, formulas out.

A role owns what appears by its own moves alone, such as the men in `(cell 3 4 black)`. Something of
it is taken where a move of the opponent leaves a place with nothing of it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import cast

from kibitz.engine import CompiledGame, Role
from kibitz.gdl import Function, Term
from kibitz.strategy import write_term
from kibitz.synth.problem.features import Feature

__all__ = ["capture_features"]

_MOST_VALUES = 64
"""The most values of an argument that names a place."""
_MATCHES, _LONGEST = 20, 200
"""Random matches in which things are seen to appear, and their length."""


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
    for (name, arity, at), owned in _things(game, role).items():
        values = [list(dict.fromkeys(write_term(f.args[k]) for f in owned)) for k in range(arity)]
        if any(len(found) > _MOST_VALUES for k, found in enumerate(values) if k != at):
            continue
        bound = "".join(
            f"any P{k} in {{{', '.join(found)}}}: " for k, found in enumerate(values) if k != at
        )
        atoms = " | ".join(_atom(name, arity, at, piece) for piece in values[at])
        parts.append(f"({bound}(({atoms}) & next not ({atoms})))")
    return " | ".join(parts)


def _things(game: CompiledGame, role: Role) -> dict[tuple[str, int, int], list[Function]]:
    """Return the fluents that say what a role has where, by name, arity and owned argument."""
    owners = _owners(game)
    found: dict[tuple[str, int, int], list[Function]] = {}
    hidden = (hidden.fluent for hidden in game.network.hidden)
    for fluent in (*game.network.fluents, *hidden):
        name, arity = fluent.name, len(fluent.args)
        owned = [k for k in range(arity) if (name, arity, k) in owners]
        if len(owned) == 1 and arity > 1:
            place = (name, arity, owned[0])
            if owners[place].get(fluent.args[owned[0]]) == role:
                found.setdefault(place, []).append(fluent)
    return found


def _owners(game: CompiledGame) -> dict[tuple[str, int, int], dict[Term, Role]]:
    """Return who owns the values of an argument, where each role owns some, in random matches.

    A role owns what appears by its own moves alone.
    """
    source = random.Random(1)
    makers: dict[tuple[str, int, int], dict[Term, set[Role]]] = {}
    for _ in range(_MATCHES):
        state = game.initial()
        for _ in range(_LONGEST):
            legal = {role: state.legal(role) for role in game.roles}
            if state.is_terminal or not all(legal.values()):
                break
            after = game.successor(state.key, tuple(map(source.choice, legal.values())))
            movers = [role for role, moves in legal.items() if len(moves) > 1]
            new = cast(int, after.key) & ~cast(int, state.key)
            for index, fluent in enumerate(game.network.fluents):
                if new >> index & 1 and len(movers) == 1:
                    for k, value in enumerate(fluent.args):
                        known = makers.setdefault((fluent.name, len(fluent.args), k), {})
                        known.setdefault(value, set()).update(movers)
            state = after
    owners = {
        place: {value: next(iter(by)) for value, by in known.items() if len(by) == 1}
        for place, known in makers.items()
    }
    return {
        place: known for place, known in owners.items() if set(known.values()) == set(game.roles)
    }


def _atom(name: str, arity: int, at: int, piece: str) -> str:
    arguments: Sequence[str] = [piece if k == at else f"P{k}" for k in range(arity)]
    return f"{write_term(Function(name))}({', '.join(arguments)})"
