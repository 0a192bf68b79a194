"""The protocol that every engine implements: Game, and State, a position in it.

A Game is made from a RuleSheet by one of the engines. A State is a small immutable value that
knows its game; its key is whatever the engine works on (a set of fluents, a few machine words).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from kibitz.errors import IllegalMoveError, InputError
from kibitz.gdl import Function, RuleSheet, TermWriter, parse_terms

Role = str
"""A role by its KIF text."""

Move = Function

Goal = int | None
"""A goal value; None where the rules give none, several, or no whole number from 0 to 100."""


class Game(ABC):
    """The rules of a game, ready to be played.

    Methods that take a key are for `State`; users start from `initial` and the states it leads to.
    """

    sheet: RuleSheet
    roles: tuple[Role, ...]

    @cached_property
    def write(self) -> TermWriter:
        """Writes moves and fluents as KIF text the way the rule sheet does."""
        return TermWriter(self.sheet)

    @abstractmethod
    def initial(self) -> State:
        """Return the state in which every match starts."""

    def state(self, fluents: Iterable[Function | str] | str) -> State:
        """Return the state in which exactly these fluents hold; texts are terms in KIF.

        >>> from kibitz.engine import make_game
        >>> from kibitz.games import load_sheet
        >>> game = make_game(load_sheet("nim:1,2"))
        >>> game.state(["(heap a 0)", "(heap b 2)", "(control player2)"]).legal_moves
        ((reduce b 0), (reduce b 1))
        """
        given = [fluents] if isinstance(fluents, str) else fluents
        terms = (
            parse_terms(one, name="state") if isinstance(one, str) else (one,) for one in given
        )
        return self.state_of(term for some in terms for term in some)

    @abstractmethod
    def state_of(self, fluents: Iterable[Function]) -> State:
        """Return the state in which exactly these terms hold."""

    @abstractmethod
    def fluents(self, key: Hashable) -> tuple[Function, ...]:
        """Return the fluents that hold in a state, sorted by their text."""

    @abstractmethod
    def legal(self, key: Hashable, role: Role) -> tuple[Move, ...]:
        """Return the moves of a role that the rules allow, sorted by their text."""

    @abstractmethod
    def successor(self, key: Hashable, joint: tuple[Move, ...]) -> State:
        """Return the state after a joint move, which must be legal."""

    @abstractmethod
    def is_terminal(self, key: Hashable) -> bool:
        """Return whether play has ended."""

    @abstractmethod
    def goals(self, key: Hashable) -> dict[Role, Goal]:
        """Return the goal value of each role."""

    def turn(self, key: Hashable) -> tuple[Role, ...]:
        """Return the roles that have a choice in a state; where none has, all of them."""
        if self.is_terminal(key):
            return ()
        counts = {role: len(self.legal(key, role)) for role in self.roles}
        if not all(counts.values()):
            return ()
        return tuple(role for role in self.roles if counts[role] > 1) or self.roles

    def read_move(self, _state: State, text: str) -> Move:
        """Read a move of whoever is to move in a state."""
        return parse_move(text)

    def check_role(self, role: Role) -> None:
        """Raise InputError if this game has no such role."""
        if role not in self.roles:
            raise InputError(
                f"{self.sheet.name} has no role {role}", hint=f"roles: {' '.join(self.roles)}"
            )


@dataclass(frozen=True, slots=True)
class State:
    """A position: everything that the rules say about it, and where moves lead."""

    game: Game = field(repr=False)
    key: Hashable

    @property
    def fluents(self) -> tuple[Function, ...]:
        """The fluents that hold, sorted by their text."""
        return self.game.fluents(self.key)

    @property
    def is_terminal(self) -> bool:
        """Whether play has ended."""
        return self.game.is_terminal(self.key)

    @property
    def goals(self) -> dict[Role, Goal]:
        """The goal value of each role."""
        return self.game.goals(self.key)

    def legal(self, role: Role) -> tuple[Move, ...]:
        """Return the moves of a role that the rules allow, sorted by their text."""
        self.game.check_role(role)
        return self.game.legal(self.key, role)

    @property
    def turn(self) -> tuple[Role, ...]:
        """The roles whose turn it is: one, several that move at once, or none at the end."""
        return self.game.turn(self.key)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The moves that `play` takes: those of the role whose turn it is.

        Where all roles move at once and none has a choice, these are the one move of each; at the
        end there are none. Raise InputError where several roles choose at the same time.
        """
        return tuple(move for role in self._one_turn() for move in self.legal(role))

    def play(self, move: Move | str) -> State:
        """Return the state after a move of the role to move; the others make their only one.

        Raise IllegalMoveError where that is no legal move, and InputError where play has ended or
        several roles choose at the same time.

        >>> from kibitz.engine import make_game
        >>> from kibitz.games import load_sheet
        >>> state = make_game(load_sheet("nim:1,2")).initial()
        >>> state.legal_moves
        ((reduce a 0), (reduce b 0), (reduce b 1))
        >>> print(state.play("(reduce b 1)"))
        (control player2) (heap a 1) (heap b 1)
        """
        made = self.game.read_move(self, move) if isinstance(move, str) else move
        turn = self._one_turn()
        if not turn:
            ended = "play has ended" if self.is_terminal else "a role has no legal move"
            raise InputError(f"no move can be made in {self.game.sheet.name}: {ended}")
        if all(len(self.legal(role)) < 2 for role in self.game.roles):
            turn = (*turn, *self.game.roles)  # where nobody chooses, anybody's move is the one
        mover = next((role for role in turn if made in self.legal(role)), turn[0])
        joint = [made if role == mover else self.legal(role)[0] for role in self.game.roles]
        return self.step(joint)

    def _one_turn(self) -> tuple[Role, ...]:
        """Return the role whose turn it is, or several none of which has a choice."""
        turn = self.turn
        if len(turn) > 1 and any(len(self.legal(role)) > 1 for role in turn):
            raise InputError(
                f"{' and '.join(turn)} move at the same time in {self.game.sheet.name}",
                hint="state.legal(role) has the moves of a role, and state.step takes one of each "
                f"role, in this order: {' '.join(self.game.roles)}",
            )
        return turn

    def step(self, joint: Sequence[Move | str]) -> State:
        """Return the state after one move of every role, in the order of the game's roles."""
        if len(joint) != len(self.game.roles):
            raise InputError(
                f"a joint move of {self.game.sheet.name} has {len(self.game.roles)} moves, "
                f"not {len(joint)}",
                hint=f"one move for each role, in this order: {' '.join(self.game.roles)}",
            )
        moves = tuple(parse_move(move) if isinstance(move, str) else move for move in joint)
        for role, move in zip(self.game.roles, moves, strict=True):
            legal = self.game.legal(self.key, role)
            if move not in legal:
                write = self.game.write
                raise IllegalMoveError(role, write(move), [write(m) for m in legal])
        return self.game.successor(self.key, moves)

    def __str__(self) -> str:
        return " ".join(map(self.game.write, self.fluents))

    def _repr_svg_(self) -> str | None:
        """Draw the state in a notebook, once a painter is set; `board` has one."""
        return _painter(self) if _painter else None


_painter: Callable[[State], str] | None = None


def paint_with(painter: Callable[[State], str] | None) -> None:
    """Set what draws states in notebooks, as SVG."""
    global _painter
    _painter = painter


def parse_move(text: str) -> Move:
    """Read one move from its KIF text."""
    terms = parse_terms(text, name="move")
    if len(terms) != 1:
        raise InputError(f"{text!r} is not one move", hint="write it as in (mark 1 1)")
    return terms[0]
