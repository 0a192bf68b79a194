"""What literals cost: one each, or more the harder they are to put into words."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kibitz.gdl import Function
from kibitz.synth.problem.problem import Problem

if TYPE_CHECKING:
    from kibitz.synth.synthesis import Objective

__all__ = ["prices_of"]

_NEGATION = 0.5
_FEATURE = 0.5
_STEP = 0.125
"""The cost of each step between the places of a literal and of the move, beyond the first."""


def prices_of(problem: Problem, objective: Objective) -> npt.NDArray[np.float64]:
    """Return the price of each literal beside each orbit of moves.

    A rule is easy to put into words if it has few literals, few negations among them, and places
    near that of the move; a feature, which has a name, counts as half a literal. A place is the
    first two numbers in a term, if there are two.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.synth.problem.problem import make_problem
    >>> from kibitz.synth.synthesis import prepare
    >>> made = prepare(CompiledGame(load_sheet("tictactoe")))
    >>> problem = make_problem(made.solution, "xplayer", symmetries=made.symmetries)
    >>> prices = prices_of(problem, "easy")
    >>> float(prices.min()), float(prices.max())
    (1.0, 1.625)
    """
    prices = np.ones((len(problem.orbit_moves), problem.arrays.columns.shape[0]))
    if objective != "easy":
        return prices
    prices[:, 1::2] += _NEGATION
    prices[:, 2 * len(problem.atoms) :] = _FEATURE
    places = [_place(atom) for atom in problem.atoms]
    for orbit, moves in enumerate(problem.orbit_moves):
        centre = _place(problem.moves[moves[0]]) if moves else None
        for number, place in enumerate(places):
            if centre and place:
                far = max(abs(a - b) for a, b in zip(centre, place, strict=True))
                prices[orbit, 2 * number : 2 * number + 2] += _STEP * max(0, far - 1)
    return prices


def _place(term: Function) -> tuple[int, int] | None:
    numbers = [
        int(arg.name) if isinstance(arg, Function) and arg.name.isdecimal() else None
        for arg in term.args
    ]
    for row, column in pairwise(numbers):
        if row is not None and column is not None:
            return row, column
    return None
