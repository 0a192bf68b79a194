"""Ground clauses with clingo's grounder: clauses in, propositional rules over numbers out.

The program lets every fluent that can hold at the start or come about by `next` hold or not, and
every legal move be made or not, so that grounding it gives all instances of rules that any
reachable state may need. It runs in a child process with limits of its own, for a rule sheet can
ask for more memory than there is.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass

import clingo

from kibitz.budget import Budget
from kibitz.errors import KibitzError
from kibitz.gdl import KEYWORD_ARITY, Atom, Clause, Function, Term, Variable

__all__ = ["GroundRules", "ground_clauses"]

_SHOWN = ("role", "init", "true", "does", "next", "legal", "goal", "terminal")
_OPEN_WORLD = """
{true(F)} :- init(F).
{true(F)} :- next(F).
{does(R,M)} :- legal(R,M).
"""

_CHILD = """
import resource, sys
seconds, size = int(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
resource.setrlimit(resource.RLIMIT_AS, (size, size))
from clingo.application import Application, clingo_main
sys.exit(clingo_main(Application(), ["--mode=gringo", "--warn=none", "-"]))
"""


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
        program = "\n".join([*map(_clause, _needed(clauses)), _OPEN_WORLD, *map(_show, _SHOWN)])
        # Files, not pipes: nobody needs to read while the child writes.
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `stop`
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        with tempfile.TemporaryFile() as source:
            source.write(program.encode())
            source.seek(0)
            limits = [str(max(1, round(budget.seconds))), str(budget.bytes)]
            self._child = subprocess.Popen(
                [sys.executable, "-c", _CHILD, *limits],
                stdin=source,
                stdout=self._output,
                stderr=self._errors,
            )

    @property
    def is_done(self) -> bool:
        """Whether the child has ended."""
        return self._child.poll() is not None

    @property
    def succeeded(self) -> bool:
        """Whether the child, which has ended, has grounded everything."""
        return self._child.returncode in (0, 10, 20, 30)

    def result(self) -> GroundRules:
        """Wait for the child and give what it found; raise BudgetExceededError if it could not."""
        try:
            self._child.wait(self.budget.seconds)
        except subprocess.TimeoutExpired:
            raise self.budget.exceeded("time", "grounding") from None
        if self.succeeded:
            self._output.seek(0)
            return _read_aspif(self._output.read().decode())
        self._errors.seek(0)
        errors = self._errors.read().decode(errors="replace")
        if self._child.returncode < 0 or "INTERRUPTED" in errors:
            raise self.budget.exceeded("time", "grounding")
        if "bad_alloc" in errors or "MemoryError" in errors:
            raise self.budget.exceeded("memory", "grounding")
        raise KibitzError(f"the grounder failed: {errors[-500:]}")

    def stop(self) -> None:
        """End the child if it still runs, and forget what it wrote."""
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


def _needed(clauses: Iterable[Clause]) -> list[Clause]:
    """Keep the clauses that roles, states, moves or goals depend on."""
    by_head: dict[str, list[Clause]] = {}
    for clause in clauses:
        by_head.setdefault(clause.head.relation, []).append(clause)
    needed: dict[str, None] = {}
    stack = list(_SHOWN)
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


def _read_aspif(text: str) -> GroundRules:
    """Read the grounder's output format (Gebser and others 2016, appendix A)."""
    rules: list[tuple[int, tuple[int, ...]]] = []
    facts: list[tuple[str, tuple[Function, ...]]] = []
    atoms: list[tuple[str, tuple[Function, ...], int]] = []
    for line in text.split("\n"):
        if line.startswith("1 0 1 "):  # a plain rule with one head atom
            fields = line.split(" ")
            rules.append((int(fields[3]), tuple(map(int, fields[6:]))))
        elif line.startswith("4 "):
            length, rest = line[2:].split(" ", 1)
            name = rest[: int(length)]
            condition = rest[int(length) + 1 :].split(" ")
            symbol = clingo.parse_term(name)
            arguments = tuple(map(_symbol_term, symbol.arguments))
            if condition[0] == "0":
                facts.append((symbol.name, arguments))
            else:
                atoms.append((symbol.name, arguments, int(condition[1])))
    return GroundRules(rules, facts, atoms)


def _symbol_term(symbol: clingo.Symbol) -> Function:
    if symbol.type == clingo.SymbolType.String:
        return Function(symbol.string)
    name, *args = symbol.arguments
    return Function(name.string, tuple(map(_symbol_term, args)))
