"""Make the problem that synthesis solves out of a Solution: the states that matter, as bits.

A *situation* is a state in which the role has a choice, with one of its legal moves. Only states
that optimal moves of the role can reach matter: once a list has made a mistake it is wrong, and
what it says afterwards is of no interest. Under the reading *any* one state of each orbit stands
for all, and of each situation those images are kept in which the move is the one that stands for
its orbit, one bit for each image; so the truth of a literal in all images of a situation is a
word, and a rule applies to a situation where the AND of its literals' words is not zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise, product
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.engine import Role, State
from kibitz.engine.compiled import CompiledGame
from kibitz.errors import BudgetExceededError, InputError
from kibitz.gdl import Function
from kibitz.solve import Solution
from kibitz.space import StateSpace, Symmetries
from kibitz.synth.features import Feature, feature_truth
from kibitz.synth.lifting import Lift

__all__ = ["ANY_OF_THEM", "Arrays", "Problem", "Reading", "Vocabulary", "make_problem"]

Reading = Literal["any", "first", "none"]
"""How a rule applies to symmetric states."""

Vocabulary = Literal["none", "positive", "all"]
"""Which literals conditions are made of, beside features: none, fluents, or negated ones too."""

ANY_OF_THEM: tuple[int, ...] = ()
"""In the place of moves: whichever have the features that the rule asks for."""

_MOST_PAIRS = 2000

_WORD = 64
_MOST_WORDS = 400_000_000

Ints = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]
Truth = npt.NDArray[np.bool_]


class Arrays(NamedTuple):
    """What the native loops work on. Decision states, situations and blocks are numbered.

    A block is a word of images of one situation (of one state under *first*); blocks are sorted
    by the orbit of their move, then by state. `columns` has a row for each literal, which is twice
    its atom's number, plus one where it is negated.
    """

    roots: Ints
    sit_first: Ints
    sit_good: npt.NDArray[np.uint8]
    succ_first: Ints
    succ: Ints
    good_first: Ints
    good_succ: Ints
    all_good: npt.NDArray[np.uint8]
    block_first: npt.NDArray[np.int32]
    block_sit: Ints
    full: Words
    columns: npt.NDArray[np.uint64]
    usable_first: Ints
    usable: Ints
    is_first: bool


@dataclass(frozen=True)
class Problem:
    """A game seen by one role who wants a short list of rules for it."""

    game: CompiledGame
    role: Role
    reading: Reading
    states: npt.NDArray[np.int64]
    """The decision states, by their number in the space."""
    distance: npt.NDArray[np.int64]
    """Plies to the end from each decision state under best play."""
    depth: npt.NDArray[np.int64]
    """The layer of the space in which each decision state is found."""
    atoms: tuple[Function, ...]
    moves: tuple[Function, ...]
    sit_move: Ints
    orbit_moves: tuple[tuple[int, ...], ...]
    """For each orbit of moves, the one that stands for it.

    With action sets the orbits of pairs come after them; with features, all moves at the end.
    """
    lift: Lift | None
    """The domain that rules have variables over."""
    features: tuple[Feature, ...]
    """What literals after those of the atoms mean."""
    to_standard: tuple[int, ...]
    """For each move, the number of a symmetry that carries it to the one that stands for it."""
    fluent_images: npt.NDArray[np.int32]
    move_images: npt.NDArray[np.int32]

    orbit_of: tuple[int, ...]
    """For each move, its orbit."""
    space: StateSpace = field(repr=False)
    arrays: Arrays = field(repr=False)

    def __len__(self) -> int:
        return len(self.states)

    def state(self, number: int) -> State:
        """Give a decision state."""
        return self.space.state(int(self.states[number]))

    @property
    def situations(self) -> int:
        """How many situations there are."""
        return len(self.sit_move)


def make_problem(
    solution: Solution,
    role: Role,
    *,
    symmetries: Symmetries | None = None,
    reading: Reading = "any",
    literals: Vocabulary = "all",
    features: Sequence[Feature] = (),
    actions: bool = False,
    lift: str | None = None,
) -> Problem:
    """Find the situations that matter to a role, and the truth of literals in their images.

    Under *any* the solution is one of a space explored with these symmetries, otherwise of one
    explored without.

    >>> from kibitz.games import load
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore, find_symmetries
    >>> game = CompiledGame(load("tictactoe"))
    >>> found = find_symmetries(game)
    >>> problem = make_problem(solve(explore(game, symmetries=found)), "xplayer", symmetries=found)
    >>> len(problem), problem.situations
    (257, 931)
    """
    from kibitz.synth.graph import decision_graph

    space = solution.space
    game = space.game
    game.check_role(role)
    index = game.roles.index(role)
    graph = decision_graph(solution, index)
    if not len(graph.states):
        raise InputError(
            f"{role} has nothing to decide in {game.sheet.name}",
            hint="roles: " + " ".join(game.roles),
        )
    lifted = Lift(game, index, lift) if lift is not None else None
    if lifted is not None and reading != "none":
        raise InputError(
            "rules with variables go with the reading none", hint="add --symmetry none"
        )
    group = _Group(game, symmetries if reading != "none" else None, index, reading, lifted)
    truth = _truth(game, space.states[graph.states], len(group.atoms))
    if reading == "first" and (features or actions):
        raise InputError("features and action sets go with the readings any and none only")
    if actions:
        group.add_pairs(set(graph.edge_move.tolist()))
    keeps = _one_of_each(graph.edge_state, graph.edge_move, truth, group, reading)
    edges = np.flatnonzero(keeps)
    blocks = _Blocks(group, truth, graph.edge_state[edges], graph.edge_move[edges], reading)
    orbit_moves = list(group.orbit_moves)
    if features:
        plain = sum(not feature.is_rule for feature in features)
        blocks.add_features(
            feature_truth(space, index, graph.edge[edges], features, reading), plain
        )
        orbit_moves.append(ANY_OF_THEM)
    sit_first = np.searchsorted(graph.edge_state[edges], np.arange(len(truth) + 1))
    good = graph.edge_good[edges]
    succ_first, succ = _rows(graph.succ_first, graph.succ, edges)
    good_first, good_succ = _unions(sit_first, good, succ_first, succ)
    everywhere = np.minimum.reduceat(good.astype(np.uint8), sit_first[:-1])
    usable_first, usable = blocks.usable(literals)
    return Problem(
        game=game,
        role=role,
        reading=reading,
        states=graph.states,
        distance=solution.distance[graph.states].astype(np.int64),
        depth=np.searchsorted(space.layers, graph.states, side="right"),
        atoms=group.atoms,
        moves=tuple(lifted.moves) if lifted else game.network.moves[index],
        lift=lifted,
        sit_move=graph.edge_move[edges],
        orbit_moves=tuple(orbit_moves),
        features=tuple(features),
        to_standard=tuple(group.to_standard),
        fluent_images=group.fluents,
        move_images=group.moves,
        orbit_of=tuple(group.orbit.tolist()),
        space=space,
        arrays=Arrays(
            roots=graph.roots,
            sit_first=sit_first.astype(np.int32),
            sit_good=good.astype(np.uint8),
            succ_first=succ_first,
            succ=succ,
            good_first=good_first,
            good_succ=good_succ,
            all_good=everywhere,
            block_first=blocks.first,
            block_sit=blocks.sit,
            full=blocks.full,
            columns=blocks.columns,
            usable_first=usable_first,
            usable=usable,
            is_first=reading == "first",
        ),
    )


class _Group:
    """The symmetries as permutations of atoms and of the role's moves; only identity if none."""

    def __init__(
        self,
        game: CompiledGame,
        symmetries: Symmetries | None,
        role: int,
        reading: Reading,
        lift: Lift | None,
    ) -> None:
        network = game.network
        self.atoms = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
        count = len(network.moves[role])
        if lift is not None:
            self.atoms = tuple(lift.atoms)
            count = len(lift.moves)
            self.fluents, self.moves = lift.atom_images, lift.move_images
        elif symmetries is None:
            self.fluents = np.arange(len(self.atoms), dtype=np.int32)[None]
            self.moves = np.arange(count, dtype=np.int32)[None]
        else:
            elements = symmetries.elements()
            self.fluents = np.array([e.fluents for e in elements], dtype=np.int32)
            self.moves = np.array([e.moves[role] for e in elements], dtype=np.int32)
        self.inverse = np.argsort(self.fluents, axis=1).astype(np.int32)
        # Under first the order of a rule's images depends on how it is written, so no move can
        # stand for others.
        least = self.moves[0] if reading == "first" else self.moves.min(axis=0)
        standard: list[int] = sorted(set(least.tolist()))
        self.orbit_moves: list[tuple[int, ...]] = [(move,) for move in standard]
        number = {move: orbit for orbit, move in enumerate(standard)}
        self.orbit = np.array([number[move] for move in least.tolist()], dtype=np.int32)
        self.to_standard = [int((self.moves[:, m] == least[m]).argmax()) for m in range(count)]

    def add_pairs(self, moves: Iterable[int]) -> None:
        """Add one pair of moves for each orbit of such."""
        found: set[tuple[int, ...]] = set()
        for one, two in combinations(sorted(moves), 2):
            images = np.sort(self.moves[:, [one, two]], axis=1)
            found.add(tuple(images[np.lexsort((images[:, 1], images[:, 0]))[0]].tolist()))
            if len(found) > _MOST_PAIRS:
                raise BudgetExceededError(
                    f"there are more than {_MOST_PAIRS:,} pairs of moves",
                    hint="leave out --actions",
                )
        self.orbit_moves += sorted(found)


def _truth(game: CompiledGame, rows: npt.NDArray[np.uint64], count: int) -> Truth:
    """Tell which of `count` atoms hold in which states; those that do not exist never do."""
    kept = len(game.network.fluents)
    raw = np.ascontiguousarray(rows.astype("<u8")).view(np.uint8)
    shown = np.unpackbits(raw, axis=1, count=kept, bitorder="little").astype(bool)
    hidden = [~shown[:, list(h.unless)].any(axis=1) for h in game.network.hidden]
    told = np.array(hidden, dtype=bool).reshape(-1, len(rows)).T
    other = np.zeros((len(rows), count - kept - len(hidden)), dtype=bool)
    return np.concatenate([shown, told, other], axis=1)


def _one_of_each(
    state: Ints, move: Ints, truth: Truth, group: _Group, reading: Reading
) -> npt.NDArray[np.bool_]:
    """Tell which edges to keep: of moves that a symmetry of their state exchanges, the least."""
    least = move.copy()
    if reading == "any":
        for fluents, moves in zip(group.inverse, group.moves, strict=True):
            fixed = (truth[:, fluents] == truth).all(axis=1)
            here = fixed[state]
            least[here] = np.minimum(least[here], moves[move[here]])
    kept: npt.NDArray[np.bool_] = least == move
    return kept


class _Blocks:
    """Lays out images of situations as words, and literals as columns over them."""

    def __init__(
        self, group: _Group, truth: Truth, state: Ints, move: Ints, reading: Reading
    ) -> None:
        self.group, self.truth, self.move = group, truth, move
        self.states = len(truth)
        self.atoms = truth.shape[1]
        self.place = np.arange(len(state)) - np.searchsorted(state, state)
        """The number of a situation among those of its state."""
        self.sit_first = np.searchsorted(state, np.arange(self.states + 1))
        self.features = 0
        per_orbit = [self.lay_out(o, state, reading) for o in range(len(group.orbit_moves))]
        sizes = [len(part[0]) for part in per_orbit]
        if 2 * self.atoms * sum(sizes) > _MOST_WORDS:
            raise BudgetExceededError(
                f"{self.states:,} states with {sum(sizes):,} words of images are too many",
                hint="take a smaller game, or one position of it",
            )
        starts = np.concatenate([[0], np.cumsum(sizes)])
        self.first = np.array(
            [
                start + np.searchsorted(part[0], np.arange(self.states + 1))
                for start, part in zip(starts, per_orbit, strict=False)
            ],
            dtype=np.int32,
        )
        self.sit = np.concatenate([part[1] for part in per_orbit]).astype(np.int32)
        self.full = np.concatenate([part[2] for part in per_orbit])
        positive = np.concatenate([part[3] for part in per_orbit]).T
        self.columns = np.empty((2 * self.atoms, len(self.full)), dtype=np.uint64)
        self.columns[0::2] = positive
        self.columns[1::2] = ~positive & self.full

    def lay_out(
        self, orbit: int, state: Ints, reading: Reading
    ) -> tuple[npt.NDArray[np.int64], Ints, Words, Words]:
        """Give the blocks of an orbit's moves: state, situation, which bits count, and atoms."""
        if reading == "first":
            return self.lay_out_states(orbit, state)
        group = self.group
        states: list[npt.NDArray[np.int64]] = []
        sits: list[Ints] = []
        fulls: list[Words] = []
        atoms: list[Words] = []
        for standard, move in product(group.orbit_moves[orbit], range(len(group.orbit))):
            elements = np.flatnonzero(group.moves[:, move] == standard)
            here = np.flatnonzero(self.move == move)
            for start in range(0, len(elements), _WORD):
                part = elements[start : start + _WORD]
                states.append(state[here].astype(np.int64))
                sits.append(self.place[here].astype(np.int32))
                fulls.append(np.full(len(here), (1 << len(part)) - 1, dtype=np.uint64))
                atoms.append(_packed(self.truth, state[here], group.inverse[part]))
        at = np.concatenate(states)
        order = np.lexsort((np.concatenate(sits), at))
        return (
            at[order],
            np.concatenate(sits)[order],
            np.concatenate(fulls)[order],
            np.concatenate(atoms)[order],
        )

    def lay_out_states(
        self, orbit: int, state: Ints
    ) -> tuple[npt.NDArray[np.int64], Ints, Words, Words]:
        """Give blocks whose bits are the symmetries in their order, as *first* tries them.

        The image of a rule under a symmetry plays the image of its move, so bit k of a state's
        block counts where the k-th image of the move is legal; `block_sit` then has 64 entries a
        block, the situation of each bit.
        """
        group = self.group
        (standard,) = group.orbit_moves[orbit]
        place = np.full((self.states, len(group.orbit)), -1, dtype=np.int32)
        place[state, self.move] = self.place
        images = group.moves[:, standard]
        parts = []
        for start in range(0, len(images), _WORD):
            part = slice(start, start + _WORD)
            sits = np.full((self.states, _WORD), -1, dtype=np.int32)
            sits[:, : len(images[part])] = place[:, images[part]]
            full = _words(sits >= 0)
            # The image of an atom under g holds in a state; so it is read at g's own places.
            atoms = _packed(self.truth, np.arange(self.states), group.fluents[part])
            parts.append((np.arange(self.states), sits, full, atoms & full[:, None]))
        at = np.concatenate([part[0] for part in parts])
        order = np.argsort(at, kind="stable")
        legal = order[np.concatenate([part[2] for part in parts])[order] != 0]
        return (
            at[legal],
            np.concatenate([part[1] for part in parts])[legal].reshape(-1),
            np.concatenate([part[2] for part in parts])[legal],
            np.concatenate([part[3] for part in parts])[legal],
        )

    def add_features(self, truth: Truth, plain: int) -> None:
        """Add a literal for each feature, and an orbit of all moves together.

        Only the first `plain` of them are for new rules.

        Whether a feature holds does not depend on the image of a situation, so in the blocks of a
        situation all bits are alike, and in the orbit of all moves one bit is enough.
        """
        count = truth.shape[1]
        size, sits = len(self.full), len(truth)
        own = np.zeros(size, dtype=np.int64)
        for row in self.first:
            at = np.repeat(np.arange(self.states), np.diff(row))
            own[row[0] : row[-1]] = self.sit_first[at] + self.sit[row[0] : row[-1]]
        columns = np.zeros((2 * (self.atoms + count), size + sits), dtype=np.uint64)
        columns[: 2 * self.atoms, :size] = self.columns
        columns[2 * self.atoms :: 2, :size] = np.where(truth[own].T, self.full, 0)
        columns[2 * self.atoms :: 2, size:] = truth.T
        self.columns = columns
        self.first = np.concatenate([self.first, (size + self.sit_first)[None]]).astype(np.int32)
        self.sit = np.concatenate([self.sit, self.place]).astype(np.int32)
        self.full = np.concatenate([self.full, np.ones(sits, dtype=np.uint64)])
        self.features = plain

    def usable(self, literals: Vocabulary) -> tuple[Ints, Ints]:
        """List, for each orbit, the literals that tell some of its images from others.

        One that always holds, as those implied by the move's being legal, says nothing; of two
        that always agree the first is enough.
        """
        lists: list[list[int]] = []
        # Positive literals first, so that they are preferred to negations that mean the same.
        candidates = [] if literals == "none" else [*range(0, 2 * self.atoms, 2)]
        if literals == "all":
            candidates += range(1, 2 * self.atoms, 2)
        candidates += range(2 * self.atoms, 2 * (self.atoms + self.features), 2)
        for row in self.first:
            start, end = row[0], row[-1]
            seen: set[bytes] = {self.full[start:end].tobytes(), bytes(8 * (end - start))}
            found = []
            for literal in candidates:
                column = self.columns[literal, start:end].tobytes()
                if column not in seen:
                    seen.add(column)
                    found.append(literal)
            lists.append(found)
        first = np.cumsum([0, *map(len, lists)]).astype(np.int32)
        return first, np.array([x for found in lists for x in found], dtype=np.int32)


def _packed(truth: Truth, state: npt.NDArray[np.int64] | Ints, places: Ints) -> Words:
    """Pack, for each state and atom, the truth of the atom in each image into one word."""
    result = np.zeros((len(state), truth.shape[1]), dtype=np.uint64)
    rows = truth[state]
    for bit, place in enumerate(places):
        result |= rows[:, place].astype(np.uint64) << np.uint64(bit)
    return result


def _words(bits: npt.NDArray[np.bool_]) -> Words:
    weights = np.uint64(1) << np.arange(_WORD, dtype=np.uint64)
    words: Words = (bits * weights).sum(axis=1, dtype=np.uint64)
    return words


def _rows(first: Ints, values: Ints, rows: npt.NDArray[np.int64]) -> tuple[Ints, Ints]:
    """Take some of the rows of a compressed table."""
    sizes = first[rows + 1] - first[rows]
    new = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    picked: Sequence[Ints] = [values[first[r] : first[r + 1]] for r in rows]
    return new, np.concatenate([np.zeros(0, np.int32), *picked]).astype(np.int32)


def _unions(
    sit_first: npt.NDArray[np.int64], good: Truth, succ_first: Ints, succ: Ints
) -> tuple[Ints, Ints]:
    """Give, for each state, the states that its good moves lead to."""
    parts: list[Ints] = []
    for start, end in pairwise(sit_first):
        found = [succ[succ_first[s] : succ_first[s + 1]] for s in range(start, end) if good[s]]
        parts.append(np.array(sorted(set(np.concatenate(found).tolist())), dtype=np.int32))
    first = np.cumsum([0, *map(len, parts)]).astype(np.int32)
    return first, np.concatenate([np.zeros(0, np.int32), *parts]).astype(np.int32)
