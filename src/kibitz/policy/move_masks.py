"""Plans of strategies in; out masks: for each move of a role, the gate that says it is allowed.

The definitions are those of `strategy.evaluation.one_state`, with a literal in the place of every
truth value: a mask holds in all states in which the role has a choice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from kibitz.engine import FALSE, TRUE, CompiledGame, Literal, Role, simulate
from kibitz.gdl import Function
from kibitz.policy.unrolled_game import (
    MOST_GATES,
    Gates,
    Layer,
    Macro,
    NotCompilableError,
    Position,
    UnrolledGame,
)
from kibitz.space import choices_of
from kibitz.strategy import (
    COMPARE,
    Also,
    And,
    AtLeast,
    Before,
    Can,
    Const,
    Derived,
    Does,
    Either,
    Else,
    Formula,
    GoalIs,
    Holds,
    Initial,
    Leaf,
    Legal,
    Made,
    Next,
    Not,
    Number,
    NumberIs,
    Or,
    Plan,
    Previous,
    Renaming,
    Simple,
    Terminal,
    Turn,
    Unchanged,
    Wins,
    at_least,
    compared_values,
    counted_in,
    derived_game,
    is_about_moves,
    leaves,
    negation,
    number_gates,
    plan_formulas,
)

__all__ = ["Mask", "MoveMasks"]

_TRIED, _TRIED_S = 1000, 0.5
"""How many random matches are played, within how many seconds, to see how they end."""

Mask = tuple[Literal, ...]
"""A literal for each move of the role, in the order of the game's network."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A formula whose truth is this literal, whatever the path."""

    literal: Literal


class MoveMasks:
    """Makes masks for one role of a game, all over the same gates.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> masks = MoveMasks(game, "xplayer")
    >>> corner = masks.plan(read_strategy("true => mark(1,1)", game).plan("xplayer"))
    >>> sum(literal > 0 for literal in corner), len(corner)
    (4, 10)
    """

    def __init__(self, game: CompiledGame, role: Role, *, most_gates: int = MOST_GATES) -> None:
        game.check_role(role)
        self.game, self.role = game, role
        self.index = game.roles.index(role)
        self.unrolled = UnrolledGame(game, most_gates)
        self.gates: Gates = self.unrolled.gates
        self.root = self.unrolled.first(self.unrolled.turns[self.index])
        self._macros: dict[tuple[Position, object], Macro] = {}
        self.moves = [{move: i for i, move in enumerate(all_)} for all_ in game.network.moves]
        self._relations: dict[Function, _Relations] = {}
        self._costs: dict[Formula, int] = {}
        self._owns: dict[tuple[Formula, int], bool] = {}
        self._lists: dict[Or, tuple[int, frozenset[int]] | None] = {}
        self._lefts: WeakKeyDictionary[Position, dict[object, list[Literal | Formula]]] = (
            WeakKeyDictionary()
        )
        self._numbers: WeakKeyDictionary[Position, dict[Number, dict[int, Literal]]] = (
            WeakKeyDictionary()
        )

    @contextmanager
    def limited(
        self, gates: int, positions: int, parts: float = math.inf, deadline: float = math.inf
    ) -> Iterator[None]:
        """Bound the gates, positions and parts of formulas within this context, and the time."""
        store = self.gates.store
        before = store.most, self.unrolled.most_positions
        self.unrolled.most_parts = self.unrolled.parts + parts
        self.unrolled.stop_at(deadline)
        store.most = min(before[0], store.count + gates)
        self.unrolled.most_positions = min(before[1], self.unrolled.positions + positions)
        try:
            yield
        finally:
            store.most, self.unrolled.most_positions = before
            self.unrolled.deadline = self.unrolled.most_parts = math.inf

    @property
    def legal(self) -> Mask:
        """The moves that the rules allow."""
        return tuple(self.root.legal(self.index))

    def both(self, *masks: Mask) -> Mask:
        """Return the moves that are in all of some masks."""
        return tuple(self.gates.all(literals) for literals in zip(*masks, strict=True))

    def either(self, *masks: Mask) -> Mask:
        """Return the moves that are in any of some masks."""
        return tuple(self.gates.any(literals) for literals in zip(*masks, strict=True))

    def but_not(self, mask: Mask, other: Mask) -> Mask:
        """Return the moves of a mask that are not in another."""
        return tuple(self.gates.both(a, b ^ 1) for a, b in zip(mask, other, strict=True))

    def first(self, masks: Sequence[Mask]) -> Mask:
        """Return the moves of the first mask that has any."""
        gates = self.gates
        found: Mask = (FALSE,) * len(self.legal)
        for mask in reversed(masks):
            has = gates.any(mask)
            found = tuple(
                gates.either(here, gates.both(has ^ 1, later))
                for here, later in zip(mask, found, strict=True)
            )
        return found

    def anywhere(self, mask: Mask) -> Mask:
        """Return a mask for all states: any legal move where it has none or has no choice."""
        gates = self.gates
        chooses = gates.all(
            2 * (1 + fluent) ^ (not value)
            for fluent, value in self.unrolled.turns[self.index].items()
        )
        legal = self.unrolled.first({}).legal(self.index)
        return tuple(
            gates.both(here, gates.either(chosen, chooses ^ 1))
            for here, chosen in zip(legal, self.first([mask, self.legal]), strict=True)
        )

    def narrowed(self, masks: Sequence[Mask]) -> Mask:
        """Return the moves that the longest possible run of masks share."""
        gates = self.gates
        chosen, goes_on = masks[0], TRUE
        for mask in masks[1:]:
            shared = self.both(chosen, mask)
            goes_on = gates.both(goes_on, gates.any(shared))
            chosen = tuple(
                gates.either(gates.both(goes_on, new), gates.both(goes_on ^ 1, old))
                for new, old in zip(shared, chosen, strict=True)
            )
        return chosen

    def plan(self, plan: Plan) -> Mask:
        """Return the legal moves that a plan allows."""
        self._prepare(plan_formulas(plan))
        match plan:
            case Simple(formula):
                return self.formula(formula)
            case Either(parts):
                return self.either(*map(self.plan, parts))
            case Else(parts):
                return self.first([self.plan(part) for part in parts])
            case Also((first, *chain)) if (counted := counted_in(chain)) is not None:
                chosen = self.plan(first)
                most = self.most(counted, chosen)
                return most or self.narrowed([chosen, *map(self.plan, chain)])
            case Also(parts):
                return self.narrowed([self.plan(part) for part in parts])

    def most(self, parts: tuple[Formula, ...], mask: Mask) -> Mask | None:
        """Return the moves of a mask under which most of some formulas are valid.

        None where `number` has no answer.
        """
        number = self.number(parts)
        return None if number is None else self.highest(number, mask)

    def number(self, parts: tuple[Formula, ...]) -> tuple[Mask, ...] | None:
        """Return how many of some formulas are valid under each legal move, the highest bit first.

        None where other roles, or paths, may differ about them: then a number of formulas is valid
        under a move, and not each of them.
        """
        self._prepare(parts)
        numbers: list[list[Literal]] = []
        for move, here in enumerate(self.legal):
            numbers.append([])
            if here == FALSE:
                continue
            joints = list(self.root.joints({self.index: move}, goes_on=True))
            if len(joints) != 1:
                return None
            ((joint, _),) = joints
            self.unrolled.count_parts(len(parts))
            found: list[Literal] = []
            for part in parts:
                left = self._after(part, self.root, joint)
                if not isinstance(left, int):
                    if is_about_moves(left):
                        return None
                    left = self._everywhere(left, self.root.after(joint))
                found.append(left)
            numbers[-1] = self.gates.number(found)
        return tuple(
            tuple(bits[bit] if bit < len(bits) else FALSE for bits in numbers)
            for bit in reversed(range(max(map(len, numbers), default=0)))
        )

    def highest(self, number: Sequence[Mask], mask: Mask) -> Mask:
        """Return the moves of a mask whose numbers, given bit by bit, are highest."""
        gates = self.gates
        for bit in number:
            none = gates.any(map(gates.both, mask, bit)) ^ 1
            mask = tuple(
                gates.both(here, gates.either(high, none))
                for here, high in zip(mask, bit, strict=True)
            )
        return mask

    def foremost(self, ranks: Sequence[int], mask: Mask) -> Mask:
        """Return the moves of a mask whose ranks, the same in all states, are highest."""
        gates = self.gates
        better, found = FALSE, list(mask)
        for rank in sorted(set(ranks), reverse=True):
            places = [move for move, here in enumerate(ranks) if here == rank]
            for move in places:
                found[move] = gates.both(mask[move], better ^ 1)
            better = gates.either(better, gates.any(mask[move] for move in places))
        return tuple(found)

    def formula(self, formula: Formula) -> Mask:
        """Return the legal moves under which a formula is valid."""
        made = self._made(formula)
        if made is not None:
            return tuple(here if move in made else FALSE for move, here in enumerate(self.legal))
        self._prepare([formula])
        return tuple(
            self.gates.both(here, self._allows(formula, self.root, self.index, move))
            if here != FALSE
            else FALSE
            for move, here in enumerate(self.legal)
        )

    def _made(self, formula: Formula) -> frozenset[int] | None:
        """Return the moves that a formula lists, if that is all it does."""
        parts = formula.parts if isinstance(formula, Or) else (formula,)
        if not all(isinstance(part, Does) and part.role == self.role for part in parts):
            return None
        numbers = self.moves[self.index]
        made = [part.move for part in parts if isinstance(part, Does)]
        return frozenset(numbers[move] for move in made if move in numbers)

    def _prepare(self, formulas: Iterable[Formula]) -> None:
        """Ground the relations of the rule sheet that formulas ask for."""
        atoms = {
            leaf.atom: None
            for formula in formulas
            for leaf in leaves(formula)
            if isinstance(leaf, Derived) and leaf.atom not in self._relations
        }
        if atoms:
            made = _Relations(self.unrolled, list(atoms))
            self._relations.update(dict.fromkeys(atoms, made))

    def _allows(self, formula: Formula, at: Position, role: int, move: int) -> Literal:
        """Return whether a formula is valid under a move, given that play goes on."""
        gates = self.gates
        if self._is_own(formula, role):
            others = [-2] * len(self.moves)  # No formula here asks what they do.
            others[role] = move
            return self._valid(formula, at, tuple(others))
        result = TRUE
        for joint, allowed in at.joints({role: move}, goes_on=True):
            self.unrolled.count_parts(1)
            result = gates.both(result, gates.either(allowed ^ 1, self._valid(formula, at, joint)))
            if result == FALSE:
                break
        return result

    def _is_own(self, formula: Formula, role: int) -> bool:
        """Return whether a formula is about the state and a role's move, not what follows."""
        key = (formula, role)
        if key not in self._owns:
            match formula:
                case Next():
                    found = False
                case Does(who, _):
                    found = who == self.game.roles[role]
                case Not(inner):
                    found = self._is_own(inner, role)
                case And(parts) | Or(parts) | AtLeast(_, parts):
                    found = all(self._is_own(part, role) for part in parts)
                case _:
                    found = True
            self._owns[key] = found
        return self._owns[key]

    def _valid(self, formula: Formula, at: Position, joint: tuple[int, ...]) -> Literal:
        """Return whether all paths that begin with a joint move satisfy a formula."""
        rest = self._after(formula, at, joint)
        return rest if isinstance(rest, int) else self._everywhere(rest, at.after(joint))

    def _everywhere(self, formula: Formula, at: Position) -> Literal:
        """Return whether all paths that begin in a position satisfy a formula."""
        if formula not in at.cache:
            at.cache[formula] = self._everywhere_anew(formula, at)
        return at.cache[formula]

    def _everywhere_anew(self, formula: Formula, at: Position) -> Literal:
        gates = self.gates
        if not is_about_moves(formula):
            alone = self._after(formula, at, None)
            assert isinstance(alone, int)
            return alone
        match formula:
            case And(parts):
                return gates.all([self._everywhere(part, at) for part in parts])
            case Or(parts):
                # What does not depend on the path stays outside: it may be of another position.
                moving = [part for part in parts if is_about_moves(part)]
                if len(moving) < len(parts):
                    rest = [part for part in parts if part not in moving]
                    left = Or(tuple(moving)) if len(moving) > 1 else moving[0]
                    known = [self._everywhere(part, at) for part in rest]
                    return gates.any([*known, self._everywhere(left, at)])
        if not at.is_first and not _has_known(formula):
            return self._by_macro(formula, at, lambda first: self._everywhere(formula, first))
        alone = self._after(formula, at, None)
        assert isinstance(alone, int)
        result = alone
        if alone != FALSE:
            for joint, allowed in at.joints({}):
                holds = gates.either(allowed ^ 1, self._valid(formula, at, joint))
                result = gates.both(result, holds)
                if result == FALSE:
                    break
        return result

    def _by_macro(self, key: object, at: Position, ask: Callable[[Position], Literal]) -> Literal:
        """Ask once, in the position of the inputs, and put this position in its place."""
        first = self.unrolled.first_like(at)
        if (first, key) not in self._macros:
            self._macros[first, key] = Macro(self.gates, ask(first))
        return self._macros[first, key].at(at)

    def _after(
        self, formula: Formula, at: Position, joint: tuple[int, ...] | None
    ) -> Literal | Formula:
        """Return what must hold after the joint move, or at once if the path ends here."""
        known = _known(formula)
        if known is not None:
            return known
        match formula:
            case Const(value):
                return TRUE if value else FALSE
            case Not(inner):
                rest = self._after(inner, at, joint)
                return rest ^ 1 if isinstance(rest, int) else negation(rest)
            case And(parts) if all(map(_is_fact, parts)):
                return self.gates.all(
                    self._holds(part.formula, at) ^ 1  # type: ignore[arg-type]
                    if isinstance(part, Not)
                    else self._holds(part, at)  # type: ignore[arg-type]
                    for part in parts
                )
            case And(parts):
                return self._joined(parts, at, joint, FALSE)
            case Or(parts):
                if (listed := self._listed(formula)) is not None:
                    who, moves = listed
                    return TRUE if joint is None or joint[who] in moves else FALSE
                return self._joined(parts, at, joint, TRUE)
            case AtLeast(count, parts):
                return self._number(count, parts, at, joint)
            case Next(inner):
                if joint is None or inner == Const(True):
                    return TRUE
                return FALSE if inner == Const(False) else inner
            case Does(role, move):
                who = self.game.roles.index(role)
                is_made = joint is None or joint[who] == self.moves[who].get(move, -1)
                return TRUE if is_made else FALSE
            case Can(role, inner):
                return self._can(role, inner, at)
            case Previous():
                raise TypeError("previous is rewritten when a text is read")
            case leaf:
                return self._holds(leaf, at)

    def _listed(self, formula: Or) -> tuple[int, frozenset[int]] | None:
        """Return a role and its moves, if a formula says that it makes one of them."""
        if formula not in self._lists:
            found = [part for part in formula.parts if isinstance(part, Does)]
            roles = {part.role for part in found}
            self._lists[formula] = None
            if len(found) == len(formula.parts) and len(roles) == 1:
                who = self.game.roles.index(roles.pop())
                numbers = self.moves[who]
                made = frozenset(numbers[part.move] for part in found if part.move in numbers)
                self._lists[formula] = who, made
        return self._lists[formula]

    def _joined(
        self, parts: tuple[Formula, ...], at: Position, joint: tuple[int, ...] | None, stop: Literal
    ) -> Literal | Formula:
        """Join what is left of parts by AND, if `stop` is false, or by OR; cheap parts first."""
        gates = self.gates
        self.unrolled.count_parts(len(parts))
        known, rest = stop ^ 1, []
        for part in sorted(parts, key=self._cost):
            left = self._after(part, at, joint)
            if not isinstance(left, int):
                rest.append(left)
                continue
            known = gates.either(known, left) if stop else gates.both(known, left)
            if known == stop:
                return stop
        if not rest:
            return known
        kept: list[Formula] = rest if known == stop ^ 1 else [_Known(known), *rest]  # type: ignore[list-item]
        if len(kept) == 1:
            return kept[0]
        return Or(tuple(kept)) if stop else And(tuple(kept))

    def _number(
        self, count: int, parts: tuple[Formula, ...], at: Position, joint: tuple[int, ...] | None
    ) -> Literal | Formula:
        """Return what is left of asking for a number of parts; all numbers share their gates."""
        self.unrolled.count_parts(len(parts))
        key = (joint, parts)
        if key not in self._lefts.setdefault(at, {}):
            self._lefts[at][key] = [self._after(part, at, joint) for part in parts]
        left = self._lefts[at][key]
        known = [part for part in left if isinstance(part, int)]
        if len(known) == len(left):
            return self.gates.at_least(count, known)
        kept: list[Formula] = [
            Const(part == TRUE)
            if part in (TRUE, FALSE)
            else _Known(part)  # type: ignore[misc]
            if isinstance(part, int)
            else part
            for part in left
        ]
        rest = at_least(count, kept)
        return (TRUE if rest.value else FALSE) if isinstance(rest, Const) else rest

    def _cost(self, formula: Formula) -> int:
        """Return how much there is to do for a formula, roughly."""
        if formula not in self._costs:
            match formula:
                case Const() | Does():
                    cost = 0
                case Not(inner):
                    cost = self._cost(inner)
                case Next(inner) | Can(_, inner):
                    cost = 10 + self._cost(inner)
                case And(parts) | Or(parts) | AtLeast(_, parts):
                    cost = max(map(self._cost, parts))
                case _:
                    cost = 1
            self._costs[formula] = cost
        return self._costs[formula]

    def _can(self, role: Role, formula: Formula, at: Position) -> Literal:
        """Return whether a role has a move under which a formula is valid."""
        key = (role, formula)
        if key not in at.cache:
            who = self.game.roles.index(role)
            if at.is_first:
                found = self.gates.any(
                    self.gates.all([at.goes_on(), here, self._allows(formula, at, who, move)])
                    for move, here in enumerate(at.legal(who))
                    if here != FALSE
                )
            else:
                found = self._by_macro(key, at, lambda first: self._can(role, formula, first))
            at.cache[key] = found
        return at.cache[key]

    def _holds(self, leaf: Leaf, at: Position) -> Literal:
        """Return whether a leaf holds, whatever the path."""
        gates = self.gates
        match leaf:
            case Holds(fluent):
                return self.unrolled.holds(fluent, at)
            case Legal(role, move):
                who = self.game.roles.index(role)
                if move not in self.moves[who]:
                    return FALSE
                return gates.both(at.terminal ^ 1, at.legal(who)[self.moves[who][move]])
            case Terminal():
                return at.terminal
            case Initial():
                return gates.all(
                    at.fluent(i) ^ (not holds) for i, holds in enumerate(self.game.network.initial)
                )
            case Wins(role):
                return self._wins(role, at)
            case GoalIs(role, comparison, number):
                compare = COMPARE[comparison]
                return self._goal(role, at, lambda value: bool(compare(value, number)))
            case NumberIs(left, comparison, right):
                values = [self._values(number, at) for number in (left, right)]
                return compared_values(values[0], COMPARE[comparison], values[1], gates)
            case Unchanged(_, pairs):
                held = self.unrolled.holds
                literals = [(held(a, at), held(b, at)) for a, b in pairs]
                return gates.all(
                    gates.either(x, y) for a, b in literals for x, y in ((a, b ^ 1), (a ^ 1, b))
                )
            case Turn(role):
                return self._turn(role, at)
            case Derived(atom, renaming):
                return self._relations[atom].holds(atom, renaming, at)
            case Made(1) if at is self.root:
                return gates.any(self._last(0, move) for move in self.moves[0].values())
            case Before(1, Does(role, move)) if at is self.root:
                who = self.game.roles.index(role)
                return self._last(who, self.moves[who][move]) if move in self.moves[who] else FALSE
            case Made() | Before():
                raise NotCompilableError("it refers to more of the past than the last move")
            case Does():
                raise TypeError("does depends on the path")

    def _values(self, number: Number, at: Position) -> dict[int, Literal]:
        """Return for each value that a number can have the literal that says it has it."""
        known = self._numbers.setdefault(at, {})
        if number not in known:
            self.unrolled.count_parts(len(number.table))
            known[number] = number_gates(number, lambda f: self.unrolled.holds(f, at), self.gates)
        return known[number]

    def _last(self, who: int, move: int) -> Literal:
        """Return whether a role's last move was this one."""
        return 2 * (self.unrolled.starts[who] + move)

    def _wins(self, role: Role, at: Position) -> Literal:
        """Return whether play has ended, and a role's goal is 100."""
        if not self._goals_are_single:
            return self.gates.both(at.terminal, self._goal(role, at, lambda value: value == 100))
        pairs = self.game.network.goals[self.game.roles.index(role)]
        won = at.ask(tuple(literal for value, literal in pairs if value == 100))
        return self.gates.both(at.terminal, won[0]) if won else FALSE

    @cached_property
    def _goals_are_single(self) -> bool:
        """Whether ends give each role one goal, as GDL demands, in all of some random matches."""
        tried = simulate(self.game, playouts=_TRIED, seconds=_TRIED_S, threads=1)
        return all(mean is not None for mean in tried.mean_goals.values())

    def _goal(self, role: Role, at: Position, fits: Callable[[int], bool]) -> Literal:
        """Return whether the rules give a role one goal, and it fits."""
        pairs = self.game.network.goals[self.game.roles.index(role)]
        found = at.ask(tuple(literal for _, literal in pairs))
        fitting = [value is not None and 0 <= value <= 100 and fits(value) for value, _ in pairs]
        return self.gates.any(
            self.gates.all([here, *(other ^ 1 for j, other in enumerate(found) if j != i)])
            for i, here in enumerate(found)
            if fitting[i]
        )

    def _turn(self, role: Role, at: Position) -> Literal:
        """Return whether a role has the turn; see `space.turns`."""
        gates = self.gates
        choices = choices_of(self.game)
        everyone = range(len(self.game.roles))
        several = [gates.several(at.legal(who)) for who in everyone]
        chosen = [
            gates.any(
                here
                for move, here in zip(self.game.network.moves[who], at.legal(who), strict=True)
                if move in choices
            )
            for who in everyone
        ]
        me = self.game.roles.index(role)
        forced = gates.both(gates.any(several) ^ 1, gates.either(chosen[me], gates.any(chosen) ^ 1))
        return gates.both(at.goes_on(), gates.either(several[me], forced))


def _is_fact(formula: Formula) -> bool:
    """Return whether a formula says of one fluent that it holds, or that it does not."""
    return isinstance(formula.formula if isinstance(formula, Not) else formula, Holds)


def _has_known(formula: Formula) -> bool:
    """Return whether a part of a formula has its truth from another position."""
    return any(_known(leaf) is not None for leaf in leaves(formula))


def _known(formula: object) -> Literal | None:
    """Return the literal of a formula whose truth is known."""
    return formula.literal if isinstance(formula, _Known) else None


class _Relations:
    """Relations of the rule sheet as gates, by the network of a game that can be asked for them."""

    def __init__(self, unrolled: UnrolledGame, atoms: list[Function]) -> None:
        self.unrolled = unrolled
        made = derived_game(unrolled.game, atoms)
        self.layer = Layer(made.game.network, unrolled.gates)
        self.literals = dict(zip(atoms, made.literals, strict=True))

    def holds(self, atom: Function, renaming: Renaming | None, at: Position) -> Literal:
        """Return whether a relation, or its image under a symmetry, holds."""
        key = (atom, renaming)
        if key not in at.cache:
            images = renaming.fluents if renaming else {}
            values = np.full(self.layer.nodes, -1, dtype=np.int32)
            values[0] = FALSE
            for node, fluent in enumerate(self.layer.network.fluents, start=1):
                values[node] = self.unrolled.holds(images.get(fluent, fluent), at)
            found = self.layer.fill(values, values, (self.literals[atom],))
            at.cache[key] = int(found[0])
        return at.cache[key]
