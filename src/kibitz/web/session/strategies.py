"""Show strategies beside a position: rules, stencils, and where they fire."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from kibitz.board import svg_stencil
from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.english import PlainRule, pictured, say, say_move, say_rule, scene_of
from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.gdl import Function
from kibitz.present import draw_followed
from kibitz.strategy import (
    Decisions,
    MoveSet,
    RuleMatch,
    Strategy,
    StrategyRule,
    Verdict,
    drawn,
    match_rule,
    read_strategy,
    rule_text,
    shipped_names,
    shipped_text,
    verify,
)
from kibitz.web.session.lines import PlayedLine, write_line
from kibitz.web.session.sessions import Session

_MOST_STENCILS = 80


@dataclass(frozen=True, slots=True)
class RuleView:
    """A rule of a list, as text and in words.

    `blocks` are the cells that keep it from firing here, and `why` says so. A rule that names no
    place is drawn where it fires, by what a move leaves; `seen` says what is to be seen there.
    """

    number: int
    text: str
    words: str
    svg: str
    is_locked: bool
    is_dead: bool
    fires: bool
    cells: tuple[str, ...]
    blocks: tuple[str, ...]
    why: str
    seen: str


def rule_view(
    session: Session,
    strategy: Strategy,
    index: int,
    role: Role,
    state: State,
    dead_rules: Sequence[int],
    deciding: int,
) -> RuleView:
    """Show a rule beside a state, in which the rule of index `deciding` decides."""
    rule = strategy.rules_for(role)[index]
    svg = seen = ""
    shown = drawn(rule) or pictured(rule)
    if index < _MOST_STENCILS and (shown[0] or shown[1]):
        svg = session.keep(
            ("stencil", rule.choices),
            lambda: svg_stencil(session.game, shown[0], shown[1], session.layout),
        )
    elif index == deciding and rule.is_for_any_move:
        svg, seen = _followed(session, strategy, rule, role, state)
    here: tuple[tuple[str, ...], tuple[str, ...], str] = ((), (), "")
    if not state.is_terminal and (deciding < 0 or index <= deciding):
        here = _here(session, rule, role, state, fires=index == deciding)
    return RuleView(
        number=index + 1,
        text=rule_text(rule),
        words=words_of(session, strategy, rule, role),
        svg=svg,
        is_locked=rule.is_locked,
        is_dead=index + 1 in dead_rules,
        fires=index == deciding,
        cells=here[0],
        blocks=here[1],
        why=here[2],
        seen=seen,
    )


def _followed(
    session: Session, strategy: Strategy, rule: StrategyRule, role: Role, state: State
) -> tuple[str, str]:
    """Draw a move by a rule that fires, with what it is about; nothing where others choose too."""
    try:
        move = min(strategy.moves(state, role), key=str)
        after = state.play(move)
        shown = draw_followed(rule.condition, state, after, move, session.layout)
    except KibitzError:
        return "", ""
    return shown.svg, shown.note


_TERM = re.compile(r"\b([Pp]lay) \(([^()]*)\)")
"""A move for which there are no words."""


def words_of(session: Session, strategy: Strategy, rule: StrategyRule, role: Role) -> str:
    """Return a rule in plain words, if there are any for it."""
    game = session.game
    if not isinstance(game, CompiledGame):
        return ""
    symmetric = strategy.symmetry != "none"

    def find() -> str:
        try:
            words = say_rule(scene_of(game, role), rule, symmetric=symmetric)
            return "" if "«" in words else _TERM.sub(r"\1 “\2”", words)
        except KibitzError:
            return ""

    return session.keep(("words", rule.choices, rule.preferences, role, symmetric), find)


def _here(
    session: Session, rule: StrategyRule, role: Role, state: State, *, fires: bool
) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return the cells that a rule names where it fires, or those that keep it from firing."""
    found = match_rule(rule, state, role)
    if found is None:
        return (), (), ""
    fluents, moves = (found.fluents, found.moves) if fires else (found.failing, found.blocked)
    cells = _cells(session, fluents)
    for move in moves:
        cells += _gesture_cells(session, move)
    named = tuple(dict.fromkeys(cells))
    if fires:
        return named, (), ""
    return (), named, ", ".join(_obstacles(session, found, role, state)[:4])


def _obstacles(session: Session, found: RuleMatch, role: Role, state: State) -> list[str]:
    """Say what keeps a rule from firing: what holds and should not, or the reverse, and moves."""
    game, holding = session.game, frozenset(state.fluents)
    if isinstance(game, CompiledGame):
        scene = scene_of(game, role)
        as_it_is = frozenset((fluent, fluent in holding) for fluent in found.failing)
        clauses = say(scene, PlainRule(as_it_is, frozenset(), frozenset())).clauses
        barred = [f"one cannot {say_move(scene, move)}" for move in found.blocked]
        return [clause.text for clause in clauses] + barred
    write = game.write
    words = [f"{write(f)} {'holds' if f in holding else 'does not hold'}" for f in found.failing]
    return words + [f"{write(move)} is not legal" for move in found.blocked]


def _cells(session: Session, fluents: Iterable[Function]) -> list[str]:
    places = [session.layout.place(fluent) for fluent in fluents]
    return [f"{p.cell.board}.{p.cell.cell}" for p in places if p and p.cell]


def _gesture_cells(session: Session, move: Move) -> list[str]:
    return [f"{ref.board}.{ref.cell}" for ref in session.layout.gesture(move).cells]


MOST_STRATEGY = 20_000
_MOST_RULES = 150


@dataclass(frozen=True, slots=True)
class VerdictView:
    """Verdict of the checker; `badge` in one word, `line` leads to the failing state.

    `silence` says how it is read where the strategy has no move: any legal one may be made. Where
    states have no one value nothing is perfect, and the badge is "checked".
    """

    badge: str
    silence: str
    perfect: bool
    strongly_optimal: bool
    weakly_optimal: bool
    complete: bool
    deterministic: bool
    makes_progress: bool
    guarantees: dict[str, int]
    value: int
    rules: int
    literals: int
    dead_rules: tuple[int, ...]
    bad_states: int
    states_checked: int
    line: str | None
    moves_chosen: tuple[str, ...]
    optimal_moves: tuple[str, ...]
    keeping_moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StrategyView:
    """A strategy beside a position: its rules, the moves it allows here, and its verdict.

    There is no verdict where the game could not be solved, and `unchecked` says why; `undecided`
    says why it is not known which rule decides here, if that would take too long.
    """

    game: str
    role: str
    text: str
    symmetry: str
    is_list: bool
    rules: tuple[RuleView, ...]
    moves: tuple[str, ...]
    verdict: VerdictView | None
    unchecked: str = ""
    undecided: str = ""


def read(session: Session, text: str, role: Role | None) -> tuple[Strategy, Role]:
    """Read a strategy, and return it with its role."""
    if len(text) > MOST_STRATEGY:
        raise InputError(f"a strategy has {MOST_STRATEGY:,} characters at most here")
    strategy = session.keep(
        ("read", text), lambda: read_strategy(text, session.game, name="strategy")
    )
    if len(strategy.rules) > _MOST_RULES:
        raise InputError(f"a strategy has {_MOST_RULES} rules at most here")
    if role is None:
        role = strategy.plans[0][0]
    session.game.check_role(role)
    return strategy, role


def shipped_here(session: Session) -> dict[str, str]:
    """Return the strategies that come with Kibitz and can be read for this game, by name."""
    found = {}
    for name in shipped_names():
        text = shipped_text(name)
        with suppress(KibitzError):
            read(session, text, None)
            found[name] = text
    return found


def decisions(session: Session, strategy: Strategy, role: Role) -> Decisions:
    """Return the decisions of a strategy in all states."""
    space = session.need_solution().space

    def find() -> Decisions:
        if is_plain(strategy, role):
            return strategy.decide(space, role)
        chosen, decider = session.ask(
            lambda: strategy.decide(space, role).arrays_on(space), doing="deciding"
        )
        return Decisions(MoveSet(space, role, chosen), decider)

    return session.keep(
        ("decide", strategy.text, strategy.symmetry, len(strategy.rules), role), find
    )


def verdict_of(session: Session, strategy: Strategy, role: Role) -> Verdict:
    """Check a strategy, once."""
    solution = session.need_solution()
    checked = solution if solution.kind == "exact" else solution.space

    def find() -> Verdict:
        if is_plain(strategy, role):
            return verify(strategy, checked, role)
        return session.ask(lambda: verify(strategy, checked, role), doing="checking the strategy")

    return session.keep(("verify", strategy.text, strategy.symmetry, role), find)


def is_plain(strategy: Strategy, role: Role) -> bool:
    """Return whether it is a list of literals, which takes no more time than there are states."""
    return strategy.is_literal(role)


def strategy_view(session: Session, text: str, role: Role | None, went: PlayedLine) -> StrategyView:
    """Show a strategy beside a position."""
    strategy, role = read(session, text, role)
    verdict: Verdict | None = None
    undecided = ""
    if session.why_unsolved:
        try:
            deciding, moves = _decide_here(session, strategy, role, went)
        except BudgetExceededError as error:  # the rules can be read and played all the same
            deciding, moves, undecided = -1, (), error.message
    else:
        verdict = verdict_of(session, strategy, role)
        deciding, moves = decisions(session, strategy, role).at(session.state_of(went))
    rules = strategy.rules_for(role)
    dead = verdict.dead_rules if verdict else ()
    views = tuple(
        rule_view(session, strategy, n, role, went.state, dead, deciding) for n in range(len(rules))
    )
    return StrategyView(
        game=session.key,
        role=role,
        text=text,
        symmetry=strategy.symmetry,
        is_list=strategy.is_list,
        rules=views,
        moves=tuple(map(session.game.write, moves)),
        verdict=_verdict_view(session, verdict) if verdict else None,
        unchecked=session.why_unsolved,
        undecided=undecided,
    )


def _decide_here(
    session: Session, strategy: Strategy, role: Role, went: PlayedLine
) -> tuple[int, tuple[Move, ...]]:
    """Return what decides in one position of a game that is not solved, -1 for none."""
    history = tuple(zip(went.states, went.joints, strict=False))

    def find() -> tuple[int, tuple[Move, ...]]:
        for count in range(1, len(strategy.rules_for(role)) + 1):
            moves = strategy.first(count).moves(went.state, role, history=history)
            if moves:
                return count - 1, moves
        return -1, () if strategy.is_list else strategy.moves(went.state, role, history=history)

    if went.state.is_terminal:
        return -1, ()
    return session.keep(
        ("here", strategy.text, strategy.symmetry, role, went.numbers),
        lambda: session.ask(find, doing="deciding"),
    )


def _verdict_view(session: Session, verdict: Verdict) -> VerdictView:
    example = verdict.counterexample
    return VerdictView(
        badge=verdict.grade,
        silence=verdict.silence,
        perfect=bool(verdict.perfect),
        strongly_optimal=bool(verdict.strongly_optimal),
        weakly_optimal=bool(verdict.weakly_optimal),
        complete=verdict.complete,
        deterministic=verdict.deterministic,
        makes_progress=bool(verdict.makes_progress),
        guarantees=verdict.guarantees,
        value=verdict.value or 0,
        rules=verdict.rules,
        literals=verdict.literals,
        dead_rules=verdict.dead_rules,
        bad_states=verdict.bad_states,
        states_checked=verdict.states_checked,
        line=write_line(session.line_of(list(example.path))) if example else None,
        moves_chosen=example.moves_chosen if example else (),
        optimal_moves=example.optimal_moves if example else (),
        keeping_moves=example.keeping_moves if example else (),
    )
