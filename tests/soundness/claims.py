"""Claims about games held against their words and against play; nothing of the prover is used."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from kibitz.engine import Game, Move, State
from kibitz.engine.grounding.invariant_claims import (
    Claim,
    Functor,
    GeneralMove,
    NeverTogether,
    OneChooses,
    OneValue,
    Steady,
)
from kibitz.gdl import Function, Term

__all__ = ["Walked", "contradictions", "read_statement", "walk"]


@dataclass(frozen=True)
class Walked:
    """A step of a match: a state, its legal moves, and the state after; None at the end of it."""

    state: frozenset[Function]
    legal: dict[str, tuple[Move, ...]]
    after: frozenset[Function] | None


def walk(game: Game, *, steps: int, seed: int = 1) -> Iterator[Walked]:
    """Play random matches, over the end while every role has a move; start anew after that."""
    choose = random.Random(seed).choice
    state: State = game.initial()
    for _ in range(steps):
        legal = {role: state.legal(role) for role in game.roles}
        fluents = frozenset(state.fluents)
        if not all(legal.values()) or (state.is_terminal and choose((True, False))):
            yield Walked(fluents, legal, None)
            state = game.initial()
            continue
        state = state.step([choose(legal[role]) for role in game.roles])
        yield Walked(fluents, legal, frozenset(state.fluents))


def read_statement(statement: str) -> Claim:
    """Read a sentence as what it says."""
    if statement == "at most one role has a choice of moves":
        return OneChooses()
    amount = r"(?P<amount>exactly|at most) one"
    row = r"\((?P<name>\S+) (?P<args>[^()]*)\)"
    for form in (f"every {row} has {amount} value", f"{amount} {row} holds",
                 f"{row} holds for {amount} role"):  # fmt: skip
        if found := re.fullmatch(form, statement):
            args = found["args"].split()
            assert [a for i, a in enumerate(args) if a != f"?{i + 1}"] == ["_"]
            kind = found["name"], len(args)
            is_exact = found["amount"] == "exactly"
            return OneValue(kind, args.index("_"), is_exact, statement.endswith("role"))
    raise AssertionError(f"no claim: {statement}")


def contradictions(claim: Claim, walked: list[Walked]) -> list[str]:
    """Give what was seen against a claim."""
    match claim:
        case OneValue():
            return _against_one_value(claim, walked)
        case OneChooses():
            return [str(w.legal) for w in walked if sum(len(m) > 1 for m in w.legal.values()) > 1]
        case Steady():
            found = []
            for step in walked:
                if step.after is not None:
                    old, new = (step.state, step.after) if claim.ends else (step.after, step.state)
                    found += [str(f) for f in old - new if _kind(f) == claim.fluent]
            return found
        case NeverTogether():
            return [
                str(w.legal) for w in walked if _allows(w, claim.first) and _allows(w, claim.second)
            ]


def _against_one_value(claim: OneValue, walked: list[Walked]) -> list[str]:
    states = {w.state for w in walked} | {w.after for w in walked if w.after is not None}
    counts = [_rows(claim, state) for state in states]
    rows = {row for count in counts for row in count}
    return [
        f"{row} has {count.get(row, 0)}"
        for count in counts
        for row in rows
        if count.get(row, 0) > 1 or (claim.is_exact and row not in count)
    ]


def _rows(claim: OneValue, state: frozenset[Function]) -> dict[tuple[Term, ...], int]:
    """Count the fluents of a state in each row."""
    found: dict[tuple[Term, ...], int] = {}
    for fluent in state:
        if _kind(fluent) == claim.fluent:
            rest = fluent.args[: claim.place] + fluent.args[claim.place + 1 :]
            found[rest] = found.get(rest, 0) + 1
    return found


def _allows(step: Walked, move: GeneralMove) -> bool:
    role, kind = move
    return any(_kind(legal) == kind for legal in step.legal[role])


def _kind(term: Function) -> Functor:
    return term.name, len(term.args)
