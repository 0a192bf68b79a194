"""A RuleSheet in, the constants that each field of its fluents may hold out, without grounding.

For games that cannot be grounded. A variable holds what all its places in the body of its rule have
in common; constants flow from facts and bodies to heads until there is nothing new. The result may
be more than is ever reached, and is never less.
"""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.gdl import Atom, Clause, Function, RuleSheet, Term, Variable, clauses_of

__all__ = ["field_domains"]

Path = tuple[str, ...]
Domains = dict[Path, set[str]]

_ROUNDS = 60
_STATE = {"init": "true", "next": "true", "base": "true", "legal": "does", "input": "does"}


def field_domains(sheet: RuleSheet) -> dict[tuple[str, int], list[set[str]]] | None:
    """Return the constants of every argument of fluents without functions; None if it takes long.

    >>> from kibitz.gdl import parse
    >>> domains = field_domains(parse("(init (at 1)) (succ 1 2) (succ 2 3)"
    ...     "(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))"))
    >>> sorted(domains["at", 1][0])
    ['1', '2', '3']
    """
    clauses = clauses_of(sheet)
    domains: Domains = {}
    for _ in range(_ROUNDS):
        if not sum(_flow(clause, domains) for clause in clauses):
            break
    else:
        return None
    found: dict[tuple[str, int], list[set[str]]] = {}
    for path, values in domains.items():
        if path[0] == "true" and len(path) == 4:
            _, name, arity, place = path
            listed = found.setdefault((name, int(arity)), [set() for _ in range(int(arity))])
            listed[int(place)] |= values
    return found


def _flow(clause: Clause, domains: Domains) -> bool:
    """Let constants flow through one clause; return whether any is new."""
    allowed: dict[Variable, set[str]] = {}
    for atom in clause.positive:
        for path, term in _places(atom):
            if isinstance(term, Variable):
                known = domains.get(path, set())
                allowed[term] = allowed[term] & known if term in allowed else set(known)
    is_new = False
    for path, term in _places(clause.head):
        values = allowed.get(term, set()) if isinstance(term, Variable) else {term.name}
        held = domains.setdefault(path, set())
        if not values <= held:
            held |= values
            is_new = True
    return is_new


def _places(atom: Atom) -> Iterator[tuple[Path, Term]]:
    """Walk the arguments of an atom, and separately those of function terms."""
    relation = _STATE.get(atom.relation, atom.relation)
    for number, arg in enumerate(atom.args):
        if relation in ("true", "does"):
            # All relations about states range over the same fluents.
            yield from _inside((relation,), arg) if number == len(atom.args) - 1 else ()
        else:
            yield from _inside((relation, str(len(atom.args)), str(number)), arg)


def _inside(path: Path, term: Term) -> Iterator[tuple[Path, Term]]:
    if isinstance(term, Variable) or not term.args:
        yield path, term
        return
    for number, arg in enumerate(term.args):
        inner = (*path, term.name, str(len(term.args)), str(number))
        if isinstance(arg, Function) and arg.args and len(inner) > 12:
            continue  # lists in lists: they name no board
        yield from _inside(inner, arg)
