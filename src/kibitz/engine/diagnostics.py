"""Diagnose what only an engine sees: fluents never made, unusable goals, a faulty start.

Grounding lists every fluent that some chain of rules could make, whatever else the rules forbid;
so one that is not listed holds in no state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kibitz.budget import Budget, run_within
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.game import Role, State
from kibitz.engine.reference import ReferenceGame
from kibitz.errors import BudgetExceededError, Diagnostic, KibitzError, Place
from kibitz.gdl import Atom, Dependencies, Function, Rule, RuleSheet, Term, unify, unset_terms


@dataclass(frozen=True, slots=True)
class OutOfReach:
    """A goal that a role never gets, and a fluent that it needs and that no rule makes."""

    role: Role
    goal: int
    fluent: Term

    @property
    def text(self) -> str:
        """The unreachable goal and the reason, in words."""
        return f"the goal of {self.goal} cannot be reached: nothing makes {self.fluent}"


def unmade_fluents(game: CompiledGame) -> Iterator[Diagnostic]:
    """GDL031: fluents that no rule makes, where the end or a goal depends on them.

    Those that no head of `init` or `next` looks like are reported without grounding.

    >>> from kibitz.gdl import read
    >>> sheet = read("(role a) (init (at 1)) (succ 1 2) (legal a go) (<= terminal (true (at 9)))"
    ...     "(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n)) (goal a 0)", name="walk")
    >>> [found.message for found in unmade_fluents(CompiledGame(sheet))]
    ['nothing makes (at 9)']
    """
    sheet = game.sheet
    known = {found.place for found in unset_terms(sheet)}
    dependencies = Dependencies.of(sheet)
    wanted = {"goal", "terminal"}.union(*map(dependencies.reachable, ("goal", "terminal")))
    lost = out_of_reach(game)
    for rule, missing in _unmade(game).items():
        if rule.head.relation in wanted and not any(term.place in known for term in missing):
            more = f", nor {len(missing) - 1} more that this rule asks for" * (len(missing) > 1)
            is_why = lost is not None and lost.fluent is missing[0]
            so = f", so {lost.role} never gets {lost.goal}" if lost and is_why else ""
            yield Diagnostic.warning(
                "GDL031",
                f"nothing makes {missing[0]}{more}{so}",
                missing[0].place,
                "look for names that other rules write otherwise",
            )


def out_of_reach(game: CompiledGame) -> OutOfReach | None:
    """Return the highest goal that rules name for the first role, if nothing can make it hold."""
    rules = [
        rule
        for rule in game.sheet.rules
        if rule.head.relation == "goal" and len(rule.head.args) == 2
        if not isinstance(rule.head.args[0], Function) or str(rule.head.args[0]) == game.roles[0]
    ]
    values = [str(rule.head.args[1]) for rule in rules]
    if not rules or not all(value.isdecimal() for value in values):
        return None
    best = max(map(int, values))
    unmade = _unmade(game)
    dead: dict[str, Term] = {}

    def reason(rule: Rule) -> Term | None:
        if rule in unmade:
            return unmade[rule][0]
        atoms = (atom.relation for atom in rule.body if isinstance(atom, Atom))
        return next((dead[name] for name in atoms if name in dead), None)

    while True:
        reasons: dict[str, list[Term | None]] = {}
        for rule in game.sheet.rules:
            reasons.setdefault(rule.head.relation, []).append(reason(rule))
        more = {
            name: found[0]
            for name, found in reasons.items()
            if name not in dead and found[0] is not None and None not in found
        }
        if not more:
            break
        dead |= more
    why = [reason(rule) for rule, value in zip(rules, values, strict=True) if int(value) == best]
    if why[0] is None or None in why:
        return None
    return OutOfReach(game.roles[0], best, why[0])


def _unmade(game: CompiledGame) -> dict[Rule, tuple[Term, ...]]:
    """Return the fluents that rules ask for and that hold in no state, rule by rule."""
    network = game.network
    made: dict[tuple[str, int], list[Function]] = {}
    for fluent in (*network.fluents, *(hidden.fluent for hidden in network.hidden)):
        made.setdefault((fluent.name, len(fluent.args)), []).append(fluent)
    sets = {kind: set(fluents) for kind, fluents in made.items()}
    holds: dict[Term, bool] = {}

    def can_hold(term: Term) -> bool:
        if not isinstance(term, Function):
            return True
        kind = (term.name, len(term.args))
        if term not in holds:
            holds[term] = term in sets.get(kind, ()) or any(
                unify(term, fluent, {}) is not None for fluent in made.get(kind, ())
            )
        return holds[term]

    found = {
        rule: tuple(
            atom.args[0]
            for atom in rule.body
            if isinstance(atom, Atom) and atom.relation == "true" and not can_hold(atom.args[0])
        )
        for rule in game.sheet.rules
    }
    return {rule: missing for rule, missing in found.items() if missing}


def goal_error(state: State, role: Role) -> KibitzError:
    """Describe what is wrong with the goal of a role in a state in which it is None.

    >>> from kibitz.gdl import parse
    >>> text = "(role a) (init (w 150)) (legal a go) terminal (<= (goal a ?v) (true (w ?v)))"
    >>> print(goal_error(ReferenceGame(parse(text, name="g")).initial(), "a").message)
    a terminal state of g gives a the goal 150 (line 1), which is not a whole number from 0 to 100
    """
    sheet = state.game.sheet
    found = ReferenceGame(sheet).goal_terms(state.fluents, role)
    start = f"a terminal state of {sheet.name} gives {role}"
    hint = f"it is {' '.join(map(str, state.fluents))}"[:300]
    if not found:
        return KibitzError(f"{start} no goal", hint=hint)
    values = " and ".join(f"{value}{_lines(sheet, role, value)}" for value in found[:3])
    if len(found) > 1:
        return KibitzError(f"{start} more than one goal: {values}", hint=hint)
    return KibitzError(
        f"{start} the goal {values}, which is not a whole number from 0 to 100", hint=hint
    )


def _lines(sheet: RuleSheet, role: Role, value: Function) -> str:
    """Name the lines of the rules that can give a role a goal."""
    lines = []
    for rule in sheet.rules:
        if rule.head.relation == "goal" and len(rule.head.args) == 2:
            who, what = rule.head.args
            if (not isinstance(who, Function) or str(who) == role) and (
                not isinstance(what, Function) or what == value
            ):
                lines.append(str(sheet.source.position(rule.place.start)[0]))
    if not lines or not sheet.source.text:
        return ""
    return f" (line {lines[0]})" if len(lines) == 1 else f" (lines {', '.join(lines[:5])})"


def diagnose_start(sheet: RuleSheet, budget: Budget) -> tuple[Diagnostic, ...]:
    """Report roles that have no legal move in the initial state, unless play has ended there.

    >>> from kibitz.gdl import read
    >>> sheet = read("(role me) (role you) (legal me go) (<= terminal (true over)) (goal me 0)")
    >>> [d.message for d in diagnose_start(sheet, Budget())]
    ['you has no legal move in the initial state']
    """
    try:
        stuck = run_within(budget, lambda: _stuck_roles(sheet), doing="the initial state")
    except BudgetExceededError as error:
        return (Diagnostic.warning("GDL029", error.message, Place(0, 1), error.hint),)
    places = {str(r.head.args[0]): r.place for r in sheet.rules if r.head.relation == "role"}
    return tuple(
        Diagnostic.error(
            "GDL025",
            f"{role} has no legal move in the initial state",
            places.get(role, Place(0, 1)),
            "every role needs a move in every state that is not terminal, such as (legal "
            f"{role} noop)",
        )
        for role in stuck
    )


def _stuck_roles(sheet: RuleSheet) -> list[str]:
    game = ReferenceGame(sheet)
    state = game.initial()
    return [] if state.is_terminal else [role for role in game.roles if not state.legal(role)]
