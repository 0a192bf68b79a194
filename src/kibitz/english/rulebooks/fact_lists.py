"""The rows of a table in, the same as few facts with ranges out.

A table of 64 squares becomes one fact for A from 1 to 8 and B from 1 to 8; a chain becomes one
for neighbours in a list; what has no such order is listed row by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kibitz.gdl import Term, Variable

__all__ = ["Range", "fact_lists"]

_Row = tuple[Term, ...]
_FEW = 3


@dataclass(frozen=True, slots=True)
class Range:
    """Variables, and the rows of values that they take together."""

    variables: tuple[Variable, ...]
    rows: tuple[_Row, ...]
    is_chain: bool = False


def fact_lists(rows: Sequence[_Row]) -> Iterator[tuple[_Row, list[Range]]]:
    """Yield terms with variables, and what these range over, that make up all rows.

    >>> from kibitz.gdl import Function
    >>> numbers = [Function(str(n)) for n in range(3)]
    >>> facts = list(fact_lists([(a, b) for a in numbers for b in numbers]))
    >>> [(terms, [len(one.rows) for one in ranges]) for terms, ranges in facts]
    [((?v0, ?v1), [3, 3])]
    """
    unique = list(dict.fromkeys(rows))
    if unique and any(isinstance(term, Variable) for row in unique for term in row):
        for row in unique:
            yield row, []
        return
    chains = _chains(unique)
    if chains is not None:
        pair = (Variable("v0"), Variable("v1"))
        for chain in chains:
            yield pair, [Range(pair, tuple(chain), is_chain=True)]
        return
    blocks = _blocks(unique)
    loose = [block for block in blocks if all(len(values) == 1 for values in block)]
    for block in blocks:
        if block in loose and len(loose) > _FEW:
            continue
        terms: list[Term] = []
        ranges: list[Range] = []
        for values in block:
            if len(values) == 1:
                terms.append(values[0])
            else:
                variable = Variable(f"v{len(ranges)}")
                terms.append(variable)
                ranges.append(Range((variable,), tuple((value,) for value in values)))
        yield tuple(terms), ranges
    if len(loose) > _FEW:
        yield _listed([tuple(values[0] for values in block) for block in loose])


def _listed(rows: list[_Row]) -> tuple[_Row, list[Range]]:
    """Return one fact for rows without an order; what is the same in all is said once."""
    varying = [n for n in range(len(rows[0])) if len({row[n] for row in rows}) > 1]
    variables = {n: Variable(f"v{k}") for k, n in enumerate(varying)}
    terms = tuple(variables.get(n, term) for n, term in enumerate(rows[0]))
    picked = tuple(tuple(row[n] for n in varying) for row in rows)
    return terms, [Range(tuple(variables.values()), picked)]


def _blocks(rows: list[_Row]) -> list[tuple[_Row, ...]]:
    """Merge rows that differ in one place, last place first; each block is a product of values."""
    blocks: list[tuple[_Row, ...]] = [tuple((term,) for term in row) for row in rows]
    if not blocks:
        return blocks
    for place in reversed(range(len(blocks[0]))):
        merged: dict[object, tuple[_Row, ...]] = {}
        for block in blocks:
            key = (*block[:place], *block[place + 1 :])
            known = merged.get(key)
            values = (*known[place], *block[place]) if known else block[place]
            merged[key] = (*block[:place], values, *block[place + 1 :])
        blocks = list(merged.values())
    return blocks


def _chains(rows: list[_Row]) -> list[list[_Row]] | None:
    """Return pairs as chains; None if they are none, or too short to matter."""
    if len(rows) < _FEW or any(len(row) != 2 for row in rows):
        return None
    after = {row[0]: row for row in rows}
    ends = {row[1] for row in rows}
    if len(after) < len(rows) or len(ends) < len(rows):
        return None
    chains: list[list[_Row]] = []
    for start in (row[0] for row in rows if row[0] not in ends):
        chain: list[_Row] = []
        at = start
        while at in after:
            chain.append(after[at])
            at = after[at][1]
        chains.append(chain)
    is_long = sum(map(len, chains)) == len(rows) and len(chains) * 2 <= len(rows)
    return chains if is_long else None
