"""Lay out the images of situations as words of bits, and literals as columns over them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product
from typing import Literal

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame
from kibitz.errors import BudgetExceededError
from kibitz.rows import pack
from kibitz.space import Symmetries
from kibitz.synth.search.lifted_rules import Lift

Reading = Literal["any", "first", "none"]
"""How a rule applies to symmetric states."""

Vocabulary = Literal["none", "positive", "all"]
"""Which literals conditions may have beside features: none, fluents, or negated ones too."""

_MOST_PAIRS = 2000
_WORD = 64
MOST_WORDS = 400_000_000
"""The most words of the columns of all literals together."""

Ints = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]
Truth = npt.NDArray[np.bool_]


class SituationSymmetries:
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
        # represent others.
        least = self.moves[0] if reading == "first" else self.moves.min(axis=0)
        standard: list[int] = sorted(set(least.tolist()))
        self.orbit_moves: list[tuple[int, ...]] = [(move,) for move in standard]
        number = {move: orbit for orbit, move in enumerate(standard)}
        self.orbit = np.array([number[move] for move in least.tolist()], dtype=np.int32)
        self.to_standard = [int((self.moves[:, m] == least[m]).argmax()) for m in range(count)]

    def add_pairs(self, moves: Iterable[int]) -> None:
        """Add one pair of moves for each orbit of pairs."""
        found: set[tuple[int, ...]] = set()
        for one, two in combinations(sorted(moves), 2):
            images = np.sort(self.moves[:, [one, two]], axis=1)
            found.add(tuple(images[np.lexsort((images[:, 1], images[:, 0]))[0]].tolist()))
            if len(found) > _MOST_PAIRS:
                raise BudgetExceededError(
                    f"there are more than {_MOST_PAIRS:,} pairs of moves",
                    hint="remove --actions",
                    options=["--actions"],
                )
        self.orbit_moves += sorted(found)


class SituationBits:
    """Lays out images of situations as words, and literals as columns over them."""

    def __init__(
        self, group: SituationSymmetries, truth: Truth, state: Ints, move: Ints, reading: Reading
    ) -> None:
        self.group, self.truth, self.move = group, truth, move
        self.states = len(truth)
        self.atoms = truth.shape[1]
        self.place = np.arange(len(state)) - np.searchsorted(state, state)
        """The number of a situation among those of its state."""
        self.sit_first = np.searchsorted(state, np.arange(self.states + 1))
        self.features = 0
        if reading != "first":
            self.check_size(self.count_words())
        per_orbit = [self.lay_out(o, state, reading) for o in range(len(group.orbit_moves))]
        sizes = [len(part[0]) for part in per_orbit]
        self.check_size(sum(sizes))
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

    def count_words(self) -> int:
        """Count the words of all orbits without laying them out, under *any* and *none*."""
        times = np.bincount(self.move, minlength=len(self.group.orbit))
        total = 0
        for standard in (move for moves in self.group.orbit_moves for move in moves):
            elements = (self.group.moves == standard).sum(axis=0)
            total += int((-(-elements // _WORD) * times).sum())
        return total

    def check_size(self, words: int) -> None:
        """Raise BudgetExceededError if columns of that many words take too much memory."""
        if 2 * self.atoms * words > MOST_WORDS:
            raise BudgetExceededError(
                f"{self.states:,} states with {words:,} words of images are too many",
                hint="choose a smaller game, or one position of it",
            )

    def lay_out(
        self, orbit: int, state: Ints, reading: Reading
    ) -> tuple[npt.NDArray[np.int64], Ints, Words, Words]:
        """Return the blocks of an orbit's moves: state, situation, which bits count, and atoms."""
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
        """Return blocks whose bits are the symmetries in their order, as *first* tries them.

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
            full = pack(sits >= 0)[:, 0]
            # The image of an atom under g holds in a state, so it is read at the places of g.
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

        New rules use only the first `plain` of them.

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
        """List, for each orbit, the literals that distinguish some of its images from others.

        A literal that always holds, such as one that the legality of the move implies, says
        nothing; of two that always agree the first is enough.
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
