"""The reference engine: clear and slow, on clingo, straight from the definition of GDL.

This is the oracle that faster engines are compared with, so it shares no code with them beyond
`gdl`. Each question to a state is one logic program: the clauses that the question depends on,
the state as `true` facts and, for the successor, the joint move as `does` facts. A valid rule
sheet has exactly one answer set for each (paper 002, section "Game Description Language").

Constants become strings and function terms become tuples, ``("cell","1","1","b")``, so that no
name needs escaping and none can clash with clingo's own syntax.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from functools import lru_cache
from typing import NamedTuple, cast

import clingo

from kibitz.engine.game import Game, Goal, Move, Role, State
from kibitz.errors import KibitzError
from kibitz.gdl import (
    KEYWORD_ARITY,
    Atom,
    Clause,
    Function,
    RuleSheet,
    Term,
    Variable,
    clauses_of,
    on_demand,
)

_Key = frozenset[Function]


class _View(NamedTuple):
    """Legal moves, goals and end of a state, derived before any role moves."""

    legal: dict[Role, tuple[Move, ...]]
    goals: dict[Role, Goal]
    is_terminal: bool


class ReferenceGame(Game):
    """A game played by asking clingo anew in every state.

    >>> from kibitz.gdl import read
    >>> game = ReferenceGame(read('''
    ...     (role me) (init (step 1)) (succ 1 2)
    ...     (legal me wait)
    ...     (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    ...     (<= terminal (true (step 2)))
    ...     (<= (goal me 100) terminal)
    ... '''))
    >>> state = game.initial().step(["wait"])
    >>> print(state, state.is_terminal, state.goals)
    (step 2) True {'me': 100}
    """

    def __init__(self, sheet: RuleSheet) -> None:
        self.sheet = sheet
        clauses = on_demand(clauses_of(sheet))
        self._start = _program(clauses, ("role", "init"))
        self._look = _program(clauses, ("legal", "goal", "terminal"))
        self._update = _program(clauses, ("next",))
        start = _answer(self._start)
        roles = [symbol_to_term(a.arguments[0]) for a in start if a.name == "role"]
        self._role_terms = {str(role): _term(role) for role in roles}
        written = [str(r.head.args[0]) for r in sheet.rules if r.head.relation == "role"]
        self.roles = tuple(sorted(self._role_terms, key=lambda r: (_index(written, r), r)))
        self._initial = frozenset(symbol_to_term(a.arguments[0]) for a in start if a.name == "init")
        self._view = lru_cache(maxsize=1024)(self._compute_view)

    def initial(self) -> State:
        """Return the state in which every match starts."""
        return State(self, self._initial)

    def state_of(self, fluents: Iterable[Function]) -> State:
        """Return the state in which exactly these terms hold."""
        return State(self, frozenset(fluents))

    def fluents(self, key: Hashable) -> tuple[Function, ...]:
        """Return the fluents that hold in a state, sorted by their text."""
        return tuple(sorted(cast(_Key, key), key=self.write))

    def legal(self, key: Hashable, role: Role) -> tuple[Move, ...]:
        """Return the moves of a role that the rules allow, sorted by their text."""
        return self._view(cast(_Key, key)).legal[role]

    def is_terminal(self, key: Hashable) -> bool:
        """Return whether play has ended."""
        return self._view(cast(_Key, key)).is_terminal

    def goals(self, key: Hashable) -> dict[Role, Goal]:
        """Return the goal value of each role."""
        return dict(self._view(cast(_Key, key)).goals)

    def goal_terms(self, fluents: Iterable[Function], role: Role) -> tuple[Function, ...]:
        """Return all goals that the rules derive for a role in a state, usable values or not."""
        found = [
            symbol_to_term(atom.arguments[1])
            for atom in _answer(self._look + _facts(frozenset(fluents)))
            if atom.name == "goal" and str(symbol_to_term(atom.arguments[0])) == role
        ]
        return tuple(sorted(found, key=str))

    def successor(self, key: Hashable, joint: tuple[Move, ...]) -> State:
        """Return the state after a joint move."""
        moves = [
            f"does({self._role_terms[role]},{_term(move)})."
            for role, move in zip(self.roles, joint, strict=True)
        ]
        answer = _answer(self._update + _facts(cast(_Key, key)) + "".join(moves))
        return State(self, frozenset(symbol_to_term(a.arguments[0]) for a in answer))

    def _compute_view(self, key: _Key) -> _View:
        answer = _answer(self._look + _facts(key))
        legal: dict[Role, list[Move]] = {role: [] for role in self.roles}
        values: dict[Role, list[Function]] = {role: [] for role in self.roles}
        for atom in answer:
            if atom.name == "terminal":
                continue
            role, value = (symbol_to_term(argument) for argument in atom.arguments)
            found = legal if atom.name == "legal" else values
            if str(role) in found:
                found[str(role)].append(value)
        return _View(
            {role: tuple(sorted(moves, key=self.write)) for role, moves in legal.items()},
            {role: _only_number(found) for role, found in values.items()},
            any(atom.name == "terminal" for atom in answer),
        )


def _index(written: list[str], role: str) -> int:
    return written.index(role) if role in written else len(written)


def _only_number(values: list[Function]) -> Goal:
    if len(values) != 1 or values[0].args or not re.fullmatch(r"[0-9]{1,9}", values[0].name):
        return None
    value = int(values[0].name)
    return value if value <= 100 else None


def _answer(program: str) -> list[clingo.Symbol]:
    """Return the shown atoms of the one answer set of a program."""
    control = clingo.Control(["--warn=none"], logger=lambda _code, _message: None)
    control.add("base", [], program)
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        for model in handle:
            return list(model.symbols(shown=True))
    raise KibitzError("the rules contradict one another in this state: they have no answer set")


def _program(clauses: Iterable[Clause], questions: tuple[str, ...]) -> str:
    """Write the clauses that some relations depend on as a clingo program that shows those."""
    by_head: dict[str, list[Clause]] = {}
    for clause in clauses:
        by_head.setdefault(clause.head.relation, []).append(clause)
    needed: dict[str, None] = {}
    stack = list(questions)
    while stack:
        relation = stack.pop()
        if relation not in needed:
            needed[relation] = None
            for clause in by_head.get(relation, ()):
                stack.extend(a.relation for a in (*clause.positive, *clause.negative))
    lines = [_clause(clause) for relation in needed for clause in by_head.get(relation, ())]
    lines += [f"#show {question}/{KEYWORD_ARITY[question]}." for question in questions]
    return "\n".join(lines) + "\n"


def _clause(clause: Clause) -> str:
    body = [
        *(_atom(atom) for atom in clause.positive),
        *(f"not {_atom(atom)}" for atom in clause.negative),
        *(f"{_term(left)}!={_term(right)}" for left, right in clause.distinct),
    ]
    return f"{_atom(clause.head)} :- {', '.join(body)}." if body else f"{_atom(clause.head)}."


def _atom(atom: Atom) -> str:
    name = atom.relation
    if name not in KEYWORD_ARITY:
        name = "r_" + re.sub(r"[^A-Za-z0-9]", lambda m: f"_{ord(m.group()):x}_", name)
    return f"{name}({','.join(map(_term, atom.args))})" if atom.args else name


def _term(term: Term) -> str:
    if isinstance(term, Variable):
        return "V" + re.sub(r"[^A-Za-z0-9]", lambda m: f"_{ord(m.group()):x}_", term.name)
    name = f'"{_escaped(term.name)}"'
    return f"({name},{','.join(map(_term, term.args))})" if term.args else name


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')


def _facts(state: Iterable[Function]) -> str:
    return "".join(f"true({_term(fluent)})." for fluent in state)


def symbol_to_term(symbol: clingo.Symbol) -> Function:
    """Read a clingo string or tuple back as the term it stands for."""
    if symbol.type == clingo.SymbolType.String:
        return Function(symbol.string)
    name, *args = symbol.arguments
    return Function(name.string, tuple(symbol_to_term(arg) for arg in args))
