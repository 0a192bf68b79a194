"""A rule list that may err in, a Repair out: the fewest edits that make it optimal.

An edit drops a rule, moves one, replaces one, or adds one. Edits are tried by their number. A list
that errs has a *counterexample*: a line of play to a state in which it errs. A list that is
right must decide otherwise somewhere on that line, and so an added rule must be right in one of
its states; that leaves few of all rules that can be written. Every list of one edit is tried or
excluded in this way, so that a repair of two edits is known to be a smallest one, among rules of
the vocabulary; of more edits it is only known that one is not enough.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame, Role
from kibitz.errors import InputError, KibitzError
from kibitz.gdl import Function
from kibitz.solve import Solution, optimal_edges
from kibitz.space import StateId, Symmetries, find_symmetries
from kibitz.strategy import Strategy, Verdict, read_strategy, verify
from kibitz.synth.problem.decision_graph import decision_graph
from kibitz.synth.problem.features import Feature, features_for
from kibitz.synth.problem.problem import atom_truth
from kibitz.synth.problem.situation_bits import SituationSymmetries
from kibitz.synth.search.initial_rules import condition_literals, is_simple

__all__ = ["Edit", "Repair", "best_place", "repair", "repaired_text"]

Kind = Literal["drop", "move", "change", "add"]
Report = Callable[[str], None]
Bools = npt.NDArray[np.bool_]
Order = tuple[int, ...]

_MOST_CELLS = 150_000_000
"""Rules times moves, each a byte."""
_COUNTEREXAMPLES = 12
_MOST_FIRST = 60
"""How many first edits are tried as the beginning of two."""
_MOST_EDITS = 12
_BEAM = 6
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


@dataclass(frozen=True)
class Repair:
    """A list that is optimal, the edits that lead to it one after another, and their proof.

    No list of fewer than `lower_bound` edits is optimal, if added and changed rules are taken from
    `candidates` rules that `vocabulary` describes.
    """

    role: Role
    strategy: Strategy
    before: Verdict
    verdict: Verdict
    edits: tuple[Edit, ...]
    lower_bound: int
    vocabulary: str
    candidates: int
    tried: int
    seconds: float

    @property
    def proved_smallest(self) -> bool:
        """Whether no smaller edit over the vocabulary makes the list optimal."""
        return self.lower_bound >= len(self.edits)

    @property
    def bound_text(self) -> str:
        """Describe what is known of smaller edits."""
        if not self.edits:
            return "nothing to repair"
        if len(self.edits) == 1:
            return "no smaller edit exists"
        if self.proved_smallest:
            return f"no smaller edit exists among {self.vocabulary}"
        if self.lower_bound == 1:
            return "whether a smaller edit exists is not known"
        return f"at least {self.lower_bound} edits are needed among {self.vocabulary}"

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "role": self.role,
            "strategy": self.strategy.text,
            "edits": [edit.as_json() for edit in self.edits],
            "lower_bound": self.lower_bound,
            "proved_smallest": self.proved_smallest,
            "vocabulary": self.vocabulary,
            "candidates": self.candidates,
            "lists_tried": self.tried,
            "before": self.before.as_json(),
            "verdict": self.verdict.as_json(),
            "seconds": self.seconds,
        }


def repair(
    strategy: Strategy,
    solution: Solution,
    role: Role,
    *,
    seconds: float = 30.0,
    report: Report | None = None,
) -> Repair:
    """Make a rule list strongly optimal with the fewest edits.

    The solution is one of all states. Raise KibitzError where no repair is found in time.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> given = read_strategy("(heap b 1) => (reduce b 0)\\ntrue => (reduce b 0)", game)
    >>> found = repair(given, solve(explore(game)), "player1")
    >>> [edit.sentence for edit in found.edits], found.proved_smallest
    (['Change rule 2 to: Reduce heap b to 1 if you can.'], True)
    """
    begin = time.perf_counter()
    if not strategy.is_list:
        raise InputError(f"{strategy.name} is not a rule list, so it cannot be repaired")
    if any(rule.is_locked for rule in strategy.rules_for(role)):
        raise InputError("rules in blocks cannot be repaired", hint="write the rules one per line")
    before = verify(strategy, solution, role)
    if before.strongly_optimal and before.makes_progress:
        return Repair(role, strategy, before, before, (), 0, "", 0, 0, 0.0)
    if report:
        report("collecting rules")
    pool = _Pool(strategy, solution, role)
    search = _Search(pool, begin + seconds, report or (lambda _: None))
    steps, bound = search.run()
    made = read_strategy(
        repaired_text(strategy, [pool.texts[i] for i in steps[-1].order]),
        strategy.game,
        name=strategy.name,
    )
    verdict = verify(made, solution, role)
    if not (verdict.strongly_optimal and verdict.makes_progress):
        raise KibitzError(
            f"the repaired list for {role} is refuted by the checker",
            hint="please report it with the command, the rules and the list",
        )
    return Repair(
        role,
        made,
        before,
        verdict,
        tuple(pool.edit(one, two) for one, two in pairwise(steps)),
        min(bound, len(steps) - 1),
        pool.vocabulary,
        len(pool.texts) - pool.given,
        search.tried,
        time.perf_counter() - begin,
    )


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


def best_place(
    given: Strategy, rule: str, solution: Solution, role: Role, state: StateId
) -> tuple[int, bool]:
    """Return where in a list a rule leaves the fewest states in which it fails, the first such.

    Where the list fails in the given state, the rule must decide there. Return also whether the
    list then fails in more states than before, as one does whose other rules are wrong.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> given = read_strategy("true => (reduce b 0)", game)
    >>> best_place(given, "true => (reduce b 1)", solve(explore(game)), "player1", 0)
    (0, False)
    """
    rules = [known.text for known in given.rules_for(role)]
    space = solution.space
    decided = given.decide(space, role)
    chosen, decider = decided.arrays_on(space)
    edges = slice(space.first_edge[state], space.first_edge[state + 1])
    fails = len(decider) and (chosen[edges] & ~optimal_edges(solution)[edges]).any()
    last = int(decider[state]) if fails else len(rules)

    def failures(made: list[str]) -> int:
        text = repaired_text(given, made)
        verdict = verify(read_strategy(text, given.game), solution, role)
        return 0 if verdict.grade == "strongly optimal" else 1 + verdict.bad_states

    found = [failures([*rules[:place], rule, *rules[place:]]) for place in range(last + 1)]
    return found.index(min(found)), min(found) > failures(rules)


@dataclass(frozen=True, slots=True)
class _Step:
    """A list on the way, and the edit that made it: its kind, the place before and after."""

    order: Order
    kind: Kind | None = None
    old: int = -1
    new: int = -1


class _Pool:
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

    def edit(self, one: _Step, two: _Step) -> Edit:
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


@dataclass
class _Search:
    """Tries lists by the number of edits."""

    pool: _Pool
    deadline: float
    report: Report
    tried: int = 0
    is_cut: bool = False
    """Whether time ended a walk through all lists of one edit."""
    parent: npt.NDArray[np.int32] = field(init=False)
    bad: npt.NDArray[np.int32] = field(init=False)

    def __post_init__(self) -> None:
        self.parent = np.zeros(len(self.pool.graph.states), dtype=np.int32)
        self.bad = np.zeros(len(self.pool.graph.states), dtype=np.int32)

    def errors(self, order: Order, most: int = 1) -> int:
        """Count the states in which a list errs, up to some number."""
        from kibitz.synth.search.repair_kernels import follow_list

        pool, graph = self.pool, self.pool.graph
        self.tried += 1
        return int(
            follow_list(
                np.array(order, dtype=np.int64),
                pool.rows,
                pool.applies,
                pool.errs,
                pool.first,
                pool.correct,
                pool.all_correct,
                graph.succ_first,
                graph.succ,
                graph.roots,
                self.parent,
                self.bad,
                most,
            )
        )

    def counterexamples(self, order: Order) -> list[list[int]]:
        """Return lines of play to states in which a list errs, each as its decision states."""
        count = self.errors(order, _COUNTEREXAMPLES)
        lines = []
        for state in self.bad[:count].tolist():
            line = [state]
            while self.parent[line[-1]] >= 0:
                line.append(int(self.parent[line[-1]]))
            lines.append(line)
        return lines

    def run(self) -> tuple[list[_Step], int]:
        """Return the lists from the given one to one that is right, and a lower bound."""
        start = _Step(tuple(range(self.pool.given)))
        self.report("trying one edit")
        ranked = sorted(self.one_edit(start.order), key=lambda step: self.rank(start.order, step))
        if ranked:
            return [start, ranked[0]], 1
        # Where play can cycle, correct moves come nearer to the end, and others may do as well.
        bound = 1 if self.is_cut or self.pool.graph.is_cyclic else 2
        self.report("trying two edits")
        half = time.perf_counter() + (self.deadline - time.perf_counter()) / 2
        for first in self.beginnings(start.order):
            if time.perf_counter() > half:
                break
            found = sorted(self.one_edit(first.order), key=lambda s: self.rank(first.order, s))
            if found:
                return [start, first, found[0]], bound
        return self.by_beam(start, bound), bound

    def not_found(self, bound: int) -> KibitzError:
        needed = f"; at least {bound} edits are needed among {self.pool.vocabulary}"
        return KibitzError(
            f"no repair was found in time{needed if bound > 1 else ''}",
            hint="allow more with --time, or let kibitz synth find a new list",
        )

    def structural(self, order: Order) -> Iterator[_Step]:
        """Walk the lists with one rule less, and with one rule moved."""
        for i in range(len(order)):
            yield _Step(order[:i] + order[i + 1 :], "drop", i)
        for i in range(len(order)):
            rest = order[:i] + order[i + 1 :]
            for j in range(len(order)):
                if j != i:
                    yield _Step((*rest[:j], order[i], *rest[j:]), "move", i, j)

    def one_edit(self, order: Order) -> Iterator[_Step]:
        """Walk the right lists that one edit makes of a list: all of them, if there is time."""
        for number, step in enumerate(self.all_edits(order)):
            if number % 1024 == 1023 and time.perf_counter() > self.deadline:
                self.is_cut = True
                return
            if not self.errors(step.order):
                yield step

    def all_edits(self, order: Order) -> Iterator[_Step]:
        """Walk the lists of one edit, but for those that a counterexample excludes."""
        yield from self.structural(order)
        for i in range(len(order)):
            rest = order[:i] + order[i + 1 :]
            if self.errors(rest):  # else the rule may as well be dropped
                for rule in self.possible(rest):
                    yield _Step((*rest[:i], rule, *rest[i:]), "change", i, i)
        for rule in self.possible(order):
            for place in range(len(order) + 1):
                yield _Step((*order[:place], rule, *order[place:]), "add", -1, place)

    def possible(self, order: Order) -> list[int]:
        """Return the rules that are right somewhere on every line to an error of a list.

        Adding another rule leaves one of these lines, and the error at its end, as it was.
        """
        fits = np.ones(len(self.pool.rows), dtype=bool)
        for line in self.counterexamples(order):
            fits &= self.pool.right[:, line].any(axis=1)
        return [int(number) for number in np.flatnonzero(fits)]

    def beginnings(self, order: Order) -> Iterator[_Step]:
        """Walk lists of one edit from which another may be enough, the most promising first."""
        yield from self.structural(order)
        yield from (step for _, step in self.best_edits(order, _MOST_FIRST))

    def best_edits(self, order: Order, most: int) -> list[tuple[int, _Step]]:
        """Return edits after which a list errs in the fewest decision states, with that number."""
        from kibitz.synth.search.repair_kernels import count_errors

        pool = self.pool
        line = self.counterexamples(order)[0]
        fits = np.flatnonzero(pool.right[:, line].any(axis=1)).tolist()
        steps = list(self.structural(order))
        for rule in fits:
            places = range(len(order) + 1)
            steps += [_Step((*order[:p], rule, *order[p:]), "add", -1, p) for p in places]
        for i in range(len(order)):
            rest = order[:i] + order[i + 1 :]
            steps += [_Step((*rest[:i], rule, *rest[i:]), "change", i, i) for rule in fits]
        found: list[tuple[int, int, _Step]] = []
        for number, step in enumerate(steps):
            if number % 256 == 0 and time.perf_counter() > self.deadline:
                break
            made = np.array(step.order, dtype=np.int64)
            errors = int(count_errors(made, pool.applies, pool.errs, pool.all_correct))
            found.append((errors, number, step))
        return [(errors, step) for errors, _, step in sorted(found, key=lambda f: f[:2])[:most]]

    def by_beam(self, start: _Step, bound: int) -> list[_Step]:
        """Edit a list until it is right, with some of the best lists kept after each edit."""
        self.report("trying more edits")
        beam = [[start]]
        for _ in range(_MOST_EDITS):
            found: dict[Order, tuple[int, list[_Step]]] = {}
            for steps in beam:
                for errors, step in self.best_edits(steps[-1].order, 2 * _BEAM):
                    if not self.errors(step.order):
                        return [*steps, step]
                    found.setdefault(step.order, (errors, [*steps, step]))
            best = sorted(found.values(), key=lambda one: one[0])
            beam = [steps for _, steps in best[:_BEAM]]
            if not beam or time.perf_counter() > self.deadline:
                break
        raise self.not_found(bound)

    def rank(self, order: Order, step: _Step) -> tuple[int, int, int, int]:
        """Return what makes one repair better than another of the same size: least is best.

        To drop or move a rule is simpler than to learn a new one. A rule is changed if it errs
        itself; else one is added.
        """
        if step.kind == "drop":
            return 0, 0, step.old, 0
        if step.kind == "move":
            return 1, abs(step.new - step.old), step.old, 0
        rule = step.order[step.new]
        size = self.pool.sizes[rule]
        if step.kind == "change":
            errs = order[step.old] in self.erring(order)
            return (2 if errs else 4), size, rule, step.old
        return 3, size, rule, step.new

    def erring(self, order: Order) -> set[int]:
        """Return the rules that decide where a list errs."""
        count = self.errors(order, len(self.bad))
        found = set()
        for state in self.bad[:count].tolist():
            found |= {next((r for r in order if self.pool.applies[r, state]), -1)}
        return found
