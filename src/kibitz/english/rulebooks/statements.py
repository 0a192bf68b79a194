"""A RuleSheet in, all its rules as sentences with letters out, checked rule for rule.

Every clause that matters to the game becomes a sentence, facts of a kind together. The sentences
are read back, and the clauses that this makes must be those of the rule sheet, up to the names of
things: then both are the same game, whatever its size.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import kibitz.rulebook as m
from kibitz.english.rulebooks.canonical_clauses import (
    Range,
    canonical,
    clause_variables,
    fact_lists,
    is_implied,
    live_clauses,
    player_of,
    stays,
    turn_clauses,
)
from kibitz.english.rulebooks.forms import Forms, forms_of
from kibitz.english.rulebooks.names import plainly_named
from kibitz.errors import KibitzError
from kibitz.gdl import (
    Atom,
    Clause,
    Function,
    RuleSheet,
    Term,
    Variable,
    clauses_of,
    parse,
    variables_of,
)
from kibitz.rulebook import letter_of, write_term

_MOST_CLAUSES = 2_000
_MOST_WORDS = 45
"""Words of a sentence with alternatives; more become sentences of their own."""
_RESULTS = {"100": "wins", "50": "draws", "0": "loses"}


def statements_of(sheet: RuleSheet, names: Mapping[str, str]) -> m.Rules | None:
    """Write a rule sheet as sentences; None if they would not be read back as the same rules.

    `names` has what each role is called.

    >>> from kibitz.games import load_sheet
    >>> rules = statements_of(load_sheet("roshambo"), {})
    >>> print(m.write_rulebook(rules).splitlines()[1])
    What can change: the number of rounds is A; the score of A is B.
    """
    clauses = plainly_named(live_clauses(sheet), names)
    if len(clauses) > _MOST_CLAUSES:
        return None
    writer = _Writer(clauses, names)
    if not writer.are_names_apart():
        return None
    players = m.Players(tuple(name.replace(" ", "") for name in writer.roles.values()))
    rules = m.Rules.of([players, *map(m.Statement, writer.text())])
    try:
        again = m.read_sentences(m.write_rulebook(rules)).rules
        read = clauses_of(parse(m.gdl_of(again)))
    except KibitzError:
        return None
    if again != rules or {canonical(c) for c in read} != {
        canonical(writer.renamed(c)) for c in clauses
    }:
        return None
    return rules


def lettered_sentences(
    clauses: Sequence[Clause], names: Mapping[str, str], *, keep: Set[str] = frozenset()
) -> list[str] | None:
    """Write clauses as sentences; None if two things would be read as one.

    What has a name of `keep` must be read as that; clauses need not be a whole rule sheet.
    """
    writer = _Writer(clauses, names)
    kept = all(form.name == key[1] for key, form in writer.forms.by_key.items() if key[1] in keep)
    return list(writer.text()) if kept and writer.are_names_apart() else None


@dataclass(slots=True)
class _Scope:
    """What stands for each variable of a sentence, and how many letters are used."""

    letters: dict[Variable, str]
    taken: int = 0


class _Writer:
    """Writes the clauses of one rule sheet."""

    def __init__(self, clauses: Sequence[Clause], names: Mapping[str, str]) -> None:
        self.clauses = clauses
        roles = [str(c.head.args[0]) for c in clauses if c.head.relation == "role"]
        self.roles = self._role_names(roles, names)
        self.forms: Forms = forms_of(clauses, roles)
        turn = self.forms.name_of("it is A's turn")
        self.first, self.turns = turn_clauses(clauses, turn, roles)
        self.single = {name for name in self.roles.values() if len(name) == 1}
        values = {str(c.head.args[1]) for c in clauses if c.head.relation == "goal"}
        self.are_results = values <= set(_RESULTS)

    def _role_names(self, roles: Sequence[str], names: Mapping[str, str]) -> dict[str, str]:
        """Name the roles, by their own name where another is that of something else."""
        others = {name.lower() for name in self._constants() - set(roles)}
        found = {}
        for role in roles:
            name = names.get(role, role)
            is_free = name.lower() == role or name.lower() not in others | set(roles)
            chosen = name if is_free else role
            found[role] = re.sub(r"^Player(?=\d)", "Player ", chosen[:1].upper() + chosen[1:])
        return found

    def _constants(self) -> set[str]:
        return {
            term.name
            for clause in self.clauses
            for atom in (clause.head, *clause.positive, *clause.negative)
            for arg in atom.args
            for term in _functions(arg)
        } | {
            term.name
            for clause in self.clauses
            for pair in clause.distinct
            for arg in pair
            for term in _functions(arg)
        }

    def are_names_apart(self) -> bool:
        """Return whether no two things would be read as one."""
        others = {name.lower() for name in self._constants() - set(self.roles)}
        called = [name.lower() for name in self.roles.values()]
        names = [form.name for form in self.forms.by_key.values()]
        return (
            not others & set(called)
            and len(set(called)) == len(called)
            and len(set(names)) == len(names)
            and self.forms.keep_names()
        )

    def renamed(self, clause: Clause) -> Clause:
        """Return a clause with the names that reading its sentence gives."""

        def constant(term: Term) -> Term:
            if isinstance(term, Variable):
                return term
            name = term.name
            if name in self.roles:
                name = self.roles[name].lower().replace(" ", "")
            return Function(name, tuple(map(constant, term.args)))

        def named(term: Term, kind: str) -> Term:
            if isinstance(term, Variable):
                return term
            form = self.forms.of(kind, term.name, len(term.args))
            return Function(form.name, tuple(map(constant, term.args)))

        def atom(one: Atom) -> Atom:
            match one.relation:
                case "true" | "init" | "next":
                    return Atom(one.relation, (named(one.args[0], "fluent"),))
                case "does" | "legal":
                    return Atom(one.relation, (constant(one.args[0]), named(one.args[1], "move")))
                case "role" | "goal" | "terminal":
                    return Atom(one.relation, tuple(map(constant, one.args)))
            form = self.forms.of("relation", one.relation, len(one.args))
            return Atom(form.name, tuple(map(constant, one.args)))

        return Clause(
            atom(clause.head),
            tuple(map(atom, clause.positive)),
            tuple(map(atom, clause.negative)),
            tuple((constant(a), constant(b)) for a, b in clause.distinct),
        )

    def text(self) -> Iterator[str]:
        """Yield the sentences after that of the players."""
        for kind, opening in (
            ("fluent", "What can change"),
            ("move", "What can be done"),
        ):
            yield from self._declared(kind, opening)
        if self.first:
            yield f"The players take turns, and {self.roles[self.first]} begins."
        for relation in ("init", "legal", "next", "terminal", "goal"):
            yield from self._about(relation)
        yield from self._declared("relation", "What is also said")
        yield from self._about("")

    def _declared(self, kind: str, opening: str) -> Iterator[str]:
        texts = self.forms.texts(kind)
        if texts:
            yield f"{opening}: {'; '.join(texts)}."

    def _about(self, relation: str) -> Iterator[str]:
        heads = [
            clause
            for clause in self.clauses
            if (clause.head.relation == relation and clause not in self.turns)
            or (not relation and clause.head.relation not in _KEYWORDS)
        ]
        facts = [c for c in heads if not (c.positive or c.negative or c.distinct)]
        rules = [c for c in heads if c.positive or c.negative or c.distinct]
        if relation not in ("init", ""):
            rules, facts = heads, []
        yield from self._facts(facts)
        groups: dict[object, list[Clause]] = {}
        for clause in rules:
            key = (canonical(Clause(clause.head)), stays(clause))
            groups.setdefault(key, []).append(clause)
        for group in groups.values():
            yield from self._sentences(group)

    def _facts(self, facts: Sequence[Clause]) -> Iterator[str]:
        tables: dict[tuple[str, str, int], list[tuple[Term, ...]]] = {}
        for clause in facts:
            head = clause.head
            fact = head.args[0] if head.relation == "init" else None
            if isinstance(fact, Function):
                key = ("fluent", fact.name, len(fact.args))
                tables.setdefault(key, []).append(fact.args)
            else:
                tables.setdefault(("relation", head.relation, len(head.args)), []).append(head.args)
        for (kind, name, arity), rows in tables.items():
            form = self.forms.of(kind, name, arity)
            opening = "At the start, " if kind == "fluent" else "It is always so that "
            for terms, ranges in fact_lists(rows):
                scope = self._scope(variable for term in terms for variable in variables_of(term))
                said = form.write([self._term(term, scope) for term in terms])
                yield f"{opening}{said}{self._ranges(ranges, scope)}."

    def _ranges(self, ranges: Sequence[Range], scope: _Scope) -> str:
        parts = []
        for one in ranges:
            letters = [scope.letters[variable] for variable in one.variables]
            values = [tuple(self._term(term, scope) for term in row) for row in one.rows]
            if one.is_chain:
                chain = [values[0][0], *(row[1] for row in values)]
                parts.append(f"{letters[0]} then {letters[1]} {_listed(chain)}")
            elif len(letters) == 1:
                parts.append(f"{letters[0]} {_listed([row[0] for row in values])}")
            else:
                rows = ", ".join(f"({', '.join(row)})" for row in values)
                parts.append(f"({', '.join(letters)}) in {rows}")
        return f", for {' and '.join(parts)}" if parts else ""

    def _scope(self, variables: Iterable[Variable], player: Variable | None = None) -> _Scope:
        scope = _Scope({} if player is None else {player: "the player"})
        self._extend(scope, variables)
        return scope

    def _extend(self, scope: _Scope, variables: Iterable[Variable]) -> None:
        for variable in variables:
            if variable not in scope.letters:
                while (letter := letter_of(scope.taken)) in self.single:
                    scope.taken += 1
                scope.letters[variable] = letter
                scope.taken += 1

    def _term(self, term: Term, scope: _Scope) -> str:
        return write_term(term, scope.letters, self.roles)

    def _sentences(self, group: Sequence[Clause]) -> Iterator[str]:
        """Write clauses with the same head: together if that is short."""
        first = group[0]
        player = player_of(first.head)
        head_scope = self._scope(variables_of(first.head), player)
        head = self._head(first, head_scope)
        waiting: list[str] = []
        count = 0
        for clause in group:
            conditions = self._conditions(clause, first, head_scope, player)
            words = len(conditions.split())
            if waiting and (count + words > _MOST_WORDS or not conditions):
                yield f"{head} if {', or if '.join(waiting)}."
                waiting, count = [], 0
            if not conditions:
                yield f"{head}."
            else:
                waiting.append(conditions)
                count += words
        if waiting:
            yield f"{head} if {', or if '.join(waiting)}."

    def _head(self, clause: Clause, scope: _Scope) -> str:
        head = clause.head
        if head.relation == "init":
            return f"At the start, {self._fluent(head.args[0], scope)}"
        if head.relation == "next":
            opening = "It stays so that" if stays(clause) else "After a move,"
            return f"{opening} {self._fluent(head.args[0], scope)}"
        if head.relation == "terminal":
            return "The game ends"
        if head.relation in ("legal", "goal"):
            text = self._atom(head, scope)
            return f"A{text[3:]}" if text.startswith("the player") else text
        opening = "We say that" if clause.positive or clause.negative else "It is always so that"
        return f"{opening} {self._atom(head, scope)}"

    def _conditions(
        self, clause: Clause, first: Clause, head_scope: _Scope, player: Variable | None
    ) -> str:
        """Write the body of a clause whose head is that of the first, up to its letters."""
        renamed = dict(zip(variables_of(clause.head), variables_of(first.head), strict=True))
        scope = _Scope({v: head_scope.letters[w] for v, w in renamed.items()}, head_scope.taken)
        body = [a for a in clause.positive if not is_implied(a, clause)]
        if player is None and "the player" not in scope.letters.values():
            mover = next(
                (
                    a.args[0]
                    for a in body
                    if a.relation == "does" and isinstance(a.args[0], Variable)
                ),
                None,
            )
            if isinstance(mover, Variable) and mover not in scope.letters:
                scope.letters[mover] = "the player"
        self._extend(scope, clause_variables(clause))
        parts = [self._atom(atom, scope) for atom in body]
        parts += [self._atom(atom, scope, denied=True) for atom in clause.negative]
        parts += [
            f"{self._term(a, scope)} differs from {self._term(b, scope)}"
            for a, b in clause.distinct
        ]
        return " and ".join(parts)

    def _fluent(self, term: Term, scope: _Scope, *, denied: bool = False) -> str:
        if isinstance(term, Variable):
            return f"{self._term(term, scope)} is {'not ' * denied}so"
        form = self.forms.of("fluent", term.name, len(term.args))
        return form.write([self._term(arg, scope) for arg in term.args], denied=denied)

    def _move(self, term: Term, scope: _Scope) -> str:
        if isinstance(term, Variable):
            return f"do {self._term(term, scope)}"
        form = self.forms.of("move", term.name, len(term.args))
        return form.write([self._term(arg, scope) for arg in term.args])

    def _atom(self, atom: Atom, scope: _Scope, *, denied: bool = False) -> str:
        args = [self._term(arg, scope) for arg in atom.args[:1]]
        match atom.relation:
            case "true" | "init":
                return self._fluent(atom.args[0], scope, denied=denied)
            case "does":
                verb = "does not choose to" if denied else "chooses to"
                return f"{args[0]} {verb} {self._move(atom.args[1], scope)}"
            case "legal":
                verb = "may not" if denied else "may"
                return f"{args[0]} {verb} {self._move(atom.args[1], scope)}"
            case "role":
                return f"{args[0]} is {'not ' * denied}one of the players"
            case "terminal":
                return f"the game is {'not ' * denied}over"
            case "goal":
                points = self._term(atom.args[1], scope)
                result = _RESULTS.get(points, "") if self.are_results else ""
                text = f"{args[0]} {result or f'gets {points} points'}"
                return f"it is not so that {text}" if denied else text
        form = self.forms.of("relation", atom.relation, len(atom.args))
        return form.write([self._term(arg, scope) for arg in atom.args], denied=denied)


_KEYWORDS = frozenset({"role", "init", "legal", "next", "goal", "terminal"})


def _functions(term: Term) -> Iterator[Function]:
    if isinstance(term, Function):
        yield term
        for arg in term.args:
            yield from _functions(arg)


def _listed(values: Sequence[str]) -> str:
    """List values after *in*, or consecutive numbers as *from … to …*."""
    if len(values) > 2 and all(value.isdecimal() for value in values):
        numbers = list(map(int, values))
        if [str(n) for n in range(numbers[0], numbers[0] + len(numbers))] == list(values):
            return f"from {numbers[0]} to {numbers[-1]}"
    return f"in {', '.join(values)}"
