"""Define the task of a position, its answer, and how soon it is won.

Where a call for one position costs as much as one for hundreds, looking at everything at once is
faster than a search that leaves most of it out. It says which positions are worth a search.

*Win*: the answers are all moves that win within a number of rounds, and no move wins sooner.
*Defend*: after every other move the opponent wins within a number of rounds, after the answers not.
*Draw*: the answers hold a draw, all other moves lose, and no move wins: whole proofs.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kibitz.engine import Blocks, CompiledGame, Move, State
from kibitz.prove import ForcedWins, Prover
from kibitz.puzzles.puzzle import plies_of, within_text

NEVER = 1_000
"""More plies than were looked at."""

Plies = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ShortWins:
    """The plies until a role wins each position, how many of its moves win in time, and all.

    NEVER stands where it is no win within the plies that were looked at.
    """

    plies: Plies
    answers: Plies
    moves: Plies


def short_wins(
    blocks: Blocks,
    rows: npt.NDArray[np.uint64],
    role: int,
    plies: int,
    *,
    goal: int = 100,
    most: int,
) -> ShortWins | None:
    """Play on from each position in every way; None if more than `most` positions come of it.

    For two roles that take turns; the role has won where the first one's goal is `goal`.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> blocks = Blocks(CompiledGame(load_sheet("nim:1,2")))
    >>> found = short_wins(blocks, blocks.initial(), 0, 3, most=1000)
    >>> found.plies.tolist(), found.answers.tolist(), found.moves.tolist()
    ([3], [1], [3])
    """
    levels = [rows]
    parents: list[npt.NDArray[np.int64]] = []
    total = len(rows)
    for _ in range(plies):
        children = blocks.expand(levels[-1], stop_at_terminal=True)
        total += len(children.states)
        if total > most:
            return None
        levels.append(children.states)
        parents.append(children.parents)
    below = _won_now(blocks, levels[-1], goal)
    answers = moves = np.zeros(len(rows), dtype=np.int64)
    for states, up in zip(reversed(levels[:-1]), reversed(parents), strict=True):
        here = _won_now(blocks, states, goal)
        soonest = np.full(len(states), NEVER, dtype=np.int64)
        latest = np.zeros(len(states), dtype=np.int64)
        np.minimum.at(soonest, up, below + 1)
        np.maximum.at(latest, up, below + 1)
        other = blocks.legal(states, blocks.game.roles[1 - role]).sum(axis=1) > 1
        count = np.bincount(up, minlength=len(states))
        later = np.where(other, latest, soonest)
        found = np.where(count > 0, np.minimum(later, NEVER), here)
        in_time = below < NEVER
        answers = np.bincount(up, weights=in_time, minlength=len(states)).astype(np.int64)
        moves, below = count, found
    return ShortWins(below, answers, moves)


def _won_now(blocks: Blocks, states: npt.NDArray[np.uint64], goal: int) -> Plies:
    """Return 0 where play has ended with this goal of the first role, and NEVER elsewhere."""
    if not len(states):
        return np.zeros(0, dtype=np.int64)
    won = blocks.terminal(states) & (blocks.goals(states)[:, 0] == goal)
    return np.where(won, 0, NEVER).astype(np.int64)


LOOKS = 10_000
"""Positions that one question may look at; a candidate that takes more is dropped."""
_DRAW_SHARE = 3_000
_LATER_LOOKS = 300
"""Positions that are looked at to see whether a move wins one round later."""


class Task(StrEnum):
    """Task of a puzzle: to find the moves that win, that defend, or that draw."""

    WIN = "win"
    DEFEND = "defend"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Found:
    """A position, all its moves, those that are right, and those that win too, but later.

    `line` is best play from there, `plies` its length where it is the length of a forced win.
    """

    state: State
    moves: tuple[Move, ...]
    answers: tuple[Move, ...]
    slower: tuple[Move, ...] = ()
    line: tuple[Move, ...] = ()
    plies: int | None = None


def claim_of(task: Task, rounds: int, answers: int, *, alternates: bool = True) -> str:
    """Say what is proved of the answers.

    >>> claim_of(Task.WIN, 2, 1)
    'the only move that wins within 2 more rounds'
    >>> claim_of(Task.DEFEND, 0, 1)
    'the only move after which the opponent does not win at once'
    """
    which = "the only move" if answers == 1 else "all moves"
    when = within_text(rounds, alternates=alternates)
    if task is Task.WIN:
        return f"{which} that {'wins' if answers == 1 else 'win'} {when}"
    if task is Task.DEFEND:
        return f"{which} after which the opponent does not win {when}"
    return f"{which} that {'holds' if answers == 1 else 'hold'} a draw; all others lose"


class Examiner:
    """Examines positions of one game for one role, with one thread."""

    def __init__(self, prover: Prover, role: int) -> None:
        self.prover, self.role = prover, role
        self.game: CompiledGame = prover.game
        self.name = self.game.roles[role]
        self.other = 1 - role
        self.wins = ForcedWins(prover)

    def examine(self, state: State, task: Task, rounds: int, *, unique: bool) -> Found | None:
        """Return what is to be found in a position; None if it is no such puzzle."""
        moves = state.legal(self.name)
        if task is Task.WIN:
            return self._win(state, moves, rounds, unique)
        if task is Task.DEFEND:
            return self._defend(state, moves, rounds, unique)
        return self._draw(state, moves, unique)

    def _win(
        self, state: State, moves: tuple[Move, ...], rounds: int, unique: bool
    ) -> Found | None:
        row = self.prover.row(state)
        for sooner in range(rounds):
            if self.wins.within(row, self.role, plies_of(sooner), positions=LOOKS) is not False:
                return None
        most = plies_of(rounds)
        if not self.wins.within(row, self.role, most, positions=LOOKS):
            return None
        answers: list[Move] = []
        others: list[Move] = []
        for move in moves:
            wins = self.after(state, move, self.role, most - 1)
            if wins is None:
                return None
            (answers if wins else others).append(move)
            if unique and len(answers) > 1:
                return None
        if not others:
            return None
        slower = tuple(
            move
            for move in others
            if self.after(state, move, self.role, most + 1, looks=_LATER_LOOKS)
        )
        line = self.line(state, self.role, most)
        return Found(state, moves, tuple(answers), slower, line, len(line))

    def _defend(
        self, state: State, moves: tuple[Move, ...], rounds: int, unique: bool
    ) -> Found | None:
        if len(moves) < 3 or self.wins.within(self.prover.row(state), self.role, 2) is not False:
            return None
        answers: list[Move] = []
        for move in moves:
            loses = self.after(state, move, self.other, plies_of(rounds))
            if loses is None:
                return None
            if not loses:
                answers.append(move)
                if unique and len(answers) > 1:
                    return None
        if not answers or len(answers) == len(moves):
            return None
        if rounds:  # some mistake must take all of the rounds to be punished
            shorter = [self.after(state, m, self.other, plies_of(rounds - 1)) for m in moves]
            if sum(loses is True for loses in shorter) == len(moves) - len(answers):
                return None
        return Found(state, moves, tuple(answers), line=(answers[0],))

    def _draw(self, state: State, moves: tuple[Move, ...], unique: bool) -> Found | None:
        """Ask the prover, whose aims are values of the first role."""
        values = self.prover.values
        middle = [i for i, value in enumerate(values) if 2 * value == self.prover.total]
        if len(moves) < 3 or len(values) != 3 or middle != [1]:
            return None
        draw = middle[0]
        answers: list[Move] = []
        for move in moves:
            holds = self.prover.keeps(state, move, draw, _DRAW_SHARE)
            if holds is None:
                return None
            if holds:
                beyond = draw + 1 if self.role == 0 else draw - 1
                if self.prover.keeps(state, move, beyond, _DRAW_SHARE) is not False:
                    return None
                answers.append(move)
                if unique and len(answers) > 1:
                    return None
        if not answers or len(answers) == len(moves):
            return None
        return Found(state, moves, tuple(answers), line=(answers[0],))

    def after(
        self, state: State, move: Move, winner: int, plies: int, *, looks: int = LOOKS
    ) -> bool | None:
        """Return whether a role wins in so many plies once a move of the mover is made."""
        return self.wins.after(state, move, self.mover(state), winner, plies, positions=looks)

    def mover(self, state: State) -> str:
        """Return the role that has a choice; the first where none has."""
        return next((r for r in self.game.roles if len(state.legal(r)) > 1), self.game.roles[0])

    def step(self, state: State, move: Move) -> State:
        """Make a move of the role that has a choice, or the only moves where none has."""
        mover = self.mover(state)
        if len(state.legal(mover)) == 1:
            return state.step([state.legal(role)[0] for role in self.game.roles])
        joint = [move if r == mover else state.legal(r)[0] for r in self.game.roles]
        return state.step(joint)

    def line(self, state: State, winner: int, most: int) -> tuple[Move, ...]:
        """Walk a win on which the winner is as fast as it can, and the other holds out longest."""
        moves: list[Move] = []
        actor = 1 - winner
        while not state.is_terminal and most > 0:
            mover = self.mover(state)
            has_choice = len(state.legal(mover)) > 1
            # Where nobody has a choice, the one moves who did not move before.
            actor = self.game.roles.index(mover) if has_choice else 1 - actor
            is_winner = self.game.roles.index(mover) == winner
            best: tuple[int, Move] | None = None
            legal = state.legal(mover)
            for move in legal:
                plies = self._plies_after(state, move, winner, most - 1)
                if plies is None:
                    continue
                if best is None or (plies < best[0] if is_winner else plies > best[0]):
                    best = plies, move
            if best is None:
                return ()
            most = best[0]
            moves.append(best[1] if has_choice else state.legal(self.game.roles[actor])[0])
            state = self.step(state, best[1])
        return tuple(moves)

    def _plies_after(self, state: State, move: Move, winner: int, most: int) -> int | None:
        then = self.step(state, move)
        if then.is_terminal:
            return 0 if self.wins.is_won(then, winner) else None
        return self.wins.plies(self.prover.row(then), winner, most, positions=LOOKS)
