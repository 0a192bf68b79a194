"""A StateSpace as a graph: subspaces, order, paths and their moves, and where play is stuck.

In a space reduced by symmetries every state met is an image of the one that stands for it, and so
are the moves made there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.engine import Move, Role, State
from kibitz.errors import KibitzError, StuckError
from kibitz.space.space import StateId, StateSpace

Bools = npt.NDArray[np.bool_]
StateIds = npt.NDArray[np.int64]
States = npt.NDArray[np.uint32]


def subspace_from(space: StateSpace, starts: StateIds) -> tuple[StateSpace, StateIds]:
    """Keep some states and all that follow from them; return also the new numbers of all states.

    States and moves stay in their order, and layers are layers again. A state that is left out has
    a number that means nothing.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("tictactoe")))
    >>> subspace, number = subspace_from(space, np.array([1]))
    >>> len(subspace), int(number[1]), subspace.layers[:3], subspace.is_layered
    (1870, 0, (0, 1, 9), True)
    """
    marks = np.zeros(len(space), dtype=bool)
    marks[starts] = True
    graph = graph_of(space)
    while core.function("graph_mark_following")(graph, marks):
        pass
    part = subspace_of(space, marks, np.ones(space.edges, dtype=bool))
    return part, np.cumsum(marks) - 1


def subspace_of(space: StateSpace, states: Bools, edges: Bools) -> StateSpace:
    """Keep some states, and those of their edges that are marked, all in their order.

    Every edge that is kept leads between states that are kept.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("nim:1,2")))
    >>> part = subspace_of(space, np.arange(len(space)) < 2, space.target == 1)
    >>> len(part), part.edges, part.layers
    (2, 1, (0, 1))
    """
    kept_edges = np.flatnonzero(edges & np.repeat(states, np.diff(space.first_edge)))
    kept = np.flatnonzero(states)
    number = np.cumsum(states) - 1
    # Edges up to the first of each state, counted with those of the states left out.
    before = np.searchsorted(kept_edges, space.first_edge[kept])
    layers = tuple(int(n) for n in np.searchsorted(kept, space.layers) if n < len(kept))
    # A space of a richer kind, such as one unfolded by the past, leaves a plain one.
    given = {f.name: getattr(space, f.name) for f in fields(StateSpace)}
    given |= {
        "states": space.states[kept],
        "first_edge": np.append(before, len(kept_edges)).astype(np.int64),
        "target": number[space.target[kept_edges]].astype(np.uint32),
        "action": space.action[kept_edges],
        "turn": space.turn[kept],
        "terminal": space.terminal[kept],
        "goals": space.goals[kept],
        "layers": tuple(dict.fromkeys(layers)),
    }
    return StateSpace(**given)


def ends_first(space: StateSpace, *, because: str) -> npt.NDArray[np.uint32]:
    """Number all states so that each comes after those that its moves lead to.

    Raise KibitzError, ending in `because`, if there is no such order: play can cycle.
    """
    if space.is_layered:
        return np.arange(len(space) - 1, -1, -1, dtype=np.uint32)
    first_back, back = invert(space)
    order = order_backwards(graph_of(space), first_back, back)
    if len(order) < len(space):
        raise KibitzError(f"in {space.game.sheet.name} play can cycle, and {because}")
    return order


def order_backwards(graph: Struct, first_back: StateIds, back: States) -> States:
    """Return the states, each after those that it leads to; those that play can cycle to are left
    out.
    """
    order, left = np.empty((2, graph.states), dtype=np.uint32)
    size = core.function("graph_order_backwards")(graph, first_back, back, left, order)
    found: States = order[:size]
    return found


def invert(space: StateSpace) -> tuple[StateIds, States]:
    """Return the sources of the edges that lead to state s, from the s-th number to the next one.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> [found.tolist() for found in invert(explore(CompiledGame(load_sheet("nim:2"))))]
    [[0, 0, 1, 2, 3], [0, 0, 2]]
    """
    first_back = np.zeros(len(space) + 1, dtype=np.int64)
    back = np.empty(space.edges, dtype=np.uint32)
    core.function("graph_invert")(graph_of(space), first_back, back)
    return first_back, back


def graph_of(space: StateSpace) -> Struct:
    """Return what native loops take for a space."""
    return Struct("graph", first_edge=space.first_edge, target=space.target, states=len(space))


def longest_matches(space: StateSpace) -> npt.NDArray[np.int32]:
    """Return for each state the largest number of moves of a match from it; -1 if it need not end.

    Settles states from the ends backwards: one look at every edge for each move of the longest
    match.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> int(longest_matches(explore(CompiledGame(load_sheet("nim:1,2,4,5"))))[0])
    12
    >>> int(longest_matches(explore(CompiledGame(load_sheet("threemensmorris"))))[0])
    -1
    """
    sizes = np.diff(space.first_edge)
    length = np.where(sizes == 0, 0, -1).astype(np.int32)
    inner = np.flatnonzero(sizes)
    starts = space.first_edge[inner]
    while len(inner):
        after = length[space.target]
        settled = np.logical_and.reduceat(after >= 0, starts) & (length[inner] < 0)
        if not settled.any():
            break
        longest = np.maximum.reduceat(after, starts)
        length[inner[settled]] = longest[settled] + 1
    return length


Numbers = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Reach:
    """The states that play can reach if only some edges may be taken, nearest first."""

    space: StateSpace
    order: Numbers
    seen: Bools
    arrival: Numbers
    """For each state reached, the edge that it was first reached by; -1 for the first."""

    def path(self, state: StateId) -> list[int]:
        """Return the edges of a shortest path to a state."""
        edges: list[int] = []
        while (edge := int(self.arrival[state])) >= 0:
            edges.append(edge)
            state = int(np.searchsorted(self.space.first_edge, edge, side="right")) - 1
        return edges[::-1]

    def moves_to(self, state: StateId) -> list[tuple[Move, ...]]:
        """Return the joint moves of a shortest path to a state."""
        space = self.space
        return [space.joint_moves[space.action[edge]] for edge in self.path(state)]


def reachable_under(space: StateSpace, allowed: Bools | None = None) -> Reach:
    """Find what can be reached from the first state by allowed edges, all if none are given.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("nim:1,2")))
    >>> len(reachable_under(space).order), len(reachable_under(space, space.target == 1).order)
    (8, 2)
    """
    seen = np.zeros(len(space), dtype=bool)
    arrival = np.full(len(space), -1, dtype=np.int64)
    if allowed is None:
        allowed = np.ones(space.edges, dtype=bool)
    nearest = np.empty(len(space), dtype=np.int64)
    follow = core.function("graph_follow")
    count = follow(graph_of(space), allowed, seen, arrival, nearest)
    return Reach(space, nearest[:count], seen, arrival)


def path_of(space: StateSpace, joints: Iterable[tuple[Move, ...]]) -> list[StateId]:
    """Return the states that joint moves lead to one after another, from the first on.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("nim:1,2")))
    >>> path_of(space, [space.moves(0)[1][0]])
    [0, 2]
    """
    path = [0]
    for joint in joints:
        path.append(next(to for made, to in space.moves(path[-1]) if made == joint))
    return path


def edges_of(first_edge: Numbers, states: Numbers) -> tuple[Numbers, Numbers]:
    """Return the edges of states in their order, and where those of each state begin.

    >>> [found.tolist() for found in edges_of(np.array([0, 2, 2, 5]), np.array([2, 0]))]
    [[2, 3, 4, 0, 1], [0, 3]]
    """
    begin, end = first_edge[states], first_edge[states + 1]
    sizes = end - begin
    starts = np.cumsum(sizes) - sizes
    edges = np.repeat(begin - starts, sizes) + np.arange(int(sizes.sum()))
    return edges, starts


Carry = Callable[[tuple[Move, ...]], tuple[Move, ...]]


def playable_line(
    space: StateSpace, edges: Sequence[int], *, start: State | None = None
) -> list[tuple[Move, ...]]:
    """Return the joint moves of a path of edges, as they are played from its first state.

    `start` is a state symmetric to that, to play from instead.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore, find_symmetries
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> space = explore(game, symmetries=find_symmetries(game))
    >>> path = [0, int(space.first_edge[space.target[0]])]
    >>> [" ".join(map(str, joint)) for joint in playable_line(space, path)]
    ['(mark 1 1) noop', 'noop (mark 1 2)']
    """
    joints = [space.joint_moves[space.action[edge]] for edge in edges]
    if not space.is_reduced or not edges:
        return joints
    sources = (np.searchsorted(space.first_edge, edges, side="right") - 1).tolist()
    state = start or space.state(sources[0])
    played = []
    for source, joint in zip(sources, joints, strict=True):
        played.append(carrier_to(space, source, state)(joint))
        state = space.game.successor(state.key, played[-1])
    return played


def carrier_to(space: StateSpace, number: StateId, state: State) -> Carry:
    """Return the map of joint moves from a numbered state to a state that it represents."""
    group = space.symmetries
    if group is None:
        return lambda joint: joint
    index = {fluent: i for i, fluent in enumerate(group.fluents)}
    here = [index[fluent] for fluent in space.state(number).fluents]
    there = {index[fluent] for fluent in state.fluents}
    carrier = next(e for e in space.elements if {e.fluents[fluent] for fluent in here} == there)

    def carry(joint: tuple[Move, ...]) -> tuple[Move, ...]:
        moves = zip(group.moves, carrier.moves, joint, strict=True)
        return tuple(names[images[names.index(move)]] for names, images, move in moves)

    return carry


Line = tuple[tuple[Move, ...], ...]

_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Stuck:
    """How many states are stuck, and the nearest one: who has no move there, and the path to it.

    `path` is None where play does not start at the initial state. `role` is empty where every role
    has a move by the rules, and moves were removed from the space.
    """

    states: int
    role: Role | None
    state: State
    path: Line | None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        write = self.state.game.write
        path = self.path and [[write(move) for move in joint] for joint in self.path]
        return {
            "states": self.states,
            "role": self.role,
            "example": {"path": path, "state": [write(fluent) for fluent in self.state.fluents]},
        }

    @property
    def text(self) -> str:
        """Describe it in one sentence, without the full stop."""
        name, write = self.state.game.sheet.name, self.state.game.write
        if self.path == ():
            return (
                f"{name} is stuck at the start: {self.role} has no legal move, and the state is "
                "not terminal"
            )
        many = "1 state" if self.states == 1 else f"{self.states:,} states"
        if self.path is None:
            where = "in " + " ".join(map(write, self.state.fluents))
        else:
            joints = ["/".join(map(write, joint)) for joint in self.path]
            more = f" and {len(joints) - _SHOWN} more" if len(joints) > _SHOWN else ""
            where = "after " + ", ".join(joints[:_SHOWN]) + more
        return (
            f"play in {name} can get stuck: in {many} a role has no legal move, and play has not "
            f"ended; {where}, {self.role or 'a role'} has none"
        )


def find_stuck(space: StateSpace) -> Stuck | None:
    """Find the stuck states of a space that was explored completely; None if there are none.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.gdl import read
    >>> from kibitz.space import explore
    >>> rules = "(role a) (init p) (<= (legal a go) (true p)) (<= terminal (true q)) (goal a 0)"
    >>> find_stuck(explore(CompiledGame(read(rules, name="short")))).text
    'play in short can get stuck: in 1 state a role has no legal move, and play has not ended; \
after go, a has none'
    """
    if not space.is_complete:
        return None
    kept = vars(space)
    if "_stuck" not in kept:
        kept["_stuck"] = _find(space)
    found: Stuck | None = kept["_stuck"]
    return found


def require_no_stuck(space: StateSpace) -> None:
    """Raise StuckError where play can get stuck, for then states have no value."""
    found = find_stuck(space)
    if found is not None:
        raise stuck_error(found)


def stuck_error(found: Stuck) -> StuckError:
    """Make the error that says that play can get stuck."""
    return StuckError(found.text, states=found.states)


def _find(space: StateSpace) -> Stuck | None:
    ids = np.flatnonzero((space.first_edge[:-1] == space.first_edge[1:]) & ~space.terminal)
    if not len(ids):
        return None
    state, path = line_to(space, int(ids[0]))
    role = next((role for role in space.game.roles if not state.legal(role)), None)
    return Stuck(len(ids), role, state, path)


def line_to(
    space: StateSpace, target: StateId
) -> tuple[State, tuple[tuple[Move, ...], ...] | None]:
    """Return a state as play comes to it, and a shortest line that leads there.

    The line is None where play does not start at the initial state; in a reduced space the state is
    an image of the one that the number stands for.
    """
    edges: list[int] = []
    number = target
    # States are numbered by their distance, so the first edge to one leads from a nearer one.
    while number:
        into = np.flatnonzero(space.target == number)[:1]
        source = (
            int(np.searchsorted(space.first_edge, into[0], side="right")) - 1 if len(into) else 0
        )
        if not len(into) or source >= number:
            break
        edges.append(int(into[0]))
        number = source
    if number or space.state(0) != space.game.initial():
        return space.state(target), None
    state = space.state(0)
    path = tuple(playable_line(space, edges[::-1]))
    for joint in path:
        state = space.game.successor(state.key, joint)
    return state, path
