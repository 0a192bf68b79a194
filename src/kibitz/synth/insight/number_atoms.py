"""Numbers after each move in, atoms out: conditions on them, with what they cost to say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

__all__ = ["Atom", "Bools", "Numbers", "atoms_of", "pair_atom"]

Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

_MOST_MODULUS = 12
_SMALL = 3
_FEWEST_POWERS = 4
"""So many powers of two must be possible before a rule speaks of them."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A condition on the state that a move leaves, what it costs to say, and where it holds."""

    text: str
    cost: float
    edges: Bools


def pair_atom(one: Atom, other: Atom) -> Atom:
    """Return the atom that both hold."""
    return Atom(f"{one.text} and next {other.text}", one.cost + other.cost, one.edges & other.edges)


def atoms_of(
    terms: Mapping[str, Numbers], bad: Bools, matter: Bools, spend: Callable[[int], bool]
) -> list[Atom]:
    """Return atoms that hold after some moves and not after others, the cheapest first.

    Moduli are those that the edges suggest that matter. `spend` is asked before so many columns are
    looked at; after it says no, nothing more is.
    """
    found: dict[bytes, Atom] = {}

    def add(text: str, cost: float, held: Bools) -> None:
        if held.any() and not held.all():
            key = np.packbits(held).tobytes()
            if key not in found or found[key].cost > cost:
                found[key] = Atom(text, cost, held)

    for term, column in terms.items():
        price = _price(term)
        low, high = int(column.min()), int(column.max())
        if term.startswith(("xor(", "nimsum(")):
            # A nim-sum is 0, or 1 at the end of misère play; nobody asks for more of it.
            for value in (0, 1):
                if spend(1):
                    add(f"{term} = {value}", price + _strange(value), column == value)
            continue
        for value in range(low, high + 1):
            if not spend(3):
                break
            add(_equals(term, value), price + _strange(value), column == value)
            add(f"{term} < {value}", price + 0.5, column < value)
            add(f"{term} > {value}", price + 0.5, column > value)
        for modulus in _moduli(column[matter], bad[matter], high - low):
            rests = column % modulus
            for rest in range(modulus):
                if not spend(1):
                    break
                extra = 0.1 if modulus == 2 else 0.5 if rest else 0.3
                add(_leaves(term, modulus, rest), price + extra, rests == rest)
        if _is_plain(term) and low >= 0 and high >= 2**_FEWEST_POWERS - 1 and spend(2):
            add(f"xor({term}, {term} + 1) = {term} + {term} + 1", 1.4, column & (column + 1) == 0)
            is_power = (column > 0) & (column & (column - 1) == 0)
            add(f"xor({term}, {term} - 1) = {term} + {term} - 1", 1.5, is_power)
    return sorted(found.values(), key=lambda atom: (atom.cost, len(atom.text), atom.text))


def _is_plain(term: str) -> bool:
    return "(" not in term and " " not in term


def _price(term: str) -> float:
    """Return what a number costs to say."""
    numbers = term.count(" - ") + term.count(" + ") + term.count(", ") + 1
    return 1.0 + term.count("(") * 0.5 + 0.7 * (numbers - 1)


def _strange(value: int) -> float:
    """Return what a value costs to say: 0 is the easiest."""
    return 0.5 if value < 0 else 0.0 if not value else 0.2 if value <= _SMALL else 0.4


def _sides(term: str) -> tuple[str, str] | None:
    """Return the numbers of which a term is the difference."""
    sides = term.split(" - ")
    return (sides[0], sides[1]) if len(sides) == 2 and "xor" not in term else None


def _equals(term: str, value: int) -> str:
    sides = _sides(term)
    if sides is None or value > 0:
        return f"{term} = {value}"
    one, other = sides
    return f"{other} - {one} = {-value}" if value else f"{one} = {other}"


def _leaves(term: str, modulus: int, rest: int) -> str:
    sides = _sides(term)
    if sides is not None and not rest:
        return f"{sides[0]} % {modulus} = {sides[1]} % {modulus}"
    whole = f"({term})" if " - " in term or " + " in term else term
    return f"{whole} % {modulus} = {rest}"


def _moduli(column: Numbers, bad: Bools, span: int) -> list[int]:
    """Return moduli to try, the distance between numbers that only good moves leave first."""
    left_by_bad = set(np.unique(column[bad]).tolist())
    good = [n for n in np.unique(column[~bad]).tolist() if n not in left_by_bad]
    gaps = {b - a for a, b in pairwise(good)}
    first = [gap for gap in gaps if len(gaps) == 1 and 2 <= gap <= span]
    return list(dict.fromkeys([*first, *range(2, min(_MOST_MODULUS, span // 2) + 1)]))
