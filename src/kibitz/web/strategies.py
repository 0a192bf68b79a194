"""What the page shows of strategies: rules as stencils, what fires, what the checker says."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.engine import Move, Role, State
from kibitz.errors import InputError
from kibitz.gdl import Function, parse_terms
from kibitz.render import svg_stencil
from kibitz.strategy import Rule, Strategy, Verdict, read_strategy, rule_list, verify
from kibitz.strategy.compare import compare
from kibitz.strategy.images import images
from kibitz.strategy.minimise import minimise
from kibitz.strategy.strategy import Decisions
from kibitz.strategy.suggest import suggest_rule
from kibitz.strategy.tree import And, Const, Formula, Holds, Not
from kibitz.synth import Options, synthesise
from kibitz.web.jobs import Report
from kibitz.web.lines import Walk, write_line
from kibitz.web.sessions import Session

__all__ = [
    "MOST_STRATEGY",
    "CompareView",
    "RuleText",
    "StrategyView",
    "SynthesisView",
    "compare_view",
    "complete",
    "decisions",
    "fires",
    "simplify",
    "strategy_view",
    "suggest_view",
    "write_rule_view",
]

MOST_STRATEGY = 20_000
_MOST_RULES = 150
_MOST_STENCILS = 80
_MOST_SECONDS = 60.0

Literals = list[tuple[Function, bool]]


@dataclass(frozen=True, slots=True)
class RuleView:
    """A rule of a list. `blocks` are the cells that keep it from firing here, and `why` says so."""

    number: int
    text: str
    svg: str
    is_locked: bool
    is_dead: bool
    fires: bool
    cells: tuple[str, ...]
    blocks: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class VerdictView:
    """What the checker says; `badge` in one word, `line` leads to the failing state."""

    badge: str
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


@dataclass(frozen=True, slots=True)
class StrategyView:
    """A strategy beside a position: its rules, the moves it allows here, and its verdict."""

    game: str
    role: str
    text: str
    symmetry: str
    is_list: bool
    rules: tuple[RuleView, ...]
    moves: tuple[str, ...]
    verdict: VerdictView


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule in the strategy language, and what is known of it."""

    text: str
    told: str


@dataclass(frozen=True, slots=True)
class GroupView:
    """States in which two strategies differ, by the rules that decide; an example as a line."""

    rules: tuple[int, int]
    states: int
    line: str
    moves: tuple[tuple[str, ...], tuple[str, ...]]


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
    """A strategy that was found, and what is known of it."""

    text: str
    rules: int
    literals: int
    told: str


def read(session: Session, text: str, role: Role | None) -> tuple[Strategy, Role]:
    """Read a strategy, and say who plays it."""
    if len(text) > MOST_STRATEGY:
        raise InputError(f"a strategy has {MOST_STRATEGY:,} characters at most here")
    if not text.strip() or all(
        not line.strip() or line.lstrip().startswith("#") for line in text.splitlines()
    ):
        text += "\nfalse => " + _some_move(session, role)
    strategy = session.keep(
        ("read", text), lambda: read_strategy(text, session.game, name="strategy")
    )
    if len(strategy.rules) > _MOST_RULES:
        raise InputError(f"a strategy has {_MOST_RULES} rules at most here")
    if role is None:
        role = strategy.plans[0][0]
    session.game.check_role(role)
    return strategy, role


def _some_move(session: Session, role: Role | None) -> str:
    """Give a move, for the rule that never applies which stands for an empty list."""
    game = session.game
    index = game.roles.index(role) if role in game.roles else 0
    moves: tuple[Move, ...] = game.network.moves[index]  # type: ignore[attr-defined]
    made = rule_list([([], [moves[0]])], game=game).text
    return made.split("=>", 1)[1].strip()


def decisions(session: Session, strategy: Strategy, role: Role) -> Decisions:
    """Give what a strategy decides everywhere."""
    space = session.need_solution().space
    return session.keep(
        ("decide", strategy.text, strategy.symmetry, len(strategy.rules), role),
        lambda: strategy.decide(space, role),
    )


def verdict_of(session: Session, strategy: Strategy, role: Role) -> Verdict:
    """Check a strategy, once."""
    solution = session.need_solution()
    return session.keep(
        ("verify", strategy.text, strategy.symmetry, role),
        lambda: verify(strategy, solution, role),
    )


def strategy_view(session: Session, text: str, role: Role | None, went: Walk) -> StrategyView:
    """Show a strategy beside a position."""
    strategy, role = read(session, text, role)
    is_empty = strategy.text != text
    verdict = verdict_of(session, strategy, role)
    state = session.state_of(went)
    decided = decisions(session, strategy, role)
    deciding = -1
    moves: tuple[str, ...] = ()
    if len(decided.decider) == len(session.need_solution().space):
        deciding = int(decided.decider[state])
        moves = tuple(map(session.game.write, decided.moves.moves(state)))
    rules = () if is_empty else strategy.rules_for(role)
    views = tuple(
        _rule_view(session, rule, n, role, went.state, verdict, deciding)
        for n, rule in enumerate(rules)
    )
    return StrategyView(
        game=session.key,
        role=role,
        text=text,
        symmetry=strategy.symmetry,
        is_list=bool(rules) or is_empty,
        rules=views,
        moves=moves,
        verdict=_verdict_view(session, verdict, is_empty),
    )


def fires(session: Session, text: str, role: Role, went: Walk) -> tuple[int, tuple[str, ...]]:
    """Give the rule that decides in a position, from 1, or 0; and the moves it allows."""
    strategy, role = read(session, text, role)
    decided = decisions(session, strategy, role)
    state = session.state_of(went)
    if len(decided.decider) != len(session.need_solution().space):
        return 0, ()
    moves = tuple(map(session.game.write, decided.moves.moves(state)))
    return int(decided.decider[state]) + 1, moves


def _verdict_view(session: Session, verdict: Verdict, is_empty: bool) -> VerdictView:
    example = verdict.counterexample
    badge = (
        "strongly optimal"
        if verdict.strongly_optimal and verdict.makes_progress
        else "weakly optimal"
        if verdict.weakly_optimal
        else "fails"
    )
    return VerdictView(
        badge=badge,
        strongly_optimal=bool(verdict.strongly_optimal),
        weakly_optimal=bool(verdict.weakly_optimal),
        complete=verdict.complete,
        deterministic=verdict.deterministic,
        makes_progress=bool(verdict.makes_progress),
        guarantees=verdict.guarantees,
        value=verdict.value or 0,
        rules=0 if is_empty else verdict.rules,
        literals=0 if is_empty else verdict.literals,
        dead_rules=() if is_empty else verdict.dead_rules,
        bad_states=verdict.bad_states,
        states_checked=verdict.states_checked,
        line=write_line(session.line_of(list(example.path))) if example else None,
        moves_chosen=example.moves_chosen if example else (),
        optimal_moves=example.optimal_moves if example else (),
    )


def literals_of(condition: Formula) -> Literals | None:
    """Give the literals of a condition, None where it says more than literals can.

    >>> from kibitz.gdl import parse_terms
    >>> literals_of(Not(Holds(parse_terms("(cell 1 1 x)")[0])))[0][1]
    False
    """
    if isinstance(condition, Const):
        return [] if condition.value else None
    found: Literals = []
    for part in condition.parts if isinstance(condition, And) else (condition,):
        match part:
            case Holds(fluent):
                found.append((fluent, True))
            case Not(Holds(fluent)):
                found.append((fluent, False))
            case _:
                return None
    return found


def _rule_view(
    session: Session,
    rule: Rule,
    index: int,
    role: Role,
    state: State,
    verdict: Verdict,
    deciding: int,
) -> RuleView:
    literals = literals_of(rule.choices[0][0]) if len(rule.choices) == 1 else None
    svg = ""
    if index < _MOST_STENCILS and literals is not None:
        svg = session.keep(
            ("stencil", rule.choices),
            lambda: svg_stencil(session.game, literals, rule.moves, session.layout),
        )
    here: tuple[tuple[str, ...], tuple[str, ...], str] = ((), (), "")
    if not state.is_terminal and (deciding < 0 or index <= deciding):
        here = _here(session, rule, role, state, fires=index == deciding)
    return RuleView(
        number=index + 1,
        text=rule.text or _written(session, rule),
        svg=svg,
        is_locked=rule.is_locked,
        is_dead=index + 1 in verdict.dead_rules,
        fires=index == deciding,
        cells=here[0],
        blocks=here[1],
        why=here[2],
    )


def _written(session: Session, rule: Rule) -> str:
    from kibitz.strategy.printing import write_rule

    return write_rule(rule.choices) if len(rule.choices) == 1 else f"rule {rule.name}"


def _here(
    session: Session, rule: Rule, role: Role, state: State, *, fires: bool
) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Give the cells a rule speaks of where it fires, or those that keep it from firing."""
    holding = frozenset(state.fluents)
    legal = frozenset(state.legal(role))
    best: tuple[int, list[Function], list[Move]] | None = None
    cells: list[str] = []
    if len(rule.choices) > 16:
        return (), (), ""
    for image in images(rule.choices, session.game, role):
        for condition, moves in image:
            literals = literals_of(condition)
            if literals is None:
                return (), (), ""
            failing = [f for f, sign in literals if (f in holding) != sign]
            blocked = [m for m in moves if m not in legal]
            if fires and not failing and len(blocked) < len(moves):
                cells += _cells(session, [f for f, _ in literals])
                for move in moves:
                    cells += _gesture_cells(session, move) if move in legal else []
            missing = len(failing) + (len(blocked) == len(moves))
            if best is None or missing < best[0]:
                best = missing, failing, blocked if len(blocked) == len(moves) else []
    if fires:
        return tuple(dict.fromkeys(cells)), (), ""
    if best is None or not best[0]:
        return (), (), ""
    _, failing, blocked = best
    blocks = _cells(session, failing)
    for move in blocked:
        blocks += _gesture_cells(session, move)
    write = session.game.write
    words = [f"{write(f)} {'holds' if f in holding else 'does not hold'}" for f in failing]
    words += [f"{write(move)} is not legal" for move in blocked]
    return (), tuple(dict.fromkeys(blocks)), ", ".join(words[:4])


def _cells(session: Session, fluents: list[Function]) -> list[str]:
    places = [session.layout.place(fluent) for fluent in fluents]
    return [f"{p.cell.board}.{p.cell.cell}" for p in places if p and p.cell]


def _gesture_cells(session: Session, move: Move) -> list[str]:
    return [f"{ref.board}.{ref.cell}" for ref in session.layout.gesture(move).cells]


def write_rule_view(
    session: Session, literals: list[tuple[str, bool]], moves: list[str]
) -> RuleText:
    """Write a rule from literals and moves, all given in KIF."""
    if not moves:
        raise InputError("a rule needs a move", hint="point at the move it tells")
    told: Literals = []
    for text, holds in literals:
        told += [(fluent, holds) for fluent in parse_terms(text, name="literal")]
    made = [move for text in moves for move in parse_terms(text, name="move")]
    return RuleText(rule_list([(told, made)], game=session.game).text.strip(), "")


def suggest_view(session: Session, role: Role, went: Walk) -> RuleText:
    """Find a rule for a position that is right wherever it applies."""
    session.game.check_role(role)
    found = suggest_rule(session.need_solution(), session.state_of(went), role)
    return RuleText(
        found.text.strip(),
        f"right in all {found.states:,} positions of good play that it applies to",
    )


def compare_view(session: Session, text: str, other: str, role: Role | None) -> CompareView:
    """Say where two strategies choose differently."""
    first, role = read(session, text, role)
    second, _ = read(session, other, role)
    found = compare(first, second, session.need_solution().space, role)
    has_past = found.space is not session.need_solution().space
    groups = tuple(
        GroupView(
            group.rules,
            group.states,
            "" if has_past else write_line(session.line_to(group.example)),
            group.moves,
        )
        for group in found.groups[:50]
    )
    return CompareView(
        role, found.states, found.different, groups, max(0, len(found.groups) - len(groups))
    )


def complete(
    session: Session, text: str, role: Role, seconds: float, report: Report
) -> SynthesisView:
    """Complete a rule list by synthesis, its rules first; the work of a job."""
    report("preparing")
    strategy, role = read(session, text, role)
    start = strategy if text.strip() and strategy.text == text else None
    options = Options(seconds=min(seconds, _MOST_SECONDS), max_states=6_000_000)
    found = synthesise(
        session.need_solution().space.game, role, options, start=start, report=report
    )
    bound = (
        "fewer rules cannot do" if found.proved_minimal else f"at least {found.lower_bound} needed"
    )
    return SynthesisView(
        found.strategy.text,
        found.verdict.rules,
        found.verdict.literals,
        f"strongly optimal; {bound}; {found.seconds:.1f} s",
    )


def simplify(session: Session, text: str, role: Role, report: Report) -> SynthesisView:
    """Drop what a rule list does not need; the work of a job."""
    strategy, role = read(session, text, role)
    report("checking")
    found = minimise(
        strategy,
        session.need_solution(),
        role,
        progress=lambda rules, literals: report(f"{rules} rules with {literals} literals"),
    )
    return SynthesisView(
        found.strategy.text,
        found.verdict.rules,
        found.verdict.literals,
        f"from {found.before.rules} rules with {found.before.literals} literals; "
        f"still {found.kept.replace('_', ' ')}",
    )
