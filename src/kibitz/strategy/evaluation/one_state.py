"""The moves that a plan allows in one state of any game, by looking ahead with its engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from typing import Any, Protocol

from kibitz.attached import Attached
from kibitz.engine import Game, Move, Role, State
from kibitz.gdl import Function, RuleSheet
from kibitz.space import turns_at
from kibitz.strategy import tree
from kibitz.strategy.evaluation.columns import ASKER, asking_sheet
from kibitz.strategy.evaluation.move_set import check_silence
from kibitz.strategy.evaluation.paths import Paths, World
from kibitz.strategy.syntax.numbers import Number, number_in

Joint = tuple[Move, ...]
History = Sequence[tuple[State, Joint]]


def moves_at(plan: tree.Plan, state: State, role: Role, history: History = ()) -> tuple[Move, ...]:
    """Return the moves that a plan allows a role in a state, sorted by their text."""
    look = Lookahead(role)
    legal = look.to_choose(state)
    allowed = look.plan(plan, StateWithHistory(state, tuple(history)), frozenset(legal))
    return tuple(move for move in legal if move in allowed)


class Saying(Protocol):
    """Anything that recommends moves in a state."""

    def moves(self, state: State, role: Role) -> tuple[Move, ...]:
        """Return the moves for a role; none where there is no recommendation."""


@dataclass(frozen=True, slots=True)
class StateMoves:
    """The moves that a strategy allows in a state.

    `is_silent` says that it is the role's turn and the strategy has no move; see `MoveSet.under`.
    """

    game: str
    role: Role
    silence: str
    has_turn: bool
    is_silent: bool
    moves: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {**asdict(self), "moves": list(self.moves)}


def moves_in(strategy: Saying, state: State, role: Role, *, silence: str = "any") -> StateMoves:
    """Return the moves that may be made in a state, as `MoveSet.under` gives them on a space.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.strategy.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("nim:2"))
    >>> empty = read_strategy("# nothing", game)
    >>> moves_in(empty, game.initial(), "player1").moves
    ('(reduce a 0)', '(reduce a 1)')
    >>> moves_in(empty, game.initial(), "player1", silence="stop").moves
    ()
    """
    check_silence(silence)
    has_turn = role in turns_at(state)
    said = strategy.moves(state, role) if has_turn else ()
    is_silent = has_turn and not said
    found = state.legal(role) if is_silent and silence == "any" else said
    write = state.game.write
    return StateMoves(
        state.game.sheet.name, role, silence, has_turn, is_silent, tuple(map(write, found))
    )


@dataclass(frozen=True, slots=True)
class StateWithHistory:
    """A state, and how play got there."""

    state: State
    history: tuple[tuple[State, Joint], ...]
    memo: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)

    def after(self, joint: Joint) -> StateWithHistory:
        """Return the position after a joint move."""
        if joint not in self.memo:
            made = self.state.game.successor(self.state.key, joint)
            self.memo[joint] = StateWithHistory(made, (*self.history, (self.state, joint)))
        after: StateWithHistory = self.memo[joint]
        return after

    def before(self, moves: int) -> StateWithHistory:
        """Return the position some moves ago."""
        return StateWithHistory(self.history[-moves][0], self.history[:-moves])

    @property
    def fluents(self) -> frozenset[Function]:
        """The fluents that hold, found once."""
        if "fluents" not in self.memo:
            self.memo["fluents"] = frozenset(self.state.fluents)
        fluents: frozenset[Function] = self.memo["fluents"]
        return fluents

    def legal(self, role: Role) -> tuple[Move, ...]:
        """Return the legal moves of a role, found once."""
        key = "legal", role
        if key not in self.memo:
            self.memo[key] = self.state.legal(role)
        moves: tuple[Move, ...] = self.memo[key]
        return moves

    def joints(self, role: Role = "", move: Move | None = None) -> Iterator[Joint]:
        """Walk the legal joint moves, all or those with one move of a role."""
        if self.state.is_terminal:
            return iter(())
        roles = self.state.game.roles
        return product(*((move,) if move and who == role else self.legal(who) for who in roles))


class _StateWorld(World[StateWithHistory, Joint, bool]):
    """One state of any game, with its history."""

    true, false = True, False

    def no(self, value: bool) -> bool:
        return not value

    def all(self, values: Iterable[bool]) -> bool:
        return all(values)

    def any(self, values: Iterable[bool]) -> bool:
        return any(values)

    def tally(self, values: Sequence[bool]) -> int:
        return sum(values)

    def reaches(self, tally: int, count: int) -> bool:
        return tally >= count

    def decided(self, value: bool) -> bool:
        return value

    def memo(self, at: StateWithHistory, joint: Joint | None) -> dict[object, Any]:
        memo: dict[object, Any] = at.memo
        return memo if joint is None else memo.setdefault(("at", joint), {})

    def once(
        self, key: tree.Formula, at: StateWithHistory, ask: Callable[[StateWithHistory], bool]
    ) -> bool:
        return super().once(key, at, ask) if isinstance(key, tree.Can) else ask(at)

    def does(self, role: Role, move: Move, at: StateWithHistory, joint: Joint) -> bool:
        return joint[at.state.game.roles.index(role)] == move

    def step(self, at: StateWithHistory, joint: Joint) -> StateWithHistory:
        return at.after(joint)

    def every(self, at: StateWithHistory, ask: Callable[[Joint], bool], where: bool) -> bool:
        return all(map(ask, at.joints()))

    def can(
        self, at: StateWithHistory, role: Role, ask: Callable[[Joint], bool], is_own: bool
    ) -> bool:
        if at.state.is_terminal or not all(map(at.legal, at.state.game.roles)):
            return False
        return any(all(map(ask, at.joints(role, move))) for move in at.legal(role))

    def number(self, number: Number, at: StateWithHistory) -> int:
        if number.kind == "constant":
            return number.constant
        found = at.memo.get(id(number))  # hashing it takes as long as counting
        if found is None:
            found = at.memo[id(number)] = number, number_in(number, at.fluents)
        value: int = found[1]
        return value

    def leaf(self, leaf: tree.Leaf, at: StateWithHistory) -> bool:
        state = at.state
        match leaf:
            case tree.Holds(fluent):
                return fluent in at.fluents
            case tree.Legal(role, move):
                return not state.is_terminal and move in at.legal(role)
            case tree.Terminal():
                return state.is_terminal
            case tree.Initial():
                return state == state.game.initial()
            case tree.Wins(role):
                return state.is_terminal and state.goals[role] == 100
            case tree.GoalIs(role, comparison, number):
                goal = state.goals[role]
                if goal is None or not 0 <= goal <= 100:
                    return False
                return bool(tree.COMPARE[comparison](goal, number))
            case tree.NumberIs(left, comparison, right):
                return bool(tree.COMPARE[comparison](self.number(left, at), self.number(right, at)))
            case tree.Unchanged(_, pairs):
                return all((a in at.fluents) == (b in at.fluents) for a, b in pairs)
            case tree.Turn(role):
                return role in turns_at(state)
            case tree.Derived(atom, renaming):
                fluents = renaming.undone(at.fluents) if renaming else at.fluents
                return atom in _asked(state.game, atom, fluents)
            case tree.Made(moves):
                return len(at.history) >= moves
            case tree.Before(moves, inner):
                if len(at.history) < moves:
                    return False
                if isinstance(inner, tree.Does):
                    joint = at.history[-moves][1]
                    return joint[state.game.roles.index(inner.role)] == inner.move
                return self.leaf(inner, at.before(moves))
            case tree.Does():
                raise TypeError("does depends on the path")


class Lookahead:
    """Evaluates plans and formulas for a role, position by position."""

    def __init__(self, role: Role) -> None:
        self.role = role
        self.paths = Paths(_StateWorld())

    def to_choose(self, state: State) -> tuple[Move, ...]:
        """Return the role's legal moves where it has the turn, and none elsewhere."""
        return state.legal(self.role) if self.role in turns_at(state) else ()

    def plan(
        self, plan: tree.Plan, at: StateWithHistory, moves: frozenset[Move]
    ) -> frozenset[Move]:
        """Return the moves that a plan allows, out of these."""
        match plan:
            case tree.Simple():
                return frozenset(move for move in moves if self.allows(plan.formula, at, move))
            case tree.Either():
                return frozenset().union(*(self.plan(part, at, moves) for part in plan.parts))
            case tree.Else():
                for part in plan.parts:
                    if found := self.plan(part, at, moves):
                        return found
                return frozenset()
            case tree.Also():
                chosen = self.plan(plan.parts[0], at, moves)
                for part in plan.parts[1:]:
                    # Formulas are about one move at a time; other plans depend on all moves.
                    asked = chosen if isinstance(part, tree.Simple) else moves
                    both = chosen & self.plan(part, at, asked)
                    if not both:
                        break
                    chosen = both
                return chosen

    def allows(self, formula: tree.Formula, at: StateWithHistory, move: Move) -> bool:
        """Return whether a formula is valid under a move: on all paths that begin with it."""
        joints = at.joints(self.role, move)
        return all(self.paths.valid(formula, at, joint) for joint in joints)


_ASKING: Attached[Game, dict[Function, Game]] = Attached()


def _asked(game: Game, atom: Function, fluents: Iterable[Function]) -> tuple[Move, ...]:
    """Ask which atoms hold in a state, among them this one if it does."""
    games = _ASKING.setdefault(game, {})
    if atom not in games:
        make: Callable[[RuleSheet], Game] = type(game)
        games[atom] = make(asking_sheet(game.sheet, [atom]))
    return games[atom].state(fluents).legal(ASKER)
