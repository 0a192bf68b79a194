"""Features from relations that the rule sheet derives: what holds now, or after a move."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.engine import CompiledGame
from kibitz.errors import KibitzError
from kibitz.gdl import Function, Variable
from kibitz.strategy import ASKER, LANGUAGE, asking_sheet, vocabulary_of, write_term
from kibitz.synth.problem.features import Feature

__all__ = ["relation_features"]

_MOST_SINGLE = 6
"""How many instances a relation may have for each to be a separate feature."""

_MOST_INSTANCES = 40
_MOST_FEATURES = 60


def relation_features(game: CompiledGame) -> list[Feature]:
    """Make features of the relations that depend on the state; one for all instances if many.

    >>> from kibitz.games import load_sheet
    >>> made = relation_features(CompiledGame(load_sheet("nim:1,2,digits")))
    >>> print(*(feature.formula for feature in made[:4]), sep=" | ")
    next left | next not left | next (odd 1) | next not (odd 1)
    """
    words = vocabulary_of(game)
    signatures = [
        (name, arity)
        for name, arity in sorted(words.relations, key=lambda s: (s[1], s[0]))
        if words.needs_state(name) and not words.needs_moves(name) and name not in LANGUAGE
    ]
    together: list[Feature] = []
    single: list[Feature] = []
    for name, arity in signatures:
        atoms = _instances(game, name, arity)
        if 1 <= len(atoms) <= _MOST_SINGLE:
            for atom in map(write_term, atoms):
                single += _both(atom, f"{atom} holds", f"{atom} does not hold")
        if 1 < len(atoms) <= _MOST_INSTANCES:
            together += _both(_some(atoms), f"some {name} holds", f"no {name} holds")
    return [*single, *together][:_MOST_FEATURES]


def _instances(game: CompiledGame, name: str, arity: int) -> list[Function]:
    """List the atoms of a relation that can hold."""
    asked = Function(name, tuple(Variable(f"x{i}") for i in range(arity)))
    try:
        made = CompiledGame(asking_sheet(game.sheet, [asked]), backend="interpreter")
    except KibitzError:
        return []
    moves = made.network.moves[made.roles.index(ASKER)]
    return [move for move in moves if move.name == name and len(move.args) == arity]


def _some(atoms: Sequence[Function]) -> str:
    """Write that one of the atoms holds."""
    if all(len(atom.args) == 1 for atom in atoms):
        values = ", ".join(write_term(atom.args[0]) for atom in atoms)
        return f"(any X in {{{values}}}: {write_term(Function(atoms[0].name))}(X))"
    return f"({' | '.join(map(write_term, atoms))})"


def _both(formula: str, holds: str, fails: str) -> list[Feature]:
    return [
        Feature(f"next {formula}", f"{holds} afterwards", f"then {holds}"),
        Feature(f"next not {formula}", f"{fails} afterwards", f"then {fails}"),
    ]
