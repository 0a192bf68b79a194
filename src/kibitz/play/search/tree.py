"""Bind the trees of searches, whose loops are in the core.

Ends are proven. A node is proven where its chooser has a proven edge that wins all, or where all
edges are proven, so the search becomes a solver near the end of a game.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.play.search.leaf_values import LeafWorker

NEW, GROWN, PROVEN = (core.constant(f"NODE_{name}") for name in ("NEW", "GROWN", "PROVEN"))
"""What a node is: not looked at, with edges, or certain."""
_DEEPEST = 512
_HURRY = 4.0
"""Where only so many batches are left, each has as many leaves as it can."""


class NumberedStates:
    """States in the order in which they were met."""

    def __init__(self, words: int, room: int) -> None:
        self.rows = np.zeros((room, words), np.uint64)
        size = 1 << (2 * room - 1).bit_length()
        self.context = Struct(
            "numbered", rows=self.rows, words=words, room=room, mask=size - 1,
            table=np.full(size, -1, np.int32),
        )  # fmt: skip
        self._number = core.function("number_state")

    def number(self, row: npt.NDArray[np.uint64]) -> int:
        """Return the number of a state, which gets one if it has none."""
        return int(self._number(self.context, row))

    @property
    def used(self) -> int:
        """How many states there are."""
        return int(self.context.used)

    @property
    def nbytes(self) -> int:
        """The size of the rows and the table."""
        return int(self.rows.nbytes + self.context.table.nbytes)


class Walks:
    """The walks of one batch: their edges, how many these are, and the leaf of each."""

    def __init__(self, room: int) -> None:
        self.paths = np.zeros((room, _DEEPEST), np.int64)
        self.lengths = np.zeros(room, np.int64)
        self.leaves = np.zeros(room, np.int64)
        self.context = Struct(
            "walks", paths=self.paths, deepest=_DEEPEST, room=room, lengths=self.lengths,
            leaves=self.leaves,
        )  # fmt: skip

    def limit(self, visits: int, most: int, batches: float) -> int:
        """Return how many leaves to look for: few while the tree is small, if time is left."""
        least = _HURRY * most / batches if batches > _HURRY else most
        return min(most, max(8 + visits // 4, int(least)))


NOBODY, SEVERAL = -1, -2
_RARE = 0.05
"""Moves with less than this share of the most frequent move are not played."""

Floats = npt.NDArray[np.float32]


class Tree:
    """Room for a number of nodes and edges, and the operations on them."""

    def __init__(
        self,
        roles: int,
        words: int,
        bits: int,
        *,
        nodes: int,
        edges: int,
        spread: float = 0.4,
        seed: int = 1,
    ) -> None:
        self.roles, self.bits = roles, bits
        self.states = NumberedStates(words, nodes)
        self.nodes, self.edges = core.room("joint_node", nodes), core.room("joint_edge", edges)
        self.value = np.zeros((nodes, roles), np.float32)
        self.sizes = np.zeros((nodes, roles), np.int32)
        self.total, self.prior = np.zeros((2, edges, roles), np.float32)
        self.slot = np.zeros((edges, roles), np.int32)
        self.word = np.zeros(edges, np.uint64)
        self.context = Struct(
            "joint_tree", states=self.states.context, nodes=self.nodes, edges=self.edges,
            roles=roles, spread=spread, random=seed, value=self.value, sizes=self.sizes,
            total=self.total, prior=self.prior, slot=self.slot, wanted=np.zeros(roles, np.int64),
        )  # fmt: skip
        self._descend, self._grow, self._back_up = (
            core.function(f"joint_{name}") for name in ("descend", "grow", "back_up")
        )

    @property
    def nbytes(self) -> int:
        """The size of nodes, edges and states."""
        arrays = (self.nodes, self.edges, self.value, self.sizes, self.slot, self.word)
        return self.states.nbytes + 2 * self.total.nbytes + sum(one.nbytes for one in arrays)

    def has_room(self, children: int) -> bool:
        """Return whether a node may get that many edges, each to a new node."""
        return self.states.used + children <= len(
            self.nodes
        ) and self.context.used_edges + children <= len(self.edges)

    def descend(self, root: int, walks: Walks) -> int:
        """Walk down, stopping at nodes not grown yet or proven; return how many walks were made.

        These are fewer than there is room for where two would end at the same new node.
        """
        return int(self._descend(self.context, walks.context, root))

    def grow(
        self, node: int, turn: int, rows: npt.NDArray[np.uint64], words: npt.NDArray[np.uint64]
    ) -> None:
        """Give a node its edges."""
        self._grow(self.context, node, turn, rows, len(rows))
        self.word[self.edges_of(node)] = words
        if turn == SEVERAL:
            low = np.uint64((1 << self.bits) - 1)
            for role in range(self.roles):
                moves = words >> np.uint64(self.bits * role) & low
                known, places = np.unique(moves, return_inverse=True)
                self.sizes[node, role] = len(known) if len(known) > 1 else 0
                self.slot[self.edges_of(node), role] = places

    def shares(self, node: int, role: int) -> Floats | None:
        """Return how often a role should play each of its moves; None where it chooses alone."""
        if self.nodes["status"][node] == NEW or self.nodes["turn"][node] != SEVERAL:
            return None
        if not self.sizes[node, role]:
            return np.ones(1, np.float32)
        first = int(self.nodes["first"][node] + self.sizes[node, :role].sum())
        played = self.edges["played"][first : first + int(self.sizes[node, role])]
        kept = np.where(played >= _RARE * played.max(initial=0.0), played, 0.0)
        total = kept.sum()
        equal = np.full(len(kept), 1 / len(kept))
        return np.asarray(kept / total if total > 0 else equal, np.float32)

    def prove(self, node: int, value: Floats) -> None:
        """Mark a node as an end with these goals."""
        self.nodes["status"][node] = PROVEN
        self.value[node] = value
        self.nodes["plies"][node] = 0

    def back_up(self, root: int, walks: Walks, results: Floats) -> None:
        """Add the results of walks to their edges, and prove what has become certain."""
        self._back_up(self.context, walks.context, root, len(results), results)

    def is_proven(self, node: int) -> bool:
        """Return whether a node's value is certain."""
        return bool(self.nodes["status"][node] == PROVEN)

    def edges_of(self, node: int) -> slice:
        """Return the range of a node's edges."""
        first = int(self.nodes["first"][node])
        return slice(first, first + int(self.nodes["count"][node]))


_EDGES = 4
"""Edges for each node that there is room for."""


class TurnTree:
    """Room for a number of nodes and edges, and the operations on them."""

    def __init__(
        self,
        worker: LeafWorker,
        nodes: int,
        *,
        spread: float,
        share: float,
        weight: float,
    ) -> None:
        self.states = NumberedStates(worker.words, nodes)
        self.nodes = core.room("turn_node", nodes)
        self.edges = core.room("turn_edge", _EDGES * nodes)
        self.context = Struct(
            "turn_tree", states=self.states.context, nodes=self.nodes, edges=self.edges,
            edge_room=_EDGES * nodes, tops=worker.tops, spread=spread, share=share, weight=weight,
            guesses=int(worker.context.table is not None),
            moves=np.zeros_like(worker.tally),
        )  # fmt: skip
        names = ("descend", "grow", "mark", "compact")
        self._descend, self._grow, self._mark, self._compact = (
            core.function(f"turns_{name}") for name in names
        )

    @property
    def nbytes(self) -> int:
        """The size of nodes, edges and states."""
        return int(self.states.nbytes + self.nodes.nbytes + self.edges.nbytes)

    def is_proven(self, node: int) -> bool:
        """Return whether a node's value is certain."""
        return bool(self.nodes["status"][node] == PROVEN)

    def prove(self, node: int, value: npt.NDArray[np.float32]) -> None:
        """Mark a node as an end with these goals."""
        self.nodes["status"][node] = PROVEN
        self.nodes["plies"][node] = 0
        self.nodes["value"][node] = value

    def begin_at(self, node: int, status: int) -> None:
        """Let a node be searched as a root: one that is proven, but not by edges, is new again."""
        if self.nodes["count"][node] == 0:
            self.nodes["status"][node] = status

    def edges_of(self, node: int) -> slice:
        """Return the range of a node's edges."""
        first = int(self.nodes["first"][node])
        return slice(first, first + int(self.nodes["count"][node]))

    def nodes_of(self, edges: core.Array) -> core.Array:
        """Return copies of the nodes that edges lead to; one not made yet has no visits."""
        nodes: core.Array = self.nodes[edges["child"]]
        missing = edges["child"] < 0
        nodes[missing] = 0
        nodes["guess"][missing] = edges["prior"][missing]
        return nodes

    def descend(self, root: int, walks: Walks, worker: LeafWorker, batches: float) -> None:
        """Walk down, to at most as many leaves as the worker takes, and hand them to it."""
        most = walks.limit(int(self.nodes["visits"][root]), worker.most, batches)
        self._descend(self.context, walks.context, worker.context, root, most, int(worker.is_wide))

    def grow(self, root: int, walks: Walks, worker: LeafWorker) -> bool:
        """Give leaves their edges, and back up results; return whether all had room."""
        return bool(self._grow(self.context, walks.context, worker.context, root))

    def prune(self, root: int, share: float = 0.5) -> int:
        """Drop what is not below the root, then what was visited least, until there is room.

        Returns the node that the root has become.
        """
        least, used = 0, self.states.used
        sizes, room = np.zeros(2, np.int64), np.zeros(used, np.int64)
        while True:
            kept = np.zeros(used, np.bool_)
            self._mark(self.context, root, least, room, kept, sizes)
            nodes, edges = sizes
            if least > 1 << 30 or (
                nodes <= share * len(self.nodes) and edges <= share * len(self.edges)
            ):
                break
            least = 4 * least + 4
        order = np.argsort(self.nodes["first"][:used], kind="stable")
        return int(self._compact(self.context, root, least, order, kept, room))
