"""Finish compiled rules: name moves, simplify, and leave out what nothing asks for.

Moves that do different things have numbers at first: `step`, `step_2`. Where a literal of the
position says which of two moves a term can only mean, such as the piece that moves or whether the
last place is empty, both get one name, and what only one of them does asks for that literal.

Places that are the same get one variable, moves that never meet one name, rules that are alike for
all players are written once, and variables are words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import cast

from kibitz.gdl import Atom, Formula, Function, Not, Or, Rule, Term, Variable, variables_of
from kibitz.ludii.translation.core import World, mapped, substituted

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
