"""A state and a move that gives something up in; out why, as far as three plies of play show it.

=================== ================================================================================
cause               holds if
=================== ================================================================================
loses at once       the move ends play, and the other role wins
lets them win       after the move the other role can win at once
misses a win        the role can win at once, and does not with this move
double threat       after the move the other role can make one after which every answer lets it win
                    at once, and no one move wins after all answers
unanswered threat   the same, and one move wins after all answers
misses its threat   the role can make such a move itself, and this is none
=================== ================================================================================

Roles take turns, and what is won is a goal of 100. Nothing is said where that is not so, or where
more positions than a few thousand would have to be looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from kibitz.engine import Move, Role, State
from kibitz.wording import side_name

__all__ = ["Cause", "cause_of", "cause_text"]

_MOST = 4_000
_WON = 100


class _TooManyError(Exception):
    """There are more positions than are looked at."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a move gives something up, and the move of whoever profits that shows it."""

    kind: str
    by: Role
    move: Move


def cause_of(state: State, role: Role, move: Move) -> Cause | None:
    """Find why a move of the role that chooses is not best, or None where that is deeper.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> state = CompiledGame(load_sheet("tictactoe")).initial()
    >>> for text in ("(mark 1 1)", "(mark 2 2)", "(mark 2 1)", "(mark 3 1)", "(mark 3 2)"):
    ...     state = state.play(text)
    >>> found = cause_of(state, "oplayer", state.legal("oplayer")[0])
    >>> found.kind, found.by, str(found.move)
    ('misses a win', 'oplayer', '(mark 1 3)')
    """
    roles = state.game.roles
    if len(roles) != 2 or role not in roles:
        return None
    look = _Look()
    other = next(one for one in roles if one != role)
    try:
        mine = look.steps(state, role)
        then = mine.get(move)
        if then is not None and _is_won(then, other):
            return Cause("loses at once", role, move)
        if then is None or then.is_terminal:
            return None
        wins = [one for one, after in mine.items() if _is_won(after, role)]
        if wins:
            return Cause("misses a win", role, wins[0])
        theirs = look.steps(then, other)
        for reply, after in theirs.items():
            if _is_won(after, other):
                return Cause("lets them win", other, reply)
        for reply, after in theirs.items():
            if kind := look.threat(after, other, role):
                return Cause(kind, other, reply)
        if not look.threat(then, role, other):
            for one, after in mine.items():
                if look.threat(after, role, other):
                    return Cause("misses its threat", role, one)
    except _TooManyError:
        return None
    return None


def cause_text(cause: Cause, words: Callable[[Move], str]) -> str:
    """Put a cause into words; `words` names a move."""
    by, move = side_name(cause.by), words(cause.move)
    return {
        "loses at once": f"It ends play at once, and {by} loses.",
        "lets them win": f"It lets {by} win at once: {move}.",
        "misses a win": f"It misses a win at once: {move}.",
        "double threat": f"It lets {by} make a double threat: {move}.",
        "unanswered threat": f"It lets {by} make a threat that nothing parries: {move}.",
        "misses its threat": f"It misses a threat that nothing parries: {move}.",
    }[cause.kind]


class _Look:
    """Looks at what follows positions, as long as these are few."""

    def __init__(self) -> None:
        self.left = _MOST

    def steps(self, state: State, role: Role) -> dict[Move, State]:
        """Return what each move of a role leads to; nothing where another role has a choice."""
        roles = state.game.roles
        if state.is_terminal or any(len(state.legal(one)) > 1 for one in roles if one != role):
            return {}
        index = roles.index(role)
        joints = list(product(*(state.legal(one) for one in roles)))
        self.left -= len(joints)
        if self.left < 0:
            raise _TooManyError
        return {joint[index]: state.step(joint) for joint in joints}

    def threat(self, state: State, role: Role, other: Role) -> str:
        """Say which threat the role has just made, if every answer lets it win at once."""
        answers = self.steps(state, other)
        if not answers:
            return ""
        common: set[Move] | None = None
        for after in answers.values():
            wins = {m for m, won in self.steps(after, role).items() if _is_won(won, role)}
            if not wins:
                return ""
            common = wins if common is None else common & wins
        return "unanswered threat" if common else "double threat"


def _is_won(state: State, role: Role) -> bool:
    return state.is_terminal and state.goals[role] == _WON
