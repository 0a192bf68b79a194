"""A position in; out random matches from it: what each move was worth in them, and some lines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame
from kibitz.rows import pack, unpack

Row = npt.NDArray[np.uint64]

_ROUNDS = 200
_LINES = 8
_DOUBT = 10
"""Matches in which a move counts as being like any other."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Random matches: how much more each role got where it made a move, and lines as rows."""

    gains: npt.NDArray[np.float64]
    """By role and move, in goals; the mean is 0."""
    means: list[float]
    """By role, in goals."""
    lines: list[list[Row]]


def sample_matches(game: CompiledGame, row: Row, seed: int = 1) -> Sample:
    """Play random matches from a position for some rounds, in all lanes of a block.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> key = game.initial().key
    >>> sample = sample_matches(game, np.array([key], dtype=np.uint64))
    >>> moves = [game.write(move) for move in game.network.moves[0]]
    >>> moves[int(sample.gains[0].argmax())]
    '(mark 2 2)'
    """
    machine = game.machine
    layout = game.program.layout
    initial = -unpack(row, layout.fluent_count).astype(np.int64)
    playouts = machine.playouts(seed, initial)
    memory = playouts.memory
    fluents = slice(layout.fluents, layout.fluents + layout.fluent_count)
    goals = memory[layout.goals : layout.goals + len(layout.goal_values)]
    does = [
        memory[start : start + count]
        for start, count in zip(layout.does, layout.move_counts, strict=True)
    ]
    made = [np.zeros_like(moves) for moves in does]
    gained = np.zeros((len(does), max(layout.move_counts)))
    counted = np.zeros_like(gained)
    lines: list[list[Row]] = []
    open_lines: list[list[Row]] = [[] for _ in range(_LINES)]
    for _ in range(_ROUNDS):
        rows = _rows(memory[fluents, 0], len(row))
        playouts.run(1)
        over = memory[layout.terminal].copy()
        for lane, line in enumerate(open_lines):
            if int(over[0]) >> lane & 1:
                lines.append(line)
                open_lines[lane] = []
            else:
                line.append(rows[lane])
        for role, moves in enumerate(does):
            if over.any():
                ended = made[role] & over
                counted[role, : len(moves)] += np.bitwise_count(ended).sum(axis=1)
                for goal, (owner, value) in zip(goals, layout.goal_values, strict=True):
                    if owner == role:
                        times = np.bitwise_count(ended & goal).sum(axis=1)
                        gained[role, : len(moves)] += times * float(value or 0)
                made[role] &= ~over
            made[role] |= moves & ~over
    mean = gained.sum(axis=1, keepdims=True) / np.maximum(1, counted.sum(axis=1, keepdims=True))
    gains = (gained + _DOUBT * mean) / (counted + _DOUBT) - mean
    return Sample(gains, mean[:, 0].tolist(), [line for line in lines if line][:_LINES])


def _rows(fluents: npt.NDArray[np.uint64], words: int) -> list[Row]:
    """Pack the first lanes of a block."""
    lanes = fluents >> np.arange(_LINES, dtype=np.uint64)[:, None] & np.uint64(1)
    return list(pack(lanes, words))
