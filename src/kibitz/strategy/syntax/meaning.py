"""Read the meaning of a parsed text for one role: plans, and lines if it is a rule list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kibitz.engine import Role
from kibitz.errors import InputError, Place, Source
from kibitz.gdl import Function
from kibitz.strategy import tree
from kibitz.strategy.evaluation.rule_images import Choices, rule_plan
from kibitz.strategy.syntax.formulas import Definition, Expanding, FormulaReader
from kibitz.strategy.syntax.number_reader import (
    chain_of,
    counting_chain,
    distances,
    number_units,
    number_values,
)
from kibitz.strategy.syntax.printer import write_formula, write_number, write_term
from kibitz.strategy.syntax.terms import Names, did_you_mean, place_of, trees, unquoted
from kibitz.strategy.syntax.vocabulary import Vocabulary
from kibitz.strategy.ways import open_ways

if TYPE_CHECKING:
    from kibitz.strategy.syntax.terms import Node


_MOST_UNITS = 2000
"""The most values of a number by which moves are compared."""


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule of a rule list, its block, its text, if it is written once, and its preferences."""

    choices: Choices
    block: str = ""
    text: str = field(default="", compare=False)
    atoms: int = field(default=0, compare=False)
    preferences: tuple[tree.Preference, ...] = ()


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a text for a role; `lines` is None if it is not a rule list."""

    plan: tree.Plan
    lines: tuple[RuleLine, ...] | None
    symmetry: str | None
    symmetry_place: Place
    settings: tuple[str, ...]
    """The text before the strategy, without the setting of symmetry."""


def read_meaning(
    root: Node, source: Source, words: Vocabulary, role: Role, part: str | None = None
) -> Meaning:
    """Return the meaning of a parsed text, or of a definition in it, for a role.

    Raise StrategyError where it has none.
    """
    return _PlanReader(source, words, role).read(root, part)


class _PlanReader(FormulaReader):
    symmetry: str | None = None
    symmetry_place = Place(0, 1)

    def read(self, root: Node, part: str | None) -> Meaning:
        bodies = []
        settings = []
        for child in trees(root):
            if child.data in ("symmetric", "let", "define", "block"):
                self.setting(child)
                if child.data != "symmetric":
                    settings.append(self.text_of(child))
            else:
                bodies.append(child)
        names: Names = {}
        if part is not None:
            bodies, names = self.part(part)
        elif settings and not bodies:
            last = trees(root)[-1]
            hint = "write the strategy after the definitions, or select one of them with #NAME"
            self.fail("STR001", "the text ends without a strategy", last, hint)
        lines = self.lines(bodies, names, "")
        if lines is not None:
            plan = _else([rule_plan(line.choices, self.role, line.preferences) for line in lines])
        else:
            plan = _else([self.plan(body, names) for body in bodies])
        kept = None if lines is None else tuple(lines)
        return Meaning(plan, kept, self.symmetry, self.symmetry_place, tuple(settings))

    def part(self, name: str) -> tuple[list[Node], Names]:
        definition = self.definitions.get(name)
        if definition is None or len(definition.parameters) > 1:
            usable = [n for n, d in self.definitions.items() if len(d.parameters) < 2]
            raise InputError(
                f"{self.source.name} defines no strategy {name}",
                hint=f"it defines {' '.join(usable)}" if usable else "",
            )
        names = {parameter: Function(self.role) for parameter in definition.parameters}
        return list(definition.bodies), names

    def setting(self, node: Node) -> None:
        if node.data == "symmetric":
            self.symmetry = str(node.children[0])
            self.symmetry_place = place_of(node)
        elif node.data == "let":
            name = unquoted(str(node.children[0]))
            self.numbers[name] = self.term(trees(node)[0], {})
        elif node.data == "block":
            name = unquoted(str(node.children[0]))
            self.definitions[name] = Definition((), tuple(trees(node)), is_block=True)
        else:
            head, body = trees(node)
            names = [unquoted(str(t).removesuffix("(")) for t in head.children]
            self.definitions[names[0]] = Definition(tuple(names[1:]), (body,))

    def lines(self, nodes: list[Node], names: Names, block: str) -> list[RuleLine] | None:
        """Return the rules of nodes, or None if one is not a rule."""
        found: list[RuleLine] = []
        for node in nodes:
            inner: list[RuleLine] | None
            if node.data in ("rule", "any_rule"):
                text = "" if names else self.text_of(node)
                choices = self.joined_choices(node, names)
                inner = [RuleLine(choices, block, text, _count_atoms(node))]
            elif node.data == "also_list":
                line = self.preferring(node, names, block)
                inner = None if line is None else [line]
            elif node.data == "else_list":
                inner = self.lines(trees(node), names, block)
            elif node.data == "each":
                inner = []
                binders, body = trees(node)
                for bound in self.bindings(binders, names):
                    part = self.lines([body], bound, block)
                    if part is None:
                        return None
                    inner += part
            elif (used := self.block_of(node)) is not None:
                name, definition = used
                inner = self.lines(list(definition.bodies), {}, name)
                if inner is None:
                    self.fail(
                        "STR008",
                        f"block {name} has more than rules",
                        node,
                        "use define for strategies that are not rule lists",
                    )
            else:
                return None
            if inner is None:
                return None
            found += inner
        return found

    def preferring(self, node: Node, names: Names, block: str) -> RuleLine | None:
        """Return the rule that is followed by preferences, if a node is one."""
        first, *others = trees(node)
        inner: list[RuleLine] | None = None
        if first.data in ("rule", "any_rule", "also_list"):
            inner = self.lines([first], names, block)
        found = self.preferences(others, names) if inner else None
        if not inner or found is None:
            return None
        text = "" if names else self.text_of(node)
        return replace(inner[0], text=text, preferences=(*inner[0].preferences, *found))

    def preferences(self, nodes: list[Node], names: Names) -> list[tree.Preference] | None:
        """Return what nodes after `also` prefer, or None if one of them is not a formula."""
        found: list[tree.Preference] = []
        goes_on = False
        for node in nodes:
            atoms = _count_atoms(node)
            for part in self.elements(node, names):
                if isinstance(part, tree.Preference):
                    found.append(part)
                elif not isinstance(part, tree.Simple):
                    return None
                elif goes_on:
                    run = found[-1]
                    formulas = (*run.formulas, part.formula)
                    found[-1] = tree.Preference(formulas, atoms=run.atoms + atoms)
                else:
                    found.append(tree.Preference((part.formula,), atoms=atoms))
                goes_on = not isinstance(part, tree.Preference)
                atoms = 0
        return found

    def elements(self, node: Node, names: Names) -> Iterator[tree.Plan | tree.Preference]:
        """Walk what a node between `also` stands for: plans, and comparisons of moves."""
        if node.data == "each":
            binders, body = trees(node)
            for bound in self.bindings(binders, names):
                yield from self.elements(body, bound)
            return
        comparison = self.compared_moves(node, names)
        yield self.plan(node, names) if comparison is None else comparison

    def compared_moves(self, node: Node, names: Names) -> tree.Preference | None:
        """Return the preference of a node that compares moves, itself or by what it defines."""
        if node.data in ("word", "call", "kif"):
            used = self.definition(node, names)
            if used is None or len(used[1].bodies) != 1 or used[1].is_block:
                return None
            with Expanding(self, used[0], node):
                return self.compared_moves(used[1].bodies[0], used[2])
        if node.data in ("most_value", "least_value", "middle_value"):
            self.count(node)
            return tree.Preference(self.order(node), self.text_of(node), 1)
        if node.data in ("most_count", "fewest_count"):
            self.count(node)
            parts = [tree.without_previous(part) for part in self.counted(trees(node), names)]
            word = node.data.removesuffix("_count")
            text = self.text_of(node)
            if names or self.definitions or self.numbers:
                text = f"{word} of ({', '.join(map(write_formula, parts))})"
            if word == "fewest":
                parts = list(map(_denied, parts))
            return tree.Preference(counting_chain(parts), text, _count_atoms(node))
        if node.data in ("most_ways", "fewest_ways"):
            self.count(node)
            return self.compared_ways(node, names)
        if node.data in ("highest_number", "lowest_number"):
            self.count(node)
            return self.compared_numbers(node, names)
        return None

    def compared_numbers(self, node: Node, names: Names) -> tree.Preference:
        """Return the preference by a number of the state after the move."""
        (written,) = trees(node)
        number = self.state_number(written, names)
        units = number_units(number)
        if not 0 < len(units) <= _MOST_UNITS:
            what = "is the same in all states" if not units else "has too many values"
            self.fail("STR011", f"{write_number(number)} {what}, so that it compares nothing", node)
        word = node.data.removesuffix("_number")
        text = self.text_of(node)
        if names or self.definitions or self.numbers:
            text = f"{word} {write_number(number)}"
        parts = [tree.Next(tree.negation(unit) if word == "lowest" else unit) for unit in units]
        return tree.Preference(counting_chain(parts), text, 1)

    def compared_ways(self, node: Node, names: Names) -> tree.Preference:
        """Return the preference by how many ways to win of a role are open after the move."""
        who, number = trees(node)
        role, missing = self.role_of(who, names), self.number(number, names)
        game = self.words.compiled()
        ways = open_ways(game, role, missing) if game is not None and missing >= 0 else ()
        if not ways:
            self.fail(
                "STR011",
                f"no ways to win of {role} are known that could lack {missing}",
                node,
                "ways are sets of its own things, as in a line, that win together",
            )
        word = node.data.removesuffix("_ways")
        parts = [tree.Next(tree.negation(way) if word == "fewest" else way) for way in ways]
        text = self.text_of(node)
        if names or self.definitions or self.numbers:
            text = f"{word} ways({write_term(Function(role))}, {missing})"
        return tree.Preference(counting_chain(parts), text, 1)

    def order(self, node: Node) -> tuple[tree.Formula, ...]:
        """Return the chain of formulas that compares moves by their arguments."""
        cost: dict[Function, int] = {}
        names = {unquoted(str(argument.children[0])) for argument in trees(node)}
        if len(names) > 1:
            self.fail("STR011", "moves of two names cannot be compared", node)
        for argument in trees(node):
            name, index = unquoted(str(argument.children[0])), int(str(argument.children[1]))
            numbers = self.numbered_moves(argument, name, index)
            if node.data == "middle_value":
                numbers = distances(numbers)
            elif node.data == "most_value":
                numbers = {move: -number for move, number in numbers.items()}
            cost = {move: cost.get(move, 0) + number for move, number in numbers.items()}
        return chain_of(cost, self.role)

    def numbered_moves(self, node: Node, name: str, index: int) -> dict[Function, int]:
        """Return the moves of a name, each with the number of an argument."""
        if self.words.moves is None:
            self.fail_uncompiled(node)
        moves = [
            move
            for move in self.words.all_moves(self.role)
            if move.name == name and 1 <= index <= len(move.args)
        ]
        if not moves:
            known = {move.name for move in self.words.all_moves(self.role) if move.args}
            message = f"{self.role} has no move {name} with an argument {index}"
            self.fail("STR002", message, node, did_you_mean(name, known - {name}))
        values = {move: move.args[index - 1] for move in moves}
        terms = {value for value in values.values() if isinstance(value, Function)}
        numbers = number_values(terms, self.words.sheet)
        if numbers is None:
            self.fail(
                "STR011",
                f"neither numbers nor a successor relation order the values of {name}.{index}",
                node,
            )
        return {move: numbers[value] for move, value in values.items() if value in numbers}

    def text_of(self, node: Node) -> str:
        start, end = place_of(node)
        return self.source.text[start:end]

    def block_of(self, node: Node) -> tuple[str, Definition] | None:
        if node.data not in ("word", "kif") or len(node.children) != 1:
            return None
        name = unquoted(str(node.children[0]))
        definition = self.definitions.get(name)
        return (name, definition) if definition is not None and definition.is_block else None

    def joined_choices(self, node: Node, names: Names) -> Choices:
        """Return the choices of a rule, those for any move as one."""
        found = tuple(self.choices(node, names))
        free = [condition for condition, moves in found if isinstance(moves, tree.AllMoves)]
        if len(free) < 2:
            return found
        others = tuple(choice for choice in found if not isinstance(choice[1], tree.AllMoves))
        return ((tree.disjunction(free), self.words.all_moves(self.role)), *others)

    def choices(
        self, node: Node, names: Names
    ) -> Iterator[tuple[tree.Formula, tuple[Function, ...]]]:
        if node.data == "any_rule":
            binders, body = trees(node)
            for bound in self.bindings(binders, names):
                yield from self.choices(body, bound)
            return
        condition, moves = trees(node)
        formula = tree.without_previous(self.formula(condition, names))
        if moves.data == "any_move":
            allowed: tuple[Function, ...] = self.words.all_moves(self.role)
        else:
            found = [self.move(move, names, self.role) for move in trees(moves)]
            allowed = tuple(dict.fromkeys(move for move in found if move is not None))
            if len(allowed) > 1 and set(allowed) == set(self.words.all_moves(self.role)):
                allowed = self.words.all_moves(self.role)
        if (allowed or isinstance(allowed, tree.AllMoves)) and formula != tree.FALSE:
            yield formula, allowed

    def plan(self, node: Node, names: Names) -> tree.Plan:
        """Return the plan of a node where ∇ and ∆ are allowed."""
        self.count(node)
        match node.data:
            case "else_list":
                return _else(self.parts(node, names))
            case "also_list":
                return self.also(node, names)
            case (
                "most_value"
                | "least_value"
                | "middle_value"
                | "most_count"
                | "fewest_count"
                | "most_ways"
                | "fewest_ways"
                | "highest_number"
                | "lowest_number"
            ):
                comparison = self.compared_moves(node, names)
                assert comparison is not None
                return comparison.among(tree.Simple(tree.TRUE))
            case "rule" | "any_rule":
                return rule_plan(self.joined_choices(node, names), self.role)
            case "each":
                self.fail(
                    "STR007",
                    "each joins strategies, and this one does not say how",
                    node,
                    "write also each … or else each …",
                )
            case "word" | "call" | "kif":
                used = self.definition(node, names)
                if used is not None:
                    name, definition, inner = used
                    with Expanding(self, name, node):
                        return _else([self.plan(body, inner) for body in definition.bodies])
        return tree.Simple(tree.without_previous(self.formula(node, names)))

    def also(self, node: Node, names: Names) -> tree.Plan:
        """Join by ∆; a comparison chooses among the moves of all that stands before it."""
        run: list[tree.Plan] = []
        for child in trees(node):
            for part in self.elements(child, names):
                if isinstance(part, tree.Preference):
                    run = [part.among(_also(run) if run else tree.Simple(tree.TRUE))]
                else:
                    run.append(part)
        if not run:
            self.fail("STR007", "each has no values to go through here", node)
        return _also(run)

    def parts(self, node: Node, names: Names) -> list[tree.Plan]:
        found: list[tree.Plan] = []
        for child in trees(node):
            if child.data == "each":
                found += self.spread(child, names)
            else:
                found.append(self.plan(child, names))
        if not found:
            self.fail("STR007", "each has no values to go through here", node)
        return found

    def spread(self, node: Node, names: Names) -> list[tree.Plan]:
        binders, body = trees(node)
        found: list[tree.Plan] = []
        for bound in self.bindings(binders, names):
            found += self.spread(body, bound) if body.data == "each" else [self.plan(body, bound)]
        return found


_COMPARING = (
    "most_value",
    "least_value",
    "middle_value",
    "most_ways",
    "fewest_ways",
    "highest_number",
    "lowest_number",
)
"""What compares moves and counts as one atom."""


def _count_atoms(node: Node) -> int:
    """Count the atoms of a rule's condition as it is written, those below `any` and `all` once."""
    if node.data in ("any_rule", "any_", "all_", "each", "at_least", "most_count", "fewest_count"):
        return _count_atoms(trees(node)[-1])
    if node.data in _COMPARING:
        return 1
    if node.data == "rule":
        return _count_atoms(trees(node)[0])
    if node.data in ("true", "false"):
        return 0
    if node.data in ("word", "call", "kif", "holds", "compare"):
        return 1
    return sum(map(_count_atoms, trees(node)))


def _denied(formula: tree.Formula) -> tree.Formula:
    """Deny what a formula says of the state that it looks ahead to."""
    if isinstance(formula, tree.Next):
        return tree.Next(_denied(formula.formula))
    return tree.negation(formula)


def _also(parts: list[tree.Plan]) -> tree.Plan:
    return parts[0] if len(parts) == 1 else tree.Also(tuple(parts))


def _else(parts: list[tree.Plan]) -> tree.Plan:
    return parts[0] if len(parts) == 1 else tree.Else(tuple(parts))
