"""Translate a RuleSheet to the same game with rules of change instead of frame rules.

Paper 002, "The complete translation". `fnext(f)` says that f, which holds, will not hold next.
The paper's state transition (8) is one rule of the result,

    (<= (next ?f) (true ?f) (not (fnext ?f)))

so any reasoner can play it; one that knows the rule takes out of the state what `fnext` gives,
and does nothing for what stays. All kinds of fluents are translated; of a kind without frame
rules nothing stays, and a rule says so.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, count

from kibitz.engine.frame.argument_domains import FrameRules, Functor, find_frame_rules
from kibitz.engine.frame.fluent_ends import Case, Ending, Persisting, endings, persisting
from kibitz.engine.frame.literals import (
    Covering,
    JointMove,
    Listed,
    Literal,
    apply_to,
    direct,
    generic,
    place_at,
    pruned,
    tidy,
    variables_in,
)
from kibitz.engine.frame.static_knowledge import Knowledge, Values
from kibitz.engine.frame.unfolding import Auxiliaries
from kibitz.errors import InputError, Place
from kibitz.gdl import (
    Atom,
    Distinct,
    Function,
    Not,
    Rule,
    RuleSheet,
    Variable,
    atoms_of,
    clauses_of,
    substitute,
)

_F = Variable("f")
STAYS = Rule(Atom("next", (_F,)), (Atom("true", (_F,)), Not(Atom("fnext", (_F,)))))
"""State transition (8) of paper 002 as a rule: what does not end stays."""


@dataclass(frozen=True, slots=True)
class Translation:
    """A translated rule sheet, and how it was made."""

    sheet: RuleSheet
    covering: Covering
    basis: tuple[Atom, ...]
    frame_rules: int
    fnext_rules: int
    auxiliary_rules: int
    joint_moves_before: int
    joint_moves: int
    seconds: float
    notes: tuple[str, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether there was anything to translate."""
        return bool(self.frame_rules)


def translate(sheet: RuleSheet, covering: Covering = Covering.DIRECT) -> Translation:
    """Translate the frame rules of a sheet.

    The pruned covering leaves out the general joint moves that are proved impossible.

    >>> from kibitz.games import load_sheet
    >>> for rule in translate(load_sheet("tictactoe"), Covering.PRUNED).sheet.rules:
    ...     if rule.head.relation == "fnext":
    ...         print(rule)
    (<= (fnext (cell ?row ?col ?content)) (does xplayer (mark ?row ?col)) (does oplayer noop) \
(true (cell ?row ?col ?content)))
    (<= (fnext (cell ?row ?col ?content)) (does xplayer noop) (does oplayer (mark ?row ?col)) \
(true (cell ?row ?col ?content)))
    (<= (fnext (control ?x1)) (true (control ?x1)))
    """
    start = time.perf_counter()
    used = {atom.relation for rule in sheet.rules for f in rule.body for atom, _ in atoms_of(f)}
    used |= {rule.head.relation for rule in sheet.rules}
    if "fnext" in used:
        raise InputError(
            f"{sheet.name} has a relation fnext already",
            hint="it is already translated, or the relation needs another name",
        )
    knowledge = Knowledge(clauses_of(sheet))
    domains = knowledge.domains
    frames = find_frame_rules(sheet, domains.fluents())
    if not frames.count or not domains.is_complete:
        reason = (
            "some fluent, role or move can be anything, so its kind is not known"
            if frames.count
            else "no rule is a frame rule"
        )
        seconds = time.perf_counter() - start
        note = f"{reason}; the rules are returned as they are"
        return Translation(sheet, covering, (), 0, 0, 0, 0, 0, seconds, (note,))
    notes: list[str] = []
    listed = _cover(sheet, covering, knowledge, notes)
    rules, auxiliaries = _Translator(knowledge, frames, listed, used).run()
    written = set(map(id, sheet.rules))
    end = Place(len(sheet.source.text), len(sheet.source.text))
    result = replace(
        sheet,
        rules=tuple(
            rule if id(rule) in written else place_at(rule, end)
            for rule in (*frames.others, STAYS, *rules, *auxiliaries)
        ),
    )
    return Translation(
        result,
        covering,
        tuple(Atom("next", (_fluent(f, domains.names(f)),)) for f in domains.fluents()),
        frames.count,
        len(rules),
        len(auxiliaries),
        listed.before,
        len(listed.joint_moves),
        time.perf_counter() - start,
        tuple(notes),
    )


def _cover(sheet: RuleSheet, covering: Covering, knowledge: Knowledge, notes: list[str]) -> Listed:
    match covering:
        case Covering.GENERIC:
            return generic(knowledge.domains)
        case Covering.DIRECT:
            return direct(knowledge.domains, sheet.name)
        case Covering.PRUNED:
            from kibitz.engine.frame.abstraction import find_impossible

            return pruned(knowledge.domains, sheet.name, find_impossible(sheet, notes))


def _fluent(functor: Functor, names: tuple[str, ...]) -> Function:
    return Function(functor[0], tuple(map(Variable, names)))


class _Translator:
    def __init__(
        self, knowledge: Knowledge, frames: FrameRules, listed: Listed, used: set[str]
    ) -> None:
        self.knowledge = knowledge
        self.frames = frames
        self.joints = listed.joint_moves
        self.names: Iterator[int] = count()
        self.auxiliaries = Auxiliaries(used)

    def run(self) -> tuple[list[Rule], list[Rule]]:
        """Return the fnext rules, and the rules of auxiliary relations."""
        cases: dict[Functor, list[tuple[Case, list[Persisting]]]] = {}
        for functor in self.knowledge.domains.fluents():
            cases[functor] = []
            for joint in self.joints:
                case = self.case(functor, joint)
                kept = [
                    one
                    for rule in self.frames.kept.get(functor, ())
                    for one in persisting(rule, case, self.knowledge, self.names)
                ]
                cases[functor].append((case, kept))
        self.knowledge.learn(
            (condition, case.values)
            for listed in cases.values()
            for case, kept in listed
            for one in kept
            for condition in one.conditions
        )
        found: dict[Rule, None] = {}
        for listed in cases.values():
            found.update(dict.fromkeys(self.rules(listed)))
        return list(found), self.auxiliaries.rules

    def case(self, functor: Functor, joint: JointMove) -> Case:
        domains = self.knowledge.domains
        names = domains.names(functor)
        fluent = _fluent(functor, names)
        values: Values = {}
        for place, variable in enumerate(fluent.args):
            assert isinstance(variable, Variable)
            known = domains.of("true", 0, functor, place)
            if known is not None:
                values[variable] = tuple(sorted(known))
        for move in (atom.args[1] for atom in joint):
            if isinstance(move, Function):
                for place, variable in enumerate(move.args):
                    assert isinstance(variable, Variable)
                    known = domains.of("does", 1, (move.name, len(move.args)), place)
                    if known is not None:
                        values[variable] = tuple(sorted(known))
        return Case.of(fluent, joint, values)

    def rules(self, listed: list[tuple[Case, list[Persisting]]]) -> Iterator[Rule]:
        """Return the rules of one kind of fluent, those without moves for what any move does."""
        by_case = [
            (case, endings(kept, case, self.knowledge, self.auxiliaries, self.names))
            for case, kept in listed
        ]
        without: list[set[Rule]] = [
            {rule for e in found if (rule := _rule(case, e, with_moves=False)) is not None}
            for case, found in by_case
        ]
        always = set.intersection(*without) if without else set()
        yield from sorted(map(tidy, always), key=str)
        for case, found in by_case:
            for ending in found:
                if _rule(case, ending, with_moves=False) not in always:
                    rule = _rule(case, ending, with_moves=True)
                    if rule is not None:
                        yield tidy(rule)


def _rule(case: Case, ending: Ending, *, with_moves: bool) -> Rule | None:
    """Write a way to end as a rule; without moves only if it does not depend on them.

    None if it does, or if it asks one role to make two moves.
    """
    fluent = substitute(case.fluent, ending.bindings)
    moves: tuple[Literal, ...] = tuple(apply_to(atom, ending.bindings) for atom in case.joint)
    rest: tuple[Literal, ...] = (Atom("true", (fluent,)), *ending.literals)
    if with_moves:
        roles = [substitute(atom.args[0], ending.bindings) for atom in case.joint]
        pairs = list(combinations(roles, 2))
        if any(a == b for a, b in pairs):
            return None
        differ = tuple(
            Distinct(a, b) for a, b in pairs if isinstance(a, Variable) or isinstance(b, Variable)
        )
        return Rule(Atom("fnext", (fluent,)), (*moves, *differ, *rest))
    own = set(variables_in(case.joint)) - set(variables_in([case.fluent]))
    if own & set(variables_in(rest)):
        return None
    if any(v in ending.bindings for v in own):
        return None
    return Rule(Atom("fnext", (fluent,)), rest)
