"""StateSpace in, numbers of the state out that may tell what to leave, in the strategy language.

Plain numbers are those at arguments, with what stands beside them fixed. Others are made of them:
sums, differences and nim-sums of a few, and what lies between things in a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np

from kibitz.gdl import Function
from kibitz.space import StateSpace
from kibitz.strategy import columns_of, number_arguments, write_term

__all__ = ["number_terms"]

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
