"""An untrusted answer set program in; out only its rules and weak constraints.

Text passed to clingo can read files, run scripts and set options. So it is parsed into clingo's own
syntax tree, only the kinds of nodes listed here are admitted, and the result is written from that
tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import clingo
from clingo.ast import AST, ASTType, Transformer, parse_string

from kibitz.errors import InputError

_MOST_CHARACTERS = 10_000
"""How long a statement may be: clingo recurses into nested terms, and its stack is limited."""
_MOST_NESTED = 50

_STRING = r'"(?:[^"\\\n]|\\[^\n])*"?'
_OUTSIDE = re.compile(rf"{_STRING}|%\*|%[^\n]*")
_INSIDE = re.compile(r"%\*|\*%")
_FULL_STOP = re.compile(r"(?<!\.)\.(?!\.)")
_INCLUDE = re.compile(r"#\s*(include|script)")

_TERMS = {
    ASTType.Variable,
    ASTType.SymbolicTerm,
    ASTType.UnaryOperation,
    ASTType.BinaryOperation,
    ASTType.Interval,
    ASTType.Function,
    ASTType.Pool,
}
_LITERALS = {ASTType.Literal, ASTType.SymbolicAtom, ASTType.Comparison, ASTType.Guard}
_AGGREGATES = {
    ASTType.BooleanConstant,
    ASTType.BodyAggregate,
    ASTType.BodyAggregateElement,
    ASTType.Aggregate,
    ASTType.ConditionalLiteral,
}
_ADMITTED = {ASTType.Rule, ASTType.Minimize} | _TERMS | _LITERALS | _AGGREGATES
_DROPPED = {ASTType.Comment, ASTType.ShowSignature}
_HINT = "it may have rules with one atom as the head, and weak constraints"


@dataclass(frozen=True, slots=True)
class WeakConstraint:
    """A weak constraint: its variables are V0, V1, … in the order in which they occur."""

    literals: tuple[str, ...]
    comparisons: tuple[str, ...]
    variables: tuple[str, ...]
    weight: int
    priority: int
    terms: tuple[str, ...] = ()
    """The terms that distinguish its instances."""


Relation = tuple[str, int]
"""The name of a relation, and how many arguments it has."""


@dataclass(frozen=True, slots=True)
class Program:
    """Rules as clingo writes them, the relations that they define, and weak constraints.

    `asked` has the relations that bodies ask for and no rule defines, each with its line.
    """

    rules: tuple[str, ...]
    defined: frozenset[str]
    constraints: tuple[WeakConstraint, ...]
    asked: dict[Relation, int] = field(default_factory=dict)


def read_program(text: str, *, name: str) -> Program:
    """Read a program of rules and weak constraints.

    >>> program = read_program("p(X) :- q(X,_). :~ p(A), A > 1. [2@1]", name="mine.lp")
    >>> program.rules, program.constraints[0].comparisons
    (('p(X) :- q(X,_).',), ('V0 > 1',))
    >>> read_program('#include "other.lp".', name="mine.lp")
    Traceback (most recent call last):
    kibitz.errors.InputError: mine.lp has #include
      hint: it may have rules with one atom as the head, and weak constraints
    """
    rules: list[str] = []
    defined: set[str] = set()
    constraints: list[WeakConstraint] = []
    heads: set[Relation] = set()
    asked: dict[Relation, int] = {}
    for statement in _statements(text, name):
        for part in statement.body:
            for relation in _relations(part):
                asked.setdefault(relation, statement.location.begin.line)
        if statement.ast_type is ASTType.Minimize:
            constraints.append(_weak(statement, name))
        else:
            rules.append(str(statement))
            heads.update(_relations(statement.head))
            symbol = statement.head.atom.symbol
            defined.add(symbol.name if symbol.ast_type is ASTType.Function else "")
    asked = {relation: line for relation, line in asked.items() if relation not in heads}
    return Program(tuple(rules), frozenset(defined), tuple(constraints), asked)


def _relations(node: AST) -> Iterator[Relation]:
    """Walk the relations of the atoms in a part of a statement."""
    if node.ast_type is ASTType.SymbolicAtom:
        symbol = node.symbol
        while symbol.ast_type is ASTType.UnaryOperation:
            symbol = symbol.argument
        if symbol.ast_type is ASTType.Function:
            yield symbol.name, len(symbol.arguments)
        return
    for key in node.child_keys:
        child = getattr(node, key)
        for one in [child] if isinstance(child, AST) else list(child or ()):
            yield from _relations(one)


def check_literal(text: str, *, name: str, is_plain: bool = True) -> None:
    """Raise an error unless a text is one literal without negation; a plain one can be counted.

    >>> check_literal("p(X). q", name="mine")
    Traceback (most recent call last):
    kibitz.errors.InputError: mine: p(X). q is not one literal
    """
    found = _one(f":~ {text}. [1@1]", f"{name}: {text} is not one literal")
    if len(found.body) != 1 or found.body[0].ast_type is not ASTType.Literal:
        raise InputError(f"{name}: {text} is not one literal")
    if is_plain:
        _weak(found, name)


def check_fact(text: str, *, name: str) -> None:
    """Raise an error unless a text is one atom.

    >>> check_fact("p(1)", name="mine")
    """
    found = _one(f"{text}.", f"{name}: {text} is not one atom")
    if found.ast_type is not ASTType.Rule or len(found.body):
        raise InputError(f"{name}: {text} is not one atom")


def _one(text: str, otherwise: str) -> AST:
    """Parse a text that is one statement, without comments that could hide more."""
    try:
        (found,) = [] if "%" in text else _statements(text, "")
    except (InputError, ValueError):
        raise InputError(otherwise) from None
    return found


def _statements(text: str, name: str) -> Iterator[AST]:
    """Parse a text; return its statements, all of them admitted."""
    clean = _without_comments(text)
    # The parser opens included files, so anything that looks like an include is rejected first.
    if included := _INCLUDE.search(clean):
        raise InputError(f"{name} has #{included[1]}", hint=_HINT)
    if "\0" in clean:
        raise InputError(f"{name} has a null character", hint="give a file of text")
    bare = re.sub(_STRING, "", clean)
    if max(map(len, _FULL_STOP.split(bare))) > _MOST_CHARACTERS:
        raise InputError(f"{name} has a statement of more than {_MOST_CHARACTERS:,} characters")
    found: list[AST] = []
    messages: list[str] = []
    try:
        parse_string(clean, found.append, logger=lambda _code, message: messages.append(message))
    except (RuntimeError, UnicodeEncodeError) as error:
        message = (messages or [str(error)])[0].strip().removeprefix("<string>")
        raise InputError(f"{name}{message if message[:1] == ':' else f': {message}'}") from None
    for statement in found:
        if statement.ast_type is ASTType.Program:
            if statement.name != "base" or statement.parameters:
                raise InputError(f"{name} has {statement}", hint=_HINT)
        elif statement.ast_type not in _DROPPED:
            _admit(statement, name)
            yield statement


def _without_comments(text: str) -> str:
    """Replace comments by blanks; lines stay, and block comments may be nested."""
    kept: list[str] = []
    position = depth = 0
    while position < len(text):
        mark = (_INSIDE if depth else _OUTSIDE).search(text, position)
        begin, end = mark.span() if mark else (len(text), len(text))
        is_string = mark is not None and mark[0][0] == '"'
        kept.append(text[position : end if is_string else begin] if not depth else "")
        if not is_string:
            kept.append(re.sub(r"[^\n]", " ", text[position if depth else begin : end]))
            depth += {"%*": 1, "*%": -1}.get(mark[0], 0) if mark else 0
        position = end
    return "".join(kept)


def _admit(statement: AST, name: str) -> None:
    """Raise an error unless a statement has only admitted nodes."""
    line = statement.location.begin.line
    where = f"{name}:{line}"
    stack = [(statement, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > _MOST_NESTED:
            raise InputError(f"{where}: terms are nested more than {_MOST_NESTED} deep")
        is_called = node.ast_type is ASTType.Function and node.external
        if node.ast_type not in _ADMITTED or is_called:
            # A script is not quoted: it may be long.
            shown = str(node).split("\n")[0][:60]
            raise InputError(f"{where}: {shown} is not allowed here", hint=_HINT)
        for key in node.child_keys:
            child = getattr(node, key)
            children = [child] if isinstance(child, AST) else list(child or ())
            stack += [(one, depth + 1) for one in children]
    if statement.ast_type is ASTType.Rule and not _has_plain_head(statement):
        raise InputError(f"{where}: the head of a rule is one atom here", hint=_HINT)


def _has_plain_head(rule: AST) -> bool:
    head = rule.head
    return (
        head.ast_type is ASTType.Literal
        and not head.sign
        and head.atom.ast_type is ASTType.SymbolicAtom
    )


class _Renamed(Transformer):
    """Gives variables the names V0, V1, …"""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def visit_Variable(self, node: AST) -> AST:  # noqa: N802 - clingo asks for this name
        """Name a variable; each _ is a separate one."""
        name = node.name if node.name != "_" else f"_ {len(self.names)}"
        return node.update(name=self.names.setdefault(name, f"V{len(self.names)}"))


def _weak(statement: AST, name: str) -> WeakConstraint:
    where = f"{name}:{statement.location.begin.line}"
    renamed = _Renamed()
    literals: list[str] = []
    comparisons: list[str] = []
    for part in statement.body:
        if part.ast_type is not ASTType.Literal or part.sign:
            raise InputError(
                f"{where}: a weak constraint here has neither negation nor aggregates: {part}",
                hint="define an atom by a rule, and let the constraint have that",
            )
        if part.atom.ast_type is ASTType.Comparison:
            comparisons.append(str(renamed.visit(part)))
        elif part.atom.ast_type is ASTType.SymbolicAtom and _is_plain(part.atom.symbol):
            literals.append(str(renamed.visit(part)))
        else:
            raise InputError(
                f"{where}: an atom of a weak constraint computes nothing here: {part}",
                hint="put the sum into a comparison",
            )
    variables = tuple(renamed.names.values())
    terms = tuple(str(renamed.visit(term)) for term in statement.terms)
    if len(renamed.names) > len(variables):
        raise InputError(
            f"{where}: the terms of a weak constraint have a variable that is not in its body",
            hint="leave it out: [weight@priority, terms]",
        )
    return WeakConstraint(
        tuple(literals),
        tuple(comparisons),
        variables,
        _number(statement.weight, where),
        _number(statement.priority, where),
        terms,
    )


def _is_plain(term: AST) -> bool:
    """Return whether a term has only variables, constants and functions of them."""
    if term.ast_type is ASTType.Function:
        return all(map(_is_plain, term.arguments))
    return term.ast_type in (ASTType.Variable, ASTType.SymbolicTerm)


def _number(term: AST, where: str) -> int:
    """Read a weight or a priority."""
    try:
        symbol = clingo.parse_term(str(term), logger=lambda _code, _message: None)
    except RuntimeError:
        symbol = clingo.String("")
    if symbol.type is not clingo.SymbolType.Number:
        raise InputError(f"{where}: weight and priority are whole numbers here, not {term}")
    return symbol.number
