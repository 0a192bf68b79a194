"""What the page shows of one rule: its stencil, whether it fires here, and what prevents it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kibitz.board import svg_stencil
from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.english import PlainRule, pictured, say, say_move, say_rule, scene_of
from kibitz.errors import KibitzError
from kibitz.gdl import Function
from kibitz.present import draw_followed
from kibitz.strategy import RuleMatch, Strategy, StrategyRule, drawn, match_rule, rule_text
from kibitz.web.session.sessions import Session

__all__ = ["RuleView", "rule_view", "words_of"]

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
