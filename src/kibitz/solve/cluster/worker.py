"""Work on a share of the rows of a layer, which a worker numbers, expands, values and keeps.

=================== ===============================================================================
`run.json`          the rules, the number of shards, and what else must not change between runs
`states-L-S`        the states of layer L in shard S, in order
`moves-L-S`         their moves, ends and goals; complete once the next layer is known
`layer-L.json`      written when layer L is done: how many states and moves each shard has
`values-L-S`        values and distances of the states of a layer
=================== ===============================================================================

All files have checksums. They are written under another name and then renamed, so each is complete
or missing. The newest `layer-L.json` says how far a run came.

A state belongs to the shard that the first bits of its hash name. States of a layer are numbered
shard by shard, and within a shard by hash, so their numbers do not depend on the number of shards
and workers. All that a worker finishes is in files; it holds nothing that cannot be read from them
again.
"""

from __future__ import annotations

import json
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.engine import CompiledGame
from kibitz.errors import InputError
from kibitz.files import sweep, written_whole
from kibitz.gdl import read
from kibitz.rows import Rows, hash_rows, order_rows, row_words
from kibitz.solve.retrograde import NEVER
from kibitz.space import SEVERAL, Array, Column, StateIntake, read_arrays, write_arrays
from kibitz.threads import ThreadTeam

_LEAST = 1 << 10


class RowSet:
    """Rows numbered from 0 in the order in which they are first met.

    >>> seen = RowSet(1)
    >>> seen.add(np.array([[7], [9], [7]], dtype=np.uint64)).tolist()
    [0, 1, 0]
    >>> seen.add(np.array([[8], [9]], dtype=np.uint64)).tolist(), len(seen)
    ([2, 1], 3)
    """

    def __init__(self, words: int) -> None:
        self._rows = Column(np.uint64, words)
        self._count = 0
        self._table = np.zeros(_LEAST, dtype=np.uint64)
        self._words = words
        no_mark = np.zeros(words, dtype=np.uint64)
        self._context = Struct(
            "intake", batch=np.zeros(128, dtype=np.int64), counted=no_mark, fixed=no_mark,
            pattern=no_mark,
        )  # fmt: skip

    def __len__(self) -> int:
        return self._count

    def rows(self, first: int = 0) -> Rows:
        """Return the rows from a number on; the next `add` may move them."""
        return self._rows.array[first : self._count]

    def add(self, rows: Rows) -> npt.NDArray[np.int64]:
        """Add rows; return the number of each."""
        rows = np.ascontiguousarray(rows)
        found, known = len(rows), self._count
        if known + found > len(self._rows.array):
            self._rows.resize(max(known + found, known * 3 // 2, _LEAST))
        hashes = hash_rows(rows)
        numbers = np.empty(found, dtype=np.int64)
        slots = np.empty(found, dtype=np.int64)
        run = self._context
        run.states, run.known, run.rows = self._rows.array, known, rows
        run.hashes, run.numbers, run.slots = hashes, numbers, slots
        self._make_table(known + found)
        self._count += core.function("space_claim", self._words)(run, 0, found)
        core.function("space_number", self._words)(run, 0, found, known)
        passing = (slots == -1) & (numbers >= known)
        numbers[passing] = numbers[numbers[passing] - known]
        return numbers

    def _make_table(self, total: int) -> None:
        size = len(self._table)
        while 3 * total > 2 * size:
            size *= 2
        is_larger = size > len(self._table)
        if is_larger:
            self._table = np.zeros(size, dtype=np.uint64)
        self._context.table = self._table
        self._context.mask = self._context.section_mask = size - 1
        if is_larger:
            core.function("space_rehash", self._words)(self._context, 0, self._count)


FORMAT = "kibitz cluster run 2"


class Checkpoint:
    """A folder with the finished layers of one run."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def open(self, facts: dict[str, Any], shards: int) -> int:
        """Start a run, or continue one that has the same facts; return its number of shards."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot make {self.folder}: {error.strerror or error}") from None
        sweep(self.folder)
        kept = self._read("run.json")
        if kept is None:
            if any(self.folder.iterdir()):
                raise InputError(
                    f"{self.folder} has other files, but no cluster run",
                    hint="give an empty or a new folder with --checkpoint",
                )
            self._write("run.json", {"format": FORMAT, "shards": shards, **facts})
            return shards
        if {**kept, "shards": 0} != {"format": FORMAT, **facts, "shards": 0}:
            raise InputError(
                f"{self.folder} has a run of {kept.get('game', 'something else')} that cannot be "
                f"continued for {facts['game']}: rules, start or version differ",
                hint="give another folder with --checkpoint",
            )
        return int(kept["shards"])

    def layer(self, number: int) -> dict[str, Any] | None:
        """Return the facts of a finished layer, None if it is not finished."""
        return self._read(f"layer-{number}.json")

    def finish_layer(self, number: int, facts: dict[str, Any]) -> None:
        """Record that all files of a layer, and the states of the next, are there."""
        self._write(f"layer-{number}.json", facts)

    def has_values(self, layer: int, shards: int) -> bool:
        """Return whether all states of a layer are valued."""
        return all((self.folder / f"values-{layer}-{s}").exists() for s in range(shards))

    def put(
        self, kind: str, layer: int, shard: int, arrays: dict[str, Array], **notes: Any
    ) -> None:
        """Write the arrays of a shard."""
        write_arrays(self.folder / f"{kind}-{layer}-{shard}", arrays, notes)

    def get(self, kind: str, layer: int, shard: int) -> tuple[dict[str, Array], dict[str, Any]]:
        """Map the arrays of a shard into memory; return them and its notes."""
        return read_arrays(self.folder / f"{kind}-{layer}-{shard}")

    def _read(self, name: str) -> dict[str, Any] | None:
        path = self.folder / name
        try:
            text = path.read_text("utf-8")
            facts = json.loads(text)["facts"]
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError):
            facts = None
        if not isinstance(facts, dict) or _checked(facts) != text:
            raise InputError(
                f"{path} is damaged, or was written by another version of Kibitz",
                hint="give a new folder with --checkpoint, and solve the game again",
            )
        return facts

    def _write(self, name: str, facts: dict[str, Any]) -> None:
        path = self.folder / name
        with written_whole(path) as part, part.open("w", encoding="utf-8") as stream:
            stream.write(_checked(facts))
            stream.flush()
            os.fsync(stream.fileno())


def _checked(facts: dict[str, Any]) -> str:
    """Write facts with their checksum, always in the same way."""
    written = json.dumps(facts)
    return f'{{"crc32": {zlib.crc32(written.encode())}, "facts": {written}}}'


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
