"""Judge play on the page: values move by move, mistakes, and the rules they break."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from kibitz.engine import Move, Role, State
from kibitz.errors import InputError, KibitzError
from kibitz.present import (
    MoveJudgement,
    cause_of,
    cause_text,
    hint_at,
    hint_by_search,
    judge_by_search,
    judge_move,
)
from kibitz.prove import mover_of
from kibitz.solve import RoleValue, move_values, state_values
from kibitz.space import StateId, path_of
from kibitz.strategy import Strategy
from kibitz.web.session.lines import PlayedLine, write_line
from kibitz.web.session.positions import move_words, played_texts
from kibitz.web.session.rule_editing import suggest_view
from kibitz.web.session.sessions import Session
from kibitz.web.session.strategies import decisions, read, words_of
from kibitz.wording import counted, join_words, side_name

_SEARCH_S = 5.0


@dataclass(frozen=True, slots=True)
class PlyValue:
    """The value of the position after a number of plies for each role."""

    ply: int
    played: str
    worth: dict[str, RoleValue]


@dataclass(frozen=True, slots=True)
class TimelineView:
    """The value of a match, from its start to the end of a line."""

    game: str
    moments: tuple[PlyValue, ...]


def timeline_view(session: Session, went: PlayedLine) -> TimelineView:
    """Return the value of every position of a line."""
    solution = session.need_solution()
    texts = ["", *played_texts(session, went)]
    states = path_of(solution.space, went.joints)
    moments = [
        PlyValue(ply, text, state_values(solution, state))
        for ply, (text, state) in enumerate(zip(texts, states, strict=True))
    ]
    return TimelineView(session.key, tuple(moments))


@dataclass(frozen=True, slots=True)
class WhyView:
    """Explanation of a move's loss: its value, that of the best, and a line that shows the loss.

    `keeps_value` is null where a search did not decide it; `is_end` says that the move ends play.
    `cause` says in words what is wrong with a move, where a few plies show it. For each move of the
    line, `refutation_roles` says whose it is, and `refutation_cells` where it is made.
    """

    game: str
    role: str
    move: str
    keeps_value: bool | None
    worth: RoleValue
    best: RoleValue
    best_moves: tuple[str, ...]
    refutation: str
    refutation_moves: tuple[str, ...]
    verdict: str
    move_words: str
    best_words: tuple[str, ...]
    refutation_words: tuple[str, ...]
    cause: str
    refutation_roles: tuple[str, ...]
    refutation_cells: tuple[tuple[str, ...], ...]
    is_end: bool


def why_view(session: Session, went: PlayedLine, number: int, role: Role | None = None) -> WhyView:
    """Describe why a move is optimal or not, by the number of a joint move in the position.

    Where several roles choose at once, `role` says whose move is meant. In a game that is too large
    to be solved, a short search looks for the answer.
    """
    after = session.walk(write_line([*went.numbers, number]))
    joint = after.joints[-1]
    if session.why_unsolved:
        found = _searched(session, went, joint)
    else:
        found = judge_move(session.need_solution(), session.state_of(went), joint, role)
    whole = session.walk(write_line(session.line_of([*after.joints, *found.line])))
    game = session.game
    legal = went.state.legal(found.role)
    words = dict(zip(legal, move_words(session, found.role, legal), strict=True))
    move = joint[game.roles.index(found.role)]
    whole_words = played_texts(session, whole, in_words=True)
    turns = range(len(went.numbers), len(whole.numbers))
    line = [_places(session, whole.states[turn], whole.joints[turn]) for turn in turns]
    return WhyView(
        game=session.key,
        role=found.role,
        move=game.write(move),
        keeps_value=found.keeps_value,
        worth=found.value,
        best=found.best,
        best_moves=tuple(map(game.write, found.best_moves)),
        refutation=write_line(whole.numbers),
        refutation_moves=tuple(played_texts(session, whole)[len(went.numbers) :]),
        verdict=found.text,
        move_words=words[move],
        best_words=tuple(words[best] for best in found.best_moves),
        refutation_words=tuple(whole_words[len(went.numbers) :]),
        cause=_cause(session, went, found.role, move) if found.keeps_value is False else "",
        refutation_roles=tuple(made[0] for made in line),
        refutation_cells=tuple(made[1] for made in line),
        is_end=after.state.is_terminal,
    )


def _places(session: Session, state: State, joint: tuple[Move, ...]) -> tuple[str, tuple[str, ...]]:
    """Return whose move a joint move is, and its cells."""
    moves = dict(zip(session.game.roles, joint, strict=True))
    role = max(moves, key=lambda one: len(state.legal(one)))
    if len(state.legal(role)) == 1:  # nobody has a choice: whoever does not just wait
        role = next((r for r, m in moves.items() if session.layout.gesture(m).cells), role)
    cells = session.layout.gesture(moves[role]).cells
    return role, tuple(f"{ref.board}.{ref.cell}" for ref in cells)


def _cause(session: Session, went: PlayedLine, role: Role, move: Move) -> str:
    """Say why a move is not best, with moves in words."""
    cause = cause_of(went.state, role, move)
    if cause is None:
        return ""
    state = went.state if cause.by == role else went.state.play(move)
    legal = state.legal(cause.by)
    words = dict(zip(legal, move_words(session, cause.by, legal), strict=True))
    return cause_text(cause, words.__getitem__)


def _searched(session: Session, went: PlayedLine, joint: tuple[Move, ...]) -> MoveJudgement:
    """Judge the move of the role that chooses by a search."""
    move = joint[session.game.roles.index(mover_of(went.state))]
    with session.analysing():
        return judge_by_search(session.analyser, went.state, move, seconds=_SEARCH_S)


@dataclass(frozen=True, slots=True)
class HintView:
    """A hint: how many moves are best, then where one begins, then the move."""

    step: int
    text: str
    cells: tuple[str, ...]
    number: int | None


def hint_view(session: Session, went: PlayedLine, step: int) -> HintView:
    """Reveal a little at a time: 1 how many moves are best, 2 where, 3 which.

    In a game that is too large to be solved, a short search looks for the best move.
    """
    state, layout = went.state, session.layout
    if state.is_terminal:
        raise InputError("play has ended here", hint="go back a move")

    def words(move: Move) -> str:
        role = next(one for one in session.game.roles if move in state.legal(one))
        legal = state.legal(role)
        return move_words(session, role, legal)[legal.index(move)]

    if session.why_unsolved:
        with session.analysing():
            found = hint_by_search(
                session.analyser, state, step, seconds=_SEARCH_S, layout=layout, words=words
            )
        if found is None:
            raise InputError(f"a search of {_SEARCH_S:g} s found no best move here")
    else:
        number = session.state_of(went)
        solution = session.need_solution()
        found = hint_at(solution, number, step, state=state, layout=layout, words=words)
    return HintView(found.step, found.text, found.cells, found.number)


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
        if not rule and is_new and session.solution and session.solution.kind == "exact":
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
