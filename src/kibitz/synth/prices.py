"""What literals cost: one each, or more the harder they are to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kibitz.synth.problem import Problem

if TYPE_CHECKING:
    from kibitz.synth.synthesis import Objective

__all__ = ["prices_of"]

_NEGATION = 0.5


def prices_of(problem: Problem, objective: Objective) -> npt.NDArray[np.float64]:
    """Give the price of each literal.

    To be easy to say is to have few literals, and few negations among them.
    """
    prices = np.ones(problem.arrays.columns.shape[0])
    if objective == "easy":
        prices[1::2] += _NEGATION
    return prices
