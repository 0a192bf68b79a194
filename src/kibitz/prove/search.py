"""Game and State in, Proof out: proof-number search for the value of one position.

Each question is whether the first role can guarantee a goal value; a few of them give the value.
What is small enough is listed and solved instead, which also gives the plies to the end.
"""

from __future__ import annotations

import math
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from kibitz.budget import Budget, run_within
from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.engine.compiled.native_machine import NativeMachine
from kibitz.errors import KibitzError
from kibitz.prove.proof import Proof
from kibitz.prove.table import Table
from kibitz.space import (
    SEVERAL,
    Limits,
    StateSpace,
    explore,
    find_stuck,
    find_symmetries,
    images_of,
)
from kibitz.threads import ThreadTeam, thread_count

__all__ = ["Progress", "Prover", "Spending", "prove", "takes_turns"]

Row = npt.NDArray[np.uint64]
Bounds = tuple[int, int]

_SLICE = 20_000
"""Positions between two looks at the clock."""
_FIRST_SHARE = 100_000
_MOST_PLIES = 1_000
_MOST_IMAGES = 16
_LISTED_STATES = 50_000
_BUSY = 1 << 16


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come."""

    positions: int
    seconds: float
    bounds: dict[Role, Bounds]


@dataclass(frozen=True, slots=True)
class Spending:
    """What a search may use: seconds, bytes for its table, positions, threads."""

    seconds: float = 60.0
    memory: int = 1_000_000_000
    positions: int | None = None
    threads: int | None = None
    report: Callable[[Progress], None] = field(default=lambda _: None)


def prove(
    game: CompiledGame,
    state: State | None = None,
    *,
    spending: Spending | None = None,
    moves: bool = False,
    listing: bool = True,
) -> Proof:
    """Find the value of a position, or bounds on it, within what may be spent.

    With `moves`, every move of whoever is to move is valued. Without `listing`, positions with few
    states below them are searched as well.

    >>> from kibitz.games import load_sheet
    >>> found = prove(CompiledGame(load_sheet("hex:4")), listing=False)
    >>> found.value, found.is_exact
    ({'red': 100, 'blue': 0}, True)
    """
    spending = spending or Spending()
    state = state or game.initial()
    if listing and (listed := _from_listing(game, state, spending)) is not None:
        return listed
    return Prover(game, spending).prove(state, moves=moves)


def takes_turns(space: StateSpace) -> bool:
    """Say whether search may take a game, by as much of it as was explored.

    >>> from kibitz.games import load_sheet
    >>> [takes_turns(explore(CompiledGame(load_sheet(n)))) for n in ("nim:1,2", "roshambo")]
    [True, False]
    """
    return len(space.game.roles) <= 2 and not (space.turn == SEVERAL).any()


class Prover:
    """Searches positions of one game; what it found stays in its table for the next one."""

    def __init__(self, game: CompiledGame, spending: Spending | None = None) -> None:
        if len(game.roles) > 2:
            raise KibitzError(
                f"{game.sheet.name} has {len(game.roles)} roles, and search takes one or two",
                hint="kibitz solve without --search lists the states, where they are few",
            )
        if not isinstance(game.machine, NativeMachine):
            raise KibitzError("search needs native code", hint="leave the backend as it is")
        self.game = game
        self.spending = spending or Spending()
        layout = game.program.layout
        self.slots = layout.goal_values
        self.values = sorted({v for role, v in self.slots if role == 0 and v is not None})
        if not 2 <= len(self.values) <= 100:
            raise KibitzError(
                f"the rules give {game.roles[0]} {len(self.values)} different goals, and search "
                "takes 2 to 100"
            )
        others = [v for role, v in self.slots if role == 1 and v is not None]
        self.total = self.values[-1] + min(others, default=0)
        self.words = max(1, -(-layout.fluent_count // 64))
        self.table = Table(self.words, self.spending.memory)
        images = self._images()
        self.threads = thread_count(self.spending.threads)
        self.started, self.deadline = time.monotonic(), math.inf
        self.history = np.zeros((2, max(layout.move_counts), 2), dtype=np.int64)
        self.busy = np.zeros(_BUSY if self.threads > 1 else 1, dtype=np.int64)
        self.workers = [_Worker(self, images) for _ in range(self.threads)]
        self.why_open = ""
        self.is_interrupted = False
        self.ask(self.row(game.initial()), 1, 1)  # compile
        self.started = time.monotonic()
        self.deadline = self.started + self.spending.seconds

    def _images(self) -> list[tuple[int, ...]]:
        """Give the symmetries that positions are compared by, if they are found soon."""
        patience = Budget(max(1.0, min(20.0, self.spending.seconds / 5)), 4_000_000_000)
        try:
            found = run_within(
                patience,
                lambda: find_symmetries(self.game, budget=patience),
                doing="finding symmetries",
            )
            return images_of(self.game, found)[: _MOST_IMAGES - 1]
        except KibitzError:
            return []

    @property
    def positions(self) -> int:
        """How many positions were looked at."""
        return sum(worker.positions for worker in self.workers)

    def prove(self, state: State, *, moves: bool = False, weak: bool = False) -> Proof:
        """Find the value of a position, the moves that keep it, and a line of play.

        With `weak`, find the value alone.
        """
        game = self.game
        mover = None if state.is_terminal else self.mover(state)
        first = Proof(state, self._bounds(0, len(self.values) - 1), mover)
        if state.is_terminal:
            goals = {role: goal for role, goal in state.goals.items() if goal is not None}
            if len(goals) < len(game.roles):
                raise KibitzError(f"the end of {game.sheet.name} has no goal for every role")
            return replace(first, bounds={r: (g, g) for r, g in goals.items()}, plies=0)
        row = self.row(state)
        low, high = self.bounds_of(row)
        found = replace(first, bounds=self._bounds(low, high))
        if low == high and not weak:
            best, is_all = self._keeping(state, low)
            line = tuple(self._line(state, low))
            found = replace(found, best=best, are_best_all=is_all, line=line)
        if moves:
            valued = {
                move: self._bounds(*self._after(state, move))
                for move in state.legal(first.mover or game.roles[0])
            }
            found = replace(found, moves=valued)
        return replace(
            found,
            positions=self.positions,
            seconds=time.monotonic() - self.started,
            why_open="" if found.is_exact else self.why_open or "the time was up",
        )

    def bounds_of(self, row: Row, low: int = 0, high: int | None = None) -> tuple[int, int]:
        """Give the indices of goal values between which the value of the first role lies."""
        high = len(self.values) - 1 if high is None else high
        share = _FIRST_SHARE
        while low < high and self._may_go_on():
            aims = {high, low + 1} if high - low <= 2 else {(low + high + 1) // 2}
            for aim in sorted(aims, reverse=True):
                if not low < aim <= high:
                    continue
                try:
                    answer = self.ask(row, aim, share)
                except KeyboardInterrupt:
                    self.is_interrupted = True
                    self.why_open = "it was interrupted"
                    return low, high
                if answer is True:
                    low = aim
                elif answer is False:
                    high = aim - 1
                self._report(low, high)
            if self.why_open and share > 64 * _FIRST_SHARE:
                break
            share *= 2
        return low, high

    def ask(self, row: Row, aim: int, share: int | None = None) -> bool | None:
        """Say whether the first role can guarantee a value, by its index; None if that is open."""
        if aim == 0:
            return True
        if aim >= len(self.values):
            return False
        for worker in self.workers:
            worker.begin(row, aim)
        self.busy[:] = 0
        stop = [False]

        def work(number: int) -> bool | None:
            worker = self.workers[number]
            left = share if share is not None else 1 << 62
            while not stop[0] and left > 0 and self._may_go_on():
                left -= _SLICE
                if worker.run(_SLICE):
                    stop[0] = worker.answer is not None
                    return worker.answer
            return None

        try:
            with ThreadTeam(self.threads) as team:
                answers = team.each(work)
        finally:
            stop[0] = True
        known = [answer for answer in answers if answer is not None]
        if not known and any(worker.is_stopped_by_repeats for worker in self.workers):
            self.why_open = (
                "positions come again on every line that is left, and search does not value play "
                "that need not end"
            )
        return known[0] if known else None

    def _may_go_on(self) -> bool:
        most = self.spending.positions
        if self.is_interrupted or time.monotonic() >= self.deadline:
            return False
        return most is None or self.positions < most

    def _report(self, low: int, high: int) -> None:
        seconds = time.monotonic() - self.started
        self.spending.report(Progress(self.positions, seconds, self._bounds(low, high)))

    def _bounds(self, low: int, high: int) -> dict[Role, Bounds]:
        least, most = self.values[low], self.values[high]
        pairs: list[Bounds] = [(least, most), (self.total - most, self.total - least)]
        return dict(zip(self.game.roles, pairs, strict=False))

    def row(self, state: State) -> Row:
        """Pack a state."""
        raw = int(state.key).to_bytes(8 * self.words, "little")  # type: ignore[call-overload]
        return np.frombuffer(raw, dtype="<u8").astype(np.uint64)

    def mover(self, state: State) -> Role:
        """Give the role that chooses, the first one where nobody has a choice."""
        several = [role for role in self.game.roles if len(state.legal(role)) > 1]
        return several[0] if several else self.game.roles[0]

    def next(self, state: State, move: Move) -> State:
        """Give the state after a move of whoever is to move."""
        mover = self.mover(state)
        joint = [move if r == mover else state.legal(r)[0] for r in self.game.roles]
        return state.step(joint)

    def _after(self, state: State, move: Move, low: int = 0, high: int | None = None) -> Bounds:
        """Give the bounds, as indices, of the state after a move."""
        after = self.next(state, move)
        if after.is_terminal:
            index = self.values.index(after.goals[self.game.roles[0]] or 0)
            return index, index
        return self.bounds_of(self.row(after), low, high)

    def keeps(self, state: State, move: Move, value: int) -> bool | None:
        """Say whether a move keeps the value, by its index; None if that is open."""
        after = self.next(state, move)
        maximises = self.mover(state) == self.game.roles[0]
        if after.is_terminal:
            index = self.values.index(after.goals[self.game.roles[0]] or 0)
            return index >= value if maximises else index <= value
        if maximises:
            return self.ask(self.row(after), value)
        above = self.ask(self.row(after), value + 1)
        return None if above is None else not above

    def _keeping(self, state: State, value: int) -> tuple[tuple[Move, ...], bool]:
        """Give the moves known to keep the value, and whether that is known of all moves."""
        mover = self.mover(state)
        answers = {move: self.keeps(state, move, value) for move in state.legal(mover)}
        return tuple(m for m, a in answers.items() if a), None not in answers.values()

    def _line(self, state: State, value: int) -> Iterator[tuple[Move, ...]]:
        """Walk a line on which both sides keep the value, as far as it is known."""
        seen = {state.key}
        while not state.is_terminal:
            mover = self.mover(state)
            for move in state.legal(mover):
                if self.keeps(state, move, value):
                    break
            else:
                return
            joint = tuple(move if r == mover else state.legal(r)[0] for r in self.game.roles)
            yield joint
            state = state.step(joint)
            if state.key in seen:
                return
            seen.add(state.key)


class _Worker:
    """What one thread needs to search: the lookahead, and the line of play it is on."""

    def __init__(self, prover: Prover, images: Sequence[Sequence[int]]) -> None:
        from kibitz.prove.kernels import State as Column
        from kibitz.prove.lookahead import Lookahead

        self.prover = weakref.proxy(prover)  # so that the table goes with its prover
        self.look = Lookahead(prover.game, images)
        self.look.pair(self._partners())
        plies, most, words = _MOST_PLIES + 1, self.look.most, prover.words
        while plies > 64 and plies * most * (words + 2) * 8 > 256_000_000:
            plies //= 2
        self.state = np.zeros(Column.SIZE, dtype=np.int64)
        self.path = np.zeros((plies, words), dtype=np.uint64)
        self.hashes = np.zeros(plies, dtype=np.uint64)
        self.rows = np.zeros((plies, most, words), dtype=np.uint64)
        self.numbers = np.zeros((plies, most, 2), dtype=np.int64)
        self.moves = np.zeros((plies, most), dtype=np.int64)
        self.frames = np.zeros((plies, 6), dtype=np.int64)
        self.aim = 0
        self.answer: bool | None = None
        self.is_stopped_by_repeats = False

    @property
    def positions(self) -> int:
        from kibitz.prove.kernels import State as Column

        return int(self.state[Column.NODES])

    def _partners(self) -> list[int]:
        """Give the goal slot of the second role that goes with each of the first."""
        slots = self.prover.slots
        if len(self.prover.game.roles) == 1:
            return list(range(len(slots)))
        place = {pair: number for number, pair in enumerate(slots)}
        total = self.prover.total
        return [
            place.get((1, total - v), -1) if role == 0 and v is not None else -1
            for role, v in slots
        ]

    def begin(self, row: Row, aim: int) -> None:
        """Start at a position, asking for a value by its index."""
        from kibitz.prove.kernels import INFINITE, State as Column, hash_row

        least = self.prover.values[aim]
        self.look.aim(
            [v >= least if r == 0 and v is not None else None for r, v in self.prover.slots]
        )
        self.aim = aim
        self.answer = None
        self.is_stopped_by_repeats = False
        self.state[[Column.PLY, Column.IS_BACK, Column.TROUBLE, Column.REPEATED]] = 0
        self.path[0] = row
        self.hashes[0] = hash_row(row, aim)
        self.frames[0, 2:4] = INFINITE

    def run(self, positions: int) -> bool:
        """Look at so many more positions; say whether the search has ended."""
        from kibitz.prove import kernels

        prover, look, column = self.prover, self.look, kernels.State
        has_ended = kernels.search(
            positions,
            self.aim,
            0,
            self.state,
            look.context,
            look.address,
            look.row,
            look.rows,
            look.moves,
            look.facts,
            self.path,
            self.hashes,
            self.rows,
            self.numbers,
            self.moves,
            self.frames,
            prover.history,
            prover.table.keys,
            prover.table.data,
            prover.table.locks,
            prover.busy,
        )
        if self.state[column.TROUBLE]:
            raise _refusal(prover.game, int(self.state[column.TROUBLE]))
        if has_ended:
            pn, dn = self.state[column.PN], self.state[column.DN]
            self.answer = True if pn == 0 else False if dn == 0 else None
            self.is_stopped_by_repeats = self.answer is None
        return bool(has_ended)


def _refusal(game: CompiledGame, trouble: int) -> KibitzError:
    from kibitz.prove import kernels

    name = game.sheet.name
    if trouble == kernels.BOTH_CHOOSE:
        return KibitzError(f"in {name} roles choose at the same time, and search takes turns only")
    if trouble == kernels.STUCK_STATE:
        return KibitzError(
            f"in {name} play can get to a state in which a role has no legal move",
            hint="give every role a move there, such as noop, or let play end there",
        )
    if trouble == kernels.NOT_OPPOSED:
        return KibitzError(
            f"in {name} an end gives the roles goals that are not opposed, and search takes only "
            "games in which one role's gain is the other's loss"
        )
    return KibitzError(f"{name} has an end that does not give each role one goal")


def _from_listing(game: CompiledGame, state: State, spending: Spending) -> Proof | None:
    """Solve what is below a position by listing it, if that is little."""
    from kibitz.solve import Solution, solve_any

    seconds = min(5.0, spending.seconds / 4)
    limits = Limits(states=_LISTED_STATES, seconds=seconds, bytes=spending.memory)
    space = explore(game, starts=[state], limits=limits)
    if not space.is_complete or find_stuck(space) is not None:
        return None
    solution = solve_any(space)
    if not isinstance(solution, Solution):
        return None
    values = {role: (value, value) for role, value in solution.values().items()}
    several = [role for role in game.roles if len(state.legal(role)) > 1]
    mover = None if state.is_terminal else (several or [game.roles[0]])[0]
    at = game.roles.index(mover or game.roles[0])
    moves = {
        joint[at]: {role: (v, v) for role, v in solution.values(to).items()}
        for joint, to in space.moves(0)
    }
    best = tuple(dict.fromkeys(joint[at] for joint, _ in solution.best_moves()))
    line = tuple(solution.principal_variation(start=state))
    return Proof(
        state, values, mover, best, True, moves, line, solution.plies(), len(space),
        space.seconds + solution.seconds, "listing",
    )  # fmt: skip
