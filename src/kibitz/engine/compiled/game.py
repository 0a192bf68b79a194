"""The compiled engine: a Network as a Game, one state or a million by the same program.

A state's key is a number with one bit for each fluent. For many states at a time, see `blocks`,
`simulate` and `perft`.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable
from functools import cached_property, lru_cache
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from kibitz.budget import Budget
from kibitz.engine.compiled.native_machine import NativeMachine
from kibitz.engine.compiled.program import lay_out
from kibitz.engine.game import Game, Goal, Move, Role, State
from kibitz.engine.grounding import Grounding, ground_once
from kibitz.errors import InputError, NotCompiledError
from kibitz.gdl import Function, RuleSheet
from kibitz.rows import Rows, pack_key, row_words, rows_of_keys, unpack_key


class _View(NamedTuple):
    legal: tuple[tuple[int, ...], ...]
    goals: tuple[Goal, ...]
    is_terminal: bool


class CompiledGame(Game):
    """A game run as gates on bits.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> state = game.initial().step(["(mark 2 2)", "noop"])
    >>> len(state.legal("oplayer")), state.is_terminal
    (8, False)
    """

    def __init__(
        self,
        sheet: RuleSheet,
        *,
        budget: Budget | None = None,
        backend: str = "auto",
        grounding: Grounding | None = None,
    ) -> None:
        self.sheet = sheet
        self.grounding: Grounding = grounding or ground_once(sheet, budget)
        self.network = self.grounding.network
        self.roles = self.network.roles
        self.program = lay_out(self.network)
        self.machine = NativeMachine(self.program, backend)
        self._view = lru_cache(maxsize=4096)(self._compute_view)
        self._lock = threading.Lock()

    @cached_property
    def _fluent_bit(self) -> dict[Function, int]:
        return {fluent: 1 << i for i, fluent in enumerate(self.network.fluents)}

    @cached_property
    def _hidden(self) -> frozenset[Function]:
        return frozenset(hidden.fluent for hidden in self.network.hidden)

    @cached_property
    def _fluents_by_text(self) -> tuple[tuple[Function, int, bool], ...]:
        """Each fluent, its bits, and whether it holds with any of them or with none."""
        shown = [(fluent, 1 << i, True) for i, fluent in enumerate(self.network.fluents)]
        hidden = [
            (one.fluent, sum(1 << i for i in set(one.unless)), False) for one in self.network.hidden
        ]
        return tuple(sorted([*shown, *hidden], key=lambda one: self.write(one[0])))

    @cached_property
    def _move_ranks(self) -> tuple[list[int], ...]:
        """The place of each move of a role among all of them by their text."""
        ranks = []
        for moves in self.network.moves:
            order = sorted(range(len(moves)), key=lambda i: self.write(moves[i]))
            rank = [0] * len(moves)
            for place, i in enumerate(order):
                rank[i] = place
            ranks.append(rank)
        return tuple(ranks)

    @cached_property
    def _move_index(self) -> tuple[dict[Move, int], ...]:
        return tuple({move: i for i, move in enumerate(moves)} for moves in self.network.moves)

    @cached_property
    def _memory(self) -> npt.NDArray[np.uint64]:
        return self.machine.memory()

    def initial(self) -> State:
        """Return the state in which every match starts."""
        return State(self, sum(1 << i for i, holds in enumerate(self.network.initial) if holds))

    def state_of(self, fluents: Iterable[Function]) -> State:
        """Return the state in which exactly these terms hold."""
        key = 0
        given = set(fluents)
        for fluent in given - self._hidden:
            if fluent not in self._fluent_bit:
                raise InputError(
                    f"{self.write(fluent)} can never hold in {self.sheet.name}",
                    hint="kibitz ground lists the fluents that can",
                )
            key |= self._fluent_bit[fluent]
        for hidden in self.network.hidden:
            if (hidden.fluent in given) == any(key >> i & 1 for i in hidden.unless):
                group = [hidden.fluent, *(self.network.fluents[i] for i in hidden.unless)]
                raise InputError(
                    f"exactly one of {' '.join(map(self.write, group))} holds in every state "
                    f"of {self.sheet.name}"
                )
        return State(self, key)

    def rows(self, states: Iterable[State]) -> Rows:
        """Pack states of this game into rows of words, one for each."""
        keys = [cast(int, state.key) for state in states]
        return rows_of_keys(keys, row_words(len(self.network.fluents)))

    def fluents(self, key: Hashable) -> tuple[Function, ...]:
        """Return the fluents that hold in a state, sorted by their text."""
        bits = cast(int, key)
        return tuple(
            fluent for fluent, mask, holds in self._fluents_by_text if bool(bits & mask) is holds
        )

    def legal(self, key: Hashable, role: Role) -> tuple[Move, ...]:
        """Return the moves of a role that the rules allow, sorted by their text."""
        index = self.roles.index(role)
        moves = self.network.moves[index]
        legal = self._view(cast(int, key)).legal[index]
        return tuple(moves[i] for i in sorted(legal, key=self._move_ranks[index].__getitem__))

    def is_terminal(self, key: Hashable) -> bool:
        """Return whether play has ended."""
        return self._view(cast(int, key)).is_terminal

    def goals(self, key: Hashable) -> dict[Role, Goal]:
        """Return the goal value of each role."""
        return dict(zip(self.roles, self._view(cast(int, key)).goals, strict=True))

    def successor(self, key: Hashable, joint: tuple[Move, ...]) -> State:
        """Return the state after a joint move, which must be legal."""
        layout = self.program.layout
        with self._lock:
            memory = self._memory
            self._load(cast(int, key))
            self.machine.view(memory)
            for index, move in enumerate(joint):
                start, count = layout.does[index], layout.move_counts[index]
                memory[start : start + count, 0] = 0
                memory[start + self._move_index[index][move], 0] = 1
            self.machine.step(memory)
            bits = memory[layout.next : layout.next + layout.fluent_count, 0] & np.uint64(1)
            return State(self, pack_key(bits))

    def _load(self, key: int) -> None:
        """Put a state into the first lane."""
        layout = self.program.layout
        area = self._memory[layout.fluents : layout.fluents + layout.fluent_count, 0]
        area[:] = unpack_key(key, layout.fluent_count)

    def _compute_view(self, key: int) -> _View:
        layout = self.program.layout
        with self._lock:
            self._load(key)
            self.machine.view(self._memory)
            bits = self._memory[:, 0] & np.uint64(1)
        legal = tuple(
            tuple(map(int, np.flatnonzero(bits[start : start + count])))
            for start, count in zip(layout.legal, layout.move_counts, strict=True)
        )
        values: list[list[Goal]] = [[] for _ in self.roles]
        for offset, (role, value) in enumerate(layout.goal_values):
            if bits[layout.goals + offset]:
                values[role].append(value)
        goals = tuple(found[0] if len(found) == 1 else None for found in values)
        return _View(legal, goals, bool(bits[layout.terminal]))


def require_compiled(game: Game) -> CompiledGame:
    """Return a game as the compiled one it is; raise NotCompiledError if another engine runs it.

    >>> from kibitz.engine import make_game
    >>> from kibitz.games import load_sheet
    >>> len(require_compiled(make_game(load_sheet("nim:1,2"))).network.fluents)
    4
    """
    if not isinstance(game, CompiledGame):
        raise NotCompiledError(game.sheet.name)
    return game
