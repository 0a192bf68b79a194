"""Rules in GDL in, the same rules as a person would write them out.

Places that are the same get one variable, moves that never meet one name, rules that are alike for
all players are written once, and variables are words.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from kibitz.gdl import Atom, Function, Rule, Term, Variable, variables_of
from kibitz.ludii.translation.move_names import merge_moves
from kibitz.ludii.translation.substitution import mapped, substituted

__all__ = ["polished"]

_WORDS = {"f": "from", "p": "piece", "s": "site", "t": "to"}
"""What the letters of variables stand for."""

_PLAYER = Variable("player")


def polished(rules: list[Rule], facts: list[Rule], same: str | None) -> list[Rule]:
    """Return rules that are easier to read; the fact `same` says that two sites are one."""
    rules = [replace(rule, body=tuple(dict.fromkeys(rule.body))) for rule in rules]
    rules = [rule for rule in rules if len(_turns(rule)) < 2]
    if same is not None:
        rules = [_unified(rule, same) for rule in rules]
    rules = [_spelled(rule) for rule in merge_moves(rules, facts)]
    return list(dict.fromkeys(_for_all_players(rules)))


def _unified(rule: Rule, same: str) -> Rule:
    """Write one variable for two that are the same site, where the rest of the rule binds it."""
    for formula in rule.body:
        if not isinstance(formula, Atom) or formula.relation != same:
            continue
        right, left = cast("tuple[Variable, Variable]", sorted(formula.args, key=_is_of_move))
        names: dict[str, Term] = {right.name: left}
        body = [substituted(one, names) for one in rule.body if one is not formula]
        bound = {v.name for one in body if isinstance(one, Atom) for v in variables_of(one)}
        if left.name in bound:
            head = cast("Atom", substituted(rule.head, names))
            return _unified(replace(rule, head=head, body=tuple(dict.fromkeys(body))), same)
    return rule


def _turns(rule: Rule) -> set[Term]:
    """Return whose turn a rule asks for; no position has the turn of two."""
    inner = (one.args[0] for one in rule.body if isinstance(one, Atom) and one.relation == "true")
    turns = [one for one in inner if isinstance(one, Function) and one.name == "control"]
    return {one.args[0] for one in turns if isinstance(one.args[0], Function)}


def _is_of_move(term: Term) -> bool:
    return cast("Variable", term).name[0] in "ft"


def _for_all_players(rules: list[Rule]) -> list[Rule]:
    """Write rules that are alike for all players once."""
    names = {str(rule.head.args[0]) for rule in rules if rule.head.relation == "role"}
    if len(names) < 2:
        return rules
    general: dict[Rule, Rule] = {}
    alike: dict[Rule, set[str]] = {}
    for rule in rules:
        lifted, role = _lifted(rule, names)
        binding = [part for part in lifted.body if isinstance(part, Atom) and _binds(part)]
        if role and binding:
            if not any(map(_is_of_player, binding)):
                lifted = replace(lifted, body=(Atom("role", (_PLAYER,)), *lifted.body))
            general[rule] = lifted
            alike.setdefault(lifted, set()).add(role)
    return [
        general[rule] if rule in general and alike[general[rule]] == names else rule
        for rule in rules
    ]


def _binds(atom: Atom) -> bool:
    return any(variable == _PLAYER for variable in variables_of(atom))


def _is_of_player(atom: Atom) -> bool:
    """Return whether an atom only ever holds of players, not of `nobody`."""
    (first, *_) = atom.args
    named = first.name if atom.relation == "true" else atom.relation
    return named in ("does", "makes", "can", "control", "last_mover", "phase", "hand", "seat")


def _lifted(rule: Rule, names: set[str]) -> tuple[Rule, str]:
    """Write a variable in the place of a role, where a rule is about one only."""
    roles: set[str] = set()

    def lift(term: Term) -> Term:
        if isinstance(term, Function) and term.name in names:
            roles.add(term.name)
            return _PLAYER
        return term

    head = cast("Atom", mapped(rule.head, lift))
    lifted = _spelled(Rule(head, tuple(mapped(formula, lift) for formula in rule.body)))
    return (lifted, roles.pop()) if len(roles) == 1 else (rule, "")


def _spelled(rule: Rule) -> Rule:
    """Name the variables of a rule by what they stand for."""
    names: dict[str, Term] = {}
    used: set[str] = set()
    for formula in (rule.head, *rule.body):
        for variable in variables_of(formula):
            if variable.name in names:
                continue
            plain = variable.name.rstrip("0123456789")
            word, number = _WORDS.get(plain, plain), 2
            name = word
            while name in used:
                name, number = f"{word}{number}", number + 1
            used.add(name)
            names[variable.name] = Variable(name)
    head = cast("Atom", substituted(rule.head, names))
    return Rule(head, tuple(substituted(formula, names) for formula in rule.body))
