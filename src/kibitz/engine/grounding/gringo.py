"""Ground clauses with clingo's grounder into propositional rules over numbered atoms.

In the program every fluent that can hold at the start or follow by `next` may hold or not, and
every legal move may be made or not, so grounding it gives all instances of rules that any reachable
state may need. It runs in a child process with its own limits, because a rule sheet can ask for
more memory than there is.
"""

from __future__ import annotations

import contextlib
import marshal
import re
import signal
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kibitz.budget import Budget, Stopwatch, time_left
from kibitz.engine.grounding.grounder_child import Rule, Shown
from kibitz.errors import KibitzError
from kibitz.gdl import KEYWORD_ARITY, Atom, Clause, Function, Term, Variable
from kibitz.processes import start_python

_SHOWN = ("role", "init", "true", "does", "next", "legal", "goal", "terminal")
_OPEN_WORLD = """
{true(F)} :- init(F).
{true(F)} :- next(F).
{does(R,M)} :- legal(R,M).
"""

_POSSIBLE_WORLD = """
{true(F)} :- r_true_3b_possible(F).
{does(R,M)} :- r_does_3b_possible(R,M).
"""
"""The same where clauses derive by themselves what may hold: nothing then feeds back, so the
grounder goes through each rule once, and knows which negated atoms can never hold."""

_CHILD = Path(__file__).with_name("grounder_child.py")


@dataclass(frozen=True, slots=True)
class GroundRules:
    """Rules over atoms numbered from 1; a negative number in a body is a negated atom.

    `facts` and `atoms` name the keyword atoms: those that always hold, and those with a number.
    """

    rules: list[tuple[int, tuple[int, ...]]]
    facts: list[tuple[str, tuple[Function, ...]]]
    atoms: list[tuple[str, tuple[Function, ...], int]]


class Grounder:
    """A child process that grounds clauses."""

    def __init__(self, clauses: Iterable[Clause], budget: Budget) -> None:
        self.budget = budget
        # Files, not pipes: no process needs to read while the child writes.
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `stop`
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        with tempfile.TemporaryFile() as source:
            source.write(write_program(clauses).encode())
            source.seek(0)
            limits = [str(max(1, round(budget.seconds))), str(budget.bytes)]
            self._child = start_python(
                _CHILD, limits, stdin=source, stdout=self._output, stderr=self._errors
            )

    @property
    def is_done(self) -> bool:
        """Whether the child has ended."""
        return self._child.poll() is not None

    @property
    def succeeded(self) -> bool:
        """Whether the child, which has ended, has grounded everything."""
        return self._child.returncode == 0

    def result(self) -> GroundRules:
        """Wait for the child and return what it found; raise BudgetExceededError if it failed."""
        watch = Stopwatch()
        while not self.is_done:
            left = min(self.budget.seconds - watch.seconds(), time_left())
            if left <= 0:
                raise self.budget.exceeded("time", "grounding")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(min(left, 0.1))
        if self.succeeded:
            self._output.seek(0)
            return named_rules(*marshal.loads(self._output.read()))
        self._errors.seek(0)
        errors = self._errors.read().decode(errors="replace")
        killed = {-getattr(signal, name, 0) for name in ("SIGXCPU", "SIGKILL")} - {0}
        if self._child.returncode in killed:
            raise self.budget.exceeded("time", "grounding")
        # Without memory it may even abort; its message then is only a word or two.
        if self._child.returncode < 0 or re.search(r"bad_alloc|[Mm]emory ?(Error|for)", errors):
            raise self.budget.exceeded("memory", "grounding")
        raise KibitzError(f"the grounder failed: {errors[-500:]}")

    def stop(self) -> None:
        """End the child if it still runs, and delete what it wrote."""
        if not self.is_done:
            self._child.kill()
            self._child.wait()
        self._output.close()
        self._errors.close()


def ground_clauses(clauses: Iterable[Clause], budget: Budget) -> GroundRules:
    """Ground clauses; raise BudgetExceededError when that takes too much."""
    grounder = Grounder(clauses, budget)
    try:
        return grounder.result()
    finally:
        grounder.stop()


def write_program(clauses: Iterable[Clause]) -> str:
    """Write clauses as a program for clingo whose ground rules are those that play may need."""
    needed = _needed(clauses)
    has_possible = any(clause.head.relation == "true;possible" for clause in needed)
    world = _POSSIBLE_WORLD if has_possible else _OPEN_WORLD
    return "\n".join([*map(_clause, needed), world, *map(_show, _SHOWN)])


def named_rules(rules: list[Rule], shown: Iterable[Shown]) -> GroundRules:
    """Give the atoms that clingo shows their names in GDL."""
    known: dict[object, Function] = {}

    def term(written: object) -> Function:
        if written not in known:
            if isinstance(written, tuple):
                name, *args = written
                known[written] = Function(name, tuple(map(term, args)))
            else:
                known[written] = Function(str(written))
        return known[written]

    facts = [(name, tuple(map(term, args))) for name, args, atom in shown if not atom]
    atoms = [(name, tuple(map(term, args)), atom) for name, args, atom in shown if atom]
    return GroundRules(rules, facts, atoms)


def _needed(clauses: Iterable[Clause]) -> list[Clause]:
    """Keep the clauses that roles, states, moves or goals depend on."""
    by_head: dict[str, list[Clause]] = {}
    for clause in clauses:
        by_head.setdefault(clause.head.relation, []).append(clause)
    needed: dict[str, None] = {}
    stack = [*_SHOWN, "true;possible", "does;possible"]
    while stack:
        relation = stack.pop()
        if relation not in needed:
            needed[relation] = None
            for clause in by_head.get(relation, ()):
                stack.extend(a.relation for a in (*clause.positive, *clause.negative))
    return [clause for relation in needed for clause in by_head.get(relation, ())]


def _show(relation: str) -> str:
    return f"#show {relation}/{KEYWORD_ARITY[relation]}."


def _clause(clause: Clause) -> str:
    body = [
        *(_atom(atom) for atom in clause.positive),
        *(f"not {_atom(atom)}" for atom in clause.negative),
        *(f"{_term(left)}!={_term(right)}" for left, right in clause.distinct),
    ]
    return f"{_atom(clause.head)}:-{','.join(body)}."


def _atom(atom: Atom) -> str:
    name = atom.relation if atom.relation in KEYWORD_ARITY else f"r_{_mangled(atom.relation)}"
    return f"{name}({','.join(map(_term, atom.args))})" if atom.args else name


def _term(term: Term) -> str:
    if isinstance(term, Variable):
        return f"V{_mangled(term.name)}"
    name = '"' + term.name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"({name},{','.join(map(_term, term.args))})" if term.args else name


def _mangled(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", lambda m: f"_{ord(m.group()):x}_", name)
