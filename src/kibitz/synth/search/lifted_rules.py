"""Rules with variables: constants of a domain are interchangeable.

`any V1, V2 in heap.1, V1 != V2: …` is a rule that holds under every renaming of the constants of
the domain. So lifting rules over a domain means to use its renamings as symmetries, whether they
are symmetries of the game or not; the image of an atom need not exist in the game, and is then
false.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import permutations
from math import factorial

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame
from kibitz.errors import InputError
from kibitz.gdl import Function

_MOST_RENAMINGS = 1000


class Lift:
    """Renamings as permutations of atoms and moves, including those that only renaming creates."""

    def __init__(self, game: CompiledGame, role: int, domain: str) -> None:
        network = game.network
        atoms = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
        self.domain = domain
        self.constants = domain_of(atoms, network.moves[role], domain)
        renamings = [
            dict(zip(self.constants, image, strict=True)) for image in permutations(self.constants)
        ]
        self.atoms = _closure(atoms, renamings)
        self.moves = _closure(network.moves[role], renamings)
        self.atom_images = _images(self.atoms, renamings)
        self.move_images = _images(self.moves, renamings)


def domain_of(atoms: Iterable[Function], moves: Iterable[Function], domain: str) -> list[str]:
    """Return the values of an argument of a fluent or move: `heap.1`."""
    name, _, place = domain.partition(".")
    found = {
        term.args[int(place) - 1].name
        for term in (*atoms, *moves)
        if term.name == name and place.isdecimal() and 0 < int(place) <= len(term.args)
        if isinstance(term.args[int(place) - 1], Function)
    }
    if len(found) < 2:
        raise InputError(
            f"{domain} is not an argument with several values",
            hint="write the name of a fluent or move and which argument: heap.1",
        )
    if factorial(len(found)) > _MOST_RENAMINGS:
        raise InputError(f"{domain} has {len(found)} values, too many to exchange them all")
    return sorted(found)


def _rename(term: Function, renaming: dict[str, str]) -> Function:
    if not term.args:
        return Function(renaming.get(term.name, term.name))
    args = tuple(_rename(arg, renaming) if isinstance(arg, Function) else arg for arg in term.args)
    return Function(term.name, args)


def _closure(terms: Iterable[Function], renamings: Sequence[dict[str, str]]) -> list[Function]:
    """Add to terms all their renamings."""
    listed = list(terms)
    return list(dict.fromkeys([*listed, *(_rename(t, r) for t in listed for r in renamings)]))


def _images(
    terms: Sequence[Function], renamings: Sequence[dict[str, str]]
) -> npt.NDArray[np.int32]:
    number = {term: i for i, term in enumerate(terms)}
    rows = [[number[_rename(term, renaming)] for term in terms] for renaming in renamings]
    return np.array(rows, dtype=np.int32)


def write_lifted(
    lift: Lift, literals: Sequence[tuple[Function, bool]], moves: Sequence[Function], more: str
) -> str:
    """Write a rule with a variable for each constant of the domain that it has."""
    names: dict[str, str] = {}

    def text(term: Function) -> str:
        if term.args:
            parts = [text(a) if isinstance(a, Function) else str(a) for a in term.args]
            return f"{_quoted(term.name)}({', '.join(parts)})"
        if term.name in lift.constants:
            return names.setdefault(term.name, f"V{len(names) + 1}")
        return _quoted(term.name)

    texts = [text(move) for move in moves]
    parts = [("" if holds else "not ") + text(atom) for atom, holds in literals]
    variables = list(names.values())
    apart = [f"{a} != {b}" for i, a in enumerate(variables) for b in variables[i + 1 :]]
    condition = " and ".join([*apart, *([more] if more else []), *parts]) or "true"
    head = f"any {', '.join(f'{v} in {lift.domain}' for v in variables)}: " if variables else ""
    right = texts[0] if len(texts) == 1 else f"{{{', '.join(texts)}}}"
    return f"{head}{condition} => {right}"


def write_any_move(moves: Sequence[Function], condition: str) -> str:
    """Write a rule for all moves of a role, with a variable for each argument if they are similar.

    >>> from kibitz.gdl import parse_terms
    >>> write_any_move(parse_terms("(reduce a 1) (reduce b 2)"), "next wins(me)")
    'any A1 in reduce.1, A2 in reduce.2: next wins(me) => reduce(A1, A2)'
    >>> write_any_move(parse_terms("(step a b) (hop a c)"), "next wins(me)")
    'next wins(me) => any'
    """
    first = moves[0]
    if not first.args or len({(move.name, len(move.args)) for move in moves}) > 1:
        return f"{condition} => any"
    names = [f"A{i + 1}" for i in range(len(first.args))]
    name = _quoted(first.name)
    values = ", ".join(f"{each} in {name}.{i + 1}" for i, each in enumerate(names))
    return f"any {values}: {condition} => {name}({', '.join(names)})"


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[a-z]\w*|\d+", name) and name != "none" else f"'{name}'"
