"""Policies of roles in a block of matches: strategies are compiled to gates where possible.

A policy allows some moves in each state, and one of them is drawn. `GatePolicy` says so by gates,
for a block of states at a time; an `Outside` policy is asked for each state in which its role has
a choice, and `EvaluatedPolicy` is the one that asks a strategy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.engine import CompiledGame, Literal, Move, Role, State
from kibitz.engine.compiled.native_machine import compile_list
from kibitz.errors import KibitzError
from kibitz.policy.move_masks import Mask, MoveMasks
from kibitz.policy.unrolled_game import MOST_GATES, NotCompilableError
from kibitz.rows import key_of
from kibitz.strategy import Before, Made, Strategy, leaves, plan_formulas

Rows = npt.NDArray[np.uint64]
Allowed = npt.NDArray[np.bool_]
Moves = npt.NDArray[np.int64]

_WINDOW = 512
"""Gates that are sorted at a time: fewer make more runs, more need more memory."""


@dataclass(frozen=True)
class RandomPolicy:
    """Any legal move."""

    name: str = "random"


@dataclass(frozen=True, eq=False)
class GatePolicy:
    """Moves by gates: code for the engine's interpreter, how many slots it needs, and its gates.

    It reads the fluents of the game and the moves last made, and writes a mask behind the game's
    slots, which is followed by what it needs itself.
    """

    game: CompiledGame
    role: Role
    name: str
    code: npt.NDArray[np.int32]
    slots: int
    gates: int

    @cached_property
    def native(self) -> core.Code:
        """The gates as native code, half the time of the interpreter; compiling takes a while."""
        return compile_list(self.code)


@dataclass(frozen=True)
class Asked:
    """States in which a role has a choice: packed rows, and for each its legal moves.

    `matches` are the numbers of the matches they belong to, `turn` is the number of the round, and
    `past` gives the states and joint moves before the one with an index. `last` gives the joint
    moves that led to the states, by their numbers, with -1 where there was none.
    """

    game: CompiledGame
    role: Role
    rows: Rows
    legal: Allowed
    matches: npt.NDArray[np.int64]
    turn: int
    past: Callable[[int], list[tuple[State, tuple[Move, ...]]]]
    last: Callable[[], Moves | None] = lambda: None

    def state(self, index: int) -> State:
        """Return one of the states."""
        return State(self.game, key_of(self.rows[index]))


@runtime_checkable
class Outside(Protocol):
    """Somebody who is asked which moves may be made in many states."""

    @property
    def name(self) -> str:
        """Its name in messages."""

    @property
    def needs_past(self) -> bool:
        """Whether it asks for the past of a match."""

    @property
    def is_native(self) -> bool:
        """Whether several threads may ask at a time, each for other matches."""

    def moves(self, asked: Asked) -> Allowed:
        """Return the moves that may be made: a row for each state, a column for each move."""


Policy = RandomPolicy | GatePolicy | Outside


@dataclass(frozen=True, eq=False)
class EvaluatedPolicy:
    """Moves of a strategy, state by state; any legal move where it has none."""

    strategy: Strategy
    name: str
    is_native: bool = False

    @property
    def needs_past(self) -> bool:
        """Whether the strategy refers to the past."""
        return any(
            isinstance(leaf, Made | Before)
            for _, plan in self.strategy.plans
            for formula in plan_formulas(plan)
            for leaf in leaves(formula)
        )

    def moves(self, asked: Asked) -> Allowed:
        """Return the moves that the strategy allows."""
        index = asked.game.roles.index(asked.role)
        number = {move: i for i, move in enumerate(asked.game.network.moves[index])}
        allowed = np.zeros_like(asked.legal)
        for i in range(len(asked.rows)):
            state = asked.state(i)
            for move in self.strategy.moves(state, asked.role, history=asked.past(i)):
                allowed[i, number[move]] = True
        silent = ~allowed.any(axis=1)
        allowed[silent] = asked.legal[silent]
        return allowed


def compile_strategy(strategy: Strategy, role: Role, *, most_gates: int = MOST_GATES) -> GatePolicy:
    """Compile a strategy for a role; raise NotCompilableError if it cannot become gates.

    Where the strategy has no move, any legal one may be made. `most_gates` bounds the gates that
    are made on the way, not all of which are needed in the end; it is a power of two.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> compile_strategy(read_strategy("true => mark(2,2)", game), "xplayer").name
    'strategy'
    """
    game = strategy.game
    if not isinstance(game, CompiledGame):
        raise NotCompilableError(f"{game.sheet.name} does not run on native code")
    masks = MoveMasks(game, role, most_gates=most_gates)
    return place_policy(masks, masks.plan(strategy.plan(role)), name=strategy.name)


def place_policy(masks: MoveMasks, mask: Mask, *, name: str = "gates") -> GatePolicy:
    """Make a policy of a mask of moves; where it has none, any legal move may be made."""
    game = masks.game
    roots = masks.anywhere(mask)
    first, work = game.machine.mask_slots()
    start = first[masks.index]
    targets = np.arange(start, start + len(roots), dtype=np.int64)
    code, slots, needed = place_masks(masks, roots, targets, work)
    return GatePolicy(game, masks.role, name, code, slots, needed)


def place_masks(
    masks: MoveMasks, literals: Sequence[Literal], targets: npt.NDArray[np.int64], free: int
) -> tuple[npt.NDArray[np.int32], int, int]:
    """Return code that writes literals to slots, how many slots it needs, and how many gates.

    `free` is the first slot that nothing else needs.
    """
    store = masks.gates.store
    count = max(1, store.count)
    roots = np.array(literals, dtype=np.int64)
    order, last, place = (np.empty(count, dtype=np.int64) for _ in range(3))
    stack, done = np.empty(2 * count + 2, dtype=np.int64), np.zeros(count, dtype=np.uint8)
    order = order[: core.function("gates_order")(store, roots, len(roots), order, stack, done)]
    # Depth first, and within a window by level and kind, so that runs are long.
    keys, level = np.empty_like(order), np.zeros(count, dtype=np.int64)
    core.function("gates_levels")(store, order, len(order), _WINDOW, level, keys)
    order = order[np.argsort(keys, kind="stable")]
    last.fill(-1)
    code = np.empty(5 * len(order) + 2 * len(roots) + 2, dtype=np.int32)
    placing = Struct(
        "placing", order=order, count=len(order), roots=roots, root_count=len(roots),
        slots=_input_slots(masks.game), targets=targets, free_slot=free, last=last, place=place,
        free=np.empty(count + 1, dtype=np.int64), code=code,
    )  # fmt: skip
    length = core.function("gates_write")(store, placing)
    return code[:length].copy(), placing.free_slot, len(order)


def _input_slots(game: CompiledGame) -> npt.NDArray[np.int64]:
    """Return where a block has the inputs of gates: nothing, fluents, and the moves last made."""
    layout = game.program.layout
    areas = [(0, 1), (layout.fluents, layout.fluent_count)]
    areas += zip(layout.does, layout.move_counts, strict=True)
    return np.concatenate([np.arange(start, start + count) for start, count in areas])


def policy_for(
    strategy: Strategy, role: Role, *, note: Callable[[str], None] = lambda _: None
) -> Policy:
    """Compile a strategy for a role; where that fails, look ahead, or evaluate it state by state.

    The last is slow, and said.
    """
    from kibitz.policy.lookahead import LookaheadPolicy

    try:
        return compile_strategy(strategy, role)
    except KibitzError as error:
        if not isinstance(error, NotCompilableError):
            raise
        if isinstance(strategy.game, CompiledGame):
            with suppress(NotCompilableError):
                return LookaheadPolicy.of(strategy, role)
        note(f"{strategy.name} is evaluated one state at a time, which is slow: {error.message}")
    return EvaluatedPolicy(strategy, strategy.name)
