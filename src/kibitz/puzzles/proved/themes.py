"""A proved puzzle in, themes out: what solves it, by definitions that need the rules alone.

=============== ==================================================================================
theme           holds if
=============== ==================================================================================
win             the answer wins at once
parry           after some other move the opponent wins at once, and after the answer it does not
doubleThreat    at some move of the line every reply lets the role win at once, and no one move
                wins after all replies
forcing         after the answer one reply alone keeps the role from winning at once
quiet           after the answer most replies keep the role from winning at once
=============== ==================================================================================
"""

from __future__ import annotations

from kibitz.engine import Move, State
from kibitz.puzzles.proved.tasks import Examiner, Found

__all__ = ["THEMES", "themes_of"]

THEMES = ("win", "parry", "doubleThreat", "forcing", "quiet")
"""All themes there are."""


def themes_of(examiner: Examiner, found: Found) -> tuple[str, ...]:
    """Return the themes of a puzzle, by its first answer."""
    state, answer = found.state, found.answers[0]
    then = examiner.step(state, answer)
    if then.is_terminal:
        return ("win",)
    themes = []
    others = [move for move in found.moves if move not in found.answers]
    if not _wins_at_once(examiner, then, examiner.other) and any(
        not (after := examiner.step(state, move)).is_terminal
        and _wins_at_once(examiner, after, examiner.other)
        for move in others
    ):
        themes.append("parry")
    if _is_double_threat(examiner, found):
        themes.append("doubleThreat")
    replies = _replies(examiner, then)
    held = sum(not _can_finish(examiner, reply) for reply in replies)
    if len(replies) > 1 and held == 1:
        themes.append("forcing")
    if 2 * held > len(replies) > 1:
        themes.append("quiet")
    return tuple(themes)


def _wins_at_once(examiner: Examiner, state: State, winner: int) -> bool:
    """Return whether a role wins in one ply."""
    return examiner.wins.within(examiner.prover.row(state), winner, 1) is True


def _can_finish(examiner: Examiner, reply: State) -> bool:
    """Return whether the role has won, or wins with its next move."""
    if reply.is_terminal:
        return examiner.wins.is_won(reply, examiner.role)
    return _wins_at_once(examiner, reply, examiner.role)


def _replies(examiner: Examiner, state: State) -> list[State]:
    return [examiner.step(state, move) for move in state.legal(examiner.mover(state))]


def _is_double_threat(examiner: Examiner, found: Found) -> bool:
    """Return whether a move of the line leaves two threats, of which no reply parries both."""
    state = found.state
    for move in found.line:
        is_own = examiner.mover(state) == examiner.name
        state = examiner.step(state, move)
        if state.is_terminal:
            return False
        if not is_own or not examiner.wins.within(examiner.prover.row(state), examiner.role, 2):
            continue
        replies = _replies(examiner, state)
        if len(replies) < 2 or examiner.mover(state) == examiner.name:
            continue
        winning = [_finishing(examiner, reply) for reply in replies]
        if all(winning) and not set.intersection(*winning):
            return True
    return False


def _finishing(examiner: Examiner, state: State) -> set[Move]:
    """Return the moves of the role that win at once."""
    if state.is_terminal or examiner.mover(state) != examiner.name:
        return set()
    return {
        move
        for move in state.legal(examiner.name)
        if (after := examiner.step(state, move)).is_terminal
        and examiner.wins.is_won(after, examiner.role)
    }
