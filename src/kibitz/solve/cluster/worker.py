"""What one worker of a cluster does: expand, gather, link and value the states of shards.

A state belongs to the shard that the first bits of its hash name. States of a layer are numbered
shard by shard, and within a shard by hash, so their numbers do not depend on the number of shards
and workers. All that a worker finishes is in files; it holds nothing that cannot be read from them
again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.engine import CompiledGame
from kibitz.gdl import read
from kibitz.rows import hash_rows, order_rows, row_words
from kibitz.solve.cluster.checkpoint import Checkpoint
from kibitz.solve.cluster.rows import RowSet
from kibitz.solve.retrograde import NEVER
from kibitz.space import SEVERAL, StateIntake
from kibitz.threads import ThreadTeam

__all__ = ["Bounds", "Worker"]

Rows = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Bounds:
    """Where the states of layers begin: `within[l][s]` among those of a shard, and `among_all`."""

    within: list[list[int]]
    among_all: list[list[int]]

    @classmethod
    def of(cls, counts: list[list[int]]) -> Bounds:
        """Compute them from how many states each shard has in each layer."""
        shards = range(len(counts[0]))
        within, among_all = [[0 for _ in shards]], []
        total = 0
        for layer in counts:
            within.append([before + count for before, count in zip(within[-1], layer, strict=True)])
            among_all.append([total + sum(layer[:shard]) for shard in shards])
            total += sum(layer)
        return cls(within[:-1], among_all)

    def number(self, shard: int, numbers: Numbers) -> Numbers:
        """Turn numbers within a shard into numbers among all states."""
        starts = np.array([layer[shard] for layer in self.within])
        layer = np.searchsorted(starts, numbers, side="right") - 1
        offsets: Numbers = np.array([layer[shard] for layer in self.among_all]) - starts
        # Empty layers of a shard begin where the next one does: the last of them counts.
        result: Numbers = numbers + offsets[layer]
        return result


class Worker:
    """Works on shards of a game's states; all methods are safe to call again."""

    def __init__(
        self, rules: str, name: str, folder: str, shards: int, images: list[tuple[int, ...]]
    ) -> None:
        self.game = CompiledGame(read(rules, name=name, form="kif"))
        self.checkpoint = Checkpoint(folder)
        self.shards, self.images = shards, images
        self.seen: dict[int, _Seen] = {}
        layout = self.game.program.layout
        self.words = row_words(layout.fluent_count)

    def fluents(self) -> list[str]:
        """Name the fluents in the order that rows of states have them."""
        return [str(fluent) for fluent in self.game.network.fluents]

    def expand(self, layer: int, shard: int) -> tuple[Any, ...]:
        """Find all moves of a shard's states; return facts, and for each shard the rows it gets.

        The targets in the file of moves are this worker's own numbers: first the layer's states in
        this shard, then the rows for the first shard, the second, and so on.
        """
        rows = self.checkpoint.get("states", layer, shard)[0]["states"]
        intake = StateIntake(self.game, ThreadTeam(1), images=self.images)
        intake.seed(np.array(rows))
        done = 0
        while done < len(rows):
            _, done = intake.take(done, len(rows))
        new = intake.states.array[len(rows) : intake.count]
        owner = shard_of(new, self.shards)
        order = np.argsort(owner, kind="stable")
        rank = np.empty(len(order), dtype=np.uint32)
        rank[order] = np.arange(len(order), dtype=np.uint32) + np.uint32(len(rows))
        target = intake.target.array[: intake.edges]
        away = target >= len(rows)
        target[away] = rank[target[away] - len(rows)]
        counts = np.bincount(owner, minlength=self.shards)
        terminal = intake.terminal.array[: len(rows)].view(np.bool_)
        goals, turn = intake.goals.array[: len(rows)], intake.turn.array[: len(rows)]
        joints = intake.joint_words[: intake.contexts[0].joint_count]
        arrays = {
            "first_edge": intake.first_edge.array[: len(rows) + 1],
            "target": target,
            "action": intake.action.array[: intake.edges],
            "terminal": terminal,
            "turn": turn,
            "goals": goals,
            "joints": joints,
        }
        self.checkpoint.put("found", layer, shard, arrays, counts=counts.tolist())
        ends = goals[terminal].astype(np.int64)
        facts = {
            "edges": int(intake.edges),
            "joints": joints.tolist(),
            "sums": np.flatnonzero(np.bincount(ends[(ends >= 0).all(axis=1)].sum(axis=1))).tolist(),
            "is_goal_missing": bool((ends < 0).any()),
            "is_simultaneous": bool((turn == SEVERAL).any()),
        }
        new = new[order]
        ends_of = np.cumsum(counts)
        parts = [new[end - count : end] for end, count in zip(ends_of, counts, strict=True)]
        return facts, *parts

    def gather(self, layer: int, shard: int, *incoming: Rows) -> tuple[Any, ...]:
        """Keep the new rows as a shard's states of a layer; return how many, and numbers.

        For each array of rows, these are the numbers of its rows within the shard.
        """
        seen = self.seen.get(shard)
        if seen is None or seen.layer != layer - 1:
            seen = self.seen[shard] = _Seen(self.words)
            for before in range(layer):
                seen.add([self.checkpoint.get("states", before, shard)[0]["states"]], before)
        numbers = seen.add(incoming, layer)
        self.checkpoint.put("states", layer, shard, {"states": seen.newest})
        return len(seen.newest), *numbers

    def link(self, layer: int, shard: int, bounds: Bounds, *numbers: Numbers) -> int:
        """Complete the file of moves with the numbers of all targets; return the lowest of them."""
        arrays, notes = self.checkpoint.get("found", layer, shard)
        own = np.arange(len(arrays["first_edge"]) - 1) + bounds.among_all[layer][shard]
        there = [bounds.number(owner, part) for owner, part in enumerate(numbers)]
        where = np.concatenate([own, *there])
        target = where[arrays["target"]]
        lowest = int(target.min()) if len(target) else 2**63 - 1
        complete = {**arrays, "target": target.astype(np.uint32)}
        self.checkpoint.put("moves", layer, shard, complete, **notes)
        return lowest

    def value(
        self, layer: int, shard: int, first: int, middle: int, *after: Any
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint16]]:
        """Value a shard's states of a layer, whose moves all lead to the next.

        `first` is the number of the next layer's first state; `after` has, for each shard, that
        layer's values and then, for each shard, its distances.
        """
        arrays = self.checkpoint.get("moves", layer, shard)[0]
        first_edge, terminal = arrays["first_edge"], arrays["terminal"]
        count = len(terminal)
        value = np.concatenate([np.zeros(count, np.uint8), *after[: self.shards]])
        distance = np.concatenate([np.zeros(count, np.uint16), *after[self.shards :]])
        stuck = (first_edge[1:] == first_edge[:-1]) & ~terminal
        value[:count][stuck] = middle
        distance[:count][stuck] = NEVER
        value[:count][terminal] = arrays["goals"][terminal, 0]
        target = arrays["target"] - np.uint32(first) + np.uint32(count)
        turn = (arrays["turn"] == 1).astype(np.uint8)
        sweep = Struct(
            "sweep", first_edge=first_edge, targets=target, turn=turn, value=value,
            distance=distance, middle=middle,
        )  # fmt: skip
        core.function("sweep_layered")(sweep, 0, count)
        result = value[:count].copy(), distance[:count].copy()
        self.checkpoint.put(
            "values", layer, shard, {"value": result[0], "distance": result[1]}, middle=middle
        )
        return result


def shard_of(rows: Rows, shards: int) -> Numbers:
    """Return the shard of each row; the number of shards is a power of two."""
    if shards == 1:
        return np.zeros(len(rows), dtype=np.int64)
    return (hash_rows(rows) >> np.uint64(65 - shards.bit_length())).astype(np.int64)


class _Seen:
    """All states of a shard up to a layer, by the numbers that files give them."""

    def __init__(self, words: int) -> None:
        self.rows = RowSet(words)
        self.layer = -1
        self.final = np.zeros(0, dtype=np.int64)
        self.newest: Rows = np.zeros((0, words), dtype=np.uint64)

    def add(self, parts: Any, layer: int) -> list[Numbers]:
        """Add all rows of a layer; return their numbers in the order of their hashes."""
        before = len(self.rows)
        met = [self.rows.add(part) for part in parts]
        new = self.rows.rows(before)
        order = order_rows(new)
        self.newest = new[order]
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(before, before + len(order))
        self.final = np.concatenate([self.final, rank])
        self.layer = layer
        return [self.final[numbers] for numbers in met]
