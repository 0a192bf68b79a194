"""Put the files of a run together as a StateSpace, in the order that every run has."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame, Move
from kibitz.rows import order_rows, row_words
from kibitz.solve.cluster.driver import ClusterRun
from kibitz.space import Column, StateSpace, Symmetries

__all__ = ["assemble", "in_cluster_order", "read_values"]


def assemble(
    game: CompiledGame,
    run: ClusterRun,
    *,
    symmetries: Symmetries | None,
    seconds: float,
    spill: str | Path | None = None,
) -> StateSpace:
    """Read all states and moves of a finished run; what is too large goes to `spill`."""
    states, edges = run.count, sum(sum(layer["edges"]) for layer in run.layers)
    joints = sorted({word for layer in run.layers for word in layer["joints"]})
    words = row_words(game.program.layout.fluent_count)
    columns = {
        "states": (Column(np.uint64, words), states),
        "first_edge": (Column(np.int64), states + 1),
        "target": (Column(np.uint32), edges),
        "action": (Column(np.uint16), edges),
        "turn": (Column(np.int8), states),
        "terminal": (Column(np.bool_), states),
        "goals": (Column(np.int8, len(game.roles)), states),
    }
    size = sum(length * column.row_bytes for column, length in columns.values())
    for column, length in columns.values():
        if spill is not None and size > run.limits.bytes:
            column.move_to(spill)
        column.resize(length)
    arrays = {name: column.array for name, (column, _) in columns.items()}
    state = edge = 0
    for number in range(len(run.layers)):
        for shard in range(run.shards):
            rows = run.checkpoint.get("states", number, shard)[0]["states"]
            part, _ = run.checkpoint.get("moves", number, shard)
            end, last = state + len(rows), edge + len(part["target"])
            arrays["states"][state:end] = rows
            arrays["first_edge"][state:end] = part["first_edge"][:-1] + edge
            arrays["target"][edge:last] = part["target"]
            codes = np.searchsorted(np.array(joints, dtype=np.uint64), part["joints"])
            arrays["action"][edge:last] = codes.astype(np.uint16)[part["action"]]
            for name in ("turn", "terminal", "goals"):
                arrays[name][state:end] = part[name]
            state, edge = end, last
    arrays["first_edge"][-1] = edges
    return StateSpace(
        game=game,
        **arrays,
        joint_moves=tuple(_joint(game, word) for word in joints),
        layers=(0, *accumulate(map(sum, run.counts[:-1]))),
        is_layered=run.is_layered,
        stopped=None,
        symmetries=symmetries if symmetries and symmetries.generators else None,
        seconds=seconds,
    )


def read_values(run: ClusterRun) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint16]]:
    """Read the values and distances of all states."""
    parts = [
        run.checkpoint.get("values", number, shard)[0]
        for number in range(len(run.layers))
        for shard in range(run.shards)
    ]
    return (
        np.concatenate([part["value"] for part in parts]),
        np.concatenate([part["distance"] for part in parts]),
    )


def in_cluster_order(space: StateSpace) -> StateSpace:
    """Number the states and joint moves of a space as a run on a cluster does.

    Within a layer, states are ordered by their hashes, and joint moves by their moves.
    """
    ends = [*space.layers[1:], len(space)]
    order = np.concatenate(
        [a + order_rows(space.states[a:b]) for a, b in zip(space.layers, ends, strict=True)]
    )
    rank = np.empty(len(order), dtype=np.uint32)
    rank[order] = np.arange(len(order), dtype=np.uint32)
    counts = np.diff(space.first_edge)[order]
    first_edge = np.concatenate([[0], np.cumsum(counts)])
    edges = np.repeat(space.first_edge[:-1][order] - first_edge[:-1], counts)
    edges += np.arange(space.edges)
    words = [_word(space.game, joint) for joint in space.joint_moves]
    named = sorted(range(len(words)), key=words.__getitem__)
    code = np.empty(len(words), dtype=np.uint16)
    code[named] = np.arange(len(words), dtype=np.uint16)
    return replace(
        space,
        states=space.states[order],
        first_edge=first_edge,
        target=rank[space.target[edges]],
        action=code[space.action[edges]],
        joint_moves=tuple(space.joint_moves[i] for i in named),
        turn=space.turn[order],
        terminal=space.terminal[order],
        goals=space.goals[order],
    )


def _joint(game: CompiledGame, word: int) -> tuple[Move, ...]:
    """Read the moves of each role off the word that stands for a joint move."""
    bits, moves = game.machine.bits, game.network.moves
    return tuple(moves[r][word >> bits * r & ((1 << bits) - 1)] for r in range(len(moves)))


def _word(game: CompiledGame, joint: tuple[Move, ...]) -> int:
    bits = game.machine.bits
    places = [moves.index(move) for moves, move in zip(game.network.moves, joint, strict=True)]
    return sum(place << bits * role for role, place in enumerate(places))
