"""Find the states in which a role decides, and where its moves lead until it decides again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import BudgetExceededError
from kibitz.native import native
from kibitz.solve import Solution

__all__ = ["DecisionGraph", "decision_graph"]

Ints = npt.NDArray[np.int32]
Numbers = npt.NDArray[Any]


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
    value = solution.value
    correct = ~mine[source] | (value[target] == value[source])
    met = _reach(first, target, correct)
    cycling = _cycling(first, target, correct, met)
    is_cyclic = bool(cycling.any())
    if is_cyclic:
        middle = solution.total // 2
        ahead = value > middle if role == 0 else value < middle
        distance = solution.distance.astype(np.int64)
        nearer = distance[target] < distance[source]
        inside = cycling[source] & cycling[target] & mine[source] & ahead[source]
        correct &= ~inside | nearer
        met = _reach(first, target, correct)
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
    succ_first, succ = _decisions(first, target, number, mine, target[edges].astype(np.int64))
    roots = _decisions(first, target, number, mine, np.zeros(1, dtype=np.int64))[1]
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


@native
def _reach(first: Numbers, target: Numbers, correct: Numbers) -> Numbers:
    """Mark what can be reached from state 0 by correct edges."""
    met = np.zeros(len(first) - 1, dtype=np.bool_)
    queue = np.empty(len(first) - 1, dtype=np.int64)
    met[0] = True
    queue[0] = 0
    count = 1
    at = 0
    while at < count:
        state = queue[at]
        at += 1
        for edge in range(first[state], first[state + 1]):
            to = target[edge]
            if correct[edge] and not met[to]:
                met[to] = True
                queue[count] = to
                count += 1
    return met


@native
def _cycling(first: Numbers, target: Numbers, correct: Numbers, met: Numbers) -> Numbers:
    """Mark states that may lie on a cycle: remove those without remaining predecessors."""
    size = len(first) - 1
    into = np.zeros(size, dtype=np.int64)
    for state in range(size):
        if met[state]:
            for edge in range(first[state], first[state + 1]):
                if correct[edge]:
                    into[target[edge]] += 1
    left = met.copy()
    stack = np.empty(size, dtype=np.int64)
    count = 0
    for state in range(size):
        if met[state] and into[state] == 0:
            stack[count] = state
            count += 1
    while count:
        count -= 1
        state = stack[count]
        left[state] = False
        for edge in range(first[state], first[state + 1]):
            if correct[edge]:
                to = target[edge]
                into[to] -= 1
                if into[to] == 0:
                    stack[count] = to
                    count += 1
    return left


@native
def _decisions(
    first: Numbers, target: Numbers, number: Numbers, mine: Numbers, starts: Numbers
) -> tuple[Numbers, Numbers]:
    """List, for each start, the decision states that can come next, whatever others do."""
    size = len(first) - 1
    stamp = np.full(size, -1, dtype=np.int64)
    stack = np.empty(size, dtype=np.int64)
    sums = np.zeros(len(starts) + 1, dtype=np.int32)
    found = np.empty(1024, dtype=np.int32)
    total = 0
    for row in range(len(starts)):
        stack[0] = starts[row]
        stamp[starts[row]] = row
        count = 1
        while count:
            count -= 1
            state = stack[count]
            if mine[state]:
                if number[state] >= 0:
                    if total == len(found):
                        grown = np.empty(2 * total, dtype=np.int32)
                        for i in range(total):  # a slice would take 1.5 s more to compile
                            grown[i] = found[i]
                        found = grown
                    found[total] = number[state]
                    total += 1
                continue
            for edge in range(first[state], first[state + 1]):
                to = target[edge]
                if stamp[to] != row:
                    stamp[to] = row
                    stack[count] = to
                    count += 1
        sums[row + 1] = total
    return sums, found[:total].copy()
