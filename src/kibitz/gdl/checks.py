"""Check a RuleSheet against GDL's restrictions: all diagnostics out.

The restrictions are those of the GDL specification (Love and others 2006), sections on syntax
and on well-formed games: safe, stratified, finite, and every keyword in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from kibitz.errors import Diagnostic, Note, Place
from kibitz.gdl.clauses import MAX_ALTERNATIVES, count_alternatives
from kibitz.gdl.dependencies import Dependencies
from kibitz.gdl.sheet_checks import (
    beyond_gdl1,
    flow,
    goal_values,
    recursion,
    stratification,
    unset_terms,
)
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
    Variable,
    atoms_of,
    terms_of,
    variables_of,
)

_MOST_SUGGESTIONS = 100


def check(sheet: RuleSheet, *, complete: bool = True) -> list[Diagnostic]:
    """Find everything wrong with a sheet, in no particular order.

    With `complete=False`, some rules could not be read, and nothing is reported as missing.

    >>> from kibitz.gdl import parse
    >>> [d.code for d in check(parse("(role me) (legal me ?x) terminal (goal me 50)"))]
    ['GDL007']
    """
    dependencies = Dependencies.of(sheet)
    found = [
        *_arities(sheet),
        *_keywords(sheet),
        *_safety(sheet),
        *goal_values(sheet),
        *beyond_gdl1(sheet),
        *_style(sheet),
        *flow(sheet, dependencies),
        *stratification(dependencies),
        *recursion(dependencies),
    ]
    if complete:
        found += [*_missing(sheet), *_undefined(sheet), *unset_terms(sheet)]
    return list(dict.fromkeys(found))


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
                yield Diagnostic.error(
                    "GDL016",
                    f"'{atom.relation}' takes {_arguments(wanted)}, not {len(atom.args)}",
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
    return Diagnostic.error(
        "GDL016",
        f"{kind} '{name}' has {_arguments(len(here.args))} here and {len(first.args)} elsewhere",
        here.place,
        f"use another name for one of the two {kind}s",
        [Note(f"with {_arguments(len(first.args))} here", first.place)],
    )


def _arguments(count: int) -> str:
    return "1 argument" if count == 1 else f"{count or 'no'} arguments"


def _keywords(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL012, GDL013, GDL023: keywords in heads and bodies where they are not allowed."""
    for rule in sheet.rules:
        relation = rule.head.relation
        if relation in ("true", "does"):
            meant = "next or init" if relation == "true" else "legal"
            yield Diagnostic.error(
                "GDL013",
                f"'{relation}' cannot be the head of a rule",
                rule.head.place,
                f"it is given by the state of play; do you mean {meant}?",
            )
        if relation == "role" and rule.body:
            yield Diagnostic.warning(
                "GDL023",
                "roles should be plain facts",
                rule.head.place,
                "write one (role NAME) for each role; their order is the order of moves",
            )
        for formula in rule.body:
            for atom, _ in atoms_of(formula):
                if atom.relation in ("next", "init"):
                    yield Diagnostic.error(
                        "GDL012",
                        f"'{atom.relation}' is not allowed in a body",
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

    An alternative of a disjunction is one formula, so it does not bind the variables it needs.
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
    """Return the variables that are bound wherever a formula holds."""
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
    return Diagnostic.error(
        code, f"{variable} {where} is bound by no positive body literal", variable.place, hint
    )


def _binder(variable: Variable, rule: Rule) -> str:
    """Suggest a literal: the role, the fluent that stays, or a new relation."""
    head = rule.head
    if head.relation in ("legal", "goal") and head.args[:1] == (variable,):
        return f"(role {variable})"
    if head.relation == "next" and head.args and isinstance(head.args[0], Function):
        place = head.args[0].place
        if place.end - place.start <= 60:
            return f"(true {head.args[0]})"
    return f"(some_relation {variable})"


def _style(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL021, GDL022, GDL026, GDL027, GDL044: legal but suspicious, or too large to expand."""
    functions = {t.name: t for t in terms_of(sheet) if isinstance(t, Function) and t.args}
    named: set[str] = set()
    for atom in _all_atoms(sheet):
        if atom.relation in functions and atom.relation not in named:
            named.add(atom.relation)
            yield Diagnostic.warning(
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
            yield Diagnostic.warning(
                "GDL026",
                "the sheet has this rule twice",
                rule.place,
                "remove one",
                [Note("the same rule", first.place)],
            )
        if count_alternatives(rule) > MAX_ALTERNATIVES:
            yield Diagnostic.error(
                "GDL027",
                f"the disjunctions of this rule combine in more than {MAX_ALTERNATIVES:,} ways",
                rule.place,
                "define parts of the rule as separate relations",
            )
        for formula in rule.body:
            yield from _negated_distinct(formula)
    yield from _idle_distincts(sheet)


def _idle_distincts(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL044: a variable is kept apart from a name that nothing else has."""
    uses = Counter(t.name for t in terms_of(sheet) if isinstance(t, Function) and not t.args)
    pairs = [
        (pair, variable, name)
        for rule in sheet.rules
        for pair in _distincts(rule.body)
        for variable, name in ((pair.left, pair.right), (pair.right, pair.left))
        if isinstance(variable, Variable) and isinstance(name, Function) and not name.args
    ]
    uses.subtract(name.name for _, _, name in pairs)
    for pair, variable, name in pairs:
        if not uses[name.name]:
            yield Diagnostic.warning(
                "GDL044",
                f"{pair} holds whatever {variable} is: nothing else is called {name}",
                name.place,
                f"do you mean ?{name}?",
            )


def _distincts(formulas: Iterable[Formula]) -> Iterator[Distinct]:
    for formula in formulas:
        match formula:
            case Distinct():
                yield formula
            case Or():
                yield from _distincts(formula.formulas)


def _negated_distinct(formula: Formula) -> Iterator[Diagnostic]:
    match formula:
        case Not(Distinct(left, right)):
            yield Diagnostic.warning(
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


def _missing(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL018, GDL019: relations that every game needs."""
    heads = {rule.head.relation for rule in sheet.rules}
    place = Place(0, 1)
    if "role" not in heads:
        yield Diagnostic.error(
            "GDL018", "no roles", place, "name the players: (role white) (role black)"
        )
    if "legal" not in heads:
        yield Diagnostic.error("GDL019", "no rule for 'legal'", place, "say what moves are allowed")
    for relation, hint in (
        ("terminal", "without it no match ever ends"),
        ("goal", "without it nobody wins"),
    ):
        if relation not in heads:
            yield Diagnostic.warning("GDL019", f"no rule for '{relation}'", place, hint)


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
            hint = "'and' is not a keyword of GDL: list the literals one after another"
        elif close := _similar(name, known if len(reported) <= _MOST_SUGGESTIONS else []):
            hint = f"do you mean '{close[0]}'?"
        else:
            hint = "define it, or remove what needs it"
        yield Diagnostic.warning(
            "GDL017", f"'{name}' is defined nowhere and so never holds", atom.place, hint
        )


def _similar(name: str, known: list[str]) -> list[str]:
    """Find the name most like another, among names short enough to have been misspelled."""
    short = [other for other in known[:1000] if len(other) <= 50]
    return get_close_matches(name, short, n=1, cutoff=0.75) if len(name) <= 50 else []
