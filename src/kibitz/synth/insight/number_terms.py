"""Collect numbers of the state, and conditions on them.

Plain numbers are those at arguments, with what stands beside them fixed. Others are made of them:
sums, differences and nim-sums of a few, and what lies between things in a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations

import numpy as np
import numpy.typing as npt

from kibitz.gdl import Function
from kibitz.space import StateSpace
from kibitz.strategy import columns_of, number_arguments, write_term

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


_MOST_ENTRIES = 30
_MOST_LISTED = 6
_MOST_IN_RULE = 3
"""Numbers in all, and in one rule where they are not evenly spaced: nobody remembers more."""

Found = tuple[tuple[str, ...], Bools]
"""Conditions of one rule each, and after which moves one of them holds."""


def entries_of(
    terms: Mapping[str, Numbers], bad: Bools, spend: Callable[[int], bool]
) -> Iterator[Found]:
    """Walk conditions that one number is what a table has for another, small tables first."""
    found: list[tuple[int, str, Bools]] = []
    for (given, column), (asked, other) in permutations(terms.items(), 2):
        if column.min() < 0 or other.min() < 0 or not spend(4):
            continue
        size = int(other.max()) + 1
        key = column * size + other
        spoiled = np.zeros(int(key.max()) + 1, dtype=bool)
        spoiled[key[bad]] = True
        held = ~spoiled[key]
        places = np.unique(key[held])
        rows = places // size
        table = dict(zip(rows.tolist(), (places % size).tolist(), strict=True))
        if len(table) == len(rows) and 0 < len(table) <= _MOST_ENTRIES:
            table = _as_pairs(table)
            entries = ", ".join(str(table.get(n, -1)) for n in range(max(table) + 1))
            found.append((len(entries), f"{asked} = entry({given}, {entries})", held))
    for _, text, held in sorted(found, key=lambda one: one[:2]):
        yield (text,), held


def _as_pairs(table: dict[int, int]) -> dict[int, int]:
    """Add the way back of each entry, if all are pairs then; such numbers may not occur."""
    back = {other: one for one, other in table.items()}
    pairs = back | table
    is_paired = len(back) == len(table) and all(pairs[pairs[one]] == one for one in pairs)
    return pairs if is_paired and max(pairs) < _MOST_ENTRIES else table


def lists_of(
    terms: Mapping[str, Numbers], bad: Bools, spend: Callable[[int], bool]
) -> Iterator[Found]:
    """Walk conditions that a number is one of a few, which only good moves leave.

    More than three that are not evenly spaced become two rules.
    """
    for term, column in terms.items():
        if " " in term or "(" in term or column.min() < 0 or not spend(2):
            continue
        values = np.setdiff1d(column[~bad], column[bad]).tolist()
        if 0 < len(values) <= _MOST_LISTED:
            is_even = len({b - a for a, b in pairwise(values)}) <= 1
            most = _MOST_LISTED if is_even else _MOST_IN_RULE
            parts = [values[n : n + most] for n in range(0, len(values), most)]
            yield tuple(_one_of(term, part) for part in parts), np.isin(column, values)


def _one_of(term: str, values: list[int]) -> str:
    if len(values) == 1:
        return f"{term} = {values[0]}"
    entries = ", ".join(str(n) if n in values else "-1" for n in range(max(values) + 1))
    return f"{term} = entry({term}, {entries})"


def thresholds_of(
    terms: Mapping[str, Numbers], bad: Bools, spend: Callable[[int], bool]
) -> Iterator[Found]:
    """Walk conditions that one number is less than what a table has for another."""
    found: list[tuple[int, str, Bools]] = []
    for (given, column), (asked, other) in permutations(terms.items(), 2):
        top = int(column.max())
        if column.min() < 0 or other.min() < 0 or top >= _MOST_ENTRIES or not spend(4):
            continue
        # Less than any number that a bad move leaves, and one more than all where there is none.
        bound = np.full(top + 1, int(other.max()) + 1, dtype=np.int64)
        np.minimum.at(bound, column[bad], other[bad])
        held = other < bound[column]
        if held.any():
            entries = ", ".join(map(str, bound.tolist()))
            found.append((len(entries), f"{asked} < entry({given}, {entries})", held))
    for _, text, held in sorted(found, key=lambda one: one[:2]):
        yield (text,), held


_MOST_TERMS = 120
_FEW = 4
_MOST_PLAIN = 6
_MOST_JOINED = 5
"""Of how many plain numbers sums and differences are tried, and nim-sums of any of them."""


def number_terms(space: StateSpace) -> list[str]:
    """Write the numbers of a state that the rules suggest, in the strategy language.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> number_terms(explore(CompiledGame(load_sheet("nim:2,3"))))[:3]
    ['heap.2', 'nimsum(heap.2)', 'largest(heap.2)']
    """
    network = space.game.network
    fluents = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
    found: dict[str, None] = {}
    plain: list[str] = []
    on_board: dict[str, None] = {}
    numbered = number_arguments(space.game)
    for name, argument in numbered:
        patterns = _patterns("number", fluents, name, {argument})
        if not _is_one_number(space, fluents, name, argument):
            # Places of several things: their sum says nothing, but their nim-sum may.
            found.update(dict.fromkeys(p.replace("number", "nimsum", 1) for p in patterns[:_FEW]))
            continue
        kinds = ("nimsum", "largest", "smallest") if len(patterns) > 1 else ()
        found[f"{name}.{argument}"] = None
        found.update(dict.fromkeys(f"{kind}({name}.{argument})" for kind in kinds))
        if 1 < len(patterns) <= _FEW:
            found.update(dict.fromkeys(f"distance({a}, {b})" for a, b in _alike(patterns)))
            found.update(dict.fromkeys(patterns))
        if len(patterns) <= _MOST_PLAIN:
            plain += patterns if len(patterns) > 1 else [f"{name}.{argument}"]
            found.update(dict.fromkeys(_between(patterns)))
    for name in dict.fromkeys(fluent.name for fluent in fluents):
        counting = [argument for of, argument in numbered if of == name]
        whole = _patterns("count", fluents, name, set(counting))
        if counting and len(whole) <= _FEW:
            found.update(dict.fromkeys(whole))
            for kind in ("groups", "dark", "light"):
                on_board.update(dict.fromkeys(p.replace("count", kind, 1) for p in whole))
        for argument in counting:
            rows = _patterns("count", fluents, name, {argument})
            if 1 < len(rows) <= 2 * _FEW and len(counting) > 1:
                found.update(dict.fromkeys(rows))
                found.update(dict.fromkeys(f"{a} - {b}" for a, b in _alike(rows)))
    if len(plain) <= _MOST_PLAIN:
        found.update(dict.fromkeys(_joined(plain)))
    return list(found | on_board)[:_MOST_TERMS]


def _joined(plain: Sequence[str]) -> Iterator[str]:
    """Walk differences, sums and nim-sums of plain numbers."""
    for one, other in combinations(plain, 2):
        yield f"{one} - {other}"
        yield f"{one} + {other}"
    if len(plain) <= _MOST_JOINED:
        for size in range(2, len(plain) + 1):
            for chosen in combinations(plain, size):
                yield f"xor({', '.join(chosen)})"


def _between(patterns: Sequence[str]) -> Iterator[str]:
    """Write the nim-sum of every other room between things in a line, from its end on."""
    for line in (patterns, patterns[::-1]):
        rooms = [f"{b} - {a} - 1" for a, b in pairwise(line)][::-2]
        if len(rooms) > 1:
            yield f"xor({', '.join(rooms)})"


def _is_one_number(
    space: StateSpace, fluents: Sequence[Function], name: str, argument: int
) -> bool:
    """Return whether there is one number at an argument at most for whatever stands beside it."""
    columns = columns_of(space)
    held: dict[tuple[object, ...], list[Function]] = {}
    for fluent in fluents:
        if fluent.name == name and len(fluent.args) >= argument:
            beside = (*fluent.args[: argument - 1], *fluent.args[argument:])
            held.setdefault(beside, []).append(fluent)
    totals = (np.sum([columns.fluent(f) for f in group], axis=0) for group in held.values())
    return all(int(total.max()) <= 1 for total in totals)


def _patterns(kind: str, fluents: Sequence[Function], name: str, free: set[int]) -> list[str]:
    """Write a number for each way to fill in the arguments of a name that are not free."""
    found: dict[str, None] = {}
    for fluent in fluents:
        if fluent.name == name and fluent.args:
            args = tuple(
                Function("_") if place in free else arg
                for place, arg in enumerate(fluent.args, start=1)
            )
            if args != fluent.args:
                found[f"{kind}({write_term(Function(name, args))})"] = None
    return list(found)


def _alike(patterns: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of patterns that differ in one argument."""
    return [
        (a, b)
        for a, b in combinations(patterns, 2)
        if sum(x != y for x, y in zip(a.split(), b.split(), strict=True)) == 1
    ]
