"""Run a Program with numpy alone, where native code is not available: correct, but slower."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.engine.compiled.program import Program, Stage

__all__ = ["ArrayMachine"]

Words = npt.NDArray[np.uint64]


class ArrayMachine:
    """Runs whole runs of gates as array operations."""

    def __init__(self, program: Program, *, words: int = 64) -> None:
        self.program = program
        self.words = words
        self.lanes = 64 * words
        self._stages = [
            (
                [
                    (run.kind, run.first, np.array(run.left), np.array(run.right))
                    for run in stage.runs
                ],
                *_copies(stage),
            )
            for stage in (program.view, program.step)
        ]

    def memory(self) -> Words:
        """Make memory for one block, every state of it all false."""
        return self.memories(1).reshape(-1, self.words)

    def memories(self, blocks: int) -> Words:
        """Make memory for several blocks, in one array."""
        return np.zeros((blocks, self.program.layout.slots, self.words), dtype=np.uint64)

    def view(self, memory: Words) -> None:
        """Fill in legal moves, the end and goals from the fluents."""
        self._run(memory, 0)

    def step(self, memory: Words) -> None:
        """Fill in the next fluents from the fluents, the last view, and the moves made."""
        self._run(memory, 1)

    def _run(self, memory: Words, stage: int) -> None:
        runs, targets, sources, flips = self._stages[stage]
        for kind, first, left, right in runs:
            out = memory[first : first + len(left)]
            if kind == 2:
                np.invert(memory[left] | memory[right], out=out)
            elif kind == 1:
                np.bitwise_and(memory[left], ~memory[right], out=out)
            else:
                np.bitwise_and(memory[left], memory[right], out=out)
        memory[targets] = memory[sources] ^ flips


def _copies(stage: Stage) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Words]:
    pairs = np.array(stage.copies, dtype=np.int64).reshape(-1, 2)
    flips = np.where(pairs[:, 1] & 1, np.uint64(2**64 - 1), np.uint64(0))
    return pairs[:, 0], pairs[:, 1] >> 1, flips[:, None]
