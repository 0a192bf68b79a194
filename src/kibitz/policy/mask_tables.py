"""Masks of moves and states in; out which masks have which moves in which states, as arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import LANES, vectors
from kibitz.policy.matches import enter_moves, lanes_of
from kibitz.policy.move_masks import Mask, MoveMasks
from kibitz.policy.policies import Moves, Rows, place_masks
from kibitz.rows import pack, unpack

__all__ = ["MaskTable"]


class MaskTable:
    """Asks for some masks of one role in many states at once.

    >>> from kibitz.engine import Blocks, CompiledGame
    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> masks = MoveMasks(game, "xplayer")
    >>> found = MaskTable(masks, [masks.legal]).ask(Blocks(game).initial())
    >>> found.shape, int(found.sum())
    ((1, 1, 10), 9)
    """

    def __init__(self, masks: MoveMasks, wanted: Sequence[Mask]) -> None:
        self.game = masks.game
        self.layout = self.game.program.layout
        self.shape = len(wanted), len(masks.legal)
        _, self.start = self.game.machine.mask_slots()
        literals = [literal for mask in wanted for literal in mask]
        targets = np.arange(self.start, self.start + len(literals), dtype=np.int64)
        self.code, slots, self.gates = place_masks(masks, literals, targets, int(targets[-1]) + 1)
        self.memory = vectors(slots)
        self._interpret = core.function("interpret")

    def ask(self, rows: Rows, last: Moves | None = None) -> npt.NDArray[np.bool_]:
        """Return for each mask, each state and each move whether the mask has it.

        `last` has the joint moves that led to the states.
        """
        masks, moves = self.shape
        found = np.zeros((masks, len(rows), moves), dtype=bool)
        fluents = slice(self.layout.fluents, self.layout.fluents + self.layout.fluent_count)
        for first in range(0, len(rows), LANES):
            block = rows[first : first + LANES]
            padded = np.zeros((self.layout.fluent_count, LANES), dtype=np.uint8)
            padded[:, : len(block)] = unpack(block, self.layout.fluent_count).T
            self.memory[fluents] = pack(padded)
            made = None if last is None else last[first : first + LANES]
            enter_moves(self.game, self.memory, made)
            self._interpret(self.memory, self.code)
            here = lanes_of(self.memory[self.start : self.start + masks * moves])
            here = here.reshape(masks, moves, LANES)[:, :, : len(block)]
            found[:, first : first + len(block)] = here.transpose(0, 2, 1)
        return found
