"""Path semantics of formulas: definition 4 of paper 001, written once over any truth values.

A path may end anywhere, and where it ends `does(a)` and `○φ` always hold. A formula is valid under
a joint move if all paths that begin with it satisfy the formula. Validity does not distribute over
disjunction: a disjunction can be valid where neither side is.

Along a joint move the state and the move decide all of a formula except what is below ○, and there
is a next state, so ○ commutes with the connectives. What remains (`Paths.after`) is one formula
that all paths from the next state must satisfy: the path that ends there, and those that begin with
each of its moves. Each step removes one ○.

A `World` says what truth is: bool at one state, an array over the states of a space, a literal of
gates, a text. The reference checker (`verification.reference`) shares none of this, on purpose.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar, get_args

from kibitz.engine import Move, Role
from kibitz.strategy import tree

At = TypeVar("At")
Joint = TypeVar("Joint")
V = TypeVar("V")
Ask = Callable[[Any, Any], Any]

_PLAIN = frozenset(get_args(tree.Leaf)) - {tree.Does}


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A formula whose truth is this value, whatever the path."""

    value: Any


class World(ABC, Generic[At, Joint, V]):
    """Truth values of one kind, and how the next positions are reached.

    A position and a joint move may stand for many at once; then a value has a truth for each.
    """

    true: V
    false: V

    @abstractmethod
    def no(self, value: V) -> V:
        """Negate."""

    @abstractmethod
    def all(self, values: Iterable[V]) -> V:
        """Join by AND."""

    @abstractmethod
    def any(self, values: Iterable[V]) -> V:
        """Join by OR."""

    @abstractmethod
    def tally(self, values: Sequence[V]) -> Any:
        """Count values, for `reaches`: numbers that are asked for share what is counted."""

    @abstractmethod
    def reaches(self, tally: Any, count: int) -> V:
        """Return whether at least a number of the values counted hold."""

    @abstractmethod
    def decided(self, value: V) -> bool | None:
        """Return what a value is, if it is the same everywhere and that is seen at once."""

    @abstractmethod
    def leaf(self, leaf: tree.Leaf, at: At) -> V:
        """Return whether a leaf other than `Does` holds."""

    @abstractmethod
    def does(self, role: Role, move: Move, at: At, joint: Joint) -> V:
        """Return whether a role makes a move in a joint move."""

    @abstractmethod
    def step(self, at: At, joint: Joint) -> At:
        """Return the position after a joint move."""

    @abstractmethod
    def every(self, at: At, ask: Callable[[Joint], V], where: V) -> V:
        """Return whether something holds for all joint moves, asked where `where` holds."""

    @abstractmethod
    def can(self, at: At, role: Role, ask: Callable[[Joint], V], is_own: bool) -> V:
        """Return whether play goes on, and something holds for all joint moves with some move.

        With `is_own`, what others do does not matter for it.
        """

    @abstractmethod
    def memo(self, at: At, joint: Joint | None) -> dict[object, Any]:
        """Return a place for what is known about a position, or a joint move there."""

    def once(self, key: tree.Formula, at: At, ask: Callable[[At], V]) -> V:
        """Return what asking for a formula gives, which may be known."""
        memo = self.memo(at, None)
        if key not in memo:
            memo[key] = ask(at)
        value: V = memo[key]
        return value

    def start(self, at: At, joint: Joint) -> At:
        """Return the position in which a joint move is made."""
        return at

    def join(self, parts: Sequence[tree.Formula], stop: bool, point: Any, ask: Ask) -> V:
        """Join parts by OR, if `stop`, or by AND; later ones are asked only where that is open."""
        values: list[V] = []
        for part in parts:
            value = ask(part, point)
            if self.decided(value) is stop:
                return value  # type: ignore[no-any-return]
            values.append(value)
        return self.any(values) if stop else self.all(values)

    def split(self, formula: tree.Formula, at: At, ask: Ask) -> V | None:
        """Ask for a formula with `Known` parts in a way of its own; None if there is none."""
        return None


class Paths(Generic[At, Joint, V]):
    """Formulas over one world."""

    def __init__(self, world: World[At, Joint, V]) -> None:
        self.world = world

    def valid(self, formula: tree.Formula, at: At, joint: Joint) -> V:
        """Return whether all paths that begin with a joint move satisfy a formula."""
        if is_settled(formula):
            return self._along(formula, at, joint)
        world = self.world
        # "On all paths" distributes over AND, and over OR with what is the same on all of them.
        if parts := _apart(formula, is_settled):
            is_or = isinstance(formula, tree.Or)
            return world.join(parts, is_or, joint, lambda part, here: self.valid(part, at, here))
        rest = self.after(formula, at, joint)
        if isinstance(rest, Known):
            return rest.value  # type: ignore[no-any-return]
        return self.everywhere(rest, world.step(at, joint))

    def everywhere(self, formula: tree.Formula | Known, at: At) -> V:
        """Return whether all paths from a position satisfy a formula."""
        world = self.world
        if isinstance(formula, Known):
            return formula.value  # type: ignore[no-any-return]
        if isinstance(formula, tree.Const):
            return world.true if formula.value else world.false
        is_split = has_known(formula)
        if is_split and (found := world.split(formula, at, self.everywhere)) is not None:
            return found
        if tree.is_about_moves(formula):
            if parts := _apart(formula, _is_about_state):
                return world.join(parts, isinstance(formula, tree.Or), at, self.everywhere)
            ask = partial(self._on_all, formula)
        else:
            ask = partial(self.now, formula)
        return ask(at) if is_split else world.once(formula, at, ask)

    def _on_all(self, formula: tree.Formula, at: At) -> V:
        alone = self.now(formula, at)
        if self.world.decided(alone) is False:
            return alone
        return self.world.every(at, lambda joint: self.valid(formula, at, joint), alone)

    def now(self, formula: tree.Formula, at: At) -> V:
        """Return whether the path that ends in a position satisfies a formula."""
        world = self.world
        if type(formula) in _PLAIN:
            return world.leaf(formula, at)  # type: ignore[arg-type]
        match formula:
            case tree.Not() | tree.And() | tree.Or() | tree.AtLeast():
                return self._fold(formula, at, None, self.now)
            case tree.Const(value):
                return world.true if value else world.false
            case Known(value):
                return value  # type: ignore[no-any-return]
            case tree.Does() | tree.Next():
                return world.true
            case tree.Can(role, inner):

                def ask(here: At) -> V:
                    is_own = tree.is_own(inner, role)
                    return world.can(here, role, partial(self.valid, inner, here), is_own)

                return world.once(formula, at, ask)
        raise TypeError("previous is rewritten when a text is read")

    def _along(self, formula: tree.Formula, at: At, joint: Joint) -> V:
        """Return whether a formula holds that a state, the move and the next state settle."""
        world = self.world
        match formula:
            case tree.Next(inner):
                return self.everywhere(inner, world.step(at, joint))
            case tree.Does(role, move):
                return world.does(role, move, at, joint)
            case tree.Not() | tree.And() | tree.Or() | tree.AtLeast():
                if tree.is_about_moves(formula):

                    def ask(part: tree.Formula, here: Joint) -> V:
                        return self._along(part, at, here)

                    return self._fold(formula, at, joint, ask)
                return self.everywhere(formula, world.start(at, joint))
            case _:
                return self.now(formula, world.start(at, joint))

    def _fold(self, formula: tree.Formula, at: At, joint: Joint | None, ask: Ask) -> V:
        world, point = self.world, at if joint is None else joint
        match formula:
            case tree.Not(inner):
                return world.no(ask(inner, point))
            case tree.And(parts) | tree.Or(parts):
                return world.join(cheap_first(parts), isinstance(formula, tree.Or), point, ask)
            case tree.AtLeast(count, parts):
                # Numbers from one to all are asked for, of one tuple of parts.
                memo = world.memo(at, joint)
                if id(parts) not in memo:
                    memo[id(parts)] = parts, world.tally([ask(part, point) for part in parts])
                return world.reaches(memo[id(parts)][1], count)
        raise TypeError("such a formula is not made of others")

    def after(self, formula: tree.Formula, at: At, joint: Joint) -> Known | tree.Formula:
        """Return what must hold from the next position on: a formula, or its truth."""
        world = self.world
        if tree.is_timeless(formula):
            return Known(self._along(formula, at, joint))
        match formula:
            case tree.Next(inner):
                return inner
            case tree.Not(inner):
                rest = self.after(inner, at, joint)
                return (
                    Known(world.no(rest.value)) if isinstance(rest, Known) else tree.negation(rest)
                )
            case tree.And(parts) | tree.Or(parts):
                return self._rest(cheap_first(parts), isinstance(formula, tree.Or), at, joint)
            case tree.AtLeast(count, parts):
                memo = world.memo(at, joint)
                if (id(parts), "after") not in memo:
                    left = [self.after(part, at, joint) for part in parts]
                    known = [world.decided(x.value) if isinstance(x, Known) else None for x in left]
                    open_ = tuple(x for x, is_on in zip(left, known, strict=True) if is_on is None)
                    memo[id(parts), "after"] = parts, open_, known.count(True)
                _, open_, held = memo[id(parts), "after"]
                return tree.at_least(count - held, open_)
        raise TypeError("previous is rewritten when a text is read")

    def _rest(
        self, parts: Sequence[tree.Formula], stop: bool, at: At, joint: Joint
    ) -> Known | tree.Formula:
        values: list[V] = []
        rest: list[Any] = []
        for part in parts:
            left = self.after(part, at, joint)
            if not isinstance(left, Known):
                rest.append(left)
            elif (known := self.world.decided(left.value)) is None:
                values.append(left.value)
            elif known is stop:
                return left
        if values or not rest:
            rest.insert(0, Known(self.world.any(values) if stop else self.world.all(values)))
        if len(rest) == 1:
            return rest[0]  # type: ignore[no-any-return]
        return tree.Or(tuple(rest)) if stop else tree.And(tuple(rest))


def _is_about_state(formula: tree.Formula) -> bool:
    return not tree.is_about_moves(formula)


@tree.by_identity
def is_settled(formula: tree.Formula) -> bool:
    """Return whether all paths that begin with the same joint move agree about a formula."""
    match formula:
        case tree.Next(inner):
            return not tree.is_about_moves(inner)
        case tree.Previous():
            return False
        case tree.Can():
            return True
        case _:
            return all(map(is_settled, tree.children(formula)))


@tree.by_identity
def has_known(formula: tree.Formula) -> bool:
    """Return whether a part of a formula has its truth from another position."""
    return isinstance(formula, Known) or any(map(has_known, tree.children(formula)))


@tree.by_identity
def _split_or(formula: tree.Formula) -> dict[object, tuple[tree.Formula, ...]]:
    return {}


def _apart(
    formula: tree.Formula, is_fixed: Callable[[tree.Formula], bool]
) -> tuple[tree.Formula, ...]:
    """Return the parts of a formula whose validity is that of its parts; none of others.

    Those are the parts of AND, and of OR if paths can differ about one of them alone.
    """
    if isinstance(formula, tree.And):
        return cheap_first(formula.parts)
    if not isinstance(formula, tree.Or):
        return ()
    known = _split_or(formula)
    if is_fixed not in known:
        fixed = [part for part in formula.parts if is_fixed(part)]
        moving = tuple(part for part in formula.parts if not is_fixed(part))
        left = (moving[0] if len(moving) == 1 else tree.Or(moving),) if moving else ()
        known[is_fixed] = (*cheap_first(tuple(fixed)), *left) if fixed else ()
    return known[is_fixed]


@tree.by_identity
def cheap_first(parts: tuple[tree.Formula, ...]) -> tuple[tree.Formula, ...]:
    """Sort parts by how much there is to do for them, roughly."""
    return tuple(sorted(parts, key=_cost))


@tree.by_identity
def _cost(formula: tree.Formula) -> int:
    match formula:
        case tree.Const() | tree.Does() | Known():
            return 0
        case tree.Next(inner) | tree.Can(_, inner):
            return 10 + _cost(inner)
        case _:
            return max(map(_cost, tree.children(formula)), default=1)
