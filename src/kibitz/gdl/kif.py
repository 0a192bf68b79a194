"""Read KIF text, GDL's prefix notation, into rules and terms.

Two passes: `_lists` turns the text into nested lists (and stops at the first unbalanced
parenthesis, where nothing after it can be trusted), then each top-level list becomes a rule on
its own, so that one malformed sentence does not hide the next.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kibitz.errors import Diagnostic, Note, Place, Source
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
    Term,
    Variable,
)

MAX_DEPTH = 100
"""The deepest nesting that is read. Rule sheets that people write stay below 20."""

_TOKEN = re.compile(r"[()]|;[^\n]*|[^\s();]+")


class SyntaxProblem(Exception):  # noqa: N818 - never leaves the readers
    """Carries one syntax diagnostic from where it is found to where it is collected."""

    def __init__(
        self, code: str, message: str, place: Place, hint: str = "", notes: tuple[Note, ...] = ()
    ) -> None:
        self.diagnostic = Diagnostic.error(code, message, place, hint, notes)


@dataclass(slots=True)
class _List:
    items: list[_Node]
    place: Place


@dataclass(slots=True)
class _Word:
    text: str
    place: Place


_Node = _List | _Word


def read_kif(source: Source) -> tuple[list[Rule], list[Diagnostic]]:
    """Read every sentence of a text; sentences that are malformed become diagnostics."""
    rules: list[Rule] = []
    diagnostics: list[Diagnostic] = []
    try:
        nodes = _lists(source)
    except SyntaxProblem as problem:
        return [], [problem.diagnostic]
    for node in nodes:
        try:
            rules.append(_rule(node))
        except SyntaxProblem as problem:
            diagnostics.append(problem.diagnostic)
    return rules, diagnostics


def read_kif_terms(source: Source) -> tuple[Term, ...]:
    """Read a text that is a sequence of terms, such as moves or fluents.

    Raises SyntaxProblem.
    """
    return tuple(_term(node) for node in _lists(source))


def _lists(source: Source) -> list[_Node]:
    text = source.text
    top: list[_Node] = []
    items = top
    open_lists: list[tuple[int, list[_Node]]] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        start = match.start()
        if token == "(":
            if len(open_lists) >= MAX_DEPTH:
                raise SyntaxProblem(
                    "GDL005",
                    f"nested more than {MAX_DEPTH} deep",
                    Place(start, start + 1),
                    "is a closing parenthesis missing further up?",
                    (Note("the outermost one opens here", _one(open_lists[0][0])),),
                )
            open_lists.append((start, items))
            items = []
        elif token == ")":
            if not open_lists:
                raise SyntaxProblem(
                    "GDL003",
                    "closing parenthesis without an opening one",
                    Place(start, start + 1),
                    "remove it, or look for a sentence before it that is closed too early",
                    _previous_sentence(top),
                )
            opened, outer = open_lists.pop()
            outer.append(_List(items, Place(opened, start + 1)))
            items = outer
        elif token[0] != ";":
            items.append(_Word(token, Place(start, match.end())))
    if open_lists:
        raise _never_closed(source, [start for start, _ in open_lists])
    return top


def _never_closed(source: Source, opened: list[int]) -> SyntaxProblem:
    """Report the sentence that looks unclosed: a later one starts a line while it is open."""
    inner_starts = [i for i in opened[1:] if source.position(i)[1] == 1]
    if inner_starts:
        end = inner_starts[0]
        start = max(i for i in opened if i < end)
        where = "a new sentence seems to start here"
    else:
        start, end, where = opened[-1], len(source.text.rstrip()), "the text ends here"
    return SyntaxProblem(
        "GDL002",
        "this parenthesis is never closed",
        Place(start, start + 1),
        f"{len(opened)} closing parenthes{'i' if len(opened) == 1 else 'e'}s missing in all",
        (Note(where, Place(max(0, end - 1), max(1, end)) if not inner_starts else _one(end)),),
    )


def _previous_sentence(top: list[_Node]) -> tuple[Note, ...]:
    if not top:
        return ()
    end = top[-1].place.end
    return (Note("the sentence before it ends here", Place(end - 1, end)),)


def _one(start: int) -> Place:
    return Place(start, start + 1)


def _head_word(node: _List, what: str) -> _Word:
    if not node.items:
        raise SyntaxProblem(
            "GDL004", "nothing inside the parentheses", node.place, f"a {what} needs a name"
        )
    first = node.items[0]
    if isinstance(first, _List):
        raise SyntaxProblem(
            "GDL004",
            f"a {what} starts with a name, not with another parenthesis",
            Place(node.place.start, node.place.start + 1),
            "remove one pair of parentheses",
        )
    if first.text[0] == "?":
        raise SyntaxProblem(
            "GDL004", f"a variable cannot name a {what}", first.place, "write a name here"
        )
    return first


def _rule(node: _Node) -> Rule:
    if isinstance(node, _List) and node.items:
        first = node.items[0]
        if isinstance(first, _Word) and first.text == "<=":
            if len(node.items) < 2:
                raise SyntaxProblem(
                    "GDL004", "a rule without a head", node.place, "write (<= HEAD BODY ...)"
                )
            head = _atom(node.items[1])
            return Rule(head, tuple(_formula(n) for n in node.items[2:]), node.place)
    return Rule(_atom(node), (), node.place)


def _atom(node: _Node) -> Atom:
    if isinstance(node, _Word):
        if node.text[0] == "?":
            raise SyntaxProblem(
                "GDL004", "a variable cannot be a sentence", node.place, "write a relation"
            )
        word, args = node, []
    else:
        word, args = _head_word(node, "relation"), node.items[1:]
    if word.text.lower() in RESERVED:
        raise _misplaced(word)
    relation = word.text.lower() if word.text.lower() in KEYWORD_ARITY else word.text
    return Atom(relation, tuple(_term(n) for n in args), node.place)


def _formula(node: _Node) -> Formula:
    if isinstance(node, _List):
        word = _head_word(node, "relation")
        args = node.items[1:]
        match word.text.lower():
            case "not":
                if len(args) != 1:
                    raise _wrong_count("not", "one formula", len(args), node)
                return Not(_formula(args[0]), node.place)
            case "or":
                if not args:
                    raise SyntaxProblem(
                        "GDL024",
                        "a disjunction of nothing can never hold",
                        node.place,
                        "list what may hold, or remove the rule",
                    )
                parts = tuple(_formula(n) for n in args)
                return parts[0] if len(parts) == 1 else Or(parts, node.place)
            case "distinct":
                if len(args) != 2:
                    raise _wrong_count("distinct", "two terms", len(args), node)
                return Distinct(_term(args[0]), _term(args[1]), node.place)
    return _atom(node)


def _term(node: _Node) -> Term:
    if isinstance(node, _List):
        word = _head_word(node, "term")
        args = tuple(_term(n) for n in node.items[1:])
    else:
        word, args = node, ()
        if word.text[0] == "?":
            if len(word.text) == 1:
                raise SyntaxProblem(
                    "GDL004", "a variable needs a name", word.place, "write ?x, for example"
                )
            return Variable(word.text[1:], word.place)
    if word.text.lower() in RESERVED:
        raise _misplaced(word)
    return Function(word.text, args, node.place)


def _misplaced(word: _Word) -> SyntaxProblem:
    return SyntaxProblem(
        "GDL006",
        f"'{word.text}' is not allowed here",
        word.place,
        "<=, not, or and distinct build rules and bodies; they are not relations or terms",
    )


def _wrong_count(keyword: str, wanted: str, seen: int, node: _List) -> SyntaxProblem:
    return SyntaxProblem(
        "GDL004",
        f"'{keyword}' takes {wanted}, not {seen}",
        node.place,
        "write (not FORMULA)" if keyword == "not" else "write (distinct TERM TERM)",
    )
