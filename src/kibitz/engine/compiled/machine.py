"""What runs a Program: the protocol of machines, and which one is used.

=========== ==================================================================
straight    native code without a loop, for small networks
interpreter a native interpreter of gates, for large ones
numpy       array operations, where llvmlite cannot be imported
=========== ==================================================================
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from kibitz.engine.compiled.program import Program
from kibitz.errors import InputError

__all__ = ["BACKENDS", "Machine", "make_machine"]

BACKENDS = ("auto", "straight", "interpreter", "numpy")

Words = npt.NDArray[np.uint64]


class Machine(Protocol):
    """Runs the two stages of a program on memory, whose slots have `lanes` bits each."""

    lanes: int

    def memory(self) -> Words:
        """Make memory for one block, every state of it all false."""

    def memories(self, blocks: int) -> Words:
        """Make memory for several blocks, in one array: a part of it is what `memory` makes."""

    def view(self, memory: Words) -> None:
        """Fill in legal moves, the end and goals from the fluents."""

    def step(self, memory: Words) -> None:
        """Fill in the next fluents from the fluents, the last view, and the moves made."""


def make_machine(program: Program, backend: str = "auto") -> Machine:
    """Make the requested machine, or the fastest available."""
    if backend not in BACKENDS:
        raise InputError(f"no backend {backend}", hint=f"choose one of {' '.join(BACKENDS)}")
    if backend != "numpy":
        try:
            from kibitz.engine.compiled.native_machine import NativeMachine
        except ImportError:
            if backend != "auto":
                raise InputError(f"{backend} needs llvmlite, which cannot be imported") from None
        else:
            straight = {"straight": True, "interpreter": False}.get(backend)
            return NativeMachine(program, straight=straight)
    from kibitz.engine.compiled.numpy_machine import ArrayMachine

    return ArrayMachine(program)
