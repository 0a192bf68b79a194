"""Find plans with clingo: the gates of a game of one role, once for each move of a plan.

Planning as satisfiability (Kautz and Selman 1992): for each length there is one question, whether
play of that many moves ends with a better goal. What holds at the start is put into the gates, so
that of most layers little remains. Questions get so many conflicts each, and those left open more
in the next round, for a plan of the right length is often found long before shorter ones are
excluded. Where all are answered, and no play is longer, there is no better plan.

Moves that cannot hinder one another are made in one layer (Rintanen, Heljanko and Niemela 2006): no
order of filling in a form is better than another, and there are very many.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import clingo

from kibitz.engine import (
    FALSE,
    TRUE,
    Builder,
    CompiledGame,
    Literal,
    Move,
    Network,
    State,
    bits_of,
)

_TRUE = 1 << 40
"""Beyond clingo's literals; its negation is false."""
_MOST_ATOMS = 4_000_000
_FIRST_CONFLICTS = 2_000
_FIRST_MOVES = 64
_GROWTH = 4
_MOST_BITS, _MOST_WORK = 1 << 28, 3_000_000
"""Gates times inputs, and moves times gates behind them, from which on moves share no layer."""


@dataclass(frozen=True, slots=True)
class _Effects:
    """For each fluent the moves that change it, with what they make of it, and others that ask.

    What they make of it are literals over the network's gates and some more.
    """

    gates: list[tuple[Literal, Literal]]
    changes: list[dict[int, Literal]]
    asking: list[list[int]]


class Unrolling:
    """Play of one role from a state on, as a logic program that grows by a move at a time.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("hanoi:3"))
    >>> goal, moves = Unrolling(game, game.initial()).find(-1, time.monotonic() + 60)
    >>> goal, len(moves)
    (100, 7)
    """

    def __init__(self, game: CompiledGame, state: State) -> None:
        self.state = state
        self.network: Network = game.network
        self._begin(_effects_of(game.network))

    def _begin(self, effects: _Effects | None) -> None:
        """Begin with no moves; by effects several can be made in a layer."""
        self.effects = effects
        self.gates: Sequence[tuple[Literal, Literal]] = (
            effects.gates if effects else self.network.gates
        )
        self.control = clingo.Control(["--warn=none"], logger=lambda _code, _message: None)
        self.atoms = 0
        self.is_done = False
        """Whether there are no plans but those that were found."""
        held = set(self.state.fluents)
        self.now = [_TRUE if fluent in held else -_TRUE for fluent in self.network.fluents]
        self.values: list[int] = []
        self.is_on = [_TRUE]
        """For each number of moves, the literal that play goes on until then."""
        self.ends: list[list[tuple[int, int]]] = []
        """For each number of moves, the goals and the literals that play ends so."""
        self.moved: list[list[int]] = []
        marks = _behind_moves(self.network)
        self.needs_move = marks + bytes(len(self.gates) - len(marks))
        self._open_layer()
        self.open = {0}
        self.rounds = self._questions()

    def find(self, least: int, deadline: float) -> tuple[int, list[Move]] | None:
        """Return the goal of a plan that gets more than `least`, and its moves.

        Return None where there is none, or where it would take too much; raise TimeoutError at a
        time of `time.monotonic`.
        """
        if not any(goal > least for goal, of in self.network.goals[0] if goal and of != FALSE):
            self.is_done = True
        for length, conflicts in () if self.is_done else self.rounds:
            if length in self.open:
                solve: Any = self.control.configuration.solve
                solve.solve_limit = f"{conflicts},umax"
                found = self._ask(length, least, deadline)
                if found is not None and self._is_played(*found):
                    return found
                if found is not None:  # play ends between moves of one layer
                    self._begin(None)
                    return self.find(least, deadline)
        return None

    def _is_played(self, goal: int, moves: list[Move]) -> bool:
        """Return whether moves can be made one after the other, and end with a goal."""
        state = self.state
        for move in moves:
            if state.is_terminal:
                return False
            state = state.step([move])
        return state.is_terminal and list(state.goals.values()) == [goal]

    def _questions(self) -> Iterator[tuple[int, int]]:
        """Choose lengths of plans, and how many conflicts each may take; add layers for them."""
        conflicts, moves = _FIRST_CONFLICTS, _FIRST_MOVES
        while not self.is_done:
            for length in range(moves + 1):
                if length == len(self.ends):
                    if self.is_on[-1] == -_TRUE or self.atoms > _MOST_ATOMS:
                        break
                    self._close_layer()
                    self._open_layer()
                    self.open.add(length)
                yield length, conflicts
            if not self.open and self.is_on[-1] == -_TRUE:
                self.is_done = True
            elif not self.open and self.atoms > _MOST_ATOMS:
                return
            conflicts, moves = _GROWTH * conflicts, 2 * moves

    def _ask(self, length: int, least: int, deadline: float) -> tuple[int, list[Move]] | None:
        """Ask for play of so many moves with a better goal; strike the question off if answered."""
        better = [end for goal, end in self.ends[length] if goal > least and end != -_TRUE]
        with self.control.backend() as backend:
            any_better = self._new(backend)
            for end in better:
                backend.add_rule([any_better], [] if end == _TRUE else [end])
        wanted = [one for one in (self.is_on[length], any_better) if one != _TRUE]
        if not better or -_TRUE in wanted:
            self.open.discard(length)
            return None
        with self.control.solve(assumptions=wanted, yield_=True, async_=True) as handle:
            handle.resume()
            if not handle.wait(max(0.0, deadline - time.monotonic())):
                handle.cancel()
                raise TimeoutError
            model = handle.model()
            if model is not None:
                names, ends = self.network.moves[0], self.ends[length]
                moves = [
                    names[i]
                    for made in self.moved[:length]
                    for i, one in enumerate(made)
                    if _holds(one, model)
                ]
                return next(goal for goal, end in ends if _holds(end, model)), moves
            if handle.get().unsatisfiable:
                self.open.discard(length)
        return None

    def _open_layer(self) -> None:
        """Add the gates that ask for no move: the moves that are legal, the end, the goals."""
        network = self.network
        self.values = [-_TRUE, *self.now, *[-_TRUE] * len(network.moves[0])]
        self.values += [-_TRUE] * len(self.gates)
        with self.control.backend() as backend:
            self._add_gates(backend, needs_move=False)
            over = self._value(network.terminal)
            goals = [(goal, self._value(of)) for goal, of in network.goals[0] if goal is not None]
            self.ends.append([(goal, self._both(backend, over, of)) for goal, of in goals])
            self.is_on.append(self._both(backend, self.is_on[-1], -over))

    def _close_layer(self) -> None:
        """Let play go on with a legal move, or several, and find what holds after that."""
        network, goes_on = self.network, self.is_on[-1]
        with self.control.backend() as backend:
            legal = [self._both(backend, goes_on, self._value(of)) for of in network.legal[0]]
            options = [i for i, literal in enumerate(legal) if literal != -_TRUE]
            made = [-_TRUE] * len(legal)
            for i in options:
                made[i] = self._new(backend)
                body = [] if legal[i] == _TRUE else [legal[i]]
                backend.add_rule([made[i]], body, choice=True)
            must = [] if goes_on == _TRUE else [goes_on]
            backend.add_rule([], [*must, *(-made[i] for i in options)])
            self.moved.append(made)
            if self.effects is not None:
                self.now = self._after(backend, made, self.effects)
                return
            backend.add_weight_rule([], 2, [(made[i], 1) for i in options])
            first = network.first_move
            self.values[first : first + len(made)] = made
            self._add_gates(backend, needs_move=True)
            self.now = [self._value(literal) for literal in network.next]

    def _after(self, backend: clingo.Backend, made: list[int], effects: _Effects) -> list[int]:
        """Return what holds after moves of which at most one changes a fluent, or asks for it."""
        now = []
        for fluent, changes in enumerate(effects.changes):
            held = self._value(2 * (1 + fluent))
            here = {made[i]: self._value(of) for i, of in changes.items() if made[i] != -_TRUE}
            now.append(held)
            if not here:
                continue
            backend.add_weight_rule([], 2, [(one, 1) for one in here])
            is_left = self._new(backend)
            backend.add_rule([is_left], [-one for one in here])
            for i in effects.asking[fluent]:
                if made[i] != -_TRUE:
                    backend.add_rule([], [made[i], -is_left])
            now[-1] = self._new(backend)
            for one, of in ((is_left, held), *here.items()):
                if of != -_TRUE:
                    backend.add_rule([now[-1]], [one] if of == _TRUE else [one, of])
        return now

    def _add_gates(self, backend: clingo.Backend, *, needs_move: bool) -> None:
        first, values = self.network.first_gate, self.values
        for number, (a, b) in enumerate(self.gates):
            if self.needs_move[number] == needs_move:
                values[first + number] = self._both(backend, self._value(a), self._value(b))

    def _value(self, literal: Literal) -> int:
        value = self.values[literal >> 1]
        return -value if literal & 1 else value

    def _both(self, backend: clingo.Backend, a: int, b: int) -> int:
        if a == -_TRUE or b == -_TRUE or a == -b:
            return -_TRUE
        if a in (_TRUE, b):
            return b
        if b == _TRUE:
            return a
        atom = self._new(backend)
        backend.add_rule([atom], [a, b])
        return atom

    def _new(self, backend: clingo.Backend) -> int:
        self.atoms += 1
        return backend.add_atom()


def _holds(literal: int, model: clingo.Model) -> bool:
    return literal == _TRUE or (literal != -_TRUE and model.is_true(literal))


def _effects_of(network: Network) -> _Effects | None:
    """Return what each move makes of the fluents that it may change.

    None where a fluent changes whatever the move is, as one does that counts moves: then no two can
    share a layer. A gate may hold for all moves but some, as a role makes just one; so the gates
    behind moves are made anew for each of them, with all others denied.
    """
    first, behind = network.first_gate, _behind_moves(network)
    moving = [number for number, is_behind in enumerate(behind) if is_behind]
    moves = range(len(network.moves[0]))
    if len(moves) * (len(moving) + len(network.fluents)) > _MOST_WORK:
        return None
    if len(network.gates) * first > _MOST_BITS:
        return None
    made = Builder(first - 1)
    made.gates += network.gates
    values = list(range(0, 2 * (first + len(network.gates)), 2))
    values[network.first_move : first] = [FALSE] * len(moves)
    for node, value in network.implied(network.terminal ^ 1).items():
        values[node] = value  # Moves are made while play goes on.
    frame = values[1 : network.first_move]
    changes: list[dict[int, Literal]] = [{} for _ in network.fluents]
    for move in moves:
        values[network.first_move + move] = TRUE
        for number in moving:
            a, b = network.gates[number]
            values[first + number] = made.both(values[a >> 1] ^ a & 1, values[b >> 1] ^ b & 1)
        values[network.first_move + move] = FALSE
        for fluent, after in enumerate(network.next):
            of = values[after >> 1] ^ after & 1
            if of != frame[fluent]:
                changes[fluent][move] = of
    if any(len(one) == len(moves) for one in changes):
        return None
    supports = replace(network, gates=tuple(made.gates)).supports()
    held = (1 << network.first_move) - 2
    needs = [supports[of >> 1] & held for of in network.legal[0]]
    for one in changes:
        for move, of in one.items():
            needs[move] |= supports[of >> 1] & held
    asking: list[list[int]] = [[] for _ in network.fluents]
    for move, need in enumerate(needs):
        for node in bits_of(need):
            if move not in changes[node - 1]:
                asking[node - 1].append(move)
    return _Effects(made.gates, changes, asking)


def _behind_moves(network: Network) -> bytearray:
    """Mark the gates that ask for moves."""
    first = network.first_gate
    marks = bytearray(network.first_move) + b"\1" * (first - network.first_move)
    for a, b in network.gates:
        marks.append(marks[a >> 1] | marks[b >> 1])
    return marks[first:]
