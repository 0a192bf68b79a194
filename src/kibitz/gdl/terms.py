"""The tree of a rule sheet: terms, atoms, formulas, rules, each with its place in the source.

=========== ============================ ===================================
type        KIF                          rule form
=========== ============================ ===================================
Variable    ``?x``                       ``X``
Function    ``(cell 1 ?x b)``, ``b``     ``cell(1,X,b)``, ``b``
Atom        ``(true (step 3))``          ``true(step(3))``
Not         ``(not (true over))``        ``not true(over)``
Or          ``(or (p ?x) (q ?x))``       ``(p(X) or q(X))``
Distinct    ``(distinct ?x ?y)``         ``X != Y``
Rule        ``(<= (p ?x) (q ?x))``       ``p(X) :- q(X).``
=========== ============================ ===================================

Comparisons ignore places, so a sheet equals its own printed and re-read copy. All but a sheet show
themselves as their KIF text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kibitz.errors import Place, Source

KEYWORD_ARITY = {
    "role": 1,
    "init": 1,
    "true": 1,
    "does": 2,
    "next": 1,
    "legal": 2,
    "goal": 2,
    "terminal": 0,
    "base": 1,
    "input": 2,
}
"""GDL's own relations."""

RESERVED = frozenset({"<=", "not", "or", "distinct"})
"""Words that build formulas and so can name neither a relation nor a constant."""

NOWHERE = Place(0, 0)


class _Written:
    """Mixin: `repr()` returns KIF, as `str()` does."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True, repr=False)
class Variable(_Written):
    """A variable, named without its question mark.

    >>> Variable("x")
    ?x
    """

    name: str
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"?{self.name}"


@dataclass(frozen=True, slots=True, repr=False)
class Function(_Written):
    """A function term, or a constant when it has no arguments.

    >>> Function("cell", (Function("1"), Variable("x")))
    (cell 1 ?x)
    """

    name: str
    args: tuple[Term, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"({self.name} {' '.join(map(str, self.args))})" if self.args else self.name


Term = Variable | Function


@dataclass(frozen=True, slots=True, repr=False)
class Atom(_Written):
    """A relation applied to terms."""

    relation: str
    args: tuple[Term, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"({self.relation} {' '.join(map(str, self.args))})" if self.args else self.relation


@dataclass(frozen=True, slots=True, repr=False)
class Not(_Written):
    """A negated formula."""

    formula: Formula
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"(not {self.formula})"


@dataclass(frozen=True, slots=True, repr=False)
class Or(_Written):
    """A disjunction of at least two formulas."""

    formulas: tuple[Formula, ...]
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"(or {' '.join(map(str, self.formulas))})"


@dataclass(frozen=True, slots=True, repr=False)
class Distinct(_Written):
    """Two terms that must differ."""

    left: Term
    right: Term
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"(distinct {self.left} {self.right})"


Formula = Atom | Not | Or | Distinct


@dataclass(frozen=True, slots=True, repr=False)
class Rule(_Written):
    """A head that holds when all formulas of the body do; a fact has an empty body."""

    head: Atom
    body: tuple[Formula, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        if not self.body:
            return str(self.head)
        return f"(<= {self.head} {' '.join(map(str, self.body))})"


@dataclass(frozen=True, slots=True)
class RuleSheet:
    """The rules of a game as written, in the order written."""

    rules: tuple[Rule, ...]
    source: Source = field(default=Source("rules", ""), compare=False, repr=False)
    as_gdl1: bool = field(default=False, compare=False, repr=False)
    """Every role sees all, and one called `random` is a player, whatever GDL-II says."""

    @property
    def name(self) -> str:
        """The name that messages use for this sheet."""
        return self.source.name


def subterms(term: Term) -> Iterator[Term]:
    """Walk a term and everything inside it.

    >>> list(subterms(Function("f", (Variable("x"), Function("a")))))
    [(f ?x a), ?x, a]
    """
    yield term
    if isinstance(term, Function):
        for arg in term.args:
            yield from subterms(arg)


def atoms_of(formula: Formula) -> Iterator[tuple[Atom, bool]]:
    """Walk the atoms of a formula, each with whether it stands in a positive place.

    >>> list(atoms_of(Or((Atom("p"), Not(Atom("q"))))))
    [(p, True), (q, False)]
    """
    match formula:
        case Atom():
            yield formula, True
        case Not():
            for atom, sign in atoms_of(formula.formula):
                yield atom, not sign
        case Or():
            for part in formula.formulas:
                yield from atoms_of(part)


def variables_of(node: Term | Formula) -> Iterator[Variable]:
    """Walk the variables of a term or formula, each as often as it occurs."""
    match node:
        case Variable():
            yield node
        case Function() | Atom():
            for arg in node.args:
                yield from variables_of(arg)
        case Not():
            yield from variables_of(node.formula)
        case Or():
            for part in node.formulas:
                yield from variables_of(part)
        case Distinct():
            yield from variables_of(node.left)
            yield from variables_of(node.right)


def terms_of(sheet: RuleSheet) -> Iterator[Term]:
    """Walk every term of a sheet and everything inside it."""
    for rule in sheet.rules:
        for formula in (rule.head, *rule.body):
            yield from _terms(formula)


def _terms(formula: Formula) -> Iterator[Term]:
    match formula:
        case Atom():
            for arg in formula.args:
                yield from subterms(arg)
        case Not():
            yield from _terms(formula.formula)
        case Or():
            for part in formula.formulas:
                yield from _terms(part)
        case Distinct():
            yield from subterms(formula.left)
            yield from subterms(formula.right)
