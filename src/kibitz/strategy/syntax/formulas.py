"""Syntax tree in; out formulas without names, variables or definitions, for one role.

A name is looked up among variables and parameters first, then definitions, then the words of the
language (`does`, `wins`, …), then fluents, then relations. An atom with variables that names
nothing in the game is false, so `box(J-1)` needs no guard at the edge of a board; without variables
it is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn

from kibitz.engine import CompiledGame, Role
from kibitz.errors import BudgetExceededError, Source
from kibitz.gdl import Function
from kibitz.strategy import tree
from kibitz.strategy.evaluation.board_symmetries import (
    SYMMETRIES,
    exchanges,
    image_of_last_move,
    named_symmetries,
    near_last_move,
    unchanged,
)
from kibitz.strategy.places import taken
from kibitz.strategy.syntax.number_reader import NumberReader
from kibitz.strategy.syntax.terms import Names, count_of, did_you_mean, head_of, trees
from kibitz.strategy.syntax.vocabulary import Vocabulary
from kibitz.strategy.ways import PLACE_KINDS, goes_to

if TYPE_CHECKING:
    from kibitz.strategy.syntax.terms import Node


_MOST_EXPANDED = 50

_SAME = {"≥": ">=", "≤": "<=", "≠": "!="}
LANGUAGE = {
    "does": (1, 2),
    "legal": (1, 2),
    "wins": (1,),
    "goal": (2,),
    "turn": (1,),
    "initial": (0,),
    "init": (0,),
    "terminal": (0,),
    "true": (1,),
    "distinct": (2,),
    "role": (1,),
}
"""Names of atoms that every game has, whatever its rules define, with their arities."""


@dataclass(frozen=True, slots=True)
class Definition:
    """Value bound to a name: one strategy with parameters, or the strategies of a block."""

    parameters: tuple[str, ...]
    bodies: tuple[Node, ...]
    is_block: bool = False


class FormulaReader(NumberReader):
    """Reads the formulas of a text for one role of a game."""

    def __init__(self, source: Source, words: Vocabulary, role: Role) -> None:
        super().__init__(source, words, role)
        self.definitions: dict[str, Definition] = {}
        self.expanding: list[str] = []
        self.expanded: dict[tuple[str, tuple[Function, ...]], tree.Formula] = {}

    def definition(self, node: Node, names: Names) -> tuple[str, Definition, Names] | None:
        """Return the definition that an atom uses, with its parameters' values."""
        name, args = head_of(node)
        definition = self.definitions.get(name)
        if definition is None or name in names:
            return None
        if len(args) != len(definition.parameters):
            self.fail(
                "STR005",
                f"{name} takes {count_of(len(definition.parameters), 'argument')}, not {len(args)}",
                node,
            )
        values = [self.term(arg, names) for arg in args]
        return name, definition, dict(zip(definition.parameters, values, strict=True))

    def formula(self, node: Node, names: Names) -> tree.Formula:
        """Return the formula of a node."""
        self.count(node)
        parts = trees(node)
        match node.data:
            case "true":
                return tree.TRUE
            case "false":
                return tree.FALSE
            case "not_":
                return tree.negation(self.formula(parts[0], names))
            case "next":
                return tree.Next(self.formula(parts[0], names))
            case "previous":
                earlier = self.formula(parts[0], names)
                if tree.uses_can(earlier):
                    self.fail("STR006", "can is not allowed below previous", node)
                return tree.Previous(earlier)
            case "can":
                role = self.role_of(parts[0], names) if len(parts) == 2 else self.role
                able = self.formula(parts[-1], names)
                if tree.uses_past(able):
                    self.fail("STR006", "previous is not allowed inside can", node)
                return tree.Can(role, able)
            case "and_":
                return tree.conjunction(self.formulas(parts, names, until=tree.FALSE))
            case "or_":
                return tree.disjunction(self.formulas(parts, names, until=tree.TRUE))
            case "implies":
                left, right = (self.formula(part, names) for part in parts)
                return tree.disjunction([tree.negation(left), right])
            case "iff":
                sides = [self.formula(part, names) for part in parts]
                return tree.conjunction(
                    formula
                    for a, b in pairwise(sides)
                    for formula in (
                        tree.disjunction([tree.negation(a), b]),
                        tree.disjunction([a, tree.negation(b)]),
                    )
                )
            case "any_":
                inner = [self.formula(parts[1], b) for b in self.bindings(parts[0], names)]
                return tree.disjunction(inner)
            case "all_":
                inner = [self.formula(parts[1], b) for b in self.bindings(parts[0], names)]
                return tree.conjunction(inner)
            case "at_least":
                number = self.number(parts[0], names)
                return tree.at_least(number, self.counted(parts[1:], names))
            case "compare":
                return self.comparison(node, names)
            case "holds":
                return self.fluent(parts[0], names)
            case "word" | "call" | "kif":
                return self.atom(node, names)
            case "rule" | "any_rule":
                self.fail(
                    "STR006",
                    "a rule is not allowed inside a formula",
                    node,
                    "CONDITION and does(MOVE) says the same",
                )
            case "else_list" | "also_list" | "each":
                self.fail(
                    "STR006",
                    "else and also join strategies, and are not allowed inside a formula",
                    node,
                    "or and and join formulas",
                )
        self.fail("STR004", "this is a number, where a formula is expected", node)

    def counted(self, nodes: list[Node], names: Names) -> list[tree.Formula]:
        """Return the formulas that are counted: those listed, or one for each binding."""
        if nodes[0].data == "formulas":
            return [self.formula(part, names) for part in trees(nodes[0])]
        binders, body = nodes
        return [self.formula(body, bound) for bound in self.bindings(binders, names)]

    def formulas(self, nodes: list[Node], names: Names, until: tree.Const) -> list[tree.Formula]:
        """Return formulas up to the first that decides the result.

        Without variables all are read, so that every error is found.
        """
        found: list[tree.Formula] = []
        for node in nodes:
            found.append(self.formula(node, names))
            if names and found[-1] == until:
                break
        return found

    def atom(self, node: Node, names: Names) -> tree.Formula:
        """Return the formula of an atom."""
        name, args = head_of(node)
        used = self.definition(node, names)
        if used is not None:
            if used[1].is_block:
                self.fail("STR006", f"block {name} is not allowed inside a formula", node)
            key = (name, tuple(used[2].values()))
            if key not in self.expanded:
                with Expanding(self, name, node):
                    self.expanded[key] = self.formula(used[1].bodies[0], used[2])
            return self.expanded[key]
        if name in names:
            self.fail("STR004", f"{name} is a value, where a formula is expected", node)
        if name in LANGUAGE and (len(args) in LANGUAGE[name] or name != "role"):
            return self.word(node, name, args, names)
        signature = (name, len(args))
        if signature in self.words.fluent_signatures:
            return self.fluent(node, names)
        if signature in self.words.relations:
            return self.relation(node, args, names)
        if name == "unchanged" and 1 <= len(args) <= 2:
            return self.symmetric(args)
        if name == "taken" and len(args) == 1:
            return self.capture(node, self.role_of(args[0], names))
        if name == "mirrors" and len(args) == 2:
            return self.mirroring(node, self.role_of(args[0], names), head_of(args[1])[0])
        if name == "answers" and len(args) == 2:
            return self.answering(node, self.role_of(args[0], names), self.number(args[1], names))
        if name == "at" and 1 <= len(args) <= 2:
            role = self.role_of(args[0], names) if len(args) == 2 else self.role
            return self.place(node, role, head_of(args[-1])[0])
        if self.words.is_open:
            return tree.Holds(self.term(node, names))
        self.unknown_atom(node, name, len(args))

    def symmetric(self, nodes: list[Node]) -> tree.Formula:
        """Return the formula that the state is its own image under a symmetry of the board."""
        name = ", ".join(head_of(node)[0] for node in nodes)
        known: dict[str, Mapping[Function, Function]] = {}
        try:
            game = self.words.grounded()
            known = {name: carrier.fluents for name, carrier in named_symmetries(game).items()}
            known |= exchanges(game)
        except BudgetExceededError:
            pass
        if name not in known:
            message = f"{self.words.sheet.name} has no symmetry of its board called {name}"
            listed = "; ".join(known) if known else "none of its symmetries has a name"
            self.fail("STR002", message, nodes[0], did_you_mean(name, known) or listed)
        return unchanged(name, known[name])

    def capture(self, node: Node, role: Role) -> tree.Formula:
        """Return the formula that a move takes something of a role."""
        return self.made_of_moves(
            node,
            lambda game: taken(game, role),
            f"it is not known what {role} has, so that nothing of it can be taken",
            "things are known that a role's own moves alone bring, such as men",
        )

    def mirroring(self, node: Node, role: Role, symmetry: str) -> tree.Formula:
        """Return the formula that a move is the image of the last move of a role."""
        if symmetry not in SYMMETRIES:
            known = ", ".join(SYMMETRIES)
            self.fail("STR002", f"there is no symmetry of boards called {symmetry}", node, known)
        return self.made_of_moves(
            node,
            lambda game: image_of_last_move(game, self.role, role, symmetry),
            f"no move of {self.role} is such an image of one of {role}",
            "images are known of moves that are made on the cells of a board",
        )

    def answering(self, node: Node, role: Role, steps: int) -> tree.Formula:
        """Return the formula that a move is near the last move of a role."""
        return self.made_of_moves(
            node,
            lambda game: near_last_move(game, self.role, role, steps),
            f"no move of {self.role} is near one of {role}",
            "places of moves are known by their numbers, as in (drop 3) or (mark 2 2)",
        )

    def place(self, node: Node, role: Role, kind: str) -> tree.Formula:
        """Return the formula that the next move of a role goes to a place of a kind."""
        if kind not in PLACE_KINDS:
            known = ", ".join(PLACE_KINDS)
            self.fail("STR002", f"there is no kind of place called {kind}", node, known)
        return self.made_of_moves(
            node,
            lambda game: goes_to(game, role, kind),
            f"{role} has no moves that go {PLACE_KINDS[kind]}, and others that do not",
            "places are known of moves on the cells of a board of rows and columns",
        )

    def made_of_moves(
        self, node: Node, make: Callable[[CompiledGame], tree.Formula], refusal: str, hint: str
    ) -> tree.Formula:
        """Return a formula that needs all moves of the game; refuse it where it is never true."""
        game = self.words.compiled()
        found = tree.FALSE if game is None else make(game)
        if found == tree.FALSE:
            self.fail("STR011", refusal, node, hint)
        return found

    def word(self, node: Node, name: str, args: list[Node], names: Names) -> tree.Formula:
        """Return the formula of a word that every game has."""
        if len(args) not in LANGUAGE[name]:
            wanted = " or ".join(map(str, LANGUAGE[name]))
            self.fail("STR005", f"{name} takes {wanted} arguments, not {len(args)}", node)
        match name:
            case "does" | "legal":
                role = self.role_of(args[0], names) if len(args) == 2 else self.role
                move = self.move(args[-1], names, role)
                kind = tree.Does if name == "does" else tree.Legal
                return tree.FALSE if move is None else kind(role, move)
            case "wins":
                return tree.Wins(self.role_of(args[0], names))
            case "goal":
                number = self.number(args[1], names)
                return tree.GoalIs(self.role_of(args[0], names), "=", number)
            case "turn":
                return tree.Turn(self.role_of(args[0], names))
            case "initial" | "init":
                return tree.Initial()
            case "terminal":
                return tree.Terminal()
            case "true":
                return self.fluent(args[0], names)
            case "distinct":
                return tree.Const(self.term(args[0], names) != self.term(args[1], names))
            case _:
                return tree.Const(str(self.term(args[0], names)) in self.words.roles)

    def fluent(self, node: Node, names: Names) -> tree.Formula:
        """Return the formula that a fluent holds."""
        term = self.term(node, names)
        if (term.name, len(term.args)) not in self.words.fluent_signatures:
            if self.words.is_open:
                return tree.Holds(term)
            self.unknown_atom(node, term.name, len(term.args))
        if self.words.fluents is None or term in self.words.fluents:
            return tree.Holds(term)
        if self.has_variables(node, names):
            return tree.FALSE
        known = [str(f) for f in self.words.fluents if f.name == term.name]
        self.fail(
            "STR002",
            f"{term} can never hold in {self.words.sheet.name}",
            node,
            did_you_mean(str(term), known),
        )

    def relation(self, node: Node, args: list[Node], names: Names) -> tree.Formula:
        """Return the formula that a relation of the rule sheet holds."""
        term = self.term(node, names)
        if self.words.needs_moves(term.name):
            self.fail(
                "STR009",
                f"{term.name} depends on the moves that are made, so it holds in no state",
                node,
                "use does(ROLE, MOVE)",
            )
        if self.words.needs_state(term.name):
            return tree.Derived(term)
        return tree.Const(term.args in self.words.facts((term.name, len(args))))

    def comparison(self, node: Node, names: Names) -> tree.Formula:
        """Return the formula of a comparison of a goal, of numbers of the state, or of terms."""
        left, right = trees(node)
        sign = str(next(c for c in node.children if isinstance(c, str)))
        sign = _SAME.get(sign, sign)
        if left.data in ("call", "kif") and head_of(left)[0] == "goal":
            (role,) = head_of(left)[1]
            return tree.GoalIs(self.role_of(role, names), sign, self.number(right, names))
        if self.is_state_number(left) or self.is_state_number(right):
            return tree.NumberIs(
                self.state_number(left, names), sign, self.state_number(right, names)
            )
        one, other = self.term(left, names), self.term(right, names)
        if sign in ("=", "!="):
            return tree.Const((one == other) is (sign == "="))
        return tree.Const(tree.COMPARE[sign](self.number(left, names), self.number(right, names)))

    def unknown_atom(self, node: Node, name: str, arity: int) -> NoReturn:
        """Raise the error for an unknown fluent or relation."""
        known = {*self.words.fluent_signatures, *self.words.relations}
        same = sorted(a for n, a in known if n == name)
        if same:
            wanted = " or ".join(map(str, same))
            self.fail("STR005", f"{name} takes {wanted} arguments, not {arity}", node)
        names = [*(n for n, _ in known), *LANGUAGE, *self.definitions]
        hint = did_you_mean(name, names)
        if any(n == name for n, _ in self.words.move_signatures):
            hint = f"{name} is a move; write does({name}…), or => {name}…"
        self.fail("STR002", f"{self.words.sheet.name} has no fluent or relation {name}", node, hint)


class Expanding:
    """Detects the use of a definition inside itself."""

    def __init__(self, meaning: FormulaReader, name: str, node: Node) -> None:
        self.meaning, self.name, self.node = meaning, name, node

    def __enter__(self) -> None:
        expanding = self.meaning.expanding
        if self.name in expanding or len(expanding) > _MOST_EXPANDED:
            self.meaning.fail("STR007", f"{self.name} is defined by itself", self.node)
        expanding.append(self.name)

    def __exit__(self, *_: object) -> None:
        self.meaning.expanding.pop()
