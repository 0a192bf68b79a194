"""Find fluents that rules ask for and no rule makes, and goals that nobody gets for want of one.

Grounding lists every fluent that some chain of rules could make, whatever else the rules forbid;
so one that is not listed holds in no state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.game import Role
from kibitz.errors import Diagnostic
from kibitz.gdl import Atom, Dependencies, Function, Rule, Term, unify, unset_terms

__all__ = ["OutOfReach", "out_of_reach", "unmade_fluents"]


@dataclass(frozen=True, slots=True)
class OutOfReach:
    """A goal that a role never gets, and a fluent that it needs and that no rule makes."""

    role: Role
    goal: int
    fluent: Term

    @property
    def text(self) -> str:
        """What cannot be reached, and why."""
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
