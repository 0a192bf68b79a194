"""Rules with numbered moves in, rules with one name for moves that never meet out.

Moves that do different things have numbers at first: `step`, `step_2`. Where a literal of the
position says which of two moves a term can only mean, such as the piece that moves or whether the
last place is empty, both get one name, and what only one of them does asks for that literal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import cast

from kibitz.gdl import Atom, Formula, Function, Not, Rule, Term, Variable, variables_of
from kibitz.ludii.translation.substitution import substituted

__all__ = ["merge_moves"]

Body = tuple[Formula, ...]

_DEPTH = 2
"""How many relations within one another are looked into for literals."""


def merge_moves(rules: list[Rule], facts: list[Rule]) -> list[Rule]:
    """Give moves one name where the position decides what they do."""
    moves = _Moves(rules, facts)
    for names in _alike(name for name, _ in moves.options):
        together: list[str] = []
        for name in names:
            if all(moves.are_apart(name, other) for other in together):
                together.append(name)
        if len(together) > 1:
            rules = _merged(rules, moves, together)
    return rules


def _alike(names: Iterable[str]) -> list[list[str]]:
    """Return the names that differ in their numbers only."""
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        found.setdefault(re.sub(r"_\d+$", "", name), []).append(name)
    return [sorted(alike, key=lambda name: (len(name), name)) for alike in found.values()]


class _Moves:
    """When moves may be made, and what tells one from another."""

    def __init__(self, rules: list[Rule], facts: list[Rule]) -> None:
        self.options: dict[tuple[str, Term], list[Rule]] = {}
        self.rows: dict[str, set[tuple[Term, ...]]] = {}
        self.defined: dict[str, list[Rule]] = {}
        for rule in rules:
            self.defined.setdefault(rule.head.relation, []).append(rule)
            if rule.head.relation == "can" and isinstance(move := rule.head.args[1], Function):
                self.options.setdefault((move.name, rule.head.args[0]), []).append(rule)
        for fact in facts:
            self.rows.setdefault(fact.head.relation, set()).add(fact.head.args)
        self.occupied = next((name for name, of in self.defined.items() if _is_occupied(of)), "")
        """The relation that says that something stands on a site."""

    def are_apart(self, name: str, other: str) -> bool:
        """Return whether the position always says which of two moves is meant."""
        roles = {role for known, role in self.options if known in (name, other)}
        pairs = ((name, other), (other, name))
        return all(self.guard(*pair, role) is not None for role in roles for pair in pairs)

    def guard(self, name: str, other: str, role: Term) -> list[Body] | None:
        """Return alternatives of which one holds of a move, and none of another; None for none.

        Their variables are those of the move, by their positions.
        """
        theirs = [self._literals(rule) for rule in self.options.get((other, role), [])]
        found: list[Body] = []
        for rule in self.options.get((name, role), []) if theirs else ():
            mine = self._literals(rule)
            chosen: list[Formula] = []
            for known in theirs:
                apart = [one for one in mine if any(self._exclude(one, two) for two in known)]
                if not apart:
                    return None
                chosen.append(min(apart, key=lambda one: one not in chosen))
            found.append(tuple(dict.fromkeys(chosen)))
        return list(dict.fromkeys(found))

    def _literals(self, rule: Rule) -> list[Formula]:
        """Return what a rule asks of the places of its move alone."""
        args = cast("Function", rule.head.args[1]).args
        names: dict[str, Term] = {
            arg.name: Variable(f"at{n}") for n, arg in enumerate(args) if isinstance(arg, Variable)
        }
        return [
            substituted(formula, names)
            for formula in self._asked(rule.body, _DEPTH)
            if all(v.name in names for v in variables_of(formula))
        ]

    def _asked(self, body: Iterable[Formula], depth: int) -> Iterator[Formula]:
        """Yield literals, also those of relations that have a single rule."""
        for formula in body:
            if not isinstance(formula, Atom | Not):
                continue
            yield formula
            if not isinstance(formula, Atom):
                continue
            held = _held(formula)
            if held and self.occupied and isinstance(held[1], Variable):  # whatever stands there
                yield Atom(self.occupied, held[:1])
            known = self.defined.get(formula.relation, [])
            if len(known) == 1 and depth and formula.relation != self.occupied:
                inner = known[0]
                names = _matched(inner.head, formula)
                hidden = {v.name for part in inner.body for v in variables_of(part)} - names.keys()
                names |= {name: Variable(f"{name} inside") for name in hidden}
                yield from self._asked((substituted(p, names) for p in inner.body), depth - 1)

    def _exclude(self, one: Formula, other: Formula) -> bool:
        """Return whether two literals never hold of the same move in the same position."""
        if one == Not(other) or other == Not(one):
            return True
        if isinstance(one, Not):
            one, other = other, one
        if not isinstance(one, Atom):
            return False
        if isinstance(other, Not):
            return isinstance(other.formula, Atom) and self._implies(one, other.formula)
        first, second = _held(one), _held(cast("Atom", other))
        if first and second:
            known = isinstance(first[-1], Function) and isinstance(second[-1], Function)
            return known and first[:-1] == second[:-1] and first[-1] != second[-1]
        rows = [self.rows.get(atom.relation) for atom in (one, cast("Atom", other))]
        if rows[0] is None or rows[1] is None or one.args != cast("Atom", other).args:
            return False
        return not rows[0] & rows[1]

    def _implies(self, one: Atom, other: Atom) -> bool:
        """Return whether a rule derives one atom from the other alone."""
        if other.relation == self.occupied:
            held = _held(one)
            return held is not None and held[:1] == other.args
        return any(
            [substituted(part, _matched(rule.head, other)) for part in rule.body] == [one]
            for rule in self.defined.get(other.relation, [])
        )


def _is_occupied(rules: list[Rule]) -> bool:
    (rule, *others) = rules
    (part, *more) = rule.body or (None,)
    held = _held(part) if isinstance(part, Atom) else None
    if held is None or others or more:
        return False
    return isinstance(held[1], Variable) and held[1] != held[0] and rule.head.args == held[:1]


def _matched(head: Atom, atom: Atom) -> dict[str, Term]:
    """Return what the variables of a head stand for in an atom."""
    pairs = zip(head.args, atom.args, strict=True)
    return {left.name: right for left, right in pairs if isinstance(left, Variable)}


def _held(atom: Atom) -> tuple[Term, ...] | None:
    """Return a place and what stands there, or a player and the phase."""
    inner = atom.args[0] if atom.relation == "true" else None
    is_single = isinstance(inner, Function) and inner.name in ("cell", "phase")
    return cast("Function", inner).args if is_single else None


@dataclass(frozen=True)
class _Use:
    """A rule about a move that is made, and the literal that says so."""

    rule: Rule
    does: Atom

    @property
    def move(self) -> Function:
        return cast("Function", self.does.args[1])

    def key(self) -> str:
        """Return the rule with other names for its variables and without that of the move."""
        plain = replace(self.does, args=(self.does.args[0], replace(self.move, name="move")))
        rest = [formula for formula in self.rule.body if formula != self.does]
        names: dict[str, Term] = {}
        for formula in (plain, self.rule.head, *rest):
            for variable in variables_of(formula):
                names.setdefault(variable.name, Variable(f"v{len(names)}"))
        return " ".join(str(substituted(one, names)) for one in (self.rule.head, plain, *rest))


def _merged(rules: list[Rule], moves: _Moves, names: list[str]) -> list[Rule]:
    """Write the first name for all of them."""
    made: dict[str, set[tuple[str, Term]]] = {}
    for rule in rules:
        if (use := _use(rule, names)) is not None:
            made.setdefault(use.key(), set()).add((use.move.name, use.does.args[0]))
    found: list[Rule] = []
    for rule in rules:
        head, body = rule.head, list(rule.body)
        guards: list[Body] = [()]
        if (use := _use(rule, names)) is not None:
            role = use.does.args[0]
            variants = {name for name in names if (name, role) in moves.options}
            if {name for name, who in made[use.key()] if who == role} < variants:
                guards = _guards(use, moves, names)
            does = replace(use.does, args=(role, replace(use.move, name=names[0])))
            body = [does if formula == use.does else formula for formula in body]
        elif head.relation == "can" and isinstance(move := head.args[1], Function):
            name = names[0] if move.name in names else move.name
            head = replace(head, args=(head.args[0], replace(move, name=name)))
        found += [replace(rule, head=head, body=tuple(dict.fromkeys((*body, *g)))) for g in guards]
    return found


def _use(rule: Rule, names: list[str]) -> _Use | None:
    for formula in rule.body:
        if isinstance(formula, Atom) and formula.relation in ("does", "makes"):
            move = formula.args[1]
            if isinstance(move, Function) and move.name in names:
                return _Use(rule, formula)
    return None


def _guards(use: _Use, moves: _Moves, names: list[str]) -> list[Body]:
    """Return alternatives of what says that a move is the one that a rule is about."""
    role, name = use.does.args[0], use.move.name
    at: dict[str, Term] = {f"at{n}": arg for n, arg in enumerate(use.move.args)}
    others = [moves.guard(name, other, role) or [()] for other in names if other != name]
    return [
        tuple(dict.fromkeys(substituted(part, at) for body in bodies for part in body))
        for bodies in product(*others)
    ]
