"""A match of a solved game in, its mistakes out, each with the rule that would have saved it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from kibitz.engine import Role
from kibitz.errors import KibitzError
from kibitz.present import MoveJudgement, judge_move
from kibitz.solve import RoleValue, Solution, move_values
from kibitz.space import StateId, path_of
from kibitz.strategy import Strategy
from kibitz.web.session.lines import PlayedLine, write_line
from kibitz.web.session.positions import move_words
from kibitz.web.session.rule_editing import suggest_view
from kibitz.web.session.rule_matches import words_of
from kibitz.web.session.sessions import Session
from kibitz.web.session.strategies import decisions, read
from kibitz.wording import counted, join_words, side_name

__all__ = ["ReviewView", "review_view"]

_MOST_RULES = 8
"""Mistakes for which a rule is made, where neither the visitor nor the lesson has one."""


@dataclass(frozen=True, slots=True)
class MistakeView:
    """A move that gave value away: its ply, what it gave, what was right, and a rule for it.

    `is_own` says that the rule is of the visitor's strategy; there may be none.
    """

    ply: int
    role: str
    move: str
    words: str
    worth: RoleValue
    best: RoleValue
    best_moves: tuple[str, ...]
    best_words: tuple[str, ...]
    verdict: str
    rule: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class ReviewView:
    """The mistakes of a match, and how many there are in words."""

    game: str
    line: str
    text: str
    mistakes: tuple[MistakeView, ...]


def review_view(session: Session, went: PlayedLine, text: str, role: Role | None) -> ReviewView:
    """Find the mistakes of a match; `text` is a strategy of the visitor for `role`, or nothing."""
    solution = session.need_solution()
    numbers = path_of(solution.space, went.joints)
    own: tuple[Strategy, Role] | None = None
    with suppress(KibitzError):
        own = read(session, text, role) if text.strip() else None
    found: list[MistakeView] = []
    for ply, (number, joint) in enumerate(zip(numbers, went.joints, strict=False), start=1):
        for who in dict.fromkeys(who for who, _ in move_values(solution, number)):
            judged = judge_move(solution, number, joint, who)
            if judged.keeps_value is False:
                is_new = len(found) < _MOST_RULES
                found.append(_mistake(session, went, ply, number, judged, own, is_new=is_new))
    counts = Counter(one.role for one in found)
    return ReviewView(session.key, write_line(went.numbers), _text(counts), tuple(found))


def _text(counts: Counter[str]) -> str:
    if not counts:
        return "No move gave anything away."
    total = f"{counted(counts.total(), 'move')} gave something away"
    if len(counts) == 1:
        return f"{total}, by {side_name(next(iter(counts)))}."
    return f"{total}: {join_words([f'{n} by {side_name(role)}' for role, n in counts.items()])}."


def _mistake(
    session: Session,
    went: PlayedLine,
    ply: int,
    number: StateId,
    judged: MoveJudgement,
    own: tuple[Strategy, Role] | None,
    *,
    is_new: bool,
) -> MistakeView:
    game, state, role = session.game, went.states[ply - 1], judged.role
    legal = state.legal(role)
    words = dict(zip(legal, move_words(session, role, legal), strict=True))
    move = went.joints[ply - 1][game.roles.index(role)]
    right = {game.write(best) for best in judged.best_moves}
    rule, is_own = "", False
    with suppress(KibitzError):
        for strategy, is_mine in _known(session, role, own):
            deciding, moves = decisions(session, strategy, role).at(number)
            if deciding >= 0 and {game.write(one) for one in moves} <= right:
                decider = strategy.rules_for(role)[deciding]
                rule, is_own = words_of(session, strategy, decider, role), is_mine
                break
        if not rule and is_new and isinstance(session.solution, Solution):
            found = suggest_view(session, role, session.walk(write_line(went.numbers[: ply - 1])))
            rule = found.words
    return MistakeView(
        ply=ply,
        role=role,
        move=game.write(move),
        words=words[move],
        worth=judged.value,
        best=judged.best,
        best_moves=tuple(map(game.write, judged.best_moves)),
        best_words=tuple(words[best] for best in judged.best_moves),
        verdict=judged.text,
        rule=rule,
        is_own=is_own,
    )


def _known(
    session: Session, role: Role, own: tuple[Strategy, Role] | None
) -> Iterator[tuple[Strategy, bool]]:
    """Walk the strategies that may have a rule for a mistake: the visitor's, then the lesson's."""
    if own is not None and own[1] == role:
        yield own[0], True
    if role in session.taught:
        yield read(session, session.taught[role], role)[0], False
