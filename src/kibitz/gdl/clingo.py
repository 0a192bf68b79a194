"""Write a rule sheet as a clingo program: one step of a match, or whole matches with time.

The one-step program takes a state as `true/1` facts; each answer set is one joint move with the
state it leads to. The program with time has `holds(F,T)` and `does(R,M,T)`; each answer set is one
match from the given state to its end (paper 004, sections 3.1 and 3.2.2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kibitz.gdl.clauses import Clause, clauses_of, on_demand
from kibitz.gdl.terms import KEYWORD_ARITY, Atom, Function, RuleSheet, Term, Variable

_PLAIN = re.compile(r"_*[a-z][A-Za-z0-9_']*")
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,8}")
_RESERVED = frozenset({"not"})
_OWN = frozenset(
    {"holds", "time", "on", "strat", "differs", "turn", "many", "choosing", "choice",
     "acts", "acting", "able", "stuck", "playing"}
)  # fmt: skip


@dataclass(frozen=True)
class Names:
    """How GDL's names look in clingo.

    Numbers and names that clingo can read stay as they are; any other name gets a unique name that
    clingo can read.

    >>> names = Names.of(["cell", "X", "not"])
    >>> [names.term(Function(n)) for n in ("cell", "X", "not", "12")]
    ['cell', 'n_X', 'n_not', '12']
    """

    written: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, names: Iterable[str]) -> Names:
        """Find clingo's names for GDL's."""
        wanted = dict.fromkeys(names)
        taken = {name for name in wanted if _is_plain(name)}
        written: dict[str, str] = {}
        for name in wanted:
            if not _is_plain(name) and not _NUMBER.fullmatch(name):
                new = "n_" + re.sub(r"[^A-Za-z0-9_]", "_", name)
                while new in taken:
                    new += "_"
                taken.add(new)
                written[name] = new
        return cls(written)

    @classmethod
    def of_sheet(cls, sheet: RuleSheet) -> Names:
        """Find clingo's names for everything in a rule sheet."""
        found: dict[str, None] = {}

        def walk(term: Term) -> None:
            if isinstance(term, Function):
                found[term.name] = None
                for arg in term.args:
                    walk(arg)

        for clause in on_demand(clauses_of(sheet)):
            for atom in (clause.head, *clause.positive, *clause.negative):
                found[atom.relation] = None
                for arg in atom.args:
                    walk(arg)
            for left, right in clause.distinct:
                walk(left)
                walk(right)
        return cls.of(found)

    def term(self, term: Term) -> str:
        """Write a term."""
        if isinstance(term, Variable):
            return "V" + re.sub(r"[^A-Za-z0-9]", lambda m: f"_{ord(m.group()):x}_", term.name)
        name = self.name(term.name)
        return f"{name}({','.join(map(self.term, term.args))})" if term.args else name

    def name(self, name: str) -> str:
        """Write a name."""
        return self.written.get(name, name)

    def relation(self, name: str) -> str:
        """Write the name of a relation; some names are reserved for the programs here."""
        if name in KEYWORD_ARITY:
            return name
        written = self.name(name)
        return f"{written}_" if written in _OWN else written


def _is_plain(name: str) -> bool:
    return bool(_PLAIN.fullmatch(name)) and name not in _RESERVED


def one_step_program(sheet: RuleSheet, names: Names | None = None) -> str:
    """Write the rules for one step from a state that is given as `true/1` facts.

    >>> from kibitz.gdl import read
    >>> print(one_step_program(read('''
    ...     (role me) (init (step 1)) (legal me wait)
    ...     (<= (next (step 2)) (does me wait))
    ...     (<= terminal (true (step 2))) (goal me 100)
    ... ''')))
    role(me).
    init(step(1)).
    legal(me,wait).
    next(step(2)) :- does(me,wait).
    terminal :- true(step(2)).
    goal(me,100).
    1 { does(R,M) : legal(R,M) } 1 :- role(R), not terminal.
    """
    names = names or Names.of_sheet(sheet)
    lines = [write_clause(clause, names) for clause in on_demand(clauses_of(sheet))]
    return "\n".join([*lines, "1 { does(R,M) : legal(R,M) } 1 :- role(R), not terminal."])


def explicit_time_program(
    sheet: RuleSheet,
    state: Iterable[Function],
    horizon: int,
    names: Names | None = None,
    *,
    must_end: bool = True,
) -> str:
    """Write the rules of whole matches from a state, at most `horizon` moves long.

    What does not depend on the state has no time. A step has a state only while the match goes on:
    `on(T)` says so.
    """
    names = names or Names.of_sheet(sheet)
    clauses = on_demand(clauses_of(sheet))
    timed = timed_relations(clauses)
    lines = [f"time(0..{horizon})."]
    lines += [f"holds({names.term(fluent)},0)." for fluent in state]
    for clause in clauses:
        if clause.head.relation != "init":
            lines.append(_timed_clause(clause, names, timed))
    lines += [
        "on(0).",
        "on(T+1) :- on(T), time(T+1), not terminal(T).",
        *([f":- on({horizon}), not terminal({horizon})."] if must_end else []),
        "1 { does(R,M,T) : legal(R,M,T) } 1 :- role(R), on(T), not terminal(T).",
    ]
    return "\n".join(lines)


def timed_relations(clauses: Sequence[Clause]) -> frozenset[str]:
    """Find the relations that depend on the state or on moves."""
    timed = {"true", "does", "next", "legal", "goal", "terminal"}
    while True:
        more = {
            clause.head.relation
            for clause in clauses
            for atom in (*clause.positive, *clause.negative)
            if atom.relation in timed
        } - timed
        if not more:
            return frozenset(timed)
        timed |= more


def write_clause(clause: Clause, names: Names) -> str:
    """Write a clause as it is, without time."""
    return _rule(
        _atom(clause.head, names),
        [_atom(atom, names) for atom in clause.positive],
        [_atom(atom, names) for atom in clause.negative],
        clause,
        names,
    )


def _timed_clause(clause: Clause, names: Names, timed: frozenset[str]) -> str:
    def write(atom: Atom, *, later: bool = False) -> str:
        if atom.relation not in timed:
            return _atom(atom, names)
        time = "T+1" if later else "T"
        if atom.relation in ("true", "next"):
            return f"holds({names.term(atom.args[0])},{time})"
        args = ",".join([*map(names.term, atom.args), time])
        return f"{names.relation(atom.relation)}({args})"

    positive = [write(atom) for atom in clause.positive]
    if clause.head.relation in timed:
        positive.append("on(T)")
    if clause.head.relation == "next":
        positive.append("not terminal(T)")
    negative = [write(atom) for atom in clause.negative]
    head = write(clause.head, later=clause.head.relation == "next")
    return _rule(head, positive, negative, clause, names)


def _rule(head: str, positive: list[str], negative: list[str], clause: Clause, names: Names) -> str:
    body = [
        *positive,
        *(f"not {atom}" for atom in negative),
        *(f"{names.term(left)} != {names.term(right)}" for left, right in clause.distinct),
    ]
    return f"{head} :- {', '.join(body)}." if body else f"{head}."


def _atom(atom: Atom, names: Names) -> str:
    name = names.relation(atom.relation)
    return f"{name}({','.join(map(names.term, atom.args))})" if atom.args else name
