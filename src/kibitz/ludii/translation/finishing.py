"""Compiled rules in, rules in GDL out: stages get names, and what nothing asks for is left out."""

from __future__ import annotations

from dataclasses import replace

from kibitz.gdl import Atom, Formula, Function, Not, Or, Rule
from kibitz.ludii.translation.core import World

__all__ = ["reachable", "relations_of", "resolved"]

_NAMES = {"cell": "after", "put": "put", "clear": "cleared"}


def resolved(
    formula: Formula,
    stages: set[int],
    names: dict[object, str],
    worlds: dict[str, World],
    variables: set[int],
) -> Formula:
    """Name the board of a stage in a formula: where nothing changes it, the one before."""
    match formula:
        case Not():
            return Not(resolved(formula.formula, stages, names, worlds, variables))
        case Or():
            parts = formula.formulas
            return Or(tuple(resolved(one, stages, names, worlds, variables) for one in parts))
        case Atom() if formula.relation.startswith("@at_least "):
            return Atom(names[formula.relation], formula.args)
        case Atom() if formula.relation.startswith("@"):
            kind, number, *world = formula.relation[1:].split()
            stage = int(number)
            if kind in ("var", "varput"):
                return _variable(formula, kind, stage, world, variables)
            if world:
                return _in_world(formula, kind, stage, world[0], worlds[world[0]].stages)
            if kind == "hand":
                if stage == 0:
                    return Atom("true", (Function("hand", formula.args),))
                return Atom("in_hand_after", formula.args)
            if kind == "cell":
                stage = max((one for one in stages if one <= stage), default=0)
                if stage == 0:
                    return Atom("true", (Function("cell", formula.args),))
            suffix = "" if stage == 1 else f"_{stage}"
            return Atom(f"{_NAMES[kind]}{suffix}", formula.args)
    return formula


def _variable(formula: Atom, kind: str, stage: int, rest: list[str], stages: set[int]) -> Atom:
    """Name a variable in a stage: where nothing sets one, as in the stage before."""
    if kind == "var":
        stage = max((one for one in stages if one <= stage), default=0)
        if stage == 0:
            return Atom("true", (Function("var", formula.args),))
        return Atom(f"var_after_{stage}", formula.args)
    return Atom(f"{'var_is_set' if rest else 'var_set'}_{stage}", formula.args)


def _in_world(formula: Atom, kind: str, stage: int, world: str, stages: set[int]) -> Atom:
    """Name the board of a stage of what is only imagined."""
    if kind == "cell":
        stage = max(one for one in stages if one <= stage)
    first = "" if stage == min(stages) else f"_stage_{stage}"
    suffix = "" if kind == "cell" else f"_{_NAMES[kind]}"
    return Atom(f"{world}{suffix}{first}", formula.args)


def reachable(rules: list[Rule], facts: list[Rule]) -> list[Rule]:
    """Leave out rules of relations that have no rules or that nothing asks for."""
    rules = list(rules)
    while True:
        defined = {rule.head.relation for rule in [*rules, *facts]} | _GIVEN
        kept = [rule for rule in (_simplified(rule, defined) for rule in rules) if rule]
        if kept == rules:
            break
        rules = kept
    asked = {"legal", "next", "terminal", "goal", "role", "init"}
    by_head: dict[str, list[Rule]] = {}
    for rule in [*rules, *facts]:
        by_head.setdefault(rule.head.relation, []).append(rule)
    todo = list(asked)
    while todo:
        for rule in by_head.get(todo.pop(), []):
            for relation in relations_of(rule):
                if relation not in asked:
                    asked.add(relation)
                    todo.append(relation)
    return [rule for rule in [*rules, *facts] if rule.head.relation in asked]


_GIVEN = {"true", "does", "role"}


def relations_of(rule: Rule) -> set[str]:
    """Return the relations in the body of a rule."""
    found: set[str] = set()
    for formula in rule.body:
        inner = formula.formula if isinstance(formula, Not) else formula
        if isinstance(inner, Atom):
            found.add(inner.relation)
    return found


def _simplified(rule: Rule, defined: set[str]) -> Rule | None:
    """Drop what holds always, and rules that can never apply."""
    body: list[Formula] = []
    for formula in rule.body:
        if isinstance(formula, Atom) and formula.relation not in defined:
            return None
        if (
            isinstance(formula, Not)
            and isinstance(formula.formula, Atom)
            and formula.formula.relation not in defined
        ):
            continue
        body.append(formula)
    return replace(rule, body=tuple(body))
