"""Plan and State in; out the moves that the plan allows there, by looking ahead with the engine.

The definitions are those of `validity`, applied to one state at a time, of any Game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any, Protocol

from kibitz.attached import Attached
from kibitz.engine import Game, Move, Role, State
from kibitz.gdl import Function, RuleSheet
from kibitz.space import turns_at
from kibitz.strategy.evaluation.derived_relations import ASKER, asking_sheet
from kibitz.strategy.evaluation.move_set import check_silence
from kibitz.strategy.syntax.numbers import number_in
from kibitz.strategy.syntax.tree import (
    COMPARE,
    FALSE,
    TRUE,
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
    NumberIs,
    Or,
    Plan,
    Previous,
    Simple,
    Terminal,
    Turn,
    Unchanged,
    Wins,
    at_least,
    conjunction,
    disjunction,
    is_about_moves,
    negation,
)

__all__ = ["History", "Lookahead", "StateMoves", "StateWithHistory", "moves_at", "moves_in"]

Joint = tuple[Move, ...]
History = Sequence[tuple[State, Joint]]


def moves_at(plan: Plan, state: State, role: Role, history: History = ()) -> tuple[Move, ...]:
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

    def after(self, joint: Joint) -> StateWithHistory:
        """Return the position after a joint move."""
        made = self.state.game.successor(self.state.key, joint)
        return StateWithHistory(made, (*self.history, (self.state, joint)))

    def before(self, moves: int) -> StateWithHistory:
        """Return the position some moves ago."""
        return StateWithHistory(self.history[-moves][0], self.history[:-moves])


class Lookahead:
    """Evaluates plans and formulas for a role, position by position."""

    def __init__(self, role: Role) -> None:
        self.role = role
        self._counted: dict[object, tuple[tuple[Formula, ...], tuple[Formula, ...]]] = {}
        """What is left of formulas by their identity; these are kept so that it stays unique."""
        self._legal: dict[tuple[State, Role], frozenset[Move]] = {}

    def to_choose(self, state: State) -> tuple[Move, ...]:
        """Return the role's legal moves where it has the turn, and none elsewhere."""
        return state.legal(self.role) if self.role in turns_at(state) else ()

    def plan(self, plan: Plan, at: StateWithHistory, moves: frozenset[Move]) -> frozenset[Move]:
        """Return the moves that a plan allows, out of these."""
        match plan:
            case Simple():
                return frozenset(move for move in moves if self.allows(plan.formula, at, move))
            case Either():
                return frozenset().union(*(self.plan(part, at, moves) for part in plan.parts))
            case Else():
                for part in plan.parts:
                    if found := self.plan(part, at, moves):
                        return found
                return frozenset()
            case Also():
                chosen = self.plan(plan.parts[0], at, moves)
                for part in plan.parts[1:]:
                    # Formulas are about one move at a time; other plans depend on all moves.
                    asked = chosen if isinstance(part, Simple) else moves
                    both = chosen & self.plan(part, at, asked)
                    if not both:
                        break
                    chosen = both
                return chosen

    def allows(self, formula: Formula, at: StateWithHistory, move: Move) -> bool:
        """Return whether a formula is valid under a move: on all paths that begin with it."""
        return all(self.valid(formula, at, joint) for joint in self.joints(at.state, move))

    def joints(self, state: State, move: Move | None = None) -> Iterator[Joint]:
        """Walk the legal joint moves, all or those with one move of the role."""
        if state.is_terminal:
            return iter(())
        roles = state.game.roles
        return product(
            *((move,) if move and role == self.role else state.legal(role) for role in roles)
        )

    def valid(self, formula: Formula, at: StateWithHistory, joint: Joint) -> bool:
        """Return whether all paths that begin with a joint move satisfy a formula."""
        rest = self.after(formula, at, joint)
        return rest.value if isinstance(rest, Const) else self.everywhere(rest, at.after(joint))

    def everywhere(self, formula: Formula, at: StateWithHistory) -> bool:
        """Return whether all paths that begin in a position satisfy a formula."""
        alone = self.after(formula, at, None)
        if alone == FALSE or not is_about_moves(formula):
            return alone == TRUE
        return all(self.valid(formula, at, joint) for joint in self.joints(at.state))

    def after(self, formula: Formula, at: StateWithHistory, joint: Joint | None) -> Formula:
        """Return what must hold after the joint move, or at once if the path ends here."""
        match formula:
            case Const():
                return formula
            case Not(inner):
                return negation(self.after(inner, at, joint))
            case And(parts):
                return conjunction(self.after(part, at, joint) for part in parts)
            case Or(parts):
                return disjunction(self.after(part, at, joint) for part in parts)
            case AtLeast(count, parts):
                return at_least(count, self.counted(parts, at, joint))
            case Next(inner):
                return TRUE if joint is None else inner
            case Previous():
                raise TypeError("previous is rewritten when a text is read")
            case Does(role, move):
                made = joint is None or joint[at.state.game.roles.index(role)] == move
                return Const(made)
            case Can(role, inner):
                return Const(self.can(role, inner, at))
            case leaf:
                return Const(self.holds(leaf, at))

    def counted(
        self, parts: tuple[Formula, ...], at: StateWithHistory, joint: Joint | None
    ) -> tuple[Formula, ...]:
        """Return what is left of formulas that are counted, once for all numbers asked for."""
        key = (id(parts), at, joint)
        if key not in self._counted:
            left = tuple(self.after(part, at, joint) for part in parts)
            self._counted[key] = (parts, left)
        return self._counted[key][1]

    @staticmethod
    def can(role: Role, formula: Formula, at: StateWithHistory) -> bool:
        """Return whether a role has a move under which a formula is valid."""
        state = at.state
        goes_on = not state.is_terminal and all(state.legal(who) for who in state.game.roles)
        legal = state.legal(role) if goes_on else ()
        return any(Lookahead(role).allows(formula, at, move) for move in legal)

    def legal(self, state: State, role: Role) -> frozenset[Move]:
        """Return the legal moves of a role, found once."""
        if (state, role) not in self._legal:
            self._legal[state, role] = frozenset(state.legal(role))
        return self._legal[state, role]

    def holds(self, leaf: Leaf, at: StateWithHistory) -> bool:
        """Return whether a leaf holds, whatever the path."""
        state = at.state
        match leaf:
            case Holds(fluent):
                return fluent in state.fluents
            case Legal(role, move):
                return not state.is_terminal and move in self.legal(state, role)
            case Terminal():
                return state.is_terminal
            case Initial():
                return state == state.game.initial()
            case Wins(role):
                return state.is_terminal and state.goals[role] == 100
            case GoalIs(role, comparison, number):
                goal = state.goals[role]
                if goal is None or not 0 <= goal <= 100:
                    return False
                return bool(COMPARE[comparison](goal, number))
            case NumberIs(left, comparison, right):
                one, other = (number_in(number, state.fluents) for number in (left, right))
                return bool(COMPARE[comparison](one, other))
            case Unchanged(_, pairs):
                held = set(state.fluents)
                return all((a in held) == (b in held) for a, b in pairs)
            case Turn(role):
                return role in turns_at(state)
            case Derived(atom, renaming):
                fluents = renaming.undone(state.fluents) if renaming else state.fluents
                return atom in _asked(state.game, atom, fluents)
            case Made(moves):
                return len(at.history) >= moves
            case Before(moves, inner):
                if len(at.history) < moves:
                    return False
                earlier = at.before(moves)
                if isinstance(inner, Does):
                    joint = at.history[-moves][1]
                    return joint[state.game.roles.index(inner.role)] == inner.move
                return self.holds(inner, earlier)
            case Does():
                raise TypeError("does depends on the path")


_ASKING: Attached[Game, dict[Function, Game]] = Attached()


def _asked(game: Game, atom: Function, fluents: Iterable[Function]) -> tuple[Move, ...]:
    """Ask which atoms hold in a state, among them this one if it does."""
    games = _ASKING.setdefault(game, {})
    if atom not in games:
        make: Callable[[RuleSheet], Game] = type(game)
        games[atom] = make(asking_sheet(game.sheet, [atom]))
    return games[atom].state(fluents).legal(ASKER)
