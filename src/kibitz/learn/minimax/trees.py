"""Game trees with scores: shown as text and as a picture, saved as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kibitz.engine import Move, State

__all__ = ["Node"]


@dataclass(slots=True, eq=False)
class Node:
    """A state in a tree, the joint move that led to it, and its score for the first role.

    A node without a score is on a branch that was seen but left unexplored. A score may be an
    estimate where the game is too large for more.
    """

    state: State
    joint: tuple[Move, ...] = ()
    score: int | None = None
    children: list[Node] = field(default_factory=list)
    is_estimated: bool = False

    def walk(self) -> Iterator[Node]:
        """Walk this node and all below it, parents first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def count(self) -> int:
        """Count the nodes that a move leads to and that have a score, as paper 004 does."""
        return sum(1 for node in self.walk() if node.joint and node.score is not None)

    def child(self, joint: tuple[Move, ...]) -> Node:
        """Return the child that a joint move leads to; make it if it is missing."""
        for node in self.children:
            if node.joint == joint:
                return node
        node = Node(self.state.step(joint), joint)
        self.children.append(node)
        return node

    def as_json(self) -> dict[str, object]:
        """Return the tree as plain data."""
        write = self.state.game.write
        result: dict[str, object] = {
            "state": [write(fluent) for fluent in self.state.fluents],
            "move": [write(move) for move in self.joint],
            "score": self.score,
        }
        if self.is_estimated:
            result["estimated"] = True
        if self.children:
            result["children"] = [child.as_json() for child in self.children]
        return result
