"""Domains in, general joint moves out: the move coverings of paper 002.

A general joint move has one `does` atom for each role; its variables stand for any value. A
covering is a set of them such that every joint move that can be made is an instance of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import prod

from kibitz.engine.frame.argument_domains import Domains, Functor
from kibitz.engine.frame.literals import MARK
from kibitz.errors import BudgetExceededError
from kibitz.gdl import Atom, Function, Term, Variable

__all__ = ["MAX_JOINT_MOVES", "Covering", "GeneralMove", "JointMove", "direct", "generic", "pruned"]

MAX_JOINT_MOVES = 1024
"""How many general joint moves are listed."""

MOST_UNNAMED = 3
"""Up to how many roles the generic covering leaves open who does what."""

GeneralMove = tuple[str, Functor]
"""A role, and the name and number of arguments of what it does."""

JointMove = tuple[Atom, ...]
"""A general joint move: a `does` atom for each role."""

Impossible = Callable[[tuple[GeneralMove, ...]], bool]
"""Returns whether it is proved that no state allows these moves together."""


class Covering(StrEnum):
    """How finely joint moves are distinguished."""

    GENERIC = "generic"
    DIRECT = "direct"
    PRUNED = "pruned"


@dataclass(frozen=True, slots=True)
class Listed:
    """The general joint moves of a covering, and how many there would be without proofs."""

    joint_moves: tuple[JointMove, ...]
    before: int


def generic(domains: Domains) -> Listed:
    """Return the covering with one general joint move: every role does something.

    With n roles that have no names, a rule that asks for the moves of all of them meets the joint
    move in n! ways, so many roles are named.
    """
    joint = []
    for i, name in enumerate(domains.roles, start=1):
        is_named = len(domains.roles) > MOST_UNNAMED
        role: Term = Function(name) if is_named else Variable(f"role{MARK}m{i}")
        joint.append(Atom("does", (role, Variable(f"move{MARK}m{i}"))))
    return Listed((tuple(joint),), 1)


def direct(domains: Domains, name: str) -> Listed:
    """Return every combination of the names of the roles' moves."""
    count = prod(len(domains.actions[role]) for role in domains.roles)
    if count > MAX_JOINT_MOVES:
        raise BudgetExceededError(
            f"the direct covering of {name} has {count:,} general joint moves, more than the "
            f"{MAX_JOINT_MOVES:,} that are listed",
            hint="--covering generic has one; pruned leaves out what is proved impossible",
            options=["--covering"],
        )
    return Listed(tuple(_joint_moves(domains, lambda _moves: False)), count)


def pruned(domains: Domains, name: str, impossible: Impossible) -> Listed:
    """Return the combinations that are not proved impossible.

    Combinations are built role by role, and one that cannot begin a joint move is dropped at once,
    so six roles with many moves are no problem where only one of them acts at a time.
    """
    count = prod(len(domains.actions[role]) for role in domains.roles)
    found = []
    for joint in _joint_moves(domains, impossible):
        found.append(joint)
        if len(found) > MAX_JOINT_MOVES:
            raise BudgetExceededError(
                f"the pruned covering of {name} has more than {MAX_JOINT_MOVES:,} general joint "
                "moves",
                hint="--covering generic has one",
                options=["--covering"],
            )
    return Listed(tuple(found), count)


def _joint_moves(domains: Domains, impossible: Impossible) -> Iterator[JointMove]:
    def extend(chosen: tuple[GeneralMove, ...]) -> Iterator[tuple[GeneralMove, ...]]:
        if len(chosen) == len(domains.roles):
            yield chosen
            return
        role = domains.roles[len(chosen)]
        for functor in domains.actions[role]:
            longer = (*chosen, (role, functor))
            if not impossible(longer):
                yield from extend(longer)

    for chosen in extend(()):
        yield tuple(
            Atom("does", (Function(role), _move(functor, domains.names(functor), i)))
            for i, (role, functor) in enumerate(chosen)
        )


def _move(functor: Functor, names: tuple[str, ...], role: int) -> Term:
    """Make a move with variables that no rule has; the text after the mark is removed later."""
    args = tuple(Variable(f"{name}{MARK}m{role}.{i}") for i, name in enumerate(names))
    return Function(functor[0], args)
