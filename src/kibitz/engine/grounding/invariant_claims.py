"""Claims about all reachable states of a game, separate from what proves or tests them.

Each claim is a plain value with its English text, so a proof, another proof and a test by play are
about the same claim. Fluents and moves are named by functor: name and number of arguments.
"""

from __future__ import annotations

from dataclasses import dataclass

Functor = tuple[str, int]
GeneralMove = tuple[str, Functor]
"""A role, and the name and number of arguments of what it does."""


@dataclass(frozen=True, slots=True)
class OneValue:
    """Of the fluents that differ in one argument only at most one holds, or exactly one.

    This is claimed of every row of such fluents of which one can hold at all.

    >>> print(OneValue(("cell", 3), 2, is_exact=True))
    every (cell ?1 ?2 _) has exactly one value
    >>> print(OneValue(("step", 1), 0, is_exact=False))
    at most one (step _) holds
    >>> print(OneValue(("control", 1), 0, is_exact=True, of_roles=True))
    (control _) holds for exactly one role
    """

    fluent: Functor
    place: int
    is_exact: bool
    of_roles: bool = False
    """Whether the one argument is a role."""

    @property
    def pattern(self) -> str:
        """The fluents of a row: a variable for each argument that is the same, _ for the other."""
        name, arity = self.fluent
        args = ("_" if i == self.place else f"?{i + 1}" for i in range(arity))
        return f"({name} {' '.join(args)})"

    @property
    def amount(self) -> str:
        """How many hold."""
        return "exactly one" if self.is_exact else "at most one"

    def __str__(self) -> str:
        if self.of_roles:
            return f"{self.pattern} holds for {self.amount} role"
        if self.fluent[1] == 1:
            return f"{self.amount} {self.pattern} holds"
        return f"every {self.pattern} has {self.amount} value"


@dataclass(frozen=True, slots=True)
class OneChooses:
    """No two roles have more than one legal move each.

    >>> print(OneChooses())
    at most one role has a choice of moves
    """

    def __str__(self) -> str:
        return "at most one role has a choice of moves"


@dataclass(frozen=True, slots=True)
class Steady:
    """No joint move ends a fluent of this kind, or none begins one.

    >>> print(Steady(("cell", 3), ends=True))
    (cell …) never ends once it holds
    """

    fluent: Functor
    ends: bool

    def __str__(self) -> str:
        name, arity = self.fluent
        shown = f"({name} …)" if arity else name
        return f"{shown} never {'ends once it holds' if self.ends else 'begins to hold'}"


@dataclass(frozen=True, slots=True)
class NeverTogether:
    """No state allows two roles moves of these names.

    >>> print(NeverTogether(("x", ("mark", 2)), ("o", ("noop", 0))))
    x: (mark …) and o: noop are never legal together
    """

    first: GeneralMove
    second: GeneralMove

    def __str__(self) -> str:
        return f"{_move(self.first)} and {_move(self.second)} are never legal together"


Claim = OneValue | OneChooses | Steady | NeverTogether


def _move(move: GeneralMove) -> str:
    role, (name, arity) = move
    return f"{role}: ({name} …)" if arity else f"{role}: {name}"
