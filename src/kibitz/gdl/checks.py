"""Check a RuleSheet against GDL's restrictions: diagnostics out, all that there are.

The restrictions are those of the GDL specification (Love and others 2006), sections on syntax
and on well-formed games: safe, stratified, finite, and every keyword in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from kibitz.errors import Diagnostic, Note, Place, Severity
from kibitz.gdl.clauses import MAX_ALTERNATIVES, count_alternatives, unify
from kibitz.gdl.dependencies import Dependencies, Edge, components
from kibitz.gdl.terms import (
    KEYWORD_ARITY,
    Atom,
    Distinct,
    Formula,
    Function,
    Not,
    Or,
    Rule,
    RuleSheet,
    Term,
    Variable,
    atoms_of,
    subterms,
    terms_of,
    variables_of,
)

__all__ = ["check"]

_GIVEN = frozenset({"true", "does"})
_STATIC = ("role", "init", "base", "input")
_GOAL_VALUE = re.compile(r"0*([0-9]{1,2}|100)")
_LONGEST_CHAIN = 12
_MOST_PAIRS = 1_000_000
_MOST_SUGGESTIONS = 100


def check(sheet: RuleSheet, *, complete: bool = True) -> list[Diagnostic]:
    """Find everything wrong with a sheet, in no particular order.

    With `complete=False`, some rules could not be read, and nothing is called missing.

    >>> from kibitz.gdl import parse
    >>> [d.code for d in check(parse("(role me) (legal me ?x) terminal (goal me 50)"))]
    ['GDL007']
    """
    dependencies = Dependencies.of(sheet)
    found = [
        *_arities(sheet),
        *_keywords(sheet),
        *_safety(sheet),
        *_goals(sheet),
        *_style(sheet),
        *_flow(sheet, dependencies),
        *_stratification(dependencies),
        *_recursion(dependencies),
    ]
    if complete:
        found += [*_missing(sheet), *_undefined(sheet)]
    return list(dict.fromkeys(found))


def _error(
    code: str, message: str, place: Place, hint: str = "", notes: Iterable[Note] = ()
) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, place, hint, tuple(notes))


def _warning(
    code: str, message: str, place: Place, hint: str = "", notes: Iterable[Note] = ()
) -> Diagnostic:
    return Diagnostic(code, Severity.WARNING, message, place, hint, tuple(notes))


def _all_atoms(sheet: RuleSheet) -> Iterator[Atom]:
    for rule in sheet.rules:
        yield rule.head
        for formula in rule.body:
            for atom, _ in atoms_of(formula):
                yield atom


def _arities(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL016: one number of arguments for each relation and each function."""
    first_atom: dict[str, Atom] = {}
    for atom in _all_atoms(sheet):
        if atom.relation in KEYWORD_ARITY:
            wanted = KEYWORD_ARITY[atom.relation]
            if len(atom.args) != wanted:
                yield _error(
                    "GDL016",
                    f"'{atom.relation}' takes {_arguments(wanted)}, and here {len(atom.args)}",
                    atom.place,
                    "check the parentheses",
                )
            continue
        first = first_atom.setdefault(atom.relation, atom)
        if len(first.args) != len(atom.args):
            yield _arity_clash("relation", atom.relation, atom, first)
    first_function: dict[str, Function] = {}
    for term in terms_of(sheet):
        if isinstance(term, Function) and term.args:
            first_use = first_function.setdefault(term.name, term)
            if len(first_use.args) != len(term.args):
                yield _arity_clash("function", term.name, term, first_use)


def _arity_clash(kind: str, name: str, here: Atom | Function, first: Atom | Function) -> Diagnostic:
    return _error(
        "GDL016",
        f"{kind} '{name}' has {_arguments(len(here.args))} here and {len(first.args)} elsewhere",
        here.place,
        f"use another name for one of the two {kind}s",
        [Note(f"with {_arguments(len(first.args))} here", first.place)],
    )


def _arguments(count: int) -> str:
    return "1 argument" if count == 1 else f"{count or 'no'} arguments"


def _keywords(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL012, GDL013, GDL023: heads and bodies that a keyword may not stand in."""
    for rule in sheet.rules:
        relation = rule.head.relation
        if relation in _GIVEN:
            meant = "next or init" if relation == "true" else "legal"
            yield _error(
                "GDL013",
                f"'{relation}' cannot be the head of a rule",
                rule.head.place,
                f"it is given by the state of play; do you mean {meant}?",
            )
        if relation == "role" and rule.body:
            yield _warning(
                "GDL023",
                "roles should be plain facts",
                rule.head.place,
                "write one (role NAME) for each role; their order is the order of moves",
            )
        for formula in rule.body:
            for atom, _ in atoms_of(formula):
                if atom.relation in ("next", "init"):
                    yield _error(
                        "GDL012",
                        f"'{atom.relation}' cannot stand in a body",
                        atom.place,
                        "use true for the current state",
                    )


def _safety(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL007, GDL008, GDL009: every variable is bound by a positive literal of the body."""
    for rule in sheet.rules:
        bound = _bound_by_all(rule.body)
        for variable in _first_uses(variables_of(rule.head)):
            if variable.name not in bound:
                yield _unbound("GDL007", variable, f"in the head of '{rule.head.relation}'", rule)
        for formula in rule.body:
            yield from _unsafe(formula, bound, rule)


def _unsafe(formula: Formula, bound: frozenset[str], rule: Rule) -> Iterator[Diagnostic]:
    """Find the variables of a body formula that need to be bound and are not.

    An alternative of a disjunction is one formula, so it binds nothing that it needs itself.
    """
    match formula:
        case Or():
            for part in formula.formulas:
                yield from _unsafe(part, bound, rule)
        case Not(Not(inner)):
            yield from _unsafe(inner, bound, rule)
        case Not() | Distinct():
            code, where = (
                ("GDL009", "in 'distinct'")
                if isinstance(formula, Distinct)
                else ("GDL008", "in 'not'")
            )
            for variable in _first_uses(variables_of(formula)):
                if variable.name not in bound:
                    yield _unbound(code, variable, where, rule)


def _bound_by_all(formulas: Iterable[Formula]) -> frozenset[str]:
    return frozenset().union(*(_bound(formula) for formula in formulas))


def _bound(formula: Formula) -> frozenset[str]:
    """Give the variables that are bound wherever a formula holds."""
    match formula:
        case Atom():
            return frozenset(v.name for v in variables_of(formula))
        case Or():
            return frozenset.intersection(*(_bound(part) for part in formula.formulas))
        case Not(Not(inner)):
            return _bound(inner)
    return frozenset()


def _first_uses(variables: Iterator[Variable]) -> Iterable[Variable]:
    first: dict[str, Variable] = {}
    for variable in variables:
        first.setdefault(variable.name, variable)
    return first.values()


def _unbound(code: str, variable: Variable, where: str, rule: Rule) -> Diagnostic:
    if not rule.body:
        hint = "a fact holds for constants only; write a rule with a body, or a constant"
    else:
        hint = f"add a literal that binds {variable}, such as {_binder(variable, rule)}"
    return _error(
        code, f"{variable} {where} is bound by no positive body literal", variable.place, hint
    )


def _binder(variable: Variable, rule: Rule) -> str:
    """Suggest a literal: the role, the fluent kept, or a relation of one's own."""
    head = rule.head
    if head.relation in ("legal", "goal") and head.args[:1] == (variable,):
        return f"(role {variable})"
    if head.relation == "next" and head.args and isinstance(head.args[0], Function):
        place = head.args[0].place
        if place.end - place.start <= 60:
            return f"(true {head.args[0]})"
    return f"(some_relation {variable})"


def _goals(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL020: goal values are whole numbers from 0 to 100."""
    for rule in sheet.rules:
        if rule.head.relation == "goal" and len(rule.head.args) == 2:
            value = rule.head.args[1]
            if isinstance(value, Function) and (
                value.args or not _GOAL_VALUE.fullmatch(value.name)
            ):
                yield _error(
                    "GDL020",
                    f"goal value {value} is not a whole number from 0 to 100",
                    value.place,
                    "scale the values: 0 is a loss, 50 a draw, 100 a win",
                )


def _style(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL021, GDL022, GDL026, GDL027: legal, but worth a look; or too large to expand."""
    functions = {t.name: t for t in terms_of(sheet) if isinstance(t, Function) and t.args}
    named: set[str] = set()
    for atom in _all_atoms(sheet):
        if atom.relation in functions and atom.relation not in named:
            named.add(atom.relation)
            yield _warning(
                "GDL021",
                f"'{atom.relation}' names both a relation and a function",
                atom.place,
                "some programs take them for one; rename one of them",
                [Note("used as a function here", functions[atom.relation].place)],
            )
    seen: dict[Rule, Rule] = {}
    for rule in sheet.rules:
        first = seen.setdefault(rule, rule)
        if first is not rule:
            yield _warning(
                "GDL026",
                "this rule stands in the sheet twice",
                rule.place,
                "remove one",
                [Note("the same rule", first.place)],
            )
        if count_alternatives(rule) > MAX_ALTERNATIVES:
            yield _error(
                "GDL027",
                f"the disjunctions of this rule combine in more than {MAX_ALTERNATIVES:,} ways",
                rule.place,
                "give parts of the rule names of their own",
            )
        for formula in rule.body:
            yield from _negated_distinct(formula)


def _negated_distinct(formula: Formula) -> Iterator[Diagnostic]:
    match formula:
        case Not(Distinct(left, right)):
            yield _warning(
                "GDL022",
                f"(not (distinct {left} {right})) says that the two are equal",
                formula.place,
                f"use one name for {left} and {right}",
            )
        case Not(inner):
            yield from _negated_distinct(inner)
        case Or():
            for part in formula.formulas:
                yield from _negated_distinct(part)


def _flow(sheet: RuleSheet, dependencies: Dependencies) -> Iterator[Diagnostic]:
    """GDL014, GDL015: what is fixed before play, or before the moves, depends on neither."""
    heads = {rule.head.relation for rule in sheet.rules}
    for relation in _STATIC:
        if relation in heads and (chain := dependencies.path(relation, _GIVEN)):
            yield _error(
                "GDL014",
                f"'{relation}' depends on '{chain[-1].atom.relation}' ({_chain(chain)})",
                chain[0].rule.head.place,
                f"'{relation}' is fixed before play begins, so it cannot look at the state",
                _notes(chain),
            )
    for relation in ("legal", "goal", "terminal"):
        if relation in heads and (chain := dependencies.path(relation, ("does",))):
            yield _error(
                "GDL015",
                f"'{relation}' depends on 'does' ({_chain(chain)})",
                chain[0].rule.head.place,
                f"'{relation}' is asked before anyone moves; let 'next' record the move instead",
                _notes(chain),
            )


def _chain(edges: list[Edge]) -> str:
    steps = [f"{'' if edge.is_positive else 'not '}{edge.atom.relation}" for edge in edges]
    if len(steps) > _LONGEST_CHAIN:
        steps[_LONGEST_CHAIN - 2 : -1] = ["…"]
    return " ← ".join([edges[0].head, *steps])


def _notes(edges: list[Edge]) -> list[Note]:
    return [
        Note(f"'{e.head}' needs '{e.atom.relation}' here", e.atom.place)
        for e in edges[:_LONGEST_CHAIN]
    ]


def _stratification(dependencies: Dependencies) -> Iterator[Diagnostic]:
    """GDL010, GDL028: nothing depends on its own negation.

    A relation may need the negation of itself for other arguments, as in "the goal is 0 if it is
    not 100". So where relations show a cycle, the rules in it are looked at one by one: a rule
    leads to those whose heads can be an instance of one of its body atoms.
    """
    cycles: dict[int, list[Edge]] = {}
    for edge in dependencies.edges:
        if dependencies.is_recursive(edge):
            cycles.setdefault(dependencies.component[edge.head], []).append(edge)
    for inside in cycles.values():
        edge = next((e for e in inside if not e.is_positive), inside[0])
        if edge.is_positive:
            continue
        if len(inside) ** 2 > _MOST_PAIRS:  # Too many to compare, so the relations decide.
            cycle = [edge, *dependencies.path(edge.atom.relation, [edge.head])]
            cycle = cycle[: 1 if edge.atom.relation == edge.head else None]
        else:
            cycle = _negative_cycle(inside)
        if cycle:
            yield _error(
                "GDL010",
                f"'{cycle[0].head}' depends on its own negation ({_chain(cycle)})",
                cycle[0].atom.place,
                "break the cycle: ask the current state with true, or define one of them otherwise",
                _notes(cycle[1:]),
            )
        else:
            yield _warning(
                "GDL028",
                f"'{edge.head}' depends on the negation of '{edge.atom.relation}' for other values",
                edge.atom.place,
                "Kibitz can tell them apart; some other programs refuse it",
            )


def _negative_cycle(edges: list[Edge]) -> list[Edge]:
    """Find a cycle of rules with a negation in it, as its edges; empty if there is none."""
    leads_to: dict[Edge, list[Edge]] = {edge: [] for edge in edges}
    for edge in edges:
        for other in edges:
            if other.head == edge.atom.relation and _can_match(edge.atom, other.rule.head):
                leads_to[edge].append(other)
    for group in components(leads_to):
        inside = set(group)
        for edge in group:
            if edge.is_positive or not (len(group) > 1 or edge in leads_to[edge]):
                continue
            came_from: dict[Edge, Edge] = {}
            queue = [edge]
            for node in queue:
                for child in leads_to[node]:
                    if child is edge:
                        cycle = [node]
                        while cycle[0] is not edge:
                            cycle.insert(0, came_from[cycle[0]])
                        return cycle
                    if child in inside and child not in came_from:
                        came_from[child] = node
                        queue.append(child)
    return []


def _can_match(atom: Atom, head: Atom) -> bool:
    """Tell whether two atoms have a common instance, their variables taken apart."""
    left = Function(atom.relation, atom.args)
    right = Function(head.relation, tuple(_renamed(arg) for arg in head.args))
    return unify(left, right, {}) is not None


def _renamed(term: Term) -> Term:
    if isinstance(term, Variable):
        return Variable(f"{term.name};", term.place)  # which no name of a sheet has in it
    return Function(term.name, tuple(map(_renamed, term.args)), term.place)


def _recursion(dependencies: Dependencies) -> Iterator[Diagnostic]:
    """GDL011: recursion cannot build ever larger terms (Love and others 2006, definition 15).

    In a recursive body atom each argument is ground, or is an argument of the head, or is an
    argument of another positive body atom that is outside the cycle. A cycle none of whose heads
    builds a term has finitely many instances whatever it does, so there it is only a warning.
    """
    recursive = [edge for edge in dependencies.edges if dependencies.is_recursive(edge)]
    growing = {
        dependencies.component[edge.head]
        for edge in recursive
        for arg in edge.rule.head.args
        if isinstance(arg, Function) and not _is_ground(arg)
    }
    rule: Rule | None = None
    allowed: set[Term] = set()
    for edge in recursive:
        component = dependencies.component[edge.head]
        if edge.rule is not rule:
            rule = edge.rule
            allowed = set(rule.head.args)
            for formula in rule.body:
                if isinstance(formula, Atom) and (
                    dependencies.component.get(formula.relation) != component
                ):
                    allowed.update(formula.args)
        for arg in edge.atom.args:
            if arg not in allowed and not _is_ground(arg):
                yield (_error if component in growing else _warning)(
                    "GDL011",
                    f"{arg} in the recursive call of '{edge.atom.relation}' is not bounded",
                    arg.place,
                    f"let {arg} be an argument of the head or of a literal outside the recursion",
                )


def _is_ground(term: Term) -> bool:
    return not any(isinstance(part, Variable) for part in subterms(term))


def _missing(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL018, GDL019: the relations without which there is no game."""
    heads = {rule.head.relation for rule in sheet.rules}
    place = Place(0, 1)
    if "role" not in heads:
        yield _error("GDL018", "no roles", place, "name the players: (role white) (role black)")
    if "legal" not in heads:
        yield _error("GDL019", "no rule for 'legal'", place, "say what moves are allowed")
    for relation, hint in (
        ("terminal", "without it no match ever ends"),
        ("goal", "without it nobody wins"),
    ):
        if relation not in heads:
            yield _warning("GDL019", f"no rule for '{relation}'", place, hint)


def _undefined(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL017: relations that are read and never defined, and so never hold."""
    heads = {rule.head.relation for rule in sheet.rules}
    known = sorted(heads | set(KEYWORD_ARITY))
    reported: set[str] = set()
    for atom in _all_atoms(sheet):
        name = atom.relation
        if name in heads or name in KEYWORD_ARITY or name in reported:
            continue
        reported.add(name)
        if name.lower() == "and":
            hint = "'and' is no keyword of GDL: list the literals one after another"
        elif close := _similar(name, known if len(reported) <= _MOST_SUGGESTIONS else []):
            hint = f"do you mean '{close[0]}'?"
        else:
            hint = "define it, or remove what needs it"
        yield _warning(
            "GDL017", f"'{name}' is defined nowhere and so never holds", atom.place, hint
        )


def _similar(name: str, known: list[str]) -> list[str]:
    """Find the name most like another, among names short enough to have been misspelled."""
    short = [other for other in known[:1000] if len(other) <= 50]
    return get_close_matches(name, short, n=1, cutoff=0.75) if len(name) <= 50 else []
