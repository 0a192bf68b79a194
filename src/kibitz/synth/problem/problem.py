"""Pose the problem of synthesis: states, moves, literals and their costs.

A *situation* is a state in which the role has a choice, with one of its legal moves. Only states
that optimal moves of the role can reach matter: once a list has made a mistake it is wrong, and
what it says afterwards is irrelevant. Under the reading *any* one state of each orbit represents
all, and of each situation those images are kept in which the move represents its orbit, one bit for
each image; so the truth of a literal in all images of a situation is a word, and a rule applies to
a situation where the AND of its literals' words is not zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kibitz.core import Struct
from kibitz.engine import CompiledGame, Role, State, fluent_bits
from kibitz.errors import InputError, NoChoiceError
from kibitz.gdl import Function
from kibitz.solve import Solution
from kibitz.space import StateSpace, Symmetries, edges_of
from kibitz.synth.problem.features import Feature, feature_truth
from kibitz.synth.problem.situation_bits import (
    MOST_WORDS,
    Ints,
    Reading,
    SituationBits,
    SituationSymmetries,
    Truth,
    Vocabulary,
)
from kibitz.synth.search.lifted_rules import Lift

if TYPE_CHECKING:
    from kibitz.synth.synthesis import Objective


ANY_OF_THEM: tuple[int, ...] = ()
"""Instead of moves: all that have the features that the rule asks for."""


@dataclass(frozen=True)
class Problem:
    """A game from the point of view of one role that wants a short list of rules."""

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
    """For each orbit of moves, its representative.

    With action sets the orbits of pairs come after them; with features, all moves at the end.
    """
    lift: Lift | None
    """The domain that rules have variables over."""
    features: tuple[Feature, ...]
    """The meaning of the literals after those of the atoms."""
    to_standard: tuple[int, ...]
    """For each move, the number of a symmetry that maps it to its orbit's representative."""
    fluent_images: npt.NDArray[np.int32]
    move_images: npt.NDArray[np.int32]

    orbit_of: tuple[int, ...]
    """For each move, its orbit."""
    space: StateSpace = field(repr=False)
    arrays: Struct = field(repr=False)
    """What native loops take: a struct situations of core.h."""

    def __len__(self) -> int:
        return len(self.states)

    def state(self, number: int) -> State:
        """Return a decision state."""
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

    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore, find_symmetries
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> found = find_symmetries(game)
    >>> problem = make_problem(solve(explore(game, symmetries=found)), "xplayer", symmetries=found)
    >>> len(problem), problem.situations
    (257, 931)
    """
    from kibitz.synth.problem.decision_graph import decision_graph

    space = solution.space
    game = space.game
    game.check_role(role)
    if reading != "any":
        space.require_all_states(f"the reading {reading}")
    index = game.roles.index(role)
    # Each move, or each set of moves that a symmetry exchanges, takes a word for each literal.
    order = symmetries.order if symmetries is not None else 1
    atoms = len(game.network.fluents) + len(game.network.hidden)
    most = None if lift is not None else order * MOST_WORDS // max(1, 2 * atoms)
    graph = decision_graph(solution, index, most_edges=most)
    if not len(graph.states):
        raise NoChoiceError(
            f"{role} has nothing to decide in {game.sheet.name}",
            hint="roles: " + " ".join(game.roles),
        )
    lifted = Lift(game, index, lift) if lift is not None else None
    if lifted is not None and reading != "none":
        raise InputError("rules with variables need the reading none", hint="add --symmetry none")
    group = SituationSymmetries(
        game, symmetries if reading != "none" else None, index, reading, lifted
    )
    truth = atom_truth(game, space.states[graph.states], len(group.atoms))
    if reading == "first" and (features or actions):
        raise InputError("features and action sets need the reading any or none")
    if actions:
        group.add_pairs(set(graph.edge_move.tolist()))
    keeps = _one_of_each(graph.edge_state, graph.edge_move, truth, group, reading)
    edges = np.flatnonzero(keeps)
    blocks = SituationBits(group, truth, graph.edge_state[edges], graph.edge_move[edges], reading)
    orbit_moves = list(group.orbit_moves)
    if features:
        plain = sum(not feature.is_rule for feature in features)
        blocks.add_features(
            feature_truth(space, index, graph.edge[edges], features, reading), plain
        )
        orbit_moves.append(ANY_OF_THEM)
    sit_first = np.searchsorted(graph.edge_state[edges], np.arange(len(truth) + 1))
    correct = graph.edge_correct[edges]
    succ_first, succ = _rows(graph.succ_first, graph.succ, edges)
    correct_first, correct_succ = _unions(sit_first, correct, succ_first, succ)
    everywhere = np.minimum.reduceat(correct.astype(np.uint8), sit_first[:-1])
    usable_first, usable = blocks.usable(literals)
    arrays = Struct(
        "situations", states=len(truth), is_first=reading == "first", roots=graph.roots,
        root_count=len(graph.roots), sit_first=sit_first.astype(np.int32),
        sit_correct=correct.astype(np.uint8), succ_first=succ_first, succ=succ,
        correct_first=correct_first, correct_succ=correct_succ, all_correct=everywhere,
        orbits=len(blocks.first), block_first=blocks.first, block_sit=blocks.sit,
        blocks=len(blocks.full), full=blocks.full, literals=len(blocks.columns),
        columns=blocks.columns, usable_first=usable_first, usable=usable,
    )  # fmt: skip
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
        arrays=arrays,
    )


def atom_truth(game: CompiledGame, rows: npt.NDArray[np.uint64], count: int) -> Truth:
    """Return which of `count` atoms hold in which states; those that do not exist never do."""
    known = fluent_bits(game.network, rows).view(np.bool_)
    other = np.zeros((len(rows), count - known.shape[1]), dtype=bool)
    return np.concatenate([known, other], axis=1)


def _one_of_each(
    state: Ints, move: Ints, truth: Truth, group: SituationSymmetries, reading: Reading
) -> npt.NDArray[np.bool_]:
    """Return which edges to keep: of moves that a symmetry of their state exchanges, the first."""
    least = move.copy()
    if reading == "any":
        for fluents, moves in zip(group.inverse, group.moves, strict=True):
            fixed = (truth[:, fluents] == truth).all(axis=1)
            here = fixed[state]
            least[here] = np.minimum(least[here], moves[move[here]])
    kept: npt.NDArray[np.bool_] = least == move
    return kept


def _rows(first: Ints, values: Ints, rows: npt.NDArray[np.int64]) -> tuple[Ints, Ints]:
    """Take some of the rows of a compressed table."""
    places, starts = edges_of(first, rows)
    return np.append(starts, len(places)).astype(np.int32), values[places]


def _unions(
    sit_first: npt.NDArray[np.int64], correct: Truth, succ_first: Ints, succ: Ints
) -> tuple[Ints, Ints]:
    """Return, for each state, the states that its correct moves lead to."""
    states = len(sit_first) - 1
    sizes = np.diff(succ_first)
    owner = np.repeat(np.repeat(np.arange(states), np.diff(sit_first)), sizes)
    pairs = np.unique((owner * states + succ)[np.repeat(correct, sizes)])
    first = np.searchsorted(pairs, states * np.arange(states + 1))
    return first.astype(np.int32), (pairs % states).astype(np.int32)


_NEGATION = 0.5
_FEATURE = 0.5
_STEP = 0.125
"""The cost of each step between the places of a literal and of the move, beyond the first."""


def prices_of(problem: Problem, objective: Objective) -> npt.NDArray[np.float64]:
    """Return the price of each literal beside each orbit of moves.

    A rule is easy to put into words if it has few literals, few negations among them, and places
    near that of the move; a feature, which has a name, counts as half a literal. A place is the
    first two numbers in a term, if there are two.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.synth.problem.problem import make_problem
    >>> from kibitz.synth.synthesis import prepare
    >>> made = prepare(CompiledGame(load_sheet("tictactoe")))
    >>> problem = make_problem(made.solution, "xplayer", symmetries=made.symmetries)
    >>> prices = prices_of(problem, "easy")
    >>> float(prices.min()), float(prices.max())
    (1.0, 1.625)
    """
    prices = np.ones((len(problem.orbit_moves), problem.arrays.columns.shape[0]))
    if objective != "easy":
        return prices
    prices[:, 1::2] += _NEGATION
    prices[:, 2 * len(problem.atoms) :] = _FEATURE
    places = [_place(atom) for atom in problem.atoms]
    for orbit, moves in enumerate(problem.orbit_moves):
        centre = _place(problem.moves[moves[0]]) if moves else None
        for number, place in enumerate(places):
            if centre and place:
                far = max(abs(a - b) for a, b in zip(centre, place, strict=True))
                prices[orbit, 2 * number : 2 * number + 2] += _STEP * max(0, far - 1)
    return prices


def _place(term: Function) -> tuple[int, int] | None:
    numbers = [
        int(arg.name) if isinstance(arg, Function) and arg.name.isdecimal() else None
        for arg in term.args
    ]
    for row, column in pairwise(numbers):
        if row is not None and column is not None:
            return row, column
    return None
