"""Reduce the clauses of a sheet to those that matter, with facts as ranges.

Two clauses with the same form are the same rule: names of variables, the order of conditions, and
conditions that a sentence implies make no difference.

A table of 64 squares becomes one fact for A from 1 to 8 and B from 1 to 8; a chain becomes one
for neighbours in a list; what has no such order is listed row by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kibitz.gdl import (
    Atom,
    Clause,
    Dependencies,
    Function,
    RuleSheet,
    Term,
    Variable,
    clauses_of,
    substitute_all,
    variables_of,
)


def live_clauses(sheet: RuleSheet) -> list[Clause]:
    """Return the clauses that say what happens, without those that nothing needs."""
    depends = Dependencies.of(sheet)
    live = {"role", "init", "legal", "next", "goal", "terminal"}
    for relation in tuple(live):
        live |= depends.reachable(relation)
    return list(dict.fromkeys(c for c in clauses_of(sheet) if c.head.relation in live))


def clause_variables(clause: Clause) -> Iterator[Variable]:
    """Yield the variables of a clause, as often as they come."""
    for atom in (clause.head, *clause.positive, *clause.negative):
        yield from variables_of(atom)
    for pair in clause.distinct:
        for term in pair:
            yield from variables_of(term)


def canonical(clause: Clause) -> object:
    """Return a clause with its variables numbered in the order in which they come."""
    first = [Atom("true", clause.head.args)] if stays(clause) else []
    if (player := player_of(clause.head)) is not None:  # only players have moves and results
        first.append(Atom("role", (player,)))
    rest = [one for one in clause.positive if not is_implied(one, clause)]
    ordered = Clause(clause.head, (*first, *rest), clause.negative, clause.distinct)
    bindings: dict[Variable, Term] = {}
    for variable in clause_variables(ordered):
        bindings.setdefault(variable, Variable(f"#{len(bindings)}"))  # unlike any other
    one = substitute_all(ordered, bindings)
    return one.head, frozenset(one.positive), frozenset(one.negative), frozenset(one.distinct)


def player_of(head: Atom) -> Variable | None:
    """Return the variable that stands for the player whom a head is about."""
    if head.relation in ("legal", "goal") and isinstance(head.args[0], Variable):
        return head.args[0]
    return None


def is_implied(atom: Atom, clause: Clause) -> bool:
    """Return whether a sentence says a condition without it: "it stays so", who makes moves."""
    head = clause.head
    if atom.relation == "role":
        does = (one.args[0] for one in clause.positive if one.relation == "does")
        return isinstance(atom.args[0], Variable) and atom.args[0] in (player_of(head), *does)
    return head.relation == "next" and atom.relation == "true" and atom.args == head.args


def stays(clause: Clause) -> bool:
    """Return whether a clause says that what is so stays so."""
    head = clause.head
    return head.relation == "next" and any(
        atom.relation == "true" and atom.args == head.args for atom in clause.positive
    )


def turn_clauses(
    clauses: Sequence[Clause], fluent: str, roles: Sequence[str]
) -> tuple[str, frozenset[Clause]]:
    """Return who begins, and all clauses about whose turn it is, if roles have it in their order.

    >>> from kibitz.gdl import clauses_of, parse
    >>> text = "(init (turn x)) (<= (next (turn x)) (true (turn o))) "
    >>> text += "(<= (next (turn o)) (true (turn x)))"
    >>> first, found = turn_clauses(clauses_of(parse(text)), "turn", ["x", "o"])
    >>> first, len(found)
    ('x', 3)
    """
    about = [c for c in clauses if c.head.relation in ("init", "next") and _is_turn(c, fluent)]
    for first in roles if len(roles) > 1 else ():
        wanted = {Clause(Atom("init", (_turn(fluent, first),)))} | {
            Clause(Atom("next", (_turn(fluent, after),)), (Atom("true", (_turn(fluent, role),)),))
            for role, after in zip(roles, (*roles[1:], roles[0]), strict=True)
        }
        if set(about) == wanted:
            return first, frozenset(wanted)
    return "", frozenset()


def _is_turn(clause: Clause, fluent: str) -> bool:
    told = clause.head.args[0]
    return not isinstance(told, Function) or (told.name == fluent and len(told.args) == 1)


def _turn(fluent: str, role: str) -> Function:
    return Function(fluent, (Function(role),))


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
