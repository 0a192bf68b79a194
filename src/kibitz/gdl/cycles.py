"""Check what depends on what in a RuleSheet: the order of play, negation, and recursion.

The restrictions are those of the GDL specification (Love and others 2006) that make a sheet
stratified and its recursion finite.
"""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.errors import Diagnostic, Note
from kibitz.gdl.clauses import unify
from kibitz.gdl.dependencies import Dependencies, Edge, components
from kibitz.gdl.terms import Atom, Function, Rule, RuleSheet, Term, Variable, subterms

__all__ = ["flow", "recursion", "stratification"]

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
