"""Native loops over blocks of states: the gate interpreter, random playouts, and perft.

The code is the same for all games: a game is memory in the Layout of `program`, the functions
`view` and `step`, and a table of numbers. Code depends only on how many bits count the moves of a
role, so there is one module for each kernel and each such number, compiled when it is first needed
and then kept on disk.
"""

from __future__ import annotations

from llvmlite import ir

from kibitz.engine.compiled.kernels.base import ROLE_ROW, GameTable
from kibitz.engine.compiled.kernels.choice import RandomChoice
from kibitz.engine.compiled.kernels.expand import Expansion, add_expand
from kibitz.engine.compiled.kernels.interpreter import add_interpreter
from kibitz.engine.compiled.kernels.leaves import Leaves, add_leaves
from kibitz.engine.compiled.kernels.matches import MASK_ROW, MatchColumns, add_matches
from kibitz.engine.compiled.kernels.perft import BUFFER_ROW, Context, add_perft
from kibitz.engine.compiled.kernels.playouts import add_playouts, add_rollouts
from kibitz.engine.compiled.llvm import Code, compile_module, compiled_once

__all__ = [
    "BUFFER_ROW",
    "MASK_ROW",
    "ROLE_ROW",
    "Context",
    "Expansion",
    "GameTable",
    "Leaves",
    "MatchColumns",
    "interpreter",
    "kernel",
]


@compiled_once
def interpreter() -> Code:
    """Compile the gate interpreter."""
    module = ir.Module(name="interpreter")
    add_interpreter(module)
    return compile_module(module, optimise=True)


@compiled_once
def kernel(name: str, bits: int) -> Code:
    """Compile one of the loops for games whose roles have fewer than 2**bits moves each."""
    module = ir.Module(name=f"{name}{bits}")
    add = {
        "playouts": add_playouts,
        "rollouts": add_rollouts,
        "matches": add_matches,
        "perft": add_perft,
        "expand": add_expand,
        "leaves": add_leaves,
        "guided": add_leaves,
    }[name]
    add(RandomChoice(module, bits, steady=name in ("matches", "guided")))
    return compile_module(module, optimise=True)
