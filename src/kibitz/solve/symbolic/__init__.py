"""Sets of states as decision diagrams, made from the Network of a game alone."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.solve.symbolic.circuit import StateSet as StateSet
    from kibitz.solve.symbolic.encoding import Progress as Progress, nodes_within as nodes_within
    from kibitz.solve.symbolic.space import SymbolicSpace as SymbolicSpace, reach as reach
    from kibitz.solve.symbolic.values import (
        SymbolicSolution as SymbolicSolution,
        find_stuck_states as find_stuck_states,
        solve_symbolically as solve_symbolically,
    )
    from kibitz.solve.symbolic.winning_regions import (
        Among as Among,
        PaperSpace as PaperSpace,
        SymbolicWinningSets as SymbolicWinningSets,
        explore_for_paper as explore_for_paper,
        find_consistent as find_consistent,
        find_winning_sets as find_winning_sets,
        where_paper_looks as where_paper_looks,
    )

__getattr__ = lazy_exports(__name__)
