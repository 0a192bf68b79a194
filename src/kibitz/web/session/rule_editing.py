"""Edit rules on the page: write them by pointing, suggest, compare and complete them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kibitz.engine import Role, require_compiled
from kibitz.errors import InputError, KibitzError
from kibitz.gdl import parse_terms
from kibitz.measured import vocabulary_for
from kibitz.solve import Solution
from kibitz.strategy import (
    Literals,
    Strategy,
    compare,
    minimise,
    read_strategy,
    rule_list,
    suggest_rule,
    verify,
    write_term,
)
from kibitz.synth import Options, best_place, capture_features, repair, synthesise
from kibitz.web.server.child_jobs import in_child
from kibitz.web.server.jobs import Job, Report
from kibitz.web.session.lines import PlayedLine, write_line
from kibitz.web.session.positions import move_words
from kibitz.web.session.sessions import Session
from kibitz.web.session.strategies import read, words_of
from kibitz.wording import counted

_MOST_SECONDS = 60.0
_REPAIR_SECONDS = 20.0
_WRONG = ("fails", "keeps the value")
"""Grades of lists that more rules cannot make perfect."""


@dataclass(frozen=True, slots=True)
class EditedRule:
    """A rule in the strategy language, in words, and what is known of it."""

    text: str
    words: str
    told: str
    place: int = 0
    """Before which rule of the list it should stand, counted from 0."""


@dataclass(frozen=True, slots=True)
class ConceptView:
    """Something that a rule may ask of a move, or prefer: as a formula, and in words."""

    name: str
    formula: str
    words: str
    is_wish: bool


@dataclass(frozen=True, slots=True)
class GroupView:
    """States in which two strategies differ, by the rules that decide; an example as a line.

    `moves` are what they choose there, and `words` the same in words.
    """

    rules: tuple[int, int]
    states: int
    line: str
    moves: tuple[tuple[str, ...], tuple[str, ...]]
    words: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class CompareView:
    """Where two strategies choose differently."""

    role: str
    states: int
    different: int
    groups: tuple[GroupView, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class SynthesisView:
    """A strategy that was found, what was done in words, and a `note` on what is known of it."""

    text: str
    rules: int
    literals: int
    told: str
    note: str = ""


def write_rule_view(
    session: Session, literals: list[tuple[str, bool]], moves: list[str], role: Role | None = None
) -> EditedRule:
    """Write a rule from literals and moves, all given in KIF; in words too if a role is given."""
    if not moves:
        raise InputError("a rule needs a move", hint="point at the move that it plays")
    conditions: Literals = []
    for text, holds in literals:
        conditions += [(fluent, holds) for fluent in parse_terms(text, name="literal")]
    made = [move for text in moves for move in parse_terms(text, name="move")]
    strategy = rule_list([(conditions, made)], game=session.game)
    rules = strategy.rules_for(role) if role is not None else ()
    words = words_of(session, strategy, rules[0], role) if role is not None and rules else ""
    return EditedRule(strategy.text.strip(), words, "")


def concepts_view(session: Session, role: Role) -> tuple[ConceptView, ...]:
    """Return what rules of a role can be made of without writing: win, parry, corner, nearest."""
    session.game.check_role(role)
    game = require_compiled(session.game)

    def find() -> tuple[ConceptView, ...]:
        captures = capture_features(game, role)  # these hold in no state of many games
        found = vocabulary_for(game, role)
        moves = game.network.moves[game.roles.index(role)]
        words = {
            write_term(move): said
            for move, said in zip(moves, move_words(session, role, moves), strict=True)
        }
        return tuple(
            ConceptView(one.name, one.formula, _in_words(one.words, words), is_wish)
            for features, is_wish in ((found.conditions, False), (found.preferences, True))
            for one in features
            if one not in captures
        )

    return session.keep(("concepts", role), find)


def _in_words(text: str, words: dict[str, str]) -> str:
    """Name the moves of a text in words."""
    for written, said in words.items():
        text = text.replace(written, f"“{said}”")
    return text


def suggest_view(session: Session, role: Role, went: PlayedLine, text: str = "") -> EditedRule:
    """Find a rule for a position that is optimal wherever it applies, and its place in a list."""
    session.game.check_role(role)
    solution, state = session.need_turns(), session.state_of(went)
    found = session.sweep(lambda: suggest_rule(solution, state, role), doing="finding a rule")
    strategy = read_strategy(found.text, session.game)
    given = read(session, text, role)[0] if text.strip() else strategy
    rule = found.text.strip()
    place, harms = 0, False
    if given is not strategy and _is_editable(given, role):
        place, harms = session.sweep(
            lambda: best_place(given, rule, solution, role, state), doing="finding its place"
        )
    return EditedRule(
        rule,
        words_of(session, strategy, strategy.rules_for(role)[0], role),
        f"right in {'all ' * (found.states > 1)}{counted(found.states, 'position')} of good play"
        " that it applies to" + "; but the list has other wrong rules: Complete repairs it" * harms,
        place,
    )


def _is_editable(strategy: Strategy, role: Role) -> bool:
    rules = strategy.rules_for(role)
    return bool(rules) and not any(rule.is_locked for rule in rules)


def compare_view(session: Session, text: str, other: str, role: Role | None) -> CompareView:
    """Describe where two strategies choose differently."""
    first, role = read(session, text, role)
    second, _ = read(session, other, role)
    session.prepare()
    return session.ask(
        lambda: _compared(session, first, second, role), doing="comparing strategies"
    )


def _compared(session: Session, first: Strategy, second: Strategy, role: Role) -> CompareView:
    found = compare(first, second, session.need_solution().space, role)
    has_past = found.space is not session.need_solution().space
    groups = tuple(
        GroupView(
            group.rules,
            group.states,
            "" if has_past else write_line(session.line_to(group.example)),
            group.moves,
            (_words(session, role, group.moves[0]), _words(session, role, group.moves[1])),
        )
        for group in found.groups[:50]
    )
    return CompareView(
        role, found.states, found.different, groups, max(0, len(found.groups) - len(groups))
    )


def _words(session: Session, role: Role, texts: Sequence[str]) -> tuple[str, ...]:
    """Write moves in words, given as terms."""
    moves = [move for text in texts for move in parse_terms(text, name="move")]
    return tuple(move_words(session, role, moves))


def job_of(
    session: Session, kind: str, text: str, role: Role, seconds: float
) -> Callable[[Job], SynthesisView]:
    """Return the work of a job that completes or simplifies a rule list in a child.

    What is wrong with the list is raised here, before any work.
    """
    solution = session.need_turns()
    strategy, role = read(session, text, role)

    def work(report: Report) -> SynthesisView:
        if kind == "simplify":
            return _simplify(strategy, solution, role, report)
        start = strategy if text.strip() and strategy.text == text else None
        return _complete(solution, start, role, min(seconds, _MOST_SECONDS), report)

    return lambda job: in_child(
        work,
        budget=session.allowance.working,
        doing=f"to {kind} this",
        report=job.report,
        check=job.check,
    )


def _complete(
    solution: Solution, start: Strategy | None, role: Role, seconds: float, report: Report
) -> SynthesisView:
    """Repair a rule list with few edits; without rules, or where that fails, find a list."""
    report("preparing")
    if start is not None and _is_editable(start, role):
        try:
            return _repair(start, solution, role, seconds, report)
        except KibitzError:
            if verify(start, solution, role).grade in _WRONG:
                raise  # Synthesis keeps all rules, so that it cannot mend one that is wrong.
    options = Options(seconds=seconds, max_states=6_000_000)
    found = synthesise(solution.space.game, role, options, start=start, report=report)
    rules = counted(found.verdict.rules, "rule")
    return SynthesisView(
        found.strategy.text,
        found.verdict.rules,
        found.verdict.literals,
        f"{rules} that are perfect together."
        if found.verdict.rules > 1
        else "one rule that is perfect.",
        f"Fewer {found.language} cannot do."
        if found.proved_minimal
        else f"Lists of {found.language} need at least {found.lower_bound}.",
    )


def _repair(
    strategy: Strategy, solution: Solution, role: Role, seconds: float, report: Report
) -> SynthesisView:
    """Make a rule list perfect with few edits."""
    found = repair(strategy, solution, role, seconds=seconds, report=report)
    edits = " ".join(edit.sentence for edit in found.edits)
    changes = counted(len(found.edits), "change")
    return SynthesisView(
        found.strategy.text,
        found.verdict.rules,
        found.verdict.literals,
        f"perfect with {changes}. {edits}" if edits else "perfect already.",
        f"{found.bound_text[0].upper()}{found.bound_text[1:]}." if edits else "",
    )


def _simplify(strategy: Strategy, solution: Solution, role: Role, report: Report) -> SynthesisView:
    """Drop what a rule list does not need; one that fails is repaired before."""
    report("checking")
    repaired = ""
    if _is_editable(strategy, role) and verify(strategy, solution, role).grade in _WRONG:
        with contextlib.suppress(KibitzError):
            fixed = _repair(strategy, solution, role, _REPAIR_SECONDS, report)
            strategy = read_strategy(fixed.text, strategy.game, name=strategy.name)
            repaired = f"it failed, and was repaired first: {fixed.told} Then "
    found = minimise(
        strategy,
        solution,
        role,
        progress=lambda rules, literals: report(f"{rules} rules with {literals} literals"),
    )
    sizes = [
        f"{counted(one.rules, 'rule')} with {counted(one.literals, 'condition')}"
        for one in (found.before, found.verdict)
    ]
    what = f"{sizes[0]} became {sizes[1]}" if sizes[0] != sizes[1] else "nothing can be left out"
    return SynthesisView(
        found.strategy.text,
        found.verdict.rules,
        found.verdict.literals,
        f"{repaired}{what}; the list is still {found.kept.replace('_', ' ')}.",
    )
