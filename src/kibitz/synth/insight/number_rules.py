"""Solution and role in, ideas out: lists of rules about the numbers that a move leaves.

Atoms compare numbers of the state after a move: sums, nim-sums, remainders, counts, distances. A
rule allows the moves after which one atom, or two, hold. On all states in which the role is to
move, an edge is bad if it gives up value; a rule is right if it allows no bad edge where the rules
before it are silent, and a list is right if it leaves out no state with bad edges. All is bounded
by how many edges are looked at, so that the result is the same on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame, Role
from kibitz.gdl import Function
from kibitz.solve import Solution, edge_sources, optimal_edges
from kibitz.strategy import (
    NumberIs,
    columns_of,
    number_arguments,
    number_column,
    read_strategy,
    write_term,
)
from kibitz.synth.insight.ideas import Idea

__all__ = ["number_ideas", "number_terms"]

Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

_MOST_EDGES = 200_000
_MOST_TERMS = 60
_MOST_MODULUS = 12
_MOST_RULES = 2
_FEW = 4
_FEW_VALUES = 64
_MOST_ENTRIES = 30
_WORK = 400_000_000
"""Edges to look at, which takes about a second."""


@dataclass(frozen=True, slots=True)
class _Atom:
    """A condition on the state that a move leaves, what it costs to say, and where it holds."""

    text: str
    cost: float
    edges: Bools


def number_terms(game: CompiledGame) -> list[str]:
    """Write the numbers of a state that the rules suggest, in the strategy language.

    >>> from kibitz.games import load_sheet
    >>> number_terms(CompiledGame(load_sheet("nim:2,3")))[:3]
    ['heap.2', 'nimsum(heap.2)', 'largest(heap.2)']
    """
    network = game.network
    fluents = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
    found: dict[str, None] = {}
    numbered = number_arguments(game)
    for name, argument in numbered:
        patterns = _patterns("number", fluents, name, {argument})
        if not _is_one_number(game, name, argument):
            # Places of several things: their sum says nothing, but their nim-sum may.
            found.update(dict.fromkeys(p.replace("number", "nimsum", 1) for p in patterns[:_FEW]))
            continue
        kinds = ("nimsum", "largest", "smallest") if len(patterns) > 1 else ()
        found[f"{name}.{argument}"] = None
        found.update(dict.fromkeys(f"{kind}({name}.{argument})" for kind in kinds))
        if 1 < len(patterns) <= _FEW:
            found.update(dict.fromkeys(f"distance({a}, {b})" for a, b in _alike(patterns)))
            found.update(dict.fromkeys(patterns))
    for name in dict.fromkeys(fluent.name for fluent in fluents):
        counting = [argument for of, argument in numbered if of == name]
        whole = _patterns("count", fluents, name, set(counting))
        if counting and len(whole) <= _FEW:
            found.update(dict.fromkeys(whole))
        for argument in counting:
            rows = _patterns("count", fluents, name, {argument})
            if 1 < len(rows) <= 2 * _FEW and len(counting) > 1:
                found.update(dict.fromkeys(rows))
                found.update(dict.fromkeys(f"{a} - {b}" for a, b in _alike(rows)))
    return list(found)[:_MOST_TERMS]


def _is_one_number(game: CompiledGame, name: str, argument: int) -> bool:
    """Return whether play begins with one number at an argument for whatever stands beside it."""
    beside = [
        (*fluent.args[: argument - 1], *fluent.args[argument:])
        for fluent in game.initial().fluents
        if fluent.name == name and len(fluent.args) >= argument
    ]
    return bool(beside) and len(beside) == len(set(beside))


def _patterns(kind: str, fluents: Sequence[Function], name: str, free: set[int]) -> list[str]:
    """Write a number for each way to fill in the arguments of a name that are not free."""
    found: dict[str, None] = {}
    for fluent in fluents:
        if fluent.name == name and fluent.args:
            args = tuple(
                Function("_") if place in free else arg
                for place, arg in enumerate(fluent.args, start=1)
            )
            if args != fluent.args:
                found[f"{kind}({write_term(Function(name, args))})"] = None
    return list(found)


def _alike(patterns: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of patterns that differ in one argument."""
    return [
        (a, b)
        for a, b in combinations(patterns, 2)
        if sum(x != y for x, y in zip(a.split(), b.split(), strict=True)) == 1
    ]


def number_ideas(solution: Solution, role: Role) -> Iterator[Idea]:
    """Walk lists of one rule, then tables, then lists of two, the easiest to say first."""
    space = solution.space
    if space.edges > _MOST_EDGES or space.is_reduced or len(space.game.roles) != 2:
        return
    source = edge_sources(space)
    edges = np.flatnonzero(columns_of(space).to_move(role)[source])
    bad = ~optimal_edges(solution)[edges]
    # States in which some move gives up value; the others may be answered with silence.
    matter = np.zeros(len(space), dtype=bool)
    matter[source[edges][bad]] = True
    kept = matter[source[edges]]
    edges, bad = edges[kept], bad[kept]
    if len(edges):
        search = _Search(solution, role, edges, bad, source[edges])
        yield from search.ideas()


class _Search:
    """Looks for lists of rules that are right on all states that matter."""

    def __init__(
        self,
        solution: Solution,
        role: Role,
        edges: Numbers,
        bad: Bools,
        states: npt.NDArray[np.uint32],
    ) -> None:
        self.space, self.role, self.bad = solution.space, role, bad
        self.targets = self.space.target[edges]
        self.where = np.cumsum(np.r_[False, states[1:] != states[:-1]])
        self.total = int(self.where[-1]) + 1
        self.work = _WORK

    def spend(self, times: int = 1) -> bool:
        """Count that all edges are looked at; return whether there is work left to spend."""
        self.work -= times * len(self.bad)
        return self.work > 0

    def ideas(self) -> Iterator[Idea]:
        """Walk right lists, shorter ones first."""
        terms = self.terms()
        atoms = self.atoms(terms)
        everywhere = np.ones(self.total, dtype=bool)
        for texts in self.complete(atoms, everywhere, 1):
            yield _idea(texts)
        pairs = sorted(self.pairs(atoms), key=lambda atom: atom.cost)
        for texts in self.complete(pairs, everywhere, 1):
            yield _idea(texts)
        yield from self.tables(terms)
        for most in range(2, _MOST_RULES + 1):
            for texts in self.complete([*atoms, *pairs], everywhere, most):
                yield _idea(texts)

    def terms(self) -> dict[str, Numbers]:
        """Return the numbers after each move that differ between moves, by how they are written."""
        game, columns = self.space.game, columns_of(self.space)
        found: dict[str, Numbers] = {}
        for term in number_terms(game):
            if not self.spend():
                break
            rule = read_strategy(f"symmetric none\n{term} = 0 => any", game).rules_for(self.role)[0]
            ((condition, _),) = rule.choices or ((None, ()),)
            if isinstance(condition, NumberIs):
                column = number_column(condition.left, columns.fluent, len(self.space))
                column = column[self.targets]
                if 0 < column.max() - column.min() <= _FEW_VALUES:
                    found[term] = column
        return found

    def atoms(self, terms: dict[str, Numbers]) -> list[_Atom]:
        """Return atoms that hold after some moves and not after others, the cheapest first."""
        found: dict[bytes, _Atom] = {}

        def add(text: str, cost: float, held: Bools) -> None:
            if held.any() and not held.all():
                key = np.packbits(held).tobytes()
                if key not in found or found[key].cost > cost:
                    found[key] = _Atom(text, cost, held)

        for term, column in terms.items():
            price = 1.0 + term.count("(") * 0.5
            low, high = int(column.min()), int(column.max())
            for value in range(low, high + 1):
                if not self.spend(3):
                    break
                add(f"{term} = {value}", price + _strange(value), column == value)
                add(f"{term} < {value}", price + 0.5, column < value)
                add(f"{term} > {value}", price + 0.5, column > value)
            for modulus in self.moduli(column, high - low):
                rests = column % modulus
                for rest in range(modulus):
                    if not self.spend():
                        break
                    extra = 0.2 if rest else 0.0
                    add(f"{term} % {modulus} = {rest}", price + 0.3 + extra, rests == rest)
        return sorted(found.values(), key=lambda atom: (atom.cost, len(atom.text), atom.text))

    def moduli(self, column: Numbers, span: int) -> list[int]:
        """Return moduli to try, the distance between numbers that only good moves leave first."""
        left_by_bad = set(np.unique(column[self.bad]).tolist())
        good = [n for n in np.unique(column[~self.bad]).tolist() if n not in left_by_bad]
        gaps = {b - a for a, b in pairwise(good)}
        first = [gap for gap in gaps if len(gaps) == 1 and 2 <= gap <= span]
        return list(dict.fromkeys([*first, *range(2, min(_MOST_MODULUS, span // 2) + 1)]))

    def covered(self, held: Bools) -> Bools:
        """Return in which states a rule allows a move."""
        found = np.zeros(self.total, dtype=bool)
        found[self.where[held]] = True
        return found

    def pairs(self, atoms: Sequence[_Atom]) -> Iterator[_Atom]:
        """Walk pairs of atoms that together allow no bad edge, where neither does alone."""
        bad = np.packbits(self.bad)
        unsafe = [atom for atom in atoms if (atom.edges & self.bad).any()]
        packed = [np.packbits(atom.edges) for atom in unsafe]
        for (i, one), (j, other) in combinations(enumerate(unsafe), 2):
            if i + j > 200 or not self.spend():
                continue
            both = packed[i] & packed[j]
            if both.any() and not (both & bad).any():
                edges = one.edges & other.edges
                yield _Atom(f"{one.text} and next {other.text}", one.cost + other.cost, edges)

    def tables(self, terms: dict[str, Numbers]) -> Iterator[Idea]:
        """Walk rules by which one number is what a table has for another, small tables first."""
        found: list[tuple[int, str]] = []
        for given, column in terms.items():
            for asked, other in terms.items():
                if asked == given or column.min() < 0 or other.min() < 0 or not self.spend(4):
                    continue
                size = int(other.max()) + 1
                key = column * size + other
                spoiled = np.zeros(int(key.max()) + 1, dtype=bool)
                spoiled[key[self.bad]] = True
                held = ~spoiled[key]
                places = np.unique(key[held])
                rows = places // size
                if len(np.unique(rows)) < len(rows) or not self.covered(held).all():
                    continue
                table = dict(zip(rows.tolist(), (places % size).tolist(), strict=True))
                if len(table) > _MOST_ENTRIES:
                    continue
                entries = ", ".join(str(table.get(n, -1)) for n in range(max(table) + 1))
                found.append((len(entries), f"{asked} = entry({given}, {entries})"))
        for _, text in sorted(found):
            yield _idea((text,))

    def complete(
        self, atoms: Sequence[_Atom], open_: Bools, most: int
    ) -> Iterator[tuple[str, ...]]:
        """Walk the ways to answer all open states by so many rules, each right where it decides."""
        here = open_[self.where]
        bad = self.bad & here
        right: list[tuple[int, _Atom, Bools]] = []
        for atom in atoms:
            if not self.spend():
                return
            if not (atom.edges & bad).any():
                covered = self.covered(atom.edges & here)
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


def _strange(value: int) -> float:
    """Return what a value costs to say: 0 is the easiest."""
    return 0.5 if value < 0 else 0.2 if value else 0.0


def _idea(texts: tuple[str, ...]) -> Idea:
    return Idea(tuple(f"next {text} => any" for text in texts), ())
