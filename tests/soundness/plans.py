"""Random strategies, as text in the strategy language and as plain trees with their own meaning.

The meaning is that of the page on strategies, path by path on a plain Graph, and shares nothing
with `kibitz.strategy`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

from tests.soundness.plain import Graph, Joint

__all__ = ["Following", "Image", "Plan", "Rule", "random_formula", "random_plan", "random_rules"]

Formula = tuple[Any, ...]
"""A name and what it applies to, as in ("not", ("holds", "(cell 1 b)"))."""
Image = tuple[Mapping[str, str], Mapping[str, Mapping[str, str]]]
"""What a symmetry makes of each fluent, and of each move of each role."""

COMPARISONS = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@dataclass(frozen=True)
class Rule:
    """Where the condition holds, one of the moves."""

    condition: Formula
    moves: tuple[str, ...]

    @property
    def text(self) -> str:
        moves = self.moves[0] if len(self.moves) == 1 else "{" + ", ".join(self.moves) + "}"
        return f"{write(self.condition)} => {moves}"


@dataclass(frozen=True)
class Plan:
    """Rules, or formulas joined by `else` or `also`; for one role."""

    role: str
    rules: tuple[Rule, ...] = ()
    symmetry: str = "none"
    joined: str = ""
    formulas: tuple[Formula, ...] = ()

    @property
    def text(self) -> str:
        if self.rules:
            header = "" if self.symmetry == "any" else f"symmetric {self.symmetry}\n"
            return header + "".join(f"{rule.text}\n" for rule in self.rules)
        return f" {self.joined} ".join(write(f) for f in self.formulas) + "\n"


def write(formula: Formula) -> str:
    """Write a formula in the strategy language."""
    match formula:
        case ("true",) | ("false",) | ("initial",) | ("terminal",):
            return str(formula[0])
        case ("holds", fluent):
            return str(fluent)
        case ("does" | "legal" as name, role, move):
            return f"{name}({role}, {move})"
        case ("wins" | "turn" as name, role):
            return f"{name}({role})"
        case ("goal", role, comparison, number):
            return f"goal({role}) {comparison} {number}"
        case ("not" | "next" | "previous" as name, inner):
            return f"{name} ({write(inner)})"
        case ("can", role, inner):
            return f"can({role}, {write(inner)})"
        case ("and" | "or" | "implies" | "iff" as name, one, other):
            return f"(({write(one)}) {name} ({write(other)}))"
    raise TypeError(formula)


def depth(formula: Formula) -> int:
    """Give how many moves ahead a formula looks, at most."""
    match formula:
        case ("next", inner):
            return 1 + depth(inner)
        case ("not" | "previous", inner):
            return depth(inner)
        case ("and" | "or" | "implies" | "iff", one, other):
            return max(depth(one), depth(other))
    return 0


def image(formula: Formula, carried: Image) -> Formula:
    """Carry a formula over by a symmetry."""
    fluents, moves = carried
    match formula:
        case ("holds", fluent):
            return ("holds", fluents[fluent])
        case ("does" | "legal" as name, role, move):
            return (name, role, moves[role][move])
        case ("can", role, inner):
            return ("can", role, image(inner, carried))
        case (name, *parts):
            return (name, *(image(p, carried) if isinstance(p, tuple) else p for p in parts))
    raise TypeError(formula)


Step = tuple[int, Joint | None]


class Following:
    """A plan on a Graph: which moves it allows where."""

    def __init__(self, graph: Graph, plan: Plan, images: Sequence[Image] = ()) -> None:
        self.graph, self.plan, self.images = graph, plan, images
        self.able: dict[tuple[int, Formula], bool] = {}

    def moves(self, i: int, history: Sequence[tuple[int, Joint]] = ()) -> frozenset[str]:
        """Give the moves allowed in a state; none where it is not the role's turn."""
        if i not in self.graph.turns[self.plan.role]:
            return frozenset()
        parts = [self.allowed(f, i, history) for f in self.plan.formulas]
        if self.plan.rules:
            parts = [self.rule(rule, i, history) for rule in self.plan.rules]
        if self.plan.joined == "also":
            kept = parts[0]
            for part in parts[1:]:
                if not kept & part:
                    break
                kept &= part
            return kept
        return next((part for part in parts if part), frozenset())

    def rule(self, rule: Rule, i: int, history: Sequence[tuple[int, Joint]]) -> frozenset[str]:
        """Give what a rule allows, with its images as the plan reads symmetry."""
        role = self.plan.role
        found: frozenset[str] = frozenset()
        for carried in self.images if self.plan.symmetry != "none" else ():
            moves = tuple(carried[1][role][move] for move in rule.moves)
            other = Rule(image(rule.condition, carried), moves)
            found |= self.one_rule(other, i, history)
            if found and self.plan.symmetry == "first":
                return found
        return found or self.one_rule(rule, i, history)

    def one_rule(self, rule: Rule, i: int, history: Sequence[tuple[int, Joint]]) -> frozenset[str]:
        return self.allowed(rule.condition, i, history) & frozenset(rule.moves)

    def allowed(
        self, formula: Formula, i: int, history: Sequence[tuple[int, Joint]], role: str = ""
    ) -> frozenset[str]:
        """Give a role's moves after which all paths satisfy a formula."""
        me = self.graph.roles.index(role or self.plan.role)
        node = self.graph.nodes[i]
        bad = {
            joint[me]
            for joint, to in node.next.items()
            if not all(
                self.satisfies(path, len(history), formula)
                for path in self.paths([*history, (i, joint)], to, depth(formula))
            )
        }
        return frozenset(joint[me] for joint in node.next) - bad

    def paths(self, before: list[Step], i: int, moves: int) -> list[list[Step]]:
        found = [[*before, (i, None)]]
        if moves:
            for joint, to in self.graph.nodes[i].next.items():
                found += self.paths([*before, (i, joint)], to, moves - 1)
        return found

    def everywhere(self, formula: Formula, i: int) -> bool:
        """Return whether all paths from a state satisfy a formula."""
        return all(self.satisfies(p, 0, formula) for p in self.paths([], i, 1 + depth(formula)))

    def satisfies(self, path: Sequence[Step], at: int, formula: Formula) -> bool:
        i, joint = path[at]
        node = self.graph.nodes[i]
        match formula:
            case ("true",):
                return True
            case ("false",):
                return False
            case ("initial",):
                return i == 0
            case ("terminal",):
                return node.is_terminal
            case ("holds", fluent):
                return fluent in node.fluents
            case ("does", role, move):
                return joint is None or joint[self.graph.roles.index(role)] == move
            case ("legal", role, move):
                return not node.is_terminal and move in node.legal[role]
            case ("wins", role):
                return node.is_terminal and node.goals[role] == 100
            case ("goal", role, comparison, number):
                goal = node.goals[role]
                return goal is not None and COMPARISONS[comparison](goal, number)
            case ("turn", role):
                return i in self.graph.turns[role]
            case ("not", inner):
                return not self.satisfies(path, at, inner)
            case ("and", one, other):
                return self.satisfies(path, at, one) and self.satisfies(path, at, other)
            case ("or", one, other):
                return self.satisfies(path, at, one) or self.satisfies(path, at, other)
            case ("implies", one, other):
                return not self.satisfies(path, at, one) or self.satisfies(path, at, other)
            case ("iff", one, other):
                return self.satisfies(path, at, one) == self.satisfies(path, at, other)
            case ("next", inner):
                return joint is None or self.satisfies(path, at + 1, inner)
            case ("previous", inner):
                return at == 0 or self.satisfies(path, at - 1, inner)
            case ("can", role, inner):
                if (i, formula) not in self.able:
                    self.able[i, formula] = bool(self.allowed(inner, i, (), role))
                return self.able[i, formula]
        raise TypeError(formula)


@dataclass(frozen=True)
class Vocabulary:
    """What formulas about a game can speak of."""

    graph: Graph
    rng: Random
    past: bool = False

    @cached_property
    def fluents(self) -> list[str]:
        return sorted({fluent for node in self.graph.nodes for fluent in node.fluents})

    @cached_property
    def moves(self) -> dict[str, list[str]]:
        return {
            role: sorted({joint[i] for node in self.graph.nodes for joint in node.next})
            for i, role in enumerate(self.graph.roles)
        }

    def literal(self) -> Formula:
        if not self.fluents:
            return ("true",)
        holds = ("holds", self.rng.choice(self.fluents))
        return holds if self.rng.random() < 0.6 else ("not", holds)

    def leaf(self) -> Formula:
        rng = self.rng
        role = rng.choice(self.graph.roles)
        kind = rng.choice("llllddgwtxis")
        if kind == "d" and self.moves[role]:
            return ("does", role, rng.choice(self.moves[role]))
        if kind == "x" and self.moves[role]:
            return ("legal", role, rng.choice(self.moves[role]))
        if kind == "w":
            return ("wins", role)
        if kind == "g":
            return ("goal", role, rng.choice(sorted(COMPARISONS)), rng.choice([0, 50, 100]))
        if kind == "t":
            return ("turn", role)
        if kind == "i":
            return rng.choice([("initial",), ("terminal",), ("true",), ("false",)])
        return self.literal()

    def formula(self, size: int, ahead: int = 2) -> Formula:
        rng = self.rng
        if size <= 1:
            return self.leaf()
        kinds = ["not", "next", "next", "two", "two", "two", "can"]
        kind = rng.choice([*kinds, *(["previous"] * 5 if self.past else [])])
        if kind == "next" and ahead:
            return ("next", self.formula(size - 1, ahead - 1))
        if kind == "can" and ahead and not self.past:
            role = rng.choice(self.graph.roles)
            return ("can", role, self.formula(size - 1, ahead - 1))
        if kind == "previous":
            return ("previous", self.formula(size - 1, ahead))
        if kind == "not":
            return ("not", self.formula(size - 1, ahead))
        split = rng.randint(1, size - 1)
        name = rng.choice(["and", "and", "or", "implies", "iff"])
        return (name, self.formula(split, ahead), self.formula(size - split, ahead))


def random_formula(rng: Random, graph: Graph, *, past: bool = False) -> Formula:
    """Make a formula about a game."""
    return Vocabulary(graph, rng, past).formula(rng.randint(1, 4))


def random_rules(rng: Random, graph: Graph, role: str) -> Plan | None:
    """Make a rule list for a role; None if it has no moves."""
    words = Vocabulary(graph, rng)
    moves = words.moves[role]
    if not moves:
        return None
    rules = []
    for _ in range(rng.randint(1, 5)):
        condition: Formula = words.literal()
        if rng.random() < 0.2:
            condition = ("true",)
        elif rng.random() < 0.4:
            condition = ("and", condition, words.literal())
        if rng.random() < 0.1:
            condition = words.formula(3)
        made = rng.sample(moves, min(len(moves), rng.choice([1, 1, 1, 2])))
        rules.append(Rule(condition, tuple(made)))
    return Plan(role, rules=tuple(rules), symmetry=rng.choice(["any", "any", "first", "none"]))


def random_plan(rng: Random, graph: Graph, role: str, *, past: bool = False) -> Plan:
    """Make any strategy for a role: a rule list, or formulas by priority."""
    found = random_rules(rng, graph, role) if rng.random() < 0.5 and not past else None
    if found:
        return found
    words = Vocabulary(graph, rng, past)
    least = 2 if past else 1
    formulas = [words.formula(rng.randint(least, 4)) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.5:
        formulas.append(("true",))
    return Plan(role, joined=rng.choice(["else", "else", "also"]), formulas=tuple(formulas))


def without_symmetry(plan: Plan) -> Plan:
    """Read the rules of a plan as they are written."""
    return replace(plan, symmetry="none")
