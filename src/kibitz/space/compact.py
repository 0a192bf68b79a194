"""Explore a layered game in little memory: its states layer by layer, and no moves.

Where every move leads to the next layer and no state is in two of them, the moves of a state can be
made again when they are needed, and a state is looked up among those of one layer only. So a layer
is kept as sorted and coded rows (`StateKeys`), and only the next one, while it is found, as plain
rows with a table. What shows that layers are different is a mark (`find_mark`), which every state
is checked for.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.budget import time_to_work
from kibitz.core import Struct
from kibitz.engine import CompiledGame, Game, Role, State, goal_error, require_compiled
from kibitz.engine.compiled.native_machine import Expander
from kibitz.errors import IncompleteError, InputError, KibitzError
from kibitz.gdl import require_gdl1
from kibitz.rows import key_of, rows_of_keys, sort_rows
from kibitz.space.exploration import Limits, Progress
from kibitz.space.graph import Stuck
from kibitz.space.intake import Column, JointBound, LayerMark, find_mark, rows_of
from kibitz.threads import ThreadTeam, thread_count

Rows = npt.NDArray[np.uint64]
CODE_BLOCK = core.constant("CODE_BLOCK")
_SHARE = 64  # Blocks that a thread codes at a time.


class StateKeys:
    """Sorted rows of states; the last word counts most.

    >>> rows = np.array([[3], [5], [5 << 40], [5 << 40 | 1]], dtype=np.uint64)
    >>> with ThreadTeam(1) as team:
    ...     keys = StateKeys(rows, team)
    >>> len(keys), keys.bytes, keys.find(5 << 40), keys.find(4)
    (4, 31, 2, None)
    """

    def __init__(self, rows: Rows, team: ThreadTeam) -> None:
        self.count: int = rows.shape[0]
        self.words: int = rows.shape[1]
        blocks = -(-self.count // CODE_BLOCK)
        self.starts = np.zeros(blocks + 1, dtype=np.int64)
        sizes = self.starts[1:]
        measure = core.function("compact_measure", self.words)
        in_shares(team, blocks, _SHARE, lambda _, a, b: measure(rows, self.count, sizes, a, b))
        np.cumsum(self.starts, out=self.starts)
        self.data = Column(np.uint8)
        self.data.array = np.empty(int(self.starts[-1]), dtype=np.uint8)
        encode = core.function("compact_encode", self.words)
        places = rows, self.count, self.starts, self.data.array
        in_shares(team, blocks, _SHARE, lambda _, a, b: encode(*places, a, b))

    def __len__(self) -> int:
        return self.count

    @property
    def bytes(self) -> int:
        """How much memory or disk it takes."""
        return int(self.data.array.nbytes + self.starts.nbytes)

    @property
    def bytes_in_memory(self) -> int:
        """How much memory it takes."""
        return self.data.bytes_in_memory + self.starts.nbytes

    def move_to(self, folder: str | Path) -> None:
        """Continue in a file."""
        self.data.move_to(folder)

    def read(self, first: int, last: int, into: Rows) -> None:
        """Write the rows from a multiple of 1024 to another number into an array."""
        decode = core.function("compact_decode", self.words)
        for start in range(first, last, CODE_BLOCK):
            at = int(self.starts[start // CODE_BLOCK])
            decode(self.data.array, at, min(CODE_BLOCK, last - start), into, start - first)

    def rows(self, team: ThreadTeam) -> Rows:
        """Return all rows."""
        rows = np.empty((self.count, self.words), dtype=np.uint64)

        def read(_number: int, first: int, last: int) -> None:
            self.read(first, last, rows[first:last])

        in_shares(team, self.count, _SHARE * CODE_BLOCK, read)
        return rows

    def find(self, key: int) -> int | None:
        """Return the place of a state, by its bits as one number; None if it is not here."""
        low, high = 0, len(self.starts) - 1
        while low < high:
            middle = (low + high) // 2
            start = int(self.starts[middle])
            head = self.data.array[start : start + 8 * self.words].tobytes()
            if int.from_bytes(head, "little") <= key:
                low = middle + 1
            else:
                high = middle
        if not low:
            return None
        first = (low - 1) * CODE_BLOCK
        rows = np.empty((min(CODE_BLOCK, self.count - first), self.words), dtype=np.uint64)
        self.read(first, first + len(rows), rows)
        row = rows_of_keys([key], self.words)
        places = np.flatnonzero((rows == row).all(axis=1))
        return first + int(places[0]) if len(places) else None


def in_shares(
    team: ThreadTeam, count: int, share: int, work: Callable[[int, int, int], None]
) -> None:
    """Call `work(thread, first, last)` for all shares of a range, in whichever thread is free.

    Where one fails, or this thread is interrupted, the others stop after their present share.
    """
    starts = iter(range(0, count, share))
    is_ended: list[bool] = []

    def run(number: int) -> None:
        try:
            for start in starts:  # which gives each number to one thread only, by Python's lock
                if is_ended:
                    return
                work(number, start, min(count, start + share))
        except BaseException:
            is_ended.append(True)
            raise

    try:
        if count > share:
            team.each(run)
        else:
            run(0)
    except BaseException:
        is_ended.append(True)
        raise


JOB = 1 << 13
"""States that a thread expands at a time; a multiple of the states that are coded together."""

_ROOM = 1 << 17


class RowExpander:
    """Buffers and native code of one thread.

    `states` are the rows to expand; `rows`, `hashes` and `parents` are of their successors, and
    `terminal`, `turn` and `goals` are of the states.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import rows_of
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> expander = RowExpander(game)
    >>> expander.states[:1] = rows_of(game, [game.initial()])
    >>> expander.expand(0, 1), int(expander.turn[0])
    ((1, 9), 0)
    """

    def __init__(self, game: CompiledGame) -> None:
        layout = game.program.layout
        self._bound = JointBound(game, _ROOM)
        self._expander = Expander(game.machine, stop_at_terminal=True)
        self.words = self._expander.row_words
        self._expand = game.machine.loop("space_expand")
        room = self._bound.room
        self._expander.make_room(room)
        self.rows = self._expander.rows
        self.parents = self._expander.parents
        self.hashes = np.empty(max(room, JOB), dtype=np.uint64)
        self.states = np.empty((JOB, self.words), dtype=np.uint64)
        self.terminal, self.turn = np.empty(JOB, np.uint8), np.empty(JOB, np.int8)
        self.has_move = np.empty(JOB, np.uint8)
        self.goals = np.empty((JOB, len(game.roles)), dtype=np.int8)
        shown = [-1 if v is None or not 0 <= v <= 100 else v for _, v in layout.goal_values]
        nothing = np.zeros(1, dtype=np.uint64)  # a table of joint moves that knows none
        self._expander.context.rows = self.states
        self._context = Struct(
            "intake", rows=self.rows, moves=self._expander.moves, hashes=self.hashes,
            codes=np.empty(room, dtype=np.uint16), joints=nothing,
            expansion=self._expander.context, block=self._bound.block, room=_ROOM,
            terminal=self.terminal, turn=self.turn, goals=self.goals,
            goal_roles=np.array([role for role, _ in layout.goal_values] or [0], dtype=np.int64),
            goal_values=np.array(shown or [0], dtype=np.int64),
        )  # fmt: skip

    def expand(self, first: int, count: int) -> tuple[int, int]:
        """Expand some states from `first` on; return how many, and how many successors they have.

        Fewer than `count` are expanded where their successors would not fit the buffers.
        """
        self._expander.context.written = 0
        count = self._bound.fit(self.states[first : first + count])
        done = int(self._expand(self._context, first, count))
        return done, self._expander.context.written

    def hash(self, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """Hash up to JOB rows, one after another in memory; the result is good until the next."""
        core.function("hash_rows", self.words)(rows, self.hashes, len(rows))
        return self.hashes[: len(rows)]


_MARK_FROM = 1 << 12
_MARK_UNTIL = 1 << 20
_PART = 1 << 16
_CHUNK = core.constant("POOL_CHUNK")
_LEAST_TABLE = 1 << 14
_FULL = 3 / 4
_MOST_OF_A_LAYER = 2**32 - 2**26
_REPORT_S = 0.1


@dataclass(frozen=True)
class CompactSpace:
    """Every reachable state, layer by layer, without the moves between them.

    `ends` and `edges` count the terminal states and the joint moves; `goals` are those of the first
    role at ends, and `sums` the sums of all roles' goals there. `stuck` is one of the states that
    are not terminal in which a role has no move.
    """

    game: CompiledGame
    start: State
    layers: tuple[StateKeys, ...]
    ends: int
    edges: int
    goals: tuple[int, ...]
    sums: tuple[int, ...]
    stuck: Stuck | None
    seconds: float
    limits: Limits
    spill: str | Path | None

    def __len__(self) -> int:
        return sum(map(len, self.layers))

    @property
    def bytes(self) -> int:
        """How much memory or disk the states take."""
        return sum(keys.bytes for keys in self.layers)

    @property
    def bytes_in_memory(self) -> int:
        """How much memory the states take; files count as none."""
        return sum(keys.bytes_in_memory for keys in self.layers)

    def find(self, state: State) -> tuple[int, int]:
        """Return the layer of a state and its place in it; raise InputError if it is in none."""
        mine = state if state.game is self.game else self.game.state(state.fluents)
        assert isinstance(mine.key, int)
        for number, keys in enumerate(self.layers):
            place = keys.find(mine.key)
            if place is not None:
                return number, place
        raise InputError(f"play in {self.game.sheet.name} cannot reach this state")


def explore_layers(
    game: Game,
    *,
    starts: Sequence[State] = (),
    limits: Limits | None = None,
    spill: str | Path | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> CompactSpace:
    """Find every state of a game that play can reach, for one or two roles who move in turn.

    Raise KibitzError where the game has no layers, or its roles choose at the same time, and
    IncompleteError where a limit is met. Coded layers go on in files in the folder `spill`, if one
    is given, once there is no memory for them.

    >>> from kibitz.games import load_sheet
    >>> space = explore_layers(CompiledGame(load_sheet("tictactoe")))
    >>> len(space), space.ends, space.edges, len(space.layers)
    (5478, 958, 16167, 10)
    """
    compiled = require_compiled(game)
    require_gdl1(compiled.sheet)
    with ThreadTeam(thread_count(threads)) as team:
        exploration = _Exploration(compiled, limits or Limits(), spill, team)
        exploration.report = progress or exploration.report
        starts = starts or [game.initial()]
        exploration.start = starts[0]
        return exploration.run(rows_of(compiled, starts))


class _Exploration:
    """Goes from layer to layer until there is none."""

    def __init__(
        self, game: CompiledGame, limits: Limits, spill: str | Path | None, team: ThreadTeam
    ) -> None:
        self.name = game.sheet.name
        if len(game.roles) > 2:
            raise _refusal(self.name, f"has {len(game.roles)} roles, and one or two are needed")
        self.game, self.limits, self.spill, self.team = game, limits, spill, team
        self.report: Progress = lambda _found, _expanded: None
        self.start = game.initial()
        self.begin = self.reported = time.perf_counter()
        self.expanders = [RowExpander(game) for _ in range(team.size)]
        self.words = self.expanders[0].words
        self.layers: list[StateKeys] = []
        self.marks = _Marks(game)
        self.expanded = self.edges = 0
        self.figures = np.zeros((team.size, 5), dtype=np.int64)
        self.sums = np.zeros((team.size, 201), dtype=np.uint8)
        self.goals = np.zeros((team.size, 101), dtype=np.uint8)
        self.stuck: Stuck | None = None
        self.lock = threading.Lock()

    def run(self, rows: Rows) -> CompactSpace:
        guess = len(rows)
        while len(rows):
            rows = sort_rows(rows)
            self.marks.check(rows, self.team)
            self.layers.append(StateKeys(rows, self.team))
            before, guess = guess, len(rows)
            del rows
            self.check_limits(0)
            rows = self.next_layer(int(1.1 * guess * max(1.0, guess / before)))
        self.report(self.expanded, self.expanded)
        if self.stuck is not None:
            self.stuck = replace(self.stuck, states=int(self.figures[:, 1].sum()))
        return CompactSpace(
            game=self.game,
            start=self.start,
            layers=tuple(self.layers),
            ends=int(self.figures[:, 0].sum()),
            edges=self.edges,
            goals=tuple(np.flatnonzero(self.goals.any(axis=0)).tolist()),
            sums=tuple(np.flatnonzero(self.sums.any(axis=0)).tolist()),
            stuck=self.stuck,
            seconds=time.perf_counter() - self.begin,
            limits=self.limits,
            spill=self.spill,
        )

    def next_layer(self, guess: int) -> Rows:
        """Find the states that moves from the last layer lead to, in no order."""
        last = len(self.layers[-1])
        self.jobs = deque((a, min(last, a + JOB)) for a in range(0, last, JOB))
        self.shared = np.zeros(1, dtype=np.int64)
        self.places = np.zeros((self.team.size, 8), dtype=np.int64)  # a cache line for each
        self.new = self.taken = self.needed = 0
        self.pool = np.empty((0, self.words), dtype=np.uint64)
        self.make_table(guess)
        while self.jobs:
            self.is_full = False
            # For a few states, waking other threads takes longer than working without them.
            each = self.team.each if len(self.jobs) > 1 else lambda work: work(0)
            try:
                each(self.work)
            finally:
                self.is_full = True  # so that no thread goes on where this one is interrupted
            if self.jobs:
                self.make_table(2 * self.new)
        rows = self.pool[: self.close_gaps()]
        del self.table, self.pool, self.entry
        return rows

    def work(self, number: int) -> None:
        """Expand one job after another until there is none, or the table is full."""
        try:
            while not self.is_full:
                if number == 0:
                    self.check_limits(self.new)
                try:
                    first, last = self.jobs.popleft()
                except IndexError:
                    return
                done = self.expand(number, first, last)
                if done < last:
                    self.is_full = True
                    self.jobs.appendleft((done, last))
        except BaseException:
            self.is_full = True
            raise

    def expand(self, number: int, first: int, last: int) -> int:
        """Expand states of the last layer; return the first one that is left."""
        expander = self.expanders[number]
        begin = first - first % CODE_BLOCK  # where a block starts that can be read
        self.layers[-1].read(begin, last, expander.states)
        done = first
        while done < last:
            count, found = expander.expand(done - begin, last - done)
            with self.lock:
                if self.new + self.taken + found > self.room:
                    self.needed = max(self.needed, found)
                    return done
                self.taken += found
            new = core.function("compact_insert", self.words)(
                self.entry, expander.rows, expander.hashes, found, self.places[number]
            )
            figures = self.figures[number]
            tally = Struct(
                "tally", terminal=expander.terminal, turn=expander.turn, goals=expander.goals,
                roles=len(self.game.roles), parents=expander.parents, found=found,
                has_move=expander.has_move, figures=figures, sums=self.sums[number],
                seen=self.goals[number],
            )  # fmt: skip
            core.function("compact_tally", self.words)(tally, done - begin, done - begin + count)
            with self.lock:
                self.taken -= found
                self.new += new
                self.edges += found
                self.expanded += count
            if figures[2:].any():
                self.look_at(number)
            done += count
        return done

    def look_at(self, number: int) -> None:
        """Raise an error for what the last states have shown, or note a stuck one."""
        figures = self.figures[number]
        if figures[2]:
            raise _refusal(self.name, "has roles that choose at the same time")
        if figures[4]:
            state = self.state(number, int(figures[4]) - 1)
            goals = state.goals
            raise goal_error(state, next(role for role in goals if goals[role] is None))
        with self.lock:
            if self.stuck is None:
                state = self.state(number, int(figures[3]) - 1)
                role: Role | None = next(
                    (role for role in self.game.roles if not state.legal(role)), None
                )
                self.stuck = Stuck(0, role, state, None)
        figures[3] = 0

    def state(self, number: int, place: int) -> State:
        row = self.expanders[number].states[place]
        return State(self.game, key_of(row))

    def make_table(self, states: int) -> None:
        """Make a table and a pool for a number of states of the next layer."""
        size = _LEAST_TABLE
        while _FULL * size < max(states, self.new + self.needed):
            size *= 2
        self.table = np.zeros(0, dtype=np.uint64)
        room = int(_FULL * size)
        slots = -(-room // _CHUNK) + self.team.size
        self.check_limits(self.new, 8 * size + 8 * self.words * slots * _CHUNK)
        pool = np.empty((slots * _CHUNK, self.words), dtype=np.uint64)
        used = int(self.shared[0]) * _CHUNK
        pool[:used] = self.pool[:used]
        self.pool, self.room = pool, room
        self.table = np.zeros(size, dtype=np.uint64)
        self.entry = Struct("pool", table=self.table, mask=size - 1, rows=pool, chunks=self.shared)
        enter = core.function("compact_enter", self.words)
        gaps = [(int(a), int(b)) for a, b in self.places[:, :2]]

        def enter_again(number: int, first: int, last: int) -> None:
            # A chunk that is not full has its rows at its beginning.
            last = next((a for a, b in gaps if first <= a < b <= last), last)
            hashes = self.expanders[number].hash(pool[first:last])
            enter(self.entry, hashes, first, last - first)

        in_shares(self.team, used, _CHUNK, enter_again)

    def close_gaps(self) -> int:
        """Move rows into what is free of the threads' chunks; return how many rows there are."""
        rows = self.pool
        end = int(self.shared[0]) * _CHUNK
        for first, last in sorted(self.places[:, :2].tolist(), reverse=True):
            size = min(last - first, end - last)
            rows[first : first + size] = rows[end - size : end]
            end -= last - first
        return end

    def check_limits(self, new: int, more: int | None = None) -> None:
        """Raise IncompleteError where a limit is met; move layers to files if that helps."""
        found = sum(map(len, self.layers)) + new
        now = time.perf_counter()
        if now > self.reported + _REPORT_S:
            self.reported = now
            self.report(found, self.expanded)
        if found > self.limits.states or new > _MOST_OF_A_LAYER:
            raise self.incomplete("states", found)
        if time_to_work() <= 0 or now - self.begin > self.limits.seconds:
            raise self.incomplete("time", found)
        if more is None:
            return
        if more + self.bytes > self.limits.bytes and self.spill is not None:
            for keys in self.layers:
                keys.move_to(self.spill)
        if more + self.bytes > self.limits.bytes:
            raise self.incomplete("memory", found)

    @property
    def bytes(self) -> int:
        """How much memory the layers take."""
        return sum(keys.bytes_in_memory for keys in self.layers)

    def incomplete(self, limit: str, found: int) -> IncompleteError:
        return IncompleteError(
            self.name,
            states=found,
            limit=limit,  # type: ignore[arg-type]
            seconds=time.perf_counter() - self.begin,
            bytes=sum(keys.bytes for keys in self.layers),
            hint=self.limits.hint,
        )


class _Marks:
    """Makes sure that no state is in two layers."""

    def __init__(self, game: CompiledGame) -> None:
        self.game = game
        self.first: list[Rows] = []
        self.mark: LayerMark | None = None
        self.seen: set[object] = set()

    def check(self, rows: Rows, team: ThreadTeam) -> None:
        """Raise KibitzError where a state of a new layer may be in an earlier one."""
        if self.mark is None:
            self.first.append(rows.copy())
            states = np.concatenate(self.first)
            if len(np.unique(states, axis=0)) < len(states):
                raise self.refusal("a state can be reached in different numbers of moves")
            if len(states) >= _MARK_FROM and len(self.first) > 2:
                self.mark = find_mark(self.game.network.fluents, self.first)
                if self.mark is not None:
                    self.seen = {self.mark.of(layer[0]) for layer in self.first}
                    self.first = []
                elif len(states) >= _MARK_UNTIL:
                    raise self.refusal("nothing is known that grows with every move")
            return
        known = self.mark
        count, pattern = mark = known.of(rows[0])
        fixed = np.array(pattern, dtype=np.uint64)

        def check(_number: int, first: int, last: int) -> None:
            part = rows[first:last]
            is_other = (np.bitwise_count(part & known.counted).sum(axis=1) != count).any()
            if mark in self.seen or is_other or ((part & known.fixed) != fixed).any():
                raise self.refusal("its layers of states cannot be told apart")

        in_shares(team, len(rows), _PART, check)
        self.seen.add(mark)

    def refusal(self, why: str) -> KibitzError:
        return KibitzError(
            f"{self.game.sheet.name} is not layered: {why}", hint="solve it without --compact"
        )


def _refusal(name: str, why: str) -> KibitzError:
    return KibitzError(
        f"{name} {why}, so it cannot be solved compactly", hint="solve it without --compact"
    )
