"""Check a whole sheet: dependencies, goal values, hidden information, fluents never set.

The restrictions are those of the GDL specification (Love and others 2006) that make a sheet
stratified and its recursion finite.

Kibitz takes every role for a player who sees the whole state. That is another game where `random`
throws dice or `sees` limits what is known, so nothing is proved or advised of such rules unless
`RuleSheet.as_gdl1` asks for the other game.

A term is set where some head of `init` or `next` can be equal to it, whatever its variables stand
for; so what is reported can hold in no state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from kibitz.errors import Diagnostic, Note, RuleSheetError, Severity
from kibitz.gdl.clauses import unify
from kibitz.gdl.dependencies import Dependencies, Edge, components
from kibitz.gdl.terms import (
    Atom,
    Distinct,
    Formula,
    Function,
    Rule,
    RuleSheet,
    Term,
    Variable,
    atoms_of,
    subterms,
    variables_of,
)

_GIVEN = frozenset({"true", "does"})
_STATIC = ("role", "init", "base", "input")
_LONGEST_CHAIN = 12
_MOST_PAIRS = 1_000_000


def flow(sheet: RuleSheet, dependencies: Dependencies) -> Iterator[Diagnostic]:
    """GDL014, GDL015: what is fixed before play, or before the moves, depends on neither."""
    heads = {rule.head.relation for rule in sheet.rules}
    for relation in _STATIC:
        if relation in heads and (chain := dependencies.path(relation, _GIVEN)):
            yield Diagnostic.error(
                "GDL014",
                f"'{relation}' depends on '{chain[-1].atom.relation}' ({_chain(chain)})",
                chain[0].rule.head.place,
                f"'{relation}' is fixed before play begins, so it cannot look at the state",
                _notes(chain),
            )
    for relation in ("legal", "goal", "terminal"):
        if relation in heads and (chain := dependencies.path(relation, ("does",))):
            yield Diagnostic.error(
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


def stratification(dependencies: Dependencies) -> Iterator[Diagnostic]:
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
            yield Diagnostic.error(
                "GDL010",
                f"'{cycle[0].head}' depends on its own negation ({_chain(cycle)})",
                cycle[0].atom.place,
                "break the cycle: ask the current state with true, or define one of them otherwise",
                _notes(cycle[1:]),
            )
        else:
            yield Diagnostic.warning(
                "GDL028",
                f"'{edge.head}' depends on the negation of '{edge.atom.relation}' for other values",
                edge.atom.place,
                "Kibitz can distinguish them; some other programs refuse such rules",
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
    """Return whether two atoms have a common instance once their variables are renamed apart."""
    left = Function(atom.relation, atom.args)
    right = Function(head.relation, tuple(_renamed(arg) for arg in head.args))
    return unify(left, right, {}) is not None


def _renamed(term: Term) -> Term:
    if isinstance(term, Variable):
        return Variable(f"{term.name};", term.place)  # which no name in a sheet contains
    return Function(term.name, tuple(map(_renamed, term.args)), term.place)


def recursion(dependencies: Dependencies) -> Iterator[Diagnostic]:
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
                yield (Diagnostic.error if component in growing else Diagnostic.warning)(
                    "GDL011",
                    f"{arg} in the recursive call of '{edge.atom.relation}' is not bounded",
                    arg.place,
                    f"let {arg} be an argument of the head or of a literal outside the recursion",
                )


def _is_ground(term: Term) -> bool:
    return not any(isinstance(part, Variable) for part in subterms(term))


_GOAL_VALUE = re.compile(r"0*([0-9]{1,2}|100)")
_HINT = "scale the values: 0 is a loss, 50 a draw, 100 a win"
_MOST_STEPS = 20_000
"""How many facts are examined for a rule."""

Binding = dict[str, Term]
Facts = Mapping[str, Sequence[Atom]]


def goal_values(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL020, GDL030: goal values are whole numbers from 0 to 100, also those of facts.

    >>> from kibitz.gdl import parse
    >>> sheet = parse("(prize 150) (<= (goal me ?v) (prize ?v) (true over))")
    >>> [d.message for d in goal_values(sheet)]
    ['goal value ?v can be 150, which is not a whole number from 0 to 100']
    """
    facts = _relations_of_facts(sheet)
    for rule in sheet.rules:
        if rule.head.relation != "goal" or len(rule.head.args) != 2:
            continue
        value = rule.head.args[1]
        if isinstance(value, Variable):
            yield from _from_facts(rule, value, facts)
        elif not _is_goal_value(value):
            yield Diagnostic.error(
                "GDL020",
                f"goal value {value} is not a whole number from 0 to 100",
                value.place,
                _HINT,
            )


def _is_goal_value(value: Term) -> bool:
    return (
        isinstance(value, Function) and not value.args and bool(_GOAL_VALUE.fullmatch(value.name))
    )


def _relations_of_facts(sheet: RuleSheet) -> Facts:
    """Return the relations that have only facts, and these facts."""
    facts: dict[str, list[Atom]] = {}
    for rule in sheet.rules:
        facts.setdefault(rule.head.relation, []).append(rule.head)
    for rule in sheet.rules:
        if rule.body or any(variables_of(rule.head)):
            facts.pop(rule.head.relation, None)
    return facts


def _from_facts(rule: Rule, value: Variable, facts: Facts) -> Iterator[Diagnostic]:
    """Find a value that facts give, unless it depends on the state which of them count."""
    joined, others = _joined(rule, value, facts)
    if not any(value in variables_of(atom) for atom in joined):
        return
    known = {v.name for atom in joined for v in variables_of(atom)}
    unequal = [f for f in others if isinstance(f, Distinct)]
    if any(v.name in known for f in others if f not in unequal for v in variables_of(f)):
        return
    for binding, source in _bindings(joined, facts, value):
        found = binding[value.name]
        if _is_goal_value(found) or any(_is_refuted(f, binding) for f in unequal):
            continue
        yield Diagnostic.error(
            "GDL030",
            f"goal value {value} can be {found}, which is not a whole number from 0 to 100",
            value.place,
            _HINT,
            [Note("it comes from here", source.place)],
        )
        return


def _joined(rule: Rule, value: Variable, facts: Facts) -> tuple[list[Atom], list[Formula]]:
    """Split a body into atoms of facts that share variables with the value, and all else."""
    joined: list[Atom] = []
    others = list(rule.body)
    known = {value.name}
    while True:
        for formula in others:
            names = {v.name for v in variables_of(formula)}
            if isinstance(formula, Atom) and formula.relation in facts and names & known:
                joined.append(formula)
                others.remove(formula)
                known |= names
                break
        else:
            return joined, others


def _bindings(
    atoms: Sequence[Atom], facts: Facts, value: Variable
) -> Iterator[tuple[Binding, Atom]]:
    """Yield the values of the variables of atoms, and the fact that gave the wanted one."""
    steps = 0
    stack: list[tuple[int, Binding, Atom]] = [(0, {}, atoms[0])]
    while stack:
        depth, binding, source = stack.pop()
        if depth == len(atoms):
            yield binding, source
            continue
        more = []
        for fact in facts[atoms[depth].relation]:
            steps += 1
            if steps > _MOST_STEPS:
                return
            found = _matched(atoms[depth].args, fact.args, binding)
            if found is not None:
                first = value.name in found and value.name not in binding
                more.append((depth + 1, found, fact if first else source))
        stack += reversed(more)


def _matched(patterns: Sequence[Term], terms: Sequence[Term], binding: Binding) -> Binding | None:
    """Bind variables so that patterns match these terms; None where that is impossible."""
    found = dict(binding)
    open_ = list(zip(patterns, terms, strict=False)) if len(patterns) == len(terms) else None
    if open_ is None:
        return None
    while open_:
        pattern, term = open_.pop()
        if isinstance(pattern, Variable):
            if found.setdefault(pattern.name, term) != term:
                return None
            continue
        if not isinstance(term, Function) or pattern.name != term.name:
            return None
        if len(pattern.args) != len(term.args):
            return None
        open_ += zip(pattern.args, term.args, strict=True)
    return found


def _is_refuted(unequal: Distinct, binding: Binding) -> bool:
    """Return whether two terms are, or may be, the same under a binding."""
    sides = [
        binding.get(term.name) if isinstance(term, Variable) else term
        for term in (unequal.left, unequal.right)
    ]
    if any(side is None or any(variables_of(side)) for side in sides):
        return True
    return sides[0] == sides[1]


_RANDOM, _SEES = "random", "sees"


def beyond_gdl1(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL042, GDL043: a role `random` with moves of its own, and rules of `sees`.

    >>> from kibitz.gdl import parse
    >>> sheet = parse("(role random) (legal random heads) (legal random tails)")
    >>> [d.code for d in beyond_gdl1(sheet)]
    ['GDL042']
    """
    if sheet.as_gdl1:
        return
    heads = [rule.head for rule in sheet.rules]
    role = next((h for h in heads if h.relation == "role" and _is_random(h.args[:1])), None)
    moves = {
        head.args[1]
        for head in heads
        if head.relation == "legal" and len(head.args) == 2
        if isinstance(head.args[0], Variable) or _is_random(head.args[:1])
    }
    # The same move in every state is waiting.
    if role and (len(moves) > 1 or any(list(variables_of(move)) for move in moves)):
        yield Diagnostic.warning(
            "GDL042",
            "this role is chance, as in GDL-II: it has moves of its own",
            role.place,
            f"nothing is proved or advised of games of chance; {_hint('makes it a player')}",
        )
    read = {atom.relation for rule in sheet.rules for f in rule.body for atom, _ in atoms_of(f)}
    percepts = [h for h in heads if h.relation.lower() == _SEES and len(h.args) == 2]
    if percepts and percepts[0].relation not in read:  # GDL-II has it in heads only
        yield Diagnostic.warning(
            "GDL043",
            "'sees' hides from a role what it does not name, as in GDL-II",
            percepts[0].place,
            "nothing is proved or advised where something is hidden; "
            + _hint("lets every role see all"),
        )


def require_gdl1(sheet: RuleSheet) -> None:
    """Raise RuleSheetError for rules with chance or hidden information."""
    if found := list(beyond_gdl1(sheet)):
        errors = [replace(diagnostic, severity=Severity.ERROR) for diagnostic in found]
        raise RuleSheetError(sheet.source, errors)


def _hint(effect: str) -> str:
    return f"--as-gdl1, as_gdl1=True in Python, {effect}"


def _is_random(terms: tuple[Term, ...]) -> bool:
    return any(isinstance(term, Function) and term.name.lower() == _RANDOM for term in terms)


_MOST_REPORTED = 20
_MOST_COMPARED = 2_000


def unset_terms(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL031, GDL032: fluents that are asked for and never set, moves asked for and never legal.

    >>> from kibitz.gdl import parse
    >>> sheet = parse("(init (control me)) (<= (legal me go) (true (contrl me)))")
    >>> [(d.message, d.hint) for d in unset_terms(sheet)]
    [('(contrl me) never holds: no rule of init or next sets it', "do you mean 'control'?")]
    """
    yield from _unset(
        sheet,
        asked=_asked(sheet, "true", 0),
        given=_heads(sheet, ("init", "next"), 0),
        code="GDL031",
        why="never holds: no rule of init or next sets it",
        cure="set it by init or next, or remove what asks for it",
    )
    yield from _unset(
        sheet,
        asked=_asked(sheet, "does", 1),
        given=_heads(sheet, ("legal",), 1),
        code="GDL032",
        why="is never made: no rule of legal allows it",
        cure="allow it by legal, or remove what asks for it",
    )


def _unset(
    sheet: RuleSheet, *, asked: list[Term], given: list[Term], code: str, why: str, cure: str
) -> Iterator[Diagnostic]:
    if any(isinstance(term, Variable) for term in given):
        return
    heads: dict[str, list[Function]] = {}
    for term in given:
        assert isinstance(term, Function)
        heads.setdefault(term.name, []).append(term)
    uses = {term.name for term in asked if isinstance(term, Function)}
    reported: dict[str, None] = {}
    for term in asked:
        if isinstance(term, Variable) or len(reported) == _MOST_REPORTED:
            continue
        same = heads.get(term.name, [])
        if len(same) > _MOST_COMPARED or any(_can_equal(term, head) for head in same):
            continue
        text = str(term) if same else term.name
        if text in reported:
            continue
        reported[text] = None
        # A name that is set and never asked for is the likeliest to be meant.
        unused = [name for name in heads if name not in uses]
        near = _near(term.name, unused) or _near(term.name, list(heads))
        notes = []
        hint = cure
        if not same and near:
            hint = f"do you mean '{near}'?"
            notes = [Note(f"'{near}' is here", heads[near][0].place)]
        elif same:
            notes = [Note(f"'{term.name}' is set here, with other arguments", same[0].place)]
            if code == "GDL032":
                notes = [
                    Note(f"'{term.name}' is allowed here, with other arguments", same[0].place)
                ]
        yield Diagnostic.warning(code, f"{term} {why}", term.place, hint, notes)


def _asked(sheet: RuleSheet, relation: str, place: int) -> list[Term]:
    atoms = [atom for rule in sheet.rules for formula in rule.body for atom, _ in atoms_of(formula)]
    return [atom.args[place] for atom in atoms if _is(atom, relation, place)]


def _heads(sheet: RuleSheet, relations: Sequence[str], place: int) -> list[Term]:
    heads = [rule.head for rule in sheet.rules]
    return [head.args[place] for head in heads for name in relations if _is(head, name, place)]


def _is(atom: Atom, relation: str, place: int) -> bool:
    return atom.relation == relation and len(atom.args) == place + 1


def _can_equal(one: Term, other: Term) -> bool:
    """Return False only where two terms are equal for no values of their variables."""
    if isinstance(one, Variable) or isinstance(other, Variable):
        return True
    return (
        one.name == other.name
        and len(one.args) == len(other.args)
        and all(map(_can_equal, one.args, other.args))
    )


def _near(name: str, known: list[str]) -> str:
    """Find the name most like another, among names short enough to have been misspelled."""
    short = [other for other in known[:1000] if other != name and len(other) <= 50]
    close = get_close_matches(name, short, n=1, cutoff=0.75) if len(name) <= 50 else []
    return close[0] if close else ""
