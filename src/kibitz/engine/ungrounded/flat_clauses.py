"""Flatten clauses over numbered terms, with inlined and implied literals.

The one argument of `true`, `next` and `fnext`, and the second of `does`, is split: the atom
`(true (cell ?x ?y b))` is one of the relation "true, cell with three arguments" with three columns.
So a state is one set of tuples for each kind of fluent. An atom such as `(true ?f)`, which names no
kind, belongs to a separate relation that ranges over all kinds.

If every rule for "this piece can move there" asks whose piece it is, then a rule that asks for such
moves may ask so too. It finds the piece first, and asks for the moves of one piece at a time: an
answer about one piece is kept longer than one about all of them.

Evaluated separately, "who can move where" is found for all players, though only one of them is to
move. Inside the clause that asks, it starts from what that clause knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import count

from kibitz.engine.grounding import dynamic_relations, resolve
from kibitz.errors import KibitzError
from kibitz.gdl import (
    KEYWORD_ARITY,
    Atom,
    Clause,
    Function,
    Term,
    Variable,
    components,
    variables_of,
)

TermId = int
FunctorId = int


class Symbols:
    """All terms met so far.

    A compound term is kept as the tuple of its functor's number and the numbers of its arguments.

    >>> symbols = Symbols()
    >>> number = symbols.intern(Function("cell", (Function("1"), Function("b"))))
    >>> str(symbols.term(number)), symbols.intern(symbols.term(number)) == number
    ('(cell 1 b)', True)
    """

    def __init__(self) -> None:
        self.functors: dict[tuple[str, int], FunctorId] = {}
        self.parts: list[tuple[int, ...]] = []
        self._numbers: dict[tuple[int, ...], TermId] = {}
        self._terms: list[Function | None] = []
        self._names: list[str] = []

    def functor(self, name: str, arity: int) -> FunctorId:
        """Return the number of a functor: a name with a number of arguments."""
        number = self.functors.get((name, arity))
        if number is None:
            number = self.functors[name, arity] = len(self.functors)
            self._names.append(name)
        return number

    def make(self, parts: tuple[int, ...]) -> TermId:
        """Return the number of the term with this functor and these arguments."""
        number = self._numbers.get(parts)
        if number is None:
            number = self._numbers[parts] = len(self.parts)
            self.parts.append(parts)
            self._terms.append(None)
        return number

    def intern(self, term: Function) -> TermId:
        """Return the number of a ground term."""
        return self.make(self.split(term))

    def split(self, term: Function) -> tuple[int, ...]:
        """Return the number of a ground term's functor and those of its arguments."""
        functor = self.functor(term.name, len(term.args))
        return (functor, *(self.intern(arg) for arg in term.args if isinstance(arg, Function)))

    def term(self, number: TermId) -> Function:
        """Return the term with a number."""
        found = self._terms[number]
        if found is None:
            functor, *args = self.parts[number]
            found = Function(self._names[functor], tuple(map(self.term, args)))
            self._terms[number] = found
        return found


ANY: FunctorId = -1
"""Stands for the kind of a term that is known only when it is met."""

SPLIT = ("true", "next", "does")
"""Relations whose last argument is split; in a translated sheet `fnext` as well."""


class DependencyLevel(IntEnum):
    """Dependency of a relation: on nothing, on the state alone, or on the moves."""

    STATIC = 0
    STATE = 1
    MOVE = 2


@dataclass(frozen=True, slots=True)
class Build:
    """A compound term with variables in it."""

    functor: FunctorId
    args: tuple[Pattern, ...]


Pattern = Variable | int | Build
"""An argument: a variable, the number of a ground term, or a term to build or split."""


@dataclass(frozen=True, slots=True)
class Pred:
    """A relation by name, the kind of its last argument where that is split, and columns."""

    relation: str
    functor: FunctorId | None
    columns: int


@dataclass(frozen=True, slots=True)
class FlatAtom:
    """A relation applied to patterns."""

    pred: Pred
    args: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class FlatClause:
    """A head that holds when all positive atoms hold, no negative one does, and pairs differ."""

    head: FlatAtom
    positive: tuple[FlatAtom, ...]
    negative: tuple[FlatAtom, ...]
    distinct: tuple[tuple[Pattern, Pattern], ...]


def flatten(
    clauses: Iterable[Clause], symbols: Symbols, *, split: tuple[str, ...] = SPLIT
) -> tuple[FlatClause, ...]:
    """Write clauses over numbers; clauses that can never hold are left out.

    >>> from kibitz.gdl import clauses_of, parse
    >>> (clause,) = flatten(clauses_of(parse("(<= p (true (cell 1 ?x)))")), Symbols())
    >>> clause.positive[0].pred.relation, clause.positive[0].pred.columns
    ('true', 2)
    """
    result = []
    for clause in clauses:
        if set(clause.positive) & set(clause.negative) or any(a == b for a, b in clause.distinct):
            continue
        flat = FlatClause(
            _atom(clause.head, symbols, split),
            tuple(dict.fromkeys(_atom(a, symbols, split) for a in clause.positive)),
            tuple(dict.fromkeys(_atom(a, symbols, split) for a in clause.negative)),
            tuple((_pattern(a, symbols), _pattern(b, symbols)) for a, b in clause.distinct),
        )
        result.append(flat)
    return tuple(dict.fromkeys(result))


def _atom(atom: Atom, symbols: Symbols, split: tuple[str, ...]) -> FlatAtom:
    if atom.relation not in split or not atom.args:
        args = tuple(_pattern(arg, symbols) for arg in atom.args)
        return FlatAtom(Pred(atom.relation, None, len(args)), args)
    *first, last = atom.args
    before = tuple(_pattern(arg, symbols) for arg in first)
    if isinstance(last, Variable):
        return FlatAtom(Pred(atom.relation, ANY, len(before) + 1), (*before, last))
    args = (*before, *(_pattern(arg, symbols) for arg in last.args))
    functor = symbols.functor(last.name, len(last.args))
    return FlatAtom(Pred(atom.relation, functor, len(args)), args)


def _pattern(term: Term, symbols: Symbols) -> Pattern:
    if isinstance(term, Variable):
        return Variable(term.name)
    args = tuple(_pattern(arg, symbols) for arg in term.args)
    functor = symbols.functor(term.name, len(args))
    numbers = tuple(arg for arg in args if isinstance(arg, int))
    if len(numbers) == len(args):
        return symbols.make((functor, *numbers))
    return Build(functor, args)


def pattern_variables(pattern: Pattern) -> Iterable[Variable]:
    """Walk the variables of a pattern."""
    if isinstance(pattern, Variable):
        yield pattern
    elif isinstance(pattern, Build):
        for arg in pattern.args:
            yield from pattern_variables(arg)


def atom_variables(*atoms: FlatAtom) -> set[Variable]:
    """Return the variables of some atoms."""
    return {v for atom in atoms for arg in atom.args for v in pattern_variables(arg)}


class UnstratifiedError(KibitzError):
    """A relation depends on its own negation."""


def find_levels(by_head: Mapping[Pred, Sequence[FlatClause]]) -> dict[Pred, DependencyLevel]:
    """Return what relations depend on, for those that depend on something."""
    levels: dict[Pred, DependencyLevel] = {}
    users: dict[Pred, set[Pred]] = {}
    for head, clauses in by_head.items():
        for clause in clauses:
            for atom in (*clause.positive, *clause.negative):
                users.setdefault(atom.pred, set()).add(head)
    for relation, level in (("true", DependencyLevel.STATE), ("does", DependencyLevel.MOVE)):
        stack = [pred for pred in users if pred.relation == relation]
        seen: set[Pred] = set()
        while stack:
            pred = stack.pop()
            if pred not in seen:
                seen.add(pred)
                levels[pred] = level
                stack.extend(users.get(pred, ()))
    return levels


def find_groups(by_head: Mapping[Pred, Sequence[FlatClause]]) -> list[list[Pred]]:
    """Return relations that need one another together, each after those that it needs."""
    needs = {
        head: list(dict.fromkeys(a.pred for c in clauses for a in (*c.positive, *c.negative)))
        for head, clauses in by_head.items()
    }
    groups = components(needs)
    for group in groups:
        inside = set(group)
        for head in group:
            for clause in by_head.get(head, ()):
                if any(atom.pred in inside for atom in clause.negative):
                    raise UnstratifiedError(f"{head.relation} depends on its own negation")
    return groups


_Shape = tuple[Pred, tuple[tuple[bool, int], ...]]
"""A kind of fluent, and for each argument whether it is a column of the head, and a number."""


def imply(clauses: Iterable[FlatClause]) -> tuple[FlatClause, ...]:
    """Add to each body the first fluent that all rules of one of its atoms ask for.

    >>> from kibitz.engine.ungrounded.flat_clauses import flatten
    >>> from kibitz.engine.ungrounded.flat_clauses import Symbols
    >>> from kibitz.gdl import clauses_of, parse
    >>> text = "(<= (can ?p ?x) (true (at ?p ?x)) free) (<= (legal ?p (go ?x)) (can ?p ?x))"
    >>> [len(clause.positive) for clause in imply(flatten(clauses_of(parse(text)), Symbols()))]
    [2, 2]
    """
    listed = list(clauses)
    by_head: dict[Pred, list[FlatClause]] = {}
    for clause in listed:
        by_head.setdefault(clause.head.pred, []).append(clause)
    shapes = {pred: shape for pred, own in by_head.items() if (shape := _shared(own)) is not None}
    return tuple(_extend(clause, shapes) for clause in listed)


def _shared(clauses: Sequence[FlatClause]) -> _Shape | None:
    """Return the first fluent that all clauses ask for, by the columns of their heads."""
    first, *others = (list(filter(None, (_shape(a, c) for a in c.positive))) for c in clauses)
    found = (s for s in first if all(s in shapes for shapes in others))
    return next(found, None)


def _shape(atom: FlatAtom, clause: FlatClause) -> _Shape | None:
    if atom.pred.relation != "true" or atom.pred.functor in (None, ANY):
        return None
    columns: dict[Pattern, int] = {}
    for column, arg in enumerate(clause.head.args):
        if isinstance(arg, Variable):
            columns.setdefault(arg, column)
    places: list[tuple[bool, int]] = []
    for arg in atom.args:
        if isinstance(arg, int):
            places.append((False, arg))
        elif arg in columns:
            places.append((True, columns[arg]))
        else:
            return None
    return (atom.pred, tuple(places)) if any(is_column for is_column, _ in places) else None


def _extend(clause: FlatClause, shapes: Mapping[Pred, _Shape]) -> FlatClause:
    implied = []
    for atom in clause.positive:
        if atom.pred in shapes and atom.pred != clause.head.pred:
            pred, places = shapes[atom.pred]
            args = tuple(atom.args[value] if is_col else value for is_col, value in places)
            implied.append(FlatAtom(pred, args))
    return replace(clause, positive=tuple(dict.fromkeys((*clause.positive, *implied))))


MOST_CLAUSES = 40
MOST_ATOMS = 16


def inline(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Replace each atom of a changing relation that occurs in only one body by its clauses.

    >>> from kibitz.gdl import clauses_of, parse
    >>> text = "(<= (legal ?p ?m) (true (control ?p)) (can ?p ?m)) (<= (can ?q go) (true (at ?q)))"
    >>> for clause in inline(clauses_of(parse(text))):
    ...     print(clause.head, "<=", *clause.positive)
    (legal ?p go) <= (true (control ?p)) (true (at ?p))
    """
    numbers = count()
    while True:
        found = _candidate(clauses)
        if found is None:
            return clauses
        place, atom = found
        bodies = [c for c in clauses if c.head.relation == atom.relation]
        merged = [
            new
            for body in bodies
            if (new := resolve(clauses[place], atom, body, next(numbers))) is not None
        ]
        clauses = tuple(
            clause
            for number, old in enumerate(clauses)
            for clause in (merged if number == place else [old])
            if clause.head.relation != atom.relation
        )


def _candidate(clauses: tuple[Clause, ...]) -> tuple[int, Atom] | None:
    """Find a clause and an atom in it that can be replaced."""
    heads = Counter(clause.head.relation for clause in clauses)
    uses = Counter(a.relation for c in clauses for a in (*c.positive, *c.negative))
    dynamic = dynamic_relations(clauses)
    for place, clause in enumerate(clauses):
        for atom in clause.positive:
            name = atom.relation
            if (
                uses[name] == 1
                and name in dynamic
                and name not in KEYWORD_ARITY
                and name != "fnext"
                and 0 < heads[name] <= MOST_CLAUSES
                and heads[clause.head.relation] + heads[name] <= 2 * MOST_CLAUSES
                and clause.head.relation != name
                # What shares no variable is a separate question, asked once.
                and any(variables_of(atom))
                and all(
                    len(body.positive) + len(clause.positive) <= MOST_ATOMS
                    for body in clauses
                    if body.head.relation == name
                )
            ):
                return place, atom
    return None
