"""Find properties of all reachable states of a RuleSheet, proved by induction or not.

After Haufe, Schiffel and Thielscher (2012): a property holds initially, and no joint move leads
from a state in which it and the other known properties hold to one in which it fails; clingo
looks for such a step. Properties of a single state, such as that two moves are never legal
together, then follow if no state with all known properties contradicts them. Random play separates
what is false from what could not be proved.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

import clingo

from kibitz.budget import Budget
from kibitz.engine.grounding.exclusive_groups import (
    Group,
    GroupFindings,
    examine_groups,
    random_play,
    rows_of,
)
from kibitz.engine.grounding.grounder import ground
from kibitz.engine.grounding.invariant_claims import (
    Claim,
    Functor,
    GeneralMove,
    NeverTogether,
    OneChooses,
    OneValue,
    Steady,
)
from kibitz.engine.grounding.network import Literal, Network
from kibitz.errors import BudgetExceededError
from kibitz.gdl import Function, RuleSheet

Lemma = tuple[tuple[Function, ...], bool]
"""Fluents of which at most one holds; exactly one if the second part says so."""


class Status(StrEnum):
    """Proof status of a property."""

    PROVED = "proved"
    NOT_PROVED = "not proved"
    REFUTED = "refuted"


@dataclass(frozen=True, slots=True)
class Invariant:
    """A property of all reachable states, whether it is proved, and how that is known.

    `claim` is what the statement says, for programs; None if it says nothing definite.
    """

    kind: str
    statement: str
    status: Status
    how: str
    claim: Claim | None = None


@dataclass(frozen=True, slots=True)
class Invariants:
    """All properties that were examined.

    `lemmas` are the groups that were proved by induction, all together; the proofs rest on them.
    """

    found: tuple[Invariant, ...]
    seconds: float
    lemmas: tuple[Lemma, ...] = ()

    def with_status(self, status: Status) -> tuple[Invariant, ...]:
        """Return the properties of which this is known."""
        return tuple(invariant for invariant in self.found if invariant.status is status)


def find_invariants(sheet: RuleSheet, budget: Budget | None = None, *, seed: int = 1) -> Invariants:
    """Look for properties of a game and prove what can be proved in the time given.

    >>> from kibitz.games import load_sheet
    >>> for invariant in find_invariants(load_sheet("tictactoe")).with_status(Status.PROVED)[:3]:
    ...     print(invariant.statement)
    (control _) holds for exactly one role
    every (cell ?1 ?2 _) has exactly one value
    at most one role has a choice of moves
    """
    start = time.perf_counter()
    budget = budget or Budget()
    try:
        network = ground(sheet, Budget(budget.seconds / 2, budget.bytes), groups=False).network
    except BudgetExceededError as error:
        how = f"not tried: {error.message}"
        left = budget.seconds - (time.perf_counter() - start)
        found, lemmas = _without_board(sheet, Budget(max(0.1, left), budget.bytes), how, seed)
        turns = OneChooses()
        found += [
            Invariant("turn-taking", str(turns), Status.NOT_PROVED, how, turns),
            Invariant("exclusive group", "some fluents exclude others", Status.NOT_PROVED, how),
        ]
        return Invariants(tuple(found), time.perf_counter() - start, lemmas)
    left = budget.seconds - (time.perf_counter() - start)
    findings = examine_groups(network, seconds=min(20.0, left / 3), seed=seed)
    prover = Prover(network, findings.proved, seconds=left / 3)
    seen = _Seen(network, seed)
    found = [*_groups(network, findings)]
    found.append(_turn_taking(network, prover, seen))
    found += _monotone(prover, seen)
    found += _moves(prover, seen)
    return Invariants(tuple(found), time.perf_counter() - start, _lemmas(network, findings.proved))


def _lemmas(network: Network, groups: Iterable[Group]) -> tuple[Lemma, ...]:
    return tuple((tuple(network.fluents[i] for i in g.fluents), g.is_exact) for g in groups)


def _without_board(
    sheet: RuleSheet, budget: Budget, how: str, seed: int
) -> tuple[list[Invariant], tuple[Lemma, ...]]:
    """Prove what can be proved of whose turn it is; what fails there may still hold of the game."""
    from kibitz.engine.frame import abstract, concrete_move

    small = abstract(sheet)
    if small is None:
        return [], ()
    try:
        network = ground(small, Budget(budget.seconds / 2, budget.bytes), groups=False).network
    except BudgetExceededError:
        return [], ()
    findings = examine_groups(network, seconds=budget.seconds / 4, seed=seed)
    prover = Prover(network, findings.proved, seconds=budget.seconds / 4)
    found = _groups(network, findings)
    for first, second in _pairs(prover):
        claim = NeverTogether(concrete_move(first), concrete_move(second))
        proved = prover.are_impossible((first, second))
        found.append(_judge("joint move", claim, proved=proved, refuted=False, how=_STATE))
    judged = [
        i if i.status is Status.PROVED else replace(i, status=Status.NOT_PROVED, how=how)
        for i in found
    ]
    return judged, _lemmas(network, findings.proved)


class Prover:
    """Any state that has the known properties, and any step from it, as a logic program."""

    def __init__(self, network: Network, groups: Iterable[Group], *, seconds: float = 5.0) -> None:
        self.network = network
        self.deadline = time.monotonic() + seconds
        self.control = clingo.Control(["--warn=none"], logger=lambda _code, _message: None)
        self.legal: dict[GeneralMove, int] = {}
        self.has_choice: dict[str, int] = {}
        self.ends: dict[int, int] = {}
        self.begins: dict[int, int] = {}
        with self.control.backend() as backend:
            count = network.first_gate + len(network.gates)
            atoms: list[int] = [backend.add_atom() for _ in range(count)]

            def lit(literal: Literal) -> int:
                return -atoms[literal >> 1] if literal & 1 else atoms[literal >> 1]

            def any_of(literals: Iterable[int]) -> int:
                head: int = backend.add_atom()
                for literal in literals:
                    backend.add_rule([head], [literal])
                return head

            backend.add_rule(atoms[1 : network.first_gate], choice=True)
            for index, (a, b) in enumerate(network.gates):
                backend.add_rule([atoms[network.first_gate + index]], [lit(a), lit(b)])
            self.is_step = backend.add_atom()
            backend.add_rule([self.is_step], choice=True)
            node = network.first_move
            for role, moves, literals in zip(
                network.roles, network.moves, network.legal, strict=True
            ):
                made = [atoms[node + i] for i in range(len(literals))]
                node += len(literals)
                for move, legal in zip(made, literals, strict=True):
                    backend.add_rule([], [move, -lit(legal)])
                    backend.add_rule([], [move, -self.is_step])
                backend.add_weight_rule([], 2, [(move, 1) for move in made])
                backend.add_rule([], [self.is_step, *(-move for move in made)])
                by_name: dict[Functor, list[int]] = {}
                allowed = [any_of([lit(legal)]) for legal in literals]
                for term, atom in zip(moves, allowed, strict=True):
                    by_name.setdefault((term.name, len(term.args)), []).append(atom)
                for functor, some in by_name.items():
                    self.legal[role, functor] = any_of(some)
                self.has_choice[role] = backend.add_atom()
                backend.add_weight_rule([self.has_choice[role]], 2, [(atom, 1) for atom in allowed])
            for group in groups:
                now = [atoms[1 + i] for i in group.fluents]
                backend.add_weight_rule([], 2, [(atom, 1) for atom in now])
                if group.is_exact:
                    backend.add_rule([], [-atom for atom in now])
            by_kind: dict[Functor, list[int]] = {}
            for index, fluent in enumerate(network.fluents):
                by_kind.setdefault((fluent.name, len(fluent.args)), []).append(index)
            self.kinds = {kind: number for number, kind in enumerate(by_kind)}
            for kind, members in by_kind.items():
                ends = backend.add_atom()
                begins = backend.add_atom()
                for index in members:
                    now_, after = atoms[1 + index], lit(network.next[index])
                    backend.add_rule([ends], [self.is_step, now_, -after])
                    backend.add_rule([begins], [self.is_step, -now_, after])
                self.ends[self.kinds[kind]] = ends
                self.begins[self.kinds[kind]] = begins

    def excludes(self, *atoms: int) -> bool:
        """Return whether it is proved that these never hold together."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            return False
        with self.control.solve(assumptions=list(atoms), yield_=True, async_=True) as handle:
            handle.resume()
            if not handle.wait(left):
                handle.cancel()
                return False
            return handle.model() is None

    def are_impossible(self, moves: Iterable[GeneralMove]) -> bool:
        """Return whether it is proved that no state allows moves of these names together."""
        listed = list(moves)
        if any(move not in self.legal for move in listed):
            return True
        return self.excludes(*(self.legal[move] for move in listed))


_INDUCTION = "induction with clingo: holds initially and after every joint move"
_STATE = "clingo finds no state with the proved properties that contradicts it"
_STEP = "clingo finds no step from a state with the proved properties that contradicts it"
_SHOWN = "the initial state or random play shows the contrary"
_OPEN = "random play does not contradict it, and there is no proof"


class _Seen:
    """Observations from random play."""

    def __init__(self, network: Network, seed: int) -> None:
        self.together: set[tuple[GeneralMove, GeneralMove]] = set()
        self.choices = False
        self.ended: set[Functor] = set()
        self.begun: set[Functor] = set()
        deadline = time.monotonic() + 2.0
        for moment in random_play(network, seed=seed, rounds=60):
            if time.monotonic() > deadline:
                break
            legal: dict[GeneralMove, int] = {}
            several: list[int] = []
            for role, moves, literals in zip(
                network.roles, network.moves, network.legal, strict=True
            ):
                one = two = 0
                for term, literal in zip(moves, literals, strict=True):
                    value = moment.values[literal >> 1]
                    value = ~value if literal & 1 else value
                    value &= moment.moved
                    key = (role, (term.name, len(term.args)))
                    legal[key] = legal.get(key, 0) | value
                    two |= one & value
                    one |= value
                several.append(two)
            self.choices |= any(a & b for a, b in combinations(several, 2))
            for first, second in combinations(legal, 2):
                if first[0] != second[0] and legal[first] & legal[second]:
                    self.together.add((first, second))
            for fluent, now, after in zip(network.fluents, moment.state, moment.after, strict=True):
                kind = (fluent.name, len(fluent.args))
                if now & ~after & moment.moved:
                    self.ended.add(kind)
                if after & ~now & moment.moved:
                    self.begun.add(kind)


def _judge(kind: str, claim: Claim, *, proved: bool, refuted: bool, how: str) -> Invariant:
    if proved:
        return Invariant(kind, str(claim), Status.PROVED, how, claim)
    if refuted:
        return Invariant(kind, str(claim), Status.REFUTED, _SHOWN, claim)
    return Invariant(kind, str(claim), Status.NOT_PROVED, _OPEN, claim)


def _groups(network: Network, findings: GroupFindings) -> list[Invariant]:
    """Describe what was found about fluents that differ in one argument, for all rows of a kind.

    Every row counts: those that fail at the start, and those of a single fluent, as well.
    """
    proved, refuted = set(findings.proved), set(findings.refuted)
    found = []
    for (name, arity, place), rows in rows_of(network).items():
        if all(len(row) == 1 for row in rows):
            continue
        is_exact = all(Group(row, True) in proved for row in rows)
        at_most = all(
            len(row) == 1 or Group(row, True) in proved or Group(row, False) in proved
            for row in rows
        )
        values = {str(network.fluents[i].args[place]) for row in rows for i in row}
        of_roles = arity == 1 and values <= set(network.roles)
        kind = "control" if of_roles else "exclusive group" if arity == 1 else "functional fluent"
        found.append(
            _judge(
                kind,
                OneValue((name, arity), place, is_exact, of_roles),
                proved=is_exact or at_most,
                refuted=any(Group(row, False) in refuted for row in rows),
                how=_INDUCTION,
            )
        )
    found.sort(key=lambda i: i.kind != "control")
    return found


def _turn_taking(network: Network, prover: Prover, seen: _Seen) -> Invariant:
    proved = all(
        prover.excludes(prover.has_choice[a], prover.has_choice[b])
        for a, b in combinations(network.roles, 2)
    )
    return _judge("turn-taking", OneChooses(), proved=proved, refuted=seen.choices, how=_STATE)


def _monotone(prover: Prover, seen: _Seen) -> list[Invariant]:
    found = []
    for kind, number in prover.kinds.items():
        for ends, atoms, against in (
            (True, prover.ends, seen.ended),
            (False, prover.begins, seen.begun),
        ):
            proved = kind not in against and prover.excludes(prover.is_step, atoms[number])
            refuted = kind in against
            claim = Steady(kind, ends)
            found.append(
                _judge("monotone fluent", claim, proved=proved, refuted=refuted, how=_STEP)
            )
    return found


def _moves(prover: Prover, seen: _Seen) -> list[Invariant]:
    """List which moves of two roles are never legal together."""
    found = []
    for first, second in _pairs(prover):
        refuted = (first, second) in seen.together
        proved = not refuted and prover.are_impossible((first, second))
        claim = NeverTogether(first, second)
        found.append(_judge("joint move", claim, proved=proved, refuted=refuted, how=_STATE))
    return found


def _pairs(prover: Prover) -> Iterator[tuple[GeneralMove, GeneralMove]]:
    return ((a, b) for a, b in combinations(prover.legal, 2) if a[0] != b[0])
