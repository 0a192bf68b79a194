"""Syntax tree in; out terms: names, numbers, roles, moves, and the values that variables take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from kibitz.engine import Role
from kibitz.errors import Diagnostic, Place, Source, StrategyError
from kibitz.gdl import Function
from kibitz.strategy.syntax.vocabulary import Vocabulary
from kibitz.strategy.tree import AllMoves

if TYPE_CHECKING:
    from lark import Token, Tree

    Node: TypeAlias = Tree[Token]


MOST_NODES = 300_000

Names = Mapping[str, Function]
"""The values of variables and parameters."""


class TermReader:
    """Reads the terms of a text for one role of a game."""

    def __init__(self, source: Source, words: Vocabulary, role: Role) -> None:
        self.source, self.words, self.role = source, words, role
        self.numbers: dict[str, Function] = {}
        self.nodes = 0

    def term(self, node: Node, names: Names) -> Function:
        """Return the term of a node."""
        self.count(node)
        parts = trees(node)
        match node.data:
            case "integer":
                return Function(str(node.children[0]))
            case "plus":
                return _number(self.number(parts[0], names) + self.number(parts[1], names))
            case "minus":
                return _number(self.number(parts[0], names) - self.number(parts[1], names))
            case "times":
                return _number(self.number(parts[0], names) * self.number(parts[1], names))
            case "opposite":
                inner = self.term(parts[0], names)
                if str(inner) in self.words.roles:
                    return Function(self.opponent(str(inner), node))
                return _number(-self.number(parts[0], names))
            case "word" | "call" | "kif":
                return self.name(node, names)
        self.fail("STR004", "this is a formula, where a value is expected", node)

    def name(self, node: Node, names: Names) -> Function:
        """Return the term of a name, or of a name with arguments."""
        name, args = head_of(node)
        if not args:
            if name in names:
                return names[name]
            if name in self.numbers:
                return self.numbers[name]
            if name not in self.words.constants:
                if name in ("me", "i"):
                    return Function(self.role)
                if name == "opponent":
                    return Function(self.opponent(self.role, node))
        if name in ("max", "min", "count") and len(args) == 1:
            values = self.domain_of(args[0], head_of(args[0])[0])
            if name == "count":
                return _number(len(values))
            numbers = [int(v.name) for (v,) in values if v.name.isdecimal() and not v.args]
            if not numbers:
                self.fail("STR004", f"{head_of(args[0])[0]} has no numbers", args[0])
            return _number(max(numbers) if name == "max" else min(numbers))
        return Function(name, tuple(self.term(arg, names) for arg in args))

    def opponent(self, role: Role, node: Node) -> Role:
        """Return the other of two roles."""
        if len(self.words.roles) != 2:
            count = count_of(len(self.words.roles), "role")
            self.fail(
                "STR003",
                f"{self.words.sheet.name} has {count}, so {role} has no single opponent",
                node,
                f"name a role: {' '.join(self.words.roles)}",
            )
        first, second = self.words.roles
        return second if role == first else first

    def number(self, node: Node, names: Names) -> int:
        """Return the number of a node."""
        value = self.term(node, names)
        try:
            if len(value.name) > 9:
                raise ValueError
            return int(value.name)
        except ValueError:
            self.fail("STR004", f"{value} is not a number", node)

    def role_of(self, node: Node, names: Names) -> Role:
        """Return the role that a node names."""
        role = str(self.term(node, names))
        if role not in self.words.roles:
            hint = did_you_mean(role, self.words.roles)
            roles = f"roles: {' '.join(self.words.roles)}, or me and opponent"
            self.fail(
                "STR003",
                f"{self.words.sheet.name} has no role {role}",
                node,
                f"{hint}; {roles}" if hint else roles,
            )
        return role

    def move(self, node: Node, names: Names, role: Role) -> Function | None:
        """Return a move of a role; None if it has variables and there is no such move."""
        term = self.term(node, names)
        if self.words.moves is None or term in self.words.moves[role]:
            return term
        known = self.words.moves[role]
        if self.has_variables(node, names) and any(
            (m.name, len(m.args)) == (term.name, len(term.args)) for m in known
        ):
            return None
        near = [str(m) for m in known if m.name == term.name] or [str(m) for m in known]
        self.fail("STR002", f"{role} has no move {term}", node, did_you_mean(str(term), near))

    def has_variables(self, node: Node, names: Names) -> bool:
        """Return whether a node contains a variable, a parameter or an unnamed role."""
        words = {*names, *self.numbers, "me", "i", "opponent"}
        if node.data == "word" and str(node.children[0]) in words:
            return True
        return any(self.has_variables(child, names) for child in trees(node))

    def bindings(self, binders: Node, names: Names) -> Iterator[Names]:
        """Go through the values of variables, the first one slowest."""
        first, *others = trees(binders)
        for bound in self.bind(first, names):
            if others:
                rest = binders.copy()
                rest.children = list(others)
                yield from self.bindings(rest, bound)
            else:
                yield bound

    def bind(self, binder: Node, names: Names) -> Iterator[Names]:
        """Go through the values of the variables of one binder."""
        variables, domain = trees(binder)
        wanted = [unquoted(str(token)) for token in variables.children]
        for values in self.domain(domain, names, len(wanted)):
            self.count(binder)
            yield {**names, **dict(zip(wanted, values, strict=True))}

    def domain(self, node: Node, names: Names, width: int) -> list[tuple[Function, ...]]:
        """List the values of a domain, in its order."""
        match node.data:
            case "range":
                low, high = (self.number(part, names) for part in trees(node))
                step = 1 if low <= high else -1
                if abs(high - low) > MOST_NODES:
                    self.fail("STR010", "this range is too long", node)
                found: list[tuple[Function, ...]] = [
                    (_number(n),) for n in range(low, high + step, step)
                ]
            case "listed":
                found = [(self.term(part, names),) for part in trees(node)]
            case "argument":
                name, index = map(str, node.children)
                values = self.words.values(unquoted(name), int(index))
                if values is None:
                    self.fail(
                        "STR002",
                        f"no fluent, move or fixed relation {name} has a known argument {index}",
                        node,
                    )
                found = [(value,) for value in values]
            case "moves_of":
                found = [(move,) for move in self.moves_of(node, names)]
            case _:
                name = unquoted(str(node.children[0]))
                found = list(self.domain_of(node, name, width))
        if found and len(found[0]) != width:
            self.fail("STR005", f"{width} variables go through tuples of {len(found[0])}", node)
        return found

    def moves_of(self, node: Node, names: Names) -> AllMoves:
        """Return the moves of the role in `moves(ROLE)`."""
        role = self.role_of(trees(node)[0], names)
        if self.words.moves is None:
            self.fail_uncompiled(node)
        return self.words.all_moves(role)

    def fail_uncompiled(self, node: Node) -> NoReturn:
        """Raise the error that the moves of a game are not known."""
        name = self.words.sheet.name
        message = f"the moves of {name} are known only where it is compiled"
        self.fail("STR011", message, node, "check it with --engine compiled")

    def domain_of(self, node: Node, name: str, width: int = 1) -> tuple[tuple[Function, ...], ...]:
        """Return the facts of a relation that is the same in every state."""
        if name == "role":
            return tuple((Function(role),) for role in self.words.roles)
        arities = [arity for relation, arity in self.words.relations if relation == name]
        if not arities:
            known = [r for r, _ in self.words.relations if not self.words.needs_state(r)]
            hint = did_you_mean(name, known) or "a relation of the rules, 1..9, {a, b} or cell.1"
            self.fail("STR002", f"{self.words.sheet.name} has no relation {name}", node, hint)
        if self.words.needs_state(name) or self.words.needs_moves(name):
            self.fail(
                "STR009",
                f"{name} changes from state to state, so no variable can go through it",
                node,
                "go through all values, and ask for it in the formula",
            )
        return self.words.facts((name, width if width in arities else arities[0]))

    def count(self, node: Node) -> None:
        """Count a node, and stop where a text expands to too many."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            self.fail(
                "STR010",
                f"this expands to more than {MOST_NODES:,} formulas",
                node,
                "let variables go through fewer values",
            )

    def fail(self, code: str, message: str, node: Node, hint: str = "") -> NoReturn:
        """Raise an error at a node."""
        diagnostic = Diagnostic.error(code, message, place_of(node), hint)
        raise StrategyError(self.source, diagnostic)


def trees(node: Node) -> list[Node]:
    """Return the children that are trees."""
    return [child for child in node.children if not isinstance(child, str)]


def head_of(node: Node) -> tuple[str, list[Node]]:
    """Return the name that an atom or term begins with, and its arguments."""
    if node.data not in ("word", "call", "kif"):
        return "", []
    return unquoted(str(node.children[0]).removesuffix("(")), trees(node)


def unquoted(name: str) -> str:
    """Take the quotes off a name."""
    return name[1:-1].replace("''", "'") if name.startswith("'") else name


def place_of(node: Node) -> Place:
    """Return the place of a node in the text."""
    if getattr(node.meta, "empty", True):
        return Place(0, 1)
    return Place(node.meta.start_pos, node.meta.end_pos)


def _number(value: int) -> Function:
    return Function(str(value))


def count_of(number: int, noun: str) -> str:
    """Write a number of things."""
    return f"{number} {noun}{'s' * (number != 1)}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint with similar names."""
    near = get_close_matches(word, list(known), n=3, cutoff=0.6)
    return f"did you mean {' or '.join(near)}?" if near else ""
