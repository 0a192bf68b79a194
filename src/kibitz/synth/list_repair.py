"""Repair a rule list by the fewest edits.

Lists of one edit are all tried, or excluded by counterexamples. Those of two edits are as well, if
time and their number allow it: with one edit that drops or moves a rule, the other one is tried as
one edit is. Otherwise two rules are new, in the list or in one without some of its rules; on every
line to an error of that list one of them must be right somewhere, and the pairs that are so are
tried in all places that two edits allow.

An edit drops a rule, moves one, replaces one, or adds one. Edits are tried by their number. A list
that errs has a *counterexample*: a line of play to a state in which it errs. A list that is
right must decide otherwise somewhere on that line, and so an added rule must be right in one of
its states; that leaves few of all rules that can be written. Every list of one edit is tried or
excluded in this way, and where time allows it every list of two, so that a repair of two or three
edits may be known to be a smallest one, among rules of the vocabulary.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.core import Struct, function
from kibitz.engine import Role
from kibitz.errors import InputError, KibitzError
from kibitz.solve import Solution, keeping_edges
from kibitz.space import StateId
from kibitz.strategy import Strategy, Verdict, read_strategy, verify
from kibitz.synth.repair_rules import Edit, Order, RepairRules, Step, repaired_text

Report = Callable[[str], None]

_COUNTEREXAMPLES = 12
_MOST_LINES = 1024
"""Lines to errors that two new rules have to cover."""
_MOST_PAIRS = 20_000
"""Pairs of new rules that are tried for one list."""
_MOST_FIRST = 60
"""How many first edits are tried as the beginning of two."""
_MOST_EDITS = 12
_BEAM = 6


@dataclass
class RepairSearch:
    """Tries lists by the number of edits: so many of two edits, before it gives up on the fewest.

    Time only cuts that short.
    """

    pool: RepairRules
    deadline: float
    report: Report
    lists: int = 150_000
    tried: int = 0
    most: float = inf
    """After how many lists to go on to the next number of edits."""
    is_cut: bool = False
    """Whether not all lists were tried."""
    time_ended: bool = False
    """Whether time was the reason."""
    parent: npt.NDArray[np.int32] = field(init=False)
    bad: npt.NDArray[np.int32] = field(init=False)

    def __post_init__(self) -> None:
        pool, graph = self.pool, self.pool.graph
        self.parent, self.bad, queue = np.zeros((3, len(graph.states)), dtype=np.int32)
        self._run = Struct(
            "repair", states=len(graph.states), edges=len(graph.edge), allowed=pool.rows,
            applies=pool.applies, errs=pool.errs, first=pool.first, all_correct=pool.all_correct,
            succ_first=graph.succ_first, succ=graph.succ, roots=graph.roots,
            root_count=len(graph.roots), parent=self.parent, bad=self.bad, queue=queue,
        )  # fmt: skip

    def errors(self, order: Order, most: int = 1) -> int:
        """Count the states in which a list errs, up to some number."""
        self.tried += 1
        rules = np.array(order, dtype=np.int64)
        return int(function("repair_follow")(self._run, rules, len(rules), most))

    def counterexamples(self, order: Order, most: int = _COUNTEREXAMPLES) -> list[list[int]]:
        """Return lines of play to states in which a list errs, each as its decision states."""
        count = self.errors(order, min(most, len(self.bad)))
        lines = []
        for state in self.bad[:count].tolist():
            line = [state]
            while self.parent[line[-1]] >= 0:
                line.append(int(self.parent[line[-1]]))
            lines.append(line)
        return lines

    def run(self) -> tuple[list[Step], int]:
        """Return the lists from the given one to one that is right, and a lower bound."""
        start = Step(tuple(range(self.pool.given)))
        self.report("trying one edit")
        found = self.best(start.order)
        if found is not None:
            return [start, found], 1
        # Where play can cycle, correct moves come nearer to the end, and others may do as well.
        bound = 1 if self.is_cut or self.pool.graph.is_cyclic else 2
        self.report("trying two edits")
        end, self.most = self.deadline, self.tried + self.lists
        self.deadline = time.perf_counter() + (end - time.perf_counter()) / 2
        for first in self.structural(start.order):
            for second in self.structural(first.order):
                if not self.errors(second.order):
                    return [start, first, second], bound
        for _, first in self.best_edits(start.order, _MOST_FIRST):
            found = None if self.is_late() else self.best(first.order)
            if found is not None:
                return [start, first, found], bound
        # What is left is tried as well, so that nothing is left if nothing is found.
        for first in self.structural(start.order):
            found = None if self.is_late() else self.best(first.order)
            if found is not None:
                return [start, first, found], bound
        pair = next(self.two_new(start.order), None)
        if pair is not None:
            return [start, *pair], bound
        if bound == 2 and not self.is_cut:
            bound = 3
        self.deadline, self.most = end, inf
        return self.by_beam(start, bound), bound

    def best(self, order: Order) -> Step | None:
        """Return the best of the edits that make a list right."""
        return min(self.one_edit(order), key=lambda step: self.rank(order, step), default=None)

    def two_new(self, order: Order) -> Iterator[tuple[Step, Step]]:
        """Walk the right lists in which two edits have added rules or put them for others."""
        count = len(order)
        for gone in [c for size in (0, 1, 2) for c in combinations(range(count), size)]:
            base = tuple(rule for place, rule in enumerate(order) if place not in gone)
            for one, other in self.covering_pairs(base) if not self.is_cut else ():
                for steps in _placed(order, gone, one, other):
                    if self.is_late():
                        return
                    if not self.errors(steps[1].order):
                        yield steps

    def covering_pairs(self, base: Order) -> list[tuple[int, int]]:
        """Return the pairs of rules of which one is right somewhere on every line to an error.

        Where they are too many there are none, and `is_cut` says so.
        """
        lines = self.counterexamples(base, _MOST_LINES)
        hits = np.column_stack([self.pool.right[:, line].any(axis=1) for line in lines])
        packed = np.packbits(hits, axis=1)
        every = np.packbits(np.ones(len(lines), dtype=bool))
        pivot = int(hits.sum(axis=0).argmin())
        found: list[tuple[int, int]] = []
        for one in np.flatnonzero(hits[:, pivot]).tolist():
            others = np.flatnonzero(((packed | packed[one]) == every).all(axis=1)).tolist()
            found += [(one, other) for other in others if other >= one or not hits[other, pivot]]
            if len(found) > _MOST_PAIRS or self.is_late():
                self.is_cut = True
                return []
        return found

    def is_over(self) -> bool:
        """Return whether enough lists were tried, or time is over."""
        is_late = time.perf_counter() > self.deadline
        self.time_ended = self.time_ended or is_late
        return is_late or self.tried > self.most

    def is_late(self) -> bool:
        """Return whether not all lists are tried, now or before."""
        self.is_cut = self.is_cut or self.is_over()
        return self.is_cut

    def not_found(self, bound: int) -> KibitzError:
        """Return the error for a repair that was not found, with what is known of it."""
        needed = f"; at least {bound} edits are needed among {self.pool.vocabulary}"
        return KibitzError(
            f"no repair was found in time{needed if bound > 1 else ''}",
            hint="allow more with --time, or let kibitz synth find a new list",
        )

    def structural(self, order: Order) -> Iterator[Step]:
        """Walk the lists with one rule less, and with one rule moved."""
        for i in range(len(order)):
            yield Step(order[:i] + order[i + 1 :], "drop", i)
        for i in range(len(order)):
            rest = order[:i] + order[i + 1 :]
            for j in range(len(order)):
                if j != i:
                    yield Step((*rest[:j], order[i], *rest[j:]), "move", i, j)

    def one_edit(self, order: Order) -> Iterator[Step]:
        """Walk the right lists that one edit makes of a list: all, if they are not too many."""
        for number, step in enumerate(self.all_edits(order)):
            if number % 1024 == 1023 and self.is_over():
                self.is_cut = True
                return
            if not self.errors(step.order):
                yield step

    def all_edits(self, order: Order) -> Iterator[Step]:
        """Walk the lists of one edit, but for those that a counterexample excludes."""
        yield from self.structural(order)
        for i in range(len(order)):
            rest = order[:i] + order[i + 1 :]
            if self.errors(rest):  # else the rule may as well be dropped
                for rule in self.possible(rest):
                    yield Step((*rest[:i], rule, *rest[i:]), "change", i, i)
        for rule in self.possible(order):
            for place in range(len(order) + 1):
                yield Step((*order[:place], rule, *order[place:]), "add", -1, place)

    def possible(self, order: Order) -> list[int]:
        """Return the rules that are right somewhere on every line to an error of a list.

        Adding another rule leaves one of these lines, and the error at its end, as it was.
        """
        fits = np.ones(len(self.pool.rows), dtype=bool)
        for line in self.counterexamples(order):
            fits &= self.pool.right[:, line].any(axis=1)
        return [int(number) for number in np.flatnonzero(fits)]

    def best_edits(self, order: Order, most: int) -> list[tuple[int, Step]]:
        """Return edits after which a list errs in the fewest decision states, with that number."""
        pool = self.pool
        line = self.counterexamples(order)[0]
        fits = np.flatnonzero(pool.right[:, line].any(axis=1)).tolist()
        steps = list(self.structural(order))
        for rule in fits:
            places = range(len(order) + 1)
            steps += [Step((*order[:p], rule, *order[p:]), "add", -1, p) for p in places]
        for i in range(len(order)):
            rest = order[:i] + order[i + 1 :]
            steps += [Step((*rest[:i], rule, *rest[i:]), "change", i, i) for rule in fits]
        found: list[tuple[int, int, Step]] = []
        for number, step in enumerate(steps):
            if number % 256 == 0 and self.is_over():
                break
            made = np.array(step.order, dtype=np.int64)
            errors = int(function("repair_count")(self._run, made, len(made)))
            found.append((errors, number, step))
        return [(errors, step) for errors, _, step in sorted(found, key=lambda f: f[:2])[:most]]

    def by_beam(self, start: Step, bound: int) -> list[Step]:
        """Edit a list until it is right, with some of the best lists kept after each edit."""
        self.report("trying more edits")
        beam = [[start]]
        for _ in range(_MOST_EDITS):
            found: dict[Order, tuple[int, list[Step]]] = {}
            for steps in beam:
                for errors, step in self.best_edits(steps[-1].order, 2 * _BEAM):
                    if not self.errors(step.order):
                        return [*steps, step]
                    found.setdefault(step.order, (errors, [*steps, step]))
            best = sorted(found.values(), key=lambda one: one[0])
            beam = [steps for _, steps in best[:_BEAM]]
            if not beam or self.is_over():
                break
        raise self.not_found(bound)

    def rank(self, order: Order, step: Step) -> tuple[int, int, int, int]:
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


def _placed(
    order: Order, gone: tuple[int, ...], one: int, other: int
) -> Iterator[tuple[Step, Step]]:
    """Walk the ways to put two rules into a list for those that are gone, or beside them."""
    for a, b in ((one, other), (other, one)) if one != other else ((one, other),):
        if len(gone) == 2:
            i, j = gone
            first = Step((*order[:i], a, *order[i + 1 :]), "change", i, i)
            made = first.order
            yield first, Step((*made[:j], b, *made[j + 1 :]), "change", j, j)
            continue
        if gone:
            (i,) = gone
            firsts = [Step((*order[:i], a, *order[i + 1 :]), "change", i, i)]
        else:
            places = range(len(order) + 1)
            firsts = [Step((*order[:p], a, *order[p:]), "add", -1, p) for p in places]
        for first in firsts:
            made = first.order
            for q in range(len(made) + 1):
                yield first, Step((*made[:q], b, *made[q:]), "add", -1, q)


_LISTS_A_SECOND = 5_000
"""Half of what is tried in a second on one core: the rest is for more edits."""


@dataclass(frozen=True)
class Repair:
    """A list that is perfect, the edits that lead to it one after another, and their proof.

    No list of fewer than `lower_bound` edits is perfect, if added and changed rules are taken from
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
    time_ended: bool = False
    """Whether time cut the search short: another run may find fewer edits."""

    @property
    def proved_smallest(self) -> bool:
        """Whether no smaller edit over the vocabulary makes the list perfect."""
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
            "time_ended": self.time_ended,
        }


def repair(
    strategy: Strategy,
    solution: Solution,
    role: Role,
    *,
    seconds: float = 30.0,
    report: Report | None = None,
) -> Repair:
    """Make a rule list perfect with the fewest edits.

    How many lists it tries depends on `seconds`, which only cut this short. The solution is one of
    all states. Raise KibitzError where no repair is found in time.

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
    if before.perfect:
        return Repair(role, strategy, before, before, (), 0, "", 0, 0, 0.0)
    if report:
        report("collecting rules")
    pool = RepairRules(strategy, solution, role)
    lists = int(_LISTS_A_SECOND * seconds)
    search = RepairSearch(pool, begin + seconds, report or (lambda _: None), lists)
    steps, bound = search.run()
    made = read_strategy(
        repaired_text(strategy, [pool.texts[i] for i in steps[-1].order]),
        strategy.game,
        name=strategy.name,
    )
    verdict = verify(made, solution, role)
    if not verdict.perfect:
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
        search.time_ended,
    )


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
    fails = len(decider) and (chosen[edges] & ~keeping_edges(solution)[edges]).any()
    last = int(decider[state]) if fails else len(rules)

    def failures(made: list[str]) -> int:
        text = repaired_text(given, made)
        verdict = verify(read_strategy(text, given.game), solution, role)
        return 0 if verdict.perfect else 1 + verdict.bad_states

    found = [failures([*rules[:place], rule, *rules[place:]]) for place in range(last + 1)]
    return found.index(min(found)), min(found) > failures(rules)
