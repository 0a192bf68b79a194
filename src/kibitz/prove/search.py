"""Search for the value of one position, a State of a Game, and return a Proof.

Each question is whether the first role can guarantee a goal value; a few of them give the value.
What is small enough is listed and solved instead, which also gives the plies to the end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from kibitz.attached import Attached
from kibitz.budget import Budget, run_within
from kibitz.core import constant
from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.errors import KibitzError
from kibitz.gdl import require_gdl1
from kibitz.prove.book import book_of
from kibitz.prove.endings import Endings
from kibitz.prove.proof import Proof, mover_of
from kibitz.prove.sampling import sample_matches
from kibitz.prove.table import PositionTable
from kibitz.prove.threats import Edits, place_edits
from kibitz.prove.worker import ALPHA_BETA, PROOF_NUMBERS, Row, Worker, refusal
from kibitz.rows import least_images, row_words
from kibitz.solve import endless_goal
from kibitz.space import (
    SEVERAL,
    Limits,
    StateSpace,
    find_symmetries,
    images_of,
)
from kibitz.threads import ThreadTeam, thread_count

Bounds = tuple[int, int]

_FIRST_SHARE = 50_000
_LARGE_SHARE = 200_000
"""What needs as many positions is searched by both methods."""
_RATIO, _RATIO_WITH_THREATS = 8, 64
"""How many positions alpha-beta then looks at for one that proof numbers do."""
_KEEPING_SHARE, _OTHERS = 1_000, 10_000_000
"""Positions for each move at first, and for all that may keep the value besides the one found."""
_UNLIKELY = 8
"""What part of a share a question gets that random matches speak against."""
_GAIN = 10
"""How many successes of a move in a search one goal point more in random matches weighs."""
_MOST_REPEATS = 10_000
_WARM_MEMORY = 1_000_000
_MOST_IMAGES = 16
_LISTED_STATES = 50_000
_BUSY = 1 << 16
_TRIAL, _TRIAL_GATES, _TRIALS, _LEAST_TRIAL_S = 5_000, 4_000_000, 20, 0.7
"""Positions and gates of a question that shows whether threats pay, such questions, and seconds."""
_TRIAL_MEMORY = 20_000_000
_THREAT_COST = 1.1
"""How much longer a position takes where threats are counted."""
_MOST_ALIKE = 0.9
"""The share of positions in which all moves may have as many threats."""


@dataclass(frozen=True, slots=True)
class ProofProgress:
    """How far a search has come."""

    positions: int
    seconds: float
    bounds: dict[Role, Bounds]


@dataclass(frozen=True, slots=True)
class Spending:
    """Budget of a search: seconds, bytes for its table, positions, threads.

    Symmetries are looked for within a fifth of the seconds, unless `symmetries_s` says otherwise.
    """

    seconds: float = 60.0
    memory: int = 1_000_000_000
    positions: int | None = None
    threads: int | None = None
    symmetries_s: float | None = None
    report: Callable[[ProofProgress], None] = field(default=lambda _: None)


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


def warm_up(game: CompiledGame) -> None:
    """Search a small game by both methods, so that everything is compiled and loaded.

    >>> from kibitz.games import load_sheet
    >>> warm_up(CompiledGame(load_sheet("nim:1,2")))
    """
    spending = Spending(seconds=60, memory=_WARM_MEMORY, positions=100, threads=1)
    for method in (PROOF_NUMBERS, ALPHA_BETA):
        Prover(game, spending, method=method).prove(game.initial())


def takes_turns(space: StateSpace) -> bool:
    """Return whether search may take a game, by as much of it as was explored.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> [takes_turns(explore(CompiledGame(load_sheet(n)))) for n in ("nim:1,2", "roshambo")]
    [True, False]
    """
    return len(space.game.roles) <= 2 and not (space.turn == SEVERAL).any()


class Prover:
    """Searches positions of one game; what it found stays in its table for the next one.

    It does not look into `endings`, whose values are known. Without a `method` it begins with proof
    numbers; what these do not decide soon, alpha-beta searches too, or instead where a trial shows
    that `threats` order its moves well; they can be asked for or ruled out.
    """

    def __init__(
        self,
        game: CompiledGame,
        spending: Spending | None = None,
        *,
        endings: Endings | None = None,
        method: str | None = None,
        threats: bool | None = None,
        use_book: bool = True,
    ) -> None:
        require_gdl1(game.sheet)
        if len(game.roles) > 2:
            raise KibitzError(
                f"{game.sheet.name} has {len(game.roles)} roles, and search takes one or two",
                hint="kibitz solve without --search lists the states, where they are few",
            )
        self.game = game
        self.spending = spending or Spending()
        self.started = time.monotonic()
        self.deadline = self.started + self.spending.seconds
        layout = game.program.layout
        self.slots = layout.goal_values
        goals = sorted({v for role, v in self.slots if role == 0 and v is not None})
        if not 2 <= len(goals) <= 100:
            raise KibitzError(
                f"the rules give {game.roles[0]} {len(goals)} different goals, and search "
                "takes 2 to 100"
            )
        others = [v for role, v in self.slots if role == 1 and v is not None]
        self.total = goals[-1] + min(others, default=0)
        # Where play that never ends is worse or better than every end, no end bounds the value.
        middle = endless_goal(self.total if len(game.roles) == 2 else 100, 0)
        self.values = sorted({*goals, min(middle, goals[0]), max(middle, goals[-1])})
        self.words = row_words(layout.fluent_count)
        self.table = PositionTable(self.words, self.spending.memory)
        self.images = self._images()
        self.threads = thread_count(self.spending.threads)
        self.method = method
        self.threats = threats
        self.ordered_by: bool | None = None
        self.may_repeat = False
        self.spent = {method: [0] * len(self.values) for method in (PROOF_NUMBERS, ALPHA_BETA)}
        most = max(layout.move_counts)
        self.history = {
            PROOF_NUMBERS: np.zeros((1, 2, most, 2), dtype=np.int64),
            ALPHA_BETA: np.zeros((len(self.values), 2, most), dtype=np.int64),
        }
        self.busy = np.zeros(_BUSY if self.threads > 1 else 1, dtype=np.int64)
        self.workers = [Worker(self) for _ in range(self.threads)]
        self.why_open = ""
        self.is_interrupted = False
        self.book = book_of(game) if use_book else None
        if self.book is not None:
            self.table.take(self.book.rows, self.book.entries)
        if endings is not None:
            endings.enter(self)

    def _images(self) -> list[tuple[int, ...]]:
        """Return the symmetries that positions are compared by, if they are found soon."""
        seconds = self.spending.symmetries_s
        if seconds == 0:
            return []
        if seconds is None:
            seconds = max(1.0, min(20.0, self.spending.seconds / 5))
        patience = Budget(seconds, 4_000_000_000)
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
        mover = None if state.is_terminal else mover_of(state)
        first = Proof(state, self.goal_bounds(0, len(self.values) - 1), mover)
        if state.is_terminal:
            goals = {role: goal for role, goal in state.goals.items() if goal is not None}
            if len(goals) < len(game.roles):
                raise refusal(game, constant("NO_GOAL"))
            return replace(first, bounds={r: (g, g) for r, g in goals.items()}, plies=0)
        row = self.row(state)
        low, high = self.bounds_of(row)
        found = replace(first, bounds=self.goal_bounds(low, high))
        if low == high and not weak:
            best, is_all = self.all_keeping(state, low, max(_OTHERS, self.positions // 8))
            line = tuple(self.line(state, low))
            found = replace(found, best=best, are_best_all=is_all, line=line)
        if moves:
            valued = {
                move: self.goal_bounds(*self._after(state, move))
                for move in state.legal(first.mover or game.roles[0])
            }
            found = replace(found, moves=valued)
        return replace(
            found,
            positions=self.positions,
            seconds=time.monotonic() - self.started,
            why_open="" if found.is_exact else self.why_open or "the time was up",
            book="" if self.book is None else str(self.book),
        )

    def bounds_of(self, row: Row) -> Bounds:
        """Return the indices of goal values between which the value of the first role lies."""
        low, high = 0, len(self.values) - 1
        share = _FIRST_SHARE
        likely = None
        while low < high and self._may_go_on():
            aims = {high, low + 1} if high - low <= 2 else {(low + high + 1) // 2}
            if likely is None and share >= _LARGE_SHARE:
                likely = self._likely_aim(row, low, high)
            for aim in sorted(aims, reverse=True):
                if not low < aim <= high:
                    continue
                is_unlikely = len(aims) > 1 and likely not in (None, aim)
                answer = self.ask(row, aim, share // _UNLIKELY if is_unlikely else share)
                if answer is True:
                    low = aim
                elif answer is False:
                    high = aim - 1
                self._report(low, high)
            if self.why_open and share > 64 * _FIRST_SHARE:
                break
            share *= 2
        return low, high

    def _likely_aim(self, row: Row, low: int, high: int) -> int:
        """Return the question that random matches speak for: is it the most, or the least?"""
        mean = sample_matches(self.game, row).means[0]
        return high if mean > (self.values[low] + self.values[high]) / 2 else low + 1

    def _plan(self, aim: int, share: int) -> tuple[list[str], int]:
        """Return the method of each thread, and how many positions proof numbers have then."""
        tried = self.spent[PROOF_NUMBERS][aim]
        if self.method or self.may_repeat or tried < _FIRST_SHARE:
            method = PROOF_NUMBERS if self.may_repeat else self.method or PROOF_NUMBERS
            return [method] * self.threads, share
        counts = self._counts_threats()
        if share < _LARGE_SHARE and not counts:
            return [PROOF_NUMBERS] * self.threads, share
        due = self.spent[ALPHA_BETA][aim] // (_RATIO_WITH_THREATS if counts else _RATIO) - tried
        methods = [ALPHA_BETA] * self.threads
        if due > 0:
            methods[0] = PROOF_NUMBERS
        return methods, max(_FIRST_SHARE, due)

    def _counts_threats(self) -> bool:
        """Return whether alpha-beta counts threats; a trial decides it once for each game."""
        if self.threats is None:
            if self.game not in _edits:
                # a player whose clock runs has no time for the trial, or must cut it short
                end = (time.monotonic() + self.deadline) / 2
                if time.monotonic() + _LEAST_TRIAL_S > end:
                    return False
                found = _paying_edits(self.game, end)
                if time.monotonic() > end:
                    return False
                _edits[self.game] = found
            self.threats = _edits[self.game] is not None
        return self.threats

    def _order_moves(self, row: Row) -> None:
        """Let alpha-beta begin with what moves gained in random matches."""
        self.ordered_by = self._counts_threats()
        if self.ordered_by:
            edits = _edits.get(self.game)
            edits = place_edits(self.game) if edits is None else edits
            for worker in self.workers:
                worker.look.count_threats(edits)
            row = self.row(self.game.initial())
        gains = sample_matches(self.game, row).gains
        self.history[ALPHA_BETA][:] = (_GAIN * gains).astype(np.int64)

    def ask(self, row: Row, aim: int, share: int | None = None) -> bool | None:
        """Return whether the first role can guarantee a value, by index; None if that is open.

        Each thread looks at a share of positions; without one, they go on while they may.
        """
        if aim == 0:
            return True
        if aim >= len(self.values):
            return False
        if (known := self.known(row, aim)) is not None:
            return known
        row = least_images(row[None, :], self.images)[0]
        if share is not None:
            return self._ask(row, aim, share)
        share = _FIRST_SHARE
        while True:
            answer = self._ask(row, aim, share)
            if answer is not None or self.is_stopped_by_repeats or not self._may_go_on():
                return answer
            share *= 2

    def known(self, row: Row, aim: int) -> bool | None:
        """Return what the table says of a question."""
        pn, dn = self.table.numbers(least_images(row[None, :], self.images)[0], aim)
        return None if pn * dn > 0 or pn + dn == 0 else bool(pn == 0)

    @property
    def is_stopped_by_repeats(self) -> bool:
        """Whether the last question was left open because positions come again."""
        return any(
            worker.is_stopped_by_repeats and worker.method == PROOF_NUMBERS
            for worker in self.workers
        )

    def _ask(self, row: Row, aim: int, share: int) -> bool | None:
        self.table.make_room(self.positions + share * self.threads)
        methods, turn_of_pn = self._plan(aim, share)
        if ALPHA_BETA in methods and self.ordered_by != self._counts_threats():
            self._order_moves(row)
        self.busy[:] = 0
        for worker, method in zip(self.workers, methods, strict=True):
            worker.begin(row, aim, method)
        stop = [False]

        def work(number: int) -> bool | None:
            worker = self.workers[number]
            left = share
            turn = share if worker.method == ALPHA_BETA else turn_of_pn
            try:
                while not stop[0] and left > 0 and self._may_go_on():
                    if turn <= 0:
                        worker.begin(row, aim, ALPHA_BETA)
                        turn = left
                    before = worker.positions
                    has_ended = worker.run(min(left, turn))
                    self.spent[worker.method][aim] += worker.positions - before
                    if has_ended:
                        self.may_repeat |= worker.repeats > 0
                        stop[0] = worker.answer is not None
                        return worker.answer
                    left -= worker.positions - before
                    turn -= worker.positions - before
                    if worker.method == ALPHA_BETA and worker.repeats > _MOST_REPEATS:
                        self.may_repeat = True
                        return None
            except BaseException:  # the others need not go on
                stop[0] = True
                raise
            return None

        try:
            with ThreadTeam(self.threads) as team:
                answers = team.each(work)
        except KeyboardInterrupt:
            self.is_interrupted = True
            self.why_open = "it was interrupted"
            return None
        known = [answer for answer in answers if answer is not None]
        if not known and self.is_stopped_by_repeats:
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
        self.spending.report(ProofProgress(self.positions, seconds, self.goal_bounds(low, high)))

    def goal_bounds(self, low: int, high: int) -> dict[Role, Bounds]:
        """Return the goals of each role between two values of the first role, by index."""
        least, most = self.values[low], self.values[high]
        pairs: list[Bounds] = [(least, most), (self.total - most, self.total - least)]
        return dict(zip(self.game.roles, pairs, strict=False))

    def row(self, state: State) -> Row:
        """Pack a state."""
        row: Row = self.game.rows([state])[0]
        return row

    def end_value(self, state: State) -> int:
        """Return the index of the first role's goal at an end."""
        goal = state.goals[self.game.roles[0]]
        if goal is None:
            raise refusal(self.game, constant("NO_GOAL"))
        return self.values.index(goal)

    def _after(self, state: State, move: Move) -> Bounds:
        """Return the bounds, as indices, of the state after a move."""
        after = state.play(move)
        if after.is_terminal:
            return self.end_value(after), self.end_value(after)
        return self.bounds_of(self.row(after))

    def keeps(self, state: State, move: Move, value: int, share: int | None = None) -> bool | None:
        """Return whether a move keeps the value, by its index; None if that is open."""
        after = state.play(move)
        maximises = mover_of(state) == self.game.roles[0]
        if after.is_terminal:
            return self.end_value(after) >= value if maximises else self.end_value(after) <= value
        if maximises:
            return self.ask(self.row(after), value, share)
        above = self.ask(self.row(after), value + 1, share)
        return None if above is None else not above

    def keeping(self, state: State, value: int) -> Move | None:
        """Return a move that keeps a value, by its index: the one that is found first."""
        share = _KEEPING_SHARE
        moves = list(state.legal(mover_of(state)))
        while moves:
            for move in list(moves):
                keeps = self.keeps(state, move, value, share)
                if keeps:
                    return move
                if keeps is False:
                    moves.remove(move)
            if not self._may_go_on():
                break
            share *= 4
        return None

    def all_keeping(self, state: State, value: int, most: int) -> tuple[tuple[Move, ...], bool]:
        """Return the moves known to keep the value, and whether that is known of all moves.

        One is looked for as long as it takes, and others in so many positions at most.
        """
        found = self.keeping(state, value)
        moves = state.legal(mover_of(state))
        end = self.positions + most
        answers = dict.fromkeys(moves) | ({} if found is None else {found: True})
        share = _KEEPING_SHARE
        while self.positions < end and None in answers.values() and self._may_go_on():
            for move in [move for move in moves if answers[move] is None]:
                left = max(1, end - self.positions)
                answers[move] = self.keeps(state, move, value, min(share, left))
            share *= 4
        return tuple(m for m in moves if answers[m]), None not in answers.values()

    def line(self, state: State, value: int) -> Iterator[tuple[Move, ...]]:
        """Walk a line on which both sides keep the value, as far as it is known."""
        seen = {state.key}
        while not state.is_terminal:
            mover = mover_of(state)
            move = self.keeping(state, value)
            if move is None:
                return
            joint = tuple(move if r == mover else state.legal(r)[0] for r in self.game.roles)
            yield joint
            state = state.step(joint)
            if state.key in seen:
                return
            seen.add(state.key)


_edits: Attached[CompiledGame, Edits | None] = Attached()


def _paying_edits(game: CompiledGame, end: float) -> Edits | None:
    """Return the places of a game if counting threats pays in a trial.

    Positions of random matches are searched with and without, from the ends backwards. Positions
    are counted, not seconds, so that a busy machine finds the same.

    >>> from kibitz.games import load_sheet
    >>> games = [CompiledGame(load_sheet(n)) for n in ("connect:4,5x5", "breakthrough:5x4")]
    >>> end = time.monotonic() + 60
    >>> [_paying_edits(game, end) is not None for game in games]
    [True, False]
    """
    edits = place_edits(game)
    if edits is None:
        return None
    left = end - time.monotonic()
    spending = Spending(seconds=left, memory=_TRIAL_MEMORY, threads=1, symmetries_s=0.0)
    plain, counting = (
        Prover(game, spending, method=ALPHA_BETA, threats=threats) for threats in (False, True)
    )
    lines = sample_matches(game, plain.row(game.initial())).lines
    counting.workers[0].look.count_threats(edits)
    numbers = [set(counting.workers[0].threats_at(row)[1]) for line in lines for row in line]
    if sum(len(found) < 2 for found in numbers) > _MOST_ALIKE * len(numbers):
        return None
    most = min(_TRIAL, _TRIAL_GATES // (1 + len(game.network.gates)))
    needed = np.zeros(2)
    for line in lines:
        for row in reversed(line):
            if plain.positions > _TRIALS * most:
                break
            before = np.array([plain.positions, counting.positions])
            answers = [
                [prover.ask(row, aim, most) for aim in {1, len(prover.values) - 1}]
                for prover in (plain, counting)
            ]
            if all(None in found for found in answers):
                break  # what comes earlier takes longer still
            needed += np.array([plain.positions, counting.positions]) - before
    return edits if _THREAT_COST * needed[1] < needed[0] else None


def _from_listing(game: CompiledGame, state: State, spending: Spending) -> Proof | None:
    """Solve what is below a position by listing it, if that is little."""
    from kibitz.solve import solve_game

    seconds = min(5.0, spending.seconds / 4)
    limits = Limits(states=_LISTED_STATES, seconds=seconds, bytes=spending.memory)
    try:
        solution = solve_game(game, starts=[state], limits=limits)
    except KibitzError:
        return None
    if solution.kind != "exact":
        return None
    space = solution.space
    values = {role: (value, value) for role, value in solution.value().items()}
    mover = None if state.is_terminal else mover_of(state)
    at = game.roles.index(mover or game.roles[0])
    moves = {
        made.joint[at]: {role: (v, v) for role, v in solution.value(made.to).items()}
        for made in solution.moves()
    }
    best = tuple(dict.fromkeys(made.joint[at] for made in solution.keeping()))
    line = tuple(solution.line(state))
    return Proof(
        state, values, mover, best, True, moves, line, solution.plies(), len(space),
        space.seconds + solution.seconds, "listing",
    )  # fmt: skip
