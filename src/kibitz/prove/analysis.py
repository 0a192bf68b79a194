"""Analyse what is proved of each move, and choose the best.

Every move gets a share of the search in turn, so that what is easy is known soon, and what is hard
does not keep the others waiting.

A player asks before each move. Far from the end the answer is None after the few positions that it
may look at; near the end it is a proof with a move to make. What was found stays for the next move.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.errors import InputError, KibitzError
from kibitz.prove.endings import Endings
from kibitz.prove.forced_wins import plies_to_win
from kibitz.prove.proof import Proof, mover_of
from kibitz.prove.search import Prover, Spending
from kibitz.solve import RoleValue, bounds_value

_FIRST_SHARE = 1_000
_TURN_S = 0.3
"""How long one question should take before others have their turn."""
_LONGEST_TURN_S = 1.0
_FUTILE = 3
"""How often a question may end early without an answer, as positions come again on all lines."""
_MOST_PLIES = 400
_FIRST_S = 10.0
"""What a prover may spend until questions say otherwise."""


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """A move, what each role can guarantee after it, and the positions that were searched."""

    move: Move
    bounds: Mapping[Role, tuple[int, int]]
    positions: int

    @property
    def is_proved(self) -> bool:
        """Whether the bounds meet."""
        return all(low == high for low, high in self.bounds.values())


@dataclass(frozen=True, slots=True)
class Analysis:
    """Anytime analysis of a position and its moves. `bounds` hold for the position.

    `whole` has the least and the most that each role can get by the rules.
    """

    state: State
    mover: Role
    whole: Mapping[Role, tuple[int, int]]
    bounds: Mapping[Role, tuple[int, int]]
    moves: tuple[MoveAnalysis, ...]
    positions: int
    seconds: float
    why_open: str = ""

    @property
    def proved(self) -> int:
        """How many moves are proved."""
        return sum(one.is_proved for one in self.moves)

    @property
    def is_complete(self) -> bool:
        """Whether every move is proved."""
        return self.proved == len(self.moves)

    @property
    def value(self) -> RoleValue:
        """The value of the position for the role that moves, as far as it is known."""
        return value_of(self.bounds, self.whole, self.mover)

    def move_value(self, one: MoveAnalysis) -> RoleValue:
        """Return the value of a move for the role that moves, as far as it is known."""
        return value_of(one.bounds, self.whole, self.mover)


def value_of(
    bounds: Mapping[Role, tuple[int, int]], whole: Mapping[Role, tuple[int, int]], role: Role
) -> RoleValue:
    """Make the value that bounds leave to a role.

    >>> value_of({"a": (50, 100), "b": (0, 50)}, {"a": (0, 100), "b": (0, 100)}, "b").text
    'at most a draw'
    """
    pairs = list(whole.values())
    total = pairs[0][0] + pairs[1][1] if len(pairs) > 1 else 100
    low, high = bounds[role]
    return bounds_value(low, high, whole=whole[role], total=total, roles=len(pairs))


class Analyser:
    """Analyses positions of one game, one at a time; what it found stays for the next one.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2,4"))
    >>> *_, last = Analyser(game, memory=10_000_000).analyse(game.initial(), seconds=60)
    >>> [str(one.move) for one in last.moves if one.bounds["player1"] == (100, 100)]
    ['(reduce c 3)']
    """

    def __init__(
        self,
        game: CompiledGame,
        *,
        memory: int = 200_000_000,
        threads: int | None = None,
        endings: Endings | None = None,
        symmetries_s: float = 2.0,
    ) -> None:
        self.game = game
        spending = Spending(
            seconds=_FIRST_S, memory=memory, threads=threads, symmetries_s=symmetries_s
        )
        self.prover = Prover(game, spending, endings=endings)

    def analyse(
        self, state: State, *, seconds: float, positions: int | None = None
    ) -> Iterator[Analysis]:
        """Walk what is known of the moves, a few times a second, until all is proved.

        It also ends after so many seconds or positions, or where more search decides nothing.
        Between two steps other questions may be asked of the same analyser.
        """
        if state.is_terminal:
            raise InputError("play has ended here", hint="go back a move")
        began = time.monotonic()
        mover = mover_of(state)
        tasks = [_Task(self.prover, state.play(move), move) for move in state.legal(mover)]
        share = _FIRST_SHARE

        def spent() -> int:
            return sum(task.positions for task in tasks)

        def known() -> Analysis:
            is_over = not any(task.questions() for task in tasks)
            why = next((task.why for task in tasks if task.why), "") if is_over else ""
            return Analysis(
                state,
                mover,
                self.whole,
                self._bounds(mover, tasks),
                tuple(task.known() for task in tasks),
                spent(),
                time.monotonic() - began,
                why,
            )

        while any(task.questions() for task in tasks):
            before, working = spent(), 0.0
            for task in tasks:
                for aim in task.questions():
                    left = began + seconds - time.monotonic()
                    if left <= 0 or (positions is not None and spent() >= positions):
                        yield known()
                        return
                    asked = self._begin(min(left, _LONGEST_TURN_S))
                    task.ask(aim, share)
                    working += time.monotonic() - asked
                    yield known()
            rate = (spent() - before) / max(1e-3, working)
            share = int(max(_FIRST_SHARE, min(2 * share, rate * _TURN_S)))
        yield known()

    def bounds_of(
        self, state: State, *, seconds: float, positions: int | None = None
    ) -> dict[Role, tuple[int, int]]:
        """Return what each role can guarantee in a position, as far as time and positions allow."""
        self._begin(seconds)
        task = _Task(self.prover, state, None)
        share = _FIRST_SHARE
        while task.questions() and time.monotonic() < self.prover.deadline:
            for aim in task.questions():
                task.ask(aim, share)
            share *= 2
            if positions is not None:
                share = min(share, positions - task.positions)
                if share <= 0:
                    break
        return dict(task.bounds())

    def line_from(self, state: State, *, seconds: float) -> tuple[tuple[Move, ...], ...]:
        """Return play from a position whose value is known, on which both sides keep that value.

        It ends where no move is known in time to keep it, or where a position comes again.
        """
        task = self._settled(state, seconds)
        return () if task is None else tuple(islice(self.prover.line(state, task.low), _MOST_PLIES))

    def keeping(self, state: State, *, seconds: float) -> Move | None:
        """Return a move that keeps the value of a position, if both are known in time."""
        task = self._settled(state, seconds)
        return None if task is None else self.prover.keeping(state, task.low)

    def _settled(self, state: State, seconds: float) -> _Task | None:
        """Ask for the value of a position; None if it is not known in time."""
        self._begin(seconds)
        task = _Task(self.prover, state, None)
        for aim in task.questions():
            task.ask(aim, None)
        return None if task.questions() else task

    def _begin(self, seconds: float) -> float:
        """Let what is asked now end in time; return the time."""
        now = time.monotonic()
        self.prover.deadline = now + seconds
        return now

    @property
    def whole(self) -> dict[Role, tuple[int, int]]:
        """The least and the most that each role can get by the rules."""
        return self.prover.goal_bounds(0, len(self.prover.values) - 1)

    @property
    def bytes(self) -> int:
        """How much memory its table takes when it is full."""
        return self.prover.table.entries.nbytes

    def _bounds(self, mover: Role, tasks: list[_Task]) -> dict[Role, tuple[int, int]]:
        pick = max if mover == self.game.roles[0] else min
        low, high = pick(task.low for task in tasks), pick(task.high for task in tasks)
        return self.prover.goal_bounds(low, high)


def known_moves(prover: Prover, state: State) -> tuple[MoveAnalysis, ...]:
    """Return what the table of a search knows of the moves of a position, without more search.

    >>> from kibitz.games import load_sheet
    >>> prover = Prover(CompiledGame(load_sheet("nim:1,2,4")))
    >>> _ = prover.prove(prover.game.initial(), moves=True)
    >>> sum(one.is_proved for one in known_moves(prover, prover.game.initial()))
    7
    """
    found = []
    for move in () if state.is_terminal else state.legal(mover_of(state)):
        task = _Task(prover, state.play(move), move)
        for aim in range(task.low + 1, task.high + 1):
            answer = prover.known(task.row, aim)
            if answer:
                task.low = max(task.low, aim)
            elif answer is False:
                task.high = min(task.high, aim - 1)
        found.append(task.known())
    return tuple(found)


class _Task:
    """The bounds of one position, as indices of goals, and what is left to ask of it."""

    def __init__(self, prover: Prover, state: State, move: Move | None) -> None:
        self.prover, self.move = prover, move
        self.row = prover.row(state)
        self.low, self.high = 0, len(prover.values) - 1
        if state.is_terminal:
            self.low = self.high = prover.end_value(state)
        self.positions = 0
        self.futile: Counter[int] = Counter()
        self.why = ""

    def questions(self) -> list[int]:
        """Return which values, by index, to ask for: the most and the least that are open."""
        if self.low == self.high:
            return []
        is_wide = self.high - self.low > 2
        aims = {(self.low + self.high + 1) // 2} if is_wide else {self.high, self.low + 1}
        return [aim for aim in sorted(aims, reverse=True) if self.futile[aim] < _FUTILE]

    def ask(self, aim: int, share: int | None) -> None:
        """Search for a while, and take the answer up if there is one."""
        if not self.low < aim <= self.high:
            return
        before = self.prover.positions
        self.prover.why_open = ""
        answer = self.prover.ask(self.row, aim, share)
        self.positions += self.prover.positions - before
        if answer is True:
            self.low = aim
        elif answer is False:
            self.high = aim - 1
        elif self.prover.why_open:
            self.futile[aim] += 1
            self.why = self.prover.why_open

    def bounds(self) -> Mapping[Role, tuple[int, int]]:
        return self.prover.goal_bounds(self.low, self.high)

    def known(self) -> MoveAnalysis:
        assert self.move is not None
        return MoveAnalysis(self.move, self.bounds(), self.positions)


_MOST_KEPT = 2
_kept: list[tuple[CompiledGame, Analyser | None]] = []
"""What searches the games asked about last; None for one that search does not take."""


def best_within(
    state: State,
    *,
    seconds: float = 1.0,
    positions: int = 100_000,
    memory: int = 100_000_000,
    endings: Endings | None = None,
    symmetries_s: float = 2.0,
) -> Proof | None:
    """Prove a position within so much, or return None; `best` of the proof has one move to make.

    The move keeps the value, and where it wins, it is the first of a shortest win if that is found
    in time, so that a player who asks each time gets on in games with cycles as well. What is lost
    has no best move. `memory`, `endings` and the time to look for symmetries count when a game is
    asked about for the first time. That takes up to a second or two more, so ask once before the
    clock runs.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2,4"))
    >>> found = best_within(game.initial(), seconds=60)
    >>> found.value, found.best, found.plies
    ({'player1': 100, 'player2': 0}, ((reduce c 3),), 7)
    """
    game = state.game
    if not isinstance(game, CompiledGame) or state.is_terminal:
        return None
    try:
        analyser = _analyser(game, memory, endings, symmetries_s)
        return None if analyser is None else _proved(analyser, state, seconds, positions)
    except KibitzError:  # search does not take the game, or an end that lies ahead
        _keep(game, None)
        return None


def _analyser(
    game: CompiledGame, memory: int, endings: Endings | None, symmetries_s: float
) -> Analyser | None:
    for kept, analyser in _kept:
        if kept is game:
            return analyser
    made = Analyser(game, memory=memory, threads=1, endings=endings, symmetries_s=symmetries_s)
    _keep(game, made)
    return made


def _keep(game: CompiledGame, analyser: Analyser | None) -> None:
    others = [pair for pair in _kept if pair[0] is not game]
    _kept[:] = [(game, analyser), *others][:_MOST_KEPT]


def _proved(analyser: Analyser, state: State, seconds: float, positions: int) -> Proof | None:
    began, before = time.monotonic(), analyser.prover.positions
    bounds = analyser.bounds_of(state, seconds=seconds, positions=positions)
    mover = mover_of(state)
    proof = Proof(state, bounds, mover)
    low, high = bounds[mover]
    if low != high:
        return None
    move, plies = None, None
    if low > analyser.whole[mover][0]:
        left = max(0.0, began + seconds - time.monotonic())
        if low == analyser.whole[mover][1]:
            move, plies = _quickest(analyser, state, left / 2)
        move = move or analyser.keeping(state, seconds=left / 2)
        if move is None:
            return None
    return replace(
        proof,
        best=() if move is None else (move,),
        plies=plies,
        positions=analyser.prover.positions - before,
        seconds=time.monotonic() - began,
    )


def _quickest(analyser: Analyser, state: State, seconds: float) -> tuple[Move | None, int | None]:
    """Return the first move of a shortest win, and its plies, if both are found in time."""
    prover = analyser.prover
    mover = mover_of(state)
    value = len(prover.values) - 1 if mover == analyser.game.roles[0] else 0
    deadline = time.monotonic() + seconds
    found = plies_to_win(prover, state, value, seconds=seconds)
    if found is None or found.exact is None:
        return None, None
    for move in state.legal(mover):
        left = deadline - time.monotonic()
        after = plies_to_win(prover, state.play(move), value, seconds=left, most=found.exact - 1)
        if after is not None and after.exact is not None:
            return move, found.exact
    return None, None
