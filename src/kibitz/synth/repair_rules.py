"""Enumerate the rules that a rule list may be repaired with, as the moves that they allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame, Role
from kibitz.errors import InputError, KibitzError
from kibitz.gdl import Function
from kibitz.solve import Solution
from kibitz.space import Symmetries, find_symmetries
from kibitz.strategy import Strategy, read_strategy
from kibitz.synth.problem.decision_graph import decision_graph
from kibitz.synth.problem.features import Feature, features_for
from kibitz.synth.problem.problem import atom_truth
from kibitz.synth.problem.situation_bits import SituationSymmetries
from kibitz.synth.search.lists import condition_literals, is_simple

Kind = Literal["drop", "move", "change", "add"]
Bools = npt.NDArray[np.bool_]
Order = tuple[int, ...]

_MOST_CELLS = 150_000_000
"""Rules times moves, each a byte."""
_SHORT = 2
"""Literals; rules of literals that have no more are all in the vocabulary."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit: which rule of the list before it, and where the rule stands after it; from 1.

    `rule` is 0 for a rule that is added, `place` 0 for one that is dropped. `text` is the rule,
    `words` the rule in English, `was` what a changed rule was.
    """

    kind: Kind
    rule: int
    place: int
    text: str
    words: str = ""
    was: str = ""

    @property
    def sentence(self) -> str:
        """Describe the edit in words."""
        said = self.words or self.text
        if self.kind == "drop":
            return f"Drop rule {self.rule}: {said}"
        if self.kind == "move":
            return f"Move rule {self.rule} to place {self.place}: {said}"
        if self.kind == "change":
            return f"Change rule {self.rule} to: {said}"
        return f"Add as rule {self.place}: {said}"

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "kind": self.kind,
            "rule": self.rule,
            "place": self.place,
            "text": self.text,
            "was": self.was,
            "sentence": self.sentence,
        }


def repaired_text(strategy: Strategy, rules: Sequence[str]) -> str:
    """Write rules under the settings and definitions of a strategy.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> print(repaired_text(read_strategy("true => (reduce a 0)", game), ["true => (reduce b 0)"]))
    true => (reduce b 0)
    <BLANKLINE>
    """
    lines = [*strategy.settings, *rules]
    if strategy.symmetry != "any":
        lines.insert(0, f"symmetric {strategy.symmetry}")
    return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True, slots=True)
class Step:
    """A list on the way, and the edit that made it: its kind, the place before and after."""

    order: Order
    kind: Kind | None = None
    old: int = -1
    new: int = -1


class RepairRules:
    """All rules that a list may be made of, each as the moves that it allows in decision states.

    The first `given` are those of the list.
    """

    def __init__(self, strategy: Strategy, solution: Solution, role: Role) -> None:
        self.strategy, self.role = strategy, role
        self.game: CompiledGame = solution.space.game
        self.space = solution.space
        self.index = self.game.roles.index(role)
        self.space.require_all_states("repairing a list")
        self.graph = decision_graph(solution, self.index)
        graph = self.graph
        self.first = np.searchsorted(graph.edge_state, np.arange(len(graph.states) + 1))
        self.correct = graph.edge_correct
        self.all_correct = np.minimum.reduceat(self.correct.astype(np.uint8), self.first[:-1])
        rules = strategy.rules_for(role)
        lines = dict(strategy.lines)[role]
        self.texts: list[str] = [rule.text for rule in rules]
        self.sizes: list[int] = [rule.atoms for rule in rules]
        self.given = len(rules)
        rows = [self._row(replace(strategy, lines=((role, (line,)),))) for line in lines]
        rows += self._features()
        literal, self.literals = self._literal_rules()
        self.rows = np.concatenate(
            [np.array(rows, dtype=bool).reshape(-1, len(graph.edge)), literal]
        )
        self._drop_repeated()
        used = self.rows.astype(np.uint8)
        if len(graph.edge):
            self.applies = np.maximum.reduceat(used, self.first[:-1], axis=1)
            wrong = used & ~self.correct.astype(np.uint8) & 1
            self.errs = np.maximum.reduceat(wrong, self.first[:-1], axis=1)
        self.right = (self.applies & ~self.errs & 1).astype(bool)
        self.rows = used

    @property
    def vocabulary(self) -> str:
        """The rules that may be added, in words."""
        count = {0: "no condition", 1: "at most one literal", 2: "at most two literals"}
        parts = ["rules with one move and " + count[self.literals]] if self.literals >= 0 else []
        parts.append("rules for any move that ask for one of the conditions of synth --features")
        parts.append("the list's own rules, longer ones also with a literal or the move changed")
        return f"{', '.join(parts[:-1])}, and {parts[-1]}"

    def _row(self, strategy: Strategy) -> Bools:
        moves = strategy.on(self.space, self.role)
        if moves.space is not self.space:
            raise InputError("rules about the past cannot be repaired")
        chosen: Bools = moves.chosen[self.graph.edge]
        return chosen

    def _features(self) -> list[Bools]:
        """Add a rule for each condition on a move: any move that fulfils it."""
        found = []
        for feature in features_for(len(self.game.roles)):
            assert isinstance(feature, Feature)
            text = f"{feature.formula} => any"
            made = read_strategy(f"symmetric none\n{text}\n", self.game)
            found.append(self._row(made))
            self.texts.append(text)
            self.sizes.append(1)
        return found

    def _literal_rules(self) -> tuple[Bools, int]:
        """Add rules of literals with one move; return how many literals they have at most."""
        graph, game = self.graph, self.game
        reading = self.strategy.symmetry
        edges = len(graph.edge)
        if reading == "first":
            return np.zeros((0, edges), dtype=bool), -1
        group = SituationSymmetries(game, self._symmetries(), self.index, "any", None)
        truth = atom_truth(game, self.space.states[graph.states], len(group.atoms))
        varies = np.flatnonzero(truth.any(axis=0) & ~truth.all(axis=0))
        literals = [2 * int(atom) + sign for atom in varies for sign in (0, 1)]
        moves = sorted({group.orbit_moves[group.orbit[m]][0] for m in np.unique(graph.edge_move)})
        most = -1
        for size, count in enumerate((1, len(literals), len(literals) ** 2 // 2)):
            if count * len(moves) * edges <= _MOST_CELLS:
                most = size
        bodies = [body for n in range(most + 1) for body in combinations(literals, n)]
        bodies = [b for b in bodies if len({x >> 1 for x in b}) == len(b)]
        rules = {move: list(bodies) for move in moves}
        number = {fluent: i for i, fluent in enumerate(group.atoms)}
        for move, body in self._variants(number):
            rules.setdefault(move, []).append(body)
        parts = [self._literal_rows(group, truth, move, rules[move]) for move in rules]
        for move, made in rules.items():
            for body in made:
                asked = [(group.atoms[x >> 1], not x & 1) for x in body]
                self.texts.append(self._written(asked, game.network.moves[self.index][move]))
                self.sizes.append(len(body))
        return np.concatenate([np.zeros((0, edges), dtype=bool), *parts]), most

    def _literal_rows(
        self,
        group: SituationSymmetries,
        truth: Bools,
        move: int,
        bodies: Sequence[tuple[int, ...]],
    ) -> Bools:
        """Return which moves rules allow, in any image; all have the same move."""
        graph = self.graph
        rows = np.zeros((len(bodies), len(graph.edge)), dtype=bool)
        asked = sorted({x for body in bodies for x in body})
        for fluents, images in zip(group.fluents, group.moves, strict=True):
            here = np.flatnonzero(graph.edge_move == images[move])
            if not len(here):
                continue
            held = truth[graph.edge_state[here]]
            columns = {x: held[:, fluents[x >> 1]] ^ bool(x & 1) for x in asked}
            for number, body in enumerate(bodies):
                holds = np.logical_and.reduce([columns[x] for x in body]) if body else True
                rows[number, here] |= holds
        return rows

    def _variants(self, number: dict[Function, int]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Walk the list's longer rules with a literal dropped or negated, or with another move."""
        moves = self.game.network.moves[self.index]
        for rule in self.strategy.rules_for(self.role):
            parts = condition_literals(rule.condition) if is_simple(rule) else None
            if parts is None or len(parts) <= _SHORT:
                continue
            body = tuple(2 * number[fluent] + (not holds) for fluent, holds in parts)
            mine = moves.index(rule.moves[0])
            for i, literal in enumerate(body):
                yield mine, body[:i] + body[i + 1 :]
                yield mine, (*body[:i], literal ^ 1, *body[i + 1 :])
            yield from ((move, body) for move in range(len(moves)) if move != mine)

    def _symmetries(self) -> Symmetries | None:
        if self.strategy.symmetry == "none":
            return None
        try:
            found = find_symmetries(self.game)
            found.elements()
        except KibitzError:
            return None
        return found

    def _written(self, asked: list[tuple[Function, bool]], move: Function) -> str:
        write = self.game.write
        parts = [write(fluent) if holds else f"not {write(fluent)}" for fluent, holds in asked]
        return f"{' & '.join(parts) or 'true'} => {write(move)}"

    def _drop_repeated(self) -> None:
        """Keep one of the rules that allow the same moves, the shortest, and none that never do."""
        kept = list(range(self.given))
        known: dict[bytes, int] = {}
        packed = np.packbits(self.rows, axis=1)
        starts = self.first[:-1]
        for number in sorted(range(self.given, len(self.rows)), key=lambda n: self.sizes[n]):
            row = self.rows[number]
            key = packed[number].tobytes()
            if key in known or not row.any():
                continue
            known[key] = number
            wrong = np.maximum.reduceat(row & ~self.correct, starts)
            if (np.maximum.reduceat(row, starts) & ~wrong).any():
                kept.append(number)
        self.rows = self.rows[kept]
        self.texts = [self.texts[n] for n in kept]
        self.sizes = [self.sizes[n] for n in kept]

    def edit(self, one: Step, two: Step) -> Edit:
        """Describe the edit between two lists."""
        assert two.kind is not None
        rule = one.order[two.old] if two.kind != "add" else two.order[two.new]
        was = ""
        if two.kind == "change":
            was, rule = self.texts[rule], two.order[two.new]
        text = self.texts[rule]
        return Edit(two.kind, two.old + 1, two.new + 1, text, self._words(text), was)

    def _words(self, text: str) -> str:
        """Say a rule in English, if that is possible."""
        from kibitz.english import say_rule, scene_of

        try:
            made = read_strategy(repaired_text(self.strategy, [text]), self.game)
            scene = scene_of(self.game, self.role)
            is_symmetric = self.strategy.symmetry != "none"
            return say_rule(scene, made.rules_for(self.role)[0], symmetric=is_symmetric)
        except KibitzError:
            return ""
