"""Confirm claims about a RuleSheet by a second proof, and report which of them hold up.

The claims are proved elsewhere, on a network of gates. Here the rules go to clingo as they are
written, one step from any state, and nothing of that prover is used:

- *base*: every lemma holds in the initial state;
- *step*: no legal joint move leads from a state in which all lemmas hold to one where one fails;
- what is claimed fails in no state, or no step, that has all the lemmas.

A state is any set of fluents each of which can hold at the start or follow by `next`. Lemmas that
fail are dropped, and the others are examined again, until all of them are kept. So the lemmas that
are confirmed hold in every reachable state, and so does what follows from them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import clingo

from kibitz.budget import Budget, run_within
from kibitz.engine.grounding.invariant_claims import (
    Claim,
    Functor,
    NeverTogether,
    OneChooses,
    OneValue,
    Steady,
)
from kibitz.errors import BudgetExceededError
from kibitz.gdl import Function, Names, RuleSheet, clauses_of, on_demand, write_clause

Lemma = tuple[tuple[Function, ...], bool]
"""Fluents of which at most one holds; exactly one if the second part says so."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a second proof: True if it succeeds, False if not, None if time was up."""

    claims: tuple[bool | None, ...]
    lemmas: tuple[bool | None, ...]


def check_claims(
    sheet: RuleSheet,
    claims: Sequence[Claim],
    *,
    lemmas: Sequence[Lemma] = (),
    budget: Budget | None = None,
) -> Checked:
    """Prove claims by base and step, with lemmas that are proved here as well.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.engine.grounding.invariants import Status, find_invariants
    >>> sheet = load_sheet("tictactoe")
    >>> found = find_invariants(sheet)
    >>> claims = [i.claim for i in found.with_status(Status.PROVED) if i.claim]
    >>> set(check_claims(sheet, claims, lemmas=found.lemmas).claims)
    {True}
    >>> check_claims(sheet, [OneValue(("cell", 3), 0, is_exact=False)]).claims
    (False,)
    """
    budget = budget or Budget()
    deadline = time.monotonic() + budget.seconds * 0.9
    try:
        return run_within(
            budget,
            lambda: _Checker(sheet, claims, lemmas, deadline).check(),
            doing=f"checking invariants of {sheet.name}",
        )
    except BudgetExceededError:
        return Checked((None,) * len(claims), (None,) * len(lemmas))


_OPEN_WORLD = """
{true(F)} :- init(F).
{true(F)} :- next(F).
{does(R,M)} :- legal(R,M).
"""
"""Grounded for what can hold at all."""

_ANY_STEP = """
{true(F)} :- P_can(F).
{P_step}.
{does(R,M)} :- legal(R,M), P_step.
:- P_step, role(R), #count{M : does(R,M)} != 1.
P_row(I,K) :- P_in(I,K,_).
P_fails(I,0) :- P_row(I,K), #count{F : P_in(I,K,F), init(F)} > 1.
P_fails(I,1) :- P_row(I,K), #count{F : P_in(I,K,F), true(F)} > 1.
P_fails(I,2) :- P_row(I,K), #count{F : P_in(I,K,F), next(F)} > 1.
P_fails(I,0) :- P_row(I,K), P_exact(I), #count{F : P_in(I,K,F), init(F)} < 1.
P_fails(I,1) :- P_row(I,K), P_exact(I), #count{F : P_in(I,K,F), true(F)} < 1.
P_fails(I,2) :- P_row(I,K), P_exact(I), #count{F : P_in(I,K,F), next(F)} < 1.
{P_known(I)} :- P_lemma(I).
:- P_known(I), P_fails(I,1).
P_lost(I) :- P_known(I), P_fails(I,2), P_step.
P_lost :- P_lost(_).
P_chooses(R) :- role(R), #count{M : legal(R,M)} > 1.
P_against(I) :- P_turns(I), #count{R : P_chooses(R)} > 1.
P_against(I) :- P_ends(I,F), true(F), not next(F), P_step.
P_against(I) :- P_begins(I,F), not true(F), next(F), P_step.
P_against(I) :- P_first(I,R,M), legal(R,M), P_second(I,S,N), legal(S,N).
P_against(I) :- P_claim(I), P_fails(I,1).
"""
"""Any state with any legal joint move; 0, 1 and 2 are the initial state, this one and the next."""


class _Checker:
    """One step from any state as a program of clingo, with what fails in it."""

    def __init__(
        self, sheet: RuleSheet, claims: Sequence[Claim], lemmas: Sequence[Lemma], deadline: float
    ) -> None:
        self.deadline = deadline
        self.names = Names.of_sheet(sheet)
        clauses = on_demand(clauses_of(sheet))
        taken = {self.names.relation(clause.head.relation) for clause in clauses}
        self.own = "own"
        while any(name.startswith(self.own) for name in taken):
            self.own += "n"
        rules = "\n".join(write_clause(clause, self.names) for clause in clauses)
        world = _grounded(rules + _OPEN_WORLD)
        # Not those of `true`: what a rule merely denies is listed there too.
        starting, coming = _atoms(world, "init", 1), _atoms(world, "next", 1)
        self.fluents = list(dict.fromkeys(args[0] for args in (*starting, *coming)))
        self.legal = _atoms(world, "legal", 2)
        self.claims = range(len(claims))
        self.lemmas = range(len(claims), len(claims) + len(lemmas))
        facts = [f"can({fluent})" for fluent in self.fluents]
        for number, claim in zip(self.claims, claims, strict=True):
            facts += self.facts_of(number, claim)
        for number, (members, is_exact) in zip(self.lemmas, lemmas, strict=True):
            facts += [f"lemma({number})", *[f"exact({number})"] * is_exact]
            facts += [f"in({number},0,{self.names.term(fluent)})" for fluent in members]
        own = "".join(f"{self.own}_{fact}.\n" for fact in facts)
        self.control = _grounded(rules + _ANY_STEP.replace("P_", f"{self.own}_") + own)

    def facts_of(self, number: int, claim: Claim) -> Iterator[str]:
        """List what a claim is about: rows of fluents, kinds of fluents, kinds of moves."""
        match claim:
            case OneValue():
                yield f"claim({number})"
                if claim.is_exact:
                    yield f"exact({number})"
                rows: dict[tuple[clingo.Symbol, ...], int] = {}
                for fluent in self.of_kind(self.fluents, claim.fluent):
                    args = fluent.arguments
                    rest = (*args[: claim.place], *args[claim.place + 1 :])
                    yield f"in({number},{rows.setdefault(rest, len(rows))},{fluent})"
            case OneChooses():
                yield f"turns({number})"
            case Steady():
                for fluent in self.of_kind(self.fluents, claim.fluent):
                    yield f"{'ends' if claim.ends else 'begins'}({number},{fluent})"
            case NeverTogether():
                for which, (role, kind) in (("first", claim.first), ("second", claim.second)):
                    moves = [m for r, m in self.legal if str(r) == self.names.name(role)]
                    for move in self.of_kind(moves, kind):
                        yield f"{which}({number},{self.names.name(role)},{move})"

    def of_kind(self, terms: Iterable[clingo.Symbol], kind: Functor) -> Iterator[clingo.Symbol]:
        """Walk the terms that have a name and a number of arguments."""
        name, arity = self.names.name(kind[0]), kind[1]
        for term in terms:
            if term.type is clingo.SymbolType.Function:
                if (term.name, len(term.arguments)) == (name, arity):
                    yield term
            elif (str(term), 0) == (name, arity):
                yield term

    def check(self) -> Checked:
        """Drop lemmas until base and step hold of those left; then look at each claim."""
        at_start = {str(i) for i, when in self.atoms("fails", 2) if str(when) == "0"}
        kept = {i for i in self.lemmas if str(i) not in at_start}
        try:
            while lost := self.lost(kept):
                kept -= lost
        except TimeoutError:
            return Checked((None,) * len(self.claims), (None,) * len(self.lemmas))
        return Checked(
            tuple(self.holds(i, kept) for i in self.claims), tuple(i in kept for i in self.lemmas)
        )

    def lost(self, kept: set[int]) -> set[int]:
        """Return lemmas that fail after some step from a state in which all that are kept hold."""
        found = self.model("lost", kept)
        return set() if found is None else {i for i in kept if self.atom("lost", i) in found}

    def holds(self, number: int, kept: set[int]) -> bool | None:
        """Return whether nothing that has all lemmas kept contradicts a claim; None for no time."""
        try:
            return self.model("against", kept, number) is None
        except TimeoutError:
            return None

    def model(self, name: str, kept: set[int], *args: int) -> set[clingo.Symbol] | None:
        """Return the atoms of a state, and maybe a step, that make something fail; None if none."""
        asked = self.control.symbolic_atoms[self.atom(name, *args)]
        if asked is None:
            return None
        assumptions = [(self.atom("known", i), i in kept) for i in self.lemmas]
        assumptions.append((asked.symbol, True))
        with self.control.solve(assumptions=assumptions, yield_=True, async_=True) as handle:
            handle.resume()
            if not handle.wait(max(0.0, self.deadline - time.monotonic())):
                handle.cancel()
                raise TimeoutError
            model = handle.model()
            return None if model is None else set(model.symbols(atoms=True))

    def atom(self, name: str, *args: int) -> clingo.Symbol:
        return clingo.Function(f"{self.own}_{name}", [clingo.Number(arg) for arg in args])

    def atoms(self, name: str, arity: int) -> list[list[clingo.Symbol]]:
        return _atoms(self.control, f"{self.own}_{name}", arity)


def _grounded(program: str) -> clingo.Control:
    control = clingo.Control(["--warn=none"], logger=lambda _code, _message: None)
    control.add("base", [], program)
    control.ground([("base", [])])
    return control


def _atoms(control: clingo.Control, name: str, arity: int) -> list[list[clingo.Symbol]]:
    """Return the arguments of all atoms of a relation that may hold."""
    return [atom.symbol.arguments for atom in control.symbolic_atoms.by_signature(name, arity)]
