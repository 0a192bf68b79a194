"""Read fluents that no rule changes from the initial state.

Some sheets list the walls of a maze as fluents, which a frame rule keeps as they are. As fluents
they may hold or not, and all that follows from them is derived for both. But what holds initially
holds always, and nothing is added; so rules can ask `init` in the place of `true`.
"""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.gdl import Atom, Clause, Function, Term, Variable

Functor = tuple[str, int]


def fix(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """Replace `true` by `init` for fluents that only a frame rule for all of them derives.

    >>> from kibitz.gdl import clauses_of, parse
    >>> text = "(<= (next (wall ?x)) (true (wall ?x))) (<= terminal (true (wall 2)))"
    >>> print(*fix(clauses_of(parse(text)))[-1].positive)
    (init (wall 2))
    """
    listed = tuple(clauses)
    fixed = fixed_functors(listed)

    def asked(atom: Atom) -> Atom:
        is_fixed = atom.relation == "true" and _functor(atom.args[0]) in fixed
        return Atom("init", atom.args) if is_fixed else atom

    return tuple(
        clause
        if clause.head.relation == "next" and _functor(clause.head.args[0]) in fixed
        else Clause(
            clause.head,
            tuple(map(asked, clause.positive)),
            tuple(map(asked, clause.negative)),
            clause.distinct,
        )
        for clause in listed
    )


def fixed_functors(clauses: Iterable[Clause]) -> set[Functor]:
    """Find the fluents, by name and arity, that hold in a state exactly if they hold initially.

    >>> from kibitz.gdl import clauses_of, parse
    >>> fixed_functors(clauses_of(parse("(init (wall 1)) (<= (next (wall ?x)) (true (wall ?x)))")))
    {('wall', 1)}
    """
    derived: dict[Functor | None, list[Clause]] = {}
    for clause in clauses:
        if clause.head.relation in ("init", "next"):
            derived.setdefault(_functor(clause.head.args[0]), []).append(clause)
    if None in derived:
        return set()
    return {
        functor
        for functor, found in derived.items()
        if functor is not None
        and any(map(_keeps_all, found))
        and all(clause.head.relation == "init" or _keeps_all(clause) for clause in found)
    }


def _functor(term: Term) -> Functor | None:
    return (term.name, len(term.args)) if isinstance(term, Function) else None


def _keeps_all(clause: Clause) -> bool:
    """Return whether a clause says that fluents of a kind stay, whatever their arguments."""
    (fluent,) = clause.head.args
    return (
        clause.head.relation == "next"
        and isinstance(fluent, Function)
        and clause.positive == (Atom("true", (fluent,)),)
        and not clause.negative
        and not clause.distinct
        and all(isinstance(arg, Variable) for arg in fluent.args)
        and len(set(fluent.args)) == len(fluent.args)
    )
