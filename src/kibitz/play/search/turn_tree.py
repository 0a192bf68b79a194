"""The tree of a search of two roles that take turns; its loops are in the core (`turns.c`)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.play.search.leaf_values import LeafWorker
from kibitz.play.search.walks import PROVEN, NumberedStates, Walks

__all__ = ["TurnTree"]

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
