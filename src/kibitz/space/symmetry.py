"""Find the symmetries of a game: permutations of fluents and moves that preserve the rules.

Schiffel (2010) looks for automorphisms of a graph of the rules. Here the graph is that of the
ground rules, which also shows symmetries between arguments, such as a board's rows and columns: a
vertex for each ground atom, its negation and each rule, coloured by what they mean. Symmetries
keep every role, every goal and the initial state, so they map matches to matches.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.board import CellRef, Layout, board_lines
from kibitz.budget import Budget, run_within
from kibitz.engine import CompiledGame, GroundRules, decouple, ground_clauses, restrict
from kibitz.errors import BudgetExceededError
from kibitz.gdl import Function, clauses_of, on_demand

_MOST_ELEMENTS = 100_000
_MOST_ENTRIES = 20_000_000
"""How many elements are listed, and their largest total size."""

_FEW_PARTS = 500
"""Gates, fluents and moves of games whose symmetries are found in a moment."""

Flat = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Symmetry:
    """The image of each fluent, and of each move of each role."""

    fluents: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Generators:
    """A group of symmetries over named fluents and moves, by generators."""

    fluents: tuple[Function, ...]
    moves: tuple[tuple[Function, ...], ...]
    generators: tuple[Symmetry, ...]


@dataclass(frozen=True, slots=True)
class Symmetries(Generators):
    """A group of symmetries that is small enough to list, and its order."""

    order: int

    def elements(self) -> list[Symmetry]:
        """List the whole group, the identity first; raise BudgetExceededError if it is huge."""
        return _closure(self.generators, self._identity())

    def move_orbit(self, role: int, moves: Iterable[Function]) -> set[Function]:
        """Return moves of a role, by its number, together with all their images.

        >>> from kibitz.games import load_sheet
        >>> game = CompiledGame(load_sheet("tictactoe"))
        >>> found = find_symmetries(game)
        >>> corner = game.network.moves[0][0]
        >>> str(corner), len(found.move_orbit(0, [corner]))
        ('(mark 1 1)', 4)
        """
        names = self.moves[role]
        wanted = frozenset(moves)
        found = {number for number, name in enumerate(names) if name in wanted}
        open_ = list(found)
        while open_:
            number = open_.pop()
            new = {generator.moves[role][number] for generator in self.generators} - found
            found |= new
            open_ += new
        return {names[number] for number in found}

    def _identity(self) -> Symmetry:
        moves = tuple(tuple(range(len(names))) for names in self.moves)
        return Symmetry(tuple(range(len(self.fluents))), moves)


def find_symmetries(game: CompiledGame, *, budget: Budget | None = None) -> Symmetries:
    """Find all symmetries that the ground rules show; raise BudgetExceededError if too many.

    >>> from kibitz.games import load_sheet
    >>> find_symmetries(CompiledGame(load_sheet("tictactoe"))).order
    8
    """
    return list_symmetries(find_generators(game, budget=budget))


def list_symmetries(found: Generators) -> Symmetries:
    """List all that some symmetries generate; raise BudgetExceededError if they are too many."""
    identity = Symmetry(
        tuple(range(len(found.fluents))), tuple(tuple(range(len(names))) for names in found.moves)
    )
    order = len(_closure(found.generators, identity))
    return Symmetries(found.fluents, found.moves, found.generators, order)


def find_generators(game: CompiledGame, *, budget: Budget | None = None) -> Generators:
    """Find symmetries that generate all that the ground rules show, however many these are.

    >>> from kibitz.games import load_sheet
    >>> len(find_generators(CompiledGame(load_sheet("nim:2,2"))).generators)
    1
    """
    budget = budget or Budget()
    network = game.network
    if len(network.gates) + len(network.fluents) + sum(map(len, network.moves)) <= _FEW_PARTS:
        return _find(game, budget)
    return run_within(budget, lambda: _find(game, budget), doing="finding symmetries")


def _find(game: CompiledGame, budget: Budget) -> Generators:
    clauses = restrict(decouple(on_demand(clauses_of(game.sheet))))
    graph = _RuleGraph(ground_clauses(clauses, budget), game)
    identity = Symmetry(
        tuple(range(len(graph.fluents))),
        tuple(tuple(range(len(moves))) for moves in game.network.moves),
    )
    found = tuple(dict.fromkeys(s for s in graph.generators() if s != identity))
    checked = tuple(s for s in found if _holds(game, graph.fluents, s))
    return Generators(graph.fluents, game.network.moves, checked)


def _closure(generators: Iterable[Symmetry], identity: Symmetry) -> list[Symmetry]:
    """List all products of generators, as far as their number and their length allow."""
    ends = list(accumulate(map(len, (identity.fluents, *identity.moves)), initial=0))
    most = min(_MOST_ELEMENTS, _MOST_ENTRIES // max(1, ends[-1]))
    listed = [_flat(generator, ends) for generator in generators]
    frontier = [_flat(identity, ends)]
    elements = {frontier[0].tobytes(): frontier[0]}
    while frontier:
        new = []
        for element in frontier:
            for generator in listed:
                product = generator[element]
                if (key := product.tobytes()) not in elements:
                    elements[key] = product
                    new.append(product)
            if len(elements) > most:
                raise BudgetExceededError(f"there are more than {most:,} symmetries")
        frontier = new
    return [_unflat(element, ends) for element in elements.values()]


def _flat(symmetry: Symmetry, ends: list[int]) -> Flat:
    """Make one permutation: of fluents, then of the moves of each role."""
    parts = zip((symmetry.fluents, *symmetry.moves), ends, strict=False)
    return np.concatenate([np.array(part, dtype=np.int32) + start for part, start in parts])


def _unflat(flat: Flat, ends: list[int]) -> Symmetry:
    parts = [tuple((flat[a:b] - a).tolist()) for a, b in pairwise(ends)]
    return Symmetry(parts[0], tuple(parts[1:]))


def _needed(ground: GroundRules) -> list[tuple[int, tuple[int, ...]]]:
    """Return the rules that legal moves, goals, the end or the next state depend on.

    Others make no difference, and many of them are alike, so a search through the ways to exchange
    them could take forever.
    """
    rules: dict[int, set[tuple[int, ...]]] = {}
    for head, body in ground.rules:
        rules.setdefault(head, set()).add(tuple(body))
    asked = ("next", "legal", "goal", "terminal")
    open_ = [number for name, _, number in ground.atoms if name in asked]
    seen = set(open_)
    while open_:
        for body in rules.get(open_.pop(), ()):
            new = {abs(literal) for literal in body} - seen
            seen |= new
            open_ += new
    return sorted((head, body) for head in seen for body in rules.get(head, ()))


class _RuleGraph:
    """The graph of ground rules. Fluents include those that the network hides."""

    def __init__(self, ground: GroundRules, game: CompiledGame) -> None:
        self.game = game
        network = game.network
        self.fluents = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
        self.colours: list[tuple[object, ...]] = []
        self.edges: list[tuple[int, int]] = []
        self.atom: dict[int, int] = {}
        self.denied: dict[int, int] = {}
        self.defined: dict[int, int] = {}
        self.add_names(ground)
        for head, body in _needed(ground):
            rule = self.vertex("rule")
            self.edges.append((rule, self.definition(head)))
            for literal in set(body):
                self.edges.append((rule, self.literal(literal)))

    def vertex(self, *colour: object) -> int:
        self.colours.append(colour)
        return len(self.colours) - 1

    def plain(self, number: int) -> int:
        if number not in self.atom:
            self.atom[number] = self.vertex("atom")
        return self.atom[number]

    def literal(self, number: int) -> int:
        if number > 0:
            return self.plain(number)
        if -number not in self.denied:
            self.denied[-number] = self.vertex("not")
            self.edges.append((self.denied[-number], self.plain(-number)))
        return self.denied[-number]

    def definition(self, number: int) -> int:
        if number not in self.defined:
            self.defined[number] = self.vertex("definition")
            self.edges.append((self.defined[number], self.plain(number)))
        return self.defined[number]

    def add_names(self, ground: GroundRules) -> None:
        """Colour keyword atoms by what they mean, and link those of each fluent and move."""
        always = {name for name in ground.facts if name[0] in ("next", "legal", "goal", "terminal")}
        initial = {args[0] for name, args in ground.facts if name == "init"}
        for name, args, number in ground.atoms:
            colour: tuple[object, ...]
            if name == "true":
                colour = ("true", args[0] in initial, ("next", args) in always)
            elif name == "does":
                colour = ("does", str(args[0]), ("legal", args) in always)
            elif name == "legal":
                colour = ("legal", str(args[0]))
            elif name == "goal":
                colour = ("goal", *map(str, args))
            else:
                colour = (name,)
            if number in self.atom:  # an atom that means two things, such as next and terminal
                self.colours[self.atom[number]] += colour
            else:
                self.atom[number] = self.vertex(*colour)
        numbers = {(name, args): number for name, args, number in ground.atoms}
        for (name, args), number in numbers.items():
            partner = {"true": "next", "does": "legal"}.get(name)
            if partner and (partner, args) in numbers:
                link = self.vertex("link", partner)
                self.edges.append((link, self.atom[number]))
                self.edges.append((link, self.atom[numbers[partner, args]]))
        self.fluent_vertex = [self.atom[numbers["true", (f,)]] for f in self.fluents]
        roles = {str(args[0]): args[0] for name, args in ground.facts if name == "role"}
        self.move_vertex = [
            [self.atom[numbers["does", (roles[role], move)]] for move in moves]
            for role, moves in zip(self.game.roles, self.game.network.moves, strict=True)
        ]

    def generators(self) -> list[Symmetry]:
        igraph = _import_igraph()
        numbers = {colour: i for i, colour in enumerate(dict.fromkeys(self.colours))}
        graph = igraph.Graph(n=len(self.colours), edges=self.edges)
        found = graph.automorphism_group(color=[numbers[colour] for colour in self.colours])
        size = len(self.fluent_vertex) + sum(map(len, self.move_vertex))
        if len(found) * size > _MOST_ENTRIES:
            raise BudgetExceededError(f"there are too many symmetries: {len(found):,} generators")
        fluent_of = {vertex: i for i, vertex in enumerate(self.fluent_vertex)}
        move_of = [{v: i for i, v in enumerate(vertices)} for vertices in self.move_vertex]
        return [
            Symmetry(
                tuple(fluent_of[p[vertex]] for vertex in self.fluent_vertex),
                tuple(
                    tuple(where[p[vertex]] for vertex in vertices)
                    for vertices, where in zip(self.move_vertex, move_of, strict=True)
                ),
            )
            for p in found
        ]


def _holds(game: CompiledGame, fluents: tuple[Function, ...], symmetry: Symmetry) -> bool:
    """Check a symmetry on the network, in random play: both sides must behave alike."""
    source = random.Random(1)
    number = {fluent: i for i, fluent in enumerate(fluents)}
    for _ in range(4):
        state = game.initial()
        for _ in range(40):
            image = game.state(fluents[symmetry.fluents[number[f]]] for f in state.fluents)
            if state.is_terminal != image.is_terminal or state.goals != image.goals:
                return False
            joint = []
            for index, role in enumerate(game.roles):
                moves = game.network.moves[index]
                where = {move: i for i, move in enumerate(moves)}
                carried = {moves[symmetry.moves[index][where[m]]] for m in state.legal(role)}
                if carried != set(image.legal(role)):
                    return False
                if carried:
                    joint.append(source.choice(state.legal(role)))
            if state.is_terminal or len(joint) < len(game.roles):
                break
            mirrored = [
                game.network.moves[i][symmetry.moves[i][game.network.moves[i].index(move)]]
                for i, move in enumerate(joint)
            ]
            after = state.step(joint)
            expected = {fluents[symmetry.fluents[number[f]]] for f in after.fluents}
            if set(image.step(mirrored).fluents) != expected:
                return False
            state = after
    return True


def _import_igraph() -> Any:
    """Import igraph without libraries to draw and to print with, which take most of the time.

    It is here for the search for automorphisms (bliss), which refines partitions with pruning by
    the automorphisms found so far: far more than a few lines. Strong components are our own, in
    `gdl.dependencies`: callers rely on their order, and `kibitz check` does without this import.
    """
    unused = ("matplotlib", "plotly", "cairocffi", "wcwidth")
    hidden = [name for name in unused if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        import igraph
    finally:
        for name in hidden:
            del sys.modules[name]
    return igraph


_ANY = Function("_")

Cycle = tuple[Function, ...]


def cycles_of(found: Symmetries, number: int) -> list[Cycle]:
    """Return the cycles of fluents that a generator moves."""
    permutation = found.generators[number].fluents
    cycles = []
    seen: set[int] = set()
    for start in range(len(permutation)):
        cycle = []
        at = start
        while at not in seen:
            seen.add(at)
            cycle.append(found.fluents[at])
            at = permutation[at]
        if len(cycle) > 1:
            cycles.append(tuple(cycle))
    return cycles


def words_of_symmetry(found: Symmetries, number: int) -> list[str]:
    """Write the cycles of a generator, those that differ in an argument that stays as one.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import find_symmetries
    >>> words_of_symmetry(find_symmetries(CompiledGame(load_sheet("nim:2,2"))), 0)
    ['(heap a _) -> (heap b _)']
    """
    kinds: dict[tuple[tuple[str, int], ...], set[Cycle]] = {}
    for cycle in cycles_of(found, number):
        start = min(range(len(cycle)), key=lambda i: str(cycle[i]))
        turned = cycle[start:] + cycle[:start]
        kind = tuple(sorted({(f.name, len(f.args)) for f in cycle}))
        kinds.setdefault(kind, set()).add(turned)
    shown = []
    for kind, cycles in kinds.items():
        if len(kind) == 1:
            for position in range(kind[0][1]):
                cycles = _merged(cycles, position)
        shown += [" -> ".join(map(str, cycle)) for cycle in cycles]
    return sorted(shown)


def _merged(cycles: set[Cycle], position: int) -> set[Cycle]:
    """Leave an argument out if it stays in every cycle, and each cycle is there for each value."""
    values = {fluent.args[position] for cycle in cycles for fluent in cycle}
    if any(len({fluent.args[position] for fluent in cycle}) > 1 for cycle in cycles):
        return cycles
    without: Counter[Cycle] = Counter()
    for cycle in cycles:
        without[tuple(_blank(fluent, position) for fluent in cycle)] += 1
    return set(without) if set(without.values()) == {len(values)} else cycles


def _blank(fluent: Function, position: int) -> Function:
    args = (*fluent.args[:position], _ANY, *fluent.args[position + 1 :])
    return Function(fluent.name, args)


def picture_of_symmetry(found: Symmetries, number: int, layout: Layout) -> str | None:
    """Draw the boards with the name of the cell that each is mapped to; None without boards.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.board import layout_of
    >>> from kibitz.space import find_symmetries
    >>> game = CompiledGame(load_sheet("nim:2,2"))
    >>> print(picture_of_symmetry(find_symmetries(game), 0, layout_of(game)))
    a b
    b a
    """
    permutation = found.generators[number].fluents
    goes: dict[CellRef, CellRef] = {}
    for index, fluent in enumerate(found.fluents):
        here, there = _cell(layout, fluent), _cell(layout, found.fluents[permutation[index]])
        if here is None or there is None:
            continue
        if goes.setdefault(here, there) != there:
            return None  # what is on one cell goes to several
    if not any(here != there for here, there in goes.items()):
        return None
    parts = []
    for number_, board in enumerate(layout.boards):
        refs: Sequence[CellRef] = [CellRef(number_, i) for i in range(len(board.cells))]
        shown = [",".join(layout.cell(goes.get(ref, ref)).key) for ref in refs]
        parts.append(board_lines(board, shown))
    return "\n".join(parts)


def _cell(layout: Layout, fluent: Function) -> CellRef | None:
    place = layout.place(fluent)
    return place.cell if place else None
