"""Find the states in which a role decides, and where its moves lead until it decides again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.core import Struct, function
from kibitz.errors import BudgetExceededError
from kibitz.solve import Solution
from kibitz.space import StateSpace, graph_of, invert, order_backwards, reachable_under, subspace_of

Ints = npt.NDArray[np.int32]
Marks = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class DecisionGraph:
    """Decision states that matter, their moves, and the decision states that these lead to.

    `states` are numbers of the space, in the order in which play can reach them; everything else
    refers to positions in that list. Edges are sorted by state.
    """

    states: npt.NDArray[np.int64]
    roots: Ints
    edge: npt.NDArray[np.int64]
    """The number of each edge in the space."""
    edge_state: Ints
    edge_move: Ints
    edge_correct: npt.NDArray[np.bool_]
    succ_first: Ints
    succ: Ints
    is_cyclic: bool


def decision_graph(
    solution: Solution, role: int, *, most_edges: int | None = None
) -> DecisionGraph:
    """Build the graph of all states reached by correct moves of the role and any moves of others.

    If its decision states have more than `most_edges` moves, raise BudgetExceededError at once.

    A correct move keeps the value. Where play could cycle and the value is more than that of
    endless play, it must also come nearer to the end.
    """
    space = solution.space
    mine = space.turn == role
    first, target = space.first_edge, space.target
    source = np.repeat(np.arange(len(space)), np.diff(first))
    value = solution.values
    correct = ~mine[source] | (value[target] == value[source])
    met = reachable_under(space, correct).seen
    cycling = _cycling(space, met, correct)
    is_cyclic = bool(cycling.any())
    if is_cyclic:
        middle = solution.total // 2
        ahead = value > middle if role == 0 else value < middle
        distance = solution.distance.astype(np.int64)
        nearer = distance[target] < distance[source]
        inside = cycling[source] & cycling[target] & mine[source] & ahead[source]
        correct &= ~inside | nearer
        met = reachable_under(space, correct).seen
    states = np.flatnonzero(met & mine)
    sizes = first[states + 1] - first[states]
    if most_edges is not None and sizes.sum() > most_edges:
        moves = int(sizes.sum())
        raise BudgetExceededError(
            f"{len(states):,} states with {moves:,} moves are too many to find rules for",
            hint="choose a smaller game, or one position of it",
        )
    number = np.full(len(space), -1, dtype=np.int32)
    number[states] = np.arange(len(states))
    edges = np.flatnonzero(np.repeat(met & mine, np.diff(first)))
    names = space.game.network.moves[role]
    own = {move: i for i, move in enumerate(names)}
    joint = np.array([own[moves[role]] for moves in space.joint_moves], dtype=np.int32)
    order = np.lexsort((joint[space.action[edges]], number[source[edges]]))
    edges = edges[order]
    succ_first, succ = _decisions(space, number, mine, target[edges].astype(np.int64))
    roots = _decisions(space, number, mine, np.zeros(1, dtype=np.int64))[1]
    return DecisionGraph(
        states=states,
        roots=roots,
        edge=edges,
        edge_state=number[source[edges]],
        edge_move=joint[space.action[edges]],
        edge_correct=correct[edges],
        succ_first=succ_first,
        succ=succ,
        is_cyclic=is_cyclic,
    )


def _cycling(space: StateSpace, met: Marks, correct: Marks) -> Marks:
    """Mark states that correct moves may lead back to: those that are left where states without
    remaining predecessors are removed.
    """
    left = met.copy()
    if space.is_layered:
        left[:] = False
        return left
    part = subspace_of(space, met, correct)
    first_back, back = invert(part)
    backwards = Struct("graph", first_edge=first_back, target=back, states=len(part))
    left[np.flatnonzero(met)[order_backwards(backwards, part.first_edge, part.target)]] = False
    return left


def _decisions(
    space: StateSpace, number: Ints, mine: Marks, starts: npt.NDArray[np.int64]
) -> tuple[Ints, Ints]:
    """List, for each start, the decision states that can come next, whatever others do."""
    first = np.zeros(len(starts) + 1, dtype=np.int32)
    found = np.empty(0, dtype=np.int32)
    stack, stamp = np.full((2, len(space)), -1, dtype=np.int64)
    most = int(number.max()) + 1
    run = Struct(
        "decisions", is_mine=mine, number=number, starts=starts, rows=len(starts), stamp=stamp,
        stack=stack, first=first, most=most,
    )  # fmt: skip
    done = 0
    while True:
        run.found, run.room = found, len(found)
        done = function("decisions_follow")(graph_of(space), run, done)
        if done == len(starts):
            return first, found[: first[-1]].copy()
        found = np.resize(found, 2 * len(found) + most)
