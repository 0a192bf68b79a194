"""Learn rules from decisions, and match rules with variables against a state.

Constants at some places of fluents and moves become variables, all different, so a rule covers all
states that differ only in names. These places are found from the rules: a kind of constants may be
renamed where exchanging any two of them does not change the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kibitz.engine import Move, Role, State
from kibitz.gdl import (
    Atom,
    Clause,
    Function,
    Names,
    RuleSheet,
    Term,
    Variable,
    clauses_of,
    on_demand,
)

Mask = frozenset[tuple[str, int]]
"""Places whose constants become variables: the name of a function, and which of its arguments."""


@dataclass(frozen=True, slots=True)
class BestRule:
    """In states that these fluents describe, up to renaming, a role should make a move.

    Terms may have variables; different ones are different constants. With `is_exact` no other
    fluents may hold; this is not needed where all states have the same number of fluents.
    """

    fluents: tuple[Function, ...]
    role: Term
    move: Function
    is_exact: bool = False

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables of the rule, in the order in which they come."""
        found: dict[Variable, None] = {}
        for term in (*self.fluents, self.role, self.move):
            _collect(term, found)
        return tuple(found)

    def text(self, names: Names, *, timed: bool) -> str:
        """Write the rule for clingo."""
        holds = "holds({},T)" if timed else "true({})"
        head = f"best_do({names.term(self.role)},{names.term(self.move)}{',T' * timed})"
        body = [holds.format(names.term(fluent)) for fluent in self.fluents]
        if self.is_exact:
            body.append(f"#count {{ F : {holds.format('F')} }} = {len(self.fluents)}")
        return f"{head} :- {', '.join([*body, *self.apart(names)])}."

    def apart(self, names: Names) -> list[str]:
        """Write that different variables are different."""
        written = [names.term(variable) for variable in self.variables]
        return [f"{a} != {b}" for i, a in enumerate(written) for b in written[i + 1 :]]


def _collect(term: Term, found: dict[Variable, None]) -> None:
    if isinstance(term, Variable):
        found[term] = None
    else:
        for arg in term.args:
            _collect(arg, found)


def learn_rule(
    state: State, role: Role, move: Move, mask: Mask, *, is_exact: bool = False
) -> BestRule:
    """Make a rule of a decision.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:0,2"))
    >>> mask = frozenset({("heap", 0), ("reduce", 0), ("control", 0)})
    >>> move = game.initial().legal("player1")[0]
    >>> print(learn_rule(game.initial(), "player1", move, mask).text(Names(), timed=False))
    best_do(V1,reduce(V3,0)) :- true(control(V1)), true(heap(V2,0)), true(heap(V3,2)), \
V1 != V2, V1 != V3, V2 != V3.
    """
    variables: dict[Function, Variable] = {}

    def lift(term: Term) -> Term:
        if not isinstance(term, Function):
            return term
        return Function(
            term.name,
            tuple(
                variables.setdefault(arg, Variable(str(len(variables) + 1)))
                if (term.name, place) in mask and isinstance(arg, Function)
                else lift(arg)
                for place, arg in enumerate(term.args)
            ),
        )

    # Fluents that differ only by renaming are in one order, so that equal rules look equal.
    order = sorted(state.fluents, key=lambda fluent: (_shape(fluent, mask), str(fluent)))
    lifted = tuple(term for term in map(lift, order) if isinstance(term, Function))
    chosen = lift(move)
    assert isinstance(chosen, Function)
    player = Function(role)
    return BestRule(lifted, variables.get(player, player), chosen, is_exact)


def _shape(term: Term, mask: Mask) -> str:
    """Write a term without everything that becomes a variable."""
    if not isinstance(term, Function):
        return "?"
    args = [
        "?" if (term.name, place) in mask else _shape(arg, mask)
        for place, arg in enumerate(term.args)
    ]
    return f"({term.name} {' '.join(args)})"


def find_mask(sheet: RuleSheet) -> Mask:
    """Find the places whose constants can be exchanged without changing the rules.

    Places that share a variable somewhere hold constants of one kind. A kind may be renamed if the
    clauses, except those of the initial state, stay the same set whichever two of its constants are
    exchanged.

    >>> from kibitz.games import load_sheet
    >>> sorted(find_mask(load_sheet("nim:1,2,4,5")))
    [('control', 0), ('heap', 0), ('reduce', 0)]
    >>> sorted(find_mask(load_sheet("threemensmorris")))
    []
    """
    clauses = on_demand(clauses_of(sheet))
    rules = {clause for clause in map(_normal, clauses) if clause.head.relation != "init"}
    mask: set[tuple[str, int]] = set()
    for places, constants in kinds(clauses):
        inside = {(name, index) for is_term, name, index in places if is_term}
        if not inside or len(constants) < 2:
            continue
        if all(_exchanged(rules, a, b) == rules for a, b in pairwise(sorted(constants, key=str))):
            mask |= inside
    return frozenset(mask)


_Place = tuple[bool, str, int]


def kinds(clauses: Sequence[Clause]) -> list[tuple[set[_Place], set[Function]]]:
    """Group places by their possible values: those that share a variable, or true and next."""
    parent: dict[object, object] = {}

    def find(x: object) -> object:
        parent.setdefault(x, x)
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    constants: list[tuple[_Place, Function]] = []

    def walk(term: Term, place: _Place, number: int) -> None:
        find(place)
        if isinstance(term, Variable):
            parent[find((number, term))] = find(place)
            return
        if not term.args:
            constants.append((place, term))
        for index, arg in enumerate(term.args):
            walk(arg, (True, term.name, index), number)

    for number, clause in enumerate(clauses):
        for atom in (clause.head, *clause.positive, *clause.negative):
            relation = {"next": "true", "init": "true", "legal": "does"}.get(
                atom.relation, atom.relation
            )
            for index, arg in enumerate(atom.args):
                walk(arg, (False, relation, index), number)
    groups: dict[object, tuple[set[_Place], set[Function]]] = {}
    for key in list(parent):
        if isinstance(key, tuple) and len(key) == 3:
            groups.setdefault(find(key), (set(), set()))[0].add(key)
    for place, constant in constants:
        groups[find(place)][1].add(constant)
    return list(groups.values())


def _normal(clause: Clause) -> Clause:
    """Rename variables in the order in which they come, and sort the body."""
    names: dict[Variable, Variable] = {}

    def rename(term: Term) -> Term:
        if isinstance(term, Variable):
            return names.setdefault(term, Variable(f"v{len(names)}"))
        return Function(term.name, tuple(map(rename, term.args)))

    renamed = _mapped(clause, rename)
    return Clause(
        renamed.head,
        tuple(sorted(renamed.positive, key=str)),
        tuple(sorted(renamed.negative, key=str)),
        tuple(
            sorted(((min(pair, key=str), max(pair, key=str)) for pair in renamed.distinct), key=str)
        ),
    )


def _exchanged(rules: Iterable[Clause], a: Function, b: Function) -> set[Clause]:
    def swap(term: Term) -> Term:
        if isinstance(term, Variable):
            return term
        if not term.args:
            return b if term == a else a if term == b else Function(term.name)
        return Function(term.name, tuple(map(swap, term.args)))

    return {_normal(_mapped(clause, swap)) for clause in rules}


def _mapped(clause: Clause, change: object) -> Clause:
    assert callable(change)

    def atom(old: Atom) -> Atom:
        return Atom(old.relation, tuple(change(arg) for arg in old.args))

    return Clause(
        atom(clause.head),
        tuple(map(atom, clause.positive)),
        tuple(map(atom, clause.negative)),
        tuple((change(left), change(right)) for left, right in clause.distinct),
    )


_TRIES = 2_000
"""How many fluents are tried for one match of a rule with variables."""

_Values = dict[Variable, Function]


def said_moves(rule: BestRule, holds: frozenset[Function], role: Role) -> set[Move]:
    """Return the moves that a rule recommends to a role, legal or not."""
    if not rule.variables:
        assert isinstance(rule.role, Function)
        fits = rule.role.name == role and holds.issuperset(rule.fluents)
        return {rule.move} if fits else set()
    moves: set[Move] = set()
    start = _unified(rule.role, Function(role), {})
    tries = _TRIES
    stack = [] if start is None else [(0, start)]
    while stack and tries:
        depth, values = stack.pop()
        if depth == len(rule.fluents):
            made = _filled(rule.move, values)
            assert isinstance(made, Function)
            moves.add(made)
            continue
        pattern = rule.fluents[depth]
        for fluent in holds:
            if fluent.name == pattern.name:
                tries -= 1
                further = _unified(pattern, fluent, values)
                if further is not None:
                    stack.append((depth + 1, further))
        tries = max(0, tries)
    return moves


def _unified(pattern: Term, term: Term, values: _Values) -> _Values | None:
    """Extend the values of variables so that a pattern becomes a term; different ones differ."""
    if isinstance(pattern, Variable):
        assert isinstance(term, Function)
        if pattern in values:
            return values if values[pattern] == term else None
        return None if term in values.values() else {**values, pattern: term}
    assert isinstance(term, Function)
    if pattern.name != term.name or len(pattern.args) != len(term.args):
        return None
    found: _Values | None = values
    for inner, outer in zip(pattern.args, term.args, strict=True):
        if found is not None:
            found = _unified(inner, outer, found)
    return found


def _filled(term: Term, values: _Values) -> Term:
    if isinstance(term, Variable):
        return values[term]
    return Function(term.name, tuple(_filled(arg, values) for arg in term.args))


def variables_in(term: Term) -> Iterator[Variable]:
    """Give the variables of a term, as often as they come."""
    if isinstance(term, Variable):
        yield term
    else:
        for arg in term.args:
            yield from variables_in(arg)
