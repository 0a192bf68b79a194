"""Generate ideas for a role of a Solution: rule lists about the numbers that a move leaves.

Atoms compare numbers of the state after a move: sums, nim-sums, remainders, counts, distances. A
rule allows the moves after which one atom, or two, hold. On all states in which the role is to
move, an edge is bad if it gives up value; a rule is right if it allows no bad edge where the rules
before it are silent, and a list is right if it leaves out no state with bad edges. One rule may
also be right in the states alone that play by it can reach. All is bounded by how many edges are
looked at, so that the result is the same on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from kibitz.engine import Role
from kibitz.errors import StrategyError
from kibitz.solve import Solution, edge_sources, keeping_edges
from kibitz.strategy import NumberIs, columns_of, number_column, read_strategy
from kibitz.synth.insight.ideas import Idea
from kibitz.synth.insight.number_terms import (
    Atom,
    Bools,
    Numbers,
    atoms_of,
    entries_of,
    lists_of,
    number_terms,
    pair_atom,
    thresholds_of,
)

_MOST_EDGES = 200_000
_MOST_RULES = 2
_FEW_VALUES = 64
_PER_ENTRY = 3
"""Decisions for each entry of a table; else it lists what to do, and is no insight."""
_MOST_FOLLOWED = 300
"""Rules that are followed from the start."""
_WORK = 400_000_000
"""Edges to look at, which takes about a second."""


def number_ideas(solution: Solution, role: Role) -> Iterator[Idea]:
    """Walk lists of one rule, then tables, then lists of two, the easiest to say first."""
    space = solution.space
    if space.edges > _MOST_EDGES or space.is_reduced or len(space.game.roles) != 2:
        return
    source = edge_sources(space)
    edges = np.flatnonzero(columns_of(space).to_move(role)[source])
    bad = ~keeping_edges(solution)[edges]
    if bad.any():
        yield from _Search(solution, role, edges, bad, source[edges]).ideas()


class _Search:
    """Looks for lists of rules that are right on all states that matter.

    In these some move gives up value; the others may be answered with silence.
    """

    def __init__(
        self,
        solution: Solution,
        role: Role,
        edges: Numbers,
        bad: Bools,
        states: npt.NDArray[np.uint32],
    ) -> None:
        self.space, self.role, self.bad, self.edges = solution.space, role, bad, edges
        self.targets = self.space.target[edges]
        self.where = np.cumsum(np.r_[False, states[1:] != states[:-1]])
        self.matter = np.zeros(int(self.where[-1]) + 1, dtype=bool)
        self.matter[self.where[bad]] = True
        self.matter_edges = self.matter[self.where]
        self.work = _WORK
        self.followed = 0

    def spend(self, times: int = 1) -> bool:
        """Count that all edges are looked at; return whether there is work left to spend."""
        self.work -= times * len(self.bad)
        return self.work > 0

    def ideas(self) -> Iterator[Idea]:
        """Walk right lists, shorter ones first."""
        terms = self.terms()
        atoms = atoms_of(terms, self.bad, self.matter_edges, self.spend)
        for texts in self.complete(atoms, self.matter, 1):
            yield _idea(texts)
        pairs = sorted(self.pairs(atoms), key=lambda atom: atom.cost)
        for texts in self.complete(pairs, self.matter, 1):
            yield _idea(texts)
        for atom in self.right_along(atoms):
            yield _idea((atom.text,))
        yield from self.tables(terms)
        for most in range(2, _MOST_RULES + 1):
            for texts in self.complete([*atoms, *pairs], self.matter, most):
                yield _idea(texts)

    def tables(self, terms: dict[str, Numbers]) -> Iterator[Idea]:
        """Walk rules by a table that is far smaller than the number of decisions."""
        where, bad = self.where[self.matter_edges], self.bad[self.matter_edges]
        total = int(self.matter.sum())
        here = {term: column[self.matter_edges] for term, column in terms.items()}
        for make in (lists_of, entries_of, thresholds_of):
            for texts, held in make(here, bad, self.spend):
                entries = sum(text.count(",") - text.count(" -1") for text in texts)
                if len(np.unique(where[held])) == total >= _PER_ENTRY * entries:
                    yield _idea(texts)

    def terms(self) -> dict[str, Numbers]:
        """Return the numbers after each move that differ between moves, by how they are written."""
        game, columns = self.space.game, columns_of(self.space)
        found: dict[str, Numbers] = {}
        for term in number_terms(self.space):
            if not self.spend():
                break
            try:
                read = read_strategy(f"symmetric none\n{term} = 0 => any", game)
            except StrategyError:
                continue  # What is counted is on no board.
            rule = read.rules_for(self.role)[0]
            ((condition, _),) = rule.choices or ((None, ()),)
            if isinstance(condition, NumberIs):
                column = number_column(condition.left, columns.fluent, len(self.space))
                column = column[self.targets]
                if 0 < column.max() - column.min() <= _FEW_VALUES:
                    found[term] = column
        return found

    def covered(self, held: Bools) -> Bools:
        """Return in which states a rule allows a move."""
        found = np.zeros(len(self.matter), dtype=bool)
        found[self.where[held]] = True
        return found

    def pairs(self, atoms: Sequence[Atom]) -> Iterator[Atom]:
        """Walk pairs of atoms that together allow no bad edge, where neither does alone."""
        bad = np.packbits(self.bad)
        unsafe = [atom for atom in atoms if (atom.edges & self.bad).any()]
        packed = [np.packbits(atom.edges) for atom in unsafe]
        for (i, one), (j, other) in combinations(enumerate(unsafe), 2):
            if i + j > 200 or not self.spend():
                continue
            both = packed[i] & packed[j]
            if both.any() and not (both & bad).any():
                yield pair_atom(one, other)

    def right_along(self, atoms: Sequence[Atom]) -> Iterator[Atom]:
        """Walk atoms, then pairs of them, that are right wherever play by them comes."""
        start = self.space.first_edge[0], self.space.first_edge[1]
        first = (self.edges >= start[0]) & (self.edges < start[1])
        if not first.any():
            after = self.space.target[slice(*start)]
            first = np.isin(edge_sources(self.space)[self.edges], after)
        # Only what keeps the value in the first decisions is followed any further.
        where, bad = self.where[first], self.bad[first]
        asked = set(where[bad].tolist())

        def begins_well(held: Bools) -> bool:
            chosen = held[first]
            return not (chosen & bad).any() and asked <= set(where[chosen].tolist())

        for atom in atoms:
            if begins_well(atom.edges) and self.follow(atom.edges):
                yield atom
        for one, other in combinations(atoms[: _MOST_FOLLOWED // 4], 2):
            both = one.edges & other.edges
            if self.spend() and begins_well(both) and self.follow(both):
                yield pair_atom(one, other)

    def follow(self, held: Bools) -> bool:
        """Return whether no state that play by a rule reaches has a bad move that it allows."""
        self.followed += 1
        if self.followed > _MOST_FOLLOWED or not self.spend(2):
            return False
        space = self.space
        chosen = held | ~self.covered(held)[self.where]
        allowed = np.ones(space.edges, dtype=bool)
        allowed[self.edges] = chosen
        wrong = np.zeros(space.edges, dtype=bool)
        wrong[self.edges] = chosen & self.bad
        seen = np.zeros(len(space), dtype=bool)
        reached = np.zeros(1, dtype=np.int64)
        while len(reached):
            seen[reached] = True
            first, last = space.first_edge[reached], space.first_edge[reached + 1]
            counts = (last - first).astype(np.int64)
            steps = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
            edges = np.repeat(first.astype(np.int64), counts) + steps
            if wrong[edges].any():
                return False
            after = np.unique(space.target[edges[allowed[edges]]].astype(np.int64))
            reached = after[~seen[after]]
        return True

    def complete(self, atoms: Sequence[Atom], open_: Bools, most: int) -> Iterator[tuple[str, ...]]:
        """Walk the ways to answer all open states by so many rules, each right where it decides."""
        here = open_[self.where]
        bad = self.bad & here
        right: list[tuple[int, Atom, Bools]] = []
        for atom in atoms:
            if not self.spend():
                return
            if not (atom.edges & bad).any():
                covered = self.covered(atom.edges & here) & open_
                right.append((int(covered.sum()), atom, covered))
        left = int(open_.sum())
        if most == 1:
            for size, atom, _ in sorted(right, key=lambda found: found[1].cost):
                if size == left:
                    yield (atom.text,)
            return
        for size, atom, covered in sorted(right, key=lambda found: (-found[0], found[1].cost))[:60]:
            if 0 < size < left:
                rest = next(self.complete(atoms, open_ & ~covered, most - 1), None)
                if rest is not None:
                    yield (atom.text, *rest)


def _idea(texts: tuple[str, ...]) -> Idea:
    return Idea(tuple(f"next {text} => any" for text in texts), ())
