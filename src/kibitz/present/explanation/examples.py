"""A strategy on a space in, matches out in which as many of its rules as possible are followed."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from kibitz.engine import Move
from kibitz.space import StateId, playable_line, reachable_under
from kibitz.strategy import Decisions

__all__ = ["ExampleLine", "allowed_edges", "example_lines", "positions_decided"]

_MOST_NODES = 150_000
_MOST_EXAMPLES = 4


@dataclass(frozen=True, slots=True)
class ExampleLine:
    """Joint moves from the start, and which rule decided each (0 for none, or another's move)."""

    joints: tuple[tuple[Move, ...], ...]
    rules: tuple[int, ...]

    @property
    def fired(self) -> frozenset[int]:
        """The rules that were followed."""
        return frozenset(self.rules) - {0}


def allowed_edges(decisions: Decisions) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Mark the edges that play may take: the list's where it allows any, and all others' moves."""
    moves = decisions.moves
    space = moves.space
    source = np.repeat(np.arange(len(space)), np.diff(space.first_edge))
    covered = np.zeros(len(space), dtype=bool)
    covered[source[moves.chosen]] = True
    allowed: np.ndarray[tuple[int], np.dtype[np.bool_]] = moves.chosen | ~covered[source]
    return allowed


def positions_decided(decisions: Decisions, rules: int) -> list[int]:
    """Count in how many of the positions that play comes to each rule decides."""
    seen = reachable_under(decisions.moves.space, allowed_edges(decisions)).seen
    counts = np.bincount(decisions.decider[seen] + 1, minlength=rules + 1)
    return [int(count) for count in counts[1 : rules + 1]]


def example_lines(decisions: Decisions, rules: int) -> list[ExampleLine]:
    """Find few matches in which every rule that can be followed is, as far as a search shows."""
    found: list[ExampleLine] = []
    wanted = frozenset(range(1, rules + 1))
    while wanted and len(found) < _MOST_EXAMPLES:
        line = _line_with(decisions, wanted)
        if line is None or not line.fired & wanted:
            break
        found.append(line)
        wanted -= line.fired
    return found


def _line_with(decisions: Decisions, wanted: frozenset[int]) -> ExampleLine | None:
    """Search states together with the wanted rules met, for an end with most; shortest first."""
    space = decisions.moves.space
    allowed = allowed_edges(decisions)
    bit = {number: 1 << place for place, number in enumerate(sorted(wanted)[:20])}
    start = (0, 0)
    parent: dict[tuple[StateId, int], tuple[tuple[StateId, int], int]] = {start: (start, -1)}
    queue = deque([start])
    best: tuple[int, tuple[StateId, int]] | None = None
    while queue and len(parent) < _MOST_NODES:
        node = queue.popleft()
        state, mask = node
        if space.terminal[state]:
            count = mask.bit_count()
            if best is None or count > best[0]:
                best = (count, node)
                if count == len(bit):
                    break
            continue
        after = mask | bit.get(int(decisions.decider[state]) + 1, 0)
        for edge in range(int(space.first_edge[state]), int(space.first_edge[state + 1])):
            child = (int(space.target[edge]), after)
            if allowed[edge] and child not in parent:
                parent[child] = (node, edge)
                queue.append(child)
    if best is None:
        return None
    edges = []
    node = best[1]
    while node != start:
        node, edge = parent[node]
        edges.append((node[0], edge))
    edges.reverse()
    return ExampleLine(
        tuple(playable_line(space, [edge for _, edge in edges])),
        tuple(int(decisions.decider[state]) + 1 for state, _ in edges),
    )
