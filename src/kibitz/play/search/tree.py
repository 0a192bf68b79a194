"""The tree of a search of any number of roles; its loops are in the core (`joint.c`).

Ends are proven. A node is proven where its chooser has a proven edge that wins all, or where all
edges are proven, so the search becomes a solver near the end of a game.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.play.search.walks import NEW, PROVEN, NumberedStates, Walks

__all__ = ["NOBODY", "SEVERAL", "Tree"]

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
