"""The tree of a strategy once it is read: formulas without variables, and how they are combined.

Definitions 3 and 7 of paper 001. Formulas are about paths. A `Plan` gives moves: it is a formula,
or plans joined by prioritised disjunction (`Else`, ∇) or conjunction (`Also`, ∆), which are never
inside a formula. `implies` and `iff` are rewritten with the others when a text is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from operator import eq, ge, gt, le, lt, ne
from typing import TypeVar

from kibitz.engine import Move, Role
from kibitz.gdl import Function
from kibitz.strategy.syntax.numbers import Number

K = TypeVar("K")
T = TypeVar("T")

_MOST_KNOWN = 1 << 16
"""Objects of which a function remembers what it returned for them."""


class AllMoves(tuple[Move, ...]):
    """All moves of a role; empty where the game is not compiled, so that they are not known."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Const:
    """Always true, or never."""

    value: bool


TRUE = Const(True)
FALSE = Const(False)


@dataclass(frozen=True, slots=True)
class Holds:
    """A fluent holds."""

    fluent: Function


@dataclass(frozen=True, slots=True, eq=False)
class Renaming:
    """The image of each fluent under a symmetry."""

    fluents: dict[Function, Function]

    def undone(self, fluents: Iterable[Function]) -> frozenset[Function]:
        """Return the fluents whose images are these."""
        back = {image: fluent for fluent, image in self.fluents.items()}
        return frozenset(back.get(fluent, fluent) for fluent in fluents)


@dataclass(frozen=True, slots=True)
class Derived:
    """A relation of the rule sheet, which depends on the state, holds.

    With a renaming it is the image under a symmetry: the relation holds in the state that the
    symmetry maps to this one.
    """

    atom: Function
    renaming: Renaming | None = None


@dataclass(frozen=True, slots=True)
class Does:
    """The path continues with a joint move in which a role makes this move, or ends."""

    role: Role
    move: Move


@dataclass(frozen=True, slots=True)
class Legal:
    """Play has not ended, and the rules allow a role this move."""

    role: Role
    move: Move


@dataclass(frozen=True, slots=True)
class Wins:
    """Play has ended, and the role's goal is 100."""

    role: Role


COMPARE = {"=": eq, "!=": ne, ">=": ge, "<=": le, ">": gt, "<": lt}
"""What the signs of comparisons mean."""


@dataclass(frozen=True, slots=True)
class GoalIs:
    """A comparison of the role's goal with a number; false where the rules give no goal."""

    role: Role
    comparison: str
    number: int


@dataclass(frozen=True, slots=True)
class NumberIs:
    """A comparison of two numbers of a state."""

    left: Number
    comparison: str
    right: Number


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Of each pair of fluents both hold or neither: a state is its own image under a symmetry.

    The name is that of the symmetry; without one it is an image of such a formula.
    """

    name: str = field(compare=False)
    pairs: tuple[tuple[Function, Function], ...]

    def carried(self, fluents: Mapping[Function, Function]) -> Unchanged:
        """Return the image under a symmetry."""
        moved = {
            tuple(sorted((fluents.get(a, a), fluents.get(b, b)), key=str)) for a, b in self.pairs
        }
        if moved == set(self.pairs):
            return self
        return Unchanged("", tuple(sorted(moved, key=str)))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Turn:
    """The role is to move."""

    role: Role


@dataclass(frozen=True, slots=True)
class Initial:
    """This is the initial state."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """Play has ended."""


@dataclass(frozen=True, slots=True, eq=False)
class _Compound:
    """A formula made of others. It is hashed once: large formulas are looked up very often."""

    _hash: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", 0)

    def _inner(self) -> tuple[object, ...]:
        names: tuple[str, ...] = self.__match_args__
        return tuple(getattr(self, name) for name in names)

    def __reduce__(self) -> tuple[object, ...]:
        # Hashes differ from one start of Python to the next.
        return type(self), self._inner()

    def __hash__(self) -> int:
        if not self._hash:
            object.__setattr__(self, "_hash", hash((type(self).__name__, self._inner())) or 1)
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, _Compound)
        return hash(self) == hash(other) and self._inner() == other._inner()


@dataclass(frozen=True, slots=True, eq=False)
class Not(_Compound):
    """The formula does not hold."""

    formula: Formula


@dataclass(frozen=True, slots=True, eq=False)
class And(_Compound):
    """All parts hold."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Or(_Compound):
    """Some part holds."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class AtLeast(_Compound):
    """At least this number of parts hold; with 1 it says what `Or` says, with all `And`."""

    count: int
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Next(_Compound):
    """After the path's first move the formula holds, or there is no such move."""

    formula: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Previous(_Compound):
    """Before the last move the formula held, or there was no such move."""

    formula: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Can(_Compound):
    """Play has not ended, and the role has a move under which the formula is valid."""

    role: Role
    formula: Formula


@dataclass(frozen=True, slots=True)
class Made:
    """At least this number of moves was made before."""

    moves: int


@dataclass(frozen=True, slots=True)
class Before:
    """That number of moves ago there was a state, and this held in it or was done in it."""

    moves: int
    leaf: Leaf


Leaf = (
    Holds
    | Derived
    | Does
    | Legal
    | Wins
    | GoalIs
    | NumberIs
    | Unchanged
    | Turn
    | Initial
    | Terminal
    | Made
    | Before
)
Formula = Const | Leaf | Not | And | Or | AtLeast | Next | Previous | Can


@dataclass(frozen=True, slots=True)
class Simple:
    """The moves under which a formula is valid."""

    formula: Formula


@dataclass(frozen=True, slots=True)
class Else:
    """The moves of the first part that has any: prioritised disjunction."""

    parts: tuple[Plan, ...]


@dataclass(frozen=True, slots=True)
class Also:
    """The moves that the longest possible run of parts share: prioritised conjunction."""

    parts: tuple[Plan, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """The moves of all parts together: how the images of a rule under symmetries are joined."""

    parts: tuple[Plan, ...]


Plan = Simple | Else | Also | Either


@dataclass(frozen=True, slots=True)
class Preference:
    """Preference of a rule for those of its moves that the longest possible run of formulas share.

    The next preference chooses among these, wherever the run ends. `text` is how it is written, if
    it is not formulas joined by `also`; `atoms` is how many atoms it has there.
    """

    formulas: tuple[Formula, ...]
    text: str = field(default="", compare=False)
    atoms: int = field(default=0, compare=False)

    def among(self, plan: Plan) -> Plan:
        """Return the moves that it prefers among those of a plan."""
        return Also((plan, *map(Simple, self.formulas)))


def counted_in(chain: Sequence[Plan]) -> tuple[Formula, ...] | None:
    """Return what is counted if plans ask for one more of it each, from one to all.

    >>> parts = (Terminal(), Initial())
    >>> counted_in([Simple(AtLeast(1, parts)), Simple(AtLeast(2, parts))]) == parts
    True
    """
    found = [p.formula for p in chain if isinstance(p, Simple) and isinstance(p.formula, AtLeast)]
    if not found or len(found) < len(chain):
        return None
    asked = [f for f in found if isinstance(f, AtLeast)]
    parts = asked[0].parts
    if [f.count for f in asked] != list(range(1, len(parts) + 1)):
        return None
    # They are long, and mostly one and the same.
    return parts if all(f.parts is parts or f.parts == parts for f in asked) else None


def counted_by(preference: Preference) -> tuple[Formula, ...] | None:
    """Return what a preference counts, if it does."""
    return counted_in([Simple(formula) for formula in preference.formulas])


def negation(formula: Formula) -> Formula:
    """Negate, removing double negation."""
    match formula:
        case Const():
            return Const(not formula.value)
        case Not():
            return formula.formula
        case _:
            return Not(formula)


def conjunction(parts: Iterable[Formula]) -> Formula:
    """Join by AND, flat and without repetitions."""
    return _joined(And, TRUE, parts)


def disjunction(parts: Iterable[Formula]) -> Formula:
    """Join by OR, flat and without repetitions."""
    return _joined(Or, FALSE, parts)


def at_least(count: int, parts: Iterable[Formula]) -> Formula:
    """Ask for a number of parts, leaving out those that are known.

    >>> at_least(2, [TRUE, FALSE, Terminal()])
    AtLeast(count=1, parts=(Terminal(),))
    """
    given = tuple(parts)
    unknown = given
    if any(isinstance(part, Const) for part in given):
        unknown = tuple(part for part in given if not isinstance(part, Const))
        count -= sum(isinstance(part, Const) and part.value for part in given)
    if count <= 0:
        return TRUE
    return AtLeast(count, unknown) if count <= len(unknown) else FALSE


def _joined(kind: type[And] | type[Or], neutral: Const, parts: Iterable[Formula]) -> Formula:
    flat: dict[Formula, None] = {}
    for part in parts:
        inner = part.parts if isinstance(part, kind) else (part,)
        for formula in inner:
            if isinstance(formula, Const):
                if formula != neutral:
                    return formula
            else:
                flat[formula] = None
    if len(flat) > 1:
        return kind(tuple(flat))
    return next(iter(flat), neutral)


def by_identity(function: Callable[[K], T]) -> Callable[[K], T]:
    """Remember what a function returns for objects that do not change, by their identity.

    Formulas are not interned, as equal ones can be written differently; hashing whole formulas
    whenever one is asked for made evaluation two to six times slower.
    """
    known: dict[int, tuple[K, T]] = {}

    @wraps(function)
    def ask(key: K) -> T:
        found = known.get(id(key))
        if found is not None:
            return found[1]
        value = function(key)
        if isinstance(key, _Compound | tuple):  # a leaf is quickly asked again, and there are many
            if len(known) >= _MOST_KNOWN:
                known.clear()
            known[id(key)] = key, value
        return value

    return ask


def children(formula: Formula) -> tuple[Formula, ...]:
    """Return the formulas that a formula is made of."""
    if not isinstance(formula, _Compound):
        return ()
    return formula.parts if isinstance(formula, And | Or | AtLeast) else (formula.formula,)


def with_children(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """Return a formula with the formulas that it is made of changed, simplified.

    >>> with_children(Not(Terminal()), lambda part: Not(part))
    Terminal()
    """
    match formula:
        case Not(inner):
            return negation(change(inner))
        case Next(inner) | Previous(inner):
            return type(formula)(change(inner))
        case Can(role, inner):
            return Can(role, change(inner))
        case And(parts):
            return conjunction(map(change, parts))
        case Or(parts):
            return disjunction(map(change, parts))
        case AtLeast(count, parts):
            return at_least(count, map(change, parts))
        case leaf:
            return leaf


def in_any_order(formula: Formula) -> Hashable:
    """Return a key that formulas share which differ only in the order of what they join.

    >>> in_any_order(And((Terminal(), Initial()))) == in_any_order(And((Initial(), Terminal())))
    True
    """
    keys = tuple(map(in_any_order, children(formula)))
    match formula:
        case And() | Or():
            return type(formula), frozenset(keys)
        case AtLeast(count):
            return AtLeast, count, frozenset(Counter(keys).items())
        case Can(role):
            return Can, role, keys
        case _:
            return (type(formula), keys) if keys else formula


def keys_in_any_order(formulas: Iterable[Formula]) -> tuple[Hashable, ...]:
    """Return the keys of formulas in order; what several of them count is looked at once."""
    counted: dict[int, tuple[tuple[Formula, ...], Hashable]] = {}
    found: list[Hashable] = []
    for formula in formulas:
        if not isinstance(formula, AtLeast):
            found.append(in_any_order(formula))
            continue
        parts = formula.parts
        if id(parts) not in counted:
            counted[id(parts)] = parts, frozenset(Counter(map(in_any_order, parts)).items())
        found.append((AtLeast, formula.count, counted[id(parts)][1]))
    return tuple(found)


def leaves(formula: Formula) -> Iterator[Leaf]:
    """Walk everything in a formula that is neither a constant nor made of other formulas."""
    stack = [formula]
    while stack:
        top = stack.pop()
        if isinstance(top, _Compound):
            stack.extend(reversed(children(top)))
        elif not isinstance(top, Const):
            yield top


def next_depth(formula: Formula) -> int:
    """Count how many moves ahead a formula looks."""
    if isinstance(formula, Can):
        return 0
    return isinstance(formula, Next) + max(map(next_depth, children(formula)), default=0)


@by_identity
def is_about_moves(formula: Formula) -> bool:
    """Return whether paths from the same state can differ about a formula."""
    match formula:
        case Does() | Next():
            return True
        case Can():
            return False
        case _:
            return any(map(is_about_moves, children(formula)))


@by_identity
def is_timeless(formula: Formula) -> bool:
    """Return whether a formula depends only on one state and the move from it."""
    match formula:
        case Next() | Previous():
            return False
        case Can():
            return True
        case _:
            return all(map(is_timeless, children(formula)))


@by_identity
def movers(formula: Formula) -> frozenset[Role]:
    """Return the roles whose next moves a formula asks for."""
    if isinstance(formula, Can):
        return frozenset()
    own = frozenset([formula.role]) if isinstance(formula, Does) else frozenset[Role]()
    return own.union(*map(movers, children(formula)))


def is_own(formula: Formula, role: Role) -> bool:
    """Return whether a formula is about the state and a role's move, not what follows."""
    return is_timeless(formula) and movers(formula) <= {role}


def uses_can(formula: Formula) -> bool:
    """Return whether a formula asks somewhere what a role can do."""
    return isinstance(formula, Can) or any(map(uses_can, children(formula)))


def uses_past(formula: Formula) -> bool:
    """Return whether a formula refers to the past."""
    return isinstance(formula, Previous | Made | Before) or any(map(uses_past, children(formula)))


def without_previous(formula: Formula) -> Formula:
    """Rewrite `previous` by `Before` and `Made`, which refer to the past directly.

    >>> without_previous(Previous(Next(Terminal())))
    Or(parts=(Not(formula=Made(moves=1)), Terminal()))
    """
    return _earlier(formula, 0)


def _earlier(formula: Formula, moves: int) -> Formula:
    """Rewrite a formula to what it says of the state that number of moves before, which exists."""
    match formula:
        case Const() | Can():
            return formula
        case Next(inner):
            return _earlier(inner, moves - 1) if moves else Next(_earlier(inner, 0))
        case Previous(inner):
            return disjunction([Not(Made(moves + 1)), _earlier(inner, moves + 1)])
        case Not() | And() | Or() | AtLeast():
            return with_children(formula, lambda part: _earlier(part, moves))
        case leaf:
            return Before(moves, leaf) if moves else leaf


def past_depth(formula: Formula) -> int:
    """Count how many moves back a formula without `previous` looks."""
    return max((x.moves for x in leaves(formula) if isinstance(x, Made | Before)), default=0)


def plan_formulas(plan: Plan) -> Iterator[Formula]:
    """Walk the formulas of a plan."""
    if isinstance(plan, Simple):
        yield plan.formula
    else:
        for part in plan.parts:
            yield from plan_formulas(part)
