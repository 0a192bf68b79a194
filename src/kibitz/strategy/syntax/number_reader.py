"""Read numbers of a state, the numbers that names stand for, and orders of moves by them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

from kibitz.board import chains_of
from kibitz.engine import CompiledGame, Move, Role
from kibitz.errors import BudgetExceededError
from kibitz.gdl import Function, RuleSheet, Term
from kibitz.strategy import tree
from kibitz.strategy.places import dark_of, groups_of, light_of, neighbouring_pairs, things_of
from kibitz.strategy.syntax.numbers import OVER_FLUENTS, Number
from kibitz.strategy.syntax.printer import write_term
from kibitz.strategy.syntax.terms import Names, TermReader, head_of, trees, unquoted
from kibitz.strategy.ways import chances_of, foremost_of, goal_steps, progress_of

if TYPE_CHECKING:
    from kibitz.strategy.syntax.terms import Node


_FEWEST = 3
"""Fewer names that end in digits, such as p1 and p2, are rather names than numbers."""


def numbers_of_values(values: Iterable[Function], sheet: RuleSheet) -> dict[Function, int] | None:
    """Number values: as numerals, English words or nested terms, or by their places in an order.

    An order counts up from its start, or from its end where play begins at its start and not at its
    end, as where a relation links each constant to the one below. Names such as c1, c2, c3 count by
    their digits. None if there is no order.

    >>> from kibitz.gdl import parse, parse_terms
    >>> found = numbers_of_values(parse_terms("b c"), parse("(below c b) (below b a) (init (n c))"))
    >>> {str(value): number for value, number in sorted(found.items(), key=str)}
    {'b': 1, 'c': 2}
    >>> sorted(numbers_of_values(parse_terms("zero (s (s zero))"), parse("")).values())
    [0, 2]
    """
    known = set(values)
    for read in (_numeral, _WORDS.get):
        numbers = {value: read(value.name) for value in known if not value.args}
        found = {value: number for value, number in numbers.items() if number is not None}
        if len(found) == len(known):
            return found
    return _nested(known) or _in_chains(known, sheet) or _by_digits(known)


def number_arguments(game: CompiledGame) -> tuple[tuple[str, int], ...]:
    """Return the names of fluents with the arguments, from 1, that are numbers.

    >>> from kibitz.games import load_sheet
    >>> number_arguments(CompiledGame(load_sheet("nim:3,4")))
    (('heap', 2),)
    """
    network = game.network
    values: dict[tuple[str, int], set[Function]] = {}
    for fluent in (*network.fluents, *(hidden.fluent for hidden in network.hidden)):
        for index, value in enumerate(fluent.args, start=1):
            if isinstance(value, Function):
                values.setdefault((fluent.name, index), set()).add(value)
    return tuple(
        key
        for key, found in sorted(values.items())
        if len(found) > 1 and numbers_of_values(found, game.sheet) is not None
    )


def _numeral(name: str) -> int | None:
    return int(name) if name.isdecimal() else None


def _nested(values: set[Function]) -> dict[Function, int] | None:
    """Count how often one function is applied to one constant, in all values."""
    numbers: dict[Function, int] = {}
    functions: set[str] = set()
    innermost: set[Term] = set()
    for value in values:
        inner: Term = value
        count = 0
        while isinstance(inner, Function) and len(inner.args) == 1:
            functions.add(inner.name)
            inner, count = inner.args[0], count + 1
        innermost.add(inner)
        numbers[value] = count
    is_counted = len(functions) == len(innermost) == 1
    return numbers if is_counted and not any(getattr(i, "args", ()) for i in innermost) else None


def _in_chains(values: set[Function], sheet: RuleSheet) -> dict[Function, int] | None:
    """Number values by their places in a chain of facts."""
    for chain in chains_of(sheet):
        ordered = [Function(name) for name in chain]
        if not values <= set(ordered):
            continue
        digits = _by_digits(set(ordered))
        if digits is not None and [abs(digits[v] - digits[ordered[0]]) for v in ordered] == [
            *range(len(ordered))
        ]:
            return {value: digits[value] for value in values}
        begun = {
            value
            for rule in sheet.rules
            if rule.head.relation == "init" and isinstance(rule.head.args[0], Function)
            for value in rule.head.args[0].args
        }
        if ordered[0] in begun and ordered[-1] not in begun:
            ordered.reverse()
        return {value: number for number, value in enumerate(ordered) if value in values}
    return None


def _by_digits(values: set[Function]) -> dict[Function, int] | None:
    """Number names that differ in the digits at their end alone."""
    parts = {value: re.fullmatch(r"(.*?)(\d+)", value.name) for value in values if not value.args}
    found = {value: part for value, part in parts.items() if part is not None}
    if not _FEWEST <= len(found) == len(values) or len({part[1] for part in found.values()}) > 1:
        return None
    numbers = {value: int(part[2]) for value, part in found.items()}
    return numbers if len(set(numbers.values())) == len(numbers) else None


def _number_words() -> dict[str, int]:
    """Return the English words for numbers below 100, whatever joins tens and units."""
    found = {word: number for number, word in enumerate(_SMALL.split())}
    units = list(found.items())[1:10]
    for tens, word in enumerate(_TENS.split(), start=2):
        found[word] = 10 * tens
        for unit, number in units:
            for joined in ("", "_", "-"):
                found[f"{word}{joined}{unit}"] = 10 * tens + number
    return found


_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS = _number_words()


_MOST_UNITS = 1000
"""The largest sum of fluents that is counted by ones."""


def number_values(values: Iterable[Function], sheet: RuleSheet) -> dict[Function, int] | None:
    """Number values in their order: as numbers, or by a successor relation of the rule sheet.

    None if they have no order.

    >>> from kibitz.gdl import parse, parse_terms
    >>> numbered = number_values(parse_terms("b a"), parse("(succ a b) (succ b c)"))
    >>> {str(value): number for value, number in numbered.items()}
    {'a': 0, 'b': 1}
    """
    known = set(values)
    if all(value.name.isdecimal() and not value.args for value in known):
        return {value: int(value.name) for value in known}
    for chain in chains_of(sheet):
        ordered = [Function(name) for name in chain if Function(name) in known]
        if len(ordered) == len(known):
            return {value: number for number, value in enumerate(ordered)}
    return None


def distances(numbers: Mapping[Move, int]) -> dict[Move, int]:
    """Return twice the distance of each number from the middle between the least and the most.

    >>> list(distances({Function("a"): 1, Function("b"): 2, Function("c"): 4}).values())
    [3, 1, 3]
    """
    middle = min(numbers.values()) + max(numbers.values())
    return {move: abs(2 * number - middle) for move, number in numbers.items()}


def chain_of(cost: Mapping[Move, int], role: Role) -> tuple[tree.Formula, ...]:
    """Return formulas that ask for cheaper and cheaper moves, the weakest first.

    >>> moves = [Function(name) for name in "abc"]
    >>> [len(list(str(f).split("Does"))) - 1 for f in chain_of(dict(zip(moves, (2, 1, 1))), "me")]
    [3, 2]
    """
    levels: Sequence[int] = sorted(set(cost.values()), reverse=True)
    made = [(tree.Does(role, move), own) for move, own in cost.items()]
    chain = (tuple(does for does, own in made if own <= level) for level in levels)
    return tuple(tree.Or(parts) if len(parts) > 1 else parts[0] for parts in chain)


def counting_chain(parts: Iterable[tree.Formula]) -> tuple[tree.Formula, ...]:
    """Return formulas that ask for more and more parts, the weakest first.

    >>> parts = tree.Initial(), tree.TRUE, tree.Terminal()
    >>> [formula.count for formula in counting_chain(parts)]
    [1, 2]
    """
    counted = tuple(part for part in parts if not isinstance(part, tree.Const))
    return tuple(tree.AtLeast(count, counted) for count in range(1, len(counted) + 1)) or (
        tree.TRUE,
    )


def number_units(number: Number) -> tuple[tree.Formula, ...]:
    """Return formulas of which a fixed number more hold in a state whose number is larger by it.

    >>> from kibitz.strategy.syntax.numbers import Number
    >>> a, b = Function("a"), Function("b")
    >>> two = Number("minus", parts=(Number("count", ((a, 1),)), Number("count", ((b, 1),))))
    >>> [type(unit).__name__ for unit in number_units(two)]
    ['Holds', 'Not']
    """
    if number.kind == "constant":
        return ()
    if number.kind in ("plus", "minus"):
        one, other = map(number_units, number.parts)
        return one + (other if number.kind == "plus" else tuple(map(tree.negation, other)))
    if number.kind in ("number", "sum", "count") and _is_small(number):
        return tuple(tree.Holds(fluent) for fluent, value in number.things for _ in range(value))
    if number.kind == "largest" and min((value for _, value in number.things), default=0) >= 0:
        most = max((value for _, value in number.things), default=0)
        return tuple(
            tree.disjunction(
                tree.Holds(fluent) for fluent, value in number.things if value >= least
            )
            for least in range(1, min(most, _MOST_UNITS + 1) + 1)
        )
    if number.kind == "cases":
        return tuple(
            tree.conjunction(
                tree.Holds(f) if asked else tree.Not(tree.Holds(f)) for f, asked in case
            )
            for case in number.cases()
        )
    low, high = number.bounds()
    return tuple(
        tree.NumberIs(number, ">=", Number("constant", constant=value))
        for value in range(low + 1, high + 1)
    )


def _is_small(number: Number) -> bool:
    """Return whether a sum of fluents can be counted by ones."""
    values = [value for _, value in number.things]
    return min(values, default=0) >= 0 and sum(values) <= _MOST_UNITS


_JOINED = ("plus", "minus", "times", "remainder")
_OF_ROLES = {
    "things": things_of,
    "pairs": neighbouring_pairs,
    "steps": goal_steps,
    "chances": chances_of,
    "progress": progress_of,
    "foremost": foremost_of,
}
"""Numbers of what a role has, found from the rules."""
_ON_BOARD = {"groups": groups_of, "dark": dark_of, "light": light_of}
"""Numbers of things by where they are on the drawn board."""
_ANY = "_"
"""Stands for the number in a fluent, or for anything in fluents that are counted."""


class NumberReader(TermReader):
    """Reads terms that are numbers of the state, beside those that are fixed."""

    def is_state_number(self, node: Node) -> bool:
        """Return whether a term depends on the state."""
        if node.data in _JOINED or node.data == "opposite":
            return any(map(self.is_state_number, trees(node)))
        if node.data == "argument":
            return True
        name, args = head_of(node)
        if (name == "distance" and len(args) == 2) or (name == "xor" and len(args) > 1):
            return any(map(self.is_state_number, args))
        if name == "entry" and len(args) > 1:
            return self.is_state_number(args[0])
        if name == "runs" and len(args) > 1:
            return _names_fluents(args[0])
        if name in _ON_BOARD and len(args) == 1:
            return _names_fluents(args[0])
        if name in _OF_ROLES and len(args) == 1:
            return (name, 1) not in self.words.fluent_signatures
        return name in OVER_FLUENTS and bool(args) and all(map(_names_fluents, args))

    def state_number(self, node: Node, names: Names) -> Number:
        """Return the number of a node; one that is fixed is a constant."""
        self.count(node)
        if not self.is_state_number(node):
            number = self.number(node, names)
            return Number("constant", constant=number, text=str(number))
        parts = trees(node)
        name, args = head_of(node)
        if node.data == "opposite":
            zero = Number("constant", text="0")
            return Number("minus", parts=(zero, self.state_number(parts[0], names)))
        if node.data in _JOINED or name == "distance":
            kind = name or str(node.data)
            inner = tuple(self.state_number(part, names) for part in (args or parts))
            if kind == "remainder" and (inner[1].kind != "constant" or inner[1].constant < 1):
                self.fail("STR004", "what follows % is a number from 1 on", parts[1])
            return Number(kind, parts=inner)
        if name == "xor":
            first, *others = (self.state_number(arg, names) for arg in args)
            return reduce(lambda one, other: Number("xor", parts=(one, other)), others, first)
        if name == "runs":
            return self.runs(args, names)
        if name in _ON_BOARD:
            return self.on_board(name, args[0], names)
        if name in _OF_ROLES:
            return self.of_role(name, args[0], node, names)
        if name == "entry":
            place = self.state_number(args[0], names)
            return Number(
                name, parts=(place,), table=tuple(self.number(a, names) for a in args[1:])
            )
        if node.data == "argument":
            things = self.things_at(node)
            return Number("number", things, text=f"{_written(node)}")
        return self.over_fluents(name, args, names)

    def of_role(self, name: str, whose: Node, node: Node, names: Names) -> Number:
        """Return a number of what a role has, or lacks."""
        role = self.role_of(whose, names)
        game = self.words.compiled()
        found = None if game is None else _OF_ROLES[name](game, role)
        if found is None:
            self.fail(
                "STR011",
                f"the rules do not say what {name} of {role} are",
                node,
                "things are what a role's own moves bring; see docs/strategies.md",
            )
        return replace(found, text=f"{name}({write_term(Function(role))})")

    def on_board(self, name: str, node: Node, names: Names) -> Number:
        """Return how many fluents that match are on dark or light cells, or in how many groups."""
        counted = self.matching("count", node, names)
        game = self.words.compiled()
        things = [fluent for fluent, _ in counted.things]
        found = None if game is None else _ON_BOARD[name](game, things)
        if found is None:
            self.fail("STR011", f"these are not on a board that has {name}", node)
        return replace(found, text=f"{name}({counted.text[6:-1]})")

    def over_fluents(self, kind: str, args: list[Node], names: Names) -> Number:
        """Return a number over the fluents that some nodes stand for."""
        if len(args) == 1 and args[0].data == "argument":
            things = self.things_at(args[0])
            if kind == "count":
                things = tuple((fluent, 1) for fluent, _ in things)
            return Number(kind, things, text=f"{kind}({_written(args[0])})")
        if len(args) == 1 and args[0].data == "remainder":
            argument, modulus = trees(args[0])
            by = self.number(modulus, names)
            if by < 1:
                self.fail("STR004", "what follows % is a number from 1 on", modulus)
            things = _in_order((fluent, value % by) for fluent, value in self.things_at(argument))
            return Number(kind, things, text=f"{kind}({_written(argument)} % {by})")
        if len(args) == 1 and head_of(args[0])[0] == "table":
            return self.by_table(kind, head_of(args[0])[1], names)
        if len(args) == 1 and args[0].data != "times":
            return self.matching(kind, args[0], names)
        found: list[tuple[Function, int]] = []
        for arg in args:
            factor, fluent = trees(arg)
            found.append((self.term(fluent, names), self.number(factor, names)))
        return Number(kind, _in_order(found))

    def by_table(self, kind: str, nodes: list[Node], names: Names) -> Number:
        """Return a number over the values that a table, repeated, gives to numbers from 0 on."""
        argument, *listed = nodes
        table = [self.number(node, names) for node in listed]
        if argument.data == "argument":
            given, written = self.things_at(argument), _written(argument)
        else:
            pattern = self.matching("number", argument, names)
            given, written = pattern.things, pattern.text[7:-1]
        things = _in_order((fluent, table[value % len(table)]) for fluent, value in given)
        text = f"{kind}(table({written}, {', '.join(map(str, table))}))"
        return Number(kind, things, text=text)

    def runs(self, nodes: list[Node], names: Names) -> Number:
        """Return the nim-sum of the values of runs, by a table of their lengths from 0 on."""
        pattern = self.matching("number", nodes[0], names)
        table = [self.number(node, names) for node in nodes[1:]]
        missing = len(pattern.things) + 1 - len(table)
        text = f"runs({pattern.text[7:-1]}, {', '.join(map(str, table))})"
        if min(table) < 0 or table[0]:
            self.fail("STR004", "values are from 0 on, and the first, of no run, is 0", nodes[1])
        if missing > 0:
            wanted = len(pattern.things) + 1
            message = f"a run can have any length up to {wanted - 1}, so {wanted} values are needed"
            self.fail("STR005", message, nodes[-1])
        return Number("runs", pattern.things, table=tuple(table), text=text)

    def matching(self, kind: str, node: Node, names: Names) -> Number:
        """Return a number over the fluents that match an atom in which `_` stands for a value."""
        name, args = head_of(node)
        wanted = [None if _is_any(arg) else self.term(arg, names) for arg in args]
        places = [place for place, value in enumerate(wanted) if value is None]
        if kind != "count" and len(places) != 1:
            self.fail("STR004", "one _ says where the number is", node)
        fluents = [
            fluent
            for fluent in self.known_fluents(node)
            if fluent.name == name
            and len(fluent.args) == len(args)
            and all(w in (None, a) for w, a in zip(wanted, fluent.args, strict=True))
        ]
        if not fluents and not self.has_variables(node, names):
            self.fail("STR002", f"no fluent {name} matches this", node)
        shown = Function(name, tuple(Function(_ANY) if w is None else w for w in wanted))
        text = f"{kind}({write_term(shown)})"
        if kind == "count":
            return Number(kind, _in_order((fluent, 1) for fluent in fluents), text=text)
        numbers = self.numbered(node, name, len(args), places[0])
        things = _in_order((f, numbers[str(f.args[places[0]])]) for f in fluents)
        return Number(kind, things, text=text)

    def things_at(self, node: Node) -> tuple[tuple[Function, int], ...]:
        """Return the fluents of a name, each with the number at an argument."""
        name, place = unquoted(str(node.children[0])), int(str(node.children[1])) - 1
        fluents = [f for f in self.known_fluents(node) if f.name == name and place < len(f.args)]
        if place < 0 or not fluents:
            self.fail("STR002", f"no fluent {name} has an argument {place + 1}", node)
        arities = {len(fluent.args) for fluent in fluents}
        return _in_order(
            (fluent, numbers[str(fluent.args[place])])
            for arity in arities
            for numbers in [self.numbered(node, name, arity, place)]
            for fluent in fluents
            if len(fluent.args) == arity
        )

    def numbered(self, node: Node, name: str, arity: int, place: int) -> dict[str, int]:
        """Return the number of each value of an argument of a fluent."""
        values = {
            value
            for fluent in self.known_fluents(node)
            if fluent.name == name and len(fluent.args) == arity
            for value in [fluent.args[place]]
            if isinstance(value, Function)
        }
        numbers = numbers_of_values(values, self.words.sheet)
        if numbers is None:
            self.fail(
                "STR011",
                f"neither numbers nor a successor relation order the values of {name}.{place + 1}",
                node,
            )
        return {str(value): number for value, number in numbers.items()}

    def known_fluents(self, node: Node) -> Iterable[Function]:
        """Return the fluents of the game; the rules must have few enough instances to list them."""
        try:
            return self.words.every_fluent
        except BudgetExceededError as error:
            self.fail("STR011", f"the fluents are not known: {error.message}", node)


def _names_fluents(node: Node) -> bool:
    """Return whether a node is NAME.N, also by a table, an atom with `_`, or a listed atom."""
    if node.data == "times":
        return trees(node)[1].data in ("call", "kif")
    if node.data == "argument":
        return True
    if node.data == "remainder":
        return trees(node)[0].data == "argument"
    name, args = head_of(node)
    if name == "table" and len(args) > 1:
        return _names_fluents(args[0])
    return node.data in ("call", "kif") and any(_is_any(arg) for arg in head_of(node)[1])


def _is_any(node: Node) -> bool:
    return node.data == "word" and str(node.children[0]) == _ANY


def _in_order(things: Iterable[tuple[Function, int]]) -> tuple[tuple[Function, int], ...]:
    return tuple(sorted(things, key=lambda thing: (str(thing[0]), thing[1])))


def _written(node: Node) -> str:
    return f"{node.children[0]}.{node.children[1]}"
