"""Regress formulas: for each move, what they say of the present state alone, as gates.

A formula looks ahead by ○. For every fluent and joint move, the rules give what must hold before
the move for the fluent to hold after it; so what a formula says of later states can be said of the
present one, one move at a time (regression; paper 001, section 7.5, after Reiter 1991). Paths are
those of definition 4: a path may end anywhere, and all that begin with a move count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from kibitz.engine import FALSE, TRUE, Builder, CompiledGame, Literal, Move, Network, Role, negate
from kibitz.errors import KibitzError
from kibitz.gdl import Function
from kibitz.strategy import tree
from kibitz.strategy.evaluation.columns import derived_game
from kibitz.strategy.evaluation.paths import Paths, World
from kibitz.strategy.syntax.numbers import number_literal

_MOST_GATES = 2_000_000

Joint = tuple[Move, ...]


@dataclass(frozen=True)
class _Situation:
    """A state some moves ahead: a literal over the present for each node of the network.

    `before` is the situation one move earlier with the move made in it; none for the present.
    `images` are those that symmetries map to it.
    """

    fluents: tuple[Literal, ...]
    before: tuple[_Situation, Joint] | None = None
    view: list[Literal] = field(default_factory=list, compare=False)
    images: dict[tree.Renaming, _Situation] = field(default_factory=dict, compare=False)
    memo: dict[object, Any] = field(default_factory=dict, compare=False)

    @property
    def depth(self) -> int:
        return 0 if self.before is None else 1 + self.before[0].depth


class Regression(World[_Situation, Joint, Literal]):
    """Regresses the formulas of one game. Gates are over fluents, then over past leaves.

    It is a world of `Paths`: positions are situations, values literals. `inputs` are the nodes
    before the gates: fluents of the game, then leaves about the past, which stay as they are.
    """

    true, false = TRUE, FALSE

    def __init__(
        self,
        game: CompiledGame,
        formulas: Sequence[tree.Formula],
        joints: Sequence[Joint],
        *,
        choices: frozenset[Move],
    ) -> None:
        found = [leaf for f in formulas for leaf in tree.leaves(f)]
        ever = [leaf.leaf if isinstance(leaf, tree.Before) else leaf for leaf in found]
        atoms = [leaf.atom for leaf in ever if isinstance(leaf, tree.Derived)]
        self.game, self.joints, self.choices = game, joints, choices
        self.network: Network = game.network
        self.derived: dict[Function, Literal] = {}
        if atoms:
            made = derived_game(game, list(dict.fromkeys(atoms)))
            self.network = made.game.network
            self.derived = dict(zip(dict.fromkeys(atoms), made.literals, strict=True))
        past = [leaf for leaf in found if isinstance(leaf, tree.Made | tree.Before)]
        self.past: dict[tree.Leaf, Literal] = {}
        self.inputs: list[tree.Leaf] = [tree.Holds(fluent) for fluent in self.network.fluents]
        for leaf in self._deepest(past):
            self.past[leaf] = 2 * (1 + len(self.inputs))
            self.inputs.append(leaf)
        self.builder = Builder(len(self.inputs), _MOST_GATES)
        self.present = _Situation(tuple(2 * (1 + i) for i in range(len(self.network.fluents))))
        self.roles = game.roles
        self.paths = Paths(self)

    @staticmethod
    def _deepest(past: Sequence[tree.Leaf]) -> list[tree.Leaf]:
        """List every leaf about the past that can occur, also seen from some moves ahead."""
        found: dict[tree.Leaf, None] = {}
        for leaf in past:
            for less in range(leaf.moves if isinstance(leaf, tree.Made | tree.Before) else 0):
                if isinstance(leaf, tree.Made):
                    found[tree.Made(leaf.moves - less)] = None
                elif isinstance(leaf, tree.Before):
                    found[tree.Before(leaf.moves - less, leaf.leaf)] = None
        return list(found)

    def now(self, leaf: tree.Leaf) -> Literal:
        """Return when a leaf holds."""
        return self.leaf(leaf, self.present)

    def under(self, formula: tree.Formula, role: Role, move: Move) -> Literal:
        """Return when a formula is valid under a role's move: on all paths that begin with it."""
        valid = partial(self.paths.valid, formula, self.present)
        return self._for_all(self._with_move(role, move), self.present, valid, TRUE)

    def _with_move(self, role: Role, move: Move) -> list[Joint]:
        place = self.roles.index(role)
        return [joint for joint in self.joints if joint[place] == move]

    def no(self, value: Literal) -> Literal:
        return negate(value)

    def all(self, values: Iterable[Literal]) -> Literal:
        return self.builder.all(values)

    def any(self, values: Iterable[Literal]) -> Literal:
        return self.builder.any(values)

    def decided(self, value: Literal) -> bool | None:
        return value == TRUE if value in (TRUE, FALSE) else None

    def memo(self, at: _Situation, joint: Joint | None) -> dict[object, Any]:
        memo: dict[object, Any] = at.memo if joint is None else at.memo.setdefault(joint, {})
        return memo

    def does(self, role: Role, move: Move, at: _Situation, joint: Joint) -> Literal:
        return TRUE if joint[self.roles.index(role)] == move else FALSE

    def every(self, at: _Situation, ask: Callable[[Joint], Literal], where: Literal) -> Literal:
        return self._for_all(self.joints, at, ask, where)

    def _for_all(
        self,
        joints: Iterable[Joint],
        at: _Situation,
        ask: Callable[[Joint], Literal],
        where: Literal,
    ) -> Literal:
        results = [where]
        for joint in joints:
            possible = self._possible(at, joint)
            if possible != FALSE:
                results.append(self.builder.either(negate(possible), ask(joint)))
        return self.builder.all(results)

    def can(
        self, at: _Situation, role: Role, ask: Callable[[Joint], Literal], is_own: bool
    ) -> Literal:
        place = self.roles.index(role)
        found = []
        for move in dict.fromkeys(joint[place] for joint in self.joints):
            joints = self._with_move(role, move)
            possible = self.builder.any(self._possible(at, joint) for joint in joints)
            found.append(self.builder.both(possible, self._for_all(joints, at, ask, TRUE)))
        return self.builder.any(found)

    def tally(self, values: Sequence[Literal]) -> Sequence[Literal]:
        return values

    def reaches(self, tally: Sequence[Literal], count: int) -> Literal:
        """Return when at least a number of literals hold, by how many of the first ones do."""
        builder = self.builder
        count = max(0, count)
        held = [TRUE] + [FALSE] * count
        for literal in tally:
            held = [TRUE] + [
                builder.either(held[n], builder.both(held[n - 1], literal))
                for n in range(1, count + 1)
            ]
        return held[count]

    def leaf(self, leaf: tree.Leaf, at: _Situation) -> Literal:
        network = self.network
        match leaf:
            case tree.Holds(fluent):
                return self._fluent(fluent, at)
            case tree.Terminal():
                return self._read(network.terminal, at)
            case tree.Initial():
                pairs = zip(at.fluents, network.initial, strict=True)
                return self.builder.all(x if is_on else negate(x) for x, is_on in pairs)
            case tree.Legal(role, move):
                legal = self._legal(role, move, at)
                return self.builder.both(legal, negate(self._read(network.terminal, at)))
            case tree.Wins(role):
                won = self._goal(role, lambda value: value == 100, at)
                return self.builder.both(won, self._read(network.terminal, at))
            case tree.GoalIs(role, comparison, number):
                return self._goal(role, lambda value: tree.COMPARE[comparison](value, number), at)
            case tree.NumberIs(left, comparison, right):
                compare = tree.COMPARE[comparison]
                return number_literal(
                    left, compare, right, lambda f: self._fluent(f, at), self.builder
                )
            case tree.Unchanged(_, pairs):
                literals = [(self._fluent(a, at), self._fluent(b, at)) for a, b in pairs]
                return self.builder.all(
                    self.builder.either(x, y)
                    for a, b in literals
                    for x, y in ((a, negate(b)), (negate(a), b))
                )
            case tree.Turn(role):
                return self._turn(role, at)
            case tree.Derived(atom, renaming):
                return self._read(
                    self.derived[atom], self._undone(at, renaming) if renaming else at
                )
            case tree.Made(moves):
                return TRUE if moves <= at.depth else self.past[tree.Made(moves - at.depth)]
            case tree.Before(moves, inner):
                return self._earlier(moves, inner, at)
            case tree.Does():
                raise TypeError("does depends on the path")

    def _undone(self, at: _Situation, renaming: tree.Renaming) -> _Situation:
        """Return the situation that a symmetry maps to this one."""
        if renaming not in at.images:
            names = [renaming.fluents.get(fluent, fluent) for fluent in self.network.fluents]
            at.images[renaming] = _Situation(tuple(self._fluent(name, at) for name in names))
        return at.images[renaming]

    def _earlier(self, moves: int, leaf: tree.Leaf, at: _Situation) -> Literal:
        while moves and at.before is not None:
            at, joint = at.before
            moves -= 1
            if not moves and isinstance(leaf, tree.Does):
                return TRUE if joint[self.roles.index(leaf.role)] == leaf.move else FALSE
        return self.leaf(leaf, at) if not moves else self.past[tree.Before(moves, leaf)]

    def _fluent(self, fluent: Function, at: _Situation) -> Literal:
        network = self.network
        if fluent in network.fluents:
            return at.fluents[network.fluents.index(fluent)]
        for hidden in network.hidden:
            if hidden.fluent == fluent:
                return negate(self.builder.any(at.fluents[i] for i in hidden.unless))
        return FALSE

    def _legal(self, role: Role, move: Move, at: _Situation) -> Literal:
        place = self.network.roles.index(role)
        if move not in self.network.moves[place]:
            return FALSE
        return self._read(self.network.legal[place][self.network.moves[place].index(move)], at)

    def _possible(self, at: _Situation, joint: Joint) -> Literal:
        """Return when a joint move is legal and play has not ended."""
        legal = [self._legal(r, m, at) for r, m in zip(self.roles, joint, strict=True)]
        return self.builder.all([negate(self._read(self.network.terminal, at)), *legal])

    def _goal(self, role: Role, fits: Callable[[int], bool], at: _Situation) -> Literal:
        """Return when the role has exactly one goal, from 0 to 100, and the comparison holds."""
        values = self.network.goals[self.network.roles.index(role)]
        literals = [self._read(literal, at) for _, literal in values]
        results = []
        for i, (value, _) in enumerate(values):
            if value is not None and 0 <= value <= 100 and fits(value):
                others = [negate(x) for k, x in enumerate(literals) if k != i]
                results.append(self.builder.all([literals[i], *others]))
        return self.builder.any(results)

    def _turn(self, role: Role, at: _Situation) -> Literal:
        """Return when it is the role's turn, as `turns` says."""
        builder = self.builder
        able, several, acting = {}, {}, {}
        for name in self.roles:
            place = self.network.roles.index(name)
            some, many, acts = FALSE, FALSE, FALSE
            moves = zip(self.network.moves[place], self.network.legal[place], strict=True)
            for move, legal in moves:
                literal = self._read(legal, at)
                many = builder.either(many, builder.both(some, literal))
                some = builder.either(some, literal)
                if move in self.choices:
                    acts = builder.either(acts, literal)
            able[name], several[name], acting[name] = some, many, acts
        nobody_acts = negate(builder.any(acting.values()))
        forced = builder.both(
            negate(builder.any(several.values())), builder.either(acting[role], nobody_acts)
        )
        mine = builder.either(several[role], forced)
        goes_on = [negate(self._read(self.network.terminal, at)), *able.values()]
        return builder.all([*goes_on, mine])

    def _read(self, literal: Literal, at: _Situation) -> Literal:
        """Return a literal of the network, of those that need no moves, in a situation."""
        if not at.view:
            at.view.extend(self._run(at.fluents, None))
        return at.view[literal >> 1] ^ (literal & 1)

    def step(self, at: _Situation, joint: Joint) -> _Situation:
        if "after" in (memo := self.memo(at, joint)):
            after: _Situation = memo["after"]
            return after
        values = self._run(at.fluents, joint)
        fluents = tuple(values[lit >> 1] ^ (lit & 1) for lit in self.network.next)
        memo["after"] = after = _Situation(fluents, (at, joint))
        return after

    def _run(self, fluents: tuple[Literal, ...], joint: Joint | None) -> list[Literal]:
        """Run the network on literals."""
        made = dict(zip(self.roles, joint, strict=True)) if joint else {}
        moves = [
            TRUE if made.get(role) == move else FALSE
            for role, names in zip(self.network.roles, self.network.moves, strict=True)
            for move in names
        ]
        values = [FALSE, *fluents, *moves]
        try:
            for a, b in self.network.gates:
                left, right = values[a >> 1] ^ (a & 1), values[b >> 1] ^ (b & 1)
                values.append(self.builder.both(left, right))
        except OverflowError:
            raise KibitzError(
                f"looking ahead in {self.game.sheet.name} takes more than {_MOST_GATES:,} gates",
                hint="use fewer ○ inside one another, or a smaller board",
            ) from None
        return values
