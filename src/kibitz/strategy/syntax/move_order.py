"""Moves, or formulas to count, in; out chains of formulas that prefer some moves to others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kibitz.board import chains_of
from kibitz.engine import Move, Role
from kibitz.gdl import Function, RuleSheet
from kibitz.strategy import tree
from kibitz.strategy.syntax.numbers import Number

__all__ = ["chain_of", "counting_chain", "distances", "number_units", "number_values"]

_MOST_UNITS = 1000
"""The largest sum of fluents that is counted by ones."""


def number_values(values: Iterable[Function], sheet: RuleSheet) -> dict[Function, int] | None:
    """Number values in their order: as numbers, or by a successor relation of the rule sheet.

    None if they have no order.

    >>> from kibitz.gdl import parse, parse_terms
    >>> numbered = number_values(parse_terms("b a"), parse("(succ a b) (succ b c)"))
    >>> {str(value): number for value, number in numbered.items()}
    {'a': 0, 'b': 1}
    """
    known = set(values)
    if all(value.name.isdecimal() and not value.args for value in known):
        return {value: int(value.name) for value in known}
    for chain in chains_of(sheet):
        ordered = [Function(name) for name in chain if Function(name) in known]
        if len(ordered) == len(known):
            return {value: number for number, value in enumerate(ordered)}
    return None


def distances(numbers: Mapping[Move, int]) -> dict[Move, int]:
    """Return twice the distance of each number from the middle between the least and the most.

    >>> list(distances({Function("a"): 1, Function("b"): 2, Function("c"): 4}).values())
    [3, 1, 3]
    """
    middle = min(numbers.values()) + max(numbers.values())
    return {move: abs(2 * number - middle) for move, number in numbers.items()}


def chain_of(cost: Mapping[Move, int], role: Role) -> tuple[tree.Formula, ...]:
    """Return formulas that ask for cheaper and cheaper moves, the weakest first.

    >>> moves = [Function(name) for name in "abc"]
    >>> [len(list(str(f).split("Does"))) - 1 for f in chain_of(dict(zip(moves, (2, 1, 1))), "me")]
    [3, 2]
    """
    levels: Sequence[int] = sorted(set(cost.values()), reverse=True)
    made = [(tree.Does(role, move), own) for move, own in cost.items()]
    chain = (tuple(does for does, own in made if own <= level) for level in levels)
    return tuple(tree.Or(parts) if len(parts) > 1 else parts[0] for parts in chain)


def counting_chain(parts: Iterable[tree.Formula]) -> tuple[tree.Formula, ...]:
    """Return formulas that ask for more and more parts, the weakest first.

    >>> parts = tree.Initial(), tree.TRUE, tree.Terminal()
    >>> [formula.count for formula in counting_chain(parts)]
    [1, 2]
    """
    counted = tuple(part for part in parts if not isinstance(part, tree.Const))
    return tuple(tree.AtLeast(count, counted) for count in range(1, len(counted) + 1)) or (
        tree.TRUE,
    )


def number_units(number: Number) -> tuple[tree.Formula, ...]:
    """Return formulas of which a fixed number more hold in a state whose number is larger by it.

    >>> from kibitz.strategy.syntax.numbers import Number
    >>> a, b = Function("a"), Function("b")
    >>> two = Number("minus", parts=(Number("count", ((a, 1),)), Number("count", ((b, 1),))))
    >>> [type(unit).__name__ for unit in number_units(two)]
    ['Holds', 'Not']
    """
    if number.kind == "constant":
        return ()
    if number.kind in ("plus", "minus"):
        one, other = map(number_units, number.parts)
        return one + (other if number.kind == "plus" else tuple(map(tree.negation, other)))
    if number.kind in ("number", "sum", "count") and _is_small(number):
        return tuple(tree.Holds(fluent) for fluent, value in number.things for _ in range(value))
    if number.kind == "largest" and min((value for _, value in number.things), default=0) >= 0:
        most = max((value for _, value in number.things), default=0)
        return tuple(
            tree.disjunction(
                tree.Holds(fluent) for fluent, value in number.things if value >= least
            )
            for least in range(1, min(most, _MOST_UNITS + 1) + 1)
        )
    if number.kind == "cases":
        return tuple(
            tree.conjunction(
                tree.Holds(f) if asked else tree.Not(tree.Holds(f)) for f, asked in case
            )
            for case in number.cases()
        )
    low, high = number.bounds()
    return tuple(
        tree.NumberIs(number, ">=", Number("constant", constant=value))
        for value in range(low + 1, high + 1)
    )


def _is_small(number: Number) -> bool:
    """Return whether a sum of fluents can be counted by ones."""
    values = [value for _, value in number.things]
    return min(values, default=0) >= 0 and sum(values) <= _MOST_UNITS
