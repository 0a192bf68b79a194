"""Games that visitors opened: by name or by their text, kept while there is room, solved once."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from tempfile import TemporaryFile
from typing import Any, TypeVar

from kibitz.board import Layout, layout_of, turn_layout, use_layout
from kibitz.budget import Budget
from kibitz.engine import CompiledGame, Game, Grounding, Move, Role, UngroundedGame, ground
from kibitz.errors import (
    BudgetExceededError,
    InputError,
    KibitzError,
    RuleSheetError,
    Severity,
)
from kibitz.games import gdl_from, library_name, rule_text
from kibitz.gdl import RuleSheet, diagnose
from kibitz.prove import Analyser
from kibitz.solve import (
    Listed,
    RoleValue,
    Solution,
    progress_edges,
    solve_game,
    state_values,
)
from kibitz.space import Limits, Reach, StateId, path_of, reachable_under
from kibitz.strategy import Carrier, carriers_of, symmetries_of
from kibitz.threads import thread_count
from kibitz.web.server.child_jobs import Parcel, in_child, is_child, pack, unpack
from kibitz.web.server.jobs import MEMORY, Job, Jobs, Places, Report
from kibitz.web.session.lines import PlayedLine, follow_line, joint_number, read_line

T = TypeVar("T")

MOST_RULES = 300_000
"""Characters that a rule sheet may have."""
MOST_PARTS = 200_000
"""Gates, fluents and moves that a game may have together."""
_MOST_FOUND = 64
_MOST_SYMMETRIES = 2000
_FEW_EDGES = 1_000_000
_MOST_ANALYSERS = 3
_TABLES = 12
"""The part of the page's memory that a table for searches may take: jobs may hold six of them."""
_FINDING = 2
"""How much more time and memory solving may take than listing the states."""


_GROUNDING = Places(3, each=2)
_ASKING = Places(4, each=3)
"""How many visitors may have games made, or questions answered in children, at a time."""


class NotSolvedError(KibitzError):
    """A question that only a solved game can answer."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """Resource limits of visitors: one game to be grounded and solved, one question, one long job.

    `analysis` bounds the search of one position, and the table that a game's searches share.

    It also bounds how many games are kept, and the bytes of their solutions together.
    """

    grounding: Budget = field(default=Budget(seconds=20, bytes=3_000_000_000))
    solving: Limits = field(
        default=Limits(3_000_000, seconds=60, bytes=10**9, hint="kibitz solve may use more")
    )
    asking: Budget = field(default=Budget(seconds=20, bytes=1_500_000_000))
    working: Budget = field(default=Budget(seconds=120, bytes=1_500_000_000))
    analysis: Budget = field(default=Budget(seconds=60, bytes=200_000_000))
    games: int = 12
    bytes: int = 3_000_000_000


CLASSROOM = Allowance(
    grounding=Budget(seconds=10, bytes=1_000_000_000),
    solving=Limits(500_000, seconds=30, bytes=400_000_000, hint="kibitz solve may use more"),
    asking=Budget(seconds=5, bytes=1_000_000_000),
    working=Budget(seconds=40, bytes=1_000_000_000),
    analysis=Budget(seconds=10, bytes=50_000_000),
    bytes=1_000_000_000,
)
"""What visitors of a page that is read only may use."""


class Session:
    """A game that a visitor opened, its layout, and its solution as soon as there is one.

    One that `is_kept` is not dropped for others.
    """

    def __init__(
        self, key: str, name: str, text: str, game: Game, allowance: Allowance | None = None
    ) -> None:
        self.key, self.name, self.text, self.game = key, name, text, game
        self.allowance = allowance or Allowance()
        self.layout: Layout = layout_of(game)
        self.solution: Listed | None = None
        self.estimates: OrderedDict[str, dict[tuple[Role, Move], RoleValue]] = OrderedDict()
        self.analyses: OrderedDict[str, dict[tuple[Role, Move], RoleValue]] = OrderedDict()
        self.carriers: list[Carrier] = []
        self.taught: dict[Role, str] = {}
        """The strategies of lessons that were made, by role."""
        self.words: dict[tuple[Role, Move], str] = {}
        self.job: Job | None = None
        self.is_kept = False
        self.path = ""
        """Where its rule sheet is, for files beside it; nothing for a game of the library."""
        self.unground = ""
        """Why its rules are not grounded, if they are not."""
        self._is_child = False
        self._found: OrderedDict[object, object] = OrderedDict()
        self._lock = threading.Lock()
        self._analyser: Analyser | None = None
        self._queue: deque[object] = deque()
        self._turn = threading.Condition()

    @cached_property
    def flipped(self) -> Layout:
        """The layout turned by half."""
        return turn_layout(self.layout)

    @property
    def analyser(self) -> Analyser:
        """Analyser that proves positions of the game, made on first use; use it in `analysing`."""
        if self._analyser is None:
            if not isinstance(self.game, CompiledGame):
                raise InputError("this game cannot be searched")
            threads = max(1, thread_count() - 1)  # one is left for other visitors
            table = min(self.allowance.analysis.bytes, MEMORY.bound // _TABLES)
            self._analyser = Analyser(self.game, memory=int(table), threads=threads)
        return self._analyser

    @contextmanager
    def analysing(self) -> Iterator[None]:
        """Have the analyser alone for a moment; whoever waits comes before whoever goes on."""
        ticket = object()
        with self._turn:
            self._queue.append(ticket)
            self._turn.wait_for(lambda: self._queue[0] is ticket)
        try:
            yield
        finally:
            with self._turn:
                self._queue.popleft()
                self._turn.notify_all()

    @property
    def waiting(self) -> int:
        """How many have the analyser or wait for it."""
        return len(self._queue)

    @property
    def has_analyser(self) -> bool:
        """Whether there is an analyser, which holds a table."""
        return self._analyser is not None

    def forget_analyser(self) -> None:
        """Free the table of the analyser; a job that uses it keeps it to its end."""
        self._analyser = None

    def remember(self, kept: OrderedDict[str, T], line: str, found: T, *, most: int) -> None:
        """Keep what was found of a position, and forget what is oldest."""
        with self._lock:
            kept[line] = found
            kept.move_to_end(line)
            while len(kept) > most:
                kept.popitem(last=False)

    def walk(self, line: str, *, as_far: bool = False) -> PlayedLine:
        """Follow a line; with `as_far` up to the first move that is not legal."""
        if self.unground and not self._is_child:
            raise NotSolvedError(
                f"{self.name} can only be played here", hint="its rules run as they are written"
            )
        return follow_line(self.game, read_line(line), as_far=as_far)

    def look(self, work: Callable[[], T], *, doing: str) -> T:
        """Answer a question about positions: here, or in a child where the rules run ungrounded.

        What such rules take is not known, and a stranger may have written them.
        """
        if not self.unground:
            return work()

        def alone() -> T:
            self._is_child = True
            return work()

        return self.ask(alone, doing=doing)

    @property
    def bytes(self) -> int:
        """How much memory its solution takes."""
        return self.solution.bytes if self.solution else 0

    def need_turns(self) -> Solution:
        """Return the solution of a game in which one role, or two opposed ones, move in turn."""
        solution = self.need_solution()
        if solution.kind != "exact":
            raise NotSolvedError(
                f"no move of {self.name} is right or wrong by itself",
                hint="that takes one player, or two with opposed goals who move in turn",
            )
        return solution

    def need_solution(self) -> Listed:
        """Return the solution; raise NotSolvedError with the reason where there is none yet."""
        if self.solution is not None:
            return self.solution
        if self.job is not None and self.job.error is not None:
            raise NotSolvedError(
                f"{self.name} is not solved: {self.job.error.message}",
                hint="it can be played all the same; values need a smaller game",
            )
        raise NotSolvedError(f"{self.name} is not solved yet", hint="wait for the job, or begin it")

    @property
    def why_unsolved(self) -> str:
        """Why solving it failed; nothing if it did not, or has not yet."""
        is_over = self.solution is None and self.job is not None and self.job.error is not None
        return self.job.error.message if is_over and self.job and self.job.error else ""

    def state_of(self, went: PlayedLine) -> StateId:
        """Find the state at the end of a line in the solved space."""
        return path_of(self.need_solution().space, went.joints)[-1]

    def line_to(self, state: StateId) -> list[int]:
        """Return a shortest line to a state of the solved space."""
        return self.line_of(self._reach.moves_to(state))

    def line_of(self, joints: Sequence[tuple[object, ...]]) -> list[int]:
        """Number the joint moves of a path from the initial state, given as terms or as text."""
        state = self.game.initial()
        numbers: list[int] = []
        for joint in joints:
            made = [
                next(move for move in state.legal(role) if str(move) == str(wanted))
                for role, wanted in zip(self.game.roles, joint, strict=True)
            ]
            numbers.append(joint_number(state, made))
            state = state.step(made)
        return numbers

    def prepare(self) -> None:
        """Compute what children need to find lines to states, so that each need not repeat it."""
        _ = self._reach

    @cached_property
    def _reach(self) -> Reach:
        return reachable_under(self.need_solution().space)

    def perfect_edges(self, solution: Solution) -> Any:
        """Mark what a perfect player plays."""
        return self.keep(("perfect",), lambda: progress_edges(solution))

    def keep(self, key: object, find: Callable[[], T]) -> T:
        """Return the value stored for a key, or compute it now."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]  # type: ignore[return-value]
        found = find()
        with self._lock:
            self._found[key] = found
            is_small = not self.solution or self.solution.space.edges < _FEW_EDGES
            most = _MOST_FOUND if is_small else 12
            while len(self._found) > most:
                self._found.popitem(last=False)
        return found

    def ask(self, work: Callable[[], T], *, doing: str) -> T:
        """Work in a child, within what one question may use."""
        if is_child():  # The places may be locked by a thread that a child does not have.
            return work()
        with _ASKING.take():
            return in_child(lambda _report: work(), budget=self.allowance.asking, doing=doing)

    def sweep(self, work: Callable[[], T], *, doing: str) -> T:
        """Do work that grows with the number of moves: here if they are few, else in a child."""
        is_small = self.need_solution().space.edges < _FEW_EDGES
        return work() if is_small else self.ask(work, doing=doing)

    def solve(self, job: Job) -> dict[str, object]:
        """Explore and solve; the work of a job."""
        report = job.report
        if self.unground:
            raise BudgetExceededError(f"its rules run as they are written, for {self.unground}")

        report("listing states")
        limits, known = self.allowance.solving, {"game": self.game}
        budget = MEMORY.within(
            Budget(_FINDING * limits.seconds, bytes=int(_FINDING * limits.bytes))
        )
        limits = replace(limits, bytes=min(limits.bytes, int(budget.bytes / _FINDING)))

        def find(report: Report) -> Parcel:
            def progress(found: int, expanded: int) -> None:
                is_done = found == expanded
                report(f"{found:,} states{'; finding values' * is_done}")

            return pack(solve_game(self.game, limits=limits, progress=progress), file, known)

        with TemporaryFile() as file:
            parcel = in_child(
                find,
                budget=budget,
                doing=f"solving {self.name}",
                report=report,
                check=job.check,
            )
            solution: Listed = unpack(parcel, file, known)
        space = solution.space
        report("looking for symmetries")
        try:
            symmetries_of(space.game, budget=self.allowance.asking)
            carriers = carriers_of(space.game)
        except KibitzError:
            carriers = []
        self.carriers = carriers if len(carriers) <= _MOST_SYMMETRIES else []
        job.check()
        if solution.kind == "exact":
            self.perfect_edges(solution)  # or the first reply would wait for them
        self.solution = solution
        return {
            "states": len(space),
            "moves": space.edges,
            "kind": state_values(solution, 0)[self.game.roles[0]].kind,
            "values": solution.value(),
            "plies": solution.plies(),
            "symmetries": max(1, len(carriers)),
        }


def prepare_game(
    name: str, text: str, budget: Budget, *, as_gdl1: bool = False
) -> tuple[RuleSheet, Grounding, Layout]:
    """Check and ground a rule sheet, and find its layout; raise if it is too large."""
    sheet, diagnostics = diagnose(gdl_from(text, name=name), name=name, as_gdl1=as_gdl1)
    errors = [d for d in diagnostics if d.severity is Severity.ERROR]
    if errors:
        raise RuleSheetError(sheet.source, errors)
    grounding = ground(sheet, budget)
    network = grounding.network
    parts = len(network.gates) + len(network.fluents) + sum(map(len, network.moves))
    if parts > MOST_PARTS:
        raise BudgetExceededError(
            f"{name} has {parts:,} gates, fluents and moves, and may have {MOST_PARTS:,} here",
            hint="kibitz solve may take it",
        )
    return sheet, grounding, layout_of(CompiledGame(sheet, grounding=grounding))


def _as_written(name: str, text: str, *, as_gdl1: bool) -> tuple[RuleSheet, Layout]:
    sheet, _ = diagnose(gdl_from(text, name=name), name=name, as_gdl1=as_gdl1)
    return sheet, layout_of(UngroundedGame(sheet))


class Sessions:
    """The games that are open, the least recently used dropped first.

    >>> sessions = Sessions(Jobs(threads=1))
    >>> sessions.open("nim:1,2").game.roles
    ('player1', 'player2')
    """

    def __init__(
        self, jobs: Jobs, allowance: Allowance | None = None, *, as_gdl1: bool = False
    ) -> None:
        self.jobs = jobs
        self.as_gdl1 = as_gdl1
        self.allowance = allowance or Allowance()
        self._open: OrderedDict[str, Session] = OrderedDict()
        self._lock = threading.Lock()
        self._making: dict[str, threading.Lock] = {}
        MEMORY.spares.add(self)

    def open(self, key: str) -> Session:
        """Return a game by its name, or by the key that `add` gave for a text."""
        key = library_name(key)
        with self._lock:
            if key in self._open:
                self._open.move_to_end(key)
                return self._open[key]
        if key.startswith("~"):
            raise InputError(
                "this game is not open any more", hint="paste its rules again in the view Rules"
            )
        return self._made(key, key, rule_text(key))

    def add(self, text: str, name: str = "pasted", job: Job | None = None) -> Session:
        """Open the game that a text describes; raise RuleSheetError where it has errors.

        It reports to the job and ends with it, if one is given.
        """
        if len(text) > MOST_RULES:
            raise InputError(f"a rule sheet has {MOST_RULES:,} characters at most here")
        digest = blake2b(f"{name}\0{text}".encode(errors="replace"), digest_size=8).hexdigest()
        return self._made(f"~{digest}", name, text, job)

    def _made(self, key: str, name: str, text: str, job: Job | None = None) -> Session:
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        try:
            with _GROUNDING.take(), making:  # so that two visitors do not make one game twice
                with self._lock:
                    if key in self._open:
                        return self._open[key]
                session = self._make(key, name, text, job)
                with self._lock:
                    self._open[key] = session
                    spare = len(self._open) - self.allowance.games
                    old = [k for k, other in self._open.items() if not other.is_kept and k != key]
                    for k in old[: max(0, spare)]:
                        del self._open[k]
                return session
        finally:
            with self._lock:
                self._making.pop(key, None)

    def _make(self, key: str, name: str, text: str, job: Job | None) -> Session:
        """Make a game of a rule sheet: in a child, but for what takes no longer than its size.

        Where grounding it takes too much, its rules run as they are written.
        """
        budget = self.allowance.grounding
        check = job.check if job else None
        if job:
            job.report("grounding the rules")
        try:
            sheet, grounding, layout = in_child(
                lambda _report: prepare_game(name, text, budget, as_gdl1=self.as_gdl1),
                budget=budget,
                doing=f"grounding {name}",
                check=check,
            )
        except BudgetExceededError as error:
            why = error.message
        else:
            game = CompiledGame(sheet, grounding=grounding)
            use_layout(game, layout)
            return Session(key, name, text, game, self.allowance)
        if job:
            job.report(f"{why}; looking at the rules as they are written")
        sheet, layout = in_child(
            lambda _report: _as_written(name, text, as_gdl1=self.as_gdl1),
            budget=budget,
            doing=f"opening {name}",
            check=check,
        )
        ungrounded = UngroundedGame(sheet)
        use_layout(ungrounded, layout)
        session = Session(key, name, text, ungrounded, self.allowance)
        session.unground = why
        return session

    def ask(self, work: Callable[[], T], *, doing: str) -> T:
        """Work in a child, within what one question may use."""
        with _ASKING.take():
            return in_child(lambda _report: work(), budget=self.allowance.asking, doing=doing)

    def solve(self, session: Session) -> Job:
        """Begin to solve a game, or return the job that does or did."""
        with self._lock:
            job = session.job
            if job is None or job.status == "cancelled":
                job = self.jobs.start("solve", session.key, lambda job: self._solved(session, job))
                session.job = job
            return job

    def make_room(self, session: Session) -> None:
        """Free tables of searches in games that were not used for long, before one begins here."""
        with self._lock:
            others = [s for s in self._open.values() if s is not session and s.has_analyser]
            for spare in others[: max(0, len(others) - _MOST_ANALYSERS + 1)]:
                spare.forget_analyser()

    def forget_one(self) -> bool:
        """Free a table, or else drop a game, but not the last one used; return whether it could."""
        with self._lock:
            old = list(self._open.items())[:-1]
            for _, session in old:
                if session.has_analyser:
                    session.forget_analyser()
                    return True
            for key, session in old:
                if not session.is_kept:
                    del self._open[key]
                    return True
            return False

    def _solved(self, session: Session, job: Job) -> dict[str, object]:
        """Solve a game, and drop others if solutions take too much memory together."""
        solved = session.solve(job)
        with self._lock:
            total = sum(other.bytes for other in self._open.values())
            for key, other in list(self._open.items()):
                is_spare = other is not session and not other.is_kept and other.bytes
                if total > self.allowance.bytes and is_spare:
                    total -= other.bytes
                    del self._open[key]
        return solved
