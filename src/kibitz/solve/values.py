"""Values of the positions of a game, exact or bounded, whichever way they were found.

A backend says one thing, `Values.look`: what is known of a position. Values, best moves, lines and
JSON are derived from it, here and once. Where all states are listed, positions are given by number
as well, and `listed` has the arrays, which is what sweeps read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import product
from math import inf, prod
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.errors import InputError
from kibitz.space import StateId, StateSpace, carrier_to, own_moves, turns_at
from kibitz.wording import side_names, value_text

if TYPE_CHECKING:
    from kibitz.solve.methods import Listed

Kind = Literal["exact", "outcomes", "average", "bounds"]
"""What is known of positions: one value; outcomes, between which ties decide; an average over mixed
moves; or bounds, which a search has not brought together everywhere."""
Place = State | StateId
"""A position: a state, or its number in a listing."""
Joint = tuple[Move, ...]

_ROUNDING, _DIGITS = 1e-6, 6
_LONGEST_LINE = 200


@dataclass(frozen=True, slots=True)
class Known:
    """Bounds on what each role gets from a position, which always hold; the plies to the end.

    `plies` are the fewest and the most under best play, None where play need not end or they are
    not known. Where ties matter, `outcomes` are those of best play, and `has_tie` says that the
    mover has equally good moves that differ for others.
    """

    bounds: Mapping[Role, tuple[float, float]]
    plies: tuple[int, int] | None = None
    outcomes: tuple[Mapping[Role, int], ...] = ()
    has_tie: bool = False

    @property
    def value(self) -> dict[Role, float | None]:
        """The value for each role, None where that is open."""
        return {
            role: round((low + high) / 2 if low < high else low, _DIGITS)
            if high - low <= _ROUNDING
            else None
            for role, (low, high) in self.bounds.items()
        }

    @property
    def length(self) -> int | None:
        """The plies to the end, None where that is not one number."""
        return self.plies[0] if self.plies and self.plies[0] == self.plies[1] else None


class Choice(NamedTuple):
    """A joint move, the position that it leads to, and what is known of that."""

    joint: Joint
    to: Place
    known: Known


class Values(ABC):
    """Positions of a game with what is known of them; without one given, of the first.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve_game
    >>> values = solve_game(CompiledGame(load_sheet("nim:1,2")))
    >>> values.value(), values.plies(), values.best_moves(), len(values.line())
    ({'player1': 100, 'player2': 0}, 3, ((reduce b 1),), 3)
    >>> print(values)
    with best play Player 1 wins in 2 moves
    """

    kind: ClassVar[Kind]
    method: ClassVar[str]
    total: int | None
    """The sum of what two opposed roles get, 100 for one role; None where it varies."""

    @property
    @abstractmethod
    def game(self) -> CompiledGame:
        """The game."""

    @property
    @abstractmethod
    def start(self) -> State:
        """The first position, from which all others are reached."""

    @abstractmethod
    def look(self, at: Place | None = None) -> Known:
        """Return what is known of a position."""

    @property
    def listed(self) -> Listed | None:
        """The arrays of all states, None where they are not listed."""
        return None

    def state(self, at: Place | None = None) -> State:
        """Return a position as a state."""
        assert not isinstance(at, int), "only a listing numbers positions"
        if at is None:
            return self.start
        return at if at.game is self.game else self.game.state(at.fluents)

    def moves(self, at: Place | None = None) -> Iterator[Choice]:
        """Walk the joint moves of a position."""
        state = self.state(at)
        if not state.is_terminal:
            for joint in product(*(state.legal(role) for role in self.game.roles)):
                after = state.step(joint)
                yield Choice(joint, after, self.look(after))

    # What follows from it

    def value(self, at: Place | None = None) -> Mapping[Role, float | None]:
        """Return what each role gets with best play; None where it depends on ties, or is open."""
        return self.look(at).value

    def bounds(self, at: Place | None = None) -> Mapping[Role, tuple[float, float]]:
        """Return the least and the most that each role may get."""
        return self.look(at).bounds

    def plies(self, at: Place | None = None) -> int | None:
        """Return the plies to the end with best play, None where that is not one number."""
        return self.look(at).length

    def turn(self, at: Place | None = None) -> tuple[Role, ...]:
        """Return the roles that have the turn."""
        return turns_at(self.state(at))

    def keeping(self, at: Place | None = None) -> list[Choice]:
        """Return the joint moves whose best case is no worse than what another guarantees.

        Of exact values these keep the value. Raise InputError where several roles choose.
        """
        choices = list(self.moves(at))
        if len(choices) < 2:
            return choices
        moves = zip(*(choice.joint for choice in choices), strict=True)
        choosing = [r for r, made in zip(self.game.roles, moves, strict=True) if len({*made}) > 1]
        if len(choosing) > 1:
            raise InputError(
                f"roles of {self.game.sheet.name} choose at the same time, so no move is best",
                hint="mixes has how often to play which move",
            )
        bounds = [choice.known.bounds[choosing[0]] for choice in choices]
        least = max(low for low, _ in bounds)
        return [made for made, (_, high) in zip(choices, bounds, strict=True) if high >= least]

    def best(self, at: Place | None = None) -> list[Choice]:
        """Return the joint moves that keep the value and make progress.

        A role that is ahead comes one ply nearer to the end, and one that is behind stays as far
        from it as possible. At the middle value there is no progress to make.
        """
        choices, known = self.keeping(at), self.look(at)
        low, _ = known.bounds[self.game.roles[0]]
        if self.kind not in ("exact", "bounds") or not known.length or low == self.middle:
            return choices
        return [made for made in choices if made.known.length == known.length - 1] or choices

    @property
    def is_graded(self) -> bool:
        """Whether there is one role, which may get more than all or nothing."""
        return False

    @property
    def middle(self) -> int:
        """The value of a play that never ends for the first role; the second gets the rest."""
        return (100 if self.total is None else self.total) // 2

    def best_moves(self, at: Place | None = None, role: Role | None = None) -> tuple[Move, ...]:
        """Return the moves of whoever has the turn that keep the value and make progress."""
        return self._of(self.best(at), at, role)

    def keeping_moves(self, at: Place | None = None, role: Role | None = None) -> tuple[Move, ...]:
        """Return the moves that keep the value, with which play may go on for ever."""
        return self._of(self.keeping(at), at, role)

    def _of(self, choices: list[Choice], at: Place | None, role: Role | None) -> tuple[Move, ...]:
        if not choices:
            return ()
        index = self.game.roles.index(role or self.turn(at)[0])
        return tuple(dict.fromkeys(choice.joint[index] for choice in choices))

    def mixes(self, at: Place | None = None) -> Mapping[Role, Mapping[Move, float]]:
        """Return how often those who have the turn should play which move.

        Equal shares of the best moves; what decides nothing is held as long as possible.
        """
        best = self.best(at)
        if self.kind == "exact":
            length = [inf if made.known.length is None else made.known.length for made in best]
            best = [made for made, plies in zip(best, length, strict=True) if plies == max(length)]
        moves = {role: self._of(best, at, role) for role in self.turn(at)}
        return {role: dict.fromkeys(made, 1 / len(made)) for role, made in moves.items()}

    def line(self, at: Place | None = None) -> list[Joint]:
        """Return the joint moves of one line of best play; of mixed moves the likeliest.

        It goes to the end, or to where play need not end.
        """
        return [made.joint for made in self.follow(at)]

    def follow(self, at: Place | None = None) -> Iterator[Choice]:
        """Walk one line of best play, as `line` has it."""
        played = 0
        while choice := self._likeliest(at, played):
            yield choice
            at, played = choice.to, played + 1

    def _likeliest(self, at: Place | None, played: int) -> Choice | None:
        """Choose a joint move of best play."""
        if self.kind == "exact":
            known = self.look(at)
            if not known.length:
                return None
            wanted = known.length - 1
            same = (made for made in self.moves(at) if made.known.bounds == known.bounds)
            return next(made for made in same if made.known.length == wanted)
        choices = list(self.moves(at))
        if not choices or played >= _LONGEST_LINE:
            return None
        turn = self.turn(at)
        if len(turn) == 1:
            return max(choices, key=lambda made: made.known.bounds[turn[0]][0])
        mixes = [(self.game.roles.index(role), mix) for role, mix in self.mixes(at).items()]
        return max(choices, key=lambda m: prod(mix.get(m.joint[i], 0.0) for i, mix in mixes))

    def as_json(self, at: Place | None = None) -> dict[str, Any]:
        """Return value and distance as values for JSON, with bounds and mixes if any."""
        found = self._described(at, self.look(at))
        if self.kind == "average":
            mixes = {} if self.state(at).is_terminal else self.mixes(at)
            write = self.game.write
            found["mix"] = {r: {write(m): s for m, s in mix.items()} for r, mix in mixes.items()}
        return found

    def moves_as_json(self, at: Place | None = None) -> list[dict[str, Any]]:
        """Return every joint move: value, distance, whether it keeps the value and is best.

        Where moves are mixed, a joint move is no single role's choice, so those are left out.
        """
        kept = best = [] if self.kind == "average" else [made.joint for made in self.keeping(at)]
        if self.kind != "average":
            best = [made.joint for made in self.best(at)]
        found = []
        for joint, to, known in self.moves(at):
            entry: dict[str, Any] = {"move": [self.game.write(move) for move in joint]}
            entry |= self._described(to, known)
            if self.kind != "average":
                entry |= {"keeps_value": joint in kept, "best": joint in best}
            found.append(entry)
        return found

    def _described(self, at: Place | None, known: Known) -> dict[str, Any]:
        found: dict[str, Any] = {"value": known.value, "distance": known.length}
        own = self.own_moves(at, known)
        found |= {} if own is None else {"own_moves": own}
        if self.kind != "exact":
            found["bounds"] = dict(known.bounds)
        if self.kind == "outcomes":
            found |= {"outcomes": [*known.outcomes], "has_tie": known.has_tie}
        return found

    def own_moves(self, at: Place | None, known: Known) -> int | None:
        """Count the winner's own moves, where one of two wins and turns alternate."""
        value, plies = known.value, known.length
        if plies is None or len(value) != 2 or {*value.values()} != {0, 100}:
            return None
        winner = next(role for role, goal in value.items() if goal)
        return own_moves(self.state(at), winner, plies)

    def __str__(self) -> str:
        text = value_text(self.as_json(), side_names(self.game.roles))
        return f"with best play {text}"

    def _repr_svg_(self) -> str:
        """Draw the first position in a notebook."""
        from kibitz.board import svg_board

        return svg_board(self.start)

    def _repr_html_(self) -> str:
        """Show the first position, its board and its moves in a notebook; everything is escaped."""
        from kibitz.board import escape

        space = self.listed.space if self.listed else None
        size = f": {len(space):,} states, {space.edges:,} moves" if space else ""
        name, text = escape(self.game.sheet.name), escape(str(self).removeprefix("with"))
        names = side_names(self.game.roles)
        rows = "".join(
            f"<tr><td>{escape(' '.join(move['move']))}</td>"
            f"<td>{escape(value_text(move, names))}</td></tr>"
            for move in self.moves_as_json()
        )
        return f"<p><b>{name}</b>{size}. With{text}.</p>{self._repr_svg_()}<table>{rows}</table>"


class ExactValues(Values):
    """Values of one role, or of two whose goals add up to one number: each position has one."""

    kind: ClassVar[Literal["exact"]] = "exact"
    total: int

    @property
    @abstractmethod
    def goals(self) -> Set[int]:
        """The goals of the first role at ends."""

    @property
    def is_graded(self) -> bool:
        """Whether there is one role, which may get more than all or nothing."""
        return len(self.game.roles) == 1 and not self.goals <= {0, 100}

    @abstractmethod
    def first(self, at: Place | None = None) -> tuple[int, int | None]:
        """Return the first role's value and the plies to the end, None where play never ends."""

    def look(self, at: Place | None = None) -> Known:
        """Return what is known of a position."""
        first, plies = self.first(at)
        pairs = (first, first), (self.total - first, self.total - first)
        bounds = dict(zip(self.game.roles, pairs, strict=False))
        return Known(bounds, None if plies is None else (plies, plies))

    def value(self, at: Place | None = None) -> dict[Role, int]:
        """Return the value of a position for each role."""
        first, _ = self.first(at)
        return dict(zip(self.game.roles, (first, self.total - first), strict=False))

    def plies(self, at: Place | None = None) -> int | None:
        """Return the plies to the end under best play, None where play never ends."""
        return self.first(at)[1]


class ListedValues(Values):
    """Values of all states of a space, in arrays; a position may be given by its number.

    Where the space has one state of each orbit, moves and lines are those of the state asked for.
    """

    method: ClassVar[str] = "listing"
    space: StateSpace

    @property
    def game(self) -> CompiledGame:
        """The game."""
        return self.space.game

    @property
    def start(self) -> State:
        """The first state."""
        return self.space.state(0)

    def number(self, at: Place | None = None) -> StateId:
        """Return the number of a position."""
        return self.space.number(at) if isinstance(at, State) else at or 0

    def state(self, at: Place | None = None) -> State:
        """Return a position as a state."""
        return super().state(at if isinstance(at, State) else self.space.state(at or 0))

    def follow(self, at: Place | None = None) -> Iterator[Choice]:
        """Walk one line of best play; in a reduced space, one that can be played."""
        return super().follow(self.state(at) if self.space.is_reduced else at)

    def moves(self, at: Place | None = None) -> Iterator[Choice]:
        """Walk the joint moves of a position; numbers lead to numbers, and states to states."""
        number, space = self.number(at), self.space
        if not isinstance(at, State):
            for joint, to in space.moves(number):
                yield Choice(joint, to, self.look(to))
            return
        state = self.state(at)
        carry = carrier_to(space, number, state)
        for joint, to in space.moves(number):
            made = carry(joint)
            after = self.game.successor(state.key, made) if space.is_reduced else space.state(to)
            yield Choice(made, after, self.look(to))
