"""Sets of states as decision diagrams, made from the Network of a game alone."""

from kibitz.solve.symbolic.paper import PaperSpace, explore_for_paper, where_paper_looks
from kibitz.solve.symbolic.sets import StateSet
from kibitz.solve.symbolic.space import SymbolicSpace, reach
from kibitz.solve.symbolic.values import (
    SymbolicSolution,
    find_stuck_states,
    solve_symbolically,
)
from kibitz.solve.symbolic.winsets import (
    Among,
    SymbolicWinningSets,
    find_consistent,
    find_winning_sets,
)

__all__ = [
    "Among",
    "PaperSpace",
    "StateSet",
    "SymbolicSolution",
    "SymbolicSpace",
    "SymbolicWinningSets",
    "explore_for_paper",
    "find_consistent",
    "find_stuck_states",
    "find_winning_sets",
    "reach",
    "solve_symbolically",
    "where_paper_looks",
]
