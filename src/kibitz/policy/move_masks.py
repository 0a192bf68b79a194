"""Compile plans into masks: for each move of a role, the gate that says it is allowed.

A mask holds in all states in which the role has a choice. Formulas are read by `strategy.Paths`,
with a literal for every truth value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import Any

import numpy as np

from kibitz.engine import FALSE, TRUE, CompiledGame, Literal, Move, Role, simulate
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
    Number,
    Paths,
    World,
    compared_values,
    derived_game,
    is_settled,
    number_gates,
    tree,
)

_TRIED, _TRIED_S = 1000, 0.5
"""How many random matches are played, within how many seconds, to see how they end."""

Mask = tuple[Literal, ...]
"""A literal for each move of the role, in the order of the game's network."""


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
        self.world = _GateWorld(self.unrolled)
        self.world.root = self.root
        self.moves = self.world.moves
        self.paths = Paths(self.world)

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

    def plan(self, plan: tree.Plan) -> Mask:
        """Return the legal moves that a plan allows."""
        self._prepare(tree.plan_formulas(plan))
        match plan:
            case tree.Simple(formula):
                return self.formula(formula)
            case tree.Either(parts):
                return self.either(*map(self.plan, parts))
            case tree.Else(parts):
                return self.first([self.plan(part) for part in parts])
            case tree.Also((first, *chain)) if (counted := tree.counted_in(chain)) is not None:
                chosen = self.plan(first)
                most = self.most(counted, chosen)
                return most or self.narrowed([chosen, *map(self.plan, chain)])
            case tree.Also(parts):
                return self.narrowed([self.plan(part) for part in parts])

    def most(self, parts: tuple[tree.Formula, ...], mask: Mask) -> Mask | None:
        """Return the moves of a mask under which most of some formulas are valid.

        None where `number` has no answer.
        """
        number = self.number(parts)
        return None if number is None else self.highest(number, mask)

    def number(self, parts: tuple[tree.Formula, ...]) -> tuple[Mask, ...] | None:
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
                if not is_settled(part):
                    return None
                found.append(self.paths.valid(part, self.root, joint))
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

    def formula(self, formula: tree.Formula) -> Mask:
        """Return the legal moves under which a formula is valid."""
        made = self._made(formula)
        if made is not None:
            return tuple(here if move in made else FALSE for move, here in enumerate(self.legal))
        self._prepare([formula])
        return tuple(
            self.gates.both(here, self._allows(formula, move)) if here != FALSE else FALSE
            for move, here in enumerate(self.legal)
        )

    def _allows(self, formula: tree.Formula, move: int) -> Literal:
        """Return whether a formula is valid under a move, given that play goes on."""
        ask = partial(self.paths.valid, formula, self.root)
        is_own = tree.is_own(formula, self.role)
        return self.world.under(self.root, self.index, move, ask, is_own)

    def _made(self, formula: tree.Formula) -> frozenset[int] | None:
        """Return the moves that a formula lists, if that is all it does."""
        parts = formula.parts if isinstance(formula, tree.Or) else (formula,)
        if not all(isinstance(part, tree.Does) and part.role == self.role for part in parts):
            return None
        numbers = self.moves[self.index]
        made = [part.move for part in parts if isinstance(part, tree.Does)]
        return frozenset(numbers[move] for move in made if move in numbers)

    def _prepare(self, formulas: Iterable[tree.Formula]) -> None:
        self.world.prepare(formulas)


class _GateWorld(World[Position, tuple[int, ...], Literal]):
    """Literals over the fluents of the first position, in those that follow it."""

    true, false = TRUE, FALSE

    def __init__(self, unrolled: UnrolledGame) -> None:
        self.unrolled, self.gates, self.game = unrolled, unrolled.gates, unrolled.game
        self.moves = [{move: i for i, move in enumerate(all_)} for all_ in unrolled.network.moves]
        self.root: Position | None = None
        """Where the last moves are known."""
        self._macros: dict[tuple[Position, object], Macro] = {}
        self._relations: dict[Function, _Relations] = {}

    def no(self, value: Literal) -> Literal:
        return value ^ 1

    def all(self, values: Iterable[Literal]) -> Literal:
        return self.gates.all(values)

    def any(self, values: Iterable[Literal]) -> Literal:
        return self.gates.any(values)

    def decided(self, value: Literal) -> bool | None:
        return value == TRUE if value <= TRUE else None

    def tally(self, values: Sequence[Literal]) -> list[Literal]:
        self.unrolled.count_parts(len(values))
        return self.gates.number(values)

    def reaches(self, tally: list[Literal], count: int) -> Literal:
        return self.gates.reaches(tally, count)

    def memo(self, at: Position, joint: tuple[int, ...] | None) -> dict[object, Any]:
        if joint is None:
            return at.cache
        memo: dict[object, Any] = at.cache.setdefault(joint, {})
        return memo

    def join(
        self,
        parts: Sequence[tree.Formula],
        stop: bool,
        point: Any,
        ask: Callable[[Any, Any], Literal],
    ) -> Literal:
        self.unrolled.count_parts(len(parts))
        return super().join(parts, stop, point, ask)

    def does(self, role: Role, move: Move, at: Position, joint: tuple[int, ...]) -> Literal:
        who = self.game.roles.index(role)
        return TRUE if joint[who] == self.moves[who].get(move, -1) else FALSE

    def step(self, at: Position, joint: tuple[int, ...]) -> Position:
        return at.after(joint)

    def every(
        self, at: Position, ask: Callable[[tuple[int, ...]], Literal], where: Literal = TRUE
    ) -> Literal:
        return self._for_all(at.joints({}), ask, where)

    def under(
        self,
        at: Position,
        role: int,
        move: int,
        ask: Callable[[tuple[int, ...]], Literal],
        is_own: bool,
    ) -> Literal:
        """Return whether something holds for all joint moves with a move, if play goes on."""
        if is_own:
            others = [-2] * len(self.moves)  # Nobody asks what they do.
            others[role] = move
            return ask(tuple(others))
        return self._for_all(at.joints({role: move}, goes_on=True), ask, TRUE)

    def _for_all(
        self,
        joints: Iterable[tuple[tuple[int, ...], Literal]],
        ask: Callable[[tuple[int, ...]], Literal],
        result: Literal,
    ) -> Literal:
        gates = self.gates
        for joint, allowed in joints:
            self.unrolled.count_parts(1)
            result = gates.both(result, gates.either(allowed ^ 1, ask(joint)))
            if result == FALSE:
                break
        return result

    def can(
        self,
        at: Position,
        role: Role,
        ask: Callable[[tuple[int, ...]], Literal],
        is_own: bool,
    ) -> Literal:
        who = self.game.roles.index(role)
        return self.gates.any(
            self.gates.all([at.goes_on(), here, self.under(at, who, move, ask, is_own)])
            for move, here in enumerate(at.legal(who))
            if here != FALSE
        )

    def once(self, key: tree.Formula, at: Position, ask: Callable[[Position], Literal]) -> Literal:
        """Look ahead once, from the first position, and put this position in its place."""
        if key not in at.cache:
            if at.is_first or not (tree.is_about_moves(key) or isinstance(key, tree.Can)):
                at.cache[key] = ask(at)
            else:
                first = self.unrolled.first_like(at)
                if (first, key) not in self._macros:
                    value = self.once(key, first, ask)
                    self._macros[first, key] = Macro(self.gates, value)
                at.cache[key] = self._macros[first, key].at(at)
        return int(at.cache[key])

    def prepare(self, formulas: Iterable[tree.Formula]) -> None:
        """Ground the relations of the rule sheet that formulas ask for."""
        atoms = {
            leaf.atom: None
            for formula in formulas
            for leaf in tree.leaves(formula)
            if isinstance(leaf, tree.Derived) and leaf.atom not in self._relations
        }
        if atoms:
            made = _Relations(self.unrolled, list(atoms))
            self._relations.update(dict.fromkeys(atoms, made))

    def leaf(self, leaf: tree.Leaf, at: Position) -> Literal:
        """Return whether a leaf holds, whatever the path."""
        gates = self.gates
        match leaf:
            case tree.Holds(fluent):
                return self.unrolled.holds(fluent, at)
            case tree.Legal(role, move):
                who = self.game.roles.index(role)
                if move not in self.moves[who]:
                    return FALSE
                return gates.both(at.terminal ^ 1, at.legal(who)[self.moves[who][move]])
            case tree.Terminal():
                return at.terminal
            case tree.Initial():
                return gates.all(
                    at.fluent(i) ^ (not holds) for i, holds in enumerate(self.game.network.initial)
                )
            case tree.Wins(role):
                return self._wins(role, at)
            case tree.GoalIs(role, comparison, number):
                compare = tree.COMPARE[comparison]
                return self._goal(role, at, lambda value: bool(compare(value, number)))
            case tree.NumberIs(left, comparison, right):
                values = [self._number(number, at) for number in (left, right)]
                return compared_values(values[0], tree.COMPARE[comparison], values[1], gates)
            case tree.Unchanged(_, pairs):
                held = self.unrolled.holds
                literals = [(held(a, at), held(b, at)) for a, b in pairs]
                return gates.all(
                    gates.either(x, y) for a, b in literals for x, y in ((a, b ^ 1), (a ^ 1, b))
                )
            case tree.Turn(role):
                return self._turn(role, at)
            case tree.Derived(atom, renaming):
                return self._relations[atom].holds(atom, renaming, at)
            case tree.Made(1) if at is self.root:
                return gates.any(self._last(0, move) for move in self.moves[0].values())
            case tree.Before(1, tree.Does(role, move)) if at is self.root:
                who = self.game.roles.index(role)
                return self._last(who, self.moves[who][move]) if move in self.moves[who] else FALSE
            case tree.Made() | tree.Before():
                raise NotCompilableError("it refers to more of the past than the last move")
            case tree.Does():
                raise TypeError("does depends on the path")

    def _number(self, number: Number, at: Position) -> dict[int, Literal]:
        """Return for each value that a number can have the literal that says it has it."""
        if number not in at.cache:
            self.unrolled.count_parts(len(number.table))
            holds = partial(self.unrolled.holds, at=at)
            at.cache[number] = number_gates(number, holds, self.gates)
        values: dict[int, Literal] = at.cache[number]
        return values

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


class _Relations:
    """Relations of the rule sheet as gates, by the network of a game that can be asked for them."""

    def __init__(self, unrolled: UnrolledGame, atoms: list[Function]) -> None:
        self.unrolled = unrolled
        made = derived_game(unrolled.game, atoms)
        self.layer = Layer(made.game.network, unrolled.gates)
        self.literals = dict(zip(atoms, made.literals, strict=True))

    def holds(self, atom: Function, renaming: tree.Renaming | None, at: Position) -> Literal:
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
        return int(at.cache[key])
