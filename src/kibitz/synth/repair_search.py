"""RepairRules in, lists out: from the given list to one that is right, by the fewest edits.

Lists of one edit are all tried, or excluded by counterexamples. Those of two edits are as well, if
time and their number allow it: with one edit that drops or moves a rule, the other one is tried as
one edit is. Otherwise two rules are new, in the list or in one without some of its rules; on every
line to an error of that list one of them must be right somewhere, and the pairs that are so are
tried in all places that two edits allow.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from math import inf

import numpy as np
import numpy.typing as npt

from kibitz.core import Struct, function
from kibitz.errors import KibitzError
from kibitz.synth.repair_rules import Order, RepairRules, Step

__all__ = ["RepairSearch"]

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
