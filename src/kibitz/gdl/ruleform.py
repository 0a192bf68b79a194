"""Read the rule form, and print sheets in either notation.

Grammar, after the comments (``% …``) are gone::

    sheet   = { rule }
    rule    = atom [ ":-" formula { "," formula } ] "."
    formula = literal { "or" literal }
    literal = "not" literal | "(" formula ")" | term ("!=" | "=") term | atom
    atom    = name [ "(" [ term { "," term } ] ")" ]
    term    = variable | atom

Variables start with a capital letter, which is read as its small letter, so ``X`` here and ``?x``
in KIF are the same variable. Names that are not plain identifiers are written in single quotes, and
such variables behind a question mark (``?x-1``, ``?'a,b'``); a quote inside is doubled. ``_`` is a
fresh variable each time, and ``X = Y`` is short for ``not X != Y``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from kibitz.errors import Diagnostic, Place, Source
from kibitz.gdl.kif import MAX_DEPTH, SyntaxProblem
from kibitz.gdl.terms import (
    KEYWORD_ARITY,
    RESERVED,
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
    terms_of,
)

PLAIN_NAME = re.compile(r"[a-z][A-Za-z0-9_]*|-?[0-9]+")
PLAIN_VARIABLE = re.compile(r"[a-z][A-Za-z0-9_]*")

_TOKEN = re.compile(
    r"""(?P<skip>\s+|%[^\n]*)
      | (?P<mark>:-|!=|[(),.=])
      | (?P<variable>[A-Z][A-Za-z0-9_]*|\?'(?:[^'\n]|'')*'|\?[A-Za-z0-9_*+<>/-]+|_(?!\w))
      | (?P<name>[a-z][A-Za-z0-9_]*|-?[0-9]+|'(?:[^'\n]|'')*')
      | (?P<bad>.)""",
    re.VERBOSE,
)
_KIF_NAME = re.compile(r"[^\s();?][^\s();]*")


class _Token(NamedTuple):
    kind: str
    text: str
    place: Place


def read_ruleform(source: Source) -> tuple[list[Rule], list[Diagnostic]]:
    """Read every rule of a text; after a malformed one, continue after its full stop."""
    reader = _Reader(source)
    rules: list[Rule] = []
    diagnostics: list[Diagnostic] = []
    while not reader.at_end:
        try:
            rules.append(reader.rule())
        except SyntaxProblem as problem:
            diagnostics.append(problem.diagnostic)
            reader.skip_rule()
    return rules, diagnostics


class _Reader:
    def __init__(self, source: Source) -> None:
        self.tokens = [
            _Token(str(m.lastgroup), m.group(), Place(m.start(), m.end()))
            for m in _TOKEN.finditer(source.text)
            if m.lastgroup != "skip"
        ]
        end = len(source.text)
        self.tokens.append(_Token("end", "the end of the text", Place(max(0, end - 1), end)))
        self.written = {token.text for token in self.tokens if token.kind == "variable"}
        self.index = 0
        self.depth = 0
        self.anonymous = 0

    @property
    def at_end(self) -> bool:
        return self.peek.kind == "end"

    @property
    def peek(self) -> _Token:
        return self.tokens[self.index]

    def take(self) -> _Token:
        token = self.tokens[self.index]
        self.index += token.kind != "end"
        return token

    def accept(self, text: str) -> bool:
        token = self.peek
        found = token.text == text and token.kind in ("mark", "name")
        self.index += found
        return found

    def expect(self, text: str, why: str) -> _Token:
        token = self.peek
        if not self.accept(text):
            raise SyntaxProblem(
                "GDL004",
                f"expected '{text}' {why}, found {token.text}",
                token.place,
                "write HEAD. for a fact, and HEAD :- BODY, BODY. for a rule",
            )
        return token

    def skip_rule(self) -> None:
        """Move behind the next full stop, or the one just read; reset the depth."""
        self.depth = 0
        behind = self.tokens[self.index - 1]
        if self.index and behind.kind == "mark" and behind.text == ".":
            return
        while not self.at_end and self.take().text != ".":
            pass

    def deeper(self, token: _Token) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise SyntaxProblem(
                "GDL005",
                f"nested more than {MAX_DEPTH} deep",
                token.place,
                "is a closing parenthesis missing further up?",
            )

    def rule(self) -> Rule:
        start = self.peek.place.start
        self.anonymous = 0
        head = self.as_atom(self.term())
        body: list[Formula] = []
        if self.accept(":-") and not (self.peek.kind == "mark" and self.peek.text == "."):
            body.append(self.formula())
            while self.accept(","):
                body.append(self.formula())
        dot = self.expect(".", "at the end of the rule")
        return Rule(head, tuple(body), Place(start, dot.place.end))

    def formula(self) -> Formula:
        start = self.peek.place.start
        parts = [self.literal()]
        while self.accept("or"):
            parts.append(self.literal())
        if len(parts) == 1:
            return parts[0]
        return Or(tuple(parts), Place(start, self.behind()))

    def literal(self) -> Formula:
        token = self.peek
        if self.accept("not"):
            self.deeper(token)
            inner = self.literal()
            self.depth -= 1
            return Not(inner, Place(token.place.start, self.behind()))
        if self.accept("("):
            self.deeper(token)
            formula = self.formula()
            if self.peek.text == "," and self.peek.kind == "mark":
                raise SyntaxProblem(
                    "GDL004",
                    "a conjunction is not allowed inside a disjunction",
                    self.peek.place,
                    "write one rule for each alternative",
                )
            self.expect(")", "to close the parenthesis")
            self.depth -= 1
            return formula
        left = self.term()
        for mark in ("!=", "="):
            if self.accept(mark):
                right = self.argument()
                if isinstance(left, Function) and left.name.lower() in RESERVED:
                    raise self.misplaced(left.name, left.place)
                place = Place(token.place.start, self.behind())
                distinct = Distinct(left, right, place)
                return distinct if mark == "!=" else Not(distinct, place)
        if isinstance(left, Function) and left.name.lower() == "distinct":
            if len(left.args) != 2:
                raise SyntaxProblem(
                    "GDL004",
                    f"'distinct' takes two terms, not {len(left.args)}",
                    left.place,
                    "write TERM != TERM",
                )
            return Distinct(left.args[0], left.args[1], left.place)
        return self.as_atom(left)

    def as_atom(self, term: Term) -> Atom:
        if isinstance(term, Variable):
            raise SyntaxProblem(
                "GDL004", "a variable cannot be a sentence", term.place, "write a relation"
            )
        if term.name.lower() in RESERVED:
            raise self.misplaced(term.name, term.place)
        relation = term.name.lower() if term.name.lower() in KEYWORD_ARITY else term.name
        return Atom(relation, term.args, term.place)

    def term(self) -> Term:
        token = self.take()
        if token.kind == "variable":
            return Variable(self.variable_name(token), token.place)
        if token.kind != "name":
            raise SyntaxProblem(
                "GDL004",
                f"expected a name, found {token.text}",
                token.place,
                "names start with a small letter; put any other in single quotes",
            )
        name = token.text
        if name[0] == "'":
            name = name[1:-1].replace("''", "'")
            if not _KIF_NAME.fullmatch(name):
                raise SyntaxProblem(
                    "GDL004",
                    f"{token.text} cannot be a name",
                    token.place,
                    "a name is not empty, contains no space, parenthesis or semicolon, "
                    "and does not start with a question mark",
                )
        if name.lower() in RESERVED - {"distinct"}:
            raise self.misplaced(name, token.place)
        args: list[Term] = []
        if self.accept("("):
            self.deeper(token)
            if not self.accept(")"):
                args.append(self.argument())
                while self.accept(","):
                    args.append(self.argument())
                self.expect(")", f"after the arguments of {name}")
            self.depth -= 1
        return Function(name, tuple(args), Place(token.place.start, self.behind()))

    def argument(self) -> Term:
        term = self.term()
        if isinstance(term, Function) and term.name.lower() in RESERVED:
            raise self.misplaced(term.name, term.place)
        return term

    @staticmethod
    def misplaced(name: str, place: Place) -> SyntaxProblem:
        hint = "<=, not, or and distinct build rules and bodies; they are not relations or terms"
        return SyntaxProblem("GDL006", f"'{name}' is not allowed here", place, hint)

    def variable_name(self, token: _Token) -> str:
        text = token.text
        if text == "_":
            self.anonymous += 1
            while not self.written.isdisjoint({f"?_{self.anonymous}", f"?'_{self.anonymous}'"}):
                self.anonymous += 1
            return f"_{self.anonymous}"
        if text[0] == "?":
            name = text[2:-1].replace("''", "'") if text[1] == "'" else text[1:]
            if not name or re.search(r"[\s();]", name):
                raise SyntaxProblem(
                    "GDL004",
                    f"{text} cannot be a variable",
                    token.place,
                    "the name of a variable contains no space, parenthesis or semicolon",
                )
            return name
        return text[0].lower() + text[1:]

    def behind(self) -> int:
        """Return where the last token that was read ends."""
        return self.tokens[self.index - 1].place.end


class TermWriter:
    """Writes ground terms as KIF text the way a sheet does.

    `(over)` and `over` are the same term, and `str` writes the latter. If a sheet wraps a constant
    in parentheses, so does what Kibitz writes.

    >>> from kibitz.gdl import parse, parse_terms
    >>> write = TermWriter(parse("(<= (next (over)) (does me stop))"))
    >>> [write(term) for term in parse_terms("over (step over)")]
    ['(over)', '(step (over))']
    """

    def __init__(self, sheet: RuleSheet) -> None:
        text = sheet.source.text
        self.wrapped = frozenset(
            term.name
            for term in terms_of(sheet)
            if isinstance(term, Function)
            and not term.args
            and text[term.place.start : term.place.start + 1] == "("
        )

    def __call__(self, term: Function) -> str:
        """Write a term."""
        return self._write(term) if self.wrapped else str(term)

    def _write(self, term: Term) -> str:
        if isinstance(term, Variable):
            return str(term)
        if not term.args:
            return f"({term.name})" if term.name in self.wrapped else term.name
        return f"({term.name} {' '.join(map(self._write, term.args))})"


def to_kif(sheet: RuleSheet) -> str:
    """Print in KIF, one literal a line.

    >>> from kibitz.gdl import parse
    >>> print(to_kif(parse("p(X) :- q(X), X != 1.")), end="")
    (<= (p ?x)
        (q ?x)
        (distinct ?x 1))
    """
    return _join(sheet, rule_to_kif)


def to_ruleform(sheet: RuleSheet) -> str:
    """Print in the rule form, one literal a line.

    >>> from kibitz.gdl import parse
    >>> print(to_ruleform(parse("(<= (p ?x) (q ?x) (or (r ?x) (not (s B ?x))))")), end="")
    p(X) :-
        q(X),
        (r(X) or not s('B',X)).
    """
    return _join(sheet, rule_to_ruleform)


def _join(sheet: RuleSheet, print_rule: Callable[[Rule], str]) -> str:
    """Put a blank line between groups of rules for different relations."""
    lines: list[str] = []
    previous: Rule | None = None
    for rule in sheet.rules:
        if previous and (rule.head.relation != previous.head.relation or previous.body):
            lines.append("")
        lines.append(print_rule(rule))
        previous = rule
    return "\n".join(lines) + "\n" if lines else ""


def rule_to_kif(rule: Rule) -> str:
    """Print one rule in KIF."""
    if not rule.body:
        return str(rule.head)
    return "".join([f"(<= {rule.head}", *(f"\n    {part}" for part in rule.body), ")"])


def rule_to_ruleform(rule: Rule) -> str:
    """Print one rule in the rule form."""
    if not rule.body:
        return f"{_term(rule.head)}."
    body = ",\n    ".join(_formula(part) for part in rule.body)
    return f"{_term(rule.head)} :-\n    {body}."


def _formula(formula: Formula) -> str:
    match formula:
        case Atom():
            return _term(formula)
        case Not():
            return f"not {_formula(formula.formula)}"
        case Or():
            return f"({' or '.join(_formula(part) for part in formula.formulas)})"
        case Distinct():
            return f"{_term(formula.left)} != {_term(formula.right)}"


def _term(term: Term | Atom) -> str:
    if isinstance(term, Variable):
        if PLAIN_VARIABLE.fullmatch(term.name):
            return term.name[0].upper() + term.name[1:]
        return f"?{_quoted(term.name)}"
    name = term.name if isinstance(term, Function) else term.relation
    if not PLAIN_NAME.fullmatch(name) or name in RESERVED:
        name = _quoted(name)
    return f"{name}({','.join(map(_term, term.args))})" if term.args else name


def _quoted(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"
