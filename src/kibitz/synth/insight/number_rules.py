"""Solution and role in, ideas out: lists of rules about the numbers that a move leaves.

Atoms compare numbers of the state after a move: sums, nim-sums, remainders, counts, distances. A rule
allows the moves after which one atom, or two, hold. On all states in which the role is to move, an
edge is bad if it gives up value; a rule is right if it allows no bad edge where the rules before it
are silent, and a list is right if it leaves out no state with bad edges.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame, Role
from kibitz.gdl import Function
from kibitz.solve import Solution, edge_sources, optimal_edges
from kibitz.strategy import (
    NumberIs,
    columns_of,
    number_arguments,
    read_strategy,
    write_term,
)
from kibitz.synth.insight.ideas import Idea

__all__ = ["number_ideas", "number_terms"]

Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

_MOST_EDGES = 400_000
_MOST_TERMS = 60
_MOST_MODULUS = 12
_MOST_RULES = 3
_FEW_HEAPS = 4


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
        patterns: dict[str, None] = {}
        for fluent in fluents:
            if fluent.name == name and len(fluent.args) >= argument:
                args = list(fluent.args)
                args[argument - 1] = Function("_")
                patterns[f"number({write_term(Function(name, tuple(args)))})"] = None
        kinds = ("nimsum", "largest", "smallest") if len(patterns) > 1 else ()
        found[f"{name}.{argument}"] = None
        found.update(dict.fromkeys(f"{kind}({name}.{argument})" for kind in kinds))
        if 1 < len(patterns) <= _FEW_HEAPS:
            found.update(patterns)
            found.update(
                dict.fromkeys(f"distance({a}, {b})" for a, b in combinations(patterns, 2))
            )
    for fluent in fluents:
        for index, value in enumerate(fluent.args, start=1):
            if (fluent.name, index) in numbered or len(fluent.args) < 2:
                continue
            args = [Function("_")] * len(fluent.args)
            assert isinstance(value, Function)
            args[index - 1] = value
            found[f"count({write_term(Function(fluent.name, tuple(args)))})"] = None
    return list(found)[:_MOST_TERMS]


def number_ideas(solution: Solution, role: Role, deadline: float) -> Iterator[Idea]:
    """Walk lists of one rule, then of two and three, the easiest to say first."""
    space = solution.space
    if space.edges > _MOST_EDGES or space.is_reduced or len(space.game.roles) != 2:
        return
    columns = columns_of(space)
    source = edge_sources(space)
    mine = columns.to_move(role)[source]
    edges = np.flatnonzero(mine)
    if not len(edges):
        return
    bad = ~optimal_edges(solution)[edges]
    states = source[edges]
    # States in which some move gives up value; the others may be answered with silence.
    matter = np.zeros(len(space), dtype=bool)
    matter[states[bad]] = True
    kept = matter[states]
    edges, bad, states = edges[kept], bad[kept], states[kept]
    if not len(edges):
        return
    search = _Search(bad, states, len(space), deadline)
    atoms = _atoms(space.game, role, columns, space.target[edges], search)
    yield from search.lists(atoms)


def _atoms(
    game: CompiledGame, role: Role, columns: object, targets: npt.NDArray[np.uint32], search: _Search
) -> list[_Atom]:
    """Return atoms that hold after some moves and not after others, the cheapest first."""
    from kibitz.strategy import Columns, number_column

    assert isinstance(columns, Columns)
    found: dict[bytes, _Atom] = {}

    def add(text: str, cost: float, held: Bools) -> None:
        if held.any() and not held.all():
            key = np.packbits(held).tobytes()
            if key not in found or found[key].cost > cost:
                found[key] = _Atom(text, cost, held)

    for term in number_terms(game):
        if time.monotonic() > search.deadline:
            break
        rule = read_strategy(f"symmetric none\n{term} = 0 => any", game).rules_for(role)[0]
        (condition,) = {condition for condition, _ in rule.choices} or {None}
        if not isinstance(condition, NumberIs):
            continue
        column = number_column(condition.left, columns.fluent, len(columns.space))[targets]
        price = 1.0 + term.count("(") * 0.5
        low, high = int(column.min()), int(column.max())
        if high - low > 2000:
            continue
        for value in range(low, high + 1):
            add(f"{term} = {value}", price + (0.2 if value else 0), column == value)
            add(f"{term} < {value}", price + 0.5, column < value)
            add(f"{term} > {value}", price + 0.5, column > value)
        for modulus in search.moduli(column, high - low):
            rests = column % modulus
            for rest in range(modulus):
                extra = 0.2 if rest else 0.0
                add(f"{term} % {modulus} = {rest}", price + 0.3 + extra, rests == rest)
    return sorted(found.values(), key=lambda atom: (atom.cost, len(atom.text), atom.text))


class _Search:
    """Looks for lists of rules that are right on all states that matter."""

    def __init__(self, bad: Bools, states: Numbers, count: int, deadline: float) -> None:
        self.bad, self.states, self.deadline = bad, states, deadline
        self.where = np.cumsum(np.r_[False, states[1:] != states[:-1]])
        self.total = int(self.where[-1]) + 1

    def moduli(self, column: Numbers, span: int) -> list[int]:
        """Return moduli to try, the period of right numbers first."""
        most = min(_MOST_MODULUS, span // 2)
        good = {int(n) for n in np.unique(column[~self.bad])} - {
            int(n) for n in np.unique(column[self.bad])
        }
        gaps = {b - a for a, b in zip(sorted(good), sorted(good)[1:], strict=False)}
        first = [gap for gap in sorted(gaps) if 2 <= gap <= span and len(gaps) == 1]
        return list(dict.fromkeys([*first, *range(2, most + 1)]))

    def covered(self, held: Bools) -> Bools:
        """Return in which states a rule allows a move."""
        found = np.zeros(self.total, dtype=bool)
        found[self.where[held]] = True
        return found

    def lists(self, atoms: Sequence[_Atom]) -> Iterator[Idea]:
        """Walk right lists, shorter ones first."""
        everywhere = np.ones(self.total, dtype=bool)
        pairs = list(self.pairs(atoms))
        for most in range(1, _MOST_RULES + 1):
            for pool in (atoms, [*atoms, *pairs]):
                for texts in self.complete(pool, everywhere, most):
                    rules = tuple(f"next ({text}) => any" for text in texts)
                    yield Idea(rules, ())

    def pairs(self, atoms: Sequence[_Atom]) -> Iterator[_Atom]:
        """Walk pairs of atoms that together allow no bad edge, where neither does alone."""
        bad = np.packbits(self.bad)
        unsafe = [atom for atom in atoms if (atom.edges & self.bad).any()][:150]
        packed = [np.packbits(atom.edges) for atom in unsafe]
        for (i, one), (j, other) in combinations(enumerate(unsafe), 2):
            if time.monotonic() > self.deadline:
                return
            both = packed[i] & packed[j]
            if not (both & bad).any() and both.any():
                edges = one.edges & other.edges
                yield _Atom(f"{one.text} and {other.text}", one.cost + other.cost, edges)

    def complete(
        self, atoms: Sequence[_Atom], open_: Bools, most: int
    ) -> Iterator[tuple[str, ...]]:
        """Walk the ways to answer all open states by so many rules, each right where it decides."""
        here = open_[self.where]
        bad = self.bad & here
        right = []
        for atom in atoms:
            if time.monotonic() > self.deadline:
                return
            if (atom.edges & bad).any():
                continue
            covered = self.covered(atom.edges & here)
            if covered.any():
                right.append((int(covered.sum()), atom, covered))
        left = int(open_.sum())
        if most == 1:
            for size, atom, _ in sorted(right, key=lambda r: r[1].cost):
                if size == left:
                    yield (atom.text,)
            return
        for _, atom, covered in sorted(right, key=lambda r: (-r[0], r[1].cost))[:40]:
            for rest in self.complete(atoms, open_ & ~covered, most - 1):
                yield (atom.text, *rest)
                break
